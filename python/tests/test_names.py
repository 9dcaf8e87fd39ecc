"""What the library says, in the words of Python."""

import pytest
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
