"""Make training queries out of a corpus alone: titles and sentences, with candidates and a teacher's scores.

    python scripts/train/pairs.py FOLDER --vectors VECTORS --out WORK

Reads FOLDER/corpus.jsonl and nothing else of the collection: no query and no judgment. A query is a title, a sentence, or words kept of a
sentence; the document it comes from is the one that is meant. Its candidates are the first by this project's own BM25 (rankbox search)
and by the teacher's vectors; the teacher's score is the sum of the standardised BM25 score and cosine.

VECTORS holds doc_ids.txt and a folder a model (docs.npy), as scripts/embed and docs/vectors.md lay them out. Writes WORK/pairs.jsonl and
WORK/dev.jsonl: the sentences of every thirtieth document are for development and never trained on.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "embed"))
import embed  # noqa: E402

SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9(])")
WORDS = range(6, 45)  # of a sentence that becomes a query
DEV_EVERY = 30
DEPTH = 30  # candidates of each of the two


def sentences(text):
    """The sentences of a text, in order, none empty."""
    return [s for s in SENTENCE.split(text.strip()) if s]


def thinned(sentence, chance):
    """A sentence with about half of its words, in order: a query of keywords. Six words at least are left of one that has them."""
    words = sentence.rstrip(".").split()
    kept = [w for w in words if chance.random() < 0.5]
    return " ".join(kept if len(kept) >= 6 else words[:6])


def queries(records, per_document, seed):
    """One dict a query: text, source (row of the document), cut (the sentence that was taken out of it, -1 its title), dev."""
    chance = random.Random(seed)
    made = []
    for row, (_, title, text) in enumerate(records):
        dev = row % DEV_EVERY == 0
        parts = sentences(text)
        fit = [i for i, s in enumerate(parts) if len(s.split()) in WORDS]
        for i in sorted(chance.sample(fit, min(per_document, len(fit)))):
            words = thinned(parts[i], chance) if chance.random() < 0.35 else parts[i]
            made.append({"text": words, "source": row, "cut": i, "dev": dev})
        if len(title.split()) >= 4 and parts and not dev and chance.random() < 0.5:
            made.append({"text": title, "source": row, "cut": -1, "dev": False})
    return made


def bm25(records, made, depth, rankbox):
    """The first documents of each query by BM25: a list of (row, score) a query."""
    row_of = {d: i for i, (d, _, _) in enumerate(records)}
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        with open(folder / "corpus.jsonl", "w", encoding="utf-8") as out:
            for d, title, text in records:
                out.write(json.dumps({"_id": d, "title": title, "text": text}) + "\n")
        with open(folder / "queries.jsonl", "w", encoding="utf-8") as out:
            for i, q in enumerate(made):
                out.write(json.dumps({"_id": f"q{i}", "text": q["text"]}) + "\n")
        command = rankbox + ["search", "-quiet", "-corpus", str(folder / "corpus.jsonl"), "-queries", str(folder / "queries.jsonl"), "-k", str(depth), "-s", "bm25"]
        run = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT, text=True).stdout
    found = [[] for _ in made]
    for line in run.splitlines():
        q, _, d, _, score, _ = line.split()
        found[int(q[1:])].append((row_of[d], float(score)))
    return found


def document_vectors(folder, model, records):
    """The stored float32 vectors of the documents, in the order of records."""
    ids = (folder / "doc_ids.txt").read_text().split()
    at = {d: i for i, d in enumerate(ids)}
    return np.load(folder / model / "docs.npy")[[at[d] for d, _, _ in records]].astype(np.float32)


def standard(x):
    return (x - x.mean()) / (x.std() + 1e-9)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--vectors", type=Path, required=True)
    parser.add_argument("--teachers", default="bge-small-en-v1.5", help="models of scripts/embed whose cosines the teacher adds up")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--per-document", type=int, default=1, help="sentences of a document that become queries")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=embed.default_cache())
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rankbox", default="go run ./cmd/rankbox", help="the command line of this project")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)

    records = embed.read_jsonl(args.folder / "corpus.jsonl")
    made = queries(records, args.per_document, args.seed)
    words = bm25(records, made, DEPTH, args.rankbox.split())
    cosines = []
    for name in args.teachers.split(","):
        model = embed.MODELS[name]
        encoder = embed.Encoder(model, embed.fetch(model, args.cache), args.threads)
        asked, _ = encoder.encode([q["text"] for q in made], model["query_prefix"])
        cosines.append((document_vectors(args.vectors, name, records), asked))
        print(f"{name}: {len(made)} queries encoded", flush=True)

    chance = np.random.default_rng(args.seed)
    files = {dev: open(args.out / name, "w", encoding="utf-8") for dev, name in ((False, "pairs.jsonl"), (True, "dev.jsonl"))}
    first = 0
    for i, q in enumerate(made):
        sims = [docs @ asked[i] for docs, asked in cosines]
        near = np.argsort(-sum(sims), kind="stable")[:DEPTH]
        lexical = dict(words[i])
        pool = sorted({*lexical, *near.tolist(), q["source"]})
        floor = min(lexical.values(), default=0.0)
        scores = standard(np.array([lexical.get(d, floor) for d in pool])) + sum(standard(s[pool]) for s in sims)
        order = np.argsort(-scores, kind="stable")
        first += pool[order[0]] == q["source"]
        q |= {"pool": [pool[o] for o in order], "teacher": [round(float(scores[o]), 3) for o in order], "far": int(chance.integers(len(records)))}
        files[q.pop("dev")].write(json.dumps(q, ensure_ascii=False) + "\n")
    for f in files.values():
        f.close()
    print(f"{len(made)} queries; the teacher puts the source first in {first / len(made):.1%}")


if __name__ == "__main__":
    main()
