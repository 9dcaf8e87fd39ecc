"""A hook of mkdocs: an example of a pair gets a link that opens it in the page for the browser.

The link follows each block of commands that scores or explains one pair, where the page was built
(`./dev release web`): both formulas are in the address's fragment.
"""

import html
import pathlib
import re
import shlex
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILT = ROOT / "build-wheels/dist/texgauge.html"
BLOCK = re.compile(r"^```(?:sh|console)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^(?:\$ )?(texgauge (?:score|explain) .*)$", re.MULTILINE)


def pair_of(command):
    """The two formulas of a command line; None if it has more, or takes them from a file."""
    try:
        words = shlex.split(command.partition(" | ")[0], comments=True)[2:]
    except ValueError:
        return None
    formulas, skip = [], False
    for i, word in enumerate(words):
        if skip:
            skip = False
        elif word == "--":
            formulas = words[i + 1:]
            break
        elif word in ("-m", "--metrics", "--metric", "-o", "--output", "--width"):
            skip = True
        elif not word.startswith("-"):
            formulas.append(word)
    return formulas if len(formulas) == 2 and "--input" not in words else None


def on_page_markdown(markdown, page, **_):
    """Add the links to a page."""
    if not BUILT.exists():
        return markdown
    up = "../" * page.url.count("/")

    def with_link(block):
        for command in COMMAND.findall(block[1]):
            pair = pair_of(command)
            if pair:
                fragment = urllib.parse.urlencode(
                    {"r": pair[0], "p": pair[1]}, quote_via=urllib.parse.quote)
                # HTML, because mkdocs refuses a link of Markdown to a file that is no page.
                address = html.escape(f"{up}texgauge.html#{fragment}")
                return f'{block[0]}\n\n<a href="{address}">Open this pair in the browser</a>'
        return block[0]

    return BLOCK.sub(with_link, markdown)
