"""Names of models: of files, dicts and keywords; never of temporary folders."""

import json
import pickle
import tempfile

import pytest
import texgauge

REFERENCES = ["x^2", "a+b", r"\frac{a}{b}"]
ANSWERS = {"small": ["x^2", "a-b", r"\frac{a}{6}"], "large": list(REFERENCES)}


def rows(model):
    return [{"gt": gt, "pred": pred} for gt, pred in zip(REFERENCES, ANSWERS[model])]


def scored(model, **options):
    return texgauge.evaluate(rows(model), metrics="edit", **options)


def models_of(tables):
    return [tables.data["base"], *(model["model"] for model in tables.data["models"])]


@pytest.fixture
def of_files(tmp_path):
    """Results of two files that differ in their folders."""
    results = []
    for folder, model in (("A", "small"), ("B", "large")):
        path = tmp_path / folder / "pred.json"
        path.parent.mkdir()
        path.write_text(json.dumps(rows(model)), encoding="utf-8")
        results.append(texgauge.evaluate(path, metrics="edit"))
    return results


def test_models_are_named_as_their_files(of_files):
    assert models_of(texgauge.compare(*of_files, resamples=10)) == ["A", "B"]


def test_a_restored_result_keeps_the_name_of_its_file(of_files):
    first = pickle.loads(pickle.dumps(of_files[0]))
    assert models_of(texgauge.compare(first, of_files[1], resamples=10)) == ["A", "B"]


def test_models_in_memory_are_named_by_their_place():
    """Tables for a paper are the same in every run."""
    tables = [texgauge.compare(scored("small"), scored("large"), resamples=10) for _ in range(2)]
    assert models_of(tables[0]) == ["results 1", "results 2"]
    assert str(tables[0]) == str(tables[1])
    assert tables[0].latex == tables[1].latex
    assert tables[0].data == tables[1].data


def test_a_dict_and_keywords_name_models(of_files):
    names = ["org/3B", "7B"]
    named = texgauge.compare(dict(zip(names, of_files)), resamples=10)
    assert models_of(named) == names
    small, large = of_files
    assert models_of(texgauge.compare(small=small, large=large, resamples=10)) == ["small", "large"]


def test_rows_of_one_model_name_in_two_results_are_told_apart():
    both = [scored(model, model_name="same") for model in ANSWERS]
    assert models_of(texgauge.compare(*both, resamples=10)) == ["results 1", "results 2"]


def test_nothing_that_is_written_names_a_temporary_folder(tmp_path):
    results = [scored(model) for model in ANSWERS]
    mark = tempfile.gettempdir() + "/texgauge-"
    texgauge.report(*results, outputs=[tmp_path / "r.html", tmp_path / "r.md"], resamples=10)
    tables = texgauge.compare(*results, resamples=10)
    results[0].save(tmp_path / "saved.jsonl")
    written = [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()]
    assert len(written) == 3
    for text in (*written, str(tables), tables.latex, json.dumps(tables.data)):
        assert mark not in text
        assert "texgauge-" not in text.replace("texgauge-report", "")


def test_a_report_takes_names_and_one_path(tmp_path):
    path = tmp_path / "report.md"
    texgauge.report({"3B": scored("small"), "7B": scored("large")}, outputs=str(path), resamples=10)
    assert "7B" in path.read_text(encoding="utf-8")


def test_a_dict_of_data_is_a_model_each():
    pairs = {model: list(zip(REFERENCES, answers)) for model, answers in ANSWERS.items()}
    dicts = {model: rows(model) for model in ANSWERS}
    lists = texgauge.evaluate(references=REFERENCES, predictions=ANSWERS, metrics="edit")
    for data in (pairs, dicts, {model: scored(model) for model in ANSWERS}):
        results = texgauge.evaluate(data, metrics="edit")
        assert [row["model"] for row in results.summary] == ["small", "large"]
        assert sorted(results.column("edit")) == sorted(lists.column("edit"))
        compared = [tables.compare(resamples=10).data["comparisons"] for tables in (results, lists)]
        assert compared[0][0]["difference"] == compared[1][0]["difference"] > 0
        assert compared[0][0]["pairs"] == compared[1][0]["pairs"]


def test_a_list_of_pairs_is_one_model():
    results = texgauge.evaluate(zip(REFERENCES, ANSWERS["small"]), metrics="edit")
    assert results.column("edit").tolist() == scored("small").column("edit").tolist()
    several = texgauge.evaluate([(["a", "b"], "b"), ("c", None)], metrics="edit")
    assert several.status("edit") == ["ok", "no prediction"]


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda a: texgauge.compare(a, resample=10), TypeError, "no argument 'resample'"),
        (lambda a: texgauge.compare({"a=b": a}), ValueError, "cannot be a model's name"),
        (lambda a: texgauge.compare([a]), TypeError, "no results: list"),
        (lambda a: a.compare(), texgauge.Error, "needs two models"),
        (lambda a: texgauge.evaluate({"m": ["a"]}, metrics="edit"), TypeError, "references="),
        (lambda a: texgauge.evaluate([("a", "b", "c")], metrics="edit"), TypeError, "row 0"),
        (lambda a: texgauge.evaluate({"a", "b"}, metrics="edit"), TypeError, "not a set"),
        (
            lambda a: texgauge.evaluate(references={"a"}, predictions=["a"], metrics="edit"),
            TypeError,
            "not a set",
        ),
    ],
)
def test_what_names_no_model_is_told(call, error, said):
    with pytest.raises(error, match=said) as caught:
        call(scored("small"))
    assert "/texgauge-" not in str(caught.value)


def test_errors_have_the_reasons_that_the_command_prints():
    with pytest.raises(texgauge.Error, match=r"no field 'latx' \(fields: latex, output\)") as told:
        texgauge.evaluate(
            [{"latex": "x", "output": "x"}], metrics="edit", reference="latx", prediction="output"
        )
    assert "data" in str(told.value)
    assert "/texgauge-" not in str(told.value)


def test_columns_are_arrays():
    column = scored("small").column("edit")
    assert (column > 0.9).tolist() == [True, False, False]
    assert column.mean() == pytest.approx(sum(column) / 3)
    assert repr(column).startswith("Doubles([1.0, ")
    assert pickle.loads(pickle.dumps(column)).tolist() == column.tolist()
