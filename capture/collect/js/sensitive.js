// Which controls hold secrets. The purpose of a field follows from its type, its
// autocomplete tokens, its names and labels, by being one box of a code, and by what
// it holds; a field that was a password field once stays one.

// Which names and labels are about secrets is one table, snapshot/redact/names.go; the collector gets it with its
// request, and secretName asks it as SecretName does there.

const secretName = (name, place) => (redactor ? redactor.secretName(name, place) : '');
const labelSecret = (label) => (redactor ? redactor.labelSecret(label) : '');
const otherName = (name) => redactor !== null && redactor.otherName(name);

// What was found out once in this collection.
let sensitiveKnown = null;

// sensitive is the reason why a control's value must stay in the page: password, one-time
// code, card, token, or profile where the site's profile withholds it; '' where it
// may leave.
function sensitive(el) {
  const tag = el.localName;
  if (tag !== 'input' && tag !== 'textarea' && tag !== 'select') {
    return redactor && redactor.hides(el) ? (redactor.masks(el) ? 'password' : 'profile') : '';
  }
  let kind = sensitiveKnown.get(el);
  if (kind === undefined) {
    kind = kindOfSecret(el, tag);
    sensitiveKnown.set(el, kind);
    if (redactor) {
      if (!kind && redactor.hides(el)) {
        kind = 'profile';
        sensitiveKnown.set(el, kind);
      }
      const value = el.getAttribute('value') || '';
      if (kind === 'profile' && /^(checkbox|radio)$/.test(el.type))
        redactor.learn(value, value.length >= 6); // nobody sees it: most are "on" or a number
      else if (kind && tag !== 'select')
        for (const v of [el.value, value, boxesOf(el)]) redactor.learn(v, kind === 'profile', kind === 'one-time code');
    }
  }
  return kind;
}

function kindOfSecret(el, tag) {
  const registry = globalThis.__refscope;
  const were = registry.passwords || (registry.passwords = new WeakSet());
  const type = tag === 'input' ? el.type : 'text';
  if (type === 'password') {
    were.add(el);
    return pinBox(el) ? 'one-time code' : 'password';
  }
  if (were.has(el)) return 'password';
  if (type === 'hidden')
    return secretName(el.name, 'hidden') || secretName(el.id, 'hidden') || (cardIn(el.value) ? 'card' : '');
  if (tag !== 'select' && !/^(text|tel|number|email|search|url)$/.test(type)) return '';
  if (dotted(el)) return 'password';
  const auto = (el.getAttribute('autocomplete') || '').toLowerCase();
  if (/\b(current|new)-password\b/.test(auto)) return 'password';
  if (/\bone-time-code\b/.test(auto)) return 'one-time code';
  if (/\bcc-(number|csc|exp|exp-month|exp-year)\b/.test(auto)) return 'card';
  if (cardIn(el.value)) return 'card';
  if (
    /\b(postal-code|country|tel|name|given-name|family-name|email|username|street-address|organization|bday)/.test(auto)
  )
    return '';
  const names = [el.name, el.id, el.getAttribute('data-fieldtype') || ''];
  for (const name of names) {
    const kind = secretName(name, 'field');
    if (kind) return kind;
  }
  const label = labelWords(el),
    other = otherName(names[0] + ' ' + names[1]);
  for (const said of [el.getAttribute('aria-label') || '', el.placeholder || '', label]) {
    const kind = labelSecret(said);
    if (kind && (kind === 'password' || kind === 'card' || !other)) return kind;
  }
  if (pinBox(el)) return 'one-time code';
  if (
    /^numeric$/.test(el.inputMode) &&
    el.maxLength >= 4 &&
    el.maxLength <= 8 &&
    / code /.test(nameWords(names.join(' ') + ' ' + label)) &&
    !otherName(names.join(' ') + ' ' + label)
  )
    return 'one-time code';
  // The frames of payment services hold one field each and name it in their title.
  if (window.parent !== window && /secure (card|payment|cvc|cvv|credit)/i.test(document.title)) return 'card';
  return '';
}

// dotted: what is typed is shown as dots.
const dotted = (el) => (getComputedStyle(el).webkitTextSecurity || 'none') !== 'none';

// maskedAround: what hides an element is that it, or one around it, is such a one; its words may
// be common ones.
function maskedAround(el) {
  for (let e = el; e; e = e.parentElement) if (redactor.masks(e)) return true;
  return false;
}

// maskedText: an element that is no control holds a secret as its text: it is editable and
// named so, or shown as dots.
function maskedText(el) {
  if (el.localName === 'select') return /^(password|one-time code)$/.test(kindOfSecret(el, 'select'));
  if (/^(input|textarea)$/.test(el.localName)) return false;
  if (dotted(el)) return true;
  if (!el.isContentEditable && el.getAttribute('role') !== 'textbox') return false;
  const by = (el.getAttribute('aria-labelledby') || '').split(/\s+/).map((id) => id && document.getElementById(id));
  const label = by.map((e) => ((e && e.textContent) || '').slice(0, 200)).join(' ');
  if (labelSecret(squash(label))) return true;
  for (const a of ['name', 'id']) if (secretName(el.getAttribute(a) || '', 'field')) return true;
  for (const a of ['aria-label', 'aria-placeholder', 'placeholder', 'data-placeholder', 'title'])
    if (labelSecret(el.getAttribute(a) || '')) return true;
  return false;
}

