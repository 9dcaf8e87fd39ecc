#!/usr/bin/env python3
"""Ask TeX what the symbols of tokenizer/symbols/symbols.tsv are; writes tests/golden/symbols.tsv.

usage: make_symbol_golden.py        (from the top of the source)

From \\showlists: class, font and slot of a symbol, its delimiter codes after \\left, whether it changes
in \\mathbf, whether its scripts stay at the side; from an \\hbox the dimensions of `x\\symbol x`. Bodies
of composites and canonical symbols are written only where TeX makes the same box of both; everything
else is a fault that is reported. Code points come from the unicode-math package and, where that has
none, from names of Unicode characters in symbol_names.tsv.

Also writes tests/golden/synonyms.tsv, the groups of datasets/synonyms/latex.txt in which TeX makes the
same lists of all members, and tests/golden/colors.tsv, the base colors of xcolor.

Needs latex with lmodern, amsmath, amssymb, upgreek, stmaryrd and unicode-math (Debian:
texlive-latex-extra, texlive-science); only developers run it.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata

sys.path.insert(0, "tokenizer/symbols")
import tables  # noqa: E402

PREAMBLE = r"""\documentclass[12pt]{article}
\usepackage{lmodern}
%s
\DeclareFontFamily{OMX}{lmex}{}
\DeclareFontShape{OMX}{lmex}{m}{n}{<->lmex10}{}
\newlinechar=-1 %% ^^J is a slot like others
\def\tell#1{{\newlinechar=10 \message{#1}}}
\showboxbreadth=1000 \showboxdepth=100 \batchmode \newbox\B
\def\families#1{\ifnum#1<16 \tell{^^J@@family #1 \fontname\textfont#1^^J}%%
  \expandafter\families\expandafter{\number\numexpr#1+1}\fi}
\def\ask#1#2{\tell{^^J@@list #1^^J}{\setbox\B\hbox{$#2\showlists$}}\noindent\par}
\def\measure#1#2{\setbox\B\hbox{$\displaystyle #2$}%%
  \tell{^^J@@box #1 \number\wd\B\space\number\ht\B\space\number\dp\B^^J}}
\begin{document}
\setbox\B\hbox{$x$}\families0
\makeatletter
"""

# Symbols that have names of the table's own. The first is a slot of the text font, which no command of
# TeX has: it is part of \pounds.
INTERNAL = {
    r"\poundslot": r"\mathchar28863 ",
    r"\dabar": r"\dabar@",
    r"\dashheadleft": r"\mathchar\numexpr\symAMSa*256+76\relax",
    r"\dashheadright": r"\mathchar\numexpr\symAMSa*256+75\relax",
    r"\surdop": r"\mathchar4720 ",
}
UNASKED = {r"\poundslot"}
# amsmath sets these by rules of its own, to which the bodies of the table only come near; no dimensions.
APPROXIMATE = {r"\varinjlim", r"\varprojlim", r"\varliminf"}

FONTS = {"rm-lmr": "roman", "lmmi": "letters", "lmsy": "symbols", "lmex": "large", "msam": "ams-a",
         "msbm": "ams-b", "eurm": "euler", "stmary": "stmary"}
CLASSES = {"mathord": "ord", "mathop": "op", "mathbin": "bin", "mathrel": "rel",
           "mathopen": "open", "mathclose": "close", "mathpunct": "punct", "mathinner": "inner"}
PACKAGES = (("latex", ""), ("amsmath", r"\usepackage{amsmath}"),
            ("amssymb", r"\usepackage{amsmath,amssymb}"),
            ("upgreek", r"\usepackage{amsmath,amssymb,upgreek}"),
            ("stmaryrd", r"\usepackage{amsmath,amssymb,upgreek,stmaryrd}"))


def run(packages, body):
    """The log of a document, as {kind: {key: lines}}."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "a.tex"
        path.write_text(PREAMBLE % packages + body + "\\end{document}\n")
        subprocess.run(["latex", "-translate-file=empty.tcx", path.name], cwd=folder, stdout=subprocess.DEVNULL, check=False,
                       env={**os.environ, "max_print_line": "100000"})
        log = path.with_suffix(".log").read_text(encoding="latin-1")
    found = {"family": {}, "list": {}, "box": {}}
    lines = None
    for line in log.split("\n"):
        start = re.match(r"@@(family|list|box) (\S+) ?(.*)", line)
        if start:
            lines = [start[3]] if start[3] else []
            found[start[1]][start[2]] = lines
        elif line.startswith("### math mode"):
            lines.clear()
        elif line.startswith(("### ", "! ")):
            lines = []
        elif lines is not None:
            lines.append(line)
    return found


def code_of(text):
    """The code of a character as TeX prints it."""
    if not text.startswith("^^"):
        return ord(text[0])
    return int(text[2:], 16) if len(text) == 4 else ord(text[2]) ^ 64


class Answers:
    """What one set of packages says."""

    def __init__(self, packages, symbols):
        self.symbols = symbols
        body = []
        for i, symbol in enumerate(symbols):
            tex = INTERNAL.get(symbol.symbol, symbol.symbol)
            base = "{x}" if symbol.kind == "accent" else ""
            body.append(f"\\ask{{{i}}}{{{tex}{base}}}")
            body.append(f"\\ask{{{i}:bold}}{{\\mathbf{{{tex}{base}}}}}")
            if symbol.kind == "char":
                body.append(f"\\ask{{{i}:left}}{{\\left{tex} x\\right.}}")
            for name, text in self.formulas(symbol).items():
                body.append(f"\\measure{{{i}:{name}}}{{{text}}}")
        found = run(packages, "\n".join(body) + "\n")
        self.lists, self.boxes = found["list"], found["box"]
        self.family = {}
        for number, name in found["family"].items():
            for prefix, font in FONTS.items():
                if name and name[0].startswith(prefix):
                    self.family.setdefault(int(number), font)

    @staticmethod
    def formulas(symbol):
        """The formulas to measure, by what they are for."""
        tex = INTERNAL.get(symbol.symbol, symbol.symbol)
        if symbol.kind == "accent":
            return {"plain": tex + "{x}", "long": tex + "{xxxx}"}
        out = {"plain": f"x{tex} x"}
        if symbol.kind == "composite":
            for name, inside in (("plain", "x%s x"), ("script", "x^{x%s x}_{%s y}")):
                out[name] = inside.replace("%s", tex)
                body = re.sub(r"\\[A-Za-z]+", lambda m: INTERNAL.get(m[0], m[0]), symbol.body)
                out[name + "-body"] = inside.replace("%s", body)
        if symbol.canonical:
            out["canonical"] = f"x{symbol.canonical} x"
        return out

    def slot(self, text):
        number, char = re.fullmatch(r"\.*(?:\\accent)?\\fam(\d+) (.*)", text).groups()
        return self.family.get(int(number), number), code_of(char)

    def delimiter(self, i):
        for line in self.lists.get(f"{i}:left", []):
            code = re.match(r'\.\\left"([0-9A-F]+)$', line)
            if code and int(code[1], 16):
                value = int(code[1], 16)
                return " ".join(f"{self.family.get(v >> 8, v >> 8)}:{v & 255:02X}"
                                for v in (value >> 12, value & 0xFFF))
        return ""

    def row(self, i, symbol):
        """Class, slot, delimiter, flags, canonical, body of a symbol."""
        noads, flags, faults = self.lists[str(i)], [], []
        first = re.match(r"\\(math\w+)(\\nolimits|\\limits)?$", noads[0]) if noads else None
        math_class, slot, canonical, body = "", "", "", ""
        if symbol.kind == "accent":
            if noads[0].startswith("\\accent"):
                slot = "%s:%02X" % self.slot(noads[0])
                bold = self.lists[f"{i}:bold"][0]
                if self.slot(bold)[0] != self.slot(noads[0])[0]:
                    flags.append("alphabetic")
                if self.boxes[f"{i}:plain"][0].split()[1] != self.boxes[f"{i}:long"][0].split()[1]:
                    flags.append("wide")
        elif first and sum(not line.startswith(".") for line in noads) == 1:
            math_class = CLASSES[first[1]]
            if symbol.kind == "char" and len(noads) == 2 and "\\fam" in noads[1]:
                slot = "%s:%02X" % self.slot(noads[1])
                bold = self.lists[f"{i}:bold"]
                if len(bold) == 2 and self.slot(bold[1])[0] != self.slot(noads[1])[0]:
                    flags.append("alphabetic")
            boxed = re.search(r"\.D\.\.\\U/ms(.)/m/n/12 (.*)", "\n".join(noads))
            if symbol.kind == "char" and boxed:  # text in \mathchoice
                slot = f"ams-{boxed[1]}:{code_of(boxed[2]):02X}"
            if first[2] == "\\nolimits":
                flags.append("no-limits")
        if symbol.kind == "operator":
            for line in noads[1:]:
                if "\\fam" in line:
                    body += chr(self.slot(line.lstrip("."))[1])
                elif "\\glue" in line or "\\mskip" in line:
                    body += "\\,"
        if symbol.kind == "composite":
            body = symbol.body
            for name in ("plain", "script"):
                ours, theirs = (self.boxes.get(f"{i}:{name}{end}") for end in ("-body", ""))
                if ours != theirs and symbol.symbol not in APPROXIMATE:
                    faults.append(f"the body of {symbol.symbol} makes {ours}, TeX {theirs}")
        if symbol.canonical:
            canonical = symbol.canonical
            if self.boxes[f"{i}:canonical"] != self.boxes[f"{i}:plain"]:
                faults.append(f"{symbol.symbol} and {canonical} make different boxes")
        size = self.boxes[f"{i}:plain"][0].split()
        if symbol.symbol in APPROXIMATE:
            size = [""] * 3
        delimiter = self.delimiter(i) if symbol.kind == "char" else ""
        return [math_class, slot, delimiter, " ".join(flags), canonical, body, *size], faults


def code_points(symbols):
    path = subprocess.check_output(["kpsewhich", "unicode-math-table.tex"], text=True).strip()
    known = {}
    for code, name in re.findall(r'\\UnicodeMathSymbol\{"([0-9A-F]+)\}\{(\\(?:[A-Za-z]+|.))\s*\}',
                                 pathlib.Path(path).read_text()):
        known.setdefault(name, int(code, 16))
    names = pathlib.Path(__file__).with_name("symbol_names.tsv").read_text().splitlines()
    for line in names:
        if not line.startswith("# "):
            name, character = line.split("\t")
            known[name] = ord(unicodedata.lookup(character))
    return {s.symbol: known.get(s.symbol) for s in symbols}


def write_synonyms():
    """Groups whose members make the same lists of atoms and glue, with a letter on either side."""
    lines = pathlib.Path("datasets/synonyms/latex.txt").read_text().splitlines()
    groups = [line.split() for line in lines if line and not line.startswith("# ")]
    body = "".join(f"\\ask{{{i}:{k}}}{{x{word} y}}\n"
                   for i, group in enumerate(groups) for k, word in enumerate(group))
    lists = run(PACKAGES[3][1], body)["list"]
    rows = ["word\tgroup"]
    for i, group in enumerate(groups):
        for k, word in enumerate(group):
            if lists[f"{i}:{k}"] == lists[f"{i}:0"]:
                rows.append(f"{word}\t{group[0]}")
            else:
                print(f"{word} is not {group[0]}")
    pathlib.Path("tests/golden/synonyms.tsv").write_text("\n".join(rows) + "\n")


def write_colors():
    names = ("black blue brown cyan darkgray gray green lightgray lime magenta olive orange pink purple"
             " red teal violet white yellow").split()
    body = "".join(f"\\convertcolorspec{{named}}{{{name}}}{{HTML}}\\answer\n"
                   f"\\tell{{^^J@@list {name} \\answer^^J}}\n" for name in names)
    lists = run(r"\usepackage{xcolor}", body)["list"]
    rows = ["name\trgb"] + [f"{name}\t{lists[name][0]}" for name in names]
    pathlib.Path("tests/golden/colors.tsv").write_text("\n".join(rows) + "\n")


def main():
    write_synonyms()
    write_colors()
    table = tables.Tables()
    rows = tables.each_row("tokenizer/symbols/symbols.tsv", table.add_symbol)
    for _, symbol in rows:
        table.link(symbol)
    symbols = list(table.symbols.values())
    commands = [s for s in symbols if s.is_command and s.symbol not in INTERNAL]
    package = {s.symbol: "-" for s in symbols}
    for name, use in reversed(PACKAGES):
        body = "".join(f"\\tell{{^^J@@list {i} \\ifdefined{s.symbol} y\\fi^^J}}\n"
                       for i, s in enumerate(commands))
        defined = run(use, body)["list"]
        for i, symbol in enumerate(commands):
            if "y" in "".join(defined.get(str(i), [])):
                package[symbol.symbol] = name
    points = code_points(symbols)
    answers, faults = {}, []
    for use, wanted in ((PACKAGES[3][1], lambda p: p != "stmaryrd"),
                        (PACKAGES[4][1], lambda p: p == "stmaryrd")):
        asked = [s for s in symbols if wanted(package[s.symbol]) and s.symbol not in UNASKED]
        said = Answers(use, asked)
        for i, symbol in enumerate(asked):
            answers[symbol.symbol], wrong = said.row(i, symbol)
            faults += wrong
    out = ["\t".join(("symbol", "package", "unicode", "class", "slot", "delimiter", "flags",
                      "canonical", "body", "width", "height", "depth"))]
    for symbol in symbols:
        if symbol.symbol in UNASKED:
            continue
        point = points[symbol.symbol] if symbol.is_command else ord(symbol.symbol)
        cells = [symbol.symbol, package[symbol.symbol], f"U+{point:04X}" if point else "",
                 *answers[symbol.symbol]]
        out.append("\t".join(cell or "-" for cell in cells))
    pathlib.Path("tests/golden/symbols.tsv").write_text("\n".join(out) + "\n")
    print("\n".join(faults))


main()
