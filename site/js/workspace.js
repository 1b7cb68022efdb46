// What people make in a collection, queries and grades, on this device. IndexedDB holds for each workspace one fold
// (bytes, and how often it was folded) and a journal, a record an edit. A record is there, flushed to the disk, before
// its promise settles. Tabs tell each other.

import { optional, own } from './fetch.js';

const name = 'rankbox workspaces';
const channel = globalThis.BroadcastChannel ? new BroadcastChannel(name) : null;
const tab = Array.from(crypto.getRandomValues(new Uint8Array(6)), (b) => (b % 36).toString(36)).join('');
let opening = null;

function database() {
  opening ??= new Promise((resolve, reject) => {
    if (!globalThis.indexedDB) throw new Error(
      'this browser saves nothing for pages here: a private window, or a page without https');
    const asked = indexedDB.open(name, 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore('folds');
      asked.result.createObjectStore('edits', { autoIncrement: true }).createIndex('of', 'of');
    };
    asked.onblocked = () => reject(new Error('another tab holds an older version of what is saved: close it'));
    asked.onerror = () => reject(asked.error?.name === 'VersionError' ?
      new Error('a newer Rankbox has saved it: reload the page to get that') : asked.error);
    asked.onsuccess = () => {
      asked.result.onversionchange = () => asked.result.close(); // a newer version wants in
      asked.result.onclose = () => (opening = null);
      resolve(asked.result);
    };
  });
  opening.catch(() => (opening = null));
  return opening;
}

async function change(mode, use) {
  const db = await database();
  return new Promise((resolve, reject) => {
    const t = db.transaction(['folds', 'edits'], mode, { durability: 'strict' });
    let out;
    t.oncomplete = () => resolve(out);
    t.onerror = t.onabort = () => reject(t.error ?? new Error('it was not saved'));
    use(t.objectStore('folds'), t.objectStore('edits'), (x) => (out = x), t);
  });
}

function join(list) {
  const all = new Uint8Array(list.reduce((n, b) => n + b.length, 0));
  let at = 0;
  for (const b of list) {
    all.set(b, at);
    at += b.length;
  }
  return all;
}

const nothing = () => ({ tab, fold: new Uint8Array(), folded: 0, journal: new Uint8Array(), last: 0 });

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

function read(of) {
  return change('readonly', (folds, edits, give) => {
    const answer = nothing();
    give(answer);
    folds.get(of).onsuccess = ({ target }) => {
      if (target.result) [answer.fold, answer.folded] = [target.result.bytes, target.result.folded];
    };
    const index = edits.index('of');
    index.getAll(of).onsuccess = ({ target }) => (answer.journal = join(target.result.map((e) => e.bytes)));
    index.getAllKeys(of).onsuccess = ({ target }) => (answer.last = target.result.at(-1) ?? 0);
  });
}

/** Appends records, each of them an edit, to the journal, and tells the other tabs once they are on the disk. */
export async function append(of, bytes) {
  const own = bytes.slice();
  // committed at once, not when the page hears that it was added: by then the page may be gone
  await change('readwrite', (_, edits, give, t) => {
    edits.add({ of, bytes: own });
    t.commit();
  });
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

/** Asks the browser not to delete what is saved by itself, and calls heard with what other tabs append. */
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
