/* OmniDocBench's matching of a page: it makes several candidates and chooses the best. */
#include "datasets/documents/document.h"

#include <math.h>
#include <string.h>

#define FORMULA TG_PAGE_FORMULA

/* Bounds for a page: cells of a matrix of costs, and the cost of all edit distances together. */
#define MAX_COSTS 1000000u
#define MAX_WORK  ((guint64) 20000000000)

/* Items in an array whose size is a power of two. */
typedef struct {
    TgPageItem **at;
    guint n;
} ItemList;

/* A text in its normal form; equal texts share one struct. */
typedef struct TgPageForm {
    const char *str;
    TgSequence characters;
    guint32 id;
} TextForm;

/* The edit distance of two forms, and that distance divided by the longer length. */
typedef struct {
    double cost;
    guint32 wrong, length;
} Distance;

typedef struct {
    TgPageMatch out; /* the result, with the rows of the best candidate */
    TgArena arena, scratch;
    GHashTable *forms; /* key: FormSource as a digit, then the text; value: TextForm */
    TgVocab *numbers;  /* of characters */
    TgVocab *known;    /* distances of two forms, plus 1 */
    guint64 work;
    GArray *items;    /* of the page */
    ItemList ref;     /* lines of formulas */
    ItemList pool;    /* items that may be formulas, in the order of predictions */
    guint n_logic;    /* items of the pool that were rewritten as logic */
    TgPageRow *draft; /* rows of a candidate, */
    guint n_draft;
    double keys[5]; /* keys of the best candidate; lower is better */
} Matcher;

#define NEW(match, type, n)                                                                        \
    ((type *) tg_arena_zeros(&(match)->arena, ((gsize) (n) + 1) * sizeof(type)))

/* Whether the page has exceeded its bounds, or would by a matrix of these rows and columns. */
static gboolean too_large(Matcher *match, guint64 rows, guint64 columns)
{
    const gboolean large = match->work > MAX_WORK || rows * columns > MAX_COSTS;

    match->out.is_cut |= large;
    return large;
}

/* ---- normal forms and their distances ---- */

/* A copy of a text, which lives as long as the match. */
static char *keep_text(Matcher *match, const char *text)
{
    return strcpy(NEW(match, char, strlen(text)), text);
}

/* The text after @make changed it. */
static char *change_text(Matcher *match, void (*make)(GString *text), const char *text)
{
    g_autoptr(GString) out = g_string_new(text);

    make(out);
    return keep_text(match, out->str);
}

/* The rows of a formula if it has several that are formulas of their own; or NULL. */
static const char *const *keep_rows(Matcher *match, const char *formula)
{
    g_auto(GStrv) rows = tg_formula_rows(formula);
    const guint n = rows != NULL ? g_strv_length(rows) : 0;
    const char **out = n > 0 ? NEW(match, const char *, n) : NULL;

    for (guint i = 0; i < n; i++)
        out[i] = keep_text(match, rows[i]);
    return out;
}

/* Rows as one formula, between delimiters if @displayed. */
static char *join_rows(Matcher *match, const char *const *rows, guint n, gboolean displayed)
{
    g_autofree char *formula = n == 1 ? g_strdup(rows[0]) : tg_formula_of_rows(rows, n);
    g_autofree char *whole = displayed ? g_strdup_printf("\\[%s\\]", formula) : NULL;

    return keep_text(match, displayed ? whole : formula);
}

TgSequence tg_number_characters(TgArena *arena, const char *text, TgVocab *numbers)
{
    guint32 *ids = tg_arena_alloc(arena, (strlen(text) + 1) * sizeof *ids);
    TgSequence out = { ids, 0, 0 };

    for (const char *at = text, *next; *at != '\0'; at = next) {
        next = g_utf8_next_char(at);
        ids[out.n++] = tg_vocab_number(numbers, at, (gsize) (next - at));
    }
    return out;
}

/* The source of a form: the text itself, a formula or a text of the page. */
typedef enum { AS_IT_IS, FROM_FORMULA, FROM_TEXT } FormSource;

static const TextForm *form_of(Matcher *match, FormSource source, const char *text)
{
    static void (*const makers[])(GString * text) = { NULL, tg_text_formula_form,
                                                      tg_text_text_form };
    char *key = g_strdup_printf("%u%s", (guint) source, text);
    const TextForm *form = g_hash_table_lookup(match->forms, key);

    if (form == NULL && source != AS_IT_IS)
        form = form_of(match, AS_IT_IS, change_text(match, makers[source], text));
    if (form == NULL) {
        TextForm *made = NEW(match, TextForm, 0);
        match->work += 50000 + 500 * strlen(text);
        made->str = key + 1;
        made->characters = tg_number_characters(&match->arena, text, match->numbers);
        made->id = g_hash_table_size(match->forms);
        form = made;
    }
    /* frees @key if the table has an equal one */
    g_hash_table_insert(match->forms, key, (gpointer) form);
    return form;
}

