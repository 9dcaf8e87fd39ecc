#!/usr/bin/env python3
"""Checks that the documents agree with the program.

Usage: check_docs.py SOURCE_ROOT TEXGAUGE

- every relative link leads to a file, and to a heading of it;
- the reference of options, the man page and the completions are what docs/write_options.py writes;
- the man page renders cleanly;
- every metric has a page docs/metrics/NAME.md that names its columns and options and shows a pair;
- every command line of texgauge in README.md and docs/ uses options that exist;
- every block of commands in README.md, the tutorial, the how-to pages, the metrics' and the
  reference runs, from the top of a page to its end, and prints what the page says;
- every path and function that docs/background/design.md names exists, and every source file
  that any page names; its table of folders is that of check_layers.py;
- every page is in the contents, and every public header in include/texgauge/README.md;
- no page has more words than its budget, nor have all together, and none uses a word that the
  glossary avoids.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import check_layers
import run_documents

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "docs"))
import open_in_page  # noqa: E402
import write_options  # noqa: E402

LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)[^)]*\)")
ANCHOR = re.compile(r"\]\(([^)#\s]*\.md)#([^)\s]+)\)")
CODE = ("include", "core", "tokenizer", "datasets", "render", "metrics", "eval", "cli")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def pages(root):
    folders = [
        path
        for path in root.iterdir()
        if path.is_dir() and not path.name.startswith((".", "build"))
    ]
    return (
        sorted(root.glob("*.md"))
        + sorted((root / "docs").rglob("*.md"))
        + sorted(
            page
            for folder in folders
            if folder.name != "docs"
            for page in folder.rglob("README.md")
        )
    )


def check_links(root):
    for page in pages(root):
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            if "://" in target or target.startswith("mailto:"):
                continue
            if not (page.parent / target).exists():
                yield f"{page.relative_to(root)}: no file '{target}'"
        for target, anchor in ANCHOR.findall(page.read_text(encoding="utf-8")):
            if (page.parent / target).exists() and anchor not in anchors_of(page.parent / target):
                yield f"{page.relative_to(root)}: no heading '{anchor}' in {target}"


def anchors_of(page):
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {
        re.sub(r"[^\w\s-]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    }


def options_of(texgauge):
    """The options of each command, with the options of its parts."""
    options = {}
    for command in json.loads(run(texgauge, "--options")):
        known = options.setdefault(command["name"].split()[0], set())
        known.update("--" + option["name"] for option in command["options"])
    return options


def check_man(root, texgauge):
    path = root / "docs/texgauge.1"
    if shutil.which("man"):
        shown = subprocess.run(
            ["man", "--warnings", "-l", str(path)],
            capture_output=True,
            text=True,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "100"},
        )
        if shown.stderr.strip():
            yield f"docs/texgauge.1: {shown.stderr.strip()}"
    version = run(texgauge, "--version").strip()
    if f'"{version}"' not in path.read_text(encoding="utf-8"):
        yield f"docs/texgauge.1: is not of {version}"


def check_options(root, texgauge):
    for name, text in write_options.files(root, texgauge).items():
        if (root / name).read_text(encoding="utf-8") != text:
            yield f"{name}: is not what docs/write_options.py writes"


def check_pairs(root):
    """Each metric's page has an example of a pair, which opens in the page for the browser."""
    for path in sorted((root / "docs/metrics").glob("*.md")):
        blocks = open_in_page.BLOCK.finditer(path.read_text(encoding="utf-8"))
        if path.stem != "README" and not any(
            map(open_in_page.fields_of_block, (b[0] for b in blocks))
        ):
            yield f"{path.relative_to(root)}: has no command with a pair of formulas"


