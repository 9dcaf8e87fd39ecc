"""evaluate, Results, compare, study, report, load: what the program writes, byte for byte."""

import copy
import inspect
import json
import math
import os
import pathlib
import pickle
import re
import signal
import sys
import threading
import zlib

import numpy as np
import pytest
import texgauge
from conftest import SAMPLES

ROWS = [
    {"id": "1", "gt": "a b", "pred": "a b"},
    {"id": "2", "gt": ["a", "b c"], "pred": "b d"},
]


@pytest.fixture(scope="module")
def mathbridge():
    return texgauge.evaluate(
        SAMPLES / "mathbridge.csv",
        metrics=["edit", "bleu"],
        human={"expert": ["expert_1", "expert_2"]},
    )


@pytest.fixture
def cli_results(cli, tmp_path):
    def run(*words):
        path = tmp_path / "cli.jsonl"
        cli("eval", "--quiet", *words, "-o", path)
        return path

    return run


@pytest.mark.parametrize("threads", [1, 2])
def test_files_are_scored_as_by_the_program(cli_results, tmp_path, threads):
    metrics = "cdm,forte,bleu,exprate"
    results = texgauge.evaluate(
        SAMPLES / "mathbridge.csv",
        metrics=metrics,
        human={"expert": ["expert_1", "expert_2"]},
        columns=["spoken_English"],
        detail=True,
        threads=threads,
    )
    results.save(tmp_path / "saved.jsonl")
    wanted = cli_results(
        *("--metrics", metrics, "--human", "expert=expert_1,expert_2", "--detail"),
        *("--columns", "spoken_English", SAMPLES / "mathbridge.csv"),
    )
    assert (tmp_path / "saved.jsonl").read_bytes() == wanted.read_bytes()


def test_pages_are_scored_as_by_the_program(cli_results, tmp_path):
    pages, output = SAMPLES / "pages", tmp_path / "python.jsonl"
    folders = {"A": pages / "aster", "B": pages / "birch"}
    words = [word for model, folder in folders.items() for word in ("--pages", f"{model}={folder}")]
    results = texgauge.evaluate_pages(pages / "truth.json", folders)
    results.save(output)
    assert output.read_bytes() == cli_results("--gt", pages / "truth.json", *words).read_bytes()
    everything = [row for row in results.summary if row["subset"] == "all"]
    assert [row["model"] for row in everything] == ["A", "B"]
    assert [row["pages"] for row in everything] == [3, 3]
    with pytest.raises(texgauge.Error, match="none of the 3 pages"):
        texgauge.evaluate_pages(pages / "truth.json", tmp_path)


def test_joined_files_are_scored_as_by_the_program(cli_results, tmp_path):
    truths = [SAMPLES / f"unimer_truth_{subset}.txt" for subset in ("spe", "cpe")]
    predictions = {
        model: [SAMPLES / f"unimer_{model}_{subset}.txt" for subset in ("spe", "cpe")]
        for model in ("aster", "birch")
    }
    results = texgauge.evaluate(references=truths, predictions=predictions, metrics="cer")
    results.save(tmp_path / "saved.jsonl")
    words = [word for path in truths for word in ("--gt", path)]
    for model, paths in predictions.items():
        words += [word for path in paths for word in ("--pred", f"{model}={path}")]
    wanted = cli_results("--metrics", "cer", *words)
    assert (tmp_path / "saved.jsonl").read_bytes() == wanted.read_bytes()


def test_summary_comparison_study_are_the_programs(cli, mathbridge):
    path = mathbridge.path
    assert mathbridge.compare().csv == cli("compare", "--summary", "csv", path)
    assert mathbridge.compare(base="birch", resamples=50).data == json.loads(
        cli("compare", "--base", "birch", "--resamples", "50", "--summary", "json", path)
    )
    assert mathbridge.study(resamples=50).markdown == cli(
        "study", "--resamples", "50", "--summary", "md", path
    )
    assert mathbridge.format("latex", percent=True, digits=1) == cli(
        *("eval", "--quiet", "--metrics", "edit,bleu", "--summary", "latex", "--percent"),
        *("--digits", "1", SAMPLES / "mathbridge.csv"),
    )


