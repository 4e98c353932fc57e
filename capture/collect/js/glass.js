// What a person sees, where that is not what a click reaches.
//
// Two things set them apart. Glass: a painted layer that ignores the pointer
// (pointer-events: none, or inert) lies over what a click still reaches. And the other way
// round, a layer that takes the pointer may let through what is below it: veils, empty
// catchers of clicks, the stretched ::after of a link. Both are judged by paint order
// (js/paint.js) and by what they let through (js/ink.js).

// Bits of a point, shared with collect.shade… in Go.
const SHADE_HIDDEN = 1,
  SHADE_SEEN = 2,
  SHADE_THROUGH = 4;

const GLASSES = 400; // layers that ignore the pointer, in one document
const STACKS = 4000; // points at which everything that takes the pointer is listed

// notePassers lists what is rendered and in view, and flags what of it ignores the
// pointer.
function notePassers(out) {
  out.inView = [];
  for (let i = 0; i < out.els.length; i++) {
    if (!(out.flags[i] & FLAG_IN_VIEWPORT) || (out.hide[i] !== SHOWN && out.hide[i] !== SKIPPED)) continue;
    out.inView.push(i);
    if (out.hide[i] === SKIPPED && out.flags[i] & FLAG_SVG && out.els[i].localName !== 'svg') continue; // a drawing is judged as a whole
    if (getComputedStyle(out.els[i]).pointerEvents === 'none') out.flags[i] |= FLAG_NO_POINTER;
  }
}

// dimmed is the joint opacity of an element and of what is around it, up to an
// element around both (-1: up to the root): what dims both alike hides nothing.
function dimmed(i, around, out) {
  let all = 1;
  for (; i >= 0 && i !== around; i = drawnIn(i, out)) all *= out.order.opacity(i);
  return all;
}

// common is the innermost element around both, -1 for none.
function common(parent, a, b) {
  while (a !== b) {
    if (a > b) a = parent[a];
    else b = parent[b];
  }
  return a;
}

// pseudoGlass is the ::before or ::after of a positioned element, laid over what is in
// it or beside it, that ignores the pointer; null where there is none.
function pseudoGlass(i, which, order, out) {
  const el = out.els[i],
    style = getComputedStyle(el, which);
  if (style.content === 'none' || style.content === 'normal' || style.pointerEvents !== 'none') return null;
  if (
    style.position !== 'absolute' ||
    style.display === 'none' ||
    style.visibility !== 'visible' ||
    style.transform !== 'none' ||
    out.flags[i] & FLAG_TURNED
  )
    return null;
  const px = (v) => parseFloat(v) || 0;
  const b = out.box,
    sx = el.offsetWidth > 0 ? b[4 * i + 2] / el.offsetWidth : 1,
    sy = el.offsetHeight > 0 ? b[4 * i + 3] / el.offsetHeight : 1;
  const [w, h] = pseudoSize(style);
  const box = [
    b[4 * i] + (el.clientLeft + px(style.left) + px(style.marginLeft)) * sx,
    b[4 * i + 1] + (el.clientTop + px(style.top) + px(style.marginTop)) * sy,
    w * sx,
    h * sy,
  ];
  return {
    i,
    pseudo: true,
    box,
    ink: background(style, box),
    dim: opacityOf(style),
    radius: cornerRadii(style, box[2], box[3]),
    key: out.order.pseudoKey(i, style, order),
  };
}

// inertRoots are the places of elements that are inert with all in them and may lie
// over others: those with the attribute, and popovers beside a modal dialog.
function inertRoots(out) {
  const found = new Set();
  const add = (el) => {
    const k = out.index.get(el);
    if (k !== undefined) found.add(k);
  };
  document.querySelectorAll('[inert]').forEach(add);
  const modals = Array.from(document.querySelectorAll('dialog')).filter(topLayer);
  if (modals.length > 0)
    document.querySelectorAll('[popover]').forEach((el) => {
      if (topLayer(el) && !modals.some((m) => m.contains(el))) add(el);
    });
  return found;
}

