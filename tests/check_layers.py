#!/usr/bin/env python3
"""Checks that includes go down only: a folder may include those it stands on and no other.

Usage: check_layers.py SOURCE_ROOT
"""

import pathlib
import re
import sys
import tempfile

# Folder -> the folders that it may include, its own aside. An arrow also allows what is below.
STANDS_ON = {
    "include": [],
    "core": ["include"],
    "tokenizer": ["core"],
    "datasets": ["tokenizer"],
    "render": ["tokenizer"],
    "metrics": ["render"],
    "eval": ["datasets", "metrics"],
    "cli": ["include"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def below(folder):
    """All folders that `folder` may include."""
    allowed = {folder}
    for other in STANDS_ON[folder]:
        allowed |= below(other)
    return allowed


def target_folder(folder, quote, name):
    """The project folder that an include leads to, or None for the outside world."""
    if name.startswith("texgauge/"):
        return "include"
    if quote == "<":
        return None
    first = name.split("/")[0]
    # cli/ is a program: its own headers stand beside its sources.
    return folder if "/" not in name and folder == "cli" else first


def check(root):
    faults, n_files = [], 0
    for folder in STANDS_ON:
        for path in sorted((root / folder).rglob("*.[ch]")):
            n_files += 1
            text = path.read_text(encoding="utf-8")
            for quote, name in INCLUDE.findall(text):
                target = target_folder(folder, quote, name)
                where = path.relative_to(root)
                if target is not None and target not in below(folder):
                    faults.append(f'{where}: {folder}/ must not include "{name}"')
                if folder == "include" and quote == '"':
                    faults.append(f'{where}: public headers include <texgauge/...>, not "{name}"')
                header = path.with_suffix(".h")
                own = header.relative_to(root).as_posix()
                if (path.suffix == ".c" and folder != "cli" and header.exists()
                        and INCLUDE.findall(text)[0][1] != own):
                    faults.append(f'{where}: must include its own header "{own}" first')
                    break
    return faults, n_files


def self_test():
    """The check must find what it is for."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for folder in STANDS_ON:
            (root / folder).mkdir()
        (root / "core/a.c").write_text('#include "metrics/b.h"\n')
        (root / "metrics/b.c").write_text('#include "core/a.h"\n#include <texgauge/env.h>\n')
        (root / "cli/c.c").write_text('#include "core/a.h"\n')
        (root / "datasets/d.c").write_text('#include "render/x.h"\n')
        faults, _ = check(root)
        wanted = ["core/a.c", "datasets/d.c", "cli/c.c"]
        assert sorted(f.split(":")[0] for f in faults) == sorted(wanted), faults


def main():
    self_test()
    faults, n_files = check(pathlib.Path(sys.argv[1]))
    print("\n".join(faults) if faults else f"layers: {n_files} files are in order")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
