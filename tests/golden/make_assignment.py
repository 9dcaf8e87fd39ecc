#!/usr/bin/env python3
"""Writes assignment.tsv: what scipy's linear_sum_assignment makes of small matrices full of ties.

Run as ./make_assignment.py > assignment.tsv; made with scipy 1.10.1 and numpy 1.24.2.
"""
import numpy
from scipy.optimize import linear_sum_assignment


def costs(seed, rows, cols, levels):
    """Row by row from Knuth's linear congruential generator, `levels` different costs."""
    state, values = seed, []
    for _ in range(rows * cols):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        values.append(((state >> 33) % levels) / 8)
    return numpy.array(values).reshape(rows, cols)


print("# seed, rows, columns, number of cost levels, column of every row (- for none)")
shapes = [(1, 1), (2, 3), (3, 2), (4, 4), (5, 9), (9, 5), (8, 8), (12, 12), (20, 17), (17, 20)]
for seed, (rows, cols) in enumerate(shapes * 4):
    levels = (2, 3, 5, 100)[seed // len(shapes)]
    found = dict(zip(*linear_sum_assignment(costs(seed, rows, cols, levels))))
    print(seed, rows, cols, levels,
          " ".join(str(found.get(row, "-")) for row in range(rows)), sep="\t")
