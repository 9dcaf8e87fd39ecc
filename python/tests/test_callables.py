"""Metrics written in Python."""

import math
import traceback

import pytest
import texgauge
from texgauge import Column


def lengths(references, prediction):
    truth = len(references[0])
    return {"len": float(truth == len(prediction)), "difference": abs(truth - len(prediction))}


@pytest.fixture(autouse=True, scope="module")
def test_len():
    """Registered when a test needs it: other modules list the metrics of the library."""
    texgauge.register_metric(
        "test-len",
        lengths,
        columns=[
            Column("len", help="whether the lengths are equal"),
            Column("difference", higher_is_better=False, max=math.inf, pooling="sum"),
        ],
    )


ROWS = [
    {"id": "1", "gt": "abc", "pred": "abd", "human": [5]},
    {"id": "2", "gt": "abc", "pred": "a", "human": [1]},
    {"id": "3", "gt": "abcd", "pred": "abcd", "human": [4]},
]


def test_batch_on_threads():
    metric = texgauge.Metric("test-len")
    scores = metric.batch(references=["a"] * 500, predictions=["a", "bb"] * 250, threads=3)
    assert list(scores) == [1.0, 0.0] * 250
    assert scores.corpus == 0.5
    assert scores.corpus_of("test-len.difference") == 250
    assert "function:test_callables.lengths" in metric.signature


def test_takes_part_in_everything(tmp_path):
    results = texgauge.evaluate(ROWS, metrics="test-len,edit", human={"h": ["human"]}, threads=2)
    assert results.summary[0]["scores"]["test-len.difference"] == 2
    assert "test-len" in str(results.study(resamples=20))
    worse = [row | {"pred": "x", "model": "worse"} for row in ROWS]
    both = texgauge.evaluate([row | {"model": "good"} for row in ROWS] + worse, metrics="test-len")
    assert "test-len" in str(both.compare(resamples=20))
    results.report(tmp_path / "r.md", resamples=20)
    assert "test-len" in (tmp_path / "r.md").read_text(encoding="utf-8")


def register(name, function, **more):
    function.__qualname__ = name
    texgauge.register_metric(name, function, **more)
    return texgauge.Metric(name)


def test_pairs_without_a_score():
    def picky(references, prediction):
        if prediction == "error":
            raise texgauge.Error("not this one")
        return None if prediction == "none" else 1.0

    metric = register("test-picky", picky)
    scores = metric.batch(references=["a"] * 3, predictions=["b", "error", "none"])
    assert scores.status == ["ok", "not this one", "no score"]
    assert scores.values.tolist() == [1.0, 1.0, 1.0]  # as an empty prediction


def test_exceptions_end_the_run():
    def broken(references, prediction):
        raise ZeroDivisionError("by zero")

    metric = register("test-broken", broken)
    with pytest.raises(texgauge.Error, match="raised ZeroDivisionError: by zero") as caught:
        metric.score(reference="a", prediction="a")
    assert caught.value.code == "internal"
    cause = caught.value.__cause__
    assert isinstance(cause, ZeroDivisionError)
    assert traceback.extract_tb(cause.__traceback__)[-1].name == "broken"


@pytest.mark.parametrize("value", [2.0, -1, math.inf, "text", {"other": 1}])
def test_values_out_of_range_or_kind_end_the_run(value):
    metric = register(f"test-range-{abs(hash(str(value)))}", lambda references, prediction: value)
    with pytest.raises(texgauge.Error):
        metric.score(reference="a", prediction="a")


def test_a_function_may_be_replaced_but_not_its_columns():
    metric = register("test-again", lambda references, prediction: 0.25)
    assert metric.score(reference="a", prediction="a") == 0.25
    register("test-again", lambda references, prediction: 0.5)
    assert metric.score(reference="a", prediction="a") == 0.5
    with pytest.raises(texgauge.Error, match="other columns"):
        register("test-again", lambda references, prediction: 0.5, columns=["a", "b"])


def test_names():
    before = texgauge.metrics()
    for name in ("cdm", "No Good", ""):
        with pytest.raises(texgauge.Error):
            register(name, lambda references, prediction: f"{prediction}")
    assert texgauge.metrics() == before
    with pytest.raises(ValueError, match="min must be below max"):
        register("test-min", lambda references, prediction: 0, columns=[Column("a", max=-1)])


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, RecursionError, MemoryError])
def test_what_ends_a_program_is_raised_as_it_is(error, threads):
    def stop(references, prediction):
        raise error(3)

    stop.__qualname__ = f"stop_by_{error.__name__}"  # a function of one name is one metric
    metric = texgauge.Metric(texgauge.register_metric(f"stop-{error.__name__.lower()}", stop))
    with pytest.raises(error) as caught:
        metric.batch(references=["a"] * 9, predictions=["a"] * 9, threads=threads)
    assert caught.value.args == (3,)
    with pytest.raises(error):
        texgauge.evaluate(references=["a"], predictions=["a"], metrics=metric.spec)


def test_a_metric_that_calls_itself_without_end_raises():
    def endless(references, prediction):
        return endless(references, prediction)

    metric = texgauge.Metric(texgauge.register_metric("endless", endless))
    with pytest.raises(RecursionError):
        metric.batch(references=["a"], predictions=["a"])


def test_columns_have_names_of_their_own():
    with pytest.raises(ValueError, match="column 'a' is named twice"):
        texgauge.register_metric("twins", lambda r, p: {"a": 1}, columns=["a", "b", "a"])
