// What the other files share: codes of the columns, sets of tags, readers of attributes,
// the index of elements. See collect.columns in Go for what each column means.

// Why an element is not rendered; the numbers are collect.hide… in Go.
const SHOWN = 0,
  DISPLAY_NONE = 1,
  VISIBILITY = 2,
  CONTENT_HIDDEN = 3,
  ZERO_BOX = 4,
  TRANSPARENT = 5,
  CLIPPED = 6,
  SKIPPED = 7,
  OPT_OUT = 8,
  UNSLOTTED = 9,
  BY_LABEL = 10,
  TURNED_AWAY = 11;

const EV_NATIVE = 1,
  EV_ROLE = 2,
  EV_TABINDEX = 4,
  EV_EDITABLE = 8,
  EV_LISTENER = 16,
  EV_CURSOR = 32,
  EV_LABEL = 64;

const FLAG_VISIBLE = 1,
  FLAG_IN_VIEWPORT = 2,
  FLAG_CONTENTS = 4,
  FLAG_BOUNDARY = 8,
  FLAG_SVG = 16,
  FLAG_BLOCK = 32,
  FLAG_NO_POINTER = 64,
  FLAG_APART = 128,
  FLAG_POSITIONED = 256,
  FLAG_TURNED = 512,
  FLAG_TRANSFORM = 1024,
  FLAG_BROKEN = 2048;

// Tags that show nothing that a text could express (D-7); svg and canvas are shown,
// but only a picture can show what is in them.
const SKIP_TAGS = new Set(
  'script style noscript template svg canvas source track head meta link title base param'.split(' '),
);

// Tags whose content is for browsers that cannot show the element itself.
const FALLBACK = new Set('meter progress video audio object iframe'.split(' '));

const SECTION_TAGS = new Set(
  'section article aside table tr form details dl dialog header footer main nav hgroup fieldset'.split(' '),
);

// How many attributes of one element are read.
const MANY_ATTRIBUTES = 1000;

const HTML = 'http://www.w3.org/1999/xhtml';

const round = (v) => Math.round(v * 100) / 100;

// The facts in an element's attributes that the walk needs, as bits.
const A_ROLE = 1,
  A_TABINDEX = 2,
  A_EDITABLE = 4,
  A_HANDLER = 8,
  A_NAMED = 16,
  A_STATE = 32,
  A_STYLED = 64,
  A_SKIP = 128,
  A_HREF = 256,
  A_ARIA = 512,
  A_TITLE = 1024,
  A_XLINK = 2048,
  A_LOOK = 4096;
const ATTRIBUTE_BITS = new Map([
  ['role', A_ROLE],
  ['tabindex', A_TABINDEX],
  ['contenteditable', A_EDITABLE],
  ['onclick', A_HANDLER],
  ['onmousedown', A_HANDLER],
  ['onpointerdown', A_HANDLER],
  ['aria-label', A_NAMED | A_ARIA],
  ['aria-labelledby', A_NAMED | A_ARIA],
  ['inert', A_STATE],
  ['style', A_STYLED | A_LOOK],
  ['hidden', A_STYLED],
  ['popover', A_STYLED | A_LOOK],
  ['data-dddk-skip', A_SKIP],
  ['href', A_HREF],
  ['title', A_TITLE],
  ['xlink:href', A_XLINK],
  ['bgcolor', A_LOOK],
  ['background', A_LOOK],
]);
const bitsOf = (name) => ATTRIBUTE_BITS.get(name) || (name.startsWith('aria-') ? A_ARIA : 0);

// An index of elements by identity: one look-up more in what the registry keeps
// anyway is cheaper than a map of its own.
function makeIndex(registry) {
  let at = new Int32Array(registry.nextId + 1024).fill(-1);
  return {
    get(el) {
      const uid = registry.ids.get(el);
      const k = uid === undefined || uid >= at.length ? -1 : at[uid];
      return k < 0 ? undefined : k;
    },
    set(uid, k) {
      if (uid >= at.length) {
        const more = new Int32Array(2 * uid).fill(-1);
        more.set(at);
        at = more;
      }
      at[uid] = k;
    },
  };
}

// Tags that may have a value or a state without an attribute for it.
const VALUED_TAGS = new Set(['input', 'textarea', 'select', 'meter', 'progress']);
const STATEFUL_TAGS = new Set([
  'input',
  'textarea',
  'select',
  'option',
  'optgroup',
  'fieldset',
  'button',
  'summary',
  'details',
  'dialog',
]);

// Tags that are looked for among all elements after the walk: input fields, and what shows another document.
const NOTED_TAGS = new Set(['input', 'iframe', 'frame', 'object', 'embed', 'fencedframe']);

// Tags that are named though nobody operates them.
const NAMED_TAGS = new Set(['meter', 'progress', 'output', 'option', 'optgroup', 'figure', 'th']);
const SVG_NAMEABLE = new Set(['g', 'use', 'image', 'circle', 'ellipse', 'line', 'path', 'polygon', 'polyline', 'rect']);

const LOOSE_SPACE = /[\t\n\r\f]| {2}/;

// A list of one element in a flat column: index, length, entries.
function pushList(column, i, list) {
  column.push(i, list.length);
  for (const v of list) column.push(v);
}

// nthOf is an element's 1-based place among its parent's element children, made
// once for each parent.
function makeNth() {
  const known = new WeakMap();
  return (el) => {
    const parent = el.parentNode;
    if (!parent) return 1;
    let places = known.get(parent);
    if (!places) {
      places = new Map();
      let n = 0;
      for (let c = parent.firstElementChild; c; c = c.nextElementSibling) places.set(c, ++n);
      known.set(parent, places);
    }
    return places.get(el) || 1;
  };
}

// deepActive is the element that has the focus, through shadow roots; null for none.
function deepActive() {
  let el = document.activeElement;
  while (el && el.shadowRoot && el.shadowRoot.activeElement) el = el.shadowRoot.activeElement;
  return el === document.body ? null : el;
}
