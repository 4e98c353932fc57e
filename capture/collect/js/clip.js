// Clips: what overflow, clip and clip-path of ancestors leave of an element, and
// transforms after which an upright box is more than the element.

// A clip is what overflow, clip and clip-path of ancestors leave: l t r b with
// scroll containers counted, and H* without them, as what they hide can be
// scrolled to.
const NO_CLIP = { l: -1e9, t: -1e9, r: 1e9, b: 1e9, hl: -1e9, ht: -1e9, hr: 1e9, hb: 1e9, by: -1 };

function narrow(clip, rect, hard, x, y, by) {
  const next = { ...clip };
  if (x) {
    next.l = Math.max(clip.l, rect.left);
    next.r = Math.min(clip.r, rect.right);
  }
  if (y) {
    next.t = Math.max(clip.t, rect.top);
    next.b = Math.min(clip.b, rect.bottom);
  }
  if (hard.x) {
    next.hl = Math.max(clip.hl, rect.left);
    next.hr = Math.min(clip.hr, rect.right);
  }
  if (hard.y) {
    next.ht = Math.max(clip.ht, rect.top);
    next.hb = Math.min(clip.hb, rect.bottom);
  }
  if (hard.x || hard.y) next.by = by;
  return next;
}

// ownClip adds an element's own clip-path (inset only) or clip to what ancestors leave.
function ownClip(style, rect, clip, i) {
  const box = { left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom };
  const path = style.clipPath;
  let m;
  if (style.clip !== 'auto' && (m = /rect\(([^)]*)\)/.exec(style.clip))) {
    const v = m[1].split(/[ ,]+/).map((s) => (s === 'auto' ? NaN : parseFloat(s)));
    if (v.length === 4) {
      if (!isNaN(v[0])) box.top = rect.top + v[0];
      if (!isNaN(v[1])) box.right = rect.left + v[1];
      if (!isNaN(v[2])) box.bottom = rect.top + v[2];
      if (!isNaN(v[3])) box.left = rect.left + v[3];
    }
  }
  if (path !== 'none' && (m = /^inset\(([^)]*?)(?: round.*)?\)/.exec(path))) {
    const v = m[1].trim().split(/\s+/);
    const len = (s, full) => (s.endsWith('%') ? (parseFloat(s) / 100) * full : parseFloat(s) || 0);
    const top = v[0],
      right = v[1] === undefined ? top : v[1],
      bottom = v[2] === undefined ? top : v[2],
      left = v[3] === undefined ? right : v[3];
    box.top = Math.max(box.top, rect.top + len(top, rect.height));
    box.bottom = Math.min(box.bottom, rect.bottom - len(bottom, rect.height));
    box.left = Math.max(box.left, rect.left + len(left, rect.width));
    box.right = Math.min(box.right, rect.right - len(right, rect.width));
  }
  return narrow(clip, box, { x: true, y: true }, true, true, i);
}

// isTurned: rotated or skewed, so that the upright box is more than the element.
function isTurned(transform) {
  if (transform === 'none') return false;
  const m = /^matrix\(([^,]+), ([^,]+), ([^,]+),/.exec(transform);
  return !m || Math.abs(+m[2]) > 0.001 || Math.abs(+m[3]) > 0.001;
}
