// Watches the document from its start, in the isolated world. It counts every change,
// so that settling can use quiet that has already been seen and a capture can prove
// that picture and text are one moment; and it notes what changed after the page had
// loaded, so that what came and went between two captures is not lost (S-9).
//
// Memory and time are bounded whatever the page does: LIMIT notes of TEXT characters,
// no reference to any element, BUDGET records looked at in a second; the rest is
// only counted. It never asks for layout. Values of fields are never read.
// Idempotent: a world keeps one observer.
(() => {
  if (globalThis.__refscope) return;
  const LIMIT = 50,
    TEXT = 120,
    BUDGET = 300,
    LATE = 3000;
  const state = {
    mutations: 0, // records since observation began
    last: performance.now(), // ms, time origin of the document, of the last record
    from: Date.now(), // epoch ms when observation began
    roots: new WeakSet(), // shadow roots that are observed too
    ids: new WeakMap(), // element → uid: identity without touching the page
    nextId: 1,
    skipped: 0, // records after the load that were only counted
    written: false, // something was changed as no parser of HTML does: a script is at work
  };
  const notes = []; // {at, type, category, what, text, key}, oldest first
  const known = new WeakMap(); // notable element → whether it was rendered
  let second = 0,
    spent = 0,
    ready = false;

  // What loads is not news: changes count once the load event is over, or LATE ms
  // after the document was parsed where that event does not come.
  const loaded = () => {
    if (ready) return true;
    const t = performance.timing,
      now = Date.now();
    ready = t.loadEventEnd > 0 || (t.domContentLoadedEventEnd > 0 && now - t.domContentLoadedEventEnd > LATE);
    return ready;
  };

  const ERROR =
    /\b(errors?|failed|failure|invalid|incorrect|denied|rejected|unable to|could ?n.t|cannot|went wrong|not found|expired|fehler|ungültig|fehlgeschlagen|erreur|échec|invalide|inválido|incorrecto|fallo|errore|non valid[oa]|erro|fout|ongeldig|błąd)\b|ошибк|неверн|エラー|失敗|无效|错误|失败|오류|실패/i;
  const SUCCESS =
    /\b(success(ful(ly)?)?|saved|completed?|done|thank you|thanks|confirmed|sent|added|updated|created|uploaded|copied|gespeichert|erfolgreich|danke|enregistré|succès|merci|guardado|éxito|gracias|salvato|grazie|salvo|sucesso|obrigad[oa]|opgeslagen|zapisano)\b|сохранен|успешно|спасибо|保存しました|完了|成功|已保存|저장|완료/i;
  const WARNING =
    /\b(warning|caution|attention|careful|are you sure|unsaved|will expire|warnung|achtung|avertissement|advertencia|atención|attenzione|atenção|waarschuwing|uwaga)\b|внимание|предупрежден|警告|注意|경고|주의/i;
  const LOADING =
    /^\s*(loading|please wait|processing|searching|saving|lädt|wird geladen|bitte warten|chargement|cargando|caricamento|carregando|laden|ładowanie|загрузка|読み込み中|加载中|로딩)/i;
  const CLASS = [
    ['error', /(^|[\s_-])(errors?|danger|invalid|fail(ed|ure)?|critical)($|[\s_-])/i],
    ['success', /(^|[\s_-])(success|positive|confirm(ed|ation)?)($|[\s_-])/i],
    ['warning', /(^|[\s_-])(warn(ing)?|caution)($|[\s_-])/i],
    ['loading', /(^|[\s_-])(loading|loader|spinner|skeleton|progress|shimmer)($|[\s_-])/i],
  ];
  const NOTABLE =
    '[role=alert],[role=status],[role=log],[role=dialog],[role=alertdialog],[role=progressbar],[aria-live],dialog,[popover]';
  const STATES = [
    'disabled',
    'hidden',
    'open',
    'class',
    'aria-expanded',
    'aria-checked',
    'aria-selected',
    'aria-pressed',
    'aria-invalid',
    'aria-busy',
    'aria-disabled',
    'aria-hidden',
  ];

  const squash = (s) => s.replace(/[\s\u200b]+/g, ' ').trim();
  const cut = (s) => {
    const short = squash(s);
    return short.length > TEXT ? short.slice(0, TEXT - 1).replace(/[\ud800-\udbff]$/, '') + '…' : short;
  };
  const attr = (el, name) => el.getAttribute(name) || '';
  const classOf = (el) => (attr(el, 'class') + ' ' + attr(el, 'id')).slice(0, 300);

  // Inside an editor text is typed; inside these nothing is shown to a person.
  const mute = (el) => el.closest('script,style,noscript,template,head,svg,[data-dddk-skip],.dddk-skip') !== null;
  const editor = (el) =>
    el.closest('textarea,input,select,[contenteditable]:not([contenteditable=false]),[role=textbox],[role=searchbox]');
  const control = (el) => /^(input|select|textarea|form|fieldset|label|option|datalist|output)$/.test(el.localName);

  // secret: fields whose changes are not even mentioned.
  const secret = (el) => {
    if (!/^(input|textarea)$/.test(el.localName)) return false;
    if (el.type === 'password' || (state.passwords && state.passwords.has(el))) return true;
    const hints = [
      attr(el, 'autocomplete'),
      attr(el, 'name'),
      attr(el, 'id'),
      attr(el, 'aria-label'),
      attr(el, 'placeholder'),
    ]
      .join(' ')
      .replace(/([a-z])([A-Z])/g, '$1 $2');
    return /passw|pwd|one-time-code|\bcc-|(^|[^a-z])(otp|totp|cvv|cvc|csc|pin|2fa|mfa)([^a-z]|$)|card.?(num|no)|(security|verification).?code/i.test(
      hints,
    );
  };

  // words gathers the text of a subtree, at most TEXT characters, without what is
  // typed or not rendered by its tag.
  function words(node) {
    if (node.nodeType === 3) return cut(node.data.slice(0, 2000));
    if (node.nodeType !== 1) return '';
    let text = '',
      steps = 0;
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (n) => {
      if (n.nodeType === 3) return NodeFilter.FILTER_ACCEPT;
      return /^(script|style|noscript|template|textarea|select|svg|head|iframe)$/.test(n.localName) ||
        n.hidden ||
        (n.isContentEditable && n !== node)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_SKIP;
    });
    while (steps++ < 200 && text.length < 2 * TEXT && walker.nextNode())
      text += ' ' + walker.currentNode.data.slice(0, 500);
    return cut(text) || cut(attr(node, 'aria-label') || attr(node, 'alt') || attr(node, 'title'));
  }

  function severity(el, text) {
    for (let up = el, k = 0; up && k < 3; up = up.parentElement, k++) {
      for (const [name, pattern] of CLASS) if (pattern.test(classOf(up))) return name;
      if (
        k === 0 &&
        (attr(up, 'aria-busy') === 'true' || attr(up, 'role') === 'progressbar' || up.localName === 'progress')
      )
        return 'loading';
    }
    if (LOADING.test(text)) return 'loading';
    const said = el.closest('[role=alert],[role=alertdialog]');
    const live = said || el.closest('[role=status],[role=log],[aria-live=polite],[aria-live=assertive]');
    // Words alone are significant only in a short message.
    if (live || text.length <= 80) {
      if (ERROR.test(text)) return 'error';
      if (WARNING.test(text)) return 'warning';
      if (SUCCESS.test(text)) return 'success';
    }
    return said ? 'warning' : '';
  }

  const what = (el) =>
    attr(el, 'role').split(' ')[0].toLowerCase() || { a: 'link', img: 'image' }[el.localName] || el.localName;
  const NAMED = /^(button|a|img|dialog|details|summary|iframe|video|audio|table)$/;

  function note(type, category, name, text, el) {
    let key = 0;
    if (el) {
      key = state.ids.get(el);
      if (key === undefined) {
        key = state.nextId++;
        state.ids.set(el, key);
      }
    }
    // A clock that ticks is one note, not fifty.
    if (type === 'changed' && key) {
      const k = notes.findIndex((n) => n.key === key && n.type === type && n.what === name);
      if (k >= 0) notes.splice(k, 1);
    }
    notes.push({ at: performance.now(), type, category, what: name.slice(0, 40), text, key });
    if (notes.length > LIMIT) notes.splice(0, notes.length - LIMIT);
  }

  function came(type, node, parent) {
    const around = node.nodeType === 1 ? node : parent;
    if (!around || mute(around) || (parent && mute(parent))) return;
    const field = editor(around) || (parent && editor(parent));
    if (field) {
      if (field !== node) typed(field);
      else if (!secret(field)) note(type, 'form', what(field), label(field), null);
      return;
    }
    const text = words(node);
    if (node.nodeType === 3) {
      if (text) note(type, severity(parent || around, text) || 'text', '', text, null);
      return;
    }
    const serious = severity(node, text);
    const inner = node.localName.includes('-') || NAMED.test(node.localName) || attr(node, 'role') ? node : null;
    if (!text && !inner && !serious) return;
    if (serious) note(type, serious, inner ? what(inner) : '', text, null);
    else if (control(node)) note(type, 'form', what(node), text || label(node), null);
    else if (inner) note(type, 'element', what(inner), text, null);
    else note(type, 'text', '', text, null);
  }

  const label = (el) => cut(attr(el, 'aria-label') || attr(el, 'placeholder') || attr(el, 'title') || attr(el, 'name'));
  function typed(field) {
    if (!secret(field)) note('changed', 'form', what(field), label(field), field);
  }

  function changedAttribute(el, name) {
    if (mute(el) || secret(el)) return;
    if (name === 'class' || name === 'style' || name === 'hidden' || name === 'open' || name === 'aria-hidden') {
      // Shown or hidden: relevant only for elements that carry a message.
      if (!el.matches(NOTABLE)) return;
      const now = el.checkVisibility ? el.checkVisibility({ visibilityProperty: true }) : !el.hidden;
      const before = known.get(el);
      known.set(el, now);
      if (before === now || (before === undefined && !now)) return;
      const text = words(el);
      if (text) note(now ? 'added' : 'removed', severity(el, text) || 'element', what(el), text, null);
      return;
    }
    const text = control(el) ? label(el) || words(el) : words(el);
    if (name === 'aria-invalid') {
      if (attr(el, name) !== 'false') note('changed', 'error', what(el), text, el);
      return;
    }
    if (name === 'aria-busy') {
      note('changed', 'loading', what(el), text, el);
      return;
    }
    note('changed', control(el) ? 'form' : 'element', what(el), text, el);
  }

  function look(record) {
    const target = record.target;
    if (record.type === 'attributes') {
      if (STATES.includes(record.attributeName) || record.attributeName === 'style')
        changedAttribute(target, record.attributeName);
      return;
    }
    const el =
      target.nodeType === 1
        ? target
        : target.parentElement || (target.parentNode && target.parentNode.host) || target.host || null;
    if (record.type === 'characterData') {
      if (!el || mute(el)) return;
      const field = editor(el);
      if (field) {
        typed(field);
        return;
      }
      const text = words(target);
      if (text) note('changed', severity(el, text) || 'text', '', text, el);
      return;
    }
    const { addedNodes: added, removedNodes: removed } = record;
    if (
      el &&
      added.length > 0 &&
      removed.length > 0 &&
      added.length <= 3 &&
      Array.from(added).every((n) => n.nodeType === 3)
    ) {
      if (mute(el)) return;
      const field = editor(el);
      const text = words(el);
      if (field) typed(field);
      else if (text) note('changed', severity(el, text) || 'text', '', text, el);
      return;
    }
    for (let k = 0; k < removed.length && k < 5; k++) came('removed', removed[k], el);
    for (let k = 0; k < added.length && k < 5; k++) if (added[k].isConnected) came('added', added[k], el);
  }

  function take(records) {
    if (records.length === 0) return;
    state.mutations += records.length;
    state.written = state.written || records.some((r) => r.type === 'attributes' || r.removedNodes.length > 0);
    const now = (state.last = performance.now());
    if (!loaded()) return;
    if (now - second > 1000) {
      second = now;
      spent = 0;
    }
    // The latest of many are the most useful.
    const room = Math.max(0, Math.min(records.length, BUDGET - spent));
    state.skipped += records.length - room;
    spent += room;
    for (let k = records.length - room; k < records.length; k++) {
      try {
        look(records[k]);
      } catch {
        /* a detached document or an exotic node: counted, not described */
      }
    }
  }

  const observer = new MutationObserver(take);
  const all = { childList: true, subtree: true, attributes: true, characterData: true };
  observer.observe(document, all);
  // A password field that is switched to plain text stays one for the collector.
  state.passwords = new WeakSet();
  const switched = (records) => {
    for (const r of records) if (/^password$/i.test(r.oldValue || '')) state.passwords.add(r.target);
  };
  const types = new MutationObserver(switched);
  const typeOnly = { subtree: true, attributes: true, attributeFilter: ['type'], attributeOldValue: true };
  types.observe(document, typeOnly);
  // A mutation observer does not see into shadow roots; the collector passes on
  // the roots that it meets.
  state.watch = (root) => {
    if (state.roots.has(root)) return;
    state.roots.add(root);
    observer.observe(root, all);
    types.observe(root, typeOnly);
  };
  // The collector reads the counter at once, before records are delivered. What could
  // show and hide later is remembered as it is now.
  let primed = false;
  state.flush = () => {
    take(observer.takeRecords());
    switched(types.takeRecords());
    if (!primed && loaded() && document.body) {
      primed = true;
      let k = 0;
      for (const el of document.querySelectorAll(NOTABLE)) {
        if (k++ >= 200) break;
        if (!known.has(el))
          known.set(el, el.checkVisibility ? el.checkVisibility({ visibilityProperty: true }) : !el.hidden);
      }
    }
    return state.mutations;
  };
  // The notes from a time on (ms of the document's own clock), oldest first: [age in ms,
  // type, category, what, text].
  state.since = (from) => {
    const now = performance.now();
    return notes.filter((n) => n.at >= from).map((n) => [Math.round(now - n.at), n.type, n.category, n.what, n.text]);
  };
  state.recent = () => state.since(0);
  // How the message of an element is read and judged, for the sentinel (capture/agent/sentinel).
  state.words = words;
  state.severity = severity;
  Object.defineProperty(globalThis, '__refscope', { value: state });
})()
