// The Compare screen: from files that are dropped to files that are saved.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { crc32, gzipSync } from 'node:zlib';
import { choose, commandLine, drawn, drop, lab, ready, reported, root, saved, scratch, settled, shown,
  undone } from './harness.mjs';

const rankbox = lab();
const run = promisify(execFile);
const folder = join(root, 'site/e2e/fixtures/compare');
const at = (...names) => names.map((n) => join(folder, n));
const three = at('demo.qrels', 'prod.run', 'reranker.run', 'bm25.run');

const explained = (page) => page.waitForSelector('#query-table .because', { state: 'attached' });

async function open(path = '/compare', options) {
  const visit = await rankbox.open(path, options);
  await ready(visit.page);
  return visit;
}

async function compared(files = three, options) {
  const visit = await open('/compare', options);
  await visit.page.setInputFiles('#files', files);
  visit.hash = await reported(visit.page);
  return visit;
}

/** The three runs compared, in a visit that tests share: those that look, or whose changes undo takes back. */
const shared = rankbox.kept(async () => {
  const visit = await compared();
  await explained(visit.page);
  await visit.page.waitForSelector('#opinions', { state: 'attached' });
  await settled(visit.page);
  return visit;
}, undone);

const texts = (paths) =>
  Promise.all(paths.map(async (p) => [p.slice(p.lastIndexOf('/') + 1), await readFile(p, 'utf8')]));

/** A zip file of [name, bytes], not compressed. */
function zip(files) {
  const parts = [], central = [];
  let at = 0;
  for (const [name, bytes] of files) {
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt32LE(crc32(bytes), 10);
    head.writeUInt32LE(bytes.length, 14);
    head.writeUInt32LE(bytes.length, 18);
    head.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from('PK\x03\x04'), head, Buffer.from(name), bytes);
    const entry = Buffer.alloc(42);
    head.copy(entry, 2);
    entry.writeUInt16LE(20, 0);
    entry.writeUInt32LE(at, 38);
    central.push(Buffer.from('PK\x01\x02'), entry, Buffer.from(name));
    at += 30 + name.length + bytes.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, directory, Buffer.from('PK\x05\x06'), end]);
}

/** The figures of a run, the first run 1, in the leaderboard, whose rows are in the order of the first measure. */
const cells = (page, run) => page.locator('#leaderboard tbody tr',
  { has: page.locator('.sys', { hasText: String.fromCharCode(64 + run) }) })
    .locator('td:not(.left, :has(.muted, .apart)) > span:first-child').allTextContents();
const file = (name, text) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) });
const unfold = async (page) => {
  for (const s of await page.locator('main summary:visible').all()) if (
    !(await s.evaluate((e) => e.parentElement.open))) await s.click();
};

test('with JavaScript off, the board of the open collection is there, and where files are dropped', async () => {
  const visit = await rankbox.open('/compare', { javaScriptEnabled: false });
  const { page } = visit;
  assert.match(await page.locator('h1').textContent(), /^On Harbour Wire \(44 queries\), /);
  assert.equal(await page.locator('#leaderboard tbody tr').count(), 4);
  assert.match(await page.locator('main').textContent(), /Nothing is uploaded/);
  assert.equal(await page.locator('header nav a[aria-current]').textContent(), 'Evaluate');
  await visit.done();
});

test('files dropped anywhere on the page give the figures that rankbox eval prints and the report that rankbox compare makes',
  async () => {
  const visit = await open('/');
  const { page } = visit;
  await drop(page, 'footer', await texts(three));
  const hash = await reported(page, await page.evaluate(() => document.getElementById('page').dataset.report));
  await page.waitForFunction(() => location.pathname === '/evaluate');
  const tool = await commandLine();
  for (const [i, file] of three.slice(1).entries()) {
    const { stdout } = await run(tool, ['eval', '-quiet', three[0], file, 'nDCG@10', 'AP', 'RR', 'R@20', '-p', '3']);
    const expected = Object.fromEntries(stdout.trim().split('\n').map((line) => line.split(/\s+/).slice(-3))
      .map((f) => [f[f.length === 3 ? (f[1] === 'all' ? 0 : 1) : 0], f.at(-1)]));
    const shown = (await cells(page, i + 1)).slice(0, 4);
    assert.deepEqual(shown, ['nDCG@10', 'AP', 'RR', 'R@20'].map((m) => expected[m]), file);
  }
  const { stdout } = await run(tool, ['compare', '-quiet', '-o', 'json', ...three]);
  assert.equal(hash, JSON.parse(stdout).hash);
  const finding = (await page.locator('h1').textContent()).trim().replaceAll('−', '-');
  assert.equal(finding, JSON.parse(stdout).finding);
  await visit.done();
});

test('every part has its heading and its tab, by mouse, by arrow keys and by the address',
  () => shared(async ({ page }) => {
  await page.waitForSelector('#opinions', { state: 'attached' });
  await explained(page);
  const parts = {
    board: ['Board', 'Files'],
    queries: ['Queries', 'Query', 'Kinds of queries', 'Kinds of queries against the baseline'],
    statistics: ['Pairs of runs', 'Component analysis', 'Robustness', 'Agreement of rankings',
      'Unjudged documents and ties'],
    check: ['Every run as other tools score it', 'Conventions', 'Without files'],
    export: ['Exports', 'Changes since a snapshot', 'Figures'],
  };
  const open = () => page.evaluate(() => [document.querySelector('[role=tab][aria-selected=true]').id,
    ...[...document.querySelectorAll('[role=tabpanel]')].filter((e) => !e.hidden).map((e) => e.id)]);
  assert.deepEqual(await page.locator('[role=tab]')
    .evaluateAll((l) => l.map((e) => [e.id, e.getAttribute('aria-controls'), e.tabIndex])),
      Object.keys(parts).map((t, i) => [`tab-${t}`, `panel-${t}`, i ? -1 : 0]));
  for (const [tab, want] of Object.entries(parts)) {
    await page.locator(`#tab-${tab}`).click();
    assert.deepEqual(await open(), [`tab-${tab}`, `panel-${tab}`]);
    assert.deepEqual(await page.locator(`#panel-${tab} h2:visible`).allTextContents()
      .then((l) => l.map((t) => t.replace(/^Query q\d+.*/, 'Query'))), want, tab);
  }
  const to = (id) => page.waitForFunction((t) => document.activeElement.id === t &&
    document.activeElement.getAttribute('aria-selected') === 'true', id);
  for (const [key, tab] of [['ArrowRight', 'board'], ['ArrowLeft', 'export'], ['Home', 'board'], ['End', 'export'],
    ['ArrowLeft', 'check']]) {
    await page.keyboard.press(key);
    await to(`tab-${tab}`);
  }
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('#tab-export').getAttribute('aria-selected') === 'true');
  for (const figure of await page.locator('main figure').all()) assert.ok(
    (await figure.locator('figcaption').first().textContent()).trim().length > 20, 'a figure without a finding');
}));

test('the parts of every change that is shown add up to the change of the measure, for measures of every kind',
  async () => {
  const visit = await compared();
  const { page } = visit;
  await (await shown(page, '#measures')).fill('nDCG@10 AP RR RBP(p=0.8) Bpref INST');
  await page.keyboard.press('Enter');
  await reported(page, visit.hash);
  for (const m of [0, 1, 2, 3, 4, 5]) {
    await (await shown(page, '#column')).selectOption(String(m));
    const name = await page.locator('#column option').nth(m).textContent();
    await page.waitForFunction((n) => document.querySelector('#changes caption')?.textContent.includes(n),
      name.split('@')[0].split('(')[0]);
    for (const _ of [0, 1]) {
      await page.waitForFunction(() => document.querySelectorAll('.unfolded tfoot tr:last-child td').length === 2);
      // at one moment: an answer may come between two reads
      const { title, parts, total, sides } = await page.evaluate(() => {
        const number = (td) => Number(td.textContent.replace('−', '-'));
        return {
          title: document.getElementById('rankings-title').textContent,
          parts: [...document.querySelectorAll('#changes tbody td:last-child')].map(number),
          total: number(document.querySelector('#changes tfoot td:last-child')),
          sides: [...document.querySelectorAll('.unfolded tfoot tr:last-child td')].map((td, side) =>
            [number(td), number(document.querySelector(`#side-${side} .score b`))]),
        };
      });
      assert.ok(parts.length > 0, `${name}, ${title}: no parts`);
      assert.ok(Math.abs(parts.reduce((s, v) => s + v, 0) - total) < 0.00006 * (parts.length + 1),
        `${name}, ${title}: ${parts} sum to other than ${total}`);
      for (const [side, [value, above]] of sides.entries()) {
        assert.equal(value, above, `${name}, ${title}: arithmetic of run ${side}`);
      }
      await (await shown(page, '#query-on')).click();
      await page.waitForFunction((t) => document.getElementById('rankings-title').textContent !== t &&
        document.querySelector('#changes tfoot'), title);
      // the arithmetic comes after the lists; what never agrees fails above
      await page.waitForFunction(() =>
        [0, 1].every((side) => document.querySelectorAll('.unfolded tfoot tr:last-child td')[side]?.textContent.trim()
        === document.querySelector(`#side-${side} .score b`)?.textContent.trim()), null, { timeout: 5000 })
          .catch(() => {});
    }
  }
  await visit.done();
});

