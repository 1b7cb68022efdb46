// Nightly: a room with phones.
// A class votes from phones: the teacher's slides and the page that phones open, on `rankbox serve` with the built
// site. Nothing is configured but the origin, which is that of the proxy in front.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { commandLine, lab, overfull, pixels, ready, root, scratch } from './harness.mjs';

const jsqr = createRequire(import.meta.url)('jsqr'); // the oracle of the QR code reads it off the screen
const rankbox = lab({
  server: async (origin) => {
    const config = join(await scratch(), 'edge.json');
    await writeFile(config, JSON.stringify({ origins: [origin], backends: [] }));
    const site = join(root, 'dist');
    return [await commandLine(), 'serve', '-addr', '127.0.0.1:0', '-site', site, '-config', config, '-quiet'];
  },
});

const long = { timeout: 300_000 };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/**
 * Turns to the first question. Between two programs there is no slide for a moment: what is on show is read at one
 * time, since a key on the question would reveal its answer. A key that comes in between is lost, and pressed again.
 */
async function toQuestion(page) {
  for (let i = 0; i < 40; i++) {
    const seen = await page.waitForFunction(() => {
      const [slide, number] = ['.slide', '.turn b'].map((s) => document.querySelector(s));
      return slide && number && { number: number.textContent, asks: !!slide.querySelector('.ask') };
    });
    const { number, asks } = await seen.jsonValue();
    if (asks) return;
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction((was) => document.querySelector('.turn b')?.textContent !== was, number,
      { timeout: 8000 }).catch(() => {});
  }
}

async function teach(path = '/learn/ndcg?presenter') {
  const visit = await rankbox.open(path, { viewport: { width: 1280, height: 720 } });
  await ready(visit.page);
  await toQuestion(visit.page);
  await visit.page.waitForSelector('#room-collect');
  return visit;
}

const codeOf = async (page) => (await page.locator('#room-code').textContent()).replace(' ', '');
const says = (page, pattern) => page.waitForFunction((p) =>
  new RegExp(p).test(document.getElementById('said').textContent), pattern.source, long);
const warns = (page, pattern) => page.waitForFunction((p) =>
  new RegExp(p).test(document.getElementById('vote-fault').textContent), pattern.source, long);
const votes = (page, n) => page.waitForFunction((want) =>
  document.getElementById('room-votes').textContent.startsWith(want), `${n} vote`, long);

