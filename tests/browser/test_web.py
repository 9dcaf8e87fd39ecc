#!/usr/bin/env python3
"""Tests the page that `./dev release web` builds, in Chromium, against the native program.

Usage: test_web.py PAGE TEXGAUGE [FOLDER_FOR_SCREENSHOTS]

Exits with 77 (skipped) where chromium or chromedriver is not installed.
"""

import base64
import contextlib
import functools
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import webdriver  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
AXE = ROOT / "build-python/venv"
DO = "document.title='broken'"
PAYLOADS = [
    f"<script>{DO}</script>", f"<img src=x onerror=\"{DO}\">", f"</textarea><svg onload={DO}>",
    f"\\href{{javascript:{DO}}}{{x}}", f"\\text{{</script><script>{DO}</script>}}", "@WASM@ @SCRIPT@",
    f"\"><iframe src=\"javascript:{DO}\">", f"' onmouseover='{DO}",
]


class Page:
    """The page in a browser, ready to be used."""

    def __init__(self, browser, address):
        self.browser = browser
        began = time.monotonic()
        browser.call("POST", "/url", {"url": address})
        self.wait("return document.body.dataset.ready")
        self.loaded = time.monotonic() - began

    def wait(self, script, *arguments, seconds=90):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.browser.run(script, *arguments)
            if value:
                return value
            time.sleep(0.05)
        raise AssertionError(f"not within {seconds} s: {script}")

    def run(self, script, *arguments):
        return self.browser.run(script, *arguments)

    def type(self, reference, prediction):
        self.run("""for (const [id, text] of [["reference", arguments[0]], ["prediction", arguments[1]]]) {
            document.getElementById(id).value = text;
            document.getElementById(id).dispatchEvent(new Event("input"));
        } window.settled = false;
        setTimeout(() => { const poll = () => busy ? setTimeout(poll, 20) : (window.settled = true); poll(); }, 150);""",
                 reference, prediction)
        self.wait("return window.settled")

    def scores(self):
        return dict(self.run("""return [...document.querySelectorAll("#scores tbody tr")].map((row) =>
            [row.cells[0].textContent, row.cells[1].textContent])"""))

    def text(self, name):
        return self.run("return document.getElementById(arguments[0]).textContent", name)

    def drop(self, files):
        """Drop files: {name: bytes}."""
        self.run("""const all = new DataTransfer();
            for (const [name, base64] of Object.entries(arguments[0]))
                all.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
            document.dispatchEvent(new DragEvent("drop", { dataTransfer: all }));""",
                 {name: base64.b64encode(content).decode() for name, content in files.items()})
        self.wait("return [...files.keys()].includes(arguments[0])", list(files)[-1])

    def command(self, words):
        self.run("""document.getElementById("command").value = arguments[0];
            document.getElementById("command-form").requestSubmit();""", words)

    def done(self, seconds=90):
        return self.wait("""const text = document.getElementById("progress").textContent;
            return /^(Status|Stopped)/.test(text) && text""", seconds=seconds)

    def succeed(self):
        """The command ends with status 0."""
        end = self.done()
        words = self.run("return document.getElementById('command').value")
        assert end.startswith("Status 0"), (words, end, self.text("output"))

    def file(self, name):
        return base64.b64decode(self.run("""const bytes = files.get(arguments[0]);
            let text = ""; for (const byte of bytes) text += String.fromCharCode(byte);
            return btoa(text);""", name))