test('queries are sorted, filtered and found, page by page', () => shared(async ({ page }) => {
  const column = async (n) => (await page.locator(`#query-table tbody td:nth-of-type(${n})`).allTextContents())
    .map((t) => Number(t.replace('−', '-').replace('=', '0')));
  assert.equal((await column(3)).length, 25);
  await (await shown(page, '#queries-on')).click();
  assert.equal((await column(3)).length, 5);
  await (await shown(page, '#query-table thead button', { hasText: 'Change' })).click();
  let v = await column(3);
  assert.deepEqual(v, [...v].sort((a, b) => b - a), 'gains first');
  await (await shown(page, '#query-table thead button', { hasText: 'Change' })).click();
  v = await column(3);
  assert.deepEqual(v, [...v].sort((a, b) => a - b), 'losses first');
  assert.equal(await page.locator('#query-table th[aria-sort]').getAttribute('aria-sort'), 'ascending');
  await (await shown(page, '#filter')).selectOption('b');
  v = await column(3);
  assert.ok(v.length > 0 && v.every((x) => x > 0.1), String(v));
  await (await shown(page, '#over')).fill('0.5');
  await (await shown(page, '#over')).press('Tab');
  await page.waitForFunction(() => [...document.querySelectorAll('#query-table tbody td:nth-of-type(3)')].every((t) =>
    Number(t.textContent) > 0.5));
  await (await shown(page, '#filter')).selectOption('');
  await (await shown(page, '#find')).fill('q13');
  await page.waitForFunction(() => document.querySelectorAll('#query-table tbody tr').length === 1);
  await (await shown(page, '#query-table button.query')).click();
  await page.waitForFunction(() => document.getElementById('rankings-title').textContent.startsWith('Query q13'));
}));

test('odd, damaged and foreign files are each explained with file and line, and the others are compared', async () => {
  const visit = await compared(at('demo.qrels', 'prod.run', 'odd.run', 'broken.run', 'notes.txt'));
  const { page } = visit;
  const text = (await page.locator('#files-read').textContent()).replace(/\s+/g, ' ');
  assert.match(text, /broken\.run.*Not compared: line 42: score "high" is not a number/);
  assert.match(text, /notes\.txt.*Not compared: line 1:/);
  assert.match(text, /odd\.run:6: document "d\d+" is there again for query "q1" with the same score/);
  assert.match(text, /rank and score contradict each other .*\(2 times\)/);
  assert.equal(await page.locator('#leaderboard tbody tr').count(), 2);
  await (await shown(page, '#files-read details', { has: page.locator('button.fix') })).locator('summary').first()
    .click();
  const fixed = await saved(page, '#files-read button.fix');
  assert.equal(fixed.name, 'odd-repaired.run');
  const { stderr } = await run(await commandLine(), ['eval', three[0], fixed.path, 'nDCG@10']);
  assert.doesNotMatch(stderr, /again for query|contradict|not in the order/, 'the repaired file has the same oddities');
  await visit.done();
});

test('what is missing is said: runs without qrels, qrels without runs, nothing of use', async () => {
  const visit = await open();
  const { page } = visit;
  await page.setInputFiles('#files', at('prod.run'));
  await page.waitForFunction(() => document.querySelector('main').textContent.includes('Now add judgments'));
  await (await shown(page, '#clear')).click();
  await page.setInputFiles('#files', at('demo.qrels'));
  await page.waitForFunction(() => document.querySelector('main').textContent.includes('Now add a run'));
  await page.setInputFiles('#files', at('prod.run'));
  await reported(page);
  assert.match(await page.locator('h1').textContent(), /prod reaches 0\.\d+ nDCG@10/);
  await visit.done();
});

test('more than thirty files, and more than fits into the memory, are refused before they are read', async () => {
  const visit = await open();
  const { page } = visit;
  const many = Array.from({ length: 33 }, (_, i) => [`r${i}.run`, `q1 Q0 d1 1 ${i} t\n`]);
  await drop(page, 'main', many);
  await page.waitForSelector('.problem');
  assert.match(await page.locator('.problem').textContent(),
    /Up to 30 files .* 3 more were not added.*r30\.run, r31\.run, r32\.run/);
  await page.locator('.problem button', { hasText: 'Close' }).click();
  await (await shown(page, '#clear')).click();
  await page.evaluate(() => {
    const f = new File(['x'], 'huge.run');
    Object.defineProperty(f, 'size', { value: 5e9 });
    globalThis.rankbox.onFiles([{ id: 99, name: f.name, size: f.size }]);
  });
  await page.waitForSelector('.problem');
  assert.match(await page.locator('.problem').textContent(),
    /more than fits into the memory of this device, 1 GiB a file and 1\.4 GB together.*huge\.run \(5\.0 GB\)/);
  await visit.done();
});

test('a large run is read as a stream with progress, and can be cancelled at once', async () => {
  const visit = await open();
  const { page } = visit;
  await page.setInputFiles('#files', at('demo.qrels', 'prod.run'));
  const before = await reported(page);
  await page.evaluate(() => {
    const lines = [];
    for (let q = 0; q < 3000; q++) for (let d = 0; d < 500;
      d++) lines.push(`q${q} Q0 doc-number-${d * 7919 % 100003} ${d + 1} ${500 - d} big\n`);
    const t = new DataTransfer();
    t.items.add(new File(lines, 'big.run'));
    // pressed from within, as soon as it is said: the way of a click to the page, and a look once a frame, may take
    // longer than the file
    new MutationObserver((_, seen) => {
      if (!/Reading big\.run: [1-9][\d.]* [kM]?B? ?.*of \d/.test(document.getElementById('reading')?.textContent ??
        '')) return;
      seen.disconnect();
      document.getElementById('cancel').click();
      window.cancelled = true;
    }).observe(document, { childList: true, characterData: true, subtree: true });
    document.querySelector('main')
      .dispatchEvent(new DragEvent('drop', { dataTransfer: t, bubbles: true, cancelable: true }));
  });
  await page.waitForFunction(() => window.cancelled);
  assert.equal(await reported(page), before);
  assert.equal(await page.locator('#files-read tbody tr').count(), 2);
  await visit.done();
});

test('a link opens in a fresh profile on the same report, and damaged ones open the empty screen and say what was wrong',
  async () => {
  const visit = await compared(three, { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = visit;
  await (await shown(page, '#policy-ties')).selectOption('docid-asc');
  const hash = await reported(page, visit.hash);
  await (await shown(page, '#export-link')).click();
  await page.waitForSelector('.notice');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.length < 8300, `${link.length} characters`);
  await page.waitForFunction((l) => location.href === l, link);
  const other = await open(link.slice(rankbox.origin.length));
  assert.equal(await reported(other.page), hash);
  assert.equal(await other.page.locator('#policy-ties').inputValue(), 'docid-asc');
  await (await shown(other.page, '#policy-ties')).selectOption('docid-desc');
  assert.equal(await reported(other.page, hash), visit.hash);
  await other.done();
  const good = link.slice(link.indexOf('#'));
  const early = await rankbox.open('about:blank'); // before any program, the page shows no other comparison
  await early.page.route(/\.wasm$/, () => {});
  await early.page.goto(`/compare${good}`);
  await early.page.waitForFunction(() => {
    const before = getComputedStyle(document.querySelector('.compare'), '::before').content;
    return before.includes('Opening the comparison') && !document.getElementById('leaderboard').checkVisibility();
  });
  await early.close();
  for (const bad of [`${good.slice(0, 400)}A${good.slice(401)}`, good.slice(0, 900), '#runs=', '#runs=%00&x=00000000',
    '#<img src=x onerror=alert(1)>', `#runs=${'A'.repeat(9000)}`]) {
    await page.goto('about:blank'); // else it would be another place of the same page
    await page.goto(`/compare${bad}`);
    await ready(page);
    await page.waitForSelector('.problem');
    assert.match(await page.locator('.problem').textContent(), /could not be opened/, bad.slice(0, 40));
    assert.match(await page.locator('h1').textContent(), /^On Harbour Wire/);
    await page.waitForFunction(() => location.hash === '');
    await page.setInputFiles('#files', three);
    assert.equal(await reported(page), visit.hash);
    await visit.well();
  }
  await visit.done();
});

test('every export is saved, holds the figures, and the single file opens again on the same report',
  () => shared(async (visit) => {
  const { page } = visit;
  const mean = (await cells(page, 2))[0];
  const tool = await commandLine();
  for (const [id, name, format, flags] of [['latex', 'comparison.tex', 'latex', []], ['md', 'comparison.md', 'md', []],
    ['csv', 'comparison.csv', 'csv', ['-pairs', 'all']], ['csv-queries', 'comparison-by-query.csv', 'csv', ['-q']],
    ['json-queries', 'comparison-by-query.json', 'json', ['-q']],
    ['trec-queries', 'comparison-by-query.txt', 'trec', ['-q']], ['text', 'comparison.txt', 'text', []]]) {
    const file = await saved(page, `#export-${id}`);
    assert.equal(file.name, name);
    const { stdout } = await run(tool, ['compare', '-quiet', '-o', format, ...flags, ...three], { maxBuffer: 1 << 26 });
    assert.equal(file.bytes.toString(), stdout, `${id} differs from what rankbox compare prints`);
    if (!id.includes('queries')) assert.ok(file.bytes.toString().includes(mean), id);
  }
  const figure = await saved(page, '#figure-differences button.svg');
  assert.match(figure.bytes.toString(), /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*<\/svg>\n$/s);
  const unjudged = await saved(page, '#save-unjudged');
  assert.match(unjudged.bytes.toString(), /^query,document,prod,reranker,bm25\nq1,d\d+,/);
  const whole = await saved(page, '#export-comparison');
  assert.equal(whole.name, 'comparison.rankbox');
  const other = await open();
  await other.page.setInputFiles('#files', whole.path);
  assert.equal(await reported(other.page), visit.hash);
  await other.done();
}));

test('figures are saved as SVG, as PNG of twice the size on white, and as CSV with every number they are drawn from',
  () => shared(async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForSelector('#changes tfoot', { state: 'attached' });
  for (const name of ['differences', 'intervals']) {
    const svg = (await saved(page, `#figure-${name} button.svg`)).bytes.toString();
    const height = Number(svg.match(/viewBox="0 0 960 (\d+)"/)[1]);
    const png = await saved(page, `#figure-${name} button.png`);
    assert.equal(png.name, `figure-${name}.png`);
    assert.equal(png.bytes.subarray(0, 8).toString('hex'), '89504e470d0a1a0a');
    assert.deepEqual([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)], [1920, 2 * height]);
    const pixels = await page.evaluate(async (text) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      let drawn = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] < 200 || data[i + 2] < 200) drawn++;
      return { corner: [...data.subarray(0, 4)], drawn: drawn / (data.length / 4) };
    }, png.bytes.toString('base64'));
    assert.deepEqual(pixels.corner, [255, 255, 255, 255], 'the background is white in the dark scheme too');
    assert.ok(pixels.drawn > 0.01 && pixels.drawn < 0.5, `${pixels.drawn} of the pixels are drawn`);
    const csv = (await saved(page, `#figure-${name} button.csv`)).bytes.toString().trim().split('\n');
    assert.equal(csv[0], name === 'differences' ? 'query,prod,reranker,change' : 'run,measure,mean,low,high,group');
    assert.equal(csv.length, name === 'differences' ? 31 : 4);
    if (name === 'differences') for (const line of csv.slice(1)) assert.ok(
      Math.abs(line.split(',')[2] - line.split(',')[1] - line.split(',')[3]) < 1e-12, line);
  }
  await page.emulateMedia({ colorScheme: null });
}));

