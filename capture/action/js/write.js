// Writes a value of the page's own world as JSON text (seed "CDP-Skill", 17.7): one
// object {"truthy":…,"promise":…,"value":…}. Everything here belongs to the page:
// getters, proxies and built-ins may be traps. So the text is put together of primitive
// values by concatenation alone, and its size is bounded whatever the page replaced.
//
// o is {plain, bytes, items, entries, nodes, text, depth, spare}. Where plain is set,
// what JSON can express is written as it is, and only the rest is {"type":…,"value":…}; else
// everything is. What did not fit has "truncated":true and its whole length or size.
//
// A text that is cut leaves with a little more than it may have and its limit, as
// {"\u0001":limit,"text":…}: a secret that lies across the cut must be seen whole to be
// taken out, so the cut itself is made by who takes it out.
(v, o) => {
  'use strict';
  const BELOW =
      '\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f',
    HEX = '0123456789abcdef';
  let left = o.bytes,
    spare = o.spare,
    count = 0;
  const stack = [];

  // quoted writes the first n UTF-16 units of s.
  const quoted = (s, n) => {
    let out = '"';
    for (let i = 0; i < n; i++) {
      const c = s[i];
      if (c === '"' || c === '\\') out += '\\' + c;
      else if (c < ' ') {
        let k = 0;
        while (BELOW[k] !== c) k++;
        out += '\\u00' + HEX[k >> 4] + HEX[k & 15];
      } else if (c < '\ud800' || c > '\udfff') out += c;
      else if (c <= '\udbff' && i + 1 < n && s[i + 1] >= '\udc00' && s[i + 1] <= '\udfff') out += c + s[++i];
      else out += '\ufffd';
    }
    return out + '"';
  };
  // text writes at most max units of a text, and no more than there is room for; what
  // goes beyond comes only as the reserve for the cut.
  let cut = false;
  const text = (s, max) => {
    const room = left > 0 ? left : 0;
    let n = 0,
      bytes = 2;
    for (; n < s.length && n < max && bytes <= room; n++) {
      const c = s[n];
      bytes += c < ' ' ? 6 : c === '"' || c === '\\' ? 2 : c < '\x80' ? 1 : c < '\u0800' ? 2 : 3;
    }
    left -= bytes;
    cut = n < s.length;
    if (!cut) return quoted(s, n);
    let more = s.length - n < 8192 ? s.length - n : 8192;
    if (more > spare) more = spare;
    spare -= more;
    // Without a reserve nothing of it can be shown: who knows what was cut in half.
    return more === 0 ? '""' : '{"\\u0001":' + n + ',"text":' + quoted(s, n + more) + '}';
  };
  const key = (s) => {
    left -= s.length;
    return quoted(s, s.length < 1000 ? s.length : 1000);
  };
  const small = (s) => text('' + s, 1000);
  const typed = (type, json, more) => {
    left -= 24;
    return '{"type":"' + type + '","value":' + json + (more || '') + '}';
  };
  const reading = (f) => {
    try {
      return f();
    } catch (e) {
      let why = 'it cannot be read';
      try {
        why = 'reading it threw ' + e;
      } catch {
        /* as it is */
      }
      return typed('unreadable', small(why));
    }
  };
  const full = () => ++count > o.entries || left <= 0;
  const brand = (proto, name) => {
    try {
      const d = Object.getOwnPropertyDescriptor(proto, name);
      return (x) => {
        try {
          return d.get ? d.get.call(x) : d.value.call(x);
        } catch {
          return undefined;
        }
      };
    } catch {
      return () => undefined;
    }
  };
  const nodeType = brand(Node.prototype, 'nodeType'),
    time = brand(Date.prototype, 'getTime'),
    mapSize = brand(Map.prototype, 'size'),
    setSize = brand(Set.prototype, 'size');
  const source = brand(RegExp.prototype, 'source'),
    listLength = brand(NodeList.prototype, 'length'),
    htmlLength = brand(HTMLCollection.prototype, 'length');

  const list = (type, length, at, max, depth) => {
    let out = '[',
      k = 0;
    for (; k < length && k < max && !full(); k++) out += (k ? ',' : '') + reading(() => value(at(k), depth + 1));
    out += ']';
    if (o.plain && type === 'array' && k === length) return out;
    return typed(type, out, ',"length":' + length + (k < length ? ',"truncated":true' : ''));
  };
  const walk = (type, size, each, depth, write) => {
    let out = '[',
      k = 0,
      all = true;
    for (const e of each) {
      if (k >= o.items || full()) {
        all = false;
        break;
      }
      out += (k++ ? ',' : '') + reading(() => write(e));
    }
    return typed(type, out + ']', ',"size":' + size + (all ? '' : ',"truncated":true'));
  };
  const element = (el) => {
    const P = Element.prototype,
      of = (name) => brand(P, name)(el);
    let out =
      '{"tagName":' +
      small(of('localName')) +
      ',"id":' +
      small(of('id') || '') +
      ',"className":' +
      small(el.getAttribute('class') || '') +
      ',"attributes":{';
    const names = P.getAttributeNames.call(el);
    let k = 0;
    for (; k < names.length && k < o.items && !full(); k++)
      out += (k ? ',' : '') + key(names[k]) + ':' + text(P.getAttribute.call(el, names[k]) || '', o.text);
    out +=
      '}' +
      (k < names.length ? ',"attributesTruncated":true' : '') +
      ',"textContent":' +
      text(brand(Node.prototype, 'textContent')(el) || '', o.text);
    return (
      out +
      ',"isConnected":' +
      (brand(Node.prototype, 'isConnected')(el) === true) +
      ',"childElementCount":' +
      (+of('childElementCount') || 0) +
      '}'
    );
  };
  const node = (n, kind) => {
    if (kind === 1) return typed('Element', element(n));
    if (kind === 9)
      return typed(
        'Document',
        '{"title":' + small(n.title) + ',"url":' + small(n.URL) + ',"readyState":' + small(n.readyState) + '}',
      );
    return typed(
      'Node',
      '{"nodeName":' +
        small(n.nodeName) +
        ',"nodeType":' +
        kind +
        ',"textContent":' +
        text(n.textContent || '', o.text) +
        '}',
    );
  };
  const object = (x, depth) => {
    const names = Object.keys(x),
      own = names.length;
    if (own === 0 && typeof x.toJSON === 'function' && depth < o.depth) {
      const j = x.toJSON();
      if (typeof j !== 'object' || j === null) return value(j, depth + 1);
      if (Object.keys(j).length > 0) return object(j, depth + 1);
    }
    let out = '{',
      k = 0;
    for (; k < own && k < o.items && !full(); k++) {
      const name = names[k];
      out += (k ? ',' : '') + key(name) + ':' + reading(() => value(x[name], depth + 1));
    }
    out += '}';
    if (o.plain && k === own) return out;
    return typed('object', out, k < own ? ',"truncated":true,"size":' + own : '');
  };
  const compound = (x, depth) => {
    if (depth > o.depth)
      return typed(Array.isArray(x) ? 'array' : 'object', 'null', ',"truncated":true,"depth":' + o.depth);
    if (Array.isArray(x)) return list('array', x.length, (k) => x[k], o.arrays, depth);
    const kind = nodeType(x);
    if (kind !== undefined) return node(x, kind);
    if (x === window || x.window === x)
      return typed(
        'Window',
        '{"location":' +
          small(x.location.href) +
          ',"width":' +
          (+x.innerWidth || 0) +
          ',"height":' +
          (+x.innerHeight || 0) +
          '}',
      );
    const t = time(x);
    if (t !== undefined)
      return t === t ? typed('Date', small(x.toISOString()), ',"timestamp":' + t) : typed('Date', 'null');
    let n = mapSize(x);
    if (n !== undefined)
      return walk(
        'Map',
        n,
        Map.prototype.entries.call(x),
        depth,
        (e) => '[' + value(e[0], depth + 1) + ',' + value(e[1], depth + 1) + ']',
      );
    if ((n = setSize(x)) !== undefined)
      return walk('Set', n, Set.prototype.values.call(x), depth, (e) => value(e, depth + 1));
    if ((n = listLength(x)) !== undefined) return list('NodeList', n, (k) => x[k], o.nodes, depth);
    if ((n = htmlLength(x)) !== undefined) return list('HTMLCollection', n, (k) => x[k], o.nodes, depth);
    if (Object.prototype.toString.call(x) === '[object RegExp]' && source(x) !== undefined)
      return typed('RegExp', small(x));
    if (x instanceof Error)
      return typed(
        'Error',
        '{"name":' + small(x.name) + ',"message":' + small(x.message) + ',"stack":' + text('' + x.stack, 500) + '}',
      );
    if (x instanceof Promise) return typed('Promise', 'null');
    if (ArrayBuffer.isView(x) && typeof x.length === 'number')
      return list(
        x.constructor.name === 'Float64Array' ? 'Float64Array' : 'TypedArray',
        x.length,
        (k) => x[k],
        o.arrays,
        depth,
      );
    return object(x, depth);
  };
  const value = (x, depth) => {
    const kind = typeof x;
    if (x === null) return o.plain ? 'null' : typed('null', 'null');
    if (kind === 'boolean') return o.plain ? ((left -= 5), x ? 'true' : 'false') : typed(kind, x ? 'true' : 'false');
    if (kind === 'number') {
      const s = '' + x,
        finite = x - x === 0;
      left -= s.length;
      return !finite ? typed(kind, '"' + s + '"') : o.plain ? s : typed(kind, 1 / x === -Infinity ? '-0' : s);
    }
    if (kind === 'string') {
      const s = text(x, o.bytes);
      return o.plain && !cut ? s : typed(kind, s, cut ? ',"length":' + x.length + ',"truncated":true' : '');
    }
    if (kind === 'undefined') return typed(kind, 'null');
    if (kind === 'bigint') return typed(kind, text('' + x, 10000));
    if (kind === 'symbol') return typed(kind, small(Symbol.prototype.toString.call(x)));
    if (kind === 'function')
      return typed(kind, text(Function.prototype.toString.call(x), 100), cut ? ',"truncated":true' : '');
    for (const around of stack) if (around === x) return typed('circular', 'null');
    stack[stack.length] = x;
    try {
      return compound(x, depth);
    } finally {
      stack.length--;
    }
  };
  let promise = false;
  try {
    promise = v instanceof Promise;
  } catch {
    /* it is none that anyone could wait for */
  }
  const json =
    '{"truthy":' + (v ? 'true' : 'false') + ',"promise":' + promise + ',"value":' + reading(() => value(v, 0)) + '}';
  return json.length <= o.bytes + o.spare + 100000
    ? json
    : '{"truthy":' +
        (v ? 'true' : 'false') +
        ',"promise":' +
        promise +
        ',"value":{"type":"unreadable","value":"it is larger than can be written","truncated":true}}';
}
