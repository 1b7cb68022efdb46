// Nightly: many collections.
// A site with five collections: the demo and four public ones, which the build downloads from a server of this file
// and checks as it checks every other. Their recipes are made here of Cranfield and SciFact (RANKBOX_SHARED), since
// the tests download nothing. The slow lines are those of scripts/bench/slow.mjs, which hold back what workers fetch,
// too.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { slow } from '../../scripts/bench/slow.mjs';
import { asking, buildTool, commandLine, lab, quiet, ready, results, root, until } from './harness.mjs';

const data = join(resolve(process.env.RANKBOX_SHARED ?? join(root, '..', 'shared')), 'data');
const absent = ['cranfield', 'scifact'].some((name) => !existsSync(join(data, name, 'corpus.jsonl')))
  && { skip: 'set RANKBOX_SHARED to the folder that holds data/cranfield and data/scifact' };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const quickLine = { down: 20, roundTrip: 40 }; // Mbit/s and milliseconds
const slowLine = { down: 1.6, roundTrip: 150 };
const public4 = ['cran', 'cran-short', 'sci', 'sci-short'];
const lines = (text) => text.split('\n').filter(Boolean);

/** Writes the recipe of a collection into folder, and its files into served. */
async function recipe(folder, served, origin, name, title, from, queriesAtMost, language = 'en') {
  const read = (file) => readFile(join(data, from, file), 'utf8');
  const queries = lines(await read('queries.jsonl')).map((l) => JSON.parse(l));
  const rows = lines(await read('qrels/test.tsv')).slice(1).map((l) => l.split('\t'));
  const judged = new Set(rows.map(([query]) => query));
  const kept = queries.filter((q) => judged.has(q._id)).slice(0, queriesAtMost);
  const ids = new Set(kept.map((q) => q._id));
  const qrels = rows.filter(([query]) => ids.has(query));
  const corpus = await read('corpus.jsonl');
  const files = {
    'docs.jsonl': corpus,
    'queries.tsv': kept.map((q) => `${q._id}\t${q.text}\n`).join(''),
    'qrels.txt': qrels.map(([query, doc, grade]) => `${query} 0 ${doc} ${grade}\n`).join(''),
  };
  const said = Object.entries(files).map(([file, text]) => {
    const bytes = Buffer.from(text);
    served.set(`/${name}/${file}`, bytes);
    return `file: ${file} ${bytes.length} ${createHash('md5').update(bytes).digest('hex')} ${origin}/${name}/${file}`;
  });
  await writeFile(join(folder, `${name}.recipe`), `name: ${name}
title: ${title}
sentence: For the tests of the gallery.
domain: test
language: ${language}
analyzer: lucene-english
layout: parts
${said.join('\n')}
documents-in: docs.jsonl
queries-in: queries.tsv
judgments-in: qrels.txt
documents: ${lines(corpus).length}
split: test ${kept.length} ${qrels.length}
licence: for tests
licence-source: https://example.org/${name}
citation: Nobody: A collection for tests, 2026.
judged: as the original is
fault: Two documents are empty.
source: paper https://example.org/paper A paper for tests
figure: bm25 | nDCG@10 | 0.6789 | paper
`);
}

