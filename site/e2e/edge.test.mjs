// Nightly: the edge and its services.
// The page and an edge: `rankbox serve` with the built site, the gateway, and a service behind it that reranks in TEI's
// format.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { commandLine, lab, ready, results, root, scratch, until } from './harness.mjs';

// A text's score is the share of the query's words that stand in it; how often it was asked is counted, and how many
// wait at once. It takes its time where it is to, and where it is to hold it answers when it is let go.
let asked = 0;
let flying = 0;
let most = 0;
let takes = 0; // milliseconds
let hold = null;
const held = () => {
  const h = { waiting: [] };
  h.over = new Promise((done) => {
    h.release = done;
  });
  return h;
};
const service = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  if (request.method === 'GET') {
    response.writeHead(404).end(); // it says nothing of itself
    return;
  }
  const { query, texts } = JSON.parse(Buffer.concat(parts));
  asked++;
  most = Math.max(most, ++flying);
  await new Promise((done) => setTimeout(done, takes));
  if (hold) {
    hold.waiting.push(query);
    await hold.over;
  }
  flying--;
  const words = query.toLowerCase().split(/\W+/);
  const scores = texts.map((text, index) =>
    ({ index, score: words.filter((w) => text.toLowerCase().includes(w)).length / words.length }));
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(scores));
});
before(() => new Promise((done) => service.listen(0, '127.0.0.1', done)));
after(() => service.close());

let deadline = 60_000; // milliseconds that the edge has for a request

const rankbox = lab({
  server: async (origin) => {
    const config = join(await scratch(), 'edge.json');
    const at = `http://127.0.0.1:${service.address().port}`;
    const backends = [{ id: 'ce', kind: 'tei', url: at, model: 'words', revision: '1', does: ['rerank'] }];
    await writeFile(config, JSON.stringify({ origins: [origin], snapshots: true,
      limits: { per_minute: 100000, deadline_ms: deadline }, backends }));
    return ['env', 'METRICS_TOKEN=token', await commandLine(), 'serve', '-addr', '127.0.0.1:0', '-site',
      join(root, 'dist'), '-config', config, '-quiet'];
  },
});

const open = async (path) => {
  const visit = await rankbox.open(path);
  await ready(visit.page);
  return visit;
};

test('an experiment is reranked behind the edge, its answers go with the link, and whoever opens that asks the service nothing',
  { timeout: 900_000 }, async () => {
  let visit = await open('/experiment');
  let { page } = visit;
  await page.locator('#experiment-systems').fill('bm25\nbm25 >> rerank(backend=ce,depth=20)');
  await page.waitForFunction(() => document.querySelector('#experiment-plan')?.textContent.includes(
    '2 runs on 44 queries'));
  assert.equal(asked, 0);
  await page.locator('#experiment-run').click();
  await page.locator('#experiment-compare').waitFor({ timeout: 120_000 });
  const said = await page.locator('#experiment-table .behind').textContent();
  assert.match(said, /^Scored by the backend ce \(words 1\), behind the edge, identity [0-9a-f]{12}$/);
  assert.equal(asked, 44);
  const figures = () => page.locator('#experiment-table tbody tr')
    .evaluateAll((rows) => rows.map((r) => r.textContent));
  const before = await figures();
  await page.locator('#experiment-keep').click();
  await page.waitForFunction(() => /&a=[0-9a-f]{64}$/.test(location.hash));
  assert.deepEqual(await visit.accessibility(), []);
  const link = page.url();
  const posted = rankbox.requests.filter((r) => r.url === '/api/v1/rerank').length;
  assert.equal(posted, 44);
  await visit.done();

  visit = await open(link);
  page = visit.page;
  await page.waitForFunction(() => document.querySelector('#experiment-plan')?.textContent.includes('2 runs'));
  await page.locator('#experiment-run').click();
  await page.locator('#experiment-compare').waitFor({ timeout: 120_000 });
  assert.deepEqual((await figures()).map((t) => t.replace(/;.*/, '')), before.map((t) => t.replace(/;.*/, '')));
  assert.equal(rankbox.requests.filter((r) => r.url === '/api/v1/rerank').length, posted,
    'somebody who opens the link asks the edge for no ranking');
  await visit.done();
});

