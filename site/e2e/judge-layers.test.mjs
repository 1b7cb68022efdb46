// Nightly: layers of many judges.
// Layers of judgments on Judge: files become layers, a rule resolves them, they are compared and adjudicated, and a
// class hands in.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { commandLine, lab, ready, results, root, scratch } from './harness.mjs';

const rankbox = lab({ context: { serviceWorkers: 'allow' } });
const qrels = (name) => join(root, 'site/collections/harbour-wire/qrels', `${name}.tsv`);
const file = (name, text) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
const reread = async (name, as) => file(as, await readFile(qrels(name)));
const row = (page, name) =>
  page.locator('#layers-list tbody tr').filter({ has: page.locator(`input[aria-label="Author of ${name}"]`) });
const rows = (page, n) => page.waitForFunction((n) => document.querySelectorAll('#layers-list tbody tr').length === n,
  n, { timeout: 120_000 });

// The start of Judge, with the list of layers.
async function start(page) {
  await page.waitForSelector('#judge-list, #layer-files', { state: 'attached', timeout: 240_000 });
  if (await page.locator('#judge-list').count()) await page.locator('#judge-list').click();
  await page.waitForSelector('#layer-files', { state: 'attached', timeout: 60_000 });
}

async function open(path) {
  const visit = await rankbox.open(path);
  await ready(visit.page);
  return visit;
}

// Search, with a judged query.
async function search(page, query) {
  await page.click('nav a[href^="/search"]');
  await page.waitForSelector('#judged:enabled', { timeout: 60_000 });
  if ((await page.locator('#judged').inputValue()) !== query) await page.selectOption('#judged', query);
  await results(page);
}

const scored = (page, text, same = true) => page.waitForFunction(
  ([t, same]) => { const e = document.querySelector('#system-0 .score'); return e && (e.textContent === t) === same; },
  [text, same], { timeout: 120_000 });
const figure = (page) => page.locator('#system-0 .score').first().textContent();

test('qrels become a layer that counts everywhere, is renamed, hidden, removed and undone, and survives a reload',
  { timeout: 600_000 }, async () => {
  const visit = await open('/search');
  const { page } = visit;
  await results(page);
  const before = await figure(page);
  const query = await page.locator('#judged').inputValue();
  await page.click('nav a[href^="/judge"]');
  await start(page);
  await rows(page, 1); // the collection's own
  assert.match(await page.locator('#layers-list').textContent(), /11,220/);
  // every document is relevant to every query, to the highest degree
  const lines = (await readFile(qrels('test'), 'utf8')).trim().split('\n').slice(1);
  const all = lines.map((l) => l.split('\t'));
  await page.setInputFiles('#layer-files', [file('Ada.qrels', all.map(([q, d]) => `${q} 0 ${d} 3\n`).join('')),
    file('notes.md', '# no judgments\n')]);
  await rows(page, 2);
  const said = await page.locator('#layers-said').textContent();
  assert.match(said, /Ada: 11,220 grades added\./);
  assert.match(said, /notes\.md: line 1: nothing but comments/);
  await search(page, query);
  await scored(page, before, false);
  const layered = await figure(page);
  await page.reload();
  await ready(page);
  await scored(page, layered);

  const other = await visit.tab(rankbox.url + 'judge'); // of the same profile
  await ready(other);
  await rows(other, 2);
  visit.page = page;
  await page.click('nav a[href^="/judge"]');
  await start(page);
  await rows(page, 2);
  await row(page, 'Ada').locator('input[type=text]').fill('Ada Lovelace');
  await page.keyboard.press('Tab');
  await row(other, 'Ada Lovelace').waitFor({ timeout: 60_000 });
  await row(page, 'Ada Lovelace').locator('input[type=checkbox]').uncheck();
  await page.waitForFunction(() => document.querySelector('#layers-rule'));
  await search(page, query);
  await scored(page, before);
  await page.click('nav a[href^="/judge"]');
  await start(page);
  await row(page, 'Ada Lovelace').locator('input[type=checkbox]').check();
  await row(page, 'Ada Lovelace').getByRole('button', { name: /^Remove/ }).click();
  await rows(page, 1);
  await rows(other, 1);
  await page.keyboard.press('Control+z');
  await rows(page, 2);
  const save = row(page, 'Ada Lovelace').getByRole('button', { name: /^Save/ });
  const [saved] = await Promise.all([page.waitForEvent('download'), save.click()]);
  assert.equal(saved.suggestedFilename(), 'Ada Lovelace.qrels');
  assert.equal((await readFile(await saved.path(), 'utf8')).trim().split('\n').length, all.length);
  assert.deepEqual(await visit.accessibility(), []);
  await visit.shot('judge-layers');
  await visit.done();
});