static guint32 edit_distance(Matcher *match, TgSequence a, TgSequence b)
{
    a.id_bound = b.id_bound = match->numbers->size;
    match->work += (guint64) a.n * b.n + 5000;
    tg_arena_reset(&match->scratch);
    return too_large(match, 0, 0) ? MAX(a.n, b.n) : tg_levenshtein(&match->scratch, a, b);
}

static Distance distance_of(Matcher *match, const TextForm *a, const TextForm *b)
{
    const guint32 length = MAX(a->characters.n, b->characters.n);
    guint64 *known = tg_vocab_pair_at(match->known, tg_pair_key(a->id, b->id));

    if (*known == 0)
        *known = (guint64) edit_distance(match, a->characters, b->characters) + 1;
    const guint32 wrong = (guint32) (*known - 1);
    return (Distance){ length > 0 ? (double) wrong / length : 0.0, wrong, length };
}

/* The quick match's win(): the least distance of @part to a window of @whole of the same length,
 * divided by that length; 1 where it is above 0.6. Neighboring windows differ by two edits at most,
 * so that windows next to a distant window are skipped. */
static double min_window_distance(Matcher *match, const TextForm *whole, const TextForm *part)
{
    const TgSequence pattern = part->characters;
    const guint32 n = whole->characters.n, bound = (guint32) (0.6 * pattern.n);
    guint32 least = bound + 1, found;

    for (guint32 at = 0; at + pattern.n <= n && least > 0 && !too_large(match, 0, 0);
         at += (found - least) / 2 + 1) {
        found =
            edit_distance(match, (TgSequence){ whole->characters.ids + at, pattern.n, 0 }, pattern);
        least = MIN(least, found);
    }
    return least > bound ? 1 : (double) least / pattern.n;
}

/* ---- lists of items, and lines ---- */

/* Add a copy of an item. The caller may change the copy. */
static TgPageItem *add_copy(Matcher *match, ItemList *list, const TgPageItem *item)
{
    if ((list->n & (list->n - 1)) == 0)
        list->at = tg_arena_regrow(&match->arena, list->at, list->n * sizeof item,
                                   MAX(2 * list->n, 1) * sizeof item);
    return list->at[list->n++] = memcpy(NEW(match, TgPageItem, 0), item, sizeof *item);
}

static gboolean is_formula(const TgPageItem *item)
{
    return strcmp(item->category, FORMULA) == 0;
}

static gboolean is_inline(const TgPageItem *item)
{
    return g_strcmp0(item->kind, "equation_inline") == 0;
}

/* The order of predictions; with @quick the order of the quick match. */
static gint compare_items(gconstpointer a, gconstpointer b, gpointer quick)
{
    const TgPageItem *left = *(TgPageItem *const *) a, *right = *(TgPageItem *const *) b;
    const glong start = left->start - right->start, kind = is_inline(left) - is_inline(right);
    const glong end = quick != NULL ? 0 : left->end - right->end;
    const glong rest = end != 0 ? end : (glong) left->place - right->place;
    const glong same = kind != 0 ? kind : rest;
    const glong order = start == 0 || (quick != NULL && kind != 0) ? same : start;

    return (order > 0) - (order < 0);
}

/* Ways to split formulas of several rows: not at all, or at each row. Other values are
 * partitions. */
#define WHOLE 0
#define ROWS  G_MAXUINT

/*
 * Make lines: split formulas, and keep the items that have a normal form. The original program
 * looks up the kind, order and source of an item by the number of the line, which is wrong after a
 * split; this function does the same.
 *
 * @way: WHOLE, ROWS, or bits below a leading one: each set bit is a cut after one of the rows found
 *   before
 * @quick: in the order of the quick match, and with sources of the pool
 */
