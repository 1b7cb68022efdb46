// Nightly: long proofs.
// Every lesson is played from the prediction to the check: as slides on a projector, on a laptop and on a phone, with
// the right answers and with every wrong one that has a name. A run of all tests plays one lesson at each size, by the
// day; RANKBOX_LONG=1 plays all of them, RANKBOX_LESSONS=ap,ndcg some. With RANKBOX_SHOTS each state is a picture.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { before } from 'node:test';
import { buildTool, lab, overfull, ready, root } from './harness.mjs';
import { byKeys, dragRow, slide } from './lesson.mjs';

const rankbox = lab();
const sizes = {
  slides: { viewport: { width: 1280, height: 720 } },
  laptop: { viewport: { width: 1366, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};
const chosen = process.env.RANKBOX_LESSONS?.split(',');
const all = process.env.RANKBOX_LONG === '1';

let lessons = [];
before(async () => {
  const out = execFileSync(await buildTool(), ['lessons'], { cwd: root, maxBuffer: 1 << 26 });
  lessons = JSON.parse(out.toString());
});

/** The lessons that are played at a size. */
function taken(size) {
  if (chosen) return lessons.filter((l) => chosen.includes(l.name));
  if (all) return lessons;
  const day = Math.floor(Date.now() / 86_400_000);
  return [lessons[(day + 6 * Object.keys(sizes).indexOf(size)) % lessons.length]];
}

/** Plays a lesson at one size. */
class Play {
  constructor(visit, lesson, size) {
    Object.assign(this, { visit, page: visit.page, lesson, size, phone: size === 'phone', deck: size === 'slides' });
    this.seen = new Set(); // mistakes
    this.states = 0;
  }

  at(what) {
    return `${this.lesson.name}, ${this.size}, ${what}`;
  }

  /** Looks at a state: that it fits and, unless `quick`, that axe finds nothing. */
  async look(state, { of, quick } = {}) {
    this.states++;
    const { visit, page } = this;
    const dark = this.lesson.number % 3 === 0;
    if (process.env.RANKBOX_SHOTS) await this.picture(state, of, dark);
    if (await page.locator('.slide').count()) assert.deepEqual((await overfull(page)).slice(0, 3), [], this.at(state));
    else assert.ok((await visit.overflow()) <= 0, `${this.at(state)}: ${await visit.overflow()} px too wide`);
    if (quick) return;
    const found = dark ? await visit.accessibilityInBoth() : await visit.accessibility();
    assert.deepEqual(found, [], this.at(state));
  }

  async picture(state, of, dark) {
    const { page } = this;
    mkdirSync(join(process.env.RANKBOX_SHOTS, this.lesson.name), { recursive: true });
    for (const scheme of dark ? ['light', 'dark'] : ['light']) {
      await page.emulateMedia({ colorScheme: scheme });
      const folder = `${process.env.RANKBOX_SHOTS}/${this.lesson.name}`;
      const path = `${folder}/${this.size}-${state}${scheme === 'dark' ? '-dark' : ''}.png`;
      await (of ?? page).screenshot({ path, animations: 'disabled', ...(of ? {} : { fullPage: state === 'end' }) });
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }

  /** Presses a button as one does at this size: by finger, by mouse or by keyboard. */
  async press(button) {
    if (this.phone) await button.tap();
    else if (this.deck) await button.click();
    else {
      await button.focus();
      await this.page.keyboard.press('Enter');
    }
  }

  /** The prediction: every option, each wrong one taken back, then the right one. */
  async predict() {
    const { page } = this;
    const [question] = this.lesson.questions;
    assert.equal(await page.locator('section.part').count(), 1, this.at('nothing is shown before the prediction'));
    const options = page.locator('#step-1 .options .option');
    assert.deepEqual(await options.locator('> span').allTextContents(), question.options.map((o) => o.Text));
    await this.look('1-predict');
    const right = question.options.findIndex((o) => o.Right);
    const order = [...question.options.keys()].filter((i) => i !== right).concat(right);
    for (const i of order) {
      await this.press(options.nth(i));
      const says = i === right ? 'Right.' : `Not quite. ${question.options[i].Slip}`;
      const told = page.locator('#step-1 .block .told');
      await told.filter({ hasText: says }).waitFor();
      assert.equal(await told.textContent(), `${says} ${question.because}`);
      const marked = await page.locator('#step-1 .option.right').textContent();
      assert.ok(marked.includes(question.options[right].Text), marked);
      await this.look(`2-verdict-${i === right ? 'right' : i}`, { quick: i !== right && i !== order[0] });
      if (i === right) continue;
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press('Control+z');
      await told.waitFor({ state: 'detached' });
    }
    if (!this.deck) await page.locator('#step-5').waitFor();
  }

  /** The figure: moved by a finger on a phone, then taken to its goal by keys. */
  async figure() {
    const { page, lesson: { name } } = this;
    const fig = page.locator('.fig');
    assert.equal(await fig.locator('.told').textContent(), '', this.at('a goal is reached at the start'));
    await fig.evaluate((e) => e.scrollIntoView());
    const of = this.deck ? undefined : page.locator('#step-2');
    await this.look('3-do', { of });
    if (this.phone) await this.byFinger(fig);
    await byKeys(page, name);
    await page.waitForFunction(() =>
      /^Goal reached after \d+ moves?\.$/.test(document.querySelector('.fig .told').textContent));
    assert.equal(await fig.locator('.goals li:not(.met):has(small + b + small)').count(), 0);
    await this.look('4-goal', { of });
  }

  async byFinger(fig) {
    const goals = await fig.locator('.goals').textContent();
    const again = async () => {
      if (await fig.locator('.again').isEnabled()) await fig.locator('.again').tap();
      await this.page.waitForFunction((t) => document.querySelector('.fig .goals').textContent === t, goals);
    };
    const rows = fig.locator('.hand > [data-row]');
    if ((await rows.count()) > 2 && (await rows.nth(0).locator('.grip').count())) {
      const titles = async () => rows.locator('.title > span').allTextContents();
      const [a, b, c, ...rest] = await titles();
      await dragRow(this.visit, fig.locator('.hand'), 0, 2);
      assert.deepEqual(await titles(), [b, c, a, ...rest], this.at('dragged by a finger'));
      await again();
    }
    for (const slider of await fig.locator('input[type=range]').all()) {
      await slide(this.visit, slider);
      await again();
    }
  }

  /** An exercise: in turn as many as it takes until every named mistake was made; then one whose solution is shown. */
  async drill(drill, index) {
    const { page } = this;
    const asked = this.lesson.drills[index];
    const name = `5-check-${index + 1}`;
    const of = this.deck ? undefined : drill;
    let looked = false;
    const said = async (text) => {
      await drill.locator('.said').filter({ hasText: text.slice(0, 60) }).waitFor();
      assert.equal(await drill.locator('.said').textContent(), text, this.at(name));
    };
    const type = async (text) => {
      await drill.locator('form input').fill(text);
      if (this.phone) await drill.locator('form button').tap();
      else await drill.locator('form input').press('Enter');
    };
    const last = asked.exercises.length - 1;
    for (const [n, e] of asked.exercises.entries()) {
      assert.equal(await drill.locator('.ask').textContent(), e.question, this.at(name));
      if (!n) await this.look(`${name}-0`, { of });
      const fresh = (e.wrong ?? []).filter((w) => !this.seen.has(`${index} ${w.kind}`));
      const answer = async (text) => {
        if (asked.level > 1) return type(text);
        const whole = new RegExp(`^${text.replace('.', '\\.')}$`);
        return this.press(drill.locator('.options .option').filter({ hasText: whole }));
      };
      for (const w of fresh) {
        await answer(w.written);
        await said(w.says);
        this.seen.add(`${index} ${w.kind}`);
        await this.look(`${name}-wrong-${this.seen.size}`, { of, quick: looked });
        looked = true;
      }
      if (e.orders) await this.orders(drill, e, name);
      else if (n === last) {
        await answer(e.answer);
        await said(e.right);
        await this.look(`${name}-right`, { of });
        assert.match(await drill.locator('.another + span').textContent(), /^1 exercise right so far\.$/);
      }
      if (n < last) {
        await this.press(drill.locator('.another'));
        await page.waitForFunction(([i, t]) => document.querySelectorAll('.drill')[i].querySelector('.ask').textContent
          + [...document.querySelectorAll('.drill')[i].querySelectorAll('.given')].map((g) => g.textContent) !== t,
        [this.deck ? 0 : index, e.question]);
      }
    }
    if (asked.level === 1 || asked.exercises[last].orders) return;
    // a number that nobody gets by a known mistake: first a hint, then the solution
    await this.press(drill.locator('.another'));
    await drill.locator('.said').filter({ hasText: /^$/ }).waitFor({ state: 'attached' });
    await type('-77');
    await drill.locator('.said').filter({ hasText: /^Not yet\. Hint: .{20,}\.$/ }).waitFor();
    await this.look(`${name}-hint`, { of, quick: true });
    await type('x');
    await said("That isn't a number. Write 0.75 or 3/4.");
    await type('-78');
    await drill.locator('.said').filter({ hasText: /^Not yet\. It is .+: .+\. Try another one\.$/ }).waitFor();
    assert.equal(await drill.locator('form button').isDisabled(), true);
    await this.look(`${name}-solution`, { of, quick: true });
  }

  /** Orders of documents: one of each wrong verdict, then a right one, by a finger on a phone and by keys elsewhere. */
  async orders(drill, e, name) {
    const list = drill.locator('ol.hand');
    const ids = await list.locator('.grip').evaluateAll((l) => l.map((g) => g.id));
    ids.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    for (const o of [...e.orders.filter((o) => !o.right).slice(0, 2), e.orders.find((o) => o.right)]) {
      for (const [to, place] of o.places.entries()) {
        const from = () => list.locator('.grip').evaluateAll((l, id) => l.findIndex((g) => g.id === id), ids[place]);
        if (this.phone) await dragRow(this.visit, list, await from(), to);
        else {
          await list.locator(`[id="${ids[place]}"]`).focus();
          for (let n = await from(); n > to; n--) await this.page.keyboard.press('Alt+ArrowUp');
        }
        assert.equal(await from(), to, this.at(`${name}: document ${place} moved`));
      }
      await this.press(drill.locator('.submit'));
      await drill.locator('.said').filter({ hasText: o.says.slice(0, 40) }).waitFor();
      assert.equal(await drill.locator('.said').textContent(), o.says);
      await this.look(`${name}-order-${o.right ? 'right' : this.seen.size}`,
        { of: this.deck ? undefined : drill, quick: !o.right });
      if (!o.right) this.seen.add(o.says);
    }
  }

  /** Articles that are judged, and coins: whatever else a step has. */
  async more() {
    const { page } = this;
    for (const group of await page.locator('.judging li [role=group]').all()) {
      await this.press(group.locator('button').nth(2));
      await group.locator('button[aria-pressed=true]').waitFor();
    }
    if (await page.locator('.coins').count()) await this.press(page.locator('.coins .toss').nth(1));
  }

  async byPage() {
    const { page, lesson } = this;
    await this.predict();
    await this.more();
    if (await page.locator('.judging').count()) await this.look('3-judged', { of: page.locator('.judging') });
    await this.figure();
    await this.look('4-see', { of: page.locator('#step-3'), quick: true });
    const drills = page.locator('.drill');
    assert.equal(await drills.count(), lesson.drills.length);
    for (let i = 0; i < lesson.drills.length; i++) await this.drill(drills.nth(i), i);
    assert.ok(await page.locator('#step-5 a').first().getAttribute('href'));
    await this.look('end');
    assert.ok(await page.locator('#learn-next a').getAttribute('href'), this.at('there is a next lesson'));
  }

  async bySlides() {
    const { page, lesson } = this;
    await page.keyboard.press('p');
    await page.locator('.slide').waitFor();
    const count = () => page.locator('.turn b').textContent();
    const slides = Number((await count()).split(' ')[2]);
    let drills = 0;
    for (let i = 1; ; i++) {
      assert.equal(await count(), `${i} of ${slides}`);
      await this.more();
      const asks = await page.locator('.slide .ask + .options').count() > 0;
      if (asks && await page.locator('#step-1').count()) await this.predict();
      else if (await page.locator('.slide .fig').count()) await this.figure();
      else if (!(await page.locator('.slide .drill').count())) await this.look(`slide-${String(i).padStart(2, '0')}`);
      for (const drill of await page.locator('.slide .drill').all()) await this.drill(drill, drills++);
      if (i === slides) break;
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press('ArrowRight');
      await page.waitForFunction((t) => document.querySelector('.turn b').textContent === t, `${i + 1} of ${slides}`);
    }
    assert.equal(drills, lesson.drills.length);
    assert.ok(await page.locator('.slide .remember').isVisible());
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction((t) =>
      document.querySelector('.turn b').textContent === t,
    `${slides - 1} of ${slides}`);
  }

  /** The list of lessons says that this one is done, and which is next. */
  async progress() {
    const { page } = this;
    await page.goto('/learn');
    await ready(page);
    await page.locator('#learn-progress').waitFor();
    assert.match(await page.locator('#learn-progress').textContent(), /^1 of 18 lessons done\. Next: /);
    const about = page.locator(`ol.lessons li:has(a[href="/learn/${this.lesson.name}"]) p`).first();
    assert.match(await about.textContent(), / · done$/, this.at('progress'));
    assert.equal(await page.locator('ol.lessons li p:has-text("· begun")').count(), 0);
    await this.look('6-progress');
  }
}

for (const size of Object.keys(sizes)) {
  test(`lessons are played to their end, ${size}`, { timeout: 3_600_000 }, async (t) => {
    const failed = [];
    for (const lesson of taken(size)) {
      const begun = performance.now();
      const visit = await rankbox.open(`/learn/${lesson.name}`, sizes[size]);
      try {
        await ready(visit.page);
        const play = new Play(visit, lesson, size);
        await (size === 'slides' ? play.bySlides() : play.byPage());
        await play.progress();
        await visit.well();
        const names = lesson.drills.flatMap((d, i) =>
          d.exercises.flatMap((e) => (e.wrong ?? []).map((w) => `${i} ${w.kind}`)));
        for (const kind of names) assert.ok(play.seen.has(kind), play.at(`nobody has ${kind}`));
        const seconds = Math.round((performance.now() - begun) / 1000);
        t.diagnostic(`${lesson.name}: ${play.states} states, ${play.seen.size} mistakes, ${seconds} s`);
      } catch (e) {
        failed.push(e);
        t.diagnostic(`${lesson.name}: ${String(e.stack ?? e).slice(0, 1500)}`);
      } finally {
        await visit.close();
      }
    }
    if (failed.length) throw failed[0];
  });
}
