#!/usr/bin/env python3
"""Agreement of olmocr with olmOCR-bench's math tests: verdicts of pairs and pages, refusals.

Usage: olmocr.py TEXGAUGE [--list N]

--list prints the first N pairs and tests that differ. Exits with 77 (skipped) where the shared data
are absent.
"""

import json
import lzma
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("TEXGAUGE_SHARED", ROOT.parent / "shared"))
SKIPPED = 77
LEAST_RATIO = 400  # of CPU; 4,000 are promised, of which a build with sanitizers has a tenth
OFFICIAL_SECONDS = 3.8  # a test, as the specification measured them
LEAST = {
    "pairs": 0.993,
    "predictions of models among them": 0.998,
    "tests of pages": 0.993,
    "formulas accepted or rejected": 0.998,
}


def read(path):
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def run(*words):
    done = subprocess.run(
        [str(word) for word in words], check=False, capture_output=True, text=True
    )
    if done.returncode not in (0, 3):
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")


def score_pairs(texgauge, pairs, folder, column="olmocr"):
    """Whether each pair has a 1 in the column."""
    path, results = folder / "pairs.jsonl", folder / "results.jsonl"
    with open(path, "w", encoding="utf-8") as file:
        for i, pair in enumerate(pairs):
            file.write(json.dumps({"id": str(i), "gt": pair["ref"], "pred": pair["hyp"]}) + "\n")
    run(
        texgauge,
        "eval",
        "--metrics",
        "olmocr",
        "--delimiters",
        "keep",
        "--force",
        "-o",
        results,
        path,
    )
    rows = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    scores = {row["id"]: row["scores"][column] == 1 for row in rows if "id" in row}
    return [scores[str(i)] for i in range(len(pairs))]


def spent_by_children():
    """Seconds of CPU, those of the system too."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_tests(texgauge, tests, pages, folder):
    """Whether each test of a page passes, by the command on a bench made of them."""
    bench, parser = folder / "bench", folder / "parser"
    names = {page: f"p{i}" for i, page in enumerate(pages)}
    bench.mkdir()
    parser.mkdir()
    for page, name in names.items():
        (parser / f"{name}_pg1_repeat1.md").write_text(pages[page], encoding="utf-8", newline="")
    with open(bench / "all.jsonl", "w", encoding="utf-8") as file:
        for i, test in enumerate(tests):
            line = test["test"] | {"id": str(i), "pdf": f"{names[test['page']]}.pdf", "page": 1}
            file.write(json.dumps(line) + "\n")
    rows = folder / "rows.jsonl"
    started = spent_by_children()
    run(
        *(texgauge, "documents", "--protocol", "olmocr", "--threads", 1),
        *("--tests", bench, parser, "-o", rows),
    )
    spent = spent_by_children() - started
    ratio = OFFICIAL_SECONDS * len(tests) / spent
    print(
        f"{1e6 * spent / len(tests):.0f} microseconds of CPU a test; "
        f"officially {OFFICIAL_SECONDS} s: {ratio:,.0f} times less"
    )
    if ratio < LEAST_RATIO:
        sys.exit(f"less than {LEAST_RATIO:,} times")
    passed = {
        row["id"]: row["passed"]
        for row in map(json.loads, rows.read_text(encoding="utf-8").splitlines())
    }
    return [passed[str(i)] for i in range(len(tests))]


def report(name, verdicts):
    """Print the share of (ours, official, text) that agree, and whether it is large enough."""
    share = sum(ours == official for ours, official, _ in verdicts) / len(verdicts)
    print(f"{len(verdicts)} {name}: {share:.2%} the same verdict")
    return share >= LEAST[name]


def main():
    data = SHARED / "olmocr/dev"
    if not data.is_dir():
        print(f"skipped: there is no {data}")
        return SKIPPED
    shown = int(sys.argv[3]) if sys.argv[2:3] == ["--list"] else 0
    with tempfile.TemporaryDirectory() as name:
        pairs = read(data / "pairs.jsonl.xz")
        ours = score_pairs(sys.argv[1], pairs, Path(name))
        renders = read(data / "renders.jsonl.xz")
        formulas = [{"ref": render["f"], "hyp": render["f"]} for render in renders]
        accepted = score_pairs(sys.argv[1], formulas, Path(name), "olmocr.accepted")
        tests = read(data / "tests.jsonl.xz")
        pages = {page["page"]: page["text"] for page in read(data / "pages.jsonl.xz")}
        passed = run_tests(sys.argv[1], tests, pages, Path(name))
    verdicts = [
        (mine, pair["equal"], f"{pair['ref']} | {pair['hyp']}")
        for mine, pair in zip(ours, pairs, strict=True)
    ]
    models = [
        verdict
        for verdict, pair in zip(verdicts, pairs, strict=True)
        if pair["kind"] == "prediction"
    ]
    good = [report("pairs", verdicts), report("predictions of models among them", models)]
    on_pages = [
        (mine, test["passed"], f"{test['test']['math']} on {test['page']}")
        for mine, test in zip(passed, tests, strict=True)
    ]
    good.append(report("tests of pages", on_pages))
    of_katex = [
        (ours, render.get("error") is None, render["f"])
        for ours, render in zip(accepted, renders, strict=True)
    ]
    good.append(report("formulas accepted or rejected", of_katex))
    for mine, official, text in [v for v in verdicts + on_pages if v[0] != v[1]][:shown]:
        words = ["passes" if passes else "fails" for passes in (official, mine)]
        print(f"  officially {words[0]}, here {words[1]}: {text}")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
