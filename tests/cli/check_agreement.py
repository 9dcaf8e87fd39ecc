#!/usr/bin/env python3
"""Asks eval, compare and report for the same numbers of the bundled samples: they must be equal.

Usage: check_agreement.py TEXGAUGE

Values, intervals and the order of subsets; verdicts of compare, and the report's headline and marks.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

METRICS = "bleu,edit,exprate"
DIGITS = 4


def tables(markdown):
    """The tables of a Markdown text, each a list of rows."""
    for block in re.findall(r"(?:^\|.*\n)+", markdown, re.MULTILINE):
        lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in block.splitlines()]
        yield [[cell.strip() for cell in line] for line in lines if not set("".join(line)) <= set("-: ")]


def number(cell):
    return float(cell.replace("*", "").replace("=", "").replace("\\", ""))


def main(program, folder):
    def run(*words):
        command = [program, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder).stdout

    samples = Path(os.environ["TEXGAUGE_DATADIR"]) / "samples"
    sources = []
    for model in ("aster", "birch"):
        for part in ("sce", "hwe"):
            truths = (samples / f"unimer_truth_{part}.txt").read_text().splitlines()
            predictions = (samples / f"unimer_{model}_{part}.txt").read_text().splitlines()
            sources += [
                {"model": model, "subset": part, "id": f"{part}{i}", "gt": gt, "pred": pred}
                for i, (gt, pred) in enumerate(zip(truths, predictions))
            ]
    (folder / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in sources))
    run("eval", "-q", "-m", METRICS, "pairs.jsonl", "-o", "r.jsonl")

    summary = json.loads(run("eval", "-q", "--confidence", "--summary=json", "r.jsonl"))["summary"]
    compared = json.loads(run("compare", "-q", "--summary=json", "r.jsonl"))["comparisons"]
    run("report", "-q", "r.jsonl", "-o", "r.md")
    markdown = (folder / "r.md").read_text()
    head, *rows = next(table for table in tables(markdown) if table[0][0] == "subset")

    # values and intervals
    shown = {(row[0], row[1]): dict(zip(head, row)) | {"cells": row} for row in rows}
    n_checked = 0
    for row in summary:
        for metric in METRICS.split(","):
            cells = shown[row["subset"], row["model"]]["cells"]
            at = [name.split()[0] for name in head].index(metric)
            low, high = row["intervals"][metric]
            wanted = [row["scores"][metric], (high - low) / 2]
            got = [number(cells[at]), None if cells[at + 1] == "-" else number(cells[at + 1])]
            if row["subset"] == "mean of subsets":  # the report has no interval of it
                wanted, got = wanted[:1], got[:1]
            if any(abs(a - b) > 0.51 * 10**-DIGITS for a, b in zip(wanted, got)):
                sys.exit(f"{row['model']}, {row['subset']}, {metric}: eval {wanted}, report {got}")
            n_checked += 1
    # the order of subsets
    orders = [
        list(dict.fromkeys(row["subset"] for row in summary)),
        list(dict.fromkeys(row[0] for row in rows)),
        [*dict.fromkeys(row["subset"] for row in compared), "mean of subsets"],
    ]
    if any(order != orders[0] for order in orders):
        sys.exit(f"orders of subsets differ: {orders}")
    # verdicts
    for row in compared:
        better = {"better": "birch", "worse": "aster"}.get(row["verdict"])
        at = [name.split()[0] for name in head].index(row["metric"])
        marks = {model: shown[row["subset"], model]["cells"][at] for model in ("aster", "birch")}
        tie = any("=" in cell for cell in marks.values()) or all("**" in cell for cell in marks.values())
        if tie != (better is None) or (better is not None and "**" not in marks[better]):
            sys.exit(f"{row['metric']}, {row['subset']}: compare {row['verdict']}, report {marks}")
        low, high = row["bootstrap"]["t"]
        if better is not None and low <= 0 <= high:
            sys.exit(f"{row['metric']}, {row['subset']}: {row['verdict']}, but {low} to {high}")
        n_checked += 1
    print(f"{n_checked} values, intervals and verdicts agree")


with tempfile.TemporaryDirectory() as name:
    main(Path(sys.argv[1]).resolve(), Path(name))
