#!/usr/bin/env python3
"""Checks what a release promises: one version everywhere, and the symbols of the library.

Usage: check_release.py TEXGAUGE LIBRARY PKG_CONFIG_FILE VERSION [--write]

VERSION is that of meson.build. LIBRARY is called for its version unless it is built with a sanitizer, which Python
does not load. --write replaces tests/golden/symbols.txt by the library's symbols: one that goes or
changes its arguments needs a new major version (docs/reference/versioning.md).
"""

import ctypes
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SYMBOLS = ROOT / "tests/golden/symbols.txt"


def printed(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def found(pattern, file):
    match = re.search(pattern, (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    return match[1] if match else "nothing"


def versions(texgauge, library, pkg_config_file):
    """(where, version)."""
    yield "texgauge --version", printed(texgauge, "--version").split()[1]
    if not os.environ.get("TEXGAUGE_SANITIZED"):
        tg_version = ctypes.CDLL(library).tg_version
        tg_version.restype = ctypes.c_char_p
        yield "tg_version()", tg_version().decode()
    yield pkg_config_file, found("^Version: (.*)", pkg_config_file)
    yield "CITATION.cff", found("^version: (.*)", "CITATION.cff")
    yield "CHANGELOG.md, first heading", found(r"^## \[(.*)\]", "CHANGELOG.md")
    yield "docs/texgauge.1", found(r'"texgauge ([^"]*)"', "docs/texgauge.1")


def faults(texgauge, library, pkg_config_file, version):
    for where, said in versions(texgauge, library, pkg_config_file):
        if said != version:
            yield f"{where}: {said}, and meson.build has {version}"
    released = found(r"^## \[.*\] - (.*)", "CHANGELOG.md")
    if found("^date-released: (.*)", "CITATION.cff") != released:
        yield f"CITATION.cff: date-released is not that of CHANGELOG.md, {released}"
    # meson-python takes the version of the package from meson.build.
    if found('^(dynamic = .*"version")', "pyproject.toml") == "nothing":
        yield "pyproject.toml: has a version of its own"

    soname = f"libtexgauge.so.{version.split('.')[0]}"
    if f"[{soname}]" not in printed("readelf", "-d", library):
        yield f"{library}: the soname is not {soname}"
    lines = printed("nm", "-D", "--defined-only", library).splitlines()
    now = sorted(line.split()[-1] for line in lines if line.split()[-1].startswith("tg_"))
    if "--write" in sys.argv:
        SYMBOLS.write_text("".join(f"{name}\n" for name in now))
    listed = SYMBOLS.read_text().split()
    for name in sorted(set(listed) - set(now)):
        yield f"{name}: is gone from the library, which needs a new major version"
    for name in sorted(set(now) - set(listed)):
        yield f"{name}: is new; add it to tests/golden/symbols.txt (--write), and to CHANGELOG.md"


def main():
    found_faults = list(faults(*sys.argv[1:5]))
    for fault in found_faults:
        print(fault, file=sys.stderr)
    if not found_faults:
        print(f"{sys.argv[4]} everywhere, {len(SYMBOLS.read_text().split())} symbols")
    sys.exit(bool(found_faults))


if __name__ == "__main__":
    main()
