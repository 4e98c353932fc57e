(node, want) => {
  if (node.localName !== 'select') return { wrong: node.localName };
  if (node.matches(':disabled')) return { locked: true };
  const text = (o) => (o.label || o.text).replace(/\s+/g, ' ').trim(),
    all = [...node.options];
  const found = [],
    missing = [];
  const by = (list, test) => {
    for (const w of list || []) {
      const o = all.find((o) => test(o, w));
      if (o) found.push(o);
      else missing.push(w);
    }
  };
  if (want.Index !== null) {
    if (all[want.Index]) found.push(all[want.Index]);
    else missing.push(String(want.Index));
  }
  by(want.Values, (o, w) => o.value === w);
  by(want.Labels, (o, w) => text(o) === w.replace(/\s+/g, ' ').trim());
  for (const w of want.Either || []) {
    const o = all.find((o) => o.value === w) || all.find((o) => text(o) === w.replace(/\s+/g, ' ').trim());
    if (o) found.push(o);
    else missing.push(w);
  }
  if (missing.length > 0)
    return {
      missing: true,
      total: all.length,
      options: all.slice(0, 10).map((o) => ({ value: o.value, label: text(o) })),
    };
  const off = found.find((o) => o.disabled || (o.parentElement.localName === 'optgroup' && o.parentElement.disabled));
  if (off) return { disabled: text(off) };
  if (found.length > 1 && !node.multiple) return { single: true };
  const before = all.map((o) => o.selected);
  node.focus({ preventScroll: true });
  if (node.multiple) for (const o of all) o.selected = found.includes(o);
  else found[0].selected = true;
  if (all.some((o, i) => o.selected !== before[i]))
    for (const n of ['input', 'change']) node.dispatchEvent(new Event(n, { bubbles: true, composed: n === 'input' }));
  const kept = found.every((o) => o.selected);
  return { values: all.filter((o) => o.selected).map((o) => o.value), multiple: node.multiple, kept };
}
