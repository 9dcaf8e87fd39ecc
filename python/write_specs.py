#!/usr/bin/env python3
"""Print src/texgauge/_specs.py: names and options of the metrics as types of Python.

Usage: write_specs.py PROGRAM | ruff format - >python/src/texgauge/_specs.py
"""

import json
import re
import subprocess
import sys

HEAD = '''"""Metrics and their options as types; python/write_specs.py writes this file."""

from __future__ import annotations

from typing import Literal, overload

MetricName = Literal[
    %s,
]
"""The names that `metrics` lists."""

SetName = Literal[
    %s,
]
"""Several metrics that go together."""


class Spec(str):
    """A metric with options, with a label, or of the user's own; `spec` and others make it.

    >>> Spec("bleu2=bleu:order=2") == spec("bleu", label="bleu2", order=2)
    True
    """

    __slots__ = ()

'''

TAIL = '''
def spec(name: str, /, *, label: str | None = None, **options: object) -> Spec:
    """Name a metric with options, for `Metric`, `score`, `evaluate` and all that take metrics.

    ``label`` is what its columns are called after. The options are those of the metric's page, with
    ``_`` for ``-``; what is wrong with one is told by what takes the metric.

    >>> spec("bleu", order=2, smooth="nltk4", label="bleu2")
    'bleu2=bleu:order=2:smooth=nltk4'
    """
    written = {True: "yes", False: "no"}
    words = [f"{label}={name}" if label else name]
    for option, value in options.items():
        text = written[value] if isinstance(value, bool) else str(value)
        words.append(f"{option.replace('_', '-')}={text}")
    return Spec(":".join(words))
'''

KINDS = {"text": "str", "yes|no": "bool", "integer": "int", "number": "float"}


def quoted(names):
    return ",\n    ".join(f'"{name}"' for name in names)


def kind(option):
    if option["type"] != "choice":
        return KINDS[option["type"]]
    return "Literal[\n" + "".join(f'"{choice}",\n' for choice in option["choices"]) + "]"


def write(metrics, sets):
    """Return the module's text, which ruff then formats."""
    text = HEAD % (quoted(metric["name"] for metric in metrics), quoted(sets))
    for metric in metrics:
        options = "".join(
            f"    {option['name'].replace('-', '_')}: {kind(option)} = ...,\n"
            for option in metric["options"]
        )
        text += f"""
@overload
def spec(
    name: Literal["{metric["name"]}"],
    /,
    *,
    label: str | None = None,
{options}) -> Spec: ...
"""
    return text + TAIL


def registry(program):
    """Return the metrics and the names of the sets, as the program lists them."""

    def run(*words):
        return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout

    sets = re.findall(r"^ {4}([\w-]+)", run("metrics").partition("\nsets:")[2], re.MULTILINE)
    return json.loads(run("metrics", "--json")), sets


if __name__ == "__main__":
    print(write(*registry(sys.argv[1])), end="")