test('every figure is unfolded on demand, says what it shows, fits a phone, is saved for notebooks and TeX, and is open again for whoever gets the link',
  async () => {
  const visit = await compared(three, { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = visit;
  const names = await page.locator('#figures .choice').evaluateAll((l) => l.map((e) => e.id.replace('show-', '')));
  assert.ok(names.length >= 11 && new Set(names).size === names.length, names.join());
  assert.deepEqual(await page.locator('#figures .choice[aria-pressed=true]').evaluateAll((l) => l.map((e) => e.id)),
    ['show-intervals', 'show-differences']);
  for (const name of names) {
    if (await page.locator(`#show-${name}`).getAttribute('aria-pressed') === 'false') await (
      await shown(page, `#show-${name}`)).click();
    await page.waitForSelector(`#figure-${name}`, { state: 'attached' });
  }
  for (const name of ['cutoffs', 'precision-recall', 'judged']) { // drawn from measures that are not on the board
    await page.waitForSelector(`figure#figure-${name}`, { state: 'attached' });
  }
  // what runs alone have not: they say what they need
  const lacking = await page.locator('#figures p[id^=figure-]')
    .evaluateAll((l) => l.map((e) => e.id.replace('figure-', '')));
  assert.deepEqual(lacking, ['speed', 'waterfall', 'worth', 'sweep', 'bump', 'steps', 'grades', 'latency',
    'resources']);
  for (const name of lacking) {
    assert.match(await page.locator(`#figure-${name}`).textContent(), / needs .{10,}\./);
    names.splice(names.indexOf(name), 1);
    await (await shown(page, `#show-${name}`)).click();
  }
  const tool = await commandLine();
  const measures = (await page.locator('#measures').inputValue());
  for (const name of names) {
    const figure = page.locator(`figure#figure-${name}`);
    const sentence = (await figure.locator('figcaption span').first().textContent()).trim();
    assert.match(sentence, /^\S.{20,}\.$/, name);
    assert.equal(await figure.locator('svg:visible').count(), 1, `${name} is drawn once`);
    assert.equal(await figure.locator('svg:visible').getAttribute('aria-label'), sentence);
    for (const [format, end] of [['svg', 'svg'], ['csv', 'csv'], ['vega', 'vl.json'], ['latex', 'tex']]) {
      const file = await saved(page, `#figure-${name} button.${format}`);
      assert.equal(file.name, `figure-${name}.${end}`);
      const { stdout } = await run(tool, ['compare', '-quiet', '-m', measures, '-figure', name, '-pair', 'A-B', '-o',
        format, ...three], { maxBuffer: 1 << 26 });
      // The page carries the measures of every figure that is open, the command line those of one.
      const drawing = (text) => text.replace(/<metadata>.*<\/metadata>/s, '');
      assert.equal(drawing(file.bytes.toString()), drawing(stdout),
        `${name} as ${format} differs from what rankbox compare draws`);
      if (format !== 'svg') continue;
      const path = join(await scratch(), file.name);
      await writeFile(path, file.bytes);
      assert.match((await run(tool, ['verify', path])).stdout, /every figure and every word matches/);
    }
  }
  await page.setViewportSize({ width: 320, height: 640 });
  for (const name of names) assert.equal(await page.locator(`#figure-${name} svg:visible`)
    .evaluateAll((l) => l.map((e) => e.viewBox.baseVal.width).join()), '300', `${name} on a phone`);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
    'nothing is wider than the phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const name of names.slice(2)) await (await shown(page, `#show-${name}`)).click();
  await (await shown(page, '#export-link')).click();
  await page.waitForSelector('.notice');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await open(link.slice(rankbox.origin.length));
  await reported(other.page);
  assert.deepEqual(await other.page.locator('#figures figure.chart').evaluateAll((l) => l.map((e) => e.id)),
    names.slice(0, 2).map((n) => `figure-${n}`));
  assert.ok(await other.page.locator('#figures').isVisible(), 'the link opens the tab that was open');
  await other.done();
  await visit.done();
});

test('a mark says its numbers under the pointer and by keys, and its query is lit in every figure and in the table',
  () => shared(async ({ page }) => {
  for (const name of ['queries', 'matrix']) await (await shown(page, `#show-${name}`)).click();
  const plot = (name) => page.locator(`#figure-${name} .plot.wide`);
  const ring = (name) => plot(name).locator('.ring').getAttribute('d');
  const reading = (name) => page.locator(`#figure-${name} .reading`).textContent();
  await (await shown(page, '#figure-differences .plot.wide')).focus();
  await page.keyboard.press('Home');
  await page.waitForFunction(() =>
    /^query .*: [+−]?\d\.\d{3}$/.test(document.querySelector('#figure-differences .reading').textContent));
  const first = await reading('differences');
  const query = first.match(/^query (.*?), (?:better|worse):/)[1];
  for (const name of ['differences', 'queries', 'matrix']) assert.match(await ring(name), /^M.*z$/,
    `${query} is lit in ${name}`);
  assert.equal(await page.locator('#query-table tr.lit').getAttribute('data-key'), query);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((was) => document.querySelector('#figure-differences .reading').textContent !== was,
    first);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.querySelector('#figure-differences .reading').textContent === '');
  assert.equal(await page.locator('#query-table tr.lit').count(), 0);
  // the first column of the matrix, by the pointer
  await (await shown(page, '#figure-matrix .plot.wide')).scrollIntoViewIfNeeded();
  const box = await plot('matrix').boundingBox();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.3);
  await page.waitForFunction(() => /^query .*: \d\.\d{3}$/.test(document.querySelector('#figure-matrix .reading')
    .textContent));
  assert.match(await ring('queries'), /^M/);
  await (await shown(page, '#query-table tbody tr')).first().hover();
  const hovered = await page.locator('#query-table tbody tr').first().getAttribute('data-key');
  await page.waitForSelector(`#query-table tr.lit[data-key="${hovered}"]`, { state: 'attached' });
  assert.match(await ring('queries'), /^M/);
  await page.mouse.move(0, 0);
  for (const name of ['queries', 'matrix']) await (await shown(page, `#show-${name}`)).click();
}));

test('when a run is taken out the others keep letter and colour, in tables, figures and links', async () => {
  const visit = await compared();
  const { page } = visit;
  const runs = () => page.$$eval('#leaderboard tbody th .sys',
    (all) => all.map((e) => `${e.textContent} ${e.className}`).sort());
  assert.deepEqual(await runs(), ['A sys a', 'B sys b', 'C sys c']);
  await (await shown(page, '#read-summary')).click();
  await page.getByLabel('Remove reranker.run').click();
  await page.waitForFunction(() => document.querySelectorAll('#leaderboard tbody tr').length === 2);
  assert.deepEqual(await runs(), ['A sys a', 'C sys c']);
  assert.deepEqual(await page.$$eval('#pair-b option', (all) => all.map((o) => o.textContent[0])), ['A', 'C']);
  const named = (p) => p.$eval('#figure-intervals svg', (e) => e.textContent);
  assert.match(await named(page), /C bm25/);
  await choose(page, '#copy-link');
  await page.waitForFunction(() => /letters=1\.3/.test(location.hash));
  const other = await open(`/compare${await page.evaluate(() => location.hash)}`);
  await reported(other.page);
  assert.deepEqual(await other.page.$$eval('#leaderboard tbody th .sys', (all) => all.map((e) => e.textContent).sort()),
    ['A', 'C']);
  await other.done();
  await visit.done();
});

