// Hit tests: what lies over an element, asked of the browser itself at sample
// points of the part that could be seen.
//
// S-6 has five points, 2 px inside the edges. Here large and wrapped elements get
// more, and points go where a cover could be: into the overlap with every
// positioned element that is neither around nor inside. Only where something else
// is hit, or glass lies over a part (js/glass.js), an even grid measures how much of
// the element is left; and where its middle is not its own, what of it is.

const INSET = 2;
const GRID = 100; // points of the grid over a covered element
const GOLDEN = (Math.sqrt(5) - 1) / 2;
const GRIDS = 80; // elements that get a grid; the rest keep their samples
const LAYERS = 300; // layers that make each hit test slow: the browser looks at all of them

// samplePoints of the visible rectangles of an element, largest first; the first
// point is the middle of the largest, which mostly is the click point (pressPlace).
//
// Rounded corners are no part of the element: the corner points move in along the
// diagonal, (1 - 1/sqrt 2) of the radius. Of a turned element only the middle of
// its upright box surely is.
function samplePoints(rects, radius, turned) {
  const points = [];
  const max = Math.min(rects.length, 4);
  for (let k = 0; k < max; k++) {
    const r = rects[k];
    const cx = r.x + r.w / 2,
      cy = r.y + r.h / 2;
    points.push([cx, cy]);
    if (turned) {
      points.push([cx - r.w / 8, cy], [cx + r.w / 8, cy], [cx, cy - r.h / 8], [cx, cy + r.h / 8]);
      continue;
    }
    for (let c = 0; c < 4; c++) {
      const round = Math.min(radius[c], r.w / 2, r.h / 2) * 0.293;
      const ix = Math.min(INSET + round, r.w / 4 + round),
        iy = Math.min(INSET + round, r.h / 4 + round);
      points.push([c % 2 ? r.x + r.w - ix : r.x + ix, c < 2 ? r.y + iy : r.y + r.h - iy]);
    }
    if (k > 0) continue;
    if (r.w > 120) points.push([r.x + r.w / 4, cy], [r.x + (3 * r.w) / 4, cy]);
    if (r.h > 60) points.push([cx, r.y + r.h / 4], [cx, r.y + (3 * r.h) / 4]);
  }
  return points;
}

// outlinePoints are samples where a part of a drawing surely is drawn: its middle may be that of a ring, and a line is
// thin in a large box.
function outlinePoints(el, rects) {
  const shapes = el instanceof SVGGeometryElement ? [el] : [...el.querySelectorAll('*')];
  const points = [];
  for (const shape of shapes.filter((s) => s instanceof SVGGeometryElement).slice(0, 4)) {
    const at = shape.getScreenCTM(),
      length = at ? shape.getTotalLength() : 0;
    for (const part of length > 0 ? [0.1, 0.3, 0.5, 0.7, 0.9] : []) {
      const { x, y } = shape.getPointAtLength(part * length).matrixTransform(at);
      if (rects.some((r) => x >= r.x && y >= r.y && x < r.x + r.w && y < r.y + r.h)) points.push([x, y]);
    }
  }
  return points;
}

// overlapPoints are samples in what each layer shares with the element. Of boxes in
// the flow only a later one can lie over an earlier one, and one point will do.
function overlapPoints(i, rects, layers, out) {
  const points = [];
  let left = 1e9,
    top = 1e9,
    right = -1e9,
    bottom = -1e9;
  for (const r of rects) {
    left = Math.min(left, r.x);
    top = Math.min(top, r.y);
    right = Math.max(right, r.x + r.w);
    bottom = Math.max(bottom, r.y + r.h);
  }
  for (const layer of layers) {
    if (points.length >= 60) break;
    if (layer.l >= right || layer.r <= left || layer.t >= bottom || layer.b <= top || (layer.flow && layer.i < i))
      continue;
    for (let k = 0; k < rects.length && k < 4; k++) {
      const r = rects[k];
      const l = Math.max(r.x, layer.l),
        t = Math.max(r.y, layer.t),
        m = Math.min(r.x + r.w, layer.r),
        b = Math.min(r.y + r.h, layer.b);
      if (m - l < 1 || b - t < 1) continue;
      if ((!layer.pseudo && within(out.parent, layer.i, i)) || within(out.parent, i, layer.i)) break;
      points.push([(l + m) / 2, (t + b) / 2]);
      if (layer.flow) continue;
      const ix = Math.min(1.5, (m - l) / 4),
        iy = Math.min(1.5, (b - t) / 4);
      points.push([l + ix, t + iy], [m - ix, t + iy], [l + ix, b - iy], [m - ix, b - iy]);
    }
  }
  return points;
}

