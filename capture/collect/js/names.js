// Accessible names and descriptions, by accname 1.2 and html-aam.
// https://www.w3.org/TR/accname-1.2/#computation-steps
//
// A name is {text, from}: where it came from is part of the evidence. White space
// is collapsed and trimmed except for no-break spaces.

const squash = (s) => s.replace(/[ \t\n\f\r]+/g, ' ').replace(/^ | $/g, '');

// unseen are characters that only mark where a line may break, or an order of
// bytes: nobody reads them, and a name with them is not found by what is read.
const withoutUnseen = (s) =>
  /[\u00ad\u200b\u2060\ufeff]/.test(s) ? squash(s.replace(/[\u00ad\u200b\u2060\ufeff]/g, '')) : s;

const BLOCK_TAGS = new Set(
  (
    'address article aside blockquote body details dialog dd div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);

// Element references that a page set by property leave the attribute empty.
const REFLECTED = {
  'aria-labelledby': 'ariaLabelledByElements',
  'aria-describedby': 'ariaDescribedByElements',
  'aria-owns': 'ariaOwnsElements',
};

// Elements that an attribute refers to by id, in the element's own tree.
function idRefs(el, attr) {
  const value = el.getAttribute(attr);
  if (value === null) return [];
  if (value === '') return Array.from(el[REFLECTED[attr]] || []);
  const root = el.getRootNode();
  const found = [];
  for (const id of value.trim().split(/\s+/)) {
    const target = root.getElementById ? root.getElementById(id) : null;
    if (target) found.push(target);
  }
  return found;
}

const labelledByElements = (el) => idRefs(el, 'aria-labelledby');

const hasText = (s) => /[^ \t\n\f\r]/.test(s);

// walked is the collection that names are computed for: it knows what is rendered,
// so most elements need no style of their own here.
let walked = null;

// Not exposed to accessibility: not rendered, not visible, or aria-hidden.
function hiddenForName(el) {
  if (el.getAttribute('aria-hidden') === 'true') return true;
  if (el.localName === 'slot') return false;
  const at = walked ? walked.index.get(el) : undefined;
  if (at !== undefined) {
    const hide = walked.hide[at];
    return (
      hide === DISPLAY_NONE ||
      hide === VISIBILITY ||
      hide === CONTENT_HIDDEN ||
      hide === UNSLOTTED ||
      (hide === OPT_OUT && !el.checkVisibility())
    );
  }
  const style = getComputedStyle(el);
  if (style.display === 'none' || style.visibility === 'hidden' || style.visibility === 'collapse') return true;
  return style.display !== 'contents' && !el.checkVisibility();
}

// inlineForName: its text joins what is around it without a space.
function inlineForName(el) {
  const at = walked ? walked.index.get(el) : undefined;
  if (at !== undefined && (walked.hide[at] === SHOWN || walked.hide[at] === ZERO_BOX))
    return !(walked.flags[at] & (FLAG_BLOCK | FLAG_APART));
  const style = getComputedStyle(el);
  if (style.display === 'none') return !BLOCK_TAGS.has(el.localName);
  return /^(inline|contents|ruby)$/.test(style.display) && style.float === 'none';
}

// pseudoText is the text of a ::before or ::after: its strings, counters and
// quotes, or the alternative text behind the slash.
function pseudoText(el, which) {
  if (!pseudoPossible(el)) return '';
  const style = getComputedStyle(el, which);
  const content = style.content;
  if (
    !content ||
    content === 'none' ||
    content === 'normal' ||
    style.display === 'none' ||
    style.visibility === 'hidden'
  )
    return '';
  const alternative = splitAlt(content);
  const text = generatedText(el, which, alternative || content);
  if (!text) return '';
  return !alternative && /^(inline|none|contents)$/.test(style.display) ? text : ' ' + text + ' ';
}

// The address of a picture is a string too, and no text.
const CONTENT_TOKENS =
  /(?:url|src|image)\((?:"(?:[^"\\]|\\.)*"|[^()"])*\)|(?:image-set|cross-fade)\((?:"(?:[^"\\]|\\.)*"|\((?:"(?:[^"\\]|\\.)*"|[^()"])*\)|[^()"])*\)|"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)\s*\)|(counters?)\(([^)]*)\)|(open-quote|close-quote)/g;