test('a run is renamed in its row with the keyboard: tables, figures, exports and links have the name, ids stay, and undo takes it back',
  async () => {
  const visit = await compared(three, { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = visit;
  await page.waitForSelector('#changes tfoot', { state: 'attached' });
  const ids = await page.locator('#side-1 .id').allTextContents();
  await (await shown(page, '#rename-1')).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'name-1');
  await page.keyboard.type('another');
  assert.equal(await page.locator('#name-1').inputValue(), 'another', 'what is typed takes the place of the old name');
  await (await shown(page, '#name-1')).fill('not this one');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement.id === 'rename-1');
  assert.doesNotMatch(await page.locator('main').textContent(), /not this one/);
  await (await shown(page, '#rename-1')).click();
  assert.deepEqual(await visit.accessibility(), [], 'while a name is typed');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement.id === 'rename-1');
  const evil = '=cmd|<img src=x onerror=alert(1)> $\\input{x}$ & 100 %';
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'name-1');
  await (await shown(page, '#name-1')).fill(evil);
  await page.keyboard.press('Enter');
  await page.waitForFunction((name) => document.querySelector('#leaderboard').textContent.includes(name),
    evil.slice(0, 14));
  const named = await reported(page);
  assert.equal(named, visit.hash, 'a name is no figure');
  await page.waitForFunction(() => document.activeElement.id === 'rename-1');
  assert.ok((await page.locator('h1').textContent()).includes(evil));
  assert.equal(await page.locator('main img').count(), 0);
  for (const where of ['#leaderboard', '#pair-table', '#queries', '#rankings', '#open-table']) assert.ok(
    (await page.locator(where).first().textContent()).includes(evil.slice(0, 14)), where);
  await page.waitForSelector('#changes tfoot', { state: 'attached' });
  assert.deepEqual(await page.locator('#side-1 .id').allTextContents(), ids);
  const csv = (await saved(page, '#export-csv')).bytes.toString();
  assert.ok(csv.includes("'=cmd|<img") && !csv.includes('reranker'), csv.slice(0, 300));
  const tex = (await saved(page, '#export-latex')).bytes.toString().replaceAll('\\allowbreak{}', '').replace(/^%.*$/gm,
    '');
  assert.ok(tex.includes('\\textbackslash{}input\\{x\\}') && !tex.includes('\\input{x}'));
  assert.match((await saved(page, '#figure-intervals button.svg')).bytes.toString(), />B =cmd\|&lt;img/);
  await (await shown(page, '#export-link')).click();
  await page.waitForSelector('.notice');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await open(link.slice(rankbox.origin.length));
  assert.equal(await reported(other.page), named);
  assert.ok((await other.page.locator('#leaderboard').textContent()).includes(evil.slice(0, 20)));
  assert.match(await other.page.locator('#source').textContent(),
    /address holds 3 runs and the judgments of 30 queries/);
  await other.done();
  await page.locator('main').focus();
  await page.keyboard.press('Control+z');
  await page.waitForFunction((name) => !document.querySelector('#leaderboard').textContent.includes(name),
    evil.slice(0, 14));
  assert.equal(await reported(page), visit.hash);
  await (await shown(page, '#rename-1')).click();
  await (await shown(page, '#name-1')).fill('prod');
  await (await shown(page, '#keep-name')).click();
  await page.waitForFunction(() => document.querySelector('#leaderboard').textContent.includes('prod (2)'));
  assert.match(await page.locator('#leaderboard').textContent(), /prod \(2\)/,
    'two runs of the same name are told apart');
  await (await shown(page, '#rename-1')).click();
  await (await shown(page, '#name-1')).fill('');
  await (await shown(page, '#keep-name')).click();
  await page.waitForFunction((h) => document.getElementById('page').dataset.report === h, visit.hash);
  await visit.done();
});

test('the pairs are tested on any measure that is shown, as rankbox compare -pairs does, in the table and in the exports',
  () => shared(async ({ page }) => {
  const tool = await commandLine();
  const measures = await page.locator('#tested option').allTextContents();
  assert.deepEqual(measures, ['nDCG@10', 'AP', 'RR', 'R@20', 'Judged@10']);
  for (const m of ['AP', 'RR', 'nDCG@10']) {
    await (await shown(page, '#tested')).selectOption({ label: m });
    await page.waitForFunction((name) => document.querySelector('#pairs figcaption')?.textContent.startsWith(
      `By ${name}, `), m);
    const { stdout } = await run(tool, ['compare', '-quiet', '-o', 'json', '-pairs', m, ...three],
      { maxBuffer: 1 << 26 });
    const pairs = JSON.parse(stdout).pairs.filter((p) => p.measure === m);
    assert.equal(pairs.length, 3);
    const rows = await page.locator('#pair-table tbody tr')
      .evaluateAll((l) => l.map((r) => [...r.children].map((c) => c.textContent.replaceAll('−', '-'))));
    for (const p of pairs) {
      const row = rows.find((r) => r[0].includes(` ${p.b} - `) && r[0].endsWith(` ${p.a}`));
      assert.ok(row, `${p.b} - ${p.a} among ${rows.map((r) => r[0])}`);
      assert.deepEqual([Number(row[1]), row[3] === '< 0.001' || Number(row[3]), ...row.slice(6).map(Number)],
        [Number(p.difference.toFixed(4)), p.p < 0.001 || Number(p.p.toFixed(3)), p.better, p.worse, p.equal], m);
    }
    assert.equal(await page.locator('#column').inputValue(), await page.locator('#tested').inputValue(),
      'one choice for all that is below');
  }
  await (await shown(page, '#tested')).selectOption({ label: 'AP' });
  await page.waitForFunction(() => document.querySelector('#pairs figcaption')?.textContent.startsWith('By AP, '));
  assert.match(await page.locator('#pairs details').textContent(), /Why this test for AP/);
  for (const [id, format, flags] of [['latex', 'latex', []], ['md', 'md', []], ['csv', 'csv', ['-pairs', 'all']],
    ['json-queries', 'json', ['-q']]]) {
    const { stdout } = await run(tool, ['compare', '-quiet', '-o', format, '-pairs', 'AP', ...flags, ...three],
      { maxBuffer: 1 << 26 });
    assert.equal((await saved(page, `#export-${id}`)).bytes.toString(), stdout,
      `${id} differs from what rankbox compare -pairs AP prints`);
  }
}));

/** What is looked at. */
const view = (page) => page.evaluate(() => ({
  measure: document.querySelector('#tested').selectedOptions[0].textContent, from: document.getElementById('pair-a')
    .value, to: document.getElementById('pair-b').value, show: document.getElementById('filter').value,
  over: document.getElementById('over')?.value, find: document.getElementById('find').value,
  sort: document.querySelector('#query-table th[aria-sort]')?.textContent,
  query: document.getElementById('rankings-title').textContent,
  baseline: document.querySelector('#leaderboard [name=baseline]:checked').id.replace('baseline-', ''),
  missing: document.getElementById('policy-missing').value,
}));

