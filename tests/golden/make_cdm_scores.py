#!/usr/bin/env python3
"""Writes cdm_scores.json: CDM matches and scores of invented drawings, computed without our code.

The assignment is scipy's, the sampler scikit-image's with numpy's random numbers, so this is the
official calculation from the same parts.
Run as ./make_cdm_scores.py > cdm_scores.json; made with Python 3.11.2, numpy 1.24.2, scipy 1.10.1
and scikit-image 0.19.3.
"""
import json
import random
import warnings

import numpy as np
from scipy.optimize import linear_sum_assignment
from skimage.measure import ransac

CANONICAL = {"\\left(": "(", "\\bigl(": "(", "\\cdot": ".", "\\widehat": "\\hat"}
TOLERANCE = 20


class Similarity:
    """Translation and one scale, as two points give them."""

    center = None

    def estimate(self, a, b):
        self.shift = b.mean(axis=0) - a.mean(axis=0)
        spread_a = np.linalg.norm(a - a.mean(axis=0), axis=1).mean()
        spread_b = np.linalg.norm(b - b.mean(axis=0), axis=1).mean()
        self.scale = spread_b / (spread_a + 1e-10)
        return True

    def residuals(self, a, b):
        center = a.mean(axis=0)
        return np.linalg.norm(self.scale * (a - center) + center + self.shift - b, axis=1)


def official(a, b):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ransac((a, b), Similarity, min_samples=2, residual_threshold=TOLERANCE,
                      max_trials=50, random_state=42)[1]


def in_place(a, b):
    accepted = np.full(len(a), len(a) <= 2)
    if len(a) <= 2:
        return accepted
    for _ in range(5):
        left = np.flatnonzero(~accepted)
        if len(left) <= 2:
            break
        inliers = official(a[left], b[left])
        if inliers is None:
            break
        accepted[left[inliers]] = True
    return accepted


def token_cost(x, y):
    if x == y:
        return 0.0
    return 0.005 if CANONICAL.get(x, x) == CANONICAL.get(y, y) else 1.0


def score(gt, pred):
    relative = [np.array(side["boxes"]) / np.array(side["size"] * 2) for side in (gt, pred)]
    m, n = len(gt["tokens"]), len(pred["tokens"])
    tokens = np.array([[token_cost(x, y) for y in pred["tokens"]] for x in gt["tokens"]])
    places = np.abs(relative[0][:, None] - relative[1][None]).mean(axis=2)
    order = np.abs(np.arange(m)[:, None] / max(m, n) - np.arange(n)[None] / max(m, n))
    rows, cols = linear_sum_assignment(tokens + 0.05 * places + 0.15 * order)
    a, b = (np.array(side["boxes"], float).reshape(-1, 2, 2).mean(axis=1) for side in (gt, pred))
    ok = in_place(a[rows], b[cols]) & (tokens[rows, cols] < 1)
    k = int(ok.sum())
    return {"matches": [[int(i), int(j)] for i, j in zip(rows, cols)],
            "score": {"accepted": [bool(flag) for flag in ok], "recall": round(k / m, 3),
                      "precision": round(k / n, 3), "f1": round(2 * k / (m + n), 3)}}


def invent(rng, n):
    """Glyph-like boxes along one to three lines."""
    alphabet = ["a", "b", "x", "+", "2", "(", "\\left(", "\\cdot", ".", "\\hat"]
    tokens, boxes, x, y = [], [], 7, 7
    for _ in range(n):
        width, height = rng.randint(5, 30), rng.randint(5, 40)
        tokens.append(rng.choice(alphabet))
        boxes.append([x, y, x + width, y + height])
        x += width + rng.randint(-2, 9)
        if rng.random() < 0.04:
            x, y = 7, y + 60
    return tokens, boxes


def disturb(rng, tokens, boxes):
    """Lose, rename, move and swap some elements."""
    rename = {"(": "\\bigl(", ".": "\\cdot", "\\hat": "\\widehat", "a": "b"}
    out = []
    for token, box in zip(tokens, boxes):
        dice = rng.random()
        if dice < 0.06:
            continue
        if dice < 0.2:
            token = rename.get(token, "y")
        if dice > 0.85:
            dx, dy = rng.randint(-60, 60), rng.randint(-30, 30)
            box = [box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy]
        out.append((token, box))
    if len(out) > 3 and rng.random() < 0.5:
        i = rng.randrange(len(out) - 1)
        out[i], out[i + 1] = out[i + 1], out[i]
    out = out or [("a", [7, 7, 20, 20])]
    return [t for t, _ in out], [b for _, b in out]


def side(tokens, boxes):
    right, bottom = max(b[2] for b in boxes), max(b[3] for b in boxes)
    return {"tokens": tokens, "boxes": boxes, "size": [max(right, 1) + 7, max(bottom, 1) + 7]}


rng = random.Random(2024)
cases = []
for n in (1, 2, 3, 3, 4, 5, 7, 10, 10, 14, 20, 20, 30, 30, 45, 60):
    tokens, boxes = invent(rng, n)
    gt, pred = side(tokens, boxes), side(*disturb(rng, tokens, boxes))
    cases.append({"gt": gt, "pred": pred, **score(gt, pred)})
# Two elements at one place give samples with a huge scale and with scale 0.
heap = [[7, 7, 20, 20]] * 3 + [[100, 7, 120, 20], [200, 7, 220, 20]]
row = [[7 + 40 * k, 7, 27 + 40 * k, 27] for k in range(5)]
for one, other in ((heap, row), (row, heap), (heap, heap)):
    gt, pred = side(list("abcde"), one), side(list("abcde"), other)
    cases.append({"gt": gt, "pred": pred, **score(gt, pred)})
print("[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]")
