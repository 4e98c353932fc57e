// What is drawn outside an element's own box. An element with an empty box, or with
// none (display: contents), can still be seen: its text overflows, or its icon is a
// ::before that is placed absolutely. D-7 drops what has an empty box because nobody
// sees it; what a person sees is no empty box.

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
    else { u.l = Math.min(u.l, r.left); u.t = Math.min(u.t, r.top); u.r = Math.max(u.r, r.right); u.b = Math.max(u.b, r.bottom); }
  }
  return u;
}

// pseudoExtent is where an element's ::before or ::after is drawn that does not
// stretch the element itself, because it floats or is placed absolutely; null where
// there is none. rect is the element's own empty box.
function pseudoExtent(el, rect) {
  for (const which of ['::before', '::after']) {
    const style = getComputedStyle(el, which);
    if (style.content === 'none' || style.content === 'normal' || style.display === 'none' || style.visibility !== 'visible' || +style.opacity <= 0.01) continue;
    const placed = style.position === 'absolute' || style.position === 'fixed';
    if (!placed && style.float === 'none') continue;
    const px = (v) => parseFloat(v) || 0;
    let w = px(style.width), h = px(style.height);
    if (style.boxSizing !== 'border-box') {
      w += px(style.paddingLeft) + px(style.paddingRight) + px(style.borderLeftWidth) + px(style.borderRightWidth);
      h += px(style.paddingTop) + px(style.paddingBottom) + px(style.borderTopWidth) + px(style.borderBottomWidth);
    }
    if (!(w > 0 && h > 0)) continue;
    // An empty text without a background or a border draws nothing.
    const words = /^["'].*[^\s"'].*["']/s.test(style.content) || style.content.startsWith('url(') || style.content.includes('counter');
    const painted = style.backgroundImage !== 'none' || !/^(transparent|rgba\(.*, 0\))$/.test(style.backgroundColor) ||
      px(style.borderTopWidth) + px(style.borderLeftWidth) + px(style.borderRightWidth) + px(style.borderBottomWidth) > 0 || style.boxShadow !== 'none' ||
      (style.maskImage || 'none') !== 'none';
    if (!words && !painted) continue;
    if (!placed) return { l: rect.left, t: rect.top, r: rect.left + w, b: rect.top + h };
    const origin = style.position === 'fixed' ? { left: 0, top: 0 } : paddingCorner(el);
    const l = origin.left + px(style.left) + px(style.marginLeft), t = origin.top + px(style.top) + px(style.marginTop);
    return { l, t, r: l + w, b: t + h };
  }
  return null;
}

// paddingCorner is the top left padding corner of the box that what is placed
// absolutely inside el is placed by: el or the nearest ancestor that is positioned or
// transformed, else the page.
function paddingCorner(el) {
  for (let at = el; at; at = at.assignedSlot || at.parentElement || (at.getRootNode() instanceof ShadowRoot ? at.getRootNode().host : null)) {
    const style = getComputedStyle(at);
    if (style.display === 'contents' || (style.position === 'static' && style.transform === 'none' && style.filter === 'none')) continue;
    const r = at.getBoundingClientRect();
    return { left: r.left + at.clientLeft, top: r.top + at.clientTop };
  }
  return { left: -scrollX, top: -scrollY };
}

// byLabel gives a radio, checkbox or file field that cannot be seen itself the place
// of the label that stands for it and is pressed instead: box, clip and visibility are
// the label's. The control stays what it is, and is not lost with its checked state.
function byLabel(out, i, label) {
  for (let k = 0; k < 4; k++) out.box[4 * i + k] = out.box[4 * label + k];
  const seen = FLAG_VISIBLE | FLAG_IN_VIEWPORT;
  out.flags[i] = (out.flags[i] & ~seen) | (out.flags[label] & seen);
  out.clip.delete(i);
  if (out.clip.has(label)) out.clip.set(i, out.clip.get(label));
  out.rects.delete(i);
  if (out.rects.has(label)) out.rects.set(i, out.rects.get(label));
  out.hide[i] = SHOWN; out.culprit[i] = -1;
  for (let k = 0; k < out.faint.length; k += 3) {
    if (out.faint[k] === i) { out.faint.splice(k, 3); k -= 3; }
  }
  out.faint.push(i, BY_LABEL, label);
}
