/* The page: formulas are scored while one types, and commands run on dropped files. */
"use strict";

const $ = (id) => document.getElementById(id);
const METRICS = ["forte", "cdm", "cdm-strict", "edit", "bleu", "exprate", "render", "texbleu", "rouge", "chrf", "cer",
                 "wer", "ebleu", "edit-dist", "edit-ops", "imgedit", "ssim", "mse", "olmocr", "crohme-graph"];
const CHECKED = ["forte", "cdm", "cdm-strict", "edit", "render"];
const EXAMPLES = [
    ["A subscript for an exponent", "x^2", "x_2"],
    ["A fraction upside down", "\\frac{a}{b}", "\\frac{b}{a}"],
    ["Another spelling, the same picture", "x^{2}_{i}+\\le", "x_i^2+\\leq"],
    ["A lost sign", "e^{-i\\omega t}", "e^{i\\omega t}"],
    ["Rows of a matrix", "\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}", "\\begin{pmatrix}1&3\\\\2&4\\end{pmatrix}"],
    ["Invalid LaTeX", "\\sqrt{x+1}", "\\sqrt{x+1"],
];
const LIMIT_MS = 15000; // a pair that takes longer ends the Worker

/* ---- the program in a Worker ---- */

function bytesOf(base64) {
    const text = atob(base64.trim());
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++)
        bytes[i] = text.charCodeAt(i);
    return bytes;
}

async function gunzip(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* A pack is the length of its index (4 bytes), the index as JSON, and the files. */
async function readPack(base64) {
    const all = await gunzip(bytesOf(base64));
    const n = new DataView(all.buffer).getUint32(0);
    const index = JSON.parse(new TextDecoder().decode(all.subarray(4, 4 + n)));
    return { index, bytes: all.subarray(4 + n) };
}

const data = {}; // wasm: compiled once; pack, fonts: files of the program

class Engine {
    /** A Worker with a program of its own. */
    constructor() {
        this.asked = new Map();
        this.next = 1;
        this.onprogress = null;
    }

    async start() {
        const code = new Blob([$("worker-code").textContent], { type: "text/javascript" });
        const url = URL.createObjectURL(code);
        this.worker = new Worker(url);
        this.worker.onmessage = ({ data: message }) => {
            if (message.progress !== undefined) {
                if (this.onprogress)
                    this.onprogress(message.progress);
                return;
            }
            const waiting = this.asked.get(message.id);
            this.asked.delete(message.id);
            if (message.error !== undefined)
                waiting.reject(new Error(message.error));
            else
                waiting.resolve(message.result);
        };
        await this.ask("start", { wasm: data.wasm, pack: data.pack });
        if (data.fonts)
            await this.ask("fonts", { pack: data.fonts });
        URL.revokeObjectURL(url);
        return this;
    }

    ask(call, fields, limit) {
        return new Promise((resolve, reject) => {
            const id = this.next++;
            this.asked.set(id, { resolve, reject });
            this.worker.postMessage({ id, call, ...fields });
            if (limit)
                setTimeout(() => {
                    if (this.asked.has(id))
                        this.stop("this takes too long");
                }, limit);
        });
    }

    stop(reason) {
        this.worker.terminate();
        for (const waiting of this.asked.values())
            waiting.reject(new Error(reason));
        this.asked.clear();
        this.dead = true;
    }
}

/* The fonts that few formulas need are in a second file beside the page. */
let fontsAsked;
window.texgaugeFonts = (base64) => { data.packed = base64; };
function loadFonts() {
    fontsAsked = fontsAsked || new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = "texgauge-fonts.js";
        script.onload = async () => {
            data.fonts = await readPack(data.packed);
            delete data.packed;
            resolve();
        };
        script.onerror = () => {
            fontsAsked = null;
            reject(new Error("this needs the fonts of texgauge-fonts.js, which is not beside this page"));
        };
        document.head.append(script);
    });
    return fontsAsked;
}

let engine; // of the pair

/* Ask for a pair's sake: fetch fonts that are missing, and start again after a trap. */
async function ask(call, fields) {
    if (!engine || engine.dead)
        engine = await new Engine().start();
    let answer;
    try {
        answer = await engine.ask(call, fields, LIMIT_MS);
    } catch (error) {
        engine.stop("stopped");
        return { error: error.message };
    }
    if (answer.font && !data.fonts) {
        try {
            await loadFonts();
        } catch (error) {
            return { error: error.message };
        }
        engine.stop("restarted with all fonts");
        return ask(call, fields);
    }
    return answer;
}

/* ---- one pair ---- */

const sides = ["reference", "prediction"];

