// Exports: tables as text for papers, and the shown pairs as CSV.

const csvCell = (value) => /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
// A cell that begins with a number as that number alone, for programs: no words, no groups of digits.
const plainNumber = (cell) => {
    const [, number] = /^([−+-]?\d[\d,]*(?:\.\d+)?|[−+-]?\.\d+)(?:$|\s)/.exec(cell) ?? [];
    return number === undefined ? cell : number.replaceAll(",", "").replace("−", "-").replace(/^\+/, "");
};
const LATEX = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}",
                "↑": "$\\uparrow$", "↓": "$\\downarrow$", "≈": "$\\approx$", "→": "$\\rightarrow$",
                "−": "$-$", "≥": "$\\geq$", "±": "$\\pm$", "–": "--" };
const latexText = (text) => text.replace(/[\\~^↑↓≈→−≥±–]|[&%$#_{}]/g, (sign) => LATEX[sign] ?? `\\${sign}`);
const markdownText = (text) => text.replace(/[\\|`*_<>[\]$]/g, "\\$&");

// The rows of a table as texts; columns that hold drawings alone are left out.
const textsOf = (node) => {
    const grid = [...node.rows].filter((row) => row.className !== "spacer").map((row) => [...row.cells]);
    const drawn = (grid[0] ?? []).map((_, i) => grid.slice(1).some((row) =>
        row[i]?.querySelector("svg.dots, .bar") !== null && row[i]?.querySelector("svg.dots, .bar") !== undefined));
    return grid.map((row) => row.filter((_, i) => !drawn[i]).map(
        (cell) => [...cell.childNodes].map((part) => part.textContent).join(" ").replace(/\s+/g, " ").trim()));
};

const WRITERS = {
    LaTeX: (rows) => [`\\begin{tabular}{l${"r".repeat(Math.max(0, rows[0].length - 1))}}`, "\\toprule",
        ...rows.flatMap((row, i) => [`${row.map(latexText).join(" & ")} \\\\`, ...i === 0 ? ["\\midrule"] : []]),
        "\\bottomrule", "\\end{tabular}"],
    Markdown: (rows) => rows.flatMap((row, i) => [`| ${row.map(markdownText).join(" | ")} |`,
        ...i === 0 ? [`|${row.map((_, k) => k === 0 ? " --- " : " ---: ").join("|")}|`] : []]),
    CSV: (rows) => rows.map((row, i) => row.map((cell, k) => csvCell(i * k === 0 ? cell : plainNumber(cell))).join(",")),
};
const tableText = (node, form) => `${WRITERS[form](textsOf(node)).join("\n")}\n`;

// A page that is opened from disk may have no clipboard of its own: then by a selection.
const copyText = async (text) => {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const area = make("textarea", { value: text, class: "hidden", readOnly: true });
        document.body.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
    }
};

// Buttons after a table, or after the place where it is drawn, that copy it.
const offerCopies = (place) => {
    const done = make("span", { role: "status" });
    const current = () => place.localName === "table" ? place : place.querySelector("table");
    place.after(make("p", { class: "copies" }, "copy as ", ...Object.keys(WRITERS).map((form) => make(
        "button", { type: "button", class: "plain", onclick: async () => {
            if (current() === null)
                return;
            await copyText(tableText(current(), form));
            done.textContent = " copied";
            setTimeout(() => { done.textContent = ""; }, 2000);
        } }, form)), done));
};

// The shown pairs, a row each, with all scores as they are.
const pairsCsv = () => {
    const heads = ["id", "model", "subset", "reference", "prediction", "price", "errors",
                   ...columns.map((column) => column.name), ...people.map((group) => `rating of ${groupName(group)}`)];
    const text = (value) => csvCell(value === null || value === undefined ? "" : String(value));
    const rowOf = (row) => {
        const words = [];
        for (let e = row.first; e < row.last; e++)
            words.push(errors.words[errors.text[e]]);
        return [row.id, models[row.model], subsets[row.subset], formulas.tex[row.truth], formulas.tex[row.pred], row.price,
                words.join("; "), ...row.scores, ...people.map((group) => mean(group.of(row)))];
    };
    return [heads, ...(view === "table" ? tableRows : shown).map(rowOf)].map((row) => row.map(text).join(",") + "\r\n").join("");
};

const downloadPairs = () => {
    const address = URL.createObjectURL(new Blob([pairsCsv()], { type: "text/csv" }));
    make("a", { href: address, download: "pairs.csv" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
};
