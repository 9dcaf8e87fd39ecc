// Charts of the page: each is made again from what is shown. Models differ in color and shape.

const SHAPES = [(x, y) => `M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0-8 0`,
                (x, y) => `M${x - 3.6} ${y - 3.6}h7.2v7.2h-7.2z`,
                (x, y) => `M${x} ${y - 5}l4.6 8.4h-9.2z`,
                (x, y) => `M${x} ${y - 5}l4.6 5l-4.6 5l-4.6-5z`];
const point = (model, x, y) =>
    draw("path", { class: `m${model % 7}`, d: SHAPES[model % 4](x, y) });
const swatch = (model) => draw("svg", { class: "swatch", viewBox: "0 0 12 12", "aria-hidden": "true" },
                               point(model, 6, 6));
const modelLabel = (model) => make("span", { class: modelName(model).length > 16 ? "model long" : "model" },
                                   swatch(model), modelName(model));

const table = (attributes, heads, ...body) =>
    make("table", attributes,
         make("thead", {}, make("tr", {}, ...heads.map((head, i) => make(
             "th", { scope: "col", class: i === 0 ? "key" : "" }, head)))),
         make("tbody", {}, ...body));
const cells = (key, ...rest) => make("tr", {}, make("th", { scope: "row", class: "key" }, key),
    ...rest.map((cell) => cell instanceof HTMLTableCellElement ? cell : make("td", {}, cell)));

// ---- models by metric ----

// The values of the models in a subset ("" for all): [value, low, high, mark, p, gap, ...] each.
const pooled = (subset) => summary.blocks.find(
    (block) => block.subset === (subset === "" ? -1 : Number(subset))) ?? summary.blocks[0];

// With other filters the pooled value is not known: the mean of the pairs with its interval.
const meanOf = (model, column) => {
    let n = 0, sum = 0, squares = 0;
    for (const { scores } of shownBy[model]) {
        n += scores[column] !== null;
        sum += scores[column] ?? 0;
    }
    if (n === 0)
        return [null, null, null, 0, null];
    const m = sum / n;
    for (const { scores } of shownBy[model])
        squares += scores[column] === null ? 0 : (scores[column] - m) ** 2;
    const spread = Math.sqrt(squares / Math.max(n - 1, 1) / n);
    return [m, m - 1.96 * spread, m + 1.96 * spread, 0, null];
};
const valueOf = (model, column, subset = filters.subset) =>
    isPlain() ? pooled(subset).models[model].values[column] : meanOf(model, column);

// The models that charts compare. Of many, such as the runs of some weeks, the last ones: the
// leaderboard has all.
const MOST = 6;
const usedModels = () => filters.model !== "" ? [Number(filters.model)]
    : models.map((_, m) => m).slice(-MOST);

const WIDTH = 260, ROW = 13;

const dots = (column, values) => {
    const known = values.filter(([, value]) => value[0] !== null);
    const ends = known.flatMap(([, value]) => [value[0], value[1] ?? value[0], value[2] ?? value[0]]);
    const alone = values.length === 1 && column.share; // nothing to compare: from 0 to 1
    const low = alone ? 0 : Math.min(...ends), high = alone ? 1 : Math.max(...ends);
    const range = high - low || 1;
    const x = (value) => 8 + (value - low) / range * (WIDTH - 16);
    const height = ROW * values.length + 4;
    const label = `${column.name}: ` + known.map(([m, [value, from, to]]) =>
        `${modelName(m)} ${number(value, column)} (${number(from, column)} to ${number(to, column)})`)
        .join("; ");
    const image = draw("svg", { class: "dots", viewBox: `0 0 ${WIDTH} ${height}`, role: "img",
                         "aria-label": label },
        ...[0, 0.25, 0.5, 0.75, 1].map((share) => draw("line", {
            class: "grid", x1: 8 + share * (WIDTH - 16), x2: 8 + share * (WIDTH - 16), y1: 0,
            y2: height })),
        ...values.flatMap(([m, [value, from, to]], i) => {
            const y = ROW * i + ROW / 2 + 2;
            return value === null ? [] : [
                from === null ? null : draw("line", { class: `interval m${m % 7}`, x1: x(from),
                                                      x2: x(to), y1: y, y2: y }),
                point(m, x(value), y)];
        }).filter((part) => part !== null));
    return [image, make("div", { class: "ends" }, ...[low, low + range].map(
        (value) => make("small", {}, number(value, column))))];
};

