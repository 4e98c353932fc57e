// Home-made widgets with ARIA roles, and the frame that belongs to another site.

const toggled = (node, attribute) => node.setAttribute(attribute, String(node.getAttribute(attribute) !== 'true'));

/** Lets Enter and Space press a widget that is not a button. */
function pressable(node, press) {
  node.addEventListener('click', press);
  node.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    press(event);
  });
}

for (const node of document.querySelectorAll('[role="switch"], .boxes [role="checkbox"], [role="menuitemcheckbox"], [role="menuitemradio"]')) {
  pressable(node, () => toggled(node, 'aria-checked'));
}
for (const radio of document.querySelectorAll('.boxes [role="radio"]')) {
  pressable(radio, () => {
    for (const other of radio.parentElement.children) {
      other.setAttribute('aria-checked', String(other === radio));
      other.tabIndex = other === radio ? 0 : -1;
    }
  });
}

const tabs = [...document.querySelectorAll('[role="tab"]')];
function selectTab(tab) {
  for (const other of tabs) {
    other.setAttribute('aria-selected', String(other === tab));
    other.tabIndex = other === tab ? 0 : -1;
    document.getElementById(other.getAttribute('aria-controls')).hidden = other !== tab;
  }
}
for (const tab of tabs) {
  tab.addEventListener('click', () => selectTab(tab));
  tab.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    selectTab(next);
    next.focus();
  });
}

const slider = document.querySelector('[role="slider"]');
function setHeat(value) {
  const low = Number(slider.getAttribute('aria-valuemin'));
  const high = Number(slider.getAttribute('aria-valuemax'));
  const heat = Math.min(high, Math.max(low, Math.round(value)));
  slider.setAttribute('aria-valuenow', heat);
  slider.setAttribute('aria-valuetext', `${heat} °C`);
  slider.style.setProperty('--at', `${((heat - low) / (high - low)) * 100}%`);
  document.getElementById('heat-out').textContent = `${heat} °C`;
}
slider.addEventListener('keydown', (event) => {
  const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
  if (!step) return;
  event.preventDefault();
  setHeat(Number(slider.getAttribute('aria-valuenow')) + step);
});
slider.addEventListener('pointerdown', (event) => {
  const box = slider.getBoundingClientRect();
  setHeat(40 + ((event.clientX - box.left) / box.width) * 60);
});

const more = document.getElementById('more');
const menu = document.getElementById('more-menu');
more.addEventListener('click', () => {
  menu.hidden = !menu.hidden;
  more.setAttribute('aria-expanded', String(!menu.hidden));
});

// The same server under its other loopback name is another site to the browser, and gets a process of its own.
const otherHost = location.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
document.getElementById('pay').src = `${location.protocol}//${otherHost}:${location.port}/frames/pay.html`;
