/* OmniDocBench's matching of a page: quick match, candidates, choice. */
#include "datasets/documents/pages.h"

#include <math.h>
#include <string.h>

#include <jansson.h>

#include "core/fail.h"
#include "core/json.h"
#include "core/utf8.h"
#include "datasets/documents/page.h"
#include "metrics/algorithms/algorithms.h"
#include "tokenizer/subword/tables.h"

#define FORMULA "equation_isolated"
#define INLINE  "equation_inline"

/* Bounds of a page: cells of a matrix of costs, and of all edit distances together. */
#define MAX_COSTS 1000000u
#define MAX_WORK  ((guint64) 20000000000)

/* ---- what is matched ---- */

/* A text in its normal form; equal ones are one. */
typedef struct {
    const char *str;
    TgSequence characters;
    guint id;
} Form;

/* An element of the truth or an item of the page. */
typedef struct {
    const char *text, *kind;
    gboolean is_formula; /* its normal form is that of a formula */
    gboolean is_silent;  /* of a kind that only takes predictions away */
    double order;
    glong start, end;
    guint source;        /* place in the pool, or G_MAXUINT */
    gboolean is_display; /* a formula between the delimiters of displays */
} Unit;

typedef struct {
    const Unit *unit;
    Form *form;
} Line;

/* Units, and lines of those that have a normal form: places of lines mean units, too, as in the
 * original. */
typedef struct {
    GArray *units, *lines;
} Side;

typedef struct {
    const guint *gt, *pred;
    guint n_gt, n_pred;
    const char *gt_text, *pred_text, *pred_kind;
    Form *gt_form, *pred_form;
    double edit;
} Row;

typedef struct {
    const char *name;
    GArray *rows;       /* Row */
    const Side *looked; /* where the original looks the sources up */
    const Side *own;    /* what the rows' places mean, */
    const Side *truth;  /* and those of truths */
    guint n_logic;
} Candidate;

typedef struct {
    TgArena arena, scratch;
    GStringChunk *strings;
    GHashTable *forms;     /* text -> Form */
    GHashTable *of_raw[2]; /* text as it stands (of strings) -> Form, of texts and formulas */
    TgPairTable *numbers;  /* of characters */
    TgPairTable *distances, *windows;
    guint64 work;
    gboolean left_out; /* a candidate, as there was too much work */
    GPtrArray *lists;  /* GArray: what is freed at the end */
    GArray *pool;      /* Unit */
    GArray *candidates;
    Side truth; /* formulas */
} Match;

static gboolean too_large(Match *match)
{
    match->left_out |= match->work > MAX_WORK;
    return match->work > MAX_WORK;
}

/* Whether a matrix is too large. */
static gboolean too_many(Match *match, guint64 rows, guint64 columns)
{
    match->left_out |= rows * columns > MAX_COSTS;
    return rows * columns > MAX_COSTS;
}

static GArray *new_list(Match *match, gsize size)
{
    GArray *list = g_array_new(FALSE, TRUE, (guint) size);

    g_ptr_array_add(match->lists, list);
    return list;
}

static const char *keep(Match *match, const char *text)
{
    return g_string_chunk_insert_const(match->strings, text);
}

static Form *form_of(Match *match, const char *text)
{
    Form *form = g_hash_table_lookup(match->forms, text);
    const gsize len = strlen(text);

    if (form != NULL)
        return form;
    match->work += 10000 + 100 * len;
    form = tg_arena_zeros(&match->arena, sizeof *form);
    guint32 *ids = tg_arena_alloc(&match->arena, (len + 1) * sizeof *ids);
    form->str = keep(match, text);
    form->id = g_hash_table_size(match->forms);
    form->characters.ids = ids;
    for (gsize i = 0; i < len;) {
        gunichar code;
        i += tg_utf8_decode(text + i, len - i, &code);
        guint64 *number = tg_pair_table_at(match->numbers, code);
        if (*number == 0)
            *number = tg_pair_table_size(match->numbers);
        ids[form->characters.n++] = (guint32) *number;
    }
    g_hash_table_insert(match->forms, (gpointer) form->str, form);
    return form;
}

/* The normal form of a text as it stands. */
static Form *normalize(Match *match, const char *raw, gboolean is_formula)
{
    Form *form = g_hash_table_lookup(match->of_raw[is_formula], raw);

    if (form != NULL)
        return form;
    g_autoptr(GString) text = g_string_new(raw);
    (is_formula ? tg_page_formula_form : tg_page_text_form)(text);
    form = form_of(match, text->str);
    g_hash_table_insert(match->of_raw[is_formula], (gpointer) keep(match, raw), form);
    return form;
}

static guint32 edits(Match *match, TgSequence a, TgSequence b)
{
    a.id_bound = b.id_bound = (guint32) tg_pair_table_size(match->numbers) + 1;
    match->work += (guint64) a.n * b.n + 64;
    tg_arena_reset(&match->scratch);
    return too_large(match) ? MAX(a.n, b.n) : tg_levenshtein(&match->scratch, a, b);
}

static guint32 distance(Match *match, const Form *a, const Form *b)
{
    guint64 *known = tg_pair_table_at(match->distances, tg_pair_key(a->id, b->id));

    if (*known == 0)
        *known = (guint64) edits(match, a->characters, b->characters) + 1;
    return (guint32) (*known - 1);
}

static guint32 longer(const Form *a, const Form *b)
{
    return MAX(a->characters.n, b->characters.n);
}

static double ned(Match *match, const Form *a, const Form *b)
{
    return longer(a, b) > 0 ? (double) distance(match, a, b) / longer(a, b) : 0.0;
}

/* What the quick match asks of windows; the distance by the length of the part. */
typedef enum { WITHIN_60, BELOW_60, BELOW_40 } Nearness;

/* Whether some part of @whole as long as @part is so near to it. A window's neighbour is two edits
 * away at most, so those next to a distant window are passed over. */
static gboolean has_window(Match *match, const Form *whole, const Form *part, Nearness nearness)
{
    const TgSequence pattern = part->characters;
    const double limit = nearness == BELOW_40 ? 0.4 : 0.6;
    const guint64 asked = (guint64) 1 << 2 * nearness, yes = asked << 1;
    guint32 most = pattern.n; /* edits */

    if (pattern.n == 0 || pattern.n > whole->characters.n)
        return FALSE;
    guint64 *known = tg_pair_table_at(match->windows, tg_pair_key(whole->id, part->id));
    if ((*known & asked) != 0)
        return (*known & yes) != 0;
    *known |= asked;
    while ((double) most / pattern.n > limit ||
           (nearness != WITHIN_60 && (double) most / pattern.n >= limit && most > 0))
        most--;
    for (guint32 at = 0; at + pattern.n <= whole->characters.n;) {
        const TgSequence window = { whole->characters.ids + at, pattern.n, 0 };
        const guint32 found = edits(match, window, pattern);
        if (found <= most) {
            *known |= yes;
            return TRUE;
        }
        at += (found - most + 1) / 2;
    }
    return FALSE;
}

/* ---- rows of formulas, and lines ---- */

static char *as_array(const Line *lines, const guint *places, guint n)
{
    g_autoptr(GString) out = g_string_new(NULL);
    guint n_filled = 0;

    for (guint i = 0; i < n; i++) {
        g_autoptr(GString) bare = g_string_new(lines[places[i]].unit->text);
        tg_page_strip_delimiters(bare);
        if (bare->len > 0)
            g_string_append_printf(out, n_filled++ > 0 ? " \\\\ {%s}" : "{%s}", bare->str);
    }
    if (n_filled == 1) { /* without braces */
        g_string_truncate(out, out->len - 1);
        g_string_erase(out, 0, 1);
    }
    g_string_prepend(out, "\\begin{array}{l} ");
    g_string_append(out, " \\end{array}");
    return g_string_free(g_steal_pointer(&out), FALSE);
}

