"""The check of published wheels finds what it is there to find."""

import shutil
import subprocess
import sys
import zipfile
from importlib import metadata

import pytest
import texgauge
from conftest import ROOT

sys.path.append(str(ROOT / "python"))
check_wheel = pytest.importorskip("check_wheel", reason="not the folder of the sources")

needs_compiler = pytest.mark.skipif(
    not (shutil.which("cc") and shutil.which("readelf")), reason="needs a compiler and readelf"
)


def test_the_package_has_the_version_of_the_sources():
    assert texgauge.__version__ == check_wheel.version() == metadata.version("texgauge")


def shared_object(folder, source, *words):
    path = folder / "made.so"
    command = ["cc", "-shared", "-fPIC", "-nostdlib", "-x", "c", "-", "-o", path, *words]
    subprocess.run(command, input=source.encode(), check=True)
    return path.read_bytes()


@needs_compiler
def test_an_extension_with_its_entry_point_alone_is_good(tmp_path):
    data = shared_object(tmp_path, "int PyInit__core(void) { return 0; }")
    assert check_wheel.faults_of_elf(check_wheel.EXTENSION, data) == []


@needs_compiler
@pytest.mark.parametrize(
    ("source", "words", "fault"),
    [
        ("int g_free(void) { return 0; }", [], "shows g_free"),
        ("int g_free(void) { return 0; }", [], "does not show PyInit__core"),
        ("", ["-Wl,--no-as-needed", "-lstdc++"], "needs libstdc++.so.6"),
        ("", ["-Wl,-rpath,$ORIGIN/lib"], "looks for libraries in folders of its own"),
        ('char path[] = "' + str(ROOT) + '/core";', [], "has the path"),
        (
            "int close_range(int, int, int); int f(void) { return close_range(3, 4, 0); }",
            ["-lc"],
            "needs glibc 2.34",
        ),
    ],
)
def test_a_faulty_extension_is_found(tmp_path, source, words, fault):
    found = check_wheel.faults_of_elf(
        check_wheel.EXTENSION, shared_object(tmp_path, source, *words)
    )
    assert any(fault in one for one in found)


def wheel(path, left_out="", name="", data=b""):
    """A good wheel in all but its program, or one with a fault."""
    version = check_wheel.version()
    base = f"texgauge-{version}.dist-info"
    licenses = ["LICENSE", "NOTICE", "lmodern/copyright", "fonts-lyx/copyright"]
    licenses += [f"{source}/copyright" for source in check_wheel.SOURCES]
    notice = "".join(f"    {source} 1.0\n" for source in check_wheel.SOURCES)
    head = f"Name: texgauge\nVersion: {version}\n"
    head += "".join(f"License-File: {license}\n" for license in licenses)
    tag = path.stem.split("-", 2)[2]
    with zipfile.ZipFile(path, "w") as made:
        made.writestr(f"{base}/METADATA", head)
        made.writestr(f"{base}/WHEEL", f"Wheel-Version: 1.0\nTag: {tag}\n")
        for license in licenses:
            if license != left_out:
                made.writestr(f"{base}/licenses/{license}", notice)
        for part in (check_wheel.EXTENSION, check_wheel.PROGRAM):
            source = "int PyInit__core(void) { return 0; }"
            made.writestr(part, shared_object(path.parent, source))
        if name:
            made.writestr(name, data)
    return path


NAME = "texgauge-{}-cp39-abi3-manylinux_2_28_x86_64.whl"


@needs_compiler
def test_a_good_wheel_has_no_fault(tmp_path):
    path = wheel(tmp_path / NAME.format(check_wheel.version()))
    assert check_wheel.faults(path) == []
    done = subprocess.run([sys.executable, check_wheel.__file__, path], check=False)
    assert done.returncode == 0


@needs_compiler
@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"left_out": "cairo/copyright"}, "no terms of cairo"),
        ({"left_out": "NOTICE"}, "NOTICE does not name glib2.0"),
        ({"name": "texgauge.libs/libz.so.1"}, "is a library that other packages may find"),
    ],
)
def test_a_faulty_wheel_is_found(tmp_path, change, fault):
    path = wheel(tmp_path / NAME.format(check_wheel.version()), **change)
    assert any(fault in one for one in check_wheel.faults(path))
    done = subprocess.run(
        [sys.executable, check_wheel.__file__, path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert fault in done.stderr


@needs_compiler
@pytest.mark.parametrize(
    "name",
    [
        "texgauge-0.9-cp39-abi3-manylinux_2_28_x86_64.whl",
        "texgauge-{}-cp311-cp311-manylinux_2_36_x86_64.whl",
    ],
)
def test_a_wheel_of_another_name_is_found(tmp_path, name):
    path = wheel(tmp_path / name.format(check_wheel.version()))
    assert any("the name is not" in fault for fault in check_wheel.faults(path))


@needs_compiler
def test_a_wheel_that_is_too_large_is_found(tmp_path):
    data = bytes(check_wheel.MAX_SIZE)
    path = wheel(tmp_path / NAME.format(check_wheel.version()), name="texgauge/data", data=data)
    assert "more than 15 MB" in check_wheel.faults(path)
