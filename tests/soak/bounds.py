#!/usr/bin/env python3
"""What docs/reference/security.md promises of memory and time of commands, and of hostile inputs.

Usage: bounds.py TEXGAUGE [--long]

Each command reads few and many rows: what a row adds is below the promise. --long measures up to a
million rows (`eval` and `select` ten million, which take 3 GB of disk) and prints the table.
"""

import gzip
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

FEW, MANY = 5_000, 15_000  # a study sorts two million pairs at most: from 2,049 rows on
SLOWER = 6  # than the machine of the promises: other programs, sanitizers
SLACK = 4 << 20  # bytes of memory that is no promise
MIB = 1 << 20


class Use(NamedTuple):
    """What a call took."""

    status: int
    peak: int  # bytes
    seconds: float  # of CPU time
    err: str


class Promise(NamedTuple):
    """A command, and what a row adds at most."""

    words: str
    row_bytes: int
    row_us: float
    most: int = 1_000_000  # rows that are measured by --long


PROMISES = {
    "eval": Promise("eval -q -m edit --threads 2 rows.jsonl -o new.jsonl", 150, 20),
    "eval --check": Promise("eval --check rows.jsonl", 150, 15),
    "eval of results": Promise("eval -q results.jsonl", 50, 15),
    "eval --add": Promise("eval -q --add cer --threads 2 results.jsonl -o new.jsonl", 50, 80),
    "compare": Promise("compare -q --resamples 100 --trials 100 results.jsonl", 600, 60),
    "study": Promise("study -q --resamples 100 results.jsonl", 600, 300, 100_000),
    "report": Promise("report -q --resamples 100 results.jsonl -o new.html", 2500, 350, 100_000),
    "select --where": Promise("select -q results.jsonl --where edit<0.5 -o new.jsonl", 50, 20),
    "select --worst": Promise("select -q results.jsonl --worst 100 -o new.jsonl", 100, 30),
    "explain --input": Promise("explain -m edit --input results.jsonl --row 1000", 50, 10),
    "tokenize --input": Promise("tokenize --input formulas.txt", 150, 10),
    "render --input": Promise("render --input formulas.txt --boxes new.json", 3000, 100),
    "documents": Promise("documents papers -o new.jsonl", 200, 10),
    "documents --gt --pred": Promise(
        "documents --gt d1.jsonl --pred d2.jsonl -o new.jsonl", 600, 60
    ),
    "train bpe": Promise("train bpe -q formulas.txt -o new --vocab-size 300", 50, 10),
    "train embeddings": Promise("train embeddings -q formulas.txt -o model --dim 8", 50, 10),
}


def run(program: Path, words: list[str], folder: Path) -> Use:
    """Run the program, which must not take more than 10 minutes.

    What a child has before it becomes the program counts as its peak: keep this one small.
    """
    with tempfile.TemporaryFile() as err:
        child = subprocess.Popen(
            [program, *words],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=err,
        )
        alarm = threading.Timer(600, child.kill)
        alarm.start()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        alarm.cancel()
        err.seek(0)
        return Use(
            child.returncode,
            usage.ru_maxrss * 1024,
            usage.ru_utime + usage.ru_stime,
            err.read(4000).decode(errors="replace"),
        )


def write_inputs(program: Path, folder: Path, n: int, only: str) -> None:
    """@n rows of two models, with what the commands read that is made of them."""
    rng = random.Random(1)
    parts = [rf"\frac{{{a}}}{{b_{{{i}}}}}+\alpha^{i}" for i, a in enumerate("abcdefghij")]
    with open(folder / "rows.jsonl", "w") as rows, open(folder / "formulas.txt", "w") as formulas:
        for i in range(n):
            if i % 2 == 0:  # both models answer the same questions
                gt = parts[rng.randrange(10)] + str(i % 1000)
            pred = gt if i % 3 == 0 else parts[rng.randrange(10)] + str(i % 1000)
            row = {
                "id": f"{i // 2}",
                "model": "ab"[i % 2],
                "subset": f"s{i // 2 % 5}",
                "gt": gt,
                "pred": pred,
                "rater": i % 5,
            }
            rows.write(json.dumps(row) + "\n")
            formulas.write(gt + "\n")
    if only == "eval":
        return
    (folder / "papers").mkdir()
    with open(folder / "formulas.txt") as formulas:
        for i in range(0, n, 50):
            paper = "".join(f"$${line.strip()}$$\n\n" for line in itertools.islice(formulas, 50))
            (folder / "papers" / f"{i}.md").write_text(paper)
    prepare = ["eval -q -m edit rows.jsonl -o results.jsonl --human h=rater"]
    if only == "":
        prepare += [
            "documents papers -o d1.jsonl",
            "documents papers -o d2.jsonl",
            "train bpe -q formulas.txt -o model --vocab-size 300",
        ]
    for words in prepare:
        use = run(program, words.split(), folder)
        assert use.status == 0, (words, use)


