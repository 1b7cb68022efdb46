"""Python in a browser (Pyodide): calls of the core in WebAssembly, which is inside this package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ._files import File, RankboxError

_started: Any = None


def _call(name: str, *args: Any) -> Any:
    """Ask the program, which is started by the first call and again after it has ended."""
    global _started
    from pyodide.code import run_js  # type: ignore[import-not-found]
    from pyodide.ffi import to_js  # type: ignore[import-not-found]

    if _started is None or _started.ended():
        here = Path(__file__)
        core, program = here.with_name("rankbox-core.js"), here.with_name("rankbox-core.wasm")
        if not program.exists():
            raise RankboxError("this rankbox has no WebAssembly inside: install the wheel rankbox-…-py3-none-any.whl of a release")
        _started = run_js(core.read_text(encoding="utf-8"))(to_js(program.read_bytes()))
    answer, wrong = _started.call(name, *(to_js(a) for a in args))
    if wrong:
        raise RankboxError(f"rankbox: {wrong}")
    return answer


def _given(file: File) -> list[Any]:
    if file.data is not None:
        return [file.name, file.data]
    try:
        return [file.name, Path(file.name).read_bytes()]
    except OSError as error:
        raise RankboxError(f"{file.name}: {error.strerror}") from error


def evaluate(qrels: File, run: File, measures: list[str], policy: str, convention: str) -> dict[str, Any]:
    if convention:
        raise RankboxError("convention needs the native program, which does not run in a browser: use policy, or the command line")
    answer = _call("evaluation", [_given(qrels), _given(run)], ["run"], " ".join(measures), policy)
    found: dict[str, Any] = json.loads(answer.json)
    return found


def _compared(name: str, files: list[File], names: list[str], measures: list[str], options: dict[str, str], baseline: int, *more: str) -> Any:
    protocol = [word for pair in options.items() for word in pair if pair[0] != "policy" and pair[1]]
    given = [_given(f) for f in files]
    return _call(name, given, names, " ".join(measures), options["policy"], protocol, baseline, *more)


def compare(files: list[File], names: list[str], measures: list[str], options: dict[str, str], baseline: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_compared("compare", files, names, measures, options, baseline).json)
    return found


def figure(files: list[File], names: list[str], measures: list[str], options: dict[str, str], baseline: int, name: str, theme: str) -> str:
    return str(_compared("figure", files, names, measures, options, baseline, name, theme))
