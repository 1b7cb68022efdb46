// What a visitor sees and does, on the built site, in Chromium.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { choose, commandLine, drawn, lab, ready, results, root, scratch, tune, until } from './harness.mjs';

const rankbox = lab();
const run = promisify(execFile);

const hash = (page) => page.waitForFunction(() => document.getElementById('page').dataset.report, null,
  { timeout: 240_000 }).then((h) => h.jsonValue());
const titles = (page, system) => page.locator(`#system-${system} ol.hits h3`).allTextContents();
const shown = (page, system) => page.locator(`#system-${system} .score .unfold`).textContent();
const rested = (page) => page.waitForFunction(() => document.getElementById('status').textContent === 'Ready');

async function search(path = '/search', options) {
  const visit = await rankbox.open(path, options);
  await ready(visit.page);
  return visit;
}

/** Moves a slider by the keyboard to a value. */
async function slide(page, name, value) {
  await tune(page);
  await page.locator(`#${name}`).focus();
  for (let i = 0; i < 80; i++) {
    const now = Number(await page.locator(`#${name}`).inputValue());
    if (Math.abs(now - value) < 1e-9) return;
    await page.keyboard.press(now < value ? 'ArrowRight' : 'ArrowLeft');
  }
  assert.fail(`${name} did not reach ${value}`);
}

/** What `rankbox search` and `rankbox eval` say of a pipeline: {query: value} of one measure. */
async function onTheCommandLine(pipeline, measure) {
  const tool = await commandLine();
  const folder = join(root, 'site/collections/harbour-wire');
  const { stdout: ranking } = await run(tool, ['search', '-quiet', folder, '-s', pipeline], { maxBuffer: 1 << 26 });
  const file = join(await scratch(), 'a.run');
  await writeFile(file, ranking);
  const { stdout } = await run(tool, ['eval', '-quiet', '-q', join(folder, 'qrels/test.tsv'), file, measure, '-p',
    '3']);
  return Object.fromEntries(stdout.trim().split('\n').map((line) => {
    const [q, , v] = line.split('\t'); return [q, v];
  }));
}

test('with JavaScript off, the finding, the table, the dots and the links of the comparison are there', async () => {
  const visit = await rankbox.open('/', { javaScriptEnabled: false });
  const { page } = visit;
  assert.match(await page.locator('h1').textContent(), /which search method ranks better/);
  assert.match(await page.locator('#finding').textContent(),
    /^On Harbour Wire \(44 queries\), .+(beats|significantly different|equal)/);
  assert.equal(await page.locator('.duel .col').count(), 2);
  assert.equal(await page.locator('.duel ol.hits > li .grade').count(), 10);
  assert.match(await page.locator('#differ').textContent(), /^Why they differ\. BM25 begins with “.+”/);
  assert.equal(await page.locator('#leaderboard tbody tr').count(), 4);
  assert.match(await page.locator('#leaderboard tbody tr:first-child td:nth-of-type(1)').textContent(), /0\.\d{3}/);
  assert.equal(await page.locator('svg.strip path').count(), 176);
  const link = await page.locator('svg.strip a').first().getAttribute('href');
  assert.match(link, /^\/search#v=1&/);
  assert.match(await page.locator('#note').textContent(), /95 % interval .+ p\s[=<≤]\s.+ after Holm over 6 pairs/);
  await page.locator('header nav a', { hasText: 'Search' }).click();
  assert.match(page.url(), /\/search$/);
  assert.ok((await page.locator('#q').count()) === 1);
  assert.match(await page.locator('noscript').textContent(), /^JavaScript is off/);
  assert.equal(await page.locator('#status').isVisible(), false,
    'it says that something is loading, which nothing will');
  await visit.done();
});

test('the program takes the page over without moving or replacing anything in it', async () => {
  const visit = await rankbox.open('/', { until: 'commit' });
  const { page } = visit;
  await page.waitForFunction(() => document.querySelector('#leaderboard tbody tr'));
  await page.evaluate(() => {
    document.querySelectorAll('#page *').forEach((e) => { e.before0 = true; });
    window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const e of list.getEntries()) window.shifts += e.value;
    }).observe({ type: 'layout-shift', buffered: true });
    window.table = document.getElementById('leaderboard').textContent;
  });
  await ready(page);
  await drawn(page);
  const [kept, all, shifts, table] = await page.evaluate(() => {
    const e = [...document.querySelectorAll('#leaderboard *, h1, #quick *, .dots *')];
    return [e.filter((x) => x.before0).length, e.length, window.shifts,
      window.table === document.getElementById('leaderboard').textContent];
  });
  assert.equal(kept, all, 'elements were replaced');
  assert.ok(table, 'the figures changed');
  assert.ok(shifts < 0.01, `layout shift ${shifts}`);
  await visit.done();
});

test('what is typed before the search engine is there is kept and answered', async () => {
  const visit = await rankbox.open('/', { until: 'commit', throttle: { network: 'slow 4G' } });
  const { page } = visit;
  await visit.context.route('**/assets/encoders/**', () => {}); // it never comes: lexical systems wait for no encoder
  await page.locator('#q').fill('ferry aground');
  assert.notEqual(await page.evaluate(() => document.getElementById('page').dataset.phase), 'ready');
  await ready(page);
  await page.waitForFunction(() => /aground/i.test(document.querySelector('#quick ol.hits').textContent));
  assert.equal(await page.locator('#q').inputValue(), 'ferry aground');
  await visit.done();
});

test('loading tells its bytes and can be cancelled; the comparison stays', async () => {
  const visit = await rankbox.open('/', { until: 'commit', throttle: { network: 'slow 4G' } });
  const { page } = visit;
  await page.waitForFunction(() => /Search engine \d+ of \d+ kB/.test(document.getElementById('engine')?.textContent ??
    ''));
  const [done, total] = (await page.locator('#engine').textContent()).match(/(\d+) of (\d+) kB/).slice(1).map(Number);
  assert.ok(done >= 0 && done <= total && total > 500, `${done} of ${total} kB`);
  const given = page.waitForEvent('requestfailed', (r) => /assets\/wasm\/first/.test(r.url()));
  await page.locator('#cancel-loading').click();
  await page.waitForFunction(() => document.getElementById('status').textContent.includes('cancelled'));
  assert.match(await page.locator('#finding').textContent(), /^On Harbour Wire/);
  await given;
  await drawn(page);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.live), undefined);
  // what was cancelled is not missed, though nothing comes any more
  const silent = await visit.context.newPage();
  await silent.route(/assets\/wasm\/first/, () => {});
  await silent.clock.install();
  await silent.goto('/', { waitUntil: 'commit' });
  await silent.locator('#cancel-loading').click();
  await silent.clock.fastForward(8000); // six of them are patience
  assert.equal(await silent.locator('#trouble').count(), 0);
  visit.errors.length = 0; // the browser may log the request that was given up
  await visit.done();
});

