/* OmniDocBench's matching of a page: quick match, candidates, choice. */
#include "datasets/documents/document.h"

#include <math.h>
#include <string.h>

#include "core/utf8.h"

#define FORMULA TG_PAGE_FORMULA

/* Bounds of a page: cells of a matrix of costs, and of all edit distances together. */
#define MAX_COSTS 1000000u
#define MAX_WORK  ((guint64) 20000000000)

/* ---- what is matched ---- */

/* A text in its normal form; equal ones are one. */
typedef struct TgPageForm {
    const char *str;
    TgSequence characters;
    guint id;
} Form;

typedef struct {
    const TgPageUnit *unit;
    Form *form;
} Line;

/* Units, and lines of those that have a normal form. A line's place is taken for a unit's where
 * kinds, orders and sources are looked up, as in the original. */
typedef struct {
    const GArray *units; /* TgPageUnit */
    Line *lines;
    guint n;
} Side;

typedef TgPageRow Row;

typedef struct {
    const char *name;
    const Row *rows;
    guint n;
    const Side *looked, *own; /* where the original looks the sources up; what the places mean */
    guint n_logic;
} Candidate;

typedef struct TgPageMemory {
    TgArena arena, scratch;
    GStringChunk *strings;
    GHashTable *forms;     /* text -> Form */
    GHashTable *of_raw[2]; /* text as it stands -> Form, for texts and for formulas */
    TgPairTable *numbers;  /* of characters */
    TgPairTable *distances, *windows;
    guint64 work;
    gboolean left_out; /* a candidate, as there was too much work */
    GPtrArray *lists;  /* GArray: freed at the end */
    GArray *pool;      /* TgPageUnit: what may be a formula */
    GArray *candidates;
    const Side *truth; /* formulas */
} Match;

#define NEW(match, type, n)                                                                        \
    ((type *) tg_arena_zeros(&(match)->arena, ((gsize) (n) + 1) * sizeof(type)))

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

TgSequence tg_number_characters(TgArena *arena, const char *text, TgPairTable *numbers)
{
    const gsize len = strlen(text);
    guint32 *ids = tg_arena_alloc(arena, (len + 1) * sizeof *ids);
    TgSequence out = { ids, 0, 0 };

    for (gsize i = 0; i < len;) {
        gunichar code;
        i += tg_utf8_decode(text + i, len - i, &code);
        guint64 *number = tg_pair_table_at(numbers, code);
        if (*number == 0)
            *number = tg_pair_table_size(numbers);
        ids[out.n++] = (guint32) *number;
    }
    return out;
}