// crowd counts the positioned layers near an element that are not around or in it.
function crowd(i, rects, positioned, parent) {
  let n = 0;
  for (const layer of positioned) {
    if (
      rects.some((r) => layer.l < r.x + r.w && layer.r > r.x && layer.t < r.y + r.h && layer.b > r.y) &&
      !within(parent, layer.i, i) &&
      !within(parent, i, layer.i)
    )
      n++;
    if (n > 1) break;
  }
  return n;
}

// gridPoints spreads about GRID points evenly over the rectangles, each for the
// same area. They lie on a lattice by the golden section, not in rows: covers end
// along straight lines, and a row is then over the line or below it as a whole.
function gridPoints(rects, inShape) {
  let area = 0;
  const used = rects.slice(0, 8);
  for (const r of used) area += r.w * r.h;
  const points = [];
  for (const r of used) {
    const n = Math.max(4, Math.round((GRID * r.w * r.h) / area));
    // Hits are on whole pixels: nearer than 1 px to the edge may be the neighbour's.
    const ix = Math.min(1, r.w / 4),
      iy = Math.min(1, r.h / 4);
    const clamp = (v, low, high) => Math.min(Math.max(v, low), high);
    for (let k = 0; k < n; k++) {
      const px = clamp(r.x + ((k + 0.5) / n) * r.w, r.x + ix, r.x + r.w - ix),
        py = clamp(r.y + (((k + 0.5) * GOLDEN) % 1) * r.h, r.y + iy, r.y + r.h - iy);
      if (inShape(px, py)) points.push([px, py]);
    }
  }
  return points;
}

// roundedShape separates points inside a box with rounded corners from those outside.
function roundedShape(box, radius) {
  if (!radius[0] && !radius[1] && !radius[2] && !radius[3]) return () => true;
  const [l, t, w, h] = box;
  return (x, y) => {
    for (let c = 0; c < 4; c++) {
      const r = Math.min(radius[c], w / 2, h / 2);
      if (!r) continue;
      const cx = c % 2 ? l + w - r : l + r,
        cy = c < 2 ? t + r : t + h - r;
      const out = (c % 2 ? x > cx : x < cx) && (c < 2 ? y < cy : y > cy);
      if (out && (x - cx) * (x - cx) + (y - cy) * (y - cy) > r * r) return false;
    }
    return true;
  };
}

// coverOf is what took a point from element i, where a hit test found element at: the
// outermost element around that which does not hold i too, and itself lies over i there. It
// takes the pointer, its box holds the point, and it is painted later. A branch of the page whose
// box ends elsewhere covers nothing, whatever hangs from it.
function coverOf(i, at, x, y, out) {
  const { parent, order } = out;
  const mine = order.key(i);
  let cover = at;
  for (let k = parent[at]; k >= 0 && !within(parent, k, i); k = parent[k]) {
    if (out.flags[k] & (FLAG_NO_POINTER | FLAG_CONTENTS)) continue;
    if (takes(visibleRects(k, out), x, y) && keyAbove(order.key(k), mine)) cover = k;
  }
  return cover;
}

// takes reports whether a click at the point meets one of the boxes: Chrome tests the square of
// one px that begins at the point.
const takes = (rects, x, y) => rects.some((r) => x < r.x + r.w && x + 1 > r.x && y < r.y + r.h && y + 1 > r.y);

// within: inner is outer or inside it; descendants have larger indices.
function within(parent, outer, inner) {
  while (inner > outer) inner = parent[inner];
  return inner === outer;
}

// cornerRadii are the radii, px, top left, top right, bottom left, bottom right.
function cornerRadii(style, w, h) {
  const px = (v) => (v === '0px' ? 0 : (v.endsWith('%') ? (parseFloat(v) / 100) * Math.min(w, h) : parseFloat(v)) || 0);
  return [
    px(style.borderTopLeftRadius),
    px(style.borderTopRightRadius),
    px(style.borderBottomLeftRadius),
    px(style.borderBottomRightRadius),
  ];
}

