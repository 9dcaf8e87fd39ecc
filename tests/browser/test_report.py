#!/usr/bin/env python3
"""Tests the page of `texgauge report` in Chromium.

Usage: test_report.py TEXGAUGE

Exits with 77 (skipped) where chromium or chromedriver is not installed.
"""

import base64
import csv
import io
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.path.insert(0, os.path.dirname(__file__))
import webdriver  # noqa: E402

TEXGAUGE = sys.argv[1] if len(sys.argv) > 1 else "texgauge"
ATTACK = "</script><img src=x onerror=\"document.title='broken'\"> <!-- <script>"
MANY = 34000

# Each would set the title of the page if it were more than text somewhere.
DO = "document.title='broken'"
PAYLOADS = [
    f"<script>{DO}</script>",
    f"</script><script>{DO}</script>",
    f'<img src=x onerror="{DO}">',
    f'"><img src=x onerror={DO}>',
    f"'><img src=x onerror={DO}>",
    f"<svg onload={DO}>",
    f"<svg><script>{DO}</script></svg>",
    f"<math><mtext><img src=x onerror={DO}></mtext></math>",
    f'<iframe src="javascript:{DO}"></iframe>',
    f'<a href="javascript:{DO}">x</a>',
    f"javascript:{DO}",
    f"<body onload={DO}>",
    f"<details open ontoggle={DO}>x</details>",
    f"<input autofocus onfocus={DO}>",
    f'" autofocus onfocus="{DO}',
    f"' onclick='{DO}",
    f"</title><script>{DO}</script>",
    f"</style><script>{DO}</script>",
    f"</textarea><script>{DO}</script>",
    f"<!-- <script>{DO}</script>",
    f"--><script>{DO}</script>",
    f"]]><script>{DO}</script>",
    f"<template><script>{DO}</script>",
    f"&lt;script&gt;{DO}&lt;/script&gt;",
    f"&#60;script&#62;{DO}&#60;/script&#62;",
    f"\\u003cscript\\u003e{DO}\\u003c/script\\u003e",
    f"%3Cscript%3E{DO}%3C/script%3E",
    f"\u2028{DO}\u2028//",
    f"'+({DO})+'",
    f'"+({DO})+"',
    f"`+({DO})+`",
    f"${{{DO}}}",
    f"{{{{{DO}}}}}",
    f"\\href{{javascript:{DO}}}{{x}}",
    f"\\url{{https://example.org/?{DO}}}",
    '<meta http-equiv=refresh content="0;url=https://example.org/">',
    "<link rel=stylesheet href=https://example.org/x.css>",
    "<base href=https://example.org/>",
    "@TITLE@ @DATA@ @SCRIPT@",
    "__proto__",
    "constructor",
    f"\u202e<script>{DO}</script>\u202c",
]


def row(number, rng):
    """A made-up pair; every third prediction is right, the last ones are missing."""
    truth = f"x_{{{number % 97}}} + \\alpha^{{{rng.randrange(9)}}}"
    pred = (
        truth if number % 3 == 0 else truth.replace("\\alpha", "a").replace("+", "t" * (number % 4))
    )
    return {
        "id": f"pair-{number:05}",
        "model": f"model {number % 2}",
        "subset": f"s{number % 3}",
        "gt": truth,
        "pred": pred,
        "ratings": [rng.randrange(6), rng.randrange(6)],
    }


