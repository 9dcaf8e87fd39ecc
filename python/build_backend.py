"""The build backend of `pip install .`: meson-python, after a check of what it needs.

Meson would name one missing library, and the next one at the next try; here all are named at once,
with the one command that installs them. pyproject.toml names this file.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import mesonpy

sys.path.append(str(Path(__file__).parent))
import fonts

build_editable = mesonpy.build_editable
build_sdist = mesonpy.build_sdist
build_wheel = mesonpy.build_wheel
get_requires_for_build_sdist = mesonpy.get_requires_for_build_sdist

# Modules of pkg-config, with Debian's package of each.
MODULES = {
    "glib-2.0": "libglib2.0-dev",
    "gmodule-no-export-2.0": "libglib2.0-dev",
    "jansson": "libjansson-dev",
    "cairo": "libcairo2-dev",
    "freetype2": "libfreetype-dev",
    "zlib": "zlib1g-dev",
    "libzstd": "libzstd-dev",
}


def compiles(compiler: list[str], source: str, *words: str) -> bool:
    """Tell whether a source compiles and links."""
    command = [*compiler, "-x", "c", "-", "-o", os.devnull, *words]
    done = subprocess.run(command, input=source.encode(), capture_output=True, check=False)
    return done.returncode == 0


def missing() -> dict[str, str]:
    """List the things that the build needs but does not find, each with its Debian package."""
    found = {}
    named = os.environ.get("CC", "").split()
    compiler = named or [name for name in ("cc", "gcc", "clang") if shutil.which(name)][:1]
    if not compiler or not compiles(compiler, "#include <stdio.h>\nint main(void) { return 0; }"):
        found["a C compiler"] = "gcc libc6-dev"
    if not (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        found["Python.h"] = "python3-dev"
    tool = shutil.which(os.environ.get("PKG_CONFIG") or "pkg-config")
    if not tool:
        found["pkg-config"] = "pkg-config"
    for module, package in MODULES.items():
        if not tool or subprocess.run([tool, "--exists", module], check=False).returncode != 0:
            found[module] = package
    if "a C compiler" in found or not compiles(
        compiler, "#include <csv.h>\nint main(void) { return csv_error(0); }", "-lcsv"
    ):
        found["libcsv"] = "libcsv-dev"
    lacking = fonts.missing()
    if any(name.endswith(".ttf") for name in lacking):
        found["the AMS fonts"] = "fonts-lyx"
    if any(not name.endswith(".ttf") for name in lacking):
        found["Latin Modern"] = "lmodern"
    return found


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Stop if something is missing; a build for another machine brings its own tools."""
    found = {} if "--cross-file" in str(config_settings) else missing()
    if found:
        packages = " ".join(dict.fromkeys(" ".join(found.values()).split()))
        sys.exit(
            f"texgauge is compiled here, and what that needs is missing: {', '.join(found)}.\n"
            f"On Debian and Ubuntu:\n\n    apt-get install {packages}\n\n"
            "Elsewhere install what these packages hold; for fonts of Debian's packages that are "
            "unpacked\nin a folder set FONT_ROOT to it. The wheels of PyPI need none of this."
        )
    return mesonpy.get_requires_for_build_wheel(config_settings)


get_requires_for_build_editable = get_requires_for_build_wheel
