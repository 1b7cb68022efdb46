// How much the edge adds: requests to /api/v1/embed that reach a service on this machine which answers at once, through
// the worker in workerd and through a plain JavaScript worker that passes bodies on and does nothing else; all in one
// run, and `rankbox serve`. The client and the service are scripts/bench/load, which take little of the processors that
// all of them share. Prints a table.
//
//   go run ./build edge && go run ./build binary -built && node scripts/bench/edge.mjs [seconds]
import { spawn, execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync, readFileSync, rmSync } from "node:fs";
import { tmpdir, cpus, loadavg } from "node:os";
import { join } from "node:path";

const seconds = Number(process.argv[2] ?? 5);
const folder = join(process.cwd(), ".cache/edge");
const load = join(process.cwd(), ".cache/bench/load");
execFileSync("go", ["build", "-o", load, "./scripts/bench/load"]);

const started = [];
function start(command, args) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
    started.push(child);
    child.stdout.once("data", (line) => done({ url: String(line).trim(), pid: child.pid, child }));
    child.once("error", fail);
    child.once("exit", (code) => fail(new Error(`${command} ended with ${code}`)));
  });
}

// What came of asking so many at once, or so many a second at even distances whether those before are answered or not:
// each is then timed from the moment it was due.
const ask = (url, lasting, at, rate = 0) =>
  new Promise((done, fail) => {
    const child = spawn(load, ["ask", url, "-seconds", lasting, "-at", at, "-rate", rate],
      { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (part) => (text += part));
    child.once("error", fail);
    child.once("exit", (code) => (code === 0 ? done(JSON.parse(text)) : fail(new Error(`load ended with ${code}`))));
  });

// The processor time of a process and of those that it started, in seconds.
function cpu(pid) {
  const ticks = (stat) => stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  let total = 0;
  const own = ticks(readFileSync(`/proc/${pid}/stat`, "utf8"));
  total += (Number(own[11]) + Number(own[12])) / 100;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  for (const child of children ? children.split(" ") : []) total += cpu(child);
  return total;
}

async function measure(name, { url, pid }) {
  await ask(url, 1, 1); // warm
  const alone = await ask(url, 1, 1);
  const spent = cpu(pid);
  const full = await ask(url, seconds, 32);
  const used = cpu(pid) - spent;
  const half = await ask(url, seconds, 64, full.rate / 2);
  return { name, p50: alone.p50, p99: full.p99, rate: full.rate, half: half.p99, middle: half.p50,
    cpu: (used * 1000) / full.requests };
}

const worker = (script, quiet = false) =>
  start("node", ["wasm/edge/miniflare.mjs",
    JSON.stringify({ folder, script, bindings: { RANKBOX_CONFIG: JSON.stringify({ ...config, quiet }) } })]);
const rows = [];
const before = loadavg()[0];
let config;
try {
  const service = await start(load, ["serve"]);
  config = {
    limits: { per_minute: 1e8, per_day: 1e9 },
    backends: [{ id: "local", kind: "tei", url: service.url, does: ["embed"] }],
  };
  const plain = `export default { async fetch(request) {
  return fetch("${service.url}/embed", { method: "POST", headers: { "Content-Type": "application/json" }, body: request.body });
} };`;
  rows.push(await measure("JavaScript that passes on", await worker(plain)));
  rows.push(await measure("edge, one program", await worker()));
  rows.push(await measure("edge, one program, no log", await worker(undefined, true)));
  const dir = mkdtempSync(join(tmpdir(), "edge-"));
  process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, "edge.json");
  writeFileSync(file, JSON.stringify(config));
  rows.push(await measure("rankbox serve",
    await start("bin/rankbox", ["serve", "-addr", "127.0.0.1:0", "-config", file, "-quiet"])));
  rows.push(await measure("no edge: the service itself", service));
} finally {
  for (const child of started) {
    child.removeAllListeners("exit");
    child.stdin.end();
    child.kill("SIGTERM");
  }
}
console.log(
  `${cpus()[0].model}, ${cpus().length} processors, load ${before.toFixed(1)} before; the client and the service run on them too. One new text a request, 384 dimensions back.\n`);
console.log(
  "| host | p50 alone, ms | added to JavaScript, ms | requests/s, 32 at once | p99 then, ms | p50 at half as many, ms | p99, ms | processor a request, ms |\n|---|---:|---:|---:|---:|---:|---:|---:|");
for (const r of rows) console.log(
  `| ${r.name} | ${r.p50.toFixed(2)} | ${(r.p50 - rows[0].p50).toFixed(2)} | ${r.rate.toFixed(0)} | ${r.p99.toFixed(1)} | ${r.middle.toFixed(2)} | ${r.half.toFixed(1)} | ${r.cpu.toFixed(2)} |`);
