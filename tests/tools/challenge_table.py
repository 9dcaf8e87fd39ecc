#!/usr/bin/env python3
"""Holds metrics to the pairs of datasets/challenge.tsv, and prints the table of docs/which-metric.md.

Usage: challenge_table.py TEXGAUGE [METRICS]

`= 1` is as high as the reference against itself. Order: of two predictions for one reference, how often the
milder error scores higher; a tie is half. A pair that the metric cannot score counts as worst.
"""

import csv
import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

PAIRS = Path(__file__).resolve().parents[2] / "datasets" / "challenge.tsv"
METRICS = "forte,cdm,cdm-strict,edit,cer,bleu,chrf,texbleu,exprate,exprate:normalize=canonical"
KINDS = ["same", "visible", "moved", "broken"]


def score(program, metrics, pairs):
    """For each metric its first column's scores of all pairs, so that higher is better."""
    with tempfile.TemporaryDirectory() as folder:
        data, results = Path(folder) / "pairs.jsonl", Path(folder) / "results.jsonl"
        data.write_text("".join(json.dumps({"gt": gt, "pred": pred}) + "\n" for gt, pred in pairs))
        subprocess.run([program, "eval", "-q", "--undefined=skip", "-m", metrics, "-o", results, data],
                       check=True, stdout=subprocess.DEVNULL)
        header, *rows, _ = map(json.loads, results.read_text().splitlines())
    for metric in header["metrics"]:
        name, column = metric["label"], metric["columns"][0]
        sign = -1 if column["better"] == "lower" else 1
        values = [row["scores"].get(name) for row in rows]
        yield name, [float("-inf") if value is None else sign * value for value in values]


def main():
    program, metrics = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else METRICS
    with PAIRS.open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    pairs = [(row["gt"], row["pred"]) for row in rows] + [(row["gt"], row["gt"]) for row in rows]
    groups = {}
    for number, row in enumerate(rows):
        groups.setdefault(row["gt"], []).append((int(row["severity"]), number))
    print("| metric | same = 1 | visible < 1 | moved < 1 | broken < 1 | order |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, values in score(program, metrics, pairs):
        best = values[len(rows):]
        shares = []
        for kind in KINDS:
            right = [(values[i] >= best[i] - 1e-9) == (kind == "same")
                     for i, row in enumerate(rows) if row["kind"] == kind]
            shares.append(sum(right) / len(right))
        order = []
        for group in groups.values():
            for (mild, i), (severe, k) in itertools.combinations(sorted(group), 2):
                if mild != severe:
                    tie = values[i] == values[k] or abs(values[i] - values[k]) <= 1e-12
                    order.append(0.5 if tie else float(values[i] > values[k]))
        shares.append(sum(order) / len(order))
        print(f"| {name} | " + " | ".join(f"{share:.3f}" for share in shares) + " |")


if __name__ == "__main__":
    main()
