/*
 * Explanations as people read them: tokens spelled as LaTeX, the two formulas one above the other,
 * events numbered and listed in words, each with its price.
 */
#include <string.h>

#include "core/utf8.h"
#include "eval/explain/explain.h"

/* ---- tokens as people write them ---- */

typedef struct {
    const char *name;
    const char *spelled;
    const char *words;
} MarkWords;

/* The marks of structure as LaTeX would have them, and in words. */
static const MarkWords *find_mark(const TgExplainToken *token)
{
    static const MarkWords marks[] = {
        { "FRAC", "\\frac{", "fraction" },
        { "SQRT", "\\sqrt{", "root" },
        { "_(", "_{", "subscript" },
        { "^(", "^{", "superscript" },
        { ")", "}", "end" },
        { "|den|", "}{", "bar" },
        { "|end|", "}", "end" },
        { "|idx|", "}{", "end of the index" },
        { "|acc|", "{", "start of what an accent is over" },
        { "MAT", "\\matrix{", "grid" },
        { "|row|", "\\\\", "row break" },
        { "|cell|", "&", "cell break" },
    };

    for (guint i = 0; tg_explain_is_mark(token) && i < G_N_ELEMENTS(marks); i++)
        if (strcmp(marks[i].name, token->name) == 0)
            return &marks[i];
    return NULL;
}

static char *mark_in_words(const TgExplainToken *token)
{
    const MarkWords *mark = find_mark(token);
    const MarkWords *opener = token->opener != NULL ? find_mark(token->opener) : NULL;

    if (mark == NULL)
        return NULL;
    return opener != NULL ? g_strdup_printf("%s of a %s", mark->words, opener->words)
                          : g_strdup(mark->words);
}

