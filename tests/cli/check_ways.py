#!/usr/bin/env python3
"""Scores the same pairs in several ways: the rows of results must be equal, to the byte.

Usage: check_ways.py TEXGAUGE

As JSON lines and as CSV, on one thread and on sixteen, in one run and in one that was cut anywhere
and continued, whole and in shards. The pairs are seeds of fuzzing, spliced with a fixed seed.
"""

import csv
import json
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
        # CSV has no NUL, and readers of it take off no line ends that JSON would keep
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


def main(program, folder):
    def evaluate(output, *words):
        command = [program, "eval", "-q", "-m", METRICS, "-o", folder / output, *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return folder / output

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
        check(f"cut after {cut} bytes", resumed.read_bytes() == text)

    shards = [
        evaluate(f"{k}.jsonl", f"--shard={k}/{N_SHARDS}", lines) for k in range(1, N_SHARDS + 1)
    ]
    merged = sorted((row for shard in shards for row in rows(shard)), key=lambda row: row["row"])
    check("whole, shards", merged == rows(whole) and summary(*shards) == summary(whole))


with tempfile.TemporaryDirectory() as name:
    main(sys.argv[1], Path(name))
