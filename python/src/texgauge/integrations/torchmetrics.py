"""A metric for torchmetrics.

>>> from texgauge.integrations.torchmetrics import FormulaMetric  # doctest: +SKIP
>>> metric = FormulaMetric("cdm")                                 # doctest: +SKIP
>>> metric.update(["x^2"], ["x^{2}"])                             # doctest: +SKIP
>>> metric.compute()                                              # doctest: +SKIP
tensor(1., dtype=torch.float64)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
import torchmetrics

from texgauge._metric import Metric
from texgauge._specs import MetricName, Spec


class FormulaMetric(torchmetrics.Metric):
    """The mean of a metric over all pairs that have a score, on any number of processes.

    The mean is that of the pairs' values in the first column. Predictions come first, as in all of
    torchmetrics; a target is a text, or several that are all right.
    """

    is_differentiable = False
    full_state_update = False
    total: torch.Tensor
    count: torch.Tensor

    def __init__(self, metric: MetricName | Spec = "cdm", *, threads: int = 1, **more: Any) -> None:
        super().__init__(**more)
        self.metric = Metric(metric)
        self.threads = threads
        zero = torch.zeros((), dtype=torch.float64)
        self.add_state("total", default=zero, dist_reduce_fx="sum")
        self.add_state("count", default=zero.clone(), dist_reduce_fx="sum")

    @property
    def higher_is_better(self) -> bool:
        """The direction of the metric."""
        return self.metric.higher_is_better

    def update(
        self, preds: str | Sequence[str], target: str | Sequence[str | Sequence[str]]
    ) -> None:
        """Add a pair, or pairs."""
        references: Sequence[Any] = [target] if isinstance(preds, str) else target
        predictions = [preds] if isinstance(preds, str) else preds
        scores = self.metric.batch(
            references=references, predictions=predictions, threads=self.threads
        )
        defined = [value for value in scores if not math.isnan(value)]
        self.total += math.fsum(defined)
        self.count += len(defined)

    def compute(self) -> torch.Tensor:
        """Give the mean; NaN where no pair has a score."""
        return self.total / self.count
