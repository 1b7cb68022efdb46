// A ranking that is played with, on the built site, in Chromium.
import assert from 'node:assert/strict';
import test from 'node:test';
import { lab, ready, results, shown } from './harness.mjs';

const rankbox = lab();
const small = '/play#play=1&d=1~First,0~Second,3~Third&a=0.1.2&m=nDCG@3~P@1';

async function open(path, options) {
  const visit = await rankbox.open(path, options);
  await ready(visit.page);
  return visit;
}

const grades = (page, list = 0) => page.locator(`#hand-${list} > [data-row] .grade`).allTextContents()
  .then((a) => a.join(' '));
const value = (page, row = 1) => page.locator(`#play-measures tbody tr:nth-child(${row}) b`).first().textContent();
const center = async (locator) => {
  const b = await locator.boundingBox();
  return { x: b.x + b.width / 2, y: b.y + b.height / 2 };
};

test('the page reads without scripts: a real ranking, its measures and their arithmetic', async () => {
  const visit = await rankbox.open('/play', { javaScriptEnabled: false });
  const { page } = visit;
  assert.match(await page.locator('h1').textContent(), /^nDCG@5 of this order is 0\.\d{4}\.$/);
  assert.match(await page.locator('#hand-0').textContent(), /Aldmere Mutual takes over Kelmouth Savings Bank/);
  assert.match(await page.locator('.unfolded tfoot').textContent(), /IDCG@5/);
  await visit.close();
});

test('a mouse drags a document, the number follows before the button is up, and one undo takes the whole drag back',
  async () => {
  const visit = await open(small);
  const { page } = visit;
  assert.equal(await value(page), '0.6885'); // the registry's example: 2.5 / 3.6309
  const from = await center(page.locator('#grip-0-2'));
  const to = await center(page.locator('#grip-0-0'));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  assert.equal(await grades(page), '3 1 0');
  assert.equal(await value(page), '1.0000', 'while it is held');
  await page.mouse.up();
  assert.equal(await page.locator('#play-said').textContent(), 'Third to rank 1 of 3; nDCG@3 1.0000.');
  assert.equal(await page.locator('#play-measures small').first().textContent(), '+0.3115');
  await page.locator('#play-undo').click();
  assert.equal(await grades(page), '1 0 3');
  assert.deepEqual(await visit.accessibility(), []);
  await visit.done();
});

test('a finger drags a document and pulls the line of the cutoff; at 320 pixels everything fits and is large enough',
  async () => {
  const visit = await open('/play', { viewport: { width: 320, height: 700 }, hasTouch: true, isMobile: true });
  const { page } = visit;
  const cdp = await visit.context.newCDPSession(page);
  const touch = (type, p) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: p ? [p] : [] });
  const drag = async (grip, over) => {
    await grip.scrollIntoViewIfNeeded();
    const a = await center(grip);
    await touch('touchStart', a);
    for (let i = 1; i <= 6; i++) await touch('touchMove', { x: a.x, y: a.y + ((await over()) - a.y) * (i / 6) });
    for (let i = 0; i < 3; i++) { // rows grow as they move; a finger follows
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
      await touch('touchMove', { x: a.x, y: (await over()) + i / 10 });
    }
    await touch('touchEnd');
  };
  // a little below the middle of where a row comes to rest, not where it slides at the moment: at the middle itself
  // half a pixel decides
  const rest = (row) => page.locator(`#hand-0 [data-row="${row}"]`)
    .evaluate((li) => li.closest('.hand').getBoundingClientRect().top + li.offsetTop + li.offsetHeight / 2 + 6);
  const before = (await grades(page)).split(' ');
  await drag(page.locator('#hand-0 [data-row="1"] .grip'), () => rest(3));
  assert.deepEqual((await grades(page)).split(' '), [before[0], before[2], before[3], before[1], ...before.slice(4)]);
  const rows = () => page.locator('#hand-0 > [data-row]');
  await drag(page.locator('#cut-0'), async () => (await rows().nth(2).boundingBox()).y + 3);
  assert.match(await page.locator('#cut-0').textContent(), /@2/);
  assert.match(await page.locator('#play-measures .choose').first().textContent(), /nDCG@2/);
  assert.ok((await visit.overflow()) <= 0, `${await visit.overflow()} px too wide`);
  const little = await page.evaluate(() =>
    [...document.querySelectorAll('main button:not(.ghost), main select')].filter((e) => e.checkVisibility())
      .map((e) => [e.textContent, Math.round(e.getBoundingClientRect().height)]).filter(([, h]) => h < 44));
  assert.deepEqual(little, [], 'too small for a thumb');
  assert.deepEqual(await visit.accessibility(), []);
  await visit.shot('phone-play');
  await visit.done();
});