test('link and saved file open on what was looked at: baseline, measure, policies, pair, order, filter and query',
  async () => {
  const visit = await compared(three, { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = visit;
  await (await shown(page, '#policy-missing')).selectOption('skip');
  const skipped = await reported(page, visit.hash);
  await (await shown(page, '#baseline-2')).check();
  const hash = await reported(page, skipped);
  await (await shown(page, '#tested')).selectOption({ label: 'RR' });
  await (await shown(page, '#pair-a')).selectOption('1');
  await (await shown(page, '#pair-b')).selectOption('0');
  await (await shown(page, '#filter')).selectOption('a');
  await (await shown(page, '#over')).fill('0.2');
  await (await shown(page, '#over')).press('Tab');
  await (await shown(page, '#query-table thead button', { hasText: 'Query' })).click();
  await (await shown(page, '#query-table button.query')).nth(2).click();
  await page.waitForFunction(() => document.querySelectorAll('#query-table tr.picked').length === 1 &&
    document.querySelector('#query-table tbody tr:nth-child(3)').classList.contains('picked'));
  const want = await view(page);
  assert.equal(want.measure + want.from + want.to + want.show + want.over + want.baseline + want.missing,
    'RR10a0.22skip');
  await choose(page, '#copy-link');
  await page.waitForSelector('.notice');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /&measure=3&pair=2-1&/);
  await page.waitForFunction((l) => location.href === l, link);
  const whole = await saved(page, '#export-comparison');
  for (const how of ['link', 'file', 'reload']) {
    const v = how === 'link' ? await open(link.slice(rankbox.origin.length)) : how === 'file' ?
      await compared([whole.path]) : visit;
    if (how === 'reload') {
      await page.reload();
      await ready(page);
    }
    assert.equal(await reported(v.page), hash, how);
    assert.deepEqual(await view(v.page), want, how);
    await v.page.waitForFunction(() => document.querySelector('#changes caption')?.textContent.includes(
      'RR from B to A'));
    if (how !== 'reload') await v.done();
  }
  await visit.done();
});

test('what is typed into a field stays there while the page is drawn for another reason', async () => {
  const visit = await compared(three);
  const { page } = visit;
  assert.equal(new URL(page.url()).hash, '', 'nobody asked for a link');
  await choose(page, '#copy-link');
  await page.waitForFunction(() => location.hash.startsWith('#runs='));
  await (await shown(page, '#filter')).selectOption('a');
  await (await shown(page, '#over')).fill('0.2');
  await page.locator('#tested').evaluate((e) => {
    e.value = '1';
    e.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await page.waitForFunction(() => document.getElementById('column').value === '1');
  assert.equal(await page.locator('#over').inputValue(), '0.2');
  assert.ok(!page.url().includes('over=0.2'), 'it counts when the field is left');
  await (await shown(page, '#over')).press('Tab');
  await page.waitForFunction(() => location.hash.includes('over=0.2'));
  assert.equal(await page.locator('#over').inputValue(), '0.2');
  await visit.done();
});

test('undo and redo go through every choice of what is looked at, and back and forward through pairs, measures, queries and files',
  async () => {
  const visit = await open();
  const { page } = visit;
  await page.setInputFiles('#files', at('demo.qrels', 'prod.run', 'reranker.run'));
  const two = await reported(page);
  await page.setInputFiles('#files', at('bm25.run'));
  await reported(page, two);
  const states = [await view(page)];
  const is = async (n, what) => {
    await page.waitForFunction(([id, v]) => document.getElementById(id).value === v, ['filter', states[n].show]);
    await settled(page);
    assert.deepEqual(await view(page), states[n], what);
  };
  for (const act of [
    async () => (await shown(page, '#tested')).selectOption({ label: 'AP' }),
    async () => (await shown(page, '#pair-table button.pair')).nth(1).click(),
    async () => (await shown(page, '#filter')).selectOption('changed'),
    async () => (await shown(page, '#query-table thead button', { hasText: 'Query' })).click(),
    async () => (await shown(page, '#query-table button.query')).nth(4).click(),
  ]) {
    await act();
    await settled(page);
    states.push(await view(page));
    assert.notDeepEqual(states.at(-1), states.at(-2));
  }
  await page.locator('main').focus();
  for (let n = states.length - 2; n >= 0; n--) {
    await page.keyboard.press('Control+z');
    await is(n, `undone to ${n}`);
  }
  for (let n = 1; n < states.length; n++) {
    await page.keyboard.press('Control+Shift+z');
    await is(n, `done again to ${n}`);
  }
  await (await shown(page, '#query-on')).click();
  const next = await view(page);
  assert.notEqual(next.query, states.at(-1).query);
  await page.goBack(); // from the query
  await page.waitForFunction((q) => document.getElementById('rankings-title').textContent === q, states.at(-1).query);
  await page.goForward();
  await page.waitForFunction((q) => document.getElementById('rankings-title').textContent === q, next.query);
  const back = async (there, arg) => { // through queries, pairs, measures and tabs, of which each has an entry
    for (let i = 0; i < 12 && !(await page.evaluate(there, arg)); i++) {
      await page.goBack();
      await settled(page);
    }
    assert.ok(await page.evaluate(there, arg));
  };
  await back((q) => document.getElementById('rankings-title').textContent === q, states[0].query);
  await back((m) => document.querySelector('#tested')?.selectedOptions[0].textContent === m, 'nDCG@10');
  await back(() => !document.getElementById('panel-board').hidden);
  await page.goBack(); // before the third run
  assert.equal(await reported(page, visit.hash ?? ''),
    await page.evaluate(() => document.getElementById('page').dataset.report));
  await page.waitForFunction((h) => document.getElementById('page').dataset.report === h, two);
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('h1').textContent.startsWith('On Harbour Wire'));
  await page.goForward();
  await page.waitForFunction((h) => document.getElementById('page').dataset.report === h, two);
  assert.deepEqual(await page.locator('#files-read .id').allTextContents(), ['demo.qrels', 'prod.run', 'reranker.run'],
    'the files themselves are there again');
  await visit.done();
});

test('links and files of every released version open', async () => {
  const data = join(root, 'core/evaluate/packed/testdata');
  const v1 = await open(`/compare#${await readFile(join(data, 'frozen-1.link'), 'utf8')}`);
  const hash = await reported(v1.page);
  assert.match(await v1.page.locator('h1').textContent(), /^On Fixture \(4 queries\), /);
  assert.equal(await v1.page.locator('#tested').inputValue(), '0');
  await v1.done();
  const viewed = await open(`/compare#${await readFile(join(data, 'frozen-1-view.link'), 'utf8')}`);
  assert.equal(await reported(viewed.page), hash);
  assert.deepEqual(await viewed.page.evaluate(() => ['tested', 'pair-a', 'pair-b', 'filter',
    'find'].map((id) => document.getElementById(id).value)), ['1', '2', '1', 'b', 'port & strike']);
  await viewed.done();
  for (const [name, measure] of [['frozen-1.rbx', '0'], ['frozen-2.rbx', '1']]) {
    const v = await compared([join(data, name)]);
    assert.equal(v.hash, hash, name);
    assert.equal(await v.page.locator('#tested').inputValue(), measure, name);
    await v.done();
  }
});

test('preference judgments bring the measures of preference, with the report of the command line', async () => {
  const dir = await scratch();
  const files = ['prefs.txt', 'straight.run', 'turned.run'].map((n) => join(dir, n));
  let prefs = '', straight = '', turned = '';
  for (let q = 1; q <= 6; q++) {
    for (let d = 0; d < 4; d++) {
      prefs += `t${q} ann 1 d${d} ${4 - d}\nt${q} ben 1 d${d} ${d === q % 4 ? 2 : 1}\n`;
      straight += `t${q} Q0 d${d} ${d + 1} ${9 - d} straight\n`;
      turned += `t${q} Q0 d${3 - d} ${d + 1} ${9 - d} turned\n`;
    }
  }
  await Promise.all([prefs, straight, turned].map((text, i) => writeFile(files[i], text)));
  const visit = await compared(files);
  const { page } = visit;
  assert.deepEqual((await page.locator('#leaderboard thead .sort').allTextContents()).map((t) => t.replace(/ ▼/, ''))
    .filter((t) => t !== 'vs baseline').slice(1, 4), ['prefs_simp', 'prefs_pair', 'prefs_avgjg']);
  assert.match(await page.locator('#leaderboard tbody tr').first().textContent(), /straight/);
  const { stdout } = await run(await commandLine(), ['compare', '-quiet', '-o', 'json', ...files]);
  assert.equal(visit.hash, JSON.parse(stdout).hash);
  const whole = await saved(page, '#export-comparison');
  const again = await compared([whole.path]);
  assert.equal(again.hash, visit.hash, 'the saved file');
  await again.done();
  await visit.done();
});

test('judgments of subtopics bring the measures that look at them, and say which subtopics a document covers',
  async () => {
  let qrels = '', a = '', b = '';
  for (let q = 1; q <= 8; q++) {
    for (let s = 1; s <= 3; s++) for (let d = 1; d <= 6;
      d++) qrels += `${q} ${s} d${q}-${d} ${(d + s + q) % 3 ? 0 : 1}\n`;
    for (let d = 1; d <= 6; d++) {
      a += `${q} Q0 d${q}-${(d * 3 + q) % 7} ${d} ${10 - d} a\n`.replace(/d\d-0/, `x${d}`);
      b += `${q} Q0 d${q}-${d} ${d} ${10 - d} b\n`;
    }
  }
  a = a.split('\n').filter((l, i, all) => all.findIndex((m) => m.split(' ').slice(0, 3).join() === l.split(' ')
    .slice(0, 3).join()) === i).join('\n') + '\n';
  const visit = await compared([file('div.qrels', qrels), file('a.run', a), file('b.run', b)]);
  const { page } = visit;
  assert.deepEqual((await page.locator('#leaderboard thead .sort').allTextContents()).map((t) => t.replace(/ ▼/, ''))
    .filter((t) => t !== 'vs baseline').slice(1, 4), ['alpha_nDCG@10', 'ERR_IA@10', 'StRecall@10']);
  assert.match(await page.locator('#files-read').textContent(), /qrels of subtopics/);
  await page.waitForSelector('#changes tfoot', { state: 'attached' });
  // what each document covers is what the judgments say: sub-topic s of query q has the documents d with d + s + q
  // divisible by 3
  const query = Number((await page.locator('#rankings-title').textContent()).match(/Query (\d+)/)[1]);
  const docs = await page.locator('#side-1 li')
    .evaluateAll((l) => l.map((e) => [e.querySelector('.id').textContent, e.querySelector('.meta').textContent]));
  assert.equal(docs.length, 6);
  for (const [id, meta] of docs) {
    const d = Number(id.split('-')[1]);
    const s = [1, 2, 3].find((x) => (d + x + query) % 3 === 0);
    assert.match(meta, new RegExp(`subtopic ${s}$`), id);
  }
  const parts = (await page.locator('#changes tbody td:last-child').allTextContents())
    .map((t) => Number(t.replace('−', '-')));
  const total = Number((await page.locator('#changes tfoot td:last-child').textContent()).replace('−', '-'));
  assert.ok(Math.abs(parts.reduce((x, v) => x + v, 0) - total) < 0.001);
  await visit.done();
});

test('files that make no sense together are told apart: the same one twice, two qrels, an empty one, runs of other queries',
  async () => {
  const visit = await compared(at('demo.qrels', 'prod.run'));
  const { page } = visit;
  const says = async (pattern) => {
    await page.waitForFunction((p) => new RegExp(p).test(document.getElementById('files-read').textContent), pattern);
    await settled(page);
  };
  await page.setInputFiles('#files', at('prod.run'));
  await reported(page, visit.hash);
  await says('the run is the same as prod, ranking by ranking');
  assert.equal(await page.locator('#pair-a').inputValue() + await page.locator('#pair-b').inputValue(), '01',
    'a run is held against itself');
  await page.setInputFiles('#files', at('demo.qrels'));
  await says('the judgments are from demo\\.qrels already');
  await page.setInputFiles('#files', [file('nothing.run', '')]);
  await says('nothing\\.runNot compared: .*empty');
  assert.equal(await page.locator('details.read').evaluate((e) => e.open), true, 'what is wrong is not folded away');
  const before = await page.evaluate(() => document.getElementById('page').dataset.report);
  await page.setInputFiles('#files', [file('other.run', 'z1 Q0 a 1 2 t\nz1 Q0 b 2 1 t\n')]);
  await reported(page, before);
  await page.locator('#warning-no-shared').click();
  await page.waitForFunction(() =>
    /other: no query of the run is judged: the judgments are of queries like q1, the run has queries like z1/.test(
      document.querySelector('main').textContent));
  for (const name of ['nothing.run', 'other.run']) await (await shown(page, '#files-read tr', { hasText: name }))
    .locator('button', { hasText: 'Remove' }).click();
  await page.waitForFunction((h) => document.getElementById('page').dataset.report === h, before);
  await visit.done();
});

test('gzip and zip are opened, runs before their judgments are kept, and taking a file out keeps the baseline',
  async () => {
  const visit = await open();
  const { page } = visit;
  await page.setInputFiles('#files',
    [{ name: 'reranker.run.gz', mimeType: 'application/gzip',
      buffer: gzipSync(await readFile(at('reranker.run')[0])) }]);
  await page.waitForFunction(() => document.querySelector('main').textContent.includes('Now add judgments'));
  await page.setInputFiles('#files',
    [{ name: 'both.zip', mimeType: 'application/zip',
      buffer: zip(await Promise.all(at('demo.qrels', 'prod.run')
        .map(async (f) => [f.slice(f.lastIndexOf('/') + 1), await readFile(f)]))) }]);
  const first = await reported(page);
  assert.deepEqual(await page.locator('#leaderboard tbody .name').allTextContents(), ['reranker', 'prod']);
  await (await shown(page, '#baseline-1')).check();
  const based = await reported(page, first);
  await page.setInputFiles('#files', at('bm25.run'));
  await reported(page, based);
  assert.ok(await page.locator('#baseline-1').isChecked());
  await (await shown(page, '#read-summary')).click();
  await (await shown(page, '#files-read tr', { hasText: 'reranker' })).locator('button', { hasText: 'Remove' }).click();
  await page.waitForFunction(() => document.querySelectorAll('#leaderboard tbody tr').length === 2);
  assert.match(await page.locator('#leaderboard tr:has(:checked)').textContent(), /^Use prod as the baselineB prod/);
  await visit.done();
});

test('twenty runs are compared; the one beyond is refused by name and gets in when another is taken out', async () => {
  const runs = Array.from({ length: 21 }, (_, r) => {
    let text = '';
    for (let q = 0; q < 12; q++) for (let d = 0; d < 10;
      d++) text += `t${q} Q0 d${(d * (r + 2) + q) % 23} ${d + 1} ${20 - d} r\n`;
    return file(`system-with-a-long-name-${r + 1}.run`,
      text.replace(/(t\d+ Q0 d\d+)( .*\n)/g, (all, head, tail) => head + tail).split('\n')
        .filter((l, i, all) => all.findIndex((m) => m.split(' ').slice(0, 3).join() === l.split(' ').slice(0, 3)
          .join()) === i).join('\n'));
  });
  let qrels = '';
  for (let q = 0; q < 12; q++) for (let d = 0; d < 23; d++) qrels += `t${q} 0 d${d} ${(d * 7 + q) % 5 === 0 ? 1 : 0}\n`;
  const visit = await compared([file('t.qrels', qrels), ...runs]);
  const { page } = visit;
  assert.equal(await page.locator('#leaderboard tbody tr').count(), 20);
  assert.match(await page.locator('#files-read tr', { hasText: 'system-with-a-long-name-21' }).textContent(),
    /Not compared: the limit is 20 runs/);
  assert.match(await page.locator('#pairs figcaption').textContent(), /of 190 pairs/);
  assert.match(await page.locator('#pair-table button.pair').first().textContent(),
    /^B system-with-a-long-name-2 − A /);
  assert.match(await page.locator('#pair-table button.pair').first().getAttribute('aria-label'),
    /^B system-with-a-long-name-2 − A system-with-a-long-name-1$/);
  const column = (n) => page.locator(`#pair-table tbody td:nth-child(${n})`)
    .evaluateAll((l) => l.map((e) => parseFloat(e.textContent.replace('−', '-').replace('<', ''))));
  await (await shown(page, '#pairs-by-difference')).click();
  await page.waitForSelector('#pair-table th[aria-sort=descending]', { state: 'attached' });
  const differences = await column(2);
  assert.ok(differences.length === 20 && differences.every((v, i) => i === 0 || v <= differences[i - 1]),
    differences.join(' '));
  await (await shown(page, '#pairs-on')).click();
  await page.waitForFunction(() => document.querySelector('#pairs .pages').textContent.includes('Page 2 of 10'));
  const next = await column(2);
  assert.ok(next.length === 20 && next[0] <= differences[19], next.join(' '));
  await (await shown(page, '#pair-b')).selectOption('19');
  await page.waitForFunction(() => document.querySelectorAll('.sides > section')[1]?.id === 'side-19');
  assert.ok((await visit.overflow()) <= 0);
  await (await shown(page, '#files-read tr', { hasText: 'name-3.run' })).locator('button', { hasText: 'Remove' })
    .click();
  await reported(page, visit.hash);
  assert.match(await page.locator('#leaderboard').textContent(), /system-with-a-long-name-21/);
  await visit.done();
});

test('a snapshot that is dropped beside later runs says what regressed, with the test beside it', async () => {
  const snapshot = await shared(({ page }) => saved(page, '#save-snapshot'));
  const worse = join(await scratch(), 'reranker.run');
  await writeFile(worse, (await readFile(three[3], 'utf8')).replaceAll(' bm25\n', ' reranker\n'));
  const other = await compared([three[0], three[1], worse]);
  await other.page.setInputFiles('#files', { name: 'release.rankbox-report', mimeType: 'application/octet-stream',
    buffer: snapshot.bytes });
  await other.page.waitForSelector('#since-table', { state: 'attached' });
  const rows = (await other.page.locator('#since-table tbody tr').allTextContents()).map((t) => t.replace(/\s+/g, ' '));
  const row = rows.find((t) => t.includes('reranker') && t.includes('nDCG@10'));
  assert.match(row, /nDCG@10 most in .*regressed$/);
  assert.match(await other.page.locator('h1').textContent(),
    /^reranker is \d+\.\d\s% below the snapshot by nDCG@10\.$/);
  assert.ok(rows.filter((t) => t.startsWith('prod')).every((t) => t.endsWith('unchanged')),
    rows.join('\n'));
  assert.match(await other.page.locator('#since figcaption').textContent(), /regressed.*Test: .*Holm/s);
  await (await shown(other.page, '#threshold')).fill('90');
  await (await shown(other.page, '#threshold')).press('Tab');
  await other.page.waitForFunction(() => document.querySelector('#since figcaption').textContent.includes('nothing regressed'));
  await (await shown(other.page, '#threshold-absolute')).fill('0.001');
  await (await shown(other.page, '#threshold-absolute')).press('Tab');
  await other.page.waitForFunction(() => /regressed/.test(document.querySelector('#since figcaption').textContent));
  await other.done();
});

test('policies are switches: figures follow, the page names them, other tools are explained, and undo takes them back',
  () => shared(async (visit) => {
  const { page } = visit;
  await page.waitForSelector('#opinions', { state: 'attached' });
  const rows = (await page.locator('#opinions tbody tr').allTextContents()).map((t) => t.replace(/\s+/g, ' '));
  assert.ok(rows.some((t) => /^pytrec_eval.*omits queries/.test(t)), rows.join('\n'));
  assert.ok(rows.some((t) => /^trec_eval.*the same/.test(t)));
  // and of the query that is open, what it would be there and why: those that sklearn scores by the retrieved documents
  // alone
  await (await shown(page, '#query-table tbody tr button')).first().click();
  await page.waitForSelector('#said', { state: 'attached' });
  const said = (await page.locator('#said tbody tr').allTextContents()).map((t) => t.replace(/\s+/g, ' '));
  assert.ok(said.some((t) =>
    /sklearn ndcg_score.*scikit-learn takes the ideal ranking from the retrieved documents only/.test(t)),
      said.join('\n'));
  await (await shown(page, '#policy-missing')).selectOption('skip');
  const skipped = await reported(page, visit.hash);
  assert.match(await page.locator('#policy-note').textContent(), /missing=skip/);
  assert.match(await page.locator('h1').textContent(), /^On 28 queries/);
  await page.locator('main').focus();
  await page.keyboard.press('Control+z');
  assert.equal(await reported(page, skipped), visit.hash);
  assert.equal(await page.locator('#policy-missing').inputValue(), 'zero');
  await page.keyboard.press('Control+Shift+z');
  assert.equal(await reported(page, visit.hash), skipped);
  const measures = await page.locator('#measures').inputValue();
  await (await shown(page, '#measures')).fill('nDCG@10 nCDG@5');
  await page.waitForFunction(() => document.getElementById('measures-fault').textContent.includes('nDCG'));
  assert.equal(await page.locator('.measures button').isDisabled(), true);
  await (await shown(page, '#measures')).fill(measures);
  await page.waitForFunction(() => document.getElementById('measures-fault')?.textContent.includes('nDCG') !== true);
}));

test('runs of chunks are noticed and collapse to documents by the rule that is chosen', async () => {
  const visit = await compared(at('demo.qrels', 'prod.run', 'chunks.run'));
  const { page } = visit;
  assert.notEqual((await cells(page, 1))[0], (await cells(page, 2))[0]);
  assert.match(await page.locator('#sources .controls').textContent(), /look like chunks: cut at “#”/);
  await (await shown(page, '#chunks')).selectOption('last #');
  await reported(page, visit.hash);
  assert.equal((await cells(page, 1))[0], (await cells(page, 2))[0]);
  await visit.done();
});

test('runs of chunks whose separator nobody guesses collapse by the one that is typed', async () => {
  // by hand: d1 (relevant) has its first chunk behind one of d2, so that nDCG@10 is 1/log2(3) = 0.631 once chunks are
  // documents
  const visit = await compared([file('j.qrels', '1 0 d1 1\n1 0 d2 0\n'),
    file('c.run', '1 Q0 d2__1 1 3 t\n1 Q0 d2__7 2 2 t\n1 Q0 d1__3 3 1 t\n')]);
  const { page } = visit;
  assert.equal((await cells(page, 1))[0].slice(0, 5), '0.000');
  assert.equal(await page.locator('#chunks').count(), 0);
  await (await shown(page, '#separator-summary')).click();
  await (await shown(page, '#separator')).fill('__');
  await page.keyboard.press('Enter');
  const hash = await reported(page, visit.hash);
  assert.equal((await cells(page, 1))[0].slice(0, 5), '0.631');
  assert.equal(await page.locator('#chunks').inputValue(), 'last __');
  await (await shown(page, '#chunks')).selectOption('');
  assert.equal(await reported(page, hash), visit.hash);
  await visit.done();
});

test('the example is one click away', async () => {
  const visit = await open();
  const { page } = visit;
  await (await shown(page, '#example')).click();
  await reported(page);
  assert.match(await page.locator('h1').textContent(), /^On Harbour Wire \(44 queries\), /);
  await explained(page);
  assert.equal(await page.locator('#leaderboard tbody tr').count(), 3);
  await visit.done();
});

test('the three approaches are compared on one page with all ten figures', async () => {
  const visit = await open();
  const { page } = visit;
  await (await shown(page, '#preset-all')).click();
  await page.waitForFunction(() => document.querySelector('h1').textContent.includes('Enhanced'), null,
    { timeout: 240_000 });
  const ten = ['bars', 'speed', 'waterfall', 'matrix', 'latency', 'precision-recall', 'resources', 'errors', 'cutoffs'];
  for (const name of ten) {
    await page.waitForSelector(`#figure-${name} svg`, { state: 'attached', timeout: 240_000 });
  }
  // the tenth runs every set of a pipeline's stages: a busy machine says what it needs instead
  await page.waitForFunction(() => {
    const worth = document.getElementById('figure-worth');
    return worth?.querySelector('svg') || / needs /.test(worth?.textContent);
  }, null, { timeout: 240_000 });
  await (await shown(page, '#time-show')).click();
  await page.waitForSelector('#time table');
  const rows = await page.locator('#time tbody tr')
    .evaluateAll((l) => l.map((r) => [...r.children].map((c) => c.textContent)));
  for (const run of ['A Simple', 'B Enhanced', 'C Hybrid']) {
    const [n, p50, p95, p99] = rows.find((r) => r[0] === run).slice(2).map(Number);
    const said = `${run}: ${n} queries, ${p50}, ${p95}, ${p99}`;
    assert.ok(n === 44 && p50 > 0 && p50 <= p95 && p95 <= p99, said);
  }
  await visit.done();
});

test('text that is pasted is read like a file', async () => {
  const visit = await open();
  const { page } = visit;
  await (await shown(page, '.paste summary')).click();
  for (const file of three.slice(0, 2)) {
    await (await shown(page, '#paste')).fill(await readFile(file, 'utf8'));
    await (await shown(page, '#read-paste')).click();
    await page.waitForFunction((n) => document.querySelectorAll('#files-read tbody tr').length === n,
      file === three[0] ? 1 : 2);
    assert.equal(await page.locator('#paste').inputValue(), '');
  }
  await reported(page);
  await visit.done();
});

test('nothing of an upload leaves the page: no request carries a canary that is read, compared and exported',
  async () => {
  const canary = 'CANARY7f3a91';
  const qrels = (await readFile(three[0], 'utf8')).replaceAll(' d', ` ${canary}-d`);
  const runs = await Promise.all(three.slice(1)
    .map(async (f) => [`${canary}-${f.slice(f.lastIndexOf('/') + 1)}`,
      (await readFile(f, 'utf8')).replaceAll(' d', ` ${canary}-d`)]));
  const visit = await open('/compare', { serviceWorkers: 'allow' });
  const { page } = visit;
  const from = rankbox.requests.length;
  const asked = [];
  visit.context.on('request',
    (r) => asked.push(`${r.method()} ${r.url()} ${r.postData() ?? ''} ${JSON.stringify(r.headers())}`));
  await drop(page, 'main', [[`${canary}.qrels`, qrels], ...runs]);
  await reported(page);
  await explained(page);
  await page.waitForSelector('#opinions', { state: 'attached' });
  for (const id of ['latex', 'json-queries', 'comparison']) {
    const file = await saved(page, `#export-${id}`);
    if (id !== 'comparison') assert.ok(file.bytes.toString().includes(canary), `${id} does not hold what it exports`);
  }
  await (await shown(page, '#save-snapshot')).click();
  await choose(page, '#copy-link');
  await page.waitForFunction(() => location.hash.includes('runs='));
  await page.reload(); // with the runs in the fragment, which no request carries
  await ready(page);
  await reported(page);
  const seen = rankbox.requests.slice(from).map((r) => `${r.method} ${r.url} ${JSON.stringify(r.headers)} ${r.body}`);
  for (const line of [...seen, ...asked.filter((a) => !/ (blob|data):/.test(a))
    .map((a) => a.replace(/#.*/, ''))]) assert.ok(!line.includes(canary) && !line.includes('runs='),
      line.slice(0, 200));
  await visit.done();
});

test('names and ids out of hostile files are text and nothing else', async () => {
  const evil = '<img/src=x/onerror=alert(1)>';
  const bidi = 'a\u202Efdp.exe';
  const visit = await open();
  const { page } = visit;
  let dialog = false;
  page.on('dialog', (d) => { dialog = true; d.dismiss(); });
  await drop(page, 'main', [['x.qrels', `q${evil} 0 ${evil} 2\nq2 0 ${bidi} 1\n`],
    [`${evil}.run`, `q${evil} Q0 ${evil} 1 2 ${evil}\nq2 Q0 ${bidi} 1 1 t\n`],
    ['javascript:alert(1).run', `q2 Q0 ${bidi} 1 1 t\n`]]);
  await reported(page);
  await page.waitForSelector('#opinions', { state: 'attached' });
  await (await shown(page, '#query-table button.query')).last().click();
  await drawn(page);
  assert.equal(await page.locator('main img').count(), 0);
  assert.ok((await page.locator('main').textContent()).includes(evil));
  assert.ok(!(await page.locator('main').textContent()).includes('\u202e'));
  assert.equal(dialog, false);
  await visit.done();
});

test('the worker that is killed while files are open is replaced, and the same report comes back', async () => {
  const visit = await compared();
  const { page } = visit;
  const [worker] = page.workers();
  await worker.evaluate(() => {
    globalThis.rankbox.onMessage = () => { throw new Error('killed by the test'); };
  }).catch(() => {});
  await (await shown(page, '#policy-gain')).selectOption('exponential');
  await page.waitForFunction(() => document.querySelector('.notice')?.textContent.includes('started again'), null,
    { timeout: 15_000 }).catch(() => {});
  const hash = await reported(page, visit.hash);
  const { stdout } = await run(await commandLine(), ['compare', '-quiet', '-o', 'json', '-policy', 'gain=exponential',
    ...three]);
  assert.equal(hash, JSON.parse(stdout).hash);
  visit.errors.length = 0; // the one that the test threw
  await visit.done();
});

test('the keyboard alone goes from the files to a query, its rankings and an export', () => shared(async ({ page }) => {
  await explained(page);
  const tabTo = async (selector) => {
    for (let i = 0; i < 120; i++) {
      if (await page.evaluate((s) => document.activeElement.matches(s), selector)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`Tab does not reach ${selector}`);
  };
  await page.locator('main').focus();
  await tabTo('#add-runs');
  await page.keyboard.press('Enter');
  await tabTo('#files');
  await page.locator('main').focus();
  await tabTo('#add-runs');
  await page.keyboard.press('Enter');
  await page.locator('main').focus();
  await tabTo('#tab-board');
  for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.activeElement.id === 'tab-statistics');
  await tabTo('#pair-table tr:nth-child(2) button');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.getElementById('pair-b').value === '2');
  await page.locator('main').focus();
  await tabTo('#tab-statistics');
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.activeElement.id === 'tab-queries');
  await tabTo('#query-table button.query');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#query-table tr.picked'));
  await page.keyboard.press('/');
  await page.waitForFunction(() => document.activeElement.id === 'find');
  const kept = await page.evaluate(() => new Promise((end) => {
    document.querySelector('main').focus();
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true }));
    const first = document.activeElement.id;
    document.querySelector('main').focus(); // as quickly as the next key may be pressed on a slow machine
    requestAnimationFrame(() => requestAnimationFrame(() => end([first, document.activeElement.localName])));
  }));
  assert.deepEqual(kept, ['find', 'main'], 'the focus is taken back a frame later');
  const title = await page.locator('#rankings-title').textContent();
  await page.keyboard.press('n');
  await page.waitForFunction((t) => document.getElementById('rankings-title').textContent !== t, title);
  await page.keyboard.press('p');
  await page.waitForFunction(() => document.getElementById('page').classList.contains('presenter'));
  await page.keyboard.press('p');
  await page.locator('main').focus();
  await tabTo('#tab-queries');
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.activeElement.id === 'tab-export');
  await tabTo('#export-csv');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  assert.equal(download.suggestedFilename(), 'comparison.csv');
}));

