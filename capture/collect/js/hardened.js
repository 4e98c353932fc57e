// A page can hide what the browser offers on a form: <input name="parentNode"> makes
// form.parentNode that input, in our world too (HTML 4.10.3, LegacyOverrideBuiltIns).
// Named properties are strings, so the collector reads such properties by symbols that
// refer to the same getters and methods: script.go replaces the names by them.

// own defines the symbol on every prototype of our world that has the property. The
// page has prototypes of its own. The symbols are the same in all frames: what the
// frame around first had in hand, such as an element with a listener, has its
// prototypes, not those of its own frame.
function own(name) {
  const key = Symbol.for('refscope ' + name);
  for (const kind of [
    Node,
    CharacterData,
    Text,
    Element,
    HTMLElement,
    SVGElement,
    MathMLElement,
    Document,
    DocumentFragment,
    ShadowRoot,
    DOMTokenList,
    Range,
  ]) {
    const property = Object.getOwnPropertyDescriptor(kind.prototype, name);
    if (property && !Object.hasOwn(kind.prototype, key)) Object.defineProperty(kind.prototype, key, property);
  }
  return key;
}
