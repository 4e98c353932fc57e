// Times Playwright's AI snapshot on pages, for TestPeers: node peer.mjs MODULES CHROME RUNS URL…
// Prints the median of each page in ms, one line each.
import { createRequire } from 'node:module';

const [modules, chrome, runs, ...urls] = process.argv.slice(2);
const { chromium } = createRequire(modules + '/x.js')('playwright-core');
const browser = await chromium.launch({ executablePath: chrome, args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
for (const url of urls) {
  await page.goto(url);
  await page.ariaSnapshot({ mode: 'ai' });
  const times = [];
  for (let k = 0; k < +runs; k++) {
    const began = performance.now();
    await page.ariaSnapshot({ mode: 'ai' });
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  console.log(times[times.length >> 1].toFixed(2));
}
await browser.close();