/* A name that is one character as itself where it can be seen, all others after a backslash. */
static void spell_name(GString *out, const char *name)
{
    static const char *const special[][2] = {
        { "{", "\\{" },
        { "}", "\\}" },
        { "<<", "\\langle" },
        { ">>", "\\rangle" },
        { "ubar", "\\underline" },
        { "obrace", "\\overbrace" },
        { "ubrace", "\\underbrace" },
        { "obracket", "\\overbracket" },
        { "ubracket", "\\underbracket" },
        { "ring", "\\mathring" },
        { "lvec", "\\overleftarrow" },
        { "lrvec", "\\overleftrightarrow" },
        { "uvec", "\\underrightarrow" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(special); i++) {
        if (strcmp(name, special[i][0]) == 0) {
            g_string_append(out, special[i][1]);
            return;
        }
    }
    if (*g_utf8_next_char(name) != '\0')
        g_string_append_c(out, '\\');
    for (const char *at = name; *at != '\0'; at = g_utf8_next_char(at)) {
        const gunichar code = g_utf8_get_char(at);

        if (g_unichar_isprint(code) && !g_unichar_iszerowidth(code))
            g_string_append_unichar(out, code);
        else
            g_string_append_printf(out, "U+%04X", code);
    }
}

void tg_explain_spell(GString *out, const TgExplainToken *token)
{
    static const char *const fonts[][2] = { { "b", "\\mathbf{" },    { "bb", "\\mathbb{" },
                                            { "cal", "\\mathcal{" }, { "fr", "\\mathfrak{" },
                                            { "sf", "\\mathsf{" },   { "tt", "\\mathtt{" } };
    const MarkWords *mark = find_mark(token);
    const char *closing = "";

    if (mark != NULL) {
        g_string_append(out, mark->spelled);
        return;
    }
    for (guint i = 0; i < G_N_ELEMENTS(fonts); i++) {
        if (strcmp(token->font, fonts[i][0]) == 0) {
            g_string_append(out, fonts[i][1]);
            closing = "}";
        }
    }
    spell_name(out, token->name);
    g_string_append(out, closing);
}

static gboolean needs_blank(const TgExplainToken *left, const TgExplainToken *right)
{
    return left->is_binary || right->is_binary || strchr("PVC", left->kind) != NULL ||
           strchr("VC", right->kind) != NULL ||
           /* a word ends where letters of another sort follow */
           (left->kind == 'L' && right->kind == 'L' && left->upright != right->upright) ||
           /* a name of letters would swallow a letter */
           (strchr("LGDBNZA", right->kind) != NULL && left->font[0] == '\0' && left->kind != 'X' &&
            strlen(left->name) > 1 && find_mark(left) == NULL);
}

static void spell_sequence(GString *out, const TgExplainToken *tokens, guint n)
{
    for (guint i = 0; i < n; i++) {
        if (i > 0 && needs_blank(&tokens[i - 1], &tokens[i]))
            g_string_append_c(out, ' ');
        tg_explain_spell(out, &tokens[i]);
    }
}

/* The effect of a token on the braces of the text that is spelled. */
typedef enum { BRACE_NONE, BRACE_OPENS, BRACE_PARTS, BRACE_CLOSES, BRACE_INVISIBLE } Brace;

static Brace brace_of(const TgExplainToken *token)
{
    if (strchr("FSM", token->kind) != NULL)
        return BRACE_OPENS;
    if (token->kind != 'E')
        return BRACE_NONE;
    if (strcmp(token->name, "|acc|") == 0)
        return BRACE_INVISIBLE; /* the accent stands after what it is over */
    return strcmp(token->name, ")") == 0 || strcmp(token->name, "|end|") == 0 ? BRACE_CLOSES
                                                                              : BRACE_PARTS;
}

/* A "|acc|" mark, which stands before several symbols that an accent is over. */
typedef struct {
    const TgExplainToken *mark;
    gsize start; /* in the text */
} AccentMark;

/* The places in a text where what an accent may be over begins. Tokens have an accent after its
 * base, LaTeX has it before. */
typedef struct {
    GArray *marks; /* of AccentMark */
    gsize symbol;  /* of the latest symbol, with its accents */
    guint32 next;  /* the token after that symbol; 0: there is none */
} Bases;

/* Spell an accent around its base. FALSE: the token is none with a command that takes the base as
 * its argument, as a prime has none, or the text does not have the base. */
static gboolean spell_accent(GString *out, Bases *bases, const TgExplainToken *token, guint32 at)
{
    const AccentMark *last = bases->marks->len > 0
                                 ? &g_array_index(bases->marks, AccentMark, bases->marks->len - 1)
                                 : NULL;
    g_autoptr(GString) accent = g_string_new(NULL);
    gsize start = bases->symbol;

    if (token->kind != 'A' || g_utf8_strlen(token->name, -1) < 2)
        return FALSE;
    if (last != NULL && last->mark->start == token->start && last->mark->end == token->end) {
        start = last->start;
        g_array_set_size(bases->marks, bases->marks->len - 1);
    } else if (bases->next == 0 || bases->next != at) {
        return FALSE;
    }
    tg_explain_spell(accent, token);
    g_string_append_c(accent, '{');
    if (start < out->len && out->str[start] == ' ') /* between two tokens */
        start++;
    g_string_insert(out, (gssize) start, accent->str);
    g_string_append_c(out, '}');
    bases->symbol = start;
    bases->next = at + 1;
    return TRUE;
}

/* Spell the tokens of an event; @balanced: without ends of what begins before it, and with the ends
 * that it lacks itself. */
static void spell_part(GString *out, const TgExplanation *explanation, guint number, guint side,
                       gboolean balanced)
{
    const TgExplainSide *of = &explanation->sides[side];
    const TgExplainToken *before = NULL, *token;
    g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(AccentMark));
    Bases bases = { .marks = marks };
    guint depth = 0;

    for (guint e = 0; (token = tg_explain_next(explanation, number, side, &e)) != NULL;) {
        const guint32 at = (guint32) (token - of->tokens);
        const Brace brace = brace_of(token);

        if (brace == BRACE_INVISIBLE)
            g_array_append_vals(marks, &(AccentMark){ token, out->len }, 1);
        if (balanced && spell_accent(out, &bases, token, at)) {
            before = token;
            continue;
        }
        if (balanced && (brace == BRACE_INVISIBLE ||
                         ((brace == BRACE_CLOSES || brace == BRACE_PARTS) && depth == 0)))
            continue;
        depth += brace == BRACE_OPENS;
        depth -= balanced && brace == BRACE_CLOSES;
        if (before != NULL && needs_blank(before, token))
            g_string_append_c(out, ' ');
        bases.symbol = out->len;
        bases.next = brace == BRACE_NONE ? at + 1 : 0;
        tg_explain_spell(out, token);
        before = token;
    }
    for (; balanced && depth > 0; depth--)
        g_string_append_c(out, '}');
}

/* ---- the two formulas ---- */

enum { MIN_WIDTH = 40, LABEL_WIDTH = 12 /* "prediction", and two spaces */ };

/* A line of a block, and how wide it is. */
typedef struct {
    GString *text;
    guint width;
} Line;

enum { LINE_MARKS = TG_N_EXPLAIN_SIDES, N_LINES };

