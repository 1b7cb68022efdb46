// Nightly: every page of the reference.
// The reference: pages that need no script, and terms that show their definition where they stand, so that nothing open
// is lost.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { choose, lab, ready, reported, root, shown } from './harness.mjs';

const rankbox = lab();
const three = ['demo.qrels', 'prod.run', 'reranker.run', 'bm25.run'].map((n) => join(root, 'site/e2e/fixtures/compare',
  n));
const pages = ['/measures', '/tests', '/pipeline', '/analyzers', '/figures', '/privacy'];

async function compared(options = {}) {
  const visit = await rankbox.open('/compare', options);
  const { page } = visit;
  await ready(page);
  await page.setInputFiles('#files', three);
  visit.hash = await reported(page);
  await page.waitForSelector('#pair-table', { state: 'attached' });
  return visit;
}

/** Everything on the screen that has terms, opened. */
async function everything(page) {
  await (await shown(page, '#every-test')).click();
  await page.waitForSelector('#test-table', { state: 'attached' });
  await (await shown(page, '#ask-agreement')).click();
  await page.waitForSelector('#orders-table', { state: 'attached' });
  if (await page.locator('#ask-opinions').count()) await (await shown(page, '#ask-opinions')).click();
  await page.waitForSelector('#opinions', { state: 'attached' });
}

const open = (page) => page.evaluate(() => document.getElementById('term')?.matches(':popover-open') ?? false);
const defined = (page) => page.waitForFunction(() => document.getElementById('term')?.matches(':popover-open') &&
  !document.querySelector('#term [role="status"]'));
const focused = (page) => page.evaluate(() => [document.activeElement.getAttribute('href'), document.activeElement.id,
  document.activeElement.textContent].join(' '));

