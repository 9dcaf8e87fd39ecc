#!/usr/bin/env python3
"""Write how Computer Modern differs from Latin Modern: render/fonts/computer_modern.tsv.

usage: computer_modern.py > render/fonts/computer_modern.tsv

Needs pdfTeX, ghostscript 10.0, fontTools, numpy and Pillow; only developers run it. Sizes of
characters are the numbers of the TFM files. Pixels are measured: each character of each font is set
on its own inch of a page, and ghostscript draws the page as the official programs of CDM have it
drawn. Characters whose pixels follow from Latin Modern's outline (metrics/cdm/draw/page.c) are
left out.
"""

import re
import struct
import subprocess
import tempfile
from collections.abc import Iterable
from math import ceil, floor
from pathlib import Path

import numpy
from fontTools.pens.boundsPen import BoundsPen
from fontTools.t1Lib import T1Font
from fontTools.ttLib import TTFont
from PIL import Image

# Our font, size, Latin Modern's outlines and metrics, its encoding, what LaTeX takes. The AMS fonts
# have their own metrics here, and outlines of 10 pt.
FONTS = [
    ("ROMAN", 12, "lmr12", "rm", "cmr12"),
    ("ROMAN", 8, "lmr8", "rm", "cmr8"),
    ("ROMAN", 6, "lmr6", "rm", "cmr6"),
    ("LETTERS", 12, "lmmi12", "mathit", "cmmi12"),
    ("LETTERS", 8, "lmmi8", "mathit", "cmmi8"),
    ("LETTERS", 6, "lmmi6", "mathit", "cmmi6"),
    ("SYMBOLS", 12, "lmsy10", "mathsy", "cmsy10"),
    ("SYMBOLS", 8, "lmsy8", "mathsy", "cmsy8"),
    ("SYMBOLS", 6, "lmsy6", "mathsy", "cmsy6"),
    ("LARGE", 12, "lmex10", "mathex", "cmex10"),
    ("LARGE", 8, "lmex10", "mathex", "cmex8"),
    ("LARGE", 6, "lmex10", "mathex", "cmex7"),
    ("BOLD", 12, "lmbx12", "rm", "cmbx12"),
    ("BOLD", 8, "lmbx8", "rm", "cmbx8"),
    ("BOLD", 6, "lmbx6", "rm", "cmbx6"),
    ("LETTERS_BOLD", 12, "lmmib10", "mathit", "cmmib10"),
    ("SYMBOLS_BOLD", 12, "lmbsy10", "mathsy", "cmbsy10"),
    ("ROMAN_ITALIC", 12, "lmri12", "rm", "cmti12"),
    ("ROMAN_ITALIC", 8, "lmri8", "rm", "cmti8"),
    ("ROMAN_ITALIC", 6, "lmri7", "rm", "cmti7"),
    ("SANS", 12, "lmss12", "rm", "cmss12"),
    ("SANS", 8, "lmss8", "rm", "cmss8"),
    ("SANS", 6, "lmss8", "rm", "cmss8"),
    ("MONO", 12, "lmtt12", "rmtt", "cmtt12"),
    ("MONO", 8, "lmtt8", "rmtt", "cmtt8"),
    ("MONO", 6, "lmtt8", "rmtt", "cmtt8"),
    ("AMS_A", 12, "msam10", "bakoma", "msam10"),
    ("AMS_A", 8, "msam10", "bakoma", "msam10"),
    ("AMS_A", 6, "msam10", "bakoma", "msam7"),
    ("AMS_B", 12, "msbm10", "bakoma", "msbm10"),
    ("AMS_B", 8, "msbm10", "bakoma", "msbm10"),
    ("AMS_B", 6, "msbm10", "bakoma", "msbm7"),
    ("FRAKTUR", 12, "eufm10", "bakoma", "eufm10"),
    ("FRAKTUR", 8, "eufm10", "bakoma", "eufm10"),
    ("FRAKTUR", 6, "eufm10", "bakoma", "eufm7"),
]
LM = Path("/usr/share/texmf/fonts")
LYX = Path("/usr/share/fonts/truetype/lyx")