/* Two tokens one above the other. */
typedef struct {
    const TgExplainToken *tokens[TG_N_EXPLAIN_SIDES]; /* NULL where there is none */
    const TgForteEdit *edit;                          /* NULL: they are equal */
} Column;

typedef struct {
    const TgExplanationStyle *style;
    GString *out;
    Line lines[N_LINES];
    guint width;        /* of the block in hand, without the labels */
    gboolean has_edits; /* in the block in hand */
    gboolean begun;     /* a block was written before */
    const Column *before;
} Page;

/* Tokens without an edit are equal and aligned. (transfer full) (element-type Column) */
static GArray *align_tokens(const TgExplanation *self)
{
    const TgExplainSide *ref = &self->sides[TG_EXPLAIN_REF], *hyp = &self->sides[TG_EXPLAIN_HYP];
    const GArray *edits = self->found->edits;
    GArray *columns = g_array_new(FALSE, FALSE, sizeof(Column));

    for (guint32 i = 0, j = 0, e = 0; i < ref->n_tokens || j < hyp->n_tokens;) {
        const TgForteEdit *next = e < edits->len ? tg_forte_edit(edits, e) : NULL;
        Column column = { .edit = next != NULL && next->ref == i && next->hyp == j ? next : NULL };

        e += column.edit != NULL;
        if (column.edit == NULL || column.edit->lost)
            column.tokens[TG_EXPLAIN_REF] = &ref->tokens[i++];
        if (column.edit == NULL || column.edit->added)
            column.tokens[TG_EXPLAIN_HYP] = &hyp->tokens[j++];
        g_array_append_val(columns, column);
    }
    return columns;
}

/* The color of one side of an edit: what went, what came, what changed. */
static const char *color_of(const TgForteEdit *edit)
{
    return !edit->added ? "\033[31m" : !edit->lost ? "\033[36m" : "\033[33m";
}

static void flush_block(Page *page)
{
    static const char *const labels[N_LINES] = { "reference", "prediction", "" };

    if (page->width == 0)
        return;
    if (page->begun)
        g_string_append_c(page->out, '\n');
    for (guint l = 0; l < N_LINES; l++) {
        Line *line = &page->lines[l];

        if (l != LINE_MARKS || page->has_edits) {
            while (g_str_has_suffix(line->text->str, " "))
                g_string_truncate(line->text, line->text->len - 1);
            g_string_append_printf(page->out, "%-*s%s\n", line->text->len > 0 ? LABEL_WIDTH : 0,
                                   labels[l], line->text->str);
        }
        g_string_truncate(line->text, 0);
        line->width = 0;
    }
    page->width = 0;
    page->has_edits = FALSE;
    page->begun = TRUE;
}

static gboolean column_needs_blank(const Column *left, const Column *right)
{
    for (guint a = 0; a < TG_N_EXPLAIN_SIDES; a++) {
        for (guint b = 0; b < TG_N_EXPLAIN_SIDES; b++) {
            if (left->tokens[a] != NULL && right->tokens[b] != NULL &&
                needs_blank(left->tokens[a], right->tokens[b]))
                return TRUE;
        }
    }
    return FALSE;
}

/* Accents that stand after @column over what is equal, as they do: they are written before it. */
static guint n_accents(const Column *column, const Column *end)
{
    guint n = 0;

    if (column->edit != NULL || strchr("FSMVECA", column->tokens[0]->kind) != NULL)
        return 0;
    while (column + n + 1 < end && column[n + 1].edit == NULL &&
           column[n + 1].tokens[0]->kind == 'A')
        n++;
    return n;
}

static char *spell_side(const Column *column, guint accents, guint side)
{
    GString *text = g_string_new(NULL);

    if (column->tokens[side] == NULL)
        return g_string_free(text, FALSE);
    for (guint a = accents; a > 0; a--) {
        tg_explain_spell(text, column[a].tokens[side]);
        g_string_append_c(text, '{');
    }
    tg_explain_spell(text, column->tokens[side]);
    for (guint a = 0; a < accents; a++)
        g_string_append_c(text, '}');
    return g_string_free(text, FALSE);
}

/* A column: the two tokens, and below the first of an event its number, which the others continue.
 */
