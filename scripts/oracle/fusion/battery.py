"""Writes OUT, gzipped lines of JSON: random lists, and what ranx 0.3.21 makes of them by 25 fusions and 7 normalisations.

    python battery.py OUT [CASES] [SAMPLE] [SEED]

A case is a query of two or three lists of at most 12 documents, best first, ties in order of documents: with ties, gaps, single
documents, negative and constant scores; in one of eight all lists hold the same documents, which Condorcet needs. No list is
empty: zmuv of ranx divides by 0 then and loses other queries. The first 40 cases of each number of lists are judged and teach
the trained fusions. SAMPLE fusions of each case are written, 0 for all 175. Scores have 12 digits.

    python battery.py core/retrieve/rank/fuse/testdata/battery.jsonl.gz 300 8      what the repository holds
    python battery.py /tmp/all.gz 10000 0                                all of it, then:
    RANKBOX_FUSIONS=/tmp/all.gz go test ./core/retrieve/rank/fuse -run Battery -v
"""
import gzip
import json
import random
import sys

import numba
import numpy as np
from ranx import Qrels, Run
from ranx import fusion as f
from ranx.meta.fuse import fuse

NORMS = ["min-max", "min-max-inverted", "max", "sum", "zmuv", "rank", "borda"]
TAUGHT = 40


def a_list(rng, pool, whole):
    docs = pool if whole else rng.sample(pool, rng.choice([1] * 3 + list(range(2, 13)) * 2))
    kind = rng.choice(["plain", "plain", "ties", "negative", "constant", "mixed"])
    if kind == "constant":
        constant = rng.choice([-2.0, 0.0, 1.5])
    score = {
        "plain": lambda: round(rng.uniform(0.01, 20), 3),
        "ties": lambda: float(rng.randint(0, 3)),
        "negative": lambda: round(rng.uniform(-9, -0.01), 3),
        "mixed": lambda: round(rng.uniform(-2, 2), 1),
        "constant": lambda: constant,
    }[kind]
    return sorted(([d, score()] for d in docs), key=lambda h: (-h[1], h[0]))


def a_case(rng, lists):
    whole = rng.random() < 1 / 8
    pool = list(range(1, rng.randint(2, 13) if whole else rng.choice([13, 13, 16, 25])))
    return {"lists": [a_list(rng, pool, whole) for _ in range(lists)]}


@numba.njit
def flat(run, queries, numbers):
    total = 0
    for q in queries:
        total += len(run[q])
    ends, docs, scores, at = np.empty(len(queries), np.int64), np.empty(total, np.int64), np.empty(total), 0
    for i, q in enumerate(queries):
        for d, s in run[q].items():
            docs[at], scores[at] = numbers[d], s
            at += 1
        ends[i] = at
    return ends, docs, scores


def settings(n, qrels, taught):
    weights = [0.7, 0.3] if n == 2 else [0.5, 0.3, 0.4]
    return {
        "sum": {}, "mnz": {}, "med": {}, "min": {}, "max": {}, "anz": {}, "gmnz": {"gamma": 0.5}, "rrf": {"k": 60},
        "isr": {}, "log_isr": {}, "logn_isr": {"sigma": 0.01}, "bordafuse": {}, "condorcet": {}, "rbc": {"phi": 0.8},
        "wsum": {"weights": weights}, "wmnz": {"weights": weights}, "mixed": {"weights": weights},
        "w_bordafuse": {"weights": weights}, "w_condorcet": {"weights": weights},
        "probfuse": {"probs": f.probfuse_train(qrels, taught, 4)},
        "segfuse": {"probs": f.segfuse_train(qrels, taught)},
        "slidefuse": {"probs": f.slidefuse_train(qrels, taught), "w": 2},
        "posfuse": {"probs": f.posfuse_train(qrels, taught)},
        "mapfuse": {"map_scores": f.mapfuse_train(qrels, taught)},
        "bayesfuse": {"log_odds": f.bayesfuse_train(qrels, taught)},
    }


def group(rng, n, count, sample, out):
    cases = [a_case(rng, n) for _ in range(count)]
    for i in range(TAUGHT):
        cases[i]["lists"] = [sorted(([d, round(rng.uniform(0, 9), 3)] for d in rng.sample(range(1, 16), 12)), key=lambda h: -h[1]) for _ in range(n)]
        cases[i]["relevant"] = sorted(rng.sample(range(1, 16), rng.randint(1, 5)))
    name = [f"q{i:05}" for i in range(count)]
    runs = lambda a, b: [Run({name[i]: {f"d{d}": s for d, s in cases[i]["lists"][k]} for i in range(a, b)}) for k in range(n)]
    qrels = Qrels({name[i]: {f"d{d}": 1 for d in cases[i]["relevant"]} for i in range(TAUGHT)})
    how = settings(n, qrels, runs(0, TAUGHT))
    numbers = numba.typed.Dict.empty(numba.types.unicode_type, numba.int64)
    for d in range(1, 26):
        numbers[f"d{d}"] = d
    asked = numba.typed.List(name[TAUGHT:])
    chosen = [[(m, norm) for m in how for norm in NORMS] for _ in asked]
    if sample:
        chosen = [rng.sample(c, sample) for c in chosen]
    for case in cases[:TAUGHT]:
        out.write(json.dumps(case, separators=(",", ":")) + "\n")
    fused = [{} for _ in asked]
    wanted = [set(c) for c in chosen]
    asking = runs(TAUGHT, count)
    for method, params in how.items():
        for norm in NORMS:
            ends, docs, scores = flat(fuse(asking, norm=norm, method=method, params=dict(params)).run, asked, numbers)
            start = 0
            for i, end in enumerate(ends):
                if (method, norm) in wanted[i]:
                    fused[i][method + " " + norm] = [[int(d), float("%.12g" % s)] for d, s in zip(docs[start:end], scores[start:end])]
                start = end
        print(n, method, file=sys.stderr)
    for case, more in zip(cases[TAUGHT:], fused):
        out.write(json.dumps(case | {"fused": more}, separators=(",", ":")) + "\n")


def main():
    path, count, sample, seed = sys.argv[1], *(int(v) for v in (sys.argv[2:] + [300, 8, 30][len(sys.argv) - 2:]))
    rng = random.Random(seed)
    with open(path, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as z:
        class Out:
            write = staticmethod(lambda s: z.write(s.encode()))
        Out.write(json.dumps({"made_with": {"ranx": "0.3.21", "numba": numba.__version__, "numpy": np.__version__}}) + "\n")
        for n in (2, 3):
            group(rng, n, TAUGHT + count // 2, sample, Out)


main()