function generatedText(el, which, source) {
  let text = '';
  for (const m of source.matchAll(CONTENT_TOKENS)) {
    if (m[1] !== undefined)
      text += m[1].replace(/\\(?:([0-9a-fA-F]{1,6})[ \t\n]?|([^\n]))/g, (_, hex, sign) =>
        hex ? String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10ffff)) : sign,
      );
    else if (m[2] !== undefined) text += el.getAttribute(m[2]) || '';
    else if (m[5] !== undefined) text += m[5] === 'open-quote' ? '\u201c' : '\u201d';
    else if (m[3] !== undefined) text += counterText(el, which, m[3], m[4]);
  }
  return text;
}

// pseudoPossible: asking every element for the style of pseudo-elements is most of
// the cost of a name, and needless where no style sheet has rules for them. A page
// with shadow trees, or a sheet that cannot be read, is asked.
function pseudoPossible(el) {
  if (!walked || el.localName === 'q') return true;
  if (walked.pseudo === undefined)
    walked.pseudo = walked.shadow.some((kind) => kind !== 0) || sheetsHavePseudo(document);
  return walked.pseudo;
}

function sheetsHavePseudo(root) {
  const search = (rules) => {
    for (const rule of rules) {
      if (rule.selectorText !== undefined && /:(before|after)/i.test(rule.selectorText)) return true;
      if (
        rule.styleSheet
          ? search(rule.styleSheet.cssRules)
          : rule.cssRules && rule.cssRules.length > 0 && search(rule.cssRules)
      )
        return true;
    }
    return false;
  };
  try {
    return [...root.styleSheets, ...root.adoptedStyleSheets].some((sheet) => search(sheet.cssRules));
  } catch {
    return true; // of another origin, or still loading
  }
}

function splitAlt(content) {
  let quoted = false;
  for (let i = 0; i < content.length; i++) {
    if (content[i] === '\\') i++;
    else if (content[i] === '"') quoted = !quoted;
    else if (content[i] === '/' && !quoted) return content.slice(i + 1);
  }
  return '';
}

// How an element came into the computation: it is named itself, lies in what is, is
// referred to by aria-labelledby, or is a label, caption or legend of it.
const ROOT = 0,
  CHILD = 1,
  DIRECT = 2,
  NATIVE = 3;

// computeName is the accessible name of an element of that role; bits are the facts in its
// attributes.
function computeName(el, role, bits) {
  const plain = plainName(el, role, bits);
  if (plain !== null) return plain;
  const visited = new Set([el]);
  if (el.localName === 'label' && el.control) visited.add(el.control); // what it holds is no part of its label
  const own = nameParts(el, role, { visited, inRef: false, inLabel: false, hiddenOk: false, within: role }, ROOT);
  const text = withoutUnseen(squash(own.text));
  return text ? { text, from: own.from } : huntName(el, role);
}

const NONE = { text: '', from: '' };

// plainName is the name of a link, heading, label or cell with nothing but one text
// in it and no attribute that could name it, null for all others: most controls, and
// the whole computation would find the same.
function plainName(el, role, bits) {
  if (bits & (A_ARIA | A_ROLE) || redactor.joined) return null;
  const text = el.firstChild;
  if (text === null || text.nodeType !== 3 || text.nextSibling !== null) return null;
  const tag = el.localName;
  if (
    !(CONTENT_NAMED.has(role) || tag === 'label') ||
    LABELABLE.has(tag) ||
    tag === 'slot' ||
    tag === 'option' ||
    tag === 'svg' ||
    tag.includes('-') ||
    el.shadowRoot !== null ||
    !walked ||
    (walked.closed && walked.closed.has(el)) ||
    el.namespaceURI !== HTML ||
    pseudoPossible(el)
  )
    return null;
  const name = withoutUnseen(squash(transformed(text)));
  return name ? { text: name, from: 'content' } : null;
}