/* The units with the rows of multi-line formulas one by one. */
static GArray *split_units(Match *match, const GArray *units, gboolean is_truth)
{
    GArray *out = new_list(match, sizeof(Unit));

    for (guint i = 0; i < units->len; i++) {
        const Unit *unit = &g_array_index(units, Unit, i);
        g_autoptr(TgPageRows) rows = unit->is_formula ? tg_page_rows(unit->text) : NULL;
        const char *from = rows != NULL ? rows->body->str : NULL;
        if (rows == NULL)
            g_array_append_val(out, *unit);
        for (guint k = 0; rows != NULL && k < rows->rows->len; k++) {
            g_autofree char *text = g_strdup_printf("\\[%s\\]", (char *) rows->rows->pdata[k]);
            g_autoptr(GString) row = g_string_new(rows->raw->pdata[k]);
            Unit part = *unit;
            tg_page_strip_tags(row);
            tg_page_trim(row);
            const char *at = strstr(from, row->str);
            const glong n = g_utf8_strlen(row->str, -1);
            at = at != NULL ? at : from;
            part.text = keep(match, text);
            part.order += is_truth ? (k + 1) / 1000.0 : 0;
            part.start += rows->body_start + g_utf8_pointer_to_offset(rows->body->str, at);
            part.end = part.start + n - 1;
            if (k + 1 == rows->rows->len && rows->suffix_end > 0)
                part.end = unit->start + rows->suffix_end - 1;
            from = at + MIN(row->len, strlen(at));
            g_array_append_val(out, part);
        }
    }
    return out;
}

static Side make_side(Match *match, GArray *units)
{
    const Side side = { units, new_list(match, sizeof(Line)) };

    for (guint i = 0; i < units->len; i++) {
        const Unit *unit = &g_array_index(units, Unit, i);
        const Line line = { unit, normalize(match, unit->text, unit->is_formula) };
        if (unit->text[0] != '\0' && line.form->str[0] != '\0')
            g_array_append_val(side.lines, line);
    }
    return side;
}

static Side *keep_side(Match *match, GArray *units)
{
    Side *side = tg_arena_alloc(&match->arena, sizeof *side);

    *side = make_side(match, units);
    return side;
}

static gboolean is_inline(const Unit *unit)
{
    return strcmp(unit->kind, INLINE) == 0;
}

static gint compare_units(gconstpointer a, gconstpointer b, gpointer quick)
{
    const Unit *left = a, *right = b;
    const glong start = left->start - right->start, kind = is_inline(left) - is_inline(right);
    const glong key = quick != NULL ? (kind != 0 ? kind : start)
                      : start != 0  ? start
                      : kind != 0   ? kind
                                    : left->end - right->end;

    return (key > 0) - (key < 0);
}

/* The units in the order of predictions; @quick: that of the quick match. */
static GArray *sort_units(Match *match, const GArray *units, gboolean quick)
{
    GArray *out = new_list(match, sizeof(Unit));

    g_array_append_vals(out, units->data, units->len);
    g_array_sort_with_data(out, compare_units, quick ? match : NULL); /* stable */
    return out;
}

static const Line *line_at(const Side *side, guint i)
{
    return &g_array_index(side->lines, Line, i);
}

/* Lines' normal forms, with @separator between them. */
static Form *join_forms(Match *match, const Side *side, const guint *places, guint n,
                        const char *separator)
{
    g_autoptr(GString) out = g_string_new(NULL);

    if (n == 1)
        return line_at(side, places[0])->form;
    for (guint i = 0; i < n; i++)
        g_string_append_printf(out, "%s%s", i > 0 ? separator : "",
                               line_at(side, places[i])->form->str);
    return form_of(match, out->str);
}

static const guint *keep_places(Match *match, const guint *places, guint n)
{
    return n > 0 ? memcpy(tg_arena_alloc(&match->arena, n * sizeof *places), places,
                          n * sizeof *places)
                 : NULL;
}

static const char *unit_kind(const Side *side, guint i)
{
    return g_array_index(side->units, Unit, i).kind;
}

/* A row; without predictions it has edit 1. @separator: of the normal forms. */
static Row make_row(Match *match, const Side *truth, const guint *gt, guint n_gt, const Side *items,
                    const guint *pred, guint n_pred, double edit, const char *separator)
{
    const Line *first = line_at(truth, gt[0]);
    Row row = { keep_places(match, gt, n_gt),
                keep_places(match, pred, n_pred),
                n_gt,
                n_pred,
                first->unit->text,
                "",
                "",
                join_forms(match, truth, gt, n_gt, separator),
                form_of(match, ""),
                edit };

    if (n_gt > 1) {
        g_autofree char *text = as_array((const Line *) (gpointer) truth->lines->data, gt, n_gt);
        row.gt_text = keep(match, text);
    }
    if (n_pred == 0)
        return row;
    row.pred_form = join_forms(match, items, pred, n_pred, separator);
    row.pred_kind = unit_kind(items, pred[0]);
    row.pred_text = line_at(items, pred[0])->unit->text;
    if (n_pred > 1) {
        g_autofree char *text =
            as_array((const Line *) (gpointer) items->lines->data, pred, n_pred);
        row.pred_text = keep(match, text);
    }
    return row;
}

static void add_candidate(Match *match, const char *name, GArray *rows, const Side *looked,
                          const Side *own, guint n_logic)
{
    const Candidate candidate = { name, rows, looked, own, &match->truth, n_logic };

    if (!too_large(match))
        g_array_append_val(match->candidates, candidate);
}

/* ---- the quick match ---- */

/* Items first to last, and the distance of a truth to them joined. */
typedef struct {
    guint first, last;
    double cost;
} Interval;

typedef struct {
    Match *match;
    const Side *truth, *items;
    GArray *gt, *pred; /* guint: the lines that take part */
    double *cost;      /* [gt][pred] */
    GArray *keys;      /* Key */
} Quick;

/* Items, and the truths that have them. */
typedef struct {
    guint first, last;
    GArray *truths; /* guint */
    double edit;
} Key;

static Form *gt_form(const Quick *quick, guint i)
{
    return line_at(quick->truth, g_array_index(quick->gt, guint, i))->form;
}

static Form *pred_form(const Quick *quick, guint i)
{
    return line_at(quick->items, g_array_index(quick->pred, guint, i))->form;
}

static Form *joined(const Quick *quick, guint first, guint last)
{
    return join_forms(quick->match, quick->items, &g_array_index(quick->pred, guint, first),
                      last - first + 1, " ");
}

static gboolean is_close(const double *costs, gsize stride, guint n)
{
    for (guint i = 0; i < n; i++)
        if (costs[i * stride] < 0.25)
            return TRUE;
    return FALSE;
}

/* Step 5: for each truth without a close item the best run of neighbours. */
static GArray *find_intervals(Quick *quick)
{
    Match *match = quick->match;
    GArray *out = new_list(match, sizeof(Interval));
    const guint g = quick->gt->len, p = quick->pred->len;
    g_autofree gboolean *masked = g_new(gboolean, p + 1);

    for (guint j = 0; j < p; j++)
        masked[j] = is_close(quick->cost + j, p, g);
    for (guint i = 0; i < g && !too_large(match); i++) {
        Interval best = { 0, 0, 2 };
        Form *wanted = gt_form(quick, i);
        if (is_close(quick->cost + (gsize) i * p, 1, p))
            continue;
        for (guint j = 0; j < p; j++) {
            double cost = quick->cost[(gsize) i * p + j];
            guint s = 1;
            if (masked[j])
                continue;
            for (; s < 160 && j + s < p && !masked[j + s]; s++) {
                Form *next = joined(quick, j, j + s);
                const double longer_cost = ned(match, wanted, next);
                if (longer_cost > cost ||
                    (s == 1 && !has_window(match, wanted, pred_form(quick, j), WITHIN_60)) ||
                    !has_window(match, wanted, pred_form(quick, j + s), BELOW_60))
                    break;
                cost = longer_cost;
                if (next->characters.n > wanted->characters.n) {
                    s++;
                    break;
                }
            }
            if (cost < best.cost)
                best = (Interval){ j, j + s - 1, cost };
        }
        if (best.cost < 2)
            g_array_append_val(out, best);
    }
    return out;
}

