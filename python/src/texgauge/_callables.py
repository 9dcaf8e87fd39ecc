"""Metrics that are written in Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from texgauge import _core
from texgauge._specs import Spec

Function = Callable[[list[str], str], "float | Mapping[str, float] | None"]


class Column(NamedTuple):
    """A number that a metric gives for a pair: its range, and how a set's value is computed.

    ``pooling`` is ``mean`` or ``sum``; ``math.inf`` as ``min`` or ``max`` is no bound.

    >>> Column("errors", higher_is_better=False, max=math.inf, pooling="sum").name
    'errors'
    """

    name: str
    higher_is_better: bool = True
    min: float = 0.0
    max: float = 1.0
    pooling: str = "mean"
    help: str = ""


def register_metric(
    name: str,
    function: Function,
    *,
    columns: Sequence[Column | str] = (),
    version: str = "1",
    summary: str = "",
) -> Spec:
    """Make a function a metric, for `Metric`, `evaluate`, `study`, `compare` and `report`.

    The function is called with the list of references and the prediction. It returns a number for
    the first column, or a mapping with a number for every column, or None if the pair has no score.
    If it raises `texgauge.Error`, the pair has no score and the message is its status. Any other
    exception ends the run with an `Error` whose ``__cause__`` it is, but for `KeyboardInterrupt`,
    `SystemExit`, `RecursionError` and `MemoryError`, which are raised as they are. Numbers must be
    within the column's range.

    The returned name is what other functions take as a metric. A function that is registered again
    under the same name replaces the first one.

    Raises `ValueError` for a column whose ``min`` is not below ``max`` or whose name another one
    has, and `Error` for a name that is taken.

    >>> def length_ratio(references, prediction):
    ...     return min(1.0, len(prediction) / max(1, len(references[0])))
    >>> ratio = register_metric("length-ratio", length_ratio, version="2")
    >>> from texgauge import Metric
    >>> metric = Metric(ratio)
    >>> float(metric.score(reference="abcd", prediction="a"))
    0.25
    >>> metric.signature.startswith("length-ratio|function:"), metric.signature[-4:]
    (True, '|v:2')
    """
    all_columns = [c if isinstance(c, Column) else Column(c) for c in columns] or [Column(name)]
    described: list[tuple[Any, ...]] = []
    for column in all_columns:
        bounds = [float(bound) for bound in (column.min, column.max)]
        if any(math.isnan(bound) for bound in bounds) or bounds[0] >= bounds[1]:
            raise ValueError(f"column {column.name!r}: min must be below max")
        described.append(
            (column.name, column.higher_is_better, *bounds, column.pooling, column.help)
        )
    names = [column[0] for column in described]
    twice = sorted({one for one in names if names.count(one) > 1})
    if twice:
        raise ValueError(f"column {twice[0]!r} is named twice")
    module = getattr(function, "__module__", None) or "unknown"
    called = getattr(function, "__qualname__", type(function).__qualname__)
    _core.register_metric(
        name, version, summary or called, f"{module}.{called}", function, tuple(described)
    )
    return Spec(name)
