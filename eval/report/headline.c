/* Sentences, made from the verdicts, that say which model is better. */
#include "eval/report/private.h"

#include <math.h>
#include <string.h>

/* The verdicts about one model, the subject, against the others, where several columns share them.
 */
typedef struct {
    guint subject;
    char *marks; /* a letter for each model: the subject *, no significant difference from it =,
                    worse -, better +, not compared ?; all =: no model differs from the best one */
    guint n_worse;
    guint n_best;   /* columns in which the subject has the best value */
    guint *columns; /* [n_columns] in their order */
    guint n_columns;
} Verdict;

static const TgReportValue *value_of(const TgReportVerdicts *of, guint model, guint column)
{
    return &of->values[(gsize) model * of->n_columns + column];
}

/* The test of @subject beside @model; NULL: there is none. */
static const TgReportValue *test_of(const TgReportVerdicts *of, guint subject, guint model,
                                    guint column)
{
    const TgReportValue *value = value_of(of, model, column);

    if (of->against != NULL)
        return &of->against[((gsize) column * of->n_models + model) * of->n_models + subject];
    return value->best == (gint) subject ? value : NULL;
}

/* The mark of a model beside the subject. */
static char mark_of(const TgReportVerdicts *of, guint subject, guint model, guint column)
{
    static const char marks[] = { [TG_VERDICT_NONE] = '?',
                                  [TG_VERDICT_NO_DIFFERENCE] = '=',
                                  [TG_VERDICT_BETTER] = '-',
                                  [TG_VERDICT_WORSE] = '+' };
    const TgReportValue *test = test_of(of, subject, model, column);

    if (model == subject)
        return '*';
    if (test == NULL && value_of(of, subject, column)->is_best &&
        value_of(of, model, column)->is_best)
        return '=';
    return marks[test != NULL ? test->verdict : TG_VERDICT_NONE];
}

/* The first model with the best value; -1: there is none, as of counts. */
static gint best_of(const TgReportVerdicts *of, guint column)
{
    for (guint m = 0; m < of->n_models; m++)
        if (value_of(of, m, column)->is_best)
            return (gint) m;
    return -1;
}

/* The marks of all models beside @subject; returns whether a sentence about @subject tells what
 * this column says: @subject is the best model, or it was compared with all models, is worse than
 * none, and better than as many as the best one. @n_worse: (out) models */
static gboolean mark_models(const TgReportVerdicts *of, guint subject, guint column, char *marks,
                            guint *n_worse)
{
    const gint best = best_of(of, column);
    guint n_worse_than_best = 0;

    *n_worse = 0;
    for (guint m = 0; m < of->n_models; m++) {
        marks[m] = mark_of(of, subject, m, column);
        *n_worse += marks[m] == '-';
        n_worse_than_best += best >= 0 && mark_of(of, (guint) best, m, column) == '-';
    }
    const gboolean is_below = strpbrk(marks, "+?") != NULL;

    if (*n_worse == 0 && strchr(marks, '+') == NULL)
        g_strdelimit(marks, "*", '='); /* no model differs, whichever is the best one */
    return (gint) subject == best ||
           (best >= 0 && *n_worse > 0 && !is_below && *n_worse >= n_worse_than_best);
}

/* Find the verdicts that most columns share among those @left, and among these verdicts the
 * one with which most models are worse, if possible of the model with the best values. FALSE: no
 * column is left */
