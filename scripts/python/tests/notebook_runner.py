"""Runs the cells of a notebook where Jupyter is not: in Pyodide. It needs nothing but Python."""

from __future__ import annotations

import ast
import json
import time
from pathlib import Path
from typing import Any


def run(path: str) -> dict[str, Any]:
    """What the cells show: the count of cells, of tables and of figures, and the seconds until the first figure."""
    cells = json.loads(Path(path).read_text(encoding="utf-8"))["cells"]
    scope: dict[str, Any] = {}
    shown: dict[str, Any] = {"cells": 0, "tables": 0, "figures": 0, "first": None}
    began = time.perf_counter()
    for cell in cells:
        if cell["cell_type"] != "code" or "install" in cell["metadata"].get("tags", ()):
            continue
        tree = ast.parse("".join(cell["source"]))
        last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, path, "exec"), scope)
        value = eval(compile(last, path, "eval"), scope) if last else None
        shown["cells"] += 1
        page = value._repr_html_() if hasattr(value, "_repr_html_") else ""
        drawn = value._repr_svg_() if hasattr(value, "_repr_svg_") else ""
        shown["tables"] += "<table" in page
        if "<svg " in page + drawn:
            shown["figures"] += 1
            shown["first"] = shown["first"] or time.perf_counter() - began
    return shown
