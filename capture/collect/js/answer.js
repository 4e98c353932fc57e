// Answers of one document resemble each other, and the browser takes longer to hand over
// a long text than to compare it. So an answer is written in lines, and one that the caller
// holds from the answer before is not sent again; see collect.answer in Go.
//
// The first line has the number of the answer, a random one, since several programs may ask
// in turns, and how many properties follow, each as a line of JSON. Then come the strings,
// STRINGS_A_LINE of them as a line. An empty line is the one before; "~a b text" is the first
// a characters of the one before, the text, and its last b.
const STRINGS_A_LINE = 64;

function tellAnswer(registry, { strings, ...properties }, held) {
  const lines = [];
  for (const name in properties) lines.push(JSON.stringify(name) + ':' + JSON.stringify(properties[name]));
  const named = lines.length;
  for (let k = 0; k < strings.length; k += STRINGS_A_LINE)
    lines.push(JSON.stringify(strings.slice(k, k + STRINGS_A_LINE)).slice(1, -1));
  const before = registry.answered,
    number = 1 + Math.floor(Math.random() * 2 ** 52);
  registry.answered = { number, lines };
  const known = before && before.number === held ? before.lines : [];
  return number + ' ' + named + '\n' + lines.map((line, k) => shorter(line, known[k])).join('\n');
}

// shorter is a line as it is sent to one who holds the line before. Places are counted in
// characters here and in bytes there, so only lines of ASCII are cut.
function shorter(line, before) {
  if (line === before) return '';
  if (!before || line.length < 200) return line;
  const most = Math.min(line.length, before.length),
    a = longest(most, (from, to) => line.slice(from, to) === before.slice(from, to)),
    end = (text, from, to) => text.slice(text.length - to, text.length - from),
    b = longest(most - a, (from, to) => end(line, from, to) === end(before, from, to));
  if (a + b < 40 || NOT_ASCII.test(line) || NOT_ASCII.test(before)) return line;
  return '~' + a + ' ' + b + ' ' + line.slice(a, line.length - b);
}
// longest is the greatest number up to which all is equal, found by halving: the browser
// compares long pieces at once.
function longest(most, equal) {
  let sure = 0;
  while (sure < most) {
    const next = (sure + most + 1) >> 1;
    if (equal(sure, next)) sure = next;
    else most = next - 1;
  }
  return sure;
}
const NOT_ASCII = /[^\x00-\x7f]/;
