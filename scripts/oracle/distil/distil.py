"""Distils the reference figures into core/internal/shared/testdata, so that a clone without them tests nearly everything.

    python scripts/oracle/distil/distil.py SHARED

SHARED is the folder that $RANKBOX_SHARED names. Files keep their names below it and are compressed where they are not yet; no figure is
computed or rounded here. Of large sets that are made of independent cases every nth is kept, and which is said in KEPT.
"""
import gzip, os, shutil, sys

LIMIT = 4 << 20  # bytes of all files together

# file below oracle/, and which of its lines are kept: every nth
KEPT = [
    *[(f"significance/{n}.json", 1) for n in ("agreement", "cases", "corrections", "distributions", "power", "rank-correlation", "tukey")],
    *[(f"stem/{n}.tsv.gz", 1) for n in ("english", "french", "german", "hungarian", "norwegian", "porter", "russian", "spanish", "swedish")],
    *[(f"lucene/analyzer/{n}.jsonl.gz", 8) for n in ("english", "standard", "whitespace")],
    *[(f"lucene/analyzer/snowball-{n}.jsonl.gz", 1) for n in ("english", "french", "german", "german.lucene9", "hungarian", "norwegian", "russian", "spanish", "swedish")],
    ("lucene/spell.json", 1), ("lucene/vocabulary.scifact-unstemmed.tsv.gz", 1),
    ("fusion/cases.json.gz", 1),
    *[(f"trec_eval/{n}", 1) for n in ("out.test", "out.test.a", "out.test.aq", "out.test.aqc", "out.test.aqcM", "out.test.aql", "out.test.meas_params",
                                      "qrels.rel_level", "qrels.test", "results.test", "results.trunc")],
    ("measures/diversity/qrels.txt.gz", 1), ("measures/synthetic/qrels.txt.gz", 1),
    *[(f"measures/{n}", 1) for r in ("diversity/distinct", "diversity/ties") for n in (f"{r}.json", f"{r}.run.gz")],
    *[(f"measures/synthetic/{r}.{n}", 1) for r in ("near", "negative", "ties") for n in ("json", "pytrec.json", "run.gz", "trec_eval.txt.gz")],
]


def main(shared):
    to = os.path.join(os.path.dirname(__file__), "..", "..", "..", "core", "internal", "shared", "testdata", "oracle")
    shutil.rmtree(to, ignore_errors=True)
    total = 0
    for name, nth in KEPT:
        source = os.path.join(shared, "oracle", name)
        with (gzip.open if name.endswith(".gz") else open)(source, "rb") as f:
            text = f.read()
        if nth > 1:
            text = b"".join(text.splitlines(keepends=True)[::nth])
        out = os.path.join(to, name if name.endswith(".gz") else name + ".gz")
        os.makedirs(os.path.dirname(out), exist_ok=True)
        with open(out, "wb") as f, gzip.GzipFile(filename="", mode="wb", fileobj=f, compresslevel=9, mtime=0) as z:
            z.write(text)
        total += os.path.getsize(out)
    print(f"{len(KEPT)} files, {total:,} bytes")
    if total > LIMIT:
        sys.exit(f"more than {LIMIT:,}")


main(sys.argv[1])
