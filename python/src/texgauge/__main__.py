"""Run the program ``texgauge``, which the package holds: the command and ``python -m texgauge``."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import NoReturn


def main() -> NoReturn:
    """Become the program, with the arguments of this process."""
    # Python ignores these; the program is to end quietly where a pipe is closed, as any other.
    for name in ("SIGPIPE", "SIGXFSZ"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    program = str(Path(__file__).resolve().with_name("texgauge"))
    os.execv(program, [program, *sys.argv[1:]])  # it finds its data by its name


if __name__ == "__main__":
    main()