test('typing shows results from the first letters, and moving k1 gives the nDCG that the command line prints',
  async () => {
  const visit = await search();
  const { page } = visit;
  await page.locator('#q').pressSequentially('port');
  await results(page);
  const before = await titles(page, 0);
  assert.ok(before.length > 0);
  await page.selectOption('#judged', { index: 3 });
  await results(page);
  await rested(page);
  const query = await page.locator('#judged').inputValue();
  for (const k1 of [0.9, 2.4]) {
    await slide(page, 'k1-a', k1);
    await rested(page);
    const expected = await onTheCommandLine(`bm25(k1=${k1})`, 'nDCG@10');
    await page.waitForFunction(([v]) => document.querySelector('#system-0 .score .unfold')?.textContent === v,
      [expected[query]]);
    assert.equal(await shown(page, 0), expected[query], `query ${query} at k1 ${k1}`);
    const all = (await page.locator('#system-0 .mean').textContent()).match(/queries: ([0-9.]+)/)[1];
    assert.equal(Number(all).toFixed(3), expected.all, `all queries at k1 ${k1}`);
  }
  for (const [i, pipeline] of ['bm25(k1=2.4)', 'bm25(k1=2.4,title=3)', 'dense', 'rrf(bm25(k1=2.4), dense)'].entries()) {
    assert.equal(await shown(page, i), (await onTheCommandLine(pipeline, 'nDCG@10'))[query], pipeline);
  }
  await visit.done();
});

test('every score explains itself, and its parts add up to it', async () => {
  const visit = await search();
  const { page } = visit;
  await page.selectOption('#judged', { index: 2 });
  await results(page, 3);
  for (const system of [0, 1, 2, 3]) {
    const row = page.locator(`#system-${system} ol.hits > li`).first();
    const score = Number(await row.locator('.num').textContent());
    await row.locator('button.open').click();
    await page.waitForSelector('#why tfoot');
    const total = Number(await page.locator('#why table').first().locator('tfoot td b').last().textContent());
    assert.ok(Math.abs(total - score) < 0.0006, `system ${system}: ${total} beside ${score}`);
    const parts = await page.locator('#why table').first().locator('tbody tr td:last-child').allTextContents();
    if (system !== 2) {
      const sum = parts.reduce((s, v) => s + (Number(v) || 0), 0);
      assert.ok(Math.abs(sum - total) < 0.0002 * parts.length + 1e-4,
        `system ${system}: the parts add up to ${sum}, the score is ${total}`);
    }
    await page.keyboard.press('Escape');
    await page.waitForSelector('#why', { state: 'detached' });
  }
  await visit.done();
});

test('a link copied here opens in a fresh profile on the same systems, query, settings and report', async () => {
  const visit = await search('/search', { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = visit;
  await page.selectOption('#judged', { index: 7 });
  await slide(page, 'b-a', 0.75);
  await tune(page);
  await page.locator('#filters summary').click();
  await page.selectOption('#category', { index: 1 });
  await rested(page);
  const report = await hash(page);
  await choose(page, '#copy-link');
  await page.waitForSelector('.notice');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.length <= 2000, `${link.length} characters`);
  const list = await titles(page, 1);

  const other = await search(link.slice(rankbox.origin.length));
  await results(other.page, 1);
  assert.equal(await hash(other.page), report);
  assert.deepEqual(await titles(other.page, 1), list);
  assert.equal(await other.page.locator('#b-a').inputValue(), '0.75');
  assert.equal(await other.page.locator('#judged').inputValue(), await page.locator('#judged').inputValue());
  assert.equal(await other.page.locator('#category').inputValue(), await page.locator('#category').inputValue());
  await other.done();
  await visit.done();
});

test('back and forward go through the queries, and undo takes settings back', async () => {
  const visit = await search();
  const { page } = visit;
  await page.selectOption('#judged', { index: 1 });
  await page.selectOption('#judged', { index: 2 });
  const second = await page.locator('#q').inputValue();
  await page.goBack();
  await page.waitForFunction((v) => document.getElementById('q').value !== v, second);
  const first = await page.locator('#q').inputValue();
  await page.goForward();
  await page.waitForFunction((v) => document.getElementById('q').value === v, second);
  await slide(page, 'k1-a', 1.5);
  await page.locator('main').focus();
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => document.getElementById('k1-a').value === '0.9');
  await page.keyboard.press('Control+z');
  await page.waitForFunction((v) => document.getElementById('q').value === v, first);
  await page.keyboard.press('Control+Shift+z');
  await page.waitForFunction((v) => document.getElementById('q').value === v, second);
  await visit.done();
});

test('the worker that is killed in the middle of a query is replaced, the query is answered, and the page says so',
  async () => {
  const visit = await search();
  const { page } = visit;
  await page.locator('#q').fill('harbour');
  await results(page);
  const [worker] = page.workers();
  await worker.evaluate(() => {
    globalThis.rankbox.onMessage = () => { throw new Error('killed by the test'); };
  }).catch(() => {});
  await page.locator('#q').fill('harbour pilot');
  await page.waitForFunction(() => document.querySelector('.notice')?.textContent.includes('started again'), null,
    { timeout: 240_000 });
  await ready(page);
  await results(page);
  assert.equal(await page.locator('#q').inputValue(), 'harbour pilot');
  assert.ok((await titles(page, 0)).length > 0);
  visit.errors.length = 0; // the one that the test threw
  await visit.done();
});

test('a worker that runs out of memory is replaced', async () => {
  const visit = await search();
  const { page } = visit;
  const [worker] = page.workers();
  await worker.evaluate(() => { globalThis.close(); }).catch(() => {});
  await page.locator('#q').fill('harbour pilot');
  await page.waitForFunction(() => document.querySelector('.notice')?.textContent.includes('started again'), null,
    { timeout: 240_000 });
  await results(page);
  await visit.done();
});

test('a damaged collection is refused by the name of the file, what was on the page stays, and trying again works',
  async () => {
  const visit = await rankbox.open('/', { until: 'commit' });
  const { page, context } = visit;
  let damaged = true;
  await context.route(/\/collections\/.*\/index\..*\.bin$/, async (route) => {
    const response = await route.fetch();
    const body = await response.body();
    if (damaged) body[Math.floor(body.length / 2)] ^= 0x40;
    await route.fulfill({ response, body });
  });
  await page.waitForFunction(() => document.getElementById('page')?.dataset.phase === 'failed', null,
    { timeout: 240_000 });
  const problem = await page.locator('.problem').textContent();
  assert.match(problem, /index\.[0-9a-f]+\.bin is damaged/);
  assert.match(await page.locator('#finding').textContent(), /^On Harbour Wire/);
  damaged = false;
  await page.locator('.problem button', { hasText: 'Try again' }).click();
  await ready(page);
  await visit.done();
});

