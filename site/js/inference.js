// The worker that runs a model's network: onnxruntime-web, compiled to WebAssembly, on one thread, which needs no
// isolation of the page and no eval. Its script and its program are held against the hashes that the build gave them; a
// graph that the site brings against that of its manifest.

import config from './config.js';
import { small } from './fetch.js';

const { script, program } = config.network;
let ort = null;
let session = null;
let output = '';

const hex = (buffer) => [...new Uint8Array(buffer)].map((b) => b.toString(16).padStart(2, '0')).join('');
const base64 = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));
const digest = async (bytes) => (globalThis.crypto?.subtle ? crypto.subtle.digest('SHA-256', bytes) : null);

/** Reads an answer of so many bytes; tell(done, total) on the way. */
async function read(answer, name, total, tell) {
  if (!answer?.ok) throw new Error(answer ? `${name}: the server answered ${answer.status}` :
    `${name} is not on this device, or no longer`);
  const bytes = new Uint8Array(total);
  let done = 0;
  for (const reader = answer.body.getReader(); ; ) {
    const part = await reader.read();
    if (part.done) break;
    if (done + part.value.length > total) throw new Error(
      `${name} is longer than the ${total} bytes that were announced`);
    bytes.set(part.value, done);
    tell((done += part.value.length), total);
  }
  if (done < total) throw new Error(`${name} broke off after ${done} of ${total} bytes`);
  return bytes;
}

async function runtime(tell) {
  await small(script.url, script.integrity, 30_000);
  const module = await import(script.url);
  const bytes = await read(await fetch(program.url), 'the runtime', program.bytes, tell);
  const sum = await digest(bytes);
  if (sum && `sha256-${base64(sum)}` !== program.integrity) throw new Error('the runtime arrived damaged');
  module.env.wasm.wasmBinary = bytes.buffer;
  module.env.wasm.numThreads = 1;
  module.env.wasm.proxy = false;
  module.env.logLevel = 'error';
  return module;
}

async function graph({ file, url, bytes, sum, kept }, tell) {
  if (file) return read(new Response(file.stream()), file.name, file.size, tell);
  // what a site brings is as large as it is: it is kept where somebody asked for that, and nowhere by the way
  const answer = kept ? await (await caches.open('uploads of Rankbox')).match(url) :
    await fetch(url, { cache: 'no-store' });
  const data = await read(answer, 'the network', bytes, tell);
  const got = sum && (await digest(data));
  if (got && hex(got) !== sum) throw new Error('the network arrived damaged: its SHA-256 is not that of the manifest');
  return data;
}

const known = ['input_ids', 'attention_mask', 'token_type_ids'];

async function load(source, tell) {
  ort ??= await runtime((done, total) => tell('runtime', done, total));
  const bytes = await graph(source, (done, total) => tell('network', done, total));
  tell('starting', 0, 0);
  session = await ort.InferenceSession.create(bytes, { executionProviders: ['wasm'] });
  const odd = session.inputNames.filter((name) => !known.includes(name));
  if (odd.length || !session.inputNames.includes(known[0])) throw new Error(
    `it takes ${session.inputNames.join(', ')}; an encoder of sentences takes ${known.join(', ')} and nothing else`);
  output = ['last_hidden_state', 'token_embeddings', 'sentence_embedding'].find((name) =>
    session.outputNames.includes(name)) ?? session.outputNames[0];
}

async function run(ids) {
  const type = (name) => session.inputMetadata?.find((input) => input.name === name)?.type;
  const tensor = (name, value) =>
    type(name) === 'int32'
      ? new ort.Tensor('int32', Int32Array.from(ids, value), [1, ids.length])
      : new ort.Tensor('int64', BigInt64Array.from(ids, (id) => BigInt(value(id))), [1, ids.length]);
  const values = { input_ids: (id) => id, attention_mask: () => 1, token_type_ids: () => 0 };
  const feeds = Object.fromEntries(session.inputNames.map((name) => [name, tensor(name, values[name])]));
  const out = (await session.run(feeds, [output]))[output];
  if (out.type !== 'float32') throw new Error(`its output ${output} is of ${out.type} numbers, not float32`);
  return { name: output, shape: out.dims, data: new Uint8Array(Float32Array.from(out.data).buffer) };
}

onmessage = async ({ data }) => {
  try {
    const answer = data.load ? await load(data.load, (...progress) => postMessage({ id: data.id, progress })) :
      await run(data.run);
    postMessage({ id: data.id, answer });
  } catch (e) {
    postMessage({ id: data.id, problem: String(e?.message ?? e) });
  }
};
