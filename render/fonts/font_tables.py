#!/usr/bin/env python3
"""Turns designs.tsv and slots.tsv, which say what their fields mean, into constant C tables.

Usage: font_tables.py OUTPUT designs.tsv slots.tsv
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "core"))
from c_tables import array, braces, each_row, literal, need, write  # noqa: E402

ENCODINGS = ("text", "symbol", "companion", "accent")


def read(path, patterns):
    """The fields of each row, which fit the patterns; no two rows have the same first two fields."""
    seen = set()

    def row(fields):
        need(len(fields) == len(patterns), f"not {len(patterns)} fields")
        for field, pattern in zip(fields, patterns):
            need(re.fullmatch(pattern, field), f"'{field}' is not {pattern}")
        need(tuple(fields[:2]) not in seen, "the row stands there twice")
        seen.add(tuple(fields[:2]))
        return fields

    return [fields for _, fields in each_row(path, row)]


def design(font, below, name):
    return braces([f"TG_FONT_{font}", "G_MAXINT64" if below == "-" else f"TG_PT({below})", literal(name)])


designs = read(sys.argv[2], ("[A-Z_]+", r"-|\d+(\.\d)?", "[a-z0-9-]+"))
slots = read(sys.argv[3], ("|".join(ENCODINGS), "U[+][0-9A-F]{4}", "[0-9A-F]{2}"))
write(sys.argv[1], "render/fonts/font_tables.py", '#include "render/fonts/tables.h"\n\n',
      array("TgFontDesign tg_font_designs", (design(*row) for row in designs), "tg_font_n_designs"),
      *("\n" + array(f"TgTextSlot tg_{encoding}_slots",
                     [braces([f"0x{character[2:]}", f"0x{slot}"]) for name, character, slot in slots if name == encoding]
                     + ["{ 0, 0 }"])
        for encoding in ENCODINGS))
