#!/usr/bin/env bash
# Runs the code blocks of README.md from top to bottom, as written, in a clone on a bare Debian 12: a
# chroot by debootstrap (as root, from the mirror that apt uses, or $MIRROR) that has git alone. The
# blocks `console`, which show what a command prints, come after the block that installs the command,
# and what they print is compared. Blocks with files of a release are left out, but with --release
# FOLDER, which holds them. What pip needs of this machine (PIP_*, a certificate) is passed on.
# Usage: try_readme.sh [--no-devpts] [--release FOLDER] [LOG]
# $ROOT_TAR is a tar of such a chroot, which is made where it does not exist.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
terminals=yes release='' log=/dev/null
while [ $# -gt 0 ]; do
    case $1 in
    --no-devpts) terminals=no ;;
    --release) release=$2 && shift ;;
    *) log=$1 ;;
    esac
    shift
done
folder=$(mktemp -d)
root=$folder/root
trap remove_root EXIT

remove_root() {
    local place
    for place in dev/pts dev/shm proc; do
        while mountpoint -q "$root/$place"; do umount "$root/$place"; done
    done
    rm -rf --one-file-system "$folder"
}

inside() {
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "${passed[@]}" "$@"
}

bare_root() {
    local kept=${ROOT_TAR:-} mirror
    mkdir "$root"
    if [ -n "$kept" ] && [ -f "$kept" ]; then
        tar -xf "$kept" -C "$root"
    else
        # shellcheck disable=SC2016 # apt replaces it
        mirror=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep -v security | head -n 1)
        debootstrap --variant=minbase --include=git,ca-certificates bookworm "$root" \
            "${MIRROR:-${mirror:-http://deb.debian.org/debian}}" >"$folder/debootstrap" 2>&1
        [ -z "$kept" ] || tar -cf "$kept" -C "$root" .
    fi
    cp /etc/resolv.conf "$root/etc"
    mkdir -p "$root/dev/shm" "$root/dev/pts"
    mount -t proc proc "$root/proc"
    mount -t tmpfs tmpfs "$root/dev/shm"
    if [ $terminals = yes ]; then
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
        ln -sf pts/ptmx "$root/dev/ptmx"
    else
        rm -f "$root/dev/ptmx"
    fi
    passed=()
    [ -z "${PIP_CERT:-}" ] || {
        install -D "$PIP_CERT" "$root/usr/local/share/pip.crt"
        passed+=(PIP_CERT=/usr/local/share/pip.crt)
    }
    [ -z "${PIP_INDEX_URL:-}" ] || passed+=(PIP_INDEX_URL="$PIP_INDEX_URL")
}

# README's blocks as one script of bash: it says each command, its time, and where it failed.
blocks() {
    python3 - "$source/README.md" ${release:+release} <<'END'
import re
import shlex
import sys

text = open(sys.argv[1], encoding="utf-8").read()
blocks = re.findall(r"^```(\w*)\n(.*?)^```", text, re.S | re.M)
print("say() { printf '\\n=== %s (after %d s)\\n' \"$1\" \"$SECONDS\"; }")
print("set -e; cd ~/texgauge")
later = []
for kind, block in blocks:
    if kind == "console":
        later += re.split(r"^\$ ", block, flags=re.M)[1:]
    elif kind == "python":
        print(f"say 'python'\npython - <<'BLOCK'\n{block}BLOCK")
    elif "./texgauge" in block and not sys.argv[2:3]:
        print(f"say {shlex.quote('left out, as no release is here: ' + block)}")
    else:
        for line in block.splitlines():
            print(f"say {shlex.quote(line)}\n{line}")
        for prefix in re.findall(r"--prefix (\S+)", block):
            print(f"{prefix}/bin/texgauge --version")
        for step in later if "pip install ." in block else []:
            command, _, shown = step.partition("\n")
            print(f"say {shlex.quote(command)}\n{command} | tee /tmp/shown")
            print(f"printf %s {shlex.quote(shown.rstrip())} | diff - <(printf %s \"$(cat /tmp/shown)\")")
print("say 'all blocks ran'")
END
}

bare_root
inside git --version >/dev/null
git clone --quiet "$source" "$root/root/texgauge"
[ -z "$release" ] || cp "$release"/*.whl "$release"/*.deb "$root/root/texgauge"
blocks >"$root/root/blocks.sh"
echo "Debian $(cat "$root/etc/debian_version"), devpts: $terminals" | tee "$log"
inside bash /root/blocks.sh </dev/null 2>&1 | tee -a "$log"
