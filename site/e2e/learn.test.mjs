// The lessons, on the built site, in Chromium.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { lab, overfull, ready, root } from './harness.mjs';
import { byKeys } from './lesson.mjs';

const rankbox = lab();
const names = readdirSync(join(root, 'site/lessons'));

async function open(path, options) {
  const visit = await rankbox.open(path, options);
  await ready(visit.page);
  return visit;
}

test('every lesson reads to its end without scripts, with a picture where the interaction would be', async () => {
  const visit = await rankbox.open('/learn', { javaScriptEnabled: false });
  const { page } = visit;
  assert.equal(await page.locator('ol.lessons > li').count(), names.length);
  assert.match(await page.locator('.map svg').getAttribute('aria-label'), /^How the lessons build on each other: /);
  for (const path of names) {
    await page.goto(`/learn/${path}`);
    assert.equal(await page.locator('section.part').count(), 5, path);
    assert.ok(await page.locator('.remember').isVisible(), path);
    assert.ok((await page.locator('#step-2 .fig .goals > li').count()) > 1, path);
    assert.ok(await page.locator('.sheet').isHidden(), `${path}: what a teacher asks stands on a student's page`);
    assert.ok((await page.locator('#step-3 table').count()) >= 1, path);
    if (path === 'lucky') assert.match(await page.locator('.coins .share').textContent(),
      /^All \d+ ways to set the signs give /);
    assert.doesNotMatch(await page.locator('article.lesson').textContent(), /NaN|\bInf\b|undefined|\{\w+ /, path);
    // what prints is the teacher's sheet on a page, and its key on another
    for (const format of ['A4', 'Letter']) {
      const pdf = (await page.pdf({ format })).toString('latin1');
      assert.equal(pdf.match(/\/Type\s*\/Page\b/g).length, 2, `${path} on ${format}`);
    }
    await page.emulateMedia({ media: 'print' });
    const plan = await page.locator('.plan li').allTextContents();
    assert.equal(plan.reduce((sum, step) => sum + parseInt(step, 10), 0),
      Number((await page.locator('.sheet > p').first().innerText()).match(/(\d+) minutes/)[1]), path);
    await page.emulateMedia({ media: null });
  }
  await visit.close();
});

async function goal(visit, name) {
  const { page } = visit;
  const fig = page.locator('#step-2 .fig');
  const said = () => fig.locator('.told').textContent();
  assert.equal(await fig.locator('.told').getAttribute('role'), 'status');
  assert.equal(await said(), '', `${name}: nothing is reached at the start`);
  const goals = await fig.locator('.goals').textContent();
  await byKeys(page, name);
  const reached = () =>
    /^Goal reached after \d+ moves?\.$/.test(document.querySelector('#step-2 .fig .told').textContent);
  await page.waitForFunction(reached, null, { timeout: 5000 })
    .catch(async () => assert.fail(`${name}: ${await fig.locator('.goals').textContent()}`));
  assert.notEqual(await fig.locator('.goals').textContent(), goals);
  const small = await fig.locator('button:visible').evaluateAll((l) => l.filter((b) => {
    const { width, height } = b.getBoundingClientRect();
    return Math.min(width, height) < 43.9;
  }).map((b) => b.id || b.textContent));
  assert.deepEqual(small, [], `${name}: buttons below 44 px`);
  assert.equal(await fig.locator('[style]').count(), 0);
  await fig.locator('.again').click();
  assert.equal(await said(), '');
  assert.equal(await fig.locator('.goals').textContent(), goals, `${name}: begun again`);
}

// From the prediction to the check: what stands behind the prediction is hidden before; every wrong option of the first
// exercise is taken and names a mistake; then the right one.
async function through(visit, name) {
  const { page } = visit;
  assert.equal(await page.locator('section.part').count(), 1, `${name}: nothing is shown before the prediction`);
  await page.locator('#step-1 .options .option').first().click();
  await page.waitForSelector('#step-5');
  assert.equal(await page.locator('#step-1 .option.right').count(), 1);
  assert.ok((await page.locator('#step-1 .told').textContent()).length > 40);
  await goal(visit, name);
  const drill = page.locator('.drill').first();
  const options = drill.locator('.options .option');
  let right = 0;
  for (let i = 0; i < (await options.count()); i++) {
    await options.nth(i).click();
    const said = await drill.locator('.said').textContent();
    if (said.startsWith('Right: ')) {
      right++;
      break;
    }
    assert.match(said, /^Not yet\. You seem to have .{10,}\.$/, name);
  }
  assert.equal(right, 1, `${name}: an option is right`);
  const before = await drill.textContent();
  await drill.locator('.another').click();
  assert.notEqual(await drill.textContent(), before);
  const typed = page.locator('.drill form').first();
  await typed.locator('input').fill('17');
  await typed.locator('button').click();
  assert.match(await page.locator('.drill:has(form) .said').first().textContent(), /^Not yet\. Hint: .{20,}\.$/);
  assert.ok(await page.locator('#step-5 a').first().getAttribute('href'), name);
  assert.ok((await visit.overflow()) <= 0, `${name}: ${await visit.overflow()} px too wide`);
}

for (const [device, taken, viewport, more] of [
  ['desktop', names, { width: 1280, height: 900 }],
  ['phone', names, { width: 320, height: 700 }, { hasTouch: true, isMobile: true }],
  ['window of 1280 × 1024 at 400 %', ['curves', 'judges', 'ndcg'], { width: 320, height: 256 }],
]) {
  test(`${taken === names ? 'every lesson is' : 'three lessons are'} taken from predict to check on a ${device}`,
    { timeout: 900_000 }, async () => {
    const visit = await open(`/learn/${taken[0]}`, { viewport, ...more });
    for (const name of taken) {
      if (name !== taken[0]) {
        await visit.page.goto(`/learn/${name}`);
        await ready(visit.page);
      }
      await through(visit, name);
      if (['ndcg', 'users', 'postings', 'weights', 'fusion', 'dense', 'expansion', 'answers'].includes(name)) {
        assert.deepEqual(await visit.accessibility(), [], name);
        await visit.shot(`learn-${name}-${device.split(' ')[0]}`);
      }
      await visit.well();
    }
    await visit.close();
  });
}

test('exercises are those of a number, what was answered stays on the device, and can be deleted', async () => {
  const visit = await open('/learn/ap');
  const { page } = visit;
  await page.locator('#step-1 .option').nth(1).click();
  const given = () => page.locator('.drill').first().locator('.given').allTextContents();
  const anonymous = await given();
  await page.locator('#learn-who').fill('4711');
  await page.locator('#learn-who').press('Tab');
  await page.waitForFunction((t) => document.querySelector('.drill .given').textContent !== t, anonymous[0]);
  const first = await given();
  // the level is chosen beside it, and remembered too
  assert.equal(await page.locator('.drill .level').first().inputValue(), '1');
  await page.locator('.drill .level').first().focus();
  await page.keyboard.press('3');
  await page.waitForSelector('.drill form');
  await page.waitForFunction((t) => document.querySelector('.drill .given').textContent !== t, first[0]);
  const mine = await given();
  await page.reload();
  await ready(page);
  await page.waitForSelector('#step-5');
  assert.deepEqual(await given(), mine);
  assert.equal(await page.locator('.drill .level').first().inputValue(), '3');
  assert.equal(await page.locator('#step-1 .option.picked').count() +
    (await page.locator('#step-1 .option.right').count()) > 0, true);
  await page.locator('article.lesson > p a[href="/learn"]').click();
  await page.waitForSelector('#learn-progress');
  const progress = await page.locator('#learn-progress').textContent();
  assert.match(progress, new RegExp(`^0 of ${names.length} lessons done\\. Resume:\\s+Average precision by hand$`));
  await page.locator('#learn-forget').click();
  assert.equal(await page.evaluate(() => localStorage.getItem('rankbox-learn')), null);
  await page.locator('ol.lessons a[href="/learn/ap"]').first().click();
  await page.waitForSelector('#step-1 .option');
  assert.equal(await page.locator('section.part').count(), 1);
  await visit.done();
});

test('the list leads to a lesson that was not rendered with the page, and from Home too', async () => {
  const visit = await open('/');
  const { page } = visit;
  await page.locator('header nav a', { hasText: 'Learn' }).click();
  await page.waitForSelector('ol.lessons > li', { timeout: 240_000 });
  await page.locator('ol.lessons a[href="/learn/ties"]').first().click();
  await page.waitForSelector('#step-1 .option', { timeout: 240_000 });
  assert.ok(page.url().endsWith('/learn/ties'));
  await page.locator('header nav a', { hasText: 'Learn' }).click();
  await page.waitForSelector('ol.lessons > li');
  assert.deepEqual(await visit.accessibility(), []);
  await visit.shot('learn');
  await visit.done();
});

test('in presenter view a class votes by keys, the answer is revealed, and it votes again', async () => {
  const visit = await open('/learn/ndcg');
  const { page } = visit;
  await page.keyboard.press('p');
  await page.waitForSelector('.slide .options .option');
  const above = await page.locator('.slide .block').first().textContent();
  assert.match(above, /^The query is /, 'the situation is above the options');
  assert.equal(await page.locator('.slide .option').count(), 3, 'all options are visible when the vote starts');
  await page.keyboard.press('1');
  await page.keyboard.press('1');
  await page.keyboard.press('2');
  assert.deepEqual(await page.locator('.hands b').allTextContents(), ['2', '1', '0']);
  await page.locator('#learn-reveal').click();
  await page.keyboard.press('2');
  assert.deepEqual(await page.locator('.hands b').allTextContents(), ['2 → 0', '1 → 1', '0 → 0']);
  assert.ok((await page.locator('.votes rect').nth(0).getAttribute('width')) === '100' &&
    (await page.locator('.votes .again').nth(1).getAttribute('width')) === '50');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.activeElement.id === 'step-2');
  // a slide is found again after a reload
  await page.keyboard.press('PageDown');
  await page.waitForFunction(() => location.search + location.hash === '?presenter#step-2.2');
  const at = await page.locator('.turn b').textContent();
  await page.reload();
  await ready(page);
  await page.waitForSelector('.slide .fig');
  assert.equal(await page.locator('.turn b').textContent(), at);
  await visit.done();
});

