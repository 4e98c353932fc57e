// Decides whether a field contains secrets; were are those that once were
// password fields.
(node) => {
  const cut = (s) => String(s || '').slice(0, 200),
    attrs = {};
  for (const a of [...node.attributes].slice(0, 200)) attrs[a.name] = cut(a.value);
  if (node.localName === 'input') attrs.type = cut(node.type);
  const by = (node.getAttribute('aria-labelledby') || '')
    .split(/\s+/)
    .map((id) => id && node.getRootNode().getElementById?.(id));
  const label = [...(node.labels || []), ...by]
    .filter(Boolean)
    .map((l) => cut(l.textContent))
    .join(' ');
  const were = globalThis.__refscope && globalThis.__refscope.passwords;
  const dotted = (getComputedStyle(node).webkitTextSecurity || 'none') !== 'none';
  return {
    tag: node.isContentEditable || node.editContext ? 'textarea' : node.localName,
    attrs,
    label,
    was: dotted || (!!were && were.has(node)),
    value: String(
      (node.editContext ? node.editContext.text : node.isContentEditable ? node.textContent : node.value) || '',
    ).slice(0, 4096),
  };
}
