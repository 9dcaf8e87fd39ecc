r"""CDM as FastCDM is called, without a browser.

>>> FastCDM().compute(r"x^{2}", r"x^{3}")
(0.5, 0.5, 0.5)
"""

from __future__ import annotations

from typing import Any

from texgauge._metric import Metric
from texgauge._pictures import match
from texgauge._specs import MetricName, Spec


class FastCDM:
    """``compute`` gives (F1, recall, precision), and a picture of the match on request.

    The scores are those of the official CDM, or of the dialect that is named, not FastCDM's own,
    which come from drawings of KaTeX.
    """

    def __init__(self, chromedriver: object = None, *, metric: MetricName | Spec = "cdm") -> None:
        self._metric = Metric(metric)

    def compute(self, gt: str, pred: str, visualize: bool = False) -> tuple[Any, ...]:
        """Score a pair; the picture is PNG."""
        score = self._metric.score(reference=gt, prediction=pred)
        label = next(iter(score.columns))
        recall, precision = (score.columns[f"{label}.{name}"] for name in ("recall", "precision"))
        values = (float(score), recall, precision)
        if not visualize:
            return values
        return (*values, match(reference=gt, prediction=pred, metric=self._metric.spec).png)
