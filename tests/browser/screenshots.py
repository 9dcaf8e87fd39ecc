#!/usr/bin/env python3
"""Makes the pictures of a report: those of the documents, or all to look at.

Usage: screenshots.py REPORT.html FOLDER [--all]

Needs chromium and chromedriver. With --all: every section at 1400, 800 and 390 pixels, light and
dark, and the printed page as A4 and Letter. The documents show Uni-MuMER
3B and 7B on CROHME 2014, 2016 and 2019 beside a copy of 3B's predictions with errors put in, scored
with edit, bleu, forte, exprate and cdm.
"""

import base64
import os
import pathlib
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))
import webdriver  # noqa: E402

SECTIONS = ("overview", "errors", "changes", "pages", "pairs", "people")


def wait(browser):
    """Until all sections are drawn."""
    for _ in range(300):
        if browser.run("return document.body.dataset.state") == "ready":
            return
        time.sleep(0.1)
    raise RuntimeError("the page does not become ready")


def look(browser, width, height, scheme="light"):
    browser.devtools(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=height,
        deviceScaleFactor=1,
        mobile=False,
    )
    browser.devtools(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
    )


def show(browser, section):
    """Scroll to a section; FALSE where the report has none."""
    return browser.run(
        """const node = document.getElementById(arguments[0]);
                          node.scrollIntoView();
                          return !node.hidden;""",
        section,
    )


def for_documents(browser, folder):
    for section, height in (("overview", 720), ("errors", 1150), ("pairs", 1000)):
        look(browser, 1400, height)
        show(browser, section)
        time.sleep(0.5)
        browser.screenshot(folder / f"report-{section}.png")


def for_eyes(browser, folder):
    for width, height in ((1400, 900), (800, 1000), (390, 844)):
        for scheme in ("light", "dark"):
            look(browser, width, height, scheme)
            for section in SECTIONS:
                if show(browser, section):
                    time.sleep(0.3)
                    browser.screenshot(folder / f"{section}-{width}-{scheme}.png")
    look(browser, 1400, 900)
    for name, size in (("a4", (8.27, 11.69)), ("letter", (8.5, 11))):
        pdf = browser.devtools(
            "Page.printToPDF", printBackground=True, paperWidth=size[0], paperHeight=size[1]
        )
        (folder / f"printed-{name}.pdf").write_bytes(base64.b64decode(pdf["data"]))


def main():
    page, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    with webdriver.Browser(1400, 900) as browser:
        browser.open(page)
        wait(browser)
        (for_eyes if "--all" in sys.argv else for_documents)(browser, folder)


if __name__ == "__main__":
    main()
