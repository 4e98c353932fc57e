// CSS counters in generated content (CSS Lists 3, 4). The browser does not expose their
// values, so the document is counted through once, where a name needs one.

// counterText is the value of a counter() or counters() in the content of a
// ::before or ::after. args: name, for counters a separator, and a style.
function counterText(el, which, kind, args) {
  const parsed = /^\s*([^\s,]+)\s*(?:,\s*"((?:[^"\\]|\\.)*)")?\s*(?:,\s*([\w-]+))?\s*$/.exec(args);
  if (!parsed) return '';
  const values = countersAt(el, which);
  const found = values && values.get(parsed[1]);
  const style = parsed[3] || 'decimal';
  if (!found || found.length === 0) return counterValue(0, style);
  if (kind === 'counter') return counterValue(found[found.length - 1], style);
  return found.map((v) => counterValue(v, style)).join(parsed[2] || '');
}

function counterValue(n, style) {
  switch (style) {
    case 'none':
      return '';
    case 'disc':
      return '\u2022';
    case 'circle':
      return '\u25e6';
    case 'square':
      return '\u25aa';
    case 'decimal-leading-zero':
      return n >= 0 && n < 10 ? '0' + n : String(n);
    case 'lower-alpha':
    case 'lower-latin':
      return letters(n) || String(n);
    case 'upper-alpha':
    case 'upper-latin':
      return (letters(n) || String(n)).toUpperCase();
    case 'lower-roman':
      return (roman(n) || String(n)).toLowerCase();
    case 'upper-roman':
      return roman(n) || String(n);
  }
  return String(n);
}

function letters(n) {
  let text = '';
  for (; n > 0; n = Math.floor((n - 1) / 26)) text = String.fromCharCode(97 + ((n - 1) % 26)) + text;
  return text;
}

function roman(n) {
  if (n < 1 || n > 3999) return '';
  const signs = [
    ['M', 1000],
    ['CM', 900],
    ['D', 500],
    ['CD', 400],
    ['C', 100],
    ['XC', 90],
    ['L', 50],
    ['XL', 40],
    ['X', 10],
    ['IX', 9],
    ['V', 5],
    ['IV', 4],
    ['I', 1],
  ];
  let text = '';
  for (const [sign, value] of signs) for (; n >= value; n -= value) text += sign;
  return text;
}

// Counting asks for three styles of each element; a page larger than this keeps its
// counters to itself.
const COUNTED_ELEMENTS = 20000;

// countersAt are the counters in scope at a pseudo-element: values by name, the
// outermost first.
function countersAt(el, which) {
  if (!walked || walked.els.length > COUNTED_ELEMENTS) return null;
  if (!walked.counters) walked.counters = countAll(el.ownerDocument.documentElement);
  const at = walked.counters.get(el);
  return at ? at[which] : null;
}

// countAll counts in tree order. A counter lives from the element that resets it to
// the end of that element's parent; one that was never reset is made where it is
// first used.
function countAll(top) {
  const seen = new Map();
  const scopes = new Map(); // name → [{value, level}], innermost last
  const leave = (level) => {
    for (const list of scopes.values()) while (list.length > 0 && list[list.length - 1].level > level) list.pop();
  };
  const create = (name, value, level) => {
    const list = scopes.get(name) || [];
    scopes.set(name, list);
    if (list.length > 0 && list[list.length - 1].level === level) list.pop();
    list.push({ value, level });
  };
  const pairs = (text, fallback, use) => {
    if (text === 'none' || !text) return;
    for (const m of text.matchAll(/([^\s()]+)(?:\s+(-?\d+))?/g)) use(m[1], m[2] === undefined ? fallback : +m[2]);
  };
  const apply = (style, level) => {
    pairs(style.counterReset, 0, (name, value) => create(name, value, level));
    const change = (name, to) => {
      const list = scopes.get(name);
      if (!list || list.length === 0) create(name, 0, level);
      const last = scopes.get(name).at(-1);
      last.value = to(last.value);
    };
    pairs(style.counterIncrement, 1, (name, by) => change(name, (v) => v + by));
    pairs(style.counterSet, 0, (name, value) => change(name, () => value));
  };
  const snapshot = () => new Map(Array.from(scopes, ([name, list]) => [name, list.map((c) => c.value)]));
  const pseudo = (el, which, level) => {
    const style = getComputedStyle(el, which);
    if (!style.content || style.content === 'none' || style.content === 'normal' || style.display === 'none') return;
    apply(style, level);
    if (style.content.includes('counter')) {
      const entry = seen.get(el) || {};
      seen.set(el, entry);
      entry[which] = snapshot();
    }
    leave(level);
  };
  // level is the depth of the element whose children share a scope.
  const stack = [];
  const enter = (el, level) => {
    const style = getComputedStyle(el);
    if (style.display === 'none') return false;
    apply(style, level);
    pseudo(el, '::before', level + 1);
    stack.push({ el, next: el.firstElementChild, level });
    return true;
  };
  enter(top, 1);
  while (stack.length > 0) {
    const f = stack[stack.length - 1];
    if (f.next) {
      const child = f.next;
      f.next = child.nextElementSibling;
      enter(child, f.level + 1);
    } else {
      pseudo(f.el, '::after', f.level + 1);
      leave(f.level);
      stack.pop();
    }
  }
  return seen;
}
