// Every file that the pages fetch, damaged in every way on its way to the browser: within ten seconds the page works all the same or a
// sentence says what happened, with a way on; and when the fault has ended, that way leads to a page that works, with what was typed.
// What comes of each is docs/faults.md, which this test writes where RANKBOX_UPDATE is set, and otherwise holds the browser against.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { drop, lab, ready, reported, root } from './harness.mjs';

const rankbox = lab();
const typed = 'strike at the docks';
const together = 6; // pages at a time: most of them wait
const worker = '/sw.js';

// A file as it is, or what is sent instead: {status, type, body, rate in bytes a second, hangs}.
const faults = {
  404: (file) => ({ ...file, status: 404, type: 'text/html', body: Buffer.from('<!doctype html>nothing here') }),
  500: (file) => ({ ...file, status: 500, type: 'text/plain', body: Buffer.from('broken') }),
  truncated: (file) => ({ ...file, body: file.body.subarray(0, /html/.test(file.type) ? file.body.indexOf('<main') : file.body.length >> 1) }),
  'one bit': (file) => {
    const body = Buffer.from(file.body);
    body[/html/.test(file.type) ? body.indexOf('/js/boot.js') + 1 : body.length >> 1] ^= 1; // of a page, which nothing checks, where it hurts
    return { ...file, body };
  },
  hangs: (file) => ({ ...file, hangs: true }),
  '20 kB/s': (file) => ({ ...file, rate: 20_000 }),
  'wrong type': (file) => ({ ...file, type: /html/.test(file.type) ? 'text/plain' : 'text/html' }),
};

