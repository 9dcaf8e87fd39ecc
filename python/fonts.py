"""List the font files that the package brings along, one path a line.

They are those that render/fonts/designs.tsv and face.c name: Debian's files of Latin Modern and of
LyX's fonts, of the system or below the folder FONT_ROOT.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARE = Path(os.environ.get("FONT_ROOT", "/")) / "usr/share"
FOLDERS = (
    *(SHARE / "texmf/fonts" / part for part in ("tfm/public/lm", "type1/public/lm")),
    *(SHARE / "texmf/fonts" / part for part in ("enc/dvips/lm", "opentype/public/lm-math")),
    SHARE / "fonts/truetype/lyx",
)


def names() -> set[str]:
    """List the files that the tables of render/fonts name."""
    designs = (ROOT / "render/fonts/designs.tsv").read_text()
    encodings = (ROOT / "render/fonts/face.c").read_text()
    found = set(re.findall(r'"([\w-]+\.(?:enc|ttf|otf))"', encodings))
    for design in re.findall(r"\t((?:rm-|ts1-)?lm\w+\d)$", designs, re.MULTILINE):
        found |= {f"{design}.tfm", design.rpartition("-")[2] + ".pfb"}
    return found


def find(name: str) -> Path | None:
    """Look for a font file."""
    return next((folder / name for folder in FOLDERS if (folder / name).is_file()), None)


def missing() -> list[str]:
    """List the files that are not found."""
    return sorted(name for name in names() if find(name) is None)


if __name__ == "__main__":
    if missing():
        sys.exit(f"font files are not found: {', '.join(missing())} (Debian: lmodern, fonts-lyx)")
    for font in sorted(names()):
        print(find(font))
