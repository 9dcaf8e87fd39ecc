#!/bin/sh
# Makes the default TeXBLEU model again: train.sh TEXGAUGE SHARED FOLDER
# TEXGAUGE is the program, SHARED the folder of the reference data, FOLDER is written to.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
texgauge=$1 shared=$2 folder=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$here/corpus.py" "$shared" "$work/corpus.txt"
"$texgauge" train bpe --words latex --vocab-size 4000 --min-count 10 -o "$folder" "$work/corpus.txt"
"$texgauge" train embeddings --dim 96 --window 3 --rounds 20 --seed 1 -o "$folder" "$work/corpus.txt"
