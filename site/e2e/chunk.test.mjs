// Nightly: chunked collections.
// Documents are split into chunks on the page: seen first, searched, graded, and split again without their files.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { choose, commandLine, lab, results, scratch } from './harness.mjs';

const run = promisify(execFile);
const rankbox = lab({ context: { serviceWorkers: 'allow' } });
const file = (name, text) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
const hostile = '<img src=x onerror="document.title = 1"> \u202Eevil';
const topics = ['ferry', 'storm', 'crane', 'fog'];

/** Twelve documents of three sections each; the last section of each is about its topic alone. */
const notes = Array.from({ length: 12 }, (_, i) => {
  const topic = topics[i % 4];
  return file(`note-${String(i).padStart(2, '0')}.md`, `---
title: Day ${i}
date: 2024-03-${String(i + 1).padStart(2, '0')}
category: ${i % 2 ? 'boats' : 'weather'}
---
The harbour of day ${i}. ${i === 0 ? hostile : 'Nothing else.'} It was quiet.

## Morning

Ships came in. They left again. The pilots slept.

## The ${topic}

A ${topic} was seen at noon. It was a large ${topic}. Everybody spoke of it.
`);
});

const live = (page) => page.waitForFunction(() => document.querySelector('#files')?.disabled === false, null,
  { timeout: 240_000 });
const says = (page, selector, text) => page.waitForFunction(([s, t]) =>
  document.querySelector(s)?.textContent.includes(t), [selector, text], { timeout: 60_000 });
const listed = (page, n) => page.waitForFunction((n) =>
  [...document.querySelectorAll('#judge-todo tbody td:last-child')]
    .reduce((sum, e) => sum + Number(e.textContent), 0) === n,
n, { timeout: 240_000 });
const graded = (page, n) => page.waitForFunction((n) =>
  new RegExp(`(^| )${n} of |; ${n} in all`).test(document.getElementById('judge-progress')?.textContent),
n, { timeout: 60_000 });