static gint compare_intervals(gconstpointer a, gconstpointer b)
{
    const Interval *left = a, *right = b;

    return left->first < right->first ? -1 : left->first > right->first;
}

static gboolean overlap(const Interval *a, const Interval *b)
{
    return a->first <= b->last && b->first <= a->last;
}

/* The best path through intervals that share items, as the original builds paths. */
static GArray *choose_path(const Interval *intervals, guint n)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref);
    GArray *best = NULL;
    double least = INFINITY;

    for (guint i = 0; i < n; i++) {
        const guint n_paths = paths->len;
        gboolean placed = FALSE;
        for (guint k = 0; k < n_paths; k++) {
            GArray *path = paths->pdata[k];
            gboolean shares = FALSE, same = FALSE;
            for (guint e = 0; e < path->len; e++) {
                const Interval entry = g_array_index(path, Interval, e);
                if (entry.first == intervals[i].first && entry.last == intervals[i].last) {
                    shares = same = TRUE;
                    if (entry.cost > intervals[i].cost) {
                        g_array_remove_index(path, e);
                        g_array_append_val(path, intervals[i]);
                    }
                } else if (overlap(&entry, &intervals[i])) {
                    shares = TRUE;
                }
            }
            if (!shares)
                g_array_append_val(path, intervals[i]);
            placed |= same || !shares;
        }
        if (!placed) {
            GArray *path = g_array_new(FALSE, FALSE, sizeof(Interval));
            g_array_append_val(path, intervals[i]);
            g_ptr_array_add(paths, path);
        }
    }
    for (guint k = 0; k < paths->len; k++) {
        const GArray *path = paths->pdata[k];
        double sum = 0;
        for (guint e = 0; e < path->len; e++)
            sum += g_array_index(path, Interval, e).cost;
        if (sum / path->len < least) {
            least = sum / path->len;
            best = paths->pdata[k];
        }
    }
    return g_array_ref(best);
}

/* Steps 5 and 6: the columns of the assignment, neighbours that are chosen together. */
static GArray *make_columns(Quick *quick)
{
    GArray *columns = new_list(quick->match, sizeof(Interval));
    GArray *intervals = find_intervals(quick);
    g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(Interval));

    g_array_sort(intervals, compare_intervals); /* stable for short arrays and merges alike */
    for (guint i = 0, end; i < intervals->len; i = end) {
        const Interval *first = &g_array_index(intervals, Interval, i);
        gboolean shares = TRUE;
        for (end = i + 1; end < intervals->len && shares; end += shares) {
            shares = FALSE;
            for (guint k = i; k < end; k++)
                shares |= overlap(&g_array_index(intervals, Interval, k),
                                  &g_array_index(intervals, Interval, end));
        }
        g_autoptr(GArray) path = choose_path(first, end - i);
        g_array_append_vals(chosen, path->data, path->len);
    }
    for (guint j = 0; j < quick->pred->len; j++) {
        Interval column = { j, j, 0 };
        for (guint k = 0; k < chosen->len; k++)
            if (g_array_index(chosen, Interval, k).first == j)
                column.last = MAX(column.last, g_array_index(chosen, Interval, k).last);
        g_array_append_val(columns, column);
        j = column.last;
    }
    return columns;
}

static Key *key_of(Quick *quick, guint first, guint last)
{
    for (guint k = 0; k < quick->keys->len; k++) {
        Key *key = &g_array_index(quick->keys, Key, k);
        if (key->first == first && key->last == last)
            return key;
    }
    const Key key = { first, last, new_list(quick->match, sizeof(guint)), 0 };
    g_array_append_val(quick->keys, key);
    return &g_array_index(quick->keys, Key, quick->keys->len - 1);
}

static void insert_number(guint *table, guint size, guint number)
{
    guint slot = number % size, rest = number;

    for (;;) {
        const guint tries = slot + 9 < size ? 9 : 0;
        for (guint k = 0; k <= tries; k++)
            if (table[slot + k] == 0) {
                table[slot + k] = number + 1;
                return;
            }
        rest /= 32;
        slot = (5 * slot + 1 + rest) % size;
    }
}

/* Numbers below @n that are not used, in the order in which CPython's set has them. */
static GArray *unused_numbers(Match *match, const gboolean *used, guint n)
{
    GArray *out = new_list(match, sizeof(guint));
    g_autofree guint *table = g_new0(guint, 8);
    guint n_used = 0, size = 8, fill = 0;

    for (guint i = 0; i < n; i++)
        n_used += used[i];
    for (guint i = 0; i < n; i++) {
        if (used[i])
            continue;
        if (n / 4 > n_used) { /* they stay in order */
            g_array_append_val(out, i);
            continue;
        }
        insert_number(table, size, i);
        if (++fill * 5 < (size - 1) * 3)
            continue;
        g_autofree guint *old = g_steal_pointer(&table);
        const guint old_size = size;
        for (size = 8; size <= 4 * fill;)
            size *= 2;
        table = g_new0(guint, size);
        for (guint k = 0; k < old_size; k++)
            if (old[k] != 0)
                insert_number(table, size, old[k] - 1);
    }
    for (guint k = 0; k < size; k++)
        if (table[k] != 0) {
            const guint number = table[k] - 1;
            g_array_append_val(out, number);
        }
    return out;
}

/* Step 7: the assignment to columns. */
static void assign_columns(Quick *quick, const GArray *columns, gboolean *gt_used)
{
    const guint g = quick->gt->len, n = columns->len;
    g_autofree double *cost = g_new(double, (gsize) g *n + 1);
    g_autofree guint *column_of = g_new(guint, g + 1);

    for (guint j = 0; j < n; j++) {
        const Interval *column = &g_array_index(columns, Interval, j);
        Form *form = joined(quick, column->first, column->last);
        for (guint i = 0; i < g; i++)
            cost[(gsize) i * n + j] = ned(quick->match, gt_form(quick, i), form);
    }
    tg_assignment_solve(cost, g, n, column_of);
    for (guint i = 0; i < g; i++) {
        if (column_of[i] == TG_UNASSIGNED || cost[(gsize) i * n + column_of[i]] > 0.7)
            continue;
        const Interval *column = &g_array_index(columns, Interval, column_of[i]);
        Key *key = key_of(quick, column->first, column->last);
        g_array_append_val(key->truths, i);
        gt_used[i] = TRUE;
    }
}

/* Steps 8 and 9: texts inside of texts; the keys' edits. */
static void take_inner_texts(Quick *quick, gboolean *gt_used)
{
    Match *match = quick->match;
    g_autofree gboolean *open = g_new(gboolean, quick->gt->len + 1);

    for (guint i = 0; i < quick->gt->len; i++)
        open[i] = !gt_used[i] &&
                  !line_at(quick->truth, g_array_index(quick->gt, guint, i))->unit->is_formula;
    for (guint j = 0; j < quick->pred->len && !too_large(match); j++)
        for (guint i = 0; i < quick->gt->len; i++) {
            if (!open[i] || !has_window(match, pred_form(quick, j), gt_form(quick, i), BELOW_40))
                continue;
            Key *key = key_of(quick, j, j);
            if (!gt_used[i])
                g_array_append_val(key->truths, i);
            gt_used[i] = TRUE;
        }
    for (guint k = 0; k < quick->keys->len; k++) {
        Key *key = &g_array_index(quick->keys, Key, k);
        if (key->truths->len == 1) {
            key->edit = ned(match, gt_form(quick, g_array_index(key->truths, guint, 0)),
                            joined(quick, key->first, key->last));
            continue;
        }
        g_autoptr(GString) all = g_string_new(NULL);
        for (guint i = 0; i < key->truths->len; i++)
            g_string_append(all, gt_form(quick, g_array_index(key->truths, guint, i))->str);
        key->edit = ned(match, form_of(match, all->str), pred_form(quick, key->first));
    }
}

