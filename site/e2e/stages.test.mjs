// Nightly: every stage.
// A pipeline is written, filled in as a form, and taken apart stage by stage.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { lab, ready, root } from './harness.mjs';

const rankbox = lab();

test('a ready-made system is chosen, what its stages did is shown, and one is switched off and on', async () => {
  const visit = await rankbox.open('/search');
  const { page } = visit;
  await ready(page);
  await page.locator('#q').fill('ferry aground in fog');
  await page.waitForFunction(() => document.querySelectorAll('#system-0 ol.hits > li').length > 5);
  await page.locator('#edit-0').click();
  // the program that knows every stage has come
  await page.locator('.form .ready button', { hasText: 'simple' }).waitFor({ timeout: 240_000 });
  const notation = page.locator('#notation-0');
  await notation.fill('bm25 >> mm');
  assert.match(await page.locator('#fault-0').textContent(), /did you mean mmr/);
  await page.locator('.complete button', { hasText: 'mmr' }).click();
  assert.equal(await notation.inputValue(), 'bm25 >> mmr');
  await page.locator('#field-0-1-lambda').fill('0.5');
  await page.locator('#field-0-1-lambda').blur();
  await page.waitForFunction(() => document.getElementById('notation-0').value === 'bm25 >> mmr(lambda=0.5)');
  await page.locator('#add-stage').selectOption('dedupe');
  await page.waitForFunction(() => document.getElementById('notation-0').value === 'bm25 >> mmr(lambda=0.5) >> dedupe');
  await page.locator('.form .ready button', { hasText: 'hybrid' }).click();
  await page.locator('.editor button[type=submit]').click();
  await page.waitForFunction(() => /^11 stages/.test(document.querySelector('#stages-0 summary')?.textContent ?? ''),
    null, { timeout: 240_000 });
  await page.locator('#stages-0 > summary').click();
  const written = await page.locator('#edit-0').textContent();
  assert.match(written, /classify/);
  assert.match(await page.locator('#stages-0 .note').first().textContent(), /^The query is taken to be /);
  const off = page.locator('#stages-0 button.switch[aria-label="Switch recency off"]');
  await off.click();
  await page.waitForFunction(() => !document.getElementById('edit-0').textContent.includes('recency'));
  await page.locator('#stages-0 button.switch[aria-label="Switch recency on"]').click();
  await page.waitForFunction((w) => document.getElementById('edit-0').textContent === w, written);
  // a query that nobody judged: late interaction answers it, says by what, and shows it token by token
  await page.locator('#q').fill('port workers walk out over pay');
  await page.waitForFunction(() => document.getElementById('encoded')?.textContent
    .includes('Late interaction: the query’s tokens have the averages of their vectors'), null, { timeout: 60_000 });
  assert.match((await page.locator('#stages-0 .note').allTextContents()).join('\n'),
    /^Typed query: its tokens have the average vectors/m);
  await page.locator('#system-0 ol.hits > li button.open').first().click();
  const heat = page.locator('#why table', { has: page.locator('caption', { hasText: 'every token of the query' }) })
    .first();
  await heat.waitFor();
  assert.match(await heat.textContent(), /workers/);
  await visit.done();
});

test('the weight of a fusion is tuned, with its figure on held-out queries, and a run file is fused with it',
  async () => {
  const judged = readFileSync(join(root, 'site/collections/harbour-wire/qrels/test.tsv'), 'utf8').split('\n').slice(1)
    .map((l) => l.split('\t')).filter((l) => l[2] > 1);
  const run = judged.map(([q, d, g]) => `${q} Q0 ${d} 1 ${g} mine`).join('\n');
  const visit = await rankbox.open('/search');
  const { page } = visit;
  await ready(page);
  await page.locator('#previous').click();
  await page.locator('#edit-0').click();
  // the program that knows every stage has come
  await page.locator('#run-file').waitFor({ state: 'attached', timeout: 240_000 });
  const notation = page.locator('#notation-0');
  await notation.fill('wsum(bm25, dense)');
  await page.locator('#tune-weights').click();
  await page.locator('#tuned li').first().waitFor({ timeout: 240_000 });
  assert.match(await page.locator('.tuning').textContent(), /on queries held out \(choosing flatters by/);
  await page.locator('#tuned li').first().getByText('use').click();
  const tuned = await notation.inputValue();
  assert.match(tuned, /^wsum\(bm25, dense, ?weight=0\.\d+\)$/);
  await page.setInputFiles('#run-file', [{ name: 'my own.run', mimeType: 'text/plain', buffer: Buffer.from(run) }]);
  await page.waitForFunction(() =>
    /^my-own answers \d+ judged queries of 44/.test(document.getElementById('run-said')?.textContent ?? ''));
  await page.locator('.brought').getByText('fuse with it').click();
  assert.equal(await notation.inputValue(), `rrf(${tuned}, run(my-own))`);
  await page.locator('.editor button[type=submit]').click();
  await page.waitForFunction(() => /run\(my-own\)/.test(document.getElementById('edit-0').textContent) &&
    document.querySelectorAll('#system-0 ol.hits > li').length > 5, null, { timeout: 240_000 });
  await visit.done();
});
