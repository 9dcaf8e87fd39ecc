"""render, match, explain, extract."""

import json
import xml.etree.ElementTree as ET

import pytest
import texgauge

PAIR = {"reference": r"\frac{a}{b}", "prediction": r"\frac{a}{6}"}


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_pictures_are_the_programs(cli, tmp_path, suffix):
    ours, theirs = tmp_path / f"ours.{suffix}", tmp_path / f"theirs.{suffix}"
    texgauge.match(**PAIR, labels="wrong").save(ours)
    cli("explain", "-m", "cdm", *PAIR.values(), "-o", theirs)
    assert ours.read_bytes() == theirs.read_bytes()
    texgauge.explain(**PAIR).save(ours)
    cli("explain", *PAIR.values(), "-o", theirs)
    assert ours.read_bytes() == theirs.read_bytes()
    texgauge.render(PAIR["reference"]).save(ours)
    cli("render", PAIR["reference"], "-o", theirs)
    assert ours.read_bytes() == theirs.read_bytes()


def test_everything_of_a_match_is_drawn_on_request():
    ways = ({}, {"boxes": True}, {"lines": False}, {"tint": True}, {"labels": "all"})
    drawn = {texgauge.match(**PAIR, **how).svg for how in ways}
    assert len(drawn) == len(ways)


def test_pictures_replace_pictures_alone(tmp_path):
    path = tmp_path / "x.svg"
    texgauge.render("x").save(path)
    texgauge.render("y").save(path)
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(texgauge.Error, match="another kind of file"):
        texgauge.render("x").save(path)
    assert path.read_text(encoding="utf-8") == "mine"


def test_data_are_the_programs(cli):
    assert texgauge.explain(**PAIR).data == json.loads(cli("explain", "--json", *PAIR.values()))
    row = json.loads(cli("explain", "-m", "cdm", "--json", *PAIR.values()))
    assert texgauge.match(**PAIR).detail == row["detail"]
    assert texgauge.explain(**PAIR, width=60).text == cli(
        "explain", "--width", "60", *PAIR.values()
    )


def test_notebooks_show_pictures():
    for picture in (texgauge.render("x"), texgauge.match(**PAIR), texgauge.explain(**PAIR)):
        assert ET.fromstring(picture._repr_svg_()).tag.endswith("svg")
        assert picture.png.startswith(b"\x89PNG")


def test_boxes_have_spans_in_bytes():
    boxes = texgauge.render(r"é+\alpha").boxes
    assert [box["token"] for box in boxes] == ["é", "+", r"\alpha"]
    assert [box["span"] for box in boxes] == [(0, 2), (2, 3), (3, 9)]
    assert all(box["box"][0] < box["box"][2] for box in boxes)


def test_a_fault_is_an_error_where_strict():
    assert texgauge.render(r"\frac{a}").svg
    with pytest.raises(texgauge.Error, match="two arguments"):
        texgauge.render(r"\frac{a}", strict=True)


def test_wrong_arguments(tmp_path):
    with pytest.raises(ValueError, match="suffix"):
        texgauge.render("x").save(tmp_path / "x.gif")
    with pytest.raises(texgauge.Error):
        texgauge.render("x", dpi=1e9)
    with pytest.raises(texgauge.Error, match="picture"):
        texgauge.match(**PAIR, metric="bleu").svg  # noqa: B018
    with pytest.raises(ValueError, match="UTF-8"):
        texgauge.explain(reference="a", prediction="\ud800")


def test_match_of_several_references_takes_the_best():
    found = texgauge.match(reference=["x", r"\frac{a}{6}"], prediction=r"\frac{a}{6}")
    assert found.scores["cdm"] == 1
    assert found.detail["reference"] == 1


def test_extract(tmp_path):
    paper = tmp_path / "paper.tex"
    paper.write_text(
        "\\begin{document}\n\\newcommand{\\half}{\\frac12}\n"
        "\\[ \\half + x \\]\n$i$\n\\end{document}\n",
        encoding="utf-8",
    )
    (row,) = texgauge.extract(paper)
    assert (row["line"], row["kind"], row["latex"]) == (3, "display", r"\frac12 + x")
    assert len(texgauge.extract(paper, inline=True)) == 2
    with pytest.raises(texgauge.Error, match=r"none\.tex"):
        texgauge.extract(tmp_path / "none.tex")
