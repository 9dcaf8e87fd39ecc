#!/usr/bin/env bash
# Scores a data set in shards by the commands of docs/how-to/score-files.md: xargs, GNU parallel, and
# a Slurm array. Each time the merged summary must be that of a single run, byte for byte. What is
# not installed is skipped.
# Slurm: the cluster that sbatch reaches; with --cluster one of this machine alone, made for the test
# as root and ended with it (Debian: slurm-wlm, munge).
# Usage: shards.sh PROGRAM [--cluster]
set -euo pipefail
page=$(realpath "$(dirname "$0")/../../docs/how-to/score-files.md")
program=$(realpath "$1")
folder=$(mktemp -d)
pids=()
export PATH="${program%/*}:$PATH"

clean_up() {
    [ "${#pids[@]}" -eq 0 ] || kill "${pids[@]}" 2>/dev/null || true
    [ "${#pids[@]}" -eq 0 ] || wait "${pids[@]}" 2>/dev/null || true
    rm -rf "$folder"
}
trap clean_up EXIT

make_pairs() {
    local i
    for ((i = 1; i <= 1000; i++)); do
        printf '{"id":"%d","model":"m%d","subset":"s%d","gt":"\\\\frac{%d}{x_%d}","pred":"\\\\frac{%d}{x_%d}"}\n' \
            "$i" $((i % 2)) $((i % 3)) "$i" $((i % 7)) $((i - i % 4)) $((i % 5))
    done
}

# in_shards NAME PATTERN: run the page's command that matches, and merge its shards.
in_shards() {
    local command
    command=$(awk -v start="$2" '$0 ~ start { on = 1 } on { print; on = /\\$/ }' "$page")
    [ -n "$command" ] || {
        echo "$page has no command $2" >&2
        exit 1
    }
    if ! (cd "$folder" && rm -f shard*.jsonl && bash -c "$command" >/dev/null 2>"$1.log"); then
        cat "$folder/$1.log" >&2
        exit 1
    fi
    texgauge eval --summary json "$folder"/shard*.jsonl >"$folder/$1.json"
    cmp "$folder/single.json" "$folder/$1.json"
    echo "$1: the summary of the shards is the one of a single run"
}

with_parallel() {
    command -v parallel >/dev/null || { echo "parallel: skipped, not installed"; return; }
    in_shards parallel '^parallel '
}

# A cluster of one node, whose daemons are children of this script.
make_cluster() {
    local host
    host=$(hostname -s)
    mkdir -p "$folder/spool" "$folder/state" "$folder/munge"
    chmod 0755 "$folder" "$folder/munge"
    dd if=/dev/urandom of="$folder/munge/key" bs=1024 count=1 status=none
    chmod 0400 "$folder/munge/key"
    cat >"$folder/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CryptoType=crypto/munge
SlurmctldPort=16817
SlurmdPort=16818
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmdSpoolDir=$folder/spool
StateSaveLocation=$folder/state
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
    export SLURM_CONF=$folder/slurm.conf
    munged --foreground --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
        --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" \
        --seed-file="$folder/munge/seed" >"$folder/munged.log" 2>&1 &
    pids+=($!)
    sleep 1
    slurmctld -D -c >"$folder/slurmctld.log" 2>&1 &
    pids+=($!)
    slurmd -D -c >"$folder/slurmd.log" 2>&1 &
    pids+=($!)
}

with_slurm() {
    command -v sbatch >/dev/null || { echo "slurm: skipped, not installed"; return; }
    local tries=1
    [ "${1:-}" != --cluster ] || { make_cluster && tries=30; }
    until timeout 10 sinfo --noheader --format=%t 2>/dev/null | grep -qE 'idle|mix'; do
        tries=$((tries - 1))
        if [ "$tries" -eq 0 ]; then
            echo "slurm: skipped, no node is idle"
            tail -n 5 "$folder"/slurm*.log 2>/dev/null || true
            return
        fi
        sleep 1
    done
    in_shards slurm '^sbatch '
}

make_pairs >"$folder/predictions.json"
texgauge eval --quiet --metrics cdm --summary json "$folder/predictions.json" >"$folder/single.json"
in_shards xargs '^seq '
with_parallel
with_slurm "${2:-}"
