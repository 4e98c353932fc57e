// Changes a page in one of the ways that a script or a person can, for TestWhatIsGivenAgainIsThePage. It runs in the
// page's own world; seed decides which element, and how. It answers what it did.
((kind, seed) => {
  const memory = (globalThis.__changes ||= { roots: [], heard: [], sheets: [], runs: [] });
  let n = seed;
  const random = (max) => ((n = (Math.imul(n, 1664525) + 1013904223) >>> 0), Math.floor((n / 4294967296) * max));
  const pick = (list) => list[random(list.length)];
  const tree = () => (memory.roots.length > 0 && random(3) === 0 ? pick(memory.roots) : document);
  const any = (selector) => {
    const all = tree().querySelectorAll(selector);
    return all.length > 0 ? pick(all) : pick(document.querySelectorAll('body *'));
  };
  const box = any('body :not(script,style)');
  const sheet = () => {
    if (!memory.style || !memory.style.isConnected) {
      memory.style = document.head.appendChild(document.createElement('style'));
      memory.style.textContent = '.none-has-it { color: red } .none-either::before { content: "-" }';
    }
    return memory.style.sheet;
  };
  const selector = () => {
    const of = random(3) === 0 ? any('a,button,h1,h2,p,li,input') : box;
    return pick([
      of.localName,
      of.id ? '#' + CSS.escape(of.id) : of.localName,
      '.none-has-it',
      'option',
      'a:hover',
      'input:checked',
      of.localName + '::before',
    ]);
  };
  const declaration = () =>
    pick([
      ['display', pick(['none', 'block', 'inline', 'contents'])],
      ['visibility', pick(['hidden', 'visible'])],
      ['opacity', pick(['0', '0.05', '1'])],
      ['position', pick(['fixed', 'absolute', 'relative', 'static'])],
      ['transform', pick(['rotate(10deg)', 'translateX(30px)', 'none'])],
      ['pointer-events', pick(['none', 'auto'])],
      ['z-index', pick(['-1', '9', 'auto'])],
      ['cursor', pick(['pointer', 'auto'])],
      ['color', pick(['#fff', '#fefefe', '#000'])],
      ['font-size', pick(['3px', '20px'])],
      ['content', '"+"'],
      ['overflow', pick(['auto', 'hidden', 'visible'])],
      ['height', pick(['20px', 'auto'])],
      ['clip-path', pick(['inset(50%)', 'none'])],
      ['text-transform', pick(['uppercase', 'none'])],
    ]);
  const kinds = {
    nothing: () => '',
    text: () => {
      const walker = document.createTreeWalker(tree() === document ? document.body : tree(), NodeFilter.SHOW_TEXT);
      const all = [];
      while (walker.nextNode()) if (walker.currentNode.data.trim()) all.push(walker.currentNode);
      if (all.length > 0) pick(all).data = 'Words ' + random(1000);
    },
    attribute: () => {
      const [name, value] = pick([
        ['title', 'T' + random(9)],
        ['aria-label', 'L' + random(9)],
        ['hidden', ''],
        ['disabled', ''],
        ['role', pick(['button', 'link', 'none'])],
        ['tabindex', '0'],
        ['aria-expanded', 'true'],
        ['class', 'none-has-it'],
        ['inert', ''],
        ['contenteditable', ''],
      ]);
      if (box.hasAttribute(name) && random(2)) box.removeAttribute(name);
      else box.setAttribute(name, value);
    },
    style: () => box.style.setProperty(...declaration()),
    element: () => {
      if (random(2))
        box.append(
          Object.assign(document.createElement(pick(['p', 'button', 'div', 'a'])), {
            textContent: 'New ' + random(99),
          }),
        );
      else if (!box.matches('html,body')) box.remove();
    },
    insertRule: () => {
      const [name, value] = declaration();
      sheet().insertRule(selector() + ' { ' + name + ': ' + value + ' }', random(sheet().cssRules.length + 1));
    },
    deleteRule: () => sheet().cssRules.length > 0 && sheet().deleteRule(random(sheet().cssRules.length)),
    editRule: () => {
      const rule = pick(Array.from(sheet().cssRules));
      if (rule && rule.style) rule.style.setProperty(...declaration());
    },
    selectorOfRule: () => {
      const rule = pick(Array.from(sheet().cssRules));
      if (rule && rule.style) rule.selectorText = selector();
    },
    adopt: () => {
      const root = tree();
      const made = new CSSStyleSheet();
      const [name, value] = declaration();
      made.replaceSync(selector() + ' { ' + name + ': ' + value + ' }');
      memory.sheets.push(made);
      root.adoptedStyleSheets = random(4) ? [...root.adoptedStyleSheets, made] : [];
    },
    replaceAdopted: () => {
      const [name, value] = declaration();
      if (memory.sheets.length > 0) pick(memory.sheets).replaceSync(selector() + ' { ' + name + ': ' + value + ' }');
    },
    disableSheet: () => {
      const s = pick(Array.from(document.styleSheets));
      if (s) s.disabled = !s.disabled;
    },
    focus: () => (random(4) ? any('a,button,input,select,textarea,[tabindex]').focus() : document.activeElement.blur()),
    scroll: () => scrollTo(0, random(2000)),
    scrollWithin: () => {
      const all = Array.from(document.querySelectorAll('*')).filter(
        (el) => el.scrollHeight > el.clientHeight + 1 && getComputedStyle(el).overflowY !== 'visible',
      );
      if (all.length > 0) pick(all).scrollTop = random(200);
    },
    scroller: () => {
      const el = document.body.appendChild(document.createElement('div'));
      el.style.cssText = 'height:60px;width:200px;overflow:' + pick(['auto', 'hidden', 'scroll']);
      el.innerHTML =
        '<p>One<p>Two<p><button>Three</button><p>Four<p>Five<div style="overflow:auto;height:20px"><p>In<p>In too</div>';
    },
    root: () => {
      const hosts = Array.from(document.querySelectorAll('div,section,span,p,article')).filter((el) => !el.shadowRoot);
      const host =
        random(3) && hosts.length > 0 ? pick(hosts) : document.body.appendChild(document.createElement('div'));
      if (host.shadowRoot) return;
      const root = host.attachShadow({ mode: 'open' });
      root.innerHTML = pick([
        '',
        '<slot></slot>',
        '<button>Inner</button><input value=x><slot></slot><div style="height:20px;overflow:auto"><p>a<p>b</div>',
      ]);
      memory.roots.push(root);
    },
    closedRoot: () => {
      const host = document.body.appendChild(document.createElement('div'));
      const root = host.attachShadow({ mode: 'closed' });
      root.innerHTML = '<button>Closed</button>';
      memory.closed = root;
    },
    inClosedRoot: () => memory.closed && (memory.closed.firstChild.textContent = 'Closed ' + random(9)),
    widget: () => {
      if (!customElements.get('x-part'))
        customElements.define(
          'x-part',
          class extends HTMLElement {
            constructor() {
              super();
              this.inner = this.attachInternals();
              this.inner.role = 'button';
            }
          },
        );
      memory.part = document.body.appendChild(document.createElement('x-part'));
    },
    frame: () => {
      const all = document.querySelectorAll('iframe');
      if (all.length > 2 && random(2)) return pick(all).remove();
      const frame = document.createElement('iframe');
      frame.srcdoc =
        '<p>Framed</p><input value=f><button>Do</button><div style="height:30px;overflow:auto"><p>1<p>2<p>3</div><div style="height:2000px">';
      if (random(5) === 0) frame.style.display = 'none';
      document.body.prepend(frame);
      return new Promise((done) => {
        frame.onload = () => done('');
      });
    },
    inFrame: () => {
      const frame = pick(document.querySelectorAll('iframe')),
        doc = frame && frame.contentDocument;
      if (!doc || !doc.body) return;
      pick([
        () => {
          const p = doc.querySelector('p');
          if (p) p.textContent = 'Framed ' + random(99);
        },
        () => {
          const f = doc.querySelector('input');
          if (f) f.value = 'v' + random(99);
        },
        () => doc.defaultView.scrollTo(0, random(500)),
        () => {
          const d = doc.querySelector('div');
          if (d) d.scrollTop = random(40);
        },
        () => {
          const b = doc.querySelector('button');
          if (b) b.focus();
        },
        () => {
          doc.open();
          doc.write('<p>Written');
          doc.close();
        },
        () => {
          const s = doc.head.appendChild(doc.createElement('style'));
          s.sheet.insertRule('p { display: none }');
        },
      ])();
    },
    frameElsewhere: () => {
      const frame = pick(document.querySelectorAll('iframe'));
      if (!frame) return;
      frame.srcdoc = '<h1>Elsewhere ' + random(99) + '</h1>';
      return new Promise((done) => {
        frame.onload = () => done('');
      });
    },
    dialog: () => {
      let d = document.querySelector('dialog');
      if (!d) {
        d = document.body.appendChild(document.createElement('dialog'));
        d.innerHTML = '<h2>Sure?</h2><button>Yes</button>';
      }
      if (d.open) d.close();
      else if (d.isConnected) random(2) ? d.showModal() : d.show();
    },
    details: () => {
      let d = document.querySelector('details');
      if (!d) {
        d = document.body.appendChild(document.createElement('details'));
        d.innerHTML = '<summary>More</summary><p>Hidden words';
      }
      d.open = !d.open;
    },
    popover: () => {
      let p = document.querySelector('[popover]');
      if (!p) {
        p = document.body.appendChild(document.createElement('div'));
        p.popover = 'manual';
        p.innerHTML = '<button>Over</button>';
      }
      if (p.isConnected) p.togglePopover();
    },
    value: () => {
      const el = any('input,textarea,select');
      if (el.localName === 'select') el.selectedIndex = random(el.options.length + 1) - 1;
      else if (el.localName === 'input' && /^(checkbox|radio)$/.test(el.type))
        random(2) ? (el.checked = !el.checked) : (el.indeterminate = !el.indeterminate);
      else if ('value' in el && el.type !== 'file') el.value = pick(['', 'v' + random(99), 'secret-' + random(99)]);
      return el.localName + ' ' + el.type;
    },
    option: () => {
      const el = any('option');
      if (el.localName === 'option') el.selected = !el.selected;
    },
    validity: () => {
      const el = any('input,textarea,select');
      if (el.setCustomValidity) el.setCustomValidity(random(2) ? 'no' : '');
    },
    canvas: () => {
      const c = document.querySelector('canvas') || document.body.appendChild(document.createElement('canvas'));
      if (c.getContext) c.getContext('2d').fillRect(random(50), 0, 30, 30);
      if (random(3) === 0) c.width = 100 + random(100);
    },
    animate: () =>
      memory.runs.push(
        box.animate([{ transform: 'translateX(0)' }, { transform: 'translateX(90px)' }], {
          duration: 40 + random(400),
          fill: pick(['none', 'forwards']),
        }),
      ),
    seek: () => {
      const a = pick(memory.runs);
      if (a) {
        a.pause();
        a.currentTime = random(400);
      }
    },
    endAnimations: () => memory.runs.splice(0).forEach((a) => a.cancel()),
    image: () => {
      const img = document.querySelector('img') || document.body.appendChild(new Image());
      const src = pick([
        'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
        '/missing-' + random(9) + '.png',
        'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="80" height="30"/>',
      ]);
      return new Promise((done) => {
        img.onload = img.onerror = () => done(src);
        img.src = src;
        setTimeout(done, 300, 'slow');
      });
    },
    font: () => {
      const face = new FontFace('Late' + random(9), 'local("DejaVu Serif"), local("Liberation Mono")');
      document.fonts.add(face);
      box.style.fontFamily = face.family;
      return face.load().then(
        () => '',
        () => 'not there',
      );
    },
    listen: () => {
      const f = () => {};
      box.addEventListener(pick(['click', 'mousedown', 'input']), f);
      memory.heard.push([box, f]);
    },
    unlisten: () => {
      const [el, f] = memory.heard.splice(random(memory.heard.length), 1)[0] || [];
      if (el) for (const type of ['click', 'mousedown', 'input']) el.removeEventListener(type, f);
    },
    onclick: () => (box.onclick = box.onclick ? null : () => {}),
    swapListeners: () => {
      if (memory.heard.length === 0) return;
      const at = random(memory.heard.length),
        [el, f] = memory.heard[at];
      el.removeEventListener('click', f);
      box.addEventListener('click', f);
      memory.heard[at] = [box, f];
    },
    react: () => {
      document.body.addEventListener('click', (memory.container ||= () => {}));
      const el = any('div,span,p,li');
      if (el.__reactProps$test1 && random(2)) delete el.__reactProps$test1;
      else el.__reactProps$test1 = { onClick: () => {} };
      for (const first of document.querySelectorAll('html')) first.__reactProps$test1 ||= {};
    },
    svelte: () => (box.__click = typeof box.__click === 'function' ? undefined : () => {}),
    design: () => (document.designMode = document.designMode === 'on' ? 'off' : 'on'),
    address: () => history.pushState({}, '', '#at' + random(99)),
    title: () => (document.title = 'Title ' + random(99)),
    log: () => console.log('line ' + random(99)),
    request: () =>
      fetch('/missing-' + random(99)).then(
        () => '',
        () => '',
      ),
    surface: () =>
      random(2) ? (globalThis.__dddkDebug = { lastDom: 'dom ' + random(9) }) : delete globalThis.__dddkDebug,
    select: () => getSelection().selectAllChildren(box),
    later: () => void setTimeout(() => box.setAttribute('title', 'Later'), random(60)),
    often: () => {
      let k = 0;
      const step = () => {
        box.title = 'often ' + k;
        if (k++ < 20) requestAnimationFrame(step);
      };
      step();
    },
    valueLater: () =>
      void setTimeout(() => {
        const el = any('input,textarea');
        if ('value' in el && el.type !== 'file') el.value = 'late ' + random(9);
      }, random(40)),
    smil: () =>
      (document.body.appendChild(document.createElement('div')).innerHTML =
        '<svg width=50 height=20><a href="#"><rect width=10 height=10><animate attributeName="x" from="0" to="40" dur="1s" repeatCount="indefinite"/></rect></a></svg>'),
    newDocument: () => {
      document.open();
      document.write(
        '<!doctype html><title>Again</title><h1>Another</h1><p><button>B</button><input value=i><div>d</div><p>More',
      );
      document.close();
      memory.roots = [];
      memory.style = null;
    },
  };
  const platform = PLATFORM;
  const turn = (name) => {
    const { html, make, do: change, undo, lasting } = platform[name];
    const parts = (memory.parts ||= {});
    let part = parts[name];
    const find = (selector) => part.querySelector(selector);
    const saying = (word, did) => (did instanceof Promise ? did.then((s) => word + ' ' + s) : word);
    if (!part || !part.isConnected) {
      part = parts[name] = document.body.appendChild(document.createElement('section'));
      part.innerHTML = html;
      return saying('made', make && make(part, find));
    }
    part.changed = !part.changed;
    if (part.changed) return saying('done', change(part, find));
    if (lasting) part.remove();
    return saying('undone', undo(part, find));
  };
  const names = Object.keys(kinds);
  if (kind < 0) {
    const marked = Object.entries(platform).map(([name, k]) => name + (k.same ? '=' : '') + (k.lasting ? '!' : ''));
    return names.join(' ') + '/' + marked.join(' ');
  }
  if (!document.body) return 'no body';
  try {
    const did = kind < names.length ? kinds[names[kind]]() : turn(Object.keys(platform)[kind - names.length]);
    return did instanceof Promise ? did.then((s) => String(s)) : String(did);
  } catch (e) {
    return 'not done: ' + e;
  }
})(KIND, SEED);