test('hostile and damaged links open the home page and say what was wrong', async () => {
  const bad = [
    '#v=1&q=x&x=00000000', '#v=99&x=12345678', '#javascript:alert(1)', '#<img src=x onerror=alert(1)>', '#%00%ff',
    `#v=1&q=${'a'.repeat(5000)}`,
    '#v=1&s=rm%20-rf&x=00000000', '#__proto__=1',
  ];
  const visit = await rankbox.open('about:blank');
  const { page } = visit;
  let dialog = false;
  page.on('dialog', (d) => { dialog = true; d.dismiss(); });
  for (const fragment of bad) {
    await page.goto('about:blank'); // else it would be another place of the same page
    await page.goto(`/search${fragment}`);
    await ready(page);
    await page.waitForSelector('.problem');
    assert.match(await page.locator('.problem').textContent(), /could not be opened/, fragment);
    assert.match(await page.locator('#finding').textContent(), /^On Harbour Wire/, fragment);
    assert.equal(new URL(page.url()).hash, '', fragment);
    assert.equal(dialog, false);
    await visit.well();
  }
  await visit.done();
});

test('a typed query says plainly that dense has no vector for it, and offers what can be done', async () => {
  const visit = await search();
  const { page } = visit;
  await page.locator('#q').fill('who pays for the flood barrier');
  await results(page, 0);
  const text = await page.locator('#system-2 .cannot').textContent();
  assert.match(text, /query has no vector/);
  await page.locator('#system-2 .cannot button', { hasText: 'BM25' }).click();
  await results(page, 2);
  await visit.done();
});

test('lists of an earlier query are dimmed once the answer is late, and a keystroke alone animates nothing',
  async () => {
  const visit = await search();
  const { page } = visit;
  await page.locator('#q').fill('ferry');
  await results(page);
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    window.held = [];
    Worker.prototype.postMessage = function (...args) {
      window.held.push(() => postMessage.apply(this, args));
    };
    window.let = () => {
      Worker.prototype.postMessage = postMessage;
      for (const f of window.held) f();
    };
  });
  await page.locator('#q').focus();
  await page.keyboard.press('End');
  // looked at in the same turn in which the page takes the key, long before the answer counts as late
  await page.evaluate(() => new MutationObserver(() => {
    window.begun ??= document.getAnimations().filter((a) => a.effect.target.matches('.hits, output')).length;
  }).observe(document.querySelector('#columns'), { attributeFilter: ['data-of'] }));
  await page.keyboard.press('x');
  await page.waitForFunction(() => document.querySelector('#columns').dataset.of === '');
  assert.equal(await page.evaluate(() => window.begun), 0, 'a keystroke animates no list');
  await page.waitForFunction(() => getComputedStyle(document.querySelector('#columns .hits')).opacity === '0.4');
  await page.evaluate(() => window.let());
  await page.waitForFunction(() => document.querySelector('#columns').dataset.of === 'ferryx');
  await page.waitForFunction(() => getComputedStyle(document.querySelector('#columns .hits')).opacity === '1');
  await visit.done();
});

test('filters by category, date and entity keep what does not pass out of every list', async () => {
  const visit = await search();
  const { page } = visit;
  await page.locator('#q').fill('harbour');
  await results(page);
  await tune(page);
  await page.locator('#filters summary').click();
  // counted are documents with a word of the query: BM25 finds as many
  await page.locator('.filter-fields', { hasText: 'Counts cover documents that match a query word.' }).waitFor();
  const counted = async () => (await page.locator('#category option').allTextContents())
    .reduce((n, t) => n + Number(/\((\d+)\)/.exec(t)?.[1] ?? 0), 0);
  const harbour = await counted();
  await page.locator('#q').fill('houseboat');
  await page.waitForFunction((n) => [...document.querySelectorAll('#category option')].reduce((m, o) =>
    m + Number(/\((\d+)\)/.exec(o.textContent)?.[1] ?? 0), 0) !== n, harbour);
  const houseboat = await counted();
  assert.ok(houseboat > 0 && houseboat < harbour && harbour < 255, `${harbour} and ${houseboat} documents`);
  assert.equal(await page.locator('#system-0 ol.hits > li').count(), Math.min(10, houseboat));
  await page.locator('#q').fill('harbour');
  await results(page);
  await page.selectOption('#category', 'sport');
  await page.waitForFunction(() => [...document.querySelectorAll('#system-0 .meta')].every((m) =>
    m.textContent.includes('sport')));
  await page.selectOption('#category', '');
  await page.selectOption('#from', '2025-01');
  await page.waitForFunction(() => {
    const m = [...document.querySelectorAll('#system-0 ol.hits .meta')];
    return m.length > 0 && m.every((x) => x.textContent.includes(' 2025'));
  });
  assert.match(await page.locator('#filters summary').textContent(), /from Jan 2025/);
  await page.locator('#unfilter').click();
  await page.waitForFunction(() => document.querySelector('#filters summary').textContent.includes('all documents'));
  await visit.done();
});

test('a system is edited in place: mistakes are named with their position, and the nearest name is offered',
  async () => {
  const visit = await search();
  const { page } = visit;
  await page.locator('#edit-0').click();
  await page.locator('#notation-0').fill('bm52(k1=1)');
  await page.waitForFunction(() => document.getElementById('fault-0').textContent.includes('bm25'));
  assert.equal(await page.locator('.editor button.primary').isDisabled(), true);
  await page.locator('#notation-0').fill('rrf(bm25, dens)');
  await page.waitForFunction(() => document.querySelector('.editor .caret')?.textContent ===
    'rrf(bm25, dens)\n          ^');
  assert.doesNotMatch(await page.locator('#fault-0').textContent(), /byte/);
  await page.locator('#notation-0').fill('bm25(variant=okapi, k1=1.20) >> cut(5)');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.getElementById('edit-0')?.textContent ===
    'bm25(variant=okapi,k1=1.2) >> cut(5)');
  await page.selectOption('#judged', { index: 4 });
  await results(page);
  assert.ok((await titles(page, 0)).length <= 5);
  await tune(page);
  await page.locator('#reset').click();
  await page.waitForFunction(() => document.getElementById('edit-0')?.textContent === 'bm25');
  await visit.done();
});