test('on a phone of 320 pixels, and at 400 % zoom, everything fits and can be touched', async () => {
  for (const viewport of [{ width: 320, height: 640 }, { width: 320, height: 256 }]) {
    const visit = await open('/compare',
      { viewport, hasTouch: viewport.height > 300, isMobile: viewport.height > 300 });
    const { page } = visit;
    assert.ok((await visit.overflow()) <= 0, 'empty');
    await page.setInputFiles('#files', at('demo.qrels', 'prod.run', 'odd.run', 'broken.run'));
    await reported(page);
    await explained(page);
    await page.waitForSelector('#opinions', { state: 'attached' });
    for (const tab of ['board', 'queries', 'statistics', 'check', 'export']) {
    await page.locator(`#tab-${tab}`).click();
    await unfold(page);
    assert.ok((await visit.overflow()) <= 0, `${tab}: ${await visit.overflow()} px too wide`);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('main button, main select, main input:not(.sr), main summary')].filter((e) =>
        e.checkVisibility()).map((e) => [e.id || e.textContent.slice(0, 20),
          Math.round(e.getBoundingClientRect().height)]).filter(([, h]) => h < 40));
    if (viewport.height > 300) assert.deepEqual(small, [], `${tab}: too small for a thumb`);
    await visit.shot(`compare-phone-${tab}-${viewport.height}`);
    }
    await visit.done();
  }
});

