// A disk that is full takes no grade away: what was saved stays, what could not be saved is said, and all of it is on
// the disk before the warning goes. The browser's profile lies on a file system of its own, which only root may mount.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { lab } from './harness.mjs';

const rankbox = lab({ context: { serviceWorkers: 'block' } });
const mounted = [];

after(() => {
  for (const folder of mounted) {
    try {
      execFileSync('umount', ['-l', folder]);
    } catch {}
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A folder on a disk of some megabytes, or '' if this process may not mount one. */
async function small(megabytes) {
  const folder = await mkdtemp(join(tmpdir(), 'rankbox-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}M`, 'rankbox', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return '';
  }
  mounted.push(folder);
  return folder;
}

const free = (folder) => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};
/** Fills the disk but for a number of bytes. */
function fill(folder, leave = 0) {
  for (let i = 0; free(folder) > leave && i < 9; i++) {
    try {
      writeFileSync(join(folder, `ballast${i}`), Buffer.alloc(Math.max(free(folder) - leave, 4096)));
    } catch {} // it is full
  }
}
const empty = (folder) => {
  for (let i = 0; i < 9; i++) rmSync(join(folder, `ballast${i}`), { force: true });
};

const meta = (page) => page.locator('#judged-document .meta').textContent();
async function judging(context, at = '/judge') {
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(rankbox.origin + at);
  await page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'ready', null,
    { timeout: 240_000 });
  return page;
}
async function grade(page, n) {
  for (let i = 0; i < n; i++) {
    await page.waitForSelector('#judged-title', { timeout: 240_000 });
    const before = await meta(page);
    await page.keyboard.press(String(i % 4));
    await page.waitForFunction((t) => document.querySelector('#judged-document .meta')?.textContent !== t, before,
      { timeout: 30_000 });
  }
}
const total = (page) => page.evaluate(() =>
  [...document.querySelectorAll('#judge-todo tbody td:last-child')].reduce((sum, e) => sum + Number(e.textContent), 0));
/** Waits until the list of Judge has so many grades. */
async function holds(page, n) {
  await page.waitForSelector('#judge-todo', { timeout: 240_000 });
  for (const end = Date.now() + 20_000; (await total(page)) !== n && Date.now() < end;) await page.waitForTimeout(200);
  const said = await page.evaluate(() =>
    [...document.querySelectorAll('.judge .warn')].map((e) => e.textContent).join(' '));
  assert.equal(await total(page), n, `the page says: ${said || 'nothing'}`);
}
const warning = (page) => page.evaluate(() => document.getElementById('judge-unsaved')?.textContent ?? '');

const open = [];
async function start(folder, at) {
  const context = await rankbox.profile(folder);
  open.push(context);
  return { context, page: await judging(context, at) };
}
after(() => Promise.all(open.map((context) => context.close().catch(() => {}))));
async function settled(page) {
  const said = new Set();
  for (const end = Date.now() + 60_000; await warning(page); await page.waitForTimeout(200)) {
    said.add((await warning(page)).slice(0, 120));
    assert.ok(Date.now() < end, `it still says after a minute: ${[...said].join(' | ')}`);
  }
}
const copied = () => new Promise((done) => setTimeout(done, 3500)); // the second copy follows in two seconds
const noDisk = 'this process may not mount a disk of its own (mount needs root)';

test('grades that were saved outlive a full disk, and the warning goes when all of them are on it',
  { timeout: 300_000 }, async (t) => {
  const folder = await small(120);
  if (!folder) return t.skip(noDisk);
  let { context, page } = await start(folder);
  await page.keyboard.press('n');
  await grade(page, 3);
  let given = 3;
  for (; given < 12 && !(await warning(page)); given++) { // the browser frees some room by itself now and then
    fill(folder);
    await grade(page, 1);
  }
  assert.match(await warning(page), /^Not saved: .*All your grades are safe while this tab is open/);
  empty(folder);
  await grade(page, 3);
  given += 3;
  await settled(page);
  await context.close();
  ({ context, page } = await start(folder));
  await holds(page, given);
  await context.close();
});

test('a browser that is closed on a full disk has the grades of before, or brings them back and says so',
  { timeout: 300_000 }, async (t) => {
  const folder = await small(120);
  if (!folder) return t.skip(noDisk);
  let { context, page } = await start(folder);
  await page.keyboard.press('n');
  await grade(page, 4);
  await copied();
  fill(folder);
  await grade(page, 3);
  await context.close();
  empty(folder);
  ({ context, page } = await start(folder));
  await page.waitForSelector('#judge-todo');
  const gone = await page.evaluate(() => document.getElementById('judge-gone')?.textContent ?? '');
  t.diagnostic(`after the restart: ${await total(page)} grades; the page says: ${gone || 'nothing'}`);
  assert.ok((await total(page)) >= 4, `${await total(page)} grades, said: ${gone}`);
  await context.close();
});

test('a database that the browser throws away is said to be gone, and the second copy brings the grades back',
  { timeout: 300_000 }, async () => {
  const visit = await rankbox.open('/judge');
  const { page } = visit;
  await page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'ready', null,
    { timeout: 240_000 });
  await page.keyboard.press('n');
  await grade(page, 4);
  await copied();
  await page.goto(`${rankbox.origin}/404`);
  await page.evaluate(() => new Promise((done, failed) => {
    const request = indexedDB.deleteDatabase('rankbox workspaces');
    request.onsuccess = done;
    request.onerror = request.onblocked = failed;
  }));
  await page.goto(`${rankbox.origin}/judge`);
  await page.waitForSelector('#judge-gone', { timeout: 240_000 });
  assert.equal(await page.textContent('#judge-gone'),
    '4 grades were saved here and are gone. A second copy on this device brought back 4 grades.');
  await holds(page, 4);
  await settled(page);
  await page.reload();
  await holds(page, 4);
  assert.equal(await page.locator('#judge-gone').count(), 0);
  await visit.done();
});

test('a record without bytes, one of text and one that is gone cost themselves alone, and are named',
  { timeout: 300_000 }, async () => {
  const visit = await rankbox.open('/judge');
  const { page } = visit;
  await page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'ready', null,
    { timeout: 240_000 });
  await page.keyboard.press('n');
  await grade(page, 6);
  await page.goto(`${rankbox.origin}/404`);
  await page.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name); // no second copy
    const wait = (request) => new Promise((done) => (request.onsuccess = () => done(request.result)));
    const db = await wait(indexedDB.open('rankbox workspaces'));
    const edits = db.transaction('edits', 'readwrite').objectStore('edits');
    const keys = await wait(edits.getAllKeys());
    const [second, third] = [await wait(edits.get(keys[1])), await wait(edits.get(keys[2]))];
    await wait(edits.put({ ...second, bytes: undefined }, keys[1]));
    await wait(edits.put({ ...third, bytes: 'no record' }, keys[2]));
    await wait(edits.delete(keys[4]));
    db.close();
  });
  await page.goto(`${rankbox.origin}/judge`);
  await page.waitForSelector('#judge-lost', { timeout: 240_000 });
  // the first record holds the layer's head and a grade, each other one a grade
  assert.match(await page.textContent('#judge-lost'),
    /^3 saved edits are missing or damaged: records 3, 4, 6 of 7\. The rest is here\./);
  await holds(page, 3);
  await visit.done();
});