static Form *form_of(Match *match, const char *text)
{
    Form *form = g_hash_table_lookup(match->forms, text);

    if (form != NULL)
        return form;
    match->work += 50000 + 500 * strlen(text);
    form = NEW(match, Form, 0);
    *form = (Form){ keep(match, text), tg_number_characters(&match->arena, text, match->numbers),
                    g_hash_table_size(match->forms) };
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
    match->work += (guint64) a.n * b.n + 5000;
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

/* The quick match's win(): the least distance of @part to any part of @whole of its length, divided
 * by that; 1 for all that is above 0.6. A window's neighbour is two edits away at most, so those
 * next to a distant window are passed over. */
static double nearest(Match *match, const Form *whole, const Form *part)
{
    const TgSequence pattern = part->characters;
    guint32 least = (guint32) (0.6 * pattern.n) + 1;

    if (pattern.n == 0 || pattern.n > whole->characters.n)
        return 1;
    const guint64 key = tg_pair_key(whole->id, part->id);
    if (*tg_pair_table_at(match->windows, key) == 0) {
        for (guint32 at = 0; at + pattern.n <= whole->characters.n && least > 0;) {
            const TgSequence window = { whole->characters.ids + at, pattern.n, 0 };
            const guint32 found = edits(match, window, pattern);
            least = MIN(least, found);
            at += (found - least) / 2 + 1;
        }
        *tg_pair_table_at(match->windows, key) = (guint64) least + 1;
    }
    least = (guint32) (*tg_pair_table_at(match->windows, key) - 1);
    return least > (guint32) (0.6 * pattern.n) ? 1 : (double) least / pattern.n;
}

/* ---- sides ---- */

static const TgPageUnit *unit_at(const GArray *units, guint i)
{
    return &g_array_index(units, TgPageUnit, i);
}

static gboolean is_inline(const TgPageUnit *unit)
{
    return strcmp(unit->kind, "equation_inline") == 0;
}

static Side *make_side(Match *match, const GArray *units)
{
    Side *side = NEW(match, Side, 0);

    *side = (Side){ units, NEW(match, Line, units->len), 0 };
    for (guint i = 0; i < units->len; i++) {
        const TgPageUnit *unit = unit_at(units, i);
        Form *form = normalize(match, unit->text, unit->is_formula);
        if (form->str[0] != '\0')
            side->lines[side->n++] = (Line){ unit, form };
    }
    return side;
}

/* The units with the rows of multi-line formulas one by one. */
static GArray *split_units(Match *match, const GArray *units, gboolean is_truth)
{
    GArray *out = new_list(match, sizeof(TgPageUnit));

    for (guint i = 0; i < units->len; i++) {
        TgPageUnit part = *unit_at(units, i);
        g_autoptr(TgPageRows) rows = part.is_formula ? tg_page_rows(part.text) : NULL;
        const char *from = rows != NULL ? rows->body->str : NULL;
        if (rows == NULL)
            g_array_append_val(out, part);
        for (guint k = 0; rows != NULL && k < rows->rows->len; k++) {
            g_autofree char *text = g_strdup_printf("\\[%s\\]", (char *) rows->rows->pdata[k]);
            g_autoptr(GString) row = g_string_new(rows->raw->pdata[k]);
            part = *unit_at(units, i);
            tg_page_strip_tags(row);
            const char *at = strstr(from, row->str);
            at = at != NULL ? at : from;
            from = at + MIN(row->len, strlen(at));
            part.text = keep(match, text);
            part.order += is_truth ? (k + 1) / 1000.0 : 0;
            part.start += rows->body_start + g_utf8_pointer_to_offset(rows->body->str, at);
            part.end = k + 1 == rows->rows->len && rows->suffix_end > 0
                           ? unit_at(units, i)->start + rows->suffix_end - 1
                           : part.start + g_utf8_strlen(row->str, -1) - 1;
            g_array_append_val(out, part);
        }
    }
    return out;
}

static gint compare_units(gconstpointer a, gconstpointer b, gpointer quick)
{
    const TgPageUnit *left = a, *right = b;
    const glong start = left->start - right->start, kind = is_inline(left) - is_inline(right);
    const glong key = quick != NULL && kind != 0 ? kind
                      : start != 0               ? start
                      : quick != NULL            ? 0
                      : kind != 0                ? kind
                                                 : left->end - right->end;

    return (key > 0) - (key < 0);
}

/* The units in the order of predictions; @quick: that of the quick match. */
static GArray *sort_units(Match *match, const GArray *units, gboolean quick)
{
    GArray *out = new_list(match, sizeof(TgPageUnit));

    g_array_append_vals(out, units->data, units->len);
    g_array_sort_with_data(out, compare_units, quick ? match : NULL); /* stable */
    return out;
}

/* Neighbours' normal forms, with @separator between them. */
static Form *join_forms(Match *match, const Side *side, const guint *places, guint n,
                        const char *separator)
{
    g_autoptr(GString) out = g_string_new(NULL);

    if (n == 1)
        return side->lines[places[0]].form;
    for (guint i = 0; i < n; i++)
        g_string_append_printf(out, "%s%s", i > 0 ? separator : "",
                               side->lines[places[i]].form->str);
    return form_of(match, out->str);
}

/* Formulas as the rows of one. */
static const char *as_array(Match *match, char *const *texts, guint n)
{
    g_autoptr(GString) out = g_string_new("\\begin{array}{l} ");
    const gsize start = out->len;
    guint n_filled = 0;

    for (guint i = 0; i < n; i++) {
        g_autoptr(GString) bare = g_string_new(texts[i]);
        tg_page_strip_delimiters(bare);
        if (bare->len > 0)
            g_string_append_printf(out, n_filled++ > 0 ? " \\\\ {%s}" : "{%s}", bare->str);
    }
    if (n_filled == 1) { /* without braces */
        g_string_truncate(out, out->len - 1);
        g_string_erase(out, (gssize) start, 1);
    }
    g_string_append(out, " \\end{array}");
    return keep(match, out->str);
}

static const char *join_texts(Match *match, const Side *side, const guint *places, guint n)
{
    g_autofree char **texts = g_new0(char *, n + 1);

    for (guint i = 0; i < n; i++)
        texts[i] = (char *) side->lines[places[i]].unit->text;
    return n == 1 ? texts[0] : as_array(match, texts, n);
}

/* A row; without predictions it has edit 1. @separator: of the normal forms. */
static Row make_row(Match *match, const Side *truth, const guint *gt, guint n_gt, const Side *items,
                    const guint *pred, guint n_pred, double edit, const char *separator)
{
    guint *places = NEW(match, guint, n_gt + n_pred);
    Row row = { .gt = join_texts(match, truth, gt, n_gt),
                .pred = "",
                .gt_idx = places,
                .pred_idx = places + n_gt,
                .n_gt = n_gt,
                .n_pred = n_pred,
                .order = unit_at(truth->units, gt[0])->order,
                .pred_type = "",
                .match_edit = edit,
                .gt_form = join_forms(match, truth, gt, n_gt, separator),
                .pred_form = form_of(match, "") };

    for (guint i = 0; i < n_gt + n_pred; i++)
        places[i] = i < n_gt ? gt[i] : pred[i - n_gt];
    if (n_pred > 0) {
        row.pred = join_texts(match, items, pred, n_pred);
        row.pred_form = join_forms(match, items, pred, n_pred, separator);
        row.pred_type = unit_at(items->units, pred[0])->kind;
    }
    return row;
}

static void add_candidate(Match *match, const char *name, const Row *rows, guint n,
                          const Side *looked, const Side *own, guint n_logic)
{
    g_autofree char *whole_name = g_strconcat(n_logic > 0 ? "logic_norm_" : "", name, NULL);
    const Candidate candidate = { keep(match, whole_name), rows, n, looked, own, n_logic };

    if (rows != NULL && !too_large(match))
        g_array_append_val(match->candidates, candidate);
}

/* ---- the quick match ---- */

/* Items from first to last, the truths that have them, and the distance. */
typedef struct {
    guint first, last;
    double cost;
    guint *truths, n;
} Interval;

typedef struct {
    Match *match;
    const Side *truth, *items;
    guint *gt, *pred, n_gt, n_pred; /* lines that take part */
    double *cost;                   /* [n_gt][n_pred] */
    gboolean *used;                 /* truths */
    Interval *keys;
    guint n_keys;
} Quick;

static Form *gt_form(const Quick *quick, guint i)
{
    return quick->truth->lines[quick->gt[i]].form;
}

static Form *pred_form(const Quick *quick, guint j)
{
    return quick->items->lines[quick->pred[j]].form;
}

static Form *joined(const Quick *quick, guint first, guint last)
{
    return join_forms(quick->match, quick->items, quick->pred + first, last - first + 1, " ");
}

/* Step 3: lines without the silent kinds, and without predictions that are these. */
static void drop_silent(Quick *quick)
{
    const Side *truth = quick->truth, *items = quick->items;

    for (guint i = 0; i < truth->n; i++)
        if (!truth->lines[i].unit->is_silent)
            quick->gt[quick->n_gt++] = i;
    for (guint j = 0; j < items->n; j++) {
        gboolean silent = FALSE;
        for (guint i = 0; i < truth->n && !silent; i++)
            silent = truth->lines[i].unit->is_silent &&
                     ned(quick->match, truth->lines[i].form, items->lines[j].form) < 0.25;
        if (!silent)
            quick->pred[quick->n_pred++] = j;
    }
}

static gboolean is_close(const double *costs, gsize stride, guint n)
{
    for (guint i = 0; i < n; i++)
        if (costs[i * stride] < 0.25)
            return TRUE;
    return FALSE;
}

/* Step 5: for each truth without a close item the best run of neighbours. */
static guint find_intervals(Quick *quick, Interval *out)
{
    Match *match = quick->match;
    const guint p = quick->n_pred;
    gboolean *masked = NEW(match, gboolean, p);
    guint n = 0;

    for (guint j = 0; j < p; j++)
        masked[j] = is_close(quick->cost + j, p, quick->n_gt);
    for (guint i = 0; i < quick->n_gt && !too_large(match); i++) {
        Interval best = { .cost = 2 };
        const Form *wanted = gt_form(quick, i);
        if (is_close(quick->cost + (gsize) i * p, 1, p))
            continue;
        for (guint j = 0; j < p; j++) {
            double cost = quick->cost[(gsize) i * p + j];
            guint s = 1;
            for (gboolean fits = TRUE;
                 fits && !masked[j] && s < 160 && j + s < p && !masked[j + s];) {
                const Form *next = joined(quick, j, j + s);
                const double next_cost = ned(match, wanted, next);
                if (next_cost > cost ||
                    (s == 1 && nearest(match, wanted, pred_form(quick, j)) > 0.6) ||
                    nearest(match, wanted, pred_form(quick, j + s)) >= 0.6)
                    break;
                cost = next_cost;
                fits = next->characters.n <= wanted->characters.n;
                s++;
            }
            if (!masked[j] && cost < best.cost)
                best = (Interval){ .first = j, .last = j + s - 1, .cost = cost };
        }
        if (best.cost < 2)
            out[n++] = best;
    }
    return n;
}

static gint compare_intervals(gconstpointer a, gconstpointer b, gpointer data)
{
    const Interval *left = a, *right = b;

    (void) data;
    return left->first < right->first ? -1 : left->first > right->first;
}

static gboolean overlap(const Interval *a, const Interval *b)
{
    return a->first <= b->last && b->first <= a->last;
}

/* Add an interval to the paths that it fits, or a path of its own, as the original does. */
static void extend_paths(GPtrArray *paths, const Interval *interval)
{
    const guint n_paths = paths->len;
    gboolean placed = FALSE;

    for (guint k = 0; k < n_paths; k++) {
        GArray *path = paths->pdata[k];
        gboolean shares = FALSE, same = FALSE;
        for (guint e = 0; e < path->len; e++) {
            const Interval entry = g_array_index(path, Interval, e);
            shares |= overlap(&entry, interval);
            if (entry.first != interval->first || entry.last != interval->last)
                continue;
            same = TRUE;
            if (entry.cost > interval->cost) { /* the entry that moves up is missed */
                g_array_remove_index(path, e);
                g_array_append_vals(path, interval, 1);
            }
        }
        if (!shares)
            g_array_append_vals(path, interval, 1);
        placed |= same || !shares;
    }
    if (!placed) {
        g_ptr_array_add(paths, g_array_new(FALSE, FALSE, sizeof(Interval)));
        g_array_append_vals(paths->pdata[paths->len - 1], interval, 1);
    }
}

/* Step 6 for intervals that share items: the path with the least mean. Its items go into @last. */
static void choose_path(const Interval *intervals, guint n, guint *last)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref);
    const GArray *best = NULL;
    double least = INFINITY;

    for (guint i = 0; i < n; i++)
        extend_paths(paths, &intervals[i]);
    for (guint k = 0; k < paths->len; k++) {
        const GArray *path = paths->pdata[k];
        double sum = 0;
        for (guint e = 0; e < path->len; e++)
            sum += g_array_index(path, Interval, e).cost;
        best = sum / path->len < least ? path : best;
        least = MIN(least, sum / path->len);
    }
    for (guint e = 0; e < best->len; e++)
        last[g_array_index(best, Interval, e).first] = g_array_index(best, Interval, e).last;
}

