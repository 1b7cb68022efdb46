"""Distils the reference figures into core/internal/shared/testdata, so that a clone without them tests nearly everything.

    python scripts/oracle/distil/distil.py SHARED RANDOM-RUNS

SHARED is the folder that $RANKBOX_SHARED names, RANDOM-RUNS what measures/random_runs.py wrote. Files keep their names below SHARED and are
packed with bzip2, or gzip where that is smaller; no figure is computed or rounded here. Of large sets that are made of independent cases every
nth is kept, and which is said in KEPT. Of the runs over whole collections every 20th query is kept, with all that the tools say of it, and
nothing that they say of all queries. What harbour.py makes of the repository's own collection is left alone.
"""
import bz2, gzip, json, os, sys

LIMIT = 4 << 20  # bytes of all files together
OWN = "harbour-wire"  # what harbour.py makes has it in its path
NTH = 20  # every nth query of a run over a whole collection

# file below oracle/, and which of its lines are kept: every nth
KEPT = [
    *[(f"significance/{n}.json", 1) for n in ("agreement", "cases", "corrections", "distributions", "power", "rank-correlation")],
    *[(f"stem/{n}.tsv.gz", 1) for n in ("english", "french", "german", "hungarian", "norwegian", "porter", "russian", "spanish", "swedish")],
    *[(f"lucene/analyzer/{n}.jsonl.gz", 8) for n in ("english", "standard", "whitespace")],
    *[(f"lucene/analyzer/snowball-{n}.jsonl.gz", 1) for n in ("english", "french", "german", "german.lucene9", "hungarian", "norwegian", "russian", "spanish", "swedish")],
    ("lucene/spell.json", 1), ("lucene/vocabulary.scifact-unstemmed.tsv.gz", 1),
    *[(f"lucene/doclengths.{n}.tsv.gz", 1) for n in ("cranfield", "scifact")],
    ("fusion/cases.json.gz", 1),
    *[(f"trec_eval/{n}", 1) for n in ("out.test", "out.test.a", "out.test.aq", "out.test.aqc", "out.test.aqcM", "out.test.aql", "out.test.meas_params",
                                      "qrels.rel_level", "qrels.test", "results.test", "results.trunc")],
    ("measures/diversity/qrels.txt.gz", 1), ("measures/synthetic/qrels.txt.gz", 1),
    *[(f"measures/{n}", 1) for r in ("diversity/distinct", "diversity/ties") for n in (f"{r}.json", f"{r}.run.gz")],
    *[(f"measures/synthetic/{r}.{n}", 1) for r in ("near", "negative", "ties") for n in ("json", "pytrec.json", "run.gz", "trec_eval.txt.gz")],
]
TO = os.path.join(os.path.dirname(__file__), "..", "..", "..", "core", "internal", "shared", "testdata")


def read(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        return f.read()


def write(name, text):
    """Packs text under a name below the root of the reference data."""
    out = os.path.join(TO, name.removesuffix(".gz"))
    os.makedirs(os.path.dirname(out), exist_ok=True)
    packed = min([(gzip.compress(text, 9, mtime=0), ".gz"), (bz2.compress(text, 9), ".bz2")], key=lambda p: len(p[0]))
    with open(out + packed[1], "wb") as f:
        f.write(packed[0])


def parts(shared, collection):
    """Writes every NTH query of the runs over a collection, its judgments, and what was measured."""
    qrels = read(os.path.join(shared, "data", collection, "qrels", "test.tsv")).decode().splitlines(keepends=True)
    judged = sorted({line.split("\t")[0] for line in qrels[1:]})
    kept = set(judged[::NTH])
    write(f"data/{collection}/qrels/test.tsv", "".join(qrels[:1] + [line for line in qrels[1:] if line.split("\t")[0] in kept]).encode())
    for run in ("bm25", "bm25-r1", "partial", "random"):
        base = f"oracle/measures/{collection}/{run}"
        lines = read(os.path.join(shared, base + ".run.gz")).decode().splitlines(keepends=True)
        others = sorted({line.split()[0] for line in lines} - set(judged))[:1]  # partial answers a few queries that nobody judged
        lines = [line for line in lines if line.split()[0] in kept.union(others)]
        write(base + ".run.gz", "".join(lines).encode())
        found = {line.split()[0] for line in lines}
        print(f"{collection}/{run}: {len(kept)} queries, {len(kept - found)} missing, {len(found - kept)} more")
        figures = json.loads(read(os.path.join(shared, base + ".json")))
        figures["queries"] = f"every {NTH}th"
        for m in figures["measures"].values():
            m.pop("mean", None)
            if "per_query" in m:
                m["per_query"] = {q: v for q, v in m["per_query"].items() if q in kept}
        write(base + ".json", json.dumps(figures, separators=(",", ":")).encode())
        figures = json.loads(read(os.path.join(shared, base + ".pytrec.json")))
        figures["queries"] = f"every {NTH}th"
        figures["per_query"] = {q: v for q, v in figures["per_query"].items() if q in kept}
        write(base + ".pytrec.json", json.dumps(figures, separators=(",", ":")).encode())
        out = []
        for line in read(os.path.join(shared, base + ".trec_eval.txt.gz")).decode().splitlines(keepends=True):
            if line.startswith("# trec_eval "):
                out.append(line.replace(" -q ", " -q -n ", 1))  # -n leaves out the lines of all queries
            elif line.split("\t")[1] in kept:
                out.append(line)
        write(base + ".trec_eval.txt.gz", "".join(out).encode())


def static(shared):
    """Writes golden.json of the static encoder and, of its tables, the rows of the tokens in there; the others are 0."""
    folder = os.path.join(shared, "embeddings", "static")
    golden = read(os.path.join(folder, "golden.json"))
    write("embeddings/static/golden.json", golden)
    ids = {i for case in json.loads(golden) for i in case["ids"]}
    for name in ("scales.npy", "vectors.i8.npy"):
        table = read(os.path.join(folder, name))
        body = 10 + int.from_bytes(table[8:10], "little")  # NumPy 1.0: the length of the header stands in bytes 8 and 9
        vocabulary = read(os.path.join(folder, "vocab.txt")).count(b"\n")
        row = (len(table) - body) // vocabulary
        out = bytearray(len(table))
        out[:body] = table[:body]
        for i in ids:
            out[body + i * row : body + (i + 1) * row] = table[body + i * row : body + (i + 1) * row]
        write("embeddings/static/" + name, bytes(out))


def main(shared, random_runs):
    for folder, _, files in os.walk(TO):
        for f in files:
            if OWN not in os.path.join(folder, f):
                os.remove(os.path.join(folder, f))
    for name, nth in KEPT:
        text = read(os.path.join(shared, "oracle", name))
        if nth > 1:
            text = b"".join(text.splitlines(keepends=True)[::nth])
        write("oracle/" + name, text)
    write("oracle/measures/random-runs.jsonl.gz", b"".join(read(random_runs).splitlines(keepends=True)[::25]))
    for collection in ("cranfield", "scifact"):
        parts(shared, collection)
    static(shared)
    sizes = [os.path.getsize(os.path.join(folder, f)) for folder, _, files in os.walk(TO) for f in files]
    print(f"{len(sizes)} files, {sum(sizes):,} bytes")
    if sum(sizes) > LIMIT:
        sys.exit(f"more than {LIMIT:,}")


if __name__ == "__main__":
    main(*sys.argv[1:])
