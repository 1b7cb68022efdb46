// Nightly: a whole class.
// A class without a server, on the built site, in Chromium. The oracle of the QR code is jsqr, which reads it off the
// screen.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { lab, pixels, ready, root } from './harness.mjs';

const rankbox = lab();
const jsqr = createRequire(import.meta.url)('jsqr');
const phone = { viewport: { width: 320, height: 700 }, hasTouch: true, isMobile: true };
const handed = JSON.parse(readFileSync(join(root, 'site/e2e/fixtures/class.json'), 'utf8'));

async function open(path, options) {
  const visit = await rankbox.open(path, options);
  await ready(visit.page);
  return visit;
}

test('a teacher puts a class together, and the code on the wall is its link', async () => {
  const visit = await open('/learn/class');
  const { page } = visit;
  await page.locator('#class-lessons input[value=ap]').check({ timeout: 240_000 });
  await page.locator('#class-title').fill('IR, group 2');
  await page.locator('#class-title').press('Tab');
  await page.waitForFunction(() => document.querySelector('#class-link')?.value.includes('t=IR'));
  const link = await page.locator('#class-link').inputValue();
  assert.match(link, /\/learn\/class#lesson=class1&t=IR%2C\+group\+2&l=ap&e=ap\.1~/);
  assert.equal(jsqr(...(await pixels(visit, page.locator('#class-qr'))))?.data, link);
  assert.deepEqual(await visit.accessibility(), []);
  await page.keyboard.press('Escape');
  await page.locator('h1').click();
  await page.keyboard.press('p');
  await page.waitForFunction(() => document.querySelector('#class-qr').getBoundingClientRect().width > 400);
  assert.equal(jsqr(...(await pixels(visit, page.locator('#class-qr'))))?.data, link);
  await visit.shot('class-presenter');
  const at = page.url();
  await visit.tab(at);
  await ready(visit.page);
  assert.equal(await visit.page.locator('#class-link').inputValue(), link);
  await visit.done();
});

test('a student answers on a phone, is told the mistakes, and what is handed in is read by the teacher', async () => {
  const visit = await open(`/learn/class#${handed.Link}`, { ...phone, acceptDownloads: true });
  const { page } = visit;
  assert.equal(await page.locator('.drill').count(), 0, 'no exercise without a name');
  await page.locator('#class-who').fill('Zoë 4711');
  await page.locator('#class-who').press('Tab');
  await page.waitForSelector('#class-item-4');
  const first = page.locator('#class-item-0');
  for (let i = 0; i < 3; i++) {
    const options = first.locator('.option:not([disabled])');
    if (!(await options.count())) break;
    await options.nth(i).click();
    await page.waitForFunction(() => document.querySelector('#class-item-0 .said').textContent !== '');
  }
  assert.ok(await first.locator('.option').first().isDisabled(), 'three answers, or a right one, and it is over');
  const second = page.locator('#class-item-1');
  await second.locator('input').fill('17');
  await second.locator('button[type=submit]').click();
  assert.match(await second.locator('.said').textContent(), /Not yet.* 2 more to go\.$/);
  const order = page.locator('#order-4 > li');
  const names = () => order.locator('.title').allTextContents();
  const before = await names();
  await order.first().locator('.grip').focus();
  await page.keyboard.press('Alt+ArrowDown');
  assert.deepEqual(await names(), [before[1], before[0], ...before.slice(2)]);
  await page.locator('#class-item-4 .submit').click();
  assert.match(await page.locator('#class-item-4 .said').textContent(), /^(Right|Not yet)/);
  assert.ok((await visit.overflow()) <= 0, `${await visit.overflow()} px too wide`);
  assert.deepEqual(await visit.accessibility(), []);
  await visit.shot('class-student');
  await page.reload();
  await ready(page);
  await page.waitForSelector('#class-item-4');
  assert.equal(await page.locator('#class-who').inputValue(), 'Zoë 4711');
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#class-save').click()]);
  const file = await readFile(await download.path(), 'utf8');
  assert.match(file, /^Rankbox class result, version 1\nclass: IR, group 2 /);
  const code = await page.locator('#class-code-text').inputValue();
  assert.ok(file.includes(`code: ${code}\n`));

  await visit.tab(`${rankbox.origin}/learn/class#${handed.Link.replace('class1', 'teach1')}`);
  const teacher = visit.page;
  await ready(teacher);
  await teacher.locator('#class-codes').fill(`Zoë\t${code.toLowerCase()}`);
  await teacher.locator('#class-read').click();
  await teacher.waitForSelector('#class-book');
  assert.match(await teacher.locator('#class-book tbody tr').first().textContent(), /^Zoë 4711/);
  await visit.done();
});

test('thirty files are read: who answered what, what is common, and which do not count and why', async () => {
  const visit = await open('/learn/class', { acceptDownloads: true });
  const { page } = visit;
  await page.locator('#class-files')
    .setInputFiles(handed.Files.map((f) => ({ name: f.Name, mimeType: 'text/plain', buffer: Buffer.from(f.Text) })));
  await page.waitForSelector('#class-book', { timeout: 240_000 });
  assert.match(await page.locator('#class-finding').textContent(),
    /^27 results count, 3 of 30 papers do not\. The mistake made most is in exercise \d, by \d+ students: they have .{10,}\.$/);
  const rows = page.locator('#class-book tbody tr');
  assert.equal(await rows.count(), 30);
  const said = async (name) => page.locator('#class-book tbody tr',
    { has: page.locator('th', { hasText: new RegExp(`^${name}$`) }) }).locator('td').last().textContent();
  assert.match(await said('student 8'),
    /changed by hand: line 5 says “right: 5 of 5, .*”, its answers give “right: 1 of 5, /);
  assert.match(await said('student-4.txt'), /damaged/);
  assert.match(await said('student-12.txt'), /^IR, group 2 \(/);
  // 30 students had 0 to 5 right in turn, five of each; without the 4th (3), the 8th (1) and the 12th (5)
  assert.deepEqual(await page.locator('#class-spread tbody td:nth-child(2)').allTextContents(),
    ['5', '4', '5', '4', '5', '4']);
  assert.equal(await page.locator('#class-by-item tbody tr').count(), 5);
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#class-csv').click()]);
  const csv = (await readFile(await download.path(), 'utf8')).trim().split('\n');
  assert.equal(csv.length, 31);
  assert.match(csv[0], /^student,file,status,points,/);
  assert.deepEqual(await visit.accessibility(), []);
  await visit.shot('class-book');
  await visit.done();
});
