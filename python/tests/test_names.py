"""What the library says, in the words of Python."""

import inspect
import re

import pytest
import texgauge
from conftest import ROOT
from texgauge._names import in_python


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("name it: --map gt=A,pred=B", "name it: reference='A', prediction='B'"),
        ("name the field: --mean pages=FIELD", "name the field: mean='pages=FIELD'"),
        ("--clean has no rule 'x'", "clean has no rule 'x'"),
        ("fence, which --clean fences removes", "fence, which clean='fences' removes"),
        ("(eval --columns a keeps it)", "(columns=['a'] keeps it)"),
        (
            "scores in these results; --human names them",
            "scores in these results; human names them",
        ),
        (
            "of their own: --map id=, ratings: --ratings",
            "of their own: allow_duplicates=True, ratings: ratings",
        ),
        ("named: --map 'gt=the truth'", "named: reference='the truth'"),
        ("formulas alone with --map", "formulas alone with reference or prediction"),
        ("name them: --human g=a,b", "name them: human={'g': ['a', 'b']}"),
        ("--human of eval names their", "human of eval names their"),
        ("are read with --tokens ids", "are read with token_ids=True"),
        ("a list of formulas: --format list)", "a list of formulas: format='list')"),
        ("--by takes subset, model", "by takes subset, model"),
        ("a--b and x -- y", "a--b and x -- y"),
        ("pair-timeout takes a number, not 'x'", "pair_timeout takes a number, not 'x'"),
        ("all must be yes or no", "all_columns must be yes or no"),
    ],
)
def test_options_are_keywords(said, meant):
    assert in_python(said) == meant


