"""Every block of Python in README.md and the how-to pages runs, from the top of a page to its end.

A page runs in the folder that its own first command makes, or in an empty one; README.md in the
clone. tests/run_documents.py runs the commands.
"""

import importlib.util
import re
import subprocess
import sys

import pytest
from conftest import ROOT

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

# A fault behind the last block: a page that runs to its end comes to it, and the test sees it.
PLANTED = "raise RuntimeError('planted')"

# Names that a trainer's program defines; a page makes all others itself.
NAMES = """
model = config = None
data = [
    {"reference": "x^2", "prediction": "$x^2$"},
    {"reference": "x^2", "prediction": "no idea"},
]
"""


def folder_of(page, home):
    """What a reader has who copied the command for files, where the page has one."""
    (home / "texgauge").symlink_to(ROOT)
    made = re.search(
        r"^python3 ~/texgauge/(\S+) ~/(\S+) && cd ~/\2$", page.read_text("utf-8"), re.M
    )
    if made:
        subprocess.run([sys.executable, ROOT / made[1], home / made[2]], check=True)
        home = home / made[2]
    if page == ROOT / "README.md":
        (home / "datasets").symlink_to(ROOT / "datasets")
    (home / "trl.py").write_text(TRL, encoding="utf-8")
    return home


def can_run(block):
    imports = re.findall(r"^(?:import|from) (\w+)", block, re.MULTILINE)
    return all(importlib.util.find_spec(name) for name in imports if name in FOREIGN)


def run(blocks, folder):
    """In a process of its own, because a metric that a page registers stays in its process."""
    return subprocess.run(
        [sys.executable, "-c", "\n".join([NAMES, *blocks, PLANTED])],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_blocks_of_a_page_run(page, tmp_path):
    blocks = [block for block in BLOCKS[page] if can_run(block)]
    assert len(blocks) >= len(BLOCKS[page]) - 1
    done = run(blocks, folder_of(page, tmp_path))
    assert done.stderr.splitlines()[-1:] == ["RuntimeError: planted"], done.stderr


def test_the_first_pages_are_among_them():
    assert {"README", "python", "rewards"} <= {page.stem for page in PAGES}
    assert sum(map(len, BLOCKS.values())) >= 12


def test_comments_that_show_a_value_are_right(tmp_path, monkeypatch):
    """A line that ends in `# (` or `# [` shows what it gives."""
    page = ROOT / "docs/how-to/python.md"
    monkeypatch.chdir(folder_of(page, tmp_path))
    names = {}
    for block in BLOCKS[page][:2]:
        exec(block, names)
        for line, shown in re.findall(r"^([^#\n=]+?) +# ([(\[][^#\n]*[)\]])", block, re.M):
            assert eval(line, names) == eval(shown), line
