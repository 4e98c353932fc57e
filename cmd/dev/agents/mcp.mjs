// Our MCP server beside two others, in one run on one machine: the same pages and the same nine tasks, in turn.
// node mcp.mjs SERVER: SERVER is ours, playwright or devtools; prints one line of JSON with the ms and characters of each
// call, and the tasks that the page itself saw done. $AGENTS has the node_modules, $SITE the demo site's address, $CHROME the
// browser, $REFSCOPECTL our program.
import { createRequire } from 'node:module';
import http from 'node:http';
import path from 'node:path';

const { AGENTS, SITE, CHROME, REFSCOPECTL } = process.env;
const require = createRequire(path.join(AGENTS, 'x.js'));
const load = (name) => import(require.resolve(name));

const rows = 'Ada,36 Bo,12 Cy,77 Di,5 Ed,50 Flo,41'.split(' ').map((row) => row.split(','));
const page = `<!doctype html><meta charset="utf-8"><title>Stock room</title><h1>Stock room</h1>
<nav><a href="/?two=1">Second page</a></nav><p id="said" role="status">ready</p>
<button onclick="tell('archive')">Archive order</button> <button onclick="tell('all')">Archive all orders</button>
<form onsubmit="return false"><label>Full name <input oninput="tell('name=' + this.value)"></label>
<label>Size <select onchange="tell('size=' + this.value)"><option>S<option>M<option>L</select></label>
<label><input type="checkbox" onchange="tell('gift=' + this.checked)"> Gift wrap</label></form>
<button onclick="tell('confirm=' + confirm('Really delete?'))">Delete order</button>
<table><thead><tr><th>Person<th><button onclick="sort()">Pieces</button></thead><tbody id="rows"></tbody></table>
<iframe title="Shipping" srcdoc="<button onclick=&quot;parent.tell('frame')&quot;>Ship parcel</button>"></iframe><div id="host"></div>
<script>
let list = ${JSON.stringify(rows)};
const draw = () => (rows.innerHTML = list.map((row) => '<tr><td>' + row.join('<td>')).join(''));
function tell(what) { said.textContent = what.replace(/=.*/, '') + ' noted'; navigator.sendBeacon('/tell', what); }
const sort = () => { list.sort((a, b) => a[1] - b[1]); draw(); navigator.sendBeacon('/tell', 'sort'); };
draw();
host.attachShadow({ mode: 'open' }).innerHTML = '<button>Print label</button>';
host.shadowRoot.querySelector('button').onclick = () => tell('shadow');
if (location.search) navigator.sendBeacon('/tell', 'two');
</script>`;

let told = [];
const shop = http.createServer((request, response) => {
  if (request.url !== '/tell') {
    response.setHeader('content-type', 'text/html');
    response.end(page);
    return;
  }
  let body = '';
  request.on('data', (part) => (body += part)).on('end', () => (told.push(body), response.end()));
});
await new Promise((done) => shop.listen(0, '127.0.0.1', done));
const home = `http://127.0.0.1:${shop.address().port}/`;

const escaped = (s) => s.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const modules = path.join(AGENTS, 'node_modules');
const servers = {
  ours: {
    command: [REFSCOPECTL, 'mcp'],
    go: (url) => ['browse_navigate', { url }],
    snapshot: ['browse_snapshot', {}],
    screenshot: ['browse_screenshot', {}],
    click: (ref) => ['browse_click', { ref }],
    fill: (ref, value) => ['browse_fill', { ref, value }],
    select: (ref, value) => ['browse_select', { ref, value }],
    back: ['browse_back', {}],
    accept: ['browse_dialog', { accept: true }],
    line: (role, name) => new RegExp(`@e(\\d+)\\s+\\[(?:${role})\\]\\s+(?:"${name}"|[^\\n]*label="${name}")`),
  },
  playwright: {
    command: ['node', `${modules}/@playwright/mcp/cli.js`, '--headless', '--executable-path', CHROME, '--no-sandbox', '--isolated'],
    go: (url) => ['browser_navigate', { url }],
    snapshot: ['browser_snapshot', {}],
    screenshot: ['browser_take_screenshot', {}],
    click: (ref) => ['browser_click', { element: 'it', target: ref, ref }],
    fill: (ref, text) => ['browser_type', { element: 'it', target: ref, ref, text }],
    select: (ref, value) => ['browser_select_option', { element: 'it', target: ref, ref, values: [value] }],
    back: ['browser_navigate_back', {}],
    accept: ['browser_handle_dialog', { accept: true }],
    line: (role, name) => new RegExp(`(?:${role}) "${name}"[^\\n]*?\\[ref=([a-z0-9]+)\\]`),
  },
  devtools: {
    command: ['node', `${modules}/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js`, '--headless', '--isolated',
      '--executablePath', CHROME, '--chromeArg=--no-sandbox', '--no-usage-statistics', '--no-performance-crux'],
    go: (url) => ['navigate_page', { type: 'url', url }],
    snapshot: ['take_snapshot', {}],
    screenshot: ['take_screenshot', {}],
    click: (uid) => ['click', { uid }],
    fill: (uid, value) => ['fill', { uid, value }],
    select: (uid, value) => ['fill', { uid, value }],
    back: ['navigate_page', { type: 'back' }],
    accept: ['handle_dialog', { action: 'accept' }],
    line: (role, name) => new RegExp(`uid=(\\S+) (?:${role}) "${name}"`),
  },
};

