// node --test scripts/bench/bench.test.mjs
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test from 'node:test';
import { slow } from './slow.mjs';
import { quantile, time } from './timing.js';

test('quantiles are those of numpy.quantile 2.3 (linear)', () => {
  for (const [values, p, want] of [[[3], 0.95, 3], [[4, 1, 3, 2], 0.5, 2.5], [[4, 1, 3, 2], 0.95, 3.85], [[5, 1], 0, 1],
    [[5, 1], 1, 5]]) {
    assert.ok(Math.abs(quantile(values, p) - want) < 1e-12, `${values} at ${p}`);
  }
  assert.ok(Number.isNaN(quantile([], 0.5)));
});

test('calls that are short for the clock are repeated, long ones are not, and each query has the median of its passes',
  async () => {
  let clock = 0;
  const cost = [0.004, 3], calls = [0, 0];
  const search = (i, n) => {
    calls[i] += n;
    clock += n * cost[i];
    return i ? Promise.resolve() : undefined;
  };
  const { queries, passes } = await time(search, 2, { passes: 5, now: () => clock });
  assert.equal(passes, 5);
  assert.deepEqual(queries.map((t) => t.toFixed(6)), ['0.004000', '3.000000']);
  assert.deepEqual(calls, [2 + 5 * 125, 2 + 5]);
});

test('no pass begins after the budget, but for the first three', async () => {
  let clock = 0;
  const { passes } = await time(() => { clock += 100; }, 10, { budget: 500, now: () => clock });
  assert.equal(passes, 3);
});

test('a slow network has its round trip and its rate, and shares the rate', { timeout: 20_000 }, async (t) => {
  const server = createServer((request, response) => response.end(Buffer.alloc(Number(request.url.slice(1)))));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  // 1,000 bytes a millisecond
  const net = await slow(`http://127.0.0.1:${server.address().port}`, { down: 8, roundTrip: 100 });
  t.after(() => {
    net.close();
    server.closeAllConnections();
    server.close();
  });
  const get = async (n) => {
    const start = performance.now();
    assert.equal((await (await fetch(`${net.origin}/${n}`)).arrayBuffer()).byteLength, n);
    return performance.now() - start;
  };
  const small = await get(1); // connects: two round trips
  assert.ok(small > 195, `${small} ms`);
  const left = new AbortController();
  const gone = fetch(`${net.origin}/4000000`, { signal: left.signal }).then((answer) => left.abort(answer.status),
    () => {});
  await gone;
  assert.ok(await get(1) < 3000, 'what nobody waits for any more takes no room');
  const [large, small2] = await Promise.all([get(400_000), get(10)]);
  assert.ok(large > 480, `${large} ms`);
  assert.ok(small2 < large - 100, `a small answer waited ${small2} ms behind a large one`);
});
