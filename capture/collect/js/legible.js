// Text that a person may not be able to read: how large it is and how much it stands out
// from what lies behind it, by WCAG 2.2 (relative luminance, contrast ratio). Only what
// is small, pale or cut off by its own element is noted; see snapshot.Ink in Go.
//
// What lies behind is worked out from the backgrounds of the elements around. Of a gradient
// of opaque colours the text must stand out from one of them at least. A picture, or another
// gradient, makes what lies behind unknown, and so does anything else that may be painted
// between: text over a picture that is placed below it is white on white by its styles
// alone. In view the page is queried (elementsFromPoint), elsewhere whatever is
// positioned counts as unknown.

const SMALL_INK = 7,
  PALE_INK = 1.6; // CSS px, contrast ratio, see snapshot.Ink

// INKED and BACKED are the properties that decide. As for TELLING (js/style.js), elements
// that no rule of the page names for one of them are what their parents are, unless their
// tag has a look of its own.
const INKED = new Set(['color', 'font', 'font-size', '-webkit-text-fill-color', 'all', 'zoom', 'color-scheme']);
const BACKED = new Set(['background', 'background-color', 'background-image', 'all']);
const PLAIN_INK = new Set(
  (
    'html body div p span ul ol li dl dt dd table tbody thead tfoot tr td th section article aside header footer main nav ' +
    'figure figcaption blockquote address b i em strong u s time abbr cite label center form fieldset summary details'
  ).split(' '),
);
const PLAIN_BACK = new Set([
  ...PLAIN_INK,
  ...'a h1 h2 h3 h4 h5 h6 small sub sup code kbd samp var pre q del ins dfn'.split(' '),
]);

// legible fills out.ink: [i, font size, contrast or 0, 1 where cut off]….
function legible(out) {
  const colors = new Map();
  const color = (text) => {
    let c = colors.get(text);
    if (c === undefined) {
      c = parseColor(text);
      colors.set(text, c);
    }
    return c;
  };
  const root = document.documentElement;
  const page =
    parent !== window || !root || /dark/.test(getComputedStyle(root).colorScheme)
      ? null
      : makeBack([[255, 255, 255]], -1);
  const lookOf = (size, ink, behind) => ({
    size,
    ink,
    behind,
    contrast: ink === null || behind === null ? 0 : contrastOf(ink, behind),
  });
  // contrastOf is standsOut, worked out once for each two colours: elements of one look share theirs.
  const contrasts = new Map();
  const contrastOf = (ink, behind) => {
    let known = contrasts.get(ink);
    if (known === undefined) contrasts.set(ink, (known = new Map()));
    return Math.max(
      ...behind.colors.map((b) => {
        let contrast = known.get(b);
        if (contrast === undefined) known.set(b, (contrast = contrastRatio(blend(ink, b, ink[3]), b)));
        return contrast;
      }),
    );
  };
  // By element: its font size, its colour and what lies behind its content.
  const looks = new Array(out.els.length);
  // own tells whether an element's ink, 1, and what lies behind it, 2, may not be its parent's.
  const own = (i) => {
    const el = out.els[i],
      tag = el.localName;
    if (out.shadow[i] !== 0 || tag === 'body' || out.ownLook.has(i)) return 3;
    return (
      (out.inked === null || out.inked.has(el) || !PLAIN_INK.has(tag) ? 1 : 0) |
      (out.backed === null || out.backed.has(el) || !PLAIN_BACK.has(tag) ? 2 : 0)
    );
  };
  const backOf = (i, style, around) => {
    const fill = style.backgroundColor;
    if (style.backgroundImage !== 'none') {
      const stops = gradientColors(style, color);
      return stops && makeBack(stops, i);
    }
    if (fill === 'rgba(0, 0, 0, 0)') return around;
    const c = color(fill);
    if (c === null || (c[3] < 1 && around === null)) return null;
    return c[3] >= 1
      ? makeBack([c], i)
      : makeBack(
          around.colors.map((b) => blend(c, b, c[3])),
          around.giver,
        );
  };
  const ask = (i, up, which) => {
    const style = getComputedStyle(out.els[i]);
    let behind = up ? up.behind : page;
    if (which & 2 && !(out.flags[i] & FLAG_CONTENTS)) behind = backOf(i, style, behind);
    if (up && !(which & 1)) return behind === up.behind ? up : lookOf(up.size, up.ink, behind);
    const text = style.webkitTextFillColor || style.color;
    return lookOf(parseFloat(style.fontSize) || 0, color(text), behind);
  };
  // Links and buttons that no rule of the page names have the browser's look: within one look around them, all the same.
  const natives = { link: new Map(), anchor: new Map(), button: new Map() };
  const nativeKind = (i, which) => {
    const el = out.els[i],
      tag = el.localName;
    if (
      (tag !== 'a' && tag !== 'button') ||
      out.shadow[i] !== 0 ||
      out.ownLook.has(i) ||
      out.inked === null ||
      out.inked.has(el) ||
      out.flags[i] & (FLAG_SVG | FLAG_CONTENTS) ||
      el.namespaceURI !== HTML ||
      el.matches(':active, :disabled, select *')
    )
      return '';
    if (tag === 'button') return out.backed.has(el) ? '' : 'button';
    return which & 2 ? '' : el.hasAttribute('href') ? 'link' : 'anchor';
  };
  const askOnce = (i, up, which) => {
    const kind = up === null ? '' : nativeKind(i, which);
    if (kind === '') return ask(i, up, which);
    const known = natives[kind].get(up);
    if (known === undefined) {
      const look = ask(i, up, which);
      natives[kind].set(up, { look, fills: look.behind !== null && look.behind.giver === i });
      return look;
    }
    const { look, fills } = known;
    return fills ? lookOf(look.size, look.ink, makeBack(look.behind.colors, i)) : look;
  };
  const lookAt = (i) => {
    const todo = [];
    let at = i;
    while (at >= 0 && looks[at] === undefined) {
      todo.push(at);
      at = out.parent[at];
    }
    let look = at >= 0 ? looks[at] : null;
    while (todo.length > 0) {
      const k = todo.pop();
      const which = look === null ? 3 : own(k);
      if (which !== 0) look = askOnce(k, look, which);
      looks[k] = look;
    }
    return look;
  };
  for (let k = 0; k < out.runs.length; k += 2 + out.runs[k + 1]) {
    const i = out.runs[k];
    if (out.hide[i] !== SHOWN || out.flags[i] & FLAG_SVG || !(out.flags[i] & FLAG_VISIBLE)) continue;
    const look = lookAt(i),
      cut = out.cutText.has(i),
      dim = out.dim.get(i);
    let contrast = look.contrast;
    if (dim !== undefined && look.behind !== null && look.ink !== null)
      contrast = standsOut(look.ink, look.behind, look.ink[3] * dim);
    const pale = contrast > 0 && contrast < PALE_INK;
    if ((look.size >= SMALL_INK && !pale && !cut) || !textual(out, k)) continue;
    if (pale) {
      const style = getComputedStyle(out.els[i]);
      if (
        style.textShadow !== 'none' ||
        style.backgroundClip === 'text' ||
        between(out, i, look.behind.giver) ||
        otherHue(look, dim)
      )
        contrast = 0;
    }
    if (look.size < SMALL_INK || (contrast > 0 && contrast < PALE_INK) || cut)
      out.ink.push(i, look.size, contrast, cut ? 1 : 0);
  }
}

