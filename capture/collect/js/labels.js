// Label search (S-8): what a person would take for a control's label where the
// specification finds no name. The origin of such a name records the search.

const HUNTED_ROLES = new Set('textbox searchbox combobox listbox checkbox radio switch slider spinbutton'.split(' '));

const HUNTED_LENGTH = 100; // characters, the seed's cut

// huntName is the seed's list in its order: label[for], aria, placeholder, text
// before it, the label around it, data-label.
function huntName(el, role) {
  if (!HUNTED_ROLES.has(role)) return NONE;
  // What is beside a widget of the page's own making is as often the next one, or its text.
  const native = NATIVE_FIELDS.has(el.localName);
  return (
    (native && huntLabelFor(el)) ||
    huntAria(el) ||
    huntPlaceholder(el) ||
    (native && huntBefore(el)) ||
    huntAround(el, native) ||
    huntData(el) ||
    NONE
  );
}

const NATIVE_FIELDS = new Set(['input', 'select', 'textarea']);

function hunted(text, from) {
  const clean = squash(text || '');
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
    if (holdsControl(node) || isOthersLabel(node) || isPressed(node)) break;
    const found = shownText(node, 'previous-sibling');
    if (found) return found;
    if (squash(node.textContent).length > HUNTED_LENGTH) break; // what is before so much is not about the field
  }
  const cell = el.closest('td');
  const before = cell && cell.previousElementSibling;
  return before &&
    cell.querySelectorAll('input:not([type=hidden]), select, textarea').length === 1 &&
    !holdsControl(before) &&
    !isPressed(before)
    ? shownText(before, 'previous-cell')
    : null;
}

// isOthersLabel: it names another control.
const isOthersLabel = (node) => node.localName === 'label' && node.control !== null;

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
  if (hiddenForName(node)) return null;
  return hunted(
    contentText(node, { visited: new Set(except ? [except] : []), inRef: true, inLabel: true, hiddenOk: false }),
    from,
  );
}

// The label around it. One that has a control of its own is that one's.
function huntAround(el, native) {
  const label = el.closest('label');
  if (!label || (!native && label.control)) return null;
  return native ? hunted(label.textContent, 'parent-label') : shownText(label, 'parent-label', el);
}

const huntData = (el) => hunted(el.getAttribute('data-label'), 'data-label');