static void add_column(Page *page, const Column *column, guint accents)
{
    const guint available = MAX(page->style->width, MIN_WIDTH) - LABEL_WIDTH;
    const TgForteEdit *edit = column->edit;
    const gboolean continues = edit != NULL && page->before != NULL && page->before->edit != NULL &&
                               page->before->edit->event == edit->event;
    char *texts[N_LINES];
    guint width = 0, start = page->width;

    for (guint s = 0; s < TG_N_EXPLAIN_SIDES; s++)
        texts[s] = spell_side(column, accents, s);
    texts[LINE_MARKS] =
        edit != NULL && !continues ? g_strdup_printf("%u", edit->event) : g_strdup("");
    for (guint l = 0; l < N_LINES; l++)
        width = MAX(width, tg_columns_of(texts[l]));
    if (start > 0 && column_needs_blank(page->before, column))
        start++;
    if (page->width > 0 && start + width > available) {
        flush_block(page);
        start = 0;
    }
    for (guint l = 0; l < N_LINES; l++) {
        Line *line = &page->lines[l];
        const gboolean is_rule = l == LINE_MARKS && continues;

        for (; line->width < (is_rule ? start + width : start); line->width++)
            g_string_append_c(line->text, is_rule ? '-' : ' ');
        if (edit != NULL && page->style->colors && *texts[l] != '\0')
            g_string_append_printf(line->text, "%s\033[1m%s\033[0m", color_of(edit), texts[l]);
        else
            g_string_append(line->text, texts[l]);
        line->width += tg_columns_of(texts[l]);
        g_free(texts[l]);
    }
    page->width = start + width;
    page->has_edits = page->has_edits || edit != NULL;
    page->before = column;
}

/* ---- the events ---- */

/* One side of an event in a list: marks of structure alone in words, by the first of them; all else
 * spelled. */
static char *describe_side(const TgExplanation *self, guint number, guint side)
{
    const TgExplainToken *mark = NULL, *token;
    GString *out = g_string_new(NULL);

    for (guint e = 0; (token = tg_explain_next(self, number, side, &e)) != NULL;) {
        if (!tg_explain_is_mark(token)) {
            mark = NULL;
            break;
        }
        if (mark == NULL)
            mark = token;
    }
    g_autofree char *words = mark != NULL ? mark_in_words(mark) : NULL;
    if (words != NULL)
        g_string_append(out, words);
    else
        spell_part(out, self, number, side, TRUE);
    if (out->len == 0) /* nothing but ends */
        spell_part(out, self, number, side, FALSE);
    return g_string_free(out, FALSE);
}

/* Append " of x" where the script at @first has a base. */
static void append_base(GString *out, const TgExplainSide *of, guint32 first)
{
    while (first > 0 &&
           brace_of(&of->tokens[first - 1]) == BRACE_CLOSES) { /* beside another script */
        guint depth = 0;

        do {
            first--;
            depth += brace_of(&of->tokens[first]) == BRACE_CLOSES;
            depth -= brace_of(&of->tokens[first]) == BRACE_OPENS;
        } while (first > 0 && depth > 0);
        if (of->tokens[first].kind != 'S')
            return;
    }
    if (first == 0 || tg_explain_is_mark(&of->tokens[first - 1]))
        return;
    g_string_append(out, " of ");
    tg_explain_spell(out, &of->tokens[first - 1]);
}

/* How many tokens the script at @first has, with its marks. */
static guint script_length(const TgExplainSide *of, guint32 first)
{
    guint depth = 0, n = 0;

    do {
        const TgExplainToken *token = &of->tokens[first + n++];

        depth += brace_of(token) == BRACE_OPENS;
        depth -= brace_of(token) == BRACE_CLOSES;
    } while (depth > 0 && first + n < of->n_tokens);
    return n;
}

/* The subject of an event where its edits do not say it: a script, parts that changed places. NULL:
 * they do. (transfer full) */
static char *describe_parts(const TgExplanation *self, const TgForteEvent *event)
{
    static const char *const scripts[] = { "superscript",    "subscript",    "superscript-line",
                                           "subscript-line", "script-level", NULL };
    const char *type = tg_forte_tables.types[event->type].name;
    const TgForteEdit *edit = tg_forte_edit(self->found->edits, event->first);
    const guint side = edit->lost ? TG_EXPLAIN_REF : TG_EXPLAIN_HYP;
    const TgExplainSide *of = &self->sides[side];
    const guint32 at = tg_explain_place(edit, side);

    if (g_strv_contains(scripts, type) && of->tokens[at].kind == 'S') {
        const guint n = script_length(of, at);
        GString *out = g_string_new(NULL);

        if (n < 3) {
            spell_sequence(out, &of->tokens[at], n);
            return g_string_free(out, FALSE);
        }
        g_autofree char *words = mark_in_words(&of->tokens[at]);
        g_string_append_printf(out, "%s ", words); /* as "superscript 2 of x" */
        spell_sequence(out, &of->tokens[at + 1], n - 2);
        append_base(out, of, at);
        return g_string_free(out, FALSE);
    }
    if (event->parts[1] == 0)
        return NULL;
    return strcmp(type, "order") == 0
               ? g_strdup_printf("%u to %u", event->parts[0], event->parts[1])
               : g_strdup("");
}

