"""The notebooks, executed by Jupyter's own client, and their marimo twins."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

# marimo installs in the browser what a notebook says here
HEAD = """# /// script
# dependencies = ["marimo", "rankbox"]
# ///

"""
NOTEBOOKS = sorted((Path(__file__).resolve().parent.parent / "notebooks").glob("*.ipynb"))


def test_there_are_three() -> None:
    assert [n.stem for n in NOTEBOOKS] == ["compare", "measures", "significance"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_runs_in_jupyter(path: Path, tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    assert all(not c.get("outputs") for c in notebook.cells), "a notebook is committed without outputs"
    notebook.cells = [c for c in notebook.cells if "install" not in c.metadata.get("tags", ())]
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [o.data for c in notebook.cells for o in c.get("outputs", ()) if "data" in o]
    assert sum("<svg " in d.get("text/html", "") or "image/svg+xml" in d for d in shown) >= 2


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_twin_runs_in_marimo(path: Path, tmp_path: Path) -> None:
    pytest.importorskip("marimo")
    twin = tmp_path / "twin.py"
    subprocess.run([sys.executable, "-m", "marimo", "convert", str(path), "-o", str(twin)], check=True, capture_output=True)
    fresh = HEAD + twin.read_text(encoding="utf-8")
    if os.environ.get("RANKBOX_UPDATE"):
        path.with_suffix(".py").write_text(fresh, encoding="utf-8")
    assert path.with_suffix(".py").read_text(encoding="utf-8") == fresh, "the twin is old: RANKBOX_UPDATE=1 writes it again"
    page = tmp_path / "page.html"
    twin.write_text(fresh, encoding="utf-8")
    command = [sys.executable, "-m", "marimo", "export", "html", str(twin), "-o", str(page), "--no-sandbox"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "MarimoExceptionRaisedError" not in done.stderr and page.read_text(encoding="utf-8").count("http://www.w3.org/2000/svg") >= 2
