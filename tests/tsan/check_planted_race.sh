#!/usr/bin/env bash
# ThreadSanitizer must report the planted race, by the name of the function that holds it.
# Usage: check_planted_race.sh PROGRAM
set -euo pipefail
report=$(TSAN_OPTIONS=halt_on_error=0 "$1" 2>&1) && {
    echo "ThreadSanitizer passed a program with a data race" >&2
    exit 1
}
grep -q 'WARNING: ThreadSanitizer: data race' <<<"$report"
grep -q 'planted_race.c' <<<"$report"
echo "ThreadSanitizer finds the planted race"
