// Runs a Go program or test for js/wasm under Node.js as Go's own go_js_wasm_exec does, with the kernels:
//
//   GOOS=js GOARCH=wasm go test -exec="node --stack-size=8192 $PWD/wasm/kernel/exec/wasm_exec_kernel.mjs" ./...
//
// A program that does not import them runs as well. With RANKBOX_KERNEL=off it finds none and runs their Go twins.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { kernelImports, compileKernels } from "../kernel.js";

if (process.argv.length < 3) {
  console.error("usage: node wasm_exec_kernel.mjs [wasm binary] [arguments]");
  process.exit(1);
}
const require = createRequire(import.meta.url);
globalThis.require = require;
globalThis.fs = require("node:fs");
globalThis.path = path;
const goroot = process.env.GOROOT || execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
const glue = ["lib/wasm", "misc/wasm"].map((dir) => path.join(goroot, dir, "wasm_exec.js")).find(existsSync);
require(glue);

const go = new Go();
go.argv = process.argv.slice(2);
go.env = { TMPDIR: tmpdir(), ...process.env };
go.exit = process.exit;
const { imports, bind } = kernelImports();
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), { ...go.importObject, ...imports });
if (process.env.RANKBOX_KERNEL !== "off") {
  bind(instance, await compileKernels(readFileSync(new URL("../kernel.wasm", import.meta.url))));
}
process.on("exit", (code) => {
  if (code === 0 && !go.exited) {
    // Every goroutine is blocked: have Go say so.
    go._pendingEvent = { id: 0 };
    go._resume();
  }
});
await go.run(instance);
