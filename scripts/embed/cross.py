"""Score documents by a cross-encoder and write the scores as a stored run.

    python scripts/embed/cross.py FOLDER --model MODEL --pool RUN --out RUN

FOLDER is a BEIR folder; MODEL one with model.int8.onnx or model.onnx and tokenizer.json, as cross-encoders are exported (inputs input_ids, attention_mask and perhaps token_type_ids; output one number a pair). The pairs are those of a run in TREC's format,
its first --depth documents a query; without --pool every document is scored for every query. Queries that OUT holds already, whole, are not
scored again. OUT goes to rankbox search -run NAME=OUT, as run(NAME) or rerank(by=run,file=NAME).
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from embed import document_text, fail, read_jsonl


class CrossEncoder:
    """A model that scores pairs of texts."""

    def __init__(self, folder, tokens, threads):
        given = [folder / name for name in ("model.int8.onnx", "model.onnx") if (folder / name).exists()]
        if not given:
            fail(f"open {folder}: there is neither model.int8.onnx nor model.onnx")
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(str(given[0]), options, providers=["CPUExecutionProvider"])
        self.inputs = {i.name for i in self.session.get_inputs()}
        self.tokens = tokens

    def length(self, query, document):
        """How many tokens a pair has before it is cut."""
        return len(self.tokenizer.encode(query, document).ids)

    def pair(self, query, document):
        """The tokens of a pair, each with its type: the document is cut at its end, a query that leaves it less than half of the model too."""
        coded = self.tokenizer.encode(query, document)
        tokens = list(zip(coded.ids, coded.type_ids))
        start = next((i for i, s in enumerate(coded.sequence_ids) if s == 1), len(tokens))
        asked, rest = tokens[:start], tokens[start:]
        half = self.tokens // 2
        if len(tokens) > self.tokens and len(asked) > half:
            asked = asked[: half - 1] + asked[-1:]
        if len(asked) + len(rest) > self.tokens:
            rest = rest[: self.tokens - len(asked) - 1] + rest[-1:]
        return asked + rest

    def score(self, query, documents):
        """One number a document, in their order. Each pair runs alone: an int8 model rounds by what is in its batch, so no score depends on another's."""
        out = np.zeros(len(documents))
        for i, document in enumerate(documents):
            ids, types = zip(*self.pair(query, document))
            feed = {"input_ids": np.array([ids], dtype=np.int64), "attention_mask": np.ones((1, len(ids)), dtype=np.int64), "token_type_ids": np.array([types], dtype=np.int64)}
            logits = self.session.run(None, {k: v for k, v in feed.items() if k in self.inputs})[0]
            if logits.shape != (1, 1):
                fail(f"score: the model gives {list(logits.shape)} for a pair, want [1, 1]: it is no cross-encoder of one score")
            out[i] = logits[0, 0]
        return out


def read_run(path):
    """The documents and scores of every query of a run in TREC's format, by falling score, then falling document id: a dict of lists."""
    found = {}
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            parts = line.split()
            if len(parts) != 6:
                fail(f"read {path}:{number}: {len(parts)} columns, want 6: query, Q0, document, rank, score, tag")
            found.setdefault(parts[0], []).append((float(parts[4]), parts[2]))
    return {q: [(d, s) for s, d in sorted(hits, reverse=True)] for q, hits in found.items()}


def write_run(out, query, scored, tag):
    """Appends the documents of a query, best first; three decimals are kept."""
    hits = sorted(((round(float(s), 3), d) for d, s in scored), reverse=True)
    out.write("".join(f"{query} Q0 {d} {rank} {s:.3f} {tag}\n" for rank, (s, d) in enumerate(hits, 1)))
    out.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", type=Path, required=True, help="folder of the cross-encoder")
    parser.add_argument("--pool", type=Path, help="run whose documents are scored; all documents where there is none")
    parser.add_argument("--depth", type=int, default=100, help="documents of a query in the pool")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tokens", type=int, default=128, help="of a pair")
    parser.add_argument("--tag", default="cross-encoder")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()

    texts = {i: document_text(title, text) for i, title, text in read_jsonl(args.folder / "corpus.jsonl")}
    queries = read_jsonl(args.folder / "queries.jsonl")
    pool = {q: [d for d, _ in hits[: args.depth]] for q, hits in read_run(args.pool).items()} if args.pool else {q: list(texts) for q, _, _ in queries}
    unknown = {d for hits in pool.values() for d in hits if d not in texts}
    if unknown:
        fail(f"read {args.pool}: {len(unknown)} documents are not in the collection, {min(unknown)} say")
    done = read_run(args.out) if args.out.exists() else {}
    model = CrossEncoder(args.model, args.tokens, args.threads)
    began, pairs = time.monotonic(), 0
    with open(args.out, "w", encoding="utf-8") as out:
        for q, _, text in queries:
            if q not in pool:
                continue
            if {d for d, _ in done.get(q, [])} == set(pool[q]):
                write_run(out, q, done[q], args.tag)
                continue
            write_run(out, q, zip(pool[q], model.score(text, [texts[d] for d in pool[q]])), args.tag)
            pairs += len(pool[q])
    print(f"{pairs} pairs in {time.monotonic() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
