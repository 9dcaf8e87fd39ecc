r"""Rewards for training: formulas in completions, scored by a metric or a weighted sum of several.

No text raises an exception, no signals are used, and every reward of 0 has a reason.

>>> reward = Reward("forte")
>>> reward(completions=[r"It is \boxed{x^2}.", ""], ground_truth=["x^{2}", "x^{2}"])
[1.0, 0.0]

TRL takes a `Reward` as it is; verl takes `compute_score` or `compute_score_batch` of this file,
OpenRLHF `reward_func`.
"""

from __future__ import annotations

import functools
import json
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from texgauge._extraction import FORMULAS, WAYS, extract_formula
from texgauge._metric import Metric
from texgauge._specs import MetricName, Spec

__all__ = [
    "Outcome",
    "Reward",
    "compute_score",
    "compute_score_batch",
    "extract_formula",
    "reward_func",
]

_LOG = logging.getLogger("texgauge.rewards")
_REFERENCES = ("ground_truth", "reference", "gt", "truth", "solution", "answer", "label", "latex")


class Outcome(NamedTuple):
    r"""A reward with its formula and reason.

    >>> outcome = Reward("exprate").score([r"\boxed{x}"], ["x"])[0]
    >>> outcome.reward, outcome.formula, outcome.reason, outcome.parts
    (1.0, 'x', 'ok', {'exprate': 1.0})
    """

    reward: float | None
    """None if the reference cannot be scored: nothing that the model writes changes that."""
    formula: str | None
    """The formula that was scored."""
    reason: str
    """``"ok"``, or why the reward is 0 or None."""
    parts: dict[str, float]
    """The value of each metric, higher being better."""


