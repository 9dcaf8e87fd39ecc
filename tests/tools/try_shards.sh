#!/usr/bin/env bash
# Scores a data set in shards, as tasks of GNU parallel and of a Slurm array, and compares the merged
# summary with the one of a single run, byte for byte. What is not installed is skipped and said so.
# Slurm: the cluster that sbatch reaches; with --cluster one of this machine alone, made for the test
# as root and ended with it (Debian: slurm-wlm, munge).
# Usage: try_shards.sh PROGRAM [--cluster]
set -euo pipefail
program=$(realpath "$1")
folder=$(mktemp -d)
shards=5
pids=()

clean_up() {
    [ "${#pids[@]}" -eq 0 ] || kill "${pids[@]}" 2>/dev/null || true
    [ "${#pids[@]}" -eq 0 ] || wait "${pids[@]}" 2>/dev/null || true
    rm -rf "$folder"
}
trap clean_up EXIT

make_pairs() {
    local i
    for ((i = 1; i <= 5000; i++)); do
        printf '{"id":"%d","model":"m%d","subset":"s%d","gt":"\\\\frac{%d}{x_%d}","pred":"\\\\frac{%d}{x_%d}"}\n' \
            "$i" $((i % 2)) $((i % 3)) "$i" $((i % 7)) $((i - i % 4)) $((i % 5))
    done
}

merged() {
    "$program" eval --summary json "$folder/$1"-*.jsonl >"$folder/$1.json"
    cmp "$folder/single.json" "$folder/$1.json"
    echo "$1: the summary of $shards shards is the one of a single run"
}

with_parallel() {
    command -v parallel >/dev/null || { echo "parallel: skipped, not installed"; return; }
    parallel --jobs 2 "$program" eval --quiet --metrics cdm,bleu,cer "$folder/pairs.jsonl" \
        --shard "{}/$shards" -o "$folder/parallel-{}.jsonl" ">/dev/null" ::: $(seq "$shards")
    merged parallel
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
    [ "${1:-}" != --cluster ] || make_cluster
    local tries=0
    until sinfo --noheader --format=%t 2>/dev/null | grep -qE 'idle|mix'; do
        tries=$((tries + 1))
        if [ "$tries" -gt 30 ]; then
            echo "slurm: skipped, no node is idle"
            tail -n 5 "$folder"/slurm*.log 2>/dev/null || true
            return
        fi
        sleep 1
    done
    # shellcheck disable=SC2016 # Slurm sets the variable
    sbatch --quiet --wait --array="1-$shards" --output="$folder/slurm-%a.log" --chdir=/ \
        --wrap "$program eval --quiet --metrics cdm,bleu,cer $folder/pairs.jsonl \
        --shard \$SLURM_ARRAY_TASK_ID/$shards -o $folder/slurm-\$SLURM_ARRAY_TASK_ID.jsonl"
    merged slurm
}

make_pairs >"$folder/pairs.jsonl"
"$program" eval --quiet --metrics cdm,bleu,cer --summary json "$folder/pairs.jsonl" \
    >"$folder/single.json"
with_parallel
with_slurm "${2:-}"
