// Pairs: cards with drawings, one pair by itself, what changed between models, the table of all.

const itemName = (item) => item.id ?? `formula ${item.number + 1}`;
const itemKey = (item) => `pair=${encodeURIComponent(`${item.id ?? ""}@${item.number}`)}`;

const scoreLine = (row) => make("ul", { class: "scores" },
    ...columns.map((column, c) => make("li", {}, `${column.name} `,
        make("strong", {}, number(row.scores[c], column)))),
    ...people.map((group) => {
        const ratings = group.of(row);
        return ratings.length === 0 ? null : make("li", { class: "rating" },
            `${people.length > 1 ? group.name : "people"} `,
            make("strong", {}, number(mean(ratings))), ` (${ratings.join(", ")})`);
    }));

const shorten = (words) => (words.length > 80 ? `${words.slice(0, 78)}…` : words).replace(" -> ", " → ");

const MOST_ERRORS = 12;
const errorList = (row) => {
    const list = [];
    for (let e = row.first; e < row.last; e++) {
        const words = errors.words[errors.text[e]];
        list.push(make("li", { class: toneOf(e) },
            make("button", { type: "button", class: "plain code", title: "more of these",
                             onclick: () => examples({ err: words }) }, shorten(words)),
            make("small", { title: `class, price; ${classMeaning(errors.classes[errors.class[e]])}` },
                 errors.classes[errors.class[e]] === words ? `${errors.cost[e]}`
                     : `${errors.classes[errors.class[e]]}, ${errors.cost[e]}`)));
    }
    return [make("ul", { class: "errors" }, ...list.slice(0, MOST_ERRORS)),
            list.length <= MOST_ERRORS ? null
                : make("details", { class: "rest" },
                       make("summary", {}, `${list.length - MOST_ERRORS} more errors`),
                       make("ul", { class: "errors" }, ...list.slice(MOST_ERRORS)))];
};

// The prediction of one model. @always: drawn even where it is the reference to the letter.
const reading = (row, always) => {
    const part = make("section", { class: row.wrong ? "reading wrong" : "reading right" });
    const fault = row.pred >= 0 ? formulas.fault[row.pred] : null;
    part.append(make("h4", {}, severalModels ? modelLabel(row.model) : "prediction",
                     row.wrong || row.isGraph ? null : make("span", { class: "soft" }, " ✓ no error of FORTE")));
    if (always || row.wrong || row.isGraph || formulas.tex[row.truth] !== formulas.tex[row.pred])
        part.append(picture(row.pred, row, 1, row.pred < 0 ? "" :
                            `prediction ${formulas.tex[row.pred]}`));
    if (row.wrong)
        part.append(...errorList(row).filter((each) => each !== null));
    part.append(scoreLine(row));
    if (row.pred >= 0 && row.truth >= 0 && row.wrong)
        part.append(aligned(row));
    if (fault !== null)
        part.append(make("p", { class: "missing" }, `LaTeX: ${fault}`));
    for (const [metric, remark] of Object.entries(row.remarks ?? {}))
        if (row.pred >= 0)
            part.append(make("p", { class: "missing" }, `${metric}: ${remark.replace(/^ok \((.*)\)$/s, "$1")}`));
    return part;
};

