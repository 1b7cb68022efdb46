"""Judgments and runs: from dicts, DataFrames, records, objects of ranx, and files."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

_QUERY = ("query_id", "qid", "q_id", "query")
_DOCUMENT = ("doc_id", "docno", "docid", "doc")


class RankboxError(Exception):
    """The program refused: its message, with file, line and reason."""


@dataclass(frozen=True)
class File:
    """A file that the program reads: the one at name, or data under that name."""

    name: str
    data: bytes | None = None


class _Table:
    """Numbers by query and document."""

    _values: ClassVar[tuple[str, ...]]
    _word: ClassVar[str]
    _whole: ClassVar[bool]

    def __init__(self, data: Any, name: str | None = None) -> None:
        """data is {query: {document: number}}, a DataFrame, a list of ir_measures' records, an object of ranx, or the path of a file."""
        own = getattr(data, "name", None)
        self.name: str | None = name or (own if isinstance(data, _Table) or hasattr(data, "to_dict") and isinstance(own, str) else None)
        self._kept: File = data._kept if isinstance(data, _Table) else self._file(data)

    @classmethod
    def from_dict(cls, data: Mapping[str, Mapping[str, float]], name: str | None = None) -> Any:
        """As ranx: {query: {document: number}}."""
        return cls(data, name)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], kind: str | None = None, name: str | None = None) -> Any:
        """A file in any form that rankbox reads, compressed or not. Its content decides its format: kind is taken for ranx's sake."""
        return cls(os.fspath(path), name)

    @classmethod
    def from_df(
        cls, df: Any, q_id_col: str = "q_id", doc_id_col: str = "doc_id", score_col: str = "score", name: str | None = None
    ) -> Any:
        """As ranx: a DataFrame whose columns are named."""
        return cls(_of_columns(df, q_id_col, doc_id_col, score_col), name)

    def __repr__(self) -> str:
        named = "" if self.name is None else f" {self.name!r}"
        return f"<rankbox.{type(self).__name__}{named} of {self._kept.name}>"

    def _file(self, data: Any) -> File:
        if isinstance(data, (str, os.PathLike)):
            return File(os.fspath(data))
        kind = type(self).__name__.lower()
        rows: dict[str, dict[str, int | float]] = {}
        for query, documents in self._mapping(data, kind).items():
            if not isinstance(documents, Mapping):
                raise ValueError(f"{kind}: query {query!r} has {documents!r}, want a dict of documents")
            row: dict[str, int | float] = {}
            for document, value in documents.items():
                number = float(value)
                if not math.isfinite(number) or self._whole and number != int(number):
                    raise ValueError(f"{kind}: query {query!r}, document {document!r}: {value!r} is no {self._word}")
                row[str(document)] = int(number) if self._whole else number
            rows[str(query)] = row if self._whole else dict(sorted(row.items(), key=lambda item: -item[1]))
        return File(kind + ".json", json.dumps(rows).encode())

    def _mapping(self, data: Any, kind: str) -> Mapping[Any, Any]:
        if isinstance(data, Mapping):
            return data
        if hasattr(data, "columns"):
            return _of_columns(data, *(_column(data, names) for names in (_QUERY, _DOCUMENT, self._values)))
        if hasattr(data, "to_dict"):  # of ranx
            found: Mapping[Any, Any] = data.to_dict()
            return found
        if isinstance(data, Iterable):
            return _of_rows((_field(r, _QUERY, kind), _field(r, _DOCUMENT, kind), _field(r, self._values, kind)) for r in data)
        raise TypeError(f"{kind}: {type(data).__name__} is no dict, DataFrame, list of records or path of a file")


class Qrels(_Table):
    """Judgments: grades, whole numbers, by query and document."""

    _values, _word, _whole = ("relevance", "label", "rel", "grade", "score"), "grade", True


class Run(_Table):
    """A run: scores by query and document. Its order is that of the scores."""

    _values, _word, _whole = ("score", "sim"), "score", False


def as_file(kind: type[_Table], data: Any) -> File:
    """The file that the program reads for data in any accepted form."""
    if isinstance(data, _Table) and not isinstance(data, kind):
        raise TypeError(f"want {kind.__name__}, got {data!r}")
    return kind(data)._kept


def _column(frame: Any, names: tuple[str, ...]) -> str:
    for n in names:
        if n in frame.columns:
            return n
    raise ValueError(f"the DataFrame has none of the columns {', '.join(names)}; it has {', '.join(map(str, frame.columns))}")


def _field(record: Any, names: tuple[str, ...], kind: str) -> Any:
    for n in names:
        if hasattr(record, n):
            return getattr(record, n)
    raise TypeError(f"{kind}: {record!r} has none of the fields {', '.join(names)}")


def _of_columns(frame: Any, query: str, document: str, value: str) -> dict[str, dict[str, float]]:
    for name in (query, document, value):
        if name not in frame.columns:
            raise ValueError(f"the DataFrame has no column {name}; it has {', '.join(map(str, frame.columns))}")
    return _of_rows(zip(frame[query], frame[document], frame[value], strict=True))


def _of_rows(rows: Iterable[tuple[Any, Any, Any]]) -> dict[str, dict[str, float]]:
    out: dict[str, dict[str, float]] = {}
    for q, d, v in rows:
        documents = out.setdefault(str(q), {})
        if str(d) in documents:
            raise ValueError(f"query {str(q)!r} has document {str(d)!r} twice")
        documents[str(d)] = v
    return out