// viewOf is the part of this frame's viewport that can be seen in the top one, px.
// opt.view gives it in parts of the viewport, as a frame's own size is known here only.
function viewOf(opt) {
  const [l, t, r, b] = opt.view || [0, 0, 1, 1];
  return { l: l * opt.width, t: t * opt.height, r: r * opt.width, b: b * opt.height };
}

// visibleRects clips an element's boxes to what ancestors and viewport leave,
// largest first.
function visibleRects(i, out) {
  const view = out.view;
  const b = out.box;
  const all = out.rects.get(i) || [b[4 * i], b[4 * i + 1], b[4 * i + 2], b[4 * i + 3]];
  const c = out.clip.get(i);
  const found = [];
  for (let k = 0; k < all.length; k += 4) {
    let l = Math.max(all[k], view.l),
      t = Math.max(all[k + 1], view.t);
    let r = Math.min(all[k] + all[k + 2], view.r),
      m = Math.min(all[k + 1] + all[k + 3], view.b);
    if (c) {
      l = Math.max(l, c[0]);
      t = Math.max(t, c[1]);
      r = Math.min(r, c[0] + c[2]);
      m = Math.min(m, c[1] + c[3]);
    }
    if (r > l && m > t) found.push({ x: l, y: t, w: r - l, h: m - t });
  }
  if (found.length > 1) found.sort((a, b2) => b2.w * b2.h - a.w * a.h || a.y - b2.y || a.x - b2.x);
  return found;
}

// EVERYWHERE is the place of what may lie anywhere.
const EVERYWHERE = { l: -1e9, t: -1e9, r: 1e9, b: 1e9 };

// shifted reports whether a box is moved by another property than transform.
const shifted = (style) =>
  [style.translate, style.rotate, style.scale, style.offsetPath].some((v) => v && v !== 'none');

// placedPseudo is the place of a ::before or ::after of element i that is placed out of the flow and takes clicks, null
// where there is none.
function placedPseudo(i, which, out) {
  const el = out.els[i],
    style = getComputedStyle(el, which);
  if (
    style.content === 'none' ||
    style.content === 'normal' ||
    style.display === 'none' ||
    style.visibility !== 'visible' ||
    style.pointerEvents === 'none' ||
    !(style.position === 'absolute' || style.position === 'fixed')
  )
    return null;
  const px = (v) => parseFloat(v) || 0;
  const [w, h] = pseudoSize(style);
  const m = new DOMMatrix(style.transform === 'none' ? '' : style.transform);
  // In what is turned, or drawn in another size, a px of the style is none of the viewport.
  const sized = el.offsetWidth > 0 && Math.abs(out.box[4 * i + 2] - el.offsetWidth) > 1;
  if (shifted(style) || sized || !m.is2D || out.flags[i] & FLAG_TURNED) return EVERYWHERE;
  const corner = paddingCorner(el, style.position === 'fixed');
  const x = corner.left + px(style.left) + px(style.marginLeft),
    y = corner.top + px(style.top) + px(style.marginTop);
  const [ox, oy] = style.transformOrigin.split(' ').map(px);
  const at = [
    [0, 0],
    [w, 0],
    [0, h],
    [w, h],
  ].map(([u, v]) => [x + ox + m.a * (u - ox) + m.c * (v - oy) + m.e, y + oy + m.b * (u - ox) + m.d * (v - oy) + m.f]);
  const xs = at.map((p) => p[0]),
    ys = at.map((p) => p[1]);
  return { l: Math.min(...xs), t: Math.min(...ys), r: Math.max(...xs), b: Math.max(...ys) };
}

// withoutBox calls each for what takes clicks and is no box of an element that was read: what a style sheet places, and
// what keeps itself out. It is given the element that a click there reaches, and the place.
function withoutBox(out, each) {
  const placed = out.generated.placed;
  for (let i = 0; i < out.els.length; i++) {
    const hide = out.hide[i];
    if (hide === OPT_OUT) {
      for (const r of out.els[i].getClientRects()) each(i, { l: r.left, t: r.top, r: r.right, b: r.bottom });
    }
    if (hide !== OPT_OUT && hide !== SHOWN && hide !== SKIPPED && hide !== ZERO_BOX) continue;
    if (placed !== null ? !placed.has(out.els[i]) : !(out.flags[i] & FLAG_IN_VIEWPORT) && hide !== ZERO_BOX) continue;
    for (const which of ['::before', '::after']) {
      const box = placedPseudo(i, which, out);
      if (box !== null) each(i, box);
    }
  }
}

