// Compares what a field holds after a text was put in with what it would hold, so that no value leaves the page.
// With note, what it holds before is noted: the text then goes over all of it, to its end, or to its caret, where
// it has one. Later, with the text: {kept}, and the lengths; {later} where its page may still have to draw it.
(node, { note, over, end, text }) => {
  const context = node.editContext, // which may hold no more than the lines around its caret
    rich = node.isContentEditable || !!context,
    state = globalThis.__refscope;
  const field =
    rich ||
    node.localName === 'textarea' ||
    (node.localName === 'input' && !/^(button|submit|reset|image|checkbox|radio|file)$/.test(node.type));
  // Of rich text, what a person can edit: an editor's hint in an empty field, or a chip, is not.
  const written = () => {
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    let s = '';
    while (texts.nextNode()) if (texts.currentNode.parentElement.isContentEditable) s += texts.currentNode.data;
    return s;
  };
  const value = context ? context.text : rich ? node.innerText : String(node.value);
  // An editor draws what is written in it in or around the element with its context, which may hold anything beside it.
  const drawn = () => {
    let at = node;
    while (at.parentElement && !at.innerText?.trim()) at = at.parentElement;
    return at.innerText || '';
  };
  const plain = (s) => (rich ? s.replace(/[\s\u200b\u2060]+/g, '') : s), // its lines are elements
    shown = context ? plain(drawn()) : '';
  if (note) {
    let from = value.length,
      to = from;
    if (over) from = 0;
    else if (!end && typeof node.selectionStart === 'number') [from, to] = [node.selectionStart, node.selectionEnd];
    const anywhere = rich && !over && (!end || !!context);
    state.holding = field
      ? {
          node: new WeakRef(node),
          before: value.slice(0, from),
          after: value.slice(to),
          written: over ? '' : written(),
          anywhere,
          was: value,
          shown,
        }
      : null;
    return true;
  }
  const held = state.holding;
  if (!held || held.node.deref() !== node) return { kept: true };
  let put = text.replace(/\r\n?/g, '\n');
  if (node.localName === 'input') put = put.replace(/\n/g, ''); // Enter writes nothing there
  const want = held.before + put + held.after;
  const kept =
    plain(value) === plain(want) ||
    (rich && !context && plain(written()) === plain(held.written + put)) ||
    (held.anywhere && plain(value).includes(plain(put))) ||
    (!!context && plain(want).includes(plain(value)) && (value === '' ? put.endsWith('\n') : value !== held.was)) ||
    (!!context && plain(put) !== '' && shown !== held.shown && shown.includes(plain(put))) ||
    (node.type === 'range' && value !== '' && Number(value) === Number(want)); // a number in any spelling
  if (kept || !context) state.holding = null; // what a context has is drawn later, and asked again
  return {
    kept,
    later: !kept && !!context,
    length: value.length,
    asked: want.length,
    invalid: value === '' && !!node.validity && node.validity.badInput,
    left: !node.matches(':focus-within') && !(rich && node.closest(':focus')),
  };
}
