// Nightly: pages of other origins.
// A part of Rankbox in somebody else's page: a slide or a course page on another origin.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { choose, clipboard, lab, ready, reported, results, root, shown } from './harness.mjs';

const rankbox = lab();
const folder = join(root, 'site/e2e/fixtures/compare');
let markup = ''; // what stands in the course page
const course = createServer((_, response) => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(`<!doctype html><html lang="en"><title>Lecture 5</title><h1>Lecture 5</h1>${markup}</html>`);
});
before(() => new Promise((resolve) => course.listen(0, '127.0.0.1', resolve)));
after(() => course.close());
const lecture = () => `http://127.0.0.1:${course.address().port}/`;

/** The frame of the course page, when its program has the report of a hash. */
async function framed(page, hash) {
  await page.goto(lecture());
  const frame = page.frameLocator('iframe');
  await frame.locator(`#page.embedded[data-report="${hash}"]`).waitFor({ timeout: 240_000 });
  return frame;
}

test('a figure, a query and a search stand in a page on another origin with the same numbers; other pages refuse to be framed',
  async () => {
  const visit = await rankbox.open('/compare', { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = visit;
  await ready(page);
  await page.setInputFiles('#files',
    ['demo.qrels', 'prod.run', 'reranker.run', 'bm25.run'].map((n) => join(folder, n)));
  const hash = await reported(page);
  const copied = async (press) => {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await press();
    return clipboard(page, '<iframe ');
  };
  const figure = '#figure-differences';
  const drawn = async (at) =>
    ({ says: await at.locator(`${figure} figcaption > span`).first().textContent(),
      table: await at.locator(`${figure} table td`).allTextContents() });
  const here = await drawn(page);
  // scores are in no link
  const order = (at) => at.locator('#rankings .sides :is(.id, .grade, .score b)').allTextContents();
  const rankings = await order(page);
  const pieces = { figure: await copied(async () => (await shown(page, `${figure} .embed`)).click()),
    query: await copied(async () => (await shown(page, '#embed-query')).click()) };
  await page.goto('/search');
  await ready(page);
  const hits = () => [...document.querySelectorAll('ol.hits [data-doc]')].map((li) => li.dataset.doc).join(' ');
  await page.locator('#judged').selectOption({ index: 3 });
  await results(page);
  const found = await page.evaluate(hits);
  await choose(page, '#copy-link');
  pieces.search = await copied(() => page.locator('#copy-embed').click());

  const reader = await rankbox.open('about:blank'); // somebody else's browser
  const other = reader.page;
  markup = pieces.figure;
  let frame = await framed(other, hash);
  await frame.locator(figure).waitFor();
  assert.deepEqual(await drawn(frame), here);
  assert.equal(await frame.locator('figure').count(), 1);
  assert.equal(await frame.locator('header.frame, footer.status, #files').filter({ visible: true }).count(), 0);
  const [whole] = await Promise.all([reader.context.waitForEvent('page'), frame.locator('#whole').click()]);
  assert.equal(await reported(whole), hash);
  assert.equal(await whole.evaluate(() => location.pathname), '/evaluate');
  await whole.close();

  markup = pieces.query;
  frame = await framed(other, hash);
  await frame.locator('#rankings .sides li').first().waitFor();
  assert.deepEqual(await order(frame), rankings);
  assert.ok(rankings.length > 40, `${rankings}`);

  markup = pieces.search;
  await other.goto(lecture());
  await other.frameLocator('iframe').locator('ol.hits li').first().waitFor({ timeout: 240_000 });
  assert.equal(await other.frames()[1].evaluate(hits), found);
  assert.deepEqual(reader.errors, []);

  markup = `<iframe src="${rankbox.origin}/compare"></iframe><iframe src="${rankbox.origin}/"></iframe>`;
  await other.goto(lecture());
  for (const f of other.frames().slice(1)) assert.equal(await f.evaluate(() => document.getElementById('page')), null,
    `${f.url()} is framed`);
  assert.equal(reader.errors.filter((e) => /frame/i.test(e)).length, 2, reader.errors.join('\n'));
  await reader.close();
  await visit.done();
});

test('a lesson, and a ranking to play with, stand in a page on another origin and can be moved there', async () => {
  const visit = await rankbox.open('/learn/ndcg', { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = visit;
  await ready(page);
  const code = async () => {
    await page.locator('#copy-embed').click();
    return clipboard(page, '<iframe ');
  };
  await page.locator('.remix summary').click();
  for (const step of [0, 2, 3, 4]) await page.locator('.remix fieldset input').nth(step).uncheck(); // the figure alone
  await page.locator('#remix-copy').click();
  const lesson = await code();
  await page.goto('/play');
  await ready(page);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await choose(page, '#copy-link');
  const play = await code();

  const reader = await rankbox.open('about:blank');
  const other = reader.page;
  markup = lesson;
  await other.goto(lecture());
  let frame = other.frameLocator('iframe');
  const figure = frame.locator('.fig').first();
  await figure.waitFor({ timeout: 240_000 });
  assert.match(await figure.textContent(), /steps\s*0/);
  await figure.locator('.hand button[data-key=down]').first().click();
  await frame.locator('.fig', { hasText: /steps\s*1/ }).waitFor();
  assert.equal(await frame.locator('.options, .drill, .remix, header.frame').filter({ visible: true }).count(), 0);
  markup = play;
  await other.goto(lecture());
  frame = other.frameLocator('iframe');
  await frame.locator('h1', { hasText: /^nDCG@5 of this order is / }).waitFor({ timeout: 240_000 });
  assert.deepEqual(reader.errors, []);
  await reader.close();
  await visit.done();
});
