// Nightly: damages every file on its way to the page.
// Every file that the pages fetch, damaged in every way on its way to the browser: within ten seconds the page works
// all the same or a sentence says what happened, with a way on; and when the fault has ended, that way leads to a page
// that works, with what was typed. What comes of each is site/e2e/fixtures/faults.md, which this test writes where
// RANKBOX_UPDATE is set, every case by itself, and otherwise holds the browser against, several cases a visit.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { asking, drop, lab, ready, reported, root, scratch } from './harness.mjs';

// nothing is computed here, so nothing is worth being compiled twice
const rankbox = lab({ flags: ['--js-flags=--liftoff-only'] });
const typed = 'strike at the docks';
const together = 6; // pages at a time: most of them wait
const worker = '/sw.js';

// A file as it is, or what is sent instead: {status, type, body, rate in bytes a second, hangs}.
const faults = {
  404: (file) => ({ ...file, status: 404, type: 'text/html', body: Buffer.from('<!doctype html>nothing here') }),
  500: (file) => ({ ...file, status: 500, type: 'text/plain', body: Buffer.from('broken') }),
  truncated: (file) => ({ ...file, body: file.body.subarray(0, /html/.test(file.type) ? file.body.indexOf('<main') :
    file.body.length >> 1) }),
  'one bit': (file) => {
    const body = Buffer.from(file.body);
    // of a page, which nothing checks, where it hurts
    body[/html/.test(file.type) ? body.indexOf('/js/boot.js') + 1 : body.length >> 1] ^= 1;
    return { ...file, body };
  },
  hangs: (file) => ({ ...file, hangs: true }),
  '20 kB/s': (file) => ({ ...file, rate: 20_000 }),
  'wrong type': (file) => ({ ...file, type: /html/.test(file.type) ? 'text/plain' : 'text/html' }),
};

