// Which elements are named, and what a name makes of them.

// nameAll computes the names of the elements that formats name, once the walk knows
// what is rendered. A tabindex makes what has a label or text a control (D-5).
function nameAll(out) {
  const { els, strings } = out;
  for (let k = 0; k < out.wanted.length; k += 4) {
    const i = out.wanted[k],
      role = out.wanted[k + 1],
      tabbed = out.wanted[k + 2],
      bits = out.wanted[k + 3],
      el = els[i];
    const name = computeName(el, role, bits);
    if (tabbed && (name.text || (el.textContent || '').trim() !== '' || shadowHasText(el, out)))
      out.evidence[i] |= EV_TABINDEX;
    if (name.text) out.names.push(i, strings.of(name.text), strings.word(name.from));
    const description = bits & (A_ARIA | A_TITLE) ? computeDescription(el, name) : '';
    if (description) out.descriptions.push(i, strings.of(description));
  }
}

// shadowHasText: what a host shows is in its shadow tree.
function shadowHasText(el, out) {
  const root = el.shadowRoot || (out.closed && out.closed.get(el));
  return !!root && hasText(contentText(el, { visited: new Set([el]), inRef: false, inLabel: false, hiddenOk: false }));
}

// nameEvery adds the roles and names of the elements that formats do not name,
// hidden ones included (Options.AllNames).
function nameEvery(out) {
  const { els, strings } = out;
  const done = new Set();
  for (let k = 0; k < out.wanted.length; k += 4) done.add(out.wanted[k]);
  const known = new Set();
  for (let k = 0; k < out.roles.length; k += 2) known.add(out.roles[k]);
  for (let i = 0; i < els.length; i++) {
    const role = roleOf(els[i]);
    if (!known.has(i) && role && role !== 'generic') out.roles.push(i, strings.word(role));
    if (done.has(i)) continue;
    const name = computeName(els[i], role, -1);
    if (name.text) out.names.push(i, strings.of(name.text), strings.word(name.from));
  }
}
