// Joins what belongs to one number within a turn: its box, its row, its lines. All of
// it can be read without this script; titles are the browser's own then.
(() => {
  'use strict';
  let lit = [],
    tip = null;

  const clear = () => {
    for (const e of lit) e.classList.remove('on');
    lit = [];
    if (tip) tip.hidden = true;
    tip = null;
  };

  // The tip is below the box, or above it, and inside the picture's frame.
  const show = (mark) => {
    const stage = mark.closest('.stage'),
      title = mark.querySelector('title');
    if (title) {
      mark.setAttribute('aria-label', title.textContent);
      title.remove();
    }
    tip = stage.querySelector('.tip');
    tip.textContent = mark.getAttribute('aria-label');
    tip.hidden = false;
    const box = mark.querySelector('.box').getBoundingClientRect(),
      frame = stage.getBoundingClientRect();
    const within = (at, room) => Math.max(4, Math.min(at, room - 4)),
      height = tip.offsetHeight;
    const below = box.bottom - frame.top + 8,
      above = box.top - frame.top - height - 8;
    tip.style.left = stage.scrollLeft + within(box.left - frame.left, stage.clientWidth - tip.offsetWidth) + 'px';
    tip.style.top =
      stage.scrollTop +
      within(below + height > stage.clientHeight && above > 0 ? above : below, stage.clientHeight - height) +
      'px';
  };

  // Where boxes lie over one another the smallest is meant, as in the window.
  const under = (event) => {
    const at = event.target.closest('[data-r]');
    if (!at || !at.closest('.stage') || event.clientX === undefined) return at;
    const area = (m) => {
      const b = m.querySelector('.box').getBoundingClientRect();
      return b.width * b.height;
    };
    return document
      .elementsFromPoint(event.clientX, event.clientY)
      .map((e) => e.closest('.m'))
      .filter(Boolean)
      .reduce((a, b) => (area(b) < area(a) ? b : a), at);
  };

  const light = (event) => {
    const at = under(event);
    if (at && tip && lit.includes(at)) return;
    clear();
    if (!at) return;
    const turn = at.closest('.turn');
    lit = [...turn.querySelectorAll('[data-r="' + at.dataset.r + '"]')];
    for (const e of lit) e.classList.add('on');
    const mark = lit.find((e) => e.classList.contains('m')),
      row = lit.find((e) => e.tagName === 'TR'),
      list = row && row.closest('.scroll');
    if (mark) show(mark);
    if (row && at !== row && !row.contains(at)) {
      const r = row.getBoundingClientRect(),
        l = list.getBoundingClientRect();
      if (r.top < l.top || r.bottom > l.bottom) list.scrollTop += r.top - l.top - l.height / 3;
    }
  };

  document.addEventListener('pointermove', light);
  document.addEventListener('focusin', light);
  document.documentElement.addEventListener('pointerleave', clear);
  document.addEventListener('click', (event) => {
    const at = under(event);
    if (at && at.matches('.m') && !at.contains(event.target)) {
      event.preventDefault();
      location.hash = at.getAttribute('href');
    }
  });
  document.addEventListener('keydown', (e) => {
    if (e.key === 'Escape') clear();
  });
})()
