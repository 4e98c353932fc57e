// What changes when the page does: the mutation counter, its address, scroll of the page and of containers, focus, and
// a hash of the form state, which changes without a mutation, in open shadow trees too. Only the hash leaves the page.
// What moves on its own has no two equal states: then the time is included.
(() => {
  let h = 0x811c9dc5;
  const add = (s) => {
    for (let i = 0; i < s.length; i++) {
      h ^= s.charCodeAt(i);
      h = Math.imul(h, 0x01000193);
    }
    h ^= 0xff;
  };
  const fields = 'input, textarea, select, option, details';
  const all = (root) => {
    for (const el of root.querySelectorAll(fields)) {
      add(el.localName === 'input' || el.localName === 'textarea' ? el.value || '' : '');
      add(String(!!el.checked) + !!el.indeterminate + !!el.selected + !!el.open + (el.validationMessage || ''));
    }
    const elements = root.querySelectorAll('*');
    if (elements.length > 20000) return;
    for (const el of elements) {
      if (el.scrollTop || el.scrollLeft) add(el.scrollTop + ' ' + el.scrollLeft);
      if (el.shadowRoot) all(el.shadowRoot);
    }
  };
  all(document);
  add(location.href);
  // The body has the focus where nothing has; it gets its number when the page is read for the first time.
  const active = document.activeElement === document.body ? null : document.activeElement;
  const focus = active ? globalThis.__refscope.ids.get(active) || 0 : 0;
  const moving = document.getAnimations().some((a) => a.playState === 'running');
  return [
    globalThis.__refscope.flush(),
    scrollX,
    scrollY,
    innerWidth,
    innerHeight,
    focus,
    h >>> 0,
    moving ? performance.now() : 0,
  ].join(' ');
})()
