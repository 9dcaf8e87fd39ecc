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

/* Items, with room for as many as the next power of two. */
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

/* How far two forms are apart: the edit distance, also by the longer length. */
typedef struct {
    double cost;
    guint32 wrong, length;
} Gap;

#define N_KEYS 5 /* that candidates are compared by */

typedef struct {
    TgPageMatch out; /* what callers see of it, with the rows of the best candidate */
    TgArena arena, scratch;
    GPtrArray *strings;
    GHashTable *forms;    /* "=" and a normal form, or "t" or "f" and a text or formula -> Form */
    TgPairTable *numbers; /* of characters */
    TgPairTable *known;   /* distances of two forms, with 1 added */
    guint64 work;
    GArray *items; /* of the page */
    List truth;    /* lines of formulas */
    List pool;     /* what may be a formula, in the order of predictions */
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

/* Takes @text. */
static char *keep(Match *match, char *text)
{
    g_ptr_array_add(match->strings, text);
    return text;
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
    char *key = g_strconcat((char[]){ how, '\0' }, text, NULL);
    const Form *form = g_hash_table_lookup(match->forms, key);

    if (form == NULL && how == '=') {
        Form *made = NEW(match, Form, 0);
        match->work += 50000 + 500 * strlen(text);
        made->str = key + 1;
        made->characters = tg_number_characters(&match->arena, text, match->numbers);
        made->id = g_hash_table_size(match->forms);
        form = made;
    } else if (form == NULL) {
        g_autoptr(GString) changed = g_string_new(text);
        tg_rule_apply(how == 'f' ? "formula" : "text", changed);
        form = form_of(match, '=', changed->str);
    }
    g_hash_table_insert(match->forms, key, (gpointer) form); /* unless it is there: frees @key */
    return form;
}

static guint32 edits(Match *match, TgSequence a, TgSequence b)
{
    a.id_bound = b.id_bound = (guint32) tg_pair_table_size(match->numbers) + 1;
    match->work += (guint64) a.n * b.n + 5000;
    tg_arena_reset(&match->scratch);
    return too_large(match, 0, 0) ? MAX(a.n, b.n) : tg_levenshtein(&match->scratch, a, b);
}

static Gap compare(Match *match, const Form *a, const Form *b)
{
    const guint32 length = MAX(a->characters.n, b->characters.n);
    guint64 *known = tg_pair_table_at(match->known, tg_pair_key(a->id, b->id));

    if (*known == 0)
        *known = (guint64) edits(match, a->characters, b->characters) + 1;
    const guint32 wrong = (guint32) (*known - 1);
    return (Gap){ length > 0 ? (double) wrong / length : 0.0, wrong, length };
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

/* Add a copy, which may be changed. */
static Item *add(Match *match, List *list, const Item *item)
{
    if ((list->n & (list->n - 1)) == 0)
        list->at = tg_arena_regrow(&match->arena, list->at, list->n * sizeof item,
                                   MAX(2 * list->n, 1) * sizeof item);
    return list->at[list->n++] = memcpy(NEW(match, Item, 0), item, sizeof *item);
}

static gboolean is_formula(const Item *item)
{
    return strcmp(item->category, FORMULA) == 0;
}

static gboolean is_inline(const Item *item)
{
    return g_strcmp0(item->kind, "equation_inline") == 0;
}

/* The order of predictions; @quick: that of the quick match. */
static gint compare_items(gconstpointer a, gconstpointer b, gpointer quick)
{
    const Item *left = *(Item *const *) a, *right = *(Item *const *) b;
    const glong start = left->start - right->start, kind = is_inline(left) - is_inline(right);
    const glong end = left->end - right->end, place = (glong) left->place - right->place;
    const glong same_start = quick != NULL ? place : kind != 0 ? kind : end;
    const glong order = quick != NULL && kind != 0 ? kind : start != 0 ? start : same_start;

    return (order > 0) - (order < 0);
}

/* Formulas as the rows of one. */
static char *as_array(Match *match, Item *const *items, guint n)
{
    g_autoptr(GString) out = g_string_new(NULL);
    guint n_rows = 0;

    if (n == 1)
        return items[0]->content;
    for (guint i = 0; i < n; i++) {
        g_autoptr(GString) bare = tg_rule_made("bare", items[i]->content);
        if (bare->len > 0)
            g_string_append_printf(out, "%s%s", n_rows++ > 0 ? "} \\\\ {" : "", bare->str);
    }
    return keep(match, g_strdup_printf("\\begin{array}{l} %s%s%s \\end{array}",
                                       n_rows > 1 ? "{" : "", out->str, n_rows > 1 ? "}" : ""));
}

/* The rows of an item, if it is a formula of several. */
static void find_rows(Match *match, Item *item)
{
    g_auto(GStrv) rows = tg_rule_split("rows", is_formula(item) ? item->content : "");
    const guint n = g_strv_length(rows);
    List list = { 0 };

    for (guint k = 0; k < n && n > 1; k++) {
        Item *row = add(match, &list, item);
        row->content = keep(match, g_strdup_printf("\\[%s\\]", rows[k]));
        row->order += (k + 1) / 1000.0;
    }
    item->rows = list.at;
    item->n_rows = MAX(list.n, 1);
}

/* Ways to split formulas of several rows, besides those of partitions. */
#define WHOLE 0
#define ROWS  G_MAXUINT

/* Formulas of more rows stay whole in partitions. */
#define MAX_PARTITION 8

/*
 * Lines: the items, with formulas split, that have a normal form. The original takes a line's
 * number for an item's where it looks up kinds, orders and sources.
 *
 * @way: WHOLE, ROWS, or bits below a leading one that say after which rows there is a cut
 * @quick: in the order of the quick match, and with sources of the pool
 */
static List prepare(Match *match, List items, guint way, gboolean quick)
{
    const gsize size = items.n * sizeof *items.at;
    List parts = { 0 }, lines = { 0 };
    guint left = g_bit_storage(way) - 1;

    items.at = tg_arena_regrow(&match->arena, items.at, size, size);
    if (quick)
        g_qsort_with_data(items.at, (gint) items.n, sizeof *items.at, compare_items, match);
    for (guint i = 0; i < items.n; i++) {
        Item *item = items.at[i];
        if (item->n_rows == 0)
            find_rows(match, item);
        const guint n_rows = item->n_rows;
        const gboolean fits = parts.n + n_rows <= TG_PAGE_MAX_ITEMS;
        match->out.is_cut |= !fits;
        if (n_rows == 1 || way == WHOLE || (way != ROWS && n_rows > MAX_PARTITION) || !fits) {
            add(match, &parts, item);
            continue;
        }
        left -= n_rows - 1;
        for (guint first = 0, n; first < n_rows; first += n) {
            Item *part = add(match, &parts, item->rows[first]);
            for (n = 1; way != ROWS && first + n < n_rows; n++)
                if ((way >> (left + first + n - 1) & 1) != 0)
                    break;
            if (n > 1) {
                const char *array = as_array(match, item->rows + first, n);
                part->content = keep(match, g_strdup_printf("\\[%s\\]", array));
                part->kind = FORMULA;
            }
        }
    }
    const List sources = quick ? match->pool : parts;
    for (guint i = 0; i < parts.n; i++) {
        const Item *item = parts.at[i], *taken = parts.at[lines.n];
        const Form *form = form_of(match, is_formula(item) ? 'f' : 't', item->content);
        if (form->str[0] == '\0')
            continue;
        Item *line = add(match, &lines, item);
        line->place = lines.n - 1;
        line->form = form;
        line->kind = taken->kind != NULL ? taken->kind : taken->category;
        line->order = taken->order;
        line->taken_source = line->place < sources.n ? sources.at[line->place]->source : 0;
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

/* The pairing of least cost: by row a column or TG_UNASSIGNED, as all are where there are too many
 * pairs. @alone: rows and columns that are left alone cost 1 */
static const guint *assign(Match *match, List rows, List columns, gboolean alone)
{
    const guint n = rows.n + (alone ? columns.n : 0), m = columns.n + (alone ? rows.n : 0);
    guint *column_of = memset(NEW(match, guint, n), 0xff, n * sizeof *column_of);

    match->work += (guint64) n * m * 100;
    if (too_large(match, n, m))
        return column_of;
    g_autofree double *cost = g_new0(double, (gsize) n *m + 1);
    for (guint k = 0; k < n * m; k++) {
        const guint i = k / m, j = k % m;
        cost[k] = i < rows.n && j < columns.n
                      ? compare(match, rows.at[i]->form, columns.at[j]->form).cost
                      : i < rows.n || j < columns.n;
    }
    tg_assignment_solve(cost, n, m, column_of);
    return column_of;
}

/* ---- candidates ---- */

/* Draft a row of a truth and @n lines for it. In the quick match its score is that of the lines
 * joined without spaces, and its kind that of the first. */
static Row *add_row(Match *match, const Item *truth, Item *const *preds, guint n, gboolean quick)
{
    const Gap gap = compare(match, truth->form, join_forms(match, preds, n, " "));
    const Gap score = compare(match, truth->form, join_forms(match, preds, n, quick ? "" : " "));
    Row *row = &match->draft[match->n_draft++];

    *row = (Row){ .gt = truth->content,
                  .pred = n > 0 ? as_array(match, preds, n) : "",
                  .gt_idx = (int) truth->place,
                  .preds = preds,
                  .n_pred = n,
                  .order = truth->order,
                  .pred_type = n == 0            ? ""
                               : n > 1 && !quick ? FORMULA
                                                 : preds[0]->kind,
                  .match_edit = gap.cost,
                  .edits = score.wrong,
                  .length = score.length };
    return row;
}

/* Keep the drafted rows if they are the first or better than the best so far, and begin a new
 * draft. What is compared, one after the other: sum of edits, edits by characters, items without a
 * row, changed items, rows without a prediction. */
static void consider(Match *match, const char *name)
{
    double keys[N_KEYS] = { 0, 0, match->pool.n, -(double) match->n_logic, 0 };
    double wrong = 0, length = 0;
    g_autofree gboolean *seen = g_new0(gboolean, match->pool.n + 1); /* sources; 0 is none */
    guint k = 0;

    seen[0] = TRUE;
    for (const Row *row = match->draft; row < match->draft + match->n_draft; row++) {
        keys[0] += row->match_edit;
        keys[4] += row->n_pred == 0;
        wrong += row->n_pred > 0 ? row->edits : 0;
        length += row->n_pred > 0 ? row->length : 0;
        for (guint i = 0; i < row->n_pred; i++) {
            keys[2] -= !seen[row->preds[i]->taken_source];
            seen[row->preds[i]->taken_source] = TRUE;
        }
    }
    keys[1] = length > 0 ? wrong / length : 0;
    while (k < N_KEYS && fabs(keys[k] - match->keys[k]) <= 1e-12)
        k++;
    if (match->n_draft == match->truth.n &&
        (match->out.choice == NULL ||
         (!too_large(match, 0, 0) && k < N_KEYS && keys[k] < match->keys[k]))) {
        memcpy(match->keys, keys, sizeof keys);
        match->out.choice =
            keep(match, g_strconcat(match->n_logic > 0 ? "logic_norm_" : "", name, NULL));
        match->out.rows = match->draft;
        match->out.n_rows = match->n_draft;
        match->draft = NEW(match, Row, match->truth.n);
    }
    match->n_draft = 0;
}

/* Candidate 3: the assignment; or @column_of NULL: truths and items in their order. */
static void try_assignment(Match *match, const char *name, List items, const guint *column_of)
{
    for (guint i = 0; i < match->truth.n; i++) {
        const guint j = column_of != NULL ? column_of[i] : i;
        add_row(match, match->truth.at[i], j < items.n ? items.at + j : NULL, j < items.n, FALSE);
    }
    consider(match, name);
}

/* The best way to a truth and an item, or a step of it. */
typedef struct Way {
    double cost;
    guint32 wrong, length, n_inline; /* which decide where costs are equal */
    guint mask; /* what the truth took, a bit for each item from there on; 0: nothing */
    const struct Way *from;
} Way;

static void offer(Way *to, const Way *from, Way way)
{
    way.cost += from->cost;
    way.wrong += from->wrong;
    way.length += from->length;
    way.n_inline += from->n_inline;
    way.from = from;
    const guint64 left = (guint64) way.wrong * to->length, right = (guint64) to->wrong * way.length;
    gboolean better = way.cost < to->cost - 1e-12;
    if (!better && way.cost <= to->cost + 1e-12)
        better = way.length > 0 && to->length > 0 && left != right ? left < right
                 : (way.length > 0) != (to->length > 0)            ? way.length > 0
                                                                   : way.n_inline < to->n_inline;
    if (better)
        *to = way;
}

/* The items of a mask that begins with item @at. Returns how many they are; 0: they do not go
 * together, which those of one source do, and formulas without a gap. */
static guint pick_items(List items, guint at, guint mask, Item **picked)
{
    gboolean is_run = (mask & (mask + 1)) == 0, is_one = TRUE;
    guint n = 0;

    for (; mask != 0; mask >>= 1, at++)
        if ((mask & 1) != 0) {
            picked[n++] = items.at[at];
            is_run = is_run && strcmp(items.at[at]->kind, FORMULA) == 0;
            is_one = is_one && items.at[at]->taken_source == picked[0]->taken_source;
        }
    return is_run || is_one ? n : 0;
}

/* Candidate 4: truths in order, each with items that follow each other. */
static void try_dp(Match *match, const char *name, List items, gboolean gaps)
{
    const List truth = match->truth;
    const guint g = truth.n, p = items.n, apart = MAX(g, p) - MIN(g, p), stride = p + 1;
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
                offer(&ways[at], &ways[at - stride], alone);
            if (j > 0)
                offer(&ways[at], &ways[at - 1], alone);
        }
        for (guint mask = 1; j < p && mask < 1u << MIN(span, p - j); mask += 2) {
            const guint length = g_bit_storage(mask), n = (guint) __builtin_popcount(mask);
            if (n > most || length - n > skips || pick_items(items, j, mask, picked) == 0)
                continue;
            const Form *form = join_forms(match, picked, n, " ");
            for (guint i = 0, at = j; i < g; i++, at += stride) {
                const Gap gap = compare(match, truth.at[i]->form, form);
                offer(&ways[at + stride + length], &ways[at],
                      (Way){ gap.cost, gap.wrong, gap.length, n == 1 && is_inline(picked[0]), mask,
                             NULL });
            }
        }
    }
    for (const Way *way = &ways[g * stride + p]; way->from != NULL; way = way->from) {
        const guint at = (guint) (way->from - ways);
        Item **taken = NEW(match, Item *, span);
        match->n_draft = at / stride;
        if (way - ways >= (match->n_draft + 1) * stride) /* not an item that is left alone */
            add_row(match, truth.at[at / stride], taken,
                    pick_items(items, at % stride, way->mask, taken), FALSE);
    }
    match->n_draft = g;
    consider(match, name);
}

/* ---- candidates 1 and 2: the quick match ---- */

/* What it knows of a line: close to one of the other side; taken, or silent; taken by a formula
 * that has no other. Those before TAKEN are free. */
enum { FREE, CLOSE, TAKEN, ALONE };

/* Lines that are free, with their numbers. @as_set: in the order in which a set of CPython has
 * these: a table that, when it is three fifths full, becomes larger and takes over what it has */
static List free_lines(Match *match, List lines, gboolean as_set)
{
    List out = { NEW(match, Item *, lines.n), 0 };

    for (guint i = 0; i < lines.n; i++)
        if (lines.at[i]->state < TAKEN) {
            lines.at[i]->number = i;
            out.at[out.n++] = lines.at[i];
        }
    if (!as_set || lines.n / 4 > lines.n - out.n) /* the set is made in another way: they rise */
        return out;
    for (guint size = 8, n = 0; n < out.n || 5 * n >= 3 * (size / 4 - 1); size *= 4) {
        Item **table = NEW(match, Item *, size);
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

/* Neighbouring items for a truth, and how far apart they are. */
typedef struct {
    guint first, n;
    double edit;
} Run;

/* Steps 5 and 6: for each truth without a close item the best run of items; of those that share
 * items the closest. Returns runs as lines. */
static List merge_items(Match *match, List gt, List pred)
{
    List columns = { 0 };
    Run *runs = NEW(match, Run, gt.n);

    for (guint i = 0; i < gt.n; i++) {
        const Form *wanted = gt.at[i]->form;
        runs[i].edit = 2;
        for (guint j = 0; j < pred.n && gt.at[i]->state != CLOSE && !too_large(match, 0, 0); j++) {
            Item *const *line = pred.at + j;
            Run run = { j, 1, compare(match, wanted, line[0]->form).cost };
            for (gboolean fits = line[0]->state != CLOSE;
                 fits && run.n < 160 && j + run.n < pred.n && line[run.n]->state != CLOSE;) {
                const Form *next = join_forms(match, line, run.n + 1, " ");
                const double edit = compare(match, wanted, next).cost;
                if (edit > run.edit ||
                    (run.n == 1 && nearest(match, wanted, line[0]->form) > 0.6) ||
                    nearest(match, wanted, line[run.n]->form) >= 0.6)
                    break;
                run.edit = edit;
                run.n++;
                fits = next->characters.n <= wanted->characters.n;
            }
            if (line[0]->state != CLOSE && run.edit < runs[i].edit)
                runs[i] = run;
        }
    }
    for (guint i = 0; i < gt.n; i++) {
        Run best = { .edit = 2 };
        for (guint k = 0; k < gt.n; k++)
            best = runs[k].edit < best.edit ? runs[k] : best;
        for (guint k = 0; k < gt.n; k++)
            if (runs[k].first < best.first + best.n && best.first < runs[k].first + runs[k].n)
                runs[k].edit = 2; /* no more, with all that share items with it */
        if (best.n > 1)
            pred.at[best.first]->n_more = best.n - 1;
    }
    for (guint j = 0; j < pred.n; j += pred.at[j]->n_more + 1) {
        Item *column = add(match, &columns, pred.at[j]);
        column->form = join_forms(match, pred.at + j, column->n_more + 1, " ");
        column->number = j;
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
    Row *row = add_row(match, truth, preds, n, TRUE);
    row->match_edit = is_left ? 1 : row->match_edit;
    if (strstr(row->pred_type, "_formula") != NULL) { /* of another kind: compared as texts */
        GString *left = tg_rule_made("bare", row->gt);
        GString *right = tg_rule_made("inline", row->pred);
        tg_rule_apply("inline", left);
        row->gt = keep(match, g_string_free(left, FALSE));
        row->pred = keep(match, g_string_free(right, FALSE));
        row->pred_type = FORMULA;
        const Form *gt = form_of(match, 't', row->gt), *pred = form_of(match, 't', row->pred);
        row->match_edit = compare(match, gt, pred).cost;
        const Gap score = compare(match, gt->str[0] != '\0' ? gt : form_of(match, '=', row->gt),
                                  pred->str[0] != '\0' ? pred : form_of(match, '=', row->pred));
        row->edits = score.wrong;
        row->length = score.length;
    } else if (n > 0 && strcmp(row->pred_type, FORMULA) != 0 && !is_inline(preds[0])) {
        match->n_draft--;
    }
}

/* Rows in the original's order, if each formula has one of its own. */
static void try_quick(Match *match, const char *name, List truth, List items)
{
    const double limit = truth.n == 1 && items.n == 1 ? 1 : 0.7;

    if (too_large(match, truth.n, items.n))
        return;
    for (guint i = 0; i < truth.n; i++)
        truth.at[i]->state = truth.at[i]->is_silent ? TAKEN : FREE;
    for (guint k = 0; k < 2 * truth.n; k++) { /* steps 3 and 4: silent ones first */
        Item *line = truth.at[k % truth.n];
        for (guint j = 0; j < items.n && line->is_silent == (k < truth.n); j++)
            if (items.at[j]->state < TAKEN &&
                compare(match, line->form, items.at[j]->form).cost < 0.25)
                items.at[j]->state = line->state = MAX(line->state, CLOSE);
    }
    const List gt = free_lines(match, truth, FALSE), pred = free_lines(match, items, FALSE);
    const List columns = merge_items(match, gt, pred);
    const guint *column_of = assign(match, gt, columns, FALSE);
    for (guint i = 0; i < gt.n; i++) { /* step 7 */
        const Item *column = column_of[i] < columns.n ? columns.at[column_of[i]] : NULL;
        if (column != NULL && compare(match, gt.at[i]->form, column->form).cost <= limit)
            take_lines(match, gt.at[i], pred.at + column->number, column->n_more + 1, FALSE);
    }
    for (guint i = 0; i < gt.n; i++) { /* step 8: texts inside of texts */
        Item *line = gt.at[i];
        const gboolean open = line->state < TAKEN && !is_formula(line);
        for (guint j = 0; j < pred.n && open; j++)
            if (nearest(match, pred.at[j]->form, line->form) < 0.4) {
                if (line->state < TAKEN && pred.at[j]->state == ALONE)
                    match->n_draft = 0; /* a row of several truths: this is no candidate */
                pred.at[j]->state = line->state = TAKEN;
            }
    }
    const List left = free_lines(match, gt, TRUE), right = free_lines(match, pred, TRUE);
    column_of = assign(match, left, right, FALSE);
    for (guint i = 0; i < left.n; i++) /* step 10: with edit 1 */
        if (column_of[i] != TG_UNASSIGNED)
            take_lines(match, left.at[i], right.at + column_of[i], 1, TRUE);
    for (guint i = 0; i < gt.n; i++)
        if (gt.at[i]->state < TAKEN)
            take_lines(match, gt.at[i], NULL, 0, FALSE);
    consider(match, name);
}

/* ---- all candidates ---- */

/* Candidates 2 to 6 of a pool; 5: all ways to put the rows of formulas together again. */
static void try_pool(Match *match, List pool)
{
    const List lines = prepare(match, pool, WHOLE, FALSE);
    guint n_cuts = 0, n_rows = 0;

    try_quick(match, "quick_unsplit", match->truth, prepare(match, pool, WHOLE, TRUE));
    try_assignment(match, "hungarian_unsplit", lines, assign(match, match->truth, lines, TRUE));
    try_dp(match, "dp_unsplit", lines, FALSE);
    for (guint i = 0; i < pool.n; i++) {
        n_rows += pool.at[i]->n_rows;
        n_cuts += pool.at[i]->n_rows <= MAX_PARTITION ? pool.at[i]->n_rows - 1 : 0;
    }
    for (guint way = 1u << n_cuts; n_cuts > 0 && n_cuts <= 7 && way < 2u << n_cuts; way++) {
        const List parts = prepare(match, pool, way, FALSE);
        try_assignment(match, "split_hungarian", parts, assign(match, match->truth, parts, TRUE));
    }
    if (n_rows > pool.n) {
        const List rows = prepare(match, pool, ROWS, FALSE);
        try_dp(match, "split_dp", rows, FALSE);
        try_dp(match, "split_dp_allow_gaps", rows, TRUE);
    }
}

/* All candidates, after the formulas in their order, which is for a page that is too large. */
static void try_all(Match *match, const GArray *truth, List items)
{
    List mixed = { 0 }, formulas = { 0 }, logic = { 0 };

    for (guint i = 0; i < truth->len; i++) {
        const Item *item = add(match, &mixed, &g_array_index(truth, Item, i));
        if (is_formula(item))
            add(match, &formulas, item);
    }
    match->truth = prepare(match, formulas, ROWS, FALSE);
    match->draft = NEW(match, Row, match->truth.n);
    if (match->truth.n == 0)
        return;
    try_assignment(match, "in_order", prepare(match, match->pool, WHOLE, FALSE), NULL);
    match->keys[0] += 1e-6; /* another that is as good is better */
    try_quick(match, "current_match", prepare(match, mixed, ROWS, FALSE),
              prepare(match, items, ROWS, TRUE));
    try_pool(match, match->pool);
    for (guint i = 0; i < match->pool.n; i++) {
        Item *item = add(match, &logic, match->pool.at[i]);
        GString *text = tg_rule_made("logic", item->content);
        match->n_logic += strcmp(text->str, item->content) != 0;
        item->n_rows = 0;
        item->content = keep(match, g_string_free(text, FALSE));
    }
    if (match->n_logic > 0)
        try_pool(match, logic);
}

TgPageMatch *tg_page_match(const TgPage *page, const char *markdown, gsize len)
{
    Match *match = g_new0(Match, 1);
    List mixed = { 0 }, *pool = &match->pool;

    match->strings = g_ptr_array_new_with_free_func(g_free);
    match->forms = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    match->numbers = tg_pair_table_new();
    match->known = tg_pair_table_new();
    match->out.extras = g_ptr_array_new();
    match->items = tg_page_items(markdown, len, &match->out.is_cut);
    for (guint i = 0; i < 2 * match->items->len; i++) { /* formulas, then what may be some */
        Item *item = &g_array_index(match->items, Item, i % match->items->len);
        const gboolean first = i < match->items->len;
        item->place = i;
        if (first ? is_formula(item) : strcmp(item->category, "formula_rescue") == 0) {
            const Item *last = pool->n > 0 ? pool->at[pool->n - 1] : NULL;
            if (last == NULL || last->start != item->start || last->end != item->end ||
                strcmp(last->content, item->content) != 0) { /* not of a table found twice */
                Item *pooled = add(match, pool, item);
                pooled->category = FORMULA;
                pooled->source = pool->n;
                if (item->kind != NULL && strstr(item->kind, "_formula") != NULL)
                    pooled->kind = FORMULA;
            }
            item->source = pool->n;
        }
        if (first && (is_formula(item) || strcmp(item->category, "text_all") == 0))
            add(match, &mixed, item);
    }
    g_qsort_with_data(pool->at, (gint) pool->n, sizeof *pool->at, compare_items, NULL);
    try_all(match, page->truth, mixed);
    g_autofree gboolean *seen = g_new0(gboolean, pool->n + 1);
    for (guint i = 0; i < match->out.n_rows; i++)
        for (guint k = 0; k < match->out.rows[i].n_pred; k++)
            seen[match->out.rows[i].preds[k]->source] = TRUE;
    for (guint i = 0; i < pool->n; i++) /* displays have no kind */
        if (pool->at[i]->kind == NULL && !seen[pool->at[i]->source])
            g_ptr_array_add(match->out.extras, pool->at[i]->content);
    return &match->out;
}

void tg_page_match_free(TgPageMatch *out)
{
    Match *match = (Match *) out;

    g_ptr_array_unref(match->strings);
    g_hash_table_unref(match->forms);
    tg_pair_table_free(match->numbers);
    tg_pair_table_free(match->known);
    g_array_unref(match->items); /* with their contents */
    g_ptr_array_unref(match->out.extras);
    tg_arena_clear(&match->arena);
    tg_arena_clear(&match->scratch);
    g_free(match);
}
