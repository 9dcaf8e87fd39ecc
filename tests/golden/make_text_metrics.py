#!/usr/bin/env python3
"""Make text_metrics.json: values of the text metrics on strings of our own.

usage: make_text_metrics.py > text_metrics.json    (Debian: python3-nltk, python3-levenshtein)

NLTK gives the values of its own smoothing methods and of chrF with eps-smoothing, and
python-Levenshtein the distances. What these packages lack (sacrebleu's BLEU and chrF, optimal string
alignment, ROUGE) is computed here cell by cell and n-gram by n-gram, from the published definitions.
"""

import json
import math
import re
import sys
import warnings
from collections import Counter

import Levenshtein
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from nltk.translate.chrf_score import sentence_chrf

warnings.simplefilter("ignore")

# (references, hypothesis)
PAIRS = [
    (["\\frac{a+b}{c}"], "\\frac{a+b}{c}"),
    (["\\frac{a+b}{c}"], "\\frac { a - b } { c }"),
    (["x^2 + y^2 = z^2"], "x_2 + y^2 = 2^z"),
    (["\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}"], "\\sum_{i=1}^n i = \\frac{n (n + 1)}{2}"),
    (["\\int_0^\\infty e^{-x} dx = 1"], "\\int_{0}^{\\infty} e^{-x} \\, d x = 1"),
    (["\\alpha \\beta \\gamma \\delta"], "\\alpha \\gamma \\beta \\delta"),
    (["\\alpha \\beta \\gamma"], "\\delta \\epsilon \\zeta"),
    (["E = m c ^ 2", "E = m c ^ { 2 }"], "E = m c ^ { 2 }"),
    (["a b c d", "a b", "c d e f g"], "a b c"),
    (["\\left( x \\right)", "( x )"], "\\left[ x \\right)"),
    (["\\begin{matrix} a & b \\\\ c & d \\end{matrix}"], "\\begin{matrix} a & b \\\\ c \\end{matrix}"),
    (["f(x) = \\begin{cases} 1 & x > 0 \\\\ 0 & x \\le 0 \\end{cases}"], "f(x) = 1, x > 0"),
    (["a a a a a a"], "a a"),
    (["a a"], "a a a a a a"),
    (["ab ab ab"], "ba ba ba"),
    (["\\text{na\u00efve}"], "\\text{naive}"),
    (["\u2211 \u03b1\u1d62 \u00d7 \U0001d53d"], "\u2211 \u03b1\u1d62 \u2a2f \U0001d53c"),
    (["\u4e00\u4e8c\u4e09"], "\u4e00\u4e09\u4e8c"),
    (["\\Delta X"], "\\delta x"),
    (["3.14, (1,000) & -2-3"], "3.14 , ( 1,000 ) & -2 - 3"),
    (["x"], "x"),
    (["x"], "y"),
    (["x y"], "x"),
    (["p_1 , p_2 , \\dots , p_n \\in \\mathbb { P }"], "p_1 , p_2 , \\ldots , p_n \\in P"),
    (["a"], ""),
    ([""], "a"),
    ([""], ""),
]

METHODS = SmoothingFunction()


def latex(text):
    return re.findall(r"\\[a-zA-Z]+|\\\S|\S", text)


# ---- distances ----


def as_characters(*sequences):
    """The token sequences as strings, one private character per token, for Levenshtein."""
    number = {}
    return ["".join(chr(0xE000 + number.setdefault(t, len(number))) for t in s) for s in sequences]


def osa(a, b):
    d = {}
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            if i == 0 or j == 0:
                d[i, j] = i + j
                continue
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + (a[i - 1] != b[j - 1]))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                d[i, j] = min(d[i, j], d[i - 2, j - 2] + 1)
    return d[len(a), len(b)]


def similarity(distance, length):
    return 1 - distance / length if length else 1.0


def best(values, key):
    """The first of the best."""
    return max(values, key=key)


