// The service worker: after one visit the site works without a network, and a page only ever gets the files of its own
// version.
//
// Addresses with a hash in them (/assets/, /collections/) never change, so they are answered from any cache that has
// them. Everything else (pages) comes from the network while there is one, and otherwise from this version's own cache,
// which holds all that its pages need. A new version is fetched whole, every file checked against its SHA-256, or not
// at all; it waits until no page of the old version is open (there is no skipWaiting) and only then removes the old
// version's files.
//
// Not a module, since not every browser runs a module here. The build replaces the four lines below.
'use strict';

const BUILD = 'source';
const FILES = [];
const KEEP = [];
// FILES have 0 bytes.

const CACHE = `rankbox ${BUILD}`;
const KEPT = 'rankbox collections'; // encoders, and collections that are not in FILES; shared between versions
const PATIENCE = 4000; // ms that a page waits for the network where there is a copy

const hashed = (path) => path.startsWith('/assets/') || path.startsWith('/collections/');

self.addEventListener('install', (event) => event.waitUntil(install()));

async function install() {
  const cache = await caches.open(CACHE);
  await Promise.all(
    FILES.map(async ([path, integrity]) => {
      if (await cache.match(path)) return; // an installation that was interrupted goes on
      const known = hashed(path) ? await caches.match(path) : undefined;
      const answer = known ?? (await fetch(path, { integrity, cache: hashed(path) ? 'default' : 'no-cache' }));
      if (!answer.ok || answer.redirected) throw new Error(`rankbox: ${path}: status ${answer.status}`);
      await cache.put(path, answer);
    }),
  );
}

self.addEventListener('activate', (event) => event.waitUntil(activate()));

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith('rankbox ') && name !== CACHE && name !== KEPT) await caches.delete(name);
  }
  const kept = await caches.open(KEPT);
  for (const request of await kept.keys()) {
    const { pathname } = new URL(request.url);
    if (!KEEP.some((base) => pathname.startsWith(base))) await kept.delete(request);
  }
  await self.clients.claim();
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (hashed(url.pathname)) event.respondWith(fromCache(event, url.pathname));
  else if (request.mode === 'navigate') event.respondWith(page(request, url.pathname));
  else if (FILES.some(([path]) => path === url.pathname)) event.respondWith(fromNetwork(request, url.pathname));
});

async function fromCache(event, path) {
  const known = await caches.match(path);
  // a page that asks past its cache doubts what it got: of the files that are not in FILES, nothing has checked what is
  // kept
  if (known && event.request.cache !== 'reload') return known;
  const integrity = FILES.find(([name]) => name === path)?.[1]; // what is kept is what it should be
  let answer;
  try {
    answer = await (integrity ? fetch(path, { integrity, cache: event.request.cache, signal: event.request.signal }) :
      fetch(event.request));
  } catch (error) {
    if (!known) throw error;
  }
  if (known && !answer?.ok) return known;
  if (answer.status === 200 && event.request.cache !== 'no-store') {
    const copy = answer.clone();
    // A full disk is no reason to keep the file from the page.
    event.waitUntil(
      caches
        .open(KEEP.some((base) => path.startsWith(base)) ? KEPT : CACHE)
        .then((cache) => cache.put(path, copy))
        .catch(() => {}),
    );
  }
  return answer;
}

async function own(path) {
  const cache = await caches.open(CACHE);
  return (await cache.match(path)) ?? cache.match(`${path}/`); // where pages are folders
}

async function fromNetwork(request, path) {
  try {
    return await fetch(request);
  } catch (error) {
    const copy = await own(path);
    if (copy) return copy;
    throw error;
  }
}

// A page that is not kept is unknown: without a network its answer is the page that says so.
async function page(request, path) {
  const copy = await own(path.length > 1 ? path.replace(/\/$/, '') : path);
  const network = fetch(request);
  if (!copy) {
    try {
      return await network;
    } catch (error) {
      const missing = await own('/404');
      if (!missing) throw error;
      return new Response(missing.body, { status: 404, headers: missing.headers });
    }
  }
  network.catch(() => {}); // it may fail after the copy was taken
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, copy));
  return Promise.race([network.catch(() => copy), late]);
}
