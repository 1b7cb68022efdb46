// Nightly: backends that change.
// Behind the same id another model, index or template is another backend. A visitor whose answers are saved (warm)
// keeps the figures, reads what changed and can run again; a visitor without them (cold) gets the new backend's
// figures.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { commandLine, lab, ready, root, scratch } from './harness.mjs';

// The service reranks in TEI's format by the length of texts, and searches in OpenSearch's: it finds one document by
// the first index and request, and another one by others.
let asked = 0;
const service = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  if (request.method === 'GET') {
    response.writeHead(404).end(); // it says nothing of itself
    return;
  }
  asked++;
  const question = JSON.parse(Buffer.concat(parts));
  const first = request.url === '/first/_search' && !question.min_score;
  const found = { hits: { hits: [{ _id: first ? 'hw-0003' : 'hw-0004', _score: 1 }] } };
  const scores = question.texts?.map((text, index) => ({ index, score: 1 / (1 + text.length) }));
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(scores ?? found));
});
before(() => new Promise((done) => service.listen(0, '127.0.0.1', done)));
after(() => service.close());

const plain = { size: '$k', query: { multi_match: { query: '$query', fields: '$fields' } } };
const original = { model: 'words', index: 'first', template: plain };
let now = original; // what is behind the two ids
let folder;

const rankbox = lab({
  server: async (origin) => {
    const config = join((folder ??= await scratch()), 'edge.json');
    const url = `http://127.0.0.1:${service.address().port}`;
    const { model, index, template } = now;
    const backends = [
      { id: 'ce', kind: 'tei', url, model, revision: '1', does: ['rerank'] },
      { id: 'wire', kind: 'opensearch', url, index, does: ['search'], text_fields: ['text'],
        templates: { bm25: template } },
    ];
    await writeFile(config, JSON.stringify({ origins: [origin], limits: { per_minute: 100000 }, backends }));
    const dist = join(root, 'dist');
    return [await commandLine(), 'serve', '-addr', '127.0.0.1:0', '-site', dist, '-config', config, '-quiet'];
  },
});

const long = { timeout: 240_000 };
const behind = (page) => page.locator('#experiment-table .behind').textContent();
const figures = (page) => page.locator('#experiment-table tbody tr')
  .evaluateAll((rows) => rows.map((r) => r.textContent));

// experiment runs a system in a tab of its own context.
const experiment = async (system) => {
  const visit = await rankbox.open('/experiment');
  const { page } = visit;
  await ready(page);
  await page.locator('#experiment-systems').fill(`bm25\n${system}`, long);
  const priced = () => document.querySelector('#experiment-plan')?.textContent.includes('at most 44 calls');
  await page.waitForFunction(priced, null, long);
  await page.locator('#experiment-run').click();
  await page.locator('#experiment-compare').waitFor(long);
  assert.equal(await page.locator('#experiment-changed').count(), 0);
  return visit;
};

for (const [name, system, changed, said] of [
  ['model', 'bm25 >> rerank(backend=ce,depth=7)', { model: 'other words' }, /model was words, is now other words/],
  ['index', 'search(backend=wire)', { index: 'second' }, /index was first, is now second/],
  ['template', 'search(backend=wire)', { template: { ...plain, min_score: 1 } }, /templates changed/],
]) {
  const title = `another ${name} behind the same id is told, its figures stand, and Run again asks it`;
  test(title, { timeout: 900_000 }, async () => {
    now = original;
    await rankbox.serve();
    asked = 0;
    const visit = await experiment(system);
    const { page } = visit;
    assert.equal(asked, 44);
    const [before, measured] = [await behind(page), await figures(page)];
    now = { ...original, ...changed };
    await rankbox.serve(); // an edge with another one behind the id answers from now on

    // warm: another visit of the same browser
    await page.reload();
    await ready(page);
    await page.locator('#experiment-changed').waitFor(long);
    assert.match(await page.locator('#experiment-changed').textContent(), said);
    assert.equal(await behind(page), before);
    assert.deepEqual(await figures(page), measured);
    assert.equal(asked, 44);

    // cold: a browser that has saved nothing
    await rankbox.serve(); // and an edge that has stored nothing
    const cold = await experiment(system);
    assert.equal(asked, 88);
    const [after, other] = [await behind(cold.page), await figures(cold.page)];
    assert.notEqual(after, before);
    await cold.done();

    await rankbox.serve();
    await page.locator('#experiment-renew').click();
    const renewed = (b) => document.querySelector('#experiment-table .behind')?.textContent === b;
    await page.waitForFunction(renewed, after, long);
    await page.locator('#experiment-compare').waitFor(long);
    assert.equal(asked, 132);
    assert.equal(await page.locator('#experiment-changed').count(), 0);
    assert.deepEqual((await figures(page)).map((t) => t.replace(/;.*/, '')), other.map((t) => t.replace(/;.*/, '')));
    await visit.done();
  });
}
