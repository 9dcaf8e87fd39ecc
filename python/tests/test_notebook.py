"""The notebook of the documentation shows what the package does."""

import json
import subprocess
import sys

from conftest import ROOT

EXAMPLES = ROOT / "docs/examples"


def check(notebook):
    words = [sys.executable, EXAMPLES / "run_notebook.py", notebook, "--check"]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_every_cell_runs():
    done = check(EXAMPLES / "evaluate.ipynb")
    assert done.returncode == 0, done.stderr


def test_other_outputs_are_noticed(tmp_path):
    notebook = json.loads((EXAMPLES / "evaluate.ipynb").read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"][:1]
    cells[0]["outputs"] = []
    path = tmp_path / "changed.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    assert "other kinds" in check(path).stderr
