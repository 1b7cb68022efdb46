// Nightly: one experiment in the terminal and in the browser.
// One name, one figure: the same collection, systems, measures and policy have one hash, whichever way they were
// evaluated.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { commandLine, lab, ready, reported, root, saved, scratch } from './harness.mjs';

const rankbox = lab();
const run = promisify(execFile);
const collection = join(root, 'site/collections/harbour-wire');
const qrels = join(collection, 'qrels/test.tsv');
const imported = () => document.querySelector('#leaderboard tbody')?.textContent.includes('system-3');
const shows = (page) => page.evaluate(() => document.getElementById('page').dataset.report);

test('Home, imported runs, a saved comparison, rankbox run, compare and verify agree on one hash', {
  timeout: 600_000,
}, async () => {
  const tool = await commandLine();
  const folder = await scratch();
  const said = async (...args) => (await run(tool, args, { maxBuffer: 1 << 26 })).stdout;
  const visit = await rankbox.open('/');
  const { page } = visit;
  await ready(page);
  const home = await shows(page);
  assert.match(home, /^[0-9a-f]{64}$/);
  const systems = await page.locator('#leaderboard tbody th .notation').allTextContents();
  assert.equal(systems.length, 4, `${systems}`);
  const measures = ['nDCG@10', 'AP', 'RR', 'R@20', 'Judged@10'];
  const found = { home };

  // The terminal retrieves and compares, in one command and in two.
  const runs = [];
  for (const [i, system] of systems.entries()) {
    runs.push(join(folder, `system-${i}.run`));
    await writeFile(runs.at(-1), await said('search', '-quiet', '-k', '1000', collection, '-s', system));
  }
  const json = async (...args) => JSON.parse(await said(...args)).hash;
  found.compare = await json('compare', '-quiet', '-o', 'json', qrels, ...runs);
  const spec = join(folder, 'spec.json');
  await writeFile(spec, JSON.stringify({ collection, systems, measures }));
  found.run = /report ([0-9a-f]+)/.exec(await said('run', '-quiet', spec, '-o', join(folder, 'out.json')))?.[1];

  // Evaluate imports the runs of the terminal.
  await page.goto(`${rankbox.url}evaluate`);
  await ready(page);
  await page.setInputFiles('#files', [qrels, ...runs]);
  await page.waitForFunction(imported);
  found.imported = await reported(page);

  // It saves them; another profile and the terminal open what was saved.
  const comparison = await saved(page, '#export-comparison');
  const file = join(folder, comparison.name);
  await writeFile(file, comparison.bytes);
  found.reopened = await json('compare', '-quiet', '-o', 'json', file);
  const other = await rankbox.open('/evaluate');
  await ready(other.page);
  await other.page.setInputFiles('#files', file);
  await other.page.waitForFunction(imported);
  found.again = await reported(other.page);
  await other.done();
  found.verified = /[0-9a-f]{12,64}/.exec(await said('verify', file))?.[0];
  await visit.done();

  for (const [route, hash] of Object.entries(found)) {
    assert.ok(hash && home.startsWith(hash), `${route}: ${hash}, Home has ${home}`);
  }
});