def edit(refs, hyp):
    rows = [(Levenshtein.distance(*as_characters(r, hyp)), max(len(r), len(hyp))) for r in refs]
    return best(rows, lambda row: similarity(*row))


def rate(refs, hyp):
    rows = [(Levenshtein.distance(*as_characters(r, hyp)), len(r)) for r in refs]
    return best(rows, lambda row: -row[0] / max(1, row[1]))


def edit_scores(refs, hyp):
    distance, length = edit(refs, hyp)
    return {
        "edit": similarity(distance, length),
        "distance": distance,
        "normalized": 1 - similarity(distance, length),
    }


def exprate_scores(refs, hyp):
    errors = min(Levenshtein.distance(*as_characters(r, hyp)) for r in refs)
    return {"exprate": float(errors == 0), **{str(k): float(errors <= k) for k in (1, 2, 3)}}


# ---- overlap ----


def ngrams(tokens, n):
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def lcs(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        diagonal = 0
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], diagonal + 1 if x == y else max(row[j], row[j - 1])
    return row[-1]


def f1(shared, n_ref, n_hyp):
    return 2 * shared / (n_ref + n_hyp) if n_ref and n_hyp else 0.0


def rouge_n(ref, hyp, n):
    r, h = ngrams(ref, n), ngrams(hyp, n)
    return f1(sum((r & h).values()), sum(r.values()), sum(h.values()))


def rouge_scores(refs, hyp):
    return {
        "rouge": max(rouge_n(r, hyp, 1) for r in refs),
        "2": max(rouge_n(r, hyp, 2) for r in refs),
        "l": max(f1(lcs(r, hyp), len(r), len(hyp)) for r in refs),
    }


def chrf_counts(ref, hyp, word_order):
    counts = []
    for side, order in ((chrf_characters, 6), (chrf_words, word_order)):
        for n in range(1, order + 1):
            r, h = ngrams(side(ref), n), ngrams(side(hyp), n)
            counts.append((sum(h.values()) if r else 0, sum(r.values()), sum((r & h).values())))
    return counts


def chrf_characters(text):
    return "".join(text.split())


def chrf_words(text):
    punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    words = []
    for word in text.split():
        if len(word) > 1 and word[-1] in punctuation:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in punctuation:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def chrf(counts):
    used = [(m / h, m / r) for h, r, m in counts if h and r]
    if not used:
        return 0.0
    precision = sum(p for p, _ in used) / len(used)
    recall = sum(r for _, r in used) / len(used)
    return 5 * precision * recall / (4 * precision + recall) if precision + recall else 0.0


def best_chrf_counts(refs, hyp, word_order):
    return best([chrf_counts(r, hyp, word_order) for r in refs], chrf)


# ---- BLEU as sacrebleu defines it ----


def bleu_counts(refs, hyp):
    matches = []
    for n in range(1, 5):
        limits = Counter()
        for ref in refs:
            limits |= ngrams(ref, n)
        matches.append(sum((ngrams(hyp, n) & limits).values()))
    totals = [max(0, len(hyp) - n) for n in range(4)]
    closest = min((len(r) for r in refs), key=lambda n: (abs(n - len(hyp)), n))
    return len(hyp), closest, matches, totals


def sacrebleu(hyp_len, ref_len, matches, totals, smooth):
    if not any(matches):
        return 0.0
    logs, factor = 0.0, 1
    for n, (match, total) in enumerate(zip(matches, totals)):
        if smooth == "add-k" and n:
            match, total = match + 1, total + 1
        if total == 0:
            return 0.0
        if match == 0 and smooth == "exp":
            factor *= 2
            match = 1 / factor
        if match == 0 and smooth == "floor":
            match = 0.1
        if match == 0:
            return 0.0
        logs += math.log(match / total) / 4
    return min(1.0, math.exp(1 - ref_len / hyp_len)) * math.exp(logs)


