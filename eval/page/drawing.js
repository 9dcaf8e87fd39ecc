// Formulas: from the packed marks to a picture, with the errors marked outside the ink.

const PX_PER_UNIT = 1 / 15; // a unit is 1/20 pt, a point 4/3 px
const MARGIN = 70, BOX = 26; // units around the picture, and between ink and box
const LINE = 6000, LINES = 8; // a wider formula goes on below, this many times
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUE = new Map([...DIGITS].map((letter, i) => [letter, i]));

const unpackNumbers = (text) => {
    const numbers = [];
    let value = 0, factor = 1;
    for (const letter of text) {
        const digit = VALUE.get(letter);
        value += (digit & 31) * factor;
        if (digit & 32) {
            factor *= 32;
        } else {
            numbers.push(value % 2 === 1 ? -Math.floor(value / 2) : value / 2);
            value = 0;
            factor = 1;
        }
    }
    return numbers;
};

// Marks with their boxes, and the places of their tokens in the source.
const readInk = (formula) => {
    const numbers = unpackNumbers(formulas.ink[formula]), tokens = [], marks = [];
    let at = 0, end = 0, x = 0, y = 0, token = 0;
    const next = () => numbers[at++];
    const frame = [next(), next(), next(), next()];
    for (let n = next(); n > 0; n--) {
        const start = end + next();
        end = start + next();
        tokens.push([start, end]);
    }
    while (at < numbers.length) {
        const kind = next();
        x += next();
        y += next();
        token += next();
        const mark = { kind, x, y, token: tokens[token] ?? [-1, -1] };
        if (kind > 2) {
            mark.glyph = kind - 3;
            const size = formulas.sizes[next()] / 1000, g = formulas.glyphs, k = 5 * mark.glyph;
            mark.size = size;
            mark.box = [x + g[k + 1] * size, y + g[k + 2] * size, x + g[k + 3] * size,
                        y + g[k + 4] * size];
        } else {
            mark.width = next();
            mark.height = next();
            mark.code = kind > 0 ? next() : 0;
            mark.box = [x, y, x + mark.width, y + mark.height];
        }
        marks.push(mark);
    }
    return { frame, marks };
};

const used = new Set();
const outline = (glyph) => { // each outline is in the page once
    if (!used.has(glyph)) {
        used.add(glyph);
        $("glyphs").append(draw("path", { id: `g${glyph}`, d: formulas.glyphs[5 * glyph] }));
    }
    return `#g${glyph}`;
};

const drawMark = (mark, tone) => {
    const attributes = tone === null ? {} : { class: `mark ${tone}` };
    const { x, y, width, height } = mark;
    if (mark.kind > 2)
        return draw("use", { ...attributes, href: outline(mark.glyph),
                             transform: `translate(${x} ${y}) scale(${mark.size.toFixed(4)})` });
    if (mark.kind === 0)
        return draw("rect", { ...attributes, x, y, width, height: Math.max(height, 5) });
    if (mark.kind === 1) {
        const ends = mark.code === 0 ? [y + height, y] : mark.code === 1 ? [y, y + height]
                                                                         : Array(2).fill(y + height / 2);
        return draw("line", { class: `stroke mark ${tone ?? ""}`, x1: x, y1: ends[0], x2: x + width,
                              y2: ends[1] });
    }
    return draw("text", { ...attributes, x, y: y + 0.85 * height, "font-size": height },
                String.fromCodePoint(mark.code));
};

const MINOR = new Set(["look-alike", "case", "variant", "punctuation", "style"]);
const toneOf = (e) => {
    const name = errors.classes[errors.class[e]];
    return name === "structure" ? "structure" : MINOR.has(name) ? "minor" : "bad";
};

const inside = (token, start, end) => token[0] >= start && token[1] <= end;

// The box around what an error covers; where something is missing, a line after the ink before it.
const boxOf = (marks, start, end) => {
    const covered = marks.filter((mark) => start < end ? inside(mark.token, start, end)
                                                       : mark.token[1] >= 0 && mark.token[1] <= start);
    if (covered.length === 0)
        return null;
    if (start === end) {
        const last = covered.reduce((a, b) => b.token[1] >= a.token[1] ? b : a);
        return [last.box[2] + 12, last.box[1] - 20, last.box[2] + 12, last.box[3] + 20];
    }
    return covered.reduce((box, { box: b }) => [Math.min(box[0], b[0]), Math.min(box[1], b[1]),
                                                Math.max(box[2], b[2]), Math.max(box[3], b[3])],
                          [Infinity, Infinity, -Infinity, -Infinity]);
};

