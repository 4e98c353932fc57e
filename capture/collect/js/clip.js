// Clips: what overflow, clip and clip-path of ancestors leave of an element, and
// transforms after which an upright box is more than the element.

// A clip is what overflow, clip and clip-path of ancestors leave: l t r b with
// scroll containers counted, and H* without them, as what they hide can be
// scrolled to. cut is the innermost shape around that is less than its upright box,
// see shaped.
const NO_CLIP = { l: -1e9, t: -1e9, r: 1e9, b: 1e9, hl: -1e9, ht: -1e9, hr: 1e9, hb: 1e9, by: -1, cut: null };

// UNCUT is what the root, and what is in the top layer, have around them: nothing that cuts, dims or turns them. For
// away and plane see js/faces.js.
const UNCUT = {
  opacity: 1,
  clear: -1,
  away: -1,
  plane: null,
  turned: false,
  clip: NO_CLIP,
  absClip: NO_CLIP,
  fixClip: NO_CLIP,
};

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

// isMasked reports whether a mask takes effect. It leaves nothing beside the element's box, but for a mask element of a
// drawing, which has a region of its own.
const isMasked = (style) => (style.maskImage || 'none') !== 'none';

// ownClip adds an element's own clip-path, mask or clip to what ancestors leave: of a shape the
// box around it.
function ownClip(style, el, rect, clip, i, turned) {
  const by = scaleOf(el, rect);
  let box = shapeBox(style.clipPath, rect, by); // what overflows may lie in it beside the element's own box
  const masked = isMasked(style) && style.maskClip !== 'no-clip' && !style.maskImage.includes('url(');
  if (masked) box = box ? overlapOf(box, rect) : rect;
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
  const path = style.clipPath;
  let cut = path !== 'none' && (turned || !path.startsWith('inset(')) ? shaped(clip, i, path) : clip;
  if (masked && turned) cut = shaped(cut, i, '');
  if (!box) return cut; // of a picture the hit tests tell
  if (turned && box.right > box.left && box.bottom > box.top) box = rect;
  return narrow(cut, box, { x: true, y: true }, true, true, i);
}

// shaped adds to a clip the shape in which an element cuts what is in it: that of a clip-path, or its own turned box.
const shaped = (clip, i, path) => ({ ...clip, cut: { i, path, holds: undefined, up: clip.cut } });

const SHAPE_STEPS = 16; // points across a box, at which shapes are asked

// cutAway is the element whose shape cuts away all of a box of element i, -1 where something of it is left, or too
// little of a turned one is asked to know.
function cutAway(i, cut, l, t, r, b, out) {
  const cuts = [];
  for (let at = cut; at; at = at.up) {
    if (at.holds === undefined) at.holds = shapeOf(at, out);
    if (at.holds) cuts.push(at);
  }
  const own = out.flags[i] & FLAG_TURNED ? localOf(i, out) : null;
  let by = -1,
    asked = 0;
  for (let k = 0; cuts.length > 0 && k < SHAPE_STEPS * SHAPE_STEPS; k++) {
    const x = l + ((r - l) * ((k % SHAPE_STEPS) + 0.02)) / (SHAPE_STEPS - 0.96),
      y = t + ((b - t) * (Math.floor(k / SHAPE_STEPS) + 0.02)) / (SHAPE_STEPS - 0.96);
    if (own && own(x, y) === null) continue;
    const cutter = cuts.find((at) => !at.holds(x, y));
    if (!cutter) return -1;
    by = cutter.i;
    asked++;
  }
  return asked < SHAPE_STEPS ? -1 : by;
}

// shapeOf gives a test for the points in a shape, null where it is not known.
function shapeOf({ i, path }, out) {
  const place = localOf(i, out);
  if (!place || path === '') return place && ((x, y) => place(x, y) !== null);
  const { offsetWidth: w, offsetHeight: h } = out.els[i];
  const m = /^(polygon|path|inset|circle|ellipse)\((?:(nonzero|evenodd), *)?(.*)\)$/.exec(path);
  const box = m && shapeBox(path, { left: 0, top: 0, width: w, height: h }, { x: 1, y: 1 });
  if (!m || (!box && m[1] !== 'path')) return null;
  let shape = new Path2D();
  if (m[1] === 'path') shape = new Path2D(m[3].slice(1, -1));
  else if (m[1] === 'inset') shape.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
  else if (m[1] === 'polygon') {
    for (const at of m[3].split(',')) {
      const [x, y] = at.trim().split(/\s+/);
      shape.lineTo(lengthOf(x, w, 1), lengthOf(y, h, 1));
    }
  } else {
    const rx = Math.max(0, (box.right - box.left) / 2),
      ry = Math.max(0, (box.bottom - box.top) / 2);
    shape.ellipse(box.left + rx, box.top + ry, rx, ry, 0, 0, 7);
  }
  const pen = new OffscreenCanvas(1, 1).getContext('2d');
  return (x, y) => {
    const at = place(x, y, true);
    return pen.isPointInPath(shape, at[0] + w / 2, at[1] + h / 2, m[2] || 'nonzero');
  };
}

// localOf gives, for a point in the viewport, its place in an element's own plane, px from its middle; null beside its
// box unless all of the plane is asked for. It is null itself where the upright box is not what transforms and zoom
// make of it: of what is turned out of the plane, or lies on a path.
function localOf(i, out) {
  const m = new DOMMatrix();
  for (let at = i; at >= 0; at = drawnIn(at, out)) {
    if (out.flags[at] & FLAG_CONTENTS) continue;
    const own = turnOf(getComputedStyle(out.els[at]));
    if (!own.is2D) return null;
    m.preMultiplySelf(own);
  }
  const el = out.els[i],
    b = out.box.slice(4 * i, 4 * i + 4);
  const w = el.offsetWidth / 2,
    h = el.offsetHeight / 2,
    wide = 2 * (Math.abs(m.a) * w + Math.abs(m.c) * h),
    by = b[2] / wide; // zoom
  if (!(w > 0 && h > 0) || Math.abs(2 * (Math.abs(m.b) * w + Math.abs(m.d) * h) * by - b[3]) > 2) return null;
  const det = (m.a * m.d - m.b * m.c) * by;
  if (!(Math.abs(det) > 1e-6)) return null;
  return (x, y, all) => {
    const dx = x - b[0] - b[2] / 2,
      dy = y - b[1] - b[3] / 2;
    const u = (m.d * dx - m.c * dy) / det,
      v = (m.a * dy - m.b * dx) / det;
    return all || (Math.abs(u) <= w && Math.abs(v) <= h) ? [u, v] : null;
  };
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
  const x = (s) => lengthOf(s, rect.width, by.x),
    y = (s) => lengthOf(s, rect.height, by.y);
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

// lengthOf a computed length or percentage, px.
const lengthOf = (s, full, by) => (s.endsWith('%') ? (parseFloat(s) / 100) * full : parseFloat(s) * by);

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
