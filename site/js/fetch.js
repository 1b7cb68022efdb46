// What the scripts fetch beside the modules that the page names. Everything is held against the hash that the build
// gave it, since what arrives damaged would run otherwise; what was in doubt once is asked for past the browser's
// cache.

import config from './config.js';

/** The collection that this site was made of (publish.js writes it into every page), null for none and in a worker. */
export const own = JSON.parse(globalThis.document?.querySelector('meta[name=rankbox-own]')?.content ?? null);

const doubtful = new Set(); // asked for once, in vain

/** Tells the first script, guard.js, that it went wrong: what to say, and what to ask for anew before the page is
 * loaded again. */
export const failed = (sentence, url) =>
  dispatchEvent(new CustomEvent('rankbox-failed', { detail: { sentence, url } }));

// A tab that was open while the site was published anew asks for files that are there no longer.
async function newer() {
  try {
    const page = await (await fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(4000) })).text();
    return page.includes('/assets/') && !page.includes(new URL('.', import.meta.url).pathname);
  } catch {
    return false;
  }
}

const name = (url) => url.split('/').pop().replace(/\.[0-9a-f]{16}\./, '.');

/**
 * Fetches a program and compiles it while it arrives. The bytes pass through a counter on their way to the compiler:
 * tell(done, total) is
 * of bytes on the way, which is what people wait for, though a stream gives them decoded.
 */
export async function compile(program, tell, signal) {
  try {
    const answer = await fetch(program.url, { signal, cache: doubtful.has(program.url) ? 'reload' : 'default' });
    if (!answer.ok) {
      if (await newer()) throw new Error(
        'there is a new version of Rankbox, and this one is no longer there: reload the page, what you have opened comes back');
      throw new Error(`${name(program.url)}: status ${answer.status}`);
    }
    let done = 0;
    const total = program.brotli || program.bytes;
    const counter = new TransformStream({
      transform(chunk, controller) {
        done += chunk.byteLength;
        dispatchEvent(new Event('rankbox-progress'));
        tell(Math.round((done / program.bytes) * total), total);
        controller.enqueue(chunk);
      },
    });
    const [compiled, checked] = answer.body.pipeThrough(counter).tee();
    const [module, sum] = await Promise.all([
      WebAssembly.compileStreaming(new Response(compiled, { headers: { 'content-type': 'application/wasm' } })),
      digest(checked),
    ]).catch((e) => {
      throw e.name === 'CompileError' ? new Error(`${name(program.url)} arrived damaged`) : e;
    });
    if (sum && sum !== program.integrity) throw new Error(`${name(program.url)} arrived damaged`);
    return module;
  } catch (e) {
    doubtful.add(program.url);
    throw e;
  }
}

// The hash as Subresource Integrity writes it; '' where the browser has none to offer, as outside of https.
async function digest(stream) {
  const bytes = await new Response(stream).arrayBuffer();
  if (!globalThis.crypto?.subtle) return '';
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `sha256-${btoa(String.fromCharCode(...sum))}`;
}

/** Fetches a small file that one can do without, within a time. */
export async function small(url, integrity, ms) {
  const answer = await fetch(url, { integrity, signal: AbortSignal.timeout(ms) });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.arrayBuffer();
}

/** Checks a script beside this one before load, which imports it from the browser's cache; what fails is missed by
 * nobody who does not ask. */
export async function optional(script, load) {
  try {
    await small(new URL(script, import.meta.url), config.integrity[script], 8000);
    return await load();
  } catch (e) {
    console.info(`rankbox: ${script} is not used: ${e.message}`);
    return null;
  }
}
