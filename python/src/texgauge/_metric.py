"""Scores of pairs in memory."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, Union

from texgauge import _core
from texgauge._doubles import Doubles
from texgauge._names import MANY_PAIRS, ONE_PAIR, renamed
from texgauge._progress import Progress, watch
from texgauge._specs import MetricName, Spec

Reference = Union[str, Sequence[str]]
"""The reference of a pair: one text, or several that are all correct."""


class Score(float):
    """The score of one pair: a float with the pair's status and the metric's other columns.

    It is NaN if the pair has no score; ``status`` says why.

    >>> one = score(reference="ab", prediction="ac", metric="edit")
    >>> one > 0.4, one.status, one.columns["edit.distance"]
    (True, 'ok', 1.0)
    """

    __slots__ = ("_parts",)

    _parts: tuple[str, bytes, tuple[str, ...]]  # status, doubles of the columns, their names

    @property
    def status(self) -> str:
        """``"ok"``, or why the pair has no score, or a remark on it."""
        return self._parts[0]

    @property
    def columns(self) -> Mapping[str, float]:
        """The value of each column of the metric.

        >>> sorted(score(reference="ab", prediction="ac", metric="edit").columns)
        ['edit', 'edit.corpus', 'edit.distance', 'edit.normalized']
        """
        _, numbers, names = self._parts
        return dict(zip(names, memoryview(numbers).cast("d")))

    def __reduce__(self) -> tuple[Any, ...]:
        return _score_of, (float(self), self._parts)


def _score_of(value: float, parts: tuple[str, bytes, tuple[str, ...]]) -> Score:
    score = Score(value)
    score._parts = parts
    return score


class Scores(Doubles):
    """The scores of n pairs: the metric's first column, and its other columns by name.

    It is a read-only array of n doubles, with NaN for a pair without a score; `status` says why.
    ``numpy.asarray(scores)`` shares its memory. Arithmetic, comparisons and slices give NumPy
    arrays, and need NumPy. `mean`, `min`, `max` and `sum` leave out NaN, also as
    ``numpy.mean(scores)``. The unit and range of a column are the metric's: see `Metric.columns`.

    >>> scores = Metric("edit").batch(references=["a", "b"], predictions=["a", None])
    >>> len(scores), scores[0], scores.tolist(), scores.mean(), scores.status
    (2, 1.0, [1.0, 0.0], 0.5, ['ok', 'no prediction'])
    >>> (scores > 0.5).tolist(), (scores * 100).tolist(), scores[1:].tolist()
    ([True, False], [100.0, 0.0], [0.0])
    """

    def __init__(self, batch: _core.Batch, names: Sequence[str], signature: str) -> None:
        """Make scores; users get them from `Metric.batch`."""
        self._batch = batch
        self._names = tuple(names)
        columns, pooled, self._status, self._notes, _ = batch
        self._values = {
            name: memoryview(column).cast("d") for name, column in zip(self._names, columns)
        }
        self._pooled = dict(zip(self._names, pooled))
        self.signature = signature

    @property
    def names(self) -> tuple[str, ...]:
        """The metric's columns; the first is the one that ``scores`` itself holds."""
        return self._names

    @property
    def columns(self) -> Mapping[str, Doubles]:
        """The values of every column: n doubles each, read-only."""
        return {name: self.column(name) for name in self._names}

    def column(self, name: str) -> Doubles:
        """Give the values of one column: a read-only array of n doubles.

        Raises `KeyError` if there is no such column.
        """
        return Doubles(self._values[self._known(name)])

    @property
    def values(self) -> memoryview[float]:
        """The first column's values."""
        return self._values[self._names[0]]

    @property
    def status(self) -> list[str]:
        """A list of n texts: ``"ok"``, or why the pair has no score, or a remark on it."""
        return self._status

    @property
    def notes(self) -> list[str | None]:
        """A list of n remarks on how the pair was scored, or None."""
        return self._notes

    @property
    def corpus(self) -> float:
        """The value of the set as a whole, as the summary of ``texgauge eval`` has it.

        For metrics with statistics, such as ``bleu``, it is not the mean.
        """
        return self._pooled[self._names[0]]

    def corpus_of(self, name: str) -> float:
        """Give the value of the set in another column."""
        return self._pooled[self._known(name)]

    def _known(self, name: str) -> str:
        if name not in self._names:
            raise KeyError(f"no column {name!r}; there are {', '.join(self._names)}")
        return name

    def __reduce__(self) -> tuple[Any, ...]:
        return Scores, (self._batch, self._names, self.signature)

    def __repr__(self) -> str:
        pairs = "1 pair" if len(self) == 1 else f"{len(self)} pairs"
        return f"<Scores of {pairs}: {self.corpus:.10g}, {self.signature}>"