test('300 queries are reranked at most eight at a time, stopped while some are on their way, and gone on with in another visit',
  { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('/upload');
  const { page } = visit;
  const lines = (n, of) => Array.from({ length: n }, (_, i) => of(i)).join('\n');
  const file = (name, text) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await page.waitForFunction(() => document.querySelector('#files')?.disabled === false, null, { timeout: 240_000 });
  await page.setInputFiles('#files', [
    file('ships.csv', `id,title,text\n${lines(40, (i) => `d${i},Ship ${i},harbour number ${i} of ship ${i * 7}`)}`),
    file('queries.jsonl', lines(300, (i) => JSON.stringify({ _id: `q${i}`, text: `harbour ship ${i}` }))),
    file('qrels.txt', lines(300, (i) => `q${i} 0 d${i % 40} 1`)),
  ]);
  await page.locator('#index').click({ timeout: 240_000 });
  await page.locator('#search-made').click({ timeout: 240_000 });
  const progress = (of) =>
    page.waitForFunction((of) => new RegExp(of)
      .test(document.querySelector('#experiment-progress')?.textContent.trim() ?? ''), of, { timeout: 120_000 });
  const experiment = async () => {
    await ready(page);
    await page.locator('header a[href="/evaluate"]').click();
    await page.locator('a[href="/experiment"]').first().click();
    await page.locator('#experiment-systems').fill('bm25\nbm25 >> rerank(backend=ce,depth=5)', { timeout: 240_000 });
    await page.waitForFunction(() => document.querySelector('#experiment-plan')?.textContent.includes(
      '2 runs on 300 queries'), null, { timeout: 240_000 });
  };
  await page.waitForURL(/c=upload-/);
  const collection = page.url();
  await experiment();
  [asked, most, takes] = [0, 0, 300]; // the 300 take eleven seconds at least, and the page hears of them every second
  await page.locator('#experiment-run').click();
  await progress('^[1-9]\\d* of 600 rankings done');
  hold = held();
  await until(() => hold.waiting.length > 0);
  await page.locator('#experiment-stop').click();
  await progress('^[1-9]\\d* of 600 rankings done and saved');
  hold.release();
  [takes, hold] = [0, null];
  await page.goto(collection); // as another visit: by a link, the tab's program anew
  await page.reload();
  await experiment();
  await page.locator('#experiment-run', { hasText: 'Continue' }).click();
  await progress('^All 600 rankings are done');
  assert.doesNotMatch(await page.locator('#experiment-table').textContent(), /did not answer/);
  assert.ok(most <= 8, `${most} at once`);
  assert.ok(asked >= 300 && asked <= 308, `${asked} requests: only those that were on their way are asked again`);
  await visit.done();
});

test('the editor names the backends that the edge offers, and a list says what was remote', { timeout: 900_000 },
  async () => {
  const visit = await open('/search');
  const { page } = visit;
  await page.locator('#q').fill('ferry aground in fog');
  await results(page);
  await page.locator('#edit-0').click();
  // the program that knows every stage has come
  await page.locator('.form .ready button').first().waitFor({ timeout: 240_000 });
  const field = page.locator('#notation-0');
  await field.fill('bm25 >> rerank(backend=');
  await page.locator('.complete button', { hasText: 'ce' }).click();
  await field.fill('bm25 >> rerank(backend=nobody)');
  await page.waitForFunction(() => /The edge has no backend nobody; it has ce\./.test(document.body.textContent));
  await field.fill('bm25 >> rerank(backend=ce)');
  const calls = () => rankbox.requests.filter((r) => r.url === '/api/v1/rerank').length;
  const before = calls();
  await page.locator('.editor button[type=submit]').click();
  await page.locator('#ask-0').waitFor({ timeout: 240_000 }); // nothing is asked before somebody says so
  assert.equal(calls(), before);
  await page.locator('#system-0 .mean', { hasText: /no figure\. Not asked yet: 44 calls/ }).waitFor();
  await page.locator('#ask-0').click();
  await page.waitForFunction(() => /^2 stages/.test(document.querySelector('#stages-0 summary')?.textContent ?? ''),
    null, { timeout: 240_000 });
  await page.locator('#stages-0 > summary').click();
  await page.waitForFunction(() => /Scored by the backend ce \(words 1\), behind the edge/.test(
    document.querySelector('#stages-0').textContent));
  assert.equal(calls(), before + 1);
  await page.locator('#measure-0').click();
  const measured = () => /queries: [0-9.]+$/.test(document.querySelector('#system-0 .mean > span').textContent);
  await page.waitForFunction(measured, null, { timeout: 240_000 });
  assert.equal(calls(), before + 44); // the query in the box is one of them
  await visit.done();
});