// A server of its own for each visit, so that each has its own cache, and what is broken in it: the files at paths, in
// one way until `turn` says another, or none.
async function between(paths, fault) {
  const state = { fault, asked: 0 };
  state.turn = (fault) => Object.assign(state, { fault, asked: 0 });
  state.lift = () => state.turn('');
  const server = createServer((request, response) => {
    const headers = { ...request.headers, host: new URL(rankbox.origin).host };
    const ours = paths.includes(request.url);
    // A port may have had another visit, of which the tab keeps files: "as before" has no bytes that could be broken.
    if (ours) for (const name of ['if-none-match', 'if-modified-since']) delete headers[name];
    forward(`${rankbox.origin}${request.url}`, { method: request.method, headers }, async (answer) => {
      const { fault } = state;
      if (!ours || !fault) {
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
      if (fault === state.fault) state.asked ||= Date.now();
      if (sent.hangs) {
        // the browser itself waits for the service worker, and asks for no other as long
        if (request.url === worker) state.lift = () =>
          (state.turn(''), response.writeHead(200, { 'content-type': sent.type }).end(sent.body));
        return;
      }
      const kept = sent.status === 200 ? answer.headers :
        { ...answer.headers, 'cache-control': 'public, max-age=0, must-revalidate' };
      const own = { ...kept, 'content-type': sent.type, 'content-length': sent.body.length };
      if (!slow) delete own['content-encoding'];
      if (fault === 'wrong type') delete own.etag; // it is of a type too
      response.writeHead(sent.status, own);
      if (!sent.rate) return response.end(sent.body);
      for (let at = 0; at < sent.body.length && !response.destroyed; at += sent.rate / 10) {
        response.write(sent.body.subarray(at, at + sent.rate / 10));
        if (state.fault) await new Promise((resolve) => setTimeout(resolve, 100));
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

const works = () => !globalThis.pressed && document.getElementById('page')?.dataset.phase === 'ready';

// What the page says, and how one gets on from there; with alive, a page that works has nothing to say. What it said
// before the way on was taken (see press) is not looked at.
const said = (alive) => {
  if (globalThis.pressed) return null;
  if (alive && document.getElementById('page')?.dataset.phase === 'ready') return { sentence: '' };
  const trouble = document.getElementById('trouble');
  if (trouble) return { sentence: trouble.querySelector('p').textContent, way: '#trouble button' };
  const again = [...document.querySelectorAll('button')].find((b) => /^(Try again|Reload)/.test(b.textContent.trim()) &&
    b.getClientRects().length);
  if (again) {
    again.id ||= 'again';
    return { sentence: (document.querySelector('[role=alert]') ?? document.getElementById('status')).textContent,
      way: `#${again.id}` };
  }
  return null;
};

// Bytes that are counted are a sentence too, and it goes on by itself.
const counts = () => /\d+ of \d+ kB/.test(document.getElementById('status')?.textContent ?? '');

// Which of several faults of one file is named, or of the files that need it, depends on what was noticed first.
const plain = (sentence) => sentence.replace(/\([^)]*\)/g, '(…)').replace(/^(The search engine could not be) .*/,
  '$1 loaded: …').replace(/^(The collection could not be opened): .*/, '$1: …').replace(/https?:\/\/[^ ]+\//g, '')
    .replace(/\s+/g, ' ').trim();

// What the page says within two seconds, nothing where it is on its way to another document. It looks by itself: to be
// asked ten times a second costs more than what it does.
const look = (page) => page.waitForFunction(said, true, { timeout: 2000, polling: 100 }).then((h) => h.jsonValue())
  .catch((e) => {
  if (e.name !== 'TimeoutError' && !/navigat|context was|detached/i.test(e.message)) throw e;
});

// What the page came to within ten seconds of when the file was asked for.
async function within(page, server, begun) {
  while (Date.now() < (server.state.asked || begun) + 10_000) {
    const found = await look(page);
    if (found) return found;
  }
  assert.ok(await page.evaluate(counts), `silent for ten seconds: ${await page.textContent('#status')}`);
  return { sentence: '' };
}

// What a document shows that is none of ours.
const foreign = { nothing: 'The browser shows what came, which is no page of Rankbox.', never: 'The browser waits.' };

// One visit, in a tab that may have had others: every visit has an origin of its own. It returns what came of each
// fault. The way on from one leads into the next, with the same file asked for anew; from the last it leads to a page
// that works.
async function run({ paths, start, chain }, page) {
  const server = await between(paths, chain[0]);
  const itself = paths.includes(start);
  try {
    const arrived = await page.goto(server.origin + start,
      { waitUntil: 'commit', timeout: itself && chain[0] === 'hangs' ? 8000 : 30_000 }).then(() => true, (e) => {
      if (!itself || chain[0] !== 'hangs') throw e;
    });
    if (itself) {
      if (arrived) await page.waitForLoadState('domcontentloaded');
      if (!arrived || !(await page.$('#page'))) {
        server.state.lift();
        await page.goto(server.origin + start, { waitUntil: 'commit' });
        await page.waitForFunction(works, null, { timeout: 120_000 });
        return [arrived ? foreign.nothing : foreign.never];
      }
    }
    if (!itself) await page.waitForSelector('footer', { state: 'attached' });
    const field = start === '/search' && (await page.$('#q'));
    if (field) await page.evaluate((text) => {
      const q = document.getElementById('q');
      q.value = text;
      q.dispatchEvent(new Event('input', { bubbles: true }));
    }, typed).catch(() => {});
    if (paths.includes(worker)) await soon(() => server.state.asked);
    const came = [];
    let outcome;
    for (const fault of chain) {
      if (outcome) {
        assert.ok(outcome.way, `${fault} cannot follow: there is no way on`);
        server.state.turn(fault);
        await press(page, outcome.way);
        await soon(() => server.state.asked);
      }
      outcome = await within(page, server, Date.now());
      if (!outcome.sentence) {
        // a style that failed is told too
        // never, where one hangs that nobody waits for
        await page.waitForFunction(() => document.readyState === 'complete', null, { timeout: 2000 }).catch(() => {});
        const trouble = await page.evaluate(said, false);
        outcome.sentence = trouble?.sentence ?? '';
      }
      if (fault === 'hangs' && outcome.way) { // it is told again and again
        await page.focus(outcome.way);
        await new Promise((resolve) => setTimeout(resolve, 700));
        assert.ok(await page.$eval(outcome.way, (button) => button === document.activeElement),
          'the way on lost the focus');
      }
      const sentence = plain(outcome.sentence);
      // a style that failed early is missed without a word
      came.push(!sentence || /It works without it\.$/.test(sentence) ? 'works' : sentence);
    }
    server.state.lift();
    await recovers(page, outcome.way);
    if (field && !(outcome.way && paths.some((path) => path.includes('/guard.')))) assert.equal(
      await page.inputValue('#q'), typed, 'what was typed is lost');
    if (paths.includes(worker)) await kept(page);
    return came;
  } finally {
    server.close();
  }
}

// Takes the way on; until its button is gone once, or the document, the page neither says anything nor works.
async function press(page, way) {
  await page.evaluate((way) => {
    const button = document.querySelector(way);
    if (!button) return;
    globalThis.pressed = true;
    new MutationObserver(() => {
      if (!button.getClientRects().length) globalThis.pressed = false;
    }).observe(document, { subtree: true, childList: true, attributes: true });
  }, way);
  // what hung may come by itself now, which takes the button away
  await Promise.any([page.click(way, { timeout: 10_000 }), page.waitForFunction(works, null, { timeout: 10_000 })]);
}

// Waits until the page works, by one press of the way on that it shows or comes to show. Chromium lets a second request
// for a file wait 20 seconds for the first: which of them the program's was decides whether it gives up, after 30.
async function recovers(page, way) {
  for (const end = Date.now() + 240_000; !way; ) {
    const found = await look(page);
    if (found && !found.way) return;
    way = found?.way;
    assert.ok(way || Date.now() < end, 'it works no more, though nothing is broken');
  }
  await press(page, way);
  await page.waitForFunction(works, null, { timeout: 240_000, polling: 100 });
}

// Loads the page again, as the next visit does, and waits until it has a service worker that can do without the
// network.
async function kept(page) {
  await page.reload({ waitUntil: 'commit' });
  await page.waitForFunction(() => navigator.serviceWorker.getRegistration()
    .then((r) => r?.active?.state === 'activated'), null, { timeout: 60_000, polling: 100 });
}

async function soon(fn) {
  for (const end = Date.now() + 30_000; !fn(); await new Promise((resolve) => setTimeout(resolve, 20))) assert.ok(
    Date.now() < end, `${fn}`);
}

// A tab with a profile of its own.
async function tab(v) {
  const context = await rankbox.browser.newContext({ serviceWorkers: v?.paths?.includes(worker) ? 'allow' : 'block' });
  const page = await context.newPage();
  return { run: (v) => run(v, page), later: (c) => runLater(c, page), close: () => context.close() };
}

const short = (path) => path.replace(/^\/assets\/(?:[0-9a-f]{16}\/(?:js|css|fonts)\/)?/, '')
  .replace(/^\/collections\/([^/]+)\/[0-9a-f]{16}\//, '$1/').replace(/[.-][0-9a-f]{12,16}(?=\.)/, '');

async function fetched(start) {
  const before = rankbox.requests.length;
  const visit = await rankbox.open(start);
  await visit.page.waitForFunction(works, null, { timeout: 240_000 });
  // as it comes alive
  if (start === '/compare') await soon(() => rankbox.requests.slice(before)
    .some((r) => r.url.endsWith('/workspace.js')));
  await visit.close();
  // those come early, by chance
  const here = (url) => /^\/(assets|collections)\//.test(url) && !/\/(lists\/|vectors-|texts-)/.test(url);
  return [start, ...rankbox.requests.slice(before).map((r) => r.url).filter(here)];
}

// Which cases share a visit, going by what is written of them: those of one file that end in a sentence follow one
// another, the one that hangs first (as the next, it would keep the way on waiting for 20 seconds), and the slow one
// ends them where it works. Conveniences, each of which is missed by nobody, are broken in one way four at a time (the
// browser asks for six), but missing one by one.
// what tells of the others, what is told of at once, what is asked for afterwards
const apart = /^(guard\.js|rankbox\.css|\/sw\.js)$/;
function visits(files, written) {
  const all = [];
  const groups = new Map();
  for (const [path, start] of files) {
    const row = written.get(short(path)) ?? {};
    const kinds = Object.keys(faults);
    const chain = path === start ? [] :
      ['hangs', ...kinds.filter((fault) => fault !== 'hangs')].filter((fault) => row[fault] && row[fault] !== 'works');
    // of a program the way on fetches all before it leaves
    if (chain.length && row['20 kB/s'] === 'works' && !path.endsWith('.wasm')) chain.push('20 kB/s');
    if (chain.length) all.push({ paths: [path], start, chain });
    const convenience = !apart.test(short(path)) && kinds.every((fault) => row[fault] === 'works');
    for (const fault of kinds.filter((fault) => !chain.includes(fault))) {
      const alike = convenience && fault !== '404' ? `${start} ${fault}` : '';
      if (groups.get(alike)?.paths.length < 4) {
        groups.get(alike).paths.push(path);
        continue;
      }
      all.push({ paths: [path], start, chain: [fault] });
      if (alike) groups.set(alike, all.at(-1));
    }
  }
  return all;
}

test('whatever happens to a file, the page says so within ten seconds, and gets on when it is over',
  { timeout: 3_600_000 }, async () => { // some 300 cases: on a machine with a load of 20 they take more than 15 minutes
  const files = new Map();
  for (const start of ['/search', '/compare']) for (const path of await fetched(start)) if (!files.has(path)) files.set(
    path, start);
  files.set(worker, '/search');
  const only = process.env.RANKBOX_FAULTS && new RegExp(process.env.RANKBOX_FAULTS);
  const name = join(root, 'site', 'e2e', 'fixtures', 'faults.md');
  const written = rows(await readFile(name, 'utf8'));
  const table = new Map([...files.keys()].map((path) => [short(path), {}]));
  const one = (v) => v.paths.flatMap((path) =>
    v.chain.map((fault) => ({ paths: [path], start: v.start, chain: [fault] })));
  const wanted = (v) => !only || v.paths.some((path) => v.chain.some((fault) => only.test(`${short(path)} ${fault}`)));
  const all = visits([...files].sort(), process.env.RANKBOX_UPDATE ? new Map() : written).filter(wanted);
  // In a tab of several visits, whose profile has no service worker.
  const visited = async (v, own) => {
    const put = (said) => v.paths.forEach((path) =>
      v.chain.forEach((fault, i) => (table.get(short(path))[fault] = said(i))));
    try {
      const came = await own.run(v);
      put((i) => came[i]);
      return '';
    } catch (e) {
      put(() => `FAILED: ${e.message.split('\n')[0]}`);
      return `${v.paths.map(short)}, ${v.chain}: ${e.message.split('\n')[0]}`;
    }
  };
  const alone = async (v) => {
    const own = await tab(v);
    try {
      return await visited(v, own);
    } finally {
      await own.close();
    }
  };
  const again = new Set();
  let next = 0;
  await Promise.all(Array.from({ length: together }, async () => {
    let own = await tab(); // most of what a case costs is its tab
    while (next < all.length) {
      const v = all[next++];
      if (v.paths.includes(worker) ? await alone(v) : await visited(v, own)) {
        again.add(v);
        await own.close();
        own = await tab();
      }
    }
    await own.close();
  }));
  // six pages share what is a visitor's alone: what failed among them, or went otherwise than is written, is tried by
  // itself, one by one
  const other = (v) => v.paths.some((path) =>
    v.chain.some((fault) => table.get(short(path))[fault] !== written.get(short(path))?.[fault]));
  const failures = [];
  for (const v of all) {
    if (!again.has(v) && !other(v)) continue;
    for (const c of one(v)) {
      const why = await alone(c);
      if (why) failures.push(why);
    }
  }
  if (only) console.log(table);
  assert.deepEqual(failures, []);
  if (only) return;
  const text = document([...table].sort());
  if (process.env.RANKBOX_UPDATE) await writeFile(name, text);
  assert.equal(await readFile(name, 'utf8'), text, 'RANKBOX_UPDATE=1 writes site/e2e/fixtures/faults.md anew');
});

// One of each kind of file that is fetched beside the program or once the page is alive: where one asks for it, and
// what is said. A finished list is missed by nobody, since the program makes its own.
const judged = asking(['qid', 'q01']);
const later = [
  { file: /\/lists\/q01\.txt$/, start: judged },
  { file: /\/texts-6\./, start: judged, says: /^The text of this document could not be loaded/ },
  { file: /\/vectors-minilm-docs\./, start: judged, kept: true,
    says: /vectors-minilm-docs.*(the server answered [45]|is damaged|is cut off)/ },
  { file: /\/late-minilm-tokens-docs\./, start: asking(['s', 'bm25'], ['s', 'dense'], ['s', 'late'], ['qid', 'q01']),
    kept: true, says: /late-minilm-tokens-docs.*(the server answered [45]|is damaged|is cut off)/ },
  { file: /\/encoders\/minilm-static\.[0-9a-f]+\.bin$/, start: asking(['s', 'bm25'], ['s', 'dense'], ['q', typed]),
    ask: '#load-encoder-1', says: /^The encoder of typed queries could not be loaded/ },
];

// What the page came to: a sentence about a file, or all lists with their texts.
const lists = () => {
  const columns = document.getElementById('columns');
  if (!columns) return null;
  const missing = /The text of this document could not be loaded[^.]*\. [^.]*\./.exec(columns.textContent);
  if (missing) return { sentence: missing[0] };
  const text = [...document.querySelectorAll('.problem, .notice, .cannot > p:first-child')].map((e) =>
    e.textContent.replace(/(Close|Try again)+$/, ''))
      .find((t) => /could not be|[Tt]he server|broke off|damaged|cut off/.test(t));
  if (text) return { sentence: text };
  const all = [...columns.querySelectorAll('[id^=system-]')].filter((e) => /^system-\d+$/.test(e.id));
  return all.length > 1 && all.every((l) => l.querySelector('ol.hits > li')) ? { sentence: '' } : null;
};
const answered = (holds) => {
  const columns = document.getElementById('columns');
  const all = [...(columns?.querySelectorAll('[id^=system-]') ?? [])].filter((e) => /^system-\d+$/.test(e.id));
  return all.length > 1 && all.every((l) => l.querySelector('ol.hits > li')) &&
    !/could not be (fetched|loaded)/.test(columns.textContent) && columns.textContent.includes(holds);
};

// Bytes are counted, or nothing is waited for.
const arriving = () => {
  if (/\d+ (of \d+ kB|kB of [\d.]+ MB)/.test(document.body.textContent)) return true;
  const all = [...document.querySelectorAll('#columns [id^=system-]')].filter((e) => /^system-\d+$/.test(e.id));
  return all.length > 1 && all.every((l) => l.querySelector('ol.hits > li'));
};

// One case: a sentence about it, and all lists once the fault is over and the query is asked again.
async function runLater({ path, start, ask, kept, fault, says }, page) {
  const server = await between([path], fault);
  const query = (id) => page.locator(`#judged option[value="${id}"]`).textContent();
  page.setDefaultTimeout(120_000);
  try {
    const program = /\/assets\/wasm\/(first|rich)/;
    let go;
    const begun = new Promise((resolve) => (go = resolve));
    // while it is not there the lists are asked for
    if (!says) await page.route(program, (route) => begun.then(() => route.continue()));
    await page.goto(server.origin + start, { waitUntil: 'commit' });
    if (says) await page.waitForFunction(works);
    if (ask) await page.click(ask);
    await soon(() => server.state.asked);
    go();
    // of q01
    const whole = () => page.waitForFunction(answered, ask ? '' : 'Houseboats face fourfold fees', { polling: 100 });
    // what reads the bytes does not ask for their type
    if (!says || fault === 'wrong type') return void (await whole());
    if (fault === '20 kB/s') {
      // the largest would take a minute and a half
      await page.waitForFunction(arriving, null, { polling: 100, timeout: 60_000 });
      server.state.lift();
      return void (await whole());
    }
    const { sentence } = await page.waitForFunction(lists, null, { polling: 100 }).then((h) => h.jsonValue());
    assert.match(sentence, fault === 'hangs' ? /^The server has sent nothing for 6 seconds/ : says);
    server.state.lift();
    if (fault === 'hangs') return; // who waits half a minute is told as by a 404
    if (ask) await page.click(ask);
    else if (kept) {
      assert.ok(await page.locator('#system-0 ol.hits > li').count(),
        'the systems that need no vectors have their lists');
      await page.click('[id^=retry-]');
    } else {
      await page.fill('#q', await query('q02'));
      await page.waitForFunction(() => location.hash.includes('qid=q02'));
      await page.fill('#q', await query('q01'));
      await page.waitForFunction(() => location.hash.includes('qid=q01'));
    }
    await whole();
  } finally {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    server.close();
  }
}

test('a file that is fetched while one works is missed with a word, and is there when it is asked for again',
  { timeout: 900_000 }, async () => {
  const before = rankbox.requests.length;
  const visit = await rankbox.open(later.find((kind) => /late/.test(kind.file)).start);
  // of q01, not of the example
  await visit.page.waitForFunction(answered, 'Houseboats face fourfold fees', { timeout: 240_000 });
  for (const kind of later.filter((kind) => kind.says && !kind.ask)) await soon(() => rankbox.requests.slice(before)
    .some((r) => kind.file.test(r.url)));
  await visit.close();
  const urls = rankbox.requests.slice(before).map((r) => r.url);
  urls.push(...(await readdir(join(root, 'dist/assets/encoders'))).map((name) => `/assets/encoders/${name}`));
  urls.push(...(await readdir(join(root, 'dist/assets'))).map((name) => `/assets/${name}/lists/q01.txt`)
    .filter((name) => existsSync(join(root, 'dist', name))));
  const cases = later.flatMap((kind) => Object.keys(faults)
    .map((fault) => ({ ...kind, fault, path: urls.find((u) => kind.file.test(u)) })));
  const failures = [];
  let next = 0;
  await Promise.all(Array.from({ length: 2 }, async () => {
    const own = await tab();
    while (next < cases.length) {
      const c = cases[next++];
      await own.later(c).catch((e) => failures.push(`${c.file}, ${c.fault}: ${e.message.split('\n')[0]}`));
    }
    await own.close();
  }));
  assert.deepEqual(failures, []);
});

test('a tab that was open while the site was published anew says so, and the files that were dropped on it come back',
  { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('/search');
  const tab = visit.page;
  await ready(tab);
  // the program of the old version is gone, and the page at / is of the new one
  await tab.route(/assets\/wasm\/rich\./, (route) => route.fulfill({ status: 404, body: 'gone' }));
  await tab.route((url) => url.pathname === '/',
    (route) => route.fulfill({ contentType: 'text/html', body: '<script src="/assets/ffffffffffffffff/js/boot.js">' }));
  const fixture = async (name) => [name, await readFile(join(root, 'site/e2e/fixtures/compare', name), 'utf8')];
  await drop(tab, '#page', [await fixture('demo.qrels'), await fixture('bm25.run'), await fixture('reranker.run')]);
  await tab.waitForSelector('#trouble', { timeout: 10_000 });
  assert.match(await tab.textContent('#trouble'), /there is a new version of Rankbox/);
  await tab.unrouteAll();
  await tab.click('#trouble button');
  assert.match(await reported(tab), /^[0-9a-f]+$/);
  await visit.close();
});

test('a program that finds no memory says so, and is tried again; a browser that refuses a service worker does without',
  { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('about:blank', { serviceWorkers: 'allow' });
  const tab = visit.page;
  await tab.addInitScript(() => {
    Object.defineProperty(navigator, 'serviceWorker', { get() {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    } });
    const none = () => Promise.reject(
      new RangeError('WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance'));
    if (location.protocol === 'http:' &&
      !sessionStorage.getItem('tried')) WebAssembly.instantiate = WebAssembly.instantiateStreaming = none;
  });
  await tab.goto(`${rankbox.origin}/search`, { waitUntil: 'commit' });
  await tab.waitForSelector('#trouble');
  assert.match(await tab.textContent('#trouble'),
    /^The search engine could not be started: WebAssembly.instantiate\(\): Out of memory/);
  await tab.evaluate(() => sessionStorage.setItem('tried', 'yes'));
  await Promise.all([tab.waitForEvent('load'), tab.click('#trouble button')]);
  await ready(tab);
  await new Promise((resolve) => setTimeout(resolve, 5500)); // then it would be registered
  assert.equal(await tab.locator('#trouble').count(), 0);
  assert.equal(await tab.textContent('#status'), 'Ready');
  await visit.close();
});

// The files of a comparison, on the disk.
async function onDisk() {
  const folder = await scratch();
  return Promise.all(['demo.qrels', 'bm25.run', 'reranker.run'].map(async (name) => {
    const path = join(folder, name);
    await writeFile(path, await readFile(join(root, 'site/e2e/fixtures/compare', name)));
    return path;
  }));
}

test('a file that was changed on the disk is named and ends no worker; a page whose program ends says why, and is loaded anew with what is left',
  { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('/compare');
  const tab = visit.page;
  await ready(tab);
  const paths = await onDisk();
  await tab.setInputFiles('#files', paths);
  const whole = await reported(tab);
  await tab.evaluate(() => {
    globalThis.notices = new Set();
    new MutationObserver(() => globalThis.notices.add(document.querySelector('.notice')?.textContent ?? ''))
      .observe(document, { childList: true, subtree: true, characterData: true });
  });
  await appendFile(paths[1], 'q01 Q0 none 1 0 bm25\n');
  await tab.workers().at(-1)
    .evaluate(() => void setTimeout(() => globalThis.rankbox.onMessage(new Uint8Array([1, 1, 255, 255]))));
  await reported(tab, whole);
  assert.match(await tab.textContent('main'), /can no longer read it .*: was it moved or changed\?/);
  const stopped = (await tab.evaluate(() => [...globalThis.notices])).filter((n) => /stopped/.test(n));
  assert.equal(stopped.length, 1, `${stopped}`);
  assert.match(stopped[0], /panic: worker: \S+/);

  await tab.evaluate(() => {
    try {
      globalThis.rankbox.onAddress(); // its program expects an address
    } catch {}
  });
  await tab.waitForSelector('#trouble');
  assert.match(await tab.textContent('#trouble'), /^The page stopped: panic: \S+/);
  await Promise.all([tab.waitForEvent('load'), tab.click('#trouble button')]); // which the changed file cannot hold up
  await ready(tab);
  await visit.close();
});

test('where the server is gone, Try again leaves the page as it is; what is dropped before the scripts are there is taken',
  { timeout: 900_000 }, async () => {
  const visit = await rankbox.open('about:blank');
  const tab = visit.page;
  let boot = (route) => route.abort();
  await tab.route(/\/boot\.js/, (route) => boot(route));
  await tab.goto(`${rankbox.origin}/compare`, { waitUntil: 'commit' });
  await tab.waitForSelector('#trouble button');
  await visit.context.setOffline(true);
  await tab.click('#trouble button');
  await tab.waitForFunction(() => /The server did not answer/.test(document.querySelector('#trouble').textContent) &&
    document.activeElement.closest('#trouble'));
  await visit.context.setOffline(false);
  let go;
  const wait = new Promise((resolve) => (go = resolve));
  boot = async (route) => {
    if (route.request().resourceType() === 'script') await wait; // not what Try again asks for beforehand
    await route.continue();
  };
  await Promise.all([tab.waitForEvent('framenavigated'), tab.click('#trouble button')]);
  await tab.waitForSelector('footer', { state: 'attached' });
  const files = await Promise.all((await onDisk())
    .map(async (path) => [path.split('/').pop(), await readFile(path, 'utf8')]));
  // guard.js, which the page does not wait for, may not be there at the first movement; what is held over a page moves
  // all the time
  const kept = await tab.waitForFunction((list) => {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of list) dataTransfer.items.add(new File([text], name));
    const taken = (type) => !document.body.dispatchEvent(
      new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    return taken('dragover') && [taken('drop')];
  }, files, { timeout: 10_000, polling: 50 }).then((h) => h.jsonValue());
  assert.deepEqual(kept, [true], 'the browser opens the file in place of the page');
  go();
  assert.match(await reported(tab), /^[0-9a-f]+$/);
  await visit.close();
});

// The table as site/e2e/fixtures/faults.md has it: file → fault → what was said.
function rows(text) {
  const sentences = new Map([...text.matchAll(/^(\d+)\. (.*)$/gm)].map(([, n, s]) => [`[${n}]`, s]));
  const lines = [...text.matchAll(/^\| (.*) \|$/gm)].map(([, line]) => line.split(' | '))
    .filter(([first]) => first !== '---');
  const kinds = lines.shift()?.slice(1) ?? [];
  return new Map(lines.map(([file, ...cells]) =>
    [file, Object.fromEntries(cells.map((c, i) => [kinds[i], sentences.get(c) ?? c]))]));
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
    'worker the next visit has one. Files that are fetched once the page is alive (texts, vectors, the encoder) are tried by another test of that file, in all of',
    'these ways: each is missed with a sentence, or its bytes are counted, and it is there when it is asked for again. A finished list is missed by nobody.',
    '',
    'The table is written from cases one by one. Held against it, those of a file that end in a sentence share a visit, where the way on from one leads into',
    'the next and from the last to a page that works; conveniences are missing one by one, and broken otherwise four at a time.',
    '',
    `| file | ${kinds.join(' | ')} |`, `|${' --- |'.repeat(kinds.length + 1)}`, ...body, '',
    ...sentences.map((s, i) => `${i + 1}. ${s}`), '',
  ].join('\n');
}
