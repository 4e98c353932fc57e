// Secrets stop here. Every text of the page leaves through clean(), which the string
// table calls once for each different text. What it takes out: what looks like a
// secret on its own (the rules come from redact.Rules in Go, so the two cannot
// drift apart), and the very texts that this page keeps in a password field or that
// the site's profile names by a selector, wherever else they occur.
//
// One instance serves one collection: {clean, cleaned, seal, hides, …}.
function makeRedactor(opt, registry) {
  const rules = (opt.rules || []).map((r) => ({ ...r, re: new RegExp(r.pattern, r.fold ? 'dgi' : 'dg') }));
  const cards = rules.filter((r) => r.check === 'card');
  const plain = rules.filter((r) => r.check !== 'card');
  const table = secretNames(opt.names);
  const escape = (s) => s.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  // One test of a text decides whether a rule has to be tried at all.
  const hints = new RegExp(plain.flatMap((r) => r.hints.filter((h) => h !== '=').map(escape)).join('|') || '(?!)', 'i');

  function clean(s) {
    if (s.length < 6) return s;
    for (let pass = 0; pass < 8; pass++) {
      // the mark of a secret may make a word of what stood beside it
      const t = put(s, find);
      if (t === s) break;
      s = t;
    }
    return s;
  }

  // find lists what the rules find in a text: [from, to, mark].
  function find(s) {
    const out = [];
    if (s.includes('=') || hints.test(s)) {
      for (const r of plain) {
        const within = r.fold ? s.toLowerCase() : s;
        if (r.hints.some((h) => within.includes(h))) each(s, r, out);
      }
    }
    if (s.length >= 13 && /\d{3}/.test(s)) for (const r of cards) each(s, r, out);
    return out;
  }

  function each(s, rule, out) {
    if (/^(query|body|said)$/.test(rule.check)) return eachNamed(s, rule, out);
    let done = 0;
    for (const m of s.matchAll(rule.re)) {
      const [from, to] = m.indices[1] || m.indices[0];
      if (from === to || from < done) continue;
      if (rule.check === 'card') {
        for (const [a, b] of cardSpans(s, from, to)) {
          out.push([a, b, rule.put]);
          done = b;
        }
      } else if (passes(s.slice(from, to), rule.check)) {
        out.push([from, to, rule.put]);
        done = to;
      }
    }
  }

  // eachNamed is each for a pattern of a name and its value. A value whose name is none of a secret may hold further
  // names, as an address in a parameter does.
  function eachNamed(s, rule, out) {
    const passesNamed = (check, name, value) => {
      if (check === 'said') return saidSecret(table.secretName(name, 'body'), value);
      return table.secretName(check === 'query' ? unescaped(name) : name, check) !== '';
    };
    rule.re.lastIndex = 0;
    for (let m = rule.re.exec(s); m !== null; m = rule.re.exec(s)) {
      const [from, to] = m.indices[2];
      if (passesNamed(rule.check, m[1], s.slice(from, to))) out.push([from, to, rule.put]);
      else rule.re.lastIndex = from;
    }
    rule.re.lastIndex = 0;
  }

  // Elements that the profile withholds by a selector, subtree and all. An invalid
  // selector would let secrets through, so it ends the collection.
  const withheld = [];
  for (const selector of opt.redact || []) {
    try {
      document.createDocumentFragment().querySelector(selector);
    } catch {
      throw new Error('redact selector ' + JSON.stringify(selector) + ' is not a valid CSS selector');
    }
    withheld.push(selector);
  }
  // Elements whose own text is what was typed into them, or chosen: see mask.
  const masked = new Set();
  // Each separately: in a list, an unclosed bracket would swallow the rest.
  const named = (el) => masked.has(el) || withheld.some((selector) => el.matches(selector));
  const answers = new Map();
  // hides: the element or one around it, across shadow roots, is withheld.
  function hides(el) {
    if (!own.joined) return false;
    const chain = [];
    let answer = false;
    for (let e = el; e; e = e.parentElement || (e.parentNode && e.parentNode.host) || null) {
      const known = answers.get(e);
      if (known !== undefined) {
        answer = known;
        break;
      }
      chain.push(e);
      if (named(e)) {
        answer = true;
        break;
      }
    }
    for (const e of chain) answers.set(e, answer);
    return answer;
  }

  // Texts that are secret on this page whatever they look like. Replacing common
  // words everywhere would reveal more than it hides, so a control's value counts only
  // where it looks chosen, the same as LooksChosen in Go, snapshot/redact/secret.go; and a one-time code where
  // it is one by its looks, as looksCode there.
  const literals = new Set();
  // Those of them that the profile names: what follows in the session is cleaned of them in Go, where that is asked for.
  const profiled = new Set();
  // The literals as they are looked for, the longest first, or a part of it would hide the rest from the search.
  let order = [];
  const inWords = new Set(); // those that a field holds and that look chosen
  function learn(text, named, code) {
    const s = squash(text);
    if (s.startsWith('[redacted')) return;
    if (named && opt.allowSecrets && profiled.size < 400 && s.length <= 4096) profiled.add(s);
    if (named ? s.length >= 2 : chosen(s) || (code && looksCode(s))) {
      if (literals.size < 200) {
        for (const t of text !== s && text.trim().length <= 2000 ? [s, text.trim()] : [s]) {
          literals.add(t);
          if (!named && chosen(t)) inWords.add(t);
        }
        order = [];
      }
    }
  }
  const KINDS = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{Ll}\p{Lu}\p{Nd}]/u];
  const chosen = (s) =>
    [...s].length >= 6 && !CALLED.has(s.toLowerCase()) && KINDS.filter((k) => k.test(s)).length + mixed(s) >= 2;
  const mixed = (s) => /[A-Za-z]/.test(s) && /[^\P{L}A-Za-z]/u.test(s); // letters of English and others

  const looksCode = (s) => /^[A-Za-z\d]{4,12}$/.test(s) && /\d/.test(s) && !/^(19|20)\d\d$/.test(s);

  // seal takes the learnt texts out of one text: what a field holds and looks chosen anywhere, else as whole words.
  // No expression is made of them: its error would repeat the secret.
  const letter = /[\p{L}\p{N}]/u;
  const seal = (s) => put(s, (bare) => known(bare, 0));
  // known looks for them as they are and as addresses, forms, JSON and HTML spell them, also one in another, as
  // eachLayer does in Go, snapshot/redact/layers.go.
  function known(s, least) {
    const out = [],
      seen = new Set([s]),
      fresh = (l) => l && !seen.has(l.text) && seen.size < 16 && seen.add(l.text);
    let level = [{ text: s, at: null }];
    for (let depth = 0; level.length > 0; depth++) {
      for (const l of level) knownIn(l, out, least);
      level = depth < 3 ? level.flatMap((l) => UNDO.map((undo) => undone(l, undo))).filter(fresh) : [];
    }
    return out;
  }
  // sealParts takes the longer ones out of texts that follow each other, such as those of elements around one letter
  // each. The mark is in the first of them that has a part of it.
  function sealParts(parts) {
    const found = known(parts.join(''), 6).sort((a, b) => a[0] - b[0]);
    let start = 0,
      done = 0; // what is taken out, or kept, so far
    return parts.map((part) => {
      const end = start + part.length;
      let out = '';
      for (const [from, to, mark] of found) {
        if (to <= done || from >= end) continue;
        if (from >= done) out += part.slice(done - start, from - start) + mark;
        done = to;
      }
      if (done < end) out += part.slice(done - start);
      done = Math.max(done, end);
      start = end;
      return out;
    });
  }
  function knownIn({ text: s, at: from }, out, least) {
    for (const { t, word } of sorted()) {
      if (t.length < least) continue;
      for (let at = s.indexOf(t); at >= 0; at = s.indexOf(t, at + t.length)) {
        const end = at + t.length;
        if (word && at > 0 && letter.test(t[0]) && letter.test(s[at - 1])) continue;
        if (word && end < s.length && letter.test(t[t.length - 1]) && letter.test(s[end])) continue;
        out.push(from ? [from[at], from[end], '[redacted]'] : [at, end, '[redacted]']);
      }
    }
  }
  function sorted() {
    if (order.length !== literals.size)
      order = [...literals].sort((a, b) => b.length - a.length).map((t) => ({ t, word: !inWords.has(t) }));
    return order;
  }

  // profileTexts are the texts that the profile withholds, those of an element with several parts as one too.
  function profileTexts() {
    if (!opt.allowSecrets) return [];
    for (const selector of withheld)
      for (const el of [...document.querySelectorAll(selector)].slice(0, 200))
        if (el.childElementCount > 0 && el.textContent.length <= 400) profiled.add(squash(el.textContent));
    return [...profiled];
  }

  // mask looks for them, once the collection has begun.
  function mask() {
    for (const el of document.querySelectorAll('[contenteditable],[role=textbox],select,[style*="text-security"]'))
      if (maskedText(el)) masked.add(el);
      else if (el.localName === 'select' && el.name)
        for (const o of el.querySelectorAll('option')) if (choiceSecret(o, squash(o.textContent))) masked.add(o);
    own.joined = withheld.length + masked.size > 0;
  }

  const own = {
    clean: (s) => clean(s),
    whole: (s) => seal(clean(s)),
    seal,
    sealParts,
    learn,
    hides,
    mask,
    masks: (el) => masked.has(el),
    profileTexts,
    ...table,
    any: () => literals.size > 0,
    joined: withheld.length > 0,
  };
  return own;
}

