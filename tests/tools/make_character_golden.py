#!/usr/bin/env python3
"""What characters beyond ASCII mean in a formula, by the Unicode Character Database that Python has and
by hand where that says nothing; writes tests/golden/characters.tsv.

usage: make_character_golden.py        (from the top of the source)
"""
import pathlib
import re
import unicodedata

# Font of a letter by the words of its name; longest first.
ALPHABETS = (
    ("MATHEMATICAL BOLD ITALIC", r"\boldsymbol{%s}"), ("MATHEMATICAL BOLD SCRIPT", r"\mathscr{%s}"),
    ("MATHEMATICAL BOLD FRAKTUR", r"\mathfrak{%s}"),
    ("MATHEMATICAL SANS-SERIF BOLD ITALIC", r"\mathsf{%s}"),
    ("MATHEMATICAL SANS-SERIF", r"\mathsf{%s}"), ("MATHEMATICAL MONOSPACE", r"\mathtt{%s}"),
    ("MATHEMATICAL DOUBLE-STRUCK", r"\mathbb{%s}"), ("MATHEMATICAL FRAKTUR", r"\mathfrak{%s}"),
    ("MATHEMATICAL SCRIPT", r"\mathscr{%s}"), ("MATHEMATICAL ITALIC", "%s"),
    ("MATHEMATICAL BOLD", r"\mathbf{%s}"), ("DOUBLE-STRUCK ITALIC", "%s"),
    ("DOUBLE-STRUCK", r"\mathbb{%s}"), ("SCRIPT CAPITAL", r"\mathscr{%s}"),
    ("SCRIPT SMALL", "%s"), ("BLACK-LETTER", r"\mathfrak{%s}"),
)
# Negations whose decomposition needs the command of the plain relation.
RELATIONS = {0x220B: r"\ni", 0x2243: r"\simeq", 0x2248: r"\approx", 0x2261: r"\equiv",
             0x224D: r"\asymp", 0x2272: r"\lesssim", 0x2273: r"\gtrsim", 0x2282: r"\subset",
             0x2283: r"\supset", 0x2291: r"\sqsubseteq", 0x2292: r"\sqsupseteq"}
GREEK = dict(zip("βγρφχ", (r"\beta", r"\gamma", r"\rho", r"\varphi", r"\chi")))
SPACES = {0x2002: r"\enspace ", 0x2003: r"\quad ", 0x2004: r"\;", 0x2005: r"\:", 0x2006: r"\,",
          0x2009: r"\,", 0x200A: r"\,", 0x202F: r"\,", 0x205F: r"\:", 0x00A0: "~"}
NOTHING = (0x200B, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0xFEFF)
BY_HAND = {
    0x00B0: r"^{\circ}", 0x2010: "-", 0x2011: "-", 0x2013: "-", 0x2212: "-", 0x2044: "/",
    0x2032: "'", 0x2033: "''", 0x2034: "'''", 0x2057: "''''", 0x210E: "h", 0x212A: r"\mathrm{K}",
    0x2103: r"{}^{\circ}\mathrm{C}", 0x2109: r"{}^{\circ}\mathrm{F}",
    0x212B: r"\mathring{\mathrm{A}}", 0x2236: ":", 0x2254: ":=", 0x2255: "=:", 0x2A74: "::=",
    0x2258: r"\overset{\frown}{=}", 0x2259: r"\overset{\wedge}{=}",
    0x225D: r"\overset{\mathrm{def}}{=}", 0x225F: r"\overset{?}{=}", 0x2189: r"\frac{0}{3}",
    0x03BF: "o",
}
# Second characters of a command.
SECOND = {
    0x00B5: "mu", 0x00B7: "cdot", 0x03F4: "Theta", 0x2126: "Omega", 0x2206: "Delta", 0x2215: "slash",
    0x2219: "cdot", 0x2329: "langle", 0x232A: "rangle", 0x25CB: "bigcirc", 0x25E6: "circ",
    0x25FB: "square", 0x2758: "mid", 0x2A2F: "times", 0x2B1B: "blacksquare", 0x2B1C: "square",
    0x3008: "langle", 0x3009: "rangle", 0x1D6A4: "imath", 0x1D6A5: "jmath",
}
# For a character that several commands show: the usual command, which typing the character stands for.
USUAL = """
    pounds S neg P Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega alpha beta gamma
    delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon varphi
    chi psi omega vartheta phi varpi epsilon Vert dagger ddagger ldots hbar leftarrow rightarrow
    upharpoonright rightsquigarrow dashrightarrow emptyset ni setminus propto mid nmid parallel
    nparallel wedge vee int oint sim approx doteqdot neq leq geq lneqq gneqq subsetneq supsetneq
    vartriangleleft vartriangleright trianglelefteq trianglerighteq cdot Cap Cup lll ggg cdots
    frown smile square triangle bigtriangledown lozenge Longleftarrow Longrightarrow
    Longleftrightarrow subsetneqq supsetneqq
"""
# Latin and Greek letters among Unicode's superscripts and subscripts that formulas use.
SCRIPTS = ([0xB2, 0xB3, 0xB9, 0x2070, 0x2071, 0x2C7C, 0x2B0, 0x2B2, 0x2B3, 0x2B7, 0x2B8]
           + [0x2E1, 0x2E2, 0x2E3, 0x1D2C, 0x1D34, 0x1D3A, 0x1D40, 0x1D43, 0x1D47, 0x1D48, 0x1D49]
           + [0x1D4D, 0x1D4F, 0x1D50, 0x1D52, 0x1D56, 0x1D57, 0x1D58, 0x1D5B, 0x1D9C, 0x1DA0, 0x1DBB]
           + [*range(0x1D62, 0x1D6B), *range(0x2074, 0x208F), *range(0x2090, 0x2094)]
           + [*range(0x2095, 0x209D)])
