#!/usr/bin/env bash
# What cibuildwheel's machines lack before a wheel is built: the fonts, which are those of Debian's
# packages everywhere, and on manylinux's old systems the libraries.
# Usage: before_all.sh FOLDER    (where Debian's packages of fonts are unpacked: FONT_ROOT of bundle.py)
set -euo pipefail
root=$1
archive=${MIRROR:-http://deb.debian.org/debian}/pool/main

# Path in Debian's archive and checksum.
fonts=(
    l/lmodern/lmodern_2.005-1_all.deb
    a87ada29e88cc85d0b51fa20c7c02101538caec81fcf3ef43aaeee54557795dd
    l/lmodern/fonts-lmodern_2.005-1_all.deb
    027cd4ddc91b9254bd7fd9b9ce55d58c095319f691d4d7cbd09d2e4a99c58398
    l/lyx/fonts-lyx_2.3.7-1_all.deb
    d4dd64a5f319b303623b8e1d5d813dbf620b77af1b479bae15b30c4b742b20a4
)

fetch() {
    curl --fail --silent --show-error --location --retry 3 --output "$2" "$1"
}

unpack_fonts() {
    local i file=$work/font.deb sum
    mkdir -p "$root"
    for ((i = 0; i < ${#fonts[@]}; i += 2)); do
        fetch "$archive/${fonts[i]}" "$file"
        sum=$(python3 -c 'import hashlib, sys
print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest())' "$file")
        [ "$sum" = "${fonts[i + 1]}" ] || { echo "${fonts[i]}: another checksum" >&2; exit 1; }
        (cd "$work" && ar x "$file" data.tar.xz)
        tar -xJf "$work/data.tar.xz" -C "$root"
    done
}

# AlmaLinux 8 of manylinux_2_28 has GLib 2.56 and Cairo 1.15: newer ones are built.
build_library() {
    fetch "$1" "$work/source.tar.xz"
    mkdir "$work/source"
    tar -xJf "$work/source.tar.xz" -C "$work/source" --strip-components=1
    meson setup "$work/build" "$work/source" --prefix=/usr --libdir=lib64 --buildtype=release \
        "${@:2}"
    meson install -C "$work/build"
    rm -rf "$work/source" "$work/build"
}

add_libraries() {
    dnf install -y epel-release
    dnf install -y jansson-devel libcsv-devel zlib-devel libzstd-devel freetype-devel libpng-devel \
        pixman-devel libffi-devel pcre2-devel libmount-devel
    pip install meson ninja packaging
    build_library https://download.gnome.org/sources/glib/2.78/glib-2.78.6.tar.xz -Dtests=false \
        -Dselinux=disabled
    build_library https://cairographics.org/releases/cairo-1.18.2.tar.xz -Dxlib=disabled \
        -Dxcb=disabled -Dfontconfig=disabled -Dtests=disabled
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unpack_fonts
if command -v dnf >/dev/null; then
    add_libraries
fi
