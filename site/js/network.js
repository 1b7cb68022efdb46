// A model's own network for typed queries, as the search engine has it: in a worker of its own, so that neither the
// page nor a search waits for one that is being loaded. Nothing of it is fetched before somebody asks.

import config from './config.js';
import { small } from './fetch.js';

const policy = globalThis.trustedTypes?.createPolicy('rankbox', {
  createScriptURL: (url) => {
    const u = new URL(url, location.origin);
    if (u.origin !== location.origin || !u.pathname.startsWith('/assets/')) throw new TypeError(
      `not a script of this site: ${url}`);
    return u.href;
  },
});

/**
 * Starts a worker that holds one network. load(source, tell) takes {file} or {url, bytes, sum, kept}, says tell(what,
 * done, total), and settles when the
 * network can be run; run(ids) gives {name, shape, data} for the ids of one text's tokens; stop() ends it.
 */
export async function start() {
  const url = new URL('./inference.js', import.meta.url).href;
  await small(url, config.integrity['inference.js'], 8000);
  const worker = new Worker(policy ? policy.createScriptURL(url) : url, { type: 'module', name: 'rankbox network' });
  const asked = new Map(); // number → {resolve, reject, tell}
  let next = 0;
  const end = (message) => {
    worker.terminate();
    for (const { reject } of asked.values()) reject(new Error(message));
    asked.clear();
  };
  worker.onmessage = ({ data }) => {
    const a = asked.get(data.id);
    if (!a) return;
    if (data.progress) return a.tell?.(...data.progress);
    asked.delete(data.id);
    if (data.problem) a.reject(new Error(data.problem));
    else a.resolve(data.answer);
  };
  worker.onerror = (e) => {
    e.preventDefault();
    end(e.message || 'its worker could not be started');
  };
  const ask = (message, tell) =>
    new Promise((resolve, reject) => {
      const id = ++next;
      asked.set(id, { resolve, reject, tell });
      worker.postMessage({ id, ...message });
    });
  return { load: (source, tell) => ask({ load: source }, tell), run: (ids) => ask({ run: ids }),
    stop: () => end('it was stopped') };
}
