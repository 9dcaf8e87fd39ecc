"""torchmetrics: one process, and a mean reduced over two by gloo."""

import math

import pytest

pytest.importorskip("torchmetrics")
import texgauge
import torch
import torch.multiprocessing
from texgauge.integrations.torchmetrics import FormulaMetric

TRUTHS = ["x^2", r"\frac{a}{b}", "a", "b+c", "y"]
PREDICTIONS = ["x^{2}", r"\frac{a}{6}", "b", "b+c", None]


def test_the_mean_is_that_of_a_batch():
    metric = FormulaMetric("cdm")
    for truth, prediction in zip(TRUTHS[:4], PREDICTIONS[:4], strict=True):
        metric.update([prediction], [truth])
    wanted = texgauge.Metric("cdm").batch(references=TRUTHS[:4], predictions=PREDICTIONS[:4]).mean()
    assert metric.compute().item() == pytest.approx(wanted, abs=1e-15)
    metric.reset()
    with pytest.warns(UserWarning, match="compute"):
        assert math.isnan(metric.compute())


def test_direction():
    assert FormulaMetric("forte").higher_is_better
    assert not FormulaMetric("cer").higher_is_better


def work(rank, path):
    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{path}", rank=rank, world_size=2
    )
    metric = FormulaMetric("edit")
    metric.update(PREDICTIONS[rank:4:2], TRUTHS[rank:4:2])
    value = metric.compute().item()
    wanted = (
        texgauge.Metric("edit").batch(references=TRUTHS[:4], predictions=PREDICTIONS[:4]).mean()
    )
    torch.distributed.destroy_process_group()
    assert abs(value - wanted) < 1e-15


def test_two_processes_reduce_to_the_mean_of_all(tmp_path):
    torch.multiprocessing.spawn(work, args=(tmp_path / "store",), nprocs=2)
