"""Metric, Score, Scores."""

import math
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import texgauge


def test_score_takes_keywords_only():
    with pytest.raises(TypeError):
        texgauge.score("a", "b")


def test_score_is_a_number_with_a_status():
    score = texgauge.score(reference="ab", prediction="ac", metric="edit")
    assert score == 0.5  # one of two tokens replaced
    assert score.status == "ok"
    assert score.columns["edit.distance"] == 1


def test_score_survives_pickling():
    score = texgauge.score(reference="ab", prediction="ac", metric="edit")
    again = pickle.loads(pickle.dumps(score))
    assert (again, again.status, dict(again.columns)) == (score, "ok", dict(score.columns))


def test_metric_survives_pickling():
    metric = pickle.loads(pickle.dumps(texgauge.Metric("edit:tokenize=char", undefined="skip")))
    assert metric.signature == texgauge.Metric("edit:tokenize=char").signature


def test_several_references_the_best_counts():
    metric = texgauge.Metric("edit")
    scores = metric.batch(references=[["a", "b"], "ab", ("c",)], predictions=["b", "b", "c"])
    assert list(scores) == [1.0, 0.5, 1.0]


def test_missing_sides_have_a_status():
    scores = texgauge.Metric("edit").batch(references=["a", None, []], predictions=[None, "a", "a"])
    assert scores.status == ["no prediction", "no reference", "no reference"]
    assert scores[0] == 0.0  # the worst
    assert math.isnan(scores[1])
    assert math.isnan(scores[2])
    assert scores.mean() == 0.0


def test_undefined_skip_leaves_pairs_out():
    metric = texgauge.Metric("edit", undefined="skip")
    scores = metric.batch(references=["a", "a"], predictions=[None, "a"])
    assert math.isnan(scores[0])
    assert scores.corpus == 1.0


def test_undefined_stop_is_an_error():
    metric = texgauge.Metric("edit", undefined="stop")
    with pytest.raises(texgauge.Error, match="no prediction") as caught:
        metric.batch(references=["a"], predictions=[None])
    assert caught.value.code == "input"


def test_corpus_is_pooled_not_averaged():
    # Precisions over both pairs: 5/6 unigrams, 3/4 bigrams; brevity penalty exp(1 - 7/6).
    scores = texgauge.Metric("bleu:order=2:smooth=none").batch(
        references=["a b c d", "e f g"], predictions=["a b c d", "e x"]
    )
    assert scores.corpus == pytest.approx(math.sqrt(5 / 6 * 3 / 4) * math.exp(1 - 7 / 6))
    assert scores.corpus != pytest.approx(scores.mean())


def test_arrays_share_memory():
    scores = texgauge.Metric("edit").batch(references=["ab", "b"], predictions=["a", "b"])
    array = np.asarray(scores)
    assert array.dtype == np.float64
    assert array.tolist() == [0.5, 1.0]
    assert np.shares_memory(array, np.asarray(scores.values))


def test_scores_behave_as_an_array():
    scores = texgauge.Metric("edit", undefined="skip").batch(
        references=["ab", "b", "c", "d"], predictions=["a", "b", "x", None]
    )
    assert scores.status[3] == "no prediction"
    assert (np.mean(scores), scores.mean()) == (0.5, 0.5)  # of the pairs with a score
    assert (scores.max(), np.max(scores), scores.min(), np.sum(scores)) == (1, 1, 0, 1.5)
    assert np.isnan(scores).tolist() == [False, False, False, True]
    assert (scores * 100).tolist()[:3] == [50, 100, 0]
    assert (1 - scores).tolist()[:3] == [0.5, 0, 1]
    assert (scores > 0.5).tolist() == [False, True, False, False]
    assert (scores == [0.5, 1, 1, 0]).tolist() == [True, True, False, False]
    assert (scores == scores).tolist() == [True, True, True, False]  # noqa: PLR0124
    assert scores[:2].tolist() == scores[[0, 1]].tolist() == [0.5, 1]
    assert scores[scores > 0.5].tolist() == [1]
    assert (scores.shape, scores[-2], float(scores[0])) == ((4,), 0, 0.5)
    assert np.asarray(scores, dtype=np.float32).dtype == np.float32
    assert not np.asarray(scores).flags.writeable
    again = pickle.loads(pickle.dumps(scores))
    assert np.array_equal(again, scores, equal_nan=True)
    assert (again.status, again.corpus, again.signature) == (
        scores.status,
        scores.corpus,
        scores.signature,
    )
    assert again.corpus_of("edit.distance") == scores.corpus_of("edit.distance")


def test_clean_is_an_option_of_metrics():
    metric = texgauge.Metric("edit", clean="fences")
    fenced = "```latex\nx^2\n```"
    assert texgauge.score(reference="x^2", prediction=fenced, metric="edit") < 1
    for same in (metric, pickle.loads(pickle.dumps(metric))):
        assert same.score(reference="x^2", prediction=fenced) == 1
    with pytest.raises(texgauge.Error, match="clean has no rule 'nope'; the rules are fences, "):
        texgauge.Metric("edit", clean="nope")


