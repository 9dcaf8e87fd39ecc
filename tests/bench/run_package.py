#!/usr/bin/env python3
"""Print what the Python package scores a second, beside the program and beside other packages.

usage: run_package.py PROGRAM PAIRS.jsonl

All on the same pairs, one after the other, on one thread; CPU time, the best of three, of other
packages one run. Those that are not installed (rapidfuzz, jiwer, sacrebleu, tokenizers) are left
out, and FastCDM, which scores a few pairs only, where Node or Chromium's driver is missing.
"""

import json
import math
import pathlib
import resource
import shutil
import subprocess
import sys
import time

import texgauge

METRICS = ["cdm", "forte", "bleu", "edit"]
SINGLE = 2000  # pairs scored one by one
MANY = 1_000_000  # pairs of a whole evaluation, the same ones again and again
BY_BROWSER = 20  # pairs for FastCDM


def best(work, times=3):
    """Seconds of CPU time of the quickest call, those of programs that it starts among them."""
    seconds = []
    for _ in range(times):
        start = cpu_time()
        work()
        seconds.append(cpu_time() - start)
    return min(seconds)


def cpu_time():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def program_seconds(program, metric, pairs):
    """Of a run without its start, which a run over one pair shows."""

    def run(path):
        words = [program, "eval", "--quiet", "--threads", "1", "--allow-duplicates", "--metrics"]
        subprocess.run([*words, metric, path], stdout=subprocess.DEVNULL, check=True)

    single = pathlib.Path(f"{pairs}.one.jsonl")
    single.write_text(pathlib.Path(pairs).read_text(encoding="utf-8").split("\n")[0], "utf-8")
    try:
        return best(lambda: run(pairs)) - best(lambda: run(single))
    finally:
        single.unlink()


def score_all(name, truths, answers):
    """By a new metric, whose cache of drawings is as empty as the program's."""
    texgauge.Metric(name).batch(references=truths, predictions=answers, threads=1)


def score_each(name, pairs):
    metric = texgauge.Metric(name)
    for truth, answer in pairs:
        metric.score(reference=truth, prediction=answer)


