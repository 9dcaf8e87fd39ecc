#!/usr/bin/env python3
"""Print what metrics that draw cost: a pair, a test set, an assignment, memory.

usage: run_drawn.py BUILD_FOLDER [--million]

Pairs are formulas of the im2latex test set where the shared reference data is (TEXGAUGE_SHARED),
else of formulas.txt, and copies with random errors. Assignments are solved beside
scipy.optimize.linear_sum_assignment (Debian: python3-scipy), which is left out where it is missing.
--million also scores a million short pairs and prints the memory in use.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
METRICS = ["cdm", "cdm:dialect=omnidocbench-1.6", "cdm-strict", "cdm:locate=raster", "imgedit", "mse", "ssim"]
UNIMER_TEST = 23757  # pairs
SIZES = (30, 100, 300)
N_MATRICES = 9

# Times scipy on the matrices of a file; run by whatever Python has it.
SCIPY = """
import sys, time
import numpy
from scipy.optimize import linear_sum_assignment
n = int(sys.argv[2])
for cost in numpy.fromfile(sys.argv[1]).reshape(-1, n, n):
    start = time.process_time()
    rows, cols = linear_sum_assignment(cost)
    seconds = time.process_time() - start
    print(seconds * 1e6, repr(float(cost[rows, cols].sum())), sep="\\t")
"""


def formulas_file():
    shared = pathlib.Path(os.environ.get("TEXGAUGE_SHARED", HERE.parents[2] / "shared"))
    path = shared / "data/im2latex/test.formulas.norm.txt"
    return path if path.is_file() else HERE / "formulas.txt"


def run(command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, **options).stdout


def run_text(command):
    return run(command, text=True)


def median(values):
    return sorted(values)[len(values) // 2]


# ---- pairs -----------------------------------------------------------------------------------------


def write_pairs(build, formulas, count, path):
    bench = build / "tests" / "bench" / "bench_metrics"
    run([bench, "--count", str(count), "--formulas", formulas, "--write", path])


def print_pairs(build, formulas, folder):
    pairs = folder / "some.tsv"
    write_pairs(build, formulas, 3000, pairs)
    text = run_text([build / "tests" / "bench" / "bench_drawn", pairs, *METRICS])
    print(f"3,000 pairs of {formulas.name}, both sides drawn, microseconds of CPU time a pair")
    print(f"{'':28} {'median':>8} {'mean':>8} {'95 %':>8}")
    for name, *times in (line.split("\t") for line in text.splitlines()):
        print(f"{name:28}" + "".join(f" {float(value):8.1f}" for value in times))


def as_json_lines(pairs, path):
    with open(path, "w") as out:
        for line in pairs.read_text(errors="replace").splitlines():
            gt, pred = line.split("\t", 1)
            out.write(json.dumps({"gt": gt, "pred": pred}) + "\n")


def print_test_set(build, formulas, folder):
    pairs, lines = folder / "set.tsv", folder / "set.jsonl"
    write_pairs(build, formulas, UNIMER_TEST, pairs)
    as_json_lines(pairs, lines)
    print(f"\n{UNIMER_TEST:,} pairs by texgauge eval on two threads")
    print(f"{'':28} {'wall s':>8} {'CPU s':>8}")
    for metric in ("cdm", "cdm-strict"):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        run([build / "cli" / "texgauge", "eval", "-q", "-t", "2", "-m", metric, lines])
        wall = time.monotonic() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{metric:28} {wall:8.1f} {cpu:8.1f}")


# ---- assignment ------------------------------------------------------------------------------------


def find_scipy():
    for python in (sys.executable, "/usr/bin/python3"):
        test = [python, "-c", "import scipy.optimize"]
        if subprocess.run(test, stderr=subprocess.DEVNULL).returncode == 0:
            return python
    return None


def write_costs(path, n):
    """Costs as CDM has them: two symbols that differ cost 1, and places and order little."""
    import array
    import random

    random.seed(n)
    values = array.array("d")
    for _ in range(N_MATRICES):
        rows = [(random.randrange(40), random.random(), i) for i in range(n)]
        cols = [(random.randrange(40), random.random(), i) for i in range(n)]
        values.extend(
            (a[0] != b[0]) + 0.05 * abs(a[1] - b[1]) + 0.15 * abs(a[2] - b[2]) / n
            for a in rows
            for b in cols
        )
    path.write_bytes(values.tobytes())


def solve(command):
    rows = [line.split("\t") for line in run_text(command).splitlines()]
    return median([float(row[0]) for row in rows]), [float(row[1]) for row in rows]


def print_assignment(build, folder):
    python = find_scipy()
    script = folder / "scipy_times.py"
    script.write_text(SCIPY)
    print(f"\nassignment, microseconds of CPU time, median of {N_MATRICES}")
    print(f"{'':28} {'ours':>8} {'scipy':>8}")
    for n in SIZES:
        costs = folder / f"costs{n}"
        write_costs(costs, n)
        bench = build / "tests" / "bench" / "bench_drawn"
        ours, totals = solve([bench, "--assignment", costs, str(n)])
        row = f"{f'{n} x {n}':28} {ours:8.1f}"
        if python is not None:
            theirs, wanted = solve([python, script, costs, str(n)])
            if any(abs(a - b) > 1e-9 for a, b in zip(totals, wanted)):
                sys.exit(f"{n} x {n}: other total costs than scipy's")
            row += f" {theirs:8.1f}   {theirs / ours:.1f} x"
        print(row)


# ---- memory ----------------------------------------------------------------------------------------


def print_memory(build, folder):
    """The most memory in use, by a process of its own for each size."""
    lines = folder / "short.jsonl"
    print("\nmemory of texgauge eval -m cdm on one thread, MB")
    for count in (10_000, 100_000, 1_000_000):
        with open(lines, "w") as out:
            for i in range(count):
                a, b = f"x_{{{i}}}+y", f"x_{{{i}}}-y"
                out.write(json.dumps({"gt": a, "pred": b}) + "\n")
        command = [build / "cli" / "texgauge", "eval", "-q", "-t", "1", "-m", "cdm", lines]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        print(f"{count:28,d} {usage.ru_maxrss / 1024:8.1f}   {usage.ru_utime:8.1f} s CPU")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--million", action="store_true")
    args = parser.parse_args()
    formulas = formulas_file()

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        print_pairs(args.build, formulas, folder)
        print_test_set(args.build, formulas, folder)
        print_assignment(args.build, folder)
        if args.million:
            print_memory(args.build, folder)


if __name__ == "__main__":
    main()
