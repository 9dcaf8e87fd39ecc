#!/usr/bin/env python3
"""Turns ams_metrics.tsv, which says what its fields mean, into constant C tables.

Usage: ams_tables.py OUTPUT ams_metrics.tsv
"""
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "core"))
from c_tables import array, braces, each_row, literal, need, write  # noqa: E402

fonts = {}  # font: (parameters, {code: [width, height, depth, italic, skew, larger]})


def add(fields):
    name, what, *values = fields
    values = [int(value) for value in values]
    if what == "params":
        need(name not in fonts, "the font stands there twice")
        fonts[name] = (values, {})
        return
    need(name in fonts, "the parameters of a font stand before its characters")
    code, chars = int(what, 16), fonts[name][1]
    need(code not in chars and 0 <= code < 256, "the code stands there twice")
    need(1 <= len(values) <= 6, "one to six numbers follow the code")
    chars[code] = values + [0] * (6 - len(values))


def tables(name, params, chars):
    rows = (braces([code, larger, width, height, depth, italic, skew])
            for code, (width, height, depth, italic, skew, larger) in sorted(chars.items()))
    return (f"\nstatic const gint32 {name}_params[] = {{\n    {', '.join(map(str, params))}\n}};\n"
            f"static {array(f'TgTableChar {name}_chars', rows)}")


each_row(sys.argv[2], add, separator=None)
rows = (f'{{ {literal(name)}, 0, 0, {name}_params, G_N_ELEMENTS({name}_params), {name}_chars,\n'
        f"      G_N_ELEMENTS({name}_chars) }}" for name in fonts)
write(sys.argv[1], "render/fonts/ams_tables.py", '#include "render/fonts/tables.h"\n',
      *(tables(name, *font) for name, font in fonts.items()),
      "\n" + array("TgTableFont tg_ams_fonts", rows, "tg_ams_n_fonts"))
