"""Runs over whole data sets, and what is made from their results."""

from __future__ import annotations

import html
import itertools
import json
import os
import pathlib
import shutil
import tempfile
import warnings
import weakref
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from texgauge import _core
from texgauge._data import Data, data_files, optional
from texgauge._files import Path, new_file
from texgauge._progress import Progress, watch

_BATCH = 8192  # rows


class Tables:
    """Tables of numbers: ``str()`` for people, `data` for programs, and the forms for papers."""

    def __init__(self, forms: Mapping[str, str]) -> None:
        self._forms = forms

    @property
    def data(self) -> Any:
        """Every number, as the JSON of the command line program has them."""
        return json.loads(self._forms["json"])

    @property
    def csv(self) -> str:
        """The tables as CSV."""
        return self._forms["csv"]

    @property
    def markdown(self) -> str:
        """The tables as Markdown."""
        return self._forms["md"]

    @property
    def latex(self) -> str:
        """The tables as LaTeX."""
        return self._forms["latex"]

    def __str__(self) -> str:
        return self._forms["table"]

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


class Results:
    """The results of a run: every pair's scores, and what follows from them.

    They lie in a file in the format of ``texgauge eval -o``, a temporary one unless they were
    loaded, and are read from there. Where PyArrow is installed they are a table to whatever reads
    Arrow: ``pyarrow.table(results)``, ``polars.DataFrame(results)``.
    """

    def __init__(
        self, path: Path, *, names: Mapping[str, str] | None = None, edited: bool = False
    ) -> None:
        self.path = pathlib.Path(path)
        self.edited = edited
        self._names = dict(names or {})
        self.mean: str | None = None
        self.by: tuple[str, ...] = ()
        self.faults: tuple[str, ...] = ()
        self._header = next(self._lines(), {})

    @property
    def signatures(self) -> dict[str, str]:
        """How each metric's numbers came about; belongs beside them."""
        return {metric["label"]: metric["signature"] for metric in self._header["metrics"]}

    @property
    def columns(self) -> list[str]:
        """All columns of all metrics."""
        return [column["name"] for m in self._header["metrics"] for column in m["columns"]]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every pair as a dict, as ``results.jsonl`` has it."""
        return (line for line in self._lines() if "row" in line)

    def _lines(self) -> Iterator[dict[str, Any]]:
        """Every line without its checksum, which must fit unless the results are edited ones."""
        crc = 0
        is_checked = not self.edited
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                value = json.loads(line)
                if not isinstance(value, dict):
                    raise _core.Error(f"{self.path}:{number}: not an object")
                if number == 1:
                    is_checked = is_checked and value.get("texgauge_results", 1) > 1
                if is_checked:
                    whole, crc = _sealed(_body(line), crc)
                    if line.rstrip(b"\r\n") != whole.rstrip(b"\n"):
                        raise _core.Error(
                            f"{self.path}:{number}: is not as its run wrote it: the checksum "
                            "differs, so it is damaged, edited or of another run; take it as it is "
                            "with edited=True"
                        )
                value.pop("crc", None)
                yield value

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.rows()

    def records(self) -> list[dict[str, Any]]:
        """Every pair as a flat dict, for ``pandas.DataFrame`` and the like."""
        return [_flat(row) for row in self.rows()]

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Give every pair as a row of a table, batch by batch, for any library that reads Arrow.

        The columns are those of `records`; a score that is undefined is null. Stored fields that
        are numbers in every row are numbers, all others are text. PyArrow makes it.
        """
        pyarrow = optional("pyarrow", "tables of results")
        text, number = pyarrow.string(), pyarrow.float64()
        fields = {"row": pyarrow.int64()} | dict.fromkeys(("id", "model", "subset"), text)
        fields |= {"gt": pyarrow.list_(text), "pred": text}
        stored = {name: number if n else text for name, n in self._stored_numbers().items()}
        fields |= stored | fields
        fields |= dict.fromkeys(self.columns, number)
        fields |= {f"{label}.status": text for label in self.signatures}
        schema = pyarrow.schema(fields.items())
        casts = [
            (name, float if kind == number else _text)
            for name, kind in fields.items()
            if kind in (text, number)
        ]

        def batches(rows: Iterator[dict[str, Any]]) -> Iterator[Any]:
            while batch := list(itertools.islice(rows, _BATCH)):
                for row in batch:
                    for name, cast in casts:
                        row[name] = None if row.get(name) is None else cast(row[name])
                yield pyarrow.RecordBatch.from_pylist(batch, schema)

        reader = pyarrow.RecordBatchReader.from_batches(schema, batches(map(_flat, self.rows())))
        return reader.__arrow_c_stream__(requested_schema)

    def _stored_numbers(self) -> dict[str, bool]:
        """Names of the stored fields, and whether all their values are numbers or missing."""
        numbers: dict[str, bool] = {}
        for row in self.rows():
            for name, value in (row.get("stored") or {}).items():
                is_number = value is None or type(value) in (int, float)
                numbers[name] = numbers.get(name, True) and is_number
        return numbers

    @property
    def summary(self) -> list[dict[str, Any]]:
        """The values of each model, subset and value of `by`, as ``--summary json`` has them."""
        rows: list[dict[str, Any]] = json.loads(self.format("json"))["summary"]
        return rows

    def __getitem__(self, column: str) -> float:
        """Give the value of a column over all pairs, where there is one model."""
        rows: list[dict[str, Any]] = json.loads(self.format("json", by=()))["summary"]
        everything = [row for row in rows if row["subset"] == "all"]
        if len(everything) != 1:
            raise KeyError(f"{len(everything)} models; take the value from summary")
        value = everything[0]["scores"][column]
        return float("nan") if value is None else float(value)

    def format(
        self,
        style: str = "table",
        *,
        percent: bool = False,
        digits: int | None = None,
        all_columns: bool = False,
        mean: str | None = None,
        by: Sequence[str] | None = None,
        confidence: bool = False,
    ) -> str:
        """Write the summary as ``table``, ``json``, ``csv``, ``md`` or ``latex``.

        ``mean`` and ``by`` are as for `evaluate`; without them, as the run had them. ``confidence``
        adds bootstrap intervals.
        """
        how = {
            "summary": style,
            "percent": percent,
            "digits": digits,
            "all": all_columns,
            "mean": self.mean if mean is None else mean,
            "by": list(self.by if by is None else by),
            "confidence": confidence,
            "edited": self.edited,
        }
        return _core.summary([os.fspath(self.path)], how)

    def __str__(self) -> str:
        return self.format()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        heads = ["model", "subset", "pairs", *self.signatures]
        lines = [_html_row("th", heads)]
        for row in self.summary:
            values = [row["scores"][label] for label in self.signatures]
            shown = ["" if value is None else f"{value:.4f}" for value in values]
            lines.append(_html_row("td", [row["model"] or "", row["subset"], row["pairs"], *shown]))
        return "<table>" + "".join(lines) + "</table>"

    def save(self, path: Path, *, force: bool = False) -> None:
        """Write the results as ``texgauge eval -o`` writes them, byte for byte.

        They take the place of other results, and with ``force`` of any file but an input.
        """
        inputs = [self.path, *self._header["inputs"]]
        mark = b'"texgauge_results"'
        with (
            new_file(path, mark=mark, inputs=inputs, force=force) as out,
            self.path.open("rb") as source,
        ):
            crc = 0
            for number, line in enumerate(source):
                if not self._names:
                    out.write(line)
                    continue
                body = _body(line)
                if number == 0 or line.startswith(b'{"end"'):
                    body = _rename(body, self._names)
                sealed, crc = _sealed(body, crc)  # of all lines, as they go on from the header's
                out.write(sealed)

    def compare(self, *others: Results, **options: Any) -> Tables:
        """Compare the models of these results, and of others; see `compare`."""
        return compare(self, *others, **options)

    def study(self, **options: Any) -> Tables:
        """Correlate the metrics with human scores; see `study`."""
        return study(self, **options)

    def report(self, *outputs: Path, **options: Any) -> None:
        """Write a report; see `report`."""
        report(self, outputs=outputs, **options)


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    flat = {key: row.get(key) for key in ("row", "id", "model", "subset", "gt", "pred")}
    flat.update((row.get("stored") or {}) | flat)  # a field of the data takes no place of ours
    flat.update(row["scores"])
    flat.update({f"{label}.status": status for label, status in row["status"].items()})
    return flat


