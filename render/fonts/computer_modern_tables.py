#!/usr/bin/env python3
"""Turns computer_modern.tsv, which says what its fields mean, into constant C tables.

Usage: computer_modern_tables.py OUTPUT computer_modern.tsv
"""

import sys
from collections.abc import Iterable
from typing import TextIO

KINDS = {"params": (1, 31), "box": (4, 4), "200": (4, 4), "300": (4, 4)}


def read(path: str) -> tuple[dict, dict]:
    """Return {(font, size): {what: rows}} and {font: [(code, size, dpi, values)]}, in order."""
    metrics, pixels = {}, {}
    with open(path, encoding="ascii") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("#"):
                continue
            try:
                font, size, code, what, *values = line.split()
                values = [int(value) for value in values]
                least, most = KINDS[what]
                if not least <= len(values) <= most:
                    raise ValueError(f"{least} to {most} numbers follow {what}")
                if what in ("200", "300"):
                    row = (int(code, 16), int(size), int(what), values)
                    pixels.setdefault(font, []).append(row)
                else:
                    rows = metrics.setdefault((font, int(size)), {"params": [], "box": []})
                    rows[what].append([int(code, 16), *values] if what == "box" else values)
            except (KeyError, ValueError) as error:
                sys.exit(f"{path}:{number}: {error}")
    return metrics, pixels


def braces(values: Iterable) -> str:
    """Return an initializer of C."""
    return "{ " + ", ".join(map(str, values)) + " }"


def write_metrics(out: TextIO, metrics: dict) -> None:
    """Write the boxes and parameters of each font and size."""
    for (font, size), rows in metrics.items():
        name = f"{font.lower()}_{size}"
        out.write(f"\nstatic const TgTableChar {name}_boxes[] = {{\n")
        out.writelines(f"    {braces([code, 0, *box, 0])},\n" for code, *box in rows["box"])
        out.write("};\n")
        if rows["params"]:
            out.write(f"static const gint32 {name}_params[] = {braces(rows['params'][0])};\n")
    out.write("\nconst TgTableFont tg_computer_modern_fonts[] = {\n")
    for (font, size), rows in metrics.items():
        name = f"{font.lower()}_{size}"
        params = f"{name}_params, G_N_ELEMENTS({name}_params)" if rows["params"] else "NULL, 0"
        boxes = f"{name}_boxes, G_N_ELEMENTS({name}_boxes)"
        out.write(f"    {{ NULL, TG_FONT_{font}, {size}, {params}, {boxes} }},\n")
    out.write("};\nconst guint tg_computer_modern_n_fonts = "
              "G_N_ELEMENTS(tg_computer_modern_fonts);\n")  # fmt: skip


def write_pixels(out: TextIO, pixels: dict) -> None:
    """Write the pixels of each font, those of a slot together."""
    for font, rows in pixels.items():
        out.write(f"\nstatic const TgGlyphPixels {font.lower()}_pixels[] = {{\n")
        out.writelines(f"    {braces([code, size, dpi, *values])},\n"
                       for code, size, dpi, values in sorted(rows))  # fmt: skip
        out.write("    { 0 },\n};\n")
    out.write("\nconst TgGlyphPixels *const tg_computer_modern_pixels[TG_N_FONTS] = {\n")
    out.writelines(f"    [TG_FONT_{font}] = {font.lower()}_pixels,\n" for font in pixels)
    out.write("};\n")


def main() -> None:
    """Write the file."""
    output, path = sys.argv[1:]
    metrics, pixels = read(path)
    with open(output, "w", encoding="ascii", newline="\n") as out:
        out.write(
            "/* Written by render/fonts/computer_modern_tables.py. */\n"
            '#include "render/fonts/tables.h"\n'
        )
        write_metrics(out, metrics)
        write_pixels(out, pixels)


main()
