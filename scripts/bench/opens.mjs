// Measures collections of a built site as a visitor meets them: the bytes that opening takes, the time, the memory, the
// time of a typed query, and the round trips before the first result. docs/collections.md has the figures.
//
//     node scripts/bench/opens.mjs SITE ID …
//
// SITE is the folder of a built site (`go run ./build site -collections … -out SITE`), ID a collection of it. CHROMIUM
// names the browser, RANKBOX_BUILD the compiled build.
import { spawn } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import { chromium } from 'playwright-core';
import { slow, slow4G } from './slow.mjs';

const [site, ...ids] = process.argv.slice(2);
if (ids.length === 0) throw new Error('usage: node scripts/bench/opens.mjs SITE ID …');
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor((list.length - 1) / 2)];
const p95 = (list) => list.toSorted((a, b) => a - b)[Math.ceil(list.length * 0.95) - 1];

const child = spawn(process.env.RANKBOX_BUILD ?? 'build', ['serve', '-built', '-quiet', '-from', site],
  { stdio: ['ignore', 'pipe', 'inherit'] });
const upstream = await new Promise((resolve, reject) => {
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    text += part;
    const line = text.match(/^(http:\/\/\S+)\/\n/m);
    if (line) resolve(line[1]);
  });
  child.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
});

// a proxy that notes when each request came and when its answer was out, and how large that was
const log = [];
const front = createServer((request, response) => {
  const entry = { url: request.url, from: performance.now(), to: Infinity, bytes: 0 };
  log.push(entry);
  const headers = { ...request.headers, host: new URL(upstream).host };
  const onward = forward(upstream + request.url, { headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.on('data', (part) => (entry.bytes += part.length));
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => (entry.to = performance.now()));
  onward.end();
});
await new Promise((listening) => front.listen(0, '127.0.0.1', listening));
const origin = `http://127.0.0.1:${front.address().port}`;
const line = await slow(origin, slow4G);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'],
});

/**
 * How many requests in a row waited for the answer before: each came at least a round trip after that was out, which is
 * the least that an answer and the next request take on the line.
 */
function rounds(entries) {
  let n = 0, end = -Infinity;
  for (const e of entries.toSorted((a, b) => a.to - b.to)) {
    if (e.from < end + slow4G.roundTrip) continue;
    n++;
    end = e.to;
  }
  return n;
}

const opened = (page, id) => page.waitForFunction((id) => document.querySelector('#page').dataset.phase === 'ready' &&
  document.querySelectorAll('#judged option[value]:not([value=""])').length > 0 && location.hash.includes(id),
  id, { timeout: 600_000 });
const shown = (page, text) => page.waitForFunction((text) => document.querySelector('#columns')?.dataset.of === text &&
  document.querySelectorAll('#system-0 ol.hits > li').length > 0, text, { timeout: 120_000 });

async function gallery(from) {
  const context = await browser.newContext({ serviceWorkers: 'block', viewport: { width: 1366, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${from}/collections`);
  await page.waitForFunction(() => document.querySelector('#page')?.dataset.phase === 'ready', null,
    { timeout: 240_000 });
  await page.waitForSelector('#gallery tbody');
  return { context, page };
}

/** Opens a collection of the gallery, waits for the first list, which is that of an example, and types a query. */
async function open(page, id, query) {
  const click = page.locator(`#gallery a.button[href*="${id}"]`);
  const start = performance.now();
  await click.click();
  await opened(page, id);
  const ms = performance.now() - start;
  await page.waitForFunction(() => document.querySelectorAll('#system-0 ol.hits > li').length > 0, null,
    { timeout: 120_000 });
  const end = performance.now();
  await page.fill('#q', query);
  await shown(page, query);
  return { ms, first: end - start, end, typed: performance.now() - end };
}

/** What the processes of the browser's pages hold, in MB. */
async function resident() {
  let kB = 0;
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const args = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (!args.includes('--type=renderer')) continue;
    let parent = pid;
    for (let i = 0; i < 4 && Number(parent) !== process.pid; i++) {
      const of = await readFile(`/proc/${parent}/status`, 'utf8').catch(() => '');
      parent = of.match(/^PPid:\s+(\d+)/m)?.[1] ?? '1';
    }
    if (Number(parent) !== process.pid) continue;
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    kB += Number(status.match(/^VmRSS:\s+(\d+)/m)?.[1] ?? 0);
  }
  return Math.round(kB / 1000);
}

async function measure(id) {
  const { collections } = JSON.parse(await (await fetch(`${origin}/collections.json`)).text());
  const about = collections.find((c) => c.id === id);
  const queries = [
    'heat transfer in laminar flow', 'vitamin D deficiency in pregnancy', 'breast cancer risk genes',
    'supersonic wing pressure', 'immune response to infection', 'gene expression in mice', 'blood pressure in women',
    'boundary layer transition', 'protein kinase inhibitor', 'stem cells differentiation', 'mortality of patients',
    'shock wave interaction',
  ];
  const out = { id, documents: about.documents, onTheWay: about.transfer, openings: [], first: [] };
  for (let i = 0; i < 3; i++) {
    const before = await resident();
    const { context, page } = await gallery(origin);
    log.length = 0;
    const { ms, first } = await open(page, id, queries[0]);
    out.openings.push(Math.round(ms));
    out.first.push(Math.round(first));
    const files = log.filter((e) => e.url.startsWith(about.base));
    out.fetched = files.filter((e) => !e.url.includes('/texts-')).reduce((n, e) => n + e.bytes, 0);
    if (i === 2) {
      const times = [];
      for (let pass = 0; pass < 3; pass++) {
        for (const q of queries) {
          // the last letter's answer counts
          await page.fill('#q', q.slice(0, -1));
          await shown(page, q.slice(0, -1));
          times.push(await page.evaluate((q) => new Promise((done) => {
            const box = document.querySelector('#q');
            const at = performance.now();
            const watch = new MutationObserver(() => {
              if (document.querySelector('#columns').dataset.of !== q) return;
              watch.disconnect();
              requestAnimationFrame(() => setTimeout(() => done(performance.now() - at)));
            });
            watch.observe(document.querySelector('#page'), { subtree: true, childList: true, attributes: true });
            box.value = q;
            box.dispatchEvent(new Event('input', { bubbles: true }));
          }), q));
        }
      }
      out.typed = { n: times.length, median: Math.round(median(times)), p95: Math.round(p95(times)) };
      out.heap = Math.round((await Promise.all([page, ...page.workers()]
        .map((w) => w.evaluate(() => globalThis.rankbox?.memory?.() ?? 0)))).reduce((a, b) => a + b) / 1e6);
      out.resident = (await resident()) - before;
    }
    await context.close();
  }
  const { context, page } = await gallery(line.origin);
  await page.waitForTimeout(2000);
  log.length = 0;
  const { ms, first, end, typed } = await open(page, id, queries[0]);
  // lists show before their texts, which are one more
  const files = log.filter((e) => e.url.startsWith(about.base) && e.to < end && !e.url.includes('/texts-'));
  out.slow = { opened: Math.round(ms), first: Math.round(first), typed: Math.round(typed),
    requests: files.length, rounds: rounds(files) };
  await context.close();
  return out;
}

try {
  console.log(`Chromium ${browser.version()}`);
  for (const id of ids) console.log(JSON.stringify(await measure(id), null, 1));
} finally {
  await browser.close();
  line.close();
  front.closeAllConnections();
  front.close();
  child.kill();
}
