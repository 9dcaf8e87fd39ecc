r"""Scores LaTeX formulas: the predictions of models against references, with many metrics.

>>> import texgauge
>>> texgauge.score(reference=r"\frac{a}{b}", prediction=r"\frac{a}{6}", metric="edit")
0.8571428571
>>> scores = texgauge.Metric("exprate").batch(
...     references=["x^2", "y"], predictions=["x^{2}", "z"])
>>> list(scores)
[0.0, 0.0]

The numbers are those of the command ``texgauge eval``, to the bit: both run the same code.
"""

import importlib
from typing import TYPE_CHECKING

from texgauge import _load  # noqa: F401
from texgauge._core import Error, __version__
from texgauge._formulas import canonical, tokens
from texgauge._metric import Metric, Score, Scores, metrics, score
from texgauge._specs import MetricName, SetName, Spec, spec

if TYPE_CHECKING:
    from texgauge import olmocr, rewards, spark
    from texgauge._callables import Column, register_metric
    from texgauge._pictures import (
        Drawing,
        Explanation,
        Match,
        Picture,
        explain,
        extract,
        match,
        render,
    )
    from texgauge._results import (
        Results,
        Tables,
        compare,
        evaluate,
        evaluate_pages,
        load,
        rate,
        report,
        study,
    )

__all__ = [
    "Column",
    "Drawing",
    "Error",
    "Explanation",
    "Match",
    "Metric",
    "MetricName",
    "Picture",
    "Results",
    "Score",
    "Scores",
    "SetName",
    "Spec",
    "Tables",
    "__version__",
    "canonical",
    "compare",
    "evaluate",
    "evaluate_pages",
    "explain",
    "extract",
    "load",
    "match",
    "metrics",
    "olmocr",
    "rate",
    "register_metric",
    "render",
    "report",
    "rewards",
    "score",
    "spark",
    "spec",
    "study",
    "tokens",
]

# Names that single pairs do not need are imported at first use, so that a worker starts sooner.
_LATER = {
    "_callables": ("Column", "register_metric"),
    "_pictures": (
        *("Drawing", "Explanation", "Match", "Picture"),
        *("explain", "extract", "match", "render"),
    ),
    "_results": (
        *("Results", "Tables", "compare", "evaluate", "evaluate_pages"),
        *("load", "rate", "report", "study"),
    ),
}
_MODULE_OF = {name: module for module, names in _LATER.items() for name in names}


def __getattr__(name: str) -> object:
    if name in ("olmocr", "rewards", "spark"):
        return importlib.import_module(f"texgauge.{name}")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'texgauge' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"texgauge.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
