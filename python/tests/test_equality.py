"""The package gives what the program gives, to the bit, however it is called.

With TEXGAUGE_PAIRS, 20,000 real pairs of tests/tools/real_pairs.py, every way of calling scores
them once. TEXGAUGE_METRICS=a,b restricts the metrics.
"""

import concurrent.futures
import math
import multiprocessing
import os
import signal
import threading

import pytest
import texgauge
from conftest import METRICS as NAMES

LONG = "TEXGAUGE_PAIRS" in os.environ


def call(metric, pairs, threads=1):
    """Every column's values, and the statuses."""
    scores = metric.batch(
        references=[gt for gt, _ in pairs],
        predictions=[pred for _, pred in pairs],
        threads=threads,
    )
    return {name: list(scores.column(name)) for name in scores.names}, scores.status


def expected(rows, metric):
    label = metric.name
    columns = {name: [row["scores"][name] for row in rows] for name in metric.columns}
    for values in columns.values():
        values[:] = [math.nan if value is None else float(value) for value in values]
    return columns, [row["status"][label] for row in rows]


def same(got, wanted):
    """Equality in which NaN equals itself."""
    return repr(got) == repr(wanted)


@pytest.fixture(params=NAMES)
def metric(request):
    return texgauge.Metric(request.param)


@pytest.fixture
def pairs(rows):
    return [(row["gt"], row["pred"]) for row in rows]


@pytest.mark.parametrize("threads", [1, 2] if LONG else [1, 2, 0])
def test_batch(metric, rows, pairs, threads):
    assert same(call(metric, pairs, threads), expected(rows, metric))


def test_single_pairs(metric, rows, pairs):
    columns, statuses = expected(rows, metric)
    for i, (gt, pred) in enumerate(pairs):
        score = metric.score(reference=gt, prediction=pred)
        assert same(dict(score.columns), {name: columns[name][i] for name in columns})
        assert score.status == statuses[i]


def test_from_threads(metric, rows, pairs):
    shares = [slice(i, None, 4) if LONG else slice(None) for i in range(4)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(lambda share: call(metric, pairs[share]), shares))
    assert len(outcomes) == len(shares)
    for share, got in zip(shares, outcomes):
        assert same(got, expected(rows[share], metric))


def call_by_name(name, pairs):
    return call(texgauge.Metric(name), pairs)


@pytest.mark.parametrize("start", ["fork"] if LONG else ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_in_a_pool_of_processes(start, rows, pairs):
    with multiprocessing.get_context(start).Pool(2) as pool:
        outcomes = pool.starmap(call_by_name, [(n, pairs) for n in NAMES])
    assert len(outcomes) == len(NAMES)
    for name, got in zip(NAMES, outcomes):
        assert same(got, expected(rows, texgauge.Metric(name)))


@pytest.mark.parametrize("name", [n for n in ("cdm", "forte", "texbleu") if n in NAMES])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_after_fork_while_others_score(name, rows, pairs):
    """A child uses its parent's metric although a thread of the parent held its locks."""
    metric = texgauge.Metric(name)
    wanted = expected(rows, metric)
    stop = threading.Event()

    def work():
        while not stop.is_set():
            call(metric, pairs, 2)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(1 if LONG else 5):
            child = os.fork()
            if child == 0:
                signal.alarm(120)  # a child that hangs fails the test
                os._exit(0 if same(call(metric, pairs, 2), wanted) else 1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        stop.set()
        thread.join()
