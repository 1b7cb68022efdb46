// A site of one's own: the files of this site, which the service worker's list names, with a collection and its
// workspace in front of them, as one zip for any host that serves a folder.

import config from './config.js';
import { own as shipped } from './fetch.js';

const encoder = new TextEncoder();
const plain = (bytes) => new Uint8Array(bytes);
let control = null; // of the site that is being made

async function get(path, integrity) {
  let answer;
  try {
    answer = await fetch(path, { integrity: integrity ?? '', signal: control.signal });
  } catch (e) {
    if (control.signal.aborted) throw e;
    const why = navigator.onLine === false
      ? 'there is no network. Try again when it is back'
      : 'the server is away, or the file has changed since the list of files was made: reload the page, then try again';
    throw new Error(`${path} could not be fetched: ${why}`, { cause: e });
  }
  if (!answer.ok) throw new Error(`${path} is missing on this server: status ${answer.status}`);
  return plain(await answer.arrayBuffer());
}

// A file of a collection: of this device, or of this site.
async function file(id, name) {
  const own = config.collections.find((c) => c.id === id);
  if (own) return get(own.base + name);
  const path = `/uploads/${id}/${name}`;
  const kept = await (await globalThis.caches?.open('uploads of Rankbox'))?.match(path);
  if (!kept) throw new Error(`the documents are not saved on this device: ${name} is missing`);
  return plain(await kept.arrayBuffer());
}

// What goes into the site beside the collection: [path, integrity] each, and how many bytes all have.
async function listed() {
  const worker = new TextDecoder().decode(await get('/sw.js'));
  const files = JSON.parse(worker.match(/^const FILES = (.*);$/m)[1]);
  const bytes = Number(worker.match(/^\/\/ FILES have (\d+) bytes\.$/m)[1]);
  // what the list leaves out since it is fetched on request: the encoder of typed queries, and two programs
  const more = [...config.encoders, ...Object.values(config.programs), config.board]
    .filter((x) => !files.some(([path]) => path === x.url));
  const skip = (path) => path === '/collections.bin' || path === '/collections.json' ||
    /^\/assets\/\w+\/lists\//.test(path) || (shipped && path.startsWith(shipped.base));
  return {
    worker,
    files: [...files, ...more.map((x) => [x.url, x.integrity])].filter(([path]) => !skip(path)),
    bytes: bytes + more.reduce((n, x) => n + x.bytes, 0),
  };
}

/** How many bytes the site with a collection has unpacked. */
export async function weigh(id, _name, _saveAs, workspace) {
  control = new AbortController();
  const [{ bytes }, manifest] = await Promise.all([listed(), file(id, 'manifest.json')]);
  const { files } = JSON.parse(new TextDecoder().decode(manifest));
  return bytes + manifest.length + workspace.length + files.reduce((n, f) => n + f.bytes, 0);
}

/** Gives up the site that is being made. */
export async function stop() {
  control?.abort();
}

/**
 * Makes the site of a collection and lets the browser save it. gallery is the list of collections that the site shows;
 * tell(done) is told how many bytes are done. It returns the bytes of the zip, 0 if it was given up.
 */
export async function publish(id, name, saveAs, workspace, gallery, tell) {
  const mine = (control = new AbortController());
  try {
    const own = [workspace.slice(), gallery.slice()];
    const zip = await pack(id, name, own, tell);
    if (mine.signal.aborted) return 0;
    const a = document.createElement('a');
    a.href = URL.createObjectURL(zip);
    a.download = saveAs;
    document.body.append(a);
    a.click();
    a.remove();
    setTimeout(() => URL.revokeObjectURL(a.href), 60_000);
    return zip.size;
  } catch (e) {
    if (mine.signal.aborted) return 0;
    throw e;
  }
}

async function pack(id, name, [workspace, gallery], tell) {
  const zip = new Zip(tell);
  const list = await listed();
  const manifest = await file(id, 'manifest.json');
  const about = JSON.parse(new TextDecoder().decode(manifest));
  // the address of what never changes holds what it is of
  const mark = [manifest, workspace].map((b) => crc32(b).toString(16).padStart(8, '0')).join('');
  const base = `/collections/${id}/${mark}/`;
  const bytes = about.files.reduce((n, f) => n + f.bytes, 0);
  const own = { id, name, base, bytes, workspace: `${base}own.workspace.zip` };
  const kept = [];
  let total = 0;
  const add = async (path, bytes, integrity) => {
    total += bytes.length;
    kept.push([path, integrity ?? (await sum(bytes))]);
    await zip.add(inFolder(path), bytes);
  };
  for (const [path, integrity] of list.files) {
    const bytes = await get(path, integrity);
    const page = isPage(path);
    const changed = page ? withOwn(bytes, own, path) : bytes;
    const address = page && path !== '/' ? `${path}/` : path; // a folder, which every host opens
    await add(address, changed, changed === bytes ? integrity : undefined);
  }
  for (const f of [{ name: 'manifest.json' }, ...about.files]) {
    const bytes = f.bytes === undefined ? manifest : await file(id, f.name);
    if (f.bytes !== undefined && bytes.length !== f.bytes) throw new Error(`${f.name} of the collection is damaged`);
    await add(base + f.name, bytes);
  }
  await add(own.workspace, workspace);
  await add('/collections.bin', gallery);
  const keep = [base, ...config.collections.map((c) => c.base), ...config.encoders.map((e) => e.url)];
  const values = { BUILD: mark, FILES: kept, KEEP: keep };
  let worker = list.worker;
  for (const [key, value] of Object.entries(values)) {
    worker = worker.replace(new RegExp(`^const ${key} = .*;$`, 'm'), () => `const ${key} = ${JSON.stringify(value)};`);
  }
  worker = worker.replace(/^\/\/ FILES have \d+ bytes\.$/m, `// FILES have ${total} bytes.`);
  await zip.add('sw.js', encoder.encode(worker));
  await zip.add('README.txt', encoder.encode(`${name}, with Rankbox.

Serve this folder at the root of a host, for example with

    python3 -m http.server

and open http://localhost:8000. A folder below the root, or a double click on index.html, does not work.
`));
  return zip.end();
}

