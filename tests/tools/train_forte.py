#!/usr/bin/env python3
"""Learns the prices of FORTE's events from rated pairs (docs/metrics/forte.md, "Training").

Usage: train_forte.py TEXGAUGE RATED [--people PAIRS RATINGS] [--write TABLE] [--kept N]
       [--ablate KIND] [--worst N] [--old TEXGAUGE] [--prices]

RATED has a JSON object a line: id, source, gt, pred, rating (0 to 10). The events are those that
TEXGAUGE finds, whatever its prices. --people adds 100 pairs that are never learned from; their
ratings set the level of `low` and `high`. --write puts the prices, fitted on all pairs, into TABLE
(datasets/forte-prices.tsv). --ablate leaves out each row of a kind (type, context, pair) in turn.
--old compares with another build. --prices prints what one event makes of a formula of 15 symbols, for
the documents.

The model: rating = 10 (1 + S/k)^-k, S = (25 / (size + 10))^a times the sum over the events of
price of the type x factors of the contexts x n^power of the class. Logarithms of prices are drawn
toward those of their class; rows that matter least are dropped, in each fold by its own pairs.
"""
import argparse
import collections
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

RIDGE = {"class": .05, "type": 6, "context": 6, "power": 6, "pair": 18}
PRIOR_A, PRIOR_K, FOLDS = .78, .73, 10
COMMON = 12  # maximum number of examples of a type that the documents show


# One price for losing a symbol and for reading it as another, so that adding text in place of a lost symbol is no gain.
AS = {"letter-lost": "letter", "cross-alphabet": "letter", "operator-lost": "operator",
      "relation": "operator", "symbol-lost": "symbol", "letter-symbol": "letter",
      "operand-operator": "operator"}


class Table:
    def __init__(self, path):
        self.lines = [line.rstrip("\n") for line in open(path, encoding="utf-8")]
        self.rows = [line.split("\t") for line in self.lines if line and line[0] != "#"]
        self.class_of = {row[1]: row[2] for row in self.rows if row[0] == "type"}
        self.contexts = [row[1] for row in self.rows if row[0] == "context"]
        self.pairs = {frozenset(row[1].split()): row[1] for row in self.rows if row[0] == "pair"}


class Pair:
    """A rated pair: for each event the rows of the table that make its price."""

    def __init__(self, row, detail, table):
        self.id, self.rating = row["id"], row.get("rating")
        self.source, self.why = row.get("source", ""), row.get("why", "")
        self.gt, self.pred = row["gt"], row["pred"]
        self.group = re.sub(r"\s|\\[,;!]|[{}]", "", row["gt"])
        self.size, self.events, self.kinds = detail["size"], [], []
        self.low, self.high = bounds(detail["symbols"], detail["symbols"] - detail["unread"],
                                     detail["foreign"] / (detail["weight"] or 1))
        names = collections.defaultdict(list)
        for event, _, ref, hyp, *_ in detail["edits"]:
            names[event].append((ref, hyp))
        self.fixed = 0  # prices that follow from others: a stretch costs as much as its dearest part
        for number, (kind, _, price, n, contexts) in enumerate(detail["events"], 1):
            if "stretch" in contexts:
                self.fixed += price
                continue
            group = table.class_of[AS.get(kind, kind)]
            x = {("class", group): 1., ("type", AS.get(kind, kind)): 1.}
            x.update((("context", context), 1.) for context in contexts)
            if n > 1:
                x["power", group] = float(np.log(n))
            name = table.pairs.get(frozenset(names[number][0])) if len(names[number]) == 1 else None
            if name:
                x["pair", name] = 1.
            self.events.append(x)
            self.kinds.append(kind)
        self.nothing = any(kind == "nothing-read" for kind in self.kinds)


def bounds(symbols, read, foreign):
    """The bounds of a score at any prices, as in tg_forte_score()."""
    if symbols == 0:
        return 0, 1
    if read == 0:
        return 0, 0
    guess = .5 / (symbols - .5) if symbols > 1 else 1
    low, high = (0, guess) if read < 2 else (guess, (read - .5) / (symbols - .5))
    most = read / (read + foreign * symbols)
    return min(low, most), min(high, most)


def read(texgauge, rows, table):
    """The pairs as the program sees them, and its scores."""
    with tempfile.TemporaryDirectory() as folder:
        data, out = f"{folder}/rated.jsonl", f"{folder}/out.jsonl"
        with open(data, "w", encoding="utf-8") as file:
            for row in rows:
                file.write(json.dumps({key: row[key] for key in ("id", "gt", "pred")}) + "\n")
        detail = ["--detail"] if table else []
        subprocess.run([texgauge, "eval", "-m", "forte", *detail, "--quiet", "-f", "jsonl", "-o",
                        out, data], check=True, stdout=subprocess.DEVNULL)
        found = {row["id"]: row for row in map(json.loads, open(out, encoding="utf-8"))
                 if "scores" in row}
    rows = [row for row in rows if row["id"] in found]
    scores = np.array([found[row["id"]]["scores"]["forte"] for row in rows])
    if table is None:
        return rows, scores
    return [Pair(row, found[row["id"]]["detail"]["forte"], table) for row in rows], scores


