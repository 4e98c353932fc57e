// The refs that an agent's tool keeps on elements. Elements are named by their place among those of the document and
// of its open shadow trees, in an order that is the same in every world of the document.
//
// In the tool's world, without places: how many elements there are, and the ref of each that has one, with the role and
// the name that it goes with. Playwright keeps these on the element, as _ariaRef {role, name, ref}, and gives another ref
// where one of them is another (injected/ariaSnapshot.ts). In ours: the uids of those at places.
(places) => {
  const every = [];
  const list = (root) => {
    const own = root.querySelectorAll('*');
    for (const el of own) every.push(el);
    for (const el of own) if (el.shadowRoot) list(el.shadowRoot);
  };
  list(document);
  if (places) {
    const ids = globalThis.__refscope.ids;
    return JSON.stringify({ total: every.length, uids: places.map((k) => ids.get(every[k]) || 0) });
  }
  const refs = [];
  every.forEach((el, k) => {
    const r = el._ariaRef;
    if (r && typeof r.ref === 'string') refs.push([k, r.ref, String(r.role || ''), String(r.name || '').slice(0, 200)]);
  });
  return JSON.stringify({ total: every.length, refs });
}
