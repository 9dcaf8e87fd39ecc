#!/usr/bin/env python3
"""Print how long `texgauge eval` takes over real test sets, all its work counted.

usage: run_data.py BUILD_FOLDER [--metrics LIST]

Reads every file of formulas in the shared data (TEXGAUGE_SHARED, or ../shared beside the
checkout): start of the process, loading of models, reading, scoring, summary; one thread, CPU
time. Lists of formulas without predictions are scored against themselves.
"""

import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
DEFAULT_METRICS = "texbleu,ebleu,bleu"


def find_data():
    shared = os.environ.get("TEXGAUGE_SHARED") or HERE.parents[2] / "shared"
    return pathlib.Path(shared) / "data"


def list_runs(data):
    """(name, arguments) of every file that holds formulas."""
    alone = [*sorted(data.glob("im2latex/*.txt")), *data.glob("pdf-parse-bench/*.json")]
    pairs = [
        *sorted(data.glob("omnidocbench/*formula*.json")),
        *sorted(data.glob("speech2latex/*.csv")),
        *sorted(data.glob("uni-mumer/*.json")),
    ]
    runs = [(path, ["--gt", path, "--pred", path]) for path in alone]
    runs += [(path, [path]) for path in pairs]
    return [(str(path.relative_to(data)), args) for path, args in runs]


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def count_pairs(summary):
    """The pairs of all subsets together, which the summary names first."""
    return int(re.search(r'"pairs":\s*(\d+)', summary).group(1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--metrics", default=DEFAULT_METRICS)
    args = parser.parse_args()

    data = find_data()
    if not data.is_dir():
        print(f"no shared data at {data}: skipped", file=sys.stderr)
        return
    program = args.build / "cli" / "texgauge"
    common = [program, "eval", "--quiet", "--threads=1", "--summary=json", "-m", args.metrics]

    print(f"{'eval -m ' + args.metrics:60} {'pairs':>6} {'CPU ms':>7} {'pairs/s':>9}")
    for name, inputs in list_runs(data):
        before = cpu_seconds()
        summary = subprocess.run(
            [*common, *inputs], check=True, stdout=subprocess.PIPE, text=True
        ).stdout
        seconds = cpu_seconds() - before
        pairs = count_pairs(summary)
        print(f"{name:60} {pairs:6d} {seconds * 1e3:7.0f} {pairs / seconds:9,.0f}")


if __name__ == "__main__":
    main()
