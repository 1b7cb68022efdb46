// An experiment that is written, run, stopped, closed and taken up again, on the built site, in Chromium.
import assert from 'node:assert/strict';
import test from 'node:test';
import { choose, lab, ready } from './harness.mjs';

const rankbox = lab();

async function open(path, options) {
  const visit = await rankbox.open(path, options);
  await ready(visit.page);
  return visit;
}

const planned = (page, text) =>
  page.waitForFunction((t) => document.querySelector('#experiment-plan')?.textContent.includes(t), text);
const over = (page) => page.locator('#experiment-compare').waitFor();

test('a matrix is written, run and compared; the runs are called by their pipelines', async () => {
  const visit = await open('/experiment');
  const { page } = visit;
  await planned(page, '5 runs on 44 queries');
  await page.locator('#experiment-run').click();
  await over(page);
  assert.match(await page.locator('#experiment-progress').textContent(),
    /All 220 rankings are done; .*shared with another run/);
  const best = await page.locator('#experiment-table tbody tr').first().locator('code').textContent();
  const mean = await page.locator('#experiment-table .best').first().textContent();
  assert.deepEqual(await page.locator('#experiment-table thead th').allTextContents(),
    ['Run', 'nDCG@10 ▼', 'AP', 'State'], 'every measure that was asked for');
  const means = async (column) => (await page.locator(`#experiment-table tbody td:nth-of-type(${column})`)
    .allTextContents()).map(Number);
  const tested = await means(1);
  assert.ok(tested.every((v, i) => v > 0 && (i === 0 || v <= tested[i - 1])),
    `not sorted by the tested measure: ${tested}`);
  await page.locator('#experiment-table thead .sort', { hasText: 'AP' }).click();
  const ap = await means(2);
  assert.ok(ap.every((v, i) => v > 0 && (i === 0 || v <= ap[i - 1])), `not sorted by AP: ${ap}`);
  await page.locator('#experiment-table thead .sort', { hasText: 'nDCG@10' }).click();
  assert.deepEqual(await visit.accessibility(), []);
  await page.locator('#experiment-compare').click();
  await page.locator('#leaderboard').waitFor();
  const row = page.locator('#leaderboard tbody tr').first();
  assert.equal(await row.locator('.name').textContent(), best);
  assert.ok(Math.abs(parseFloat(await row.locator('td').first().textContent()) - parseFloat(mean)) < 0.0006);
  await visit.done();
});

test('what is typed is planned at once, with what cannot be and what is the same; undo takes it back', async () => {
  const visit = await open('/experiment');
  const { page } = visit;
  await page.locator('#experiment-systems').fill('bm25(k1=0.9|1.2)\nbm25\nbm25(k1=-1)');
  await planned(page, '2 runs; 1 written one is the same as another; 1 combination cannot be');
  await page.locator('#experiment-systems').fill('bm25(k1=0..1/0.001, b=0..1/0.001, title=1..1000)');
  await page.locator('#experiment-problem').waitFor();
  assert.match(await page.locator('#experiment-problem').textContent(), /1002001000 runs are too many/);
  assert.ok(await page.locator('#experiment-run').isDisabled());
  await choose(page, '#undo');
  await planned(page, '5 runs');
  await visit.done();
});

test('a tab that is closed in the middle goes on where it was', async () => {
  const visit = await open('/experiment');
  const { page } = visit;
  await page.locator('#experiment-systems').fill('bm25 >> rm3(docs=2..20, terms=5..50/5)?');
  await planned(page, '191 runs');
  await page.locator('#experiment-run').click();
  await page.waitForFunction(() => /^[1-9]/.test(document.querySelector('#experiment-progress')?.textContent.trim() ??
    ''));
  await page.reload();
  await ready(page);
  await page.waitForFunction(() =>
    /from before|done and saved/.test(document.querySelector('#experiment-progress')?.textContent ?? ''));
  assert.equal(await page.locator('#experiment-systems').inputValue(), 'bm25 >> rm3(docs=2..20, terms=5..50/5)?');
  assert.equal(await page.locator('#experiment-run').textContent(), 'Continue');
  await page.locator('#experiment-run').click();
  await page.locator('#experiment-stop').click();
  assert.match(await page.locator('#experiment-progress').textContent(), /done and saved/);
  await visit.done();
});

