#!/usr/bin/env python3
"""No output of any command takes the place of one of its inputs, or of another output.

Usage: check_files.py TEXGAUGE

Commands and options come from `texgauge --options`, so a new option is tested as it is. CALLS has a
call of each command that writes, for what is read and written without being an argument: models of
metrics, files in folders.
"""

import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Option = dict[str, Any]

# The names by which help calls arguments that are files.
FILE_WORDS = ("FILE", "FOLDER", "DIR", "PATH", "INPUT", "RESULTS", "CORPUS")

ROWS = '{"id":"1","gt":"a+b","pred":"a+c"}\n{"id":"2","gt":"x^2","pred":"x_2"}\n'
FILES = {
    "p.jsonl": ROWS,
    "gt.txt": "a+b\nx^2\n",
    "pred.txt": "a+c\nx_2\n",
    "ratings.csv": "id,score\n1,3\n2,4\n",
    "anchors.jsonl": '{"gt":"a","pred":"b","rating":1}\n',
    "synonyms.txt": "a b\n",
    "papers/a.tex": "\\begin{equation}a+b\\end{equation}\n",
    "parsed/a.md": "$$a+c$$\n",
    "macros.tex": "\\newcommand{\\R}{r}\n",
    "corpus.txt": "a + b\nx^2 + a\na + b + x\n" * 3,
}
PREPARE = [
    "train bpe -q corpus.txt -o model",
    "train embeddings -q corpus.txt -o model --dim 2",
    "eval -q -m cdm p.jsonl -o results.jsonl",
    "documents papers -o truth.jsonl",
]


@dataclass
class Call:
    """A call that ends well, the files it reads, and those it writes."""

    words: str
    reads: list[str]
    writes: list[str]
    removes: list[str] = field(default_factory=list)  # removed before the call, from the files that PREPARE made


MODEL = ["model/tokenizer.json", "model/model.safetensors"]
CALLS = {
    "eval": [
        Call(
            "eval -q -m cdm p.jsonl --ratings ratings.csv -o r.jsonl",
            ["p.jsonl", "ratings.csv"],
            ["r.jsonl"],
        ),
        Call(
            "eval -q -m bleu:tokenize=bpe:model/tokenizer.json,texbleu:model=model,"
            "ebleu:synonyms=synonyms.txt:rare-corpus=corpus.txt p.jsonl -o r.jsonl",
            ["p.jsonl", "synonyms.txt", "corpus.txt", *MODEL],
            ["r.jsonl"],
        ),
        Call(
            "eval -q -m edit --gt gt.txt --pred M=pred.txt -o r.jsonl",
            ["gt.txt", "pred.txt"],
            ["r.jsonl"],
        ),
        Call(
            "eval -q --add texbleu:model=model results.jsonl -o r.jsonl",
            ["results.jsonl", *MODEL],
            ["r.jsonl"],
        ),
    ],
    "report": [
        Call("report -q results.jsonl -o r.html -o r.md", ["results.jsonl"], ["r.html", "r.md"])
    ],
    "rate": [
        Call(
            "rate -q results.jsonl --anchors anchors.jsonl -o rating.html",
            ["results.jsonl", "anchors.jsonl"],
            ["rating.html"],
        )
    ],
    "select": [
        Call("select -q M=results.jsonl --worst 1 -o s.jsonl", ["results.jsonl"], ["s.jsonl"])
    ],
    "explain": [
        Call("explain -m cdm --input results.jsonl --row 1 -o x.svg", ["results.jsonl"], ["x.svg"])
    ],
    "render": [
        Call(
            "render --input gt.txt -o drawn --boxes b.json",
            ["gt.txt"],
            ["drawn/1.png", "drawn/2.json", "b.json"],
        )
    ],
    "documents": [
        Call(
            "documents papers --macros macros.tex -o d.jsonl",
            ["papers/a.tex", "macros.tex"],
            ["d.jsonl"],
        ),
        Call(
            "documents --gt truth.jsonl --pred parsed -o n.jsonl",
            ["truth.jsonl", "parsed/a.md"],
            ["n.jsonl"],
        ),
    ],
    "train bpe": [
        Call(
            "train bpe -q corpus.txt -o new",
            ["corpus.txt"],
            ["new/tokenizer.json", "new/manifest.json"],
        )
    ],
    "train embeddings": [
        Call(
            "train embeddings -q corpus.txt -o model --dim 2",
            ["corpus.txt", MODEL[0]],
            [MODEL[1], "model/manifest.json"],
            [MODEL[1]],
        )
    ],
}


