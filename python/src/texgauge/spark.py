"""Spark data frames: the executors score, and the results are those of a single machine.

>>> results = texgauge.spark.evaluate(df, metrics=["cdm", "forte"])  # doctest: +SKIP
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

from texgauge._data import comma_list
from texgauge._names import ONE_PAIR, renamed
from texgauge._results import Metrics, Results, _body, _sealed
from texgauge._results import evaluate as evaluate_here
from texgauge._specs import Spec

_ROW = re.compile(rb'^\{"row":\d+,')


@renamed(**ONE_PAIR)
def evaluate(
    df: Any,
    *,
    metrics: Metrics,
    reference: str = "reference",
    prediction: str = "prediction",
    id: str | None = None,
    model: str | None = None,
    subset: str | None = None,
    **options: Any,
) -> Results:
    """Score a Spark data frame, and give the results as `texgauge.evaluate` does.

    ``reference``, ``prediction``, ``id``, ``model`` and ``subset`` name columns. ``options`` are
    those of `texgauge.evaluate`. The executors need texgauge and pyarrow. They score partitions by
    ``mapInArrow`` and keep the rows on disk until the driver has gathered them. A task that fails
    is run again, and its rows come once. Ids are not checked for duplicates.

    Raises what `texgauge.evaluate` raises for its metrics and options before any task is run.

    >>> evaluate(df, metrics=["cdm"], reference="truth", prediction="answer")  # doctest: +SKIP
    """
    names = comma_list(metrics, "metrics", "a name, a set or a spec")
    roles = {"gt": reference, "pred": prediction, "id": id, "model": model, "subset": subset}
    header = _header(names, options)
    chosen = df.selectExpr(*(f"`{field}` AS {role}" for role, field in roles.items() if field))
    scored = chosen.mapInArrow(_Scorer(names, options), "line string")
    home = tempfile.mkdtemp(prefix="texgauge-")
    try:
        path = os.path.join(home, "results.jsonl")
        scored = scored.persist(_disk_only())
        try:
            scored.foreachPartition(_consume)  # all partitions at once, not one after the other
            _gather(_lines(scored), path, header)
        finally:
            scored.unpersist()
        results = Results(path)
    except BaseException:
        shutil.rmtree(home, ignore_errors=True)
        raise
    results._keep_file(home)
    return results


def _disk_only() -> Any:
    from pyspark import StorageLevel  # noqa: PLC0415

    return StorageLevel.DISK_ONLY


def _lines(scored: Any) -> Iterator[str]:
    """Give the lines, a partition in memory at a time.

    ``toLocalIterator`` of Spark 4 would do, but the driver's JVM keeps what has gone through it.
    """
    rdd = scored.rdd
    for partition in range(rdd.getNumPartitions()):
        yield from rdd.context.runJob(rdd, _lines_of, [partition])


def _lines_of(rows: Iterable[Any]) -> Iterator[str]:
    return (row.line for row in rows)


def _consume(rows: Iterable[Any]) -> None:
    for _ in rows:
        pass


class _Scorer:
    """The work of an executor on the batches of a partition."""

    def __init__(self, metrics: str, options: dict[str, Any]) -> None:
        self.metrics = metrics
        self.options = {"threads": 1, "allow_duplicates": True, **options}

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow  # noqa: PLC0415

        for batch in batches:
            if batch.num_rows == 0:
                continue
            lines = _score(batch.to_pylist(), self.metrics, self.options)
            yield pyarrow.RecordBatch.from_pydict({"line": lines})


def _score(rows: list[dict[str, Any]], metrics: str, options: dict[str, Any]) -> list[str]:
    """Give the lines of results for some rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # faulty rows have a status
        results = evaluate_here(rows, metrics=Spec(metrics), **options)
    lines = results.path.read_bytes().split(b"\n")
    # Without header, footer, and what follows the last line end; checksums are made at the end.
    return [_body(line).decode() for line in lines[1:-2]]


def _header(metrics: str, options: dict[str, Any]) -> dict[str, Any]:
    """Give the first line of results, from a run of one pair."""
    pair = {"reference": "x", "prediction": "x"}
    like = evaluate_here([pair], metrics=Spec(metrics), **options)
    return {**like._header, "inputs": ["spark"]}


def _gather(lines: Iterable[str], path: str, header: dict[str, Any]) -> None:
    """Write a file of results: rows in the order of the data frame, numbered as by one run."""
    crc = 0
    with open(path, "wb") as out:

        def put(body: bytes) -> None:
            nonlocal crc
            sealed, crc = _sealed(body, crc)
            out.write(sealed)

        put(_object(header))
        n = 0
        for n, line in enumerate(lines, 1):  # the last number is wanted
            put(_ROW.sub(b'{"row":%d,' % n, line.encode()))
        put(_object({"end": True, "rows": n, "inputs": []}))


def _object(value: object) -> bytes:
    """Give the JSON of an object without its last brace, before which the checksum goes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))[:-1].encode()
