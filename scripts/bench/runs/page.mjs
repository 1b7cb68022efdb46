// How the page takes large runs: `node scripts/bench/runs/page.mjs SITE QRELS RUN…` drops the files onto the built site
// in the folder SITE, in Chromium, and prints one line of JSON: when the first figures stood there, when the report
// did, what the tab held then, how long the page itself was ever held up, and how fast a cancel was. Then it opens
// every test of the pair that is shown, and says how long these took to stand there. With --cancel SECONDS the
// comparison is cancelled so long after the drop; with --profile FILE the page's own work is profiled into a
// .cpuprofile.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const args = process.argv.slice(2);
let cancel = 0;
let profile = '';
if (args[0] === '--cancel') cancel = Number(args.splice(0, 2)[1]);
if (args[0] === '--profile') profile = args.splice(0, 2)[1];
const [site, ...files] = args;
if (files.length < 1) {
  console.error('usage: node scripts/bench/runs/page.mjs [--cancel SECONDS | --profile FILE] SITE QRELS RUN...');
  process.exit(2);
}

const server = spawn('go', ['run', './build', 'serve', '-built', '-quiet', '-from', site],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'] });
try {
  const [line] = await once(server.stdout.setEncoding('utf8'), 'data');
  const page = await (await browser.newContext()).newPage();
  const problems = [];
  page.on('pageerror', (e) => problems.push(String(e)));
  await page.goto(`${line.trim().replace(/\/$/, '')}/compare`);
  await page.waitForFunction(() => !document.getElementById('files')?.disabled);
  await page.waitForTimeout(1500); // the demo collection opens
  // A clock that ticks every 10 ms: its longest pause is how long nothing could be clicked.
  await page.evaluate(() => {
    const seen = { start: 0, pause: 0, shown: [] };
    globalThis.seen = seen;
    let last = performance.now();
    setInterval(() => {
      const now = performance.now();
      if (seen.start) seen.pause = Math.max(seen.pause, now - last);
      last = now;
      const since = Math.round(now - seen.start);
      const what = document.getElementById('reading')?.textContent.replace(/:.*/, '') ?? '';
      if (seen.start && what !== seen.shown.at(-1)?.[1]) seen.shown.push([since, what]);
      if (seen.start && !seen.first && document.querySelector('#first-figures tbody td')) seen.first = since;
      if (seen.start && !seen.all && document.querySelector('#leaderboard tbody td') &&
        !document.getElementById('reading')) seen.all = since;
      if (seen.start && !seen.problem && document.querySelector('.problem')) [seen.problem, seen.said] = [since,
        document.querySelector('.problem').textContent.trim()];
    }, 10);
    document.getElementById('files').addEventListener('change', () => (seen.start = performance.now()),
      { capture: true });
  });
  const profiler = profile ? await page.context().newCDPSession(page) : null;
  await profiler?.send('Profiler.enable');
  await profiler?.send('Profiler.start');
  await page.setInputFiles('#files', files);
  const memory = async () => {
    const wasm = await Promise.all(page.workers().map((w) => w.evaluate(() => globalThis.rankbox?.memory?.() ?? 0)
      .catch(() => 0)));
    return { wasm: wasm.map((n) => Math.round(n / 1e6)),
      page: await page.evaluate(() => Math.round(performance.memory.usedJSHeapSize / 1e6)) };
  };
  const out = { files: files.length,
    megabytes: Math.round((await Promise.all(files.map((f) => stat(f)))).reduce((n, s) => n + s.size, 0) / 1e6) };
  if (cancel) {
    await page.waitForTimeout(1000 * cancel);
    out.during = await page.locator('#reading').textContent();
    const start = performance.now();
    await page.locator('#cancel').click();
    await page.locator('#reading').waitFor({ state: 'detached' });
    out.cancelled = Math.round(performance.now() - start);
    await page.waitForTimeout(1000);
  } else {
    await page.waitForFunction(() => globalThis.seen.all || globalThis.seen.problem, null, { timeout: 180_000 });
  }
  if (profiler) await writeFile(profile, JSON.stringify((await profiler.send('Profiler.stop')).profile));
  Object.assign(out, await page.evaluate(() => globalThis.seen), { memory: await memory() });
  if (await page.locator('#every-test').count()) {
    out.tests = Math.round(await page.evaluate(async () => {
      const start = performance.now();
      document.getElementById('every-test').click();
      while (!document.querySelector('#pair-tests td')) await new Promise((resolve) => setTimeout(resolve, 2));
      return performance.now() - start;
    }));
  }
  out.pause = Math.round(out.pause);
  out.caption = await page.locator('#read figcaption').textContent({ timeout: 1000 }).catch(() => '');
  out.refused = await page.locator('#files-read .warn-line').allTextContents();
  if (problems.length) out.problems = problems;
  console.log(JSON.stringify(out));
} finally {
  await browser.close();
  process.kill(-server.pid, 'SIGTERM');
}
