#!/usr/bin/env python3
"""Makes the pictures of a report that stand in the documents.

Usage: screenshots.py REPORT.html FOLDER

Needs chromium and chromedriver. The report is the one that docs/reports.md describes.
"""

import os
import pathlib
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))
import webdriver  # noqa: E402


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
        for section in ("agreement", "errors", "matches", "worst", "disputed", "pairs"):
            show(browser, f"#{section}")
            browser.screenshot(folder / f"report-{section}.png")
        browser.run("document.querySelector('figure.pair').scrollIntoView()")
        # the pair of the first drawing, opened from the table
        browser.run("""const search = document.getElementById('search');
                       const caption = document.querySelector('figure.pair figcaption');
                       search.value = caption.textContent.split(' · ')[0];
                       search.dispatchEvent(new Event('input'));
                       const model = caption.textContent.split(' · ')[1];
                       for (const row of document.querySelectorAll('#rows tr[data-position]'))
                           if ([...row.cells].some((cell) => cell.textContent === model)) {
                               row.click();
                               break;
                           }""")
        time.sleep(1)
        browser.screenshot(folder / "report-pair.png")


if __name__ == "__main__":
    main()
