// Faces: which elements turn their back, which backface-visibility: hidden does not draw and no click reaches (CSS
// Transforms 2, 4 and 6).
//
// A plane is how an element with transform-style: preserve-3d lies in space, for what is in it, a DOMMatrix. Where an
// element lies, and perspective, change its direction by so little that only edges would differ.

// spins reports whether a style turns its element out of the plane of the page.
const spins = (style) => style.transform.startsWith('matrix3d') || (style.rotate || 'none').includes(' ');

// turnOf is how a style turns its element, a DOMMatrix.
function turnOf(style) {
  const m = new DOMMatrix();
  const v = (style.rotate || 'none').split(' ');
  if (v.length === 2)
    m.rotateAxisAngleSelf(v[0] === 'x' ? 1 : 0, v[0] === 'y' ? 1 : 0, v[0] === 'z' ? 1 : 0, degrees(v[1]));
  else if (v.length === 4) m.rotateAxisAngleSelf(+v[0], +v[1], +v[2], degrees(v[3]));
  else if (v[0] !== 'none') m.rotateSelf(degrees(v[0]));
  const s = (style.scale || 'none').split(' ').map(Number);
  if (s[0] === s[0]) m.scaleSelf(s[0], s.length > 1 ? s[1] : s[0], s.length > 2 ? s[2] : 1);
  return style.transform === 'none' ? m : m.multiplySelf(new DOMMatrix(style.transform));
}

const degrees = (angle) =>
  parseFloat(angle) * (angle.endsWith('rad') ? 180 / Math.PI : angle.endsWith('turn') ? 360 : 1);

// backSeen reports whether a matrix turns the back of a plane to who looks at it: its inverse turns the direction of
// the look to the front.
function backSeen(m) {
  const rest = m.m11 * m.m22 - m.m12 * m.m21;
  const whole = m.m13 * (m.m21 * m.m32 - m.m22 * m.m31) - m.m23 * (m.m11 * m.m32 - m.m12 * m.m31) + m.m33 * rest;
  return rest * whole < -1e-9;
}

// faceOf is how an element whose style a walk has read lies in space: away, the element that turns its back and takes
// it with it, -1 for none, and the plane for its content, null where that lies in the page's. Only what turns itself in
// a plane is drawn by its own face where that plane turns its back.
function faceOf(style, i, ctx) {
  const hides = style.backfaceVisibility === 'hidden';
  const turn = ctx.plane === null ? turnOf(style) : ctx.plane.multiply(turnOf(style));
  const own = ctx.away < 0 || (ctx.plane !== null && (hides || holdsTurn(style)));
  return {
    away: !own ? ctx.away : hides && backSeen(turn) ? i : -1,
    plane: style.transformStyle === 'preserve-3d' && !flattens(style) ? turn : null,
  };
}

// flattens reports whether a style draws what is in its element as one picture, whatever its transform-style. Paint
// containment does not, in Chrome.
const flattens = (style) =>
  style.opacity !== '1' ||
  style.filter !== 'none' ||
  style.clipPath !== 'none' ||
  (style.maskImage || 'none') !== 'none' ||
  style.mixBlendMode !== 'normal' ||
  /opacity|filter|clip-path|mask|mix-blend/.test(style.willChange) ||
  style.overflow !== 'visible' ||
  hasClip(style) ||
  style.isolation === 'isolate';

// holdsTurn: Chrome draws what is only moved with what it is in.
const holdsTurn = (style) =>
  (style.transform !== 'none' && !style.transform.startsWith('matrix(1, 0, 0, 1,')) ||
  (style.rotate || 'none') !== 'none' ||
  (style.scale || 'none') !== 'none';
