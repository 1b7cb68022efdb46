// The page's side: fetches the program that the screen needs, counting bytes, starts it here as the page and in a
// worker as the search engine, and carries messages between the two. Where more is needed another program takes the
// place of the first, in either role. The program of lessons is a page alone: a worker is started once something is
// sent to it. What a program needs of the browser is in globalThis.rankbox.

import './wasm_exec.js';
import config from './config.js';
import { apply, release, setEmitter, setMount } from './dom.js';
import { compile, failed, optional, own, small } from './fetch.js';
import { instantiate } from './program.js';
import { at, of } from './screens.js';
import { files as given, flush, listen as listenForFiles, picture, save, text as textFile } from './files.js';

if (own) config.collections.unshift(own);

document.documentElement.dataset.begun = 'true'; // guard.js asks
// conveniences: whatever becomes of them, the page works
optional('early.js', () => import('./early.js'));
optional('terms.js', () => import('./terms.js'));
optional('hand.js', () => import('./hand.js'));
optional('picture.js', () => import('./picture.js'));
let link = () => {};
optional('lines.js', () => import('./lines.js')).then((lines) => (link = lines?.link ?? link));
optional('sheet.js', () => import('./sheet.js'));
optional('menus.js', () => import('./menus.js'));
const before = []; // shown until the program is there: lists that were rendered beforehand, the board of a link
const show = (module) => module && before.push(module);
optional('finished.js', () => import('./finished.js')).then(show);

const policy = globalThis.trustedTypes?.createPolicy('rankbox', {
  createScriptURL: (url) => {
    const u = new URL(url, location.origin);
    if (u.origin !== location.origin ||
      !(u.pathname.startsWith('/assets/') || u.pathname === '/sw.js')) throw new TypeError(
        `not a script of this site: ${url}`);
    return u.href;
  },
});
const scriptURL = (url) => (policy ? policy.createScriptURL(url) : url);

const engine = document.getElementById('engine');
const status = document.getElementById('status');
const cancel = new AbortController();

// What is said before the program runs; afterwards the program draws the page.
function say(text) {
  if (engine) engine.textContent = text;
  if (status) status.textContent = text;
}

const kB = (bytes) => Math.round(bytes / 1000);

const rich = 'rich';
const programs = {}; // name → promise of a module; a fetch that failed is forgotten
const load = (name, tell) =>
  (programs[name] ??= compile(config.programs[name], tell, cancel.signal).catch((e) => {
    delete programs[name];
    if (!cancel.signal.aborted && config.programs[name].worker) failed(
      `The search engine could not be loaded: ${e.message}.`, config.programs[name].url);
    throw e;
  }));

let pageProgram = of(location).program;
let workerProgram = null; // none is started yet
let opened = null; // the last message that opened a collection, for a worker that takes over
let worker = null;
const files = {}; // the kernels' modules, by name
let doubtful = false; // the collection was not opened: what the browser kept of it may be what is damaged

// What programs with a worker need beside themselves, fetched once: the kernels, and the worker's script. A worker
// takes that from the browser's cache, where this has put it and found it whole; before, it is given nothing to run.
let fetched = null;
const beside = () => (fetched ??= fetchBeside());

function fetchBeside() {
  const script = small(config.worker, config.integrity['worker.js'], 8000).catch((e) => {
    throw new Error(`worker.js: ${e.message}`);
  });
  script.catch((e) => failed(`The search engine could not be loaded: ${e.message}.`, config.worker));
  const kernels = Promise.all(
    Object.entries(config.kernels).map(async ([name, k]) => {
      try {
        files[name] = await WebAssembly.compile(await small(k.url, k.integrity, 3000));
      } catch (e) {
        console.info(`rankbox: ${name} kernels are not used: ${e.message}`); // without SIMD the Go twins do the work
      }
    }),
  );
  return { script, kernels };
}

