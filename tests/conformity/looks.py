#!/usr/bin/env python3
"""Scores against what TeX draws: the pairs and formulas of ../shared/looks.

looks.py PROGRAM [--list]   --list also prints the pairs that no kind explains

`forte.exact` says that a reader reads the same, and docs/metrics/forte.md lists what is read alike.
A pair that is called exact though TeX's pictures differ is explained by that list when both
formulas become one, by canonical form, once what the list names is written in one way. The rules
here carry the names of the rows of that table. The test fails when more than 2 % of the pairs
whose pictures differ are called exact and no row explains it, or when another rate is too high.
"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

Row = dict[str, Any]

ROOT = Path(__file__).resolve().parents[2]
NAMES = r"lim|sin|cos|tan|log|ln|exp|max|min|sup|inf|det|dim|ker|arg|gcd|deg|hom|Pr|sec|csc|cot|sinh|cosh|tanh"
TEXTS = r"text|mbox|hbox|textrm|textnormal|textup|mathrm|mathit|mathnormal|operatorname\*?|rm|it|textit|mathop|mathord"
GROUP = r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}"

# what is written in one way, by the kinds of docs/metrics/forte.md: expressions and what takes their place
RULES: dict[str, list[tuple[str, str]]] = {
    "phantoms, struts, `\\smash`": [
        (r"\\[vh]?phantom\s*" + GROUP, ""),
        (r"\\(?:math)?strut(?![A-Za-z])", ""),
        (r"\\smash\s*(?:\[[tb]\])?", ""),
        (r"\\null(?![A-Za-z])", ""),
    ],
    "color, but white": [
        (r"\\textcolor\s*\{(?!white)[^{}]*\}", ""),
        (r"\\color\s*\{(?!white)[^{}]*\}", ""),
        (r"\\colorbox\s*\{[^{}]*\}", ""),
    ],
    "numbers that LaTeX counts": [
        (r"\\(?:tag\*?\s*" + GROUP + r"|notag|nonumber)", ""),
        (r"(align|gather|equation)\*", r"\1"),
    ],
    "negations": [(r"\\not\s*\\in(?![A-Za-z])", r"\\notin "), (r"\\not\s*=", r"\\ne ")],
    "dots": [(r"\\(?:[cl]dots|dots[bcmio]?|hdots)(?![A-Za-z])", r"\\ldots "), (r"\.\s*\.\s*\.", r"\\ldots ")],
    "arrows of another length": [
        (r"\\long(?=left|right|maps)", r"\\"),
        (r"\\Long(left)(?=right)", r"\\Left"),
        (r"\\Long(left|right)", lambda m: "\\" + m[1].capitalize()),
        (r"\\iff(?![A-Za-z])", r"\\Leftrightarrow "),
        (r"\\implies(?![A-Za-z])", r"\\Rightarrow "),
        (r"\\(?:impliedby)(?![A-Za-z])", r"\\Leftarrow "),
        (r"\\xrightarrow\s*" + GROUP, r"\\overset{\1}{\\rightarrow}"),
        (r"\\xrightarrow\s*\[([^]]*)\]\s*" + GROUP, r"\\overset{\2}{\\underset{\1}{\\rightarrow}}"),
        (r"\\to(?![A-Za-z])", r"\\rightarrow "),
        (r"\\hspace\s*\{[^{}]*\}|\\[,;:!]", ""),
        (r"<<=>|<=>>", "<=>"),
    ],
    "wide accents": [
        (r"\\wide(hat|tilde|check)", r"\\\1"),
        (r"\\overline(?![A-Za-z])", r"\\bar"),
        (r"\\overrightarrow(?![A-Za-z])", r"\\vec"),
        (r"\\(?:overset|stackrel)\s*\{\s*\\(?:rightarrow|to)\s*\}", r"\\vec"),
    ],
    "angles": [(r"\\langle(?![A-Za-z])", "<"), (r"\\rangle(?![A-Za-z])", ">")],
    "sizes of delimiters": [
        (r"\\(?:left|right)\s*\.", ""),
        (r"\\(?:left|right|middle|[bB]igg?[lrm]?)(?![A-Za-z])", ""),
        (r"\\[lr]vert(?![A-Za-z])", "|"),
        (r"\\[lr]?Vert(?![A-Za-z])", r"\\|"),
    ],
    "kinds of bold and of script letters": [
        (r"\\(?:boldsymbol|bm|pmb|bf|bfseries|mathbfit|textbf|boldmath)(?![A-Za-z])", r"\\mathbf"),
        (r"\\(?:mathscr|cal)(?![A-Za-z])", r"\\mathcal"),
        (r"\\mathbf(?=[^{]*\\mathbf)", ""),
        (r"\\mathbf(?![A-Za-z])", ""),
    ],
    "upright and italic; functions": [
        (r"\\(?:" + TEXTS + r")(?![A-Za-z])", ""),
        (r"\\(" + NAMES + r")(?![A-Za-z])", r"\1"),
        (r"\$", ""),
    ],
    "sizes": [
        (r"\\[dtc]frac(?![A-Za-z])", r"\\frac"),
        (r"\\[dt]binom(?![A-Za-z])", r"\\binom"),
        (r"\\(?:display|text|script)style(?![A-Za-z])", ""),
        (r"\\(?:tiny|small|large|Large|scriptsize|footnotesize|normalsize)(?![A-Za-z])", ""),
        (r"\\d(cases)", r"\1"),
    ],
    "limits": [
        (r"\\(?:no|display)?limits(?![A-Za-z])", ""),
        (r"\\(?:intop|smallint)(?![A-Za-z])", r"\\int "),
        (r"\\underset\s*" + GROUP + r"\s*" + GROUP, r"\2_{\1}"),
        (r"\\overset\s*" + GROUP + r"\s*" + GROUP, r"\2^{\1}"),
        (r"\\(over|under)(brace|bracket)\s*" + GROUP, r"\\\1\2{\3}"),
    ],
    "place of primes and scripts": [
        (r"\{'\}|\{\s*\\prime\s*\}|\^\s*\\prime(?![A-Za-z])|\\prime(?![A-Za-z])", "'"),
        (r"\^\s*'", "'"),
        (r"\{(\w)'\}", r"\1'"),
        (r"\{(\w)([_^])(\w|\{\w+\})\}(?=[_^])", r"\1\2\3"),
        (r"\{\}", ""),
        (r"(\w)\^(\w|\{\w\})_(\w|\{\w\})", r"\1_\3^\2"),
    ],
    "arrays of the same rows": [
        (r"\\begin\{d?cases\}", r"\\{\\begin{matrix}"),
        (r"\\end\{d?cases\}", r"\\end{matrix}"),
        (r"\\begin\{pmatrix\}", r"(\\begin{matrix}"),
        (r"\\end\{pmatrix\}", r"\\end{matrix})"),
        (r"\\begin\{bmatrix\}", r"[\\begin{matrix}"),
        (r"\\end\{bmatrix\}", r"\\end{matrix}]"),
        (r"\\begin\{array\}\s*(?:\[[tcb]\])?\s*\{((?:[^{}]|\{[^{}]*\})*)\}", r"\\begin{matrix}"),
        (r"\\begin\{(?:aligned|gathered|multlined|split|smallmatrix|subarray)\*?\}(?:\[[tcb]\])?", r"\\begin{matrix}"),
        (r"\\end\{(?:array|aligned|gathered|multlined|split|smallmatrix|subarray)\*?\}", r"\\end{matrix}"),
        (r"\\multicolumn\{\d\}\{[^{}]*\}", ""),
        (r"\\binom\s*" + GROUP + r"\s*" + GROUP, r"(\\begin{matrix}\1\\\\\2\\end{matrix})"),
        (r"\\genfrac\{\}\{\}\{0pt\}\{\d?\}" + GROUP + GROUP, r"\\begin{matrix}\1\\\\\2\\end{matrix}"),
        (r"\\substack\s*" + GROUP, r"\\begin{matrix}\1\\end{matrix}"),
        (r"\{([^{}]*)\\atop([^{}]*)\}", r"\\begin{matrix}\1\\\\\2\\end{matrix}"),
        (r"\\\\\s*\[[^]]*\]", r"\\\\"),
        (r"\\(?:arraycolsep|jot)\s*=?[\d.]+(?:pt|em)|\\renewcommand\{?\\arraystretch\}?\{[^{}]*\}|\\def\\arraystretch\{[^{}]*\}", ""),
        (r"\\begin\{matrix\}((?:(?!\\\\|\\begin).)*)\\end\{matrix\}", r"\1"),
    ],
    "columns of aligned rows": [(r"&", "")],
    "boxes, strokes of another direction": [
        (r"\\(?:boxed|fbox|framebox(?:\[[^]]*\])*)(?![A-Za-z])", ""),
        (r"\\f?box(?:sep|rule)\s*=?\s*[\d.]+\s*[a-z]{2}", ""),
        (r"\\[bx]cancel(?![A-Za-z])", r"\\cancel"),
    ],
    "sizes of rules, and in scripts": [
        (r"\\rule\s*(?:\[[^]]*\])?\s*\{[^{}]*\}\s*\{[^{}]*\}", r"\\rule{1em}{1em}"),
        (r"\\scriptscriptstyle(?![A-Za-z])", ""),
    ],
    "hyphen and minus in words": [(r"\{-\}", "-")],
    "forms of a sign": [
        (r"\\(leq|geq)(?:slant|q)(?![A-Za-z])|\\([lg]e)(?![A-Za-z])", lambda m: f"\\{m[1] or m[2] + 'q'} "),
        (r"\\varnothing(?![A-Za-z])", r"\\emptyset "),
        (r"\\smallsetminus(?![A-Za-z])", r"\\setminus "),
        (r"\\(?:triangle|varDelta|bigtriangleup)(?![A-Za-z])", r"\\Delta "),
        (r"\\intercal(?![A-Za-z])", r"\\top "),
        (r"\\hslash(?![A-Za-z])", r"\\hbar "),
        (r"\\(?:shortmid|mid|vert)(?![A-Za-z])", "|"),
        (r"\\var(?=[A-Z])", r"\\"),
    ],
    "punctuation at the ends of rows": [(r"(?:\s|\\[,;:! ]|~)*[.,;:]*(?:\s|\\[,;:! ]|~)*($|\\\\|\\end)", r"\1")],
}


class Pair(NamedTuple):
    """Two formulas by their number in a list."""

    a: str
    b: str


def rewrite(latex: str, kinds: list[str]) -> str:
    """
    Write what the kinds name in one way.

    >>> rewrite(latex=r"a\\leqslant b", kinds=["forms of a sign"])
    'a\\\\leq  b'
    """
    for kind in kinds:
        for expression, place in RULES[kind]:
            latex = re.sub(expression, place, latex)
    return latex


def evaluate(*, program: str, pairs: list[Pair], metrics: str) -> list[Row]:
    """Scores of the pairs, in their order; a pair without a result has none."""
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder) / "in.jsonl", Path(folder) / "out.jsonl"
        lines = (json.dumps({"id": str(i), "gt": pair.a, "pred": pair.b}) for i, pair in enumerate(pairs))
        source.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        subprocess.run(
            [program, "eval", "-m", metrics, "-o", str(result), str(source)], check=True, capture_output=True
        )
        rows = [json.loads(line) for line in result.read_text(encoding="utf-8").splitlines()]
    scores = {row["id"]: row["scores"] for row in rows if "scores" in row}
    return [scores.get(str(i), {}) for i in range(len(pairs))]


def explain(*, program: str, pairs: list[Row]) -> dict[str, str]:
    """Say for each pair, by id, which kind makes both formulas one; "" where none does."""
    metric = "exprate:normalize=canonical"
    kinds = [[kind] for kind in RULES] + [list(RULES)]
    tries = [Pair(rewrite(p["a"], names), rewrite(p["b"], names)) for p in pairs for names in kinds]
    equal = [
        score.get(metric) == 1 or re.sub(r"[\s{}]|\\ ", "", pair.a) == re.sub(r"[\s{}]|\\ ", "", pair.b)
        for pair, score in zip(tries, evaluate(program=program, pairs=tries, metrics=metric), strict=True)
    ]
    found = {}
    for i, pair in enumerate(pairs):
        own = equal[i * len(kinds) : (i + 1) * len(kinds)]
        names = [names[0] if len(names) == 1 else "several" for names, is_equal in zip(kinds, own, strict=True) if is_equal]
        found[pair["id"]] = names[0] if names else ""
    return found


def check_names() -> list[str]:
    """Names of rules that docs/metrics/forte.md does not list."""
    table = (ROOT / "docs" / "metrics" / "forte.md").read_text(encoding="utf-8")
    return [kind for kind in RULES if f"\n| {kind} |" not in table]


def main() -> int:
    program = sys.argv[1]
    folder = Path(os.environ.get("TEXGAUGE_SHARED", ROOT.parent / "shared")) / "looks" / "dev"
    strangers = check_names()
    if strangers:
        print("no row of docs/metrics/forte.md:", ", ".join(strangers))
        return 1
    if not folder.exists():
        print("skipped: no", folder)
        return 77
    pairs = [json.loads(line) for line in (folder / "pairs.jsonl").read_text(encoding="utf-8").splitlines()]
    metrics = "forte,cdm-strict,render,exprate:normalize=canonical"
    scores = evaluate(program=program, pairs=[Pair(p["a"], p["b"]) for p in pairs], metrics=metrics)
    unseen = {"colour", "number", "gap", "missing", "unicode"}
    rules = {  # figure: what it must not exceed in %, and what its metric's page says it does not see
        "forte.exact": (2.0, 2.0, unseen | {"upright", "end-punctuation", "delimiter-size", "box", "limits"}),
        "cdm-strict": (2.0, 2.0, unseen | {"delimiter-size", "size"}),
        "exprate:normalize=canonical": (0.3, 15.0, unseen),
    }
    failures = 0
    for name, (most_exact, most_different, blind) in rules.items():
        judged = [(p, (s.get(name) or 0) >= 1 - 1e-12) for p, s in zip(pairs, scores, strict=True) if p["look"] and s]
        differ = [(p, exact) for p, exact in judged if p["look"] == "different" and p.get("only") not in blind]
        same = [(p, exact) for p, exact in judged if p["look"] == "same"]
        wrong = [p for p, exact in differ if exact]
        print(f"{name}: {len(wrong)} of {len(differ)} whose pictures differ are called exact")
        if name == "forte.exact":
            why = explain(program=program, pairs=wrong)
            for kind, n in collections.Counter(why.values()).most_common():
                print(f"  {n:4d} {kind or 'in no row of the list'}")
            wrong = [p for p in wrong if not why[p["id"]]]
            differ = [(p, exact) for p, exact in differ if not why.get(p["id"])]
        false_exact = 100 * len(wrong) / len(differ)
        false_different = 100 * sum(not exact for _, exact in same) / len(same)
        print(f"  {false_exact:.2f} % falsely exact (at most {most_exact}), {false_different:.2f} % falsely different (at most {most_different})")
        failures += false_exact > most_exact or false_different > most_different
        if "--list" in sys.argv:
            for p in wrong:
                print(f"    {p['id']} {p['kind']}: {p['a']!r} | {p['b']!r}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
