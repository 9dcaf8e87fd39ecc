from collections.abc import Callable, Sequence
from typing import Any, TypedDict

__version__: str

class Error(ValueError):
    code: str

class _Column(TypedDict):
    name: str
    higher_is_better: bool
    min: float
    max: float
    pooling: str
    help: str

class _Metric(TypedDict):
    name: str
    signature: str

# doubles of each column, pooled values; of the first metric: statuses, notes, the first detail
Batch = tuple[list[bytes], list[float], list[str], list[str | None], str | None]

class Scorer:
    def __new__(cls, metrics: str, options: dict[str, Any], score: type[float], /) -> Scorer: ...
    def batch(
        self,
        references: Sequence[str | Sequence[str] | None],
        predictions: Sequence[str | None],
        threads: int = 1,
        progress: Callable[[int, int], object] | None = None,
        /,
    ) -> Batch: ...
    def score(self, *, reference: str | Sequence[str] | None, prediction: str | None) -> Any: ...
    def columns(self) -> list[_Column]: ...
    def metrics(self) -> list[_Metric]: ...

def metric_names() -> list[tuple[str, str]]: ...
def canonical(tex: str, rules: str | None = None, strict: bool = False, /) -> str: ...
def tokenizer(spec: str, lowercase: bool, /) -> object: ...
def tokens(text: str, tokenizer: object, /) -> list[str]: ...
def find_formula(answer: bytes, ways: str, /) -> tuple[bytes | None, str]: ...

Summary = object
Outcome = tuple[Summary, list[bytes], list[bytes], list[str]]

def evaluate(
    inputs: Sequence[str],
    pairs: tuple[Sequence[Any], Sequence[Any]] | None,
    options: dict[str, Any],
    progress: Callable[..., object] | None,
    /,
) -> tuple[Outcome, list[str], list[str]]: ...
def read(paths: Sequence[str], options: dict[str, Any], /) -> Outcome: ...
def format(summary: Summary, options: dict[str, Any], /) -> str: ...
def check_output(path: str, inputs: Sequence[str], mark: bytes, force: bool, /) -> None: ...
def compare(paths: Sequence[str], options: dict[str, Any], /) -> dict[str, str]: ...
def rate(paths: Sequence[str], output: str, force: bool, options: dict[str, Any], /) -> int: ...
def study(paths: Sequence[str], options: dict[str, Any], /) -> dict[str, str]: ...
def report(paths: Sequence[str], outputs: Sequence[str], options: dict[str, Any], /) -> None: ...
def extract(
    paths: Sequence[str], macros: Sequence[str], kind: str | None, inline: bool, /
) -> tuple[str, list[str]]: ...
def olmocr_test(
    math: str, markdown: str, ignore_dollars: bool, /
) -> tuple[str, str | None, int, str | None]: ...
def render(
    tex: str,
    format: str,
    dpi: float,
    size_pt: float,
    margin: float,
    text_style: bool,
    strict: bool,
    colors: str,
    /,
) -> bytes: ...
def boxes(
    tex: str, dpi: float, size_pt: float, margin: float, text_style: bool, /
) -> list[dict[str, Any]]: ...
def pair_row(metric: str, references: str | Sequence[str], prediction: str, /) -> str: ...
def pair_picture(
    metric: str,
    references: str | Sequence[str],
    prediction: str,
    format: str,
    scale: float,
    labels: str,
    lines: bool,
    boxes: bool,
    tint: bool,
    /,
) -> bytes: ...
def explain(
    metric: str, references: str | Sequence[str], prediction: str, width: int, /
) -> tuple[str, str]: ...
def register_metric(
    name: str,
    version: str,
    summary: str,
    function: str,
    callable: Callable[[list[str], str], object],
    columns: tuple[tuple[Any, ...], ...],
    /,
) -> None: ...
