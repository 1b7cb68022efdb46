// Files become a collection that is searched, kept over a reload, and deleted.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { choose, lab, results } from './harness.mjs';

const rankbox = lab({ context: { serviceWorkers: 'allow' } });
const corpus = ['id,title,text', 'd1,Ferry,the ferry was late', 'd2,Storm,a storm closed the harbour',
  'd3,Ferry again,a second ferry'].join('\n');
const file = (name, text) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

test('text that is pasted is looked at and indexed like a file', { timeout: 600_000 }, async () => {
  const visit = await rankbox.open('/collections');
  const { page } = visit;
  await page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'ready');
  await page.click('#paste-documents summary');
  await page.fill('#pasted', 'sku,name,description\nA1,Anchor,Holds a boat\nB2,Buoy,<b>Floats</b> by the harbour\n');
  await page.click('#add-pasted');
  await page.waitForSelector('#index', { timeout: 240_000 });
  assert.match(await page.locator('#fields-0').textContent(), /sku.*name.*description/s);
  await page.click('#index');
  await page.waitForSelector('#search-made', { timeout: 240_000 });
  assert.match(await page.textContent('#made'), /pasted” is ready: 2 documents\./);
  await visit.done();
});

test('a CSV of documents is searched by words and by meaning, outlives a reload, and goes when it is deleted',
  { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('/upload');
  const { page } = visit;
  const asked = [];
  await page.waitForFunction(() => document.querySelector('#files')?.disabled === false, null, { timeout: 240_000 });
  page.on('request', (r) => asked.push(r.url() + (r.postData() ?? '')));
  // at once, while the first of them is read, another screen is given files of its own
  await page.evaluate((list) => {
    const choose = (files) => {
      const input = document.querySelector('#files');
      const data = new DataTransfer();
      for (const [name, text] of files) data.items.add(new File([text], name));
      input.files = data.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    };
    choose(list);
    document.querySelector('nav a[href="/evaluate"]').click();
    choose([['a.run', 'q1 Q0 d1 1 1 a\n']]);
    document.querySelector('a[href="/collections"]').click();
  }, [['boats.csv', corpus], ['queries.jsonl', '{"_id":"q1","text":"harbour storm"}\n'], ['qrels.txt', 'q1 0 d2 1\n']]);
  await page.click('#index', { timeout: 240_000 });
  await page.waitForSelector('#search-made', { timeout: 240_000 });
  assert.match(await page.textContent('#made'),
    /boats” is ready: 3 documents, 1 query, 1 judgment\..*by words and by meaning/);
  await page.click('#search-made');
  await page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'ready');
  await page.waitForFunction(() => document.querySelector('#columns')?.dataset.of === 'harbour storm');
  await page.fill('#q', 'ferry');
  const first = () => page.locator('#columns section').first().locator('ol.hits li').count();
  await results(page, 3);
  assert.equal(await first(), 2);
  // a document is opened, and the ranking played with; a reload shows the same
  await page.locator('#columns section').first().locator('ol.hits button.open').first().click();
  await page.waitForSelector('#why tfoot', { timeout: 240_000 });
  await page.locator('#system-0 a.play').click();
  const titles = () => page.locator('#hand-0 .title > span:first-child').allTextContents();
  await page.waitForFunction(() => document.querySelectorAll('#hand-0 .title').length === 2, null,
    { timeout: 240_000 });
  const found = await titles();
  assert.deepEqual(found.toSorted(), ['Ferry', 'Ferry again']);
  await page.click('#play-reverse');
  const played = found.toReversed();
  await page.waitForFunction((t) => document.querySelector('#hand-0 .title > span').textContent === t, played[0]);
  await page.reload();
  await page.waitForFunction((n) => document.querySelectorAll('#hand-0 .title').length === n, played.length,
    { timeout: 240_000 });
  assert.deepEqual(await titles(), played);
  const cdp = await visit.context.newCDPSession(page);
  const visited = (await cdp.send('Page.getNavigationHistory')).entries.map((e) => `${e.url} ${e.title}`);
  assert.ok(visited.length > 3);
  for (const at of visited) assert.doesNotMatch(at, /ferry|harbour|[=&]d=|\bd1\b/i, 'the history names documents');
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('#columns')?.dataset.of === 'ferry', null,
    { timeout: 240_000 });
  assert.match(page.url(), /upload-[0-9a-f]{16}/);
  await page.reload();
  await page.waitForFunction(() => document.querySelector('#columns')?.dataset.of === 'ferry', null,
    { timeout: 240_000 });
  assert.equal(await first(), 2);
  assert.ok(!asked.some((a) => a.includes('/uploads/') || a.includes('harbour storm')),
    'no server was asked for anything of it');
  const link = page.url();
  await page.goto(`${new URL(link).origin}/upload`);
  await page.waitForSelector('#kept .delete');
  await page.click('#kept .delete');
  await page.click('#kept .delete');
  await page.waitForFunction(() => /Nothing is saved/.test(document.querySelector('#room').textContent));
  await page.goto(link);
  await page.waitForFunction(() => /is not on this device, or no longer: upload its files again/.test(
    document.body.textContent), null, { timeout: 240_000 });
  assert.ok(!(await page.textContent('body')).includes('damaged'));
  await visit.done();
});

