// Changes by what the platform offers beside elements, attributes and texts, for mutate.js. Each kind has a part of
// the page of its own (html), which is made when the kind first comes and once more where it has gone. Then it takes
// turns: do changes what a reading gives, undo takes that back. Where the part is of a kind that no capture is given
// again with, undo takes it away (lasting). What a reading does not show, or shows only after something that
// TestWhatIsGivenAgainIsThePage does beside, is marked as the same. part is the part, and $ finds in it.
(() => {
  const rules = (part) => part.querySelector('style').sheet.cssRules;
  const edit = (name, value) => (part) =>
    value ? rules(part)[0].style.setProperty(name, value) : rules(part)[0].style.removeProperty(name);
  const ended = (promise) =>
    Promise.race([
      Promise.resolve(promise).then(() => '', String),
      new Promise((done) => setTimeout(done, 500, 'slow')),
    ]);
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(''))));
  const loaded = (el, change) =>
    ended(
      new Promise((done) => {
        el.onload = el.onerror = () => done('');
        change();
      }),
    );
  const rooted = (mode, html, more) => (part) => {
    const root = part.querySelector('.host').attachShadow({ mode, ...more });
    root.innerHTML = html;
    part.root = root;
  };
  const element = (name) => () => {
    if (!customElements.get(name))
      customElements.define(
        name,
        class extends HTMLElement {
          constructor() {
            super();
            this.inner = this.attachInternals();
          }
        },
      );
  };
  const reflected = (name, same) => ({
    same,
    html: '<button class=of>Of</button><p class=one>One</p><p class=two>Two</p>',
    make: (part, $) => ($('.of')[name] = name.endsWith('s') ? [$('.one')] : $('.one')),
    do: (part, $) => ($('.of')[name] = name.endsWith('s') ? [$('.two')] : $('.two')),
    undo: (part, $) => ($('.of')[name] = name.endsWith('s') ? [$('.one')] : $('.one')),
  });
  const SVG = (w) => 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="' + w + '" height="30"/>';
  const shades = [{ transform: 'none' }, { transform: 'translateX(90px)' }];
  return {
    has: {
      html: '<style>.has-a:has(.has-on){display:none}</style><div class=has-a>A <i>inner</i></div>',
      do: (part, $) => $('i').classList.add('has-on'),
      undo: (part, $) => $('i').classList.remove('has-on'),
    },
    hasChecked: {
      html: '<style>.has-b:has(:checked) p{display:none}</style><div class=has-b><input type=checkbox><p>B</div>',
      do: (part, $) => ($('input').checked = true),
      undo: (part, $) => ($('input').checked = false),
    },
    hasInvalid: {
      html: '<style>.has-c:has(:invalid) p{display:none}</style><form class=has-c><button type=button>B</button><input><p>C</form>',
      do: (part, $) => $('input').setCustomValidity('no'),
      undo: (part, $) => $('input').setCustomValidity(''),
    },
    buttonValidity: {
      html: '<style>.validity:invalid{display:none}</style><form><button class=validity type=submit>B</button><output>O</output><fieldset class=validity>F</fieldset></form>',
      do: (part, $) => $('button').setCustomValidity('no'),
      undo: (part, $) => $('button').setCustomValidity(''),
    },
    userInvalid: {
      html: '<style>.user:user-invalid{display:none}</style><form><input class=user required></form>',
      do: (part, $) => $('form').requestSubmit(),
      undo: (part, $) => $('form').reset(),
    },
    reset: {
      html: '<form><input value=first><textarea>first</textarea><select><option>1<option>2</select></form>',
      do: (part, $) => (($('input').value = 'other'), ($('textarea').value = 'other'), ($('select').value = '2')),
      undo: (part, $) => $('form').reset(),
    },
    radios: {
      html: '<input type=radio name=of-group checked><input type=radio name=of-group>',
      do: (part, $) => ($('input:last-of-type').checked = true),
      undo: (part, $) => ($('input').checked = true),
    },
    multiple: {
      html: '<select multiple><option selected>1<option>2<option>3</select>',
      do: (part, $) => ($('option:last-child').selected = true),
      undo: (part, $) => ($('option:last-child').selected = false),
    },
    options: {
      html: '<select><option>1<option>2</select>',
      do: (part, $) => ($('select').options[2] = new Option('3', '3', true, true)),
      undo: (part, $) => ($('select').length = 2),
    },
    indeterminate: {
      html: '<input type=checkbox>',
      do: (part, $) => ($('input').indeterminate = true),
      undo: (part, $) => ($('input').indeterminate = false),
    },
    stepped: {
      html: '<input type=number value=3><input type=range><input type=color><input type=date>',
      do: (part, $) => ($('input').stepUp(), ($('[type=color]').value = '#123456'), ($('[type=range]').value = 9)),
      undo: (part, $) => ($('input').stepDown(), ($('[type=color]').value = '#000000'), ($('[type=range]').value = 50)),
    },
    textWithin: {
      html: '<input value="a text that is much longer than its field" style="width:60px"><textarea rows=2>1\n2\n3\n4\n5\n6</textarea>',
      do: (part, $) => (($('input').scrollLeft = 40), ($('textarea').scrollTop = 30)),
      undo: (part, $) => (($('input').scrollLeft = 0), ($('textarea').scrollTop = 0)),
    },
    files: {
      html: '<input type=file>',
      do: (part, $) => {
        const list = new DataTransfer();
        list.items.add(new File(['x'], 'chosen.txt'));
        $('input').files = list.files;
      },
      undo: (part, $) => ($('input').value = ''),
    },
    container: {
      html: '<style>.cq{width:300px}.cq{container-type:inline-size}@container (max-width:200px){.cq p{display:none}}</style><div class=cq><p>In a container</div>',
      do: edit('width', '100px'),
      undo: edit('width', '300px'),
    },
    containerStyle: {
      html: '<style>.cs{--mood:calm}@container style(--mood:loud){.cs p{display:none}}</style><div class=cs><p>In a mood</div>',
      do: edit('--mood', 'loud'),
      undo: edit('--mood', 'calm'),
    },
    contentVisibility: {
      html: '<style>.cv{content-visibility:visible}</style><div class=cv><button>Kept</button></div>',
      do: edit('content-visibility', 'hidden'),
      undo: edit('content-visibility', 'visible'),
    },
    contentAuto: {
      html: '<style>.ca{content-visibility:auto;contain-intrinsic-size:10px 4000px}</style><div style="height:9000px"></div><div class=ca><button>Farther</button></div>',
      do: (part, $) => ($('.ca:last-of-type').scrollIntoView({ behavior: 'instant' }), frames()),
      undo: () => (scrollTo({ top: 0, behavior: 'instant' }), frames()),
    },
    untilFound: {
      html: '<div hidden=until-found><p id=needle-of-it>Found</p></div>',
      do: () => (location.hash = 'needle-of-it'),
      undo: (part, $) => ((location.hash = ''), ($('div').hidden = 'until-found')),
    },
    viewTransition: {
      html: '<style>.vt{margin-left:0}</style><button class=vt>Moves over</button>',
      do: (part) => ended(document.startViewTransition(() => edit('margin-left', '80px')(part)).updateCallbackDone),
      undo: (part) => ended(document.startViewTransition(() => edit('margin-left', '0')(part)).finished),
    },
    smoothScroll: {
      html: '<div class=box style="height:40px;overflow:auto"><p>1<p>2<button>3</button><p>4<p>5<p>6<p>7<p>8</div>',
      do: (part, $) => $('.box').scrollTo({ top: 150, behavior: 'smooth' }),
      undo: (part, $) => $('.box').scrollTo({ top: 0, behavior: 'smooth' }),
    },
    scrollSnap: {
      html: '<style>.snap{scroll-snap-type:none;height:50px;overflow:auto}.snap *{scroll-snap-align:start;height:45px;margin:0}</style><div class=snap><p>1<p>2<p>3<p>4</div>',
      make: (part, $) => ($('.snap').scrollTop = 15),
      do: (part) => (edit('scroll-snap-type', 'y mandatory')(part), frames()),
      undo: (part, $) => (edit('scroll-snap-type', 'none')(part), ($('.snap').scrollTop = 15)),
    },
    scrollDriven: {
      html: '<style>@keyframes sd{to{transform:translateX(90px)}}.sd{animation:sd linear both;animation-timeline:--sd}.sdbox{height:50px;overflow:auto;scroll-timeline:--sd}</style><div class=sdbox><button class=sd>Driven</button><p>1<p>2<p>3<p>4</div>',
      lasting: true,
      do: (part, $) => (($('.sdbox').scrollTop = 40), frames()),
      undo: (part, $) => ($('.sdbox').scrollTop = 0),
    },
    steps: {
      html: '<button>Steps</button>',
      do: (part, $) =>
        void (part.run = $('button').animate(shades, { duration: 200, easing: 'steps(2)', fill: 'both' })),
      undo: (part) => part.run.cancel(),
    },
    delayed: {
      html: '<button>Delayed</button>',
      do: (part, $) => void (part.run = $('button').animate(shades, { duration: 1, delay: 60, fill: 'forwards' })),
      undo: (part) => part.run.cancel(),
    },
    slow: {
      html: '<button>Slow</button>',
      do: (part, $) => void (part.run = $('button').animate(shades, { duration: 1e7, delay: -1e6 })),
      undo: (part) => part.run.cancel(),
    },
    seeked: {
      html: '<button>Paused</button>',
      make: (part) => (part.run = part.querySelector('button').animate(shades, { duration: 1000 })).pause(),
      do: (part) => (part.run.currentTime = 700),
      undo: (part) => (part.run.currentTime = 10),
    },
    effect: {
      html: '<button>Effect</button>',
      make: (part) =>
        (part.run = part.querySelector('button').animate(shades, { duration: 1, fill: 'forwards' })).finish(),
      do: (part) => part.run.effect.setKeyframes([{ transform: 'none' }, { transform: 'translateY(30px)' }]),
      undo: (part) => part.run.effect.setKeyframes(shades),
    },
    composite: {
      html: '<button>Timing</button>',
      make: (part) => (
        (part.run = part.querySelector('button').animate(shades, { duration: 1000 })).pause(),
        (part.run.currentTime = 500)
      ),
      do: (part) => part.run.effect.updateTiming({ duration: 5000 }),
      undo: (part) => part.run.effect.updateTiming({ duration: 1000 }),
    },
    cssDelayed: {
      html: '<style>.cd{color:red}@keyframes cd{to{transform:translateX(50px)}}</style><button class=cd>By a sheet</button>',
      do: edit('animation', 'cd 1ms 80ms forwards'),
      undo: edit('animation', ''),
    },
    transition: {
      html: '<style>.tr{margin-left:0}.tr{transition:margin-left 1ms 60ms}</style><button class=tr>Transits</button>',
      do: edit('margin-left', '70px'),
      undo: edit('margin-left', '0'),
    },
    property: {
      html: '<style>.pr{--far-of:0px}@property --far-of{syntax:"<length>";inherits:false;initial-value:0px}.pr{transition:--far-of 80ms;margin-left:var(--far-of)}</style><button class=pr>Property</button>',
      do: edit('--far-of', '90px'),
      undo: edit('--far-of', '0px'),
    },
    startingStyle: {
      html: '<style>.st{display:none}.st{opacity:1;transition:opacity 60ms;@starting-style{opacity:0}}</style><button class=st>Starts</button>',
      do: edit('display', 'block'),
      undo: edit('display', 'none'),
    },
    resizeObserver: {
      html: '<style>.ro{width:200px}</style><div class=ro>Measured</div><input>',
      make: (part) =>
        new ResizeObserver(() => (part.querySelector('input').value = part.querySelector('.ro').offsetWidth)).observe(
          part.querySelector('.ro'),
        ),
      do: edit('width', '150px'),
      undo: edit('width', '200px'),
    },
    intersectionObserver: {
      html: '<div class=io style="height:40px;overflow:auto"><p>1<p>2<p>3<p class=last>4</div><input type=checkbox>',
      make: (part) =>
        new IntersectionObserver(([e]) => (part.querySelector('input').checked = e.isIntersecting), {
          root: part.querySelector('.io'),
        }).observe(part.querySelector('.last')),
      do: (part, $) => ($('.io').scrollTop = 500),
      undo: (part, $) => ($('.io').scrollTop = 0),
    },
    lazyImage: {
      html: '<div class=li style="height:40px;overflow:auto"><div style="height:9000px"></div></div>',
      do: (part, $) => {
        const img = new Image();
        img.loading = 'lazy';
        img.src = SVG(90);
        $('.li').append(img);
        $('.li').scrollTop = 9000;
      },
      undo: (part, $) => ($('img').remove(), ($('.li').scrollTop = 0)),
    },
    imageLate: {
      html: '<img>',
      do: (part, $) => void setTimeout(() => ($('img').src = SVG(120)), 30),
      undo: (part, $) => $('img').removeAttribute('src'),
    },
    sourceSet: {
      html: '<picture><source media="(min-width: 1px)"><img></picture>',
      do: (part, $) => loaded($('img'), () => ($('source').srcset = SVG(77))),
      undo: (part, $) => $('source').removeAttribute('srcset'),
    },
    backgroundLate: {
      html: '<style>.bl{list-style-image:none}</style><ul><li class=bl>Marked</li></ul>',
      do: edit(
        'list-style-image',
        `url('data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="40" height="60"/>')`,
      ),
      undo: edit('list-style-image', 'none'),
    },
    fontLate: {
      html: '<p style="font-family:OfThePlatform,serif;width:max-content">Set in a font that comes late</p>',
      do: (part) => {
        part.face = new FontFace('OfThePlatform', 'local("Liberation Mono"), local("DejaVu Sans Mono")');
        document.fonts.add(part.face);
        return ended(part.face.load());
      },
      undo: (part) => document.fonts.delete(part.face),
    },
    canvasSize: {
      html: '<canvas width=50 height=20>Drawn</canvas>',
      do: (part, $) => ($('canvas').width = 90),
      undo: (part, $) => ($('canvas').width = 50),
    },
    canvasDrawn: {
      html: '<canvas width=50 height=20>Drawn</canvas>',
      same: true,
      do: (part, $) => $('canvas').getContext('2d').fillRect(0, 0, 30, 30),
      undo: (part, $) => $('canvas').getContext('2d').clearRect(0, 0, 50, 20),
    },
    gif: {
      html: '<img alt=moving src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAAAAACH/C05FVFNDQVBFMi4wAwEAAAAh+QQJCgAAACwAAAAAAQABAAACAkQBACH5BAkKAAAALAAAAAABAAEAAAICRAEAOw==">',
      do: (part, $) => ($('img').width = 60),
      undo: (part, $) => $('img').removeAttribute('width'),
    },
    video: {
      html: '<video controls width=200></video>',
      lasting: true,
      do: (part, $) => ($('video').controls = false),
      undo: () => '',
    },
    insertRule: {
      html: '<style>.ir{color:red}</style><button class=ir>Ruled</button>',
      do: (part, $) => $('style').sheet.insertRule('.ir{display:none}', 1),
      undo: (part, $) => $('style').sheet.deleteRule(1),
    },
    mediaText: {
      html: '<style media=print>.mt{display:none}</style><button class=mt>For a medium</button>',
      do: (part, $) => ($('style').sheet.media.mediaText = 'all'),
      undo: (part, $) => ($('style').sheet.media.mediaText = 'print'),
    },
    layers: {
      html: '<style>@layer la,lb;@layer lb{.ly{display:block}}</style><p class=ly>Layered</p>',
      do: (part, $) => $('style').sheet.insertRule('.ly{display:none}', 2),
      undo: (part, $) => $('style').sheet.deleteRule(2),
    },
    constructed: {
      html: '<button class=cst>Constructed</button>',
      make: (part) => {
        part.sheet = new CSSStyleSheet();
        part.sheet.replaceSync('.cst{color:red}');
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, part.sheet];
      },
      do: (part) => part.sheet.cssRules[0].style.setProperty('display', 'none'),
      undo: (part) => part.sheet.replaceSync('.cst{color:red}'),
    },
    constructedInRoot: {
      html: '<div class=host></div>',
      make: (part) => {
        rooted('open', '<button>Inner</button><p>Inner</p>')(part);
        part.root.adoptedStyleSheets = [new CSSStyleSheet()];
      },
      do: (part) => part.root.adoptedStyleSheets[0].insertRule('p{display:none}'),
      undo: (part) => part.root.adoptedStyleSheets[0].deleteRule(0),
    },
    partStyle: {
      html: '<style>.host::part(inner){color:red}</style><div class=host></div>',
      make: rooted('open', '<button part=inner>Part</button>'),
      do: edit('display', 'none'),
      undo: edit('display', ''),
    },
    dialogInRoot: {
      html: '<div class=host></div>',
      make: rooted('open', '<dialog><button>Yes</button></dialog>'),
      do: (part) => part.root.firstChild.showModal(),
      undo: (part) => part.root.firstChild.close(),
    },
    modalToo: {
      html: '<dialog><button>Yes</button></dialog>',
      make: (part) => part.querySelector('dialog').show(),
      do: (part, $) => ($('dialog').close(), $('dialog').showModal()),
      undo: (part, $) => ($('dialog').close(), $('dialog').show()),
    },
    popoverInRoot: {
      html: '<div class=host></div>',
      make: rooted('open', '<div popover=manual><button>Over</button></div>'),
      do: (part) => part.root.firstChild.showPopover(),
      undo: (part) => part.root.firstChild.hidePopover(),
    },
    popoverAuto: {
      html: '<button popovertarget=auto-a>Opens</button><div popover id=auto-a>A</div><div popover id=auto-b>B</div>',
      do: (part, $) => ($('#auto-a').showPopover(), $('#auto-b').showPopover()),
      undo: (part, $) => ($('#auto-a').hidePopover(), $('#auto-b').hidePopover()),
    },
    topOrder: {
      html: '<style>.tops{position:fixed;inset:100px auto auto 100px;margin:0;width:200px;height:100px}</style><div class="tops a" popover=manual>A</div><div class="tops b" popover=manual>B</div>',
      make: (part) => (part.querySelector('.a').showPopover(), part.querySelector('.b').showPopover()),
      do: (part, $) => ($('.a').hidePopover(), $('.a').showPopover()),
      undo: (part, $) => ($('.b').hidePopover(), $('.b').showPopover()),
    },
    slotManual: {
      html: '<div class=host><b>One</b><i>Two</i></div>',
      make: rooted('open', '<p><slot></slot></p>', { slotAssignment: 'manual' }),
      lasting: true,
      do: (part, $) => part.root.querySelector('slot').assign($('i')),
      undo: () => '',
    },
    slotNamed: {
      html: '<div class=host><b slot=first>One</b><i slot=second>Two</i></div>',
      make: rooted('open', '<p><slot name=first></slot></p>'),
      do: (part) => (part.root.querySelector('slot').name = 'second'),
      undo: (part) => (part.root.querySelector('slot').name = 'first'),
    },
    scrolledInRoot: {
      html: '<div class=host></div>',
      make: rooted('open', '<div style="height:30px;overflow:auto"><p>1<p>2<p>3<p>4</div>'),
      do: (part) => (part.root.firstChild.scrollTop = 40),
      undo: (part) => (part.root.firstChild.scrollTop = 0),
    },
    rootInRoot: {
      html: '<div class=host></div>',
      make: (part) => {
        rooted('open', '<section></section>')(part);
        part.inner = part.root.firstChild.attachShadow({ mode: 'open' });
        part.inner.innerHTML = '<input value=deep>';
      },
      do: (part) => (part.inner.firstChild.value = 'deeper'),
      undo: (part) => (part.inner.firstChild.value = 'deep'),
    },
    closedText: {
      html: '<div class=host></div>',
      make: rooted('closed', '<button>Closed</button>'),
      lasting: true,
      do: (part) => (part.root.firstChild.firstChild.data = 'Shut'),
      undo: () => '',
    },
    closedHidden: {
      html: '<div class=host hidden></div>',
      make: rooted('closed', '<button>Closed</button><input>'),
      lasting: true,
      do: (part) => (part.root.lastChild.value = 'Shut'),
      undo: () => '',
      same: true,
    },
    customState: {
      html: '<style>y-state:state(on) + p{display:none}</style><y-state>S</y-state><p>Beside</p>',
      make: element('y-state'),
      lasting: true,
      do: (part, $) => $('y-state').inner.states.add('on'),
      undo: () => '',
    },
    internals: {
      html: '<y-role tabindex=0>S</y-role>',
      make: element('y-role'),
      lasting: true,
      do: (part, $) => (($('y-role').inner.role = 'switch'), ($('y-role').inner.ariaLabel = 'Internal')),
      undo: () => '',
    },
    labelledBy: reflected('ariaLabelledByElements'),
    describedBy: reflected('ariaDescribedByElements'),
    controls: reflected('ariaControlsElements', true),
    owns: reflected('ariaOwnsElements', true),
    activeDescendant: reflected('ariaActiveDescendantElement', true),
    errorMessage: reflected('ariaErrorMessageElements', true),
    details: reflected('ariaDetailsElements', true),
    flowTo: reflected('ariaFlowToElements', true),
    popoverTarget: {
      same: true,
      html: '<button>Of</button><div popover class=one>One</div><div popover class=two>Two</div>',
      make: (part) => (part.querySelector('button').popoverTargetElement = part.querySelector('.one')),
      do: (part, $) => ($('button').popoverTargetElement = $('.two')),
      undo: (part, $) => ($('button').popoverTargetElement = $('.one')),
    },
    commandFor: {
      same: true,
      html: '<button command=show-modal>Of</button><dialog class=one>One</dialog><dialog class=two>Two</dialog>',
      make: (part) => (part.querySelector('button').commandForElement = part.querySelector('.one')),
      do: (part, $) => ($('button').commandForElement = $('.two')),
      undo: (part, $) => ($('button').commandForElement = $('.one')),
    },
    ariaString: {
      html: '<button>Of</button>',
      do: (part, $) => (($('button').ariaLabel = 'Said'), ($('button').ariaPressed = 'true')),
      undo: (part, $) => (($('button').ariaLabel = null), ($('button').ariaPressed = null)),
    },
    detailsGroup: {
      html: '<details name=of-details open><summary>A</summary>In A</details><details name=of-details><summary>B</summary>In B</details>',
      do: (part, $) => ($('details:last-of-type').open = true),
      undo: (part, $) => ($('details').open = true),
    },
    selection: {
      html: '<div contenteditable>Edited words</div>',
      do: (part, $) => ($('div').focus(), getSelection().setPosition($('div').firstChild, 3)),
      undo: () => (document.activeElement.blur(), getSelection().removeAllRanges()),
    },
    execCommand: {
      html: '<div contenteditable>Edited words</div>',
      do: (part, $) => ($('div').focus(), document.execCommand('insertText', false, 'typed')),
      undo: () => document.execCommand('undo'),
    },
    inert: {
      html: '<div><button>Inert</button></div>',
      do: (part, $) => ($('div').inert = true),
      undo: (part, $) => ($('div').inert = false),
    },
    anchor: {
      html: '<style>.an{margin-left:0}.an{anchor-name:--an}.to{position:absolute;position-anchor:--an;left:anchor(right);top:anchor(top)}</style><button class=an>Anchor</button><button class=to>Tied</button>',
      do: edit('margin-left', '90px'),
      undo: edit('margin-left', '0'),
    },
    targeted: {
      html: '<style>#target-of-it:target{display:none}</style><p id=target-of-it>Target</p>',
      do: () => (location.hash = 'target-of-it'),
      undo: () => (location.hash = ''),
    },
    focusVisible: {
      html: '<style>.fv:focus-visible{margin-left:40px}.fw:focus-within p{display:none}</style><div class=fw><button class=fv>Seen</button><p>Beside</p></div>',
      do: (part, $) => $('button').focus({ focusVisible: true }),
      undo: (part, $) => $('button').blur(),
    },
    focusNotVisible: {
      html: '<style>.fn:focus-visible{margin-left:40px}</style><input class=fn><button class=fn>Seen</button>',
      make: (part) => part.querySelector('button').focus({ focusVisible: false }),
      do: (part, $) => ($('button').blur(), $('button').focus({ focusVisible: true })),
      undo: (part, $) => ($('button').blur(), $('button').focus({ focusVisible: false })),
    },
    srcdoc: {
      html: '<iframe srcdoc="<p>First</p>"></iframe>',
      make: (part) => loaded(part.querySelector('iframe'), () => ''),
      do: (part, $) => loaded($('iframe'), () => ($('iframe').srcdoc = '<h2>Second</h2>')),
      undo: (part, $) => loaded($('iframe'), () => ($('iframe').srcdoc = '<p>First</p>')),
    },
    frameScrolled: {
      html: '<iframe height=60 srcdoc="<p>1<p>2<p>3<p>4<p>5<div style=height:500px>"></iframe>',
      make: (part) => loaded(part.querySelector('iframe'), () => ''),
      do: (part, $) => $('iframe').contentWindow.scrollTo(0, 50),
      undo: (part, $) => $('iframe').contentWindow.scrollTo(0, 0),
    },
    frameRules: {
      html: '<iframe height=60 srcdoc="<style>p{color:red}</style><p>1<b>2</b>"></iframe>',
      make: (part) => loaded(part.querySelector('iframe'), () => ''),
      do: (part, $) => ($('iframe').contentDocument.styleSheets[0].cssRules[0].style.display = 'none'),
      undo: (part, $) => ($('iframe').contentDocument.styleSheets[0].cssRules[0].style.display = ''),
    },
    frameTitle: {
      html: '<iframe srcdoc="<title>A</title><p>1"></iframe>',
      make: (part) => loaded(part.querySelector('iframe'), () => ''),
      do: (part, $) => ($('iframe').contentDocument.title = 'B'),
      undo: (part, $) => ($('iframe').contentDocument.title = 'A'),
    },
    pushed: {
      html: '',
      do: () => history.pushState({}, '', '#pushed'),
      undo: () => history.pushState({}, '', '#back'),
    },
    titled: {
      html: '',
      do: (part) => ((part.was = document.title), (document.title = 'Titled')),
      undo: (part) => (document.title = part.was),
    },
    lang: {
      html: '<style>:lang(de) .la{display:none}</style><p class=la>Not in German</p>',
      do: () => (document.documentElement.lang = 'de'),
      undo: () => (document.documentElement.lang = 'en'),
    },
    dir: { html: '<p>Left</p>', do: () => (document.dir = 'rtl'), undo: () => (document.dir = 'ltr') },
    base: {
      html: '<a href=relative>Relative</a>',
      make: (part) => (part.base = document.head.appendChild(document.createElement('base'))),
      do: (part) => (part.base.href = 'https://elsewhere.example/'),
      undo: (part) => part.base.removeAttribute('href'),
    },
    listener: {
      html: '<div class=l>Listens</div>',
      do: (part, $) => $('.l').addEventListener('click', (part.heard = () => {})),
      undo: (part, $) => $('.l').removeEventListener('click', part.heard),
    },
    onclick: {
      html: '<div class=l>Listens</div>',
      do: (part, $) => ($('.l').onclick = () => {}),
      undo: (part, $) => ($('.l').onclick = null),
    },
    movedListener: {
      html: '<div class=l>Listens</div><div class=m>Does not</div>',
      make: (part) => part.querySelector('.l').addEventListener('click', (part.heard = () => {})),
      do: (part, $) => (
        $('.l').removeEventListener('click', part.heard),
        $('.m').addEventListener('click', part.heard)
      ),
      undo: (part, $) => (
        $('.m').removeEventListener('click', part.heard),
        $('.l').addEventListener('click', part.heard)
      ),
    },
    validityUnstyled: {
      html: '<form><button type=submit>B</button><output>O</output><fieldset>F</fieldset></form>',
      same: true,
      do: (part, $) => [$('button'), $('output'), $('fieldset')].forEach((el) => el.setCustomValidity('no')),
      undo: (part, $) => [$('button'), $('output'), $('fieldset')].forEach((el) => el.setCustomValidity('')),
    },
    picker: {
      html: '<select><option>1<option>2</select><input type=date>',
      same: true,
      do: (part, $) => $('select').showPicker(),
      undo: (part, $) => ($('select').blur(), $('input').focus()),
    },
    basePicker: {
      html: '<style>.bp,.bp::picker(select){appearance:base-select}</style><select class=bp><option>1<option>2</select><input>',
      do: (part, $) => $('select').showPicker(),
      undo: (part, $) => $('select').blur(),
    },
    editContext: {
      html: '<div>Edited by a context</div>',
      same: true,
      do: (part, $) => ($('div').editContext = new EditContext({ text: 'Edited' })),
      undo: (part, $) => ($('div').editContext = null),
    },
    windowName: { html: '', same: true, do: () => (window.name = 'named'), undo: () => (window.name = '') },
    frameName: {
      html: '<iframe srcdoc="<p>1"></iframe>',
      same: true,
      make: (part, $) => loaded($('iframe'), () => ''),
      do: (part, $) => ($('iframe').contentWindow.name = 'named'),
      undo: (part, $) => ($('iframe').contentWindow.name = ''),
    },
    keyframeRule: {
      html: '<style>@keyframes kf{to{transform:translateX(40px)}}.kf{animation:kf 1ms forwards}</style><button class=kf>Framed</button>',
      do: (part) => rules(part)[0].appendRule('to{transform:translateX(95px)}'),
      undo: (part) => rules(part)[0].deleteRule('to'),
    },
    counterRule: {
      html: '<style>@counter-style cr{system:cyclic;symbols:"-";suffix:" "}.cr{list-style:inside cr}</style><ol><li class=cr>Counted</ol>',
      do: (part) => (rules(part)[0].symbols = '"- - - - -"'),
      undo: (part) => (rules(part)[0].symbols = '"-"'),
    },
    fullscreen: {
      html: '<div class=fs>Full <button>F</button></div>',
      do: (part, $) => ended($('.fs').requestFullscreen()),
      undo: () => ended(document.fullscreenElement ? document.exitFullscreen() : ''),
    },
    typedStyle: {
      html: '<p>Typed</p>',
      do: (part, $) => $('p').attributeStyleMap.set('display', 'none'),
      undo: (part, $) => $('p').attributeStyleMap.clear(),
    },
    svgProperty: {
      html: '<svg width=200 height=40><a href="#"><rect width=20 height=20></rect></a></svg>',
      do: (part, $) => ($('rect').x.baseVal.value = 50),
      undo: (part, $) => ($('rect').x.baseVal.value = 0),
    },
    pointed: {
      html: '<style>.po:hover b{display:none}</style><div class=po style="position:fixed;inset:0 0 auto auto;width:40vw;height:300px"><b>Hovered</b></div>',
      same: true, // the pointer is moved over it by a person
      do: () => '',
      undo: () => '',
    },
    media: {
      html: '<style>@media (prefers-color-scheme:dark){.md1{display:none}}@media print{.md2{display:none}}@media (prefers-reduced-motion){.md3{display:none}}@media (forced-colors:active){.md4{display:none}}@media (prefers-contrast:more){.md5{display:none}}@media (min-resolution:1.5dppx){.md6{display:none}}</style><p class=md1>Scheme</p><p class=md2>Screen</p><p class=md3>Motion</p><p class=md4>Colours</p><p class=md5>Contrast</p><p class=md6>Density</p>',
      same: true, // the browser is told of another medium by a person
      do: () => '',
      undo: () => '',
    },
  };
})();
