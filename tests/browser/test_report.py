#!/usr/bin/env python3
"""Tests the page of `texgauge report` in Chromium.

Usage: test_report.py TEXGAUGE

Exits with 77 (skipped) where chromium or chromedriver is not installed.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(__file__))
import webdriver  # noqa: E402

TEXGAUGE = sys.argv[1] if len(sys.argv) > 1 else "texgauge"
ATTACK = "</script><img src=x onerror=\"document.title='broken'\"> <!-- <script>"
MANY = 25000


def row(number, rng):
    """A made-up pair; every third prediction is right, the last ones are missing."""
    truth = f"x_{{{number % 97}}} + \\alpha^{{{rng.randrange(9)}}}"
    pred = truth if number % 3 == 0 else truth.replace("\\alpha", "a").replace("+", "t" * (number % 4))
    return {"id": f"pair-{number:05}", "model": f"model {number % 2}", "subset": f"s{number % 3}",
            "gt": truth, "pred": pred, "ratings": [rng.randrange(6), rng.randrange(6)]}


def make_report(folder, name, rows, *options, metrics="edit,cer,exprate"):
    """Score rows and report them; the path of the page."""
    data, results = folder / f"{name}.in", folder / f"{name}.jsonl"
    page = folder / f"{name}.html"
    data.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    subprocess.run([TEXGAUGE, "eval", "-q", "-f", "jsonl", "-m", metrics, str(data),
                    "-o", str(results)], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([TEXGAUGE, "report", "-q", str(results), "-o", str(page), "--resamples", "50",
                    *options], check=True)
    return page


class Page:
    """A report in the browser, in words of what a reader does."""

    def __init__(self, browser, path):
        self.browser = browser
        browser.logs("browser")
        browser.logs("performance")
        browser.open(path)

    def run(self, script, *arguments):
        return self.browser.run(script, *arguments)

    def column(self, title):
        """The shown cells of one column, from the first row on."""
        return self.run("""
            const heads = [...document.querySelectorAll('#head th')].map((h) => h.textContent);
            const at = heads.indexOf(arguments[0]);
            return [...document.querySelectorAll('#rows tr[data-position]')]
                .map((row) => row.cells[at].textContent);""", title)

    def sort_by(self, title):
        self.run("""for (const head of document.querySelectorAll('#head th'))
                        if (head.textContent === arguments[0])
                            head.querySelector('button').click();""", title)

    def sorted_as(self, title):
        return self.run("""for (const head of document.querySelectorAll('#head th'))
                               if (head.textContent === arguments[0])
                                   return head.getAttribute('aria-sort');""", title)

    def set(self, identifier, value):
        self.run("""const input = document.getElementById(arguments[0]);
                    if (input.type === 'checkbox') input.checked = arguments[1];
                    else input.value = arguments[1];
                    input.dispatchEvent(new Event('input'));""", identifier, value)

    def count(self):
        return self.run("return document.getElementById('count').textContent")

    def click_row(self, position):
        self.run("document.querySelector(`#rows tr[data-position=\"${arguments[0]}\"]`).click()",
                 position)

    def dialog(self):
        """Text of the open pair, or None."""
        return self.run("""const dialog = document.getElementById('pair');
                           return dialog.open ? dialog.innerText : null;""")

    def check_quiet(self):
        """No error on the console, and nothing asked for beyond the file itself."""
        errors = [entry for entry in self.browser.logs("browser")
                  if entry["level"] in ("SEVERE", "WARNING")]
        assert not errors, errors
        for entry in self.browser.logs("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                assert url.startswith(("file://", "data:")), url


def number(text):
    return float(text.replace("–", "nan"))


def test_sorts(page):
    for title in ("edit", "cer"):
        page.sort_by(title)
        assert page.sorted_as(title) == "ascending"
        rising = [number(cell) for cell in page.column(title)]
        assert rising == sorted(rising) and len(rising) > 5, rising
        page.sort_by(title)
        assert page.sorted_as(title) == "descending"
        falling = [number(cell) for cell in page.column(title)]
        assert falling == sorted(falling, reverse=True), falling
        assert falling[0] > rising[0]
    page.sort_by("id")
    assert page.column("id")[:2] == ["pair-00000", "pair-00001"]
    assert page.sorted_as("cer") == "none"


def test_filters(page, total):
    assert page.count() == f"{total} of {total} pairs"
    page.set("search", "PAIR-00012")
    assert page.column("id") == ["pair-00012"]
    page.set("search", "no such pair")
    assert page.count() == f"0 of {total} pairs"
    page.set("search", "")
    page.set("model", "1")
    assert page.count() == f"{total // 2} of {total} pairs"
    assert set(page.column("model")) == {"model 1"}
    page.set("subset", "2")
    assert set(page.column("subset")) == {"s2"}
    page.set("model", "")
    page.set("subset", "")
    page.set("score", "0")
    page.set("low", "1")
    assert set(page.column("edit")) == {"1"}
    page.set("low", "")
    page.set("high", "0.999")
    assert all(number(cell) < 1 for cell in page.column("edit"))
    page.set("high", "")
    page.set("remarks", True)
    assert page.count() == f"0 of {total} pairs"
    page.set("remarks", False)
    assert page.count() == f"{total} of {total} pairs"


def test_opens_a_pair(page):
    page.sort_by("id")
    if page.sorted_as("id") == "descending":
        page.sort_by("id")
    page.click_row(3)
    text = page.dialog()
    assert "pair-00003" in text and "model 1" in text and "x_{3}" in text, text
    page.run("document.getElementById('next').click()")
    assert "pair-00004" in page.dialog()
    page.browser.press("escape")
    assert page.dialog() is None


def test_keyboard(page):
    page.run("document.querySelector('#rows tr[data-position=\"0\"]').focus()")
    page.browser.press("down", "down", "up")
    assert page.run("return document.activeElement.dataset.position") == "1"
    page.browser.press("enter")
    assert "pair-00001" in page.dialog()
    page.browser.press("escape")
    assert page.run("return document.activeElement.dataset.position") == "1"
    page.browser.press("end")
    last = int(page.run("return document.activeElement.dataset.position"))
    assert str(last + 1) == page.count().split()[0], last


def test_reads_well(page):
    """Alternative texts, headings in order, a name for every field, both colour schemes, print."""
    assert page.run("return [...document.images].every((image) => image.alt.length > 3)")
    assert page.run("return document.images.length") > 10
    assert page.run("return [...document.images].filter((image) => image.complete)"
                    ".every((image) => image.naturalWidth > 0)")
    assert page.run("return [...document.querySelectorAll('input, select')]"
                    ".every((field) => field.labels.length === 1)")
    assert page.run("return [...document.querySelectorAll('nav a')].every("
                    "(link) => document.querySelector(link.getAttribute('href')) !== null)")
    background = "return getComputedStyle(document.body).backgroundColor"
    seen = set()
    for scheme in ("light", "dark"):
        page.browser.devtools("Emulation.setEmulatedMedia",
                              features=[{"name": "prefers-color-scheme", "value": scheme}])
        seen.add(page.run(background))
    page.browser.devtools("Emulation.setEmulatedMedia", features=[])
    assert len(seen) == 2, seen
    printed = page.browser.devtools("Page.printToPDF")
    assert len(printed["data"]) > 20000


def test_explanations(page):
    """The pictures of metrics that can show a pair, and FORTE's edits: in the page and in a pair."""
    images = page.run("""document.querySelectorAll('img').forEach((i) => i.loading = 'eager');
                         return [...document.querySelectorAll('#worst figure.pair')].map((figure) =>
                             [...figure.querySelectorAll('dd > img')].map((image) => image.alt));""")
    assert len(images) == 4 and all(len(each) == 2 for each in images), images
    assert images[0][0].startswith("cdm: ") and images[0][1].startswith("forte: "), images[0]
    for _ in range(50):
        if page.run("return [...document.images].every((image) => image.complete)"):
            break
        time.sleep(0.1)
    assert page.run("return [...document.images].every((image) => image.naturalWidth > 0)")
    assert "Errors per 1,000 formulas by forte" in page.run("return document.body.innerText")
    total = page.count()
    page.set("search", "look-alike: \\alpha -> a")
    assert page.count() != total and page.count() != total.replace(total.split()[0], "0", 1)
    page.click_row(0)
    text = page.dialog()
    assert "look-alike: \\alpha -> a, counts 0.5" in text, text
    page.browser.press("escape")
    page.set("search", "pair-00001")
    page.click_row(0)
    drawn = page.run("return document.querySelectorAll('#pair-body img').length")
    assert drawn in (0, 2), drawn
    page.browser.press("escape")
    page.set("search", "")
    row = page.run("return document.querySelector('#worst figure.pair').dataset.row")
    page.click_row(int(row))
    assert page.run("return document.querySelectorAll('#pair-body img').length") == 2
    page.browser.press("escape")


