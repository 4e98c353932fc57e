// collect answers for one document: columns of facts, one entry an element, as one
// JSON string. opt: {width, height (CSS px of this frame's viewport), maxNodes,
// deadline (ms), hits (bool), allNames (bool), view and over (see js/hit.js)}.
function collect(opt) {
  const began = performance.now();
  const registry = globalThis.__refscope;
  const before = registry.flush();
  opt.width = opt.width || innerWidth;
  opt.height = opt.height || innerHeight;
  const list = [''], known = new Map([['', 0]]), cleaned = [];
  redactor = makeRedactor(opt, registry);
  const filter = makeFilter(opt, predicate);
  const strings = {
    list,
    of(s) {
      let k = known.get(s);
      if (k === undefined) {
        k = list.length; known.set(s, k);
        const t = redactor.clean(s); // the one door: js/redact.js
        if (t !== s || (redactor.joined && s.includes('[redacted'))) cleaned.push(k);
        list.push(wellFormed(t));
      }
      return k;
    },
    // mark is the index of a text of ours that stands for one that was kept out.
    mark(s) { cleaned.push(list.length); return list.push(s) - 1; },
  };
  const out = {
    els: [], wanted: [], index: new Map(), strings, registry, nthOf: makeNth(), contentsInView: new Set(), closed: closedHosts(registry), assignedTo: makeAssigned(closedHosts(registry)), seen: [],
    parent: [], tag: [], uid: [], shadow: [], host: [], nth: [], box: [], flags: [], evidence: [], hide: [], culprit: [],
    light: [], attrs: [], runs: [], textRects: [], rects: new Map(), clip: new Map(), faint: [], roles: [], names: [],
    descriptions: [], values: [], statesAt: [], states: [], redacted: [], frames: [], scrollers: [], hits: [], shades: [], over: [], labels: [],
    positioned: [], layers: [], grid: [], filter: filter.drops, filteredBy: [], withheld: [], allowed: [],
    limit: '', limitAt: 0,
  };
  walk(document.documentElement, opt, 0, out);
  hiddenControls(out);
  walked = out;
  nameAll(out);
  if (opt.allNames) nameEvery(out);
  walked = null;
  const named = performance.now();
  out.view = viewOf(opt);
  notePassers(out);
  out.seen = candidates(out);
  // Of a frame that no part of can be seen nothing is hit.
  if (opt.hits && out.view.r > out.view.l && out.view.b > out.view.t) hitTest(out, opt, out.seen);
  layerFacts(out, opt);
  const done = performance.now();

  sealStrings(list, cleaned);
  out.seal = () => { sealStrings(list, cleaned); return cleaned; };
  registry.seal = (texts) => JSON.stringify(texts.map((t) => redactor.whole(t)));

  // Kept until release: frames probe their parents, and the moment is checked.
  registry.shot = out;
  const layout = layoutHash(out);
  const root = document.documentElement, scrolling = document.scrollingElement || root;
  const answer = {
    doc: {
      url: redactor.whole(document.URL), title: redactor.whole(document.title), lang: root ? root.lang || '' : '', width: innerWidth, height: innerHeight,
      x: round(scrollX), y: round(scrollY),
      maxX: scrolling ? Math.max(0, scrolling.scrollWidth - scrolling.clientWidth) : 0,
      maxY: scrolling ? Math.max(0, scrolling.scrollHeight - scrolling.clientHeight) : 0,
      mutations: before, mutationsAfter: registry.flush(), from: registry.from, last: registry.last, now: done,
      walk: named - began, hit: done - named, limit: out.limit, limitAt: out.limitAt, layout,
      events: sealEvents(registry.recent ? registry.recent() : []),
    },
    strings: list, parent: out.parent, tag: out.tag, uid: out.uid, shadow: out.shadow, host: out.host, light: out.light, nth: out.nth,
    box: out.box, flags: out.flags, evidence: out.evidence, hide: out.hide, culprit: out.culprit,
    attrs: out.attrs, runs: out.runs, textRects: out.textRects, rects: flatten(out.rects), clip: flatten(out.clip), faint: out.faint, roles: out.roles,
    names: out.names, descriptions: out.descriptions, values: out.values, statesAt: out.statesAt, states: out.states, redacted: out.redacted,
    frames: out.frames, scrollers: out.scrollers, hits: out.hits, shades: out.shades, over: out.over, labels: out.labels,
    layers: out.layers, grid: out.grid,
    cleaned, withheld: out.withheld, filteredBy: out.filteredBy, allowed: out.allowed, broken: filter.broken, learnt: redactor.any(),
    maybe: likelyHosts(out, registry), windows: windows(out, registry), backend: recall(out, registry),
  };
  return JSON.stringify(answer);
}

// A lone surrogate would not survive the way to Go.
const wellFormed = (s) => (s.isWellFormed && !s.isWellFormed() ? s.toWellFormed() : s);

function flatten(map) {
  const column = [];
  for (const [i, list] of map) pushList(column, i, list);
  return column;
}

// candidates are the elements that hit tests are spent on: in the viewport,
// rendered, and something that a format may name.
function candidates(out) {
  const numbered = /^(h[1-6]|img|pre|iframe|frame|object|embed|fencedframe|section|article|aside|table|tr|form|details|dl|dialog|header|footer|main|nav|hgroup|fieldset)$/;
  const withText = new Set();
  for (let k = 0; k < out.runs.length; k += 2 + out.runs[k + 1]) withText.add(out.runs[k]);
  const withRole = new Set();
  for (let k = 0; k < out.roles.length; k += 2) withRole.add(out.roles[k]);
  const found = [];
  for (const i of out.inView) {
    if (out.hide[i] !== SHOWN) continue;
    if (out.evidence[i] || withText.has(i) || numbered.test(out.els[i].localName) || withRole.has(i)) found.push(i);
  }
  return found;
}
