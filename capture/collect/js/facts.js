// Raw facts of the page as a whole: which elements are layers, what can be scrolled,
// and what a click reaches all over the viewport. What these facts mean (an overlay,
// a page type) is decided in Go, so that it can be decided again for a recorded turn.

const SCROLL_MIN = 50; // px that make an element a scroll container (S-11)
const GRID_COLUMNS = 12,
  GRID_ROWS = 8;
const FIXED = 0,
  STICKY = 1,
  ABSOLUTE = 2;
const TOP_LAYER = 1,
  MODAL = 2,
  BACKDROP = 4;

// scrollFact notes how far an element is scrolled: its index, then offset from its upper edge and range
// down, offset and range sideways (px), and whether its content is a virtual list.
// The document's own scroll is not among them.
function scrollFact(el, i, overflowX, overflowY, out) {
  const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll';
  const down = scrolls(overflowY) ? el.scrollHeight - el.clientHeight : 0;
  const side = scrolls(overflowX) ? el.scrollWidth - el.clientWidth : 0;
  if (down <= SCROLL_MIN && side <= SCROLL_MIN) return;
  const y = down > SCROLL_MIN,
    x = side > SCROLL_MIN;
  // In a reversed column scrollTop counts down from 0 at its lower edge; right to left, scrollLeft does.
  const style = getComputedStyle(el),
    reversed = /flex/.test(style.display) && style.flexDirection === 'column-reverse';
  out.scrollers.push(
    i,
    y ? round(room(el.scrollTop, down, reversed, false)[0]) : 0,
    y ? down : 0,
    x ? round(Math.abs(el.scrollLeft)) : 0,
    x ? side : 0,
    (y && isVirtual(el, el.scrollHeight, el.clientHeight, false)) ||
      (x && isVirtual(el, el.scrollWidth, el.clientWidth, true))
      ? 1
      : 0,
  );
}

// isVirtual reports whether a scroll container holds only the items near its visible
// part: its content is far longer than the container, the items that are there fill
// less than half of it, and something takes the place of the rest: items that are placed
// absolutely, a moved window of items, padding, or an empty spacer. An item far from
// the visible part is none of such a list: bars on a timeline, cards of a carousel.
function isVirtual(el, whole, shown, sideways) {
  if (whole < 3 * shown) return false;
  const view = el.getBoundingClientRect();
  const away = (r) =>
    sideways ? Math.max(r.left - view.right, view.left - r.right) : Math.max(r.top - view.bottom, view.top - r.bottom);
  let list = el,
    stands = false;
  for (let depth = 0; depth < 6; depth++) {
    const style = getComputedStyle(list);
    if (list !== el && (style.transform !== 'none' || style.translate !== 'none')) stands = true;
    const padding = sideways
      ? parseFloat(style.paddingLeft) + parseFloat(style.paddingRight)
      : parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
    if (padding > whole / 2) stands = true;
    if (list.childElementCount !== 1) break;
    list = list.firstElementChild;
  }
  let filled = 0,
    seen = 0,
    far = false;
  const fill = (item) => {
    if (seen++ > 500) return;
    const r = item.getBoundingClientRect(),
      long = sideways ? r.width : r.height;
    const empty = item.childElementCount === 0 && (item.textContent || '').trim() === '';
    if (empty && long > shown * 1.5) {
      stands = true;
      return;
    } // a spacer
    const style = getComputedStyle(item);
    if (long > 0 && away(r) > 5 * shown) far = true;
    if (style.position === 'absolute') stands = true;
    if (style.transform !== 'none' || style.translate !== 'none') stands = true;
    filled += long;
  };
  for (let item = list.firstElementChild; item && seen <= 500; item = item.nextElementSibling) fill(item);
  return stands && !far && seen > 0 && seen <= 500 && filled < whole / 2;
}

// layerFacts notes the positioned elements that are large enough to cover anything:
// index, how it is positioned, z-index, bits of the top layer.
function layerFacts(out, opt) {
  const least = 0.004 * opt.width * opt.height;
  const matches = (el, selector) => {
    try {
      return el.matches(selector);
    } catch {
      return false;
    }
  }; // an older Chrome
  for (let k = 0; k < out.positioned.length; k++) {
    const i = out.positioned[k],
      el = out.els[i];
    if (out.hide[i] !== SHOWN && out.hide[i] !== ZERO_BOX && out.hide[i] !== SKIPPED) continue;
    const b = 4 * i;
    const l = Math.max(out.box[b], 0),
      t = Math.max(out.box[b + 1], 0);
    const r = Math.min(out.box[b] + out.box[b + 2], opt.width),
      m = Math.min(out.box[b + 1] + out.box[b + 3], opt.height);
    const area = Math.max(0, r - l) * Math.max(0, m - t);
    const style = getComputedStyle(el);
    const position = style.position;
    if (
      position === 'absolute'
        ? area < least && !el.hasAttribute('popover') && el.localName !== 'dialog'
        : area === 0 && out.hide[i] !== ZERO_BOX
    )
      continue;
    let bits = 0;
    if (el.localName === 'dialog' && matches(el, ':modal')) {
      bits |= TOP_LAYER | MODAL;
      const backdrop = getComputedStyle(el, '::backdrop');
      if (
        !/^(rgba\(0, 0, 0, 0\)|transparent)$/.test(backdrop.backgroundColor) ||
        backdrop.backgroundImage !== 'none' ||
        backdrop.backdropFilter !== 'none'
      )
        bits |= BACKDROP;
    } else if ((el.hasAttribute('popover') && matches(el, ':popover-open')) || el === document.fullscreenElement)
      bits |= TOP_LAYER;
    out.layers.push(
      i,
      position === 'fixed' ? FIXED : position === 'sticky' ? STICKY : ABSOLUTE,
      parseInt(style.zIndex, 10) || 0,
      bits,
    );
  }
  if (out.layers.length > 0) gridHits(out, opt);
}

// gridHits asks what lies uppermost in the middle of each cell of the viewport. It
// costs about 100 hit tests, so it is only asked where there are layers.
function gridHits(out, opt) {
  for (let row = 0; row < GRID_ROWS; row++) {
    for (let column = 0; column < GRID_COLUMNS; column++) {
      const hit = deepHit(
        ((column + 0.5) * opt.width) / GRID_COLUMNS,
        ((row + 0.5) * opt.height) / GRID_ROWS,
        out.closed,
      );
      const at = hit ? out.index.get(hit) : undefined;
      out.grid.push(at === undefined ? -1 : at);
    }
  }
}