// A number as the page writes it, and how many decimals it shows.
function number(text) {
  const plain = text.replace(/[\s\u00a0\u202f,]/g, '').replace('\u2212', '-');
  const m = plain.match(/^([+-]?\d+(?:\.(\d+))?)(%?)$/);
  return m && { value: Number(m[1]), decimals: m[2]?.length ?? 0, scale: m[3] ? 100 : 1 };
}

test('the agreement of layers has the figures of rankbox agree, and says what it does to the order of the systems',
  { timeout: 600_000 }, async () => {
  const visit = await open('/judge');
  const { page } = visit;
  await start(page);
  await page.setInputFiles('#layer-files', [await reread('blind', 'Ada.tsv')]);
  await rows(page, 2);
  await row(page, 'Ada').locator('select').selectOption('model');
  await page.click('#layers-agree');
  await page.waitForSelector('#layer-judges', { timeout: 240_000 });
  const folder = await scratch();
  const [ours, theirs] = [join(folder, 'Ada.tsv'), join(folder, 'the collection.tsv')];
  await copyFile(qrels('blind'), ours);
  await copyFile(qrels('test'), theirs);
  const command = await commandLine();
  const { sections } = JSON.parse((await promisify(execFile)(command, ['agree', '-o', 'json', ours, theirs])).stdout);
  const shown = await page.locator('#layer-judges table').evaluateAll((tables) =>
    tables.map((t) => [...t.tBodies[0].rows].map((r) => [...r.cells].map((c) => c.textContent))));
  const said = sections[0].tables;
  assert.equal(shown.length, said.length);
  let compared = 0;
  for (const [t, table] of said.entries()) for (const [r, cells] of table.rows.entries())
    for (const [c, value] of cells.entries()) {
    const n = typeof value === 'number' && number(shown[t][r][c]);
    if (!n) {
      assert.equal(shown[t][r][c], String(value ?? '–'), `table ${t}, row ${r}, column ${c}`);
      continue;
    }
    assert.ok(Math.abs(n.value - value * n.scale) <= 0.5000001 * 10 ** -n.decimals, `${shown[t][r][c]} for ${value}`);
    compared++;
  }
  assert.ok(compared > 40, `${compared} figures`);
  assert.match(await page.locator('#layer-judged-order').textContent(), /τ_AP/);
  assert.match(await page.locator('#layer-judged-order p').first().textContent(), /^By nDCG@10 /);
  assert.match(await page.locator('#layer-model-bias p').first().textContent(),
    /Over the 176 documents that both judged/);
  assert.deepEqual(await visit.accessibility(), []);
  await visit.shot('judge-agreement');
  await visit.done();
});

test('the compared pair and the roles are chosen, and remembered', { timeout: 600_000 }, async () => {
  const visit = await open('/judge');
  const { page } = visit;
  await start(page);
  const lines = (await readFile(qrels('blind'), 'utf8')).trim().split('\n').slice(1).map((l) => l.split('\t'));
  await page.setInputFiles('#layer-files', [await reread('blind', 'Ada.tsv'),
    file('Bob.qrels', lines.map(([q, d, g]) => `${q} 0 ${d} ${(Number(g) + 1) % 4}\n`).join(''))]);
  await rows(page, 3);
  const choice = (id) => page.locator(`#layers-${id}`);
  const chosen = (id) => choice(id).locator('option:checked').textContent();
  assert.equal(await choice('second').count(), 0);
  await choice('first').selectOption({ label: 'Ada' });
  await choice('second').selectOption({ label: 'Bob' });
  // every grade of Bob's is another than Ada's
  await page.waitForFunction((n) => document.querySelector('#disputes-said')?.textContent
    .startsWith(`${n} documents have grades of Ada and Bob that differ`), lines.length, { timeout: 60_000 });
  await choice('model').selectOption({ label: 'Bob' });
  await choice('human').selectOption({ label: 'the collection' });
  await page.click('#layers-agree');
  await page.waitForSelector('#layer-model-bias', { timeout: 240_000 });
  assert.match(await page.locator('#layer-judges p').first().textContent(),
    /^Ada and Bob give the same grade to 0\.0 % of the 176 documents/);
  assert.match(await page.locator('#layer-model-bias').textContent(), /Bob/);
  assert.doesNotMatch(await page.locator('#layer-judges').textContent(), /the collection/);
  assert.deepEqual(await visit.accessibilityInBoth('judge-choice'), []);
  await page.reload();
  await ready(page);
  await rows(page, 3);
  assert.deepEqual([await chosen('first'), await chosen('second'), await chosen('human'), await chosen('model')],
    ['Ada', 'Bob', 'the collection', 'Bob']);
  await page.setViewportSize({ width: 390, height: 844 });
  assert.ok((await visit.overflow()) <= 0, `${await visit.overflow()} px too wide`);
  await visit.shot('phone-judge-choice');
  await visit.done();
});

