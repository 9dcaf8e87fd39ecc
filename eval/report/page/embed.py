#!/usr/bin/env python3
"""Writes files as C strings, so that the library needs no files of its own to make a page.

Usage: embed.py OUTPUT NAME=FILE,FILE...
"""
import sys


def literal(line):
    """A line of bytes as a C string literal."""
    plain = (chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in line)
    return '"' + "".join(plain) + '"'


with open(sys.argv[1], "w", encoding="ascii", newline="\n") as out:
    for argument in sys.argv[2:]:
        name, paths = argument.split("=", 1)
        lines = []
        for path in paths.split(","):
            with open(path, "rb") as file:
                lines += file.read().splitlines(keepends=True)
        out.write(f"extern const char {name}[];\nconst char {name}[] =\n")
        out.write("\n".join("    " + literal(line) for line in lines) + ";\n")
