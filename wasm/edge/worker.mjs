// The worker of the edge: one instance of the Go program for all requests. A program that has ended, by a panic or for
// want of memory, answers nothing any more, so what it owed is answered here with an error that may be tried again, and
// the next request starts another.
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

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const none = new Uint8Array(0);

let running = null;

// start runs the program until it waits for requests. Nothing in it is asynchronous, so two requests never start two.
function start(env, ctx) {
  const binding = {};
  const go = new Go();
  const imports = {};
  const at = (from, n) => new Uint8Array(its.mem.buffer, from, n);
  const text = (from, n) => decoder.decode(at(from, n));
  const own = { console, after: pause };
  // owed: the requests without an answer, by their numbers
  const self = { binding, own, owed: new Map(), ended: false };
  // What goes to the program is written into its memory, a text and bytes behind it; what comes from it is read there
  // before the call returns.
  own.put = (words, bytes) => {
    const most = 3 * words.length + bytes.length;
    if (most > own.size) its.edge_room(most);
    const { written } = encoder.encodeInto(words, at(own.in, own.size));
    if (bytes.length > 0) at(own.in + written, bytes.length).set(bytes);
    return written;
  };
  const back = (id, status, retry = "", bytes = none) => {
    if (!self.ended) its.edge_resume(id, status, own.put(retry, bytes), bytes.length, Date.now());
    taken(bytes);
  };
  imports.place = (address, size) => {
    own.in = address;
    own.size = size;
  };
  imports.fetch = (id, words, n, body, size, ms, limit) => {
    const [url, ...heads] = text(words, n).split("\n");
    const turn = new Turn();
    send(url, heads, at(body, size).slice(), ms, limit, turn).then((answer) => {
      current = turn;
      back(id, ...answer); // the answer that is made of it is given within
      current = null;
      if (!turn.sending) turn.leave();
    }).catch(() => end(self));
  };
  imports.read = (call, id, limit) => {
    self.owed.get(call).read(limit, own.bodyTime).then((answer) => back(id, ...answer)).catch(() => end(self));
  };
  imports.answer = (call, status, heads, n, body, size) => {
    self.owed.get(call)?.answer(status, text(heads, n).split("\n"), size > 0 ? at(body, size).slice() : null, current);
  };
  imports.log = (line, n) => console.log(text(line, n));
  // The promise that run returns belongs to the request that started the program and is dropped with it; exit is called
  // there and then.
  go.exit = () => end(self);
  const instance = new WebAssembly.Instance(program, { ...go.importObject, edge: imports });
  const its = instance.exports;
  own.handle = its.edge_handle;
  go.run(instance, { env, ctx, binding, connect, own }).catch(() => end(self));
  return self;
}

function end(self) {
  if (self.ended) return;
  self.ended = true;
  if (running === self) running = null;
  for (const call of self.owed.values()) call.resolve(null);
  self.owed.clear();
}

// What a stream that is read may end with instead of its bytes, and a request that did not reach a service.
const [LATE, LARGE, BROKEN, UNSENT] = [-1, -2, -3, -4];

// Memory that streams are read into: what the program has taken is used again, as a piece costs more to make than to
// fill. A view shows what was read and nothing else.
const PIECE = 16384;
const pieces = [];
const piece = (size) => (size <= PIECE ? new Uint8Array(pieces.pop() ?? new ArrayBuffer(PIECE), 0, size) :
  new Uint8Array(size));
function taken(bytes) {
  if (bytes.buffer.byteLength === PIECE && pieces.length < 64) pieces.push(bytes.buffer);
  else if (bytes.length > LARGE_FROM) reserve = bytes.buffer;
}

// A worker has 128 MB, and an answer takes up to five times its bytes: here, in the program, as its vectors and as what
// is made of them. So answers of more than LARGE_FROM bytes take turns, from when they are read until what is made of
// them is sent. A turn that shows no sign of life for a while is over: the runtime ends a request whose client has left
// without a word. Requests wait by timers of their own.
const LARGE_FROM = 1 << 20;
let holder = null;
let current = null; // the turn of the answer that the program works on
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class Turn {
  sending = false;

  async take() {
    for (; holder !== null && Date.now() < holder.until; await pause(10)) this.signal.throwIfAborted();
    holder = this;
    this.alive(2000);
  }

  alive(ms) {
    this.until = Date.now() + ms;
  }

  leave() {
    if (holder === this) holder = null;
  }
}

// The memory of large answers is used again, too: what V8 would free, it frees late.
let reserve = new ArrayBuffer(0);
function roomFor(size) {
  const buffer = reserve.byteLength >= size ? reserve : new ArrayBuffer(size);
  reserve = new ArrayBuffer(0);
  return buffer;
}