test('the collections of the site are listed with what they hold, and each has a card; the address that the screen had opens it',
  async () => {
  const visit = await rankbox.open('/upload');
  const { page } = visit;
  await page.waitForSelector('#gallery tbody');
  const listed = await (await fetch(`${rankbox.origin}/collections.json`)).json();
  const rows = await page.locator('#gallery tbody').evaluateAll((all) => all.map((e) => e.textContent));
  assert.equal(rows.length, listed.collections.length);
  for (const [i, c] of listed.collections.entries()) for (const part of [c.name, c.sentence, c.documents, c.queries,
    c.licence, ...c.models]) assert.ok(rows[i].includes(part), `${part} in ${rows[i]}`);
  await page.waitForFunction(() => document.querySelector('#gallery tbody').textContent.endsWith('In use'));
  await page.locator('#gallery tbody .link').first().click();
  await page.locator('#gallery .card dl').waitFor();
  assert.match(await page.locator('#gallery .card').textContent(), /Analyzerlucene-english/);
  assert.deepEqual(await visit.accessibilityInBoth('collections'), []);
  await page.locator('#gallery tbody .link').first().click();
  assert.equal(await page.locator('#gallery .card').count(), 0);
  await page.setViewportSize({ width: 320, height: 640 });
  assert.equal(await visit.overflow(), 0);
  await visit.done();
});

const ready = (page) => page.waitForFunction(() => document.querySelector('#files')?.disabled === false, null,
  { timeout: 240_000 });
const hits = (page) => page.waitForFunction(() => document.querySelectorAll('#columns section ol.hits li').length >= 2,
  null, { timeout: 240_000 });
const typed = async (page) => {
  await page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'ready', null,
    { timeout: 240_000 });
  await page.fill('#q', 'ferry');
  await hits(page);
};

test('what the browser has no room for is said and searched all the same, and kept once there is room; what it has deleted by itself is named, and its files bring the link back',
  { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('/upload');
  const { page } = visit;
  await ready(page);
  const cdp = await visit.context.newCDPSession(page);
  const { usage } = await cdp.send('Storage.getUsageAndQuota', { origin: rankbox.origin });
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: rankbox.origin, quotaSize: usage + 500 });
  await page.setInputFiles('#files', [file('boats.csv', corpus)]);
  await page.click('#index', { timeout: 240_000 });
  await page.waitForSelector('#search-made', { timeout: 240_000 });
  assert.match(await page.textContent('#unkept'),
    /Not saved on this device: .*(browser grants this site|room that the browser has).* You can search it until you close or reload this tab\./);
  assert.equal(await page.locator('#kept').count(), 0);
  await visit.shot('upload-no-room');
  assert.deepEqual(await visit.accessibility(), []);
  await page.click('#search-made');
  await typed(page);
  const link = page.url();
  await page.reload(); // it is gone with the tab, which says so and leads on
  await page.waitForFunction(() => /is not on this device, or no longer: upload its files again/.test(
    document.body.textContent), null, { timeout: 240_000 });

  await cdp.send('Storage.overrideQuotaForOrigin', { origin: rankbox.origin });
  await page.goto('/upload');
  await ready(page);
  await page.setInputFiles('#files', [file('boats.csv', corpus)]);
  await page.click('#index', { timeout: 240_000 });
  await page.waitForSelector('#kept', { timeout: 240_000 });
  assert.equal(await page.locator('#unkept').count(), 0);
  await page.goto(link);
  await hits(page);

  await page.evaluate(() => caches.delete('uploads of Rankbox')); // as a browser does that runs short of room
  await page.reload();
  await page.waitForFunction(() => /is not on this device, or no longer: upload its files again/.test(
    document.body.textContent), null, { timeout: 240_000 });
  await choose(page, '#add-documents');
  await ready(page);
  await page.setInputFiles('#files', [file('boats.csv', corpus)]);
  await page.click('#index', { timeout: 240_000 });
  await page.waitForSelector('#search-made', { timeout: 240_000 });
  await page.goto(link);
  await hits(page);
  await visit.done();
});