def _pair(row: Mapping[str, Any]) -> dict[str, Any]:
    """Give what a row of results was made from."""
    pair = {key: row.get(key) for key in ("id", "model", "subset", "gt", "pred", "human")}
    return pair | (row.get("stored") or {})


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _html_row(tag: str, cells: Iterable[object]) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(str(c))}</{tag}>" for c in cells) + "</tr>"


def _body(line: bytes) -> bytes:
    """Give the part of a line of results that its checksum is of."""
    return line.rpartition(b',"crc":')[0]


def _sealed(body: bytes, crc: int) -> tuple[bytes, int]:
    """Give the line with this body, after lines with the checksum ``crc``, and its own checksum."""
    crc = zlib.crc32(body, crc)
    return b'%s,"crc":"%08x"}\n' % (body, crc), crc


def _rename(line: bytes, names: Mapping[str, str]) -> bytes:
    for path, name in names.items():
        line = line.replace(
            json.dumps(path, ensure_ascii=False).encode(), json.dumps(name).encode()
        )
    return line


def evaluate(
    data: Data = None,
    *,
    metrics: str | Sequence[str],
    truths: Path | Sequence[Path] | None = None,
    predictions: Path | Mapping[str, Path | Sequence[Path]] | None = None,
    reference: str | None = None,
    prediction: str | None = None,
    id: str | None = None,
    model: str | None = None,
    subset: str | None = None,
    human: Mapping[str, Sequence[str]] | None = None,
    columns: Sequence[str] | None = None,
    by: Sequence[str] = (),
    model_name: str | None = None,
    format: str | None = None,
    undefined: str | None = None,
    keep_delimiters: bool = False,
    clean: str | None = None,
    token_ids: bool = False,
    allow_duplicates: bool = False,
    edited: bool = False,
    detail: bool = False,
    pair_timeout: float = 0,
    mean: str | None = None,
    threads: int = 0,
    progress: Progress = False,
) -> Results:
    r"""Score a data set with several metrics.

    ``data`` is a path or a list of paths (all formats of ``texgauge eval``), a list of dicts, other
    results, or a data frame (pandas, Polars, DuckDB and the like, read by narwhals; PyArrow). Or
    ``truths`` and ``predictions`` name files that are joined by id; ``predictions`` may be
    ``{"model": path, ...}``.

    ``reference``, ``prediction``, ``id``, ``model``, ``subset`` name fields where the usual names
    are not used; ``human={"group": ["field", ...]}`` names human scores, ``columns`` other fields
    to keep (without it all numbers, truth values and short texts), ``by`` those by whose values the
    summary has rows. ``mean`` is over what values are means: ``pairs``, ``pages``, ``subsets``, or
    ``pages=FIELD`` with the field that names a pair's page. ``clean`` names what is taken off
    formulas first, such as ``fences,dollars``. ``edited`` also takes pairs of results that were
    changed after their run.

    >>> results = evaluate(
    ...     [{"id": "1", "gt": "x^2", "pred": "x^{2}"}, {"id": "2", "gt": "a", "pred": "b"}],
    ...     metrics=["edit", "cdm"])
    >>> results["cdm"]
    0.5
    >>> [row["scores"]["edit"] for row in results]
    [0.6, 0]
    """
    home = tempfile.mkdtemp(prefix="texgauge-")
    try:
        inputs, names = data_files(map(_pair, data) if isinstance(data, Results) else data, home)
        output = os.path.join(home, "results.jsonl")
        fields = {
            "gt": reference,
            "pred": prediction,
            "id": id,
            "model": model,
            "subset": subset,
        }
        with watch(progress, unit="rows") as report_progress:
            options = {
                "metrics": metrics if isinstance(metrics, str) else ",".join(metrics),
                "gt": _paths(truths),
                "pred": _predictions(predictions),
                "map": [f"{role}={name}" for role, name in fields.items() if name],
                "human": [f"{group}={','.join(of)}" for group, of in (human or {}).items()],
                "columns": columns,
                "by": by,
                "model": model_name,
                "format": format,
                "output": output,
                "undefined": undefined,
                "delimiters": "keep" if keep_delimiters else None,
                "clean": clean,
                "tokens": "ids" if token_ids else None,
                "allow-duplicates": allow_duplicates,
                "edited": edited,
                "detail": detail,
                "pair-timeout": pair_timeout,
                "mean": mean,
                "threads": threads,
            }
            _, faults = _core.evaluate(inputs, options, report_progress)
        results = Results(output, names=names)
    except BaseException:
        shutil.rmtree(home, ignore_errors=True)
        raise
    weakref.finalize(results, shutil.rmtree, home, ignore_errors=True)
    results.faults = tuple(faults)
    results.mean = mean
    results.by = tuple(by)
    for fault in faults[:5]:
        warnings.warn(_rename_plain(fault, names), stacklevel=2)
    return results


