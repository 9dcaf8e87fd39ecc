#!/usr/bin/env python3
"""Writes latex_text.tsv, commands that pylatexenc 2.10 turns into text, as rows of a C array.

Usage: latex_text.py OUTPUT TABLE. A row is: command without backslash (or =STYLE), kinds of its arguments, kind of output,
output, in which `\\\\\\\\` and `\\n` stand for a backslash and a line's end.
"""
import sys

KINDS = ("text", "drop", "rare", "args", "style", "accent", "fill", "letters")


def literal(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def main():
    output, path = sys.argv[1:]
    rows = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            fields = line.rstrip("\n").split("\t")
            if len(fields) != 4 or fields[2] not in KINDS:
                sys.exit(f"{path}:{number}: not a row of four fields as the others are")
            name, arguments, kind, text = fields
            text = chr(int(text, 16)) if kind == "accent" else text
            text = text.replace("\\n", "\n") if text != "\\\\" else "\\"
            rows.append((name, f"    {{ {literal(name)}, {literal(arguments)}, LATEX_{kind.upper()}, {literal(text)} }},\n"))
    with open(output, "w", encoding="utf-8", newline="\n") as out:
        out.write("/* Written by latex_text.py. */\n" + "".join(row for _, row in sorted(rows)))


main()
