// Every test of a pair, the test that counts, and how far rankings agree: the figures of `rankbox compare -statistics`,
// on the page.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { choose, commandLine, drawn, lab, ready, reported, root, scratch, settled, shown, undone } from './harness.mjs';

const rankbox = lab();
const run = promisify(execFile);
const three = ['demo.qrels', 'prod.run', 'reranker.run', 'bm25.run'].map((n) => join(root, 'site/e2e/fixtures/compare',
  n));

async function compared(files = three, options = {}, there = '#pair-table') {
  const visit = await rankbox.open('/compare', options);
  const { page } = visit;
  await ready(page);
  const before = await page.evaluate(() => document.getElementById('page').dataset.report ?? '');
  await page.setInputFiles('#files', files);
  visit.hash = await reported(page, before);
  await page.waitForSelector(there, { state: 'attached' });
  return visit;
}

/** The three runs compared, in a visit that tests share. */
const shared = rankbox.kept(async () => {
  const visit = await compared();
  for (const there of ['#opinions', '#query-table .because']) await visit.page.waitForSelector(there,
    { state: 'attached' });
  await settled(visit.page);
  return visit;
}, undone);

async function statistics(...args) {
  const { stdout } = await run(await commandLine(), ['compare', '-quiet', '-statistics', '-o', 'json', ...args,
    ...three]);
  return JSON.parse(stdout);
}

const report = async (...args) =>
  JSON.parse((await run(await commandLine(), ['compare', '-quiet', '-o', 'json', ...args, ...three])).stdout);

const number = (t) => Number(t.replace('−', '-').replace('+', ''));
const rows = (page, table) => page.locator(`${table} tbody tr`)
  .evaluateAll((l) => l.map((r) => [...r.children].map((x) => x.textContent.trim())));
const p3 = (p) => {
  if (p < 0.001) return '< 0.001';
  let digits = 3; // rounding never takes p to the other side of 0.05
  while ((Number(p.toFixed(digits)) < 0.05) !== (p < 0.05)) digits++;
  return p.toFixed(digits);
};
const titles = ['Paired t test', 'Paired randomisation test', 'Wilcoxon signed-rank test', 'Sign test'];

/** What the page says of the pair that it shows is what the command line says of it. */
async function same(page, found, a, b, margin) {
  const pair = found.pairs.find((x) => x.a === a && x.b === b);
  const table = await rows(page, '#test-table');
  assert.deepEqual(table.map((r) => titles.find((t) => r[0].startsWith(t))), titles);
  for (const [i, t] of pair.tests.entries()) {
    const [, statistic, p] = table[i];
    assert.equal(p, p3(t.p), `${t.test}: p`);
    const shown = t.test === 'sign' ? Number(statistic.split(' ')[0]) : number(statistic.split('= ')[1]);
    assert.ok(Math.abs(shown - t.statistic) < (t.test === 't' ? 0.0006 : 0.00006),
      `${t.test}: ${statistic} instead of ${t.statistic}`);
    assert.equal(table[i][4] === 'decides', t.test === found.test, `${t.test} decides`);
  }
  const counting = pair.tests.findIndex((t) => t.test === found.test);
  assert.equal(table[counting][3], p3(pair.p_adjusted), 'corrected');
  const span = (low, high, digits) => `${low.toFixed(digits)} to ${high.toFixed(digits)}`.replaceAll('-', '−');
  const effects = await rows(page, '#effect-table');
  assert.ok(Math.abs(number(effects[0][1]) - pair.difference) < 0.00006);
  if (pair.interval.low !== null) assert.equal(effects[0][2], span(pair.interval.low, pair.interval.high, 4));
  assert.ok(Math.abs(number(effects[1][1]) - pair.d_z) < 0.0006);
  assert.equal(effects[1][2], span(pair.d_z_low, pair.d_z_high, 3));
  assert.ok(Math.abs(number(effects[2][1]) - pair.g_z) < 0.0006);
  assert.ok(Math.abs(number(effects[3][1]) - pair.cliffs_delta) < 0.0006);
  assert.ok(Math.abs(number(effects[4][1]) - pair.probability_of_superiority) < 0.0006);
  const power = await page.locator('#power').textContent();
  assert.ok(power.startsWith(
    `With ${found.queries} queries a difference of ${pair.detectable_difference.toFixed(4)} ${found.measure} is found 80 times in 100`),
      power);
  assert.ok(power.includes(` ${Math.ceil(pair.queries_needed)} queries`), `${power}: ${pair.queries_needed}`);
  const e = pair.equivalence;
  assert.equal(e.margin, margin);
  assert.equal(await page.locator('#margin').inputValue(), String(margin));
  const text = await page.locator('#equivalence').textContent();
  assert.ok(text.includes(
    `p ${p3(e.p)} (TOST; the 90 % interval of the difference is ${span(e.low_90, e.high_90, 4)})`), text);
  assert.equal(/these two are, p/.test(text), e.p < 0.05, text);
}

