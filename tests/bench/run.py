#!/usr/bin/env python3
"""Print how many pairs a second each metric scores, beside NLTK and python-Levenshtein.

usage: run.py BUILD_FOLDER [--count N]

All run one after another on the same pairs; CPU time, one thread. Where the Python packages are
missing (Debian: python3-nltk, python3-levenshtein) their columns stay empty.
"""

import argparse
import pathlib
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
    "edit-ops",
    "exprate",
    "rouge:tokenize=latex",
    "chrf",
    "chrf:word-order=2",
    "forte",
]

# What computes the same score in Python.
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


if __name__ == "__main__":
    main()
