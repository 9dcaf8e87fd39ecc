#!/usr/bin/env python3
"""Write the metrics of fonts whose TFM files come only with TeX: render/fonts/ams_metrics.tsv.

usage: ams_metrics.py [NAME...] > render/fonts/ams_metrics.tsv

Needs a TeX installation (kpsewhich finds the TFM files); only developers run it. It writes the numbers
of the files: boxes of characters, larger characters, kerns with the skew character, font parameters.
"""
import struct
import subprocess
import sys

FONTS = [
    family + size
    for family in ("msam", "msbm", "eufm", "eufb", "rsfs", "eurm", "eurb")
    for size in ("10", "7", "5")
] + ["stmary10", "stmary8", "stmary6"]


def read_tfm(path, skewchar):
    """Return (parameters, {code: [width, height, depth, italic, next, skew]})."""
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
    return params, out


def skewchar_of(name):
    return 127 if name.startswith(("rsfs", "eur")) else None


HEAD = """\
# Metrics of the AMS, Fraktur, script, Euler and St Mary's Road fonts, one character a row; written by
# ams_metrics.py from TeX's TFM files, turned into C by ams_tables.py. Only the numbers of the files
# stand here: dimensions are facts of the fonts, which have no program or outline in this file.
# Lengths are multiples of 2^-20 of the size; fields at the end of a row that are 0 are left out.
#
# A row of `params` has the font's parameters from 1 on (slant, space, ...). Skew is the kern with the
# skew character, by which accents are shifted; larger is the code of the next larger character.
#
#font\tcode\twidth\theight\tdepth\titalic\tskew\tlarger
"""


def write_row(cells):
    while cells[-1] == 0 and len(cells) > 3:
        cells.pop()
    print("\t".join(map(str, cells)))


def main():
    print(HEAD, end="")
    for name in sys.argv[1:] or FONTS:
        path = subprocess.check_output(["kpsewhich", name + ".tfm"], text=True).strip()
        params, chars = read_tfm(path, skewchar_of(name))
        write_row([name, "params", *params])
        for code, (width, height, depth, italic, larger, skew) in chars.items():
            write_row([name, f"{code:02X}", width, height, depth, italic, skew, larger])


main()
