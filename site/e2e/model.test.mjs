// Nightly: a model’s own network.
// A model's own network encodes typed queries: looked at, loaded, believed, kept, deleted; and what is no such model is
// refused in words.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { embed, npy, onnx, tokens } from './fixtures/onnx/tiny.mjs';
import { lab, ready } from './harness.mjs';

const rankbox = lab();
const docs = [['d1', 'ferry late'], ['d2', 'storm closed harbour'], ['d3', 'ferry harbour']];
const queries = [['q1', 'late ferry'], ['q2', 'harbour storms'], ['q3', 'closed harbour']];
const file = (name, content) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
const lines = (rows) => rows.map(([_id, text]) => `${JSON.stringify({ _id, text })}\n`).join('');
const vocab = file('vocab.txt', `${tokens.join('\n')}\n`);

const rests = (page, id, text) =>
  page.waitForFunction(([id, text]) => new RegExp(text).test(document.getElementById(id)?.textContent ?? ''),
    [id, text], { timeout: 240_000 });
const refused = (page, text) =>
  page.waitForFunction((text) => new RegExp(text).test(document.querySelector('.problem')?.textContent ?? ''), text,
    { timeout: 240_000 });

test('typed queries are encoded by a model of somebody’s own, once it is loaded and found to be the one that made the vectors',
  { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('/upload');
  const { page } = visit;
  await page.waitForFunction(() => document.querySelector('#files')?.disabled === false, null, { timeout: 240_000 });
  await page.setInputFiles('#files', [
    file('corpus.jsonl', lines(docs)), file('queries.jsonl', lines(queries)), file('qrels.txt', 'q1 0 d1 1\n'),
    file('docs.npy', npy(docs.map(([, text]) => embed(text)))),
    file('queries.npy', npy(queries.map(([, text]) => embed(text)))),
  ]);
  await page.click('#search-made', { timeout: 240_000 });
  await ready(page);
  await page.click('#edit-0');
  await page.fill('#notation-0', 'dense(model=own)');
  await page.click('.editor button[type=submit]');
  await page.fill('#q', 'storms closed');
  await page.locator('#system-0 .cannot', { hasText: 'no encoder' }).waitFor({ timeout: 240_000 });
  await page.click('#system-0 .cannot a');
  await page.waitForSelector('#files-1:enabled', { state: 'attached', timeout: 240_000 });

  // nothing is fetched before somebody has read what it costs
  const given = [file('model.onnx', onnx()), vocab];
  await page.setInputFiles('#files-1', given);
  await rests(page, 'looked-1',
    'model\\.onnx, from your files: .* read from this device.*onnxruntime-web is fetched first.*about 1\\d\\d.* of memory');
  assert.ok(!rankbox.requests.some((r) => r.url.includes('/vendor/')), 'the runtime came unasked');
  await visit.shot('model-looked');
  assert.deepEqual(await visit.accessibility(), []);
  await page.check('#keep-1');
  await page.click('#load-1');
  await rests(page, 'loaded-1',
    '3 judged queries were encoded again: the lowest cosine with the stored vector is (1|0\\.99999\\d)\\.');
  await visit.shot('model-loaded');
  assert.deepEqual(rankbox.requests.filter((r) => r.url.includes('/vendor/'))
    .map((r) => r.url.replace(/\.[0-9a-f]{16}\./, '.')).sort(),
      ['/assets/vendor/onnxruntime.js', '/assets/vendor/onnxruntime.wasm']);

  // the order is that of the model's own vectors, reckoned here
  const by = embed('storms closed');
  const want = docs.map(([, text], i) => [embed(text).reduce((s, x, d) => s + x * by[d], 0), docs[i][0]])
    .sort(([a], [b]) => b - a).map(([, id]) => id);
  await page.click('#search-1');
  const order = () => page.locator('#system-0 ol.hits > li').evaluateAll((list) => list.map((li) => li.dataset.key));
  await page.waitForFunction(() => document.querySelectorAll('#system-0 ol.hits > li').length === 3, null,
    { timeout: 240_000 });
  assert.match(await page.textContent('#encoded'), /Typed query: encoded by own in this tab \(A\)\./);
  assert.deepEqual(await order(), want);

  // the next visit has it on the device, runtime and all
  const asked = rankbox.requests.length;
  await page.reload();
  await page.click('#system-0 .cannot a', { timeout: 240_000 });
  await page.click('#kept-1', { timeout: 240_000 });
  await page.click('#load-1');
  await rests(page, 'loaded-1', 'saved on this device.*encoded again');
  assert.ok(!rankbox.requests.slice(asked).some((r) => r.body.length || r.url.includes('model.onnx') ||
    r.url.includes('/uploads/')), 'something of it was sent');
  await page.click('#stop-1');
  await page.click('#delete-1');
  await page.click('#delete-1');
  await page.waitForSelector('#kept-1', { state: 'detached' });

  // what is no such model is refused in words, and the page works on
  const json = (change) => file('tokenizer.json', JSON.stringify({ model: { type: 'WordPiece' }, ...change }));
  for (const [name, files, words, when] of [
    ['another model', [file('model.onnx', onnx({ seed: 2 })), vocab], 'another model than own.*have a cosine of'],
    ['weights that are no numbers', [file('model.onnx', onnx({ damage: 'nan' })), vocab],
      'holds a value that is not a number'],
    ['no graph', [file('model.onnx', 'this is no graph at all'), vocab], 'model\\.onnx cannot be run'],
    ['another family', [file('model.onnx', onnx()), json({ model: { type: 'Unigram' } })],
      'of the family "Unigram"; only WordPiece', 'look'],
    ['other dimensions', [file('model.onnx', onnx()), vocab, file('config.json', '{"hidden_size":384}')],
      'config.json says 384 dimensions, the documents. vectors have 8', 'look'],
    ['no tokens', [file('model.onnx', onnx())], 'add vocab.txt or tokenizer.json', 'look'],
  ]) {
    await page.setInputFiles('#files-1', files);
    if (when !== 'look') await page.click('#load-1');
    await refused(page, words)
      .catch(async (e) => assert.fail(`${name}: ${await page.textContent('#page')}: ${e.message}`));
    if (when !== 'look') await page.click('#leave-1');
  }
  await visit.shot('model-refused');
  assert.equal(visit.errors.length, 0, visit.errors.join('\n'));
  await visit.done();
});