def measure(program: Path, scratch: Path, name: str, n: int) -> Use:
    folder = scratch / str(n)
    for old in folder.glob("new*"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    (folder / "model" / "model.safetensors").unlink(missing_ok=True)
    use = run(program, PROMISES[name].words.split(), folder)
    assert use.status == 0, (name, n, use)
    return use


def check_growth(program: Path, scratch: Path) -> list[str]:
    """What a row adds to each command."""
    bad = []
    for n in [FEW, MANY]:
        (scratch / str(n)).mkdir()
        write_inputs(program, scratch / str(n), n, "")
    for name, promise in PROMISES.items():
        few, many = (measure(program, scratch, name, n) for n in [FEW, MANY])
        row_bytes = (many.peak - few.peak - SLACK) / (MANY - FEW)
        row_us = (many.seconds - few.seconds) / (MANY - FEW) * 1e6
        if row_bytes > promise.row_bytes or row_us > promise.row_us * SLOWER:
            bad.append(f"{name}: a row adds {row_bytes:.0f} bytes and {row_us:.1f} us")
    return bad


def check_hostile(program: Path, scratch: Path) -> list[str]:
    """Formulas of 100 MB, a million braces, and archives that expand: refused soon, in little."""
    for name, characters, n in [("long", "x", 100), ("deep", "{}", 1)]:
        for kind, before, after in [
            ("jsonl", '{"gt":"a","pred":"a"}\n{"gt":"', '","pred":"a"}\n'),
            ("txt", "", "\n"),
            ("md", "$$", "$$\n"),
        ]:
            with open(scratch / f"{name}.{kind}", "w") as file:
                file.write(before)
                for part in [character * 1_000_000 for character in characters] * n:
                    file.write(part)
                file.write(after)
    with gzip.open(scratch / "bomb.gz", "wb") as bomb:
        for _ in range(100):
            bomb.write(b"x" * 1_000_000)
    with open(scratch / "bomb.zst", "wb") as out:
        # A frame of 762 blocks of 128 KiB, each one byte repeated (RFC 8878).
        out.write(bytes.fromhex("28b52ffd 00 58"))
        for i in range(762):
            out.write((i == 761 | 1 << 1 | (128 << 10) << 3).to_bytes(3, "little") + b"x")
    calls = []
    for kind in ["long", "deep"]:
        calls += [
            (f"eval -q -m edit,cdm {kind}.jsonl -o new.jsonl --force", {0, 3}),
            (f"eval --check {kind}.jsonl", {3}),
            (f"tokenize --mode tree --input {kind}.txt", {0, 3}),
            (f"render --input {kind}.txt --boxes new.json", {0, 3}),
            (f"documents {kind}.md -o new.jsonl --force", {0, 3}),
            (f"train bpe -q {kind}.txt -o new", {0, 3}),
            (f"eval -q --gt {kind}.txt --pred {kind}.txt -m edit -o new.jsonl --force", {0, 3}),
        ]
    for bomb_name in ["bomb.gz", "bomb.zst"]:
        calls += [
            (words.replace("X", bomb_name), {3})
            for words in [
                "eval -m edit X",
                "eval --check X",
                "eval -m edit --gt X --pred X",
                "compare X",
                "study X",
                "report X -o new.html",
                "select X --worst 1",
                "explain --input X --row 1",
                "documents --gt X --pred X",
                "train bpe X -o new",
            ]
        ]
    bad = []
    for words, wanted in calls:
        use = run(program, words.split(), scratch)
        if use.status not in wanted or use.peak > 700 * MIB or use.seconds > 4 * SLOWER:
            bad.append(f"{words}: {use}")
    return bad


def check_growing(program: Path, scratch: Path) -> list[str]:
    """A file that another program adds to is read to its end; our own output is no input."""
    file = scratch / "grows.jsonl"
    row = '{"gt":"a","pred":"a"}\n'
    file.write_text(row * 1000)
    done = threading.Event()

    def add_rows() -> None:
        with open(file, "a", buffering=1) as out:
            while not done.is_set():
                out.write(row)
                time.sleep(0.001)

    writer = threading.Thread(target=add_rows)
    writer.start()
    use = run(program, "eval -q -m edit grows.jsonl -o new.jsonl --force".split(), scratch)
    done.set()
    writer.join()
    bad = [] if use.status == 0 else [f"a file that grows: {use}"]
    with open(file, "ab") as out:
        own = subprocess.run(
            [program, "eval", "-m", "edit", "grows.jsonl", "-o", "-"],
            cwd=scratch,
            stdout=out,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    if own.returncode != 2 or b"stdout is an input" not in own.stderr:
        bad.append(f"own output: {own}")
    return bad


def check_names(program: Path, scratch: Path) -> list[str]:
    """Names of files may hold line ends."""
    (scratch / "a\nb.jsonl").write_text('{"gt":"a","pred":"b"}\n')
    bad = []
    for words, made in [
        (["eval", "-m", "edit", "a\nb.jsonl", "-o", "c\nd.jsonl", "--force"], "c\nd.jsonl"),
        (["report", "c\nd.jsonl", "-o", "e\nf.html"], "e\nf.html"),
        (["select", "c\nd.jsonl", "--worst", "1", "-o", "g\nh.jsonl"], "g\nh.jsonl"),
        (["render", "x", "-o", "i\nj.png"], "i\nj.png"),
    ]:
        use = run(program, words, scratch)
        if use.status != 0 or not (scratch / made).stat().st_size:
            bad.append(f"{words}: {use}")
    return bad


def check_together(program: Path, scratch: Path) -> list[str]:
    """Eight processes with one output: it is whole, and what one of them alone would write."""
    (scratch / "p.jsonl").write_text('{"gt":"a","pred":"b"}\n' * 2000)
    (scratch / "corpus.txt").write_text("a + b\nx^2\n" * 500)
    run(program, "eval -q -m edit p.jsonl -o results.jsonl --force".split(), scratch)
    bad = []
    for words, made in [
        ("eval -q -m edit p.jsonl -o OUT --force", ".jsonl"),
        ("eval -q --add cer results.jsonl -o OUT --force", ".jsonl"),
        ("select -q results.jsonl --worst 500 -o OUT --force", ".jsonl"),
        ("report -q results.jsonl --resamples 10 -o OUT", ".html"),
        ("render \\frac{a}{b} -o OUT", ".svg"),
        ("train bpe -q corpus.txt -o OUT", "/tokenizer.json"),
    ]:
        name = f"together{made.split('/')[0]}"
        file = scratch / f"together{made}"
        children: list[subprocess.Popen[bytes]] = []
        for i in [0, *range(8)]:  # the first alone
            target = "alone" + made.split("/")[0] if not children and i == 0 else name
            call = [str(program), *words.replace("OUT", target).split()]
            child = subprocess.Popen(
                call, cwd=scratch, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
            )
            children.append(child)
            if len(children) == 1:
                child.communicate()
        said = [child.communicate()[1] for child in children[1:]]
        status = [child.returncode for child in children[1:]]
        refused = [err for err in said if b"being written" in err]
        whole = file.read_bytes() == (scratch / f"alone{made}").read_bytes()
        left = [path.name for path in file.parent.glob(".*")]
        if 0 not in status or status.count(0) + len(refused) != 8 or not whole or left:
            bad.append(f"8 times {words}: {status} {said[:2]} whole: {whole} left: {left}")
        for path in scratch.glob("together*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    return bad


def print_table(program: Path, scratch: Path) -> None:
    sizes = [10_000, 100_000, 1_000_000]
    for n in sizes:
        (scratch / str(n)).mkdir()
        write_inputs(program, scratch / str(n), n, "")
    for name in PROMISES:
        uses = [measure(program, scratch, name, n) for n in sizes if n <= PROMISES[name].most]
        shown = [f"{use.peak / MIB:.0f} MiB, {use.seconds:.1f} s" for use in uses]
        print(f"| `{name}` | " + " | ".join(shown) + " |", flush=True)
    for n in sizes:
        shutil.rmtree(scratch / str(n))
    n = 10_000_000
    (scratch / str(n)).mkdir()
    write_inputs(program, scratch / str(n), n, "eval")
    for words in [
        "eval -q -m edit rows.jsonl -o results.jsonl",
        "select -q results.jsonl --where edit<0.1 -o new.jsonl",
    ]:
        use = run(program, words.split(), scratch / str(n))
        print(
            f"{words}: {n} rows, {use.peak / MIB:.0f} MiB, {use.seconds:.0f} s, {use.status}",
            flush=True,
        )


def check_calls(program: Path, scratch: Path) -> list[str]:
    """Nothing reads the time of day, so a clock that jumps changes nothing; and no formula runs a
    program, for none is started.
    """
    clocks = {"time", "gettimeofday", "clock_gettime", "g_get_real_time", "localtime"}
    clocks |= {"g_date_time_new_now_local", "g_date_time_new_now_utc", "g_date_time_new_now"}
    starts = {"system", "popen", "fork", "vfork", "posix_spawn", "posix_spawnp", "dlmopen"}
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    libraries = [word for word in linked.split() if "libtexgauge" in word and "/" in word]
    bad = []
    for file in [str(program), *libraries]:
        table = subprocess.run(
            ["nm", "-D", "--undefined-only", file], capture_output=True, text=True, check=True
        ).stdout
        names = {line.split()[-1].split("@")[0] for line in table.splitlines()}
        starts |= {name for name in names if name.startswith(("exec", "g_spawn", "g_subprocess"))}
        bad += [f"{file} calls {name}()" for name in sorted(names & (clocks | starts))]
        if "g_get_monotonic_time" not in names:
            bad.append(f"{file}: not what nm should show")
    return bad


CHECKS: list[Callable[[Path, Path], list[str]]] = [
    check_growth,
    check_hostile,
    check_growing,
    check_names,
    check_together,
    check_calls,
]


def main() -> int:
    program, bad = Path(sys.argv[1]).resolve(), 0
    if "--long" in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as scratch:
            print_table(program, Path(scratch))
        return 0
    for check in CHECKS:
        with tempfile.TemporaryDirectory() as scratch:
            found = check(program, Path(scratch))
        for line in found:
            print(line)
        print(f"{check.__name__}: {len(found)} bad")
        bad += len(found)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