// A formula with what the models made of it. @focus: the row that it is about, which comes first.
// @boxed: the row whose errors are marked in the reference.
const card = (item, focus, why, always = false, boxed = focus) => {
    const own = item.rows.filter((row) => row !== undefined);
    const order = [focus, ...own.filter((row) => row !== focus)];
    const title = make("h3", {}, make("a", { href: `#${itemKey(item)}` }, itemName(item)),
                       severalSubsets ? make("span", { class: "soft" }, ` ${subsetName(item.subset)}`)
                                      : null,
                       why ? make("span", { class: "why" }, why) : null);
    const truths = [formulas.tex[focus.truth] ?? "", ...focus.truths];
    const input = own.find((row) => row.picture !== null)?.picture;
    return make("article", { class: "card" }, title,
        input === undefined ? null : make("a", { class: "input", href: input, target: "_blank", rel: "noopener" },
            make("img", { src: input, loading: "lazy", alt: `picture of ${itemName(item)}` })),
        make("section", { class: "truth" },
             make("h4", {}, truths.length > 1 ? "reference (of several)" : "reference",
                  severalModels && boxed.last > boxed.first
                      ? make("small", { class: "boxed" }, ` marked: what ${modelName(boxed.model)} got wrong`) : null),
             focus.truth < 0 ? make("p", { class: "missing" }, "no reference")
                 : formulas.ink[focus.truth] === null ? null
                 : picture(focus.truth, boxed, 0, `reference ${truths[0]}`),
             make("code", { class: "source" }, withoutLoops(truths[0]))),
        make("div", { class: "readings" }, ...order.map((row) => reading(row, always))));
};

// ---- one pair by itself ----

let opened = null;

const openItem = (item, focus = item.rows.find((row) => row !== undefined)) => {
    opened = item;
    $("pair-title").textContent = itemName(item);
    $("pair-body").replaceChildren(card(item, focus));
    if (!$("pair").open)
        $("pair").showModal();
    $("pair").scrollTop = 0;
    history.replaceState(null, "", `#${itemKey(item)}`);
};

// The shown formula before or after the open one.
const step = (by) => {
    const order = [...new Set(listedRows().map((row) => row.item))];
    const at = order.indexOf(opened) + by;
    if (at >= 0 && at < order.length)
        openItem(order[at]);
};

const openAddress = () => {
    const match = /^#pair=(.*)$/.exec(location.hash);
    if (match === null)
        return false;
    const [, id, at] = /^(.*)@(\d+)$/s.exec(decode(match[1])) ?? [null, "", "0"];
    const there = items[Number(at)];
    const item = there !== undefined && (there.id ?? "") === id ? there
        : items.find((each) => each.id === id);
    if (item !== undefined)
        openItem(item);
    return item !== undefined;
};

// ---- which pairs to look at ----

let order = "worst", wanted = 6;
const price = (row) => row.price ?? 0;

// How bad a score is, as for `texgauge select --worst`; the column is that of the filter.
const scored = () => columns[Number(filters.score)];
const badness = (row) => (scored().lower ? 1 : -1) * row.scores[Number(filters.score)];

// Rows in the chosen order; those that it does not rank are missing.
const orderedRows = () => {
    const wrong = shown.filter((row) => row.wrong)
                       .sort((a, b) => price(b) - price(a) || a.number - b.number);
    if (order === "worst")
        return shown.filter((row) => row.scores[Number(filters.score)] !== null)
                    .sort((a, b) => badness(b) - badness(a) || a.number - b.number);
    if (order === "typical")
        return wrong.map((row, i) => [row, Math.abs(i - (wrong.length - 1) / 2)])
                    .sort((a, b) => a[1] - b[1]).map(([row]) => row);
    if (order === "disputed")
        return disputed(signed(Number($("dispute-a").value)), signed(Number($("dispute-b").value)))
            .map(([row]) => row);
    return filters.page === "" ? shown : [...shown].sort( // of one page as its formulas stand there
        (a, b) => (a.order ?? Infinity) - (b.order ?? Infinity) || a.number - b.number);
};

// Of each formula one row, and the models in turn, so that none is left out.
const chosenRows = () => {
    const queues = models.map(() => []);
    orderedRows().forEach((row) => queues[row.model].push(row));
    const seen = new Set(), out = [];
    for (const at = models.map(() => 0); at.some((i, m) => i < queues[m].length);) {
        queues.forEach((queue, m) => {
            while (at[m] < queue.length && seen.has(queue[at[m]].item))
                at[m]++;
            if (at[m] < queue.length) {
                seen.add(queue[at[m]].item);
                out.push(queue[at[m]]);
            }
        });
    }
    return out;
};
const listedRows = () => view === "table" ? tableRows : chosenRows();