def test_many_pairs(page):
    """25,000 pairs: a few dozen rows are drawn at a time, and sorting takes no noticeable time."""
    assert page.count() == f"{MANY} of {MANY} pairs"
    assert page.run("return document.querySelectorAll('#rows tr').length") < 100
    start = time.monotonic()
    page.sort_by("edit")
    page.set("search", "alpha^{7}")
    elapsed = time.monotonic() - start
    assert elapsed < 3, f"{elapsed:.1f} s"
    page.set("search", "")
    page.run("document.getElementById('scroll').scrollTop = 1e9")
    time.sleep(0.3)
    positions = page.run("return [...document.querySelectorAll('#rows tr[data-position]')]"
                         ".map((row) => Number(row.dataset.position))")
    assert max(positions) == MANY - 1 and len(positions) < 100, positions[-3:]


def test_attack(page):
    """A formula that tries to be markup stays text everywhere."""
    assert page.run("return document.title") == ATTACK
    assert page.run("return document.querySelectorAll('img[src=\"x\"]').length") == 0
    assert page.run("return document.scripts.length") == 2
    assert ATTACK in page.column("truth")[0]
    page.click_row(0)
    assert ATTACK in page.dialog()
    assert page.run("return document.title") == ATTACK


def test_degenerate(browser, folder):
    """One pair, nothing but equal scores, nothing defined: a page that says so."""
    good = {"gt": "x", "pred": "x"}
    cases = {
        "single": ([good], "1 of 1 pairs"),
        "constant": ([good, good, good], "3 of 3 pairs"),
        "undefined": ([{"gt": "", "pred": "x"}, {"gt": "", "pred": "y"}], "2 of 2 pairs"),
    }
    for name, (rows, words) in cases.items():
        metrics = "cer" if name == "undefined" else "edit,cer"
        page = Page(browser, make_report(folder, name, rows, metrics=metrics))
        text = page.run("return document.body.innerText")
        assert words in text, f"{name}: {text}"
        assert "NaN" not in text and "undefined\n" not in text, f"{name}: {text}"
        page.check_quiet()