function showSvg(element, svg) {
    const image = new Image();
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
    image.alt = "";
    element.replaceChildren(image);
}

async function showDrawing(side) {
    const answer = await ask("draw", { formula: $(side).value });
    if (answer.error) {
        $(side + "-drawing").replaceChildren();
        $(side + "-faults").textContent = answer.error;
        return;
    }
    showSvg($(side + "-drawing"), answer.svg);
    $(side + "-faults").textContent = answer.faults.join("; ");
    $(side + "-canonical").textContent = answer.canonical;
}

const chosen = () => [...document.querySelectorAll("#metrics input:checked")].map((box) => box.value);

function cell(tag, text, kind) {
    const made = document.createElement(tag);
    made.textContent = text;
    if (kind)
        made.className = kind;
    return made;
}

async function showScores(pair) {
    const metrics = chosen();
    const answer = metrics.length ? await ask("score", { metrics: metrics.join(","), ...pair }) : { metrics: [] };
    const rows = (answer.metrics || []).map((row) => {
        const line = document.createElement("tr");
        const remark = [row.status === "ok" ? "" : row.status, row.note, row.higher ? "" : "lower is better"];
        const name = cell("th", row.name);
        name.scope = "row";
        line.title = row.signature;
        line.append(name, cell("td", row.value === null ? "–" : row.value.toFixed(3), "number"),
                    cell("td", remark.filter(Boolean).join("; ")));
        return line;
    });
    $("scores").tBodies[0].replaceChildren(...rows);
    return answer.error;
}

async function showExplanation(pair) {
    const answer = await ask("explain", { metric: $("explained").value, ...pair });
    $("explanation").textContent = answer.error || answer.text;
    if (answer.error)
        $("picture").replaceChildren();
    else
        showSvg($("picture"), answer.svg);
}

let busy = false, stale = false;

/* Show the pair that the page has now; while that works, remember that it changed again. */
async function refresh() {
    if (busy) {
        stale = true;
        return;
    }
    busy = true;
    do {
        stale = false;
        const pair = { reference: $("reference").value, prediction: $("prediction").value };
        const fault = await showScores(pair);
        for (const side of sides)
            await showDrawing(side);
        await showExplanation(pair);
        $("state").textContent = fault || "";
        history.replaceState(null, "", link());
    } while (stale);
    busy = false;
}

/* ---- links and copies: both formulas stand in the fragment, which no browser sends ---- */

function link() {
    const pair = new URLSearchParams({ r: $("reference").value, p: $("prediction").value });
    if (chosen().join() !== CHECKED.join())
        pair.set("m", chosen().join());
    return "#" + pair.toString();
}

function readLink() {
    const pair = new URLSearchParams(location.hash.slice(1));
    if (!pair.has("r") && !pair.has("p"))
        return false;
    $("reference").value = pair.get("r") || "";
    $("prediction").value = pair.get("p") || "";
    const named = METRICS.filter((metric) => (pair.get("m") || "").split(",").includes(metric));
    for (const box of document.querySelectorAll("#metrics input"))
        box.checked = (named.length ? named : CHECKED).includes(box.value);
    if ([...$("explained").options].some((option) => option.value === named[0]))
        $("explained").value = named[0];
    return true;
}

const quoted = (text) => "'" + text.replaceAll("'", "'\\''") + "'";

const copies = {
    "copy-link": () => location.href.split("#")[0] + link(),
    "copy-command": () => `texgauge score -m ${chosen().join(",")} -- ` +
        sides.map((side) => quoted($(side).value)).join(" "),
    "copy-python": () => chosen().map((metric) => `texgauge.score(reference=${JSON.stringify($("reference").value)}, ` +
        `prediction=${JSON.stringify($("prediction").value)}, metric=${JSON.stringify(metric)})`).join("\n"),
};

async function copy(id) {
    const text = copies[id]();
    try {
        await navigator.clipboard.writeText(text);
        $("copied").textContent = "Copied.";
    } catch {
        $("copied").textContent = text; // no clipboard: a page from disk in some browsers
    }
}

/* ---- commands on files ---- */

const files = new Map(); // name: bytes
let runner = null;

function showFiles() {
    $("file-list").replaceChildren(...[...files].map(([name, bytes]) => {
        const item = document.createElement("li");
        const save = document.createElement("a");
        save.download = name;
        save.textContent = name;
        save.href = URL.createObjectURL(new Blob([bytes]));
        item.append(save, ` ${(bytes.length / 1000).toFixed(1)} kB`);
        return item;
    }));
}