// glassOf lists the painted layers that ignore the pointer.
function glassOf(out, opt) {
  const found = [],
    view = out.view,
    roots = inertRoots(out);
  const isInert = (i) => {
    while (i >= 0 && !roots.has(i)) i = out.parent[i];
    return i >= 0;
  };
  const add = (g) => {
    if (typeof g.ink === 'number' && g.ink * g.dim < FAINT) return;
    g.l = Math.max(g.box[0], view.l);
    g.t = Math.max(g.box[1], view.t);
    g.r = Math.min(g.box[0] + g.box[2], view.r);
    g.b = Math.min(g.box[1] + g.box[3], view.b);
    const c = g.pseudo && !clips(getComputedStyle(out.els[g.i])) ? null : out.clip.get(g.i);
    if (c) {
      g.l = Math.max(g.l, c[0]);
      g.t = Math.max(g.t, c[1]);
      g.r = Math.min(g.r, c[0] + c[2]);
      g.b = Math.min(g.b, c[1] + c[3]);
    }
    if (!(g.r > g.l && g.b > g.t)) return;
    const [tl, tr, bl, br] = g.radius;
    if (!g.shape && (tl || tr || bl || br)) g.shape = roundedShape(g.box, g.radius);
    found.push(g);
  };
  for (const i of out.inView) {
    if (found.length >= GLASSES) break;
    const flags = out.flags[i],
      inert = roots.size > 0 && isInert(i);
    if (!inert && !(flags & (FLAG_NO_POINTER | FLAG_POSITIONED))) continue;
    const b = out.box,
      box = [b[4 * i], b[4 * i + 1], b[4 * i + 2], b[4 * i + 3]];
    if (flags & FLAG_NO_POINTER || inert) {
      const ink = inkOf(i, out);
      if (ink !== 0) {
        const style = getComputedStyle(out.els[i]);
        const shape = flags & FLAG_TURNED ? localOf(i, out) : undefined;
        add({
          i,
          pseudo: false,
          box,
          ink: shape === null ? GUESS : ink,
          dim: 1,
          radius: shape ? [0, 0, 0, 0] : cornerRadii(style, box[2], box[3]),
          shape,
          key: out.order.key(i),
        });
      }
    }
    if (flags & FLAG_POSITIONED && !(flags & FLAG_SVG)) {
      let end = i; // the last element inside
      const before = pseudoGlass(i, '::before', i + 0.5, out);
      if (before) add(before);
      const after = pseudoGlass(i, '::after', 0, out);
      if (after) {
        while (end + 1 < out.els.length && within(out.parent, i, end + 1)) end++;
        after.key[after.key.length - 1] = end + 0.5;
        add(after);
      }
    }
  }
  return found;
}

const clips = (style) => style.overflowX !== 'visible' || style.overflowY !== 'visible';

// ANYWHERE is the place of what a mask takes away, over all that is in its element.
const ANYWHERE = { i: -1, l: -1e9, t: -1e9, r: 1e9, b: 1e9, key: [Infinity] };

