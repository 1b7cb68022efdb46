// Nightly: runs public collections.
// A workspace as a website of its own: what the page saves as a site, and what the build makes of a saved workspace.
// Both open with the documents, queries and grades; the first has the report that the workspace had.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, extname, join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import { buildTool, choose, lab, reported, root, scratch } from './harness.mjs';

const rankbox = lab({ context: { serviceWorkers: 'allow' } });
const topics = ['ferry', 'storm', 'crane', 'fog'];
const notes = Array.from({ length: 24 }, (_, i) => {
  const text = `# The ${topics[i % 4]} of day ${i}\n\nA *${topics[i % 4]}* and a ${topics[(i + 1) % 4]}, day ${i}.\n`;
  return { name: `note-${i}.md`, mimeType: 'text/plain', buffer: Buffer.from(text) };
});
const queries = ['ferry in a storm', 'crane <b>hidden</b> by fog'];

const live = (page) => page.waitForFunction(() => document.querySelector('#files')?.disabled === false, null,
  { timeout: 240_000 });
const judging = (page) => page.waitForSelector('#judged-title', { timeout: 240_000 });
const given = (page, n) => page.waitForFunction((n) => {
  const cells = [...document.querySelectorAll('#judge-todo tbody td:last-child')];
  return cells.length > 0 && cells.reduce((sum, e) => sum + Number(e.textContent), 0) === n;
}, n, { timeout: 240_000 });

// The figures of BM25 on a board, which is its baseline.
const bm25 = (page) => page.locator('#board tbody tr').evaluateAll((rows) => rows
  .map((r) => r.textContent.replace(/\s+/g, ' '))
  .find((t) => /A ?BM25 ?rename/i.test(t))?.match(/\d\.\d{3}/g).join(' '));

// A workspace with two queries and eight grades: its page, the report's hash, and the saved file.
let making;
const made = () => (making ??= (async () => {
  const visit = await rankbox.open('/collections');
  const { page } = visit;
  await live(page);
  await page.setInputFiles('#files', notes);
  await page.click('#index', { timeout: 240_000 });
  await page.click('#judge-made', { timeout: 240_000 });
  await page.fill('#judge-new', queries.join('\n'));
  await page.click('#judge-add:enabled');
  for (const text of queries) {
    await page.waitForFunction(() => document.querySelectorAll('#judge-query option').length === 3);
    await page.selectOption('#judge-query', { label: text });
    for (const key of ['3', '0', '1', '2']) {
      await judging(page);
      const before = await page.locator('#judge-progress').textContent();
      await page.keyboard.press(key);
      await page.waitForFunction((b) => document.querySelector('#judge-progress').textContent !== b, before);
    }
  }
  await page.fill('#judge-note', 'a <i>note</i>');
  await page.locator('#judge-note').blur();
  await page.click('#judge-measure');
  const hash = await reported(page);
  const figures = await bm25(page);
  await page.click('nav a[href^="/judge"]');
  const [saved] = await Promise.all([page.waitForEvent('download'), choose(page, '#share-workspace')]);
  return { visit, hash, figures, saved: await saved.path() };
})());
after(async () => (await making?.catch(() => null))?.visit.close());

