"""What `evaluate` takes, as files for the readers."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

Data = Any
"""A path, paths, dicts, or a table that speaks Arrow."""

_NAME = "data"


def data_files(data: Data, home: str) -> tuple[list[str], dict[str, str]]:
    """Paths of the inputs, and what those made here are called in results.

    Rows are written as they come, one at a time, so a table of any size takes no memory.
    """
    if data is None:
        return [], {}
    if isinstance(data, str | os.PathLike):
        return [os.fspath(data)], {}
    if hasattr(data, "__arrow_c_stream__"):
        return _write(_arrow_rows(data), home)
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


def _arrow_rows(data: object) -> Iterable[object]:
    """Rows of a table, batch by batch."""
    try:
        import pyarrow  # noqa: PLC0415
    except ImportError as error:
        raise TypeError("tables of Arrow are read by pyarrow, which is not installed") from error
    with pyarrow.RecordBatchReader.from_stream(data) as batches:
        for batch in batches:
            yield from batch.to_pylist()


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
