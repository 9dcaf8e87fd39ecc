#!/usr/bin/env python3
"""Writes latex_text.tsv, commands that pylatexenc 2.10 turns into text, as rows of a C array.

Usage: latex_text.py OUTPUT TABLE. A row is: command without backslash (or =STYLE), kinds of its arguments, kind of output,
output, in which `\\\\\\\\` and `\\n` stand for a backslash and a line's end.
"""
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "core"))
from c_tables import braces, choice, each_row, literal, need, write  # noqa: E402

KINDS = ("text", "drop", "rare", "args", "style", "accent", "fill", "letters")


def row(fields):
    need(len(fields) == 4, "a row needs four fields between tabs")
    name, arguments, kind, text = fields
    choice(kind, KINDS, "kind")
    text = chr(int(text, 16)) if kind == "accent" else text
    text = text.replace("\\n", "\n") if text != "\\\\" else "\\"
    return name, f"    {braces([literal(name), literal(arguments), f'LATEX_{kind.upper()}', literal(text)])},\n"


rows = sorted(found for _, found in each_row(sys.argv[2], row, comment="\n"))
write(sys.argv[1], "latex_text.py", *(text for _, text in rows))
