"""Build the wheels that are published: for x86-64 and ARM, for every Linux since glibc 2.28.

    wheels.py OUTPUT_FOLDER [ARCHITECTURE...]      (default: x86_64 aarch64)

They need nothing of the system but the C library, and other packages do not see their libraries:
GLib, Cairo and what these need are built from Debian's source packages and linked statically, and
the extension exports its one entry point. The compiler is zig's clang, which brings every version
of the C library for every processor. Built libraries stay in build-wheels/ and are not built
again. Run by `./dev release wheels`, which installs what is needed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping
from pathlib import Path

import fonts

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build-wheels"
ARCHITECTURES = ("x86_64", "aarch64")
GLIBC = "2.28"  # RHEL 8, Debian 10, Ubuntu 20.04 and what is newer
PYTHON = "cp39"  # the oldest, by the limited API
MAX_SIZE = 15_000_000

# Debian's source packages in the order of building, each with the names of their libraries.
SOURCES = {
    "zlib": ("z",),
    "libzstd": ("zstd",),
    "pcre2": ("pcre2-8",),
    "libpng1.6": ("png16",),
    "jansson": ("jansson",),
    "libcsv": ("csv",),
    "freetype": ("freetype",),
    "pixman": ("pixman-1",),
    "cairo": ("cairo",),
    "glib2.0": ("glib-2.0", "gmodule-2.0"),
}
OPTIONS = {
    "pcre2": ("--enable-jit",),
    "freetype": ("--with-bzip2=no", "--with-brotli=no", "--with-harfbuzz=no", "--with-png=no"),
    "pixman": ("-Dgtk=disabled", "-Dlibpng=disabled", "-Dopenmp=disabled", "-Da64-neon=disabled"),
    "cairo": (
        *("--disable-xlib", "--disable-xcb", "--disable-fc", "--disable-gobject", "--disable-ps"),
        *("--disable-script", "--disable-interpreter", "--disable-trace", "--disable-valgrind"),
        *("--enable-pdf", "--enable-svg", "--enable-png", "--enable-ft", "--disable-gtk-doc"),
        "ax_cv_c_float_words_bigendian=no",
    ),
    "glib2.0": (
        *("-Dtests=false", "-Dselinux=disabled", "-Dlibmount=disabled", "-Dxattr=false"),
        *("-Dnls=disabled", "-Dlibelf=disabled", "-Dglib_debug=disabled"),
    ),
}
# GObject, which wants libffi, is not built.
GLIB_TARGETS = ("glib/libglib-2.0.a", "gmodule/libgmodule-2.0.a")

# -ffp-contract=off: the same pictures from both processors.
CFLAGS = ("-O2", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off", "-fno-sanitize=undefined")


def run(*words: str | Path, cwd: Path | None = None, **variables: str) -> str:
    """Run a program and return what it prints; if it fails, show the end of its output and stop."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(f"{done.stdout[-4000:]}\n{' '.join(map(str, words))}: failed")
    return done.stdout


# ---- sources ----


def fetch_sources(folder: Path) -> None:
    """Unpack Debian's source packages, with settings of apt that do not change the system's."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [name for name in SOURCES if not list(folder.glob(f"{name}_*.orig.tar.*"))]
    if not missing:
        return
    (folder / "lists/partial").mkdir(parents=True, exist_ok=True)
    (folder / "cache/archives/partial").mkdir(parents=True, exist_ok=True)
    key = "[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
    mirror = os.environ.get("MIRROR", "http://deb.debian.org")
    (folder / "sources.list").write_text(
        f"deb-src {key} {mirror}/debian bookworm main\n"
        f"deb-src {key} {mirror}/debian-security bookworm-security main\n"
    )
    apt = (
        "apt-get",
        *("-qq", "-o", f"Dir::State::lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache"),
        *(
            "-o",
            f"Dir::Etc::SourceList={folder}/sources.list",
            "-o",
            "Dir::Etc::SourceParts=/dev/null",
        ),
        *("-o", "APT::Sandbox::User=root"),
    )
    run(*apt, "update")
    for name in missing:
        # A mirror may be without the newest security update, and now and then without a patch: the
        # point release then, or what its authors released.
        for words in ([name], [f"{name}/bookworm"], ["--tar-only", f"{name}/bookworm"]):
            command = [*apt, "source", "--download-only", *words]
            if (
                subprocess.run(command, cwd=folder, check=False, capture_output=True).returncode
                == 0
            ):
                break
            for file in folder.glob(f"{name}_*"):
                file.unlink()
        else:
            sys.exit(f"the source package {name} cannot be fetched")


def description_of(name: str, sources: Path) -> Path | None:
    """Return the .dsc of a source package, or None if it has no changes of Debian's."""
    return next(sources.glob(f"{name}_*.dsc"), None)