// layersOf are the boxes in the viewport that may lie over others: positioned ones,
// glass, what has no box of its own, and the candidates themselves, as boxes in the flow overlap too (flow).
function layersOf(out, candidates, glasses) {
  const layers = [];
  for (const i of candidates) {
    if (out.flags[i] & FLAG_POSITIONED) continue;
    for (const r of visibleRects(i, out).slice(0, 4))
      layers.push({ i, l: r.x, t: r.y, r: r.x + r.w, b: r.y + r.h, flow: true });
  }
  for (let i = 0; i < out.els.length; i++) {
    if (!(out.flags[i] & FLAG_POSITIONED) || !(out.flags[i] & FLAG_IN_VIEWPORT) || out.hide[i] === VISIBILITY) continue;
    const [r] = visibleRects(i, out);
    if (r) layers.unshift({ i, l: r.x, t: r.y, r: r.x + r.w, b: r.y + r.h, flow: false });
  }
  const view = out.view;
  withoutBox(out, (i, { l, t, r, b }) => {
    if (r > l && b > t && r - l < 1e9 && l < view.r && r > view.l && t < view.b && b > view.t)
      layers.unshift({ i, l, t, r, b, flow: false, pseudo: out.hide[i] !== OPT_OUT });
  });
  for (const g of glasses) {
    if (g.pseudo || !(out.flags[g.i] & FLAG_POSITIONED))
      layers.unshift({ i: g.i, l: g.l, t: g.t, r: g.r, b: g.b, flow: false, pseudo: g.pseudo });
  }
  return layers;
}

// holdsLayers tells whether a document has so many layers that hit tests are spared: each
// costs about 1 µs a layer. What is positioned makes one, and a text field does.
function holdsLayers(out) {
  let n = 0;
  for (let i = 0; i < out.els.length && n <= LAYERS; i++) {
    if (out.flags[i] & FLAG_POSITIONED || FIELD_TAGS.test(out.els[i].localName)) n++;
  }
  return n > LAYERS;
}
const NEAR = 50;
const FIELD_TAGS = /^(input|textarea|select)$/;

