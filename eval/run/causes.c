/* Lines that say why pairs were not scored as usual: one for each cause. */
#include "core/number.h"
#include "eval/run/run.h"

#include <string.h>

#include <texgauge/formula.h>

#include "core/label_graph.h"
#include "datasets/records/formula.h"
#include "metrics/metric.h"

enum { MAX_SHOWN = 12 };

/* SIGN and those after it: the signs of formula.h. */
typedef enum {
    BAD_ROW,
    REF,
    EMPTY_REF,
    HYP,
    NO_PREDICTION,
    EMPTY,
    NO_INK,
    FENCE,
    STATUS,
    SHORT,
    UNSPACED,
    LEFT,
    SIGN
} CauseKind;

static const char no_prediction[] = "no prediction"; /* the status of scorer.c */

/* The beginnings of lines about one row and about several. */
static const char *const beginnings[][2] = {
    [BAD_ROW] = { "row cannot be used", "rows cannot be used" },
    [REF] = { "reference cannot be typeset", "references cannot be typeset" },
    [EMPTY_REF] = { "reference is empty", "references are empty" },
    [HYP] = { "prediction cannot be typeset", "predictions cannot be typeset" },
    [NO_PREDICTION] = { "pair has no prediction", "pairs have no prediction" },
    [EMPTY] = { "prediction is empty", "predictions are empty" },
    [NO_INK] = { "prediction draws nothing", "predictions draw nothing" },
    [FENCE] = { "prediction starts with a code fence, which --clean fences removes",
                "predictions start with a code fence, which --clean fences removes" },
    [STATUS] = { "pair", "pairs" },
    [SHORT] = { "pair", "pairs" },
    [UNSPACED] = { "pair", "pairs" },
    [LEFT] = { "prediction has words around it still, in which --clean answer finds no formula",
               "predictions have words around them still, in which --clean answer finds no "
               "formula" },
    { "prediction has <think> in it, which --clean think removes",
      "predictions have <think> in them, which --clean think removes" },
    { "formula has special tokens such as <|im_end|>, which --clean tokens removes",
      "formulas have special tokens such as <|im_end|>, which --clean tokens removes" },
    { "formula has HTML entities such as &lt;, which --clean entities replaces",
      "formulas have HTML entities such as &lt;, which --clean entities replaces" },
    { "formula has a control character (form feed, tab) where an escape such as \\f or \\t ate the "
      "beginning of a command; --clean escapes repairs it",
      "formulas have control characters (form feed, tab) where escapes such as \\f or \\t ate the "
      "beginnings of commands; --clean escapes repairs them" },
    { "formula has every backslash doubled, which --clean escapes repairs",
      "formulas have every backslash doubled, which --clean escapes repairs" },
    { "prediction has words or marks around its formula, which --clean answer removes",
      "predictions have words or marks around their formulas, which --clean answer removes" },
    { "formula is 'nan', 'None' or the like and is scored as letters; an empty cell or null is "
      "none",
      "formulas are 'nan', 'None' or the like and are scored as letters; an empty cell or null is "
      "none" },
    { "formula is the text of a Python list (['...']) or of JSON; write JSON, or the formula alone",
      "formulas are texts of Python lists (['...']) or of JSON; write JSON, or the formulas "
      "alone" },
    { "prediction has a code fence in it, which --clean fences removes",
      "predictions have code fences in them, which --clean fences removes" },
    { "formula is what a spreadsheet makes of a text ('#NAME?', '02-Jan', '1E+11') and is scored "
      "as letters; import the column as text",
      "formulas are what a spreadsheet makes of texts ('#NAME?', '02-Jan', '1E+11') and are scored "
      "as letters; import the column as text" },
    { "formula is MathML, which is read as LaTeX; convert it",
      "formulas are MathML, which is read as LaTeX; convert them" },
};