test('the keyboard alone moves, grades, cuts and takes out, and what it did is said', async () => {
  const visit = await open(small);
  const { page } = visit;
  await page.locator('#grip-0-2').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Alt+ArrowUp');
  assert.equal(await grades(page), '3 1 0');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'grip-0-2', 'the focus goes with the document');
  await page.keyboard.press('4');
  assert.equal(await grades(page), '4 1 0');
  assert.match(await page.locator('#play-said').textContent(), /^Third is grade 4; /);
  await page.keyboard.press('-');
  assert.equal(await grades(page), '? 1 0');
  await page.keyboard.press('Delete');
  assert.equal(await grades(page), '1 0');
  await page.locator('#cut-0').focus();
  await page.keyboard.press('ArrowUp');
  await page.waitForFunction(() => /nDCG@2/.test(document.querySelector('#play-measures .choose').textContent));
  for (let i = 0; i < 6; i++) await page.keyboard.press('Control+z');
  assert.equal(await grades(page), '1 0 3');
  await visit.done();
});

test('what is typed or pasted is ranked, a second list stands beside it, and the link brings everything back',
  async () => {
  const visit = await open('/play');
  const { page } = visit;
  await page.locator('#play-text').fill('3 2 0 1 - 0');
  await page.locator('#play-read').click();
  assert.equal(await grades(page), '3 2 0 1 ? 0');
  await page.locator('#play-text').fill('q Q0 a 1 9 s\nq Q0 b 2 8 s\nq 0 b 2');
  await page.locator('#play-read').click();
  assert.equal(await grades(page), '? 2');
  await page.locator('#play-text').fill('3 9');
  await page.locator('#play-read').click();
  assert.match(await page.locator('#play-fault').textContent(), /"9" is no grade/);
  await page.locator('#play-text').fill('0 3 1 2');
  await page.locator('#play-read').click();
  await page.locator('#play-second').click();
  await page.locator('#play-ideal').click();
  assert.equal(await grades(page, 0), '3 2 1 0');
  assert.equal(await grades(page, 1), '0 3 1 2');
  assert.match(await page.locator('h1').textContent(), /^A wins/);
  await page.locator('#play-measure').selectOption('RBP');
  await page.locator('#play-params input[type=range]').fill('0.5');
  await page.waitForFunction(() => location.hash.includes('RBP(p=0.5)'));
  const at = page.url();
  assert.ok(at.length < 2000);
  const figures = await page.locator('#play-measures b').allTextContents();
  await visit.tab(at);
  await ready(visit.page);
  assert.deepEqual(await visit.page.locator('#play-measures b').allTextContents(), figures);
  assert.equal(await grades(visit.page, 1), '0 3 1 2');
  await visit.shot('play-two');
  await visit.done();
});

test('every measure of the registry is unfolded, and the document that is pointed at lights up in its term',
  async () => {
  const visit = await open('/play#play=1&d=3ab,1a,0,-,2b&a=0.1.2.3.4&m=AP');
  const { page } = visit;
  const names = await page.locator('#play-measure option')
    .evaluateAll((all) => all.map((o) => o.value).filter(Boolean));
  assert.ok(names.length > 60);
  let set = 0;
  for (const name of names) {
    await page.locator('#play-measure').selectOption(name);
    const rows = page.locator('#play-measures tbody tr');
    if ((await rows.count()) > 1) {
      await page.waitForFunction((name) => { // its formula, and no other one's
        const formula = document.getElementById('play-formula');
        return formula.getAttribute('of') === `/measures#${name}` && formula.shadowRoot?.querySelector('math, span');
      }, name);
      set++;
      const said = await page.locator('.unfolded figcaption').textContent();
      assert.match(said, /To the last digit: /, name);
      await page.locator('#play-measures tbody tr').nth(1).locator('.take').click();
    }
  }
  assert.ok(set > 50, `${set} of ${names.length}`); // some wait for a parameter first
  await page.locator('#hand-0 [data-row="1"] .title').hover();
  assert.equal(await page.locator('.unfolded tbody tr[data-lit]').count(), 1);
  assert.equal(await page.locator('.unfolded tbody tr[data-lit] th').textContent(), '2');
  await page.locator('.unfolded tbody tr').first().hover();
  assert.equal(await page.locator('#hand-0 > [data-lit]').getAttribute('data-row'), '0');
  await visit.done();
});

test('a ranking of Search is played with, with what it missed beside it', async () => {
  const visit = await open('/search');
  const { page } = visit;
  await page.locator('#judged').selectOption('q02');
  await results(page);
  const link = page.locator('#system-0 a.play');
  await link.waitFor();
  const first = (await page.locator('#system-0 ol.hits h3').first().textContent()).trim();
  await link.click();
  await page.waitForFunction((t) => document.querySelector('#hand-0 .title')?.textContent.includes(t), first,
    { timeout: 240_000 });
  await page.waitForSelector('.out li', { timeout: 240_000 });
  await page.waitForFunction(() => location.hash.startsWith('#play=1'));
  await visit.done();
});

