#!/usr/bin/env python3
"""Writes a table of tab-separated rows as the rows of a C array.

Usage: rows.py OUTPUT TABLE. The first line names the columns; `:text` after a name makes strings of
its cells, others are copied. `-` is NULL, `""` an empty string, and a row may end early. A table of
one column gives plain values. Lines that begin with `# ` are comments.
"""
import sys

sys.dont_write_bytecode = True
from c_tables import braces, each_row, literal, need, write  # noqa: E402

columns, rows = [], []


def value(cell, column):
    if cell == "-":
        return "NULL"
    return literal(cell) if column.endswith(":text") and cell != '""' else cell


def add(cells):
    if not columns:
        columns.extend(cells)
        return
    need(len(cells) <= len(columns) and all(cells), f"at most {len(columns)} cells, none empty, make a row")
    values = list(map(value, cells, columns))
    rows.append(f"    {values[0] if len(columns) == 1 else braces(values)},\n")


each_row(sys.argv[2], add, comment="# ")
write(sys.argv[1], "core/rows.py", *rows)
