// Browsers other than Chromium, driven with nothing but Node: Firefox over Marionette, which it speaks itself, and
// WebKitGTK over WebDriver, which its WebKitWebDriver speaks. The commands are those of the W3C's WebDriver in both;
// each start is a process and a profile of its own.
//
//     const browser = await engines.Firefox();   // null where it is not installed
//     await browser.open(`${rankbox.origin}/search`);
//     await browser.type('#q', 'harbour');
//     await browser.until(() => document.querySelectorAll('ol.hits > li').length > 0);
//     await browser.end();
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const patience = 60_000; // ms for whatever is waited for
const element = 'element-6066-11e4-a52e-4f735466cecf'; // the key of an element in JSON (WebDriver, section 12)

/** The engines by name: each starts a browser, or gives null where it is not installed. */
export const engines = { Firefox: firefox, WebKitGTK: webkit };

/** A browser with one tab, which the test drives. */
class Browser {
  version = '';
  #send;
  #end;
  #own;

  /**
   * send(name, params) carries out one of `commands`; end() ends the processes. own.downloads is the folder that it
   * saves files into, own.crash() kills the browser, starts it again over the same profile and returns its send. Where
   * the driver has either not, it is left out.
   */
  constructor(send, end, own = {}) {
    this.#send = send;
    this.#end = end;
    this.#own = own;
  }

  async start() {
    const { capabilities } = await this.#send('NewSession', { capabilities: { alwaysMatch: {} } });
    this.version = `${capabilities.browserName} ${capabilities.browserVersion}`;
    await this.#send('SetTimeouts', { script: patience, pageLoad: patience });
    return this;
  }

  async end() {
    await this.#send('DeleteSession').catch(() => {}); // a browser that hangs is ended below
    await this.#end();
  }

  /** Opens an address and waits until it has loaded. */
  open(url) {
    return this.#send('Navigate', { url });
  }

  /** Loads the page again. WebKit's driver may answer before the old one has gone. */
  async reload() {
    await this.run(() => void (globalThis.isBefore = true));
    await this.#send('Refresh');
    await this.until(() => !globalThis.isBefore && document.readyState === 'complete');
  }

  /** Drives a new tab, and closes the one before as it is, whatever it does. */
  async abandon() {
    const { handle } = await this.#send('NewWindow', { type: 'tab' });
    await this.#send('CloseWindow');
    await this.#send('SwitchToWindow', { handle });
  }

