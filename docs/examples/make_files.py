#!/usr/bin/env python3
"""Makes a folder of small files with the names that the pages of docs/ use, from the bundled samples.

Usage: make_files.py FOLDER

Each how-to page begins with this command, and runs in that folder from its top to its end. Files with
the name of a public file, such as 14_test_labels.txt, stand for it: they have its form, not its
formulas.
"""

import csv
import gzip
import json
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "datasets/samples"


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


def write_files(home):
    """Everything that a page reads and does not make itself."""
    rows = rows_of(SAMPLES / "mathbridge.csv")
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
        shutil.copy(SAMPLES / f"unimer_truth_{part}.txt", home / f"truth_{part}.txt")
        shutil.copy(SAMPLES / f"unimer_aster_{part}.txt", home / f"pred_{part}.txt")
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
        shutil.copytree(SAMPLES / "pages" / model, home / letter)
        ours = [json.dumps({**pair, "pred": rows[pair["id"]][model]}) for pair in pairs]
        write_lines(home / f"{letter}.jsonl", ours)
        for year in (2014, 2016):
            write_lines(home / f"crohme_{year}.{'3b' if letter == 'a' else '7b'}.json", ours)
    shutil.copytree(home / "a", home / "results")
    shutil.copytree(SAMPLES / "olmocr", home / "bench")
    shutil.copy(SAMPLES / "pages/truth.json", home / "OmniDocBench.json")
    shutil.copytree(ROOT / "tests/documents/truth", home / "papers")
    shutil.copytree(ROOT / "tests/documents/nougat", home / "parsed")
    shutil.copy(SAMPLES / "mathbridge.csv", home)
    shutil.copytree(ROOT / "docs/examples/ratings", home / "ratings")
    for program in (ROOT / "docs/examples").glob("*.c"):
        shutil.copy(program, home)
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


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    home = pathlib.Path(sys.argv[1])
    home.mkdir(parents=True, exist_ok=True)
    if any(home.iterdir()):
        sys.exit(f"{home} is not empty: name a new folder")
    write_files(home)
    print(f"{home}: {len(list(home.iterdir()))} small files and folders")


if __name__ == "__main__":
    main()
