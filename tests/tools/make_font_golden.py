#!/usr/bin/env python3
"""Ask TeX for the metrics of the fonts of render/fonts/ams_metrics.tsv; writes tests/golden/fonts.tsv.

usage: make_font_golden.py        (from the top of the source)

In scaled points at 10 pt: \\fontcharwd and others of every character, its kern with character 127 (the
skew character of script and Euler fonts), \\fontdimen 1 to 25; the next larger character from tftopl.
Needs TeX Live with amsfonts, rsfs, stmaryrd; only developers run it.
"""
import pathlib
import re
import subprocess
import tempfile

SIZES = {"msam": "10 7 5", "msbm": "10 7 5", "eufm": "10 7 5", "eufb": "10 7 5", "rsfs": "10 7 5",
         "eurm": "10 7 5", "eurb": "10 7 5", "stmary": "10 8 6"}
TEX = r"""\newlinechar=10 \batchmode \newcount\C \newcount\N \newbox\B \hfuzz=\maxdimen
\def\of#1{\number#1\f\C\space}
\def\each{\ifnum\C<256 \iffontchar\f\C
    \setbox\B\hbox{\f\char\C \kern0sp}\N=\wd\B
    \setbox\B\hbox{\f\char\C\char127}\advance\N-\wd\B \advance\N\fontcharwd\f127
    \message{^^J@\name\space\number\C\space\of\fontcharwd\of\fontcharht\of\fontchardp
      \of\fontcharic\number-\N^^J}\fi
  \advance\C1 \expandafter\each\fi}
\def\dimens{\ifnum\C<26 \message{^^J@\name\space p\number\C\space\number\fontdimen\C\f^^J}%
  \advance\C1 \expandafter\dimens\fi}
\def\ask#1{\def\name{#1}\font\f=#1 at 10pt \C=0 \each \C=1 \dimens}
"""


def main():
    names = [family + size for family, sizes in SIZES.items() for size in sizes.split()]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "a.tex"
        path.write_text(TEX + "".join(f"\\ask{{{name}}}\n" for name in names) + "\\end\n")
        subprocess.run(["etex", path.name], cwd=folder, stdout=subprocess.DEVNULL, check=False)
        log = path.with_suffix(".log").read_text(encoding="latin-1")
    rows = ["font\tcode\twidth\theight\tdepth\titalic\tskew\tlarger"]
    larger = {}
    for name in names:
        larger[name] = {}
        file = subprocess.check_output(["kpsewhich", name + ".tfm"], text=True).strip()
        listing = subprocess.check_output(["tftopl", "-charcode-format=octal", file], text=True)
        for part in listing.split("(CHARACTER O ")[1:]:
            found = re.search(r"\(NEXTLARGER O (\d+)\)", part)
            if found:
                larger[name][int(part.split()[0], 8)] = int(found[1], 8)
    for name, what, numbers in re.findall(r"^@(\w+) (\w+) ([-\d ]+)$", log, re.MULTILINE):
        cells = numbers.split()
        if what[0] == "p":
            cells += ["0"] * 5
        else:
            cells.append(str(larger[name].get(int(what), 0)))
        rows.append("\t".join([name, what, *cells]))
    pathlib.Path("tests/golden/fonts.tsv").write_text("\n".join(rows) + "\n")


main()