/** Builds the site with the five collections and returns what the server was asked for. */
async function build() {
  const folder = await mkdtemp(join(tmpdir(), 'rankbox-gallery-'));
  const built = join(root, '.cache', 'collections'); // of an earlier run
  for (const name of await readdir(built).catch(() => [])) {
    if (public4.includes(name.replace(/-[0-9a-f]+$/, ''))) await rm(join(built, name), { recursive: true });
  }
  const recipes = join(folder, 'recipes');
  await mkdir(recipes);
  const served = new Map(), asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    const bytes = served.get(request.url);
    response.writeHead(bytes ? 200 : 404, { 'content-length': bytes?.length ?? 0 }).end(bytes);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${server.address().port}`;
  await recipe(recipes, served, origin, 'cran', 'Cranfield', 'cranfield', Infinity);
  // its texts are English: the filter by language needs another one
  await recipe(recipes, served, origin, 'cran-short', 'Cranfield, 50 queries', 'cranfield', 50, 'cy');
  await recipe(recipes, served, origin, 'sci', 'SciFact', 'scifact', Infinity);
  await recipe(recipes, served, origin, 'sci-short', 'SciFact, 50 queries', 'scifact', 50);
  const env = { ...process.env, RANKBOX_RECIPES: recipes, RANKBOX_CACHE: join(folder, 'cache'), NO_PROXY: '127.0.0.1' };
  const args = ['site', '-collections', public4.join(), '-budget', '100000000', '-out', '.cache/gallery'];
  await promisify(execFile)(await buildTool(), args, { cwd: root, env });
  server.close();
  return asked;
}

const asked = absent ? [] : await build();
const rankbox = absent ? null : lab({ from: '.cache/gallery' });
const demo = absent ? null : lab();

test('the build downloads each file of the four collections once', { ...absent }, () => {
  assert.equal(asked.length, 3 * public4.length);
  assert.equal(new Set(asked).size, asked.length);
});

test('the gallery lists five collections, and every file has the headers of netlify.toml',
  { ...absent, timeout: 300_000 }, async () => {
  const visit = await rankbox.open('/collections');
  await visit.page.waitForSelector('#gallery tbody');
  const listed = await (await fetch(`${rankbox.origin}/collections.json`)).json();
  assert.equal(listed.collections.length, 5);
  const rows = await visit.page.locator('#gallery tbody').evaluateAll((all) => all.map((e) => e.textContent));
  const named = rows.map((r) => ['Cranfield', 'SciFact', 'Harbour'].some((name) => r.includes(name)));
  assert.deepEqual(named, Array(5).fill(true), rows.join('\n'));
  // the server sends the rules of netlify.toml and of dist/_headers
  const opened = rankbox.requests.map((r) => r.url).filter((url) => url.startsWith('/collections/'));
  for (const url of ['/', '/collections.json', ...new Set(opened)]) {
    const { headers, status } = await fetch(rankbox.origin + url);
    assert.equal(status, 200, url);
    assert.match(headers.get('content-security-policy'), /default-src 'none'/, url);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', url);
    if (/\/[0-9a-f]{16}\//.test(url)) assert.match(headers.get('cache-control'), /immutable/, url);
  }
  await visit.done();
});

/** The bytes of the answers to a first visit of Home, by kind, until the page is ready and idle. */
async function firstVisit(from) {
  const before = from.requests.length;
  const visit = await from.open('/');
  await ready(visit.page);
  await quiet(from.requests);
  const early = /\/(lists\/|vectors-|texts-)/; // those come early, by chance
  const urls = [...new Set(from.requests.slice(before).map((r) => r.url))].filter((url) => !early.test(url)).sort();
  await visit.done();
  const sizes = await Promise.all(urls.map(async (url) =>
    (await (await fetch(from.origin + url)).arrayBuffer()).byteLength));
  return { urls: urls.map((u) => u.replace(/[0-9a-f]{16}/g, '…')), bytes: sizes.reduce((a, b) => a + b, 0) };
}

test('a first visit asks for the same files as a site with the demo alone',
  { ...absent, timeout: 300_000 }, async (t) => {
  const five = await firstVisit(rankbox);
  const one = await firstVisit(demo);
  t.diagnostic(`five collections: ${five.bytes} bytes, unpacked; the demo alone: ${one.bytes}`);
  assert.deepEqual(five.urls, one.urls);
  // the page names its collections
  assert.ok(Math.abs(five.bytes - one.bytes) < 4096, `${five.bytes} and ${one.bytes} bytes`);
});

/** The addresses of rows of the gallery, by the name of the collection. */
const rowOf = (page, name) => page.locator('#gallery tbody').filter({ has: page.getByText(name, { exact: true }) });

test('the gallery says of each collection what it holds, and a card how it was judged',
  { ...absent, timeout: 300_000 }, async () => {
  const visit = await rankbox.open('/collections');
  const { page } = visit;
  await ready(page);
  await page.waitForSelector('#gallery tbody');
  const cells = await rowOf(page, 'SciFact').locator('tr').first().locator('th, td').allTextContents();
  const [name, documents, queries, each, language, licence, vectors, size] = cells;
  assert.equal(name, 'SciFactFor the tests of the gallery.Best published nDCG@10: 0.6789, bm25');
  // 339 judgments of 300 queries
  assert.deepEqual([documents, queries, each, language, licence, vectors],
    ['5183', '300', '1.1', 'English', 'for tests', 'static MiniLM']);
  assert.match(size, /^4\.\d\d MB$/); // 1.4 MB of them for vectors, which opening does not fetch
  await page.click('#gallery button[aria-expanded] >> text="SciFact"');
  const card = page.locator('#gallery tr.card');
  const terms = await card.locator('dt').allTextContents();
  assert.deepEqual(terms,
    ['Domain', 'Judgments', 'Known faults', 'Analyzer', 'Source', 'Licence stated at', 'Cite']);
  const text = await card.textContent();
  for (const part of ['as the original is', 'Two documents are empty.', 'A collection for tests, 2026.',
    'Published figures', 'nDCG@10', '0.6789', 'A paper for tests']) assert.ok(text.includes(part), `${part}: ${text}`);
  assert.deepEqual(await visit.accessibilityInBoth('gallery'), []);
  assert.equal(await visit.overflow(), 0);
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await visit.overflow(), 0);
  const box = await page.locator('#gallery a.button[aria-label="Open SciFact"]').boundingBox();
  assert.ok(box.x + box.width <= 390, `a card pushes Open out of sight: ${JSON.stringify(box)}`);
  await visit.shot('gallery-phone');
  await visit.done();
});

test('the gallery is filtered by language and by size', { ...absent, timeout: 300_000 }, async () => {
  const visit = await rankbox.open('/collections');
  const { page } = visit;
  await ready(page);
  await page.waitForSelector('#gallery tbody');
  const listed = async () => (await page.locator('#gallery tbody th .link').allTextContents()).sort();
  const all = ['Cranfield', 'Cranfield, 50 queries', 'Harbour Wire', 'SciFact', 'SciFact, 50 queries'];
  assert.deepEqual(await listed(), all);
  const options = (id) => page.locator(`${id} option`).allTextContents();
  assert.deepEqual(await options('#gallery-language'), ['any', 'English', 'cy']);
  assert.deepEqual(await options('#gallery-size'), ['any', 'up to 1 MB']); // no other bound tells them apart
  await page.selectOption('#gallery-language', 'cy');
  assert.deepEqual(await listed(), ['Cranfield, 50 queries']);
  await page.selectOption('#gallery-language', 'en');
  assert.deepEqual(await listed(), all.filter((name) => name !== 'Cranfield, 50 queries'));
  await page.selectOption('#gallery-size', { label: 'up to 1 MB' });
  assert.deepEqual(await listed(), ['Cranfield']);
  await page.selectOption('#gallery-language', '');
  assert.deepEqual(await listed(), ['Cranfield', 'Cranfield, 50 queries']);
  await page.selectOption('#gallery-size', '0');
  assert.deepEqual(await listed(), all);
  await visit.done();
});

test('on a slow network opening says how many bytes have come, is cancelled, and begins again',
  { ...absent, timeout: 300_000 }, async () => {
  const line = await slow(rankbox.origin, slowLine);
  try {
    const visit = await rankbox.open('about:blank');
    const { page } = visit;
    await page.goto(`${line.origin}/collections`);
    await ready(page);
    await page.waitForSelector('#gallery tbody');
    await page.click('#gallery a.button[aria-label="Open SciFact"]');
    const far = () => page.waitForFunction(() => {
      const said = document.querySelector('#status').textContent;
      const [, done, total] = said.match(/^collection (\d+) of (\d+) kB$/) ?? [];
      return Number(done) > 0 && Number(done) < Number(total) && [Number(done), Number(total)];
    }).then((h) => h.jsonValue());
    const [, total] = await far();
    const listed = (await (await fetch(`${rankbox.origin}/collections.json`)).json()).collections;
    const { base } = listed.find((c) => c.id === 'sci');
    const manifest = await (await fetch(`${rankbox.origin}${base}manifest.json`)).json();
    const opening = manifest.files.filter((f) => ['cards', 'index', 'queries', 'qrels'].includes(f.role));
    assert.equal(total, Math.ceil(opening.reduce((n, f) => n + f.bytes, 0) / 1000));
    assert.equal(await page.locator('footer progress').count(), 1);
    await visit.shot('gallery-opening');
    await page.click('footer button:text-is("Cancel")');
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.messages')].some((e) => /Loading was cancelled/.test(e.textContent)));
    assert.equal(await page.locator('footer progress').count(), 0);
    const before = rankbox.requests.length;
    await quiet(rankbox.requests, 3000);
    assert.deepEqual(rankbox.requests.slice(before).map((r) => r.url).filter((url) => url.startsWith(base)), []);
    assert.equal(await page.locator('#judged option[value]:not([value=""])').count(), 0);
    await visit.shot('gallery-cancelled');
    await page.click('text="Try again"');
    await far();
    await page.waitForFunction(() => document.querySelectorAll('#judged option[value]:not([value=""])').length === 300);
    // lists go ahead of their texts
    const list = () => page.evaluate(() => document.querySelector('#system-0 ol.hits')?.textContent ?? '');
    await page.waitForFunction(() =>
      /Loading the text …/.test(document.querySelector('#system-0 ol.hits')?.textContent));
    await visit.shot('gallery-early');
    await until(async () => (await list()).length > 0 && !(await list()).includes('Loading the text …'));
    await visit.done();
  } finally {
    line.close();
  }
});

test('without a model’s vectors a collection has those of the static encoder, fetched when a dense system is asked for',
  { ...absent, timeout: 300_000 }, async () => {
  const { collections } = await (await fetch(`${rankbox.origin}/collections.json`)).json();
  const { base, models } = collections.find((c) => c.id === 'sci');
  assert.deepEqual(models, ['static MiniLM']);
  const vectors = () => rankbox.requests.map((r) => r.url).filter((url) => url.startsWith(`${base}vectors-`));
  let visit = await rankbox.open(asking(['c', 'sci'], ['qid', '1']));
  await results(visit.page, 1);
  await quiet(rankbox.requests); // the page may have fetched ahead by then
  assert.equal(await visit.page.locator('#columns section').count(), 2);
  assert.deepEqual(vectors(), []);
  await visit.done();

  visit = await rankbox.open(asking(['c', 'sci'], ['s', 'bm25'], ['s', 'dense'], ['qid', '1']));
  const { page } = visit;
  await ready(page);
  await results(page, 1);
  assert.equal(new Set(vectors()).size, 2, `${vectors()}`); // those of the documents and of the queries
  assert.match(await page.locator('#encoded').textContent(), /The vectors are by minilm-static: the model’s own/);
  const found = await page.locator('#system-1 ol.hits > li').evaluateAll((all) => all.map((e) => e.dataset.doc));
  const bundle = join(root, '.cache', 'gallery', base);
  const { stdout } = await promisify(execFile)(await commandLine(), ['search', bundle, '-s', 'dense', '-k', '10'],
    { maxBuffer: 1 << 24 });
  const first = lines(stdout).map((l) => l.split(/\s+/)).filter(([query]) => query === '1');
  assert.deepEqual(found, first.map(([, , doc]) => doc));
  await visit.shot('gallery-static');
  await page.fill('#q', 'vitamin D deficiency in pregnancy');
  await page.waitForFunction(() => /Typed queries use a smaller encoder, minilm-static/
    .test(document.querySelector('#encoded')?.textContent) || document.querySelector('#load-encoder-1')?.click());
  await results(page, 1);
  assert.match(await page.locator('#system-1 ol.hits').textContent(), /vitamin D/i);
  await visit.done();

  // the encoder knows no Welsh
  assert.deepEqual(collections.find((c) => c.id === 'cran-short').models, []);
});

test('a collection that is kept offline opens and is searched without a network, until it is removed',
  { ...absent, timeout: 600_000 }, async () => {
  const visit = await rankbox.open('/collections', { serviceWorkers: 'allow' });
  const { page } = visit;
  await ready(page);
  await visit.controlled();
  await page.waitForSelector('#gallery tbody');
  const row = rowOf(page, 'SciFact');
  assert.equal(await rowOf(page, 'Harbour Wire').locator('.keeps').count(), 0); // it comes with the page
  let held = 0;
  await visit.context.route(/\/public\.sci\/.*texts-/, async (route) => { // slow, so that it can be cancelled
    if (held >= 0) await new Promise((go) => setTimeout(go, 100 * ++held));
    await route.continue().catch(() => {}); // it was cancelled meanwhile
  });
  await row.locator('button[aria-label="Keep offline: SciFact"]').click();
  await page.waitForFunction(() => /^\d+ kB of 4\.\d\d MB$|^\d\.\d\d MB of/
    .test(document.querySelector('.keeps [role=status]')?.textContent));
  await visit.shot('gallery-keeping');
  await page.click('#cancel-offline');
  await row.locator('button[aria-label="Keep offline: SciFact"]:enabled').waitFor();
  held = -1;
  const kept = () => page.evaluate(async () => (await (await caches.open('rankbox collections')).keys())
    .map((r) => new URL(r.url).pathname).filter((path) => path.includes('/public.sci/')));
  assert.ok(!(await kept()).some((path) => path.endsWith('/offline')));
  await row.locator('button[aria-label="Keep offline: SciFact"]').click();
  await row.locator('button[aria-label="Remove from this device: SciFact"]').waitFor();
  const { collections } = await (await fetch(`${rankbox.origin}/collections.json`)).json();
  const { base } = collections.find((c) => c.id === 'sci');
  const { files } = await (await fetch(`${rankbox.origin}${base}manifest.json`)).json();
  assert.deepEqual((await kept()).sort(),
    [...new Set(files.map((f) => base + f.name)), `${base}manifest.json`, `${base}offline`].sort());
  await visit.shot('gallery-kept');

  rankbox.down();
  try {
    await page.reload();
    await ready(page);
    await row.locator('button[aria-label="Remove from this device: SciFact"]').waitFor();
    await page.click('#gallery a.button[aria-label="Open SciFact"]');
    await page.waitForFunction(() => document.querySelectorAll('#judged option[value]:not([value=""])').length === 300);
    await page.fill('#q', 'vitamin D deficiency in pregnancy');
    await page.waitForFunction(() => document.querySelector('#columns').dataset.of.startsWith('vitamin') &&
      /vitamin D/i.test(document.querySelector('#system-0 ol.hits')?.textContent));
    assert.equal(await page.locator('#system-0 .cannot').count(), 0);
    await visit.shot('gallery-offline');
  } finally {
    rankbox.up();
  }
  visit.errors.length = 0; // the console lists the requests that failed
  await page.goto('/collections');
  await ready(page);
  await row.locator('button[aria-label="Remove from this device: SciFact"]').click();
  await row.locator('button[aria-label="Keep offline: SciFact"]').waitFor();
  await until(async () => (await kept()).length === 0);
  await visit.done();
});

test('a phone on a quick line opens Cranfield, and then answers a typed query; how soon is told',
  { ...absent, timeout: 600_000 }, async (t) => {
  const line = await slow(rankbox.origin, quickLine);
  const opened = [], answered = [];
  try {
    for (let i = 0; i < 3; i++) {
      const visit = await rankbox.open('about:blank', phone);
      const { page } = visit;
      await page.goto(`${line.origin}/collections`);
      await ready(page);
      await page.waitForSelector('#gallery tbody');
      await visit.throttle({ cpu: 4 }); // the page; Chromium slows down no worker
      const start = Date.now();
      await page.locator('#gallery a.button[aria-label="Open Cranfield"]').tap();
      await page.waitForFunction(() =>
        document.querySelectorAll('#judged option[value]:not([value=""])').length === 225);
      opened.push(Date.now() - start);
      await page.locator('#q').fill('heat transfer in laminar flow');
      await results(page);
      answered.push(Date.now() - start);
      assert.match(await page.locator('#columns').textContent(), /heat|laminar|flow/i);
      await visit.done();
    }
  } finally {
    line.close();
  }
  // 3,000 ms are wanted. A busy machine takes longer, so the time decides nothing here.
  t.diagnostic(`from the tap until it is open: ${opened.join(', ')} ms; ` +
    `until a typed query is answered: ${answered.join(', ')} ms`);
});

test('a typed query has its lexical lists while the vectors are still on their way',
  { ...absent, timeout: 300_000 }, async () => {
  const visit = await rankbox.open('about:blank', phone);
  const held = [];
  await visit.context.route(/\/(vectors-|assets\/encoders\/)/, (route) => { held.push(route); });
  const { page } = visit;
  await page.goto(`${rankbox.origin}/search`);
  await ready(page);
  await page.locator('#q').fill('ferry');
  await page.waitForFunction(() => /ferry/i.test(document.querySelector('#system-0 ol.hits')?.textContent ?? ''));
  assert.equal(await page.locator('#system-0 ol.hits > li').count() > 0, true);
  for (const route of held) await route.continue();
  await visit.done();
});
