// Nightly: each program taking over from another.
// One program of the site takes the place of another.
import assert from 'node:assert/strict';
import test from 'node:test';
import { choose, lab, ready, results } from './harness.mjs';

const rankbox = lab();
const program = (name) => (r) => r.url.includes(`/assets/wasm/${name}.`);
const compared = (page) =>
  page.waitForFunction(() => document.getElementById('page').classList.contains('screen-compare'), null,
    { timeout: 240_000 });

test('Home and Search need the first program only, Compare the richer one only', async () => {
  for (const [path, wanted, other] of [['/', 'first', 'rich'], ['/search', 'first', 'rich'],
    ['/compare', 'rich', 'first']]) {
    const before = rankbox.requests.length;
    const visit = await rankbox.open(path);
    await ready(visit.page);
    const asked = rankbox.requests.slice(before);
    assert.ok(asked.some(program(wanted)), `${path} asks for ${wanted}`);
    assert.ok(!asked.some(program(other)), `${path} asks for ${other}`);
    await visit.done();
  }
});

test('from Home to Compare the richer program takes the page over: what was typed, opened and undone is still there',
  async () => {
  const visit = await rankbox.open('/');
  const { page } = visit;
  await ready(page);
  const example = await page.locator('#q').inputValue();
  await page.locator('#q').fill('port strike');
  await page.waitForFunction(() => document.querySelectorAll('.quick ol li').length > 0);
  await page.evaluate(() => (globalThis.before = [...document.querySelectorAll('#q, #leaderboard, header.frame')]));
  await page.locator('header nav a', { hasText: 'Evaluate' }).click();
  await compared(page);
  assert.match(page.url(), /\/evaluate$/);
  assert.equal(await page.title(), 'Rankbox: evaluate');
  assert.ok(await page.evaluate(() => globalThis.before[0] === document.querySelector('header.frame')),
    'the frame was built anew');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Evaluate');
  await page.goBack();
  await page.waitForFunction(() => document.getElementById('q')?.value === 'port strike');
  await page.waitForFunction(() => document.querySelectorAll('.quick ol li').length > 0);
  await choose(page, '#undo'); // the way to Compare
  await choose(page, '#undo'); // the word
  await page.waitForFunction((was) => document.getElementById('q')?.value === was, example);
  await page.locator('#q').fill('ferry');
  await page.waitForFunction(() => document.querySelectorAll('.quick ol li').length > 0);
  await visit.done();
});

test('files dropped on Home are compared by the program that reads them', async () => {
  const visit = await rankbox.open('/');
  const { page } = visit;
  await ready(page);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['q1 0 a 1\nq2 0 b 1\n'], 'small.qrels'));
    data.items.add(new File(['q1 Q0 a 1 2 x\nq2 Q0 a 1 2 x\n'], 'one.run'));
    data.items.add(new File(['q1 Q0 a 1 2 y\nq2 Q0 b 1 2 y\n'], 'two.run'));
    document.querySelector('main')
      .dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await page.locator('.screen-compare #leaderboard tbody tr').nth(1).waitFor({ timeout: 240_000 }); // Home has one too
  assert.match(await page.locator('h1').textContent(), /two/);
  await visit.done();
});

test('a richer program that does not come is said, nothing is lost, and trying again goes on', async () => {
  const visit = await rankbox.open('/');
  const { page } = visit;
  await ready(page);
  await page.locator('#q').fill('port strike');
  await page.route('**/assets/wasm/rich.*', (route) => route.abort());
  await page.locator('header nav a', { hasText: 'Evaluate' }).click();
  await page.locator('.problem', { hasText: 'could not be loaded' }).waitFor();
  assert.equal(await page.locator('#q').inputValue(), 'port strike');
  await page.unroute('**/assets/wasm/rich.*');
  await page.locator('.problem button', { hasText: 'Try again' }).click();
  await compared(page);
  visit.errors = visit.errors.filter((e) => !e.includes('net::ERR_FAILED')); // that is what was brought about
  await visit.done();
});

test('offline, a typed query is answered by words and by the encoder that was kept', { timeout: 600_000 }, async () => {
  const visit = await rankbox.open('/search', { serviceWorkers: 'allow' });
  const { page } = visit;
  await ready(page);
  await visit.controlled();
  await page.evaluate(async () => { // it comes when the page is idle
    const kept = async () => (await (await caches.open('rankbox collections')).keys()).map((r) => r.url);
    while (!(await kept()).some((url) => url.includes('/encoders/'))) {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  });
  rankbox.down();
  try {
    await page.reload();
    await ready(page);
    await page.locator('#q').fill('tram over the old savings bank');
    for (const system of [0, 2, 3]) await results(page, system);
    assert.match(await page.locator('#encoded').textContent(), /Typed queries use a smaller encoder, minilm-static/);
    assert.equal(await page.locator('[id^=load-encoder]').count(), 0, 'nothing is offered that cannot be fetched');
  } finally {
    rankbox.up();
  }
  await visit.close();
});
