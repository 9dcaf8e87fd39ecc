#!/usr/bin/env python3
"""Read names, kinds, accents and pairs from FORTE's specification; writes tests/golden/forte_tables.tsv.

usage: make_forte_golden.py SPECIFICATION        (forte.md; from the top of the source)

What the specification says in other places than its lists of names stands below, by hand.
"""
import pathlib
import re
import sys
import unicodedata

# b.2 and b.3, in prose: commands that become several tokens or one-letter names.
BY_HAND = """
\\triangleq	= hat
\\corresponds	= hat
\\defeq	: =
\\colonequals	: =
\\coloneqq	: =
\\coloneq	: =
≔	: =
\\eqqcolon	= :
\\equalscolon	= :
\\dblcolon	: :
″	' '
⇔	Leftrightarrow
"""
BLACKBOARD = {"\\R": "R", "\\N": "N", "\\Z": "Z", "\\C": "C", "\\Reals": "R", "\\reals": "R",
              "\\natnums": "N", "\\cnums": "C", "\\Complex": "C", "ℝ": "R", "ℕ": "N", "ℤ": "Z",
              "ℂ": "C", "ℚ": "Q"}
# Combining characters by the names of Unicode.
MARKS = {"GRAVE ACCENT": "grave", "ACUTE ACCENT": "acute", "CIRCUMFLEX ACCENT": "hat",
         "TILDE": "tilde", "MACRON": "bar", "OVERLINE": "bar", "BREVE": "breve",
         "DOT ABOVE": "dot", "DIAERESIS": "ddot", "DOUBLE ACUTE ACCENT": "ddot",
         "RING ABOVE": "ring", "CARON": "check", "DOT BELOW": "udot", "CEDILLA": "ced",
         "OGONEK": "ced", "MACRON BELOW": "ubar", "LOW LINE": "ubar", "LONG SOLIDUS OVERLAY": "not",
         "RIGHT ARROW ABOVE": "vec", "LEFT ARROW ABOVE": "lvec", "LEFT RIGHT ARROW ABOVE": "lrvec",
         "THREE DOTS ABOVE": "dddot", "FOUR DOTS ABOVE": "ddddot"}
NEGATED = {"=": "neq", "in": "notin", "|": "nmid", "subset": "nsubset", "subseteq": "nsubseteq",
           "<": "nless", ">": "ngtr", "leq": "nleq", "geq": "ngeq", "sim": "nsim", "cong": "ncong",
           "exists": "nexists", "parallel": "nparallel", "rightarrow": "nrightarrow",
           "Rightarrow": "nRightarrow", "equiv": "not equiv"}
# The parser or a later step makes these, no table: see b.2 and the end of b.3.
ELSEWHERE = {"\\dbinom", "\\tbinom"}


def codes(text):
    """The items in backquotes, and `bar`, which is a word there because a bar ends a cell."""
    return ["|" if item == "bar" else item
            for item in re.findall(r"`` ?(.+?) ?``|`([^`]+)`|\b(bar)\b", text) for item in item if item]


def main():
    text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    section = {part.split("\n")[0].split()[0]: part for part in text.split("\n### ")[1:]}
    rows, b3 = [], section["b.3"]
    names = {}
    for left, right in re.findall(r"^\| (`.+?`|bar) \| (.*) \|$", b3.split("Unicode signs")[0], re.M):
        for written in codes(right.replace("backslash-bar", "`\\|`")):
            names[written] = codes(left)[0]
    signs = re.search(r"Greek letters by name, and (.*) Characters not listed", b3)[1]
    for left, right in re.findall(r"(`.+?`|bar): ([^`]+?)(?:; (?=`|bar:)|\.$)", signs):
        for written in right.split():
            names[written] = codes(left)[0].replace("''", "' '")
    for code in (*range(0x391, 0x3AA), *range(0x3B1, 0x3CA)):
        name = unicodedata.name(chr(code), "").split()
        if name and len(name) == 4:
            word = name[3].replace("LAMDA", "LAMBDA").lower()
            greek = "\\" + (word.capitalize() if name[1] == "CAPITAL" else word)
            names.setdefault(chr(code), names.get(greek, greek[1:]))
    for character, name in {"ϑ": "vartheta", "ϕ": "phi", "ϖ": "varpi", "ϰ": "varkappa",
                            "ϱ": "varrho", "ϵ": "epsilon", "ς": "varsigma", "ε": "varepsilon",
                            "φ": "varphi", "µ": "mu", "∆": "Delta"}.items():
        names[character] = name
    names.update(line.split("\t") for line in BY_HAND.strip().split("\n"))
    for written, name in names.items():
        if written not in ELSEWHERE and written not in BLACKBOARD:
            rows.append(("name", written, name))
    rows += [("blackboard", written, letter) for written, letter in BLACKBOARD.items()]

    accents = re.search(r"^Accents: (.*?) One-letter:", b3, re.M)[1]
    for left, right in re.findall(r"`(\w+)`: ([^;.]+)[;.]", accents):
        rows += [("accent", command, left) for command in codes(right)]
    rows += [("mark", f"U+{ord(unicodedata.lookup('COMBINING ' + name)):04X}", accent)
             for name, accent in MARKS.items()]
    functions = re.search(r"^Function names: `(.*?)`, and `(.*?)`", b3, re.M)
    rows += [("function", "\\" + name, "") for part in functions.groups() for name in part.split()]
    rows.append(("function", "\\bmod", ""))

    for kind, tokens in re.findall(r"^\| ([A-Z]) \| (.*?) \| [\d.]+ \|", section["b.4"], re.M):
        if kind in "GORBZXP":
            listed = [name for part in codes(tokens.split(" (other")[0]) for name in part.split()]
            rows += [("kind", name, kind) for name in listed]
    greek = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau" \
        " upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
    rows += [("kind", name, "G") for name in greek.split()] + [("kind", "'", "Q")]
    rows += [("kind", name, "N") for name in
             "infty partial nabla ell hbar varnothing forall exists hookleftarrow Uparrow".split()]

    overs = re.search(r"an accent: (.*?) For x", section["b.2"])[1]
    for left, right in re.findall(r"((?:`[^`]+`,? ?)+)→`(\w+)`", overs):
        rows += [("over", sign, right) for sign in codes(left)]
    rows += [("not", *pair) for pair in NEGATED.items()]

    seen = set()
    for what in ("Variant", "Look-alike"):
        groups = re.search(rf"^{what} \([\d.]+\): (.*)$", section["b.6"], re.M)[1]
        for group in re.split("; (?=`|bar)", groups):
            members = codes(group)
            for i, one in enumerate(members):
                for other in members[i + 1:]:
                    if frozenset((one, other)) not in seen:  # the variants come first
                        rows.append((what.lower(), one, other))
                        seen.add(frozenset((one, other)))
    out = ["what\twritten\tmeaning"] + ["\t".join(row) for row in rows]
    pathlib.Path("tests/golden/forte_tables.tsv").write_text("\n".join(out) + "\n")


main()
