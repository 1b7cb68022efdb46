// Nightly: hostile text on every screen.
// A collection in which every field of every document, query and label is an attack: none runs, in any view or export.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { promisify } from 'node:util';
import { buildTool, drawn, drop, lab, ready, reported, root, saved, shown, tune } from './harness.mjs';

await promisify(execFile)(await buildTool(), ['site', '-collections', 'site/e2e/fixtures/hostile', '-out',
  '.cache/hostile'], { cwd: root });

const rankbox = lab({ from: '.cache/hostile', context: { serviceWorkers: 'allow' } });

/** Opens a page and returns it with clean(where), which fails where an attack ran or became an element. */
async function guarded(path) {
  const visit = await rankbox.open(path);
  const { page } = visit;
  const dialogs = [];
  page.on('dialog', (d) => { dialogs.push(d.message()); d.dismiss(); });
  const clean = async (where) => {
    await drawn(page);
    const made = await page.evaluate(() =>
      [...document.querySelectorAll(
        '#page script, #page img, #page iframe, #page math, #page textarea:not(#paste), #page style, #page [onload], #page [onerror], #page [ontoggle], #page [onfocus], #page a[href^="javascript:"]')].map(
          (e) => e.outerHTML));
    assert.deepEqual(made, [], where);
    assert.deepEqual(dialogs, [], where);
  };
  return { visit, page, clean };
}

