"""Writes OUT: intervals of agreement of random judges, by statsmodels 0.15.0 and krippendorff 0.9.0.

    python sure.py OUT

A case has the grades of two or three judges (a row a judge,
  null for a gap). "cohen" has κ, its standard error and its interval, without
weights, with linear and with squared ones, over the documents that the first two both graded; "wilson" the interval of the share of equal
grades; "alpha" Krippendorff's α, nominal, ordinal and interval, each with its jackknife error: krippendorff's own α without each document
in turn, sqrt((n - 1)/n * sum of squared deviations).
"""
import importlib.metadata
import json
import math
import random
import sys
import warnings

import krippendorff
import numpy as np
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

warnings.filterwarnings("ignore")
LEVELS = ("nominal", "ordinal", "interval")


def cohen(a, b, power):
    grades = sorted(set(a) | set(b))
    table = np.zeros((len(grades), len(grades)))
    for x, y in zip(a, b):
        table[grades.index(x), grades.index(y)] += 1
    if power == 0:
        r = cohens_kappa(table)
    else:
        far = np.abs(np.subtract.outer(grades, grades)) ** power
        r = cohens_kappa(table, weights=far.astype(float))
    return [float(r.kappa), float(r.std_kappa), float(r.kappa_low), float(r.kappa_upp)]


def alpha(ratings, level):
    return float(krippendorff.alpha(reliability_data=ratings, level_of_measurement=level))


def jackknife(ratings, level):
    paired = [u for u in range(ratings.shape[1]) if np.sum(~np.isnan(ratings[:, u])) > 1]
    data = ratings[:, paired]
    out = [alpha(np.delete(data, u, axis=1), level) for u in range(data.shape[1])]
    n = len(out)
    return [alpha(ratings, level), math.sqrt((n - 1) / n * np.sum((np.array(out) - np.mean(out)) ** 2))]


def main():
    rng = random.Random(31)
    cases = []
    while len(cases) < 40:
        judges, docs = rng.randint(2, 3), rng.randint(6, 40)
        grades = rng.sample(range(-1, 6), rng.randint(2, 4))
        gap, err = rng.choice([0, 0, 0.2, 0.4]), rng.choice([0.1, 0.4, 1])
        ratings = []
        for _ in range(judges):
            ratings.append([])
        for _ in range(docs):
            true = rng.choice(grades)
            for r in ratings:
                r.append(None if rng.random() < gap else rng.choice(grades) if rng.random() < err else true)
        both = [(x, y) for x, y in zip(*ratings[:2]) if x is not None and y is not None]
        a, b = [x for x, _ in both], [y for _, y in both]
        if len(both) < 4 or len(set(a)) < 2 or len(set(b)) < 2:
            continue
        data = np.array([[np.nan if x is None else x for x in r] for r in ratings], dtype=float)
        try:
            case = {"ratings": ratings, "cohen": [cohen(a, b, p) for p in (0, 1, 2)],
                    "alpha": [jackknife(data, level) for level in LEVELS],
                    "wilson": list(map(float, proportion_confint(sum(x == y for x, y in both), len(both), 0.05,
                      "wilson")))}
        except ValueError:  # one grade is left without a document
            continue
        if not all(math.isfinite(v) for f in case["cohen"] + case["alpha"] for v in f):
            continue
        cases.append(case)
    versions = {p: importlib.metadata.version(p) for p in ("statsmodels", "krippendorff", "scipy", "numpy")}
    with open(sys.argv[1], "w", encoding="utf-8") as f:
        f.write('{"made_with":' + json.dumps(versions) + ',\n"cases":[\n')
        f.write(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]}\n")


main()
