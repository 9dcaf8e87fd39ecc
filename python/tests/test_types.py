"""Types that an editor and mypy see: names and options of metrics."""

import subprocess
import sys

import pytest
import texgauge
from conftest import ROOT

RIGHT = """
import texgauge

print(texgauge.score(reference="x", prediction="x", metric="edit"))
metric = texgauge.Metric(texgauge.spec("bleu", order=2, smooth="nltk4"), undefined="skip")
scores = metric.batch(references=["x"], predictions=["x"])
results = texgauge.evaluate(references=["x"], predictions=["x"], metrics=["cdm", "text"])
print(scores.mean(), results["cdm"], results.format("json"))
names = ["edit", "cer"]
weights = {"forte": 0.8, "exprate": 0.2}
print(texgauge.evaluate([("x", "x")], metrics=names), texgauge.rewards.Reward(weights))
print(texgauge.rewards.Reward({"forte": 0.8, "exprate:normalize=canonical": 0.2}))
print(texgauge.evaluate([("x", "x")], metrics="text"))
"""
WRONG = [
    ('metric="edit"', 'metric="edti"'),
    ('metrics="text"', 'metrics="texts"'),
    ("order=2", "ordre=2"),
    ("order=2", 'order="2"'),
    ('"nltk4"', '"nltk9"'),
    ('"skip"', '"skp"'),
    ("references=", "truths="),
]


def check(tmp_path, text):
    pytest.importorskip("mypy")
    path = tmp_path / "user.py"
    path.write_text(text, encoding="utf-8")
    words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path.parent / "mypy"]
    done = subprocess.run(
        [*words, "--config-file=", path], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    return done.returncode, done.stdout


def test_a_right_file_passes(tmp_path):
    assert check(tmp_path, RIGHT) == (0, "Success: no issues found in 1 source file\n")


@pytest.mark.parametrize(("right", "wrong"), WRONG)
def test_a_wrong_name_fails(tmp_path, right, wrong):
    assert right in RIGHT
    code, said = check(tmp_path, RIGHT.replace(right, wrong))
    assert code == 1
    assert "user.py:" in said


def test_names_are_the_registrys(cli):
    """Written by write_specs.py, whose outcome is compared but for its layout."""
    sys.path.insert(0, str(ROOT / "python"))
    try:
        from write_specs import write  # noqa: PLC0415
    finally:
        sys.path.pop(0)
    import json  # noqa: PLC0415
    import re  # noqa: PLC0415

    sets = re.findall(r"^ {4}([\w-]+)", cli("metrics").partition("\nsets:")[2], re.MULTILINE)
    wanted = write(json.loads(cli("metrics", "--json")), sets)
    have = (ROOT / "python/src/texgauge/_specs.py").read_text(encoding="utf-8")
    assert "".join(have.split()).replace(",]", "]") == "".join(wanted.split()).replace(",]", "]")


def test_specs():
    spec = texgauge.spec("edit", label="mine", lowercase=True)
    assert spec == "mine=edit:lowercase=yes"
    assert texgauge.Metric(spec).score(reference="A", prediction="a") == 1
    with pytest.raises(texgauge.Error, match=r"order.*99"):
        texgauge.Metric(texgauge.spec("bleu", order=99))
    with pytest.raises(texgauge.Error, match=r"ordre.*order"):
        texgauge.Metric(texgauge.Spec("bleu:ordre=2"))