test('Markdown is split at headings, searched, graded, split again by sentences, and keeps its grades over a reload',
  { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('/collections');
  const { page } = visit;
  await live(page);
  await page.setInputFiles('#files', notes);
  await page.waitForSelector('#index', { timeout: 240_000 });
  assert.equal(await page.textContent('#index'), 'Index 12 documents');
  assert.equal(await page.locator('#kept tbody tr').count(), 0, 'nothing is indexed yet');
  const fields = await page.locator('#page-fields tbody tr').evaluateAll((all) =>
    all.map((r) => `${r.cells[0].textContent} ${r.cells[3].textContent}`));
  assert.deepEqual(fields, ['id 12', 'title 12', 'text 12', 'date 12', 'category 12', 'url 0']);

  // the text is shown as text
  assert.match(await page.textContent('#sample'), /<img src=x onerror="document\.title = 1"> \[U\+202E\]evil/);
  assert.equal(await page.locator('#split img').count(), 0);
  await page.selectOption('[aria-label="Where the title is from"]', '1');
  await says(page, '#sample h3', 'note-00');
  await page.selectOption('[aria-label="Where the title is from"]', '0');
  await says(page, '#sample h3', 'Day 0');

  await page.selectOption('#split-way', 'headings');
  await says(page, '#split-said', '36 chunks of 12 documents.');
  assert.equal(await page.textContent('#index'), 'Index 36 chunks');
  const pieces = () => page.locator('#sample .pieces li').allTextContents();
  assert.deepEqual((await pieces()).map((t) => t.replace(/\s+/g, ' ').slice(0, 32)),
    ['Chunk 1, 14 words The harbour of', 'Chunk 2, 10 words Morning Ships ', 'Chunk 3, 17 words The ferry A fe']);
  await page.click('[aria-label="Next document"]');
  await says(page, '#sample .place', '2 of 12');
  await says(page, '#sample', 'The storm');
  await visit.shot('chunks-preview');
  assert.deepEqual(await visit.accessibilityInBoth('chunks'), []);
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await visit.overflow(), 0);
  await visit.shot('chunks-preview-phone');
  await page.setViewportSize({ width: 1366, height: 900 });

  await page.click('#index');
  await page.waitForSelector('#search-made', { timeout: 240_000 });
  assert.match(await page.textContent('#made'), /12 documents by headings” is ready: 36 chunks\./);
  assert.match(await page.textContent('#kept tbody'), /36 chunks/);
  await page.click('#search-made');
  await page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'ready', null,
    { timeout: 240_000 });
  await page.fill('#q', 'large storm at noon');
  await results(page);
  await page.waitForFunction(() => document.querySelector('#columns')?.dataset.of === 'large storm at noon', null,
    { timeout: 240_000 });
  assert.match(await page.locator('#columns ol.hits .meta').first().textContent(),
    /chunk 3 of 3 of note-(01|05|09)\.md/);
  await visit.shot('chunks-search');
  await page.reload();
  await page.waitForFunction(() => /chunk 3 of 3 of note-/.test(document.querySelector(
    '#columns ol.hits .meta')?.textContent), null, { timeout: 240_000 });

  // the best three are graded
  await page.click('nav a[href^="/judge"]');
  await page.click('#judge-keep', { timeout: 240_000 });
  await page.waitForSelector('#judged-title', { timeout: 240_000 });
  assert.match(await page.locator('#judged-document .meta').textContent(), /chunk 3 of 3 of note-/);
  for (const [i, key] of ['3', '2', '0'].entries()) {
    const before = await page.locator('#judged-document .meta').textContent();
    await page.keyboard.press(key);
    await graded(page, i + 1);
    await page.waitForFunction((t) => document.querySelector('#judged-document .meta')?.textContent !== t, before);
  }

  // saved as one file, it opens in the terminal with the same chunks
  const folder = await scratch();
  await page.goto('/collections');
  await page.waitForSelector('#kept .export', { timeout: 240_000 });
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#kept .export')]);
  const zip = join(folder, 'notes.workspace.zip');
  await download.saveAs(zip);
  const tool = await commandLine();
  const { stdout: hits } = await run(tool, ['search', '-quiet', zip, '-s', 'bm25', '-k', '3']);
  assert.match(hits, /^\S+ Q0 note-(01|05|09)\.md#3 1 /);
  const { stdout: about } = await run(tool, ['workspace', zip]);
  assert.match(about, /36/);

  // split again, without files
  await page.click('#kept .split-again');
  await page.waitForSelector('#split-way', { timeout: 240_000 });
  assert.match(await page.textContent('#import'), /^Split 12 documents by headings again$/);
  await page.selectOption('#split-way', 'sentences');
  await page.fill('#split-n', '2');
  await page.locator('#split-n').blur();
  await page.fill('#split-overlap', '2');
  await page.locator('#split-overlap').blur();
  await says(page, '#split .misfit', 'overlap must be smaller than n');
  assert.equal(await page.locator('#index').isDisabled(), true);
  await page.fill('#split-overlap', '1');
  await page.locator('#split-overlap').blur();
  await page.waitForFunction(() => /^Index \d+ chunks$/.test(document.querySelector('#index')?.textContent) &&
    !document.querySelector('#index').disabled);
  await visit.shot('chunks-again');
  await page.click('#index');
  await page.waitForSelector('#judge-made', { timeout: 240_000 });
  assert.match(await page.textContent('#made'), /12 documents by sentences\(n=2\)” is ready: \d+ chunks/);
  assert.equal(await page.locator('#kept tbody tr').count(), 2);
  await page.click('#judge-made');
  const given = await page.waitForFunction(() => {
    const n = [...document.querySelectorAll('#judge-todo tbody td:last-child')]
      .reduce((sum, e) => sum + Number(e.textContent), 0);
    return n >= 3 && n;
  }, null, { timeout: 240_000 }).then((h) => h.jsonValue());
  await page.reload();
  await listed(page, given);
  await page.locator('#judge-todo button').first().click();
  await page.waitForSelector('#judged-title', { timeout: 240_000 });
  await page.waitForFunction(() => /chunk \d+ of \d+ of note-/.test(
    document.querySelector('#judged-document .meta')?.textContent));

  // both are on one board, by document and by passage
  await choose(page, '#add-documents');
  await page.click('#compare-documents', { timeout: 60_000 });
  const systems = () => page.waitForFunction(() => {
    const names = [...document.querySelectorAll('#board tbody th')].map((e) => e.textContent);
    return ['headings', 'sentences(n=2)'].every((w) => names.some((n) => n.includes(w))) && names.join('|');
  }, null, { timeout: 240_000 });
  await systems();
  await visit.shot('chunks-board');
  await choose(page, '#add-documents');
  await page.click('#compare-spans', { timeout: 60_000 });
  await says(page, '#board thead', 'IoU@5');
  await systems();
  await visit.shot('chunks-board-spans');
  await visit.done();
});

