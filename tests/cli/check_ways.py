#!/usr/bin/env python3
"""Scores the same pairs in several ways: the rows of results must be equal, to the byte.

Usage: check_ways.py TEXGAUGE [LIBRARY]

As JSON lines and as CSV, on one thread and on sixteen, in one run and in one that was cut anywhere
and continued, whole and in shards, in locales whose numbers and letters differ, and by the C library from Python: all in one call, on sixteen
threads, and pair by pair. The pairs are seeds of fuzzing, spliced with a fixed seed.
"""

import csv
import ctypes
import json
import locale
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

SEEDS = Path(__file__).resolve().parent.parent / "fuzz" / "seeds" / "parse"
METRICS = "edit,bleu,exprate,chrf,forte,cdm,cdm-strict"
N_PAIRS, N_CUTS, N_SHARDS = 200, 6, 3


def formulas():
    for path in sorted(SEEDS.iterdir()):
        text = path.read_bytes().decode("utf-8", errors="ignore").strip()
        # CSV cannot hold NUL, and its reader removes line ends that JSON keeps
        if 0 < len(text) < 400 and not any(c in text for c in "\0\r\n"):
            yield text


def pairs():
    choose = random.Random(34)
    known = list(formulas())
    for number in range(N_PAIRS):
        gt, other = choose.choice(known), choose.choice(known)
        cut, start = choose.randrange(len(gt) + 1), choose.randrange(len(other) + 1)
        pred = choose.choice(
            [gt, gt[:cut] + other[start:], gt[:cut], other, gt[:cut] + gt[cut + 1 :]]
        )
        yield {"id": f"p{number}", "subset": "ab"[number % 2], "gt": gt, "pred": pred.strip()}


class Pair(ctypes.Structure):
    """TgPair of texgauge/metric.h."""

    _fields_ = [
        ("id", ctypes.c_char_p),
        ("refs", ctypes.POINTER(ctypes.c_char_p)),
        ("n_refs", ctypes.c_uint),
        ("hyp", ctypes.c_char_p),
        ("fields", ctypes.c_void_p),
    ]


class BatchOptions(ctypes.Structure):
    """TgBatchOptions of texgauge/scorer.h."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("threads", ctypes.c_uint),
        ("progress", ctypes.c_void_p),
        ("data", ctypes.c_void_p),
    ]


class Library:
    """The C library by its public functions, without the package or the program between."""

    def __init__(self, path):
        self.c = ctypes.CDLL(path)
        for name, result in [
            ("tg_scorer_new", ctypes.c_void_p),
            ("tg_scorer_column_name", ctypes.c_char_p),
            ("tg_scorer_score", ctypes.c_void_p),
            ("tg_batch_column", ctypes.POINTER(ctypes.c_double)),
        ]:
            getattr(self.c, name).restype = result
        self.scorer = ctypes.c_void_p(self.c.tg_scorer_new(METRICS.encode(), None, None))
        self.columns = [
            self.c.tg_scorer_column_name(self.scorer, i).decode()
            for i in range(self.c.tg_scorer_n_columns(self.scorer))
        ]

    def score(self, table, threads=1):
        """A list of values for each pair."""
        refs = [(ctypes.c_char_p * 1)(row["gt"].encode()) for row in table]
        pairs = (Pair * len(table))(
            *(Pair(None, ref, 1, row["pred"].encode()) for ref, row in zip(refs, table))
        )
        options = BatchOptions(ctypes.sizeof(BatchOptions), threads, None, None)
        batch = ctypes.c_void_p(
            self.c.tg_scorer_score(
                self.scorer, pairs, ctypes.c_size_t(len(table)), ctypes.byref(options), None
            )
        )
        values = [self.c.tg_batch_column(batch, i)[: len(table)] for i in range(len(self.columns))]
        self.c.tg_batch_free(batch)
        return [list(row) for row in zip(*values)]


def main(program, library, folder):
    def evaluate(output, *words):
        command = [program, "eval", "-m", METRICS, "-o", folder / output, *words]
        # the table, and the messages about the pairs in a second file
        with (folder / output).with_suffix(".said").open("w") as said:
            subprocess.run(command, check=True, stdout=said, stderr=said)
        return folder / output

    def said(results):
        text = results.with_suffix(".said").read_text()
        return text.replace(results.name, "OUTPUT")

    def summary(*results):
        command = [program, "eval", "-q", "--all", "--summary=json", *results]
        return subprocess.run(command, check=True, capture_output=True).stdout

    def rows(results):
        lines = [json.loads(line) for line in results.read_text().splitlines()[1:-1]]
        return [{key: value for key, value in line.items() if key != "crc"} for line in lines]

    def check(what, same):
        if not same:
            sys.exit(f"{what}: other results")
        print(f"{what}: equal")

    table = list(pairs())
    lines, commas = folder / "pairs.jsonl", folder / "pairs.csv"
    lines.write_text("".join(json.dumps(row) + "\n" for row in table))
    with commas.open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=table[0])
        writer.writeheader()
        writer.writerows(table)

    whole = evaluate("whole.jsonl", "-t", "1", lines)
    if [row["gt"] for row in rows(whole)] == []:
        sys.exit("no rows")
    threaded = evaluate("threaded.jsonl", "-t", "16", lines)
    check("1 thread, 16 threads", whole.read_bytes() == threaded.read_bytes())
    check("JSON lines, CSV", rows(whole) == rows(evaluate("csv.jsonl", commas)))

    text = whole.read_bytes()
    choose = random.Random(35)
    for _ in range(N_CUTS):
        cut = choose.randrange(len(text))
        (folder / "cut.jsonl").write_bytes(text[:cut])
        resumed = evaluate("cut.jsonl", "--resume", lines)
        check(
            f"cut after {cut} bytes",
            resumed.read_bytes() == text and said(resumed) == said(whole),
        )

    shards = [
        evaluate(f"{k}.jsonl", f"--shard={k}/{N_SHARDS}", lines) for k in range(1, N_SHARDS + 1)
    ]
    merged = sorted((row for shard in shards for row in rows(shard)), key=lambda row: row["row"])
    check("whole, shards", merged == rows(whole) and summary(*shards) == summary(whole))

    locales = []
    os.environ["LOCPATH"] = str(folder)
    for name in ["de_DE", "tr_TR"]:
        made = subprocess.run(
            ["localedef", "-i", name, "-f", "UTF-8", folder / f"{name}.UTF-8"], capture_output=True
        )
        if made.returncode != 0:
            print(f"{name} cannot be made here: left out")
            continue
        locales.append(f"{name}.UTF-8")
        os.environ["LC_ALL"] = locales[-1]
        other = evaluate(f"{name}.jsonl", lines)
        check(f"C, {name}", other.read_bytes() == text and said(other) == said(whole))
        del os.environ["LC_ALL"]

    if library is None:
        return
    scorer = Library(library)
    batch = scorer.score(table)

    def written(values):  # numbers as results write them
        return [None if v != v else float(f"{v:.10g}") for v in values]

    check(
        "the program, the library",
        [written(values) for values in batch]
        == [[row["scores"][name] for name in scorer.columns] for row in rows(whole)],
    )
    # by repr(), because NaN is not equal to itself
    check("1 thread of the library, 16", repr(scorer.score(table, 16)) == repr(batch))
    for name in locales:
        locale.setlocale(locale.LC_ALL, name)
        check(f"the library in C, in {name}", repr(scorer.score(table)) == repr(batch))
    check(
        "all pairs at once, one by one", repr([scorer.score([row])[0] for row in table]) == repr(batch)
    )


with tempfile.TemporaryDirectory() as name:
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None, Path(name))