  /** Kills the browser and starts it again over the same profile; false where each start has a profile of its own. */
  async crash() {
    if (!this.#own.crash) return false;
    this.#send = await this.#own.crash();
    await this.start();
    return true;
  }

  /** Presses a key wherever the focus is. */
  press(key) {
    const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: key }));
    return this.#send('PerformActions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  /**
   * Does what makes the page save a file, and returns {name, bytes}. Where the driver saves none, the bytes are taken
   * from what the page gives the browser to save.
   */
  async saved(act) {
    const folder = this.#own.downloads;
    if (!folder) {
      await this.run(() => {
        const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => {
          globalThis.given = blob;
          return make.call(URL, blob);
        };
        addEventListener('click', (e) => e.target.download && (globalThis.givenName = e.target.download), true);
      });
      await act();
      await this.until(() => globalThis.given && globalThis.givenName);
      const [name, text] = await this.run(async () => {
        const reader = new FileReader();
        await new Promise((done) => {
          reader.onload = done;
          reader.readAsDataURL(globalThis.given);
        });
        return [globalThis.givenName, reader.result.split(',')[1]];
      });
      return { name, bytes: Buffer.from(text, 'base64') };
    }
    const before = await readdir(folder);
    await act();
    for (const end = Date.now() + patience; ; await pause(100)) {
      const now = (await readdir(folder)).filter((n) => !before.includes(n));
      // what is on its way has a second file beside it, or is empty still
      if (now.length === 1 && !now[0].endsWith('.part')) {
        const bytes = await readFile(join(folder, now[0]));
        if (bytes.length) return { name: now[0], bytes };
      }
      if (Date.now() > end) throw new Error(`no file was saved in a minute: ${now}`);
    }
  }

  /** Runs a function in the page and gives what it, or its promise, returns. */
  async run(fn, ...args) {
    const script = `const done = arguments[arguments.length - 1], args = Array.prototype.slice.call(arguments, 0, -1);
      (async () => (${fn})(...args))().then((value) => done({ value }), (e) => done({ error: String(e && e.stack || e) }));`;
    const { value, error } = await this.#send('ExecuteAsyncScript', { script, args });
    if (error) throw new Error(error);
    return value;
  }

  /** Waits until a function gives something true in the page, and gives that. A page that is on its way to another
   * one is waited for too. */
  async until(fn, ...args) {
    for (const end = Date.now() + patience; ; await pause(50)) {
      let why = '';
      const value = await this.run(fn, ...args).catch((e) => void (why = e.message));
      if (value) return value;
      if (Date.now() > end) {
        throw new Error(`a minute has passed: ${why} ${fn}\nThe page showed: ${await this.#shows()}`);
      }
    }
  }

  #shows() {
    return this.run(() => {
      const text = (selector) => [...document.querySelectorAll(selector)].map((e) => e.textContent).join(' ')
        .replace(/\s+/g, ' ').slice(0, 600);
      const { phase } = document.getElementById('page')?.dataset ?? {};
      return JSON.stringify({
        url: location.href.slice(0, 300),
        phase,
        messages: text('.messages'),
        status: text('footer.status'),
        columns: text('#columns'),
        main: text('main'),
      });
    }).catch((e) => e.message);
  }

  async #find(selector) {
    await this.until((s) => document.querySelector(s) !== null, selector);
    return (await this.#send('FindElement', { using: 'css selector', value: selector }))[element];
  }

  /** Clicks once the element stands still: a driver clicks where it was. */
  async click(selector) {
    await this.until(async (selector) => {
      const e = document.querySelector(selector);
      const at = () => JSON.stringify(e.getBoundingClientRect());
      e?.scrollIntoView({ block: 'center', behavior: 'instant' }); // away from what stands at the edges
      const before = e && at();
      await new Promise((later) => setTimeout(later, 100));
      return e?.isConnected && at() === before;
    }, selector);
    await this.#send('ElementClick', { id: await this.#find(selector) });
  }

  /** Types with the keyboard. */
  async type(selector, text) {
    await this.#send('ElementSendKeys', { id: await this.#find(selector), text });
  }

  /** Chooses files in a field for files. */
  files(selector, paths) {
    return this.type(selector, paths.join('\n'));
  }

  /** Saves a picture into $RANKBOX_SHOTS, where that is set. */
  async shot(name) {
    if (!process.env.RANKBOX_SHOTS) return;
    await mkdir(process.env.RANKBOX_SHOTS, { recursive: true });
    await writeFile(join(process.env.RANKBOX_SHOTS, `${name}.png`), await this.#send('TakeScreenshot'), 'base64');
  }

  /** What axe-core finds, one line each, by rules of these tags. */
  async accessibility(tags) {
    const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const script = `const done = arguments[arguments.length - 1]; ${source};
      axe.run(document, { runOnly: ${JSON.stringify(tags)} }).then((r) => done(JSON.stringify(r.violations)), (e) => done(JSON.stringify(String(e))));`;
    const violations = JSON.parse(await this.#send('ExecuteAsyncScript', { script, args: [] }));
    assert.ok(Array.isArray(violations), violations);
    return violations.flatMap((v) => v.nodes.map((n) => `${v.id} (${v.impact}): ${n.target.join(' ')}: ${v.help}`));
  }
}

// The commands as WebDriver has them over HTTP. Marionette has the same ones by name.
const commands = {
  DeleteSession: ['DELETE', ''],
  SetTimeouts: ['POST', '/timeouts'],
  Navigate: ['POST', '/url'],
  Refresh: ['POST', '/refresh'],
  NewWindow: ['POST', '/window/new'],
  CloseWindow: ['DELETE', '/window'],
  SwitchToWindow: ['POST', '/window'],
  PerformActions: ['POST', '/actions'],
  ExecuteAsyncScript: ['POST', '/execute/async'],
  FindElement: ['POST', '/element'],
  TakeScreenshot: ['GET', '/screenshot'],
  ElementClick: ['POST', '/element/ID/click'],
  ElementSendKeys: ['POST', '/element/ID/value'],
};

async function firefox() {
  const program = process.env.FIREFOX || onPath('firefox-esr') || onPath('firefox');
  if (!program) return null;
  const profile = await mkdtemp(join(tmpdir(), 'rankbox-firefox-'));
  const downloads = join(profile, 'saved');
  await mkdir(downloads);
  const settings = {
    'marionette.port': 0, // any; it is written into the profile
    'browser.shell.checkDefaultBrowser': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'toolkit.telemetry.enabled': false,
    'app.update.disabledForTesting': true,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'browser.sessionstore.resume_from_crash': false,
    'toolkit.startup.max_resumed_crashes': -1,
    'browser.download.folderList': 2, // the folder below
    'browser.download.dir': downloads,
    'browser.download.always_ask_before_handling_new_types': false,
  };
  await writeFile(join(profile, 'user.js'),
    Object.entries(settings).map(([k, v]) => `user_pref(${JSON.stringify(k)}, ${JSON.stringify(v)});\n`).join(''));
  const file = join(profile, 'MarionetteActivePort');
  let process_, gone;
  const begin = async () => {
    process_ = spawn(program, ['--headless', '--marionette', '--no-remote', '--profile', profile], { stdio: 'ignore' });
    gone = ended(process_);
    return marionette(await soon(async () => Number(await readFile(file, 'utf8').catch(() => 0)), process_));
  };
  const kill = async () => {
    process_.kill('SIGKILL');
    await gone;
  };
  const end = async () => {
    await kill(); // it has nothing to keep
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  const crash = async () => {
    await kill();
    await rm(file, { force: true });
    return begin();
  };
  try {
    return await new Browser(await begin(), end, { downloads, crash }).start();
  } catch (e) {
    await end();
    throw e;
  }
}

// Marionette: each message is its length in bytes, a colon and JSON: [0, id, command, params] there, [1, id, error,
// result] back.
async function marionette(port) {
  const socket = connect(port, '127.0.0.1');
  const waiting = new Map();
  let bytes = Buffer.alloc(0);
  let greeted;
  const greeting = new Promise((resolve) => (greeted = resolve));
  const lost = (e) => {
    for (const { reject } of waiting.values()) reject(e);
    waiting.clear();
  };
  socket.on('error', lost).on('close', () => lost(new Error('the browser has gone')));
  socket.on('data', (part) => {
    bytes = Buffer.concat([bytes, part]);
    for (let colon; (colon = bytes.indexOf(':')) >= 0; ) {
      const from = colon + 1, to = from + Number(bytes.subarray(0, colon));
      if (bytes.length < to) return;
      const message = JSON.parse(bytes.subarray(from, to).toString());
      bytes = bytes.subarray(to);
      if (!Array.isArray(message)) {
        greeted();
        continue;
      }
      const [, id, error, result] = message;
      const { resolve, reject, name } = waiting.get(id);
      waiting.delete(id);
      if (error) reject(new Error(`${name}: ${error.error}: ${error.message}`));
      else resolve(result && Object.keys(result).join() === 'value' ? result.value : result);
    }
  });
  await greeting;
  let last = 0;
  return (name, params = {}) => new Promise((resolve, reject) => {
    if (socket.destroyed) return reject(new Error('the browser has gone'));
    waiting.set(++last, { resolve, reject, name });
    const text = JSON.stringify([0, last, `WebDriver:${name}`, params]);
    socket.write(`${Buffer.byteLength(text)}:${text}`);
  });
}

async function webkit() {
  const driver = onPath('WebKitWebDriver'), display = onPath('Xvfb');
  if (!driver || !(display || process.env.DISPLAY)) return null;
  const own = [];
  const home = await mkdtemp(join(tmpdir(), 'rankbox-webkit-'));
  const end = async () => {
    for (const [p, gone] of own.reverse()) {
      p.kill('SIGTERM');
      await gone;
    }
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  const begin = (program, args, options) => {
    const p = spawn(program, args, options);
    own.push([p, ended(p)]);
    return p;
  };
  try {
    const env = { ...process.env, HOME: home, XDG_CACHE_HOME: join(home, 'cache'), XDG_DATA_HOME: join(home, 'data'),
      XDG_CONFIG_HOME: join(home, 'config') };
    if (display) {
      const x = begin(display, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'],
        { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
      let number = '';
      x.stdio[3].on('data', (part) => (number += part));
      await soon(async () => number.endsWith('\n'), x);
      env.DISPLAY = `:${number.trim()}`;
      env.GDK_BACKEND = 'x11';
    }
    const port = await free();
    const driving = begin(driver, ['-p', String(port)], { stdio: 'ignore', env });
    const base = `http://127.0.0.1:${port}`;
    await soon(() => fetch(`${base}/status`).then((r) => r.ok, () => false), driving);
    let session = '';
    const send = async (name, { id = '', ...params } = {}) => {
      const [method, path] = name === 'NewSession' ? ['POST', '/session'] : commands[name];
      const answer = await fetch(`${base}${session}${path.replace('ID', id)}`, {
        method,
        body: method === 'POST' ? JSON.stringify(params) : undefined,
        headers: { 'content-type': 'application/json' },
        signal: AbortSignal.timeout(2 * patience),
      });
      const { value } = await answer.json();
      if (!answer.ok) throw new Error(`${name}: ${value.error}: ${value.message}`);
      if (name === 'NewSession') session = `/session/${value.sessionId}`;
      return value;
    };
    return await new Browser(send, end).start();
  } catch (e) {
    await end();
    throw e;
  }
}

const ended = (process_) => new Promise((resolve) => process_.on('exit', resolve).on('error', resolve));

// Waits until a function gives something true, while a process lives.
async function soon(fn, process_) {
  for (const end = Date.now() + patience; ; await pause(50)) {
    const value = await fn();
    if (value) return value;
    if (process_.exitCode !== null) throw new Error(`${process_.spawnfile} ended with ${process_.exitCode}`);
    if (Date.now() > end) throw new Error(`${process_.spawnfile} has not started in a minute`);
  }
}

function free() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function onPath(name) {
  return (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)).find(existsSync);
}