def literals(path):
    """The string literals of a C file, those that follow each other as one."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r'"\s*\n\s*"', "", text)
    return re.findall(r'"((?:[^"\\\n]|\\.)*)"', text)


def test_no_message_of_the_library_names_an_option_of_the_program():
    rooms = ("core", "tokenizer", "datasets", "render", "metrics", "eval")
    files = [path for room in rooms for path in sorted((ROOT / room).rglob("*.c"))]
    messages = [text for path in files for text in literals(path) if re.search("--[a-z]", text)]
    assert len(messages) > 20
    assert [text for text in map(in_python, messages) if re.search("--[a-z]", text)] == []


WRONG_CALLS = {
    "a metric": lambda path: texgauge.Metric("nope"),
    "an option": lambda path: texgauge.Metric(texgauge.Spec("bleu:nope=1")),
    "a value": lambda path: texgauge.Metric(texgauge.spec("bleu", order=99)),
    "undefined": lambda path: texgauge.Metric("bleu", undefined="nope"),
    "clean": lambda path: texgauge.Metric("bleu", clean="nope"),
    "pair_timeout": lambda path: texgauge.Metric("bleu", pair_timeout=-1),
    "mean": lambda path: texgauge.evaluate(path, metrics="bleu", mean="nope"),
    "a mean's field": lambda path: texgauge.evaluate(path, metrics="bleu", mean="pages"),
    "by": lambda path: texgauge.evaluate(path, metrics="bleu", by=["nope"]),
    "format": lambda path: texgauge.evaluate(path, metrics="bleu", format="nope"),
    "a field": lambda path: texgauge.evaluate(path, metrics="bleu", prediction="nope"),
    "threads": lambda path: texgauge.evaluate(path, metrics="bleu", threads=9999),
    "style": lambda path: texgauge.evaluate(path, metrics="bleu").format("nope"),
    "digits": lambda path: texgauge.evaluate(path, metrics="bleu").format(digits=99),
    "base": lambda path: texgauge.evaluate(path, metrics="bleu").compare(base="nope"),
    "test": lambda path: texgauge.evaluate(path, metrics="bleu").compare(test="nope"),
    "level": lambda path: texgauge.evaluate(path, metrics="bleu").compare(level=2),
    "columns": lambda path: texgauge.evaluate(path, metrics="bleu").compare(columns=["nope"]),
    "one model": lambda path: texgauge.evaluate(path, metrics="bleu").compare(),
    "a study's by": lambda path: texgauge.evaluate(path, metrics="bleu").study(by=["nope"]),
    "other metrics": lambda path: texgauge.compare(
        *(texgauge.evaluate(path, metrics=name, model_name=name) for name in ("bleu", "edit"))
    ),
    "a report": lambda path: texgauge.evaluate(path, metrics="bleu").report("nope.txt"),
    "a file": lambda path: texgauge.evaluate("nope.json", metrics="bleu"),
    "results": texgauge.load,
    "rules": lambda path: texgauge.canonical("x", rules="nope"),
    "a tokenizer": lambda path: texgauge.tokens("x", tokenizer="nope"),
    "pages": lambda path: texgauge.evaluate_pages(path, path.parent),
    "kind": lambda path: texgauge.extract(path, kind="nope"),
    "in the way": lambda path: texgauge.evaluate(path, metrics="bleu").save(path),
}


@pytest.mark.parametrize("what", WRONG_CALLS)
def test_errors_speak_python(what, tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"id":"1","gt":"x","pred":"x"}\n{"id":"2","gt":"y","pred":"x"}\n', "utf-8")
    with pytest.raises((texgauge.Error, ValueError)) as caught:
        WRONG_CALLS[what](path)
    assert str(caught.value)
    assert not re.search("--[a-z]", str(caught.value))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (WRONG_CALLS["a value"], ("order", "99", "1 to")),
        (WRONG_CALLS["an option"], ("nope", "smooth", "tokenize")),
        (WRONG_CALLS["undefined"], ("undefined", "nope", "worst", "skip", "stop")),
        (WRONG_CALLS["clean"], ("clean", "nope", "fences", "dollars")),
        (WRONG_CALLS["mean"], ("mean", "nope", "pairs", "pages", "subsets")),
        (WRONG_CALLS["style"], ("style", "nope", "latex", "csv")),
        (WRONG_CALLS["level"], ("level", "2", "1")),
        (WRONG_CALLS["pair_timeout"], ("pair_timeout", "-1")),
        (WRONG_CALLS["test"], ("test", "nope", "two-sided", "sacrebleu")),
    ],
)
def test_a_bad_option_is_told_with_its_value_and_what_is_allowed(make, said, tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"id":"1","gt":"x","pred":"x"}\n', "utf-8")
    with pytest.raises((texgauge.Error, ValueError)) as caught:
        make(path)
    assert [word for word in said if word not in str(caught.value)] == []


@pytest.mark.parametrize(
    ("call", "old", "new"),
    [
        (texgauge.score, "gt", "reference"),
        (texgauge.score, "references", "reference"),
        (texgauge.Metric("edit").score, "truth", "reference"),
        (texgauge.Metric("edit").batch, "pred", "predictions"),
        (texgauge.Metric("edit").batch, "reference", "references"),
        (texgauge.match, "pred", "prediction"),
        (texgauge.explain, "gt", "reference"),
        (texgauge.evaluate, "gt", "references"),
        (texgauge.evaluate, "truths", "references"),
        (texgauge.evaluate, "pred", "predictions"),
        (texgauge.evaluate_pages, "truth", "references"),
        (texgauge.spark.evaluate, "gt", "reference"),
    ],
)
def test_old_names_say_the_new_ones(call, old, new):
    with pytest.raises(TypeError, match=f"has no argument '{old}'; it is called '{new}'"):
        call(**{old: "x"})


def test_every_public_name_has_an_example():
    names = {name: getattr(texgauge, name) for name in texgauge.__all__}
    names |= {f"rewards.{n}": getattr(texgauge.rewards, n) for n in texgauge.rewards.__all__}
    for name, value in names.items():
        if inspect.isclass(value) or inspect.isroutine(value) or inspect.ismodule(value):
            assert ">>>" in (value.__doc__ or ""), name
        if inspect.isroutine(value) and name not in ("metrics", "spec", "rewards.extract_formula"):
            assert "Raises" in value.__doc__, name


def test_metric_and_metrics_are_told():
    with pytest.raises(TypeError, match="it is called 'metrics'"):
        texgauge.evaluate([("x", "x")], metric="cdm")
    with pytest.raises(TypeError, match="it is called 'metric'"):
        texgauge.score(reference="x", prediction="x", metrics="cdm")


def test_data_without_metrics_have_the_default_set():
    scores = texgauge.evaluate([("x", "x")]).summary[0]["scores"]
    assert {"cdm", "forte", "edit", "bleu", "exprate"} <= scores.keys()