/* Step 10: what is left over is paired, with edit 1. */
static void pair_rest(Quick *quick, gboolean *gt_used)
{
    Match *match = quick->match;
    g_autofree gboolean *pred_used = g_new0(gboolean, quick->pred->len + 1);

    for (guint k = 0; k < quick->keys->len; k++) {
        const Key *key = &g_array_index(quick->keys, Key, k);
        for (guint j = key->first; j <= key->last; j++)
            pred_used[j] = TRUE;
    }
    const GArray *rows = unused_numbers(match, gt_used, quick->gt->len);
    const GArray *columns = unused_numbers(match, pred_used, quick->pred->len);
    g_autofree double *cost = g_new(double, (gsize) rows->len * columns->len + 1);
    g_autofree guint *column_of = g_new(guint, rows->len + 1);
    for (guint i = 0; i < rows->len; i++)
        for (guint j = 0; j < columns->len; j++)
            cost[(gsize) i * columns->len + j] =
                ned(match, gt_form(quick, g_array_index(rows, guint, i)),
                    pred_form(quick, g_array_index(columns, guint, j)));
    tg_assignment_solve(cost, rows->len, columns->len, column_of);
    for (guint i = 0; i < rows->len; i++) {
        if (column_of[i] == TG_UNASSIGNED)
            continue;
        const guint j = g_array_index(columns, guint, column_of[i]);
        Key *key = key_of(quick, j, j);
        g_array_append_val(key->truths, g_array_index(rows, guint, i));
        key->edit = 1;
        gt_used[g_array_index(rows, guint, i)] = TRUE;
    }
}

/* Step 3: lines without the silent kinds, and without predictions that are these. */
static void drop_silent(Quick *quick)
{
    Match *match = quick->match;

    quick->gt = new_list(match, sizeof(guint));
    quick->pred = new_list(match, sizeof(guint));
    for (guint i = 0; i < quick->truth->lines->len; i++)
        if (!line_at(quick->truth, i)->unit->is_silent)
            g_array_append_val(quick->gt, i);
    for (guint j = 0; j < quick->items->lines->len; j++) {
        gboolean silent = FALSE;
        for (guint i = 0; i < quick->truth->lines->len && !silent; i++)
            silent =
                line_at(quick->truth, i)->unit->is_silent &&
                ned(match, line_at(quick->truth, i)->form, line_at(quick->items, j)->form) < 0.25;
        if (!silent)
            g_array_append_val(quick->pred, j);
    }
}

/* All rows of the lines, in the original's order; NULL: too large. */
static GArray *quick_match(Match *match, const Side *truth, const Side *items)
{
    const guint g = truth->lines->len, p = items->lines->len;
    Quick quick = { match, truth, items, NULL, NULL, NULL, new_list(match, sizeof(Key)) };
    GArray *out = new_list(match, sizeof(Row));

    if (too_many(match, g, p))
        return NULL;
    if (g == 1 && p == 1) {
        const guint zero = 0;
        const Row row = make_row(match, truth, &zero, 1, items, &zero, 1,
                                 ned(match, line_at(truth, 0)->form, line_at(items, 0)->form), "");
        g_array_append_val(out, row);
        return out;
    }
    drop_silent(&quick);
    const guint n = quick.gt->len;
    g_autofree gboolean *gt_used = g_new0(gboolean, n + 1);
    g_autofree double *cost = quick.cost = g_new(double, (gsize) n *quick.pred->len + 1);
    for (guint i = 0; i < n; i++)
        for (guint j = 0; j < quick.pred->len; j++)
            cost[(gsize) i * quick.pred->len + j] =
                ned(match, gt_form(&quick, i), pred_form(&quick, j));
    if (n > 0 && quick.pred->len > 0) {
        assign_columns(&quick, make_columns(&quick), gt_used);
        take_inner_texts(&quick, gt_used);
        pair_rest(&quick, gt_used);
    }
    for (guint k = 0; k < quick.keys->len; k++) {
        const Key *key = &g_array_index(quick.keys, Key, k);
        g_autofree guint *gt = g_new(guint, key->truths->len + 1);
        for (guint i = 0; i < key->truths->len; i++)
            gt[i] = g_array_index(quick.gt, guint, g_array_index(key->truths, guint, i));
        if (key->truths->len == 0)
            continue;
        const Row row = make_row(match, truth, gt, key->truths->len, items,
                                 &g_array_index(quick.pred, guint, key->first),
                                 key->last - key->first + 1, key->edit, "");
        g_array_append_val(out, row);
    }
    for (guint i = 0; i < n; i++)
        if (!gt_used[i]) {
            const Row row = make_row(match, truth, &g_array_index(quick.gt, guint, i), 1, items,
                                     NULL, 0, 1, "");
            g_array_append_val(out, row);
        }
    return too_large(match) ? NULL : out;
}

/* ---- candidates ---- */

/* Kinds of formulas that were made of texts, pictures and cells. */
static gboolean is_rescue(const char *kind)
{
    return strcmp(kind, "text_formula") == 0 || strcmp(kind, "image_formula") == 0 ||
           strcmp(kind, "formula_rescue") == 0 || strcmp(kind, "table_formula_rescue") == 0;
}

/* Whether each line of the truth has one row of its own. */
static gboolean is_complete(const Match *match, const GArray *rows)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);

    for (guint i = 0; i < rows->len; i++) {
        const Row *row = &g_array_index(rows, Row, i);
        if (row->n_gt != 1 || !g_hash_table_add(seen, GUINT_TO_POINTER(row->gt[0])) ||
            (row->pred_kind[0] != '\0' && strcmp(row->pred_kind, FORMULA) != 0 &&
             strcmp(row->pred_kind, INLINE) != 0))
            return FALSE;
    }
    return rows->len == match->truth.lines->len;
}

/* Candidate 1: the rows of formulas in the match of everything on the page. */
static void add_current(Match *match, const Side *truth, const Side *items, const Side *looked)
{
    const GArray *all = quick_match(match, truth, items);
    GArray *rows = new_list(match, sizeof(Row));

    for (guint i = 0; all != NULL && i < all->len; i++) {
        Row row = g_array_index(all, Row, i);
        /* the most frequent kind, the first of equals */
        const char *kind = "";
        guint most = 0;
        for (guint k = 0; k < row.n_gt; k++) {
            const char *own = line_at(truth, row.gt[k])->unit->kind;
            guint n = 0;
            for (guint other = 0; other < row.n_gt; other++)
                n += strcmp(line_at(truth, row.gt[other])->unit->kind, own) == 0;
            kind = n > most ? own : kind;
            most = MAX(most, n);
        }
        if (strcmp(kind, FORMULA) != 0)
            continue;
        if (is_rescue(row.pred_kind)) {
            g_autoptr(GString) gt = g_string_new(row.gt_text), pred = g_string_new(row.pred_text);
            tg_page_strip_delimiters(gt);
            tg_page_plain_inline(gt);
            tg_page_plain_inline(pred);
            row.gt_text = keep(match, gt->str);
            row.pred_text = keep(match, pred->str);
            row.gt_form = normalize(match, row.gt_text, FALSE);
            row.pred_form = normalize(match, row.pred_text, FALSE);
            row.edit = ned(match, row.gt_form, row.pred_form);
            row.pred_kind = FORMULA;
        }
        g_array_append_val(rows, row);
    }
    const Candidate candidate = { "current_match", rows, looked, items, truth, 0 };
    if (all != NULL && is_complete(match, rows))
        g_array_append_val(match->candidates, candidate);
}

