/* Which model is better, in sentences made from the verdicts. */
#include <math.h>
#include <string.h>

#include "eval/report/private.h"

/* Columns with the same verdict on each model. */
typedef struct {
    char *marks; /* a letter for each model: * best, + no significant difference from it, - worse;
                    + for all where none is worse */
    guint n_leaders; /* that are not worse */
    GArray *columns; /* of guint */
} Verdict;

static void free_verdict(gpointer data)
{
    Verdict *verdict = data;

    g_free(verdict->marks);
    g_array_unref(verdict->columns);
    g_free(verdict);
}

static const TgReportValue *value_of(const TgReport *report, guint model, guint column)
{
    return tg_report_value(report, report->blocks->pdata[0], model, column);
}

/* Those of most columns first, then those with one leader. */
static gint compare_verdicts(gconstpointer a, gconstpointer b)
{
    const Verdict *x = *(Verdict *const *) a, *y = *(Verdict *const *) b;
    const gint more = (gint) y->columns->len - (gint) x->columns->len;

    return more != 0 ? more : (y->n_leaders == 1) - (x->n_leaders == 1);
}

/* The columns by their verdicts. Counts have no best model. (transfer full) */
static GPtrArray *verdicts_of(const TgReport *report)
{
    const guint n_models = report->table->models->len;
    GPtrArray *verdicts = g_ptr_array_new_with_free_func(free_verdict);

    for (guint c = 0; c < report->shown->len; c++) {
        g_autofree char *marks = g_strnfill(n_models, '-');
        Verdict *verdict = NULL;
        guint n = 0;

        for (guint m = 0; m < n_models; m++) {
            const TgReportValue *value = value_of(report, m, c);

            if (!value->is_best && (value->best < 0 || tg_report_is_worse(value)))
                continue;
            marks[m] = value->is_best ? '*' : '+';
            n++;
        }
        if (n == n_models)
            memset(marks, '+', n_models);
        for (guint v = 0; verdict == NULL && v < verdicts->len; v++) {
            if (strcmp(((Verdict *) verdicts->pdata[v])->marks, marks) == 0)
                verdict = verdicts->pdata[v];
        }
        if (n == 0)
            continue;
        if (verdict == NULL) {
            verdict = g_new(Verdict, 1);
            *verdict =
                (Verdict){ g_steal_pointer(&marks), n, g_array_new(FALSE, FALSE, sizeof(guint)) };
            g_ptr_array_add(verdicts, verdict);
        }
        g_array_append_val(verdict->columns, c);
    }
    g_ptr_array_sort(verdicts, compare_verdicts);
    return verdicts;
}

/* "a", "a and b", "a, b and c" */
static void append_list(GString *out, const GPtrArray *names)
{
    for (guint i = 0; i < names->len; i++) {
        if (i > 0)
            g_string_append(out, i + 1 < names->len ? ", " : " and ");
        g_string_append(out, names->pdata[i]);
    }
}

/* The models with one of @marks; returns their number. */
static guint append_models(GString *out, const TgReport *report, const Verdict *verdict,
                           const char *marks)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (guint m = 0; verdict->marks[m] != '\0'; m++) {
        if (strchr(marks, verdict->marks[m]) != NULL)
            g_ptr_array_add(names, (gpointer) tg_report_model_name(report, m));
    }
    append_list(out, names);
    return names->len;
}

/* "every metric", "every metric but cdm", "bleu and edit"; @n: columns of all verdicts */
static void append_columns(GString *out, const TgReport *report, const Verdict *verdict, guint n)
{
    g_autoptr(GPtrArray) in = g_ptr_array_new();
    g_autoptr(GPtrArray) but = g_ptr_array_new();

    for (guint c = 0, i = 0; c < report->shown->len; c++) {
        const gboolean is_in =
            i < verdict->columns->len && g_array_index(verdict->columns, guint, i) == c;

        g_ptr_array_add(is_in ? in : but, (gpointer) tg_report_column(report, c)->name);
        i += is_in;
    }
    if (n > 1 && in->len == n) {
        g_string_append(out, "every metric");
    } else if (n > 3 && in->len + 1 == n && in->len + but->len == n) {
        g_string_append(out, "every metric but ");
        append_list(out, but);
    } else {
        append_list(out, in);
    }
}

/* ": bleu 0.019 above 3B (95 % interval 0.007 to 0.030)" of the model that comes next to the leader
 * of a column; of several leaders the largest difference from the best one. */