typedef struct {
    CauseKind kind;
    char *message; /* of the first; NULL where the kind says it all */
    char *place;   /* of the first */
    guint64 n;
    guint64 last_row; /* so that a row counts once */
    gboolean varies;  /* other rows have other commands, numbers or names in the message */
} Cause;

struct TgCauses {
    GHashTable *by_key; /* char * to Cause *, which @list owns */
    GPtrArray *list;    /* of Cause *, in the order of their first rows */
    guint64 n_rows;     /* whose signs were looked at */
    guint64 n_scored;   /* rows that metrics were asked about */
};

static void cause_free(gpointer data)
{
    Cause *cause = data;

    g_free(cause->message);
    g_free(cause->place);
    g_free(cause);
}

TgCauses *tg_causes_new(void)
{
    TgCauses *causes = g_new0(TgCauses, 1);

    causes->by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    causes->list = g_ptr_array_new_with_free_func(cause_free);
    return causes;
}

void tg_causes_free(TgCauses *causes)
{
    if (causes == NULL)
        return;
    g_hash_table_unref(causes->by_key);
    g_ptr_array_unref(causes->list);
    g_free(causes);
}

/* Messages of one cause have the same key: numbers, commands and what stands in quotes may differ.
 */
static char *key_of(CauseKind kind, const char *message)
{
    GString *key = g_string_new(NULL);
    gboolean quoted = FALSE;

    g_string_printf(key, "%d ", kind);
    for (const char *c = message != NULL ? message : ""; *c != '\0'; c++) {
        if (*c == '\'')
            quoted = !quoted;
        else if (*c == '\\')
            c += strspn(c + 1, G_CSET_a_2_z G_CSET_A_2_Z);
        else if (!quoted && !g_ascii_isdigit(*c))
            g_string_append_c(key, *c);
    }
    return g_string_free(key, FALSE);
}

static void add_cause(TgCauses *causes, const TgRecord *record, CauseKind kind, const char *message)
{
    g_autofree char *key = key_of(kind, message);
    Cause *cause = g_hash_table_lookup(causes->by_key, key);

    if (cause == NULL) {
        cause = g_new0(Cause, 1);
        cause->kind = kind;
        cause->message = g_strdup(message);
        if (kind == BAD_ROW || record->id == NULL)
            cause->place = g_strdup_printf("%s:%" G_GSIZE_FORMAT, record->file, record->line);
        else
            cause->place =
                g_strconcat(record->id, record->model != NULL ? " of " : NULL, record->model, NULL);
        if (kind == BAD_ROW && !g_str_has_prefix(record->fault, cause->place))
            *cause->place = '\0'; /* the fault says where */
        g_ptr_array_add(causes->list, cause);
        g_hash_table_insert(causes->by_key, g_steal_pointer(&key), cause);
    }
    cause->varies = cause->varies || g_strcmp0(cause->message, message) != 0;
    if (cause->last_row != record->row || record->row == 0)
        cause->n++;
    cause->last_row = record->row;
}

void tg_causes_add_fault(TgCauses *causes, const TgRecord *record)
{
    g_autofree char *place =
        g_strdup_printf("%s:%" G_GSIZE_FORMAT ": ", record->file, record->line);
    const gboolean is_there = g_str_has_prefix(record->fault, place);

    /* The fault of a reference that a prediction was joined to names the place of the reference. */
    add_cause(causes, record, BAD_ROW, is_there ? record->fault + strlen(place) : record->fault);
}

char *tg_causes_first_fault(const char *tex)
{
    g_autoptr(GError) beyond = NULL;
    gsize len;

    if (tg_is_label_graph(tex))
        return NULL;                                   /* it is not typeset */
    tex = tg_delimiters_strip(tex, strlen(tex), &len); /* where the run keeps them */
    if (len > TG_TEXT_MAX)
        return g_strdup_printf("longer than %u bytes", TG_TEXT_MAX);
    g_autoptr(TgFormula) formula = tg_formula_parse(tex, len, 0, &beyond);
    const TgFormulaFault *faults;
    guint n;

    if (formula == NULL)
        return g_strdup(beyond->message);
    faults = tg_formula_faults(formula, &n);
    return n > 0 ? g_strdup_printf("%s: %s", faults[0].kind, faults[0].message) : NULL;
}

