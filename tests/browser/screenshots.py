#!/usr/bin/env python3
"""Makes the pictures of a report that stand in the documents.

Usage: screenshots.py REPORT.html FOLDER

Needs chromium and chromedriver. The report is the one that docs/how-to/write-a-report.md describes.
"""

import os
import pathlib
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))
import webdriver  # noqa: E402


FIND_PAIR = """
    const length = (figure) => figure.querySelector('code').textContent.length;
    const figures = [...document.querySelectorAll('figure.pair')].filter((figure) => {
        const edits = figure.querySelectorAll('li').length;
        return edits >= 2 && edits <= 5 && length(figure) < 80 &&
            !figure.textContent.includes('cdm 0.0000');
    });
    figures.sort((a, b) => length(b) - length(a));
    return Number(figures[0].dataset.row);"""


def show(browser, selector):
    """Scroll an element to the top and wait until the pictures around it are there."""
    browser.run("document.querySelector(arguments[0]).scrollIntoView(); window.scrollBy(0, -8)",
                selector)
    time.sleep(1)


def main():
    page, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    with webdriver.Browser(1200, 1000) as browser:
        browser.open(page)
        time.sleep(1)
        browser.screenshot(folder / "report-overview.png")
        for section in ("errors", "worst", "pairs"):
            show(browser, f"#{section}")
            browser.screenshot(folder / f"report-{section}.png")
        # the longest of the drawn pairs that have a few edits, opened from the table
        row = browser.run(FIND_PAIR)
        browser.run("document.getElementById('scroll').scrollTop = 28 * arguments[0]", row)
        time.sleep(1)
        browser.run("""document.querySelector(`#rows tr[data-position="${arguments[0]}"]`).click();
                       document.activeElement.blur();""", row)
        time.sleep(1)
        browser.screenshot(folder / "report-pair.png")


if __name__ == "__main__":
    main()
