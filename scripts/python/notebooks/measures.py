# /// script
# dependencies = ["marimo", "rankbox"]
# ///

import marimo

__generated_with = "0.25.2"
app = marimo.App()


@app.cell
def _():
    import marimo as mo

    return (mo,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    # Measures

    What do nDCG, AP and RR say about a ranking? Here you measure four systems, then compute each measure by hand.

    The demo has 44 queries over a small newspaper, *Harbour Wire*. Every document is graded 0 to 3 for every query. Four systems ranked it: `bm25` and `ql` by words,
    `dense` by meaning, and `hybrid`, which fuses `bm25` and `dense`. To use your own files, put their names in place of `qrels` and of the values of `runs`.
    """)
    return


@app.cell
def _():
    # Cell tags: install
    # '%pip install -q rankbox' command supported automatically in marimo
    return


@app.cell
def _():
    import rankbox

    qrels, runs = rankbox.demo()
    return qrels, rankbox, runs


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Four systems

    Each mean has its 95 % interval. Select any measure: [the list](https://github.com/rankbox/rankbox/blob/main/docs/measures.md).
    """)
    return


@app.cell
def _(qrels, rankbox, runs):
    rankbox.compare(qrels, runs, ["nDCG@10", "AP", "RR"])
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## By hand

    A query has three judged documents: *a* has grade 3, *b* grade 0, *c* grade 1. The system lists *b*, *c*, *a*.
    """)
    return


@app.cell
def _(rankbox):
    grades = {"q": {"a": 3, "b": 0, "c": 1}}
    ranking = {"q": {"b": 3.0, "c": 2.0, "a": 1.0}}
    small = rankbox.evaluate(grades, ranking, ["nDCG@10", "AP", "RR", "P@2"])
    small
    return (small,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    **nDCG** adds the grades, each divided by log₂(rank + 1), and divides the sum by that of the ideal order. **AP** averages the precision at the ranks of
    relevant documents. **RR** is 1 divided by the rank of the first one.
    """)
    return


@app.cell
def _(small):
    from math import isclose, log2

    dcg = 0 / log2(2) + 1 / log2(3) + 3 / log2(4)
    ideal = 3 / log2(2) + 1 / log2(3) + 0 / log2(4)
    by_hand = {"nDCG@10": dcg / ideal, "AP": (1 / 2 + 2 / 3) / 2, "RR": 1 / 2, "P@2": 1 / 2}
    assert all(isclose(small[measure], value) for measure, value in by_hand.items())
    by_hand
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Deeper lists

    How far do you look? The figure has nDCG at growing cutoffs.
    """)
    return


@app.cell
def _(qrels, rankbox, runs):
    rankbox.compare(qrels, runs, "nDCG@10").figure("cutoffs")
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Conventions

    Tools differ in what they call nDCG. Here a grade counts as itself, as trec_eval has it. Others count 2 to its power, less 1: ranx calls that `ndcg_burges`.
    Say which one you report.
    """)
    return


@app.cell
def _(qrels, rankbox, runs):
    dense = rankbox.evaluate(qrels, runs["dense"], ["nDCG@10", "ndcg_burges@10"])
    assert dense["nDCG@10"] != dense["ndcg_burges@10"]
    dense
    return


if __name__ == "__main__":
    app.run()
