// Rating: an order of its own for each rater, one pair after the other, every answer kept at once.

let errors = null, formulas = null, page = null; // drawing.js knows the first two
let rater = "", steps = [], answers = [], at = 0, sources = false, keeps = true;
let since = 0, spent = 0; // of the clock of this pair: seconds count only while the page is seen

const CANNOT = "cannot judge", WRONG = "wrong reference";
const show = (name) => ["start", "anchors", "rate", "end"].forEach((id) => { $(id).hidden = id !== name; });

// ---- random numbers, the same for a name in every browser ----

const hash = (text) => { // FNV-1a
    let h = 0x811c9dc5;
    for (const c of text)
        h = Math.imul(h ^ c.codePointAt(0), 0x01000193) >>> 0;
    return h;
};
const generator = (seed) => () => { // mulberry32
    seed = seed + 0x6d2b79f5 | 0;
    let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 4294967296;
};
const shuffle = (list, random) => {
    for (let i = list.length - 1; i > 0; i--) {
        const k = Math.floor(random() * (i + 1));
        [list[i], list[k]] = [list[k], list[i]];
    }
    return list;
};

// The pairs in an order of the rater's own. Some of the first come again, at least GAP pairs later.
const GAP = 10;
const orderFor = (name) => {
    const random = generator(hash(`${page.study}\n${page.seed}\n${name}`)), n = page.pairs.length;
    const list = shuffle(page.pairs.map((pair, i) => i), random)
        .map((pair) => ({ pair, time: 1, swap: random() < 0.5 }));
    const gap = Math.min(GAP, Math.floor(n / 3)), early = Math.max(page.repeat, Math.ceil(n * 0.6));
    for (const step of shuffle(list.slice(0, early), random).slice(0, page.repeat)) {
        const least = Math.min(list.indexOf(step) + gap + 1, list.length);
        list.splice(least + Math.floor(random() * (list.length - least + 1)), 0, { ...step, time: 2 });
    }
    return list;
};

// ---- answers ----

// The possible answers to a pair, in the order of the buttons, with the key of each.
const choicesOf = (step) => {
    const pair = page.pairs[step.pair], turn = (list) => step.swap ? list.reverse() : list;
    if (page.kind === "scale" && page.scale.words)
        return page.scale.words.map((word, i) => ({ value: word, label: word, key: String(i + 1) }));
    if (page.kind === "scale")
        return Array.from({ length: page.scale.high - page.scale.low + 1 }, (_, i) => {
            const value = page.scale.low + i, last = page.scale.high - page.scale.low;
            return { value, label: String(value), key: value === 10 ? "T" : String(value),
                     words: i === 0 ? page.ends[0] : i === last ? page.ends[1] : undefined };
        });
    const names = page.kind === "duel" ? pair.model : page.metrics.map(({ name }) => name);
    const [first, second] = turn(names.map((value, i) => ({ value, i })));
    const labels = page.kind === "duel" ? ["Prediction 1", "Prediction 2"]
        : [first, second].map(({ i }) => pair.scores[i]);
    const scale = [first, second].map(({ i }) => page.metrics?.[i]).map((metric) => metric &&
        `${metric.low} to ${metric.high}, ${metric.lower ? "lower" : "higher"} is better`);
    const middle = page.kind === "duel" ? [{ value: "tie", label: "as good", key: "2" }]
        : [{ value: "both", label: "both", key: "2" }, { value: "neither", label: "neither", key: "3" }];
    return [{ value: first.value, label: labels[0], key: "1", words: scale[0] }, ...middle,
            { value: second.value, label: labels[1], key: String(middle.length + 2), words: scale[1] }];
};

const storageName = (name) => `texgauge-ratings\n${page.study}\n${name}`;
const recall = (name) => {
    try {
        const list = JSON.parse(localStorage.getItem(storageName(name)) ?? "[]");
        return Array.isArray(list) ? list.map((each) => each ?? undefined) : [];
    } catch {
        return [];
    }
};
const keep = () => {
    try {
        localStorage.setItem(storageName(rater), JSON.stringify(answers));
    } catch {
        keeps = false;
    }
    $("warning").textContent = keeps ? ""
        : "This browser keeps nothing of this page: save the file before you close it.";
};

