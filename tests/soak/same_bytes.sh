#!/usr/bin/env bash
# The same results, byte for byte, from builds by gcc and clang, without optimization, with all of it, for
# newer processors and across files, with 1 to 8 threads, and in locales whose numbers and letters differ.
# Usage: same_bytes.sh FOLDER [PROGRAM...]
# Builds go to FOLDER, where they stay; PROGRAMs are compared instead of them.
set -euo pipefail
root=$(realpath "$(dirname "$0")/../..")
mkdir -p "$1"
folder=$(realpath "$1")
shift

# One build in each line: its name, the compiler, its flags, and meson's options.
builds() {
    cat <<'END'
gcc-O0|gcc||-Dbuildtype=plain -Doptimization=0
gcc-O3|gcc||--buildtype=release
gcc-v3-lto|gcc|-march=x86-64-v3|--buildtype=release -Db_lto=true
clang-O2|clang||-Dbuildtype=debugoptimized
END
}

build() { # NAME COMPILER FLAGS OPTIONS
    [ -f "$folder/$1/build.ninja" ] ||
        CC=$2 CFLAGS=$3 meson setup "$folder/$1" "$root" -Dtests=disabled -Dbench=disabled -Ddocs=disabled \
            "${@:4}" >/dev/null
    ninja -C "$folder/$1" --quiet cli/texgauge >/dev/null
}

# The results of all metrics on both samples, without names of folders.
results() { # PROGRAM OUTPUT [VARIABLE=VALUE...]
    rm -rf "$2"
    (cd "$root" && env "${@:3}" tests/demo.sh "$1" "$2" >/dev/null)
}

same() { # FOLDER
    local file
    for file in mathbridge.jsonl unimer.jsonl; do
        cmp "$folder/results/first/$file" "$1/$file"
    done
}

programs=("$@")
if [ $# -eq 0 ]; then
    while IFS='|' read -r name compiler flags options; do
        # shellcheck disable=SC2086 # several words
        build "$name" "${CC_PREFIX:-}$compiler" "$flags" $options
        programs+=("$folder/$name/cli/texgauge")
    done < <(builds)
fi
rm -rf "$folder/results"
export TEXGAUGE_DATADIR=$root/datasets
results "${programs[0]}" "$folder/results/first"
for program in "${programs[@]:1}"; do
    results "$program" "$folder/results/other"
    same "$folder/results/other"
done
echo "${#programs[@]} programs: the same bytes"

# Run with 1 to 8 threads, by a script in place of the program that adds the option.
for threads in 1 2 3 5 8; do
    # shellcheck disable=SC2016 # of the stand-in
    printf '#!/bin/sh\nw=$1; shift\n[ "$w" = eval ] && set -- --threads %d "$@"\nexec "%s" "$w" "$@"\n' \
        "$threads" "${programs[0]}" >"$folder/with-threads"
    chmod +x "$folder/with-threads"
    results "$folder/with-threads" "$folder/results/other"
    same "$folder/results/other"
done
echo "1, 2, 3, 5 and 8 threads: the same bytes"

# A locale with a comma in numbers, and one with an i without a dot.
mkdir -p "$folder/locales"
for locale in de_DE tr_TR; do
    if ! localedef -i "$locale" -f UTF-8 "$folder/locales/$locale.UTF-8" 2>/dev/null; then
        echo "$locale cannot be made here: left out"
        continue
    fi
    set -- "LOCPATH=$folder/locales" "LC_ALL=$locale.UTF-8"
    [ "$(env "$@" locale decimal_point)" = , ]
    results "${programs[0]}" "$folder/results/other" "$@"
    same "$folder/results/other"
    echo "$locale: the same bytes"
done
results "${programs[0]}" "$folder/results/other" LC_ALL=C
same "$folder/results/other"
echo "C: the same bytes"
