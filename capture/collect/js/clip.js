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

// scrolledOut is what a scroll container and the clips around it leave of its content, wherever it is scrolled to: of
// what they leave of the container, as far again as its content can be moved down or right, and up or left.
function scrolledOut(clip, el, style, inner, x, y, i) {
  const next = { ...clip, by: i };
  const flex = /flex/.test(style.display) ? style.flexDirection : '';
  const either = flex !== '' && style.flexWrap === 'wrap-reverse';
  if (x) {
    const leftward = (style.direction === 'rtl') !== (flex === 'row-reverse') || style.writingMode === 'vertical-rl';
    const [back, on] = room(el.scrollLeft, el.scrollWidth - el.clientWidth, leftward, either);
    const by = (inner.right - inner.left) / el.clientWidth || 1;
    [next.hl, next.hr] = brought(clip.hl, clip.hr, inner.left, inner.right, back * by, on * by);
  }
  if (y) {
    const [back, on] = room(el.scrollTop, el.scrollHeight - el.clientHeight, flex === 'column-reverse', either);
    const by = (inner.bottom - inner.top) / el.clientHeight || 1;
    [next.ht, next.hb] = brought(clip.ht, clip.hb, inner.top, inner.bottom, back * by, on * by);
  }
  if (clip.by >= 0 && (next.hr <= next.hl || next.hb <= next.ht)) next.by = clip.by; // it takes the container away
  return next;
}

// brought is where content may lie along one axis to be seen at some time: in what a clip leaves of the container, and
// as far before and behind that as scrolling moves it.
function brought(from, to, start, end, back, on) {
  const least = Math.max(from, start),
    most = Math.min(to, end);
  return most > least ? [least - back, most + on] : [least, most];
}

// room is how far content can be scrolled back and on from where it is. reversed: positions run from 0 down; either: at
// 0 nobody knows which way.
function room(at, range, reversed, either) {
  if (at < 0) return [range + at, -at];
  if (at > 0 || (!reversed && !either)) return [at, range - at];
  return [range, either ? range : 0];
}

// scaleOf is how much transforms and zoom around an element enlarge it each way, from its
// box in the viewport; 1 for what is no HTML element.
function scaleOf(el, rect) {
  const one = (shown, own) => (own > 0 && Math.abs(shown - own) >= 1 ? shown / own : 1);
  return { x: one(rect.width, el.offsetWidth), y: one(rect.height, el.offsetHeight) };
}

// innerBox is the padding box of an element in the viewport, which its overflow cuts at. Of
// one that is turned, and of a drawing's part, it is the box around it.
function innerBox(el, rect, turned) {
  if (turned || !(el.offsetWidth >= 0)) return rect;
  const by = scaleOf(el, rect);
  const left = rect.left + el.clientLeft * by.x,
    top = rect.top + el.clientTop * by.y;
  return { left, top, right: left + (el.clientWidth * by.x || rect.width), bottom: top + el.clientHeight * by.y };
}

// hasClip reports whether the clip property takes effect: of what is placed alone.
function hasClip(style) {
  return style.clip !== 'auto' && (style.position === 'absolute' || style.position === 'fixed');
}

// ownClip adds an element's own clip-path or clip to what ancestors leave: of a shape the
// box around it.
function ownClip(style, el, rect, clip, i, turned) {
  const by = scaleOf(el, rect);
  let box = shapeBox(style.clipPath, rect, by); // what overflows may lie in it beside the element's own box
  const m = hasClip(style) ? /rect\(([^)]*)\)/.exec(style.clip) : null;
  const v = m ? m[1].split(/[ ,]+/).map((s) => (s === 'auto' ? NaN : parseFloat(s))) : [];
  if (v.length === 4) {
    const cut = {
      left: isNaN(v[3]) ? rect.left : rect.left + v[3] * by.x,
      top: isNaN(v[0]) ? rect.top : rect.top + v[0] * by.y,
      right: isNaN(v[1]) ? rect.right : rect.left + v[1] * by.x,
      bottom: isNaN(v[2]) ? rect.bottom : rect.top + v[2] * by.y,
    };
    box = box ? overlapOf(box, cut) : cut;
  }
  if (!box) return clip; // a path, a picture: the hit tests tell
  if (turned && box.right > box.left && box.bottom > box.top) box = rect;
  return narrow(clip, box, { x: true, y: true }, true, true, i);
}