def whole_evaluation(truths, answers):
    """Seconds of a batch call and of evaluate() with edit and forte, and what it leaves."""
    n = MANY
    truths = (truths * (n // len(truths) + 1))[:n]
    answers = (answers * (n // len(answers) + 1))[:n]
    batch = whole = math.inf
    for _ in range(2):  # in turn, so that other work on the machine disturbs both
        start = cpu_time()
        for name in ("edit", "forte"):
            texgauge.Metric(name).batch(references=truths, predictions=answers, threads=0)
        batch = min(batch, cpu_time() - start)
        results = None
        before, start = memory(), cpu_time()
        results = texgauge.evaluate(
            references=truths, predictions=answers, metrics=["edit", "forte"], threads=0
        )
        whole = min(whole, cpu_time() - start)
    held = memory() - before
    start = time.perf_counter()
    values = results["edit"], results.summary, results.column("forte"), results.status("edit")[0]
    access = time.perf_counter() - start
    numbers = 8 * n * len(results.columns) + 4 * n * 2
    print(
        f"{n} pairs, edit and forte: batch {batch:.1f} s, evaluate {whole:.1f} s "
        f"({whole / batch:.2f} times); {len(values)} properties {access * 1e3:.1f} ms; "
        f"holds {held / 1e6:.0f} MB, of which numbers {numbers / 1e6:.0f} MB"
    )


def memory():
    """Bytes that this process has in memory."""
    with open("/proc/self/statm", encoding="ascii") as status:
        return int(status.read().split()[1]) * resource.getpagesize()


def same_tokens(pairs):
    """Microseconds of one edit distance: ours and rapidfuzz's on the same tokens, one by one."""
    try:
        from rapidfuzz.distance import Levenshtein
    except ImportError:
        return
    words = texgauge.Metric(texgauge.spec("edit", tokenize="words"))
    ours = best(lambda: [words.score(reference=a, prediction=b) for a, b in pairs])
    theirs = best(
        lambda: [Levenshtein.normalized_similarity(a.split(), b.split()) for a, b in pairs]
    )
    n = len(pairs)
    print(
        f"one edit distance of words: score() {ours / n * 1e6:.2f} us, rapidfuzz with split() "
        f"{theirs / n * 1e6:.2f} us ({ours / theirs:.2f} times)"
    )


def others(truths, answers):
    """Name and work of what other packages do on all pairs."""
    joined = [" ".join(tokens.split()) for tokens in answers]
    try:
        from rapidfuzz.distance import Levenshtein

        yield (
            "rapidfuzz, Levenshtein of characters",
            lambda: [Levenshtein.distance(a, b) for a, b in zip(truths, answers, strict=True)],
        )
    except ImportError:
        pass
    try:
        import jiwer

        wanted = [text or " " for text in truths]
        yield (
            "jiwer, cer of each pair",
            lambda: [jiwer.cer(a, b) for a, b in zip(wanted, answers, strict=True) if a.strip()],
        )
    except ImportError:
        pass
    try:
        from sacrebleu.metrics import BLEU, CHRF

        bleu, chrf = BLEU(tokenize="none", effective_order=True), CHRF()
        yield "sacrebleu, BLEU of the corpus", lambda: bleu.corpus_score(joined, [truths])
        yield "sacrebleu, chrF of the corpus", lambda: chrf.corpus_score(joined, [truths])
    except ImportError:
        pass
    yield from tokenizers(truths, answers)


def tokenizers(truths, answers):
    try:
        import tokenizers as library
    except ImportError:
        return
    data = pathlib.Path(__file__).parents[2] / "datasets/models/texbleu-default/tokenizer.json"
    tokenizer = library.Tokenizer.from_file(str(data))
    yield (
        "Hugging Face tokenizers, both sides",
        lambda: (
            tokenizer.encode_batch(truths),
            tokenizer.encode_batch(answers),
        ),
    )


def fast_cdm(truths, answers):
    """Seconds a pair, the browser's included, without its start; None where it cannot run."""
    driver = shutil.which("chromedriver")
    try:
        from fastcdm import FastCDM
    except ImportError:
        return None
    if driver is None or shutil.which("node") is None:
        return None

    def run(n):
        browser = FastCDM(chromedriver=driver)
        for truth, answer in zip(truths[:n], answers[:n], strict=True):
            browser.compute(truth, answer)
        browser.close()

    start = best(lambda: run(1), 1)
    return (best(lambda: run(1 + BY_BROWSER), 1) - start) / BY_BROWSER


def main():
    program, path = sys.argv[1:]
    rows = [json.loads(line) for line in pathlib.Path(path).read_text("utf-8").splitlines()]
    truths, answers = [row["gt"] for row in rows], [row["pred"] for row in rows]
    print(f"{len(rows)} pairs, one thread")
    print(f"{'metric':38}{'batch, pairs/s':>16}{'program':>12}{'batch/program':>15}{'score()':>11}")
    for name in METRICS:
        ours = best(lambda n=name: score_all(n, truths, answers))
        theirs = program_seconds(program, name, path)
        some = list(zip(truths, answers, strict=True))[:SINGLE]
        one = best(lambda n=name, p=some: score_each(n, p))
        print(
            f"{name:38}{len(rows) / ours:16,.0f}{len(rows) / theirs:12,.0f}{theirs / ours:14.0%}"
            f"{one / len(some) * 1e6:9.1f} us"
        )
    same_tokens(list(zip(truths, answers, strict=True))[:SINGLE])
    whole_evaluation(truths, answers)
    for name, work in others(truths, answers):
        print(f"{name:38}{len(rows) / best(work, 1):16,.0f}")
    seconds = fast_cdm(truths, answers)
    if seconds is not None:
        print(f"{f'FastCDM, {BY_BROWSER} pairs':38}{1 / seconds:16,.1f}")


if __name__ == "__main__":
    main()
