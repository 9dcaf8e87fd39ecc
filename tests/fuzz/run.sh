#!/usr/bin/env bash
# Runs libFuzzer targets, one a processor at a time, each for SECONDS; a finding stops with its report
# and its file in BUILD_FOLDER.
# Usage: run.sh BUILD_FOLDER SECONDS [TARGET...]
# Inputs that reach new paths are kept in BUILD_FOLDER/corpus, from which the next run starts. Targets that read
# formulas start from those of the shared reference data too, where it is there. In CI the random choices
# are the same each time, so that a change is judged by what it changed.
# An input may take 30 s: with sanitizers, on a busy machine, macros that use up every limit took 10.
set -euo pipefail
build=$1 seconds=$2
shift 2
here=$(dirname "$0")
root=$here/../..

# The dictionary and the further inputs with which a target starts.
material_of() {
    case $1 in
    batch | canonical | cdm | cdm_elements | cdm_strict | cdm_tolerant | document | forte | layout | \
        lexer | macro | metrics | parse | pictures)
        echo "-dict=$material/latex.dict $here/seeds/parse $material/formulas"
        ;;
    reader_any | reader_json | reader_jsonl | results) echo "-dict=$material/json.dict" ;;
    gpt2 | safetensors | tokenizer_json) echo "-dict=$material/model.dict" ;;
    ratings | reader_*) echo "-dict=$material/table.dict" ;;
    options) echo "-dict=$material/options.dict" ;;
    font) echo "$material/fonts" ;;
    esac
}

# The last number that follows a word in a report of libFuzzer.
number() {
    grep -ao "$1: *[0-9]*" "$2" | tail -n 1 | grep -o '[0-9]*$' || echo 0
}

fuzz_one() {
    local target=$1 corpus=$build/corpus/$1 log=$build/fuzz_$1.log more=() before
    read -ra more <<<"$(material_of "$target")"
    more+=("$material/inputs/$target")
    rm -rf "$material/inputs/$target"
    python3 "$here/inputs.py" unpack "$target" "$material/inputs/$target"
    mkdir -p "$corpus"
    before=$(find "$corpus" -type f | wc -l)
    if ! "$build/tests/fuzz/libfuzzer_$target" -max_total_time="$seconds" -timeout=30 \
        -rss_limit_mb=2048 ${CI:+-seed=1} -artifact_prefix="$build/fuzz_$target-" -print_final_stats=1 "$corpus" \
        "$here/seeds/$target" "${more[@]}" >"$log" 2>&1; then
        tail -n 60 "$log"
        echo "fuzz_$target: a finding" >&2
        return 255 # xargs starts no other target
    fi
    printf 'fuzz_%-18s %9d inputs %6d edges %6d new paths %6d kept\n' "$target" \
        "$(number number_of_executed_units "$log")" "$(number cov "$log")" \
        "$(number new_units_added "$log")" "$(($(find "$corpus" -type f | wc -l) - before))"
}

if [ "${TEXGAUGE_FUZZ_ONE:-}" ]; then
    material=$build/material
    fuzz_one "$1"
    exit
fi
python3 "$here/material.py" "$root" "${TEXGAUGE_SHARED:-$root/../shared}" "$build/material"
targets=("$@")
[ $# -gt 0 ] || mapfile -t targets < <(ls "$here/seeds")
printf '%s\n' "${targets[@]}" |
    TEXGAUGE_FUZZ_ONE=1 xargs -P "$(nproc)" -I '{}' "$0" "$build" "$seconds" '{}'
