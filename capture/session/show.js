// Gives the elements that hide.js hid their own styles back, the last first.
() => {
  for (const [el, had, styles] of (globalThis.__refscope.printed || []).reverse()) {
    for (const [name, value, priority] of styles.reverse())
      if (value) el.style.setProperty(name, value, priority);
      else el.style.removeProperty(name);
    if (!had && el.getAttribute('style') === '') el.removeAttribute('style');
  }
  delete globalThis.__refscope.printed;
  return '';
}
