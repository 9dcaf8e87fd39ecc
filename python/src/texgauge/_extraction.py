r"""The formula in a model's completion.

Everything here runs in time linear in the text, and raises nothing for any text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

Finder = Callable[[str], "str | None"]

_LONGEST = 1 << 18
"""Only so much of a completion's end is looked at: longer formulas are not scored either."""

_FENCE = re.compile(r"^[ \t]*(```+|~~~+)[^\n]*$", re.MULTILINE)
_BOXED_OR_BRACE = re.compile(r"\\(?:boxed|fbox)(?=[ \t\n]*\{)|\\.|[{}]", re.DOTALL)
_ENVIRONMENTS = "equation|align|gather|multline|eqnarray|displaymath|math|flalign|alignat"
_DISPLAY = re.compile(
    rf"\\\\|\\\$|\$\$|\\\[|\\\]|\\begin\{{(?:{_ENVIRONMENTS})\*?\}}|\\end\{{(?:{_ENVIRONMENTS})\*?\}}"
)
_INLINE = re.compile(r"\\\\|\\\$|\$|\\\(|\\\)")


def last_boxed(text: str) -> str | None:
    r"""Give the content of the last ``\boxed{...}``, of nested ones the outer.

    >>> last_boxed(r"so \boxed{1} and \boxed{\frac{a}{b}}.")
    '\\frac{a}{b}'
    """
    open_braces: list[int | None] = []  # per brace the start of its box, or None
    waiting = False
    found = None
    for match in _BOXED_OR_BRACE.finditer(text):
        token = match.group()
        if token == "{":
            open_braces.append(match.end() if waiting else None)
        elif token == "}" and open_braces:
            start = open_braces.pop()
            if start is not None:
                found = text[start : match.start()]
        waiting = token in (r"\boxed", r"\fbox")
    return found.strip() if found is not None else None


def last_fence(text: str) -> str | None:
    r"""Give the content of the last fenced block.

    >>> last_fence("see\n```latex\nx^2\n```\n")
    'x^2'
    """
    start, mark, found = 0, "", None
    for match in _FENCE.finditer(text):
        if not mark:
            start, mark = match.end() + 1, match.group(1)
        elif match.group(1)[0] == mark[0] and len(match.group(1)) >= len(mark):
            found, mark = text[start : match.start()], ""
    return found.strip() if found is not None else None


def last_display(text: str) -> str | None:
    r"""Give the last displayed formula: ``$$``, ``\[``, or an environment, which stays around it.

    >>> last_display(r"first $$a$$ then \[ b \] end")
    'b'
    """
    return _last_between(text, _DISPLAY, {"$$": "$$", r"\[": r"\]"})


def last_inline(text: str) -> str | None:
    r"""Give the last formula inside a line: ``$...$`` or ``\(...\)``.

    >>> last_inline("with $a$ and $b$")
    'b'
    """
    return _last_between(text, _INLINE, {"$": "$", r"\(": r"\)"})


def _last_between(text: str, marks: re.Pattern[str], pairs: dict[str, str]) -> str | None:
    closer, start, found = "", 0, None
    for match in marks.finditer(text):
        token = match.group()
        if not closer:
            if token.startswith(r"\begin"):
                closer, start = r"\end" + token.removeprefix(r"\begin"), match.start()
            elif token in pairs:
                closer, start = pairs[token], match.end()
        elif token == closer:
            end = match.end() if token.startswith(r"\end") else match.start()
            found, closer = text[start:end], ""
    return found.strip() if found is not None else None


FINDERS: dict[str, Finder] = {
    "boxed": last_boxed,
    "fence": last_fence,
    "display": last_display,
    "inline": last_inline,
    "whole": str.strip,
}


def after_thinking(text: str) -> str:
    """Leave out what stands before the last ``</think>``."""
    return text.rpartition("</think>")[2]


def extract_formula(
    completion: str, how: Iterable[str] = ("boxed", "fence", "display", "inline", "whole")
) -> tuple[str | None, str]:
    r"""Find the formula in a completion: the first way of ``how`` that finds one.

    The second value is the way, or why there is none.

    >>> extract_formula(r"The answer is \(x\), so \boxed{x^2}")
    ('x^2', 'boxed')
    >>> extract_formula(r"\frac{a}{b}")
    ('\\frac{a}{b}', 'whole')
    >>> extract_formula("no idea", how=["boxed"])
    (None, 'no formula found')
    """
    text = after_thinking(completion)[-_LONGEST:]
    if not text.strip():
        return None, "empty completion"
    for way in how:
        found = FINDERS[way](text)
        if found and way == "fence":  # a block often holds a display
            found = last_display(found) or found
        if found:
            return found, way
    return None, "no formula found"
