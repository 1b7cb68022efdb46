// Nightly: other browsers.
// The paths that matter, in Firefox and in WebKit where they are installed, with the same figures as in Chromium and in
// the terminal. docs/browsers.md says with which versions this was run last.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { engines } from './engines.mjs';
import { accessible, commandLine, lab, ready, reported, root, scratch } from './harness.mjs';

const rankbox = lab({ context: { serviceWorkers: 'allow' } });
const elsewhere = lab(); // another origin
const files = ['demo.qrels', 'prod.run', 'reranker.run', 'bm25.run'].map((n) => join(root, 'site/e2e/fixtures/compare',
  n));
const query = 'strike at the docks';
const weights = process.env.RANKBOX_ONNX;
const right = '\uE014'; // the key, as WebDriver writes it

// What is asked of a page, in any browser.
const works = () => document.getElementById('page')?.dataset.phase === 'ready';
const lists = () => [0, 1, 2, 3].map((i) => [...document.querySelectorAll(`#system-${i} ol.hits > li`)].map((li) =>
  `${li.querySelector('h3').textContent.trim()} ${li.querySelector('.num')?.textContent.trim()}`));
const report = (not) => {
  const { report } = document.getElementById('page').dataset; return report !== not && report;
};
/** A fraction of a formula is drawn as one, its two parts above each other. */
const typeset = () => {
  const parts = document.querySelector('typeset-formula')?.shadowRoot?.querySelector('mfrac')?.children;
  return parts && parts[0].getBoundingClientRect().bottom <= parts[1].getBoundingClientRect().top + 1;
};
const offline = () => navigator.serviceWorker?.controller?.state === 'activated';
const settings = () => [location.href, document.getElementById('q').value, document.getElementById('k1-a').value];

// Notes of one's own: 300 files of Markdown, each about one of ten topics, and queries about them.
const topics = ['ferry', 'storm', 'crane', 'fog', 'ballot', 'pilot', 'strike', 'tide', 'cargo', 'harbour'];
let written;
const notes = () => (written ??= (async () => {
  const folder = join(await scratch(), 'notes');
  await mkdir(folder);
  return Promise.all(Array.from({ length: 300 }, async (_, i) => {
    const [a, b] = [topics[i % 10], topics[(i * 7 + 3) % 10]];
    const path = join(folder, `note-${String(i).padStart(3, '0')}.md`);
    // berths of their own, or lists would fold them as near-duplicates
    const berths = Array.from({ length: 16 }, (_, k) => `b${(i * 131 + k * 97) % 1009}`).join(' ');
    const text = `On day ${i} the port saw a *${a}* again.\n\nAfter the ${b}, [the log](log.md) names ` +
      `${a} ${i % 17}, berths ${berths}.`;
    await writeFile(path, `# The ${a} of day ${i}\n\n${text}\n`);
    return path;
  }));
})());
const wanted = ['ferry', 'storm after the fog', 'ballot of the crane drivers', 'pilot strike', 'cargo at high tide'];
const judged = (n) => new RegExp(`(^| )${n} of |; ${n} in all`)
  .test(document.getElementById('judge-progress')?.textContent);
const judging = () => document.getElementById('judged-title') !== null;
const kept = () => [...document.querySelectorAll('#kept tbody th')].map((e) => e.textContent);

