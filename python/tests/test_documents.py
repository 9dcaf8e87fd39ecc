"""Every block of Python in README.md and the how-to pages runs, from the top of a page to its end.

They run in a folder that has the files which the pages name; tests/run_documents.py writes it, and
runs the commands.
"""

import importlib.util
import re
import subprocess
import sys

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


# The part of TRL that pages use: it calls the rewards as TRL does.
TRL = """
class GRPOTrainer:
    def __init__(self, model, reward_funcs, train_dataset, args=None):
        rewards = reward_funcs(
            completions=[row["prediction"] for row in train_dataset],
            ground_truth=[row["reference"] for row in train_dataset],
            prompts=["?"] * len(train_dataset),
            completion_ids=[[1]] * len(train_dataset),
        )
        assert rewards == [1.0, 0.0]
"""

# Names that a trainer's program defines; a page makes all others itself.
NAMES = """
model = config = None
data = [
    {"reference": "x^2", "prediction": "$x^2$"},
    {"reference": "x^2", "prediction": "no idea"},
]
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    run_documents.write_files(tmp_path, ROOT)
    (tmp_path / "trl.py").write_text(TRL, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def can_run(block):
    imports = re.findall(r"^(?:import|from) (\w+)", block, re.MULTILINE)
    return all(importlib.util.find_spec(name) for name in imports if name in FOREIGN)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_blocks_of_a_page_run(page, home):
    """In a process of its own, because a metric that a page registers stays in its process."""
    blocks = [block for block in BLOCKS[page] if can_run(block)]
    assert len(blocks) >= len(BLOCKS[page]) - 1
    done = subprocess.run(
        [sys.executable, "-c", "\n".join([NAMES, *blocks])],
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


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
