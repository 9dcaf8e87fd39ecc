/* OmniDocBench's matching of a page: quick match, candidates, choice. */
#include "datasets/documents/document.h"

#include <math.h>
#include <string.h>

#include "core/utf8.h"

#define FORMULA TG_PAGE_FORMULA

/* Bounds of a page: cells of a matrix of costs, and of all edit distances together. */
#define MAX_COSTS 1000000u
#define MAX_WORK  ((guint64) 20000000000)

typedef TgPageItem Item;
typedef TgPageRow Row;

typedef struct {
    Item **at;
    guint n;
} List;

/* A text in its normal form; equal ones are one. */
typedef struct TgPageForm {
    const char *str;
    TgSequence characters;
    guint32 id;
} Form;

#define N_KEYS 5 /* that candidates are compared by */

typedef struct {
    TgPageMatch out; /* what callers see of it, with the rows of the best candidate */
    TgArena arena, scratch;
    GHashTable *forms;    /* "=" and a normal form, or "t" or "f" and a text or formula -> Form */
    TgPairTable *numbers; /* of characters */
    TgPairTable *known;   /* distances of two forms, and those of nearest(), with 1 added */
    guint64 work;
    GArray *items; /* of the page */
    List *truth;   /* lines of formulas */
    List *pool;    /* what may be a formula */
    guint n_tried; /* candidates */
    guint n_logic; /* items of the pool in another form than they have */
    Row *draft;    /* rows of a candidate, */
    guint n_draft;
    double keys[N_KEYS]; /* of the best one */
} Match;

#define NEW(match, type, n)                                                                        \
    ((type *) tg_arena_zeros(&(match)->arena, ((gsize) (n) + 1) * sizeof(type)))

/* Whether the page is too large by now, or a matrix. */
static gboolean too_large(Match *match, guint64 rows, guint64 columns)
{
    const gboolean large = match->work > MAX_WORK || rows * columns > MAX_COSTS;

    match->out.is_cut |= large;
    return large;
}

/* ---- normal forms and how far they are apart ---- */

static char *keep(Match *match, const char *text)
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
static const Form *form_of(Match *match, char how, const char *text)
{
    g_autofree char *key = g_strconcat((char[]){ how, '\0' }, text, NULL);
    const Form *form = g_hash_table_lookup(match->forms, key);

    if (form != NULL)
        return form;
    if (how == '=') {
        Form *made = NEW(match, Form, 0);
        match->work += 50000 + 500 * strlen(text);
        made->str = keep(match, text);
        made->characters = tg_number_characters(&match->arena, text, match->numbers);
        made->id = g_hash_table_size(match->forms);
        form = made;
    } else {
        g_autoptr(GString) changed = g_string_new(text);
        (how == 'f' ? tg_page_formula_form : tg_page_text_form)(changed);
        form = form_of(match, '=', changed->str);
    }
    g_hash_table_insert(match->forms, g_steal_pointer(&key), (gpointer) form);
    return form;
}

static guint32 edits(Match *match, TgSequence a, TgSequence b)
{
    a.id_bound = b.id_bound = (guint32) tg_pair_table_size(match->numbers) + 1;
    match->work += (guint64) a.n * b.n + 5000;
    tg_arena_reset(&match->scratch);
    return too_large(match, 0, 0) ? MAX(a.n, b.n) : tg_levenshtein(&match->scratch, a, b);
}

static guint32 distance(Match *match, const Form *a, const Form *b)
{
    guint64 *known = tg_pair_table_at(match->known, tg_pair_key(a->id, b->id));
    const guint32 found =
        *known > 0 ? (guint32) (*known - 1) : edits(match, a->characters, b->characters);

    *known = too_large(match, 0, 0) ? 0 : (guint64) found + 1;
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
    guint32 least = bound + 1;
    for (guint32 at = 0;
         at + pattern.n <= whole->characters.n && least > 0 && !too_large(match, 0, 0);) {
        const TgSequence window = { whole->characters.ids + at, pattern.n, 0 };
        const guint32 found = edits(match, window, pattern);
        least = MIN(least, found);
        at += (found - least) / 2 + 1;
    }
    return least > bound ? 1 : (double) least / pattern.n;
}