const arrow = (column) => `${column.name} ${column.lower ? "↓" : "↑"}`;

// Many models, in the order of their files: a row each, and lines that show how each metric went.
const drawBoard = () => {
    const all = models.map((_, m) => m), known = pooled(filters.subset);
    const lines = columns.map((column, c) => {
        const values = all.map((m) => known.models[m].values[c]);
        const ends = values.flatMap(([value, low, high]) => [value, low, high]).filter((v) => v !== null);
        const low = Math.min(...ends), range = Math.max(...ends) - low || 1;
        const x = (m) => 6 + m / Math.max(all.length - 1, 1) * (WIDTH - 12);
        const y = (value) => 44 - (value - low) / range * 40;
        const defined = all.filter((m) => values[m][0] !== null);
        return make("figure", { class: "trend" }, make("figcaption", {}, arrow(column)),
            draw("svg", { viewBox: `0 0 ${WIDTH} 48`, role: "img", "aria-label":
                          `${column.name} by run: ${defined.map((m) => number(values[m][0], column)).join(", ")}` },
                draw("path", { class: "axis trend-line", d: defined.map(
                    (m, i) => `${i === 0 ? "M" : "L"}${x(m)} ${y(values[m][0])}`).join("") }),
                ...defined.map((m) => draw("line", { class: "interval m0", x1: x(m), x2: x(m),
                    y1: y(values[m][1] ?? values[m][0]), y2: y(values[m][2] ?? values[m][0]) })),
                ...defined.map((m) => draw("circle", { class: values[m][3] === 1 ? "m1" : "m0",
                    cx: x(m), cy: y(values[m][0]), r: values[m][3] === 1 ? 4 : 2.6 },
                    draw("title", {}, `${modelName(m)}: ${number(values[m][0], column)}`)))));
    });
    const body = all.map((m) => cells(make("button", { type: "button", class: "plain",
        onclick: () => choose({ model: filters.model === String(m) ? "" : String(m) }) }, modelName(m)),
        ...columns.map((column, c) => {
            const [value, , , mark, p] = known.models[m].values[c];
            return make("td", { class: mark === 1 ? "best" : "" }, number(value, column),
                mark === 0 && p !== null ? make("span", { class: "tie" }, "\u00a0≈") : null);
        })));
    $("metrics").replaceChildren(make("div", { class: "trends" }, ...lines),
        table({ class: "board" }, ["run", ...columns.map(arrow)], ...body));
    $("metrics-note").textContent = "Runs in the order of their files, the best in orange and bold; " +
        "≈: no significant difference from the best. The charts below show the last " + MOST +
        " runs; a click on a run shows that one.";
};

const drawMetrics = () => {
    if (models.length > MOST && isPlain()) {
        drawBoard();
        return;
    }
    const used = usedModels();
    const head = ["metric", used.length > 1 ? "95 % intervals"
                                            : "95 % interval", ...used.map(modelLabel)];
    const body = columns.map((column, c) => {
        const values = used.map((m) => [m, valueOf(m, c)]);
        return cells(arrow(column), make("td", { class: "wide" }, ...dots(column, values)),
            ...values.map(([m, [value, low, high, mark, p]]) => make("td", {
                class: mark === 1 ? "best" : "", title: value === null ? "undefined" :
                    `95 % interval ${number(low, column)} to ${number(high, column)}` +
                    (p === null ? "" : `; p = ${p.toPrecision(2)}`) },
                number(value, column), used.length > 1 || low === null ? null
                    : make("small", {}, ` [${number(low, column)}, ${number(high, column)}]`),
                mark === 0 && p !== null
                    ? make("span", { class: "tie", title: "no significant difference from the best" }, "\u00a0≈")
                    : null)));
    });
    $("metrics").replaceChildren(table({ class: "metrics" }, head, ...body));
    const scale = used.length > 1 || !columns.every((column) => column.share)
        ? "each metric on its own scale" : "from 0 to 1";
    const lines = ` Lines: 95\u00a0% bootstrap intervals, ${scale}.`;
    $("metrics-note").replaceChildren(...isPlain()
        ? [severalModels ? "Bold: best; ≈: no significant difference from the best: by paired randomization " +
           "p ≥ 0.05 (by Holm's method), or the 95\u00a0% bootstrap interval of the difference holds 0." : "", make("span", { class: "wide" }, lines)]
        : ["With these filters: means of the pairs' scores with normal intervals, without tests."]);
};

