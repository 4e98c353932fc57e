// Behaviour that every page of the demo shop shares: cookie banner, dialogs, basket and toast.
// Nothing here changes the page on its own: every change follows a press.

const basketCount = document.querySelector('[data-count]');

/** Shows a message for four seconds; it has a button of its own and says its text to screen readers. */
function toast(text) {
  document.querySelector('.toast')?.remove();
  const box = document.createElement('div');
  box.className = 'toast';
  box.setAttribute('role', 'status');
  const message = document.createElement('span');
  message.textContent = text;
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = 'Undo';
  box.append(message, close);
  document.body.append(box);
  const timer = setTimeout(() => box.remove(), 4000);
  close.addEventListener('click', () => {
    clearTimeout(timer);
    box.remove();
    setCount(-1);
  });
}

function setCount(by) {
  basketCount.textContent = String(Math.max(0, Number(basketCount.textContent) + by));
}

for (const button of document.querySelectorAll('[data-add]')) {
  button.addEventListener('click', () => {
    setCount(1);
    toast(`${button.dataset.add} is in your basket`);
  });
}

for (const button of document.querySelectorAll('[data-open]')) {
  button.addEventListener('click', () => document.getElementById(button.dataset.open).showModal());
}

for (const heart of document.querySelectorAll('.heart')) {
  heart.addEventListener('click', () => {
    heart.setAttribute('aria-pressed', String(heart.getAttribute('aria-pressed') !== 'true'));
  });
}

const chips = [...document.querySelectorAll('[data-filter]')];
for (const chip of chips) {
  chip.addEventListener('click', () => {
    for (const other of chips) other.setAttribute('aria-pressed', String(other === chip));
    const kinds = chip.dataset.filter.split(' ').filter(Boolean);
    for (const card of document.querySelectorAll('.card')) {
      card.hidden = kinds.length > 0 && !kinds.includes(card.dataset.kind);
    }
  });
}

// The answer to the banner lasts as long as the tab, so a new tab always shows the same page.
const banner = document.getElementById('cookies');
if (banner && sessionStorage.getItem('cookies')) banner.hidden = true;
document.addEventListener('click', (event) => {
  const answer = event.target.closest('[data-cookies]')?.dataset.cookies;
  if (!answer) return;
  if (answer === 'ask') {
    sessionStorage.removeItem('cookies');
    if (banner) banner.hidden = false;
    else location.href = 'index.html';
    return;
  }
  sessionStorage.setItem('cookies', answer);
  banner.hidden = true;
});
