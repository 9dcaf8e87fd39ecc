#!/usr/bin/env python3
"""Writes a table of tab-separated rows as the rows of a C array.

Usage: rows.py OUTPUT TABLE. The first line names the columns; `:text` after a name makes strings of
its cells, others are copied. `-` is NULL, `""` an empty string, and a row may end early. A table of
one column gives plain values. Lines that begin with `# ` are comments.
"""
import sys


def literal(text):
    if text == '""':
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def row_of(cells, columns):
    values = ["NULL" if cell == "-" else literal(cell) if column.endswith(":text") else cell
              for cell, column in zip(cells, columns)]
    return f"    {values[0]},\n" if len(columns) == 1 else f"    {{ {', '.join(values)} }},\n"


def main():
    output, path = sys.argv[1:]
    columns, rows = None, []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            cells = line.rstrip("\n").split("\t")
            if line == "\n" or line.startswith("# "):
                continue
            if columns is None:
                columns = cells
            elif len(cells) > len(columns) or not all(cells):
                sys.exit(f"{path}:{number}: at most {len(columns)} cells, none empty, make a row")
            else:
                rows.append(row_of(cells, columns))
    with open(output, "w", encoding="utf-8", newline="\n") as out:
        out.write("/* Written by core/rows.py. */\n" + "".join(rows))


main()
