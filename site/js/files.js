// Files that somebody gives to the page: dropped anywhere on it, chosen, or pasted. They are kept here by number and
// handed to the worker as they are; the program of the page knows names and sizes only. Nothing here sends anything
// anywhere.

import { at } from './screens.js';

const kept = new Map(); // id → File
let next = 1;
let tell = null;
const waiting = []; // lists that came before the program ran

function take(list) {
  const out = [];
  for (const file of list) {
    kept.set(next, file);
    out.push({ id: next, name: file.webkitRelativePath || file.name, size: file.size, modified: file.lastModified });
    next++;
  }
  return out;
}

function give(list) {
  const taken = take(list);
  if (!taken.length) return;
  if (globalThis.rankbox.onFiles) tell(taken);
  else waiting.push(taken);
}

/** The files with these ids, for a message. */
export function files(ids) {
  const list = ids.filter((id) => kept.has(id)).map((id) => [id, kept.get(id)]);
  open.set(location.pathname, list.map(([, file]) => file));
  return list;
}

// Over a reload that is asked for, the files of the last message are kept by the browser, as files: a tab that has to
// be loaded anew, since the site has a new version, goes on with what was open in it. What an address holds is in the
// address. They are this tab's: another one that is loaded meanwhile leaves them alone, but for what a tab that never
// came back left a day ago.
const open = new Map(); // path → files; what is given to Home and Search goes to Compare
const here = () => open.get(location.pathname) ?? (at(location.pathname).program === 'first' ? open.get('/evaluate') :
  null) ?? [];
const day = 86_400_000;
const shelf = (mode, use) => new Promise((resolve, reject) => {
  const asked = indexedDB.open('rankbox', 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore('given');
  asked.onerror = () => reject(asked.error);
  asked.onsuccess = () => {
    const change = asked.result.transaction('given', mode);
    const request = use(change.objectStore('given'));
    change.oncomplete = () => resolve(request.result);
    // no room, or a file that was changed on the disk
    change.onerror = change.onabort = () => reject(change.error ?? new Error('it was not kept'));
  };
});
const inAddress = () => /^#.*\bruns=/.test(location.hash);

addEventListener('rankbox-reload', ({ detail }) => {
  if (!here().length || inAddress()) return;
  const key = `${Date.now()} ${crypto.getRandomValues(new Uint32Array(1))}`;
  try {
    sessionStorage.setItem('rankbox files', key);
    detail.push(shelf('readwrite', (s) => s.put({ path: location.pathname, files: here() }, key)));
  } catch {} // a browser that keeps nothing
});

// Whoever deletes a collection deletes its files here too.
addEventListener('rankbox-erase', ({ detail }) => {
  open.clear();
  detail.push(shelf('readwrite', (s) => s.clear()).catch(() => {})); // a browser that keeps nothing
});

// Otherwise leaving the page loses them, and the browser asks first.
let asked = false;
addEventListener('rankbox-reload', () => (asked = true));
addEventListener('beforeunload', (event) => {
  if (here().length && !inAddress() && !asked && at(location.pathname).files) event.preventDefault();
});

async function takeUp() {
  try {
    const own = sessionStorage.getItem('rankbox files');
    sessionStorage.removeItem('rankbox files');
    const keys = await shelf('readonly', (s) => s.getAllKeys());
    const before = keys.includes(own) && (await shelf('readonly', (s) => s.get(own)));
    for (const key of keys) if (key === own || !(Date.now() - parseInt(key) < day)) await shelf('readwrite',
      (s) => s.delete(key));
    if (before && before.path === location.pathname && !inAddress()) give(before.files);
  } catch (e) {
    console.info(`rankbox: no files are kept: ${e.message}`);
  }
}

/** Makes a file of a text. */
export function text(name, content) {
  return take([new File([content], name, { type: 'text/plain' })])[0];
}

/** Lets the browser save bytes as a file. */
export function save(name, type, bytes) {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  const a = document.createElement('a');
  a.href = url;
  a.download = name;
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Lets the browser save a drawing as a PNG file of two pixels for each of its own, and tells whether it could. */
export function picture(name, svg, width, height, done) {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  const image = new Image(width, height);
  const end = (saved) => {
    URL.revokeObjectURL(url);
    done(saved);
  };
  image.onerror = () => end(false);
  image.onload = () => {
    const canvas = document.createElement('canvas');
    canvas.width = 2 * width;
    canvas.height = 2 * height;
    const context = canvas.getContext('2d');
    if (!context) return end(false);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(async (blob) => {
      if (blob) save(name, 'image/png', await blob.arrayBuffer());
      end(Boolean(blob));
    }, 'image/png');
  };
  image.src = url;
}

/** Tells f of the files that came before the program ran. */
export function flush() {
  for (const list of waiting.splice(0)) tell(list);
  takeUp();
}

const holdsFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');

/** What is dropped: files, and those of folders with their way from there as names. */
async function dropped(transfer) {
  const files = [...transfer.files];
  // after the first wait the drop is over
  const roots = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!roots.some((entry) => entry.isDirectory)) return files;
  const out = [];
  const wait = (f) => new Promise((done, failed) => f(done, failed));
  const walk = async (entry) => {
    if (entry.isFile) {
      const file = await wait((done, failed) => entry.file(done, failed));
      out.push(new File([file], entry.fullPath.slice(1), { type: file.type, lastModified: file.lastModified }));
      return;
    }
    const reader = entry.createReader(); // it gives a hundred at a time
    for (let part; (part = await wait((done, failed) => reader.readEntries(done, failed))).length;
      ) for (const inside of part) await walk(inside);
  };
  for (const root of roots) await walk(root);
  return out;
}

/** Listens for files on the whole page; f gets lists of {id, name, size}. */
export function listen(f) {
  tell = f;
  const early = [];
  dispatchEvent(new CustomEvent('rankbox-files', { detail: early }));
  for (const t of document.querySelectorAll('input[type=file]')) early.push(...t.files);
  give(early);
  let depth = 0;
  const mark = (on) => document.documentElement.toggleAttribute('data-dropping', on);
  addEventListener('dragenter', (event) => {
    if (!holdsFiles(event)) return;
    depth++;
    mark(true);
  });
  addEventListener('dragleave', (event) => {
    if (holdsFiles(event) && --depth <= 0) mark((depth = 0));
  });
  addEventListener('dragover', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
  });
  addEventListener('drop', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    mark((depth = 0));
    // a folder that cannot be walked is one of them, and named where it is read
    const list = [...event.dataTransfer.files];
    dropped(event.dataTransfer).catch(() => list).then(give);
  });
  addEventListener('change', (event) => {
    const t = event.target;
    if (!(t instanceof HTMLInputElement) || t.type !== 'file') return;
    give([...t.files]);
    t.value = ''; // so that the same file can be chosen again
  });
  addEventListener('paste', (event) => {
    const t = event.target;
    if (t instanceof HTMLInputElement || t instanceof HTMLTextAreaElement || !at(location.pathname).files) return;
    const data = event.clipboardData;
    if (data.files.length) give(data.files);
    else if (data.getData('text/plain').trim()) give(
      [new File([data.getData('text/plain')], 'pasted.txt', { type: 'text/plain' })]);
  });
}
