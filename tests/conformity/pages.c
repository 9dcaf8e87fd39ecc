/* Agreement with OmniDocBench 1.6 on pages: strings, items, rows and means of pages. */
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "datasets/documents/document.h"
#include "tests/conformity/tally.h"
#include "tests/support/test_support.h"

typedef void (*LineCheck)(const json_t *line, Tally *tally);

/* Call @check with each JSON object of a file of lines. */
static void each_line(const char *name, LineCheck check, Tally *tally)
{
    g_autofree char *path = g_build_filename("pages", name, NULL);
    g_autofree char *whole = tg_shared_path(path), *text = NULL;

    g_assert_true(g_file_get_contents(whole, &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++) {
        json_t *line = json_loads(lines[i], 0, NULL);
        g_assert_nonnull(line);
        check(line, tally);
        json_decref(line);
    }
}

static void compare(Tally *tally, const char *kind, const char *input, const char *expected,
                    const char *made)
{
    const gboolean same = strcmp(expected, made) == 0;

    tally_add(tally, kind, same);
    if (same)
        return;
    g_autofree char *cause = g_strdup_printf("\n  expected %s\n  made     %s", expected, made);
    g_autofree char *id = g_strdup_printf("%s of %s", kind, input);
    tally_note(tally, id, cause);
}

static char *rows_text(const char *raw)
{
    g_auto(GStrv) rows = tg_formula_rows(raw);

    return rows == NULL ? g_strdup("null") : g_strjoinv("\n", rows);
}

static char *expected_rows(const json_t *value)
{
    g_autoptr(GString) out = g_string_new(NULL);

    if (!json_is_array(value))
        return g_strdup("null");
    for (size_t i = 0; i < json_array_size(value); i++)
        g_string_append_printf(out, "%s%s", i > 0 ? "\n" : "",
                               json_string_value(json_array_get(value, i)));
    return g_string_free(g_steal_pointer(&out), FALSE);
}

static void check_function(const json_t *line, Tally *tally)
{
    static const struct {
        const char *name;
        void (*changes[2])(GString *text);
    } changes[] = {
        { "norm_formula", { tg_text_formula_form } },
        { "untag", { tg_text_untag } },
        { "bare", { tg_text_bare } },
        { "norm_text", { tg_text_text_form } },
        { "text_unicode", { tg_text_uncircle, tg_text_inline } },
        { "sanitized", { tg_page_sanitize } },
    };
    const char *input = json_string_value(json_object_get(line, "in"));

    for (guint i = 0; i < G_N_ELEMENTS(changes); i++) {
        const json_t *expected = json_object_get(line, changes[i].name);
        g_autoptr(GString) text = g_string_new(input);
        if (expected == NULL)
            continue;
        for (guint k = 0; k < 2 && changes[i].changes[k] != NULL; k++)
            changes[i].changes[k](text);
        compare(tally, changes[i].name, input, json_string_value(expected), text->str);
    }
    if (json_object_get(line, "formula_like") != NULL) {
        g_autoptr(GString) text = g_string_new(input);
        compare(tally, "formula_like", input,
                json_is_true(json_object_get(line, "formula_like")) ? "yes" : "no",
                tg_page_rescue(text) ? "yes" : "no");
    }
    if (json_object_get(line, "rows") != NULL) {
        g_autofree char *expected = expected_rows(json_object_get(line, "rows"));
        g_autofree char *made = rows_text(input);
        g_autoptr(GString) logic = g_string_new(input);
        const char *form = json_string_value(json_object_get(line, "logic"));
        compare(tally, "rows", input, expected, made);
        const gboolean changed = tg_formula_logic_form(logic);
        compare(tally, "logic", input, form != NULL ? form : "null", changed ? logic->str : "null");
    }
}

static void append_item(GString *out, const char *category, const char *kind, glong start,
                        glong end, const char *content)
{
    g_string_append_printf(out, "\n    %s %s %ld %ld %s", category, kind != NULL ? kind : "-",
                           start, end, content);
}

static void check_items(const json_t *line, Tally *tally)
{
    const char *name = json_string_value(json_object_get(line, "md"));
    const json_t *expected = json_object_get(line, "items");
    g_autofree char *relative = g_build_filename("pages", name, NULL);
    g_autofree char *path = tg_shared_path(relative), *text = NULL;
    g_autoptr(GString) wanted = g_string_new(NULL), made = g_string_new(NULL);
    gsize len;

    g_assert_true(g_file_get_contents(path, &text, &len, NULL));
    for (size_t i = 0; i < json_array_size(expected); i++) {
        const json_t *item = json_array_get(expected, i);
        append_item(wanted, json_string_value(json_array_get(item, 0)),
                    json_string_value(json_array_get(item, 1)),
                    (glong) json_integer_value(json_array_get(item, 2)),
                    (glong) json_integer_value(json_array_get(item, 3)),
                    json_string_value(json_array_get(item, 4)));
    }
    gboolean cut;
    g_autoptr(GArray) items = tg_page_items(text, len, &cut);
    for (guint i = 0; i < items->len; i++) {
        const TgPageItem *item = &g_array_index(items, TgPageItem, i);
        append_item(made, item->category, item->kind, item->start, item->end, item->content);
    }
    compare(tally, "items", name, wanted->str, made->str);
}

static void check_assignment(const json_t *line, Tally *tally)
{
    const json_t *cost = json_object_get(line, "cost"), *pairs = json_object_get(line, "pairs");
    const guint n_rows = (guint) json_array_size(cost);
    const guint n_columns = (guint) json_array_size(json_array_get(cost, 0));
    g_autofree double *costs = g_new(double, (gsize) n_rows *n_columns);
    g_autofree guint *column_of = g_new(guint, n_rows);
    guint n = 0, n_same = 0;

    for (guint i = 0; i < n_rows * n_columns; i++)
        costs[i] =
            json_number_value(json_array_get(json_array_get(cost, i / n_columns), i % n_columns));
    tg_assignment_solve(costs, n_rows, n_columns, column_of);
    for (guint i = 0; i < n_rows; i++) {
        const json_t *pair = json_array_get(pairs, n);
        if (column_of[i] == TG_UNASSIGNED)
            continue;
        n_same += json_integer_value(json_array_get(pair, 0)) == i &&
                  json_integer_value(json_array_get(pair, 1)) == column_of[i];
        n++;
    }
    tally_add(tally, "assignments", n == json_array_size(pairs) && n_same == n);
}

static GPtrArray *truth;

static const TgPage *page_named(const char *name)
{
    for (guint i = 0; i < truth->len; i++)
        if (strcmp(((const TgPage *) truth->pdata[i])->name, name) == 0)
            return truth->pdata[i];
    return NULL;
}

static void append_row(GString *out, double order, const char *gt, const char *pred,
                       const char *type, double edit, guint num, guint len)
{
    g_string_append_printf(out, "\n    %.10g [%s] %.8f %u/%u\n      %s\n      %s", order, type,
                           edit, num, len, gt, pred);
}

/* Sums over pages: of one model, and of one of its attributes or "ALL". */
typedef struct {
    double edit, edit_pages, cdm, cdm_pages;
} Means;

static GHashTable *means; /* "MODEL/ATTRIBUTE" -> Means */

static void add_page(const char *model, const char *attribute, const TgPage *page,
                     const TgPageMatch *match)
{
    g_autofree char *key = g_strconcat(model, "/", attribute, NULL);
    Means *sums = g_hash_table_lookup(means, key);
    double edits = 0, length = 0, cdm = 0;

    if (sums == NULL)
        g_hash_table_insert(means, g_steal_pointer(&key), sums = g_new0(Means, 1));
    for (guint i = 0; i < match->n_rows; i++) {
        const TgPageRow *row = &match->rows[i];
        edits += row->edits;
        length += row->length;
        cdm += 1 - (double) row->edits / row->length;
    }
    if (match->n_rows > 0) {
        sums->edit += edits / length;
        sums->edit_pages++;
        sums->cdm += cdm / match->n_rows;
    }
    sums->cdm_pages += match->n_rows > 0 || page->n_formulas > 0;
}

static void check_rows(const json_t *line, Tally *tally)
{
    const char *model = json_string_value(json_object_get(line, "model"));
    const char *name = json_string_value(json_object_get(line, "page"));
    const char *file = json_string_value(json_object_get(line, "md"));
    const json_t *rows = json_object_get(line, "rows");
    const TgPage *page = page_named(name);
    g_autofree char *relative = g_build_filename("pages", "md", model, NULL);
    g_autofree char *folder = tg_shared_path(relative), *text = NULL;
    g_autoptr(GPtrArray) found = tg_page_find(page, folder);
    const char *path = found->len > 0 ? found->pdata[0] : NULL;
    g_autofree char *id = g_strconcat(model, "/", name, NULL);
    g_autoptr(GString) wanted = g_string_new(NULL), made = g_string_new(NULL);
    gsize len = 0;

    if (path != NULL)
        g_assert_true(g_file_get_contents(path, &text, &len, NULL));
    compare(tally, "files", id, file != NULL ? file : "null",
            path != NULL ? strrchr(path, '/') + 1 : "null");
    g_autoptr(TgPageMatch) match = tg_page_match(page, text != NULL ? text : "", len);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        append_row(wanted, json_number_value(json_object_get(row, "gt_order")),
                   json_string_value(json_object_get(row, "gt")),
                   json_string_value(json_object_get(row, "pred")),
                   json_string_value(json_object_get(row, "pred_type")),
                   json_number_value(json_object_get(row, "match_edit")),
                   (guint) json_integer_value(json_object_get(row, "num")),
                   (guint) json_integer_value(json_object_get(row, "len")));
    }
    for (guint i = 0; i < match->n_rows; i++) {
        const TgPageRow *row = &match->rows[i];
        append_row(made, row->order, row->ref, row->hyp, row->hyp_type, row->match_edit, row->edits,
                   row->length);
    }
    compare(tally, "rows", id, wanted->str, made->str);
    add_page(model, "ALL", page, match);
    g_auto(GStrv) attributes = g_strsplit(page->attributes, "; ", -1);
    for (guint i = 0; attributes[i] != NULL; i++)
        add_page(model, attributes[i], page, match);
    if (json_array_size(rows) > 0)
        compare(tally, "choice", id, json_string_value(json_object_get(line, "choice")),
                match->choice != NULL ? match->choice : "null");
}