class Reward:
    """A reward function: a metric, or metrics with weights, over formulas found in completions.

    ``metric`` is what `Metric` takes, or ``{"forte": 0.8, "exprate": 0.2}``, whose weighted sum is
    the reward. A metric where lower is better, such as ``cer``, counts as 1 minus its value, and at
    least 0. ``extract`` lists the ways to find the formula, tried in this order: ``boxed``,
    ``fence``, ``display``, ``inline``, ``bare`` (see `extract_formula`); ``extract="whole"`` scores
    each completion as it is. Or it is a function from a completion to the formula or None.
    ``reference`` names the column of references; the default tries the usual names,
    ``ground_truth`` first. ``pair_timeout`` limits the seconds for a pair.

    A completion without a formula, such as prose, or with one that cannot be scored, gets 0,
    whatever the metric gives an empty prediction. If the reference cannot be scored, the reward is
    None, which TRL leaves out.

    Raises `ValueError` for an unknown way or no metric, and `Error` for an unknown metric.

    >>> reward = Reward({"edit": 0.5, "exprate": 0.5})
    >>> reward(completions=["$x$", "$y$"], ground_truth=["x", "x"])
    [1.0, 0.0]
    """

    def __init__(
        self,
        metric: MetricName | Spec | Mapping[MetricName | Spec, float] = "forte",
        *,
        extract: str | Sequence[str] | Callable[[str], str | None] = FORMULAS,
        reference: str | None = None,
        pair_timeout: float = 5.0,
        threads: int = 1,
    ) -> None:
        self.weights = {metric: 1.0} if isinstance(metric, str) else dict(metric)
        if not self.weights:
            raise ValueError("no metric named")
        self._metrics = [(_metric(spec, pair_timeout), w) for spec, w in self.weights.items()]
        self._extract = [extract] if isinstance(extract, str) else extract
        if not callable(self._extract):
            unknown = [way for way in self._extract if way not in WAYS]
            if unknown:
                raise ValueError(f"extract knows {', '.join(WAYS)}; not {', '.join(unknown)}")
        self._reference = reference
        self._pair_timeout = pair_timeout
        self._threads = threads
        self.__name__ = "texgauge_" + "_".join(m.name for m, _ in self._metrics).replace("-", "_")

    def __call__(
        self,
        *,
        completions: Sequence[Any],
        prompts: Sequence[Any] | None = None,
        completion_ids: object = None,
        trainer_state: object = None,
        log_extra: Callable[[str, list[Any]], object] | None = None,
        log_metric: Callable[[str, float], object] | None = None,
        **columns: Any,
    ) -> list[float | None]:
        """Give TRL's rewards, one per completion; the references are a column of the data set.

        Raises `ValueError` if there is no such column.
        """
        outcomes = self.score(completions, self._truths(columns))
        if log_extra is not None:
            log_extra("reward_reason", [outcome.reason for outcome in outcomes])
            log_extra("reward_formula", [outcome.formula or "" for outcome in outcomes])
        if log_metric is not None and outcomes:
            zeros = sum(outcome.reward == 0 for outcome in outcomes)
            log_metric(f"{self.__name__}/zeros", zeros / len(outcomes))
        return [outcome.reward for outcome in outcomes]

    def score(self, completions: Sequence[Any], references: Sequence[Any]) -> list[Outcome]:
        """Score n completions: n outcomes, which have formula and reason beside the reward.

        Raises `ValueError` for lists of unequal lengths.
        """
        if len(completions) != len(references):
            raise ValueError(f"{len(completions)} completions, but {len(references)} references")
        found = [self._find(completion) for completion in completions]
        truths = [_references(reference) for reference in references]
        formulas = [formula for formula, _ in found]
        values, reasons = self._values(truths, formulas)
        self._excuse(truths, values, reasons)
        outcomes = [self._outcome(values[i], found[i], reasons[i]) for i in range(len(found))]
        for number, outcome in enumerate(outcomes):
            if not outcome.reward:
                _LOG.info("sample %d: reward %s: %s", number, outcome.reward, outcome.reason)
        return outcomes

    def _values(
        self, references: Sequence[Any], formulas: Sequence[str | None]
    ) -> tuple[list[list[float]], list[str]]:
        """Give the values of all metrics per pair, NaN for what cannot be scored, and why."""
        columns, reasons = [], ["ok"] * len(formulas)
        for metric, _ in self._metrics:
            scores = metric.batch(
                references=references, predictions=formulas, threads=self._threads
            )
            columns.append([_higher(metric, value) for value in scores])
            reasons = [a if a != "ok" else b for a, b in zip(reasons, scores.status)]
        return [list(row) for row in zip(*columns)], reasons

    def _excuse(
        self, references: Sequence[Any], values: list[list[float]], reasons: list[str]
    ) -> None:
        """Make what cannot be scored 0, unless the reference is at fault: that stays NaN.

        A reference is at fault if it cannot be scored against itself.
        """
        failed = [i for i, row in enumerate(values) if any(map(math.isnan, row))]
        truths = [references[i] for i in failed]
        selves = [truth if isinstance(truth, str) else (truth or [None])[0] for truth in truths]
        for i, row, why in zip(failed, *self._values(truths, selves)):
            if any(map(math.isnan, row)):
                reasons[i] = why
            else:
                values[i] = [0.0 if math.isnan(value) else value for value in values[i]]

    def _find(self, completion: Any) -> tuple[str | None, str]:
        text = _text(completion)
        if text is None:
            return None, "the completion is no text"
        if not callable(self._extract):
            return extract_formula(text, self._extract)
        try:
            formula = self._extract(text)
        except Exception as error:  # a reward never ends a training
            return None, f"extraction raised {type(error).__name__}: {error}"
        return (formula, "function") if formula else (None, "no formula found")

    def _outcome(self, values: list[float], found: tuple[str | None, str], why: str) -> Outcome:
        formula, way = found
        parts = {str(spec): v for spec, v in zip(self.weights, values) if not math.isnan(v)}
        if len(parts) < len(values):
            return Outcome(None, formula, f"the reference cannot be scored: {why}", parts)
        reward = math.fsum(weight * parts[spec] for spec, weight in self.weights.items())
        if formula is None:
            why = way
        elif reward == 0 and why == "ok":
            why = "nothing agrees with the reference"
        return Outcome(reward, formula, why, parts)

    def _truths(self, columns: Mapping[str, Any]) -> Sequence[Any]:
        for name in [self._reference] if self._reference else _REFERENCES:
            if name in columns:
                truths: Sequence[Any] = columns[name]
                return truths
        wanted = self._reference or ", ".join(_REFERENCES)
        there = f"there are {', '.join(columns)}" if columns else "no columns were given"
        raise ValueError(f"no column of references: {wanted}; {there}")

    def __reduce__(self) -> tuple[Any, ...]:
        options: dict[str, Any] = {
            "extract": self._extract,
            "reference": self._reference,
            "pair_timeout": self._pair_timeout,
            "threads": self._threads,
        }
        return functools.partial(Reward, **options), (self.weights,)

    def __repr__(self) -> str:
        return f"Reward({self.weights!r})"


def _metric(spec: MetricName | Spec, pair_timeout: float) -> Metric:
    return Metric(spec, undefined="skip", pair_timeout=pair_timeout)


def _text(completion: Any) -> str | None:
    """Give the text of a completion: a str, a message, or the last of a list of messages."""
    if isinstance(completion, str):
        return completion
    if isinstance(completion, Mapping):
        return _text(completion.get("content", completion.get("text")))
    if isinstance(completion, Sequence) and not isinstance(completion, bytes) and completion:
        if all(isinstance(part, Mapping) and "role" not in part for part in completion):
            texts = [_text(part) for part in completion if part.get("type", "text") == "text"]
            return "".join(text for text in texts if text is not None)
        return _text(completion[-1])
    return None


