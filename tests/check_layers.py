#!/usr/bin/env python3
"""Checks which folder may use which, for the compiler and for the linker.

Usage: check_layers.py SOURCE_ROOT [BUILD_ROOT]

Includes are read from the sources; what the linker needs is read with nm from
the objects of BUILD_ROOT, which knows of declarations that stand in another file's header.
No source compares an enumerator without a number of its own by <, >, <= or >=, because a new
enumerator would change such a comparison without a word.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

# Folder -> the folders that it may use besides itself; it may also use the folders that these may use. Lowest first.
DEPENDS_ON = {
    "include/texgauge": [],
    "core": ["include/texgauge"],
    "core/files": ["core"],
    "tokenizer/symbols": ["core"],
    "tokenizer/tree": ["tokenizer/symbols"],
    "tokenizer/macros": ["tokenizer/tree"],
    "tokenizer/latex": ["tokenizer/macros"],
    "tokenizer/canonical": ["tokenizer/latex"],
    "tokenizer/subword": ["core/files"],
    "tokenizer/rules": ["tokenizer/latex", "tokenizer/subword"],
    "tokenizer/train": ["tokenizer/subword"],
    "tokenizer": ["tokenizer/canonical", "tokenizer/rules"],
    "metrics/algorithms": ["core"],
    "datasets/records": ["tokenizer/latex"],
    "datasets/readers": ["datasets/records", "core/files"],
    "datasets": ["datasets/readers"],
    "datasets/documents": ["datasets", "metrics/algorithms"],
    "render/fonts": ["core/files"],
    "render/typeset": ["render/fonts", "tokenizer/latex"],
    "render/paint": ["render/typeset"],
    "render": ["render/paint"],
    "render/pictures": ["render"],
    "metrics/base": ["tokenizer", "metrics/algorithms"],
    "metrics/text": ["metrics/base"],
    "metrics/image": ["metrics/base", "render/pictures"],
    "metrics/cdm/normalize": ["metrics/base"],
    "metrics/cdm/draw": ["metrics/cdm/normalize", "render"],
    "metrics/cdm": ["metrics/cdm/draw", "render/pictures"],
    "metrics/cdm_strict": ["metrics/cdm"],
    "metrics/crohme": ["metrics/base", "render/pictures"],
    "metrics/forte": ["metrics/base", "render/pictures"],
    "metrics/olmocr": ["metrics/base"],
    "metrics": ["metrics/text", "metrics/image", "metrics/cdm_strict", "metrics/crohme",
                "metrics/forte", "metrics/olmocr"],
    "eval/stats": ["core"],
    "eval/grid": ["core"],
    "eval/results": ["datasets", "metrics", "eval/grid", "eval/stats"],
    "eval/run": ["eval/results", "datasets/documents"],
    "eval/select": ["eval/run"],
    "eval/explain": ["eval/results"],
    "eval/compare": ["eval/results"],
    "eval/study": ["eval/results"],
    "eval/page": ["render"],
    "eval/rate": ["eval/select", "eval/page"],
    "eval/report": ["eval/select", "eval/explain", "eval/compare", "eval/study", "eval/page"],
    "eval/options": ["eval/report", "eval/rate"],
    "cli": ["eval/options", "datasets/documents", "tokenizer/train"],
    "web": ["cli"],
    "python/ext": ["eval/options", "datasets/documents"],
}
FOLDERS = ("include", "core", "tokenizer", "datasets", "render", "metrics", "eval", "cli",
           "python", "web")

GENERATED = ("metrics/forte/forte_events.h",)

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)

# Enumerators whose order means something -> the reason.
ORDERED = {
    "LIKELY": "scores of a guess, from least to most",
    "SURE": "scores of a guess, from least to most",
    "SIGN": "all numbers from it on are numbers of signs",
    "SMOOTH_NLTK0": "sacrebleu's treatments stand before it",
    "TG_FORTE_MARKS_END": "it is made for the comparison",
    "TG_FORTE_NAMES": "it is made for the comparison",
    "TG_ROLE_HUMAN": "the roles before it need one of their fields",
    "TG_ROLE_HYP": "the loop is over both sides of a pair",
    "TG_STROKE_DOWN": "the loop is over both strokes",
    "TG_STYLE_TEXT": "TeX's styles, from largest to smallest",
}
NO_CODE = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*', re.DOTALL)
ENUM = re.compile(r"\benum\b[^{};()]*\{([^}]*)\}")
COMPARED = re.compile(r"(?<![<>-])[<>]=?(?![<>=])\s*([A-Z]\w+)|\b([A-Z]\w+)\s*[<>]=?(?![<>=])")


def below(folder):
    """All folders that `folder` may use."""
    allowed = {folder}
    for other in DEPENDS_ON[folder]:
        allowed |= below(other)
    return allowed


def unit(name):
    """A .c file and its own header are one."""
    return name.rsplit(".", 1)[0]


def folder_of(name):
    return name.rsplit("/", 1)[0]


def sources(root):
    """Path below the root -> text, of every C file of the project's folders."""
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for folder in FOLDERS
        for path in sorted((root / folder).rglob("*.[ch]"))
    }


