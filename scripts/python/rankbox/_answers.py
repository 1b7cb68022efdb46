"""What the program answers, as DataFrames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd


@dataclass(frozen=True)
class Evaluation:
    """One run, measured."""

    json: dict[str, Any]

    @property
    def means(self) -> pd.Series[float]:
        """The mean of every measure over the judged queries."""
        return pd.Series(self.json["measures"], name="mean", dtype=float)

    @property
    def queries(self) -> pd.DataFrame:
        """A row a query, a column a measure."""
        return pd.DataFrame.from_dict(self.json["queries"], orient="index", columns=list(self.json["measures"])).astype(float).rename_axis("query_id")

    def __getitem__(self, measure: str) -> float:
        return float(self.json["measures"][measure])


@dataclass(frozen=True)
class Comparison:
    """Several runs, measured and tested."""

    json: dict[str, Any]

    @property
    def finding(self) -> str:
        """The conclusion, in a sentence."""
        return str(self.json["finding"])

    @property
    def hash(self) -> str:
        """SHA-256 of all figures and names: the same comparison has the same one everywhere."""
        return str(self.json["hash"])

    @property
    def warnings(self) -> list[str]:
        """What is doubtful about the data, a sentence each."""
        return [*self.json["warnings"], *self.json["test"]["warnings"]]

    @property
    def means(self) -> pd.DataFrame:
        """A row a run and measure: mean, the 95 % interval (low, high), and the letters of the groups that cannot be told apart."""
        rows = [
            {"run": r["name"], "measure": m, "mean": v["mean"], "low": v["low"], "high": v["high"], "groups": v.get("groups", "")}
            for r in self.json["runs"]
            for m, v in r["measures"].items()
        ]
        return pd.DataFrame(rows, columns=["run", "measure", "mean", "low", "high", "groups"])

    @property
    def pairs(self) -> pd.DataFrame:
        """A row a pair of runs: the difference of b and a with its interval, p before and after correction, and on how many queries b is better."""
        return pd.DataFrame(self.json["pairs"])

    @property
    def queries(self) -> pd.DataFrame:
        """A row a query, a column a measure and run."""
        names = [r["name"] for r in self.json["runs"]]
        measures = [m["measure"] for m in self.json["measures"]]
        columns = pd.MultiIndex.from_product([measures, names], names=["measure", "run"])
        rows = [[v for m in measures for v in q["values"][m]] for q in self.json["queries"]]
        index = pd.Index([q["query"] for q in self.json["queries"]], name="query_id")
        return pd.DataFrame(rows, index=index, columns=columns, dtype=float)

    def __str__(self) -> str:
        return self.finding
