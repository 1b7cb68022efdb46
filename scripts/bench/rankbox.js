// Starts wasm/bench, which is the worker's search without the page, in this worker.

/** Returns the functions of wasm/bench; they throw what went wrong. compiled is how long the download's compilation
 * took, in milliseconds. */
export async function start() {
  globalThis.importScripts('/wasm_exec.js');
  const { kernelImports } = await import('/kernel.js');
  const bytes = await (await fetch('/bench.wasm')).arrayBuffer();
  const kernels = await WebAssembly.compile(await (await fetch('/kernel.wasm')).arrayBuffer());
  const module = await WebAssembly.compile(bytes);
  const go = new globalThis.Go();
  const { imports, bind } = kernelImports();
  const instance = await WebAssembly.instantiate(module, { ...go.importObject, ...imports });
  if (!bind(instance, kernels)) throw new Error('this browser does not run the kernels');
  const ready = new Promise((resolve) => {
    globalThis.bench = { ready: resolve };
  });
  go.run(instance);
  await ready;
  const checked = (f) => (...args) => {
    const result = f(...args);
    if (result instanceof Error) throw result;
    return result;
  };
  return Object.fromEntries(Object.entries(globalThis.bench).map(([name, f]) => [name, checked(f)]));
}