test('every test of a pair has the figures of the command line, for every pair and measure that is looked at',
  () => shared(async (visit) => {
  const { page } = visit;
  assert.equal(await page.locator('#pair-tests').count(), 0, 'nothing is made before somebody looks');
  await (await shown(page, '#pair-table')).waitFor();
  const row = await page.locator('#pair-table tbody tr').first().boundingBox();
  assert.ok(row.height < 64, `a pair takes ${row.height} px`);
  await (await shown(page, '#every-test')).focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('#test-table', { state: 'attached' });
  assert.equal(await page.locator('#every-test').getAttribute('aria-expanded'), 'true');
  const found = await statistics();
  await same(page, found, 'prod', 'reranker', 0.01);
  assert.match(await page.locator('#tests-finding').textContent(),
    /^By nDCG@10, B reranker is significantly better than A prod \(\+\d\.\d+; .+, p\s.+ after Holm over 3 pairs\)\./);
  await (await shown(page, '#pair-table button.pair', { hasText: 'bm25 − A' })).click();
  await page.waitForFunction(() => document.querySelector('#pair-tests h3')?.textContent.startsWith('C bm25 − A prod'));
  await same(page, found, 'prod', 'bm25', 0.01);
  assert.match(await page.locator('#tests-finding').textContent(),
    /^By nDCG@10, C bm25 is not significantly different from A prod \(/);
  await (await shown(page, '#tested')).selectOption('2');
  await page.waitForFunction(() => document.querySelector('#pair-tests h3')?.textContent.endsWith(', RR'));
  await same(page, await statistics('-m', 'nDCG@10 AP RR R@20 Judged@10', '-pairs', 'RR'), 'prod', 'bm25', 0.01);
  // a margin that is typed
  await (await shown(page, '#margin')).fill('0.2');
  await (await shown(page, '#margin')).press('Tab');
  await page.waitForFunction(() => !document.querySelector('#equivalence').textContent.includes('p 0.9') &&
    document.querySelector('#pair-tests').getAttribute('aria-busy') === 'false');
  await drawn(page);
  await same(page, await statistics('-m', 'nDCG@10 AP RR R@20 Judged@10', '-pairs', 'RR', '-margin', '0.2'), 'prod',
    'bm25', 0.2);
  await (await shown(page, '#every-test')).click();
  await page.waitForFunction(() => !document.querySelector('#pair-tests'));
}));

test('the test that counts and the correction are chosen, change report, sentence, exports and link, and are undone',
  async () => {
  const visit = await compared();
  const { page } = visit;
  assert.match(await page.locator('#testing-test option').first().textContent(), /^automatic: paired t test$/);
  assert.equal(await page.locator('#testing-zeros').count(), 0);
  await (await shown(page, '#testing-test')).selectOption('wilcoxon');
  const one = await reported(page, visit.hash);
  await (await shown(page, '#testing-zeros')).selectOption('pratt');
  const two = await reported(page, one);
  await (await shown(page, '#testing-continuity')).selectOption('on');
  const three3 = await reported(page, two);
  await (await shown(page, '#testing-correction')).selectOption('fdr_by');
  const hash = await reported(page, three3);
  const expected = await report('-test', 'wilcoxon', '-zeros', 'pratt', '-continuity', '-correction', 'by');
  assert.equal(hash, expected.hash);
  const note = (await page.locator('#note').textContent()).replaceAll('\u00a0', ' '); // at which no line breaks
  assert.match(note, /Wilcoxon signed-rank test, p .* after Benjamini–Yekutieli over 3 pairs/);
  assert.equal(note, expected.note.replaceAll('-', '−').replace('signed−rank', 'signed-rank'));
  assert.equal(await page.locator('#pair-table thead th').nth(4).textContent(), 'p (Benjamini–Yekutieli)');
  const table = await rows(page, '#pair-table');
  for (const [i, [a, b]] of [['prod', 'reranker'], ['prod', 'bm25'], ['reranker', 'bm25']].entries()) {
    const pair = expected.pairs.find((x) => x.a === a && x.b === b);
    assert.deepEqual(table[i].slice(3, 5), [p3(pair.p), p3(pair.p_fdr_by)], `${a}, ${b}`);
  }
  assert.match(await page.locator('.why-test').textContent(), /chosen by hand/);
  assert.match(await page.locator('#policy-note').textContent(), /^As trec_eval -c/,
    'the tests are no convention of the measures');
  await (await shown(page, '#every-test')).click();
  await page.waitForSelector('#test-table', { state: 'attached' });
  await same(page, await statistics('-test', 'wilcoxon', '-zeros', 'pratt', '-continuity', '-correction', 'by'), 'prod',
    'reranker', 0.01);
  const [download] = await Promise.all([page.waitForEvent('download'), (await shown(page, '#export-json-queries'))
    .click()]);
  const saved = JSON.parse(await readFile(await download.path(), 'utf8'));
  assert.equal(saved.hash, hash);
  assert.deepEqual([saved.policies.test, saved.policies.correction, saved.policies.zeros, saved.policies.continuity],
    ['wilcoxon', 'fdr_by', 'pratt', 'on']);
  // the link and a saved file open the same report, with the same things looked at
  assert.equal(await page.evaluate(() => location.hash), '', 'nobody asked for a link');
  await choose(page, '#copy-link');
  await page.waitForFunction(() => location.hash);
  const other = await rankbox.open(await page.evaluate(() => location.pathname + location.hash));
  assert.equal(await reported(other.page), hash);
  await other.page.waitForSelector('#test-table', { state: 'attached' });
  assert.equal(await other.page.locator('#testing-correction').inputValue(), 'fdr_by');
  await other.done();
  const [packed] = await Promise.all([page.waitForEvent('download'), (await shown(page, '#export-comparison'))
    .click()]);
  const file = { name: 'saved.rankbox', mimeType: 'application/octet-stream',
    buffer: await readFile(await packed.path()) };
  const third = await compared(file);
  assert.equal(third.hash, hash);
  assert.equal(await third.page.locator('#testing-zeros').inputValue(), 'pratt');
  await third.done();
  // step by step back to the default; the disclosure is a step too
  await page.locator('main').focus();
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => !document.querySelector('#test-table'));
  for (const [was, now] of [[hash, three3], [three3, two], [two, one], [one, visit.hash]]) {
    await page.keyboard.press('Control+z');
    assert.equal(await reported(page, was), now);
  }
  assert.equal(await page.locator('#testing-test').inputValue(), 'auto');
  await visit.done();
});

