#!/usr/bin/env python3
"""Turns tables of synonyms into constant C tables in the order of their tokens.

Usage: equivalence.py OUTPUT synonyms.tsv synonyms_2024.tsv; a table is named after its file.
"""
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "core"))
from c_tables import array, braces, each_row, literal, need, write  # noqa: E402


def table(path):
    synonyms = {}

    def add(fields):
        need(len(fields) in (2, 3) and all(fields), "two or three fields between tabs make a row")
        need(fields[0] not in synonyms, f"{fields[0]} stands there twice")
        synonyms[fields[0]] = fields[1]

    each_row(path, add, comment="# ")
    name = pathlib.Path(path).stem
    rows = (braces(map(literal, synonym)) for synonym in sorted(synonyms.items()))
    return "\n" + array(f"TgCdmSynonym tg_cdm_{name}", rows, f"tg_cdm_n_{name}")


write(sys.argv[1], "metrics/cdm/draw/equivalence.py", '#include "metrics/cdm/draw/draw.h"\n', *map(table, sys.argv[2:]))
