"""lm-evaluation-harness: the metrics are in its registry."""

import pytest

pytest.importorskip("lm_eval")
from lm_eval.api.registry import get_aggregation, get_metric, is_higher_better
from texgauge.integrations import lm_eval


def test_registered():
    metric = get_metric("texgauge_cdm")
    assert metric(references=["x^2"], predictions=[r"\boxed{x^{2}}"]) == 1.0
    assert is_higher_better("texgauge_forte")
    assert get_aggregation("mean")([1, 0]) == 0.5


def test_a_task_may_name_a_function():
    assert lm_eval.exprate(references=["a"], predictions=["b"]) == 0.0