// labelWords are the visible words for a field: its labels and what names it.
function labelWords(el) {
  let text = '';
  for (const label of labelsOf(el)) text += ' ' + (label.textContent || '').slice(0, 200);
  for (const ref of labelledByElements(el)) text += ' ' + (ref.textContent || '').slice(0, 200);
  return squash(text).slice(0, 200);
}

// boxesOf is what the boxes for one character each hold together, '' for another field.
function boxesOf(el) {
  if (el.value.length !== 1 || !pinBox(el)) return '';
  let around = el.parentElement,
    boxes = [];
  for (let up = 0; around && up < 4 && boxes.length < 4; up++, around = around.parentElement) {
    boxes = Array.from(around.querySelectorAll('input')).filter((o) => o.value.length === 1 && pinBox(o));
  }
  return boxes.map((o) => o.value).join('');
}

// pinBox: one of four to ten boxes for one character each.
function pinBox(el) {
  if (el.maxLength !== 1 && !/\b(digit|character) \d\b|\bdigit\b.*\bof\b/i.test(el.getAttribute('aria-label') || ''))
    return false;
  let around = el.parentElement;
  for (let up = 0; around && up < 4; up++, around = around.parentElement) {
    let n = 0;
    for (const other of around.querySelectorAll('input')) {
      if ((other.maxLength === 1 || el.maxLength !== 1) && /^(text|tel|number|password)$/.test(other.type)) n++;
    }
    if (n > 10) return false;
    if (n >= 4) return true;
  }
  return false;
}

// cardIn: a value holds a card number.
const cardIn = (text) =>
  !!text &&
  text.length >= 13 &&
  text.length <= 400 &&
  [...text.matchAll(/\d(?:(?:[ \u00a0\u2009\u202f\u2011.+-]|%20)?\d){12,}/g)].some(
    (m) => cardSpans(text, m.index, m.index + m[0].length).length > 0,
  );

const metaSecret = (el) =>
  ['name', 'property', 'itemprop'].map((a) => secretName(el.getAttribute(a) || '', 'hidden')).find(Boolean) || '';

// choiceSecret: the value of what is chosen, not filled, is a secret by the control's name.
function choiceSecret(el, value) {
  const chosen = el.localName === 'button' || /^(checkbox|radio|button|submit|reset)$/.test(el.type || '');
  const list = el.localName === 'option' ? el.closest('select') : chosen ? el : null;
  return list && redactor ? redactor.choice(list.name, value) : '';
}

// Attributes that describe how an element is built, not its content.
const BUILD_ATTRIBUTE =
  /^(id|class|role|type|name|tabindex|for|form|method|lang|dir|hidden|disabled|readonly|required|checked|multiple|autocomplete|inputmode|maxlength|minlength|rows|cols|size|width|height|target|rel|part|slot|is|draggable|contenteditable|open|aria-(?!label$|description$|valuetext$|valuenow$|placeholder$|roledescription$).*)$/;

// Those of them whose values are words of HTML and numbers, which nothing that a page keeps secret changes.
const WORD_ATTRIBUTE =
  /^(role|type|tabindex|method|lang|dir|hidden|disabled|readonly|required|checked|multiple|autocomplete|inputmode|maxlength|minlength|rows|cols|size|width|height|target|rel|draggable|contenteditable|open|aria-(atomic|autocomplete|busy|checked|colcount|colindex|colspan|current|disabled|expanded|haspopup|hidden|invalid|level|live|modal|multiline|multiselectable|orientation|posinset|pressed|readonly|relevant|required|rowcount|rowindex|rowspan|selected|setsize|sort|valuemax|valuemin))$/;

// What of a tag, an attribute's name or such a value is a word or a small number.
const PLAIN_WORD = /^([a-z][a-z -]*|\d{1,4}%?)$/i;

// withheldAttribute is what replaces an attribute's value, '' where it may
// leave: the value of a secret field, whatever repeats that value on the same
// element, tokens in meta tags, and all content of what the profile withholds.
function withheldAttribute(el, name, value, secret) {
  if (value === '' || (!value.trim() && (name !== 'value' || secret === 'profile'))) return '';
  if (secret) {
    if (name === 'value') return '[redacted: ' + secret + ']';
    if (!BUILD_ATTRIBUTE.test(name) && !/^(placeholder|style|href|src)$/.test(name)) {
      for (const v of [el.value, el.getAttribute('value')])
        if (v && v.length >= 3 && value.includes(v)) return '[redacted: ' + secret + ']';
    }
    if (!BUILD_ATTRIBUTE.test(name) && (secret === 'profile' || (redactor.hides(el) && !maskedAround(el)))) {
      redactor.learn(value, value.length >= 6);
      return '[redacted: profile]';
    }
  } else if (name === 'content' && el.localName === 'meta') {
    const kind = metaSecret(el);
    if (kind && redactor) redactor.learn(value, false);
    return kind && '[redacted: ' + kind + ']';
  } else if (name === 'value') {
    const kind = choiceSecret(el, value);
    if (kind) {
      redactor.learn(value, false);
      return '[redacted: ' + kind + ']';
    }
  }
  const kind = redactor ? redactor.attribute(name, value) : '';
  return kind && '[redacted: ' + kind + ']';
}
