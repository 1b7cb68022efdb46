// Nightly: documents in an engine.
// Documents elsewhere: queries and judgments on the page, the documents in a search engine behind the edge. The engine
// answers in OpenSearch's format with the rankings of the command line's BM25 over the demo collection, so figures are
// those of bm25.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { commandLine, lab, ready, reported, results, root, saved, scratch } from './harness.mjs';

const demo = join(root, 'site', 'collections', 'harbour-wire');
const lists = new Map(); // the text of a query → what BM25 finds, best first
const documents = new Map();
const rows = (text) => text.trim().split('\n').map((line) => JSON.parse(line));
let searched = 0;
let looked = 0;
let figures; // of bm25 by the command line
const service = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  if (request.method === 'GET') {
    response.writeHead(404).end(); // it says nothing of itself
    return;
  }
  const { query, size } = JSON.parse(Buffer.concat(parts));
  let hits;
  if (query.ids) {
    looked++;
    hits = query.ids.values
      .filter((id) => documents.has(id))
      .map((id) => ({ _id: id, _score: 1, _source: documents.get(id) }));
  } else {
    searched++;
    hits = (lists.get(query.multi_match.query) ?? []).slice(0, size).map(([_id, _score]) => ({ _id, _score }));
  }
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ hits: { hits } }));
});
const prepare = async () => {
  const run = promisify(execFile);
  const command = await commandLine();
  const { stdout } = await run(command, ['search', demo, '-s', 'bm25', '-k', '100', '-quiet'], { maxBuffer: 1 << 26 });
  const texts = new Map(rows(await readFile(join(demo, 'queries.jsonl'), 'utf8')).map((q) => [q._id, q.text]));
  for (const line of stdout.trim().split('\n')) {
    const [query, , id, , score] = line.split(/\s+/);
    const text = texts.get(query);
    if (!lists.has(text)) lists.set(text, []);
    lists.get(text).push([id, Number(score)]);
  }
  const corpus = await readFile(join(demo, 'corpus.jsonl'), 'utf8');
  for (const { _id, title, text } of rows(corpus)) documents.set(_id, { title, text });
  const file = join(await scratch(), 'bm25.run');
  await writeFile(file, stdout);
  figures = (await run(command, ['eval', join(demo, 'qrels', 'test.tsv'), file, 'nDCG@10'])).stdout;
  await new Promise((done) => service.listen(0, '127.0.0.1', done));
};
let prepared;
before(() => (prepared ??= prepare()));
after(() => service.close());

const rankbox = lab({
  server: async (origin) => {
    await (prepared ??= prepare());
    const config = join(await scratch(), 'edge.json');
    const wire = {
      id: 'wire',
      kind: 'opensearch',
      url: `http://127.0.0.1:${service.address().port}`,
      index: 'harbour',
      text_fields: ['title', 'text'],
      title_field: 'title',
      text_field: 'text',
      does: ['search'],
    };
    await writeFile(config, JSON.stringify({ origins: [origin], limits: { per_minute: 100000 }, backends: [wire] }));
    const dist = join(root, 'dist');
    return [await commandLine(), 'serve', '-addr', '127.0.0.1:0', '-site', dist, '-config', config, '-quiet'];
  },
});

// stored returns a zip of names and bytes, uncompressed.
const stored = (files) => {
  const locals = [];
  const central = [];
  let at = 0;
  for (const [name, bytes] of files) {
    const title = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0); // the version that reads it
    fields.writeUInt16LE(0x21, 8); // 1 January 1980
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(bytes.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(title.length, 22);
    locals.push(Buffer.from('PK\x03\x04'), fields, title, bytes);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    central.push(Buffer.from('PK\x01\x02\x14\x00'), fields, rest, title);
    at += 4 + 26 + title.length + bytes.length;
  }
  const size = central.reduce((sum, b) => sum + b.length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...central, end]);
};

const picture = async (page, name) => {
  if (!process.env.PICTURES) return;
  for (const [kind, width, height] of [['desktop', 1366, 900], ['phone', 390, 844]]) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(process.env.PICTURES, `${name}-${kind}-${colorScheme}.png`), fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1366, height: 900 });
};

const long = { timeout: 240_000 };

const patience = { timeout: 900_000 };

