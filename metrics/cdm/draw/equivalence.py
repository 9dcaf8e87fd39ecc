#!/usr/bin/env python3
"""Turns tables of synonyms into constant C tables in the order of their tokens.

Usage: equivalence.py OUTPUT synonyms.tsv synonyms_2024.tsv; a table is named after its file.
"""
import pathlib
import sys


def literal(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def read(path):
    rows = {}
    with open(path, encoding="ascii") as file:
        for number, line in enumerate(file, 1):
            fields = line.rstrip("\n").split("\t")
            if line == "\n" or line.startswith("# "):
                continue
            if len(fields) not in (2, 3) or not all(fields):
                sys.exit(f"{path}:{number}: two or three fields between tabs make a row")
            if fields[0] in rows:
                sys.exit(f"{path}:{number}: {fields[0]} stands there twice")
            rows[fields[0]] = fields[1]
    return rows


def main():
    output, *paths = sys.argv[1:]
    with open(output, "w", encoding="ascii", newline="\n") as out:
        out.write('/* Written by metrics/cdm/draw/equivalence.py. */\n'
                  '#include "metrics/cdm/draw/draw.h"\n')
        for path in paths:
            name = pathlib.Path(path).stem
            out.write(f"\nconst TgCdmSynonym tg_cdm_{name}[] = {{\n")
            for token, canonical in sorted(read(path).items()):
                out.write(f"    {{ {literal(token)}, {literal(canonical)} }},\n")
            out.write(f"}};\nconst guint tg_cdm_n_{name} = G_N_ELEMENTS(tg_cdm_{name});\n")


main()
