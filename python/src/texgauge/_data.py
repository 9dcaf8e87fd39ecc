"""Inputs of `evaluate`: files, rows or a data frame; rows become a file for the readers."""

from __future__ import annotations

import glob
import importlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Optional, Union

from texgauge import _core
from texgauge._files import Path

Data = Any
"""A path, paths, dicts, pairs, results, or a data frame; or these by model."""

References = Union[Path, Sequence[Union[Path, Sequence[str], None]]]
"""A path, paths, or texts, where several are right a list of them."""

Predictions = Union[Path, Sequence[Optional[Path]]]
"""A path, paths, or texts."""

Pairs = tuple[Sequence[Any], Sequence[Any]]

_NAME = "data"
_BATCH = 8192  # rows


def model_files(data: Data, home: str) -> tuple[list[str], dict[str, str]]:
    """Paths of the inputs, and what those made here are called in results.

    A mapping has the data of each model: its inputs are ``MODEL=PATH``.
    """
    if not isinstance(data, Mapping):
        return _files(data, os.path.join(home, f"{_NAME}.jsonl"), _NAME)
    inputs: list[str] = []
    names: dict[str, str] = {}
    for number, (model, one) in enumerate(data.items(), start=1):
        if not isinstance(model, str) or not model or "=" in model:
            raise ValueError(f"{model!r} cannot be a model's name: it is a text without '='")
        is_text = isinstance(one, str) and not glob.has_magic(one) and not os.path.exists(one)
        if is_text or (isinstance(one, (list, tuple)) and isinstance(next(iter(one), None), str)):
            raise TypeError(
                f"the data of {model!r} are texts, and no file; give references=[...] and "
                f"predictions={{{model!r}: [...]}}, or pairs, dicts or a data frame"
            )
        paths, own = _files(one, os.path.join(home, f"{number}.jsonl"), model)
        inputs += [f"{model}={path}" for path in paths]
        names |= own
    return inputs, names


def _files(data: Data, place: str, name: str) -> tuple[list[str], dict[str, str]]:
    """Paths of the inputs; rows are written to ``place``, which is called ``name``.

    They are written as they come, one at a time, so any number of them takes no memory.
    """
    if data is None:
        return [], {}
    if isinstance(data, (str, os.PathLike)):
        if is_parquet(data):
            return _write(_parquet_rows(data), place, name)
        return [os.fspath(data)], {}
    rows = data._inputs() if hasattr(data, "_inputs") else frame_rows(data)
    if isinstance(data, (set, frozenset)):
        raise TypeError("data must be in an order, as in a list: not a set")
    if rows is None and isinstance(data, Iterable) and not isinstance(data, (Mapping, bytes)):
        rows = iter(data)
    if rows is None:
        raise TypeError(
            f"no data: {type(data).__name__}; give paths, dicts, pairs, a data frame, or a dict "
            "of these by model"
        )
    first = next(rows, None)
    if isinstance(first, (str, os.PathLike)):
        return [os.fspath(path) for path in (first, *rows)], {}
    return _write(_chain(first, rows), place, name)


def is_parquet(path: Path) -> bool:
    """Whether a file is one of Parquet by its name, which the program does not read."""
    return os.fspath(path).lower().endswith((".parquet", ".pq"))


def _parquet_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    parquet = optional("pyarrow.parquet", "Parquet files")
    return _arrow_rows(parquet.ParquetFile(os.fspath(path)).iter_batches(_BATCH))


def parquet_files(files: Sequence[str], home: str, names: dict[str, str]) -> list[str]:
    """Write files of Parquet, which may be ``MODEL=FILE``, as lines of JSON; note their names."""
    made = []
    for file in files:
        model, equals, path = ("", "", file) if os.path.exists(file) else file.rpartition("=")
        if is_parquet(path):
            # models are named by what differs in paths
            stem = os.path.splitext(os.path.abspath(path))[0].lstrip(os.sep)
            target = os.path.join(home, "parquet", f"{stem}.jsonl")
            os.makedirs(os.path.dirname(target), exist_ok=True)
            names |= _write(_parquet_rows(path), target, path)[1]
            path = target
        made.append(f"{model}{equals}{path}")
    return made


def pair_rows(
    references: Any, predictions: Any
) -> tuple[Pairs | None, tuple[list[str], list[str]], Iterator[dict[str, Any]] | None]:
    """Tell texts from files: (lists of texts, files of both sides, rows of several models)."""
    if references is None and predictions is None:
        return None, ([], []), None
    if references is None or predictions is None:
        raise TypeError("references and predictions belong together: one of them is missing")
    models = dict(predictions) if isinstance(predictions, Mapping) else {None: predictions}
    for side in (references, *models.values()):
        if isinstance(side, (set, frozenset, Mapping)):
            kind = type(side).__name__
            raise TypeError(f"texts must be in an order, as in a list: not a {kind}")
    if isinstance(references, (str, os.PathLike)):
        files = [os.fspath(references)]
    else:
        references = list(references)
        models = {m: p if isinstance(p, (str, os.PathLike)) else list(p) for m, p in models.items()}
        if not any(isinstance(one, os.PathLike) for one in references):
            return _texts(references, models)
        files = [os.fspath(path) for path in references]
    answers = [
        path if model is None else f"{model}={path}"
        for model, paths in models.items()
        for path in _paths(paths)
    ]
    return None, (files, answers), None


def _paths(paths: Any) -> list[str]:
    one = isinstance(paths, (str, os.PathLike))
    return [os.fspath(path) for path in ([paths] if one else paths)]