/* Page means by attribute: edit distances, and 1 - edit distance in the way of CDM. */
static void check_means(Tally *tally)
{
    static const char *const kinds[2] = { "page_Edit_dist", "page_standin_CDM" };
    g_autofree char *path = tg_shared_path("pages/totals.json");
    json_t *totals = json_load_file(path, 0, NULL), *all, *value;
    const char *model, *attribute;

    json_object_foreach(totals, model, all) for (guint k = 0; k < 2; k++)
        json_object_foreach(json_object_get(all, kinds[k]), attribute, value)
    {
        g_autofree char *key = g_strconcat(model, "/", attribute, NULL);
        const Means *sums = g_hash_table_lookup(means, key);
        const double mean = sums == NULL ? -1
                            : k == 0     ? sums->edit / sums->edit_pages
                                         : sums->cdm / sums->cdm_pages;
        const gboolean same = fabs(mean - json_number_value(value)) <= 1e-9;
        tally_add(tally, kinds[k], same);
        if (!same)
            tally_note(tally, key, "another mean");
    }
    json_decref(totals);
}

int main(void)
{
    g_autofree char *folder = tg_shared_path("pages");
    g_autoptr(Tally) functions = tally_new();

    if (folder == NULL || !g_file_test(folder, G_FILE_TEST_IS_DIR))
        return tg_skip_program_without_shared();
    each_line("functions.jsonl", check_function, functions);
    each_line("assignment.jsonl", check_assignment, functions);
    tally_print(functions, "strings");
    g_autoptr(Tally) items = tally_new();
    each_line("extract.jsonl", check_items, items);
    tally_print(items, "items");
    g_autofree char *gt = tg_shared_path("pages/gt.json");
    g_autoptr(Tally) rows = tally_new();
    g_autoptr(GPtrArray) faults = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    truth = tg_pages_load(gt, faults, notes, NULL);
    g_assert_true(truth != NULL && faults->len == 0);
    means = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    each_line("expected.jsonl", check_rows, rows);
    check_means(rows);
    tally_print(rows, "rows");
    g_ptr_array_unref(truth);
    g_hash_table_unref(means);
    return tally_share(functions) == 1 && tally_share(items) == 1 && tally_share(rows) == 1
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