/* ---- lists of items, and lines ---- */

/* An empty list, which has an address. */
static List *new_list(Match *match)
{
    List *list = NEW(match, List, 0);

    list->at = NEW(match, Item *, 0);
    return list;
}

/* Lists have room for as many items as the next power of two. */
static Item *add(Match *match, List *list, Item *item)
{
    if ((list->n & (list->n - 1)) == 0)
        list->at = tg_arena_regrow(&match->arena, list->at, list->n * sizeof item,
                                   MAX(2 * list->n, 1) * sizeof item);
    return list->at[list->n++] = item;
}

/* Add a copy, which may be changed. */
static Item *add_copy(Match *match, List *list, const Item *item)
{
    return add(match, list, memcpy(NEW(match, Item, 0), item, sizeof *item));
}

static gboolean is_formula(const Item *item)
{
    return strcmp(item->category, FORMULA) == 0;
}

static gboolean is_inline(const Item *item)
{
    return g_strcmp0(item->kind, "equation_inline") == 0;
}

/* The items with the rows of formulas of several one by one, as many as a page may have. */
static List *split_items(Match *match, const List *items)
{
    List *out = new_list(match);

    for (guint i = 0; i < items->n; i++) {
        const Item *item = items->at[i];
        g_auto(GStrv) rows = is_formula(item) ? tg_page_rows(item->content) : NULL;
        const guint n_rows = rows != NULL ? g_strv_length(rows) : 0;
        const gboolean fits = out->n + n_rows <= TG_PAGE_MAX_ITEMS;
        match->out.is_cut |= !fits;
        if (rows == NULL || !fits)
            add_copy(match, out, item)->n_rows = 1;
        for (guint k = 0; k < n_rows && fits; k++) {
            g_autofree char *text = g_strdup_printf("\\[%s\\]", rows[k]);
            Item *part = add_copy(match, out, item);
            part->content = keep(match, text);
            part->order += (k + 1) / 1000.0;
            part->start += k; /* in order; where in the formula decides nothing */
            part->end = part->start;
            part->n_rows = n_rows;
        }
    }
    return out;
}

static gint compare_items(gconstpointer a, gconstpointer b, gpointer quick)
{
    const Item *left = *(Item *const *) a, *right = *(Item *const *) b;
    const glong start = left->start - right->start, kind = is_inline(left) - is_inline(right);
    const glong by_start = start != 0 ? start : kind != 0 ? kind : left->end - right->end;
    const glong order = quick == NULL ? by_start : kind != 0 ? kind : start;

    return (order > 0) - (order < 0);
}

/* The items in the order of predictions; @quick: that of the quick match. */
static List *sort_items(Match *match, const List *items, gboolean quick)
{
    List *out = new_list(match);

    for (guint i = 0; i < items->n; i++)
        add(match, out, items->at[i]);
    g_qsort_with_data(out->at, (gint) out->n, sizeof *out->at, compare_items,
                      quick ? match : NULL); /* stable */
    return out;
}

/* The items that have a normal form. The original takes a line's number for an item's where it
 * looks up kinds, orders and, in @sources, sources. */
static List *make_lines(Match *match, const List *items, const List *sources)
{
    List *lines = new_list(match);

    for (guint i = 0; i < items->n; i++) {
        const Item *item = items->at[i], *taken = items->at[lines->n];
        const Form *form = form_of(match, is_formula(item) ? 'f' : 't', item->content);
        if (form->str[0] == '\0')
            continue;
        Item *line = add_copy(match, lines, item);
        line->place = lines->n - 1;
        line->form = form;
        line->kind = taken->kind != NULL ? taken->kind : taken->category;
        line->order = taken->order;
        line->taken_source = line->place < sources->n ? sources->at[line->place]->source : 0;
    }
    return lines;
}

