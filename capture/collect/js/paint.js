// Paint order: which of two elements lies over the other, by the rules of CSS 2.2
// Appendix E with stacking contexts, flex and grid items and the top layer.
//
// Hit tests answer that for whatever takes the pointer. Layers that ignore it
// (pointer-events: none) are never hit, so for them the order is worked out here, from
// the computed styles of the few elements concerned and of what is around them.

// How an element takes part: in its layer, as an atomic one of its own (floats,
// inline blocks, flex items), positioned without a context of its own, or with one.
const PLAIN = 0,
  ATOMIC = 1,
  STACKED = 2,
  CONTEXT = 3;

const REPLACED = /^(img|video|canvas|svg|iframe|frame|embed|object|input)$/;

// Phases within a layer, lowest first.
const BELOW = 1,
  BLOCKS = 2,
  FLOATS = 3,
  INLINES = 4,
  LEVEL = 5,
  RAISED = 6,
  TOPMOST = 7;

// topLayer reports whether an element was put over the whole page by the browser.
function topLayer(el) {
  const is = (selector) => {
    try {
      return el.matches(selector);
    } catch {
      return false;
    }
  }; // an older Chrome
  return (
    (el.localName === 'dialog' && is(':modal')) ||
    (el.hasAttribute('popover') && is(':popover-open')) ||
    el === document.fullscreenElement
  );
}

// drawnIn is the element that cuts, dims and turns element i with its content: what it is in, -1 for the top layer.
const drawnIn = (i, out) => (topLayer(out.els[i]) ? -1 : out.parent[i]);

// makesContext: the styles that make a stacking context without a z-index.
function makesContext(style, inline) {
  if (
    style.opacity !== '1' ||
    style.isolation === 'isolate' ||
    style.mixBlendMode !== 'normal' ||
    style.filter !== 'none'
  )
    return true;
  if (
    style.clipPath !== 'none' ||
    (style.maskImage || 'none') !== 'none' ||
    (style.backdropFilter || 'none') !== 'none' ||
    (style.viewTransitionName || 'none') !== 'none'
  )
    return true;
  if (/opacity|filter|clip-path|mask|isolation|mix-blend/.test(style.willChange)) return true;
  if (inline) return false; // transforms and containment do not apply
  if (/transform|translate|rotate|scale|perspective/.test(style.willChange)) return true;
  if (style.transform !== 'none' || style.perspective !== 'none' || style.transformStyle === 'preserve-3d') return true;
  if (
    (style.translate || 'none') !== 'none' ||
    (style.rotate || 'none') !== 'none' ||
    (style.scale || 'none') !== 'none'
  )
    return true;
  return /paint|layout|strict|content/.test(style.contain) || (style.contentVisibility || 'visible') !== 'visible';
}

// stylePlace is the part of an element's place that its own style decides. item: it
// is laid out by a flex or grid container. content: it is replaced (img, video …); what
// it shows is painted with the text, even where it is a block. Planes of a 3D scene
// (preserve-3d) are taken in the order of the page.
function stylePlace(style, item, content) {
  const display = style.display,
    position = style.position;
  const replaced = content && display.startsWith('inline');
  const positioned = position !== 'static';
  const inline = display === 'inline' && !replaced;
  const z = style.zIndex === 'auto' || !(positioned || item) ? NaN : parseInt(style.zIndex, 10);
  if (z === z || position === 'fixed' || position === 'sticky' || makesContext(style, inline)) {
    return { kind: CONTEXT, phase: z > 0 ? RAISED : z < 0 ? BELOW : LEVEL, z: z || 0 };
  }
  if (positioned) return { kind: STACKED, phase: LEVEL, z: 0 };
  if (style.float !== 'none' && !item) return { kind: ATOMIC, phase: FLOATS, z: 0 };
  if (item || replaced || (display.startsWith('inline') && display !== 'inline'))
    return { kind: ATOMIC, phase: INLINES, z: 0 };
  return { kind: PLAIN, phase: inline || content ? INLINES : BLOCKS, z: 0 };
}

// makeOrder compares elements of one walk by index; styles are computed once.
function makeOrder(out) {
  const places = [],
    keys = [],
    containers = [],
    opacities = [];
  const holdsItems = (i) => {
    while (i >= 0 && out.flags[i] & FLAG_CONTENTS) i = out.parent[i];
    if (i < 0) return false;
    if (containers[i] === undefined) containers[i] = /flex|grid/.test(getComputedStyle(out.els[i]).display);
    return containers[i];
  };
  function make(i) {
    const el = out.els[i],
      up = out.parent[i];
    let place;
    if (up < 0) place = { kind: CONTEXT, phase: LEVEL, z: 0 };
    else if (topLayer(el)) place = { kind: CONTEXT, phase: TOPMOST, z: 0 };
    else if (out.flags[i] & FLAG_SVG && el.localName !== 'svg') place = { kind: PLAIN, phase: BLOCKS, z: 0 };
    else {
      const style = getComputedStyle(el);
      const item = style.position !== 'absolute' && style.position !== 'fixed' && holdsItems(up);
      place = stylePlace(style, item, REPLACED.test(el.localName));
    }
    place.context = place.kind === CONTEXT ? i : places[up].context; // nearest around and itself
    place.layer = place.kind === PLAIN ? places[up].layer : i;
    places[i] = place;
  }
  function placeOf(i) {
    if (!places[i]) {
      const todo = [];
      for (let at = i; at >= 0 && !places[at]; at = out.parent[at]) todo.push(at);
      while (todo.length > 0) make(todo.pop());
    }
    return places[i];
  }
  // under is the key of what a child of element up with such a place hangs under.
  const under = (up, place) => {
    if (place.phase === TOPMOST) return [];
    const around = placeOf(up);
    return keyOf(place.kind >= STACKED ? around.context : around.layer);
  };
  function keyOf(i) {
    if (keys[i]) return keys[i];
    const up = out.parent[i];
    if (up < 0) return (keys[i] = []);
    const place = placeOf(i);
    return (keys[i] = under(up, place).concat(place.phase, place.z, i));
  }
  return {
    // key orders elements: see keyAbove.
    key: keyOf,
    // opacity of an element's own, without that of what is around it. What is blended lets through what is below it.
    opacity(i) {
      if (opacities[i] === undefined) {
        const style = getComputedStyle(out.els[i]);
        opacities[i] = opacityOf(style) * (style.mixBlendMode === 'normal' ? 1 : BLENDED);
      }
      return opacities[i];
    },
    // pseudoKey is the key of a ::before or ::after of element i; order is where it
    // comes among the indices.
    pseudoKey(i, style, order) {
      const place = stylePlace(
        style,
        style.position !== 'absolute' && style.position !== 'fixed' && holdsItems(i),
        false,
      );
      return under(i, place).concat(place.phase, place.z, order);
    },
  };
}

// keyAbove: what has key a is painted later than what has key b. What is inside
// something lies over it.
function keyAbove(a, b) {
  const n = Math.min(a.length, b.length);
  for (let k = 0; k < n; k++) if (a[k] !== b[k]) return a[k] > b[k];
  return a.length > b.length;
}

const BLENDED = 0.5; // how much of what is below it a blended layer hides, at a guess

// opacityOf is how much an element's opacity and the opacity functions of its filter leave of it.
function opacityOf(style) {
  let all = +style.opacity;
  if (style.filter === 'none') return all;
  for (const m of style.filter.matchAll(/(?:^|\s)opacity\(([\d.e-]+)(%?)\)/g)) all *= m[2] ? m[1] / 100 : +m[1];
  return Math.max(0, Math.min(1, all));
}
