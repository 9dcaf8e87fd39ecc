#!/usr/bin/env python3
"""Agreement with OmniDocBench 1.6 on pages, by the commands that users call.

Usage: pages_commands.py TEXGAUGE

Rows of `texgauge documents --protocol omnidocbench`, values of `texgauge eval --gt --pages`, the same
bytes on any number of threads. Exits with 77 (skipped) where the shared pages are absent.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = Path(os.environ.get("TEXGAUGE_SHARED", ROOT.parent / "shared")) / "pages"
SKIPPED = 77
LEAST = 0.995  # of the pages have the official rows


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def official(path):
    """Rows and means of every model: {model: {page: rows}}."""
    models = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        page = json.loads(line)
        models.setdefault(page["model"], {})[page["page"]] = page["rows"]
    return models


def is_same(row, theirs):
    # without an order the official row has 0, or an empty text
    return ([row["gt_idx"]] == theirs["gt_idx"] and (row["order"] or 0) == (theirs["gt_order"] or 0)
            and row["gt"] == theirs["gt"] and row["pred"] == theirs["pred"]
            and row["pred_type"] == theirs["pred_type"]
            and abs(row["match_edit"] - theirs["match_edit"]) < 1e-9
            and (row["norm_distance"], row["norm_length"]) == (theirs["num"], theirs["len"]))


def compare_rows(rows, pages, model):
    """How many pages have other rows than the official program gives."""
    made = {}
    for row in rows:
        if row["norm_length"] > 0:
            made.setdefault(row["page"], []).append(row)
    different = [page for page, theirs in pages.items()
                 if len(made.get(page, [])) != len(theirs)
                 or not all(map(is_same, made.get(page, []), theirs))]
    for page in different:
        print(f"{model}: {page}: other rows")
    return len(different)


def compare_means(summary, totals, model):
    """The model's means over pages, those of each attribute, and over all rows."""
    values = {row["subset"].removeprefix("page_attributes: "): row for row in summary}
    pooled = values["all"]["scores"]
    for key, value in totals["page_Edit_dist"].items():
        mine = values["all" if key == "ALL" else key]["scores"]["Edit_dist"]
        assert abs(mine - value) < 1e-9, (model, key, mine, value)
    assert abs(pooled["Edit_dist"] - totals["Edit_dist"]["ALL_page_avg"]) < 1e-9, model
    assert values["all"]["pairs"] - totals["rows"] in (0, 1), (model, totals["rows"])


def main():
    texgauge = sys.argv[1]
    if not PAGES.is_dir():
        print(f"skipped: {PAGES} is absent")
        return SKIPPED
    models = official(PAGES / "expected.jsonl")
    totals = json.loads((PAGES / "totals.json").read_text(encoding="utf-8"))
    truth = json.loads((PAGES / "gt.json").read_text(encoding="utf-8"))
    n_pages = n_different = 0
    with tempfile.TemporaryDirectory() as folder:
        for model, pages in models.items():
            # each model was given other pages of the truth
            gt = Path(folder) / f"{model}.json"
            gt.write_text(json.dumps([page for page in truth
                                      if page["page_info"]["image_path"] in pages]), encoding="utf-8")
            call = ["--gt", str(gt), f"{model}={PAGES / 'md' / model}"]
            made = {n: run(texgauge, "documents", "-q", "--protocol", "omnidocbench", "-t", n, *call)
                    for n in ("1", "2", "5")}
            assert len(set(made.values())) == 1, f"{model}: threads change the rows"
            rows = [json.loads(line) for line in made["1"].splitlines()]
            n_pages += len(pages)
            different = compare_rows(rows, pages, model)
            n_different += different
            call.insert(2, "--pages")
            summary = json.loads(run(texgauge, "eval", "-q", "-m", "omnidocbench", "--summary", "json",
                                     *call))["summary"]
            if different == 0:
                compare_means(summary, totals[model], model)
    print(f"pages: {n_pages - n_different} of {n_pages} have the official rows")
    return 0 if n_pages - n_different >= LEAST * n_pages else 1


if __name__ == "__main__":
    sys.exit(main())