/** Sends to the edge as a phone or as a teacher would. */
const api = async (path, body, secret) => {
  const answer = await fetch(`${rankbox.origin}/api/v1/rooms${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'Content-Type': 'application/json', ...(secret && { Authorization: `Bearer ${secret}` }) },
    body: body && JSON.stringify(body),
  });
  return { status: answer.status, ...(await answer.json()) };
};

test('three phones vote on a prediction, change, and see the counts when the teacher shows them', long, async () => {
  const teacher = await teach();
  const { page } = teacher;
  await page.locator('#room-collect').click();
  await page.waitForSelector('#room-code');
  const code = await codeOf(page);
  assert.match(code, /^[BCDFGHJKLMNPQRSTVWXZ]{6}$/);
  assert.equal(await page.locator('.hands').count(), 0, 'nothing is drawn while phones vote');
  assert.equal(jsqr(...(await pixels(teacher, page.locator('#room-qr'))))?.data, `${rankbox.origin}/vote#${code}`);
  const labels = await page.locator('.slide .option > span').allTextContents();
  assert.deepEqual(await teacher.accessibility(), []);
  await teacher.shot('vote-slide-open');

  const phones = [];
  for (let i = 0; i < 3; i++) {
    const visit = await rankbox.open(i ? `/vote#${code}` : '/vote', phone);
    phones.push(visit);
    if (i === 0) { // typed as it is read from the screen
      await visit.page.locator('#code').fill(` ${code.slice(0, 3).toLowerCase()} ${code.slice(3)}`);
      await visit.page.keyboard.press('Enter');
    }
    await visit.page.waitForSelector('#choices .option');
    assert.deepEqual(await visit.page.locator('#choices .option > span').allTextContents(), labels);
    assert.equal(await visit.page.locator('#choices svg:visible').count(), 0);
  }
  const choose = async (i, option) => {
    await phones[i].page.locator('#choices .option').nth(option).click();
    await says(phones[i].page, new RegExp(`^Your vote for ${labels[option]} is counted`));
  };
  assert.deepEqual(await phones[0].accessibilityInBoth('vote-phone-open'), []);
  await choose(0, 0);
  await choose(1, 0);
  await choose(2, 2);
  await votes(page, 3);
  await choose(1, 1);
  await votes(page, 3);
  await phones[1].page.reload(); // the same phone, with the same vote
  await says(phones[1].page, new RegExp(`^Your vote for ${labels[1]} is counted`));
  await phones[1].page.locator('#choices .option').nth(2).focus();
  await phones[1].page.keyboard.press('Enter');
  await says(phones[1].page, new RegExp(`^Your vote for ${labels[2]} is counted`));
  assert.deepEqual(await phones[1].accessibility(), []);
  await phones[1].shot('vote-phone-voted');
  assert.equal(await page.locator('.hands').count(), 0);

  await page.locator('#room-close').click();
  await says(phones[0].page, new RegExp(`^Voting is closed\\. You chose ${labels[0]}\\.`));
  assert.ok(await phones[0].page.locator('#choices .option').first().isDisabled());
  await page.locator('#room-show').click();
  await page.waitForSelector('.hands b');
  assert.deepEqual(await page.locator('.hands b').allTextContents(), ['1', '0', '2']);
  const bars = page.locator('.votes rect:not(.again)');
  assert.deepEqual(await bars.evaluateAll((l) => l.map((r) => r.getAttribute('width'))), ['50', '0', '100']);
  assert.equal(await page.locator('.hands button').count(), 0, 'phones are counted, not hands');
  for (const { page: p } of phones) await says(p, /^3 votes\. You chose /);
  assert.deepEqual(await phones[0].page.locator('#choices b').allTextContents(), ['1', '0', '2']);
  assert.deepEqual(await phones[0].accessibilityInBoth('vote-phone-shown'), []);
  await teacher.shot('vote-slide-shown');

  // the second round, under the same code
  await page.locator('#learn-reveal').click();
  await page.locator('#room-collect').click();
  await says(phones[0].page, /^Choose an option/);
  await choose(0, 1);
  await votes(page, 1);
  await page.locator('#room-show').click();
  await page.waitForFunction(() => document.querySelector('.hands b')?.textContent === '1 → 0');
  assert.deepEqual(await page.locator('.hands b').allTextContents(), ['1 → 0', '0 → 1', '2 → 0']);

  // a reload finds the room; the next lesson's question is asked in it without a click
  await page.reload();
  await ready(page);
  await page.waitForSelector('#room-code');
  assert.equal(await codeOf(page), code);
  await page.goto('/learn/ap?presenter');
  await ready(page);
  await toQuestion(page);
  await page.waitForSelector('#room-code');
  assert.equal(await codeOf(page), code);
  const asks = await page.locator('.slide .ask').textContent();
  const heard = (want) => document.getElementById('ask').textContent === want;
  await phones[2].page.waitForFunction(heard, asks, long); // it looks every six seconds at least
  const next = await page.locator('.slide .option > span').allTextContents();
  assert.deepEqual(await phones[2].page.locator('#choices .option > span').allTextContents(), next);
  await page.locator('#room-end').click();
  await page.waitForSelector('#room-code', { state: 'detached' });
  await warns(phones[2].page, /^There is no room/);
  for (const visit of [...phones, teacher]) {
    assert.deepEqual(visit.violations, []);
    assert.deepEqual(visit.errors.filter((e) => !/404/.test(e)), []); // a phone learns so that the room has ended
    assert.ok((await visit.overflow()) <= 0);
    await visit.close();
  }
});

