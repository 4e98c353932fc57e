// Records with Playwright what a page loads, for TestHARIsWhole: node playwright-har.mjs MODULES CHROME URL FILE
import { createRequire } from 'node:module';

const [modules, chrome, url, file] = process.argv.slice(2);
const { chromium } = createRequire(modules + '/x.js')('playwright-core');

const browser = await chromium.launch({ executablePath: chrome, args: ['--no-sandbox'] });
const context = await browser.newContext({ recordHar: { path: file, content: 'omit' } });
const page = await context.newPage();
await page.goto(url);
await page.waitForFunction(() => document.title === 'done');
await context.close();
await browser.close();
