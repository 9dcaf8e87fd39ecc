"""Hostile texts through rewards and batches: no exception, in time, in bounded memory.

TEXGAUGE_HOSTILE=10000 is the long form, with texts of up to 1 MB; TEXGAUGE_CORPUS names a folder
with files to be added, such as build-asan/corpus. Each part runs in a process of its own, whose
peak of memory is measured.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest
import texgauge
from conftest import ROOT

N = int(os.environ.get("TEXGAUGE_HOSTILE", "30"))
LONGEST = 1_000_000 if N >= 1000 else 50_000
BOUND = 0.5  # seconds for a pair; CPU time is measured, as other programs do not count
GRACE = 0.5  # to read and to look for the formula in a megabyte
MEMORY = 500 << 20  # bytes, beyond what the program has before

CHILD = r"""
import json, random, resource, sys, time
import texgauge
from texgauge.rewards import Reward

part, n, longest, bound, files = json.load(sys.stdin)
rng = random.Random(n)
WORDS = ["{", "}", "^", "_", "$", "&", "\\\\", "\\frac", "\\left(", "\\right", "\\sqrt[",
         "\\begin{matrix}", "\\end{array}", "\\hline", "\\text{", "\\boxed{", "x", "1", " ", "%",
         "~", "\\def\\a{\\a\\a}", "\\a"]


def random_text():
    size = int(longest ** rng.random())
    kind = rng.random()
    if kind < 0.5:  # half of them with lone surrogates and NUL, which no formula may have
        text = rng.randbytes(2 * size)
        if kind < 0.25:
            return text.decode("utf-16-le", "surrogatepass")
        return text.decode("utf-16-le", "ignore").replace("\0", "")
    if kind < 0.9:
        block = "".join(rng.choices(WORDS, k=min(size, 4000)))
        return (block * (size // len(block) + 1))[:size]
    return (rng.choice(WORDS) * size)[:size]


def texts():
    for file in files:
        with open(file, "rb") as data:
            yield data.read(longest).decode("utf-8", "surrogateescape")
    for _ in range(n):
        yield random_text()


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


METRICS = {"forte": 0.5, "cdm": 0.3, "exprate": 0.2}
if part == "rewards":
    reward = Reward(METRICS, pair_timeout=bound / len(METRICS))
    def work(truth, text):
        (outcome,) = reward.score([text], [truth])
        assert outcome.reward is None or 0 <= outcome.reward <= 1, outcome
        assert outcome.reward or outcome.reason != "ok", outcome
else:
    metric = texgauge.Metric(part, pair_timeout=bound)
    def work(truth, text):
        scores = metric.batch(references=[truth, text], predictions=[text, truth])
        assert len(scores.status) == 2 and all(scores.status), scores.status

work("x^2", "x^{2}")
before, slowest, count = peak(), [0.0, 0], 0
for text in texts():
    start = time.process_time()
    work("\\frac{x^2}{a+b}", text)
    slowest = max(slowest, [time.process_time() - start, len(text)])
    count += 1
print(json.dumps({"n": count, "slowest": slowest, "grown": peak() - before}))
"""


def corpus():
    """Seeds of the fuzz targets, and files of the folder that TEXGAUGE_CORPUS names."""
    named = os.environ.get("TEXGAUGE_CORPUS")
    folders = [ROOT / "tests/fuzz/seeds", *([pathlib.Path(named)] if named else [])]
    files = [
        str(path) for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()
    ]
    return files if named else files[::4]


@pytest.mark.parametrize(
    "part", ["rewards", "forte", "cdm", "cdm-strict", "bleu", "edit", "texbleu"]
)
def test_hostile_texts(part):
    files = corpus()
    words = json.dumps([part, N, LONGEST, BOUND, files])
    done = subprocess.run(
        [sys.executable, "-c", CHILD], input=words, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout)
    pairs = 1 if part == "rewards" else 2
    print(part, told)
    assert told["n"] == N + len(files)
    assert told["slowest"][0] < pairs * (BOUND + 0.1) + GRACE, told
    assert told["grown"] < MEMORY, told


STEERING = ["\x1b[2J", "\x1b]0;t\x07", "\x9b31m", "\u202ea\u202c", "\u2066x\u2069"]
MARKUP = ["<script>x</script>", '"><svg onload=x>', "<img src=x onerror=y>"]


def test_nothing_shown_is_more_than_text(tmp_path):
    names = [*STEERING, *MARKUP]
    pairs = [
        {"id": name, "model": model, "subset": name, "gt": name, "pred": "x", "rater": i}
        for i, name in enumerate(names)
        for model in [STEERING[0], MARKUP[0]]
    ]
    file = tmp_path / "pairs.jsonl"
    file.write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    results = texgauge.evaluate(file, metrics="edit", human={MARKUP[0] + STEERING[0]: ["rater"]})
    shown = [results, results.compare(), results.study()]
    for name in names:
        shown += [
            texgauge.render(rf"\text{{{name}}}"),
            texgauge.explain(reference=rf"\text{{{name}}}", prediction=name),
            texgauge.match(reference=rf"\text{{{name}}}", prediction="a"),
            texgauge.score(reference=name, prediction="a", metric="edit"),
        ]
        with pytest.raises(texgauge.Error) as refused:
            texgauge.Metric(name)
        shown.append(refused.value)
    for one in shown:
        for text in [str(one), repr(one)]:
            assert not re.search("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", text)
        if hasattr(one, "_repr_html_"):
            assert set(re.findall("<(\\w+)", one._repr_html_())) <= {
                "table",
                "tr",
                "th",
                "td",
                "pre",
            }
