// Live form state and ARIA states. Which values must not leave: sensitive.js.

// valueOf is a control's live value, undefined where it has none.
function valueOf(el, role) {
  switch (el.localName) {
    case 'input':
      if (/^(checkbox|radio|button|submit|reset|image|hidden)$/.test(el.type)) return undefined;
      if (el.type === 'file') return Array.from(el.files || [], (f) => f.name).join(', ');
      return el.value;
    case 'textarea':
      return el.value;
    case 'select':
      return Array.from(el.selectedOptions, (o) => squash(o.label || o.textContent)).join(', ');
    case 'meter':
    case 'progress':
      return el.hasAttribute('value') ? String(el.value) : undefined;
    case 'output':
      return undefined;
  }
  if (el.hasAttribute('aria-valuetext')) return el.getAttribute('aria-valuetext');
  if (el.hasAttribute('aria-valuenow')) return el.getAttribute('aria-valuenow');
  if (role === 'textbox' || role === 'searchbox') return squash(el.innerText ?? el.textContent ?? '');
  if (role === 'combobox') return comboboxValue(el);
  return toldOf(el)?.value;
}

// comboboxValue is what a combobox of the page's own making shows while its list is closed:
// the field in it, else its text without the list; undefined where its text names it.
function comboboxValue(el) {
  const field = el.querySelector('input:not([type=hidden]), textarea');
  if (field) return field.value;
  if (el.querySelector('[role=listbox], [role=option], [role=tree], [role=grid], [role=dialog], ul, select') !== null)
    return undefined;
  const shown = exposedText(el) || squash(el.textContent || '');
  return shown.length <= 200 ? shown : undefined;
}

// exposedText is the text of an element without what is hidden from accessibility, such as the arrow of a combobox.
function exposedText(el) {
  const nodes = document.createTreeWalker(el, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (n) =>
    n.nodeType === Node.ELEMENT_NODE && hiddenForName(n) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  let s = '';
  while (nodes.nextNode()) if (nodes.currentNode.nodeType === Node.TEXT_NODE) s += nodes.currentNode.data;
  return squash(s);
}

const TRISTATE = { true: true, false: false, mixed: 'mixed' };

// statesOf are the states that hold, {} shared where there are none.
function statesOf(el, role, focused, inert) {
  let states = null;
  const set = (name, value) => {
    (states || (states = {}))[name] = value;
  };
  const tag = el.localName;
  const half = !/^(radio|switch|menuitemradio)$/.test(role); // these are never half checked (ARIA 1.2, aria-checked)
  if (tag === 'input' && (el.type === 'checkbox' || el.type === 'radio')) {
    set('checked', el.indeterminate && half ? 'mixed' : el.checked);
  } else if (
    el.hasAttribute('aria-checked') &&
    /^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|option|treeitem)$/.test(role)
  ) {
    const v = TRISTATE[el.getAttribute('aria-checked')];
    if (v !== undefined) set('checked', v === 'mixed' && !half ? false : v);
  }
  if (tag === 'option') {
    const list = el.closest('select');
    if (!list || !sensitive(list)) set('selected', el.selected);
  } else if (el.hasAttribute('aria-selected')) set('selected', el.getAttribute('aria-selected') === 'true');
  const pressed = TRISTATE[el.getAttribute('aria-pressed')];
  if (pressed !== undefined && role === 'button') set('pressed', pressed);
  if (tag === 'summary' && el.parentElement && el.parentElement.localName === 'details')
    set('expanded', el.parentElement.open);
  else if (tag === 'details') set('expanded', el.open);
  else if (el.hasAttribute('aria-expanded')) {
    const v = TRISTATE[el.getAttribute('aria-expanded')];
    if (v !== undefined) set('expanded', v);
  } else if (/^(button|input)$/.test(tag)) {
    const popover = popoverOf(el);
    if (popover) set('expanded', popover.matches(':popover-open'));
  } else if (tag === 'select' && isOpen(el)) set('expanded', true);
  if (/^(button|input|select|textarea|option|optgroup|fieldset)$/.test(tag) && el.matches(':disabled'))
    set('disabled', true);
  else if (el.getAttribute('aria-disabled') === 'true' || disabledByAria(el, role)) set('disabled', true);
  if (
    /^(input|textarea)$/.test(tag)
      ? el.readOnly && !/^(checkbox|radio|button|submit|reset|image|range|color|file|hidden)$/.test(el.type)
      : el.getAttribute('aria-readonly') === 'true'
  )
    set('readonly', true);
  if ((/^(input|select|textarea)$/.test(tag) && el.matches(':required')) || el.getAttribute('aria-required') === 'true')
    set('required', true);
  const invalid = el.getAttribute('aria-invalid');
  if (invalid && invalid !== 'false') set('invalid', invalid === 'grammar' || invalid === 'spelling' ? invalid : true);
  else if (invalid === null && /^(input|select|textarea)$/.test(tag) && invalidByBrowser(el, tag)) set('invalid', true);
  const level = +el.getAttribute('aria-level');
  if (Number.isInteger(level) && level >= 1) set('level', level);
  else if (/^h[1-6]$/.test(tag) && role === 'heading') set('level', +tag[1]);
  if (focused) set('focused', true);
  const current = el.getAttribute('aria-current');
  if (current && current !== 'false') set('current', /^(page|step|location|date|time)$/.test(current) ? current : true);
  const sort = /^(columnheader|rowheader)$/.test(role) && el.getAttribute('aria-sort');
  if (/^(ascending|descending|other)$/.test(sort)) set('sort', sort);
  if (el.getAttribute('aria-busy') === 'true') set('busy', true);
  const popup = el.getAttribute('aria-haspopup');
  if (/^(true|menu|listbox|tree|grid|dialog)$/.test(popup)) set('haspopup', popup === 'true' ? 'menu' : popup);
  if ((tag === 'select' && el.multiple) || el.getAttribute('aria-multiselectable') === 'true')
    set('multiselectable', true);
  if (tag === 'dialog' && el.open) set('open', true);
  if (el.getAttribute('aria-modal') === 'true' || modalDialog(el, tag)) set('modal', true);
  if ((inert && !modalDialog(el, tag)) || el.inert) set('inert', true);
  const told = toldOf(el)?.states || {};
  for (const name in told) if (!states || states[name] === undefined) set(name, told[name]);
  return states;
}

