#!/usr/bin/env python3
"""Turns designs.tsv and slots.tsv, which say what their fields mean, into constant C tables.

Usage: tables.py OUTPUT designs.tsv slots.tsv

A row that cannot be is an error with file and line.
"""

import re
import sys
from collections.abc import Callable

ENCODINGS = ("text", "symbol", "companion", "accent")


def read(path: str, patterns: tuple[str, ...], key: Callable[[list[str]], object]) -> list[list[str]]:
    """Return the fields of each row, which fit the patterns; no two rows have the same key."""
    rows, seen = [], set()
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("#"):
                continue
            fields = line.rstrip("\n").split("\t")
            if len(fields) != len(patterns):
                sys.exit(f"{path}:{number}: not {len(patterns)} fields")
            for field, pattern in zip(fields, patterns):
                if not re.fullmatch(pattern, field):
                    sys.exit(f"{path}:{number}: '{field}' is not {pattern}")
            if key(fields) in seen:
                sys.exit(f"{path}:{number}: the row stands there twice")
            seen.add(key(fields))
            rows.append(fields)
    return rows


def main() -> None:
    """Write the file."""
    output, designs, slots = sys.argv[1:]
    designs = read(designs, ("[A-Z_]+", r"-|\d+(\.\d)?", "[a-z0-9-]+"), lambda row: (row[0], row[1]))
    slots = read(slots, ("|".join(ENCODINGS), "U[+][0-9A-F]{4}", "[0-9A-F]{2}"),
                 lambda row: (row[0], row[1]))  # fmt: skip
    with open(output, "w", encoding="ascii", newline="\n") as out:
        out.write('/* Written by render/fonts/tables.py. */\n#include "render/fonts/tables.h"\n\n'
                  "const TgFontDesign tg_font_designs[] = {\n")  # fmt: skip
        for font, below, name in designs:
            size = "G_MAXINT64" if below == "-" else f"TG_PT({below})"
            out.write(f'    {{ TG_FONT_{font}, {size}, "{name}" }},\n')
        out.write("};\nconst guint tg_font_n_designs = G_N_ELEMENTS(tg_font_designs);\n")
        for encoding in ENCODINGS:
            out.write(f"\nconst TgTextSlot tg_{encoding}_slots[] = {{\n")
            out.writelines(f"    {{ 0x{character[2:]}, 0x{slot} }},\n"
                           for name, character, slot in slots if name == encoding)  # fmt: skip
            out.write("    { 0, 0 },\n};\n")


main()