// Where a wide formula may be broken: between marks, each of which lies wholly on one side. The
// lines as [from, to, marks], as long as possible, but rather at a wide gap such as that of a sign.
const breakLines = (marks) => {
    const order = [...marks].sort((a, b) => a.box[0] - b.box[0]), lines = [];
    let own = [], from = order[0].box[0], end = from, gap = null;
    const close = (n, to) => {
        lines.push([from, to, own.slice(0, n)]);
        own = own.slice(n);
        from = to;
        gap = null;
    };
    for (const mark of order) {
        if (gap !== null && mark.box[2] - from > LINE - 2 * MARGIN)
            close(gap.n, gap.at);
        const room = mark.box[0] - end;
        if (own.length > 0 && room > -8 &&
            (gap === null || room > 45 || gap.room <= 45 || end - from < LINE / 2))
            gap = { n: own.length, at: end + room / 2, room };
        own.push(mark);
        end = Math.max(end, mark.box[2]);
    }
    close(own.length, end);
    return lines;
};

const inLines = (view, [, top, , height], marks, drawOne, boxes) => {
    const lines = breakLines(marks), shown = lines.slice(0, LINES);
    const rest = lines.slice(LINES).reduce((sum, [, , own]) => sum + own.length, 0);
    const images = shown.map(([from, to, own], i) => {
        const w = to - from + 2 * MARGIN, inside = boxes.filter((box) => {
            const x = Number(box.getAttribute("x") ?? box.getAttribute("x1"));
            return x < to && x + Number(box.getAttribute("width") ?? 0) > from;
        });
        const image = draw("svg", { ...view, viewBox:
            `${from - MARGIN} ${top - MARGIN} ${w} ${height + 2 * MARGIN}` },
            ...inside.map((box) => box.cloneNode(true)), ...own.map(drawOne));
        if (i > 0) {
            image.removeAttribute("role");
            image.removeAttribute("aria-label");
            image.setAttribute("aria-hidden", "true");
        }
        image.style.width = `${(w * PX_PER_UNIT).toFixed(1)}px`;
        return image;
    });
    return make("div", { class: "ink", tabIndex: 0 }, ...images, rest === 0 ? null
        : make("p", { class: "note" }, `cut here: ${plural(rest, "more symbol")} to the right`));
};

// The picture of a formula. @row: whose errors are marked, on @side 0 reference or 1 prediction; null.
const picture = (formula, row, side, label) => {
    if (formula < 0)
        return make("p", { class: "missing" }, "no prediction");
    if (formulas.ink[formula] === null) // of a report without pictures, or too large
        return make("code", {}, formulas.tex[formula]);
    const { frame, marks } = readInk(formula);
    if (marks.length === 0)
        return make("p", { class: "missing" }, "(nothing)");
    const [left, top, width, height] = frame;
    const boxes = [], tones = new Map();
    for (let e = row?.first ?? 0; e < (row?.last ?? 0); e++) {
        const start = errors.spans[4 * e + 2 * side], end = errors.spans[4 * e + 2 * side + 1];
        const tone = toneOf(e), box = boxOf(marks, start, end);
        for (const mark of marks)
            if (start < end && inside(mark.token, start, end))
                tones.set(mark, tone);
        if (box === null)
            continue;
        const [x0, y0, x1, y1] = box, title = draw("title", {}, errors.words[errors.text[e]]);
        boxes.push(start === end
            ? draw("line", { class: `gap ${tone}`, x1: x0, y1: y0, x2: x0, y2: y1 }, title)
            : draw("rect", { class: `box ${tone}`, x: x0 - BOX, y: y0 - BOX, rx: 16,
                             width: x1 - x0 + 2 * BOX, height: y1 - y0 + 2 * BOX }, title));
    }
    const w = width + 2 * MARGIN, h = height + 2 * MARGIN;
    const view = { class: "formula", role: "img", "aria-label": label };
    if (w > LINE)
        return inLines(view, frame, marks, (mark) => drawMark(mark, tones.get(mark) ?? null), boxes);
    const image = draw("svg", { ...view, viewBox: `${left - MARGIN} ${top - MARGIN} ${w} ${h}` },
                       ...boxes, ...marks.map((mark) => drawMark(mark, tones.get(mark) ?? null)));
    image.style.width = `${(2 * w * PX_PER_UNIT).toFixed(1)}px`; // twice the size where it fits
    image.style.minWidth = `${(w * PX_PER_UNIT).toFixed(1)}px`;
    return make("div", { class: "ink", tabIndex: w * PX_PER_UNIT > 300 ? 0 : -1 }, image);
};
