#!/usr/bin/env python3
"""Change the code at random, one small change at a time, and see whether a test fails.

usage: mutate.py [-n N] [--seed S] [--work FOLDER] [FOLDER...]

The sources are copied, so a run disturbs nothing. A change that no test catches is printed with its
line: it is either equivalent, which a person decides, or a test is missing. Tests of the folder
that mirrors the changed file run first, then all others but those of Python and the documents, the
quickest first; one that takes ten times as long as without the change, and 5 s, has failed.

exit status: 0 when at least 95 % are caught, 1 otherwise
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

FOLDERS = ["metrics", "render", "tokenizer", "eval"]
SUITES = ["unit", "cli", "fuzz"]
WANTED = 0.95
MAX_SECONDS = 300  # for a test

# What is looked for, and what stands there instead.
OPERATORS = [
    (r" < ", " <= "),
    (r" <= ", " < "),
    (r" > ", " >= "),
    (r" >= ", " > "),
    (r" == ", " != "),
    (r" != ", " == "),
    (r" && ", " || "),
    (r" \|\| ", " && "),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r" \* ", " / "),
    (r" \+= ", " -= "),
    (r" -= ", " += "),
    (r"\bTRUE\b", "FALSE"),
    (r"\bFALSE\b", "TRUE"),
    (r"\bMIN\(", "MAX("),
    (r"\bMAX\(", "MIN("),
    (r"\(!", "("),
    (r"(?<![\w.])0(?![\w.])", "1"),
    (r"(?<![\w.])1(?![\w.])", "2"),
    (r"(?<![\w.])2(?![\w.])", "3"),
    (r"\bcontinue;", ";"),
    (r"\bbreak;", ";"),
]
STATEMENT = re.compile(
    r"^(    )+(?!return|goto|g_autoptr|g_auto|static|const)[a-z_]+[^{}:?]*(\(|[^=!<>]=).*;$"
)
# What is then missing is a leak, which only ./dev check asan tells.
FREES = re.compile(r"^ +\w*_?(free|unref|clear)\(")


def code_lines(text):
    """Numbers and texts of lines inside functions, without comments, strings and tables."""
    inside = comment = False
    for number, line in enumerate(text.split("\n")):
        if line == "{":
            inside = True
        elif line.startswith("}"):
            inside = False
        if "/*" in line or comment:
            comment = "*/" not in line
        elif inside and '"' not in line and "'" not in line and not line.startswith("#"):
            yield number, line


def mutations(path):
    """(line number, line, changed line) of every change that path allows."""
    for number, line in code_lines(path.read_text(encoding="utf-8")):
        for pattern, other in OPERATORS:
            for match in re.finditer(pattern, line):
                yield number, line, line[: match.start()] + other + line[match.end() :]
        if STATEMENT.match(line) and not FREES.match(line):
            yield number, line, re.match(r" *", line)[0] + ";"


class Tree:
    """A copy of the sources with a build folder beside it."""

    def __init__(self, root, work):
        self.source, self.build = work / "source", work / "build"
        files = subprocess.run(
            ["git", "ls-files", "-coz", "--exclude-standard"],
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        )
        for name in filter(None, files.stdout.split("\0")):
            target = self.source / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists() or target.read_bytes() != (root / name).read_bytes():
                shutil.copy(root / name, target)  # newer than what was built of a change
        shared = os.environ.get("TEXGAUGE_SHARED", str(root / ".." / "shared"))
        self.env = os.environ | {"TEXGAUGE_SHARED": str(pathlib.Path(shared).resolve())}
        if not self.build.exists():
            options = [
                "--buildtype=plain",
                "-Dc_args=-O1 -w",
                "-Dc_link_args=-fuse-ld=gold",
                "-Ddocs=disabled",
            ]
            self.run("meson", "setup", *options, str(self.build), str(self.source), check=True)
        tests = json.loads(self.run("meson", "introspect", "--tests", str(self.build)).stdout)
        self.tests = {
            test["name"]: test
            for test in tests
            if {suite.split(":")[-1] for suite in test["suite"]} & set(SUITES)
        }
        self.seconds = self.measure(work / "seconds.json")

    def run(self, *command, check=False):
        return subprocess.run(command, env=self.env, capture_output=True, text=True, check=check)

    def compiles(self, targets):
        return self.run("ninja", "-C", str(self.build), *targets).returncode == 0

    def passes(self, name, limit):
        """Whether a test passes (or is skipped) within limit seconds."""
        test = self.tests[name]
        process = subprocess.Popen(
            test["cmd"],
            cwd=test["workdir"] or self.build,
            env=self.env | test["env"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            return process.wait(limit) in (0, 77)
        except subprocess.TimeoutExpired:
            return False
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def measure(self, path):
        """Seconds that each test takes without a change; those in the file path are known."""
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        seconds = {name: known[name] for name in self.tests if name in known}
        if len(seconds) < len(self.tests):
            self.run("ninja", "-C", str(self.build), check=True)
        for name in self.tests:
            start = time.monotonic()
            if name in seconds:
                continue
            if self.passes(name, MAX_SECONDS):
                seconds[name] = time.monotonic() - start
            else:
                print(f"{name} fails without a change and is left out", flush=True)
        path.write_text(json.dumps(seconds), encoding="utf-8")
        return seconds

    def stages(self, path):
        """Names of tests, quickest first: those of the folder of path, then the others."""
        folder = path.relative_to(self.source).parts[0]
        names = sorted(self.seconds, key=self.seconds.get)
        mirrors = {name for name in names if f"texgauge:{folder}" in self.tests[name]["suite"]}
        return [n for n in names if n in mirrors], [n for n in names if n not in mirrors]

    def failing_test(self, names):
        """The first test that fails, or None."""
        programs = {
            os.path.relpath(self.tests[name]["cmd"][0], self.build)
            for name in names
            if self.tests[name]["cmd"][0].startswith(str(self.build))
        }
        if not self.compiles([*sorted(programs), "cli/texgauge"]):
            return "does not compile"
        for name in names:
            if not self.passes(name, 5 + 10 * self.seconds[name]):
                return name
        return None


def catch(tree, path, number, changed):
    """The test that fails with line `number` of path changed; None: it survives."""
    original = path.read_text(encoding="utf-8")
    lines = original.split("\n")
    lines[number] = changed
    path.write_text("\n".join(lines), encoding="utf-8")
    try:
        if not tree.compiles(["libtexgauge-internal.a"]):
            return "does not compile"
        for names in tree.stages(path):
            failing = tree.failing_test(names)
            if failing:
                return failing
        return None
    finally:
        path.write_text(original, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("-n", type=int, default=20, help="changes to try (20)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice (1)")
    parser.add_argument(
        "--work", type=pathlib.Path, default="build-mutate", help="folder to work in (build-mutate)"
    )
    parser.add_argument("folders", nargs="*", default=FOLDERS, help=", ".join(FOLDERS))
    args = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    tree = Tree(root, args.work.resolve())
    every = [
        (path, *change)
        for folder in args.folders
        for path in sorted((tree.source / folder).rglob("*.c"))
        for change in mutations(path)
    ]
    random.Random(args.seed).shuffle(every)
    print(f"{len(every)} changes are possible", flush=True)
    caught = tried = 0
    for path, number, line, changed in every:
        if tried == args.n:
            break
        name = catch(tree, path, number, changed)
        if name == "does not compile":
            continue
        tried += 1
        caught += name is not None
        where = f"{path.relative_to(tree.source)}:{number + 1}"
        if name:
            print(f"caught    {where}  ({name})", flush=True)
        else:
            print(f"SURVIVED  {where}\n  - {line.strip()}\n  + {changed.strip()}", flush=True)
    print(f"{caught} of {tried} caught ({100 * caught / max(tried, 1):.1f} %)")
    return 0 if caught >= WANTED * tried else 1


if __name__ == "__main__":
    sys.exit(main())
