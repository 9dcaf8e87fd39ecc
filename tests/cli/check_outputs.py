#!/usr/bin/env python3
"""Compares what eval, compare, study, report and select print with tests/golden/outputs.

Usage: check_outputs.py TEXGAUGE [--write]

The inputs are the bundled samples and a few pairs below that lack something. --write replaces the
goldens by what TEXGAUGE prints: look at the difference, and say in CHANGELOG.md what users see.
"""

import difflib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
SAMPLES = TESTS.parent / "datasets" / "samples"
GOLDEN = TESTS / "golden" / "outputs"
SUBSETS = ["sce", "hwe"]

# Pages by id and by field, lists of attributes, a pair without a prediction, an empty prediction, a pair without a
# subset.
PAGES = [
    # page of the id, block, kind, subset, reference, predictions of models a and b
    ("p1.png", 0, ["inline", "en"], "book", "x^2", "x^2", "x_2"),
    ("p1.png", 1, ["display"], "book", r"\frac{a}{b}", r"\frac{a}{c}", r"\frac{a}{b}"),
    ("p2_3", 0, "display", "slides", r"\sum_{i=1}^n i", "", r"\sum_{i=1}^n i"),
    ("p2_4", 1, "inline", "slides", r"\alpha + \beta", None, r"\alpha + \gamma"),
    ("p3.jpg", 0, 7, "book", r"\sqrt{2}", r"\sqrt{2}", r"\sqrt{3"),
    ("p3.jpg", 1, True, None, r"e^{i\pi} + 1 = 0", r"e^{i\pi} + 1 = 0", r"e^{i\pi} - 1 = 0"),
]

METRICS = "bleu,edit-ops"
STYLES = ["table", "json", "csv", "md", "latex"]


