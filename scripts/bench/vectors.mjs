// Measures search by vectors beside other libraries, in one Chromium, and prints a table in Markdown. `go run ./build
// bench -only vectors` makes what this needs and runs it. From the environment:
//
//   RANKBOX_VECTORS   a folder with vectors.f32, queries.f32, truth.u32, truth-few.u32, choosers.f32, truth-choosers.u32, tokens.i8, query.i8 (build/tool/vectors.go says what they are), bench.wasm and wasm_exec.js
//   RANKBOX_ONLY      a part: ours, a library's name, million
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import wabt from 'wabt';
import { serve } from './server.mjs';

const folder = process.env.RANKBOX_VECTORS;
const only = process.env.RANKBOX_ONLY;
const root = fileURLToPath(new URL('../../', import.meta.url));
const here = (name) => join(root, 'scripts/bench', name);
const made = (name) => join(folder, name);
const million = { rows: 1_000_000, workers: 2 };

// What reading memory costs and no more: 64 bytes a turn.
const loop = `(module (memory (export "mem") 700)
  (func (export "read") (param $p i32) (param $n i32) (result i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $end i32)
    (local.set $end (i32.add (local.get $p) (local.get $n)))
    (loop $next
      (local.set $a (v128.xor (local.get $a) (v128.load (local.get $p))))
      (local.set $b (v128.xor (local.get $b) (v128.load offset=16 (local.get $p))))
      (local.set $c (v128.xor (local.get $c) (v128.load offset=32 (local.get $p))))
      (local.set $d (v128.xor (local.get $d) (v128.load offset=48 (local.get $p))))
      (local.set $p (i32.add (local.get $p) (i32.const 64)))
      (br_if $next (i32.lt_u (local.get $p) (local.get $end))))
    (i32x4.extract_lane 0 (v128.xor (v128.xor (local.get $a) (local.get $b)) (v128.xor (local.get $c) (local.get $d))))))`;
const read = Buffer.from((await wabt()).parseWat('read.wat', loop, { simd: true }).toBinary({}).buffer);

const server = await serve({
  '/': Buffer.from('<!doctype html><title>vectors</title>'),
  '/vectors-worker.js': here('vectors-worker.js'),
  '/vectors-peers.js': here('vectors-peers.js'),
  '/rankbox.js': here('rankbox.js'),
  '/read.wasm': read,
  '/bench.wasm': made('bench.wasm'),
  '/wasm_exec.js': made('wasm_exec.js'),
  '/kernel.js': join(root, 'wasm/kernel/kernel.js'),
  '/kernel.wasm': join(root, 'wasm/kernel/kernel.wasm'),
  ...Object.fromEntries(['vectors.f32', 'queries.f32', 'truth.u32', 'truth-few.u32', 'choosers.f32',
    'truth-choosers.u32', 'tokens.i8', 'query.i8'].map((name) => [`/${name}`, made(name)])),
}, { '/node_modules/': join(root, 'node_modules') });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'] });

/** Runs f in a page of a profile of its own, and gives up after some minutes. */
async function inPage(f, arg, minutes = 12) {
  const context = await browser.newContext();
  let timer;
  try {
    const page = await context.newPage();
    if (process.env.RANKBOX_LOUD) page.on('console', (m) => console.error(m.text()));
    await page.goto(server.origin);
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`not done after ${minutes} minutes`)), minutes * 60_000);
    });
    return await Promise.race([page.evaluate(f, arg), late]);
  } finally {
    clearTimeout(timer);
    await context.close().catch(() => {});
  }
}

/** One task in a worker. */
const inWorker = (message) => inPage((message) => new Promise((resolve, reject) => {
  const worker = new Worker('/vectors-worker.js');
  worker.onmessage = ({ data }) => (data.problem ? reject(new Error(data.problem)) : resolve(data.result));
  worker.onerror = (e) => reject(new Error(e.message));
  worker.postMessage(message);
}), message);

const ms = (x) => (x < 10 ? x.toPrecision(3) : x.toFixed(1)).replace(/\.?0+$/, '');
const mb = (x) => (x === undefined ? 'not said' : `${Math.round(x / 1e6)} MB`);
const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);
const wanted = (part) => !only || only === 'vectors' || only.split(',').includes(part);