/* A row of a truth and neighbours, as all candidates but the first two make them. */
static void add_row(Match *match, GArray *rows, const Side *items, guint gt, const guint *pred,
                    guint n_pred)
{
    Row row = make_row(match, &match->truth, &gt, 1, items, pred, n_pred, 1, " ");

    if (n_pred > 0)
        row.edit = ned(match, row.gt_form, row.pred_form);
    if (n_pred > 1)
        row.pred_kind = FORMULA;
    g_array_append_val(rows, row);
}

/* Candidate 3: the assignment in which a truth or an item may stay alone. */
static GArray *match_hungarian(Match *match, const Side *items)
{
    const guint g = match->truth.lines->len, p = items->lines->len, n = g + p;
    GArray *rows = new_list(match, sizeof(Row));
    g_autofree double *cost = NULL;
    g_autofree guint *column_of = g_new(guint, n + 1);

    if (too_many(match, n, n))
        return NULL;
    cost = g_new(double, (gsize) n *n + 1);
    for (guint i = 0; i < n; i++)
        for (guint j = 0; j < n; j++)
            cost[(gsize) i * n + j] = i < g && j < p   ? ned(match, line_at(&match->truth, i)->form,
                                                             line_at(items, j)->form)
                                      : i < g || j < p ? 1
                                                       : 0;
    match->work += (guint64) n * n * 100;
    tg_assignment_solve(cost, n, n, column_of);
    for (guint i = 0; i < g; i++)
        add_row(match, rows, items, i, &column_of[i], column_of[i] < p ? 1 : 0);
    return rows;
}

/* The best way to a truth and an item. */
typedef struct {
    double cost;
    guint32 wrong, length, n_inline;
    guint from;       /* where it came from: truth * stride + item */
    guint n;          /* items of the last truth, */
    guint8 items[12]; /* from its start */
    gboolean reached;
} Way;

typedef struct {
    Match *match;
    const Side *items;
    Way *ways; /* [g + 1][p + 1] */
    guint p, most, span, skips;
} Dp;

static void offer(Way *to, const Way *way)
{
    gboolean better = !to->reached || way->cost < to->cost - 1e-12;

    if (!better && way->cost <= to->cost + 1e-12) {
        const guint64 left = (guint64) way->wrong * to->length;
        const guint64 right = (guint64) to->wrong * way->length;
        better = way->length > 0 && to->length > 0 && left != right ? left < right
                 : (way->length > 0) != (to->length > 0)            ? way->length > 0
                                                                    : way->n_inline < to->n_inline;
    }
    if (better)
        *to = *way;
}

/* From truth @i and item @j on: all sequences of items that begin with @j, depth first. */
static void extend(Dp *dp, guint i, guint j, guint *places, guint n, guint skips)
{
    Match *match = dp->match;
    const Way *from = &dp->ways[(gsize) i * (dp->p + 1) + j];
    gboolean one_source = TRUE, plain = places[n - 1] - places[0] == n - 1;

    for (guint k = 0; k < n; k++) {
        const Unit *unit = &g_array_index(dp->items->units, Unit, places[k]);
        one_source &= unit->source == g_array_index(dp->items->units, Unit, places[0]).source;
        plain &= strcmp(unit->kind, FORMULA) == 0;
    }
    if (n == 1 || one_source || plain) {
        Form *gt = line_at(&match->truth, i)->form;
        Form *pred = join_forms(match, dp->items, places, n, " ");
        Way way = { .cost = from->cost + ned(match, gt, pred),
                    .wrong = from->wrong + distance(match, gt, pred),
                    .length = from->length + longer(gt, pred),
                    .n_inline =
                        from->n_inline +
                        (n == 1 && is_inline(&g_array_index(dp->items->units, Unit, places[0]))),
                    .from = i * (dp->p + 1) + j,
                    .n = n,
                    .reached = TRUE };
        for (guint k = 0; k < n; k++)
            way.items[k] = (guint8) (places[k] - j);
        offer(&dp->ways[(gsize) (i + 1) * (dp->p + 1) + places[n - 1] + 1], &way);
    }
    if (n == dp->most || too_large(match))
        return;
    for (guint next = places[n - 1] + 1; next < MIN(dp->p, j + dp->span); next++) {
        const guint skipped = next - places[n - 1] - 1;
        if (skipped > skips)
            break;
        places[n] = next;
        extend(dp, i, j, places, n + 1, skips - skipped);
    }
}

/* Candidate 4: truths in order, each with items that follow each other. */
static GArray *match_dp(Match *match, const Side *items, gboolean gaps)
{
    const guint g = match->truth.lines->len, p = items->lines->len;
    const guint apart = MAX(g, p) - MIN(g, p), most = MIN(p, g > 1 && apart >= 2 ? 12 : 10);
    GArray *rows = new_list(match, sizeof(Row));
    Dp dp = { match,
              items,
              NULL,
              p,
              most,
              gaps ? MIN(p, most + 2) : most,
              !gaps        ? 0
              : apart >= 3 ? 2
                           : (apart >= 1 || p >= 4) };
    guint places[12];

    if (too_many(match, g + 1, p + 1))
        return NULL;
    g_autofree Way *ways = dp.ways = g_new0(Way, (gsize) (g + 1) * (p + 1));
    ways[0].reached = TRUE;
    for (guint i = 0; i <= g; i++)
        for (guint j = 0; j <= p; j++) {
            const guint at = i * (p + 1) + j;
            Way way = ways[at];
            if (!way.reached || too_large(match))
                continue;
            way.cost += 1;
            way.from = at;
            way.n = 0;
            if (j < p)
                offer(&ways[at + 1], &way);
            if (i == g)
                continue;
            offer(&ways[at + p + 1], &way);
            places[0] = j;
            if (j < p)
                extend(&dp, i, j, places, 1, dp.skips);
        }
    for (guint at = g * (p + 1) + p; at > 0; at = ways[at].from) {
        const Way *way = &ways[at];
        if (way->from / (p + 1) == at / (p + 1))
            continue;
        for (guint k = 0; k < way->n; k++)
            places[k] = way->from % (p + 1) + way->items[k];
        add_row(match, rows, items, way->from / (p + 1), places, way->n);
    }
    for (guint i = 0; i < rows->len / 2; i++) { /* they came from the end */
        const Row row = g_array_index(rows, Row, i);
        g_array_index(rows, Row, i) = g_array_index(rows, Row, rows->len - 1 - i);
        g_array_index(rows, Row, rows->len - 1 - i) = row;
    }
    return rows;
}

/* The units that stand for an item under a mask of cuts between its rows. */
static void append_partition(Match *match, GArray *out, const GArray *rows, guint mask)
{
    guint places[8];

    for (guint first = 0, last; first < rows->len; first = last + 1) {
        for (last = first; last + 1 < rows->len && (mask >> last & 1) == 0;)
            last++;
        Unit unit = g_array_index(rows, Unit, first);
        for (guint k = first; k <= last; k++)
            places[k - first] = k;
        if (last > first) {
            Line lines[8];
            for (guint k = 0; k < rows->len; k++)
                lines[k] = (Line){ &g_array_index(rows, Unit, k), NULL };
            g_autofree char *array = as_array(lines, places, last - first + 1);
            g_autofree char *text = g_strdup_printf("\\[%s\\]", array);
            unit.text = keep(match, text);
            unit.kind = FORMULA;
            unit.end = g_array_index(rows, Unit, last).end;
        }
        g_array_append_val(out, unit);
    }
}