# Greek letters that look like Latin ones have no command.
CAPITALS = {0x391: "A", 0x392: "B", 0x395: "E", 0x396: "Z", 0x397: "H", 0x399: "I", 0x39A: "K",
            0x39C: "M", 0x39D: "N", 0x39F: "O", 0x3A1: "P", 0x3A4: "T", 0x3A7: "X"}
# The command of a Greek letter or sign in an alphabet, by the end of its name.
VARIANTS = {"EPSILON SYMBOL": "epsilon", "THETA SYMBOL": "vartheta", "KAPPA SYMBOL": "varkappa",
            "PHI SYMBOL": "phi", "RHO SYMBOL": "varrho", "PI SYMBOL": "varpi",
            "PARTIAL DIFFERENTIAL": "partial", "NABLA": "nabla", "FINAL SIGMA": "varsigma",
            "CAPITAL THETA SYMBOL": "Theta", "SMALL EPSILON": "varepsilon",
            "SMALL PHI": "varphi", "SMALL LAMDA": "lambda", "CAPITAL LAMDA": "Lambda"}


def letter(code, name):
    """What stands in the braces of an alphabet: a character, or a command and a space."""
    base = unicodedata.normalize("NFKC", chr(code))
    if base.isascii():
        return base
    for end in sorted(VARIANTS, key=len, reverse=True):
        if name.endswith(end):
            return f"\\{VARIANTS[end]} "
    if ord(base) in CAPITALS:
        return f"\\mathrm{{{CAPITALS[ord(base)]}}}"
    if base == "ο":
        return "o"
    word = re.search(r"(CAPITAL|SMALL) (\w+)$", name)
    return "\\" + (word[2].capitalize() if word[1] == "CAPITAL" else word[2].lower()) + " "


def in_alphabet(code):
    name = unicodedata.name(chr(code), "")
    for words, form in ALPHABETS:
        if name.startswith(words):
            greek = ord(unicodedata.normalize("NFKC", chr(code))[0]) > 0x7F
            if greek and words != "MATHEMATICAL ITALIC":
                form = r"\boldsymbol{%s}"
            if words == "MATHEMATICAL SANS-SERIF" and greek:
                form = r"\boldsymbol{%s}"
            return form % letter(code, name)
    return None


def main():
    rows = dict(BY_HAND)
    rows.update(SPACES)
    rows.update((code, "") for code in NOTHING)
    rows.update((code, f"\\mathrm{{{latin}}}") for code, latin in CAPITALS.items())
    for code in SCRIPTS:
        kind, *base = unicodedata.decomposition(chr(code)).split()
        base = "".join(chr(int(c, 16)) for c in base).replace("\u2212", "-")
        base = GREEK.get(base, base)
        rows[code] = ("^" if kind == "<super>" else "_") + "{" + base + "}"
    for code in [0xBC, 0xBD, 0xBE, *range(0x2150, 0x215F)]:
        over, under = unicodedata.normalize("NFKC", chr(code)).split("\u2044")
        rows[code] = f"\\frac{{{over}}}{{{under}}}"
    for code in range(0x2460, 0x2500):
        kind, *base = unicodedata.decomposition(chr(code)).split() or [""]
        if kind == "<circle>":
            rows[code] = "\\textcircled{" + "".join(chr(int(c, 16)) for c in base) + "}"
    for code in range(0x2200, 0x2300):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and parts[1] == "0338" and int(parts[0], 16) in RELATIONS:
            rows[code] = f"\\not{RELATIONS[int(parts[0], 16)]} "
    for code in range(0x2100, 0x214A):
        parts = unicodedata.decomposition(chr(code)).split()
        if code in (0x2111, 0x2113, 0x211C):  # \Im, \ell, \Re
            continue
        if parts and parts[0] == "<font>" and unicodedata.normalize("NFKC", chr(code)).isascii() \
                and in_alphabet(code):
            rows.setdefault(code, in_alphabet(code))
    for code in range(0x1D400, 0x1D800):
        if "DIGAMMA" not in unicodedata.name(chr(code), "") and code not in SECOND and in_alphabet(code):
            rows[code] = in_alphabet(code)
    points = dict(line.split("\t")[0:3:2] for line in
                  pathlib.Path("tests/golden/symbols.tsv").read_text().splitlines()[1:])
    SECOND.update((int(points["\\" + name][2:], 16), name) for name in USUAL.split())
    out = ["character\tcommand\tsource"]
    for code in sorted({*rows, *SECOND}):
        out.append(f"U+{code:04X}\t{SECOND.get(code, '')}\t{rows.get(code, '')}|")
    pathlib.Path("tests/golden/characters.tsv").write_text("\n".join(out) + "\n")


main()
