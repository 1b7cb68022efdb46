// How much the edge adds: requests to /api/v1/embed that reach a service on this machine which answers at once, through the worker in workerd
// (one program for all requests), through the library's own worker, and through a plain JavaScript worker that passes bodies on and does nothing
// else; all in one run, and `rankbox serve`. Prints a table.
//
//   go run ./build edge && go run ./build binary -built && node scripts/bench/edge.mjs [seconds]
import { spawn } from "node:child_process";
import { createServer, Agent, request } from "node:http";
import { mkdtempSync, writeFileSync, readFileSync } from "node:fs";
import { tmpdir, cpus } from "node:os";
import { join } from "node:path";

const seconds = Number(process.argv[2] ?? 5);
const folder = join(process.cwd(), ".cache/edge");
const answer = JSON.stringify([Array.from({ length: 384 }, (_, i) => Math.fround(Math.sin(i)))]);
const service = createServer((req, res) => {
  req.resume().on("end", () => res.writeHead(200, { "Content-Type": "application/json", "Content-Length": answer.length }).end(answer));
});
await new Promise((done) => service.listen(0, "127.0.0.1", done));
const upstream = `http://127.0.0.1:${service.address().port}`;
const config = JSON.stringify({
  limits: { per_minute: 1e8, per_day: 1e9 },
  backends: [{ id: "local", kind: "tei", url: upstream, does: ["embed"] }],
});
const plain = `export default { async fetch(request) {
  return fetch("${upstream}/embed", { method: "POST", headers: { "Content-Type": "application/json" }, body: request.body });
} };`;

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

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
let counter = 0;
function ask(url) {
  const body = JSON.stringify({ backend: "local", input: [`a text that nobody asked for before ${counter++}`] });
  const before = performance.now();
  return new Promise((done, fail) => {
    const req = request(`${url}api/v1/embed`, { method: "POST", agent, headers: { "Content-Type": "application/json", "Content-Length": body.length } }, (res) => {
      res.resume().on("end", () => (res.statusCode === 200 ? done(performance.now() - before) : fail(new Error(`status ${res.statusCode}`))));
    });
    req.on("error", fail);
    req.end(body);
  });
}

const at = (list, q) => list.sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(q * list.length))];

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

// Requests that are due at even distances, so many a second, whether those before are answered or not; each is timed from the moment it was due.
async function paced(url, rate) {
  const all = [];
  const begin = performance.now();
  for (let sent = 0; ; await new Promise((done) => setTimeout(done, 1))) {
    const now = performance.now() - begin;
    if (now > seconds * 1000) break;
    for (; (sent * 1000) / rate <= now; sent++) {
      const late = performance.now() - begin - (sent * 1000) / rate;
      all.push(ask(url).then((took) => took + late));
    }
  }
  return Promise.all(all);
}

async function measure(name, { url, pid }) {
  for (let i = 0; i < 50; i++) await ask(url);
  const alone = [];
  for (let i = 0; i < 300; i++) alone.push(await ask(url));
  const spent = cpu(pid);
  const until = performance.now() + seconds * 1000;
  const all = [];
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (performance.now() < until) all.push(await ask(url));
    }),
  );
  const took = (performance.now() - begin) / 1000;
  const used = cpu(pid) - spent;
  const rate = all.length / took;
  const half = await paced(url, rate / 2);
  return { name, p50: at(alone, 0.5), p99: at(all, 0.99), rate, half: at(half, 0.99), middle: at(half, 0.5), cpu: (used * 1000) / all.length };
}

const worker = (form, script) => start("node", ["wasm/edge/miniflare.mjs", JSON.stringify({ folder, form, script, bindings: { RANKBOX_CONFIG: config } })]);
const rows = [];
try {
  rows.push(await measure("JavaScript that passes on", await worker("shared", plain)));
  rows.push(await measure("edge, one program", await worker("shared")));
  rows.push(await measure("edge, the library's own worker", await worker("stock")));
  const file = join(mkdtempSync(join(tmpdir(), "edge-")), "edge.json");
  writeFileSync(file, config);
  rows.push(await measure("rankbox serve", await start("bin/rankbox", ["serve", "-addr", "127.0.0.1:0", "-config", file, "-quiet"])));
  rows.push(await measure("no edge: the service itself", { url: `${upstream}/`, pid: process.pid })); // its processor time is the client's too
} finally {
  for (const child of started) {
    child.removeAllListeners("exit");
    child.stdin.end();
    child.kill("SIGTERM");
  }
  service.close();
  agent.destroy();
}
console.log(`${cpus()[0].model}, ${cpus().length} processors; the client and the service run on them too. One new text a request, 384 dimensions back.\n`);
console.log("| host | p50 alone, ms | added to JavaScript, ms | requests/s, 32 at once | p99 then, ms | p50 at half as many, ms | p99, ms | processor a request, ms |\n|---|---:|---:|---:|---:|---:|---:|---:|");
for (const r of rows) console.log(`| ${r.name} | ${r.p50.toFixed(2)} | ${(r.p50 - rows[0].p50).toFixed(2)} | ${r.rate.toFixed(0)} | ${r.p99.toFixed(1)} | ${r.middle.toFixed(2)} | ${r.half.toFixed(1)} | ${r.cpu.toFixed(2)} |`);
