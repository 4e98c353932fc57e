// The markup of a node as pieces, in order, without changing or copying anything. It is
// a function of (node, options); Go puts the pieces together, redacts and escapes them:
//
//   [1, uid, name, [name, value, ...], void]  a start tag; uid is 0 for an element that the walk has not seen,
//                                       void is 1 where no end tag follows
//   [2, name]                           an end tag
//   [3, text, raw]                      text; raw is 1 where markup does not escape it
//   [4, text]                           a comment
//   [5, name]                           a doctype
//
// options.inner leaves the node's own tags out, options.limit is how many characters of
// markup there may be. The answer is JSON: {pieces, cut}. Templates are entered, shadow
// trees are not: outerHTML has them so (HTML 13.3). Properties are read through the
// prototypes' own getters, which no form can hide.
(node, options) => {
  const getter = (kind, name) => {
    const get = Object.getOwnPropertyDescriptor(kind.prototype, name).get;
    return (n) => get.call(n);
  };
  const typeOf = getter(Node, 'nodeType'),
    first = getter(Node, 'firstChild'),
    next = getter(Node, 'nextSibling'),
    parent = getter(Node, 'parentNode');
  const attributes = getter(Element, 'attributes'),
    localName = getter(Element, 'localName'),
    prefix = getter(Element, 'prefix'),
    space = getter(Element, 'namespaceURI');
  const data = getter(CharacterData, 'data');
  const registry = globalThis.__refscope;
  const HTML = 'http://www.w3.org/1999/xhtml';
  const VOID = new Set(
    'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(' '),
  );
  const RAW = new Set('style script xmp iframe noembed noframes plaintext noscript'.split(' '));
  const known = (n) => space(n) === HTML;
  const nameOf = (n) => (known(n) || !prefix(n) ? localName(n) : prefix(n) + ':' + localName(n));
  const isVoid = (n) => known(n) && VOID.has(localName(n));
  const inside = (n) =>
    known(n) && localName(n) === 'template' && n instanceof HTMLTemplateElement ? first(n.content) : first(n);

  const pieces = [];
  let size = 0,
    cut = false;
  const put = (piece, n) => {
    if (size + n > options.limit) {
      cut = true;
      return false;
    }
    size += n;
    pieces.push(piece);
    return true;
  };
  // What is written while its children are: the element, and its tag's name.
  const open = [];
  const enter = (n) => {
    switch (typeOf(n)) {
      case Node.ELEMENT_NODE: {
        const name = nameOf(n),
          attrs = [];
        let length = 2 * name.length + 5;
        for (const a of attributes(n)) {
          attrs.push(a.name, a.value);
          length += a.name.length + a.value.length + 4;
          if (size + length > options.limit) break; // the element is left out
        }
        return put([1, registry.ids.get(n) || 0, name, attrs, isVoid(n) ? 1 : 0], length);
      }
      case Node.TEXT_NODE: {
        const up = parent(n),
          text = data(n);
        const raw = up && typeOf(up) === Node.ELEMENT_NODE && known(up) && RAW.has(localName(up)) ? 1 : 0;
        const room = options.limit - size;
        if (text.length > room) {
          put([3, text.slice(0, room), raw], room);
          cut = true;
          return false;
        }
        return put([3, text, raw], text.length);
      }
      case Node.COMMENT_NODE:
        return put([4, data(n)], data(n).length + 7);
      case Node.DOCUMENT_TYPE_NODE:
        return put([5, n.name], n.name.length + 12);
    }
    return true;
  };
  let at = node;
  if (options.inner) {
    open.push({ node, name: '' });
    at = inside(node);
  }
  while (at || open.length > 0) {
    if (!at) {
      const done = open.pop();
      if (done.name) pieces.push([2, done.name]);
      if (done.node === node) break;
      at = next(done.node);
      continue;
    }
    if (!enter(at)) break;
    if (typeOf(at) === Node.ELEMENT_NODE && !isVoid(at)) {
      open.push({ node: at, name: nameOf(at) });
      at = inside(at);
      continue;
    }
    if (at === node) break;
    at = next(at);
  }
  while (open.length > 0) {
    const { name } = open.pop();
    if (name) pieces.push([2, name]);
  }
  return JSON.stringify({ pieces, cut });
}
