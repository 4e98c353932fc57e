// Closed shadow roots: a script cannot ask for them, the browser can. What is asked
// about is only what looks like a host; the roots found stay in the world's registry
// (hosts: host → root), so that the next capture walks into them at once.

// Tags that attachShadow takes, beside custom elements.
const SHADOW_TAGS = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

// A box that is this much higher or wider than what the light children fill may
// hold something else, px.
const UNEXPLAINED = 24;

const MAX_HOSTS = 2000; // asked about in one capture

const closedHosts = (registry) => registry.hosts || (registry.hosts = new WeakMap());

// makeAssigned reports whether a slot of its parent's closed root takes a node:
// assignedSlot does not reveal slots of closed roots.
function makeAssigned(hosts) {
  const known = new Map();
  return (node) => {
    const root = node.parentNode && hosts.get(node.parentNode);
    if (!root) return false;
    let taken = known.get(root);
    if (!taken) {
      taken = new Set();
      for (const slot of root.querySelectorAll('slot')) for (const n of slot.assignedNodes()) taken.add(n);
      known.set(root, taken);
    }
    return taken.has(node);
  };
}

// likelyHosts are the elements whose box their light children do not explain, and
// custom elements without an open root. What turned out to be no host is asked about
// again only when its size or its children change.
function likelyHosts(out, registry) {
  const { els, box, flags, hide, parent } = out;
  const hosts = closedHosts(registry);
  const asked = registry.asked || (registry.asked = new WeakMap());
  const plain = new Set();
  const custom = new Set();
  for (let s = 0; s < out.strings.list.length; s++) {
    const word = out.strings.list[s];
    if (SHADOW_TAGS.has(word)) plain.add(s);
    else if (/^[a-z][^\s/>]*-/.test(word)) custom.add(s);
  }
  // What the children of each element fill, from the last to the first.
  const n = els.length;
  const fill = new Float64Array(4 * n),
    filled = new Uint8Array(n);
  const add = (p, l, t, r, b) => {
    if (!filled[p]) {
      filled[p] = 1;
      fill[4 * p] = l;
      fill[4 * p + 1] = t;
      fill[4 * p + 2] = r;
      fill[4 * p + 3] = b;
      return;
    }
    fill[4 * p] = Math.min(fill[4 * p], l);
    fill[4 * p + 1] = Math.min(fill[4 * p + 1], t);
    fill[4 * p + 2] = Math.max(fill[4 * p + 2], r);
    fill[4 * p + 3] = Math.max(fill[4 * p + 3], b);
  };
  const worded = new Uint8Array(n),
    measured = new Uint8Array(n);
  for (let k = 0; k < out.runs.length; k += 2 + out.runs[k + 1]) worded[out.runs[k]] = 1;
  for (let k = 0; k < out.textRects.length; k += 2 + out.textRects[k + 1]) {
    const i = out.textRects[k];
    measured[i] = 1;
    for (let j = k + 2; j < k + 2 + out.textRects[k + 1]; j += 4) {
      const [x, y, w, h] = [out.textRects[j], out.textRects[j + 1], out.textRects[j + 2], out.textRects[j + 3]];
      add(i, x, y, x + w, y + h);
    }
  }
  const found = [],
    sure = new Uint8Array(n);
  for (let i = n - 1; i >= 0; i--) {
    const x = box[4 * i],
      y = box[4 * i + 1],
      w = box[4 * i + 2],
      h = box[4 * i + 3];
    const p = parent[i];
    if (p >= 0) {
      if (w > 0 && h > 0) add(p, x, y, x + w, y + h);
      else if (filled[i]) add(p, fill[4 * i], fill[4 * i + 1], fill[4 * i + 2], fill[4 * i + 3]);
    }
    // What no slot takes has no style at all.
    if (p >= 0 && hide[i] === VISIBILITY && out.culprit[i] === i && getComputedStyle(els[i]).display === '')
      sure[p] = 1;
    if (hide[i] !== SHOWN && hide[i] !== ZERO_BOX) continue;
    const isCustom = custom.has(out.tag[i]);
    if (!isCustom && !plain.has(out.tag[i])) continue;
    const el = els[i];
    if (el.shadowRoot || hosts.has(el) || el.namespaceURI !== HTML) continue;
    if (!isCustom && !sure[i]) {
      if (!(w > 0 && h > 0)) continue;
      if (worded[i] && !measured[i]) {
        // In view, text without a place is text that no slot takes; elsewhere text is
        // not measured.
        if (!(flags[i] & FLAG_IN_VIEWPORT)) continue;
      } else if (filled[i]) {
        const gapY = h - (fill[4 * i + 3] - fill[4 * i + 1]),
          gapX = w - (fill[4 * i + 2] - fill[4 * i]);
        const narrow = (flags[i] & FLAG_BLOCK) === 0;
        if (gapY <= UNEXPLAINED && !(narrow && gapX > UNEXPLAINED)) continue;
        const style = getComputedStyle(el);
        const px = (v) => parseFloat(v) || 0;
        const edgeY =
          px(style.paddingTop) + px(style.paddingBottom) + px(style.borderTopWidth) + px(style.borderBottomWidth);
        const edgeX =
          px(style.paddingLeft) + px(style.paddingRight) + px(style.borderLeftWidth) + px(style.borderRightWidth);
        if (gapY - edgeY <= UNEXPLAINED && !(narrow && gapX - edgeX > UNEXPLAINED)) continue;
      }
    }
    const size = w + 'x' + h + '/' + el.childNodes.length;
    if (asked.get(el) === size) continue;
    if (found.length >= MAX_HOSTS) break;
    asked.set(el, size);
    found.push(el);
  }
  registry.maybe = found;
  return found.length;
}
