#!/usr/bin/env python3
"""Agreement of crohme-graph with CROHME's official programs: verdicts and counts of pairs, graphs of formulas, and
LgEval's figures of whole sets.

Usage: crohme.py TEXGAUGE [--list N]

--list prints the first N pairs and formulas that differ. Exits with 77 (skipped) where the shared data are absent.
"""

import collections
import json
import lzma
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("TEXGAUGE_SHARED", ROOT.parent / "shared"))
SKIPPED = 77
LEAST = {"models": 0.9995, "rules": 0.97}  # of the pairs have the official verdicts
LEAST_GRAPHS = 0.99  # of all formulas have the official graph; of those of models every one
COUNTS = ("nSeg", "detectedSeg", "CorrectSegments", "CorrectSegmentsAndClass",
          "nSegRelEdges", "dSegRelEdges", "CorrectSegRelLocations", "CorrectSegRels")  # in the order of the statistics
VERDICTS = (("exact", ""), ("le1", ".within1"), ("le2", ".within2"), ("le3", ".within3"), ("structure", ".structure"))
RATES = (("symbols", "symbol"), ("symbols+class", "class"), ("relations", "relation"), ("relations+class", "relation-class"))


def read(path):
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class Program:
    """The texgauge program, and a folder for what it writes."""

    def __init__(self, path, folder):
        self.path, self.folder = path, Path(folder)

    def write(self, rows):
        path = self.folder / "pairs.jsonl"
        with open(path, "w", encoding="utf-8") as file:
            for name, ref, hyp in rows:
                file.write(json.dumps({"id": name, "gt": ref, "pred": hyp}) + "\n")
        return path

    def score(self, rows, *words):
        """The lines of results for pairs of id, reference and prediction, by id."""
        results = self.folder / "results.jsonl"
        self.run("eval", "--metrics", "crohme-graph", "--force", "-o", results, *words, self.write(rows))
        lines = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
        return {line["id"]: line for line in lines if "id" in line}

    def summary(self, rows):
        """The values of the whole set."""
        return json.loads(self.run("eval", "--metrics", "crohme-graph", "--summary", "json", "--all",
                                   self.write(rows)).stdout)["summary"][0]["scores"]

    def graphs(self, formulas):
        """(nodes, edges) of each formula as sets by path, or None where it does not convert."""
        path = self.folder / "formulas.txt"
        path.write_text("".join(formula + "\n" for formula in formulas), encoding="utf-8")
        out = self.run("tokenize", "--graph", "--input", path)
        failed = {int(n) for n in re.findall(r"^texgauge: [^\n]*?:(\d+): does not convert", out.stderr, re.MULTILINE)}
        blocks = ("\n" + out.stdout).split("\n# ")[1:]
        return [None if i + 1 in failed else graph_of(block) for i, block in enumerate(blocks)]

    def run(self, *words):
        done = subprocess.run([self.path, *map(str, words)], check=False, capture_output=True, text=True)
        if done.returncode not in (0, 3):  # 3: a formula that does not convert
            sys.exit(f"texgauge {' '.join(map(str, words))}: {done.stderr}")
        return done


def graph_of(block):
    nodes, edges, names = collections.defaultdict(set), collections.defaultdict(set), {}
    for line in block.splitlines()[1:]:
        fields = line.split(", ")
        if fields[0] == "O":
            nodes[fields[4]].add(fields[2])
            names[fields[1]] = fields[4]
        elif fields[0] == "R":
            edges[names[fields[1]], names[fields[2]]].add(fields[3])
    return nodes, edges


def difference(row, official):
    """What differs in a pair: None, "counts", or "verdict"."""
    scores = row["scores"]
    if not official["ref_converts"] or scores.get("crohme-graph") is None:
        return None if official["ref_converts"] == (scores.get("crohme-graph") is not None) else "verdict"
    if any(official[theirs] != scores["crohme-graph" + ours] for theirs, ours in VERDICTS):
        return "verdict"
    counts, stats = official["lgeval"], row["stats"]["crohme-graph"]
    same = ((counts["D_C"], counts["D_L"]) == (scores["crohme-graph.node-errors"], scores["crohme-graph.edge-errors"])
            and official["pred_converts"] == bool(scores["crohme-graph.converts"])
            and [counts[name] for name in COUNTS] == stats)
    return None if same else "counts"


