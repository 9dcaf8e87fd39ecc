#!/usr/bin/env python3
"""Turns latex_text.tsv into a constant C table, sorted by command.

Usage: latex_text.py OUTPUT latex_text.tsv

A row is: command without backslash (or =STYLE), kinds of its arguments, kind of output, output with
`\\\\` and `\\n` for a backslash and a line's end.
"""
import sys

KINDS = ("text", "drop", "rare", "args", "style", "accent", "fill", "letters")


def literal(text):
    return '"' + "".join(f"\\{byte:03o}" if not 32 <= byte < 127 or chr(byte) in '"\\?' else chr(byte)
                         for byte in text.encode()) + '"'


rows = {}
for number, line in enumerate(open(sys.argv[2], encoding="utf-8"), 1):
    fields = line.rstrip("\n").split("\t")
    if len(fields) != 4 or fields[2] not in KINDS or fields[0] in rows:
        sys.exit(f"{sys.argv[2]}:{number}: not a row of four fields, or the second of its command")
    output = fields[3].replace("\\n", "\n") if fields[3] != "\\\\" else "\\"
    if fields[2] == "accent":
        output = chr(int(output, 16))
    rows[fields[0]] = fields[1], fields[2], output
with open(sys.argv[1], "w", encoding="ascii") as out:
    out.write('#include "datasets/documents/page.h"\n\n'
              "const TgLatexText tg_latex_texts[] = {\n")
    for name, (arguments, kind, output) in sorted(rows.items(), key=lambda row: row[0].encode()):
        out.write(f"    {{ {literal(name)}, {literal(arguments)}, TG_LATEX_{kind.upper()}, "
                  f"{literal(output)} }},\n")
    out.write(f"}};\n\nconst guint tg_n_latex_texts = {len(rows)};\n")