def test_rows_by_stored_fields_are_the_programs(cli):
    data = SAMPLES / "mathbridge.csv"
    results = texgauge.evaluate(data, metrics="edit", by=["expert_1", "student_1"])
    words = ("eval", "--quiet", "--metrics", "edit", "--by", "expert_1", "--by", "student_1", data)
    assert results.format("csv") == cli(*words, "--summary", "csv")
    assert results.format("csv", confidence=True) == cli(*words, "--summary", "csv", "--confidence")
    assert len(results.summary) > len(results.format("json", by=()).split('"subset"')) - 1
    assert "expert_1" in results._repr_html_()


def test_report_is_the_programs(cli, mathbridge, tmp_path):
    mathbridge.report(tmp_path / "a.html", tmp_path / "a.md", drawings=False, resamples=20)
    cli(
        *("report", mathbridge.path, "--no-drawings", "--resamples", "20"),
        *("--quiet", "-o", tmp_path / "b.html", "-o", tmp_path / "b.md"),
    )
    for suffix in ("html", "md"):
        ours, theirs = (tmp_path / f"{x}.{suffix}" for x in "ab")
        assert ours.read_bytes() == theirs.read_bytes()


def test_report_to_an_unknown_suffix(mathbridge):
    with pytest.raises(texgauge.Error, match=r"report\.doc"):
        mathbridge.report("report.doc")


def test_dicts():
    results = texgauge.evaluate(ROWS, metrics=["edit"])
    assert [row["edit"] for row in results] == [1, 0.5]
    assert results["edit"] == 0.75
    assert results.columns == ["edit", "edit.distance", "edit.normalized", "edit.corpus"]
    assert results.records()[1]["edit.status"] == "ok"
    assert results.signatures["edit"] == texgauge.Metric("edit").signature


def test_dicts_with_fields_of_other_names_and_values():
    rows = ({"t": text, "p": "a", "n": np.int64(i)} for i, text in enumerate("ab"))
    results = texgauge.evaluate(
        rows, metrics="edit", reference="t", prediction="p", id="n", columns=["n"]
    )
    assert [(row["id"], row["n"]) for row in results] == [("0", 0), ("1", 1)]
    assert results["edit"] == 0.5


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_lists_of_texts():
    results = texgauge.evaluate(
        references=["a b", ["a", "b c"], None, "x"],
        predictions=["$a b$", "b d", "c", None],
        metrics=["edit"],
        undefined="skip",
    )
    assert results.faults == ("data:3: there is no reference",)
    assert len(results) == 4
    column = results.column("edit").tolist()
    assert column[:2] == [1, 0.5]
    assert all(math.isnan(value) for value in column[2:])
    assert results.status("edit")[1:] == ["ok", "data:3: there is no reference", "no prediction"]
    assert [row["prediction"] for row in results] == ["a b", "b d", "c", None]
    assert results["edit"] == 0.75
    with pytest.raises(KeyError, match="no column 'cdm'"):
        results.column("cdm")


def test_lists_give_what_files_give(cli_results, tmp_path):
    """All but the names of the inputs is the same."""
    pairs = tmp_path / "pairs.jsonl"
    rows = [{"gt": f"x^{{{i}}}", "pred": f"$x^{i % 7}$"} for i in range(200)]
    pairs.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    results = texgauge.evaluate(
        references=[row["gt"] for row in rows],
        predictions=[row["pred"] for row in rows],
        metrics=["forte", "bleu"],
    )
    wanted = texgauge.load(cli_results("--metrics", "forte,bleu", pairs))
    assert list(results) == list(wanted)
    assert results.summary == wanted.summary
    for name in results.columns:
        assert results.column(name).tobytes() == wanted.column(name).tobytes()


def test_lists_of_several_models():
    results = texgauge.evaluate(
        references=["a", "b"], predictions={"m": ["a", "b"], "n": ["a", "c"]}, metrics=["edit"]
    )
    assert [(row["model"], row["scores"]["edit"]) for row in results.summary] == [
        ("m", 1),
        ("n", 0.5),
    ]
    assert [row["id"] for row in results] == ["1", "1", "2", "2"]


