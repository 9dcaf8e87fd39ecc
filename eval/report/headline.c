/* Who is better, in sentences made from the tests of the overview. */
#include <math.h>
#include <string.h>

#include "eval/report/private.h"

/* Columns on which the same models lead: the best and those that are not told apart from it. */
typedef struct {
    GString *leaders; /* a letter for each model: + leads, - does not */
    GArray *columns;  /* of guint */
} Verdict;

static void free_verdict(gpointer data)
{
    Verdict *verdict = data;

    g_string_free(verdict->leaders, TRUE);
    g_array_unref(verdict->columns);
    g_free(verdict);
}

static GString *leaders_of(const TgReport *report, guint column)
{
    const TgReportBlock *all = report->blocks->pdata[0];
    GString *leaders = g_string_new(NULL);

    for (guint m = 0; m < report->table->models->len; m++) {
        const TgReportValue *value = tg_report_value(report, all, m, column);

        g_string_append_c(
            leaders,
            value->is_best || (value->is_tested && !tg_report_is_behind(value)) ? '+' : '-');
    }
    return leaders;
}

/* The columns by their leaders, in the order of the columns. (transfer full) */
static GPtrArray *verdicts_of(const TgReport *report)
{
    GPtrArray *verdicts = g_ptr_array_new_with_free_func(free_verdict);

    for (guint c = 0; c < report->shown->len; c++) {
        GString *leaders = leaders_of(report, c);
        Verdict *verdict = NULL;

        for (guint v = 0; verdict == NULL && v < verdicts->len; v++) {
            if (g_string_equal(((Verdict *) verdicts->pdata[v])->leaders, leaders))
                verdict = verdicts->pdata[v];
        }
        if (strchr(leaders->str, '+') == NULL) {
            g_string_free(leaders, TRUE);
            continue; /* counts have no best model */
        }
        if (verdict == NULL) {
            verdict = g_new(Verdict, 1);
            *verdict =
                (Verdict){ g_string_new(leaders->str), g_array_new(FALSE, FALSE, sizeof(guint)) };
            g_ptr_array_add(verdicts, verdict);
        }
        g_array_append_val(verdict->columns, c);
        g_string_free(leaders, TRUE);
    }
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

static void append_models(GString *out, const TgReport *report, const char *leaders)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (guint m = 0; leaders[m] != '\0'; m++) {
        if (leaders[m] == '+')
            g_ptr_array_add(names, (gpointer) tg_report_model_name(report, m));
    }
    append_list(out, names);
}