// A page without https has no Cache Storage, no more than some private windows.
const bare = lab({ flags: ['--host-resolver-rules=MAP rankbox.test 127.0.0.1', '--proxy-bypass-list=rankbox.test'] });
test('a browser that keeps nothing searches the files all the same, and says how long', { timeout: 900_000 },
  async () => {
  const visit = await bare.open(`http://rankbox.test:${new URL(bare.origin).port}/upload`);
  const { page } = visit;
  await ready(page);
  assert.equal(await page.evaluate(() => 'caches' in globalThis), false);
  await page.waitForFunction(() => /Nothing can be saved here: .*a private window, or a page without https/.test(
    document.querySelector('#room').textContent));
  await page.setInputFiles('#files', [file('boats.csv', corpus)]);
  await page.click('#index', { timeout: 240_000 });
  await page.waitForSelector('#search-made', { timeout: 240_000 });
  assert.match(await page.textContent('#unkept'), /Not saved on this device: [Tt]his browser keeps nothing/);
  await page.click('#search-made');
  await typed(page);
  await visit.shot('upload-nothing-kept');
  // which the browser says of every page without https
  visit.errors = visit.errors.filter((e) => !e.includes('Cross-Origin-Opener-Policy'));
  await visit.done();
});

const graded = (page) => page.waitForFunction(() =>
    /(^| )1 of |; 1 in all/.test(document.getElementById('judge-progress')?.textContent),
  null, { timeout: 60_000 });

// A week later the documents have changed: nothing that was made over them stays behind.
test('documents that have changed get the queries and grades of their earlier state, and Home leads back',
  { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('/collections');
  const { page } = visit;
  await ready(page);
  await page.setInputFiles('#files', [file('boats.csv', corpus)]);
  await page.click('#index', { timeout: 240_000 });
  await page.click('#search-made', { timeout: 240_000 });
  await typed(page);
  await page.click('nav a[href="/judge"]');
  await page.click('button:has-text("Keep this query")');
  await page.waitForSelector('#judged-title');
  await page.keyboard.press('3');
  await graded(page);
  await page.goto('/');
  assert.match(await page.textContent('.continue'),
    /Continue: boats.*1 grade, 1 query of yours, last changed today\./s);
  await visit.shot('home-continue');
  await page.click('#continue-search');
  await page.waitForFunction(() => /boats/.test(document.querySelector('#open-collection').textContent));
  await choose(page, '#add-documents');
  await page.waitForSelector('#kept');
  assert.match((await page.locator('#kept tbody tr').first().textContent()).replace(/\s+/g, ' '), /boats ?3 ?1 ?1/);
  const changed = corpus.replace('the ferry was late', 'the ferry was early').replace('d3,', 'north/d3,') +
    '\nd4,Tug,a tug pulls';
  await page.setInputFiles('#files', [file('boats.csv', changed)]);
  await page.click('#index', { timeout: 240_000 });
  await page.waitForSelector('#earlier', { timeout: 240_000 });
  assert.match(await page.textContent('#earlier'), new RegExp('boats on this device is an earlier state of these ' +
    'documents: 1 is the same, 1 changed, 1 renamed, 1 new\\. It has 1 grade and 1 query of yours\\.'));
  assert.match(await page.textContent('#made'), /boats \(2\)/);
  await visit.shot('upload-earlier');
  await page.click('#bring-over');
  await page.waitForFunction(() => /1 grade and 1 query were brought over/.test(document.body.textContent));
  await page.click('#judge-made');
  await page.waitForFunction(() => /ferry/.test(document.querySelector('main').textContent));
  await page.click('button:has-text("Begin with the first query")');
  await graded(page);
  await visit.done();
});