// ---- models by subset ----

const drawMatrix = () => {
    $("matrix").parentNode.hidden = !severalSubsets;
    if (!severalSubsets)
        return;
    const c = Number($("matrix-metric").value), column = columns[c], used = usedModels();
    const sign = column.lower ? -1 : 1;
    const all = ["", ...subsets.map((_, s) => String(s))];
    const gaps = all.map((subset) => {
        const values = used.map((m) => pooled(subset).models[m].values[c]);
        const known = values.map((value) => value[0]).filter((value) => value !== null);
        const best = sign * Math.max(...known.map((value) => sign * value));
        return [subset, best, values];
    });
    const widest = Math.max(...gaps.flatMap(([, best, values]) => values.map(
        (value) => value[0] === null ? 0 : Math.abs(best - value[0]))), 1e-9);
    const body = gaps.map(([subset, best, values]) => cells(
        subset === "" ? "all pairs" : subsetName(subset),
        ...values.map((value, i) => {
            const gap = value[0] === null ? 0 : Math.abs(best - value[0]);
            const cell = make("td", { class: used.length < 2 ? "" : gap === 0 ? "top" : value[3] === 0 ? "near" : "far" },
                make("button", { type: "button", class: "plain", title: "show these pairs",
                                 onclick: () => choose({ subset, model: severalModels
                                                         ? String(used[i]) : "" }) },
                     number(value[0], column)),
                used.length < 2 ? null : make("small", {}, value[0] === null ? "" : gap === 0 ? "best"
                    : `${sign > 0 ? "−" : "+"}${number(gap, column)}${value[3] === 0 ? "\u00a0≈" : ""}`));
            cell.style.setProperty("--share", gap === 0 ? "0" : Math.sqrt(gap / widest).toFixed(3));
            return cell;
        })));
    $("matrix").replaceChildren(table({ class: used.length > 4 ? "matrix many" : "matrix" }, ["subset", ...used.map(modelLabel)],
                                      ...body));
};

// ---- each model against each other ----

// By how much the model of a row is better than that of a column, by the tests of compare.
const drawAgainst = () => {
    const known = summary.against[Number($("against-metric").value)];
    $("against").parentNode.hidden = known === undefined || models.length < 3;
    if ($("against").parentNode.hidden)
        return;
    const column = columns[Number($("against-metric").value)], all = models.map((_, m) => m);
    const classes = { better: "top", worse: "far" };
    $("against").replaceChildren(table({ class: "matrix many" }, ["row better by", ...all.map(modelLabel)],
        ...all.map((row) => cells(modelLabel(row), ...all.map((other) => {
            if (row === other)
                return make("td", {}, "");
            const [verdict, gain, low, high, p] = known[other * models.length + row];
            const cell = make("td", { class: classes[verdict] ?? "", title:
                `${modelName(row)} beside ${modelName(other)}: ${verdict}; 95 % interval ` +
                `${number(low, column)} to ${number(high, column)}${p === null ? "" : `, p = ${p.toPrecision(2)}`}` },
                gain === null ? "–" : `${gain < 0 ? "−" : "+"}${number(Math.abs(gain), column)}`,
                verdict === "no significant difference" ? make("span", { class: "tie" }, "\u00a0≈") : null);
            cell.style.setProperty("--share", "0.5");
            return cell;
        })))));
};

