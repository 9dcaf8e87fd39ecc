"""A scorer for Inspect."""

from __future__ import annotations

from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from texgauge.rewards import Metrics, Reward


@scorer(metrics=[mean(), stderr()], name="texgauge")
def formula_scorer(
    metric: Metrics = "forte",
    extract: str | list[str] | None = None,
) -> Scorer:
    """Score the formula in a completion against the targets; see `texgauge.rewards.Reward`."""
    reward = Reward(metric) if extract is None else Reward(metric, extract=extract)

    async def score(state: TaskState, target: Target) -> Score:
        outcome = reward.score([state.output.completion], [list(target)])[0]
        details: dict[str, Any] = {"reason": outcome.reason, **outcome.parts}
        return Score(
            value=outcome.reward or 0.0,
            answer=outcome.formula or "",
            explanation=outcome.reason,
            metadata=details,
        )

    return score