// A host that serves a folder and knows nothing of this site: a folder has a slash and an index.html.
const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};
async function serve(folder) {
  const missing = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://x');
    let file = join(folder, decodeURIComponent(pathname));
    const about = await stat(file).catch(() => null);
    if (about?.isDirectory() && !pathname.endsWith('/')) {
      return response.writeHead(301, { location: `${pathname}/` }).end();
    }
    if (about?.isDirectory()) file = join(file, 'index.html');
    const body = await readFile(file).catch(() => null);
    if (!body) missing.push(pathname);
    response.writeHead(body ? 200 : 404, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
      .end(body ?? '');
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${server.address().port}`, missing };
}

// Unpacks a zip by its central directory.
async function unzip(zip, folder) {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'));
  const names = [];
  for (let at = zip.readUInt32LE(end + 16), n = zip.readUInt16LE(end + 10); n > 0; n--) {
    assert.equal(zip.readUInt32LE(at), 0x02014b50);
    const method = zip.readUInt16LE(at + 10);
    const [packed, length, from] = [20, 24, 42].map((i) => zip.readUInt32LE(at + i));
    const name = zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28));
    const start = from + 30 + zip.readUInt16LE(from + 26) + zip.readUInt16LE(from + 28);
    const data = zip.subarray(start, start + packed);
    const bytes = method === 8 ? inflateRawSync(data) : data;
    assert.equal(bytes.length, length, name);
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
    names.push(name);
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return names;
}

// The site opens on the documents.
async function finds(page) {
  await page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'ready', null,
    { timeout: 240_000 });
  await page.click('nav a[href^="/search"]');
  await page.fill('#q', 'ferry');
  await page.waitForFunction(() => document.querySelector('#columns')?.dataset.of === 'ferry' &&
    /The ferry of day/.test(document.querySelector('#columns ol.hits li')?.textContent), null, { timeout: 240_000 });
}

// It has the same report.
async function same(visit, hash) {
  const { page } = visit;
  await finds(page);
  await page.fill('#q', '');
  await page.click('nav a[href^="/judge"]');
  await given(page, 8);
  const texts = await page.locator('#judge-todo tbody th').allTextContents();
  assert.deepEqual(texts.sort(), [...queries].sort());
  await page.click('#judge-measure:enabled', { timeout: 240_000 });
  assert.equal(await reported(page), hash);
}

test('a workspace that is downloaded as a site opens from a plain host with the same report; ' +
  'offline, nothing is saved and the page says why', { timeout: 900_000 }, async (t) => {
  const { visit, hash } = await made();
  const { page } = visit;
  await visit.controlled();
  await choose(page, '#share-site');
  await page.waitForSelector('#make-site');
  const offered = await page.textContent('#site-says');
  assert.match(offered, /^“.*” as a site: \d+(\.\d+)? MB unpacked/);
  await visit.shot('site-offered');
  assert.deepEqual(await visit.accessibility(), []);
  await page.click('#cancel-site');
  assert.equal(await page.locator('#site-says').count(), 0);

  // without a network: said, and nothing saved
  rankbox.down();
  await page.click('#kept .site');
  await page.waitForFunction(() => /The site was not made: .*could not be fetched/.test(document.body.textContent));
  await visit.shot('site-offline');
  rankbox.up();
  visit.errors.length = 0; // of the network that was gone

  await page.click('#kept .site');
  await page.waitForSelector('#make-site');
  const [saved] = await Promise.all([page.waitForEvent('download', { timeout: 240_000 }), page.click('#make-site')]);
  assert.match(saved.suggestedFilename(), /\.site\.zip$/);
  const zip = await readFile(await saved.path());
  const folder = await scratch();
  const names = await unzip(zip, folder);
  t.diagnostic(`${names.length} files, ${zip.length} bytes; offered: ${offered}`);
  for (const name of ['index.html', 'search/index.html', 'sw.js', 'README.txt']) assert.ok(names.includes(name), name);
  const home = await readFile(join(folder, 'index.html'), 'utf8');
  assert.ok(!/harbour/i.test(home), 'the first page shows the demo');

  const host = await serve(folder);
  const there = await rankbox.open(`${host.origin}/`);
  await same(there, hash);
  await there.shot('site-board');
  // a grade that is given there is kept there, beside those that came along
  await there.page.goto(`${host.origin}/judge/`);
  await given(there.page, 8);
  await there.page.locator('#judge-todo tbody th button').first().click();
  await judging(there.page);
  const before = await there.page.locator('#judge-progress').textContent();
  await there.page.keyboard.press('2');
  await there.page.waitForFunction((b) => document.querySelector('#judge-progress').textContent !== b, before);
  await there.page.goto(`${host.origin}/judge/`);
  await given(there.page, 9);
  // every page opens by its address
  for (const path of ['/evaluate', '/learn', '/learn/ndcg', '/play', '/collections', '/measures']) {
    await there.page.goto(host.origin + path);
    await there.page.waitForFunction(() => document.querySelector('h1'), null, { timeout: 60_000 });
  }
  await there.page.goto(`${host.origin}/collections`);
  await there.page.waitForSelector('#gallery tbody');
  assert.match(await there.page.locator('#gallery tbody').first().textContent(), /24.*In use/);
  assert.deepEqual(host.missing.filter((p) => !/^\/api\//.test(p)), []);
  await there.close();
});

test('a file that the server lacks is named, and no site is saved', { timeout: 600_000 }, async () => {
  const { visit } = await made();
  const { page, context } = visit;
  await page.goto('/collections');
  await page.waitForSelector('#kept .site');
  await page.evaluate(async () => {
    for (const r of await navigator.serviceWorker.getRegistrations()) await r.unregister();
    for (const name of await caches.keys()) if (name !== 'uploads of Rankbox') await caches.delete(name);
  });
  await page.reload();
  await context.route('**/manifest.webmanifest', (route) => route.fulfill({ status: 404, body: '' }));
  await page.click('#kept .site', { timeout: 240_000 });
  await page.click('#make-site');
  await page.waitForFunction(() => /The site was not made: \/manifest\.webmanifest /.test(document.body.textContent),
    null, { timeout: 60_000 });
  await context.unroute('**/manifest.webmanifest');
  visit.errors.length = 0; // of the file that was missing
});

test('the build makes a site of a saved workspace: its documents, queries and grades, and the same figures',
  { timeout: 900_000 }, async (t) => {
  if (process.env.RANKBOX_LONG !== '1') return t.skip('it builds a site: RANKBOX_LONG=1 (go run ./build test -long)');
  const { figures, saved } = await made();
  const file = join(await scratch(), 'notes.workspace.zip');
  await copyFile(saved, file);
  const out = join(root, '.cache', 'published');
  const args = ['site', '-collections', file, '-out', out];
  await promisify(execFile)(await buildTool(), args, { cwd: root, maxBuffer: 1 << 24 });
  await rankbox.serve(out);
  const visit = await rankbox.open('/', { serviceWorkers: 'block' });
  const { page } = visit;
  await finds(page);
  const texts = await page.locator('#judged option').allTextContents();
  for (const text of queries) assert.ok(texts.includes(text), text);
  await page.goto('/evaluate');
  await page.waitForSelector('#board tbody tr');
  assert.match(await page.textContent('main'), /24 documents \(2 queries\)/);
  assert.match(figures, /^0\.\d{3} /);
  assert.equal(await bm25(page), figures); // of the systems that rank by words: this form has no vectors
  await visit.shot('site-built');
  await visit.done();
  await rankbox.serve();
});