# Differences of sizes below this, in multiples of 2^-20 of the font's size, are left out.
SAME = 30

HEAD = """\
# Where Computer Modern, which the official programs of CDM draw, differs from Latin Modern; written
# by computer_modern.py, turned into C by computer_modern_tables.py. Dimensions are facts of the
# fonts, which have no program or outline in this file.
#
# box: width, height, depth and italic correction, in multiples of 2^-20 of the size
# params: the font's parameters from 1 on
# 200, 300: the pixels that ghostscript touches at that resolution, smooth at 200 dpi, from the
#      character's reference point, y downwards: first and last column, first and last row
#
#font\tsize\tcode\twhat\tvalues
"""

Box = tuple[float, float, float, float]
Pixels = tuple[int, ...]


def find(name: str) -> str:
    """Where TeX has a file."""
    return subprocess.check_output(["kpsewhich", name], text=True).strip()


def read_tfm(name: str) -> tuple[tuple[int, ...], dict[int, tuple[int, ...]]]:
    """Return (parameters, {code: (width, height, depth, italic)})."""
    data = Path(find(name + ".tfm")).read_bytes()
    words = struct.unpack(f">{len(data) // 4}i", data)
    _, lh, bc, ec, *lengths = struct.unpack(">12H", data[:24])
    at = 6 + lh + ec - bc + 1
    tables = []
    for n in lengths:
        tables.append(words[at : at + n])
        at += n
    width, height, depth, italic, *_, params = tables
    boxes = {}
    for code, info in enumerate(words[6 + lh : 6 + lh + ec - bc + 1], bc):
        w, hd, it, _ = struct.pack(">i", info)
        if w != 0 and code < 128:
            boxes[code] = (width[w], height[hd >> 4], depth[hd & 15], italic[it >> 2])
    return params, boxes


def bakoma_boxes(font: str) -> dict[int, Box]:
    """Return those of a TrueType font of BaKoMa, which moves the control codes up."""
    face = TTFont(LYX / f"{font}.ttf")
    glyphs, unit, boxes = face.getGlyphSet(), face["head"].unitsPerEm / 1000, {}
    names = {code & 0xFF: name for code, name in face["cmap"].tables[0].cmap.items()}
    for code in range(128):
        moved = 0xA1 + code if code < 0x0A else 0xA3 + code if code <= 0x20 else code
        name = names.get(0xC4 if code == 0x7F else moved)
        if name is not None:
            pen = BoundsPen(glyphs)
            glyphs[name].draw(pen)
            boxes[code] = pen.bounds and tuple(value / unit for value in pen.bounds)
    return {code: box for code, box in boxes.items() if box}


def outline_boxes(font: str, encoding: str) -> dict[int, Box]:
    """Return {code: (x0, y0, x1, y1)} in thousandths of the size."""
    if encoding == "bakoma":
        return bakoma_boxes(font)
    text = re.sub("%.*", "", (LM / f"enc/dvips/lm/lm-{encoding}.enc").read_text())
    names = re.findall(r"/([^\s/\[\]]+)", text[text.index("[") :])
    face = T1Font(LM / f"type1/public/lm/{font}.pfb")
    face.parse()
    glyphs = face.getGlyphSet()
    boxes = {}
    for code, name in enumerate(names[:128]):
        if name in glyphs:
            pen = BoundsPen(glyphs)
            glyphs[name].draw(pen)
            boxes[code] = pen.bounds
    return {code: box for code, box in boxes.items() if box}


def smooth_span(start: float, end: float) -> tuple[int, int]:
    """Return the first and the last pixel of which one of 4 x 4 samples is covered."""
    return floor(ceil(start * 4 - 0.55) / 4), floor(floor(end * 4 - 0.45) / 4)


def centers_span(start: float, end: float) -> tuple[int, int]:
    """Return the pixels whose center is covered, and at least one."""
    first, last = ceil(start - 0.5), ceil(end - 0.5) - 1
    return (first, last) if first <= last else (floor((start + end) / 2),) * 2