const saved = () => ({
    texgauge_ratings: 1, version: page.version, study: page.study, kind: page.kind, title: page.title,
    question: page.question, scale: page.scale, ends: page.ends,
    metrics: page.metrics?.map(({ name }) => name), sample: page.sample, seed: page.seed, rater,
    pairs: page.pairs.length, steps: steps.length,
    answers: steps.flatMap((step, i) => answers[i] ? [{
        step: i, pair: step.pair, time: step.time, id: page.pairs[step.pair].id,
        subset: page.pairs[step.pair].subset, model: page.pairs[step.pair].model,
        checksum: page.pairs[step.pair].checksum, ...answers[i] }] : []),
});
const fileName = () => `ratings-${rater.replace(/[^\p{L}\p{N}._-]+/gu, "-")}.json`;
const save = () => {
    const link = make("a", { download: fileName(), href: URL.createObjectURL(
        new Blob([`${JSON.stringify(saved(), null, 1)}\n`], { type: "application/json" })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
};

// The answers of a saved file by steps; throws what is wrong with it.
const readSaved = (text) => {
    let file;
    try {
        file = JSON.parse(text);
    } catch {
        throw new Error("The file is cut short, or is no JSON.");
    }
    if (file?.texgauge_ratings !== 1 || typeof file.rater !== "string" || !Array.isArray(file.answers))
        throw new Error("This is no file of ratings that this page can read.");
    if (file.study !== page.study)
        throw new Error("The file belongs to another study, or to another version of this page.");
    const order = orderFor(file.rater), list = [];
    for (const each of file.answers) {
        const step = order[each?.step], pair = page.pairs[step?.pair];
        if (!pair || step.pair !== each.pair || step.time !== each.time ||
            JSON.stringify(pair.checksum) !== JSON.stringify(each.checksum))
            throw new Error(`The file has an answer to a pair that this page does not have: ${each?.id}.`);
        const { answer, skip, seconds, note } = each;
        if (skip === undefined ? !choicesOf(step).some(({ value }) => value === answer)
                               : ![CANNOT, WRONG].includes(skip))
            throw new Error(`The answer to pair ${pair.id} is outside of the scale.`);
        list[each.step] = { answer, skip, seconds: Number(seconds) || 0,
                            note: typeof note === "string" ? note : undefined };
    }
    return { name: file.rater, list };
};

// ---- one pair ----

const side = (title, formula, image) => make("div", { class: "side" }, make("h2", {}, title),
    picture(formula, null, 0, `${title}: ${formulas.tex[formula]}`),
    image === undefined ? null : make("img", { src: page.images[image], alt: `picture of the ${title}` }),
    ...sources ? [formulas.tex[formula].trim() === "" ? null
                      : make("code", { class: "source" }, formulas.tex[formula]),
                  formulas.fault[formula] === null ? null
                      : make("p", { class: "soft" }, `LaTeX: ${formulas.fault[formula]}`)] : []);
const sidesOf = (pair, swap) => {
    const predictions = Array.isArray(pair.pred) ? [...pair.pred] : [pair.pred];
    if (swap)
        predictions.reverse();
    return [side("Reference", pair.gt, pair.image), ...predictions.map((formula, i) =>
        side(predictions.length > 1 ? `Prediction ${i + 1}` : "Prediction", formula))];
};

const minutes = (seconds) => seconds < 90 ? `${Math.max(10, Math.round(seconds / 10) * 10)} seconds`
    : `${Math.round(seconds / 60)} minutes`;
const timeLeft = () => {
    const done = answers.filter(Boolean).map(({ seconds }) => seconds).sort((a, b) => a - b);
    return done.length < 3 ? ""
        : `about ${minutes(done[done.length >> 1] * (steps.length - done.length))} left`;
};

const drawPair = () => {
    const step = steps[at], given = answers[at];
    if (step === undefined) {
        $("file-name").textContent = fileName();
        show("end");
        $("end-title").focus();
        return;
    }
    show("rate");
    $("place").textContent = `Pair ${at + 1} of ${steps.length}`;
    $("left").textContent = timeLeft();
    $("progress").max = steps.length;
    $("progress").value = answers.filter(Boolean).length;
    $("pair").replaceChildren(...sidesOf(page.pairs[step.pair], page.kind === "duel" && step.swap));
    $("choices").replaceChildren(...choicesOf(step).map(({ value, label, key, words }) =>
        make("button", { type: "button", "aria-pressed": String(given !== undefined && given.skip === undefined && given.answer === value),
                         onclick: () => answer({ answer: value }) },
             label, make("kbd", { "aria-hidden": "true" }, key), words ? make("small", {}, words) : null)));
    $("cannot").setAttribute("aria-pressed", String(given?.skip === CANNOT));
    $("wrong").setAttribute("aria-pressed", String(given?.skip === WRONG));
    $("note").value = given?.note ?? "";
    $("undo").disabled = at === 0;
    $("next").hidden = given === undefined;
    $("live").textContent = `${$("place").textContent} ${$("left").textContent}`;
    spent = 0;
    since = performance.now();
    $("place").focus({ preventScroll: true });
    scrollTo(0, 0);
};

const clock = () => spent + (document.hidden ? 0 : (performance.now() - since) / 1000);
const answer = (given) => {
    const before = answers[at]?.seconds ?? 0, note = $("note").value.trim();
    answers[at] = { ...given, seconds: Math.round((before + clock()) * 10) / 10,
                    note: note === "" ? undefined : note };
    keep();
    go(at + 1);
};
const noteNow = () => { // of a pair that has its answer already
    if (answers[at] !== undefined) {
        answers[at].note = $("note").value.trim() || undefined;
        keep();
    }
};
const go = (to) => {
    at = Math.max(0, Math.min(to, steps.length));
    drawPair();
};
const toggleSource = () => {
    sources = !sources;
    $("show-source").setAttribute("aria-pressed", String(sources));
    const step = steps[at];
    $("pair").replaceChildren(...sidesOf(page.pairs[step.pair], page.kind === "duel" && step.swap));
};

const ACTIONS = { u: () => go(at - 1), backspace: () => go(at - 1), s: toggleSource,
                  c: () => answer({ skip: CANNOT }), w: () => answer({ skip: WRONG }),
                  n: () => $("note").focus() };
const onKey = (event) => {
    if ($("rate").hidden || event.ctrlKey || event.metaKey || event.altKey)
        return;
    const buttons = [...$("choices").children], key = event.key.toLowerCase();
    if (event.target === $("note")) {
        if (key === "escape" || key === "enter") {
            noteNow();
            $("place").focus();
        }
        return;
    }
    const move = { arrowleft: -1, arrowdown: -1, arrowright: 1, arrowup: 1 }[key];
    const chosen = choicesOf(steps[at]).findIndex((choice) => choice.key.toLowerCase() === key);
    if (move !== undefined) {
        const now = buttons.indexOf(document.activeElement);
        const given = buttons.findIndex((button) => button.getAttribute("aria-pressed") === "true");
        const from = now >= 0 ? now + move : given >= 0 ? given + move : move > 0 ? 0 : buttons.length - 1;
        buttons[(from + buttons.length) % buttons.length].focus();
    } else if (event.repeat) {
        return; // a key that is held down answers once
    } else if (chosen >= 0) {
        buttons[chosen].click();
    } else if (ACTIONS[key]) {
        ACTIONS[key]();
    } else {
        return;
    }
    event.preventDefault();
};

// ---- start ----

const message = (text, good) => {
    $("message").className = good ? "good" : "";
    $("message").textContent = text;
};
const beginAs = (name, list) => {
    rater = name;
    steps = orderFor(name);
    answers = list;
    keep();
    const open = steps.findIndex((step, i) => !answers[i]);
    at = open < 0 ? steps.length : open;
    if (page.anchors.length > 0 && answers.filter(Boolean).length === 0) {
        show("anchors");
        $("anchors-title").focus();
        return;
    }
    drawPair();
};
const onStart = (event) => {
    event.preventDefault();
    const name = $("name").value.normalize("NFC").trim(), kept = recall(name);
    const n = kept.filter(Boolean).length;
    if (name === "" || (n > 0 && $("begin").dataset.for !== name)) { // two people of one name
        $("begin").dataset.for = name;
        $("begin").textContent = n > 0 ? "Continue" : "Start";
        message(name === "" ? "Type a name first."
            : `${name} has rated ${plural(n, "pair")} in this browser. Continue if that is you; else choose another name.`);
        return;
    }
    beginAs(name, kept);
};
const onFile = async () => {
    try {
        const { name, list } = readSaved(await $("file").files[0].text());
        const kept = recall(name); // the browser's own answers are not lost
        kept.forEach((each, i) => { list[i] = each ?? list[i]; });
        $("name").value = name;
        beginAs(name, list);
    } catch (error) {
        message(error.message);
    }
    $("file").value = "";
};

const start = async () => {
    page = await unpack($("data"));
    formulas = page.formulas;
    sources = page.source;
    $("show-source").setAttribute("aria-pressed", String(sources));
    const n = page.pairs.length + page.repeat;
    $("question-first").textContent = $("question").textContent = page.question;
    $("task").textContent = `${plural(n, "pair")} of formulas, one after the other` +
        `${page.repeat > 0 ? "; some come twice" : ""}. Judge what a reader sees, not how it is written. ` +
        "You may stop at any time: your answers stay in this browser, and you can save them to a file.";
    $("about").textContent = `${page.drawn} Made by texgauge ${page.version}; study ${page.study}.`;
    const keys = choicesOf({ pair: 0 }).map(({ key }) => key);
    $("keys").append(...[[keys.at(-1) === "T" ? `${keys[0]} to 9, T for 10` : `${keys[0]} to ${keys.at(-1)}`, "answer"],
                         ["arrows, Enter", "choose an answer, and give it"],
                         ["U, Backspace", "back to the pair before, to change its answer"],
                         ["C", "cannot judge"], ["W", "the reference is wrong"], ["N", "a note"],
                         ["S", "LaTeX"]]
        .flatMap(([key, what]) => [make("dt", {}, key), make("dd", {}, what)]));
    $("anchor-list").append(...page.anchors.map((anchor) => make("div", { class: "anchor" },
        ...sidesOf(anchor, false), make("p", {}, make("strong", {}, `Answer: ${anchor.rating}`)),
        anchor.why ? make("p", { class: "soft" }, anchor.why) : null)));
    const isNumbers = page.kind === "scale" && !page.scale.words;
    $("choices").className = isNumbers ? "numbers" : "words";
    $("ends").textContent = isNumbers ? `${page.scale.low}: ${page.ends[0]}; ${page.scale.high}: ${page.ends[1]}` : "";
    $("enter").addEventListener("submit", onStart);
    $("name").addEventListener("input", () => { $("begin").dataset.for = ""; $("begin").textContent = "Start"; message(""); });
    $("file").addEventListener("change", onFile);
    $("anchors-done").addEventListener("click", drawPair);
    $("undo").addEventListener("click", () => go(at - 1));
    $("back").addEventListener("click", () => go(at - 1));
    $("next").addEventListener("click", () => { noteNow(); go(at + 1); });
    $("cannot").addEventListener("click", ACTIONS.c);
    $("wrong").addEventListener("click", ACTIONS.w);
    $("show-source").addEventListener("click", toggleSource);
    $("note").addEventListener("change", noteNow);
    document.querySelectorAll(".save").forEach((button) => button.addEventListener("click", save));
    document.addEventListener("keydown", onKey);
    document.addEventListener("visibilitychange", () => {
        if (document.hidden)
            spent += (performance.now() - since) / 1000;
        since = performance.now();
    });
    document.body.dataset.state = "ready";
};
start().catch((error) => {
    message(error.message);
    document.body.dataset.state = "failed";
});
