// What the server, the headers and the service worker promise, whatever the pages show.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { lab, root, scratch, until } from './harness.mjs';

const rankbox = lab({ context: { serviceWorkers: 'allow' } });

// node's fetch decodes bodies and hides how they came
function get(path, headers = {}) {
  return new Promise((resolve, reject) => {
    request(rankbox.origin + path, { headers }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part))
        .on('end', () => resolve({ status: response.statusCode, headers: response.headers,
          body: Buffer.concat(parts) }));
    }).on('error', reject).end();
  });
}

const live = (page) => page.waitForFunction(() => document.documentElement.dataset.live === 'true', null,
  { timeout: 240_000 });

test('every answer carries the policy, and what has a hash in its name is kept for ever', async () => {
  const home = await get('/', { 'accept-encoding': 'br' });
  assert.equal(home.status, 200);
  assert.equal(home.headers['content-encoding'], 'br');
  assert.equal(home.headers['cache-control'], 'no-cache');
  const page = (await get('/')).body.toString();
  const scripts = [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map((m) => m[1]);
  assert.ok(scripts.length > 2, `the home page names ${scripts.length} assets`);
  // as at Netlify, an answer that nothing is there has the headers of its path: nobody may keep it, nor take it for a
  // program
  for (const path of ['/no-such-page', '/assets/0123456789abcdef/js/gone.js',
    '/assets/wasm/rankbox.0123456789abcdef.wasm', '/collections/gone/manifest.json']) {
    const { headers, status } = await get(path);
    assert.equal(status, 404, path);
    assert.equal(headers['cache-control'], 'public, max-age=0, must-revalidate', path);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8', path);
    assert.match(headers['content-security-policy'], /default-src 'none'/, path);
  }
  for (const path of ['/', '/search', '/sw.js', ...scripts]) {
    const { headers, status } = await get(path);
    assert.equal(status, 200, path);
    assert.match(headers['content-security-policy'], /default-src 'none'.*require-trusted-types-for 'script'/, path);
    assert.equal(headers['x-content-type-options'], 'nosniff', path);
    assert.equal(headers['cache-control'], path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' :
      'no-cache', path);
  }
  const again = await get('/', { 'accept-encoding': 'br', 'if-none-match': home.headers.etag });
  assert.equal(again.status, 304);
  assert.equal(again.body.length, 0);
});

test('the wasm arrives compressed, with its own type, and is compiled from the stream', async () => {
  const before = rankbox.requests.length;
  const visit = await rankbox.open('/');
  await live(visit.page);
  const asked = rankbox.requests.slice(before).map((r) => r.url).filter((url) => url.endsWith('.wasm'));
  assert.ok(asked.length > 0, 'no wasm was asked for');
  for (const path of asked) {
    const { headers } = await get(path, { 'accept-encoding': 'br' });
    assert.equal(headers['content-type'], 'application/wasm', path);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable', path);
  }
  await visit.done();
});

test('after one visit every page opens without a network and comes alive', async () => {
  const visit = await rankbox.open('/');
  await visit.controlled();
  // what no list of the service worker holds is kept unchecked: damaged, it goes when a page asks past its cache, and
  // stays where nothing answers
  const encoder = `/assets/encoders/${(await readdir(join(root, 'dist/assets/encoders'))).find((name) => name.endsWith('.bin'))}`;
  const length = (cache) =>
    visit.page.evaluate(([p, how]) => fetch(p, { cache: how }).then(async (r) => (await r.arrayBuffer()).byteLength),
      [encoder, cache]);
  const whole = await length('default');
  // what is kept is written after it is answered
  const kept = async () => {
    const bytes = () => visit.page.evaluate(async (p) =>
      (await (await (await caches.open('rankbox collections')).match(p))?.arrayBuffer())?.byteLength, encoder);
    await until(async () => (await bytes()) === whole);
  };
  await kept();
  await visit.page.evaluate(async (p) => (await caches.open('rankbox collections')).put(p, new Response('damaged')),
    encoder);
  assert.equal(await length('default'), 7);
  assert.equal(await length('reload'), whole);
  await kept();
  rankbox.down();
  try {
    assert.equal(await length('reload'), whole);
    for (const path of ['/', '/search', '/search?from=somewhere', '/search/']) {
      await visit.page.goto(path);
      await live(visit.page);
    }
    await visit.page.goto('/no-such-page');
    assert.match(await visit.page.textContent('h1'), /no page/i);
  } finally {
    rankbox.up();
  }
  assert.deepEqual(visit.violations, []);
  assert.deepEqual(visit.errors.filter((e) => !e.includes('404')), []); // the page that says so has that status
  await visit.close();
});

// Another version of the built site: the same files, with other names for the scripts and a mark in the home page.
async function newerVersion() {
  const folder = await scratch();
  await cp(join(root, 'dist'), folder, { recursive: true });
  const old = (await readdir(join(folder, 'assets'))).find((name) => /^[0-9a-f]{16}$/.test(name));
  const next = 'f'.repeat(16);
  await rename(join(folder, 'assets', old), join(folder, 'assets', next));
  let worker = (await readFile(join(folder, 'sw.js'), 'utf8')).replaceAll(`/assets/${old}/`, `/assets/${next}/`)
    .replace(/^const BUILD = .*;$/m, 'const BUILD = "newer";');
  for (const name of await readdir(folder, { recursive: true })) {
    if (/\.(br|gz)$/.test(name) && !/^(collections|assets\/wasm)\//.test(name)) await rm(join(folder, name));
    if (!name.endsWith('.html')) continue;
    const text = (await readFile(join(folder, name), 'utf8')).replaceAll(`/assets/${old}/`, `/assets/${next}/`)
      .replace('<html ', '<html data-newer="true" ');
    await writeFile(join(folder, name), text);
    const address = name === 'index.html' ? '/' : `/${name.slice(0, -5)}`;
    const sum = createHash('sha256').update(text).digest('base64');
    const before = worker;
    worker = worker.replace(new RegExp(`\\["${address}","sha256-[^"]+"\\]`), `["${address}","sha256-${sum}"]`);
    assert.notEqual(worker, before, `${address} is not in the list of the service worker`);
  }
  await writeFile(join(folder, 'sw.js'), worker);
  const rules = join(folder, '_headers');
  await writeFile(rules, (await readFile(rules, 'utf8')).replaceAll(`/assets/${old}/`, `/assets/${next}/`));
  return { folder, old, next };
}

test('versions are never mixed: an old tab keeps its files, a new one gets its own, and the old ones go when nobody needs them',
  { timeout: 900_000 }, async () => {
  const { folder, old, next } = await newerVersion();
  const visit = await rankbox.open('/');
  await visit.controlled();
  const first = visit.page;
  const names = () => visit.page.evaluate(() => caches.keys());
  const reads = (page, path) => page.evaluate((p) => fetch(p).then((r) => r.status, () => 'no answer'), path);
  try {
    await rankbox.serve(folder);
    await visit.tab('/');
    assert.equal(await visit.page.getAttribute('html', 'data-newer'), 'true');
    await live(visit.page);
    await visit.updated();
    rankbox.down();
    assert.equal(await reads(first, `/assets/${old}/js/boot.js`), 200, 'the old tab lost its files');
    assert.equal(await reads(visit.page, `/assets/${next}/js/boot.js`), 200, 'the new tab has not got its files');
    assert.equal((await names()).filter((n) => n !== 'rankbox collections').length, 2);
    // without a network the old version still answers, whole
    await first.goto('/');
    assert.equal(await first.getAttribute('html', 'data-newer'), null);
    await live(first);
    await first.close();
    // the browser notices after a moment that the last tab is closed: one that is opened before belongs to the old
    // version still
    let gone = false;
    for (let i = 0; i < 10 && !gone; i++) {
      await visit.page.close();
      await pause(300 * (i + 1));
      await visit.tab('/');
      gone = await visit.page.evaluate(async () => {
        for (let j = 0; j < 60; j++) {
          if ((await caches.keys()).filter((n) => n !== 'rankbox collections').join() === 'rankbox newer') return true;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return false;
      });
    }
    assert.ok(gone, `these are kept: ${await names()}`);
    await visit.page.reload();
    assert.equal(await visit.page.getAttribute('html', 'data-newer'), 'true');
    await live(visit.page);
  } finally {
    rankbox.up();
    await rankbox.serve();
    await rm(folder, { recursive: true });
    await visit.close();
  }
});

test('a new version that does not arrive whole is not used', async () => {
  const { folder } = await newerVersion();
  await writeFile(join(folder, 'search.html'), '<!doctype html>cut off');
  const visit = await rankbox.open('/');
  await visit.controlled();
  try {
    await rankbox.serve(folder);
    const state = await visit.page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const found = new Promise((resolve) => registration.addEventListener('updatefound',
        () => resolve(registration.installing)));
      registration.update();
      const installing = await found;
      return new Promise((resolve) => installing.addEventListener('statechange', () => resolve(installing.state)));
    });
    assert.equal(state, 'redundant');
  } finally {
    await rankbox.serve();
    await rm(folder, { recursive: true });
    await visit.close();
  }
});