// A worker that keeps what is sent to it until its program runs. heard gets all that it says, broken why it fell over,
// and whether it had begun.
function employ(name, heard, broken) {
  const w = new Worker(scriptURL(config.worker), { type: 'module', name });
  const waiting = [];
  let ready = false;
  w.onmessage = ({ data }) => {
    if (data.ready) {
      ready = true;
      for (const m of waiting.splice(0)) w.postMessage(m);
    }
    heard(data);
  };
  w.onerror = (e) => {
    e.preventDefault();
    broken(e.message || 'it could not be started', ready);
  };
  return {
    send: (m) => (ready ? w.postMessage(m, [m.message.buffer]) : waiting.push(m)),
    ask: () => w.postMessage({ ask: true }),
    begin: (module, cache) => w.postMessage({ module, kernels: files, cache }),
    terminate: () => w.terminate(),
  };
}

function startWorker(program) {
  workerProgram = program;
  worker?.terminate();
  // one that waits for its program, and then for ten seconds one that starts it, says nothing yet and is not dead
  let ticks = 0;
  let given = false;
  const starting = setInterval(() => (w === worker && (!given || ++ticks < 10) ? globalThis.rankbox.onAlive?.() :
    stopStarting()), 1000);
  const stopStarting = () => clearInterval(starting);
  const heard = (data) => {
    if (w !== worker) return;
    if (data.alive) {
      globalThis.rankbox.onAlive?.();
    } else if (data.ready) {
      stopStarting();
    } else if (data.reply) {
      globalThis.rankbox.onReply?.(data.reply);
    } else if (data.silent) {
      globalThis.rankbox.onSilent?.(data.silent);
    } else if (data.died) {
      globalThis.rankbox.onDeath?.(data.died);
    }
  };
  const w = employ('rankbox', heard, (why, begun) => {
    if (!begun) failed('The search engine could not be started.', config.worker);
    if (w === worker) globalThis.rankbox.onDeath?.(why);
  });
  worker = w;
  const start = async () => {
    const module = await load(program, tellLoading);
    await Promise.all(Object.values(beside()));
    given = true;
    if (w === worker) w.begin(module, doubtful ? 'reload' : 'default');
  };
  return start();
}

// Workers that share an experiment's queries out with the one above. They run the richer program over the collection
// that is open, and nothing but an experiment asks for them.
const crew = [];

function hire(n, heard) {
  for (let i = 0; i < n; i++) {
    const said = (bytes, ended) => crew[i] === w && heard(i, bytes, ended);
    const w = employ('rankbox helper', (data) => said(data.reply ?? null, data.died ?? ''), (why) => said(null, why));
    crew[i] = w;
    w.send({ message: opened.slice() });
    Promise.all([load(rich, tellLoading), ...Object.values(beside())]).then(
      ([module]) => w.begin(module, 'default'),
      (e) => said(null, e.message),
    );
  }
}

const tellLoading = (done, total) => globalThis.rankbox.onLoading?.(done, total);

// send starts the worker of a page that had none before: that of its program, which took the place of one without.
function send(bytes) {
  if (!worker) startWorker(pageProgram).catch((e) => globalThis.rankbox.onDeath?.(e.message));
  worker.send({ message: bytes });
}

// The worker of the richer program does all that the first one does, so it takes the place of that one: it opens the
// same collection again and goes on.
function enrich() {
  if (workerProgram === rich) return;
  const before = workerProgram;
  startWorker(rich).catch((e) => {
    workerProgram = before;
    globalThis.rankbox.onNotLoaded?.(e.message);
  });
  if (opened) worker.send({ message: opened.slice() });
}

// Another program takes the page over: from the moment it asks for the state, the one before is silent, and its first
// patch adopts what that one has drawn.
async function swap(name) {
  try {
    const module = await load(name, tellLoading);
    if (!workerProgram) await beside().kernels;
    if (pageProgram === rich || pageProgram === name || !globalThis.rankbox.wanted()) return;
    pageProgram = name;
    handed = true;
    await start(module);
  } catch (e) {
    globalThis.rankbox.onNotLoaded?.(e.message);
  }
}

let handed = false;

async function start(module) {
  const program = await instantiate(module, files, ['page']);
  ({ memory } = program);
  program.exited.then((reason) => {
    if (memory !== program.memory) return; // another has taken the page over
    say(`The page stopped (${reason}). Reload it; the address holds your settings.`);
    failed(`The page stopped: ${reason}. You can read this page. Try again reloads it with your settings and files.`);
  });
}

