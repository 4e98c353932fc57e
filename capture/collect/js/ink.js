// Ink: how much of what lies below an element lets through, from its own styles. No
// pixel is looked at: the picture comes later, and nothing is written to the page.
//
// Alpha is 0 (nothing is painted) to 1 (nothing shines through). Text is no ink: there
// is more gap than letter. What a style does not show (canvas, svg, pictures laid in the
// background in part, masks) counts as GUESS: something is there, but no cover.

const COVER = 0.6; // joint alpha from which on what lies below counts as not seen:
// black on white keeps a contrast of 3:1 (WCAG 1.4.11) up to about there
const FAINT = 0.05; // less than this nobody notices
const GUESS = 0.3;

// colorAlpha of a computed colour.
function colorAlpha(color) {
  if (color === 'transparent') return 0;
  if (color.startsWith('rgb(')) return 1;
  const m = color.startsWith('rgba(')
    ? /,\s*([\d.e-]+)(%?)\s*\)$/.exec(color)
    : /\/\s*([\d.e-]+)(%?)\s*\)$/.exec(color);
  if (!m) return 1;
  return Math.min(1, Math.max(0, m[2] ? m[1] / 100 : +m[1]));
}

// splitList splits a CSS value at the commas outside of brackets.
function splitList(value) {
  const parts = [];
  let depth = 0,
    from = 0;
  for (let k = 0; k < value.length; k++) {
    const c = value[k];
    if (c === '(') depth++;
    else if (c === ')') depth--;
    else if (c === ',' && depth === 0) {
      parts.push(value.slice(from, k).trim());
      from = k + 1;
    }
  }
  parts.push(value.slice(from).trim());
  return parts;
}

// linearAlpha makes alpha(x, y) of a computed linear-gradient that fills a box
// [left, top, width, height]; null where its notation is unknown here.
function linearAlpha(value, box) {
  const parts = splitList(value.slice(value.indexOf('(') + 1, -1));
  let angle = Math.PI;
  const [left, top, w, h] = box;
  const turn = /^(-?[\d.e-]+)(deg|rad|turn|grad)\b/.exec(parts[0]);
  if (turn) angle = +turn[1] * { deg: Math.PI / 180, rad: 1, turn: 2 * Math.PI, grad: Math.PI / 200 }[turn[2]];
  else if (parts[0].startsWith('to ')) {
    const y = parts[0].includes('top') ? -1 : parts[0].includes('bottom') ? 1 : 0,
      x = parts[0].includes('left') ? -1 : parts[0].includes('right') ? 1 : 0;
    angle = x && y ? Math.atan2(x * h, -y * w) : Math.atan2(x, -y); // to a corner: along the other diagonal's normal
  }
  if (turn || parts[0].startsWith('to ') || parts[0].startsWith('in ')) parts.shift();
  const sin = Math.sin(angle),
    cos = Math.cos(angle),
    length = Math.abs(w * sin) + Math.abs(h * cos);
  const stops = [];
  for (const part of parts) {
    const m = /^([a-z-]+\(.*\)|[a-z]+)((?:\s+-?[\d.e-]+(?:px|%))*)$/.exec(part);
    if (!m) return null;
    const at =
      m[2].trim() === ''
        ? [NaN]
        : m[2]
            .trim()
            .split(/\s+/)
            .map((s) => (s.endsWith('%') ? parseFloat(s) / 100 : parseFloat(s) / length));
    for (const t of at) stops.push([t, colorAlpha(m[1])]);
  }
  if (stops.length < 2 || !(length > 0)) return null;
  if (isNaN(stops[0][0])) stops[0][0] = 0;
  if (isNaN(stops[stops.length - 1][0])) stops[stops.length - 1][0] = 1;
  for (let k = 1; k < stops.length; k++) {
    // those between share the room
    if (!isNaN(stops[k][0])) {
      stops[k][0] = Math.max(stops[k][0], stops[k - 1][0]);
      continue;
    }
    let next = k;
    while (isNaN(stops[next][0])) next++;
    const step = (Math.max(stops[next][0], stops[k - 1][0]) - stops[k - 1][0]) / (next - k + 1);
    stops[k][0] = stops[k - 1][0] + step;
  }
  return (x, y) => {
    const t = ((x - left - w / 2) * sin - (y - top - h / 2) * cos) / length + 0.5;
    if (t <= stops[0][0]) return stops[0][1];
    for (let k = 1; k < stops.length; k++) {
      const [to, b] = stops[k],
        [from, a] = stops[k - 1];
      if (t <= to) return to > from ? a + ((b - a) * (t - from)) / (to - from) : b;
    }
    return stops[stops.length - 1][1];
  };
}

