// Nightly: a whole class.
// A class builds a collection: links with shares, a student's phone, and what is handed in.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { lab, ready } from './harness.mjs';

const rankbox = lab({ context: { serviceWorkers: 'allow' } });
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, acceptDownloads: true };
const file = (name, text) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
const said = (page, pattern) => page.waitForFunction((p) => new RegExp(p).test(
  document.querySelector('#layers-said')?.textContent), pattern, { timeout: 240_000 });
const shared = (page, pattern) => page.waitForFunction((p) => new RegExp(p).test(
  document.querySelector('#judge-assigned')?.textContent), pattern, { timeout: 240_000 });

async function open(path, options) {
  const visit = await rankbox.open(path, options);
  await ready(visit.page);
  return visit;
}

// A teacher's page with the links of a class.
async function teacher(students, { guidelines = 'Read to the end.', depth = '2' } = {}) {
  const visit = await open('/judge', { acceptDownloads: true, permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = visit;
  await page.waitForSelector('#pool-make:enabled', { state: 'attached', timeout: 240_000 });
  await page.click('#judge-class summary');
  await page.fill('#pool-class', 'IR, group 2');
  await page.fill('#pool-students', students.join('\n'));
  await page.fill('#pool-depth', depth);
  await page.fill('#pool-scale', 'No, Partly, Yes');
  await page.fill('#pool-guidelines', guidelines);
  await page.click('#pool-make');
  await page.waitForSelector('#pool-shares', { timeout: 240_000 });
  return visit;
}

test('a teacher makes links, a student judges the share on a phone, and what is handed in is checked',
  { timeout: 900_000 }, async () => {
  const visit = await teacher(['4711', '4712', '=cmd|1', '4714']);
  const { page } = visit;
  assert.match(await page.locator('#pool-said').textContent(),
    /^IR, group 2: \d+ documents of \d+ queries, each for 2 students of 4\.$/);
  assert.deepEqual(await visit.accessibilityInBoth('classroom-teacher'), []);
  assert.ok((await visit.overflow()) <= 0, `${await visit.overflow()} px too wide`);
  await page.click('#pool-csv');
  await page.waitForFunction(() => /Copied as CSV/.test(document.body.textContent));
  const csv = (await page.evaluate(() => navigator.clipboard.readText())).trim().split('\n');
  assert.equal(csv.length, 5);
  assert.match(csv[3], /^'=cmd\|1,/);
  const link = csv[1].split(',').at(-1);
  assert.match(csv[1], /^4711,\d+,http.*\/judge#share=[\w-]+&x=[0-9a-f]{8}$/);
  assert.ok(link.length < 8192, `${link.length} characters`);
  await page.click('#pool-markdown');
  await page.waitForFunction(() => /Copied as Markdown/.test(document.body.textContent));
  assert.match(await page.evaluate(() => navigator.clipboard.readText()),
    /^\| student \| documents \| link \|\n\| --- /);

  const student = await open(link.slice(rankbox.origin.length), phone);
  const there = student.page;
  await shared(there, 'Share of 4711 in IR, group 2\\..*0 of \\d+ documents judged.*Read to the end\\.');
  for (const hidden of ['#judge-layers', '#judge-class', '#judge-new', '#judge-measure'])
    assert.equal(await there.locator(hidden).count(), 0, hidden);
  const of = Number((await there.locator('#judge-assigned').textContent()).match(/of (\d+) documents/)[1]);
  assert.deepEqual(await student.accessibilityInBoth('classroom-student-list'), []);
  await there.locator('#judge-first').tap();
  await there.waitForSelector('#judged-title', { timeout: 240_000 });
  assert.deepEqual((await there.locator('.grading .words').allTextContents()).slice(0, 3), ['No', 'Partly', 'Yes']);
  assert.equal(await there.locator('#grade-3').count(), 0);
  await there.locator('#grade-1').tap();
  await shared(there, `1 of ${of} documents judged`);
  assert.ok((await student.overflow()) <= 0, `${await student.overflow()} px too wide`);
  assert.deepEqual(await student.accessibilityInBoth('classroom-student'), []);
  await there.reload();
  await ready(there);
  await shared(there, `1 of ${of} documents judged`);
  const [download] = await Promise.all([there.waitForEvent('download'), there.locator('#judge-hand-in').tap()]);
  assert.equal(download.suggestedFilename(), '4711.qrels');
  const handed = await readFile(await download.path(), 'utf8');
  assert.match(handed, new RegExp(`^# Rankbox judgments, version 1\\n# class: IR, group 2\\n# student: 4711\\n` +
    `# share: [0-9a-f]{12}\\n# judged: 1 of ${of}\\n# code: [0-9a-f]{16}\\n\\S+ 0 \\S+ 1\\n$`));
  await student.done();

  await page.setInputFiles('#layer-files', [file('mail (3).qrels', handed), file('forged.qrels',
    handed.replace(/ 1\n$/, ' 2\n')), file('cut.qrels', handed.slice(0, -6))]);
  await said(page, `4711: 1 of ${of} documents judged`);
  const list = await page.locator('#layers-said').textContent();
  assert.match(list, /forged\.qrels: changed by hand: its code does not belong to its grades\./);
  assert.match(list, /cut\.qrels: damaged/);
  assert.equal(await page.locator('#layers-list input[aria-label="Author of 4711"]').count(), 1);
  await page.waitForFunction(() => document.querySelector('#pool-shares tbody td:nth-child(3)').textContent === '1',
    null, { timeout: 60_000 });
  await page.reload();
  await ready(page);
  await page.waitForSelector('#pool-shares', { timeout: 240_000 });
  await page.waitForFunction(() => document.querySelector('#pool-shares tbody td:nth-child(3)').textContent === '1',
    null, { timeout: 60_000 });
  await visit.done();
});

// Guidelines of 8,000 characters that do not compress: the link would have more than 8,192.
test('a share that does not fit a link is a file, which says why and is dropped on Judge', { timeout: 900_000 },
  async () => {
  let noise = '';
  for (let i = 0; noise.length < 8000; i++) noise += createHash('sha256').update(String(i)).digest('base64');
  const visit = await teacher(['4711', '4712', '4713'], { guidelines: noise.slice(0, 8000), depth: '3' });
  const { page } = visit;
  const row = page.locator('#pool-shares tbody tr').first();
  assert.match(await row.textContent(), /No link: the link would have \d+,\d{3} characters, and links hold 8,192\./);
  const [download] = await Promise.all([page.waitForEvent('download'),
    row.getByRole('button', { name: 'Save the file of 4711' }).click()]);
  assert.equal(download.suggestedFilename(), '4711.share.txt');
  const text = await readFile(await download.path(), 'utf8');
  await visit.done();
  const student = await open('/judge');
  await student.page.waitForSelector('#layer-files', { state: 'attached', timeout: 240_000 });
  await student.page.setInputFiles('#layer-files', [file('4711.share.txt', text)]);
  await shared(student.page, 'Share of 4711 in IR, group 2');
  await student.page.click('#judge-leave');
  await student.page.waitForSelector('#judge-layers', { timeout: 60_000 });
  await student.done();
});

test('a link that was cut says so, and opens no share', { timeout: 600_000 }, async () => {
  const visit = await open('/judge#share=AQ&x=00000000');
  await visit.page.waitForFunction(() => /This link could not be opened: the share is damaged/.test(
    document.body.textContent), null, { timeout: 60_000 });
  assert.equal(await visit.page.locator('#judge-assigned').count(), 0);
  await visit.done();
});

// The code is computed here a second time, as docs/judging.md says.
function handIn(student, grades) {
  const share = createHash('sha256').update(student).digest('hex').slice(0, 12);
  const head = ['# Rankbox judgments, version 1', '# class: IR', `# student: ${student}`, `# share: ${share}`,
    `# judged: ${grades.length} of 48`];
  const code = createHash('sha256').update(['rankbox judgments', ...head, ...grades].join('\n')).digest('hex');
  return [...head, `# code: ${code.slice(0, 16)}`, ...grades, ''].join('\n');
}

test('what 30 students hand in, 48 judgments each, is merged in seconds, and κ by student is said',
  { timeout: 900_000 }, async () => {
  const visit = await open('/judge');
  const { page } = visit;
  await page.waitForSelector('#layer-files', { state: 'attached', timeout: 240_000 });
  await page.waitForSelector('#layers-list', { timeout: 240_000 });
  // 240 documents of q02 and q03: the students of a block of ten share 48 of them
  const files = Array.from({ length: 30 }, (_, s) => {
    const grades = Array.from({ length: 48 }, (_, i) => {
      const d = (Math.floor(s / 6) * 48 + i) % 240 + 1;
      return `q02 0 hw-${String(d).padStart(4, '0')} ${s === 29 ? (d + 1) % 3 : d % 3}`;
    });
    return file(`${s}.qrels`, handIn(`student ${s + 1}`, grades));
  });
  const start = Date.now();
  await page.setInputFiles('#layer-files', files);
  await page.waitForFunction(() => document.querySelectorAll('#layers-list tbody tr').length === 31, null,
    { timeout: 240_000 });
  const took = Date.now() - start;
  await page.click('#layers-agree');
  await page.waitForSelector('#layer-by-judge', { timeout: 240_000 });
  const rows = await page.locator('#layer-by-judge tbody th').allTextContents();
  assert.equal(rows.length, 31);
  assert.ok(rows.includes('student 30'));
  console.log(`30 files are layers after ${took} ms`);
  assert.ok(took < 15_000, `${took} ms`); // a second or two where nothing else runs
  await visit.done();
});