test('a site without an edge collects no votes, and its page for phones says so', async () => {
  const visit = await open('/learn/ndcg?presenter');
  const { page } = visit;
  await page.waitForSelector('.slide .hands');
  assert.ok(rankbox.requests.some((r) => r.url === '/api/v1/backends'), 'the slides ask for an edge');
  assert.equal(await page.locator('#room-collect, .phones').count(), 0);
  await page.goto('/vote#BCDFGH');
  await page.waitForFunction(() => document.getElementById('vote-fault').textContent !== '');
  assert.match(await page.locator('#vote-fault').textContent(), /^This site has no server for votes\. /);
  assert.deepEqual(await visit.accessibility(), []);
  assert.deepEqual(visit.violations, []);
  await visit.close();
});

test('every slide of every lesson fits 1280 × 720 with text of 24 pixels', { timeout: 600_000 }, async () => {
  const visit = await open(`/learn/${names[0]}?presenter`, { viewport: { width: 1280, height: 720 } });
  const { page } = visit;
  for (const name of names) {
    if (name !== names[0]) {
      await page.goto(`/learn/${name}?presenter`);
      await ready(page);
    }
    await page.waitForSelector('.slide');
    const all = Number((await page.locator('.turn b').textContent()).split(' ')[2]);
    assert.ok(all > 6, `${name}: ${all} slides`);
    for (let i = 1; i <= all; i++) {
      const bad = await overfull(page);
      assert.deepEqual(bad.slice(0, 3), [], `${name}, slide ${i}`);
      if (i === all) break;
      const next = `${i + 1} of ${all}`;
      await page.keyboard.press('ArrowRight');
      const count = () => page.locator('.turn b').textContent();
      const shows = (t) => document.querySelector('.turn b').textContent === t;
      const moved = (t) =>
        document.querySelector('.turn b').textContent === t || document.querySelector('.slide .told:not(.fig *)');
      await page.waitForFunction(moved, next, { timeout: 8000 }).catch(() => assert.fail(`${name}: no ${next}`));
      if ((await count()) !== next) await page.keyboard.press('ArrowRight'); // a question is revealed first
      await page.waitForFunction(shows, next, { timeout: 8000 }).catch(() => assert.fail(`${name}: not ${next}`));
    }
  }
  await visit.done();
});

