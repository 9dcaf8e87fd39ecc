#!/usr/bin/env python3
"""Checks `texgauge study --plan` by simulating studies themselves, pair by pair and rater by rater, and by
a published table of sample sizes.

Usage: check_plan.py TEXGAUGE
"""

import json
import math
import random
import subprocess
import sys

STUDIES = 1500


def plan(*words):
    done = subprocess.run([sys.argv[1], "study", "--plan", "--summary", "json", *words], check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout)["plan"]


def correlation(x, y):
    mx, my = sum(x) / len(x), sum(y) / len(y)
    xy = sum((a - mx) * (b - my) for a, b in zip(x, y))
    return xy / math.sqrt(sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y))


def student_two_sided(t, df):
    """P(|T| > t) by Simpson's rule."""
    steps = 400
    scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
    def density(x):
        return scale * (1 + x * x / df) ** (-(df + 1) / 2)
    h = abs(t) / steps
    inner = sum((4 if i % 2 else 2) * density(i * h) for i in range(1, steps))
    return 1 - 2 * h / 3 * (density(0) + inner + density(abs(t)))


def williams(r12, r13, r23, n):
    """Steiger (1980), Tests for comparing elements of a correlation matrix, equation 7."""
    det = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    mean = (r12 + r13) / 2
    return (r12 - r13) * math.sqrt(
        (n - 1) * (1 + r23) / (2 * (n - 1) / (n - 3) * det + mean**2 * (1 - r23) ** 3))


def simulate(rng, n, raters, noise, worth, other, between):
    """A study: what pairs are worth, what raters say of it, two metrics; three correlations."""
    rest = (between - worth * other) / math.sqrt(1 - worth**2)
    last = math.sqrt(1 - other**2 - rest**2)
    human, a, b = [], [], []
    for _ in range(n):
        q, u, v = (rng.gauss(0, 1) for _ in range(3))
        human.append(sum(q + noise * rng.gauss(0, 1) for _ in range(raters)) / raters)
        a.append(worth * q + math.sqrt(1 - worth**2) * u)
        b.append(other * q + rest * u + last * v)
    return correlation(a, human), correlation(b, human), correlation(a, b)


def check_simulation(n, raters, noise, worth, between):
    row = plan("--pairs", str(n), "--raters", str(raters), "--assume",
               f"r={worth},noise={noise},between={between}")[0]
    shrunk = math.sqrt(1 + noise**2 / raters)
    other = worth - row["difference"] * shrunk
    rng = random.Random(n)
    found = width = 0
    critical = next(t / 1000 for t in range(1900, 2400) if student_two_sided(t / 1000, n - 3) < 0.05)
    for _ in range(STUDIES):
        r12, r13, r23 = simulate(rng, n, raters, noise, worth, other, between)
        found += williams(r12, r13, r23, n) > critical
        z, half = math.atanh(r12), 1.959963984540054 / math.sqrt(n - 3)
        width += math.tanh(z + half) - math.tanh(z - half)
    power, width = found / STUDIES, width / STUDIES
    print(f"{n} pairs, {raters} raters: difference {row['difference']:.3f} is found in {power:.3f} of "
          f"simulated studies; width {row['width']:.4f}, simulated {width:.4f}")
    assert abs(row["pearson"] - worth / shrunk) < 1e-9
    assert abs(power - 0.8) < 4 * math.sqrt(0.16 / STUDIES), power
    assert abs(width - row["width"]) < 0.006, width


def check_published():
    """Bonett and Wright (2000), Sample size requirements, Psychometrika 65: for an interval of
    Pearson's coefficient that is 0.2 wide, 56 pairs at .8, 219 at .5, 378 at .1."""
    for r, n in ((0.8, 56), (0.5, 219), (0.1, 378)):
        width = plan("--pairs", str(n), "--assume", f"r={r},noise=0")[0]["width"]
        print(f"Bonett and Wright: {n} pairs at {r}: {width:.4f} wide, published 0.2")
        assert abs(width - 0.2) < 0.004, width


def main():
    check_published()
    check_simulation(50, 3, 0.65, 0.8, 0.8)
    check_simulation(100, 2, 0.9, 0.7, 0.6)
    first, again = (plan("--pairs", "60", "--assume", "r=.6,noise=1") for _ in range(2))
    assert first == again


if __name__ == "__main__":
    main()