async function addFiles(list) {
    const added = [];
    for (const file of list) {
        files.set(file.name, new Uint8Array(await file.arrayBuffer()));
        added.push(file.name);
    }
    showFiles();
    if (added.length)
        $("command").value = "eval " + added.map((name) => /^[\w.-]+$/.test(name) ? name : quoted(name)).join(" ") +
            ` -m ${chosen().join(",") || "forte"} -o results.jsonl`;
}

/* Words of a command as a shell reads them: blanks part them, quotes hold them together. */
function wordsOf(command) {
    const words = [];
    const rule = /(?:[^\s'"\\]+|'[^']*'|"(?:[^"\\]|\\.)*"|\\.)+/gs;
    for (const [word] of command.matchAll(rule))
        words.push(word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs, (_, single, double, plain) =>
            single ?? (double !== undefined ? double.replace(/\\(["\\])/g, "$1") : plain)));
    return words[0] === "texgauge" ? words.slice(1) : words;
}

function showProgress(line) {
    const percent = /(\d+(?:\.\d+)?) ?%/.exec(line);
    $("progress").textContent = line;
    $("bar").hidden = !percent;
    if (percent)
        $("bar").value = Number(percent[1]) / 100;
}

async function runCommand() {
    const words = wordsOf($("command").value);
    if (!words.length || runner)
        return;
    const output = words.findIndex((word) => word === "-o" || word === "--output") + 1;
    const wanted = output > 0 && output < words.length ? [words[output]] : [];
    $("run").disabled = true;
    $("stop").disabled = false;
    $("report").hidden = true;
    $("output").textContent = "";
    $("progress").textContent = "Working…";
    try {
        await loadFonts();
        runner = await new Engine().start();
        runner.onprogress = showProgress;
        const began = performance.now();
        for (const name of wanted) // written anew
            files.delete(name);
        const done = await runner.ask("run", { words, files: Object.fromEntries(files), wanted });
        $("output").textContent = done.text;
        for (const [name, bytes] of Object.entries(done.files)) {
            files.set(name, bytes);
            if (name.endsWith(".html"))
                showReport(bytes);
            else if (words[0] === "eval" && done.status === 0)
                $("command").value = `report ${name} -o report.html`;
        }
        showFiles();
        $("progress").textContent =
            `Status ${done.status} after ${((performance.now() - began) / 1000).toFixed(1)} s.`;
    } catch (error) {
        $("progress").textContent = `Stopped: ${error.message}.`;
    }
    if (runner)
        runner.stop("done");
    runner = null;
    $("bar").hidden = true;
    $("run").disabled = false;
    $("stop").disabled = true;
}

function showReport(bytes) {
    $("report").src = URL.createObjectURL(new Blob([bytes], { type: "text/html" }));
    $("report").hidden = false;
}

/* ---- start ---- */

function fill() {
    for (const [name, reference, prediction] of EXAMPLES) {
        const button = cell("button", name);
        button.type = "button";
        button.onclick = () => {
            $("reference").value = reference;
            $("prediction").value = prediction;
            refresh();
        };
        $("examples").append(button);
    }
    for (const metric of METRICS) {
        const label = document.createElement("label");
        const box = document.createElement("input");
        box.type = "checkbox";
        box.value = metric;
        box.checked = CHECKED.includes(metric);
        box.onchange = refresh;
        label.append(box, " " + metric);
        $("metrics").append(label);
    }
    for (const side of sides) {
        let timer;
        $(side).oninput = () => {
            clearTimeout(timer);
            timer = setTimeout(refresh, 100);
        };
    }
    $("explained").onchange = refresh;
    for (const id of Object.keys(copies))
        $(id).onclick = () => copy(id);
    $("files").onchange = (event) => addFiles(event.target.files);
    for (const kind of ["dragover", "drop"])
        document.addEventListener(kind, (event) => event.preventDefault());
    document.addEventListener("drop", (event) => addFiles(event.dataTransfer.files));
    $("command-form").onsubmit = (event) => {
        event.preventDefault();
        runCommand();
    };
    $("stop").onclick = () => runner && runner.stop("as you asked");
    window.onhashchange = () => readLink() && refresh();
}

async function main() {
    fill();
    if (!readLink())
        [, $("reference").value, $("prediction").value] = EXAMPLES[0];
    try {
        data.wasm = await WebAssembly.compile(await gunzip(bytesOf($("data-wasm").textContent)));
        data.pack = await readPack($("data-pack").textContent);
        $("data-wasm").remove();
        $("data-pack").remove();
        await refresh();
    } catch (error) {
        $("state").textContent = `This browser cannot run the page: ${error.message}`;
    }
    document.body.dataset.ready = "yes";
}

main();