test('p is corrected over the pairs with the baseline where that is chosen, and nothing is said of the others',
  () => shared(async (visit) => {
  const { page } = visit;
  await (await shown(page, '#testing-family')).selectOption('baseline');
  const hash = await reported(page, visit.hash);
  const expected = await report('-family', 'baseline');
  assert.equal(hash, expected.hash);
  assert.match(await page.locator('#note').textContent(), /after Holm over 2 pairs with the baseline/);
  assert.match(await page.locator('#pairs figcaption').textContent(),
    /of 2 pairs with the baseline is significantly different.* The other 1 pair has p without correction/);
  const table = await rows(page, '#pair-table');
  assert.deepEqual(table.map((r) => r[4] === '–'), [false, false, true]);
  assert.ok(table.every((r) => r[3] !== '–'), 'every pair has its p');
  await (await shown(page, '#pair-table button.pair')).nth(2).click();
  await (await shown(page, '#every-test')).click();
  await page.waitForSelector('#test-table', { state: 'attached' });
  assert.match(await page.locator('#tests-finding').textContent(),
    /^By nDCG@10, C bm25 is not tested against B reranker: only pairs with the baseline are\./);
  await (await shown(page, '#baseline-1')).check();
  const other = await reported(page, hash);
  assert.equal(other, (await report('-family', 'baseline', '-baseline', '2')).hash);
}));