def make_report(folder, name, rows, *options, metrics="edit,cer,exprate"):
    """Score rows and report them; the path of the page."""
    data, results = folder / f"{name}.in", folder / f"{name}.jsonl"
    page = folder / f"{name}.html"
    data.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    subprocess.run(
        [TEXGAUGE, "eval", "-q", "-f", "jsonl", "-m", metrics, str(data), "-o", str(results)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    subprocess.run(
        [TEXGAUGE, "report", "-q", str(results), "-o", str(page), "--resamples", "50", *options],
        check=True,
    )
    return page


class Page:
    """A report in the browser, in words of what a reader does."""

    def __init__(self, browser, path, fragment=""):
        self.browser = browser
        browser.logs("browser")
        browser.logs("performance")
        browser.open("/nothing-here")
        browser.open(f"{path}{fragment}")
        self.wait()

    def run(self, script, *arguments):
        return self.browser.run(script, *arguments)

    def wait(self):
        """Until all sections are drawn."""
        for _ in range(300):
            state = self.run("return document.body.dataset.state")
            assert state != "failed", self.count()
            if state == "ready":
                return
            time.sleep(0.1)
        raise AssertionError("the page does not become ready")

    def set(self, identifier, value):
        self.run(
            """const input = document.getElementById(arguments[0]);
                    document.body.dataset.state = 'busy';
                    if (input.type === 'checkbox') input.checked = arguments[1];
                    else input.value = arguments[1];
                    input.dispatchEvent(new Event('input'));""",
            identifier,
            value,
        )
        if identifier in FILTERS:
            self.wait()
        else:
            self.run("document.body.dataset.state = 'ready'")

    def click(self, selector, number=0):
        self.run("document.querySelectorAll(arguments[0])[arguments[1]].click()", selector, number)

    def count(self):
        return self.run("return document.getElementById('count').textContent")

    def texts(self, selector):
        return self.run(
            "return [...document.querySelectorAll(arguments[0])].map((node) => node.textContent)",
            selector,
        )

    def column(self, title):
        """The shown cells of one column of the table, from the first row on."""
        return self.run(
            """
            const heads = [...document.querySelectorAll('#head th')].map((h) => h.textContent);
            const at = heads.indexOf(arguments[0]);
            return [...document.querySelectorAll('#rows tr[data-position]')]
                .map((row) => row.cells[at].textContent);""",
            title,
        )

    def sort_by(self, title):
        self.run(
            """[...document.querySelectorAll('#head button')].find(
                        (button) => button.textContent === arguments[0]).click()""",
            title,
        )

    def dialog(self):
        """Text of the open pair, or None."""
        return self.run("""const dialog = document.getElementById('pair');
                           return dialog.open ? dialog.innerText : null;""")

    def check_quiet(self):
        """No error on the console, and nothing asked for beyond the file itself."""
        errors = [
            entry
            for entry in self.browser.logs("browser")
            if entry["level"] in ("SEVERE", "WARNING") and "nothing-here" not in entry["message"]
        ]
        assert not errors, errors
        for entry in self.browser.logs("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                assert url.startswith(("file://", "data:", "blob:")), url


FILTERS = ("search", "model", "subset", "class", "score", "low", "high", "wrong")


def number(text):
    return float(text.replace("–", "nan"))


def test_first_screen(page):
    """Who is better, in words and numbers, without scrolling at 1400 x 900."""
    headline = page.texts(".headline")[0]
    assert "significant difference" in headline or "is better than" in headline, headline
    rows = page.texts("#metrics tbody th")
    assert rows[:2] == ["edit ↑", "cer ↓"], rows
    assert page.run("return document.querySelectorAll('#metrics svg.dots').length") == len(rows)
    assert len(page.texts("#matrix tbody tr")) == 4  # all pairs and three subsets
    assert "no prediction" in page.texts("#faults thead")[0]
    # the next questions: the most frequent errors with their shares, and how numbers were computed
    shares = page.texts("#frequent tbody small")[:3]
    assert len(shares) == 3 and all(re.fullmatch(r"[\d.]+ %", share) for share in shares), shares
    assert "v:" in page.run("return document.getElementById('details').textContent")
    for part in ("metrics", "matrix", "faults"):
        bottom = page.run(
            "return document.getElementById(arguments[0]).getBoundingClientRect().bottom", part
        )
        assert bottom <= 900, (part, bottom)


def test_filters(page, total):
    def shows(pairs):
        return page.count().startswith(f"{pairs} of {total} pairs")

    assert shows(total)
    page.set("search", "PAIR-00012")
    assert shows(2) and "worst by" in page.texts("#cards .why")[0]
    page.set("search", "no such pair")
    assert shows(0)
    page.set("search", "")
    page.set("model", "1")
    assert shows(total // 2)
    assert page.texts("#metrics thead .model") == ["model 1"]  # the charts follow
    page.set("subset", "2")
    assert shows(total // 6)
    assert page.run("return location.hash") == "#?model=1&subset=2"
    page.click("#reset")
    page.wait()
    assert shows(total)
    page.set("low", "1")
    right = int(page.count().split()[0])
    page.set("low", "")
    page.set("wrong", True)
    wrong = int(page.count().split()[0])
    assert 0 < right < total and 0 < wrong < total, (right, wrong)
    page.click("#chips button")
    page.wait()
    assert shows(total)


def test_examples(page):
    """The most frequent errors, and examples of each with one click; by class and construct too."""
    errors = page.texts("#frequent tbody th")
    assert "\\alpha → a" in errors, errors
    page.click("#frequent tbody button", errors.index("\\alpha → a"))
    page.wait()
    listed = page.texts("#cards .card")
    assert len(listed) >= 5 and all("\\alpha → a" in card for card in listed)
    page.click("#reset")
    page.wait()
    page.click("#classes button")
    page.wait()
    assert page.texts("#chips button")[0].endswith(" ×")
    page.click("#reset")
    page.wait()
    assert "superscript" in page.texts("#constructs")[0]
    assert "11 to 20" in page.texts("#lengths")[0]
    assert len(page.texts("#heat td.heat button")) > 0


BOXES = """
    const out = [];
    for (const box of document.querySelectorAll('#cards svg.formula rect.box')) {
        const b = box.getBBox(), inks = [...box.parentNode.querySelectorAll('.mark')].map((mark) => {
            const m = mark.getBBox(), t = mark.transform.baseVal.consolidate()?.matrix;
            return t === undefined || t === null ? [m.x, m.y, m.x + m.width, m.y + m.height]
                : [m.x * t.a + t.e, m.y * t.d + t.f, (m.x + m.width) * t.a + t.e,
                   (m.y + m.height) * t.d + t.f];
        });
        out.push(inks.some((m) => m[0] > b.x && m[1] > b.y && m[2] < b.x + b.width &&
                                  m[3] < b.y + b.height));
    }
    return out;"""


def test_drawings(page):
    """Cards with drawings: outlines are in the page once, boxes leave the ink free."""
    page.set("order", "worst")
    assert page.texts(".about")[0].startswith("300 pairs, 2 models, 3 subsets"), page.texts(
        ".about"
    )
    drawn = page.run("return document.querySelectorAll('#cards svg.formula use').length")
    outlines = page.run("return document.querySelectorAll('#glyphs path').length")
    assert drawn > 3 * outlines > 0, (drawn, outlines)
    inside = page.run(BOXES)
    assert len(inside) > 3 and all(inside), inside
    names = page.texts("#cards h3 a")
    assert len(names) == len(set(names)) == 6, names  # no formula twice
    why = page.texts("#cards .why")
    assert {"worst by edit, model 0", "worst by edit, model 1"} == set(why), why
    # twice the size of the text where there is room: 12 pt are 16 px, so an em is 32 px
    height = page.run("""const image = document.querySelector('#cards svg.formula');
        return image.getBoundingClientRect().height / image.viewBox.baseVal.height * 240;""")
    assert 31 < height < 33, height


def test_worst(page, results):
    """The worst pairs are those that `texgauge select --worst` lists, by the column that is chosen."""
    for at, column in enumerate(("edit", "cer")):
        page.set("score", str(at))
        for model in ("model 0", "model 1"):
            page.set("model", model[-1])
            listed = subprocess.run(
                [TEXGAUGE, "select", "--json", "--worst", "5", "--by", column, str(results)]
                + ["--where", f"model={model}"],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            wanted = [json.loads(line)["id"] for line in listed.splitlines()]
            shown = page.run("""return [...document.querySelectorAll('#cards .card')]
                .sort((a, b) => a.dataset.place - b.dataset.place)
                .map((card) => card.querySelector('h3 a').textContent);""")
            assert shown[:5] == wanted, (column, shown, wanted)
            assert page.texts("#cards .why")[0].startswith(f"worst by {column}")
    page.click("#reset")
    page.wait()


def test_long_formula(browser, folder):
    """A formula of a thousand digits goes on below, at the size of others, and is cut with a note."""
    truth = r"\frac{10}{3} = 3" + "3" * 30
    page = Page(browser, make_report(folder, "long", [{"gt": truth, "pred": truth + "3" * 1000}]))
    lines = page.run("""
        return [...document.querySelectorAll('#cards .reading svg.formula')].map((image) => {
            const box = image.getBoundingClientRect();
            return [box.width, box.width / image.viewBox.baseVal.width * 240]; });""")
    assert len(lines) == 8, lines
    assert all(width <= 401 and 15.5 < em < 16.5 for width, em in lines), lines
    drawn = page.run("""return document.querySelectorAll(
        '#cards .reading svg.formula :is(use, rect:not(.box))').length""")
    note = page.texts("#cards .reading .ink .note")
    # the fraction's three digits and its bar, the sign, 1,031 digits
    assert note == [f"cut here: {3 + 1 + 1 + 1031 - drawn:,} more symbols to the right"], (
        note,
        drawn,
    )
    page.check_quiet()


def test_loop(browser, folder):
    """A prediction that runs on makes a short card: errors beyond twelve are folded."""
    truth = r"\frac{x}{y}=z"
    pair = {"gt": truth, "pred": truth + "".join(f"+{'abcdef'[i % 6]}^{i % 7}" for i in range(300))}
    read = [{"gt": f"{x}+z", "pred": f"{x}+2"} for x in "xy"]
    page = Page(browser, make_report(folder, "loop", [pair, *read]))
    # errors are counted by pairs: two pairs read z as 2, one adds a plus 300 times
    assert page.texts("#frequent tbody th")[0] == "z → 2"
    assert page.run(
        "return document.querySelectorAll('#cards .errors > li:nth-child(13)').length"
    ) <= page.run("return document.querySelectorAll('#cards details.rest').length")
    assert page.run("return document.querySelector('#cards .card').offsetHeight") < 1200
    repeated = page.run("return withoutLoops('x=1' + '+y'.repeat(311))")
    assert repeated.endswith("“+y” repeated 311 times "), repeated
    page.check_quiet()


def test_every_pair_opens(page, total):
    """Any pair of the table has its drawing."""
    page.set("view", "table")
    page.click("#rows tr[data-position='5']")
    for _ in range(5):
        text = page.dialog()
        assert "pair-000" in text and "reference" in text, text
        assert page.run("return document.querySelectorAll('#pair svg.formula').length") >= 1
        page.click("#next")
    page.browser.press("escape")
    assert page.dialog() is None
    assert page.count().startswith(f"{total} of {total}")


def test_table(page):
    page.set("view", "table")
    for title in ("edit", "cer"):
        page.sort_by(title)
        rising = [number(cell) for cell in page.column(title)]
        assert rising == sorted(rising) and len(rising) > 5, rising
        page.sort_by(title)
        falling = [number(cell) for cell in page.column(title)]
        assert falling == sorted(falling, reverse=True), falling
        assert falling[0] > rising[0]
    page.sort_by("id")
    assert page.column("id")[:3] == ["pair-00000", "pair-00000", "pair-00001"]
    page.run("document.querySelector('#rows tr[data-position=\"0\"]').focus()")
    page.browser.press("down", "down", "down", "up")
    assert page.run("return document.activeElement.dataset.position") == "2"
    page.browser.press("enter")
    assert "pair-00001" in page.dialog()
    page.browser.press("escape")
    assert page.run("return document.activeElement.dataset.position") == "2"
    page.browser.press("end")
    last = int(page.run("return document.activeElement.dataset.position"))
    assert str(last + 1) == page.count().split()[0], last
    page.set("view", "cards")


def test_changes(page):
    tiles = page.texts("#change-kinds strong")
    assert sum(int(n.replace(",", "")) for n in tiles) == 150, tiles  # formulas of both models
    page.click("#change-kinds button", 1)
    readings = page.texts("#change-cards .card:first-child h4")
    assert len(readings) == 3 and "✓ no error" in readings[2], readings


def hash_of(page):
    return page.run("return location.hash")


def test_order(page):
    """The order control orders the table, too, and the address keeps order and view."""
    page.set("view", "table")
    page.set("order", "worst")
    edit = [number(cell) for cell in page.column("edit")]
    assert edit == sorted(edit) and edit[0] < edit[-1], edit
    page.sort_by("edit")
    page.sort_by("edit")
    page.set("score", "1")
    page.set("order", "file")  # takes the place of the heading
    assert page.column("id")[:3] == ["pair-00000", "pair-00000", "pair-00001"]
    assert page.run("return document.querySelectorAll('#head [aria-sort=none]').length") == len(
        page.texts("#head th")
    )
    page.set("order", "worst")
    cer = [number(cell) for cell in page.column("cer")]
    assert cer == sorted(cer, reverse=True), cer
    page.set("order", "typical")
    assert hash_of(page) == "#?score=1&order=typical&view=table", hash_of(page)
    page.set("order", "disputed")
    page.set("dispute-a", "2")
    address = hash_of(page)
    assert address == "#?score=1&order=disputed&view=table&dispute-a=2", address
    listed = page.column("id")
    page.set("view", "cards")
    page.run("location.hash = arguments[0]", address)  # as a reader who follows a link
    time.sleep(0.2)
    page.wait()
    assert page.column("id") == listed
    page.click("nav a", 1)
    assert hash_of(page) == address, hash_of(page)
    page.set("dispute-a", "0")
    page.set("order", "worst")
    page.set("view", "cards")
    page.set("score", "0")


TOP = "return document.getElementById('pairs').getBoundingClientRect().top"


def test_jumps(page):
    """An error and a search lead to the pairs; what no filter changes says so."""
    notes = "return [...document.querySelectorAll('.whole')].filter((note) => note.checkVisibility()).length"
    page.run("window.scrollTo(0, 0)")
    assert page.run(notes) == 0
    page.click("#frequent tbody button")
    page.wait()
    assert 0 <= page.run(TOP) < 200, page.run(TOP)
    page.click("#reset")
    page.wait()
    page.run("window.scrollTo(0, 0)")
    page.set("search", "alpha")
    time.sleep(0.3)
    page.wait()
    assert 0 <= page.run(TOP) < 200, page.run(TOP)
    assert page.run(notes) == 4, page.run(notes)  # headline, subsets, people, numbers
    assert "filters do not change it" in page.texts(".whole")[0]
    page.set("search", "")
    page.wait()
    page.run("window.scrollTo(0, 0)")


def test_exports(page):
    """Tables as LaTeX, Markdown and CSV, the shown pairs as CSV with all that is known of them."""

    def copied(form):
        return page.run(
            "return tableText(document.querySelector('#matrix table'), arguments[0])", form
        )

    subset = [row for row in csv.reader(io.StringIO(copied("CSV")))]
    assert subset[0] == ["subset", "model 0", "model 1"] and subset[1][0] == "all pairs", subset
    assert len(subset) == 5, subset
    plain = page.run("return ['−1,234.5 better', '+0.25', '.5 ≈', '3B', '–'].map(plainNumber)")
    assert plain == ["-1234.5", "0.25", ".5", "3B", "–"], plain
    assert all(float(cell) is not None for line in subset[1:] for cell in line[1:]), subset
    assert copied("Markdown").splitlines()[:2] == [
        "| subset | model 0 | model 1 |",
        "| --- | ---: | ---: |",
    ]
    latex = copied("LaTeX").splitlines()
    assert latex[2] == r"subset & model 0 & model 1 \\" and latex[-1] == r"\end{tabular}", latex
    assert (
        page.run("return latexText('a_1 & 50 % ≈ \\\\x')")
        == r"a\_1 \& 50 \% $\approx$ \textbackslash{}x"
    )
    heads = page.run("return textsOf(document.querySelector('#metrics table'))[0]")
    assert heads == ["metric", "model 0", "model 1"], heads  # without the column of plots
    # a click puts it on the clipboard, or in a selection where there is no clipboard
    page.run("""window.kept = [];
                navigator.clipboard.writeText = async (text) => { window.kept.push(text); };
                const own = URL.createObjectURL;
                URL.createObjectURL = (blob) => { window.blob = blob; return own(blob); };""")
    page.click("#matrix + .copies button", 2)
    time.sleep(0.2)
    assert page.run("return window.kept") == [copied("CSV")]
    page.set("subset", "1")
    page.set("model", "0")
    page.click("#download")
    text = page.browser.run_async("window.blob.text().then(arguments[0])")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 50 and {row["subset"] for row in rows} == {"s1"}, len(rows)
    wrong = next(row for row in rows if row["reference"] != row["prediction"])
    assert float(wrong["price"]) > 0 and wrong["errors"] and 0 < float(wrong["edit"]) < 1, wrong
    assert any("rating" in name for name in rows[0]), rows[0]
    page.click("#reset")
    page.wait()


def test_words(page):
    """Each class has its meaning; one word for the price; "not ok" and "left out" are two things."""
    assert page.run("return document.querySelector('#classes button').title").count(" ") > 2
    meanings = page.texts("#class-meanings p")
    classes = page.run("return errors.classes")
    assert len(meanings) == len(classes) and all(
        f"{name}: " in " ".join(meanings) for name in classes
    )
    known = page.run("return errors.classes.every((name) => name in MEANINGS)")
    assert known, classes
    assert (
        "not ok" in page.texts("#faults thead")[0] and "left out" in page.texts("#faults thead")[0]
    )
    text = page.run("return document.body.textContent")
    assert "severity" not in page.run("return document.querySelector('main').innerText")
    assert "not scored" not in text
    ends = page.texts("#metrics .ends small")
    assert len(ends) == 2 * len(page.texts("#metrics tbody tr")), ends
    for low, high in zip(ends[::2], ends[1::2]):
        assert number(low) < number(high), ends


def test_one_model(page):
    """One model is not the best of one."""
    assert "copy as" in page.texts("#matrix + .copies")[0]
    assert page.texts("#matrix tbody tr") and "best" not in " ".join(page.texts("#matrix tbody"))
    assert page.run("return document.querySelectorAll('#matrix .top').length") == 0
    page.check_quiet()


def test_no_subsets(browser, folder):
    """Pairs without subsets have no table by subset, and the page does not count one."""
    rows = [dict(row(i, random.Random(2)), model=f"m{m}") for m in range(2) for i in range(30)]
    for each in rows:
        del each["subset"]
    page = Page(browser, make_report(folder, "whole", rows))
    assert page.run("return document.getElementById('matrix').parentNode.hidden")
    assert page.texts(".about")[0].startswith("60 pairs, 2 models; made by"), page.texts(".about")
    page.check_quiet()


def test_raters(browser, folder):
    """Plots of two groups of raters name their group; a coefficient has the same interval on the
    page, in its tables, in the Markdown report and in what `study` prints."""
    rng = random.Random(3)
    rows = [
        dict(row(i, rng), model="m", teachers=[rng.randrange(6), 5 * (i % 3 == 0)], pupils=[i % 5])
        for i in range(60)
    ]
    for each in rows:
        del each["ratings"]
    data, results = folder / "raters.in", folder / "raters.jsonl"
    data.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    groups = ["--human", "teachers=teachers", "--human", "pupils=pupils"]

    def run(*words):
        return subprocess.run([TEXGAUGE, *words], check=True, capture_output=True, text=True).stdout

    run("eval", "-q", "-f", "jsonl", "-m", "edit,cer", *groups, data, "-o", results)
    pages = [folder / "raters.html", folder / "raters.md"]
    run("report", "-q", results, "-o", pages[0], "-o", pages[1])
    table = csv.DictReader(
        io.StringIO(run("study", results, "--parts", "correlations", "--summary", "csv"))
    )
    known = {
        (line["group"], line["metric"]): [float(line[f]) for f in ("value", "bca_low", "bca_high")]
        for line in table
        if line["statistic"] == "pearson" and line["metric"] in ("edit", "cer")
    }
    page = Page(browser, pages[0])
    captions = page.texts("#scatters figcaption")
    assert len(captions) == 4 == len(known), captions
    texts = [
        pages[1].read_text(encoding="utf-8").replace("\\[", "["),
        page.run("return document.getElementById('details').textContent"),
        run("study", results, "--parts", "correlations"),
    ]
    for (group, metric), (r, low, high) in known.items():
        shown = [
            caption for caption in captions if caption.startswith(f"{metric} against {group} ")
        ]
        assert len(shown) == 1, (group, metric, captions)
        numbers = [float(n) for n in re.findall(r"-?\d\.\d+", shown[0].replace("−", "-"))]
        # the page shows a gain where lower is better, as study does
        assert numbers == [round(n, 3) for n in (r, low, high)], (shown, r, low, high)
        for text in texts:
            assert f"[{low:.3f}, {high:.3f}]" in text.replace("−", "-"), (group, metric, low, high)
    labels = page.run(
        "return [...document.querySelectorAll('#scatters text.middle')].map((t) => t.textContent)"
    )
    assert sorted(labels) == ["mean rating of pupils"] * 2 + ["mean rating of teachers"] * 2, labels
    page.check_quiet()


def test_six_models(page, width=1440):
    """Nothing is cut off without a sign; the matrix of all pairs says what the headline says."""
    page.browser.devtools(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=900,
        deviceScaleFactor=1,
        mobile=False,
    )
    time.sleep(0.3)
    cut = page.run("""return [...document.querySelectorAll('main .table')].filter((node) =>
        node.checkVisibility() && node.scrollWidth > node.clientWidth + 1 && !node.classList.contains('cut'))
        .map((node) => node.id);""")
    assert not cut, cut
    wide = page.run("return document.documentElement.scrollWidth")
    assert wide <= width, wide
    scrolls = page.run("return document.getElementById('metrics').classList.contains('cut')")
    assert scrolls == (width < 1440), (width, scrolls)
    page.browser.devtools("Emulation.clearDeviceMetricsOverride")


def test_against(page):
    """The matrix is turned about: what one model gains the other loses; no sentence of the headline
    says otherwise."""
    matrix = page.run("""return [...document.querySelectorAll('#against tbody tr')].map((row) =>
        [...row.cells].slice(1).map((cell) => [cell.className, cell.textContent]));""")
    assert len(matrix) == 6, matrix
    other = {"top": "far", "far": "top", "": ""}
    for a, line in enumerate(matrix):
        for b, (name, text) in enumerate(line):
            assert matrix[b][a][0] == other[name], (a, b)
            assert ("≈" in text) == (name == "" and a != b), (a, b, text)
    headline = page.texts(".headline")[0]
    models = page.run("return models")
    for match in re.finditer(r"(m\d) is better than (.*?) on (.*?)(?:, and not|:)", headline):
        if "edit" not in match[3] and "every metric" not in match[3]:
            continue
        is_top = "but edit" not in match[3]
        worse = [m for m in models if m in match[2]] or [m for m in models if m != match[1]]
        for name in worse:
            cell = matrix[models.index(match[1])][models.index(name)][0]
            assert (cell == "top") == is_top, (headline, name)


def test_duel(page):
    """Two models pair by pair: a point for each pair that both have."""
    points = page.run("return document.querySelectorAll('#duel circle').length")
    assert points == 150, points
    caption = page.texts("#duel figcaption")[0]
    better, worse = (
        int(n) for n in re.search(r"better on (\d+), worse on (\d+)", caption).groups()
    )
    assert better == page.run("return document.querySelectorAll('#duel circle.gain').length") > 0
    assert worse == page.run("return document.querySelectorAll('#duel circle.loss').length")
    page.run("document.querySelectorAll('#duel circle')[3].dispatchEvent(new Event('click'))")
    assert page.dialog() is not None
    page.click("#close")


def test_pictures(browser, folder):
    """The picture that a pair names is beside it, where its folder is given; a name that leads out
    of the folder, or to no file, has none."""
    scans = folder / "scans"
    scans.mkdir()
    (scans / "a.png").write_bytes(
        base64.b64decode(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        )
    )
    data = [
        {"id": name, "image_path": path, "gt": "x", "pred": "y"}
        for name, path in (
            ("given", "a.png"),
            ("below", "pictures/a.png"),
            ("out", "../scans.in"),
            ("none", "b.png"),
        )
    ]
    for options in ((), ("--with-images",)):
        page = Page(
            browser,
            make_report(
                folder,
                f"pictures{len(options)}",
                data,
                "--images",
                str(scans),
                *options,
                metrics="edit",
            ),
        )
        found = {}
        for _ in range(20):
            found = page.run("""return Object.fromEntries([...document.querySelectorAll('#cards .card')].map(
                (card) => [card.querySelector('h3 a').textContent, card.querySelector('img')?.naturalWidth ?? -1]));""")
            if 0 not in found.values():
                break
            time.sleep(0.1)
        assert found == {"given": 1, "below": 1, "out": -1, "none": -1}, found
        page.check_quiet()
    assert [path.name for path in (folder / "report-images").iterdir()] == ["a.png"]
    page = Page(browser, make_report(folder, "no-pictures", data, metrics="edit"))
    assert page.run("return document.querySelectorAll('img').length") == 0


def test_lost_token(browser, folder):
    """The sources mark a token that is lost, also where another error lies across it; the boxes on
    the reference name their model."""
    truth = r"a\gamma b\frac{c\gamma}{d}"  # the fraction now begins before the first \gamma
    data = [
        {"id": "1", "model": m, "gt": truth, "pred": pred}
        for m, pred in (("old", truth), ("new", r"\frac{a b c}{d}"))
    ]
    page = Page(browser, make_report(folder, "lost", data, metrics="edit"))
    marked = page.texts("#change-cards .aligned .off")
    assert sum(r"\gamma" in text for text in marked) == 2, marked
    assert page.texts("#change-cards .boxed") == [" marked: what new got wrong"], page.texts(
        ".boxed"
    )
    page.check_quiet()


def test_links(browser, path):
    """The address of a pair opens it, that of a view has its filters."""
    page = Page(browser, path, "#pair=pair-00007%407")
    assert "pair-00007" in page.dialog()
    page.browser.press("escape")
    page = Page(browser, path, "#?q=pair-00007")
    assert page.count().startswith("2 of "), (page.count(), page.texts("#chips"))
    page.check_quiet()


CONTROLS = """
    return [...document.querySelectorAll('button, input, select, a[href], summary, [tabindex="0"]')]
        .filter((node) => node.checkVisibility() && !node.disabled && node.tabIndex >= 0)"""


def test_keyboard(page):
    """Tab reaches every control, / the search; each kind of control does its work by keys."""
    page.run(f"""window.missed = new Set((() => {{ {CONTROLS} }})());
                 document.addEventListener('focusin', (event) => window.missed.delete(event.target));
                 document.activeElement.blur();
                 window.scrollTo(0, 0);""")
    number = page.run("return window.missed.size")
    assert number > 60, number
    for _ in range(number // 10 + 2):
        page.browser.press(*["tab"] * 10)
    missed = page.run("return [...window.missed].map((node) => node.outerHTML.slice(0, 80))")
    assert not missed, missed
    page.run("document.activeElement.blur()")
    page.browser.press("/")
    assert page.run("return document.activeElement.id") == "search"
    page.browser.press(*"x_{5}")
    time.sleep(0.3)
    page.wait()
    assert page.run("return location.hash") == "#?q=x_%7B5%7D"
    page.run("document.getElementById('reset').focus()")
    page.browser.press("enter")
    page.wait()
    for control, key, wanted in (
        ("model", "down", "#?model=0"),
        ("wrong", "space", "#?model=0&wrong=1"),
    ):
        page.run("document.getElementById(arguments[0]).focus()", control)
        page.browser.press(key)
        time.sleep(0.1)
        page.wait()
        assert page.run("return location.hash") == wanted, page.run("return location.hash")
    for selector in (
        "#reset",
        "#frequent tbody button",
        "#chips button",
        "#classes button",
        "#reset",
    ):
        before = page.count()
        page.run("document.querySelector(arguments[0]).focus()", selector)
        page.browser.press("enter")
        page.wait()
        assert page.count() != before, selector
    page.run("document.querySelector('summary').focus()")
    page.browser.press("enter")
    assert page.run("return document.querySelector('details').open")
    page.browser.press("enter")
    page.run("document.querySelector('#scatters circle').focus()")
    page.browser.press("right", "right", "enter")
    assert page.dialog() is not None
    page.browser.press("right", "escape")
    assert page.dialog() is None
    page.run("document.querySelector('#cards h3 a').focus()")
    page.browser.press("enter")
    time.sleep(0.5)
    assert page.dialog() is not None, hash_of(page)
    page.browser.press("escape")


def axe_core():
    """The rules of accessibility as a script, or None where the package is not installed."""
    for root in (pathlib.Path(__file__).parents[2] / "build-python/venv", pathlib.Path(sys.prefix)):
        for path in sorted(
            root.glob("lib/python3*/site-packages/axe_playwright_python/axe.min.js")
        ):
            return path.read_text(encoding="utf-8")
    return None


def test_accessible(page, what):
    """No rule of axe-core is broken, in the light and in the dark."""
    script = axe_core()
    if script is None:
        print("axe-core is not installed: accessibility is not checked")
        return
    page.browser.run(script)
    seen = set()
    for scheme in ("light", "dark"):
        page.browser.devtools(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )
        seen.add(page.run("return getComputedStyle(document.body).backgroundColor"))
        found = page.browser.run_async("""
            const done = arguments[0];
            axe.run({ resultTypes: ['violations'] }).then(({ violations }) => done(violations.map(
                ({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 150))}`)),
                (error) => done([String(error)]));""")
        assert not found, (what, scheme, found)
    page.browser.devtools("Emulation.setEmulatedMedia", features=[])
    assert len(seen) == 2, seen


def test_widths(page):
    """On a phone, a tablet and paper nothing is wider than the page, and metrics are in sight."""
    for width in (390, 800, 1400):
        page.browser.devtools(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=844,
            deviceScaleFactor=1,
            mobile=False,
        )
        wide = page.run("return document.documentElement.scrollWidth")
        assert wide <= width, (width, wide)
        right = page.run(
            "return document.querySelector('#metrics td:nth-of-type(2)')"
            ".getBoundingClientRect().right"
        )
        assert 0 < right <= width, (width, right)
    # on paper tables and drawings are as wide as the page, not cut off
    page.browser.devtools("Emulation.setEmulatedMedia", media="print")
    for width in (718, 740):  # A4 and Letter between margins of 1 cm
        page.browser.devtools(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=1040,
            deviceScaleFactor=1,
            mobile=False,
        )
        cut = page.run("""
            return [...document.querySelectorAll('main .table, main .bars, main .ink, main .card')]
                .filter((node) => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1)
                .map((node) => `${node.id} ${node.className} ${node.scrollWidth}`);""")
        assert not cut, cut
        # on the first sheet: the headline, the table with its plots, the subsets and the pairs
        bottom = page.run(
            "return document.getElementById('faults').getBoundingClientRect().bottom"
            " + window.scrollY"
        )
        assert bottom <= (1046 if width == 718 else 980), (width, bottom)  # of A4 and Letter
    page.browser.devtools("Emulation.setEmulatedMedia", media="")
    page.browser.devtools("Emulation.clearDeviceMetricsOverride")
    for paper in ((8.27, 11.69), (8.5, 11)):
        pdf = base64.b64decode(
            page.browser.devtools("Page.printToPDF", paperWidth=paper[0], paperHeight=paper[1])[
                "data"
            ]
        )
        pages = len(re.findall(rb"/Type\s*/Page\b", pdf))
        assert 2 <= pages <= 12, pages
    page.run("window.dispatchEvent(new Event('beforeprint'))")
    assert page.run("return document.querySelectorAll('#cards .card').length") == 10


def test_people(page):
    """Points with r and its interval, ratings on the cards."""
    captions = page.texts("#scatters figcaption")
    assert len(captions) == 3 and "r = " in captions[0] and "[" in captions[0], captions
    assert page.run("return document.querySelectorAll('#scatters circle').length") == 3 * 300
    assert "people" in page.texts("#people-pairs .scores")[0]


def test_pages(browser, folder):
    """The worst page comes first; a click shows its formulas in their order, right ones too."""
    data = [
        {
            "id": f"{page}.jpg#{i}",
            "model": "m",
            "gt": "x",
            "pred": pred,
            "match": match,
            "page_unused": unused,
            "page_extras": ["\\\\[ z \\\\]", ATTACK] if page == "bad" and i == 0 else None,
        }
        for page, preds, match, unused in (
            ("good", "xx", "matched", 0),
            ("bad", "xyy", "missed", 5),
        )
        for i, pred in enumerate(preds)
    ]
    path = make_report(folder, "pages", data, "--mean", "pages", metrics="exprate")
    page = Page(browser, path)
    rows = page.texts("#page-table tbody tr")
    assert rows[0].startswith("bad.jpg335") and rows[1].startswith("good.jpg200"), rows
    assert page.texts("#page-table details code") == ["\\\\[ z \\\\]", ATTACK]
    page.click("#page-table button")
    page.wait()
    assert page.count().startswith("3 of 5 pairs"), page.count()
    assert page.texts("#cards h3 a") == [f"bad.jpg#{i}" for i in range(3)], page.texts(
        "#cards h3 a"
    )
    assert "bad.jpg" in page.texts("#chips")[0]
    page.check_quiet()


def test_many_pairs(browser, path):
    """34,000 pairs: the page paints, filters and sorts at once, whatever the number."""
    page = Page(browser, path)
    assert page.count().startswith("34,000 of 34,000 pairs")
    assert page.texts(".about")[0].startswith("34,000 pairs, 2 models"), page.texts(".about")
    paint = page.run("return performance.getEntriesByName('first-contentful-paint')[0].startTime")
    assert paint < 1000, f"first paint after {paint:.0f} ms"
    times = []
    for word in ("alpha^{7}", "beta", "pair-0001", "x_{5}", ""):
        tries = []
        for _ in range(10):  # the best of some: a busy machine is not the page's fault
            page.set("search", "lost")
            page.set("search", word)
            tries.append(page.run("return Number(document.getElementById('count').dataset.ms)"))
        times.append(min(tries))
    assert sorted(times)[len(times) // 2] < 100, times
    page.set("view", "table")
    assert page.run("return document.querySelectorAll('#rows tr').length") < 100
    page.run("document.getElementById('scroll').scrollTop = 1e9")
    time.sleep(0.3)
    positions = page.run(
        "return [...document.querySelectorAll('#rows tr[data-position]')]"
        ".map((row) => Number(row.dataset.position))"
    )
    assert max(positions) == MANY - 1 and len(positions) < 100, positions[-3:]
    page.check_quiet()


def test_attack(page):
    """A formula that tries to be markup stays text everywhere."""
    assert page.run("return document.title") == ATTACK
    assert page.run("return document.querySelectorAll('img, iframe, object').length") == 0
    assert page.run("return document.scripts.length") == 3
    assert ATTACK in page.texts("h1")[0]
    page.set("view", "table")
    assert ATTACK in page.column("reference")[0]
    page.click("#rows tr[data-position='0']")
    assert ATTACK in page.dialog()
    page.click("#close")
    page.set("search", ATTACK)
    assert page.count().startswith("1 of 1 pair")
    assert page.run("return document.title") == ATTACK


def test_payloads(browser, folder):
    """Ids, models, subsets, formulas, raters and the file's name stay text, whatever they hold."""
    assert len(PAYLOADS) >= 40
    rows = [
        {
            "id": p,
            "model": PAYLOADS[k % 5 + k // 8],
            "subset": p,
            "gt": p,
            "pred": f"{p} x",
            "human": {PAYLOADS[k % 3]: [k % 6, k % 4]},
        }
        for k, p in enumerate(PAYLOADS)
    ]
    models = dict.fromkeys(each["model"] for each in rows)
    rows += [dict(rows[0], model=m, id="common") for m in models]  # models share a pair
    name = PAYLOADS[2].replace("/", "")
    page = Page(browser, make_report(folder, name, rows, metrics="edit,cer"))

    def check():
        assert page.run("return document.title") == "texgauge report"
        assert (
            page.run(
                "return document.querySelectorAll('img, iframe, object, embed, base, "
                "body script ~ link, main meta, main link, main style').length"
            )
            == 0
        )
        assert page.run("return document.scripts.length") == 3
        assert page.run("""return [...document.querySelectorAll('*')].every((node) =>
            [...node.attributes].every((a) => !a.name.startsWith('on') &&
                !(a.name === 'href' && !a.value.startsWith('#') && !a.value.startsWith('data:'))))""")

    check()
    page.set("view", "table")
    page.sort_by("id")
    seen = set()
    for k in range(len(rows)):
        page.run("document.getElementById('scroll').scrollTop = arguments[0] * 30", k)
        time.sleep(0.02)
        seen |= set(page.column("id"))
    assert seen >= {p for p in PAYLOADS if p.isprintable()}, set(PAYLOADS) - seen
    page.run("document.getElementById('scroll').scrollTop = 0")
    time.sleep(0.2)
    page.click("#rows tr[data-position='0']")
    for _ in rows:
        assert page.dialog() is not None
        check()
        page.click("#next")
    page.click("#close")
    for payload in PAYLOADS[::5]:
        page.set("search", payload)
        check()
    page.set("search", "")
    page.set("view", "cards")
    page.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    page.run("window.dispatchEvent(new Event('beforeprint'))")
    check()
    page.check_quiet()
    quoted = urllib.parse.quote(PAYLOADS[2])
    for address in [
        f"#?{f}={quoted}" for f in ("low", "model", "q", "cls", "score", "err", "__proto__")
    ] + ["#?model=99", "#?len=-1", "#?q=%zz", f"#pair={quoted}", "#pair=%zz"]:
        page = Page(browser, folder / f"{name}.html", address)
        check()
        page.check_quiet()


def test_degenerate(browser, folder):
    """One pair, nothing but equal scores, nothing defined: a page that says so."""
    good = {"gt": "x", "pred": "x"}
    cases = {
        "single": ([good], "1 of 1 pair"),
        "constant": ([good, good, good], "3 of 3 pairs"),
        "undefined": ([{"gt": "", "pred": "x"}, {"gt": "", "pred": "y"}], "2 of 2 pairs"),
        "missing": ([{"gt": "x", "pred": None}, {"gt": "x_", "pred": "y^"}], "2 of 2 pairs"),
    }
    for name, (rows, words) in cases.items():
        metrics = "cer" if name == "undefined" else "edit,cer"
        page = Page(browser, make_report(folder, name, rows, metrics=metrics))
        text = page.run("return document.body.innerText")
        assert words in text, f"{name}: {text}"
        assert "NaN" not in text and "undefined" not in text, f"{name}: {text}"
        page.check_quiet()


def main():
    if not webdriver.is_available():
        print("chromium and chromedriver are not installed: skipped")
        return 77
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as name, webdriver.Browser(1400, 1040) as browser:
        folder = pathlib.Path(name)
        # model 0 and model 1 on the same formulas
        data = []
        for i in range(150):
            each = dict(row(i, rng), subset=f"s{i % 3}")
            better = each["gt"] if i % 5 == 0 else each["pred"]
            data += [dict(each, model="model 0"), dict(each, model="model 1", pred=better)]
        path = make_report(folder, "page", data)
        single = make_report(folder, "one", data[:1])
        grown = path.stat().st_size - single.stat().st_size
        assert path.stat().st_size < 2 << 20 and grown < 4096 * 299, (path.stat().st_size, grown)
        page = Page(browser, path)
        test_first_screen(page)
        test_filters(page, 300)
        test_examples(page)
        test_drawings(page)
        test_worst(page, folder / "page.jsonl")
        test_changes(page)
        test_people(page)
        test_words(page)
        test_order(page)
        test_jumps(page)
        test_duel(page)
        test_exports(page)
        test_every_pair_opens(page, 300)
        test_table(page)
        test_keyboard(page)
        test_widths(page)
        test_accessible(page, "all sections")
        page.click("#cards h3 a")
        test_accessible(page, "one pair")
        page.check_quiet()
        test_links(browser, path)
        test_no_subsets(browser, folder)
        test_raters(browser, folder)
        test_lost_token(browser, folder)
        test_pictures(browser, folder)
        test_one_model(
            Page(
                browser,
                make_report(folder, "alone", [dict(row(i, rng), model="m") for i in range(30)]),
            )
        )
        base = [dict(row(i, rng), subset=f"s{i % 3}") for i in range(90)]
        six = [
            dict(each, model=f"m{m}", pred=each["pred" if rng.random() < 0.15 * m else "gt"])
            for m in range(6)
            for each in base
        ]
        page = Page(browser, make_report(folder, "six", six, metrics="edit,cer,bleu,chrf,exprate"))
        for width in (1440, 390):
            test_six_models(page, width)
        test_against(page)
        page.check_quiet()

        rows = []
        for i in range(MANY // 2):
            both = row(i, rng)
            wrong = both["gt"].replace("\\alpha", "a")
            rows += [dict(both, model="model 0"), dict(both, model="model 1", pred=wrong)]
        for each in rows:
            del each["ratings"]
        path = make_report(folder, "many", rows)
        assert path.stat().st_size < 30 << 20, path.stat().st_size
        test_many_pairs(browser, path)

        attack = {"id": ATTACK, "model": ATTACK, "gt": ATTACK, "pred": ATTACK + "x"}
        page = Page(browser, make_report(folder, "attack", [attack], "--title", ATTACK))
        test_attack(page)
        page.check_quiet()

        test_pages(browser, folder)
        test_long_formula(browser, folder)
        test_loop(browser, folder)
        test_payloads(browser, folder)
        test_degenerate(browser, folder)
    print("report page: all well")
    return 0


if __name__ == "__main__":
    sys.exit(main())
