// Hit tests: what lies over an element, asked of the browser itself at sample
// points of the part that could be seen.
//
// S-6 has five points, 2 px inside the edges. Here large and wrapped elements get
// more, and points go where a cover could be: into the overlap with every
// positioned element that is neither around nor inside. Only where something else
// is hit, an even grid measures how much of the element is left.

const INSET = 2;
const GRID = 100;       // points of the grid over a covered element
const GRIDS = 80;       // elements that get a grid; the rest keep their samples

// deepHit is the innermost element at a point, through shadow roots.
function deepHit(x, y, closed) {
  let el = document.elementFromPoint(x, y);
  while (el) {
    const root = el.shadowRoot || (closed && closed.get(el));
    if (!root) break;
    const inner = root.elementFromPoint(x, y);
    if (!inner || inner === el) break;
    el = inner;
  }
  return el;
}

// samplePoints of the visible rectangles of an element, largest first; the first
// point is the click point, the middle of the largest.
//
// Rounded corners are no part of the element: the corner points move in along the
// diagonal, (1 - 1/sqrt 2) of the radius. Of a turned element only the middle of
// its upright box surely is.
function samplePoints(rects, radius, turned) {
  const points = [];
  const max = Math.min(rects.length, 4);
  for (let k = 0; k < max; k++) {
    const r = rects[k];
    const cx = r.x + r.w / 2, cy = r.y + r.h / 2;
    points.push([cx, cy]);
    if (turned) {
      points.push([cx - r.w / 8, cy], [cx + r.w / 8, cy], [cx, cy - r.h / 8], [cx, cy + r.h / 8]);
      continue;
    }
    for (let c = 0; c < 4; c++) {
      const round = Math.min(radius[c], r.w / 2, r.h / 2) * 0.293;
      const ix = Math.min(INSET + round, r.w / 4 + round), iy = Math.min(INSET + round, r.h / 4 + round);
      points.push([c % 2 ? r.x + r.w - ix : r.x + ix, c < 2 ? r.y + iy : r.y + r.h - iy]);
    }
    if (k > 0) continue;
    if (r.w > 120) points.push([r.x + r.w / 4, cy], [r.x + (3 * r.w) / 4, cy]);
    if (r.h > 60) points.push([cx, r.y + r.h / 4], [cx, r.y + (3 * r.h) / 4]);
  }
  return points;
}

// overlapPoints are samples in what each layer shares with the element. Of boxes in
// the flow only a later one can lie over an earlier one, and one point will do.
function overlapPoints(i, rects, layers, out) {
  const points = [];
  let left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
  for (const r of rects) {
    left = Math.min(left, r.x); top = Math.min(top, r.y); right = Math.max(right, r.x + r.w); bottom = Math.max(bottom, r.y + r.h);
  }
  for (const layer of layers) {
    if (points.length >= 60) break;
    if (layer.l >= right || layer.r <= left || layer.t >= bottom || layer.b <= top || (layer.flow && layer.i < i)) continue;
    for (let k = 0; k < rects.length && k < 4; k++) {
      const r = rects[k];
      const l = Math.max(r.x, layer.l), t = Math.max(r.y, layer.t), m = Math.min(r.x + r.w, layer.r), b = Math.min(r.y + r.h, layer.b);
      if (m - l < 1 || b - t < 1) continue;
      if (within(out.parent, layer.i, i) || within(out.parent, i, layer.i)) break;
      points.push([(l + m) / 2, (t + b) / 2]);
      if (layer.flow) continue;
      const ix = Math.min(1.5, (m - l) / 4), iy = Math.min(1.5, (b - t) / 4);
      points.push([l + ix, t + iy], [m - ix, t + iy], [l + ix, b - iy], [m - ix, b - iy]);
    }
  }
  return points;
}

// gridPoints spreads about GRID points evenly over the rectangles, each for the
// same area.
function gridPoints(rects, inShape) {
  let area = 0;
  const used = rects.slice(0, 8);
  for (const r of used) area += r.w * r.h;
  const points = [];
  for (const r of used) {
    const n = Math.max(4, (GRID * r.w * r.h) / area);
    const nx = Math.max(2, Math.min(40, Math.round(Math.sqrt((n * r.w) / r.h)))), ny = Math.max(2, Math.min(40, Math.round(n / nx)));
    for (let y = 0; y < ny; y++) {
      for (let x = 0; x < nx; x++) {
        const px = r.x + ((x + 0.5) * r.w) / nx, py = r.y + ((y + 0.5) * r.h) / ny;
        if (inShape(px, py)) points.push([px, py]);
      }
    }
  }
  return points;
}

// roundedShape tells points inside a box with rounded corners from those outside.
function roundedShape(box, radius) {
  if (!radius[0] && !radius[1] && !radius[2] && !radius[3]) return () => true;
  const [l, t, w, h] = box;
  return (x, y) => {
    for (let c = 0; c < 4; c++) {
      const r = Math.min(radius[c], w / 2, h / 2);
      if (!r) continue;
      const cx = c % 2 ? l + w - r : l + r, cy = c < 2 ? t + r : t + h - r;
      const out = (c % 2 ? x > cx : x < cx) && (c < 2 ? y < cy : y > cy);
      if (out && (x - cx) * (x - cx) + (y - cy) * (y - cy) > r * r) return false;
    }
    return true;
  };
}

// within: inner is outer or inside it; descendants have larger indices.
function within(parent, outer, inner) {
  while (inner > outer) inner = parent[inner];
  return inner === outer;
}

// cornerRadii are the radii, px, top left, top right, bottom left, bottom right.
function cornerRadii(style, w, h) {
  const px = (v) => (v === '0px' ? 0 : (v.endsWith('%') ? (parseFloat(v) / 100) * Math.min(w, h) : parseFloat(v)) || 0);
  return [px(style.borderTopLeftRadius), px(style.borderTopRightRadius), px(style.borderBottomLeftRadius), px(style.borderBottomRightRadius)];
}

