// A collection that is deleted leaves nothing in the browser: no document, query, grade, note or name of a file, in any
// storage, after a restart or by Back.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { lab } from './harness.mjs';

const rankbox = lab({ context: { serviceWorkers: 'block' } });
const folders = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

// Letters that no file of the site has, for each place where a person's words may stay.
const canary = 'zqxcanary';
const words = Object.fromEntries(['id', 'title', 'body', 'query', 'note', 'file', 'category'].map((place) =>
  [place, `${canary}${place}`]));

/** Where the canary is, in everything that a page can store. */
const found = (page) => page.evaluate(async (canary) => {
  const places = [];
  const text = (x) => {
    if (x instanceof Uint8Array || x instanceof ArrayBuffer) return new TextDecoder().decode(x);
    if (x && typeof x === 'object') return Object.entries(x).map(([key, value]) => `${key} ${text(value)}`).join(' ');
    return String(x);
  };
  const look = (place, x) => text(x).includes(canary) && places.push(place);
  for (const [name, kept] of Object.entries({ localStorage, sessionStorage })) {
    for (const [key, value] of Object.entries(kept)) look(`${name} ${key}`, key + value);
  }
  look('history', history.state);
  look('address', location.href);
  const wait = (request) => new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
  for (const { name } of await indexedDB.databases()) {
    const db = await wait(indexedDB.open(name));
    for (const store of db.objectStoreNames) {
      const at = db.transaction(store).objectStore(store);
      const [keys, values] = await Promise.all([wait(at.getAllKeys()), wait(at.getAll())]);
      keys.forEach((key, i) => look(`${name}/${store}`, [key, values[i]]));
    }
    db.close();
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      look(`${name} ${request.url}`, request.url + (await (await cache.match(request)).text()));
    }
  }
  const folder = async (directory, path) => {
    for await (const [name, handle] of directory.entries()) {
      if (handle.kind === 'directory') await folder(handle, `${path}${name}/`);
      else look(`file ${path}${name}`, name + (await (await handle.getFile()).text()));
    }
  };
  await folder(await navigator.storage.getDirectory(), '');
  return places;
}, canary);

const ready = (page) => page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'ready', null,
  { timeout: 240_000 });

test('a deleted collection leaves no word of it', { timeout: 600_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'rankbox-profile-'));
  folders.push(folder);
  let context = await rankbox.profile(folder);
  let page = context.pages()[0];
  await page.goto(`${rankbox.origin}/collections`);
  await page.waitForFunction(() => document.querySelector('#files')?.disabled === false, null, { timeout: 240_000 });
  const rows = [['sku', 'title', 'text', 'category'], ...Array.from({ length: 12 }, (_, i) =>
    [`${words.id}${i}`, `${words.title} ${i}`, `A ferry and ${words.body} ${i}`, words.category])];
  await page.setInputFiles('#files', [{ name: `${words.file}.csv`, mimeType: 'text/csv',
    buffer: Buffer.from(rows.map((row) => row.join(',')).join('\n')) }]);
  await page.click('#index', { timeout: 240_000 });
  await page.waitForSelector('#judge-made', { timeout: 240_000 });
  await page.click('#judge-made');
  await page.fill('#judge-new', `ferry ${words.query}`, { timeout: 240_000 });
  await page.click('#judge-add');
  await page.waitForSelector('#judged-title', { timeout: 240_000 });
  await page.fill('#judge-note', `${words.note} is here`);
  await page.locator('#judge-note').blur();
  await page.locator('#grade-2').click();
  await page.waitForFunction(() => / 1 of |1 in all/.test(document.getElementById('judge-progress').textContent));
  await page.click('nav a[href^="/search"]');
  await ready(page);
  await page.fill('#q', `ferry ${words.body}`);
  await page.waitForFunction(() => document.querySelectorAll('#columns section ol.hits li').length > 0, null,
    { timeout: 240_000 });
  await new Promise((done) => setTimeout(done, 3000)); // the second copy
  const before = await found(page);
  for (const place of [/^localStorage|^sessionStorage/, /workspaces\/edits/, /copies of Rankbox/,
    /uploads of Rankbox/]) {
    assert.ok(before.some((p) => place.test(p)), `nothing of it is in ${place}: ${before.join('; ')}`);
  }

  await page.evaluate(() => document.querySelector('a[href="/collections"]').click());
  await page.waitForSelector('#kept .delete', { timeout: 240_000 });
  await page.locator('#kept .delete').first().click();
  await page.locator('#kept .delete').first().click();
  await page.waitForFunction(() => !document.querySelector('#kept .delete'), null, { timeout: 60_000 });
  await new Promise((done) => setTimeout(done, 3000)); // what a page writes late
  assert.deepEqual(await found(page), []);
  for (let i = 0; i < 3; i++) {
    await page.goBack().catch(() => {});
    await new Promise((done) => setTimeout(done, 1500));
    const shown = await page.evaluate(() => document.documentElement.textContent +
      [...document.querySelectorAll('input, textarea')].map((e) => e.value).join(' '));
    const at = shown.indexOf(canary);
    assert.ok(at < 0, `Back shows ${shown.slice(Math.max(0, at - 80), at + 120)}`);
  }
  assert.deepEqual(await found(page), []);
  await context.close();

  context = await rankbox.profile(folder);
  page = context.pages()[0];
  await page.goto(`${rankbox.origin}/judge`);
  await ready(page);
  await new Promise((done) => setTimeout(done, 3000));
  assert.deepEqual(await found(page), []);
  await context.close();
  // on the disk, in the files in which browsers keep what pages store
  let left = '';
  try {
    left = execFileSync('grep', ['-rlaE', `${canary}(id|title|body|query|note|file|category)`, folder]).toString();
  } catch {} // grep finds nothing
  // a database keeps a deleted word in its log until it writes the log anew: docs/privacy.md says so
  const names = left.trim().split('\n').filter(Boolean).map((f) => f.slice(folder.length));
  t.diagnostic(`files of the browser that hold a deleted word: ${names.join(' ') || 'none'}`);
});
