// The data of the page: pairs with their scores and errors, grouped by formula, and the filters.

const summary = JSON.parse($("summary").textContent);
const { models, subsets, columns } = summary;
const modelName = (model) => models[model] !== "" ? models[model]
    : models.length > 1 ? "(none)" : "predictions";
const subsetName = (subset) => subsets[subset] === "" ? "(none)" : subsets[subset];
const severalModels = models.length > 1, severalSubsets = subsets.length > 1;

const number = (value, column) => {
    if (value === null || value === undefined)
        return "–";
    const percent = summary.percent && column?.share;
    const digits = summary.digits >= 0 ? summary.digits : Math.abs(value) >= 100 ? 1 : 3;
    return percent ? (100 * value).toFixed(summary.digits >= 0 ? summary.digits : 1)
                   : value.toFixed(digits);
};

// Filled by load().
let rows = [], items = [], errors = null, formulas = null, people = [], lowered = [];

const bare = (tex) => tex.replace(/\s+/g, "").replace(/^(\$\$?|\\\[|\\\()|(\$\$?|\\\]|\\\))$/g, "");

const group = () => {
    const byKey = new Map(), met = new Map();
    for (const row of rows) {
        // Models may split a page's formulas differently: the reference itself joins them.
        let key = summary.pages.length > 0 ? `${row.subset}\n${row.page}\n${bare(formulas.tex[row.truth] ?? "")}`
            : `${row.subset}\n${row.id ?? ""}`;
        const again = `${key}\n${row.model}`;
        const k = met.get(again) ?? 0; // the k-th pair of a model with this id, or without any
        met.set(again, k + 1);
        key += `\n${k}`;
        let item = byKey.get(key);
        if (item === undefined) {
            item = { number: items.length, id: row.id, subset: row.subset, rows: [] };
            byKey.set(key, item);
            items.push(item);
        }
        item.rows[row.model] = row;
        row.item = item;
    }
};

const load = async () => {
    const data = await unpack($("data"));
    const { rows: r } = data;
    let first = 0;
    errors = data.errors;
    formulas = data.formulas;
    lowered = formulas.tex.map((tex) => tex.toLowerCase());
    errors.low = errors.words.map((word) => word.toLowerCase());
    rows = r.id.map((id, i) => {
        const row = {
            number: i, id, low: (id ?? "").toLowerCase(), model: r.model[i], subset: r.subset[i], truth: r.truth[i],
            pred: r.pred[i], length: r.length[i], construct: r.construct[i],
            page: r.page[i], order: r.order[i], price: r.price[i], first, last: first + r.n[i], remarks: null, truths: [], picture: null,
        };
        first = row.last;
        row.scores = data.scores.map((column) => column[i]);
        row.isGraph = r.graph[i] === 1; // FORTE counts no errors in it
        row.wrong = !row.isGraph && !(row.price !== null && row.price <= 0);
        return row;
    });
    for (let i = 0; i < data.remarks.length; i += 2)
        rows[data.remarks[i]].remarks = data.remarks[i + 1];
    for (let i = 0; i < data.truths.length; i += 2)
        rows[data.truths[i]].truths = data.truths[i + 1];
    for (let i = 0; i < data.pictures.length; i += 2)
        rows[data.pictures[i]].picture = data.pictures[i + 1];
    people = data.ratings.map(({ name, raters, ratings }) => ({
        name, of: (row) => ratings.slice(row.number * raters, (row.number + 1) * raters)
                                  .filter((rating) => rating !== null),
    }));
    group();
};

const mean = (values) => values.length === 0 ? null
    : values.reduce((sum, value) => sum + value, 0) / values.length;

// ---- filters ----

// The filters: a row is shown if it passes all. They stand in the address, so a view can be sent.
const filters = { q: "", model: "", subset: "", page: "", cls: "", err: "", con: "", len: "", score: "0",
                  low: "", high: "", wrong: "" };
let shown = [], shownBy = models.map(() => []); // all of them, and by model

const lengthOf = (row) => {
    let k = summary.lengths.length - 1;
    while (row.length < summary.lengths[k])
        k--;
    return k;
};

const hasError = (row, test) => {
    for (let e = row.first; e < row.last; e++) {
        if (test(e))
            return true;
    }
    return false;
};

// A test of rows for a text: every formula and every error is searched once, however often it comes.
const finder = (wanted) => {
    const inFormula = lowered.map((tex) => tex.includes(wanted));
    const inError = errors.low.map((words) => words.includes(wanted));
    return (row) => row.low.includes(wanted) || (row.truth >= 0 && inFormula[row.truth]) ||
        (row.pred >= 0 && inFormula[row.pred]) || hasError(row, (e) => inError[errors.text[e]]);
};

const passes = () => {
    const f = filters, finds = f.q === "" ? () => true : finder(f.q.toLowerCase());
    const low = parseFloat(f.low), high = parseFloat(f.high);
    const err = f.err === "" ? -1 : errors.words.indexOf(f.err);
    const cls = f.cls === "" ? -1 : errors.classes.indexOf(f.cls);
    return (row) =>
        (f.model === "" || row.model === Number(f.model)) &&
        (f.subset === "" || row.subset === Number(f.subset)) &&
        (f.page === "" || row.page === Number(f.page)) &&
        (f.wrong === "" || row.wrong) &&
        (f.con === "" || (row.construct & 1 << Number(f.con)) !== 0) &&
        (f.len === "" || lengthOf(row) === Number(f.len)) &&
        (Number.isNaN(low) || (row.scores[f.score] ?? -Infinity) >= low) &&
        (Number.isNaN(high) || (row.scores[f.score] ?? Infinity) <= high) &&
        (f.cls === "" || hasError(row, (e) => errors.class[e] === cls)) &&
        (f.err === "" || hasError(row, (e) => errors.text[e] === err)) && finds(row);
};

// Whether all pairs are shown.
const isWhole = () => Object.entries(filters).every(([name, value]) => name === "score" || value === "");

// Whether only models and subsets are chosen, for which the pooled values are known.
const isPlain = () => ["q", "page", "cls", "err", "con", "len", "low", "high", "wrong"].every(
    (name) => filters[name] === "");
