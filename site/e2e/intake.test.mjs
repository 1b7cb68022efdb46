// Files that were measured elsewhere on Evaluate: tables of scores and traces of agents.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { commandLine, lab, ready, reported, root, saved, scratch, settled } from './harness.mjs';

const rankbox = lab({ context: { permissions: ['clipboard-read', 'clipboard-write'] } });
const run = promisify(execFile);
const scores = (...names) => names.map((n) => join(root, 'core/intake/scores/testdata', n));
const three = scores('trec_eval/bm25.txt', 'trec_eval/dense.txt', 'trec_eval/hybrid.txt');
const table = (page, id) => page.locator(`${id} tbody tr`)
  .evaluateAll((l) => l.map((r) => [...r.children].map((x) => x.textContent.trim())));

async function open(files, options) {
  const visit = await rankbox.open('/compare', options);
  await ready(visit.page);
  const before = await visit.page.evaluate(() => document.getElementById('page').dataset.report ?? '');
  if (files) {
    await visit.page.setInputFiles('#files', files);
    visit.hash = await reported(visit.page, before);
    await settled(visit.page);
  }
  return visit;
}

const report = async (...args) =>
  JSON.parse((await run(await commandLine(), ['compare', '-quiet', '-o', 'json', ...args], { maxBuffer: 64 << 20 }))
    .stdout);

/** What an assertion about a picture needs: it is kept where SHOTS names a folder. */
const shot = async (page, name) => process.env.SHOTS &&
  page.screenshot({ path: join(process.env.SHOTS, `${name}.png`), fullPage: true });

test('scores of trec_eval -q open the board that rankbox compare prints', async () => {
  const visit = await open(three);
  const { page } = visit;
  const want = await report(...three);
  assert.equal(visit.hash, want.hash);
  const rows = await table(page, '#leaderboard');
  assert.equal(rows.length, 3);
  assert.ok((await page.locator('#leaderboard svg.interval').count()) === 3, 'intervals');
  await page.click('#tab-statistics');
  assert.equal((await table(page, '#pair-table')).length, 3);
  assert.match(await page.locator('#open').textContent(), /Scores were measured elsewhere/);
  await page.click('#tab-queries');
  assert.match(await page.locator('#rankings').textContent(),
    /rankings and judgments behind them are not in these files/);
  assert.equal(await page.locator('#kinds').count(), 0);
  await page.click('#tab-check');
  assert.match(await page.locator('#check-none').textContent(), /To check a number, add the runs/);
  await page.click('#tab-board');
  await shot(page, 'scores-board');
  await visit.close();
});

test('a table of tasks says that they are no random sample, and its measures are its own', async () => {
  const folder = await scratch();
  const file = join(folder, 'tasks.csv');
  await writeFile(file,
    'model,task,main_score,speed\nsmall,A,0.5,1\nlarge,A,0.7,2\nsmall,B,0.25,1\nlarge,B,0.5,3\nsmall,C,0.5,1\nlarge,C,,2\nsmall,D,0.3,1\nlarge,D,0.4,2\n');
  const visit = await open(file);
  const { page } = visit;
  assert.equal(visit.hash, (await report(file)).hash);
  await page.getByRole('button', { name: 'tasks are no random sample' }).click();
  assert.match(await page.locator('#warning').textContent(), /not how the systems would do on others/);
  await page.fill('#measures', 'recall');
  assert.match(await page.locator('#measures-fault').textContent(),
    /there is no measure recall: the table has main_score, speed/);
  await page.fill('#measures', 'main_score');
  await page.click('.measures button[type=submit]');
  const narrowed = await reported(page, visit.hash);
  assert.equal(narrowed, (await report('-m', 'main_score', file)).hash);
  await page.selectOption('#missing-scores', 'zero');
  const zero = await reported(page, narrowed);
  assert.equal(zero, (await report('-m', 'main_score', '-missing', 'zero', file)).hash);
  await visit.close();
});

