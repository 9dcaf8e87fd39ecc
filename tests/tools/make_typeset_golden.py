#!/usr/bin/env python3
"""Ask TeX for the dimensions of the formulas in tests/golden/typeset.tsv and write them there.

usage: make_typeset_golden.py tests/golden/typeset.tsv
       make_typeset_golden.py tests/golden/typeset_tables.tsv   (also needs mathtools, extarrows)
       make_typeset_golden.py tests/golden/typeset_chemistry.tsv   (also needs mhchem)
       make_typeset_golden.py tests/golden/typeset_packages.tsv   (also needs mathtools, braket, nicefrac)
       make_typeset_golden.py tests/golden/typeset_physics.tsv   (also needs physics)
       make_typeset_golden.py tests/golden/typeset_settings.tsv   (also needs slashed, cancel, graphicx ..)
       make_typeset_golden.py tests/golden/typeset_units.tsv   (also needs siunitx)

The last column of each row is the formula; the other three, width, height and depth in scaled points
of \\hbox{$\\displaystyle ..$}, are replaced. Needs pdflatex with amsmath, amssymb, upgreek, lmodern;
only developers run it. The fonts are Latin Modern with the extension font scaled to the size.
"""
import pathlib
import sys
import tempfile

import tex_positions

# Packages that the golden files need besides the fonts and amsmath.
PACKAGES = {
    "typeset_tables.tsv": tex_positions.MORE_PACKAGES,
    "typeset_chemistry.tsv": tex_positions.MORE_PACKAGES
    + r"\mhchemoptions{math-greek=default,text-greek=default}" + "\n",
    "typeset_packages.tsv": r"\usepackage{mathtools,braket,arydshln,multirow,nicefrac}" + "\n",
    "typeset_settings.tsv": r"\usepackage{mathtools,booktabs,slashed,amscd,cancel,graphicx,bm}" + "\n",
    "typeset_units.tsv": r"\usepackage{siunitx}" + "\n",
    "typeset_physics.tsv": r"\usepackage{physics}" + "\n",
}

OUTPUT = r"""\newbox\B \newwrite\W \immediate\openout\W=out.txt
\begin{document}
"""


def measure(formulas, packages=""):
    """Return (width, height, depth) in sp of each formula; TeX must not report an error."""
    with tempfile.TemporaryDirectory() as folder:
        body = "".join(
            "\\setbox\\B\\hbox{$\\displaystyle " + formula + "\n$}"
            "\\immediate\\write\\W{\\number\\wd\\B\\space\\number\\ht\\B\\space\\number\\dp\\B}\n"
            for formula in formulas
        )
        path = pathlib.Path(folder)
        source = tex_positions.PREAMBLE + packages + OUTPUT + body + "\\end{document}\n"
        errors = tex_positions.run_tex(path, source)
        if errors:
            sys.exit("TeX reports: " + "; ".join(errors[:5]))
        return [line.split() for line in (path / "out.txt").read_text().splitlines()]


def main():
    path = pathlib.Path(sys.argv[1])
    formulas = [line.split("\t")[-1] for line in path.read_text().splitlines()[1:]]
    packages = PACKAGES.get(path.name, "")
    rows = ["width\theight\tdepth\tformula"]
    for formula, dimensions in zip(formulas, measure(formulas, packages)):
        rows.append("\t".join([*dimensions, formula]))
    path.write_text("\n".join(rows) + "\n")


main()