test('the keyboard alone reaches the search box, a query, a setting, a document and back', async () => {
  const visit = await rankbox.open('/');
  const { page } = visit;
  await ready(page);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the content');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'main');
  await page.keyboard.press('/');
  await page.waitForFunction(() => document.activeElement.id === 'q');
  await page.keyboard.type('ferry');
  assert.equal(await page.inputValue('#q'), 'ferry', 'typing after / replaces the query');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.pathname === '/search');
  await results(page);
  await page.locator('main').focus();
  await page.keyboard.press('n');
  await page.waitForFunction(() => document.getElementById('judged').value !== '');
  await results(page, 3);
  // on from the search box with Tab alone to the first document of A
  await page.locator('#q').focus();
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement.matches('#system-0 button.open'))) break;
  }
  assert.ok(await page.evaluate(() => document.activeElement.matches('#system-0 button.open')),
    'Tab does not reach the first document');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#why tfoot');
  assert.ok(await page.evaluate(() => document.activeElement.matches('#system-0 button.open')), 'the focus was lost');
  await page.keyboard.press('Escape');
  await page.waitForSelector('#why', { state: 'detached' });
  await page.keyboard.press('?');
  await page.waitForSelector('#help');
  await page.keyboard.press('Escape');
  await page.keyboard.press('p');
  await page.waitForFunction(() => document.getElementById('page').classList.contains('presenter'));
  await page.keyboard.press('p');
  await page.goto('/');
  await ready(page);
  await page.locator('#dots').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('svg.strip path.on', { state: 'attached' }); // a round end of a line has no size
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.pathname === '/search' && document.getElementById('judged').value !== '');
  await visit.done();
});

test('on a phone everything fits 320 pixels, and what is touched is large enough', async () => {
  for (const path of ['/', '/search']) {
    const visit = await rankbox.open(path, { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
    const { page } = visit;
    await ready(page);
    assert.ok((await visit.overflow()) <= 0, `${path} is ${await visit.overflow()} px too wide`);
    if (path === '/search') {
      await page.locator('#q').fill('port strike');
      await results(page);
      assert.ok((await visit.overflow()) <= 0);
      await page.locator('#system-0 button.open').first().tap();
      await page.waitForSelector('#why tfoot');
      assert.ok((await visit.overflow()) <= 0);
    }
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('button, select, input, summary, nav a')].filter((e) => e.checkVisibility() &&
        !e.closest('.skip') && !e.matches('button.open, .cannot button'))
          .map((e) => [e.id || e.textContent.slice(0, 20), Math.round(e.getBoundingClientRect().height)])
            .filter(([, h]) => h < 40));
    assert.deepEqual(small, [], 'too small for a thumb');
    await visit.shot(`phone${path.replace('/', '-')}`);
    await visit.done();
  }
});

test('at 400 % zoom nothing is cut off', async () => {
  // 1280 × 1024 at 400 % is a window of 320 × 256 CSS pixels
  for (const path of ['/', '/search']) {
    const visit = await rankbox.open(path, { viewport: { width: 320, height: 256 } });
    await ready(visit.page);
    assert.ok((await visit.overflow()) <= 0, path);
    await visit.done();
  }
});

test('axe finds nothing on any screen', async () => {
  const visit = await rankbox.open('/');
  const { page } = visit;
  await ready(page);
  assert.deepEqual(await visit.accessibilityInBoth('home'), [], 'home');
  await page.locator('#q').fill('port strike');
  await page.waitForSelector('#quick ol.hits li');
  assert.deepEqual(await visit.accessibilityInBoth(), [], 'home with a query');
  await page.goto('/search');
  await ready(page);
  assert.deepEqual(await visit.accessibilityInBoth(), [], 'search, as it opens');
  await page.selectOption('#judged', { index: 5 });
  await results(page, 3);
  await tune(page);
  await page.locator('#filters summary').click();
  await page.locator('#system-3 button.open').first().click();
  await page.waitForSelector('#why tfoot');
  await page.locator('#edit-3').click();
  assert.deepEqual(await visit.accessibilityInBoth('search'), [], 'search, explaining and editing');
  await page.keyboard.press('Escape');
  await choose(page, '#show-help');
  assert.deepEqual(await visit.accessibilityInBoth(), [], 'help');
  await page.keyboard.press('Escape');
  await page.locator('main').focus();
  await page.keyboard.press('p');
  assert.deepEqual(await visit.accessibilityInBoth(), [], 'presenter view');
  await visit.done();
});

test('under reduced motion nothing slides', async () => {
  const visit = await search('/search', { reducedMotion: 'reduce' });
  const { page } = visit;
  await page.selectOption('#judged', { index: 2 });
  await results(page);
  await page.evaluate(() => {
    window.slid = 0; const f = Element.prototype.animate; Element.prototype.animate = function (...a) {
      window.slid++; return f.apply(this, a);
    };
  });
  await slide(page, 'k1-a', 2.5);
  await rested(page);
  assert.equal(await page.evaluate(() => window.slid), 0);
  await visit.done();
});

test('a document that changes rank keeps its element and slides to its new place', async () => {
  const visit = await search();
  const { page } = visit;
  await page.selectOption('#judged', { index: 2 });
  await results(page);
  await page.evaluate(() => {
    window.slid = 0;
    const f = Element.prototype.animate;
    Element.prototype.animate = function (...a) { window.slid++; return f.apply(this, a); };
    for (const li of document.querySelectorAll('#system-0 li[data-doc]')) li.mine = li.dataset.doc;
  });
  for (const k1 of [2.4, 0.4]) await slide(page, 'k1-a', k1);
  await rested(page);
  const [moved, wrong] = await page.evaluate(() => {
    const rows = [...document.querySelectorAll('#system-0 li[data-doc]')].filter((li) => li.mine);
    return [window.slid, rows.filter((li) => li.mine !== li.dataset.doc).length];
  });
  assert.equal(wrong, 0, 'an element was given to another document');
  assert.ok(moved > 0, 'nothing slid');
  await visit.done();
});

test('a figure that changes rolls in from the side of its change, and is at once what was computed', async () => {
  const visit = await search();
  const { page } = visit;
  await page.selectOption('#judged', { index: 3 });
  await results(page);
  await page.evaluate(() => {
    window.rolled = [];
    const figure = document.getElementById('unfold-0');
    let last = Number(figure.textContent);
    const f = Element.prototype.animate;
    Element.prototype.animate = function (...a) {
      if (this === figure) {
        const from = Number(/translateY\((.+)em\)/.exec(a[0][0].transform)[1]);
        window.rolled.push([Math.sign(Number(this.textContent) - last), Math.sign(from)]);
        last = Number(this.textContent);
      }
      return f.apply(this, a);
    };
  });
  for (const k1 of [2.4, 0.4, 1.2]) await slide(page, 'k1-a', k1);
  await rested(page);
  const rolled = await page.evaluate(() => window.rolled);
  assert.ok(rolled.length > 0, 'no figure moved');
  for (const [change, from] of rolled) assert.equal(from, change, JSON.stringify(rolled));
  const display = await page.locator('#unfold-0').evaluate((e) => getComputedStyle(e).display);
  assert.equal(display, 'inline-block', 'what is inline does not move');
  await visit.done();
});

