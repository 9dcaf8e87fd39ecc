#!/usr/bin/env python3
"""Writes the golden values of the statistics (stats_*.json) from small invented data.

Coefficients, p-values and quantiles come from scipy and numpy; what they do not have is computed here
by plain loops over the definitions. Run as ./make_stats.py in this folder; made with Python 3.11.2,
numpy 1.24.2 and scipy 1.10.1.
"""
import itertools
import json
import random

import numpy as np
from scipy import stats


def write(name, records):
    with open(name, "w", encoding="utf-8", newline="\n") as out:
        out.write("[\n" + ",\n".join(json.dumps(r, separators=(",", ":")) for r in records) + "\n]\n")


def none_if_nan(value):
    return None if np.isnan(value) else float(value)


def pair_counts(metric, human, epsilon):
    counts = dict.fromkeys(["C", "D", "Th", "Tm", "Thm"], 0)
    for i, j in itertools.combinations(range(len(metric)), 2):
        metric_tied = abs(metric[i] - metric[j]) <= epsilon
        human_tied = human[i] == human[j]
        if metric_tied or human_tied:
            counts["T" + "h" * human_tied + "m" * metric_tied] += 1
        else:
            counts["C" if (metric[i] < metric[j]) == (human[i] < human[j]) else "D"] += 1
    return counts


def acc_eq(counts):
    return (counts["C"] + counts["Thm"]) / sum(counts.values())


def calibrate(groups):
    """groups: list of (metric, human)"""
    candidates = {0.0}
    for metric, _ in groups:
        candidates.update(abs(a - b) for a, b in itertools.combinations(metric, 2))
    best = (-1.0, None)
    for epsilon in sorted(candidates):
        mean = np.mean([acc_eq(pair_counts(m, h, epsilon)) for m, h in groups])
        if mean > best[0] + 1e-12:
            best = (mean, epsilon)
    return best


def correlation(name, x, y):
    pearson, spearman, tau = stats.pearsonr(x, y), stats.spearmanr(x, y), stats.kendalltau(x, y)
    asymptotic = stats.kendalltau(x, y, method="asymptotic")
    z = stats.norm.ppf(0.975)
    n = len(x)

    def interval(r, se):
        return [np.tanh(np.arctanh(r) - z * se), np.tanh(np.arctanh(r) + z * se)]

    counts = pair_counts(x, y, 0)
    accuracy, epsilon = calibrate([(x, y)])
    return {
        "id": name, "x": x, "y": y, "n": n,
        "pearson": pearson[0], "pearson_p": pearson[1],
        "spearman": spearman[0], "spearman_p": spearman[1],
        "kendall_b": tau[0], "kendall_p": tau[1], "kendall_p_asymptotic": asymptotic[1],
        "ranks_x": list(stats.rankdata(x)), "ranks_y": list(stats.rankdata(y)),
        "fisher_z_ci95_pearson": interval(pearson[0], (n - 3) ** -0.5),
        "bonett_wright_ci95_spearman": interval(
            spearman[0], ((1 + spearman[0] ** 2 / 2) / (n - 3)) ** 0.5),
        "pairwise_human_is_y": {
            "counts_eps0": counts, "acc_eq_eps0": acc_eq(counts),
            "tau23_eps0": 2 * acc_eq(counts) - 1,
            "acc_human_untied_only": counts["C"] / (counts["C"] + counts["D"] + counts["Tm"]),
            "calibrated_eps": epsilon, "acc_eq_calibrated": accuracy,
            "counts_calibrated": pair_counts(x, y, epsilon),
        },
    }


def correlations(rng):
    def series(n, digits, agreement):
        human = [rng.randint(0, 5) for _ in range(n)]
        return [round(agreement * h / 5 + rng.gauss(0, 0.3), digits) for h in human], human

    yield correlation("few ties", *series(40, 3, 1.0))
    yield correlation("many ties", *series(30, 1, 0.6))
    yield correlation("no agreement", *series(25, 2, 0.0))
    for n in (9, 33, 34):
        x = rng.sample(range(1000), n)
        yield correlation(f"no ties, n = {n}", x, [v + rng.randint(-300, 300) + v / 4000 for v in x])


rng = random.Random(20240613)
write("stats_correlation.json", correlations(rng))


