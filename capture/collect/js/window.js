// Where an element shows another document. The collector asks it of every frame element,
// an action of those around its element.

// frameWindow is the content box of an element in its frame's viewport (x, y, width,
// height, px), how much it is scaled each way, and 1 where it is turned or skewed: then
// the box is only the one around it. Zeros where it is not rendered.
function frameWindow(el) {
  const r = el.getBoundingClientRect(),
    style = getComputedStyle(el);
  if (!(r.width > 0 && r.height > 0) || style.contentVisibility === 'hidden') return [0, 0, 0, 0, 1, 1, 0];
  const px = (v) => parseFloat(v) || 0;
  const [pl, pt, pr, pb] = [
    px(style.paddingLeft),
    px(style.paddingTop),
    px(style.paddingRight),
    px(style.paddingBottom),
  ];
  // A border of 2.4 px is 2 px wide in clientLeft.
  const left = px(style.borderLeftWidth),
    top = px(style.borderTopWidth);
  const own = (size, or) => (Number.isNaN(parseFloat(size)) ? or : parseFloat(size)); // 0px shows nothing
  const wide = own(style.width, el.offsetWidth),
    high = own(style.height, el.offsetHeight);
  const content = style.boxSizing === 'content-box';
  const outerW = content ? wide + pl + pr + left + px(style.borderRightWidth) : wide;
  const outerH = content ? high + pt + pb + top + px(style.borderBottomWidth) : high;
  const kx = outerW > 0 ? r.width / outerW : 1,
    ky = outerH > 0 ? r.height / outerH : 1;
  return [
    r.left + (left + pl) * kx,
    r.top + (top + pt) * ky,
    (content ? wide : outerW - pl - pr - left - px(style.borderRightWidth)) * kx,
    (content ? high : outerH - pt - pb - top - px(style.borderBottomWidth)) * ky,
    kx,
    ky,
    turned(el) ? 1 : 0,
  ];
}

// turned reports whether a transform around the element does more than move and scale.
function turned(el) {
  for (
    let at = el;
    at;
    at = at.assignedSlot || at.parentElement || (at.getRootNode() instanceof ShadowRoot ? at.getRootNode().host : null)
  ) {
    const style = getComputedStyle(at);
    if (style.rotate !== 'none' && style.rotate !== undefined) return true;
    const m = /^matrix(3d)?\(([^)]*)\)/.exec(style.transform);
    if (!m) continue;
    const v = m[2].split(',').map(Number);
    if (m[1] || Math.abs(v[1]) > 1e-6 || Math.abs(v[2]) > 1e-6 || v[0] < 0 || v[3] < 0) return true;
  }
  return false;
}
