/* Sentences, made from the verdicts, that say which model is better. */
#include "eval/report/private.h"

#include <math.h>
#include <string.h>

/* Columns of which the tests say the same. */
typedef struct {
    char *marks; /* a letter for each model: the best *, no significant difference from it =,
                    worse -, no value ? */
    guint n_worse;
    GArray *columns; /* of guint */
} Verdict;

static void free_verdict(gpointer data)
{
    Verdict *verdict = data;

    g_free(verdict->marks);
    g_array_unref(verdict->columns);
    g_free(verdict);
}

static const TgReportValue *value_of(const TgReportVerdicts *of, guint model, guint column)
{
    return &of->values[(gsize) model * of->n_columns + column];
}

/* Verdicts of most columns come first, then verdicts with most models that are worse. */
static gint compare_verdicts(gconstpointer a, gconstpointer b)
{
    const Verdict *x = *(Verdict *const *) a, *y = *(Verdict *const *) b;
    const gint more = (gint) y->columns->len - (gint) x->columns->len;

    return more != 0 ? more : (gint) y->n_worse - (gint) x->n_worse;
}

/* The mark of a model beside the best one. */
static char mark_of(const TgReportValue *value)
{
    if (value->is_best)
        return '=';
    switch (value->best >= 0 ? value->verdict : TG_VERDICT_NONE) {
    case TG_VERDICT_BETTER:
        return '-';
    case TG_VERDICT_WORSE:
        return '+';
    case TG_VERDICT_NO_DIFFERENCE:
        return '=';
    case TG_VERDICT_NONE:
        break;
    }
    return '?';
}

/* The marks of a column; FALSE: it has no best model, as counts have none. Where no model differs,
 * it does not matter which one is the best. */
static gboolean mark_models(const TgReportVerdicts *of, guint column, char *marks, guint *n_worse)
{
    gboolean has_best = FALSE;

    *n_worse = 0;
    for (guint m = 0; m < of->n_models; m++) {
        const TgReportValue *value = value_of(of, m, column);

        marks[m] = value->is_best && !has_best ? '*' : mark_of(value);
        has_best |= value->is_best;
        *n_worse += marks[m] == '-';
    }
    if (*n_worse == 0 && strchr(marks, '+') == NULL)
        g_strdelimit(marks, "*", '=');
    return has_best;
}

