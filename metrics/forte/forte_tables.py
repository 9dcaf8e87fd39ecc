#!/usr/bin/env python3
"""Turns tables.tsv and forte-prices.tsv, which say what their rows mean, into constant C tables for
FORTE, and a header with the numbers of its events.

Usage: forte_tables.py OUTPUT HEADER tables.tsv forte-prices.tsv SYMBOLS

SYMBOLS is the folder of symbols.tsv: what no row names follows from the symbols. A row that cannot
be is an error with file and line.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "core"))
sys.path.insert(0, sys.argv[5])
import symbol_tables  # noqa: E402
from c_tables import at, each_row, literal, need  # noqa: E402
from symbol_tables import character  # noqa: E402

KINDS = "DLGXORBPQZNAFSMVEC"  # TG_FORTE_KIND_LETTERS
MARKS = {"FRAC": "F", "SQRT": "F", "_(": "S", "^(": "S", ")": "E", "|den|": "E", "|end|": "E",
         "|idx|": "E", "|acc|": "E", "MAT": "M", "|row|": "V", "|cell|": "C"}
KNOWN = ("parallel", "ll", "gg", "dots", "cdot", "<<", ">>", "lfloor", "lceil", "pi")  # TgForteMark, the rest
FIRST_NAME = 0x200000  # TG_FORTE_NAMES
N_PAIR_SLOTS = 4096  # TG_FORTE_PAIR_SLOTS
MAX_NAMES = 16  # that one spelling stands for


PROFILES = ("people", "strict-meaning", "ocr")  # TgForteProfile


class Prices:
    """forte-prices.tsv: rows by what they are and their name."""

    def __init__(self):
        self.rows = {what: {} for what in ("constant", "class", "profile", "type", "context", "pair")}

    def add(self, fields):
        need(len(fields) == 6, "a row needs six fields between tabs")
        what, name, group, value, n, text = fields
        need(what in self.rows, f"no such row: {what}")
        need(re.fullmatch(r"\d+(\.\d+)?", value), f"'{value}' is no price")
        need(group == "" or group in self.rows["class"], f"no such class: {group}")
        key = (name, group) if what == "profile" else name
        need(key not in self.rows[what], f"a second row of {name}")
        need((group == "") == (what not in ("profile", "type")), "a class is missing, or too much")
        self.rows[what][key] = group, value, text

    def number(self, what, name):
        return list(self.rows[what]).index(name)

    def write_header(self, out):
        out.write("/* Written by metrics/forte/forte_tables.py. */\n#pragma once\n")
        for what, prefix, total in (("class", "CLASS", "CLASSES"), ("type", "EVENT", "TYPES"),
                                    ("context", "CONTEXT", "CONTEXTS")):
            names = [name.upper().replace("-", "_") for name in self.rows[what]]
            out.write("\ntypedef enum {\n" + "".join(f"    TG_FORTE_{prefix}_{n},\n" for n in names)
                      + f"    TG_N_FORTE_{total},\n}} TgForte{what.capitalize()};\n")
        out.write("\n#define TG_FORTE_CLASSES(X)"
                  + "".join(f" \\\n    X({name.upper().replace('-', '_')}, {literal(name)}, {literal(row[2])})"
                            for name, row in self.rows["class"].items()) + "\n")

    def tables(self, intern):
        """The rows in C."""
        types, contexts = self.rows["type"], self.rows["context"]
        profiles = [[self.rows["profile"].get((profile, name), ("", "1"))[1] for profile in PROFILES]
                    for name in self.rows["class"]]
        return {
            "static const TgForteTypeRow types": [
                f"{{ {literal(name)}, {literal(text)}, {self.number('class', group)}, {value} }}"
                for name, (group, value, text) in types.items()],
            "static const TgForteClassRow classes": [
                f"{{ {literal(name)}, {power}, {{ {', '.join(profiles[i])} }} }}"
                for i, (name, (_, power, _)) in enumerate(self.rows["class"].items())],
            "static const TgForteContextRow contexts": [
                f"{{ {literal(name)}, {literal(text)}, {value} }}"
                for name, (_, value, text) in contexts.items()],
            "static const TgForteNamesRow named": [
                f"{{ {{ 0x{intern(name.split()[0]):X}, 0x{intern(name.split()[1]):X} }}, {value} }}"
                for name, (_, value, _) in self.rows["pair"].items()],
        }


class ForteTables:
    def __init__(self, symbols, prices):
        self.prices = prices
        self.symbols = symbols  # of tokenizer/symbols
        self.texts = [*MARKS, *KNOWN]
        self.numbers = {text: FIRST_NAME + len(MARKS) + i for i, text in enumerate(KNOWN)}
        self.kinds = {FIRST_NAME + i: kind for i, kind in enumerate(MARKS.values())}
        self.commands, self.characters, self.typed = {}, {}, []
        self.accents, self.marks, self.overs, self.negations, self.pairs = {}, {}, {}, {}, {}
        self.changes, self.lost, self.losses, self.swaps = {}, {}, {}, {}

    def intern(self, text):
        """The number of a name: of a character its code point."""
        if len(text) == 1:
            return ord(text)
        if text not in self.numbers:
            self.numbers[text] = FIRST_NAME + len(self.texts)
            self.texts.append(text)
        return self.numbers[text]

    def function(self, command):
        """A function's name, written out in upright letters."""
        return [ord(c) for c in command[:MAX_NAMES]], False, True

    def add(self, fields):
        need(len(fields) == 3, "a row needs three fields between tabs")
        what, subject, items = fields[0], fields[1], fields[2].split(" ")
        need(all(items), "an empty item: one space stands between items")
        lonely = ("character", "function", "variant", "look-alike")
        need((subject == "") == (what in lonely),
             f"the second field {'must be' if what in lonely else 'is'} empty")
        row = getattr(self, "row_" + what.replace("-", "_"), None)
        need(row, f"no such row: {what}")
        row(subject, items)

    def row_kind(self, letter, items):
        need(len(letter) == 1 and letter in KINDS, "an unknown kind")
        need(all(len(item) > 1 or item < "\x80" for item in items),
             "the kind of a character beyond ASCII follows from Unicode")
        self.kinds.update((self.intern(item), letter) for item in items)

    def row_name(self, subject, items, blackboard=False):
        names = [self.intern(name) for name in subject.split(" ")]
        need(len(names) <= MAX_NAMES and "" not in subject.split(" "),
             "a canonical name that is empty, or too many")
        for item in items:
            if item[0] == "\\":
                self.commands[item[1:]] = names, blackboard, False
            else:
                need(len(item) == 1, "a spelling that is neither a command nor one character")
                self.characters[ord(item)] = names, blackboard, False

    def row_blackboard(self, subject, items):
        self.row_name(subject, items, True)

    def row_character(self, _, items):
        for item in items:
            need(len(item) == 1 and ord(item) in self.symbols.typed,
                 "a character that shows no symbol")
            self.typed.append(ord(item))

    def row_function(self, _, items):
        for item in items:
            need(item[0] == "\\" and 1 < len(item) <= MAX_NAMES + 1,
                 "a function that is no command")
            self.commands[item[1:]] = self.function(item[1:])

    def row_accent(self, subject, items):
        name = self.intern(subject)
        self.kinds[name] = "A"
        for item in items:
            if item[0] == "\\":
                self.accents[item[1:]] = name
            else:
                self.marks[character(item)] = name

    def row_over(self, subject, items):
        self.overs.update((self.intern(item), self.intern(subject)) for item in items)

    def row_not(self, subject, items):
        self.negations.update((self.intern(item), self.intern(subject)) for item in items)

    def row_variant(self, _, items):
        self.pair_up(items, "VARIANT")

    def row_look_alike(self, _, items):
        self.pair_up(items, "LOOK_ALIKE")

    def row_change(self, event, items):
        need(event in self.prices.rows["type"], f"no such event: {event}")
        for key in self.every_two(items):
            self.changes.setdefault(key, self.prices.number("type", event))

    def row_loss(self, cost, kinds):
        for kind in kinds:
            need(kind in KINDS, f"no such kind: {kind}")
            self.losses[KINDS.index(kind)] = float(cost)

    def row_lost(self, event, kinds):
        need(event in self.prices.rows["type"], f"no such event: {event}")
        for kind in kinds:
            need(kind in KINDS, f"no such kind: {kind}")
            self.lost[KINDS.index(kind)] = self.prices.number("type", event)

    def row_swap(self, cost, events):
        for event in events:
            need(event in self.prices.rows["type"], f"no such event: {event}")
            self.swaps[self.prices.number("type", event)] = float(cost)

    def every_two(self, items):
        numbers = [self.intern(item) for item in items]
        return [tuple(sorted((one, other))) for i, one in enumerate(numbers)
                for other in numbers[i + 1:]]

    def pair_up(self, items, pair):
        """The first row that names two symbols decides; variants stand above look-alikes."""
        for key in self.every_two(items):
            if pair == "VARIANT" or key not in self.pairs:
                self.pairs[key] = pair

    def complete(self):
        """What no row lists: commands that are functions, names of all others, ASCII characters."""
        listed = sorted((s for s in self.symbols.symbols.values() if s.is_command),
                        key=lambda symbol: symbol.c_name())
        for symbol in sorted(listed, key=lambda symbol: bool(symbol.canonical)):
            name, same = symbol.c_name(), (symbol.canonical or "").removeprefix("\\")
            if name not in self.commands:
                self.commands[name] = (self.function(name) if symbol.kind == "operator"
                                       else self.commands[same] if same in self.commands
                                       else ([self.intern(name)], False, False))
            if symbol.kind == "accent" and name in self.accents:
                self.marks.setdefault(symbol.code, self.accents[name])
        for code in range(1, 128):
            self.characters.setdefault(code, ([code], False, False))
        self.characters[0] = self.characters[ord(" ")]
        for code in self.typed:
            names = self.commands[self.symbols.typed[code].c_name()][0]
            self.characters.setdefault(code, (names, False, False))
        return [symbol.c_name() for symbol in listed]

    def kind(self, name):
        """As tg_forte_kind() for what no row lists."""
        ascii_kind = "D" if chr(name % 128).isdigit() else "L" if chr(name % 128).isalpha() else "N"
        return KINDS.index(self.kinds.get(name, ascii_kind if name < 128 else "N"))

    def pair_slots(self):
        """Open addressing, as tg_forte_pair() looks names up."""
        slots = [None] * N_PAIR_SLOTS
        keys = sorted(self.pairs.keys() | self.changes.keys())
        need(2 * len(keys) < N_PAIR_SLOTS, "too many pairs")
        for a, b in keys:
            at = (a * 31 + b) % N_PAIR_SLOTS
            while slots[at]:
                at = (at + 1) % N_PAIR_SLOTS
            slots[at] = (a, b, self.pairs.get((a, b), "UNLIKE"),
                         self.changes.get((a, b), "TG_N_FORTE_TYPES"))
        return slots

    def write(self, out):
        symbols = self.complete()
        for name in self.prices.rows["pair"]:
            need(all(len(part) == 1 or part in self.numbers for part in name.split()),
                 f"forte-prices.tsv: an unknown name in '{name}'")
        pool, places = [], {}

        def spelling(value):
            names, blackboard, function = tuple(value[0]), *value[1:]
            if names not in places:
                places[names] = len(pool)
                pool.extend(names)
            flags = ", 1" * blackboard or ", 0, 1" * function
            return f"{{ pool + {places[names]}, {len(names)}{flags} }}"

        commands = sorted(self.commands)
        index = {command: i for i, command in enumerate(commands)}
        tables = {
            "static const TgForteCommand commands": [
                f"{{ {literal(name)}, {spelling(self.commands[name])} }}" for name in commands],
            "static const guint16 symbols": [str(index[name]) for name in symbols],
            "static const TgForteCharacter characters": [
                f"{{ 0x{code:X}, {spelling(value)} }}"
                for code, value in sorted(self.characters.items())],
            "static const char *const texts": [literal(text) for text in self.texts],
            "static const guint8 kinds": [str(self.kind(FIRST_NAME + i))
                                          for i in range(len(self.texts))],
            "static const guint8 ascii_kinds": [str(self.kind(code)) for code in range(128)],
            "static const TgForteNamed names": [
                f"{{ {literal(text)}, 0x{name:X} }}" for text, name in sorted(self.numbers.items())],
            "static const TgForteNamed accents": [
                f"{{ {literal(command)}, 0x{name:X} }}"
                for command, name in sorted(self.accents.items())],
        }
        for name, table in (("marks", self.marks), ("overs", self.overs),
                            ("negations", self.negations)):
            tables[f"static const TgForteMapRow {name}"] = [
                f"{{ 0x{key:X}, 0x{value:X} }}" for key, value in sorted(table.items())]
        tables.update(self.prices.tables(self.intern))
        slots = [f"[{i}] = {{ 0x{slot[0]:X}, 0x{slot[1]:X}, TG_FORTE_{slot[2]}, {slot[3]} }}"
                 for i, slot in enumerate(self.pair_slots()) if slot]
        out.write('/* Written by metrics/forte/forte_tables.py. */\n'
                  '#include "metrics/forte/forte.h"\n\n'
                  "static const TgForteName pool[] = {\n    "
                  + ", ".join(f"0x{name:X}" for name in pool) + "\n};\n")
        for head, rows in tables.items():
            out.write(f"\n{head}[] = {{\n" + "".join(f"    {row},\n" for row in rows) + "};\n")
        counted = ("commands", "characters", "names", "accents")
        out.write("\nconst TgForteTables tg_forte_tables = {\n"
                  + "".join(f"    .{name} = {name}, .n_{name} = G_N_ELEMENTS({name}),\n"
                            for name in counted)
                  + "".join(f"    .{name} = {{ {name}, G_N_ELEMENTS({name}) }},\n"
                            for name in ("marks", "overs", "negations"))
                  + "    .symbols = symbols, .texts = texts, .kinds = kinds, "
                    ".ascii_kinds = ascii_kinds,\n    .types = types, .classes = classes, "
                    ".contexts = contexts,\n    .named = named, .n_named = G_N_ELEMENTS(named),\n"
                  + "".join(f"    .{name} = {row[1]},\n"
                            for name, row in self.prices.rows["constant"].items())
                  + "".join(f"    .{name} = {{ "
                            + ", ".join(f"[{i}] = {cost}" for i, cost in sorted(costs.items())) + " },\n"
                            for name, costs in (("lost", self.lost), ("losses", self.losses),
                                                ("swaps", self.swaps)))
                  + "    .pairs = {\n"
                  + "".join(f"        {slot},\n" for slot in slots) + "    },\n};\n")


def main():
    output, header, path, prices_path, folder = sys.argv[1:]
    symbols = symbol_tables.Tables()
    for number, symbol in each_row(f"{folder}/symbols.tsv", symbols.add_symbol):
        at(folder, number, symbols.link, symbol)
    each_row(f"{folder}/characters.tsv", symbols.add_character)
    prices = Prices()
    each_row(prices_path, prices.add)
    forte = ForteTables(symbols, prices)
    each_row(path, forte.add)
    with open(output, "w", encoding="utf-8", newline="\n") as out:
        forte.write(out)
    with open(header, "w", encoding="utf-8", newline="\n") as out:
        prices.write_header(out)


if __name__ == "__main__":
    main()