/* BLEU of formulas that are shorter than its n-grams. */
static void add_short(TgCauses *causes, const TgMetric *metric, const TgRecord *record,
                      const double *stats)
{
    const guint order = tg_bleu_order_beyond(metric->info, metric->instance, stats);

    if (order == 0)
        return;
    g_autofree char *message =
        g_strdup_printf("%s: no %u-grams in so short formulas; of such pairs alone BLEU is 0 even "
                        "if all are right, as in sacrebleu",
                        tg_metric_label(metric), order);
    add_cause(causes, record, SHORT, message);
}

/* Whether at least half of the words of a formula hold several LaTeX tokens. */
static gboolean is_unspaced(const char *tex)
{
    static const char blanks[] = " \t\n\v\f\r", signs[] = "\\{}^_&+=<>";
    guint n = 0, n_several = 0;
    gsize len;

    for (const char *word = tex + strspn(tex, blanks); *word != '\0';
         word += len + strspn(word + len, blanks)) {
        const gsize letters = strspn(word + 1, G_CSET_a_2_z G_CSET_A_2_Z);
        const gsize first = *word == '\\' ? 1 + MAX(letters, 1) : 1; /* bytes of its first token */

        len = strcspn(word, blanks);
        n++;
        n_several += len > first && (strcspn(word + first, signs) < len - first ||
                                     (*word == '\\' && word[first] != '*'));
    }
    return n > 0 && 2 * n_several >= n;
}

/* Words as tokens of formulas that have no blanks between tokens. */
static void add_unspaced(TgCauses *causes, const TgMetric *metric, const TgRecord *record)
{
    const char *signature = metric->signature;
    const gboolean by_words =
        strstr(signature, "tokenize:words") != NULL || strstr(signature, "tokenize:none") != NULL ||
        strstr(signature, "edits:words") != NULL ||
        (strcmp(metric->info->name, "wer") == 0 && strstr(signature, "tokenize:") == NULL);

    if (!by_words || strstr(signature, "normalize:canonical") != NULL || /* which puts blanks */
        !is_unspaced(record->refs->pdata[0]))
        return;
    g_autofree char *message =
        g_strdup_printf("%s: the reference has no blanks between LaTeX tokens, so a word is many "
                        "of them and counts as one edit; tokenize=latex parts them",
                        tg_metric_label(metric));
    add_cause(causes, record, UNSPACED, message);
}

static void add_status(TgCauses *causes, const char *label, const TgRecord *record,
                       const char *status)
{
    static const char ref_prefix[] = "gt-unrenderable: ", hyp_prefix[] = "pred-unrenderable: ";
    const gboolean is_ref = g_str_has_prefix(status, ref_prefix);

    if (is_ref || g_str_has_prefix(status, hyp_prefix)) {
        /* The parser's word for what is wrong is plainer than that of a metric. */
        const char *ref = record->refs->len > 0 ? record->refs->pdata[0] : NULL;
        const char *tex = is_ref ? ref : record->hyp;
        g_autofree char *fault = tex != NULL ? tg_causes_first_fault(tex) : NULL;

        if (is_ref && g_strcmp0(ref, "") == 0) /* as beside a prediction that is extra */
            add_cause(causes, record, EMPTY_REF, NULL);
        else
            add_cause(causes, record, is_ref ? REF : HYP,
                      fault != NULL ? fault : strstr(status, ": ") + 2);
    } else if (strcmp(status, no_prediction) == 0) {
        add_cause(causes, record, NO_PREDICTION, NULL);
    } else if (g_str_has_prefix(status, "empty")) {
        /* It is empty, or the parser says why, or it is all blank as \quad is. */
        g_autofree char *text = g_strstrip(g_strdup(record->hyp != NULL ? record->hyp : ""));
        g_autofree char *fault = *text != '\0' ? tg_causes_first_fault(text) : NULL;

        add_cause(causes, record, *text == '\0' ? EMPTY : fault != NULL ? HYP : NO_INK, fault);
    } else {
        g_autofree char *message = g_strdup_printf("%s says %s", label, status);

        add_cause(causes, record, STATUS, message);
    }
}

