// What a script of the page can know of the page, as one flat map of texts: markup,
// attributes, live form state, globals, prototypes, scroll, selection, history,
// storage, what was fetched, which number the next timer gets. Long texts are cut and
// followed by a hash of the whole. Nothing is written; no getter of the page is run
// but the few named here.
(() => {
  const facts = {};
  const hash = (s) => { let h = 0x811c9dc5; for (let i = 0; i < s.length; i++) { h ^= s.charCodeAt(i); h = Math.imul(h, 0x01000193); } return (h >>> 0).toString(16); };
  const put = (key, value) => { const s = String(value); facts[key] = s.length > 4000 ? hash(s) + ' of ' + s.length + ': ' + s.slice(0, 1000) : s; };
  const attempt = (fn) => { try { return fn(); } catch (e) { return 'refused: ' + e.name; } };
  const flags = (d) => (d.writable ? 'w' : '') + (d.enumerable ? 'e' : '') + (d.configurable ? 'c' : '');
  const say = (fn) => (typeof fn === 'function' ? Function.prototype.toString.call(fn) : typeof fn);
  const shape = (o) => Reflect.ownKeys(o).map((k) => {
    const d = Reflect.getOwnPropertyDescriptor(o, k);
    return !d ? '' : String(k) + ' ' + flags(d) + ' ' + ('value' in d ? say(d.value) : say(d.get) + ' ' + say(d.set));
  }).join('\n');
  // Elements of a document and of its open shadow roots, in order.
  const everything = (root, list) => {
    for (const el of root.querySelectorAll('*')) { list.push(el); if (el.shadowRoot) everything(el.shadowRoot, list); }
    return list;
  };

  const visit = (win, at) => {
    let doc = null;
    try { doc = win.document; void doc.nodeType; } catch { put(at + 'frame', 'of another origin'); return; }
    const all = everything(doc, []), index = new Map(all.map((el, i) => [el, i]));
    const place = (node) => (!node ? 'none' : index.has(node) ? index.get(node) : node.parentNode ? place(node.parentNode) + '/' + Array.prototype.indexOf.call(node.parentNode.childNodes, node) : 'document');
    put(at + 'markup', doc.documentElement ? doc.documentElement.outerHTML : '');
    put(at + 'shadow markup', all.filter((el) => el.shadowRoot).map((el) => index.get(el) + el.shadowRoot.innerHTML).join());
    put(at + 'elements', all.length);
    put(at + 'attributes', all.map((el) => Array.prototype.map.call(Element.prototype.getAttributeNames.call(el), (n) => n + '=' + Element.prototype.getAttribute.call(el, n)).join('\t')).join('\n'));
    put(at + 'properties of elements', all.map((el) => Reflect.ownKeys(el).map(String).join()).join(';').replace(/;+/g, ';'));
    put(at + 'form state', all.filter((el) => /^(input|textarea|select|option|details|dialog)$/.test(el.localName)).map((el) => [index.get(el), el.type === 'file' ? '' : el.value, el.checked, el.indeterminate, el.selected, el.open, attempt(() => el.selectionStart)].join()).join(';'));
    put(at + 'globals', shape(win));
    put(at + 'document', shape(doc));
    let prototypes = '';
    for (const k of Reflect.ownKeys(win)) {
      const d = Reflect.getOwnPropertyDescriptor(win, k);
      if (!d || typeof d.value !== 'function') continue;
      prototypes += String(k) + '\n' + shape(d.value) + '\n' + (d.value.prototype && typeof d.value.prototype === 'object' ? shape(d.value.prototype) : '') + '\n';
    }
    put(at + 'prototypes', hash(prototypes) + ' of ' + prototypes.length);
    put(at + 'active element', place(doc.activeElement));
    put(at + 'scroll', win.scrollX + ',' + win.scrollY + all.filter((el) => el.scrollTop || el.scrollLeft).map((el) => ';' + index.get(el) + ' ' + el.scrollLeft + ',' + el.scrollTop).join(''));
    const s = win.getSelection();
    put(at + 'selection', s ? [s.rangeCount, place(s.anchorNode), s.anchorOffset, place(s.focusNode), s.focusOffset].join() : 'none');
    put(at + 'history', [win.history.length, attempt(() => JSON.stringify(win.history.state)), win.location.href].join());
    put(at + 'cookies', attempt(() => doc.cookie));
    put(at + 'storage', attempt(() => JSON.stringify(Object.entries(win.localStorage)) + JSON.stringify(Object.entries(win.sessionStorage))));
    put(at + 'fetched', attempt(() => win.performance.getEntriesByType('resource').map((e) => e.name).sort().join()));
    put(at + 'sheets and animations', [doc.styleSheets.length, (doc.adoptedStyleSheets || []).length, doc.getAnimations().length].join());
    put(at + 'state', [doc.readyState, doc.visibilityState, doc.title, doc.designMode, !!doc.fullscreenElement, win.name].join());
    put(at + 'window', [win.innerWidth, win.innerHeight, win.devicePixelRatio, win.length].join());
    const timer = win.setTimeout(() => {}, 1e6);
    win.clearTimeout(timer);
    const frame = win.requestAnimationFrame(() => {});
    win.cancelAnimationFrame(frame);
    put(at + 'next timer', [timer, frame].join());
    for (let i = 0; i < win.length; i++) visit(win[i], at + 'frame ' + i + ': ');
  };
  visit(window, '');
  return facts;
})()
