#!/usr/bin/env python3
"""KaTeX's vocabulary: how much of it is read, and strictly what pdflatex sets of it.

usage: katex_table.py TEXGAUGE

A row of tests/golden/katex.tsv is a name of KaTeX's tables of symbols, functions, macros and
environments (0.16.4), an example that KaTeX draws, and whether pdflatex sets it with the packages of
construct_table.py and PACKAGES. Writes the examples that are read with a fault, those that pdflatex
sets and --strict rejects, and the counts; the column of pdflatex is written anew.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import construct_table

TABLE = pathlib.Path(__file__).parents[1] / "golden" / "katex.tsv"
PACKAGES = r"\usepackage{braket,siunitx,slashed,booktabs,arydshln,esint}"
HEAD = "name\texample\tpdflatex\n"


def accepted(texgauge, examples, *options):
    """Whether each example is read without a fault."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(f"{example}\n" for example in examples))
        file.flush()
        command = [texgauge, "render", *options, "--boxes", "-", "--input", file.name]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    boxes = [json.loads(line) for line in run.stdout.splitlines()]
    return ["error" not in box and not box["faults"] for box in boxes]


def set_by_tex(examples):
    construct_table.GROUP_PACKAGES["katex"] = PACKAGES
    with tempfile.TemporaryDirectory() as name:
        tex = construct_table.Tex(pathlib.Path(name), "katex")
        return [isinstance(box, tuple) for box in tex.boxes(examples)]


def main():
    rows = [line.split("\t") for line in TABLE.read_text().splitlines()[1:]]
    examples = [example for _, example, _ in rows]
    tex = set_by_tex(examples)
    tolerant = accepted(sys.argv[1], examples)
    strict = accepted(sys.argv[1], examples, "--strict")
    for example, by_tex, read, strictly in zip(examples, tex, tolerant, strict):
        if not read:
            print(f"fault: {example}")
        if by_tex and not strictly:
            print(f"rejected: {example}")
    TABLE.write_text(
        HEAD + "".join(f"{row[0]}\t{row[1]}\t{'yes' if flag else 'no'}\n" for row, flag in zip(rows, tex))
    )
    print(f"{len(rows)} examples, {sum(tolerant)} read without a fault")
    print(f"pdflatex sets {sum(tex)}, {sum(a and b for a, b in zip(tex, strict))} read strictly")


if __name__ == "__main__":
    main()
