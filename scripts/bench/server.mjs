// The server of the measurements: the documents, the libraries and our program on one loopback address, isolated from
// other origins, which makes the browser's clock tick every 5 µs instead of every 100.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.json': 'application/json',
  '.wasm': 'application/wasm' };
const isolation = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp',
  'cache-control': 'no-store' };

/**
 * Starts a server. files maps addresses to what they answer with: the path of a file, or bytes. folders maps addresses
 * that end in a slash to
 * folders. What is PUT to /kept/NAME is in kept, and answered from there.
 */
export async function serve(files, folders) {
  const kept = new Map();
  const find = async (path) => {
    if (path.startsWith('/kept/')) return kept.get(path.slice(6));
    const file = files[path];
    if (file !== undefined) return typeof file === 'string' ? readFile(file) : file;
    for (const [prefix, folder] of Object.entries(folders)) {
      const below = normalize(path.slice(prefix.length));
      if (path.startsWith(prefix) && below !== '..' && !below.startsWith(`..${sep}`)) return readFile(
        join(folder, below));
    }
    return undefined;
  };
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    try {
      if (request.method === 'PUT' && path.startsWith('/kept/')) {
        const parts = [];
        for await (const part of request) parts.push(part);
        kept.set(path.slice(6), Buffer.concat(parts));
        response.writeHead(204, isolation).end();
        return;
      }
      const body = await find(path);
      if (body === undefined) throw Object.assign(new Error(path), { code: 'ENOENT' });
      response.writeHead(200, { ...isolation, 'content-type': types[extname(path)] ??
        (path === '/' ? 'text/html' : 'application/octet-stream') }).end(body);
    } catch (e) {
      response.writeHead(['ENOENT', 'EISDIR'].includes(e.code) ? 404 : 500, isolation).end(String(e));
    }
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, kept, close };
}
