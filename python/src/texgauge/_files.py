"""Files that are written whole or not at all, and never over a file of another kind."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator, Sequence
from typing import IO, Union

from texgauge import _core

Path = Union[str, os.PathLike[str]]


@contextlib.contextmanager
def new_file(
    path: Path, *, mark: bytes, inputs: Sequence[Path] = (), force: bool = False
) -> Iterator[IO[bytes]]:
    """Open a new file, which replaces the old one when it is whole; write to a device directly.

    Without ``force`` the old file must begin with ``mark``, or have it soon after its beginning.
    The path must not be one of ``inputs``.
    """
    name = os.fspath(path)
    _core.check_output(name, [os.fspath(one) for one in inputs], mark, force)
    if os.path.exists(name) and not os.path.isfile(name):
        with open(name, "wb") as out:
            yield out
        return
    folder, base = os.path.split(os.path.realpath(name))
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, "no such folder", folder)
    part = os.path.join(folder, f".{base}.{os.getpid()}.part")
    try:
        with open(part, "wb") as out:
            yield out
        os.replace(part, os.path.join(folder, base))
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
