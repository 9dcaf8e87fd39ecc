#!/usr/bin/env python3
"""Turns commands.tsv and environments.tsv, which say what their fields mean, into constant C tables, and
the names of commands and symbols into one hash.

Usage: command_tables.py OUTPUT commands.tsv environments.tsv symbols.tsv

A row that cannot be is an error with file and line.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "core"))
from c_tables import array, braces, choice, each_row, literal, need, write  # noqa: E402

FLAGS = ("text", "math", "args", "group", "ends", "row", "cell", "between", "own")
ARGUMENTS = ("none", "columns", "align", "place", "box", "column", "number", "preset")
ENVIRONMENT_FLAGS = ("display", "text", "tight", "open", "tags", "no-tags", "katex")


def constant(text, what):
    """A number, a character, or constants of tree.h without their prefix."""
    need(re.fullmatch(r"-?\d+|0x[0-9A-F]+|'[A-Za-z]'|[A-Z][A-Z0-9_]*( \| [A-Z][A-Z0-9_]*)*", text),
         f"'{text}' is no {what}")
    return re.sub(r"\b(?=[A-Z])(?!0x)", "TG_", text) if text[0].isupper() else text


def flags(text, choices, prefix):
    return [prefix + choice(flag, choices, "flag").upper().replace("-", "_") for flag in text.split()]


class Rows:
    """The rows of a file by name, which must be new."""

    def __init__(self, n_fields):
        self.n_fields, self.rows = n_fields, {}

    def add(self, fields):
        need(len(fields) == self.n_fields, f"a row needs {self.n_fields} fields between tabs")
        name, *rest = fields
        need(name not in self.rows, f"{name} stands there twice")
        self.rows[name] = self.c_row(name, *("" if field == "-" else field for field in rest))

    def sorted(self):
        return sorted(self.rows.items(), key=lambda row: row[0].encode())


class Commands(Rows):
    def __init__(self):
        super().__init__(7)

    def c_row(self, name, source, action, value, detail, words, text):
        need(re.fullmatch(r"\\([A-Za-z]+|[!-~]| )", name), f"'{name}' is no command")
        set_flags = flags(words, FLAGS, "TG_COMMAND_")
        value = constant(value or "0", "value")
        need(re.fullmatch(r"[a-z-]+", source), f"'{source}' is no package")
        if source != "latex":
            set_flags.append("TG_COMMAND_PACKAGE")
        package = "NONE" if source in ("latex", "package") else source.upper().replace("-", "_")
        if action == "macro":
            set_flags += ["TG_COMMAND_MACRO"] + ["TG_COMMAND_ARGS"] * (value != "0")
            action = "none"
        need(re.fullmatch(r"[a-z_]+", action), f"'{action}' is no action")
        return (f"{{ {literal(name[1:])}, {literal(text) if text else 'NULL'}, {value}, "
                f"TG_ACTION_{action.upper()}, {constant(detail or '0', 'detail')}, TG_PACKAGE_{package}, "
                f"{' | '.join(set_flags) or '0'} }}")


class Environments(Rows):
    def __init__(self):
        super().__init__(7)

    def c_row(self, name, kind, arguments, words, columns, left, right):
        need(re.fullmatch(r"\\?[A-Za-z]+\*?", name), f"'{name}' is no environment")
        need(re.fullmatch(r"[a-z_]+", kind), f"'{kind}' is no kind")
        set_flags = flags(words, ENVIRONMENT_FLAGS, "TG_ENV_")
        return (f"{{ {literal(name.lstrip(chr(92)))}, TG_ENV_{kind.upper()}, "
                f"TG_ENV_ARGS_{choice(arguments or 'none', ARGUMENTS, 'argument').upper()}, "
                f"{' | '.join(set_flags) or '0'}, {constant(columns or '0', 'number')}, "
                f"{literal(left) if left else 'NULL'}, {literal(right) if right else 'NULL'} }}")

    def table(self, c_name, are_commands):
        rows = (row for name, row in self.sorted() if (name[0] == "\\") == are_commands)
        return array(f"TgEnvironmentInfo {c_name}", rows, c_name.replace("tg_", "tg_n_")) + "\n"


def name_hash(name):
    value = 2166136261  # FNV-1a, as in commands.c
    for byte in name.encode():
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return value ^ value >> 15


def name_tables(commands, symbols):
    """All names, and the places of an open hash of them: 1 + the index of a name, or 0."""
    names = sorted({*commands, *symbols}, key=str.encode)
    size = 2
    while size < 2 * len(names):  # half of the places stay free
        size *= 2
    places = [0] * size
    for i, name in enumerate(names):
        place = name_hash(name) % size
        while places[place]:
            place = (place + 1) % size
        places[place] = i + 1

    def row(name):
        command = f"&tg_commands[{commands[name]}]" if name in commands else "NULL"
        symbol = f"&tg_symbol_commands[{symbols[name]}]" if name in symbols else "NULL"
        return braces([literal(name), command, symbol])

    return (array("TgName tg_names", map(row, names), "tg_n_names") + "\n"
            + array("guint16 tg_name_places", (", ".join(map(str, places[i:i + 16])) for i in range(0, size, 16)))
            + f"const guint tg_n_name_places = {size};\n")


def main():
    output, *paths = sys.argv[1:]
    commands, environments, symbols = Commands(), Environments(), set()
    each_row(paths[0], commands.add)
    each_row(paths[1], environments.add)
    each_row(paths[2], lambda fields: symbols.add(fields[0]))
    rows = commands.sorted()
    symbols = sorted(symbol[1:] for symbol in symbols if len(symbol) > 1)
    write(output, "tokenizer/macros/command_tables.py", '#include "tokenizer/macros/commands.h"\n\n',
          array("TgCommand tg_commands", (row for _, row in rows), "tg_n_commands") + "\n",
          environments.table("tg_environments", False), environments.table("tg_row_commands", True),
          name_tables({name[1:]: i for i, (name, _) in enumerate(rows)}, {name: i for i, name in enumerate(symbols)}))


if __name__ == "__main__":
    main()
