// The worker's side: waits for the compiled program, runs it as the search engine, and passes messages through.

import './wasm_exec.js';
import { instantiate } from './program.js';

const waiting = [];
let memory = () => 0;

globalThis.rankbox = {
  reply: (bytes) => postMessage({ reply: bytes }, [bytes.buffer]),
  ready: () => {
    postMessage({ ready: true });
    for (const m of waiting.splice(0)) globalThis.rankbox.onMessage(m);
  },
  memory: () => memory(),
};

onmessage = async ({ data }) => {
  if (data.message) {
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