test('a move of twenty documents is on the page within a frame', async () => {
  const docs = Array.from({ length: 20 }, (_, i) => `${(i * 7) % 4}~Document+${i}`).join(',');
  const visit = await open(
    `/play#play=1&d=${docs}&a=${Array.from({ length: 20 }, (_, i) => i).join('.')}&m=nDCG@10~AP~RR~P@5~RBP~ERR@10`);
  const { page } = visit;
  const times = await page.evaluate(() => {
    const list = document.getElementById('hand-0');
    const out = [];
    list.dispatchEvent(new CustomEvent('rankhold'));
    for (let i = 0; i < 38; i++) {
      const from = i % 19;
      const t = performance.now();
      // the handler draws before it returns
      list.dispatchEvent(new CustomEvent('rankmove', { detail: { from, to: from + 1 } }));
      out.push(performance.now() - t);
    }
    return out.sort((a, b) => a - b);
  });
  console.log(
    `# a move: median ${times[19].toFixed(1)} ms, ${times.filter((t) => t <= 16).length} of 38 within 16 ms, slowest ${times.at(-1).toFixed(1)} ms`);
  assert.equal(await page.locator('#hand-0 > [data-row]').count(), 20);
  await visit.shot('play-20');
  await visit.done();
});

test('a ranking of Compare is played with: the same documents and grades, in a tab of its own', async () => {
  const visit = await open('/compare');
  const { page } = visit;
  await (await shown(page, '#example')).click();
  const link = page.locator('.sides a.play').first();
  await page.locator('#tab-queries').click({ timeout: 240_000 });
  await link.waitFor({ timeout: 240_000 });
  const side = page.locator('.sides > section').first();
  // of the open collection, whose titles are known
  const ids = await side.locator('ol.docs .doc-title').allTextContents();
  const marks = await side.locator('ol.docs .grade').allTextContents();
  const [tab] = await Promise.all([visit.context.waitForEvent('page'), link.click()]);
  await ready(tab);
  await tab.waitForSelector('#hand-0 > [data-row]');
  const placed = (await tab.locator('#hand-0 .title > span:first-child').allTextContents()).slice(0, ids.length);
  assert.ok(placed.length === 10 && placed.every((p, i) => ids[i].startsWith(p.replace(/…$/, ''))),
    `${placed} instead of ${ids}`);
  assert.deepEqual((await tab.locator('#hand-0 .grade').allTextContents()).slice(0, ids.length).map((g) => g.trim()),
    marks.map((g) => g.trim()));
  await tab.close();
  await visit.done();
});

test('a ranking of files is played with in a tab of its own, by mouse and by key; a reload has it; no address names it',
  async () => {
  const visit = await open('/compare');
  const { page } = visit;
  const run = (name, ...ids) => ({ name: `${name}.run`, mimeType: 'text/plain',
    buffer: Buffer.from(ids.map((id, i) => `q1 Q0 ${id} ${i + 1} ${9 - i} ${name}\n`).join('')) });
  await page.setInputFiles('#files', [run('a', 'letter-7', 'memo-3'), run('b', 'memo-3', 'letter-7'),
    { name: 'own.qrels', mimeType: 'text/plain', buffer: Buffer.from('q1 0 letter-7 2\n') }]);
  await page.locator('#tab-queries').click({ timeout: 240_000 });
  const titles = (tab) => tab.locator('#hand-0 .title > span:first-child').allTextContents();
  const links = page.locator('.sides a.play');
  await links.nth(1).waitFor({ timeout: 240_000 });
  for (const [i, act, want] of [[0, () => links.nth(0).click(), ['letter-7', 'memo-3']],
    [1, () => links.nth(1).click({ button: 'middle' }), ['memo-3', 'letter-7']],
    [0, () => links.nth(0).press('Enter'), ['letter-7', 'memo-3']]]) {
    assert.match(await links.nth(i).getAttribute('href'), /\/play#play=own$/);
    const [tab] = await Promise.all([visit.context.waitForEvent('page'), act()]);
    await ready(tab);
    await tab.waitForFunction(() => document.querySelectorAll('#hand-0 .title').length === 2);
    assert.deepEqual(await titles(tab), want);
    await tab.locator('#play-ideal').click();
    await tab.waitForFunction(() => /letter-7/.test(document.querySelector('#hand-0 .title').textContent));
    await links.nth(1 - i).dispatchEvent('pointerdown'); // the other one is taken up in between
    await tab.reload();
    await ready(tab);
    await tab.waitForFunction(() => document.querySelectorAll('#hand-0 .title').length === 2);
    assert.deepEqual(await titles(tab), ['letter-7', 'memo-3'], 'each tab has its own after a reload');
    assert.doesNotMatch(tab.url(), /letter|memo/);
    await tab.close();
  }
  await visit.done();
  const elsewhere = await open('/play#play=own');
  assert.match(await elsewhere.page.textContent('body'), /The ranking of this address is stored on another device\./);
  assert.ok((await titles(elsewhere.page)).length > 2, 'the ranking below');
  await elsewhere.shot('play-elsewhere');
  await elsewhere.done();
});