test('a reader at 320 px opens a term with the keyboard, reads it, follows it to the reference, and the comparison is still there',
  async () => {
  const visit = await compared({ viewport: { width: 320, height: 640 } });
  const { page, hash } = visit;
  const term = page.locator('#leaderboard thead a.term').first();
  await term.focus();
  await page.keyboard.press('Enter');
  await defined(page);
  const box = page.locator('#term');
  assert.equal(await box.getAttribute('role'), 'dialog');
  assert.equal(await page.locator('#term-name').textContent(), 'nDCG@10');
  assert.match(await box.textContent(),
    /Normalised discounted cumulative gain.*The gain of the documents found.*IDCG@k=.*judged documents.*Range0 to 1/s);
  assert.deepEqual(await box.locator('.formula mfrac').first().locator(':scope > *').allTextContents(),
    ['DCG@k', 'IDCG@k'], 'a fraction is set');
  assert.equal(await box.locator('.formula msub > mn').first().textContent(), '2', 'so is the base of the logarithm');
  assert.equal(await term.getAttribute('aria-expanded'), 'true');
  assert.ok(await page.evaluate(() => document.getElementById('term').contains(document.activeElement)),
    'the focus is in the box');
  const place = await box.boundingBox();
  assert.ok(place.x >= 0 && place.x + place.width <= 320 && place.y >= 0 && place.y + place.height <= 640,
    JSON.stringify(place));
  const word = await term.boundingBox();
  assert.ok(word.y >= 0 && word.y + word.height <= place.y, 'the word stays in sight above the box');
  assert.equal(await visit.overflow(), 0);
  for (const id of ['#term-close', '#term-more']) assert.ok((await page.locator(id).boundingBox()).height >= 44,
    `${id} is large enough for a thumb`);
  await visit.shot('term-320', { fullPage: false });

  await page.locator('#term-more').focus();
  const [more] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')]);
  // a new tab is about:blank at first, which is loaded
  await more.waitForURL((url) => url.pathname + url.hash === '/measures#nDCG');
  assert.equal(await more.evaluate(() => window.opener), null);
  const entry = more.locator('article:target');
  assert.match(await entry.locator('h3').textContent(), /^nDCG Normalised discounted cumulative gain$/);
  const at = await entry.boundingBox();
  assert.ok(at.y >= 0 && at.y < 320, `the entry is where the reader looks: ${at.y}`);
  await more.close();

  await page.bringToFront();
  await page.keyboard.press('Escape');
  assert.equal(await open(page), false);
  assert.match(await focused(page), /^\/measures#nDCG /, 'the focus is back on the word');
  assert.equal(await term.getAttribute('aria-expanded'), 'false');
  assert.equal(await page.evaluate(() => document.getElementById('page').dataset.report), hash,
    'the comparison is still there');
  assert.equal(new URL(page.url()).pathname, '/evaluate');
  assert.equal(await page.locator('#pair-table tbody tr').count(), 3);
  await visit.done();
});

test('every term of a comparison has its definition on the page and its place in the reference', async () => {
  const visit = await compared();
  const { page } = visit;
  await everything(page);
  const links = await page.$$eval('a.term', (l) => [...new Set(l.map((a) => a.getAttribute('href')))]);
  for (const wanted of ['/measures#nDCG', '/measures#Judged', '/tests#mean-interval', '/tests#letters', '/tests#tukey',
    '/tests#holm', '/tests#p', '/tests#d_z', '/tests#wilcoxon', '/tests#sign', '/tests#delta',
    '/tests#superiority', '/tests#power', '/tests#tost', '/tests#rbo', '/tests#tau', '/tests#tau_ap',
    '/measures#policy-ties', '/measures#policy-unjudged', '/measures#as-trec_eval', '/measures#residual',
    '/measures#tie-range'])
    assert.ok(links.includes(wanted), `no term leads to ${wanted}`);
  const reader = await page.context().newPage();
  for (const path of new Set(links.map((l) => l.split('#')[0]))) {
    await reader.goto(path);
    const ids = await reader.$$eval('article', (l) => l.map((a) => a.id));
    for (const l of links.filter((x) => x.startsWith(`${path}#`))) assert.ok(ids.includes(l.split('#')[1]),
      `${l} has no entry`);
  }
  await reader.close();
  for (const l of links) {
    await (await shown(page, `a.term[href="${l}"]`)).first().click();
    await defined(page);
    assert.ok(!/could not be loaded/.test(await page.locator('#term').textContent()), l);
    assert.equal(await page.locator('#term-more').getAttribute('href'), l);
    await page.keyboard.press('Escape');
    assert.equal(await open(page), false, l);
  }
  // the terms of the pickers are those of what is picked
  await (await shown(page, '#testing-correction')).selectOption('none');
  await page.waitForSelector('a.term[href="/tests#none"]', { state: 'attached' });
  await (await shown(page, '#testing-test')).selectOption('wilcoxon');
  await page.waitForSelector('label a.term[href="/tests#wilcoxon"]', { state: 'attached' });
  await visit.done();
});

test('a box closes by its button, a second click, a click elsewhere, Escape and the tabulator; a held key opens the reference itself',
  async () => {
  const visit = await compared({ viewport: { width: 1280, height: 800 } });
  const { page, hash } = visit;
  const term = page.locator('#leaderboard thead a.what').nth(1);
  const show = async () => {
    await term.click();
    await defined(page);
  };
  await show();
  await page.locator('#term-close').click();
  assert.equal(await open(page), false);
  assert.match(await focused(page), /^\/measures#AP /);
  await show();
  await term.click();
  assert.equal(await open(page), false, 'a second click closes it');
  await show();
  await page.locator('h1').click();
  assert.equal(await open(page), false, 'a click elsewhere closes it');
  await show();
  await page.keyboard.press('Tab');
  assert.match(await focused(page), / term-close /);
  await page.keyboard.press('Tab');
  assert.match(await focused(page), / term-more /);
  await page.keyboard.press('Tab');
  assert.equal(await open(page), false, 'behind its last link is what stands behind the word');
  assert.match(await focused(page), / RR$/);
  // Escape closes the box and not what is open behind it
  await page.keyboard.press('?');
  await page.waitForSelector('#help');
  await page.evaluate(() => document.querySelector('#leaderboard thead a.term').click());
  await defined(page);
  await page.keyboard.press('Escape');
  assert.equal(await open(page), false);
  assert.equal(await page.locator('#help').count(), 1);
  await page.keyboard.press('Escape');
  await page.waitForSelector('#help', { state: 'detached' });
  // another word while one is open
  await show();
  await (await shown(page, '#leaderboard thead a.term')).first().click();
  await page.waitForFunction(() => document.getElementById('term-name')?.textContent === 'nDCG@10');
  await page.keyboard.press('Escape');
  const [tab] = await Promise.all([page.context().waitForEvent('page'), term.click({ modifiers: ['ControlOrMeta'] })]);
  await tab.waitForURL(/\/measures#AP$/);
  await tab.close();
  const [reference] = await Promise.all([page.context().waitForEvent('page'), choose(page, '#reference')]);
  await reference.waitForURL(/\/measures$/);
  assert.equal(await page.evaluate(() => document.getElementById('page').dataset.report), hash,
    'the comparison is still there');
  await visit.done();
});

test('the header of a table that sorts still sorts, and presenter view shows definitions in large type', async () => {
  const visit = await compared({ viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  const first = await page.locator('#query-table tbody tr').first().textContent();
  await (await shown(page, '#query-table th button.sort')).first().click();
  await page.waitForFunction((t) => document.querySelector('#query-table tbody tr').textContent !== t, first);
  assert.equal(await open(page), false);
  await page.locator('h1').click();
  await page.keyboard.press('p');
  await page.waitForSelector('.presenter');
  await (await shown(page, '#leaderboard thead a.term')).first().click();
  await defined(page);
  const size = await page.evaluate(() => parseFloat(getComputedStyle(document.querySelector('#term p')).fontSize));
  assert.ok(size >= 20, `${size} px`);
  const place = await page.locator('#term').boundingBox();
  assert.ok(place.y >= 0 && place.y + place.height <= 800, JSON.stringify(place));
  await visit.shot('term-presenter', { fullPage: false });
  await visit.done();
});

test('before any program has loaded a term is defined, and without a script it is a link', async () => {
  const visit = await rankbox.open('/',
    { throttle: { network: { offline: false, latency: 50, downloadThroughput: 1.6e6 / 8, uploadThroughput: 1e6 } } });
  const { page } = visit;
  await page.waitForSelector('html[data-terms]'); // until then a term is a link
  await (await shown(page, '#leaderboard thead a.term')).first().click();
  await defined(page);
  assert.notEqual(await page.evaluate(() => document.getElementById('page').dataset.phase), 'ready');
  assert.match(await page.locator('#term').textContent(), /Normalised discounted cumulative gain/);
  await page.keyboard.press('Escape');
  assert.ok(await page.locator('#note a.term').count() > 0, 'the note has terms');
  await visit.close(); // a page whose program is still on its way
  const plain = await rankbox.open('/', { javaScriptEnabled: false });
  await plain.page.locator('#leaderboard thead a.term').first().click();
  await plain.page.waitForURL(/\/measures#nDCG$/);
  assert.equal(await plain.page.locator('article:target h3 code').textContent(), 'nDCG');
  await plain.done();
});

test('where definitions cannot be fetched the box says so, leads on, and asks again the next time', async () => {
  const visit = await rankbox.open('/');
  const { page } = visit;
  await ready(page);
  await page.route('**/terms.json', (route) => route.abort());
  const term = page.locator('#leaderboard thead a.term').first();
  await term.click();
  await page.waitForFunction(() => /could not be loaded/.test(document.getElementById('term').textContent));
  assert.equal(await page.locator('#term-more').getAttribute('href'), '/measures#nDCG');
  await page.keyboard.press('Escape');
  await page.unroute('**/terms.json');
  await term.click();
  await defined(page);
  await page.waitForFunction(() => /discounted/.test(document.getElementById('term').textContent));
  // the browser's own line about the request that was broken off
  visit.errors = visit.errors.filter((e) => !/terms\.json/.test(e));
  await visit.done();
});

test('Search explains its figures', async () => {
  const visit = await rankbox.open('/search');
  const { page } = visit;
  await ready(page);
  await page.locator('#judged').selectOption({ index: 1 });
  await page.waitForSelector('.score a.term');
  await page.locator('.score a.term').first().click();
  await defined(page);
  assert.match(await page.locator('#term').textContent(), /nDCG/);
  await page.keyboard.press('Escape');
  await page.locator('#q').fill('harbour strike pay');
  await page.waitForSelector('.score a.term[href="/tests#rbo"]');
  await page.locator('.score a.term[href="/tests#rbo"]').first().click();
  await defined(page);
  assert.equal(await page.locator('#term-name').textContent(), 'Rank-biased overlap (RBO)');
  await visit.done();
});

test('the reference reads without a script at any width, prints, and axe finds nothing', async () => {
  const visit = await rankbox.open('about:blank');
  const { page } = visit;
  for (const path of pages) {
    await page.setViewportSize({ width: 320, height: 640 });
    const response = await page.goto(path);
    assert.equal(response.status(), 200);
    assert.match(response.headers()['content-security-policy'], /default-src 'none'/);
    assert.equal(await page.locator('script').count(), 0);
    assert.equal(await page.locator('h1').count(), 1);
    assert.equal(await page.locator('nav.shelf a[aria-current="page"]').getAttribute('href'), path);
    assert.equal(await visit.overflow(), 0, `${path} at 320 px`);
    const anchors = await page.$$eval('nav.contents a', (l) => l.map((a) => a.getAttribute('href')));
    assert.ok(anchors.length >= 4);
    for (const a of anchors) assert.equal(await page.locator(`[id="${a.slice(1)}"]`).count(), 1, `${path}${a}`);
    const low = await page.$$eval('nav.contents a, nav.shelf a',
      (l) => l.filter((a) => a.getBoundingClientRect().height < 43.5).length);
    assert.equal(low, 0, `${path}: targets for a thumb`);
    assert.deepEqual(await visit.accessibilityInBoth(`reference${path.replace('/', '-')}-320`), [],
      `${path} at 320 px`);
    await page.setViewportSize({ width: 1280, height: 800 });
    assert.equal(await visit.overflow(), 0, `${path} at 1280 px`);
    assert.deepEqual(await visit.accessibility(), [], `${path} at 1280 px`);
    await visit.shot(`reference${path.replace('/', '-')}-1280`, { fullPage: false });
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('nav.shelf').isVisible(), false);
    assert.equal(await page.locator('nav.contents').isVisible(), true);
    await page.emulateMedia({ media: null });
    await visit.well();
  }
  await visit.done();
});

test('axe finds nothing on an open definition', async () => {
  for (const viewport of [{ width: 1280, height: 800 }, { width: 320, height: 640 }]) {
    const visit = await compared({ viewport });
    await visit.page.locator('#leaderboard thead a.term').first().click();
    await defined(visit.page);
    assert.deepEqual(await visit.accessibilityInBoth(`term-${viewport.width}`), [], `${viewport.width} px`);
    await visit.done();
  }
});

test('the reference is there without a network, after one visit', async () => {
  const visit = await rankbox.open('/', { serviceWorkers: 'allow' });
  const { page } = visit;
  await ready(page);
  await visit.controlled();
  rankbox.down();
  try {
    await page.goto('/tests#holm');
    assert.match(await page.locator('article:target h3').textContent(), /^Holm/);
    await page.goto('/');
    await (await shown(page, '#leaderboard thead a.term')).first().click();
    await defined(page);
    assert.match(await page.locator('#term').textContent(), /discounted/);
  } finally {
    rankbox.up();
  }
  await visit.close(); // requests that broke off are in its console
});

test('every public bug has a link that reproduces its figure, and leads to the issue', async () => {
  for (const [bug, said, issue] of [
    ['llama-index-22683', 'LlamaIndex prints 1.6309, Rankbox 1.0000.', 'run-llama/llama_index/issues/22683'],
    ['haystack-11959', 'Haystack 2 prints 1.6309, Rankbox 1.0000.', 'deepset-ai/haystack/issues/11959'],
    ['search-relevance-191', 'OpenSearch 3 prints 1.3100, Rankbox 1.0000.',
      'opensearch-project/search-relevance/issues/191'],
    ['ideal-from-list', 'sklearn prints 1.0000, Rankbox 0.5525.', ''],
  ]) {
    const visit = await rankbox.open(`/measures#bug-${bug}`);
    const entry = visit.page.locator('article:target');
    assert.ok((await entry.textContent()).includes(said), bug);
    const links = await entry.locator('dd a').evaluateAll((list) => list.map((a) => a.href));
    assert.deepEqual(links, issue ? [`https://github.com/${issue}`] : []);
    await visit.close();
  }
});