/* The columns by their verdicts. (transfer full) */
static GPtrArray *verdicts_of(const TgReportVerdicts *of)
{
    GPtrArray *verdicts = g_ptr_array_new_with_free_func(free_verdict);

    for (guint c = 0; c < of->n_columns; c++) {
        g_autofree char *marks = g_strnfill(of->n_models, '?');
        Verdict *verdict = NULL;
        guint n_worse;

        if (!mark_models(of, c, marks, &n_worse))
            continue;
        for (guint v = 0; verdict == NULL && v < verdicts->len; v++) {
            if (strcmp(((Verdict *) verdicts->pdata[v])->marks, marks) == 0)
                verdict = verdicts->pdata[v];
        }
        if (verdict == NULL) {
            verdict = g_new(Verdict, 1);
            *verdict = (Verdict){ g_steal_pointer(&marks), n_worse,
                                  g_array_new(FALSE, FALSE, sizeof(guint)) };
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

/* The models with @mark; returns their number. */
static guint append_models(GString *out, const TgReportVerdicts *of, const Verdict *verdict,
                           char mark)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (guint m = 0; m < of->n_models; m++) {
        if (verdict->marks[m] == mark)
            g_ptr_array_add(names, (gpointer) of->models[m]);
    }
    append_list(out, names);
    return names->len;
}

/* "every metric", "every metric but cdm", "bleu and edit"; @n: columns of all verdicts */
static void append_columns(GString *out, const TgReportVerdicts *of, const Verdict *verdict,
                           guint n)
{
    g_autoptr(GPtrArray) in = g_ptr_array_new();
    g_autoptr(GPtrArray) but = g_ptr_array_new();

    for (guint c = 0, i = 0; c < of->n_columns; c++) {
        const gboolean is_in =
            i < verdict->columns->len && g_array_index(verdict->columns, guint, i) == c;

        g_ptr_array_add(is_in ? in : but, (gpointer) of->columns[c]);
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

/* By how much the first column differs: of the model that comes next to the best one and its
 * equals, or, where no model is worse, of the one that is farthest from the best. */
static void append_gap(GString *out, const TgReportVerdicts *of, const Verdict *verdict)
{
    const guint column = g_array_index(verdict->columns, guint, 0);
    const gboolean together = verdict->n_worse == 0;
    const TgReportValue *found = NULL;
    const char *model = NULL;
    char text[3][32];

    for (guint m = 0; m < of->n_models; m++) {
        const TgReportValue *value = value_of(of, m, column);

        if (value->best < 0 || verdict->marks[m] != (together ? '=' : '-') || isnan(value->gap))
            continue;
        if (found == NULL || (together ? value->gap > found->gap : value->gap < found->gap)) {
            found = value;
            model = of->models[m];
        }
    }
    if (found == NULL)
        return;
    g_ascii_formatd(text[0], sizeof text[0], "%.3f", found->gap);
    g_ascii_formatd(text[1], sizeof text[1], "%.3f", found->gap_range[0]);
    g_ascii_formatd(text[2], sizeof text[2], "%.3f", found->gap_range[1]);
    if (together)
        g_string_append_printf(out, " (%s differs by at most %s)", of->columns[column], text[0]);
    else
        g_string_append_printf(out, ": %s differs by %s from %s (95 %% interval %s to %s)",
                               of->columns[column], text[0], model, text[1], text[2]);
}

/* "c is better than every other model on bleu: ...", "c is better than a on bleu, and not
 * significantly different from b: ...", "On bleu no model is significantly different from the best
 * one ..." or, of two models, "On bleu there is no significant difference between a and b ...". */
static char *sentence_of(const TgReportVerdicts *of, const Verdict *verdict, guint n_columns)
{
    const char *marks = verdict->marks;
    const gboolean some_equal = strchr(marks, '=') != NULL;
    GString *out = g_string_new(NULL);

    if (verdict->n_worse > 0) {
        append_models(out, of, verdict, '*');
        g_string_append(out, " is better than ");
        if (of->n_models > 2 && verdict->n_worse == of->n_models - 1)
            g_string_append(out, "every other model");
        else
            append_models(out, of, verdict, '-');
        g_string_append(out, " on ");
        append_columns(out, of, verdict, n_columns);
        if (some_equal) {
            g_string_append(out, ", and not significantly different from ");
            append_models(out, of, verdict, '=');
        }
    } else {
        g_string_append(out, "On ");
        append_columns(out, of, verdict, n_columns);
        if (strchr(marks, '*') != NULL) {
            g_string_append(out, " the best value is that of ");
            append_models(out, of, verdict, '*');
            if (some_equal) {
                g_string_append(out, ", which is not significantly different from ");
                append_models(out, of, verdict, '=');
            }
        } else if (strspn(marks, "=") == 2 && of->n_models == 2) {
            g_string_append(out, " there is no significant difference between ");
            append_models(out, of, verdict, '=');
        } else {
            g_string_append(out, " no model is significantly different from the best one");
        }
    }
    append_gap(out, of, verdict);
    if (strchr(marks, '+') != NULL) {
        g_string_append(out, "; on the pairs that both have it is worse than ");
        append_models(out, of, verdict, '+');
    }
    if (strchr(marks, '?') != NULL) {
        g_string_append(out, "; not compared: ");
        append_models(out, of, verdict, '?');
    }
    g_string_append_c(out, '.');
    return g_string_free(out, FALSE);
}

GPtrArray *tg_report_sentences(const TgReportVerdicts *verdicts)
{
    g_autoptr(GPtrArray) groups = verdicts_of(verdicts);
    GPtrArray *sentences = g_ptr_array_new_with_free_func(g_free);
    guint n_columns = 0;

    for (guint v = 0; v < groups->len; v++)
        n_columns += ((Verdict *) groups->pdata[v])->columns->len;
    for (guint v = 0; v < groups->len; v++)
        g_ptr_array_add(sentences, sentence_of(verdicts, groups->pdata[v], n_columns));
    return sentences;
}
