"""What `import texgauge` costs a worker that starts."""

import os
import resource
import subprocess
import sys

import pytest

BOUND = 0.05  # seconds of CPU time


def cpu_seconds(code):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="a sanitizer is loaded")
def test_import_takes_less_than_50_ms():
    """The quickest of 20, without the start of Python itself."""
    bare = min(cpu_seconds("pass") for _ in range(20))
    seconds = min(cpu_seconds("import texgauge") for _ in range(20)) - bare
    print(f"import texgauge: {seconds * 1000:.1f} ms")
    assert seconds < BOUND


def loaded_by(code):
    """Modules outside the standard library that an interpreter has loaded after some code."""
    code += "; import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in done.stdout.split()} - sys.stdlib_module_names


@pytest.mark.skipif(sys.version_info < (3, 10), reason="does not list its standard library")
def test_import_brings_in_no_other_library():
    assert loaded_by("import texgauge") - loaded_by("pass") == {"texgauge"}