static ItemList make_lines(Matcher *match, ItemList items, guint way, gboolean quick)
{
    ItemList parts = { 0 };
    ItemList lines = { NEW(match, TgPageItem *, 0),
                       0 }; /* never NULL, because a list without lines is not a missing list */
    guint left = g_bit_storage(way) - 1;

    for (guint i = 0; i < items.n; i++) {
        TgPageItem *item = items.at[i];
        if (way == ROWS)
            item->rows = is_formula(item) ? keep_rows(match, item->content) : NULL;
        const char *const *rows = way != WHOLE ? item->rows : NULL;
        const guint n = rows != NULL ? g_strv_length((char **) rows) : 1;
        const guint n_rows = parts.n + n <= TG_PAGE_MAX_ITEMS ? n : 1;
        match->out.is_cut |= n_rows < n;
        if (n_rows == 1)
            add_copy(match, &parts, item);
        left -= n_rows - 1;
        for (guint k = 0, first = 0; k < n_rows && n_rows > 1; k++) {
            if (way != ROWS && k + 1 < n_rows && (way >> (left + k) & 1) == 0)
                continue; /* the next row belongs to this line */
            TgPageItem *part = add_copy(match, &parts, item);
            part->content = join_rows(match, rows + first, k + 1 - first, TRUE);
            part->kind = k > first ? FORMULA : item->kind;
            part->order += (k + 1) / 1000.0;
            first = k + 1;
        }
    }
    if (quick)
        g_qsort_with_data(parts.at, (gint) parts.n, sizeof *parts.at, compare_items, match);
    const ItemList sources = quick ? match->pool : parts;
    for (guint i = 0; i < parts.n; i++) {
        const TgPageItem *item = parts.at[i], *taken = parts.at[lines.n];
        const TextForm *form =
            form_of(match, is_formula(item) ? FROM_FORMULA : FROM_TEXT, item->content);
        if (form->str[0] == '\0')
            continue;
        TgPageItem *line = add_copy(match, &lines, item);
        line->place = lines.n - 1;
        line->form = form;
        line->kind = taken->kind != NULL ? taken->kind : taken->category;
        line->own_kind = taken->source == NULL         ? line->kind
                         : taken->source->kind != NULL ? taken->source->kind
                                                       : taken->source->category;
        line->order = taken->order;
        line->taken_source = line->place < sources.n ? sources.at[line->place]->source : NULL;
    }
    return lines;
}

static const TextForm *join_forms(Matcher *match, TgPageItem *const *lines, guint n,
                                  const char *separator)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < n; i++)
        g_string_append_printf(out, "%s%s", i > 0 ? separator : "", lines[i]->form->str);
    return n == 1 ? lines[0]->form : form_of(match, AS_IT_IS, out->str);
}

/* The pairing of least cost: for each row a column or NULL. All are NULL where there are too many
 * pairs. @alone: a row or column without a partner costs 1 */
static ItemList assign_items(Matcher *match, ItemList rows, ItemList columns, gboolean alone)
{
    const guint n = rows.n + (alone ? columns.n : 0), m = columns.n + (alone ? rows.n : 0);
    const ItemList out = { NEW(match, TgPageItem *, rows.n), rows.n };

    match->work += (guint64) n * m * 100;
    if (too_large(match, n, m))
        return out;
    g_autofree guint *column_of = g_new(guint, n + 1);
    g_autofree double *cost = g_new0(double, (gsize) n *m + 1);
    for (guint i = 0; i < n; i++)
        for (guint j = 0; j < m; j++)
            cost[i * m + j] = i < rows.n && j < columns.n
                                  ? distance_of(match, rows.at[i]->form, columns.at[j]->form).cost
                                  : i < rows.n || j < columns.n;
    tg_assignment_solve(cost, n, m, column_of);
    for (guint i = 0; i < rows.n; i++)
        out.at[i] = column_of[i] < columns.n ? columns.at[column_of[i]] : NULL;
    return out;
}

/* ---- candidates ---- */

/* Fill a row from a reference and its @n lines. In the quick match its score is that of the lines
 * joined without spaces, and its kind that of the first. */
static void fill_row(Matcher *match, TgPageRow *row, const TgPageItem *ref,
                     TgPageItem *const *items, guint n, gboolean quick)
{
    const Distance gap = distance_of(match, ref->form, join_forms(match, items, n, " "));
    const Distance score =
        distance_of(match, ref->form, join_forms(match, items, n, quick ? "" : " "));
    const char *hyp = n > 0 ? items[0]->content : "", *kind = n > 0 ? items[0]->kind : "";
    const gboolean is_array = n > 1 && (!quick || strstr(items[0]->own_kind, "equation") != NULL);
    const char **rows = g_newa(const char *, n + 1);

    for (guint i = 0; i < n; i++)
        rows[i] = items[i]->content;
    rows[n] = NULL;
    g_autofree char *joined = n > 1 && !is_array ? g_strjoinv("", (char **) rows) : NULL;
    *row = (TgPageRow){ .ref = ref->content,
                        .hyp = is_array         ? join_rows(match, rows, n, FALSE)
                               : joined != NULL ? keep_text(match, joined)
                                                : hyp,
                        .ref_idx = (int) ref->place,
                        .items = items,
                        .n_items = n,
                        .order = ref->order,
                        .hyp_type = n > 1 && !quick ? FORMULA : kind,
                        .match_edit = gap.cost,
                        .edits = score.wrong,
                        .length = score.length };
}