test('a report of scores is shared as a link, as a file and as a page', async () => {
  const file = join(await scratch(), 'small.csv');
  await writeFile(file, 'model,query,AP\n' +
    ['a', 'b'].map((m, i) =>
      Array.from({ length: 20 }, (_, q) => `${m},${q},${(0.2 + 0.03 * ((q * (i + 3)) % 17)).toFixed(2)}\n`).join(''))
        .join(''));
  const visit = await open(file);
  const { page } = visit;
  await page.click('#tab-export');
  assert.match(await page.locator('#link-note').textContent(), /The link contains every score/);
  const folder = await scratch();
  for (const [button, name] of [['#export-comparison', 'comparison.rankbox'], ['#export-page', 'comparison.html']]) {
    const bytes = await saved(page, button);
    const at = join(folder, name);
    await writeFile(at, bytes.bytes ?? bytes);
    const again = await open(at);
    assert.equal(again.hash, visit.hash, name);
    await again.close();
  }
  await page.click('#export-link');
  await page.waitForFunction(() => location.hash.startsWith('#runs='));
  const hash = await page.evaluate(() => location.hash);
  const linked = await rankbox.open('/compare' + hash);
  await ready(linked.page);
  assert.equal(await reported(linked.page), visit.hash);
  await linked.close();
  const framed = await rankbox.open('/embed' + hash);
  await framed.page.waitForSelector('#leaderboard');
  await framed.close();
  await visit.close();
});

test('181 models on 41 tasks open with the report of the command line', async (t) => {
  let seed = 34;
  const draw = () => ((seed = (seed * 1103515245 + 12345) % 2147483648), seed / 2147483648);
  const normal = () => draw() + draw() + draw() + draw() - 2;
  let text = 'Model' + Array.from({ length: 41 }, (_, i) => `,Task${i}`).join('');
  const hard = Array.from({ length: 41 }, () => draw() * 0.4);
  for (let s = 0; s < 181; s++) text += `\nmodel-${s}` +
    hard.map((h) => `,${(0.3 + h + s / 900 + normal() * 0.06).toFixed(4)}`).join('');
  const file = join(await scratch(), 'mteb.csv');
  await writeFile(file, text);
  const visit = await open(three); // the program for files is there
  const { page } = visit;
  await page.click('#clear');
  await page.waitForFunction((h) => document.getElementById('page').dataset.report !== h, visit.hash);
  const start = Date.now();
  await page.setInputFiles('#files', file);
  await page.waitForFunction(() => document.querySelectorAll('#leaderboard tbody tr').length === 181, null,
    { timeout: 60_000 });
  const took = Date.now() - start;
  t.diagnostic(`181 × 41: ${took} ms to the board; ${await page.locator('#read-summary').textContent()}`);
  assert.equal(await page.evaluate(() => document.getElementById('page').dataset.report), (await report(file)).hash);
  await shot(page, 'mteb');
  await visit.close();
});

const agent = (name, second) => [
  { query_id: 'q1', query: 'who built the pier', run_id: name,
    steps: [{ query: 'pier harbour builder', retrieved: ['x', 'd1'], tokens: 812 },
      { query: 'harbour works 1911', retrieved: second, tokens: 500 }] },
  { query_id: 'q2', query: 'ferry', run_id: name, steps: [{ query: 'ferry', retrieved: ['z'], tokens: 100 },
    { query: 'ferry times', retrieved: ['d4', 'd9'], tokens: 90 }, { query: 'more', retrieved: ['y'], tokens: 80 }] },
].map((l) => JSON.stringify(l)).join('\n') + '\n';

