// How two browsers cut the sentences of sentences.txt into words with Intl.Segmenter:
// node scripts/oracle/cjk/segmenter.mjs, with Firefox installed; CHROMIUM names Chromium.
// docs/adr/0013-no-segmenter.md has the result.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';
import { engines } from '../../../site/e2e/engines.mjs';

const sentences = (await readFile(new URL('sentences.txt', import.meta.url), 'utf8')).split('\n').filter(Boolean);

/** Runs in a browser: the language of each sentence, and its words. */
const cut = (list) => list.map((text) => {
  const language = /[\u3040-\u30ff]/.test(text) ? 'ja' : /[\uac00-\ud7a3]/.test(text) ? 'ko' : 'zh';
  const parts = [...new Intl.Segmenter(language, { granularity: 'word' }).segment(text)];
  return { language, words: parts.filter((p) => p.isWordLike).map((p) => p.segment).join(' ') };
});

const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' })
  .end('<!doctype html><title>words</title>'));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}/`;
const one = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await one.newPage();
await page.goto(origin);
const first = await page.evaluate(cut, sentences);
const other = await engines.Firefox();
if (!other) throw new Error('Firefox is not installed');
await other.open(origin);
const second = await other.run(cut, sentences);
console.log(`Chromium ${one.version()}, ${other.version}`);
for (const language of ['zh', 'ja', 'ko']) {
  const at = first.flatMap((f, i) => (f.language === language ? [i] : []));
  const differ = at.filter((i) => first[i].words !== second[i].words).length;
  console.log(`${language}: ${differ} of ${at.length} sentences differ`);
}
await one.close();
await other.end();
server.close();
