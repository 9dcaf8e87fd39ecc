#!/usr/bin/env python3
"""Runs a transcript of commands and compares what they write.

Usage: run_transcript.py [--refresh] TRANSCRIPT

A transcript (tests/cli/NAME.test) has lines of these kinds:

  # text             for the reader
  ## statement       a test begins, in an empty folder of its own; commands before the first one run in each
  $ command          for bash, which also has the function `terminal 'COMMAND'`: the command on a terminal
  > more             the next line of the command
  | line             of standard output
  ! line             of standard error
  ? 3                the exit status, where it is not 0

In an expected line "..." stands for any text; a line of "..." alone for any number of lines. The program is
`texgauge` and $TEXGAUGE, the sources are $SOURCE, and $PLUGIN is a plugin. "$ skip unless CONDITION" ends a test where
the condition fails; so does `terminal` where none can be opened, as in a chroot without devpts. --refresh writes what the commands write now over each expectation that it does not meet.
"""

import difflib
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

# Versions of metrics and checksums, because they change with changes that other tests check.
CHANGING = re.compile(r'(\bv(?=\d+[;.])|\|v:(?=\d)|"crc":"(?=\w))\w+')
SOURCE = Path(__file__).resolve().parents[2]
PREAMBLE = r"""
terminal() { python3 -c 'import pty, sys; sys.exit(pty.spawn(["bash", "-c", sys.argv[1]]) >> 8)' "$1"; }
"""


def has_terminals():
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError:
        return False
    return True


class Command:
    """A command, its expectation as lines with their marks, and the lines of the transcript up to its end."""

    def __init__(self, text):
        self.text, self.expected, self.lead = text, [], []


class Section:
    def __init__(self, name):
        self.name, self.commands, self.tail = name, [], []


def parse(path):
    """The sections of a transcript; the first one has what stands before any test."""
    sections, lead = [Section(None)], []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        commands = sections[-1].commands
        if line.startswith("## "):
            sections[-1].tail = lead
            sections.append(Section(line[3:]))
            lead = []
        elif line.startswith("$ "):
            commands.append(Command(line[2:]))
            commands[-1].lead, lead = lead, []
        elif re.match(r">( |$)", line) and commands and not commands[-1].expected and not lead:
            commands[-1].text += "\n" + line[2:]
        elif re.match(r"[|!]( |$)|\? \d+$", line) and commands and not lead:
            commands[-1].expected.append(line)
        elif line == "" or line.startswith("#"):
            lead.append(line)
        else:
            sys.exit(f"{path}:{number}: a line of no kind: {line}")
    sections[-1].tail = lead
    return sections


def unparse(sections):
    lines = []
    for section in sections:
        lines += [f"## {section.name}"] if section.name else []
        for command in section.commands:
            lines += command.lead
            lines += [("> " if i else "$ ") + line for i, line in enumerate(command.text.split("\n"))]
            lines += command.expected
        lines += section.tail
    return "\n".join(line.rstrip() if line[:1] in ">|!" and len(line) < 3 else line for line in lines)


def pattern(expected):
    """A regular expression for the expected lines."""
    parts = []
    for line in expected:
        if line[2:] == "..." and line[0] in "|!":
            parts.append(rf"(?:{re.escape(line[0])}(?: .*)?\n)*")
        else:
            parts.append("[^\n]*".join(re.escape(part) for part in line.split("...")) + r"\n")
    return re.compile("".join(parts))


def marked(mark, text):
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    else:
        lines[-1] += "\\"  # the last output has no end of line
    return [f"{mark} {line}" if line else mark for line in lines]


def run(command, folder, environment):
    """What a command writes, as marked lines."""
    done = subprocess.run(["bash", "-c", PREAMBLE + command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, check=False)  # fmt: skip
    lines = []
    for mark, data in ("|", done.stdout), ("!", done.stderr):
        text = data.decode("utf-8", errors="backslashreplace")
        text = text.replace(str(SOURCE), "$SOURCE").replace(str(folder), "$T")
        lines += marked(mark, text.replace("\r", "\\r").replace("\033", "\\e"))
    if done.returncode != 0:
        status = done.returncode if done.returncode > 0 else 128 - done.returncode
        lines.append(f"? {status}")
    return lines


def differences(command, got):
    if pattern(command.expected).fullmatch("".join(line + "\n" for line in got)):
        return []
    return [f"$ {command.text}", *difflib.unified_diff(command.expected, got, "expected", "now", lineterm="", n=9)]


def check(section, set_up, environment, refresh):
    """(faults, reason to skip) of a test."""
    faults = []
    if any(re.search(r"\bterminal ", command.text) for command in section.commands) and not has_terminals():
        return faults, "no terminal can be opened here"
    with tempfile.TemporaryDirectory(prefix="texgauge-test-") as folder:
        folder = os.path.realpath(folder)
        for command in set_up + section.commands:
            if command.text.startswith("skip unless "):
                condition = command.text.removeprefix("skip unless ")
                if run(condition, folder, environment)[-1:] != [] and "? " in run(condition, folder, environment)[-1]:
                    return faults, condition
                continue
            got = run(command.text, folder, environment)
            found = differences(command, got)
            if found and refresh:
                command.expected = [CHANGING.sub(r"\1...", line) for line in got]
            faults += found
    return faults, None


def main():
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup sets SIGHUP to be ignored, but some tests send it
    refresh = "--refresh" in sys.argv[1:]
    path = Path([word for word in sys.argv[1:] if not word.startswith("--")][0])
    sections = parse(path)
    set_up, tests = sections[0].commands, sections[1:]
    failed = False
    with tempfile.TemporaryDirectory(prefix="texgauge-bin-") as bin_folder:
        program = os.path.realpath(os.environ["TEXGAUGE"])
        os.symlink(program, Path(bin_folder) / "texgauge")
        environment = os.environ | {
            "PATH": f"{bin_folder}:{os.environ['PATH']}", "SOURCE": str(SOURCE), "LC_ALL": "C.UTF-8",
            "TEXGAUGE": program, "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip
        print(f"TAP version 13\n1..{len(tests)}")
        for i, section in enumerate(tests, 1):
            faults, skipped = check(section, set_up, environment, refresh)
            failed = failed or bool(faults)
            print(f"{'not ok' if faults else 'ok'} {i} - {section.name}" + (f" # SKIP {skipped}" if skipped else ""))
            for line in "\n".join(faults).split("\n") if faults else []:
                print(f"# {line}")
            sys.stdout.flush()
    if refresh and failed:
        path.write_text(unparse(sections), encoding="utf-8")
    return 1 if failed and not refresh else 0


if __name__ == "__main__":
    sys.exit(main())
