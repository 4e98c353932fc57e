// Finds, in the registry of our world, the elements with these uids that are still in
// the document, closed shadow roots that are known included: in the order of the uids, null for
// what is not there.
(wanted) => {
  const registry = globalThis.__refscope,
    roots = [document];
  const places = new Map(wanted.map((uid, k) => [uid, k])),
    found = wanted.map(() => null);
  let left = places.size;
  while (roots.length > 0) {
    for (const el of roots.pop().querySelectorAll('*')) {
      const k = places.get(registry.ids.get(el));
      if (k !== undefined) {
        found[k] = el;
        if (--left === 0) return found;
      }
      const root = el.shadowRoot || (registry.hosts && registry.hosts.get(el));
      if (root) roots.push(root);
    }
  }
  return found;
}