test('the curve of a slider, and the way back, come in places that are kept for them: what is read does not move',
  async () => {
  for (const [width, path] of [[1280, '/search'], [1000, '/search'], [1280, '/search?presenter']]) {
    const visit = await search(path, { viewport: { width, height: 900 } });
    const { page } = visit;
    await page.selectOption('#judged', { index: 3 });
    await results(page);
    await page.addInitScript(() => {
      globalThis.tops = new Set();
      new MutationObserver(() => {
        const list = document.querySelector('#system-0 ol.hits');
        if (list && document.getElementById('curve') && document.getElementById('page').dataset.phase ===
          'ready') tops.add(
            `${Boolean(document.getElementById('curve-says'))} ${list.getBoundingClientRect().top + scrollY}`);
      }).observe(document, { subtree: true, childList: true });
    });
    await page.reload();
    await page.waitForFunction(() =>
      / along k1 of bm25: A is/.test(document.getElementById('curve-says')?.textContent ?? ''));
    const tops = await page.evaluate(() => [...tops]);
    const [before, after] = ['false', 'true'].map((there) => tops.filter((t) => t.startsWith(there))
      .map((t) => t.split(' ')[1]));
    assert.ok(before.length && after.length, tops.join('; '));
    assert.equal(new Set([before.at(-1), ...after]).size, 1, `at ${width}: ${tops.join('; ')}`);
    await tune(page);
    const above = () => page.evaluate(() => document.getElementById('settings').getBoundingClientRect().bottom +
      scrollY);
    const was = await above();
    await slide(page, 'k1-a', 1);
    await page.waitForSelector('#reset');
    assert.equal(await above(), was, `at ${width}, beside "Systems as they were"`);
    await visit.done();
  }
});

test('the lists of four systems begin at one height, in presenter view too', async () => {
  for (const path of ['/search', '/search?presenter']) {
    const visit = await search(path, { viewport: { width: 1280, height: 720 } });
    const { page } = visit;
    await page.selectOption('#judged', { index: 3 });
    await results(page);
    await page.waitForFunction(() => document.querySelectorAll('#columns .mean').length === 4 &&
      [...document.querySelectorAll('#columns .mean')].every((e) => /0\.\d/.test(e.textContent)));
    const tops = await page.locator('#columns ol.hits').evaluateAll((lists) =>
      lists.map((e) => Math.round(e.getBoundingClientRect().top)));
    assert.equal(tops.length, 4);
    assert.equal(new Set(tops).size, 1, `${path}: ${tops}`);
    await visit.done();
  }
});

test('each system has its own handle, a lock moves them together, and the figures say what changed', async () => {
  const visit = await search();
  const { page } = visit;
  await page.selectOption('#judged', { index: 3 });
  await results(page);
  await tune(page);
  await page.click('#lock-k1');
  await slide(page, 'k1-a', 0.5);
  assert.match(await page.locator('#edit-0').textContent(), /^bm25\(k1=0\.5\)$/);
  assert.equal(await page.locator('#edit-1').textContent(), 'bm25(title=3)');
  assert.equal(await page.locator('#edit-3').textContent(), 'rrf(bm25, dense)');
  await page.click('#lock-k1');
  await slide(page, 'k1-b', 1.9);
  assert.equal(await page.locator('#k1-a').inputValue(), '1.5', 'the distance is kept');
  assert.match(await page.locator('#system-0 .score .since').textContent(), /^[+−±]?0\.\d{3} since you began$/);
  await page.waitForFunction(() =>
    /along k1 of bm25: A is (at its best|within 0\.\d{3} of its best, at k1 [\d.]+); B is/.test(
      document.getElementById('curve-says')?.textContent ?? ''));
  await rested(page);
  const before = await page.locator('#system-0 .mean').textContent();
  assert.match(before, /^all \d+ queries: 0\.\d{4} [+−±]?0\.\d{4} since you began$/);
  await tune(page);
  await page.locator('#filters summary').click();
  await page.selectOption('#category', { index: 1 });
  await page.waitForFunction(() => /queries, without the filters:/.test(document.querySelector('#system-0 .mean')
    .textContent));
  assert.equal(await page.locator('#curve circle').count(), 3);
  await visit.done();
});

test('on a phone the ranking has the screen: four results at rest, two while a slider moves', async () => {
  const visit = await search('/search', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const { page } = visit;
  await page.selectOption('#judged', { index: 3 });
  await results(page, 3);
  // those of which title, text and date stand on the screen, below what is above them and above what is over them
  const visible = (system) =>
    page.evaluate((i) => {
      const over = [...document.querySelectorAll('.tuning .controls, aside.why')].map((e) => e.getBoundingClientRect()
        .top);
      const bottom = Math.min(innerHeight, ...over);
      return [...document.querySelectorAll(`#system-${i} ol.hits > li`)].filter((e) => e.getBoundingClientRect().top >=
        0 && e.getBoundingClientRect().bottom <= bottom && e.getBoundingClientRect().left < innerWidth).length;
    }, system);
  assert.ok((await visible(0)) >= 4, `${await visible(0)} results at rest`);
  assert.ok((await page.locator('header.frame').boundingBox()).height <= 104, 'two rows: the collection, the screens');
  assert.ok((await page.locator('#system-0 .meta .num').first().boundingBox()).height < 30,
    'a score stands on one line');
  assert.match(await page.locator('#tab-1').textContent(), /^B [01]?\.\d\d ?([↑↓]\.\d\d|=)$/);
  await page.locator('#tab-3').tap();
  await page.waitForFunction(() => document.getElementById('tab-3').getAttribute('aria-pressed') === 'true');
  await page.locator('#tune').tap();
  await slide(page, 'k1-d', 1.2);
  assert.ok((await visible(3)) >= 2, `${await visible(3)} results while k1 moves`);
  await page.locator('#close-settings').tap();
  const top = () => page.locator('#system-3 ol.hits').evaluate((e) => e.getBoundingClientRect().top);
  // the sheet is gone, the list where it will be, and nothing over its first button: Playwright would scroll, and try
  // again
  await page.waitForFunction(() => {
    const at = document.querySelector('#system-3 ol.hits').getBoundingClientRect().top;
    const button = document.querySelector('#system-3 button.open');
    const r = button.getBoundingClientRect();
    const free = button.contains(document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2));
    const still = free && !document.getElementById('close-settings')?.checkVisibility() && at === globalThis.before;
    globalThis.before = at;
    return still;
  });
  const before = await top();
  await page.locator('#system-3 button.open').first().tap();
  await page.waitForSelector('#why tfoot');
  assert.equal(await top(), before, 'the list stays where it was');
  assert.ok((await page.locator('#why').boundingBox()).y > 200);
  await page.locator('#pull-why').tap();
  await page.waitForFunction(() => document.getElementById('why').getBoundingClientRect().top < 2);
  await page.locator('#close-why').tap();
  await page.locator('#q').tap();
  await page.waitForFunction(() => document.activeElement?.id === 'q');
  // nothing lies over the box: a button that goes while it is tapped does not leave its tap to the next one
  assert.equal(await page.locator('.menu:popover-open').count(), 0);
  assert.ok(await page.locator('#q').evaluate((e) => {
    const r = e.getBoundingClientRect();
    return document.elementFromPoint(r.left + 20, r.top + r.height / 2) === e;
  }));
  await page.locator('#q').fill('port strike'); // what is typed is answered in sight
  await page.waitForFunction(() => [...document.querySelectorAll('#system-3 ol.hits > li')].filter((e) =>
    e.getBoundingClientRect().bottom <= innerHeight).length >= 3);
  await page.locator('#open-menu').tap();
  await page.locator('#more-menu').waitFor();
  await page.locator('#open-menu').tap(); // the button stays where a second press finds it
  await page.locator('#more-menu').waitFor({ state: 'hidden' });
  await visit.done();
});

