// The paths that matter, in Firefox and in WebKit where they are installed, with the same figures as in Chromium and in the terminal.
// docs/browsers.md says with which versions this was run last.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { engines } from './engines.mjs';
import { accessible, commandLine, lab, ready, reported, root } from './harness.mjs';

const rankbox = lab({ context: { serviceWorkers: 'allow' } });
const files = ['demo.qrels', 'prod.run', 'reranker.run', 'bm25.run'].map((n) => join(root, 'site/e2e/fixtures/compare', n));
const query = 'strike at the docks';
const weights = process.env.RANKBOX_ONNX;
const right = '\uE014'; // the key, as WebDriver writes it

// What is asked of a page, in any browser.
const works = () => document.getElementById('page')?.dataset.phase === 'ready';
const lists = () => [0, 1, 2, 3].map((i) => [...document.querySelectorAll(`#system-${i} ol.hits > li`)].map((li) => `${li.querySelector('h3').textContent.trim()} ${li.querySelector('.num')?.textContent.trim()}`));
const report = (not) => { const { report } = document.getElementById('page').dataset; return report !== not && report; };
/** A fraction of a formula is drawn as one, its two parts above each other. */
const typeset = () => {
  const parts = document.querySelector('typeset-formula')?.shadowRoot?.querySelector('mfrac')?.children;
  return parts && parts[0].getBoundingClientRect().bottom <= parts[1].getBoundingClientRect().top + 1;
};
const kept = () => navigator.serviceWorker?.controller?.state === 'activated';
const settings = () => [location.href, document.getElementById('q').value, document.getElementById('k1-a').value];

// What Chromium shows, and the terminal prints: {ranked, compared}.
let chromium;
const inChromium = () => (chromium ??= (async () => {
  const visit = await rankbox.open('/search');
  const { page } = visit;
  await ready(page);
  await page.locator('#q').fill(query);
  await page.waitForFunction(() => document.getElementById('status').textContent === 'Ready' && document.querySelectorAll('#system-3 ol.hits > li').length > 0);
  const ranked = await page.evaluate(lists);
  for (const list of ranked) assert.equal(list.length, 10);
  await page.goto('/compare');
  await ready(page);
  await page.setInputFiles('#files', files);
  const compared = await reported(page);
  await visit.done();
  const { stdout } = await promisify(execFile)(await commandLine(), ['compare', '-quiet', '-o', 'json', ...files]);
  assert.equal(compared, JSON.parse(stdout).hash);
  return { ranked, compared };
})());

