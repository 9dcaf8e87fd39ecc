#!/usr/bin/env python3
"""Pairs per second of CPU time of python3-nltk and python3-Levenshtein, in bench_metrics' layout.

usage: bench_python.py PAIRS    (reference, tab, hypothesis on each line)

Only the calls themselves are timed; NLTK is given tokens that were made before.
"""

import re
import sys
import time

TOKEN = re.compile(r"\\[a-zA-Z]+|\\\S|\S")


def timed(name, n, call):
    start = time.process_time()
    score = call()
    print(f"{name}\t{n / (time.process_time() - start):.0f}\t{score:.10g}", flush=True)


def bench_levenshtein(pairs):
    import Levenshtein

    length = sum(len(ref) for ref, _ in pairs)
    timed(
        "Levenshtein.distance",
        len(pairs),
        lambda: sum(Levenshtein.distance(ref, hyp) for ref, hyp in pairs) / length,
    )


def bench_nltk(pairs):
    from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu

    refs = [[TOKEN.findall(ref)] for ref, _ in pairs]
    hyps = [TOKEN.findall(hyp) for _, hyp in pairs]
    method4 = SmoothingFunction().method4
    timed("corpus_bleu", len(pairs), lambda: corpus_bleu(refs, hyps, smoothing_function=method4))


def main():
    with open(sys.argv[1], encoding="utf-8") as lines:
        pairs = [line.rstrip("\n").split("\t") for line in lines]
    bench_levenshtein(pairs)
    bench_nltk(pairs)


if __name__ == "__main__":
    main()
