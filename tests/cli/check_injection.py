#!/usr/bin/env python3
"""Texts of the input stay plain text in every output: 40 hostile strings as ids, models, subsets,
fields, raters, titles, names of files and formulas, in every form that a command writes.

Usage: check_injection.py TEXGAUGE

Each form is read by a parser, or by what its reader takes for markup; what a page does in a browser
is tested by tests/browser/test_report.py.
"""

import csv
import html.parser
import io
import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path


def has_terminals() -> bool:
    """Whether one can be opened: a chroot without devpts has none."""
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError:
        return False
    return True


HAS_TERMINALS = has_terminals()

PAYLOADS = [
    "=1+1",
    "=cmd|'/C calc'!A0",
    "+1+cmd",
    "-2+3+cmd",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "\uff1d1+1",
    "\x1b[2J\x1b[31m",
    "\x1b]0;title\x07",
    "\x9b31mx\x9d0;t\x9c",
    "a\x08\x7fb",
    "\u202eabc\u202c",
    "\u2066x\u2069",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onclick='alert(1)",
    "]]><!--",
    "&lt;b&gt;&#60;b&#62;",
    "javascript:alert(1)",
    "[a](javascript:alert(1))",
    "![a](http://example.org/x.png)",
    "http://example.org www.example.org a@example.org",
    "a|b||c",
    "`x` ``y`` ```z",
    "**b** _i_ ~~s~~ $m$",
    "# h",
    "- l\n===\n1. l\n> q",
    "[r]: http://example.org",
    "\\input{/etc/passwd}",
    "\\write18{id}\\directlua{os.exit()}",
    "}\\end{tabular}\\end{table}",
    "a & b \\\\ % c",
    "^^5cinput x",
    "\\",
    "../../x",
    "$(id); `id` %s%n",
    "{{7*7}}${7*7}#{7*7}",
]
BENIGN = [f"w{i}" for i in range(len(PAYLOADS))]

STYLES = ["table", "md", "csv", "latex", "json"]


def is_steering(char: str) -> bool:
    """Whether a terminal, or the order of text, obeys the character."""
    return (
        unicodedata.category(char) == "Cc"
        or 0x2028 <= ord(char) <= 0x202E
        or (0x2066 <= ord(char) <= 0x2069)
    )


def rows_of(names: list[str]) -> tuple[str, str]:
    """Rows of many models, and rows of two models with many ids, subsets, fields and formulas."""
    models = [
        {"id": names[i], "model": model, "subset": "s", "gt": "a+b", "pred": "a+" + "bc"[i % 2]}
        for model in names
        for i in range(3)
    ]
    pairs = []
    for i, name in enumerate(names):
        for model in names[15:17]:
            pair = {"id": name, "model": model, "subset": name, "gt": name, "text": name}
            other = names[(i + 1) % len(names)] if model == names[16] else name
            pairs.append(pair | {"pred": other, "rater": i % 5, f"n{name}": i, f"t{name}": name})
    texts = ["".join(json.dumps(row) + "\n" for row in rows) for rows in (models, pairs)]
    return texts[0], texts[1]


