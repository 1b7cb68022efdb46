// The first script, and the only one that is no module: it watches the others arrive. A module that is missing, damaged
// or slow leaves no trace on the page otherwise, since what would say so is in the modules. It needs none of them, and
// none of them needs it: they tell it by events of the window, "rankbox-progress" when bytes have come and
// "rankbox-failed" with a sentence, and ask by "rankbox-files" what was dropped before; it tells them by
// "rankbox-reload" that the page is about to be loaded anew, which waits for the promises that they leave there.
//
// What was typed is kept over that, in this tab.
(() => {
  'use strict';
  const patience = 6000; // ms without a byte before that is said
  const root = document.documentElement;
  // what the page was rendered with is not what such a link holds: site/css/evaluate.css puts it away until the program
  // is there
  if (location.hash.startsWith('#runs=')) root.dataset.linked = '';
  const typed = 'rankbox typed';
  const live = () => root.dataset.live === 'true';
  let last = performance.now(); // when something came
  let box = null;
  let leaving = false; // the page is about to be loaded anew, which shows what is still missing
  const refetch = new Set(); // what *Try again* fetches anew, past the cache

  function say(sentence, urgent) {
    if (!document.body) return void addEventListener('DOMContentLoaded', () => say(sentence, urgent));
    if (leaving || (box?.dataset.urgent && !urgent)) return;
    if (!box) {
      box = document.createElement('div');
      box.id = 'trouble';
      box.setAttribute('role', 'alert');
      const button = document.createElement('button'); // one for whatever is said, so that it keeps the focus
      button.type = 'button';
      button.textContent = 'Try again';
      button.addEventListener('click', () => again(button));
      box.append(document.createElement('p'), button);
    }
    if (urgent) box.dataset.urgent = 'true';
    const text = box.firstChild;
    if (text.textContent !== sentence) text.textContent = sentence; // a screen reader says it once
    if (!box.isConnected) document.body.prepend(box);
  }

  const needed = (url) => [...document.querySelectorAll(
    'script[src], link[rel=modulepreload], link[rel=stylesheet]')].some((e) => (e.src || e.href) === url);
  const named = (url) => decodeURIComponent(new URL(url, location.href).pathname.split('/').pop());

  function missing(url, why) {
    refetch.add(url);
    const [what, so] = /\.css$/.test(url)
      ? ['What the page looks like', 'It works without it.']
      : ['A part of the page', 'You can read this page; searching needs the rest.'];
    say(`${what} could not be loaded (${named(url)}${why}). ${so}`, true);
  }

  async function again(button) {
    leaving = true;
    keep();
    button.disabled = true;
    button.textContent = 'Trying …';
    for (const e of document.querySelectorAll(
      'script[src], link[rel=modulepreload], link[rel=stylesheet]')) refetch.add(e.src || e.href);
    const patient = AbortSignal.timeout(20_000);
    const one = (url) => fetch(url, { cache: 'reload', signal: patient })
      .then((answer) => answer.arrayBuffer().then(() => answer.ok));
    // the damage may be in the page itself, whose tag is still right
    const page = one(location.pathname + location.search).catch(() => false);
    const waits = [...refetch].map(one);
    dispatchEvent(new CustomEvent('rankbox-reload', { detail: waits }));
    // storage that never answers is waited for no longer than the server
    await Promise.race([Promise.allSettled(waits), new Promise((resolve) => setTimeout(resolve, 20_000))]);
    if ((await page) || kept()) return location.reload();
    leaving = button.disabled = false; // what is here would go, and a page of the browser come
    button.textContent = 'Try again';
    button.focus();
    say('The server did not answer, so the page was not reloaded. Nothing here is lost. Try again later.', true);
  }

  // The service worker has the page where the server does not answer.
  function kept() {
    try {
      return Boolean(navigator.serviceWorker?.controller);
    } catch {
      return false;
    }
  }

  // Faults of this site's own files: what could not be fetched, what was fetched and is something else.
  addEventListener('error', ({ target, filename }) => {
    if (target instanceof HTMLScriptElement || target instanceof HTMLLinkElement) {
      if (!target.rel || /^(modulepreload|stylesheet)$/.test(target.rel)) missing(target.src || target.href, '');
    } else if (!live() && filename?.startsWith(location.origin)) missing(filename, ' is damaged');
  }, true);
  addEventListener('rankbox-progress', () => (last = performance.now()));
  addEventListener('rankbox-failed', ({ detail }) => {
    if (detail.url) refetch.add(new URL(detail.url, location.href).href);
    say(detail.sentence, true);
  });
  new PerformanceObserver((list) => {
    for (const { name, responseStatus } of list.getEntries()) {
      last = performance.now();
      if (responseStatus >= 400 && needed(name)) missing(name, `: status ${responseStatus}`);
    }
  }).observe({ type: 'resource', buffered: true });

  // What failed before this script ran has left nothing but its absence.
  const absent = () => {
    for (const link of document.querySelectorAll('link[rel=stylesheet]')) if (!link.sheet) missing(link.href, '');
    const script = document.querySelector('script[type=module][src]');
    if (script && !root.dataset.begun && !box?.dataset.urgent) missing(script.src, '');
  };
  if (document.readyState === 'complete') absent();
  else addEventListener('load', absent);

  const watch = setInterval(() => {
    if (live() || root.dataset.over) return clearInterval(watch);
    if (performance.now() - last < patience) return;
    for (const link of document.querySelectorAll('link[rel=stylesheet]')) {
      if (link.sheet) continue;
      missing(link.href, ' has not come'); // and everything waits for it
      link.remove();
      last = performance.now();
      return;
    }
    say(`The server has sent nothing for ${patience / 1000} seconds. You can read this page; searching needs the rest.`);
  }, 500);

  // A file that is dropped before files.js takes it would have the browser leave the page and open it.
  let early = [];
  for (const type of ['dragover', 'drop']) addEventListener(type, (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    if (type === 'drop' && early) early.push(...event.dataTransfer.files);
  });
  addEventListener('rankbox-files', ({ detail }) => {
    detail.push(...(early ?? []));
    early = null;
  });

  // What was typed into the page while it was not alive.
  const fields = 'input[id]:not([type=file]), textarea[id], select[id]';
  function keep() {
    const values = [...document.querySelectorAll(fields)].map((e) => [e.id, e.value]);
    try {
      sessionStorage.setItem(typed, JSON.stringify({ path: location.pathname, values }));
    } catch {} // a browser that keeps nothing
  }
  addEventListener('input', () => live() || keep(), true);

  function restore() {
    let before = null;
    try {
      before = JSON.parse(sessionStorage.getItem(typed));
    } catch {}
    if (before?.path !== location.pathname || live()) return;
    for (const [id, value] of before.values) {
      const field = document.getElementById(id);
      if (field?.matches(fields) && field.value === field.defaultValue) field.value = value;
    }
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', restore);
  else restore();

  new MutationObserver((_, observer) => {
    if (!live()) return;
    observer.disconnect();
    if (!box?.dataset.urgent) box?.remove();
    try {
      sessionStorage.removeItem(typed);
    } catch {}
  }).observe(root, { attributes: true, attributeFilter: ['data-live'] });
})();