// Entries of the history are numbered, so that the program can bring back what was there even where the address does
// not hold it. Numbers of a page that was loaded before are not those of this one.
const born = performance.timeOrigin;
let entry = 0;
let entries = 0;
let addressTimer = 0;
let settle = null; // puts the address in place that waits
let wanted = null; // that address
let written = -150; // when one was put in place last

// another screen is read from its top; what had the focus is gone with the one before, unless it stands in the frame
function opening() {
  scrollTo({ top: 0, behavior: 'instant' });
  if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
}

function arrived() {
  clearTimeout(addressTimer);
  settle = wanted = null;
  if (history.state?.born === born) entry = history.state.entry;
  else history.replaceState({ born, entry: (entry = ++entries) }, '');
  globalThis.rankbox.onAddress?.(location.pathname, location.hash, entry);
}

// A reload asks for the address that was there when it began. The one that waited then may have been put in place
// since, or wait still: the last is kept over it.
addEventListener('pagehide', () => {
  try {
    sessionStorage.setItem('rankbox address', wanted ?? location.pathname + location.search + location.hash);
  } catch {} // a browser that keeps nothing
  // WebKit may keep the page as it is and give it back, but for the fields that it completes nothing in, which it
  // resets
  for (const field of document.querySelectorAll(
    'input[autocomplete=off]:not([type=password])')) field.defaultValue = field.value;
});
try {
  const last = sessionStorage.getItem('rankbox address');
  sessionStorage.removeItem('rankbox address');
  const reload = performance.getEntriesByType('navigation')[0]?.type === 'reload';
  if (last && reload && new URL(last, location).pathname === location.pathname) history.replaceState(null, '', last);
} catch {}

let memory = () => 0;
let focusing; // the frame in which the focus is given once more

// Lists of an earlier query are dimmed once the answer takes longer than a keystroke's. A transition of the style sheet
// that waits as long would have the browser paint every list in a layer of its own at each key.
const awaiting = '#columns[data-of=""], #quick[aria-busy="true"]';
let dimming = 0;
function dim() {
  if (document.querySelector(awaiting)) {
    dimming ||= setTimeout(() => document.querySelector(awaiting)?.setAttribute('data-late', ''), 250);
    return;
  }
  clearTimeout(dimming);
  dimming = 0;
  document.querySelector('[data-late]')?.removeAttribute('data-late');
}

// Why something was not saved. Browsers report a full disk in many words, "Entry already exists" among them.
const unsaved = (e) => (e instanceof DOMException && !/^(Security|Version|Abort|Network)Error$/.test(e.name) ?
  'the disk is full, or the room that the browser has for this site' : e?.message || String(e));

