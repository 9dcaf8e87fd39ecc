#!/usr/bin/env python3
"""Turns synonyms.tsv into a constant C table in the order of its tokens.

Usage: equivalence.py OUTPUT synonyms.tsv
"""
import sys


def literal(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def main():
    output, path = sys.argv[1:]
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
    with open(output, "w", encoding="ascii", newline="\n") as out:
        out.write('/* Written by metrics/cdm/equivalence.py. */\n'
                  '#include "metrics/cdm/equivalence.h"\n\n'
                  "const TgCdmSynonym tg_cdm_synonyms[] = {\n")
        for token, canonical in sorted(rows.items()):
            out.write(f"    {{ {literal(token)}, {literal(canonical)} }},\n")
        out.write("};\nconst guint tg_cdm_n_synonyms = G_N_ELEMENTS(tg_cdm_synonyms);\n")


main()
