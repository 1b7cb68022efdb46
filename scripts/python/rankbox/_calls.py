"""The calls: arguments in the forms of this package, of ranx and of ir_measures."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ._answers import Comparison, Evaluation
from ._files import Qrels, Run, as_file

if sys.platform == "emscripten":
    from . import _core as _backend
else:
    from . import _program as _backend

# ranx's names of tests
_TESTS = {"student": "t", "fisher": "randomisation"}


class Metric(NamedTuple):
    """The value of a measure for a query, as ir_measures has it."""

    query_id: str
    measure: Any
    value: float


def evaluate(
    qrels: Any, run: Any, measures: Any = (), *, metrics: Any = None, policy: str = "", convention: str = ""
) -> Evaluation:
    """Measure a run: evaluate(qrels, run, ["nDCG@10", "AP"]).

    measures are in the notation of ir_measures, ranx or trec_eval, in a list or in one string; ranx's word metrics is taken too.
    policy changes conventions of the measures ("missing=skip,ties=input"); convention names a tool to compute as ("ranx")."""
    asked = _list(measures if metrics is None else metrics)
    if not asked:
        raise ValueError("want at least one measure, as nDCG@10")
    return Evaluation(_backend.evaluate(as_file(Qrels, qrels), as_file(Run, run), asked, policy, convention), tuple(asked))


def compare(
    qrels: Any,
    runs: Mapping[str, Any] | Sequence[Any],
    measures: Any = (),
    *,
    metrics: Any = None,
    baseline: str | int | None = None,
    policy: str = "",
    test: str = "",
    stat_test: str = "",
    correction: str = "",
) -> Comparison:
    """Compare runs on the same judgments: compare(qrels, {"bm25": …, "dense": …}, ["nDCG@10"], baseline="bm25").

    The first measure is tested, with the test that suits the data unless one is named. baseline is a name of runs, or a place in them from 0.
    ranx's words metrics and stat_test ("student", "fisher") are taken too."""
    named = _named(runs)
    if not named:
        raise ValueError("want at least one run")
    names = list(named)
    place: Any = 0 if baseline is None else baseline
    if isinstance(place, str):
        place = names.index(place) if place in named else -1
    if not 0 <= place < len(names):
        raise ValueError(f"baseline {baseline!r} is none of the runs {names}")
    options = {"policy": policy, "test": test or _TESTS.get(stat_test, stat_test), "correction": correction}
    files = [as_file(Qrels, qrels), *(as_file(Run, r) for r in named.values())]
    asked = _list(measures if metrics is None else metrics)
    given = (files, names, asked, options, place)
    return Comparison(_backend.compare(*given), lambda name, theme: _backend.figure(*given, name, theme))


def calc_aggregate(measures: Iterable[Any], qrels: Any, run: Any) -> dict[Any, float]:
    """As ir_measures: the mean of each measure, under the object or the notation that was given."""
    asked = list(measures)
    found = evaluate(qrels, run, [str(m) for m in asked])
    return {m: found[str(m)] for m in asked}


def iter_calc(measures: Iterable[Any], qrels: Any, run: Any) -> Iterator[Metric]:
    """As ir_measures: the value of each measure for each query."""
    asked = list(measures)
    found = evaluate(qrels, run, [str(m) for m in asked])
    for query, values in found.json["queries"].items():
        for m in asked:
            yield Metric(query, m, float(values[found.name(str(m))]))


def _named(runs: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    """Runs of a list have their own names, as ranx's have, or "run 1", "run 2"."""
    if isinstance(runs, Mapping):
        return {str(name): run for name, run in runs.items()}
    out: dict[str, Any] = {}
    for i, given in enumerate(runs):
        run = given if isinstance(given, Run) else Run(given)
        name = run.name or f"run {i + 1}"
        if name in out:
            raise ValueError(f"two runs have the name {name!r}")
        out[name] = run
    return out


def _list(measures: Any) -> list[str]:
    given = [measures] if isinstance(measures, str) or not isinstance(measures, Iterable) else measures
    return list(dict.fromkeys(str(m) for m in given))