// ---- two models, pair by pair ----

const MOST_POINTS = 3000;

const drawDuel = (a, b, both) => {
    if (columns.length === 0)
        return;
    const c = Number($("duel-metric").value), column = columns[c], S = 320, at = [44, 10, 12, 34];
    const all = both.map((item) => [item, item.rows[a].scores[c], item.rows[b].scores[c]])
                    .filter(([, x, y]) => x !== null && y !== null);
    const points = all.filter((_, i) => all.length <= MOST_POINTS ||
        Math.floor(i * MOST_POINTS / all.length) !== Math.floor((i - 1) * MOST_POINTS / all.length));
    let low = Infinity, high = -Infinity;
    for (const [, x, y] of all) {
        low = Math.min(low, x, y);
        high = Math.max(high, x, y);
    }
    if (column.share)
        [low, high] = [Math.min(low, 0), Math.max(high, 1)];
    const range = high > low ? high - low : 1;
    const toX = (v) => at[0] + 6 + (v - low) / range * (S - at[0] - at[2] - 12);
    const toY = (v) => S - at[3] - 6 - (v - low) / range * (S - at[1] - at[3] - 12);
    const better = (of) => count(all.filter(([, x, y]) => of * (column.lower ? x - y : y - x) > 0).length);
    const text = (x, y, what, more) => draw("text", { x, y, ...more }, what);
    const ticks = [0, 0.5, 1].map((share) => low + share * range);
    $("duel").replaceChildren(all.length === 0 ? make("p", { class: "soft" }, "No pairs that both have.")
        : make("figure", { class: "scatter" },
            make("figcaption", { class: "soft" }, `${modelName(b)} better on ${better(1)}, worse on ` +
                 `${better(-1)} of ${plural(all.length, "pair")}` +
                 (points.length < all.length ? `; ${count(points.length)} of them drawn` : "")),
            draw("svg", { viewBox: `0 0 ${S} ${S}`, role: "group", "aria-label":
                          `${column.name} of ${modelName(b)} against ${modelName(a)}, pair by pair` },
                draw("path", { class: "axis", d: `M${at[0]} ${at[1]}V${S - at[3]}H${S - at[2]}` }),
                draw("line", { class: "axis", x1: toX(low), y1: toY(low), x2: toX(low + range), y2: toY(low + range) }),
                ...ticks.flatMap((v) => [text(toX(v), S - at[3] + 12, number(v, column), { class: "middle" }),
                                         text(at[0] - 4, toY(v) + 3, number(v, column), { class: "end" })]),
                text((S + at[0]) / 2, S - 5, modelName(a), { class: "middle" }),
                text(at[0] + 6, at[1] + 2, modelName(b)),
                ...points.map(([item, x, y], i) => {
                    const what = `${itemName(item)}: ${number(x, column)} and ${number(y, column)}`;
                    return draw("circle", { class: y === x ? "even" : (y > x) === !column.lower ? "gain" : "loss",
                        cx: (toX(x) + 5 * jitter(item)).toFixed(1), cy: (toY(y) + 5 * jitter({ number: item.number + 7 })).toFixed(1),
                        r: 3, role: "button", tabindex: i === 0 ? 0 : -1, "aria-label": what,
                        onclick: () => openItem(item), onkeydown: (event) => stepPoint(event, item) },
                        draw("title", {}, what));
                }))));
};

// ---- what happened to the pairs of each model ----

// References of a model's pages without a prediction, and predictions without a reference.
const pageCounts = (model) => [3, 4].map((place) => count(summary.pages
    .filter((page) => page[1] === model && (filters.page === "" || page[0] === Number(filters.page)))
    .reduce((total, page) => total + (page[place] ?? 0), 0)));

