// The worker's side: waits for the compiled program, runs it as the search engine, and passes messages through.

import './wasm_exec.js';
import { instantiate } from './program.js';

const waiting = [];
let memory = () => 0;
let files = new Map(); // id → File, as they came with the last message that brought any

// A message to oneself is the quickest way to let those of the page in.
const pauses = [];
const channel = new MessageChannel();
channel.port1.onmessage = () => pauses.shift()?.();

globalThis.rankbox = {
  reply: (bytes) => postMessage({ reply: bytes }, [bytes.buffer]),
  ready: () => {
    postMessage({ ready: true });
    for (const m of waiting.splice(0)) globalThis.rankbox.onMessage(m);
  },
  memory: () => memory(),
  file: (id) => files.get(id),
  pause: () =>
    new Promise((resolve) => {
      pauses.push(resolve);
      channel.port2.postMessage(0);
    }),
};

onmessage = async ({ data }) => {
  if (data.message) {
    if (data.files) files = new Map(data.files);
    if (globalThis.rankbox.onMessage) globalThis.rankbox.onMessage(data.message);
    else waiting.push(data.message);
    return;
  }
  try {
    const program = await instantiate(data.module, data.kernels, ['worker']);
    memory = program.memory;
    postMessage({ died: await program.exited });
  } catch (e) {
    postMessage({ died: e.message });
  }
};
