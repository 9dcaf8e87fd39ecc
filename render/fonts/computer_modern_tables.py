#!/usr/bin/env python3
"""Turns computer_modern.tsv, which says what its fields mean, into constant C tables.

Usage: computer_modern_tables.py OUTPUT computer_modern.tsv
"""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "core"))
from c_tables import array, braces, choice, each_row, need, write  # noqa: E402

KINDS = {"params": (1, 31), "box": (4, 4), "200": (4, 4), "300": (4, 4)}


metrics, pixels = {}, {}  # {(font, size): {what: rows}}, {font: [(code, size, dpi, values)]}; in order


def add(fields):
    font, size, code, what, *values = fields
    values = [int(value) for value in values]
    least, most = KINDS[choice(what, KINDS, "kind")]
    need(least <= len(values) <= most, f"{least} to {most} numbers follow {what}")
    if what in ("200", "300"):
        pixels.setdefault(font, []).append((int(code, 16), int(size), int(what), values))
    else:
        rows = metrics.setdefault((font, int(size)), {"params": [], "box": []})
        rows[what].append([int(code, 16), *values] if what == "box" else values)


def metric_tables():
    """The boxes and parameters of each font and size."""
    fonts = []
    for (font, size), rows in metrics.items():
        name = f"{font.lower()}_{size}"
        yield f"\nstatic {array(f'TgTableChar {name}_boxes', (braces([code, 0, *box, 0]) for code, *box in rows['box']))}"
        if rows["params"]:
            yield f"static const gint32 {name}_params[] = {braces(rows['params'][0])};\n"
        params = f"{name}_params, G_N_ELEMENTS({name}_params)" if rows["params"] else "NULL, 0"
        fonts.append(braces(["NULL", f"TG_FONT_{font}", size, params, f"{name}_boxes, G_N_ELEMENTS({name}_boxes)"]))
    yield "\n" + array("TgTableFont tg_computer_modern_fonts", fonts, "tg_computer_modern_n_fonts")


def pixel_tables():
    """The pixels of each font; the rows of a slot stand together."""
    for font, rows in pixels.items():
        lines = [braces([code, size, dpi, *values]) for code, size, dpi, values in sorted(rows)]
        yield f"\nstatic {array(f'TgGlyphPixels {font.lower()}_pixels', [*lines, '{ 0 }'])}"
    yield "\nconst TgGlyphPixels *const tg_computer_modern_pixels[TG_N_FONTS] = {\n"
    yield from (f"    [TG_FONT_{font}] = {font.lower()}_pixels,\n" for font in pixels)
    yield "};\n"


each_row(sys.argv[2], add, separator=None)
write(sys.argv[1], "render/fonts/computer_modern_tables.py", '#include "render/fonts/tables.h"\n',
      *metric_tables(), *pixel_tables())
