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
  const self = { binding, owed: new Set(), ended: false };
  // The promise that run returns belongs to the request that started the program and is dropped with it; exit is called there and then.
  go.exit = () => end(self);
  go.run(instance, { env, ctx, binding, connect }).catch(() => end(self));
  return self;
}

function end(self) {
  if (self.ended) return;
  self.ended = true;
  if (running === self) running = null;
  for (const fail of self.owed) fail();
  self.owed.clear();
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
      const answer = await Promise.race([self.binding.handleRequest(request), over]);
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
