#!/usr/bin/env python3
"""Make bleu.json: sacrebleu's scores of formulas of our own, as sentences and as a corpus.

usage: make_bleu.py > bleu.json    (pip install sacrebleu; written with 2.6.0)

Tokens are separated by blanks, and sacrebleu splits there only (tokenize "none"). Most sentences are
shorter than four tokens.
"""

import json
import sys

import sacrebleu

# (references, hypothesis)
PAIRS = [
    (["x"], "x"),
    (["x"], "y"),
    (["x ^ 2"], "x ^ 2"),
    (["a b"], "a b"),
    (["a b"], "a c"),
    (["a"], "a b c"),
    (["\\pi r ^ 2", "\\pi r r"], "\\pi r r"),
    (["E = m c ^ 2"], "E = m"),
    (["E = m c ^ 2"], "E = m c ^ 2"),
    (["E = m c ^ 2"], "E = m c _ 2"),
    (["\\frac { a } { b }"], "\\frac { a } { c }"),
    (["\\frac { a } { b }"], "a / b"),
    (["\\sum _ { i = 1 } ^ { n } i"], "\\sum _ { i } ^ { n } i"),
    (["\\alpha \\beta \\gamma \\delta"], "\\delta \\gamma \\beta \\alpha"),
    (["\\sqrt { 2 }"], ""),
    (["a + b + c + d", "a + b"], "a + b + d + c"),
]

SMOOTHINGS = ["none", "floor", "add-k", "exp"]


def sentence(refs, hyp, smooth, effective):
    score = sacrebleu.sentence_bleu(
        hyp, refs, smooth_method=smooth, tokenize="none", use_effective_order=effective)
    return score.score / 100


def corpus(smooth):
    n_refs = max(len(refs) for refs, _ in PAIRS)
    streams = [[refs[min(i, len(refs) - 1)] for refs, _ in PAIRS] for i in range(n_refs)]
    hyps = [hyp for _, hyp in PAIRS]
    score = sacrebleu.corpus_bleu(hyps, streams, smooth_method=smooth, tokenize="none")
    return score.score / 100


def main():
    pairs = [{
        "refs": refs,
        "hyp": hyp,
        "effective": {s: sentence(refs, hyp, s, True) for s in SMOOTHINGS},
        "whole": {s: sentence(refs, hyp, s, False) for s in SMOOTHINGS},
    } for refs, hyp in PAIRS]
    json.dump({
        "sacrebleu": sacrebleu.__version__,
        "pairs": pairs,
        "corpus": {s: corpus(s) for s in SMOOTHINGS},
    }, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
