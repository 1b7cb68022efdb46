// Runs the worker of the edge in workerd, by miniflare, and prints its address on a line of standard output (of two
// instances both): for development and for tests. What it is to run with is JSON in its first argument:
//   folder    the built worker (go run ./build edge)
//   port      0 for a free one
//   bindings  variables and secrets: RANKBOX_CONFIG, keys of services
//   stores    whether there are a Durable Object and KV, as when deployed
//   twice     two instances of the worker, each with a program and a memory of its own, that share the first one's Durable Object and KV, as instances at Cloudflare do
//   log       whether the worker's log goes to standard error
import { Miniflare, Log, LogLevel } from "miniflare";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { folder, port = 0, bindings = {}, stores = false, twice = false, log = false, script = null } = JSON.parse(
  process.argv[2]);
const dir = join(folder, "shared");
const modules = script
  ? [{ type: "ESModule", path: join(dir, "worker.mjs"), contents: script }]
  : [
      { type: "ESModule", path: join(dir, "worker.mjs"), contents: readFileSync(join(dir, "worker.mjs"), "utf8") },
      { type: "ESModule", path: join(dir, "wasm_exec.js"), contents: readFileSync(join(dir, "wasm_exec.js"), "utf8") },
      { type: "CompiledWasm", path: join(dir, "app.wasm"), contents: readFileSync(join(dir, "app.wasm")) },
    ];

// dispose() only begins to remove what miniflare leaves in its temporary folder, so this one is put around it and
// removed in the end
const temporary = mkdtempSync(join(tmpdir(), "miniflare-"));
for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = temporary;
process.on("exit", () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 }));

const instance = (name) => ({
  name,
  modulesRoot: dir,
  modules,
  compatibilityDate: "2026-04-01",
  bindings,
  ...(stores && {
    durableObjects: Object.fromEntries([["LIMITER", "Limiter"], ["ROOMS", "Room"]].map(([binding, className]) =>
      [binding, { className, useSQLite: true, ...(name !== "first" && { scriptName: "first" }) }])),
    kvNamespaces: ["ANSWERS", "SNAPSHOTS"],
  }),
});
const mf = new Miniflare({
  host: "127.0.0.1",
  port,
  log: new Log(LogLevel.NONE),
  cf: false,
  handleRuntimeStdio: (out, err) => {
    for (const stream of [out, err]) {
      stream.on("data", (bytes) => log && process.stderr.write(bytes));
    }
  },
  workers: twice ? [instance("first"),
    { ...instance("second"), unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] }] : [instance("first")],
});
let ending;
const end = () => (ending ??= mf.dispose().finally(() => process.exit(0)));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, end);
process.stdin.on("end", end).resume();
const { href } = await mf.ready;
console.log(twice ? `${href} ${(await mf.unsafeGetDirectURL("second")).href}` : href);