/* Whether @keys are lower than @others at the first key that differs. */
static gboolean is_lower(const double *keys, const double *others, guint n)
{
    guint k = 0;

    while (k < n - 1 && fabs(keys[k] - others[k]) <= 1e-12)
        k++;
    return keys[k] < others[k];
}

/* Keep the drafted rows if they are the first or better than the best so far. The keys are, in this
 * order: sum of edits, edits by characters, items without a row, changed items, rows without a
 * prediction. */
static void keep_if_better(Matcher *match, const char *name)
{
    double keys[] = { 0, 0, match->pool.n, -(double) match->n_logic, 0 };
    double wrong = 0, length = 0;
    g_autoptr(GHashTable) sources = g_hash_table_new(NULL, NULL);

    for (const TgPageRow *row = match->draft; row < match->draft + match->ref.n; row++) {
        keys[0] += row->match_edit;
        keys[4] += row->n_items == 0;
        wrong += row->n_items > 0 ? row->edits : 0;
        length += row->n_items > 0 ? row->length : 0;
        for (guint i = 0; i < row->n_items; i++)
            keys[2] -= row->items[i]->taken_source != NULL &&
                       g_hash_table_add(sources, row->items[i]->taken_source);
    }
    keys[1] = length > 0 ? wrong / length : 0;
    if (match->out.rows != NULL &&
        (too_large(match, 0, 0) || !is_lower(keys, match->keys, G_N_ELEMENTS(keys))))
        return;
    memcpy(match->keys, keys, sizeof keys);
    g_autofree char *logic = g_strconcat("logic_norm_", name, NULL);
    match->out.choice = match->n_logic > 0 ? keep_text(match, logic) : name;
    match->out.rows = match->draft;
    match->out.n_rows = match->ref.n;
    match->draft = NEW(match, TgPageRow, match->ref.n);
}

/* Make a candidate in which each reference has one item, or none (NULL). */
static void try_pairs(Matcher *match, const char *name, ItemList items)
{
    for (guint i = 0; i < match->ref.n; i++) {
        const guint n = i < items.n && items.at[i] != NULL;
        fill_row(match, &match->draft[i], match->ref.at[i], n > 0 ? &items.at[i] : NULL, n, FALSE);
    }
    keep_if_better(match, name);
}

/* The cheapest pairing of the references and items that come before a cell of the table. */
typedef struct DpCell {
    guint32 wrong, length;
    guint n_items;
    TgPageItem *const *items; /* the partners of the last reference */
    const struct DpCell *from;
    double keys[3]; /* sum of edits, edits by characters, inline formulas */
} DpCell;

/* Reach a cell from another by pairing at a distance, if that is cheaper than the way found
 * before. */
static void relax_cell(DpCell *to, const DpCell *from, Distance gap, TgPageItem *const *items,
                       guint n)
{
    DpCell found = { from->wrong + gap.wrong, from->length + gap.length, n, items, from, { 0 } };

    found.keys[0] = from->keys[0] + gap.cost;
    found.keys[1] = found.length > 0 ? (double) found.wrong / found.length : 2;
    found.keys[2] = from->keys[2] + (n == 1 && is_inline(items[0]));
    if (to->from == NULL || is_lower(found.keys, to->keys, 3))
        *to = found;
}

/* Candidate 4: references in order, each with consecutive items: formulas only, or with @gaps also
 * items left out within one source. */
