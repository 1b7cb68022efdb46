// Measures the page of the built site as a visitor feels it, beside a plain page where there is one: `node --test
// scripts/bench/page.mjs`. Results go to standard output, with the machine's load beside them. From the environment:
//
//   RANKBOX_ONLY    parts to measure: keys, pack
//
// keys:  keystroke to paint of Rankbox (four systems of the demo) and, in turn with it, of a page that does nothing but paint MiniSearch's first 20 titles of the same
//        documents; unthrottled and with a 4 times slower processor.
// pack:  20 runs of 300 queries and 1,000 documents, saved as one file while every thread of the browser's page has a quarter of the time.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { lab, ready, root } from '../../site/e2e/harness.mjs';
import { serve } from './server.mjs';
import { quantile } from './timing.js';

const only = process.env.RANKBOX_ONLY ? process.env.RANKBOX_ONLY.split(',') : null;
const wanted = (part) => (only && !only.includes(part) ? { skip: 'not asked for' } : {});
const rankbox = lab();
const ms = (list) => ({ n: list.length, median: Math.round(quantile(list, 0.5)),
  p95: Math.round(quantile(list, 0.95)) });
const say = (name, figures) =>
  console.log(JSON.stringify({ name, ...figures, load: loadavg().map((x) => Math.round(x * 10) / 10) }));

/** The documents of the demo as MiniSearch takes them. */
async function documents() {
  const lines = (await readFile(join(root, 'site/collections/harbour-wire/corpus.jsonl'), 'utf8')).split('\n')
    .filter(Boolean);
  return lines.map((line, id) => ({ id, ...(({ title, text }) => ({ title, text }))(JSON.parse(line)) }));
}

/** A page that paints one list of MiniSearch at every change of its box. */
const plain = `<!doctype html><meta charset="utf-8"><title>plain</title><input id="q"><ol id="list"></ol><script type="module">
import MiniSearch from '/minisearch.js';
const engine = new MiniSearch({ fields: ['title', 'text'], storeFields: ['title'] });
engine.addAll(await (await fetch('/documents.json')).json());
const list = document.getElementById('list');
document.getElementById('q').addEventListener('input', (e) => {
  list.replaceChildren(...engine.search(e.target.value).slice(0, 20).map((hit) => { const li = document.createElement('li'); li.textContent = hit.title; return li; }));
});
document.documentElement.dataset.ready = 'true';
</script>`;

/** Runs in a page before its scripts: window.strokes are the times from a keydown to behind the frame that shows a
 * changed list. */
function watch(within) {
  window.strokes = [];
  let pressed = 0;
  addEventListener('keydown', (e) => { pressed = e.timeStamp; }, true);
  new MutationObserver((changes) => {
    const inList = ({ target }) => (target.nodeType === Node.TEXT_NODE ? target.parentElement :
      target)?.closest(within);
    if (!pressed || !changes.some(inList)) return;
    const from = pressed;
    pressed = 0;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.strokes.push(performance.now() - from);
      port2.postMessage(0);
    });
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

test('keystroke to paint beside a plain MiniSearch page', { timeout: 600_000, ...wanted('keys') }, async () => {
  const server = await serve({ '/': Buffer.from(plain),
    '/documents.json': Buffer.from(JSON.stringify(await documents())),
    '/minisearch.js': join(root, 'node_modules/minisearch/dist/es/index.js') });
  try {
    for (const rate of [1, 4]) {
      const context = await rankbox.browser.newContext({ baseURL: rankbox.origin });
      const other = await rankbox.browser.newContext();
      const pages = { rankbox: await context.newPage(), minisearch: await other.newPage() };
      await pages.rankbox.addInitScript(watch, '#columns ol.hits');
      await pages.minisearch.addInitScript(watch, '#list');
      await pages.rankbox.goto('/search');
      await ready(pages.rankbox);
      // as bench.mjs does
      await pages.rankbox.waitForFunction(() => navigator.serviceWorker?.controller?.state === 'activated', null,
        { timeout: 240_000 });
      await pages.rankbox.locator('#q').fill('ferry');
      await pages.rankbox.locator('#load-encoder-2').click(); // likewise
      await pages.rankbox.locator('#system-3 ol.hits > li').first().waitFor();
      await pages.minisearch.goto(server.origin);
      await pages.minisearch.waitForFunction(() => document.documentElement.dataset.ready);
      for (const [name, page] of Object.entries(pages)) if (rate > 1) await (await (name === 'rankbox' ? context :
        other).newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate });
      const texts = await pages.rankbox.$$eval('#judged option[value]:not([value=""])',
        (options) => options.slice(0, 8).map((o) => o.textContent));
      for (const text of texts) { // in turn, so that what else the machine does falls on both
        for (const page of Object.values(pages)) {
          await page.bringToFront();
          await page.locator('#q').fill('');
          await page.locator('#q').focus();
          await page.waitForTimeout(300);
          for (const key of text.slice(0, 30)) {
            await page.keyboard.press(key);
            await page.waitForTimeout(rate * 100);
          }
        }
      }
      for (const [name, page] of Object.entries(pages)) {
        const strokes = await page.evaluate(() => window.strokes);
        assert.ok(strokes.length >= 20, `${name}: ${strokes.length} keystrokes changed a list`);
        say(`keystroke to paint, ${name}, ${rate} times slower`, ms(strokes));
      }
      await context.close();
      await other.close();
    }
  } finally {
    server.close();
  }
});

