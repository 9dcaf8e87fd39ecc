"""Spark on a cluster of two workers: the summary and the rows of a single machine.

TEXGAUGE_SPARK_PAIRS=1000000 is the long form, which prints how long both took.
"""

import contextlib
import os
import pathlib
import signal
import sys
import threading
import time

import pytest

pytest.importorskip("pyspark")
import texgauge
import texgauge.spark
from pyspark.sql import SparkSession

# PySpark warns of versions of pandas newer than itself.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning:pyspark")
N = int(os.environ.get("TEXGAUGE_SPARK_PAIRS", "20000"))
PARTITIONS = 16
FORMULAS = ["x^2", r"\frac{a}{b}", "a+b=c", r"\sqrt{x_1}", r"\alpha\beta", "2x"]


@pytest.fixture(scope="module")
def session():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.executorEnv.PYTHONPATH", os.pathsep.join(sys.path))
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "10000")
        .getOrCreate()
    )
    yield session
    session.stop()


def make_rows(n):
    return [
        {
            "truth": f"{FORMULAS[i % 6]}+{i % 97}",
            "answer": f"{FORMULAS[i % 5]}+{i % 89}" if i % 50 else None,
            "name": f"model {i % 2}",
            "part": f"subset {i % 3}",
        }
        for i in range(n)
    ]


@pytest.fixture(scope="module")
def frame(session):
    """The same rows, made by the executors."""
    formulas = ", ".join("'" + formula.replace("\\", "\\\\") + "'" for formula in FORMULAS)

    def text(n, modulus):
        return (
            f"concat(element_at(array({formulas}), cast(id % {n} + 1 AS int)), '+', id % {modulus})"
        )

    return session.range(0, N, 1, PARTITIONS).selectExpr(
        f"{text(6, 97)} AS truth",
        f"if(id % 50 = 0, NULL, {text(5, 89)}) AS answer",
        "concat('model ', id % 2) AS name",
        "concat('subset ', id % 3) AS part",
    )


@pytest.fixture(scope="module")
def wanted():
    rows = make_rows(N)
    with timed("one machine"):
        return texgauge.evaluate(rows, metrics="bleu,cer", **columns(), allow_duplicates=True)


@contextlib.contextmanager
def timed(what):
    start = time.monotonic()
    yield
    seconds = time.monotonic() - start
    print(f"{what}: {N} pairs in {seconds:.1f} s, {N / seconds:.0f} a second")


def columns():
    return {"reference": "truth", "prediction": "answer", "model": "name", "subset": "part"}


def rows_of(results):
    """Lines without checksums, which go on from the header's."""
    lines = results.path.read_text(encoding="utf-8").split("\n")
    return [line.rpartition(',"crc":')[0] for line in lines[1:-2]]


def same_results(results, wanted):
    assert results.format("json") == wanted.format("json")
    assert rows_of(results) == rows_of(wanted)


def test_the_summary_and_rows_of_a_single_machine(frame, wanted):
    with timed("Spark, two workers"):
        results = texgauge.spark.evaluate(frame, metrics="bleu,cer", **columns())
    same_results(results, wanted)


def test_wrong_calls_end_before_any_task(frame):
    with pytest.raises(texgauge.Error, match="blue"):
        texgauge.spark.evaluate(frame, metrics=texgauge.Spec("blue"), **columns())
    with pytest.raises(TypeError, match="no argument 'pred'; it is called 'prediction'"):
        texgauge.spark.evaluate(frame, metrics="bleu", pred="answer")


def test_a_column_by_a_function_of_pandas(frame, wanted):
    pandas = pytest.importorskip("pandas")
    from pyspark.sql.functions import pandas_udf  # noqa: PLC0415

    metric = texgauge.Metric("bleu")

    def score(reference, prediction):
        return pandas.Series(metric.batch(references=reference, predictions=prediction))

    bleu = pandas_udf(score, "double")
    rows = frame.select(bleu("truth", "answer").alias("bleu")).collect()
    assert [row.bleu for row in rows] == wanted.column("bleu").tolist()


def children(word):
    """Ids of the processes below this one whose command has a word in it."""
    found, parents = [], {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            stat = (folder / "stat").read_text().rpartition(") ")[2].split()
            command = (folder / "cmdline").read_bytes().decode("utf-8", "replace")
            parents[int(folder.name)] = int(stat[1])
            if word in command:
                found.append(int(folder.name))

    def is_ours(process):
        while process in parents and process != os.getpid():
            process = parents[process]
        return process == os.getpid()

    return [process for process in found if is_ours(process)]


class Killer(threading.Thread):
    """Kills the first process with a word in its command once some tasks of a job are done."""

    def __init__(self, session, word):
        super().__init__(daemon=True)
        self.tracker = session.sparkContext.statusTracker()
        self.word = word
        self.killed = None

    def run(self):
        deadline = time.monotonic() + 600
        while self.killed is None and time.monotonic() < deadline:
            for stage in self.tracker.getActiveStageIds():
                info = self.tracker.getStageInfo(stage)
                if info is not None and info.numCompletedTasks >= 1:
                    self.kill()
                    break
            time.sleep(0.005)

    def kill(self):
        for process in children(self.word)[:1]:
            os.kill(process, signal.SIGKILL)
            self.killed = process


@pytest.mark.parametrize("word", ["CoarseGrainedExecutorBackend", "pyspark.daemon"])
def test_a_worker_is_killed_in_mid_run(session, frame, wanted, word):
    killer = Killer(session, word)
    killer.start()
    with timed(f"Spark, a process of {word} killed"):
        results = texgauge.spark.evaluate(frame, metrics="bleu,cer", **columns())
    killer.join(1)
    assert killer.killed is not None
    assert killer.killed not in children(word)
    same_results(results, wanted)
