#!/usr/bin/env python3
"""Print how many pages a second `texgauge eval --pages` scores, from Markdown to the metrics.

usage: run_pages.py BUILD_FOLDER [--pages N] [--metrics LIST] [--threads N]

N pages (default 1,651, as OmniDocBench has) are those of the shared data (TEXGAUGE_SHARED, or
../shared beside the checkout), which are repeated; where they are absent, those of the sample set.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).parents[2]


def find_pages():
    """The pages of a truth with their Markdown: [(page, text)]."""
    shared = pathlib.Path(os.environ.get("TEXGAUGE_SHARED") or ROOT.parent / "shared") / "pages"
    if shared.is_dir():
        truth, folders = shared / "gt.json", sorted((shared / "md").iterdir())
    else:
        shared = ROOT / "datasets" / "samples" / "pages"
        truth, folders = shared / "truth.json", [shared / "aster", shared / "birch"]
    found = []
    for page in json.loads(truth.read_text(encoding="utf-8")):
        name = page["page_info"]["image_path"]
        for folder in folders:
            file = folder / f"{name[:-4]}.md"
            if file.is_file():
                found.append((page, file.read_bytes()))
                break
    return found


def write_set(folder, n):
    """A truth and a folder of N pages."""
    found = find_pages()
    truth = []
    (folder / "pages").mkdir()
    for i in range(n):
        page, text = found[i % len(found)]
        info = page["page_info"] | {"image_path": f"page{i}.jpg"}
        truth.append(page | {"page_info": info})
        (folder / "pages" / f"page{i}.md").write_bytes(text)
    (folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")


def processor_time():
    """The seconds that programs have used processors so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--pages", type=int, default=1651)
    parser.add_argument("--metrics", default="cdm:dialect=omnidocbench-1.6,edit,forte")
    parser.add_argument("--threads", default="2")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_set(folder, args.pages)
        common = [args.build / "cli" / "texgauge"]
        inputs = ["--gt", folder / "truth.json"]
        ways = {
            "documents": ["documents", "--protocol", "omnidocbench", *inputs, folder / "pages",
                          "-o", folder / "pairs.jsonl"],
            f"eval -m {args.metrics}": ["eval", "-m", args.metrics, *inputs, "--pages",
                                        folder / "pages", "-o", folder / "results.jsonl"],
        }
        print(f"{'from Markdown, threads: ' + args.threads:60} {'pages':>6} {'s':>7} {'CPU s':>7} {'pages/s':>9}")
        for way, words in ways.items():
            start, used = time.monotonic(), processor_time()
            subprocess.run([*common, *words, "-q", "-t", args.threads], check=True,
                           stdout=subprocess.DEVNULL)
            seconds = time.monotonic() - start
            print(f"{way:60} {args.pages:6d} {seconds:7.2f} {processor_time() - used:7.2f} "
                  f"{args.pages / seconds:9,.0f}")
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"most memory of one: {most:.0f} MiB")


if __name__ == "__main__":
    main()
