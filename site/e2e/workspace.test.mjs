// One's own documents, queries and grades: nothing is lost by a reload, a second tab or a tab that is killed.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { choose, lab, reported } from './harness.mjs';

const rankbox = lab({ context: { serviceWorkers: 'allow' } });
const file = (name, text) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
const topics = ['ferry', 'storm', 'crane', 'fog', 'ballot'];
const notes = Array.from({ length: 30 }, (_, i) => {
  const topic = topics[i % topics.length];
  return file(`note-${String(i).padStart(2, '0')}.md`,
    `# The ${topic} of day ${i}\n\nOn day ${i} the harbour saw a *${topic}* again. See [the log](log.md) about ${topic} ${i}.\n`);
});

const live = (page) => page.waitForFunction(() => document.querySelector('#files')?.disabled === false, null,
  { timeout: 240_000 });
const judging = (page) => page.waitForSelector('#judged-title', { timeout: 240_000 });
const shown = (page) => page.locator('#judged-document .meta').textContent();

async function grade(page, key) {
  const before = await shown(page);
  await page.keyboard.press(key);
  await page.waitForFunction((t) => document.querySelector('#judged-document .meta')?.textContent !== t &&
    document.querySelector('#judged-title'), before, { timeout: 30_000 });
}

async function graded(page, n) {
  await judging(page);
  await page.waitForFunction((n) => new RegExp(`(^| )${n} of |; ${n} in all`)
    .test(document.getElementById('judge-progress').textContent), n, { timeout: 60_000 });
}

// The list of Judge's start, which says how many grades each query has.
const listed = (page, n) => page.waitForFunction((n) => {
  const given = [...document.querySelectorAll('#judge-todo tbody td:last-child')].reduce((sum, e) => sum +
    Number(e.textContent), 0);
  return given === n;
}, n, { timeout: 60_000 });

test('30 Markdown files are searched, 3 queries added, 10 documents graded, with a reload at every step, and measured',
  { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('/upload');
  const { page } = visit;
  await live(page);
  await page.setInputFiles('#files', notes);
  await page.click('#index', { timeout: 240_000 });
  await page.waitForSelector('#search-made', { timeout: 240_000 });
  assert.match(await page.textContent('#made'), /is ready: 30 documents\./);
  await page.click('#search-made');
  await page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'ready', null,
    { timeout: 240_000 });
  await page.fill('#q', 'ferry');
  await page.waitForFunction(() => document.querySelectorAll('#columns section ol.hits li').length >= 6, null,
    { timeout: 240_000 });

  // what was typed on Search becomes a query
  await page.click('nav a[href^="/judge"]');
  await page.click('#judge-keep', { timeout: 240_000 });
  await judging(page);
  await page.reload();
  await judging(page);
  await page.fill('#judge-new', 'storm\nballot of the crane drivers\nstorm\n');
  await page.click('#judge-add');
  await page.waitForFunction(() => /2 queries added/.test(document.querySelector('#judge-added').textContent));
  await page.waitForFunction(() => document.querySelector('#judge-about')?.textContent === 'storm', null,
    { timeout: 60_000 });
  await page.reload();
  await judging(page);
  assert.equal(await page.locator('#judge-query option').count(), 4);

  for (const key of ['3', '2', '0']) await grade(page, key);
  await visit.shot('judge-own');
  assert.deepEqual(await visit.accessibility(), []);
  await page.reload();
  await graded(page, 3);
  for (const key of ['1', '0']) await grade(page, key);
  await page.keyboard.press('u'); // taken back, and that is saved too
  await graded(page, 4);
  await page.keyboard.press('2');
  await graded(page, 5);

  // a second tab grades another query, and this one hears of it
  const second = await visit.context.newPage();
  await second.goto(page.url());
  await judging(second);
  await second.selectOption('#judge-query', { label: 'ferry' });
  await second.waitForFunction(() => document.querySelector('#judge-about')?.textContent === 'ferry');
  await judging(second);
  for (const key of ['3', '3', '1', '0']) await grade(second, key);
  await graded(page, 9);
  // it is closed in the midst of the work, without a word to its page
  await second.keyboard.press('0');
  await second.waitForFunction(() => /10 in all/.test(document.getElementById('judge-progress').textContent));
  await second.close({ runBeforeUnload: false });
  await page.reload();
  await graded(page, 10);

  await page.click('#judge-measure');
  await page.waitForSelector('#board', { timeout: 240_000 });
  await page.waitForFunction(() => /2 queries/.test(document.body.textContent), null, { timeout: 240_000 });
  await visit.shot('judge-own-board');
  const hash = await reported(page);

  // all of it goes along as one file, and gives the same figures to whoever opens that
  await page.click('nav a[href^="/judge"]');
  await graded(page, 10);
  const [saved] = await Promise.all([page.waitForEvent('download'), choose(page, '#share-workspace')]);
  assert.match(saved.suggestedFilename(), /\.workspace\.zip$/);
  const whole = { name: saved.suggestedFilename(), mimeType: 'application/zip',
    buffer: await readFile(await saved.path()) };
  const there = await rankbox.open('/collections');
  await live(there.page);
  await there.page.setInputFiles('#files', whole);
  await there.page.waitForSelector('#judge-made', { timeout: 240_000 });
  assert.match(await there.page.textContent('#made'), /is ready: 30 documents, 3 queries, 10 judgments\./);
  await there.page.click('#judge-made');
  await listed(there.page, 10);
  await there.page.reload();
  await listed(there.page, 10);
  await there.page.click('#judge-measure');
  assert.equal(await reported(there.page), hash);
  // from the list of what is kept it goes along too, though another collection is open
  await there.page.goto('/collections');
  const [again] = await Promise.all([there.page.waitForEvent('download'), there.page.locator('#kept .export').click()]);
  assert.equal((await readFile(await again.path())).length, whole.buffer.length);
  await there.done();
  await visit.done();
});