// referenced is the text of what an aria attribute of el refers to. What one
// reference has used counts as used for the rest of the name.
function referenced(el, attr, visited) {
  const parts = [];
  for (const ref of idRefs(el, attr)) {
    if (SILENT_TAGS.has(ref.localName)) continue; // code is nobody's name
    const ctx = {
      visited: new Set(visited),
      inRef: true,
      inLabel: false,
      hiddenOk: hiddenForName(ref),
      self: ref === el ? el : null,
    };
    const text = squash(nameParts(ref, roleOf(ref), ctx, DIRECT).text);
    visited.add(ref);
    if (text) parts.push(text);
  }
  return parts.join(' ');
}

// nameParts is one step of the computation; ctx is shared by all steps below. What the
// profile withholds has a name only where it would have one.
function nameParts(el, role, ctx, how) {
  if (!redactor.joined || unhidden || !redactor.hides(el)) return plainParts(el, role, ctx, how);
  const text = withheldInName(el, plainParts(el, role, ctx, how).text);
  return text ? { text, from: 'content' } : NONE;
}

// withheldInName is what stands in a name for the text of an element.
function withheldInName(el, text) {
  if (!redactor.joined || unhidden || !text.trim() || !redactor.hides(el)) return text;
  return withoutUnseen(squash(text)) && withEdges(text, '[redacted]');
}

// asUnhidden is what a name would be where nothing is withheld; it must not leave.
let unhidden = false;
function asUnhidden(name) {
  unhidden = true;
  try {
    return name();
  } finally {
    unhidden = false;
  }
}

// withEdges is what stands for a text, parted from what is around it as the text is.
const withEdges = (text, mark) => (/^\s/.test(text) ? ' ' : '') + mark + (/\s$/.test(text) ? ' ' : '');

function plainParts(el, role, ctx, how) {
  // 2A: hidden, and not part of what is referred to although hidden.
  if ((how === CHILD || how === NATIVE) && !ctx.hiddenOk && hiddenForName(el)) return NONE;
  if (how === ROOT && NAME_PROHIBITED.has(role) && !el.hasAttribute('contenteditable') && !focusable(el)) return NONE;
  if (el.localName === 'img' && role === 'none') return NONE; // alt="" marks it as decoration
  // A slot is where content goes; it has no name to give.
  if (el.localName === 'slot') return { text: contentText(el, ctx), from: 'content' };
  // 2B: aria-labelledby, never inside another reference.
  if (!ctx.inRef && el.hasAttribute('aria-labelledby')) {
    const text = referenced(el, 'aria-labelledby', ctx.visited);
    if (text) return { text, from: 'aria-labelledby' };
  }
  ctx.visited.add(el);
  const label = el.getAttribute('aria-label');
  // 2C: a control embedded in the name of something else gives its value. In its own list it is
  // that only where no author named it.
  if (how === CHILD || (how === DIRECT && !(ctx.self === el && label && hasText(label)))) {
    const value = embeddedValue(el, role, ctx);
    if (value !== null) return { text: value, from: 'embedded' };
  }
  // 2D: aria-label.
  if (label && hasText(label)) return { text: label, from: 'aria-label' };
  const said = toldOf(el)?.name;
  if (said && hasText(said)) return { text: said, from: 'internals' };
  // 2E: what the host language offers.
  if (explicitRole(el) !== 'none') {
    const native = nativeName(el, role, ctx);
    if (native) return native;
  }
  // 2F: content.
  let blank = '';
  if (how !== ROOT || CONTENT_NAMED.has(role) || el.localName === 'summary' || el.localName === 'label') {
    const text = contentText(el, ctx);
    if (hasText(text)) return { text, from: 'content' };
    blank = text;
  }
  // 2I: tooltip.
  const title = el.getAttribute('title');
  if (title && hasText(title)) return { text: title, from: 'title' };
  if (el.localName === 'summary' && how === ROOT) return { text: 'Details', from: 'default' };
  const placeholder = textField(el) && (el.getAttribute('placeholder') || el.getAttribute('aria-placeholder'));
  if (placeholder && hasText(placeholder)) return { text: placeholder, from: 'placeholder' };
  // A space alone still parts the words around it.
  return blank ? { text: blank, from: 'content' } : NONE;
}

