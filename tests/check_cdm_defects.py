#!/usr/bin/env python3
"""Checks the table of CDM's defects in docs/reference/cdm-defects.md against the program.

Usage: check_cdm_defects.py SOURCE_ROOT TEXGAUGE [--write]

A row is a defect, reference, prediction, and three F1: of the official program as its specification
records it, of `cdm`, and of `cdm-strict`. The last two are computed; --write puts them into the
table. `x`×80 `y` stands for eighty times x and then y.
"""

import json
import pathlib
import re
import subprocess
import sys

METRICS = ["cdm", "cdm-strict"]
BEGIN, END = "<!-- defects -->\n", "<!-- end of defects -->\n"
REPEATED = re.compile(r"`([^`]+)`×(\d+) `([^`]+)`")


def read_formula(cell):
    match = REPEATED.fullmatch(cell)
    if match:
        return match[1] * int(match[2]) + match[3]
    return cell.strip("`")


def read_rows(table):
    for line in table.splitlines()[2:]:
        yield [cell.strip() for cell in line.strip("|").split(" | ")]


def score(texgauge, rows):
    """Both metrics' F1 of every row, as the table shows them."""
    pairs = [
        {"id": str(i), "gt": read_formula(row[1]), "pred": read_formula(row[2])}
        for i, row in enumerate(rows)
    ]
    command = [texgauge, "eval", "-q", "-t", "1", "--delimiters", "keep", "-o", "-"]
    lines = subprocess.run(
        [*command, "--metrics", ",".join(METRICS), "-"],
        input="".join(json.dumps(pair) + "\n" for pair in pairs),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    results = [json.loads(line) for line in lines if line.startswith("{")]
    for result in (r for r in results if "scores" in r):
        values = [result["scores"].get(name) for name in METRICS]
        yield ["undefined" if value is None else f"{value:.3f}" for value in values]


def main():
    root, texgauge = pathlib.Path(sys.argv[1]), sys.argv[2]
    page = root / "docs/reference/cdm-defects.md"
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    table, after = rest.split(END)
    rows = list(read_rows(table))
    scores = list(score(texgauge, rows))
    if len(scores) != len(rows):
        sys.exit(f"{len(rows)} rows, {len(scores)} scores")

    if sys.argv[3:] == ["--write"]:
        lines = table.splitlines()[:2]
        lines += ["| " + " | ".join(row[:4] + new) + " |" for row, new in zip(rows, scores)]
        page.write_text(before + BEGIN + "\n".join(lines) + "\n" + END + after, encoding="utf-8")
        return
    wrong = 0
    for row, new in zip(rows, scores):
        if row[4:6] != new:
            print(f"{page.name}: {row[0]} {row[1]} {row[2]}: {row[4:6]} in the table, now {new}")
            wrong += 1
    print(f"{len(rows)} pairs, {wrong} of them differ")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
