// Makes a field ready for text: gives it the focus and, where clear is set, selects
// what is in it. A field that takes no text from a keyboard gets its value at once,
// through the prototype's own setter, so that what a framework put in its way on the
// element itself is passed by; then the events that a person's choice would cause.
// An element with an EditContext is drawn by its page, which alone knows what is selected: the answer has the keys that
// select all of it, or go to its end.
// What is typed then is noted when it comes to the page: state.landed.
(node, { value, clear }) => {
  const type = node.localName === 'input' ? node.type : '';
  const tell = (...names) => {
    for (const n of names) node.dispatchEvent(new Event(n, { bubbles: true, composed: n === 'input' }));
  };
  // What is inside editable content has the focus where that begins.
  let host = node;
  const editable = (el) => el && el.isContentEditable;
  const within = (el) => !!el && (editable(el) || within(el.parentNode || el.host));
  while (editable(node) && editable(host.parentElement)) host = host.parentElement;
  host.focus({ preventScroll: true });
  if (/^(date|datetime-local|month|time|week|color|range)$/.test(type)) {
    const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set,
      before = node.value;
    setter.call(node, value);
    const taken = node.value;
    const good =
      type === 'color'
        ? taken === value.toLowerCase()
        : type === 'range'
          ? !Number.isNaN(Number(value))
          : taken !== '' || value === '';
    if (!good) {
      setter.call(node, before);
      return { how: 'refused', type };
    }
    if (taken !== before) tell('input', 'change');
    // A slider takes the nearest of its steps; the page may put in another value.
    const kept = node.value === taken && (type !== 'range' || Number(taken) === Number(value));
    return { how: 'set', type, kept };
  }
  if (type === 'number' && value !== '' && Number.isNaN(Number(value))) return { how: 'refused', type };
  // A number that is half typed is seen, and is no value.
  const half = !!node.validity && node.validity.badInput;
  const context = node.editContext,
    mac = /^Mac/.test(navigator.platform);
  let keys = '';
  const empty = node.isContentEditable ? node.textContent === '' : (node.value || '') === '' && !half;
  if (context) {
    keys = clear ? (mac ? 'Meta+a' : 'Control+a') : mac ? 'Meta+ArrowDown' : 'Control+End';
  } else if (clear && !empty) {
    if (node.select && !node.isContentEditable) node.select();
    else {
      const range = document.createRange();
      range.selectNodeContents(node);
      const s = getSelection();
      s.removeAllRanges();
      s.addRange(range);
    }
  } else if (!clear || host !== node) {
    if (node.isContentEditable) {
      const s = getSelection();
      s.selectAllChildren(node);
      s.collapseToEnd();
      // Editors understand a caret where a key puts it, in the text, not behind their last line. Inside editable content
      // that key goes to the end of it all.
      if (!within(node.parentNode)) s.modify('move', 'forward', 'documentboundary');
    } else
      try {
        node.setSelectionRange(node.value.length, node.value.length);
      } catch {
        /* a type without a caret, such as email */
      }
  }
  const state = globalThis.__refscope;
  state.landing ??= () => {
    state.landed = true;
  };
  state.landed = false;
  (context || globalThis).addEventListener(context ? 'textupdate' : 'input', state.landing, {
    capture: true,
    once: true,
  });
  const active = node.getRootNode().activeElement;
  const rich = node.isContentEditable;
  return { how: active === host || node.contains(active) ? 'type' : 'unfocused', type, keys, rich };
}
