"""Measures and comparisons of search runs, by the rankbox program.

evaluate measures one run, compare holds several against each other. Both take judgments and runs as dicts, DataFrames or files and return what
the program says, as DataFrames and as its JSON."""

from ._answers import Comparison, Evaluation
from ._calls import Qrels, RankboxError, Run, compare, evaluate, program

__all__ = ["Comparison", "Evaluation", "Qrels", "RankboxError", "Run", "compare", "evaluate", "program"]
