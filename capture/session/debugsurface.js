// Gives the page its debug surface, unless it has one of its own. this is
// the page's window. The mark is hidden from loops over the members.
(function (dom, at, bytes, messages, refs, ...els) {
  const had = this.__dddkDebug;
  if (had !== undefined && had !== null && had.refscope !== true) return 'theirs';
  const map = new Map();
  for (let i = 0; i < refs.length; i++) if (els[i]) map.set(refs[i], els[i]);
  const d = { lastDom: dom, lastDomAt: at, lastDomBytes: bytes, lastIndexMap: map, lastLlmMessages: messages };
  Object.defineProperty(d, 'refscope', { value: true });
  this.__dddkDebug = d;
  return this.__dddkDebug === d ? 'ours' : 'refused';
})
