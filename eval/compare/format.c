/* A comparison as tables, CSV and JSON. */
#include <math.h>

#include "core/json.h"
#include "eval/compare/compare.h"
#include "eval/grid/grid.h"
#include "eval/results/results.h"

enum { DIGITS = 4, FORMULA_WIDTH = 40, FEW = 10 };

/* The numbers of the compared columns from @first to @end, one a row; @other: the model's heading
 * where the table is of one model. */
static TgGrid *compared_grid(const TgComparison *comparison, const char *title, const char *other,
                             guint first, guint end)
{
#define OF(member) G_STRUCT_OFFSET(TgComparedColumn, member)
    const gboolean subsets = comparison->table->subsets->len > 1;
    const TgComparedColumn *head =
        first < end ? comparison->columns->pdata[first] : &(TgComparedColumn){ 0 };
    char level[32];
    g_autofree char *interval = g_strdup_printf(
        "%s %%", g_ascii_formatd(level, sizeof level, "%.4g", 100 * comparison->level));
    const TgGridColumn columns[] = {
        { NULL, "base", NULL, TG_GRID_TEXT, OF(base_name) },
        { NULL, "model", "model", TG_GRID_NAME, OF(model_name) },
        { "metric", "metric", "metric", TG_GRID_TEXT, OF(column_name), .scores = TRUE },
        { subsets ? "subset" : NULL, "subset", "subset", TG_GRID_TEXT, OF(subset_name) },
        { "pairs", "pairs", "pairs", TG_GRID_COUNT, OF(n) },
        { head->base_name, "base_value", "base_value", TG_GRID_NUMBER, OF(test.base), DIGITS,
          TRUE },
        { other, "value", "value", TG_GRID_NUMBER, OF(test.system), DIGITS, TRUE },
        { "difference", "difference", "difference", TG_GRID_NUMBER, OF(difference), DIGITS, TRUE },
        { NULL, "differing", "differing", TG_GRID_COUNT, OF(test.n_differing) },
        { NULL, NULL, "bootstrap.p", TG_GRID_P, OF(test.bootstrap_p) },
        { NULL, "percentile_*", "bootstrap.percentile", TG_GRID_INTERVAL,
          OF(test.bootstrap.percentile), DIGITS, TRUE },
        { NULL, "bca_*", "bootstrap.bca", TG_GRID_INTERVAL, OF(test.bootstrap.bca), DIGITS, TRUE },
        { interval, "t_*", "bootstrap.t", TG_GRID_INTERVAL, OF(test.bootstrap.t), DIGITS, TRUE },
        { NULL, "base_mean", "bootstrap.base.mean", TG_GRID_NUMBER, OF(test.base_interval.mean),
          DIGITS, TRUE },
        { NULL, "base_half_width", "bootstrap.base.half_width", TG_GRID_NUMBER,
          OF(test.base_interval.half_width), DIGITS, TRUE },
        { NULL, "mean", "bootstrap.model.mean", TG_GRID_NUMBER, OF(test.system_interval.mean),
          DIGITS, TRUE },
        { NULL, "half_width", "bootstrap.model.half_width", TG_GRID_NUMBER,
          OF(test.system_interval.half_width), DIGITS, TRUE },
        { "p bootstrap", "bootstrap_p", NULL, TG_GRID_P, OF(test.bootstrap_p) },
        { "p randomised", "randomization_p", "randomization.p", TG_GRID_P,
          OF(test.randomization_p) },
        { NULL, "bootstrap_holm", "bootstrap.holm", TG_GRID_P, OF(adjusted[0].holm) },
        { NULL, "bootstrap_bh", "bootstrap.benjamini_hochberg", TG_GRID_P,
          OF(adjusted[0].benjamini_hochberg) },
        { "Holm", "randomization_holm", "randomization.holm", TG_GRID_P, OF(adjusted[1].holm) },
        { "BH", "randomization_bh", "randomization.benjamini_hochberg", TG_GRID_P,
          OF(adjusted[1].benjamini_hochberg) },
        { "verdict", "verdict", "verdict", TG_GRID_TEXT, OF(verdict_name) },
        { NULL, NULL, "effect.pairs", TG_GRID_COUNT, OF(effect.n) },
        { NULL, "mean_gain", "effect.mean_gain", TG_GRID_NUMBER, OF(effect.mean_difference), DIGITS,
          TRUE },
        { "d_z", "d_z", "effect.d_z", TG_GRID_NUMBER, OF(effect.d_z), 2 },
        { "better", "better", "effect.better", TG_GRID_COUNT, OF(effect.n_higher) },
        { "equal", "equal", "effect.equal", TG_GRID_COUNT, OF(effect.n_equal) },
        { "worse", "worse", "effect.worse", TG_GRID_COUNT, OF(effect.n_lower) },
        { "superiority", "superiority", "effect.superiority", TG_GRID_NUMBER,
          OF(effect.superiority), 3 },
    };
#undef OF
    TgGrid *grid = tg_grid_new(title, subsets ? 2 : 1);

    tg_grid_columns(grid, columns, G_N_ELEMENTS(columns));
    for (guint i = first; i < end; i++) {
        const TgComparedColumn *c = comparison->columns->pdata[i];

        tg_grid_row(grid, columns, G_N_ELEMENTS(columns), c,
                    tg_table_column(comparison->table, c->column)->is_share);
    }
    return grid;
}

