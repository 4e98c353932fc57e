// What of an element a click operates, shared by the collector and by what clicks
// (capture/action): a card with a "Delete" in its middle is not pressed there.

// OPERATED are the elements that take the clicks on them for themselves, also inside a label (HTML, 4.10.4; tried with
// Chrome 156).
const OPERATED =
  'a[*|href],audio[controls],button,details,embed,iframe,img[usemap],input:not([type=hidden]),label,object,select,' +
  'textarea,video[controls]';

// PRESSABLE are those on which a click does something else than on what they are in. A text field only takes the focus.
const PRESSABLE =
  'a[*|href],audio[controls],button,embed,iframe,object,select,summary,video[controls],' +
  'input:is([type=button],[type=submit],[type=reset],[type=image]),' +
  'input:is([type=checkbox],[type=radio],[type=file],[type=color]),' +
  'button checkbox link menuitem menuitemcheckbox menuitemradio option radio switch tab treeitem'
    .split(' ')
    .map((role) => '[role=' + role + ']')
    .join(',');

// hitIn is the element of a document or shadow tree at a point. A text in a slot is its host's to the browser, which
// lists the host behind what is drawn around the text.
function hitIn(root, x, y) {
  const el = root.elementFromPoint(x, y);
  return el && el === root.host ? root.elementsFromPoint(x, y)[0] : el;
}

// deepHit is the innermost element at a point, through shadow roots, the closed ones as far as a map has them by host.
// The search begins at root, the document if it is undefined.
function deepHit(x, y, closed, root = document) {
  let el = hitIn(root, x, y);
  while (el) {
    const shadow = el.shadowRoot || (closed && closed.get(el));
    if (!shadow) break;
    const inner = hitIn(shadow, x, y);
    if (!inner || inner === el) break;
    el = inner;
  }
  return el;
}

// pressWords are the words of an element, by which one that is wrapped in another is told from a thing of its own.
const pressWords = (el) =>
  (el.getAttribute('aria-label') || (el.shadowRoot ? el.shadowRoot.textContent : '') + el.textContent)
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

// pressedIn is what in the element a click that hits that node presses, null where that is nothing but the element, or
// its control, as a label has one.
function pressedIn(el, hit) {
  let found = null;
  for (let n = hit; n && n !== el; n = n.parentNode || n.host) {
    if (n === document) return null;
    if (!found && n.nodeType === 1 && n !== el.control && n.matches(PRESSABLE)) found = n;
  }
  return found;
}

// pressPlace is where a click operates the element itself, [x, y] in px of the frame's viewport: the middle, unless
// something else is pressed there that is in it and has other words: a link around a button is one with it. Then it is
// a word of its own, or else the place of its own that is farthest from others. Only an element that is operated by
// clicks has one. rect is the part of it that the middle is of, hitAt gives the node at a point.
function pressPlace(el, rect, hitAt) {
  const middle = [rect.x + rect.w / 2, rect.y + rect.h / 2];
  const there = pressedIn(el, hitAt(...middle));
  if (there === null) return middle;
  const operated =
    el.matches(PRESSABLE + ',label,[onclick],[tabindex]:not([tabindex^="-"])') ||
    getComputedStyle(el).cursor === 'pointer';
  if (!operated) return middle;
  const all = pressWords(el),
    another = (found) => found !== null && pressWords(found) !== all;
  if (!another(there)) return middle;
  const own = (x, y) => {
    const hit = hitAt(x, y);
    for (let n = hit; n; n = n.parentNode || n.host) if (n === el) return !another(pressedIn(el, hit));
    return false;
  };
  const texts = document.createTreeWalker(el, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (n) =>
    n.nodeType === 1
      ? n !== el.control && n.matches(PRESSABLE)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_SKIP
      : /\S/.test(n.data)
        ? NodeFilter.FILTER_ACCEPT
        : NodeFilter.FILTER_REJECT,
  );
  const range = document.createRange();
  for (let tries = 0; tries < 40 && texts.nextNode(); tries++) {
    range.selectNodeContents(texts.currentNode);
    for (const r of [...range.getClientRects()].slice(0, 3))
      if (r.width >= 4 && r.height >= 4 && own(r.x + r.width / 2, r.y + r.height / 2))
        return [r.x + r.width / 2, r.y + r.height / 2];
  }
  const SIDE = 9, // places along each side
    mine = [],
    others = [];
  for (let k = 0; k < SIDE * SIDE; k++) {
    const at = [rect.x + ((0.5 + (k % SIDE)) / SIDE) * rect.w, rect.y + ((0.5 + Math.floor(k / SIDE)) / SIDE) * rect.h];
    (own(...at) ? mine : others).push(at);
  }
  const room = ([x, y]) =>
    Math.min(
      x - rect.x,
      rect.x + rect.w - x,
      y - rect.y,
      rect.y + rect.h - y,
      ...others.map((o) => Math.hypot(x - o[0], y - o[1])),
    );
  return mine.reduce((best, at) => (best && room(best) >= room(at) ? best : at), null) || middle;
}
