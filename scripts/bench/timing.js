// How queries are timed. Runs in a worker of a page that is isolated from other origins, where the clock ticks every 5
// µs.

/**
 * Times search on every query and returns { best, passes }: for each query the median over the passes of what one call
 * took, in milliseconds. Calls
 * that are short for the clock are repeated and the time is divided.
 *
 *   search(i, n)   answers query i n times; may be a promise
 *   passes, budget at most so many passes over all queries, at least 3; no new one begins after so many milliseconds
 */
export async function time(search, count,
  { passes = 9, budget = 8000, shortest = 0.5, now = () => performance.now() } = {}) {
  const once = async (i, n) => {
    const start = now();
    const found = search(i, n);
    if (found?.then) await found;
    return (now() - start) / n;
  };
  const repeat = [];
  for (let i = 0; i < count; i++) await once(i, 1); // everything is compiled and every list was touched
  for (let i = 0; i < count; i++) repeat.push(Math.max(1, Math.ceil(shortest / Math.max(await once(i, 1), 0.001))));
  const all = Array.from({ length: count }, () => []);
  const start = now();
  let done = 0;
  while (done < passes && (done < 3 || now() - start < budget)) {
    for (let i = 0; i < count; i++) all[i].push(await once(i, repeat[i]));
    done++;
  }
  return { queries: all.map((times) => quantile(times, 0.5)), passes: done };
}

/** The p-quantile of some numbers, linear between neighbours; NaN of none. */
export function quantile(values, p) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * p;
  const low = Math.floor(at), high = Math.ceil(at);
  return sorted.length ? sorted[low] + (sorted[high] - sorted[low]) * (at - low) : NaN;
}
