"""Check that wheels need nothing unexpected of the system and show nothing to other packages.

    check_wheel.py WHEEL...

Every library is linked statically and hidden, the C library is old enough for the wheel's tag, the
terms of all that is linked travel along, and no path of the machine that built it is inside. The
exit code is 1 where a wheel has a fault; all faults are printed. `./dev release wheels` runs it.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from wheels import GLIBC, MAX_SIZE, PYTHON, ROOT, SOURCES

# The libraries that manylinux allows and our wheel needs: the parts of the C library.
C_LIBRARY = re.compile(r"(lib(c|m|pthread|dl|rt)\.so\.\d|ld-linux-[\w-]+\.so\.\d)$")
EXTENSION, PROGRAM = "texgauge/_core.abi3.so", "texgauge/texgauge"


def version() -> str:
    """Return the version, which meson.build alone has."""
    match = re.search(r"^  version: '(.*)',", (ROOT / "meson.build").read_text(), re.MULTILINE)
    assert match is not None
    return match[1]


def faults_of_elf(name: str, data: bytes) -> list[str]:
    """List libraries that a program or an extension must not need, and symbols it must not show."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        words = ["readelf", "--wide", "--dynamic", "--dyn-syms", "--version-info", file.name]
        text = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    found = [
        f"{name} needs {library}, which is not of the C library"
        for library in re.findall(r"\(NEEDED\).*\[(.*)\]", text)
        if not C_LIBRARY.match(library)
    ]
    if re.search(r"\(R(UN)?PATH\)", text):
        found.append(f"{name} looks for libraries in folders of its own")
    needed = {(int(a), int(b)) for a, b in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", text)}
    newest = tuple(map(int, GLIBC.split(".")))
    found += [f"{name} needs glibc {a}.{b}" for a, b in sorted(needed) if (a, b) > newest]
    shown = set(re.findall(r" (?:GLOBAL|WEAK|UNIQUE) +DEFAULT +\d+ ([^\s@]+)", text))
    if name == EXTENSION:
        found += [f"{name} shows {symbol}" for symbol in sorted(shown - {"PyInit__core"})]
        if "PyInit__core" not in shown:
            found.append(f"{name} does not show PyInit__core")
    if str(ROOT).encode() in data:
        found.append(f"{name} has the path {ROOT} in it")
    return found


def faults_of_licenses(wheel: zipfile.ZipFile, metadata: str) -> list[str]:
    """List works whose terms the licenses folder lacks or the metadata does not name."""
    folder = metadata.replace("METADATA", "licenses/")
    texts = {
        name.removeprefix(folder): wheel.read(name)
        for name in wheel.namelist()
        if name.startswith(folder)
    }
    named = set(re.findall(r"^License-File: (.*)$", wheel.read(metadata).decode(), re.MULTILINE))
    found = [
        f"no terms of {name}"
        for name in (*SOURCES, "lmodern", "fonts-lyx")
        if not any(text for file, text in texts.items() if file.startswith(f"{name}/"))
    ]
    found += [f"no {name}" for name in ("LICENSE", "NOTICE") if not texts.get(name)]
    found += [f"METADATA does not name {name}" for name in sorted(set(texts) - named)]
    notice = texts.get("NOTICE", b"").decode()
    # With their versions: the sources that somebody who changes them needs.
    found += [
        f"NOTICE does not name {name}"
        for name in SOURCES
        if not re.search(rf"^ +{re.escape(name)} +\S*\d", notice, re.MULTILINE)
    ]
    return found


def faults(path: Path) -> list[str]:
    """List the faults of a wheel."""
    found = []
    tag = rf"{PYTHON}-abi3-manylinux_{GLIBC.replace('.', '_')}_(x86_64|aarch64)"
    if not re.fullmatch(rf"texgauge-{re.escape(version())}-{tag}\.whl", path.name):
        found.append(f"the name is not texgauge-{version()}-{tag}.whl")
    if path.stat().st_size > MAX_SIZE:
        found.append(f"more than {MAX_SIZE / 1e6:.0f} MB")
    with zipfile.ZipFile(path) as wheel:
        [metadata] = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        if f"\nVersion: {version()}\n" not in wheel.read(metadata).decode():
            found.append(f"METADATA is not of version {version()}")
        tags = wheel.read(metadata.replace("METADATA", "WHEEL")).decode()
        if re.findall("^Tag: (.*)$", tags, re.MULTILINE) != [path.stem.split("-", 2)[2]]:
            found.append("the tag in WHEEL is not that of the name")
        programs = {}
        for name in wheel.namelist():
            data = wheel.read(name)
            if data.startswith(b"\x7fELF"):
                programs[name] = data
            if re.search(r"\.so(\.|$)", name) and name != EXTENSION:
                found.append(f"{name} is a library that other packages may find")
        if set(programs) != {EXTENSION, PROGRAM}:
            found.append(f"machine code in {', '.join(sorted(programs))}")
        for name, data in programs.items():
            found += faults_of_elf(name, data)
        found += faults_of_licenses(wheel, metadata)
    return found


def main() -> None:
    """Check the wheels of the command line."""
    bad = [f"{path}: {fault}" for path in sys.argv[1:] for fault in faults(Path(path))]
    if bad:
        sys.exit("\n".join(bad))


if __name__ == "__main__":
    main()
