#!/usr/bin/env python3
"""Print how many pairs a second each metric scores, beside NLTK and python-Levenshtein, and what it
costs to set a formula, beside pdflatex.

usage: run.py BUILD_FOLDER [--count N]

All run one after another on the same pairs; CPU time, one thread. Where the Python packages are
missing (Debian: python3-nltk, python3-levenshtein) their columns stay empty. Formulas are those of the
im2latex test set where the shared reference data is (TEXGAUGE_SHARED), else formulas.txt.
"""

import argparse
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent

METRICS = [
    "bleu",
    "bleu:smooth=nltk4",
    "bleu:tokenize=13a",
    "bleu:compat=sacrebleu-r",
    "ebleu",
    "texbleu",
    "texbleu:align=edit",
    "cer",
    "wer",
    "edit",
    "edit:tokenize=codepoint",
    "edit:tokenize=codepoint:variant=osa",
    "edit:tokenize=codepoint:variant=indel",
    "edit-dist",
    "edit-ops",
    "exprate",
    "rouge:tokenize=latex",
    "chrf",
    "chrf:word-order=2",
    "forte",
]

# Python functions that compute the same scores.
BASELINES = {"bleu:smooth=nltk4": "corpus_bleu", "cer": "Levenshtein.distance"}


def read_rows(text):
    """{name: (pairs per second, score)} of a bench program's output."""
    rows = (line.split("\t") for line in text.splitlines())
    return {name: (float(rate), float(score)) for name, rate, score in rows}


def run(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def run_python(pairs):
    """The baselines, by the first interpreter that has the packages."""
    for python in (sys.executable, "/usr/bin/python3"):
        test = [python, "-c", "import Levenshtein, nltk"]
        if subprocess.run(test, stderr=subprocess.DEVNULL).returncode == 0:
            return read_rows(run([python, HERE / "bench_python.py", pairs]))
    return {}


def print_row(name, ours, baselines):
    rate, score = ours[name]
    line = f"{name:38} {rate:12,.0f}"
    baseline = BASELINES.get(name)
    if baseline in baselines:
        other_rate, other_score = baselines[baseline]
        if abs(score - other_score) > 1e-9:
            sys.exit(f"{name} is {score}, but {baseline} {other_score}")
        line += f"   {other_rate:9,.0f}  {rate / other_rate:6.1f} x  {baseline}"
    print(line)


# ---- Typesetting ---------------------------------------------------------------------------------

# Preamble of the official CDM.
TEX_HEAD = r"""\documentclass[12pt]{article}
\usepackage{amsmath,upgreek,amssymb,xcolor}
\begin{document}
"""
TEX_FORMULAS = 2500
STAGES = {
    "parse": "reading",
    "layout": "reading and layout",
    "boxes": "the same, and boxes of tokens",
    "flat": "the same, and the flat picture",
}


def formulas_file():
    shared = pathlib.Path(os.environ.get("TEXGAUGE_SHARED", HERE.parents[2] / "shared"))
    path = shared / "data/im2latex/test.formulas.norm.txt"
    return path if path.is_file() else HERE / "formulas.txt"


def child_seconds(command, **options):
    """User CPU time of a program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL, **options)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before.ru_utime


def tex_microseconds(path, behind):
    """User CPU time a formula of pdflatex in one batch, its start taken off; None without pdflatex.

    behind: what follows each box, "" for layout alone
    """
    if shutil.which("pdflatex") is None:
        return None
    formulas = path.read_text(errors="replace").splitlines()[:TEX_FORMULAS]
    boxes = "".join(
        f"\\setbox0\\hbox{{$\\displaystyle {formula}\n$}}{behind}\n\\noindent\\par\n"
        for formula in formulas
    )  # the end of a paragraph has TeX count faults from 0 again; 100 end it
    with tempfile.TemporaryDirectory() as folder:
        command = ["pdflatex", "-interaction=batchmode", "a.tex"]
        source = pathlib.Path(folder) / "a.tex"
        source.write_text(TEX_HEAD + "\\end{document}\n")
        start = min(child_seconds(command, cwd=folder) for _ in range(3))
        source.write_text(TEX_HEAD + boxes + "\\end{document}\n")
        whole = min(child_seconds(command, cwd=folder) for _ in range(3))
        return (whole - start) / len(formulas) * 1e6


def first_picture_milliseconds(texgauge):
    with tempfile.TemporaryDirectory() as folder:
        command = [texgauge, "render", "-o", pathlib.Path(folder) / "a.png", r"\frac{a}{b}+\sqrt{x}"]
        return statistics.median(child_seconds(command) for _ in range(15)) * 1e3


def print_typesetting(build):
    path = formulas_file()
    lines = run([build / "tests" / "bench" / "bench_typeset", path]).splitlines()
    values = {name: float(value) for name, value in (line.split("\t") for line in lines)}
    box, page = tex_microseconds(path, ""), tex_microseconds(path, r"\shipout\copy0")

    print(f"\nsetting {values['formulas']:,.0f} formulas of {path.name}, microseconds of CPU time each")
    print(f"{'':34} {'median':>8} {'mean':>8} {'95 %':>8} {'user':>8}"
          + ("   pdflatex / user: boxes, pages" if page else ""))
    for stage, name in STAGES.items():
        median, mean, most, user = (
            values[f"{stage} {what}"] for what in ("median", "mean", "p95", "user")
        )
        ratio = f"   {box / user:8.1f} x {page / user:8.1f} x" if page else ""
        print(f"{name:34} {median:8.1f} {mean:8.1f} {most:8.1f} {user:8.1f}{ratio}")
    if page:
        print(f"{'pdflatex, boxes only (setbox)':34} {'':26} {box:8.1f}")
        print(f"{'pdflatex, a page each (shipout)':34} {'':26} {page:8.1f}")
    print(f"{'SHA-256 of 64 KiB by GLib':34} {'':8} {values['yardstick']:8.1f}")
    print(f"{'start of texgauge to a picture, ms':34} "
          f"{first_picture_milliseconds(build / 'cli' / 'texgauge'):8.1f}")
    print(f"{'memory of a context, MB':34} {values['context MB']:8.2f}")
    print(f"{'fonts, shared by all, MB':34} {values['fonts MB']:8.2f}")

    print("\nmicroseconds by length")
    print(f"{'tokens':>8}" + "".join(f" {stage:>10}" for stage in STAGES) + "   layout a token")
    for length in (10, 30, 100, 300, 1000, 3000, 10000):
        times = [values[f"{stage} {length} tokens"] for stage in STAGES]
        row = "".join(f" {time:10.1f}" for time in times)
        print(f"{length:8,d}{row}   {times[1] / length:14.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--count", default="100000")
    args = parser.parse_args()
    bench = args.build / "tests" / "bench" / "bench_metrics"

    with tempfile.TemporaryDirectory() as folder:
        pairs = pathlib.Path(folder) / "pairs.tsv"
        ours = read_rows(run([bench, "--count", args.count, "--write", pairs, *METRICS]))
        baselines = run_python(pairs)

    print(f"{'metric':38} {'pairs/s':>12}   {'Python':>9}")
    for name in METRICS:
        print_row(name, ours, baselines)

    tokenizer = args.build / "tests" / "bench" / "bench_tokenizer"
    model = HERE.parents[1] / "datasets" / "models" / "texbleu-default"
    rate, tokens, size = run([tokenizer, model, HERE / "formulas.txt"]).split()
    print(f"{'encoding by the default tokenizer':38} {int(rate):12,d}   formulas/s,"
          f" of {size} bytes and {tokens} tokens")
    print_typesetting(args.build)


if __name__ == "__main__":
    main()
