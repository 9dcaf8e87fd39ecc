#!/usr/bin/env python3
"""Write more to start from for the fuzz targets that read formulas: run.sh calls it.

usage: formula_seeds.py SOURCE_ROOT SHARED FOLDER

FOLDER/seeds gets every 40th formula of the shared reference data, one a file; nothing where SHARED is
not there. FOLDER/latex.dict gets the names of commands and environments, for libFuzzer's -dict.
"""
import json
import pathlib
import re
import sys

EVERY = 40
NAMES = [
    ("tokenizer/latex/commands.c", r'^    [A-Z]+\("([A-Za-z]+\*?)"', "\\\\{}"),
    ("tokenizer/latex/environments.c", r'^    ROW\("([A-Za-z*]+)"', "\\\\begin{{{}}}"),
]
MORE = ["{", "}", "^", "_", "&", "\\\\", "$", "#1", "\\\\left(", "\\\\right)", "[t]", "1pt", "'"]


def formulas(shared):
    for path in sorted((shared / "data" / "im2latex").glob("*.txt")):
        yield from path.read_text(encoding="utf-8").splitlines()
    for path in sorted((shared / "data" / "pdf-parse-bench").glob("*.json")):
        for item in json.loads(path.read_text(encoding="utf-8")):
            yield item["latex"]


def main():
    root, shared, folder = (pathlib.Path(word) for word in sys.argv[1:])
    seeds = folder / "seeds"
    seeds.mkdir(parents=True, exist_ok=True)
    if shared.is_dir():
        for i, formula in enumerate(formulas(shared)):
            if i % EVERY == 0:
                (seeds / str(i)).write_text(formula, encoding="utf-8")
    words = list(MORE)
    for path, pattern, form in NAMES:
        names = re.findall(pattern, (root / path).read_text(encoding="utf-8"), re.MULTILINE)
        words += [form.format(name) for name in names]
    lines = "".join(f'"{word}"\n' for word in words)
    (folder / "latex.dict").write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main()
