#!/usr/bin/env python3
"""Runs the commands that the documents show, in a folder of files with the names that they use.

Usage: run_documents.py TEXGAUGE FOLDER

writes such a folder, for people who want to run a page by hand; tests/check_docs.py runs the pages.

Blocks between ``` are run from the top of a page to its end. In a block `console` the lines after a
command are what it prints. Lines of other programs are left out, but for those that only set a
variable or feed texgauge.
"""

import csv
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

RUN = re.compile(r"(texgauge|zcat|columns=)")
MARK = "@@@"


def write_lines(path, lines):
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def write_csv(path, head, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *rows])


def rows_of(sample):
    """The bundled sample by id: reference, predictions of both models, ratings."""
    rows = {}
    with sample.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            rows.setdefault(row["id"], {"gt": row["equation"].strip("$")})[row["model"]] = row["prediction"]
            rows[row["id"]]["raters"] = [int(row[f"expert_{n}"]) for n in (1, 2, 3)]
    return {name: row for name, row in list(rows.items())[:20]}


def write_files(home, root):
    """Everything that a page reads and does not make itself."""
    rows = rows_of(root / "datasets/samples/mathbridge.csv")
    pairs = [{"id": name, "gt": row["gt"], "pred": row["aster"]} for name, row in rows.items()]
    twins = [{"id": name, "model": model, "gt": row["gt"], "pred": row[model], "human": row["raters"],
              "subset": f"set {len(row['gt']) % 2}"}
             for name, row in rows.items() for model in ("aster", "birch")]  # fmt: skip
    on_pages = [{**pair, "id": f"page{n % 3}.png#{n}"} for n, pair in enumerate(pairs)]
    plain = [{key: twin[key] for key in ("id", "model", "gt", "pred")} for twin in twins]
    (home / "predictions.json").write_text(json.dumps(plain), encoding="utf-8")
    write_lines(home / "predictions.jsonl", map(json.dumps, pairs))
    write_lines(home / "pairs.jsonl", map(json.dumps, on_pages))
    write_lines(home / "twins.jsonl", map(json.dumps, twins))
    (home / "pairs.jsonl.gz").write_bytes(gzip.compress((home / "pairs.jsonl").read_bytes()))
    write_csv(home / "set.csv", ["id", "latex_true", "latex_pred"], [pair.values() for pair in pairs])
    write_csv(home / "truth.csv", ["id", "gt"], [[name, row["gt"]] for name, row in rows.items()])
    write_lines(home / "captions.txt", (f"{name}\t{row['aster']}" for name, row in list(rows.items())[:1]))
    write_lines(home / "truth.txt", (row["gt"] for row in rows.values()))
    write_lines(home / "14_test_labels.txt", (f"{name}\t{row['gt']}" for name, row in rows.items()))
    for part in "spe", "sce":
        shutil.copy(root / f"datasets/samples/unimer_truth_{part}.txt", home / f"truth_{part}.txt")
        shutil.copy(root / f"datasets/samples/unimer_aster_{part}.txt", home / f"pred_{part}.txt")
    for name, model in ("RLFN_2014", "aster"), ("DWAP_2014", "birch"), ("gpt4v", "birch"):
        write_lines(home / f"{name}.txt", (f"{key}\t{row[model]}" for key, row in rows.items()))
    write_csv(home / "GPT-4v.csv", ["name", "ground truth", "GPT-4v raw output", "gpt4v processed"],
              [[name, row["gt"], row["birch"], row["birch"]] for name, row in rows.items()])
    write_lines(home / "formulas.txt", (row["gt"] for row in rows.values()))
    for folder, label in (("data/2014/symLg", "x"), ("graphs", "y")):
        (home / folder).mkdir(parents=True)
        (home / folder / f"{next(iter(rows))}.lg").write_text(f"O, 1, {label}, 1.0, O\n", encoding="utf-8")
    (home / "a.json").write_text(json.dumps({name: row["aster"] for name, row in rows.items()}))
    write_lines(home / "ids.jsonl", ['{"gt": [[1, 2, 3]], "pred": [1, 2, 4]}'])
    for letter, model in (("a", "aster"), ("b", "birch")):
        write_lines(home / f"{letter}.txt", (row[model] for row in rows.values()))
        shutil.copytree(root / "datasets/samples/pages" / model, home / letter)
        shutil.copytree(root / "datasets/samples/olmocr" / model, home / "bench" / letter)
        ours = [json.dumps({**pair, "pred": rows[pair["id"]][model]}) for pair in pairs]
        write_lines(home / f"{letter}.jsonl", ours)
        for year in (2014, 2016):
            write_lines(home / f"crohme_{year}.{'3b' if letter == 'a' else '7b'}.json", ours)
    shutil.copytree(home / "a", home / "results")
    shutil.copy(root / "datasets/samples/olmocr/sample_math.jsonl", home / "bench")
    shutil.copy(root / "datasets/samples/pages/truth.json", home / "OmniDocBench.json")
    shutil.copytree(root / "tests/documents/truth", home / "papers")
    shutil.copytree(root / "tests/documents/nougat", home / "parsed")
    (home / "datasets").symlink_to((root / "datasets").resolve())
    (home / "docs/examples").mkdir(parents=True)
    (home / "docs/examples/ratings").symlink_to((root / "docs/examples/ratings").resolve())
    studied = {"bleu_score": 0.5, "levenshtein_similarity": 0.5, "cdm_score": 0.5}
    rated = [{**row, "raters": row["human"], "rater4": row["human"][0] + n % 2,
              "choice": "AB"[n % 2], "formula": n // 4,
              "study_metrics": {key: value + n / 100 for key, value in studied.items()}}
             for n, row in enumerate(twins) if row["model"] == "aster"]  # fmt: skip
    for name in ("rated", "choices", "spellings"):
        write_lines(home / f"{name}.jsonl", map(json.dumps, rated))
    write_csv(home / "rated.csv", ["id", "gt", "pred", "subset", "r1", "r2", "r3", "r4", "r5"],
              [[row["id"], row["gt"], row["pred"], row["subset"], *row["human"], *row["human"][:2]]
               for row in rated])  # fmt: skip