// Cards in columns of even height, each below the shortest so far.
const CARD = 27 * 15, BETWEEN = 16;
const columnsOf = (holder) => filters.page !== "" && order === "file" ? 1 // a page reads from top to bottom
    : Math.max(1, Math.floor((holder.clientWidth + BETWEEN) / (CARD + BETWEEN)));
const stack = (holder, cards) => {
    const stacks = Array.from({ length: Math.min(columnsOf(holder), Math.max(cards.length, 1)) },
                              () => make("div", { class: "stack" }));
    holder.replaceChildren(...stacks);
    cards.forEach((each, i) => {
        each.dataset.place = i;
        stacks.reduce((a, b) => b.offsetHeight < a.offsetHeight ? b : a).append(each);
    });
};

// After a change of the width: the same cards, in their order.
const restack = (holder) => {
    const stacks = [...holder.querySelectorAll(":scope > .stack")], cards = [];
    stacks.forEach((each) => cards.push(...each.children));
    if (cards.length > 0 && stacks.length !== Math.min(columnsOf(holder), cards.length))
        stack(holder, cards.sort((a, b) => a.dataset.place - b.dataset.place));
};

const drawCards = () => {
    const list = chosenRows();
    const word = { worst: `worst by ${scored().name}`, typical: "typical", disputed: "disputed", file: "" }[order];
    stack($("cards"), list.slice(0, wanted).map((row) => card(row.item, row,
        severalModels && word !== "" ? `${word}, ${modelName(row.model)}` : word)));
    if (list.length === 0)
        $("cards").append(make("p", { class: "soft" }, order === "typical"
            ? "No pairs with errors among these." : "No pairs."));
    $("more").hidden = list.length <= wanted;
    $("more").textContent = `Show more of ${plural(list.length, "formula")}`;
};

// ---- the table ----

const ROW_HEIGHT = 30, AROUND = 8;
let view = "cards", tableRows = [], sorting = { column: null, descending: false }, active = 0;

const text = (title, of) => ({ title, of, isText: true });
const tableColumns = [text("id", (row) => row.id ?? ""),
    ...severalModels ? [text("model", (row) => modelName(row.model))] : [],
    ...severalSubsets ? [text("subset", (row) => subsetName(row.subset))] : [],
    text("reference", (row) => formulas.tex[row.truth] ?? ""),
    text("prediction", (row) => formulas.tex[row.pred] ?? "(none)"),
    { title: "price", of: (row) => row.price },
    ...columns.map((column, c) => ({ title: column.name, column, of: (row) => row.scores[c] }))];

const compare = (a, b, column) => {
    const x = column.of(a), y = column.of(b), sign = sorting.descending ? -1 : 1;
    if (column.isText)
        return sign * (x < y ? -1 : x > y ? 1 : 0) || a.number - b.number;
    if (x === null || y === null)
        return (x === null) - (y === null) || a.number - b.number; // undefined stays last
    return sign * (x - y) || a.number - b.number;
};

const sortTable = () => {
    const ranked = orderedRows(), met = new Set(ranked);
    tableRows = [...ranked, ...shown.filter((row) => !met.has(row))];
    if (sorting.column !== null)
        tableRows.sort((a, b) => compare(a, b, tableColumns[sorting.column]));
    active = 0;
    $("scroll").scrollTop = 0;
    drawTable();
};

const spacer = (n) => {
    const cell = make("td", { colSpan: tableColumns.length });
    cell.style.height = `${n * ROW_HEIGHT}px`;
    return make("tr", { class: "spacer", "aria-hidden": "true" }, cell);
};