test('without correction the p of a pair is that of its test', () => shared(async (visit) => {
  const { page } = visit;
  await (await shown(page, '#testing-correction')).selectOption('none');
  await reported(page, visit.hash);
  for (const row of await rows(page, '#pair-table')) assert.equal(row[3], row[4]);
  assert.match(await page.locator('#pairs figcaption').first().textContent(), /p without correction below 0.05/);
}));

test('rankings agree as far as the command line says, and so do the orders of the runs', () => shared(async (visit) => {
  const { page } = visit;
  assert.equal(await page.locator('#agreement table').count(), 0, 'nothing is compared before somebody looks');
  await (await shown(page, '#ask-agreement')).focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('#orders-table', { state: 'attached' });
  const found = await statistics();
  const names = ['prod', 'reranker', 'bm25'];
  for (const [form, key, digits] of [['rbo', 'rbo', 2], ['tau', 'kendall_tau', 2], ['tauap', 'tau_ap', 2],
    ['common', 'common', 1]]) {
    await (await shown(page, '#agree')).selectOption(form);
    await page.waitForFunction((n) => document.querySelector('#agreement-table th').textContent === n,
      { rbo: 'RBO', tau: 'τ', tauap: 'τ_AP', common: 'common' }[form]);
    const table = await rows(page, '#agreement-table');
    for (const r of found.rankings) {
      const [a, b] = [names.indexOf(r.a), names.indexOf(r.b)];
      const want = r[key].toFixed(digits).replace('-', '−');
      assert.equal(table[a][b + 1], want, `${form} of ${r.a} and ${r.b}`);
      assert.equal(table[b][a + 1], form === 'tauap' ? '' : want, `${form} the other way round`);
    }
    for (const i of [0, 1, 2]) assert.equal(table[i][i + 1], '');
    const best = found.rankings.reduce((x, y) => (y[key] > x[key] ? y : x));
    assert.ok((await page.locator('#agreement-finding').textContent())
      .startsWith(`Most alike rank ${'ABC'[names.indexOf(best.a)]} and ${'ABC'[names.indexOf(best.b)]} (`));
  }
  assert.deepEqual(await rows(page, '#orders-table'),
    found.orders.map((o) => [o.measure, o.kendall_tau.toFixed(3), o.tau_ap.toFixed(3), o.rbo.toFixed(3)]));
  assert.equal(await page.locator('#orders-finding').textContent(),
    'AP, RR and Judged@10 put the 3 runs into the same order as nDCG@10; R@20 does not (τ 0.33).');
  await (await shown(page, '#hide-agreement')).click();
  await page.waitForFunction(() => !document.querySelector('#agreement table'));
  await page.locator('main').focus();
  await page.keyboard.press('Control+z');
  await page.waitForSelector('#agreement-table', { state: 'attached' });
}));

