#!/usr/bin/env bash
# Installs the wheel on systems that have nothing but python3 and venv: chroots by debootstrap (as root,
# from the mirror that apt uses, or $MIRROR). There it is imported, every metric scores, a picture is
# drawn, and the command runs. Then packages with libraries of their own are installed, Debian's and
# those of PyPI that pip finds (NEIGHBOURS), and used beside it (try_neighbours.py).
# Usage: try_wheel.sh WHEEL [RELEASE...]    (default: bullseye bookworm trixie)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
read -ra neighbours <<<"${NEIGHBOURS-numpy pyarrow pillow opencv-python-headless}"
wheel=$1
shift
[ $# -gt 0 ] || set -- bullseye bookworm trixie
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$wheel" "$folder" # ./dev python would take it away
wheel=$folder/$(basename "$wheel")

mirror() {
    local found
    # shellcheck disable=SC2016 # apt replaces it
    found=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep -v security | head -n 1)
    echo "${MIRROR:-${found:-http://deb.debian.org/debian}}"
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

# Those of PyPI are downloaded outside: a bare root knows no index.
try_neighbours() {
    local root=$1 version name
    version=$(chroot "$root" python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    chroot "$root" sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        --no-install-recommends python3-gi python3-gi-cairo python3-cairo' >"$folder/log" 2>&1 ||
        { tail -n 5 "$folder/log" >&2; exit 1; }
    chroot "$root" python3 -m venv --system-site-packages /tmp/beside
    for name in "${neighbours[@]}"; do
        python3 -m pip download --quiet --python-version "$version" --only-binary=:all: \
            --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 \
            --platform manylinux2014_x86_64 --dest "$root/tmp/near" "$name" >"$folder/log" 2>&1 &&
            chroot "$root" /tmp/beside/bin/pip install --quiet --no-compile --no-index \
                --find-links /tmp/near "$name" || echo "$name is not to be had"
    done
    chroot "$root" /tmp/beside/bin/pip install --quiet --no-index "/tmp/$(basename "$wheel")"
    cp "$here/try_neighbours.py" "$root/tmp"
    chroot "$root" /tmp/beside/bin/python /tmp/try_neighbours.py
}

for release in "$@"; do
    root=$folder/$release
    debootstrap --variant=minbase --include=python3,python3-venv "$release" "$root" "$(mirror)" \
        >"$folder/log" 2>&1 || { tail -n 5 "$folder/log" >&2; exit 1; }
    cp "$wheel" "$root/tmp"
    write_check >"$root/tmp/check.py"
    chroot "$root" python3 -m venv /tmp/venv
    chroot "$root" /tmp/venv/bin/pip install --quiet --no-index "/tmp/$(basename "$wheel")"
    chroot "$root" /tmp/venv/bin/python /tmp/check.py >/dev/null # compiles what is imported
    echo "$release: $(chroot "$root" /tmp/venv/bin/python /tmp/check.py)"
    chroot "$root" /tmp/venv/bin/texgauge score 'a^2' 'a_2' >"$folder/command"
    chroot "$root" /tmp/venv/bin/python -m texgauge score 'a^2' 'a_2' | cmp - "$folder/command"
    [ "${#neighbours[@]}" -eq 0 ] || try_neighbours "$root"
    rm -rf "$root"
done
du -m "$wheel" | cut -f 1 | xargs printf 'the wheel has %s MB\n'