// What Chromium shows, and the terminal prints: {ranked, compared}.
let chromium;
const inChromium = () => (chromium ??= (async () => {
  const visit = await rankbox.open('/search');
  const { page } = visit;
  await ready(page);
  await page.locator('#q').fill(query);
  await page.waitForFunction((q) => document.getElementById('status').textContent === 'Ready' &&
    document.querySelector('#columns')?.dataset.of === q &&
    [0, 1, 2, 3].every((i) => document.querySelectorAll(`#system-${i} ol.hits > li`).length === 10), query);
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
  const path = (what, steps) => test(`${name}: ${what}`, { timeout: 600_000 }, async (t) => {
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
    await browser.run(() => document.getElementById('q').select()); // Search opens with a judged query in its box
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
    // the address follows a slider a little later
    const set = await browser.until(`() => { const all = (${settings})(); return all[0].includes('k1=1.15') && all; }`);
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
    await browser.click('#tab-export');
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
    await pause(6000); // a worker that says nothing for four seconds is asked whether it is alive
    await browser.run(() => void setTimeout(() => history.back()));
    await browser.until(works);
    await browser.until(`(wanted) => JSON.stringify((${lists})()) === JSON.stringify(wanted)`, ranked);
    assert.equal(await browser.run(() => document.getElementById('q').value), query);
    const restored = await browser.run(() => globalThis.persisted === true);
    await browser.type('#q', ' again');
    await browser.until(
      `(before) => JSON.stringify((${lists})()) !== JSON.stringify(before) && document.getElementById('status').textContent === 'Ready'`,
      ranked);
    assert.doesNotMatch(await browser.run(() => document.querySelector('.notice')?.textContent ?? ''), /stopped/);
    return restored ? 'the page was kept meanwhile' : 'the page was loaded anew';
  });

  path('300 Markdown files are searched, judged and measured; no reload, closed tab or crash loses anything; ' +
    'the saved workspace has the same report on another origin', async () => {
    const paths = await notes();
    const documents = async () => {
      await open('/collections');
      await browser.until(() => document.querySelector('#files')?.disabled === false);
    };
    const index = async () => {
      await documents();
      await browser.files('#files', paths);
      await browser.click('#index');
    };
    await index();
    await browser.abandon(); // while it is indexed
    await documents();
    await browser.until(() => /saved/i.test(document.querySelector('#room')?.textContent));
    assert.ok((await browser.run(kept)).length <= 1);
    await index();
    const made = await browser.until(() => document.querySelector('#search-made') &&
      document.getElementById('made').textContent);
    assert.match(made, /is ready: 300 documents\./);
    assert.equal(await browser.run(() => document.getElementById('unkept')?.textContent ?? ''), '');
    await browser.until(`() => (${kept})().length === 1`);

    await browser.click('#search-made');
    await browser.until(works);
    await browser.type('#q', wanted[0]);
    const found = `() => document.querySelector('#columns')?.dataset.of === ${JSON.stringify(wanted[0])} && ` +
      `(${lists})().every((l) => l.length === 10) && (${lists})()`;
    const before = await browser.until(found);
    assert.match(before[0][0], /^The ferry of day/);
    await browser.reload();
    assert.deepEqual(await browser.until(found), before);
    await browser.shot(`${name}-own-search`);

    await browser.run(() => document.querySelector('nav a[href^="/judge"]').click());
    await browser.click('#judge-keep:enabled');
    await browser.until(judging);
    await browser.reload();
    await browser.until(judging);
    await browser.run((text) => { // as it is pasted: WebKit's driver types no line break
      const field = document.getElementById('judge-new');
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }, wanted.slice(1).join('\n'));
    await browser.click('#judge-add:enabled');
    await browser.until(() => /4 queries added/.test(document.getElementById('judge-added').textContent));
    await browser.reload();
    await browser.until(judging);
    await browser.until(() => document.querySelectorAll('#judge-query option').length === 6);
    const options = await browser.run(() => [...document.querySelectorAll('#judge-query option')]
      .map((o) => o.textContent));
    assert.deepEqual(options.slice(1).sort(), [...wanted].sort());

    let n = 0;
    for (const [q, text] of wanted.entries()) {
      await browser.run((text) => {
        const select = document.getElementById('judge-query');
        select.value = [...select.options].find((o) => o.textContent === text).value;
        select.dispatchEvent(new Event('change', { bubbles: true }));
        document.activeElement?.blur();
      }, text);
      await browser.until((text) => document.getElementById('judge-about')?.textContent === text, text);
      for (let i = 0; i < 10; i++) {
        await browser.until(judging);
        const grade = await browser.run((words) => {
          const body = document.querySelector('#judged-document .body').textContent;
          return words.reduce((sum, w) => sum + body.includes(w), 0);
        }, text.split(' ').filter((w) => topics.includes(w)));
        await browser.press(String(Math.min(grade, 3)));
        await browser.until(judged, ++n);
      }
      // each time the tab ends in another way
      const address = await browser.run(() => location.href);
      if (q === 1 && await browser.crash()) await browser.open(address);
      else if (q === 2) {
        await browser.abandon();
        await browser.open(address);
      } else await browser.reload();
      await browser.until(judging);
      await browser.until(judged, n);
    }
    await browser.shot(`${name}-own-judge`);

    await browser.click('#judge-measure');
    const hash = await browser.until(report, '');
    await browser.until(() => /5 queries/.test(document.body.textContent));
    await browser.reload();
    assert.equal(await browser.until(report, ''), hash);
    await browser.shot(`${name}-own-board`);
    await browser.run(() => document.querySelector('nav a[href^="/judge"]').click());
    await browser.until(() => document.querySelector('#judge-workspace:enabled'));
    const saved = await browser.saved(() => browser.click('#judge-workspace'));
    assert.match(saved.name, /\.workspace\.zip$/);
    const file = join(await scratch(), 'notes.workspace.zip');
    await writeFile(file, saved.bytes);

    // another origin, and Chromium
    await browser.open(`${elsewhere.origin}/collections`);
    await browser.until(() => document.querySelector('#files')?.disabled === false);
    await browser.files('#files', [file]);
    await browser.until(() => /is ready: 300 documents, 5 queries, 50 judgments\./
      .test(document.getElementById('made')?.textContent));
    await browser.click('#judge-made');
    await browser.click('#judge-measure');
    assert.equal(await browser.until(report, ''), hash);
    const visit = await rankbox.open('/collections');
    await visit.page.waitForFunction(() => document.querySelector('#files')?.disabled === false, null,
      { timeout: 240_000 });
    await visit.page.setInputFiles('#files', [file]);
    await visit.page.click('#judge-made');
    await visit.page.click('#judge-measure:enabled');
    assert.equal(await reported(visit.page), hash);
    await visit.done();
    return `report ${hash}`;
  });

  // the network of a model by onnxruntime-web, in a worker of its own
  path('MiniLM of somebody’s own makes the vectors that are stored, and encodes what is typed', async () => {
    if (!existsSync(join(weights ?? '',
      'model.onnx'))) return 'RANKBOX_ONNX names no folder with model.onnx and tokenizer.json of all-MiniLM-L6-v2';
    await open('/model');
    await browser.until(() => document.querySelector('#files-0:enabled') !== null);
    await browser.files('#files-0', ['model.onnx', 'tokenizer.json'].map((n) => join(weights, n)));
    await browser.until(() => document.querySelector('#load-0:enabled') !== null);
    await browser.click('#load-0');
    const said = await browser.until(() => (document.querySelector('.problem') ??
      document.getElementById('loaded-0'))?.textContent);
    assert.match(said, /encoded again/);
    assert.ok(Number(said.match(/stored vector is ([01](?:\.\d+)?)/)[1]) >= 0.9999, said);
    await browser.shot(`${name}-model`);
    await browser.click('#search-0');
    await browser.until(() => document.getElementById('page')?.dataset.phase === 'ready' &&
      document.getElementById('q') !== null);
    await browser.type('#q', 'a ship that ran aground');
    await browser.until(() => /encoded by all-MiniLM-L6-v2 in this tab/.test(document.body.textContent));
    await browser.shot(`${name}-model-search`);
    return said.trim();
  });

  path('after one visit all of it works without a network', async ({ ranked, compared }) => {
    await open('/');
    await browser.until(offline);
    rankbox.down();
    try {
      await search(ranked);
      await compare(compared);
    } finally {
      rankbox.up();
    }
  });
}
