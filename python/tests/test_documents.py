"""Every block of Python in README.md and the how-to pages runs, from the top of a page to its end.

They run in a folder that has the files which the pages name; tests/run_documents.py writes it, and
runs the commands.
"""

import importlib
import re
import sys
import types
import warnings

import pytest
from conftest import ROOT

sys.path.append(str(ROOT / "tests"))
import run_documents

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCKS = {
    page: re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.S | re.M)
    for page in PAGES
}
PAGES = [page for page in PAGES if BLOCKS[page]]

# Large libraries that a page shows for those who have them; ./dev check integrations tests them.
FOREIGN = ("pandas", "pyspark")


class Trainer:
    """What a page needs of TRL's: it calls the rewards as TRL does."""

    def __init__(self, model, reward_funcs, train_dataset, args=None):
        rewards = reward_funcs(
            completions=[row["prediction"] for row in train_dataset],
            ground_truth=[row["reference"] for row in train_dataset],
            prompts=["?"] * len(train_dataset),
            completion_ids=[[1]] * len(train_dataset),
        )
        assert rewards == [1.0, 0.0]


@pytest.fixture
def home(tmp_path, monkeypatch):
    run_documents.write_files(tmp_path, ROOT)
    monkeypatch.chdir(tmp_path)
    trl = types.ModuleType("trl")
    trl.GRPOTrainer = Trainer
    monkeypatch.setitem(sys.modules, "trl", trl)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_blocks_of_a_page_run(page, home):
    """Names that a trainer's program has are given; all others the page makes itself."""
    data = [
        {"reference": "x^2", "prediction": "$x^2$"},
        {"reference": "x^2", "prediction": "no idea"},
    ]
    names = {"model": None, "data": data, "config": None}
    ran = 0
    for number, block in enumerate(BLOCKS[page], start=1):
        if any(re.search(rf"^(import|from) {name}\b", block, re.M) for name in FOREIGN):
            try:
                importlib.import_module(FOREIGN[1])
            except ImportError:
                continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(block, f"{page.name}, block {number}", "exec"), names)
        ran += 1
    assert ran >= len(BLOCKS[page]) - 1


def test_the_first_pages_are_among_them():
    assert {"README", "python", "rewards"} <= {page.stem for page in PAGES}
    assert sum(map(len, BLOCKS.values())) >= 12


def test_comments_that_show_a_value_are_right(home):
    """A line that ends in `# (` or `# [` shows what it gives."""
    page = ROOT / "docs/how-to/python.md"
    names = {}
    for block in BLOCKS[page][:2]:
        exec(block, names)
        for line, shown in re.findall(r"^([^#\n=]+?) +# ([(\[][^#\n]*[)\]])", block, re.M):
            assert eval(line, names) == eval(shown), line