test('another screen is read from its top, and keys go on in it', async () => {
  const visit = await search('/', { viewport: { width: 1280, height: 720 } });
  const { page } = visit;
  await page.keyboard.press('/');
  await page.keyboard.type('port strike');
  await page.evaluate(() => scrollTo(0, 400));
  await page.keyboard.press('Enter');
  await page.waitForSelector('.screen-search #system-0 ol.hits > li');
  await page.waitForFunction(() => scrollY === 0 && document.activeElement?.id === 'main');
  await visit.done();
});

test('presenter view says how it is left, and Escape leaves it', async () => {
  const visit = await search('/search', { viewport: { width: 1280, height: 720 } });
  const { page } = visit;
  await page.locator('#main').focus();
  for (const leave of [() => page.keyboard.press('Escape'), () => page.locator('#leave-presenter').click()]) {
    await page.keyboard.press('p');
    await page.locator('#leave-presenter').waitFor();
    await leave();
    await page.locator('#leave-presenter').waitFor({ state: 'detached' });
  }
  await visit.done();
});

test('until the program is there, judged queries answer from finished lists, which are those that the program finds',
  async () => {
  const titles = (page, where) => page.locator(`${where} li h3`).allTextContents().then((l) => l.map((t) => t.trim()));
  for (const [path, link] of [['/search', ''], ['/', '#main .tries a[href*="qid="]']]) {
    const visit = await rankbox.open('about:blank');
    const { page } = visit;
    let come;
    const asked = new Promise((resolve) => (come = resolve));
    // as on a network that is slow
    await page.route(/\/assets\/wasm\/(first|rich)/, (route) => asked.then(() => route.continue()));
    await page.goto(path, { waitUntil: 'commit' });
    await page.waitForSelector(link || '#judged');
    await page.evaluate((a) => new Promise((resolve) => {
      // before the script is there a click would follow the link
      addEventListener('click', (event) => event.preventDefault());
      const again = () => {
        if (document.getElementById('finished') || document.documentElement.dataset.live) return resolve();
        if (!location.hash.includes('qid=')) (a ? document.querySelector(a) : document.getElementById('next')).click();
        setTimeout(again, 100);
      };
      again();
    }), link);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.live), undefined,
      'the program is not there yet');
    const before = await titles(page, '#finished');
    const found = { class: await page.locator('#page').getAttribute('class'), hash: new URL(page.url()).hash };
    assert.ok(before.length >= 20, `${before.length} documents`);
    assert.match(found.class, /screen-search/);
    assert.match(found.hash, /qid=/);
    come();
    await page.waitForFunction(() => document.querySelector('#main li[data-doc]') &&
      !document.getElementById('finished'), null, { timeout: 240_000 });
    assert.deepEqual(await titles(page, '#columns'), before);
    assert.equal(new URL(page.url()).hash, found.hash);
    await visit.done();
  }
});

test('a link with other systems waits for the program', async () => {
  const visit = await rankbox.open('/search');
  await ready(visit.page);
  await visit.page.selectOption('#judged', { index: 1 });
  await tune(visit.page);
  await visit.page.waitForSelector('li[data-doc]');
  await visit.page.locator('.knob input[type=range]').first().fill('1.5');
  await visit.page.waitForFunction(() => location.hash.includes('s='));
  await visit.page.reload();
  await ready(visit.page);
  await visit.page.waitForSelector('#columns li[data-doc]');
  assert.equal(await visit.page.locator('#finished').count(), 0);
  await visit.done();
});

