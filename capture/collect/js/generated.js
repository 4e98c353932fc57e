// Text that a style sheet writes: ::before and ::after with strings, counters, attributes
// and quotes, and list markers that are words. A person reads it as any other text, so
// it belongs to the runs of its element. What carries no words or figures, such as the
// strokes between links, is noted apart, and the glyphs of an icon font are left out.

const WORDED = /[\p{L}\p{N}\p{Sc}%*]/u;
const GLYPHS = /[\ue000-\uf8ff]/g;

// A rule may write words: its content has a string with some, or what only the browser
// knows.
const mayWrite = (content) =>
  content !== '' &&
  content !== 'none' &&
  content !== 'normal' &&
  (/attr\(|counters?\(|quote|var\(/.test(content) ||
    /[^\s"']/.test(content.replace(/url\([^)]*\)|\\[0-9a-fA-F]{1,6} ?/g, '').replace(GLYPHS, '')) ||
    /\\00[0-9a-fA-F]/.test(content));

const GENERATED_RULES = 20000; // looked at in one tree at most

// PLACED are the values of position that take a pseudo-element out of the flow, or may.
const PLACED = /^(absolute|fixed)$|var\(/;

// generatedIn are the elements of a tree that rules of its sheets may write text for, by
// pseudo-element, and those with one that is placed out of the flow. A sheet of another origin
// cannot be read: its words stay unknown, and placed is null.
function generatedIn(root, found) {
  const bases = { before: [], after: [], marker: [], placed: [] };
  let left = GENERATED_RULES;
  const search = (rules, around) => {
    for (const rule of rules) {
      if (--left < 0) return;
      const selector = rule.selectorText;
      if (selector !== undefined && rule.style) {
        const content = rule.style.content,
          writes = content && mayWrite(content),
          places = PLACED.test(rule.style.position);
        if (writes || places) {
          for (const m of selector.matchAll(/((?:[^,(]|\([^)]*\))*?)::?(before|after|marker)\s*(?:,|$)/g)) {
            const base =
              around +
              (m[1].trim() === ''
                ? '*'
                : m[1]
                    .trim()
                    .replace(/^&/, '')
                    .replace(/([>+~\s])$/, '$1*'));
            if (writes) bases[m[2]].push(base);
            if (places) bases.placed.push(base);
          }
        }
        if (WORDED.test(/^"(.*)"/.exec(rule.style.listStyleType)?.[1] || '') && !around) bases.marker.push(selector);
      }
      if (rule.styleSheet ? rule.styleSheet.cssRules : rule.cssRules && rule.cssRules.length > 0) {
        const inside = selector !== undefined ? ':is(' + selector + ')' : around;
        search(rule.styleSheet ? rule.styleSheet.cssRules : rule.cssRules, inside);
      }
    }
  };
  for (const sheet of [...(root.styleSheets || []), ...(root.adoptedStyleSheets || [])]) {
    try {
      search(sheet.cssRules, '');
    } catch {
      found.placed = null; // of another origin, or still loading
    }
  }
  if (left < 0) found.placed = null;
  // What lies around the tree, and what is put into it, is found by no selector in it.
  for (const which of root.host ? ['before', 'after', 'marker', 'placed'] : []) {
    if (found[which] === null || !bases[which].some((base) => /:host|::slotted/.test(base))) continue;
    for (const el of [root.host, ...root.host.children]) found[which].add(el);
    if (which === 'placed') bases.placed.push('*');
  }
  if (bases.placed.some((base) => base.includes('::part'))) found.placed = null;
  for (const which of ['before', 'after', 'marker', 'placed']) {
    const add = (selector) => {
      if (found[which] !== null) for (const el of root.querySelectorAll(selector)) found[which].add(el);
    };
    try {
      if (bases[which].length > 0) add(bases[which].join(','));
    } catch {
      for (const base of bases[which]) {
        try {
          add(base);
        } catch {
          if (which === 'placed') found.placed = null; // a selector of its own kind
        }
      }
    }
  }
  return found;
}

// generatedBy is the text of a pseudo-element as it is drawn, '' where it has none: [words, what is none].
function generatedBy(el, which) {
  const text = drawnText(el, which);
  if (text.trim() === '') return ['', ''];
  return WORDED.test(text) || el.localName === 'q' ? [text, ''] : ['', text];
}

// drawnText is that text without the glyphs of icon fonts.
function drawnText(el, which) {
  const style = getComputedStyle(el, '::' + which);
  let content = style.content;
  if (which === 'marker' && (content === 'normal' || content === ''))
    content = /^".*"$/.test(style.listStyleType) ? style.listStyleType : '';
  if (
    !content ||
    content === 'none' ||
    content === 'normal' ||
    style.display === 'none' ||
    style.visibility !== 'visible' ||
    opacityOf(style) <= 0.01
  )
    return '';
  const alternative = splitAlt(content);
  const text = generatedText(
    el,
    '::' + which,
    alternative ? content.slice(0, content.length - alternative.length - 1) : content,
  ).replace(GLYPHS, '');
  if (parseFloat(style.fontSize) === 0 || /^rgba\(.*, 0\)$/.test(style.color)) return '';
  return /^(inline|none|contents)$/.test(style.display) ? text : ' ' + text + ' ';
}

const generatedEncoder = new TextEncoder();

// utf8Length is the number of bytes of a text in UTF-8.
const utf8Length = (s) => (s === '' ? 0 : generatedEncoder.encode(s).length);
