// describe is the element that keeps a person from the node, as action.Obstacle has it; its text has that many
// characters at most.
function describe(hit, node, words) {
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
    kind,
    tag: hit.localName,
    role: hit.getAttribute('role') || '',
    text: said(hit).slice(0, words),
    selector: named,
    uids: uids.slice(0, 8),
  };
}