static void try_dp(Matcher *match, const char *name, ItemList items, gboolean gaps)
{
    const ItemList ref = match->ref;
    const guint g = ref.n, p = items.n, apart = MAX(g, p) - MIN(g, p), stride = p + 1;
    const guint most = g > 1 && apart >= 2 ? 12 : 10, span = gaps ? most + 2 : most;
    const guint skips = !gaps ? 0 : apart >= 3 ? 2 : apart >= 1 || p >= 4;
    const Distance alone = { .cost = 1 };

    if (too_large(match, g + 1, stride))
        return;
    DpCell *cells = NEW(match, DpCell, (g + 1) * stride);
    for (guint j = 0; j <= p && !too_large(match, 0, 0); j++) {
        TgPageItem *const *next = items.at + j;
        guint n_formulas = 0, n_one = 0;
        for (guint at = j; at < (g + 1) * stride; at += stride) { /* leave one item alone */
            if (at >= stride)
                relax_cell(&cells[at], &cells[at - stride], alone, NULL, 0);
            if (j > 0)
                relax_cell(&cells[at], &cells[at - 1], alone, NULL, 0);
        }
        while (j + n_formulas < p && strcmp(next[n_formulas]->kind, FORMULA) == 0)
            n_formulas++;
        while (j + n_one < p && next[n_one]->taken_source == next[0]->taken_source)
            n_one++;
        for (guint mask = 1; mask < 1u << MIN(span, MAX(n_formulas, n_one)); mask += 2) {
            const guint length = g_bit_storage(mask), n = (guint) __builtin_popcount(mask);
            if (n > most || length - n > (length <= n_one ? skips : 0))
                continue;
            TgPageItem **picked = NEW(match, TgPageItem *, n);
            for (guint k = 0, m = 0; k < length; k++)
                if ((mask >> k & 1) != 0)
                    picked[m++] = next[k];
            const TextForm *form = join_forms(match, picked, n, " ");
            for (guint i = 0, at = j; i < g; i++, at += stride)
                relax_cell(&cells[at + stride + length], &cells[at],
                           distance_of(match, ref.at[i]->form, form), picked, n);
        }
    }
    for (const DpCell *cell = &cells[g * stride + p]; cell->from != NULL; cell = cell->from) {
        const guint i = (guint) (cell->from - cells) / stride;
        if (cell - cells >= (i + 1) * stride) /* without leaving an item alone */
            fill_row(match, &match->draft[i], ref.at[i], cell->items, cell->n_items, FALSE);
    }
    keep_if_better(match, name);
}

/* ---- candidates 1 and 2: the quick match ---- */

/* States of a line. CLOSE: it is close to a line of the other side. TAKEN: it has a partner, or it
 * is silent. ALONE: it is the only partner of a formula. Lines that are FREE or CLOSE are free. */
enum { FREE, CLOSE, TAKEN, ALONE };

static gboolean is_free(const TgPageItem *line)
{
    return line->state == FREE || line->state == CLOSE;
}

/* List the free lines and number them. @as_set: in the order in which a set of CPython iterates
 * over their numbers. Such a set is a hash table that grows when it is three fifths full and then
 * inserts its members again. */
static ItemList free_lines(Matcher *match, ItemList lines, gboolean as_set)
{
    ItemList out = { NEW(match, TgPageItem *, lines.n), 0 };

    for (guint i = 0; i < lines.n; i++)
        if (is_free(lines.at[i])) {
            lines.at[i]->number = i;
            out.at[out.n++] = lines.at[i];
        }
    /* CPython builds a set of most of the numbers by removing the others, so that it is in
     * ascending order. */
    if (!as_set || lines.n / 4 > lines.n - out.n)
        return out;
    for (guint size = 8, n = 0; n < out.n || 5 * n >= 3 * (size / 4 - 1); size *= 4) {
        TgPageItem **table = NEW(match, TgPageItem *, size);
        n = MIN(out.n, (3 * size + 1) / 5);
        for (guint i = 0; i < n; i++) {
            guint rest = out.at[i]->number, slot = rest % size, k = 0;
            while (table[slot + k] != NULL)
                if (++k > (slot + 9 < size ? 9 : 0)) {
                    rest /= 32;
                    slot = (5 * slot + 1 + rest) % size;
                    k = 0;
                }
            table[slot + k] = out.at[i];
        }
        for (guint slot = 0, i = 0; slot < size; slot++)
            if (table[slot] != NULL)
                out.at[i++] = table[slot];
    }
    return out;
}

/* Consecutive items that a reference without a close item might consist of. */
typedef struct {
    guint first, n; /* n is 0: there is no such run */
    double cost;
} ItemRun;

/* Step 5: the run of items that is closest to a reference. It grows as long as it comes closer and
 * each of its items is similar to a part of the reference. */
static ItemRun closest_run(Matcher *match, const TextForm *wanted, ItemList hyp)
{
    ItemRun best = { .cost = 2 };

    for (guint j = 0; j < hyp.n && !too_large(match, 0, 0); j++) {
        TgPageItem *const *items = hyp.at + j;
        const TextForm *form = wanted;
        ItemRun run = { .first = j, .cost = 2 };
        while (run.n < 160 && j + run.n < hyp.n && items[run.n]->state != CLOSE &&
               form->characters.n <= wanted->characters.n) {
            form = join_forms(match, items, run.n + 1, " ");
            const double edit = distance_of(match, wanted, form).cost;
            if (edit > run.cost ||
                (run.n == 1 && min_window_distance(match, wanted, items[0]->form) > 0.6) ||
                (run.n > 0 && min_window_distance(match, wanted, items[run.n]->form) >= 0.6))
                break;
            run.cost = edit;
            run.n++;
        }
        best = run.cost < best.cost ? run : best;
    }
    return best;
}

