// A collection in which every field of every document, query and label is an attack: none runs, in any view or export.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { promisify } from 'node:util';
import { lab, root } from './harness.mjs';

await promisify(execFile)('go', ['run', './build', 'site', '-collections', 'site/e2e/fixtures/hostile', '-out', '.cache/hostile'], { cwd: root });

const rankbox = lab({ from: '.cache/hostile' });

test('a collection whose every field is an attack is shown as text: nothing runs, no element is made of it', async () => {
  const visit = await rankbox.open('/');
  const { page } = visit;
  const dialogs = [];
  page.on('dialog', (d) => { dialogs.push(d.message()); d.dismiss(); });
  const clean = async (where) => {
    await page.waitForTimeout(100);
    const made = await page.evaluate(() => [...document.querySelectorAll('#page script, #page img, #page iframe, #page math, #page textarea, #page style, #page [onload], #page [onerror], #page [ontoggle], #page [onfocus], #page a[href^="javascript:"]')].map((e) => e.outerHTML));
    assert.deepEqual(made, [], where);
    assert.deepEqual(dialogs, [], where);
  };
  await page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'ready', null, { timeout: 60_000 });
  await clean('home');
  assert.match(await page.locator('h1').textContent(), /<img src=x onerror=alert\(1\)> & "Wire"/);
  await page.locator('#q').fill('harbour <script>alert(2)</script>');
  await page.waitForSelector('#quick ol.hits li');
  await clean('home with results');
  await page.locator('#per-query summary').click();
  await clean('query by query');
  await page.locator('#per-query a').first().click();
  await page.waitForFunction(() => document.querySelectorAll('#system-0 ol.hits > li').length > 0);
  await clean('search');
  assert.match(await page.locator('#system-0').textContent(), /<script>alert\(1\)<\/script> title/);
  await page.locator('#filters summary').click();
  await page.selectOption('#category', { index: 1 });
  await page.waitForFunction(() => !document.querySelector('#filters summary').textContent.includes('all documents'));
  await clean('filters');
  await page.locator('#system-0 button.open').first().click();
  await page.waitForSelector('#why article');
  await clean('why');
  await page.locator('#edit-0').click();
  await page.locator('#notation-0').fill('<img src=x onerror=alert(3)>');
  await clean('editor');
  const link = page.url();
  assert.match(link, /#v=1&/);
  await page.reload();
  await page.waitForSelector('#why article');
  await clean('the link of all that');
  await visit.done();
});