test('a second window has the notes, and both turn the slides', async () => {
  const visit = await open('/learn/ap?presenter', { viewport: { width: 1280, height: 720 } });
  const { page } = visit;
  await page.locator('#deck-next').click();
  const second = () => document.querySelector('.turn b').textContent.startsWith('2 of');
  await page.waitForFunction(() => document.querySelector('.slide .told')
    || document.querySelector('.turn b').textContent.startsWith('2 of'));
  if (!await page.evaluate(second)) await page.locator('#deck-next').click(); // a question is revealed first
  await page.waitForFunction(second);
  const notes = await page.context().newPage();
  await notes.goto('/learn/ap#notes');
  await ready(notes);
  await notes.waitForFunction(() => document.querySelector('#notes-at')?.textContent.startsWith('2 of'));
  assert.match(await notes.locator('#notes-keys').textContent(), /Figure: .+; then .+Exercise 1: /s);
  assert.equal(await page.locator('.sheet, .notes').count(), 0, 'the slides have no notes');
  await notes.locator('#notes-slides button').nth(3).click();
  await page.waitForFunction(() => document.querySelector('.turn b').textContent.startsWith('4 of'));
  await page.keyboard.press('PageUp');
  await notes.waitForFunction(() => document.querySelector('#notes-at').textContent.startsWith('3 of'));
  await notes.close();
  await visit.done();
});