def _texts(
    references: list[Any], models: dict[Any, Any]
) -> tuple[Pairs | None, tuple[list[str], list[str]], Iterator[dict[str, Any]] | None]:
    for predictions in models.values():
        if isinstance(predictions, str) or any(isinstance(p, os.PathLike) for p in predictions):
            raise TypeError("predictions are files, but references are texts")
        if len(predictions) != len(references):
            raise usage_error(f"{len(references)} references, but {len(predictions)} predictions")
        both = [*references[:1], *predictions[:1]]
        if both and all(isinstance(text, str) and os.path.isfile(text) for text in both):
            raise TypeError(f"{both[0]!r} is a file: give files as pathlib.Path, texts as str")
    if None in models:
        return (references, models[None]), ([], []), None
    rows = (
        {"id": str(i), "gt": reference, "pred": prediction, "model": model}
        for i, reference in enumerate(references, start=1)
        for model, prediction in ((model, texts[i - 1]) for model, texts in models.items())
    )
    return None, ([], []), rows


def optional(module: str, what: str) -> Any:
    """Import a library that the package does not need otherwise."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        install = "'texgauge[frames]'" if module == "narwhals" else module.partition(".")[0]
        raise ImportError(
            f"{what} need {module}, which is not installed: pip install {install}"
        ) from error


def frame_rows(data: Data) -> Iterator[Mapping[str, Any]] | None:
    """Give the rows of a data frame, or None where it is none. What is missing is None in them.

    PyArrow's tables and readers are read batch by batch, other frames by narwhals, what only
    has Arrow's interface by PyArrow.
    """
    if hasattr(data, "to_pylist"):  # PyArrow's table, batch or array of structs
        return _arrow_rows(data.to_reader(_BATCH) if hasattr(data, "to_reader") else [data])
    if hasattr(data, "read_next_batch"):
        return _arrow_rows(data)
    if hasattr(type(data), "columns"):
        return _narwhals_rows(optional("narwhals", "data frames"), data)
    if hasattr(data, "__arrow_c_stream__"):
        pyarrow = optional("pyarrow", "tables by Arrow's interface")
        return _arrow_rows(pyarrow.RecordBatchReader.from_stream(data))
    return None


def _arrow_rows(batches: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
    for batch in batches:
        yield from batch.to_pylist()


def _narwhals_rows(narwhals: Any, data: Data) -> Iterator[Mapping[str, Any]]:
    frame = narwhals.from_native(data)
    if isinstance(frame, narwhals.LazyFrame):
        frame = frame.collect()
    for row in frame.iter_rows(named=True, buffer_size=_BATCH):
        yield {name: None if _is_missing(value) else value for name, value in row.items()}


def _is_missing(value: Any) -> bool:
    """Whether it is what pandas has for a value that is not there."""
    return type(value).__name__ in ("NAType", "NaTType") or (
        isinstance(value, float) and value != value  # noqa: PLR0124
    )


def usage_error(message: str) -> _core.Error:
    """Give the error of a call that is wrong."""
    error = _core.Error(message)
    error.code = "usage"
    return error


def comma_list(value: str | Iterable[str], name: str, of: str) -> str:
    """Give texts as an option takes them; ``name`` and ``of`` are for the error."""
    texts = [value] if isinstance(value, str) else value
    if isinstance(texts, Iterable) and not isinstance(texts, (Mapping, bytes)):
        texts = list(texts)
        if all(isinstance(text, str) for text in texts):
            return ",".join(texts)
    shown = (
        [type(one).__name__ for one in texts] if isinstance(texts, list) else type(value).__name__
    )
    raise TypeError(f"{name} is {of}, or a list of them; not {shown}")


def human_groups(human: Any) -> list[str]:
    """Give the groups of human scores as the option takes them."""
    if human is not None and not isinstance(human, Mapping):
        kind = type(human).__name__
        raise TypeError(f'human is a dict such as {{"raters": ["r1", "r2"]}}; not {kind}')
    return [
        f"{group}={comma_list(of, f'human[{group!r}]', 'a field')}"
        for group, of in (human or {}).items()
    ]


def _chain(first: object, rows: Iterable[object]) -> Iterable[object]:
    if first is not None:
        yield first
    yield from rows


_SIDES = ("gt", "pred")
_BYTES = (bytes, bytearray, memoryview)


def _write(rows: Iterable[object], path: str, name: str) -> tuple[list[str], dict[str, str]]:
    encode = json.JSONEncoder(ensure_ascii=False, default=_plain).encode
    with open(path, "w", encoding="utf-8", errors="surrogatepass") as out:
        for number, row in enumerate(rows):
            if isinstance(row, (tuple, list)) and len(row) == len(_SIDES):
                row = dict(zip(_SIDES, row))  # noqa: PLW2901
            if not isinstance(row, Mapping):
                raise TypeError(f"row {number} is no dict or pair but {type(row).__name__}")
            out.write(encode(row if type(row) is dict else dict(row)) + "\n")
    return [path], {path: name}


def _plain(value: Any) -> Any:
    """Turn what is no JSON into it: arrays of NumPy's, and what has a text, such as a date.

    What has none is an empty object, which is never taken for a formula.
    """
    if _is_missing(value):
        return None
    if hasattr(value, "tolist"):
        return value.tolist()
    text_of: object = type(value).__str__
    return str(value) if text_of is not object.__str__ and not isinstance(value, _BYTES) else {}