/* Add a run to a path with which it shares no item, or let it replace the same run at a higher
 * cost. The original changes a path while it iterates over it, so that it skips the run after each
 * run that it removes. Returns whether the run needs no path of its own. */
static gboolean offer_run(GArray *path, const ItemRun *run)
{
    gboolean meets = FALSE, same = FALSE;

    for (guint i = 0; i < path->len; i++) {
        const ItemRun other = g_array_index(path, ItemRun, i);
        meets |= other.first < run->first + run->n && run->first < other.first + other.n;
        if (other.first != run->first || other.n != run->n)
            continue;
        same = TRUE;
        if (other.cost > run->cost) {
            g_array_remove_index(path, i);
            g_array_append_val(path, *run);
        }
    }
    if (!meets)
        g_array_append_val(path, *run);
    return same || !meets;
}

static double mean_cost(const GArray *path)
{
    double sum = 0;

    for (guint i = 0; i < path->len; i++)
        sum += g_array_index(path, ItemRun, i).cost;
    return sum / path->len;
}

/* Step 6 for a group of runs, each of which shares items with one before it: a path is a choice
 * of runs that share no item. The original merges the runs of the first path with the least mean
 * cost. */
static void choose_runs(Matcher *match, const ItemRun *runs, guint n, ItemList hyp)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref);
    const GArray *best = NULL;

    for (guint i = 0; i < n && !too_large(match, 0, 0); i++) {
        gboolean placed = FALSE;
        for (guint k = 0; k < paths->len; k++) {
            GArray *path = paths->pdata[k];
            match->work += 50 + 10 * path->len;
            placed |= offer_run(path, &runs[i]);
        }
        if (!placed) {
            GArray *path = g_array_new(FALSE, FALSE, sizeof(ItemRun));
            g_array_append_val(path, runs[i]);
            g_ptr_array_add(paths, path);
        }
    }
    for (guint k = 0; k < paths->len; k++)
        if (best == NULL || mean_cost(paths->pdata[k]) < mean_cost(best))
            best = paths->pdata[k];
    for (guint i = 0; best != NULL && i < best->len; i++) {
        const ItemRun *run = &g_array_index(best, ItemRun, i);
        hyp.at[run->first]->n_more = run->n - 1;
    }
}

static gint compare_runs(gconstpointer a, gconstpointer b)
{
    const guint left = ((const ItemRun *) a)->first, right = ((const ItemRun *) b)->first;

    return (left > right) - (left < right);
}

/* Steps 5 and 6: merge items, because the prediction may split a formula or text of the reference.
 * Returns the items with the chosen runs as lines. */
static ItemList merge_items(Matcher *match, ItemList refs, ItemList hyps)
{
    g_autoptr(GArray) array = g_array_new(FALSE, FALSE, sizeof(ItemRun));
    ItemList columns = { 0 };

    for (guint i = 0; i < refs.n; i++) {
        const ItemRun run = refs.at[i]->state != CLOSE ? closest_run(match, refs.at[i]->form, hyps)
                                                       : (ItemRun){ 0 };
        if (run.n > 0)
            g_array_append_val(array, run);
    }
    g_array_sort(array, compare_runs); /* a stable sort */
    const ItemRun *runs = (const ItemRun *) array->data;
    for (guint first = 0, end = 1; first < array->len; first = end++) {
        guint reach = runs[first].first + runs[first].n; /* behind the last item of the group */
        for (; end < array->len && runs[end].first < reach; end++)
            reach = MAX(reach, runs[end].first + runs[end].n);
        choose_runs(match, &runs[first], end - first, hyps);
    }
    for (guint j = 0; j < hyps.n; j += hyps.at[j]->n_more + 1) {
        TgPageItem *column = add_copy(match, &columns, hyps.at[j]);
        column->form = join_forms(match, hyps.at + j, column->n_more + 1, " ");
        column->number = j;
    }
    return columns;
}