def test_lists_and_files_are_told_apart(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("x\ny\n", encoding="utf-8")
    one = texgauge.evaluate(references=path, predictions=[path], metrics=["exprate"])
    assert one["exprate"] == 1
    with pytest.raises(TypeError, match=r"is a file: give files as pathlib\.Path"):
        texgauge.evaluate(references=[str(path)], predictions=[str(path)], metrics=["edit"])
    with pytest.raises(TypeError, match="predictions are files, but references are texts"):
        texgauge.evaluate(references=["x"], predictions=[path], metrics=["edit"])
    with pytest.raises(ValueError, match="2 references, but 1 predictions"):
        texgauge.evaluate(references=["x", "y"], predictions=["x"], metrics=["edit"])
    with pytest.raises(TypeError, match="belong together"):
        texgauge.evaluate(references=["x"], metrics=["edit"])
    with pytest.raises(TypeError, match="either data, or references"):
        texgauge.evaluate(path, references=["x"], predictions=["x"], metrics=["edit"])


@pytest.mark.parametrize(("old", "new"), [("truths", "references"), ("pred", "predictions")])
def test_old_names_say_the_new_ones(old, new):
    with pytest.raises(TypeError, match=f"no argument '{old}'; it is called '{new}'"):
        texgauge.evaluate(**{old: ["a"]}, metrics=["edit"])


@pytest.mark.parametrize("loaded", [False, True])
def test_results_survive_pickling(tmp_path, loaded):
    rows = [row | {"page": 7} for row in ROWS]
    results = texgauge.evaluate(rows, metrics="edit", mean="pairs", by=["page"])
    if loaded:
        results.save(tmp_path / "r.jsonl")
        results = texgauge.load(tmp_path / "r.jsonl")
    again = pickle.loads(pickle.dumps(results))
    assert str(again) == str(results)
    assert list(again) == list(results)
    assert again.column("edit").tobytes() == results.column("edit").tobytes()
    again.save(tmp_path / "a.jsonl")
    results.save(tmp_path / "b.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert copy.copy(results) is results
    assert copy.deepcopy([results])[0] is results


def test_properties_do_not_read_the_file():
    results = texgauge.evaluate(
        references=["a", "b"], predictions=["a", "c"], metrics=["edit"], mean="pairs"
    )
    path = results.path
    hidden = path.rename(path.with_suffix(".hidden"))
    assert results["edit"] == 0.5
    assert results.summary[0]["pairs"] == 2
    assert results.column("edit").tolist() == [1, 0]
    assert results.status("edit") == ["ok", "ok"]
    assert (len(results), results.columns[0], list(results.signatures)) == (2, "edit", ["edit"])
    assert "0.5000" in str(results)
    hidden.rename(path)
    assert "not ok" not in results.format(confidence=True)


def test_saved_results_of_dicts_do_not_depend_on_the_place(tmp_path):
    for name in ("a", "b"):
        texgauge.evaluate(ROWS, metrics="edit").save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert b"/tmp" not in (tmp_path / "a").read_bytes()
    again = texgauge.load(tmp_path / "a")
    assert again["edit"] == 0.75


def rows_of(results):
    return list(results.rows())


def test_results_that_were_changed_say_so(tmp_path):
    path = tmp_path / "r.jsonl"
    texgauge.evaluate(ROWS, metrics="edit").save(path)
    crc = 0
    for line in path.read_bytes().splitlines():  # as docs/reference/results.md has it
        crc = zlib.crc32(line[:-18], crc)
        assert line[-18:] == f',"crc":"{crc:08x}"}}'.encode()
    assert all("crc" not in row for row in texgauge.load(path).rows())

    path.write_bytes(path.read_bytes().replace(b'"edit":1,', b'"edit":0.5,', 1))
    pairs = texgauge.evaluate(path, metrics="cer")
    assert "1 line was changed after the run; first: line" in str(pairs)
    edited = texgauge.load(path)
    assert len(list(edited)) == len(ROWS)
    assert "r.jsonl: 1 line was changed after the run; first: line" in str(edited)
    edited.report(tmp_path / "r.md")
    assert "1 line was changed after the run" in (tmp_path / "r.md").read_text()
    edited.save(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == path.read_bytes()


def test_saved_files_replace_only_their_kind(tmp_path):
    thesis = tmp_path / "thesis.md"
    thesis.write_text("mine", encoding="utf-8")
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    results = texgauge.evaluate(rows, metrics="edit")
    for path in (thesis, tmp_path / "new.jsonl"):
        results.save(path, force=True)
        results.save(path)
    thesis.write_text("mine", encoding="utf-8")
    saved = texgauge.load(tmp_path / "new.jsonl")
    for write in (results.save, results.report, texgauge.render("x").save):
        with pytest.raises(ValueError, match=r"overwrite it with force|remove it|suffix"):
            write(thesis)
    for some, path in ((results, rows), (saved, saved.path)):
        for force in (False, True):
            with pytest.raises(texgauge.Error, match="is an input"):
                some.save(path, force=force)
    assert thesis.read_text(encoding="utf-8") == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "new.jsonl",
        *names_of(rows, thesis),
    ]


def names_of(*paths):
    return sorted(path.name for path in paths)


def test_reports_replace_reports_alone(mathbridge, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("mine", encoding="utf-8")
    with pytest.raises(texgauge.Error, match="force=True"):
        mathbridge.report(page, resamples=10)
    mathbridge.report(page, resamples=10, force=True)
    mathbridge.report(page, resamples=10)
    copy = tmp_path / "copy.md"
    mathbridge.save(copy)
    with pytest.raises(texgauge.Error, match="is an input"):
        texgauge.load(copy).report(copy, force=True)


def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    results = texgauge.evaluate(ROWS, metrics="edit")
    results.save(tmp_path / "r.jsonl")
    before = (tmp_path / "r.jsonl").read_bytes()
    monkeypatch.setattr("texgauge._results._rename", lambda line, names: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        results.save(tmp_path / "r.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["r.jsonl"]
    assert (tmp_path / "r.jsonl").read_bytes() == before


def test_rows_without_a_truth_are_told():
    with pytest.warns(UserWarning, match="data:2"):
        results = texgauge.evaluate([*ROWS[:1], {"id": "2", "pred": "b"}], metrics="edit")
    assert len(results.faults) == 1
    assert results["edit"] == 1.0


def test_results_of_results():
    first = texgauge.evaluate(ROWS, metrics="edit,cdm")
    again = texgauge.evaluate(first, metrics="edit,cdm")
    assert list(again) == list(first)
    assert again.format() == first.format()


class Stream:
    """What has Arrow's interface, but no data."""

    def __arrow_c_stream__(self, requested_schema=None):
        return 5


class Frame(Stream):
    """What looks like a frame, but is none."""

    columns = ()


# Frames and tables of other libraries: python/integrations/test_tables.py.
@pytest.mark.parametrize(("frame", "library"), [(Frame(), "narwhals"), (Stream(), "pyarrow")])
def test_frames_need_a_library(frame, library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=f"need {library}, which is not installed"):
        texgauge.evaluate(frame, metrics="edit")


def test_results_as_a_table_need_pyarrow(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="need pyarrow, which is not installed"):
        texgauge.evaluate(ROWS, metrics="edit").__arrow_c_stream__()


def test_nothing_is_left_behind():
    results = texgauge.evaluate(ROWS, metrics="edit")
    folder = results.path.parent
    assert folder.is_dir()
    del results
    assert not folder.exists()


@pytest.mark.parametrize("data", [5, b"x", {"gt": "a"}, [1, 2]])
def test_what_is_no_data(data):
    with pytest.raises(TypeError):
        texgauge.evaluate(data, metrics="edit")


def test_wrong_arguments():
    with pytest.raises(texgauge.Error, match="'nope'"):
        texgauge.evaluate(ROWS, metrics="nope")
    with pytest.raises(texgauge.Error, match=r"no/such/file\.json"):
        texgauge.evaluate("no/such/file.json", metrics="edit")
    with pytest.raises(texgauge.Error, match="input"):
        texgauge.evaluate(metrics="edit")
    with pytest.raises(texgauge.Error, match="clean has no rule 'x'"):
        texgauge.evaluate(ROWS, metrics="edit", clean="x")
    with pytest.raises(texgauge.Error, match=r"name their field with prediction='FIELD'"):
        texgauge.evaluate([{"gt": "a"}], metrics="edit")
    with pytest.raises(texgauge.Error, match=r"threads takes a whole number .*, not '-1'"):
        texgauge.evaluate(ROWS, metrics="edit", threads=-1)
    with pytest.raises(ValueError, match=r"undefined must be one of .*worst.*; not 'no'"):
        texgauge.evaluate(ROWS, metrics="edit", undefined="no")


def test_html_has_every_model(mathbridge):
    shown = mathbridge._repr_html_()
    assert "<td>aster</td>" in shown
    assert "<td>birch</td>" in shown
    assert "<pre>" in mathbridge.compare(resamples=10)._repr_html_()


def test_progress_may_stop_a_run():
    def enough(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        texgauge.evaluate(ROWS, metrics="edit", progress=enough)


def test_ctrl_c_stops_a_run(tmp_path):
    path = tmp_path / "many.jsonl"
    with path.open("w", encoding="utf-8") as out:
        for i in range(100_000):
            pair = {"id": str(i), "gt": rf"\frac{{a_{{{i}}}}}{{b}}", "pred": rf"{i}^{{{i}}}"}
            out.write(json.dumps(pair) + "\n")
    timer = threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        texgauge.evaluate(path, metrics="cdm-strict", threads=1)


def test_undefined_values_are_nan():
    rows = [{"gt": "a", "pred": None, "model": "m"}, {"gt": "a", "pred": "b", "model": "n"}]
    results = texgauge.evaluate(rows, metrics="edit", undefined="skip")
    assert [row["scores"]["edit"] for row in results.summary] == [None, 0]
    assert math.isnan(
        texgauge.Metric("edit", undefined="skip").batch(references=["a"], predictions=[None]).corpus
    )


def test_results_of_pages_stay_means_over_pages(tmp_path):
    samples = pathlib.Path(__file__).parents[2] / "datasets/samples/pages"
    folders = {model: samples / model for model in ("aster", "birch")}
    pages = texgauge.evaluate_pages(samples / "truth.json", folders, metrics="exprate")
    pages.save(tmp_path / "r.jsonl")
    loaded = texgauge.load(tmp_path / "r.jsonl")
    assert [row["scores"] for row in loaded.summary] == [row["scores"] for row in pages.summary]
    compared = texgauge.compare(loaded, resamples=20).data
    assert compared["mean"] == "pages"
    assert compared["comparisons"][0]["pages"] == 3
    assert "mean" not in texgauge.compare(loaded, resamples=20, mean="pairs").data


PAGES = pathlib.Path(__file__).parents[2] / "tests/documents/pages"


def test_parsers_whose_splits_differ_are_compared_and_reported(tmp_path):
    folders = {model: PAGES / model for model in ("lark", "wren")}
    pages = texgauge.evaluate_pages(PAGES / "truth.json", folders)
    ids = {(row["model"], row["id"]): row["references"] for row in pages.records()}
    assert ids["lark", "split.png#1"] != ids["wren", "split.png#1"]
    every = [row for row in pages.summary if row["subset"] == "all"]
    assert [(row["pages"], row["missed"], row["unused"]) for row in every] == [(2, 0, 0), (2, 1, 1)]
    compared = texgauge.compare(pages, resamples=20)
    assert (compared.data["mean"], compared.data["comparisons"][0]["pages"]) == ("pages", 2)
    texgauge.report(pages, outputs=[tmp_path / "r.html"], drawings=False, resamples=20)
    assert "Means over pages" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_reports_link_to_scans_or_copy_them(tmp_path):
    folders = {model: PAGES / model for model in ("lark", "wren")}
    pages = texgauge.evaluate_pages(PAGES / "truth.json", folders, metrics="exprate")
    scans = tmp_path / "scans"
    scans.mkdir()
    (scans / "split.png").write_bytes(b"scan")

    def links(**keywords):
        page = tmp_path / "r.html"
        texgauge.report(pages, outputs=[page], drawings=False, resamples=20, **keywords)
        return re.search(r'"scans":(\[[^]]*\])', page.read_text(encoding="utf-8"))[1]

    assert "scans/split.png" in links(images=scans)
    assert not (tmp_path / "report-images").exists()
    assert "report-images/split.png" in links(images=scans, with_images=True)
    assert (tmp_path / "report-images/split.png").read_bytes() == b"scan"
    assert "split.png" not in links()
    with pytest.raises(texgauge.Error, match="is no folder of scans"):
        links(images=tmp_path / "none")
    with pytest.raises(texgauge.Error, match="with_images=True needs the scans that images names"):
        links(with_images=True)


def test_keywords_are_the_programs_options(cli):
    """An option of the program is a keyword here, or is named below with its reason."""
    renamed = {
        "gt": "references",
        "pred": "predictions",
        "tokens": "token_ids",
        "delimiters": "keep_delimiters",
        "pair-timeout": "pair_timeout",
        "allow-duplicates": "allow_duplicates",
        "map": "reference",
        "model": "model_name",
        "all": "all_columns",
        "preference": "preferences",
        "no-drawings": "drawings",
        "with-images": "with_images",
        "output": "outputs",
    }
    elsewhere = {
        "evaluate": "output resume shard force confidence summary percent digits all pivot "
        "add check ratings pages quiet plugin",
        "compare": "fail-under baseline tolerance summary percent digits quiet plugin",
        "study": "parts summary percent digits quiet plugin plan pairs raters assume",
        "report": "percent digits quiet plugin",
    }
    commands = {command["name"]: command["options"] for command in json.loads(cli("--options"))}
    for function, names in elsewhere.items():
        keywords = set(inspect.signature(getattr(texgauge, function)).parameters)
        options = commands["eval" if function == "evaluate" else function]
        for option in {option["name"] for option in options} - set(names.split()):
            assert renamed.get(option, option) in keywords, (function, option)


def test_fields_of_the_data_take_no_place_of_ours():
    row = {"gt": "a", "pred": "a", "row": 7, "page": 3, "long": "x" * 201}
    (record,) = texgauge.evaluate([row], metrics="edit").records()
    assert (record["row"], record["page"], "long" in record) == (1, 3, False)


def test_rating_page_and_answers_are_the_programs(cli, mathbridge, tmp_path):
    """The page is that of the program, and study reads the files of raters."""
    files = sorted((SAMPLES.parents[1] / "docs/examples/ratings").glob("ratings-*.json"))
    page, other = tmp_path / "page.html", tmp_path / "other.html"
    assert mathbridge.rate(page, sample=20, by="random", repeat=3, scale="0-10") == 20
    words = ("--sample", "20", "--by", "random", "--repeat", "3", "--scale", "0-10")
    cli("rate", "-q", mathbridge.path, *words, "-o", other)
    assert page.read_bytes() == other.read_bytes()
    with pytest.raises(texgauge.Error, match="unknown column 'nothing'"):
        texgauge.rate(mathbridge, output=page, preference=["edit", "nothing"])
    study = mathbridge.study(ratings=files, resamples=20).data
    assert [person["rater"] for person in study["people"]] == ["Ann", "Bob"]
    assert study["wrong_references"][0]["id"] == "mb-09"
    with pytest.raises(texgauge.Error, match="both are of a rater called 'Ann'"):
        mathbridge.study(ratings=[files[0], files[0]])


def test_notes_are_those_of_the_command_and_doubts_are_warnings(tmp_path):
    (tmp_path / "gt.txt").write_text("a.png\tx\nb.png\ty\n")
    (tmp_path / "pred.jsonl").write_text('{"id":"b","pred":"y</s>"}\n{"id":"a","pred":"x</s>"}\n')
    with pytest.warns(UserWarning, match="ids are compared|special tokens") as said:
        results = texgauge.evaluate(
            references=tmp_path / "gt.txt", predictions=tmp_path / "pred.jsonl", metrics="edit"
        )
    assert [str(one.message).split(" (")[0] for one in said] == [
        "ids are compared without their extensions",
        "2 formulas have special tokens such as <|im_end|>, which clean='tokens' removes",
    ]
    assert "prediction: pred, id: id" in results.notes[0]


def test_files_of_parquet_may_be_references_and_predictions(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    pyarrow = pytest.importorskip("pyarrow")
    rows = {"id": ["1", "2"], "latex": ["x", "y"]}
    parquet.write_table(pyarrow.table(rows), tmp_path / "gt.parquet")
    for model, second in (("A", "y"), ("B", "z")):
        rows = {"id": ["2", "1"], "pred": [second, "x"]}
        parquet.write_table(pyarrow.table(rows), tmp_path / f"{model}.parquet")
    results = texgauge.evaluate(
        references=tmp_path / "gt.parquet",
        predictions=[tmp_path / "A.parquet", tmp_path / "B.parquet"],
        metrics="exprate",
    )
    assert [(row["model"], row["scores"]["exprate"]) for row in results.summary] == [
        ("A", 1),
        ("B", 0.5),
    ]


def test_columns_of_older_files_have_the_names_of_today(tmp_path):
    results = texgauge.evaluate(ROWS, metrics=["forte", "edit"])
    results.save(tmp_path / "new.jsonl")
    text = (tmp_path / "new.jsonl").read_text("utf-8")
    (tmp_path / "old.jsonl").write_text(text.replace("forte.price", "forte.errors"), "utf-8")
    old = texgauge.load(tmp_path / "old.jsonl")
    assert old.columns == results.columns
    assert "forte.price" in old.columns
    assert old.column("forte.price").tolist() == results.column("forte.price").tolist()
    assert old.records()[0]["forte.price"] == results.records()[0]["forte.price"]
