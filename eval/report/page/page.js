// The page: filters, what they change, and events.

const NAMES = { q: "search", model: "model", subset: "subset", cls: "class", score: "score",
                low: "low", high: "high", wrong: "wrong" };

// How pairs are listed, which stands in the address, too; its values at first.
const CONTROLS = { order: "worst", view: "cards", "dispute-a": "0", "dispute-b": "1" };

const remember = () => {
    const parts = Object.entries(filters).filter(([name, value]) => value !== "" && name !== "score")
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    if (filters.score !== "0")
        parts.push(`score=${filters.score}`);
    for (const name of Object.keys(CONTROLS)) {
        if ($(name).value !== CONTROLS[name])
            parts.push(`${name}=${$(name).value}`);
    }
    history.replaceState(null, "", parts.length > 0 ? `#?${parts.join("&")}` : "#");
};

const decode = (text) => {
    try {
        return decodeURIComponent(text);
    } catch {
        return ""; // an address that was cut or made up
    }
};

// The filters of the address; what this report does not have is left out.
const recall = () => {
    const counts = { model: models.length, subset: subsets.length, page: summary.page_names.length, score: columns.length,
                     con: summary.constructs.length, len: lengthNames.length };
    for (const part of location.hash.startsWith("#?") ? location.hash.slice(2).split("&") : []) {
        const [name, text] = part.split("="), value = decode(text ?? "");
        const known = name in counts ? /^\d+$/.test(value) && Number(value) < counts[name]
            : name === "low" || name === "high" ? Number.isFinite(parseFloat(value)) : true;
        if (Object.hasOwn(filters, name) && known)
            filters[name] = value;
        else if (Object.hasOwn(CONTROLS, name) && [...$(name).options].some((each) => each.value === value))
            $(name).value = value;
    }
    order = $("order").value;
    view = $("view").value;
    $("dispute").hidden = order !== "disputed";
};

// Chips for what is chosen, each with a button that takes it back.
const drawChips = () => {
    const words = {
        model: (v) => modelName(Number(v)), page: (v) => pageName(Number(v)), subset: (v) => subsetName(Number(v)), cls: (v) => v,
        err: (v) => v.replace(" -> ", " → "), con: (v) => `with ${summary.constructs[v]}`,
        len: (v) => `${lengthNames[v]} tokens`, q: (v) => `“${v}”`, wrong: () => "with errors",
        low: (v) => `${columns[filters.score]?.name} ≥ ${v}`,
        high: (v) => `${columns[filters.score]?.name} ≤ ${v}`,
    };
    $("chips").replaceChildren(...Object.keys(words).filter((name) => filters[name] !== "").map(
        (name) => make("button", { type: "button", class: "chip", title: "remove this filter",
                                   onclick: () => choose({ [name]: "" }) },
                       `${words[name](filters[name])} ×`)));
    $("reset").hidden = $("chips").childElementCount === 0;
};

// The sections are drawn again after every change: those in view at once, the others soon
// after, so that a filter answers quickly.
const sections = {
    overview: () => {
        if (columns.length > 0) {
            drawMetrics();
            drawMatrix();
            drawAgainst();
        }
        drawFaults();
    },
    errors: () => drawErrors(),
    changes: () => drawChanges(),
    pages: () => drawPages(),
    pairs: () => drawPairs(),
    people: () => drawPeople(),
};
let stale = new Set();
const refresh = (names) => {
    for (const name of names) {
        if (stale.delete(name))
            sections[name]();
    }
};
const inView = (name) => {
    const box = $(name).getBoundingClientRect();
    return box.top < window.innerHeight && box.bottom > 0;
};

const update = () => {
    const started = performance.now();
    shown = rows.filter(passes());
    shownBy = models.map(() => []);
    let n = 0; // formulas
    const met = new Uint8Array(items.length);
    for (const row of shown) {
        shownBy[row.model].push(row);
        n += 1 - met[row.item.number];
        met[row.item.number] = 1;
    }
    $("count").textContent = `${count(shown.length)} of ${plural(rows.length, "pair")}` +
        (severalModels ? `, ${plural(n, "formula")}` : "");
    for (const [name, id] of Object.entries(NAMES)) {
        if (name === "wrong")
            $(id).checked = filters.wrong !== "";
        else if ($(id).value !== filters[name])
            $(id).value = filters[name];
    }
    drawChips();
    document.querySelectorAll(".whole").forEach((note) => { note.hidden = isWhole(); });
    leaveRoom();
    wanted = 6;
    stale = new Set(Object.keys(sections));
    refresh(Object.keys(sections).filter(inView));
    $("count").dataset.ms = String(Math.round(performance.now() - started));
    const rest = () => {
        refresh([...stale].slice(0, 1));
        if (stale.size > 0)
            setTimeout(rest);
        else
            document.body.dataset.state = "ready";
        markCuts();
    };
    setTimeout(rest);
};