test('documents in a search engine are searched, measured, judged and kept', patience, async () => {
  const visit = await rankbox.open('/upload');
  const { page } = visit;
  await page.waitForFunction(() => document.querySelector('#files')?.disabled === false, null, long);
  await page.setInputFiles('#files', [join(demo, 'queries.jsonl'), join(demo, 'qrels', 'test.tsv')]);
  await page.locator('#in-wire').waitFor(long);
  const lede = await page.locator('.lede').first().textContent();
  assert.equal(lede, 'These files hold 44 queries and 11,220 judgments, but no documents.');
  assert.match(await page.locator('#calls').textContent(), /all 44 queries take 44 calls/);
  assert.deepEqual(await visit.accessibility(), []);
  await picture(page, 'connect');
  await page.locator('#in-wire').click();
  await page.locator('#search-made').waitFor(long);
  assert.match(await page.locator('#made').textContent(), /documents in wire, 44 queries/);
  await picture(page, 'connected');
  await page.locator('#search-made').click();
  await page.waitForURL(/c=upload-/);
  await ready(page);
  await page.locator('#system-0 .mean', { hasText: /no figure\. Not asked yet: 44 calls/ }).waitFor(long);
  assert.equal(searched + looked, 0, 'nothing is asked before somebody says so');

  await page.locator('#measure-0').click();
  const measured = () => /queries: [0-9.]+$/.test(document.querySelector('#system-0 .mean > span').textContent);
  await page.waitForFunction(measured, null, long);
  const mean = (await page.locator('#system-0 .mean > span').first().textContent()).match(/[0-9.]+$/)[0];
  assert.equal(mean, figures.trim().match(/[0-9.]+$/)[0], 'the figure is that of bm25 where the documents are here');
  assert.equal(searched, 44);

  const text = 'houseboat fees under By-law 42';
  await page.locator('#q').fill(text);
  await results(page);
  const first = lists.get(text)[0][0];
  const top = (title) => document.querySelector('#system-0 ol.hits > li')?.textContent.includes(title);
  await page.waitForFunction(top, documents.get(first).title);
  assert.equal(searched, 44, 'the query is a judged one');
  await picture(page, 'searched');
  assert.deepEqual(await visit.accessibility(), []);

  await page.reload();
  await ready(page);
  await page.waitForFunction(measured, null, long);
  await results(page);
  assert.equal(searched, 44, 'a reload asks for no ranking again');

  await page.locator('header a[href="/judge"]').click();
  await page.locator('#judge-query').selectOption('q02', long);
  await page.locator('#judged-document h2').waitFor(long);
  const second = documents.get(lists.get('who took over Kelmouth Savings Bank')[0][0]);
  assert.equal(await page.locator('#judged-title').textContent(), second.title);
  assert.ok((await page.locator('#judged-document .body').textContent()).includes(second.text.slice(0, 80)));
  await picture(page, 'judged');
  await page.keyboard.press('2');
  const graded = () => /^1 of /.test(document.querySelector('#judge-progress span')?.textContent ?? '');
  await page.waitForFunction(graded, null, { timeout: 60_000 });
  assert.equal(searched, 44);
  assert.deepEqual(await visit.accessibility(), []);
  await visit.done();
});

test('a zip of queries and judgments is a collection whose documents are elsewhere', patience, async () => {
  const at = join(await scratch(), 'harbour.zip');
  await writeFile(at, stored([
    ['harbour/queries.jsonl', await readFile(join(demo, 'queries.jsonl'))],
    ['harbour/qrels/test.tsv', await readFile(join(demo, 'qrels', 'test.tsv'))],
  ]));
  const visit = await rankbox.open('/upload');
  const { page } = visit;
  await page.waitForFunction(() => document.querySelector('#files')?.disabled === false, null, long);
  await page.setInputFiles('#files', at);
  await page.locator('#in-wire').waitFor(long);
  const lede = await page.locator('.lede').first().textContent();
  assert.match(lede, /44 queries and 11,220 judgments, but no documents\./);
  await page.locator('#in-wire').click();
  await page.locator('#search-made').click(long);
  await page.waitForURL(/c=upload-/);
  await ready(page);
  await page.locator('#measure-0').click(long);
  const measured = () => /queries: [0-9.]+$/.test(document.querySelector('#system-0 .mean > span')?.textContent);
  await page.waitForFunction(measured, null, long);
  const mean = (await page.locator('#system-0 .mean > span').first().textContent()).match(/[0-9.]+$/)[0];
  assert.equal(mean, figures.trim().match(/[0-9.]+$/)[0]);
  await visit.done();
});

