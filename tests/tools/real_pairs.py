#!/usr/bin/env python3
"""Write pairs of real formulas as JSONL, for measurements and long tests of the Python package.

usage: real_pairs.py SHARED N > pairs.jsonl

First the predictions of the shared reference data (handwritten formulas and spoken ones), then
formulas of im2latex, each with the next one as its prediction.
"""

import csv
import itertools
import json
import pathlib
import sys


def predicted(data):
    for path in sorted((data / "uni-mumer").glob("crohme_*.json")):
        for row in json.loads(path.read_text(encoding="utf-8")):
            yield row["gt"], row["pred"]
    with (data / "speech2latex/metrics_disjoint_eng.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            yield row["latex_true"], row["latex_pred"]


def neighbors(data):
    for name in ("test", "val"):
        path = data / f"im2latex/{name}.formulas.norm.txt"
        formulas = path.read_text(encoding="utf-8", errors="replace").splitlines()
        yield from itertools.pairwise(formulas)


def main():
    data, n = pathlib.Path(sys.argv[1]) / "data", int(sys.argv[2])
    pairs = itertools.chain(predicted(data), neighbors(data))
    for number, (truth, answer) in enumerate(itertools.islice(pairs, n), 1):
        print(json.dumps({"id": str(number), "gt": truth, "pred": answer}, ensure_ascii=False))


if __name__ == "__main__":
    main()
