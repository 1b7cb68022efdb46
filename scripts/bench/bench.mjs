// Measures how fast Rankbox is: its search beside the libraries of peers.js over SciFact, and the page of the built
// site over the demo collection, all in one run of one Chromium. `go run ./build bench` makes what this needs, runs it
// and writes the table. From the environment:
//
//   RANKBOX_BENCH     a folder with bench.wasm and wasm_exec.js; result.json, *.run and *.index are written there
//   RANKBOX_SCIFACT   the folder of the collection, in BEIR's layout
//   RANKBOX_ONLY      parts to measure, for a quick look: rankbox, peers (or their ids), keys, load
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { lab, root } from '../../site/e2e/harness.mjs';
import { serve } from './server.mjs';
import { slow, slow4G } from './slow.mjs';
import { quantile } from './timing.js';

const folder = process.env.RANKBOX_BENCH;
const scifact = process.env.RANKBOX_SCIFACT;
const only = process.env.RANKBOX_ONLY ? process.env.RANKBOX_ONLY.split(',') : null;
const wanted = (part, whole) => (only && !only.includes(part) && !only.includes(whole) ? { skip: 'not asked for' } :
  {});
const ids = ['minisearch', 'minisearch-stems', 'flexsearch', 'flexsearch-context', 'orama', 'lunr', 'sqlite'];
const fresh = { builds: 5, peerBuilds: 3, loads: 5, pages: 5 };

const rankbox = lab();
const result = { peers: {} };
let server, queries;

before(async () => {
  const lines = async (name) => (await readFile(join(scifact, name), 'utf8')).split('\n').filter(Boolean);
  const judged = new Set((await lines('qrels/test.tsv')).slice(1).map((line) => line.split('\t')[0]));
  queries = (await lines('queries.jsonl')).map((line) => JSON.parse(line)).filter((q) => judged.has(q._id))
    .map((q) => ({ id: q._id, text: q.text }));
  const documents = (await lines('corpus.jsonl')).map((line) => JSON.parse(line))
    .map((d) => ({ id: d._id, title: d.title, text: d.text }));
  result.documents = documents.length;
  result.queries = queries.length;
  const here = (name) => join(root, 'scripts/bench', name);
  server = await serve({
    '/': Buffer.from('<!doctype html><title>bench</title>'),
    '/worker.js': here('worker.js'),
    '/peers.js': here('peers.js'),
    '/timing.js': here('timing.js'),
    '/rankbox.js': here('rankbox.js'),
    '/bench.wasm': join(folder, 'bench.wasm'),
    '/wasm_exec.js': join(folder, 'wasm_exec.js'),
    '/kernel.js': join(root, 'wasm/kernel/kernel.js'),
    '/kernel.wasm': join(root, 'wasm/kernel/kernel.wasm'),
    '/corpus.jsonl': join(scifact, 'corpus.jsonl'),
    '/documents.json': Buffer.from(JSON.stringify(documents)),
    '/queries.json': Buffer.from(JSON.stringify(queries)),
  }, { '/node_modules/': join(root, 'node_modules') });
});

after(async () => {
  server?.close();
  await writeFile(join(folder, 'result.json'), JSON.stringify(result, null, 1));
});

/** Runs one task in a worker of a profile of its own, which is a process of its own: nothing is compiled or cached
 * there. */
async function task(message) {
  const context = await rankbox.browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(server.origin);
    return await page.evaluate((message) => new Promise((resolve, reject) => {
      const worker = new Worker('/worker.js');
      worker.onmessage = ({ data }) => (data.problem ? reject(new Error(data.problem)) : resolve(data.result));
      worker.onerror = (e) => reject(new Error(e.message));
      worker.postMessage(message);
    }), message);
  } finally {
    await context.close();
  }
}

const median = (values) => quantile(values, 0.5);
const spread = (times) => ({ median: median(times), p95: quantile(times, 0.95) });

async function saveRun(id, rankings) {
  const out = [];
  rankings.forEach((found, i) =>
    found.forEach((doc, rank) => out.push(`${queries[i].id} Q0 ${doc} ${rank + 1} ${1000 - rank} ${id}\n`)));
  await writeFile(join(folder, `${id}.run`), out.join(''));
}

