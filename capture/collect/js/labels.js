// Label search (S-8): what a person would take for a control's label where the
// specification finds no name. The origin of such a name records the search.

const HUNTED_ROLES = new Set('textbox searchbox combobox listbox checkbox radio switch slider spinbutton'.split(' '));

const HUNTED_LENGTH = 100; // characters, the seed's cut

// huntName is the seed's list in its order: label[for], aria, placeholder, text
// before it, the label around it, data-label; then a list's own first entry. Of a radio or checkbox it is the text on
// its line, mostly after it (huntBeside).
function huntName(el, role) {
  if (!HUNTED_ROLES.has(role)) return NONE;
  // What is withheld is shorter than what it stands for: it names nothing that the whole text would not.
  return redactor.joined && asUnhidden(() => hunt(el)) === NONE ? NONE : hunt(el);
}

function hunt(el) {
  // What is beside a widget of the page's own making is as often the next one, or its text.
  const native = NATIVE_FIELDS.has(el.localName);
  return (
    (native && (huntLabelFor(el) || huntLabelNamed(el))) ||
    huntAria(el) ||
    huntPlaceholder(el) ||
    (native && (ticked(el) ? huntBeside(el) : huntBefore(el))) ||
    huntAround(el, native) ||
    huntData(el) ||
    huntFirstOption(el) ||
    NONE
  );
}

const NATIVE_FIELDS = new Set(['input', 'select', 'textarea']);

function hunted(text, from) {
  const clean = squash((text || '').replace(/\u00a0/g, ' '));
  return clean && clean.length <= HUNTED_LENGTH && /[\p{L}\p{N}]/u.test(clean)
    ? { text: clean, from: 'hunted:' + from }
    : null;
}

// The specification leaves a hidden label out; it still describes the control.
function huntLabelFor(el) {
  if (!el.id) return null;
  const root = el.getRootNode();
  const label = root.querySelector ? root.querySelector(`label[for="${CSS.escape(el.id)}"]`) : null;
  return label && hunted(label.textContent, 'label-for');
}

// huntLabelNamed is a label of the same form whose for is no element's id, but the control's name, or the end of its
// name or id, as servers that put their own words before both write it.
function huntLabelNamed(el) {
  const own = [el.id, el.getAttribute('name')].filter(Boolean);
  const root = el.getRootNode();
  if (own.length === 0 || !root.querySelectorAll) return null;
  const ends = (id, word) =>
    id === word || (id.endsWith(word) && !/[\p{L}\p{N}]/u.test(id.charAt(id.length - word.length - 1)));
  let found = null;
  for (const label of root.querySelectorAll('label[for]')) {
    const to = label.htmlFor;
    if (to.length < 2 || label.control || label.closest('form') !== el.form || !own.some((id) => ends(id, to))) continue;
    found = shownText(label, 'label-for', el) || found;
    if (label.compareDocumentPosition(el) & 4) continue; // the last one before it
    break;
  }
  return found;
}

function huntAria(el) {
  return hunted(el.getAttribute('aria-description'), 'aria') || hunted(el.getAttribute('aria-roledescription'), 'aria');
}

function huntPlaceholder(el) {
  return hunted(el.getAttribute('placeholder') || el.getAttribute('data-placeholder'), 'placeholder');
}

// Text right before the control, in its parent, or in the table cell before; or on its own before the box that holds
// the control alone.
function huntBefore(el) {
  const before = textBefore(el);
  if (before !== undefined) return before;
  const cell = el.closest('td');
  if (!cell) return huntAbove(el);
  const fields = [...cell.querySelectorAll(FIELDS)];
  if (fields[0] !== el || !fields.slice(1).every(ticked)) return null;
  let label = cell.previousElementSibling;
  while (label && !/[\p{L}\p{N}]/u.test(label.textContent)) label = label.previousElementSibling; // a star
  return label && !holdsControl(label) && !isPressed(label) ? hunted(firstLine(label), 'previous-cell') : null;
}