def test_numpy_is_not_imported():
    code = (
        "import sys, texgauge; texgauge.Metric('edit').batch(references=['a'], "
        "predictions=['a']).values; sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_sequences_of_any_kind_are_taken():
    scores = texgauge.Metric("edit").batch(
        references=np.array(["a", "b"], dtype=object), predictions=iter(["a", "c"])
    )
    assert list(scores) == [1.0, 0.0]


@pytest.mark.parametrize(
    ("references", "predictions", "error"),
    [
        (["a"], ["a", "b"], ValueError),
        ("a", ["a"], TypeError),
        (["a"], "a", TypeError),
        ([1], ["a"], TypeError),
        (["a"], [b"a"], TypeError),
        ([["a", 2]], ["a"], TypeError),
        (None, ["a"], TypeError),
        ({"a"}, ["a"], TypeError),
        (["a"], frozenset("a"), TypeError),
        ({"a": 1}, ["a"], TypeError),
        ([{"a", "b"}], ["a"], TypeError),
    ],
)
def test_wrong_arguments(references, predictions, error):
    with pytest.raises(error):
        texgauge.Metric("edit").batch(references=references, predictions=predictions)


@pytest.mark.parametrize("threads", [-1, 1025, 2**40, -(2**70)])
def test_the_number_of_threads_has_bounds(threads):
    for call in (
        lambda: texgauge.Metric("edit").batch(references=[], predictions=[], threads=threads),
        lambda: texgauge.evaluate(
            references=["a"], predictions=["a"], metrics="edit", threads=threads
        ),
    ):
        with pytest.raises(ValueError, match=f"0 to 1024.*{threads}"):
            call()


def test_no_pairs():
    scores = texgauge.Metric("bleu").batch(references=[], predictions=[])
    assert (len(scores), list(scores), scores.status) == (0, [], [])
    assert math.isnan(scores.corpus)


@pytest.mark.parametrize("bad", ["a\0b", "\ud800"])
def test_texts_that_are_no_formulas_have_a_status(bad):
    scores = texgauge.Metric("cdm").batch(references=["a", bad], predictions=[bad, "a"])
    assert scores.status == ["a formula is not UTF-8"] * 2


def test_errors_say_what_the_library_says():
    with pytest.raises(texgauge.Error, match="'nope'") as caught:
        texgauge.Metric("nope")
    assert caught.value.code == "usage"
    with pytest.raises(texgauge.Error, match="order"):
        texgauge.Metric("bleu:order=99")
    with pytest.raises(ValueError, match="undefined must be one of default, worst, skip, stop"):
        texgauge.Metric("edit", undefined="no")


def test_progress_is_told_and_may_stop():
    seen = []
    metric = texgauge.Metric("edit")
    metric.batch(
        references=["a"] * 500,
        predictions=["b"] * 500,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen[-1] == (500, 500)
    assert seen == sorted(seen)

    def fail(done, total):
        raise RuntimeError(f"enough of {total}")

    with pytest.raises(RuntimeError, match="enough of 500"):
        metric.batch(references=["a"] * 500, predictions=["b"] * 500, progress=fail)


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_a_batch(threads):
    """Half a million pairs of cdm-strict take a minute; the signal comes after half a second."""
    n = 500_000
    metric = texgauge.Metric("cdm-strict")
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    references = [rf"\frac{{a_{{{i}}}}}{{b}}" for i in range(n)]
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        metric.batch(references=references, predictions=references[::-1], threads=threads)


def test_the_interpreter_runs_on_while_a_batch_is_scored():
    """A thread that only counts makes way while another scores: the GIL is free."""
    n, counted, done = 100_000, 0, threading.Event()
    metric = texgauge.Metric("cdm-strict")
    references = [rf"\frac{{a_{{{i}}}}}{{b}}" for i in range(n)]

    def work():
        metric.batch(references=references, predictions=references[::-1], threads=1)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.wait(0.001):
        counted += 1
    thread.join()
    assert counted > 20


def test_no_thread_outlives_a_call():
    def count():
        with open("/proc/self/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("Threads:"))

    before = count()
    texgauge.Metric("edit").batch(references=["a"] * 1000, predictions=["b"] * 1000, threads=4)
    # The system counts a thread until it is gone, a moment after it was joined.
    deadline = time.monotonic() + 5
    while count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert count() <= before


def test_metrics_are_described():
    metric = texgauge.Metric("mine=cer")
    assert metric.name == "cer"
    assert next(iter(metric.columns)) == "mine"
    assert not metric.higher_is_better
    assert metric.columns["mine"]["min"] == 0.0


def test_only_one_metric():
    with pytest.raises(ValueError, match="one metric, not 2"):
        texgauge.Metric("edit,cer")


def test_every_name_is_there_when_it_is_asked_for():
    assert all(getattr(texgauge, name) is not None for name in texgauge.__all__)
    assert set(dir(texgauge)) == set(texgauge.__all__)
    with pytest.raises(AttributeError, match="nope"):
        texgauge.nope  # noqa: B018


def test_import_leaves_out_what_single_pairs_do_not_need():
    code = "import sys, texgauge; sys.exit(bool({'json', 'tempfile', 'html'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", path_first(code)], check=False)
    assert done.returncode == 0


def path_first(code):
    return f"import sys; sys.path[:0] = {sys.path!r}; {code}"


def test_nan_is_a_missing_text_as_in_pandas():
    scores = texgauge.Metric("edit").batch(
        references=["a", math.nan, "a"], predictions=["a", "a", math.nan]
    )
    assert scores.status == ["ok", "no reference", "no prediction"]
