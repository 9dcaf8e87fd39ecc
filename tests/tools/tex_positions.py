"""Where pdfTeX puts the ink of formulas: the box of every glyph and rule, read from its PDF.

Needs pdflatex with amsmath, amssymb, upgreek and lmodern, and poppler's pdftocairo; only developers
use it. The fonts are Latin Modern with the extension font scaled to the size, as amsmath scales it.
"""
import collections
import pathlib
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree

PREAMBLE = r"""\documentclass[12pt]{article}
\usepackage{lmodern}
\usepackage{amsmath,upgreek,amssymb,xcolor}
\DeclareFontFamily{OMX}{lmex}{}
\DeclareFontShape{OMX}{lmex}{m}{n}{<->lmex10}{}
"""

# Further packages that the list of constructs needs.
MORE_PACKAGES = r"""\let\plainover\overbrace \let\plainunder\underbrace
\usepackage{mathtools,mathrsfs,cancel,extarrows}
\usepackage[only,llbracket,rrbracket]{stmaryrd}
\usepackage[version=4]{mhchem}
\let\overbrace\plainover \let\underbrace\plainunder % mathtools moves them
"""

# Magnified, because poppler rounds outlines to 1/64 of a point.
MAGNIFICATION = 8
MARGIN_PT = 200
ROOM_PT = 1400  # room at the right, too, because \rlap sets long things beside their box
BP_PER_PT = 72 / 72.27
PX_PER_BP = 200 / 72

# A page a formula; the margin keeps ink that sticks out of its box on the page.
SHIP_OUT = r"""\pdfhorigin=0pt \pdfvorigin=0pt \hoffset=%dpt \voffset=%dpt
\newbox\B \newwrite\W \immediate\openout\W=out.txt
\def\ship#1{\setbox\B\hbox{$\displaystyle #1$}\immediate\write\W{\number\ht\B}%%
  \pdfpagewidth=\wd\B \advance\pdfpagewidth %dpt
  \pdfpageheight=\ht\B \advance\pdfpageheight\dp\B \advance\pdfpageheight %dpt
  \shipout\box\B}
\begin{document}
""" % (MARGIN_PT, MARGIN_PT, ROOM_PT, ROOM_PT)

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
NUMBER = re.compile(r"-?[\d.]+(?:e-?\d+)?")


Construct = collections.namedtuple("Construct", "number group formula tex")


def constructs(path=None):
    """The rows of constructs.tsv or of another file of its form; tex is what TeX sets in place of
    the formula, None: nothing."""
    path = path or pathlib.Path(__file__).with_name("constructs.tsv")
    lines = pathlib.Path(path).read_text().splitlines()
    for number, line in enumerate(lines[1:], 1):
        group, formula, tex = (line + "\t").split("\t")[:3]
        yield Construct(number, group, formula, None if tex == "-" else tex or formula)


def available():
    return all(shutil.which(program) for program in ("pdflatex", "pdftocairo"))


def cubic_range(a, b, c, d):
    """The least and the greatest value of a Bezier curve in one dimension."""
    values = [a, d]
    # the derivative / 3: k2 t^2 + k1 t + k0
    k2, k1, k0 = -a + 3 * b - 3 * c + d, 2 * (a - 2 * b + c), b - a
    if abs(k2) < 1e-12:
        roots = [-k0 / k1] if abs(k1) > 1e-12 else []
    else:
        square = k1 * k1 - 4 * k2 * k0
        roots = [(-k1 + s * square**0.5) / (2 * k2) for s in (-1, 1)] if square >= 0 else []
    for t in roots:
        if 0 < t < 1:
            u = 1 - t
            values.append(a * u**3 + 3 * b * u * u * t + 3 * c * u * t * t + d * t**3)
    return min(values), max(values)


def path_box(data):
    """The ink of a path of M, L, C and Z, or None when it is empty."""
    xs, ys = [], []
    point = (0.0, 0.0)
    drawn = False
    for command, text in re.findall(r"([MLCZ])([^MLCZ]*)", data):
        v = [float(number) for number in NUMBER.findall(text)]
        if command == "C":
            for k in range(0, len(v), 6):
                for axis, extent in ((0, xs), (1, ys)):
                    extent.extend(cubic_range(point[axis], *v[k + axis : k + 6 : 2]))
                point = (v[k + 4], v[k + 5])
                drawn = True
        elif command in "ML":
            if command == "L":
                xs += [point[0], v[0]]
                ys += [point[1], v[1]]
                drawn = True
            point = (v[0], v[1])
    return (min(xs), min(ys), max(xs), max(ys)) if drawn else None


