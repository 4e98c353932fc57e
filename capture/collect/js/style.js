// Which elements need their computed style. A computed style costs about
// half a microsecond a property, ten properties an element: most of a walk. Most
// elements of a large page, though, are of tags whose style is the browser's own,
// and no rule of the page touches what the walk needs to know of them.
//
// So the page's rules are searched for the properties below, and the elements that
// their selectors name are collected: too many perhaps (a media query that does not
// apply), never too few. Where that is uncertain, the style of every element is computed:
// a sheet that cannot be read, nested rules, shadow trees and what is slotted into
// them. It is also how a page with more rules than elements is read. That both ways
// give the same answer is tested on every saved page.

const TELLING = new Set(
  (
    'all display position overflow overflow-x overflow-y overflow-block overflow-inline visibility cursor opacity ' +
    'transform rotate scale translate perspective offset offset-path clip clip-path content-visibility ' +
    'text-transform filter backdrop-filter contain will-change float backface-visibility transform-style'
  ).split(' '),
);

// Tags whose style is the browser's own and nothing special: their display, by the
// rendering section of the HTML standard. Nothing else in TELLING has another value
// than the initial or the inherited one, but for the cursor of links and controls,
// the text-transform of controls, and the overflow of what has no element children. A
// form is not among them: it is not rendered right inside a table.
const QUIET_DISPLAY = new Map(
  Object.entries({
    div: 'block',
    p: 'block',
    ul: 'block',
    ol: 'block',
    dl: 'block',
    dt: 'block',
    dd: 'block',
    h1: 'block',
    h2: 'block',
    h3: 'block',
    h4: 'block',
    h5: 'block',
    h6: 'block',
    section: 'block',
    article: 'block',
    aside: 'block',
    header: 'block',
    footer: 'block',
    main: 'block',
    nav: 'block',
    figure: 'block',
    figcaption: 'block',
    blockquote: 'block',
    address: 'block',
    span: 'inline',
    a: 'inline',
    b: 'inline',
    i: 'inline',
    em: 'inline',
    strong: 'inline',
    small: 'inline',
    u: 'inline',
    s: 'inline',
    code: 'inline',
    label: 'inline',
    time: 'inline',
    abbr: 'inline',
    cite: 'inline',
    sub: 'inline',
    sup: 'inline',
    font: 'inline',
    li: 'list-item',
    table: 'table',
    tbody: 'table-row-group',
    thead: 'table-header-group',
    tfoot: 'table-footer-group',
    tr: 'table-row',
    td: 'table-cell',
    th: 'table-cell',
    caption: 'table-caption',
    mark: 'inline',
    del: 'inline',
    ins: 'inline',
    q: 'inline',
    output: 'inline',
    pre: 'block',
    center: 'block',
    summary: 'block',
    fieldset: 'block',
    img: 'inline',
    button: 'inline-block',
    input: 'inline-block',
    select: 'inline-block',
  }),
);
const QUIET_CONTROLS = new Set(['button', 'input', 'select']);

// quietCursor returns no more than whether it is a pointer.
function quietCursor(tag, bits, inherited) {
  if (tag === 'a') return bits & A_HREF ? 'pointer' : inherited;
  return tag === 'label' || QUIET_CONTROLS.has(tag) ? 'default' : inherited;
}

// quietTag: a hidden input is not rendered, and an image has a pointer.
const quietTag = (el, tag) =>
  QUIET_DISPLAY.has(tag) && !(tag === 'input' && (el.type === 'hidden' || el.type === 'image'));

// In a flex or grid container the children are blocks (CSS Display 3, 2.7).
const BLOCKIFIED = {
  inline: 'block',
  'inline-block': 'block',
  'table-caption': 'block',
  'table-cell': 'block',
  'table-row': 'block',
  'table-row-group': 'block',
  'table-header-group': 'block',
  'table-footer-group': 'block',
};
const quietDisplay = (tag, parentDisplay) => {
  const own = QUIET_DISPLAY.get(tag);
  return /(flex|grid)$/.test(parentDisplay) ? BLOCKIFIED[own] || own : own;
};

// styledElements are, for each of the sets of properties, the elements of the document whose style a rule or an
// animation may change in what the set lists; null where every element must be asked.
function styledElements(...sets) {
  const count = document.getElementsByTagName('*').length;
  const selectors = sets.map(() => []);
  let left = count / 2; // looking at a rule costs about as much as asking half an element
  // note gives up at a nested rule by answering false.
  const note = (rule, nested) => {
    let named = 0;
    for (let k = 0; k < rule.style.length; k++) {
      for (let n = 0; n < sets.length; n++) if (!(named & (1 << n)) && sets[n].has(rule.style[k])) named |= 1 << n;
    }
    if (named !== 0 && nested) return false;
    for (let n = 0; n < sets.length; n++) if (named & (1 << n)) selectors[n].push(rule.selectorText);
    return true;
  };
  // search gives up by answering false.
  const search = (rules, nested) => {
    left -= rules.length;
    if (left < 0) return false;
    for (const rule of rules) {
      if (rule.selectorText !== undefined) {
        if (!note(rule, nested)) return false;
        if (rule.cssRules && rule.cssRules.length > 0 && !search(rule.cssRules, true)) return false;
      } else if (rule.styleSheet !== undefined) {
        // @import
        if (!rule.styleSheet || !search(rule.styleSheet.cssRules, nested)) return false;
      } else if (rule.start !== undefined || rule.end !== undefined) {
        // @scope
        if (!search(rule.cssRules, true)) return false;
      } else if (rule.appendRule !== undefined) {
        continue; // @keyframes: what runs is among the animations
      } else if (rule.cssRules !== undefined) {
        if (rule.cssRules.length > 0 && !search(rule.cssRules, nested)) return false;
      } else if (nested && rule.style && !note(rule, nested)) return false;
    }
    return true;
  };
  const unknown = sets.map(() => null);
  try {
    for (const sheet of document.styleSheets) if (!search(sheet.cssRules, false)) return unknown;
    for (const sheet of document.adoptedStyleSheets) if (!search(sheet.cssRules, false)) return unknown;
    const found = selectors.map((list) => new Set(list.length > 0 ? document.querySelectorAll(list.join(',')) : []));
    for (const animation of document.getAnimations()) {
      if (animation.effect && animation.effect.target) found.forEach((set) => set.add(animation.effect.target));
    }
    return found;
  } catch {
    return unknown; // a sheet of another origin, one that is loading, a selector of its own kind
  }
}
