"""The page on rewards says what each metric gives for a wrong prediction: still so?"""

import re

import pytest
import texgauge
from conftest import ROOT

PAGE = (ROOT / "docs/how-to/rewards.md").read_text(encoding="utf-8")
UNRELATED = re.search(r"The unrelated formula is `(.+?)` for `(.+?)`\.", PAGE).groups()
TABLE = [
    [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))]
    for line in PAGE.splitlines()
    if line.startswith("| ") and line.count("|") == 10
]
METRICS = [cell.strip("`") for cell in TABLE[0][1:]]


def pair_of(text):
    """Prediction and truth of a row."""
    if text == "an unrelated formula":
        return UNRELATED
    repeated = re.fullmatch(r"the reference `(.+)` (twice|20 times)", text)
    if repeated:
        return repeated[1] * (2 if repeated[2] == "twice" else 20), repeated[1]
    return re.match(r"`(.+?)` for `(.+?)`", text).groups()


def test_the_table_is_found():
    assert len(TABLE) == 11
    assert set(METRICS) <= set(texgauge.metrics())


@pytest.mark.parametrize("row", TABLE[1:], ids=lambda row: row[0])
def test_scores_are_those_of_the_table(row):
    prediction, truth = pair_of(row[0])
    assert len(row) == len(METRICS) + 1
    for name, cell in zip(METRICS, row[1:]):
        score = texgauge.score(reference=truth, prediction=prediction, metric=name)
        assert abs(score - float(cell.strip("*"))) <= 0.005 + 1e-9, name