test('with one run there is nothing to test and nothing to agree', async () => {
  const visit = await compared(three.slice(0, 2), {}, '#leaderboard');
  assert.equal(await visit.page.locator('#pairs, #agreement').count(), 0);
  await visit.done();
});

test('twenty runs of three hundred queries: the page answers other questions while their rankings are compared',
  async () => {
  const dir = await scratch();
  let seed = 7;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const files = [join(dir, 'many.qrels')];
  await writeFile(files[0], Array.from({ length: 300 }, (_, q) => `q${q} 0 d${q % 50} 1\nq${q} 0 d${(q * 7) % 50} 1`)
    .join('\n'));
  for (let r = 0; r < 20; r++) {
    const lines = [];
    for (let q = 0; q < 300; q++) {
      const scored = Array.from({ length: 60 }, (_, d) => [d, random() + (d === q % 50 ? r / 20 : 0)])
        .sort((x, y) => y[1] - x[1]);
      scored.forEach(([d, s], i) => lines.push(`q${q} Q0 d${d} ${i + 1} ${s} r${r}`));
    }
    files.push(join(dir, `r${String(r).padStart(2, '0')}.run`));
    await writeFile(files.at(-1), lines.join('\n'));
  }
  const visit = await compared(files, { viewport: { width: 1280, height: 900 } });
  const { page } = visit;
  await (await shown(page, '#ask-agreement')).click();
  await page.waitForSelector('#agreement-table', { state: 'attached' });
  await (await shown(page, '#query-on')).click(); // another question in between
  await page.waitForFunction(() => document.querySelector('#changes tfoot'), null, { timeout: 240_000 });
  await page.waitForFunction(() => !document.querySelector('#agreeing'), null, { timeout: 240_000 });
  const table = await rows(page, '#agreement-table');
  assert.equal(table.length, 20);
  assert.ok(table.every((r, i) => r.length === 21 && r.slice(1).every((v, j) => (i === j ? v === '' : v > '0'))));
  await (await shown(page, '#every-test')).click();
  await page.waitForSelector('#test-table', { timeout: 240_000 });
  assert.match(await page.locator('#tests-finding').textContent(), /after Holm over 190 pairs/);
  assert.ok((await visit.overflow()) <= 0);
  await visit.done();
});

test('on a phone of 320 pixels the tests and the agreement fit and can be touched, in the dark too', async () => {
  const visit = await compared(three, { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  const { page } = visit;
  await (await shown(page, '#every-test')).click();
  await page.waitForSelector('#test-table', { state: 'attached' });
  await (await shown(page, '#ask-agreement')).click();
  await page.waitForSelector('#orders-table', { state: 'attached' });
  await (await shown(page, '#testing-test')).selectOption('wilcoxon');
  await reported(page, visit.hash);
  for (const there of ['#testing-continuity', '#test-table', '#orders-table']) await page.waitForSelector(there,
    { state: 'attached' });
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    assert.ok((await visit.overflow()) <= 0, `${await visit.overflow()} px too wide`);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll(
        '#pairs button, #pairs select, #pairs input, #agreement button, #agreement select')].filter((e) =>
          e.checkVisibility()).map((e) => [e.id || e.textContent.slice(0, 20),
            Math.round(e.getBoundingClientRect().height)]).filter(([, h]) => h < 40));
    assert.deepEqual(small, [], 'too small for a thumb');
  }
  await visit.done();
});

test('axe finds nothing in the tests of a pair and the agreement of rankings', () => shared(async (visit) => {
  const { page } = visit;
  await (await shown(page, '#every-test')).click();
  await (await shown(page, '#ask-agreement')).click();
  for (const there of ['#test-table', '#orders-table', '#opinions']) await page.waitForSelector(there,
    { state: 'attached' });
  // a target half under the footer counts as small
  await page.locator('#orders-table').evaluate((e) => e.scrollIntoView({ block: 'center' }));
  assert.deepEqual(await visit.accessibilityInBoth('compare-tests'), []);
}));
