"""Writes OUT: Gwet's AC1 and AC2 of random tables of ratings, by irrCAC 0.4.4.

    python gwet.py OUT

A case has its ratings (a row a document, a column a judge, null for a gap), and for each weighting the coefficient, its
standard error and its 95 % interval.
"""
import importlib.metadata
import json
import random
import sys
import warnings

import pandas as pd
from irrCAC.raw import CAC

warnings.filterwarnings("ignore")


def figures(ratings, weights):
    est = CAC(pd.DataFrame(ratings, dtype=float), weights=weights, digits=15).gwet()["est"]
    return [float(est["coefficient_value"]), float(est["se"]), *map(float, est["confidence_interval"])]


def main():
    rng = random.Random(30)
    cases = []
    while len(cases) < 40:
        judges, docs = rng.randint(2, 5), rng.randint(3, 30)
        grades = rng.sample(range(6), rng.randint(2, 4))
        gap, err = rng.choice([0, 0, 0.2, 0.5]), rng.choice([0.1, 0.4, 1])
        ratings = []
        for _ in range(docs):
            true = rng.choice(grades)
            row = [rng.choice(grades) if rng.random() < err else true for _ in range(judges)]
            ratings.append([None if rng.random() < gap else g for g in row])
        ratings = [r for r in ratings if any(g is not None for g in r)]
        used = {g for r in ratings for g in r if g is not None}
        paired = sum(sum(g is not None for g in r) > 1 for r in ratings)
        if len(used) < 2 or paired < 1 or len(ratings) < 2:
            continue
        case = {"ratings": ratings}
        for weights in ("identity", "linear", "quadratic"):
            case[weights] = figures(ratings, weights)
        cases.append(case)
    versions = {p: importlib.metadata.version(p) for p in ("irrCAC", "scipy", "numpy", "pandas")}
    with open(sys.argv[1], "w", encoding="utf-8") as f:
        f.write('{"made_with":' + json.dumps(versions) + ',\n"cases":[\n')
        f.write(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]}\n")


main()
