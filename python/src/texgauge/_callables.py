"""Metrics that are written in Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from texgauge import _core
from texgauge._specs import Spec

Function = Callable[[list[str], str], "float | Mapping[str, float] | None"]


class Column(NamedTuple):
    """A number that a metric gives for a pair, and how a set's value follows from the pairs'.

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

    The function gets the list of references and the prediction. It returns a number for the first
    column, a mapping with a number for every column, or None where the pair has no score;
    `texgauge.Error` says why not. Any other exception ends the run. ``min`` and ``max`` of a
    column are checked; ``math.inf`` is no bound. ``pooling`` is ``mean`` or ``sum``.

    It returns the name as a type that functions with metrics take. Where one function is registered
    again under the same name, it replaces the first.

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
    module = getattr(function, "__module__", None) or "unknown"
    called = getattr(function, "__qualname__", type(function).__qualname__)
    _core.register_metric(
        name, version, summary or called, f"{module}.{called}", function, tuple(described)
    )
    return Spec(name)
