#!/usr/bin/env python3
"""Makes a bad model: copies truths with the mistakes that formula recognition makes.

Usage: corrupt_predictions.py [--seed N] [--rate R] INPUT.json OUTPUT.json

INPUT is a list of objects with `gt`, or an object of such lists (one for each subset). OUTPUT is
the same with `pred` replaced by a damaged copy of `gt`: look-alike symbols, lost and doubled tokens,
swapped neighbors, lost scripts, and here and there an unclosed group, an unknown command or no
prediction at all. The same seed gives the same file.
"""

import argparse
import json
import random
import re

# Names of environments, columns, lengths and words are one token with their command, and stay: in
# pieces they would break what TeX reads, which is no mistake that a model makes.
GROUP = r"\s*\{(?:[^{}]|\{[^{}]*\})*\}"
WHOLE = re.compile(
    rf"\\begin\s*\{{(?:array|tabular)\*?\}}(?:\s*\[\w\])?{GROUP}|\\(?:begin|end){GROUP}"
    rf"|\\(?:[hv]space\*?|text[a-z]*|mbox|operatorname\*?|tag|label|color){GROUP}"
    r"|\\\\\s*\[[^\[\]]*\]"
)
TOKEN = re.compile(WHOLE.pattern + r"|\\[A-Za-z]+|\\.|\S")
LOOK_ALIKE = {
    "z": "2", "2": "z", "x": r"\times", r"\times": "x", "0": "o", "o": "0", "1": "l", "l": "1",
    "5": "s", "s": "5", "9": "q", "g": "9", "u": r"\mu", r"\nu": "v", "v": r"\nu", "w": r"\omega",
    r"\omega": "w", "a": r"\alpha", r"\alpha": "a", r"\gamma": "r", "r": r"\gamma", "n": r"\eta",
    "c": "C", "C": "c", "p": "P", "P": "p", r"\leq": "<", r"\geq": ">", r"\cdot": ".",
    r"\sum": r"\Sigma", r"\prod": r"\Pi", r"\in": r"\epsilon", "(": "[", ")": "]", "+": "t",
}


def damage(tokens, rng, rate):
    """One mistake or none at each token."""
    out = []
    for token in tokens:
        if token in "{}" or WHOLE.fullmatch(token) or rng.random() >= rate:
            out.append(token)
            continue
        kind = rng.random()
        if kind < 0.55 and token in LOOK_ALIKE:
            out.append(LOOK_ALIKE[token])
        elif kind < 0.7:
            if token.startswith("\\") or token in "^_&":
                out.append(token)  # a lost command would leave its arguments behind
        elif kind < 0.8:
            out += [token, token] if token not in "^_" else [token]
        elif kind < 0.9 and out and out[-1] not in "{}^_" and not out[-1].startswith("\\"):
            out.insert(len(out) - 1, token)
        else:
            out.append(token)
    return out


def corrupt(truth, rng, rate):
    """A damaged copy of a formula; None for no prediction."""
    fate = rng.random()
    if fate < 0.005:
        return None
    tokens = damage(TOKEN.findall(truth), rng, rate)
    if fate < 0.02 and "}" in tokens:
        del tokens[len(tokens) - 1 - tokens[::-1].index("}")]
    elif fate < 0.03:
        tokens.insert(rng.randrange(len(tokens) + 1), r"\unknown")
    elif fate < 0.04:
        tokens = tokens[:len(tokens) * 2 // 3]
    return " ".join(tokens)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0.12, help="mistakes per token")
    parser.add_argument("input")
    parser.add_argument("output")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with open(options.input, encoding="utf-8") as file:
        data = json.load(file)
    for rows in data.values() if isinstance(data, dict) else [data]:
        for row in rows:
            row["pred"] = corrupt(row["gt"], rng, options.rate)
    with open(options.output, "w", encoding="utf-8", newline="\n") as file:
        json.dump(data, file, ensure_ascii=False, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
