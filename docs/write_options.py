#!/usr/bin/env python3
"""Writes what documents say of commands and options, from the program's own tables.

Usage: write_options.py SOURCE_ROOT TEXGAUGE

docs/reference/options.md, the part of docs/texgauge.1 between its two marks, and both completions.
tests/check_docs.py compares them with what this script would write.
"""

import json
import pathlib
import re
import subprocess
import sys

BEGIN, END = '.\\" COMMANDS BEGIN\n', '.\\" COMMANDS END\n'
METRICS = """texgauge metrics --json 2>/dev/null | sed -n 's/^    "name": "\\([^"]*\\)",$/\\1/p'"""

BASH = """# bash completion for texgauge; docs/write_options.py writes it
_texgauge() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} words=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "%(names)s --help --version" -- "$word")
        return
    fi
    [ "$command" != train ] || command="train ${COMP_WORDS[2]}"
    case "$command $before" in
    "train train") words="bpe embeddings" ;;
    *" --metrics" | *" -m" | *" --add")
        local done=${word%%"${word##*,}"}
        mapfile -t COMPREPLY < <(compgen -P "$done" -W "$(%(metrics)s)" -- "${word##*,}")
        compopt -o nospace
        return
        ;;
%(choices)s
    esac
    if [ -z "$words" ] && [[ $word == -* ]]; then
        case "$command" in
%(options)s
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
"""

ZSH = """#compdef texgauge
# zsh completion for texgauge; docs/write_options.py writes it
_texgauge() {
    local -a commands options metrics
    local command=$words[2]
    commands=(
%(commands)s
    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    [[ $command != train ]] || command="train $words[3]"
    case "$command $words[CURRENT-1]" in
    "train train") _values what bpe embeddings; return ;;
    *" --metrics"|*" -m"|*" --add")
        metrics=(${(f)"$(%(metrics)s)"})
        _values -s , metric $metrics
        return
        ;;
%(choices)s
    esac
    if [[ $PREFIX == -* ]]; then
        case $command in
%(options)s
        esac
        _describe option options
        return
    fi
    _files
}
_texgauge "$@"
"""


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def summary_of(command):
    """What --help says first."""
    return f"{command['summary'][0].upper()}{command['summary'][1:]}.\n{command['description']}"


def man_part(commands):
    lines = [".SH COMMANDS\n"]
    for command in commands:
        lines.append(f".SS texgauge {command['name']}\n")
        lines.append(f".B texgauge {command['name']}\n{roff('[OPTION...] ' + command['usage'])}\n.PP\n")
        lines.append(roff(summary_of(command)).replace("\n", "\n.PP\n") + "\n")
        for option in command["options"]:
            short = f"\\-{option['letter']}\\fR, \\fB" if option["letter"] else ""
            value = f"\\fR=\\fI{roff(option['argument'])}" if option["argument"] else ""
            lines.append(f".TP\n\\fB{short}\\-\\-{roff(option['name'])}{value}\\fR\n")
            lines.append(roff(option["help"]) + "\n")
    return BEGIN + "".join(lines) + END


def man_page(root, commands):
    text = (root / "docs/texgauge.1").read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    return before + man_part(commands) + after


def option_item(option):
    letter = f"-{option['letter']}, " if option["letter"] else ""
    value = f"={option['argument']}" if option["argument"] else ""
    return f"- `{letter}--{option['name']}{value}`: {option['help']}\n"


def options_page(commands):
    """Options of several commands once, then each command with those of its own."""
    homes = {}
    for command in commands:
        for option in command["options"]:
            homes.setdefault(option_item(option), []).append(command["name"])
    parts = ["# Command line options\n\n`docs/write_options.py` writes this page. "
             "`texgauge COMMAND --help` also has examples. "
             "The [last section](#options-of-several-commands) explains the options after *Also*.\n"]
    for command in commands:
        items = [(option["name"], option_item(option)) for option in command["options"]]
        shared = ", ".join(f"`--{name}`" for name, item in items if len(homes[item]) > 1)
        also = f"\nAlso {shared}\n"
        parts.append(f"## texgauge {command['name']}\n\n    texgauge {command['name']} "
                     f"{command['usage']}\n\n{summary_of(command)}\n\n" +
                     "".join(item for _, item in items if len(homes[item]) == 1) + also)
    parts.append("## Options of several commands\n\n" +
                 "".join(item for item, names in homes.items() if len(names) > 1))
    return "\n".join(parts)


def names_of(commands):
    return list(dict.fromkeys(command["name"].split()[0] for command in commands))


def bash(commands):
    choices = [f'    "{command["name"]} --{option["name"]}") words="{" ".join(option["choices"])}" ;;'
               for command in commands for option in command["options"] if "choices" in option]
    options = []
    for command in commands:
        words = " ".join("--" + option["name"] for option in command["options"])
        options.append(f'        "{command["name"]}") words="--help {words}" ;;')
    return BASH % {"names": " ".join(names_of(commands)), "metrics": METRICS,
                   "choices": "\n".join(choices), "options": "\n".join(options)}


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh(commands):
    choices = [f'    "{command["name"]} --{option["name"]}") '
               f'_values {option["name"]} {" ".join(option["choices"])}; return ;;'
               for command in commands for option in command["options"] if "choices" in option]
    summaries = {}
    for command in commands:
        summaries.setdefault(command["name"].split()[0], command["summary"])
    options = []
    for command in commands:
        options.append(f'        "{command["name"]}") options=(')
        options += ["            " + quoted(f"--{option['name']}:{option['help']}")
                    for option in command["options"]]
        options.append("        ) ;;")
    return ZSH % {"metrics": METRICS, "choices": "\n".join(choices), "options": "\n".join(options),
                  "commands": "\n".join("        " + quoted(f"{name}:{summary}")
                                        for name, summary in summaries.items())}


def files(root, texgauge):
    """Each file that is made, with its text."""
    commands = json.loads(run(texgauge, "--options"))
    return {"docs/reference/options.md": options_page(commands),
            "docs/texgauge.1": man_page(root, commands),
            "cli/completion/texgauge.bash": bash(commands),
            "cli/completion/_texgauge": zsh(commands)}


def main():
    root = pathlib.Path(sys.argv[1])
    for name, text in files(root, str(pathlib.Path(sys.argv[2]).resolve())).items():
        (root / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