/* Steps 5 and 6: by item, the last one of the column that begins with it. */
static guint *find_columns(Quick *quick)
{
    Interval *intervals = NEW(quick->match, Interval, quick->n_gt);
    guint *last = NEW(quick->match, guint, quick->n_pred);
    const guint n = find_intervals(quick, intervals);

    for (guint j = 0; j < quick->n_pred; j++)
        last[j] = j;
    g_qsort_with_data(intervals, (gint) n, sizeof *intervals, compare_intervals, NULL); /* stable */
    for (guint i = 0, end; i < n; i = end) {
        guint reach = intervals[i].last;
        for (end = i + 1; end < n && intervals[end].first <= reach; end++)
            reach = MAX(reach, intervals[end].last);
        choose_path(intervals + i, end - i, last);
    }
    return last;
}

static Interval *key_of(Quick *quick, guint first, guint last)
{
    for (guint k = 0; k < quick->n_keys; k++)
        if (quick->keys[k].first == first && quick->keys[k].last == last)
            return &quick->keys[k];
    quick->keys[quick->n_keys] = (Interval){ .first = first, .last = last };
    quick->keys[quick->n_keys].truths = NEW(quick->match, guint, quick->n_gt);
    return &quick->keys[quick->n_keys++];
}

static void add_truth(Quick *quick, Interval *key, guint i)
{
    if (!quick->used[i])
        key->truths[key->n++] = i;
    quick->used[i] = TRUE;
}

