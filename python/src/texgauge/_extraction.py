r"""The formula in a model's completion, as `--clean answer` of the program finds it.

It takes time linear in the text, and raises nothing for any text.
"""

from __future__ import annotations

from collections.abc import Iterable

from texgauge import _core

WAYS = ("boxed", "fence", "display", "inline", "bare", "whole")
FORMULAS = WAYS[:-1]
"""The ways that never take prose for a formula."""


def extract_formula(completion: str, how: Iterable[str] = FORMULAS) -> tuple[str | None, str]:
    r"""Find the formula in a completion: the first way of ``how`` that finds one.

    The ways are ``boxed``, ``fence``, ``display`` and ``inline``, of which the last formula counts;
    ``bare``, the whole completion if it is a formula without words around it; and ``whole``, the
    whole completion even if it is prose, which only those get who name it. Nothing before
    ``</think>`` counts, nor anything after a ``<think>`` that is never closed, nor anything outside
    ``<answer>`` and ``</answer>``. The second value is the way, or why there is none.

    >>> extract_formula(r"The answer is \(x\), so \boxed{x^2}")
    ('x^2', 'boxed')
    >>> extract_formula(r"\frac{a}{b}")
    ('\\frac{a}{b}', 'bare')
    >>> extract_formula("no idea")
    (None, 'no formula found')
    >>> extract_formula("no idea", how=["whole"])
    ('no idea', 'whole')
    """
    found, way = _core.find_formula(completion.encode("utf-8", "surrogatepass"), ",".join(how))
    return (None if found is None else found.decode("utf-8", "surrogatepass")), way
