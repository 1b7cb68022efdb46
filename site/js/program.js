// Starts the compiled program in a role, with the kernels that share its memory.

import { kernelImports } from './kernel.js';

// instantiate runs module with the given arguments. exited settles with a reason once the program ends, however it
// ends.
export async function instantiate(module, kernels, args) {
  const go = new globalThis.Go();
  go.argv = ['rankbox', ...args];
  // The page holds little and makes much that is soon forgotten, a tree at every drawing. It collects its garbage
  // between two keys (package page); in the midst of one it takes some 30 ms, which this room of five times what it
  // holds puts off.
  if (args[0] === 'page') go.env.GOGC = '400';
  const kernel = kernelImports(); // wasm/kernel/kernel.js
  let reason = '';
  const fs = globalThis.fs;
  if (fs) {
    // the first line of a panic, which comes in pieces, is the reason that people are told
    const write = fs.writeSync.bind(fs);
    const decoder = new TextDecoder();
    let text = '';
    fs.writeSync = (fd, buf) => {
      text += decoder.decode(buf, { stream: true });
      reason ||= /^(panic: .+|fatal error: .+|runtime: out of memory.*)\n/m.exec(text)?.[1] ?? '';
      text = text.slice(text.lastIndexOf('\n') + 1);
      return write(fd, buf);
    };
  }
  const instance = await WebAssembly.instantiate(module, { ...go.importObject, ...kernel.imports });
  kernel.bind(instance, kernels.kernel ?? null);
  const exited = go.run(instance).then(
    () => reason || 'the program ended',
    (e) => reason || e.message,
  );
  return { exited, memory: () => instance.exports.mem.buffer.byteLength };
}