test('axe finds nothing on the empty screen, with a comparison, with a problem and in presenter view', async () => {
  const visit = await open('/compare');
  const { page } = visit;
  assert.deepEqual(await visit.accessibilityInBoth(), [], 'empty');
  await page.setInputFiles('#files', at('demo.qrels', 'prod.run', 'odd.run', 'bm25.run', 'broken.run'));
  await reported(page);
  await explained(page);
  await page.waitForSelector('#opinions', { state: 'attached' });
  for (const tab of ['board', 'queries', 'statistics', 'check', 'export']) {
    await page.locator(`#tab-${tab}`).click();
    await unfold(page);
    assert.deepEqual(await visit.accessibilityInBoth(`compare-${tab}`), [], tab);
  }
  await page.locator('#tab-board').click();
  await page.locator('.chip').first().click();
  assert.deepEqual(await visit.accessibility(), [], 'a warning');
  await page.locator('main').focus();
  await page.keyboard.press('p');
  assert.deepEqual(await visit.accessibilityInBoth(), [], 'presenter view');
  await visit.done();
});

test('means by kind of query are those of the command line, with median and geometric mean', async () => {
  const visit = await open('/compare');
  const { page } = visit;
  await page.locator('main button', { hasText: 'Open an example' }).click();
  await reported(page);
  await page.waitForSelector('#kinds-table', { state: 'attached', timeout: 240_000 });
  const rows = await page.locator('#kinds-table tbody tr')
    .evaluateAll((l) => l.map((r) => [...r.children].map((x) => x.textContent)));
  const all = rows.find((r) => r[0] === 'all: mean');
  const board = await Promise.all([1, 2, 3].map(async (n) => (await cells(page, n))[0]));
  assert.deepEqual(all.slice(2), board);
  for (const name of ['all: median', 'all: geometric mean', 'type: factual', 'type: historical']) assert.ok(
    rows.some((r) => r[0] === name), `${name} is missing among ${rows.map((r) => r[0])}`);
  const types = rows.filter((r) => r[0].startsWith('type: '));
  assert.equal(types.reduce((s, r) => s + Number(r[1]), 0), 44);
  const weighted = types.reduce((s, r) => s + Number(r[1]) * Number(r[2]), 0) / 44;
  assert.ok(Math.abs(weighted - Number(all[2])) < 0.001,
    `the means of the types come to ${weighted}, the mean is ${all[2]}`);
  await visit.done();
});

