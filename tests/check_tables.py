#!/usr/bin/env python3
"""Checks that the programs which turn tables into C refuse wrong rows and name file and line, and that
tables that come whole from elsewhere stand as they came (golden/tables.sha256); and that each type of event
of FORTE has a text of its own.

Usage: check_tables.py SOURCE_ROOT
"""

import hashlib
import pathlib
import subprocess
import sys
import tempfile

GOOD = "\\geq\tU+2265\tchar\trel\tsymbols:15\n"
# Rows of symbols.tsv after a good row, and the message about the last of them.
SYMBOLS = (
    ("\\geq\tU+2265\tchar\trel\tsymbols:15\n", "twice"),
    ("\\ge\t-\talias\t-\t-\t-\t-\t\\gee\n", "has no row"),
    ("\\ge\t-\talias\trel\t-\t-\t-\t\\geq\n", "nothing else"),
    ("\\x\tU+2264\tchar\trelation\tsymbols:14\n", "unknown class"),
    ("\\x\tU+2264\tchars\trel\tsymbols:14\n", "unknown kind"),
    ("\\x\tU+2264\tchar\trel\tsymbol:14\n", "unknown font"),
    ("\\x\tU+2264\tchar\trel\tsymbols:1\n", "no slot"),
    ("\\x\t2264\tchar\trel\tsymbols:14\n", "no character"),
    ("\\x\tU+2264\tchar\trel\tsymbols:14\t-\tbold\n", "unknown flag"),
    ("\\x\tU+2264\tchar\trel\n", "needs a slot"),
    ("\\x\tU+2264\tcomposite\trel\n", "body"),
    ("\\x\tU+2265\tchar\trel\tsymbols:14\n", "not-typed"),
    ("\\x\tU+2264\tcomposite\trel\t-\t-\t-\t-\t<\\geq>\n", "has no body"),
    ("xy\tU+2264\tchar\trel\tsymbols:14\n", "neither a command"),
)
CHARACTERS = (
    ("U+2265\t\\geq\tgreater\n", "meaning already"),
    ("U+0041\tB\tA\n", "ASCII"),
    ("U+00B2\t^{2}\n", "three fields"),
)
METRICS = (
    ("f\t00\t1\n", "before its characters"),
    ("f\tparams\t0\nf\t00\t1\nf\t00\t1\n", "twice"),
    ("f\tparams\t0\nf\t00\t1\t2\t3\t4\t5\t6\t7\n", "six numbers"),
)
COLORS = (("red\tFF0000\t-\n" * 2, "new name"), ("red\tF00\t-\n", "RRGGBB"))
COMMANDS = (
    ("\\x\tlatex\tmacro\t-\t-\t-\ty\n" * 2, "twice"),
    ("\\x\tlatex\tmacro\t-\t-\ty\n", "7 fields"),
    ("\\x\tTeX\tmacro\t-\t-\t-\ty\n", "is no package"),
    ("\\x\tlatex\tfrac\tbig\t-\tmath\t-\n", "no value"),
    ("\\x\tlatex\tfrac\t-\t-\tboth\t-\n", "unknown flag"),
    ("x\tlatex\tfrac\t-\t-\tmath\t-\n", "no command"),
)
ENVIRONMENTS = (
    ("x\tarray\tall\t-\t-\t-\t-\n", "unknown argument"),
    ("x y\tarray\t-\t-\t-\t-\t-\n", "no environment"),
)
DESIGNS = (
    ("ROMAN\t-\tlmr10\nROMAN\t-\tlmr12\n", "twice"),
    ("ROMAN\t10pt\tlmr10\n", "is not"),
    ("ROMAN\tlmr10\n", "3 fields"),
)
SLOTS = (("text\tU+A1\t3C\n", "is not"), ("math\tU+00A1\t3C\n", "is not"))
ROWS = (("a:text\tb\nx\t1\t2\n", "at most 2 cells"), ("a:text\tb\nx\t\n", "none empty"))
SYNONYMS = (("\\a\tb\n\\a\tc\n", "twice"), ("\\a\n", "fields"))


def refused(program, texts, broken, message):
    """Whether @program stops at the last line of the file number @broken of @texts with @message."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, text in enumerate(texts):
            paths.append(pathlib.Path(folder) / f"{i}.tsv")
            paths[-1].write_text(text)
        run = subprocess.run([sys.executable, program, f"{folder}/out.c", *paths],
                             capture_output=True, text=True, check=False)
        place = f"{paths[broken]}:{texts[broken].count(chr(10))}: "
        return run.returncode != 0 and run.stderr.startswith(place) and message in run.stderr


def main():
    root = pathlib.Path(sys.argv[1])
    symbols = root / "tokenizer/symbols/symbol_tables.py"
    cases = [(symbols, (GOOD + row, "", ""), 0, message) for row, message in SYMBOLS]
    cases += [(symbols, (GOOD, row, ""), 1, message) for row, message in CHARACTERS]
    cases += [(symbols, (GOOD, "", rows), 2, message) for rows, message in COLORS]
    commands = root / "tokenizer/macros/command_tables.py"
    cases += [(commands, (rows, "", ""), 0, message) for rows, message in COMMANDS]
    cases += [(commands, ("", row, ""), 1, message) for row, message in ENVIRONMENTS]
    cases += [(root / "render/fonts/ams_tables.py", (rows,), 0, message)
              for rows, message in METRICS]
    fonts = root / "render/fonts/font_tables.py"
    cases += [(fonts, (rows, ""), 0, message) for rows, message in DESIGNS]
    cases += [(fonts, ("", row), 1, message) for row, message in SLOTS]
    cases += [(root / "metrics/cdm/draw/equivalence.py", (rows,), 0, message)
              for rows, message in SYNONYMS]
    cases += [(root / "core/rows.py", (rows,), 0, message) for rows, message in ROWS]
    wrong = [case for case in cases if not refused(*case)]
    for case in wrong:
        print(f"{case[0].name}: {case[1][case[2]]!r} is not refused with '{case[3]}'")
    print(f"tables: {len(cases) - len(wrong)} of {len(cases)} wrong rows are refused")
    for line in (root / "tests/golden/tables.sha256").read_text().splitlines():
        digest, name = line.split()
        if hashlib.sha256((root / name).read_bytes()).hexdigest() != digest:
            wrong.append(name)
            print(f"tables: {name} is not as it came")
    prices = (root / "datasets/forte-prices.tsv").read_text().splitlines()
    texts = [line.split("\t")[5] for line in prices if line.startswith("type\t")]
    if len(set(texts)) < len(texts):
        wrong.append(texts)
        print("tables: two types of events of forte-prices.tsv have one text")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