// Whether a metric could not score a pair as usual; "ok (1 error in the prediction)" is scored.
const isNotOk = (row) => Object.values(row.remarks ?? {}).some((status) => !/^ok( \(|$)/.test(status));

const drawFaults = () => {
    const drawn = formulas.ink.some((ink) => ink !== null);
    const ofPages = summary.pages.some((page) => page[4] !== null); // their rows say what was missed
    const heads = ["model", "pairs", "without error", "errors per 100",
                   ...ofPages ? ["missed", "unused"] : ["no prediction"], "empty", ...drawn ? ["cannot be typeset"] : [],
                   "not ok", "left out"];
    const body = usedModels().map((m) => {
        const own = shownBy[m], n = own.filter((row) => !row.isGraph).length;
        const sum = (of) => own.reduce((total, row) => total + of(row), 0);
        return cells(modelLabel(m), count(own.length),
            n === 0 ? "–" : `${(100 * sum((row) => !row.wrong && !row.isGraph) / n).toFixed(1)} %`,
            n === 0 ? "–" : (100 * sum((row) => row.last - row.first) / n).toFixed(1),
            ...ofPages ? pageCounts(m) : [count(sum((row) => row.pred < 0))],
            count(sum((row) => row.pred >= 0 && formulas.tex[row.pred].trim() === "")),
            ...drawn ? [count(sum((row) => row.pred >= 0 && formulas.fault[row.pred] !== null))] : [],
            count(sum((row) => isNotOk(row))),
            count(sum((row) => row.scores.some((score) => score === null))));
    });
    $("faults").replaceChildren(table({}, heads, ...body));
};

// ---- errors ----

// FORTE's classes of errors, in a sentence each.
const MEANINGS = {
    symbol: "a letter or symbol is lost or added", letter: "a letter is read as another letter or symbol",
    "look-alike": "a symbol is read as one that looks like it, such as v for \\nu",
    variant: "another form of a symbol, such as \\varepsilon for \\epsilon",
    style: "another alphabet or weight of a symbol, such as x for \\mathbf{x}",
    number: "a digit, number or decimal point is lost, added or read as another",
    operator: "an operator, relation or arrow is lost, added or read as another",
    word: "a named function, such as \\sin, is read as another, or letters of a word are lost or added",
    text: "words of text are lost, added or read otherwise",
    script: "a superscript or subscript is lost or added",
    structure: "a fraction, script or other construct is lost, added, or holds more or less than it should",
    mark: "a row break, cell break or another mark of a construct is lost or added", accent: "a prime or accent is lost, added or read as another",
    delimiter: "a bracket is lost, added or read as another", punctuation: "punctuation or a blank is lost or added",
    page: "the source does not compile",
    "no prediction": "the model gave nothing for this reference", missed: "no formula of the prediction's page matches this one",
};
const classMeaning = (name) => MEANINGS[name] ?? name;

// Bars for each model beside each other; a click on a name chooses it.
const bars = (holder, entries, form, unit) => {
    const used = usedModels();
    const most = Math.max(...entries.flatMap(({ values }) => used.map((m) => values[m] ?? 0)), 1e-9);
    holder.replaceChildren(...entries.map(({ name, note, meaning, values, chosen, pick }) => make(
        "div", { class: "bar-row" },
        make("button", { type: "button", class: "plain", onclick: pick,
                         title: meaning ?? "", "aria-pressed": String(chosen) }, name, note ? make("small", {}, note) : null),
        make("div", { class: "bar-set", role: "img", "aria-label": used.map(
            (m) => `${modelName(m)} ${form(values[m])} ${unit}`).join("; ") },
            ...used.map((m) => {
                const bar = make("span", { class: `bar m${m % 7}`, hidden: !(values[m] > 0) });
                bar.style.width = `${100 * (values[m] ?? 0) / most}%`;
                return make("span", { class: "bar-line" }, bar, make("small", {}, form(values[m])));
            })))));
    if (entries.length === 0)
        holder.append(make("p", { class: "soft" }, "None among these pairs."));
    else if (severalModels)
        holder.prepend(make("p", { class: "legend" }, ...used.map(modelLabel)));
};

// In how many pairs each of @kinds comes, by model, of all that are shown, so that one prediction that
// runs on does not lead the lists; @times: how often it comes. @of: the kind of an error, or -1.
const countErrors = (kinds, of, times) => {
    const counts = models.map(() => new Uint32Array(kinds));
    const seen = new Int32Array(kinds).fill(-1);
    shown.forEach((row, i) => {
        for (let e = row.first; e < row.last; e++) {
            const kind = of(e);
            if (kind >= 0 && (times || seen[kind] !== i)) {
                seen[kind] = i;
                counts[row.model][kind]++;
            }
        }
    });
    return counts;
};
const totals = (counts) => Array.from(counts[0] ?? [], (_, k) =>
    counts.reduce((sum, own) => sum + own[k], 0));
const ordered = (sums) => sums.map((sum, k) => [k, sum]).filter(([, sum]) => sum > 0)
                              .sort((a, b) => b[1] - a[1] || a[0] - b[0]);

const percent = (value) => `${value.toFixed(value > 0 && value < 10 ? 1 : 0)} %`;

const drawClasses = () => {
    const counts = countErrors(errors.classes.length, (e) => errors.class[e]);
    const n = shownBy.map((own) => own.length);
    bars($("classes"), ordered(totals(counts)).map(([k]) => ({
        name: errors.classes[k], meaning: classMeaning(errors.classes[k]), chosen: filters.cls === errors.classes[k],
        values: counts.map((own, m) => n[m] > 0 ? 100 * own[k] / n[m] : null),
        pick: () => choose({ cls: filters.cls === errors.classes[k] ? "" : errors.classes[k] }),
    })), (value) => value === null ? "–" : percent(value), "of pairs");
    $("class-meanings").replaceChildren(...ordered(totals(counts)).map(([k]) => make("p", { class: "note" },
        make("strong", {}, errors.classes[k]), `: ${classMeaning(errors.classes[k])}`)));
};

let listed = 0; // as many as fit beside the classes, until more are asked for
const drawFrequent = () => {
    const counts = countErrors(errors.words.length, (e) => errors.text[e]);
    const times = totals(countErrors(errors.words.length, (e) => errors.text[e], true));
    const order = ordered(totals(counts)), used = usedModels();
    const most = order.length > 0 ? order[0][1] : 1;
    listed ||= Math.min(24, Math.max(15, 4 + 7 * usedModels().length));
    const body = order.slice(0, listed).map(([k, sum]) => {
        const bar = make("span", { class: "bar all" });
        bar.style.width = `${100 * sum / most}%`;
        return cells(make("button", { type: "button", class: "plain code",
                                      title: "show examples", "aria-pressed":
                                      String(filters.err === errors.words[k]),
                                      onclick: () => examples({ err: errors.words[k] }) },
                          shorten(errors.words[k])),
                     make("td", { class: "wide" }, make("span", { class: "bar-line" }, bar,
                         make("small", {}, percent(100 * sum / shown.length)))), count(sum), count(times[k]),
                     ...severalModels ? used.map((m) => count(counts[m][k])) : []);
    });
    const more = order.length > listed
        ? make("button", { type: "button", onclick: () => {
            listed += 45;
            drawFrequent();
        } }, `more of ${count(order.length)}`) : null;
    $("frequent").replaceChildren(table({ class: "frequent" }, ["reference → prediction", "share of pairs", "pairs", "times",
        ...severalModels ? used.map(modelLabel) : []], ...body), ...more ? [more] : []);
};

const HEAT = 14;
const drawHeat = () => {
    const cell = new Map(), truths = new Map(), reads = new Map();
    const add = (map, key, n) => map.set(key, (map.get(key) ?? 0) + n);
    for (const row of shown) {
        for (let e = row.first; e < row.last; e++) {
            const truth = errors.names[2 * e], read = errors.names[2 * e + 1];
            if (truth < 0)
                continue;
            add(cell, truth * errors.words.length + read, 1);
            add(truths, truth, 1);
            add(reads, read, 1);
        }
    }
    const top = (map) => [...map].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, HEAT)
                                 .map(([k]) => k);
    const down = top(truths), across = top(reads), most = Math.max(...cell.values(), 1);
    const body = down.map((truth) => cells(make("code", {}, errors.words[truth]),
        ...across.map((read) => {
            const n = cell.get(truth * errors.words.length + read) ?? 0;
            const what = `${errors.words[truth]} -> ${errors.words[read]}`;
            const node = make("td", { class: "heat" }, n === 0 ? "" : make(
                "button", { type: "button", class: "plain", title: `${what}: ${n}`,
                            onclick: () => examples({ err: what }) }, count(n)));
            node.style.setProperty("--share", n === 0 ? "0" : Math.sqrt(n / most).toFixed(3));
            return node;
        })));
    $("heat").replaceChildren(down.length === 0
        ? make("p", { class: "soft" }, "No substitutions among these pairs.")
        : table({ class: "heat-map" }, ["reference ↓ read as →",
            ...across.map((read) => make("code", {}, errors.words[read]))], ...body));
};

