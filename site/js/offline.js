// Collections that the visitor wants offline: every file of one is fetched, held against its SHA-256 and put where the
// service worker looks. A collection that is whole has a mark beside its files. Both go with a version of the site that
// has other files (activate in sw.js).

import config from './config.js';

const store = () => {
  if (!globalThis.caches || !navigator.serviceWorker) {
    throw new Error('this browser saves nothing for pages here: a private window, or a page without https');
  }
  return caches.open('rankbox collections');
};
const mark = (base) => `${base}offline`;
const atOnce = 6;
let control = null; // of the collection that is being kept

/** The ids of the collections that are whole on this device, with spaces between. */
async function kept() {
  const cache = await store();
  const whole = await Promise.all(config.collections.map((c) => cache.match(mark(c.base))));
  return config.collections.filter((_, i) => whole[i]).map((c) => c.id).join(' ');
}

async function get(path, signal) {
  let answer;
  try {
    answer = await fetch(path, { signal, cache: 'no-store' }); // the service worker keeps no copy of its own
  } catch (e) {
    if (signal.aborted) throw e;
    throw new Error(`${path} could not be fetched: is the network there?`, { cause: e });
  }
  if (!answer.ok) throw new Error(`${path} is missing on this server: status ${answer.status}`);
  return answer;
}

async function sum(bytes) {
  if (!globalThis.crypto?.subtle) return '';
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (b) => b.toString(16).padStart(2, '0')).join('');
}

/** A file as the manifest has it, undefined for any other bytes. */
async function whole(answer, file) {
  const bytes = await answer.arrayBuffer();
  const got = await sum(bytes);
  if (bytes.byteLength !== file.bytes || (got && got !== file.sha256)) return undefined;
  return new Response(bytes, { headers: answer.headers });
}

/**
 * Keeps a collection; what is here already is not fetched again. tell(done, total) is told its bytes. Whoever cancels
 * finds it not kept, and goes on from there the next time.
 */
export async function keep(id, tell) {
  const { signal } = (control = new AbortController());
  const { base } = config.collections.find((c) => c.id === id);
  const cache = await store();
  try {
    await navigator.storage?.persist?.().catch(() => false);
    const manifest = await get(`${base}manifest.json`, signal);
    const copy = manifest.clone();
    const about = await manifest.json();
    await cache.put(`${base}manifest.json`, copy);
    // typed queries of a model need its encoder, a file of the site
    const encoders = config.encoders.filter((e) => about.models?.some((m) => m.encoder === e.name));
    // a file may have two roles, and is fetched once
    const files = [...new Map(about.files.map((f) => [f.name, { ...f, path: base + f.name }])).values(),
      ...encoders.map((e) => ({ ...e, path: e.url }))];
    const total = files.reduce((n, f) => n + f.bytes, 0);
    let done = 0, next = 0, told = 0;
    const line = async () => {
      while (next < files.length) {
        const f = files[next++];
        const known = await cache.match(f.path);
        if (!known || !(await whole(known, f))) {
          const answer = await whole(await get(f.path, signal), f);
          if (!answer) throw new Error(`${f.name} arrived damaged`);
          await cache.put(f.path, answer);
        }
        done += f.bytes;
        if (!signal.aborted && performance.now() - told > 100) {
          told = performance.now();
          tell(done, total);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, line));
    signal.throwIfAborted();
    await cache.put(mark(base), new Response(''));
  } catch (e) {
    const cancelled = signal.aborted;
    control.abort(); // the other lines
    if (!cancelled) throw e;
  }
  return kept();
}

/** Gives up the collection that is being kept. */
export async function stop() {
  control?.abort();
  return kept();
}

/** Removes a collection from this device. */
export async function remove(id) {
  const { base } = config.collections.find((c) => c.id === id);
  const cache = await store();
  await cache.delete(mark(base)); // first, so that a part is never taken for the whole
  for (const request of await cache.keys()) {
    if (new URL(request.url).pathname.startsWith(base)) await cache.delete(request);
  }
  return kept();
}

export { kept as list };
