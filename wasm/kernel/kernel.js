// The glue between a Go program and the SIMD kernels (kernel.wasm), for the page's workers and for tests under Node.js.
//
// The kernels work in the Go program's own memory, which exists only once the program is instantiated; the program in
// turn wants its imports before that. So it imports small functions that call on to the kernels when they are there:
//
//   const { imports, bind } = kernelImports();
//   const go = new Go();
//   const instance = await WebAssembly.instantiate(module, { ...go.importObject, ...imports });
//   bind(instance, kernelModule); // a WebAssembly.Module, or null where there is none
//   await go.run(instance);
//
// Without bind, or where it returns false, the program runs the same loops in Go, slower.

// kernelImports returns what the Go program imports, and the function that puts the kernels behind it.
export function kernelImports() {
  let k = null;
  const imports = {
    kernel: {
      ready: () => (k === null ? 0 : 1),
      dot_i8: (dst, rows, n, q, dim, wide) => k.dot_i8(dst, rows, n, q, dim, wide),
      dot_f32: (dst, rows, n, q, dim, tail) => k.dot_f32(dst, rows, n, q, dim, tail),
      dot_biased: (dst, rows, n, wide, dim, bias) => k.dot_biased(dst, rows, n, wide, dim, bias),
      dot_biased_at: (dst, rows, at, n, wide, dim, bias) => k.dot_biased_at(dst, rows, at, n, wide, dim, bias),
      dot_f64_at: (dst, rows, at, n, q, dim) => k.dot_f64_at(dst, rows, at, n, q, dim),
      hamming: (dst, rows, n, q, size, counts) => k.hamming(dst, rows, n, q, size, counts),
      near: (dst, values, n, limit, ties) => k.near(dst, values, n, limit, ties),
      weigh: (dst, dots, factors, n, most, m) => k.weigh(dst, dots, factors, n, most, m),
      above: (dst, room, values, n, least) => k.above(dst, room, values, n, least),
      max_sim_i8: (dst, tokens, scales, offsets, docs, q, qscales, nq, dim, room) =>
        k.max_sim_i8(dst, tokens, scales, offsets, docs, q, qscales, nq, dim, room),
      rank: (job) => k.rank(job),
      sum_rows: (dst, rows, half, scales, tokens, n) => k.sum_rows(dst, rows, half, scales, tokens, n),
      unpack: (packed) => k.unpack(packed),
      unpack_terms: (prefix, n, suffix, suffixEnd, blob, blobEnd, ends, table, mask) =>
        k.unpack_terms(prefix, n, suffix, suffixEnd, blob, blobEnd, ends, table, mask),
    },
  };
  // bind gives the kernels the memory of the program. It must come before the program runs, and returns whether it
  // worked.
  function bind(instance, module) {
    if (!module) return false;
    try {
      k = new WebAssembly.Instance(module, { go: { mem: instance.exports.mem } }).exports;
    } catch {
      return false;
    }
    return true;
  }
  return { imports, bind };
}

// compileKernels compiles the bytes of kernel.wasm; null where this browser has no SIMD.
export async function compileKernels(bytes) {
  try {
    return await WebAssembly.compile(bytes);
  } catch {
    return null;
  }
}
