#!/usr/bin/env python3
"""Turns ams_metrics.tsv, which says what its fields mean, into constant C tables.

Usage: ams_tables.py OUTPUT ams_metrics.tsv
"""
import sys


def fonts_of(path):
    """{font: (parameters, {code: [width, height, depth, italic, skew, larger]})} in order."""
    fonts = {}
    with open(path, encoding="ascii") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("#"):
                continue
            try:
                name, what, *values = line.split()
                values = [int(value) for value in values]
                if what == "params":
                    assert name not in fonts, "the font stands there twice"
                    fonts[name] = (values, {})
                    continue
                code, chars = int(what, 16), fonts[name][1]
                assert code not in chars and 0 <= code < 256, "the code stands there twice"
                assert 1 <= len(values) <= 6, "one to six numbers follow the code"
                chars[code] = values + [0] * (6 - len(values))
            except KeyError:
                sys.exit(f"{path}:{number}: the parameters of a font stand before its characters")
            except (AssertionError, ValueError) as error:
                sys.exit(f"{path}:{number}: {error}")
    return fonts


def main():
    output, path = sys.argv[1:]
    fonts = fonts_of(path)
    with open(output, "w", encoding="ascii", newline="\n") as out:
        out.write('/* Written by render/fonts/ams_tables.py. */\n'
                  '#include "render/fonts/tables.h"\n')
        for name, (params, chars) in fonts.items():
            out.write(f"\nstatic const gint32 {name}_params[] = {{\n"
                      f"    {', '.join(map(str, params))}\n}};\n"
                      f"static const TgTableChar {name}_chars[] = {{\n")
            for code, (width, height, depth, italic, skew, larger) in sorted(chars.items()):
                out.write(f"    {{ {code}, {larger}, {width}, {height}, {depth}, {italic}, {skew} }},\n")
            out.write("};\n")
        out.write("\nconst TgTableFont tg_ams_fonts[] = {\n")
        for name in fonts:
            out.write(f'    {{ "{name}", 0, 0, {name}_params, G_N_ELEMENTS({name}_params), {name}_chars,\n'
                      f"      G_N_ELEMENTS({name}_chars) }},\n")
        out.write("};\nconst guint tg_ams_n_fonts = G_N_ELEMENTS(tg_ams_fonts);\n")


main()
