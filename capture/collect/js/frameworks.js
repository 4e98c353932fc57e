// Finds, in the page's own world, the elements that a library calls
// handlers of although their listener sits on a container: React (props with
// onClick), Svelte and Solid (a handler on the node). It only reads.
(() => {
  const found = [],
    roots = [document];
  let react;
  const looked = 400;
  while (roots.length > 0) {
    const all = roots.pop().querySelectorAll('*');
    for (let k = 0; k < all.length; k++) {
      const el = all[k];
      if (el.shadowRoot) roots.push(el.shadowRoot);
      if (react === undefined && k < looked) {
        const names = Object.keys(el);
        for (let j = 0; j < names.length; j++) {
          const name = names[j];
          if (
            name.length > 14 &&
            (name.slice(0, 13) === '__reactProps$' || name.slice(0, 21) === '__reactEventHandlers$')
          )
            react = name;
        }
      }
      if (
        typeof el.__click === 'function' ||
        typeof el.$$click === 'function' ||
        typeof el.$$mousedown === 'function' ||
        typeof el.$$pointerdown === 'function'
      ) {
        found[found.length] = el;
        continue;
      }
      if (react === undefined) continue;
      const props = el[react];
      if (
        props &&
        (typeof props.onClick === 'function' ||
          typeof props.onMouseDown === 'function' ||
          typeof props.onPointerDown === 'function')
      )
        found[found.length] = el;
    }
  }
  return found;
})()