test('a long experiment is shared out over two workers, and goes on where one of them ends', async () => {
  const visit = await rankbox.open('about:blank');
  const { page } = visit;
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 2 });
    globalThis.helpers = [];
    globalThis.Worker = class extends Worker {
      constructor(url, options) {
        super(url, options);
        if (options.name === 'rankbox helper') globalThis.helpers.push(this);
      }
    };
  });
  await page.goto(`${rankbox.origin}/experiment`);
  await ready(page);
  await page.locator('#experiment-baseline').fill('');
  // far more than the three seconds from which others are started, on any machine
  await page.locator('#experiment-systems').fill('bm25 >> rm3(docs=2..20, terms=5..100/5) >> mmr');
  await planned(page, '380 runs');
  assert.equal(await page.evaluate(() => globalThis.helpers.length), 0);
  await page.locator('#experiment-run').click();
  await page.waitForFunction(() =>
    /2 workers share the queries/.test(document.querySelector('#experiment-progress')?.textContent));
  await page.evaluate(() =>
    globalThis.helpers[0].dispatchEvent(new ErrorEvent('error', { message: 'killed by the test', cancelable: true })));
  await page.waitForFunction(() => !/workers share/.test(document.querySelector('#experiment-progress').textContent));
  const before = await page.locator('#experiment-progress').textContent();
  await page.waitForFunction((text) => {
    const done = (s) => Number.parseInt(s.trim().replaceAll(',', ''), 10);
    return done(document.querySelector('#experiment-progress').textContent) > done(text);
  }, before);
  await page.locator('#experiment-stop').click();
  assert.match(await page.locator('#experiment-progress').textContent(), /of 16,720 rankings done and saved/);
  await visit.done();
});

test('at 320 pixels it stands in one column and nothing is cut off', async () => {
  const visit = await open('/experiment', { viewport: { width: 320, height: 700 } });
  const { page } = visit;
  await planned(page, '5 runs');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.deepEqual(await visit.accessibility(), []);
  await visit.done();
});

test('an experiment over an uploaded collection comes back on it, and on another device says what is missing',
  { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('/upload');
  const { page } = visit;
  const file = (name, text) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  const corpus = ['id,title,text', 'd1,Ferry,the ferry was late', 'd2,Storm,a storm closed the harbour',
    'd3,Ferry again,a second ferry'].join('\n');
  await page.waitForFunction(() => document.querySelector('#files')?.disabled === false, null, { timeout: 240_000 });
  await page.setInputFiles('#files',
    [file('boats.csv', corpus), file('queries.jsonl', '{"_id":"q1","text":"harbour storm"}\n'),
      file('qrels.txt', 'q1 0 d2 1\n')]);
  await page.locator('#index').click({ timeout: 240_000 });
  await page.locator('#search-made').click({ timeout: 240_000 });
  await ready(page);
  await page.locator('nav a[href="/evaluate"]').first().click();
  await page.locator('a[href="/experiment"]').first().click();
  await page.locator('#experiment-systems').fill('bm25(k1=0.5|1.5)\nbm25');
  await planned(page, '3 runs on 1 query of boats');
  await page.locator('#experiment-run').click();
  await over(page);
  await page.reload();
  await planned(page, '3 runs on 1 query of boats');
  await page.waitForFunction(() =>
    /All 3 rankings are done/.test(document.querySelector('#experiment-progress')?.textContent ?? ''));
  const { pathname, hash } = new URL(page.url());
  await visit.done();

  const other = await rankbox.open(pathname + hash);
  const missing = other.page.locator('#experiment-missing');
  await missing.waitFor();
  assert.match(await missing.textContent(),
    /boats \(3 documents, content hash [0-9a-f]{16}…\)\. .*Nothing was computed/s);
  assert.equal(await other.page.locator('.problem').count(), 1, 'it is said once');
  assert.equal(await other.page.locator('#experiment-plan').textContent(), '');
  assert.ok(await other.page.locator('#experiment-run').isDisabled());
  assert.deepEqual(await other.accessibility(), []);
  await other.page.locator('#experiment-drop').click();
  await planned(other.page, '3 runs on 44 queries');
  assert.equal(await missing.count(), 0);
  await other.done();
});
