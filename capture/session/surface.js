// Reads window.__dddkDebug (D-11) in the page's own world, where all belongs to the page:
// getters, proxies and built-ins may be traps. The browser refuses the evaluation as soon
// as it would change anything, and ends it after a while; what leaves is one string that
// is put together of primitive values alone, so that its size is bounded whatever the
// page replaced. The string is a list of values, see surface.go:
//
//   z nothing   t f booleans   n<length>:<number>   s<length>:<text>   c<length>:<text cut>
//   [ values ]   { names and values }   x left out
//
// Lengths are UTF-16 units. Placeholders: MAX_UNITS, MAX_ENTRIES, MAX_DEPTH.
(() => {
  'use strict';
  let left = MAX_UNITS,
    entries = MAX_ENTRIES,
    out = '';
  const text = (s) => {
    if (s.length <= left) {
      left -= s.length;
      out += 's' + s.length + ':' + s;
      return;
    }
    const n = left < 65536 ? left : 65536;
    let part = '';
    for (let i = 0; i < n; i++) part += s[i];
    left -= n;
    out += 'c' + n + ':' + part;
  };
  const value = (v, depth) => {
    const kind = typeof v;
    if (entries-- <= 0 || left <= 0) {
      out += 'x';
      return;
    }
    if (v === null || kind === 'undefined') out += 'z';
    else if (kind === 'string') text(v);
    else if (kind === 'boolean') out += v ? 't' : 'f';
    else if (kind === 'number') {
      const s = '' + v;
      out += 'n' + s.length + ':' + s;
    } else if (kind !== 'object' || depth >= MAX_DEPTH) out += 'x';
    else if (Array.isArray(v)) {
      const n = v.length;
      out += '[';
      for (let i = 0; i < n && entries > 0 && left > 0; i++) member(v, i, depth);
      if (n > 0 && (entries <= 0 || left <= 0)) out += 'x';
      out += ']';
    } else {
      out += '{';
      for (const name in v) {
        if (entries <= 0 || left <= 0) break;
        text(name);
        member(v, name, depth);
      }
      out += '}';
    }
  };
  const member = (v, name, depth) => {
    let got;
    try {
      got = v[name];
    } catch {
      out += 'x';
      return;
    }
    value(got, depth + 1);
  };
  let d;
  try {
    d = window.__dddkDebug;
  } catch {
    return 'x';
  }
  if (d === null || typeof d !== 'object') return '';
  let own = false;
  try {
    own = d.refscope === true;
  } catch {
    own = false;
  }
  if (own) return '';
  out += '[';
  for (let i = 0; i < 4; i++) member(d, ['lastDom', 'lastDomAt', 'lastDomBytes', 'lastLlmMessages'][i], 0);
  return out + ']';
})()
