#!/usr/bin/env python3
"""Turns page_rules.tsv and latex_text.tsv into constant C tables.

Usage: page_tables.py OUTPUT page_rules.tsv latex_text.tsv

A rule is: name, kind, what is looked for, what it becomes (in the way of GRegex for re). The kinds are
re, word, fold (words with what it becomes between them), trim, use (the rules of another name), again
(from the first one on until nothing changes) and code (a number becomes its character). A row of the other table is: command
without backslash (or =STYLE), kinds of its arguments, kind of output, output with `\\\\` and `\\n` for
a backslash and a line's end; `%s` and `%(2)s` are arguments, which the latter needs.
"""
import re
import sys
import unicodedata

RULES = ("re", "word", "fold", "trim", "use", "again", "code")
KINDS = ("text", "drop", "rare", "args", "style", "accent", "fill", "letters")
BLANK = r"[\s\x1c-\x1f]"  # what Python calls a space; the same byte by byte
RAW_BLANK = (r"(?:[\x09-\x0d\x1c-\x20]++|\xC2[\x85\xA0]|\xE1\x9A\x80|\xE2\x80[\x80-\x8A\xA8\xA9\xAF]|"
             r"\xE2\x81\x9F|\xE3\x80\x80)")
# (@B: but a line's end.) What needs characters: classes of Unicode, a class with others than ASCII, a number of characters.
# Other patterns are matched byte by byte, as GRegex looks the whole text through for each match else.
CHARACTERS = re.compile(r"(?<!\\)(?:\\\\)*\\(?:[wdsbp]|x\{)|\[[^]]*[^\x00-\x7f]|[].]\{\d+,\d+\}")
LIMIT = "(*LIMIT_MATCH=1000000)"  # of steps: a search that takes more finds nothing


def literal(text):
    return '"' + "".join(f"\\{byte:03o}" if not 32 <= byte < 127 or chr(byte) in '"\\?' else chr(byte)
                         for byte in text.encode()) + '"'


def read_rows(path, good):
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        fields = line.rstrip("\n").split("\t")
        if line[0] == "#":
            continue
        if len(fields) != 4 or not good(fields):
            sys.exit(f"{path}:{number}: not a row of four fields as the others are")
        yield fields


rules, commands = {}, {}
for name, kind, what, output in read_rows(sys.argv[2], lambda row: row[1] in RULES):
    if kind == "re":
        kind = "re" if CHARACTERS.search(what) else "raw"
        what = LIMIT + what.replace("@S", RAW_BLANK if kind == "raw" else BLANK).replace(
            "@B", RAW_BLANK.replace(r"\x09-", r"\x09\x0b-"))
    rules.setdefault(name, []).append((kind, what, output))
for name, arguments, kind, output in read_rows(
        sys.argv[3], lambda row: row[2] in KINDS and row[0] not in commands):
    output = output.replace("\\n", "\n") if output != "\\\\" else "\\"
    if kind == "letters":
        rules[name[1:]] = [("word", *pair) for pair in zip(arguments, output) if pair[0] != pair[1]]
        continue
    bare = output  # what is written of a command that was read without arguments
    if kind == "accent":
        bare = unicodedata.normalize("NFC", " " + chr(int(output, 16)))
        rules["accent " + output] = [("use", "dotless", ""), ("re", "(?s)(.)", f"\\1{chr(int(output, 16))}")]
        output = "accent " + output
    elif kind == "args":
        output, bare = "%(1)s", ""
    elif kind == "style":
        bare = ""
    elif kind == "fill":
        bare = None if "%(" in output else output
        if output.count("%s") == len(arguments):  # else `%s` is what it says
            numbers = iter(range(1, 9))
            output = re.sub("%s", lambda _: f"%({next(numbers)})s", output)
    output = re.sub(r"%\((\d)\)s", lambda match: chr(int(match[1])), output)
    commands[name] = arguments, kind.upper() if kind in ("style", "accent") else "TEXT", output, bare
with open(sys.argv[1], "w", encoding="ascii") as out:
    out.write('#include "datasets/documents/document.h"\n\nTgRules tg_rules[] = {\n')
    for name in sorted(rules):
        out.write(f"    {{ {literal(name)}, (TgRule[]) {{\n")
        for kind, what, output in rules[name]:
            out.write(f"        {{ TG_RULE_{kind.upper()}, {literal(what)}, {literal(output)}, 0 }},\n")
        out.write("        { TG_RULE_END, NULL, NULL, 0 } } },\n")
    out.write("};\n\nconst TgLatexText tg_latex_texts[] = {\n")
    for name, (arguments, kind, output, bare) in sorted(commands.items(), key=lambda row: row[0].encode()):
        out.write(f"    {{ {literal(name)}, {literal(arguments)}, TG_LATEX_{kind}, {literal(output)}, "
                  f"{'NULL' if bare is None else literal(bare)} }},\n")
    out.write(f"}};\n\nconst guint tg_n_rules = {len(rules)};\n"
              f"const guint tg_n_latex_texts = {len(commands)};\n")
