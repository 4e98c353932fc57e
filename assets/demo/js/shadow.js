// Two custom elements: one with an open shadow root, one whose root is closed to every script on the page.

const sheet = `
  :host { display: block; padding: 14px 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--paper); }
  .row { display: flex; gap: 8px; align-items: center; margin-top: 8px; flex-wrap: wrap; }
  button { min-height: 34px; padding: 4px 14px; border: 1px solid var(--line); border-radius: 999px; background: var(--surface); color: inherit; font: 600 14px var(--sans); cursor: pointer; }
  button[aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
  input { min-width: 0; flex: 1; height: 34px; padding: 0 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); color: inherit; font: 14px var(--sans); }
  label { font-size: 14px; font-weight: 600; }
`;

class KeyTester extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: 'open' });
    root.innerHTML = `<style>${sheet}</style>
      <strong><slot name="title">Test</slot></strong>
      <div class="row" role="group" aria-label="Switch">
        <button type="button" aria-pressed="true">Linear</button>
        <button type="button" aria-pressed="false">Tactile</button>
        <button type="button" aria-pressed="false">Clicky</button>
      </div>`;
    const buttons = [...root.querySelectorAll('button')];
    root.addEventListener('click', (event) => {
      if (!buttons.includes(event.target)) return;
      for (const button of buttons) button.setAttribute('aria-pressed', String(button === event.target));
    });
  }
}

class GiftNote extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: 'closed' });
    root.innerHTML = `<style>${sheet}</style>
      <label for="words">A secret note (closed root)</label>
      <div class="row"><input id="words" placeholder="For whom?"><button type="button">Seal it</button></div>`;
    root.querySelector('button').addEventListener('click', (event) => { event.target.textContent = 'Sealed'; });
  }
}

customElements.define('key-tester', KeyTester);
customElements.define('gift-note', GiftNote);
