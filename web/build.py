"""Build texgauge as one HTML page that needs no server and no installation.

    build.py OUTPUT_FOLDER

The page holds the whole program, compiled to WebAssembly by Debian's emscripten. The libraries are
those of the wheels: python/wheels.py fetches the same source packages and builds them by the same
steps. What is built stays in build-wheels/wasm32/ and is not built again.
Run by `./dev release web`, which installs what is needed.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "web"
sys.path.insert(0, str(ROOT / "python"))

import fonts  # noqa: E402
import wheels  # noqa: E402

# Most formulas need only these outlines: layout is that of 12 pt, with scripts of 8 and 6 pt. All
# other outlines are in a second file, which the page loads when it needs one of them.
FIRST_FONTS = re.compile(
    r"lm(r|mi|sy)(12|8|6)\.pfb|lmbx12\.pfb|lm(mib|sy|ex)10\.pfb|.*\.(tfm|enc|ttf)"
)
MOST = 3_000_000  # bytes of the page as a server sends it
# Parts of datasets/ that the program reads at run time.
DATA = ("models", "synonyms")

NOTICE = """\
This page holds texgauge (MIT) and these libraries of Debian 12, compiled by emscripten:

{libraries}

Fonts: Debian's lmodern and fonts-lyx. GLib, Cairo and libcsv are free software under the LGPL and
may be changed and linked anew: put a changed source package into build-wheels/sources/ of
texgauge's source and run ./dev release web. No library is changed for this page.

"""


class Emscripten(wheels.Target):
    """The folders and tools for WebAssembly."""

    system = "emscripten"
    host = "wasm32-unknown-emscripten"
    # GLib's atomics use the compiler's built-ins, which emscripten has but does not announce.
    flags = ("-O2", "-ffp-contract=off", "-D__GCC_HAVE_SYNC_COMPARE_AND_SWAP_4=1")
    options = {**wheels.OPTIONS, "pcre2": ("--disable-jit",)}

    def tools(self) -> dict[str, str]:
        """Return the scripts that stand for the compiler and its tools."""
        # Debian's emscripten finds its Node modules only where Debian puts them.
        head = "#!/bin/bash\nexport NODE_PATH=/usr/share/nodejs:/usr/lib/nodejs\n"
        commands = {
            # Meson asks for threads. Threads share memory, which browsers allow only with headers
            # that a file on disk does not have: the page has one thread.
            "cc": 'words=(); for word; do case $word in -pthread | -sPTHREAD*) ;; '
            '*) words+=("$word") ;; esac; done\n'
            f'exec emcc -ffile-prefix-map={ROOT}/= "${{words[@]}}"',
            "ar": 'exec emar "$@"',
            "ranlib": 'exec emranlib "$@"',
        }
        return {name: f"{head}{command}\n" for name, command in commands.items()}

    def prepare(self, name: str, place: Path) -> None:
        """Leave out the parts of GLib that are not linked: GIO asks for a resolver of names."""
        if name == "glib2.0":
            file = place / "meson.build"
            parts = r"^subdir\('(gobject|gthread|gio|fuzzing|tools)'\)"
            file.write_text(re.sub(parts, r"# \g<0>", file.read_text(), flags=re.MULTILINE))

    def program(self) -> tuple[str, bytes]:
        """Build the program; return emscripten's script and the WebAssembly."""
        build = self.folder / "texgauge"
        if not (build / "build.ninja").exists():
            off = ("tests", "bench", "docs", "images", "fontconfig")
            wheels.run(
                *("meson", "setup", build, ROOT, f"--cross-file={self.cross}"),
                *("-Dbuildtype=release", "-Doptimization=2"),
                *(f"-D{option}=disabled" for option in off),
            )
        wheels.run("ninja", "-C", build, "cli/texgauge.js")
        return (build / "cli/texgauge.js").read_text(), (build / "cli/texgauge.wasm").read_bytes()


def pack(files: dict[str, Path]) -> str:
    """Put files into one text: compressed, the length of an index, the index, their bytes."""
    index, content = {}, b""
    for name, path in sorted(files.items()):
        index[name] = (len(content), len(content := content + path.read_bytes()))
    head = json.dumps(index).encode()
    return compress(len(head).to_bytes(4, "big") + head + content)


def compress(content: bytes) -> str:
    """Compress for the page, the same bytes every time."""
    return base64.b64encode(gzip.compress(content, compresslevel=9, mtime=0)).decode()


def data_files() -> dict[str, Path]:
    """List what the program reads, by its path in the page's file system."""
    folder = ROOT / "datasets"
    found = [path for name in DATA for path in [folder / name, *(folder / name).rglob("*")]]
    return {
        f"/data/{path.relative_to(folder)}": path
        for path in found
        if path.is_file() and path.suffix not in {".c", ".h", ".build", ".md", ".py"}
    }


def style() -> str:
    """Return the page's style, with the colors of reports."""
    report = (ROOT / "eval/page/base.css").read_text()
    colors = report[: report.index("\n* {")]
    extra = ":root { --bad-text: rgb(var(--bad-rgb, 184 28 20)); }"
    dark = "@media (prefers-color-scheme: dark) { :root { --bad-rgb: 255 138 127; } }"
    return f"{colors}\n{extra}\n{dark}\n{(HERE / 'page.css').read_text()}"


def main() -> None:
    """Make the page and the file of fonts beside it."""
    output = Path(sys.argv[1])
    sources = wheels.WORK / "sources"
    wheels.fetch_sources(sources)
    wheels.collect_licenses(sources)
    target = Emscripten("wasm32")
    target.libraries(sources)
    script, wasm = target.program()

    by_name = {f"/data/fonts/{name}": fonts.find(name) for name in fonts.names()}
    all_fonts = {name: path for name, path in by_name.items() if path is not None}
    first = {name: path for name, path in all_fonts.items() if FIRST_FONTS.fullmatch(path.name)}
    later = {name: path for name, path in all_fonts.items() if name not in first}
    lines = (f"    {name:<10} {wheels.version_of(name, sources)}" for name in wheels.SOURCES)
    terms = "".join(
        f"\n==== {path.parent.name}/{path.name} ====\n\n{path.read_text(errors='replace')}"
        for path in sorted((wheels.WORK / "licenses").rglob("*"))
        if path.is_file() and path.name == "copyright"
    )
    parts = {
        "STYLE": style(),
        "VERSION": re.findall(r"^  version: '(.*)',$", (ROOT / "meson.build").read_text(), re.M)[0],
        "NOTICE": html.escape(NOTICE.format(libraries="\n".join(lines)) + terms),
        "WASM": compress(wasm),
        "PACK": pack(data_files() | first),
        "WORKER": script + (HERE / "worker.js").read_text(),
        "SCRIPT": (HERE / "page.js").read_text(),
    }
    for name in ("WORKER", "SCRIPT"):
        assert "</script" not in parts[name]
    page = re.sub(r"@([A-Z]+)@", lambda m: parts[m[1]], (HERE / "page.html").read_text())
    output.mkdir(parents=True, exist_ok=True)
    (output / "texgauge.html").write_text(page)
    (output / "texgauge-fonts.js").write_text(f'texgaugeFonts("{pack(later)}");\n')
    for name in ("texgauge.html", "texgauge-fonts.js"):
        content = (output / name).read_bytes()
        small = len(gzip.compress(content, 9))
        print(f"{output / name}: {len(content):,} bytes, {small:,} with gzip")
        if name.endswith(".html") and small > MOST:
            sys.exit(f"{name} is larger than {MOST:,} bytes with gzip: see FIRST_FONTS and DATA")


if __name__ == "__main__":
    main()
