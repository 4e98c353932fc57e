// Returns, as JSON, what the sentinel reads of one document: counters and hashes that
// show whether it changed, the messages that it shows, what was noted since a time, and
// how often something can be seen. It runs in our world, changes nothing and returns no
// value of a field: hashes of them only, and texts without what password fields hold.
((ask) => {
  const own = globalThis.__refscope;
  if (!own) return JSON.stringify({ unknown: true });
  const LIMIT = 10,
    TEXT = 120;
  const squash = (s) => s.replace(/[\s\u200b]+/g, ' ').trim(),
    plain = (s) => squash(s).toLowerCase();
  const out = { at: performance.now(), mutations: own.flush(), url: location.href };
  let h = 0;
  const add = (s) => {
    for (let i = 0; i < s.length; i++) {
      h ^= s.charCodeAt(i);
      h = Math.imul(h, 0x01000193);
    }
    h ^= 0xff;
  };
  const hash = (list) => {
    h = 0x811c9dc5;
    for (const s of list) add(s);
    return h >>> 0;
  };

  // All trees of the document that are known, closed ones too; and where anything in them
  // is scrolled to.
  const roots = [document],
    scrolled = [Math.round(scrollX) + ' ' + Math.round(scrollY)];
  let rendered = 0; // a style sheet shows and hides without changing the document
  for (let k = 0; k < roots.length; k++) {
    for (const el of roots[k].querySelectorAll('*')) {
      const root = el.shadowRoot || (own.hosts && own.hosts.get(el));
      if (root) roots.push(root);
      if (el.checkVisibility({ visibilityProperty: true, opacityProperty: true })) rendered++;
      if (el.scrollTop !== 0 || el.scrollLeft !== 0)
        scrolled.push(Math.round(el.scrollTop) + ' ' + Math.round(el.scrollLeft));
    }
  }
  out.scroll = hash(scrolled);
  out.rendered = rendered;
  const all = function* (selector) {
    for (const root of roots) yield* root.querySelectorAll(selector);
  };
  const shown = (el) =>
    el.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true }) &&
    el.getClientRects().length > 0;

  const secrets = [];
  for (const el of all('input'))
    if ((el.type === 'password' || own.passwords.has(el)) && el.value.length > 3) secrets.push(el.value);
  const seal = (s) => {
    for (const x of secrets) s = s.replaceAll(x, '[redacted: password]');
    return s.length > TEXT ? s.slice(0, TEXT - 1).replace(/[\ud800-\udbff]$/, '') + '…' : s;
  };

  const value = (el) => {
    if (el.localName === 'select') return Array.from(el.selectedOptions, (o) => o.value).join('\n');
    if (el.localName === 'input' && /^(checkbox|radio)$/.test(el.type)) return el.value;
    if (el.localName === 'input' || el.localName === 'textarea') return el.value;
    if (el.localName === 'label' && el.control) return value(el.control);
    return (
      (!el.isContentEditable && (el.getAttribute('aria-valuetext') || el.getAttribute('aria-valuenow'))) ||
      (el.innerText ?? '')
    );
  };
  const STATES = ['aria-checked', 'aria-expanded', 'aria-selected', 'aria-pressed', 'aria-disabled', 'aria-current'];
  const state = (el) => {
    const s = STATES.map((name) => el.getAttribute(name) || '');
    s.push(
      String(!!el.checked),
      String(!!el.indeterminate),
      String(!!el.open),
      String(el.popover ? el.matches(':popover-open') : ''),
      String(el.localName === 'option' && el.selected),
      String(el.matches(':disabled')),
    );
    return s.join(' ');
  };
  out.values = hash(
    Array.from(all('input,textarea,select,[contenteditable]:not([contenteditable=false]),[aria-valuenow]'), value),
  );
  out.states = hash(
    Array.from(
      all('input,option,select,button,fieldset,details,dialog,[popover],' + STATES.map((s) => '[' + s + ']').join(',')),
      state,
    ),
  );
  let focus = document.activeElement;
  while (focus && focus.shadowRoot && focus.shadowRoot.activeElement) focus = focus.shadowRoot.activeElement;
  out.focus = focus ? own.ids.get(focus) || 0 : 0;
  let at = ask.pressed && focus && Array.from(all('*')).find((el) => own.ids.get(el) === ask.pressed);
  out.strayed = !!at;
  for (; at; at = at.assignedSlot || at.parentNode || at.host) if (at === focus) out.strayed = false;

  // A text counts once for each innermost element that shows it.
  const count = (s, wanted) => {
    let n = 0;
    for (let at = s.indexOf(wanted); at >= 0; at = s.indexOf(wanted, at + wanted.length)) n++;
    return n;
  };
  const says = (el, wanted) => {
    const first = wanted.split(' ')[0];
    if (!plain(el.textContent || '').includes(first) || !shown(el)) return 0;
    const here = count(plain(el.innerText || ''), wanted);
    if (here === 0) return 0;
    let inner = 0;
    for (const child of el.children) inner += says(child, wanted);
    return inner || here;
  };
  out.counts = ask.wanted.map((w) => {
    let n = 0;
    if (w.text) {
      const wanted = plain(w.text);
      for (const root of roots)
        for (const el of root === document ? [document.body] : root.children) if (el) n += says(el, wanted);
      for (const el of all('[aria-label],[alt],[placeholder],[title],input')) {
        const words = [
          el.getAttribute('aria-label'),
          el.getAttribute('alt'),
          el.getAttribute('placeholder'),
          el.getAttribute('title'),
          /^(submit|button|reset)$/.test(el.type) ? el.value : '',
        ];
        if (words.some((s) => s && plain(s).includes(wanted)) && shown(el)) n++;
      }
      return { seen: n };
    }
    let list = [];
    try {
      list = w.selector ? [...all(w.selector)] : Array.from(all('*')).filter((el) => own.ids.get(el) === w.uid);
    } catch {
      return { seen: 0, wrong: true };
    }
    const first = list[0];
    const c = { seen: list.filter(shown).length, there: list.length };
    if (first) {
      c.value = hash([value(first)]);
      c.state = hash([state(first)]);
      if (typeof w.value === 'string') {
        const is = value(first).replace(/\r\n?/g, '\n');
        c.holds =
          is === w.value.replace(/\r\n?/g, '\n') ||
          (first.localName === 'select' &&
            Array.from(first.selectedOptions).some((o) => plain(o.label) === plain(w.value)));
      }
    }
    return c;
  });

  // The page's messages now: alerts, and elements that are called an error or a success.
  const says2 = { error: [], success: [] },
    from = { error: [], success: [] };
  const SAYS =
    '[role=alert],[role=alertdialog],[role=status],[aria-live=assertive],[aria-live=polite],[class*=error i],[class*=invalid i],[class*=danger i],[class*=success i],[class*=toast i],[class*=alert i],[id*=error i]';
  let looked = 0;
  for (const el of all(SAYS)) {
    if (looked++ >= 500) break;
    if (/^(html|body|form|input|textarea|select|option)$/.test(el.localName) || !shown(el)) continue;
    const text = own.words(el),
      kind = text && own.severity(el, text);
    if (kind !== 'error' && kind !== 'success') continue;
    const around = from[kind].findIndex((other) => other.contains(el));
    if (around >= 0) {
      from[kind].splice(around, 1);
      says2[kind].splice(around, 1);
    } // the inner one has it
    from[kind].push(el);
    says2[kind].push(seal(text));
  }
  // Fields that the browser itself refused when the form was to be sent.
  const FAULTS = {
    valueMissing: 'is required',
    typeMismatch: 'is not of the kind that is asked for',
    patternMismatch: 'does not have the form that is asked for',
    tooShort: 'is too short',
    tooLong: 'is too long',
    rangeUnderflow: 'is too small',
    rangeOverflow: 'is too large',
    stepMismatch: 'is not an allowed step',
    badInput: 'cannot be read',
  };
  for (const el of all(':user-invalid')) {
    if (!el.validity || !shown(el)) continue;
    const name = squash(
      (el.labels && el.labels[0] && el.labels[0].innerText) ||
        el.getAttribute('aria-label') ||
        el.placeholder ||
        el.name ||
        el.localName,
    );
    const fault = Object.keys(FAULTS).find((f) => el.validity[f]);
    says2.error.push(seal(name.slice(0, 60) + ' ' + (fault ? FAULTS[fault] : el.validationMessage)));
  }
  out.errors = says2.error.slice(0, LIMIT);
  out.successes = says2.success.slice(0, LIMIT);
  out.notes = own.since(ask.since).map((n) => {
    n[4] = seal(n[4]);
    return n;
  });
  return JSON.stringify(out);
})(ASK)