// The values of a list of grades, worked out beside the engine.
const gains = (list, k) => list.slice(0, k).reduce((sum, g, i) => sum + g / Math.log2(i + 2), 0);
const worth = {
  RR: (list) => (list.some((g) => g > 0) ? 1 / (list.findIndex((g) => g > 0) + 1) : 0),
  P: (list, k) => list.slice(0, k).filter((g) => g > 0).length / k,
  nDCG: (list, k) => gains(list, k) / gains([...list].sort((a, b) => b - a), k),
};

function* orders(list) {
  if (list.length < 2) yield list;
  for (let i = 0; i < list.length;
    i++) for (const rest of orders([...list.slice(0, i), ...list.slice(i + 1)])) yield [list[i], ...rest];
}

test('a wrong answer is answered with what was probably done, be it typed or an order', async () => {
  const visit = await open('/learn/ap');
  const { page } = visit;
  await page.locator('#step-1 .option').first().click();
  const typed = page.locator('.drill:has(form)').first();
  const grades = async (i) => (await typed.locator('.given').nth(i).textContent()).match(/: (.*)$/)[1].split(' ')
    .map(Number);
  const [list, missed] = [await grades(0), await grades(1)];
  const hits = list.flatMap((g, i) => (g > 0 ? [list.slice(0, i + 1).filter((x) => x > 0).length / (i + 1)] : []));
  const sum = hits.reduce((a, b) => a + b);
  const answer = async (v) => {
    await typed.locator('input').fill(v.toFixed(3));
    await typed.locator('input').press('Enter');
    await page.waitForFunction((v) => document.querySelector('.drill form input').value === v, v.toFixed(3));
    return typed.locator('.said').textContent();
  };
  assert.equal(await answer(sum / hits.length),
    'Not yet. You seem to have divided by the retrieved relevant documents instead of all the relevant ones.');
  assert.match(await answer(sum / (hits.length + missed.length)), /^Right: /);

  await page.goto('/learn/cutoffs');
  await ready(page);
  await page.locator('#step-1 .option').first().click();
  const drill = page.locator('.drill:has(.submit)');
  const said = drill.locator('.said');
  const submit = async () => {
    await drill.locator('.submit').focus();
    await page.keyboard.press('Enter');
    return said.textContent();
  };
  const standing = async () => (await drill.locator('li > .grade').allTextContents()).map(Number);
  assert.match(await submit(),
    /^Not yet\. You have met (the first condition and not the second|the second condition and not the first|neither condition): \S+ is [\d.]+, \S+ is [\d.]+\.$/);
  const [, more, low, less, high] = (await drill.locator('.ask').textContent())
    .match(/in which (\S+) is ([\d.]+) or more, but (\S+) is below ([\d.]+)\.$/);
  const value = (measure, l) => worth[measure.split('@')[0]](l, Number(measure.split('@')[1] ?? l.length));
  const right = [...orders(await standing())].find((l) => value(more, l) >= Number(low) &&
    value(less, l) < Number(high) - 1e-9);
  for (let rank = 0; rank < right.length; rank++) {
    let from = (await standing()).indexOf(right[rank], rank);
    await drill.locator('.grip').nth(from).focus();
    for (; from > rank; from--) await page.keyboard.press('Alt+ArrowUp');
  }
  assert.deepEqual(await standing(), right);
  assert.match(await submit(), /^Right: /);

  await page.goto('/learn/curves');
  await ready(page);
  await page.locator('#step-1 .option').first().click();
  const told = await page.locator('#step-3 figure.pr svg').first().getAttribute('aria-label');
  assert.ok(told.length > 40, 'a drawn curve is told');
  assert.ok((await page.locator('figure.pr path.stairs').count()) >= 1);
  await visit.done();
});

