"""Formulas and scores of single pairs, to look at."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Sequence
from typing import Any, Literal, Union

from texgauge import _core
from texgauge._files import new_file
from texgauge._formulas import formula_text
from texgauge._names import ONE_PAIR, renamed
from texgauge._specs import MetricName, Spec

Reference = Union[str, Sequence[str]]
_MARKS = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF-"}


class Picture:
    r"""A picture: notebooks show it; `svg`, `png` and `save` give it as a file.

    >>> from texgauge import render
    >>> picture = render(r"\frac{a}{b}")
    >>> isinstance(picture, Picture), picture.draw("pdf")[:5], "<svg" in picture.svg
    (True, b'%PDF-', True)
    """

    def draw(self, format: str) -> bytes:
        """Give the file's bytes; ``format`` is ``svg``, ``png`` or ``pdf``."""
        raise NotImplementedError

    @functools.cached_property
    def svg(self) -> str:
        """The picture as SVG."""
        return self.draw("svg").decode()

    @functools.cached_property
    def png(self) -> bytes:
        """The picture as PNG."""
        return self.draw("png")

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the picture; the suffix sets the format: .svg, .png or .pdf.

        It replaces a picture of the same format, and with ``force`` any file. Raises `ValueError`
        for another suffix, and `Error` for a file that may not be replaced.
        """
        suffix = os.path.splitext(path)[1].lstrip(".").lower()
        if suffix not in _MARKS:
            raise ValueError(f"{os.fspath(path)}: the suffix must be .svg, .png or .pdf")
        data = self.draw(suffix)
        with new_file(path, mark=_MARKS[suffix], force=force) as file:
            file.write(data)

    def _repr_svg_(self) -> str:
        return self.svg


class Drawing(Picture):
    """The drawing of a formula; `render` makes it.

    >>> from texgauge import render
    >>> render("x^2")
    <Drawing of 'x^2'>
    """

    def __init__(self, formula: str, **how: Any) -> None:
        self.formula = formula_text(formula)
        self._how = how
        self.svg  # noqa: B018 # what is wrong is an error now, not in the middle of a notebook

    def draw(self, format: str) -> bytes:
        """Give the file's bytes; ``format`` is ``svg``, ``png`` or ``pdf``."""
        how = self._how
        return _core.render(
            self.formula,
            format,
            how["dpi"],
            how["size"],
            how["margin"],
            how["inline"],
            how["strict"],
            how["colors"],
        )

    @functools.cached_property
    def boxes(self) -> list[dict[str, Any]]:
        """Each token with its span in the source (bytes of UTF-8) and its ink box.

        A box is ``(x0, y0, x1, y1)`` in pixels from the upper left corner, or None without ink.
        """
        how = self._how
        return _core.boxes(self.formula, how["dpi"], how["size"], how["margin"], how["inline"])

    def __repr__(self) -> str:
        return f"<Drawing of {self.formula!r}>"


def render(
    formula: str,
    *,
    dpi: float = 200,
    size: float = 12,
    margin: float = 4,
    inline: bool = False,
    strict: bool = False,
    colors: Literal["natural", "tokens", "flat"] = "natural",
) -> Drawing:
    r"""Draw a formula as TeX would, without TeX.

    ``dpi`` is the resolution in pixels per inch, ``size`` the font size in points, ``margin`` the
    white space around the formula in pixels; ``inline`` sets it in text style. ``colors`` is
    ``natural`` (black, or as the formula says), ``tokens`` (each token in a color of its own) or
    ``flat`` (the same without smooth edges). Of a formula with a fault, the readable part is drawn.

    Raises `Error` where nothing can be drawn and, with ``strict``, for a formula with a fault.

    >>> drawing = render(r"\frac{a}{b}")
    >>> drawing.png[1:4]
    b'PNG'
    >>> [box["token"] for box in drawing.boxes]
    ['\\frac', 'a', 'b']
    """
    return Drawing(
        formula, dpi=dpi, size=size, margin=margin, inline=inline, strict=strict, colors=colors
    )


class PairPicture(Picture):
    """A picture of how a metric scores a pair."""

    def __init__(self, metric: str, reference: Reference, prediction: str, **how: Any) -> None:
        self.metric = metric
        self.reference = reference
        self.prediction = prediction
        self._how: dict[str, Any] = {
            "labels": "none",
            "scale": 1,
            "lines": True,
            "boxes": False,
            "tint": False,
            **how,
        }

    def draw(self, format: str) -> bytes:
        how = self._how
        return _core.pair_picture(
            self.metric,
            self.reference,
            self.prediction,
            format,
            how["scale"],
            how["labels"],
            how["lines"],
            how["boxes"],
            how["tint"],
        )