test('a query that is chosen is gone to, and on a phone the board keeps its first column while it is swept',
  () => shared(async ({ page }) => {
  const wide = page.viewportSize();
  await explained(page);
  await (await shown(page, '#query-table button.query')).nth(2).click();
  await page.waitForFunction(() => document.activeElement.id === 'rankings-title');
  const there = await page.locator('#rankings-title').evaluate((e) => e.getBoundingClientRect().top);
  assert.ok(there >= 0 && there < 800, `the rankings at ${there}`);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('#tab-board').click();
  const first = page.locator('#leaderboard tbody th').first();
  const before = await first.boundingBox();
  await page.locator('#board .scroll').evaluate((e) => { e.scrollLeft = 300; });
  assert.ok(await page.locator('#board .scroll').evaluate((e) => e.scrollLeft) > 100,
    'the board is wider than a phone');
  assert.equal((await first.boundingBox()).x, before.x);
  await page.setViewportSize(wide);
}));

test('the board is sorted by every column, shows intervals, differences and groups of the measure that sorts it, and definitions stand apart',
  () => shared(async ({ page }) => {
  const first = async () => (await page.locator('#leaderboard tbody .name').allTextContents()).join();
  const head = (name) => page.locator('#leaderboard thead .sort', { hasText: name });
  const sorted = () => page.locator('#leaderboard th[aria-sort]')
    .evaluateAll((l) => l.map((e) =>
      `${e.textContent.replace('Base', '').replace('?', '')} ${e.getAttribute('aria-sort')}`));
  assert.deepEqual(await sorted(), ['nDCG@10 ▼ descending']);
  const best = await first();
  const means = async (column) => (await page.locator(`#leaderboard tbody td:nth-of-type(${column})`).allTextContents())
    .map(Number);
  await head('AP').click();
  assert.deepEqual(await sorted(), ['AP ▼ descending']);
  assert.deepEqual(await page.locator('#leaderboard thead th')
    .evaluateAll((l) => l.map((e) => e.textContent.replace(/[?▼ ]/g, ''))),
      ['BaseRun', 'nDCG@10', 'AP', '95%interval', 'vsbaseline', 'Groups', 'RR', 'R@20', 'Judged@10']);
  const ap = await means(2);
  assert.deepEqual(ap, [...ap].sort((a, b) => b - a));
  await head('AP').click();
  assert.deepEqual(await sorted(), ['AP ▲ ascending']);
  assert.deepEqual(await means(2), ap.reverse());
  await head('vs baseline').click();
  assert.deepEqual(await sorted(), ['vs baseline ▼ descending']);
  await head('Run').click();
  assert.deepEqual((await first()).split(','), ['bm25', 'prod', 'reranker']);
  assert.equal(await page.evaluate(() => document.getElementById('term')?.matches(':popover-open') ?? false), false,
    'no definition opens');
  await page.getByLabel('Definition of AP').click();
  await page.waitForFunction(() => document.getElementById('term')?.matches(':popover-open') &&
    document.getElementById('term-name').textContent === 'AP');
  await page.keyboard.press('Escape');
  await head('nDCG@10').click();
  assert.equal(await first(), best);
  // letters are in one slot each, and a bold difference shares none with the baseline
  const rows = await page.locator('#leaderboard tbody tr')
    .evaluateAll((l) => l.map((r) => [r.querySelector('.slots').textContent,
      r.querySelector('.slots').childElementCount, Boolean(r.querySelector('.apart')),
      Boolean(r.querySelector(':checked'))]));
  const base = rows.find((r) => r[3]);
  for (const [letters, slots, apart] of rows) {
    assert.equal(slots, base[1]);
    assert.equal(apart, ![...letters].some((l) => base[0].includes(l)), `${letters} beside ${base[0]}`);
  }
  for (const b of await page.locator('#leaderboard tbody tr').all()) assert.ok((await b.boundingBox()).height <= 37,
    'a row is 36 pixels high');
}));

test('a warning is a chip that opens its text and closes it, also by Escape', () => shared(async ({ page }) => {
  const chip = page.locator('.chips .chip', { hasText: 'unjudged' });
  await chip.click();
  assert.equal(await chip.getAttribute('aria-expanded'), 'true');
  assert.match(await page.locator('#warning').textContent(), /count as not relevant/);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('#warning li'));
  assert.equal(await chip.getAttribute('aria-expanded'), 'false');
}));

test('a printed number is traced to the choices that give it', () => shared(async ({ page }) => {
  const mean = (await cells(page, 2))[0];
  await (await shown(page, '#claim')).fill(`reranker nDCG@10 ${mean}`);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#luck-detective', { state: 'attached' });
  assert.match(await page.locator('#luck-detective h3').textContent(), new RegExp(`reranker nDCG@10 ${mean}`));
  await page.locator('#claim').fill('nothing here');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.getElementById('claim-problem').textContent.length > 10);
  await page.locator('#claim').fill('');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.getElementById('claim-problem').textContent === '');
}));

test('a number is traced to the tool that prints it, and the link holds the answer', async () => {
  const visit = await compared();
  const { page } = visit;
  await (await shown(page, '#claim')).fill('0.5');
  await page.click('#investigate');
  await page.waitForSelector('#tools tbody tr', { state: 'attached' });
  assert.match(await page.locator('#tools').textContent(), /Elasticsearch/);
  const rows = await page.locator('#tools tbody tr').evaluateAll((list) =>
    list.map((r) => [...r.children].map((c) => c.textContent.trim())));
  assert.equal(rows[0][0], 'Rankbox');
  const tool = rows.find((r) => r[0] === 'Elasticsearch'); // its number, whatever it is, is traced to it
  assert.notEqual(tool[3], rows[0][3]);
  await page.locator('#claim').fill(tool[3]);
  await page.keyboard.press('Enter');
  const head = () => page.locator('#checked-headline');
  await head().filter({ hasText: `${tool[3]} is what ` }).waitFor({ state: 'attached' });
  assert.match(await page.locator('#tools tr.picked').first().textContent(), new RegExp(tool[3].replace('.', '\\.')));
  assert.match(await page.locator('#check').textContent(), /Why it differs/);
  await page.click('#show-changed');
  assert.ok(await page.locator('#changed tbody tr').count() > 0);
  await page.evaluate(() => document.getElementById('claim-link').click());
  await page.waitForFunction(() => /claim=/.test(location.hash));
  const headline = await head().textContent();
  await page.reload();
  await head().filter({ hasText: headline }).waitFor({ state: 'attached' });
  assert.equal(await page.locator('#tab-check').getAttribute('aria-selected'), 'true');
  await visit.done();
});

test('/check opens the tab, and a list of grades is enough', async () => {
  const visit = await open('/check');
  const { page } = visit;
  await page.locator('#paste').fill('3 2 0 1 | relevant 5');
  await page.click('#read-paste');
  await page.waitForSelector('#tab-check[aria-selected=true]');
  assert.equal(await page.locator('#claim-hint a').getAttribute('href'), '/measures#bugs');
  await visit.done();
});

test('a notice stands where the eye is, at the foot of what is seen', async () => {
  const visit = await compared();
  const { page } = visit;
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await (await shown(page, '#export-link')).click();
  const box = await page.locator('.notice').boundingBox();
  assert.ok(box && box.y > 0 && box.y + box.height <= page.viewportSize().height, JSON.stringify(box));
  await visit.done();
});
