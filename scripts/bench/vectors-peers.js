// The libraries that search by vectors is measured beside, in the page itself, where hnswlib-wasm runs only.
// measure(id) returns rows of the table.

const npm = '/node_modules/';
const dim = 384, best = 100;
const version = async (name) => (await (await fetch(`${npm}${name}/package.json`)).json()).version;
const fetched = async (url, Type) => new Type(await (await fetch(url)).arrayBuffer());

/** Times search, which returns rows by number, over all queries: the fastest, the median, and how many of the best
 * 100 are found. */
async function judged(name, search, queries, truth, more) {
  const count = queries.length / dim;
  const query = (i) => queries.subarray(i * dim, (i + 1) * dim);
  let found = 0;
  const times = [];
  const until = performance.now() + 60_000;
  for (let pass = 0; pass < 4 && (pass < 1 || performance.now() < until); pass++) {
    for (let i = 0; i < count; i++) {
      const start = performance.now();
      const ids = await search(query(i));
      times.push(performance.now() - start);
      if (pass === 0) {
        const right = new Set(truth.subarray(i * best, (i + 1) * best));
        found += [...ids].filter((id) => right.has(Number(id))).length;
      }
    }
  }
  times.sort((a, b) => a - b);
  return { name, fastest: times[0], median: times[times.length >> 1], recall: found / count / best, ...more };
}

const peers = {
  /** What anybody would write: one loop over a Float32Array, and a sort of the best. */
  async plain(vectors) {
    const n = vectors.length / dim;
    const scores = new Float32Array(n);
    return [{
      name: 'JavaScript, float32, one loop',
      memory: vectors.byteLength,
      search(q) {
        for (let d = 0, at = 0; d < n; d++) {
          let s = 0;
          for (let c = 0; c < dim; c++) s += q[c] * vectors[at++];
          scores[d] = s;
        }
        const least = scores.slice().sort()[n - best];
        const ids = [];
        for (let d = 0; d < n; d++) if (scores[d] >= least) ids.push(d);
        return ids.sort((a, b) => scores[b] - scores[a]).slice(0, best);
      },
    }];
  },
  async edgevec(vectors) {
    const { default: init, EdgeVec, EdgeVecConfig } = await import(`${npm}edgevec/edgevec.js`);
    const wasm = await init();
    const config = new EdgeVecConfig(dim);
    config.metric = 'l2'; // the same order; its 'cosine' and 'dot' put the least alike first
    const index = new EdgeVec(config);
    const rows = new Map(); // its ids begin at 1
    for (let d = 0; d < vectors.length / dim; d++) rows.set(index.insert(vectors.subarray(d * dim, (d + 1) * dim)), d);
    return [{
      name: `edgevec ${await version('edgevec')}, HNSW as it comes (its flat index takes bits only)`,
      memory: wasm.memory.buffer.byteLength,
      search: (q) => index.search(q, best).map((h) => rows.get(h.id)),
    }];
  },
  async orama(vectors) {
    const { create, insertMultiple, search } = await import(`${npm}@orama/orama/dist/browser/index.js`);
    const db = create({ schema: { row: 'number', v: `vector[${dim}]` } });
    const docs = Array.from({ length: vectors.length / dim },
      (_, row) => ({ row, v: Array.from(vectors.subarray(row * dim, (row + 1) * dim)) }));
    await insertMultiple(db, docs, 1000);
    return [{
      name: `Orama ${await version('@orama/orama')}, mode vector`,
      memory: performance.memory?.usedJSHeapSize,
      search: async (q) => (await search(db, { mode: 'vector', vector: { value: Array.from(q), property: 'v' },
        similarity: -1, limit: best, includeVectors: false })).hits.map((h) => h.document.row),
    }];
  },
  async 'hnswlib-wasm'(vectors) {
    const { loadHnswlib } = await import(`${npm}hnswlib-wasm/dist/hnswlib.js`);
    const lib = await loadHnswlib();
    const n = vectors.length / dim;
    const index = new lib.HierarchicalNSW('ip', dim, '');
    index.initIndex(n, 16, 100, 100);
    for (let d = 0; d < n; d++) index.addPoint(vectors.subarray(d * dim, (d + 1) * dim), d, false);
    const name = `hnswlib-wasm ${await version('hnswlib-wasm')}, m 16, efConstruction 100`;
    return [100, 400, 1600].map((ef) => ({
      name: `${name}, ef ${ef}`,
      memory: lib.HEAPU8?.length,
      search(q) {
        index.setEfSearch(ef);
        return index.searchKnn(q, best, undefined).neighbors;
      },
    }));
  },
};

export async function measure(id, rows) {
  const [vectors, queries, truth] = await Promise.all([fetched('/vectors.f32', Float32Array),
    fetched('/queries.f32', Float32Array),
    fetched(rows ? '/truth-few.u32' : '/truth.u32', Uint32Array)]);
  const start = performance.now();
  const all = await peers[id](rows ? vectors.slice(0, rows * dim) : vectors);
  const made = performance.now() - start;
  const out = [];
  for (const { name, memory, search } of all) out.push(await judged(name, search, queries, truth, { made, memory }));
  return out;
}
