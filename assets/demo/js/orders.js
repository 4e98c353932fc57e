// Orders: sixty rows below the fold, and a log that grows while it is scrolled.
// Rows come from their number alone, so the page is the same on every load.

const people = ['Ines Duarte', 'Haruka Mori', 'Tomaž Kos', 'Wren Okafor', 'Léa Martin', 'Jonas Weber', 'Amal Haddad', 'Sól Jónsdóttir'];
const items = [['Heron kettle', 89], ['Slate 75 keyboard', 158], ['Pebble kettle', 64], ['Oolong keycaps', 49], ['Morning mug', 24], ['Nine Clicks', 18], ['Smoky lapsang', 16], ['Pocket 40', 112]];
const states = ['On the bench', 'Packed', 'On the boat', 'Delivered', 'Delivered', 'Delivered'];

/** The nth of a list, spread so that neighbours differ. */
const pick = (list, n, step) => list[(n * step) % list.length];

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function orderRow(n) {
  const id = `K-${1000 + n}`;
  const [item, price] = pick(items, n, 3);
  const state = n > 52 ? states[(60 - n) % 3] : pick(states, n, 5);
  return element('tr', {},
    element('td', {}, element('input', { type: 'checkbox', 'aria-label': `Select order ${id}` })),
    element('th', { scope: 'row' }, element('a', { href: `#${id}` }, id)),
    element('td', {}, pick(people, n, 5)),
    element('td', {}, item),
    element('td', {}, element('span', { class: `state s${state.length}` }, state)),
    element('td', { class: 'right num' }, `$${price}.00`),
    element('td', { class: 'right' }, element('button', { type: 'button', class: 'btn slim', 'aria-label': `Send order ${id} again` }, 'Again')));
}

const rows = document.getElementById('rows');
for (let n = 60; n > 0; n--) rows.append(orderRow(n));

document.getElementById('newest').addEventListener('click', (event) => {
  const newest = event.currentTarget.getAttribute('aria-pressed') !== 'true';
  event.currentTarget.setAttribute('aria-pressed', String(newest));
  rows.append(...[...rows.children].reverse());
});

// The log never ends: whoever scrolls near its end gets twenty more.
const verbs = ['filled the water test for', 'soldered a switch on', 'polished the lid of', 'packed', 'wrote the card for', 'weighed'];
const log = document.getElementById('log');
function growLog() {
  const from = log.children.length;
  for (let n = from; n < from + 20; n++) {
    const minute = 17 * 60 - n * 7;
    const clock = `${String(Math.floor(((minute % 1440) + 1440) % 1440 / 60)).padStart(2, '0')}:${String(((minute % 60) + 60) % 60).padStart(2, '0')}`;
    log.append(element('article', { 'aria-posinset': n + 1, 'aria-setsize': -1, 'aria-label': `Entry ${n + 1}` },
      element('time', { class: 'num' }, clock), ` ${pick(people, n, 3).split(' ')[0]} ${pick(verbs, n, 1)} `,
      element('a', { href: `#K-${1060 - (n % 60)}` }, `K-${1060 - (n % 60)}`)));
  }
}
growLog();
log.addEventListener('scroll', () => {
  if (log.scrollTop + log.clientHeight > log.scrollHeight - 80) growLog();
}, { passive: true });

// Delegation: rows and "Hold" words have no listener of their own.
document.getElementById('next').addEventListener('click', (event) => {
  const act = event.target.closest('[data-act]');
  if (!act) return;
  const row = act.closest('li');
  if (act.dataset.act === 'hold') row.classList.toggle('held');
  else row.classList.toggle('open');
});

// A plain div with a click listener: nothing in its markup says that it can be pressed.
document.getElementById('parcel').addEventListener('click', (event) => {
  event.currentTarget.textContent = 'Four labels printed';
});
