// Resolves to whether the element kept its place over three frames.
(() =>
  new Promise((done) => {
    const el = globalThis.__refscope.watched,
      at = () => {
        const r = el.getBoundingClientRect();
        return [r.x, r.y, r.width, r.height].join();
      };
    let before = at(),
      left = 3;
    const next = () => {
      const now = at();
      if (now !== before) return done('moved');
      if (--left === 0) return done('still');
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  }))()