// visibleRects clips an element's boxes to what ancestors and viewport leave,
// largest first.
function visibleRects(i, out, opt) {
  const b = out.box;
  const all = out.rects.get(i) || [b[4 * i], b[4 * i + 1], b[4 * i + 2], b[4 * i + 3]];
  const c = out.clip.get(i);
  const found = [];
  for (let k = 0; k < all.length; k += 4) {
    let l = Math.max(all[k], 0), t = Math.max(all[k + 1], 0);
    let r = Math.min(all[k] + all[k + 2], opt.width), m = Math.min(all[k + 1] + all[k + 3], opt.height);
    if (c) { l = Math.max(l, c[0]); t = Math.max(t, c[1]); r = Math.min(r, c[0] + c[2]); m = Math.min(m, c[1] + c[3]); }
    if (r > l && m > t) found.push({ x: l, y: t, w: r - l, h: m - t });
  }
  if (found.length > 1) found.sort((a, b2) => b2.w * b2.h - a.w * a.h || a.y - b2.y || a.x - b2.x);
  return found;
}

// layersOf are the boxes in the viewport that may lie over others: positioned ones,
// and the candidates themselves, as boxes in the flow overlap too (flow).
function layersOf(out, opt, candidates) {
  const layers = [];
  for (const i of candidates) {
    if (out.flags[i] & FLAG_POSITIONED) continue;
    for (const r of visibleRects(i, out, opt).slice(0, 4)) layers.push({ i, l: r.x, t: r.y, r: r.x + r.w, b: r.y + r.h, flow: true });
  }
  for (let i = 0; i < out.els.length; i++) {
    if (!(out.flags[i] & FLAG_POSITIONED) || !(out.flags[i] & FLAG_IN_VIEWPORT) || out.hide[i] === VISIBILITY) continue;
    const [r] = visibleRects(i, out, opt);
    if (r) layers.unshift({ i, l: r.x, t: r.y, r: r.x + r.w, b: r.y + r.h, flow: false });
  }
  return layers;
}

// labelsOf are the places of a control's labels, which stand for it.
function labelPlaces(el, out) {
  const list = labelsOf(el);
  if (list.length === 0) return null;
  const found = [];
  for (const label of list) { const k = out.index.get(label); if (k !== undefined) found.push(k); }
  return found.length > 0 ? found : null;
}

// hitTest samples every candidate in the viewport. One row an element: how many of
// the points are a grid (after the first, the click point), then x, y and the
// element hit (-1 for none) of each point.
function hitTest(out, opt, candidates) {
  const deadline = performance.now() + opt.deadline;
  const layers = layersOf(out, opt, candidates);
  const parent = out.parent;
  let grids = 0;
  for (const i of candidates) {
    const rects = visibleRects(i, out, opt);
    if (rects.length === 0) continue;
    const el = out.els[i];
    const style = getComputedStyle(el);
    const b = out.box, box = [b[4 * i], b[4 * i + 1], b[4 * i + 2], b[4 * i + 3]];
    const radius = cornerRadii(style, box[2], box[3]);
    const turned = (out.flags[i] & FLAG_TURNED) !== 0;
    const inShape = turned || rects.length > 1 ? () => true : roundedShape(box, radius);
    const labels = labelPlaces(el, out);
    if (labels) pushList(out.labels, i, labels);
    let foreign = false;
    const test = (list, row) => {
      for (const [px, py] of list) {
        const x = round(px), y = round(py);
        const hit = deepHit(x, y, out.closed);
        const at = hit ? out.index.get(hit) : undefined;
        row.push(x, y, at === undefined ? -1 : at);
        if (at === undefined || within(parent, i, at) || within(parent, at, i)) continue;
        if (labels && labels.some((l) => within(parent, l, at))) continue;
        foreign = true;
      }
    };
    const row = [0];
    test(samplePoints(rects, radius, turned), row);
    if (!foreign && !turned && layers.length > 0) test(overlapPoints(i, rects, layers, out).filter(([x, y]) => inShape(x, y)), row);
    if (foreign && !turned && grids < GRIDS) {
      grids++;
      const even = [];
      test(gridPoints(rects, inShape), even);
      row[0] = even.length / 3;
      row.splice(4, 0, ...even);
    }
    pushList(out.hits, i, row);
    if (performance.now() > deadline) { out.limit = out.limit || 'hit deadline'; break; }
  }
}

// probe answers, for points x, y in this frame's viewport, the index of the element
// hit in the last collection, -1 for none. Frames ask their parents with it.
function probe(out, points) {
  const answer = [];
  for (let k = 0; k + 1 < points.length; k += 2) {
    const hit = deepHit(points[k], points[k + 1], out.closed);
    const at = hit ? out.index.get(hit) : undefined;
    answer.push(at === undefined ? -1 : at);
  }
  return answer;
}

// layoutHash changes when anything that was seen in the viewport moved: FNV-1a over
// the boxes of the candidates and the scroll position.
function layoutHash(out) {
  let h = 0x811c9dc5;
  const add = (v) => {
    const n = Math.round(v * 4) | 0;
    for (let s = 0; s < 32; s += 8) { h ^= (n >>> s) & 255; h = Math.imul(h, 0x01000193); }
  };
  add(scrollX); add(scrollY); add(innerWidth); add(innerHeight);
  for (const i of out.seen) {
    const r = out.els[i].getBoundingClientRect();
    add(r.left); add(r.top); add(r.width); add(r.height);
  }
  return (h >>> 0).toString(16).padStart(8, '0');
}
