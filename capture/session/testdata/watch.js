// Watches what happens to the page from now on: mutations of every readable document
// and open shadow root, and events that a capture could cause. Its stop takes all of
// it away again and returns what came, one line each.
(() => {
  const seen = [], undo = [];
  const types = 'focus blur focusin focusout scroll scrollend resize visibilitychange selectionchange select input change beforeinput pointermove pointerover ' +
    'mousemove mouseover mousedown keydown click wheel beforeprint afterprint copy hashchange popstate pagehide toggle message';
  const visit = (win) => {
    let doc = null;
    try { doc = win.document; void doc.nodeType; } catch { return; }
    const observer = new MutationObserver((records) => { for (const r of records) seen.push(r.type + ' of ' + r.target.nodeName + ' ' + (r.attributeName || '')); });
    const watch = (root) => {
      observer.observe(root, { childList: true, attributes: true, characterData: true, subtree: true });
      for (const el of root.querySelectorAll('*')) if (el.shadowRoot) watch(el.shadowRoot);
    };
    watch(doc);
    undo.push(() => { for (const r of observer.takeRecords()) seen.push(r.type + ' of ' + r.target.nodeName + ' ' + (r.attributeName || '')); observer.disconnect(); });
    for (const type of types.split(' ')) {
      const hear = (e) => seen.push('event ' + e.type);
      for (const target of [win, doc]) { target.addEventListener(type, hear, true); undo.push(() => target.removeEventListener(type, hear, true)); }
    }
    for (let i = 0; i < win.length; i++) visit(win[i]);
  };
  visit(window);
  return { stop() { for (const fn of undo) fn(); return Array.from(new Set(seen)); } };
})()