// The share of wrong formulas among those of each kind.
const shares = (holder, names, belongs, filter) => {
    const all = names.map(() => models.map(() => 0)), wrong = names.map(() => models.map(() => 0));
    for (const row of shown) {
        names.forEach((_, k) => {
            if (belongs(row, k) && !row.isGraph) {
                all[k][row.model]++;
                wrong[k][row.model] += row.wrong;
            }
        });
    }
    bars(holder, names.map((name, k) => ({
        name, note: count(Math.max(...all[k])), chosen: filters[filter] === String(k),
        values: models.map((_, m) => all[k][m] > 0 ? 100 * wrong[k][m] / all[k][m] : null),
        pick: () => choose({ [filter]: filters[filter] === String(k) ? "" : String(k) }),
    })).filter((_, k) => all[k].some((n) => n > 0)),
         (value) => value === null ? "–" : `${value.toFixed(0)} %`, "of formulas wrong");
};

const lengthNames = summary.lengths.map((from, k) => k + 1 < summary.lengths.length
    ? `${from} to ${summary.lengths[k + 1] - 1}` : `${from} or more`);

const drawErrors = () => {
    const graphs = shown.filter((row) => row.isGraph).length;
    $("graphs").hidden = graphs === 0;
    $("graphs").textContent = `Label graphs in ${plural(graphs, "pair")}: FORTE counts no errors in them.`;
    drawClasses();
    drawFrequent();
    drawHeat();
    shares($("constructs"), summary.constructs, (row, k) => (row.construct & 1 << k) !== 0, "con");
    shares($("lengths"), lengthNames, (row, k) => lengthOf(row) === k, "len");
};

