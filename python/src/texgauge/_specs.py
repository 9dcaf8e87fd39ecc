"""Metrics and their options as types; python/write_specs.py writes this file."""

from __future__ import annotations

from typing import Literal, overload

MetricName = Literal[
    "bleu",
    "edit",
    "edit-dist",
    "cer",
    "wer",
    "edit-ops",
    "exprate",
    "crohme-graph",
    "olmocr",
    "rouge",
    "chrf",
    "texbleu",
    "ebleu",
    "forte",
    "render",
    "cdm",
    "cdm-strict",
    "imgedit",
    "mse",
    "ssim",
]
"""The names that `metrics` lists."""

SetName = Literal[
    "default",
    "text",
    "drawn",
    "all",
    "omnidocbench",
    "crohme",
    "crohme-both",
    "speech2latex",
]
"""Several metrics that go together."""


class Spec(str):
    """A metric with options, with a label, or of the user's own; `spec` and others make it.

    >>> Spec("bleu2=bleu:order=2") == spec("bleu", label="bleu2", order=2)
    True
    """

    __slots__ = ()


@overload
def spec(
    name: Literal["bleu"],
    /,
    *,
    label: str | None = None,
    tokenize: str = ...,
    lowercase: bool = ...,
    normalize: str = ...,
    order: int = ...,
    smooth: Literal[
        "none",
        "floor",
        "add-k",
        "exp",
        "nltk0",
        "nltk1",
        "nltk2",
        "nltk3",
        "nltk4",
        "nltk5",
        "nltk6",
        "nltk7",
        "preset",
    ] = ...,
    compat: Literal[
        "none",
        "sacrebleu-r",
    ] = ...,
    smooth_value: str = ...,
    effective_order: Literal[
        "no",
        "yes",
        "pairs",
        "preset",
    ] = ...,
    weights: str = ...,
) -> Spec: ...


@overload
def spec(
    name: Literal["edit"],
    /,
    *,
    label: str | None = None,
    tokenize: str = ...,
    lowercase: bool = ...,
    normalize: str = ...,
    variant: Literal[
        "levenshtein",
        "osa",
        "indel",
    ] = ...,
) -> Spec: ...


@overload
def spec(
    name: Literal["edit-dist"],
    /,
    *,
    label: str | None = None,
) -> Spec: ...


@overload
def spec(
    name: Literal["cer"],
    /,
    *,
    label: str | None = None,
    edits: str = ...,
    lowercase: bool = ...,
    normalize: str = ...,
) -> Spec: ...


@overload
def spec(
    name: Literal["wer"],
    /,
    *,
    label: str | None = None,
    tokenize: str = ...,
    lowercase: bool = ...,
    normalize: str = ...,
) -> Spec: ...


@overload
def spec(
    name: Literal["edit-ops"],
    /,
    *,
    label: str | None = None,
    tokenize: str = ...,
    lowercase: bool = ...,
    normalize: str = ...,
) -> Spec: ...


@overload
def spec(
    name: Literal["exprate"],
    /,
    *,
    label: str | None = None,
    tokenize: str = ...,
    lowercase: bool = ...,
    normalize: str = ...,
) -> Spec: ...


@overload
def spec(
    name: Literal["crohme-graph"],
    /,
    *,
    label: str | None = None,
) -> Spec: ...


@overload
def spec(
    name: Literal["olmocr"],
    /,
    *,
    label: str | None = None,
) -> Spec: ...


@overload
def spec(
    name: Literal["rouge"],
    /,
    *,
    label: str | None = None,
    tokenize: str = ...,
    lowercase: bool = ...,
    normalize: str = ...,
) -> Spec: ...


@overload
def spec(
    name: Literal["chrf"],
    /,
    *,
    label: str | None = None,
    char_order: int = ...,
    word_order: int = ...,
    beta: float = ...,
    lowercase: bool = ...,
    normalize: str = ...,
    whitespace: bool = ...,
    eps_smoothing: bool = ...,
) -> Spec: ...


@overload
def spec(
    name: Literal["texbleu"],
    /,
    *,
    label: str | None = None,
    model: str = ...,
    variant: Literal[
        "paper",
        "repo",
    ] = ...,
    align: Literal[
        "none",
        "edit",
    ] = ...,
    normalize: str = ...,
    brevity: bool = ...,
) -> Spec: ...


@overload
def spec(
    name: Literal["ebleu"],
    /,
    *,
    label: str | None = None,
    tokenize: str = ...,
    lowercase: bool = ...,
    normalize: str = ...,
    synonyms: str = ...,
    rare_corpus: str = ...,
    brevity: bool = ...,
    clean: bool = ...,
    compat: Literal[
        "none",
        "2014",
    ] = ...,
) -> Spec: ...


@overload
def spec(
    name: Literal["forte"],
    /,
    *,
    label: str | None = None,
    profile: Literal[
        "people",
        "strict-meaning",
        "ocr",
    ] = ...,
    packages: str = ...,
) -> Spec: ...


@overload
def spec(
    name: Literal["render"],
    /,
    *,
    label: str | None = None,
    packages: str = ...,
) -> Spec: ...


@overload
def spec(
    name: Literal["cdm"],
    /,
    *,
    label: str | None = None,
    dialect: Literal[
        "unimernet",
        "omnidocbench-1.5",
        "omnidocbench-1.6",
    ] = ...,
    page: Literal[
        "official",
        "unlimited",
    ] = ...,
    locate: Literal[
        "layout",
        "raster",
    ] = ...,
    max_elements: int = ...,
) -> Spec: ...


@overload
def spec(
    name: Literal["cdm-strict"],
    /,
    *,
    label: str | None = None,
    style: Literal[
        "class",
        "ignore",
    ] = ...,
    max_elements: int = ...,
) -> Spec: ...


@overload
def spec(
    name: Literal["imgedit"],
    /,
    *,
    label: str | None = None,
    dpi: float = ...,
    margin: int = ...,
    compat: bool = ...,
) -> Spec: ...


@overload
def spec(
    name: Literal["mse"],
    /,
    *,
    label: str | None = None,
    dpi: float = ...,
    margin: int = ...,
) -> Spec: ...


@overload
def spec(
    name: Literal["ssim"],
    /,
    *,
    label: str | None = None,
    dpi: float = ...,
    margin: int = ...,
) -> Spec: ...


def spec(name: str, /, *, label: str | None = None, **options: object) -> Spec:
    """Name a metric with options, for `Metric`, `score`, `evaluate` and all that take metrics.

    ``label`` is what its columns are called after. The options are those of the metric's page, with
    ``_`` for ``-``; what is wrong with one is told by what takes the metric.

    >>> spec("bleu", order=2, smooth="nltk4", label="bleu2")
    'bleu2=bleu:order=2:smooth=nltk4'
    """
    written = {True: "yes", False: "no"}
    words = [f"{label}={name}" if label else name]
    for option, value in options.items():
        text = written[value] if isinstance(value, bool) else str(value)
        words.append(f"{option.replace('_', '-')}={text}")
    return Spec(":".join(words))
