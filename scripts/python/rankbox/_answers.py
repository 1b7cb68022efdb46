"""Answers of the program: as DataFrames if pandas is installed, as JSON, and as HTML and SVG in notebooks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError("DataFrames need pandas: pip install pandas. Without it, use .json") from error
    return pandas


def _table(head: list[str], rows: list[list[str]]) -> str:
    """An HTML table whose first column names the rows."""
    # marimo resets the padding of cells, so it stands at each.
    cell = 'style="padding:0.2em 1em 0.2em 0;text-align:left"'
    top = "".join(f"<th {cell}>{escape(h)}</th>" for h in head)
    body = "".join(
        f"<tr><th {cell}>{escape(r[0])}</th>{''.join(f'<td {cell}>{escape(c)}</td>' for c in r[1:])}</tr>" for r in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _doubts(warnings: list[str]) -> str:
    """Warnings as a list in HTML, nothing if there are none."""
    return "<ul>" + "".join(f"<li>Warning: {escape(w)}</li>" for w in warnings) + "</ul>" if warnings else ""


@dataclass(frozen=True)
class Figure:
    """A figure of a comparison. Notebooks show it; str gives its SVG."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<rankbox.Figure, {len(self.svg)} bytes of SVG>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the SVG into a file."""
        Path(path).write_text(self.svg, encoding="utf-8")


@dataclass(frozen=True, repr=False)
class Evaluation(Mapping[str, float]):
    """One run, measured: the means by measure, as a mapping. A measure may be given in the notation that you asked for."""

    json: dict[str, Any]
    asked: tuple[str, ...] = ()

    def name(self, measure: str) -> str:
        """The name of a measure in json: "nDCG@10" for "ndcg_cut_10"."""
        names = list(self.json["measures"])
        if measure not in names and len(self.asked) == len(names) and measure in self.asked:
            return str(names[self.asked.index(measure)])
        return measure

    def __getitem__(self, measure: str) -> float:
        return float(self.json["measures"][self.name(measure)])

    def __iter__(self) -> Iterator[str]:
        return iter(self.json["measures"])

    def __len__(self) -> int:
        return len(self.json["measures"])

    def __float__(self) -> float:
        """The mean if there is one measure: ranx returns a float then."""
        if len(self) != 1:
            raise TypeError(f"there are {len(self)} measures: name one of {', '.join(self)}")
        return self[next(iter(self))]

    @property
    def means(self) -> pd.Series[float]:
        """The mean of every measure over the judged queries."""
        means: pd.Series[float] = _pandas().Series(self.json["measures"], name="mean", dtype=float)
        return means

    @property
    def warnings(self) -> list[str]:
        """Warnings about the files, a sentence each, the worst first."""
        return list(self.json.get("warnings", []))

    @property
    def queries(self) -> pd.DataFrame:
        """A row a query, a column a measure."""
        frame: pd.DataFrame = _pandas().DataFrame.from_dict(self.json["queries"], orient="index", columns=list(self))
        return frame.astype(float).rename_axis("query_id")

    def __repr__(self) -> str:
        doubts = "".join(f"; warning: {w}" for w in self.warnings)
        return f"<rankbox.Evaluation of {len(self.json['queries'])} queries: {', '.join(f'{m} {v:.4f}' for m, v in self.items())}{doubts}>"

    def _repr_html_(self) -> str:
        rows = [[m, f"{v:.4f}"] for m, v in self.items()]
        return _table(["measure", f"mean of {len(self.json['queries'])} queries"], rows) + _doubts(self.warnings)


@dataclass(frozen=True, repr=False)
class Comparison:
    """Several runs, measured and tested. Notebooks show the conclusion, the means with their intervals, and a figure of them."""

    json: dict[str, Any]
    _draw: Callable[[str, str], str] | None = field(default=None, compare=False)

    @property
    def finding(self) -> str:
        """The conclusion, in a sentence."""
        return str(self.json["finding"])

    @property
    def hash(self) -> str:
        """SHA-256 of all measured figures: the same comparison has the same one everywhere."""
        return str(self.json["hash"])

    @property
    def warnings(self) -> list[str]:
        """Warnings about the data, a sentence each."""
        return [*self.json["warnings"], *self.json["test"]["warnings"]]

    def _means(self) -> list[dict[str, Any]]:
        return [
            {"run": r["name"], "measure": m, "mean": v["mean"], "low": v["low"], "high": v["high"], "groups": v.get("groups", "")}
            for r in self.json["runs"]
            for m, v in r["measures"].items()
        ]

    @property
    def means(self) -> pd.DataFrame:
        """A row a run and measure: mean, the 95 % interval (low, high), and the letters of the groups that are not significantly different."""
        frame: pd.DataFrame = _pandas().DataFrame(self._means(), columns=["run", "measure", "mean", "low", "high", "groups"])
        return frame

    @property
    def pairs(self) -> pd.DataFrame:
        """A row a pair of runs: the difference of b and a with its interval, p before and after correction, and on how many queries b is better."""
        frame: pd.DataFrame = _pandas().DataFrame(self.json["pairs"])
        return frame

    @property
    def queries(self) -> pd.DataFrame:
        """A row a query, a column a measure and run."""
        pandas = _pandas()
        names = [r["name"] for r in self.json["runs"]]
        measures = [m["measure"] for m in self.json["measures"]]
        columns = pandas.MultiIndex.from_product([measures, names], names=["measure", "run"])
        rows = [[v for m in measures for v in q["values"][m]] for q in self.json["queries"]]
        index = pandas.Index([q["query"] for q in self.json["queries"]], name="query_id")
        frame: pd.DataFrame = pandas.DataFrame(rows, index=index, columns=columns, dtype=float)
        return frame

    def figure(self, name: str = "intervals", *, theme: str = "light") -> Figure:
        """A figure by name, as "differences", "bars" or "queries": docs/figures.md lists them. theme is "light" or "dark".

        Files are read again for it, so it is that of the files as they are now."""
        if self._draw is None:
            raise ValueError("this comparison has no runs, only their report: call compare for figures")
        return Figure(self._draw(name, theme))

    def __str__(self) -> str:
        return self.finding

    def __repr__(self) -> str:
        return f"<rankbox.Comparison {self.hash[:12]}: {self.finding}>"

    def _repr_html_(self) -> str:
        means = self._means()
        measures = [m["measure"] for m in self.json["measures"]]
        head = ["run", *measures]
        rows = []
        for run in self.json["runs"]:
            own = {x["measure"]: x for x in means if x["run"] == run["name"]}
            rows.append([run["name"], *(_cell(own[m]) if m in own else "" for m in measures)])
        figure = self.figure().svg if self._draw else ""
        said = "".join(f"<p>{escape(s)}</p>" for s in (self.finding, self.json["note"]) if s)
        doubts = _doubts(self.warnings)
        return f"<div>{said}{_table(head, rows)}{figure}{doubts}<p><small>Hash {escape(self.hash)}</small></p></div>"


def _cell(mean: dict[str, Any]) -> str:
    if mean["low"] is None or mean["high"] is None:
        return f"{mean['mean']:.3f}"
    return f"{mean['mean']:.3f} [{mean['low']:.3f}, {mean['high']:.3f}]"
