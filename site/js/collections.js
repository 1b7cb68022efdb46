// Marks, among the links to the site's collections, the one that is open. Only pages of a site that has several load it.

import config from './config.js';

const of = (hash) => new URLSearchParams(hash.slice(1)).get('c') ?? config.collections[0].id;

function mark() {
  for (const a of document.querySelectorAll('nav.collections a')) {
    if (of(a.hash) === of(location.hash)) a.setAttribute('aria-current', 'true');
    else a.removeAttribute('aria-current');
  }
}

addEventListener('popstate', mark);
addEventListener('hashchange', mark);
globalThis.navigation?.addEventListener('currententrychange', mark);
mark();