static const Form *join_forms(Match *match, Item *const *lines, guint n, const char *separator)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < n; i++)
        g_string_append_printf(out, "%s%s", i > 0 ? separator : "", lines[i]->form->str);
    return n == 1 ? lines[0]->form : form_of(match, '=', out->str);
}

/* Formulas as the rows of one. */
static char *as_array(Match *match, Item *const *items, guint n)
{
    g_autoptr(GString) out = g_string_new(NULL);
    guint n_rows = 0;

    if (n == 1)
        return items[0]->content;
    for (guint i = 0; i < n; i++) {
        g_autoptr(GString) bare = g_string_new(items[i]->content);
        tg_rule_apply("bare", bare);
        if (bare->len > 0)
            g_string_append_printf(out, "%s%s", n_rows++ > 0 ? "} \\\\ {" : "", bare->str);
    }
    g_autofree char *array =
        g_strdup_printf("\\begin{array}{l} %s%s%s \\end{array}", n_rows > 1 ? "{" : "", out->str,
                        n_rows > 1 ? "}" : "");
    return keep(match, array);
}

/* The pairing of least cost: by row a column or TG_UNASSIGNED; NULL: there are too many pairs.
 * @alone: rows and columns that are left alone cost 1 */
static const guint *assign(Match *match, const List *rows, const List *columns, gboolean alone)
{
    const guint n = rows->n + (alone ? columns->n : 0);
    const guint m = columns->n + (alone ? rows->n : 0);
    guint *column_of = NEW(match, guint, n);

    match->work += (guint64) n * m * 100;
    if (too_large(match, n, m))
        return NULL;
    g_autofree double *cost = g_new0(double, (gsize) n *m + 1);
    for (guint k = 0; k < n * m; k++) {
        const guint i = k / m, j = k % m;
        cost[k] = i < rows->n && j < columns->n
                      ? ned(match, rows->at[i]->form, columns->at[j]->form)
                      : i < rows->n || j < columns->n;
    }
    tg_assignment_solve(cost, n, m, column_of);
    return column_of;
}

/* ---- candidates ---- */

/* Score a row by normal forms, or by the texts where these are empty. */
static void score_row(Match *match, Row *row, const Form *gt, const Form *pred)
{
    row->match_edit = ned(match, gt, pred);
    gt = gt->str[0] != '\0' ? gt : form_of(match, '=', row->gt);
    pred = pred->str[0] != '\0' ? pred : form_of(match, '=', row->pred);
    row->edits = distance(match, gt, pred);
    row->length = longer(gt, pred);
}

/* Draft a row of a truth and @n lines for it. */
static Row *add_row(Match *match, const Item *truth, Item *const *preds, guint n)
{
    Row *row = &match->draft[match->n_draft++];

    *row = (Row){ .gt = truth->content,
                  .pred = n > 0 ? as_array(match, preds, n) : "",
                  .gt_idx = (int) truth->place,
                  .preds = preds,
                  .n_pred = n,
                  .order = truth->order,
                  .pred_type = n > 0 ? preds[0]->kind : "" };
    score_row(match, row, truth->form, join_forms(match, preds, n, " "));
    return row;
}

/* Keep the drafted rows if they are better than the best so far, and begin a new draft. What is
 * compared, one after the other: sum of edits, edits by characters, items without a row, changed
 * items, rows without a prediction. */
static void consider(Match *match, const char *name)
{
    double keys[N_KEYS] = { 0, 0, match->pool->n, -(double) match->n_logic, 0 };
    double wrong = 0, length = 0;
    guint k = 0;

    match->n_tried++;
    for (const Row *row = match->draft; row < match->draft + match->n_draft; row++) {
        keys[0] += row->match_edit;
        keys[4] += row->n_pred == 0;
        wrong += row->n_pred > 0 ? row->edits : 0;
        length += row->n_pred > 0 ? row->length : 0;
        for (guint i = 0; i < row->n_pred; i++)
            if (row->preds[i]->taken_source > 0) {
                Item *source = match->pool->at[row->preds[i]->taken_source - 1];
                keys[2] -= source->number < match->n_tried;
                source->number = match->n_tried;
            }
    }
    keys[1] = length > 0 ? wrong / length : 0;
    while (k < N_KEYS && fabs(keys[k] - match->keys[k]) <= 1e-12)
        k++;
    if (name != NULL && match->n_draft == match->truth->n && !too_large(match, 0, 0) &&
        (match->out.choice == NULL || (k < N_KEYS && keys[k] < match->keys[k]))) {
        g_autofree char *whole_name =
            g_strconcat(match->n_logic > 0 ? "logic_norm_" : "", name, NULL);
        memcpy(match->keys, keys, sizeof keys);
        match->out.choice = keep(match, whole_name);
        match->out.rows = match->draft;
        match->out.n_rows = match->n_draft;
        match->draft = NEW(match, Row, match->truth->n);
    }
    match->n_draft = 0;
}

