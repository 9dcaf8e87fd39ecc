#!/usr/bin/env bash
# Checks that the files of `meson install` are enough for others: a program and a plugin build against them by
# pkg-config and run; the data, the man page and the completions are there.
# Usage: check_install.sh SOURCE_ROOT BUILD_FOLDER
set -euo pipefail
root=$1 build=$2
to=$(mktemp -d)
trap 'rm -rf "$to"' EXIT

DESTDIR=$to meson install -C "$build" --no-rebuild --quiet
prefix=$(find "$to" -name texgauge -path '*/bin/*' -exec dirname {} \;)/..
pc=$(find "$to" -name texgauge.pc)
libdir=$(dirname "$(dirname "$pc")")
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH LD_LIBRARY_PATH=$libdir
sed -i "s|^prefix=.*|prefix=$prefix|" "$pc" # pkg-config does not know of DESTDIR
read -ra flags < <(pkg-config --cflags --libs texgauge)

# A sanitized library wants sanitized programs.
sanitize=()
[ -z "${TEXGAUGE_SANITIZE:-}" ] || [ "$TEXGAUGE_SANITIZE" = none ] ||
    sanitize=("-fsanitize=$TEXGAUGE_SANITIZE")
${CC:-cc} "${sanitize[@]}" "$root/docs/examples/score_pairs.c" -o "$to/score_pairs" "${flags[@]}"
"$to/score_pairs" | grep -q '^edit'
${CC:-cc} "${sanitize[@]}" "$root/docs/examples/token_boxes.c" -o "$to/token_boxes" "${flags[@]}"
tokens=$("$to/token_boxes" '\frac{a}{b}' "$to/fraction.png" | awk '{ printf "%s ", $1 }')
[ "$tokens" = '\frac a b ' ] || { echo "token_boxes found '$tokens'" >&2; exit 1; }
[ "$(head -c 4 "$to/fraction.png" | tail -c 3)" = PNG ] || { echo "token_boxes drew no PNG" >&2; exit 1; }

read -ra gmodule < <(pkg-config --cflags gmodule-no-export-2.0)
${CC:-cc} "${sanitize[@]}" -shared -fPIC "$root/docs/examples/length_ratio.c" \
    -o "$to/length_ratio.so" "${gmodule[@]}" "${flags[@]}"
"$prefix/bin/texgauge" score --plugin "$to/length_ratio.so" -m length-ratio 'a b' 'a' |
    grep -q '"length-ratio":0.5'

for file in share/texgauge/samples share/man/man1/texgauge.1 share/bash-completion/completions/texgauge \
    share/zsh/site-functions/_texgauge share/doc/texgauge/examples; do
    [ -e "$prefix/$file" ] || { echo "$file is not installed" >&2; exit 1; }
done
bash -n "$prefix/share/bash-completion/completions/texgauge"
exported=$(nm -D --defined-only "$libdir/libtexgauge.so" | awk '{print $3}' | grep -vE '^(tg_|_)' || true)
[ -z "$exported" ] || { echo "exported without the prefix: $exported" >&2; exit 1; }

# A moved tree works: the program finds its data beside itself, by whatever name it is called.
moved=$to/moved
mv "$(realpath "$prefix")" "$moved"
ln -s "$moved/bin/texgauge" "$to/link"
unset LD_LIBRARY_PATH
finds_data() {
    "$@" score -m forte,texbleu,ebleu 'a b' 'a b' | grep -q '"forte":1[,.}]' || {
        echo "$1 in $PWD does not find its data" >&2
        exit 1
    }
}
finds_data "$moved/bin/texgauge"
finds_data "$to/link"
(cd "$moved/bin" && finds_data ./texgauge)
(PATH=$moved/bin:$PATH && finds_data texgauge)
# shellcheck disable=SC2016 # the word itself
[ "$(uname)" != Linux ] || readelf -d "$moved/bin/texgauge" | grep -q 'RUNPATH.*\$ORIGIN/\.\./lib'

# The library finds its data, too, in a moved tree and in a package of its own with the folder `data` beside it.
cat >"$to/forte.c" <<'END'
#include <texgauge/texgauge.h>

int main(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TgScorer) scorer = tg_scorer_new("forte,texbleu", NULL, &error);

    if (scorer == NULL)
        g_printerr("%s\n", error->message);
    return scorer == NULL;
}
END
library=$(find "$moved" -name 'libtexgauge.so.[0-9]' -type l)
${CC:-cc} "${sanitize[@]}" "$to/forte.c" -o "$to/forte" "${gmodule[@]}" -I"$moved/include" \
    "$library" -lglib-2.0
LD_LIBRARY_PATH=$(dirname "$library") "$to/forte"
mkdir "$to/package"
cp -L "$library" "$to/package"
mv "$moved/share/texgauge" "$to/package/data"
LD_LIBRARY_PATH=$to/package "$to/forte"
echo "the installed library builds programs and plugins, and finds its data where it is moved"
