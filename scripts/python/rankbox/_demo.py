"""The demo: judgments and four runs of Rankbox's collection Harbour Wire (CC0)."""

from __future__ import annotations

from pathlib import Path

from ._files import Qrels, Run

_SYSTEMS = ("bm25", "ql", "dense", "hybrid")


def demo() -> tuple[Qrels, dict[str, Run]]:
    """The judgments of Harbour Wire (44 queries, every pair graded 0 to 3), and the best 20 documents of four systems by name:
    bm25(k1=1.2,b=0.75), ql, dense, and rrf(bm25, dense, k=60)."""
    folder = Path(__file__).with_name("demo")
    runs = {name: Run.from_file(folder / f"{name}.run.gz", name=name) for name in _SYSTEMS}
    return Qrels.from_file(folder / "qrels.tsv.gz", name="Harbour Wire"), runs
