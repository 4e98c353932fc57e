// What a full page has to know of the window, as JSON: its size and scroll in CSS px,
// device px for one of these, whether the page can be scrolled sideways, and how much
// of the page a scroll container that fills the window hides below its lower edge.
// What is scrolled is remembered where REMEMBER is true, for restore.js. Properties are
// read by their prototypes' getters: a form's controls can hide its own.
((remember) => {
  const getter = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (el) => get.call(el);
  };
  const scrollTop = getter(Element, 'scrollTop'),
    scrollLeft = getter(Element, 'scrollLeft'),
    scrollHeight = getter(Element, 'scrollHeight');
  const clientWidth = getter(Element, 'clientWidth'),
    clientHeight = getter(Element, 'clientHeight');
  const shadowRoot = getter(Element, 'shadowRoot'),
    parent = getter(Node, 'parentNode'),
    slot = getter(Element, 'assignedSlot');
  const root = getter(Document, 'documentElement')(document),
    body = getter(Document, 'body')(document);
  const page = getter(Document, 'scrollingElement')(document) || root;
  let style = getComputedStyle(root);
  if (style.overflowX === 'visible' && body) style = getComputedStyle(body);

  const hit = (tree, type) => type.prototype.elementFromPoint.call(tree, innerWidth / 2, innerHeight / 2);
  const above = (el) => {
    const up = slot(el) || parent(el);
    return up instanceof ShadowRoot ? up.host : up instanceof Element ? up : null;
  };
  let el = hit(document, Document),
    hidden = 0;
  for (let inner; el && shadowRoot(el) && (inner = hit(shadowRoot(el), ShadowRoot)) && inner !== el;) el = inner;
  for (; el && el !== page && el !== body && el !== root; el = above(el)) {
    const more = scrollHeight(el) - clientHeight(el);
    if (
      more > Math.max(50, hidden) &&
      clientWidth(el) >= innerWidth / 2 &&
      clientHeight(el) >= innerHeight / 2 &&
      /auto|scroll/.test(getComputedStyle(el).overflowY)
    )
      hidden = more;
  }

  if (remember) {
    const scrolled = (globalThis.__refscope.scrolled = []);
    const trees = [root];
    for (let k = 0; k < trees.length; k++) {
      for (const e of trees[k].querySelectorAll('*')) {
        if (shadowRoot(e)) trees.push(shadowRoot(e));
        const left = scrollLeft(e),
          top = scrollTop(e);
        if (left !== 0 || top !== 0) scrolled.push([e, left, top]);
      }
    }
  }
  return JSON.stringify({
    width: innerWidth,
    height: innerHeight,
    density: devicePixelRatio,
    x: scrollX,
    y: scrollY,
    sideways: !/hidden|clip/.test(style.overflowX),
    hidden,
  });
})(REMEMBER)
