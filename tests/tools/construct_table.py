#!/usr/bin/env python3
"""The box of constructs beside pdflatex's: the table in docs/background/measurements.md.

usage: construct_table.py TEXGAUGE [FILE]   (default: construct_table.tsv)

A row of FILE is a group, a formula and, when TeX needs another spelling, that. Writes a row of
Markdown for each: formula, our width, height and depth in pt, by how much the worst of them differs
from TeX's, or that TeX and --strict refuse it, or that only one of them does. Behind it the sums of
each group. Needs pdflatex with the packages of PACKAGES (Debian: texlive-latex-extra,
texlive-science, texlive-fonts-extra).
"""
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import tex_positions

PACKAGES = r"""\usepackage{textcomp,nicefrac,xfrac}
\usepackage{hyperref}
"""
# Packages for one group alone, because they redefine commands that other groups use.
GROUP_PACKAGES = {
    "shapes": r"\usepackage{yhmath}",
    "physics": r"\usepackage{physics}",
    "integrals": r"\usepackage{esint}",
    "slashed": r"\usepackage{slashed}",
    "booktabs": r"\usepackage{booktabs}",
    "columns": r"\usepackage{multirow}",
}
START = r"\newbox\B \newwrite\W"
NEAR_PT = 0.1
SP = 65536


def read_rows(path):
    for line in path.read_text().splitlines()[1:]:
        group, formula, tex = (line + "\t\t").split("\t")[:3]
        yield group, formula, tex or formula


class Tex:
    """pdflatex with the packages of a group loaded once, as a format."""

    def __init__(self, folder, group):
        self.folder = folder
        packages = PACKAGES + GROUP_PACKAGES.get(group, "")
        head = tex_positions.PREAMBLE + tex_positions.MORE_PACKAGES + packages
        self.run("-ini", "&pdflatex", head + START + "\\dump\n")
        (folder / "a.fmt").rename(folder / "group.fmt")

    def run(self, *arguments):
        *options, source = arguments
        (self.folder / "a.tex").write_text(source)
        subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", *options, "a.tex"],
            cwd=self.folder, stdout=subprocess.DEVNULL, check=False,
        )  # fmt: skip

    def boxes(self, formulas):
        """Width, height and depth in sp of each formula, or TeX's first complaint about it. What
        TeX makes of a fault would reach into those behind it: they are set in a run of their own."""
        results = []
        while len(results) < len(formulas):
            boxes, fault = self.run_until_fault(formulas[len(results) :])
            results += boxes
            if len(results) < len(formulas):
                results.append(fault)
        return results

    def run_until_fault(self, formulas):
        """The boxes of the formulas before the first that TeX refuses, and why it does."""
        body = "".join(
            f"\\setbox\\B\\hbox{{$\\displaystyle {formula}\n$}}"
            "\\immediate\\write\\W{\\number\\wd\\B\\space\\number\\ht\\B\\space\\number\\dp\\B}\n"
            for formula in formulas
        )
        begin = "\\immediate\\openout\\W=out.txt\n\\begin{document}\n"
        self.run("-fmt=group", begin + body + "\\end{document}\n")
        log = (self.folder / "a.log").read_text(errors="replace")
        fault = re.search(r"^! (.*)", log, re.MULTILINE)
        lines = (self.folder / "out.txt").read_text().splitlines()
        return [tuple(map(int, line.split())) for line in lines], fault[1] if fault else "no box"


def of_tex(rows):
    """Tex.boxes() of all rows, group by group."""
    results = []
    for group, of_group in itertools.groupby(rows, key=lambda row: row[0]):
        with tempfile.TemporaryDirectory() as name:
            results += Tex(pathlib.Path(name), group).boxes([tex for _, _, tex in of_group])
    return results


def ours(texgauge, formulas):
    """The same of texgauge render --strict."""
    results = []
    for formula in formulas:
        run = subprocess.run(
            [texgauge, "render", "--strict", "--boxes", "-", "--", formula],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if run.returncode == 0:
            box = json.loads(run.stdout)["sp"]
            results.append(tuple(box[side] for side in ("width", "height", "depth")))
        else:
            results.append(run.stderr.strip().splitlines()[-1])
    return results


def compare(box, wanted):
    """What the last cell of a row says, and whether that is as wanted."""
    refused, tex_refused = isinstance(box, str), isinstance(wanted, str)
    if refused and tex_refused:
        return "refused by both", True
    if refused or tex_refused:
        return f"only we refuse: {box}" if refused else f"TeX: {wanted}", False
    worst = max(abs(a - b) for a, b in zip(box, wanted)) / SP
    return f"{worst:.2f}", worst <= NEAR_PT


def main():
    here = pathlib.Path(__file__)
    path = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else here.with_suffix(".tsv")
    rows = list(read_rows(path))
    boxes = ours(sys.argv[1], [formula for _, formula, _ in rows])
    wanted = of_tex(rows)
    sums = {}
    for (group, formula, _), box, tex in zip(rows, boxes, wanted):
        verdict, near = compare(box, tex)
        size = "-" if isinstance(box, str) else " ".join(f"{side / SP:.2f}" for side in box)
        print(f"| {group} | `{formula}` | {size} | {verdict} |")
        count = sums.setdefault(group, [0, 0])
        count[0] += near
        count[1] += 1
    for group, (near, n) in sums.items():
        print(f"{group}: {near} of {n} within {NEAR_PT} pt or refused by both", file=sys.stderr)


if __name__ == "__main__":
    main()
