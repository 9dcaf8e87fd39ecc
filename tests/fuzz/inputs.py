#!/usr/bin/env python3
"""Files of inputs for fuzz targets: one input a line, percent-encoded as in URLs; lines with # are comments.

Usage: inputs.py unpack TARGET FOLDER
       inputs.py encode FILE
       inputs.py merge BUILD_FOLDER TARGET...

unpack writes each found input and regression as a file, as libFuzzer wants them. encode prints a file as a line, for regressions.txt.
merge replaces tests/fuzz/found/TARGET.txt by as few inputs as reach the same edges as it and
BUILD_FOLDER/corpus/TARGET, where ./dev check fuzz keeps what it finds.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote_from_bytes, unquote_to_bytes

HERE = Path(__file__).resolve().parent


def encode(data: bytes) -> str:
    """@data as a line; printable characters stay as they are."""
    text = data.decode("utf-8", errors="surrogateescape")
    line = "".join(
        c if c.isprintable() and c != "%" else quote_from_bytes(c.encode("utf-8", errors="surrogateescape"), safe="")
        for c in text
    )
    for blank in "# ":
        if line.startswith(blank):
            line = f"%{ord(blank):02X}" + line[1:]
    return line[:-1] + "%20" if line.endswith(" ") else line


def decode(line: str) -> bytes:
    return unquote_to_bytes(line)


def rows(path: Path) -> list[str]:
    """The lines of a file without comments and empty lines."""
    lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
    return [line for line in lines if line and not line.startswith("#")]


def regressions(target: str) -> list[tuple[str, bytes]]:
    """(name, input) of each regression of @target."""
    fields = (row.split("\t") for row in rows(HERE / "regressions.txt"))
    return [(name, decode(line)) for of, name, line in fields if of == target]


def found(target: str) -> list[bytes]:
    """What fuzzing found for @target."""
    return [decode(row) for row in rows(HERE / "found" / f"{target}.txt")]


def unpack(inputs: list[bytes], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for i, data in enumerate(inputs):
        (folder / str(i)).write_bytes(data)


def merge(build: Path, target: str) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        kept, known = Path(scratch) / "kept", Path(scratch) / "known"
        kept.mkdir()
        unpack(found(target), known)
        corpora = [folder for folder in (known, build / "corpus" / target) if folder.is_dir()]
        program = build / "tests/fuzz" / f"libfuzzer_{target}"
        subprocess.run([program, "-set_cover_merge=1", "-timeout=30", "-rss_limit_mb=2048", kept, *corpora], check=True)
        lines = sorted(encode(file.read_bytes()) for file in kept.iterdir())
    path = HERE / "found" / f"{target}.txt"
    path.write_text("".join(f"{line}\n" for line in lines if line), encoding="utf-8")
    print(f"{path}: {len(lines)} inputs")


def main() -> None:
    match sys.argv[1:]:
        case ["unpack", target, folder]:
            unpack(found(target) + [data for _, data in regressions(target)], Path(folder))
        case ["encode", path]:
            print(encode(Path(path).read_bytes()))
        case ["merge", build, *targets] if targets:
            for target in targets:
                merge(Path(build), target)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