class Run:
    """The outputs of one set of names, by their form."""

    def __init__(self, program: Path, folder: Path, names: list[str]) -> None:
        self.program, self.folder, self.names = program, folder, names
        self.outputs: dict[str, list[tuple[str, bytes]]] = {}

    def call(self, form: str, *words: str, files: str = "", fails: bool | None = False) -> None:
        """Keep stdout and stderr of a call, what it shows on a terminal, and files it wrote."""
        done = subprocess.run(
            [self.program, *words],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=100,
            check=False,
        )
        shown = " ".join(words)
        if fails is not None and (done.returncode != 0) != fails:
            raise SystemExit(f"{shown!r}: {done.returncode} {done.stderr.decode()}")
        self.keep(form, f"{shown} (stdout)", done.stdout)
        self.keep("text", f"{shown} (stderr)", done.stderr)
        if not files and HAS_TERMINALS:
            self.keep("text", f"{shown} (terminal)", self.on_terminal(words))
        for path in sorted(self.folder.glob(files)) if files else []:
            self.keep(path.suffix[1:], f"{shown}: {path.name}", path.read_bytes())

    def keep(self, form: str, shown: str, output: bytes) -> None:
        self.outputs.setdefault(form, []).append((shown, output))

    def on_terminal(self, words: tuple[str, ...]) -> bytes:
        ours, theirs = pty.openpty()
        with subprocess.Popen(
            [self.program, *words], cwd=self.folder, stdin=theirs, stdout=theirs, stderr=theirs
        ) as child:
            os.close(theirs)
            text = b""
            while True:
                try:
                    part = os.read(ours, 1 << 16)
                except OSError:  # Linux says so when the last writer has gone
                    break
                if not part:
                    break
                text += part
            child.wait()
        os.close(ours)
        return text

    def all_outputs(self) -> None:
        names = self.names
        models, pairs = rows_of(names)
        (self.folder / "models.jsonl").write_text(models)
        (self.folder / "pairs.jsonl").write_text(pairs)
        columns = ",".join(f"n{name}" for name in names if not set(name) & set(",\n\r"))
        raters = "[x](y)<b>`z`|\x1b[2J" if names is PAYLOADS else "w"
        title = names[22] + " " + names[15]
        self.call("table", "eval", "-q", "-m", "edit,bleu", "models.jsonl", "-o", "m.jsonl")
        self.call(
            "table",
            "eval",
            "-q",
            "-m",
            "edit,bleu,cdm",
            "pairs.jsonl",
            "-o",
            "r.jsonl",
            f"--human={raters}=rater",
        )
        for name in ["m.jsonl", "r.jsonl"]:
            self.keep("jsonl", name, (self.folder / name).read_bytes())
        few = ["--resamples", "20"]
        for style in STYLES:
            summary = ["-q", "--summary", style]
            self.call(style, "eval", *summary, "m.jsonl")
            self.call(style, "eval", *summary, "r.jsonl", "--by", f"t{names[16]}")
            self.call(style, "eval", *summary, "r.jsonl", "--pivot", "edit")
            self.call(style, "compare", *summary, "m.jsonl", *few, "--trials", "20")
            self.call(style, "compare", *summary, "r.jsonl", *few, "--trials", "20")
            self.call(style, "study", *summary, "r.jsonl", *few, f"--columns={columns}")
        self.call(
            "text",
            "report",
            "-q",
            "r.jsonl",
            *few,
            "--title",
            title,
            "-o",
            "r.html",
            "-o",
            "r.md",
            f"--columns={columns}",
            files="r.[hm]*",
        )
        asked = ["--title", title, "--question", names[17], "--scale", "1-5", "--ends", "a,b"]
        self.call("text", "rate", "-q", "r.jsonl", *asked, "-o", "rate.html", files="rate.html")
        self.call(
            "text",
            "report",
            "-q",
            "m.jsonl",
            *few,
            "--title",
            title,
            "-o",
            "m.html",
            "-o",
            "m.md",
            files="m.[hm]*",
        )
        self.call("text", "select", "-q", "r.jsonl", "--worst", "99", "--text")
        self.call("jsonl", "select", "-q", "r.jsonl", "--worst", "99", "--json")
        self.call("text", "eval", "--check", "pairs.jsonl", fails=names is PAYLOADS)
        for row in range(1, 2 * len(names), 7):
            which = ["--input", "r.jsonl", "--row", str(row)]
            self.call("text", "explain", "-m", "edit", *which)
            self.call("json", "explain", "-m", "edit", "--json", *which)
        for name in names:
            formula = f"\\text{{{name}}}"
            self.call("text", "explain", "-m", "forte", "--", formula, name)
            self.call(
                "table", "render", "-o", "x.svg", "--boxes", "x.json", "--", formula, files="x.*"
            )
            self.call("text", "eval", f"{name}.txt", fails=True)
            self.call("jsonl", "tokenize", "--mode", "tree", "--", formula)
            (self.folder / "d.md").write_text(f"# {name}\n\n$${name}$$\n\n| {name} |\n")
            self.call("jsonl", "documents", "d.md", fails=None)