def check_paths(root):
    """Paths and functions that the design page names, and folders that it does not."""
    text = (root / "docs/background/design.md").read_text(encoding="utf-8")
    folders = {path.name for path in root.iterdir() if path.is_dir()}
    for name in re.findall(r"(?<![\w/.-])[\w.-]+(?:/[\w.-]*)+", text):
        if name.split("/")[0] in folders and not (root / name).exists():
            yield f"docs/background/design.md: no file '{name}'"
    code = [path for folder in CODE for path in sorted((root / folder).rglob("*.[ch]"))]
    sources = "\n".join(path.read_text(encoding="utf-8") for path in code)
    for name in sorted(set(re.findall(r"\btg_\w+(?=\(\))", text))):
        if not re.search(rf"\b{name}\(", sources):
            yield f"docs/background/design.md: no function '{name}'"
    for name, path in re.findall(r"\b(tg_\w+)\(\)\s+(\S+\.c)\b", text):
        if not re.search(rf"^\w.*\b{name}\(", (root / path).read_text(encoding="utf-8"), re.M):
            yield f"docs/background/design.md: {name}() does not stand in {path}"
    for folder in sorted({path.parent.relative_to(root).as_posix() for path in code}):
        if f"`{folder}/`" not in text:
            yield f"docs/background/design.md: does not name the folder '{folder}/'"


def check_folders(root):
    """The table of folders in the design page is that of check_layers.py."""
    tables = [
        table
        for table in vars(check_layers).values()
        if isinstance(table, dict) and "core" in table
    ]
    text = (root / "docs/background/design.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:`[\w/]+/`(?:, )?)+) \| .*? \| (.*?) \|$", text, re.MULTILINE)
    said = {name: uses for names, uses in rows for name in re.findall(r"`([\w/]+)/`", names)}
    for name, uses in tables[0].items():
        if said.get(name) != (", ".join(uses) or "GLib"):
            yield f"docs/background/design.md: '{name}/' may use {', '.join(uses) or 'GLib'}"


def check_files(root):
    """Every source file that a page names in code type exists, by its path or the end of it, or is
    made by the build."""
    files = [
        "/" + path.relative_to(root).as_posix()
        for folder in (*CODE, "docs", "tests")
        for path in (root / folder).rglob("*.*")
    ]
    files += [
        "/" + name
        for file in files
        if file.endswith("/meson.build")
        for name in re.findall(r"[\w-]+\.[ch]\b", (root / file[1:]).read_text("utf-8"))
    ]
    for page in pages(root):
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for name in re.findall(r"`([\w./-]+\.(?:c|h|sh|tsv))`", text):
            if (
                "NAME" not in name
                and not (page.parent / name).exists()
                and not any(file.endswith("/" + name) for file in files)
            ):
                yield f"{page.relative_to(root)}: no file '{name}'"


def check_readmes(root):
    """The README.md of the public headers names each of them."""
    folder = root / "include/texgauge"
    text = (folder / "README.md").read_text(encoding="utf-8")
    for header in sorted(folder.glob("*.h")):
        if f"`{header.name}`" not in text:
            yield f"include/texgauge/README.md: does not name '{header.name}'"


def check_contents(root):
    """Every page is reachable from docs/README.md or docs/metrics/README.md, and in mkdocs.yml."""
    contents = {
        (root / "docs" / folder / target).resolve()
        for folder in ("", "metrics")
        for target in LINK.findall((root / "docs" / folder / "README.md").read_text())
    }
    nav = (root / "mkdocs.yml").read_text(encoding="utf-8")
    for page in (root / "docs").rglob("*.md"):
        name = page.relative_to(root / "docs").as_posix()
        if page.resolve() not in contents and name != "README.md":
            yield f"docs/README.md: does not link {name}"
        if f": {name}\n" not in nav:
            yield f"mkdocs.yml: does not list {name}"


def check_help(texgauge):
    """Help: one sentence, two examples, every option, nothing wider than a terminal."""
    described = json.loads(run(texgauge, "--options"))
    described += [{"name": "", "options": []}, {"name": "train", "options": []}]
    for command in described:
        name = f"texgauge {command['name']}".strip()
        text = run(texgauge, *command["name"].split(), "--help")
        lines = text.splitlines()
        if not re.fullmatch(r"[A-Z][^.]*\.", lines[0]) or lines[1] != "":
            yield f"{name} --help: begins with '{lines[0]}', not with a sentence"
        if not all(line.startswith("  texgauge ") for line in lines[2:4]):
            yield f"{name} --help: no two examples after the first sentence"
        yield from (
            f"{name} --help: wider than 80 columns: {line}" for line in lines if len(line) > 80
        )
        for option in command["options"]:
            if not re.search(rf"^  (-\w, )?--{option['name']}\b", text, re.MULTILINE):
                yield f"{name} --help: no --{option['name']}"


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
    """Options in example command lines; a line may go on after a backslash."""
    for page in pages(root):
        text = page.read_text(encoding="utf-8").replace("\\\n", " ")
        for line in text.splitlines():
            for command, rest in re.findall(r"texgauge ([a-z]+)\b([^|`]*)", line):
                for option in OPTION.findall(rest) if command in options else []:
                    if option not in options[command] | {"--help"}:
                        yield f"{page.relative_to(root)}: '{command}' has no option '{option}'"


