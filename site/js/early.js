// Asks for the files that opening the collection needs while the program is still on its way, so that they are in the
// browser's cache when the worker wants them. Whatever goes wrong here is met again, and told, by the worker.

import config from './config.js';
import { of } from './screens.js';

const opening = ['cards', 'index', 'queries', 'qrels']; // bundle.Opening

async function ahead() {
  const wanted = new URLSearchParams(location.hash.slice(1)).get('c');
  const collection = wanted ? config.collections.find((c) => c.id === wanted) : config.collections[0];
  if (!collection || of(location).own) return;
  const manifest = await (await fetch(`${collection.base}manifest.json`, { priority: 'low' })).json();
  await Promise.all(
    manifest.files
      .filter((f) => opening.includes(f.role))
      .map(async (f) => (await fetch(collection.base + f.name, { priority: 'low' })).arrayBuffer()),
  );
}

ahead().catch(() => {});
