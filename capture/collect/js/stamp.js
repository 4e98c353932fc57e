// Writes the attributes that pages and agents of the seed's kind go by
// (S-15): data-llm-id, data-llm-in-shadow, data-has-click-listener. Rows are place,
// number, 1 in a shadow tree, 1 with a click listener. An id of another writer
// stays, and its number is given to no other element of the document: two would have it.
// The answer is how many elements have an id of another writer, and how many have none for its sake.
(rows) => {
  const registry = globalThis.__refscope,
    els = registry.shot.els;
  const ours = registry.stamped || (registry.stamped = new WeakSet());
  let foreign = 0,
    taken = 0;
  const theirs = new Set(),
    roots = [document];
  while (roots.length > 0) {
    for (const el of roots.pop().querySelectorAll('*')) {
      if (!ours.has(el) && el.hasAttribute('data-llm-id')) theirs.add(el.getAttribute('data-llm-id').trim());
      const inner = el.shadowRoot || (registry.hosts && registry.hosts.get(el));
      if (inner) roots.push(inner);
    }
  }
  for (const [place, ref, shadow, listens] of rows) {
    const el = els[place];
    if (el.hasAttribute('data-llm-id') && !ours.has(el)) {
      foreign++;
      continue;
    }
    if (theirs.has(String(ref))) {
      taken++;
      continue;
    }
    ours.add(el);
    el.setAttribute('data-llm-id', ref);
    if (shadow) el.setAttribute('data-llm-in-shadow', 'true');
    if (listens) el.setAttribute('data-has-click-listener', 'true');
  }
  return JSON.stringify([foreign, taken]);
}
