// One measurement in a worker of its own: { task, …} comes in, { result } or { problem } goes out. It is a classic
// worker, since lunr can only be loaded by importScripts.

const json = async (url) => (await fetch(url)).json();
const keep = (name, body) => fetch(`/kept/${name}`, { method: 'PUT', body });
const since = (start) => performance.now() - start;

const tasks = {
  /** Indexes the documents with a library once; with queries, times them too and keeps the index. */
  async peer({ id, full }) {
    const { peers } = await import('./peers.js');
    const { name, version, settings, open } = await peers[id]();
    const docs = await json('/documents.json');
    const start = performance.now();
    const index = await open(docs);
    const build = since(start);
    if (!full) return { build };
    const queries = await json('/queries.json');
    const { time } = await import('./timing.js');
    const timed = await time((i, n) => {
      if (n === 1) return index.search(queries[i].text);
      let found;
      for (; n > 0; n--) found = index.search(queries[i].text);
      return found;
    }, queries.length);
    const rankings = [];
    for (const q of queries) rankings.push(await index.search(q.text));
    await keep(`${id}.index`, await index.bytes());
    return { name, version, settings, build, ...timed, rankings };
  },

  /** Reads and indexes the documents with Rankbox once; with queries, times them too and keeps the index. */
  async rankbox({ full }) {
    const { start: run } = await import('./rankbox.js');
    const bench = await run();
    const corpus = new Uint8Array(await (await fetch('/corpus.jsonl')).arrayBuffer());
    const started = performance.now();
    bench.documents(corpus);
    const read = since(started);
    const indexing = performance.now();
    bench.build();
    const build = since(indexing);
    if (!full) return { read, build };
    const queries = await json('/queries.json');
    bench.queries(queries.map((q) => q.text));
    const { time, quantile } = await import('./timing.js');
    const stream = () => {
      const all = [];
      for (let i = 0; i < 20; i++) {
        const begin = performance.now();
        bench.all();
        all.push(since(begin) / queries.length);
      }
      return quantile(all, 0.5);
    };
    const out = { read, build };
    for (const [name, on] of [['plain', false], ['kernel', true]]) {
      if (bench.kernels(on) !== on) throw new Error('the kernels are not there');
      out[name] = { whole: await time(bench.search, queries.length), rank: await time(bench.rank, queries.length),
        stream: stream() };
      out[name].rankings = queries.map((_, i) => bench.hits(i));
    }
    await keep('rankbox.index', bench.bytes());
    await keep('rankbox-flat.index', bench.flat());
    return out;
  },

  /** Loads the kept index: for the first time in this worker, and again. */
  async load() {
    const { start: run } = await import('./rankbox.js');
    const bench = await run();
    const bytes = new Uint8Array(await (await fetch('/kept/rankbox.index')).arrayBuffer());
    const all = [];
    for (let i = 0; i < 21; i++) {
      const start = performance.now();
      bench.load(bytes);
      all.push(since(start));
    }
    const { quantile } = await import('./timing.js');
    return { first: all[0], again: quantile(all.slice(1), 0.5) };
  },

  /**
   * Loads the index of a growth collection and answers its queries, with the kernels: every document scored, pruned,
   * and as the page does.
   */
  async growth({ depths }) {
    const { start: run } = await import('./rankbox.js');
    const bench = await run();
    const queries = await json('/queries.json');
    const bytes = new Uint8Array(await (await fetch('/growth.index')).arrayBuffer());
    const start = performance.now();
    bench.load(bytes);
    const out = { load: since(start), rows: [], memory: 0 };
    bench.queries(queries);
    const { time, quantile } = await import('./timing.js');
    for (const k of depths) {
      for (const pruned of ['never', 'always', 'default']) {
        bench.prune(pruned);
        const { queries: times } = await time((i, n) => bench.top(i, n, k), queries.length, { budget: 6000 });
        out.rows.push({ k, pruned, median: quantile(times, 0.5), p95: quantile(times, 0.95) });
      }
    }
    bench.prune('always');
    out.memory = bench.memory();
    out.best = queries.map((_, i) => bench.best(i, 10));
    return out;
  },
};

onmessage = async ({ data }) => {
  try {
    if (!globalThis.crossOriginIsolated) throw new Error('the page is not isolated: its clock is too coarse');
    postMessage({ result: await tasks[data.task](data) });
  } catch (e) {
    postMessage({ problem: e.stack ?? String(e) });
  }
};
