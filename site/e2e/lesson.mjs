// Playing a lesson: the way to the goal of each figure, and dragging with a finger.
import assert from 'node:assert/strict';

// How each figure is taken to its goal by keyboard: sliders by arrow keys, buttons by Enter.
export const ways = {
  relevant: [['k', 9]],
  ap: ['add-8', 'down-1', 'down-4'],
  curves: ['stroke-1', ['rank', 10]],
  ndcg: ['add-10', 'down-6', 'down-5', 'down-4', 'down-1', 'down-1', 'down-1', 'down-1', 'down-2'],
  cutoffs: [['k', 9], 'pair-2'],
  ties: ['worst', 'best'],
  pools: [['depth', 9], 'in2-1'],
  judges: ['grade3-3', 'grade10-2'],
  users: [['rank', -3], ['p', 4]],
  means: [['query', 31], ['value', 1]],
  lucky: [['n', 11], 'pair-3'],
  postings: [['every', 1], 'skip', 'skip',
    'step1', 'step2', 'step2', 'step1', 'step1', 'step1', 'step1', 'step1', 'step2',
    'step2', 'skip', 'step1', 'step2'],
  weights: ['tf-2', 'idf-1', 'length-1'],
  why: [['k1', -9]],
  fusion: [['weight', 7], 'k-0', ['depth', 5]],
  dense: ['lists-3', ['probes', 5]],
  expansion: [['docs', -7], ['original', 2]],
  answers: ['in2-in', 'in3-in', 'in4-in', 'in7-in', 'in1-out', 'in6-out', 'in8-out'],
};

/** Takes the figure of a lesson, on its page or on the slide on show, to its goal by keys. */
export async function byKeys(page, name) {
  for (const [i, step] of ways[name].entries()) {
    const [id, by] = typeof step === 'string' ? [step, 0] : step;
    const handle = page.locator(`.fig [id^="fig-${name}-"][id$="-${id}"]`);
    if (step !== ways[name][i - 1]) await handle.focus(); // a button that moves its document keeps the focus
    if (!by) await page.keyboard.press('Enter');
    for (let n = 0; n < Math.abs(by); n++) await page.keyboard.press(by > 0 ? 'ArrowRight' : 'ArrowLeft');
  }
}

/** Touches a page with one finger: begin, go and end take points of the window. */
async function finger(visit) {
  const cdp = await visit.context.newCDPSession(visit.page);
  const touch = (type, at) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
  return {
    begin: (at) => touch('touchStart', at),
    go: (at) => touch('touchMove', at),
    end: async () => {
      await touch('touchEnd');
      await cdp.detach();
    },
  };
}

const middle = async (locator) => {
  const { x, y, width, height } = await locator.boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
};

/** Drags a row of a list (a locator of ol.hand) to another place with a finger, from 0. */
export async function dragRow(visit, list, from, to) {
  if (from === to) return;
  const { page } = visit;
  // the goal stays at the top of the window, over the first rows of a long list
  await list.locator('> [data-row]').nth(from).evaluate((row) => row.scrollIntoView({ block: 'center' }));
  // where a row comes to rest, not where it slides at the moment; at the middle itself half a pixel decides
  const rest = () => list.evaluate((l, row) => {
    const li = l.querySelectorAll(':scope > [data-row]')[row];
    return l.getBoundingClientRect().top + li.offsetTop + li.offsetHeight / 2 + 6;
  }, to);
  const at = await middle(list.locator('> [data-row]').nth(from).locator('.grip'));
  const { begin, go, end } = await finger(visit);
  await begin(at);
  for (let i = 1; i <= 6; i++) await go({ x: at.x, y: at.y + ((await rest()) - at.y) * (i / 6) });
  for (let i = 0; i < 3; i++) { // rows grow as they move; a finger follows
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
    await go({ x: at.x, y: (await rest()) + i / 10 });
  }
  await end();
}

/** Moves a slider (a locator of an input) by a finger to one of its ends, and asserts that it has moved. */
export async function slide(visit, slider) {
  await slider.evaluate((e) => e.scrollIntoView({ block: 'center' }));
  const { x, y, width, height } = await slider.boundingBox();
  const { share, value } = await slider.evaluate((e) => ({
    share: (e.value - e.min) / (e.max - e.min),
    value: e.value,
  }));
  const place = (s) => ({ x: x + 10 + (width - 20) * s, y: y + height / 2 });
  const to = share > 0.5 ? 0 : 1;
  const { begin, go, end } = await finger(visit);
  await begin(place(share));
  for (let i = 1; i <= 5; i++) await go(place(share + ((to - share) * i) / 5));
  await end();
  assert.notEqual(await slider.inputValue(), value, `${await slider.getAttribute('id')} does not follow a finger`);
}