/* Candidate 5: all ways to put the rows of multi-line items together again. */
static void add_partitions(Match *match, const Side *whole, const char *name, guint n_logic)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) parts = g_ptr_array_new();
    guint n_ways = 1;

    for (guint i = 0; i < whole->units->len; i++) {
        g_autoptr(GArray) one = g_array_new(FALSE, TRUE, sizeof(Unit));
        g_array_append_val(one, g_array_index(whole->units, Unit, i));
        GArray *rows = split_units(match, one, FALSE);
        g_ptr_array_add(parts, rows);
        if (rows->len >= 2 && rows->len <= 8)
            n_ways <<= rows->len - 1;
        if (n_ways > 128)
            return;
    }
    for (guint way = 0; way < n_ways && n_ways > 1 && !too_large(match); way++) {
        GArray *units = new_list(match, sizeof(Unit));
        guint bits = n_ways;
        for (guint i = 0; i < parts->len; i++) {
            const GArray *rows = parts->pdata[i];
            if (rows->len < 2 || rows->len > 8) {
                g_array_append_val(units, g_array_index(whole->units, Unit, i));
                continue;
            }
            bits >>= rows->len - 1;
            append_partition(match, units, rows, way / bits % (1u << (rows->len - 1)));
        }
        const Side *side = keep_side(match, sort_units(match, units, FALSE));
        GArray *rows = match_hungarian(match, side);
        g_autoptr(GString) key = g_string_new(NULL);
        for (guint i = 0; rows != NULL && i < rows->len; i++) {
            const Row *row = &g_array_index(rows, Row, i);
            g_string_append_printf(key, "%.17g %d %.6f;",
                                   g_array_index(match->truth.units, Unit, row->gt[0]).order,
                                   row->n_pred > 0 ? (int) row->pred[0] : -1, row->edit);
        }
        if (rows != NULL && g_hash_table_add(seen, g_strdup(key->str)))
            add_candidate(match, name, rows, side, side, n_logic);
    }
}

/* Candidates 2 to 6 of a pool. */
static void add_pool(Match *match, const GArray *pool, guint n_logic)
{
    static const char *const names[2][6] = {
        { "quick_unsplit", "hungarian_unsplit", "dp_unsplit", "split_hungarian", "split_dp",
          "split_dp_allow_gaps" },
        { "logic_norm_quick_unsplit", "logic_norm_hungarian_unsplit", "logic_norm_dp_unsplit",
          "logic_norm_split_hungarian", "logic_norm_split_dp", "logic_norm_split_dp_allow_gaps" },
    };
    const char *const *name = names[n_logic > 0];
    const Side *quick = keep_side(match, sort_units(match, pool, TRUE));
    const Side *whole = keep_side(match, sort_units(match, pool, FALSE));
    const Side *split = keep_side(match, split_units(match, whole->units, FALSE));
    GArray *rows = quick_match(match, &match->truth, quick);

    if (rows != NULL && is_complete(match, rows))
        add_candidate(match, name[0], rows, whole, quick, n_logic);
    if ((rows = match_hungarian(match, whole)) != NULL)
        add_candidate(match, name[1], rows, whole, whole, n_logic);
    if ((rows = match_dp(match, whole, FALSE)) != NULL)
        add_candidate(match, name[2], rows, whole, whole, n_logic);
    add_partitions(match, whole, name[3], n_logic);
    for (guint gaps = 0; gaps < 2 && split->units->len > whole->units->len; gaps++)
        if ((rows = match_dp(match, split, gaps)) != NULL)
            add_candidate(match, name[4 + gaps], rows, split, split, n_logic);
}

/* ---- the choice ---- */

typedef struct {
    double sum, ratio, missing, mean, logic, unmatched;
} Score;

static Score score_candidate(Match *match, const Candidate *candidate)
{
    g_autoptr(GHashTable) sources = g_hash_table_new(NULL, NULL);
    const guint n = candidate->rows->len;
    guint64 wrong = 0, length = 0;
    Score score = { .logic = -(double) candidate->n_logic };

    for (guint i = 0; i < n; i++) {
        const Row *row = &g_array_index(candidate->rows, Row, i);
        score.sum += row->edit;
        score.unmatched += row->n_pred == 0;
        if (row->n_pred > 0) {
            wrong += distance(match, row->gt_form, row->pred_form);
            length += longer(row->gt_form, row->pred_form);
        }
        for (guint k = 0; k < row->n_pred; k++)
            if (row->pred[k] < candidate->looked->units->len)
                g_hash_table_add(
                    sources,
                    GUINT_TO_POINTER(
                        g_array_index(candidate->looked->units, Unit, row->pred[k]).source));
    }
    score.ratio = n == 0 ? INFINITY : length > 0 ? (double) wrong / (double) length : 0;
    score.missing = MAX((double) match->pool->len - g_hash_table_size(sources), 0);
    score.mean = n > 0 ? score.sum / n : 0;
    return score;
}

static gboolean is_better(const Score *a, const Score *b)
{
    const double left[] = { a->sum, a->ratio, a->missing, a->mean, a->logic, a->unmatched };
    const double right[] = { b->sum, b->ratio, b->missing, b->mean, b->logic, b->unmatched };

    for (guint i = 0; i < G_N_ELEMENTS(left); i++)
        if (fabs(left[i] - right[i]) > 1e-12)
            return left[i] < right[i];
    return FALSE;
}

/* ---- truth ---- */

typedef struct {
    const char *category;
    gboolean is_silent;
} Category;

/* Categories of the truth that take part, in the order of the mixed list. */
static const Category categories[] = {
    { "text_block", FALSE },    { "title", FALSE },
    { "code_txt", FALSE },      { "code_txt_caption", FALSE },
    { "reference", FALSE },     { "equation_caption", TRUE },
    { "figure_caption", TRUE }, { "figure_footnote", TRUE },
    { "table_caption", TRUE },  { "table_footnote", TRUE },
    { "code_algorithm", TRUE }, { "code_algorithm_caption", TRUE },
    { "header", TRUE },         { "footer", TRUE },
    { "page_footnote", TRUE },  { "page_number", TRUE },
    { FORMULA, FALSE },
};

struct TgPageTruth {
    GArray *units; /* Unit, mixed, by order */
    GStringChunk *strings;
};

static double order_of(const json_t *element)
{
    return json_number_value(json_object_get(element, "order"));
}

static gint compare_orders(gconstpointer a, gconstpointer b)
{
    const double left = ((const Unit *) a)->order, right = ((const Unit *) b)->order;

    return (left > right) - (left < right);
}

static gint compare_elements(gconstpointer a, gconstpointer b)
{
    const double left = order_of(*(json_t *const *) a), right = order_of(*(json_t *const *) b);

    return (left > right) - (left < right);
}

static char *id_of(const json_t *value)
{
    return json_is_string(value) ? g_strdup_printf("\"%s", json_string_value(value))
                                 : g_strdup_printf("%.17g", json_number_value(value));
}

static void append_unit(TgPageTruth *truth, const Category *category, const GPtrArray *elements)
{
    const json_t *first = elements->pdata[0];
    const char *fine = json_string_value(json_object_get(first, "fine_category_type"));
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < elements->len; i++) {
        const char *own = json_string_value(json_object_get(elements->pdata[i], "latex"));
        const char *other = json_string_value(json_object_get(elements->pdata[i], "text"));
        const gboolean is_formula = strcmp(category->category, FORMULA) == 0;
        g_string_append(text, is_formula ? (own != NULL ? own : "") : other != NULL ? other : "");
    }
    const Unit unit = {
        .text = g_string_chunk_insert_const(truth->strings, text->str),
        .kind =
            fine != NULL ? g_string_chunk_insert_const(truth->strings, fine) : category->category,
        .is_formula = strcmp(category->category, FORMULA) == 0,
        .is_silent = category->is_silent,
        .order = order_of(first),
        .source = G_MAXUINT,
    };
    g_array_append_val(truth->units, unit);
}

