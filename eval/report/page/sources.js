// The sources of a pair, with its errors.

const TOKEN = /\\[A-Za-z]+|\\?\S/gu;

const zip = (a, b) => Array.from({ length: Math.max(a.length, b.length) }, (_, i) => [a[i], b[i]]);

// Sources that read the same may be spelled differently: braces that only one has stand alone.
const together = (a, b) => {
    if (a.length * b.length > 40000 || a.map(([x]) => x).join("\n") === b.map(([x]) => x).join("\n"))
        return zip(a, b);
    const best = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1)), out = [];
    for (let i = a.length - 1; i >= 0; i--)
        for (let j = b.length - 1; j >= 0; j--)
            best[i][j] = a[i][0] === b[j][0] ? best[i + 1][j + 1] + 1
                                       : Math.max(best[i + 1][j], best[i][j + 1]);
    for (let i = 0, j = 0; i < a.length || j < b.length;) {
        const same = i < a.length && j < b.length && a[i][0] === b[j][0];
        const left = same || j >= b.length || (i < a.length && best[i + 1][j] >= best[i][j + 1]);
        out.push([left ? a[i] : undefined, same || !left ? b[j] : undefined]);
        i += left;
        j += same || !left;
    }
    return out;
};

// Both sources with the errors colored: pieces of truth and prediction one above the other. Where
// errors overlap, as those of a construct and what is in it, the first one counts.
// A decoder that runs on repeats itself: the repeated part once, and how often it follows.
const LOOP = /(.{1,60}?)\1{5,}/gsu;
const withoutLoops = (text) => text.replace(LOOP, (all, unit) =>
    `${unit} … “${unit.trim()}” repeated ${all.length / unit.length} times `);

// The first parts, and the others on demand.
const MOST_PARTS = 240;
const folded = (parts, most, what) => parts.length <= most ? parts : [
    ...parts.slice(0, most),
    make("details", { class: "rest" }, make("summary", {}, `${parts.length - most} more ${what}`),
         ...parts.slice(most)),
];

// The tokens of a part of a source: [text, tone of the error that covers it or null].
const tokensOf = (text, start, end, tones) => {
    const part = text.slice(start, end), folded = withoutLoops(part);
    return folded !== part ? (folded.match(TOKEN) ?? []).map((token) => [token, null])
        : [...part.matchAll(TOKEN)].map((match) => [match[0], tones.get(start + match.index) ?? null]);
};

const aligned = (row) => {
    const texts = [formulas.tex[row.truth], formulas.tex[row.pred]];
    const parts = [], at = [0, 0], tones = [new Map(), new Map()];
    for (let e = row.first; e < row.last; e++) { // errors that cross others are marked token by token
        for (const s of [0, 1]) {
            for (let i = errors.spans[4 * e + 2 * s]; i < errors.spans[4 * e + 2 * s + 1]; i++)
                tones[s].set(i, tones[s].get(i) ?? toneOf(e));
        }
    }
    const put = (ends, tone) => { // token by token, so that lines can break
        const pieces = texts.map((text, s) => tokensOf(text, at[s], ends[s], tones[s]));
        for (const [truth, pred] of tone === null ? together(...pieces) : zip(...pieces)) {
            const own = tone ?? (truth?.[0] === pred?.[0] ? null : truth?.[1] ?? pred?.[1] ?? null);
            parts.push(make("span", { class: own === null ? "same" : `off ${own}` },
                            make("span", {}, truth?.[0] ?? " "), make("span", {}, pred?.[0] ?? " ")));
        }
        at[0] = ends[0];
        at[1] = ends[1];
    };
    for (let e = row.first; e < row.last; e++) {
        const [t0, t1, p0, p1] = errors.spans.slice(4 * e, 4 * e + 4);
        if (t0 < at[0] || p0 < at[1])
            continue;
        put([t0, p0], null);
        put([t1, p1], toneOf(e));
    }
    put(texts.map((text) => text.length), null);
    return make("div", { class: "aligned" },
                make("span", { class: "sides" }, make("span", {}, "ref."), make("span", {}, "pred.")),
                ...folded(parts, MOST_PARTS, "tokens"));
};