// The columns of a table are chosen before it is indexed, and what is kept gets another name and a duplicate.
test('odd columns of a CSV are chosen and indexed; the collection is renamed and duplicated; all outlives a reload',
  { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('/collections');
  const { page } = visit;
  await ready(page);
  const odd = ['ref,what it is,blurb,upkeep,<b>shelf</b>',
    'A1,Ferry,a boat that is late,caulk it monthly,<img src=x onerror=alert(1)>',
    'A2,Crane,it lifts,oil it weekly,x', 'A3,Buoy,it rings,paint it yearly,y'].join('\n');
  await page.setInputFiles('#files', [file('odd.csv', odd), file('queries.csv', 'id,query\n7,oil\n')]);
  await page.waitForSelector('#index', { timeout: 240_000 });
  assert.equal(await page.textContent('#import'), 'Import odd.csv and 1 more file');
  assert.match(await page.textContent('#others'), /queries\.csv: 1 query, id from "id", query from "query"\./);
  assert.equal(await page.locator('#kept tbody tr').count(), 0, 'nothing is indexed yet');
  const uses = () => page.locator('#fields-0 select').evaluateAll((all) => all.map((s) => s.value));
  const before = await uses();
  assert.equal(await page.locator('#fields-0 img').count(), 0);
  assert.match(await page.textContent('#fields-0'), /<img src=x onerror=alert\(1\)>/);
  await page.locator('#fields-0 select').nth(0).selectOption('id');
  await page.locator('#fields-0 select').nth(1).selectOption('title');
  await page.locator('#fields-0 select').nth(2).selectOption('');
  await page.locator('#fields-0 select').nth(3).selectOption('text');
  await page.waitForFunction(() =>
    /caulk it monthly/.test(document.querySelector('.fields article')?.textContent) &&
    document.querySelector('.fields article h3')?.textContent === 'Ferry');
  await page.click('.fields [aria-label="Next row"]');
  await page.waitForFunction(() =>
    document.querySelector('.fields article h3')?.textContent === 'Crane');
  assert.notDeepEqual(await uses(), before);
  await visit.shot('collections-columns');
  assert.deepEqual(await visit.accessibilityInBoth('columns'), []);
  const [saved] = await Promise.all([page.waitForEvent('download'), page.click('.save-mapping')]);
  assert.equal(saved.suggestedFilename(), 'odd.map.json');
  const mapping = await readFile(await saved.path(), 'utf8');
  assert.deepEqual(JSON.parse(mapping),
    { format: 'rankbox-mapping', version: 1, id: 'ref', title: 'what it is', text: ['upkeep'] });

  // a reload that the page asks for keeps the files, and the choice with them
  await page.evaluate(async () => {
    const kept = [];
    dispatchEvent(new CustomEvent('rankbox-reload', { detail: kept }));
    await Promise.all(kept);
  });
  await page.reload();
  await page.waitForFunction(() =>
    document.querySelectorAll('#fields-0 select')[3]?.value === 'text' && document.querySelector('#others') !== null,
  null, { timeout: 240_000 });

  // the choice is proposed again after a reload, and a mapping beside the data decides
  await page.reload();
  await ready(page);
  await page.setInputFiles('#files', [file('odd.csv', odd)]);
  await page.waitForFunction(() =>
    document.querySelectorAll('#fields-0 select')[3]?.value === 'text' &&
    document.querySelectorAll('#fields-0 select')[2]?.value === '',
  null, { timeout: 240_000 });
  await page.setInputFiles('#files', [file('m.json', mapping.replace('"upkeep"', '"gone"'))]);
  await page.waitForFunction(() =>
    document.querySelector('#fields-0') !== null);
  await page.click('#discard');
  await ready(page);
  await page.setInputFiles('#files', [file('m.json', mapping), file('odd.csv', odd),
    file('queries.csv', 'id,query\n7,oil\n')]);
  await page.waitForSelector('#index:enabled', { timeout: 240_000 });
  assert.equal(await page.textContent('#index'), 'Index 3 documents');
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await visit.overflow(), 0);
  await visit.shot('collections-columns-phone');
  await page.setViewportSize({ width: 1366, height: 900 });
  await page.click('#index');
  await page.waitForSelector('#search-made', { timeout: 240_000 });
  assert.match(await page.textContent('#made'), /odd” is ready: 3 documents, 1 query\./);
  await page.click('#search-made');
  await page.waitForFunction(() =>
    document.getElementById('page')?.dataset.phase === 'ready',
  null, { timeout: 240_000 });
  await page.fill('#q', 'caulk');
  await results(page);
  const found = await page.locator('#columns section').first().locator('ol.hits').textContent();
  assert.match(found, /Ferry/, 'a word of the column that was chosen');

  // a query and a grade, so that there is something to copy
  const link = page.url();
  await page.click('nav a[href^="/judge"]');
  await page.click('#judge-keep', { timeout: 240_000 });
  await page.waitForSelector('#judged-title', { timeout: 240_000 });
  await page.keyboard.press('2');
  await graded(page);

  // another tab has it open, and hears of its name
  const second = await visit.context.newPage();
  await second.goto(page.url());
  await second.waitForSelector('#judged-title', { timeout: 240_000 });
  await choose(page, '#add-documents');
  await page.click('#kept .rename-kept');
  await page.fill('#new-name', 'Shop');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() =>
    document.querySelector('#kept tbody th')?.textContent === 'Shop' &&
    /Shop/.test(document.querySelector('#open-collection').textContent));
  await second.waitForFunction(() => /Shop/.test(document.querySelector('#open-collection').textContent));
  await graded(second);
  await second.close();
  await page.click('#kept .duplicate');
  await page.waitForFunction(() =>
    document.querySelectorAll('#kept tbody tr').length === 2,
  null, { timeout: 240_000 });
  await visit.shot('collections-kept');
  assert.deepEqual(await page.locator('#kept tbody th').allTextContents(), ['Shop', 'Shop (copy)']);
  await page.reload();
  await page.waitForFunction(() =>
    document.querySelectorAll('#kept tbody tr').length === 2,
  null, { timeout: 240_000 });
  await page.locator('#kept tbody tr').nth(1).locator('a.button').click();
  await page.waitForFunction(() =>
    /Shop \(copy\)/.test(document.querySelector('#open-collection').textContent),
  null, { timeout: 240_000 });
  assert.match(page.url(), /upload-[0-9a-f]{16}-[0-9a-z]+/);
  await page.click('nav a[href^="/judge"]');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('#judge-todo tbody td:last-child')]
      .reduce((n, e) => n + Number(e.textContent), 0) === 1,
  null, { timeout: 240_000 });
  await page.goto(link);
  await page.waitForFunction(() =>
    document.querySelector('#open-collection')?.textContent.includes('Shop'),
  null, { timeout: 240_000 });
  await page.fill('#q', 'caulk'); // which became a query of the collection
  await results(page);
  await visit.done();
});