/* Step 7: the assignment to columns. */
static void assign_columns(Quick *quick)
{
    Match *match = quick->match;
    const guint *last = find_columns(quick);
    guint *first = NEW(match, guint, quick->n_pred), *column_of = NEW(match, guint, quick->n_gt);
    double *cost;
    guint n = 0;

    for (guint j = 0; j < quick->n_pred; j = last[j] + 1)
        first[n++] = j;
    cost = NEW(match, double, (gsize) quick->n_gt *n);
    for (guint k = 0; k < n; k++)
        for (guint i = 0; i < quick->n_gt; i++)
            cost[(gsize) i * n + k] =
                ned(match, gt_form(quick, i), joined(quick, first[k], last[first[k]]));
    tg_assignment_solve(cost, quick->n_gt, n, column_of);
    for (guint i = 0; i < quick->n_gt; i++)
        if (column_of[i] != TG_UNASSIGNED && cost[(gsize) i * n + column_of[i]] <= 0.7)
            add_truth(quick, key_of(quick, first[column_of[i]], last[first[column_of[i]]]), i);
}

/* Steps 8 and 9: texts inside of texts; the keys' edits. */
static void take_inner_texts(Quick *quick)
{
    Match *match = quick->match;
    gboolean *open = NEW(match, gboolean, quick->n_gt);

    for (guint i = 0; i < quick->n_gt; i++)
        open[i] = !quick->used[i] && !quick->truth->lines[quick->gt[i]].unit->is_formula;
    for (guint j = 0; j < quick->n_pred && !too_large(match); j++)
        for (guint i = 0; i < quick->n_gt; i++)
            if (open[i] && nearest(match, pred_form(quick, j), gt_form(quick, i)) < 0.4)
                add_truth(quick, key_of(quick, j, j), i);
    for (guint k = 0; k < quick->n_keys; k++) {
        Interval *key = &quick->keys[k];
        g_autoptr(GString) all = g_string_new(NULL);
        for (guint i = 0; i < key->n; i++)
            g_string_append(all, gt_form(quick, key->truths[i])->str);
        key->cost =
            ned(match, form_of(match, all->str),
                key->n == 1 ? joined(quick, key->first, key->last) : pred_form(quick, key->first));
    }
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

/* Numbers below @n that are not used, in the order in which CPython's set has them; how many. */
static guint unused_numbers(Match *match, const gboolean *used, guint n, guint *out)
{
    guint n_used = 0, size = 8, fill = 0, n_out = 0;
    guint *table = NEW(match, guint, size);

    for (guint i = 0; i < n; i++)
        n_used += used[i];
    for (guint i = 0; i < n; i++) {
        if (used[i])
            continue;
        if (n / 4 > n_used) { /* they stay in order */
            out[n_out++] = i;
            continue;
        }
        insert_number(table, size, i);
        if (++fill * 5 < (size - 1) * 3)
            continue;
        const guint *old = table, old_size = size;
        for (size = 8; size <= 4 * fill;)
            size *= 2;
        table = NEW(match, guint, size);
        for (guint k = 0; k < old_size; k++)
            if (old[k] != 0)
                insert_number(table, size, old[k] - 1);
    }
    for (guint k = 0; k < size; k++)
        if (table[k] != 0)
            out[n_out++] = table[k] - 1;
    return n_out;
}

/* Step 10: what is left over is paired, with edit 1. */
static void pair_rest(Quick *quick)
{
    Match *match = quick->match;
    gboolean *pred_used = NEW(match, gboolean, quick->n_pred);
    guint *rows = NEW(match, guint, quick->n_gt), *columns = NEW(match, guint, quick->n_pred);
    guint *column_of = NEW(match, guint, quick->n_gt);

    for (guint k = 0; k < quick->n_keys; k++)
        for (guint j = quick->keys[k].first; j <= quick->keys[k].last; j++)
            pred_used[j] = TRUE;
    const guint n_rows = unused_numbers(match, quick->used, quick->n_gt, rows);
    const guint n_columns = unused_numbers(match, pred_used, quick->n_pred, columns);
    double *cost = NEW(match, double, (gsize) n_rows *n_columns);
    for (guint i = 0; i < n_rows; i++)
        for (guint j = 0; j < n_columns; j++)
            cost[(gsize) i * n_columns + j] =
                ned(match, gt_form(quick, rows[i]), pred_form(quick, columns[j]));
    tg_assignment_solve(cost, n_rows, n_columns, column_of);
    for (guint i = 0; i < n_rows; i++)
        if (column_of[i] != TG_UNASSIGNED) {
            Interval *key = key_of(quick, columns[column_of[i]], columns[column_of[i]]);
            add_truth(quick, key, rows[i]);
            key->cost = 1;
        }
}

/* All rows of the lines, in the original's order; NULL: too large. */
static Row *quick_match(Match *match, const Side *truth, const Side *items, guint *n)
{
    const guint g = truth->n, p = items->n, zero = 0;

    *n = 0;
    if (too_many(match, g, p))
        return NULL;
    Row *out = NEW(match, Row, 2 * g + p);
    Quick quick = { .match = match,
                    .truth = truth,
                    .items = items,
                    .gt = NEW(match, guint, g),
                    .pred = NEW(match, guint, p),
                    .used = NEW(match, gboolean, g),
                    .keys = NEW(match, Interval, g + p) };
    if (g == 1 && p == 1) {
        out[(*n)++] = make_row(match, truth, &zero, 1, items, &zero, 1,
                               ned(match, truth->lines[0].form, items->lines[0].form), "");
        return out;
    }
    drop_silent(&quick);
    quick.cost = NEW(match, double, (gsize) quick.n_gt *quick.n_pred);
    for (guint i = 0; i < quick.n_gt; i++)
        for (guint j = 0; j < quick.n_pred; j++)
            quick.cost[(gsize) i * quick.n_pred + j] =
                ned(match, gt_form(&quick, i), pred_form(&quick, j));
    if (quick.n_gt > 0 && quick.n_pred > 0) {
        assign_columns(&quick);
        take_inner_texts(&quick);
        pair_rest(&quick);
    }
    for (guint k = 0; k < quick.n_keys; k++) {
        const Interval *key = &quick.keys[k];
        for (guint i = 0; i < key->n; i++)
            key->truths[i] = quick.gt[key->truths[i]];
        if (key->n > 0)
            out[(*n)++] =
                make_row(match, truth, key->truths, key->n, items, quick.pred + key->first,
                         key->last - key->first + 1, key->cost, "");
    }
    for (guint i = 0; i < quick.n_gt; i++)
        if (!quick.used[i])
            out[(*n)++] = make_row(match, truth, quick.gt + i, 1, items, NULL, 0, 1, "");
    return too_large(match) ? NULL : out;
}

/* ---- candidates ---- */

/* Whether a kind is that of formulas that were made of texts, pictures and cells. */
static gboolean is_rescue(const char *kind)
{
    return g_str_has_suffix(kind, "_formula") || g_str_has_suffix(kind, "formula_rescue");
}

/* Whether each line of the truth has one row of its own. */
static gboolean is_complete(Match *match, const Row *rows, guint n, const Side *truth)
{
    gboolean *seen = NEW(match, gboolean, truth->n);

    for (guint i = 0; i < n; i++) {
        const Row *row = &rows[i];
        if (row->n_gt != 1 || seen[row->gt_idx[0]] ||
            (row->pred_type[0] != '\0' && strcmp(row->pred_type, FORMULA) != 0 &&
             strcmp(row->pred_type, "equation_inline") != 0))
            return FALSE;
        seen[row->gt_idx[0]] = TRUE;
    }
    return n == match->truth->n;
}

/* The most frequent kind of a row's truths, the first of equals. */
static const char *truth_kind(const Side *truth, const Row *row)
{
    g_autoptr(GHashTable) counts = g_hash_table_new(g_str_hash, g_str_equal);
    const char *best = "";
    gsize most = 0;

    for (guint i = 0; i < row->n_gt; i++) {
        gpointer kind = (gpointer) truth->lines[row->gt_idx[i]].unit->kind;
        const gsize n = GPOINTER_TO_SIZE(g_hash_table_lookup(counts, kind));
        g_hash_table_insert(counts, kind, GSIZE_TO_POINTER(n + 1));
    }
    for (guint i = 0; i < row->n_gt; i++) {
        const char *kind = truth->lines[row->gt_idx[i]].unit->kind;
        const gsize n = GPOINTER_TO_SIZE(g_hash_table_lookup(counts, kind));
        best = n > most ? kind : best;
        most = MAX(most, n);
    }
    return best;
}

/* Candidate 1: the rows of formulas in the match of everything on the page. */
static void add_current(Match *match, const Side *truth, const Side *items)
{
    guint n_all, n = 0;
    Row *rows = quick_match(match, truth, items, &n_all);

    for (guint i = 0; rows != NULL && i < n_all; i++) {
        Row row = rows[i];
        if (strcmp(truth_kind(truth, &row), FORMULA) != 0)
            continue;
        if (is_rescue(row.pred_type)) { /* of another kind: they are compared as texts */
            g_autoptr(GString) gt = g_string_new(row.gt), pred = g_string_new(row.pred);
            tg_page_strip_delimiters(gt);
            tg_page_plain_inline(gt);
            tg_page_plain_inline(pred);
            row.gt = keep(match, gt->str);
            row.pred = keep(match, pred->str);
            row.gt_form = normalize(match, row.gt, FALSE);
            row.pred_form = normalize(match, row.pred, FALSE);
            row.match_edit = ned(match, row.gt_form, row.pred_form);
            row.pred_type = FORMULA;
        }
        rows[n++] = row;
    }
    if (rows != NULL && is_complete(match, rows, n, truth))
        add_candidate(match, "current_match", rows, n,
                      make_side(match, sort_units(match, match->pool, FALSE)), items, 0);
}

/* A row of a truth and neighbours, as all candidates but the first two make them. */
static Row compare_row(Match *match, const Side *items, guint gt, const guint *pred, guint n_pred)
{
    Row row = make_row(match, match->truth, &gt, 1, items, pred, n_pred, 1, " ");

    if (n_pred > 0)
        row.match_edit = ned(match, row.gt_form, row.pred_form);
    if (n_pred > 1)
        row.pred_type = FORMULA;
    return row;
}

/* Candidate 3: the assignment in which a truth or an item may stay alone. */
static Row *match_hungarian(Match *match, const Side *items)
{
    const guint g = match->truth->n, p = items->n, n = g + p;
    Row *rows = NEW(match, Row, g);
    g_autofree guint *column_of = g_new(guint, n + 1);

    match->work += (guint64) n * n * 100;
    if (too_many(match, n, n) || too_large(match))
        return NULL;
    g_autofree double *cost = g_new0(double, (gsize) n *n + 1);
    for (guint i = 0; i < n; i++)
        for (guint j = 0; j < (i < g ? n : p); j++)
            cost[(gsize) i * n + j] =
                i < g && j < p ? ned(match, match->truth->lines[i].form, items->lines[j].form) : 1;
    tg_assignment_solve(cost, n, n, column_of);
    for (guint i = 0; i < g; i++)
        rows[i] = compare_row(match, items, i, &column_of[i], column_of[i] < p ? 1 : 0);
    return rows;
}

#define MAX_RUN 12 /* items of a truth */

/* The best way to a truth and an item. */
typedef struct {
    double cost;
    guint32 wrong, length, n_inline;
    guint from;            /* where it came from: truth * stride + item */
    guint n;               /* items of the last truth, */
    guint8 items[MAX_RUN]; /* counted from where it came from */
    gboolean reached;
} Way;

typedef struct {
    Match *match;
    const Side *items;
    Way *ways;    /* [g + 1][stride] */
    Form **runs;  /* [stride][MAX_RUN]: neighbours joined, as far as they were asked for */
    guint stride; /* items + 1 */
    guint most, span, skips;
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

/* From a truth and an item on: all sequences of items that begin with it, depth first. Items go
 * together if they are of one source, or formulas without a gap. */
static void extend(Dp *dp, guint at, guint *places, guint n, guint skips, gboolean is_run,
                   gboolean is_one)
{
    Match *match = dp->match;
    const guint gt = at / dp->stride, first = places[0], last = places[n - 1];
    const TgPageUnit *units = unit_at(dp->items->units, 0);
    Form **run = &dp->runs[first * MAX_RUN + n - 1];
    Form *form = last - first == n - 1 ? *run : NULL;
    const Form *wanted = match->truth->lines[gt].form;
    Way way = dp->ways[at];

    if (form == NULL)
        form = join_forms(match, dp->items, places, n, " ");
    if (last - first == n - 1)
        *run = form;
    way.cost += ned(match, wanted, form);
    way.wrong += distance(match, wanted, form);
    way.length += longer(wanted, form);
    way.n_inline += n == 1 && is_inline(&units[first]);
    way.from = at;
    way.n = n;
    for (guint k = 0; k < n; k++)
        way.items[k] = (guint8) (places[k] - first);
    offer(&dp->ways[(gsize) (gt + 1) * dp->stride + last + 1], &way);
    for (guint next = last + 1; n < dp->most && !too_large(match) && next - last - 1 <= skips &&
                                next < MIN(dp->items->n, first + dp->span);
         next++) {
        const gboolean still_run =
            is_run && next == last + 1 && strcmp(units[next].kind, FORMULA) == 0;
        places[n] = next;
        const gboolean still_one = is_one && units[next].source == units[first].source;
        if (still_run || still_one)
            extend(dp, at, places, n + 1, skips - (next - last - 1), still_run, still_one);
    }
}

/* Candidate 4: truths in order, each with items that follow each other. */
static Row *match_dp(Match *match, const Side *items, gboolean gaps)
{
    const guint g = match->truth->n, p = items->n, apart = MAX(g, p) - MIN(g, p);
    const guint most = MIN(p, g > 1 && apart >= 2 ? MAX_RUN : 10);
    const guint skips = apart >= 3 ? 2 : apart >= 1 || p >= 4;
    Row *rows = NEW(match, Row, g);
    Dp dp = { match,           items, NULL, NULL, p + 1, most, gaps ? MIN(p, most + 2) : most,
              gaps ? skips : 0 };
    guint places[MAX_RUN];

    if (too_many(match, g + 1, p + 1))
        return NULL;
    g_autofree Way *ways = dp.ways = g_new0(Way, (gsize) (g + 1) * dp.stride);
    dp.runs = NEW(match, Form *, dp.stride * MAX_RUN);
    ways[0].reached = TRUE;
    for (guint at = 0; at < (g + 1) * dp.stride && !too_large(match); at++) {
        Way way = ways[at];
        if (!way.reached)
            continue;
        way.cost += 1;
        way.from = at;
        way.n = 0;
        places[0] = at % dp.stride;
        if (places[0] < p)
            offer(&ways[at + 1], &way);
        if (at / dp.stride < g)
            offer(&ways[at + dp.stride], &way);
        if (at / dp.stride < g && places[0] < p)
            extend(&dp, at, places, 1, dp.skips,
                   strcmp(unit_at(items->units, places[0])->kind, FORMULA) == 0, TRUE);
    }
    for (guint at = g * dp.stride + p; at > 0; at = ways[at].from) {
        const Way *way = &ways[at];
        const guint gt = way->from / dp.stride;
        for (guint k = 0; k < way->n; k++)
            places[k] = way->from % dp.stride + way->items[k];
        if (gt < at / dp.stride)
            rows[gt] = compare_row(match, items, gt, places, way->n);
    }
    return rows;
}

/* The units that stand for an item under a mask of cuts between its rows. */
static void append_parts(Match *match, GArray *out, const GArray *rows, guint mask)
{
    for (guint first = 0, last; first < rows->len; first = last + 1) {
        char *texts[8];
        TgPageUnit unit = *unit_at(rows, first);
        for (last = first; last + 1 < rows->len && (mask >> last & 1) == 0;)
            last++;
        for (guint k = first; k <= last; k++)
            texts[k - first] = (char *) unit_at(rows, k)->text;
        if (last > first) {
            g_autofree char *text =
                g_strdup_printf("\\[%s\\]", as_array(match, texts, last - first + 1));
            unit.text = keep(match, text);
            unit.kind = FORMULA;
            unit.end = unit_at(rows, last)->end;
        }
        g_array_append_val(out, unit);
    }
}

/* Candidate 5: all ways to put the rows of multi-line items together again. */
static void add_partitions(Match *match, const Side *whole, guint n_logic)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) parts = g_ptr_array_new();
    guint n_ways = 1;

    for (guint i = 0; i < whole->units->len; i++) {
        GArray *one = new_list(match, sizeof(TgPageUnit));
        g_array_append_val(one, *unit_at(whole->units, i));
        GArray *rows = split_units(match, one, FALSE);
        const gboolean cuts = rows->len >= 2 && rows->len <= 8;
        n_ways <<= cuts ? rows->len - 1 : 0;
        g_ptr_array_add(parts, cuts ? rows : one);
        if (n_ways > 128)
            return;
    }
    for (guint way = 0; way < n_ways && n_ways > 1; way++) {
        GArray *units = new_list(match, sizeof(TgPageUnit));
        g_autoptr(GString) key = g_string_new(NULL);
        guint options = n_ways;
        for (guint i = 0; i < parts->len; i++) {
            const GArray *rows = parts->pdata[i];
            options >>= rows->len - 1;
            append_parts(match, units, rows, way / options % (1u << (rows->len - 1)));
        }
        const Side *side = make_side(match, sort_units(match, units, FALSE));
        const Row *rows = match_hungarian(match, side);
        if (rows == NULL)
            return;
        for (guint i = 0; i < match->truth->n; i++)
            g_string_append_printf(key, "%d %.6f;",
                                   rows[i].n_pred > 0 ? (int) rows[i].pred_idx[0] : -1,
                                   rows[i].match_edit);
        if (g_hash_table_add(seen, g_strdup(key->str)))
            add_candidate(match, "split_hungarian", rows, match->truth->n, side, side, n_logic);
    }
}

