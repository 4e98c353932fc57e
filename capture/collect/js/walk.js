// The walk: every element of one document in composed order, iteratively, as
// columns. See collect.Columns in Go for what each column means.

// Why an element is not rendered; the numbers are collect.hide… in Go.
const SHOWN = 0, DISPLAY_NONE = 1, VISIBILITY = 2, CONTENT_HIDDEN = 3, ZERO_BOX = 4, TRANSPARENT = 5, CLIPPED = 6,
  SKIPPED = 7, OPT_OUT = 8, UNSLOTTED = 9, FILTERED = 10;

const EV_NATIVE = 1, EV_ROLE = 2, EV_TABINDEX = 4, EV_EDITABLE = 8, EV_LISTENER = 16, EV_CURSOR = 32, EV_LABEL = 64;

const FLAG_VISIBLE = 1, FLAG_IN_VIEWPORT = 2, FLAG_CONTENTS = 4, FLAG_BOUNDARY = 8, FLAG_SVG = 16,
  FLAG_BLOCK = 32, FLAG_NO_POINTER = 64, FLAG_APART = 128, FLAG_POSITIONED = 256, FLAG_TURNED = 512, FLAG_TRANSFORM = 1024;

// Tags that show nothing that a text could say (D-7); svg and canvas are shown,
// but only a picture can tell what is in them.
const SKIP_TAGS = new Set('script style noscript template svg canvas source track head meta link title base param'.split(' '));

const SECTION_TAGS = new Set(('section article aside table tr form details dl dialog header footer main nav hgroup fieldset').split(' '));

const round = (v) => Math.round(v * 100) / 100;

// A list of one element in a flat column: index, length, entries.
function pushList(column, i, list) {
  column.push(i, list.length);
  for (const v of list) column.push(v);
}

// nthOf is an element's 1-based place among its parent's element children, made
// once for each parent.
function makeNth() {
  const known = new WeakMap();
  return (el) => {
    const parent = el.parentNode;
    if (!parent) return 1;
    let places = known.get(parent);
    if (!places) {
      places = new Map();
      let n = 0;
      for (let c = parent.firstElementChild; c; c = c.nextElementSibling) places.set(c, ++n);
      known.set(parent, places);
    }
    return places.get(el) || 1;
  };
}

