// Asks the page for the tools that it offers to agents (WebMCP): document.modelContext, where the browser or a polyfill
// has it, or its older place at navigator. It runs in the page's own world, where a polyfill is, so all of it belongs
// to the page: what leaves is one string that is put together of primitive values alone, in the notation of surface.js.
// Placeholders: MAX_TOOLS, and MAX_NAME, MAX_TEXT, MAX_SCHEMA in UTF-16 units.
(async () => {
  'use strict';
  let out = '[';
  const put = (v, max) => {
    if (typeof v === 'object' && v !== null) v = JSON.stringify(v);
    const s = typeof v === 'string' ? v : '',
      n = s.length < max ? s.length : max;
    let part = '';
    for (let i = 0; i < n; i++) part += s[i];
    out += (n < s.length ? 'c' : 's') + n + ':' + part;
  };
  for (const [place, list] of [
    [document.modelContext, 'getTools'],
    [navigator.modelContext, 'getTools'],
    [document.modelContext, 'listTools'],
    [navigator.modelContext, 'listTools'],
    [navigator.modelContextTesting, 'listTools'],
  ]) {
    if (!place || typeof place[list] !== 'function') continue;
    const tools = await place[list]();
    const count = tools.length >>> 0;
    for (let i = 0; i < count && i < MAX_TOOLS; i++) {
      put(tools[i].name, MAX_NAME);
      put(tools[i].description, MAX_TEXT);
      put(tools[i].inputSchema, MAX_SCHEMA);
    }
    return out + (count > MAX_TOOLS ? 'x' : '') + ']';
  }
  return '';
})()
