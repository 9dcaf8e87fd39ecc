r"""olmOCR-bench's math tests, without a browser.

>>> from texgauge import olmocr
>>> olmocr.passes(math="x^2", markdown="The square $x_2$ passes.")
True
>>> olmocr.find(math="x=1", markdown="Here is $x=2$.")
Outcome(passed=False, by='', formula='x=2', line=1, why="'1' is missing")
"""

from __future__ import annotations

from typing import NamedTuple

from texgauge import _core

__all__ = ["Outcome", "find", "passes"]


class Outcome(NamedTuple):
    """The outcome of a test on a page."""

    passed: bool
    by: str
    """string, mathml, symbols, or reference without symbols; empty: it fails."""
    formula: str | None
    """The one that passes, else the nearest one; None: the page has none."""
    line: int
    """Of the page, where the formula begins; 0: there is none."""
    why: str | None
    """It fails."""


def find(*, math: str, markdown: str, ignore_dollar_delimited: bool = False) -> Outcome:
    """Look for the formula ``math`` on a page of Markdown."""
    by, formula, line, why = _core.olmocr_test(math, markdown, ignore_dollar_delimited)
    return Outcome(bool(by), by, formula, line, why)


def passes(*, math: str, markdown: str, ignore_dollar_delimited: bool = False) -> bool:
    """Whether the math test ``math`` passes on a page of Markdown."""
    return find(
        math=math, markdown=markdown, ignore_dollar_delimited=ignore_dollar_delimited
    ).passed