/* Candidates 2 to 6 of a pool. */
static void add_pool(Match *match, const GArray *pool, guint n_logic)
{
    const Side *truth = match->truth;
    const Side *quick = make_side(match, sort_units(match, pool, TRUE));
    const Side *whole = make_side(match, sort_units(match, pool, FALSE));
    const Side *split = make_side(match, split_units(match, whole->units, FALSE));
    guint n;
    const Row *rows = quick_match(match, truth, quick, &n);

    if (rows != NULL && is_complete(match, rows, n, truth))
        add_candidate(match, "quick_unsplit", rows, n, whole, quick, n_logic);
    add_candidate(match, "hungarian_unsplit", match_hungarian(match, whole), truth->n, whole, whole,
                  n_logic);
    add_candidate(match, "dp_unsplit", match_dp(match, whole, FALSE), truth->n, whole, whole,
                  n_logic);
    add_partitions(match, whole, n_logic);
    for (guint gaps = 0; gaps < 2 && split->units->len > whole->units->len; gaps++)
        add_candidate(match, gaps ? "split_dp_allow_gaps" : "split_dp",
                      match_dp(match, split, gaps), truth->n, split, split, n_logic);
}

/* The last resort for a page that is too large: formulas in their order. */
static void add_in_order(Match *match)
{
    const Side *side = make_side(match, sort_units(match, match->pool, FALSE));
    Row *rows = NEW(match, Row, match->truth->n);

    match->work = 0;
    for (guint i = 0; i < match->truth->n; i++)
        rows[i] = compare_row(match, side, i, &i, i < side->n);
    match->work = 0;
    add_candidate(match, "in_order", rows, match->truth->n, side, side, 0);
}

