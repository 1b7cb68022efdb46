// Nightly: kills workers at many moments.
// The worker is ended at random moments of every long job, as a browser that is short of memory may do it: what comes
// out in the end is what comes out undisturbed. The moments are drawn from a seed, so that a failure can be had again.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { lab, ready, reported, results, shown } from './harness.mjs';

const rankbox = lab();
// One kill of each kind of operation; the other fourteen with RANKBOX_LONG=1 (go run ./build test -long).
const kills = Number(process.env.RANKBOX_KILLS ?? (process.env.RANKBOX_LONG === '1' ? 15 : 1));

/** Numbers from 0 to 1: a linear congruential generator modulo 2^32. */
function random(seed) {
  let x = seed;
  return () => (x = (Math.imul(x, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** Runs that keep the worker busy for some hundred milliseconds, with their judgments. */
function files(queries, depth) {
  const next = random(7);
  const line = { qrels: [], a: [], b: [], c: [] };
  for (let q = 0; q < queries; q++)
    for (let d = 0; d < depth; d++) {
      if (d % 5 === 0) line.qrels.push(`q${q} 0 d${d} ${d % 3}`);
      for (const run of 'abc') line[run].push(`q${q} Q0 d${d} 0 ${next().toFixed(6)} ${run}`);
    }
  return Object.entries(line)
    .map(([name, lines]) => ({ name: name === 'qrels' ? 't.qrels' : `${name}.run`, mimeType: 'text/plain',
      buffer: Buffer.from(`${lines.join('\n')}\n`) }));
}

async function open(path) {
  const visit = await rankbox.open('about:blank');
  const { page } = visit;
  await page.addInitScript(() => {
    globalThis.workers = [];
    globalThis.Worker = class extends Worker {
      constructor(...args) {
        super(...args);
        globalThis.workers.push(this);
      }
    };
  });
  await page.goto(rankbox.origin + path);
  await ready(page);
  return visit;
}

// Begins a job and ends the worker in the midst of it: in one of two cases without a word, which the page notices by
// eight seconds of silence, or at the next question where the job was over sooner; in the other with an error, of which
// the browser tells at once.
async function struck(page, seed, within, begin) {
  const done = begin();
  const next = random(seed + 1);
  next();
  await sleep(within * next()); // by chance, so that no moment is spared
  if (seed % 2) await page.evaluate(() => globalThis.workers.at(-1).terminate());
  else {
    const before = await page.evaluate(() => globalThis.workers.length);
    const end = page.workers().at(-1)?.evaluate(() => setTimeout(() => { throw new Error('killed by the test'); }))
      .then(() => true, () => true);
    const told = await Promise.race([end, sleep(2000)]); // one that has ended already may never answer
    // the page is told later: were it after the next job began, that would see two ends, which take back what was asked
    if (told) await page.waitForFunction((n) => globalThis.workers.length > n, before, { timeout: 20_000 })
      .catch(() => {});
  }
  return done;
}

async function done(visit) {
  visit.errors.splice(0, visit.errors.length, ...visit.errors.filter((e) => !e.includes('killed by the test')));
  await visit.done();
}

const sum = (bytes) => createHash('sha256').update(bytes).digest('hex');

test('a file of texts that hangs for nine seconds ends no worker', { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('about:blank');
  const { page } = visit;
  let stalled = 0;
  await visit.context.route(/texts-.*\.bin/, async (route) => {
    stalled++;
    await new Promise((resolve) => setTimeout(resolve, 9000));
    await route.continue().catch(() => {});
  });
  await page.addInitScript(() => {
    globalThis.notices = [];
    new MutationObserver(() => globalThis.notices.push(document.querySelector('.notice')?.textContent ?? ''))
      .observe(document, { childList: true, subtree: true, characterData: true });
  });
  await page.goto(`${rankbox.origin}/search`);
  await ready(page);
  await page.fill('#q', 'harbour pilot');
  await results(page, 0, { timeout: 240_000 });
  assert.ok(stalled > 0, 'no text was asked for');
  const notices = await page.evaluate(() => globalThis.notices);
  assert.deepEqual(notices.filter((n) => /stopped/.test(n)), []);
  assert.ok(notices.some((n) => /^The server has sent nothing for 6 seconds/.test(n)), 'silence is not said');
  await visit.done();
});

describe('kills', { concurrency: 2 }, () => {
  test(`a search is answered the same after ${kills} kills`, { timeout: 600_000 }, async () => {
    const visit = await open('/search');
    const { page } = visit;
    const titles = () => page.locator('#system-0 ol.hits .open').allTextContents();
    const want = {};
    for (const text of ['harbour pilot', 'port strike']) {
      const before = (await titles()).join();
      await page.fill('#q', text);
      await page.waitForFunction((b) => {
        const now = [...document.querySelectorAll('#system-0 ol.hits .open')].map((e) => e.textContent)
          .join(); return now && now !== b;
      }, before);
      want[text] = await titles();
    }
    for (let i = 0; i < kills; i++) {
      const text = Object.keys(want)[i % 2];
      await struck(page, i, 30, () => page.fill('#q', text));
      const same = (w) => [...document.querySelectorAll('#system-0 ol.hits .open')].map((e) => e.textContent).join() ===
        w && document.getElementById('status').textContent === 'Ready';
      await page.waitForFunction(same, want[text].join(), { timeout: 60_000 }).catch(() => {});
      assert.deepEqual(await titles(), want[text], `kill ${i}; the page says: ${await page.textContent('#status')}`);
    }
    await done(visit);
  });

  const jobs = {
    compare: { within: 900, begin: (page) => async (i) =>
      (await (await shown(page, '#policy-gain')).selectOption(i % 2 ? 'linear' : 'exponential'), '') },
    pack: { within: 300, begin: (page) => () => save(page, '#export-comparison') },
    export: { within: 120, begin: (page) => () => save(page, '#export-json-queries') },
    statistics: { within: 500, begin: (page) => async () => (await (await shown(page, '#every-test')).click(), '') },
  };

  async function save(page, button) {
    const [download] = await Promise.all([page.waitForEvent('download', { timeout: 240_000 }),
      shown(page, button).then((l) => l.click())]);
    return sum(await readFile(await download.path()));
  }

  for (const [at, [name, job]] of Object.entries(jobs).entries())
    test(`${name}: the same comes out after ${kills} kills`, { timeout: 600_000 }, async () => {
      const visit = await open('/compare');
      const { page } = visit;
      await page.setInputFiles('#files', files(60, 200));
      const hash = await reported(page);
      const idle = () => page.waitForFunction(() => document.querySelector('.compare')?.getAttribute('aria-busy') ===
        'false', null, { timeout: 240_000 });
      const begin = job.begin(page);
      const outcome = async (out) => {
        await idle();
        if (name === 'statistics') {
          await page.waitForSelector('#test-table tbody tr', { timeout: 240_000 });
          out = await page.locator('#test-table').textContent();
          await (await shown(page, '#every-test')).click();
          await page.waitForSelector('#test-table', { state: 'detached' });
        }
        if (name === 'compare') out = await page.locator('#policy-gain').inputValue();
        // the files are read again after a kill, which may be noticed between two questions
        const report = await page.waitForFunction(() => document.getElementById('page').dataset.report, null,
          { timeout: 240_000 });
        return `${out} ${await report.jsonValue()}`;
      };
      const want = [];
      for (const i of [0, 1]) {
        const out = await begin(i);
        if (name === 'compare') await page.waitForFunction(([h, other]) =>
          (document.getElementById('page').dataset.report === h) !== other, [hash, i === 0]);
        want.push(await outcome(out));
      }
      for (let i = 0; i < kills; i++) {
        const out = await struck(page, i + at + 1, job.within, () => begin(i)); // every other one without a word
        if (name === 'compare') await page.waitForFunction((h) => document.getElementById('page').dataset.report === h,
          want[i % 2].split(' ')[1], { timeout: 60_000 }).catch(() => {});
        assert.equal(await outcome(out), want[i % 2], `kill ${i}`);
      }
      await done(visit);
    });
});