// textBefore is the text before a node in its parent: null where something else ends the search, undefined where nothing
// is there.
function textBefore(from) {
  for (let node = from.previousSibling, steps = 0; node; node = node.previousSibling, steps++) {
    if (steps === 6) return null;
    if (node.nodeType === 3 && hasText(node.data))
      return isTickedsText(node) ? null : hunted(node.data, 'previous-sibling');
    if (node.nodeType !== 1 || node.localName === 'br' || SILENT_TAGS.has(node.localName)) continue;
    if (holdsControl(node) || isOthersLabel(node) || isPressed(node) || isProse(node)) return null;
    const found = shownText(node, 'previous-sibling');
    if (found) return isTickedsText(node) ? null : found;
    if (squash(node.textContent).length > HUNTED_LENGTH) return null; // what is before so much is not about the field
  }
  return undefined;
}

// isTickedsText reports whether a text is beside a radio or checkbox, and so says what that is.
function isTickedsText(node) {
  let before = node.previousSibling;
  while (before && before.nodeType !== 1 && !hasText(before.data || '')) before = before.previousSibling;
  return Boolean(before && before.nodeType === 1 && ticked(before));
}

const ABOVE_LENGTH = 40; // characters
const ABOVE_GAP = 24; // px

// huntAbove is a few words right above or beside a box that holds the control alone.
function huntAbove(el) {
  for (let box = el.parentElement, steps = 0; box && steps < 3; box = box.parentElement, steps++) {
    if (box.matches('form, fieldset, body, main, section, td, th, li') || box.querySelectorAll(FIELDS).length > 1)
      return null;
    const found = textBefore(box);
    if (found === undefined) continue;
    if (!found || found.text.length > ABOVE_LENGTH) return null;
    let label = box.previousSibling;
    while (label.nodeType !== 1 ? !hasText(label.data || '') : !shownText(label, '')) label = label.previousSibling;
    const range = document.createRange();
    range.selectNode(label);
    const a = range.getBoundingClientRect(),
      b = el.getBoundingClientRect();
    const near =
      a.bottom <= b.top + 1
        ? b.top - a.bottom <= ABOVE_GAP && a.left < b.right && b.left < a.right
        : a.top < b.bottom && b.top < a.bottom;
    return near ? { text: found.text, from: 'hunted:above' } : null;
  }
  return null;
}

// firstLine is what an element shows on its first line: a hint below it is no part of a name.
function firstLine(node) {
  const walk = document.createTreeWalker(node, 4);
  const range = document.createRange();
  let line = null,
    text = '';
  while (walk.nextNode()) {
    if (!hasText(walk.currentNode.data)) continue;
    range.selectNodeContents(walk.currentNode);
    const r = [...range.getClientRects()].find((rect) => rect.width >= 1);
    if (!r) continue;
    if (line && r.top >= line.bottom - 1) return text;
    line = line || r;
    text += walk.currentNode.data;
  }
  return shownWords(node);
}

const ticked = (el) => el.localName === 'input' && (el.type === 'radio' || el.type === 'checkbox');

// huntBeside is the text on the line of a radio or checkbox: what follows it, up to the next
// control or the end of the line. What is before it counts only where the line shows that labels
// come first: it begins with a text and ends with a control. Then the table cell beside.
function huntBeside(el) {
  const line = lineOf(el);
  const at = line.indexOf(el);
  const first = typeof line[0] === 'string' && typeof line[line.length - 1] !== 'string';
  const beside = line[first ? at - 1 : at + 1];
  if (typeof beside === 'string') return hunted(shortened(beside), first ? 'previous-text' : 'next-text');
  const cell = line.length === 1 ? el.closest('td, th') : null;
  if (!cell || cell.querySelectorAll(FIELDS).length !== 1) return null;
  const next = cell.nextElementSibling,
    last = cell.previousElementSibling;
  if (next) return holdsControl(next) || isPressed(next) ? null : shownText(next, 'next-cell');
  return last && !holdsControl(last) && !isPressed(last) ? shownText(last, 'previous-cell') : null;
}

// shortened is a text that certainly belongs to its control, cut behind a word.
function shortened(text) {
  if (text.length <= HUNTED_LENGTH) return text;
  const cut = text.slice(0, HUNTED_LENGTH - 1);
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), HUNTED_LENGTH / 2)).trimEnd() + '…';
}

const FIELDS = 'input:not([type=hidden]), select, textarea';

// lineOf is the line around a control as texts and controls, in the order of the page. It ends at
// blocks, line breaks and labels of others. Where an inline element holds the control alone, its line is that
// of this element.
function lineOf(el) {
  let own = el;
  while (
    own.parentElement &&
    inlineForName(own.parentElement) &&
    !hasText(own.parentElement.textContent) &&
    own.parentElement.querySelectorAll(CONTROLS).length === 1
  )
    own = own.parentElement;
  const line = [el];
  gather(own, 'previousSibling', line);
  gather(own, 'nextSibling', line);
  return line;
}

