#!/usr/bin/env python3
"""Imports texgauge before and after packages that bring libraries of their own, in one process each.

Usage: try_neighbors.py    (by the Python whose packages are to be tried; those it lacks are skipped)

Both are used, one after the other and again: two copies of GLib, Cairo or zlib in a process must not
find each other.
"""

import importlib.util
import itertools
import subprocess
import sys

USES = {
    "texgauge": """
assert texgauge.score(reference="a^2", prediction="a^2") == 1
assert 0 < texgauge.score(reference="a^2", prediction="a_2", metric="forte") < 1
assert texgauge.render("x^2").png.startswith(b"\\x89PNG")
""",
    "gi": """
gi.require_version("GLib", "2.0")
from gi.repository import GLib, GObject
assert GLib.Variant("as", ["x"]).unpack() == ["x"]
loop = GLib.MainLoop(); GLib.idle_add(loop.quit); loop.run()
""",
    "cairo": """
import io
surface = cairo.ImageSurface(cairo.FORMAT_ARGB32, 9, 9)
context = cairo.Context(surface); context.show_text("x"); surface.write_to_png(io.BytesIO())
cairo.SVGSurface(io.BytesIO(), 9, 9).finish()
""",
    "numpy": "assert numpy.linalg.norm(numpy.ones(4)) == 2\n",
    "torch": "assert torch.ones(4).sum().item() == 4\n",
    "pyarrow": "assert pyarrow.compress(b'x' * 99, codec='zstd', asbytes=True)\n",
    "PIL": """
import io
from PIL import Image, ImageDraw
picture = Image.new("L", (9, 9)); ImageDraw.Draw(picture).text((0, 0), "x")
picture.save(io.BytesIO(), "PNG")
""",
    "cv2": """
import numpy
assert cv2.imencode(".png", numpy.zeros((9, 9), "u1"))[0]
""",
}


def main():
    failed = 0
    for name in USES:
        if name == "texgauge":
            continue
        if importlib.util.find_spec(name) is None:
            print(f"{name}: skipped, not installed")
            continue
        for pair in itertools.permutations(("texgauge", name)):
            lines = [f"import {one}\n{USES[one]}" for one in (*pair, *pair)]
            done = subprocess.run([sys.executable, "-c", "".join(lines)], capture_output=True,
                                  text=True, check=False)
            good = done.returncode == 0
            failed += not good
            print(f"{pair[0]}, then {pair[1]}: {'good' if good else done.returncode}")
            if not good:
                print(done.stderr[-2000:])
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
