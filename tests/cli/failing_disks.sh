#!/bin/sh
# Disks that are full, read-only, over quota or broken, and readers that leave: every command that
# writes ends with exit status 4 and says why, nothing half written is left that looks whole, and a run
# that was cut resumes to the same bytes. Usage: failing_disks.sh PROGRAM FAILING_DISK.SO
# Checks that mount a disk need a namespace of the user's own, and are left out where there is none.
set -eu
program=$(realpath "$1") shim=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export D="$folder/failing" program

awk 'BEGIN {
    for (i = 1; i <= 400; i++) {
        printf "{\"id\":\"%d\",\"subset\":\"%d\",\"gt\":\"a_{%d}+b\",\"pred\":\"a_%d\"}\n", i, i % 3, i, i % 7 >"p.jsonl"
        printf "$$a_{%d}+b$$\n\n", i >"d.md"
    }
}'
"$program" eval -q -m edit p.jsonl -o r.jsonl >/dev/null
"$program" documents d.md -o d.jsonl >/dev/null

fail() {
    echo "$*" >&2
    exit 1
}

# Every writer but eval, which appends.
# shellcheck disable=SC2016 # the folder is filled in later
commands='report -q r.jsonl -o $D/a.html
report -q r.jsonl -o $D/a.md
select -q r.jsonl --worst 1000 -o $D/s.jsonl
eval -q --add cer r.jsonl -o $D/b.jsonl
documents d.md -o $D/e.jsonl
documents --gt d.jsonl --pred d.jsonl -o $D/n.jsonl
render --dpi 1200 \\frac{a}{b} -o $D/x.png
render x --boxes $D/x.json
train bpe -q d.md -o $D'

# check_writers NAME MESSAGE [WORD...]: the words stand before the program
check_writers() {
    what=$1 message=$2
    shift 2
    printf '%s\n' "$commands" >commands
    while read -r command; do
        run_writer "$@"
        fails_whole
    done <commands
}

run_writer() {
    status=0
    # shellcheck disable=SC2086 # several words
    eval "set -- \"\$@\"; \"\$@\" \"$program\" $command" >out 2>err </dev/null || status=$?
}

fails_whole() {
    [ "$status" = 4 ] || fail "$what: $command: exit status $status: $(cat err)"
    grep -q "$message" err || fail "$what: $command: $(cat err)"
    find "$D" -type f ! -name ballast >left
    while read -r file; do
        cmp -s "$file" "whole/${file##*/}" || fail "$what: $command: leaves $file"
    done <left
}

# A run that was cut off says so, and a second run continues it.
check_run() {
    what=$1 message=$2
    shift 2
    status=0
    "$@" "$program" eval -q -m edit p.jsonl -o "$D/r.jsonl" >out 2>err || status=$?
    [ "$status" = 4 ] || fail "$what: eval: exit status $status: $(cat err)"
    grep -q "$message" err || fail "$what: eval: $(cat err)"
    [ -e "$D/r.jsonl" ] || return 0
    ! "$program" eval "$D/r.jsonl" >merged 2>err || fail "$what: what is cut looks whole"
    "$program" eval -q -m edit p.jsonl --resume -o "$D/r.jsonl" >/dev/null
    cmp r.jsonl "$D/r.jsonl" || fail "$what: does not resume to the same bytes"
    rm "$D/r.jsonl"
}

# Each call that changes a file fails, with all later calls, with an I/O error or a quota error. Complete files may be
# left.
mkdir "$D"
if LD_PRELOAD="$shim" "$program" --version >/dev/null 2>&1; then # not with sanitizers
    printf '%s\n' "$commands" >commands
    while read -r command; do
        rm -rf whole
        run_writer
        [ "$status" = 0 ] || fail "$command: $(cat err)"
        mv "$D" whole
        from=0
        while :; do
            from=$((from + 1)) error=5 message="Input/output error"
            [ $((from % 2)) = 1 ] || error=122 message="Disk quota exceeded"
            what="$message from call $from on"
            rm -rf met "$D"
            mkdir "$D"
            run_writer env LD_PRELOAD="$shim" TEXGAUGE_FAULT="$error:$from" TEXGAUGE_FAULT_LOG=met
            [ -e met ] || break
            [ "$status $(cut -d ' ' -f 2 met)" = "0 fchmod" ] || fails_whole
        done
        [ "$from" -ge 4 ] || fail "$command: only $from calls change files"
    done <commands
    rm -r "$D" whole
    mkdir "$D"
    echo "input/output errors, quotas: ok"
fi

# A folder without permission to write; root may write to it all the same.
if [ "$(id -u)" != 0 ]; then
    chmod a-w "$D"
    check_writers "read-only folder" "Permission denied"
    check_run "read-only folder" "Permission denied"
    chmod u+w "$D"
    echo "read-only folder: ok"
fi

# Full and read-only disks.
cat >on_a_disk <<'END'
#!/bin/sh
mount -t tmpfs -o "size=$SIZE" none "$D" || exit 99
[ -z "${FULL:-}" ] || head -c "$FULL" /dev/zero >"$D/ballast"
[ -z "${READ_ONLY:-}" ] || mount -o remount,ro "$D"
status=0
"$@" || status=$?
rm -f "$D/ballast"
left=$(find "$D" -type f)
[ -z "${READ_ONLY:-}${LEFT:-}" ] && [ -n "$left" ] && echo "left: $left" >&2 && exit 98
[ -z "${LEFT:-}" ] || [ ! -e "$D/r.jsonl" ] || cp "$D/r.jsonl" "$LEFT"
exit $status
END
chmod +x on_a_disk
if SIZE=4k unshare -rm ./on_a_disk true 2>/dev/null; then
    check_writers "full disk" "No space left" env SIZE=16k FULL=16k unshare -rm ./on_a_disk
    check_writers "read-only disk" "Read-only" env SIZE=16k READ_ONLY=1 unshare -rm ./on_a_disk
    check_run "read-only disk" "Read-only" env SIZE=16k READ_ONLY=1 unshare -rm ./on_a_disk
    check_run "full disk" "No space left" env SIZE=32k LEFT="$folder/cut" unshare -rm ./on_a_disk
    ! "$program" eval cut >merged 2>err || fail "full disk: what is cut looks whole"
    "$program" eval -q -m edit p.jsonl --resume -o cut >/dev/null
    cmp r.jsonl cut || fail "full disk: does not resume to the same bytes"
    echo "full and read-only disks: ok"
fi

# Readers that close the pipe early.
for command in 'select -q r.jsonl --worst 400' 'metrics --help' 'eval r.jsonl --summary json'; do
    status=$(
        exec 3>&1
        # shellcheck disable=SC2086
        { "$program" $command 2>err 3>&- && echo 0 >&3 || echo $? >&3; } | :
    )
    case $status in
    0 | 4 | 141) ;;
    *) fail "$command into a closed pipe: exit status $status: $(cat err)" ;;
    esac
    [ ! -s err ] || grep -q 'Broken pipe' err || fail "$command into a closed pipe: $(cat err)"
done
echo "closed pipes: ok"