function gather(from, way, line) {
  const back = way === 'previousSibling';
  const put = (item) => (back ? line.unshift(item) : line.push(item));
  let text = '';
  const close = () => {
    if (hasText(text)) put(squash(text));
    text = '';
  };
  for (let node = from[way], steps = 0; node && steps < 40; node = node[way], steps++) {
    let more = '';
    if (node.nodeType === 3) more = node.data;
    else if (node.nodeType !== 1 || SILENT_TAGS.has(node.localName) || hiddenForName(node)) continue;
    else if (node.localName === 'br' || isOthersLabel(node)) break;
    else if (holdsControl(node)) {
      if (!inlineForName(node) && !node.matches(CONTROLS)) break;
      close();
      put(node);
      continue;
    } else if (!inlineForName(node)) {
      // A block that is the only text beside a control is its line's other half, as in flex boxes.
      if (!besideEachOther(from, node)) break;
      more = ' ' + shownWords(node) + ' ';
    } else more = shownWords(node);
    text = back ? more + text : text + more;
  }
  close();
}

// besideEachOther reports whether two elements lie on one line, side by side.
function besideEachOther(a, b) {
  const p = a.getBoundingClientRect(),
    q = b.getBoundingClientRect();
  const middle = (p.top + p.bottom) / 2;
  return q.width > 0 && q.top <= middle && middle <= q.bottom && (q.left >= p.right - 1 || q.right <= p.left + 1);
}

// isOthersLabel: it names another control.
const isOthersLabel = (node) => node.localName === 'label' && node.control !== null;

// isProse reports whether an element is a heading, which speaks of all that follows, or a paragraph of
// more than one line.
function isProse(node) {
  if (/^h[1-6]$/.test(node.localName) || node.querySelector('h1, h2, h3, h4, h5, h6')) return true;
  const range = document.createRange();
  range.selectNodeContents(node);
  let top = 1e9,
    bottom = -1e9,
    line = 0;
  for (const r of range.getClientRects()) {
    if (r.width < 1) continue;
    top = Math.min(top, r.top);
    bottom = Math.max(bottom, r.bottom);
    line = Math.max(line, r.height);
  }
  return bottom - top > 1.8 * line;
}

// isPressed reports whether the element is a link or the like, or shows only one: its words say what it does itself.
const PRESSED = 'a[href], summary, [role=link], [role=button], [role=tab], [role=menuitem]';
function isPressed(node) {
  if (node.matches(PRESSED)) return true;
  const inner = node.querySelector(PRESSED);
  return inner !== null && squash(inner.textContent) === squash(node.textContent);
}

const CONTROLS =
  'input:not([type=hidden]), select, textarea, button, meter, progress, [role=combobox], [role=textbox], [role=searchbox], [role=slider], [role=spinbutton], [role=listbox]';
const holdsControl = (node) => node.matches(CONTROLS) || node.querySelector(CONTROLS) !== null;

function shownText(node, from, except) {
  return hiddenForName(node) ? null : hunted(shownWords(node, except), from);
}

function shownWords(node, except) {
  const ctx = { visited: new Set(except ? [except] : []), inRef: true, inLabel: true, hiddenOk: false };
  return withheldInName(node, contentText(node, ctx));
}

// The label around it, without the words of buttons and links in it. One that has a control of its own is that one's,
// where that is a field.
function huntAround(el, native) {
  const label = el.closest('label');
  if (!label || ((!native || ticked(el)) && label.control && label.control !== el)) return null;
  if (!native) return shownText(label, 'parent-label', el);
  const words = label.cloneNode(true);
  for (const own of words.querySelectorAll(`${CONTROLS}, ${PRESSED}, script, style, template`)) own.remove();
  return hunted(words.textContent, 'parent-label');
}

// huntFirstOption is the first entry of a list that stands for no choice: it says what is chosen.
function huntFirstOption(el) {
  const option = el.localName === 'select' && !el.multiple && el.size <= 1 ? el.options[0] : null;
  return option && option.value === '' && el.options.length > 1 ? hunted(option.textContent, 'first-option') : null;
}

const huntData = (el) => hunted(el.getAttribute('data-label'), 'data-label');