const line = (o) => `${JSON.stringify(o)}\n`;
test('labels that reanchor was unsure of are accepted, skipped, dropped and taken back by keys, and survive a reload',
  { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('/collections');
  const { page } = visit;
  await live(page);
  await page.setInputFiles('#files', [file('port.md',
    '# Port\n\nThe port was closed. It opened at noon. Cranes stood still.\n'),
    file('fog.md', '# Fog\n\nFog came over the port.\n'), file('queries.csv', 'id,query\n7,when did the port open\n')]);
  await page.click('#index', { timeout: 240_000 });
  await page.click('#judge-made', { timeout: 240_000 });
  await page.waitForSelector('#layer-files:not([disabled])', { state: 'attached', timeout: 240_000 });
  const now = 'It opened at noon.';
  const at = 'The port was closed. '.length;
  await page.setInputFiles('#layer-files', [file('unsure.jsonl',
    line({ query: '7', document: 'port.md', layer: 'Ada', grade: 2, quote: 'It opened later <b>that</b> day.',
      candidate_start: at, candidate_end: at + now.length, candidate: now, kept: 0.5,
      reason: 'more of the passage changed' })
    + line({ query: '7', document: 'fog.md', layer: 'Ada', grade: 1, quote: 'Fog', candidate_start: 0,
      candidate_end: 3, candidate: 'Fog', kept: 1, reason: 'it is there twice' })
    + line({ query: '7', document: 'gone.md', layer: 'Ada', grade: 1, quote: 'x', candidate_start: 0, candidate_end: 1,
      candidate: 'x', kept: 1, reason: 'r' }))]);
  await says(page, '#unsure-title', '2 labels to look at');
  assert.match(await page.textContent('#layers-said'), /1 label is of other queries or documents/);
  assert.equal(await page.textContent('#unsure-was'), 'It opened later <b>that</b> day.');
  assert.equal(await page.textContent('#unsure-now mark'), now);
  assert.match(await page.textContent('#unsure-about'), /Grade 2 for “when did the port open”, by Ada\./);
  await visit.shot('unsure');
  assert.deepEqual(await visit.accessibilityInBoth('unsure'), []);
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await visit.overflow(), 0);
  await visit.shot('unsure-phone');
  await page.setViewportSize({ width: 1366, height: 900 });
  await page.keyboard.press('ArrowRight');
  await says(page, '#unsure-was', 'Fog');
  await page.keyboard.press('d');
  await says(page, '#unsure-title', '1 label to look at');
  await page.keyboard.press('u');
  await says(page, '#unsure-title', '2 labels to look at');
  await page.reload();
  await says(page, '#unsure-was', 'It opened later');
  await page.keyboard.press('a');
  await says(page, '#unsure-title', '1 label to look at');
  await page.reload();
  await says(page, '#unsure-title', '1 label to look at');
  await page.waitForFunction(() => [...document.querySelectorAll('#layers-list tbody tr')].some((r) =>
    r.querySelector('input')?.value === 'Ada' && /(^|\D)1(\D|$)/.test(r.cells[3].textContent)));
  await visit.done();
});
