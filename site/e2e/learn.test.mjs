// The lessons, on the built site, in Chromium.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { lab, ready, root } from './harness.mjs';

const rankbox = lab();
const names = readdirSync(join(root, 'site/lessons'));
const german = names.filter((n) => readdirSync(join(root, 'site/lessons', n)).includes('lesson.de.md'));

async function open(path, options) {
  const visit = await rankbox.open(path, options);
  await ready(visit.page);
  return visit;
}

test('every lesson reads to its end without scripts, with a picture where the interaction would be', async () => {
  const visit = await rankbox.open('/learn', { javaScriptEnabled: false });
  const { page } = visit;
  assert.equal(names.length, 12);
  assert.equal(await page.locator('ol.lessons > li').count(), 12);
  assert.match(await page.locator('.map svg').getAttribute('aria-label'), /^How the lessons build on each other: /);
  for (const path of [...names, ...german.map((n) => `${n}/de`)]) {
    await page.goto(`/learn/${path}`);
    assert.equal(await page.locator('section.part').count(), 5, path);
    assert.ok(await page.locator('.remember').isVisible(), path);
    assert.ok((await page.locator('ol.hand > [data-row]').count()) > 1, path);
    assert.ok((await page.locator('#step-3 table').count()) >= 1, path);
    assert.doesNotMatch(await page.locator('article.lesson').textContent(), /NaN|\bInf\b|undefined|\{\w+ /, path);
  }
  await visit.close();
});

// From the prediction to the check: what stands behind the prediction is hidden before; every wrong option of the first exercise is taken
// and names a mistake; then the right one.
async function through(visit, name, lang = '') {
  const { page } = visit;
  assert.equal(await page.locator('section.part').count(), 1, `${name}: nothing is shown before the prediction`);
  await page.locator('#step-1 .options .option').first().click();
  await page.waitForSelector('#step-5');
  assert.equal(await page.locator('#step-1 .option.right').count(), 1);
  assert.ok((await page.locator('#step-1 .told').textContent()).length > 40);
  const values = await page.locator('#step-2 #play-measures b').allTextContents();
  await page.locator('#step-2 #play-reverse').click();
  assert.notDeepEqual(await page.locator('#step-2 ol.hand .title').allTextContents(), [], name);
  await page.locator('#step-2 #play-undo').click();
  assert.deepEqual(await page.locator('#step-2 #play-measures b').allTextContents(), values, `${name}: undone`);
  const drill = page.locator('.drill').first();
  const options = drill.locator('.options .option');
  let right = 0;
  for (let i = 0; i < (await options.count()); i++) {
    await options.nth(i).click();
    const said = await drill.locator('.said').textContent();
    if (said.startsWith('Right: ')) {
      right++;
      break;
    }
    assert.match(said, /^Not yet\. That is what comes out when one has .{10,}\.$/, name);
  }
  assert.equal(right, 1, `${name}: an option is right`);
  const before = await drill.textContent();
  await drill.locator('.another').click();
  assert.notEqual(await drill.textContent(), before);
  const typed = page.locator('.drill form').first();
  await typed.locator('input').fill('17');
  await typed.locator('button').click();
  assert.match(await page.locator('.drill:has(form) .said').first().textContent(), /^Not yet\. Within ±0\.005 counts as right\.$/);
  assert.ok(await page.locator('#step-5 a').first().getAttribute('href'), name);
  assert.ok((await visit.overflow()) <= 0, `${name}${lang}: ${await visit.overflow()} px too wide`);
}

for (const [device, options] of [['desktop', { viewport: { width: 1280, height: 900 } }], ['phone', { viewport: { width: 320, height: 700 }, hasTouch: true, isMobile: true }]]) {
  test(`every lesson is taken from predict to check on a ${device}`, { timeout: 300_000 }, async () => {
    for (const name of names) {
      const visit = await open(`/learn/${name}`, options);
      await through(visit, name);
      if (name === 'ndcg' || name === 'users') {
        assert.deepEqual(await visit.accessibility(), [], name);
        await visit.shot(`learn-${name}-${device}`);
      }
      await visit.done();
    }
  });
}

test('a German lesson is taken from predict to check, and its link keeps the language', async () => {
  assert.ok(german.length > 0);
  const visit = await open('/learn/ndcg/de');
  const { page } = visit;
  assert.equal(await page.locator('article.lesson').getAttribute('lang'), 'de');
  await through(visit, 'ndcg', '/de');
  assert.ok(page.url().endsWith('/learn/ndcg/de'));
  await page.locator('article.lesson > p a[lang=en]', { hasText: 'English' }).click();
  await page.waitForFunction(() => document.querySelector('article.lesson')?.lang === 'en');
  assert.ok(page.url().endsWith('/learn/ndcg'));
  await visit.done();
});

test('exercises are those of a number, what was answered stays on the device, and can be deleted', async () => {
  const visit = await open('/learn/ap');
  const { page } = visit;
  await page.locator('#step-1 .option').nth(1).click();
  const given = () => page.locator('.drill').first().locator('.given').allTextContents();
  const anonymous = await given();
  await page.locator('#learn-who').fill('4711');
  await page.locator('#learn-who').press('Tab');
  await page.waitForFunction((t) => document.querySelector('.drill .given').textContent !== t, anonymous[0]);
  const mine = await given();
  await page.reload();
  await ready(page);
  await page.waitForSelector('#step-5');
  assert.deepEqual(await given(), mine);
  assert.equal(await page.locator('#step-1 .option.picked').count() + (await page.locator('#step-1 .option.right').count()) > 0, true);
  await page.locator('article.lesson > p a[href="/learn"]').click();
  await page.locator('#learn-forget').click();
  assert.equal(await page.evaluate(() => localStorage.getItem('rankbox-learn')), null);
  await page.locator('ol.lessons a[href="/learn/ap"]').first().click();
  await page.waitForSelector('#step-1 .option');
  assert.equal(await page.locator('section.part').count(), 1);
  await visit.done();
});

test('the list leads to a lesson that was not rendered with the page, and from Home too', async () => {
  const visit = await open('/');
  const { page } = visit;
  await page.locator('header nav a', { hasText: 'Learn' }).click();
  await page.waitForSelector('ol.lessons > li', { timeout: 60_000 });
  await page.locator('ol.lessons a[href="/learn/ties"]').first().click();
  await page.waitForSelector('#step-1 .option', { timeout: 60_000 });
  assert.ok(page.url().endsWith('/learn/ties'));
  await page.locator('header nav a', { hasText: 'Learn' }).click();
  await page.waitForSelector('ol.lessons > li');
  assert.deepEqual(await visit.accessibility(), []);
  await visit.shot('learn');
  await visit.done();
});

test('in presenter view a class votes by keys, the answer is revealed, and it votes again', async () => {
  const visit = await open('/learn/ndcg');
  const { page } = visit;
  await page.keyboard.press('p');
  await page.keyboard.press('1');
  await page.keyboard.press('1');
  await page.keyboard.press('2');
  assert.deepEqual(await page.locator('.hands b').allTextContents(), ['2', '1', '0']);
  await page.locator('#learn-reveal').click();
  await page.keyboard.press('2');
  assert.deepEqual(await page.locator('.hands b').allTextContents(), ['2 → 0', '1 → 1', '0 → 0']);
  await page.waitForSelector('#step-5');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.activeElement.id === 'step-2');
  await visit.done();
});
