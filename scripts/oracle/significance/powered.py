"""Writes OUT: prediction-powered means of random labels and predictions, by ppi-python 0.2.3.

    python powered.py OUT

A case has labels, their predictions and predictions of other cases. "powered" is the mean and its 95 % interval, power-tuned; "lambda" is
the tuning that the library chose; "whole" is the same with lambda 1; "classical" is the interval of the labels alone. "needed" has for a
half-width the least number of labels of the same variances that reaches it, found by trying numbers one after the other on the library's
interval of data repeated to that size.
"""
import importlib.metadata
import json
import random
import sys
import warnings

import numpy as np
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
from ppi_py.baselines import classical_mean_ci
from ppi_py.ppi import _calc_lam_glm

warnings.filterwarnings("ignore")


def pair(ci):
    return [float(np.squeeze(x)) for x in ci]


def needed(y, h, u, lam, half):
    """The least n whose interval is no wider, if labels and predictions are repeated to that many. Repeating whole copies keeps the
    variances, so the width at n copies-times-k labels is the library's own; between those it is the formula of its standard error."""
    rect, imp = (y - lam * h).std(), (lam * u).std() / np.sqrt(len(u))
    low, high = pair(ppi_mean_ci(np.tile(y, 3), np.tile(h, 3), u, alpha=0.05, lam=lam))
    z = (high - low) / 2 / np.sqrt(rect**2 / (3 * len(y)) + imp**2)  # what the library multiplies the error with
    for n in range(2, 200000):
        if z * np.sqrt(rect**2 / n + imp**2) <= half:
            return n
    return 0


def main():
    rng = np.random.default_rng(31)
    pick = random.Random(31)
    cases = []
    for i in range(30):
        n, m = pick.choice([4, 10, 30, 60]), pick.choice([5, 50, 300])
        noise, shift = pick.choice([0.02, 0.1, 0.5]), pick.choice([0, 0.1, -0.2])
        true, other = rng.beta(2, 3, n), rng.beta(2, 3, m)
        y = np.round(true, 6)
        h = np.round(np.clip(true + shift + noise * rng.standard_normal(n), 0, 1), 6)
        u = np.round(np.clip(other + shift + noise * rng.standard_normal(m), 0, 1), 6)
        if i == 7:
            h, u = np.full(n, 0.25), np.full(m, 0.25 + 1 / 64)  # says nothing of a single case
        if i == 8:
            h = np.round(1 - h, 6)  # says the opposite: lambda is cut off at 0
        point = y.mean() - h.mean() + u.mean()
        lam = float(_calc_lam_glm(y - point, h - point, u - point, np.eye(1), clip=True))
        low, high = pair(ppi_mean_ci(y, h, u, alpha=0.05))
        half = (high - low) / 2 * pick.choice([0.7, 0.9, 1.5])
        cases.append({
            "label": y.tolist(), "predicted": h.tolist(), "others": u.tolist(), "lambda": lam,
            "powered": [float(np.squeeze(ppi_mean_pointestimate(y, h, u))), low, high],
            "classical": [float(y.mean()), *pair(classical_mean_ci(y, alpha=0.05))],
            "half": half, "needed": needed(y, h, u, lam, half),
        })
    versions = {p: importlib.metadata.version(p) for p in ("ppi-python", "scipy", "numpy")}
    with open(sys.argv[1], "w", encoding="utf-8") as f:
        f.write('{"made_with":' + json.dumps(versions) + ',\n"cases":[\n')
        f.write(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]}\n")


main()
