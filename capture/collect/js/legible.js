// Text that a person may not be able to read: how large it is and how much it stands out
// from what lies behind it, by WCAG 2.2 (relative luminance, contrast ratio). Only what
// is small, pale or cut off by its own element is noted; see snapshot.Ink in Go.
//
// What lies behind is worked out from the backgrounds of the elements around. A picture
// or gradient among them makes it unknown, and so does anything else that may be painted
// between: text over a picture that is placed below it is white on white by its styles
// alone. In view that is asked of the page (elementsFromPoint), elsewhere whatever is
// positioned counts as unknown.

const SMALL_INK = 7, PALE_INK = 1.6; // CSS px, contrast ratio: snapshot.SmallInk, PaleInk

// legible fills out.ink: [i, font size, contrast or 0, 1 where cut off]….
function legible(out) {
  const colors = new Map(), backs = new Map();
  const color = (text) => {
    let c = colors.get(text);
    if (c === undefined) { c = parseColor(text); colors.set(text, c); }
    return c;
  };
  const framed = parent !== window;
  // back is [r, g, b, the element that gives it] behind the content of element i, null
  // where it is not known.
  const back = (i) => {
    const todo = [];
    let at = i;
    while (at >= 0 && !backs.has(at)) { todo.push(at); at = out.parent[at]; }
    let behind = at >= 0 ? backs.get(at) : canvas();
    while (todo.length > 0) {
      const k = todo.pop();
      if (!(out.flags[k] & FLAG_CONTENTS)) {
        const style = getComputedStyle(out.els[k]);
        const own = style.backgroundColor;
        if (style.backgroundImage !== 'none' || style.backgroundClip === 'text') behind = null;
        else if (own !== 'rgba(0, 0, 0, 0)') {
          const c = color(own);
          if (c === null || (c[3] < 1 && behind === null)) behind = null;
          else behind = c[3] >= 1 ? [c[0], c[1], c[2], k] : blend(c, behind, c[3]).concat(behind[3]);
        }
      }
      backs.set(k, behind);
    }
    return behind;
  };
  const canvas = () => (framed || /dark/.test(getComputedStyle(document.documentElement).colorScheme) ? null : [255, 255, 255, -1]);

  for (let k = 0; k < out.runs.length; k += 2 + out.runs[k + 1]) {
    const i = out.runs[k];
    if (out.hide[i] !== SHOWN || out.flags[i] & FLAG_SVG || !(out.flags[i] & FLAG_VISIBLE)) continue;
    if (!textual(out, k)) continue;
    const style = getComputedStyle(out.els[i]);
    const size = parseFloat(style.fontSize) || 0, ink = style.webkitTextFillColor || style.color;
    const c = color(ink), behind = c === null ? null : back(i);
    let contrast = 0;
    if (behind !== null) {
      contrast = contrastRatio(blend(c, behind, c[3] * (out.dim.get(i) || 1)), behind);
      if (contrast < PALE_INK && (style.textShadow !== 'none' || between(out, i, behind[3]))) contrast = 0;
    }
    const cut = out.cutText.has(i);
    if (size < SMALL_INK || (contrast > 0 && contrast < PALE_INK) || cut) out.ink.push(i, size, contrast, cut ? 1 : 0);
  }
}

// textual: one of the runs at k of the column holds more than white space.
function textual(out, k) {
  for (let j = k + 2; j < k + 2 + out.runs[k + 1]; j += 2) if (/\S/.test(out.strings.list[out.runs[j]])) return true;
  return false;
}

// between tells whether something that is not around element i may be painted between
// it and the element that gives its background (-1: the page).
function between(out, i, giver) {
  const el = out.els[i];
  if (out.flags[i] & FLAG_IN_VIEWPORT) {
    const b = 4 * i, x = out.box[b] + Math.min(out.box[b + 2] / 2, 40), y = out.box[b + 1] + Math.min(out.box[b + 3] / 2, 8);
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
  const [r, g, b] = [c[0], c[1], c[2]].map((v) => { const s = v / 255; return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrastRatio(a, b) {
  const x = luminance(a), y = luminance(b);
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}
