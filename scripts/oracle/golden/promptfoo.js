// A provider of promptfoo without a model: it returns the three documents of the help centre that have most words of
// the query. promptfooconfig.yaml of core/intake/golden/testdata names it, and promptfoo writes promptfoo-results.json and
// .jsonl:
//   npm install promptfoo@0.123.1 node@22 in a folder of its own, then in core/intake/golden/testdata, without telemetry
//   (PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1) and with PROMPTFOO_CONFIG_DIR set to an empty folder:
//   promptfoo eval --no-cache --no-share --no-table -o promptfoo-results.json -o promptfoo-results.jsonl
const fs = require('node:fs');
const path = require('node:path');
const docs = path.join(__dirname, '../../../core/intake/golden/testdata/docs');

module.exports = class {
  id() {
    return 'help-centre';
  }

  async callApi(prompt) {
    const words = prompt.toLowerCase().split(/\W+/);
    const ranked = fs.readdirSync(docs).map((id) => {
      const text = fs.readFileSync(path.join(docs, id), 'utf8');
      return { id, score: words.filter((w) => text.toLowerCase().includes(w)).length, text };
    });
    ranked.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    return { output: ranked.filter((d) => d.score > 0).slice(0, 3) };
  }
};