test('presenter view is kept in the link and over a reload', async () => {
  const visit = await rankbox.open('/search', { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = visit;
  await ready(page);
  await page.keyboard.press('p');
  await page.waitForSelector('#page.presenter');
  assert.match(page.url(), /\/search\?presenter$/);
  await page.reload();
  await ready(page);
  await page.waitForSelector('#page.presenter');
  await page.keyboard.press('Escape');
  await page.waitForSelector('#page:not(.presenter)');
  assert.doesNotMatch(page.url(), /presenter/);
  await visit.done();
});

test('a click on nDCG takes it apart on this very ranking, follows a slider, and is closed again', async () => {
  const visit = await rankbox.open('/search');
  const { page } = visit;
  await ready(page);
  await page.selectOption('#judged', { index: 3 });
  await page.locator('#unfold-0').click();
  await page.waitForSelector('#terms tbody tr', { timeout: 240_000 });
  const arithmetic = () => page.evaluate(() => {
    const last = (row) => Number(row.lastElementChild.textContent);
    const foot = [...document.querySelectorAll('#terms tfoot tr')].map(last);
    return { terms: [...document.querySelectorAll('#terms tbody tr')].map(last), sum: foot[0], divisor: foot[1],
      value: foot[2], shown: Number(document.querySelector('#unfold-0').textContent),
      titles: [...document.querySelectorAll('#terms tbody .words > span:last-child')].map((e) => e.textContent),
      steps: document.querySelector('.steps').textContent };
  });
  const adds = (a) => {
    assert.ok(Math.abs(a.terms.reduce((x, y) => x + y, 0) - a.sum) < 0.001, JSON.stringify(a));
    assert.ok(Math.abs(a.sum / a.divisor - a.value) < 0.001 && Math.abs(a.value - a.shown) < 0.001, JSON.stringify(a));
  };
  const before = await arithmetic();
  adds(before);
  assert.match(before.steps, /IDCG@10 = .* \/ log₂\(3\)/);
  const fraction = page.locator('#arithmetic typeset-formula mfrac').first();
  await fraction.waitFor({ state: 'attached' }); // the definitions come by themselves
  assert.deepEqual(await fraction.locator(':scope > *').allTextContents(), ['DCG@k', 'IDCG@k']);
  assert.deepEqual(before.titles, (await page.locator('#system-0 li[data-doc] h3').allTextContents())
    .slice(0, before.titles.length).map((t) => t.trim()), 'the documents of this ranking');
  await page.selectOption('#arithmetic-measure', '1');
  await page.waitForFunction(() => document.querySelector('#arithmetic h2').textContent.startsWith('AP'));
  await page.waitForFunction(() => document.querySelector('#arithmetic typeset-formula')
    .shadowRoot.textContent.startsWith('AP@k='));
  await page.selectOption('#arithmetic-measure', '0');
  await page.waitForFunction(() => document.querySelector('#arithmetic h2').textContent.startsWith('nDCG'));
  await tune(page);
  await page.locator('.knob input[type=range]').first().focus();
  for (let i = 0; i < 20; i++) await page.keyboard.press('ArrowRight');
  // the list comes first and its arithmetic after it, for every step of the slider
  let now;
  await until(async () => Math.abs((now = await arithmetic()).value - now.shown) < 0.001);
  adds(now);
  assert.deepEqual(await visit.accessibility(), []);
  await page.keyboard.press('Escape'); // the settings
  await page.locator('#settings').waitFor({ state: 'hidden' });
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#arithmetic').count(), 0);
  await visit.done();
});

test('a model that the collection has no vectors of is an error in words, with a caret under its place', async () => {
  const visit = await rankbox.open('/search');
  const { page } = visit;
  await ready(page);
  await page.selectOption('#judged', { index: 1 });
  await page.locator('#edit-2').click();
  await page.locator('#notation-2').fill('rrf(bm25, dense(model=foo))');
  assert.equal(await page.locator('#fault-2').textContent(),
    'Harbour Wire has no vectors of the model "foo" (it has: minilm, all-MiniLM-L6-v2)');
  assert.equal(await page.locator('.editor .caret').textContent(), `rrf(bm25, dense(model=foo))\n${' '.repeat(22)}^`);
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('#notation-2').inputValue(), 'rrf(bm25, dense(model=foo))', 'it is not used');
  await visit.done();
});

test('on a phone a sheet is pulled up to the full height and down to close', async () => {
  const visit = await rankbox.open('/search', { viewport: { width: 390, height: 844 }, hasTouch: true,
    isMobile: true });
  const { page } = visit;
  await ready(page);
  await page.selectOption('#judged', { index: 1 });
  await page.locator('li[data-doc] button.open:visible').nth(1).click();
  await page.waitForSelector('#why tbody');
  const pull = async (by) => {
    const box = await page.locator('#why h2').boundingBox();
    await page.mouse.move(box.x + 20, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(box.x + 20, box.y + 8 + by, { steps: 5 });
    await page.mouse.up();
  };
  await pull(-100);
  await page.waitForSelector('#why.tall');
  await pull(100);
  await page.waitForSelector('#why:not(.tall)');
  await pull(20); // too little to be meant
  assert.equal(await page.locator('#why').count(), 1);
  await pull(100);
  await page.waitForFunction(() => !document.getElementById('why'));
  await visit.done();
});

// With a page that comes at once the address still waits when the old one goes; with one that comes late it was put in
// place after the reload had begun, with the address of before.
for (const late of [false, true]) test(
  `a change is kept though the page is loaded anew at once${late ? ', and comes late' : ''}`, async () => {
  const visit = await rankbox.open('/search', { serviceWorkers: 'allow' });
  const { page } = visit;
  await ready(page);
  await page.selectOption('#judged', { index: 1 });
  await page.waitForSelector('#unfold-0');
  let held = 0;
  if (late) {
    await page.context().route(`${rankbox.origin}/search`, async (route) => {
      held++;
      await new Promise((done) => setTimeout(done, 500));
      await route.continue();
    });
  }
  await page.evaluate(() => {
    const slider = document.querySelector('.knob input[type=range]');
    for (const v of ['1.1', '1.2', '1.3']) {
      slider.value = v;
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    }
    location.reload();
  });
  await page.waitForLoadState();
  await ready(page);
  await page.waitForSelector('.knob input[type=range]', { state: 'attached' });
  assert.equal(await page.locator('.knob input[type=range]').first().inputValue(), '1.3');
  assert.equal(held, late ? 1 : 0);
  await visit.done();
});

test('the key after the slash is in the search box', async () => {
  const visit = await search();
  const { page } = visit;
  await page.locator('#main').focus();
  await page.evaluate(() => {
    const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown',
      { key, bubbles: true, cancelable: true }));
    press('/');
    window.after = document.activeElement.id; // where a key that follows at once would go
  });
  assert.equal(await page.evaluate(() => window.after), 'q');
  await visit.done();
});

test('beside an explanation the list that it is about keeps its width, the others their ranks, also on a projector',
  async () => {
  for (const presenter of [false, true]) {
    const visit = await search('/search', { viewport: { width: 1280, height: 720 } });
    const { page } = visit;
    await page.selectOption('#judged', { index: 3 });
    await results(page, 3);
    if (presenter) {
      await page.locator('#main').focus();
      await page.keyboard.press('p');
    }
    await page.locator('#system-3 button.open').first().click();
    await page.waitForSelector('#why tfoot');
    const why = await page.locator('#why').boundingBox();
    const about = await page.locator('#system-3').boundingBox();
    assert.ok(why.y < 420 && why.height > 200, `the explanation begins at ${why.y}`);
    assert.ok(about.width >= 220 && about.x + about.width <= why.x, `${about.width} px at ${about.x}, why at ${why.x}`);
    for (const i of [0, 1, 2]) assert.ok(await page.locator(`#system-${i} ol.hits .grade`).first().isVisible());
    assert.match(await page.locator('#places').textContent(),
      /^A (rank \d+|–) B (rank \d+|–) C (rank \d+|–) D rank 1 ?$/);
    assert.match(await page.locator('#why .formula').first().textContent(),
      /^score = 1\/\(60 \+ \d+\) \+ 1\/\(60 \+ \d+\) = 0\.\d+ \+ 0\.\d+ = 0\.\d+$/);
    if (presenter) assert.ok(
      (await page.locator('#why td').first().evaluate((e) => parseFloat(getComputedStyle(e).fontSize))) >= 16.5);
    assert.ok((await visit.overflow()) <= 0);
    await page.locator('#places button').first().click();
    await page.waitForFunction(() => document.querySelector('#system-0.about'));
    await visit.done();
  }
});

