"""Calls of the program: judgments and runs go into files, its JSON comes back."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, Union

import pandas as pd

from ._answers import Comparison, Evaluation

Qrels: TypeAlias = Union[Mapping[str, Mapping[str, int]], pd.DataFrame, str, "os.PathLike[str]"]
Run: TypeAlias = Union[Mapping[str, Mapping[str, float]], pd.DataFrame, str, "os.PathLike[str]"]

_QUERY = ("query_id", "qid", "q_id", "query")
_DOCUMENT = ("doc_id", "docno", "docid", "doc")
_GRADE = ("relevance", "label", "rel", "grade", "score")
_SCORE = ("score", "sim")


class RankboxError(Exception):
    """The program refused: what it said, with file, line and reason."""


def program() -> str:
    """The program that is called: $RANKBOX, the one inside this package, or that on the path."""
    if named := os.environ.get("RANKBOX"):
        return named
    here = Path(__file__).with_name("rankbox-program")
    for inside in (here, here.with_suffix(".exe")):
        if inside.exists():
            return str(inside)
    if found := shutil.which("rankbox"):
        return found
    raise RankboxError("there is no rankbox program: set $RANKBOX to it, put it on the path, or install a wheel that has it inside")


def evaluate(qrels: Qrels, run: Run, measures: Sequence[str], *, policy: str = "", convention: str = "") -> Evaluation:
    """Measure a run: evaluate(qrels, run, ["nDCG@10", "AP"]).

    policy changes conventions of the measures ("missing=skip,ties=input"); convention is the name of a tool whose values are wanted ("ranx")."""
    with tempfile.TemporaryDirectory() as folder:
        args = ["eval", "-quiet", "-q", "-p", "-1", "-o", "json"]
        if policy:
            args.append(f"-policy={policy}")
        if convention:
            args.append(f"-as={convention}")
        return Evaluation(_call([*args, "--", _file(folder, "qrels", qrels, _GRADE), _file(folder, "run", run, _SCORE), *_list(measures)]))


def compare(
    qrels: Qrels,
    runs: Mapping[str, Run] | Sequence[Run],
    measures: Sequence[str] = (),
    *,
    baseline: str | int | None = None,
    policy: str = "",
    test: str = "",
    correction: str = "",
) -> Comparison:
    """Compare runs on the same judgments: compare(qrels, {"bm25": …, "dense": …}, ["nDCG@10"], baseline="bm25").

    The first measure is tested, with the test that suits the data unless one is named. baseline is a name of runs, or a place in them from 0."""
    named = dict(runs) if isinstance(runs, Mapping) else {f"run {i + 1}": r for i, r in enumerate(runs)}
    if not named:
        raise ValueError("want at least one run")
    with tempfile.TemporaryDirectory() as folder:
        args = ["compare", "-quiet", "-q", "-o", "json"]
        if measures:
            args.append("-m=" + " ".join(_list(measures)))
        for flag, value in (("policy", policy), ("test", test), ("correction", correction)):
            if value:
                args.append(f"-{flag}={value}")
        if baseline is not None:
            place = baseline if isinstance(baseline, int) else list(named).index(baseline) if baseline in named else -1
            if not 0 <= place < len(named):
                raise ValueError(f"baseline {baseline!r} is none of the runs {list(named)}")
            args.append(f"-baseline={place + 1}")
        args += [f"-run-name={name}" for name in named]
        files = [_file(folder, f"run{i}", r, _SCORE) for i, r in enumerate(named.values())]
        return Comparison(_call([*args, "--", _file(folder, "qrels", qrels, _GRADE), *files]))


def _list(measures: Sequence[str]) -> list[str]:
    return [measures] if isinstance(measures, str) else [str(m) for m in measures]


def _file(folder: str, name: str, data: Qrels | Run, values: tuple[str, ...]) -> str:
    """The file of judgments or of a run."""
    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data)
    whole = values is _GRADE
    table = _of_frame(data, values) if isinstance(data, pd.DataFrame) else data
    out: dict[str, dict[str, int | float]] = {}
    for query, documents in table.items():
        row: dict[str, int | float] = {}
        for document, value in documents.items():
            number = float(value)
            if not math.isfinite(number) or whole and number != int(number):
                raise ValueError(f"{name}: query {query!r}, document {document!r}: {value!r} is no {'grade' if whole else 'score'}")
            row[str(document)] = int(number) if whole else number
        out[str(query)] = row if whole else dict(sorted(row.items(), key=lambda item: -item[1]))
    path = os.path.join(folder, name + ".json")
    Path(path).write_text(json.dumps(out), encoding="utf-8")
    return path


def _of_frame(frame: pd.DataFrame, values: tuple[str, ...]) -> Mapping[str, Mapping[str, float]]:
    def column(names: tuple[str, ...]) -> str:
        for n in names:
            if n in frame.columns:
                return n
        raise ValueError(f"the DataFrame has none of the columns {', '.join(names)}; it has {', '.join(map(str, frame.columns))}")

    query, document, value = column(_QUERY), column(_DOCUMENT), column(values)
    out: dict[str, dict[str, float]] = {}
    for q, d, v in zip(frame[query].astype(str), frame[document].astype(str), frame[value], strict=True):
        if d in out.setdefault(q, {}):
            raise ValueError(f"query {q!r} has document {d!r} twice")
        out[q][d] = float(v)
    return out


def _call(args: list[str]) -> dict[str, Any]:
    done = subprocess.run([program(), *args], capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise RankboxError(done.stderr.strip() or f"rankbox ended with {done.returncode}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found