// makeBack is what lies behind: its colours, and the element that gives them.
const makeBack = (colors, giver) => ({ colors, giver });

// standsOut is the highest contrast of a colour with what lies behind it.
const standsOut = (ink, behind, alpha) => Math.max(...behind.colors.map((b) => contrastRatio(blend(ink, b, alpha), b)));

const HUE = 128; // of 255: a difference of one primary colour that a person sees, as of yellow on white (1.07 to 1)

// otherHue reports whether text of the luminance of what lies behind it has another hue: a person sees it.
const otherHue = (look, dim = 1) =>
  look.behind.colors.some((b) => blend(look.ink, b, look.ink[3] * dim).some((v, k) => Math.abs(v - b[k]) >= HUE));

// gradientColors are the colours of a background that is one gradient of opaque colours over the
// whole box, null for any other.
function gradientColors(style, color) {
  const image = style.backgroundImage;
  if (!/^(repeating-)?(linear|radial|conic)-gradient\(/.test(image) || splitList(image).length !== 1) return null;
  if (!/^(auto|cover|100% 100%)$/.test(style.backgroundSize) || style.backgroundClip === 'text') return null;
  const texts = image.match(/rgba?\([^()]*\)/g) || [];
  if (texts.length === 0 || image.replace(/rgba?\([^()]*\)/g, '').split('(').length !== 2) return null; // another spelling of a colour
  const colors = texts.map(color);
  return colors.every((c) => c !== null && c[3] >= 1) ? colors : null;
}

// textual: one of the runs at k of the column holds more than white space.
function textual(out, k) {
  for (let j = k + 2; j < k + 2 + out.runs[k + 1]; j += 2) if (/\S/.test(out.strings.list[out.runs[j]])) return true;
  return false;
}

// between reports whether something that is not around element i may be painted between
// it and the element that gives its background (-1: the page).
function between(out, i, giver) {
  const el = out.els[i];
  if (out.flags[i] & FLAG_IN_VIEWPORT) {
    const b = 4 * i,
      x = out.box[b] + Math.min(out.box[b + 2] / 2, 40),
      y = out.box[b + 1] + Math.min(out.box[b + 3] / 2, 8);
    for (const e of el.getRootNode().elementsFromPoint(x, y)) {
      if (giver >= 0 && e === out.els[giver]) return false;
      if (e !== el && !e.contains(el) && !el.contains(e)) return true;
    }
    return false;
  }
  for (let k = i; k >= 0 && k !== giver; k = out.parent[k]) if (out.flags[k] & FLAG_POSITIONED) return true;
  return false;
}

// parseColor reads a computed rgb colour, null for any other.
function parseColor(text) {
  const m = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.e-]+))?\)$/.exec(text);
  return m ? [+m[1], +m[2], +m[3], m[4] === undefined ? 1 : +m[4]] : null;
}

const blend = (c, under, alpha) => [0, 1, 2].map((k) => c[k] * alpha + under[k] * (1 - alpha));

function luminance(c) {
  const [r, g, b] = [c[0], c[1], c[2]].map((v) => {
    const s = v / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrastRatio(a, b) {
  const x = luminance(a),
    y = luminance(b);
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}
