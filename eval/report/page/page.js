"use strict";
// The table of all pairs: sorted, filtered, and drawn for the visible rows only, so that it stays
// quick at many thousands of pairs. Text goes into the page as text, never as markup.
(() => {
    const data = JSON.parse(document.getElementById("pairs-data").textContent);
    const pairs = data.rows.map((row, number) => ({
        number,
        id: row[0],
        model: data.models[row[1]],
        subset: data.subsets[row[2]],
        truths: row[3],
        pred: row[4],
        scores: row[5],
        remarks: row[6],
        edits: row[7],
    }));
    const ROW_HEIGHT = 28;
    const AROUND = 8; // rows drawn beyond what is visible, on each side

    const element = (id) => document.getElementById(id);
    const scroll = element("scroll");
    const body = element("rows");
    const head = element("head");
    const count = element("count");
    const dialog = element("pair");

    const make = (name, text, className) => {
        const node = document.createElement(name);
        if (text !== undefined)
            node.textContent = text;
        if (className !== undefined)
            node.className = className;
        return node;
    };

    const number = (value) => {
        if (value === null)
            return "–";
        return Number.isInteger(value) ? String(value) : value.toFixed(4);
    };

    // ---- columns ----

    const text = (title, of) => ({ title, of, isText: true });
    const columns = [text("id", (pair) => pair.id ?? "")];
    if (data.models.length > 1)
        columns.push(text("model", (pair) => pair.model));
    if (data.subsets.length > 1)
        columns.push(text("subset", (pair) => pair.subset));
    columns.push(text("truth", (pair) => pair.truths[0] ?? ""));
    columns.push(text("prediction", (pair) => pair.pred ?? "(none)"));
    data.columns.forEach((title, i) => {
        columns.push({ title, of: (pair) => pair.scores[i], isText: false });
    });

    // ---- what is shown, in which order ----

    let shown = pairs;
    let order = { column: null, descending: false };
    let active = 0; // position among the shown pairs

    const compare = (a, b, column) => {
        const x = column.of(a), y = column.of(b);
        if (column.isText)
            return x < y ? -1 : x > y ? 1 : 0;
        if (x === null || y === null)
            return (x === null) - (y === null);
        return x - y;
    };

    const update = () => {
        const wanted = element("search").value.toLowerCase();
        const model = element("model").value, subset = element("subset").value;
        const score = element("score").value;
        const low = parseFloat(element("low").value), high = parseFloat(element("high").value);
        const remarks = element("remarks").checked;

        shown = pairs.filter((pair) => {
            if (model !== "" && pair.model !== data.models[model])
                return false;
            if (subset !== "" && pair.subset !== data.subsets[subset])
                return false;
            if (remarks && pair.remarks === null)
                return false;
            const value = pair.scores[score];
            if (!Number.isNaN(low) && !(value !== null && value >= low))
                return false;
            if (!Number.isNaN(high) && !(value !== null && value <= high))
                return false;
            return wanted === "" ||
                [pair.id ?? "", pair.pred ?? "", ...pair.truths, ...(pair.edits ?? [])].some(
                    (part) => part.toLowerCase().includes(wanted));
        });
        if (order.column !== null) {
            const column = columns[order.column];
            const sign = order.descending ? -1 : 1;
            shown.sort((a, b) => {
                // what is undefined stays last in either direction
                if (!column.isText && (column.of(a) === null) !== (column.of(b) === null))
                    return compare(a, b, column);
                return sign * compare(a, b, column) || a.number - b.number;
            });
        }
        active = 0;
        scroll.scrollTop = 0;
        count.textContent = `${shown.length} of ${pairs.length} pairs`;
        draw();
    };

    // ---- drawing the visible rows ----

    const spacer = (rows) => {
        const row = make("tr", undefined, "spacer"), cell = make("td");
        row.setAttribute("aria-hidden", "true");
        cell.colSpan = columns.length;
        cell.style.height = `${rows * ROW_HEIGHT}px`;
        row.append(cell);
        return row;
    };

    const drawRow = (position) => {
        const row = make("tr");
        const pair = shown[position];

        row.dataset.position = position;
        row.tabIndex = position === active ? 0 : -1;
        row.setAttribute("aria-rowindex", position + 2);
        for (const column of columns) {
            const value = column.of(pair);
            const cell = make("td", column.isText ? value : number(value),
                              column.isText ? "text" : undefined);
            row.append(cell);
        }
        return row;
    };

    const draw = () => {
        const first = Math.max(0, Math.floor(scroll.scrollTop / ROW_HEIGHT) - AROUND);
        const last = Math.min(shown.length,
                              first + Math.ceil(scroll.clientHeight / ROW_HEIGHT) + 2 * AROUND);
        const rows = [];

        if (first > 0)
            rows.push(spacer(first));
        for (let position = first; position < last; position++)
            rows.push(drawRow(position));
        if (last < shown.length)
            rows.push(spacer(shown.length - last));
        const hadFocus = body.contains(document.activeElement);
        body.replaceChildren(...rows);
        scroll.querySelector("table").setAttribute("aria-rowcount", shown.length + 1);
        if (hadFocus)
            body.querySelector(`[data-position="${active}"]`)?.focus({ preventScroll: true });
    };

    const activate = (position) => {
        active = Math.max(0, Math.min(shown.length - 1, position));
        const top = active * ROW_HEIGHT, room = scroll.clientHeight - 2 * ROW_HEIGHT;
        if (top < scroll.scrollTop)
            scroll.scrollTop = top;
        else if (top > scroll.scrollTop + room)
            scroll.scrollTop = top - room;
        draw();
        body.querySelector(`[data-position="${active}"]`)?.focus({ preventScroll: true });
    };

    // ---- one pair ----

    // Pictures of a drawn pair by the words that stand beside them; none for other pairs.
    const picturesOf = (pair) => {
        const pictures = new Map();
        const figure = document.querySelector(`figure[data-row="${pair.number}"]`);
        for (const image of figure?.querySelectorAll("dd > img") ?? []) {
            const copy = image.cloneNode();
            copy.removeAttribute("loading");
            pictures.set(image.parentNode.previousElementSibling.textContent, copy);
        }
        return pictures;
    };

    // What a metric says about a pair: its picture, and FORTE's edits.
    const matches = (pair, pictures) => {
        const parts = [];
        const titles = new Set([...pictures.keys()].filter(
            (title) => title !== "truth" && title !== "prediction"));
        if (pair.edits !== null)
            titles.add(data.edits);
        for (const title of titles) {
            const part = make("div");
            part.append(make("h4", title));
            if (pictures.has(title))
                part.append(pictures.get(title));
            if (title === data.edits && pair.edits !== null) {
                const list = make("ol", undefined, "edits");
                list.append(...pair.edits.map((line) => make("li", line)));
                part.append(list);
            }
            parts.push(part);
        }
        const beside = make("div", undefined, "matches");
        beside.append(...parts);
        return beside;
    };

    const open = (position) => {
        const pair = shown[position];
        if (pair === undefined)
            return;
        const scores = make("table"), pictures = picturesOf(pair);
        data.columns.forEach((title, i) => {
            const row = make("tr");
            const key = make("th", title, "key");
            key.scope = "row";
            row.append(key, make("td", number(pair.scores[i])));
            scores.append(row);
        });
        active = position;
        element("pair-title").textContent =
            [pair.id ?? `pair ${pair.number + 1}`, pair.model, pair.subset]
                .filter((part) => part !== "").join(" · ");
        const parts = [];
        pair.truths.forEach((truth, i) => {
            parts.push(make("h4", pair.truths.length > 1 ? `Truth ${i + 1}` : "Truth"));
            if (i === 0 && pictures.has("truth"))
                parts.push(pictures.get("truth"));
            parts.push(make("pre", truth));
        });
        parts.push(make("h4", "Prediction"));
        if (pictures.has("prediction"))
            parts.push(pictures.get("prediction"));
        parts.push(pair.pred === null ? make("p", "none", "missing") : make("pre", pair.pred));
        parts.push(matches(pair, pictures), make("h4", "Scores"), scores);
        for (const [metric, remark] of Object.entries(pair.remarks ?? {}))
            parts.push(make("p", `${metric}: ${remark}`, "note"));
        element("pair-body").replaceChildren(...parts);
        if (!dialog.open)
            dialog.showModal();
        dialog.scrollTop = 0;
    };

    // ---- events ----

    columns.forEach((column, i) => {
        const cell = make("th", undefined, column.isText ? "text" : undefined);
        const button = make("button", column.title);
        cell.scope = "col";
        cell.setAttribute("aria-sort", "none");
        button.type = "button";
        button.addEventListener("click", () => {
            order = { column: i, descending: order.column === i && !order.descending };
            head.querySelectorAll("th").forEach((other, k) => other.setAttribute(
                "aria-sort", k !== i ? "none" : order.descending ? "descending" : "ascending"));
            update();
        });
        cell.append(button);
        head.append(cell);
    });

    const fill = (id, names) => names.forEach((name, i) => {
        const option = make("option", name === "" ? "(none)" : name);
        option.value = i;
        element(id).append(option);
    });
    fill("model", data.models);
    fill("subset", data.subsets);
    fill("score", data.columns);
    element("score").disabled = data.columns.length === 0;
    for (const id of ["search", "model", "subset", "score", "low", "high", "remarks"])
        element(id).addEventListener("input", update);

    let waiting = false;
    scroll.addEventListener("scroll", () => {
        if (waiting)
            return;
        waiting = true;
        requestAnimationFrame(() => {
            waiting = false;
            draw();
        });
    });
    const positionOf = (target) => {
        const row = target.closest("tr[data-position]");
        return row === null ? null : Number(row.dataset.position);
    };
    body.addEventListener("click", (event) => {
        const position = positionOf(event.target);
        if (position !== null)
            open(position);
    });
    body.addEventListener("focusin", (event) => {
        active = positionOf(event.target) ?? active;
    });
    body.addEventListener("keydown", (event) => {
        const page = Math.max(1, Math.floor(scroll.clientHeight / ROW_HEIGHT) - 2);
        const moves = {
            ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page,
            PageUp: active - page, Home: 0, End: shown.length - 1,
        };
        if (event.key in moves)
            activate(moves[event.key]);
        else if (event.key === "Enter" || event.key === " ")
            open(active);
        else
            return;
        event.preventDefault();
    });
    element("close").addEventListener("click", () => dialog.close());
    element("previous").addEventListener("click", () => open(Math.max(0, active - 1)));
    element("next").addEventListener("click",
                                     () => open(Math.min(shown.length - 1, active + 1)));
    dialog.addEventListener("close", () => activate(active));
    window.addEventListener("resize", draw);
    update();
})();