const saveIndex = (id) => writeFile(join(folder, `${id}.index`), server.kept.get(`${id}.index`));

test('Rankbox over SciFact', { timeout: 120_000, ...wanted('rankbox') }, async () => {
  const whole = await task({ task: 'rankbox', full: true });
  const builds = [whole];
  while (builds.length < fresh.builds) builds.push(await task({ task: 'rankbox' }));
  const loads = [];
  while (loads.length < fresh.loads) loads.push(await task({ task: 'load' }));
  assert.deepEqual(whole.kernel.rankings, whole.plain.rankings, 'the kernels rank as the Go loops do');
  await saveRun('rankbox', whole.kernel.rankings);
  await saveIndex('rankbox');
  await saveIndex('rankbox-flat');
  const timed = (t) => ({ ...spread(t.whole.queries), rank: spread(t.rank.queries), stream: t.stream });
  result.rankbox = {
    kernel: timed(whole.kernel),
    plain: timed(whole.plain),
    read: median(builds.map((b) => b.read)),
    build: median(builds.map((b) => b.build)),
    loadFirst: median(loads.map((l) => l.first)),
    loadAgain: median(loads.map((l) => l.again)),
  };
});

for (const id of ids) {
  test(`${id} over SciFact`, { timeout: 120_000, ...wanted(id, 'peers') }, async () => {
    const whole = await task({ task: 'peer', id, full: true });
    const builds = [whole.build];
    while (builds.length < fresh.peerBuilds) builds.push((await task({ task: 'peer', id })).build);
    await saveRun(id, whole.rankings);
    await saveIndex(id);
    const { name, version, settings, passes } = whole;
    result.peers[id] = { name, version, settings, passes, ...spread(whole.queries), build: median(builds) };
  });
}

test('keystrokes on the demo, four systems', { timeout: 120_000, ...wanted('keys') }, async () => {
  const visit = await rankbox.open('/', { serviceWorkers: 'allow' });
  const { page } = visit;
  await visit.controlled(); // what is fetched for offline in the first seconds of the first visit is over
  await visit.context.addInitScript(watchKeys);
  await page.goto('/search');
  await page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'ready');
  // the lists of systems by vectors too: their encoder is there before the first letter
  await page.locator('#q').fill('ferry');
  await page.locator('#load-encoder-2').click();
  await page.locator('#system-3 ol.hits > li').first().waitFor();
  await page.mouse.move(2, 2); // off the lists: a row under the pointer draws lines to its document elsewhere
  const texts = await page.$$eval('#judged option[value]:not([value=""])',
    (options) => options.slice(0, 20).map((o) => o.textContent));
  // Most letters change no list, since a word counts when it is whole: on with the next query until enough did.
  let pressed = 0, strokes = [];
  for (const text of texts) {
    if (strokes.length >= 60) break;
    await page.locator('#q').fill('');
    await page.locator('#q').focus();
    await page.waitForTimeout(200);
    for (const key of text) {
      await page.keyboard.press(key);
      await page.waitForTimeout(100);
      pressed++;
    }
    strokes = await page.evaluate(() => window.strokes);
  }
  assert.equal(await page.locator('#columns section').count(), 4);
  assert.ok(strokes.length >= 30, `only ${strokes.length} of ${pressed} keystrokes changed a list`);
  const stage = (from, to) => spread(strokes.map((s) => s[to] - s[from]));
  result.keys = {
    pressed, changed: strokes.length, ...stage('pressed', 'painted'),
    asked: stage('pressed', 'asked'), answered: stage('asked', 'answered'), drawn: stage('answered', 'drawn'),
    shown: stage('drawn', 'painted'),
  };
  await visit.done();
});

/** Runs in the page before its own scripts: window.strokes are the times of what followed each keystroke that
 * changed a result list. */
