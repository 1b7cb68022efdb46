// One measurement of Rankbox's search by vectors in a worker of its own: { task, … } comes in, { result } or { problem } goes out.

const bytes = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());
const dim = 384;
let bench;

/** The fastest and the median of many calls, in milliseconds; what is called does its work so often. */
function timed(f, passes, count, repeat = 1) {
  const all = [];
  for (let pass = 0; pass < passes; pass++) {
    for (let i = 0; i < count; i++) {
      const start = performance.now();
      f(i);
      all.push((performance.now() - start) / repeat);
    }
  }
  all.sort((a, b) => a - b);
  return { fastest: all[0], median: all[all.length >> 1] };
}

const tasks = {
  async ours() {
    const [vectors, queries, truth] = await Promise.all([bytes('/vectors.f32'), bytes('/queries.f32'), bytes('/truth.u32')]);
    const count = queries.length / 4 / dim;
    const { read, mem } = (await WebAssembly.instantiate(await bytes('/read.wasm'), {})).instance.exports;
    new Uint8Array(mem.buffer).fill(3);
    const search = (name, settings, made, best, repeat = 1) => {
      bench.settings(JSON.stringify(settings));
      let found = 0;
      for (let i = 0; i < count; i++) {
        bench.nearest(i, 1);
        const ids = new Set(best?.subarray(i * 100, i * 100 + 100));
        found += bench.found().filter((x, k) => k % 2 === 0 && ids.has(x)).length;
      }
      const times = timed((i) => bench.nearest(i, repeat), 12, count, repeat);
      return { name, ...times, ...(best && { recall: found / count / 100, made, memory: bench.held() }) };
    };
    const load = (rows) => {
      const start = performance.now();
      bench.vectors(vectors.subarray(0, rows * dim * 4), queries, dim);
      return performance.now() - start;
    };
    let made = load(vectors.length / 4 / dim);
    const whole = new Uint32Array(truth.buffer);
    const out = { all: [], few: [], other: [] };
    for (const [name, settings] of [
      ['exact', {}],
      ['scan=int8', { Scan: 1, Rescore: 200 }],
      ['scan=bit,int8=12000,rescore=200', { Scan: 2, Int8: 12000, Rescore: 200 }],
      ['scan=bit,int8=4000,rescore=120', { Scan: 2, Int8: 4000, Rescore: 120 }],
      ['scan=bit,rescore=4000', { Scan: 2, Rescore: 4000 }],
    ]) out.all.push(search(`**Rankbox**, \`${name === 'exact' ? 'dense' : name}\``, settings, made, whole));
    made = load(10_000);
    out.few.push(search('**Rankbox**, `dense`', {}, made, new Uint32Array((await bytes('/truth-few.u32')).buffer)));
    load(5183);
    out.other.push(search('5,183 of SciFact, exact, the best 100', {}, 0, null, 10));
    bench.tokens(await bytes('/tokens.i8'), (await bytes('/query.i8')).subarray(0, 32 * 64), 300, 128, 64);
    out.other.push({ name: 'MaxSim, 300 documents × 128 tokens × 32 tokens × 64 dimensions', ...timed(() => bench.maxSim(), 100, 1) });
    for (const size of [4_800_000, 38_400_000]) {
      out.other.push({ name: `reading ${size / 1e6} MB in a loop and nothing else`, ...timed(() => read(65536, size), 60, 1) });
    }
    return out;
  },
  async shard({ from, n }) {
    const vectors = new Float32Array((await bytes('/vectors.f32')).buffer);
    const small = new Int8Array(vectors.length);
    for (let at = 0; at < vectors.length; at += dim) {
      let most = 0;
      for (let c = 0; c < dim; c++) most = Math.max(most, Math.abs(vectors[at + c]));
      for (let c = 0; c < dim; c++) small[at + c] = Math.round((vectors[at + c] / most) * 127);
    }
    bench.shard(new Uint8Array(small.buffer), await bytes('/queries.f32'), dim, from, n);
    return n;
  },
  settings: async ({ settings }) => bench.settings(JSON.stringify(settings)),
  async nearest({ i }) {
    bench.nearest(i, 1);
    const flat = bench.found();
    return Array.from({ length: flat.length / 2 }, (_, k) => [flat[2 * k], flat[2 * k + 1]]);
  },
  held: async () => bench.held(),
};

onmessage = async ({ data }) => {
  try {
    if (!globalThis.crossOriginIsolated) throw new Error('the page is not isolated: its clock is too coarse');
    bench ??= await (await import('/rankbox.js')).start();
    postMessage({ result: await tasks[data.task](data) });
  } catch (e) {
    postMessage({ problem: e.stack ?? String(e) });
  }
};