const drawPairs = () => {
    $("cards").hidden = view === "table";
    $("table-view").hidden = view !== "table";
    if (view === "table") {
        $("more").hidden = true;
        sortTable();
    } else {
        drawCards();
    }
};

const choose = (changes) => {
    Object.assign(filters, changes);
    remember();
    update();
};

// Show the pairs, which sections above must not move later.
const goToPairs = () => {
    refresh(Object.keys(sections));
    $("pairs").scrollIntoView();
};

// A filter, and then the pairs that it leaves.
const examples = (changes) => {
    if ($("pair").open)
        $("pair").close();
    choose(changes);
    goToPairs();
    $("pairs-title").focus({ preventScroll: true });
};

// A table that is wider than its place says that it goes on.
const markCuts = () => document.querySelectorAll(".table").forEach((each) =>
    each.classList.toggle("cut", each.scrollWidth > each.clientWidth + 1));

const options = (id, names, values) => $(id).append(...names.map(
    (name, i) => make("option", { value: values?.[i] ?? String(i) }, name)));

const build = () => {
    options("model", models.map((_, m) => modelName(m)));
    options("subset", subsets.map((_, s) => subsetName(s)));
    options("class", [...errors.classes].sort(), [...errors.classes].sort());
    const names = columns.map((column) => column.name);
    for (const id of ["score", "matrix-metric", "attribute-metric", "people-metric", "against-metric",
                      "duel-metric", "dispute-a", "dispute-b"])
        options(id, names);
    for (const id of ["from", "to"])
        options(id, models.map((_, m) => modelName(m)));
    $("from").value = String(models.length > MOST ? models.length - 2 : 0); // of runs the last two
    $("to").value = String(models.length > MOST ? models.length - 1 : Math.min(1, models.length - 1));
    CONTROLS["dispute-b"] = $("dispute-b").value = columns.length > 1 ? "1" : columns.length > 0 ? "0" : "";
    CONTROLS["dispute-a"] = $("dispute-a").value;
    options("people-group", people.map(groupName));
    $("group-choice").hidden = people.length < 2;
    $("model-filter").hidden = $("changes").hidden = $("changes-link").hidden = !severalModels;
    $("subset-filter").hidden = !severalSubsets;
    document.querySelector(".screen").classList.toggle("many", models.length > 4);
    $("pages").hidden = $("pages-link").hidden = summary.pages.length === 0;
    $("people-link").hidden = people.length === 0;
    $("values").hidden = columns.length === 0;
    headTable();
    document.querySelectorAll(".panel > .table, #page-table, #details table").forEach(offerCopies);
};

// A section that is scrolled to stands below the bar at the top, which is as high as its filters need.
const barStays = () => getComputedStyle($("top")).position === "sticky";
const leaveRoom = () => {
    document.documentElement.style.scrollPaddingTop = barStays() ? `${$("top").offsetHeight}px` : "0";
};

// The order control comes after a heading: the last that was used holds.
const relist = () => {
    sorting = { column: null, descending: false };
    headTable();
    remember();
    drawPairs();
};

