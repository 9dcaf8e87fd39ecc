"""Single formulas: one spelling of many, and tokens."""

from __future__ import annotations

import functools

from texgauge import _core

_tokenizer = functools.lru_cache(maxsize=16)(_core.tokenizer)


def canonical(formula: str, *, rules: str | None = None, strict: bool = False) -> str:
    r"""Give one spelling for all formulas that LaTeX draws alike.

    ``rules`` changes the rules that are on by default, such as ``"-groups,+spaces"``. What cannot
    be parsed is kept as it is written.

    Raises `Error` for an unknown rule and, with ``strict``, for a formula with a fault.

    >>> canonical(r"x_{i} ^ 2 \over y")
    '\\frac{x_{i}^{2}}{y}'
    >>> canonical(r"\frac{a}", strict=True)
    Traceback (most recent call last):
        ...
    texgauge.Error: \frac needs two arguments, column 1
    """
    return _core.canonical(formula_text(formula), rules, strict)


def tokens(formula: str, *, tokenizer: str = "latex", lowercase: bool = False) -> list[str]:
    r"""Split a formula as text metrics do.

    ``tokenizer`` is a value of the metrics' option ``tokenize``, such as ``"char"`` or
    ``"bpe:tokenizer.json"``. A file is read once, at the first call.

    Raises `Error` for an unknown tokenizer and for a file that cannot be read.

    >>> tokens(r"\frac{a}{12}")
    ['\\frac', '{', 'a', '}', '{', '1', '2', '}']
    >>> tokens("a b", tokenizer="words")
    ['a', 'b']
    """
    return _core.tokens(formula_text(formula), _tokenizer(tokenizer, lowercase))


def formula_text(formula: str) -> str:
    """Give a formula that is a text, as all must be."""
    if not isinstance(formula, str):
        raise TypeError(f"a formula must be str, not {type(formula).__name__}")
    return formula