/** Documents of 150 words of a vocabulary of 4,000, the same each time. */
function many(n) {
  let x = 5;
  const next = () => (x = (Math.imul(x, 1664525) + 1013904223) >>> 0);
  const starts = ['ferry', 'storm', 'harbour', 'pilot', 'cargo'].map((word) => word.slice(0, 3));
  const words = Array.from({ length: 4000 }, (_, i) => `${starts[i % 5]}${(i * 7919).toString(36)}`);
  return Buffer.from(Array.from({ length: n }, (_, i) => JSON.stringify({
    _id: `d${i}`,
    text: Array.from({ length: 150 }, () => words[(next() >>> 8) % words.length]).join(' ') +
      (i % 1000 ? '' : ' ferry'),
  })).join('\n'));
}

test('many documents are searched by words while they are encoded; ' +
  'a reload loses none, and a dense system then answers by itself', { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('/collections');
  const { page } = visit;
  await ready(page);
  await page.setInputFiles('#files', [{ name: 'many.jsonl', mimeType: 'text/plain', buffer: many(12_000) }]);
  await page.click('#index', { timeout: 240_000 });
  await page.waitForSelector('#search-made', { timeout: 240_000 });
  assert.match(await page.textContent('#made'), /many” is ready: 12,000 documents\. It is searched by words\./);
  assert.match(await page.textContent('#encoding'),
    /(Loading the encoder|Encoding your documents).*Lexical systems answer now/);
  await page.click('#search-made');
  await page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'ready', null,
    { timeout: 240_000 });
  await page.fill('#q', 'ferry');
  await results(page);
  const dense = await page.locator('#columns section').evaluateAll((list) => list
    .findIndex((x) => /^dense/i.test(x.querySelector('.notation')?.textContent ?? '')));
  assert.ok(dense > 0, `the dense system is number ${dense}`);
  const column = page.locator(`#system-${dense}`);
  await page.waitForFunction((i) => /Encoding your documents, [\d,]+ of 12,000/
    .test(document.querySelector(`#system-${i} .cannot[role=status]`)?.textContent), dense, { timeout: 60_000 });
  assert.equal(await column.locator('ol.hits > li').count(), 0);
  await visit.shot('upload-encoding');

  await page.reload(); // in the midst of it
  await results(page, 0, { timeout: 240_000 });
  await page.click(`#load-encoder-${dense}:has-text("encode the documents in this tab")`, { timeout: 240_000 });
  await results(page, dense, { timeout: 240_000 });
  await page.reload();
  await results(page, dense, { timeout: 240_000 });
  await visit.done();
});