def outline_pixels(box: Box, size: int, dpi: int) -> Pixels:
    """Return what page.c makes of an outline."""
    span = smooth_span if dpi == 200 else centers_span
    em = size * dpi / 72.27 / 1000
    return (*span(box[0] * em, box[2] * em), *span(-box[3] * em, -box[1] * em))


def draw(font: str, size: int, dpi: int, folder: Path) -> numpy.ndarray:
    """Return the drawn page: character n is in column n % 16 and row n / 16 of cells of an inch."""
    page = ["\\batchmode\\pdfhorigin=0pt\\pdfvorigin=0pt\\pdfpagewidth=16in\\pdfpageheight=8in",
            f"\\font\\f={font} at {size}pt\\setbox0=\\vbox to 8in{{\\offinterlineskip"]  # fmt: skip
    for row in range(8):
        cells = "".join(f"\\rlap{{\\kern{72.27 * (column + 0.3):.5f}pt\\char{16 * row + column}}}"
                        for column in range(16))  # fmt: skip
        page.append(
            f"\\vbox to 0pt{{\\kern{72.27 * (row + 0.3):.5f}pt"
            f"\\setbox1=\\hbox{{\\f{cells}}}\\ht1=0pt\\dp1=0pt\\box1\\vss}}"
        )
    page.append("\\vss}\\shipout\\box0\\end")
    (folder / "page.tex").write_text("\n".join(page))
    subprocess.run(["pdftex", "page"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    device = ["-sDEVICE=pngalpha", "-dTextAlphaBits=4", "-dGraphicsAlphaBits=4"]
    subprocess.run(["gs", "-q", "-dBATCH", "-dNOPAUSE", "-dAlignToPixels=0", "-dGridFitTT=2",
                    *(device if dpi == 200 else ["-sDEVICE=png16m"]), f"-r{dpi}",
                    "-sOutputFile=page.png", "page.pdf"], cwd=folder, check=True)  # fmt: skip
    picture = numpy.array(Image.open(folder / "page.png"))
    return picture[..., 3] > 0 if dpi == 200 else (picture < 255).any(-1)


def measured_pixels(font: str, size: int, dpi: int, folder: Path) -> dict[int, Pixels]:
    """Return {code: (first column, last column, first row, last row)}."""
    ink, origin, pixels = draw(font, size, dpi, folder), round(0.3 * dpi), {}
    for code in range(128):
        row, column = divmod(code, 16)
        cell = ink[row * dpi : (row + 1) * dpi, column * dpi : (column + 1) * dpi]
        rows, columns = numpy.nonzero(cell)
        if len(rows):
            pixels[code] = tuple(
                int(value) - origin
                for value in (columns.min(), columns.max(), rows.min(), rows.max())
            )
    return pixels


def write_font(font: str, size: int, designs: tuple[str, str, str], folder: Path) -> None:
    """Write the rows of one font."""

    def write(code: str, what: object, values: Iterable[int]) -> None:
        print(font, size, code, what, *values, sep="\t")

    lm, encoding, cm = designs
    params, boxes = read_tfm(cm)
    lm_params, lm_boxes = params, boxes
    if encoding != "bakoma":
        lm_params, lm_boxes = read_tfm(("rm-" if encoding.startswith("rm") else "") + lm)
    if any(abs(a - b) > SAME for a, b in zip(lm_params, params, strict=False)):
        write("-", "params", params)
    for code, box in boxes.items():
        if max(abs(a - b) for a, b in zip(box, lm_boxes[code], strict=True)) > SAME:
            write(f"{code:02X}", "box", box)
    outlines = outline_boxes(lm, encoding)
    for dpi in (200, 300):
        for code, pixels in measured_pixels(cm, size, dpi, folder).items():
            if pixels != outline_pixels(outlines[code], size, dpi):
                write(f"{code:02X}", dpi, pixels)


def main() -> None:
    """Write the table."""
    print(HEAD, end="")
    with tempfile.TemporaryDirectory() as folder:
        for font in FONTS:
            write_font(font[0], font[1], font[2:], Path(folder))


main()