char *tg_explain_event_text(const TgExplanation *explanation, guint number)
{
    const TgForteEvent *event = tg_forte_event(explanation->found->events, number - 1);

    if (event->n_edits == 0)
        return g_strdup("");
    g_autofree char *parts = describe_parts(explanation, event);
    g_autofree char *ref = describe_side(explanation, number, TG_EXPLAIN_REF);
    g_autofree char *hyp = describe_side(explanation, number, TG_EXPLAIN_HYP);

    if (*ref != '\0' && *hyp != '\0')
        return parts != NULL           ? g_steal_pointer(&parts)
               : strcmp(ref, hyp) == 0 ? g_steal_pointer(&ref)
                                       : g_strdup_printf("%s -> %s", ref, hyp);
    return g_strdup_printf("%s %s", *hyp == '\0' ? "lost" : "added",
                           parts != NULL  ? parts
                           : *hyp == '\0' ? ref
                                          : hyp);
}

/* A line for what the event is, and one for what it costs. */
static void append_event(const TgExplanation *self, const TgExplanationStyle *style, guint number,
                         GString *out)
{
    const TgForteComparison *found = self->found;
    const TgForteEvent *event = tg_forte_event(found->events, number - 1);
    const TgForteTypeRow *type = &tg_forte_tables.types[event->type];
    const TgExplainPrice price = tg_explain_price(self, event);
    const char *color = style->colors && event->n_edits > 0
                            ? color_of(tg_forte_edit(found->edits, event->first))
                            : "";
    g_autofree char *what = tg_explain_event_text(self, number);

    g_string_append_printf(out, "%s%4u%s  %-11s  %6.3f  %3.0f %%   %6.4f  %s%s%s\n", color, number,
                           *color != '\0' ? "\033[0m" : "",
                           tg_forte_tables.classes[type->class].name, price.price,
                           found->sums.price > 0 ? 100 * price.price / found->sums.price : 0,
                           price.without, type->text, *what != '\0' ? ": " : "", what);
    if (price.n_factors < 2)
        return;
    g_string_append_printf(out, "%19s= %.3f", "", price.factors[0].factor);
    for (guint f = 1; f < price.n_factors; f++)
        g_string_append_printf(out, " x %.3f (%s)", price.factors[f].factor,
                               price.factors[f].reason);
    g_string_append_c(out, '\n');
}

char *tg_explanation_text(const TgExplanation *explanation, const TgExplanationStyle *style)
{
    const TgForteComparison *found = explanation->found;
    g_autoptr(GArray) columns = align_tokens(explanation);
    GString *out = g_string_new(NULL);

    g_string_append_printf(out, "score %.4f: price %.3f in a formula of size %.1f\n\n",
                           found->score, found->sums.price, found->sums.size);
    Page page = { .style = style, .out = out };

    for (guint l = 0; l < N_LINES; l++)
        page.lines[l].text = g_string_new(NULL);
    for (guint i = 0; i < columns->len; i++) {
        const Column *column = &g_array_index(columns, Column, i);
        const guint accents = n_accents(column, column + (columns->len - i));

        add_column(&page, column, accents);
        i += accents;
    }
    flush_block(&page);
    for (guint l = 0; l < N_LINES; l++)
        g_string_free(page.lines[l].text, TRUE);
    if (columns->len > 0)
        g_string_append_c(out, '\n');
    if (found->events->len > 0)
        g_string_append_printf(out, "%4s  %-11s  %6s  %5s  %s  %s\n", "", "class", "price", "share",
                               "without", "what");
    else
        g_string_append(out, "The two read alike.\n");
    for (guint number = 1; number <= found->events->len; number++)
        append_event(explanation, style, number, out);
    /* Faults that were mended: those of the prediction have a price where the reference has fewer.
     */
    static const char *const sides[] = { "reference", "prediction" };
    const guint repairs[] = { found->ref_repairs, found->hyp_repairs };

    for (guint s = 0; s < TG_N_EXPLAIN_SIDES; s++) {
        if (repairs[s] > 0)
            g_string_append_printf(out, "Faults of the %s repaired while reading: %u.\n", sides[s],
                                   repairs[s]);
    }
    if (style->colors) /* who prints them sees to the rest */
        return g_string_free(out, FALSE);
    char *visible = tg_visible(out->str, "\n\t");
    g_string_free(out, TRUE);
    return visible;
}
