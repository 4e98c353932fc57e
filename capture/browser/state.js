// What a document shows beside what its observer counts: where it and what is in it are scrolled to, what has the
// focus, what its fields hold, which of its pictures have come. Such things change without a mutation. Two texts of
// state.now are the same only where all of it is the same; what fields hold is compared here and never leaves the
// page. What style sheets do is not among it: the browser counts that (capture/session/cache.go).
//
// It follows the observer in its world. A document can hide its own properties behind elements of their names, so
// they are read where no page can put anything. Idempotent.
(() => {
  const state = globalThis.__refscope;
  if (!state || state.now) return;
  const MOST = 20000; // elements that are asked how far they are scrolled, where no reading has found those that can be
  const getter = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name)?.get;
  const of = Object.fromEntries(
    [
      'URL',
      'activeElement',
      'adoptedStyleSheets',
      'designMode',
      'fonts',
      'fullscreenElement',
      'readyState',
      'styleSheets',
    ].map((name) => [name, getter(name)]),
  );
  const its = (name) => (of[name] ? of[name].call(document) : undefined);
  const select = (root, selector) =>
    root === document ? Document.prototype.querySelectorAll.call(document, selector) : root.querySelectorAll(selector);
  const animations = (root) =>
    root === document ? Document.prototype.getAnimations.call(document) : root.getAnimations();

  const matches = (el, selector) => Element.prototype.matches.call(el, selector);
  const offset = (name) => Object.getOwnPropertyDescriptor(Element.prototype, name).get;
  const down = offset('scrollTop'),
    across = offset('scrollLeft');

  const FIELDS = ['input', 'textarea', 'select', 'option', 'details', 'dialog', 'img'];
  // What attachShadow takes; elements of the page's own kind are told by their hyphen.
  const HOSTS = 'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' ');
  // The lists of a document are live, and the browser has them at hand for as long as nothing comes or goes.
  const live = (name) => Document.prototype.getElementsByTagName.call(document, name);
  const fields = FIELDS.map(live),
    hosts = HOSTS.map(live);

  let kept = [],
    epoch = 0, // counts what fields were seen to hold
    moving = false,
    unwatched = false; // a shadow root is there whose slots a script fills

  function field(el, add) {
    switch (el.localName) {
      case 'input':
        add(el.type === 'file' ? Array.from(el.files || [], (f) => f.name).join('/') : el.value);
        add((el.checked ? 1 : 0) + (el.indeterminate ? 2 : 0));
        add(el.validationMessage);
        break;
      case 'textarea':
      case 'select':
        add(el.value);
        add(el.validationMessage);
        break;
      case 'option':
        add(el.selected);
        break;
      case 'details':
        add(el.open);
        break;
      case 'dialog':
        add((el.open ? 1 : 0) + (matches(el, ':modal') ? 2 : 0));
        break;
      case 'img':
        add(el.complete ? el.naturalWidth : -1);
        break;
    }
  }

  const scrolled = (el, add) => {
    const top = down.call(el),
      left = across.call(el);
    if (top || left) {
      add(idOf(el));
      add(top);
      add(left);
    }
  };

  function idOf(el) {
    let id = state.ids.get(el);
    if (id === undefined) state.ids.set(el, (id = state.nextId++));
    return id;
  }

  function tree(root, add) {
    for (const list of root === document ? fields : [select(root, FIELDS.join())])
      for (let k = 0, n = list.length; k < n; k++) field(list[k], add);
    const sheets = root === document ? its('styleSheets') : root.styleSheets;
    add(sheets.length);
    add((root === document ? its('adoptedStyleSheets') : root.adoptedStyleSheets)?.length);
    if (animations(root).some((a) => a.playState === 'running' || a.pending)) moving = true;
    for (const list of root === document ? hosts : [select(root, HOSTS.join())]) {
      for (let k = 0, n = list.length; k < n; k++) {
        const inner = list[k].shadowRoot;
        if (inner) open(inner, add);
      }
    }
  }
  function open(root, add) {
    // A root that no reading has met is observed from now on: what is compared with this text comes later.
    state.watch(root);
    if (root.slotAssignment === 'manual') unwatched = true;
    add(idOf(root.host));
    tree(root, add);
  }

  // listed: what a reading has found of elements that can be scrolled, and of the page's own kinds of elements, which
  // are the hosts that HOSTS does not name.
  function listed(add) {
    for (const ref of state.scrollers) {
      const el = ref.deref();
      if (el) scrolled(el, add);
    }
    for (const ref of state.widgets) {
      const el = ref.deref();
      if (el && el.isConnected && el.shadowRoot) open(el.shadowRoot, add);
    }
  }
  // every looks for them, before the first reading.
  function every(root, add) {
    const all = select(root, '*');
    if (all.length > MOST) return;
    for (const el of all) {
      scrolled(el, add);
      const inner = el.shadowRoot;
      if (!inner || typeof inner.mode !== 'string') continue;
      if (el.localName.includes('-')) open(inner, add);
      every(inner, add);
    }
  }

  state.now = () => {
    const mutations = state.flush();
    const now = [];
    const add = (v) => now.push(v);
    moving = unwatched = false;
    tree(document, add);
    if (state.scrollers) listed(add);
    else every(document, add);
    add(its('URL'));
    add(its('designMode'));
    add(its('readyState'));
    add(its('fonts')?.status);
    const full = its('fullscreenElement');
    add(full ? idOf(full) : 0);
    const view = globalThis.visualViewport;
    add(view ? [view.scale, view.offsetLeft, view.offsetTop, view.pageLeft, view.pageTop].join() : '');
    add(devicePixelRatio);
    if (now.length !== kept.length || now.some((v, k) => v !== kept[k])) {
      kept = now;
      epoch++;
    }
    // The body has the focus where nothing has.
    let active = its('activeElement');
    while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
    const body = active && (active.localName === 'body' || active === document.documentElement);
    const focus = active && !body ? idOf(active) : 0;
    return [
      mutations,
      scrollX,
      scrollY,
      innerWidth,
      innerHeight,
      focus,
      epoch,
      unwatched ? '?' : '!',
      moving ? performance.now() : 0,
    ].join(' ');
  };
})();