class Model:
    """Prices of the rows, fitted to pairs."""

    def __init__(self, kept=None, without=()):
        self.kept, self.without = kept, set(without)

    def matrix(self, pairs):
        at, owner = [], []
        for p, pair in enumerate(pairs):
            for x in pair.events:
                at.extend((len(owner), self.columns[key], value) for key, value in x.items()
                          if key in self.columns)
                owner.append(p)
        e, j, v = zip(*at) if at else ((), (), ())
        return csr_matrix((v, (e, j)), shape=(len(owner), len(self.columns))), np.array(owner, int)

    def fit(self, pairs):
        counts = collections.Counter(key for pair in pairs for x in pair.events for key in x)
        keys = sorted(key for key, n in counts.items()
                      if key[0] == "class" or (n >= (4 if key[0] == "type" else 2)
                                               and key not in self.without))
        self.fit_columns(pairs, keys)
        for step in (1, 2) if self.kept and self.kept < len(keys) else ():
            n = round(len(keys) * (self.kept / len(keys)) ** (step / 2))
            x, _ = self.matrix(pairs)
            prices = np.exp(np.clip(x @ self.w + self.base, -8, 4))
            effect = np.abs(self.w) * np.sqrt(x.power(2).T @ np.minimum(prices, 1) ** 2)
            order = sorted(self.columns, key=lambda key: (key[0] != "class",
                                                          -effect[self.columns[key]], key))
            self.fit_columns(pairs, sorted(order[:n]))
        return self

    def fit_columns(self, pairs, keys):
        self.columns = {key: j for j, key in enumerate(keys)}
        pairs = [pair for pair in pairs if not pair.nothing]
        x, owner = self.matrix(pairs)
        m = len(keys)
        ridge = np.array([RIDGE[key[0]] for key in keys])
        rating = np.array([pair.rating for pair in pairs])
        low, high = limits(pairs)
        fixed = np.array([pair.fixed for pair in pairs])
        size = np.log((np.array([pair.size for pair in pairs]) + 10) / 25)
        xt = x.T.tocsr()

        def loss(theta):
            w, base, a, k = theta[:m], theta[m], theta[m + 1], np.exp(theta[m + 2])
            prices = np.exp(np.clip(x @ w + base, -8, 4))
            s = (np.bincount(owner, prices, len(pairs)) + fixed) * np.exp(-a * size)
            b = 1 + s / k
            score = b ** -k
            r = (10 * np.clip(score, low, high) - rating)
            free = (score >= low) & (score <= high)
            loss_of_all = (r * r).sum()
            r = np.where(free, r, 0)
            ds = -20 * r * b ** (-k - 1)
            ge = (ds * np.exp(-a * size))[owner] * prices
            return (loss_of_all + (ridge * w * w).sum() + .1 * base ** 2
                    + 20 * (a - PRIOR_A) ** 2 + 20 * (theta[m + 2] - np.log(PRIOR_K)) ** 2,
                    np.concatenate([xt @ ge + 2 * ridge * w,
                                    [ge.sum() + .2 * base,
                                     (ds * s * -size).sum() + 40 * (a - PRIOR_A),
                                     (20 * r * score * (s / b - k * np.log(b))).sum()
                                     + 40 * (theta[m + 2] - np.log(PRIOR_K))]]))

        start = np.concatenate([np.zeros(m), [-.4, PRIOR_A, np.log(PRIOR_K)]])
        theta = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 400}).x
        self.w, self.base, self.a, self.k = theta[:m], theta[m], theta[m + 1], np.exp(theta[m + 2])

    def predict(self, pairs):
        x, owner = self.matrix(pairs)
        s = np.bincount(owner, np.exp(np.clip(x @ self.w + self.base, -8, 4)), len(pairs))
        s = (s + [pair.fixed for pair in pairs]) * ((np.array([pair.size for pair in pairs]) + 10) / 25) ** -self.a
        out = 10 * np.clip((1 + s / self.k) ** -self.k, *limits(pairs))
        return np.where([pair.nothing for pair in pairs], 0, out)


def limits(pairs):
    return np.array([pair.low for pair in pairs]), np.array([pair.high for pair in pairs])


def r(a, b):
    return float(np.corrcoef(a, b)[0, 1])


