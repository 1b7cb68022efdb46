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
const warning = (page) => page.evaluate(() => document.getElementById('judge-unsaved')?.textContent ?? '');

test('grades that were saved outlive a full disk, and the warning goes when all of them are on it', { timeout: 600_000 },
  async (t) => {
  const folder = await small(120);
  if (!folder) return t.skip('this process may not mount a disk of its own (mount needs root)');
  let context = await rankbox.profile(folder);
  let page = await judging(context);
  await page.keyboard.press('n');
  await grade(page, 3);
  fill(folder, 0);
  await grade(page, 5);
  console.log('full:', await warning(page), free(folder));
  empty(folder);
  await grade(page, 4);
  await new Promise((done) => setTimeout(done, 3000));
  console.log('freed:', await warning(page));
  const said = await warning(page);
  await context.close();

  context = await rankbox.profile(folder);
  page = await judging(context);
  await new Promise((done) => setTimeout(done, 3000));
  console.log('restart:', await total(page), await page.textContent('main'));
  assert.equal(said, '');
  assert.equal(await total(page), 12);
  await context.close();
});
