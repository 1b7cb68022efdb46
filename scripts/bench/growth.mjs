// Measures search over a growth collection in Chromium and prints its figures as JSON.
// `go run ./build bench -only growth` makes what this needs and runs it. From the environment:
//
//   RANKBOX_GROWTH_OUT   the folder of the collection: growth.index, queries.json, best.json
//                        (core/retrieve/rank/bm25/prune_test.go)
//   RANKBOX_BENCH        a folder with bench.wasm and wasm_exec.js
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from './server.mjs';

const folder = process.env.RANKBOX_GROWTH_OUT;
const programs = process.env.RANKBOX_BENCH;
const root = fileURLToPath(new URL('../../', import.meta.url));
const here = (name) => join(root, 'scripts/bench', name);

const server = await serve({
  '/': Buffer.from('<!doctype html><title>growth</title>'),
  '/worker.js': here('worker.js'),
  '/timing.js': here('timing.js'),
  '/rankbox.js': here('rankbox.js'),
  '/bench.wasm': join(programs, 'bench.wasm'),
  '/wasm_exec.js': join(programs, 'wasm_exec.js'),
  '/kernel.js': join(root, 'wasm/kernel/kernel.js'),
  '/kernel.wasm': join(root, 'wasm/kernel/kernel.wasm'),
  '/growth.index': join(folder, 'growth.index'),
  '/queries.json': join(folder, 'queries.json'),
}, {});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const page = await browser.newPage();
  await page.goto(server.origin);
  const result = await page.evaluate((message) => new Promise((resolve, reject) => {
    const worker = new Worker('/worker.js');
    worker.onmessage = ({ data }) => (data.problem ? reject(new Error(data.problem)) : resolve(data.result));
    worker.onerror = (e) => reject(new Error(e.message));
    worker.postMessage(message);
  }), { task: 'growth', depths: [10, 100] });
  const native = JSON.parse(await readFile(join(folder, 'best.json'), 'utf8'));
  assert.deepEqual(result.best, native.map((hits) => (hits ?? []).flatMap((h) => [h.Doc, h.Score])),
    'the tab ranks as the native program does, to the bit');
  delete result.best;
  console.log(JSON.stringify({ ...result, chromium: browser.version() }));
} finally {
  await browser.close();
  server.close();
}
