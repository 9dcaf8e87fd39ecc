#!/usr/bin/env python3
"""Runs the code of a notebook without Jupyter and writes the outputs into it.

Usage: run_notebook.py NOTEBOOK [--check]

An output is what the last line of a cell gives and what the cell prints. --check writes nothing: it
fails where a cell does, or gives outputs of other kinds than those that are stored. Numbers are not
compared, as they change with the metrics' versions; run it without --check then.
"""

import ast
import contextlib
import io
import json
import os
import pathlib
import sys


def run_cell(source, space):
    """Run a cell; its outputs in the notebook format."""
    tree = ast.parse(source)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), space)
        value = eval(compile(last, "<cell>", "eval"), space) if last is not None else None
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream",
                        "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        for kind, method in (("text/html", "_repr_html_"), ("image/svg+xml", "_repr_svg_")):
            if hasattr(value, method):
                data[kind] = getattr(value, method)().splitlines(keepends=True)
        outputs.append({"data": data, "execution_count": None, "metadata": {},
                        "output_type": "execute_result"})
    return outputs


def kinds(outputs):
    return [(output["output_type"], sorted(output.get("data", []))) for output in outputs]


def main():
    path = pathlib.Path(sys.argv[1]).resolve()
    notebook = json.loads(path.read_text(encoding="utf-8"))
    space, differ = {}, []
    os.chdir(path.parent)
    for number, cell in enumerate(notebook["cells"], 1):
        if cell["cell_type"] != "code":
            continue
        outputs = run_cell("".join(cell["source"]), space)
        if kinds(outputs) != kinds(cell["outputs"]):
            differ.append(number)
        cell["outputs"] = outputs
    if "--check" in sys.argv:
        if differ:
            sys.exit(f"{path.name}: outputs of other kinds than those stored: cells {differ}")
        return
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
