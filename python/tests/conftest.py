"""What all tests share: the sample pairs, and the command line program beside the package."""

import json
import os
import pathlib
import shutil
import signal
import subprocess

import pytest
import texgauge

ROOT = pathlib.Path(__file__).parents[2]
SAMPLES = ROOT / "datasets/samples"


@pytest.fixture(autouse=True, scope="session")
def interruptible():
    """What a shell starts in the background ignores Ctrl-C, which some tests send."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


# The metrics to be compared with the program's, before any test registers one of its own.
METRICS = sorted((os.environ.get("TEXGAUGE_METRICS") or ",".join(texgauge.metrics())).split(","))


@pytest.fixture(scope="session")
def cli():
    """The program, which the package must agree with."""
    program = os.environ.get("TEXGAUGE") or str(ROOT / "build/cli/texgauge")
    if not shutil.which(program):
        assert "TEXGAUGE" not in os.environ, f"TEXGAUGE={program} is no program"
        pytest.skip(f"{program} is not built")

    def run(*words):
        done = subprocess.run([program, *map(str, words)], capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    return run


@pytest.fixture(scope="session")
def unimer():
    """Arguments of `texgauge eval` for the sample of two models on four subsets."""
    words = []
    for subset in ("spe", "cpe", "sce", "hwe"):
        words += ["--gt", SAMPLES / f"unimer_truth_{subset}.txt"]
    for model in ("aster", "birch"):
        for subset in ("spe", "cpe", "sce", "hwe"):
            words += ["--pred", f"{model}={SAMPLES}/unimer_{model}_{subset}.txt"]
    return words


@pytest.fixture(scope="session")
def rows(cli, unimer, tmp_path_factory):
    """Rows of results.jsonl with every metric, as the program writes them.

    The pairs are those of the sample, or those of the file that TEXGAUGE_PAIRS names: 20,000 real
    ones of tests/tools/real_pairs.py, which take ten minutes.
    """
    path = tmp_path_factory.mktemp("cli") / "results.jsonl"
    names = ",".join(METRICS)
    named = os.environ.get("TEXGAUGE_PAIRS")
    cli("eval", "--quiet", "--metrics", names, *([named] if named else unimer), "-o", path)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return lines[1:-1]