/* Candidate 3: the assignment. */
static void try_assignment(Match *match, const char *name, const List *items)
{
    const List *truth = match->truth;
    const guint *column_of = assign(match, truth, items, TRUE);

    for (guint i = 0; column_of != NULL && i < truth->n; i++)
        add_row(match, truth->at[i], items->at + MIN(column_of[i], items->n),
                column_of[i] < items->n);
    consider(match, name);
}

/* The best way to a truth and an item. */
typedef struct {
    double cost;
    guint32 wrong, length, n_inline; /* which decide where costs are equal */
    guint from;                      /* where it came from: truth * (items + 1) + item */
    guint mask; /* what the truth took, a bit for each item from there on; 0: nothing */
} Way;

static void offer(Way *ways, guint at, guint from, const Way *step)
{
    const Way *to = &ways[at], *start = &ways[from];
    const Way way = { start->cost + step->cost,
                      start->wrong + step->wrong,
                      start->length + step->length,
                      start->n_inline + step->n_inline,
                      from,
                      step->mask };
    const guint64 left = (guint64) way.wrong * to->length, right = (guint64) to->wrong * way.length;
    gboolean better = way.cost < to->cost - 1e-12;

    if (!better && way.cost <= to->cost + 1e-12)
        better = way.length > 0 && to->length > 0 && left != right ? left < right
                 : (way.length > 0) != (to->length > 0)            ? way.length > 0
                                                                   : way.n_inline < to->n_inline;
    if (better)
        ways[at] = way;
}

/* The items of a mask that begins with the first one. Returns how many they are; 0: they do not go
 * together, which those of one source do, and formulas without a gap. */
static guint pick_items(Item *const *from, guint mask, Item **picked)
{
    gboolean is_run = (mask & (mask + 1)) == 0, is_one = TRUE;
    guint n = 0;

    for (; mask != 0; mask >>= 1, from++)
        if ((mask & 1) != 0) {
            picked[n++] = *from;
            is_run = is_run && strcmp((*from)->kind, FORMULA) == 0;
            is_one = is_one && (*from)->taken_source == picked[0]->taken_source;
        }
    return is_run || is_one ? n : 0;
}

