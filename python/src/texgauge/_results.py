"""Runs over data sets, and what is made from their results."""

from __future__ import annotations

import functools
import html
import inspect
import json
import math
import os
import pathlib
import re
import shutil
import tempfile
import warnings
import weakref
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Union

from texgauge import _core
from texgauge._data import (
    _NAME,
    Data,
    Predictions,
    References,
    comma_list,
    human_groups,
    model_files,
    optional,
    pair_rows,
    parquet_files,
)
from texgauge._doubles import Doubles
from texgauge._files import Path, new_file
from texgauge._names import in_python, renamed
from texgauge._progress import Progress, watch
from texgauge._specs import MetricName, SetName, Spec


class Tables:
    """Tables of numbers: ``str()`` is text, `data` has every number, the others are for papers.

    >>> results = evaluate(
    ...     references=["a", "b"], predictions={"m": ["a", "b"], "n": ["a", "x"]}, metrics=["edit"])
    >>> tables = results.compare(resamples=10)
    >>> tables.data["base"], tables.csv.count("edit") > 0
    ('m', True)
    """

    def __init__(self, forms: Mapping[str, str]) -> None:
        self._forms = forms

    @property
    def data(self) -> Any:
        """Every number, as the JSON of the command has them."""
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
    """The results of a run over n pairs: scores, statuses, summaries.

    The numbers are in memory, n doubles per column. Texts are read when they are first needed, from
    the file `path`: the loaded one, or a temporary one. Results can be pickled. They do not change,
    so a copy is the same object.

    Iterating gives each pair as a flat dict, so ``pandas.DataFrame(results)`` is a table.
    ``polars.DataFrame(results)`` and ``pyarrow.table(results)`` read them as Arrow data.

    >>> results = evaluate(references=["x^2", "a"], predictions=["x^{2}", "b"], metrics=["edit"])
    >>> results["edit"], results.column("edit").tolist(), results.status("edit")
    (0.3, [0.6, 0.0], ['ok', 'ok'])
    >>> [row["prediction"] for row in results]
    ['x^{2}', 'b']
    """

    def __init__(self, path: Path, *, names: Mapping[str, str] | None = None) -> None:
        """Make results of a file; users get them from `evaluate` and `load`."""
        self.path = pathlib.Path(path)
        self._names = dict(names or {})
        self._is_temporary = False
        self.mean: str | None = None
        self.by: tuple[str, ...] = ()
        self.faults: tuple[str, ...] = ()
        self.notes: tuple[str, ...] = ()
        self._header = next(self._lines(), {})
        self._outcome: _core.Outcome | None = None
        self._summaries: dict[_How, Any] = {}
        self._texts: dict[str, list[Any]] | None = None
        self._statuses: dict[str, list[str]] = {}

    def _keep_file(self, home: str) -> None:
        """Remove the temporary folder when this object is freed."""
        self._is_temporary = True
        weakref.finalize(self, _remove, home, os.getpid())

    def _file(self) -> pathlib.Path:
        """Give the file with the names of its inputs as users know them."""
        if self._names:
            renamed_path = self.path.with_name("named.jsonl")
            with open(renamed_path, "wb") as out:
                out.writelines(self._saved_lines())
            os.replace(renamed_path, self.path)
            self._header = next(self._lines(), {})
            self._names = {}
        return self.path

    def _source_path(self) -> str:
        """Give the path of the predictions without suffixes; it is empty for data in memory."""
        path = self._header["inputs"][-1] if self._header.get("inputs") else _NAME
        if path in self._names or path in (_NAME, "-") or not os.path.exists(path):
            return ""
        path = os.path.abspath(path)
        while os.path.splitext(path)[1] and len(os.path.splitext(path)[1]) <= LONGEST_SUFFIX:
            path = os.path.splitext(path)[0]
        return path.translate(str.maketrans("*?[", "___"))

    def __copy__(self) -> Results:
        return self

    def __deepcopy__(self, memo: object) -> Results:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        state = (self.mean, self.by, self.faults, self.notes)
        return _restored, (b"".join(self._saved_lines()), state)

    def _read(self, **how: Any) -> _core.Outcome:
        return _core.read([os.fspath(self.path)], how)

    def _columns(self) -> _core.Outcome:
        if self._outcome is None:
            self._outcome = self._read()
        return self._outcome

    def _summary(self, how: _How) -> Any:
        """Give the summary with these means and groups, read once."""
        if how not in self._summaries:
            mean, by, confidence = how
            self._summaries[how] = self._read(mean=mean, by=by, confidence=confidence)[0]
        return self._summaries[how]

    def __len__(self) -> int:
        return len(self._column(self.columns[0]))

    @functools.cached_property
    def signatures(self) -> dict[str, str]:
        """How each metric's numbers were computed, by the metric's label."""
        return {metric["label"]: metric["signature"] for metric in self._header["metrics"]}

    @functools.cached_property
    def columns(self) -> list[str]:
        """The names of all columns of all metrics.

        A file of an older version may have another name for a column, which only the library knows.
        """
        rows = json.loads(_core.format(self._columns()[0], {"summary": "json"}))["summary"]
        if rows:
            return list(rows[0]["scores"])
        return [column["name"] for m in self._header["metrics"] for column in m["columns"]]

    def column(self, name: str) -> Doubles:
        """Give a metric's column: a read-only array of n doubles, NaN for a pair without a score.

        Raises `KeyError` if there is no such column.
        """
        return Doubles(self._column(name))

    def _column(self, name: str) -> memoryview[float]:
        if name not in self.columns:
            raise KeyError(f"no column {name!r}; there are {', '.join(self.columns)}")
        values = self._columns()[1]
        return memoryview(values[self.columns.index(name)] if values else b"").cast("d")

    def status(self, metric: str) -> list[str]:
        """Give a list of n texts: ``"ok"``, or why the pair has no score, or a remark on it.

        Raises `KeyError` if there is no such metric.
        """
        labels = list(self.signatures)
        if metric not in labels:
            raise KeyError(f"no metric {metric!r}; there are {', '.join(labels)}")
        if metric not in self._statuses:
            _, _, statuses, texts = self._columns()
            places = statuses[labels.index(metric)] if statuses else b""
            said = list(map(in_python, texts))
            self._statuses[metric] = [said[place] for place in memoryview(places).cast("I")]
        return self._statuses[metric]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every pair as a dict, as the results file has it."""
        return (line for line in self._lines() if "row" in line)

    def _inputs(self) -> Iterator[dict[str, Any]]:
        """Every pair as a row of data, as it was before it was scored."""
        for row in self.rows():
            pair = {key: row.get(key) for key in ("id", "model", "subset", "gt", "pred", "human")}
            yield pair | (row.get("stored") or {})

    def _lines(self) -> Iterator[dict[str, Any]]:
        """Every line without its checksum."""
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                value = json.loads(line)
                if not isinstance(value, dict):
                    raise _core.Error(f"{self.path}:{number}: not an object")
                value.pop("crc", None)
                yield value

    def _table(self) -> dict[str, Any]:
        """Give all columns by name: lists, and memory of doubles for the metrics'."""
        if self._texts is None:
            texts: dict[str, list[Any]] = {name: [] for name in _OWN}
            raters: dict[str, int] = {}
            for n, row in enumerate(self.rows()):
                human = _human_columns(row.get("human") or {})
                raters |= {name: max(len(of), raters.get(name, 1)) for name, of in human.items()}
                stored = human | (row.get("stored") or {})
                for name in (name for name in stored if name not in texts):
                    texts[name] = [None] * n
                for name, values in texts.items():
                    values.append(row.get(_OWN[name]) if name in _OWN else stored.get(name))
            for name in (name for name, most in raters.items() if most == 1):
                texts[name] = list(map(_single, texts[name]))
            self._texts = texts
        table: dict[str, Any] = dict(self._texts)
        table |= {name: self._column(name) for name in self.columns}
        table |= {f"{label}.status": self.status(label) for label in self.signatures}
        return table

    def _scores_or_none(self) -> dict[str, list[float | None]]:
        """Give the metrics' columns with None where there is no score."""
        columns = {name: self._column(name) for name in self.columns}
        return {
            name: [None if math.isnan(value) else value for value in values]
            for name, values in columns.items()
        }

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.records())

    def records(self) -> list[dict[str, Any]]:
        """Every pair as a flat dict: its texts, human scores, stored fields, scores and statuses.

        Human scores are ``human`` or ``human.GROUP``: a number, or of several raters a list. A
        missing score is None.
        """
        table = self._table() | self._scores_or_none()
        return [dict(zip(table, row)) for row in zip(*table.values())]

    def to_pandas(self) -> Any:
        """Give the pairs as a ``pandas.DataFrame``, the columns as in `records`."""
        return optional("pandas", "tables of pandas").DataFrame(self._table())

    def to_polars(self) -> Any:
        """Give the pairs as a ``polars.DataFrame``; a missing score is null."""
        polars = optional("polars", "tables of Polars")
        texts = dict.fromkeys(("id", "model", "subset", "prediction"), polars.String)
        return polars.DataFrame(self._plain_table(), schema_overrides=texts)

    def to_arrow(self) -> Any:
        """Give the pairs as a ``pyarrow.Table``; a missing score is null."""
        pyarrow = optional("pyarrow", "tables of Arrow")
        kinds = dict.fromkeys(("id", "model", "subset", "prediction"), pyarrow.string())
        kinds["references"] = pyarrow.list_(pyarrow.string())
        kinds |= dict.fromkeys(self.columns, pyarrow.float64())
        table = self._plain_table()
        arrays = [pyarrow.array(values, kinds.get(name)) for name, values in table.items()]
        return pyarrow.table(dict(zip(table, arrays)))

    def _plain_table(self) -> dict[str, list[Any]]:
        """Give the columns as lists of one type: numbers, or texts; what is missing is None."""
        table = self._table() | self._scores_or_none()
        for name, values in table.items():
            if self._texts is not None and name in self._texts and name not in _OWN:
                kinds = {type(value) for value in values} - {type(None)}
                if name.partition(".")[0] == "human":
                    continue
                if kinds <= {int, float}:
                    table[name] = [None if value is None else float(value) for value in values]
                else:
                    table[name] = [None if value is None else _text(value) for value in values]
        return table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Give the table of `to_arrow` to any library that reads Arrow."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    @functools.cached_property
    def summary(self) -> list[dict[str, Any]]:
        """The values of each model, subset and value of `by`, as ``--summary json`` has them."""
        rows: list[dict[str, Any]] = json.loads(self.format("json"))["summary"]
        return rows

    @functools.cached_property
    def _values(self) -> dict[str, float]:
        """The value of every column over all pairs, where there is one model."""
        rows: list[dict[str, Any]] = json.loads(self.format("json", by=()))["summary"]
        everything = [row for row in rows if row["subset"] == "all"]
        if len(everything) != 1:
            raise KeyError(f"{len(everything)} models; take the value from summary")
        scores = everything[0]["scores"].items()
        return {name: float("nan") if value is None else value for name, value in scores}

    def __getitem__(self, column: str) -> float:
        """Give the value of a column over all pairs; `KeyError` if there are several models."""
        if column not in self._values:
            raise KeyError(f"no column {column!r}; there are {', '.join(self._values)}")
        return float(self._values[column])

    def format(
        self,
        style: Literal["table", "json", "csv", "md", "latex"] = "table",
        *,
        percent: bool = False,
        digits: int | None = None,
        all_columns: bool = False,
        mean: str | None = None,
        by: Sequence[str] | None = None,
        confidence: bool = False,
    ) -> str:
        """Write the summary as ``table``, ``json``, ``csv``, ``md`` or ``latex``.

        ``percent`` shows scores between 0 and 1 as percentages, with ``digits`` decimal places.
        ``all_columns`` shows every column, not only the first of each metric. ``mean`` and ``by``
        are those of `evaluate`; the default is what the run had. ``confidence`` adds bootstrap
        intervals.

        Raises `Error` for a value that is not allowed.

        >>> results = evaluate(references=["a"], predictions=["b"], metrics=["edit"])
        >>> print(results.format("csv").splitlines()[0][:20])
        "model","subset","pa
        """
        how = (
            self.mean if mean is None else mean,
            self.by if by is None else tuple(by),
            confidence,
        )
        options = {"summary": style, "percent": percent, "digits": digits, "all": all_columns}
        return _core.format(self._summary(how), options)

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

        They replace other results, and with ``force`` any file but an input. Raises `Error` for a
        file that may not be replaced.
        """
        inputs = [self.path, *self._header["inputs"]]
        with new_file(path, mark=b'"texgauge_results"', inputs=inputs, force=force) as out:
            out.writelines(self._saved_lines())

    def _saved_lines(self) -> Iterator[bytes]:
        crc = 0
        with self.path.open("rb") as source:
            for line in source:
                if not self._names:
                    yield line
                    continue
                body = _rename(_body(line), self._names)
                sealed, crc = _sealed(body, crc)  # of all lines, as they go on from the header's
                yield sealed

    def compare(self, *others: Results, **options: Any) -> Tables:
        """Compare the models of these results, and of others; see `compare`."""
        return compare(self, *others, **options)

    def rate(self, output: Path, **options: Any) -> int:
        """Write a page on which people rate these pairs; see `rate`."""
        return rate(self, output=output, **options)

    def study(self, **options: Any) -> Tables:
        """Correlate the metrics with human scores; see `study`."""
        return study(self, **options)

    def report(self, *outputs: Path, **options: Any) -> None:
        """Write a report; see `report`."""
        report(self, outputs=outputs, **options)


LONGEST_SUFFIX = 6
"""Characters of a suffix such as ``.jsonl``; ``v1.0-final`` has none."""

Metrics = Union[
    MetricName,
    SetName,
    Spec,
    Sequence[Union[MetricName, SetName, Spec]],
    list[str],
    tuple[str, ...],
]
"""Metrics: one, a set, or several, which an editor completes; a list of any texts is taken, too."""

_How = tuple["str | None", tuple[str, ...], bool]
"""The choices of a summary: means, groups, and whether it has intervals."""

_OWN = {
    "row": "row",
    "id": "id",
    "model": "model",
    "subset": "subset",
    "references": "gt",
    "prediction": "pred",
}
"""The columns of a table that every row of results has, and what they are called there."""


def _remove(home: str, pid: int) -> None:
    """Remove the folder in the process that made it: a forked child has the same results."""
    if os.getpid() == pid:
        shutil.rmtree(home, ignore_errors=True)


def _restored(lines: bytes, state: tuple[Any, ...]) -> Results:
    """Make results again that were pickled."""
    home = tempfile.mkdtemp(prefix="texgauge-")
    path = os.path.join(home, "results.jsonl")
    pathlib.Path(path).write_bytes(lines)
    mean, by, faults, notes = state
    results = Results(path)
    results._keep_file(home)
    results.mean, results.by = mean, by
    results.faults, results.notes = faults, notes
    return results


def _human_columns(human: Mapping[str, list[float | None]]) -> dict[str, Any]:
    """Give the human scores of a row as columns: human, or human.GROUP of each group."""
    return {
        name if name == "human" else f"human.{name}": [
            None if s is None else float(s) for s in all_
        ]
        for name, all_ in human.items()
    }


def _single(scores: list[float] | None) -> float | None:
    return scores[0] if scores else None


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
        old, new = json.dumps(path, ensure_ascii=False), json.dumps(name)
        line = line.replace(old[1:-1].encode(), new[1:-1].encode())
    return line


@renamed(gt="references", truths="references", pred="predictions", metric="metrics")
def evaluate(
    data: Data = None,
    *,
    metrics: Metrics = "default",
    references: References | None = None,
    predictions: Predictions | Mapping[str, Predictions] | None = None,
    reference: str | None = None,
    prediction: str | Mapping[str, str] | None = None,
    id: str | None = None,
    model: str | None = None,
    subset: str | None = None,
    human: Mapping[str, Sequence[str]] | None = None,
    columns: Sequence[str] | None = None,
    by: Sequence[str] = (),
    model_name: str | None = None,
    format: str | None = None,
    undefined: Literal["worst", "skip", "stop"] | None = None,
    keep_delimiters: bool = False,
    clean: str | None = None,
    token_ids: bool = False,
    allow_duplicates: bool = False,
    detail: bool = False,
    pair_timeout: float = 0,
    mean: str | None = None,
    threads: int = 0,
    progress: Progress = False,
) -> Results:
    r"""Score a data set with several metrics.

    The pairs come in one of two ways:

    - ``references`` and ``predictions`` are two lists of n texts; a reference may be a list of
      texts that are all correct. Or they are files, each a path or a list of ``pathlib.Path``,
      which are joined by id. ``predictions`` may be ``{"model": predictions, ...}``.
    - ``data`` is a path or a list of paths (all formats of ``texgauge eval``), a list of dicts or
      of pairs (reference, prediction), other results, or a data frame: PyArrow, or by narwhals
      pandas, Polars, DuckDB and others. ``{"model": data, ...}`` has the data of several models.

    ``reference``, ``prediction``, ``id``, ``model`` and ``subset`` name the fields of ``data``, if
    they have unusual names. ``prediction={"model": "field", ...}`` makes each column a model.
    ``human={"group": ["field", ...]}`` names human scores. ``columns``
    names other fields to keep; the default is all numbers, truth values and short texts. ``by``
    lists fields: the summary has a row for each of their values. ``mean`` says what values are
    means over: ``pairs``, ``pages``, ``subsets``, or ``pages=FIELD`` with the field that names a
    pair's page. ``model_name`` is the model of rows that name none; tables and reports show it.
    ``format`` is the format of the
    files, if it is not recognized. ``token_ids`` is for formulas that are lists of token ids.
    ``detail`` keeps what metrics say about a pair beside its scores. Without ``metrics`` the set
    ``default`` of `texgauge eval` is scored. ``threads=0`` uses every processor. ``undefined``,
    ``keep_delimiters``, ``clean`` and ``pair_timeout`` are those of
    `Metric`.

    Raises `Error` if the call or a whole input is wrong, `TypeError` for data of another kind, and
    `ValueError` for lists of unequal lengths. A row that cannot be used is a warning, and has a
    status that says why. ``results.notes`` has the lines that the command prints, such as which
    field was taken for what; doubtful joins and texts are warnings, too.

    >>> results = evaluate(
    ...     references=["x^2", ["a", "b"]], predictions=["x^{2}", "b"], metrics=["edit", "cdm"])
    >>> results["cdm"], results.column("edit").tolist()
    (1.0, [0.6, 1.0])
    >>> rows = [{"id": "1", "reference": "x", "a": "x", "b": "y"}]
    >>> models = evaluate(rows, prediction={"A": "a", "B": "b"}, metrics=["exprate"])
    >>> [row["model"] for row in models.summary]
    ['A', 'B']
    >>> both = evaluate({"3B": [("x", "x")], "7B": [("x", "y")]}, metrics=["exprate"])
    >>> [(row["model"], row["scores"]["exprate"]) for row in both.summary]
    [('3B', 1), ('7B', 0)]
    >>> rows = [{"id": "1", "reference": "x", "prediction": "x", "model": "A"}]
    >>> evaluate(rows, metrics=["exprate"]).summary[0]["scores"]
    {'exprate': 1, 'exprate.1': 1, 'exprate.2': 1, 'exprate.3': 1}
    """
    home = tempfile.mkdtemp(prefix="texgauge-")
    names: dict[str, str] = {}
    try:
        pairs, files, rows = pair_rows(references, predictions)
        if data is not None and references is not None:
            raise TypeError("give either data, or references and predictions")
        inputs, names = model_files(data if rows is None else rows, home)
        files = (parquet_files(files[0], home, names), parquet_files(files[1], home, names))
        if isinstance(prediction, Mapping):  # a column for each model
            inputs = [f"{m}={path}:{field}" for m, field in prediction.items() for path in inputs]
            prediction = None
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
                "metrics": comma_list(metrics, "metrics", "a name, a set or a spec"),
                "gt": files[0],
                "pred": files[1],
                "map": [f"{role}={name}" for role, name in fields.items() if name],
                "human": human_groups(human),
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
                "detail": detail,
                "pair-timeout": pair_timeout,
                "mean": mean,
                "threads": threads,
            }
            outcome, faults, notes = _core.evaluate(inputs, pairs, options, report_progress)
        results = Results(output, names=names)
    except BaseException as error:
        shutil.rmtree(home, ignore_errors=True)
        if isinstance(error, _core.Error):
            _say(error, _rename_plain(error.args[0], names))
        raise
    results._keep_file(home)
    results.mean, results.by = mean, tuple(by)
    _complete(results, outcome, (faults, notes), names, 4)
    return results


@renamed(truth="references", gt="references")
def evaluate_pages(
    references: Path,
    pages: Mapping[str, Path] | Sequence[Path] | Path,
    *,
    metrics: str | Sequence[str] = "omnidocbench",
    columns: Sequence[str] | None = None,
    by: Sequence[str] = (),
    mean: str | None = "pages",
    detail: bool = False,
    pair_timeout: float = 0,
    threads: int = 0,
    progress: Progress = False,
) -> Results:
    """Score the formulas of pages in Markdown, by the protocol of OmniDocBench.

    ``references`` is a file like ``OmniDocBench.json``. ``pages`` is a folder with a Markdown file
    for each page, or ``{"model": folder, ...}``. Formulas are matched by OmniDocBench's protocol,
    and values are means over pages. Other arguments are those of `evaluate`.

    Raises `Error` where the references cannot be read, and for a folder that has none of its pages.

    >>> evaluate_pages("OmniDocBench.json", {"A": "pages/a"})["CDM"]  # doctest: +SKIP
    0.91
    """
    home = tempfile.mkdtemp(prefix="texgauge-")
    try:
        output = os.path.join(home, "results.jsonl")
        options = {
            "metrics": comma_list(metrics, "metrics", "a name, a set or a spec"),
            "gt": [os.fspath(references)],
            "pages": _folders(pages),
            "columns": columns,
            "by": by,
            "output": output,
            "detail": detail,
            "pair-timeout": pair_timeout,
            "mean": mean,
            "threads": threads,
        }
        with watch(progress, unit="rows") as report_progress:
            pairs = pair_rows(None, None)[0]
            outcome, faults, notes = _core.evaluate([], pairs, options, report_progress)
        results = Results(output)
    except BaseException:
        shutil.rmtree(home, ignore_errors=True)
        raise
    results._keep_file(home)
    results.mean, results.by = mean, tuple(by)
    _complete(results, outcome, (faults, notes), {}, 3)
    return results


def _folders(pages: Mapping[str, Path] | Sequence[Path] | Path) -> list[str]:
    if isinstance(pages, Mapping):
        return [f"{model}={os.fspath(folder)}" for model, folder in pages.items()]
    if isinstance(pages, (str, os.PathLike)):
        pages = [pages]
    return [os.fspath(folder) for folder in pages]


# Notes on how files were joined, and on texts that are more than formulas.
_DOUBT = re.compile(
    r"^ids are compared|joined with those of|: \d+ of \d+ (predictions|references) have no "
    r"|--clean|scored as letters|texts? of (a )?Python"
)


def _complete(
    results: Results,
    outcome: _core.Outcome,
    said: tuple[Sequence[str], Sequence[str]],
    names: Mapping[str, str],
    level: int,
) -> None:
    """Give new results what their run said, and warn of what it could not read."""
    texts = [_rename_plain(text, names) for text in outcome[3]]
    results._outcome = (*outcome[:3], texts)
    results._summaries[results.mean, results.by, False] = outcome[0]
    results.faults, results.notes = (
        tuple(in_python(_rename_plain(line, names)) for line in lines) for lines in said
    )
    doubts = [note for plain, note in zip(said[1], results.notes) if _DOUBT.search(plain)]
    for message in (*results.faults[:5], *doubts[:5]):
        warnings.warn(message, stacklevel=level)


def _rename_plain(text: str, names: Mapping[str, str]) -> str:
    for path, name in names.items():
        text = text.replace(path, name)
    return text


def load(path: Path) -> Results:
    """Load results that ``texgauge eval -o`` or `Results.save` wrote.

    They may have been filtered or changed since; what is made from them says what was noticed.

    Raises `ValueError` for a file that holds no results, and `Error` for one that cannot be read.

    >>> results = evaluate(references=["a"], predictions=["b"], metrics=["edit"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     results.save(f"{folder}/results.jsonl")
    ...     load(f"{folder}/results.jsonl")["edit"]
    0.0
    """
    try:
        results = Results(path)
    except ValueError:  # no JSON
        results = None
    if results is None or "texgauge_results" not in results._header:
        raise ValueError(f"{os.fspath(path)}: no results of texgauge")
    return results


Several = Union["Results", Path, Mapping[str, Union["Results", Path]]]
"""Results, or several by the names of their models."""


class _Named:
    """Results as the library takes them: files, with the names that users know them by.

    Results in memory lie in a temporary folder, whose name says nothing. So they get a link whose
    path ends like that of their input, from which the library makes the model's name as it does for
    the command; without a file they are ``results 1``, ``results 2``, by their place.
    """

    def __init__(self, results: Sequence[Several], keywords: Mapping[str, Any], call: str) -> None:
        self._home = tempfile.mkdtemp(prefix="texgauge-")
        self.paths: list[str] = []
        for one in results:
            if isinstance(one, Mapping):
                self._add_all(one)
            else:
                self._add(one)
        for name, value in keywords.items():
            if not isinstance(value, Results) and not (_is_path(value) and os.path.exists(value)):
                known = ", ".join(_keywords_of(call))
                raise TypeError(
                    f"{call}() has no argument {name!r} ({known}), and it is no model, as "
                    f"{type(value).__name__} is neither results nor an existing file"
                )
        self._add_all(keywords)

    def __enter__(self) -> _Named:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        shutil.rmtree(self._home, ignore_errors=True)
        if isinstance(error, _core.Error):
            _say(error, error.args[0].replace(f"{self._home}{os.sep}", ""))

    def _add_all(self, models: Mapping[str, Results | Path]) -> None:
        for name, one in models.items():
            if not isinstance(name, str) or not name or "=" in name:
                raise ValueError(f"{name!r} cannot be a model's name: it is a text without '='")
            self._add(one, f"{name}=")

    def _add(self, one: Results | Path, name: str = "") -> None:
        if not isinstance(one, Results):
            if not _is_path(one):
                raise TypeError(
                    f"no results: {type(one).__name__}; evaluate() and load() give them"
                )
            self.paths.append(name + os.fspath(one))
            return
        source = one._file()
        path = os.fspath(source)
        if one._is_temporary:
            where = one._source_path() or f"results {len(self.paths) + 1}"
            path = os.path.join(self._home, where.lstrip(os.sep))
            twin = 2
            while os.path.lexists(f"{path}.jsonl"):
                path = os.path.join(self._home, f"{where.lstrip(os.sep)} {twin}")
                twin += 1
            path += ".jsonl"
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.symlink(os.path.abspath(source), path)
        self.paths.append(name + path)


def _is_path(value: object) -> bool:
    return isinstance(value, (str, os.PathLike))


def _keywords_of(call: str) -> list[str]:
    parameters = inspect.signature(globals()[call]).parameters.values()
    return [one.name for one in parameters if one.kind is inspect.Parameter.KEYWORD_ONLY]


def _say(error: _core.Error, message: str) -> None:
    """Change what an error says."""
    error.args = (message, *error.args[1:])


def compare(
    *results: Several,
    base: str | None = None,
    columns: Sequence[str] | None = None,
    lower: Sequence[str] | None = None,
    all_columns: bool = False,
    mean: str | None = None,
    resamples: int = 0,
    trials: int = 0,
    seed: int = 1,
    test: str = "two-sided",
    level: float = 0.95,
    pairs: int = 5,
    threads: int = 0,
    force: bool = False,
    **models: Results | Path,
) -> Tables:
    """Compare models on the same pairs, as ``texgauge compare`` does.

    Several results are several models. Models without a name get that of their input file. Names
    come before: ``compare({"3B": a, "7B": b})``, or ``compare(small=a, large=b)``. ``base`` is the
    model that the others are compared with; the default is the first. ``columns`` names stored
    fields to compare beside the metrics, ``lower`` those where less is better. ``mean`` is
    ``pairs``, ``pages`` or ``subsets``; pages and subsets are drawn whole, and the default is that
    of the run. ``resamples`` and ``trials`` are the numbers for paired bootstrap and approximate
    randomization; 0 chooses them. ``level`` is that of the intervals, ``test`` is ``two-sided`` or
    ``sacrebleu``, ``pairs`` how many pairs with the largest differences to list. ``force`` also
    takes results that were not scored in the same way.

    Raises `Error` for fewer than two models, and for a model or a column that is not there.

    >>> results = evaluate(
    ...     references=["a", "b"], predictions={"m": ["a", "b"], "n": ["a", "x"]}, metrics=["edit"])
    >>> compare(results, resamples=10).data["base"]
    'm'
    >>> small = evaluate(references=["a", "b"], predictions=["a", "x"], metrics=["edit"])
    >>> large = evaluate(references=["a", "b"], predictions=["a", "b"], metrics=["edit"])
    >>> compare({"3B": small, "7B": large}, resamples=10).data["models"][0]["model"]
    '7B'
    """
    options = {
        "base": base,
        "columns": columns or (),
        "lower": lower,
        "all": all_columns,
        "mean": mean,
        "resamples": resamples,
        "trials": trials,
        "seed": seed,
        "test": test,
        "level": level,
        "pairs": pairs,
        "threads": threads,
        "force": force,
    }
    with _Named(results, models, "compare") as named:
        return Tables(_core.compare(named.paths, options))


def rate(
    *results: Several,
    output: Path,
    sample: int = 0,
    by: str | None = None,
    repeat: int = 0,
    same_references: bool = False,
    scale: str | None = None,
    ends: Sequence[str] | None = None,
    question: str | None = None,
    preference: Sequence[str] | None = None,
    models: Sequence[str] | None = None,
    anchors: Path | None = None,
    title: str | None = None,
    source: bool = False,
    with_images: bool = False,
    images: Path | None = None,
    seed: int = 1,
    force: bool = False,
) -> int:
    """Write a page on which people rate pairs, as ``texgauge rate`` does.

    ``sample`` pairs are drawn ``by`` ``random``, ``subset``, ``strata:COLUMN`` or ``disagreement``;
    ``repeat`` of them come twice. ``scale`` is such as ``1-5`` or ``good,bad``; ``ends`` are what
    the lowest and the highest number mean. ``preference`` names two columns, of which people say
    which is right, ``models`` those whose predictions they compare. ``anchors`` is a file of rated
    examples. ``force`` overwrites any file.

    Returns the number of pairs. Raises `Error` without pairs, and for a column that is not there.

    >>> pairs = [{"reference": x, "prediction": "a-b"} for x in ("a+b", "c")]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     evaluate(pairs, metrics=["edit"]).rate(f"{folder}/rating.html")
    2
    """
    options = {
        "sample": sample,
        "by": by,
        "repeat": repeat,
        "same-references": same_references,
        "scale": scale,
        "ends": ends,
        "question": question,
        "preference": preference,
        "models": models,
        "anchors": None if anchors is None else os.fspath(anchors),
        "title": title,
        "source": source,
        "with-images": with_images,
        "images": None if images is None else os.fspath(images),
        "seed": seed,
    }
    with _Named(results, {}, "rate") as named:
        return _core.rate(named.paths, os.fspath(output), force, options)


def study(
    *results: Several,
    columns: Sequence[str] | None = None,
    lower: Sequence[str] | None = None,
    preferences: Sequence[str] | None = None,
    spellings: Sequence[str] | None = None,
    ratings: Sequence[Path] | None = None,
    by: Sequence[str] = (),
    all_columns: bool = False,
    resamples: int = 0,
    seed: int = 1,
    level: float = 0.95,
    threads: int = 0,
    force: bool = False,
    **models: Results | Path,
) -> Tables:
    """Correlate metrics with human scores, as ``texgauge study`` does.

    Results are named as for `compare`. ``by`` lists ``subset``, ``model`` or stored fields: the
    pairs of each value are also studied by themselves. ``columns``, ``lower``, ``resamples`` and
    ``level`` are as for `compare`. ``force`` also takes results that were not scored in the same
    way. ``ratings`` are the files that a page of `rate` saved, one of each rater.

    Raises `Error` for a field that no pair has, and for ratings of other pairs.

    >>> rows = [{"reference": "ab", "prediction": "ab"[: i % 3], "human": i % 3} for i in range(9)]
    >>> study(evaluate(rows, metrics=["edit"]), resamples=10).data["correlations"][0]["metric"]
    'edit'
    """
    options = {
        "columns": columns or (),
        "lower": lower,
        "preference": preferences,
        "spellings": spellings,
        "ratings": None if ratings is None else [os.fspath(path) for path in ratings],
        "by": by,
        "all": all_columns,
        "resamples": resamples,
        "seed": seed,
        "level": level,
        "threads": threads,
        "force": force,
    }
    with _Named(results, models, "study") as named:
        return Tables(_core.study(named.paths, options))


def report(
    *results: Several,
    outputs: Sequence[Path] | Path,
    title: str | None = None,
    columns: Sequence[str] | None = None,
    lower: Sequence[str] | None = None,
    ratings: Sequence[Path] | None = None,
    drawings: bool = True,
    mean: str | None = None,
    images: Path | None = None,
    with_images: bool = False,
    resamples: int = 0,
    seed: int = 1,
    threads: int = 0,
    force: bool = False,
    **models: Results | Path,
) -> None:
    """Write a report, as ``texgauge report`` does: .html or .md by the suffix.

    ``outputs`` is a file, or several. Results are named as for `compare`. Without ``drawings`` the
    page is smaller and shows only the sources of formulas. ``images`` is a folder with the scans of
    pages, to which the page links; ``with_images`` copies them into ``report-images`` beside it. A
    report replaces another report; ``force`` also replaces other files, but no input, and takes
    results that were not scored in the same way. ``ratings`` are as for `study`, other arguments as
    for `compare`.

    Raises `ValueError` without a file to write to, and `Error` for a file that may not be replaced.

    >>> results = evaluate(references=["a", "b"], predictions=["a", "x"], metrics=["edit"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report(results, outputs=f"{folder}/report.md", resamples=10)
    ...     os.listdir(folder)
    ['report.md']
    """
    paths = [outputs] if isinstance(outputs, (str, os.PathLike)) else list(outputs)
    if not paths:
        raise ValueError("a report needs a file to be written to, such as report.html")
    options = {
        "title": title,
        "columns": columns or (),
        "lower": lower,
        "ratings": None if ratings is None else [os.fspath(path) for path in ratings],
        "no-drawings": not drawings,
        "mean": mean,
        "images": None if images is None else os.fspath(images),
        "with-images": with_images,
        "resamples": resamples,
        "seed": seed,
        "threads": threads,
        "force": force,
    }
    with _Named(results, models, "report") as named:
        _core.report(named.paths, [os.fspath(path) for path in paths], options)
