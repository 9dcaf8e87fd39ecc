#!/usr/bin/env python3
"""Copies ELF objects into an archive in which hidden symbols are visible.

Usage: show_symbols.py ARCHIVE OBJECT...

A shared library of the archive exports every function of the library, so that a test needs no copy of the
library of its own. The objects themselves stay as they are: they make the library that is installed,
which exports only what TG_API names.
"""

import struct
import sys
from pathlib import Path

SYMBOL_TABLE = 2  # SHT_SYMTAB
HIDDEN = 2  # STV_HIDDEN


def show(data):
    """Make the hidden global symbols that @data, an object's bytes, defines visible."""
    if data[:4] != b"\x7fELF" or data[4] != 2:
        raise ValueError("not a 64-bit ELF object")
    order = "<" if data[5] == 1 else ">"
    (sections,) = struct.unpack_from(order + "Q", data, 0x28)
    section_size, n_sections = struct.unpack_from(order + "HH", data, 0x3A)
    for i in range(n_sections or 1):
        start = sections + i * section_size
        (kind,) = struct.unpack_from(order + "I", data, start + 4)
        if kind != SYMBOL_TABLE:
            continue
        offset, size = struct.unpack_from(order + "QQ", data, start + 0x18)
        _, first_global, _, symbol_size = struct.unpack_from(order + "IIQQ", data, start + 0x28)
        for symbol in range(offset + first_global * symbol_size, offset + size, symbol_size):
            (section,) = struct.unpack_from(order + "H", data, symbol + 6)
            if section != 0 and data[symbol + 5] & 3 == HIDDEN:
                data[symbol + 5] &= ~3


def main():
    archive, *objects = sys.argv[1:]
    with open(archive, "wb") as out:
        out.write(b"!<arch>\n")
        for path in objects:
            data = bytearray(Path(path).read_bytes())
            show(data)
            out.write(b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (b"object.o/", 0, 0, 0, b"100644", len(data)))
            out.write(data + b"\n" * (len(data) % 2))


if __name__ == "__main__":
    main()
