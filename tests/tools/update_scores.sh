#!/bin/sh
# Write tests/golden/scores.tsv anew after a metric's version was raised, or metrics or pairs added.
# Refuses where a value changed and the version did not. Usage: update_scores.sh [BUILD_FOLDER [NEW_SPEC...]]
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build}
[ $# -eq 0 ] || shift
ninja -C "$build" --quiet tests/test_golden_scores
"$build/tests/test_golden_scores" --update "$@"
git diff --stat -- tests/golden/scores.tsv
