#!/bin/sh
# A run that is killed (SIGKILL) at moments spread over its length, and resumed: the file equals that of a run
# that nothing disturbed, byte for byte. Usage: kill_and_resume.sh PROGRAM [MOMENTS [PAIRS [METRICS]]]
set -eu
program=$(realpath "$1") moments=${2:-10} pairs=${3:-2000} metrics=${4:-edit,bleu}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

awk -v n="$pairs" 'BEGIN {
    for (i = 1; i <= n; i++)
        printf "{\"id\":\"%d\",\"subset\":\"%d\",\"gt\":\"\\\\frac{a_%d}{b}+x^{%d}\",\"pred\":\"\\\\frac{a_%d}{%s}\"}\n", \
            i, i % 3, i % 17, i % 5, i % 13, i % 2 ? "b" : "c+\\\\sqrt{d}"
}' >pairs.jsonl

run() {
    out=$1
    shift
    exec "$program" eval -q --metrics "$metrics" pairs.jsonl -o "$out" "$@" >/dev/null
}
# The length is the length of the second run, because the first also reads the program and its fonts from the disk.
for _ in first second; do
    rm -f whole.jsonl
    start=$(date +%s%N)
    (run whole.jsonl)
    length=$((($(date +%s%N) - start) / 1000000))
done

is_whole() {
    cmp -s whole.jsonl results.jsonl
}

cut=0
for k in $(seq 1 "$moments"); do
    rm -f results.jsonl
    (run results.jsonl) &
    child=$!
    sleep "$(awk -v ms="$length" -v k="$k" -v n="$moments" 'BEGIN { printf "%.3f", ms * k / (n + 1) / 1000 }')"
    kill -9 "$child" 2>/dev/null || true
    wait "$child" 2>/dev/null || true
    [ ! -e results.jsonl ] || is_whole || cut=$((cut + 1))
    (run results.jsonl --resume) || {
        echo "moment $k of $moments: it cannot be resumed" >&2
        exit 1
    }
    cmp whole.jsonl results.jsonl || exit 1
done
echo "$moments of $moments runs of $pairs pairs resumed to the same bytes; $cut were cut in the middle"
# If nearly all kills came too early or too late, the test would show nothing.
[ "$cut" -ge $((moments / 4)) ]