let workspaces = null;
globalThis.rankbox = {
  config: {
    version: config.version,
    collection: config.collections[0].id,
    encoder: config.encoders[0],
    base: (id) => {
      const c = config.collections.find((c) => c.id === id);
      if (c) return new URL(c.base, location.origin).href;
      return /^upload-[0-9a-f]{16}(-[0-9a-z]+)?$/.test(id) ? `/uploads/${id}/` : '';
    },
  },
  handed: () => handed,
  state: () => {
    if (handed) {
      const bytes = globalThis.rankbox.handover();
      release();
      return bytes;
    }
    const e = document.getElementById('state');
    if (!e) return new Uint8Array();
    return Uint8Array.from(atob(e.textContent.trim()), (c) => c.charCodeAt(0));
  },
  apply: (ops, opsLength, text, textLength) => {
    const words = new Uint32Array(ops.buffer, 0, opsLength / 4);
    for (const x of before) x.lift();
    apply(words, text.subarray(0, textLength));
    for (const x of before) x.put();
    dim();
    link();
  },
  send,
  ask: () => worker?.ask(),
  // How much of a processor this tab has: it works for ten milliseconds, and sees how long that takes. What passes
  // between two looks at the clock was given to others.
  share: () => {
    const start = performance.now();
    let now = start;
    for (let own = 0; own < 10 && now - start < 200;) {
      const next = performance.now();
      if (next - now < 3) own += next - now;
      now = next;
    }
    return Math.max(0.05, 10 / Math.max(10, now - start));
  },
  sendOpen: (bytes) => {
    opened = bytes.slice();
    send(bytes);
  },
  // the files go to the worker as they are: what is in them is read there, as a stream
  sendFiles: (bytes, ids) => {
    enrich();
    worker.send({ message: bytes, files: given(ids) });
  },
  textFile,
  // a file of the site, for the page
  fetch: async (url, done) => {
    try {
      // an edge may be of another origin
      const answer = await fetch(url.startsWith('/api/') ? (config.edge ?? '') + url : url);
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      done(new Uint8Array(await answer.arrayBuffer()), '');
    } catch (e) {
      done(null, e.message);
    }
  },
  save,
  picture,
  limit: () => ((navigator.deviceMemory ?? 8) < 4 ||
    (matchMedia('(pointer: coarse)').matches && !matchMedia('(any-pointer: fine)').matches) ? 300e6 : 2 ** 30),
  restart: () => {
    doubtful = document.getElementById('page')?.dataset.phase === 'failed';
    startWorker(workerProgram ?? pageProgram).catch((e) => globalThis.rankbox.onDeath?.(e.message));
  },
  enrich,
  bears: () => Math.min(navigator.hardwareConcurrency || 1, 4),
  hire,
  tell: (i, bytes) => crew[i]?.send({ message: bytes }),
  dismiss: (i) => {
    crew[i]?.terminate();
    crew[i] = null;
  },
  swap,
  // What people make, queries and grades, is kept by a script that comes when somebody judges.
  workspace: async (act, ...rest) => {
    workspaces ??= optional('workspace.js', () => import('./workspace.js'));
    const done = rest.at(-1);
    const module = await workspaces;
    if (!module) return void done(null, 'the script that saves it could not be loaded');
    await module[act](...rest.slice(0, -1)).then(
      (answer) => done(answer ?? null, ''),
      (e) => done(null, unsaved(e)),
    );
  },
  // A slider makes many addresses a second; browsers allow about twenty.
  address: (path, fragment, push) => {
    clearTimeout(addressTimer);
    if (push) {
      settle?.();
      const another = path !== location.pathname;
      history.pushState({ born, entry: (entry = ++entries) }, '', path + fragment);
      if (another) requestAnimationFrame(opening);
    } else {
      settle = () => {
        settle = wanted = null;
        written = performance.now();
        history.replaceState({ born, entry }, '', path + fragment);
      };
      wanted = path + fragment;
      const wait = written + 150 - performance.now();
      if (wait > 0) addressTimer = setTimeout(() => settle?.(), wait);
      else settle();
    }
    document.title = at(path).tab;
  },
  copy: (text, done) => {
    const write = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    write.then(
      () => done(true),
      () => done(false),
    );
  },
  // at once where it can be, so that the next key goes there too; what a change is still to bring comes with the next
  // frame
  focus: (id) => {
    const go = () => {
      const e = document.getElementById(id);
      if (e?.matches('.part')) {
        e.focus({ preventScroll: true });
        e.scrollIntoView(); // a step of a lesson from its beginning, however long it is
      }
      if (e === document.activeElement) return;
      e?.focus();
      // another name or query takes the place of the old one
      if (e?.matches('.naming input, input[type=search]')) e.select();
    };
    go();
    const last = document.activeElement;
    // what is to have it may be drawn in this frame; who has moved it meanwhile keeps it
    cancelAnimationFrame(focusing);
    focusing = requestAnimationFrame(() => {
      const now = document.activeElement;
      if (now === last || now === document.body) go();
    });
  },
  // calls f when nothing else is to be done
  idle: globalThis.requestIdleCallback ? (f) => requestIdleCallback(f) : (f) => setTimeout(f, 100),
  // what a visitor did stays on the device; where nothing can be kept, nothing is
  remember: (key, text) => {
    try {
      if (key.startsWith('tab ')) sessionStorage.setItem(key, text);
      if (text) localStorage.setItem(key, text);
      else localStorage.removeItem(key);
    } catch {}
  },
  recall: (key) => {
    if (own && key === `workspace of ${own.id}`) return '1';
    try {
      return sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? '';
    } catch {
      return '';
    }
  },
  typing: (event) => {
    const t = event.target;
    return t instanceof HTMLTextAreaElement ||
      (t instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'button', 'submit'].includes(t.type)) ||
        t instanceof HTMLSelectElement;
  },
  memory: () => memory(),
  ready: () => {
    document.documentElement.dataset.live = 'true';
    performance.mark('rankbox-live');
    flush();
  },
};