const head = (what) => {
  console.log('');
  row(what, 'fastest', 'median', 'recall@100', 'made in', 'memory');
  row('---', '---:', '---:', '---:', '---:', '---:');
};
const show = (r) => row(r.name, `${ms(r.fastest)} ms`, `${ms(r.median)} ms`, r.recall?.toFixed(4) ?? '',
  r.made === undefined ? '' : `${ms(r.made / 1000)} s`, r.made === undefined ? '' : mb(r.memory));
const library = async (id, rows) => {
  if (!wanted(id)) return;
  try {
    (await inPage(async ([id, rows]) => (await import('/vectors-peers.js')).measure(id, rows), [id, rows]))
      .forEach(show);
  } catch (e) {
    row(id, String(e.message ?? e).split('\n')[0].replaceAll('|', '/'), '', '', '', '');
  }
};

console.log(
  `Chromium ${browser.version()} (headless), ${cpus().length} cores (${cpus()[0].model}), load ${loadavg().map((x) => x.toFixed(1)).join(' ')}.`);
try {
  let ours;
  if (wanted('ours')) ours = await inWorker({ task: 'ours' });
  head('100,000 × 384, the best 100');
  ours?.all.forEach(show);
  for (const id of ['plain', 'orama', 'hnswlib-wasm', 'edgevec']) await library(id);
  head('10,000 of them');
  ours?.few.forEach(show);
  for (const id of ['plain', 'orama', 'hnswlib-wasm', 'edgevec']) await library(id, 10_000);
  head('Other work');
  ours?.other.forEach(show);
  if (wanted('million')) {
    const found = await inPage(async ({ rows, workers }) => {
      const begun = performance.now();
      const all = Array.from({ length: workers }, () => new Worker('/vectors-worker.js'));
      const ask = (worker, message) => new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => (data.problem ? reject(new Error(data.problem)) : resolve(data.result));
        worker.onerror = (e) => reject(new Error(e.message));
        worker.postMessage(message);
      });
      const each = (message) =>
        Promise.all(all.map((worker, i) => ask(worker, typeof message === 'function' ? message(i) : message)));
      const size = rows / workers;
      await each((i) => ({ task: 'shard', from: i * size, n: size }));
      const made = performance.now() - begun;
      const out = [];
      let truth;
      for (const [name, settings] of [['int8, every row', {}],
        ['1 bit, then int8 of 20,000 a worker', { Scan: 2, Int8: 20_000, Rescore: 100 }]]) {
        await each({ task: 'settings', settings });
        const times = [], answers = [];
        for (let pass = 0; pass < 4; pass++) {
          for (let i = 0; i < 20; i++) {
            const start = performance.now();
            const parts = await each({ task: 'nearest', i });
            const merged = parts.flatMap((part, w) => part.map(([doc, score]) => [doc + w * size, score]))
              .sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 100);
            times.push(performance.now() - start);
            answers[i] = merged.map(([doc]) => doc);
          }
        }
        truth ??= answers;
        const recall = answers.map((ids, i) => ids.filter((id) => truth[i].includes(id)).length / 100)
          .reduce((a, b) => a + b) / answers.length;
        times.sort((a, b) => a - b);
        const held = await each({ task: 'held' });
        const alone = [];
        for (let i = 0; i < 40; i++) {
          const start = performance.now();
          await ask(all[0], { task: 'nearest', i: i % 20 });
          alone.push(performance.now() - start);
        }
        alone.sort((a, b) => a - b);
        out.push({ name: `${name}; one worker's half alone`, fastest: alone[0], median: alone[alone.length >> 1] });
        out.push({ name: `${name}; ${workers} workers`, fastest: times[0], median: times[times.length >> 1], recall,
          made, memory: held.reduce((a, b) => a + b) });
      }
      return out;
    }, million);
    head('1,000,000 × 384 in int8');
    found.forEach(show);
  }
} finally {
  console.log(`\nLoad at the end: ${loadavg().map((x) => x.toFixed(1)).join(' ')}.`);
  await browser.close();
  server.close();
}