/* "every metric", "every metric but cdm", "bleu and edit" */
static void append_columns(GString *out, const TgReport *report, const Verdict *verdict, guint n)
{
    g_autoptr(GPtrArray) in = g_ptr_array_new();
    g_autoptr(GPtrArray) but = g_ptr_array_new();

    for (guint c = 0; c < report->shown->len; c++) {
        gboolean is_in = FALSE;

        for (guint i = 0; i < verdict->columns->len; i++)
            is_in = is_in || g_array_index(verdict->columns, guint, i) == c;
        g_ptr_array_add(is_in ? in : but, (gpointer) tg_report_column(report, c)->name);
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

/* The model closest behind the leaders on a column, or the leader that is furthest behind the best;
 * -1: none. */
static gint compared_model(const TgReport *report, guint column, gboolean leader)
{
    const TgReportBlock *all = report->blocks->pdata[0];
    const double sign = leader ? -1 : 1;
    gint found = -1;

    for (guint m = 0; m < report->table->models->len; m++) {
        const TgReportValue *value = tg_report_value(report, all, m, column);

        if (!value->is_tested || tg_report_is_behind(value) == leader || isnan(value->behind))
            continue;
        if (found < 0 || sign * value->behind <
                             sign * tg_report_value(report, all, (guint) found, column)->behind)
            found = (gint) m;
    }
    return found;
}

/* ": bleu by 0.019 over 3B (95 % interval 0.007 to 0.030)" */
static void append_gap(GString *out, const TgReport *report, guint column, gboolean leader)
{
    const gint other = compared_model(report, column, leader);
    const TgReportValue *value;
    char text[3][32];

    if (other < 0)
        return;
    value = tg_report_value(report, report->blocks->pdata[0], (guint) other, column);
    g_ascii_formatd(text[0], sizeof text[0], "%.3f", value->behind);
    g_ascii_formatd(text[1], sizeof text[1], "%.3f", value->behind_range[0]);
    g_ascii_formatd(text[2], sizeof text[2], "%.3f", value->behind_range[1]);
    if (leader)
        g_string_append_printf(out, " (%s: at most %s apart)",
                               tg_report_column(report, column)->name, text[0]);
    else
        g_string_append_printf(out, ": %s by %s over %s (95 %% interval %s to %s)",
                               tg_report_column(report, column)->name, text[0],
                               tg_report_model_name(report, (guint) other), text[1], text[2]);
}

static guint n_leaders(const Verdict *verdict)
{
    guint n = 0;

    for (const char *c = verdict->leaders->str; *c != '\0'; c++)
        n += *c == '+';
    return n;
}

static char *sentence_of(const TgReport *report, const Verdict *verdict, guint n_columns)
{
    const guint first = g_array_index(verdict->columns, guint, 0);
    GString *out = g_string_new(NULL);

    if (n_leaders(verdict) == 1) {
        append_models(out, report, verdict->leaders->str);
        g_string_append(out, " leads on ");
        append_columns(out, report, verdict, n_columns);
        append_gap(out, report, first, FALSE);
    } else {
        g_string_append(out, "On ");
        append_columns(out, report, verdict, n_columns);
        g_string_append(out, ", ");
        append_models(out, report, verdict->leaders->str);
        g_string_append(out, " are not told apart");
        append_gap(out, report, first, TRUE);
    }
    g_string_append_c(out, '.');
    return g_string_free(out, FALSE);
}

/* "c is behind on every metric." of the models that lead on none. */
static void add_last(TgReport *report, const GPtrArray *verdicts)
{
    GString *out = g_string_new(NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (guint m = 0; m < report->table->models->len; m++) {
        gboolean leads = FALSE;

        for (guint v = 0; v < verdicts->len; v++)
            leads = leads || ((Verdict *) verdicts->pdata[v])->leaders->str[m] == '+';
        if (!leads)
            g_ptr_array_add(names, (gpointer) tg_report_model_name(report, m));
    }
    append_list(out, names);
    g_string_append_printf(out, " %s behind on every metric.", names->len > 1 ? "are" : "is");
    if (names->len > 0)
        g_ptr_array_add(report->headline, g_string_free(out, FALSE));
    else
        g_string_free(out, TRUE);
}

/* Of one model there is nothing to compare: how many of its formulas are right. */
static void add_single(TgReport *report)
{
    const guint n = report->table->n_rows;
    guint wrong = 0;
    char share[32];

    for (guint i = 0; i < n; i++)
        wrong += tg_report_is_wrong(report, i) != FALSE;
    g_ascii_formatd(share, sizeof share, "%.1f", 100.0 * (n - wrong) / n);
    g_autofree char *formulas = tg_count_text(n);
    g_ptr_array_add(report->headline,
                    g_strdup_printf("%s %% of %s formulas are without error.", share, formulas));
}

/* Those of most columns first, then those with one leader. */
static gint compare_verdicts(gconstpointer a, gconstpointer b)
{
    const Verdict *x = *(Verdict *const *) a, *y = *(Verdict *const *) b;
    const gint more = (gint) y->columns->len - (gint) x->columns->len;

    return more != 0 ? more : (n_leaders(y) == 1) - (n_leaders(x) == 1);
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
        add_single(report);
        return;
    }
    verdicts = verdicts_of(report);
    g_ptr_array_sort(verdicts, compare_verdicts);
    for (guint v = 0; v < verdicts->len; v++)
        n_columns += ((Verdict *) verdicts->pdata[v])->columns->len;
    for (guint v = 0; v < verdicts->len; v++)
        g_ptr_array_add(report->headline, sentence_of(report, verdicts->pdata[v], n_columns));
    if (verdicts->len > 0)
        add_last(report, verdicts);
}
