#!/usr/bin/env python3
"""Finds tests in C that assert less than they seem to.

Usage: check_asserts.py SOURCE_ROOT

A loop whose body asserts something without its own counter asserts one thing again and again; an assertion
of constants alone cannot fail; nor can a test that asserts nothing and calls no function that does, unless
its name says that something ends or finishes. A loop that repeats a call on purpose counts with `round`;
one that draws random inputs needs no counter.
"""

import pathlib
import re
import sys
import tempfile

CODE = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//[^\n]*', re.DOTALL)
LOOP = re.compile(r"\bfor \((?:[\w ]+ \**)?(\w+) = [^;]*;[^;]*;[^{;]*?(?:\+\+|--|\+= \w+)\)")
ASSERTION = re.compile(r"\b(assert_(?:true|false|\w*null|\w*equal|in_\w+|not_in_\w+)|tg_assert_near)\s*\(")
ASSERTS = re.compile(r"\b(?:\w*assert\w*|fail|fail_msg|tg_skip\w*)\b")
FUNCTION = re.compile(r"^(?:TEST\((\w+)\)|[\w *]*?\b(\w+)\([^;{}]*\))\n\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"[A-Za-z_]\w*")
CALL = re.compile(r"\b([A-Za-z_]\w*)\(")
CONSTANT = {"TRUE", "FALSE", "NULL", "NAN", "INFINITY", "sizeof", "G_N_ELEMENTS", "G_MAXUINT", "EXIT_SUCCESS"}


def blank(match):
    """A comment as spaces, a literal with nothing in it; lines stay where they are."""
    text = match[0]
    if text[0] == "/":
        return re.sub(r"[^\n]", " ", text)
    return text[0] + re.sub(r"[^\n]", "_", text[1:-1]).replace("_", "-") + text[0]


def closing(text, start):
    """The index after the bracket that closes the one at @start."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] in "({[") - (text[i] in ")}]")
        if depth == 0:
            return i + 1
    return len(text)


def body_of(text, start):
    """The statement that begins at @start, with its block."""
    while text[start].isspace():
        start += 1
    if text[start] == "{":
        return text[start : closing(text, start)]
    end = start
    while end < len(text) and text[end] != ";":
        if text[end] == "{":
            return text[start : closing(text, end)]
        end = closing(text, end) if text[end] == "(" else end + 1
    return text[start : end + 1]


def faults_of_loops(text, asserting):
    for loop in LOOP.finditer(text):
        body, counter = body_of(text, loop.end()), loop[1]
        names, called = set(NAME.findall(body)), set(CALL.findall(body))
        if names & {counter, "random"} or counter == "round":
            continue
        if ASSERTS.search(body) or called & asserting:
            yield text.count("\n", 0, loop.start()) + 1, f"the loop asserts without its counter {counter}"


def faults_of_assertions(text):
    for found in ASSERTION.finditer(text):
        inside = text[found.end() : closing(text, found.end() - 1) - 1]
        if text[: found.start()].rsplit("\n", 1)[-1].lstrip().startswith(("#", "void", "static")):
            continue
        inside = re.sub(r'"[^"]*"|\'[^\']*\'|\b\d[\w.]*', "", inside)
        names = set(NAME.findall(inside)) - CONSTANT
        if inside.strip() and not names:
            yield text.count("\n", 0, found.start()) + 1, f"{found[1]} of constants"


def functions(text):
    """(line, name, whether it is a test, body) of each function."""
    for found in FUNCTION.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, found[1] or found[2], found[1] is not None, found[3]


def check(root):
    texts = {
        path: CODE.sub(blank, path.read_text(encoding="utf-8"))
        for path in sorted((root / "tests").rglob("*.[ch]"))
    }
    # A function asserts if it calls one that does: repeated until no more are found.
    bodies = [(name, body) for text in texts.values() for _, name, is_test, body in functions(text) if not is_test]
    macros = [(m[1], m[2]) for text in texts.values()
              for m in re.finditer(r"^#define (\w+)\([^)]*\)((?:.*\\\n)*.*)", text, re.MULTILINE)]  # fmt: skip
    asserting, before = set(), -1
    while len(asserting) != before:
        before = len(asserting)
        asserting |= {name for name, body in bodies + macros
                      if ASSERTS.search(body) or asserting & set(CALL.findall(body))}  # fmt: skip
    for path, text in texts.items():
        faults = list(faults_of_loops(text, asserting)) + list(faults_of_assertions(text))
        for line, name, is_test, body in functions(text):
            if is_test and not re.search(r"_(?:ends|finishes)", name) and not ASSERTS.search(body) and not asserting & set(CALL.findall(body)):
                faults.append((line, f"{name} asserts nothing"))
        for line, what in sorted(faults):
            yield f"{path.relative_to(root)}:{line}: {what}"


def self_test():
    """The check must find what it is for."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / "tests").mkdir()
        (root / "tests/test_x.c").write_text(
            "static void check(int a)\n{\n    assert_true(a);\n}\n"
            "TEST(test_x__a)\n{\n    for (guint i = 0; i < 9; i++)\n        check(f(1));\n}\n"
            "TEST(test_x__b)\n{\n    assert_int_equal(1, 1);\n}\n"
            "TEST(test_x__c)\n{\n    f(1); /* assert */\n}\n"
            "TEST(test_x__d)\n{\n    for (guint i = 0; i < 9; i++)\n        check(f(i));\n}\n"
        )
        lines = [int(fault.split(":")[1]) for fault in check(root)]
        assert lines == [7, 12, 14], lines


def main():
    self_test()
    faults = list(check(pathlib.Path(sys.argv[1])))
    print("\n".join(faults) if faults else "asserts: every test can fail")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
