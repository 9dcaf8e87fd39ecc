#!/usr/bin/env bash
# Scores the bundled sample sets, prints tables of 80 columns, and writes a report.
# Usage: demo.sh TEXGAUGE OUTPUT_FOLDER
set -euo pipefail
texgauge=$1 out=$2
samples=$(dirname "$0")/../datasets/samples
metrics=cdm,forte,edit,bleu,exprate
mkdir -p "$out"
export COLUMNS=80 LC_ALL=C.UTF-8

step() {
    printf '\n== %s of 5: %s\n' "$1" "$2"
}

# The line below a table, broken for a terminal.
narrow() {
    sed -E 's/^(Metrics: .{0,60};) (.)/\1\n  \2/'
}

# Score by every metric, for readers of the file, because a table of all metrics would be too wide.
every_metric() {
    "$texgauge" eval --quiet --force --metrics all --output "$out/$1.jsonl" "${@:2}" >/dev/null
}

# From the JSON of compare: a sentence for each verdict, with its metrics.
verdicts() {
    python3 -c '
import json, sys
found = json.load(sys.stdin)
by_verdict = {}
for one in found["comparisons"]:
    if one["subset"] == "all":
        by_verdict.setdefault(one["verdict"], []).append(one["metric"])
base, model = found["base"], found["models"][0]["model"]
said = {"better": f"{model} is better than {base} on", "worse": f"{base} is better than {model} on",
        "no significant difference": "there is no significant difference on"}
print("; ".join(f"{said[v]} {chr(44).join(by_verdict[v])}" for v in said if v in by_verdict).replace(",", ", ") + ".")'
}

step 1 "two models, 40 formulas each, rated by people (MathBridge style)"
"$texgauge" eval --quiet --force --metrics $metrics --output "$out/first.jsonl" "$samples/mathbridge.csv" |
    narrow
every_metric mathbridge --human expert=expert_1,expert_2,expert_3 \
    --human student=student_1,student_2,student_3 "$samples/mathbridge.csv"
cat <<'END'
not ok: pairs that some metric could not score as they are, such as an empty
prediction or an unclosed brace; they count as 0.
END

step 2 "two models, four subsets of 25 formulas (UniMER style)"
inputs=()
for subset in spe cpe sce hwe; do
    inputs+=(--gt "$samples/unimer_truth_$subset.txt")
done
for model in aster birch; do
    for subset in spe cpe sce hwe; do
        inputs+=(--pred "$model=$samples/unimer_${model}_$subset.txt")
    done
done
"$texgauge" eval --quiet --force --metrics $metrics --output "$out/results.jsonl" "${inputs[@]}" |
    narrow | sed -E 's/^(.{22})  /\1/'
every_metric unimer "${inputs[@]}"

step 3 "two parsers, three pages of a document (OmniDocBench's protocol)"
"$texgauge" eval --quiet --force --gt "$samples/pages/truth.json" --pages "$samples/pages/aster" \
    --pages "$samples/pages/birch" --output "$out/pages.jsonl" |
    grep -E '^model|  all  ' | sed -E 's/^(.{14}) {14}/\1/'

step 4 "two parsers, eight of olmOCR-bench's math tests"
"$texgauge" documents --force --protocol olmocr --tests "$samples/olmocr" "$samples/olmocr/aster" \
    "$samples/olmocr/birch" --output "$out/olmocr.jsonl" 2>&1

step 5 "a report of the models of step 2"
"$texgauge" report --quiet --force --title "Demo: aster and birch" --output "$out/report.html" "$out/results.jsonl"
cat <<END

In step 2, $("$texgauge" compare --quiet --summary json "$out/results.jsonl" | verdicts | fold -s -w 68 | sed 's/ $//')

The report:      $out/report.html (open it in a browser)
Every metric:    $out/mathbridge.jsonl, $out/unimer.jsonl
                 (edit-ops there is a number of operations, not between 0 and 1)
Your own file:   $texgauge eval FILE -o results.jsonl
Ten minutes:     docs/tutorial.md
END