const textField = (el) =>
  el.localName === 'textarea' ||
  (el.localName === 'input' && !/^(button|submit|reset|image|checkbox|radio|range|color|file|hidden)$/.test(el.type)) ||
  /^(textbox|searchbox|combobox)$/.test(explicitRole(el));

// embeddedValue is what a control contributes to another element's name, null where
// the element is not such a control.
function embeddedValue(el, role, ctx) {
  switch (role) {
    case 'textbox':
    case 'searchbox':
      if (el.localName === 'input' || el.localName === 'textarea') return sensitive(el) ? '' : el.value;
      return contentText(el, ctx);
    case 'combobox':
    case 'listbox': {
      if (el.localName === 'select') return Array.from(el.selectedOptions, (o) => o.textContent).join(' ');
      if (el.localName === 'input') return sensitive(el) ? '' : el.value;
      const chosen = ownedAll(el, '[role=option][aria-selected=true]');
      if (chosen.length > 0)
        return Array.from(chosen, (o) => squash(nameParts(o, 'option', ctx, NATIVE).text)).join(' ');
      if (role === 'listbox') return '';
      // A combobox around its field contributes the field's value.
      const field = el.querySelector('input:not([type=hidden])');
      return field ? (sensitive(field) ? '' : field.value) : contentText(el, ctx);
    }
    case 'slider':
    case 'spinbutton':
    case 'scrollbar':
    case 'meter':
    case 'progressbar':
      if (el.hasAttribute('aria-valuetext')) return el.getAttribute('aria-valuetext');
      if (el.hasAttribute('aria-valuenow')) return el.getAttribute('aria-valuenow');
      if (el.localName === 'input') return el.value;
      return (el.localName === 'meter' || el.localName === 'progress') && el.hasAttribute('value')
        ? String(el.value)
        : null;
    case 'menu':
    case 'menubar':
    case 'tree':
    case 'tablist':
    case 'grid':
    case 'treegrid':
    case 'toolbar':
    case 'radiogroup':
      return el.localName === 'table' || el.hasAttribute('aria-label') || el.hasAttribute('aria-labelledby')
        ? null
        : ''; // a widget of its own, whose items are not words of a name
  }
  return null;
}

// ownedAll are the elements inside, and inside what aria-owns adds, that match.
function ownedAll(el, selector) {
  const list = [...el.querySelectorAll(selector)];
  for (const owned of idRefs(el, 'aria-owns')) {
    if (owned.matches(selector)) list.push(owned);
    list.push(...owned.querySelectorAll(selector));
  }
  return list;
}

const LABELABLE = new Set(['input', 'select', 'textarea', 'output', 'meter', 'progress', 'button']);

// labelsOf are the labels of a control. The labels property of a control searches its whole
// tree each time, so the controls of a tree's labels are collected once.
function labelsOf(el) {
  if (!LABELABLE.has(el.localName) && !el.localName.includes('-')) return [];
  const root = el.getRootNode();
  let known = labelsByRoot.get(root);
  if (!known) {
    labelsByRoot.set(root, (known = new Map()));
    for (const label of root.querySelectorAll ? root.querySelectorAll('label') : []) {
      const control = label.control;
      if (!control) continue;
      const list = known.get(control);
      if (list) list.push(label);
      else known.set(control, [label]);
    }
  }
  return known.get(el) || [];
}

let labelsByRoot = null; // label by control by tree, of this collection

