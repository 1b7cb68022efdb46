// Nightly: the board before the program.
// The link of a comparison shows its finished figures before the program with every screen is there.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { commandLine, lab, networks, reported, scratch } from './harness.mjs';

const rankbox = lab();
const run = promisify(execFile);

// A comparison of two runs over 40 queries: its link carries grades by rank, its report comes from the command line.
async function comparison() {
  const folder = await scratch();
  let qrels = '';
  const runs = ['', ''];
  for (let q = 0; q < 40; q++) for (let d = 0; d < 30; d++) {
    qrels += `q${q} 0 document-number-${q}-${d} ${(q * 7 + d * 5) % 11 === 0 ? 1 + (d % 2) : 0}\n`;
    for (const s of [0, 1]) {
      runs[s] += `q${q} Q0 document-number-${q}-${(d * (s ? 7 : 11) + q) % 30} ${d + 1} ${30 - d} s${s}\n`;
    }
  }
  const files = [];
  for (const [name, text] of [['qrels.txt', qrels], ['alpha.run', runs[0]], ['beta <b>.run', runs[1]]]) {
    files.push(join(folder, name));
    await writeFile(files.at(-1), text);
  }
  const command = await commandLine();
  const link = (await run(command, ['compare', 'link', ...files])).stdout.trim();
  return { link, report: JSON.parse((await run(command, ['compare', ...files, '-o', 'json'])).stdout) };
}

test('the figures of a link are there before the page is, and are those of the command line', { timeout: 600_000 },
  async () => {
  const { link, report } = await comparison();
  const visit = await rankbox.open('/', { javaScriptEnabled: true });
  const { page } = visit;
  let go;
  const held = new Promise((resolve) => { go = resolve; });
  await visit.context.route('**/assets/wasm/rich.*', async (route) => { await held; await route.continue(); });
  await page.goto(`${rankbox.url}evaluate#${link}`);
  await page.waitForSelector('#link-board tbody tr', { timeout: 120_000 });
  assert.deepEqual((await page.locator('#link-board tbody th').allTextContents()).toSorted(), ['alpha', 'beta <b>']);
  const shown = await page.locator('#link-board tbody tr').evaluateAll((rows) =>
    rows.map((r) => [...r.cells].map((c) => c.textContent)));
  const head = await page.locator('#link-board thead th').allTextContents();
  let compared = 0;
  for (const [name, ...cells] of shown) for (const [m, cell] of cells.entries()) {
    const { mean, low, high } = report.runs.find((r) => r.name === name).measures[head[m + 1]];
    const figures = cell.match(/^(\d\.\d{3}) \((\d\.\d{3}) to (\d\.\d{3})\)$/)?.slice(1).map(Number);
    if (!figures) continue; // how much was judged
    for (const [i, want] of [mean, low, high].entries())
      assert.ok(Math.abs(figures[i] - want) <= 0.00050001, `${cell} for ${want}, ${head[m + 1]} of ${name}`);
    compared += 3;
  }
  assert.ok(compared > 20, `${compared} figures`);
  assert.match(await page.locator('#link-board').textContent(), /These are the finished figures of the link/);
  assert.deepEqual(await visit.accessibilityInBoth('link-board'), []);
  assert.ok((await visit.overflow()) <= 0);
  go();
  await reported(page);
  await page.waitForSelector('#link-board', { state: 'detached' });
  await visit.done();
});

test('on slow 4G they are there at least twice as soon as the page', { timeout: 600_000 }, async () => {
  const { link } = await comparison();
  const slow = await rankbox.open('/404.html');
  const session = await slow.context.newCDPSession(slow.page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', networks['slow 4G']);
  await slow.page.goto(`${rankbox.url}evaluate#${link}`);
  await slow.page.waitForFunction(() => performance.getEntriesByName('rankbox-board').length, null,
    { timeout: 240_000 });
  await reported(slow.page);
  const [board, live] = await slow.page.evaluate(() => ['board', 'live'].map((n) =>
    performance.getEntriesByName(`rankbox-${n}`)[0].startTime));
  console.log(`figures after ${Math.round(board)} ms, the page after ${Math.round(live)} ms`);
  assert.ok(board * 2 <= live, `${board} ms, ${live} ms`);
  await slow.close();
});
