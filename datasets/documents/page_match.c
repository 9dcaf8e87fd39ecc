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
    guint32 id;
} Form;

/* Units, and lines of those that have a normal form. A line's place is taken for a unit's where
 * kinds, orders and sources are looked up, as in the original. */
typedef struct {
    const GArray *units; /* TgPageUnit */
    const TgPageUnit **lines;
    Form **forms;
    guint *places; /* of the lines, in the side that they were taken from */
    guint n;
} Side;

typedef TgPageRow Row;

#define N_KEYS 5 /* that candidates are compared by */

typedef struct TgPageMemory {
    TgArena arena, scratch;
    GHashTable *forms;    /* "=" and a normal form, or "t" or "f" and a text or formula -> Form */
    TgPairTable *numbers; /* of characters */
    TgPairTable *known;   /* distances of two forms, and those of nearest(), with 1 added */
    guint64 work;
    gboolean left_out;  /* a candidate, as there was too much work */
    GPtrArray *lists;   /* GArray: freed at the end */
    GArray *pool;       /* TgPageUnit: what may be a formula */
    const Side *truth;  /* formulas */
    const char *choice; /* the best candidate: its name, a row for each line of the truth, */
    const Row *rows;
    const Side *own; /* and what their places mean */
    double keys[N_KEYS];
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

static GArray *new_list(Match *match)
{
    GArray *list = g_array_new(FALSE, TRUE, sizeof(TgPageUnit));

    g_ptr_array_add(match->lists, list);
    return list;
}

static const char *keep(Match *match, const char *text)
{
    return memcpy(NEW(match, char, strlen(text)), text, strlen(text) + 1);
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

/* @how: '=' for a normal form, 't' for a text that has to become one, 'f' for such a formula. */
static Form *form_of(Match *match, char how, const char *text)
{
    g_autofree char *key = g_strconcat((char[]){ how, '\0' }, text, NULL);
    Form *form = g_hash_table_lookup(match->forms, key);

    if (form != NULL)
        return form;
    if (how == '=') {
        match->work += 50000 + 500 * strlen(text);
        form = NEW(match, Form, 0);
        form->str = keep(match, text);
        form->characters = tg_number_characters(&match->arena, text, match->numbers);
        form->id = g_hash_table_size(match->forms);
    } else {
        g_autoptr(GString) changed = g_string_new(text);
        (how == 'f' ? tg_page_formula_form : tg_page_text_form)(changed);
        form = form_of(match, '=', changed->str);
    }
    g_hash_table_insert(match->forms, g_steal_pointer(&key), form);
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
    guint64 *known = tg_pair_table_at(match->known, tg_pair_key(a->id, b->id));
    const guint32 found =
        *known > 0 ? (guint32) (*known - 1) : edits(match, a->characters, b->characters);

    *known = too_large(match) ? 0 : (guint64) found + 1;
    return found;
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
    const guint32 bound = (guint32) (0.6 * pattern.n);

    if (pattern.n == 0 || pattern.n > whole->characters.n)
        return 1;
    guint64 *known = tg_pair_table_at(match->known, tg_pair_key(whole->id, ~part->id));
    if (*known == 0) {
        guint32 least = bound + 1;
        for (guint32 at = 0;
             at + pattern.n <= whole->characters.n && least > 0 && !too_large(match);) {
            const TgSequence window = { whole->characters.ids + at, pattern.n, 0 };
            const guint32 found = edits(match, window, pattern);
            least = MIN(least, found);
            at += (found - least) / 2 + 1;
        }
        *known = (guint64) least + 1;
    }
    return *known - 1 > bound ? 1 : (double) (*known - 1) / pattern.n;
}

/* The pairing of least cost: by row a column or TG_UNASSIGNED; NULL: there are too many pairs.
 * @alone: rows and columns that are left alone cost 1 */
static const guint *assign(Match *match, Form *const *rows, guint n_rows, Form *const *columns,
                           guint n_columns, gboolean alone)
{
    const guint n = n_rows + (alone ? n_columns : 0), m = n_columns + (alone ? n_rows : 0);
    guint *column_of = NEW(match, guint, n);

    match->work += (guint64) n * m * 100;
    if (too_many(match, n, m) || too_large(match))
        return NULL;
    g_autofree double *cost = g_new0(double, (gsize) n *m + 1);
    for (guint i = 0; i < n; i++)
        for (guint j = 0; j < (i < n_rows ? m : n_columns); j++)
            cost[(gsize) i * m + j] =
                i < n_rows && j < n_columns ? ned(match, rows[i], columns[j]) : 1;
    tg_assignment_solve(cost, n, m, column_of);
    return column_of;
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

static Side *new_side(Match *match, const GArray *units, guint room)
{
    Side *side = NEW(match, Side, 0);

    *side = (Side){ units, NEW(match, const TgPageUnit *, room), NEW(match, Form *, room),
                    NEW(match, guint, room), 0 };
    return side;
}

static void add_line(Side *side, const TgPageUnit *unit, Form *form, guint place)
{
    side->lines[side->n] = unit;
    side->forms[side->n] = form;
    side->places[side->n++] = place;
}

static Side *make_side(Match *match, const GArray *units)
{
    Side *side = new_side(match, units, units->len);

    for (guint i = 0; i < units->len; i++) {
        const TgPageUnit *unit = unit_at(units, i);
        Form *form = form_of(match, unit->is_formula ? 'f' : 't', unit->text);
        if (form->str[0] != '\0')
            add_line(side, unit, form, side->n);
    }
    return side;
}

/* The units with the rows of multi-line formulas one by one. */
static GArray *split_units(Match *match, const GArray *units, gboolean is_truth)
{
    GArray *out = new_list(match);

    for (guint i = 0; i < units->len; i++) {
        TgPageUnit part = *unit_at(units, i);
        g_autoptr(GArray) rows = part.is_formula ? tg_page_rows(part.text) : NULL;
        if (rows == NULL)
            g_array_append_val(out, part);
        for (guint k = 0; rows != NULL && k < rows->len; k++) {
            const TgPageLine *row = &g_array_index(rows, TgPageLine, k);
            g_autofree char *text = g_strdup_printf("\\[%s\\]", row->text);
            part = *unit_at(units, i);
            part.text = keep(match, text);
            part.order += is_truth ? (k + 1) / 1000.0 : 0;
            part.end = part.start + row->end;
            part.start += row->start;
            g_array_append_val(out, part);
        }
    }
    return out;
}

static gint compare_units(gconstpointer a, gconstpointer b, gpointer quick)
{
    const TgPageUnit *left = a, *right = b;
    const glong start = left->start - right->start, kind = is_inline(left) - is_inline(right);
    const glong keys[2][3] = { { start, kind, left->end - right->end }, { kind, start, 0 } };
    const glong *key = keys[quick != NULL];
    const glong first = key[0] != 0 ? key[0] : key[1] != 0 ? key[1] : key[2];

    return (first > 0) - (first < 0);
}

/* The units in the order of predictions; @quick: that of the quick match. */
static GArray *sort_units(Match *match, const GArray *units, gboolean quick)
{
    GArray *out = new_list(match);

    g_array_append_vals(out, units->data, units->len);
    g_array_sort_with_data(out, compare_units, quick ? match : NULL); /* stable */
    return out;
}

static Form *join_forms(Match *match, Form *const *forms, guint n, const char *separator)
{
    g_autoptr(GString) out = g_string_new(forms[0]->str);

    if (n == 1)
        return forms[0];
    for (guint i = 1; i < n; i++)
        g_string_append_printf(out, "%s%s", separator, forms[i]->str);
    return form_of(match, '=', out->str);
}

/* Formulas as the rows of one. */
static const char *as_array(Match *match, const GPtrArray *texts)
{
    g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(g_free);

    if (texts->len == 1)
        return texts->pdata[0];
    for (guint i = 0; i < texts->len; i++) {
        g_autoptr(GString) bare = g_string_new(texts->pdata[i]);
        tg_page_strip_delimiters(bare);
        if (bare->len > 0)
            g_ptr_array_add(rows, g_strdup(bare->str));
    }
    const gboolean several = rows->len > 1;
    g_ptr_array_add(rows, NULL);
    g_autofree char *body = g_strjoinv("} \\\\ {", (char **) rows->pdata);
    g_autofree char *array = g_strdup_printf("\\begin{array}{l} %s%s%s \\end{array}",
                                             several ? "{" : "", body, several ? "}" : "");
    return keep(match, array);
}

/* A row of a truth and its predictions, whose forms are joined with @separator. */
static Row make_row(Match *match, const Side *truth, guint place, const Side *items,
                    const guint *pred, guint n, const char *separator)
{
    Row row = { .gt = truth->lines[place]->text,
                .pred = "",
                .gt_idx = (int) place,
                .pred_idx = memcpy(NEW(match, guint, n), pred, n * sizeof *pred),
                .n_pred = n,
                .order = unit_at(truth->units, place)->order,
                .pred_type = "",
                .match_edit = 1,
                .gt_form = truth->forms[place],
                .pred_form = form_of(match, '=', "") };
    g_autoptr(GPtrArray) texts = g_ptr_array_new();
    g_autofree Form **forms = g_new(Form *, n + 1);

    for (guint i = 0; i < n; i++) {
        g_ptr_array_add(texts, (gpointer) items->lines[pred[i]]->text);
        forms[i] = items->forms[pred[i]];
    }
    if (n > 0) {
        row.pred = as_array(match, texts);
        row.pred_form = join_forms(match, forms, n, separator);
        row.pred_type = unit_at(items->units, pred[0])->kind;
        row.match_edit = ned(match, row.gt_form, row.pred_form);
    }
    return row;
}

/* Keep a candidate that is better than the best so far. What is compared, one after the other: sum
 * of edits, edits by characters, items without a row, changed items, rows without a prediction.
 * @looked: where the original looks the sources up; @own: what the places mean. */
static void consider(Match *match, const char *name, guint n_logic, const Row *rows,
                     const Side *looked, const Side *own)
{
    g_autoptr(GHashTable) sources = g_hash_table_new(NULL, NULL);
    guint64 wrong = 0, length = 0;
    double sum = 0, unmatched = 0;
    guint k = 0;

    if (rows == NULL || too_large(match))
        return;
    for (const Row *row = rows; row < rows + match->truth->n; row++) {
        sum += row->match_edit;
        unmatched += row->n_pred == 0;
        wrong += row->n_pred > 0 ? distance(match, row->gt_form, row->pred_form) : 0;
        length += row->n_pred > 0 ? longer(row->gt_form, row->pred_form) : 0;
        for (guint i = 0; i < row->n_pred; i++)
            if (row->pred_idx[i] < looked->units->len) {
                const guint source = unit_at(looked->units, row->pred_idx[i])->source;
                g_hash_table_add(sources, GUINT_TO_POINTER(source));
            }
    }
    const double keys[N_KEYS] = { sum, length > 0 ? (double) wrong / (double) length : 0,
                                  MAX((double) match->pool->len - g_hash_table_size(sources), 0),
                                  -(double) n_logic, unmatched };
    while (k < N_KEYS && fabs(keys[k] - match->keys[k]) <= 1e-12)
        k++;
    if (match->rows != NULL && (k == N_KEYS || keys[k] > match->keys[k]))
        return;
    g_autofree char *whole_name = g_strconcat(n_logic > 0 ? "logic_norm_" : "", name, NULL);
    memcpy(match->keys, keys, sizeof keys);
    match->choice = keep(match, whole_name);
    match->rows = rows;
    match->own = own;
}

/* ---- the quick match ---- */

/* A truth and neighbouring items for it, and how far apart they are. */
typedef struct {
    guint truth, first, n;
    double edit;
} Run;

static gint compare_runs(gconstpointer a, gconstpointer b)
{
    const Run *left = a, *right = b;

    return (left->edit > right->edit) - (left->edit < right->edit);
}

/* Steps 5 and 6: for each truth without a close item the best run of items; of those that share
 * items the closest. @length: (out) by item that of the run that begins with it. */
static void merge_items(Match *match, const Side *gt, const Side *pred, guint *length)
{
    gboolean *masked = NEW(match, gboolean, pred->n), *done = NEW(match, gboolean, gt->n);
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(Run));

    for (guint i = 0; i < gt->n; i++)
        for (guint j = 0; j < pred->n; j++)
            if (ned(match, gt->forms[i], pred->forms[j]) < 0.25)
                done[i] = masked[j] = TRUE;
    for (guint i = 0; i < gt->n; i++) {
        const Form *wanted = gt->forms[i];
        Run best = { .edit = 2 };
        for (guint j = 0; j < pred->n && !done[i] && !too_large(match); j++) {
            Run run = { i, j, 1, ned(match, wanted, pred->forms[j]) };
            for (gboolean fits = !masked[j];
                 fits && run.n < 160 && j + run.n < pred->n && !masked[j + run.n];) {
                const Form *next = join_forms(match, pred->forms + j, run.n + 1, " ");
                const double edit = ned(match, wanted, next);
                if (edit > run.edit ||
                    (run.n == 1 && nearest(match, wanted, pred->forms[j]) > 0.6) ||
                    nearest(match, wanted, pred->forms[j + run.n]) >= 0.6)
                    break;
                run.edit = edit;
                run.n++;
                fits = next->characters.n <= wanted->characters.n;
            }
            best = !masked[j] && run.edit < best.edit ? run : best;
        }
        if (best.n > 0)
            g_array_append_val(found, best);
    }
    for (guint j = 0; j < pred->n; j++)
        length[j] = 1;
    g_array_sort(found, compare_runs); /* stable */
    memset(masked, 0, pred->n * sizeof *masked);
    for (guint i = 0; i < found->len; i++) {
        const Run *run = &g_array_index(found, Run, i);
        gboolean is_free = TRUE;
        for (guint k = 0; k < run->n; k++)
            is_free = is_free && !masked[run->first + k];
        length[run->first] = is_free ? run->n : length[run->first];
        for (guint k = 0; k < run->n && is_free; k++)
            masked[run->first + k] = TRUE;
    }
}

static void insert_number(guint *table, guint size, guint number)
{
    for (guint slot = number % size, rest = number / 32;;
         slot = (5 * slot + 1 + rest) % size, rest /= 32)
        for (guint k = slot; k <= slot + (slot + 9 < size ? 9 : 0); k++)
            if (table[k] == 0) {
                table[k] = number + 1;
                return;
            }
}

/* Lines that are not used, in the order in which a set of CPython has their numbers. */
static Side *unused_lines(Match *match, const Side *from, const gboolean *used)
{
    Side *rest = new_side(match, NULL, from->n);
    guint size = 8, n = 0, n_used = 0;

    for (guint i = 0; i < from->n; i++)
        n_used += used[i];
    while (from->n / 4 > n_used && size <= from->n) /* it is made in another way: they rise */
        size *= 2;
    guint *table = NEW(match, guint, size);
    for (guint i = 0; i < from->n; i++) {
        const guint *old = table, old_size = size;
        if (used[i])
            continue;
        insert_number(table, size, i);
        if (5 * ++n < 3 * (size - 1))
            continue;
        while (size <= 4 * n)
            size *= 2;
        table = NEW(match, guint, size);
        for (guint k = 0; k < old_size; k++)
            if (old[k] != 0)
                insert_number(table, size, old[k] - 1);
    }
    for (guint k = 0; k < size; k++)
        if (table[k] != 0)
            add_line(rest, NULL, from->forms[table[k] - 1], table[k] - 1);
    return rest;
}

/* A run for each truth, in the original's order; FALSE: there are too many, or a formula has its
 * item with a text. */
static gboolean find_runs(Match *match, const Side *gt, const Side *pred, double limit, Run *runs)
{
    guint *length = NEW(match, guint, pred->n), n = 0;
    gboolean *done = NEW(match, gboolean, gt->n), *used = NEW(match, gboolean, pred->n);
    gboolean *shared = NEW(match, gboolean, pred->n);
    Side *columns = new_side(match, NULL, pred->n);

    merge_items(match, gt, pred, length);
    for (guint j = 0; j < pred->n; j += length[j])
        add_line(columns, NULL, join_forms(match, pred->forms + j, length[j], " "), j);
    const guint *column_of = assign(match, gt->forms, gt->n, columns->forms, columns->n, FALSE);
    for (guint i = 0; column_of != NULL && i < gt->n; i++) { /* step 7 */
        const guint k = MIN(column_of[i], columns->n), j = columns->places[k];
        const double edit = k < columns->n ? ned(match, gt->forms[i], columns->forms[k]) : 2;
        if (edit > limit)
            continue;
        runs[n++] = (Run){ i, j, length[j], edit };
        done[i] = TRUE;
        for (guint m = 0; m < length[j]; m++)
            used[j + m] = TRUE;
    }
    for (guint i = 0; i < gt->n; i++) /* step 8: texts inside of texts */
        for (guint j = 0, open = !done[i] && !gt->lines[i]->is_formula; j < pred->n && open; j++)
            if (nearest(match, pred->forms[j], gt->forms[i]) < 0.4) {
                shared[j] |= !done[i];
                done[i] = used[j] = TRUE;
            }
    for (guint r = 0; r < n; r++)
        if (gt->lines[runs[r].truth]->is_formula && runs[r].n == 1 && shared[runs[r].first])
            return FALSE;
    const Side *left = unused_lines(match, gt, done), *right = unused_lines(match, pred, used);
    column_of = column_of != NULL
                    ? assign(match, left->forms, left->n, right->forms, right->n, FALSE)
                    : NULL;
    for (guint i = 0; column_of != NULL && i < left->n; i++) /* step 10: with edit 1 */
        if (column_of[i] != TG_UNASSIGNED) {
            runs[n++] = (Run){ left->places[i], right->places[column_of[i]], 1, 1 };
            done[left->places[i]] = TRUE;
        }
    for (guint i = 0; i < gt->n; i++)
        if (!done[i])
            runs[n++] = (Run){ i, 0, 0, 1 };
    return column_of != NULL;
}

/* Whether a kind is that of formulas that were made of texts, pictures and cells. */
static gboolean is_rescue(const char *kind)
{
    return g_str_has_suffix(kind, "_formula") || g_str_has_suffix(kind, "formula_rescue");
}

/* The rows of the truth's formulas, in the original's order; NULL: there are too many, or not each
 * formula has a row of its own. */
static const Row *quick_match(Match *match, const Side *truth, const Side *items)
{
    const double limit = truth->n == 1 && items->n == 1 ? 1 : 0.7;
    Side *gt = new_side(match, NULL, truth->n), *pred = new_side(match, NULL, items->n);
    Run *runs = NEW(match, Run, truth->n);
    Row *rows = NEW(match, Row, truth->n);
    guint n = 0;

    if (too_many(match, truth->n, items->n))
        return NULL;
    for (guint i = 0; i < truth->n; i++)
        if (!truth->lines[i]->is_silent)
            add_line(gt, truth->lines[i], truth->forms[i], i);
    for (guint j = 0; j < items->n; j++) { /* step 3 */
        gboolean silent = FALSE;
        for (guint i = 0; i < truth->n && !silent; i++)
            silent =
                truth->lines[i]->is_silent && ned(match, truth->forms[i], items->forms[j]) < 0.25;
        if (!silent)
            add_line(pred, items->lines[j], items->forms[j], j);
    }
    if (!find_runs(match, gt, pred, limit, runs))
        return NULL;
    for (guint r = 0; r < gt->n; r++) {
        const Run *run = &runs[r];
        if (strcmp(gt->lines[run->truth]->kind, FORMULA) != 0)
            continue;
        Row *row = &rows[n++];
        *row = make_row(match, truth, gt->places[run->truth], items, pred->places + run->first,
                        run->n, "");
        row->match_edit = run->edit;
        if (is_rescue(row->pred_type)) { /* of another kind: they are compared as texts */
            g_autoptr(GString) left = g_string_new(row->gt), right = g_string_new(row->pred);
            tg_page_strip_delimiters(left);
            tg_page_plain_inline(left);
            tg_page_plain_inline(right);
            row->gt = keep(match, left->str);
            row->pred = keep(match, right->str);
            row->gt_form = form_of(match, 't', row->gt);
            row->pred_form = form_of(match, 't', row->pred);
            row->match_edit = ned(match, row->gt_form, row->pred_form);
            row->pred_type = FORMULA;
        }
        if (run->n > 0 && strcmp(row->pred_type, FORMULA) != 0 &&
            strcmp(row->pred_type, "equation_inline") != 0)
            return NULL;
    }
    return n == match->truth->n ? rows : NULL;
}

/* ---- candidates ---- */

/* Candidate 3: the assignment. */
static const Row *match_hungarian(Match *match, const Side *items)
{
    const Side *truth = match->truth;
    Row *rows = NEW(match, Row, truth->n);
    const guint *column_of = assign(match, truth->forms, truth->n, items->forms, items->n, TRUE);

    for (guint i = 0; column_of != NULL && i < truth->n; i++)
        rows[i] = make_row(match, truth, i, items, &column_of[i], column_of[i] < items->n, " ");
    return column_of != NULL ? rows : NULL;
}

#define MAX_RUN 12 /* items of a truth */

/* Items that a truth may take together. */
typedef struct {
    const guint *places;
    guint n;
    Form *form;
} Sequence;

/* The best way to a truth and an item. */
typedef struct {
    double cost;
    guint32 wrong, length, n_inline;
    guint from;               /* where it came from: truth * (items + 1) + item */
    const Sequence *sequence; /* what the truth took; NULL: nothing, or no truth was passed */
    gboolean reached;
} Way;

typedef struct {
    Match *match;
    const Side *items;
    GPtrArray *sequences;
    guint most, span;
    guint places[MAX_RUN];
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

/* All sequences that begin with the first @n places, depth first. Items go together if they are of
 * one source, or formulas without a gap. */
static void add_sequences(Dp *dp, guint n, guint skips)
{
    const TgPageUnit *units = unit_at(dp->items->units, 0);
    guint *places = dp->places;
    const guint last = places[n - 1], end = MIN(dp->items->n, places[0] + dp->span);
    Sequence *sequence = NEW(dp->match, Sequence, 0);
    Form *forms[MAX_RUN];
    gboolean is_run = TRUE, is_one = TRUE;

    for (guint k = 0; k < n; k++) {
        forms[k] = dp->items->forms[places[k]];
        is_run &= places[k] == places[0] + k && strcmp(units[places[k]].kind, FORMULA) == 0;
        is_one &= units[places[k]].source == units[places[0]].source;
    }
    if ((!is_run && !is_one) || too_large(dp->match))
        return;
    *sequence = (Sequence){ memcpy(NEW(dp->match, guint, n), places, n * sizeof *places), n,
                            join_forms(dp->match, forms, n, " ") };
    g_ptr_array_add(dp->sequences, sequence);
    for (guint next = last + 1; n < dp->most && next <= last + 1 + skips && next < end; next++) {
        places[n] = next;
        add_sequences(dp, n + 1, skips - (next - last - 1));
    }
}

/* Candidate 4: truths in order, each with items that follow each other. */
static const Row *match_dp(Match *match, const Side *items, gboolean gaps)
{
    const Side *truth = match->truth;
    const guint g = truth->n, p = items->n, apart = MAX(g, p) - MIN(g, p), stride = p + 1;
    const guint most = MIN(p, g > 1 && apart >= 2 ? MAX_RUN : 10);
    const guint skips = !gaps ? 0 : apart >= 3 ? 2 : apart >= 1 || p >= 4;
    g_autoptr(GPtrArray) sequences = g_ptr_array_new();
    Dp dp = { match, items, sequences, most, gaps ? most + 2 : most, { 0 } };
    Row *rows = NEW(match, Row, g);

    if (too_many(match, g + 1, stride))
        return NULL;
    guint *first = NEW(match, guint, stride);
    for (guint j = 0; j < p; j++) {
        first[j] = sequences->len;
        dp.places[0] = j;
        add_sequences(&dp, 1, skips);
    }
    first[p] = first[p + 1] = sequences->len;
    g_autofree Way *ways = g_new0(Way, (gsize) (g + 1) * stride);
    ways[0].reached = TRUE;
    for (guint at = 0; at < (g + 1) * stride && !too_large(match); at++) {
        const guint i = at / stride, j = at % stride;
        Way way = ways[at];
        way.cost += 1;
        way.from = at;
        way.sequence = NULL;
        if (j < p)
            offer(&ways[at + 1], &way);
        if (i < g)
            offer(&ways[at + stride], &way);
        for (guint k = first[j]; i < g && k < first[j + 1]; k++) {
            const Sequence *sequence = way.sequence = sequences->pdata[k];
            const Form *wanted = truth->forms[i], *form = sequence->form;
            way.cost = ways[at].cost + ned(match, wanted, form);
            way.wrong = ways[at].wrong + distance(match, wanted, form);
            way.length = ways[at].length + longer(wanted, form);
            way.n_inline =
                ways[at].n_inline + (sequence->n == 1 && is_inline(unit_at(items->units, j)));
            offer(&ways[(gsize) (i + 1) * stride + sequence->places[sequence->n - 1] + 1], &way);
        }
    }
    for (guint at = g * stride + p; at > 0; at = ways[at].from) {
        const guint i = ways[at].from / stride;
        const Sequence none = { .places = &i },
                       *taken = ways[at].sequence != NULL ? ways[at].sequence : &none;
        if (i == at / stride)
            continue;
        rows[i] = make_row(match, truth, i, items, taken->places, taken->n, " ");
        rows[i].pred_type = taken->n > 1 ? FORMULA : rows[i].pred_type;
    }
    return rows;
}

/* The units that stand for an item under a mask of cuts between its rows. */
static void append_parts(Match *match, GArray *out, const GArray *rows, guint mask)
{
    for (guint first = 0, last; first < rows->len; first = last + 1) {
        g_autoptr(GPtrArray) texts = g_ptr_array_new();
        TgPageUnit unit = *unit_at(rows, first);
        for (last = first;; last++) {
            g_ptr_array_add(texts, (gpointer) unit_at(rows, last)->text);
            if (last + 1 == rows->len || (mask >> last & 1) != 0)
                break;
        }
        if (last > first) {
            g_autofree char *text = g_strdup_printf("\\[%s\\]", as_array(match, texts));
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
    g_autoptr(GPtrArray) parts = g_ptr_array_new();
    guint n_ways = 1;

    for (guint i = 0; i < whole->units->len; i++) {
        GArray *one = new_list(match);
        g_array_append_val(one, *unit_at(whole->units, i));
        GArray *rows = split_units(match, one, FALSE);
        const gboolean cuts = rows->len >= 2 && rows->len <= 8;
        n_ways <<= cuts ? rows->len - 1 : 0;
        g_ptr_array_add(parts, cuts ? rows : one);
        if (n_ways > 128)
            return;
    }
    for (guint way = 0; way < n_ways && n_ways > 1 && !too_large(match); way++) {
        GArray *units = new_list(match);
        guint options = n_ways;
        for (guint i = 0; i < parts->len; i++) {
            const GArray *rows = parts->pdata[i];
            options >>= rows->len - 1;
            append_parts(match, units, rows, way / options % (1u << (rows->len - 1)));
        }
        const Side *side = make_side(match, sort_units(match, units, FALSE));
        consider(match, "split_hungarian", n_logic, match_hungarian(match, side), side, side);
    }
}

/* Candidates 2 to 6 of a pool. */
static void add_pool(Match *match, const GArray *pool, guint n_logic)
{
    const Side *quick = make_side(match, sort_units(match, pool, TRUE));
    const Side *whole = make_side(match, sort_units(match, pool, FALSE));
    const Side *split = make_side(match, split_units(match, whole->units, FALSE));

    consider(match, "quick_unsplit", n_logic, quick_match(match, match->truth, quick), whole,
             quick);
    consider(match, "hungarian_unsplit", n_logic, match_hungarian(match, whole), whole, whole);
    consider(match, "dp_unsplit", n_logic, match_dp(match, whole, FALSE), whole, whole);
    add_partitions(match, whole, n_logic);
    for (guint gaps = 0; gaps < 2 && split->units->len > whole->units->len; gaps++)
        consider(match, gaps ? "split_dp_allow_gaps" : "split_dp", n_logic,
                 match_dp(match, split, gaps), split, split);
}

/* All candidates; for a page that is too large formulas in their order. */
static void add_candidates(Match *match, const GArray *truth, const GArray *items)
{
    GArray *formulas = new_list(match), *logic = new_list(match);
    guint n_changed = 0;

    for (guint i = 0; i < truth->len; i++)
        if (unit_at(truth, i)->is_formula)
            g_array_append_val(formulas, *unit_at(truth, i));
    match->truth = make_side(match, split_units(match, formulas, TRUE));
    if (match->truth->n == 0)
        return;
    const Side *mixed = make_side(match, split_units(match, truth, TRUE));
    const Side *all = make_side(match, split_units(match, sort_units(match, items, TRUE), FALSE));
    const Side *whole = make_side(match, sort_units(match, match->pool, FALSE));
    consider(match, "current_match", 0, quick_match(match, mixed, all), whole, all);
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
    if (match->rows != NULL)
        return;
    Row *rows = NEW(match, Row, match->truth->n);
    match->work = 0;
    for (guint i = 0; i < match->truth->n; i++)
        rows[i] = make_row(match, match->truth, i, whole, &i, i < whole->n, " ");
    match->work = 0;
    consider(match, "in_order", 0, rows, whole, whole);
}

/* ---- a page ---- */

/* The items of a page: all that are matched with the mixed truth, and the pool of formulas. */
static GArray *read_items(Match *match, const char *markdown, gsize len)
{
    g_autoptr(GArray) items = tg_page_items(markdown, len, &match->left_out);
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GArray *mixed = new_list(match);

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

/* Displays that no row takes. */
static void find_extras(TgPageMatch *out, const Match *match)
{
    g_autofree gboolean *taken = g_new0(gboolean, match->pool->len + 1);
    GPtrArray *extras = g_ptr_array_new();

    for (guint i = 0; i < out->rows->len; i++) {
        const Row *row = &g_array_index(out->rows, Row, i);
        for (guint k = 0; k < row->n_pred; k++) {
            const guint source = match->own->lines[row->pred_idx[k]]->source;
            taken[MIN(source, match->pool->len)] = TRUE;
        }
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

    match->forms = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    match->numbers = tg_pair_table_new();
    match->known = tg_pair_table_new();
    match->lists = g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref);
    match->pool = new_list(match);
    out->rows = g_array_new(FALSE, TRUE, sizeof(Row));
    add_candidates(match, page->truth, read_items(match, markdown, len));
    for (guint i = 0; match->rows != NULL && i < match->truth->n; i++) {
        Row row = match->rows[i];
        /* Scored are the normal forms, or the texts where these are empty. */
        const Form *gt = row.gt_form->str[0] != '\0' ? row.gt_form : form_of(match, '=', row.gt);
        const Form *pred =
            row.pred_form->str[0] != '\0' ? row.pred_form : form_of(match, '=', row.pred);
        row.edits = distance(match, gt, pred);
        row.length = longer(gt, pred);
        g_array_append_val(out->rows, row);
    }
    find_extras(out, match);
    out->choice = match->choice;
    out->status = match->left_out ? TG_PAGE_TOO_LARGE : TG_PAGE_MATCHED;
    return out;
}

void tg_page_match_free(TgPageMatch *out)
{
    Match *match = out->memory;

    g_hash_table_unref(match->forms);
    tg_pair_table_free(match->numbers);
    tg_pair_table_free(match->known);
    g_ptr_array_unref(match->lists);
    tg_arena_clear(&match->arena);
    tg_arena_clear(&match->scratch);
    g_free(match);
    g_array_unref(out->rows);
    g_strfreev(out->extras);
    g_free(out);
}
