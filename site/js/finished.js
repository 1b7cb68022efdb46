// Until the program is there, judged queries answer from lists that were rendered beforehand, for the systems that the
// page shows at first: whoever opens a link or chooses a query has the rankings at once. A list stands in front of the
// page and goes when the program's own is there. It is markup that the build made from the page's components, and is
// read as a document of its own, in which nothing runs.

import config from './config.js';
import { of } from './screens.js';

const live = () => document.documentElement.dataset.live === 'true';
let shown = null; // the list on the page
let wanted = ''; // the query that was asked for last

/** The judged query of the first collection that an address opens, '' where it says more than that. */
function queryOf({ pathname, hash }) {
  const said = new URLSearchParams(hash.slice(1));
  if (of({ pathname, hash }).name !== 'search') return '';
  if (said.has('c') && said.get('c') !== config.collections[0]?.id) return '';
  for (const [name] of said) if (!['v', 'page', 'c', 'h', 's', 'qid', 'x'].includes(name)) return '';
  return /^[\w-]+$/.test(said.get('qid') ?? '') ? said.get('qid') : '';
}

const lists = {}; // by query, each a promise of its document's element
const fetched = (id) => (lists[id] ??= fetchList(id).catch((e) => {
  delete lists[id]; // asked for again the next time
  throw e;
}));

const fetchList = (id) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest();
  request.open('GET', new URL(`../lists/${id}.txt`, import.meta.url));
  request.overrideMimeType('text/html; charset=utf-8');
  request.responseType = 'document';
  request.onload = () => (request.status === 200 ? resolve(request.response.getElementById('finished')) :
    reject(new Error(`status ${request.status}`)));
  request.onerror = () => reject(new Error('the network'));
  request.send();
});

async function show(id, { hash = '' } = {}) {
  wanted = id;
  const list = document.importNode(await fetched(id), true);
  const systems = new URLSearchParams(hash.slice(1)).getAll('s');
  const other = systems.length > 0 && systems.join('\n') !== list.dataset.systems;
  if (wanted !== id || live() || other) return;
  lift();
  shown = list;
  put();
  const page = document.getElementById('page');
  page.classList.remove('screen-home');
  page.classList.add('screen-search');
  const box = document.getElementById('q'), judged = document.getElementById('judged');
  if (judged) judged.value = id;
  if (box) box.value = list.dataset.query;
  if (!hash) history.pushState(null, '', list.dataset.link);
  scrollTo(0, 0);
  performance.mark('rankbox-finished');
  new MutationObserver((_, seen) => {
    const page = document.getElementById('page');
    if (page.dataset.shows !== wanted && page.dataset.phase !== 'failed' &&
      (page.classList.contains('screen-search') || !live())) return;
    seen.disconnect();
    lift();
    shown = null;
    delete document.documentElement.dataset.finished;
  }).observe(page, { childList: true, subtree: true, attributes: true,
    attributeFilter: ['class', 'data-phase', 'data-shows'] });
}

/** Takes the list off the page, while the program looks at what is there. */
export function lift() {
  shown?.remove();
}

/** Puts it back. */
export function put() {
  if (!shown) return;
  document.documentElement.dataset.finished = 'true';
  const ask = document.querySelector('#main > .search > .ask');
  if (ask) ask.after(shown);
  else document.getElementById('main').prepend(shown);
}

const quietly = (e) => console.info(`rankbox: no finished list: ${e.message}`);
const open = (id, where) => id && show(id, where).catch(quietly);

/** The judged query that a link opens. */
const linked = (link) => (link && link.target !== '_blank' ? queryOf(new URL(link.href, location.href)) : '');

// The lists that are one click away, before the click: three or four kilobytes each, and a round trip saved. Where the
// service worker has the page, it has the program too, which is there sooner; and there may be no network.
const near = 3;
const ahead = (id) => id && !live() && fetched(id).catch(quietly);

if (!live()) {
  open(queryOf(location), location);
  const links = [...document.querySelectorAll('#main a[href*="qid="]')].filter((a) => a.checkVisibility?.() ?? true);
  if (!navigator.serviceWorker?.controller) for (const id of [...new Set(links.map(linked))].slice(0, near)) ahead(id);
  for (const kind of ['pointerover', 'focusin', 'touchstart']) addEventListener(kind,
    ({ target }) => ahead(linked(target.closest?.('a[href]'))), { passive: true });
  addEventListener('click', (event) => {
    if (live() || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const tab = event.target.closest?.('#finished .tab');
    if (tab) {
      const columns = shown.querySelector('.columns');
      columns.scrollTo({ left: columns.clientWidth * [...tab.parentElement.children].indexOf(tab) });
    }
    const judged = document.getElementById('judged');
    const step = { previous: -1, next: 1 }[event.target.id];
    if (step && judged) {
      const options = [...judged.options].filter((o) => o.value);
      const at = options.findIndex((o) => o.selected);
      open(options[(at + step + options.length) % options.length]?.value);
    }
    const id = linked(event.target.closest?.('a[href]'));
    if (!id) return;
    event.preventDefault();
    open(id);
  }, true);
  addEventListener('change', ({ target }) => !live() && target.id === 'judged' && open(target.value), true);
}