// ---- metrics against people ----

const groupName = (group) => group.name === "" ? "people" : group.name;
const jitter = (row) => ((row.number * 2654435761 % 4294967296) / 4294967296 - 0.5);

const scatter = (group, g, column, c) => {
    const S = 300, at = [40, 10, 12, 30]; // left, top, right, bottom
    const points = shown.map((row) => [row, mean(group.of(row)), row.scores[c]])
                        .filter(([, x, y]) => x !== null && y !== null);
    if (points.length === 0)
        return null;
    const range = (k) => {
        const values = points.map((p) => p[k]), low = Math.min(...values), high = Math.max(...values);
        return [low, high > low ? high : low + 1];
    };
    const [x0, x1] = range(1), [y0, y1] = range(2);
    const toX = (v) => at[0] + 6 + (v - x0) / (x1 - x0) * (S - at[0] - at[2] - 12);
    const toY = (v) => S - at[3] - 6 - (v - y0) / (y1 - y0) * (S - at[1] - at[3] - 12);
    const known = summary.agreement.find((each) => each.group === g && each.column === c);
    const coefficient = (value) => value.toFixed(3).replace("-", "−");
    const r = known === undefined || known.r === null ? "r undefined"
        : `r = ${coefficient(known.r)} [${coefficient(known.low)}, ${coefficient(known.high)}]`;
    const short = (value) => String(Number(
        Math.abs(value) < 0.1 ? value.toFixed(3) : value.toPrecision(3)));
    const text = (x, y, what, more) => draw("text", { x, y, ...more }, what);
    return make("figure", { class: "scatter" },
        make("figcaption", {}, make("strong", {}, column.name), ` against ${groupName(group)} `,
             make("span", { class: "soft" }, `${r}, ${plural(points.length, "pair")}`)),
        draw("svg", { viewBox: `0 0 ${S} ${S}`, role: "group",
                      "aria-label": `${column.name} against the mean rating of ${groupName(group)}: ${r}` },
            draw("path", { class: "axis", d: `M${at[0]} ${at[1]}V${S - at[3]}H${S - at[2]}` }),
            text(at[0], S - 14, short(x0)), text(S - at[2], S - 14, short(x1), { class: "end" }),
            text((S + at[0]) / 2, S - 4, `mean rating of ${groupName(group)}`, { class: "middle" }),
            text(at[0] - 4, S - at[3], short(y0), { class: "end" }),
            text(at[0] - 4, at[1] + 8, short(y1), { class: "end" }),
            ...points.sort((a, b) => a[1] - b[1]).map(([row, x, y], i) => {
                const what = `${row.id ?? row.number + 1}: rating ${number(x)}, ` +
                             `${column.name} ${number(y, column)}`;
                return draw("circle", {
                    class: `m${row.model % 7}`, cx: (toX(x) + 7 * jitter(row)).toFixed(1),
                    cy: (toY(y) + 4 * jitter({ number: row.number + 7 })).toFixed(1), r: 3.4,
                    role: "button", tabindex: i === 0 ? 0 : -1, "aria-label": what,
                    onclick: () => openItem(row.item),
                    onkeydown: (event) => stepPoint(event, row.item) }, draw("title", {}, what));
            })));
};

