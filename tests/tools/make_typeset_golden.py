#!/usr/bin/env python3
"""Ask TeX for the dimensions of the formulas in tests/golden/typeset.tsv and write them there.

usage: make_typeset_golden.py tests/golden/typeset.tsv

The last column of each row is the formula; the other three, width, height and depth in scaled points
of \\hbox{$\\displaystyle ..$}, are replaced. Needs pdflatex with amsmath, amssymb, upgreek, lmodern;
only developers run it. The fonts are Latin Modern with the extension font scaled to the size.
"""
import pathlib
import subprocess
import sys
import tempfile

PREAMBLE = r"""\documentclass[12pt]{article}
\usepackage{lmodern}
\usepackage{amsmath,upgreek,amssymb,xcolor}
\DeclareFontFamily{OMX}{lmex}{}
\DeclareFontShape{OMX}{lmex}{m}{n}{<->lmex10}{}
\newbox\B \newwrite\W \immediate\openout\W=out.txt
\begin{document}
"""


def measure(formulas):
    """Return (width, height, depth) in sp of each formula; TeX must not report an error."""
    with tempfile.TemporaryDirectory() as folder:
        body = "".join(
            "\\setbox\\B\\hbox{$\\displaystyle " + formula + "\n$}"
            "\\immediate\\write\\W{\\number\\wd\\B\\space\\number\\ht\\B\\space\\number\\dp\\B}\n"
            for formula in formulas
        )
        path = pathlib.Path(folder)
        (path / "a.tex").write_text(PREAMBLE + body + "\\end{document}\n")
        subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", "a.tex"],
            cwd=folder, stdout=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        log = (path / "a.log").read_text(errors="replace")
        errors = [line for line in log.splitlines() if line.startswith("!")]
        if errors:
            sys.exit("TeX reports: " + "; ".join(errors[:5]))
        return [line.split() for line in (path / "out.txt").read_text().splitlines()]


def main():
    path = pathlib.Path(sys.argv[1])
    formulas = [line.split("\t")[-1] for line in path.read_text().splitlines()[1:]]
    rows = ["width\theight\tdepth\tformula"]
    for formula, dimensions in zip(formulas, measure(formulas)):
        rows.append("\t".join([*dimensions, formula]))
    path.write_text("\n".join(rows) + "\n")


main()
