// Assembles kernel.wat into kernel.wasm, with the wabt that package.json pins. The same text gives the same bytes.
//
//   node wasm/kernel/generate.mjs           writes kernel.wasm where it is not current
//   node wasm/kernel/generate.mjs --check   writes nothing; exit code 1 where it is not current
import { readFile, writeFile } from "node:fs/promises";
import wabt from "wabt";

const features = { simd: true, bulk_memory: true };
const source = new URL("kernel.wat", import.meta.url);
const target = new URL("kernel.wasm", import.meta.url);

const module = (await wabt()).parseWat("kernel.wat", await readFile(source, "utf8"), features);
module.resolveNames();
module.validate(features);
const bytes = Buffer.from(module.toBinary({ write_debug_names: false }).buffer);
const have = await readFile(target).catch(() => Buffer.alloc(0));
if (!have.equals(bytes)) {
  if (process.argv.includes("--check")) {
    console.error("wasm/kernel/kernel.wasm is not what kernel.wat assembles to: run node wasm/kernel/generate.mjs");
    process.exit(1);
  }
  await writeFile(target, bytes);
}
