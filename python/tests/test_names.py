"""What the library says, in the words of Python."""

import inspect

import pytest
import texgauge
from texgauge._names import in_python


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("name it: --map gt=A,pred=B", "name it: reference='A', prediction='B'"),
        ("name the field: --mean pages=FIELD", "name the field: mean='pages=FIELD'"),
        ("--clean has no rule 'x'", "clean has no rule 'x'"),
        ("fence, which --clean fences takes off", "fence, which clean='fences' takes off"),
        ("(eval --columns a keeps it)", "(columns=['a'] keeps it)"),
        ("take it as it is with --edited", "take it as it is with edited=True"),
        (
            "scores in these results; --human names them",
            "scores in these results; human names them",
        ),
        ("a list of formulas: --format list)", "a list of formulas: format='list')"),
        ("--by takes subset, model", "by takes subset, model"),
        ("a--b and x -- y", "a--b and x -- y"),
    ],
)
def test_options_are_keywords(said, meant):
    assert in_python(said) == meant


@pytest.mark.parametrize(
    ("call", "old", "new"),
    [
        (texgauge.score, "gt", "reference"),
        (texgauge.score, "references", "reference"),
        (texgauge.Metric("edit").score, "truth", "reference"),
        (texgauge.Metric("edit").batch, "pred", "predictions"),
        (texgauge.Metric("edit").batch, "reference", "references"),
        (texgauge.match, "pred", "prediction"),
        (texgauge.explain, "gt", "reference"),
    ],
)
def test_old_names_say_the_new_ones(call, old, new):
    with pytest.raises(TypeError, match=f"has no argument '{old}'; it is called '{new}'"):
        call(**{old: "x"})


def test_every_public_name_has_an_example():
    names = {name: getattr(texgauge, name) for name in texgauge.__all__}
    names |= {f"rewards.{n}": getattr(texgauge.rewards, n) for n in texgauge.rewards.__all__}
    for name, value in names.items():
        if inspect.isclass(value) or inspect.isroutine(value) or inspect.ismodule(value):
            assert ">>>" in (value.__doc__ or ""), name
