// One measurement of Rankbox's search by vectors in a worker of its own: { task, … } comes in, { result } or { problem
// } goes out.

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
    const [vectors, measured, truth, choosers, theirs] = await Promise.all(['/vectors.f32', '/queries.f32',
      '/truth.u32', '/choosers.f32', '/truth-choosers.u32'].map(bytes));
    const queries = new Uint8Array(measured.length + choosers.length);
    queries.set(measured);
    queries.set(choosers, measured.length);
    const count = measured.length / 4 / dim, total = queries.length / 4 / dim, chosen = new Uint32Array(theirs.buffer);
    const { read, mem } = (await WebAssembly.instantiate(await bytes('/read.wasm'), {})).instance.exports;
    new Uint8Array(mem.buffer).fill(3);
    // recall of the queries that are measured, or of those behind them, which choose; and its standard error.
    const recall = (settings, best, from = 0, to = count) => {
      bench.settings(JSON.stringify(settings));
      const each = [];
      for (let i = from; i < to; i++) {
        bench.nearest(i, 1);
        const ids = new Set(best.subarray((i - from) * 100, (i - from + 1) * 100));
        each.push(bench.found().filter((x, k) => k % 2 === 0 && ids.has(x)).length / 100);
      }
      const mean = each.reduce((a, b) => a + b) / each.length;
      return { mean, error: Math.sqrt(each.reduce((a, x) => a + (x - mean) ** 2, 0) / (each.length - 1) /
        each.length) };
    };
    const search = (name, settings, made, best, repeat = 1) => {
      bench.settings(JSON.stringify(settings));
      const times = timed((i) => bench.nearest(i, repeat), 12, count, repeat);
      return { name, ...times, ...(best && { recall: recall(settings, best).mean, made, memory: bench.held() }) };
    };
    // The least depth, in thousands, whose recall on the queries that choose is a standard error or more above an aim.
    const choose = (aim, settings) => {
      for (let depth = 1000; depth <= 30_000; depth += 1000) {
        const { mean, error } = recall(settings(depth), chosen, count, total);
        if (mean - error >= aim) return settings(depth);
      }
      throw new Error(`no depth up to 30,000 reaches ${aim}`);
    };
    const notation = ({ Scan, Int8, Rescore }) => Scan === undefined ? 'dense' :
      [`scan=${['exact', 'int8', 'bit'][Scan]}`, ...(Int8 ? [`int8=${Int8}`] : []), `rescore=${Rescore}`].join();
    const load = (rows) => {
      const start = performance.now();
      bench.vectors(vectors.subarray(0, rows * dim * 4), queries, dim);
      return performance.now() - start;
    };
    let made = load(vectors.length / 4 / dim);
    const whole = new Uint32Array(truth.buffer);
    const out = { all: [], few: [], other: [] };
    for (const settings of [
      {},
      { Scan: 1, Rescore: 200 },
      choose(0.999, (Int8) => ({ Scan: 2, Int8, Rescore: 200 })),
      choose(0.99, (Int8) => ({ Scan: 2, Int8, Rescore: 120 })),
      choose(0.99, (Rescore) => ({ Scan: 2, Rescore })),
    ]) out.all.push(search(`**Rankbox**, \`${notation(settings)}\``, settings, made, whole));
    made = load(10_000);
    out.few.push(search('**Rankbox**, `dense`', {}, made, new Uint32Array((await bytes('/truth-few.u32')).buffer)));
    load(5183);
    out.other.push(search('5,183 of SciFact, exact, the best 100', {}, 0, null, 10));
    bench.tokens(await bytes('/tokens.i8'), (await bytes('/query.i8')).subarray(0, 32 * 64), 300, 128, 64);
    out.other.push({ name: 'MaxSim, 300 documents × 128 tokens × 32 tokens × 64 dimensions',
      ...timed(() => bench.maxSim(), 100, 1) });
    for (const size of [4_800_000, 38_400_000]) {
      out.other.push({ name: `reading ${size / 1e6} MB in a loop and nothing else`,
        ...timed(() => read(65536, size), 60, 1) });
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