def groups(rng):
    for sizes in ([5, 5, 5, 5], [2, 7, 1, 4, 3], [6, 2]):
        human = [[rng.randint(0, 3) for _ in range(n)] for n in sizes]
        metric = [[round(h / 3 + rng.gauss(0, 0.4), 2) for h in row] for row in human]
        accuracy, epsilon = calibrate([p for p in zip(metric, human) if len(p[0]) > 1])
        yield {"human": human, "metric": metric, "eps": epsilon, "acc_eq": accuracy}


list(groups(rng))  # a golden once; what follows draws the same numbers as then


def bootstrap_stat(function, n, resamples):
    theta = function(list(range(n)))
    replicates = np.array([function(rows) for rows in resamples])
    jackknife = np.array([function([k for k in range(n) if k != i]) for i in range(n)])
    d = jackknife.mean() - jackknife
    acceleration = (d**3).sum() / (6 * (d**2).sum() ** 1.5)
    z0 = stats.norm.ppf(((replicates < theta).mean() + (replicates <= theta).mean()) / 2)
    z = z0 + stats.norm.ppf([0.025, 0.975])
    levels = stats.norm.cdf(z0 + z / (1 - acceleration * z))
    percentile = np.quantile(replicates, [0.025, 0.975])
    return {
        "theta": theta, "se": replicates.std(ddof=1), "percentile": list(percentile),
        "basic": list(2 * theta - percentile[::-1]), "acceleration": acceleration,
        "bca": {"z0": z0, "levels": list(levels), "ci": list(np.quantile(replicates, levels))},
        "first_replicates": list(replicates[:3]),
    }


def bootstraps(rng):
    n = 9
    x = [rng.randint(0, 64) / 8 for _ in range(n)]  # eighths: sums are exact in any order
    y = [round(v + rng.gauss(0, 3), 2) for v in x]
    resamples = [[rng.randrange(n) for _ in range(n)] for _ in range(64)]

    def of(function):
        return bootstrap_stat(
            lambda rows: function([x[k] for k in rows], [y[k] for k in rows]), n, resamples)

    yield {
        "id": "nine items", "x": x, "y": y, "resamples": resamples,
        "stats": {
            "pearson": of(lambda a, b: stats.pearsonr(a, b)[0]),
            "spearman": of(lambda a, b: stats.spearmanr(a, b)[0]),
            "kendall_b": of(lambda a, b: stats.kendalltau(a, b)[0]),
            "mean_x": of(lambda a, b: sum(a) / len(a)),
        },
    }


write("stats_bootstrap.json", bootstraps(rng))


def pooled_ratio(rows):
    """A metric whose corpus score is not the mean of its pairs' scores."""
    matches, total = np.sum(rows, axis=0)
    return 100.0 * matches / total


def significance(rng):
    n, trials = 12, 60
    base = [[rng.randint(2, 9), 10] for _ in range(n)]
    system = [[min(10, m + rng.choice([-1, 0, 1, 2])), 10 + rng.randint(0, 2)] for m, _ in base]
    resamples = [[rng.randrange(n) for _ in range(n)] for _ in range(trials)]
    masks = [[rng.randint(0, 1) for _ in range(n)] for _ in range(trials)]
    observed = abs(pooled_ratio(system) - pooled_ratio(base))

    scores = [[pooled_ratio([s[k] for k in rows]) for rows in resamples] for s in (base, system)]
    differences = np.abs(np.subtract(scores[1], scores[0]))
    bootstrap_p = (sum(differences - differences.mean() > observed) + 1) / (trials + 1)
    ordered = sorted(scores[1])
    mixed = []
    for mask in masks:
        a = pooled_ratio([b if m else s for m, b, s in zip(mask, base, system)])
        b = pooled_ratio([s if m else b for m, b, s in zip(mask, base, system)])
        mixed.append(abs(a - b))
    randomization_p = (sum(d > observed for d in mixed) + 1) / (trials + 1)
    yield {
        "base": base, "system": system, "resamples": resamples, "masks": masks,
        "scores": [pooled_ratio(base), pooled_ratio(system)],
        "bootstrap_p": bootstrap_p, "randomization_p": randomization_p,
        "system_mean": np.mean(ordered), "system_half_width": (ordered[-2] - ordered[1]) / 2,
    }


write("stats_significance.json", significance(rng))
