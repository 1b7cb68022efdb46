// Measures, comparisons and search, by the core of Rankbox compiled to WebAssembly. index.d.ts documents the exports.
import { glue } from './go.js';
import { compileKernels, kernelImports } from './kernel.js';

/** What was asked cannot be done: the message names the file, the line and the reason. */
export class RankboxError extends Error {
  name = 'RankboxError';
}

const addresses = {
  measure: new URL('./measure.wasm', import.meta.url),
  search: new URL('./search.wasm', import.meta.url),
  kernel: new URL('./kernel.wasm', import.meta.url),
};
const started = {};

/** The functions of a program, which is compiled when it is first needed. */
function start(program) {
  started[program] ??= instantiate(program).catch((error) => {
    delete started[program]; // so that the next call tries again
    throw error;
  });
  return started[program];
}

async function bytesOf(address) {
  if (address.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return readFile(address);
  }
  const answer = await fetch(address);
  if (!answer.ok) throw new RankboxError(`${address}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

async function instantiate(program) {
  let said = '';
  const decoder = new TextDecoder();
  // Go's runtime writes what it says when it ends in a panic. There are no other files.
  const fs = {
    constants: { O_WRONLY: -1, O_RDWR: -1, O_CREAT: -1, O_TRUNC: -1, O_APPEND: -1, O_EXCL: -1, O_DIRECTORY: -1 },
    writeSync(_, bytes) {
      said += decoder.decode(bytes, { stream: true });
      return bytes.length;
    },
    write(_, bytes, offset, length, __, done) {
      done(null, this.writeSync(_, bytes.subarray(offset, offset + length)));
    },
  };
  const library = {};
  const ready = new Promise((resolve) => (library.ready = resolve));
  // Go's global object: what the program and its glue set stays here.
  const own = { fs, rankbox: library };
  const scope = new Proxy(globalThis, {
    get: (global, name) => (name in own ? own[name] : global[name]),
    set: (_, name, value) => ((own[name] = value), true),
  });
  const Go = glue(scope, fs);
  const go = new Go();
  const kernel = kernelImports();
  const imports = { ...go.importObject, ...kernel.imports };
  const { instance } = await WebAssembly.instantiate(await bytesOf(addresses[program]), imports);
  if (program === 'search') kernel.bind(instance, await compileKernels(await bytesOf(addresses.kernel)));
  const ended = go.run(instance).then(() => {
    delete started[program];
    throw new RankboxError(`the program ended: ${said.split('\n')[0]}`);
  });
  await Promise.race([ready, ended]);
  ended.catch(() => {}); // the next call starts the program again
  return library;
}

async function call(program, name, ...args) {
  const library = await start(program);
  const answer = library[name](...args);
  if (answer instanceof Error) throw new RankboxError(answer.message);
  return answer;
}

const encoder = new TextEncoder();
const isBytes = (v) => ArrayBuffer.isView(v) || v instanceof ArrayBuffer;
function bytes(v) {
  return v instanceof ArrayBuffer ? new Uint8Array(v) : new Uint8Array(v.buffer, v.byteOffset, v.byteLength);
}
const quote = (v) => JSON.stringify(String(v));
const isObject = (v) => v !== null && typeof v === 'object';
const isFile = (v) => typeof v === 'string' || isBytes(v);
const pairs = (v) => (v instanceof Map ? [...v] : Object.entries(v));

/** The text or the bytes of a file, with the name that errors use. */
function file(name, data) {
  if (isBytes(data)) return [name, bytes(data)];
  if (data !== '' && !/[\s{[]/.test(data)) {
    const why = `${name}: ${quote(data)} is no text of a file`;
    throw new RankboxError(`${why}. If it is the file's name, read it first: readFileSync(${quote(data)})`);
  }
  return [name, encoder.encode(data)];
}

/** The file of judgments or of a run: {query: {document: number}} becomes JSON. */
function table(name, data, whole) {
  if (isFile(data)) return file(name, data);
  if (!isObject(data)) throw new RankboxError(`${name}: ${typeof data} is neither an object nor the text of a file`);
  const rows = pairs(data).map(([query, documents]) => {
    const place = `${name}, query ${quote(query)}`;
    if (!isObject(documents)) throw new RankboxError(`${place}: want an object of documents`);
    const list = pairs(documents).map(([document, value]) => {
      const fine = typeof value === 'number' && (whole ? Number.isInteger(value) : Number.isFinite(value));
      if (!fine) {
        const want = whole ? 'grade, a whole number' : 'score, a finite number';
        throw new RankboxError(`${place}, document ${quote(document)}: ${value} is no ${want}`);
      }
      return [String(document), value];
    });
    if (!whole) list.sort((a, b) => b[1] - a[1]);
    return `${quote(query)}:{${list.map(([document, value]) => `${quote(document)}:${number(value)}`).join(',')}}`;
  });
  return [`${name}.json`, encoder.encode(`{${rows.join(',')}}`)];
}

