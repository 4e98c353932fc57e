// What is known only after the walk: which elements have listeners of their own, and
// where the windows of frames lie.

// hiddenControls marks the label of a radio, checkbox or file field that is not to be
// seen itself: the label is what a person presses, and where nothing of the control is
// drawn it counts as the control's place.
function hiddenControls(out) {
  const faint = new Map();
  for (let k = 0; k < out.faint.length; k += 3) faint.set(out.faint[k], out.faint[k + 1]);
  for (const i of out.noted) {
    const el = out.els[i];
    if (el.localName !== 'input' || (el.type !== 'checkbox' && el.type !== 'radio' && el.type !== 'file')) continue;
    const tiny = out.box[4 * i + 2] <= 2 || out.box[4 * i + 3] <= 2;
    if (out.hide[i] === SHOWN && !faint.has(i) && !tiny) continue;
    const gone = out.hide[i] === ZERO_BOX || (out.hide[i] === SHOWN && (tiny || faint.get(i) === CLIPPED));
    let stands = -1;
    for (const label of el.labels || []) {
      const k = out.index.get(label);
      if (k === undefined || out.hide[k] !== SHOWN) continue;
      out.evidence[k] |= EV_LABEL;
      if (stands < 0 && out.flags[k] & FLAG_VISIBLE) stands = k;
    }
    if (gone && stands >= 0) byLabel(out, i, stands);
  }
}

// isDelegate reports whether a listener on an element is there for what is inside it:
// on the document's root and body, on what holds several controls or a list, on what
// fills half of the viewport. An element whose own cursor is a pointer is meant, and so is
// what a background, border or shadow makes one thing, with whatever controls in it.
// controls: how many elements inside each element have evidence of their own.
function isDelegate(out, opt, i, controls) {
  const el = out.els[i],
    tag = el.localName;
  if (tag === 'html' || tag === 'body') return true;
  const strong = EV_NATIVE | EV_ROLE | EV_EDITABLE | EV_TABINDEX | EV_CURSOR;
  if (out.evidence[i] & strong) return false;
  const p = out.parent[i];
  if (getComputedStyle(el).cursor === 'pointer' && !(p >= 0 && getComputedStyle(out.els[p]).cursor === 'pointer'))
    return false;
  if (controls[i] >= 2 && !(out.flags[i] & FLAG_BOUNDARY)) return true;
  const b = out.box;
  if (b[4 * i + 2] * b[4 * i + 3] >= 0.5 * opt.width * opt.height) return true;
  const items = el.children;
  if (/^(ul|ol|dl|table|thead|tbody|select|menu|main|form)$/.test(tag) && items.length >= 2) return true;
  if (items.length < 4) return false;
  let alike = 0;
  for (let k = 0; k < items.length && k < 50; k++)
    if (items[k].localName === items[0].localName && items[k].className === items[0].className) alike++;
  return alike >= Math.min(items.length, 50) * 0.75;
}

// drawnControl reports whether an element is a part of a drawing that is pressed by itself, such as
// a bar of a chart, or a drawing that is an icon with no such part, and no other drawing as a whole.
function drawnControl(out, i, controls) {
  if (out.hide[i] !== SKIPPED || (out.flags[i] & FLAG_SVG) === 0) return false;
  const icon = Math.max(out.box[4 * i + 2], out.box[4 * i + 3]) <= ICON && controls[i] === 0;
  return out.els[i].localName !== 'svg' || icon;
}

const ICON = 64; // px, of a side

// late takes the elements with listeners (indices), gives them their evidence, and
// names and hit tests those that are interactive only by it.
function late(out, opt, listening) {
  const mine = new Set(listening);
  const controls = new Int32Array(out.els.length);
  for (let i = out.els.length - 1; i >= 0; i--) {
    const p = out.parent[i];
    if (p >= 0)
      controls[p] +=
        controls[i] + (out.evidence[i] & (EV_NATIVE | EV_ROLE | EV_EDITABLE | EV_CURSOR) || mine.has(i) ? 1 : 0);
  }
  const answer = {
    evidence: [],
    shown: [],
    flags: [],
    names: [],
    descriptions: [],
    hits: [],
    shades: [],
    labels: [],
    from: out.strings.list.length,
    strings: [],
    cleaned: [],
  };
  const saved = {
    wanted: out.wanted,
    names: out.names,
    descriptions: out.descriptions,
    hits: out.hits,
    shades: out.shades,
    labels: out.labels,
  };
  const named = new Set(),
    tested = new Set(out.seen);
  for (let k = 0; k < out.wanted.length; k += 4) named.add(out.wanted[k]);
  out.wanted = [];
  out.names = answer.names;
  out.descriptions = answer.descriptions;
  out.hits = answer.hits;
  out.shades = answer.shades;
  out.labels = answer.labels;
  const fresh = [];
  for (const i of mine) {
    const el = out.els[i];
    if (!el || (out.hide[i] !== SHOWN && out.hide[i] !== ZERO_BOX && out.hide[i] !== SKIPPED)) continue;
    if (bounded(getComputedStyle(el))) out.flags[i] |= FLAG_BOUNDARY;
    if (isDelegate(out, opt, i, controls)) continue;
    out.evidence[i] |= EV_LISTENER;
    if (drawnControl(out, i, controls)) {
      out.hide[i] = SHOWN;
      answer.shown.push(i);
    }
    answer.flags.push(i, out.flags[i]);
    if (!named.has(i)) out.wanted.push(i, roleOf(el), el.hasAttribute('tabindex') && el.tabIndex >= 0, -1);
    if (out.hide[i] === SHOWN && out.flags[i] & FLAG_IN_VIEWPORT && !tested.has(i)) fresh.push(i);
    answer.evidence.push(i, out.evidence[i]);
  }
  const wanted = out.wanted;
  walked = out;
  nameAll(out);
  walked = null;
  if (opt.hits && fresh.length > 0 && viewed(out)) hitTest(out, opt, fresh);
  Object.assign(out, saved);
  for (let k = 0; k < wanted.length; k += 4) answer.evidence.push(wanted[k], out.evidence[wanted[k]]);
  answer.cleaned = out.seal();
  answer.strings = out.strings.list.slice(answer.from);
  forget();
  return JSON.stringify(answer);
}

// windows notes each element that may show a document: its index, then what frameWindow
// (js/window.js) gives of it.
function windows(out, registry) {
  const rows = [];
  registry.windows = [];
  for (const i of out.noted) {
    const el = out.els[i];
    if (el.localName === 'input' || el.namespaceURI !== HTML) continue;
    registry.windows.push(el);
    rows.push(i, ...frameWindow(el));
  }
  return rows;
}

// remember keeps backendNodeIds of elements for the captures to come; recall gives
// those that are known: index, id….
function remember(out, places, ids) {
  const registry = out.registry;
  const backend = registry.backend || (registry.backend = new WeakMap());
  registry.remembered = (registry.remembered || 0) + 1;
  for (let k = 0; k < places.length; k++) if (ids[k] && out.els[places[k]]) backend.set(out.els[places[k]], ids[k]);
  return '';
}

function recall(out, registry) {
  const row = [];
  if (!registry.backend) return row;
  for (let i = 0; i < out.els.length; i++) {
    const id = registry.backend.get(out.els[i]);
    if (id) row.push(i, id);
  }
  return row;
}