// A small body whose length is announced is read in one call. The runtime refuses one that is shorter, and reads no
// byte beyond.
const SMALL = 32768;
const whole = async (message) => new Uint8Array(await message.arrayBuffer());

// readAll reads a stream of at most limit bytes, of which length are announced (NaN: it is not known). Of one that is
// too large the rest is left, and can be drained. The runtime gathers what is announced in one piece, and a byte more
// would show that it was wrong. turn is for large answers.
async function readAll(stream, limit, length, turn = null) {
  const reader = stream.getReader({ mode: "byob" });
  if (turn !== null && length > LARGE_FROM && length <= limit) return readLarge(reader, limit, length, turn, none);
  const parts = [];
  let n = 0;
  for (let size = Math.min(length >= 0 ? length : 65535, limit) + 1; ; size = 65536) {
    const { done, value } = await reader.readAtLeast(size, piece(size));
    if (value !== undefined && value.byteLength > 0) parts.push(value);
    n += value?.byteLength ?? 0;
    if (n > limit) {
      reader.releaseLock();
      return LARGE;
    }
    if (done || value.byteLength < size) break;
    if (turn !== null && n > LARGE_FROM) return readLarge(reader, limit, NaN, turn, joined(parts, n));
  }
  return parts.length === 1 ? parts[0] : joined(parts, n);
}

function joined(parts, n) {
  const all = new Uint8Array(n);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
}

// readLarge reads the rest behind begun into one piece of memory, in its turn.
async function readLarge(reader, limit, length, turn, begun) {
  await turn.take();
  let buffer = roomFor(length >= 0 ? length + 1 : 4 * begun.length);
  new Uint8Array(buffer).set(begun);
  for (let n = begun.length; ; ) {
    if (n === buffer.byteLength) buffer = buffer.transfer(Math.min(2 * n, limit + 1));
    const size = Math.min(LARGE_FROM, buffer.byteLength - n);
    const { done, value } = await reader.readAtLeast(size, new Uint8Array(buffer, n, size));
    turn.alive(2000);
    n += value?.byteLength ?? 0;
    if (value !== undefined) buffer = value.buffer;
    if (n > limit) {
      reserve = buffer;
      reader.releaseLock();
      return LARGE;
    }
    if (done || value.byteLength < size) return new Uint8Array(buffer, 0, n);
  }
}

// within gives up after a time.
const within = (ms, what) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, LATE);
    const done = (value) => {
      clearTimeout(timer);
      resolve(value);
    };
    what.then(done, () => done(BROKEN));
  });

// named makes headers of names and values that follow each other.
function named(lines) {
  const all = {};
  for (let i = 0; i + 1 < lines.length; i += 2) all[lines[i]] = lines[i + 1];
  return all;
}

// lengthOf returns how many bytes are announced, where they are those that will be read; it takes the headers
// Content-Encoding and Content-Length.
const lengthOf = (encoding, announced) => (encoding === null ? Number.parseInt(announced, 10) : NaN);

// send asks a service. It gives the status, Retry-After and the body; or why there is none.
async function send(url, heads, text, ms, limit, turn) {
  const signal = AbortSignal.timeout(ms);
  turn.signal = signal;
  let answer;
  try {
    const sent = text.length > 0 ? { method: "POST", body: text } : { method: "GET" };
    answer = await fetch(url, { ...sent, headers: named(heads), signal, redirect: "manual" });
  } catch {
    return [signal.aborted ? LATE : UNSENT];
  }
  try {
    const { status, headers, body } = answer;
    const length = lengthOf(headers.get("Content-Encoding"), headers.get("Content-Length"));
    let all = none;
    if (body !== null) all = await (length <= Math.min(limit, SMALL) ? whole(answer) :
      readAll(body, limit, length, turn));
    if (all !== LARGE) return [status, (status >= 400 && headers.get("Retry-After")) || "", all];
    body.cancel().catch(() => {});
    return [LARGE];
  } catch {
    return [signal.aborted ? LATE : BROKEN];
  }
}

// sending gives a large body out piece by piece. Its turn lasts until the last is taken, or its client takes none for a
// while.
function sending(body, turn) {
  if (turn !== null) turn.sending = true;
  const { readable, writable } = new FixedLengthStream(body.length);
  (async () => {
    const writer = writable.getWriter();
    for (let at = 0; at < body.length; at += LARGE_FROM) {
      turn?.alive(2000);
      await writer.write(body.subarray(at, at + LARGE_FROM));
    }
    body.buffer.transfer(0); // freed at once
    await writer.close();
  })().catch(() => {}).finally(() => turn?.leave());
  return readable;
}

