#!/usr/bin/env python3
"""Write the formulas of tests/golden/typeset_tables.tsv: every row of the tables of spaces between
atoms, arrows, environments, lengths and sizes shows in at least one of them.

usage: make_table_formulas.py > tests/golden/typeset_tables.tsv
       make_typeset_golden.py tests/golden/typeset_tables.tsv

The second command asks TeX for their dimensions.
"""
CLASSES = ("x", r"\sum\nolimits", "+", "=", "(", ")", ",", r"\mathinner{x}")
# Lengths are natural: glue does not stretch here.
LENGTHS = r"\arraycolsep \fboxrule \fboxsep \jot \nulldelimiterspace \parindent \scriptspace \tabcolsep"
ARROWS = ("xleftarrow", "xrightarrow", "xleftrightarrow", "xLeftarrow", "xRightarrow",
          "xLeftrightarrow", "xhookleftarrow", "xhookrightarrow", "xmapsto")
OVER = ("overline", "underline", "overbrace", "underbrace", "overrightarrow", "overleftarrow",
        "overleftrightarrow", "underrightarrow", "underleftarrow", "underleftrightarrow", "widehat",
        "widetilde", "sqrt")
CELLS = r"a&\frac{1}{b}\\ c+d&e"
MATRICES = ("matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "cases", "dcases",
            "rcases", "drcases", "smallmatrix", "psmallmatrix", "bsmallmatrix", "Bsmallmatrix",
            "vsmallmatrix", "Vsmallmatrix", "aligned")
SIZES = ("tiny", "scriptsize", "footnotesize", "small", "normalsize", "large", "Large", "LARGE",
         "huge", "Huge")
DELIMITERS = r"( ) [ ] \{ \} | \| / \backslash < > \langle \rangle \lfloor \rfloor \lceil \rceil" \
    r" \uparrow \downarrow \updownarrow \Uparrow \Downarrow \Updownarrow \lgroup \rgroup" \
    r" \lmoustache \rmoustache \bracevert \arrowvert \Arrowvert \ulcorner \urcorner \llcorner" \
    r" \lrcorner"
SPACES = r"\, \: \; \! \> ~ \quad \qquad \enspace \thinspace \medspace \thickspace \negthinspace" \
    r" \negmedspace \negthickspace"
ACCENTS = r"""\` \' \^ \~ \= \. \" \u \v \H \r \c \d \b"""


def formulas():
    for one in CLASSES:
        for other in CLASSES:
            yield f"x{one} {other} x"
            yield f"y^{{x{one} {other} x}}"
    for arrow in ARROWS:
        yield f"a\\{arrow}{{b+c}}d"
        yield f"a\\{arrow}[fgh]{{b}}d"
    for command in OVER:
        yield f"\\{command}{{x}}+\\{command}{{x+y+z}}"
    for name in MATRICES:
        yield f"x\\begin{{{name}}}{CELLS}\\end{{{name}}}y"
    for name in ("matrix*", "pmatrix*", "bmatrix*", "Bmatrix*", "vmatrix*", "Vmatrix*"):
        yield f"x\\begin{{{name}}}[r]{CELLS}\\end{{{name}}}y"
    yield r"x\begin{array}{r|c}" + CELLS + r"\end{array}y"
    yield r"x\begin{alignedat}{2}" + CELLS + r"\end{alignedat}y"
    yield r"x\begin{gathered}a\\ b+\frac{1}{c}\end{gathered}y"
    yield r"\sum_{\begin{subarray}{l}a\\ b+c\end{subarray}}x"
    yield r"\sum_{\substack{a\\ b+c}}x"
    for length in LENGTHS.split():
        yield f"x\\kern{length} y"
    for length in (r"\thinmuskip", r"\medmuskip", r"\thickmuskip"):
        yield f"x\\mskip{length} y"
    for unit in ("pt", "pc", "in", "bp", "cm", "mm", "dd", "cc", "ex", "em"):
        yield f"x\\kern1{unit} y"
    yield r"x\mkern7mu y"
    for size in SIZES:
        yield f"x\\text{{\\{size} a$b^{{c^d}}$}}"
    for delimiter in DELIMITERS.split():
        for inside in ("x", r"\frac{a}{b}", r"\begin{matrix}a\\b\\c\\d\\e\end{matrix}"):
            yield f"\\left{delimiter} {inside}\\right."
    for size in ("big", "Big", "bigg", "Bigg", "bigl", "Bigm", "biggr", "Biggl"):
        yield f"x\\{size}( y\\{size}\\uparrow z"
    for space in SPACES.split():
        yield f"x{space} y"
    for accent in ACCENTS.split():
        yield f"\\text{{{accent}{{o}}}}"


def main():
    print("width\theight\tdepth\tformula")
    for formula in dict.fromkeys(formulas()):
        print(f"0\t0\t0\t{formula}")


main()