def write_results(home, texgauge):
    """Results that pages begin with."""
    for name, source in (("results", "twins"), ("old", "a"), ("new", "b")):
        subprocess.run([texgauge, "eval", "-q", "-m", "forte,cdm,edit,bleu,cer", f"{source}.jsonl", "-o",
                        f"{name}.jsonl"], cwd=home, check=True, capture_output=True)  # fmt: skip
    (home / "runs").mkdir()
    shutil.copy(home / "old.jsonl", home / "runs/1.jsonl")
    shutil.copy(home / "new.jsonl", home / "runs/2.jsonl")


def write_folder(home, root, texgauge):
    """All files of the pages, in a new folder."""
    home.mkdir()
    write_files(home, root)
    write_results(home, texgauge)
    plugin = pathlib.Path(texgauge).parents[1] / "docs/examples/length_ratio.so"
    if plugin.exists():
        shutil.copy(plugin, home)


def steps_of(text):
    """(command, what it prints or None) of each block, in order."""
    for command in re.findall(r"^\|.* \| `(texgauge (?:eval|documents) [^`]*--(?:gt|tests) [^`]*)` \|$", text, re.MULTILINE):
        yield command, None  # the last cell of a table's row
    for kind, block in re.findall(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        block = re.sub(r"\\\n\s*", "", block) if kind != "console" else block
        if kind == "console":
            for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, shown = step.partition("\n")
                yield command, shown
        elif kind in ("", "sh"):
            for line in block.splitlines():
                yield line, None


def check_page(page, home, environment):
    """What is wrong with the commands of a page."""
    steps = [step for step in steps_of(page.read_text(encoding="utf-8")) if RUN.match(step[0])]
    missing = [] if shutil.which("jq") else ["| jq"]
    missing += [] if (home / "length_ratio.so").exists() else ["--plugin"]
    steps = [step for step in steps if not any(word in step[0] for word in missing)]
    script = ""
    for command, _ in steps:
        made = re.findall(r"-o (\S+)", command) if "--resume" not in command else []
        script += "".join(f"rm -rf {path}\n" for path in made if path != "-")
        script += f"{command}\necho {MARK} $?\n"
    done = subprocess.run(["sh"], input=script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, cwd=home, env=environment, check=False).stdout  # fmt: skip
    outputs = re.findall(rf"(.*?){MARK} (\d+)\n", done, re.DOTALL)
    for (command, shown), (printed, status) in zip(steps, outputs):
        threshold = "--fail-under" in command or "--baseline" in command
        if status != "0" and not (threshold and status == "1"):
            yield f"'{command}' ends with status {status}:\n{printed[-300:]}"
        elif shown is not None and printed.rstrip("\n") != shown.rstrip("\n"):
            yield f"'{command}' prints\n{printed}"


def check(root, texgauge, pages):
    """Run the commands of each page in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        home, first = pathlib.Path(folder), pathlib.Path(folder) / "files"
        write_folder(first, root, texgauge)
        build = pathlib.Path(texgauge).parents[1]
        environment = {**os.environ, "PATH": f"{build}/cli:{os.environ['PATH']}",
                       "LD_LIBRARY_PATH": str(build)}  # fmt: skip
        for number, page in enumerate(pages):
            here = home / str(number)
            shutil.copytree(first, here, symlinks=True)
            for fault in check_page(page, here, {**environment, "HOME": str(here)}):
                yield f"{page.relative_to(root)}: {fault}"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    write_folder(pathlib.Path(sys.argv[2]), pathlib.Path(__file__).resolve().parents[1],
                 str(pathlib.Path(sys.argv[1]).resolve()))  # fmt: skip
