#!/usr/bin/env python3
"""Ask TeX for metrics and designs of fonts; writes tests/golden/fonts.tsv and font_designs.tsv.

usage: make_font_golden.py        (from the top of the source)

fonts.tsv has the fonts of render/fonts/ams_metrics.tsv: in scaled points at 10 pt: \\fontcharwd and others of every character, its kern with character 127 (the
skew character of script and Euler fonts), \\fontdimen 1 to 25; the next larger character from tftopl.
font_designs.tsv has the font that LaTeX loads for each of ours at 4.75 pt, 5.25 pt and so on.

Needs TeX Live with lmodern, amsfonts, rsfs, stmaryrd, upgreek; only developers run it.
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

# In the order of TgFontId: encoding, family, series, shape.
DESIGNS = """OT1 lmr m n|OT1 lmr m it|OT1 lmr m sl|OT1 lmr m sc|OT1 lmr bx n|OT1 lmr bx it|OT1 lmr bx sl
OT1 lmss m n|OT1 lmss m sl|OT1 lmss bx n|OT1 lmss bx sl|OT1 lmtt m n|OT1 lmtt m it|OT1 lmtt m sl
OT1 lmtt b n|OML lmm m it|OML lmm b it|OMS lmsy m n|OMS lmsy b n|OMX lmex m n|U msa m n|U msb m n
U euf m n|U euf b n|U rsfs m n|U eur m n|U eur b n|U stmry m n|TS1 lmr m n"""
LATEX = r"""\documentclass{article}
\usepackage{lmodern,amssymb,mathrsfs,upgreek,stmaryrd,textcomp} \batchmode
\begin{document} \newlinechar=10 \newdimen\D
\def\each#1#2{\D=4.75pt \loop\ifdim\D<26pt {\fontsize\D\D\usefont#2\selectfont
  \message{^^J@#1 \number\D\space\fontname\font^^J}}\advance\D.5pt \repeat}
"""


def write_designs():
    fonts = DESIGNS.replace("\n", "|").split("|")
    body = "".join(f"\\each{{{i}}}{{{''.join('{' + part + '}' for part in font.split())}}}\n"
                   for i, font in enumerate(fonts))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "a.tex"
        path.write_text(LATEX + body + "\\end{document}\n")
        subprocess.run(["latex", path.name], cwd=folder, stdout=subprocess.DEVNULL, check=False)
        log = path.with_suffix(".log").read_text(encoding="latin-1")
    rows = re.findall(r"^@(\d+) (\d+) ([\w-]+)", log, re.MULTILINE)
    pathlib.Path("tests/golden/font_designs.tsv").write_text(
        "font\tsize\tname\n" + "".join("\t".join(row) + "\n" for row in rows))


def main():
    write_designs()
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
