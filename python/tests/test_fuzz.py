"""Random objects where texts, rows and tables belong: scores, or TypeError or ValueError.

TEXGAUGE_FUZZ_PYTHON=100000 is the long form.
"""

import collections
import math
import os
import random

import numpy
import pytest
import texgauge

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # faults of rows
N = int(os.environ.get("TEXGAUGE_FUZZ_PYTHON", "300"))
METRIC = texgauge.Metric("edit")
LETTERS = ["a", "\\frac", "{", "}", "$", "x", "\0", "\ud800", "\U0001f600", "é", " "]


def fuzz(seed):
    """Give random choices, of which each test has its own."""
    return random.Random(f"{seed}")


def text(rng):
    return "".join(rng.choices(LETTERS, k=rng.randrange(8)))


def scalar(rng):
    """Something that may stand for a text: mostly one, or an object that only looks like one."""
    kinds = [
        lambda: text(rng),
        lambda: numpy.str_(text(rng)),
        lambda: None,
        lambda: text(rng).encode("utf-8", "surrogatepass"),
        lambda: bytearray(b"ab"),
        lambda: memoryview(b"ab"),
        lambda: rng.choice([0, -1, 2**80, math.nan, math.inf, 1j, True]),
        lambda: numpy.float32(1.5),
        object,
        dict,
        lambda: iter("ab"),
    ]
    return rng.choice(kinds[:3] if rng.random() < 0.8 else kinds)()


def sequence(rng, n, depth=0):
    """N scalars or sequences of them, in whatever Python has for sequences."""
    if rng.random() < 0.03:
        return scalar(rng)
    inner = depth == 0 and rng.random() < 0.4
    items = [
        sequence(rng, rng.randrange(3), 1) if inner and rng.random() < 0.5 else scalar(rng)
        for _ in range(n)
    ]
    texts = [text(rng).replace("\ud800", "") for _ in range(n)]
    return rng.choice(
        [
            lambda: items,
            lambda: tuple(items),
            lambda: collections.deque(items),
            lambda: (item for item in items),
            lambda: dict.fromkeys(texts, 1),
            lambda: numpy.array(texts),
            lambda: numpy.array(texts)[::-1],
            lambda: numpy.array(texts, dtype=object),
            lambda: numpy.array([*texts, None], dtype=object)[:n],
            lambda: numpy.array([item.encode() for item in texts], dtype="S"),
            lambda: numpy.ones((n, 2)),
            lambda: numpy.array(text(rng)),
        ]
    )()


def check_scores(scores):
    values = numpy.asarray(scores)
    assert len(values) == len(scores.status) == len(scores)
    assert all(math.isnan(value) or 0 <= value <= 1 for value in values)
    assert all(isinstance(status, str) and status for status in scores.status)


def test_sequences():
    rng = fuzz("sequences")
    scored = 0
    for _ in range(N):
        n = rng.randrange(5)
        try:
            scores = METRIC.batch(references=sequence(rng, n), predictions=sequence(rng, n))
        except (TypeError, ValueError):
            continue
        check_scores(scores)
        scored += 1
    assert scored > N / 20


def test_rewards():
    rng = fuzz("rewards")
    reward = texgauge.rewards.Reward("exprate")
    scored = 0
    for _ in range(N):
        n = rng.randrange(4)
        try:
            outcomes = reward.score(sequence(rng, n), sequence(rng, n))
        except (TypeError, ValueError):
            continue
        assert all(o.reward is None or o.reward in {0.0, 1.0} for o in outcomes)
        scored += 1
    assert scored > N / 20


def value(rng, depth=0):
    """Whatever may be a value of a row."""
    if depth < 3 and rng.random() < 0.2:
        return [value(rng, depth + 1) for _ in range(rng.randrange(3))]
    if depth < 3 and rng.random() < 0.2:
        return {text(rng): value(rng, depth + 1) for _ in range(rng.randrange(3))}
    return scalar(rng)


def test_rows():
    rng = fuzz("rows")
    names = ["gt", "pred", "id", "model", "subset", "human", "\ud800", "", "a\0b", 7, None]
    scored = 0
    for _ in range(N // 3):
        keys = ["gt", "pred", *rng.choices(names, k=rng.randrange(3))]
        rows = [{key: value(rng) for key in keys} for _ in range(rng.randrange(4))]
        try:
            results = texgauge.evaluate(rows, metrics="exprate", allow_duplicates=True)
        except (TypeError, ValueError):
            continue
        assert len(list(results.rows())) <= len(rows)
        scored += 1
    assert scored > N / 100


class Table:
    """A table whose stream is what it is given."""

    def __init__(self, stream):
        self.stream = stream

    def __arrow_c_stream__(self, requested_schema=None):
        if isinstance(self.stream, Exception):
            raise self.stream
        return self.stream


def test_streams_that_are_none():
    pytest.importorskip("pyarrow")
    other = numpy._core._multiarray_umath._ARRAY_API  # a capsule of another name
    for stream in (7, "x", b"", object(), other, KeyError("x"), TypeError("y")):
        with pytest.raises((TypeError, ValueError, KeyError)):
            texgauge.evaluate(Table(stream), metrics="edit")


def test_tables():
    pyarrow = pytest.importorskip("pyarrow")
    rng = fuzz("tables")
    for _ in range(N // 3):
        names = rng.sample(["gt", "pred", "id", "subset", "mark", "b"], k=4)
        n = rng.randrange(6)
        columns = {}
        for name in names:
            made = [value(rng) for _ in range(n)]
            try:
                columns[name] = pyarrow.array(made)
            except (pyarrow.ArrowException, TypeError, ValueError, OverflowError):
                columns[name] = pyarrow.array([text(rng).replace("\ud800", "") for _ in range(n)])
        table = pyarrow.table(columns).slice(rng.randrange(n + 1))
        try:
            results = texgauge.evaluate(table, metrics="exprate", allow_duplicates=True)
        except (TypeError, ValueError):
            continue
        assert len(list(results.rows())) <= table.num_rows


def test_outcomes_of_functions():
    rng = fuzz("outcomes")
    outcome = [None]
    texgauge.register_metric("test-fuzz", lambda references, prediction: outcome[0])
    metric = texgauge.Metric("test-fuzz")
    for _ in range(N):
        outcome[0] = value(rng)
        try:
            scores = metric.batch(references=["a"], predictions=["b"])
        except (TypeError, ValueError):
            continue
        check_scores(scores)
