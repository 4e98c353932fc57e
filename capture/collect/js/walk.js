// The walk: every element of one document in composed order, iteratively, as
// columns. See collect.Columns in Go for what each column means.

function walk(start, opt, shadowKind, out) {
  const { els, index, strings } = out;
  const str = strings.of;
  const registry = out.registry;
  const focus = deepActive();
  const vw = opt.width,
    vh = opt.height;
  const deadline = performance.now() + opt.deadline;

  // A frame is one parent whose children are being visited.
  const rootCtx = {
    hide: SHOWN,
    culprit: -1,
    ...UNCUT,
    display: 'block',
    visibility: 'visible',
    cursor: 'auto',
    cased: false,
    svg: false,
    inControl: false,
    inert: false,
  };
  const stack = [];
  // own: the context of the element whose content it is; asked: its children need
  // their computed style; nth: element children so far.
  // grown: l, t, r and b are the union of what was drawn of it.
  const makeFrame = () => ({
    parent: 0,
    next: null,
    list: null,
    k: 0,
    ctx: null,
    own: null,
    host: 0,
    kind: 0,
    extra: undefined,
    run: '',
    lastInline: false,
    runs: null,
    textNodes: null,
    grown: false,
    l: 0,
    t: 0,
    r: 0,
    b: 0,
    isPre: undefined,
    asked: false,
    nth: 0,
    details: false,
    onlyShow: null,
    drawn: 0,
    after: '',
  });
  const closed = []; // frames to use again: one each time costs garbage collections
  const open = (parent, node, list, ctx, host, kind, extra) => {
    const f = closed.pop() || makeFrame();
    f.parent = parent;
    f.next = node;
    f.list = list;
    f.k = 0;
    f.ctx = f.own = ctx;
    f.host = host;
    f.kind = kind;
    f.extra = extra;
    f.run = f.after = '';
    f.drawn = 0;
    f.lastInline = f.grown = f.details = false;
    f.runs = f.textNodes = f.onlyShow = null;
    f.isPre = undefined;
    f.nth = 0;
    f.asked = kind !== 0 || list !== null || extra !== undefined;
    stack.push(f);
  };
  const shut = () => {
    const f = stack.pop();
    close(f);
    closed.push(f);
  };

  function textNode(f, node) {
    const data = node.data;
    // Only white space beside white space looks different where it is kept.
    const t = LOOSE_SPACE.test(data) ? data.replace(/[ \t\n\r\f]+/g, ' ') : data;
    if (f.isPre === undefined && (t !== data || (t.startsWith(' ') && f.run.endsWith(' '))))
      f.isPre = keepsSpace(f, node);
    if (f.isPre) {
      f.run += data;
    } else {
      if (t === ' ') {
        if (f.run || f.lastInline) f.run = f.run.endsWith(' ') ? f.run : f.run + ' ';
        return;
      }
      if (t === '') return;
      f.run = f.run.endsWith(' ') && t[0] === ' ' ? f.run + t.slice(1) : f.run + t;
    }
    if (f.parent >= 0 && f.ctx.hide === SHOWN && hasText(data)) (f.textNodes || (f.textNodes = [])).push(node);
  }
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
      if (kept) redactor.learn(f.run, !maskedAround(els[f.parent]));
      (f.runs || (f.runs = [])).push(
        kept ? strings.mark(withEdges(f.run, '[redacted]')) : str(f.run.length > 20000 ? f.run.slice(0, 20000) : f.run),
        before,
      );
    }
    f.run = '';
  }
  function close(f) {
    if (f.after) f.run += f.after;
    flushRun(f, -1);
    const i = f.parent;
    if (i < 0) return;
    if (f.runs) pushList(out.runs, i, f.runs);
    if (f.drawn || f.after) out.generatedBytes.push(i, f.drawn, utf8Length(f.after));
    // A control whose own box is empty, or text that overflows one, is where its
    // content is.
    if (f.own && boxless(i) && (out.evidence[i] || f.textNodes || /^h[1-6]$/.test(els[i].localName)) && spill(f, i)) {
      out.box[4 * i] = round(f.l);
      out.box[4 * i + 1] = round(f.t);
      out.box[4 * i + 2] = round(f.r - f.l);
      out.box[4 * i + 3] = round(f.b - f.t);
      out.hide[i] = SHOWN;
      out.culprit[i] = -1;
      place(i, f.l, f.t, f.r, f.b, f.own.clip, f.own.opacity, f.own.clear, f.own.away);
    }
    if (f.textNodes && f.runs) {
      textRects(i, f.textNodes, f.own.clip);
      if (f.own.opacity < 0.5) out.dim.set(i, f.own.opacity);
      if (cutsText(i, f)) out.cutText.add(i);
    } else if (f.runs && f.own) generatedRect(i, f.runs, f.own.clip);
    const above = stack[stack.length - 1];
    if (above && f.grown) grow(above, f.l, f.t, f.r, f.b);
  }
  // cutsText: the element is a speck, and its own overflow leaves none of its text.
  function cutsText(i, f) {
    const b = 4 * i,
      clip = f.own.clip;
    if (out.hide[i] !== SHOWN || (out.box[b + 2] > 2 && out.box[b + 3] > 2)) return false;
    const e = textExtent(f.textNodes);
    return (
      e !== null &&
      e.r - e.l > 2 &&
      e.b - e.t > 2 &&
      (Math.min(e.r, clip.hr) - Math.max(e.l, clip.hl) <= 2 || Math.min(e.b, clip.hb) - Math.max(e.t, clip.ht) <= 2)
    );
  }
  const boxless = (i) => out.hide[i] === ZERO_BOX || (out.hide[i] === SHOWN && (out.flags[i] & FLAG_CONTENTS) !== 0);
  // spill grows a frame by what is drawn for an element without a box of its own, false where nothing is.
  function spill(f, i) {
    const clip = f.own.clip;
    const add = (e) => {
      if (!e) return;
      const l = Math.max(e.l, clip.hl),
        t = Math.max(e.t, clip.ht),
        r = Math.min(e.r, clip.hr),
        b = Math.min(e.b, clip.hb);
      if (r > l && b > t) grow(f, l, t, r, b);
    };
    if (f.textNodes) add(textExtent(f.textNodes));
    if (!f.grown && out.evidence[i]) add(pseudoExtent(els[i], els[i].getBoundingClientRect()));
    return f.grown;
  }
  function grow(f, l, t, r, b) {
    if (!(r > l && b > t)) return; // clipped away
    if (!f.grown) {
      f.grown = true;
      f.l = l;
      f.t = t;
      f.r = r;
      f.b = b;
      return;
    }
    f.l = Math.min(f.l, l);
    f.t = Math.min(f.t, t);
    f.r = Math.max(f.r, r);
    f.b = Math.max(f.b, b);
  }
  // textRects notes where in view the own text is drawn: what scrolling and clipping leave of its lines.
  function textRects(i, nodes, clip) {
    if (!(out.flags[i] & FLAG_IN_VIEWPORT) && !out.contentsInView.has(i)) return;
    const rects = [];
    const range = document.createRange();
    for (const n of nodes) {
      range.selectNodeContents(n);
      for (const line of range.getClientRects()) {
        const l = Math.max(line.left, clip.l),
          t = Math.max(line.top, clip.t),
          r = Math.min(line.right, clip.r),
          b = Math.min(line.bottom, clip.b);
        if (r > l && b > t && b > 0 && t < vh && r > 0 && l < vw)
          rects.push(round(l), round(t), round(r - l), round(b - t));
        if (rects.length > 400) break;
      }
    }
    if (rects.length > 0) pushList(out.textRects, i, rects);
  }
  // generatedRect is for text that is all generated, which no range holds: it lies in the element's box.
  function generatedRect(i, runs, clip) {
    const words = (at, k) => k % 2 === 0 && /[\p{L}\p{N}]/u.test(strings.list[at]);
    if (out.hide[i] !== SHOWN || !(out.flags[i] & FLAG_IN_VIEWPORT) || !runs.some(words)) return;
    const b = 4 * i,
      l = Math.max(out.box[b], clip.l, 0),
      t = Math.max(out.box[b + 1], clip.t, 0),
      r = Math.min(out.box[b] + out.box[b + 2], clip.r, vw),
      h = Math.min(out.box[b + 1] + out.box[b + 3], clip.b, vh);
    if (r > l && h > t) pushList(out.textRects, i, [round(l), round(t), round(r - l), round(h - t)]);
  }
  // place sets visible, in viewport and clip of a rendered box.
  function place(i, l, t, r, b, c, opacity, clear, away) {
    let hard = Math.min(r, c.hr) > Math.max(l, c.hl) && Math.min(b, c.hb) > Math.max(t, c.ht),
      by = c.by;
    if (hard && c.cut !== null) {
      const cut = cutAway(i, c.cut, Math.max(l, c.hl), Math.max(t, c.ht), Math.min(r, c.hr), Math.min(b, c.hb), out);
      hard = cut < 0;
      if (!hard) [by, c] = [cut, { ...c, l: 0, t: 0, r: 0, b: 0 }];
    }
    if (hard && opacity > 0.01 && away < 0) out.flags[i] |= FLAG_VISIBLE;
    const cl = Math.max(l, c.l),
      ct = Math.max(t, c.t),
      cr = Math.min(r, c.r),
      cb = Math.min(b, c.b);
    const left = cr > cl && cb > ct;
    if (left && Math.min(cr, vw) > Math.max(cl, 0) && Math.min(cb, vh) > Math.max(ct, 0))
      out.flags[i] |= FLAG_IN_VIEWPORT;
    if (cl > l || ct > t || cr < r || cb < b) {
      out.clip.set(
        i,
        left
          ? [round(cl), round(ct), round(cr - cl), round(cb - ct)]
          : [round(Math.max(l, Math.min(cl, r))), round(Math.max(t, Math.min(ct, b))), 0, 0],
      );
    }
    if (!hard) {
      out.faint.push(i, CLIPPED, by);
    } else if (away >= 0) {
      out.faint.push(i, TURNED_AWAY, away);
    } else if (opacity <= 0.01) {
      out.faint.push(i, TRANSPARENT, clear);
    } else if (opacity < 0.1) {
      out.opacity.push(i, 100 * opacity);
    }
  }

  function element(f, el) {
    const i = els.length;
    const tag = el.localName;
    // A line break parts words, whoever joins them.
    if (tag === 'br' && !f.isPre && f.run !== '' && !f.run.endsWith(' ')) f.run += ' ';
    else if (tag === 'br' && !f.isPre && f.run === '' && f.lastInline) f.run = ' ';
    flushRun(f, i);
    els.push(el);
    if (HIDEABLE.length > 0 && (tag === 'form' ? hidesProperties(el) : typeof tag !== 'string')) throw HIDDEN;
    let uid = registry.ids.get(el);
    if (uid === undefined) {
      uid = registry.nextId++;
      registry.ids.set(el, uid);
    }
    index.set(uid, i);
    out.parent.push(f.parent);
    out.tag.push(strings.plain(tag));
    if (NOTED_TAGS.has(tag)) out.noted.push(i);
    out.uid.push(uid);
    out.shadow.push(f.kind);
    out.host.push(f.host);
    out.nth.push(f.list ? out.nthOf(el) : ++f.nth);
    if (f.list && f.parent >= 0) {
      const light = el.parentElement;
      if (light && els[f.parent] !== light) {
        const lp = index.get(light);
        if (lp !== undefined) out.light.push(i, lp);
      }
    }
    out.box.push(0, 0, 0, 0);
    out.flags.push(0);
    out.evidence.push(0);
    // What lies in a foreignObject of a drawing is HTML again.
    const ctx = f.ctx.svg && el.namespaceURI === HTML ? { ...f.ctx, svg: false } : f.ctx;
    const bits = el.hasAttributes() ? attributes(el, i) : 0;
    if (bits & A_LOOK) out.ownLook.add(i);
    let hide = ctx.hide,
      culprit = ctx.culprit;
    const svg = ctx.svg || (tag === 'svg' && el.namespaceURI === 'http://www.w3.org/2000/svg');
    if (svg) out.flags[i] |= FLAG_SVG;
    if (hide === SHOWN && f.extra === UNSLOTTED) {
      hide = UNSLOTTED;
      culprit = f.parent;
    }
    if (hide === SHOWN && bits & A_SKIP) {
      hide = OPT_OUT;
      culprit = i;
    }
    // What a filter leaves out is read as the rest is, so that nothing else of the page reads differently for it.
    const drop = out.filter && !ctx.filtered ? out.filter(el) : '';
    if (drop) out.filteredBy.push(i, str(drop));
    if (redactor.joined && redactor.hides(el)) out.withheld.push(i);
    const canvas = tag === 'canvas';
    const operable =
      hide === SHOWN &&
      (svg || canvas) &&
      (WIDGET_ROLES.has((el.getAttribute('role') || '').trim()) ||
        (canvas && (drawingNamed(el) || (el.getAttribute('title') || '').trim() !== '')) ||
        (svg && (bits & A_TABINDEX) !== 0) ||
        (tag === 'a' && (bits & (A_HREF | A_XLINK)) !== 0));
    if (
      hide === SHOWN &&
      SKIP_TAGS.has(tag) &&
      !(tag === 'noscript' && el.firstElementChild) &&
      !operable &&
      tag !== 'svg' &&
      !canvas
    ) {
      hide = SKIPPED;
      culprit = i;
    }
    if (hide === OPT_OUT && culprit === i && ctx.hide === SHOWN) keptOut(el, i);
    let next = ctx;
    if (hide === SHOWN || hide === VISIBILITY) {
      next = shown(f, el, i, tag, ctx, svg, operable, bits);
    } else {
      if (tag === 'iframe' || tag === 'frame') out.frames.push(i, 0, 0);
      if (hide === OPT_OUT && getComputedStyle(el).overflow !== 'visible') out.scrollable.push(new WeakRef(el));
      out.hide.push(hide);
      out.culprit.push(culprit);
      next = ctx.hide === hide ? ctx : { ...ctx, hide, culprit, svg };
    }
    if (svg && next.svg !== true) next = { ...next, svg: true };
    if (drop) next = { ...next, filtered: true };
    // An open modal dialog is free of what makes the elements around it inert (HTML, 6.3).
    if (next.inert && modalDialog(el, tag)) next = { ...next, inert: false };
    if (bits & A_STATE && !next.inert && el.inert) next = { ...next, inert: true };
    descend(el, i, tag, f, next);
  }

  // keptOut notes where something lies that a person may see and readers are not given.
  function keptOut(el, i) {
    const r = el.getBoundingClientRect();
    if (!(r.width > 0 && r.height > 0) || getComputedStyle(el).visibility !== 'visible') return;
    out.box[4 * i] = round(r.left);
    out.box[4 * i + 1] = round(r.top);
    out.box[4 * i + 2] = round(r.width);
    out.box[4 * i + 3] = round(r.height);
  }

  // attributes notes an element's attributes and returns their facts as bits. They are asked for by name: an Attr
  // object for each costs four times as much. Of an element with very many, the walk takes the first, and of the rest
  // those that it knows.
  function attributes(el, i) {
    const names = el.getAttributeNames(),
      column = out.attrs;
    if (names.length > MANY_ATTRIBUTES) {
      out.attributesOf = Math.max(out.attributesOf, names.length);
      names.push(...names.splice(MANY_ATTRIBUTES).filter(bitsOf).slice(0, MANY_ATTRIBUTES));
    }
    const secret = sensitive(el);
    let bits = 0;
    column.push(i, 2 * names.length);
    for (const name of names) {
      let v = el.getAttribute(name);
      // In HTML a name with capitals, which only a script can set, is not found by itself.
      if (v === null) v = Array.from(el.attributes).find((a) => a.name === name)?.value ?? '';
      // A document inside an attribute is read as the frame that it becomes.
      if (name === 'srcdoc') {
        column.push(strings.plain(name), str('[a document of ' + v.length + ' characters: see the frame]'));
        continue;
      }
      bits |=
        name === 'class' ? (v.includes('dddk-skip') && el.classList.contains('dddk-skip') ? A_SKIP : 0) : bitsOf(name);
      const instead = v === '' ? '' : withheldAttribute(el, name, v, secret);
      const text = WORD_ATTRIBUTE.test(name) ? strings.plain : str;
      column.push(strings.plain(name), instead ? strings.mark(instead) : text(v.length > 2000 ? v.slice(0, 2000) : v));
    }
    return bits;
  }

  // styleOf are the properties that the walk goes by: computed, or known without.
  function styleOf(f, el, tag, ctx, svg, bits) {
    if (
      out.styled !== null &&
      !f.asked &&
      !svg &&
      !(bits & A_STYLED) &&
      quietTag(el, tag) &&
      !out.styled.has(el) &&
      el.shadowRoot === null &&
      !(out.closed && out.closed.has(el))
    ) {
      QUIET.display = quietDisplay(tag, ctx.display);
      QUIET.visibility = ctx.visibility;
      QUIET.cursor = quietCursor(tag, bits, ctx.cursor);
      QUIET.cased = ctx.cased && !QUIET_CONTROLS.has(tag);
      return QUIET;
    }
    const style = getComputedStyle(el);
    const display = style.display;
    const position = style.position,
      overflow = style.overflow;
    return {
      style,
      display,
      position,
      visibility: style.visibility,
      cursor: style.cursor,
      opacity: opacityOf(style),
      overflowX: overflow === 'visible' ? overflow : style.overflowX,
      overflowY: overflow === 'visible' ? overflow : style.overflowY,
      cased: style.textTransform !== 'none',
      turned:
        isTurned(style.transform) || (style.rotate || 'none') !== 'none' || (style.offsetPath || 'none') !== 'none',
      spins: spins(style),
      cut: style.clipPath !== 'none' || isMasked(style) || hasClip(style),
      withheld: style.contentVisibility === 'hidden',
    };
  }
  // Of all quiet elements, one at a time.
  const QUIET = {
    style: null,
    display: '',
    position: 'static',
    visibility: '',
    cursor: '',
    opacity: 1,
    overflowX: 'visible',
    overflowY: 'visible',
    cased: false,
    turned: false,
    spins: false,
    cut: false,
    withheld: false,
  };

  // shown handles an element that no ancestor hides, and gives the context of its
  // children.
  function shown(f, el, i, tag, ctx, svg, operable, bits) {
    const look = styleOf(f, el, tag, ctx, svg, bits);
    // An area of an image map has no box of its own: it is where its image has it.
    const mapped = tag === 'area' && bits & A_HREF ? areaRect(el) : null;
    const display = mapped ? 'inline-block' : look.display,
      visibility = look.visibility,
      position = look.position,
      cursor = look.cursor,
      quiet = look === QUIET;
    const overflowX = look.overflowX,
      overflowY = look.overflowY,
      cased = look.cased;
    if (overflowX !== 'visible' || overflowY !== 'visible' || tag === 'select' || tag === 'textarea')
      out.scrollable.push(new WeakRef(el));
    f.lastInline = display.startsWith('inline') || display === 'contents' || display === 'ruby';
    if (display === 'none') {
      out.hide.push(DISPLAY_NONE);
      out.culprit.push(i);
      if (tag === 'iframe' || tag === 'frame') out.frames.push(i, 0, 0);
      return { ...ctx, hide: DISPLAY_NONE, culprit: i };
    }
    if ((position === 'fixed' || position === 'absolute') && topLayer(el)) ctx = { ...ctx, ...UNCUT };
    let flags = out.flags[i];
    if (!f.lastInline && !display.startsWith('ruby')) flags |= FLAG_BLOCK;
    else if (display.length > 8 && f.lastInline) flags |= FLAG_APART; // inline-block and the like
    if (cased) flags |= FLAG_TRANSFORM;
    const turned = ctx.turned || look.turned;
    if (turned) flags |= FLAG_TURNED;
    if (position !== 'static') {
      flags |= FLAG_POSITIONED;
      if (position !== 'relative') out.positioned.push(i);
    }
    let opacity = ctx.opacity,
      clear = ctx.clear,
      away = ctx.away,
      plane = null;
    if (!quiet && (display !== 'inline' || REPLACED.test(tag)) && (away >= 0 || ctx.plane !== null || look.spins))
      ({ away, plane } = faceOf(look.style, i, ctx));
    if (look.opacity < 1) {
      opacity *= look.opacity;
      if (look.opacity <= 0.01) clear = i;
    }
    let clip =
      position === 'static' || position === 'relative' || position === 'sticky'
        ? ctx.clip
        : position === 'fixed'
          ? ctx.fixClip
          : ctx.absClip;
    let hide = SHOWN,
      culprit = -1;
    let rect = null,
      list = null;
    if (display === 'contents') {
      flags |= FLAG_CONTENTS;
    } else if (mapped) {
      rect = mapped;
    } else {
      if (display === 'inline') {
        list = el.getClientRects();
        rect = list.length === 1 ? list[0] : el.getBoundingClientRect();
      } else rect = el.getBoundingClientRect();
      if (look.cut) {
        clip = ownClip(look.style, el, rect, clip, i, turned);
        const mask = maskOf(look.style, [rect.left, rect.top, rect.width, rect.height]);
        if (mask !== null && !turned) out.masks.set(i, mask);
        if (mask === 1) [opacity, clear] = [0, i];
      }
    }
    if (tag === 'img' && el.complete && el.naturalWidth === 0) flags |= FLAG_BROKEN;
    out.flags[i] = flags;
    let left = 0,
      top = 0,
      width = 0,
      height = 0;
    if (rect) {
      left = rect.left;
      top = rect.top;
      width = rect.width;
      height = rect.height;
    }
    const sized = width > 0 && height > 0;
    if (visibility !== 'visible') {
      hide = VISIBILITY;
      culprit = ctx.hide === VISIBILITY ? ctx.culprit : i;
    } else if (rect && !sized) {
      hide = ZERO_BOX;
      culprit = i;
    }
    const skipped =
      hide === SHOWN &&
      !operable &&
      !(svg && pointsAt(tag, cursor, ctx)) &&
      (tag === 'svg' || tag === 'canvas' || ctx.svg);
    if (skipped) {
      hide = SKIPPED;
      culprit = i;
    }
    out.hide.push(hide);
    out.culprit.push(culprit);
    if (rect) {
      const box = out.box,
        b = 4 * i;
      box[b] = round(left);
      box[b + 1] = round(top);
      box[b + 2] = round(width);
      box[b + 3] = round(height);
      if (sized) {
        const right = left + width,
          bottom = top + height;
        grow(f, Math.max(left, clip.l), Math.max(top, clip.t), Math.min(right, clip.r), Math.min(bottom, clip.b));
        if (hide === SHOWN || hide === SKIPPED) place(i, left, top, right, bottom, clip, opacity, clear, away);
        if (hide === SHOWN && list !== null && list.length > 1) wrapped(i, list);
      }
    } else if (ctx.clip.r > 0) out.contentsInView.add(i);

    if ((tag === 'iframe' || tag === 'frame') && rect) {
      out.frames.push(
        i,
        round(left + el.clientLeft + parseFloat(look.style.paddingLeft)),
        round(top + el.clientTop + parseFloat(look.style.paddingTop)),
      );
    }
    if (
      hide === SHOWN ||
      hide === ZERO_BOX ||
      (hide === SKIPPED &&
        tag !== 'canvas' &&
        (!ctx.svg || (SVG_NAMEABLE.has(tag) && drawingNamed(el)) || bits & A_ROLE))
    )
      facts(el, i, tag, look.style, cursor, ctx, hide, svg, bits);

    // What the children inherit: most often what the element did.
    const inControl = ctx.inControl || out.evidence[i] !== 0;
    if (
      quiet &&
      hide !== VISIBILITY &&
      display === ctx.display &&
      cursor === ctx.cursor &&
      cased === ctx.cased &&
      inControl === ctx.inControl &&
      clip === ctx.clip &&
      ctx.hide === SHOWN &&
      svg === ctx.svg &&
      ctx.plane === null
    )
      return ctx;
    if (overflowX !== 'visible' || overflowY !== 'visible') scroller(el, i, overflowX, overflowY);
    let childClip = clip;
    const boxed = rect && !display.startsWith('inline ') && display !== 'inline';
    if (boxed && !quiet && cutsPaint(look.style))
      childClip = narrow(clip, innerBox(el, rect, turned), { x: true, y: true }, true, true, i);
    if (boxed && (overflowX !== 'visible' || overflowY !== 'visible') && !viewportOverflow(el, tag)) {
      const hx = overflowX === 'hidden' || overflowX === 'clip',
        hy = overflowY === 'hidden' || overflowY === 'clip';
      const inner = innerBox(el, rect, turned);
      const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll';
      const x = scrolls(overflowX),
        y = scrolls(overflowY);
      const around = x || y ? scrolledOut(childClip, el, look.style, inner, x, y, i) : childClip;
      childClip = narrow(around, inner, { x: hx, y: hy }, overflowX !== 'visible', overflowY !== 'visible', i);
      if (turned && hx && hy) childClip = shaped(childClip, i, '');
    }
    let childHide = SHOWN,
      childCulprit = -1;
    if (visibility !== 'visible') {
      childHide = VISIBILITY;
      childCulprit = culprit;
    }
    if (look.withheld && boxed) {
      childHide = CONTENT_HIDDEN;
      childCulprit = i;
    }
    let absClip = ctx.absClip,
      fixClip = ctx.fixClip;
    if (!quiet && (childClip !== absClip || childClip !== fixClip)) {
      // Which box holds absolute and fixed descendants matters only where clips differ.
      const style = look.style;
      if (look.cut && rect && (style.clipPath !== 'none' || isMasked(style))) {
        // A clip-path or a mask cuts all that is in the element, whichever box holds it.
        absClip = ownClip(style, el, rect, absClip, i, turned);
        fixClip = ownClip(style, el, rect, fixClip, i, turned);
      }
      const held = holdsFixed(style);
      if (held) fixClip = childClip;
      if (held || position !== 'static') absClip = childClip;
    }
    return {
      hide: childHide,
      culprit: childCulprit,
      opacity,
      clear,
      away,
      plane,
      clip: childClip,
      absClip,
      fixClip,
      display,
      visibility,
      cursor,
      cased,
      svg,
      turned,
      inControl,
      inert: ctx.inert,
    };
  }

  // wrapped notes the boxes of an element that is on several lines.
  function wrapped(i, rects) {
    const list = [];
    for (const r of rects)
      if (r.width > 0 && r.height > 0 && list.length < 256)
        list.push(round(r.left), round(r.top), round(r.width), round(r.height));
    if (list.length > 4) out.rects.set(i, list);
  }

  // Overflow of the root, or of body where the root has none, is the viewport's.
  function viewportOverflow(el, tag) {
    if (el === document.documentElement) return true;
    if (tag !== 'body' || el !== document.body) return false;
    const root = getComputedStyle(document.documentElement);
    return root.overflowX === 'visible' && root.overflowY === 'visible';
  }

  // pointsAt reports whether the cursor says of an element, and not only of what it is in, that it can be pressed.
  function pointsAt(tag, cursor, ctx) {
    return cursor === 'pointer' && ctx.cursor !== 'pointer' && !ctx.inControl && tag !== 'html' && tag !== 'body';
  }

  // facts are what formats print of an element: role, name, value, states, evidence.
  function facts(el, i, tag, style, cursor, ctx, hide, svg, bits) {
    const plain = !(bits & A_ROLE) && (tag === 'div' || tag === 'span' || tag === 'body' || tag === 'b' || tag === 'i');
    const designed = tag === 'body' && document.designMode === 'on'; // all of it is written in
    const points = hide === SHOWN && pointsAt(tag, cursor, ctx) && !(bits & A_TABINDEX && el.tabIndex >= 0);
    if (
      plain &&
      !points &&
      !designed &&
      !(bits & ~(A_STYLED | A_LOOK | A_SKIP | A_HREF | A_TITLE)) &&
      el !== focus &&
      !opt.allNames &&
      !redactor.joined
    )
      return;
    const role = plain ? 'generic' : bits & A_ROLE ? roleOf(el) : roleByTag(el);
    const own = bits & A_ROLE ? explicitRole(el) : '';
    if (!own && tag.includes('-') && el.namespaceURI === HTML && el.matches(':defined')) out.customs.push(i);
    const told = own ? undefined : toldOf(el);
    const explicit = own || (told && told.role) || '';
    if (told) out.internals.push(i);
    let evidence = 0;
    switch (tag) {
      case 'a':
      case 'area':
        if (bits & A_HREF || (svg && bits & A_XLINK)) evidence |= EV_NATIVE;
        break;
      case 'button':
      case 'select':
      case 'textarea':
      case 'label':
        evidence |= EV_NATIVE;
        break;
      case 'input':
        if (el.type !== 'hidden') evidence |= EV_NATIVE;
        break;
      case 'summary':
        if (el.parentElement && el.parentElement.localName === 'details') evidence |= EV_NATIVE;
        break;
      case 'audio':
      case 'video':
        if (el.controls) evidence |= EV_NATIVE;
        break;
      default:
        // A custom element that takes part in forms and has the focus itself is a control as the browser's own are.
        if (bits & A_TABINDEX && tag.includes('-') && el.matches(':enabled,:disabled')) evidence |= EV_NATIVE;
    }
    if (WIDGET_ROLES.has(explicit)) evidence |= EV_ROLE;
    if (
      designed ||
      (bits & A_EDITABLE && el.isContentEditable && !(el.parentElement && el.parentElement.isContentEditable)) ||
      (bits & A_TABINDEX && el.editContext)
    )
      evidence |= EV_EDITABLE;
    if (bits & A_HANDLER) evidence |= EV_LISTENER;
    if (!evidence && points) evidence |= EV_CURSOR;
    const tabbed = (bits & A_TABINDEX) !== 0 && el.tabIndex >= 0;
    const section = SECTION_TAGS.has(tag);
    const heading = role === 'heading' || (tag.length === 2 && tag >= 'h1' && tag <= 'h6');
    const wanted =
      evidence !== 0 ||
      tabbed ||
      section ||
      heading ||
      tag === 'img' ||
      tag === 'canvas' ||
      tag === 'iframe' ||
      tag === 'frame' ||
      (explicit && explicit !== 'none' && explicit !== 'generic') ||
      opt.allNames ||
      bits & A_NAMED ||
      NAMED_TAGS.has(tag) ||
      (bits & A_TITLE && role !== '' && role !== 'generic') ||
      (svg && role !== 'generic');
    if (wanted) {
      out.wanted.push(i, role, tabbed, bits);
      // A visual boundary makes a container of its own (S-18); a control is one anyway.
      const weak = !(evidence & ~(EV_LISTENER | EV_CURSOR)) && (evidence || section || explicit);
      if (weak && bounded(style || getComputedStyle(el))) out.flags[i] |= FLAG_BOUNDARY;
    }
    out.evidence[i] = evidence;
    if (role && role !== 'generic') out.roles.push(i, strings.word(role));
    const secret = sensitive(el);
    if (secret) {
      // What the profile withholds is what would be shown: the value of a box is not, as one without an attribute is "on".
      const value = valueOf(el, role) || (secret !== 'profile' && el.value);
      out.redacted.push(i, strings.word(secret), value ? 1 : 0);
      if (opt.allowSecrets && secret !== 'profile' && el.value) out.allowed.push([i, el.value]);
    } else if (
      bits & A_ARIA ||
      VALUED_TAGS.has(tag) ||
      role === 'textbox' ||
      role === 'searchbox' ||
      role === 'combobox' ||
      told
    ) {
      const value = valueOf(el, role);
      if (value !== undefined && value !== '')
        out.values.push(i, str(value.length > 20000 ? value.slice(0, 20000) : value));
    }
    if (
      bits & (A_ARIA | A_ROLE | A_TABINDEX | A_STATE) ||
      STATEFUL_TAGS.has(tag) ||
      heading ||
      el === focus ||
      ctx.inert ||
      told
    ) {
      const states = statesOf(el, role, el === focus, ctx.inert);
      if (states) {
        out.statesAt.push(i);
        out.states.push(states);
      }
    }
  }

  function scroller(el, i, ox, oy) {
    if (oy !== 'auto' && oy !== 'scroll' && ox !== 'auto' && ox !== 'scroll') return;
    if (viewportOverflow(el, el.localName)) return;
    scrollFact(el, i, ox, oy, out);
  }

  // drawn reports whether what is in an element is drawn: an object's where its own data is not.
  function drawn(el) {
    const range = document.createRange();
    range.selectNodeContents(el);
    return range.getClientRects().length > 0;
  }

  function descend(el, i, tag, f, ctx) {
    const kind = f.kind,
      host = f.host;
    if (ctx.hide === SHOWN && ((tag === 'details' && !el.open) || (FALLBACK.has(tag) && !drawn(el)))) {
      // A closed details shows its first summary only, and what draws itself nothing of what is in it.
      const summary = tag === 'details' && Array.from(el.children).find((c) => c.localName === 'summary');
      open(i, null, Array.from(el.childNodes), ctx, host, kind);
      const top = stack[stack.length - 1];
      top.onlyShow = summary || null;
      top.details = true;
      if (tag === 'details' && isWritten(el, tag, ctx)) write(top, el, tag);
      return;
    }
    const root = el.shadowRoot || (out.closed && out.closed.get(el));
    if (root) {
      registry.watch(root);
      if (tag.includes('-')) out.widgets.push(new WeakRef(el));
      generatedIn(root, out.generated);
      const loose = [];
      for (let c = el.firstChild; c; c = c.nextSibling) {
        if (c.nodeType === 1 && !assigned(c)) loose.push(c);
      }
      if (loose.length > 0) open(i, null, loose, ctx, host, kind, UNSLOTTED);
      open(i, root.firstChild, null, ctx, i, root.mode === 'closed' ? 2 : 1);
      if (isWritten(el, tag, ctx)) write(stack[stack.length - 1], el, tag);
      return;
    }
    const written = isWritten(el, tag, ctx);
    if (tag === 'slot' && kind !== 0) {
      const nodes = el.assignedNodes();
      if (nodes.length > 0) {
        // What is assigned belongs to the tree of the host.
        open(i, null, nodes, ctx, host >= 0 ? out.host[host] : -1, host >= 0 ? out.shadow[host] : 0);
        if (written) write(stack[stack.length - 1], el, tag);
        return;
      }
    }
    if (el.firstChild === null && !written && !(out.hide[i] === ZERO_BOX && out.evidence[i])) return;
    if (tag === 'script' || tag === 'style' || tag === 'textarea') return; // code, and a value that is read live
    open(i, el.firstChild, null, ctx, host, kind);
    if (written) write(stack[stack.length - 1], el, tag);
  }

  // isWritten reports whether a style sheet may write text for the element.
  function isWritten(el, tag, ctx) {
    const g = out.generated;
    return ctx.hide === SHOWN && !ctx.svg && (tag === 'q' || g.before.has(el) || g.after.has(el) || g.marker.has(el));
  }

  // write adds what style sheets write before and after an element's content.
  function write(f, el, tag) {
    walked = out;
    const g = out.generated,
      [marker] = g.marker.has(el) && f.ctx.display === 'list-item' ? generatedBy(el, 'marker') : ['', ''],
      [before, first] = tag === 'q' || g.before.has(el) ? generatedBy(el, 'before') : ['', ''],
      [after, last] = tag === 'q' || g.after.has(el) ? generatedBy(el, 'after') : ['', ''];
    f.run = marker + before;
    f.drawn = utf8Length(f.run);
    f.after = after;
    if ((first || last) && f.parent >= 0) out.separators.push(f.parent, str(first), str(last));
    walked = null;
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
      if (f.k >= f.list.length) {
        shut();
        continue;
      }
      node = f.list[f.k++];
    } else {
      node = f.next;
      if (!node) {
        shut();
        continue;
      }
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
    } else if (typeof node.nodeType !== 'number') throw HIDDEN; // a form that hides what it is
  }
  while (stack.length > 0) shut();
}

// bounded reports whether a background, border or shadow sets an element apart.
function bounded(style) {
  const bg = style.backgroundColor;
  return (
    (bg !== 'rgba(0, 0, 0, 0)' && bg !== 'transparent') ||
    parseFloat(style.borderTopWidth) > 0 ||
    parseFloat(style.borderLeftWidth) > 0 ||
    style.boxShadow !== 'none'
  );
}
