"""Calls that are wrong: an error that says what is allowed, and values that are no texts."""

import datetime
import gc
import os
import pickle

import pytest
import texgauge
from texgauge import rewards
from texgauge.rewards import Reward


class NAType:
    """As pandas.NA."""


CALLS = {
    "human": (lambda: texgauge.evaluate([("x", "x")], human=["a"]), TypeError, "raters"),
    "a group": (lambda: texgauge.evaluate([("x", "x")], human={"g": 5}), TypeError, "'g'"),
    "a metric": (
        lambda: texgauge.score(reference="x", prediction="x", metric=["cdm"]),
        TypeError,
        "a name, a spec or a Metric; not list",
    ),
    "metrics": (lambda: texgauge.evaluate([("x", "x")], metrics=5), TypeError, "not int"),
    "a Metric": (
        lambda: texgauge.evaluate([("x", "x")], metrics=[texgauge.Metric("edit")]),
        TypeError,
        "not .*Metric",
    ),
    "bytes": (
        lambda: texgauge.score(reference=b"x", prediction="x"),
        TypeError,
        "a reference .* not bytes",
    ),
    "a number": (
        lambda: texgauge.score(reference=5, prediction="x"),
        TypeError,
        "a reference .* not int",
    ),
    "all bytes": (
        lambda: texgauge.Metric("edit").batch(references=b"x", predictions=["x"]),
        TypeError,
        "references must be a sequence of str, not bytes",
    ),
    "render": (lambda: texgauge.render(None), TypeError, "must be str, not NoneType"),
    "canonical": (lambda: texgauge.canonical(b"x"), TypeError, "must be str, not bytes"),
    "tokens": (lambda: texgauge.tokens(5), TypeError, "must be str, not int"),
    "results": (lambda: texgauge.load(__file__), ValueError, "no results of texgauge"),
    "a column": (lambda: texgauge.evaluate([("x", "x")], metrics="edit")["no"], KeyError, "edit"),
    "a folder": (
        lambda: texgauge.evaluate([("x", "x")], metrics="edit").save("no/such/x.jsonl"),
        FileNotFoundError,
        "no such folder: .*no/such'",
    ),
    "a reward's list": (lambda: Reward(["forte"]), TypeError, "a dict of these"),
    "a reward's Metric": (lambda: Reward(texgauge.Metric("edit")), TypeError, "not Metric"),
    "a weight": (lambda: Reward({"edit": "1"}), TypeError, "'edit': '1'"),
    "NaN": (lambda: Reward({"edit": float("nan")}), ValueError, "at least 0"),
    "less than 0": (lambda: Reward({"edit": -1}), ValueError, "at least 0"),
    "extract": (lambda: Reward("edit", extract=5), TypeError, "boxed.*not int"),
    "no extract": (lambda: Reward("edit", extract=[]), ValueError, "boxed"),
}


@pytest.mark.parametrize("what", CALLS)
def test_errors_say_what_is_allowed(what):
    call, kind, said = CALLS[what]
    with pytest.raises(kind, match=said):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: texgauge.evaluate(references=["x"], predictions=[]),
        lambda: texgauge.Metric("edit").batch(references=["x"], predictions=[]),
        lambda: Reward("edit").score(["x"], []),
    ],
)
def test_unequal_lengths_have_a_code(call):
    with pytest.raises(texgauge.Error, match=r"1 .* but 0") as caught:
        call()
    assert caught.value.code == "usage"


@pytest.mark.parametrize("value", [b"x", bytearray(b"x"), 1j, object(), int])
def test_what_is_no_text_is_no_formula(value):
    with pytest.warns(UserWarning, match="an object, not text"):
        results = texgauge.evaluate([{"gt": "x", "pred": value}, ("x", "x")], metrics=["edit"])
    assert results.status("edit") == ["data:1: field 'pred' is an object, not text", "ok"]


def test_pandas_na_is_none():
    rows = [{"gt": "x", "pred": NAType()}, ("x", "x")]
    assert texgauge.evaluate(rows, metrics=["edit"]).status("edit") == ["no prediction", "ok"]
    scores = texgauge.Metric("edit").batch(references=["x", NAType()], predictions=[NAType(), "x"])
    assert scores.status == ["no prediction", "no reference"]


def test_fields_beside_the_formulas_are_kept_as_texts():
    rows = [{"gt": "x", "pred": "x", "day": datetime.date(2026, 1, 2), "scan": b"\xff"}]
    (record,) = texgauge.evaluate(rows, metrics=["edit"]).records()
    assert record["day"] == "2026-01-02"
    assert "scan" not in record


def test_equal_runs_have_equal_records(tmp_path):
    def run():
        with pytest.warns(UserWarning, match=r"prediction='pred\.a'"):
            return texgauge.evaluate([("x", {"a": "y"}), ("x", "y")], metrics=["edit"])

    one, two = run(), run()
    assert one.records() == two.records() == pickle.loads(pickle.dumps(one)).records()
    one.save(tmp_path / "one.jsonl")
    two.save(tmp_path / "two.jsonl")
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    assert texgauge.load(tmp_path / "one.jsonl").status("edit")[0].startswith("data:1: ")


def test_human_scores_are_columns():
    rows = [{"gt": "x", "pred": "x", "a": 1, "b": 2, "c": 3}, {"gt": "x", "pred": "x", "a": 4}]
    human = {"two": ["a", "b"], "one": ["c"]}
    one, two = texgauge.evaluate(rows, metrics=["edit"], human=human).records()
    assert (one["human.two"], one["human.one"]) == ([1, 2], 3)
    assert (two["human.two"], two["human.one"]) == ([4, None], None)
    rows = [{"gt": "x", "pred": "x", "human": 4.5}, {"gt": "x", "pred": "y"}]
    records = texgauge.evaluate(rows, metrics=["edit"]).records()
    assert [record["human"] for record in records] == [4.5, None]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_keeps_its_parents_results():
    results = texgauge.evaluate([("x", "x")], metrics=["edit"])
    pid = os.fork()
    if pid == 0:
        del results
        gc.collect()
        os._exit(0)
    os.waitpid(pid, 0)
    assert results.records()


def test_trainers_pickle_functions_by_value():
    """OpenRLHF loads the file under a name that no process can import."""
    cloudpickle = pytest.importorskip("cloudpickle")
    from importlib.util import module_from_spec, spec_from_file_location  # noqa: PLC0415

    spec = spec_from_file_location("reward_func", rewards.__file__)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("reward_func", "compute_score", "compute_score_batch"):
        assert cloudpickle.dumps(getattr(module, name))
    again = pickle.loads(cloudpickle.dumps(module.compute_score))
    assert again("set", "$x$", "x", metric="edit") == {"score": 1.0, "reason": "ok", "edit": 1.0}
