// Takes closed roots into the world's registry and counts what in them may
// be a host in turn.
(...roots) => {
  const registry = globalThis.__refscope,
    maybe = [];
  const tags = /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span|.*-.*)$/;
  const todo = [];
  for (const root of roots) {
    if (!root || !root.host) continue;
    registry.hosts.set(root.host, root);
    todo.push(root);
  }
  const look = (root) => {
    for (const el of root.querySelectorAll('*')) {
      if (el.shadowRoot) todo.push(el.shadowRoot);
      else if (tags.test(el.localName) && !registry.hosts.has(el)) maybe.push(el);
    }
  };
  while (todo.length > 0) look(todo.pop());
  registry.maybe = maybe;
  return String(maybe.length);
}
