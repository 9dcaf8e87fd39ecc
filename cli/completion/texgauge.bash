# bash completion for texgauge; docs/write_options.py writes it
_texgauge() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} words=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "eval score compare report rate study select explain metrics tokenize render documents train --help --version" -- "$word")
        return
    fi
    [ "$command" != train ] || command="train ${COMP_WORDS[2]}"
    case "$command $before" in
    "train train") words="bpe embeddings" ;;
    *" --metrics" | *" -m" | *" --add")
        local done=${word%"${word##*,}"}
        mapfile -t COMPREPLY < <(compgen -P "$done" -W "$(texgauge metrics --json 2>/dev/null | sed -n 's/^    "name": "\([^"]*\)",$/\1/p')" -- "${word##*,}")
        compopt -o nospace
        return
        ;;
    "eval --delimiters") words="strip keep" ;;
    "eval --undefined") words="default worst skip stop" ;;
    "eval --tokens") words="latex ids" ;;
    "eval --summary") words="table json csv md latex" ;;
    "score --delimiters") words="strip keep" ;;
    "score --undefined") words="default worst skip stop" ;;
    "compare --test") words="two-sided sacrebleu" ;;
    "compare --summary") words="table json csv md latex" ;;
    "rate --tokens") words="latex ids" ;;
    "study --summary") words="table json csv md latex" ;;
    "explain --color") words="auto always never" ;;
    "documents --kind") words="auto latex markdown" ;;
    "documents --protocol") words="cdm omnidocbench olmocr" ;;
    esac
    if [ -z "$words" ] && [[ $word == -* ]]; then
        case "$command" in
        "eval") words="--help --metrics --delimiters --clean --undefined --detail --gt --pred --pages --format --map --human --ratings --columns --model --tokens --allow-duplicates --pair-timeout --threads --output --resume --shard --force --confidence --mean --by --summary --percent --digits --all --pivot --add --check --quiet --plugin" ;;
        "score") words="--help --metrics --delimiters --clean --undefined --detail --plugin" ;;
        "compare") words="--help --fail-under --baseline --tolerance --base --columns --lower --all --mean --pairs --force --resamples --trials --seed --test --level --threads --summary --percent --digits --quiet --plugin" ;;
        "report") words="--help --output --title --columns --lower --ratings --no-drawings --mean --images --with-images --force --resamples --seed --threads --percent --digits --quiet --plugin" ;;
        "rate") words="--help --output --force --sample --by --repeat --same-references --seed --scale --ends --question --preference --models --anchors --title --source --with-images --images --metrics --gt --pred --pages --format --map --human --ratings --columns --model --tokens --allow-duplicates --quiet --plugin" ;;
        "study") words="--help --by --columns --lower --ratings --preference --spellings --all --force --resamples --seed --level --threads --plan --pairs --raters --assume --parts --summary --percent --digits --quiet --plugin" ;;
        "select") words="--help --where --worst --by --disputed --limit --mean --lower --output --force --text --json --percent --digits --quiet --plugin" ;;
        "explain") words="--help --metric --input --id --row --model --format --map --output --json --color --width --plugin" ;;
        "metrics") words="--help --json --plugin" ;;
        "tokenize") words="--help --mode --rules --graph --canonical --strict --input --plugin" ;;
        "render") words="--help --output --boxes --input --dpi --size --inline --strict --color-tokens --flat --plugin" ;;
        "documents") words="--help --output --force --inline --kind --macros --protocol --tests --gt --pred --drop-extras --seed --threads --quiet --plugin" ;;
        "train bpe") words="--help --output --words --vocab-size --min-count --alphabet --quiet --plugin" ;;
        "train embeddings") words="--help --output --dim --window --rounds --seed --quiet --plugin" ;;
        esac
    fi
    if [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        compopt -o filenames
    fi
}
complete -F _texgauge texgauge
