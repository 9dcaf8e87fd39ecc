r"""Rewards for training: formulas in completions, scored by a metric or a weighted sum of several.

No text raises an exception, no signals are used, and every reward of 0 has a reason.

>>> reward = Reward("forte")
>>> reward(completions=[r"It is \boxed{x^2}.", ""], ground_truth=["x^{2}", "x^{2}"])
[1.0, 0.0]

TRL takes a `Reward` as it is; verl takes `compute_score` or `compute_score_batch` of this file,
OpenRLHF `reward_func`.
"""

from __future__ import annotations

import difflib
import functools
import json
import logging
import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Real
from typing import Any, NamedTuple, Union

from texgauge._data import usage_error
from texgauge._extraction import FORMULAS, WAYS, extract_formula
from texgauge._formulas import canonical
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
Metrics = Union[MetricName, Spec, Mapping[str, float], Mapping[Spec, float]]
"""A metric, or metrics with weights."""

_TOO_LONG = "too-long"  # the status of a pair whose time was up
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

    Raises `ValueError` for an unknown way, no metric or a weight that is not allowed, `TypeError`
    for arguments of another kind, and `Error` for an unknown metric.

    >>> reward = Reward({"edit": 0.5, "exprate": 0.5})
    >>> reward(completions=["$x$", "$y$"], ground_truth=["x", "x"])
    [1.0, 0.0]
    """

    def __init__(
        self,
        metric: Metrics = "forte",
        *,
        extract: str | Sequence[str] | Callable[[str], str | None] = FORMULAS,
        reference: str | None = None,
        pair_timeout: float = 5.0,
        threads: int = 1,
    ) -> None:
        self.weights = _weights(metric)
        self._metrics = [(_metric(spec, pair_timeout), w) for spec, w in self.weights.items()]
        self._extract = extract if callable(extract) else _ways(extract)
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
            raise usage_error(f"{len(completions)} completions, but {len(references)} references")
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

        A reference is at fault if it cannot be scored against itself, but not if that takes long:
        whether it does depends on the machine.
        """
        failed = [i for i, row in enumerate(values) if any(map(math.isnan, row))]
        truths = [references[i] for i in failed]
        selves = [truth if isinstance(truth, str) else (truth or [None])[0] for truth in truths]
        for i, row, why in zip(failed, *self._values(truths, selves)):
            if any(map(math.isnan, row)) and why != _TOO_LONG:
                reasons[i] = "no formula is in it" if references[i] == [] else why
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
        if formula is not None and not isinstance(formula, str):
            return None, f"extraction gave {type(formula).__name__}, not str or None"
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


def _metric(spec: str, pair_timeout: float) -> Metric:
    return Metric(Spec(spec), undefined="skip", pair_timeout=pair_timeout)


def _weights(metric: Metrics) -> dict[str, float]:
    if isinstance(metric, str):
        return {metric: 1.0}
    if not isinstance(metric, Mapping):
        kind = type(metric).__name__
        raise TypeError(f"metric is a name, a spec, or a dict of these with weights; not {kind}")
    if not metric:
        raise ValueError("no metric named")
    for name, weight in metric.items():
        if not isinstance(name, str) or not isinstance(weight, Real):
            raise TypeError(f"metric has names with numbers; not {name!r}: {weight!r}")
        if not 0 <= weight < math.inf:
            raise ValueError(f"the weight of {name} must be at least 0, and finite; not {weight!r}")
    return {name: float(weight) for name, weight in metric.items()}


def _ways(extract: str | Sequence[str]) -> list[str]:
    if not isinstance(extract, Sequence) or isinstance(extract, bytes):
        kind = type(extract).__name__
        raise TypeError(
            f"extract is one of {', '.join(WAYS)}, a list of them, or a function; not {kind}"
        )
    ways = [extract] if isinstance(extract, str) else list(extract)
    unknown = [str(way) for way in ways if way not in WAYS]
    if unknown or not ways:
        raise ValueError(f"extract knows {', '.join(WAYS)}; not {', '.join(unknown) or 'nothing'}")
    return ways


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
    """Give a reference, or several, as a metric takes them; what is no formula is none."""
    if isinstance(truth, str):
        return truth if _has_formula(truth) else []
    if isinstance(truth, Mapping):
        for name in _REFERENCES:
            if name in truth:
                return _references(truth[name])
        return None
    if isinstance(truth, Sequence) and not isinstance(truth, bytes):
        return [one for one in truth if isinstance(one, str) and _has_formula(one)]
    return None