async function main() {
  const stop = document.getElementById('cancel-loading');
  if (stop) {
    stop.hidden = false;
    stop.addEventListener('click', () => cancel.abort());
  }
  setMount(document.getElementById('page'));
  setEmitter((id, type, event) => globalThis.rankbox.onEvent?.(id, type, event));
  listenForFiles((list) => globalThis.rankbox.onFiles?.(list));
  const coming = (done, total) => say(`Search engine ${kB(done)} of ${kB(total)} kB.`);
  let module = null;
  if (!config.programs[pageProgram].worker) {
    // a page without a worker is all that its program is; what is kept for use offline is the one that can do the same
    module = await load(pageProgram, (done, total) => say(`Lessons ${kB(done)} of ${kB(total)} kB.`)).catch(() => null);
    if (!module) pageProgram = rich;
  }
  if (location.hash.startsWith('#runs=') && !navigator.serviceWorker?.controller) {
    const board = await optional('board.js', () => import('./board.js'));
    show(board);
    await board?.open().catch(() => {});
  }
  if (!module) {
    module = load(pageProgram, coming);
    startWorker(pageProgram).catch(() => {}); // the page says why
    await module;
    await beside().kernels;
  }
  performance.mark('rankbox-compiled');
  await start(await module);

  history.replaceState({ born, entry }, '');
  addEventListener('popstate', arrived);
  addEventListener('hashchange', arrived);
  addEventListener('online', () => globalThis.rankbox.onOnline?.(true));
  addEventListener('offline', () => globalThis.rankbox.onOnline?.(false));
  // shortcuts work wherever the focus is, also where nothing has it.
  // The path is that of the key press: its target may have been replaced since.
  addEventListener('keydown', (event) => {
    const page = document.getElementById('page');
    if (event.composedPath().includes(page)) return;
    page.dispatchEvent(new KeyboardEvent('keydown', event)) || event.preventDefault();
  });
  // the encoder of typed queries is a few megabytes, and often another program with it: it comes by itself where the
  // connection bears them and nothing else is going on, nobody typing or dragging least of all
  let touched = 0;
  for (const type of ['keydown', 'input', 'pointerdown']) addEventListener(type, () => (touched = performance.now()),
    { capture: true, passive: true });
  const rest = () => {
    const wait = touched + 2000 - performance.now();
    if (wait > 0) return setTimeout(rest, wait);
    const line = navigator.connection;
    if (navigator.onLine && !line?.saveData && !/2g|3g/.test(line?.effectiveType ?? '')) globalThis.rankbox.onIdle?.();
    timer = setTimeout(rest, 8000);
  };
  let timer = setTimeout(rest, 8000);
  // who typed a query waits for it
  const typed = () => {
    clearTimeout(timer);
    timer = setTimeout(rest, 2000);
  };
  addEventListener('input', typed, { capture: true, passive: true });
  try {
    // on a first visit it fetches everything that working offline needs: after the first search, not beside it
    const workers = navigator.serviceWorker;
    const register = () => workers.register(scriptURL('/sw.js'))
      .catch((e) => console.info(`rankbox: no service worker: ${e.message}`));
    if (workers?.controller) register();
    else if (workers) setTimeout(register, 5000);
  } catch (e) {
    console.info(`rankbox: no service worker: ${e.message}`); // a frame that may keep nothing is refused the question
  }
}

main().catch((e) => {
  document.getElementById('cancel-loading')?.remove();
  document.documentElement.dataset.over = 'true'; // guard.js waits no longer
  if (cancel.signal.aborted) return say('Loading the search engine was cancelled. Reload the page to search.');
  if (!document.querySelector('#trouble[data-urgent]')) failed(`The search engine could not be started: ${e.message}.`);
  say(`The search engine could not be loaded: ${e.message}. Reload the page to try again.`);
});