/* Candidate 4: truths in order, each with items that follow each other. */
static void try_dp(Match *match, const char *name, const List *items, gboolean gaps)
{
    const List *truth = match->truth;
    const guint g = truth->n, p = items->n, apart = MAX(g, p) - MIN(g, p), stride = p + 1;
    const guint most = g > 1 && apart >= 2 ? 12 : 10, span = gaps ? most + 2 : most;
    const guint skips = !gaps ? 0 : apart >= 3 ? 2 : apart >= 1 || p >= 4;
    const Way alone = { .cost = 1 };
    Item *picked[14];

    if (too_large(match, g + 1, stride))
        return;
    Way *ways = NEW(match, Way, (g + 1) * stride);
    for (guint at = 1; at < (g + 1) * stride; at++)
        ways[at].cost = INFINITY;
    for (guint j = 0; j <= p && !too_large(match, 0, 0); j++) {
        for (guint at = j; at < (g + 1) * stride; at += stride) { /* one is left alone */
            if (at >= stride)
                offer(ways, at, at - stride, &alone);
            if (j > 0)
                offer(ways, at, at - 1, &alone);
        }
        for (guint mask = 1; j < p && mask < 1u << MIN(span, p - j); mask += 2) {
            const guint length = g_bit_storage(mask), n = (guint) __builtin_popcount(mask);
            if (n > most || length - n > skips || pick_items(items->at + j, mask, picked) == 0)
                continue;
            const Form *form = join_forms(match, picked, n, " ");
            for (guint i = 0, at = j; i < g; i++, at += stride) {
                const Form *wanted = truth->at[i]->form;
                const Way step = { ned(match, wanted, form),
                                   distance(match, wanted, form),
                                   longer(wanted, form),
                                   n == 1 && is_inline(picked[0]),
                                   0,
                                   mask };
                offer(ways, at + stride + length, at, &step);
            }
        }
    }
    for (guint at = g * stride + p; at > 0; at = ways[at].from) {
        const guint i = ways[at].from / stride;
        Item **taken = NEW(match, Item *, span);
        const guint n = pick_items(items->at + ways[at].from % stride, ways[at].mask, taken);
        if (i == at / stride)
            continue;
        match->n_draft = i;
        Row *row = add_row(match, truth->at[i], taken, n);
        row->pred_type = n > 1 ? FORMULA : row->pred_type;
    }
    match->n_draft = g;
    consider(match, name);
}

/* ---- candidates 1 and 2: the quick match ---- */

/* What it knows of a line: close to one of the other side; in a run with its neighbours; taken, or
 * silent; taken by a formula that has no other. Those before TAKEN are free. */
enum { FREE, CLOSE, MERGED, TAKEN, ALONE };

/* Lines that are free, with their numbers. @as_set: in the order in which a set of CPython has
 * these: a table that, when it is three fifths full, becomes larger and takes over what it has */
static List *free_lines(Match *match, const List *lines, gboolean as_set)
{
    List *out = new_list(match);

    for (guint i = 0; i < lines->n; i++)
        if (lines->at[i]->state < TAKEN)
            add(match, out, lines->at[i])->number = i;
    if (!as_set || lines->n / 4 > lines->n - out->n) /* the set is made in another way: they rise */
        return out;
    for (guint size = 8, n = 0; n < out->n || 5 * n >= 3 * (size / 4 - 1); size *= 4) {
        Item **table = NEW(match, Item *, size);
        n = MIN(out->n, (3 * size + 1) / 5);
        for (guint i = 0; i < n; i++) {
            guint rest = out->at[i]->number, slot = rest % size, k = 0;
            while (table[slot + k] != NULL)
                if (++k > (slot + 9 < size ? 9 : 0)) {
                    rest /= 32;
                    slot = (5 * slot + 1 + rest) % size;
                    k = 0;
                }
            table[slot + k] = out->at[i];
        }
        for (guint slot = 0, i = 0; slot < size; slot++)
            if (table[slot] != NULL)
                out->at[i++] = table[slot];
    }
    return out;
}

/* Neighbouring items for a truth, and how far apart they are. */
typedef struct {
    guint first, n;
    double edit;
} Run;

static gint compare_runs(gconstpointer a, gconstpointer b)
{
    const Run *left = a, *right = b;

    return (left->edit > right->edit) - (left->edit < right->edit);
}

/* Steps 5 and 6: for each truth without a close item the best run of items; of those that share
 * items the closest. Returns runs as lines. */