def _rename_plain(text: str, names: Mapping[str, str]) -> str:
    for path, name in names.items():
        text = text.replace(path, name)
    return text


def _paths(paths: Path | Sequence[Path] | None) -> list[str]:
    if paths is None:
        return []
    if isinstance(paths, str | os.PathLike):
        paths = [paths]
    return [os.fspath(path) for path in paths]


def _predictions(predictions: Path | Mapping[str, Path | Sequence[Path]] | None) -> list[str]:
    if not isinstance(predictions, Mapping):
        return _paths(predictions)
    return [f"{model}={path}" for model, paths in predictions.items() for path in _paths(paths)]


def load(path: Path, *, edited: bool = False) -> Results:
    """Load results that ``texgauge eval -o`` or `Results.save` wrote.

    With ``edited`` they may have been changed since; what is made from them says so.
    """
    results = Results(path, edited=edited)
    if "texgauge_results" not in results._header:
        raise ValueError(f"{os.fspath(path)}: no results of texgauge")
    return results


def _result_paths(results: Sequence[Results | Path]) -> list[str]:
    return [os.fspath(r.path if isinstance(r, Results) else r) for r in results]


def _any_edited(results: Sequence[Results | Path]) -> bool:
    return any(isinstance(r, Results) and r.edited for r in results)


