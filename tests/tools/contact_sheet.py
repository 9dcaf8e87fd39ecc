#!/usr/bin/env python3
"""Draw every construct of tests/tools/constructs.tsv beside pdflatex's drawing of it.

usage: contact_sheet.py TEXGAUGE FOLDER [FILE]

FILE is another list of the same form. Writes FOLDER/constructs-1.png and so on, ROWS rows each: number and source, our drawing, TeX's. Where
TeX has no such construct its half says so. Needs pdflatex, pdftocairo and Pillow (Debian:
python3-pil); only developers run it.
"""
import io
import pathlib
import subprocess
import sys
import tempfile

from PIL import Image, ImageDraw, ImageFont

import tex_positions

DPI = 110
ROWS = 33
COLUMN_PX = 560
SOURCE_PX = 18
GAP_PX = 8
LEVELS = 32  # of gray or color: small files
SOURCE_FONT = "/usr/share/texmf/fonts/opentype/public/lm/lmmono10-regular.otf"


def ours(texgauge, formula, folder):
    """Our drawing on white."""
    path = folder / "ours.png"
    subprocess.run([texgauge, "render", "-o", path, "--dpi", str(DPI), "--", formula],
                   check=True, stderr=subprocess.DEVNULL)  # fmt: skip
    return Image.open(io.BytesIO(path.read_bytes())).convert("RGB")


def ink(image):
    """The box around what is not white, with a little room."""
    box = image.convert("L").point(lambda value: 255 if value < 250 else 0).getbbox()
    box = box or (0, 0, 1, 1)
    return (box[0] - 2, box[1] - 2, box[2] + 2, box[3] + 2)


def of_tex(folder, page):
    png = tex_positions.read_page(folder, page, "-png", "-singlefile", "-r", str(DPI))
    return Image.open(io.BytesIO(png)).convert("RGB")


def row(construct, left, right, font):
    """One construct: source above, the drawings below, cropped to their ink."""
    pictures = [picture.crop(ink(picture)) if picture else None for picture in (left, right)]
    height = max(picture.height for picture in pictures if picture)
    image = Image.new("RGB", (2 * COLUMN_PX, SOURCE_PX + height + GAP_PX), "white")
    draw = ImageDraw.Draw(image)
    draw.text((4, 2), f"{construct.number}  {construct.formula}", fill=(0, 60, 160), font=font)
    for k, picture in enumerate(pictures):
        if picture:
            image.paste(picture, (k * COLUMN_PX + 8, SOURCE_PX))
        else:
            draw.text((COLUMN_PX + 8, SOURCE_PX), "(not in TeX's run)", fill="gray", font=font)
    draw.line((0, image.height - 1, image.width, image.height - 1), fill=(210, 210, 210))
    return image


def save(rows, path):
    sheet = Image.new("RGB", (2 * COLUMN_PX, sum(image.height for image in rows)), "white")
    y = 0
    for image in rows:
        sheet.paste(image, (0, y))
        y += image.height
    sheet.quantize(LEVELS, dither=Image.Dither.NONE).save(path, optimize=True)


def main():
    texgauge, out = sys.argv[1], pathlib.Path(sys.argv[2])
    constructs = list(tex_positions.constructs(*sys.argv[3:]))
    font = ImageFont.truetype(SOURCE_FONT, 13)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        known = [c for c in constructs if c.tex is not None]
        tex_positions.ship_pages(folder, [c.tex for c in known], tex_positions.MORE_PACKAGES)
        pages = {c.number: page for page, c in enumerate(known, 1)}
        rows = [
            row(c, ours(texgauge, c.formula, folder),
                of_tex(folder, pages[c.number]) if c.number in pages else None, font)
            for c in constructs
        ]  # fmt: skip
    for i in range(0, len(rows), ROWS):
        save(rows[i : i + ROWS], out / f"constructs-{i // ROWS + 1}.png")


main()