void tg_causes_add_scores(TgCauses *causes, const TgScoreLayout *layout, const TgRecord *record,
                          const TgScores *scores)
{
    if (record->fault != NULL)
        return;
    causes->n_scored++;
    for (guint m = 0; m < layout->metrics->len; m++) {
        const char *label = tg_metric_label(layout->metrics->pdata[m]);

        if (scores->has_stats[m] > 0)
            add_short(causes, layout->metrics->pdata[m], record,
                      scores->stats + layout->first_stat[m]);
        add_unspaced(causes, layout->metrics->pdata[m], record);
        if (scores->status[m] != NULL)
            add_status(causes, label, record, scores->status[m]);
        if (scores->note[m] == NULL || g_strcmp0(scores->status[m], no_prediction) == 0)
            continue;
        g_auto(GStrv) notes = g_strsplit(scores->note[m], "; ", -1);
        for (guint i = 0; notes[i] != NULL; i++) { /* of a pair that it scores; each counts */
            g_autofree char *message = g_strdup_printf("%s: %s", label, notes[i]);

            add_cause(causes, record, STATUS, message);
        }
    }
}

void tg_causes_add_signs(TgCauses *causes, const TgRecord *record, guint rules,
                         gboolean keeps_delimiters)
{
    const gboolean has_text = record->hyp != NULL && !tg_is_label_graph(record->hyp);
    const gboolean fenced = has_text && tg_clean_is_fenced(record->hyp);
    guint signs = has_text ? tg_signs_of(record->hyp, strlen(record->hyp), TRUE) : 0;
    const guint of_refs = TG_SIGN_SPECIAL | TG_SIGN_ENTITY | TG_SIGN_ESCAPE | TG_SIGN_DOUBLED |
                          TG_SIGN_NOTHING | TG_SIGN_LIST | TG_SIGN_SPREADSHEET | TG_SIGN_MATHML;
    gboolean boxed = has_text && g_str_has_prefix(record->hyp, "\\boxed");

    for (guint i = 0; i < record->refs->len; i++) {
        const char *ref = record->refs->pdata[i];

        if (g_strcmp0(ref, record->hyp) != 0 &&
            !tg_is_label_graph(ref)) /* else it is said already */
            signs |= tg_signs_of(ref, strlen(ref), FALSE) & of_refs;
        boxed = boxed && strstr(ref, "\\boxed") == NULL;
    }
    if (keeps_delimiters)
        signs &= ~(guint) TG_SIGN_PROSE;
    else if (boxed)
        signs |= TG_SIGN_PROSE;
    if ((signs & tg_clean_signs(rules) & TG_SIGN_PROSE) != 0)
        add_cause(causes, record, LEFT, NULL);
    signs &= ~tg_clean_signs(rules);
    causes->n_rows++;
    if (record->remark != NULL)
        add_cause(causes, record, STATUS, record->remark);
    if (fenced && !tg_clean_has_fences(rules))
        add_cause(causes, record, FENCE, NULL);
    if (fenced || (signs & TG_SIGN_PROSE) != 0)
        signs &= ~(guint) TG_SIGN_FENCE;
    for (guint i = 0; signs >> i != 0; i++)
        if ((signs >> i & 1) != 0)
            add_cause(causes, record, SIGN + i, NULL);
}

