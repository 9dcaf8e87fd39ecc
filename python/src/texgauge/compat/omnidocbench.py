r"""CDM as OmniDocBench and its relatives call it.

>>> CDM(output_root="./result").evaluate(r"\frac{a}{b}", r"\frac{a}{6}", "page_1")["F1_score"]
0.667

No folder is written to, and no TeX, Node or ImageMagick is run. ``dialect`` says whose scores are
reproduced, see the page of the metric cdm.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from texgauge import _core
from texgauge._core import Error

DIALECT = "omnidocbench-1.5"


class CDM:
    """`evaluate` serves OmniDocBench up to 1.5, MDPBench and MORE, and the class of 1.6."""

    def __init__(self, output_root: str = "./result", *, dialect: str = DIALECT) -> None:
        self.output_root = output_root
        self._scorer = _core.Scorer(f"cdm=cdm:dialect={dialect}", {"detail": True}, float)

    def evaluate(
        self, gt_latex: str, pred_latex: str, img_id: str = "", sample_context: object = None
    ) -> dict[str, Any]:
        """Score a pair: rates rounded to 3 places, and how many elements they are of.

        As in the program a pair that cannot be scored has zeros; here ``cdm_eval_error`` says why.
        """
        try:
            columns, _, statuses, _, details = self._scorer.batch((gt_latex,), (pred_latex,))
        except (Error, TypeError) as error:
            return _zeros(str(error))
        names = [column["name"] for column in self._scorer.columns()]
        scores = {name: memoryview(one).cast("d")[0] for name, one in zip(names, columns)}
        if math.isnan(scores["cdm"]):
            return _zeros(statuses[0])
        detail = json.loads(details or "{}")
        truth, prediction = (detail.get(side, {}).get("elements", []) for side in ("gt", "pred"))
        result = {
            "recall": round(scores["cdm.recall"], 3),
            "precision": round(scores["cdm.precision"], 3),
            "F1_score": round(scores["cdm"], 3),
            "tp": sum(element["verdict"] == "accepted" for element in truth),
            "gt_tokens": sum(element["verdict"] != "no-ink" for element in truth),
            "pred_tokens": sum(element["verdict"] != "no-ink" for element in prediction),
        }
        return result if statuses[0] == "ok" else result | {"cdm_eval_error": statuses[0]}


def _zeros(why: str) -> dict[str, Any]:
    rates = {"recall": 0.0, "precision": 0.0, "F1_score": 0.0}
    return {**rates, "tp": 0, "gt_tokens": 0, "pred_tokens": 0, "cdm_eval_error": why}


def cdm_metrics(  # as the program has it
    latex1: str,
    latex2: str,
    save_vis: bool = False,
    tmp_dir: str = "./tmp",
    persist_vis_dir: str | None = None,
    vis_name: str | None = None,
    vis_meta: object = None,
    *,
    dialect: str = DIALECT,
) -> dict[str, Any]:
    """Score as the function of OmniDocBench 1.6 does; pictures are drawn by `texgauge.match`."""
    return CDM(dialect=dialect).evaluate(latex1, latex2)


def cdm(latex1: str, latex2: str, *, dialect: str = DIALECT) -> float:
    """Give F1 alone."""
    return float(cdm_metrics(latex1, latex2, dialect=dialect)["F1_score"])


calc = cdm


class call_CDM:  # noqa: N801 # the name of the registry's class
    """The class that OmniDocBench registers as ``"CDM"``.

    ``evaluate`` writes each sample's F1 into ``sample["metric"]["CDM"]`` and gives the means: of
    all samples, of each group that is asked for, and of pages (over a page, then over pages).
    """

    def __init__(self, samples: Any, metric_cfg: dict[str, Any] | None = None) -> None:
        self.samples = samples
        self.metric_cfg = metric_cfg or {}

    def evaluate(
        self,
        group_info: Sequence[dict[str, Any]] = (),
        save_name: str = "default",
        max_workers: int | None = None,
    ) -> tuple[Any, dict[str, dict[str, float]]]:
        """Score all samples."""
        samples = getattr(self.samples, "samples", self.samples)
        metric = CDM(dialect=self.metric_cfg.get("dialect", DIALECT))
        with ThreadPoolExecutor(max_workers) as pool:
            outcomes = list(pool.map(lambda sample: _score_sample(metric, sample), samples))
        scores, pages = defaultdict(list), defaultdict(list)
        for sample, outcome in zip(samples, outcomes):
            value = outcome["F1_score"]
            sample.setdefault("metric", {})["CDM"] = value
            scores["all"].append(value)
            pages[_page(sample)].append(value)
            for group in group_info:
                if _in_group(sample, group):
                    scores[str(group)].append(value)
        result = {name: _mean(values) for name, values in scores.items()}
        if pages:
            result["page"] = _mean([_mean(values) for values in pages.values()])
        return self.samples, {"CDM": result}


def _score_sample(metric: CDM, sample: dict[str, Any]) -> dict[str, Any]:
    key = f"{sample.get('img_id', '')}_{sample.get('gt_idx', '')}"
    return metric.evaluate(sample.get("gt", ""), sample.get("pred", ""), key)


def _page(sample: dict[str, Any]) -> str:
    """Give the page of a sample: its image, else its id without the last part."""
    image = str(sample.get("img_id", ""))
    return image if image.endswith((".jpg", ".png")) else image.rpartition("_")[0]


def _in_group(sample: dict[str, Any], group: dict[str, Any]) -> bool:
    attributes: dict[str, Any] = {}
    for part in sample.get("gt_attribute") or []:
        attributes |= part or {}
    return all(str(attributes.get(name)) == str(value) for name, value in group.items())


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
