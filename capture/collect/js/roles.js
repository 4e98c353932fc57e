// Roles of elements, as html-aam maps them where there is no valid role attribute.
// https://www.w3.org/TR/html-aam-1.0/#html-element-role-mappings

const KNOWN_ROLES = new Set(
  (
    'alert alertdialog application article banner blockquote button caption cell checkbox code ' +
    'columnheader combobox comment complementary contentinfo definition deletion dialog directory document emphasis feed figure ' +
    'form generic grid gridcell group heading image img insertion link list listbox listitem log main mark marquee math menu ' +
    'menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar ' +
    'radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong ' +
    'subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid ' +
    'treeitem sectionheader sectionfooter graphics-document graphics-object graphics-symbol'
  ).split(' '),
);

// Roles by which an element can be operated (D-5, with the roles that a person
// operates the same way).
const WIDGET_ROLES = new Set(
  (
    'button link tab menuitem menuitemcheckbox menuitemradio option checkbox radio switch combobox ' +
    'textbox searchbox slider spinbutton treeitem'
  ).split(' '),
);

// Roles whose name may come from their content (accname 1.2, 2F.i).
const CONTENT_NAMED = new Set(
  (
    'button cell checkbox columnheader comment gridcell heading link menuitem menuitemcheckbox ' +
    'menuitemradio option radio row rowheader sectionheader switch tab tooltip treeitem'
  ).split(' '),
);

// Roles that must not be named by their author (ARIA 1.2, 5.2.8.6).
const NAME_PROHIBITED = new Set(
  (
    'caption code deletion emphasis insertion mark none paragraph presentation strong ' +
    'subscript suggestion superscript term time'
  ).split(' '),
);

const GLOBAL_ARIA = [
  'aria-atomic',
  'aria-busy',
  'aria-controls',
  'aria-current',
  'aria-describedby',
  'aria-description',
  'aria-details',
  'aria-dropeffect',
  'aria-flowto',
  'aria-grabbed',
  'aria-keyshortcuts',
  'aria-label',
  'aria-labelledby',
  'aria-live',
  'aria-owns',
  'aria-relevant',
  'aria-roledescription',
  'aria-braillelabel',
  'aria-brailleroledescription',
];

const SIMPLE_ROLES = {
  article: 'article',
  blockquote: 'blockquote',
  button: 'button',
  caption: 'caption',
  code: 'code',
  datalist: 'listbox',
  dir: 'list',
  dd: 'definition',
  del: 'deletion',
  details: 'group',
  dfn: 'term',
  dialog: 'dialog',
  dt: 'term',
  em: 'emphasis',
  fieldset: 'group',
  figure: 'figure',
  form: 'form',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  hgroup: 'group',
  hr: 'separator',
  html: 'document',
  ins: 'insertion',
  main: 'main',
  mark: 'mark',
  math: 'math',
  menu: 'list',
  meter: 'meter',
  nav: 'navigation',
  ol: 'list',
  optgroup: 'group',
  option: 'option',
  output: 'status',
  p: 'paragraph',
  progress: 'progressbar',
  s: 'deletion',
  search: 'search',
  strong: 'strong',
  sub: 'subscript',
  sup: 'superscript',
  table: 'table',
  tbody: 'rowgroup',
  textarea: 'textbox',
  tfoot: 'rowgroup',
  thead: 'rowgroup',
  time: 'time',
  ul: 'list',
  iframe: 'iframe',
  frame: 'iframe',
  address: 'group',
};

const INPUT_ROLES = {
  button: 'button',
  checkbox: 'checkbox',
  image: 'button',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  submit: 'button',
  email: 'textbox',
  tel: 'textbox',
  text: 'textbox',
  url: 'textbox',
  search: 'searchbox',
  password: 'textbox',
  color: 'ColorWell',
  date: 'Date',
  'datetime-local': 'DateTime',
  month: 'Date',
  week: 'Date',
  time: 'InputTime',
  file: 'button',
};

// Sectioning content and roots: a header or footer inside one is not a landmark.
const SECTIONING =
  'article, aside, main, nav, section, [role=article], [role=complementary], [role=main], [role=navigation], [role=region]';

const focusable = (el) => el.tabIndex >= 0 || el.hasAttribute('tabindex');

// explicitRole is the first token of the role attribute that counts: none and
// presentation do not where the element is focusable or has a global aria
// attribute (ARIA 1.2, 8.3 conflict resolution).
function explicitRole(el) {
  const attr = el.getAttribute('role');
  if (!attr) return '';
  for (const token of attr.toLowerCase().split(/\s+/)) {
    if (!KNOWN_ROLES.has(token)) continue;
    if (token === 'none' || token === 'presentation') {
      if (focusable(el) || GLOBAL_ARIA.some((a) => el.hasAttribute(a))) return '';
      return 'none';
    }
    if (token === 'image') return 'img';
    // A region or form landmark needs a name to be one.
    if ((token === 'form' || token === 'region') && !authorNamed(el)) continue;
    return token;
  }
  return '';
}

function authorNamed(el) {
  return (
    !!(el.getAttribute('aria-label') || '').trim() ||
    labelledByElements(el).length > 0 ||
    !!(el.getAttribute('title') || '').trim()
  );
}

const SVG_SHAPES = new Set('circle ellipse line path polygon polyline rect'.split(' '));

