// Files become a collection that is searched, kept over a reload, and deleted.
import assert from 'node:assert/strict';
import test from 'node:test';
import { lab } from './harness.mjs';

const rankbox = lab();
const corpus = ['id,title,text', 'd1,Ferry,the ferry was late', 'd2,Storm,a storm closed the harbour', 'd3,Ferry again,a second ferry'].join('\n');
const file = (name, text) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

test('a CSV of documents is searched by words and by meaning, outlives a reload, and goes when it is deleted', { timeout: 120_000 }, async () => {
  const visit = await rankbox.open('/upload');
  const { page } = visit;
  const asked = [];
  await page.waitForFunction(() => document.querySelector('#files')?.disabled === false, null, { timeout: 60_000 });
  page.on('request', (r) => asked.push(r.url() + (r.postData() ?? '')));
  await page.setInputFiles('#files', [file('boats.csv', corpus), file('queries.jsonl', '{"_id":"q1","text":"harbour storm"}\n'), file('qrels.txt', 'q1 0 d2 1\n')]);
  await page.waitForSelector('#search-made', { timeout: 90_000 });
  assert.match(await page.textContent('#made'), /boats is ready: 3 documents, 1 query, 1 judgment\..*by words and by meaning/);
  await page.click('#search-made');
  await page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'ready');
  await page.fill('#q', 'ferry');
  const first = () => page.locator('#columns section').first().locator('ol.hits li').count();
  await page.waitForFunction(() => document.querySelectorAll('#columns section ol.hits li').length >= 8);
  assert.equal(await first(), 2);
  assert.match(page.url(), /upload-[0-9a-f]{16}/);
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll('#columns section ol.hits li').length >= 2, null, { timeout: 60_000 });
  assert.equal(await first(), 2);
  assert.ok(!asked.some((a) => a.includes('/uploads/') || a.includes('harbour storm')), 'no server was asked for anything of it');
  const link = page.url();
  await page.goto(`${new URL(link).origin}/upload`);
  await page.waitForSelector('#kept button');
  await page.click('#kept button');
  await page.click('#kept button');
  await page.waitForFunction(() => /Nothing is kept/.test(document.querySelector('#room').textContent));
  await page.goto(link);
  await page.waitForFunction(() => /is not on this device, or no longer: upload its files again/.test(document.body.textContent), null, { timeout: 60_000 });
  assert.ok(!(await page.textContent('body')).includes('damaged'));
  await visit.done();
});
