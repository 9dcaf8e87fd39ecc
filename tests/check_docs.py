#!/usr/bin/env python3
"""Checks that the documents agree with the program.

Usage: check_docs.py SOURCE_ROOT TEXGAUGE

- every relative link leads to a file;
- every command and option of --help stands in the man page, and the man page renders cleanly;
- every metric has a page docs/metrics/NAME.md that names its columns and options;
- every command line of texgauge in README.md and docs/ uses options that exist.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)[^)]*\)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def pages(root):
    return sorted(root.glob("*.md")) + sorted((root / "docs").rglob("*.md"))


def check_links(root):
    for page in pages(root):
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            if "://" in target or target.startswith("mailto:"):
                continue
            if not (page.parent / target).exists():
                yield f"{page.relative_to(root)}: no file '{target}'"


def options_of(texgauge, command):
    return set(OPTION.findall(run(texgauge, command, "--help"))) - {"--help"}


def commands_of(texgauge):
    text = run(texgauge, "--help")
    block = text.split("Commands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in block.splitlines()]


def check_man(root, texgauge, options):
    path = root / "docs/texgauge.1"
    text = path.read_text(encoding="utf-8").replace("\\-", "-")
    for command, known in options.items():
        if f"texgauge {command}" not in text:
            yield f"docs/texgauge.1: no command '{command}'"
        for option in sorted(known):
            if not re.search(re.escape(option) + r"(?![\w-])", text):
                yield f"docs/texgauge.1: no option '{option}' of {command}"
    if shutil.which("man"):
        shown = subprocess.run(["man", "--warnings", "-l", str(path)], capture_output=True,
                               text=True, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                                               "MANWIDTH": "100"})
        if shown.stderr.strip():
            yield f"docs/texgauge.1: {shown.stderr.strip()}"
    version = run(texgauge, "--version").strip()
    if f'"{version}"' not in text:
        yield f"docs/texgauge.1: is not of {version}"


def check_metrics(root, texgauge):
    for metric in json.loads(run(texgauge, "metrics", "--json")):
        page = root / "docs/metrics" / (metric["name"] + ".md")
        if not page.exists():
            yield f"docs/metrics/{metric['name']}.md: is missing"
            continue
        text = page.read_text(encoding="utf-8")
        names = [column["name"] for column in metric["columns"]]
        names += [option["name"] for option in metric["options"]]
        for name in names:
            if not re.search(r"(?<![\w-])" + re.escape(name) + r"(?![\w-])", text):
                yield f"docs/metrics/{metric['name']}.md: does not name '{name}'"


def check_examples(root, options):
    """Options in example command lines; a line may go on behind a backslash."""
    for page in pages(root):
        text = page.read_text(encoding="utf-8").replace("\\\n", " ")
        for line in text.splitlines():
            for command, rest in re.findall(r"texgauge ([a-z]+)\b([^|`]*)", line):
                for option in OPTION.findall(rest) if command in options else []:
                    if option not in options[command] | {"--help"}:
                        yield f"{page.relative_to(root)}: '{command}' has no option '{option}'"


def main():
    root, texgauge = pathlib.Path(sys.argv[1]), str(pathlib.Path(sys.argv[2]).resolve())
    options = {command: options_of(texgauge, command) for command in commands_of(texgauge)}
    faults = [*check_links(root), *check_man(root, texgauge, options),
              *check_metrics(root, texgauge), *check_examples(root, options)]
    print("\n".join(faults) if faults else f"documents: {len(pages(root))} pages agree")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