test('uploaded documents are encoded by a model of one’s own, which goes on after a reload and encodes typed queries',
  { timeout: 900_000 }, async () => {
    const visit = await rankbox.open('/upload');
    const { page } = visit;
    const words = tokens.slice(4).filter((t) => !t.startsWith('##'));
    const many = Array.from({ length: 6000 }, (_, i) => [`d${i}`,
      Array.from({ length: 5 }, (_, k) => words[Math.floor(i / 5 ** k) % 5]).join(' ')]);
    const given = [file('Tiny-Words/model.onnx', onnx()), vocab];
    await page.waitForFunction(() => document.querySelector('#files')?.disabled === false, null, { timeout: 240_000 });
    await page.setInputFiles('#files', [file('corpus.jsonl', lines(many)), file('queries.jsonl', lines(queries))]);
    await page.click('#model-made', { timeout: 240_000 });
    const begin = async () => {
      await page.waitForSelector('#files-1:enabled', { state: 'attached', timeout: 240_000 });
      await page.setInputFiles('#files-1', given);
      await rests(page, 'looked-1', 'model\\.onnx, from your files');
    };
    const listen = () => page.evaluate(() => { // how far it is, each time that it says it
      globalThis.said = [];
      new MutationObserver(() => {
        const n = /documents, ([\d,]+) of/.exec(document.getElementById('encoding-1')?.textContent)?.[1];
        if (n) globalThis.said.push(Number(n.replaceAll(',', '')));
      }).observe(document.getElementById('page'), { subtree: true, childList: true, characterData: true });
    });
    await begin();
    await visit.shot('model-encode');
    assert.deepEqual(await visit.accessibility(), []);
    await listen();
    await page.click('#load-1:has-text("Encode 6,000 documents")');
    await page.waitForFunction(() => globalThis.said.at(-1) > 200, null, { timeout: 240_000 });
    await page.reload();
    await begin();
    await listen();
    await page.click('#load-1');
    await rests(page, 'loaded-1', 'This model encodes typed queries: .*It encoded the documents, too\\.');
    const said = await page.evaluate(() => globalThis.said);
    assert.ok(said[0] > 192, `it went on from ${said[0]}`);
    await visit.shot('model-encoded');

    await page.click('#search-1');
    await ready(page);
    await page.click('#edit-0');
    await page.fill('#notation-0', 'dense(model=tiny-words)');
    await page.click('.editor button[type=submit]');
    await page.fill('#q', 'storms closed');
    await page.waitForFunction(() => /encoded by Tiny-Words in this tab/.test(document.body.textContent) &&
      document.querySelectorAll('#system-0 ol.hits > li').length > 3, null, { timeout: 240_000 });
    const best = await page.locator('#system-0 ol.hits > li').first().getAttribute('data-doc');
    const by = embed('storms closed');
    const score = ([, text]) => embed(text).reduce((s, x, d) => s + x * by[d], 0);
    const top = Math.max(...many.map(score));
    assert.ok(score(many[Number(best.slice(1))]) > top - 0.01, `${best} is not the nearest`); // rows of 8 bits
    await visit.done();
  });

const weights = process.env.RANKBOX_ONNX;
test('MiniLM in the tab makes the vectors that are stored of judged queries',
  { timeout: 600_000, skip: !(weights && existsSync(join(weights, 'model.onnx'))) &&
    'RANKBOX_ONNX names no folder with model.onnx and tokenizer.json of all-MiniLM-L6-v2' }, async () => {
  const visit = await rankbox.open('/model');
  const { page } = visit;
  await page.waitForSelector('#files-0:enabled', { state: 'attached', timeout: 240_000 });
  await page.setInputFiles('#files-0', [join(weights, 'model.onnx'), join(weights, 'tokenizer.json')]);
  await page.click('#load-0', { timeout: 240_000 });
  await rests(page, 'loaded-0', 'encoded again');
  const said = await page.textContent('#loaded-0');
  console.log(said);
  const cosine = Number(said.match(/stored vector is ([01](?:\.\d+)?)/)[1]);
  assert.ok(cosine >= (process.env.RANKBOX_ONNX_COSINE ?? 0.9999), said);
  await page.click('#search-0');
  await page.fill('#q', 'a ship that ran aground');
  await page.waitForFunction(() => /encoded by all-MiniLM-L6-v2 in this tab/.test(document.body.textContent), null,
    { timeout: 240_000 });
  await visit.shot('model-minilm');
  await visit.done();
});
