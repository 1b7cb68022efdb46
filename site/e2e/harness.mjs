// What every end-to-end test starts from: the built site on its real server, Chromium, and a record of everything that
// was asked for. `go run ./build test` runs the tests; `node --test site/e2e/` does too, over the site as it was built
// last.
//
//     import test from 'node:test';
//     import { lab } from './harness.mjs';
//     const rankbox = lab();
//     test('a reader sees the finding before any wasm has loaded', async () => {
//       const visit = await rankbox.open('/', { javaScriptEnabled: false });
//       …
//       await visit.done();
//     });
//
// In front of the server stands a small proxy that records every request with its body, and that can be cut off as a
// network can. Chromium reaches every other address through a second one that records and refuses: whatever leaves the
// origin, from the page, a worker, the service worker or the browser itself, is in rankbox.leaks.
import assert from 'node:assert/strict';
import { spawn, execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { chromium } from 'playwright-core';

/** The folder of the repository. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const program = process.env.CHROMIUM || '/usr/bin/chromium';
// What Chromium does without: two pages of its own that every window loads unseen, which cost half as much as the page
// that is tested; and what Playwright 1.65.1 names, since of two such switches only the last one counts.
const without = [
  'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable', 'LensOverlay',
  'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch',
].join();
const flags = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync', '--disable-domain-reliability', '--disable-extensions',
  // addresses that the browser asks by itself: its accounts, its updates, its guesses about forms
  '--gaia-url=http://127.0.0.1:9', '--component-updater=url-source=http://127.0.0.1:9',
    '--autofill-server-url=http://127.0.0.1:9',
  `--disable-features=${without}`,
  // what a short visit does a few times is not compiled a second time, better: an eighth of all that a test costs
  '--js-flags=--wasm-tiering-budget=100000000',
];

// The shell asks before anything is written to the clipboard, and nobody answers. A window does not ask, after a click.
const granted = /headless-shell/.test(program) ? { permissions: ['clipboard-write'] } : {};

/** Conditions of networks as Network.emulateNetworkConditions takes them: bytes a second and milliseconds. */
export const networks = {
  'slow 4G': { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 },
  'fast 3G': { offline: false, latency: 563, downloadThroughput: 1.44e6 / 8, uploadThroughput: 0.675e6 / 8 },
};

/** The rules of axe-core that every page keeps, by their tags. */
export const accessible = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Registers the start and the end of the server and the browser around the tests of this file. options.context is what
 * its visits have in
 * common.
 */
export function lab(options = {}) {
  const self = new Lab(options);
  before(() => self.start(), { timeout: 120_000 });
  after(() => self.stop(), { timeout: 30_000 });
  return self;
}

class Lab {
  /** Addresses outside of the origin that anything asked for. */
  leaks = [];
  /** Every request that reached the origin: {method, url, headers, body}. */
  requests = [];
  url = '';
  origin = '';
  #options;
  #servers = [];
  #upstream = '';
  #up = true;
  #front;
  #gate;
  #sockets = new Set();
  #visits = new Set();

  constructor(options) {
    this.#options = options;
  }

  async start() {
    this.#front = createServer((request, response) => this.#pass(request, response));
    this.#front.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      if (!this.#up) socket.destroy();
    });
    this.#gate = createServer((request, response) => {
      this.leaks.push(request.url);
      response.writeHead(502).end();
    });
    this.#gate.on('connect', (request, socket) => {
      this.leaks.push(request.url);
      socket.destroy();
    });
    this.origin = `http://127.0.0.1:${await listen(this.#front)}`;
    await this.serve(this.#options.from);
    this.url = `${this.origin}/`;
    this.browser = await chromium.launch({
      executablePath: program,
      args: [...flags, ...(this.#options.flags ?? []), `--proxy-server=http://127.0.0.1:${await listen(this.#gate)}`],
    });
  }

  async stop() {
    for (const visit of this.#visits) await visit.close();
    await this.browser?.close();
    for (const server of this.#servers) server.kill('SIGTERM');
    for (const proxy of [this.#front, this.#gate]) {
      proxy?.closeAllConnections();
      proxy?.close();
    }
  }

  /** Starts a server over the published folder, or over another one, and lets it answer from now on. */
  async serve(from) {
    // options.server gives the command of another server than the build's, for an origin; it too prints its address
    const [program, ...args] = this.#options.server ? await this.#options.server(this.origin) :
      [await buildTool(), 'serve', '-built', '-quiet', ...(from ? ['-from', from] : [])];
    const server = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#servers.push(server);
    this.#upstream = await new Promise((resolve, reject) => {
      let text = '';
      server.stdout.setEncoding('utf8').on('data', (part) => {
        text += part;
        const line = text.match(/^(http:\/\/\S+)\/\n/m);
        if (line) resolve(line[1]);
      });
      server.on('exit', (code) => reject(new Error(`the server ended with ${code} before it had an address`)));
    });
  }

  /** Cuts the origin off: connections break and new ones are refused, until up(). */
  down() {
    this.#up = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  up() {
    this.#up = true;
  }

  async #pass(request, response) {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    this.requests.push({ method: request.method, url: request.url, headers: request.headers, body });
    const headers = { ...request.headers, host: new URL(this.#upstream).host }; // the only one that it answers to
    const send = () => {
      const onward = forward(`${this.#upstream}${request.url}`, { method: request.method, headers }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      });
      // a connection that was kept may have been closed at its other end meanwhile
      onward.on('error', () => (onward.reusedSocket && !response.headersSent && !response.destroyed && this.#up ?
        send() : response.destroy()));
      response.on('close', () => onward.destroy());
      onward.end(body);
    };
    send();
  }

  /**
   * Opens an address of the site in a profile of its own. See Visit. options are those of a Playwright context, and
   * `throttle`. Nothing is
   * kept for offline, which takes longer than most tests and a third of what they cost, unless serviceWorkers is
   * 'allow'.
   */
  async open(path = '/', { throttle, until = 'load', ...options } = {}) {
    const context = await this.browser.newContext({ baseURL: this.origin, serviceWorkers: 'block', ...granted,
      ...this.#options.context, ...options });
    context.setDefaultTimeout(60_000);
    const visit = new Visit(this, context);
    this.#visits.add(visit);
    await visit.tab(path, { throttle, until });
    return visit;
  }

  /**
   * A browser whose profile lies in a folder, so that what pages save outlives it. Returns its context, with one tab:
   * close it to end the browser.
   */
  async profile(folder) {
    const context = await chromium.launchPersistentContext(folder, {
      executablePath: program, baseURL: this.origin, ...granted, ...this.#options.context,
      args: [...flags, ...(this.#options.flags ?? []), `--proxy-server=http://127.0.0.1:${this.#gate.address().port}`],
    });
    context.setDefaultTimeout(60_000);
    return context;
  }

  /**
   * A visit that tests share. `open` opens it; the function that is returned hands it to a test, opened when the first
   * one asks, and
   * asserts at the end of each what done() does. A test leaves the page as it found it, by itself or by `back`, which
   * is called where
   * something differs, with the visit and with a function that says whether all is as it was. Where it is not, or where
   * a test fails,
   * the visit ends, and the next test gets a fresh one: no test depends on what another did.
   */
  kept(open, back = async () => {}) {
    let kept;
    return async (look) => {
      const { visit, was } = kept ??
        (await (async () => { const visit = await open(); return { visit, was: await appearance(visit) }; })());
      kept = undefined;
      visit.again();
      try {
        const answer = await look(visit);
        const same = async () => (await appearance(visit)) === was;
        const put = (await same()) || (await back(visit, same).catch(() => {}), await same());
        await visit.well();
        if (put) kept = { visit, was };
        else await visit.close();
        return answer;
      } catch (e) {
        await visit.close();
        throw e;
      }
    };
  }

  forget(visit) {
    this.#visits.delete(visit);
  }
}

// Slides of a lesson ask whether the site has an edge. The browser logs the 404 of one that has none.
const noEdge = (message) => /\b404\b/.test(message.text()) && message.location().url.endsWith('/api/v1/backends');

/** A profile with one or more tabs, and what went wrong in it. */
class Visit {
  /** What the policy refused: {directive, blocked, source}. */
  violations = [];
  /** Uncaught errors and lines that the console marks as errors. */
  errors = [];
  #lab;
  #leaksBefore;

  constructor(owner, context) {
    this.#lab = owner;
    this.#leaksBefore = owner.leaks.length;
    this.context = context;
    context.on('weberror', (e) => this.errors.push(String(e.error().stack ?? e.error())));
    context.on('console', (message) => {
      const text = message.text();
      if (text.startsWith('rankbox-violation ')) this.violations.push(JSON.parse(text.slice(18)));
      else if (message.type() === 'error' && !noEdge(message)) this.errors.push(`${text} (${message.location().url})`);
    });
  }

  /** Opens another tab of the same profile, and makes it `page`. */
  async tab(path, { throttle, until = 'load' } = {}) {
    this.page = telling(await this.context.newPage());
    await this.page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (e) => {
        const seen = { directive: e.effectiveDirective, blocked: e.blockedURI,
          source: `${e.sourceFile}:${e.lineNumber}`, sample: e.sample };
        console.log(`rankbox-violation ${JSON.stringify(seen)}`);
      });
    });
    if (throttle) await this.throttle(throttle);
    this.response = await this.page.goto(path, { waitUntil: until });
    return this.page;
  }

  /** Slows the tab down: cpu is a factor, network one of `networks` by name or by value. */
  async throttle({ cpu, network }) {
    const cdp = await this.context.newCDPSession(this.page);
    if (cpu) await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpu });
    if (network) {
      await cdp.send('Network.enable');
      await cdp.send('Network.emulateNetworkConditions', typeof network === 'string' ? networks[network] : network);
    }
    return cdp;
  }

  /** Waits until a service worker controls the tab. */
  async controlled() {
    await this.page.waitForFunction(() => navigator.serviceWorker?.controller?.state === 'activated', null,
      { timeout: 240_000 });
  }

  /** Waits until a newer version of the service worker is fetched whole and waits for the tabs of the old one to
   * close. */
  async updated() {
    await this.page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      for (let i = 1; !registration.waiting; i++) {
        if (i > 1200) throw new Error(
          `no newer version waits after a minute; installing: ${registration.installing?.state}, active: ${registration.active?.state}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
        // one that broke off is tried again, as at the next visit
        if (i % 100 === 0) registration.update().catch(() => {});
      }
    });
  }

  /** Runs axe-core and returns what it finds against WCAG 2.2 A and AA, or against some of its rules, one line each,
   * once nothing moves; [] is the aim. */
  async accessibility(what = accessible) {
    // lists are dimmed while an answer is awaited
    await this.page.waitForFunction(() => !document.querySelector('#columns[data-of=""], #quick[aria-busy="true"]'),
      null, { timeout: 10_000 }).catch(() => {});
    // rows that slide stand over others, and colours that fade are no colours yet
    await this.page.evaluate(() => document.getAnimations().forEach((a) => a.effect.getTiming().iterations !==
      Infinity && a.finish()));
    const cdp = await this.context.newCDPSession(this.page);
    // through the protocol, since the policy of the page admits no foreign script
    const loaded = await cdp.send('Runtime.evaluate', { expression: await axe() });
    assert.ok(!loaded.exceptionDetails, JSON.stringify(loaded.exceptionDetails));
    const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
      expression: `axe.run(document, { runOnly: ${JSON.stringify(what)} }).then((r) => JSON.stringify(r.violations))`,
      awaitPromise: true,
    });
    assert.ok(!exceptionDetails, JSON.stringify(exceptionDetails));
    await cdp.detach();
    return JSON.parse(result.value)
      .flatMap((v) => v.nodes.map((n) => `${v.id} (${v.impact}): ${n.target.join(' ')}: ${v.help}`));
  }

  /** The same in light and in dark, where what colours decide is looked at again. Pictures of both are saved under a
   * name, where there is one. */
  async accessibilityInBoth(name) {
    const found = await this.accessibility();
    if (name) await this.shot(`${name}-light`);
    await this.page.emulateMedia({ colorScheme: 'dark' });
    found.push(...(await this.accessibility({ type: 'rule', values: ['color-contrast', 'link-in-text-block'] }))
      .map((f) => `in dark: ${f}`));
    if (name) await this.shot(`${name}-dark`);
    await this.page.emulateMedia({ colorScheme: 'light' });
    return found;
  }

  /** The width in CSS pixels by which the page is wider than its window: 0 is the aim. */
  async overflow() {
    return this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  }

  /** Saves a picture into $RANKBOX_SHOTS, where that is set. */
  async shot(name, options = {}) {
    if (!process.env.RANKBOX_SHOTS) return;
    await mkdir(process.env.RANKBOX_SHOTS, { recursive: true });
    await this.page.screenshot({ path: join(process.env.RANKBOX_SHOTS, `${name}.png`), fullPage: true, ...options });
  }

  /** Asserts that nothing went wrong, nothing was refused and nothing left the origin, and ends the visit. */
  async done() {
    await this.well();
    await this.close();
  }

  /** Leaves what left the origin until now to those who made it. */
  again() {
    this.#leaksBefore = this.#lab.leaks.length;
  }

  /** Asserts that nothing went wrong, nothing was refused and nothing left the origin. */
  async well() {
    // what a page did last is reported before this answers
    for (const page of this.context.pages()) await page.evaluate(() => 0).catch(() => {});
    assert.deepEqual(this.violations, [], 'the policy refused something');
    assert.deepEqual(this.errors, [], 'the console has errors');
    assert.deepEqual(this.#lab.leaks.slice(this.#leaksBefore), [], 'something left the origin');
  }

  async close() {
    this.#lab.forget(this);
    await this.context.close();
  }
}

/**
 * All that a reader sees of a page, and what it keeps, without notices, the time that something took and the amount of
 * memory. Where the
 * page is scrolled to, what has the focus and what is under the pointer is put back.
 */
async function appearance({ page, context }) {
  await page.mouse.move(0, 0);
  return page.evaluate((tabs) => {
    document.activeElement?.blur();
    scrollTo(0, 0);
    const fields = [...document.querySelectorAll('input, select, textarea')].map((e) => [e.value, e.checked]);
    const body = document.body.cloneNode(true);
    for (const e of body.querySelectorAll('.messages[role=status], footer.status')) e.remove();
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    return JSON.stringify([tabs, location.href, innerWidth, innerHeight, dark, { ...localStorage },
      { ...sessionStorage }, fields, body.outerHTML.replace(/\b\d+\.\d+ s\b/g, '')]);
  }, context.pages().length);
}

/** Waits until the program runs and the demo collection is open. */
export const ready = (page) => page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'ready',
  null, { timeout: 240_000 });

/**
 * Waits until what is on the clipboard begins so, and returns it. What waitForFunction asks must not be async: a
 * promise is an answer to it.
 */
export const clipboard = (page, begins) => page.evaluate(async (start) => {
  for (;;) {
    const text = await navigator.clipboard.readText();
    if (text.startsWith(start)) return text;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}, begins);

/** Waits until a system of Search shows results of the query that stands in the box, and of no earlier one. */
export const results = (page, system = 0, options = { timeout: 60_000 }) => page.waitForFunction((i) => {
  const [of, judged] = [document.querySelector('#columns')?.dataset.of, document.querySelector('#judged')];
  return of && of === document.querySelector('#q').value &&
    (!judged?.value || judged.selectedOptions[0].textContent === of)
    && document.querySelectorAll(`#system-${i} ol.hits > li`).length > 0;
}, system, options);

/** An address of Search that asks for these names and values, with the checksum that the page holds it against. */
export const asking = (...parts) => {
  const escaped = (text) =>
    text.replace(/[^a-zA-Z0-9._,=-]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const text = ['v=1', 'page=search', ...parts.map(([name, value]) => `${name}=${escaped(value)}`)].join('&');
  return `/search#${text}&x=${crc32(text).toString(16).padStart(8, '0')}`;
};

/** Presses a line of one of the header's menus, which is opened first. */
export async function choose(page, line) {
  const menu = await page.locator(line).evaluate((e) => e.closest('.menu').id);
  await page.locator(`[popovertarget="${menu}"]`).click();
  await page.locator(line).click();
}

/** Opens the settings of Search, where they are not open. */
export async function tune(page) {
  if (!(await page.locator('#settings').isVisible())) await page.locator('#tune').click();
  await page.locator('#settings').waitFor();
}

/** Waits for the report of a comparison, another one than `not`, and returns its hash. */
export const reported = (page, not = '') => page.waitForFunction((n) => {
  const r = document.getElementById('page').dataset.report; return r && r !== n && r;
}, not, { timeout: 240_000 }).then((h) => h.jsonValue());

/** Lets the page draw twice and do what it has put off, for what must not have happened by then. */
export const drawn = (page) =>
  page.evaluate(() => new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));

/** Asks again and again until a condition holds, and fails if it does not within ms. */
export async function until(condition, ms = 60_000) {
  for (const end = Date.now() + ms; !(await condition()); await new Promise((next) => setTimeout(next, 50))) {
    assert.ok(Date.now() < end, `not within ${ms} ms: ${condition}`);
  }
}

/** Waits until no request has been added to a list for a while. */
export async function quiet(requests, ms = 1500) {
  for (let n = -1; n !== requests.length;) {
    n = requests.length;
    await new Promise((next) => setTimeout(next, ms));
  }
}

/** What does not fit on a slide of 1280 × 720, or is smaller than 24 pixels, also in drawings. */
export const overfull = (page) => page.evaluate(() => {
  const shown = (e) => e.getClientRects().length > 0 && !e.closest('.sr, svg');
  const low = document.querySelector('.slide .turn').getBoundingClientRect().top + 1;
  return [...document.querySelectorAll('.slide *:not(.turn, .turn *)')].filter(shown).flatMap((e) => {
    const text = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    return [
      ...(e.getBoundingClientRect().bottom > low ? [`too low: ${e.outerHTML.slice(0, 80)}`] : []),
      ...(text && parseFloat(getComputedStyle(e).fontSize) < 23.9
        ? [`too small: ${e.outerHTML.slice(0, 80)}`] : []),
    ];
  }).concat([...document.querySelectorAll('.slide svg text')].flatMap((e) => {
    const size = parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a;
    const [box, text] = [e.ownerSVGElement, e].map((x) => x.getBoundingClientRect());
    const out = text.left < box.left - 1 || text.right > box.right + 1 || text.bottom > low;
    return [...(size < 23.9 ? [`too small: ${e.textContent}, ${size.toFixed(1)} px`] : []),
      ...(out ? [`cut off: ${e.textContent}`] : [])];
  })).concat(document.documentElement.scrollWidth > innerWidth ? ['too wide'] : [],
    low + 40 > innerHeight ? ['too high'] : []);
});

/** Waits until nothing of a comparison is being worked at. */
export const settled = (page) =>
  page.waitForFunction(() => document.querySelector('.compare')?.getAttribute('aria-busy') === 'false', null,
    { timeout: 240_000 });

/** An element of Evaluate, once the tab that it is on is open. options are those of a locator. */
export async function shown(page, selector, options) {
  const tab = await page.locator(selector, options).first()
    .evaluate((e) => e.closest('[role=tabpanel][hidden]')?.getAttribute('aria-labelledby') ?? '');
  if (tab) await page.locator(`#${tab}`).click();
  if (await page.locator(selector, options).first()
    .evaluate((e) => Boolean(e.closest('#read[hidden]')))) await page.locator('#add-runs').click();
  return page.locator(selector, options);
}

/** Takes back what was done to a comparison, for Lab.kept: step by step, until nothing differs or the files
 * themselves are taken back. */
export async function undone({ page }, same) {
  for (let i = 0; i < 14 && !(await same()) && await page.locator('#query-table').count() > 0; i++) {
    if (await page.locator('#warning li').count() > 0) await page.locator('.chips [aria-expanded=true]').click();
    if (await page.locator('#panel-board').isHidden()) await page.locator('#tab-board').click();
    if (await same()) return;
    await page.locator('main').focus();
    await page.keyboard.press('Control+z');
    await settled(page);
    if (await page.locator('#queries-back:enabled').count() > 0) await (await shown(page, '#queries-back')).click();
    await page.waitForFunction(() => !document.querySelector('#query-table tbody tr') ||
      document.querySelector('#query-table .because'), null, { timeout: 10_000 });
  }
  if (await page.locator('#panel-board').isHidden()) await page.locator('#tab-board').click();
}

/** What a camera sees: the pixels of an element. */
export async function pixels(visit, locator) {
  const png = (await locator.screenshot()).toString('base64');
  const blank = await visit.context.newPage();
  const { data, width, height } = await blank.evaluate(async (png) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (c) => c.charCodeAt(0))]));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    return { data: [...data], width: image.width, height: image.height };
  }, png);
  await blank.close();
  return [new Uint8ClampedArray(data), width, height];
}

