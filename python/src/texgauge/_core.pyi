from collections.abc import Callable, Sequence
from typing import TypedDict

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
    label: str
    signature: str
    n_columns: int

class Batch:
    def __len__(self) -> int: ...
    def column(self, column: int, /) -> bytes: ...
    def pooled(self, column: int, /) -> float: ...
    def status(self, metric: int, /) -> list[str]: ...
    def notes(self, metric: int, /) -> list[str | None]: ...
    def first(self) -> tuple[float, str]: ...

class Scorer:
    def __new__(
        cls,
        metrics: str,
        *,
        undefined: str | None = None,
        renderer: str | None = None,
        keep_delimiters: bool = False,
        detail: bool = False,
    ) -> Scorer: ...
    def score(
        self,
        references: Sequence[str | Sequence[str] | None],
        predictions: Sequence[str | None],
        threads: int = 1,
        progress: Callable[[int, int], object] | None = None,
        /,
    ) -> Batch: ...
    def columns(self) -> list[_Column]: ...
    def metrics(self) -> list[_Metric]: ...

def metric_names() -> list[tuple[str, str]]: ...
def canonical(tex: str, rules: str | None = None, strict: bool = False, /) -> str: ...
def tree_json(tex: str, /) -> str: ...
def tokens(text: str, tokenizer: str, lowercase: bool = False, /) -> list[str]: ...
