# bash completion for texgauge
_texgauge() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "eval score metrics tokenize compare report select study explain render documents train --help --version" -- "$word")
        return
    fi
    case $before in
    --metrics | -m)
        local done=${word%"${word##*,}"}
        mapfile -t COMPREPLY < <(compgen -P "$done" -W "$(texgauge metrics --json 2>/dev/null |
            sed -n 's/^    "name": "\([^"]*\)",$/\1/p')" -- "${word##*,}")
        compopt -o nospace
        return
        ;;
    --summary)
        mapfile -t COMPREPLY < <(compgen -W "table json csv md latex" -- "$word")
        return
        ;;
    --delimiters)
        mapfile -t COMPREPLY < <(compgen -W "strip keep" -- "$word")
        return
        ;;
    --color)
        mapfile -t COMPREPLY < <(compgen -W "auto always never" -- "$word")
        return
        ;;
    --undefined)
        mapfile -t COMPREPLY < <(compgen -W "worst skip stop" -- "$word")
        return
        ;;
    --by)
        mapfile -t COMPREPLY < <(compgen -W "subset model" -- "$word")
        return
        ;;
    --assign)
        mapfile -t COMPREPLY < <(compgen -W "greedy optimal" -- "$word")
        return
        ;;
    --kind)
        mapfile -t COMPREPLY < <(compgen -W "latex markdown" -- "$word")
        return
        ;;
    --only)
        mapfile -t COMPREPLY < <(compgen -W "all worst:100 median:100 random:100" -- "$word")
        return
        ;;
    --words)
        mapfile -t COMPREPLY < <(compgen -W "latex whitespace byte-level metaspace" -- "$word")
        return
        ;;
    --mode)
        mapfile -t COMPREPLY < <(compgen -W "tree canonical tokens latex char codepoint words none 13a alnum chrf-words" -- "$word")
        return
        ;;
    --rules)
        mapfile -t COMPREPLY < <(compgen -W "help all none $(texgauge tokenize --rules help 2>/dev/null |
            sed 's/^\([a-z]*\).*/+\1 -\1/')" -- "$word")
        return
        ;;
    esac
    if [ "$command" = train ] && [ "$COMP_CWORD" -eq 2 ]; then
        mapfile -t COMPREPLY < <(compgen -W "bpe embeddings" -- "$word")
        return
    fi
    if [ "$command" = train ]; then
        command="train ${COMP_WORDS[2]}"
    fi
    if [[ $word == -* ]]; then
        # shellcheck disable=SC2086 # two words for train
        mapfile -t COMPREPLY < <(compgen -W "$(texgauge $command --help 2>/dev/null |
            grep -o -- '--[a-z][a-z-]*' | sort -u)" -- "$word")
        return
    fi
    compopt -o default
}
complete -F _texgauge texgauge
