// Says what a click at a point of the frame's viewport would land on: {reached} where
// it is the element, something inside it, or its label; else a description of what is
// in the way. With over it is asked of the place and of what the mouse is over as the
// browser has it; {nothing} where that is nothing of this document, or not known. The
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
  let hit = find((root) => root.elementFromPoint(x, y));
  if (over && hit && reaches(hit)) hit = find((root) => [...root.querySelectorAll(':hover')].pop());
  if (!hit) return { reached: false, nothing: true };
  if (reaches(hit)) return { reached: true };
  const registry = globalThis.__refscope,
    uids = [];
  let layer = null;
  for (let el = hit; el; el = el.parentElement || el.getRootNode().host || null) {
    const uid = registry && registry.ids.get(el);
    if (uid) uids.push(uid);
    const role = el.getAttribute('role') || '',
      position = getComputedStyle(el).position;
    if (
      !layer &&
      (el.localName === 'dialog' ||
        /^(dialog|alertdialog|alert|status)$/.test(role) ||
        el.matches('[aria-modal=true],[popover]') ||
        position === 'fixed' ||
        position === 'sticky')
    )
      layer = el;
  }
  const said = (el) => (el.innerText || el.getAttribute('aria-label') || '').replace(/\s+/g, ' ').trim();
  const asksForConsent = (el) =>
    /cookie|consent|datenschutz|gdpr/i.test(said(el).slice(0, 2000)) &&
    el.querySelector('button,[role=button],input[type=submit],a[href]') !== null;
  const kind = (() => {
    if (!layer) {
      // A banner in the flow of the page, which may be drawn over what is around it.
      for (let el = hit; el && el !== document.body && !el.contains(node); el = el.parentElement)
        if (said(el).length < 1000 && asksForConsent(el)) return 'cookie_banner';
      return '';
    }
    const role = layer.getAttribute('role') || '';
    if (asksForConsent(layer)) return layer.matches('dialog,[aria-modal=true]') ? 'consent_dialog' : 'cookie_banner';
    if (layer.localName === 'dialog' || role === 'dialog' || role === 'alertdialog')
      return layer.matches('[aria-modal=true],:modal') ? 'modal' : 'popup';
    if (role === 'alert' || role === 'status') return 'notification';
    if (layer.matches('[popover]')) return 'popup';
    const r = layer.getBoundingClientRect();
    return r.width * r.height >= 0.25 * innerWidth * innerHeight ? 'overlay' : '';
  })();
  const named = hit.id
    ? '#' + CSS.escape(hit.id)
    : hit.localName +
      [...hit.classList]
        .slice(0, 2)
        .map((c) => '.' + CSS.escape(c))
        .join('');
  return {
    reached: false,
    by: {
      kind,
      tag: hit.localName,
      role: hit.getAttribute('role') || '',
      text: said(hit).slice(0, words),
      selector: named,
      uids: uids.slice(0, 8),
    },
  };
}