static gboolean find_verdict(const TgReportVerdicts *of, const gboolean *left, Verdict *found)
{
    g_autofree char *marks = g_strnfill(of->n_models, '?');
    g_autofree char *others = g_strnfill(of->n_models, '?');
    g_autofree guint *columns = g_new(guint, of->n_columns);

    found->n_columns = 0;
    for (guint i = 0; i < of->n_columns * of->n_models; i++) {
        const guint first = i / of->n_models, subject = i % of->n_models;
        guint n = 0, n_best = 0, n_worse, n_others;

        if (!left[first] || !mark_models(of, subject, first, marks, &n_worse))
            continue;
        for (guint c = 0; c < of->n_columns; c++) {
            const gboolean any = strchr(marks, '*') == NULL; /* then any best model */
            const gint best = any ? best_of(of, c) : (gint) subject;

            if (left[c] && best >= 0 && mark_models(of, (guint) best, c, others, &n_others) &&
                strcmp(marks, others) == 0) {
                columns[n++] = c;
                n_best += value_of(of, subject, c)->is_best;
            }
        }
        if (n != found->n_columns       ? n > found->n_columns
            : n_worse != found->n_worse ? n_worse > found->n_worse
                                        : n_best > found->n_best) {
            memcpy(found->marks, marks, of->n_models);
            memcpy(found->columns, columns, n * sizeof *columns);
            found->subject = subject;
            found->n_worse = n_worse;
            found->n_best = n_best;
            found->n_columns = n;
        }
    }
    return found->n_columns > 0;
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

/* Whether the tests of a column that is not in @verdict say otherwise of each model. */
static gboolean is_contrary(const TgReportVerdicts *of, const Verdict *verdict, guint column)
{
    if (strchr(verdict->marks, '*') == NULL) /* of more models, "no model" speaks not of each */
        return strcmp(verdict->marks, "==") == 0 && mark_of(of, 0, 1, column) != '=';
    for (guint m = 0; m < of->n_models; m++)
        if (m != verdict->subject && mark_of(of, verdict->subject, m, column) == verdict->marks[m])
            return FALSE;
    return TRUE;
}

/* "every metric", "every metric but cdm", "bleu and edit"; @n: columns of all verdicts */
static void append_columns(GString *out, const TgReportVerdicts *of, const Verdict *verdict,
                           guint n)
{
    g_autoptr(GPtrArray) in = g_ptr_array_new();
    gint but = -1; /* the last that is not in it */

    for (guint c = 0, i = 0; c < of->n_columns; c++) {
        const gboolean is_in = i < verdict->n_columns && verdict->columns[i] == c;

        if (is_in)
            g_ptr_array_add(in, (gpointer) of->columns[c]);
        else
            but = (gint) c;
        i += is_in;
    }
    if (n > 1 && in->len == n)
        g_string_append(out, "every metric");
    else if (n > 3 && in->len + 1 == n && n == of->n_columns &&
             is_contrary(of, verdict, (guint) but))
        g_string_append_printf(out, "every metric but %s", of->columns[but]);
    else
        append_list(out, in);
}

/* Append the size of a difference: in the first column that of the subject and the model next to
 * it and its equals; or, where no model is worse, the most that any differs from the best. */
static void append_gap(GString *out, const TgReportVerdicts *of, const Verdict *verdict)
{
    const gboolean together = verdict->n_worse == 0;
    const guint n_columns = together ? verdict->n_columns : 1;
    const TgReportValue *found = NULL;
    const char *model = NULL, *column = NULL;
    char text[3][32];

    for (guint i = 0; i < n_columns * of->n_models; i++) {
        const guint c = verdict->columns[i / of->n_models];
        const guint m = i % of->n_models;
        const guint subject =
            strchr(verdict->marks, '*') == NULL ? (guint) best_of(of, c) : verdict->subject;
        const TgReportValue *test = test_of(of, subject, m, c);

        if (m == subject || test == NULL || isnan(test->gap) ||
            mark_of(of, subject, m, c) != (together ? '=' : '-'))
            continue;
        if (found == NULL ||
            (together ? fabs(test->gap) > fabs(found->gap) : test->gap < found->gap)) {
            found = test;
            model = of->models[m];
            column = of->columns[c];
        }
    }
    if (found == NULL)
        return;
    g_ascii_formatd(text[0], sizeof text[0], "%.3f", together ? fabs(found->gap) : found->gap);
    g_ascii_formatd(text[1], sizeof text[1], "%.3f", found->gap_range[0]);
    g_ascii_formatd(text[2], sizeof text[2], "%.3f", found->gap_range[1]);
    if (together)
        g_string_append_printf(out, " (%s differs %sby %s%s)", column,
                               n_columns > 1 ? "most, " : "", of->n_models > 2 ? "at most " : "",
                               text[0]);
    else
        g_string_append_printf(out, ": %s differs by %s from %s (95 %% interval %s to %s)", column,
                               text[0], model, text[1], text[2]);
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
    GPtrArray *sentences = g_ptr_array_new_with_free_func(g_free);
    g_autofree gboolean *left = g_new(gboolean, verdicts->n_columns); /* for further sentences */
    g_autofree char *marks = g_strnfill(verdicts->n_models, '?');
    g_autofree guint *columns = g_new(guint, verdicts->n_columns);
    Verdict verdict = { .marks = marks, .columns = columns };
    guint n_columns = 0;

    for (guint c = 0; c < verdicts->n_columns; c++) {
        left[c] = best_of(verdicts, c) >= 0;
        n_columns += left[c];
    }
    while (find_verdict(verdicts, left, &verdict)) {
        g_ptr_array_add(sentences, sentence_of(verdicts, &verdict, n_columns));
        for (guint i = 0; i < verdict.n_columns; i++)
            left[verdict.columns[i]] = FALSE;
    }
    return sentences;
}
