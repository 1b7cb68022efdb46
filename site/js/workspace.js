// What people make in a collection, queries and grades, on this device. IndexedDB holds for each workspace one fold
// (bytes, and how often it was folded) and a journal, a record an edit. A record is there, flushed to the disk, before
// its promise settles. Tabs tell each other. A second copy of the whole lies in Cache Storage, in files of its own: a
// browser whose disk was full throws a torn database away and makes an empty one.

import { optional, own } from './fetch.js';

const name = 'rankbox workspaces';
const channel = globalThis.BroadcastChannel ? new BroadcastChannel(name) : null;
const tab = Array.from(crypto.getRandomValues(new Uint8Array(6)), (b) => (b % 36).toString(36)).join('');
let opening = null;
let opened = false; // in the life of this page
const known = new Set(); // workspaces that this page has read
const suspect = new Set(); // those of them that may be gone: the database was opened anew since
const written = new Map(); // workspace → how many records this page has appended: a gap shows in their numbers

function database() {
  if (opening) return opening;
  const mine = opening = new Promise((done) => setTimeout(done, closed + rest - Date.now())).then(() =>
    new Promise((resolve, reject) => {
      if (!globalThis.indexedDB) throw new Error(
        'this browser saves nothing for pages here: a private window, or a page without https');
      // a browser that has lost its files may never answer
      setTimeout(() => reject(new Error('the browser does not open what it saves for this page')), 10_000);
      const asked = indexedDB.open(name, 1);
      asked.onupgradeneeded = () => {
        asked.result.createObjectStore('folds');
        asked.result.createObjectStore('edits', { autoIncrement: true }).createIndex('of', 'of');
      };
      asked.onblocked = () => reject(new Error('another tab holds an older version of what is saved: close it'));
      asked.onerror = () => reject(asked.error?.name === 'VersionError' ?
        new Error('a newer Rankbox has saved it: reload the page to get that') : asked.error);
      asked.onsuccess = () => {
        if (opening !== mine) return asked.result.close(); // too late: another is being opened
        asked.result.onversionchange = () => { // a newer version wants in
          asked.result.close();
          opening = null;
        };
        asked.result.onclose = () => (opening = null);
        if (opened) {
          for (const of of known) suspect.add(of);
          written.clear();
        }
        opened = true;
        connected = asked.result;
        resolve(asked.result);
      };
    }));
  mine.catch(() => {
    if (opening === mine) opening = null;
  });
  return mine;
}

async function change(mode, use) {
  const db = await database();
  return new Promise((resolve, reject) => {
    const t = db.transaction(['folds', 'edits'], mode, { durability: 'strict' });
    let out;
    t.oncomplete = () => resolve(out);
    t.onerror = t.onabort = () => reject(t.error ?? new Error('it was not saved'));
    use(t.objectStore('folds'), t.objectStore('edits'), (x) => (out = x), t);
  }).catch((e) => {
    if (e?.name === 'InvalidStateError') opening = null; // the browser closed it without a word
    else if (mode === 'readwrite') leave(db);
    throw e;
  });
}

// After a write that failed a browser reads from its memory what its files may have lost, until all connections have
// been closed for a while. What is read after that is what a restart would read.
const rest = 3000; // milliseconds; Chromium keeps its files open for two seconds
let closed = 0;
let connected = null; // the database that is open
function leave(db) {
  db.close();
  if (connected === db) opening = null;
  closed = Date.now();
}

const nothing = () => ({ tab, fold: new Uint8Array(), folded: 0, journal: new Uint8Array(), last: 0 });

// The bytes of a record, ended by a line feed so that it costs no neighbour; null if it has none.
function bytesOf(record) {
  let b = record?.bytes;
  if (typeof b === 'string') b = new TextEncoder().encode(b);
  if (b instanceof ArrayBuffer) b = new Uint8Array(b);
  if (!(b instanceof Uint8Array) || !b.length) return null;
  if (b.at(-1) === 10) return b;
  const whole = new Uint8Array(b.length + 1);
  whole.set(b);
  whole[b.length] = 10;
  return whole;
}

// A journal of records in the order of their keys. A line that is no record stands for each that has no bytes, and for
// each that is gone: every page numbers what it appends.
const missing = new TextEncoder().encode('missing\n');
function join(list, folded) {
  const parts = [];
  const numbers = new Map(); // page → the number of its last record
  for (const record of list) {
    if (record?.by) {
      const before = numbers.get(record.by) ?? (folded ? record.n - 1 : 0);
      for (let n = before + 1; n < record.n && n < before + 1000; n++) parts.push(missing);
      numbers.set(record.by, record.n);
    }
    parts.push(bytesOf(record) ?? missing);
  }
  const all = new Uint8Array(parts.reduce((n, b) => n + b.length, 0));
  let at = 0;
  for (const b of parts) {
    all.set(b, at);
    at += b.length;
  }
  return all;
}

/** What is saved of a workspace: the fold, how often it was folded, the journal, and the key of its last record. */
export async function load(of) {
  if (of !== own?.id) return read(of);
  // a site that was made of it brings it along: what this device adds comes after that
  const answer = await read(of).catch(nothing);
  if (!answer.fold.length) {
    const brought = await fetch(own.workspace);
    if (!brought.ok) throw new Error(`${own.workspace} is missing on this server: status ${brought.status}`);
    answer.fold = new Uint8Array(await brought.arrayBuffer());
  }
  return answer;
}

