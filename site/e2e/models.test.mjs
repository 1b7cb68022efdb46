// Nightly: several encoders.
// A BEIR folder with what models made of its texts: every kind of it ranks in the tab.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { crc32 } from 'node:zlib';
import { lab } from './harness.mjs';

const rankbox = lab();

/** An array of NumPy's: type is a descr as "<f4", data its bytes. */
function npy(type, shape, data) {
  const sizes = shape.map((n) => `${n},`).join(' ');
  const head = `{'descr': '${type}', 'fortran_order': False, 'shape': (${sizes}), }`;
  const padded = `${head.padEnd(64 * Math.ceil((head.length + 11) / 64) - 11)}\n`;
  const size = Buffer.from([padded.length & 255, padded.length >> 8]);
  const start = Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), size, Buffer.from(padded, 'latin1')]);
  return Buffer.concat([start, Buffer.from(data)]);
}
const bytes = (typed) => Buffer.from(typed.buffer);

// d1 and d2 hold no word of the query q1, "pier": only what the models say of them can find them. Scores by hand.
const folder = {
  'corpus.jsonl': '{"_id":"d1","title":"","text":"a gale"}\n{"_id":"d2","title":"","text":"the harbour"}\n',
  'queries.jsonl': '{"_id":"q1","text":"pier"}\n',
  'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\td2\t1\n',
  'vectors/doc_ids.txt': 'd1\nd2\n',
  'vectors/query_ids.txt': 'q1\n',
  'vectors/s/docs.jsonl': '{"id":"d1","vector":{"gale":0.5,"pier":0.25}}\n{"id":"d2","vector":{"harbour":2}}\n',
  'vectors/s/queries.jsonl': '{"id":"q1","vector":{"harbour":1.5,"pier":1}}\n', // d2: 1.5 × 2 = 3, d1: 1 × .25 = .25
  'vectors/d/docs.npy': npy('<f4', [2, 2], bytes(new Float32Array([0.5, 1, 1, 0]))),
  'vectors/d/queries.npy': npy('<f4', [1, 2], bytes(new Float32Array([1, 0]))), // d2: 1, d1: .5
  'vectors/t/doc_tokens.i8.npy': npy('|i1', [3, 2], bytes(new Int8Array([0, 100, 50, 0, 100, 0]))),
  'vectors/t/doc_offsets.npy': npy('<i4', [3], bytes(new Int32Array([0, 2, 3]))),
  'vectors/t/query_tokens.i8.npy': npy('|i1', [1, 2], bytes(new Int8Array([100, 0]))),
  'vectors/t/query_offsets.npy': npy('<i4', [2], bytes(new Int32Array([0, 1]))),
  'vectors/t/meta.json': '{"scale": 0.01}', // d2: 1 × 1 = 1, d1: its better token, 1 × .5
};

test('term weights, vectors and token vectors of a folder rank in the tab', { timeout: 600_000 }, async (t) => {
  const at = await mkdtemp(join(tmpdir(), 'rankbox-models-'));
  t.after(() => rm(at, { recursive: true }));
  for (const [name, data] of Object.entries(folder)) {
    await mkdir(dirname(join(at, 'set', name)), { recursive: true });
    await writeFile(join(at, 'set', name), data);
  }
  const visit = await rankbox.open('/collections');
  const { page } = visit;
  await page.waitForFunction(() => document.querySelector('#folder')?.disabled === false, null, { timeout: 240_000 });
  await page.setInputFiles('#folder', join(at, 'set'));
  await page.waitForSelector('#search-made', { timeout: 240_000 });
  await page.click('#search-made');
  await page.waitForURL(/c=upload-/, { timeout: 240_000 });
  const id = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('c');
  const systems = ['sparse(model=s)', 'dense(model=d)', 'late(model=t)', 'bm25'];
  const asked = systems.map((s) => `s=${s.replace('(', '%28').replace(')', '%29')}`).join('&');
  await page.goto('about:blank');
  const fields = `v=1&page=search&c=${id}&${asked}&qid=q1`;
  await page.goto(`${rankbox.origin}/search#${fields}&x=${crc32(fields).toString(16).padStart(8, '0')}`);
  await page.waitForFunction(() => document.querySelector('#columns')?.dataset.of === 'pier', null,
    { timeout: 60_000 });
  const shown = await page.locator('#columns section').evaluateAll((all) => all.map((s) =>
    [...s.querySelectorAll('ol.hits li')].map((li) => li.textContent)));
  for (const [i, scores] of [['3.000', '0.250'], ['1.000', '0.500'], ['1.000', '0.500']].entries()) {
    assert.equal(shown[i].length, 2, `${systems[i]}: ${shown[i].join(' | ')}`);
    assert.match(shown[i][0], /the harbour/, systems[i]);
    assert.match(shown[i][1], /a gale/, systems[i]);
    for (const [rank, score] of scores.entries()) {
      assert.ok(shown[i][rank].includes(score), `${systems[i]}: ${shown[i][rank]}, want ${score}`);
    }
  }
  assert.equal(shown[3].length, 0, 'no document holds the word');
  await visit.shot('models');
  await visit.done();
});
