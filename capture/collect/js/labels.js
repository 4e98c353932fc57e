// Label search (S-8): what a person would take for a control's label where the
// specification finds no name. The origin of such a name records the search.

const HUNTED_ROLES = new Set('textbox searchbox combobox listbox checkbox radio switch slider spinbutton'.split(' '));

const HUNTED_LENGTH = 100; // characters, the seed's cut

// huntName is the seed's list in its order: label[for], aria, placeholder, text
// before it, the label around it, data-label. Of a radio or checkbox it is the text on its
// line, mostly after it (huntBeside).
function huntName(el, role) {
  if (!HUNTED_ROLES.has(role)) return NONE;
  // What is beside a widget of the page's own making is as often the next one, or its text.
  const native = NATIVE_FIELDS.has(el.localName);
  return (
    (native && huntLabelFor(el)) ||
    huntAria(el) ||
    huntPlaceholder(el) ||
    (native && (ticked(el) ? huntBeside(el) : huntBefore(el))) ||
    huntAround(el, native) ||
    huntData(el) ||
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

function huntAria(el) {
  return hunted(el.getAttribute('aria-description'), 'aria') || hunted(el.getAttribute('aria-roledescription'), 'aria');
}

function huntPlaceholder(el) {
  return hunted(el.getAttribute('placeholder') || el.getAttribute('data-placeholder'), 'placeholder');
}

// Text right before the control, in its parent, or in the table cell before.
function huntBefore(el) {
  for (let node = el.previousSibling, steps = 0; node && steps < 6; node = node.previousSibling, steps++) {
    if (node.nodeType === 3 && hasText(node.data)) return hunted(node.data, 'previous-sibling');
    if (node.nodeType !== 1 || node.localName === 'br' || SILENT_TAGS.has(node.localName)) continue;
    if (holdsControl(node) || isOthersLabel(node) || isPressed(node) || isProse(node)) break;
    const found = shownText(node, 'previous-sibling');
    if (found) return found;
    if (squash(node.textContent).length > HUNTED_LENGTH) break; // what is before so much is not about the field
  }
  const cell = el.closest('td');
  const before = cell && cell.previousElementSibling;
  return before &&
    cell.querySelectorAll(FIELDS).length === 1 &&
    !holdsControl(before) &&
    !isPressed(before)
    ? shownText(before, 'previous-cell')
    : null;
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
  if (typeof beside === 'string') return hunted(beside, first ? 'previous-text' : 'next-text');
  const cell = line.length === 1 ? el.closest('td, th') : null;
  if (!cell || cell.querySelectorAll(FIELDS).length !== 1) return null;
  const next = cell.nextElementSibling,
    last = cell.previousElementSibling;
  if (next) return holdsControl(next) || isPressed(next) ? null : shownText(next, 'next-cell');
  return last && !holdsControl(last) && !isPressed(last) ? shownText(last, 'previous-cell') : null;
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

const shownWords = (node, except) =>
  contentText(node, { visited: new Set(except ? [except] : []), inRef: true, inLabel: true, hiddenOk: false });

// The label around it. One that has a control of its own is that one's.
function huntAround(el, native) {
  const label = el.closest('label');
  if (!label || ((!native || ticked(el)) && label.control && label.control !== el)) return null;
  return native ? hunted(label.textContent, 'parent-label') : shownText(label, 'parent-label', el);
}

const huntData = (el) => hunted(el.getAttribute('data-label'), 'data-label');