def unpack(name: str, sources: Path, place: Path) -> Path:
    """Unpack a source package with Debian's changes."""
    shutil.rmtree(place, ignore_errors=True)
    description = description_of(name, sources)
    if description is not None:
        run("dpkg-source", "--no-check", "--no-copy", "-x", description, place)
    else:
        place.mkdir(parents=True)
        [archive] = sources.glob(f"{name}_*.orig.tar.*")
        run("tar", "-xf", archive, "-C", place, "--strip-components=1")
    return place


def version_of(name: str, sources: Path) -> str:
    """Return the version of a source package that was fetched."""
    description = description_of(name, sources)
    if description is None:
        [archive] = sources.glob(f"{name}_*.orig.tar.*")
        return archive.name.partition("_")[2].partition(".orig")[0]
    match = re.search(r"^Version: (.*)$", description.read_text(), re.MULTILINE)
    assert match is not None
    return match[1]


# ---- libraries ----


class Target:
    """The folders and tools for one processor."""

    system = "linux"
    flags = CFLAGS
    options: Mapping[str, tuple[str, ...]] = OPTIONS

    def __init__(self, architecture: str) -> None:
        self.architecture = architecture
        self.folder = WORK / architecture
        self.prefix = self.folder / "prefix"
        self.cross = self.folder / "cross.ini"
        self.cc = self.folder / "bin/cc"
        self.write_tools()
        self.variables = {
            **{tool.upper(): str(self.folder / "bin" / tool) for tool in ("cc", "ar", "ranlib")},
            "CFLAGS": " ".join(self.flags),
            "CPPFLAGS": f"-I{self.prefix}/include",
            "LDFLAGS": f"-L{self.prefix}/lib",
            "PKG_CONFIG_LIBDIR": f"{self.prefix}/lib/pkgconfig",
            "PKG_CONFIG_PATH": "",
        }

    @property
    def host(self) -> str:
        """The name of the processor for configure."""
        return f"{self.architecture}-linux-gnu"

    def tools(self) -> dict[str, str]:
        """Return the scripts that stand for the compiler and its tools."""
        import ziglang  # noqa: PLC0415 # those who only look at wheels do without it

        zig = Path(ziglang.__file__).with_name("zig")
        commands = {
            # Published files must not contain paths of this machine.
            "cc": f"cc -target {self.host}.{GLIBC} -ffile-prefix-map={ROOT}/=",
            "ar": "ar",
            "ranlib": "ranlib",
        }
        return {
            name: f'#!/bin/sh\nexec {zig} {command} "$@"\n' for name, command in commands.items()
        }

    def prepare(self, name: str, place: Path) -> None:
        """Change an unpacked source package before it is built."""

    def write_tools(self) -> None:
        """Write the scripts that stand for the compiler and its tools, and meson's cross file."""
        tools = self.folder / "bin"
        tools.mkdir(parents=True, exist_ok=True)
        for name, script in self.tools().items():
            tool = tools / name
            tool.write_text(script)
            tool.chmod(0o755)
        flags = ", ".join(f"'{flag}'" for flag in self.flags)
        self.cross.write_text(
            "[binaries]\n"
            + "".join(
                f"{tool} = '{tools / name}'\n"
                for tool, name in (("c", "cc"), ("ar", "ar"), ("ranlib", "ranlib"))
            )
            + "strip = 'true'\npkg-config = 'pkg-config'\n"
            f"python = '{sys.executable}'\n"
            "[properties]\n"
            f"pkg_config_libdir = '{self.prefix}/lib/pkgconfig'\n"
            "have_c99_vsnprintf = true\nhave_c99_snprintf = true\nhave_unix98_printf = true\n"
            "have_proc_self_cmdline = true\n"
            "[built-in options]\n"
            "default_library = 'static'\nprefer_static = true\nbuildtype = 'release'\n"
            "optimization = '2'\n"
            f"c_args = [{flags}, '-I{self.prefix}/include']\n"
            f"c_link_args = ['-L{self.prefix}/lib', '-s']\n"
            "[host_machine]\n"
            f"system = '{self.system}'\ncpu_family = '{self.architecture}'\n"
            f"cpu = '{self.architecture}'\nendian = 'little'\n"
        )

    def make(self, place: Path, *words: str) -> None:
        """Run make with this target's tools."""
        run("make", "-s", f"-j{os.cpu_count()}", *words, cwd=place, **self.variables)

    def meson(self, place: Path, *options: str) -> Path:
        """Configure by meson, and return the folder of the build."""
        run(
            "meson",
            "setup",
            "build",
            f"--cross-file={self.cross}",
            "--libdir=lib",
            *options,
            cwd=place,
        )
        return place / "build"

    def build(self, name: str, place: Path) -> None:
        """Build one library and install it into the prefix."""
        options = self.options.get(name, ())
        if name == "zlib":
            run("./configure", "--static", f"--prefix={self.prefix}", cwd=place, **self.variables)
            self.make(place, "libz.a", "install")
        elif name == "libzstd":
            parts = ("install-static", "install-includes", "install-pc")
            self.make(
                place / "lib",
                f"PREFIX={self.prefix}",
                *(f"{key}={self.variables[key]}" for key in ("CC", "AR", "CFLAGS")),
                *parts,
            )
        elif name == "pixman":
            run("ninja", "install", cwd=self.meson(place, f"--prefix={self.prefix}", *options))
        elif name == "glib2.0":
            self.build_glib(place)
        else:
            if not (place / "configure").exists():
                run("autoreconf", "-fi", cwd=place)
            for old in place.rglob("config.sub"):  # may be too old to know the processor
                shutil.copy("/usr/share/misc/config.sub", old)
            run(
                "./configure",
                f"--host={self.host}",
                f"--prefix={self.prefix}",
                "--enable-static",
                "--disable-shared",
                "--disable-dependency-tracking",
                *options,
                cwd=place,
                **self.variables,
            )
            # Debian's changes leave configure older than what it is made of, which does not matter.
            kept = [f"{tool}=:" for tool in ("ACLOCAL", "AUTOCONF", "AUTOHEADER", "AUTOMAKE")]
            # Cairo's programs and tests are not wanted.
            part = place / ("src" if name == "cairo" else ".")
            self.make(part, *kept)
            self.make(part, *kept, "install")

    def build_glib(self, place: Path) -> None:
        """Build GLib and GModule alone, and install them by hand."""
        pretended = self.prefix / "lib/pkgconfig/libffi.pc"
        pretended.write_text("Name: libffi\nDescription: not used\nVersion: 3.4.4\nLibs:\n")
        build = self.meson(
            place, "--prefix=/usr", *self.options["glib2.0"]
        )  # remembered for translations
        pretended.unlink()
        run("ninja", *GLIB_TARGETS, cwd=build)
        for target in GLIB_TARGETS:
            shutil.copy(build / target, self.prefix / "lib")
        include = self.prefix / "include/glib-2.0"
        for part in ("glib", "gmodule"):
            headers = [
                *(place / part).glob("*.h"),
                *(place / part / "deprecated").glob("*.h"),
                *(build / part).glob("*.h"),
            ]
            for header in headers:
                relative = header.relative_to(build if build in header.parents else place)
                (include / relative).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(header, include / relative)
        for header in (*(place / "glib").glob("glib*.h"), *(place / "gmodule").glob("gmodule.h")):
            shutil.copy(header, include)
        shutil.copy(build / "glib/glibconfig.h", include)
        for name in ("glib-2.0", "gmodule-no-export-2.0"):
            text = (build / f"meson-private/{name}.pc").read_text()
            text = re.sub(r"-I\$\{libdir\}/glib-2.0/include", "", text)
            text = re.sub(r"^prefix=.*", f"prefix={self.prefix}", text)
            (self.prefix / f"lib/pkgconfig/{name}.pc").write_text(text)

    def libraries(self, sources: Path) -> None:
        """Build all libraries that are missing."""
        (self.prefix / "lib/pkgconfig").mkdir(parents=True, exist_ok=True)
        # Its authors give none, and Meson would look for it among the libraries of this machine.
        (self.prefix / "lib/pkgconfig/libcsv.pc").write_text(
            f"Name: libcsv\nDescription: CSV\nVersion: 3.0.3\nLibs: -L{self.prefix}/lib -lcsv\n"
            f"Cflags: -I{self.prefix}/include\n"
        )
        for name in SOURCES:
            mark = self.folder / f"{name}.built"
            version = version_of(name, sources)
            if not mark.exists() or mark.read_text() != version:
                print(f"{self.architecture}: {name} {version}", flush=True)
                place = unpack(name, sources, self.folder / name)
                self.prepare(name, place)
                self.build(name, place)
                mark.write_text(version)

    def wheel(self, output: Path) -> Path:
        """Build the package, and return the path of its wheel."""
        headers = Path(sysconfig.get_path("include")).name  # python3.11
        for triplet in ("x86_64-linux-gnu", "aarch64-linux-gnu"):
            # Debian's header asks for the one of its processor; what the limited API needs of it is
            # the same for both.
            place = self.prefix / "include" / triplet / headers
            place.mkdir(parents=True, exist_ok=True)
            shutil.copy(sysconfig.get_config_h_filename(), place)
        plain = self.folder / "plain"
        shutil.rmtree(plain, ignore_errors=True)
        run(
            *(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps"),
            *("--wheel-dir", plain, f"--config-settings=build-dir={self.folder}/meson"),
            f"--config-settings=setup-args=--cross-file={self.cross}",
            "--config-settings=setup-args=-Dbuildtype=release",
            ROOT,
        )
        with tempfile.TemporaryDirectory() as place:
            [wheel] = plain.glob("*.whl")
            run(sys.executable, "-m", "wheel", "unpack", wheel, "--dest", place)
            [tree] = Path(place).iterdir()
            for name in ("_core.abi3.so", "texgauge"):  # Python may add folders of this machine
                run("patchelf", "--remove-rpath", tree / "texgauge" / name)
            add_licenses(tree)
            run(sys.executable, "-m", "wheel", "pack", tree, "--dest-dir", place)
            [wheel] = Path(place).glob("*.whl")
            tag = f"manylinux_{GLIBC.replace('.', '_')}_{self.architecture}"
            run(
                *(sys.executable, "-m", "wheel", "tags", "--remove"),
                *("--python-tag", PYTHON, "--abi-tag", "abi3", "--platform-tag", tag, wheel),
            )
            [wheel] = Path(place).glob("*.whl")
            output.mkdir(parents=True, exist_ok=True)
            return Path(shutil.copy(wheel, output))


# ---- terms of use ----

NOTICE = """\
What this wheel holds beside texgauge
=====================================

Linked statically into texgauge/_core.abi3.so and texgauge/texgauge, each library built from the
source package of Debian 12 of this version, with Debian's changes where the package has any:

{libraries}

As files in texgauge/data/fonts: fonts of Debian's packages lmodern and fonts-lyx.

The terms of each are in the folder of its name beside this file. GLib (LGPL-2.1-or-later), Cairo
(LGPL-2.1-only or MPL-1.1) and libcsv (LGPL-2.1-or-later) may be changed and linked anew: texgauge
is free software (MIT), and the sources of these three are the packages named above, which
https://snapshot.debian.org/ keeps. To link a changed library: unpack texgauge's source, put the
changed source package (its .dsc and what that names) into build-wheels/sources/, and run

    ./dev release wheels

which builds the libraries and the wheel by one compiler from PyPI (ziglang), python/wheels.py.
"""


def add_licenses(tree: Path) -> None:
    """Put the terms of all linked libraries and of the fonts into the wheel's licenses folder."""
    [metadata] = tree.glob("*.dist-info/METADATA")
    folder = metadata.parent / "licenses"
    places = {name: WORK / "licenses" / name for name in SOURCES}
    for name, place in places.items():
        (folder / name).mkdir()
        for file in sorted(place.iterdir()):
            shutil.copyfile(file, folder / name / file.name)
    for name in ("lmodern", "fonts-lyx"):
        (folder / name).mkdir()
        shutil.copyfile(fonts.SHARE / "doc" / name / "copyright", folder / name / "copyright")
    sources = WORK / "sources"
    lines = (f"    {name:<10} {version_of(name, sources)}" for name in SOURCES)
    (folder / "NOTICE").write_text(NOTICE.format(libraries="\n".join(lines)))
    names = sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )
    text = re.sub(r"^License-File: .*\n", "", metadata.read_text(), flags=re.MULTILINE)
    head, blank, body = text.partition("\n\n")
    head += "".join(f"\nLicense-File: {name}" for name in names)
    metadata.write_text(head + blank + body)


def collect_licenses(sources: Path) -> None:
    """Take the terms out of the source packages."""
    for name in SOURCES:
        folder = WORK / "licenses" / name
        if folder.exists():
            continue
        with tempfile.TemporaryDirectory() as work:
            tree = unpack(name, sources, Path(work) / "tree")
            folder.mkdir(parents=True)
            for file in (
                tree / "debian/copyright",
                *tree.glob("COPYING*"),
                *tree.glob("LICEN[CS]E*"),
            ):
                if file.is_file():
                    shutil.copyfile(file, folder / file.name)


def main() -> None:
    """Make the wheels of the command line."""
    output, architectures = Path(sys.argv[1]), sys.argv[2:] or ARCHITECTURES
    sources = WORK / "sources"
    fetch_sources(sources)
    collect_licenses(sources)
    for architecture in architectures:
        target = Target(architecture)
        target.libraries(sources)
        wheel = target.wheel(output)
        print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
