"""Measures and comparisons of search runs, by the core of Rankbox.

evaluate measures one run, compare holds several against each other. Both take judgments and runs as dicts, DataFrames or files and return
DataFrames, figures and the program's JSON. Natively they call the rankbox program, in a browser its core in WebAssembly."""

from ._answers import Comparison, Evaluation, Figure
from ._calls import Metric, calc_aggregate, compare, evaluate, iter_calc
from ._demo import demo
from ._files import Qrels, RankboxError, Run
from ._program import program

__all__ = [
    "Comparison",
    "Evaluation",
    "Figure",
    "Metric",
    "Qrels",
    "RankboxError",
    "Run",
    "calc_aggregate",
    "compare",
    "demo",
    "evaluate",
    "iter_calc",
    "program",
]