/* Which rows rest on few pairs: differences of fewer than FEW say little about other pairs. */
static void note_few(TgGrid *grid, const TgComparison *comparison, guint first, guint end)
{
    g_autoptr(GString) few = g_string_new(NULL);

    for (guint i = first; i < end; i++) {
        const TgComparedColumn *c = comparison->columns->pdata[i];

        if (c->n == 0 || c->test.n_differing >= FEW)
            continue;
        g_string_append_printf(few, "%s%s", few->len > 0 ? ", " : "", c->column_name);
        if (c->subset >= 0)
            g_string_append_printf(few, " of %s", c->subset_name);
        g_string_append_printf(few, " (%u)", c->test.n_differing);
    }
    if (few->len > 0)
        tg_grid_note(grid, "Fewer than %d pairs differ: %s", FEW, few->str);
}

static void note_tests(TgGrid *grid, const TgComparison *comparison, guint first, guint end)
{
    const double alpha = comparison->alpha;
    guint n_tests = 0;
    char text[32];

    for (guint i = first; i < end; i++)
        n_tests +=
            !isnan(((TgComparedColumn *) comparison->columns->pdata[i])->test.randomization_p);
    note_few(grid, comparison, first, end);
    g_ascii_formatd(text, sizeof text, "%.4g", alpha);
    tg_grid_note(grid,
                 "Verdict: better or worse if the interval excludes 0 and p randomised, adjusted "
                 "by Holm's method, is below %s. It is adjusted for the first columns of the "
                 "metrics over all pairs, for those of the subsets, and for all others. BH: "
                 "adjusted by Benjamini and Hochberg's.",
                 text);
    if (n_tests / (comparison->trials + 1.0) >= alpha)
        tg_grid_note(grid,
                     "%u trials are too few for %u tests: if many pairs differ, Holm's p may not "
                     "fall below %s.",
                     comparison->trials, n_tests,
                     g_ascii_formatd(text, sizeof text, "%.2g",
                                     MIN(1, n_tests / (comparison->trials + 1.0))));
    tg_signatures_note(grid, comparison->table->layout, comparison->table->remarks);
    tg_grid_note(grid,
                 "Paired bootstrap: %u resamples; approximate randomisation: %u trials, or all "
                 "where few pairs differ; seed %" G_GUINT64_FORMAT "; p-values: %s.",
                 comparison->resamples, comparison->trials, comparison->seed,
                 tg_test_rules_name(comparison->rules));
}