def compare_pairs(program, pairs, words, shown):
    rows = program.score([(str(i), pair["ref"], pair["pred"]) for i, pair in enumerate(pairs)], *words)
    total, wrong = collections.Counter(), collections.Counter()
    for i, pair in enumerate(pairs):
        group = "rules" if pair["set"] == "own" else "models"
        kind = difference(rows[str(i)], pair)
        total[group] += 1
        wrong[group, kind] += kind is not None
        if kind and shown > 0:
            shown -= 1
            print(f"  {kind}: {pair['ref']} | {pair['pred']}")
    good = True
    for group, n in total.items():
        verdicts = 1 - wrong[group, "verdict"] / n
        counts = verdicts - wrong[group, "counts"] / n
        print(f"{n} pairs of {group}{' '.join(('', *words))}: {verdicts:.2%} the same verdicts, {counts:.2%} also all counts")
        good = good and verdicts >= LEAST[group]
    return good


def compare_formulas(program, formulas, shown):
    formulas = [row for row in formulas if "\n" not in row["latex"]]
    total, same = collections.Counter(), collections.Counter()
    for row, graph in zip(formulas, program.graphs([row["latex"] for row in formulas]), strict=True):
        theirs = row["converts"] and ({path: set(labels) for path, labels in row["nodes"]},
                                      {(a, b): set(names) for a, b, names in row["edges"]})
        good = graph == theirs if row["converts"] else graph is None
        total[row["source"]] += 1
        same[row["source"]] += good
        if not good and shown > 0:
            shown -= 1
            print(f"  graph: {row['latex']}")
    for source, n in sorted(total.items()):
        print(f"{source}: {same[source]} of {n} formulas have the official graph")
    models = [source for source in total if re.search(r"-20\d\d$", source)]
    return (all(same[source] == total[source] for source in models)
            and sum(same.values()) >= LEAST_GRAPHS * sum(total.values()))


def rows_of(name):
    """Id, reference and prediction of all rows of a set such as unimumer-3b-2014."""
    model, year = name.rsplit("-", 1)
    if model.startswith("unimumer"):
        path = SHARED / f"data/uni-mumer/crohme_{year}.{model[-2:]}.json"
        return [(row["img_id"], row["gt"], row["pred"]) for row in json.loads(path.read_text(encoding="utf-8"))]
    files = f"{year[2:]}_test_labels.txt", f"predictions/{model.upper()}_{year}.txt"
    refs, hyps = (dict(line.split(maxsplit=1) for line in (SHARED / "data/rlfn" / file).read_text("utf-8").splitlines())
                  for file in files)
    return [(row, ref, hyps.get(row)) for row, ref in refs.items()]


def compare_set(program, name, official):
    scores = program.summary(rows_of(name))
    ours = {"structure": f"{100 * scores['crohme-graph.structure']:.2f}"}
    theirs = {"structure": f"{official['struct_rate']:.2f}"}
    for k, rate in enumerate(official["exprate"]):
        ours[f"<= {k}"] = f"{100 * scores['crohme-graph' + (f'.within{k}' if k else '')]:.3f}"
        theirs[f"<= {k}"] = rate
    for group, column in RATES:
        for kind, rate in zip(("recall", "precision", "f"), official["recall_precision_f"][group], strict=True):
            ours[f"{column}-{kind}"] = f"{100 * scores[f'crohme-graph.{column}-{kind}']:.2f}"
            theirs[f"{column}-{kind}"] = rate
    wrong = [f"{key} is {ours[key]}, officially {theirs[key]}" for key in theirs if ours[key] != theirs[key]]
    print(f"{name}: {', '.join(wrong) if wrong else f'all {len(theirs)} figures are the official ones'}")
    return not wrong


def main():
    data = SHARED / "crohme"
    if not data.is_dir():
        print(f"skipped: there is no {data}")
        return SKIPPED
    shown = int(sys.argv[3]) if sys.argv[2:3] == ["--list"] else 0
    sets = json.loads((data / "aggregates.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        program = Program(sys.argv[1], folder)
        pairs = read(data / "dev/pairs.jsonl.xz")
        good = [compare_pairs(program, pairs, (), shown), compare_pairs(program, pairs, ("--delimiters", "keep"), shown),
                compare_formulas(program, read(data / "dev/formulas.jsonl.xz"), shown)]
        good += [compare_set(program, name, sets[name]) for name in sorted(sets) if name.startswith(("unimumer", "dwap", "rlfn"))]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