test('differences are adjudicated blind, the largest first, and the decision wins', { timeout: 600_000 }, async () => {
  const visit = await open('/judge');
  const { page } = visit;
  await start(page);
  await page.setInputFiles('#layer-files', [await reread('blind', 'Ada.tsv')]);
  await page.waitForSelector('#disputes', { timeout: 240_000 });
  const spreads = (await page.locator('#disputes tbody td:nth-child(3)').allTextContents()).map(Number);
  assert.deepEqual(spreads, spreads.toSorted((a, b) => b - a));
  assert.ok(spreads.length > 5);
  await page.click('#adjudicate');
  await page.waitForSelector('#judged-title', { timeout: 60_000 });
  assert.match(await page.locator('#judge-reveal').textContent(), /^Grade it first/);
  await page.keyboard.press('2');
  const told = '^Grades of this document: Ada \\d, the collection \\d\\.';
  await page.waitForFunction((t) => new RegExp(t).test(document.querySelector('#judge-reveal').textContent), told);
  await visit.shot('judge-adjudication');
  const first = await page.locator('#judged-document .meta').textContent();
  await page.click('#judge-next-dispute');
  await page.waitForFunction((t) => document.querySelector('#judged-title') &&
    document.querySelector('#judged-document .meta')?.textContent !== t, first, { timeout: 60_000 });
  assert.match(await page.locator('#judge-reveal').textContent(), /^Grade it first/);
  assert.deepEqual(await visit.accessibility(), []);
  await page.click('#judge-end');
  await rows(page, 3);
  assert.equal(await row(page, 'adjudicated').locator('td').nth(2).textContent(), '1');
  await page.reload();
  await ready(page);
  await rows(page, 3);
  assert.match(await page.locator('#disputes-said').textContent(), / 1 decided/);
  await visit.done();
});

test('a student judges a share of a pool on a phone, and a teacher drops what a class hands in at once',
  { timeout: 600_000 }, async () => {
  const visit = await rankbox.open('/judge', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const { page } = visit;
  await ready(page);
  await start(page);
  await page.setInputFiles('#layer-files', [file('share-07.run',
    'q02 Q0 hw-0003 1 2 share-07\nq02 Q0 hw-0001 2 1 share-07\n')]);
  await page.waitForFunction(() => /0 of 2 documents judged/.test(document.querySelector('#judge-share')?.textContent));
  await page.locator('#judge-first').tap();
  await page.waitForFunction(() => document.querySelector('#judged-document .meta')?.textContent.endsWith('hw-0003'),
    null, { timeout: 60_000 });
  await page.locator('#grade-2').tap();
  await page.waitForFunction(() => document.querySelector('#judged-document .meta')?.textContent.endsWith('hw-0001'),
    null, { timeout: 60_000 });
  await page.reload();
  await ready(page);
  await page.waitForFunction(() => /1 of 2 documents judged/.test(document.querySelector('#judge-share')?.textContent),
    null, { timeout: 240_000 });
  assert.ok((await visit.overflow()) <= 0, `${await visit.overflow()} px too wide`);
  await start(page);
  const line = (i, grade) => `q02 0 hw-${String(i + 1).padStart(4, '0')} ${grade}\n`;
  const grades = (name, f) => file(`${name}.qrels`, Array.from({ length: 12 }, (_, i) => line(i, f(i))).join(''));
  const handed = [grades('Bob', (i) => i % 2), grades('Cleo', (i) => i % 2), grades('Dan', (i) => (i + 1) % 2)];
  await page.setInputFiles('#layer-files', handed);
  await rows(page, 5);
  await page.locator('#layers-agree').tap();
  await page.waitForSelector('#layer-by-judge', { timeout: 240_000 });
  const judges = await page.locator('#layer-by-judge tbody th').allTextContents();
  assert.deepEqual(judges, ['you', 'Bob', 'Cleo', 'Dan', 'the collection']);
  assert.ok((await visit.overflow()) <= 0, `${await visit.overflow()} px too wide`);
  await visit.shot('phone-judge-layers');
  await visit.done();
});
