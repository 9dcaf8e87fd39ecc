#!/usr/bin/env python3
"""Write what fuzzing starts from beside the seeds: run.sh calls it.

usage: material.py SOURCE_ROOT SHARED FOLDER

FOLDER/formulas gets every 150th formula of the shared reference data, one a file; nothing where SHARED
is not there. FOLDER/fonts gets a font of each kind that is installed.
FOLDER/NAME.dict are dictionaries for libFuzzer's -dict: the names of commands, environments
and symbols (latex), and the words of the formats that are read (json, table, model, options).
"""

import json
import pathlib
import re
import shutil
import sys

EVERY = 150
FONTS = ["lmr10.pfb", "msbm10.ttf", "lmroman10-regular.otf"]
NAMES = [
    ("tokenizer/macros/commands.tsv", r"^\\([A-Za-z]+)\t", "\\\\{}"),
    ("tokenizer/macros/environments.tsv", r"^([A-Za-z*]+)\t", "\\\\begin{{{}}}"),
    ("tokenizer/symbols/symbols.tsv", r"^\\([A-Za-z]+)\t", "\\\\{}"),
]
LATEX = ["{", "}", "^", "_", "&", "\\\\", "$", "#1", "\\\\left(", "\\\\right)", "[t]", "1pt", "'"]
JSON = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '\\"',
    "null",
    "true",
    "1e308",
    "-0",
    "\\\\u0000",
    "\\\\ud800",
]
ROLES = [
    "gt",
    "pred",
    "id",
    "model",
    "subset",
    "human",
    "scores",
    "rater",
    "score",
    "page",
    "latex",
]
RESULTS = [
    "texgauge_results",
    "row",
    "status",
    "stats",
    "metrics",
    "label",
    "spec",
    "signature",
    "columns",
]
MODEL = [
    "model",
    "vocab",
    "merges",
    "type",
    "BPE",
    "normalizer",
    "pre_tokenizer",
    "added_tokens",
    "dtype",
]
MODEL += [
    "F32",
    "F16",
    "BF16",
    "shape",
    "data_offsets",
    "wte.weight",
    "wpe.weight",
    "pretokenizers",
]
TABLE = [",", ";", "\\x09", "\\x0d\\x0a", '\\"', '\\"\\"', "\\xef\\xbb\\xbf"]
OPTIONS = [
    "<",
    "<=",
    "=",
    "!=",
    ">",
    ":",
    ",",
    ".",
    "[0]",
    "[a=b]",
    "nan",
    "inf",
    "-1",
    "1e9",
    "status.",
]


def formulas(shared):
    for path in sorted((shared / "data" / "im2latex").glob("*.txt")):
        yield from path.read_text(encoding="utf-8").splitlines()
    for path in sorted((shared / "data" / "pdf-parse-bench").glob("*.json")):
        for item in json.loads(path.read_text(encoding="utf-8")):
            yield item["latex"]


def latex_words(root):
    for path, pattern, form in NAMES:
        names = re.findall(pattern, (root / path).read_text(encoding="utf-8"), re.MULTILINE)
        yield from (form.format(name) for name in names)


def option_words(root):
    """The names of metrics, options and choices, as the tables of options in C have them."""
    for path in sorted((root / "metrics").rglob("*.c")):
        text = path.read_text(encoding="utf-8")
        yield from re.findall(r'\.name = "([a-z0-9.-]+)"', text)
        yield from re.findall(r'^    \{ "([a-z0-9-]+)",', text, re.MULTILINE)


def copy_fonts(folder):
    folder.mkdir(exist_ok=True)
    for name in FONTS:
        for path in sorted(pathlib.Path("/usr/share").glob(f"*/**/{name}"))[:1]:
            shutil.copyfile(path, folder / name)


def write_dictionary(path, words):
    lines = "".join(f'"{word}"\n' for word in dict.fromkeys(words))
    path.write_text(lines, encoding="utf-8")


def main():
    root, shared, folder = (pathlib.Path(word) for word in sys.argv[1:])
    seeds = folder / "formulas"
    seeds.mkdir(parents=True, exist_ok=True)
    if shared.is_dir():
        for i, formula in enumerate(formulas(shared)):
            if i % EVERY == 0:
                (seeds / str(i)).write_text(formula, encoding="utf-8")
    copy_fonts(folder / "fonts")
    write_dictionary(folder / "latex.dict", [*LATEX, *latex_words(root)])
    write_dictionary(folder / "json.dict", [*JSON, *ROLES, *RESULTS])
    write_dictionary(folder / "model.dict", [*JSON, *MODEL])
    write_dictionary(folder / "table.dict", [*TABLE, *ROLES])
    write_dictionary(folder / "options.dict", [*OPTIONS, *ROLES, *option_words(root)])


if __name__ == "__main__":
    main()
