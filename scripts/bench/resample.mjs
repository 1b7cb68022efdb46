// Writes synthetic collections of FiQA's and TREC-COVID's size and a recipe for each, for figures of opening them in a
// tab (docs/collections.md): sentences of SciFact and Cranfield are drawn with a seed, and every 30th word is made up,
// so that the vocabulary grows with the text as it does in real collections.
//
//     node scripts/bench/resample.mjs DATA OUT ORIGIN [NAME …]
//
// DATA is a folder with scifact/ and cranfield/ in BEIR's layout. OUT gets NAME.recipe and NAME/ with the files that
// the recipe says are at ORIGIN/NAME/.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

// documents, words in the mean document, queries and judgments of the collections of these sizes
const sizes = {
  'fiqa-size': { title: 'As large as FiQA', documents: 57_638, words: 130, queries: 648, judgments: 1_706 },
  'trec-covid-size': {
    title: 'As large as TREC-COVID', documents: 171_332, words: 160, queries: 50, judgments: 66_336,
  },
};
const [data, out, origin, ...names] = process.argv.slice(2);
if (!origin) throw new Error('usage: node scripts/bench/resample.mjs DATA OUT ORIGIN [NAME …]');

/** Mulberry32: numbers of [0, 1) from a seed. */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const consonants = 'bcdfghklmnprstvz', vowels = 'aeiou';
/** The made-up word of a number: a syllable for each digit to base 80, four at least. */
function word(n) {
  let text = '';
  for (let i = 0; i < 4 || n > 0; i++, n = Math.floor(n / 80)) {
    text += consonants[n % 16] + vowels[Math.floor(n / 16) % 5];
  }
  return text;
}

const sentences = [];
for (const from of ['scifact', 'cranfield']) {
  for (const line of (await readFile(join(data, from, 'corpus.jsonl'), 'utf8')).split('\n')) {
    if (!line) continue;
    for (const s of JSON.parse(line).text.split(/(?<=\.) +/)) {
      const words = s.split(/\s+/).filter(Boolean);
      if (words.length >= 5 && words.length <= 60) sentences.push(words);
    }
  }
}

for (const name of names.length > 0 ? names : Object.keys(sizes)) {
  const size = sizes[name];
  const next = random(33);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const rare = () => word(Math.floor(size.documents ** next() * 4)); // Zipf: the logarithm of its number is uniform
  const drawn = () => pick(sentences).map((w) => (next() < 1 / 30 ? rare() : w));
  const documents = [];
  const lines = [];
  for (let i = 0; i < size.documents; i++) {
    // the normal distribution, roughly: the sum of four
    const z = (next() + next() + next() + next() - 2) * 1.73;
    const length = Math.round((size.words - 8) * Math.exp(0.6 * z - 0.18));
    const title = drawn().slice(0, 8).join(' ');
    const text = [];
    do text.push(...drawn()); while (text.length < length - 10);
    documents.push(text);
    lines.push(JSON.stringify({ _id: `d${i}`, title, text: text.join(' ') }), '\n');
  }
  const queries = [];
  const judged = [];
  for (let q = 0; q < size.queries; q++) {
    const of = Math.floor(next() * size.documents);
    const at = Math.floor(next() * Math.max(1, documents[of].length - 8));
    queries.push(`q${q}\t${documents[of].slice(at, at + 5 + Math.floor(next() * 5)).join(' ').replace(/\t/g, ' ')}\n`);
    const n = Math.floor(((q + 1) * size.judgments) / size.queries) - Math.floor((q * size.judgments) / size.queries);
    const documentsOf = new Set([of]);
    while (documentsOf.size < n) documentsOf.add(Math.floor(next() * size.documents));
    for (const d of documentsOf) judged.push(`q${q} 0 d${d} ${d === of ? 2 : Number(next() < 0.4)}\n`);
  }
  const files = { 'docs.jsonl': lines.join(''), 'queries.tsv': queries.join(''), 'qrels.txt': judged.join('') };
  await mkdir(join(out, name), { recursive: true });
  const said = [];
  for (const [file, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    await writeFile(join(out, name, file), bytes);
    const sum = createHash('md5').update(bytes).digest('hex');
    said.push(`file: ${file} ${bytes.length} ${sum} ${origin}/${name}/${file}`);
  }
  await writeFile(join(out, `${name}.recipe`), `name: ${name}
title: ${size.title}
sentence: Sentences of SciFact and Cranfield, drawn with a seed.
domain: synthetic
language: en
analyzer: lucene-english
layout: parts
${said.join('\n')}
documents-in: docs.jsonl
queries-in: queries.tsv
judgments-in: qrels.txt
documents: ${size.documents}
split: test ${size.queries} ${judged.length}
licence: CC BY 4.0, ODC-By 1.0
licence-source: the recipe of SciFact
citation: none
judged: nobody judged it
`);
  const words = documents.reduce((n, d) => n + d.length, 0);
  console.log(`${name}: ${size.documents} documents, ${(words / size.documents).toFixed(1)} words in the mean, ` +
    `${files['docs.jsonl'].length} bytes, ${judged.length} judgments`);
}