test('traces of agents are measured step by step, and the document of the second hop is shown', async () => {
  const folder = await scratch();
  const [qrels, one, two] = ['t.qrels', 'careful.jsonl', 'hasty.jsonl'].map((n) => join(folder, n));
  await writeFile(qrels, 'q1 0 d1 1\nq1 0 d3 2\nq2 0 d4 1\nq2 0 d5 1\n');
  await writeFile(one, agent('careful', ['d3', 'y']));
  await writeFile(two, agent('hasty', ['w']));
  const visit = await open([one, two, qrels]);
  const { page } = visit;
  assert.equal(await page.locator('#traces figure.chart').count(), 1);
  const text = (await run(await commandLine(), ['trace', qrels, one, two])).stdout;
  // careful: (1/2 + 0)/2, (1 + 1/2)/2, the same
  const steps = await table(page, '#trace-0-steps figure:nth-of-type(1) table');
  assert.deepEqual(steps.map((r) => r[2]), ['0.2500', '0.7500', '0.7500']);
  for (const r of steps) assert.ok(text.includes(r[2]));
  const found = await table(page, '#trace-0-steps figure:nth-of-type(3) table');
  assert.deepEqual(found.find((r) => r[1] === 'd3'), ['q1', 'd3', '2', '2', '1', 'harbour works 1911']);
  assert.deepEqual(found.find((r) => r[1] === 'd5').slice(0, 4), ['q2', 'd5', '1', 'never']);
  await shot(page, 'traces');
  await page.setViewportSize({ width: 390, height: 844 });
  await shot(page, 'traces-narrow');
  await visit.close();
  const alone = await open();
  await alone.page.setInputFiles('#files', one);
  await alone.page.getByText('The traces are read. Now add the judgments').waitFor();
  await alone.close();
});

const pier = `name: Pier
measures: [AP]
queries:
  - query: who built the pier
    id: q1
    expect: {d1: 1, d3: 2}
  - query: ferry
    id: q2
    expect: [d4]
    forbid: [d9]
`;

test('a golden set is held against runs, edited, saved as YAML, and checked by the command line', async () => {
  const folder = await scratch();
  const [set, first] = ['pier.yaml', 'a.run'].map((n) => join(folder, n));
  await writeFile(set, pier);
  await writeFile(first, 'q1 Q0 d1 1 9 a\nq1 Q0 d2 2 8 a\nq1 Q0 d3 3 7 a\nq2 Q0 d9 1 2 a\nq2 Q0 d4 2 1 a\n');
  const visit = await open([set, first]);
  const { page } = visit;
  assert.equal(await page.locator('#golden-title').textContent(), 'Golden set: A 1 of 2 queries pass');
  assert.match(await page.locator('#golden-power').textContent(), /AP: no loss could fail this build in 4 of 5 cases, with 2 queries/);
  const failed = await table(page, '#golden-table');
  assert.equal(failed.length, 1);
  assert.match(failed[0][2], /forbidden document "d9" is result 1/);
  await page.click('#golden-passed');
  assert.equal((await table(page, '#golden-table')).length, 2);
  await page.getByRole('button', { name: 'Edit q1 · who built the pier' }).click();
  await page.fill('#golden-doc', 'nowhere');
  await page.fill('#golden-grade', '3');
  await page.click('#golden-add');
  const added = await reported(page, visit.hash);
  for (const doc of ['d1', 'd3']) {
    const before = await page.evaluate(() => document.getElementById('page').dataset.report);
    await page.getByRole('button', { name: `Remove ${doc}` }).click();
    await reported(page, before);
  }
  assert.notEqual(added, visit.hash);
  await settled(page);
  assert.match((await table(page, '#golden-table'))[0][2], /document "nowhere" \(grade 3\) is not found/);
  await shot(page, 'golden');
  const file = await saved(page, '#save-golden');
  const at = join(folder, 'edited.yaml');
  await writeFile(at, file.bytes ?? file);
  assert.match(await readFile(at, 'utf8'), /nowhere: 3/);
  const checked = await run(await commandLine(), ['check', at, '-results', first]).catch((e) => e);
  assert.match(checked.stdout, /nowhere/);
  await page.setViewportSize({ width: 390, height: 844 });
  await shot(page, 'golden-narrow');
  await visit.close();
});

test('a golden set alone is answered by the systems of Search over the open collection', async () => {
  const file = join(await scratch(), 'wire.json');
  await writeFile(file, JSON.stringify([{ question: 'pilot boat in the fog', gold_doc_ids: ['nowhere-at-all'] },
    { question: 'ferry timetable', gold_doc_ids: ['nowhere-either'] }]));
  const visit = await open(file);
  const { page } = visit;
  await page.waitForSelector('#golden-table tbody tr');
  const rows = await table(page, '#golden-table');
  assert.equal(rows.length, 2);
  assert.match(rows[0].join(' '), /does not exist/);
  assert.match(await page.locator('#golden-power').textContent(),
    /The systems of Search answered the queries over Harbour Wire/);
  await shot(page, 'golden-alone');
  await visit.close();
});
