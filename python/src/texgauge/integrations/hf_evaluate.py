"""A metric for Hugging Face's evaluate.

``evaluate.load`` takes this file's path (`script_path`), or use `FormulaMetric` directly.
"""

from __future__ import annotations

from typing import Any

import evaluate

import datasets
import texgauge


def script_path() -> str:
    """Give what ``evaluate.load`` takes: ``evaluate.load(script_path(), "cdm")``."""
    return __file__


class FormulaMetric(evaluate.Metric):
    """A metric of texgauge; the configuration is its spec: ``evaluate.load(path, "forte")``."""

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description="Scores LaTeX formulas: predictions against one reference or several.",
            citation="",
            inputs_description="predictions and references: texts, or a list of texts each",
            features=[
                datasets.Features({"predictions": text, "references": text}),
                datasets.Features({"predictions": text, "references": datasets.Sequence(text)}),
            ],
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[Any],
        metric: str | None = None,
        threads: int = 1,
    ) -> dict[str, Any]:
        spec = metric or (self.config_name if self.config_name not in (None, "default") else "cdm")
        scores = texgauge.Metric(texgauge.Spec(spec)).batch(
            references=references, predictions=predictions, threads=threads
        )
        values: dict[str, Any] = {name: scores.corpus_of(name) for name in scores.names}
        return values | {"scores": list(scores), "status": scores.status}