def folds_by(pairs, seed):
    """The fold of each pair; pairs with the same reference are in the same fold."""
    return np.array([int(hashlib.md5(f"{seed} {pair.group}".encode()).hexdigest(), 16) % FOLDS
                     for pair in pairs])


def predict_by(pairs, folds, **options):
    out = np.zeros(len(pairs))
    for fold in sorted(set(folds)):
        inside = folds == fold
        model = Model(**options).fit([p for p, i in zip(pairs, inside) if not i])
        out[inside] = model.predict([p for p, i in zip(pairs, inside) if i])
    return out


def best_constant(texgauge, rows, most=100):
    """The one prediction that scores best against all references: of single symbols and of
    references and predictions of every length."""
    texts = sorted({row[side] for row in rows for side in ("gt", "pred")}, key=lambda t: (len(t), t))
    texts = [*"=x+-1a(i2n,", *texts[::max(1, len(texts) // most)]]
    asked = [{"id": f"{c} {number}", "gt": row["gt"], "pred": text}
             for c, text in enumerate(texts) for number, row in enumerate(rows)]
    found, scores = read(texgauge, asked, None)
    sums, counts = np.zeros(len(texts)), np.zeros(len(texts))
    for row, score in zip(found, scores):
        c = int(row["id"].split()[0])
        sums[c] += score
        counts[c] += 1
    means = sums / np.maximum(counts, 1)
    best = int(np.argmax(means))
    print(f"best constant prediction {means[best]:.4f}: {texts[best]}  (of {len(texts)}; "
          f"the best single symbol {means[:11].max():.4f})")


def bootstrap(ratings, scores, n=1000):
    random = np.random.default_rng(1)
    values = [r(ratings[i], scores[i]) for i in
              (random.integers(0, len(ratings), len(ratings)) for _ in range(n))]
    return np.quantile(values, (.025, .975))


def show(name, ratings, scores):
    low, high = bootstrap(ratings, scores)
    print(f"{name:42} {r(ratings, scores):.4f}  [{low:.3f}, {high:.3f}]  n {len(ratings)}")


def read_people(texgauge, paths, table):
    pairs = {row["id"]: row for row in map(json.loads, open(paths[0], encoding="utf-8"))}
    ratings = [row for row in map(json.loads, open(paths[1], encoding="utf-8"))
               if row["id"] in pairs]
    found, scores = read(texgauge, [pairs[row["id"]] for row in ratings], table)
    raters = {row["id"]: row for row in ratings}
    return found, scores, raters


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("texgauge")
    parser.add_argument("rated")
    parser.add_argument("--people", nargs=2)
    parser.add_argument("--table", default="datasets/forte-prices.tsv")
    parser.add_argument("--write")
    parser.add_argument("--kept", type=int, default=400)
    parser.add_argument("--ablate")
    parser.add_argument("--worst", type=int, default=0)
    parser.add_argument("--old")
    parser.add_argument("--prices", action="store_true")
    parser.add_argument("--quick", action="store_true", help="cross-validation alone")
    args = parser.parse_args()
    table = Table(args.write or args.table)
    if args.prices:
        return print_prices(table)
    rows = [json.loads(line) for line in open(args.rated, encoding="utf-8")]
    pairs, scores = read(args.texgauge, rows, table)
    ratings = np.array([pair.rating for pair in pairs])
    source = np.array([pair.source for pair in pairs])
    simulated = source == "type-simulated"
    options = {"kept": args.kept}
    found = np.mean([predict_by(pairs, folds_by(pairs, seed), **options) for seed in (0, 1)], 0)
    show("cross-validated by truth", ratings, found)
    if simulated.any():
        show("  of these type-simulated", ratings[simulated], found[simulated])
        show("  all others", ratings[~simulated], found[~simulated])
    if args.quick:
        return report_worst(args, pairs, found)
    show("one source left out at a time", ratings, predict_by(pairs, source, **options))
    show("this build, with the prices it has", ratings, 10 * scores)
    if args.old:
        _, old = read(args.old, rows, None)
        show("the other build", ratings, 10 * old)
        show("  of these type-simulated", ratings[simulated], 10 * old[simulated])
    model = Model(**options).fit(pairs)
    people = people_figures(args, model, table) if args.people else None
    best_constant(args.texgauge, rows)
    if args.write:
        write(args.write, table, model, pairs, people)
    report_worst(args, pairs, found)
    if args.ablate:
        ablate(args, pairs, ratings, found, options)


def people_figures(args, model, table):
    """Prints the figures on people's pairs; the level and width of `low` and `high`."""
    found, now, raters = read_people(args.texgauge, args.people, table)
    mean = np.array([np.mean(raters[pair.id]["raters"]) for pair in found])
    fourth = np.array([raters[pair.id]["rater4"] for pair in found], float)
    scores = model.predict(found)
    show("people's pairs, mean of three", mean, scores)
    show("people's pairs, the fourth", fourth, scores)
    show("people's pairs, the prices this build has", mean, 10 * now)
    errors = np.array([bool(pair.events) for pair in found])
    rating, score = mean[errors] / 10, scores[errors] / 10
    level = minimize(lambda t: ((score ** np.exp(t[0]) - rating) ** 2).sum(), [0.]).x[0]
    level = round(float(np.exp(level)), 2)
    rest = np.sort(rating - score ** level)
    place = .05 * (len(rest) + 1)  # of a pair more
    low, high = -rest[int(place) - 1], rest[-int(place)]
    inside = cross_validate_interval(rating, score)
    print(f"level: score ^ {level}, low {low:.3f}, high {high:.3f}; cross-validated "
          f"{100 * inside:.1f} % of {errors.sum()} pairs with errors inside")
    return {"level": level, "low": low, "high": high}


def cross_validate_interval(rating, score):
    """The share of ratings inside intervals that the other nine tenths gave."""
    inside = []
    for seed in range(10):
        order = np.random.default_rng(seed).permutation(len(rating))
        for fold in range(10):
            out = order[fold::10]
            rest = np.setdiff1d(order, out)
            t = minimize(lambda t: ((score[rest] ** np.exp(t[0]) - rating[rest]) ** 2).sum(),
                         [0.]).x[0]
            errors = np.sort(rating[rest] - score[rest] ** np.exp(t))
            place = int(.05 * (len(errors) + 1))
            left = rating[out] - score[out] ** np.exp(t)
            inside.extend((left >= errors[place - 1]) & (left <= errors[-place]))
    return np.mean(inside)


def write(path, table, model, pairs, people):
    """The table with the prices of the model; a row that was dropped has its class's price, or 1."""
    counts = collections.Counter(key for pair in pairs for x in pair.events for key in x)
    weight = {key: model.w[j] for key, j in model.columns.items()}
    constants = {"steepness": model.k, "size": model.a, **(people or {})}

    def value(row):
        what, name, group = row[:3]
        if what == "constant" and name in constants:
            return f"{constants[name]:.4g}", ""
        if what == "class":
            return f"{max(weight.get(('power', name), 0), 0):.3g}", str(counts["class", name])
        if what == "type":
            name = AS.get(name, name)
            n = counts["type", name]
            group = table.class_of[name]
            own = weight.get(("type", name), 0) if n >= 4 else 0
            return f"{np.exp(model.base + weight.get(('class', group), 0) + own):.3g}", str(n)
        if what in ("context", "pair"):
            return f"{np.exp(weight.get((what, name), 0)):.3g}", str(counts[what, name])
        return row[3], row[4]

    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for line in table.lines:
            row = line.split("\t")
            if line and line[0] != "#":
                row[3:5] = value(row)
            file.write("\t".join(row) + "\n")


def print_prices(table):
    k = next(float(row[3]) for row in table.rows if row[:2] == ["constant", "steepness"])
    print("| class | score of 10 with one such error |\n|---|---|")
    for name in (row[1] for row in table.rows if row[0] == "class"):
        groups = collections.defaultdict(list)
        for row in table.rows:
            if row[0] == "type" and row[2] == name and int(row[4]) >= COMMON:
                common = re.search(r" (lost or added|read as another)$|$", row[5])
                left = f"{10 * (1 + float(row[3]) / k) ** -k:.1f}"
                groups[common[1] or ""].append((left, row[5][:common.start()]))
        texts = []
        for common, found in sorted(groups.items()):
            prices = ", ".join(f"{text} {left}" for left, text in sorted(found))
            texts.append(f"{common}: {prices}" if common else prices)
        print(f"| {name} | {'; '.join(texts)} |")


def ablate(args, pairs, ratings, found, options):
    """Prints the loss of the cross-validated figure without each row of a kind."""
    folds = folds_by(pairs, 0)
    counts = collections.Counter(key for pair in pairs for x in pair.events for key in x)
    base = r(ratings, predict_by(pairs, folds, **options))
    for key in sorted(key for key in counts if key[0] == args.ablate):
        loss = base - r(ratings, predict_by(pairs, folds, without=[key], **options))
        print(f"{key[1]:24} {counts[key]:5} {loss:+.5f}")


def report_worst(args, pairs, found):
    ratings = np.array([pair.rating for pair in pairs])
    for i in sorted(range(len(pairs)), key=lambda i: -abs(found[i] - ratings[i]))[:args.worst]:
        pair = pairs[i]
        print(f"{pair.id} {pair.rating:.1f} {found[i]:.1f} {' '.join(pair.kinds)}\n  {pair.why}\n"
              f"  {pair.gt}\n  {pair.pred}")


if __name__ == "__main__":
    main()