def _has_formula(text: str) -> bool:
    """Whether there is anything but blanks and delimiters, as an empty answer must not be paid."""
    try:
        return canonical(text) != ""
    except ValueError:  # a fault, which the metric's status names
        return True


def _higher(metric: Metric, value: float) -> float:
    """Give a value of which more is better."""
    return value if metric.higher_is_better or math.isnan(value) else max(0.0, 1.0 - value)


@functools.lru_cache(maxsize=32)
def _reward(metric: str, extract: str) -> Reward:
    return Reward(json.loads(metric), extract=json.loads(extract))


def _reward_of(metric: Metrics, extract: str | Sequence[str]) -> Reward:
    # OpenRLHF loads this file under another name and has Ray pickle its functions by value, with
    # all that they name; a cache cannot be pickled so.
    from texgauge.rewards import _reward  # noqa: PLC0415

    return _reward(json.dumps(_weights(metric)), json.dumps(_ways(extract)))


def _warn_of(unused: Mapping[str, object]) -> None:
    """Warn of what may be a slip; trainers also give much that is not for us."""
    for name in unused:
        for known in difflib.get_close_matches(name, ("metric", "extract"), 1, 0.75):
            warnings.warn(f"no argument {name!r}: is {known!r} meant?", stacklevel=3)


def _verl_score(outcome: Outcome, names: Iterable[str]) -> dict[str, Any]:
    """Give verl's dict, all of whose values are logged: the same keys for every sample."""
    reward = 0.0 if outcome.reward is None else outcome.reward
    own = {"score": reward, "reason": outcome.reason}
    return own | {name: outcome.parts.get(name, 0.0) for name in names} | own


def compute_score(
    data_source: object,
    solution_str: str,
    ground_truth: Any,
    extra_info: object = None,
    *,
    metric: Metrics = "forte",
    extract: str | Sequence[str] = FORMULAS,
    **unused: object,
) -> dict[str, Any]:
    r"""Give verl's reward for one sample; ``metric`` and ``extract`` come from ``reward_kwargs``.

    Raises what `Reward` raises for them, and nothing for any text.

    >>> compute_score("crohme", r"\boxed{x_2}", "x_{2}", metric="cdm")
    {'score': 1.0, 'reason': 'ok', 'cdm': 1.0}
    """
    _warn_of(unused)
    reward = _reward_of(metric, extract)
    return _verl_score(reward.score([solution_str], [ground_truth])[0], reward.weights)


def compute_score_batch(
    data_sources: Sequence[object],
    solution_strs: Sequence[str],
    ground_truths: Sequence[Any],
    extra_infos: object = None,
    *,
    metric: Metrics = "forte",
    extract: str | Sequence[str] = FORMULAS,
    **unused: object,
) -> list[dict[str, Any]]:
    r"""Give verl's rewards for a batch of n samples: a list of n dicts.

    Raises what `Reward` raises for ``metric`` and ``extract``, and nothing for any text.

    >>> compute_score_batch(["crohme"], [r"\boxed{x}"], ["x"], metric="exprate")
    [{'score': 1.0, 'reason': 'ok', 'exprate': 1.0}]
    """
    _warn_of(unused)
    reward = _reward_of(metric, extract)
    outcomes = reward.score(solution_strs, ground_truths)
    return [_verl_score(outcome, reward.weights) for outcome in outcomes]


def _answer(query: str, prompt: str) -> str | None:
    """Give what follows the prompt; a prompt is never searched for a formula."""
    if prompt not in query:
        warnings.warn("a prompt is not in its query, whose answer gets 0", stacklevel=3)
        return None
    return query[query.index(prompt) + len(prompt) :]


def reward_func(
    queries: Sequence[str],
    prompts: Sequence[str],
    labels: Sequence[Any],
    *,
    metric: Metrics = "forte",
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

    _warn_of(unused)
    reward = _reward_of(metric, extract)
    answers = [_answer(query, prompt) for query, prompt in zip(queries, prompts)]
    outcomes = reward.score(answers, labels)
    rewards = torch.tensor([outcome.reward or 0.0 for outcome in outcomes])
    logs = {n: torch.tensor([o.parts.get(n, 0.0) for o in outcomes]) for n in reward.weights}
    return {"rewards": rewards, "scores": rewards, "extra_logs": logs}