/** Drops files on an element as a mouse does. files: [[name, text]]. */
export async function drop(page, selector, files) {
  const data = await page.evaluateHandle((list) => {
    const t = new DataTransfer();
    for (const [name, text] of list) t.items.add(new File([text], name));
    return t;
  }, files);
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent(selector, type,
    { dataTransfer: data });
}

const downloads = []; // when they were asked for: Chromium drops the eleventh of a second

/** Presses a button that saves a file, and returns its name and bytes. */
export async function saved(page, button) {
  while (Date.now() - downloads.at(-10) < 1200) await new Promise((resolve) => setTimeout(resolve, 50));
  downloads.push(Date.now());
  const [download] = await Promise.all([page.waitForEvent('download'), (await shown(page, button)).click()]);
  return { name: download.suggestedFilename(), path: await download.path(),
    bytes: await readFile(await download.path()) };
}

let axeSource;
function axe() {
  return (axeSource ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
}

/** Makes a folder for files of a test outside of the browser. It goes when this program ends. */
export async function scratch() {
  const path = await mkdtemp(join(tmpdir(), 'rankbox-'));
  process.on('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}

let command;
/** The path of the command line: $RANKBOX_COMMAND, or compiled once. */
export function commandLine() {
  if (process.env.RANKBOX_COMMAND) return process.env.RANKBOX_COMMAND;
  return (command ??= (async () => {
    const path = join(await scratch(), 'rankbox');
    await promisify(execFile)('go', ['build', '-o', path, './cmd/rankbox'], { cwd: root });
    return path;
  })());
}

let tool;
/** The path of the compiled build tool: $RANKBOX_BUILD, or compiled now. */
export function buildTool() {
  if (process.env.RANKBOX_BUILD) return process.env.RANKBOX_BUILD;
  const path = join(root, '.cache', 'bin', 'build');
  return (tool ??= promisify(execFile)('go', ['build', '-o', path, './build'], { cwd: root }).then(() => path));
}

function listen(server) {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => resolve(server.address().port));
  });
}

/** A page whose waits say, where they end in vain, what the page showed by then. */
function telling(page) {
  for (const name of ['waitForFunction', 'waitForSelector']) {
    const wait = page[name].bind(page);
    page[name] = async (...given) => {
      try {
        return await wait(...given);
      } catch (e) {
        const shows = page.isClosed() ? 'closed' : await page.evaluate(() => {
          const text = (query) => [...document.querySelectorAll(query)].map((e) => e.textContent).join(' ')
            .replace(/\s+/g, ' ').slice(0, 600);
          const { phase, shows } = document.getElementById('page')?.dataset ?? {};
          return JSON.stringify({ url: location.href.slice(0, 300), phase, shows, messages: text('.messages'),
            status: text('footer.status'), trouble: text('#trouble'), main: text('main') });
        }).catch((x) => x.message);
        throw Object.assign(new Error(`${e.message}\nThe page showed: ${shows}`, { cause: e }), { name: e.name });
      }
    };
  }
  return page;
}
