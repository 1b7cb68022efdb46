// Nightly: pictures of every screen.
// Moments as pictures, and systems that keep their letters, on the built site, in Chromium.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { choose, lab, ready } from './harness.mjs';

const rankbox = lab();

/** What a picture holds, that of the clipboard or one in base64: its size, and how many of its pixels are ink, above
 * and in the strip of the link. */
const seen = (page, base64) => page.evaluate(async (base64) => {
  const blob = base64 ? new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: 'image/png' }) :
    await (await navigator.clipboard.read())[0].getType('image/png');
  const picture = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const context = canvas.getContext('2d');
  context.drawImage(picture, 0, 0);
  const ink = (from, to) => {
    const { data } = context.getImageData(0, from, picture.width, to - from);
    let n = 0;
    for (let i = 0; i < data.length; i += 4) if (Math.abs(data[i] - data[0]) + Math.abs(data[i + 1] - data[1]) +
      Math.abs(data[i + 2] - data[2]) > 120) n++;
    return n;
  };
  return { width: picture.width, height: picture.height, above: ink(0, picture.height - 90),
    link: ink(picture.height - 62, picture.height - 20) };
}, base64);

async function copied(page) {
  await page.locator('#picture-note').waitFor();
  assert.equal(await page.locator('#picture-note').textContent(), 'Copied the picture, with the link under it.');
  return seen(page);
}

test('the keyboard copies the leaderboard and a ranking as images with the link under them, or saves them',
  async () => {
  const visit = await rankbox.open('/');
  const { page } = visit;
  await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await ready(page);
  for (const [path, what] of [['/', '#leaderboard'], ['/play', 'main'], ['/search', '#columns']]) {
    if (path !== '/') {
      await page.goto(path);
      await ready(page);
      if (path === '/play') await page.waitForFunction(() =>
        document.getElementById('play-formula')?.shadowRoot?.querySelector('mfrac'));
      else {
        await page.waitForSelector('#columns li[data-doc]');
      }
    }
    await page.locator('#open-share').click();
    await page.locator('#copy-picture').focus();
    await page.keyboard.press('Enter');
    const picture = await copied(page);
    const box = await page.locator(what).boundingBox();
    assert.ok(picture.width >= 2 * box.width && picture.height > 200,
      `${what} ${JSON.stringify(box)}: ${JSON.stringify(picture)}`);
    assert.ok(picture.above > 3000 && picture.link > 300, `${what}: ${JSON.stringify(picture)}`);
  }
  await page.evaluate(() => { navigator.clipboard.write = () => Promise.reject(new Error('closed')); });
  const [download] = await Promise.all([page.waitForEvent('download'), choose(page, '#copy-picture')]);
  assert.equal(download.suggestedFilename(), 'rankbox.png');
  assert.ok((await seen(page, await readFile(await download.path(), 'base64'))).above > 3000);
  assert.match(await page.locator('#picture-note').textContent(), /saved as rankbox\.png/);
  await visit.done();
});

test('a system that is left keeps its letter and its colour, after a reload too', async () => {
  const visit = await rankbox.open('/search');
  const { page } = visit;
  await ready(page);
  await page.waitForSelector('#columns li[data-doc]');
  const badges = () => page.$$eval('#columns section > header .sys',
    (all) => all.map((e) => e.textContent + getComputedStyle(e).backgroundColor));
  const before = await badges();
  await page.locator('#edit-1').click();
  await page.locator('#remove-1').click();
  await page.waitForFunction(() => document.querySelectorAll('#columns section').length === 3);
  const after = [before[0], before[2], before[3]];
  assert.deepEqual(await badges(), after);
  await page.waitForFunction(() => location.hash.includes('as=ACD'));
  await page.reload();
  await ready(page);
  await page.waitForSelector('#columns li[data-doc]');
  assert.deepEqual(await badges(), after);
  await visit.done();
});

test('the header is one line at every width, and two on a phone', async () => {
  const visit = await rankbox.open('/search');
  await ready(visit.page);
  for (const width of [390, 700, 800, 960, 1000, 1100, 1280]) {
    await visit.page.setViewportSize({ width, height: 800 });
    const { height } = await visit.page.locator('header.frame').boundingBox();
    assert.ok(height <= (width < 700 ? 104 : 64), `${height} px at ${width}`);
    assert.equal(await visit.overflow(), 0, `at ${width}`);
  }
  await visit.done();
});
