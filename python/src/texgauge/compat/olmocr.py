r"""olmOCR-bench's class of math tests, called as its program calls it.

>>> test = MathTest(pdf="a.pdf", page=1, id="1", type="math", math="x^2")
>>> test.run("The square is $y^2$.")
(False, 'No match found for x^2 anywhere in content')

To let the official program run without a browser, write its ``tests.MathTest = MathTest`` before it
loads the tests.
"""

from __future__ import annotations

from dataclasses import dataclass

from texgauge import olmocr


@dataclass
class MathTest:
    """A test of type ``math``: a formula that must stand on a page."""

    pdf: str
    page: int
    id: str
    type: str = "math"
    max_diffs: int = 0
    checked: object = None
    url: str | None = None
    math: str = ""
    ignore_dollar_delimited: bool = False

    def __post_init__(self) -> None:
        """Check the fields as the program does."""
        for name in ("pdf", "id"):
            if not getattr(self, name):
                raise ValueError(f"{name} cannot be empty")
        if self.type != "math":
            raise ValueError(f"invalid type: {self.type}")
        if not self.math.strip():
            raise ValueError("math cannot be empty")

    def run(self, content: str) -> tuple[bool, str]:
        """Give the verdict, and the program's reason where the test fails."""
        passed = olmocr.passes(
            math=self.math,
            markdown=content,
            ignore_dollar_delimited=self.ignore_dollar_delimited,
        )
        return passed, "" if passed else f"No match found for {self.math} anywhere in content"