test('files become a collection on a full disk: it is searched, and a warning of its own says that it is not saved',
  { timeout: 300_000 }, async (t) => {
  const folder = await small(120);
  if (!folder) return t.skip(noDisk);
  const context = await rankbox.profile(folder);
  open.push(context);
  const page = context.pages()[0];
  await page.goto(`${rankbox.origin}/collections`);
  await page.waitForFunction(() => document.querySelector('#files')?.disabled === false, null, { timeout: 240_000 });
  fill(folder);
  const rows = Array.from({ length: 2000 }, (_, i) =>
    `d${i},ferry ${i},a ferry ${i} of many words ${'x'.repeat(i % 90)}`);
  await page.setInputFiles('#files', [{ name: 'boats.csv', mimeType: 'text/csv',
    buffer: Buffer.from(`id,title,text\n${rows.join('\n')}`) }]);
  await page.click('#index', { timeout: 240_000 });
  await page.waitForSelector('#search-made', { timeout: 240_000 });
  const said = await page.textContent('#unkept');
  assert.match(said, /^Not saved on this device: (the disk is full|.*grants this site)/i);
  assert.doesNotMatch(said, /Entry already exists|internal error/i);
  assert.match(await page.textContent('#made'), /is ready: 2,?000 documents/);
  empty(folder);
  await context.close();
});

test('a storage of a later version is left alone, and the page of the earlier one says why it saves nothing',
  { timeout: 300_000 }, async () => {
  const visit = await rankbox.open('/judge');
  const { page } = visit;
  await page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'ready', null,
    { timeout: 240_000 });
  await page.keyboard.press('n');
  await grade(page, 2);
  const later = await visit.context.newPage(); // a page of a later version
  await later.goto(`${rankbox.origin}/404`);
  await later.evaluate(() => new Promise((done, failed) => {
    const request = indexedDB.open('rankbox workspaces', 2);
    request.onsuccess = () => done(request.result.close());
    request.onerror = request.onblocked = () => failed(request.error ?? new Error('blocked'));
  }));
  await grade(page, 2);
  assert.match(await warning(page), /a newer Rankbox has saved it: reload the page to get that/i);
  const kept = await later.evaluate(() => new Promise((done) => {
    indexedDB.open('rankbox workspaces').onsuccess = ({ target: { result: db } }) => {
      db.transaction('edits').objectStore('edits').count().onsuccess = ({ target }) => done(target.result);
    };
  }));
  assert.equal(kept, 2, 'the page of the earlier version wrote into the later storage');
  await visit.done();
});

test('a tab that was frozen saves what it is given when it wakes', { timeout: 300_000 }, async () => {
  const visit = await rankbox.open('/judge');
  const { page } = visit;
  await page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'ready', null,
    { timeout: 240_000 });
  await page.keyboard.press('n');
  await grade(page, 2);
  const cdp = await visit.context.newCDPSession(page);
  await cdp.send('Page.setWebLifecycleState', { state: 'frozen' });
  await new Promise((done) => setTimeout(done, 12_000)); // longer than a silent worker has
  await cdp.send('Page.setWebLifecycleState', { state: 'active' });
  await grade(page, 2);
  assert.equal(await warning(page), '');
  const stopped = await page.evaluate(() => document.querySelector('.notice')?.textContent ?? '');
  assert.doesNotMatch(stopped, /stopped/);
  await page.goto(`${rankbox.origin}/judge`);
  await holds(page, 4);
  await visit.done();
});
