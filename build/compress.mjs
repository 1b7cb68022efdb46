// Compresses files for `go run ./build`. Standard input is a JSON array of {file, key}; for each, key.br and key.gz are
// written into the folder given as the first argument unless they are there. The second argument is the brotli quality.
import { createHash } from "node:crypto";
import { access, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const [folder, quality] = [process.argv[2], Number(process.argv[3])];
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const jobs = JSON.parse(Buffer.concat(chunks).toString("utf8"));

const exists = (path) => access(path).then(() => true, () => false);

// A file is named only when it is whole, so an interrupted run leaves nothing wrong behind.
async function save(path, data) {
  const partial = `${path}.${process.pid}.${createHash("sha256").update(path).digest("hex").slice(0, 8)}`;
  await writeFile(partial, data);
  await rename(partial, path);
}

// What the programs are compressed with, as [window, direct distances]. The first program's bytes are a budget: a
// window of 24 bits makes it 0.1 % larger, and so does no direct distance.
const settings = (data, quality) => (quality === 11 && data.length > 4 << 20 && data.length < 8 << 20 ? [22, 4] :
  [24, 0]);

async function compress({ file, key }) {
  const br = join(folder, `${key}.br`);
  const gz = join(folder, `${key}.gz`);
  if ((await exists(br)) && (await exists(gz))) return;
  const data = await readFile(file);
  const [window, direct] = settings(data, quality);
  await Promise.all([
    promisify(brotliCompress)(data, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_LGWIN]: window,
        [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
        [constants.BROTLI_PARAM_NDIRECT]: direct,
      },
    }).then((b) => save(br, b)),
    promisify(gzip)(data, { level: quality > 9 ? 9 : 6 }).then((b) => save(gz, b)),
  ]);
}

let next = 0;
const lanes = Array.from({ length: 4 }, async () => {
  while (next < jobs.length) await compress(jobs[next++]);
});
await Promise.all(lanes);
