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
    # Significance

    Is one system better than another, or was it chance? Here you test one difference in four ways and correct for several pairs.

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
    ## Two systems

    The figure has one bar for each query: how much `hybrid` gains or loses against `bm25`. A mean says little if half the bars point down.
    """)
    return


@app.cell
def _(qrels, rankbox, runs):
    two = rankbox.compare(qrels, {name: runs[name] for name in ("bm25", "hybrid")}, ["nDCG@10"])
    two.figure("differences")
    return (two,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Four tests

    *p* is how often chance alone would give a difference at least as large, if the two systems were equally good.
    """)
    return


@app.cell
def _(qrels, rankbox, runs):
    tested = {}
    for test in ("t", "randomisation", "wilcoxon", "sign"):
        report = rankbox.compare(qrels, {name: runs[name] for name in ("bm25", "hybrid")}, ["nDCG@10"], test=test)
        tested[report.json["test"]["name"]] = report.json["pairs"][0]["p"]
    tested
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Intervals overlap, and the pair still differs

    Each mean varies with the queries. Both systems answer the same ones, so the paired difference varies less.
    """)
    return


@app.cell
def _(two):
    two
    return


@app.cell
def _(two):
    pair = two.json["pairs"][0]
    f"difference {pair['difference']:.3f}, 95 % interval {pair['low']:.3f} to {pair['high']:.3f}"
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Six pairs

    Four systems make six pairs. At 5 % each, chance has six tries. A correction makes up for it: `p_holm` is *p* after Holm's. Systems that share a letter
    are not significantly different. With pandas, `four.pairs` is a table.
    """)
    return


@app.cell
def _(qrels, rankbox, runs):
    four = rankbox.compare(qrels, runs, ["nDCG@10"], correction="holm")
    [(pair["a"], pair["b"], round(pair["p"], 4), round(pair["p_holm"], 4)) for pair in four.json["pairs"]]
    return (four,)


@app.cell
def _(four):
    four.figure("matrix")
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Warnings

    The report says what your queries cannot show.
    """)
    return


@app.cell
def _(four):
    four.warnings
    return


if __name__ == "__main__":
    app.run()