function watchKeys() {
  window.strokes = [];
  let stroke = null;
  addEventListener('keydown', (e) => { stroke = { pressed: e.timeStamp }; }, true);
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (...args) {
    if (stroke) stroke.asked ??= performance.now();
    return postMessage.apply(this, args);
  };
  const { get, set } = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage');
  Object.defineProperty(Worker.prototype, 'onmessage', {
    get,
    set(f) {
      set.call(this, (e) => {
        if (stroke?.asked) stroke.answered ??= performance.now();
        f.call(this, e);
      });
    },
  });
  new MutationObserver((changes) => {
    const inList = ({ target }) => (target.nodeType === Node.TEXT_NODE ? target.parentElement :
      target)?.closest('#columns ol.hits');
    if (!stroke?.answered || !changes.some(inList)) return;
    const done = stroke;
    stroke = null;
    done.drawn = performance.now();
    // after the next frame: a task behind the one that draws it
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        done.painted = performance.now();
        window.strokes.push(done);
      };
      port2.postMessage(0);
    });
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

test('first visit on slow 4G with a 4 times slower processor', { timeout: 240_000, ...wanted('load') }, async () => {
  const network = await slow(rankbox.origin, slow4G);
  try {
    const visits = [];
    while (visits.length < fresh.pages) visits.push({ ...(await visitSlowly(network.origin)),
      finished: await chooseSlowly(network.origin) });
    result.load = Object.fromEntries(Object.keys(visits[0]).map((key) => [key, spread(visits.map((v) => v[key]))]));
  } finally {
    network.close();
  }
});

/** Visits the home page with empty caches and types a query; the times are those of the page, from the beginning of
 * its navigation. */
async function visitSlowly(origin) {
  const context = await rankbox.browser.newContext({ baseURL: origin });
  try {
    const page = await context.newPage();
    await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.goto('/', { waitUntil: 'commit' });
    // the page is rendered with the lists of its example: wait for other ones
    const example = await page.locator('#quick ol.hits').first().textContent();
    await page.locator('#q').fill('ferry aground');
    const answered = (before) => document.querySelector('#quick ol.hits')?.textContent !== before && performance.now();
    const usable = await page.waitForFunction(answered, example, { timeout: 60_000 });
    const [firstPaint, largestPaint, rows, program] = await page.evaluate(async () => [
      performance.getEntriesByName('first-contentful-paint')[0].startTime,
      await new Promise((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries()[0].startTime))
          .observe({ type: 'largest-contentful-paint', buffered: true });
      }),
      document.querySelectorAll('#leaderboard tbody tr').length,
      performance.getEntriesByName('rankbox-compiled')[0].startTime,
    ]);
    assert.equal(rows, 4, 'the comparison is finished');
    return { firstPaint, largestPaint, program, usable: await usable.jsonValue() };
  } finally {
    await context.close();
  }
}

/** Visits the home page with empty caches and clicks a judged query as soon as a click is heard, long before the
 * program is there: from that to its lists. */
async function chooseSlowly(origin) {
  const context = await rankbox.browser.newContext({ baseURL: origin });
  try {
    const page = await context.newPage();
    await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.goto('/', { waitUntil: 'commit' });
    await page.waitForSelector('#main a[href*="qid="]');
    await page.waitForFunction(() => performance.getEntriesByType('resource')
      .some((r) => /finished[^/]*\.js$/.test(r.name) && r.responseEnd), null, { timeout: 60_000 });
    await page.evaluate(() => {
      addEventListener('click', (event) => { // a click that nobody hears would be a visit of its own: it is tried again
        if (!event.defaultPrevented) setTimeout(click, 50);
        event.preventDefault();
      });
      const click = () => {
        performance.clearMarks('rankbox-clicked');
        performance.mark('rankbox-clicked');
        document.querySelector('#main a[href*="qid="]').click();
      };
      click();
    });
    await page.waitForSelector('#finished li', { state: 'attached', timeout: 60_000 });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.live), undefined,
      'the program is not there yet');
    // finished.js marks when it has put the list in; behind the next frame it is seen
    return await page.evaluate(() => performance.getEntriesByName('rankbox-finished')[0].startTime -
      performance.getEntriesByName('rankbox-clicked')[0].startTime);
  } finally {
    await context.close();
  }
}

test('nothing left the origin', () => {
  result.leaks = rankbox.leaks.length;
  result.chromium = rankbox.browser.version();
});