def nltk_bleu(refs, hyp, method):
    try:
        return float(sentence_bleu(refs, hyp, smoothing_function=method))
    except AssertionError:
        return None  # method 6 without a matching triple


# ---- the file ----


def pair_scores(refs, hyp):
    refs_l, hyp_l = [latex(r) for r in refs], latex(hyp)
    refs_w, hyp_w = [r.split() for r in refs], hyp.split()
    scores = {
        "edit": edit_scores(refs_l, hyp_l),
        "edit:tokenize=codepoint": edit_scores(refs, hyp),
        "edit:tokenize=codepoint:variant=indel": {"edit": max(Levenshtein.ratio(r, hyp) for r in refs)},
        "edit:tokenize=codepoint:variant=osa": {
            "edit": max(similarity(osa(r, hyp), max(len(r), len(hyp))) for r in refs)
        },
        "cer": {"cer": min(Levenshtein.distance(r, hyp) / max(1, len(r)) for r in refs)},
        "wer": {"wer": min(d / max(1, n) for d, n in [rate(refs_w, hyp_w)])},
        "edit-ops": {"edit-ops": min(Levenshtein.distance(*as_characters(r, hyp_l)) for r in refs_l)},
        "exprate": exprate_scores(refs_l, hyp_l),
        "rouge": rouge_scores(refs_w, hyp_w),
        "rouge:tokenize=latex": rouge_scores(refs_l, hyp_l),
        "chrf": {"chrf": chrf(best_chrf_counts(refs, hyp, 0))},
        "chrf:word-order=2": {"chrf": chrf(best_chrf_counts(refs, hyp, 2))},
    }
    if len(refs) == 1 and refs[0] and hyp:
        scores["chrf:eps-smoothing=yes:beta=3"] = {"chrf": float(sentence_chrf(refs[0], hyp))}
    for smooth in ("none", "floor", "add-k", "exp"):
        value = sacrebleu(*bleu_counts(refs_l, hyp_l), smooth)
        scores[f"bleu:smooth={smooth}:effective-order=no"] = {"bleu": value}
    for k in range(8):
        value = nltk_bleu(refs_l, hyp_l, getattr(METHODS, f"method{k}"))
        scores[f"bleu:smooth=nltk{k}"] = {"bleu": value}
    return scores


def add_up(rows):
    return [sum(column) for column in zip(*rows)]


def corpus_scores():
    tokens = [([latex(r) for r in refs], latex(hyp)) for refs, hyp in PAIRS]
    counts = [bleu_counts(*pair) for pair in tokens]
    sums = [sum(c[0] for c in counts), sum(c[1] for c in counts)]
    sums += [add_up(c[2] for c in counts), add_up(c[3] for c in counts)]
    edits, lengths = add_up(edit(*pair) for pair in tokens)
    errors, characters = add_up(rate(*pair) for pair in PAIRS)
    scores = {
        "edit": {"corpus": similarity(edits, lengths)},
        "cer": {"cer": errors / characters},
    }
    for order in (0, 2):
        rows = [best_chrf_counts(*pair, order) for pair in PAIRS]
        pooled = [add_up(column) for column in zip(*rows)]
        scores[f"chrf:word-order={order}"] = {"chrf": chrf(pooled)}
    for smooth in ("none", "floor", "add-k", "exp"):
        scores[f"bleu:smooth={smooth}"] = {"bleu": sacrebleu(*sums, smooth)}
    for k in range(5):  # beyond, NLTK looks at the last sentence alone
        method = getattr(METHODS, f"method{k}")
        value = corpus_bleu(*zip(*tokens), smoothing_function=method)
        scores[f"bleu:smooth=nltk{k}"] = {"bleu": float(value)}
    return scores


def main():
    pairs = [{"refs": r, "hyp": h, "scores": pair_scores(r, h)} for r, h in PAIRS]
    json.dump({"pairs": pairs, "corpus": corpus_scores()}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