static List *merge_items(Match *match, const List *gt, const List *pred)
{
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(Run));
    List *columns = new_list(match);

    for (guint i = 0; i < gt->n; i++) {
        const Form *wanted = gt->at[i]->form;
        Run best = { .edit = 2 };
        for (guint j = 0; j < pred->n && gt->at[i]->state != CLOSE && !too_large(match, 0, 0);
             j++) {
            Item *const *line = pred->at + j;
            Run run = { j, 1, ned(match, wanted, line[0]->form) };
            for (gboolean fits = line[0]->state != CLOSE;
                 fits && run.n < 160 && j + run.n < pred->n && line[run.n]->state != CLOSE;) {
                const Form *next = join_forms(match, line, run.n + 1, " ");
                const double edit = ned(match, wanted, next);
                if (edit > run.edit ||
                    (run.n == 1 && nearest(match, wanted, line[0]->form) > 0.6) ||
                    nearest(match, wanted, line[run.n]->form) >= 0.6)
                    break;
                run.edit = edit;
                run.n++;
                fits = next->characters.n <= wanted->characters.n;
            }
            best = line[0]->state != CLOSE && run.edit < best.edit ? run : best;
        }
        if (best.n > 0)
            g_array_append_val(found, best);
    }
    g_array_sort(found, compare_runs); /* stable */
    for (guint i = 0; i < found->len; i++) {
        const Run *run = &g_array_index(found, Run, i);
        Item *const *line = pred->at + run->first;
        gboolean is_free = TRUE;
        for (guint k = 0; k < run->n; k++)
            is_free = is_free && line[k]->state != MERGED;
        for (guint k = 0; k < run->n && is_free; k++)
            line[k]->state = MERGED;
        line[0]->n_more = is_free ? run->n - 1 : line[0]->n_more;
    }
    for (guint j = 0; j < pred->n; j++) {
        Item *column = add_copy(match, columns, pred->at[j]);
        column->form = join_forms(match, pred->at + j, column->n_more + 1, " ");
        column->number = j;
        j += column->n_more;
    }
    return columns;
}

/* Let a truth take lines, a formula in a row unless they are text. */
static void take_lines(Match *match, Item *truth, Item *const *preds, guint n, gboolean is_left)
{
    truth->state = TAKEN;
    for (guint k = 0; k < n; k++)
        preds[k]->state = is_formula(truth) && n == 1 ? ALONE : TAKEN;
    if (!is_formula(truth))
        return;
    Row *row = add_row(match, truth, preds, n);
    const double edit = is_left ? 1 : row->match_edit;
    score_row(match, row, truth->form, join_forms(match, preds, n, "")); /* without spaces */
    row->match_edit = edit;
    if (strstr(row->pred_type, "_formula") != NULL) { /* of another kind: compared as texts */
        g_autoptr(GString) left = g_string_new(row->gt), right = g_string_new(row->pred);
        tg_rule_apply("bare", left);
        tg_page_plain_inline(left);
        tg_page_plain_inline(right);
        row->gt = keep(match, left->str);
        row->pred = keep(match, right->str);
        score_row(match, row, form_of(match, 't', row->gt), form_of(match, 't', row->pred));
        row->pred_type = FORMULA;
    } else if (n > 0 && strcmp(row->pred_type, FORMULA) != 0 && !is_inline(preds[0])) {
        match->n_draft--;
    }
}

/* Rows in the original's order, if each formula has one of its own. */
static void try_quick(Match *match, const char *name, const List *truth, const List *items)
{
    const double limit = truth->n == 1 && items->n == 1 ? 1 : 0.7;
    gboolean good = TRUE;

    if (too_large(match, truth->n, items->n))
        return;
    for (guint i = 0; i < truth->n; i++)
        truth->at[i]->state = truth->at[i]->is_silent ? TAKEN : FREE;
    for (guint k = 0; k < 2 * truth->n; k++) { /* steps 3 and 4: silent ones first */
        Item *line = truth->at[k % truth->n];
        for (guint j = 0; j < items->n && line->is_silent == (k < truth->n); j++)
            if (items->at[j]->state < TAKEN && ned(match, line->form, items->at[j]->form) < 0.25)
                items->at[j]->state = line->state = MAX(line->state, CLOSE);
    }
    const List *gt = free_lines(match, truth, FALSE), *pred = free_lines(match, items, FALSE);
    const List *columns = merge_items(match, gt, pred);
    const guint *column_of = assign(match, gt, columns, FALSE);
    for (guint i = 0; column_of != NULL && i < gt->n; i++) { /* step 7 */
        const Item *column = column_of[i] < columns->n ? columns->at[column_of[i]] : NULL;
        if (column != NULL && ned(match, gt->at[i]->form, column->form) <= limit)
            take_lines(match, gt->at[i], pred->at + column->number, column->n_more + 1, FALSE);
    }
    for (guint i = 0; i < gt->n; i++) { /* step 8: texts inside of texts */
        Item *line = gt->at[i];
        const gboolean open = line->state < TAKEN && !is_formula(line);
        for (guint j = 0; j < pred->n && open; j++)
            if (nearest(match, pred->at[j]->form, line->form) < 0.4) {
                good = good && (line->state == TAKEN || pred->at[j]->state != ALONE);
                pred->at[j]->state = line->state = TAKEN;
            }
    }
    const List *left = free_lines(match, gt, TRUE), *right = free_lines(match, pred, TRUE);
    column_of = good && column_of != NULL ? assign(match, left, right, FALSE) : NULL;
    for (guint i = 0; column_of != NULL && i < left->n; i++) /* step 10: with edit 1 */
        if (column_of[i] != TG_UNASSIGNED)
            take_lines(match, left->at[i], right->at + column_of[i], 1, TRUE);
    for (guint i = 0; column_of != NULL && i < gt->n; i++)
        if (gt->at[i]->state < TAKEN)
            take_lines(match, gt->at[i], NULL, 0, FALSE);
    consider(match, column_of != NULL ? name : NULL);
}