// A server of its own for each case, so that each has its own cache; `broken` is lifted in the middle of it.
async function between(path, fault) {
  const state = { broken: true, asked: 0, lift: () => (state.broken = false) };
  const server = createServer((request, response) => {
    const headers = { ...request.headers, host: new URL(rankbox.origin).host };
    forward(`${rankbox.origin}${request.url}`, { method: request.method, headers }, async (answer) => {
      if (request.url !== path || !state.broken) {
        response.writeHead(answer.statusCode, answer.headers);
        return answer.pipe(response);
      }
      const parts = [];
      for await (const part of answer) parts.push(part);
      let body = Buffer.concat(parts);
      const slow = fault === '20 kB/s'; // as it is on the way
      const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[answer.headers['content-encoding']];
      if (unpack && !slow) body = unpack(body);
      const sent = faults[fault]({ status: answer.statusCode, type: answer.headers['content-type'], body });
      state.asked ||= Date.now();
      if (sent.hangs) {
        // the browser itself waits for the service worker, and asks for no other as long
        if (path === worker) state.lift = () => ((state.broken = false), response.writeHead(200, { 'content-type': sent.type }).end(sent.body));
        return;
      }
      const kept = sent.status === 200 ? answer.headers : { ...answer.headers, 'cache-control': 'public, max-age=0, must-revalidate' };
      const own = { ...kept, 'content-type': sent.type, 'content-length': sent.body.length };
      if (!slow) delete own['content-encoding'];
      if (fault === 'wrong type') delete own.etag; // it is of a type too
      response.writeHead(sent.status, own);
      if (!sent.rate) return response.end(sent.body);
      for (let at = 0; at < sent.body.length && !response.destroyed; at += sent.rate / 10) {
        response.write(sent.body.subarray(at, at + sent.rate / 10));
        if (state.broken) await new Promise((resolve) => setTimeout(resolve, 100));
      }
      response.end();
    })
      .on('error', () => response.destroy())
      .end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    state,
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const works = () => document.getElementById('page')?.dataset.phase === 'ready';

// What the page says, and how one gets on from there.
const said = () => {
  const trouble = document.getElementById('trouble');
  if (trouble) return { sentence: trouble.querySelector('p').textContent, way: '#trouble button' };
  const again = [...document.querySelectorAll('button')].find((b) => /^(Try again|Reload)/.test(b.textContent.trim()) && b.getClientRects().length);
  if (again) {
    again.id ||= 'again';
    return { sentence: (document.querySelector('[role=alert]') ?? document.getElementById('status')).textContent, way: `#${again.id}` };
  }
  return null;
};

// Bytes that are counted are a sentence too, and it goes on by itself.
const counts = () => /\d+ of \d+ kB/.test(document.getElementById('status')?.textContent ?? '');

// Which of several faults of one file is named, or of the files that need it, depends on what was noticed first.
const plain = (sentence) => sentence.replace(/\([^)]*\)/g, '(…)').replace(/^(The search engine could not be) .*/, '$1 loaded: …').replace(/^(The collection could not be opened): .*/, '$1: …').replace(/https?:\/\/[^ ]+\//g, '').replace(/\s+/g, ' ').trim();

// What a document shows that is none of ours.
const foreign = { nothing: 'The browser shows what came, which is no page of Rankbox.', never: 'The browser waits.' };

// One case, in a tab that may have had others: every case has an origin of its own.
async function run({ path, start, fault }, page) {
  const server = await between(path, fault);
  try {
    const arrived = await page.goto(server.origin + start, { waitUntil: 'commit', timeout: path === start && fault === 'hangs' ? 8000 : 30_000 }).then(() => true, (e) => {
      if (path !== start || fault !== 'hangs') throw e;
    });
    if (path === start) {
      if (arrived) await page.waitForLoadState('domcontentloaded');
      if (!arrived || !(await page.$('#page'))) {
        server.state.lift();
        await page.goto(server.origin + start, { waitUntil: 'commit' });
        await page.waitForFunction(works, null, { timeout: 120_000 });
        return arrived ? foreign.nothing : foreign.never;
      }
    }
    if (path !== start) await page.waitForSelector('footer', { state: 'attached' });
    const field = start === '/search' && (await page.$('#q'));
    if (field) await page.evaluate((text) => {
      const q = document.getElementById('q');
      q.value = text;
      q.dispatchEvent(new Event('input', { bubbles: true }));
    }, typed).catch(() => {});
    if (path === worker) await soon(() => server.state.asked);
    const begun = Date.now();
    let outcome = null;
    while (!outcome) {
      if (Date.now() >= (server.state.asked || begun) + 10_000) {
        assert.ok(await page.evaluate(counts), `silent for ten seconds: ${await page.textContent('#status')}`);
        outcome = { sentence: '' };
        break;
      }
      if (await page.evaluate(works)) outcome = { sentence: '' };
      else outcome = await page.evaluate(said);
      if (!outcome) await new Promise((resolve) => setTimeout(resolve, 100));
    }
    if (!outcome.sentence) {
      // a style that failed is told too
      await page.waitForFunction(() => document.readyState === 'complete', null, { timeout: 2000 }).catch(() => {}); // never, where one hangs that nobody waits for
      const trouble = await page.evaluate(said);
      outcome.sentence = trouble?.sentence ?? '';
    }
    server.state.lift();
    // what hung may come by itself now, which takes the button away
    if (outcome.way) await Promise.any([page.click(outcome.way, { timeout: 10_000 }), page.waitForFunction(works, null, { timeout: 10_000 })]);
    await page.waitForFunction(works, null, { timeout: 240_000, polling: 100 }); // Chromium lets a second request for a file wait 20 seconds for the first
    if (field && !(outcome.way && path.includes('/guard.'))) assert.equal(await page.inputValue('#q'), typed, 'what was typed is lost');
    if (path === worker) await kept(page);
    const sentence = plain(outcome.sentence);
    return !sentence || /It works all the same\.$/.test(sentence) ? 'works' : sentence; // a style that failed early is missed without a word
  } finally {
    server.close();
  }
}

// Loads the page again, as the next visit does, and waits until it has a service worker that can do without the network.
async function kept(page) {
  await page.reload({ waitUntil: 'commit' });
  await page.waitForFunction(() => navigator.serviceWorker.getRegistration().then((r) => r?.active?.state === 'activated'), null, { timeout: 60_000, polling: 100 });
}

async function soon(fn) {
  for (const end = Date.now() + 30_000; !fn(); await new Promise((resolve) => setTimeout(resolve, 20))) assert.ok(Date.now() < end, `${fn}`);
}

// A tab with a profile of its own.
async function tab(c) {
  const context = await rankbox.browser.newContext({ serviceWorkers: c?.path === worker ? 'allow' : 'block' });
  const page = await context.newPage();
  return { run: (c) => run(c, page), close: () => context.close() };
}

const short = (path) => path.replace(/^\/assets\/(?:[0-9a-f]{16}\/(?:js|css)\/)?/, '').replace(/^\/collections\/([^/]+)\/[0-9a-f]{16}\//, '$1/').replace(/[.-][0-9a-f]{12,16}(?=\.)/, '');

async function fetched(start) {
  const before = rankbox.requests.length;
  const visit = await rankbox.open(start, { serviceWorkers: 'block' });
  await visit.page.waitForFunction(works, null, { timeout: 240_000 });
  await visit.close();
  const here = (url) => /^\/(assets|collections)\//.test(url) && !url.includes('/lists/'); // lists come early, by chance
  return [start, ...rankbox.requests.slice(before).map((r) => r.url).filter(here)];
}

test('whatever happens to a file, the page says so within ten seconds, and gets on when it is over', { timeout: 900_000 }, async () => {
  const files = new Map();
  for (const start of ['/search', '/compare']) for (const path of await fetched(start)) if (!files.has(path)) files.set(path, start);
  files.set(worker, '/search');
  const only = process.env.RANKBOX_FAULTS && new RegExp(process.env.RANKBOX_FAULTS);
  const cases = [...files].sort().flatMap(([path, start]) => Object.keys(faults).map((fault) => ({ path, start, fault })))
    .filter((c) => !only || only.test(`${short(c.path)} ${c.fault}`));
  const table = new Map();
  const failed = async (c, own) => {
    const row = table.get(short(c.path)) ?? {};
    table.set(short(c.path), row);
    try {
      row[c.fault] = await own.run(c);
      return '';
    } catch (e) {
      row[c.fault] = `FAILED: ${e.message.split('\n')[0]}`;
      return `${short(c.path)}, ${c.fault}: ${e.message.split('\n')[0]}`;
    }
  };
  const alone = async (c) => {
    const own = await tab(c);
    try {
      return await failed(c, own);
    } finally {
      await own.close();
    }
  };
  const again = [];
  let next = 0;
  await Promise.all(Array.from({ length: together }, async () => {
    let own = await tab(); // most of what a case costs is its tab
    while (next < cases.length) {
      const c = cases[next++];
      if (c.path === worker ? await alone(c) : await failed(c, own)) {
        again.push(c);
        await own.close();
        own = await tab();
      }
    }
    await own.close();
  }));
  // six pages share what is a visitor's alone: what failed among them, or went otherwise than is written, is tried by itself
  const name = join(root, 'docs', 'faults.md');
  const written = rows(await readFile(name, 'utf8'));
  for (const c of cases) {
    const said = table.get(short(c.path))[c.fault];
    if (!only && !again.includes(c) && said !== written.get(short(c.path))?.[c.fault]) again.push(c);
  }
  const failures = [];
  for (const c of again) {
    const why = await alone(c);
    if (why) failures.push(why);
  }
  if (only) console.log(table);
  assert.deepEqual(failures, []);
  if (only) return;
  const text = document([...table].sort());
  if (process.env.RANKBOX_UPDATE) await writeFile(name, text);
  assert.equal(await readFile(name, 'utf8'), text, 'RANKBOX_UPDATE=1 writes docs/faults.md anew');
});

test('a tab that was open while the site was published anew says so, and the files that were dropped on it come back', { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('/search', { serviceWorkers: 'block' });
  const tab = visit.page;
  await ready(tab);
  // the program of the old version is gone, and the page at / is of the new one
  await tab.route(/assets\/wasm\/rich\./, (route) => route.fulfill({ status: 404, body: 'gone' }));
  await tab.route((url) => url.pathname === '/', (route) => route.fulfill({ contentType: 'text/html', body: '<script src="/assets/ffffffffffffffff/js/boot.js">' }));
  const fixture = async (name) => [name, await readFile(join(root, 'site/e2e/fixtures/compare', name), 'utf8')];
  await drop(tab, '#page', [await fixture('demo.qrels'), await fixture('bm25.run'), await fixture('reranker.run')]);
  await tab.waitForSelector('#trouble', { timeout: 10_000 });
  assert.match(await tab.textContent('#trouble'), /there is a new version of Rankbox/);
  await tab.unrouteAll();
  await tab.click('#trouble button');
  assert.match(await reported(tab), /^[0-9a-f]+$/);
  await visit.close();
});

// The table as docs/faults.md has it: file → fault → what was said.
function rows(text) {
  const sentences = new Map([...text.matchAll(/^(\d+)\. (.*)$/gm)].map(([, n, s]) => [`[${n}]`, s]));
  const lines = [...text.matchAll(/^\| (.*) \|$/gm)].map(([, line]) => line.split(' | ')).filter(([first]) => first !== '---');
  const kinds = lines.shift()?.slice(1) ?? [];
  return new Map(lines.map(([file, ...cells]) => [file, Object.fromEntries(cells.map((c, i) => [kinds[i], sentences.get(c) ?? c]))]));
}

function document(rows) {
  const sentences = [];
  const cell = (said) => {
    if (said === 'works') return 'works';
    if (!sentences.includes(said)) sentences.push(said);
    return `[${sentences.indexOf(said) + 1}]`;
  };
  const kinds = Object.keys(faults);
  const body = rows.map(([name, row]) => `| ${name} | ${kinds.map((k) => cell(row[k])).join(' | ')} |`);
  return [
    '# What happens when a file does not arrive', '',
    'Written by site/e2e/faults.test.mjs, which damages every page, script, style, program, the service worker and the files that open a collection on',
    'their way to Chromium in each of these ways, waits for at most ten seconds from when the file was asked for, lifts the fault, takes the way on that is',
    'offered, and asks for a page that works, with what was typed still there. *Works* means that the page came alive, counting the bytes until then; a',
    'number is the sentence below. A page is cut off before its main part, and its one bit is in the address of a script. After a fault of the service',
    'worker the next visit has one. Files that are fetched once the page is alive (texts, vectors, the encoder) are not here.', '',
    `| file | ${kinds.join(' | ')} |`, `|${' --- |'.repeat(kinds.length + 1)}`, ...body, '',
    ...sentences.map((s, i) => `${i + 1}. ${s}`), '',
  ].join('\n');
}
