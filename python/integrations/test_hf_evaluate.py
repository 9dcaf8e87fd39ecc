"""Hugging Face's evaluate: the metric loads from the package's file."""

import pytest

evaluate = pytest.importorskip("evaluate")
from texgauge.integrations.hf_evaluate import FormulaMetric, script_path


def test_loads_from_the_package(tmp_path):
    metric = evaluate.load(script_path(), "edit", cache_dir=str(tmp_path))
    result = metric.compute(predictions=["ab", "b"], references=["ac", "b"])
    assert result["edit"] == 0.75
    assert result["scores"] == [0.5, 1.0]
    assert result["status"] == ["ok", "ok"]


def test_several_references_and_another_metric(tmp_path):
    metric = FormulaMetric(cache_dir=str(tmp_path))
    metric.add_batch(predictions=["b"], references=[["a", "b"]])
    assert metric.compute(metric="exprate")["exprate"] == 1.0
