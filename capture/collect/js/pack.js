// pack writes a column of numbers as short text: base64 of variable length integers
// (zigzag, seven bits a byte, lowest first), which is a third of what JSON takes, and
// read in a tenth of the time; see collect.ints in Go.
//
// The first number is stride. Where it is above 0, each entry is the difference from
// the one that many places before, so that columns of rows become small numbers. A 0
// is followed by how many more zeros come. Numbers are multiplied by scale and rounded.
//
// A first capture runs this before the browser has compiled it to fast code, so the loop
// makes no call for small numbers, and the buffer has room for the longest ones: 10 bytes.
function pack(column, stride, scale = 1) {
  const n = column.length,
    bytes = new Uint8Array(10 * n + 11);
  let values = column,
    at = 0,
    zeros = 0;
  if (scale !== 1) {
    values = new Float64Array(n);
    for (let k = 0; k < n; k++) values[k] = Math.round(column[k] * scale);
  }
  bytes[at++] = stride;
  for (let k = 0; k < n; k++) {
    let v = values[k] || 0;
    if (stride > 0 && k >= stride) v -= values[k - stride] || 0;
    if (v === 0) {
      zeros++;
      continue;
    }
    if (zeros > 0) {
      bytes[at++] = 0;
      at = putNumber(bytes, at, zeros - 1);
      zeros = 0;
    }
    v = v < 0 ? -2 * v - 1 : 2 * v;
    if (v < 128) bytes[at++] = v;
    else at = putNumber(bytes, at, v);
  }
  if (zeros > 0) {
    bytes[at++] = 0;
    at = putNumber(bytes, at, zeros - 1);
  }
  const used = bytes.subarray(0, at);
  if (used.toBase64) return used.toBase64();
  let text = ''; // Chrome before 140
  for (let k = 0; k < used.length; k += 8192) text += String.fromCharCode.apply(null, used.subarray(k, k + 8192));
  return btoa(text);
}

// putNumber writes a number at a place and returns the place after it.
function putNumber(bytes, at, v) {
  if (v < 0x40000000) {
    while (v > 127) {
      bytes[at++] = (v & 127) | 128;
      v >>>= 7;
    }
  } else {
    while (v > 127) {
      bytes[at++] = (v % 128) | 128;
      v = Math.floor(v / 128);
    }
  }
  bytes[at++] = v;
  return at;
}
