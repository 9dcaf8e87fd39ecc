#!/bin/sh
# A run of eval that is stopped at each of its calls that change files, in turn: killed before it (SIGKILL),
# killed when half of its bytes are written, met by a full disk (ENOSPC), interrupted by a signal (EINTR).
# --resume then gives the bytes of a run that nothing disturbed. Usage: killed_runs.sh PROGRAM FAILING_DISK.SO
set -eu
program=$(realpath "$1") shim=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
LD_PRELOAD="$shim" "$program" --version >/dev/null 2>&1 || exit 77 # with sanitizers

awk 'BEGIN {
    for (i = 1; i <= 24; i++)
        printf "{\"id\":\"%d\",\"subset\":\"%d\",\"gt\":\"\\\\frac{a_%d}{b}\",\"pred\":\"\\\\frac{a_%d}{%s}\"}\n", \
            i, i % 3, i % 17, i % 13, i % 2 ? "b" : "c+\\\\sqrt{d}"
}' >pairs.jsonl

# Rows come through a pipe, so that each row is one write.
run_rows() {
    "$program" eval -q -m edit,bleu - -o failing/r.jsonl "$@" <../pairs.jsonl >/dev/null
}
run_shard() {
    "$program" eval -q -m edit --shard 2/3 - -o failing/r.jsonl "$@" <../pairs.jsonl >/dev/null
}
run_files() {
    "$program" eval -q -m edit,cdm --detail ../pairs.jsonl -o failing/r.jsonl "$@" >/dev/null
}
with_fault() (
    export LD_PRELOAD="$shim" TEXGAUGE_FAULT="$1" TEXGAUGE_FAULT_LOG=log
    shift
    "$@"
)

# A kill may leave a file that would have been renamed; its name begins with a dot.
same() {
    diff -r -x '.*' whole failing
}

# stop_at FAULT RUN: stop one run in an empty folder, then continue it. Exit status 1: the fault met no call.
stop_at() {
    status=0
    rm -rf failing log
    mkdir failing
    with_fault "$1" "run_$2" 2>err || status=$?
    [ -e log ] || return 1
    case $1:$status in
    kill:*:137 | torn:*:137) ;;
    torn:*:0 | once-4:*:0) same && return 0 ;; # torn: the call is not a write
    28:*:0) same && return 0 ;; # what the call wrote was not needed any more
    28:*:4) grep -q "No space left" err ;;
    *) false ;;
    esac || fail "$2: $1 ($(cat log)): exit status $status: $(cat err)"
    "run_$2" --resume 2>err || fail "$2: $1 ($(cat log)): cannot be resumed: $(cat err)"
    same >&2 || fail "$2: $1 ($(cat log)): does not resume to the same bytes"
}

fail() {
    echo "$*" >&2
    exit 2
}

# Every call of a run. A full disk stops every call, so that it gives the number of points for all faults.
try_all() {
    mkdir "$2-$1" "$2-$1/failing"
    cd "$2-$1"
    "run_$2"
    mv failing whole
    points=0
    while stop_at "$1:$((points + 1))" "$2"; do
        points=$((points + 1))
    done
    [ "$points" -ge 5 ] || fail "$2: only $points calls change files"
    echo "$2, $1: stopped at $points calls, resumed to the same bytes"
}

# A run that is killed one call later each time it is continued must still come to its end.
try_again() {
    mkdir "again-$1" "again-$1/failing"
    cd "again-$1"
    "run_$1"
    mv failing whole
    mkdir failing
    attempts=1
    while :; do
        status=0
        with_fault "kill:$attempts" "run_$1" --resume 2>err || status=$?
        [ -e log ] || break
        rm log
        [ $status = 137 ] || fail "$1: attempt $attempts: exit status $status: $(cat err)"
        attempts=$((attempts + 1))
    done
    same >&2 || fail "$1: a run that is killed again and again is another"
    echo "$1, killed again and again: done at attempt $attempts"
}

for what in rows shard files; do
    for fault in kill torn 28 once-4; do
        (try_all "$fault" "$what") >"$what-$fault.out" 2>&1 &
        tasks="${tasks:-} $!"
    done
    for task in $tasks; do
        wait "$task" || failed=1
    done
    tasks=
done
(try_again rows) >again-rows.out 2>&1 || failed=1
cat ./*.out
[ -z "${failed:-}" ]