// CALLED are what fields for passwords are called: a demo's default, and no secret that its label would tell.
const CALLED = new Set('password passwort kennwort wachtwoord contraseña parola пароль lösenord'.split(' '));

// UNDO are spellings of one character, and what they stand for.
const UNDO = [
  {
    spelled: /%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f]){1,3}|\+/gi,
    means: (m) => (m === '+' ? ' ' : decodeURIComponent(m)),
  },
  {
    spelled: /\\(?:ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|u[\da-f]{4}|["\\/bfnrt])/gi,
    means: (m) => JSON.parse('"' + m.replace(/^\\[UBFNRT]/, (c) => c.toLowerCase()) + '"'),
  },
  {
    spelled: /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/gi,
    means: (m) => {
      const number = /^&#(x?)(.*);$/i.exec(m);
      if (number) return String.fromCodePoint(parseInt(number[2], number[1] ? 16 : 10));
      return { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }[m.slice(1, -1).toLowerCase()];
    },
  },
];

// undone is a text, {text, at}, with one spelling undone, null where it has none. at is where each UTF-16 unit, and the
// end, came from in the first text; null for the first.
function undone({ text, at }, { spelled, means }) {
  const from = [];
  let out = '',
    done = 0;
  const add = (to, said) => {
    for (let k = done; k < to; k++) from.push(at ? at[k] : k);
    out += text.slice(done, to) + said;
    for (let k = 0; k < said.length; k++) from.push(at ? at[to] : to);
  };
  for (const m of text.matchAll(spelled)) {
    let said;
    try {
      said = means(m[0]);
    } catch {
      continue; // it spells nothing
    }
    add(m.index, said);
    done = m.index + m[0].length;
  }
  if (done === 0) return null;
  add(text.length, '');
  from.push(at ? at[text.length] : text.length);
  return { text: out, at: from };
}

// put is the text with marks in the places that find lists. What is a mark already is
// looked through and never changed, unless it holds a secret itself; the same as join
// and spare in Go, snapshot/redact.
const MARK = /\[redacted(?:: ([^[\]"\\<>\n…]{1,60}))?(?:\]|…)/g;
const REASONS =
  /^(withheld|password|token|card|key|field|profile|one-time code|code|typed|not looked at|no arguments)$/;
function put(s, find) {
  const stay = [],
    list = [];
  let bare = s;
  if (s.includes('[redacted')) {
    for (const m of s.matchAll(MARK)) {
      const to = m.index + m[0].length;
      bare = bare.slice(0, m.index) + '\0'.repeat(m[0].length) + bare.slice(to);
      if (m[1] && !REASONS.test(m[1]) && find(m[1]).length > 0) list.push([m.index, to, '[redacted]']);
      else stay.push([m.index, to]);
    }
  }
  list.push(...find(bare));
  if (list.length === 0) return s;
  list.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  let out = '',
    done = 0,
    k = 0;
  const mark = (from, to, text) => {
    if (to > from) {
      out += s.slice(done, from) + text;
      done = to;
    }
  };
  for (let n = 0; n < list.length; n++) {
    let [from, to, text] = list[n];
    while (n + 1 < list.length && list[n + 1][0] < to) to = Math.max(to, list[++n][1]);
    while (k > 0 && stay[k - 1][1] > from) k--;
    for (; k < stay.length && stay[k][0] < to; k++) {
      if (stay[k][1] <= from) continue;
      mark(from, stay[k][0], text);
      from = stay[k][1];
    }
    mark(from, to, text);
  }
  return out + s.slice(done);
}

// The redactor of the collection in progress.
let redactor = null;

const RANDOM_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,}/gi;

// nameWords are the words of a name, each between spaces; the same as nameWords in Go, snapshot/redact/names.go.
function nameWords(s) {
  if (s.length > 400) s = s.slice(0, 400);
  s = s
    .replace(RANDOM_ID, ' ')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(?=\d)/gu, '$1 ')
    .toLowerCase();
  return (' ' + s.replace(/[^\p{L}\p{Nd}]+/gu, ' ') + ' ').replace(/ {2,}/g, ' ');
}

// secretNames asks the table of names: {secretName, otherName, attribute}, the same as SecretName and DataSecret in Go.
function secretNames(table) {
  const after = new RegExp(table.after),
    first = new RegExp(table.first),
    other = new RegExp(table.other),
    plain = new RegExp(table.plain),
    rules = {},
    known = new Map();
  for (const place of Object.keys(table.rules))
    rules[place] = table.rules[place].map((r) => ({ kind: r.kind, re: new RegExp(r.pattern) }));
  function find(name, place) {
    if (name === '' || (name.length > 200 && place !== 'label')) return '';
    const words = nameWords(name);
    for (const r of rules[place]) {
      const m = r.re.exec(words);
      if (!m) continue;
      const end = m.index + m[0].length;
      if (place !== 'label' && (after.test(words.slice(end - 1)) || first.test(words))) continue;
      if (r.kind !== 'password' && r.kind !== 'card' && other.test(words)) continue;
      if (place === 'label' && /^(hints?|reminder|strength|policy|length) /.test(words.slice(end))) continue;
      return r.kind;
    }
    return '';
  }
  function secretName(name, place) {
    const key = place + ' ' + name;
    let kind = known.get(key);
    if (kind === undefined) {
      kind = find(name, place);
      if (known.size < 20000) known.set(key, kind);
    }
    return kind;
  }
  function attribute(name, value) {
    if (value.length < 3) return '';
    const kind = secretName(name.startsWith('data-') ? name.slice(5) : name, 'data');
    if (!kind || plain.test(value) || secretName(value, 'label')) return '';
    const digit = /\d/.test(value);
    if (kind === 'password') return kind;
    if (kind === 'one-time code' || kind === 'card') return digit ? kind : '';
    const cased = /[a-z]/.test(value) && /[A-Z]/.test(value) && value.length >= 12;
    return digit || cased || value.length >= 24 ? kind : '';
  }
  const labelSecret = (label) => secretName(label, 'label') || (/\s/.test(label) ? '' : secretName(label, 'field'));
  const choice = (name, value) =>
    value.length < 8 || !/\d/.test(value) || /\s/.test(value) ? '' : attribute(name, value);
  return { secretName, labelSecret, attribute, choice, otherName: (name) => other.test(nameWords(name)) };
}

// unescaped is the name of a parameter without its percent-encoding.
function unescaped(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const saidCode = (s) => /^[A-Za-z\d]{4,10}$/.test(s) && /\d/.test(s) && !/^(19|20)\d\d$/.test(s);

function saidSecret(kind, s) {
  if (!kind) return false;
  if ((kind === 'one-time code' || kind === 'card') && saidCode(s)) return true;
  return /\d/.test(s) && /[A-Za-z]/.test(s) && s.length >= 6 && !/[()[\]{}|<>]/.test(s);
}

function passes(s, check) {
  if (!check) return true;
  if (check === 'code') return saidCode(s.replace(/[- ]/g, ''));
  const digit = /\d/.test(s),
    small = /[a-z]/.test(s),
    capital = /[A-Z]/.test(s);
  if (check === 'password')
    return (small || capital) && (digit || /[!#$%^&*@+~]/.test(s)) && !/[()[\]{}|]/.test(s) && s[0] !== '@';
  return check === 'mixed' ? digit && (small || capital) : digit && small && capital;
}

// cardSpans are the card numbers in a run of digits with single separators; the same
// as cardSpans in Go, snapshot/redact/checks.go, which has the reasons.
function cardSpans(s, from, to) {
  const groups = [];
  for (const m of s.slice(from, to).replaceAll('%20', '   ').matchAll(/\d+/g))
    groups.push([from + m.index, from + m.index + m[0].length]);
  const out = [];
  for (let a = 0; a < groups.length; a++) {
    for (let b = Math.min(a + 4, groups.length - 1); b >= a; b--) {
      if (isCard(s, groups.slice(a, b + 1))) {
        out.push([groups[a][0], groups[b][1]]);
        a = b;
        break;
      }
    }
  }
  return out;
}

const CARD_GROUPS = {
  13: ['13', '4-3-3-3'],
  14: ['14', '4-6-4'],
  15: ['15', '4-6-5'],
  16: ['16', '4-4-4-4'],
  19: ['19', '4-4-4-4-3', '6-13'],
};

function isCard(s, groups) {
  let digits = '',
    form = '',
    separator = '';
  for (let i = 0; i < groups.length; i++) {
    const g = groups[i];
    if (i > 0) {
      const between = s.slice(groups[i - 1][1], g[0]);
      if (separator !== '' && between !== separator) return false;
      separator = between;
      form += '-';
    }
    digits += s.slice(g[0], g[1]);
    form += g[1] - g[0];
  }
  if (!(CARD_GROUPS[digits.length] || []).includes(form) || !inCardRange(digits) || !luhn(digits)) return false;
  if (form === '13' && articleNumber(digits)) return false;
  const from = groups[0][0],
    to = groups[groups.length - 1][1];
  if (from > 0 && /[A-Za-z\d+#/._,-]/.test(s[from - 1])) return false;
  if (to === s.length) return true;
  const next = s[to];
  if (/[A-Za-z\d_/]/.test(next)) return false;
  if (next === '.' || next === '-' || next === ',') return to + 1 === s.length || !/[A-Za-z\d]/.test(s[to + 1]);
  return true;
}

function inCardRange(d) {
  const two = +d.slice(0, 2),
    three = +d.slice(0, 3),
    four = +d.slice(0, 4);
  switch (d.length) {
    case 13:
      return d[0] === '4';
    case 14:
      return (three >= 300 && three <= 305) || two === 36 || two === 38 || two === 39;
    case 15:
      return two === 34 || two === 37;
    case 16:
      return (
        d[0] === '4' ||
        (two >= 51 && two <= 55) ||
        (four >= 2221 && four <= 2720) ||
        (four >= 2200 && four <= 2204) ||
        four === 6011 ||
        (three >= 644 && three <= 649) ||
        two === 65 ||
        (four >= 3528 && four <= 3589) ||
        two === 62
      );
    case 19:
      return two === 62;
  }
  return false;
}

function articleNumber(digits) {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += +digits[i] * (1 + 2 * (i % 2));
  return sum % 10 === 0;
}

function luhn(digits) {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    let d = +digits[digits.length - 1 - i];
    if (i % 2 === 1) d = d > 4 ? d * 2 - 9 : d * 2;
    sum += d;
  }
  return sum % 10 === 0;
}

// sealStrings takes the learnt texts out of the whole string table, once all are known.
function sealStrings({ list, fixed }, cleaned) {
  if (!redactor.any()) return;
  for (let k = 1; k < list.length; k++) {
    if (fixed.has(k)) continue;
    const t = redactor.seal(list[k]);
    if (t !== list[k]) {
      list[k] = t;
      cleaned.push(k);
    }
  }
}

// sealEvents does it to the texts of noted changes.
const sealEvents = (events) => events.map((e) => e.map((v) => (typeof v === 'string' ? redactor.whole(v) : v)));