function nativeName(el, role, ctx) {
  const tag = el.localName;
  const attr = (name, from) => {
    const v = el.getAttribute(name);
    return v !== null && squash(v) ? { text: v, from } : null;
  };
  if (tag === 'input' && /^(button|submit|reset)$/.test(el.type)) {
    const named = fromLabels(el, ctx) || (el.value && squash(el.value) ? { text: el.value, from: 'value' } : null);
    if (named) return named;
    if (el.hasAttribute('value')) return attr('title', 'title');
    if (el.type === 'submit') return { text: 'Submit', from: 'default' };
    if (el.type === 'reset') return { text: 'Reset', from: 'default' };
    return null;
  }
  if (tag === 'input' && el.type === 'image') {
    return (
      fromLabels(el, ctx) ||
      attr('alt', 'alt') ||
      attr('value', 'value') ||
      attr('title', 'title') || { text: 'Submit', from: 'default' }
    );
  }
  if (tag === 'input' && el.type === 'file') {
    return fromLabels(el, ctx) || { text: el.multiple ? 'Choose Files' : 'Choose File', from: 'default' };
  }
  if (LABELABLE.has(tag) || tag.includes('-')) return fromLabels(el, ctx);
  if (el.namespaceURI === 'http://www.w3.org/2000/svg') return svgName(el, attr);
  switch (tag) {
    case 'img':
    case 'area':
      return attr('alt', 'alt');
    case 'fieldset': {
      const legend = Array.from(el.children).find((c) => c.localName === 'legend');
      return legend ? childName(legend, ctx, 'legend') : null;
    }
    case 'table': {
      const caption = Array.from(el.children).find((c) => c.localName === 'caption');
      // A summary is no part of html-aam; every browser and reader gives it.
      return (caption && childName(caption, ctx, 'caption')) || attr('summary', 'summary');
    }
    case 'figure': {
      const caption = Array.from(el.children).find((c) => c.localName === 'figcaption');
      return caption ? childName(caption, ctx, 'figcaption') : null;
    }
    case 'optgroup':
      return attr('label', 'label');
    case 'option':
      return attr('label', 'label');
    case 'iframe':
    case 'frame':
      return attr('title', 'title');
  }
  return null;
}

// svgName: the title child of any graphics element, of a link also xlink:title (svg-aam 1.0). A use has the title of
// what it shows, as an icon of a sprite.
function svgName(el, attr) {
  const title = Array.from(el.children).find((c) => c.localName === 'title');
  if (title && squash(title.textContent)) return { text: title.textContent, from: 'svg-title' };
  if (el.localName === 'use') {
    const shown = /^#./.test(el.href.baseVal) ? el.getRootNode().getElementById?.(el.href.baseVal.slice(1)) : null;
    if (shown && shown.localName !== 'use' && !shown.contains(el)) return svgName(shown, attr);
  }
  return el.localName === 'a' ? attr('xlink:title', 'title') : null;
}

function childName(el, ctx, from) {
  const text = nameParts(
    el,
    roleOf(el),
    { visited: ctx.visited, inRef: ctx.inRef, inLabel: false, hiddenOk: ctx.hiddenOk },
    NATIVE,
  ).text;
  return hasText(text) ? { text, from } : null;
}

function fromLabels(el, ctx) {
  if (ctx.inLabel || ctx.self === el) return null;
  const labels = labelsOf(el);
  if (labels.length === 0) return null;
  const parts = [];
  for (const label of labels) {
    // The control's own value is no part of its name: it counts as visited.
    const inner = { visited: new Set([el]), inRef: ctx.inRef, inLabel: true, hiddenOk: ctx.hiddenOk };
    const text = squash(nameParts(label, 'generic', inner, NATIVE).text);
    if (text) parts.push(text);
  }
  return parts.length > 0 ? { text: parts.join(' '), from: 'label' } : null;
}

// Text of these kinds, and controls, are separate from the words around them; plain
// inline content joins them.
const JOINS = new Set(['content', '']);
const SILENT_TAGS = new Set(['script', 'style', 'noscript', 'template']);
// An item of a tree or menu is not named by the list that opens from it.
const ITEMS = new Set(['treeitem', 'menuitem', 'menuitemcheckbox', 'menuitemradio']);
const SUBLISTS = new Set(['group', 'menu', 'tree']);
const CONTROL_ROLES = new Set(
  (
    'button checkbox combobox listbox menuitem menuitemcheckbox menuitemradio radio scrollbar searchbox ' +
    'slider spinbutton switch tab textbox treeitem'
  ).split(' '),
);