/** A run of 300 queries and 1,000 documents. */
function run(shift) {
  const lines = [];
  for (let q = 0; q < 300; q++)
    for (let d = 0; d < 1000;
      d++) lines.push(
        `q${q} Q0 D${d === (q * 7 + shift) % 13 ? 90000 + q : (q * 977 + d * 7 + shift) % 80000} ${d + 1} ${(1000 - d + 0.5).toFixed(3)} system-${shift}\n`);
  return { name: `system-${shift}.run`, mimeType: 'text/plain', buffer: Buffer.from(lines.join('')) };
}

/** Gives every thread of the pages of a browser a quarter of the time, by stopping and starting their processes.
 * Chromium's own slowdown leaves workers out. */
async function quarter() {
  const session = await rankbox.browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const pids = processInfo.filter((p) => p.type === 'renderer').map((p) => p.id);
  const signal = (name) => pids.forEach((pid) => { try { process.kill(pid, name); } catch {} });
  let on = true;
  (async () => {
    while (on) {
      signal('SIGSTOP');
      await new Promise((next) => setTimeout(next, 30));
      signal('SIGCONT');
      await new Promise((next) => setTimeout(next, 10));
    }
  })();
  return () => {
    on = false;
    signal('SIGCONT');
  };
}

test('20 runs of 300 queries and 1,000 documents are saved as one file on a processor four times slower',
  { timeout: 900_000, ...wanted('pack') }, async () => {
  const visit = await rankbox.open('/compare');
  const { page } = visit;
  await ready(page);
  const qrels = { name: 'judged.qrels', mimeType: 'text/plain',
    buffer: Buffer.from(Array.from({ length: 300 }, (_, q) => `q${q} 0 D${90000 + q} 1\n`).join('')) };
  const begun = performance.now();
  for (let i = 0; i < 20; i += 4) await page.setInputFiles('#files', Array.from({ length: 4 }, (_, k) => run(i + k)));
  await page.setInputFiles('#files', [qrels]);
  await page.waitForFunction(() => document.getElementById('page').dataset.report &&
    document.querySelectorAll('#leaderboard tbody tr').length === 20, null, { timeout: 400_000 });
  const compared = performance.now();
  const full = await quarter();
  const save = page.locator('#export-comparison');
  await save.click();
  // it says how far it is, and can be cancelled
  await page.locator('#cancel-export').waitFor({ timeout: 120_000 });
  const seen = new Set();
  const watching = setInterval(() => page.locator('#status').textContent({ timeout: 2000 }).then((t) => seen.add(t),
    () => {}), 250);
  await page.waitForTimeout(2000);
  await page.locator('#cancel-export').click();
  await page.locator('#cancel-export').waitFor({ state: 'detached', timeout: 60_000 });
  const again = performance.now();
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 600_000 }), save.click()]);
  const packed = performance.now();
  full();
  clearInterval(watching);
  const size = (await readFile(await download.path())).length;
  assert.equal(await page.locator('.problem').count(), 0, 'nothing was killed');
  assert.ok(seen.size >= 3, `progress: ${[...seen].join(' | ')}`);
  say('packing 6,000,000 lines, 4 times slower',
    { compared: Math.round(compared - begun), packed: Math.round(packed - again), bytes: size, said: seen.size,
      such: [...seen].slice(0, 4) });
  await visit.done();
});