/* Elements that a page's end cut in two: lists of ids, and of the elements. */
static GPtrArray *read_groups(const json_t *relations)
{
    GPtrArray *groups = g_ptr_array_new_with_free_func((GDestroyNotify) g_ptr_array_unref);
    size_t i;
    json_t *relation;

    json_array_foreach(relations, i, relation)
    {
        const char *type = json_string_value(json_object_get(relation, "relation_type"));
        GPtrArray *group;
        if (type == NULL || strcmp(type, "truncated") != 0)
            continue;
        group = g_ptr_array_new_with_free_func(g_free);
        g_ptr_array_add(group, id_of(json_object_get(relation, "source_anno_id")));
        g_ptr_array_add(group, id_of(json_object_get(relation, "target_anno_id")));
        for (guint k = 0; k < groups->len;) {
            GPtrArray *old = groups->pdata[k];
            if (!g_ptr_array_find_with_equal_func(old, group->pdata[0], g_str_equal, NULL) &&
                !g_ptr_array_find_with_equal_func(old, group->pdata[1], g_str_equal, NULL)) {
                k++;
                continue;
            }
            for (guint m = 0; m < old->len; m++)
                if (!g_ptr_array_find_with_equal_func(group, old->pdata[m], g_str_equal, NULL))
                    g_ptr_array_add(group, g_strdup(old->pdata[m]));
            g_ptr_array_remove_index(groups, k);
        }
        g_ptr_array_add(groups, group);
    }
    return groups;
}

static void read_elements(TgPageTruth *truth, const json_t *page)
{
    const json_t *elements = json_object_get(page, "layout_dets");
    g_autoptr(GPtrArray) groups =
        read_groups(json_object_get(json_object_get(page, "extra"), "relation"));
    g_autoptr(GPtrArray) members =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_ptr_array_unref);
    g_autoptr(GHashTable) grouped = g_hash_table_new(NULL, NULL);
    size_t i;
    json_t *element;

    for (guint k = 0; k < groups->len; k++) {
        g_autoptr(GPtrArray) list = g_ptr_array_new();
        gboolean ignored = FALSE;
        json_array_foreach(elements, i, element)
        {
            g_autofree char *id = id_of(json_object_get(element, "anno_id"));
            if (!g_ptr_array_find_with_equal_func(groups->pdata[k], id, g_str_equal, NULL))
                continue;
            g_hash_table_add(grouped, element);
            g_ptr_array_add(list, element);
            ignored |= json_is_true(json_object_get(element, "ignore"));
        }
        g_ptr_array_sort(list, compare_elements);
        if (list->len > 0 && !ignored)
            g_ptr_array_add(members, g_steal_pointer(&list));
    }
    for (guint c = 0; c < G_N_ELEMENTS(categories); c++) {
        json_array_foreach(elements, i, element)
        {
            const char *category = json_string_value(json_object_get(element, "category_type"));
            g_autoptr(GPtrArray) list = g_ptr_array_new();
            if (category == NULL || strcmp(category, categories[c].category) != 0 ||
                json_is_true(json_object_get(element, "ignore")) ||
                g_hash_table_contains(grouped, element))
                continue;
            g_ptr_array_add(list, element);
            append_unit(truth, &categories[c], list);
        }
        for (guint k = 0; k < members->len; k++) {
            const GPtrArray *list = members->pdata[k];
            const char *category =
                json_string_value(json_object_get(list->pdata[0], "category_type"));
            if (category != NULL && strcmp(category, categories[c].category) == 0)
                append_unit(truth, &categories[c], list);
        }
    }
    g_array_sort(truth->units, compare_orders); /* stable */
}

static char **read_subsets(const json_t *attributes)
{
    GPtrArray *out = g_ptr_array_new();
    const char *key;
    json_t *value, *entry;
    size_t i;

    json_object_foreach((json_t *) attributes, key, value)
    {
        if (json_is_string(value))
            g_ptr_array_add(out, g_strdup_printf("%s: %s", key, json_string_value(value)));
        json_array_foreach(value, i, entry) if (json_is_string(entry) &&
                                                strstr(json_string_value(entry), "table") == NULL)
            g_ptr_array_add(out, g_strdup(json_string_value(entry)));
    }
    g_ptr_array_add(out, NULL);
    return (char **) g_ptr_array_free(out, FALSE);
}

static void free_page(gpointer data)
{
    TgPage *page = data;

    g_array_unref(page->truth->units);
    g_string_chunk_free(page->truth->strings);
    g_free(page->truth);
    g_strfreev(page->subsets);
    g_free(page->name);
    g_free(page);
}

static TgPage *read_page(const json_t *entry)
{
    const json_t *info = json_object_get(entry, "page_info");
    const char *path = json_string_value(json_object_get(info, "image_path"));
    const json_t *elements = json_object_get(entry, "layout_dets");
    TgPage *page;
    size_t i;
    json_t *element;

    if (path == NULL || !json_is_array(elements))
        return NULL;
    page = g_new0(TgPage, 1);
    page->name = g_strdup(strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path);
    page->subsets = read_subsets(json_object_get(info, "page_attribute"));
    json_array_foreach(elements, i, element)
    {
        const char *category = json_string_value(json_object_get(element, "category_type"));
        page->n_formulas += category != NULL && strcmp(category, FORMULA) == 0 &&
                            !json_is_true(json_object_get(element, "ignore"));
    }
    page->truth = g_new0(TgPageTruth, 1);
    page->truth->strings = g_string_chunk_new(4096);
    page->truth->units = g_array_new(FALSE, TRUE, sizeof(Unit));
    read_elements(page->truth, entry);
    return page;
}

GPtrArray *tg_pages_load(const char *path, TgLineFunc fault, gpointer data, GError **error)
{
    g_autoptr(GPtrArray) pages = g_ptr_array_new_with_free_func(free_page);
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    json_error_t where;
    json_t *root, *entry;
    size_t i;

    root = json_load_file(path, 0, &where);
    if (!json_is_array(root)) {
        json_decref(root);
        return root == NULL ? tg_null_input(error, "%s: %s (line %d)", path, where.text, where.line)
                            : tg_null_input(error, "%s: not a list of pages", path);
    }
    json_array_foreach(root, i, entry)
    {
        TgPage *page = read_page(entry);
        const gboolean twice = page != NULL && !g_hash_table_add(names, page->name);
        if (page != NULL && !twice) {
            g_ptr_array_add(pages, page);
            continue;
        }
        g_autofree char *message =
            g_strdup_printf("%s: page %u: %s", path, (guint) i + 1,
                            twice ? "the second of its name" : "without image_path or layout_dets");
        if (fault != NULL)
            fault(message, data);
        if (page != NULL)
            free_page(page);
    }
    json_decref(root);
    return pages->len > 0 ? g_steal_pointer(&pages) : tg_null_input(error, "%s: no pages", path);
}

char *tg_page_find(const TgPage *page, const char *folder)
{
    const gsize n = strlen(page->name);
    g_autofree char *stem = g_strndup(page->name, n > 4 ? n - 4 : 0);
    g_autoptr(GString) bare = g_string_new(stem);

    g_string_replace(bare, ".pdf", "", 0);
    const char *const names[4][2] = {
        { stem, ".md" }, { bare->str, ".mmd" }, { bare->str, ".md" }, { page->name, ".md" }
    };
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *file = g_strconcat(names[i][0], names[i][1], NULL);
        g_autofree char *path = g_build_filename(folder, file, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
            return g_steal_pointer(&path);
    }
    return NULL;
}

/* ---- a page ---- */

struct TgPageMemory {
    Match match;
};

static void clear_match(Match *match)
{
    g_string_chunk_free(match->strings);
    g_hash_table_unref(match->forms);
    g_hash_table_unref(match->of_raw[0]);
    g_hash_table_unref(match->of_raw[1]);
    tg_pair_table_free(match->numbers);
    tg_pair_table_free(match->distances);
    tg_pair_table_free(match->windows);
    g_ptr_array_unref(match->lists);
    tg_arena_clear(&match->arena);
    tg_arena_clear(&match->scratch);
}

