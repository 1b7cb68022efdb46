// Runs one Spec on every program that is installed here, and prints the hash of the report of each: in the terminal, in
// Chromium, in Chromium whose worker is ended at random moments, in Firefox and in WebKitGTK. One hash is what they all
// must give. node build/hash.mjs SPEC KILLS; $RANKBOX_BUILD serves the site, $RANKBOX_COMMAND is rankbox, $CHROMIUM the
// browser.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { engines } from '../site/e2e/engines.mjs';
import { served } from './served.mjs';

const [, , file, kills] = process.argv;
const patience = 600_000; // ms
const spec = await readFile(file, 'utf8');
const hashes = new Map();
const say = (where, hash) => { hashes.set(where, hash); console.log(`${hash}  ${where}`); };

const { stdout } = await promisify(execFile)(process.env.RANKBOX_COMMAND, ['run', file, '-quiet'],
  { maxBuffer: 1 << 28 });
say('terminal', stdout.match(/^Report ([0-9a-f]{64})$/m)[1]);

// Questions to a page, in any browser.
const works = () => document.getElementById('page')?.dataset.phase === 'ready';
const planned = () => { const b = document.getElementById('experiment-run'); return b && !b.disabled; };
const over = () => Boolean(document.getElementById('experiment-compare'));
const refused = () => document.getElementById('experiment-problem')?.textContent;
const report = () => document.getElementById('page').dataset.report;

const { origin, stop } = await served();
let browser;
try {
  const address = `${origin}/experiment#experiment=${encodeURIComponent(spec)}`;

  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  const inChromium = async (strikes) => {
    const context = await browser.newContext({ serviceWorkers: 'block' });
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
    await page.addInitScript(() => {
      globalThis.workers = [];
      globalThis.Worker = class extends Worker {
        constructor(...args) {
          super(...args);
          globalThis.workers.push(this);
        }
      };
    });
    await page.goto(address);
    await page.waitForFunction(works);
    await page.waitForFunction(() => document.getElementById('experiment-problem') ||
      !document.getElementById('experiment-run')?.disabled);
    const problem = await page.evaluate(refused);
    if (problem) throw new Error(problem);
    await page.locator('#experiment-run').click();
    for (let i = 0; i < strikes && !(await page.evaluate(over)); i++) {
      await pause(200 + 800 * Math.random());
      await page.evaluate(() => globalThis.workers.at(-1).terminate());
      await page.waitForFunction((n) => globalThis.workers.length > n || document.getElementById('experiment-compare'),
        await page.evaluate(() => globalThis.workers.length));
    }
    await page.waitForFunction(over);
    await page.locator('#experiment-compare').click();
    const hash = await page.waitForFunction(report).then((h) => h.jsonValue());
    await context.close();
    return hash;
  };
  say(`Chromium ${browser.version()}`, await inChromium(0));
  if (Number(kills) > 0) say(`Chromium, its worker ended up to ${kills} times`, await inChromium(Number(kills)));

  for (const [name, start] of Object.entries(engines)) {
    const other = await start();
    if (!other) {
      console.log(`${' '.repeat(64)}  ${name} is not installed here`);
      continue;
    }
    try {
      await other.open(address);
      for (const there of [works, planned]) await other.until(there);
      await other.click('#experiment-run');
      await other.until(over);
      await other.click('#experiment-compare');
      say(other.version, await other.until(report));
    } finally {
      await other.end();
    }
  }
} finally {
  await browser?.close();
  stop();
}
if (new Set(hashes.values()).size > 1) {
  console.error('hash: the reports differ');
  process.exitCode = 1;
}
