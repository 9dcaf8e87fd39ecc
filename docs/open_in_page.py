"""A hook of mkdocs: an example of a pair gets a link that opens it in the page for the browser.

The link follows each block of commands that scores or explains one pair, where the page was built
(`./dev release web`): both formulas and the metrics are in the address's fragment.
"""

import html
import pathlib
import re
import shlex
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILT = ROOT / "build-wheels/dist/texgauge.html"
BLOCK = re.compile(r"^```(?:sh|console)?\n(.*?)^```$|^(?: {4}[^\n]*\n)+", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^ *(?:\$ )?(texgauge (?:score|explain) .*)$", re.MULTILINE)


def fields_of(command):
    """What the address has of a command line: the formulas, and the metrics that it names.

    None if it has more than two formulas, or takes them from a file.
    """
    try:
        words = shlex.split(command.partition(" | ")[0], comments=True)[2:]
    except ValueError:
        return None
    formulas, metrics, skip = [], [], ""
    for i, word in enumerate(words):
        if skip:
            if skip.startswith(("-m", "--metric")):
                metrics += [spec.split(":")[0].split("=")[-1] for spec in word.split(",")]
            skip = ""
        elif word == "--":
            formulas = words[i + 1:]
            break
        elif word in ("-m", "--metrics", "--metric", "-o", "--output", "--width"):
            skip = word
        elif not word.startswith("-"):
            formulas.append(word)
    if len(formulas) != 2 or "--input" in words:
        return None
    return {"r": formulas[0], "p": formulas[1]} | ({"m": ",".join(metrics)} if metrics else {})


def fields_of_block(block):
    """The same of the first command of a block that has a pair; None if none has."""
    commands = COMMAND.findall(re.sub(r"\\\n *", "", block))
    return next(filter(None, map(fields_of, commands)), None)


def on_page_markdown(markdown, page, **_):
    """Add the links to a page."""
    if not BUILT.exists():
        return markdown
    up = "../" * page.url.count("/")

    def with_link(block):
        fields = fields_of_block(block[0])
        if fields is None:
            return block[0]
        fragment = urllib.parse.urlencode(fields, quote_via=urllib.parse.quote)
        # HTML, because mkdocs refuses a link of Markdown to a file that is no page.
        address = html.escape(f"{up}texgauge.html#{fragment}")
        return f'{block[0]}\n\n<a href="{address}">Open this pair in the browser</a>\n'

    return BLOCK.sub(with_link, markdown)