static void write_model(GString *out, const TgComparison *comparison, guint first, guint end,
                        const TgGridForm *form)
{
    const TgComparedColumn *head = comparison->columns->pdata[first];
    const TgPairing *pairing = head->pairing;
    const char *other = *head->model_name != '\0' ? head->model_name : "(none)";
    g_autofree char *title = g_strdup_printf("%s against %s", other, head->base_name);
    g_autoptr(TgGrid) grid = compared_grid(comparison, title, other, first, end);

    if (pairing->n_only_a + pairing->n_only_b > 0)
        tg_grid_note(grid, "Left out: %u pairs that only %s has, %u that only %s has",
                     pairing->n_only_a, head->base_name, pairing->n_only_b, other);
    note_tests(grid, comparison, first, end);
    tg_grid_append(out, grid, form);
}

/* How many characters two texts begin with in common; 0 where one is missing. */
static guint common_start(const char *a, const char *b)
{
    guint n = 0;

    while (a != NULL && b != NULL && *a != '\0' && g_utf8_get_char(a) == g_utf8_get_char(b)) {
        a = g_utf8_next_char(a);
        b = g_utf8_next_char(b);
        n++;
    }
    return n;
}

/* A formula, shortened to the width of a table around its character @centre. */
static void put_formula(TgGrid *grid, const char *text, guint centre)
{
    const guint length = text != NULL ? (guint) g_utf8_strlen(text, -1) : 0;
    guint first = centre > FORMULA_WIDTH / 2 ? centre - FORMULA_WIDTH / 2 : 0;

    if (text == NULL) {
        tg_grid_put(grid, "-");
    } else if (length <= FORMULA_WIDTH) {
        tg_grid_put(grid, text);
    } else {
        first = MIN(first, length - FORMULA_WIDTH);
        const guint end = first + FORMULA_WIDTH;
        g_autofree char *part =
            g_utf8_substring(text, first + (first > 0 ? 3 : 0), end - (end < length ? 3 : 0));

        tg_grid_putf(grid, "%s%s%s", first > 0 ? "..." : "", part, end < length ? "..." : "");
    }
}

static void write_pairs(GString *out, const TgComparison *comparison, const TgComparedColumn *c,
                        const TgGridForm *form)
{
    const TgTable *table = comparison->table;
    const TgTableColumn *column = tg_table_column(table, c->column);
    const char *base = c->base_name, *other = *c->model_name != '\0' ? c->model_name : "(none)";
    g_autofree char *title = g_strdup_printf("Pairs that differ most in %s", column->name);
    g_autofree char *base_head = g_strdup_printf("prediction of %s", base);
    g_autofree char *other_head = g_strdup_printf("prediction of %s", other);
    const char *const heads[] = { "id", "truth", base_head, other_head, base, other, "difference" };
    g_autoptr(TgGrid) grid = tg_grid_new(title, 4);

    if (c->n_pairs == 0)
        return;
    for (guint i = 0; i < G_N_ELEMENTS(heads); i++)
        tg_grid_head(grid, heads[i]);
    for (guint i = 0; i < c->n_pairs; i++) {
        const TgDifferentPair *pair = &c->pairs[i];
        const TgTableRow *row = &table->rows[pair->base];

        if (row->id != NULL)
            tg_grid_put(grid, row->id);
        else
            tg_grid_putf(grid, "row %" G_GUINT64_FORMAT, row->row);
        /* All three are cut around the place where the predictions, or truth and prediction, part.
         */
        const char *truth = row->refs[0], *hyp = row->hyp, *hyp2 = table->rows[pair->other].hyp;
        const guint apart = common_start(hyp, hyp2);
        put_formula(grid, truth,
                    MIN(apart, MAX(common_start(truth, hyp), common_start(truth, hyp2))));
        put_formula(grid, hyp, apart);
        put_formula(grid, hyp2, apart);
        const double scores[] = { column->values[pair->base], column->values[pair->other],
                                  pair->difference };
        for (guint k = 0; k < G_N_ELEMENTS(scores); k++) {
            tg_grid_put_number(grid, scores[k], DIGITS);
            if (column->is_share)
                tg_grid_share(grid);
        }
    }
    g_string_append_c(out, '\n');
    tg_grid_append(out, grid, form);
}

