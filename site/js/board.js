// The figures of a comparison's link, until the program with every screen is there. A smaller one computes them.

import config from './config.js';
import { compile } from './fetch.js';
import { instantiate } from './program.js';

const page = document.getElementById('page');
let shown = null;

/** Takes the board off the page, while the program looks at what is there. */
export const lift = () => shown?.remove();

/** Puts it back. */
export const put = () => shown && document.getElementById('main').prepend(shown);

const add = (to, name, text = '') => {
  const e = to.appendChild(document.createElement(name));
  e.textContent = text;
  return e;
};

/** Fetches the program, and starts it. */
export async function open() {
  const link = location.hash;
  const module = await compile(config.board, () => {});
  globalThis.rankbox.board = (finding, head, rows) => {
    if (location.hash !== link || page.dataset.report) return;
    shown = document.createElement('section');
    shown.id = 'link-board';
    add(shown, 'h1', finding);
    const said = 'These are the finished figures of the link, means with 95 % intervals.';
    add(shown, 'p', `${said} The page to explore them is loading.`);
    const scroll = add(shown, 'div');
    scroll.className = 'scroll';
    scroll.tabIndex = 0;
    const table = add(scroll, 'table');
    const top = add(add(table, 'thead'), 'tr');
    for (const name of head) add(top, 'th', name).scope = 'col';
    const body = add(table, 'tbody');
    for (const [name, ...values] of rows) {
      const row = add(body, 'tr');
      add(row, 'th', name).scope = 'row';
      for (const value of values) add(row, 'td', value);
    }
    put();
    performance.mark('rankbox-board');
    new MutationObserver((_, seen) => {
      if (!page.dataset.report && page.dataset.phase !== 'failed' && page.classList.contains('screen-compare')) return;
      seen.disconnect();
      lift();
      shown = null;
    }).observe(page, { attributes: true, attributeFilter: ['class', 'data-phase', 'data-report'] });
  };
  instantiate(module, {}, ['board']).catch((e) => console.info(`rankbox: no board: ${e.message}`));
}
