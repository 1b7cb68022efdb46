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
    # Compare systems

    Which system do you ship? Here you compare four, look for the queries that decide, and share the result under a hash.

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
    ## The board
    """)
    return


@app.cell
def _(qrels, rankbox, runs):
    report = rankbox.compare(qrels, runs, ["nDCG@10", "AP", "R@20"], baseline="bm25")
    report
    return (report,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Where they differ

    One row for each query. Look for those on which the systems disagree.
    """)
    return


@app.cell
def _(report):
    report.figure("queries")
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    The five queries on which `hybrid` loses most against `bm25`:
    """)
    return


@app.cell
def _(report):
    names = [run["name"] for run in report.json["runs"]]
    before, after = names.index("bm25"), names.index("hybrid")
    change = {q["query"]: q["values"]["nDCG@10"][after] - q["values"]["nDCG@10"][before] for q in report.json["queries"]}
    sorted(change.items(), key=lambda item: item[1])[:5]
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Precision and recall
    """)
    return


@app.cell
def _(report):
    report.figure("precision-recall")
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## The same hash everywhere

    Write a run as a file and compare the file: the hash stays. The page, the command line and the npm package give it too, so a colleague can check your figures.
    """)
    return


@app.cell
def _(rankbox, report):
    mine = {"q1": {"d1": 3.0, "d2": 2.0}, "q2": {"d3": 1.5}}
    grades = {"q1": {"d2": 1}, "q2": {"d3": 2}}
    with open("mine.run", "w") as file:
        for query, documents in mine.items():
            for rank, (document, score) in enumerate(documents.items(), 1):
                file.write(f"{query} Q0 {document} {rank} {score} mine\n")
    assert rankbox.compare(grades, {"mine": mine}, "AP").hash == rankbox.compare(grades, {"mine": "mine.run"}, "AP").hash
    report.hash
    return


if __name__ == "__main__":
    app.run()
