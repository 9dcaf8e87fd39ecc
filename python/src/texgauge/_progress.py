"""Progress of long calls: the user's function, a bar of tqdm's, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Union

Progress = Union[bool, Callable[..., object]]


@contextmanager
def watch(progress: Progress, *, unit: str) -> Iterator[Callable[..., object] | None]:
    """Give the function that C calls now and then; its first argument is how much is done."""
    if callable(progress):
        yield progress
        return
    if not progress:
        yield None
        return
    try:
        from tqdm.auto import tqdm  # noqa: PLC0415
    except ImportError:
        yield None
        return
    with tqdm(unit=f" {unit}") as bar:

        def update(done: int, *of: int) -> None:
            if len(of) == 1:  # all there are; a run over files knows bytes only
                bar.total = of[0]
            bar.update(done - bar.n)

        yield update
