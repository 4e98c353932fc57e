// Sorts and filters the rows. Without it they are in the order of the list, and all there.
(() => {
  'use strict';
  const table = document.querySelector('.rows'),
    rows = [...table.querySelectorAll('.row:not(.names)')];
  const buttons = [...table.querySelectorAll('button[data-k]')],
    find = document.getElementById('find');
  const shown = document.getElementById('shown');
  const name = (row) => row.children[2].textContent.toLowerCase();
  let by = 'n',
    down = false;

  const sort = () => {
    const value = by === 'p' ? name : (row) => Number(row.dataset[by]);
    const keyed = rows.map((row) => [value(row), Number(row.dataset.n), row]);
    keyed.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0) * (down ? -1 : 1) || a[1] - b[1]);
    const all = document.createDocumentFragment();
    for (const [, , row] of keyed) all.append(row);
    table.append(all);
    for (const b of buttons) {
      b.classList.toggle('on', b.dataset.k === by);
      if (b.dataset.k === by) b.parentElement.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      else b.parentElement.removeAttribute('aria-sort');
    }
  };

  const filter = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const row of rows) {
      const text = words.length ? row.textContent.toLowerCase() : '';
      row.hidden = !words.every((w) => text.includes(w));
      if (!row.hidden) n++;
    }
    shown.textContent = words.length ? n + ' of ' + rows.length + ' pages' : '';
  };

  for (const b of buttons) {
    b.addEventListener('click', () => {
      down = by === b.dataset.k ? !down : b.dataset.k !== 'n' && b.dataset.k !== 'p';
      by = b.dataset.k;
      sort();
    });
  }
  find.addEventListener('input', filter);
  find.form.addEventListener('submit', (event) => event.preventDefault());
})()