test('a collection whose every field is an attack is shown as text: nothing runs, no element is made of it',
  async () => {
  const { visit, page, clean } = await guarded('/');
  await ready(page);
  await clean('home');
  assert.match(await page.locator('#finding').textContent(), /<img src=x onerror=alert\(1\)> & "Wire"/);
  await page.locator('#q').fill('harbour <script>alert(2)</script>');
  await page.waitForSelector('#quick ol.hits li');
  await clean('home with results');
  await page.locator('#per-query summary').click();
  await clean('query by query');
  await page.locator('#per-query a').first().click();
  await page.waitForFunction(() => document.querySelectorAll('#system-0 ol.hits > li').length > 0);
  await clean('search');
  assert.match(await page.locator('#system-0').textContent(), /<script>alert\(1\)<\/script> title/);
  await tune(page);
  await page.locator('#filters summary').click();
  await page.selectOption('#category', { index: 1 });
  await page.waitForFunction(() => !document.querySelector('#filters summary').textContent.includes('all documents'));
  await clean('filters');
  await page.locator('#system-0 button.open').first().click();
  await page.waitForSelector('#why article');
  await clean('why');
  await page.locator('#edit-0').click();
  await page.locator('#notation-0').fill('<img src=x onerror=alert(3)>');
  await clean('editor');
  const link = page.url();
  assert.match(link, /#v=1&/);
  await page.reload();
  await page.waitForSelector('#why article');
  await clean('the link of all that');
  await visit.done();
});

const formulas = ['=HYPERLINK("https://rankbox.invalid","x")', '+1+cmd|calc', '-2+3', '@SUM(1)', '\\tx'];
const attacks = ['"><img/src=x/onerror=alert(1)>', '</text><script>alert(2)</script>', '\\input{/etc/passwd}',
  '$\\write18{ls}$%_&#~^', '`|[x](javascript:alert(3))', 'a\u202Ecod.exe', ...formulas.slice(0, 4)];

test('runs, ids and fields that are attacks stay text in every part of Compare, and in every file that it saves',
  async () => {
  const { visit, page, clean } = await guarded('/compare');
  await ready(page);
  const ids = attacks.map((a) => a.replaceAll(/\s/g, ''));
  const lines = (name, from) =>
    ids.flatMap((q, i) => ids.map((d, j) =>
      `q${q}\tQ0\t${d}\t${j + 1}\t${100 - ((j + i * from) % ids.length)}\t${name.replaceAll(/\s/g, '')}\n`)).join('');
  const qrels = ids.flatMap((q, i) => ids.slice(0, 6).map((d, j) => `q${q}\t0\t${d}\t${(i + j) % 3}\n`)).join('');
  const queries = ids.map((q, i) =>
    JSON.stringify({ _id: `q${q}`, text: attacks[i],
      metadata: { type: attacks[i], difficulty: attacks[(i + 1) % attacks.length],
        domain: attacks[(i + 2) % attacks.length] } }) + '\n').join('');
  const names = [attacks[0], attacks[2], formulas[0], attacks[4]].map((n) => n.replaceAll('/', '∕'));
  await drop(page, 'main', [[`${names[0]}.qrels`, qrels], [`${names[1]}.jsonl`, queries],
    ...names.map((n, i) => [`${n}.run`, lines(attacks[i], i + 1)]), [`${names[0]}.broken`, '1 2 3 4 5 6 7 8\n']]);
  const hash = await reported(page);
  await page.waitForSelector('#opinions', { state: 'attached' });
  await clean('a comparison');
  for (const tab of ['queries', 'statistics', 'check', 'export', 'board']) {
    await page.locator(`#tab-${tab}`).click();
    for (const s of await page.locator('main summary:visible').all()) if (
      !(await s.evaluate((e) => e.parentElement.open))) await s.click();
    await clean(`every disclosure of ${tab}`);
  }
  for (const chip of await page.locator('.chips .chip').all()) await chip.click();
  await clean('every warning');
  // a name is given by hand, as hostile as those of files
  await (await shown(page, '#leaderboard button', { hasText: 'rename' })).first().click();
  await (await shown(page, '#leaderboard input[type=text]')).fill(`=1+1${attacks[1]}`);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#leaderboard').textContent.includes('=1+1</text>'));
  await (await shown(page, '#every-test')).click();
  await page.waitForSelector('#test-table', { state: 'attached' });
  await (await shown(page, '#ask-agreement')).click();
  await page.waitForSelector('#agreement-table', { state: 'attached' });
  await (await shown(page, '#query-table button.query')).last().click();
  await page.waitForSelector('#changes tfoot', { state: 'attached' });
  await (await shown(page, '#policy-unjudged')).selectOption('condensed');
  await reported(page, hash);
  await clean('tests, agreement, a query and a policy');
  await page.waitForSelector('#kinds-table', { state: 'attached' });
  const screen = await page.locator('main').textContent();
  for (const a of [attacks[0], attacks[1], attacks[2]]) assert.ok(screen.includes(a), `${a} is not shown`);
  assert.ok(!screen.includes('\u202e'), 'the order of letters is turned round');

  const text = async (button) => (await saved(page, button)).bytes.toString();
  // cells: what a spreadsheet would run begins with one of these and is no number
  const runs = /^[=+\-@\t\r]/;
  for (const id of ['#export-csv', '#export-csv-queries', '#save-unjudged', '#figure-differences button.csv',
    '#figure-intervals button.csv']) {
    if (!(await page.locator(id).count())) { assert.equal(id, '#save-unjudged', `${id} is missing`); continue; }
    for (const line of (await text(id)).split('\n')) {
      for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)) {
        const cell = quoted ?? plain;
        assert.ok(!runs.test(cell) || !Number.isNaN(Number(cell)), `${id}: a spreadsheet would run ${cell}`);
      }
    }
  }
  const latex = (await text('#export-latex')).replaceAll(/^%.*\n/gm, ''); // TeX skips a comment unread
  assert.doesNotMatch(latex.replaceAll(/^.providecommand.*$|\$(-|<|p|d_z)\$/gm, ''), /\\input|\\write|(?<!\\)[$#]/,
    'LaTeX');
  const md = await text('#export-md');
  assert.doesNotMatch(md, /<(img|script|svg|\/text)|[^\\]\]\(javascript:/, 'Markdown');
  const blank = await page.context().newPage(); // whose policy lets it parse
  for (const figure of ['differences', 'intervals']) {
    const svg = await text(`#figure-${figure} button.svg`);
    const odd = await blank.evaluate((t) => {
      const d = new DOMParser().parseFromString(t, 'image/svg+xml');
      return [...d.querySelectorAll('parsererror, script, img, image, foreignObject, style, a, use')].map((e) =>
        e.nodeName).concat([...d.querySelectorAll('*')].flatMap((e) => [...e.attributes].map((a) => a.name))
          .filter((n) => /^on|href/.test(n)));
    }, svg);
    assert.deepEqual(odd, [], `figure ${figure}`);
  }
  JSON.parse(await text('#export-json-queries'));
  // eslint-disable-next-line no-control-regex -- control characters are what must not be there
  const control = /[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]/;
  for (const id of ['#export-text', '#export-trec-queries']) assert.doesNotMatch(await text(id), control, id);
  // the saved file brings all of it back, and a snapshot of it is shown beside it
  const whole = await saved(page, '#export-comparison');
  const snapshot = await saved(page, '#save-snapshot');
  const other = await guarded('/compare');
  await ready(other.page);
  await other.page.setInputFiles('#files', whole.path);
  await reported(other.page);
  await other.page.setInputFiles('#files', { name: `${names[0]}.rankbox-report`, mimeType: 'application/octet-stream',
    buffer: snapshot.bytes });
  await other.page.waitForSelector('#since-table', { state: 'attached' });
  await other.clean('since a snapshot');
  await other.visit.done();
  await visit.done();
});