class Metric:
    r"""A metric with its options: ``Metric(spec("bleu", smooth="nltk4"))``.

    Any number of threads may use one metric at the same time. It can be pickled, and used after a
    fork.

    ``undefined`` says what a pair without a score counts as: ``"worst"``, ``"skip"`` (left out) or
    ``"stop"`` (an error); the metric sets the default. ``keep_delimiters`` keeps outer ``$`` and
    the like. ``clean`` lists what is removed from formulas first, such as ``"fences,dollars"``.
    ``pair_timeout`` limits the seconds for a pair; 0 is no limit. A pair that takes longer has the
    status ``too-long``.

    Raises `Error` with the code ``usage`` for an unknown metric, option or value, and `ValueError`
    for several metrics.

    >>> metric = Metric("cdm")
    >>> score = metric.score(reference="x^2+1", prediction="x^2")
    >>> float(score), score.status
    (0.667, 'ok')
    >>> score.columns["cdm.recall"]
    0.5
    """

    def __init__(
        self,
        spec: MetricName | Spec,
        *,
        undefined: Literal["worst", "skip", "stop"] | None = None,
        keep_delimiters: bool = False,
        clean: str | None = None,
        pair_timeout: float = 0,
    ) -> None:
        self._options: dict[str, Any] = {
            "undefined": undefined,
            "keep_delimiters": keep_delimiters,
            "clean": clean,
            "pair_timeout": pair_timeout,
        }
        options = {
            "undefined": undefined,
            "delimiters": "keep" if keep_delimiters else None,
            "clean": clean,
            "pair-timeout": pair_timeout,
        }
        self._scorer = _core.Scorer(spec, options, Score)
        about = self._scorer.metrics()
        if len(about) != 1:
            raise ValueError(f"one metric, not {len(about)}: {spec!r}; evaluate() takes several")
        if type(self).score is Metric.score:
            # Of a short pair, this method would take as long as the function of C that it calls.
            self.__dict__["score"] = self._scorer.score
        self.spec = spec
        self.name = about[0]["name"]
        self.signature = about[0]["signature"]
        self._columns = self._scorer.columns()
        self._names = tuple(column["name"] for column in self._columns)

    @property
    def columns(self) -> Mapping[str, Mapping[str, Any]]:
        """Each column's name, direction, range, pooling and help."""
        return MappingProxyType({column["name"]: dict(column) for column in self._columns})

    @property
    def higher_is_better(self) -> bool:
        """Whether more is better in the first column."""
        return self._columns[0]["higher_is_better"]

    @renamed(**ONE_PAIR)
    def score(self, *, reference: Reference, prediction: str) -> Score:
        """Score one pair. With several references, the best one counts.

        Raises `TypeError` for what is no text, and `Error` where ``undefined="stop"`` says so.

        >>> float(Metric("edit").score(reference=["a", "b"], prediction="b"))
        1.0
        """
        score: Score = self._scorer.score(reference=reference, prediction=prediction)
        return score

    @renamed(**MANY_PAIRS)
    def batch(
        self,
        *,
        references: Sequence[Reference],
        predictions: Sequence[str | None],
        threads: int = 1,
        progress: Progress = False,
    ) -> Scores:
        """Score n pairs: `Scores` of length n, in the order of the pairs.

        A reference is a text, several texts, or None; a prediction is a text or None. Pairs without
        one of them have a status that says so. ``threads=0`` uses every processor; the scores do
        not depend on the number of threads. ``progress`` is called with two numbers, pairs done and
        pairs in all; True shows a bar if tqdm is installed. Ctrl-C stops a batch.

        Raises `ValueError` for lists of unequal lengths, `TypeError` for what is no text, and
        `Error` where ``undefined="stop"`` says so.

        >>> scores = Metric("edit").batch(
        ...     references=["a", ["b", "c"]], predictions=["a", "d"], threads=2)
        >>> list(scores), scores.mean(), scores.status
        ([1.0, 0.0], 0.5, ['ok', 'ok'])
        """
        with watch(progress, unit="pairs") as report:
            batch = self._scorer.batch(references, predictions, threads, report)
        return Scores(batch, self._names, self.signature)

    def __reduce__(self) -> tuple[Callable[..., Metric], tuple[MetricName | Spec]]:
        return functools.partial(Metric, **self._options), (self.spec,)

    def __repr__(self) -> str:
        return f"Metric({self.spec!r})"


def refuse(n: int, names: tuple[str, ...] | None) -> None:
    """Raise what is wrong with the arguments of a call of `Metric.score` that C has got."""
    call: Callable[..., Score] = Metric.score
    call(*[None] * (n + 1), **dict.fromkeys(names or ()))


@functools.lru_cache(maxsize=32)
def _metric(spec: MetricName | Spec) -> Metric:
    return Metric(spec)


@renamed(**ONE_PAIR, metrics="metric")
def score(
    *, reference: Reference, prediction: str, metric: MetricName | Spec | Metric = "cdm"
) -> Score:
    r"""Score one pair by a metric: its name, a `spec`, or a `Metric`.

    A metric that is given by name is made once. Raises `Error` with the code ``usage`` for an
    unknown metric, and `TypeError` for what is no text.

    >>> float(score(reference="x^{2}", prediction="x_{2}", metric="forte"))
    0.4393714045
    >>> float(score(reference=r"\frac{a}{b}", prediction=r"\frac{a}{b}"))
    1.0
    """
    if isinstance(metric, str):
        metric = _metric(metric)
    if not isinstance(metric, Metric):
        kind = type(metric).__name__
        raise TypeError(f"metric is a name, a spec or a Metric; not {kind}")
    return metric.score(reference=reference, prediction=prediction)


def metrics() -> dict[str, str]:
    """Give the names of all metrics, each with a line that describes it.

    >>> metrics()["wer"]
    'word error rate'
    """
    return dict(_core.metric_names())
