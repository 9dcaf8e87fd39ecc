#!/usr/bin/env python3
"""Change code and tables at random, one small change at a time, and see whether a test fails.

usage: mutate.py [-n N] [--seed S] [--work FOLDER] [FOLDER...]

The sources are copied, so a run disturbs nothing. A change that no test catches is printed with its
line: it is either equivalent, which a person decides, or a test is missing.

So that a change costs seconds, the copy has its library shared, and a change compiles one file and
links once; and a second build with coverage tells beforehand which tests run the changed line. Only
these are run, those of the folder that mirrors the file first, the quickest first, until one fails.
Rows of tables are no lines that run: their tests are all. Tests of Python and of the documents are
not among them. A test that takes ten times its CPU time, and 5 s more, has failed. A test must fail
twice, so that a busy machine does not count as a test. A run that is started again with the same
folder goes on after the changes of its log.

exit status: 0 when at least 95 % are caught, 1 otherwise
"""

import argparse
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

FOLDERS = ["core", "tokenizer", "datasets", "render", "metrics", "eval", "cli"]
SUITES = ["unit", "cli", "fuzz"]
WANTED = 0.95
KILLED = ("killed_runs", "failing_disks", "command_bounds")  # these tests kill their processes, which then write no
                                                             # counts
SLOW = 2  # CPU seconds; a slower test runs after the tests of other folders
TABLES = 0.15  # share of changes that are made in tables

# Patterns and their replacements.
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
# A removed call causes a leak, which only ./dev check asan finds.
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


def code_mutations(path):
    """(line number, changed line) of every change that a C file allows."""
    for number, line in code_lines(path.read_text(encoding="utf-8")):
        for pattern, other in OPERATORS:
            for match in re.finditer(pattern, line):
                yield number, line[: match.start()] + other + line[match.end() :]
        if STATEMENT.match(line) and not FREES.match(line):
            yield number, re.match(r" *", line)[0] + ";"


def table_mutations(path, random_numbers):
    """One change for each row of a table: a number is another one, a field is that of another row."""
    rows = [
        (number, line.split("\t"))
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"))
        if "\t" in line and not line.startswith("#")
    ]
    for number, fields in rows:
        column = random_numbers.randrange(len(fields))
        others = [f[column] for _, f in rows if len(f) > column and f[column] != fields[column]]
        digits = re.search(r"[0-7](?=\D*$)", fields[column])
        changed = fields[:]
        if digits:
            changed[column] = (
                fields[column][: digits.start()]
                + str(int(digits[0]) + 1)
                + fields[column][digits.end() :]
            )
        elif others and column > 0:
            changed[column] = random_numbers.choice(others)
        else:
            yield number, None  # delete the row
            continue
        yield number, "\t".join(changed)