async function read(of) {
  const answer = nothing();
  let records = [];
  await change('readonly', (folds, edits) => {
    folds.get(of).onsuccess = ({ target }) => {
      const b = bytesOf(target.result);
      // one without bytes is a fold that cannot be read, not none
      if (target.result) [answer.fold, answer.folded] = [b ?? missing, target.result.folded];
    };
    const index = edits.index('of');
    index.getAllKeys(of).onsuccess = ({ target }) => {
      const keys = target.result;
      answer.last = keys.at(-1) ?? 0;
      const all = index.getAll(of);
      all.onsuccess = () => (records = all.result);
      // one record that the browser cannot read costs that record
      all.onerror = (event) => {
        event.preventDefault();
        event.stopPropagation();
        keys.forEach((key, i) => {
          const one = edits.get(key);
          one.onsuccess = () => (records[i] = one.result);
          one.onerror = (event) => {
            event.preventDefault();
            event.stopPropagation();
            records[i] = null;
          };
        });
      };
    };
  });
  answer.journal = join(records, answer.folded);
  known.add(of);
  return answer;
}

/** Appends records, each of them an edit, to the journal, and tells the other tabs once they are on the disk. */
export async function append(of, bytes) {
  const own = bytes.slice();
  await database();
  // said once: whoever hears it compares what is there with what should be
  if (suspect.delete(of)) throw new Error('the browser has closed what it saves for this page, or deleted it');
  const n = (written.get(of) ?? 0) + 1;
  // committed at once, not when the page hears that it was added: by then the page may be gone
  await change('readwrite', (_, edits, give, t) => {
    edits.add({ of, bytes: own, by: tab, n });
    t.commit();
  });
  written.set(of, n);
  channel?.postMessage({ of, bytes: own });
}

/** Puts a fold in the place of the journal up to a record, unless another tab has folded meanwhile. */
export function fold(of, bytes, folded, last) {
  const own = bytes.slice();
  return change('readwrite', (folds, edits) => {
    folds.get(of).onsuccess = ({ target }) => {
      if ((target.result?.folded ?? 0) !== folded) return;
      folds.put({ bytes: own, folded: folded + 1 }, of);
      edits.index('of').openKeyCursor(IDBKeyRange.only(of)).onsuccess = ({ target: { result: at } }) => {
        if (!at || at.primaryKey > last) return;
        edits.delete(at.primaryKey);
        at.continue();
      };
    };
  });
}

const copies = () => caches.open('copies of Rankbox workspaces');
const copyOf = (of) => `/copies/${encodeURIComponent(of)}/`;
async function copiesOf(cache, of) {
  const all = (await cache.keys()).map((request) => new URL(request.url).pathname);
  return all.filter((path) => path.startsWith(copyOf(of))).sort().reverse(); // the last one first
}

/** Puts a second copy of a workspace beside it. The copy before goes once the new one was read back. */
export async function copy(of, bytes) {
  if (!globalThis.caches) return; // a browser that saves no second copy
  const cache = await copies();
  const before = await copiesOf(cache, of);
  const path = `${copyOf(of)}${Date.now()}-${tab}`;
  const own = bytes.slice();
  await cache.put(path, new Response(own));
  const back = await (await cache.match(path)).arrayBuffer();
  if (back.byteLength !== own.length) throw new Error('the second copy was not saved');
  for (const old of before) if (old !== path) await cache.delete(old);
}

/** The second copies of a workspace, the last one first: more than one if the page ended between two steps of copy. */
export async function copied(of) {
  const list = [];
  if (!globalThis.caches) return list;
  const cache = await copies();
  for (const path of await copiesOf(cache, of)) {
    try {
      list.push(new Uint8Array(await (await cache.match(path)).arrayBuffer()));
    } catch {} // it cannot be read: there may be another
  }
  return list;
}

/**
 * Erases a workspace: the records, the copies, and the files that were kept over a reload. The bytes of a record that is
 * deleted stay in the browser's own files for long; those of a store that is cleared go at once. So the stores are
 * cleared, and the other workspaces put back in the same transaction.
 */
export async function erase(of) {
  await change('readwrite', (folds, edits) => {
    const others = [];
    const gather = (store, mine, next) => {
      store.openCursor().onsuccess = ({ target: { result: at } }) => {
        if (!at) return next();
        if (!mine(at)) others.push([store, at.value, at.primaryKey]);
        at.continue();
      };
    };
    gather(folds, (at) => at.primaryKey === of, () => gather(edits, (at) => at.value.of === of, () => {
      folds.clear();
      edits.clear();
      for (const [store, value, key] of others) store.put(value, key);
    }));
  });
  written.delete(of);
  if (globalThis.caches) {
    const cache = await copies();
    for (const path of await copiesOf(cache, of)) await cache.delete(path);
  }
  const waits = [];
  dispatchEvent(new CustomEvent('rankbox-erase', { detail: waits }));
  await Promise.all(waits);
  channel?.postMessage({ of, bytes: new Uint8Array() });
}

/**
 * Asks the browser not to delete what is saved by itself, and calls heard with what other tabs append: with no bytes if
 * they have erased it.
 */
export async function follow(heard) {
  channel?.addEventListener('message', ({ data }) => heard(data.of, data.bytes));
  await navigator.storage?.persist?.().catch(() => false);
}

// Scripts that few ask for are loaded when they are first needed.
const loaded = {};
async function from(name, load, act, ...given) {
  const module = await (loaded[name] ??= optional(name, load));
  if (module) return module[act](...given);
  delete loaded[name];
  throw new Error(`${name} could not be loaded: is the network there?`);
}
const site = (...given) => from('publish.js', () => import('./publish.js'), ...given);
export const weigh = (...given) => site('weigh', ...given);
export const publish = (...given) => site('publish', ...given);
export const stop = () => site('stop');

/** Lists, keeps or removes collections of the site for use offline, or stops keeping one: see offline.js. */
export const offline = (...given) => from('offline.js', () => import('./offline.js'), ...given);