static void add_candidates(Match *match, const GArray *truth, const GArray *items)
{
    GArray *formulas = new_list(match, sizeof(TgPageUnit));
    GArray *logic = new_list(match, sizeof(TgPageUnit));
    guint n_changed = 0;

    for (guint i = 0; i < truth->len; i++)
        if (unit_at(truth, i)->is_formula)
            g_array_append_val(formulas, *unit_at(truth, i));
    match->truth = make_side(match, split_units(match, formulas, TRUE));
    if (match->truth->n == 0)
        return;
    add_current(match, make_side(match, split_units(match, truth, TRUE)),
                make_side(match, split_units(match, sort_units(match, items, TRUE), FALSE)));
    add_pool(match, match->pool, 0);
    for (guint i = 0; i < match->pool->len; i++) {
        TgPageUnit unit = *unit_at(match->pool, i);
        g_autoptr(GString) text = g_string_new(unit.text);
        const gboolean changed = tg_page_logic_form(text);
        n_changed += changed;
        unit.text = changed ? keep(match, text->str) : unit.text;
        g_array_append_val(logic, unit);
    }
    if (n_changed > 0)
        add_pool(match, logic, n_changed);
    if (match->candidates->len == 0)
        add_in_order(match);
}

/* ---- the choice ---- */

