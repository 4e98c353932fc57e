// Says what a click at a point of the frame's viewport would land on: {reached} where
// it is the element, something inside it, or its label; else what is in the way. With
// over it is asked of the place and of what the mouse is over as the browser has it;
// {nothing} where that is nothing of this document, or not known. js/describe.js and the
// functions of capture/collect/js/press.js stand around it.
(node, { x, y, over, words }) => {
  const inside = (el) => {
    for (let n = el; n; n = n.parentNode || n.host) if (n === node) return true;
    return false;
  };
  const find = (at) => {
    let hit = at(document);
    for (let deeper = hit; deeper && deeper.shadowRoot;) {
      const next = at(deeper.shadowRoot);
      if (!next || next === deeper) break;
      hit = deeper = next;
    }
    // A closed root hides what is in it; its own root can be asked.
    const own = node.getRootNode();
    if (own !== document && own.elementFromPoint) {
      const h = at(own);
      if (h && inside(h)) hit = h;
    }
    return hit;
  };
  // A label has the clicks on it, but for those on what is operated itself in it (HTML, 4.10.4).
  const has = (label, hit) => {
    for (let n = hit; n; n = n.parentNode || n.host)
      if (n === label || n === label.control) return true;
      else if (n instanceof Element && Element.prototype.matches.call(n, OPERATED)) return false;
    return false;
  };
  const reaches = (hit) =>
    (node.localName === 'label' && node.control ? has(node, hit) : inside(hit)) ||
    (node.labels && [...node.labels].some((l) => has(l, hit))) ||
    (hit.localName === 'label' && hit.control && inside(hit.control)) ||
    (node.localName === 'area' && hit.localName === 'img' && hit.useMap); // an image map's area is drawn by its image
  let hit = find((root) => hitIn(root, x, y));
  if (over && hit && reaches(hit)) hit = find((root) => [...root.querySelectorAll(':hover')].pop());
  if (!hit) return { reached: false, nothing: true };
  if (reaches(hit)) return { reached: true };
  return { reached: false, by: describe(hit, node, words) };
}