test('coins are tossed for the signs of ten differences, once and by the hundred', async () => {
  const visit = await open('/learn/lucky', { viewport: { width: 320, height: 700 }, colorScheme: 'dark' });
  const { page } = visit;
  await page.locator('#step-1 .option').first().click();
  const coins = page.locator('#step-3 .coins');
  const numbers = (cells) => cells.map((t) => Number(t.replace('−', '-')));
  const column = async (n) => numbers(await coins.locator(`tr > :nth-child(${n}):is(td)`).allTextContents());
  const said = async (made) => {
    await page.waitForFunction((t) => document.querySelector('.coins .share').textContent.includes(t), ` of ${made}, `);
    return coins.locator('.share').textContent();
  };
  const height = () => coins.locator('rect')
    .evaluateAll((l) => l.reduce((sum, r) => sum + Number(r.getAttribute('height')), 0));
  await coins.locator('.toss').first().focus();
  await page.keyboard.press('Enter');
  assert.match(await said('1 toss'),
    /^[01] of 1 toss, (0|100)\.0\s%, has a mean as far from 0 as the measured one, or farther\. All \d+ ways to set the signs give (\d+\.\d)\s%: p is 0\.\d{3}\.$/);
  // every sign is kept or turned, and the mean is that of the tossed column
  const [measured, tossed] = [await column(2), await column(4)];
  assert.equal(tossed.length, 11);
  assert.deepEqual(tossed.slice(0, 10).map(Math.abs), measured.slice(0, 10).map(Math.abs));
  assert.ok(Math.abs(tossed.slice(0, 10).reduce((a, b) => a + b) / 10 - tossed[10]) < 1.1e-3, `${tossed}`);
  const one = await height();
  await coins.locator('.toss').nth(1).click();
  const share = await said('101 tosses');
  const [, far, percent] = share.match(/^(\d+) of 101 tosses, (\d+\.\d)\s%, have/);
  assert.equal(percent, ((100 * far) / 101).toFixed(1));
  assert.ok((await height()) > one, 'the histogram has grown');
  assert.ok((await visit.overflow()) <= 0);
  assert.deepEqual(await visit.accessibility(), []);
  await visit.shot('learn-lucky-coins');
  await coins.locator('.toss').nth(2).click();
  await page.waitForFunction(() => document.querySelector('.coins .share').textContent === 'No toss yet.');
  await visit.done();
});

test('after one visit to the list a lesson works without a network, and what was answered stays', async () => {
  const visit = await open('/learn', { serviceWorkers: 'allow' });
  const { page } = visit;
  await visit.controlled();
  rankbox.down();
  try {
    await page.goto('/learn/relevant');
    await ready(page);
    await page.locator('#step-1 .option').first().click();
    const options = page.locator('.drill').first().locator('.options .option:not([disabled])');
    for (let i = 0; !(await page.locator('.drill .said').first().textContent()).startsWith('Right: ');
      i++) await options.nth(i).click();
    const score = await page.locator('.drill').first().locator('.another + span').textContent();
    await page.reload();
    await ready(page);
    await page.waitForSelector('#step-5');
    assert.equal(await page.locator('.drill').first().locator('.another + span').textContent(), score);
    assert.match(score, /1/);
  } finally {
    rankbox.up();
  }
  await visit.close();
});

test('under reduced motion nothing moves when a step opens, the next one is shown, or a document changes its place',
  async () => {
  const visit = await open('/learn/ndcg', { reducedMotion: 'reduce' });
  const { page } = visit;
  const still = (when) => page.evaluate(() => document.getAnimations()
    .map((a) => a.effect.getComputedTiming().activeDuration).filter((ms) => ms > 10))
      .then((moving) => assert.deepEqual(moving, [], when));
  await page.evaluate(() => {
    window.slid = 0;
    const f = Element.prototype.animate;
    Element.prototype.animate = function (...a) { window.slid++; return f.apply(this, a); };
  });
  await page.locator('#step-1 .option').first().click();
  await page.waitForSelector('#step-5');
  await still('a step opens');
  await page.locator('#step-2 .fig .acts button').first().click();
  await still('documents change their places');
  await page.locator('h1').click();
  await page.keyboard.press('p');
  await page.waitForSelector('.slide');
  await page.keyboard.press('ArrowRight'); // the question was answered
  await page.waitForFunction(() => document.activeElement.id === 'step-2');
  await still('the next step is shown');
  const slow = () => [...document.querySelectorAll('main *')].filter((e) => [getComputedStyle(e).transitionDuration,
    getComputedStyle(e).animationDuration].some((d) => d.split(',').some((s) => parseFloat(s) > 0.01)))
      .map((e) => e.outerHTML.slice(0, 80));
  assert.deepEqual(await page.evaluate(slow), []);
  assert.equal(await page.evaluate(() => window.slid), 0);
  await visit.done();
});

