// run collects one document and leaves in the world's registry what the calls that
// follow need. The functions are made once for a document: a second capture finds
// them compiled and fast. predicate is the filter of the caller, or null, and held the number
// of the answer that the caller holds (js/answer.js).
function run(opt, predicate, held) {
  const registry = globalThis.__refscope;
  let answer;
  try {
    if (hidesProperties(document)) throw HIDDEN;
    answer = tellAnswer(registry, collect(opt, predicate), held);
  } catch (e) {
    forget();
    if (HIDEABLE.length > 0) return HIDDEN; // the careful collector reports what it was, if it was something else
    throw e;
  }
  const shot = registry.shot,
    at = document.URL, // a router that goes on is a change like any other
    covered = !!document.activeViewTransition, // and so is the end of what takes all clicks meanwhile
    written = heldBy(shot);
  registry.probe = (points, owners) => {
    resume(shot);
    const seen = probe(shot, points, owners);
    forget();
    return JSON.stringify(seen);
  };
  registry.moment = () =>
    JSON.stringify({
      mutations:
        registry.flush() +
        (document.URL === at && covered === !!document.activeViewTransition && written === heldBy(shot) ? 0 : 1),
      layout: layoutHash(shot),
      state: opt.state ? stateNow() : '',
      remembered: registry.remembered || 0,
    });
  registry.late = (listening) => {
    resume(shot);
    return late(shot, opt, listening);
  };
  registry.known = (places) => places.map((i) => shot.els[i]);
  registry.remember = ([places, ids]) => remember(shot, places, ids);
  forget();
  return answer;
}

// HIDEABLE are the properties whose being hidden makes the quick collector give up; the
// careful one has none. See js/hardened.js and collectors in Go.
const HIDDEN = 'hidden';
const hidesProperties = (node) => HIDEABLE.some((name) => Object.hasOwn(node, name));

// What one collection keeps at hand. Two of them may take turns in one world, so each
// takes its own up again (resume) and lays it down (forget).
function resume(out) {
  redactor = out.redactor;
  labelsByRoot = out.labelsByRoot;
  sensitiveKnown = out.sensitiveKnown;
}
function forget() {
  redactor = walked = null;
  labelsByRoot = sensitiveKnown = null;
}