def _references(truth: Any) -> Any:
    """Give a reference, or several, as a metric takes them; what is no text is none."""
    if isinstance(truth, str):
        return truth
    if isinstance(truth, Mapping):
        for name in _REFERENCES:
            if name in truth:
                return _references(truth[name])
        return None
    if isinstance(truth, Sequence) and not isinstance(truth, bytes):
        return [one for one in truth if isinstance(one, str)]
    return None


def _higher(metric: Metric, value: float) -> float:
    """Give a value of which more is better."""
    return value if metric.higher_is_better or math.isnan(value) else max(0.0, 1.0 - value)


@functools.lru_cache(maxsize=32)
def _reward(metric: str, extract: str) -> Reward:
    weights = json.loads(metric)
    return Reward(weights, extract=json.loads(extract))


def _reward_of(
    metric: MetricName | Spec | Mapping[MetricName | Spec, float], extract: str | Sequence[str]
) -> Reward:
    weights = {metric: 1.0} if isinstance(metric, str) else dict(metric)
    ways = [extract] if isinstance(extract, str) else list(extract)
    return _reward(json.dumps(weights), json.dumps(ways))


def _verl_score(outcome: Outcome) -> dict[str, Any]:
    """Give verl's dict; all of its values are logged."""
    reward = 0.0 if outcome.reward is None else outcome.reward
    return {"score": reward, "reason": outcome.reason, **outcome.parts}


def compute_score(
    data_source: object,
    solution_str: str,
    ground_truth: Any,
    extra_info: object = None,
    *,
    metric: MetricName | Spec | Mapping[MetricName | Spec, float] = "forte",
    extract: str | Sequence[str] = FORMULAS,
    **unused: object,
) -> dict[str, Any]:
    r"""Give verl's reward for one sample; ``metric`` and ``extract`` come from ``reward_kwargs``.

    Raises what `Reward` raises for them, and nothing for any text.

    >>> compute_score("crohme", r"\boxed{x_2}", "x_{2}", metric="cdm")
    {'score': 1.0, 'reason': 'ok', 'cdm': 1.0}
    """
    outcome = _reward_of(metric, extract).score([solution_str], [ground_truth])[0]
    return _verl_score(outcome)


def compute_score_batch(
    data_sources: Sequence[object],
    solution_strs: Sequence[str],
    ground_truths: Sequence[Any],
    extra_infos: object = None,
    *,
    metric: MetricName | Spec | Mapping[MetricName | Spec, float] = "forte",
    extract: str | Sequence[str] = FORMULAS,
    **unused: object,
) -> list[dict[str, Any]]:
    r"""Give verl's rewards for a batch of n samples: a list of n dicts.

    Raises what `Reward` raises for ``metric`` and ``extract``, and nothing for any text.

    >>> compute_score_batch(["crohme"], [r"\boxed{x}"], ["x"], metric="exprate")
    [{'score': 1.0, 'reason': 'ok', 'exprate': 1.0}]
    """
    outcomes = _reward_of(metric, extract).score(solution_strs, ground_truths)
    return [_verl_score(outcome) for outcome in outcomes]


def reward_func(
    queries: Sequence[str],
    prompts: Sequence[str],
    labels: Sequence[Any],
    *,
    metric: MetricName | Spec | Mapping[MetricName | Spec, float] = "forte",
    extract: str | Sequence[str] = FORMULAS,
    **unused: object,
) -> dict[str, Any]:
    """Give OpenRLHF's rewards; ``queries`` hold prompt and answer, ``labels`` the references.

    The dict has tensors of n numbers. For another metric than forte, name a function of your own
    in OpenRLHF's option ``remote_rm_url`` that calls this one.

    Raises what `Reward` raises for ``metric`` and ``extract``, and nothing for any text.

    >>> reward_func(["Q: x? $x$"], ["Q: x? "], ["x"])["rewards"]  # doctest: +SKIP
    tensor([1.])
    """
    import torch  # noqa: PLC0415

    answers = [q.removeprefix(p) for q, p in zip(queries, prompts)]
    outcomes = _reward_of(metric, extract).score(answers, labels)
    rewards = torch.tensor([outcome.reward or 0.0 for outcome in outcomes])
    names = list(outcomes[0].parts) if outcomes else []
    logs = {n: torch.tensor([o.parts.get(n, 0.0) for o in outcomes]) for n in names}
    return {"rewards": rewards, "scores": rewards, "extra_logs": logs}