// A page has no ending in its address; what lies below /assets/ and /collections/ is a file.
const isPage = (path) => !/\.\w+$/.test(path) && !/^\/(assets|collections)\//.test(path);

const inFolder = (path) => (path.endsWith('/') ? `${path}index.html` : path).slice(1);

const escaped = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/**
 * A page of the site that opens the collection: without the figures of the site's own one,
 * which it was rendered with.
 */
function withOwn(bytes, own, path) {
  let html = new TextDecoder().decode(bytes);
  const meta = `<meta name="rankbox-own" content="${escaped(JSON.stringify(own))}">`;
  if (/<meta name="rankbox-own" [^>]*>/.test(html)) {
    return encoder.encode(html.replace(/<meta name="rankbox-own" [^>]*>/, () => meta));
  }
  html = html.replace('<meta name="color-scheme"', () => `${meta}\n<meta name="color-scheme"`);
  const from = html.indexOf('<div id="page"');
  const to = html.indexOf('<script type="application/octet-stream" id="state">');
  if (from < 0 || to < 0 || path.startsWith('/learn')) return encoder.encode(html);
  const title = escaped(`Rankbox: ${own.name}`);
  const opening = `<p id="status" role="status">Opening ${escaped(own.name)} …</p>`;
  html = `${html.slice(0, from)}<div id="page"><main id="main">${opening}</main></div>${
    html.slice(html.indexOf('</script>', to) + 9)}`;
  return encoder.encode(html.replace(/<title>[^<]*<\/title>/, () => `<title>${title}</title>`)
    .replace(/<meta name="description"[^>]*>/, () => `<meta name="description" content="${title}">`)
    .replace(/<meta (?:property="og:|name="twitter:)[^>]*>\n?/g, ''));
}

// The hash as Subresource Integrity writes it; '' outside of https, where the browser has none to offer.
async function sum(bytes) {
  if (!globalThis.crypto?.subtle) return '';
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))))}`;
}

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

function crc32(bytes) {
  let c = ~0;
  for (const b of bytes) c = table[(c ^ b) & 255] ^ (c >>> 8);
  return ~c >>> 0;
}

/** A zip, written file by file: compressed where the browser can. */
class Zip {
  #parts = [];
  #entries = [];
  #at = 0;
  #done = 0;
  #tell;

  constructor(tell) {
    this.#tell = tell;
  }

  async add(name, bytes) {
    const path = encoder.encode(name);
    let data = bytes, method = 0;
    try {
      const small = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
      const packed = plain(await new Response(small).arrayBuffer());
      if (packed.length < bytes.length) [data, method] = [packed, 8];
    } catch {} // a browser without it
    control.signal.throwIfAborted();
    // version 2.0, names in UTF-8, no time: 1 January 1980
    const head = [20, 0x800, method, 0, 33, crc32(bytes), data.length, bytes.length, path.length, 0];
    this.#entries.push([head, path, this.#at]);
    this.#write(numbers(0x04034b50, head), path, data);
    this.#tell((this.#done += bytes.length));
  }

  end() {
    const from = this.#at;
    for (const [head, path, at] of this.#entries) {
      this.#write(numbers(0x02014b50, [20, ...head, 0, 0, 0], [0, at]), path);
    }
    const n = this.#entries.length;
    this.#write(numbers(0x06054b50, [0, 0, n, n], [this.#at - from, from]), plain([0, 0]));
    return new Blob(this.#parts, { type: 'application/zip' });
  }

  #write(...parts) {
    for (const part of parts) this.#at += part.length;
    this.#parts.push(new Blob(parts));
  }
}

// Numbers as a zip has them. What does not fit into 16 bits, a sum or a length, has a place for 32.
function numbers(signature, short, long = []) {
  const out = [];
  const put = (value, bytes) => {
    for (let i = 0; i < bytes; i++) out.push((value >>> (8 * i)) & 255);
  };
  put(signature, 4);
  const wide = signature === 0x04034b50 ? [5, 6, 7] : signature === 0x02014b50 ? [6, 7, 8] : [];
  short.forEach((value, i) => put(value, wide.includes(i) ? 4 : 2));
  for (const value of long) put(value, 4);
  return plain(out);
}