class Build:
    """A build folder of the copy, and how its tests are run."""

    def __init__(self, source, folder, options):
        self.folder = folder
        if not (folder / "build.ninja").exists():
            command = ["meson", "setup", "--buildtype=plain", "-Ddocs=disabled", "-Dbench=disabled"]
            self.run(*command, *options, str(folder), str(source), check=True)
        tests = json.loads(self.run("meson", "introspect", "--tests", str(folder)).stdout)
        self.tests = {
            test["name"]: test
            for test in tests
            if {suite.split(":")[-1] for suite in test["suite"]} & set(SUITES)
            or test["name"] == "tables"
        }

    def run(self, *command, check=False):
        return subprocess.run(command, capture_output=True, text=True, check=check)

    def compiles(self, *targets):
        return self.run("ninja", "-j2", "-C", str(self.folder), *targets).returncode == 0

    def passes(self, name, cpu_seconds, env=None):
        """Whether a test passes (or is skipped), each of its processes within cpu_seconds."""
        test = self.tests[name]
        limit = max(1, round(cpu_seconds))
        process = subprocess.Popen(
            test["cmd"],
            cwd=test["workdir"] or self.folder,
            env=os.environ | test["env"] | (env or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
        )
        try:
            return process.wait(15 + 10 * cpu_seconds) in (0, 77)
        except subprocess.TimeoutExpired:
            return False
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


class Tree:
    """A copy of the sources with two build folders beside it."""

    def __init__(self, root, work, longest):
        self.work, self.source = work, work / "source"
        shared = os.environ.get("TEXGAUGE_SHARED", str(root / ".." / "shared"))
        os.environ["TEXGAUGE_SHARED"] = str(pathlib.Path(shared).resolve())
        self.copy(root)
        self.mutated = Build(self.source, work / "build", ["-Dc_args=-O1 -w"])
        options = ["-Dc_args=-O0 -w", "-Db_coverage=true"]
        self.covered = Build(self.source, work / "coverage", options)
        self.seconds = self.measure(work / "seconds.json", longest)
        self.lines = {}  # lines of a file that a test runs

    def copy(self, root):
        command = ["git", "ls-files", "-coz", "--exclude-standard"]
        files = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
        for name in filter(None, files.stdout.split("\0")):
            target, data = self.source / name, (root / name).read_bytes()
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists() or target.read_bytes() != data:
                target.write_bytes(data)  # so that it is newer than objects built from a changed file
                shutil.copymode(root / name, target)

    def measure(self, path, longest):
        """CPU seconds of each test without a change, whose coverage is kept in the work folder."""
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        seconds = {name: known[name] for name in self.mutated.tests if name in known}
        if len(seconds) == len(self.mutated.tests):
            return {n: s for n, s in seconds.items() if s is not None and s <= longest}
        if not self.mutated.compiles() or not self.covered.compiles():
            sys.exit("mutate.py: the copy does not compile")
        for name in self.mutated.tests:
            if name in seconds:
                continue
            start = sum(os.times()[2:4])
            seconds[name] = None
            if self.mutated.passes(name, longest):
                seconds[name] = sum(os.times()[2:4]) - start
                if name in self.covered.tests:  # all but those that count memory
                    prefix = {"GCOV_PREFIX": str(self.work / "counts" / name)}
                    self.covered.passes(name, 10 * longest, prefix)
            else:
                print(f"{name} fails or takes too long without a change: left out", flush=True)
            path.write_text(json.dumps(seconds), encoding="utf-8")
        return {n: s for n, s in seconds.items() if s is not None and s <= longest}

    def tests_of(self, path, number):
        """Names of the tests that may see a change of line number, the likeliest first."""
        folder = path.relative_to(self.source).parts[0]
        names = sorted(self.seconds, key=self.seconds.get)
        mirrors = {n for n in names if f"texgauge:{folder}" in self.mutated.tests[n]["suite"]}
        for name in sorted(names, key=lambda n: n not in mirrors or self.seconds[n] > SLOW):
            if path.suffix == ".c" and (path, name) not in self.lines:
                self.lines[path, name] = self.lines_run(path, name)
            lines = self.lines.get((path, name))
            if lines is None or number + 1 in lines:
                yield name

    def lines_run(self, path, name):
        """Numbers of the lines of functions of path that a test runs; None where nobody knows."""
        counts = self.work / "counts" / name
        if not counts.exists() or name in KILLED:
            folder = path.relative_to(self.source).parts[0]
            return None if name in KILLED and folder in ("core", "eval", "cli") else set()
        object_name = str(path.relative_to(self.source)).replace("/", "_")
        lines = set()
        for target in ("libtexgauge-internal.a.p", "cli/texgauge.p"):
            built = self.covered.folder / target / f"{object_name.removeprefix('cli_')}.gcno"
            data = (counts / built.relative_to("/")).with_suffix(".gcda")
            if not data.exists():
                continue
            shutil.copy(built, data.with_suffix(".gcno"))
            command = ["gcov", "--json-format", "--stdout", data.name]
            report = subprocess.run(command, cwd=data.parent, capture_output=True, check=False)
            for text in report.stdout.splitlines():
                for file in json.loads(text)["files"]:
                    if not file["file"].endswith(path.name):
                        continue
                    # a line without code of its own runs with the one before it
                    counts_of = {line["line_number"]: line["count"] for line in file["lines"]}
                    runs = False
                    for number in range(min(counts_of, default=0), max(counts_of, default=-1) + 1):
                        runs = counts_of.get(number, runs)
                        if runs:
                            lines.add(number)
        return lines

    def catch(self, path, number, changed):
        """The test that fails with line number of path changed; None: it survives."""
        original = path.read_text(encoding="utf-8")
        lines = original.split("\n")
        lines[number : number + 1] = [] if changed is None else [changed]
        path.write_text("\n".join(lines), encoding="utf-8")
        try:
            if not self.mutated.compiles("libtexgauge-tests.so", "cli/texgauge"):
                return "does not compile"
            for name in self.tests_of(path, number):
                limit = 5 + 10 * self.seconds[name]
                if not self.mutated.passes(name, limit) and not self.mutated.passes(name, limit):
                    return name
            return None
        finally:
            path.write_text(original, encoding="utf-8")


def changes(tree, folders, seed):
    """Every change that is possible, in random order, with a share of tables."""
    numbers = random.Random(seed)
    code, tables = [], []
    for folder in folders:
        for path in sorted((tree.source / folder).rglob("*")):
            if path.suffix == ".c":
                code += [(path, *change) for change in code_mutations(path)]
            elif path.suffix == ".tsv" and path.name != "challenge.tsv":
                tables += [(path, *change) for change in table_mutations(path, numbers)]
    print(f"{len(code)} changes of code and {len(tables)} of tables are possible", flush=True)
    numbers.shuffle(code)
    numbers.shuffle(tables)
    while code and tables:
        yield (tables if numbers.random() < TABLES else code).pop()
    yield from code + tables


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("-n", type=int, default=20, help="changes to try (20)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice (1)")
    parser.add_argument(
        "--work", type=pathlib.Path, default="build-mutate", help="folder to work in (build-mutate)"
    )
    parser.add_argument(
        "--longest", type=int, default=600, help="CPU seconds of a test; longer ones are left out"
    )
    parser.add_argument("folders", nargs="*", default=FOLDERS, help=", ".join(FOLDERS))
    args = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    tree = Tree(root, args.work.resolve(), args.longest)
    log = tree.work / f"changes-{args.seed}.json"
    known = json.loads(log.read_text(encoding="utf-8")) if log.exists() else []
    caught = tried = 0
    for index, (path, number, changed) in enumerate(changes(tree, args.folders, args.seed)):
        if tried == args.n:
            break
        start = time.monotonic()
        if index == len(known):
            known.append(tree.catch(path, number, changed))
            log.write_text(json.dumps(known), encoding="utf-8")
        name = known[index]
        if name == "does not compile":
            continue
        tried += 1
        caught += name is not None
        where = f"{path.relative_to(tree.source)}:{number + 1}"
        if name:
            print(f"caught    {where}  ({name}, {time.monotonic() - start:.0f} s)", flush=True)
        else:
            line = path.read_text(encoding="utf-8").split("\n")[number]
            print(f"SURVIVED  {where}\n  - {line.strip()}\n  + {(changed or '').strip()}", flush=True)
    print(f"{caught} of {tried} caught ({100 * caught / max(tried, 1):.1f} %)")
    return 0 if caught >= WANTED * tried else 1


if __name__ == "__main__":
    sys.exit(main())