for (const [name, start] of Object.entries(engines)) {
  let starting, browser;
  after(() => browser?.end(), { timeout: 60_000 });
  const path = (what, steps) => test(`${name}: ${what}`, { timeout: 240_000 }, async (t) => {
    browser = await (starting ??= start());
    if (!browser) return t.skip(`${name} is not installed here`);
    t.diagnostic(browser.version);
    const note = await steps(await inChromium());
    if (note) t.diagnostic(note);
  });
  const open = async (address) => {
    await browser.open(rankbox.origin + address);
    await browser.until(works);
  };
  const search = async (ranked) => {
    await open('/search');
    await browser.type('#q', query);
    // until they are there, the lists are those of the letters before
    await browser.until(`(wanted) => JSON.stringify((${lists})()) === JSON.stringify(wanted)`, ranked).catch(() => {});
    assert.deepEqual(await browser.run(lists), ranked);
    assert.doesNotMatch(await browser.run(() => document.querySelector('.notice')?.textContent ?? ''), /stopped/);
  };
  const compare = async (compared) => {
    await open('/compare');
    await browser.files('#files', files);
    assert.equal(await browser.until(report, ''), compared);
  };

  path('Home opens, and Search gives the titles and scores that Chromium gives', async ({ ranked }) => {
    await open('/');
    await search(ranked);
    await browser.shot(`${name}-search`);
    assert.deepEqual(await browser.accessibility(accessible), []);
  });

  path('a link brings query and settings back', async () => {
    await browser.click('#tune');
    await browser.type('#k1-a', right.repeat(5));
    const set = await browser.until(`() => { const all = (${settings})(); return all[0].includes('k1=1.15') && all; }`); // the address follows a slider a little later
    assert.equal(set[1], query);
    await browser.click('#open-share');
    await browser.click('#copy-link');
    assert.match(await browser.until(() => document.querySelector('.notice')?.textContent), /^Link copied/);
    await open('/');
    await browser.open(set[0]);
    await browser.until(works);
    assert.deepEqual(await browser.run(settings), set);
  });

  path('Compare gives the report that the terminal gives, and so does its link', async ({ compared }) => {
    await compare(compared);
    await browser.until(typeset);
    await browser.shot(`${name}-compare`);
    assert.deepEqual(await browser.accessibility(accessible), []);
    await browser.click('#export-link');
    const link = await browser.until(() => location.hash.length > 100 && location.href);
    await open('/');
    await browser.open(link);
    await browser.until(works);
    assert.equal(await browser.until(report, ''), compared);
  });

  // WebKit keeps the whole page meanwhile, its worker asleep, and gives it back as it was; Firefox loads it anew
  path('a page that one comes back to has query and lists, and answers', async ({ ranked }) => {
    await search(ranked);
    await browser.run(() => addEventListener('pageshow', ({ persisted }) => (globalThis.persisted = persisted)));
    await browser.run(() => void setTimeout(() => location.assign('/analyzers')));
    await browser.until(() => location.pathname === '/analyzers' && document.readyState === 'complete');
    await pause(6000); // a worker that says nothing for four seconds is taken for dead
    await browser.run(() => void setTimeout(() => history.back()));
    await browser.until(works);
    await browser.until(`(wanted) => JSON.stringify((${lists})()) === JSON.stringify(wanted)`, ranked);
    assert.equal(await browser.run(() => document.getElementById('q').value), query);
    const restored = await browser.run(() => globalThis.persisted === true);
    await browser.type('#q', ' again');
    await browser.until(`(before) => JSON.stringify((${lists})()) !== JSON.stringify(before) && document.getElementById('status').textContent === 'Ready'`, ranked);
    assert.doesNotMatch(await browser.run(() => document.querySelector('.notice')?.textContent ?? ''), /stopped/);
    return restored ? 'the page was kept meanwhile' : 'the page was loaded anew';
  });

  // the network of a model by onnxruntime-web, in a worker of its own
  path('MiniLM of somebody’s own makes the vectors that are stored, and encodes what is typed', async () => {
    if (!existsSync(join(weights ?? '', 'model.onnx'))) return 'RANKBOX_ONNX names no folder with model.onnx and tokenizer.json of all-MiniLM-L6-v2';
    await open('/model');
    await browser.until(() => document.querySelector('#files-0:enabled') !== null);
    await browser.files('#files-0', ['model.onnx', 'tokenizer.json'].map((n) => join(weights, n)));
    await browser.until(() => document.querySelector('#load-0:enabled') !== null);
    await browser.click('#load-0');
    const said = await browser.until(() => (document.querySelector('.problem') ?? document.getElementById('loaded-0'))?.textContent);
    assert.match(said, /encoded again/);
    assert.ok(Number(said.match(/stored is ([01][.\d]*\d)/)[1]) >= 0.9999, said);
    await browser.shot(`${name}-model`);
    await browser.click('#search-0');
    await browser.until(() => document.getElementById('page')?.dataset.phase === 'ready' && document.getElementById('q') !== null);
    await browser.type('#q', 'a ship that ran aground');
    await browser.until(() => /encoded by all-MiniLM-L6-v2 in this tab/.test(document.body.textContent));
    await browser.shot(`${name}-model-search`);
    return said.trim();
  });

  path('after one visit all of it works without a network', async ({ ranked, compared }) => {
    await open('/');
    await browser.until(kept);
    rankbox.down();
    try {
      await search(ranked);
      await compare(compared);
    } finally {
      rankbox.up();
    }
  });
}