// contentText is the text of an element's rendered content in composed order. Of an
// element that visibility hides only the children that are visible again count.
function contentText(el, ctx, mute) {
  let out = mute ? '' : pseudoText(el, '::before');
  const list = composedChildren(el);
  for (let k = 0, child = list ? list[0] : el.firstChild; child; child = list ? list[++k] : child.nextSibling) {
    if (child.nodeType === 3) {
      if (!mute) out += transformed(child);
    } else if (child.nodeType === 1) {
      out += childText(child, ctx);
    }
  }
  return mute ? out : out + pseudoText(el, '::after');
}

function childText(child, ctx) {
  const tag = child.localName;
  if (tag === 'br') return ' ';
  if (SILENT_TAGS.has(tag) || (tag === 'title' && child.namespaceURI === 'http://www.w3.org/2000/svg')) return '';
  const role = roleOf(child);
  if (ITEMS.has(ctx.within) && SUBLISTS.has(role) && !ctx.inRef) return ' '; // its items have names of their own
  if (ctx.visited.has(child)) return CONTROL_ROLES.has(role) ? ' ' : '';
  if (!ctx.hiddenOk && hiddenByVisibility(child)) return contentText(child, ctx, true);
  const part = nameParts(child, role, ctx, CHILD);
  if (part === NONE) return '';
  return JOINS.has(part.from) && !CONTROL_ROLES.has(role) && inlineForName(child) ? part.text : ' ' + part.text + ' ';
}

function hiddenByVisibility(el) {
  const at = walked ? walked.index.get(el) : undefined;
  return (
    at !== undefined &&
    walked.hide[at] === VISIBILITY &&
    el.firstElementChild !== null &&
    el.getAttribute('aria-hidden') !== 'true'
  );
}

// transformed is a text as text-transform shows it.
function transformed(node) {
  const text = node.data;
  const el = node.parentElement;
  if (!el || !hasText(text)) return text;
  const at = walked ? walked.index.get(el) : undefined;
  if (at !== undefined && !(walked.flags[at] & FLAG_TRANSFORM)) return text;
  switch (getComputedStyle(el).textTransform) {
    case 'uppercase':
      return text.toUpperCase();
    case 'lowercase':
      return text.toLowerCase();
    case 'capitalize':
      return text.replace(
        /(^|[^\p{L}\p{M}\p{N}'\u2019])(\p{L})/gu,
        (all, before, letter) => before + letter.toUpperCase(),
      );
  }
  return text;
}

// composedChildren are the child nodes as they are rendered, null where they are the
// element's own: a host shows its root, a slot what is assigned to it, and
// aria-owns adds.
function composedChildren(el) {
  const root = el.shadowRoot || (walked && walked.closed && walked.closed.get(el));
  let list = null;
  if (root) {
    list = Array.from(root.childNodes);
  } else if (el.localName === 'slot' && el.getRootNode() instanceof ShadowRoot) {
    const assigned = el.assignedNodes();
    if (assigned.length > 0) list = assigned;
  }
  if (el.localName === 'details' && !el.open)
    list = Array.from(el.children)
      .filter((c) => c.localName === 'summary')
      .slice(0, 1);
  if (!el.hasAttribute('aria-owns')) return list;
  list = list || Array.from(el.childNodes);
  for (const owned of idRefs(el, 'aria-owns')) if (!list.includes(owned) && !owned.contains(el)) list.push(owned);
  return list;
}

// description: aria-describedby, aria-description, or a title that is not the name.
function computeDescription(el, name) {
  if (redactor.joined && redactor.hides(el)) return '';
  if (el.hasAttribute('aria-describedby')) {
    const text = referenced(el, 'aria-describedby', new Set());
    if (text) return text;
  }
  const direct = el.getAttribute('aria-description');
  if (direct && squash(direct)) return squash(direct);
  const desc =
    el.namespaceURI === 'http://www.w3.org/2000/svg' && Array.from(el.children).find((c) => c.localName === 'desc');
  if (desc && squash(desc.textContent)) return squash(desc.textContent);
  const title = el.getAttribute('title');
  if (title && name.from !== 'title' && squash(title) !== name.text) return squash(title);
  return '';
}
