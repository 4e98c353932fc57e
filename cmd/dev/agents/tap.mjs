// What a tap changes for those that it stands between: node tap.mjs calls SERVER N | twice SERVER N | vendors N | kills N |
// overhead N
// The packages lie in the folder $AGENTS, refscopectl is $REFSCOPECTL; pages are below the folder $PAGES. Prints one
// line of JSON with its figures.
import { spawn, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as vendors from './vendors.mjs';

const self = fileURLToPath(import.meta.url);
const [what, ...rest] = process.argv.slice(2);

// ---- pass LOG COMMAND…: a program that keeps what goes to COMMAND and what comes back, and changes nothing
if (what === 'pass') {
  const [log, ...argv] = rest;
  const child = spawn(argv[0], argv.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
  const keep = { in: fs.openSync(`${log}.in`, 'w'), out: fs.openSync(`${log}.out`, 'w') };
  process.stdin.on('data', (d) => {
    fs.writeSync(keep.in, d);
    child.stdin.write(d);
  });
  process.stdin.on('end', () => child.stdin.end());
  child.stdin.on('error', () => {});
  child.stdout.on('data', (d) => {
    fs.writeSync(keep.out, d);
    process.stdout.write(d);
  });
  child.on('close', (code) => process.exit(code ?? 1));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  await new Promise(() => {});
}

// ---- echo: a server of one tool that answers at once
if (what === 'echo') {
  let held = '';
  process.stdin.on('data', (d) => {
    held += d;
    const lines = held.split('\n');
    held = lines.pop();
    for (const line of lines) {
      if (!line.trim()) continue;
      const m = JSON.parse(line);
      if (m.id !== undefined) {
        const result =
          m.method === 'initialize'
            ? { protocolVersion: m.params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'echo', version: '1' } }
            : { content: [{ type: 'text', text: `said ${m.params?.arguments?.x ?? ''}` }] };
        process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: m.id, result })}\n`);
      }
    }
  });
  process.stdin.on('end', () => process.exit(0));
  await new Promise(() => {});
}

const require = createRequire(path.join(process.env.AGENTS, 'x.js'));

// ---- agent: one with a browser of its own, which asks its model about page after page
if (what === 'agent') {
  const { chromium } = require('playwright-core');
  const browser = await chromium.launch({ executablePath: process.env.CHROME, args: ['--no-sandbox'] });
  const page = await browser.newPage();
  for (let i = 0; ; i++) {
    await page.setContent(`<button>${i}</button>`);
    const content = `KIND plain SIZE 100 NUMBER ${i}; ${await page.locator('body').ariaSnapshot()}`;
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
    const headers = { 'content-type': 'application/json' };
    await (await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, { method: 'POST', headers, body })).text();
  }
}

const load = (name) => import(require.resolve(name));
const ctl = process.env.REFSCOPECTL;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tap-'));
process.env.REFSCOPE_HOME = path.join(folder, 'home');
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
let seed = 1 + Number(process.env.SEED ?? 0);
const random = () => {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff;
  return seed / 0x7fffffff;
};
const say = (figures) => console.log(JSON.stringify(figures));
const run = (...args) => execFileSync(ctl, args, { maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] }).toString();

/** Our own client: lines of JSON-RPC, nothing else; deaf to what is none of it. */
function ownClient(command, args, deaf) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  let held = '';
  let next = 0;
  child.stdin.on('error', () => {});
  child.stdout.on('data', (d) => {
    if (deaf) return;
    held += d;
    const lines = held.split('\n');
    held = lines.pop();
    for (const line of lines) {
      const m = JSON.parse(line);
      if (m.method === undefined) waiting.get(m.id)?.(m);
    }
  });
  const ended = new Promise((done) =>
    child.on('close', (code, signal) => {
      for (const done of waiting.values()) done({ error: { message: 'the server is gone' } });
      done(code ?? signal);
    }),
  );
  const ask = (method, params) =>
    new Promise((done) => {
      const id = ++next;
      waiting.set(id, done);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  return {
    child,
    ended,
    ask,
    async connect() {
      await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'own', version: '1' } });
      child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    },
    async callTool({ name, arguments: given }) {
      const answer = await ask('tools/call', { name, arguments: given });
      return answer.result ?? { isError: true, content: [{ type: 'text', text: answer.error.message }] };
    },
    listTools: async () => (await ask('tools/list', {})).result,
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

async function officialClient(command, args) {
  const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');
  const client = new Client({ name: 'official', version: '1' });
  const transport = new StdioClientTransport({ command, args, env: process.env, stderr: process.env.SHOW ? 'inherit' : 'ignore' });
  await client.connect(transport);
  return client;
}

// ---- calls

/** Runs in the page: where an element lies, as a capture writes it; '' in frames and shadow trees. */
const pathOf = `(el) => {
  if (window !== top) return 'path=';
  let out = '', e = el.nodeType === 1 ? el : el.parentElement;
  if (e.getRootNode() !== document) return 'path=';
  for (; e.parentElement; e = e.parentElement)
    out = ' > ' + e.localName + ':nth-child(' + (1 + [...e.parentElement.children].indexOf(e)) + ')' + out;
  return 'path=' + e.localName + out;
}`;

const servers = {
  playwright: {
    argv: () => ['node', path.join(path.dirname(require.resolve('@playwright/mcp/package.json')), 'cli.js'), '--headless'],
    more: ['--caps=vision,pdf,testing,devtools,network,storage,config,tracing'],
    own: (chrome) => ['--isolated', '--no-sandbox', '--executable-path', chrome],
    endpoint: (at) => [`--cdp-endpoint=http://${at}`],
    page: async () => ({}),
    navigate: (url) => ['browser_navigate', { url }],
    snapshot: ['browser_snapshot', {}],
    path: (ref) => ['browser_evaluate', { element: 'it', target: ref, function: pathOf }],
    hover: (ref) => ['browser_hover', { element: 'it', target: ref }],
    click: (ref) => ['browser_click', { element: 'it', target: ref }],
    lines: (text) =>
      [...text.matchAll(/- '?([a-z]+)[^\n]*?\[ref=(\w+)\]/g)].map((m) => ({ role: m[1], ref: m[2] })),
    others: [['browser_tabs', { action: 'list' }], ['browser_console_messages', {}], ['browser_take_screenshot', {}]],
  },
  devtools: {
    argv: () => [
      'node',
      path.join(path.dirname(require.resolve('chrome-devtools-mcp/package.json')), 'build/src/bin/chrome-devtools-mcp.js'),
      '--headless',
      '--no-usage-statistics',
    ],
    more: ['--experimentalVision', '--categoryExtensions', '--no-performance-crux'],
    own: (chrome) => ['--isolated', '--chromeArg=--no-sandbox', '--executablePath', chrome],
    endpoint: (at) => [`--browserUrl=http://${at}`],
    page: async (call) => ({ pageId: Number(((await call(['list_pages', {}])).match(/^(\d+):/m) ?? [0, 1])[1]) }),
    navigate: (url) => ['navigate_page', { type: 'url', url }],
    snapshot: ['take_snapshot', {}],
    path: (ref) => ['evaluate_script', { function: pathOf, args: [ref] }],
    hover: (ref) => ['hover', { uid: ref }],
    click: (ref) => ['click', { uid: ref }],
    lines: (text) => [...text.matchAll(/^\s*uid=(\S+) (\w+)/gm)].map((m) => ({ ref: m[1], role: m[2] })),
    others: [['list_pages', {}], ['list_console_messages', {}], ['take_screenshot', {}]],
  },
};
const operated =
  /^(button|link|textbox|searchbox|checkbox|radio|combobox|tab|menuitem|switch|slider|spinbutton|treeitem)$/i;

/** The script of calls: what was answered, and what each call by a ref was about. */
async function script(server, client, base, pages, n) {
  const done = [];
  const text = (a) => (a.content ?? []).filter((p) => p.type === 'text').map((p) => p.text).join('\n');
  let page = {};
  const call = async ([name, given], ref) => {
    let answer;
    const began = performance.now();
    try {
      answer = await client.callTool({ name, arguments: { ...given, ...page } });
    } catch (e) {
      answer = { isError: true, content: [{ type: 'text', text: `ERROR ${e.message}` }] };
    }
    done.push({ name, ref, failed: Boolean(answer.isError), text: text(answer), ms: performance.now() - began });
    return done.at(-1).text;
  };
  await client.listTools();
  page = await server.page(call);
  for (let i = 0; done.length < n; i++) {
    await call(server.navigate(base + encodeURI(pages[i % pages.length])));
    const lines = server.lines(await call(server.snapshot)).filter((l) => operated.test(l.role));
    for (let k = 0; k < 7 && lines.length > 0 && done.length < n; k++) {
      const l = lines[Math.floor(random() * lines.length)];
      const told = (await call(server.path(l.ref), l.ref)).match(/path=([^"\\\n]*)/);
      if (!told) continue;
      done.at(-1).truth = told[1];
      if (done.length < n) {
        await call(/^(link|button)$/.test(l.role) || random() < 0.5 ? server.hover(l.ref) : server.click(l.ref), l.ref);
        done.at(-1).truth = told[1];
      }
    }
    if (done.length < n) await call(server.others[i % server.others.length]);
  }
  return done;
}

/** An argument as the schema of a tool asks for it; files lie in the folder of this run. */
function sample(schema, name) {
  const { type, anyOf, items, required, properties, minimum } = schema ?? {};
  if (schema?.enum) return schema.enum[0];
  if (anyOf) return sample(anyOf[0], name);
  if (type === 'number' || type === 'integer') return Math.max(1, minimum ?? 1);
  if (type === 'boolean') return true;
  if (type === 'array') return [sample(items, name)];
  if (type === 'object') return Object.fromEntries((required ?? []).map((k) => [k, sample(properties[k], k)]));
  if (/file|path/i.test(name)) return path.join(folder, 'file');
  return /url/i.test(name) ? 'data:text/html,<button>x' : 'x';
}

/** Calls each tool of a server once, whatever comes of it; those that wait for a person or end the page last. */
async function everyTool(client) {
  const { tools } = await client.listTools();
  const late = (t) => (/close|resume|annotate/.test(t.name) ? 1 : 0);
  const done = [];
  for (const t of tools.sort((a, b) => late(a) - late(b))) {
    const call = { name: t.name, arguments: sample(t.inputSchema, '') };
    const answer = client.callTool(call, undefined, { timeout: 15_000 }).catch(() => undefined); // one that is cancelled
    const told = await Promise.race([answer, sleep(20_000)]);
    done.push({ name: t.name, failed: !told || Boolean(told.isError), text: '' });
  }
  return done;
}

/** The saved pages, in an order of the seed, and a site that serves them. */
async function savedPages() {
  const root = process.env.PAGES;
  const pages = ['real', 'forms']
    .flatMap((d) => (fs.existsSync(path.join(root, d)) ? fs.readdirSync(path.join(root, d)).map((f) => `${d}/${f}`) : []))
    .concat(fs.readdirSync(root))
    .filter((f) => f.endsWith('.html'))
    .sort(() => random() - 0.5);
  const site = await vendors.listen((q, r) =>
    fs.readFile(path.join(root, path.normalize(`/${decodeURIComponent(q.url.split('?')[0])}`)), (e, b) => {
      const type = { '.html': 'text/html; charset=utf-8', '.css': 'text/css', '.js': 'text/javascript' }[path.extname(q.url)];
      r.writeHead(e ? 404 : 200, type ? { 'content-type': type } : {}).end(b);
    }),
  );
  return { pages, site };
}

/**
 * Calls with one script, without the tap and with it: what the client is told must not differ. The server starts its own
 * browser, $CHROME; with $BROWSER the tap hands it one.
 */
async function twice(name, n) {
  const server = servers[name];
  const { pages, site } = await savedPages();
  const began = seed;
  const run = async (argv) => {
    seed = began;
    const client = await officialClient(argv[0], argv.slice(1));
    const done = await script(server, client, site.base, pages, n);
    await client.close();
    const told = (d) => `${d.name} ${d.failed} ${d.text.replaceAll(/\d{4}-\d\d-\d\dT[-:.\d]+Z?|\b\d+(\.\d+)? ?ms\b/g, '<time>')}`;
    return done.map((d) => ({ said: told(d), ms: d.ms }));
  };
  const own = process.env.BROWSER ? [] : ['--no-browser'];
  const argv = [...server.argv(), ...server.own(process.env.CHROME)];
  const direct = await run(argv);
  const tapped = await run([ctl, 'tap', 'mcp', ...own, '-o', path.join(folder, 't'), '--', ...argv]);
  site.close();
  const figures = { server: name, calls: direct.length, differ: 0, failed: 0, browser: Boolean(process.env.BROWSER), why: [] };
  figures.failed = direct.filter((d) => d.said.split(' ')[1] === 'true').length;
  figures.later = median(direct.map((d, i) => (tapped[i]?.ms ?? 0) - d.ms)); // ms a call; of two runs of two browsers
  direct.forEach(({ said }, i) => {
    const other = tapped[i]?.said ?? '';
    if (said === other) return;
    figures.differ++;
    const at = [...said].findIndex((c, k) => c !== other[k]);
    figures.why.push(`call ${i}: ${said.slice(Math.max(0, at - 40), at + 80)} | ${other.slice(Math.max(0, at - 40), at + 80)}`);
  });
  figures.why = figures.why.slice(0, 6);
  return figures;
}

async function calls(name, n) {
  const server = servers[name];
  const { pages, site } = await savedPages();
  const session = path.join(folder, 's');
  process.chdir(folder); // servers write files
  const inner = [process.execPath, self, 'pass', path.join(folder, 'inner'), ...server.argv(), ...server.more];
  const outer = [self, 'pass', path.join(folder, 'outer'), ctl, 'tap', 'mcp', '-o', session, '--', ...inner];
  const official = process.env.CLIENT !== 'own';
  const client = official ? await officialClient(process.execPath, outer) : ownClient(process.execPath, outer);
  if (!official) await client.connect();
  const done = await script(server, client, site.base, pages, n);
  const tools = await everyTool(client);
  done.push(...tools);
  await client.close();
  for (let i = 0; i < 600; i++) {
    try {
      run('session', 'check', session); // refused while the tap has it open
      break;
    } catch {
      await sleep(100);
    }
  }
  site.close();
  const same = ['in', 'out'].map((way) => {
    const [a, b] = ['outer', 'inner'].map((side) => fs.readFileSync(path.join(folder, `${side}.${way}`)));
    return a.equals(b) ? 0 : 1;
  });
  const turns = [];
  for (const line of run('session', 'show', session, '--json').trim().split('\n')) {
    const row = JSON.parse(line);
    turns.push(...(row.turns ?? (Array.isArray(row) ? row : [row])));
  }
  const figures = { server: name, client: official ? 'official' : 'own', tools: tools.length, calls: done.length, turns: turns.length };
  Object.assign(figures, { changed: same[0] + same[1], failed: done.filter((d) => d.failed).length });
  Object.assign(figures, { right: 0, wrong: 0, untold: 0, session });
  const why = {};
  const targets = done.filter((d) => d.truth);
  const first = turns.length - done.length; // the list of tools is a turn
  const reports = new Map();
  for (const line of run('doctor', session, '--json', '--max-severity', 'error').trim().split('\n')) {
    const row = JSON.parse(line);
    for (const report of row.turns ?? [row]) reports.set(report.turn, report);
  }
  for (const d of targets) {
    const turn = done.indexOf(d) + 1 + first;
    const report = reports.get(turn);
    let capture = { nodes: [] };
    try {
      capture = JSON.parse(run('snap', `${session}#${turn}`, '--format', 'capture', '--all'));
    } catch {
      // one without a page
    }
    const target = report?.targets?.[0];
    const told = (capture.nodes ?? []).find((node, i) => (node.i ?? i) === target?.node)?.path;
    const how = told === undefined ? 'untold' : told === d.truth ? 'right' : 'wrong';
    figures[how]++;
    if (how !== 'right') {
      const reason = `${how}: ${target?.why ?? 'no target'}`.replace(/\d+/g, 'N');
      (why[reason] ??= []).push(turn);
    }
  }
  figures.why = Object.fromEntries(Object.entries(why).map(([k, v]) => [k, `${v.length}, as #${v.slice(0, 4).join(' #')}`]));
  return figures;
}

// ---- overhead: the same calls of a server that answers at once, with and without the tap

async function overhead(n) {
  const argv = [process.execPath, self, 'echo'];
  const times = { direct: [], tap: [] };
  const clients = {
    direct: ownClient(argv[0], argv.slice(1)),
    tap: ownClient(ctl, ['tap', 'mcp', '--no-browser', '-o', path.join(folder, 'o'), '--', ...argv]),
  };
  for (const c of Object.values(clients)) await c.connect();
  for (let i = 0; i < n; i++) {
    for (const [how, c] of Object.entries(clients)) {
      const began = performance.now();
      await c.callTool({ name: 'say', arguments: { x: 'x'.repeat(1000) } });
      times[how].push(performance.now() - began);
    }
  }
  for (const c of Object.values(clients)) await c.close();
  return { calls: n, direct: median(times.direct), tap: median(times.tap), overhead: median(times.tap) - median(times.direct) };
}

// ---- kills: one of client, proxy and server is killed at random; nothing may be lost, and nobody stay

const living = (mark) =>
  fs.readdirSync('/proc').flatMap((p) => {
    if (!/^\d+$/.test(p) || Number(p) === process.pid) return [];
    try {
      const line = fs.readFileSync(`/proc/${p}/cmdline`, 'latin1').replaceAll('\0', ' ');
      return (line + fs.readFileSync(`/proc/${p}/environ`, 'latin1')).includes(mark) ? [{ pid: Number(p), line }] : [];
    } catch {
      return []; // it has ended
    }
  });

/** Who is behind the tap in a round: a server that answers at once, or with $BROWSER servers and an agent with one. */
function killed(i, far) {
  const own = (name) => [...servers[name].argv(), ...servers[name].own(process.env.CHROME)];
  if (!process.env.BROWSER) return { behind: 'echo', argv: ['mcp', '--no-browser'], served: [process.execPath, self, 'echo'] };
  const agent = ['--upstream', `openai=${far.base.replace(/\/$/, '')}`];
  return [
    { behind: 'playwright', argv: ['mcp'], served: servers.playwright.argv() },
    { behind: 'devtools', argv: ['mcp'], served: servers.devtools.argv() },
    { behind: 'agent', argv: agent, served: [process.execPath, self, 'agent'] },
    { behind: 'playwright', argv: ['mcp', '--no-browser'], served: own('playwright') },
    { behind: 'devtools', argv: ['mcp', '--no-browser'], served: own('devtools') },
  ][Math.floor(i / 3) % 5];
}

async function kills(n) {
  const far = await vendors.vendor();
  const figures = { kills: 0, early: 0, answered: 0, turns: 0, lost: 0, damaged: 0, left: 0, slowest: 0, why: [] };
  for (let i = Number(process.env.FROM ?? 0); i < n; i++) {
    const mark = `REFSCOPE_KILL_${process.pid}_${i}_`;
    const session = path.join(folder, `k${i}`);
    const { behind, argv, served } = killed(i, far);
    const whom = behind === 'agent' ? ['proxy', 'server'][i % 2] : ['client', 'proxy', 'server'][i % 3];
    process.env.REFSCOPE_MARK = mark;
    const line = [ctl, 'tap', ...argv, '-o', session, '--', ...served];
    const c = ownClient(process.execPath, [self, 'pass', path.join(folder, 'kill'), ...line], behind === 'agent');
    delete process.env.REFSCOPE_MARK;
    let answered = 0;
    const calling = (async () => {
      if (behind === 'agent') return c.ended;
      await c.connect();
      for (;;) {
        const a = await c.callTool(
          behind === 'echo'
            ? { name: 'say', arguments: { x: `${answered}` } }
            : { name: behind === 'devtools' ? 'new_page' : 'browser_navigate', arguments: { url: `data:text/html,<button>${answered}` } },
        );
        if (a.isError) return undefined;
        answered++;
      }
    })();
    await sleep(behind === 'echo' ? 100 + random() * 400 : random() * 20_000); // a Chrome may be starting
    const all = living(mark);
    const turnsIn = path.join(session, 'turns');
    const saved = fs.existsSync(turnsIn) ? fs.readdirSync(turnsIn).length : 0;
    const isTap = (p) => p.line.startsWith(ctl);
    const isServer = (p) => p.pid !== c.child.pid && !isTap(p) && p.line.includes(served[1]) && !p.line.includes(' pass ');
    const victim = { client: c.child.pid, proxy: all.find(isTap)?.pid, server: all.find(isServer)?.pid }[whom];
    const final = victim ? whom : 'client'; // there is none yet
    process.kill(victim ?? c.child.pid, 'SIGKILL');
    const began = performance.now();
    await Promise.race([calling, sleep(5000)]);
    c.child.stdin.end();
    let left;
    for (let k = 0; k < 300 && (left = living(mark)).length > 0; k++) await sleep(100);
    figures.kills++;
    figures.early += answered === 0 ? 1 : 0;
    figures.answered += answered;
    figures.slowest = Math.max(figures.slowest, Math.round(performance.now() - began));
    const told = `${i} ${behind} ${argv.at(-1)}, ${final}`;
    if (left.length > 0) {
      figures.left += left.length;
      figures.why.push(`${told}: left ${left.map((p) => p.line.slice(0, 90)).join(' | ')}`);
      for (const p of left) process.kill(p.pid, 'SIGKILL');
    }
    if (!fs.existsSync(session)) continue; // it was killed before there was one
    try {
      run('session', 'check', session);
    } catch {
      figures.damaged++;
      figures.why.push(`${told}: damaged`);
    }
    const turns = run('session', 'show', session, '--json').trim().split('\n').flatMap((l) => JSON.parse(l).turns ?? JSON.parse(l));
    figures.turns += turns.length;
    // Who kills the proxy loses at most what was not saved yet; who kills another loses nothing.
    const lost = Math.max(0, (final === 'proxy' ? saved : answered) - turns.length);
    figures.lost += lost;
    if (lost > 0) figures.why.push(`${told}: ${answered} answered, ${saved} saved, ${turns.length} turns`);
  }
  far.close();
  figures.why = figures.why.slice(0, 20);
  return figures;
}

try {
  if (what === 'calls') say(await calls(rest[0], Number(rest[1])));
  if (what === 'twice') say(await twice(rest[0], Number(rest[1])));
  if (what === 'overhead') say(await overhead(Number(rest[0])));
  if (what === 'kills') say(await kills(Number(rest[0])));
  if (what === 'vendors') say(await vendors.compare({ n: Number(rest[0]), load, ctl, folder, random }));
} finally {
  if (!process.env.KEEP) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
}
process.exit(0);
