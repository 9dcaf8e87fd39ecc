#!/usr/bin/env python3
"""Slots of characters in Latin Modern's text, symbol and companion fonts by their encoding files;
writes tests/golden/encodings.tsv.

usage: make_encoding_golden.py        (from the top of the source)

Needs lm-rm.enc, lm-mathsy.enc, lm-ts1.enc (Debian: lmodern with tex-common) and Adobe's glyphlist.txt
(texlive-base); only developers run it. Of the text font: characters that no accent makes; of the others
what \\text takes from them, as LaTeX's OT1 and utf8 do.
"""
import pathlib
import re
import subprocess
import unicodedata


def read(name):
    path = subprocess.check_output(["kpsewhich", name], text=True).strip()
    return pathlib.Path(path).read_text(encoding="latin-1")


def slots(name):
    """{glyph: first slot} of an encoding."""
    body = re.sub(r"%.*", "", read(name))
    glyphs = re.search(r"\[(.*)\]", body, re.DOTALL)[1].split()
    out = {}
    for slot, glyph in enumerate(glyphs):
        out.setdefault(glyph.lstrip("/"), slot)
    return out


# Accents by the names of Unicode, and their glyphs in lm-rm.enc.
ACCENTS = {"GRAVE ACCENT": "grave", "ACUTE ACCENT": "acute", "CIRCUMFLEX ACCENT": "circumflex",
           "TILDE": "tilde", "MACRON": "macron", "BREVE": "breve", "DOT ABOVE": "dotaccent",
           "DIAERESIS": "dieresis", "RING ABOVE": "ring", "DOUBLE ACUTE ACCENT": "hungarumlaut",
           "CARON": "caron", "CEDILLA": "cedilla"}
# Glyphs whose names Adobe's list has for another character or not at all.
NAMES = {"dotlessj": 0x237, "Delta": 0x394, "Omega": 0x3A9, "periodcentered": 0xB7, "mu": 0xB5,
         "two.superior": 0xB2, "three.superior": 0xB3, "one.superior": 0xB9}


def wanted(font, code):
    if font == "text":  # not the letter Eng, nor accents by themselves
        return (code >= 0x80 and not unicodedata.decomposition(chr(code))
                and code not in (0x14A, 0x14B, 0x2C6, 0x2C7))
    if font == "symbols":
        return chr(code) in "{|}\\"
    return False


def companions():
    """Characters of LaTeX's TS1 encoding, but for accents by themselves and a name of the angles
    that are no text; and those that only its commands have."""
    slot = dict(re.findall(r"\\DeclareTextSymbol\{\\(\w+)\}\{TS1\}\{(\d+)\}", read("ts1enc.def")))
    declared = re.findall(r"\\DeclareUnicodeCharacter\{(\w+)\}\{\\(\w+)\}", read("ts1enc.dfu"))
    codes = {int(code, 16): name for code, name in declared
             if not re.match("text(ascii|acute|blank|naira)", name)
             and code not in ("2329", "232A", "3008", "3009")}
    codes |= {0x2212: "textminus", 0x221A: "textsurd", 0x27E6: "textlbrackdbl",
              0x27E7: "textrbrackdbl", 0x201A: "textquotestraightbase",
              0x201E: "textquotestraightdblbase"}
    rows = [("companion", code, int(slot[name])) for code, name in codes.items() if name in slot]
    return [*rows, ("companion", 0x2217, 42)]  # \textasteriskcentered, declared as a command


def main():
    names = dict(NAMES)
    for line in read("glyphlist.txt").splitlines():
        if line and line[0] != "#" and " " not in line:
            glyph, code = line.split(";")
            names.setdefault(glyph, int(code, 16))
    rows = companions()
    beside = {code for _, code, _ in rows}
    for font, file in (("text", "lm-rm.enc"), ("symbols", "lm-mathsy.enc")):
        for glyph, slot in slots(file).items():
            code = names.get(glyph)
            if code is not None and code not in beside and wanted(font, code):
                rows.append((font, code, slot))
    accents = slots("lm-rm.enc")
    for name, glyph in ACCENTS.items():
        rows.append(("accent", ord(unicodedata.lookup("COMBINING " + name)), accents[glyph]))
    out = ["font\tcharacter\tslot"] + [f"{font}\tU+{code:04X}\t{slot}" for font, code, slot in sorted(rows)]
    pathlib.Path("tests/golden/encodings.tsv").write_text("\n".join(out) + "\n")


main()
