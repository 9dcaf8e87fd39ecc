#!/usr/bin/env python3
"""Writes files as C strings, so that the library needs no files of its own to make a page.

Usage: embed.py OUTPUT NAME=FILE,FILE...
"""
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "core"))
from c_tables import literal  # noqa: E402


with open(sys.argv[1], "w", encoding="ascii", newline="\n") as out:
    for argument in sys.argv[2:]:
        name, paths = argument.split("=", 1)
        lines = []
        for path in paths.split(","):
            with open(path, "rb") as file:
                lines += file.read().splitlines(keepends=True)
        out.write(f"extern const char {name}[];\nconst char {name}[] =\n")
        out.write("\n".join("    " + literal(line) for line in lines) + ";\n")
