// Scrolls everything that was scrolled when extent.js remembered it, and the window,
// back to where it was.
(() => {
  const to = (left, top) => ({ left, top, behavior: 'instant' });
  for (const [el, left, top] of globalThis.__refscope.scrolled || [])
    Element.prototype.scrollTo.call(el, to(left, top));
  delete globalThis.__refscope.scrolled;
  scrollTo(to(LEFT, TOP));
  return '';
})()