const drawTable = () => { // the visible rows alone, so that it is quick at many thousands
    const scroll = $("scroll"), body = $("rows");
    const first = Math.max(0, Math.floor(scroll.scrollTop / ROW_HEIGHT) - AROUND);
    const last = Math.min(tableRows.length,
                          first + Math.ceil(scroll.clientHeight / ROW_HEIGHT) + 2 * AROUND);
    const hadFocus = body.contains(document.activeElement), visible = [];
    for (let position = first; position < last; position++) {
        const row = make("tr", { tabIndex: position === active ? 0 : -1,
                                 "data-position": String(position),
                                 "aria-rowindex": String(position + 2) },
            ...tableColumns.map((column) => make("td", { class: column.isText ? "text" : "" },
                column.isText ? column.of(tableRows[position])
                              : number(column.of(tableRows[position]), column.column))));
        visible.push(row);
    }
    body.replaceChildren(...first > 0 ? [spacer(first)] : [], ...visible,
                         ...last < tableRows.length ? [spacer(tableRows.length - last)] : []);
    $("all-pairs").setAttribute("aria-rowcount", String(tableRows.length + 1));
    if (hadFocus)
        body.querySelector(`[data-position="${active}"]`)?.focus({ preventScroll: true });
};

const activate = (position) => {
    const scroll = $("scroll");
    active = Math.max(0, Math.min(tableRows.length - 1, position));
    const top = active * ROW_HEIGHT, room = scroll.clientHeight - 2 * ROW_HEIGHT;
    if (top < scroll.scrollTop)
        scroll.scrollTop = top;
    else if (top > scroll.scrollTop + room)
        scroll.scrollTop = top - room;
    drawTable();
    $("rows").querySelector(`[data-position="${active}"]`)?.focus({ preventScroll: true });
};

const headTable = () => $("head").replaceChildren(...tableColumns.map((column, i) => {
    const state = sorting.column !== i ? "none" : sorting.descending ? "descending" : "ascending";
    return make("th", { scope: "col", class: column.isText ? "text" : "", "aria-sort": state },
        make("button", { type: "button", onclick: () => {
            sorting = { column: i, descending: sorting.column === i && !sorting.descending };
            headTable();
            sortTable();
        } }, column.title));
}));

// ---- pages ----

let listedPages = 10;
const pageName = (page) => summary.page_names[page] || "(none)";

const openPage = (page, model) => {
    order = $("order").value = "file";
    $("dispute").hidden = true;
    examples({ page: String(page), model: severalModels ? String(model) : "" });
};

// The number of predictions that no truth takes, and where the rows list them, which.
const unusedCell = (unused, extras) => unused === null ? "–" : extras.length === 0 ? count(unused)
    : make("details", {}, make("summary", {}, count(unused)),
           ...extras.map((text) => make("div", {}, make("code", {}, text))));

const scanLink = (page) => summary.scans[page] === null || summary.scans[page] === undefined ? null
    : make("a", { class: "scan", href: summary.scans[page], target: "_blank", rel: "noopener" }, " scan");

// Values of the models by attribute of the pages, of the chosen metric.
const drawAttributes = () => {
    $("attributes").hidden = summary.attributes.length === 0 || columns.length === 0;
    if ($("attributes").hidden)
        return;
    const c = Number($("attribute-metric").value), used = usedModels();
    const sign = columns[c].lower ? -1 : 1;
    $("attribute-table").replaceChildren(table({ class: "board" }, ["attribute", ...used.map(modelLabel)],
        ...summary.attributes.map(([name, ...values]) => {
            const known = used.map((m) => values[c][m]).filter((value) => value !== null);
            const best = sign * Math.max(...known.map((value) => sign * value));
            return cells(name, ...used.map((m) => make("td", {
                class: used.length > 1 && values[c][m] === best ? "best" : "" },
                number(values[c][m], columns[c]))));
        })));
};

