#!/usr/bin/env python3
"""Compare two builds of texgauge by the bytes of their scores and of each stage on the way to them.

usage: compare_programs.py OLD NEW FOLDER [--quick] [--without METRIC] [--shared FOLDER] [--reasons FILE]

Example: the text metrics and CDM as they were at a commit; e2 and x2 are labels below.
    git worktree add --detach /tmp/old COMMIT     # and build it
    compare_programs.py /tmp/old/build/cli/texgauge build/cli/texgauge /tmp/compared --without forte --without e2 --without x2

Pairs come from the shared data, the challenge and official pairs, KaTeX's list, the constructs, the
seeds of fuzzing and a generator of hostile formulas. OLD's output is kept in FOLDER, so that a second
comparison runs NEW alone. A difference is listed with the first stage where it shows: tokens, tree,
canonical form, boxes, the details of a metric (CDM's elements, FORTE's edits), statistics, scores. A file
of reasons has lines of a regular expression, a tab and a reason: a pair or formula that matches counts
for its reason and is not a failure. A table at the end counts the formulas and pairs that differ for each stage
and metric. The exit status is 1 where a difference has no reason.
"""

import argparse
import collections
import hashlib
import json
import pathlib
import random
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/fuzz"))
import inputs  # noqa: E402
TEXT = [
    "bleu", "b2=bleu:smooth=nltk4:tokenize=words", "b3=bleu:compat=sacrebleu-r",
    "edit", "e2=edit:normalize=canonical", "e3=edit:tokenize=char:variant=osa", "cer", "wer", "edit-ops",
    "exprate", "x2=exprate:normalize=canonical", "rouge", "chrf", "chrf2=chrf:word-order=2", "texbleu",
    "ebleu", "forte", "render",
]
DRAWN = [
    "cdm", "c15=cdm:dialect=omnidocbench-1.5", "c16=cdm:dialect=omnidocbench-1.6", "cdm-strict",
]  # fmt: skip
PIXELS = ["cr=cdm:locate=raster", "imgedit", "mse", "ssim"]
STAGES = ["tokens", "tree", "canonical", "boxes"]
WORDINGS = [  # what messages said before, and what they say
    ("truth", "reference"),
    ("colour", "color"),
    ("TeX draws nothing of what the official program makes of this",
     "the official program rewrites this into LaTeX that draws nothing"),
]  # fmt: skip


def lines_of(path):
    return path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []


def rows_of(path):
    return [line for line in lines_of(path) if line and not line.startswith("#")]


def neighbors(formulas):
    formulas = list(formulas)
    return list(zip(formulas, formulas[1:] + formulas[:1]))


def hostile(seed=7):
    """Formulas out of fragments, and some that are deep or long."""
    draw = random.Random(seed)
    pieces = r"""{ } ^ _ & \\ $ # % ~ \left( \right) \left. \right] \frac \sqrt[3] \sqrt \over \text{ \mathrm{
        \begin{array}{c|c} \end{array} \begin{matrix} \end{matrix} \begin{cases} \end{cases} \hline a b x 1 2 + - =
        \alpha \sum \int \limits \hat \bar \color{red} \mathbf \operatorname{ \prime ' '' \not \ne \tag{1} \def\x#1{#1#1} \x
        \ce{H2O} \underbrace \overset \stackrel \middle| \big( \displaystyle \, \quad \mbox{ \begin{aligned}
        \end{aligned} \cancel \boxed \substack \xrightarrow \binom \overline \phantom é 中 \unknown""".split()
    for _ in range(3000):
        yield " ".join(draw.choices(pieces, k=draw.randint(1, 25)))
    for n in (50, 300, 3000):
        yield "{" * n + "x" + "}" * n
        yield r"\frac{" * n + "x" + "}{y}" * n
        yield "x^{" * n + "x" + "}" * n
        yield "a+" * n
        yield r"\left(" * n + "x" + r"\right)" * n
        yield r"\begin{matrix} a &" * n