def main():
    if not webdriver.is_available():
        print("chromium and chromedriver are not installed: skipped")
        return 77
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as name, webdriver.Browser() as browser:
        folder = pathlib.Path(name)
        page = Page(browser, make_report(folder, "page", [row(i, rng) for i in range(300)]))
        test_sorts(page)
        test_filters(page, 300)
        test_opens_a_pair(page)
        test_keyboard(page)
        test_reads_well(page)
        page.check_quiet()

        shown = Page(browser, make_report(folder, "shown", [row(i, rng) for i in range(30)],
                                          "--pictures", "worst:4", metrics="cdm,forte"))
        test_explanations(shown)
        shown.check_quiet()

        rows = [row(i, rng) for i in range(MANY)]
        for each in rows:
            del each["ratings"]
        many = Page(browser, make_report(folder, "many", rows, "--pictures", "worst:5"))
        test_many_pairs(many)
        many.check_quiet()

        attack = {"id": ATTACK, "model": ATTACK, "gt": ATTACK, "pred": ATTACK}
        page = Page(browser, make_report(folder, "attack", [attack], "--title", ATTACK))
        test_attack(page)
        page.check_quiet()

        test_degenerate(browser, folder)
    print("report page: all well")
    return 0


if __name__ == "__main__":
    sys.exit(main())