def rows_of_challenge(n):
    rows = [line.split("\t") for line in (ROOT / "datasets/challenge.tsv").read_text().splitlines()
            if line and not line.startswith("#")]
    return [{"gt": row[-2], "pred": row[-1]} for row in rows[1::max(1, len(rows) // n)]][:n]


def native(texgauge, folder, files, words):
    """What the native program writes for the same files and words."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    subprocess.run([texgauge, *words], cwd=folder, check=True, capture_output=True)
    return (folder / "results.jsonl").read_bytes()


def test_pair(page, texgauge):
    """Scores while one types are those of the program."""
    for reference, prediction in [("x^2", "x_2"), ("\\frac{a}{b}", "\\frac{a}{6}"), ("\\mathsf{a}", "\\mathtt{b}")]:
        page.type(reference, prediction)
        row = json.loads(subprocess.run(
            [texgauge, "score", "-m", "forte,cdm,cdm-strict,edit,render", "--", reference, prediction],
            check=True, capture_output=True, text=True).stdout)
        shown = page.scores()
        for name, value in row["scores"].items():
            if name in shown:
                assert shown[name] == f"{value:.3f}", (name, shown[name], value)
        assert len(shown) == 5
        assert page.run("return document.querySelectorAll('.drawing img, #picture img').length") == 3
    page.type("\\text{\u4e2d}", "x")
    assert "no font of this page has" in page.text("reference-faults")
    page.type("\\undefinedcommand", "x")
    assert "undefinedcommand" in page.text("reference-faults")


def test_drawings(page, texgauge):
    """A drawing is that of the program, also where it needs fonts of the second file."""
    formulas = [row["gt"] for row in rows_of_challenge(20)] + [
        "\\mathbf{x}_{\\mathbf{y}_z}", "\\mathsf{a}\\mathtt{b}\\textit{c}", "\\text{\u00e9\u20ac}", "\u27f6 \u2264",
        "\\mathbb{1}\\mathscr{F}\\mathfrak{g}", "\\textsc{abc}\\boldsymbol{\\alpha}"]
    for formula in formulas:
        page.type(formula, "x")
        shown = page.run("return document.querySelector('#reference-drawing img')?.src") or ""
        with tempfile.TemporaryDirectory() as place:
            path = pathlib.Path(place) / "x.svg"
            drawn = subprocess.run([texgauge, "render", "-o", path, "--", formula], check=False, capture_output=True)
            expected = path.read_text() if path.exists() else ""
        assert urllib.parse.unquote(shown.partition(",")[2]) == expected, (formula, drawn.stderr)


def test_files(page, texgauge):
    """Results files of the page are those of the program, byte for byte."""
    chinese = {"gt": "\\text{\u4e2d\u6587}x", "pred": "\\text{\u4e2d\u56fd}x^\u2604"}
    pairs = "".join(json.dumps(row) + "\n" for row in [*rows_of_challenge(300), chinese]).encode()
    sample = (ROOT / "datasets/samples/mathbridge.csv").read_bytes()
    for name, content, metrics in [("pairs.jsonl", pairs, "cdm,forte,edit"), ("mathbridge.csv", sample, "cdm-strict,forte,bleu")]:
        words = f"eval {name} -m {metrics} -o results.jsonl"
        page.drop({name: content})
        page.command(words)
        page.succeed()
        with tempfile.TemporaryDirectory() as place:
            expected = native(texgauge, pathlib.Path(place), {name: content}, words.split())
        assert page.file("results.jsonl") == expected, name
    assert page.run("return document.getElementById('command').value").startswith("report results.jsonl")
    page.command("report results.jsonl -o report.html")
    page.succeed()
    assert not page.run("return document.getElementById('report').hidden")
    page.command("compare results.jsonl")
    page.succeed()
    assert "aster" in page.text("output")


def test_stop(page):
    """A long run shows its progress and ends when one says so; the next one works."""
    rows = "".join(json.dumps(row) + "\n" for row in rows_of_challenge(300) * 67).encode()
    page.drop({"many.jsonl": rows})
    page.command("eval many.jsonl -m cdm,cdm-strict,imgedit,ssim -o many-results.jsonl")  # half a minute
    page.wait("return !document.getElementById('bar').hidden")
    page.run("document.getElementById('stop').click()")
    assert page.done().startswith("Stopped")
    page.command("eval many.jsonl -m edit -o many-results.jsonl")
    page.succeed()
    assert page.file("many-results.jsonl").count(b"\n") > len(rows_of_challenge(300)) * 67


def test_hostile(page):
    """A formula that takes too long or nests too deep leaves the page alive."""
    for formula in ["{" * 5000, "\\sqrt" * 3000 + "x", "\\left(" * 400, "x^" * 1000,
                    "\\begin{matrix}" * 300, "\\def\\a{\\a\\a}\\a", "x" * 200000]:
        page.type(formula, "x")
        page.type("x^2", "x_2")
        assert page.scores()["cdm"] == "1.000", page.scores()


def test_links(page, address):
    """A link holds both formulas, and formulas of a link are nothing but text."""
    for payload in PAYLOADS:
        page.type(payload, "x")
        assert page.run("return document.title") == "texgauge: score LaTeX formulas"
        fragment = urllib.parse.urlencode({"r": payload, "p": "y"}, quote_via=urllib.parse.quote)
        again = Page(page.browser, f"{address}#{fragment}")
        assert again.run("return document.getElementById('reference').value") == payload
        assert again.run("return document.title") == "texgauge: score LaTeX formulas"
    again = Page(page.browser, f"{address}#r=x&p=y&m=chrf,cdm-strict,{urllib.parse.quote(PAYLOADS[0])}")
    again.wait("""return !busy && location.hash.includes("m=cdm-strict%2Cchrf") && "cdm-strict,chrf" ===
        [...document.querySelectorAll("#scores th[scope=row]")].map((e) => e.textContent).join()""", seconds=20)
    page.drop({f"<img src=x onerror={DO}>.jsonl": b'{"gt":"x","pred":"<script>"}\n'})
    assert page.run("return document.title") == "texgauge: score LaTeX formulas"
    assert page.run("return document.querySelectorAll('#file-list img').length") == 0


def times(page, texgauge):
    """Print how long a warm pair takes beside the native program, in the same run."""
    rows = rows_of_challenge(300)
    few, many = ("".join(json.dumps({side: f"{row[side]}+{k}" for side in row}) + "\n"
                         for k in range(n) for row in rows).encode() for n in (1, 21))
    for metric in ("forte", "cdm"):
        typed = page.browser.run_async("""const [metrics, rows, done] = arguments;
            const all = async () => { for (const row of rows)
                await engine.ask("score", { metrics, reference: row.gt, prediction: row.pred }); };
            (async () => { await all(); const began = performance.now(); await all();
                           done((performance.now() - began) / rows.length); })();""", metric, rows)
        seconds = {}
        for name, content in (("few.jsonl", few), ("many.jsonl", many)):
            words = f"eval -q -t 1 -m {metric} {name}".split()
            page.drop({name: content})
            page.command(" ".join(words))
            page.succeed()
            seconds["page", name] = float(page.done().split()[3])
            with tempfile.TemporaryDirectory() as place:
                (pathlib.Path(place) / name).write_bytes(content)
                began = time.monotonic()
                subprocess.run([texgauge, *words], cwd=place, check=True, capture_output=True)
                seconds["native", name] = time.monotonic() - began
        each = {way: (seconds[way, "many.jsonl"] - seconds[way, "few.jsonl"]) / (20 * len(rows)) * 1000
                for way in ("page", "native")}
        print(f"{metric}: a pair of a file {each['page']:.3f} ms, native {each['native']:.3f} ms, "
              f"ratio {each['page'] / each['native']:.1f}; a typed pair {typed:.2f} ms")


def test_accessible(page):
    """axe finds nothing; nothing is wider than a phone."""
    found = sorted(AXE.rglob("axe.min.js"))
    assert found, f"no axe.min.js in {AXE}: ./dev check web installs it"
    page.run(found[0].read_text() + ";window.axe = axe;")
    faults = page.browser.run_async(
        "const done = arguments[0]; axe.run().then((r) => done(r.violations.map((v) => "
        "`${v.id}: ${v.nodes.map((n) => n.target).join(' ')}`)))")
    assert not faults, faults
    page.browser.devtools("Emulation.setDeviceMetricsOverride", width=375, height=800,
                          deviceScaleFactor=2, mobile=True)
    assert page.run("return document.documentElement.scrollWidth") <= 375
    page.browser.devtools("Emulation.clearDeviceMetricsOverride")


def screenshots(page, folder):
    page.type("\\frac{-b\\pm\\sqrt{b^2-4ac}}{2a}", "\\frac{-b+\\sqrt{b^2-4ac}}{2a}")
    page.browser.screenshot(folder / "web.png")
    page.browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    page.browser.screenshot(folder / "web-dark.png")
    page.browser.devtools("Emulation.setEmulatedMedia", features=[])
    page.browser.devtools("Emulation.setDeviceMetricsOverride", width=375, height=800, deviceScaleFactor=2, mobile=True)
    page.browser.screenshot(folder / "web-phone.png")
    page.browser.devtools("Emulation.clearDeviceMetricsOverride")


@contextlib.contextmanager
def served(folder):
    """Serve a folder on this machine; the address."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def main():
    path, texgauge = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
    if not webdriver.is_available():
        print("chromium and chromedriver are not installed: skipped")
        return 77
    with served(path.parent) as server, webdriver.Browser(1280, 1200) as browser:
        for address in (f"{server}/{path.name}", f"file://{path}"):
            page = Page(browser, address)
            print(f"{address.split(':')[0]}: ready after {page.loaded:.1f} s")
            test_pair(page, texgauge)
            test_drawings(page, texgauge)
            test_files(page, texgauge)
            test_stop(page)
            test_hostile(page)
            times(page, texgauge)
            test_accessible(page)
            test_links(page, address)
            if len(sys.argv) > 3:
                pathlib.Path(sys.argv[3]).mkdir(parents=True, exist_ok=True)
                screenshots(Page(browser, address), pathlib.Path(sys.argv[3]))
    print("page in the browser: all well")
    return 0


if __name__ == "__main__":
    sys.exit(main())
