#!/usr/bin/env python3
"""Write the table of metrics of fonts whose TFM files come only with TeX.

usage: ams_metrics.py NAME... > render/fonts/ams_metrics.c

Needs a TeX installation (kpsewhich finds the TFM files); only developers run it. What it writes are
the numbers of the files: boxes of characters, larger characters, kerns with the skew character,
font parameters.
"""
import struct
import subprocess
import sys


def read_tfm(path, skewchar):
    """Return (design size, parameters, {code: [width, height, depth, italic, next, skew]})."""
    data = open(path, "rb").read()
    words = struct.unpack(f">{len(data) // 4}i", data)
    lf, lh, bc, ec, nw, nh, nd, ni, nl, nk, ne, np = struct.unpack(">12H", data[:24])
    at = 6 + lh
    chars = words[at : at + ec - bc + 1]
    at += ec - bc + 1
    tables = []
    for n in (nw, nh, nd, ni, nl, nk, ne, np):
        tables.append(words[at : at + n])
        at += n
    width, height, depth, italic, program, kern, _, params = tables

    def skew(start):
        at = start
        if (program[at] >> 24) & 255 > 128:
            at = program[at] & 0xFFFF
        while True:
            skip, following, op, rest = struct.pack(">i", program[at])
            if following == skewchar and op >= 128:
                return kern[256 * (op - 128) + rest]
            if skip >= 128:
                return 0
            at += skip + 1

    out = {}
    for code, info in enumerate(chars, bc):
        w, hd, it, rest = struct.pack(">i", info)
        if w == 0:
            continue
        tag = it & 3
        out[code] = [
            width[w], height[hd >> 4], depth[hd & 15], italic[it >> 2],
            rest if tag == 2 else 0,
            skew(rest) if tag == 1 and skewchar is not None else 0,
        ]  # fmt: skip
    return words[7] / (1 << 20), params, out


def skewchar_of(name):
    return 127 if name.startswith(("rsfs", "eur")) else None


def main():
    names = sys.argv[1:]
    print("/* Facts of TFM files; written by render/fonts/ams_metrics.py. */")
    print('#include "render/fonts/ams_metrics.h"')
    print("\n/* clang-format off: code, larger character, width, height, depth, italic, skew */")
    fonts = []
    for name in names:
        path = subprocess.check_output(["kpsewhich", name + ".tfm"], text=True).strip()
        design, params, chars = read_tfm(path, skewchar_of(name))
        print(f"static const gint32 {name}_params[] = {{")
        for i in range(0, len(params), 8):
            print("    " + ", ".join(map(str, params[i : i + 8])) + ",")
        print("};")
        print(f"static const TgAmsChar {name}_chars[] = {{")
        line = "   "
        for code, (w, h, d, i, larger, skew) in chars.items():
            cell = f" {{{code},{larger},{w},{h},{d},{i},{skew}}},"
            if len(line) + len(cell) > 100:
                print(line)
                line = "   "
            line += cell
        print(line + "\n};")
        fonts.append((name, design))
    print("/* clang-format on */\n")
    for name, design in fonts:
        print(f"const TgAmsFont tg_ams_{name} = {{")
        print(f'    "{name}", {name}_params, G_N_ELEMENTS({name}_params),')
        print(f"    {name}_chars, G_N_ELEMENTS({name}_chars),")
        print("};")


main()
