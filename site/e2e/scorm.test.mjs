// Nightly: a learning management system.
// A lesson as a SCORM 1.2 package, in a course system whose side of the interface is scorm-again 3.4.3.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { promisify } from 'node:util';
import { buildTool, lab, root, scratch } from './harness.mjs';

const rankbox = lab();
const runtime = join(root, 'node_modules/scorm-again/dist/scorm12.min.js');
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2' };

// The course: a page with the interface, which starts it with what an earlier attempt left, around the package.
const course = `<!doctype html><html lang="en"><title>Course</title><script src="/runtime.js"></script><script>
  window.API = new Scorm12API({ autocommit: false, logLevel: 5 });
  window.API.loadFromJSON(JSON.parse(decodeURIComponent(location.hash.slice(1) || '%7B%7D')), 'cmi');
</script><iframe title="Lesson" src="/package/index.html" width="1200" height="2000"></iframe></html>`;
let folder = '';
let asked = [];
const server = createServer(async ({ url }, response) => {
  asked.push(url);
  const name = url.split('?')[0];
  const body = name === '/' ? course : await readFile(name === '/runtime.js' ? runtime
    : join(folder, name.replace(/^\/package\//, ''))).catch(() => null);
  const type = name === '/' ? 'text/html' : (types[extname(name)] ?? 'text/plain');
  response.writeHead(body === null ? 404 : 200, { 'Content-Type': `${type}; charset=utf-8` }).end(body ?? '');
});
before(async () => {
  const out = await scratch();
  await promisify(execFile)(await buildTool(), ['scorm', '-unpacked', '-lessons', 'ap', '-out', out], { cwd: root });
  folder = join(out, 'ap');
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
});
after(() => server.close());

async function attempt(before = {}) {
  const visit = await rankbox.open('about:blank', { viewport: { width: 1280, height: 900 } });
  const at = `http://127.0.0.1:${server.address().port}/#${encodeURIComponent(JSON.stringify(before))}`;
  await visit.page.goto(at);
  const lesson = visit.page.frameLocator('iframe');
  await lesson.locator('#scorm-note').waitFor();
  const cmi = () => visit.page.evaluate(() => ({
    status: window.API.cmi.core.lesson_status,
    raw: window.API.cmi.core.score.raw,
    max: window.API.cmi.core.score.max,
    data: window.API.cmi.suspend_data,
    error: window.API.lmsGetLastError(),
  }));
  return { visit, lesson, cmi };
}

/** The variants of the package's exercises, and which of them an attempt asks. */
async function asks({ cmi }) {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const all = JSON.parse(page.match(/<script type="application\/json" id="exercises">(.*?)<\/script>/s)[1]);
  const chosen = (await cmi()).data.split(',').map((part) => Number(part.split('.')[0]));
  return all.map((variants, i) => variants[chosen[i]]);
}

test('a course system hears of the score and of completion, and a second visit goes on', async () => {
  let at = await attempt();
  const { lesson } = at;
  assert.deepEqual(await at.cmi().then(({ status, raw, max, error }) => [status, raw, max, error]),
    ['incomplete', '0', '100', '0']);
  const [chosen, typed] = await asks(at);
  assert.equal(await lesson.locator('[data-exercise]').count(), 2);
  assert.match(await lesson.locator('h1').textContent(), /Average precision/);
  assert.equal(await lesson.locator('a[href^="/"], .sheet, .remix').count(), 0);

  // the first answer to the first exercise is right, and to the second one wrong in a way that is known
  const first = lesson.locator('[data-exercise="0"]');
  await first.locator('.option').nth(chosen.options.findIndex((o) => Math.abs(o.value - chosen.answer) < 1e-9)).click();
  assert.equal(await first.locator('.said').textContent(), chosen.right);
  assert.match(chosen.right, /^Right: /);
  assert.ok(await first.locator('.option').first().isDisabled());
  let now = await at.cmi();
  assert.deepEqual([now.status, now.raw, now.error], ['incomplete', '50', '0']);
  const second = lesson.locator('[data-exercise="1"]');
  const answer = async (text) => {
    await second.locator('input').fill(text);
    await second.locator('button').click();
    return second.locator('.said').textContent();
  };
  assert.equal(await answer('abc'), 'That is no number. Write 0.75 or 3/4.');
  assert.equal(await answer(String(typed.wrong[0].value)), typed.wrong[0].says);
  assert.match(typed.wrong[0].says, /^Not yet\. You seem to have /);
  assert.equal(await answer('17'), typed.other);
  assert.deepEqual([(await at.cmi()).status, (await at.cmi()).raw], ['incomplete', '50']);

  // the page is left, and a later visit goes on where it was
  await at.visit.page.evaluate(() => document.querySelector('iframe').remove());
  await at.visit.page.waitForFunction(() => window.API.isTerminated?.() ?? window.API.currentState === 2);
  now = await at.cmi();
  const core = await at.visit.page.evaluate(() => JSON.parse(JSON.stringify(window.API.cmi.core)));
  assert.match(core.session_time, /^\d{2,4}:\d{2}:\d{2}$/);
  assert.equal(core.exit, 'suspend');
  await at.visit.done();
  at = await attempt({ suspend_data: now.data, core: { lesson_status: 'incomplete', entry: 'resume' } });
  assert.equal(await at.lesson.locator('[data-exercise="0"] .said').textContent(), chosen.right);
  assert.equal((await asks(at))[1].question, typed.question);
  const again = at.lesson.locator('[data-exercise="1"]');
  await again.locator('input').fill(String(typed.answer).replace('.', ','));
  await again.locator('button').click();
  assert.equal(await again.locator('.said').textContent(), typed.right);
  const end = await at.cmi();
  assert.deepEqual([end.status, end.raw, end.error], ['completed', '50', '0'], 'a later right answer completes');
  await at.visit.done();
  assert.ok(asked.every((u) => u === '/' || u === '/runtime.js' || u === '/favicon.ico' || u.startsWith('/package/')));
});

test('without a course system the page says that nothing is reported', async () => {
  asked = [];
  const visit = await rankbox.open('about:blank');
  await visit.page.goto(`http://127.0.0.1:${server.address().port}/package/index.html`);
  assert.match(await visit.page.locator('#scorm-note').textContent(), /nothing is reported\.$/);
  assert.deepEqual(await visit.accessibilityInBoth('scorm-lesson'), []);
  await visit.page.setViewportSize({ width: 390, height: 844 });
  assert.ok((await visit.overflow()) <= 0);
  await visit.close();
});
