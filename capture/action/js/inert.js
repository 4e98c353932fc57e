// Says what makes the element inert, so that it gets no click, key or focus: the attribute of an element around it
// (through shadow roots), the CSS property, or a modal dialog that it is not in. An open modal dialog is free of what
// makes the elements around it inert (HTML, 6.3). null where nothing does. js/describe.js stands around it.
(node, { words }) => {
  const has = (el, name) => el instanceof HTMLElement && Element.prototype.hasAttribute.call(el, name);
  const modal = (el) => el.localName === 'dialog' && el.matches(':modal');
  const around = [];
  for (let el = node; el; el = el.assignedSlot || el.parentElement || el.getRootNode().host || null) around.push(el);
  const mine = around.findIndex(modal);
  const by = (how, el) => ({ how, self: el === node, by: describe(el, node, words) });
  const within = mine < 0 ? around : around.slice(0, mine + 1);
  const holder = within.find((el) => has(el, 'inert'));
  if (holder) return by('attribute', holder);
  const stilled = (el) => getComputedStyle(el).interactivity === 'inert';
  if (stilled(node)) {
    const from = around.findIndex((el) => !stilled(el));
    return by('property', around[(from < 0 ? around.length : from) - 1]);
  }
  // Those in the light, and in the shadow trees around the focus, which a dialog takes when it opens.
  const found = new Set();
  for (let root = document; root; root = root.activeElement && root.activeElement.shadowRoot)
    for (const d of root.querySelectorAll('dialog[open]')) if (modal(d)) found.add(d);
  const others = [...found].filter((d) => !around.includes(d));
  if (others.length === 0) return null;
  // The last one that was opened leaves all others inert, and no place of those is hit.
  const lives = (d) => {
    const r = d.getBoundingClientRect();
    return d
      .getRootNode()
      .elementsFromPoint(r.x + r.width / 2, r.y + r.height / 2)
      .includes(d);
  };
  if (mine >= 0 && lives(around[mine])) return null;
  const top = others.find(lives) || (mine < 0 && others[others.length - 1]);
  return top ? by('modal', top) : null;
}