const drawPages = () => {
    const chosen = summary.pages.filter(([page, model]) =>
        (filters.model === "" || model === Number(filters.model)) &&
        (filters.page === "" || page === Number(filters.page)));
    const counted = summary.pages.some((page) => page[4] !== null);
    $("page-table").replaceChildren(table({ class: "board" },
        ["page", ...severalModels ? ["model"] : [], "pairs", ...counted ? ["missed", "unused"] : [],
         ...columns.map(arrow)],
        ...chosen.slice(0, listedPages).map(([page, model, n, missed, unused, extras, ...values]) => cells(
            make("span", {}, n === 0 ? pageName(page)
                : make("button", { type: "button", class: "plain", onclick: () => openPage(page, model) },
                       pageName(page)),
                scanLink(page)),
            ...severalModels ? [modelLabel(model)] : [], count(n),
            ...counted ? [count(missed), unusedCell(unused, extras)] : [],
            ...values.map((value, c) => number(value, columns[c]))))));
    drawAttributes();
    $("page-more").hidden = chosen.length <= listedPages;
    $("page-more").textContent = `Show more of ${plural(chosen.length, "page")}`;
};

// ---- what changed ----

let changed = 3;
let change = "regressed";

const drawChanges = () => {
    if (!severalModels)
        return;
    const a = Number($("from").value), b = Number($("to").value);
    const both = [...new Set(shown.map((row) => row.item))].filter(
        (item) => item.rows[a] !== undefined && item.rows[b] !== undefined);
    const compared = both.filter((item) => !item.rows[a].isGraph && !item.rows[b].isGraph);
    const is = {
        regressed: (item) => !item.rows[a].wrong && item.rows[b].wrong,
        improved: (item) => item.rows[a].wrong && !item.rows[b].wrong,
        worse: (item) => item.rows[a].wrong && item.rows[b].wrong && gap(item) > 0,
        better: (item) => item.rows[a].wrong && item.rows[b].wrong && gap(item) < 0,
        same: (item) => item.rows[a].wrong && item.rows[b].wrong && gap(item) === 0,
        right: (item) => !item.rows[a].wrong && !item.rows[b].wrong,
    };
    const gap = (item) => price(item.rows[b]) - price(item.rows[a]);
    const names = { regressed: "regressed: was right", improved: "improved: now right",
                    worse: "more wrong", better: "less wrong", same: "equally wrong", right: "both right" };
    $("change-kinds").replaceChildren(...Object.keys(is).map((kind) => {
        const n = compared.filter(is[kind]).length;
        return make("button", { type: "button", class: `tile ${kind}`, "aria-pressed":
                                String(change === kind), onclick: () => {
            change = kind;
            changed = 3;
            drawChanges();
        } }, make("strong", {}, count(n)), names[kind]);
    }));
    const list = compared.filter(is[change]).sort(
        (x, y) => Math.abs(gap(y)) - Math.abs(gap(x)) || x.number - y.number);
    $("change-cards").replaceChildren(...list.slice(0, changed).map((item) => card(
        { ...item, rows: [item.rows[a], item.rows[b]] }, item.rows[a], "", true,
        gap(item) > 0 ? item.rows[b] : item.rows[a])));
    $("change-more").hidden = list.length <= changed;
    drawChangedErrors(a, b);
    drawDuel(a, b, both);
};

// The errors whose numbers differ most between two models.
const drawChangedErrors = (a, b) => {
    const counts = countErrors(errors.words.length, (e) => errors.text[e]);
    const order = errors.words.map((_, k) => [k, counts[b][k] - counts[a][k]])
        .filter(([, d]) => d !== 0).sort((x, y) => Math.abs(y[1]) - Math.abs(x[1]) || x[0] - y[0]);
    $("changed-errors").replaceChildren(table({ class: "frequent" },
        ["reference → prediction", modelName(a), modelName(b), "change"],
        ...order.slice(0, 20).map(([k, d]) => cells(
            make("button", { type: "button", class: "plain code",
                             onclick: () => examples({ err: errors.words[k] }) },
                 shorten(errors.words[k])),
            count(counts[a][k]), count(counts[b][k]),
            make("td", { class: d > 0 ? "worse" : "better" }, `${d > 0 ? "+" : "−"}${count(Math.abs(d))}`)))));
};