# Words of all pages, and of a page by name or by folder.
TOTAL = 43200
BUDGETS = {
    "docs/metrics": 1200,
    "docs/metrics/forte.md": 2200,
    "docs/metrics/crohme-graph.md": 1500,
    "docs/how-to": 950,
    "docs/how-to/run-a-study.md": 850,
    "docs/reference/options.md": 2900,
    "docs/reference/formats.md": 2250,
    "docs/reference": 1020,
    "docs/background/testing.md": 700,
    "docs/background/measurements.md": 1550,
    "docs/background": 800,
    "docs/tutorial.md": 910,
    "docs/which-metric.md": 900,
    "docs/which-number.md": 600,
    "docs": 300,
    "README.md": 1100,
    "CHANGELOG.md": 2520,
    "CONTRIBUTING.md": 450,
}
OTHERS = 400  # such as the README.md of a folder


def words_of(page):
    """Words and numbers of a page, without the lines that form its tables."""
    return sum(any(map(str.isalnum, word)) for word in page.read_text(encoding="utf-8").split())


def check_words(root):
    for page in pages(root):
        name = page.relative_to(root).as_posix()
        budget = BUDGETS.get(name, BUDGETS.get(page.parent.relative_to(root).as_posix(), OTHERS))
        if words_of(page) > budget:
            yield f"{name}: {words_of(page)} words, at most {budget}"
    n_words = sum(map(words_of, pages(root)))
    if n_words > TOTAL:
        yield f"all documents: {n_words} words, at most {TOTAL}"


def check_commands(root, texgauge):
    shown = [
        root / "README.md",
        root / "docs/tutorial.md",
        root / "docs/which-metric.md",
        root / "docs/which-number.md",
        *sorted((root / "docs/how-to").glob("*.md")),
        *sorted((root / "docs/metrics").glob("*.md")),
        *sorted((root / "docs/reference").glob("*.md")),
    ]
    yield from run_documents.check(root, texgauge, shown)


# Phrases that were hard to understand for readers.
RIDDLES = "told apart|tak(?:e|es|en) off|stands? (?:there|twice|beside)|all the same|likewise"


def check_terms(root):
    glossary = root / "docs/reference/glossary.md"
    rows = [
        line.split("|")
        for line in glossary.read_text(encoding="utf-8").splitlines()
        if line.startswith("| ")
    ][1:]
    avoided = {
        word.strip(): row[1].strip() for row in rows for word in row[2].split(",") if word.strip()
    }
    wrong = re.compile(
        r"\b((?:" + "|".join(map(re.escape, avoided)) + r")s?|" + RIDDLES + r")\b", re.IGNORECASE
    )
    for page in pages(root):
        if page == glossary or page.is_relative_to(root / "tests"):
            continue
        text = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for word in wrong.findall(text):
            term = avoided.get(word.lower(), avoided.get(word.lower().rstrip("s"), "plainer words"))
            yield f"{page.relative_to(root)}: '{word}'; the glossary has '{term}'"


def main():
    root, texgauge = pathlib.Path(sys.argv[1]), str(pathlib.Path(sys.argv[2]).resolve())
    options = options_of(texgauge)
    faults = [
        *check_links(root),
        *check_man(root, texgauge),
        *check_options(root, texgauge),
        *check_metrics(root, texgauge),
        *check_help(texgauge),
        *check_examples(root, options),
        *check_pairs(root),
        *check_paths(root),
        *check_folders(root),
        *check_files(root),
        *check_readmes(root),
        *check_contents(root),
        *check_words(root),
        *check_terms(root),
        *check_commands(root, texgauge),
    ]
    n_words = sum(map(words_of, pages(root)))
    print(
        "\n".join(faults)
        if faults
        else f"documents: {len(pages(root))} pages of {n_words} words agree"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