// makeAlone gives a test for elements that nothing in view comes near but what is around or
// inside them: one point will do for these, if it is their own. A pseudo-element in the flow is taken to lie anywhere
// within its element and NEAR px and its own size around that.
function makeAlone(out) {
  const boxes = [];
  const add = (i, l, t, r, b) => boxes.push({ i, l: l + 1, t: t + 1, r: r - 1, b: b - 1 });
  const range = document.createRange();
  const b = out.box,
    far = NEAR + Math.max(out.view.r, out.view.b);
  for (let i = 0; i < out.els.length; i++) {
    const k = 4 * i,
      empty = out.hide[i] === ZERO_BOX;
    if ((!empty && out.hide[i] !== SHOWN && out.hide[i] !== SKIPPED) || (!empty && !(out.flags[i] & FLAG_IN_VIEWPORT)))
      continue;
    if (empty && (b[k] > far || b[k + 1] > far || b[k] + b[k + 2] < -far || b[k + 1] + b[k + 3] < -far)) continue;
    if (empty) {
      // what is drawn of it lies outside of its box
      range.selectNodeContents(out.els[i]);
      for (const r of range.getClientRects()) add(i, r.left, r.top, r.right, r.bottom);
    } else for (const q of visibleRects(i, out)) add(i, q.x, q.y, q.x + q.w, q.y + q.h);
    for (const which of ['::before', '::after']) {
      const style = getComputedStyle(out.els[i], which);
      if (style.content === 'none' || style.content === 'normal' || /^(absolute|fixed)$/.test(style.position)) continue;
      const px = (v) => Math.abs(parseFloat(v) || 0),
        moved = style.transform === 'none' && !shifted(style) ? 0 : 1e9;
      const x = NEAR + moved + px(style.width) + px(style.marginLeft) + px(style.marginRight) + px(style.left),
        y = NEAR + moved + px(style.height) + px(style.marginTop) + px(style.marginBottom) + px(style.top);
      add(i, b[k] - x, b[k + 1] - y, b[k] + b[k + 2] + x, b[k + 1] + b[k + 3] + y);
    }
  }
  withoutBox(out, (i, { l, t, r, b }) => add(i, l, t, r, b));
  // Text that leaves its element's box takes clicks there.
  for (let k = 0; k < out.textRects.length; k += 2 + out.textRects[k + 1]) {
    for (let at = k + 2; at < k + 2 + out.textRects[k + 1]; at += 4) {
      const [l, t, w, h] = out.textRects.slice(at, at + 4);
      add(out.textRects[k], l, t, l + w, t + h);
    }
  }
  boxes.sort((a, b) => a.t - b.t);
  return (i, rects) => {
    // Drawings and formulas are not their boxes. Samples lie INSET px inside: of less than
    // four times that, those of a neighbour that only touches may be hit.
    if (out.els[i].namespaceURI !== HTML || rects.some((r) => Math.min(r.w, r.h) < 4 * INSET)) return false;
    let left = 1e9,
      top = 1e9,
      right = -1e9,
      bottom = -1e9;
    for (const r of rects) {
      left = Math.min(left, r.x);
      top = Math.min(top, r.y);
      right = Math.max(right, r.x + r.w);
      bottom = Math.max(bottom, r.y + r.h);
    }
    for (const q of boxes) {
      if (q.t >= bottom) break;
      if (q.b > top && q.l < right && q.r > left && !within(out.parent, q.i, i) && !within(out.parent, i, q.i))
        return false;
    }
    return true;
  };
}

// standFor is what stands for a control: the places of its labels, and of what in them is operated itself; whole where
// the control is where a label is. For a label its control stands. Null where there is none.
function standFor(el, i, out) {
  const labels = [],
    apart = [];
  for (const label of el.localName === 'label' ? [el.control] : labelsOf(el)) {
    const l = out.index.get(label);
    if (l === undefined) continue;
    labels.push(l);
    for (let k = l + 1; k < out.els.length && out.parent[k] >= l; k++)
      if (k !== i && Element.prototype.matches.call(out.els[k], OPERATED)) apart.push(k);
  }
  if (labels.length === 0) return null;
  const whole = labels.some((l) => [0, 1, 2, 3].every((k) => out.box[4 * l + k] === out.box[4 * i + k]));
  return { labels, apart, whole };
}

// outerPoints are samples in what each box of the frames around (opt.over, see
// viewOf) shares with the element. Those that hold all of it need none of their own.
function outerPoints(rects, boxes) {
  const points = [];
  for (const o of boxes) {
    for (let k = 0; k < rects.length && k < 4; k++) {
      const r = rects[k];
      const l = Math.max(r.x, o.l),
        t = Math.max(r.y, o.t),
        m = Math.min(r.x + r.w, o.r),
        b = Math.min(r.y + r.h, o.b);
      if (m - l < 1 || b - t < 1 || (m - l > r.w - 1 && b - t > r.h - 1)) continue;
      const ix = Math.min(1.5, (m - l) / 4),
        iy = Math.min(1.5, (b - t) / 4);
      points.push([(l + m) / 2, (t + b) / 2], [l + ix, t + iy], [m - ix, t + iy], [l + ix, b - iy], [m - ix, b - iy]);
    }
    if (points.length >= 60) break;
  }
  return points;
}