def stroked_box(box, element):
    """The ink of a straight stroke without caps: pdfTeX's way to draw a thin rule."""
    half = float(element.get("stroke-width")) / 2
    x0, y0, x1, y1 = box
    if x1 - x0 > y1 - y0:
        box = (x0, y0 - half, x1, y1 + half)
    else:
        box = (x0 - half, y0, x1 + half, y1)
    matrix = [float(number) for number in NUMBER.findall(element.get("transform", ""))]
    if matrix:
        a, b, c, d, e, f = matrix
        corners = [(a * x + c * y + e, b * x + d * y + f) for x in box[::2] for y in box[1::2]]
        box = (min(x for x, _ in corners), min(y for _, y in corners),
               max(x for x, _ in corners), max(y for _, y in corners))  # fmt: skip
    return box


def attributes_from_style(root):
    """Older poppler writes presentation attributes as a style."""
    for element in root.iter():
        for pair in element.get("style", "").split(";"):
            name, _, value = pair.partition(":")
            if value:
                element.set(name.strip(), value.strip())


def ink_boxes(svg):
    """Every glyph and rule of a page with ink, in the order of the page, in its points."""
    root = ElementTree.fromstring(svg)
    attributes_from_style(root)
    outlines = {}
    for symbol in root.iter():
        path = symbol.find(SVG + "path")
        if symbol.get("id", "").startswith("glyph") and path is not None:
            outlines["#" + symbol.get("id")] = path_box(path.get("d", ""))
    defined = {id(element) for defs in root.iter(SVG + "defs") for element in defs.iter()}
    for element in root.iter():
        if id(element) in defined:
            continue
        if element.tag == SVG + "use":
            box = outlines[element.get(HREF)]
            if box is not None:
                x, y = float(element.get("x")), float(element.get("y"))
                yield (box[0] + x, box[1] + y, box[2] + x, box[3] + y)
        elif element.tag == SVG + "path":
            box = path_box(element.get("d", ""))
            stroked = element.get("stroke", "none") != "none"
            if box is not None:
                yield stroked_box(box, element) if stroked else box
        elif element.tag == SVG + "rect":
            x, y, w, h = (float(element.get(name, 0)) for name in ("x", "y", "width", "height"))
            yield (x, y, x + w, y + h)


def run_tex(folder, source):
    """Run pdflatex on @source in @folder; returns the lines of its log that report errors."""
    (folder / "a.tex").write_text(source)
    subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "a.tex"],
        cwd=folder, stdout=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    log = (folder / "a.log").read_text(errors="replace")
    return [line for line in log.splitlines() if line.startswith("!")]


def ship_pages(folder, formulas, packages="", magnification=1):
    """Set each formula on a page of a.pdf in @folder; returns the heights of their boxes in sp. TeX
    must not report an error."""
    body = "".join("\\ship{" + formula + "\n}\n" for formula in formulas)
    head = PREAMBLE + packages + f"\\mag={1000 * magnification}\n" + SHIP_OUT
    errors = run_tex(folder, head + body + "\\end{document}\n")
    if errors:
        raise RuntimeError("TeX reports: " + "; ".join(errors[:5]))
    return [int(line) for line in (folder / "out.txt").read_text().split()]


def read_page(folder, page, *options):
    """What pdftocairo makes of a page of a.pdf in @folder."""
    command = ["pdftocairo", *options, "-f", str(page), "-l", str(page), "a.pdf", "-"]
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=True).stdout


def positions(formulas, packages=""):
    """For each formula the ink boxes (x0, y0, x1, y1) of its marks, in px at 200 dpi from the left
    end of its baseline, y downwards."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        heights = ship_pages(folder, formulas, packages, MAGNIFICATION)
        for page, height in enumerate(heights, 1):
            svg = read_page(folder, page, "-svg", "-noshrink", "-nocenter")
            left = MARGIN_PT * BP_PER_PT
            baseline = (MARGIN_PT + height / 65536) * BP_PER_PT
            yield [
                tuple(
                    (value / MAGNIFICATION - origin) * PX_PER_BP
                    for value, origin in zip(box, (left, baseline, left, baseline))
                )
                for box in ink_boxes(svg)
            ]