static void append_gap(GString *out, const TgReport *report, guint column, gboolean together)
{
    const char *name = tg_report_column(report, column)->name;
    const TgReportValue *found = NULL;
    const char *model = NULL;
    char text[3][32];

    for (guint m = 0; m < report->table->models->len; m++) {
        const TgReportValue *value = value_of(report, m, column);

        if (value->best < 0 || tg_report_is_worse(value) == together || isnan(value->gap))
            continue;
        if (found == NULL || (together ? value->gap > found->gap : value->gap < found->gap)) {
            found = value;
            model = tg_report_model_name(report, m);
        }
    }
    if (found == NULL)
        return;
    g_ascii_formatd(text[0], sizeof text[0], "%.3f", found->gap);
    g_ascii_formatd(text[1], sizeof text[1], "%.3f", found->gap_range[0]);
    g_ascii_formatd(text[2], sizeof text[2], "%.3f", found->gap_range[1]);
    if (together)
        g_string_append_printf(out, " (%s differs by at most %s)", name, text[0]);
    else
        g_string_append_printf(out, ": %s differs by %s from %s (95 %% interval %s to %s)", name,
                               text[0], model, text[1], text[2]);
}

/* "b is better than a on every metric: ... There is no significant difference between b and c." or
 * "On bleu there is no significant difference between a and b ...". */
static char *sentence_of(const TgReport *report, const Verdict *verdict, guint n_columns)
{
    const guint n_models = report->table->models->len;
    const gboolean together = verdict->n_leaders == n_models;
    GString *out = g_string_new(NULL);

    if (together) {
        g_string_append(out, "On ");
        append_columns(out, report, verdict, n_columns);
        g_string_append(out, " there is no significant difference between ");
        append_models(out, report, verdict, "+");
    } else {
        const guint n_best = append_models(out, report, verdict, "*");

        g_string_append_printf(out, " %s better than ", n_best > 1 ? "are" : "is");
        if (n_models > 2 && verdict->n_leaders == 1)
            g_string_append(out, "every other model");
        else
            append_models(out, report, verdict, "-");
        g_string_append(out, " on ");
        append_columns(out, report, verdict, n_columns);
    }
    append_gap(out, report, g_array_index(verdict->columns, guint, 0), together);
    g_string_append_c(out, '.');
    if (!together && strchr(verdict->marks, '+') != NULL) {
        g_string_append(out, " There is no significant difference between ");
        append_models(out, report, verdict, "*+");
        g_string_append_c(out, '.');
    }
    return g_string_free(out, FALSE);
}

/* "c is worse than the best model on every metric." of the models that lead on none. */
static void add_last(TgReport *report, const GPtrArray *verdicts)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    GString *out;

    for (guint m = 0; m < report->table->models->len; m++) {
        gboolean leads = FALSE;

        for (guint v = 0; v < verdicts->len; v++)
            leads = leads || ((Verdict *) verdicts->pdata[v])->marks[m] != '-';
        if (!leads)
            g_ptr_array_add(names, (gpointer) tg_report_model_name(report, m));
    }
    if (verdicts->len == 0 || names->len == 0)
        return;
    out = g_string_new(NULL);
    append_list(out, names);
    g_string_append_printf(out, " %s worse than the best model on every metric.",
                           names->len > 1 ? "are" : "is");
    g_ptr_array_add(report->headline, g_string_free(out, FALSE));
}

void tg_report_add_headline(TgReport *report)
{
    g_autoptr(GPtrArray) verdicts = NULL;
    guint n_columns = 0;

    if (report->table->n_rows == 0) {
        g_ptr_array_add(report->headline, g_strdup("These results hold no pairs."));
        return;
    }
    if (report->table->models->len < 2) {
        /* There is nothing to compare: how many of its formulas are right. */
        const guint n = report->table->n_rows;
        g_autofree char *formulas = tg_count_text(n);
        guint wrong = 0;
        char share[32];

        for (guint i = 0; i < n; i++)
            wrong += tg_report_is_wrong(report, i) != FALSE;
        g_ascii_formatd(share, sizeof share, "%.1f", 100.0 * (n - wrong) / n);
        g_ptr_array_add(report->headline, g_strdup_printf("%s %% of %s formulas are without error.",
                                                          share, formulas));
        return;
    }
    verdicts = verdicts_of(report);
    for (guint v = 0; v < verdicts->len; v++)
        n_columns += ((Verdict *) verdicts->pdata[v])->columns->len;
    for (guint v = 0; v < verdicts->len; v++)
        g_ptr_array_add(report->headline, sentence_of(report, verdicts->pdata[v], n_columns));
    add_last(report, verdicts);
}