// Call is a request as the program sees it: one text with what it goes by, a line each, and a body that it may ask for.
class Call {
  constructor(request) {
    this.request = request;
    this.encoding = request.headers.get("Content-Encoding");
    this.announced = request.headers.get("Content-Length");
    this.length = lengthOf(this.encoding, this.announced);
    this.whole = request.body === null;
    this.answered = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  meta() {
    const { method, url, headers } = this.request;
    const at = new URL(url);
    const of = (name) => headers.get(name) ?? "";
    const asked = method === "OPTIONS" ? of("Access-Control-Request-Method") : "";
    return [method, at.pathname, at.search.slice(1), of("Origin"), at.origin, of("Content-Type"), this.encoding ?? "",
      of("Authorization"), asked, this.announced ?? "", of("CF-Connecting-IP"), of("If-None-Match")].join("\n");
  }

  // The body may take ms to arrive.
  async read(limit, ms) {
    if (this.whole) return [200, "", none];
    const small = this.length <= Math.min(limit, SMALL);
    const all = await within(ms, small ? whole(this.request) : readAll(this.request.body, limit, this.length));
    if (typeof all === "number") return [all];
    this.whole = true;
    return [200, "", all];
  }

  // A small body is read before the program is asked, which saves a call each way. One that is refused unread would be
  // drained before its answer anyway.
  async early(ms) {
    return this.length > 0 && this.length <= SMALL ? this.read(SMALL, ms) : [0];
  }

  // What is left of the body is read, within bounds: where a body is not read the runtime closes the connection, and
  // the client may miss the answer.
  async drain() {
    if (!this.request.body.locked) await within(2000, readAll(this.request.body, 8 << 20, NaN));
  }

  async answer(status, heads, body, turn) {
    const headers = named(heads);
    if (!this.whole) await this.drain();
    this.resolve(new Response(body?.length > LARGE_FROM ? sending(body, turn) : body, { status, headers }));
  }
}

const failure = (status, detail) =>
  new Response(JSON.stringify({ type: "urn:rankbox:problem:internal", title: "Internal error", status, detail,
    code: "internal" }), {
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

let calls = 0;

export default {
  async fetch(request, env, ctx) {
    const call = new Call(request);
    let self, early;
    try {
      self = running ??= start(env, ctx);
      early = await call.early(self.own.bodyTime);
      self = running ??= start(env, ctx);
    } catch {
      return failure(500, "the edge does not start");
    }
    const id = ++calls;
    self.owed.set(id, call);
    try {
      const [status, , body = none] = early;
      const { own } = self;
      own.handle(id, own.put(call.meta(), body), status, body.length, Date.now());
      taken(body);
      return (await call.answered) ?? restarted();
    } catch {
      // The program is not to be trusted after an exception came out of it: a call of an instance that has ended, or a
      // trap.
      end(self);
      return restarted();
    } finally {
      self.owed.delete(id);
    }
  },
};

// Limiter counts for one client, however many instances of the worker there are: as Ledger of core/remote/gateway does, a
// bucket of a minute's requests that refills evenly, and the units of a day of UTC.
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

// Room stores one room as RoomMemory of core/remote/gateway does: its head, the counts of its question, and an option a voter
// while that is open. An alarm deletes all of it in the end.
export class Room extends DurableObject {
  async read() {
    const room = await this.ctx.storage.get("room");
    return room && Date.now() < room.until ? room : null;
  }

  async change(was, head, options, until) {
    const room = await this.read();
    if ((room?.version ?? 0) !== was) return false;
    await this.ctx.storage.deleteAll();
    if (head === "") return true;
    const kept = options > 0 ? { counts: new Array(options).fill(0), ballots: 0 } : room;
    this.ctx.storage.put("room", { version: was + 1, head, until, counts: kept.counts, ballots: kept.ballots,
      open: options > 0 });
    this.ctx.storage.setAlarm(until);
    return true;
  }

  async vote(version, voter, option, most) {
    const room = await this.read();
    if (room?.version !== version || !room.open || option >= room.counts.length) return "stale";
    const was = await this.ctx.storage.get(voter);
    if (was === option) return "";
    if (was !== undefined) room.counts[was]--;
    else if (room.counts.reduce((sum, n) => sum + n) >= most) return "full";
    room.counts[option]++;
    room.ballots++;
    this.ctx.storage.put({ room, [voter]: option });
    return "";
  }

  async alarm() {
    await this.ctx.storage.deleteAll();
  }
}
