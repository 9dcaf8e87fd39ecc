#!/usr/bin/env bash
# Runs every libFuzzer target for a while; a finding stops with its report and its file.
# Usage: run.sh BUILD_FOLDER SECONDS_PER_TARGET [TARGET...]
# Targets that read formulas start from those of the shared reference data too, where it is there.
set -euo pipefail
build=$1 seconds=$2
shift 2
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$here/../..
python3 "$here/formula_seeds.py" "$root" "${TEXGAUGE_SHARED:-$root/../shared}" "$work/formulas"
targets=("$@")
[ $# -gt 0 ] || mapfile -t targets < <(basename -s .c -a "$here"/fuzz_*.c | cut -c6-)
for target in "${targets[@]}"; do
    name=fuzz_$target more=()
    case $target in
    canonical | cdm | cdm_elements | cdm_tolerant | forte | layout | macro | parse)
        more=("$work/formulas/seeds" "$here/seeds/parse" "-dict=$work/formulas/latex.dict")
        ;;
    esac
    mkdir "$work/$name"
    if ! "$build/tests/fuzz/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix="$build/" -print_final_stats=1 "$work/$name" \
        "$here/seeds/$target" "${more[@]}" >"$work/log" 2>&1; then
        tail -n 60 "$work/log"
        echo "$name: a finding" >&2
        exit 1
    fi
    echo "$name: $seconds s, $(grep -o 'number_of_executed_units: [0-9]*' "$work/log" |
        cut -d' ' -f2) inputs, no finding"
done