def pair_sets(shared, quick):
    """Name -> (pairs, specs)."""
    data = {}
    real = subprocess.run(
        [sys.executable, ROOT / "tests/tools/real_pairs.py", shared, "25000"],
        check=True, capture_output=True, text=True,
    ).stdout.splitlines() if shared.is_dir() else []  # fmt: skip
    real = [(row["gt"], row["pred"]) for row in map(json.loads, real)]
    step = 20 if quick else 1
    data["real"] = (real[::step], TEXT + DRAWN)
    data["real-pixels"] = (real[:: 20 * step], PIXELS)
    official, pages = [], []
    for name in ("cdm-reference/dev.jsonl", "cdm-reference/probes.jsonl", "ratings/rated.jsonl"):
        official += [(row["gt"], row["pred"]) for row in map(json.loads, lines_of(shared / name))]
    for name in ("end2end_quick_match_display_formula_formula.json", "OmniDocBench_demo_formula.json"):
        path = shared / "data/omnidocbench" / name
        if path.is_file():
            pages += [(str(row["gt"]), str(row["pred"])) for row in json.loads(path.read_text())
                      if "gt" in row and "pred" in row]  # fmt: skip
    data["official"] = (official[:: max(1, step // 4)], TEXT + DRAWN + PIXELS[:1])
    data["pages"] = (pages, TEXT + DRAWN)
    challenge = [row.split("\t") for row in rows_of(ROOT / "datasets/challenge.tsv")[1:]]
    data["challenge"] = ([(row[4], row[5]) for row in challenge if len(row) > 5], TEXT + DRAWN + PIXELS)
    golden = ROOT / "tests/golden"
    constructs = [row.split("\t")[1] for row in rows_of(golden / "katex.tsv") if row.count("\t")]
    for name in ("constructs.tsv", "construct_table.tsv"):
        rows = rows_of(ROOT / "tests/tools" / name)
        constructs += [row.split("\t")[1] for row in rows if row.count("\t")]
    for path in sorted(golden.glob("typeset*.tsv")):
        constructs += [row.split("\t")[-1] for row in rows_of(path)]
    data["constructs"] = (neighbors(constructs), TEXT + DRAWN + PIXELS[1:2])
    seeds = []
    for folder in ("canonical", "cdm", "cdm_elements", "cdm_strict", "cdm_tolerant", "chemistry", "forte",
                   "layout", "lexer", "macro", "parse", "pictures", "delimiters", "metrics"):  # fmt: skip
        named = [(path.name, path.read_bytes()) for path in (ROOT / "tests/fuzz/seeds" / folder).glob("*")]
        named += inputs.regressions(folder)
        seeds += [data.decode("utf-8", "replace").replace("\0", " ") for _, data in sorted(named)]
    data["seeds"] = (neighbors(seeds), TEXT + DRAWN)
    crowd = list(hostile())
    data["hostile"] = (neighbors(crowd[: 400 if quick else None]), TEXT + DRAWN)
    return {name: value for name, value in data.items() if value[0]}


def run(program, words, output):
    with output.open("w") as out:
        done = subprocess.run([program, *words], stdout=out, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 3):
        sys.exit(f"{program} {' '.join(map(str, words))}: status {done.returncode}\n{done.stderr[-2000:]}")


def evaluate(program, folder, name, pairs, specs):
    source, output = folder / f"{name}.pairs.jsonl", folder / f"{name}.rows.jsonl"
    with source.open("w", encoding="utf-8") as out:
        for number, (gt, pred) in enumerate(pairs, 1):
            out.write(json.dumps({"id": str(number), "gt": gt, "pred": pred}) + "\n")
    words = ["eval", "-q", "--detail", "--force", "-o", output, "-m", ",".join(specs), source]
    run(program, words, folder / f"{name}.table")
    with output.open(encoding="utf-8") as rows:
        for line in rows:
            row = json.loads(line)
            if "row" in row:
                yield row


def stage_words(stage, source):
    if stage == "boxes":
        return ["render", "--boxes", "-", "--input", source]
    return ["tokenize", "--mode", stage, "--input", source]


def names_of(spec):
    """The label of a metric, and its name."""
    label, equals, rest = spec.partition("=") if re.match(r"\w+=", spec) else (spec, "", spec)
    return {(label if equals else rest).split(":")[0], rest.split(":")[0]}


def shown(value):
    """A value as text, in the words of today."""
    text = repr(value)
    for before, now in WORDINGS:
        text = text.replace(before, now)
    return text


def differing_keys(old, new):
    """Keys of scores and of detail in which two rows differ."""
    found = []
    for part in ("status", "scores", "stats", "detail"):
        left, right = old.get(part) or {}, new.get(part) or {}
        found += [(part, key) for key in {**left, **right} if shown(left.get(key)) != shown(right.get(key))]
    return found


def read_reasons(path):
    return [(re.compile(pattern), reason) for pattern, _, reason in
            (line.partition("\t") for line in rows_of(path))]  # fmt: skip


def reason_of(reasons, *texts):
    for pattern, reason in reasons:
        if any(pattern.search(text) for text in texts):
            return reason
    return None


class Comparison:
    def __init__(self, old, new, folder, reasons):
        self.programs = {"old": old, "new": new}
        self.folder = folder
        self.reasons = reasons
        self.explained = collections.Counter()
        self.unexplained = 0
        self.shown = collections.Counter()
        self.differing, self.compared = collections.Counter(), collections.Counter()  # by stage and metric

    def outputs(self, name, inputs, produce):
        """Both programs' output of @produce, OLD's from the last comparison of the same @inputs."""
        digest = hashlib.sha256(repr(inputs).encode("utf-8", "surrogatepass")).hexdigest()
        for side, program in self.programs.items():
            folder = self.folder / side
            folder.mkdir(parents=True, exist_ok=True)
            mark = folder / f"{name}.done"
            stamp = f"{pathlib.Path(program).stat().st_mtime_ns} {digest}"
            if side == "new" or not mark.is_file() or mark.read_text() != stamp:
                mark.unlink(missing_ok=True)
                produce(program, folder)
                if side == "old":
                    mark.write_text(stamp)

    def note(self, what, stage, texts, left, right):
        reason = reason_of(self.reasons, *texts)
        if reason is not None:
            self.explained[(what, reason)] += 1
            return
        self.unexplained += 1
        self.shown[what] += 1
        if self.shown[what] <= 5:
            print(f"  {what}: {stage}")
            for text in texts:
                print(f"    {text[:200]!r}")
            at = next((i for i, (a, b) in enumerate(zip(left, right)) if a != b), min(len(left), len(right)))
            start = max(0, at - 60)
            print(f"    old ...{left[start:at + 100]}\n    new ...{right[start:at + 100]}")

    def stages(self, name, formulas):
        listing = self.folder / f"{name}.formulas.txt"
        listing.write_text("\n".join(formulas) + "\n", encoding="utf-8")
        for stage in STAGES:
            key = f"{name}.{stage}"
            self.outputs(key, formulas, lambda program, folder: run(
                program, stage_words(stage, listing), folder / key))  # noqa: B023
            old, new = (lines_of(self.folder / side / key) for side in ("old", "new"))
            count = 0
            for number, formula in enumerate(formulas):
                left = old[number] if number < len(old) else "(nothing)"
                right = new[number] if number < len(new) else "(nothing)"
                if left != right:
                    count += 1
                    self.note(f"{name} {stage}", stage, [formula], left, right)
            self.differing[stage] += count
            self.compared[stage] += len(formulas)
            print(f"{name:12} {stage:28} {len(formulas):7} formulas {count:6} differ", flush=True)

    def pairs(self, name, pairs, specs):
        (self.folder / "old").mkdir(parents=True, exist_ok=True)
        key = f"{name}.eval"
        self.outputs(key, (pairs, specs), lambda program, folder: collections.deque(
            evaluate(program, folder, name, pairs, specs), maxlen=0))  # fmt: skip
        differ = collections.Counter()
        rows = [open(self.folder / side / f"{name}.rows.jsonl", encoding="utf-8") for side in ("old", "new")]
        table = [[json.loads(line) for line in lines if line.startswith('{"row"')] for lines in rows]
        if len(table[0]) != len(table[1]):
            self.note(f"{name} rows", "rows", [], str(len(table[0])), str(len(table[1])))
        for old, new in zip(*table):
            keys = differing_keys(old, new)
            differ.update({f"{part} {key}" for part, key in keys})
            self.differing.update({key.split(".")[0] for _, key in keys})
            self.compared.update(list(old.get("status") or {}))
            if keys:
                part, key = keys[0]
                left, right = (json.dumps((row.get(part) or {}).get(key)) for row in (old, new))
                label = key.split(".")[0]
                self.note(f"{name} {label}", f"{part} {key}", [*old["gt"], old["pred"] or ""], left, right)
        total = sum(differ.values())
        print(f"{name:12} {'scores, statuses, details':28} {len(table[0]):7} pairs    {total:6} differ", flush=True)
        for what, count in sorted(differ.items()):
            print(f"{'':12}   {what:26} {count:6}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="a twentieth of the real pairs")
    parser.add_argument("--only", help="only the sets with this in their names")
    parser.add_argument("--without", action="append", default=[], metavar="METRIC", help="a metric, or label of one, that is to differ")
    parser.add_argument("--shared", type=pathlib.Path, default=ROOT.parent / "shared")
    parser.add_argument("--reasons", type=pathlib.Path, default=ROOT / "tests/tools/compare_reasons.tsv")
    args = parser.parse_args()
    folder = args.folder / ("quick" if args.quick else "whole")
    comparison = Comparison(args.old, args.new, folder, read_reasons(args.reasons))
    for name, (pairs, specs) in pair_sets(args.shared, args.quick).items():
        if args.only and args.only not in name:
            continue
        folder.mkdir(parents=True, exist_ok=True)
        if name != "real-pixels":
            formulas = dict.fromkeys(text for pair in pairs for text in pair)
            comparison.stages(name, [text for text in formulas if text and "\n" not in text and "\r" not in text])
        comparison.pairs(name, pairs, [spec for spec in specs if names_of(spec).isdisjoint(args.without)])
    for (what, reason), count in sorted(comparison.explained.items()):
        print(f"explained: {what}: {count}: {reason}")
    for what, count in comparison.compared.items():
        print(f"{what:12} {count:7} compared {comparison.differing[what]:7} differ")
    print(f"{comparison.unexplained} differences without a reason")
    return 1 if comparison.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