/* Give a line of the reference its partners; the row of a formula is filled. */
static void take_lines(Matcher *match, TgPageItem *ref, TgPageItem *const *items, guint n,
                       gboolean is_left)
{
    ref->state = TAKEN;
    for (guint k = 0; k < n; k++)
        items[k]->state = is_formula(ref) && n == 1 ? ALONE : TAKEN;
    if (!is_formula(ref))
        return;
    TgPageRow *row = &match->draft[match->n_draft++];
    fill_row(match, row, ref, items, n, TRUE);
    row->match_edit = is_left ? 1 : row->match_edit;
    /* items of different kinds are compared as texts */
    if (strstr(row->hyp_type, "_formula") != NULL) {
        row->ref = change_text(match, tg_text_inline, change_text(match, tg_text_bare, row->ref));
        row->hyp = change_text(match, tg_text_inline, row->hyp);
        row->hyp_type = FORMULA;
        const TextForm *ref_form = form_of(match, FROM_TEXT, row->ref),
                       *hyp_form = form_of(match, FROM_TEXT, row->hyp);
        row->match_edit = distance_of(match, ref_form, hyp_form).cost;
        const Distance score = distance_of(
            match, ref_form->str[0] != '\0' ? ref_form : form_of(match, AS_IT_IS, row->ref),
            hyp_form->str[0] != '\0' ? hyp_form : form_of(match, AS_IT_IS, row->hyp));
        row->edits = score.wrong;
        row->length = score.length;
    } else if (n > 0 && strcmp(row->hyp_type, FORMULA) != 0 && !is_inline(items[0])) {
        /* so that a candidate that pairs a formula with a text cannot win */
        row->match_edit = INFINITY;
    }
}

/* Fill rows in the original's order, if each formula has a row of its own. */
static void try_quick(Matcher *match, const char *name, ItemList refs, ItemList hyps)
{
    if (too_large(match, refs.n, hyps.n))
        return;
    for (guint k = 0; k < 2 * refs.n; k++) { /* steps 3 and 4: silent references first */
        TgPageItem *line = refs.at[k % refs.n];
        line->state = line->is_silent ? TAKEN : FREE;
        for (guint j = 0; j < hyps.n && line->is_silent == (k < refs.n); j++)
            if (is_free(hyps.at[j]) && distance_of(match, line->form, hyps.at[j]->form).cost < 0.25)
                hyps.at[j]->state = line->state = MAX(line->state, CLOSE);
    }
    const ItemList free_refs = free_lines(match, refs, FALSE),
                   free_hyps = free_lines(match, hyps, FALSE);
    ItemList found =
        assign_items(match, free_refs, merge_items(match, free_refs, free_hyps), FALSE);
    match->n_draft = 0;
    for (guint i = 0; i < free_refs.n; i++) /* step 7 */
        if (found.at[i] != NULL &&
            (refs.n * hyps.n == 1 ||
             distance_of(match, free_refs.at[i]->form, found.at[i]->form).cost <= 0.7))
            take_lines(match, free_refs.at[i], free_hyps.at + found.at[i]->number,
                       found.at[i]->n_more + 1, FALSE);
    for (guint i = 0; i < free_refs.n; i++) { /* step 8: texts that stand inside other texts */
        TgPageItem *line = free_refs.at[i];
        const gboolean open = is_free(line) && !is_formula(line);
        for (guint j = 0; j < free_hyps.n && open; j++) {
            TgPageItem *item = free_hyps.at[j];
            if (min_window_distance(match, item->form, line->form) >= 0.4)
                continue;
            if (is_free(line) && item->state == ALONE)
                /* nor can a candidate win in which several references share a row */
                match->draft[0].match_edit = INFINITY;
            item->state = MAX(item->state, TAKEN);
            line->state = TAKEN;
        }
    }
    const ItemList left = free_lines(match, free_refs, TRUE);
    found = assign_items(match, left, free_lines(match, free_hyps, TRUE), FALSE);
    for (guint i = 0; i < left.n; i++) /* step 10: the rest, at distance 1 */
        if (found.at[i] != NULL)
            take_lines(match, left.at[i], &found.at[i], 1, TRUE);
    for (guint i = 0; i < free_refs.n; i++)
        if (is_free(free_refs.at[i]))
            take_lines(match, free_refs.at[i], NULL, 0, FALSE);
    keep_if_better(match, name);
}

/* ---- all candidates ---- */

/* Candidates 2 to 6 of a pool. Candidates 3 and 5 are assignments, repeated for all ways to join
 * rows. */
