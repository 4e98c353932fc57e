// Runs the micro-operations of a pipeline one after the other in one evaluation (seed
// "CDP-Skill", 12.3). ops is a list of {op, find, value, ms}; fns holds, at the same
// places, the functions of waitFor and return. It resolves to {completed, steps,
// failedAt, error, results}; results are those of the operations that were done.
async (o) => {
  'use strict';
  const { ops, fns, ms } = o;
  const results = [],
    until = performance.now() + ms;
  let at = 0,
    over = false;
  const wait = (t) => new Promise((done) => setTimeout(done, t));
  const find = (selector) => {
    const first = document.querySelector(selector);
    if (first) return first;
    const roots = [document];
    while (roots.length > 0) {
      const root = roots.pop(),
        el = root === document ? null : root.querySelector(selector);
      if (el) return el;
      for (const host of root.querySelectorAll('*')) if (host.shadowRoot) roots.push(host.shadowRoot);
    }
    throw new Error('no element matches ' + selector);
  };
  // The prototype's own setter: what a framework put in its way on the element is passed by.
  const set = (el, name, value) => {
    for (let p = Object.getPrototypeOf(el); p; p = Object.getPrototypeOf(p)) {
      const d = Object.getOwnPropertyDescriptor(p, name);
      if (d && d.set) {
        d.set.call(el, value);
        return;
      }
    }
    throw new Error('<' + el.localName + '> has no ' + name);
  };
  const tell = (el, ...names) => {
    for (const n of names) el.dispatchEvent(new Event(n, { bubbles: true, composed: n === 'input' }));
  };
  const editable = (el) => {
    if (el.disabled || el.readOnly)
      throw new Error('<' + el.localName + '> cannot be changed: it is ' + (el.disabled ? 'disabled' : 'read-only'));
    return el;
  };
  const put = (el, value) => {
    if (el.isContentEditable) el.textContent = value;
    else set(el, 'value', value);
  };
  const does = {
    fill(o, el) {
      editable(el);
      put(el, o.value);
      tell(el, 'input', 'change');
    },
    click(o, el) {
      el.click();
    },
    type(o, el) {
      editable(el).focus();
      for (const c of o.value) {
        const key = (name) =>
          el.dispatchEvent(new KeyboardEvent(name, { key: c, bubbles: true, cancelable: true, composed: true }));
        if (key('keydown') && key('keypress')) {
          put(el, (el.isContentEditable ? el.textContent : el.value) + c);
          el.dispatchEvent(
            new InputEvent('input', { data: c, inputType: 'insertText', bubbles: true, composed: true }),
          );
        }
        key('keyup');
      }
      tell(el, 'change');
    },
    check(o, el) {
      if (el.type !== 'checkbox' && el.type !== 'radio')
        throw new Error('<' + el.localName + '> is no checkbox or radio button');
      set(editable(el), 'checked', o.value);
      tell(el, 'input', 'change');
    },
    select(o, el) {
      if (el.localName !== 'select') throw new Error('<' + el.localName + '> is no list box');
      if (![...editable(el).options].some((x) => x.value === o.value))
        throw new Error('there is no option with the value ' + JSON.stringify(o.value));
      set(el, 'value', o.value);
      tell(el, 'input', 'change');
    },
  };
  const one = async (o, fn) => {
    if (does[o.op]) {
      does[o.op](o, find(o.find));
      return true;
    }
    if (o.op === 'sleep') {
      await wait(o.ms);
      return true;
    }
    if (o.op === 'return') return { value: await fn() };
    const end = performance.now() + o.ms;
    for (;;) {
      let got = false,
        why = '';
      try {
        got = await fn();
      } catch (e) {
        why = ': it threw ' + e;
      }
      if (got) return true;
      if (over || performance.now() >= end) throw new Error('waitFor did not become true within ' + o.ms + ' ms' + why);
      await wait(Math.min(100, Math.max(1, end - performance.now())));
    }
  };
  const all = async () => {
    for (; at < ops.length; at++) {
      const o = ops[at],
        got = await one(o, fns[at]);
      if (over) return;
      results.push(got === true ? { op: o.op, ok: true } : { op: o.op, value: got.value });
    }
  };
  const failed = (why) => {
    over = true;
    return { completed: false, failedAt: at, error: 'step ' + at + ' (' + ops[at].op + '): ' + why, results };
  };
  try {
    const late = await Promise.race([all(), wait(Math.max(0, until - performance.now())).then(() => 'late')]);
    if (late === 'late' && at < ops.length) return failed('the pipeline took longer than ' + ms + ' ms');
  } catch (e) {
    return failed(e && e.message ? e.message : String(e));
  }
  return { completed: true, steps: ops.length, results };
}