def compare(
    *results: Results | Path,
    base: str | None = None,
    columns: Sequence[str] | None = None,
    lower: Sequence[str] | None = None,
    all_columns: bool = False,
    resamples: int = 0,
    trials: int = 0,
    seed: int = 1,
    test: str = "two-sided",
    level: float = 0.95,
    pairs: int = 5,
    threads: int = 0,
    edited: bool = False,
) -> Tables:
    """Compare models on the same pairs, as ``texgauge compare`` does.

    Several results are several models. ``columns`` names stored fields to compare beside the
    metrics. ``base`` is the model that the others are compared with;
    ``resamples`` and ``trials`` are those of paired bootstrap and approximate randomisation.
    ``edited`` also takes results that were changed after their run.
    """
    options = {
        "base": base,
        "columns": columns or (),
        "lower": lower,
        "all": all_columns,
        "resamples": resamples,
        "trials": trials,
        "seed": seed,
        "test": test,
        "level": level,
        "pairs": pairs,
        "threads": threads,
        "edited": edited or _any_edited(results),
    }
    return Tables(_core.compare(_result_paths(results), options))


def study(
    *results: Results | Path,
    columns: Sequence[str] | None = None,
    lower: Sequence[str] | None = None,
    preferences: Sequence[str] | None = None,
    spellings: Sequence[str] | None = None,
    by: Sequence[str] = (),
    all_columns: bool = False,
    resamples: int = 0,
    seed: int = 1,
    level: float = 0.95,
    threads: int = 0,
    edited: bool = False,
) -> Tables:
    """Correlate metrics with human scores, as ``texgauge study`` does.

    ``by`` lists ``subset``, ``model`` and stored fields: also the pairs of each of their values.
    ``edited`` also takes results that were changed after their run.
    """
    options = {
        "columns": columns or (),
        "lower": lower,
        "preference": preferences,
        "spellings": spellings,
        "by": by,
        "all": all_columns,
        "resamples": resamples,
        "seed": seed,
        "level": level,
        "threads": threads,
        "edited": edited or _any_edited(results),
    }
    return Tables(_core.study(_result_paths(results), options))


def report(
    *results: Results | Path,
    outputs: Sequence[Path],
    title: str | None = None,
    columns: Sequence[str] | None = None,
    lower: Sequence[str] | None = None,
    drawings: bool = True,
    mean: str | None = None,
    resamples: int = 0,
    seed: int = 1,
    threads: int = 0,
    force: bool = False,
    edited: bool = False,
) -> None:
    """Write a report, as ``texgauge report`` does: .html or .md by the suffix.

    Without ``drawings`` the page is smaller and shows the sources of formulas alone. A report takes
    the place of another one, and with ``force`` of any file but an input. ``edited`` also takes
    results that were changed after their run.
    """
    if not outputs:
        raise ValueError("a report needs a file to be written to, such as report.html")
    options = {
        "title": title,
        "columns": columns or (),
        "lower": lower,
        "no-drawings": not drawings,
        "mean": mean,
        "resamples": resamples,
        "seed": seed,
        "threads": threads,
        "force": force,
        "edited": edited or _any_edited(results),
    }
    _core.report(_result_paths(results), [os.fspath(path) for path in outputs], options)