test('documents are searched while they are being indexed, and the query is there when the collection opens',
  { timeout: 900_000 }, async () => {
    const visit = await rankbox.open('/collections');
    const { page } = visit;
    await ready(page);
    await page.setInputFiles('#files', [{ name: 'growing.jsonl', mimeType: 'text/plain', buffer: many(30_003) }]);
    await page.click('#index', { timeout: 240_000 });
    await page.waitForSelector('#indexed-query', { timeout: 240_000 });
    await page.evaluate(() => { // every list that is shown
      globalThis.lists = [];
      new MutationObserver(() => {
        const said = /BM25 over ([\d,]+) of 30,003/.exec(document.getElementById('indexed-said')?.textContent)?.[1];
        if (!said) return;
        const n = Number(said.replaceAll(',', ''));
        const documents = [...document.querySelectorAll('#indexed-list > li')].map((x) => x.dataset.doc);
        if (n !== globalThis.lists.at(-1)?.n) globalThis.lists.push({ n, documents });
      }).observe(document.getElementById('upload'), { subtree: true, childList: true, characterData: true });
    });
    await page.fill('#indexed-query', 'ferry');
    await page.waitForFunction(() => globalThis.lists.length > 0, null, { timeout: 60_000 });
    await visit.shot('upload-indexing');
    await page.waitForSelector('#search-made', { timeout: 240_000 });
    const lists = await page.evaluate(() => globalThis.lists);
    assert.ok(lists[0].n < 30_003 && lists.every((x, i) => i === 0 || x.n > lists[i - 1].n), JSON.stringify(lists));
    for (const { documents } of lists) { // every thousandth document has the word
      assert.ok(documents.length > 0 && documents.every((id) => id.endsWith('000') || id === 'd0'),
        JSON.stringify(documents));
    }
    await page.click('#search-made');
    await results(page, 0, { timeout: 240_000 });
    assert.equal(await page.inputValue('#q'), 'ferry');
    assert.deepEqual(await page.locator('#system-0 ol.hits > li').evaluateAll((list) => list
      .map((x) => x.dataset.doc).slice(0, 10)), lists.at(-1).documents, `the last of ${lists.length} lists`);
    await visit.done();
  });

test('who cancels the encoding of documents keeps them, and is told so', { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('/collections');
  const { page } = visit;
  await ready(page);
  await page.setInputFiles('#files', [{ name: 'other.jsonl', mimeType: 'text/plain', buffer: many(12_001) }]);
  await page.click('#index', { timeout: 240_000 });
  await page.click('#cancel-vectors', { timeout: 240_000 });
  assert.match(await page.textContent('#encoding'),
    /Encoding was cancelled\. The collection has no vectors, so only lexical systems answer\./);
  await page.click('#search-made');
  await page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'ready', null,
    { timeout: 240_000 });
  await page.fill('#q', 'ferry');
  await results(page);
  assert.equal(await page.locator('.cannot').count(), 0);
  await choose(page, '#add-documents');
  await page.click('#encode-documents');
  await page.waitForFunction(() => /searched by words and by meaning/
    .test(document.querySelector('#made')?.textContent), null, { timeout: 240_000 });
  assert.equal(await page.locator('#encoding').count(), 0);
  await visit.done();
});
