#!/usr/bin/env python3
"""Runs the commands that the documents show, like a reader who copies them.

Blocks between ``` without a language, and blocks `sh`, are lines for a shell; in a block `console`
the lines after a command are what it prints. All of a page run in one shell from its top to its end.
A how-to page begins in an empty folder, README.md in the clone, and every other page in a folder
that docs/examples/make_files.py made. Each block also gets a command that fails: where nobody notices
that, the block does not run. tests/check_docs.py runs the pages.

Usage: run_documents.py TEXGAUGE PAGE...
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MARK = "@@@"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
PLANTED = "texgauge eval planted.jsonl"

# Blocks that are not commands; python/tests/test_documents.py runs those of Python.
OTHERS = ("python", "json", "text")

# Commands that install programs, which ./dev check readme runs, and programs of other machines.
LEFT_OUT = re.compile(r"(\./dev|export PATH|pip|apt|meson|git clone|python3 -m venv|parallel|sbatch)\b")


def steps_of(text):
    """(command, what it prints or None) of each block, in order."""
    for command in re.findall(r"^\|.* \| `(texgauge (?:eval|documents) [^`]*--(?:gt|tests) [^`]*)` \|$", text, re.MULTILINE):
        yield command, None  # the last cell of a table's row
    for kind, block in BLOCK.findall(text):
        if kind == "console":
            for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, shown = step.partition("\n")
                yield command, shown
        elif kind in ("", "sh"):
            for line in re.sub(r"\\\n\s*", "", block).splitlines():
                if line.strip():
                    yield line, None


def plant(block):
    kind, lines = block.groups()
    if kind not in ("", "sh", "console"):
        return block[0]
    return f"```{kind}\n{lines}{'$ ' * (kind == 'console')}{PLANTED}\n```"


def can_run(command):
    return not LEFT_OUT.match(command) and ("| jq" not in command or shutil.which("jq"))


def check_page(text, home, environment):
    """The faults of a page's commands, which run in home."""
    for kind in {kind for kind, _ in BLOCK.findall(text)} - {"", "sh", "console", *OTHERS}:
        yield f"nobody runs blocks of '{kind}'"
    for command in re.findall(r"^    (?:\$ .*|texgauge (?!.*(?:\[|[A-Z]{4})).*)", text, re.MULTILINE):
        yield f"a block by four spaces does not run: '{command.strip()}'"
    text = BLOCK.sub(plant, text)
    steps = [step for step in steps_of(text) if can_run(step[0])]
    script = "".join(f"{command}\necho {MARK} $?\n" for command, _ in steps)
    done = subprocess.run(["bash", "-c", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, cwd=home, env=environment, check=False).stdout  # fmt: skip
    outputs = re.findall(rf"(.*?){MARK} (\d+)\n", done, re.DOTALL)
    if len(outputs) < len(steps):
        yield f"'{steps[len(outputs)][0]}' ends the shell"
    noticed = [status for (command, _), (_, status) in zip(steps, outputs) if command == PLANTED and status != "0"]
    if len(noticed) != text.count(PLANTED):
        yield f"{text.count(PLANTED) - len(noticed)} of its blocks do not run"
    for (command, shown), (printed, status) in zip(steps, outputs):
        if command == PLANTED:
            continue
        threshold = "--fail-under" in command or "--baseline" in command
        if status != "0" and not (threshold and status == "1"):
            yield f"'{command}' ends with status {status}:\n{printed[-300:]}"
        elif shown is not None and printed.rstrip("\n") != shown.rstrip("\n"):
            yield f"'{command}' prints\n{printed}"


def begin(page, root, here):
    """The folder in which the commands of a page begin; its parent is the reader's home."""
    here.parent.mkdir()
    (here.parent / "texgauge").symlink_to(root.resolve())
    if page.parent.name == "how-to" or page.name == "tutorial.md":
        here.mkdir()
    elif page == root / "README.md":
        here.mkdir()
        (here / "datasets").symlink_to((root / "datasets").resolve())
    else:
        subprocess.run([sys.executable, root / "docs/examples/make_files.py", here], check=True, stdout=subprocess.DEVNULL)


def check(root, texgauge, pages):
    """Run the commands of each page in a folder of its own."""
    build = pathlib.Path(texgauge).resolve().parents[1]
    for page in pages:
        with tempfile.TemporaryDirectory() as folder:
            here = pathlib.Path(folder) / "home/try"
            begin(page, root, here)
            environment = {**os.environ, "PATH": f"{build}/cli:{os.environ['PATH']}", "HOME": str(here.parent),
                           "LD_LIBRARY_PATH": str(build), "CPATH": f"{root.resolve()}/include", "PKG_CONFIG_PATH": f"{build}/meson-uninstalled"}  # fmt: skip
            for fault in check_page(page.read_text(encoding="utf-8"), here, environment):
                yield f"{page.relative_to(root)}: {fault}"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    root = pathlib.Path(__file__).resolve().parents[1]
    faults = list(check(root, sys.argv[1], [pathlib.Path(name).resolve() for name in sys.argv[2:]]))
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