# ---- faults of an output, by its form; NORMAL is the output of the same calls for plain names


def wrong_text(text: str, normal: str) -> str | None:
    """No character steers a terminal, but the colors of explain."""
    plain = re.sub("\x1b\\[(0|1|31|33|36)m", "", text)
    found = {char for char in plain if is_steering(char) and char not in "\n\t\r"}
    if "<U+001B>[2J\x1b[31m" in text:
        return "a color of the input"
    return f"steering characters {sorted(map(ascii, found))}" if found else None


def wrong_csv(text: str, normal: str) -> str | None:
    """Each row has as many cells as the head, and none is a formula of a spreadsheet."""
    for table in re.split(r"\n\n(?=\")", text):
        rows = list(csv.reader(io.StringIO(table, newline="")))
        if len({len(row) for row in rows}) != 1:
            return f"rows of {sorted({len(row) for row in rows})} cells"
        for cell in (cell for row in rows for cell in row):
            number = re.fullmatch(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?", cell)
            if len(cell) > 1 and cell[0] in "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20" and not number:
                return f"a formula {cell!r}"
    return wrong_text(text, normal)


def wrong_markdown(text: str, normal: str) -> str | None:
    """Without the masked characters only the tables, headings and bold numbers of the program are left."""
    for line in text.splitlines():
        plain = re.sub(r"\\[!-/:-@\[-`{-~]", "", line)
        if line == "<!-- made by texgauge -->":
            continue
        plain = re.sub(r"\*\*[0-9.]+\*\*", "", plain)
        markup = re.search(r"[<\[*_`~$&]|://|www\.", plain)
        if markup is not None:
            return f"{markup[0]!r} in {line!r}"
        start = re.match(r"(#+ |>|[-+=]|\d+[.)])", line)
        if start is not None and start[0] not in ("# ", "## ", "### "):
            return f"{start[0]!r} begins {line!r}"
        if line.startswith("|") and not re.fullmatch(r"\|.* \||\|[-:|]+\|", line):
            return f"a row without its end: {line!r}"
    return wrong_text(text, normal)


# The commands that tables are made with.
LAYOUT = set(
    r"\begin \end \toprule \midrule \bottomrule \cmidrule \endhead \tabularnewline \noindent "
    r"\small \footnotesize \setlength \tabcolsep \medskip \raggedright \textbf \textsuperscript "
    r"\multicolumn \par \resizebox \linewidth \\".split()
)


def wrong_latex(text: str, normal: str) -> str | None:
    """Has only commands that tables of plain names have or that show a character, and paired braces."""
    shown = r"\\(text(backslash|ascii(circum|tilde|grave)|less|greater|bar)|allowbreak)\{\}"
    body = re.sub(
        r"%(\n|$)", "\n", "\n".join(line for line in text.split("\n") if line[:2] != "% ")
    )
    plain = re.sub(r"\\[#$%&_{}]", "", re.sub(shown, "", body))
    commands = set(re.findall(r"\\(?:[a-zA-Z]+|.|\n)", plain)) - LAYOUT
    if commands:
        return f"commands {sorted(commands)}"
    special = re.search(r"[%^#$~]", plain)
    if special is not None:
        return f"{special[0]!r} in {plain[max(special.start() - 50, 0) : special.end() + 50]!r}"
    depth = 0
    for char in plain:
        depth += {"{": 1, "}": -1}.get(char, 0)
        if depth < 0:
            return "a brace that closes nothing"
    if depth != 0:
        return "a brace that is not closed"
    return wrong_text(text, normal)


class Page(html.parser.HTMLParser):
    """Tags with the names of their attributes, and links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[tuple[str, ...]] = set()
        self.scripts = 0
        self.links: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags |= {(tag, name) for name, _ in attrs} | {(tag,)}
        self.scripts += tag == "script"
        self.links |= {
            value or "" for name, value in attrs if name in ("href", "src", "xlink:href")
        }


def wrong_html(text: str, normal: str) -> str | None:
    """No element, attribute, script or link that the page of plain names has not."""
    page, plain = Page(text), Page(normal)
    if not page.tags <= plain.tags | {("tr", "class"), ("th", "class"), ("td", "class")}:
        return f"elements {sorted(page.tags - plain.tags)}"
    if page.scripts != plain.scripts:
        return f"{page.scripts} scripts, not {plain.scripts}"
    bad = [
        link
        for link in page.links
        if not re.fullmatch(r"#[-\w]+|[-\w.]+\.svg|data:[-/;,+=\w]*", link)
    ]
    bad = [link for link in bad if link not in plain.links]
    return f"links {bad}" if bad else None


def wrong_svg(text: str, normal: str) -> str | None:
    """Well-formed, of elements that draw, with links inside only."""
    allowed = {
        "svg",
        "g",
        "defs",
        "symbol",
        "path",
        "rect",
        "use",
        "line",
        "title",
        "clipPath",
        "text",
        "tspan",
        "circle",
        "mask",
        "polyline",
        "polygon",
    }
    for element in ElementTree.fromstring(text).iter():
        if element.tag.split("}")[-1] not in allowed:
            return f"<{element.tag}>"
        for name, value in element.attrib.items():
            plain = name.split("}")[-1]
            if plain.startswith("on") or (plain == "href" and not value.startswith("#")):
                return f"{name}={value!r}"
    return None


def wrong_json(text: str, normal: str) -> str | None:
    json.loads(text)
    return wrong_text(text, normal)


def wrong_lines(text: str, normal: str) -> str | None:
    for line in text.removesuffix("\n").split("\n") if text != "" else []:
        json.loads(line)
    return wrong_text(text, normal)


CHECKS: dict[str, Callable[[str, str], str | None]] = {
    "table": wrong_text,
    "text": wrong_text,
    "csv": wrong_csv,
    "md": wrong_markdown,
    "latex": wrong_latex,
    "html": wrong_html,
    "svg": wrong_svg,
    "json": wrong_json,
    "jsonl": wrong_lines,
}


def main() -> int:
    program = Path(sys.argv[1]).resolve()
    runs, bad, n = [], 0, 0
    for names in [BENIGN, PAYLOADS]:
        with tempfile.TemporaryDirectory() as folder:
            run = Run(program, Path(folder), names)
            run.all_outputs()
            made = [path.name for path in Path(folder).rglob("*")]
            if len(made) == 0 or not all(re.fullmatch(r"[\w.-]+", name) for name in made):
                bad += 1
                print(f"names of files: {made}")
            runs.append(run.outputs)
    plain, hostile = runs
    for outputs, what in [(plain, "plain"), (hostile, "hostile")]:
        for form, found in outputs.items():
            for i, (shown, output) in enumerate(found):
                normal = plain[form][min(i, len(plain[form]) - 1)][1].decode()
                wrong = CHECKS[form](output.decode(), normal)
                n += 1
                if wrong is not None:
                    bad += 1
                    print(f"{what} names, {form}: {shown[:100]!r}: {wrong[:500]}")
    results = dict(hostile["jsonl"])["r.jsonl"].splitlines()
    ids = [row["id"] for row in map(json.loads, results) if "id" in row]
    if ids != [name for name in PAYLOADS for _ in range(2)]:
        bad += 1
        print("results do not have the ids as they were given")
    print(f"{n} outputs, {bad} of them bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
