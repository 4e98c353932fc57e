// Runs one browser agent as people run it, for one question about one page: node ask.mjs AGENT PAGE [CDP-ADDRESS].
// Without an address the agent starts its own browser in its own way; $CHROME is its program. The agent's packages lie in the folder $AGENTS; the model is where OPENAI_BASE_URL says, as refscopectl tap sets it.
import { createRequire } from 'node:module';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const [agent, page, cdp] = process.argv.slice(2);
const require = createRequire(path.join(process.env.AGENTS, 'x.js'));
const load = (name) => import(require.resolve(name));
const baseURL = process.env.OPENAI_BASE_URL;
const chrome = process.env.CHROME;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ask-')); // agents leave files where they run
process.chdir(folder);
process.on('exit', () => {
  process.chdir(os.tmpdir());
  fs.rmSync(folder, { recursive: true, force: true });
});

async function ask(messages, tools) {
  const module = await load('openai');
  const client = new (module.default ?? module.OpenAI)({ apiKey: 'none', baseURL });
  await client.chat.completions.create({ model: 'gpt-4o', messages, ...(tools ? { tools } : {}) });
}

/** One of the two MCP servers: the page is opened, its snapshot taken by a tool, and its answer given to the model. */
async function mcp(program, args, open, look) {
  const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(new StdioClientTransport({ command: 'node', args: [program, ...args], stderr: 'ignore' }));
  const call = async (name, given) =>
    (await client.callTool({ name, arguments: given })).content
      .filter((part) => part.type === 'text')
      .map((part) => part.text)
      .join('\n');
  const tools = (await client.listTools()).tools.map((tool) => ({
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
  }));
  await open(call);
  const [name, given] = await look(call);
  const text = await call(name, given);
  await ask(
    [
      { role: 'user', content: 'What can be done on this page?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(given) } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: text },
    ],
    tools,
  );
  await client.close();
}

const agents = {
  playwright: () =>
    mcp(
      path.join(path.dirname(require.resolve('@playwright/mcp/package.json')), 'cli.js'),
      cdp
        ? ['--cdp-endpoint', `http://${cdp}`]
        : ['--headless', '--isolated', '--no-sandbox', '--executable-path', chrome],
      (call) => call('browser_navigate', { url: page }),
      () => ['browser_snapshot', {}],
    ),
  devtools: async () => {
    let pageId;
    await mcp(
      path.join(
        path.dirname(require.resolve('chrome-devtools-mcp/package.json')),
        'build/src/bin/chrome-devtools-mcp.js',
      ),
      cdp
        ? ['--browserUrl', `http://${cdp}`]
        : ['--headless', '--isolated', '--chromeArg=--no-sandbox', '--executablePath', chrome],
      async (call) => {
        const list = await call('list_pages', {});
        pageId = Number((list.match(/^(\d+):.*selected/m) ?? list.match(/^(\d+):/m) ?? [0, 0])[1]);
        await call('navigate_page', { pageId, type: 'url', url: page });
      },
      () => ['take_snapshot', { pageId }],
    );
  },
  stagehand: async () => {
    const { Stagehand } = await load('@browserbasehq/stagehand');
    const browser = cdp
      ? { cdpUrl: (await (await fetch(`http://${cdp}/json/version`)).json()).webSocketDebuggerUrl }
      : { headless: true, executablePath: chrome, args: ['--no-sandbox'] };
    const stagehand = new Stagehand({
      env: 'LOCAL',
      verbose: 0,
      disablePino: true,
      logger: () => {},
      localBrowserLaunchOptions: browser,
      model: { modelName: 'openai/gpt-4o', apiKey: 'none', baseURL },
    });
    await stagehand.init();
    await stagehand.context.pages()[0].goto(page);
    await stagehand.observe('what can be done').catch(() => {}); // the stub's answer is of no use to it
    await stagehand.close().catch(() => {});
  },
  'browser-use': async () => {
    const { BrowserSession } = await import(
      path.join(process.env.AGENTS, 'node_modules/browser-use/dist/browser/session.js')
    );
    const session = new BrowserSession(
      cdp
        ? { cdp_url: `http://${cdp}` }
        : { profile: { headless: true, executable_path: chrome, chromium_sandbox: false } },
    );
    await session.start();
    await session.navigate_to(page);
    const state = await session.get_browser_state_with_recovery({
      cache_clickable_elements_hashes: true,
      include_screenshot: false,
    });
    const text = state.element_tree.clickable_elements_to_string();
    await ask([
      { role: 'system', content: 'You operate a browser.' },
      {
        role: 'user',
        content: `<browser_state>\nCurrent url: ${page}\nInteractive elements:\n${text}\n</browser_state>`,
      },
    ]);
    await session.kill().catch(() => {});
  },
};

await agents[agent]();
process.exit(0);
