// What is drawn outside an element's own box. An element with an empty box, or with
// none (display: contents), can still be seen: its text overflows, or its icon is a
// ::before that is placed absolutely. D-7 drops what has an empty box because nobody
// sees it; what a person sees is no empty box.

// areaRect is the box of what an area of an image map takes of its image, CSS px of the
// frame's viewport; null where no image that is drawn has the map.
function areaRect(el) {
  const map = el.closest('map'),
    root = el.getRootNode();
  const name = map && (map.getAttribute('name') || map.id);
  if (!name || !root.querySelectorAll) return null;
  const image = Array.from(root.querySelectorAll('img[usemap]')).find(
    (img) => img.getAttribute('usemap') === '#' + name,
  );
  if (!image) return null;
  const r = image.getBoundingClientRect(),
    style = getComputedStyle(image);
  if (!(r.width > 0 && r.height > 0) || style.visibility !== 'visible') return null;
  const left = r.left,
    top = r.top; // Chrome counts from the border box
  const c = (el.getAttribute('coords') || '')
    .split(/[\s,;]+/)
    .map(Number)
    .filter((v) => v === v);
  const shape = (el.getAttribute('shape') || 'rect').toLowerCase();
  let box = [0, 0, r.width, r.height];
  if (shape === 'circle' || shape === 'circ') {
    if (c.length < 3) return null;
    const inner = c[2] * Math.SQRT1_2; // the square in it: what lies in a corner around it is not the area
    box = [c[0] - inner, c[1] - inner, c[0] + inner, c[1] + inner];
  } else if (shape !== 'default') {
    if (c.length < 4) return null;
    const xs = c.filter((_, k) => k % 2 === 0),
      ys = c.filter((_, k) => k % 2 === 1);
    box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  }
  const l = Math.max(left + box[0], r.left),
    t = Math.max(top + box[1], r.top),
    m = Math.min(left + box[2], r.right),
    b = Math.min(top + box[3], r.bottom);
  return m > l && b > t ? new DOMRect(l, t, m - l, b - t) : null;
}

// textExtent is the union of what the text nodes fill, CSS px of the frame's viewport;
// null where they are not drawn.
function textExtent(nodes) {
  let u = null;
  const range = document.createRange();
  for (const n of nodes) {
    range.selectNodeContents(n);
    const r = range.getBoundingClientRect();
    if (!(r.width > 0 && r.height > 0)) continue;
    if (!u) u = { l: r.left, t: r.top, r: r.right, b: r.bottom };
    else {
      u.l = Math.min(u.l, r.left);
      u.t = Math.min(u.t, r.top);
      u.r = Math.max(u.r, r.right);
      u.b = Math.max(u.b, r.bottom);
    }
  }
  return u;
}

// pseudoSize is the border box of a pseudo-element with that style, [width, height], CSS px.
function pseudoSize(style) {
  const px = (v) => parseFloat(v) || 0;
  const w = px(style.width),
    h = px(style.height);
  if (style.boxSizing === 'border-box') return [w, h];
  return [
    w + px(style.paddingLeft) + px(style.paddingRight) + px(style.borderLeftWidth) + px(style.borderRightWidth),
    h + px(style.paddingTop) + px(style.paddingBottom) + px(style.borderTopWidth) + px(style.borderBottomWidth),
  ];
}

// pseudoExtent is where an element's ::before or ::after is drawn that does not
// stretch the element itself, because it floats or is placed absolutely; null where
// there is none. rect is the element's own empty box.
function pseudoExtent(el, rect) {
  for (const which of ['::before', '::after']) {
    const style = getComputedStyle(el, which);
    if (
      style.content === 'none' ||
      style.content === 'normal' ||
      style.display === 'none' ||
      style.visibility !== 'visible' ||
      opacityOf(style) <= 0.01
    )
      continue;
    const placed = style.position === 'absolute' || style.position === 'fixed';
    if (!placed && style.float === 'none') continue;
    const px = (v) => parseFloat(v) || 0;
    const [w, h] = pseudoSize(style);
    if (!(w > 0 && h > 0)) continue;
    // An empty text without a background or a border draws nothing.
    const words =
      /^["'].*[^\s"'].*["']/s.test(style.content) ||
      style.content.startsWith('url(') ||
      style.content.includes('counter');
    const painted =
      style.backgroundImage !== 'none' ||
      !/^(transparent|rgba\(.*, 0\))$/.test(style.backgroundColor) ||
      px(style.borderTopWidth) + px(style.borderLeftWidth) + px(style.borderRightWidth) + px(style.borderBottomWidth) >
        0 ||
      style.boxShadow !== 'none' ||
      (style.maskImage || 'none') !== 'none';
    if (!words && !painted) continue;
    if (!placed) {
      const l = floatLeft(el, rect, style, w);
      return { l, t: rect.top, r: l + w, b: rect.top + h };
    }
    const origin = paddingCorner(el, style.position === 'fixed');
    const l = origin.left + px(style.left) + px(style.marginLeft),
      t = origin.top + px(style.top) + px(style.marginTop);
    return { l, t, r: l + w, b: t + h };
  }
  return null;
}

// floatLeft is where what floats in an empty element begins. The line that an inline one lies on has made room for it.
function floatLeft(el, rect, style, w) {
  const px = (v) => parseFloat(v) || 0;
  let at = el;
  while (getComputedStyle(at).display === 'inline' && at.parentElement) at = at.parentElement;
  if (style.float === 'left' || style.float === 'inline-start')
    return at === el ? rect.left + px(style.marginLeft) : rect.left - px(style.marginRight) - w;
  const around = getComputedStyle(at);
  return (
    at.getBoundingClientRect().right - px(around.borderRightWidth) - px(around.paddingRight) - px(style.marginRight) - w
  );
}

// paddingCorner is the top left padding corner of the box that what is placed
// absolutely inside el is placed by: el or the nearest ancestor that is positioned or
// transformed, else the page; for what is fixed, one that holds that, else the viewport.
function paddingCorner(el, fixed) {
  for (
    let at = el;
    at;
    at = at.assignedSlot || at.parentElement || (at.getRootNode() instanceof ShadowRoot ? at.getRootNode().host : null)
  ) {
    const style = getComputedStyle(at);
    if (style.display === 'contents' || ((fixed || style.position === 'static') && !holdsFixed(style))) continue;
    const r = at.getBoundingClientRect();
    return { left: r.left + at.clientLeft, top: r.top + at.clientTop };
  }
  return fixed ? { left: 0, top: 0 } : { left: -scrollX, top: -scrollY };
}

// byLabel gives a radio, checkbox or file field that cannot be seen itself the place
// of the label that represents it and is pressed instead: box, clip and visibility are
// the label's. The control is otherwise unchanged and keeps its checked state.
function byLabel(out, i, label) {
  for (let k = 0; k < 4; k++) out.box[4 * i + k] = out.box[4 * label + k];
  const seen = FLAG_VISIBLE | FLAG_IN_VIEWPORT;
  out.flags[i] = (out.flags[i] & ~seen) | (out.flags[label] & seen);
  out.clip.delete(i);
  if (out.clip.has(label)) out.clip.set(i, out.clip.get(label));
  out.rects.delete(i);
  if (out.rects.has(label)) out.rects.set(i, out.rects.get(label));
  out.hide[i] = SHOWN;
  out.culprit[i] = -1;
  for (let k = 0; k < out.faint.length; k += 3) {
    if (out.faint[k] === i) {
      out.faint.splice(k, 3);
      k -= 3;
    }
  }
  out.faint.push(i, BY_LABEL, label);
}
