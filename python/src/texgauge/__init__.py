r"""Scores LaTeX formulas: the predictions of models against the truth, with many metrics.

>>> import texgauge
>>> texgauge.score(reference=r"\frac{a}{b}", prediction=r"\frac{a}{6}", metric="edit")
0.8571428571
>>> scores = texgauge.Metric("exprate").batch(
...     references=["x^2", "y"], predictions=["x^{2}", "z"])
>>> list(scores)
[0.0, 0.0]

The numbers are those of the command ``texgauge eval``, to the bit: both run the same code.
"""

from texgauge._callables import Column, register_metric
from texgauge._core import Error, __version__
from texgauge._formulas import canonical, tokens
from texgauge._metric import Metric, Score, Scores, metrics, score
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
from texgauge._results import Results, Tables, compare, evaluate, load, report, study

__all__ = [
    "Column",
    "Drawing",
    "Error",
    "Explanation",
    "Match",
    "Metric",
    "Picture",
    "Results",
    "Score",
    "Scores",
    "Tables",
    "__version__",
    "canonical",
    "compare",
    "evaluate",
    "explain",
    "extract",
    "load",
    "match",
    "metrics",
    "register_metric",
    "render",
    "report",
    "score",
    "study",
    "tokens",
]
