#!/usr/bin/env bash
# Scores the bundled sample sets with every metric there is and prints the tables.
# Usage: demo.sh TEXGAUGE OUTPUT_FOLDER
set -euo pipefail
texgauge=$1 out=$2
samples=$(dirname "$0")/../datasets/samples
mkdir -p "$out"
metrics=$("$texgauge" metrics --json |
    python3 -c 'import json, sys; print(",".join(m["name"] for m in json.load(sys.stdin)))')

echo "MathBridge-style sample: two models, 40 formulas each"
"$texgauge" eval --quiet --force --metrics "$metrics" --human expert=expert_1,expert_2,expert_3 \
    --human student=student_1,student_2,student_3 \
    --output "$out/mathbridge.jsonl" "$samples/mathbridge.csv"

echo
echo "UniMER-style sample: two models on four subsets of 25 formulas"
inputs=()
for subset in spe cpe sce hwe; do
    inputs+=(--gt "$samples/unimer_truth_$subset.txt")
done
for model in aster birch; do
    for subset in spe cpe sce hwe; do
        inputs+=(--pred "$model=$samples/unimer_${model}_$subset.txt")
    done
done
"$texgauge" eval --quiet --force --metrics "$metrics" --output "$out/unimer.jsonl" "${inputs[@]}"

echo
echo "Pages of a document: two parsers, three pages, OmniDocBench's protocol"
"$texgauge" eval --quiet --force --gt "$samples/pages/truth.json" --pages "$samples/pages/aster" \
    --pages "$samples/pages/birch" --output "$out/pages.jsonl"

echo
echo "olmOCR-bench's math tests: two parsers, eight tests"
"$texgauge" documents --force --protocol olmocr --tests "$samples/olmocr" "$samples/olmocr/aster" \
    "$samples/olmocr/birch" --output "$out/olmocr.jsonl" 2>&1

echo
echo "Every pair's scores: $out/mathbridge.jsonl, $out/unimer.jsonl, $out/pages.jsonl and $out/olmocr.jsonl"