static void write_tables(GString *out, const TgComparison *comparison, const TgGridForm *form)
{
    for (guint first = 0, end; first < comparison->columns->len; first = end) {
        const guint model = ((TgComparedColumn *) comparison->columns->pdata[first])->model;

        end = first + 1;
        while (end < comparison->columns->len &&
               ((TgComparedColumn *) comparison->columns->pdata[end])->model == model)
            end++;
        if (first > 0)
            g_string_append_c(out, '\n');
        write_model(out, comparison, first, end, form);
        for (guint i = first; i < end; i++) {
            const TgComparedColumn *c = comparison->columns->pdata[i];

            if (c->subset < 0)
                write_pairs(out, comparison, c, form);
        }
    }
}

/* ---- JSON ---- */

static json_t *pairs_json(const TgComparison *comparison, const TgComparedColumn *c)
{
    const TgTable *table = comparison->table;
    const double *values = tg_table_column(table, c->column)->values;
    json_t *list = json_array();

    for (guint i = 0; i < c->n_pairs; i++) {
        const TgDifferentPair *pair = &c->pairs[i];
        const TgTableRow *base = &table->rows[pair->base], *other = &table->rows[pair->other];
        json_t *truths = json_array();

        for (guint r = 0; base->refs[r] != NULL; r++)
            json_array_append_new(truths, tg_json_text(base->refs[r]));
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "id",
                                              tg_json_text(base->id), "subset",
                                              tg_json_text(tg_table_subset(table, base->subset)),
                                              "gt", truths, "base_pred", tg_json_text(base->hyp),
                                              "pred", tg_json_text(other->hyp), "base_value",
                                              tg_json_number(values[pair->base]), "value",
                                              tg_json_number(values[pair->other]), "difference",
                                              tg_json_number(pair->difference)));
    }
    return list;
}

static json_t *models_json(const TgComparison *comparison)
{
    json_t *list = json_array();

    for (guint i = 0; i < comparison->models->len; i++) {
        const TgComparedModels *m = comparison->models->pdata[i];

        json_array_append_new(
            list, json_pack("{s:o, s:i, s:i, s:i}", "model",
                            tg_json_text(tg_table_model(comparison->table, m->model)), "pairs",
                            (int) m->pairing.n, "only_base", (int) m->pairing.n_only_a,
                            "only_model", (int) m->pairing.n_only_b));
    }
    return list;
}

static void write_json(GString *out, const TgComparison *comparison, const TgGridForm *form)
{
    g_autoptr(TgGrid) grid = compared_grid(comparison, NULL, NULL, 0, comparison->columns->len);
    json_t *columns = tg_grid_rows_json(grid, form), *all;

    for (guint i = 0; i < comparison->columns->len; i++) {
        const TgComparedColumn *c = comparison->columns->pdata[i];

        if (c->subset < 0)
            json_object_set_new(json_array_get(columns, i), "most_different",
                                pairs_json(comparison, c));
    }
    all = json_pack("{s:s, s:o, s:O, s:o*, s:o, s:i, s:i, s:I, s:s, s:o, s:o, s:o}", "version",
                    tg_version(), "signatures", tg_signatures_json(comparison->table->layout),
                    "inputs", comparison->table->inputs, "remarks",
                    tg_remarks_json(comparison->table->remarks), "base",
                    tg_json_text(tg_table_model(comparison->table, comparison->base)), "resamples",
                    (int) comparison->resamples, "trials", (int) comparison->trials, "seed",
                    (json_int_t) comparison->seed, "rules", tg_test_rules_name(comparison->rules),
                    "level", tg_json_number(comparison->level), "models", models_json(comparison),
                    "comparisons", columns);
    if (form->percent)
        json_object_set_new(all, "percent", json_true());
    tg_json_append(out, all);
    json_decref(all);
    g_string_append_c(out, '\n');
}

char *tg_comparison_format(const TgComparison *comparison, const TgGridForm *form)
{
    GString *out = g_string_new(NULL);

    if (form->style == TG_GRID_JSON) {
        write_json(out, comparison, form);
    } else if (form->style == TG_GRID_CSV) {
        g_autoptr(TgGrid) grid = compared_grid(comparison, NULL, NULL, 0, comparison->columns->len);

        tg_grid_append(out, grid, form);
    } else {
        write_tables(out, comparison, form);
    }
    return g_string_free(out, FALSE);
}
