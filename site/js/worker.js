// The worker's side: waits for the compiled program, runs it as the search engine, and passes messages through.

import './wasm_exec.js';
import { instantiate } from './program.js';

const silence = 6; // seconds without a byte before that is said
// seconds; one kilobyte that all else waits for has fewer
const patience = (url) => (url.endsWith('/manifest.json') ? 8 : 30);
let cache = 'default';
// what arrived well is kept by the program: what it asks for again did not, and a browser may keep what was damaged
const asked = new Set();
const waiting = [];
let pulse = 0;
let memory = () => 0;
// id → File, of all messages: what one screen asks for goes on while another asks for something else
const files = new Map();

// A message to oneself is the quickest way to let those of the page in.
const pauses = [];
const channel = new MessageChannel();
channel.port1.onmessage = () => pauses.shift()?.();

// Collections that were made of somebody's files are answers in this cache, to addresses that no server is asked for.
// What the browser does not keep, for want of room or at all, is held here, and gone with this tab.
const shelf = async () => caches.open('uploads of Rankbox');
const held = new Map();

globalThis.rankbox = {
  reply: (bytes) => postMessage({ reply: bytes }, [bytes.buffer]),
  ready: () => {
    postMessage({ ready: true });
    for (const m of waiting.splice(0)) globalThis.rankbox.onMessage(m);
  },
  alive: () => postMessage({ alive: true }),
  // while the work on a request waits, for a file on its way or one that is read, the page is told every second that it
  // goes on
  working: (on) => {
    clearInterval(pulse);
    if (on) pulse = setInterval(() => postMessage({ alive: true }), 1000);
  },
  fetch: async (url) => {
    const control = new AbortController();
    const patient = async (wait) => {
      const seconds = patience(url);
      const timer = setTimeout(() => control.abort(new Error(`the server sent nothing for ${seconds} seconds`)),
        1000 * seconds);
      const word = setTimeout(() => postMessage({ silent: silence }), 1000 * silence);
      return wait().finally(() => {
        clearTimeout(timer);
        clearTimeout(word);
      });
    };
    const kept = url.startsWith('/uploads/');
    const past = asked.has(url) ? 'reload' : cache;
    asked.add(url);
    const answer = await patient(async () => (kept ? (held.get(url)?.clone() ?? (await shelf()).match(url)) :
      fetch(url, { signal: control.signal, cache: past })));
    const reader = answer.body.getReader();
    return { ok: answer.ok, status: answer.status, read: () => patient(() => reader.read()) };
  },
  // To the edge: this site's own server, or the one that the build found in connect-src.
  ask: async (method, path, body, token) => {
    const { default: config } = await import('./config.js');
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    if (body) headers['Content-Type'] = method === 'PUT' ? 'application/octet-stream' : 'application/json';
    const answer = await fetch((config.edge ?? '') + path, {
      method,
      headers,
      body,
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(150_000),
    });
    return { status: answer.status, retry: Number(answer.headers.get('Retry-After')) || 0,
      body: new Uint8Array(await answer.arrayBuffer()) };
  },
  shelf,
  hold: (url, bytes) => held.set(url, new Response(bytes)),
  // A network of somebody's model, in a worker of its own; its scripts come when one is asked for.
  network: async () => {
    const { optional } = await import('./fetch.js');
    const module = await optional('network.js', () => import('./network.js'));
    if (!module) throw new Error('its scripts could not be loaded: is the network there?');
    return module.start();
  },
  networkBytes: async () => {
    const { default: config } = await import('./config.js');
    return [config.network.script.brotli + config.network.program.brotli, config.network.program.bytes];
  },
  memory: () => memory(),
  file: (id) => files.get(id),
  pause: () =>
    new Promise((resolve) => {
      pauses.push(resolve);
      channel.port2.postMessage(0);
    }),
};

// What goes wrong on the way into the program or out of it is no less an end.
onunhandledrejection = ({ reason }) => postMessage({ died: reason?.message ?? String(reason) });

onmessage = async ({ data }) => {
  if (data.ask) return postMessage({ alive: true });
  if (data.message) {
    for (const [id, file] of data.files ?? []) files.set(id, file);
    if (globalThis.rankbox.onMessage) globalThis.rankbox.onMessage(data.message);
    else waiting.push(data.message);
    return;
  }
  try {
    cache = data.cache;
    const program = await instantiate(data.module, data.kernels, ['worker']);
    memory = program.memory;
    postMessage({ died: await program.exited });
  } catch (e) {
    postMessage({ died: e.message });
  }
};
