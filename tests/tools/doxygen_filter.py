#!/usr/bin/env python3
"""Rewrites the GLib-style comments of a public header as doxygen reads them: doxygen_filter.py FILE

    @name: text            a parameter     @param name text
    @name                  within a text   the name in code type
    Returns:, Threads:, Source:            @return, titled paragraphs
    indented lines                         a list

Functions *_free(), *_ref() and *_unref() need no comment: they get the one that holds for all.
"""

import re
import sys

LIFETIME = re.compile(r"(?<!\*/\n)^(TG_API [^;\n]*\w+_(free|ref|unref)\((?:const )?(\w+) )", re.MULTILINE)
MEANING = {"free": "Free a \\ref {}.", "ref": "Take a reference to a \\ref {}.",
           "unref": "Drop a reference to a \\ref {}; the last one frees it."}
COMMENT = re.compile(r"/\*\*(?!<).*?\*/|/\*\*<.*?\*/", re.DOTALL)
FIRST = re.compile(r"\A/\* (.*?)\s*\*/", re.DOTALL)
LEAD = re.compile(r"^(\s*/\*\*<?|\s*\*(?!/))[ ]?", re.DOTALL)


def rewrite_line(line):
    """One line of a comment, its leading asterisk included."""
    lead = LEAD.match(line)
    head, text = (lead.group(0), line[lead.end():]) if lead else ("", line)
    param = re.match(r"@(\w+):\s*(.*)", text)
    if param:
        return f"{head}@param {param[1]} {rewrite_text(param[2])}"
    title = re.match(r"(Returns|Threads|Source):\s*(.*)", text)
    if title and title[1] == "Returns":
        return f"{head}@return {rewrite_text(title[2])}"
    if title:
        return f"{head}@par {title[1]}\n{head}{rewrite_text(title[2])}"
    item = re.match(r"  (TG_ERROR_\w+(?:, TG_ERROR_\w+)*)\s+(.*)", text)
    if item:
        return f"{head}  - {item[1]}: {rewrite_text(item[2])}"
    item = re.match(r'("[\w:-]+")  (.*)', text)
    if item:
        return f"{head}- {item[1]}: {rewrite_text(item[2])}"
    return head + rewrite_text(text)


def rewrite_text(text):
    text = re.sub(r"(?<![\w\\])@(\w+)", r"<code>\1</code>", text)
    return re.sub(r"\\(?=[a-z\[\]()])", r"\\\\", text)


def rewrite_comment(match):
    lines = [rewrite_line(line) for line in match.group(0).split("\n")]
    return "\n".join(lines)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    first = FIRST.match(text)
    if first:
        text = f"/** @file\n * {first[1].lstrip()}\n */" + text[first.end():]
    text = COMMENT.sub(lambda m: m.group(0) if "@file" in m.group(0) else rewrite_comment(m), text)
    print(LIFETIME.sub(lambda m: f"/** {MEANING[m[2]].format(m[3])} */\n{m[1]}", text), end="")


if __name__ == "__main__":
    main()