/* The items of a page: all that are matched with the mixed truth, and the pool of formulas. */
static GArray *read_items(Match *match, const char *markdown, gsize len)
{
    g_autoptr(GArray) items = tg_page_items(markdown, len);
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GArray *mixed = new_list(match, sizeof(Unit));

    for (guint pass = 0; pass < 2; pass++)
        for (guint i = 0; i < items->len; i++) {
            const TgPageItem *item = &g_array_index(items, TgPageItem, i);
            const gboolean formula = strcmp(item->category, FORMULA) == 0;
            const gboolean text = strcmp(item->category, "text_all") == 0;
            Unit unit = {
                .text = keep(match, item->content),
                .kind = item->kind != NULL ? item->kind : item->category,
                .is_formula = !text,
                .start = item->start,
                .end = item->end,
                .source = G_MAXUINT,
                .is_display = formula && item->kind == NULL,
            };
            if (pass == 0 ? formula : strcmp(item->category, "formula_rescue") == 0) {
                char *key =
                    g_strdup_printf("%ld %ld %s %s", unit.start, unit.end, unit.kind, unit.text);
                gpointer place = g_hash_table_lookup(seen, key);
                unit.source = place != NULL ? GPOINTER_TO_UINT(place) - 1 : match->pool->len;
                g_hash_table_insert(seen, key, GUINT_TO_POINTER(unit.source + 1));
                Unit pooled = unit;
                pooled.kind = is_rescue(unit.kind) ? FORMULA : unit.kind;
                if (place == NULL)
                    g_array_append_val(match->pool, pooled);
            }
            if (pass == 0 && (text || formula))
                g_array_append_val(mixed, unit);
        }
    return mixed;
}

/* The last resort for a page that is too large: formulas in their order. */
static void add_in_order(Match *match)
{
    const Side *side = keep_side(match, sort_units(match, match->pool, FALSE));
    GArray *rows = new_list(match, sizeof(Row));

    match->work = 0;
    for (guint i = 0; i < match->truth.lines->len; i++)
        add_row(match, rows, side, i, &i, i < side->lines->len);
    match->work = 0;
    add_candidate(match, "in_order", rows, side, side, 0);
}

static void match_formulas(Match *match, const TgPageTruth *truth, const GArray *mixed)
{
    GArray *formulas = new_list(match, sizeof(Unit));
    g_autoptr(GArray) logic = g_array_new(FALSE, TRUE, sizeof(Unit));
    guint n_changed = 0;

    for (guint i = 0; i < truth->units->len; i++)
        if (g_array_index(truth->units, Unit, i).is_formula)
            g_array_append_val(formulas, g_array_index(truth->units, Unit, i));
    match->truth = make_side(match, split_units(match, formulas, TRUE));
    if (match->truth.lines->len == 0)
        return;
    const Side *mixed_truth = keep_side(match, split_units(match, truth->units, TRUE));
    const Side *mixed_items =
        keep_side(match, split_units(match, sort_units(match, mixed, TRUE), FALSE));
    add_current(match, mixed_truth, mixed_items,
                keep_side(match, sort_units(match, match->pool, FALSE)));
    add_pool(match, match->pool, 0);
    for (guint i = 0; i < match->pool->len; i++) {
        Unit unit = g_array_index(match->pool, Unit, i);
        g_autoptr(GString) text = g_string_new(unit.text);
        if (tg_page_logic_form(text)) {
            unit.text = keep(match, text->str);
            n_changed++;
        }
        g_array_append_val(logic, unit);
    }
    if (n_changed > 0)
        add_pool(match, logic, n_changed);
}

static void append_result(TgPageMatch *out, Match *match, const Candidate *best, const Row *row)
{
    double *order = tg_arena_zeros(&match->arena, row->n_gt * sizeof *order);
    TgPageRow result = {
        .gt = (char *) row->gt_text,
        .pred = (char *) row->pred_text,
        .gt_norm = (char *) row->gt_form->str,
        .pred_norm = (char *) row->pred_form->str,
        .gt_idx = row->gt,
        .pred_idx = row->pred,
        .n_gt = row->n_gt,
        .n_pred = row->n_pred,
        .order = order,
        .pred_type = row->pred_kind,
        .match_edit = row->edit,
    };
    Form *gt = row->gt_form, *pred = row->pred_form;

    for (guint i = 0; i < row->n_gt; i++)
        order[i] = g_array_index(best->truth->units, Unit, row->gt[i]).order;
    if (gt->str[0] == '\0')
        gt = form_of(match, row->gt_text);
    if (pred->str[0] == '\0')
        pred = form_of(match, row->pred_text);
    result.edits = distance(match, gt, pred);
    result.length = longer(gt, pred);
    g_array_append_val(out->rows, result);
}

/* Displays that no row takes. */
static void find_extras(TgPageMatch *out, const Match *match, const Candidate *best)
{
    g_autofree gboolean *taken = g_new0(gboolean, match->pool->len + 1);
    GPtrArray *extras = g_ptr_array_new();

    for (guint i = 0; best != NULL && i < best->rows->len; i++) {
        const Row *row = &g_array_index(best->rows, Row, i);
        for (guint k = 0; k < row->n_pred; k++) {
            const guint source = line_at(best->own, row->pred[k])->unit->source;
            if (source != G_MAXUINT)
                taken[source] = TRUE;
        }
    }
    for (guint i = 0; i < match->pool->len; i++) {
        const Unit *unit = &g_array_index(match->pool, Unit, i);
        out->n_predictions += unit->is_display;
        if (unit->is_display && !taken[i])
            g_ptr_array_add(extras, g_strdup(unit->text));
    }
    out->n_extra = extras->len;
    g_ptr_array_add(extras, NULL);
    out->extras = (char **) g_ptr_array_free(extras, FALSE);
}

TgPageMatch *tg_page_match(const TgPage *page, const char *markdown, gsize len)
{
    TgPageMatch *out = g_new0(TgPageMatch, 1);
    Match *match = &(out->memory = g_new0(struct TgPageMemory, 1))->match;
    const Candidate *best = NULL;
    Score least = { 0 };

    match->strings = g_string_chunk_new(4096);
    match->forms = g_hash_table_new(g_str_hash, g_str_equal);
    match->of_raw[0] = g_hash_table_new(g_str_hash, g_str_equal);
    match->of_raw[1] = g_hash_table_new(g_str_hash, g_str_equal);
    match->numbers = tg_pair_table_new();
    match->distances = tg_pair_table_new();
    match->windows = tg_pair_table_new();
    match->lists = g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref);
    match->pool = new_list(match, sizeof(Unit));
    match->candidates = new_list(match, sizeof(Candidate));
    out->rows = g_array_new(FALSE, TRUE, sizeof(TgPageRow));
    const GArray *mixed =
        read_items(match, len <= TG_PAGE_MAX ? markdown : "", len <= TG_PAGE_MAX ? len : 0);
    match_formulas(match, page->truth, mixed);
    if (match->candidates->len == 0 && match->truth.lines->len > 0)
        add_in_order(match);
    for (guint i = 0; i < match->candidates->len; i++) {
        const Candidate *candidate = &g_array_index(match->candidates, Candidate, i);
        const Score score = score_candidate(match, candidate);
        if (best == NULL || is_better(&score, &least)) {
            best = candidate;
            least = score;
        }
    }
    for (guint i = 0; best != NULL && i < best->rows->len; i++)
        append_result(out, match, best, &g_array_index(best->rows, Row, i));
    out->choice = best != NULL ? best->name : NULL;
    out->status = match->left_out ? TG_PAGE_TOO_LARGE : TG_PAGE_MATCHED;
    find_extras(out, match, best);
    return out;
}

void tg_page_match_free(TgPageMatch *match)
{
    clear_match(&match->memory->match);
    g_free(match->memory);
    g_array_unref(match->rows);
    g_strfreev(match->extras);
    g_free(match);
}
