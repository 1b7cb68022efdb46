// Nightly: the click log.
// The click log of Search: off until it is turned on, kept with the workspace, exported, deleted, and in no link.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { choose, lab, ready, results, tune, until } from './harness.mjs';

const rankbox = lab({ context: { serviceWorkers: 'allow' } });
const entries = (page) => page.locator('#log-entries tbody tr').count();
const ids = (page, system) => page.locator(`#system-${system} ol.hits > li`)
  .evaluateAll((l) => l.map((e) => e.dataset.doc));
const saved = (page, line) => Promise.all([page.waitForEvent('download', { timeout: 120_000 }), choose(page, line)])
  .then(async ([download]) => readFile(await download.path()));

async function closed(page) {
  while (await page.locator('.why').count()) await page.keyboard.press('Escape');
}

async function settings(page) {
  await tune(page);
  await page.waitForSelector('#click-log', { timeout: 60_000 });
  if (!(await page.locator('#log-on').count())) await page.locator('#click-log').click(); // the program that keeps it
  await page.waitForSelector('#log-on', { timeout: 240_000 });
}

test('opened documents are logged only while the log is on, survive a reload, are exported and deleted',
  { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('/search', { acceptDownloads: true });
  const { page } = visit;
  await ready(page);
  await results(page);
  await settings(page);
  assert.equal(await page.locator('#log-on').isChecked(), false);
  const hit = (system, i) => page.locator(`#system-${system} ol.hits > li`).nth(i).locator("button.open");
  await hit(0, 1).click();
  await page.waitForSelector('.why');
  await closed(page);
  await tune(page);
  assert.equal(await page.locator('#log-list').count(), 0);
  await page.locator('#log-on').check();
  await hit(0, 2).click();
  await page.waitForSelector('.why');
  await page.waitForSelector('#log-list', { state: 'attached' });
  const since = await page.evaluate(() => performance.now());
  await page.waitForFunction((t) => performance.now() - t >= 300, since); // so long it is open at least
  await closed(page);
  await hit(1, 0).click();
  await page.waitForSelector('.why');
  await closed(page);
  await tune(page);
  const shown = [await ids(page, 0), await ids(page, 1)];
  await page.locator('#log-list summary').click();
  assert.equal(await entries(page), 2);
  assert.deepEqual(await visit.accessibilityInBoth('click-log'), []);
  assert.ok((await visit.overflow()) <= 0, `${await visit.overflow()} px too wide`);
  await page.reload();
  await ready(page);
  await results(page);
  await settings(page);
  assert.equal(await page.locator('#log-on').isChecked(), true);
  await page.waitForSelector('#log-list', { state: 'attached', timeout: 60_000 });
  await page.locator('#log-list summary').click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#log-save').click()]);
  assert.equal(download.suggestedFilename(), 'harbour-wire-clicks.jsonl');
  const log = (await readFile(await download.path(), 'utf8')).trim().split('\n').map((l) => JSON.parse(l));
  assert.equal(log.length, 2);
  for (const [i, [e, at]] of [[log[0], 2], [log[1], 0]].entries()) {
    assert.equal(e.document, shown[i][at]);
    assert.equal(e.ranking[e.position - 1], e.document);
    assert.ok(shown[i].every((id) => e.ranking.includes(id)));
    assert.ok(Math.abs(Date.now() - Date.parse(e.time)) < 600_000);
    assert.ok(e.dwell_ms > 0);
  }
  assert.ok(log[0].dwell_ms >= 300);
  assert.ok(!(await saved(page, '#share-workspace')).includes('clicks.jsonl'), 'a shared workspace holds the log');
  assert.ok((await saved(page, '#share-clicks')).includes('clicks.jsonl'));
  await page.locator('#log-entries tbody tr').first().getByRole('button').click();
  await until(async () => (await entries(page)) === 1);
  await page.click('#log-delete');
  await page.waitForSelector('#log-list', { state: 'detached' });
  await page.locator('#log-on').uncheck();
  await page.reload();
  await ready(page);
  await results(page);
  await settings(page);
  assert.equal(await page.locator('#log-list').count(), 0);
  await visit.done();
});