// svgRole maps graphics elements that somebody named (svg-aam 1.0); the others only draw.
function svgRole(el, tag) {
  if (tag === 'svg') return 'img';
  if (tag === 'a') return el.hasAttribute('href') || el.hasAttribute('xlink:href') ? 'link' : 'generic';
  if (tag === 'image') return 'img';
  if (!SVG_SHAPES.has(tag) && tag !== 'g' && tag !== 'use') return 'generic';
  if (!drawingNamed(el)) return 'generic';
  return tag === 'g' ? 'group' : tag === 'use' ? 'graphics-object' : 'graphics-symbol';
}

// drawingNamed is whether a drawing, or a part of one, has a name of its own.
const drawingNamed = (el) =>
  (el.firstElementChild !== null && Array.from(el.children).some((c) => c.localName === 'title')) ||
  (el.getAttribute('aria-label') || '').trim() !== '' ||
  labelledByElements(el).length > 0;

// nativeRole is the role that the element has by its own.
function nativeRole(el) {
  const tag = el.localName;
  if (tag !== 'svg' && el.namespaceURI === 'http://www.w3.org/2000/svg') return svgRole(el, tag);
  const simple = SIMPLE_ROLES[tag];
  switch (tag) {
    case 'a':
    case 'area':
      return el.hasAttribute('href') ? 'link' : 'generic';
    case 'aside':
      return !el.parentElement ||
        !el.parentElement.closest(SECTIONING.replace('main, ', '').replace('[role=main], ', '')) ||
        authorNamed(el)
        ? 'complementary'
        : 'generic';
    case 'footer':
    case 'header': {
      const inside = el.parentElement && el.parentElement.closest(SECTIONING);
      if (inside) return tag === 'header' ? 'sectionheader' : 'sectionfooter';
      return tag === 'header' ? 'banner' : 'contentinfo';
    }
    case 'form':
      return authorNamed(el) ? 'form' : 'generic';
    case 'img':
      return el.getAttribute('alt') === '' &&
        !focusable(el) &&
        !GLOBAL_ARIA.some((a) => (el.getAttribute(a) || '').trim())
        ? 'none'
        : 'img';
    case 'input': {
      const type = el.type;
      if (type === 'hidden') return '';
      if ((type === 'text' || type === 'search' || type === 'email' || type === 'tel' || type === 'url') && el.list)
        return 'combobox';
      return INPUT_ROLES[type] || 'textbox';
    }
    case 'li': {
      const parent = el.parentElement;
      return parent && (/^(ul|ol|menu)$/.test(parent.localName) || parent.getAttribute('role') === 'list')
        ? 'listitem'
        : 'generic';
    }
    case 'section':
      return authorNamed(el) ? 'region' : 'generic';
    case 'select':
      return el.multiple || el.size > 1 ? 'listbox' : 'combobox';
    case 'summary':
      return el.parentElement && el.parentElement.localName === 'details' ? 'DisclosureTriangle' : 'generic';
    case 'svg':
      return 'img';
    case 'td':
    case 'th':
    case 'tr':
      return tableRole(el, tag);
    case 'caption':
    case 'tbody':
    case 'thead':
    case 'tfoot':
    case 'table':
      if (tag !== 'table') {
        const table = el.closest('table');
        if (table && /^(none|presentation)$/.test(table.getAttribute('role') || '')) return 'generic';
      }
      return simple;
    case 'option':
    case 'optgroup':
      return simple;
  }
  return simple || toldOf(el)?.role || 'generic';
}

function tableRole(el, tag) {
  const table = el.closest('table');
  const role = table ? table.getAttribute('role') || 'table' : '';
  if (!table || role === 'none' || role === 'presentation') return 'generic';
  if (tag === 'tr') return 'row';
  const grid = role === 'grid' || role === 'treegrid';
  if (tag === 'td') return grid ? 'gridcell' : 'cell';
  switch ((el.getAttribute('scope') || '').toLowerCase()) {
    case 'row':
    case 'rowgroup':
      return 'rowheader';
    case 'col':
    case 'colgroup':
      return 'columnheader';
  }
  return headsRow(el) ? 'rowheader' : 'columnheader';
}

// headsRow: a th without a scope is the header of its row where a td that holds something is its neighbour, or one of
// the two cells at either end, as Chrome decides: a corner is often empty. One between two headers is a column's.
function headsRow(th) {
  const row = th.parentElement,
    held = (cell) => cell !== null && cell.localName === 'td' && cell.firstChild !== null,
    [before, after] = [th.previousSibling, th.nextSibling];
  if (before === null && after === null) return false;
  if (before && after && before.localName === 'th' && after.localName === 'th') return false;
  if (held(before) || held(after)) return true;
  if (!row || row.localName !== 'tr') return false;
  const [first, last] = [row.firstElementChild, row.lastElementChild];
  return [first, last, first.nextElementSibling, last.previousElementSibling].some(held);
}

// roleOf is the computed role; names as in ARIA, but for input types that ARIA
// has no role for.
function roleOf(el) {
  return explicitRole(el) || roleByTag(el);
}

// roleByTag is the computed role of an element without a valid role attribute.
function roleByTag(el) {
  const role = nativeRole(el);
  switch (role) {
    case 'DisclosureTriangle':
      return 'button';
    case 'ColorWell':
    case 'Date':
    case 'DateTime':
    case 'InputTime':
      return 'textbox';
  }
  return role;
}