def includes(files):
    """(including file, quote, name as written, file of the project or None) for every include."""
    for name, text in files.items():
        for quote, target in INCLUDE.findall(text):
            found = "include/" + target if target.startswith("texgauge/") else target
            if found not in files:
                # cli/ is a program and python/ext/ a module: their headers stand beside their sources.
                found = None
            yield name, quote, target, found if found in files else None


def objects(build, files):
    """(using .c file, symbol, .c file that defines it) for every symbol between objects."""
    known = {name[:-2].replace("/", "_") + ".c.o": name for name in files if name.endswith(".c")}
    # Other objects are generated, or left over from an earlier build.
    paths = sorted(path for path in (build / "libtexgauge-internal.a.p").glob("*.o")
                   if path.name in known)
    if not paths:
        return []
    listing = subprocess.run(["nm", "--print-file-name", *paths], capture_output=True, text=True,
                             check=True).stdout
    defined, wanted = {}, []
    for line in listing.splitlines():
        path, rest = line.split(":", 1)
        name = known[pathlib.PurePath(path).name]
        kind, symbol = rest.split()[-2:]
        if kind in "TDBRVW":
            defined[symbol] = name
        elif kind == "U":
            wanted.append((name, symbol))
    return [(name, symbol, defined[symbol]) for name, symbol in wanted if symbol in defined]


def ranges(files):
    """(file, line, enumerator without a number that is compared by order) for every such one."""
    code = {
        name: NO_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
        for name, text in files.items()
    }
    members = {
        member.strip()
        for text in code.values()
        for found in ENUM.finditer(text)
        for member in found[1].split(",")
        if "=" not in member and not re.search(r"(?:^|_)N_", member.strip())
    }
    for name, text in code.items():
        for found in COMPARED.finditer(text):
            enumerator = found[1] or found[2]
            if enumerator in members - ORDERED.keys():
                yield name, text.count("\n", 0, found.start()) + 1, enumerator


def check(root, build=None):
    files = sources(root)
    faults = []
    for name in files:
        if folder_of(name) not in DEPENDS_ON:
            faults.append(f"{name}: {folder_of(name)}/ is not among the folders of check_layers.py")
    if faults:
        return faults, len(files)
    first = {}
    for name, quote, target, found in includes(files):
        first.setdefault(name, target)
        if folder_of(name) == "include/texgauge" and quote == '"':
            faults.append(f'{name}: public headers include <texgauge/...>, not "{target}"')
        if found is None:
            if quote == '"' and target.split("/")[0] in FOLDERS and target not in GENERATED:
                faults.append(f'{name}: no file "{target}"')
            continue
        if folder_of(found) not in below(folder_of(name)):
            faults.append(f'{name}: {folder_of(name)}/ must not include "{target}"')
    for name in files:
        own = unit(name) + ".h"
        if (name.endswith(".c") and not name.startswith("cli/") and own in files
                and first.get(name) != own):
            faults.append(f'{name}: must include its own header "{own}" first')
    if build is not None:
        for name, symbol, definer in objects(build, files):
            if folder_of(definer) not in below(folder_of(name)):
                faults.append(f"{name}: {folder_of(name)}/ must not need {symbol}() of {definer}")
    for name, line, enumerator in ranges(files):
        faults.append(
            f"{name}:{line}: {enumerator} has no number: only == and != may compare with it"
        )
    return faults, len(files)


def self_test():
    """The check must find what it is for."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for folder in DEPENDS_ON:
            (root / folder).mkdir(parents=True, exist_ok=True)
        (root / "core/a.c").write_text('#include "metrics/base/b.h"\n')
        (root / "metrics/base/b.h").write_text("")
        (root / "metrics/base/b.c").write_text('#include "metrics/base/b.h"\n#include "core/a.h"\n')
        (root / "core/a.h").write_text("")
        (root / "core/c.c").write_text('#include "cli/c.h"\n')
        (root / "cli/c.h").write_text("")
        (root / "datasets/d.c").write_text('#include "render/x.h"\n')
        (root / "render/x.h").write_text("")
        (root / "render/y.c").write_text(
            "enum { AA, BB, TWO = 2, N_C };\nf(a < BB /* BB > */, a->BB, a < TWO, 1 << AA, a < N_C);\n"
        )
        faults, _ = check(root)
        wanted = ["core/a.c", "core/a.c", "core/c.c", "datasets/d.c", "render/y.c"]
        assert sorted(f.split(":")[0] for f in faults) == sorted(wanted), faults


def main():
    self_test()
    build = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    faults, n_files = check(pathlib.Path(sys.argv[1]), build)
    print("\n".join(faults) if faults else f"layers: {n_files} files are in order")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