test('the capstone is found out by keyboard, from its link to the finding that is handed in', async () => {
  const visit = await open('/learn', { acceptDownloads: true });
  const { page } = visit;
  const { keyboard } = page;
  const focused = () => page.evaluate(() => document.activeElement.id);
  // to an element by Tab alone
  const to = async (id) => {
    for (let i = 0; (await focused()) !== id; i++) {
      assert.ok(i < 80, `${id} is not reached by Tab`);
      await keyboard.press('Tab');
    }
  };
  await to('learn-capstone');
  await keyboard.press('Enter');
  await page.waitForSelector('#capstone-kinds', { timeout: 240_000 });
  await to('capstone-seed');
  await keyboard.press('Control+A');
  await keyboard.type('4711');
  await keyboard.press('Tab');
  await page.waitForFunction(() => location.hash.endsWith('s=4711'));
  await to('capstone-query');
  const heads = () => page.locator('.trio').textContent();
  const before = await heads();
  await keyboard.press('ArrowDown');
  await page.waitForFunction((t) => document.querySelector('.trio').textContent !== t, before);
  // what a student reckons, off the tables
  const cells = (table) => page.locator(table)
    .evaluate((t) => [...t.tBodies[0].rows].map((r) => [...r.cells].map((c) => c.textContent)));
  const [kinds, deviations, queries] = [await cells('#capstone-kinds'), await cells('[aria-label="Deviations"] table'),
    await cells('[aria-label="Query by query"] table')];
  const n = queries.length;
  const means = [1, 2, 3].map((c) => queries.reduce((sum, r) => sum + Number(r[c]), 0) / n);
  const [best, second] = [0, 1, 2].sort((a, b) => means[b] - means[a]);
  const ahead = means[best] - means[second];
  const deviation = Number(deviations[best + second - 1][1]);
  const margin = (2 * deviation) / Math.sqrt(n);
  const lead = kinds.map((r) => Number(r[2 + best]) - Number(r[2 + second]));
  const kind = lead.indexOf(Math.max(...lead));
  const choose = async (id, place) => {
    await to(id);
    for (let i = 0; i < place; i++) await keyboard.press('ArrowDown');
  };
  for (let l = 0; l < 3; l++) await choose(`capstone-which-${l}`, l + 1);
  await choose('capstone-best', best + 1);
  for (const [id, v] of [['difference', ahead], ['low', ahead - margin], ['high', ahead + margin]]) {
    await to(`capstone-${id}`);
    await keyboard.type(v.toFixed(4));
  }
  await choose('capstone-apart', ahead > margin ? 1 : 2);
  await choose('capstone-kind', kind + 1);
  await to('capstone-why');
  await keyboard.type('It reads what the others cannot.');
  await keyboard.press('Tab');
  // a reload, in the midst of it, takes nothing back
  const claims = () => page.$$eval('[id^="capstone-"]:is(select, input, textarea):not(#capstone-query)',
    (l) => l.map((e) => `${e.id}: ${e.value}`));
  const claimed = await claims();
  await page.reload();
  await page.waitForFunction(() => document.getElementById('capstone-why')?.value &&
    document.getElementById('capstone-kind').value, null, { timeout: 240_000 });
  assert.deepEqual(await claims(), claimed);
  await page.locator('#capstone-why').focus();
  await to('capstone-decide');
  await keyboard.press('Enter');
  await page.waitForSelector('#capstone-lines');
  const lines = await cells('#capstone-lines');
  const same = (claim) => lines.find((r) => r[0].startsWith(claim))[3];
  for (const claim of ['the best by mean', 'by how much', 'the 95 % interval', 'on which kind']) assert.equal(
    same(claim), '✓ the same', claim);
  assert.deepEqual(await visit.accessibility(), []);
  await visit.shot('capstone');
  await to('capstone-save');
  const [download] = await Promise.all([page.waitForEvent('download'), keyboard.press('Enter')]);
  const text = readFileSync(await download.path(), 'utf8');
  assert.match(text, /^Rankbox capstone, seed 4711\n/);
  assert.match(text, /\d of 8 claims (is|are) the report's\.\n\nWhy, as found: It reads what the others cannot\.\n/);
  await visit.done();
});
