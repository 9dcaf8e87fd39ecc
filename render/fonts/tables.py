#!/usr/bin/env python3
"""Turns designs.tsv and slots.tsv, which say what their fields mean, into constant C tables.

Usage: tables.py OUTPUT designs.tsv slots.tsv
"""

import sys


def rows(path: str) -> list[list[str]]:
    """Return the fields of each row."""
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]


def main() -> None:
    """Write the file."""
    output, designs, slots = sys.argv[1:]
    with open(output, "w", encoding="ascii", newline="\n") as out:
        out.write('/* Written by render/fonts/tables.py. */\n#include "render/fonts/tables.h"\n\n'
                  "const TgFontDesign tg_font_designs[] = {\n")  # fmt: skip
        for font, below, name in rows(designs):
            size = "G_MAXINT64" if below == "-" else f"TG_PT({below})"
            out.write(f'    {{ TG_FONT_{font}, {size}, "{name}" }},\n')
        out.write("};\nconst guint tg_font_n_designs = G_N_ELEMENTS(tg_font_designs);\n")
        for encoding in ("text", "symbol", "companion", "accent"):
            out.write(f"\nconst TgTextSlot tg_{encoding}_slots[] = {{\n")
            out.writelines(f"    {{ 0x{character[2:]}, 0x{slot} }},\n"
                           for name, character, slot in rows(slots) if name == encoding)  # fmt: skip
            out.write("    { 0, 0 },\n};\n")


main()