/* ---- all candidates ---- */

/* Add the rows of an item, joined but where a mask has cuts. */
static void add_joined(Match *match, List *list, Item *const *rows, guint cuts)
{
    for (guint first = 0, n; first < rows[0]->n_rows; first += n) {
        Item *item = add_copy(match, list, rows[first]);
        for (n = 1; first + n < rows[0]->n_rows && (cuts >> (first + n - 1) & 1) == 0; n++)
            item->end = rows[first + n]->end;
        if (n == 1)
            continue;
        g_autofree char *text = g_strdup_printf("\\[%s\\]", as_array(match, rows + first, n));
        item->content = keep(match, text);
        item->kind = FORMULA;
    }
}

/* Candidate 5: all ways to put the rows of multi-line items together again; those of more than 8
 * stay whole. */
static void try_partitions(Match *match, const List *pool, const List *split)
{
    guint n_cuts = 0;

    for (guint i = 0; i < split->n; i += split->at[i]->n_rows)
        n_cuts += split->at[i]->n_rows <= 8 ? split->at[i]->n_rows - 1 : 0;
    for (guint way = 0; n_cuts > 0 && n_cuts <= 7 && way < 1u << n_cuts; way++) {
        List *list = new_list(match);
        guint left = n_cuts;
        for (guint i = 0; i < split->n; i += split->at[i]->n_rows) {
            const Item *row = split->at[i];
            left -= row->n_rows <= 8 ? row->n_rows - 1 : 0;
            if (row->n_rows <= 8)
                add_joined(match, list, split->at + i, way >> left);
            else
                add(match, list, pool->at[row->source - 1]);
        }
        list = sort_items(match, list, FALSE);
        try_assignment(match, "split_hungarian", make_lines(match, list, list));
    }
}

/* Candidates 2 to 6 of a pool. */
static void try_pool(Match *match, const List *pool)
{
    const List *whole = sort_items(match, pool, FALSE), *quick = sort_items(match, pool, TRUE);
    const List *split = split_items(match, whole), *lines = make_lines(match, whole, whole);

    try_quick(match, "quick_unsplit", match->truth, make_lines(match, quick, whole));
    try_assignment(match, "hungarian_unsplit", lines);
    try_dp(match, "dp_unsplit", lines, FALSE);
    try_partitions(match, pool, split);
    if (split->n == whole->n)
        return;
    lines = make_lines(match, split, split);
    try_dp(match, "split_dp", lines, FALSE);
    try_dp(match, "split_dp_allow_gaps", lines, TRUE);
}

