// Lists what is in a layer of its own and can be seen: menus, tooltips, lists,
// dialogs, popovers, and positioned elements that a hover may have brought up. Each has
// an identity of the world's registry, so that two lists can be compared.
(node, { limit }) => {
  const registry = globalThis.__refscope,
    out = [];
  const roots = [document];
  while (roots.length > 0) {
    for (const el of roots.pop().querySelectorAll('*')) {
      if (el.shadowRoot) roots.push(el.shadowRoot);
      const role = el.getAttribute('role') || '';
      const kind = /^(menu|listbox|tooltip|dialog|alertdialog|tree|status|alert)$/.test(role)
        ? role
        : el.localName === 'dialog'
          ? 'dialog'
          : el.matches('[popover]')
            ? 'popover'
            : '';
      if (!kind && !/^(UL|OL|DIV|SECTION|ASIDE|NAV|SPAN|P)$/.test(el.tagName) && !el.tagName.includes('-')) continue;
      const r = el.getBoundingClientRect();
      if (r.width < 2 || r.height < 2 || r.bottom < 0 || r.right < 0 || r.top > innerHeight || r.left > innerWidth)
        continue;
      const style = getComputedStyle(el);
      if (!kind && !/^(absolute|fixed)$/.test(style.position)) continue;
      if (style.visibility !== 'visible' || !el.checkVisibility({ opacityProperty: true })) continue;
      let uid = registry.ids.get(el);
      if (!uid) registry.ids.set(el, (uid = registry.nextId++));
      out.push({
        uid,
        kind: kind || 'layer',
        tag: el.localName,
        text: (el.innerText || '').replace(/\s+/g, ' ').trim().slice(0, 200),
        box: [r.x, r.y, r.width, r.height].map(Math.round),
      });
      if (out.length >= limit) return out;
    }
  }
  return out;
}
