"""Stand-ins: the calls of OmniDocBench, FastCDM and olmOCR-bench."""

import pytest
import texgauge
from texgauge import olmocr
from texgauge.compat.fastcdm import FastCDM
from texgauge.compat.olmocr import MathTest
from texgauge.compat.omnidocbench import CDM, calc, call_CDM, cdm, cdm_metrics

PAIR = (r"\frac{a}{b}", r"\frac{a}{6}")  # three elements each, of which two agree


def test_cdm_as_every_version_calls_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wanted = {"recall": 0.667, "precision": 0.667, "F1_score": 0.667}
    counts = {"tp": 2, "gt_tokens": 3, "pred_tokens": 3}
    assert CDM(output_root="./result").evaluate(*PAIR, "id") == wanted | counts
    assert CDM().evaluate(*PAIR, "id", sample_context={"page": 1}) == wanted | counts
    assert cdm_metrics(*PAIR, save_vis=False, tmp_dir="./tmp", vis_meta={}) == wanted | counts
    assert cdm(*PAIR) == calc(*PAIR) == 0.667
    assert not list(tmp_path.iterdir())


def test_cdm_of_another_dialect():
    # Of 2024 \to and \rightarrow are one symbol, \varphi and \phi are not.
    pair = (r"\varphi", r"\phi")
    assert CDM(dialect="unimernet").evaluate(*pair)["F1_score"] == float(
        texgauge.score(reference=pair[0], prediction=pair[1])
    )
    assert CDM(dialect="omnidocbench-1.5").evaluate(*pair)["F1_score"] == 0
    with pytest.raises(texgauge.Error, match="dialect"):
        CDM(dialect="nope")


@pytest.mark.parametrize("pair", [("", "x"), (None, "x"), ("x", None), ("\0", "x"), (5, "x")])
def test_failures_are_zeros_with_a_reason(pair):
    result = CDM().evaluate(*pair)
    assert result["F1_score"] == result["recall"] == result["precision"] == 0
    assert result["cdm_eval_error"]


def test_the_class_of_the_registry():
    samples = [
        {"gt": "x", "pred": "x", "img_id": "p1.jpg", "gt_idx": [0], "gt_attribute": [{"k": "v"}]},
        {"gt": "x", "pred": "y", "img_id": "p1.jpg", "gt_idx": [1], "gt_attribute": [{"k": "w"}]},
        {"gt": "x", "pred": "x", "img_id": "p2_0", "gt_idx": [0], "metric": {"Edit_dist": 0}},
    ]
    same, result = call_CDM(samples).evaluate([{"k": "v"}], save_name="x", max_workers=2)
    assert same is samples
    assert [sample["metric"]["CDM"] for sample in samples] == [1, 0, 1]
    assert samples[2]["metric"]["Edit_dist"] == 0
    # Pages: (1 + 0) / 2 and 1.
    assert result == {"CDM": {"all": 2 / 3, "{'k': 'v'}": 1.0, "page": 0.75}}


def test_fastcdm():
    assert FastCDM().compute("x^2", "x^3") == (0.5, 0.5, 0.5)
    *_, picture = FastCDM(chromedriver="/usr/bin/x").compute("x", "x", visualize=True)
    assert picture.startswith(b"\x89PNG")


def test_math_tests_of_olmocr_bench():
    math = MathTest(pdf="a.pdf", page=1, id="1", math=r"\frac{a}{b}")
    assert math.run(r"Half of it is \(\frac{a}{b}\).") == (True, "")
    passed, reason = math.run(r"Half of it is $\frac{b}{a}$.")
    assert (passed, reason) == (False, r"No match found for \frac{a}{b} anywhere in content")
    with pytest.raises(ValueError, match="math"):
        MathTest(pdf="a.pdf", page=1, id="1", math=" ")
    only = MathTest(pdf="a.pdf", page=1, id="1", math="x", ignore_dollar_delimited=True)
    assert only.run("$x$") == (False, "No match found for x anywhere in content")
    assert only.run(r"\[x\]") == (True, "")


def test_a_line_of_a_bench_is_a_math_test():
    """The official program makes its tests of the fields of a line, and reads (passed, reason)."""
    line = {"pdf": "a.pdf", "page": 1, "id": "1", "type": "math", "math": "x^2", "max_diffs": 0}
    assert MathTest(**line, checked="verified", url="u").run("so $x_2$ passes") == (True, "")
    with pytest.raises(TypeError):
        MathTest(**line, threshold=1)
    with pytest.raises(ValueError, match="pdf"):
        MathTest(**{**line, "pdf": ""})
    page = "\r\n".join(["one", "$$", r"\mbox{y}", "$$", "$x_3$"])
    found = olmocr.find(math="x^2", markdown=page)
    assert (found.passed, found.formula, found.line) == (False, "x_3", 5)
    assert MathTest(**line).run(page) == (
        found.passed,
        "No match found for x^2 anywhere in content",
    )
    assert olmocr.passes(math=r"\mbox{y}", markdown=page)
