"""Spark on a cluster of two workers: the summary and the rows of a single machine."""

import os
import sys

import pytest

pytest.importorskip("pyspark")
import texgauge
import texgauge.spark
from pyspark.sql import SparkSession

N = int(os.environ.get("TEXGAUGE_SPARK_PAIRS", "20000"))
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
    schema = "truth string, answer string, name string, part string"
    data = [tuple(row.values()) for row in make_rows(N)]
    return session.createDataFrame(session.sparkContext.parallelize(data, 8), schema).persist()


@pytest.fixture(scope="module")
def wanted():
    rows = make_rows(N)
    return texgauge.evaluate(rows, metrics="bleu,cer", **columns(), allow_duplicates=True)


def columns():
    return {"reference": "truth", "prediction": "answer", "model": "name", "subset": "part"}


def rows_of(results):
    lines = results.path.read_text(encoding="utf-8").split("\n")
    return lines[1:-2]


def test_the_summary_and_rows_of_a_single_machine(frame, wanted):
    results = texgauge.spark.evaluate(frame, metrics="bleu,cer", **columns())
    assert results.format("json") == wanted.format("json")
    assert rows_of(results) == rows_of(wanted)