// maskOf is how much an element's mask takes away at a point, a number where it is the same everywhere; null where
// that is nothing, or not known: only gradients over all of the box are.
function maskOf(style, box) {
  if (!isMasked(style)) return null;
  const images = splitList(style.maskImage);
  const known = images.length === 1 ? /-gradient\(/ : /^linear-gradient\(/;
  if (!images.every((one) => known.test(one)) || /luminance/.test(style.maskMode)) return null;
  if (/[^ad, ]/.test(style.maskComposite || 'add') || !/^(?:auto|cover|100%|[, ])+$/.test(style.maskSize)) return null;
  const kept = background(
    { backgroundColor: 'transparent', backgroundImage: style.maskImage, backgroundSize: style.maskSize },
    box,
  );
  if (typeof kept === 'function') return (x, y) => 1 - kept(x, y);
  return kept === 1 || Math.abs(kept - GUESS) < 1e-6 ? null : 1 - kept;
}

// makeSight judges points of this walk's elements. Elements are indices.
function makeSight(out, opt) {
  const parent = out.parent,
    inks = new Map();
  const glasses = glassOf(out, opt);
  let stacks = 0;
  const ink = (i, x, y) => {
    let v = inks.get(i);
    if (v === undefined) inks.set(i, (v = inkOf(i, out)));
    return typeof v === 'function' ? v(x, y) : v;
  };
  const inside = (i, x, y) => {
    const b = out.box,
      k = 4 * i;
    return x >= b[k] && y >= b[k + 1] && x <= b[k] + b[k + 2] && y <= b[k + 1] + b[k + 3];
  };
  // winnerInk is the alpha of the element that a point hit. Beside its box that was its
  // backdrop or a pseudo-element of it.
  const winnerInk = (i, x, y) => {
    const el = out.els[i];
    if (out.flags[i] & FLAG_TURNED || inside(i, x, y)) return ink(i, x, y);
    if (topLayer(el)) return background(getComputedStyle(el, '::backdrop'), [0, 0, opt.width, opt.height]);
    let most = 0;
    for (const which of ['::before', '::after']) {
      const style = getComputedStyle(el, which);
      if (style.content === 'none' || style.content === 'normal') continue;
      const a = background(style, [x, y, 1, 1]);
      most = Math.max(most, typeof a === 'number' ? a : GUESS);
    }
    return most;
  };
  // takersAt adds every element of this document that takes the pointer at a point.
  const takersAt = (x, y, into) => {
    const roots = [document],
      asked = new Set(roots);
    while (roots.length > 0) {
      for (const el of roots.pop().elementsFromPoint(x, y)) {
        const root = el.shadowRoot || (out.closed && out.closed.get(el));
        if (root && !asked.has(root)) {
          asked.add(root);
          roots.push(root);
        }
        const k = out.index.get(el);
        if (k !== undefined) into.add(k);
      }
    }
  };

  // givesBackground: the element is a body whose background fills the window instead of its box (CSS Backgrounds,
  // 2.11.2).
  const givesBackground = (k) => {
    if (out.els[k] !== document.body) return false;
    const root = getComputedStyle(document.documentElement);
    return colorAlpha(root.backgroundColor) === 0 && root.backgroundImage === 'none';
  };

  // over is what may lie over element i: the glass near it, as a judge of points.
  // crowded: several positioned layers are near, so one may hide behind another.
  // judge(at, own, x, y) gives {bits, by}: at is the element hit there, own whether
  // that belongs to i. by is the glass that takes most, -1 for none.
  function over(i, rects, crowded) {
    let l = 1e9,
      t = 1e9,
      r = -1e9,
      b = -1e9;
    for (const q of glasses.length > 0 ? rects : []) {
      l = Math.min(l, q.x);
      t = Math.min(t, q.y);
      r = Math.max(r, q.x + q.w);
      b = Math.max(b, q.y + q.h);
    }
    const near = [];
    for (const g of glasses) {
      if (
        g.l >= r ||
        g.r <= l ||
        g.t >= b ||
        g.b <= t ||
        within(parent, i, g.i) ||
        (!g.pseudo && within(parent, g.i, i))
      )
        continue;
      near.push({ g, dim: g.dim * dimmed(g.i, common(parent, g.i, i), out) });
    }
    for (let k = out.masks.size > 0 ? i : -1; k >= 0; k = drawnIn(k, out))
      if (out.masks.has(k)) near.push({ g: { ...ANYWHERE, ink: out.masks.get(k) }, dim: 1 });
    const passes = (out.flags[i] & FLAG_NO_POINTER) !== 0;
    const alone = new Map(); // hit → how often nothing else lay between
    const enough = crowded ? 5 : 1;
    // What is around an element with a negative z-index, up to the stacking context, is painted over it. The body's
    // background is painted below everything where the root has none of its own.
    let holders = null;
    const above = () => {
      if (holders !== null) return holders;
      holders = [];
      const key = out.order.key(i);
      for (let k = parent[i]; k >= 0; k = parent[k])
        if (!(out.flags[k] & FLAG_CONTENTS) && keyAbove(out.order.key(k), key)) holders.push(k);
      return holders;
    };
    return {
      near,
      // below: element k is around it and painted over it. drawnAt: it lies at the point, whatever is over it.
      below: (k) => above().includes(k),
      drawnAt(x, y) {
        const all = new Set();
        takersAt(x, y, all);
        for (const k of all) if (within(parent, i, k)) return true;
        return false;
      },
      judge(at, own, x, y) {
        let clear = 1,
          through = false,
          by = -1,
          most = 0;
        const key = out.order.key(own ? at : i);
        for (const { g, dim } of near) {
          if (x < g.l || y < g.t || x > g.r || y > g.b || (g.shape && !g.shape(x, y)) || !keyAbove(g.key, key))
            continue;
          const a = dim * (typeof g.ink === 'function' ? g.ink(x, y) : g.ink);
          if (a < FAINT) continue;
          clear *= 1 - a;
          if (g.i < 0) continue;
          through = through || own;
          if (a > most) {
            most = a;
            by = g.i;
          }
        }
        for (const k of above()) if (inside(k, x, y) && !givesBackground(k)) clear *= 1 - ink(k, x, y);
        const taken = !own && at >= 0 && !within(parent, at, i);
        if (taken && clear > 1 - COVER) {
          const around = common(parent, at, i),
            seen = new Set();
          const take = (k, alpha) => {
            if (alpha > 0) clear *= 1 - alpha * dimmed(k, around, out);
          };
          for (let k = at; k >= 0 && k !== around; k = parent[k]) {
            seen.add(k);
            if (out.flags[k] & FLAG_CONTENTS || !keyAbove(out.order.key(k), key)) continue;
            if (k === at) take(k, winnerInk(k, x, y));
            else if (inside(k, x, y)) take(k, ink(k, x, y));
          }
          const times = alone.get(at) || 0;
          if (clear > 1 - COVER && times < enough && stacks < STACKS) {
            stacks++;
            const all = new Set();
            takersAt(x, y, all);
            let other = false;
            for (const k of all) {
              if (seen.has(k) || within(parent, i, k) || within(parent, k, i) || !keyAbove(out.order.key(k), key))
                continue;
              const a = ink(k, x, y);
              if (a > 0) {
                other = true;
                const up = common(parent, k, i);
                clear *= 1 - a * dimmed(k, up, out);
              }
            }
            alone.set(at, other ? -1e9 : times + 1);
          }
        }
        const hidden = clear <= 1 - COVER;
        let bits = 0;
        if (taken && !hidden) bits = SHADE_SEEN;
        else if (hidden && (passes || !taken)) bits = SHADE_HIDDEN;
        return { bits: bits | (through ? SHADE_THROUGH : 0), by };
      },
    };
  }
  return { over, glasses };
}
