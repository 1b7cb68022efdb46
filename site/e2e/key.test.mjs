// Nightly: private edges.
// A private edge: the page asks for a key on its status, says what is wrong with one, saves a good one on this device,
// and then works with the edge's backends.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { promisify } from 'node:util';
import { commandLine, lab, ready, root, scratch } from './harness.mjs';

const service = createServer(async (request, response) => { // it reranks in TEI's format by the length of texts
  const parts = [];
  for await (const part of request) parts.push(part);
  if (request.method === 'GET') {
    response.writeHead(404).end(); // it says nothing of itself
    return;
  }
  const { texts } = JSON.parse(Buffer.concat(parts));
  const scores = texts.map((text, index) => ({ index, score: 1 / (1 + text.length) }));
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(scores));
});
before(() => new Promise((done) => service.listen(0, '127.0.0.1', done)));
after(() => service.close());

const secret = 'CLIENT_KEYS=0123456789abcdef0123456789abcdef';
let config;
const rankbox = lab({
  server: async (origin) => {
    config = join(await scratch(), 'edge.json');
    const url = `http://127.0.0.1:${service.address().port}`;
    const backends = [{ id: 'ce', kind: 'tei', url, model: 'lengths', revision: '1', does: ['rerank'] }];
    const keys = { secret: 'CLIENT_KEYS', revoked: ['gone'] };
    await writeFile(config, JSON.stringify({ origins: [origin], limits: { per_minute: 100000 }, keys, backends }));
    const serve = ['serve', '-addr', '127.0.0.1:0', '-site', join(root, 'dist'), '-config', config, '-quiet'];
    return ['env', secret, 'METRICS_TOKEN=token', await commandLine(), ...serve];
  },
});

const keyOf = async (id) => {
  const args = [secret, await commandLine(), 'serve', '-config', config, '-new-key', id];
  return (await promisify(execFile)('env', args)).stdout.trim();
};

const long = { timeout: 900_000 };

test('a private edge asks for a key, refuses a wrong one, and takes a good one until forgotten', long, async () => {
  const visit = await rankbox.open('/status');
  const { page } = visit;
  const long = { timeout: 240_000 };
  await ready(page);
  const says = (pattern) => page.locator('#edge-said', { hasText: pattern }).waitFor(long);
  const enter = async (key) => {
    await page.locator('#key').fill(key);
    await page.locator('#save-key', { hasText: 'Save the key on this device' }).click();
  };
  await says('This edge is private. Enter a key of it.');
  assert.equal(await page.locator('#edge-backends').count(), 0);
  assert.deepEqual(await visit.accessibility(), []);
  await visit.shot('key');

  const good = await keyOf('lea');
  const changed = good.slice(0, -1) + (good.endsWith('0') ? '1' : '0');
  for (const wrong of ['a word', changed, await keyOf('gone')]) {
    await enter(wrong);
    await says('does not take the saved key');
    assert.equal(await page.locator('#edge-backends').count(), 0, wrong);
  }
  assert.deepEqual(await visit.accessibility(), []);
  await visit.shot('key-wrong');

  await enter(good);
  await says(/^The edge offers 1 backend\.$/);
  await page.locator('#edge-backends', { hasText: 'lengths 1' }).waitFor(long);
  assert.equal(await page.locator('#key').inputValue(), '', 'the key is not shown');
  assert.deepEqual(await visit.accessibility(), []);
  await visit.shot('key-good');

  await page.goto(`${rankbox.url}experiment`); // the worker of another page reads the key that was saved
  await ready(page);
  await page.locator('#experiment-systems').fill('bm25\nbm25 >> rerank(backend=ce,depth=5)', long);
  const planned = () => document.querySelector('#experiment-plan')?.textContent.includes('2 runs on 44 queries');
  await page.waitForFunction(planned, null, long);
  await page.locator('#experiment-run').click();
  await page.locator('#experiment-compare').waitFor(long);
  assert.match(await page.locator('#experiment-table .behind').textContent(), /Scored by the backend ce \(lengths 1\)/);
  const asked = rankbox.requests.filter((r) => r.url === '/api/v1/rerank');
  assert.equal(asked.length, 44);
  assert.ok(asked.every((r) => r.headers.authorization === `Bearer ${good}`));
  assert.ok(rankbox.requests.every((r) => !r.url.includes('rbk.')), 'no address holds the key');

  await page.goto(`${rankbox.url}status`);
  await ready(page);
  await says(/^The edge offers 1 backend\.$/);
  await page.locator('#token').fill('token');
  await page.locator('#edge-token button').click();
  await page.locator('#edge-rerank', { hasText: '44' }).waitFor(long);
  await page.locator('#save-key', { hasText: 'Forget the key' }).click();
  await says('This edge is private. Enter a key of it.');
  await page.reload();
  await ready(page);
  await says('This edge is private. Enter a key of it.');
  await visit.done();
});
