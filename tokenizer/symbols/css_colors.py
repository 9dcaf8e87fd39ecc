#!/usr/bin/env python3
"""Turns css_colors.tsv, a name and RRGGBB in a row, into a constant C table in the order of names.

Usage: css_colors.py OUTPUT css_colors.tsv
"""
import re
import sys


def main():
    output, path = sys.argv[1:]
    colors = {}
    with open(path, encoding="ascii") as file:
        for number, line in enumerate(file, 1):
            row = re.fullmatch(r"([a-z]+)\t([0-9A-F]{6})\n", line)
            if line.startswith("#"):
                continue
            if row is None or row[1] in colors:
                sys.exit(f"{path}:{number}: a new name and RRGGBB between tabs make a row")
            colors[row[1]] = row[2]
    with open(output, "w", encoding="ascii", newline="\n") as out:
        out.write('/* Written by tokenizer/symbols/css_colors.py. */\n'
                  '#include "tokenizer/symbols/css_colors.h"\n\n'
                  "const TgCssColor tg_css_colors[] = {\n"
                  + "".join(f'    {{ "{name}", 0x{rgb} }},\n' for name, rgb in sorted(colors.items()))
                  + "};\nconst guint tg_css_n_colors = G_N_ELEMENTS(tg_css_colors);\n")


main()