/* All candidates; for a page that is too large formulas in their order. */
static void try_all(Match *match, const GArray *truth, const List *items)
{
    List *mixed = new_list(match), *formulas = new_list(match), *logic = new_list(match);
    const List *whole = sort_items(match, match->pool, FALSE);

    for (guint i = 0; i < truth->len; i++) {
        Item *item = add_copy(match, mixed, &g_array_index(truth, Item, i));
        if (is_formula(item))
            add(match, formulas, item);
    }
    mixed = split_items(match, mixed);
    formulas = split_items(match, formulas);
    match->truth = make_lines(match, formulas, formulas);
    match->draft = NEW(match, Row, match->truth->n);
    if (match->truth->n == 0)
        return;
    items = split_items(match, sort_items(match, items, TRUE));
    try_quick(match, "current_match", make_lines(match, mixed, mixed),
              make_lines(match, items, whole));
    try_pool(match, match->pool);
    for (guint i = 0; i < match->pool->n; i++) {
        Item *item = add_copy(match, logic, match->pool->at[i]);
        g_autoptr(GString) text = g_string_new(item->content);
        if (tg_page_logic_form(text)) {
            item->content = keep(match, text->str);
            match->n_logic++;
        }
    }
    if (match->n_logic > 0)
        try_pool(match, logic);
    if (match->out.choice != NULL)
        return;
    whole = make_lines(match, whole, whole);
    match->work = match->n_logic = 0;
    for (guint i = 0; i < match->truth->n; i++)
        add_row(match, match->truth->at[i], whole->at + MIN(i, whole->n), i < whole->n);
    match->work = 0;
    consider(match, "in_order");
}

/* ---- a page ---- */

/* The items of a page that are matched with the mixed truth; fills the pool of formulas. */
static List *read_items(Match *match, const char *markdown, gsize len)
{
    List *mixed = new_list(match), *pool = match->pool;

    match->items = tg_page_items(markdown, len, &match->out.is_cut);
    for (guint i = 0; i < 2 * match->items->len; i++) { /* formulas, then what may be some */
        Item *item = &g_array_index(match->items, Item, i % match->items->len);
        const gboolean first = i < match->items->len;
        if (first ? is_formula(item) : strcmp(item->category, "formula_rescue") == 0) {
            const Item *last = pool->n > 0 ? pool->at[pool->n - 1] : item;
            Item *pooled = add_copy(match, pool, item);
            pooled->category = FORMULA;
            if (item->kind != NULL && strstr(item->kind, "_formula") != NULL)
                pooled->kind = FORMULA;
            if (last != item && last->start == item->start && last->end == item->end &&
                strcmp(last->content, item->content) == 0) /* of a table that was found twice */
                pool->n--;
            item->source = pooled->source = pool->n;
        }
        if (first && (is_formula(item) || strcmp(item->category, "text_all") == 0))
            add(match, mixed, item);
    }
    return mixed;
}

TgPageMatch *tg_page_match(const TgPage *page, const char *markdown, gsize len)
{
    Match *match = g_new0(Match, 1);

    match->forms = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    match->numbers = tg_pair_table_new();
    match->known = tg_pair_table_new();
    match->pool = new_list(match);
    match->out.extras = g_ptr_array_new();
    try_all(match, page->truth, read_items(match, markdown, len));
    for (guint i = 0; i < match->out.n_rows; i++)
        for (guint k = 0; k < match->out.rows[i].n_pred; k++) {
            const guint source = match->out.rows[i].preds[k]->source;
            if (source > 0)
                match->pool->at[source - 1]->state = TAKEN;
        }
    for (guint i = 0; i < match->pool->n; i++) /* displays have no kind */
        if (match->pool->at[i]->kind == NULL && match->pool->at[i]->state != TAKEN)
            g_ptr_array_add(match->out.extras, match->pool->at[i]->content);
    return &match->out;
}

void tg_page_match_free(TgPageMatch *out)
{
    Match *match = (Match *) out;

    g_hash_table_unref(match->forms);
    tg_pair_table_free(match->numbers);
    tg_pair_table_free(match->known);
    g_array_unref(match->items); /* with their contents */
    g_ptr_array_unref(match->out.extras);
    tg_arena_clear(&match->arena);
    tg_arena_clear(&match->scratch);
    g_free(match);
}