def same_name(path: Path) -> str:
    return path.name


def with_dot(path: Path) -> str:
    return f"./{path.name}"


def whole_path(path: Path) -> str:
    return str(path)


def symbolic_link(path: Path) -> str:
    path.with_name("symbolic").symlink_to(path.name)
    return "symbolic"


def hard_link(path: Path) -> str:
    os.link(path, path.with_name("hard"))
    return "hard"


def through_folder(path: Path) -> str:
    path.with_name("up").symlink_to(path.parent)
    return f"up/{path.name}"


# Other names by which a file can be reached.
WAYS: list[Callable[[Path], str]] = [
    same_name,
    with_dot,
    whole_path,
    symbolic_link,
    hard_link,
    through_folder,
]


class Check:
    """Runs the program, and keeps the faults."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.n = 0
        self.bad: list[str] = []

    def run(self, words: list[str], folder: Path, stdin: Path | None = None) -> tuple[int, str]:
        """The exit status of a call, and its stderr."""
        self.n += 1
        with open(stdin if stdin is not None else os.devnull, "rb") as file:
            done = subprocess.run(
                [self.program, *words],
                cwd=folder,
                stdin=file,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=100,
                check=False,
            )
        return done.returncode, done.stderr.decode(errors="replace")

    def expect(self, good: bool, what: str) -> None:
        if not good:
            self.bad.append(what)
            print(what)


def options_of(command: dict[str, Any], role: str) -> list[Option]:
    return [option for option in command["options"] if option.get("file") == role]


def check_roles(check: Check, command: dict[str, Any]) -> None:
    """Each argument that is called a file tells whether it is read or written."""
    name = command["name"]
    for option in command["options"]:
        argument = option["argument"] or ""
        check.expect(
            "file" in option or not any(word in argument for word in FILE_WORDS),
            f"{name} --{option['name']} {argument}: its table does not say what the file is",
        )
    words = command["usage"].split("--")[0].split("-o")[0]
    check.expect(
        command["words_are_files"] == any(word in words for word in FILE_WORDS),
        f"{name} {command['usage']}: words_are_files is {command['words_are_files']}",
    )
    check.expect(
        name in CALLS or not options_of(command, "output"), f"{name} writes files: add it to CALLS"
    )


def inputs_of(command: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """(what is shown, words with an F where the file goes) of each way to name an input."""
    if command["words_are_files"]:
        yield "WORD", ["F"]
        if "MODEL=" in command["usage"]:
            yield "MODEL=WORD", ["M=F"]
    for option in options_of(command, "input"):
        yield f"--{option['name']}", [f"--{option['name']}=./F"]
        if "MODEL=" in option["argument"]:
            yield f"--{option['name']} MODEL=", [f"--{option['name']}=M=F"]


def check_inputs(check: Check, command: dict[str, Any], scratch: Path) -> None:
    """No output is an argument that is an input, by any name, with --force or without."""
    force = any(option["name"] == "force" for option in command["options"])
    inputs, outputs = list(inputs_of(command)), options_of(command, "output")
    for (shown, words), output, way in itertools.product(inputs, outputs, WAYS):
        for forced in [False, True] if force and way is same_name else [force]:
            folder = Path(tempfile.mkdtemp(dir=scratch))
            file = folder / "f"
            file.write_text(ROWS)
            target = way(file)
            call = [*command["name"].split(), *(["--force"] if forced else [])]
            call += [f"--{output['name']}={target}", *(word.replace("F", "f") for word in words)]
            status, err = check.run(call, folder)
            check.expect(
                status == 2 and "is an input" in err and file.read_text() == ROWS,
                f"{' '.join(call)} ({shown}, {way.__name__}): {status} {err}",
            )
    if command["words_are_files"]:
        for output in outputs:
            folder = Path(tempfile.mkdtemp(dir=scratch))
            (folder / "f").write_text(ROWS)
            call = [*command["name"].split(), "-", f"--{output['name']}=f"]
            status, err = check.run(call, folder, folder / "f")
            check.expect(
                status == 2 and "is an input" in err and (folder / "f").read_text() == ROWS,
                f"{' '.join(call)} <f: {status} {err}",
            )


def check_outputs(check: Check, command: dict[str, Any], scratch: Path) -> None:
    """No two outputs are one file, whether it is there or not, nor both stdout."""
    outputs = options_of(command, "output")
    pairs = list(itertools.combinations(outputs, 2))
    pairs += [(option, option) for option in outputs if "repeatable" in option["help"]]
    for one, other in pairs:
        for names, there in [(("f", "./f"), False), (("f", "up/f"), True), (("-", "-"), False)]:
            folder = Path(tempfile.mkdtemp(dir=scratch))
            (folder / "up").symlink_to(folder)
            if there:
                (folder / "f").write_text(ROWS)
            call = [*command["name"].split(), f"--{one['name']}={names[0]}"]
            call += [f"--{other['name']}={names[1]}"]
            status, err = check.run(call, folder)
            check.expect(
                status == 2 and "named for two outputs" in err, f"{' '.join(call)}: {status} {err}"
            )


def new_folder(check: Check, scratch: Path, prepared: Path, call: Call) -> Path:
    folder = Path(tempfile.mkdtemp(dir=scratch)) / "in"
    shutil.copytree(prepared, folder)
    for name in call.removes:
        (folder / name).unlink()
    return folder


def check_call(
    check: Check, command: dict[str, Any], call: Call, scratch: Path, prepared: Path
) -> None:
    """Each output in turn is a link to each input, which must stay as it is."""
    folder = new_folder(check, scratch, prepared, call)
    status, err = check.run(call.words.split(), folder)
    check.expect(
        status == 0 and all((folder / name).is_file() for name in call.writes),
        f"{call.words}: {status} {err}",
    )
    force = any(option["name"] == "force" for option in command["options"])
    words = call.words.split() + (["--force"] if force else [])
    for read, written, hard in itertools.product(call.reads, call.writes, [False, True]):
        folder = new_folder(check, scratch, prepared, call)
        source, target = folder / read, folder / written
        target.parent.mkdir(exist_ok=True)
        target.unlink(missing_ok=True)
        if hard:
            os.link(source, target)
        else:
            target.symlink_to(source)
        before = source.read_bytes()
        status, err = check.run(words, folder)
        check.expect(
            status in (2, 4) and source.read_bytes() == before and os.path.samefile(source, target),
            f"{' '.join(words)} with {written} a {'hard' if hard else 'symbolic'} link to {read}: "
            f"{status} {err}",
        )


def main() -> int:
    check = Check(Path(sys.argv[1]).resolve())
    commands = json.loads(
        subprocess.run([check.program, "--options"], capture_output=True, check=True).stdout
    )

    with tempfile.TemporaryDirectory() as temporary:
        scratch = Path(temporary).resolve()
        prepared = scratch / "prepared"
        for name, text in FILES.items():
            (prepared / name).parent.mkdir(parents=True, exist_ok=True)
            (prepared / name).write_text(text)
        for line in PREPARE:
            status, err = check.run(line.split(), prepared)
            check.expect(status == 0, f"{line}: {status} {err}")
        for command in commands:
            check_roles(check, command)
            check_inputs(check, command, scratch)
            check_outputs(check, command, scratch)
            for call in CALLS.get(command["name"], []):
                check_call(check, command, call, scratch, prepared)
    print(f"{check.n} calls, {len(check.bad)} of them bad")
    return 1 if check.bad else 0


if __name__ == "__main__":
    sys.exit(main())
