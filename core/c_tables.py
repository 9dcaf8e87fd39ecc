"""Reading of tables and writing of C, for the programs that turn tables into C when texgauge is built.

A wrong row ends the program with the file, the line and the reason.
"""

import sys


class Fault(Exception):
    """The reason why a row is wrong."""


def need(condition, message):
    if not condition:
        raise Fault(message)


def choice(value, choices, what):
    need(value in choices, f"unknown {what} '{value}': one of {' '.join(choices)}")
    return value


def at(path, number, use, argument):
    """use(argument), whose fault is one of line @number of the file."""
    try:
        return use(argument)
    except (Fault, ValueError) as fault:
        sys.exit(f"{path}:{number}: {fault}")


def each_row(path, use, comment="#", separator="\t"):
    """Call use(fields) for every row; returns [(line number, result)]. Comments and empty lines are no rows."""
    found = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if line and not line.startswith(comment):
                found.append((number, at(path, number, use, line.split(separator))))
    return found


def literal(text):
    """A string of C; of bytes only printable ASCII stays as it is."""
    if isinstance(text, bytes):
        plain = (chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in text)
        return '"' + "".join(plain) + '"'
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def braces(values):
    """An initializer."""
    return "{ " + ", ".join(map(str, values)) + " }"


def array(declaration, rows, count=None):
    """A constant array, such as "TgName tg_names", of rows as C; @count names a constant for their number."""
    name = declaration.split()[-1]
    lines = "".join(f"    {row},\n" for row in rows)
    number = f"const guint {count} = G_N_ELEMENTS({name});\n" if count else ""
    return f"const {declaration}[] = {{\n{lines}}};\n{number}"


def write(path, program, *parts):
    """The file that @program, a path in the sources, makes of the tables."""
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        out.write(f"/* Written by {program}. */\n" + "".join(parts))
