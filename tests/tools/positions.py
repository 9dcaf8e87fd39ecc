#!/usr/bin/env python3
"""Write where TeX puts the glyphs and rules of formulas, for the comparison with our drawings.

usage: positions.py golden
       positions.py sample OUT.tsv [--count 500] [--seed 1]

"golden" sets the formulas of tests/golden/typeset.tsv and constructs.tsv and writes tests/golden/positions.tsv, which a
unit test reads. "sample" sets that many formulas of the shared reference data (those that TeX sets
without an error, drawn at random, every set in proportion) for

    build/tests/conformity_positions OUT.tsv

Needs pdflatex with amsmath, amssymb, upgreek, lmodern, and pdftocairo; only developers run it. Exits
with 77 where they, or the shared data, are absent.
"""
import argparse
import csv
import json
import os
import pathlib
import random
import sys

import tex_positions

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("TEXGAUGE_SHARED", ROOT.parent / "shared"))
SKIPPED = 77


def table(rows, formulas, packages=""):
    """The lines of @rows, (set, id, formula) each; TeX sets @formulas."""
    for row, marks in zip(rows, tex_positions.positions(formulas, packages)):
        boxes = " ".join(",".join(str(round(100 * edge)) for edge in box) for box in marks)
        yield "\t".join([*row, boxes])


def write(path, lines):
    path.write_text("\n".join(["set\tid\tformula\tboxes", *lines]) + "\n")


def golden():
    text = (ROOT / "tests/golden/typeset.tsv").read_text()
    formulas = [line.split("\t")[-1] for line in text.splitlines()[1:]]
    rows = [("ours", str(i), formula) for i, formula in enumerate(formulas, 1)]
    lines = list(table(rows, formulas))

    constructs = [c for c in tex_positions.constructs() if c.tex is not None]
    rows = [(c.group, str(c.number), c.formula) for c in constructs]
    lines += table(rows, [c.tex for c in constructs], tex_positions.MORE_PACKAGES)
    write(ROOT / "tests/golden/positions.tsv", lines)


def strip_dollars(latex):
    for _ in range(2):
        if len(latex) >= 2 and latex[0] == latex[-1] == "$":
            latex = latex[1:-1]
    return latex


def crohme(year):
    entries = json.loads((SHARED / f"data/uni-mumer/crohme_{year}.3b.json").read_text())
    return {entry["img_id"]: entry["gt"] for entry in entries}


def sources():
    """{set: {id: formula}} of the shared reference data."""
    lines = (SHARED / "data/im2latex/test.formulas.norm.txt").read_text().split("\n")
    bench = json.loads((SHARED / "data/pdf-parse-bench/gt_formulas.json").read_text())
    with open(SHARED / "data/speech2latex/metrics_disjoint_eng.csv", newline="") as file:
        speech = [row["latex_true"] for row in csv.DictReader(file)]
    return {
        "im2latex-test": {str(i): line for i, line in enumerate(lines, 1)},
        **{f"crohme-{year}": crohme(year) for year in (2014, 2016, 2019)},
        "pdf-parse-bench": {str(i): strip_dollars(e["latex"]) for i, e in enumerate(bench)},
        "speech2latex": {str(i): latex for i, latex in enumerate(speech, 1)},
    }


def sample(path, count, seed):
    rows = []
    for name, formulas in sources().items():
        lines = (SHARED / f"typeset-reference/{name}.tsv").read_text().splitlines()
        for line in lines[1:]:
            cells = line.split("\t")
            if cells[7] == "":
                rows.append((name, cells[0], " ".join(formulas[cells[0]].split())))
    chosen = sorted(random.Random(seed).sample(range(len(rows)), count))
    rows = [rows[i] for i in chosen]
    write(path, table(rows, [formula for _, _, formula in rows]))


def main():
    parser = argparse.ArgumentParser()
    words = parser.add_subparsers(dest="word", required=True)
    words.add_parser("golden")
    of_sample = words.add_parser("sample")
    of_sample.add_argument("out", type=pathlib.Path)
    of_sample.add_argument("--count", type=int, default=500)
    of_sample.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if not tex_positions.available():
        print("skipped: pdflatex or pdftocairo is not installed")
        sys.exit(SKIPPED)
    if args.word == "golden":
        golden()
    elif not SHARED.is_dir():
        print("skipped: the shared reference data is not there (set TEXGAUGE_SHARED)")
        sys.exit(SKIPPED)
    else:
        sample(args.out, args.count, args.seed)


main()