#define N_KEYS 6

/* What is compared, one after the other: sum of edits, edits by characters, items without a row,
 * mean edit, changed items, rows without a prediction. */
static void score_candidate(Match *match, const Candidate *candidate, double keys[N_KEYS])
{
    g_autoptr(GHashTable) sources = g_hash_table_new(NULL, NULL);
    guint64 wrong = 0, length = 0;
    double sum = 0, unmatched = 0;

    for (guint i = 0; i < candidate->n; i++) {
        const Row *row = &candidate->rows[i];
        sum += row->match_edit;
        unmatched += row->n_pred == 0;
        if (row->n_pred == 0)
            continue;
        wrong += distance(match, row->gt_form, row->pred_form);
        length += longer(row->gt_form, row->pred_form);
        for (guint k = 0; k < row->n_pred; k++)
            if (row->pred_idx[k] < candidate->looked->units->len)
                g_hash_table_add(
                    sources,
                    GUINT_TO_POINTER(unit_at(candidate->looked->units, row->pred_idx[k])->source));
    }
    keys[0] = sum;
    keys[1] = length > 0 ? (double) wrong / (double) length : 0;
    keys[2] = MAX((double) match->pool->len - g_hash_table_size(sources), 0);
    keys[3] = sum / candidate->n;
    keys[4] = -(double) candidate->n_logic;
    keys[5] = unmatched;
}