test('the status page draws what the edge counts, for who has the token', { timeout: 900_000 }, async () => {
  const visit = await open('/status');
  const { page } = visit;
  await page.locator('#edge-backends').waitFor();
  assert.match(await page.locator('#edge-said').textContent(), /offers 1 backend and stores answers/);
  assert.match(await page.locator('#edge-unwatched').textContent(), /metrics token/);
  await page.locator('#token').fill('token');
  await page.locator('#edge-token button').click();
  await page.locator('#edge-rerank').waitFor();
  assert.match(await page.locator('#edge-routes').textContent(), /POST \/api\/v1\/rerank/);
  const rows = await page.locator('#edge-windows tbody tr').allTextContents();
  assert.equal(rows.length, 4);
  assert.match(rows[0], /^p95 *5 minutes *[0-9.]+ (ms|s) *[0-9,]+ calls *at most 2\.0 s *within the limit$/);
  assert.match(rows[1], /^fell back *10 minutes.*answers *at most 5\.0/);
  assert.match(await page.locator('#edge-windows caption').textContent(), /one instance of the edge, [0-9a-f]{8}\./);
  assert.deepEqual(await visit.accessibility(), []);
  if (process.env.PICTURES) {
    for (const [name, width, scheme] of [['desktop-light', 1280, 'light'], ['phone-dark', 390, 'dark']]) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 800 });
      await page.screenshot({ path: join(process.env.PICTURES, `status-${name}.png`), fullPage: true });
    }
  }
  await visit.done();
});

test('a service that holds past the deadline leaves the order before it, marked in the result and counted in the report',
  { timeout: 900_000 }, async () => {
  [asked, hold, deadline] = [0, held(), 2000]; // it is never let go
  await rankbox.serve(); // an edge with the new deadline answers from now on
  const visit = await open('/experiment');
  const { page } = visit;
  await page.locator('#experiment-systems').fill('bm25\nbm25 >> rerank(backend=ce,depth=20)');
  await page.waitForFunction(() => document.querySelector('#experiment-plan')?.textContent.includes(
    '2 runs on 44 queries'));
  await page.locator('#experiment-run').click();
  await page.locator('#experiment-compare').waitFor({ timeout: 120_000 });
  assert.match(await page.locator('#experiment-table .warn-line').textContent(), /the backend answered no query/);
  const means = await page.locator('#experiment-table tbody td:nth-of-type(1)').allTextContents();
  assert.equal(means.length, 2);
  assert.equal(means.filter((m) => m === '').length, 1, 'the system that failed has no figure');
  assert.ok(asked >= 1 && flying >= 1, 'a request is held to this moment');
  await page.locator('#experiment-compare').click();
  await page.locator('#leaderboard').waitFor();
  assert.doesNotMatch(await page.locator('#leaderboard').textContent(), /rerank/);

  await page.goto(`${rankbox.url}search`);
  await ready(page);
  await page.locator('#q').fill('ferry aground in fog');
  await results(page);
  await page.locator('#edit-0').click();
  await page.locator('.form .ready button').first().waitFor({ timeout: 240_000 });
  await page.locator('#notation-0').fill('bm25 >> cut(20) >> rerank(backend=ce)');
  await page.locator('.editor button[type=submit]').click();
  await page.locator('#ask-0').click({ timeout: 240_000 });
  await page.waitForFunction(() => /^3 stages/.test(document.querySelector('#stages-0 summary')?.textContent ?? ''),
    null, { timeout: 240_000 });
  await page.locator('#stages-0 > summary').click();
  await page.waitForFunction(() => /did not answer/.test(document.querySelector('#stages-0').textContent), null,
    { timeout: 240_000 });
  hold.release();
  hold = null;
  await visit.done();
});