// background gives the alpha of a box's background: a number, or a function of x, y.
function background(style, box) {
  let alpha = style.backgroundClip === 'text' ? 0 : colorAlpha(style.backgroundColor);
  const image = style.backgroundImage;
  if (image === 'none' || alpha >= 1 || style.backgroundClip === 'text') return alpha;
  const sizes = splitList(style.backgroundSize),
    varied = [];
  splitList(image).forEach((one, k) => {
    const size = sizes[k % sizes.length],
      fills = size === 'auto' || size === 'auto auto' || size === 'cover' || size === '100% 100%' || size === '100%';
    let a = GUESS;
    if (one === 'none') a = 0;
    else if (/^(repeating-)?[a-z]+-gradient\(/.test(one)) {
      const colors = one.match(/\b(?:rgba?|color|oklch|oklab|lab|lch|hsla?|hwb)\([^()]*\)|\btransparent\b/g) || [];
      const alphas = colors.map(colorAlpha),
        least = Math.min(...alphas),
        most = Math.max(...alphas);
      if (alphas.length > 0 && (most - least < 0.01 || least >= COVER)) a = fills || most === 0 ? least : GUESS;
      else if (fills && one.startsWith('linear-')) {
        const f = linearAlpha(one, box);
        if (f) {
          varied.push(f);
          return;
        }
      }
    } else if (fills && size !== 'auto' && size !== 'auto auto') a = 1; // a picture that fills the box
    alpha = 1 - (1 - alpha) * (1 - a);
  });
  if (varied.length === 0) return alpha;
  return (x, y) => {
    let clear = 1 - alpha;
    for (const f of varied) clear *= 1 - f(x, y);
    return 1 - clear;
  };
}

// inkOf is the alpha of an element's own box without its opacity: a number, or a
// function of x, y.
function inkOf(i, out) {
  const el = out.els[i],
    tag = el.localName,
    style = getComputedStyle(el);
  if (style.visibility !== 'visible') return 0;
  const b = out.box;
  const back = background(style, [b[4 * i], b[4 * i + 1], b[4 * i + 2], b[4 * i + 3]]);
  const masked =
    (style.maskImage || 'none') !== 'none' || (style.clipPath !== 'none' && !style.clipPath.startsWith('inset('));
  if (masked) return back === 0 ? 0 : GUESS;
  if (out.flags[i] & FLAG_SVG && tag !== 'svg') {
    if (style.fill !== 'none' && style.fill !== undefined) return colorAlpha(style.fill) * (+style.fillOpacity || 0);
    return style.stroke && style.stroke !== 'none' ? GUESS : 0;
  }
  const ignored = (out.flags[i] & FLAG_NO_POINTER) !== 0;
  switch (tag) {
    case 'img':
    case 'video':
    case 'embed':
    case 'object':
      return 1;
    // A drawing that ignores the pointer decorates, and is mostly gaps.
    case 'canvas':
    case 'iframe':
    case 'frame':
    case 'fencedframe':
      if (!ignored) return 1;
    // falls through
    case 'svg':
      return typeof back === 'function' ? back : Math.max(back, GUESS);
    case 'progress':
    case 'meter':
      if (style.appearance !== 'none') return 1;
      break;
    case 'input':
      if (style.appearance !== 'none' && /^(checkbox|radio|range|color)$/.test(el.type)) return 1;
  }
  return back;
}