test('an experiment over it measures what the command line does', patience, async () => {
  const visit = await rankbox.open('/upload');
  const { page } = visit;
  await page.waitForFunction(() => document.querySelector('#files')?.disabled === false, null, long);
  await page.setInputFiles('#files', [join(demo, 'queries.jsonl'), join(demo, 'qrels', 'test.tsv')]);
  await page.locator('#in-wire').click(long);
  await page.locator('#search-made').click(long);
  await page.waitForURL(/c=upload-/);
  await ready(page);
  await page.locator('header a[href="/evaluate"]').click();
  await page.locator('a[href="/experiment"]').first().click();
  const calls = () => rankbox.requests.filter((r) => r.url === '/api/v1/search').length;
  const before = calls();
  const proposed = () => document.querySelector('#experiment-systems')?.value === 'search(backend=wire)';
  await page.waitForFunction(proposed, null, long);
  const fused = 'rrf(search(backend=wire), search(backend=wire,depth=10))';
  await page.locator('#experiment-systems').fill(`search(backend=wire)\n${fused}`);
  const planned = () => document.querySelector('#experiment-plan')?.textContent.includes('2 runs on 44 queries');
  await page.waitForFunction(planned, null, long);
  assert.match(await page.locator('#experiment-plan').textContent(), /at most \d+ calls/);
  assert.equal(calls(), before);
  await page.locator('#experiment-run').click();
  await page.locator('#experiment-compare').waitFor(long);
  assert.equal(calls(), before + 88, 'two searches for each of 44 queries');
  const want = figures.trim().match(/[0-9.]+$/)[0];
  assert.ok((await page.locator('#experiment-table tbody tr').first().textContent()).includes(want));
  await picture(page, 'experiment');
  await page.locator('#experiment-compare').click();
  await page.locator('#leaderboard').waitFor(long);
  const shown = (w) => document.querySelector('#leaderboard')?.textContent.includes(w);
  await page.waitForFunction(shown, Number(want).toFixed(3), long);
  await visit.done();
});

test('page, run, search with compare, and verify give one figures digest', patience, async () => {
  const tool = await commandLine();
  const said = async (...args) => (await promisify(execFile)(tool, args, { maxBuffer: 1 << 26 })).stdout;
  const folder = await scratch();
  const far = join(folder, 'far');
  await mkdir(far);
  for (const name of ['queries.jsonl', 'qrels']) await cp(join(demo, name), join(far, name), { recursive: true });
  const qrels = join(far, 'qrels', 'test.tsv');
  // the engine finds nothing for one more query: no route may leave it out
  await appendFile(join(far, 'queries.jsonl'), `${JSON.stringify({ _id: 'q99', text: 'zeppelin at anchor' })}\n`);
  await appendFile(qrels, `q99\t${[...documents.keys()][0]}\t1\n`);
  const systems = ['search(backend=wire)', 'rrf(search(backend=wire), search(backend=wire,depth=10))'];
  const measures = ['nDCG@10', 'AP', 'RR', 'Judged@10'];
  const digests = {};

  const visit = await rankbox.open('/upload');
  const { page } = visit;
  await page.waitForFunction(() => document.querySelector('#files')?.disabled === false, null, long);
  await page.setInputFiles('#files', [join(far, 'queries.jsonl'), qrels]);
  await page.locator('#in-wire').click(long);
  await page.locator('#search-made').click(long);
  await page.waitForURL(/c=upload-/);
  await ready(page);
  await page.locator('header a[href="/evaluate"]').click();
  await page.locator('a[href="/experiment"]').first().click();
  await page.locator('#experiment-systems').fill(systems.join('\n'), long);
  await page.locator('#experiment-measures').fill(measures.join(' '));
  const planned = () => document.querySelector('#experiment-plan')?.textContent.includes('2 runs on 45 queries');
  await page.waitForFunction(planned, null, long);
  await page.locator('#experiment-run').click();
  await page.locator('#experiment-compare').click(long);
  await page.locator('#leaderboard').waitFor(long);
  digests.page = await reported(page);
  assert.match(digests.page, /^[0-9a-f]{64}$/);
  const comparison = await saved(page, '#export-comparison');
  await visit.done();
  const file = join(folder, comparison.name);
  await writeFile(file, comparison.bytes);
  digests.verify = /[0-9a-f]{12,64}/.exec(await said('verify', file, '-digest', digests.page))?.[0];

  const spec = join(folder, 'spec.json');
  await writeFile(spec, JSON.stringify({ systems, measures }));
  const out = join(folder, 'out');
  const from = ['-collection', far, '-edge', rankbox.url, '-quiet'];
  digests.run = /report ([0-9a-f]+)/.exec(await said('run', spec, ...from, '-o', out))?.[1];
  digests.verifiedRun = /[0-9a-f]{12,64}/.exec(await said('verify', out))?.[0];
  const runs = [];
  for (const [i, system] of systems.entries()) {
    runs.push(join(folder, `system-${i}.run`));
    const args = ['search', far, '-edge', rankbox.url, '-quiet', '-k', '1000', '-s', system];
    await writeFile(runs.at(-1), await said(...args));
  }
  const compared = ['compare', '-quiet', '-o', 'json', '-m', measures.join(','), qrels, ...runs];
  digests.compare = JSON.parse(await said(...compared)).hash;
  for (const [route, digest] of Object.entries(digests)) {
    assert.ok(digest && digests.page.startsWith(digest), `${route}: ${digest}, the page has ${digests.page}`);
  }
});
