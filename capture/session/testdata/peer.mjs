// Times Playwright's AI snapshot on pages, for TestPeers: node peer.mjs MODULES CHROME RUNS FIRSTS URL…
// Prints one line for each page: the least of FIRSTS first snapshots, each of a browser of its own, and the median
// of RUNS more of one tab, in ms.
import { createRequire } from 'node:module';

const [modules, chrome, runs, firsts, ...urls] = process.argv.slice(2);
const { chromium } = createRequire(modules + '/x.js')('playwright-core');

async function open(url) {
  const browser = await chromium.launch({ executablePath: chrome, args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(url);
  await page.waitForLoadState('networkidle'); // as settled as a page is that is captured here
  return { browser, page };
}

async function snapshot(page) {
  const began = performance.now();
  await page.ariaSnapshot({ mode: 'ai' });
  return performance.now() - began;
}

for (const url of urls) {
  let first = Infinity;
  for (let k = 0; k < +firsts; k++) {
    const { browser, page } = await open(url);
    first = Math.min(first, await snapshot(page));
    await browser.close();
  }
  const { browser, page } = await open(url);
  const times = [];
  for (let k = 0; k <= +runs; k++) times.push(await snapshot(page));
  await browser.close();
  times.shift();
  times.sort((a, b) => a - b);
  console.log(first.toFixed(2), times[times.length >> 1].toFixed(2));
}
