#!/usr/bin/env bash
# Runs every libFuzzer target for a while; a finding stops with its report and its file.
# Usage: run.sh BUILD_FOLDER SECONDS_PER_TARGET
set -euo pipefail
build=$1 seconds=$2
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for source in "$here"/fuzz_*.c; do
    name=$(basename "$source" .c)
    mkdir "$work/$name"
    if ! "$build/tests/fuzz/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix="$build/" -print_final_stats=1 "$work/$name" \
        "$here/seeds/${name#fuzz_}" >"$work/log" 2>&1; then
        tail -n 60 "$work/log"
        echo "$name: a finding" >&2
        exit 1
    fi
    echo "$name: $seconds s, $(grep -o 'number_of_executed_units: [0-9]*' "$work/log" |
        cut -d' ' -f2) inputs, no finding"
done