const listen = () => {
    let timer = 0;
    for (const [name, id] of Object.entries(NAMES)) {
        $(id).addEventListener("input", () => {
            const value = name === "wrong" ? ($(id).checked ? "1" : "") : $(id).value;
            clearTimeout(timer);
            timer = setTimeout(() => {
                choose({ [name]: value });
                if (name === "q" && value !== "" && barStays())
                    goToPairs();
            }, name === "q" ? 120 : 0);
        });
    }
    $("search").addEventListener("keydown", (event) => {
        if (event.key === "Enter") {
            clearTimeout(timer);
            choose({ q: $("search").value });
            goToPairs();
        }
    });
    $("filters").addEventListener("submit", (event) => event.preventDefault());
    document.querySelectorAll("nav a").forEach((link) => link.addEventListener("click", (event) => {
        event.preventDefault(); // the address keeps the view
        refresh(Object.keys(sections));
        const section = $(link.hash.slice(1));
        section.tabIndex = -1;
        section.scrollIntoView();
        section.focus({ preventScroll: true });
    }));
    $("reset").addEventListener("click", () => choose(Object.fromEntries(
        Object.keys(filters).map((name) => [name, name === "score" ? "0" : ""]))));
    $("matrix-metric").addEventListener("input", drawMatrix);
    $("against-metric").addEventListener("input", drawAgainst);
    $("duel-metric").addEventListener("input", drawChanges);
    $("people-metric").addEventListener("input", drawPeople);
    $("people-group").addEventListener("input", drawPeople);
    $("download").addEventListener("click", downloadPairs);
    $("attribute-metric").addEventListener("input", drawAttributes);
    for (const id of ["from", "to"])
        $(id).addEventListener("input", drawChanges);
    $("order").addEventListener("input", () => {
        order = $("order").value;
        $("dispute").hidden = order !== "disputed";
        relist();
    });
    for (const id of ["dispute-a", "dispute-b"])
        $(id).addEventListener("input", relist);
    $("view").addEventListener("input", () => {
        view = $("view").value;
        remember();
        drawPairs();
    });
    $("more").addEventListener("click", () => {
        wanted += 12;
        drawCards();
    });
    $("page-more").addEventListener("click", () => {
        listedPages += 100;
        drawPages();
    });
    $("change-more").addEventListener("click", () => {
        changed += 12;
        drawChanges();
    });
    $("close").addEventListener("click", () => $("pair").close());
    $("previous").addEventListener("click", () => step(-1));
    $("next").addEventListener("click", () => step(1));
    $("pair").addEventListener("close", () => {
        remember();
        if (view === "table")
            activate(active);
    });
    $("pair").addEventListener("keydown", (event) => {
        if (event.key === "ArrowLeft" || event.key === "ArrowRight")
            step(event.key === "ArrowLeft" ? -1 : 1);
    });
    window.addEventListener("hashchange", () => {
        if (!openAddress() && location.hash.startsWith("#?")) {
            Object.keys(filters).forEach((name) => { filters[name] = name === "score" ? "0" : ""; });
            Object.entries(CONTROLS).forEach(([name, value]) => { $(name).value = value; });
            recall();
            update();
        }
    });
    window.addEventListener("resize", () => {
        leaveRoom();
        markCuts();
        if (view === "table")
            drawTable();
        else
            restack($("cards"));
        restack($("people-pairs"));
    });
    window.addEventListener("beforeprint", () => {
        refresh(Object.keys(sections));
        wanted = 10;
        drawCards();
        $("cards").hidden = false;
        document.querySelectorAll("#details details").forEach((each) => { each.open = false; });
    });
};

const listenTable = () => {
    let waiting = false;
    $("scroll").addEventListener("scroll", () => {
        if (!waiting)
            requestAnimationFrame(() => {
                waiting = false;
                drawTable();
            });
        waiting = true;
    });
    const positionOf = (target) => {
        const row = target.closest("tr[data-position]");
        return row === null ? null : Number(row.dataset.position);
    };
    const open = (position) => {
        active = position;
        openItem(tableRows[position].item, tableRows[position]);
    };
    $("rows").addEventListener("click", (event) => {
        const position = positionOf(event.target);
        if (position !== null)
            open(position);
    });
    $("rows").addEventListener("focusin", (event) => {
        active = positionOf(event.target) ?? active;
    });
    $("rows").addEventListener("keydown", (event) => {
        const page = Math.max(1, Math.floor($("scroll").clientHeight / ROW_HEIGHT) - 2);
        const moves = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page,
                        PageUp: active - page, Home: 0, End: tableRows.length - 1 };
        if (event.key in moves)
            activate(moves[event.key]);
        else if (event.key === "Enter" || event.key === " ")
            open(active);
        else
            return;
        event.preventDefault();
    });
};

// "/" goes to the search, as on many pages.
document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/INPUT|SELECT|TEXTAREA/.test(document.activeElement.tagName)) {
        $("search").focus();
        event.preventDefault();
    }
});

requestAnimationFrame(() => setTimeout(async () => { // the headline is painted before this
    try {
        await load();
        build();
        recall();
        listen();
        listenTable();
        update();
        openAddress();
    } catch (error) {
        document.body.dataset.state = "failed";
        $("count").textContent = error.message;
    }
}));
