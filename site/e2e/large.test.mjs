// Nightly: collections that fill the memory.
// Large files on the Compare screen: what is shown before all is read, and zips that stay where they are.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { crc32 } from 'node:zlib';
import { lab, ready } from './harness.mjs';

const rankbox = lab(process.env.SITE ? { from: process.env.SITE } : {});
let folder;
const file = (name) => join(folder, name);

/** A run of 400 queries: every relevant document stands at a rank that depends on the query and on shift. */
function run(depth, shift) {
  const lines = [];
  for (let q = 0; q < 400; q++)
    for (let d = 0; d < depth;
      d++) lines.push(
        `q${q} Q0 ${d === (q * 7 + shift) % 13 ? 9000000 + q : 1000000 + ((q * 977 + d * 7919 + shift) % 5000000)} ${d + 1} ${(depth - d + 0.125).toFixed(6)} system-${shift}\n`);
  return Buffer.from(lines.join(''));
}

/** A zip of stored files. */
function zip(files) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [name, data] of files) {
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt32LE(crc32(data), 14);
    head.writeUInt32LE(data.length, 18);
    head.writeUInt32LE(data.length, 22);
    head.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    head.copy(entry, 6, 4, 30);
    entry.writeUInt32LE(at, 42);
    parts.push(head, Buffer.from(name), data);
    directory.push(entry, Buffer.from(name));
    at += 30 + name.length + data.length;
  }
  const end = Buffer.alloc(22);
  const size = directory.reduce((n, b) => n + b.length, 0);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rankbox-large-'));
  const qrels = Buffer.from(Array.from({ length: 400 }, (_, q) => `q${q} 0 ${9000000 + q} 1\n`).join(''));
  const files = { 'judged.qrels': qrels, 'small.run': run(50, 3), 'large.run': run(4000, 1),
    'larger.run': run(4200, 2) };
  for (const [name, data] of Object.entries(files)) await writeFile(file(name), data);
  await writeFile(file('all.zip'), zip(Object.entries(files)));
}, { timeout: 240_000 });
after(() => rm(folder, { recursive: true, force: true }));

async function open() {
  const visit = await rankbox.open('/compare');
  await ready(visit.page);
  return visit;
}

/** The means of a table, by the name of the run. */
const means = (page, table) =>
  page.evaluate((t) => Object.fromEntries([...document.querySelectorAll(`${t} tbody tr`)].map((row) =>
    [(row.querySelector('th .name') ?? row.querySelector('th')).textContent.trim().match(/^\w+/)[0],
    [...row.querySelectorAll('td')].map((c) => (c.querySelector('span') ?? c).textContent.trim())
      .filter((text) => /^\d\.\d{3}$/.test(text)).slice(0, 4)])), table);

test('the means of a run are shown while larger ones are still being read, and are those of the leaderboard',
  async () => {
  const visit = await open();
  const { page } = visit;
  await page.setInputFiles('#files', ['large.run', 'small.run', 'larger.run', 'judged.qrels'].map(file));
  await page.waitForSelector('#first-figures tbody td', { timeout: 240_000 });
  const [early, reading, report] = await page.evaluate(() =>
    [document.querySelectorAll('#first-figures tbody tr').length, document.getElementById('reading')?.textContent,
      document.getElementById('page').dataset.report]);
  assert.ok(early < 3 && /^Reading /.test(reading) && !report, `${early} rows while ${reading}`);
  const first = await means(page, '#first-figures');
  await page.waitForFunction(() => document.getElementById('page').dataset.report, null, { timeout: 240_000 });
  await page.waitForSelector('#first-figures', { state: 'detached' });
  const all = await means(page, '#leaderboard');
  assert.equal(Object.keys(all).length, 3);
  for (const [name, row] of Object.entries(first)) assert.deepEqual(row, all[name], name);
  await visit.done();
});

test('a zip is read where it lies: its runs are compared, and the memory holds them, not it', async () => {
  const visit = await open();
  const { page } = visit;
  await page.setInputFiles('#files', file('all.zip'));
  await page.waitForFunction(() => document.getElementById('page').dataset.report, null, { timeout: 240_000 });
  const all = await means(page, '#leaderboard');
  assert.deepEqual(Object.keys(all).sort(), ['large', 'larger', 'small']);
  const memory = Math.max(
    ...(await Promise.all(page.workers().map((w) => w.evaluate(() => globalThis.rankbox?.memory?.() ?? 0)))));
  assert.ok(memory > 0 && memory < 140e6, `${Math.round(memory / 1e6)} MB for a zip of 160 MB`);
  await visit.done();
});