const number = (v) => (Object.is(v, -0) ? '0' : String(v));
const list = (v) => (Array.isArray(v) ? v.join(' ') : (v ?? ''));

/** Whether this is one run, not several under their names. */
function isRun(runs) {
  if (isFile(runs)) return true;
  const [first] = pairs(runs);
  if (!first || first[1] === null || typeof first[1] !== 'object' || isBytes(first[1])) return false;
  const inner = pairs(first[1]);
  return inner.length === 0 || typeof inner[0][1] === 'number';
}

export async function evaluate(qrels, runs, measures, { policy = '' } = {}) {
  const one = async (name, run) => {
    const files = [table('qrels', qrels, true), table(name, run, false)];
    return call('measure', 'evaluate', files, [name], list(measures), policy);
  };
  if (runs === null || runs === undefined) throw new RankboxError('want a run, or several under their names');
  if (isRun(runs)) return one('run', runs);
  const out = {};
  for (const [name, run] of pairs(runs)) out[name] = await one(name, run);
  if (Object.keys(out).length === 0) throw new RankboxError('there are no runs');
  return out;
}

export async function compare(qrels, runs, measures = [], options = {}) {
  const { baseline = 0, policy = '', test = '', correction = '' } = options;
  const named = Array.isArray(runs) ? runs.map((run, i) => [`run ${i + 1}`, run]) : pairs(runs);
  if (named.length === 0) throw new RankboxError('there are no runs');
  const names = named.map(([name]) => String(name));
  const place = typeof baseline === 'number' ? baseline : names.indexOf(baseline);
  if (!(Number.isInteger(place) && place >= 0 && place < names.length)) {
    throw new RankboxError(`baseline ${JSON.stringify(baseline)} is none of the runs ${names.join(', ')}`);
  }
  const protocol = Object.entries({ test, correction }).flatMap(([name, option]) => (option ? [name, option] : []));
  const files = [table('qrels', qrels, true), ...named.map(([name, run]) => table(name, run, false))];
  const { json, warnings } = await call('measure', 'compare', files, names, list(measures), policy, protocol, place);
  return { ...JSON.parse(json), files: warnings };
}

/** A file of JSON lines, of an array of objects or of an object {id: text}. */
function lines(name, data) {
  if (data === undefined || data === null) return null;
  if (isFile(data)) return file(name, data);
  const rows = Array.isArray(data) ? data : pairs(data).map(([id, text]) => ({ id, text }));
  return [
    `${name}.jsonl`,
    encoder.encode(
      rows
        .map(({ id, _id = id, title, text = '', ...more }, i) => {
          if (_id === undefined) throw new RankboxError(`${name}, item ${i + 1}: there is no id`);
          return JSON.stringify({ _id: String(_id), title, text, ...more }) + '\n'; // without a title that is undefined
        })
        .join(''),
    ),
  ];
}

/** Documents that were indexed. */
class Index {
  #number;
  constructor(made) {
    this.#number = made.number;
    this.documents = made.documents;
    this.queries = made.queries;
    this.hash = made.hash;
    this.warnings = made.warnings;
  }
  search(query, { system = 'bm25', k = 10 } = {}) {
    return call('search', 'search', this.#number, query, system, k);
  }
  run({ system = 'bm25', k = 100 } = {}) {
    return call('search', 'run', this.#number, system, k);
  }
  explain(query, document, { system = 'bm25' } = {}) {
    return call('search', 'explain', this.#number, query, document, system);
  }
  close() {
    return call('search', 'close', this.#number);
  }
}

export async function index(documents, { queries, qrels, analyzer = '' } = {}) {
  const corpus = lines('documents', documents);
  if (!corpus) throw new RankboxError('there are no documents');
  const judged = qrels === undefined || qrels === null ? null : table('qrels', qrels, true);
  return new Index(await call('search', 'index', corpus, lines('queries', queries), judged, analyzer));
}

export const search = (of, query, options) => of.search(query, options);
export const explain = (of, query, document, options) => of.explain(query, document, options);
