"""Put into a wheel what a bare system lacks: shared libraries and fonts.

    bundle.py WHEEL OUTPUT_FOLDER

The libraries go into texgauge.libs beside the package, each a file of its own that may be replaced
(GLib and Cairo are under the LGPL), found by a run path. Only the C library is left to the system:
what manylinux takes for granted, GLib and X11, is missing from a slim container. The platform tag
names the newest version of the C library that any of them asks for. Debian's files of Latin Modern
and of LyX's fonts, those that render/fonts/designs.tsv names, go into texgauge/data/fonts: those
of the system, or those below FONT_ROOT, where before_all.sh puts them. On macOS delocate has
brought in the libraries, and only the fonts are added.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARE = Path(os.environ.get("FONT_ROOT", "/")) / "usr/share"
FONT_FOLDERS = (SHARE / "texmf/fonts", SHARE / "fonts")
LATIN_MODERN = ("tfm/public/lm", "type1/public/lm", "enc/dvips/lm", "opentype/public/lm-math")

# The C library, and the loader; the names before the version.
OF_THE_SYSTEM = ("ld-linux", "libc", "libm", "libdl", "libpthread", "librt", "libresolv")


def run(*words: str | Path) -> str:
    """Run a program and return what it prints."""
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def is_of_the_system(name: str) -> bool:
    """Tell whether a library is left to the system."""
    return re.split(r"\.so|-x86|-aarch", name, maxsplit=1)[0] in OF_THE_SYSTEM


def libraries_of(extension: Path) -> dict[str, Path]:
    """List all shared libraries that are needed, by the names by which they are asked for."""
    found = {}
    for line in run("ldd", extension).splitlines():
        match = re.match(r"\s*(\S+) => (/\S+)", line)
        if match and not is_of_the_system(match[1]):
            found[match[1]] = Path(match[2]).resolve()
        elif "not found" in line:
            sys.exit(f"{extension}: {line.strip()}")
    return found


def glibc_of(files: list[Path]) -> tuple[int, int]:
    """Find the newest version of the C library that any of the files asks for."""
    versions = [(2, 17)]
    for file in files:
        text = run("objdump", "-T", file)
        versions += [(2, int(minor)) for minor in re.findall(r"GLIBC_2\.(\d+)", text)]
    return max(versions)


def add_libraries(tree: Path) -> tuple[int, int]:
    """Copy the libraries, set the run paths, and return the version of the C library."""
    [extension] = tree.glob("texgauge/_core*.so")
    folder = tree / "texgauge.libs"
    folder.mkdir()
    for name, path in libraries_of(extension).items():
        copy = folder / name
        shutil.copyfile(path, copy)
        copy.chmod(0o755)
        run("patchelf", "--force-rpath", "--set-rpath", "$ORIGIN", copy)
    run("patchelf", "--force-rpath", "--set-rpath", "$ORIGIN/../texgauge.libs", extension)
    return glibc_of([extension, *folder.iterdir()])


def find_font(name: str) -> Path | None:
    """Look for a font file in Debian's folders."""
    for folder in FONT_FOLDERS:
        for sub in (*LATIN_MODERN, "truetype/lyx"):
            if (folder / sub / name).is_file():
                return folder / sub / name
    return None


def font_files() -> set[str]:
    """List the files that the tables of render/fonts name."""
    designs = (ROOT / "render/fonts/designs.tsv").read_text()
    encodings = (ROOT / "render/fonts/face.c").read_text()
    names = set(re.findall(r'"([\w-]+\.(?:enc|ttf|otf))"', encodings))
    for design in re.findall(r"\t((?:rm-|ts1-)?lm\w+\d)$", designs, re.MULTILINE):
        names |= {f"{design}.tfm", design.rpartition("-")[2] + ".pfb"}
    return names


def add_fonts(tree: Path) -> None:
    """Copy the fonts and their terms of use."""
    folder = tree / "texgauge/data/fonts"
    folder.mkdir(parents=True)
    for name in sorted(font_files()):
        path = find_font(name)
        if path is None:
            sys.exit(f"the font file {name} is not installed (Debian: lmodern, fonts-lyx)")
        shutil.copyfile(path, folder / name)
    for package in ("lmodern", "fonts-lyx"):
        shutil.copyfile(SHARE / "doc" / package / "copyright", folder / f"{package}.copyright")


def main() -> None:
    """Make the wheel of the command line."""
    wheel, output = Path(sys.argv[1]), Path(sys.argv[2])
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        run(sys.executable, "-m", "wheel", "unpack", wheel, "--dest", place)
        [tree] = Path(place).iterdir()
        add_fonts(tree)
        minor = add_libraries(tree)[1] if sys.platform == "linux" else None
        run(sys.executable, "-m", "wheel", "pack", tree, "--dest-dir", output)
    if minor is None:
        return  # delocate has set the tag
    tag = f"manylinux_2_{minor}_{platform.machine()}"
    run(
        sys.executable,
        "-m",
        "wheel",
        "tags",
        "--remove",
        "--platform-tag",
        tag,
        output / wheel.name,
    )


if __name__ == "__main__":
    main()
