"""Data frames and tables of other libraries, in and out; each test needs its library."""

import gc
import math
import threading

import pytest
import texgauge

ROWS = [
    {"id": "1", "gt": "$x^2$", "pred": "x^{2}", "mark": 4.0},
    {"id": "2", "gt": r"\frac{abc}{def}", "pred": r"\frac{abc}{deg}", "mark": None},
    {"id": "3", "gt": "a", "pred": None, "mark": 1.0},
    {"id": "4", "gt": "é" * 40, "pred": "é" * 39, "mark": 2.5},
]
PLAIN = texgauge.evaluate(ROWS, metrics="edit,cdm", columns=["mark"])


def same_rows(results):
    """Whether the pairs are those that dicts give."""
    assert list(results.rows()) == list(PLAIN.rows())
    assert results.format() == PLAIN.format()


def evaluate(table, **options):
    return texgauge.evaluate(table, metrics="edit,cdm", columns=["mark"], **options)


def arrow_columns(pyarrow, text):
    return {
        "id": pyarrow.array([row["id"] for row in ROWS], text),
        "gt": pyarrow.array([row["gt"] for row in ROWS], text),
        "pred": pyarrow.array([row["pred"] for row in ROWS], text),
        "mark": pyarrow.array([row["mark"] for row in ROWS], pyarrow.float64()),
    }


@pytest.mark.parametrize("name", ["string", "large_string", "string_view"])
def test_pyarrow(name):
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(arrow_columns(pyarrow, getattr(pyarrow, name)()))
    same_rows(evaluate(table))
    same_rows(evaluate(pyarrow.concat_tables([table[:1], table[1:1], table[1:]])))
    same_rows(evaluate(table.to_reader(max_chunksize=1)))
    for batch in table.to_batches():
        same_rows(evaluate(batch))


def test_pyarrow_dictionaries():
    pyarrow = pytest.importorskip("pyarrow")
    columns = arrow_columns(pyarrow, pyarrow.string())
    for name in ("id", "gt", "pred"):
        columns[name] = columns[name].dictionary_encode()
    same_rows(evaluate(pyarrow.table(columns)))


def test_pyarrow_structs_lists_and_numbers():
    pyarrow = pytest.importorskip("pyarrow")
    rows = [{"meta": {"id": 7, "gts": ["a", "b"]}, "pred": "b", "human": [3, 4]}]
    table = pyarrow.Table.from_pylist(rows)
    results = texgauge.evaluate(table, metrics="edit", id="meta.id", reference="meta.gts")
    row = next(results.rows())
    assert (row["id"], row["gt"], row["human"]) == ("7", ["a", "b"], {"human": [3, 4]})
    assert row["scores"]["edit"] == 1


def test_pyarrow_slices_are_read_from_their_start():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(arrow_columns(pyarrow, pyarrow.string())).slice(1, 2)
    assert [row["id"] for row in evaluate(table)] == ["2", "3"]


def test_pyarrow_other_types():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"gt": ["a"], "pred": ["a"], "day": pyarrow.array([5], pyarrow.date32())})
    row = next(texgauge.evaluate(table, metrics="edit", columns=["day"]).rows())
    assert row["scores"]["edit"] == 1
    assert row["stored"] == {"day": "1970-01-06"}


def test_pyarrow_batches_come_one_at_a_time():
    pyarrow = pytest.importorskip("pyarrow")
    schema = pyarrow.schema({"gt": pyarrow.string(), "pred": pyarrow.string()})
    alive = []

    def batches():
        for _ in range(50):
            gc.collect()
            alive.append(pyarrow.total_allocated_bytes())
            yield pyarrow.record_batch({"gt": ["x" * 50] * 1000, "pred": ["x" * 50] * 1000})

    before = pyarrow.total_allocated_bytes()
    reader = pyarrow.RecordBatchReader.from_batches(schema, batches())
    results = texgauge.evaluate(reader, metrics="exprate", allow_duplicates=True)
    assert results["exprate"] == 1
    assert results.summary[0]["pairs"] == 50_000
    assert max(alive) - before < 1_000_000
    del reader
    gc.collect()
    assert pyarrow.total_allocated_bytes() == before


def test_pyarrow_a_failing_source_is_told():
    pyarrow = pytest.importorskip("pyarrow")
    schema = pyarrow.schema({"gt": pyarrow.string(), "pred": pyarrow.string()})

    def batches():
        yield pyarrow.record_batch({"gt": ["a"], "pred": ["a"]})
        raise RuntimeError("the disk is gone")

    reader = pyarrow.RecordBatchReader.from_batches(schema, batches())
    with pytest.raises(RuntimeError, match="the disk is gone"):
        texgauge.evaluate(reader, metrics="edit")


def test_pyarrow_results():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(PLAIN)
    table.validate(full=True)
    records = PLAIN.records()
    assert table.column_names == [name for name in records[0] if not name.endswith(".status")] + [
        f"{label}.status" for label in PLAIN.signatures
    ]
    assert table.to_pylist() == records
    same_rows(evaluate(table))
    assert evaluate(PLAIN).format() == PLAIN.format()


def test_pyarrow_results_outlive_their_file():
    pyarrow = pytest.importorskip("pyarrow")
    results = texgauge.evaluate(ROWS * 5000, metrics="edit", allow_duplicates=True)
    reader = pyarrow.RecordBatchReader.from_stream(results)
    del results
    gc.collect()
    batches = list(reader)
    assert sum(len(batch) for batch in batches) == 20_000


def test_pyarrow_in_threads():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(arrow_columns(pyarrow, pyarrow.string()))
    seen = []

    def work():
        seen.append(pyarrow.table(evaluate(table, threads=2)).to_pylist())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [PLAIN.records()] * 4


def test_polars():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(ROWS)
    same_rows(evaluate(frame))
    same_rows(evaluate(frame.with_columns(polars.col("gt", "pred").cast(polars.Categorical))))
    out = polars.DataFrame(PLAIN)
    assert out["edit"].to_list() == [row["edit"] for row in PLAIN]
    assert out["mark"].null_count() == 1
    assert out.filter(polars.col("edit.status") == "no prediction").height == 1


def test_pandas():
    pandas = pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")  # pandas gives its tables by it
    frame = pandas.DataFrame(ROWS)
    same_rows(evaluate(frame))
    frame["gt"] = frame["gt"].astype("category")
    same_rows(evaluate(frame))
    frame["pred"] = frame["pred"].astype(pandas.ArrowDtype(pyarrow.large_string()))
    same_rows(evaluate(frame))
    out = pyarrow.table(PLAIN).to_pandas()
    assert out["cdm"][0] == 1
    assert math.isnan(out["mark"][1])


def test_modin(monkeypatch):
    monkeypatch.setenv("MODIN_ENGINE", "python")  # in this process
    modin = pytest.importorskip("modin.pandas")
    same_rows(evaluate(modin.DataFrame(ROWS)))


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(arrow_columns(pyarrow, pyarrow.string()))
    with duckdb.connect() as connection:
        connection.register("pairs", table)
        same_rows(evaluate(connection.sql("SELECT * FROM pairs ORDER BY id")))
        scores = pyarrow.table(PLAIN)
        connection.register("scores", scores)
        worst = connection.sql("SELECT id FROM scores ORDER BY edit, row LIMIT 1").fetchall()
        assert worst == [("3",)]


def test_datasets():
    datasets = pytest.importorskip("datasets")
    if datasets.__file__ is None:
        pytest.skip("datasets is a folder of this tree")
    same_rows(evaluate(datasets.Dataset.from_list(ROWS)))