// invalidByBrowser is what browsers tell of a control's own constraints: a text that is missing is no error before
// anything is written.
function invalidByBrowser(el, tag) {
  if (!el.willValidate || el.validity.valid) return false;
  return tag === 'select' || /^(checkbox|radio)$/.test(el.type) || el.value !== '' || el.validity.badInput;
}

// isOpen reports whether the list of a select is shown.
function isOpen(el) {
  try {
    return el.matches(':open');
  } catch {
    return false; // an older Chrome
  }
}

// modalDialog reports whether the element is a dialog that leaves all outside it inert.
function modalDialog(el, tag) {
  return tag === 'dialog' && el.open && el.matches(':modal');
}

// popoverOf is the popover that a button shows or hides, null where it has none: browsers tell that it is expanded, as
// if the page did (HTML-AAM, popovertarget). A button in its own popover says nothing of it.
function popoverOf(el) {
  let popover = null;
  if (/^(show|hide|toggle)-popover$/.test(el.command || '')) popover = el.commandForElement;
  else if (!(el.form && /^(submit|image|reset)$/.test(el.type))) popover = el.popoverTargetElement;
  return popover && popover.hasAttribute('popover') && !popover.contains(el) ? popover : null;
}

// DISABLED are the roles that aria-disabled is for (ARIA 1.2).
const DISABLED = new RegExp(
  '^(application|button|checkbox|columnheader|combobox|grid|gridcell|group|link|listbox|menu|menubar|menuitem|' +
    'menuitemcheckbox|menuitemradio|option|radio|radiogroup|row|rowheader|scrollbar|searchbox|separator|slider|' +
    'spinbutton|switch|tab|tablist|textbox|toolbar|tree|treegrid|treeitem)$',
);

// disabledByAria reports whether the nearest aria-disabled around the element, through shadow roots, disables it.
function disabledByAria(el, role) {
  for (let at = DISABLED.test(role) ? el : null; at;) {
    const holder = at.closest('[aria-disabled]');
    const said = holder && holder.getAttribute('aria-disabled');
    if (said === 'true' || said === 'false') return said === 'true';
    at = holder ? holder.parentElement : at.getRootNode().host;
  }
  return false;
}
