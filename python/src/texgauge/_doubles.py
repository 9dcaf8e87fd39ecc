"""Numbers of pairs as an array that needs NumPy only for arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload


def _operator(name: str) -> Callable[[Doubles, Any], Any]:
    """Give the operator of NumPy arrays with this name."""

    def operate(self: Doubles, other: Any) -> Any:
        plain = other.__array__() if isinstance(other, Doubles) else other
        return getattr(self.__array__(), name)(plain)

    return operate


class Doubles(Sequence[float]):
    """A read-only array of n doubles, with NaN for a pair that has no score.

    ``numpy.asarray()`` shares its memory. Arithmetic, comparisons and slices give NumPy arrays, and
    need NumPy. `mean`, `min`, `max` and `sum` leave out NaN.

    >>> column = Doubles(memoryview(bytes(16)).cast("d"))
    >>> column, column.mean(), (column + 1).tolist()
    (Doubles([0.0, 0.0]), 0.0, [1.0, 1.0])
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, values: memoryview[float]) -> None:
        """Make an array of memory that does not change; users get arrays from `Scores.column`."""
        self._memory = values

    @property
    def values(self) -> memoryview[float]:
        """The memory itself."""
        return self._memory

    @property
    def shape(self) -> tuple[int]:
        """The number of pairs, as the shape of an array of one dimension."""
        return (len(self),)

    @property
    def _defined(self) -> list[float]:
        return [value for value in self.values if not math.isnan(value)]

    def mean(self, axis: None = None, dtype: None = None, out: None = None) -> float:
        """Give the mean over the pairs that have a score; NaN where none has."""
        defined = self._defined
        return math.fsum(defined) / len(defined) if defined else math.nan

    def sum(self, axis: None = None, dtype: None = None, out: None = None) -> float:
        """Give the sum over the pairs that have a score."""
        return math.fsum(self._defined)

    def max(self, axis: None = None, out: None = None) -> float:
        """Give the highest score; NaN where no pair has one."""
        return max(self._defined, default=math.nan)

    def min(self, axis: None = None, out: None = None) -> float:
        """Give the lowest score; NaN where no pair has one."""
        return min(self._defined, default=math.nan)

    def tolist(self) -> list[float]:
        """Give the scores as a list of floats."""
        return list(self.values)

    def tobytes(self) -> bytes:
        """Give the memory as bytes."""
        return self.values.tobytes()

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[float]:
        return iter(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        import numpy  # noqa: PLC0415

        array = numpy.asarray(self.values)
        if dtype is not None and numpy.dtype(dtype) != array.dtype:
            if copy is False:
                raise ValueError(f"scores are float64: as {numpy.dtype(dtype)} they are a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    @overload
    def __getitem__(self, index: int) -> float: ...
    @overload
    def __getitem__(self, index: Any) -> Any: ...
    def __getitem__(self, index: Any) -> Any:
        """Give one score; of a slice, a mask or several places an array of NumPy's."""
        if isinstance(index, int):
            return self.values[index]
        return self.__array__()[index]

    __add__, __radd__ = _operator("__add__"), _operator("__radd__")
    __sub__, __rsub__ = _operator("__sub__"), _operator("__rsub__")
    __mul__, __rmul__ = _operator("__mul__"), _operator("__rmul__")
    __truediv__, __rtruediv__ = _operator("__truediv__"), _operator("__rtruediv__")
    __pow__, __rpow__ = _operator("__pow__"), _operator("__rpow__")
    __lt__, __le__ = _operator("__lt__"), _operator("__le__")
    __gt__, __ge__ = _operator("__gt__"), _operator("__ge__")
    __eq__ = _operator("__eq__")
    __ne__ = _operator("__ne__")

    def __neg__(self) -> Any:
        return -self.__array__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _doubles_of, (self.tobytes(),)

    def __repr__(self) -> str:
        shown = [repr(value) for value in self.values[:6]]
        return f"Doubles([{', '.join(shown)}{', ...' if len(self) > len(shown) else ''}])"


def _doubles_of(memory: bytes) -> Doubles:
    return Doubles(memoryview(memory).cast("d"))
