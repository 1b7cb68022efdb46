// The program of lessons: what a visit of a lesson fetches, and how it goes on to the rest of the site.
import assert from 'node:assert/strict';
import test from 'node:test';
import { lab, ready, results } from './harness.mjs';

const rankbox = lab();
const live = (page) => page.waitForFunction(() => document.documentElement.dataset.live === 'true');
const predict = (page) => page.locator('#step-1 .options .option').first().click();
const screen = (page, name) =>
  page.waitForFunction((is) => document.getElementById('page').classList.contains(`screen-${is}`), name, {
    timeout: 240_000,
  });

// What was asked for since a moment that only another program, or a worker, needs.
const beyond = (since) =>
  rankbox.requests.slice(since).map((r) => r.url)
    .filter((url) => /\/assets\/wasm\/(?!lessons\.)|\/js\/worker\.js|\/collections\//.test(url));

test('a lesson is taken to its end, as slides and in a class, by the program of lessons alone', async () => {
  const since = rankbox.requests.length;
  const visit = await rankbox.open('/learn/ap', { viewport: { width: 1280, height: 720 } });
  const { page } = visit;
  await ready(page);
  await predict(page);
  await page.locator('#step-5').waitFor();
  const handle = page.locator('#step-2 .fig [id$="-down-1"]');
  const before = await page.locator('#step-2 .fig').textContent();
  await handle.click();
  assert.notEqual(await page.locator('#step-2 .fig').textContent(), before);
  const drill = page.locator('.drill').first();
  for (const option of await drill.locator('.options .option').all()) {
    await option.click();
    if ((await drill.locator('.said').textContent()).startsWith('Right: ')) break;
  }
  assert.match(await drill.locator('.said').textContent(), /^Right: /);
  await page.locator('body').press('p');
  await page.locator('.slide').waitFor();
  await page.locator('#deck-next').click();
  await page.waitForFunction(() => document.querySelector('.slide .turn b').textContent.startsWith('2 of '));
  await page.locator('body').press('p');
  await page.locator('a', { hasText: 'All lessons' }).click();
  await page.locator('ol.lessons a[href="/learn/ndcg"]').click();
  await page.locator('#step-1 .options .option').first().waitFor(); // all lessons are fetched by the page
  await page.goto('/learn/class#lesson=class1&t=Search&l=ap&e=ap.1~recall.2&s=7');
  await live(page);
  await page.locator('.drill, .item, input').first().waitFor();
  assert.equal(await page.locator('.problem').count(), 0);
  await page.goto('/learn/capstone');
  await live(page);
  await page.locator('.capstone, fieldset').first().waitFor();
  assert.deepEqual(beyond(since), []);
  assert.equal(rankbox.requests.slice(since).filter((r) => r.url.includes('/learn/lessons.bin')).length >= 1, true);
  await visit.done();
});

test('an old address of a lesson opens it', async () => {
  const visit = await rankbox.open('/learn/ndcg/de');
  await ready(visit.page);
  assert.match(visit.page.url(), /\/learn\/ndcg$/);
  await predict(visit.page);
  await visit.page.locator('#step-5').waitFor();
  await visit.page.goto('/learn/ap?presenter#step-2');
  await live(visit.page);
  await visit.page.locator('#step-2.slide').waitFor();
  await visit.done();
});

test('from a lesson to Search and back: the first program takes the page over, answers are still there', async () => {
  const since = rankbox.requests.length;
  const visit = await rankbox.open('/learn/ap');
  const { page } = visit;
  await ready(page);
  await predict(page);
  await page.locator('#step-5').waitFor();
  await page.evaluate(() => (globalThis.before = document.querySelector('header.frame')));
  await page.locator('header nav a', { hasText: 'Search' }).click();
  await screen(page, 'search');
  assert.match(page.url(), /\/search$/);
  const same = () => globalThis.before === document.querySelector('header.frame');
  assert.ok(await page.evaluate(same), 'the frame was built again');
  await page.locator('#q').fill('port strike');
  await results(page);
  assert.deepEqual(rankbox.requests.slice(since).filter((r) => r.url.includes('/assets/wasm/rich.')), []);
  await page.goBack(); // the word is an entry of its own
  await page.goBack();
  await screen(page, 'learn');
  assert.match(page.url(), /\/learn\/ap$/);
  await page.locator('#step-5').waitFor();
  await visit.done();
});

test('from a lesson to Evaluate and back, with files that are dropped on a lesson', async () => {
  const visit = await rankbox.open('/learn/ap');
  const { page } = visit;
  await ready(page);
  await predict(page);
  await page.locator('header nav a', { hasText: 'Evaluate' }).click();
  await screen(page, 'compare');
  await page.locator('#leaderboard tbody tr').first().waitFor({ timeout: 240_000 });
  await page.goBack();
  await screen(page, 'learn');
  await page.locator('#step-5').waitFor();
  await visit.done();
  const other = await rankbox.open('/learn/ap');
  await ready(other.page);
  await other.page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['q1 0 a 1\nq2 0 b 1\n'], 'small.qrels'));
    data.items.add(new File(['q1 Q0 a 1 2 x\nq2 Q0 a 1 2 x\n'], 'one.run'));
    data.items.add(new File(['q1 Q0 a 1 2 y\nq2 Q0 b 1 2 y\n'], 'two.run'));
    const drop = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
    document.querySelector('main').dispatchEvent(drop);
  });
  const said = other.page.locator('.screen-learn .problem, .screen-compare #leaderboard tbody tr').first();
  await said.waitFor({ timeout: 240_000 });
  assert.match(await other.page.locator('.problem, h1').first().textContent(), /two|remix/i);
  await other.done();
});

test('offline, a lesson opens again with what was answered', { timeout: 600_000 }, async () => {
  const visit = await rankbox.open('/learn/ap', { serviceWorkers: 'allow' });
  const { page } = visit;
  await ready(page);
  await predict(page);
  await visit.controlled();
  rankbox.down();
  try {
    await page.reload();
    await live(page);
    await page.locator('#step-5').waitFor();
  } finally {
    rankbox.up();
  }
  await visit.close();
});

test('how long a lesson takes on slow 4G with a processor of a quarter', { timeout: 600_000 }, async (t) => {
  for (const path of ['/learn/ap', '/learn/ndcg']) {
    const since = rankbox.requests.length;
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const throttle = { cpu: 4, network: 'slow 4G' };
    const visit = await rankbox.open(path, { ...phone, throttle, until: 'commit' });
    await live(visit.page);
    const at = await visit.page.evaluate(() => ({
      live: Math.round(performance.getEntriesByName('rankbox-live')[0].startTime),
      paint: Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN),
      bytes: ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
        .reduce((n, e) => n + e.encodedBodySize, 0),
    }));
    assert.deepEqual(beyond(since), []);
    t.diagnostic(`${path}: painted at ${at.paint} ms, interactive at ${at.live} ms, ${at.bytes} bytes until then`);
    await visit.close();
  }
});
