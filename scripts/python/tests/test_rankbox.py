"""Oracles: pytrec_eval-terrier 0.5.11 and ir-measures 0.4.3, called beside the package on the same data."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from pathlib import Path

import pytest

import rankbox

ir_measures = pytest.importorskip("ir_measures")
pytrec_eval = pytest.importorskip("pytrec_eval")
pd = pytest.importorskip("pandas")


def made(seed: int, queries: int = 40) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Judgments and two runs, without ties, in which a query is missing and one has nothing relevant."""
    r = random.Random(seed)
    qrels: dict[str, dict[str, int]] = {}
    runs: list[dict[str, dict[str, float]]] = [{}, {}]
    for q in range(queries):
        qrels[f"q{q}"] = {f"d{d}": r.choice([0, 0, 1, 2, 3]) if q else 0 for d in r.sample(range(60), 20)}
        for run in runs:
            documents = r.sample(range(60), 30)
            run[f"q{q}"] = {f"d{d}": r.random() * 20 - 5 + i * 1e-6 for i, d in enumerate(documents)}
    return qrels, runs[0], runs[1]


TREC = {"AP": "map", "RR": "recip_rank", "nDCG@10": "ndcg_cut_10", "nDCG": "ndcg", "P@5": "P_5", "R@20": "recall_20", "Bpref": "bpref", "Rprec": "Rprec"}


@pytest.mark.parametrize("seed", range(5))
def test_values_are_those_of_pytrec_eval(seed: int) -> None:
    qrels, run, _ = made(seed)
    got = rankbox.evaluate(qrels, run, list(TREC)).queries
    want = pytrec_eval.RelevanceEvaluator(qrels, set(TREC.values())).evaluate(run)
    assert set(got.index) == set(want)
    for query, values in want.items():
        for ours, theirs in TREC.items():
            assert math.isclose(got.loc[query, ours], values[theirs], rel_tol=1e-12, abs_tol=1e-12), (query, ours)


@pytest.mark.parametrize("seed", range(5))
def test_means_are_those_of_ir_measures(seed: int) -> None:
    qrels, run, _ = made(seed)
    names = ["nDCG@10", "AP", "AP(rel=2)", "RR", "P@5", "R@20", "Rprec", "Bpref", "Judged@10", "Success@5"]
    want = ir_measures.calc_aggregate([ir_measures.parse_measure(n) for n in names], qrels, run)
    got = rankbox.evaluate(qrels, run, names)
    assert len(want) == len(names)
    for measure, value in want.items():
        assert math.isclose(got[str(measure)], value, rel_tol=1e-9), measure


def test_dicts_frames_and_files_are_the_same(tmp_path: Path) -> None:
    qrels, run, _ = made(1)
    first = rankbox.evaluate(qrels, run, ["AP", "nDCG@10"]).queries
    frame = pd.DataFrame([(q, d, v) for q, docs in run.items() for d, v in docs.items()], columns=["qid", "docno", "score"])
    judged = pd.DataFrame([(q, d, v) for q, docs in qrels.items() for d, v in docs.items()], columns=["query_id", "doc_id", "relevance"])
    trec, file = tmp_path / "-run.txt", tmp_path / "qrels.txt"
    trec.write_text("".join(f"{q} Q0 {d} 1 {v!r} t\n" for q, docs in run.items() for d, v in docs.items()))
    file.write_text("".join(f"{q} 0 {d} {v}\n" for q, docs in qrels.items() for d, v in docs.items()))
    for q in (judged, file, str(file)):
        for r in (frame, trec):
            pd.testing.assert_frame_equal(rankbox.evaluate(q, r, ["AP", "nDCG@10"]).queries.sort_index(), first.sort_index())


def test_a_comparison_says_what_the_runs_say_alone() -> None:
    qrels, a, b = made(2)
    found = rankbox.compare(qrels, {"a b": a, "ü": b}, ["AP", "nDCG@10"], baseline="ü")
    assert found.json["baseline"] == "ü" and found.json["format"] == "rankbox-report" and len(found.hash) == 64
    for name, run in (("a b", a), ("ü", b)):
        alone = rankbox.evaluate(qrels, run, ["AP", "nDCG@10"])
        for m in ("AP", "nDCG@10"):
            row = found.means[(found.means.run == name) & (found.means.measure == m)].iloc[0]
            assert row["mean"] == alone[m] and row["low"] <= row["mean"] <= row["high"]
            pd.testing.assert_series_equal(found.queries[(m, name)].sort_index(), alone.queries[m].sort_index(), check_names=False)
    assert "ü" in found.finding and "a b" in found.finding and "run0" not in json.dumps(found.json)
    pair = found.pairs.iloc[0]
    assert {pair["a"], pair["b"]} == {"a b", "ü"} and pair["better"] + pair["worse"] + pair["equal"] == 40
    assert str(found) == found.finding and found.warnings == [*found.json["warnings"], *found.json["test"]["warnings"]]
    assert rankbox.compare(qrels, [a, b], ["AP"], baseline=1).json["baseline"] == "run 2"


def test_what_is_wrong_is_said() -> None:
    qrels, run, _ = made(3)
    with pytest.raises(rankbox.RankboxError, match="nDGC"):
        rankbox.evaluate(qrels, run, ["nDGC@10"])
    with pytest.raises(rankbox.RankboxError, match="none.txt"):
        rankbox.evaluate("none.txt", run, ["AP"])
    with pytest.raises(ValueError, match="is no score"):
        rankbox.evaluate(qrels, {"q1": {"d1": math.nan}}, ["AP"])
    with pytest.raises(ValueError, match="is no grade"):
        rankbox.evaluate({"q1": {"d1": 0.5}}, run, ["AP"])  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="columns query_id"):
        rankbox.evaluate(qrels, pd.DataFrame({"a": [1]}), ["AP"])
    with pytest.raises(ValueError, match="none of the runs"):
        rankbox.compare(qrels, {"a": run}, baseline="b")
    with pytest.raises(ValueError, match="at least one"):
        rankbox.compare(qrels, {})


def test_names_that_look_like_flags_are_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    qrels, run, _ = made(4, 3)
    monkeypatch.chdir(tmp_path)
    Path("-save=x").write_text("".join(f"{q} Q0 {d} 1 {v!r} t\n" for q, docs in run.items() for d, v in docs.items()))
    assert rankbox.evaluate(qrels, "-save=x", ["AP"])["AP"] == rankbox.evaluate(qrels, run, ["AP"])["AP"]
    assert not Path("x").exists()


def test_the_wheel_has_the_program_inside(tmp_path: Path) -> None:
    """The wheel of linux-amd64, built, unpacked and used without $RANKBOX."""
    if sys.platform != "linux":
        pytest.skip("the wheel that is tested is that of linux-amd64")
    here = Path(__file__).resolve().parent.parent
    subprocess.run([sys.executable, str(here / "build_wheel.py"), "linux-amd64", "--out", str(tmp_path)], check=True)
    (wheel,) = tmp_path.glob("rankbox-*-py3-none-manylinux*.whl")
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(tmp_path / "site"), str(wheel)], check=True)
    code = "import rankbox, sys; e = rankbox.evaluate({'q': {'d': 1}}, {'q': {'d': 1.0}}, ['AP']); print(rankbox.program(), e['AP'])"
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(tmp_path / "site")}, cwd=tmp_path, capture_output=True, text=True, check=True)
    where, value = done.stdout.split()
    assert where == str(tmp_path / "site/rankbox/rankbox-program") and value == "1.0"