test('a typed query is answered by dense systems once the encoder is there, and the lists say so', async () => {
  const visit = await search();
  const { page } = visit;
  await page.fill('#q', 'port workers walk out over pay');
  await page.locator('#system-2 .cannot').waitFor();
  assert.match(await page.locator('#load-encoder-2').textContent(), /load the encoder of typed queries \(2\.\d+ MB\)/);
  // two systems lack it: the second only says so
  assert.equal((await page.locator('#system-3 .cannot').innerText()).trim(), 'The same as in C.\n\nsearch with BM25 here');
  await page.click('#load-encoder-2');
  await results(page, 2);
  await results(page, 3);
  assert.match(await page.locator('#encoded').textContent(),
    /smaller encoder, minilm-static, and rank less well than all-MiniLM-L6-v2 would \(C and D\)\. Use a model of your own/);
  assert.doesNotMatch(await page.locator('#columns').textContent(), /minilm-static/);
  assert.equal(await page.locator('.cannot').count(), 0);
  // a judged query has a vector of the model itself
  await page.fill('#q', await page.locator('#judged option[value="q02"]').textContent());
  await page.waitForFunction(() => !document.getElementById('encoded'));
  await results(page, 2);
  await visit.done();
});

test('the encoder comes by itself, but never while somebody types', async () => {
  const visit = await search();
  const { page } = visit;
  await page.evaluate(() => {
    const { onIdle } = globalThis.rankbox;
    const seen = (globalThis.seen = { last: 0, rested: [] });
    addEventListener('keydown', () => (seen.last = performance.now()), true);
    globalThis.rankbox.onIdle = () => {
      seen.rested.push(performance.now() - seen.last);
      onIdle();
    };
  });
  await page.locator('#q').focus();
  await page.keyboard.type('ferry ', { delay: 20 });
  for (let i = 0; i < 36; i++) { // the page looks for the first time eight seconds after it opened
    await page.keyboard.press(i % 2 ? 'Backspace' : 's', { delay: 250 });
  }
  await results(page, 2); // it came
  const { rested } = await page.evaluate(() => globalThis.seen);
  assert.ok(rested.length > 0 && rested.every((ms) => ms >= 2000),
    `the page called itself idle ${rested.map(Math.round)} ms after a key`);
  await visit.done();
});

// The first thing to read is on the first screen, and a link to it does not scroll.
test('Home and Search show their first result high on the screen, before any program', async () => {
  for (const [path, viewport, below, selector] of [
    ['/', { width: 1366, height: 900 }, 330, '.duel ol.hits > li'],
    ['/', { width: 390, height: 844 }, 400, '.duel ol.hits > li'],
    ['/search', { width: 1366, height: 900 }, 330, '#system-0 ol.hits > li'],
    ['/search', { width: 390, height: 844 }, 330, '#system-0 ol.hits > li'],
  ]) {
    const visit = await rankbox.open('about:blank', { viewport });
    await visit.context.route('**/assets/wasm/**', () => {}); // it never comes
    await visit.page.goto(path, { waitUntil: 'domcontentloaded' });
    await visit.page.locator(selector).first().waitFor();
    const { y } = await visit.page.locator(selector).first().boundingBox();
    assert.ok(y > 56 && y < below, `${path} at ${viewport.width}: the first result begins at ${y}`);
    if (path === '/') {
      const both = await visit.page.locator('.duel ol.hits')
        .evaluateAll((all) => all.map((e) => e.querySelector('li').getBoundingClientRect().bottom));
      assert.ok(both.length === 2 && both.every((bottom) => bottom <= viewport.height),
        `both rankings at ${viewport.width}: ${both}`);
      const differ = await visit.page.locator('#differ').boundingBox();
      assert.ok(differ.y + differ.height <= viewport.height,
        `the difference ends at ${differ.y + differ.height} of ${viewport.height}`);
    }
    await visit.done();
  }
});

test('in presenter view at 1280 × 720 every column shows at least three results', async () => {
  const visit = await search('/search?presenter', { viewport: { width: 1280, height: 720 } });
  const { page } = visit;
  await results(page, 3);
  for (const i of [0, 1, 2, 3]) {
    const whole = await page.locator(`#system-${i} ol.hits > li`)
      .evaluateAll((all) => all.filter((e) => e.getBoundingClientRect().bottom <= innerHeight).length);
    assert.ok(whole >= 3, `${whole} results of column ${i}`);
  }
  await visit.done();
});

test('the header has four screens, its menus work by keyboard, and old addresses open what they did', async () => {
  const visit = await rankbox.open('/search');
  const { page } = visit;
  await ready(page);
  assert.deepEqual(await page.locator('header nav a').allTextContents(), ['Search', 'Judge', 'Evaluate', 'Learn']);
  assert.equal(await page.locator('header nav a[aria-current]').textContent(), 'Search');
  await page.locator('footer.status').waitFor({ state: 'hidden' }); // nothing loads any more and nothing is wrong
  for (const [opener, menu, first] of [['#open-collection', '#collection-menu', 'search-collection'],
    ['#open-share', '#share-menu', 'copy-link'], ['#open-menu', '#more-menu', 'present']]) {
    await page.locator(opener).focus();
    await page.keyboard.press('ArrowDown');
    await page.locator(menu).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), first);
    await page.keyboard.press('ArrowDown');
    assert.notEqual(await page.evaluate(() => document.activeElement.id), first);
    await page.keyboard.press('Home');
    assert.equal(await page.evaluate(() => document.activeElement.id), first);
    // the open menu half covers these
    const found = (await visit.accessibility()).filter((x) => !/^target-size .*: #(unfold|edit)-\d/.test(x));
    assert.deepEqual(found, [], menu);
    await page.keyboard.press('Escape');
    await page.locator(menu).waitFor({ state: 'hidden' });
    assert.equal(await page.evaluate(() => `#${document.activeElement.id}`), opener, 'the focus is back');
  }
  for (const [path, heading, current] of [['/compare', /^On Harbour Wire/, 'Evaluate'],
    ['/experiment', /./, 'Evaluate'], ['/play', /./, 'Learn'], ['/upload', /Documents/, '']]) {
    await page.goto(path);
    await page.waitForFunction(() => document.documentElement.dataset.live === 'true');
    assert.match(await page.locator('h1').first().textContent(), heading, path);
    assert.equal(await page.locator('header nav a[aria-current]').allTextContents().then((all) => all.join()), current,
      path);
    assert.ok((await visit.overflow()) <= 0, path);
  }
  await visit.done();
});

test('Search says what differs from the defaults, in a drawer that Escape closes', async () => {
  const visit = await search();
  const { page } = visit;
  assert.equal(await page.locator('#tune-values').textContent(), 'defaults');
  assert.equal(await page.locator('#settings').isVisible(), false);
  await slide(page, 'b-a', 0.75);
  await page.waitForFunction(() => /\bb 0\.75\b/.test(document.getElementById('tune-values').textContent));
  assert.equal(await page.locator('#tune').getAttribute('aria-expanded'), 'true');
  await page.locator('main').focus();
  await page.keyboard.press('Escape');
  await page.locator('#settings').waitFor({ state: 'hidden' });
  await visit.done();
});
