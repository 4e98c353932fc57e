// Hides an element, with all in it where deep, and remembers its own styles. A
// transition would delay it.
(node) => {
  if (!node || !node.style) return '';
  const kept = (globalThis.__refscope.printed = globalThis.__refscope.printed || []);
  for (const el of DEEP ? [node, ...node.querySelectorAll('*')] : [node]) {
    if (!el.style) continue;
    const s = el.style,
      own = (n) => [n, s.getPropertyValue(n), s.getPropertyPriority(n)];
    kept.push([el, el.hasAttribute('style'), [own('visibility'), own('transition'), own('animation')]]);
    s.setProperty('transition', 'none', 'important');
    s.setProperty('animation', 'none', 'important');
    s.setProperty('visibility', 'hidden', 'important');
  }
  return getComputedStyle(node).visibility;
}
