"""What `evaluate` takes: files, a table, or rows, which become a file for the readers."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

Data = Any
"""A path, paths, dicts, or a table that speaks Arrow."""

_NAME = "data"


def is_table(data: Data) -> bool:
    """Whether ``data`` is a table that speaks Arrow, which is read where it lies."""
    return hasattr(data, "__arrow_c_stream__")


def data_files(data: Data, home: str) -> tuple[list[str], dict[str, str]]:
    """Paths of the inputs, and what those made here are called in results.

    Rows are written as they come, one at a time, so any number of them takes no memory.
    """
    if data is None or is_table(data):
        return [], {}
    if isinstance(data, str | os.PathLike):
        return [os.fspath(data)], {}
    if isinstance(data, Iterable) and not isinstance(data, Mapping | bytes):
        rows = iter(data)
        first = next(rows, None)
        if isinstance(first, str | os.PathLike):
            return [os.fspath(path) for path in (first, *rows)], {}
        return _write(_chain(first, rows), home)
    raise TypeError(f"no data: {type(data).__name__}; give paths, dicts or a table")


def _chain(first: object, rows: Iterable[object]) -> Iterable[object]:
    if first is not None:
        yield first
    yield from rows


def _write(rows: Iterable[object], home: str) -> tuple[list[str], dict[str, str]]:
    path = os.path.join(home, f"{_NAME}.jsonl")
    with open(path, "w", encoding="utf-8", errors="surrogatepass") as out:
        for number, row in enumerate(rows):
            if not isinstance(row, Mapping):
                raise TypeError(f"row {number} is no dict but {type(row).__name__}")
            json.dump(dict(row), out, ensure_ascii=False, default=_plain)
            out.write("\n")
    return [path], {path: _NAME}


def _plain(value: Any) -> Any:
    """Turn what is no JSON into it: numbers and arrays of NumPy's, and the text of all else."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return str(value)
