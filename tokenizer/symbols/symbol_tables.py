#!/usr/bin/env python3
"""Turns symbols.tsv, characters.tsv and colors.tsv, which say what their fields mean, into constant C
tables.

Usage: symbol_tables.py OUTPUT symbols.tsv characters.tsv colors.tsv

A row that cannot be is an error with file and line.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "core"))
from c_tables import array, at, braces, choice, each_row, literal, need, write  # noqa: E402

KINDS = {"char": "CHAR", "accent": "ACCENT", "operator": "OPERATOR", "composite": "COMPOSITE",
         "drawn": "DRAWN", "alias": None}
CLASSES = ("ord", "op", "bin", "rel", "open", "close", "punct", "inner")
FONTS = {"roman": "ROMAN", "letters": "LETTERS", "symbols": "SYMBOLS", "large": "LARGE",
         "ams-a": "AMS_A", "ams-b": "AMS_B", "euler": "EULER", "stmary": "STMARY"}
FLAGS = ("alphabetic", "no-limits", "wide", "not-typed", "stmaryrd")
FIELDS = ("symbol", "unicode", "kind", "class", "slot", "delimiter", "flags", "canonical", "body")


def character(text):
    need(re.fullmatch(r"U\+[0-9A-F]{4,6}", text), f"'{text}' is no character: U+ and hexadecimal")
    return int(text[2:], 16)


def slot(text):
    """(font, slot) of `letters:0B`."""
    need(re.fullmatch(r"[a-z-]+:[0-9A-F]{2}", text), f"'{text}' is no slot: letters:0B")
    font, code = text.split(":")
    return choice(font, FONTS, "font"), int(code, 16)


class Symbol:
    """A row of symbols.tsv."""

    def __init__(self, fields):
        need(len(fields) <= len(FIELDS), f"more than {len(FIELDS)} fields")
        fields = ["" if field == "-" and i > 0 else field for i, field in enumerate(fields)]
        row = dict(zip(FIELDS, fields + [""] * (len(FIELDS) - len(fields))))
        self.symbol, self.canonical, self.body = row["symbol"], row["canonical"], row["body"]
        need(re.fullmatch(r"\\([A-Za-z]+|[!-~])|[!-~]", self.symbol),
             f"'{self.symbol}' is neither a command nor an ASCII character")
        self.is_command = len(self.symbol) > 1
        self.code = character(row["unicode"]) if row["unicode"] else 0
        self.kind = choice(row["kind"], KINDS, "kind")
        self.math_class, self.slot, self.flags, self.delimiter = row["class"], None, [], None
        if self.kind == "alias":
            need(self.canonical and not any(row[name] for name in FIELDS[1:7] if name != "kind")
                 and not self.body, "an alias has a canonical symbol and nothing else")
            return
        self.flags = [choice(flag, FLAGS, "flag") for flag in row["flags"].split()]
        if self.kind == "accent":
            need(not self.math_class, "an accent has no class")
            self.math_class = "ord"
        choice(self.math_class, CLASSES, "class")
        self.slot = slot(row["slot"]) if row["slot"] else None
        need(self.slot or self.kind != "char", "a character needs a slot")
        need(not self.slot or self.kind in ("char", "accent"), f"no slot in a row of {self.kind}")
        need(bool(self.body) == (self.kind in ("operator", "composite")),
             "operators and composites, and only they, have a body")
        if row["delimiter"]:
            need(self.kind == "char" and len(row["delimiter"].split()) == 2,
                 "delimiters are characters with two slots")
            self.delimiter = [slot(text) for text in row["delimiter"].split()]
        need(self.is_command or self.code == ord(self.symbol),
             "the character must be the symbol itself")

    def is_typed(self):
        return (self.is_command and self.code >= 0x80 and self.kind != "accent"
                and "not-typed" not in self.flags)

    def c_name(self):
        return self.symbol[1:] if self.is_command else self.symbol

    def c_row(self, reference):
        """The row of a TgSymbol; @reference: C expression of the canonical symbol."""
        flags = [f"TG_SYMBOL_{flag.upper().replace('-', '_')}" for flag in self.flags
                 if flag != "not-typed"] + ["TG_SYMBOL_DELIMITER"] * bool(self.delimiter)
        members = [f".name = {literal(self.c_name())}", f".codepoint = 0x{self.code:04X}",
                   f".kind = TG_SYMBOL_{KINDS[self.kind]}",
                   f".math_class = TG_CLASS_{self.math_class.upper()}"]
        if flags:
            members.append(f".flags = {' | '.join(flags)}")
        font, code = self.slot or (None, 0)
        members += [f".family = TG_MATH_FAMILY_{FONTS.get(font, 'NONE')}", f".slot = 0x{code:02X}"]
        for size, (font, code) in zip(("small", "large"), self.delimiter or ()):
            members += [f".{size}_family = TG_MATH_FAMILY_{FONTS[font]}",
                        f".{size}_slot = 0x{code:02X}"]
        if self.body:
            members.append(f".latex = {literal(self.body)}")
        if reference:
            members.append(f".canonical = {reference}")
        return "    { " + ", ".join(members) + " },\n"


class Tables:
    def __init__(self):
        self.symbols = {}  # as written -> Symbol
        self.typed = {}  # code point -> Symbol
        self.sources = {}  # code point -> LaTeX
        self.colors = {}  # name -> RRGGBB

    def add_symbol(self, fields):
        symbol = Symbol(fields)
        need(symbol.symbol not in self.symbols, f"{symbol.symbol} stands there twice")
        self.symbols[symbol.symbol] = symbol
        return symbol

    def link(self, symbol):
        """What needs the other rows: aliases, canonical symbols, bodies, typed characters."""
        if symbol.canonical:
            target = self.symbols.get(symbol.canonical)
            need(target and not target.canonical,
                 f"the canonical symbol {symbol.canonical} has no row, or stands for another")
            if symbol.kind == "alias":
                own = symbol.symbol
                symbol.__dict__.update(target.__dict__, symbol=own, is_command=len(own) > 1,
                                       canonical=target.symbol,
                                       flags=[*target.flags, "not-typed"])

        def body_of(match):
            need(match[1] in self.symbols and self.symbols[match[1]].body,
                 f"{match[1]} has no body")
            return self.symbols[match[1]].body

        symbol.body = re.sub(r"<(\\[A-Za-z]+)>", body_of, symbol.body)
        if symbol.is_typed():
            need(symbol.code not in self.typed, f"U+{symbol.code:04X} shows "
                 f"{self.typed.get(symbol.code, symbol).symbol} too: one of them is not-typed")
            self.typed[symbol.code] = symbol

    def add_character(self, fields):
        need(len(fields) == 3, "a row needs three fields between tabs")
        code, meaning = character(fields[0]), fields[1]
        need(code not in self.typed and code not in self.sources,
             f"{fields[0]} has a meaning already")
        need(code >= 0x80, "ASCII characters stand in symbols.tsv")
        if meaning in self.symbols and self.symbols[meaning].is_command:
            self.typed[code] = self.symbols[meaning]
        else:  # a control word at the end must not swallow what follows
            self.sources[code] = meaning + " " * bool(re.search(r"\\[A-Za-z]+$", meaning))

    def add_color(self, fields):
        need(len(fields) == 3 and re.fullmatch("[a-z]+", fields[0])
             and re.fullmatch("[0-9A-F]{6}", fields[1]) and re.fullmatch("[0-9A-F]{6}|-", fields[2])
             and fields[0] not in self.colors, "a new name, RRGGBB and RRGGBB or - make a row")
        self.colors[fields[0]] = (fields[1], "-1" if fields[2] == "-" else "0x" + fields[2])

    def parts(self):
        """The tables as C."""
        commands = sorted((s for s in self.symbols.values() if s.is_command), key=Symbol.c_name)
        characters = sorted(s.symbol for s in self.symbols.values() if not s.is_command)
        place = {symbol.symbol: f"&tg_symbol_commands[{i}]" for i, symbol in enumerate(commands)}
        place.update((c, f"&tg_symbol_characters[{ord(c)}]") for c in characters)
        yield '#include "tokenizer/symbols/symbols.h"\n\n'
        yield ("const TgSymbol tg_symbol_commands[] = {\n" + "".join(s.c_row(place.get(s.canonical)) for s in commands)
               + "};\nconst guint tg_symbol_n_commands = G_N_ELEMENTS(tg_symbol_commands);\n\n")
        yield ("const TgSymbol tg_symbol_characters[128] = {\n"
               + "".join(f"    [0x{ord(c):02X}] ={self.symbols[c].c_row(None)[3:]}" for c in characters) + "};\n\n")
        yield array("TgTypedSymbol tg_symbol_typed",
                    (braces([f"0x{code:04X}", place[symbol.symbol]]) for code, symbol in sorted(self.typed.items())),
                    "tg_symbol_n_typed") + "\n"
        yield array("TgTypedSource tg_symbol_sources",
                    (braces([f"0x{code:04X}", literal(latex)]) for code, latex in sorted(self.sources.items())),
                    "tg_symbol_n_sources") + "\n"
        yield array("TgNamedColor tg_named_colors",
                    (braces([literal(name), f"0x{css}", xcolor]) for name, (css, xcolor) in sorted(self.colors.items())),
                    "tg_n_named_colors")


def main():
    output, symbols, characters, colors = sys.argv[1:]
    tables = Tables()
    rows = each_row(symbols, tables.add_symbol)
    for number, symbol in rows:
        at(symbols, number, tables.link, symbol)
    each_row(characters, tables.add_character)
    each_row(colors, tables.add_color)
    write(output, "tokenizer/symbols/symbol_tables.py", *tables.parts())


if __name__ == "__main__":
    main()
