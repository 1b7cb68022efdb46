// Compiles every Vega-Lite specification of standard input, a JSON object by name, with the real compiler, and renders it with the real Vega: prints by name what was warned of, and how
// many marks and texts the drawing has.
import { compile } from 'vega-lite';
import * as vega from 'vega';

process.stdin.setEncoding('utf8');
let text = '';
for await (const chunk of process.stdin) text += chunk;
const out = {};
for (const [name, spec] of Object.entries(JSON.parse(text))) {
  const warnings = [];
  const logger = { level: () => logger, error: (...a) => (warnings.push(a.join(' ')), logger), warn: (...a) => (warnings.push(a.join(' ')), logger), info: () => logger, debug: () => logger };
  const compiled = compile(spec, { logger }).spec;
  const view = new vega.View(vega.parse(compiled), { renderer: 'none', logger });
  const svg = await view.toSVG();
  view.finalize();
  out[name] = { warnings, paths: (svg.match(/<(path|line|rect)\b/g) || []).length, texts: [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((m) => m[1]), svg };
}
process.stdout.write(JSON.stringify(out));