test('every question slide with a room fits 1280 × 720 with text of 24 pixels', long, async () => {
  const visit = await teach();
  const { page } = visit;
  await page.locator('#room-collect').click();
  for (const name of ['ndcg', ...readdirSync(join(root, 'site/lessons')).filter((n) => n !== 'ndcg')]) {
    if (name !== 'ndcg') {
      const led = page.waitForResponse((r) => /\/api\/v1\/rooms\//.test(r.url())); // by the program that leads rooms
      await page.goto(`/learn/${name}?presenter`);
      await led;
      await ready(page);
      await toQuestion(page);
    }
    await page.waitForSelector('#room-show');
    for (const when of ['open', 'shown', 'revealed']) {
      if (when === 'shown') await page.locator('#room-show').click();
      if (when === 'revealed') await page.locator('#learn-reveal').click();
      await page.waitForSelector(when === 'revealed' ? '.slide .told' : when === 'shown' ? '.hands' : '#room-close');
      const bad = await overfull(page);
      await visit.shot(`vote-slide-${name}-${when}`);
      assert.deepEqual(bad.slice(0, 3), [], `${name}, ${when}`);
    }
  }
  await visit.done();
});

test('the page for phones says what is wrong, and goes on when the network is back', long, async () => {
  const { code, secret } = await api('', { options: 2 });
  const visit = await rankbox.open('/vote', phone);
  const { page } = visit;
  await page.locator('#code').fill('hello');
  await page.keyboard.press('Enter');
  await warns(page, /^A code has six letters/);
  assert.deepEqual(await visit.accessibilityInBoth('vote-phone-join'), []);
  await page.locator('#code').fill('BBBBBB');
  await page.keyboard.press('Enter');
  await warns(page, /^There is no room BBBBBB/);
  await page.locator('#code').fill(code);
  await page.keyboard.press('Enter');
  await says(page, /^Choose an option/);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'ask', 'the question has the focus');

  rankbox.down();
  await page.locator('#choices .option').first().click();
  await warns(page, /^No connection\. Trying again … Your vote is not counted yet\./);
  await visit.shot('vote-phone-offline');
  await page.locator('#choices .option').nth(1).click(); // the last choice counts
  rankbox.up();
  await says(page, /^Your vote for B is counted/);
  assert.deepEqual((await api(`/${code}`, null, secret)).counts, [0, 1]);
  await page.waitForFunction(() => document.getElementById('vote-fault').textContent === '');

  await api(`/${code}/close`, {}, secret);
  await says(page, /^Voting is closed\. You chose B\. Wait for the next question\.$/);
  await page.locator('#leave button').click();
  assert.ok(await page.locator('#code').isVisible());
  assert.equal(new URL(page.url()).hash, '');
  assert.deepEqual(visit.violations, []);
  await visit.close();

  // without scripts the page says so
  const plain = await rankbox.open('/vote', { ...phone, javaScriptEnabled: false });
  assert.match(await plain.page.locator('main').innerText(), /^Voting needs scripts/);
  await plain.close();
});

test('two hundred phones behind one address join and vote, and every vote is counted', long, async () => {
  const { code, secret } = await api('', { options: 4 });
  const start = performance.now();
  await Promise.all(Array.from({ length: 200 }, async (_, i) => {
    assert.equal((await api(`/${code}`)).status, 200);
    for (const option of i % 2 ? [i % 4, 0] : [i % 4]) { // every second one changes its mind
      const vote = { question: 1, option, voter: `phone${String(i).padStart(5, '0')}` };
      assert.equal((await api(`/${code}/votes`, vote)).status, 200, `phone ${i}`);
    }
  }));
  const took = performance.now() - start;
  // 50 chose option 0 and 50 option 2 at once; the 100 others ended at 0
  assert.deepEqual((await api(`/${code}`, null, secret)).counts, [150, 0, 50, 0]);
  console.log(`200 phones joined and cast 300 votes in ${(took / 1000).toFixed(2)} s`);
  assert.ok(took < 10_000, `${took} ms`);
});

test('the page for phones is small, and a vote is counted soon on slow 4G', long, async () => {
  const { code } = await api('', { options: 4, ask: 'Which?', labels: ['a', 'b', 'c', 'd'] });
  const visit = await rankbox.open('about:blank', phone);
  const { page } = visit;
  const cdp = await visit.throttle({ cpu: 4, network: 'slow 4G' });
  const sizes = new Map();
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
  const before = rankbox.requests.length;
  const start = performance.now();
  await page.goto(`/vote#${code}`, { waitUntil: 'commit' });
  await page.locator('#choices .option').first().click();
  await says(page, /^Your vote for a is counted/);
  const took = performance.now() - start;
  const bytes = [...sizes.values()].reduce((sum, n) => sum + n, 0);
  const asked = rankbox.requests.slice(before).map((r) => r.url);
  const seconds = (took / 1000).toFixed(2);
  console.log(`QR to first vote, slow 4G, a quarter of the speed: ${seconds} s, ${bytes} bytes`);
  assert.ok(bytes > 5000 && bytes <= 60_000, `${bytes} bytes: ${asked}`);
  assert.ok(!asked.some((u) => /\.(wasm|woff2)$/.test(u)), asked.join());
  await visit.done();
  assert.ok(readFileSync(join(root, 'site/js/vote.js')).length <= 10_000);
});