function overlapOf(a, b) {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
}

// shapeBox is the box around the shape of a clip-path (CSS Shapes 1: inset, circle, ellipse,
// polygon), by how much the element is enlarged; null for others, such as paths.
function shapeBox(path, rect, by) {
  const m = path === 'none' ? null : /^(inset|circle|ellipse|polygon)\((.*)\)(?: border-box)?$/.exec(path);
  if (!m) return null;
  const x = (s) => (s.endsWith('%') ? (parseFloat(s) / 100) * rect.width : parseFloat(s) * by.x),
    y = (s) => (s.endsWith('%') ? (parseFloat(s) / 100) * rect.height : parseFloat(s) * by.y);
  const made = (left, top, right, bottom) => {
    const box = { left: rect.left + left, top: rect.top + top, right: rect.left + right, bottom: rect.top + bottom };
    return Object.values(box).some(isNaN) ? null : box;
  };
  if (m[1] === 'inset') {
    const v = m[2]
      .replace(/ round.*/, '')
      .trim()
      .split(/\s+/);
    const top = v[0],
      right = v[1] === undefined ? top : v[1],
      bottom = v[2] === undefined ? top : v[2],
      left = v[3] === undefined ? right : v[3];
    return made(x(left), y(top), rect.width - x(right), rect.height - y(bottom));
  }
  if (m[1] === 'polygon') {
    const points = m[2]
      .replace(/^(?:nonzero|evenodd), */, '')
      .split(',')
      .map((s) => s.trim().split(/\s+/));
    if (points.some((at) => at.length !== 2)) return null;
    const xs = points.map((at) => x(at[0])),
      ys = points.map((at) => y(at[1]));
    return made(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
  }
  const [radii, at] = m[2].split(/(?:^| )at /);
  const middle = (at || '50% 50%').trim().split(/\s+/);
  if (middle.length !== 2) return null;
  const cx = x(middle[0]),
    cy = y(middle[1]);
  const side = (s, along, centre, full) =>
    !s || s === 'closest-side'
      ? Math.min(Math.abs(centre), Math.abs(full - centre))
      : s === 'farthest-side'
        ? Math.max(Math.abs(centre), Math.abs(full - centre))
        : along(s);
  const r = radii.trim().split(/\s+/);
  let rx, ry;
  if (m[1] === 'ellipse') {
    rx = side(r[0], x, cx, rect.width);
    ry = side(r[1], y, cy, rect.height);
  } else if (r[0].endsWith('%')) {
    rx = ry = (parseFloat(r[0]) / 100) * Math.hypot(rect.width, rect.height) * Math.SQRT1_2;
  } else {
    const far = r[0] === 'farthest-side' ? Math.max : Math.min;
    rx = side(r[0], x, cx, rect.width);
    ry = side(r[0], y, cy, rect.height);
    if (!/px$/.test(r[0])) rx = ry = far(rx, ry);
  }
  return made(cx - rx, cy - ry, cx + rx, cy + ry);
}

// isTurned: rotated or skewed, so that the upright box is more than the element.
function isTurned(transform) {
  if (transform === 'none') return false;
  const m = /^matrix\(([^,]+), ([^,]+), ([^,]+),/.exec(transform);
  return !m || Math.abs(+m[2]) > 0.001 || Math.abs(+m[3]) > 0.001;
}

// cutsPaint reports whether a box cuts what is painted in it at its padding box, by containment.
function cutsPaint(style) {
  return /paint|strict|content/.test(style.contain) || (style.contentVisibility || 'visible') !== 'visible';
}

// holdsFixed reports whether a box is the containing block of what is fixed in it, and of what is absolute.
function holdsFixed(style) {
  return (
    style.transform !== 'none' ||
    (style.rotate || 'none') !== 'none' ||
    (style.scale || 'none') !== 'none' ||
    (style.translate || 'none') !== 'none' ||
    style.perspective !== 'none' ||
    (style.offsetPath || 'none') !== 'none' ||
    style.filter !== 'none' ||
    (style.backdropFilter || 'none') !== 'none' ||
    cutsPaint(style) ||
    style.contain.includes('layout') ||
    /transform|rotate|scale|translate|perspective|filter|contain/.test(style.willChange)
  );
}