def write_inputs(folder):
    for path in SAMPLES.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    rows = []
    for page, block, kind, subset, gt, *predictions in PAGES:
        for model, pred in zip("ab", predictions):
            rows.append({"id": f"{page}#{block}", "model": model, "kind": kind, "page": page[:2],
                         "subset": subset, "gt": gt, "pred": pred, "human": {"all": [len(gt) % 5]}})
    (folder / "pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def unimer_inputs():
    inputs = [f"--gt=unimer_truth_{subset}.txt" for subset in SUBSETS]
    return inputs + [f"--pred={model}=unimer_{model}_{subset}.txt"
                     for model in ["aster", "birch"] for subset in SUBSETS]


def runs():
    """(name, words after `texgauge`, file that is written, or None for stdout), in order."""
    human = ["--human=expert=expert_1,expert_2,expert_3"]
    everything = ["--all", "--confidence"]

    yield "eval-mathbridge", ["eval", "-q", "-m", METRICS, *human, "-o", "mathbridge.jsonl",
                              "mathbridge.csv"], None
    yield "eval-unimer", ["eval", "-q", "-m", METRICS, "--threads=2", "-o", "unimer.jsonl",
                          *unimer_inputs()], None
    yield "eval-pages", ["eval", "-q", "-m", "edit,cdm", "--columns=kind,page", "-o",
                         "pages-results.jsonl", "pages.jsonl"], None
    for k in range(1, 4):
        yield f"eval-shard-{k}", ["eval", "-q", "-m", "bleu,edit-ops", f"--shard={k}/3", "-o",
                                  f"shard{k}.jsonl", "mathbridge.csv"], None
    yield "eval-shards", ["eval", "-q", "--confidence", "shard1.jsonl", "shard2.jsonl",
                          "shard3.jsonl"], None
    yield "eval-skip", ["eval", "-q", "-m", "bleu,edit,cer", "--undefined=skip", "--summary=csv",
                        "--confidence", "pages.jsonl"], None
    yield "eval-add", ["eval", "-q", "--add=wer,chrf", "--confidence", "-o", "added.jsonl",
                       "pages-results.jsonl"], "added.jsonl"
    for style in STYLES:
        yield f"eval-all-{style}", ["eval", "-q", "--all", f"--summary={style}",
                                    "pages-results.jsonl"], None
        yield f"eval-confidence-{style}", ["eval", "-q", "--confidence", f"--summary={style}",
                                           "unimer.jsonl"], None
        yield f"eval-pivot-{style}", ["eval", "-q", "--confidence", "--pivot=bleu",
                                      f"--summary={style}", "unimer.jsonl"], None
        yield f"eval-by-{style}", ["eval", "-q", "--by=kind", "--by=page", f"--summary={style}",
                                   "pages-results.jsonl"], None
        yield f"compare-{style}", ["compare", "-q", "--pairs=2", f"--summary={style}",
                                    "unimer.jsonl"], None
        yield f"study-{style}", ["study", "-q", "--resamples=200", f"--summary={style}",
                                  "mathbridge.jsonl"], None
    for mean in ["pages", "pages=page", "subsets", "subsets=kind"]:
        yield f"eval-mean-{mean.replace('=', '-')}", ["eval", "-q", *everything, f"--mean={mean}",
                                    "pages-results.jsonl"], None
    yield "eval-mean-pages-by", ["eval", "-q", "--confidence", "--mean=pages", "--by=kind",
                                 "--summary=csv", "pages-results.jsonl"], None
    yield "eval-percent", ["eval", "-q", "--confidence", "--percent", "--digits=1",
                           "unimer.jsonl"], None
    yield "eval-aster", ["eval", "-q", "-m", "edit", "-o", "aster.jsonl",
                         "--gt=unimer_truth_hwe.txt", "--pred=unimer_aster_hwe.txt"], None
    yield "eval-named", ["eval", "-q", "A=aster.jsonl"], None
    yield "compare-pages", ["compare", "-q", "--base=b", "--pairs=1", "pages-results.jsonl"], None
    yield "study-by", ["study", "-q", "--by=model", "--parts=correlations",
                       "mathbridge.jsonl"], None
    yield "report-unimer", ["report", "-q", "-o", "unimer.md",
                             "unimer.jsonl"], "unimer.md"
    yield "report-pages", ["report", "-q", "--mean=pages", "-o", "pages.md",
                           "pages-results.jsonl"], "pages.md"
    yield "report-subsets", ["report", "-q", "--mean=subsets", "-o", "subsets.md",
                             "pages-results.jsonl"], "subsets.md"
    yield "select-where", ["select", "-q", "--json", "--where=edit-ops>4", "--where=model=aster",
                           "unimer.jsonl"], None
    yield "select-worst", ["select", "-q", "--text", "--worst=5", "--by=edit-ops",
                            "unimer.jsonl"], None
    yield "select-disputed", ["select", "-q", "--text", "--disputed=bleu,edit-ops", "--limit=3",
                              "unimer.jsonl"], None
    yield "select-undefined", ["select", "-q", "--json", "--where=status.cdm!=ok",
                               "pages-results.jsonl"], None


def show_difference(name, old, new):
    lines = difflib.unified_diff(old.decode().splitlines(), new.decode().splitlines(),
                                 f"golden/outputs/{name}.txt", "now", lineterm="", n=1)
    for line in list(lines)[:40]:
        print("  " + line[:300])


def main():
    program, write = Path(sys.argv[1]).resolve(), "--write" in sys.argv[2:]
    names, bad = set(), []

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_inputs(folder)
        if write:
            for old in GOLDEN.glob("*.txt"):
                old.unlink()
            GOLDEN.mkdir(exist_ok=True)
        for name, words, output in runs():
            done = subprocess.run([program, *words], cwd=folder, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            text = done.stdout
            if output is not None and done.returncode == 0:
                text += (folder / output).read_bytes()
            golden = GOLDEN / f"{name}.txt"
            names.add(golden.name)
            if done.returncode != 0:
                bad.append(name)
                print(f"{name}: exit {done.returncode}: {done.stderr.decode()}")
            elif write:
                golden.write_bytes(text)
            elif not golden.exists() or golden.read_bytes() != text:
                bad.append(name)
                print(f"{name}: texgauge {' '.join(words)}")
                show_difference(name, golden.read_bytes() if golden.exists() else b"", text)
    stray = sorted(path.name for path in GOLDEN.glob("*.txt") if path.name not in names)
    if stray:
        print("goldens that no run has:", ", ".join(stray))
    print(f"{len(names) - len(bad)} of {len(names)} outputs are as they were")
    return 1 if bad or stray else 0


if __name__ == "__main__":
    sys.exit(main())