const name = process.argv[2];
const server = servers[name];
const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');
const client = new Client({ name: 'beside', version: '1' });
const [command, ...args] = server.command;
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: 'ignore' }));
const text = (answer) => answer.content.filter((part) => part.type === 'text').map((part) => part.text).join('\n');
let extra = {};
if (name === 'devtools') {
  const listed = text(await client.callTool({ name: 'list_pages', arguments: {} }));
  extra = { pageId: Number((listed.match(/(\d+):/) ?? [])[1] ?? 1) };
}

const ms = {};
let characters = 0;
/** Calls a tool; kind is what its time is noted under, none for what is not measured. */
async function call(kind, [tool, given]) {
  const began = performance.now();
  const answer = text(await client.callTool({ name: tool, arguments: { ...given, ...extra } }, undefined, { timeout: 30000 }));
  if (kind) (ms[kind] ??= []).push(performance.now() - began);
  characters += answer.length;
  return answer;
}

const tools = JSON.stringify((await client.listTools()).tools).length;
await call('', server.go(home)); // the browser starts
for (const file of ['', 'checkout.html', 'orders.html', 'widgets.html']) {
  await call('navigate', server.go(SITE + file));
  await call('snapshot', server.snapshot);
  await call('screenshot', server.screenshot);
}

characters = 0;
const reached = [];
const tasks = [];
async function task(title, want, work) {
  const before = characters;
  try {
    // An agent asks for a list where the answer to the navigation has none.
    const arrived = await call('', server.go(home));
    const listed = server.line('heading', 'Stock room').test(arrived) ? arrived : await call('', server.snapshot);
    told = [];
    await work((role, label) => {
      const found = listed.match(server.line(role, escaped(label)));
      if (!found) throw new Error(`no ${label}`);
      return found[1];
    });
    for (let i = 0; i < 40 && !told.includes(want); i++) await new Promise((done) => setTimeout(done, 50));
    if (told.includes(want) && !told.includes('all')) reached.push(title);
    else process.stderr.write(`${name}: ${title}: the page saw ${JSON.stringify(told)}\n`);
  } catch (error) {
    process.stderr.write(`${name}: ${title}: ${error.message}\n`);
  }
  tasks.push({ title, characters: characters - before });
}
const click = (role, label) => async (ref) => call('click', server.click(ref(role, label)));
await task('click', 'archive', click('button', 'Archive order'));
await task('fill', 'name=Zoë 7', async (ref) => call('fill', server.fill(ref('textbox', 'Full name'), 'Zoë 7')));
await task('select', 'size=L', async (ref) => call('select', server.select(ref('combobox', 'Size'), 'L')));
await task('checkbox', 'gift=true', click('checkbox', 'Gift wrap'));
await task('frame', 'frame', click('button', 'Ship parcel'));
await task('shadow', 'shadow', click('button', 'Print label'));
await task('confirm', 'confirm=true', async (ref) => {
  await call('', server.click(ref('button', 'Delete order')));
  await call('', server.accept);
});
await task('sort', 'sort', async (ref) => {
  const order = /Di[\s\S]*Bo[\s\S]*Ada[\s\S]*Cy/;
  const answer = await call('click', server.click(ref('button', 'Pieces')));
  if (!order.test(answer) && !order.test(await call('', server.snapshot))) throw new Error('the new order is not told');
});
await task('follow and back', 'two', async (ref) => {
  await call('click', server.click(ref('link', 'Second page')));
  await call('back', server.back);
});
const median = (list) => Math.round([...list].sort((a, b) => a - b)[list.length >> 1]);
const medians = Object.fromEntries(Object.entries(ms).map(([kind, list]) => [kind, median(list)]));
process.stdout.write(JSON.stringify({ reached: reached.length, tools, characters, tasks, ms: medians }) + '\n');
await client.close();
shop.close();
