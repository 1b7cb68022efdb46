// The search libraries that Rankbox is measured beside, each set up as its own documentation advises for English text:
// stemming and stop words where it offers them, any word of the query may match. Runs in a worker.
//
// A peer is { name, version, settings, open(docs) }, loaded by peers[id](). open indexes [{ id, title, text }], which
// is timed, and returns { search(text) → ids of the best 100, bytes() → the index as one would store it }; both may be
// promises.

const best = 100;
const npm = '/node_modules/';
const version = async (name) => (await (await fetch(`${npm}${name}/package.json`)).json()).version;
const encode = (text) => new TextEncoder().encode(text);

/** Lucene's English stop words, which Rankbox's analyzer drops too, for the libraries that bring none. */
const stopWords = new Set(
  ('a an and are as at be but by for if in into is it no not of on or such that the their then there these they ' +
  'this to was will with').split(' '));

async function miniSearch(processTerm, settings) {
  const { default: MiniSearch } = await import(`${npm}minisearch/dist/es/index.js`);
  return {
    name: 'MiniSearch',
    version: await version('minisearch'),
    settings,
    open(docs) {
      const index = new MiniSearch({ fields: ['title', 'text'], ...(processTerm && { processTerm }) });
      index.addAll(docs);
      return {
        search: (text) => index.search(text).slice(0, best).map((hit) => hit.id),
        bytes: () => encode(JSON.stringify(index)),
      };
    },
  };
}

async function flexSearch(context) {
  const { Index, Encoder, Charset } = await import(`${npm}flexsearch/dist/flexsearch.bundle.module.min.mjs`);
  const { default: english } = await import(`${npm}flexsearch/dist/module/lang/en.js`);
  return {
    name: 'FlexSearch',
    version: await version('flexsearch'),
    settings: `English preset (stems, stop words), suggest${context ? ', context' : ''}; title and text as one`,
    open(docs) {
      const index = new Index({ tokenize: 'strict', encoder: new Encoder(Charset.Normalize, english),
        ...(context && { context: true }) });
      const ids = docs.map((doc, i) => {
        index.add(i, `${doc.title} ${doc.text}`); // it advises numbers as ids
        return doc.id;
      });
      return {
        search: (text) => index.search(text, { limit: best, suggest: true }).map((i) => ids[i]),
        async bytes() {
          const parts = [];
          await index.export((key, data) => {
            if (data) parts.push([key, data]);
          });
          return encode(JSON.stringify(parts));
        },
      };
    },
  };
}

async function orama() {
  const { create, insertMultiple, save, search } = await import(`${npm}@orama/orama/dist/browser/index.js`);
  const { stopwords } = await import(`${npm}@orama/stopwords/dist/en.js`);
  return {
    name: 'Orama',
    version: await version('@orama/orama'),
    settings: 'its English stemmer and stop words',
    async open(docs) {
      const db = create({
        schema: { title: 'string', text: 'string' },
        components: { tokenizer: { language: 'english', stemming: true, stopWords: stopwords } },
        sort: { enabled: false },
      });
      await insertMultiple(db, docs.map(({ id, title, text }) => ({ id, title, text })), docs.length);
      const ids = (found) => found.hits.map((hit) => hit.id);
      return {
        search(term) {
          const found = search(db, { term, limit: best });
          return found.then ? found.then(ids) : ids(found);
        },
        bytes() {
          const { docs: texts, ...index } = save(db); // it keeps the texts in its index; the others do not
          return encode(JSON.stringify(index));
        },
      };
    },
  };
}

async function lunr() {
  globalThis.importScripts(`${npm}lunr/lunr.js`);
  const { lunr } = globalThis;
  return {
    name: 'lunr',
    version: await version('lunr'),
    settings: 'its own pipeline (trimmer, stop words, stemmer)',
    open(docs) {
      const index = lunr(function () {
        this.ref('id');
        this.field('title');
        this.field('text');
        for (const doc of docs) this.add(doc);
      });
      return {
        // free text goes past the parser, to which - and : are operators
        search: (text) => index.query((q) => q.term(lunr.tokenizer(text))).slice(0, best).map((hit) => hit.ref),
        bytes: () => encode(JSON.stringify(index)),
      };
    },
  };
}

async function sqlite() {
  const { default: init } = await import(`${npm}@sqlite.org/sqlite-wasm/index.mjs`);
  const sqlite3 = await init();
  return {
    name: 'SQLite FTS5',
    version: await version('@sqlite.org/sqlite-wasm'),
    settings: "tokenize='porter unicode61', contentless, words joined by OR, order by bm25()",
    open(docs) {
      const db = new sqlite3.oo1.DB(':memory:');
      db.exec("CREATE VIRTUAL TABLE docs USING fts5(title, text, tokenize='porter unicode61', content='')");
      const insert = db.prepare('INSERT INTO docs(rowid, title, text) VALUES (?, ?, ?)');
      db.exec('BEGIN');
      const ids = docs.map((doc, i) => {
        insert.bind([i + 1, doc.title, doc.text]).stepReset();
        return doc.id;
      });
      db.exec("COMMIT; INSERT INTO docs(docs) VALUES ('optimize')");
      insert.finalize();
      const select = db.prepare(`SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY bm25(docs) LIMIT ${best}`);
      return {
        search(text) {
          const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
          const out = [];
          select.bind([...words].map((word) => `"${word}"`).join(' OR '));
          while (select.step()) out.push(ids[select.getInt(0) - 1]);
          select.reset();
          return out;
        },
        bytes: () => sqlite3.capi.sqlite3_js_db_export(db),
      };
    },
  };
}

export const peers = {
  minisearch: () => miniSearch(null, 'as it comes: no stemming, no stop words'),
  async 'minisearch-stems'() {
    const { stemmer } = await import(`${npm}stemmer/index.js`);
    const processTerm = (term) => {
      const word = term.toLowerCase();
      return stopWords.has(word) ? null : stemmer(word);
    };
    return miniSearch(processTerm, `processTerm: stop words and Porter (stemmer ${await version('stemmer')})`);
  },
  flexsearch: () => flexSearch(false),
  'flexsearch-context': () => flexSearch(true),
  orama,
  lunr,
  sqlite,
};
