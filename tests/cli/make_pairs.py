#!/usr/bin/env python3
"""Prints N pairs as JSON lines: two models, two subsets, and every 50th prediction is null.

Usage: make_pairs.py N
"""

import json
import sys

for i in range(int(sys.argv[1])):
    row = {"id": f"f{i}", "model": ["first", "second"][i % 2], "subset": "short" if i % 3 else "long"}
    row["gt"] = rf"\frac{{a_{{{i % 17}}}}}{{b}} + \alpha^{{{i % 5}}}"
    row["pred"] = None if i % 50 == 49 else rf"\frac{{a_{{{i % 13}}}}}{{b}} + \alpha^{i % 7}"
    print(json.dumps(row))