// hitTest samples every candidate in the viewport. One row an element: how many of
// the points are a grid (after the first, the click point), then x, y and the
// element hit (-1 for none) of each point. Where a person sees something else there
// than what a click reaches, or the coverer is not the element hit, out.shades has the
// point's number, its bits (js/glass.js), the layer (-1 for none) and the coverer.
function hitTest(out, opt, candidates) {
  const deadline = performance.now() + opt.deadline;
  out.order = out.order || makeOrder(out);
  out.sight = out.sight || makeSight(out, opt);
  const layers = layersOf(out, candidates, out.sight.glasses),
    positioned = layers.filter((layer) => !layer.flow);
  const outer = [];
  for (let k = 0; opt.over && k + 3 < opt.over.length; k += 4) {
    outer.push({
      l: opt.over[k] * opt.width,
      t: opt.over[k + 1] * opt.height,
      r: (opt.over[k] + opt.over[k + 2]) * opt.width,
      b: (opt.over[k + 1] + opt.over[k + 3]) * opt.height,
    });
  }
  const parent = out.parent;
  const alone = outer.length === 0 && holdsLayers(out) ? makeAlone(out) : null;
  let grids = 0;
  let last = { x: NaN, y: NaN, hit: null };
  const hitAt = (px, py) => {
    const x = round(px),
      y = round(py);
    if (x !== last.x || y !== last.y) last = { x, y, hit: deepHit(x, y, out.closed) };
    return last.hit;
  };
  for (const i of candidates) {
    const rects = visibleRects(i, out);
    if (rects.length === 0) continue;
    const el = out.els[i];
    const style = getComputedStyle(el);
    const b = out.box,
      box = [b[4 * i], b[4 * i + 1], b[4 * i + 2], b[4 * i + 3]];
    const radius = cornerRadii(style, box[2], box[3]);
    const turned = (out.flags[i] & FLAG_TURNED) !== 0,
      passes = (out.flags[i] & FLAG_NO_POINTER) !== 0;
    const window = FRAME_TAGS.test(el.localName);
    const flat = turned && rects.length === 1 ? localOf(i, out) : null; // what of the upright box is the element
    const inShape = flat || (turned || rects.length > 1 ? () => true : roundedShape(box, radius));
    const stand = standFor(el, i, out);
    if (stand) pushList(out.labels, i, [...stand.labels, ...stand.apart.map((k) => ~k)]);
    const holds = (list, at) => list.some((k) => within(parent, k, at));
    const sight = out.sight.over(i, rects, positioned.length > 1 && crowd(i, rects, positioned, parent) > 1);
    let foreign = false,
      missed = false, // what is around is hit in the middle
      hidden = 0,
      seen = 0;
    const covers = new Set();
    const shade = (k, at, own, x, y) => {
      const v = sight.judge(at, own, x, y);
      if (v.bits & SHADE_HIDDEN) hidden++;
      else seen++;
      if (v.by >= 0 && v.bits & (SHADE_HIDDEN | SHADE_THROUGH)) covers.add(v.by);
      const cover = own || at < 0 ? at : coverOf(i, at, x, y, out);
      return v.bits || cover !== at ? [k, v.bits, v.by, cover] : [];
    };
    const test = (list, row, shades) => {
      for (const [px, py] of list) {
        const x = round(px),
          y = round(py),
          k = (row.length - 1) / 3;
        const hit = hitAt(x, y);
        const found = hit ? out.index.get(hit) : undefined,
          at = found === undefined ? -1 : found;
        row.push(x, y, at);
        const apart = stand !== null && at >= 0 && holds(stand.apart, at);
        const own = at >= 0 && (within(parent, i, at) || (stand !== null && !apart && holds(stand.labels, at)));
        const around = at < 0 || (!own && (within(parent, at, i) || (apart && stand.whole)));
        if (k === 0) missed = around && at >= 0;
        if (!around && !own) {
          foreign = true;
          covers.add(at);
          shades.push(...shade(k, at, false, x, y));
        } else if (sight.near.length > 0 && (own || passes)) shades.push(...shade(k, at, own, x, y));
        else if (passes) seen++;
        else if (around && sight.below(at) && sight.drawnAt(x, y)) {
          const [, bits = 0, by = -1] = shade(k, at, false, x, y);
          shades.push(k, bits || SHADE_SEEN, by, at);
        }
      }
    };
    const row = [0],
      shades = [];
    const points = samplePoints(rects, radius, turned);
    const place = pressPlace(el, rects[0], hitAt);
    if (place[0] !== points[0][0] || place[1] !== points[0][1]) points.unshift(place);
    if (alone !== null && !turned && sight.near.length === 0 && alone(i, rects)) {
      const rest = points.splice(1);
      test(points, row, shades);
      if (missed) test(rest, row, shades);
    } else test(points, row, shades);
    if (missed && out.flags[i] & FLAG_SVG) test(outlinePoints(el, rects), row, shades);
    const more = outer.length > 0 && !turned ? outerPoints(rects, outer) : [];
    if ((!foreign || window) && (!turned || flat) && layers.length > 0)
      more.push(...overlapPoints(i, rects, layers, out));
    if (more.length > 0)
      test(
        more.filter(([x, y]) => inShape(x, y)),
        row,
        shades,
      );
    const uneven =
      ((foreign || missed) && !passes) ||
      (hidden > 0 && seen > 0) ||
      (outer.length > 0 && outerPoints(rects, outer).length > 0);
    if (uneven && (!turned || flat) && grids < GRIDS) {
      grids++;
      const even = [0],
        evenShades = [];
      test(gridPoints(rects, inShape), even, evenShades);
      const n = (even.length - 1) / 3;
      row[0] = n;
      row.splice(4, 0, ...even.slice(1));
      for (let k = 0; k < shades.length; k += 4) if (shades[k] > 0) shades[k] += n;
      for (let k = 0; k < evenShades.length; k += 4) evenShades[k] += 1;
      shades.push(...evenShades);
    }
    pushList(out.hits, i, row);
    if (shades.length > 0) pushList(out.shades, i, shades);
    if (window && covers.size > 0) pushList(out.over, i, coverBoxes(covers, out));
    if (performance.now() > deadline) {
      out.limit = out.limit || 'hit deadline';
      break;
    }
  }
}