// collect answers for one document: columns of facts, one entry an element, as one
// object. opt: {width, height (CSS px of this frame's viewport), maxNodes,
// deadline (ms), hits (bool), allNames (bool), view and over (see js/hit.js)}.
function collect(opt, predicate) {
  const began = performance.now(),
    phases = [];
  let last = began;
  const phase = (name) => {
    const now = performance.now();
    phases.push({ name, ms: now - last });
    last = now;
  };
  const registry = globalThis.__refscope;
  const before = registry.flush();
  opt.width = opt.width || innerWidth;
  opt.height = opt.height || innerHeight;
  const list = [''],
    known = new Map([['', 0]]),
    words = new Map(),
    cleaned = [];
  const own = { redactor: makeRedactor(opt, registry), labelsByRoot: new Map(), sensitiveKnown: new Map() };
  resume(own);
  own.redactor.mask();
  const filter = makeFilter(opt, predicate);
  const strings = {
    list,
    of(s) {
      let k = known.get(s);
      if (k === undefined) {
        k = list.length;
        known.set(s, k);
        const t = own.redactor.clean(s); // the one door: js/redact.js
        if (t !== s || (own.redactor.joined && s.includes('[redacted'))) cleaned.push(k);
        list.push(wellFormed(t));
      }
      return k;
    },
    // word is the index of a word of ours or of HTML, which no secret of the page changes: a label that is withheld and
    // says "password" leaves the type of its field alone.
    word(s) {
      let k = words.get(s);
      if (k === undefined) {
        words.set(s, (k = list.length));
        strings.fixed.add(k);
        list.push(wellFormed(own.redactor.clean(s)));
      }
      return k;
    },
    // plain is word for what looks like one, and of for the rest.
    plain: (s) => words.get(s) ?? (PLAIN_WORD.test(s) ? strings.word(s) : strings.of(s)),
    fixed: new Set(),
    // mark is the index of a text of ours that replaces a withheld one.
    mark(s) {
      cleaned.push(list.length);
      return list.push(s) - 1;
    },
  };
  const [styled, inked, backed] = opt.allStyles ? [null, null, null] : styledElements(TELLING, INKED, BACKED);
  const out = {
    ...own,
    els: [],
    noted: [],
    customs: [],
    internals: [],
    wanted: [],
    index: makeIndex(registry),
    styled,
    inked,
    backed,
    strings,
    registry,
    nthOf: makeNth(),
    contentsInView: new Set(),
    closed: closedHosts(registry),
    assignedTo: makeAssigned(closedHosts(registry)),
    seen: [],
    parent: [],
    tag: [],
    uid: [],
    shadow: [],
    host: [],
    nth: [],
    box: [],
    flags: [],
    evidence: [],
    hide: [],
    culprit: [],
    light: [],
    attrs: [],
    runs: [],
    generatedBytes: [],
    separators: [],
    textRects: [],
    rects: new Map(),
    clip: new Map(),
    masks: new Map(), // what masks take away, see maskOf
    faint: [],
    opacity: [],
    roles: [],
    names: [],
    descriptions: [],
    values: [],
    statesAt: [],
    states: [],
    redacted: [],
    frames: [],
    scrollers: [],
    scrollable: [],
    widgets: [],
    hits: [],
    shades: [],
    over: [],
    labels: [],
    positioned: [],
    layers: [],
    grid: [],
    filter: filter.drops,
    filteredBy: [],
    withheld: [],
    allowed: [],
    limit: '',
    limitAt: 0,
    attributesOf: 0,
    ink: [],
    dim: new Map(),
    ownLook: new Set(),
    cutText: new Set(),
    generated: generatedIn(document, {
      before: new Set(),
      after: new Set(),
      marker: new Set(),
      placed: new Set(),
    }),
  };
  phase('style rules');
  walk(document.documentElement, opt, 0, out);
  hiddenControls(out);
  phase('elements and boxes');
  legible(out);
  phase('legibility');
  walked = out;
  nameAll(out);
  if (opt.allNames) nameEvery(out);
  walked = null;
  phase('names');
  const named = last;
  out.view = viewOf(opt);
  notePassers(out);
  out.seen = candidates(out);
  // The root is under everything. It counts in the layout only: in a page of a thousand
  // frames Chrome takes ms for each hit, as it brings all of them up to date first. Of a
  // frame that no part of can be seen nothing is hit.
  if (opt.hits && viewed(out))
    hitTest(
      out,
      opt,
      out.seen.filter((i) => i > 0 || out.evidence[0] !== 0),
    );
  layerFacts(out, opt);
  phase('hit tests');
  const hit = last;

  sealStrings(strings, cleaned);
  out.seal = () => {
    sealStrings(strings, cleaned);
    return cleaned;
  };
  registry.seal = (texts, cleaned) => JSON.stringify(texts.map(cleaned ? own.redactor.seal : own.redactor.whole));
  registry.sealParts = (texts) => JSON.stringify(own.redactor.sealParts(texts));

  // What can be scrolled, and hosts of the page's own kind: no element is held for it.
  registry.scrollers = out.scrollable;
  registry.widgets = out.widgets;

  // Kept until release: frames probe their parents, and the moment is checked.
  registry.shot = out;
  const layout = layoutHash(out);
  phase('layout hash');
  const root = document.documentElement,
    scrolling = document.scrollingElement || root;
  const columns = {
    strings: list,
    states: out.states,
    allowed: out.allowed,
    broken: filter.broken,
    maybe: likelyHosts(out, registry),
    speakers: speakers(out, registry),
    windows: windows(out, registry),
    backend: recall(out, registry),
    // Dense columns, one entry an element.
    parent: pack(out.parent, 1),
    tag: pack(out.tag, 0),
    uid: pack(out.uid, 1),
    shadow: pack(out.shadow, 1),
    host: pack(out.host, 1),
    nth: pack(out.nth, 0),
    box: pack(out.box, 4, 100),
    flags: pack(out.flags, 0),
    evidence: pack(out.evidence, 0),
    hide: pack(out.hide, 1),
    culprit: pack(out.culprit, 1),
    // Rows of one width.
    light: pack(out.light, 2),
    faint: pack(out.faint, 3),
    roles: pack(out.roles, 2),
    names: pack(out.names, 3),
    descriptions: pack(out.descriptions, 2),
    values: pack(out.values, 2),
    statesAt: pack(out.statesAt, 1),
    redacted: pack(out.redacted, 3),
    generated: pack(out.generatedBytes, 3),
    separators: pack(out.separators, 3),
    internals: pack(out.internals, 1),
    layers: pack(out.layers, 4),
    grid: pack(out.grid, 1),
    cleaned: pack(cleaned, 1),
    withheld: pack(out.withheld, 1),
    filteredBy: pack(out.filteredBy, 2),
    ink: pack(out.ink, 4, 100),
    opacity: pack(out.opacity, 2, 100),
    frames: pack(out.frames, 3, 100),
    scrollers: pack(out.scrollers, 6, 100),
    // Lists: index, length, entries.
    attrs: pack(out.attrs, 0),
    runs: pack(out.runs, 4),
    textRects: pack(out.textRects, 0, 100),
    rects: pack(flatten(out.rects), 0, 100),
    clip: pack(flatten(out.clip), 0, 100),
    hits: pack(out.hits, 0, 100),
    shades: pack(out.shades, 0),
    over: pack(out.over, 0, 100),
    labels: pack(out.labels, 0),
  };
  phase('columns');
  const doc = {
    url: redactor.whole(document.URL),
    title: redactor.whole(document.title),
    lang: root ? root.lang || '' : '',
    width: innerWidth,
    height: innerHeight,
    x: round(scrollX),
    y: round(scrollY),
    maxX: scrolling ? Math.max(0, scrolling.scrollWidth - scrolling.clientWidth) : 0,
    maxY: scrolling ? Math.max(0, scrolling.scrollHeight - scrolling.clientHeight) : 0,
    mutations: before,
    mutationsAfter: registry.flush(),
    from: registry.from,
    last: registry.last,
    done: performance.timeOrigin + last,
    phases,
    walk: named - began,
    hit: hit - named,
    limit: out.limit,
    limitAt: out.limitAt,
    attributesOf: out.attributesOf,
    layout,
    state: opt.state ? stateNow() : '',
    events: sealEvents(registry.recent ? registry.recent() : []),
  };
  return { doc, learnt: redactor.any(), profiled: redactor.profileTexts(), ...columns };
}

// stateNow is what the document shows beside its mutations (browser/state.js), "" where that is not known.
function stateNow() {
  try {
    return globalThis.__refscope.now();
  } catch {
    return '';
  }
}

// viewed: some part of the document can be seen.
const viewed = (out) => out.view.r > out.view.l && out.view.b > out.view.t;

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
  const numbered =
    /^(h[1-6]|img|pre|iframe|frame|object|embed|fencedframe|section|article|aside|table|tr|form|details|dl|dialog|header|footer|main|nav|hgroup|fieldset)$/;
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