class Match(PairPicture):
    """The elements of reference and prediction, and which were matched; `match` makes it.

    >>> from texgauge import match
    >>> found = match(reference="x+1", prediction="x+2")
    >>> found.scores["cdm.recall"], found.status
    (0.667, 'ok')
    >>> [element["token"] for element in found.predicted_elements]
    ['x', '+', '2']
    """

    def __init__(self, metric: str, reference: Reference, prediction: str, **how: Any) -> None:
        super().__init__(metric, reference, prediction, **how)
        row = json.loads(_core.pair_row(metric, reference, prediction))
        label = next(iter(row["status"]))
        self.scores: dict[str, float | None] = row["scores"]
        self.status: str = row["status"][label]
        self.detail: dict[str, Any] = row.get("detail", {}).get(label) or {}

    @property
    def elements(self) -> list[dict[str, Any]]:
        """The elements of the reference: token, span, box, verdict, partner."""
        return list(self.detail.get("gt", {}).get("elements", []))

    @property
    def predicted_elements(self) -> list[dict[str, Any]]:
        """The elements of the prediction."""
        return list(self.detail.get("pred", {}).get("elements", []))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} {value}" for name, value in self.scores.items())
        return f"<Match: {shown}; {self.status}>"


@renamed(**ONE_PAIR)
def match(
    *,
    reference: Reference,
    prediction: str,
    metric: MetricName | Spec = "cdm",
    labels: Literal["none", "wrong", "all"] = "none",
    scale: float = 1,
    lines: bool = True,
    boxes: bool = False,
    tint: bool = False,
) -> Match:
    r"""Show which elements CDM matches.

    The picture has boxes around what is wrong, and lines between partners that changed places
    (none with ``lines=False``). ``boxes`` draws also what matched. ``labels`` names no, the wrong
    or all boxes. ``tint`` colors the ink. ``scale`` enlarges the picture.

    Raises `Error` for a metric that matches no elements, and `TypeError` for what is no text.

    >>> found = match(reference=r"\frac{a}{b}", prediction=r"\frac{a}{6}")
    >>> [(e["token"], e["verdict"]) for e in found.elements]
    [('\\frac', 'accepted'), ('a', 'accepted'), ('b', 'other-token')]
    """
    return Match(
        metric,
        reference,
        prediction,
        labels=labels,
        scale=scale,
        lines=lines,
        boxes=boxes,
        tint=tint,
    )


class Explanation(PairPicture):
    """The edits that FORTE counts, numbered as in the picture; `explain` makes it.

    >>> from texgauge import explain
    >>> explanation = explain(reference="x^2", prediction="x_2")
    >>> len(explanation.edits), "<svg" in explanation.svg
    (1, True)
    """

    def __init__(self, metric: str, reference: Reference, prediction: str, width: int) -> None:
        super().__init__(metric, reference, prediction, labels="wrong")
        self.text, self._json = _core.explain(metric, reference, prediction, width)

    @functools.cached_property
    def data(self) -> Any:
        """Score, tokens and edits with their spans in the sources, in bytes."""
        return json.loads(self._json)

    @property
    def edits(self) -> list[dict[str, Any]]:
        """Every edit with its place on both sides."""
        return list(self.data["edits"])

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


@renamed(**ONE_PAIR)
def explain(
    *, reference: Reference, prediction: str, metric: MetricName | Spec = "forte", width: int = 100
) -> Explanation:
    """List the edits that FORTE counts between reference and prediction.

    ``width`` is that of the text, in characters. Raises `ValueError` for a formula that is missing
    or not UTF-8, and `Error` for a metric that counts no edits.

    >>> edit = explain(reference="x^2+1", prediction="x^3+1").edits[0]
    >>> edit["truth"]["name"], edit["prediction"]["name"]
    ('2', '3')
    """
    return Explanation(metric, reference, prediction, width)


def extract(
    *paths: str | os.PathLike[str],
    inline: bool = False,
    kind: str | None = None,
    macros: Sequence[str | os.PathLike[str]] = (),
) -> list[dict[str, Any]]:
    """Extract the formulas of LaTeX papers and Markdown, as ``texgauge documents`` does.

    A formula is a dict of ``id``, ``document``, ``file``, ``line``, ``kind``, ``environment`` and
    ``latex``. ``inline`` adds formulas within a line; ``kind`` is the format of the documents, if
    the names do not tell it; ``macros`` are files with definitions.

    Raises `Error` with the code ``input`` for a document that cannot be read.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paper = pathlib.Path(folder, "paper.md")
    ...     _ = paper.write_text("So $$x^2$$ holds.", "utf-8")
    ...     [formula["latex"] for formula in extract(paper)]
    ['x^2']
    """
    rows, faults = _core.extract(
        [os.fspath(path) for path in paths], [os.fspath(path) for path in macros], kind, inline
    )
    if faults:
        error = _core.Error("\n".join(faults))
        error.code = "input"
        raise error
    return [json.loads(row) for row in rows.split("\n") if row]