static void try_pool(Matcher *match, ItemList pool)
{
    const ItemList lines = make_lines(match, pool, WHOLE, FALSE),
                   rows = make_lines(match, pool, ROWS, FALSE);
    guint n_cuts = 0;

    try_quick(match, "quick_unsplit", match->ref, make_lines(match, pool, WHOLE, TRUE));
    try_pairs(match, "hungarian_unsplit", assign_items(match, match->ref, lines, TRUE));
    try_dp(match, "dp_unsplit", lines, FALSE);
    for (guint i = 0; i < pool.n; i++) {
        const guint n =
            pool.at[i]->rows != NULL ? g_strv_length((char **) pool.at[i]->rows) - 1 : 0;
        n_cuts += n < 8 ? n : 0;
        /* formulas of more than 8 rows stay whole */
        pool.at[i]->rows = n < 8 ? pool.at[i]->rows : NULL;
    }
    const gboolean few = n_cuts > 0 && n_cuts <= 7 && !too_large(match, lines.n, lines.n);
    for (guint way = 0; few && way < 1u << n_cuts; way++) {
        const ItemList parts = make_lines(match, pool, 1u << n_cuts | way, FALSE);
        try_pairs(match, "split_hungarian", assign_items(match, match->ref, parts, TRUE));
    }
    try_dp(match, "split_dp", rows, FALSE);
    try_dp(match, "split_dp_allow_gaps", rows, TRUE);
}

TgPageMatch *tg_page_match(const TgPage *page, const char *markdown, gsize len)
{
    Matcher *match = g_new0(Matcher, 1);
    ItemList mixed = { 0 }, ref = { 0 }, formulas = { 0 }, logic = { 0 }, *pool = &match->pool;

    match->forms = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    match->numbers = tg_vocab_new();
    match->known = tg_vocab_new();
    match->out.extras = g_ptr_array_new();
    match->items = tg_page_items(markdown, len, &match->out.is_cut);
    for (guint i = 0; i < match->items->len; i++) {
        TgPageItem *item = &g_array_index(match->items, TgPageItem, i);
        const gboolean is_rescue = strcmp(item->category, "formula_rescue") == 0;
        item->source = item;
        item->place = is_rescue ? match->items->len + i : i; /* rescued items are put last */
        if (is_rescue || is_formula(item)) {
            const TgPageItem *last = pool->n > 0 ? pool->at[pool->n - 1] : NULL;
            if (last == NULL || last->start != item->start || last->end != item->end ||
                /* skip a second find of the same table */
                strcmp(last->content, item->content) != 0) {
                TgPageItem *pooled = add_copy(match, pool, item);
                pooled->category = FORMULA;
                pooled->kind = item->kind == NULL || is_inline(item) ? item->kind : FORMULA;
            }
        }
        if (is_formula(item) || strcmp(item->category, "text_all") == 0)
            add_copy(match, &mixed, item);
    }
    g_qsort_with_data(pool->at, (gint) pool->n, sizeof *pool->at, compare_items, NULL);
    for (guint i = 0; i < page->ref->len; i++) {
        const TgPageItem *item = add_copy(match, &ref, &g_array_index(page->ref, TgPageItem, i));
        if (is_formula(item))
            add_copy(match, &formulas, item);
    }
    match->ref = make_lines(match, formulas, ROWS, FALSE);
    match->draft = NEW(match, TgPageRow, match->ref.n);
    /* first pair formulas in their order, for a page that is too large for other ways */
    if (match->ref.n > 0) {
        try_pairs(match, "in_order", make_lines(match, *pool, WHOLE, FALSE));
        match->keys[0] += 1e-6; /* so that any other candidate that is equally good wins */
        try_quick(match, "current_match", make_lines(match, ref, ROWS, FALSE),
                  make_lines(match, mixed, ROWS, TRUE));
        try_pool(match, *pool);
        for (guint i = 0; i < pool->n; i++) {
            TgPageItem *item = add_copy(match, &logic, pool->at[i]);
            g_autoptr(GString) content = g_string_new(item->content);
            if (tg_formula_logic_form(content)) {
                item->content = keep_text(match, content->str);
                match->n_logic++;
            }
        }
        if (match->n_logic > 0)
            try_pool(match, logic);
    }
    for (guint i = 0; i < match->out.n_rows; i++)
        for (guint k = 0; k < match->out.rows[i].n_items; k++)
            match->out.rows[i].items[k]->source->state = TAKEN;
    for (guint i = 0; i < pool->n; i++) /* displays have no kind of their own */
        if (pool->at[i]->kind == NULL && pool->at[i]->source->state != TAKEN)
            g_ptr_array_add(match->out.extras, pool->at[i]->content);
    return &match->out;
}

void tg_page_match_free(TgPageMatch *out)
{
    Matcher *match = (Matcher *) out;

    g_hash_table_unref(match->forms);
    tg_vocab_free(match->numbers);
    tg_vocab_free(match->known);
    g_array_unref(match->items); /* frees the contents, too */
    g_ptr_array_unref(match->out.extras);
    tg_arena_clear(&match->arena);
    tg_arena_clear(&match->scratch);
    g_free(match);
}
