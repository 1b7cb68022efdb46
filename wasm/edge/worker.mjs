// The worker of the edge: one instance of the Go program for all requests. A program that has ended, by a panic or for want of memory,
// answers nothing any more, so what it owed is answered here with an error that may be tried again, and the next request starts another.
import "./wasm_exec.js";
import { connect } from "cloudflare:sockets";
import { DurableObject } from "cloudflare:workers";
import program from "./app.wasm";

globalThis.tryCatch = (fn) => {
  try {
    return { result: fn() };
  } catch (error) {
    return { error };
  }
};

let running = null;

// start runs the program until it waits for requests. Nothing in it is asynchronous, so two requests never start two.
function start(env, ctx) {
  const binding = {};
  const go = new Go();
  const instance = new WebAssembly.Instance(program, { ...go.importObject, workers: { ready() {} } });
  const own = { console };
  own.fetch = (id, ...what) => send(...what).then((answer) => own.resume(id, ...answer), () => end(self));
  const self = { binding, own, owed: new Set(), ended: false };
  // The promise that run returns belongs to the request that started the program and is dropped with it; exit is called there and then.
  go.exit = () => end(self);
  go.run(instance, { env, ctx, binding, connect, own }).catch(() => end(self));
  return self;
}

function end(self) {
  if (self.ended) return;
  self.ended = true;
  if (running === self) running = null;
  for (const fail of self.owed) fail();
  self.owed.clear();
}

// What a stream that is read may end with instead of its bytes.
const [LATE, LARGE, BROKEN] = [-1, -2, -3];

// readAll reads a stream of at most limit bytes. Of one that is too large the rest is left, and can be drained.
async function readAll(stream, limit) {
  const reader = stream.getReader();
  const parts = [];
  let n = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    n += value.byteLength;
    if (n > limit) {
      reader.releaseLock();
      return LARGE;
    }
    parts.push(value);
  }
  if (parts.length === 1) return parts[0];
  const all = new Uint8Array(n);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
}

// within gives up after a time.
async function within(ms, what) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms, LATE);
  });
  try {
    return await Promise.race([what, late]);
  } catch {
    return BROKEN;
  } finally {
    clearTimeout(timer);
  }
}

// send asks a service: heads are names and values, a line each. It gives the status, Retry-After and the body; or why there is none.
async function send(url, heads, body, ms, limit) {
  const signal = AbortSignal.timeout(ms);
  const headers = new Headers();
  const lines = heads.split("\n");
  for (let i = 0; i + 1 < lines.length; i += 2) headers.set(lines[i], lines[i + 1]);
  let answer;
  try {
    answer = await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
  } catch {
    return [signal.aborted ? LATE : LARGE];
  }
  try {
    const all = answer.body === null ? new Uint8Array(0) : await readAll(answer.body, limit);
    if (all !== LARGE) return [answer.status, answer.headers.get("Retry-After") ?? "", all];
    answer.body.cancel().catch(() => {});
  } catch {}
  return [signal.aborted ? LATE : BROKEN];
}

// Call is a request as the program sees it: one text with what it goes by, a line each, and a body that it may ask for.
class Call {
  constructor(request, own) {
    this.request = request;
    this.own = own;
    this.whole = request.body === null;
    this.answered = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  meta() {
    const { method, url, headers } = this.request;
    const at = new URL(url);
    const of = (name) => headers.get(name) ?? "";
    return [method, at.pathname, at.search.slice(1), of("Origin"), at.origin, of("Content-Type"), of("Content-Encoding"), of("Authorization"), of("Access-Control-Request-Method"), of("Content-Length"), of("CF-Connecting-IP")].join("\n");
  }

  // The body may take ms to arrive.
  read(id, limit, ms) {
    if (this.whole) return this.own.resume(id, 200, "", new Uint8Array(0));
    within(ms, readAll(this.request.body, limit)).then((all) => {
      if (typeof all === "number") return this.own.resume(id, all);
      this.whole = true;
      this.own.resume(id, 200, "", all);
    });
  }

  // What is left of the body is read, within bounds: where a body is not read the runtime closes the connection, and the client may miss the answer.
  async drain() {
    if (this.whole || this.request.body.locked) return;
    await within(2000, readAll(this.request.body, 8 << 20));
  }

  async answer(status, heads, body) {
    const headers = new Headers();
    const lines = heads.split("\n");
    for (let i = 0; i + 1 < lines.length; i += 2) headers.set(lines[i], lines[i + 1]);
    await this.drain();
    this.resolve(new Response(body, { status, headers }));
  }
}

const failure = (status, detail) =>
  new Response(JSON.stringify({ type: "urn:rankbox:problem:internal", title: "Internal error", status, detail, code: "internal" }), {
    status,
    headers: {
      "Content-Type": "application/problem+json",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
      Vary: "Origin",
      "Retry-After": "1",
      "Server-Timing": "upstream;dur=0, edge;dur=0",
    },
  });

const restarted = () => failure(503, "the edge failed and starts again; the request may be sent again");

export default {
  async fetch(request, env, ctx) {
    try {
      running ??= start(env, ctx);
    } catch {
      return failure(500, "the edge does not start");
    }
    const self = running;
    let fail;
    const over = new Promise((resolve) => {
      fail = () => resolve(null);
    });
    self.owed.add(fail);
    try {
      const call = new Call(request, self.own);
      self.own.handle(call.meta(), call);
      const answer = await Promise.race([call.answered, over]);
      if (answer === null) return restarted();
      return answer;
    } catch {
      // The program is not to be trusted after an exception came out of it: a call of an instance that has ended, or a trap.
      end(self);
      return restarted();
    } finally {
      self.owed.delete(fail);
    }
  },
};

// Limiter counts for one client, however many instances of the worker there are: as Ledger of core/gateway does, a bucket of a minute's
// requests that refills evenly, and the units of a day of UTC.
export class Limiter extends DurableObject {
  async take(units, first, perMinute, perDay) {
    const now = Date.now();
    const day = Math.floor(now / 86400000);
    const a = (await this.ctx.storage.get("account")) ?? { tokens: perMinute, at: now, day, used: 0 };
    const rate = perMinute / 60000;
    a.tokens = Math.min(perMinute, a.tokens + Math.max(0, now - a.at) * rate);
    a.at = now;
    if (a.day !== day) {
      a.day = day;
      a.used = 0;
    }
    if (first && a.tokens < 1) return { wait: (1 - a.tokens) / rate, why: "rate" };
    if (a.used + units > perDay) return { wait: (day + 1) * 86400000 - now, why: "budget" };
    if (first) a.tokens--;
    a.used += units;
    this.ctx.storage.put("account", a);
    return { wait: 0, why: "" };
  }
}
