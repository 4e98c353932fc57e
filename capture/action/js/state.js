// Says whether a person could act on the element: whether it is rendered, enabled and
// editable, and at which points a click could land on it. Points are CSS px of the
// frame's viewport: where a click operates the element itself (pressPlace) and the
// middle of each of its boxes first, then points near their corners, of boxes that are
// in view first. An element with an EditContext needs no size: its page draws elsewhere what is
// written in it. The functions of capture/collect/js/press.js stand around it.
(node) => {
  const view = node.ownerDocument.defaultView,
    style = view.getComputedStyle(node);
  const up = (el) => el.assignedSlot || el.parentElement || el.getRootNode().host || null;
  // An area of an image map is where its image has it.
  const image =
    node.localName === 'area'
      ? (() => {
          const map = node.closest('map'),
            name = map && (map.getAttribute('name') || map.id);
          return (
            name &&
            [...node.getRootNode().querySelectorAll('img[usemap]')].find(
              (img) => img.getAttribute('usemap') === '#' + name,
            )
          );
        })()
      : null;
  const area = () => {
    const r = image.getBoundingClientRect(),
      shape = (node.getAttribute('shape') || 'rect').toLowerCase();
    const x = r.x,
      y = r.y; // Chrome counts from the border box
    const c = (node.getAttribute('coords') || '')
      .split(/[\s,;]+/)
      .map(Number)
      .filter((v) => v === v);
    if (shape === 'default') return [r];
    if (shape.startsWith('circ'))
      return c.length < 3 ? [] : [new DOMRect(x + c[0] - c[2], y + c[1] - c[2], 2 * c[2], 2 * c[2])];
    const xs = c.filter((_, k) => k % 2 === 0),
      ys = c.filter((_, k) => k % 2 === 1),
      l = Math.min(...xs),
      t = Math.min(...ys);
    return c.length < 4 ? [] : [new DOMRect(x + l, y + t, Math.max(...xs) - l, Math.max(...ys) - t)];
  };
  const drawn = (el) => !el.checkVisibility || el.checkVisibility({ contentVisibilityAuto: true });
  let faint = ''; // it cannot be seen, though a click lands on it
  const why = (() => {
    if (image)
      return image.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ? '' : 'its image is not drawn';
    for (let el = node; el; el = up(el)) {
      const s = el === node ? style : view.getComputedStyle(el);
      if (s.display === 'none') return el === node ? 'display: none' : 'display: none around it';
      if (!faint && Number(s.opacity) === 0) faint = el === node ? 'opacity: 0' : 'opacity: 0 around it';
    }
    if (style.visibility !== 'visible') return 'visibility: ' + style.visibility;
    if (style.display !== 'contents' && !drawn(node)) return 'its content is not rendered';
    return '';
  })();
  const sized = (r) => r.width > 0 && r.height > 0;
  const boxes = (image ? area() : [...node.getClientRects()]).filter(sized);
  if (style.display === 'contents' || (boxes.length === 0 && node.childElementCount > 0)) {
    // It has no box of its own; what is in it has.
    for (const el of node.querySelectorAll('*'))
      if (drawn(el)) for (const r of el.getClientRects()) if (sized(r) && boxes.length < 8) boxes.push(r);
    const words = document.createRange();
    for (const n of node.childNodes)
      if (style.display === 'contents' && n.nodeType === 3) {
        words.selectNodeContents(n);
        boxes.push(...[...words.getClientRects()].filter(sized).slice(0, 8));
      }
  }
  // A line may have no height, and a ring nothing in its middle: what is drawn is on its outline.
  const outline = [];
  if (node instanceof SVGGeometryElement && !why)
    try {
      const at = node.getScreenCTM(),
        length = node.getTotalLength();
      for (const part of [0.5, 0.25, 0.75, 0.1, 0.9]) {
        const { x, y } = node.getPointAtLength(part * length).matrixTransform(at);
        outline.push([x, y]);
      }
    } catch {
      /* it is in no drawing */
    }
  // A disabled button has no click on what is in it either (HTML, 4.10.18.5).
  const button = node.closest('button:disabled');
  const disabled = (() => {
    if (node.matches(':disabled')) return 'it is disabled';
    if (button) return 'it is in a button that is disabled';
    if (node.localName === 'label' && node.control && node.control.matches(':disabled')) return 'its field is disabled';
    for (let el = node; el; el = up(el))
      if (el.getAttribute('aria-disabled') === 'true') return el === node ? 'aria-disabled' : 'aria-disabled around it';
    return '';
  })();
  const through = (() => {
    for (let el = node; el; el = up(el)) {
      if (view.getComputedStyle(el).pointerEvents === 'none') return el === node ? 'pointer-events: none' : '';
      if (view.getComputedStyle(el).pointerEvents !== 'auto') break;
    }
    return '';
  })();
  const TEXT = /^(text|password|email|number|search|tel|url|date|datetime-local|month|time|week|color|range)$/;
  const field = node.matches('input,textarea,select'),
    type = node.localName === 'input' ? node.type : node.localName;
  const locked = (() => {
    if (node.localName === 'input' && node.type === 'file') return 'it takes files: use upload';
    if (node.localName === 'input' && !TEXT.test(node.type)) return 'it is a ' + node.type + ' input: use click';
    if (!field && !node.isContentEditable && !node.editContext)
      return 'it is <' + node.localName + '>, no field and not editable';
    if (disabled) return disabled;
    if (node.readOnly) return 'it is read-only';
    if (node.getAttribute('aria-readonly') === 'true') return 'aria-readonly';
    return '';
  })();
  const W = view.innerWidth,
    H = view.innerHeight,
    points = [];
  const seen = (x, y) => x >= 0 && y >= 0 && x < W && y < H;
  for (const r of boxes.slice(0, 8)) points.push([r.x + r.width / 2, r.y + r.height / 2]);
  for (const r of boxes.slice(0, 3)) {
    const dx = Math.min(6, r.width / 4),
      dy = Math.min(6, r.height / 4);
    for (const [x, y] of [
      [r.left + dx, r.top + dy],
      [r.right - dx, r.top + dy],
      [r.left + dx, r.bottom - dy],
      [r.right - dx, r.bottom - dy],
    ])
      points.push([x, y]);
  }
  points.push(...outline);
  points.sort((a, b) => seen(...b) - seen(...a)); // stable: the order above within each
  const first = boxes.find((r) => seen(r.x + r.width / 2, r.y + r.height / 2));
  if (first) {
    const rect = { x: first.x, y: first.y, w: first.width, h: first.height };
    const place = pressPlace(node, rect, (x, y) => deepHit(x, y, null, node.getRootNode()));
    if (place[0] !== points[0][0] || place[1] !== points[0][1]) points.unshift(place);
  }
  // Nothing but the list itself chooses an option that is not drawn.
  const listed = boxes.length === 0 && node.localName === 'option' && node.closest('select') !== null;
  return {
    tag: node.localName,
    type,
    hidden: listed
      ? 'it is an option of a closed list: use selectOption'
      : why || (points.length === 0 && !node.editContext ? 'it has no size' : ''),
    faint,
    disabled,
    through,
    locked,
    points,
    dead: listed || node.matches(':disabled') || button !== null,
  };
}
