#!/usr/bin/env bash
# Every public header compiles alone, as C11 and as C++, without a warning.
# Usage: check_headers.sh SOURCE_ROOT
set -euo pipefail
root=$1
flags=(-I"$root/include" -Wall -Wextra -Wpedantic -Werror -fsyntax-only)
read -ra glib < <(pkg-config --cflags glib-2.0)
for header in "$root"/include/texgauge/*.h; do
    name=texgauge/$(basename "$header")
    printf '#include <%s>\n' "$name" | ${CC:-cc} -std=c11 "${flags[@]}" "${glib[@]}" -x c -
    printf '#include <%s>\n' "$name" | ${CXX:-c++} -std=c++17 "${flags[@]}" "${glib[@]}" -x c++ -
    echo "ok: $name"
done
