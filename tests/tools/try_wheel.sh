#!/usr/bin/env bash
# Installs the wheel on systems that have nothing but python3 and venv: chroots by debootstrap (as root,
# from the mirror that apt uses, or $MIRROR). There it is imported, every metric scores, and a picture
# is drawn.
# Usage: try_wheel.sh WHEEL [RELEASE...]    (default: bullseye bookworm trixie)
set -euo pipefail
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
    rm -rf "$root"
done
du -m "$wheel" | cut -f 1 | xargs printf 'the wheel has %s MB\n'
