#!/usr/bin/env python3
"""Turns page_rules.tsv and latex_text.tsv into one constant C table.

Usage: page_tables.py OUTPUT page_rules.tsv latex_text.tsv

A rule is: name, kind, what is looked for, what it becomes (in the way of GRegex for re); kinds are told in document.h.
A row of the other table is: command without backslash (or =STYLE), kinds of its arguments, kind of output, output with
`\\\\` and `\\n` for a backslash and a line's end; `%s` and `%(2)s` are arguments, which the latter needs.
"""
import re
import sys
import unicodedata

PATTERNS = ("re", "within", "lookup", "stop", "split")
RULES = PATTERNS + ("word", "fold", "trim", "use", "again", "number", "lower", "compose")
KINDS = ("text", "drop", "rare", "args", "style", "accent", "fill", "letters")
BLANK = r"[\s\x1c-\x1f]"  # what Python calls a space; the same byte by byte
RAW_BLANK = (r"(?:[\x09-\x0d\x1c-\x20]++|\xC2[\x85\xA0]|\xE1\x9A\x80|\xE2\x80[\x80-\x8A\xA8\xA9\xAF]|"
             r"\xE2\x81\x9F|\xE3\x80\x80)")
# (@B: but a line's end.) What needs characters: classes of Unicode, a class or a number of others than ASCII.
# Other patterns are matched byte by byte, as GRegex looks the whole text through for each match else.
CHARACTERS = re.compile(r"(?<!\\)(?:\\\\)*\\(?:[wdsbp]|x\{)|\[[^]]*[^\x00-\x7f]|[^\x00-\x7f][?*+]|[].]\{\d+,\d+\}|\{\d\d")
LIMIT = "(*LIMIT_MATCH=1000000)"  # of steps: a search that takes more finds nothing
# Arguments of commands, the innermost ones: groups without commands; a command, which is nothing; or one character.
GROUP = r"(?(DEFINE)(?<group>(?:[^{}\\]++|\{(?&group)\})*+))"
ARGUMENTS = {"{": r"@S*+(?|\{((?&group))\}|(?=\})()|\\(?:\p{L}++@S*|.)()|([^{}\\]))", "*": r"(?:@S*+\*)?+",
             "[": r"(?:@S*+\[(?:[^]{}\\]++|\{(?&group)\})*+\]|(?!@S*+\[))"}


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


def any_of(names):
    signs = re.escape("".join(name for name in names if not name.isalpha()))
    words = "|".join(name for name in names if name.isalpha())
    return "(?:" + "|".join([rf"(?:{words})(?!\p{{L}})"] * (words > "") + [f"[{signs}]"] * (signs > "")) + ")"


def protected(text):
    """ASCII that LaTeX could read again as characters for private use."""
    return re.sub(r"[^\w/+.,:;=<>()|@^_\n]", lambda sign: chr(0xE000 + ord(sign[0])) if sign[0] < "\x7f" else sign[0], text)


rules = {"unprotect": [("word", chr(0xE000 + code), chr(code)) for code in [*range(32, 127), 0xA0]]}
calls, failing, macros = {}, [], {}
for name, arguments, kind, output in read_rows(sys.argv[3], lambda row: row[2] in KINDS):
    if name == "\\":  # goes before others: stands in the other table
        continue
    output = output.replace("\\n", "\n") if output != "\\\\" else "\\"
    if kind == "letters":
        rules["style " + name[1:]] = [("re", r"\A\\\p{L}++@S*", "")] + [
            ("word", *pair) for pair in zip(arguments, output) if pair[0] != pair[1]]
        continue
    bare = output  # what is written of a command that was read without arguments
    if kind == "accent":
        bare = unicodedata.normalize("NFC", " " + chr(int(output, 16)))
        rules["accent " + output] = [("stop", "(?s).{400}", ""), ("use", "accented", ""),
                                     ("re", r"([^\x{0}])", rf"\1\x{{{output}}}"), ("compose", "", "")]
    elif kind in ("args", "style"):
        bare = ""
    if arguments:
        if "%(" in output:
            failing.append(name)
        if kind == "args":
            output = "%s"
        if kind not in ("accent", "style"):
            pieces, numbers = re.split(r"(%s|%\(\d\)s)", output), iter(range(2, 9))
            output = "".join(protected(piece) if i % 2 == 0 else
                             rf"\{next(numbers) if piece == '%s' else arguments[:int(piece[2])].count('{') + 1}"
                             for i, piece in enumerate(pieces))
        calls.setdefault((kind if kind in ("accent", "style") else "re", output), {}).setdefault(arguments, []).append(name)
    rules["\\" + name] = [("word", "\\" + name, f"{{{protected(bare)}}}")]
named = [(arguments, name) for call in calls.values() for arguments, names in call.items() for name in names]
macros["command"] = any_of([name for _, name in named])
macros["with one"] = any_of([name for arguments, name in named if "{" in arguments])
macros["strict"] = any_of(failing)
macros["with two"] = any_of([name for arguments, name in named if "{{" in arguments])
macros["paired"] = ""  # what has braces that pair, no deeper than any formula's
for _ in range(30):
    macros["paired"] = rf"(?:[^{{}}]++|(?<=\\)[{{}}]|\{{{macros['paired']}\}})*+"
rows = [("plain arguments", "stop", r"\A[^\\]*+\z", "")]
for (kind, output), call in calls.items():
    what = "|".join(any_of(names) + "".join(ARGUMENTS[argument] for argument in arguments) for arguments, names in call.items())
    rows.append(("plain arguments", "re" if kind == "re" else "within", rf"{GROUP}\\(?|{what})",
                 output if kind == "re" else f"{kind} {output}"))
rows.append(("plain arguments", "again", "", ""))
for name, kind, what, output in [*read_rows(sys.argv[2], lambda row: row[1] in (*RULES, "define")), *rows]:
    if kind in PATTERNS or kind == "define":
        what = re.sub("@{(.*?)}", lambda macro: macros[macro[1]], what)
    if kind == "define":
        macros[name] = what
    else:
        rules.setdefault(name, []).append((kind, what, output))
with open(sys.argv[1], "w", encoding="ascii") as out:
    out.write('#include "datasets/documents/document.h"\n\nTgRules tg_rules[] = {\n')
    for name in sorted(rules):
        out.write(f"    {{ {literal(name)}, (TgRule[]) {{\n")
        for kind, what, output in rules[name]:
            raw = kind in PATTERNS and not CHARACTERS.search(what)
            if kind in PATTERNS:
                blank = RAW_BLANK if raw else BLANK
                what = LIMIT + what.replace("@S", blank).replace("@B", RAW_BLANK.replace(r"\x09-", r"\x09\x0b-"))
            out.write(f"        {{ TG_RULE_{kind.upper()}, {int(raw)}, {literal(what)}, {literal(output)}, 0 }},\n")
        out.write("        { TG_RULE_END, 0, NULL, NULL, 0 } } },\n")
    out.write(f"}};\n\nconst guint tg_n_rules = {len(rules)};\n")