// With the keyboard a plot is one stop: arrow keys go from point to point, Enter opens the pair.
const stepPoint = (event, item) => {
    const steps = { ArrowRight: "nextElementSibling", ArrowLeft: "previousElementSibling" };
    const node = event.currentTarget, next = node[steps[event.key]];
    if (event.key === "Enter" || event.key === " ")
        openItem(item);
    else if (next?.localName === "circle")
        next.focus();
    else
        return;
    event.preventDefault();
};

// The pairs that a metric places most differently from people, as ranks.
const ranks = (values) => {
    const order = values.map((_, i) => i).sort((a, b) => values[a] - values[b]), out = [];
    for (let i = 0; i < order.length;) {
        let j = i;
        while (j < order.length && values[order[j]] === values[order[i]])
            j++;
        for (let k = i; k < j; k++)
            out[order[k]] = (i + j - 1) / 2 / Math.max(order.length - 1, 1);
        i = j;
    }
    return out;
};

const disputed = (first, second) => { // two functions of a row; rows by the distance of their ranks
    const known = shown.filter((row) => first(row) !== null && second(row) !== null);
    const a = ranks(known.map(first)), b = ranks(known.map(second));
    return known.map((row, i) => [row, a[i] - b[i]]).sort((x, y) => Math.abs(y[1]) - Math.abs(x[1]));
};

const signed = (c) => (row) => row.scores[c] === null ? null
    : columns[c].lower ? -row.scores[c] : row.scores[c];

const drawPeople = () => {
    if (people.length === 0)
        return;
    $("people").hidden = false;
    $("scatters").replaceChildren(...people.flatMap((group, g) => columns.map(
        (column, c) => scatter(group, g, column, c))).filter((figure) => figure !== null));
    const c = Number($("people-metric").value), group = people[Number($("people-group").value)];
    stack($("people-pairs"), disputed(signed(c), (row) => mean(group.of(row)))
        .slice(0, 6).map(([row, gap]) => card(row.item, row,
            gap > 0 ? `${columns[c].name} is kinder than ${groupName(group)}`
                    : `${columns[c].name} is harsher than ${groupName(group)}`)));
};
