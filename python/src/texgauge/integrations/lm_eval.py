"""Metrics for lm-evaluation-harness.

Importing this file registers ``texgauge_cdm``, ``texgauge_forte`` and ``texgauge_exprate`` for
``generate_until``. A task may name a function in place of that::

    metric_list:
      - metric: !function texgauge.integrations.lm_eval.forte
        aggregation: mean
        higher_is_better: true
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lm_eval.api.metrics  # noqa: F401 # registers the aggregations
from lm_eval.api.registry import register_metric

from texgauge._specs import Spec
from texgauge.rewards import Reward

_REWARDS: dict[str, Reward] = {}


def _score(name: str, references: Sequence[Any], predictions: Sequence[str]) -> float:
    if name not in _REWARDS:
        _REWARDS[name] = Reward(Spec(name))
    truths = [list(references)] if len(predictions) == 1 else list(references)
    outcomes = _REWARDS[name].score(list(predictions), truths)
    return sum(outcome.reward or 0.0 for outcome in outcomes) / len(outcomes)


def cdm(references: Sequence[Any], predictions: Sequence[str], **unused: object) -> float:
    """CDM of the formula in a completion."""
    return _score("cdm", references, predictions)


def forte(references: Sequence[Any], predictions: Sequence[str], **unused: object) -> float:
    """FORTE of the formula in a completion."""
    return _score("forte", references, predictions)


def exprate(references: Sequence[Any], predictions: Sequence[str], **unused: object) -> float:
    """Whether the formula in a completion is the reference, token by token."""
    return _score("exprate", references, predictions)


for _function in (cdm, forte, exprate):
    register_metric(
        metric=f"texgauge_{_function.__name__}",
        higher_is_better=True,
        output_type="generate_until",
        aggregation="mean",
    )(_function)