static const Candidate *choose(Match *match)
{
    const Candidate *best = NULL;
    double least[N_KEYS] = { 0 }, keys[N_KEYS];

    for (guint i = 0; i < match->candidates->len; i++) {
        const Candidate *candidate = &g_array_index(match->candidates, Candidate, i);
        guint k = 0;
        score_candidate(match, candidate, keys);
        while (k < N_KEYS && fabs(keys[k] - least[k]) <= 1e-12)
            k++;
        if (best != NULL && (k == N_KEYS || keys[k] > least[k]))
            continue;
        best = candidate;
        memcpy(least, keys, sizeof keys);
    }
    return best;
}

/* ---- a page ---- */

/* The items of a page: all that are matched with the mixed truth, and the pool of formulas. */
static GArray *read_items(Match *match, const char *markdown, gsize len)
{
    g_autoptr(GArray) items = tg_page_items(markdown, len, &match->left_out);
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GArray *mixed = new_list(match, sizeof(TgPageUnit));

    for (guint i = 0; i < 2 * items->len; i++) { /* formulas, then what may be some */
        const TgPageItem *item = &g_array_index(items, TgPageItem, i % items->len);
        const gboolean formula = strcmp(item->category, FORMULA) == 0;
        const gboolean text = strcmp(item->category, "text_all") == 0;
        TgPageUnit unit = { .text = keep(match, item->content),
                            .kind = item->kind != NULL ? item->kind : item->category,
                            .is_formula = !text,
                            .start = item->start,
                            .end = item->end,
                            .source = G_MAXUINT,
                            .is_display = formula && item->kind == NULL };
        if (i < items->len ? formula : strcmp(item->category, "formula_rescue") == 0) {
            char *key =
                g_strdup_printf("%ld %ld %s %s", unit.start, unit.end, unit.kind, unit.text);
            gpointer place = g_hash_table_lookup(seen, key);
            TgPageUnit pooled = unit;
            unit.source = place != NULL ? GPOINTER_TO_UINT(place) - 1 : match->pool->len;
            pooled.source = unit.source;
            pooled.kind = is_rescue(unit.kind) ? FORMULA : unit.kind;
            if (place == NULL)
                g_array_append_val(match->pool, pooled);
            g_hash_table_insert(seen, key, GUINT_TO_POINTER(unit.source + 1));
        }
        if (i < items->len && (text || formula))
            g_array_append_val(mixed, unit);
    }
    return mixed;
}

/* The rows as they are scored: by their normal forms, or texts where these are empty. */
static void append_rows(TgPageMatch *out, Match *match, const Candidate *best)
{
    for (guint i = 0; best != NULL && i < best->n; i++) {
        Row row = best->rows[i];
        const Form *gt = row.gt_form->str[0] != '\0' ? row.gt_form : form_of(match, row.gt);
        const Form *pred = row.pred_form->str[0] != '\0' ? row.pred_form : form_of(match, row.pred);
        row.edits = distance(match, gt, pred);
        row.length = longer(gt, pred);
        g_array_append_val(out->rows, row);
    }
}

/* Displays that no row takes. */
static void find_extras(TgPageMatch *out, const Match *match, const Candidate *best)
{
    g_autofree gboolean *taken = g_new0(gboolean, match->pool->len + 1);
    GPtrArray *extras = g_ptr_array_new();

    for (guint i = 0; best != NULL && i < best->n; i++)
        for (guint k = 0; k < best->rows[i].n_pred; k++) {
            const guint source = best->own->lines[best->rows[i].pred_idx[k]].unit->source;
            taken[MIN(source, match->pool->len)] = TRUE;
        }
    for (guint i = 0; i < match->pool->len; i++) {
        const TgPageUnit *unit = unit_at(match->pool, i);
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
    Match *match = out->memory = g_new0(Match, 1);

    match->strings = g_string_chunk_new(4096);
    match->forms = g_hash_table_new(g_str_hash, g_str_equal);
    match->of_raw[0] = g_hash_table_new(g_str_hash, g_str_equal);
    match->of_raw[1] = g_hash_table_new(g_str_hash, g_str_equal);
    match->numbers = tg_pair_table_new();
    match->distances = tg_pair_table_new();
    match->windows = tg_pair_table_new();
    match->lists = g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref);
    match->pool = new_list(match, sizeof(TgPageUnit));
    match->candidates = new_list(match, sizeof(Candidate));
    out->rows = g_array_new(FALSE, TRUE, sizeof(TgPageRow));
    add_candidates(match, page->truth, read_items(match, markdown, len));
    const Candidate *best = choose(match);
    append_rows(out, match, best);
    find_extras(out, match, best);
    out->choice = best != NULL ? best->name : NULL;
    out->status = match->left_out ? TG_PAGE_TOO_LARGE : TG_PAGE_MATCHED;
    return out;
}

void tg_page_match_free(TgPageMatch *out)
{
    Match *match = out->memory;

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
    g_free(match);
    g_array_unref(out->rows);
    g_strfreev(out->extras);
    g_free(out);
}
