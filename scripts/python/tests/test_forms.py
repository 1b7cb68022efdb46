"""The argument forms of ranx 0.3.21 and ir-measures 0.4.3, with their values beside ours on the same data."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from test_rankbox import made

import rankbox

ranx = pytest.importorskip("ranx")
ir_measures = pytest.importorskip("ir_measures")
pd = pytest.importorskip("pandas")

RANX = ["ndcg@10", "ndcg_burges@10", "map@100", "mrr", "precision@5", "recall@20", "hit_rate@3", "r-precision", "f1@10", "precision@10-l2"]


@pytest.mark.parametrize("seed", range(5))
def test_measures_in_ranxs_notation_have_its_values(seed: int) -> None:
    qrels, run, _ = made(seed)
    want = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), RANX)
    got = rankbox.evaluate(rankbox.Qrels(qrels), rankbox.Run(run), metrics=RANX)
    assert len(want) == len(RANX)
    for measure, value in want.items():
        assert math.isclose(got[measure], value, rel_tol=1e-9, abs_tol=1e-12), measure


def test_ranxs_objects_and_constructors() -> None:
    qrels, a, b = made(1)
    rows = [(q, d, v) for q, docs in a.items() for d, v in docs.items()]
    frame = pd.DataFrame(rows, columns=["q", "d", "s"])
    judged = pd.DataFrame([(q, d, v) for q, docs in qrels.items() for d, v in docs.items()], columns=["q_id", "doc_id", "score"])
    want = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(a), "ndcg@10")
    for q in (rankbox.Qrels.from_dict(qrels), rankbox.Qrels.from_df(judged), ranx.Qrels(qrels)):
        for r in (rankbox.Run.from_df(frame, q_id_col="q", doc_id_col="d", score_col="s"), ranx.Run(a, name="a"), rankbox.Run.from_dict(a)):
            assert math.isclose(float(rankbox.evaluate(q, r, "ndcg@10")), want, rel_tol=1e-12)
    runs = [ranx.Run(a, name="model a"), rankbox.Run.from_dict(b, name="model b")]
    found = rankbox.compare(ranx.Qrels(qrels), runs=runs, metrics=["map", "mrr"], stat_test="fisher")
    assert [r["name"] for r in found.json["runs"]] == ["model a", "model b"]
    assert "randomisation" in found.json["test"]["name"]
    assert found.hash == rankbox.compare(qrels, {"model a": a, "model b": b}, "AP RR", test="randomisation").hash


def test_students_p_is_ranxs() -> None:
    qrels, a, b = made(2)
    theirs = ranx.compare(ranx.Qrels(qrels), [ranx.Run(a, name="a"), ranx.Run(b, name="b")], ["ndcg@10"], stat_test="student")
    p = theirs.comparisons[frozenset({"a", "b"})]["ndcg@10"]["p_value"]
    ours = rankbox.compare(qrels, {"a": a, "b": b}, metrics=["ndcg@10"], stat_test="student").json["pairs"][0]
    assert math.isclose(ours["p"], p, rel_tol=1e-9), ours


def test_files_by_ranxs_names(tmp_path: Path) -> None:
    qrels, run, _ = made(3)
    ranx.Qrels(qrels).save(str(tmp_path / "qrels.json"))
    ranx.Run(run).save(str(tmp_path / "run.trec"), kind="trec")
    q, r = rankbox.Qrels.from_file(str(tmp_path / "qrels.json"), kind="json"), rankbox.Run.from_file(tmp_path / "run.trec", kind="trec", name="own")
    assert r.name == "own"
    assert rankbox.evaluate(q, r, "AP").json == rankbox.evaluate(qrels, run, "AP").json


def test_ir_measures_calls(tmp_path: Path) -> None:
    qrels, run, _ = made(4)
    measures = [ir_measures.nDCG @ 10, ir_measures.AP(rel=2), ir_measures.P @ 5, ir_measures.RR, ir_measures.Success @ 5]
    want = ir_measures.calc_aggregate(measures, qrels, run)
    judged = [ir_measures.Qrel(q, d, v, "0") for q, docs in qrels.items() for d, v in docs.items()]
    scored = [ir_measures.ScoredDoc(q, d, v) for q, docs in run.items() for d, v in docs.items()]
    for q, r in ((qrels, run), (judged, scored), (pd.DataFrame(judged), pd.DataFrame(scored)), (iter(judged), iter(scored))):
        got = rankbox.calc_aggregate(measures, q, r)
        assert list(got) == measures
        for m in measures:
            assert math.isclose(got[m], want[m], rel_tol=1e-9), m
    theirs = {(x.query_id, x.measure): x.value for x in ir_measures.iter_calc(measures, qrels, run)}
    ours = {(x.query_id, x.measure): x.value for x in rankbox.iter_calc(measures, qrels, run)}
    assert ours.keys() == theirs.keys()
    assert all(math.isclose(ours[k], theirs[k], rel_tol=1e-9, abs_tol=1e-12) for k in theirs)


def test_one_hash_for_every_form(tmp_path: Path) -> None:
    """Files at the command line and the same numbers as dicts here."""
    qrels, a, b = made(5)
    for name, run in (("a", a), ("b", b)):
        (tmp_path / name).write_text("".join(f"{q} Q0 {d} 1 {v!r} t\n" for q, docs in run.items() for d, v in docs.items()))
    (tmp_path / "qrels").write_text("".join(f"{q} 0 {d} {v}\n" for q, docs in qrels.items() for d, v in docs.items()))
    args = [rankbox.program(), "compare", "-quiet", "-o", "json", "-m", "nDCG@10 AP", "qrels", "a", "b"]
    done = subprocess.run(args, cwd=tmp_path, capture_output=True, text=True, check=True)
    found = rankbox.compare(qrels, {"a": a, "b": b}, ["nDCG@10", "AP"])
    assert f'"hash":"{found.hash}"' in done.stdout.replace(" ", "")


def test_notebooks_show_figures(tmp_path: Path) -> None:
    qrels, a, b = made(6)
    found = rankbox.compare(qrels, {"<b>": a, "b": b}, ["nDCG@10", "AP"])
    page = found._repr_html_()
    assert "<svg " in page and found.hash in page and "&lt;b&gt;" in page and "<b>" not in page
    assert page.count("padding:") == page.count("<td ") + page.count("<th ") == 9  # marimo pads no cell
    figure = found.figure("differences", theme="dark")
    assert figure._repr_svg_().startswith("<svg ") and figure.svg != found.figure("differences").svg
    figure.save(tmp_path / "f.svg")
    assert (tmp_path / "f.svg").read_text(encoding="utf-8") == str(figure)
    one = rankbox.evaluate(qrels, a, ["nDCG@10"])
    assert f"{float(one):.4f}" in one._repr_html_() and dict(one) == {"nDCG@10": float(one)}
    with pytest.raises(rankbox.RankboxError, match="pie"):
        found.figure("pie")
    with pytest.raises(TypeError, match="name one"):
        float(rankbox.evaluate(qrels, a, ["nDCG@10", "AP"]))


def test_pandas_is_optional(tmp_path: Path) -> None:
    code = """import sys; sys.modules["pandas"] = None
import rankbox
e = rankbox.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["RR"])
print(e["RR"], len(e._repr_html_()) > 0)
try: e.means
except ImportError as error: print(error)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1.0 True\nDataFrames need pandas: pip install pandas. Without it, use .json\n"


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        ([("q", "d", 1)], TypeError, "none of the fields query_id"),
        (3, TypeError, "no dict, DataFrame, list of records or path"),
        ({"q": 1}, ValueError, "want a dict of documents"),
        (rankbox.Run({"q": {"d": 1.0}}), TypeError, "want Qrels"),
    ],
)
def test_wrong_judgments_are_refused(data: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        rankbox.evaluate(data, {"q": {"d": 1.0}}, ["AP"])