const FRAME_TAGS = /^(iframe|frame|object|embed|fencedframe)$/;

// coverBoxes are the boxes (x, y, w, h) of what lies over a frame element, for the
// walk of the frame, which cannot see it.
function coverBoxes(covers, out) {
  const boxes = [];
  for (const k of covers) {
    for (const r of visibleRects(k, out).slice(0, 4)) boxes.push(round(r.x), round(r.y), round(r.w), round(r.h));
    if (boxes.length >= 4 * 64) break;
  }
  return boxes;
}

// probe answers, for points x, y in this frame's viewport, the index of the element
// hit in the last collection, -1 for none. Frames ask their parents with it. With
// owners, one element (a frame's) for each point, each answer is the element, the bits
// of js/glass.js as that owner is seen there, the layer (-1 for none) and the coverer.
function probe(out, points, owners) {
  const answer = [],
    sights = new Map();
  for (let k = 0; k + 1 < points.length; k += 2) {
    const x = points[k],
      y = points[k + 1];
    const hit = deepHit(x, y, out.closed);
    const found = hit ? out.index.get(hit) : undefined,
      at = found === undefined ? -1 : found;
    answer.push(at);
    if (!owners) continue;
    const owner = owners[k / 2];
    let sight = sights.get(owner);
    if (!sight && out.sight) sights.set(owner, (sight = out.sight.over(owner, visibleRects(owner, out), true)));
    const own = at >= 0 && within(out.parent, owner, at);
    const v = !sight || (own && sight.near.length === 0) ? { bits: 0, by: -1 } : sight.judge(at, own, x, y);
    answer.push(v.bits, v.by, own || at < 0 || within(out.parent, at, owner) ? at : coverOf(owner, at, x, y, out));
  }
  return answer;
}

// layoutHash changes when anything that was seen in the viewport moved: FNV-1a over
// the boxes of the candidates and the scroll position.
function layoutHash(out) {
  let h = 0x811c9dc5;
  const add = (v) => {
    const n = Math.round(v * 4) | 0;
    for (let s = 0; s < 32; s += 8) {
      h ^= (n >>> s) & 255;
      h = Math.imul(h, 0x01000193);
    }
  };
  add(scrollX);
  add(scrollY);
  add(innerWidth);
  add(innerHeight);
  for (const i of out.seen) {
    const r = out.els[i].getBoundingClientRect();
    add(r.left);
    add(r.top);
    add(r.width);
    add(r.height);
  }
  return (h >>> 0).toString(16).padStart(8, '0');
}

// heldBy is what the fields that were seen hold, which changes without a mutation, as one text that stays in the page.
function heldBy(out) {
  const held = [];
  for (const i of out.seen) {
    const el = out.els[i];
    if (/^(input|textarea|select)$/.test(el.localName)) held.push(el.value, el.checked, el.selectedIndex);
  }
  return held.join('\0');
}
