// Judging, on the built site, in Chromium.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { lab, ready, results } from './harness.mjs';

const rankbox = lab();

async function open(path, options) {
  const visit = await rankbox.open(path, options);
  await ready(visit.page);
  return visit;
}

const document = (page) => page.waitForSelector('#judged-title')
  .then(() => page.locator('#judged-document .meta').textContent()).then((t) => t.split(' · ').at(-1));
const another = (page, than) =>
  page.waitForFunction((id) => !document.querySelector('#judged-document .meta')?.textContent.endsWith(id) &&
    document.querySelector('#judged-title'), than);

test('the keyboard alone judges documents one after the other, takes a grade back and saves qrels that rankbox reads',
  async () => {
  const visit = await open('/judge');
  const { page } = visit;
  assert.equal(await page.locator('#judge-export').count(), 0, 'there is nothing to save yet');
  await page.keyboard.press('n');
  const first = await document(page);
  assert.match(await page.locator('#judge-progress').textContent(), /^ ?0 of \d+ documents of this query judged\.$/);
  await page.keyboard.press('3');
  await another(page, first);
  const second = await document(page);
  await page.keyboard.press('0');
  await another(page, second);
  const third = await document(page);
  await page.keyboard.press('2');
  await another(page, third);
  assert.match(await page.locator('#judge-progress').textContent(), /3 of \d+ documents/);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => document.getElementById('judge-progress').textContent.includes('2 of '));
  assert.equal(await document(page), third);
  await page.keyboard.press('1');
  await another(page, third);
  await page.keyboard.press('ArrowLeft');
  assert.equal(await document(page), third);
  assert.equal(await page.locator('#grade-1').getAttribute('aria-pressed'), 'true');
  assert.match(await page.locator('#judge-agreement').textContent(), /^You agree with \d+ of \d+ existing grades?/);
  const [saved] = await Promise.all([page.waitForEvent('download'), page.locator('#judge-export').click()]);
  assert.equal(saved.suggestedFilename(), 'harbour-wire-judged.qrels');
  const query = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('id') ?? '';
  const lines = (await readFile(await saved.path(), 'utf8')).trim().split('\n').map((l) => l.split(' '));
  assert.deepEqual(new Map(lines.map(([, , d, g]) => [d, g])),
    new Map([[first, '3'], [second, '0'], [third, '1']].sort()));
  assert.equal(new Set(lines.map(([q]) => q)).size, 1);
  if (query) assert.equal(lines[0][0], query);
  assert.deepEqual(await visit.accessibility(), []);
  await visit.done();
});

test('what was taken back stays so when the page ends at once', async () => {
  const visit = await open('/judge');
  const { page, context } = visit;
  await page.keyboard.press('n');
  for (const key of ['3', '2']) {
    const shown = await document(page);
    await page.keyboard.press(key);
    await another(page, shown);
  }
  const address = page.url();
  // it is taken back, and from then on the page hears nothing more until it is closed
  page.evaluate(async () => {
    const { activeElement, body } = globalThis.document;
    (activeElement ?? body).dispatchEvent(new KeyboardEvent('keydown', { key: 'u', code: 'KeyU', bubbles: true }));
    for (let i = 0; i < 100; i++) await null;
    for (const end = Date.now() + 20_000; Date.now() < end;);
  }).catch(() => {});
  await new Promise((done) => setTimeout(done, 1000));
  await page.close({ runBeforeUnload: false });
  const again = await context.newPage();
  await again.goto(address);
  await again.waitForFunction(() =>
    /(^| )1 of /.test(globalThis.document.getElementById('judge-progress')?.textContent), null, { timeout: 60_000 });
  await again.close();
  await visit.close();
});

test('a document is graded on Search: lists and figures follow, undo takes it back, and it survives a reload',
  async () => {
  const visit = await open('/search');
  const { page } = visit;
  await results(page);
  const figure = () => page.locator('#system-0 .score').first().textContent();
  const before = await figure();
  await page.locator('#system-0 ol.hits button.open').first().click();
  await page.locator('#grade-here').click(); // the program that takes grades is fetched
  await page.waitForSelector('#here-3', { timeout: 240_000 });
  const why = await page.locator('#why').boundingBox();
  assert.ok(why.y < 420, `the explanation begins at ${why.y}`);
  await page.locator('#here-3').click();
  await page.waitForFunction((t) => document.querySelector('#system-0 .score').textContent !== t, before);
  const graded = await figure();
  assert.equal(await page.locator('#system-0 ol.hits .grade').first().textContent(), '3');
  await page.keyboard.press('Control+z');
  await page.waitForFunction((t) => document.querySelector('#system-0 .score').textContent === t, before);
  await page.locator('#here-3').click();
  await page.waitForFunction((t) => document.querySelector('#system-0 .score').textContent === t, graded);
  await page.reload();
  await ready(page);
  await page.waitForFunction((t) => document.querySelector('#system-0 .score')?.textContent === t, graded);
  assert.deepEqual(await visit.accessibility(), []);
  await visit.done();
});

test('on a phone a thumb judges: everything fits 320 pixels and is large enough', async () => {
  const visit = await open('/judge', { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  const { page } = visit;
  await page.locator('#judge-first').tap();
  const first = await document(page);
  await page.locator('#grade-2').tap();
  await another(page, first);
  assert.ok((await visit.overflow()) <= 0, `${await visit.overflow()} px too wide`);
  const small = await page.evaluate(() => [...document.querySelectorAll('main button, main select')].filter((e) =>
    e.checkVisibility()).map((e) => [e.id, Math.round(e.getBoundingClientRect().height)]).filter(([, h]) => h < 44));
  assert.deepEqual(small, [], 'too small for a thumb');
  await visit.shot('phone-judge');
  await visit.done();
});

test('only documents without a judgment can be chosen, and the screen is reached from Home without losing the page',
  async () => {
  const visit = await open('/');
  const { page } = visit;
  await page.locator('header nav a', { hasText: 'Judge' }).click();
  await page.waitForFunction(() => document.getElementById('page').classList.contains('screen-judge'), null,
    { timeout: 240_000 });
  assert.equal(await page.title(), 'Rankbox: judge');
  await document(page);
  const all = Number((await page.locator('#judge-progress').textContent()).match(/of (\d+)/)[1]);
  await page.locator('#judge-only').check();
  await page.waitForFunction((n) => !document.getElementById('judge-progress').textContent.includes(`of ${n} `), all);
  assert.ok(Number((await page.locator('#judge-progress').textContent()).match(/of (\d+)/)[1]) < all);
  await visit.done();
});
