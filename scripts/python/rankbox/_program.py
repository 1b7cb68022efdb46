"""Calls of the native program: judgments and runs go into files, its JSON comes back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from ._files import File, RankboxError


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


def evaluate(qrels: File, run: File, measures: list[str], policy: str, convention: str) -> dict[str, Any]:
    args = ["eval", "-quiet", "-q", "-p", "-1", "-o", "json"]
    args += [f"-policy={policy}"] if policy else []
    args += [f"-as={convention}"] if convention else []
    return _json([*args, "--"], [qrels, run], measures)


def compare(files: list[File], names: list[str], measures: list[str], options: dict[str, str], baseline: int) -> dict[str, Any]:
    return _json(["compare", "-quiet", "-q", "-o", "json", *_options(names, measures, options, baseline), "--"], files)


def figure(files: list[File], names: list[str], measures: list[str], options: dict[str, str], baseline: int, name: str, theme: str) -> str:
    given = _options(names, measures, options, baseline)
    return _call(["compare", "figure", "-quiet", f"-theme={theme}", "-o", "svg", *given, "--", name], files)


def _options(names: list[str], measures: list[str], options: dict[str, str], baseline: int) -> list[str]:
    args = ["-m=" + " ".join(measures)] if measures else []
    args += [f"-{name}={value}" for name, value in options.items() if value]
    return [*args, f"-baseline={baseline + 1}", *(f"-run-name={name}" for name in names)]


def _json(args: list[str], files: list[File], words: list[str] | None = None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_call(args, files, words))
    return found


def _call(args: list[str], files: list[File], words: list[str] | None = None) -> str:
    with tempfile.TemporaryDirectory() as folder:
        places = []
        for i, file in enumerate(files):
            places.append(file.name)
            if file.data is not None:
                # a folder each: equal names do not meet, and errors show the name
                path = Path(folder, str(i), file.name)
                path.parent.mkdir()
                path.write_bytes(file.data)
                places[-1] = str(path)
        done = subprocess.run(
            [program(), *args, *places, *(words or [])], capture_output=True, text=True, encoding="utf-8", check=False
        )
        if done.returncode != 0:
            raise RankboxError(done.stderr.strip() or f"rankbox ended with {done.returncode}")
        return done.stdout