/* Words beside formulas, doubled backslashes, and short or unspaced formulas mean something if many
 * rows have them. */
static gboolean is_rare(const TgCauses *causes, const Cause *cause)
{
    const guint sign = cause->kind >= SIGN ? 1u << (cause->kind - SIGN) : 0;

    return ((cause->kind == SHORT || cause->kind == UNSPACED) &&
            2 * cause->n <= causes->n_scored) ||
           ((sign == TG_SIGN_PROSE || cause->kind == LEFT) && 20 * cause->n < causes->n_rows) ||
           (sign == TG_SIGN_DOUBLED && 10 * cause->n < causes->n_rows);
}

void tg_causes_add_prediction(TgCauses *causes, const TgRecord *record, const char *fault)
{
    if (record->hyp != NULL && record->hyp[strspn(record->hyp, " \t\r\n")] == '\0')
        add_cause(causes, record, EMPTY, NULL);
    else if (fault != NULL)
        add_cause(causes, record, HYP, fault);
}

void tg_causes_add_ref(TgCauses *causes, const TgRecord *record, const char *fault)
{
    add_cause(causes, record, REF, fault);
}

/* Whether a line says how to read the formulas better, so that other causes may vanish. */
static gboolean is_advice(const Cause *cause)
{
    return cause->kind == FENCE || cause->kind == LEFT || cause->kind >= SIGN;
}

/* Advice comes first, then what most pairs have. */
static gint by_count(gconstpointer a, gconstpointer b)
{
    const Cause *x = *(Cause *const *) a, *y = *(Cause *const *) b;

    if (is_advice(x) != is_advice(y))
        return is_advice(x) ? -1 : 1;
    return (x->n < y->n) - (x->n > y->n);
}

void tg_causes_report(const TgCauses *causes, gboolean faults,
                      void (*line)(const char *text, gpointer data), gpointer data)
{
    g_autoptr(GPtrArray) shown = g_ptr_array_new();
    guint64 n_left = 0;

    for (guint i = 0; i < causes->list->len; i++)
        if ((((Cause *) causes->list->pdata[i])->kind == BAD_ROW) == faults &&
            !is_rare(causes, causes->list->pdata[i]))
            g_ptr_array_add(shown, causes->list->pdata[i]);
    g_ptr_array_sort(shown, by_count); /* GLib sorts stably */
    for (guint i = 0; i < shown->len; i++) {
        const Cause *cause = shown->pdata[i];
        g_autofree char *text =
            cause->kind == BAD_ROW && cause->n == 1
                ? g_strdup_printf("%s%s%s", cause->place, *cause->place != '\0' ? ": " : "",
                                  cause->message)
                : g_strdup_printf("%" G_GUINT64_FORMAT " %s%s%s%s%s%s%s", cause->n,
                                  beginnings[cause->kind][cause->n > 1],
                                  cause->message == NULL          ? ""
                                  : cause->varies && cause->n > 1 ? ", such as "
                                                                  : ": ",
                                  cause->message != NULL ? cause->message : "",
                                  *cause->place != '\0' ? " (" : "",
                                  *cause->place != '\0' && cause->n > 1 ? "first: " : "",
                                  cause->place, *cause->place != '\0' ? ")" : "");

        if (i < MAX_SHOWN)
            line(text, data);
        else
            n_left += cause->n;
    }
    if (shown->len > MAX_SHOWN) {
        const guint n_causes = shown->len - MAX_SHOWN;
        g_autofree char *text =
            n_left == n_causes
                ? g_strdup_printf("%u other cause%s, once%s; the report shows all", n_causes,
                                  tg_plural(n_causes), n_causes == 1 ? "" : " each")
                : g_strdup_printf("%" G_GUINT64_FORMAT
                                  " more of %u other cause%s; the report shows all",
                                  n_left, n_causes, tg_plural(n_causes));
        line(text, data);
    }
}