function walk(start, opt, shadowKind, out) {
  const { els, index, strings } = out;
  const str = strings.of;
  const registry = out.registry;
  const focus = deepActive();
  const vw = opt.width, vh = opt.height;
  const deadline = performance.now() + opt.deadline;

  // A frame is one parent whose children are being visited.
  const rootCtx = {
    hide: SHOWN, culprit: -1, opacity: 1, clear: -1, clip: NO_CLIP, absClip: NO_CLIP, fixClip: NO_CLIP,
    cursor: 'auto', svg: false, turned: false, inControl: false,
  };
  const stack = [];
  const open = (parent, node, list, ctx, host, kind, extra) => stack.push({
    parent, next: node, list, k: 0, ctx, host, kind, extra, run: '', lastInline: false, runs: null, union: null, isPre: undefined,
  });

  function textNode(f, node) {
    const data = node.data;
    if (f.isPre === undefined) f.isPre = keepsSpace(f, node);
    if (f.isPre) {
      f.run += data;
    } else {
      const t = data.replace(/[ \t\n\r\f]+/g, ' ');
      if (t === ' ') {
        if (f.run || f.lastInline) f.run = f.run.endsWith(' ') ? f.run : f.run + ' ';
        return;
      }
      if (t === '') return;
      f.run = f.run.endsWith(' ') && t[0] === ' ' ? f.run + t.slice(1) : f.run + t;
    }
    if (f.parent >= 0 && f.ctx.hide === SHOWN && data.trim() !== '') (f.textNodes || (f.textNodes = [])).push(node);
  }
  // White space is asked for only where there is text, and only text with more
  // than single spaces can tell the difference.
  function keepsSpace(f, node) {
    const el = node.parentElement || (f.parent >= 0 ? els[f.parent] : null);
    if (!el || f.ctx.hide !== SHOWN) return false;
    if (el.localName === 'pre') return true;
    const mode = getComputedStyle(el).whiteSpace;
    return (mode.startsWith('pre') && mode !== 'pre-line') || mode === 'break-spaces';
  }
  function flushRun(f, before) {
    if (f.run === '') return;
    // A single space counts only between two inline siblings.
    if (f.run !== ' ' || (before >= 0 && f.lastInline)) {
      const kept = redactor.joined && f.run.trim() !== '' && f.parent >= 0 && redactor.hides(els[f.parent]);
      if (kept) redactor.learn(f.run, true);
      (f.runs || (f.runs = [])).push(kept ? strings.mark('[redacted]') : str(f.run.length > 20000 ? f.run.slice(0, 20000) : f.run), before);
    }
    f.run = '';
  }
  function close(f) {
    flushRun(f, -1);
    const i = f.parent;
    if (i < 0) return;
    if (f.runs) pushList(out.runs, i, f.runs);
    if (f.textNodes && f.runs) textRects(i, f.textNodes);
    // A control whose own box is empty is where its content is.
    if (out.hide[i] === ZERO_BOX && f.union && out.evidence[i]) {
      const u = f.union;
      out.box[4 * i] = round(u.l); out.box[4 * i + 1] = round(u.t);
      out.box[4 * i + 2] = round(u.r - u.l); out.box[4 * i + 3] = round(u.b - u.t);
      out.hide[i] = SHOWN; out.culprit[i] = -1;
      place(i, u.l, u.t, u.r, u.b, f.own);
    }
    const above = stack[stack.length - 1];
    if (above && f.union && !f.clipsAll) grow(above, f.union.l, f.union.t, f.union.r, f.union.b);
  }
  function grow(f, l, t, r, b) {
    const u = f.union;
    if (!u) f.union = { l, t, r, b };
    else { u.l = Math.min(u.l, l); u.t = Math.min(u.t, t); u.r = Math.max(u.r, r); u.b = Math.max(u.b, b); }
  }
  function textRects(i, nodes) {
    if (!(out.flags[i] & FLAG_IN_VIEWPORT) && !out.contentsInView.has(i)) return;
    const rects = [];
    const range = document.createRange();
    for (const n of nodes) {
      range.selectNodeContents(n);
      for (const r of range.getClientRects()) {
        if (r.width > 0 && r.height > 0 && r.bottom > 0 && r.top < vh && r.right > 0 && r.left < vw) rects.push(round(r.left), round(r.top), round(r.width), round(r.height));
        if (rects.length > 400) break;
      }
    }
    if (rects.length > 0) pushList(out.textRects, i, rects);
  }
  // place sets visible, in viewport and clip of a rendered box.
  function place(i, l, t, r, b, ctx) {
    const c = ctx.clip;
    const hard = Math.min(r, c.hr) > Math.max(l, c.hl) && Math.min(b, c.hb) > Math.max(t, c.ht);
    if (hard && ctx.opacity > 0.01) out.flags[i] |= FLAG_VISIBLE;
    const cl = Math.max(l, c.l), ct = Math.max(t, c.t), cr = Math.min(r, c.r), cb = Math.min(b, c.b);
    const left = cr > cl && cb > ct;
    if (left && Math.min(cr, vw) > Math.max(cl, 0) && Math.min(cb, vh) > Math.max(ct, 0)) out.flags[i] |= FLAG_IN_VIEWPORT;
    if (cl > l || ct > t || cr < r || cb < b) {
      out.clip.set(i, left ? [round(cl), round(ct), round(cr - cl), round(cb - ct)] : [round(Math.max(l, Math.min(cl, r))), round(Math.max(t, Math.min(ct, b))), 0, 0]);
    }
    if (!hard) { out.faint.push(i, CLIPPED, c.by); }
    else if (ctx.opacity <= 0.01) { out.faint.push(i, TRANSPARENT, ctx.clear); }
  }

  function element(f, el) {
    const i = els.length;
    flushRun(f, i);
    els.push(el);
    index.set(el, i);
    const tag = el.localName;
    let uid = registry.ids.get(el);
    if (uid === undefined) { uid = registry.nextId++; registry.ids.set(el, uid); }
    out.parent.push(f.parent);
    out.tag.push(str(tag));
    out.uid.push(uid);
    out.shadow.push(f.kind);
    out.host.push(f.host);
    out.nth.push(out.nthOf(el));
    if (el.parentElement && f.parent >= 0 && els[f.parent] !== el.parentElement && f.kind !== undefined) {
      const lp = index.get(el.parentElement);
      if (lp !== undefined) out.light.push(i, lp);
    }
    out.box.push(0, 0, 0, 0);
    out.flags.push(0);
    out.evidence.push(0);
    const at = el.attributes;
    if (at.length > 0) {
      const list = [];
      const secret = sensitive(el);
      for (let k = 0; k < at.length; k++) {
        const a = at[k];
        const v = a.value, instead = withheldAttribute(el, a.name, v, secret);
        list.push(str(a.name), instead ? strings.mark(instead) : str(v.length > 2000 ? v.slice(0, 2000) : v));
      }
      pushList(out.attrs, i, list);
    }
    const ctx = f.ctx;
    let hide = ctx.hide, culprit = ctx.culprit;
    const svg = ctx.svg || el.namespaceURI === 'http://www.w3.org/2000/svg';
    if (svg) out.flags[i] |= FLAG_SVG;
    if (hide === SHOWN && f.extra === UNSLOTTED) { hide = UNSLOTTED; culprit = f.parent; }
    if (hide === SHOWN && (el.classList.contains('dddk-skip') || el.hasAttribute('data-dddk-skip'))) { hide = OPT_OUT; culprit = i; }
    const drop = hide === SHOWN && out.filter ? out.filter(el) : '';
    if (drop) { hide = FILTERED; culprit = i; out.filteredBy.push(i, str(drop)); }
    if (redactor.joined && redactor.hides(el)) out.withheld.push(i);
    const operable = svg && hide === SHOWN && (WIDGET_ROLES.has((el.getAttribute('role') || '').trim()) || el.hasAttribute('tabindex') || (tag === 'a' && el.hasAttribute('href')));
    if ((hide === SHOWN) && SKIP_TAGS.has(tag) && !(tag === 'noscript' && el.firstElementChild) && !operable && tag !== 'svg' && tag !== 'canvas') { hide = SKIPPED; culprit = i; }
    let next = ctx;
    if (hide === SHOWN || hide === VISIBILITY) {
      next = shown(f, el, i, tag, ctx, svg, operable);
    } else {
      if (tag === 'iframe' || tag === 'frame') out.frames.push(i, 0, 0);
      out.hide.push(hide); out.culprit.push(culprit);
      next = ctx.hide === hide ? ctx : { ...ctx, hide, culprit, svg };
    }
    if (svg && next.svg !== true) next = { ...next, svg: true };
    descend(el, i, tag, f, next);
  }

  // shown handles an element that no ancestor hides, and gives the context of its
  // children.
  function shown(f, el, i, tag, ctx, svg, operable) {
    const style = getComputedStyle(el);
    const display = style.display;
    f.lastInline = display.startsWith('inline') || display === 'contents';
    if (display === 'none') {
      out.hide.push(DISPLAY_NONE); out.culprit.push(i);
      if (tag === 'iframe' || tag === 'frame') out.frames.push(i, 0, 0);
      return { ...ctx, hide: DISPLAY_NONE, culprit: i };
    }
    if (!f.lastInline && !display.startsWith('ruby')) out.flags[i] |= FLAG_BLOCK;
    else if (display.length > 8 && f.lastInline) out.flags[i] |= FLAG_APART; // inline-block and the like
    if (style.textTransform !== 'none') out.flags[i] |= FLAG_TRANSFORM;
    const visibility = style.visibility;
    const position = style.position;
    if (position !== 'static') out.flags[i] |= FLAG_POSITIONED;
    const turned = ctx.turned || isTurned(style.transform);
    if (turned) out.flags[i] |= FLAG_TURNED;
    if (position !== 'static' && position !== 'relative') out.positioned.push(i);
    const overflow = style.overflow;
    const overflowX = overflow === 'visible' ? overflow : style.overflowX, overflowY = overflow === 'visible' ? overflow : style.overflowY;
    const cursor = style.cursor;
    let opacity = ctx.opacity, clear = ctx.clear;
    const own = +style.opacity;
    if (own < 1) { opacity *= own; if (own <= 0.01) clear = i; }
    let clip = position === 'fixed' ? ctx.fixClip : position === 'absolute' ? ctx.absClip : ctx.clip;
    let hide = SHOWN, culprit = -1;
    let rect = null;
    if (display === 'contents') {
      out.flags[i] |= FLAG_CONTENTS;
    } else {
      rect = el.getBoundingClientRect();
      if (style.clipPath !== 'none' || (style.clip !== 'auto' && position === 'absolute')) clip = ownClip(style, rect, clip, i);
    }
    if (visibility !== 'visible') { hide = VISIBILITY; culprit = ctx.hide === VISIBILITY ? ctx.culprit : i; }
    else if (rect && !(rect.width > 0 && rect.height > 0)) { hide = ZERO_BOX; culprit = i; }
    const here = { ...ctx, clip, opacity, clear };
    const skipped = hide === SHOWN && !operable && (tag === 'svg' || tag === 'canvas' || ctx.svg);
    if (skipped) { hide = SKIPPED; culprit = i; }
    out.hide.push(hide); out.culprit.push(culprit);
    if (rect) {
      out.box[4 * i] = round(rect.left); out.box[4 * i + 1] = round(rect.top);
      out.box[4 * i + 2] = round(rect.width); out.box[4 * i + 3] = round(rect.height);
      if (rect.width > 0 && rect.height > 0) {
        grow(f, Math.max(rect.left, clip.l), Math.max(rect.top, clip.t), Math.min(rect.right, clip.r), Math.min(rect.bottom, clip.b));
        if (hide === SHOWN || hide === SKIPPED) place(i, rect.left, rect.top, rect.right, rect.bottom, here);
        if (hide === SHOWN && display === 'inline') {
          const rects = el.getClientRects();
          if (rects.length > 1) {
            const list = [];
            for (const r of rects) if (r.width > 0 && r.height > 0 && list.length < 256) list.push(round(r.left), round(r.top), round(r.width), round(r.height));
            if (list.length > 4) out.rects.set(i, list);
          }
        }
      }
    } else if (ctx.clip.r > 0) out.contentsInView.add(i);

    if ((tag === 'iframe' || tag === 'frame') && rect) {
      out.frames.push(i, round(rect.left + el.clientLeft + parseFloat(style.paddingLeft)), round(rect.top + el.clientTop + parseFloat(style.paddingTop)));
    }
    if (hide === SHOWN || hide === ZERO_BOX || (hide === SKIPPED && tag !== 'canvas' && !ctx.svg)) facts(el, i, tag, style, cursor, ctx, hide, svg, rect);
    scroller(el, i, overflowX, overflowY);

    // What the children inherit.
    let childClip = clip;
    if (rect && (overflowX !== 'visible' || overflowY !== 'visible') && !display.startsWith('inline ') && display !== 'inline' && !viewportOverflow(el, tag)) {
      const hx = overflowX === 'hidden' || overflowX === 'clip', hy = overflowY === 'hidden' || overflowY === 'clip';
      const inner = {
        left: rect.left + el.clientLeft, top: rect.top + el.clientTop,
        right: rect.left + el.clientLeft + (el.clientWidth || rect.width), bottom: rect.top + el.clientTop + (el.clientHeight || 0),
      };
      childClip = narrow(clip, inner, { x: hx, y: hy }, overflowX !== 'visible', overflowY !== 'visible', i);
    }
    let childHide = SHOWN, childCulprit = -1;
    if (visibility !== 'visible') { childHide = VISIBILITY; childCulprit = culprit; }
    if (style.contentVisibility === 'hidden') { childHide = CONTENT_HIDDEN; childCulprit = i; }
    let absClip = ctx.absClip, fixClip = ctx.fixClip;
    if (childClip !== absClip || childClip !== fixClip) {
      // Which box holds absolute and fixed descendants matters only where clips differ.
      const transformed = style.transform !== 'none' || style.filter !== 'none' || /paint|layout|strict|content/.test(style.contain) || style.willChange === 'transform';
      if (transformed) fixClip = childClip;
      if (transformed || position !== 'static') absClip = childClip;
    }
    return { hide: childHide, culprit: childCulprit, opacity, clear, clip: childClip, absClip, fixClip, cursor, svg, turned, inControl: ctx.inControl || out.evidence[i] !== 0 };
  }

  // Overflow of the root, or of body where the root has none, is the viewport's.
  function viewportOverflow(el, tag) {
    if (el === document.documentElement) return true;
    if (tag !== 'body' || el !== document.body) return false;
    const root = getComputedStyle(document.documentElement);
    return root.overflowX === 'visible' && root.overflowY === 'visible';
  }

  // facts are what formats say of an element: role, name, value, states, evidence.
  function facts(el, i, tag, style, cursor, ctx, hide, svg, rect) {
    const roleAttr = el.getAttribute('role');
    const plain = !roleAttr && (tag === 'div' || tag === 'span' || tag === 'body' || tag === 'b' || tag === 'i');
    const role = plain ? 'generic' : roleOf(el);
    const explicit = roleAttr ? explicitRole(el) : '';
    let evidence = 0;
    switch (tag) {
      case 'a': case 'area': if (el.hasAttribute('href')) evidence |= EV_NATIVE; break;
      case 'button': case 'select': case 'textarea': case 'label': evidence |= EV_NATIVE; break;
      case 'input': if (el.type !== 'hidden') evidence |= EV_NATIVE; break;
      case 'summary': if (el.parentElement && el.parentElement.localName === 'details') evidence |= EV_NATIVE; break;
      case 'audio': case 'video': if (el.controls) evidence |= EV_NATIVE; break;
    }
    if (WIDGET_ROLES.has(explicit)) evidence |= EV_ROLE;
    if (el.hasAttribute('contenteditable') && el.isContentEditable && !(el.parentElement && el.parentElement.isContentEditable)) evidence |= EV_EDITABLE;
    if (el.hasAttribute('onclick') || el.hasAttribute('onmousedown') || el.hasAttribute('onpointerdown')) evidence |= EV_LISTENER;
    if (!evidence && cursor === 'pointer' && ctx.cursor !== 'pointer' && !ctx.inControl && !el.hasAttribute('tabindex') && tag !== 'html' && tag !== 'body' && hide === SHOWN && !svg) evidence |= EV_CURSOR;
    const tabbed = el.hasAttribute('tabindex') && el.tabIndex >= 0;
    const section = SECTION_TAGS.has(tag);
    const heading = /^h[1-6]$/.test(tag) || role === 'heading';
    const wanted = evidence !== 0 || tabbed || section || heading || tag === 'img' || tag === 'iframe' || tag === 'frame' ||
      (explicit && explicit !== 'none' && explicit !== 'generic') || opt.allNames ||
      el.hasAttribute('aria-label') || el.hasAttribute('aria-labelledby') || (svg && role === 'img');
    if (wanted) {
      out.wanted.push(i, role, tabbed);
      if (evidence || tabbed || section || explicit) boundary(el, i, style);
    }
    out.evidence[i] = evidence;
    if (role && role !== 'generic') out.roles.push(i, str(role));
    const secret = sensitive(el);
    if (secret) {
      out.redacted.push(i, str(secret), el.value || valueOf(el, role) ? 1 : 0);
      if (opt.allowSecrets && secret !== 'profile' && el.value) out.allowed.push([i, el.value]);
    } else {
      const value = valueOf(el, role);
      if (value !== undefined && value !== '') out.values.push(i, str(value.length > 20000 ? value.slice(0, 20000) : value));
    }
    if (!plain || el === focus || el.inert || el.hasAttribute('aria-current')) {
      const states = statesOf(el, role, el === focus);
      if (states) { out.statesAt.push(i); out.states.push(states); }
    } else if (el.attributes.length > 0 && el.hasAttribute('aria-expanded')) {
      const states = statesOf(el, role, false);
      if (states) { out.statesAt.push(i); out.states.push(states); }
    }
  }

  function boundary(el, i, style) {
    const bg = style.backgroundColor;
    if ((bg !== 'rgba(0, 0, 0, 0)' && bg !== 'transparent') || parseFloat(style.borderTopWidth) > 0 || parseFloat(style.borderLeftWidth) > 0 || style.boxShadow !== 'none') out.flags[i] |= FLAG_BOUNDARY;
  }

  function scroller(el, i, ox, oy) {
    if (oy !== 'auto' && oy !== 'scroll' && ox !== 'auto' && ox !== 'scroll') return;
    if (viewportOverflow(el, el.localName)) return;
    scrollFact(el, i, ox, oy, out);
  }

  function descend(el, i, tag, f, ctx) {
    const kind = f.kind, host = f.host;
    if (tag === 'details' && !el.open && ctx.hide === SHOWN) {
      // A closed details shows its first summary only.
      const summary = Array.from(el.children).find((c) => c.localName === 'summary');
      open(i, null, Array.from(el.childNodes), ctx, host, kind);
      const top = stack[stack.length - 1];
      top.onlyShow = summary || null; top.details = true; top.own = ctx;
      return;
    }
    const root = el.shadowRoot || (out.closed && out.closed.get(el));
    if (root) {
      registry.watch(root);
      const loose = [];
      for (let c = el.firstChild; c; c = c.nextSibling) {
        if (c.nodeType === 1 && !assigned(c)) loose.push(c);
      }
      if (loose.length > 0) open(i, null, loose, ctx, host, kind, UNSLOTTED);
      open(i, root.firstChild, null, ctx, i, root.mode === 'closed' ? 2 : 1);
      stack[stack.length - 1].own = ctx;
      return;
    }
    if (tag === 'slot' && kind !== 0) {
      const nodes = el.assignedNodes();
      if (nodes.length > 0) {
        // What is assigned belongs to the tree of the host.
        open(i, null, nodes, ctx, host >= 0 ? out.host[host] : -1, host >= 0 ? out.shadow[host] : 0);
        stack[stack.length - 1].own = ctx;
        return;
      }
    }
    if (el.firstChild === null) return;
    if (tag === 'script' || tag === 'style' || tag === 'textarea') return; // code, and a value that is read live
    open(i, el.firstChild, null, ctx, host, kind);
    stack[stack.length - 1].own = ctx;
  }

  const assigned = (node) => {
    if (node.assignedSlot) return true;
    return out.assignedTo ? out.assignedTo(node) : false;
  };

  open(-1, start, null, rootCtx, -1, shadowKind);
  while (stack.length > 0) {
    const f = stack[stack.length - 1];
    let node;
    if (f.list) {
      if (f.k >= f.list.length) { stack.pop(); close(f); continue; }
      node = f.list[f.k++];
    } else {
      node = f.next;
      if (!node) { stack.pop(); close(f); continue; }
      f.next = node.nextSibling;
    }
    if (node.nodeType === 3) {
      if (f.details) continue;
      textNode(f, node);
    } else if (node.nodeType === 1) {
      if (els.length >= opt.maxNodes || ((els.length & 1023) === 1023 && performance.now() > deadline)) {
        out.limit = els.length >= opt.maxNodes ? 'nodes' : 'deadline';
        out.limitAt = els.length;
        break;
      }
      if (f.details && node !== f.onlyShow) {
        const saved = f.ctx;
        f.ctx = { ...saved, hide: CONTENT_HIDDEN, culprit: f.parent };
        element(f, node);
        f.ctx = saved;
      } else element(f, node);
    }
  }
  while (stack.length > 0) close(stack.pop());
}

// nameAll computes the names of the elements that formats name, once the walk knows
// what is rendered. A tabindex makes what has a label or text a control (D-5).
function nameAll(out) {
  const { els, strings } = out;
  for (let k = 0; k < out.wanted.length; k += 3) {
    const i = out.wanted[k], role = out.wanted[k + 1], tabbed = out.wanted[k + 2], el = els[i];
    const name = computeName(el, role);
    if (tabbed && (name.text || (el.textContent || '').trim() !== '')) out.evidence[i] |= EV_TABINDEX;
    if (name.text) out.names.push(i, strings.of(name.text), strings.of(name.from));
    const description = computeDescription(el, name);
    if (description) out.descriptions.push(i, strings.of(description));
  }
}

function deepActive() {
  let el = document.activeElement;
  while (el && el.shadowRoot && el.shadowRoot.activeElement) el = el.shadowRoot.activeElement;
  return el === document.body ? null : el;
}
