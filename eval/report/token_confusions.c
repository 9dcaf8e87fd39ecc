/* Confused tokens: the edits of one best alignment per pair, over LaTeX tokens. */
#include <math.h>

#include "eval/report/confusions.h"
#include "eval/report/sections.h"
#include "eval/report/token_class.h"
#include "metrics/algorithms/alignment.h"
#include "metrics/base/env.h"

enum { DIGITS = 4 };

/* One model's edits. */
typedef struct {
    TgConfusions *confusions;
    guint64 tokens;                       /* of the truths */
    guint64 of_class[TG_N_TOKEN_CLASSES]; /* tokens of the truths */
    guint64 edits[TG_N_EDIT_KINDS][TG_N_TOKEN_CLASSES];
} Tally;

static void count_confusion(Tally *tally, const TgTokens *ref, guint t, const TgTokens *hyp,
                            guint p)
{
    gsize ref_len, hyp_len;
    const char *ref_text = tg_tokens_text(ref, t, &ref_len);
    const char *hyp_text = tg_tokens_text(hyp, p, &hyp_len);

    tg_confusions_count(tally->confusions, ref_text, (gssize) ref_len, hyp_text, (gssize) hyp_len);
}

static TgTokenClass class_at(const TgTokens *tokens, guint i)
{
    gsize len;
    const char *text = tg_tokens_text(tokens, i, &len);

    return tg_token_class(text, len);
}

/* The first truth against the prediction. */
static void tally_pair(Tally *tally, TgEnv *env, const TgTokenizer *tokenizer,
                       const TgTableRow *row)
{
    const TgTokens *ref = tg_env_tokenize(env, tokenizer, row->refs[0], NULL);
    const TgTokens *hyp = tg_env_tokenize(env, tokenizer, row->hyp != NULL ? row->hyp : "", NULL);
    TgAlignment alignment;
    guint n;

    if (ref == NULL || hyp == NULL)
        return; /* longer than any metric accepts */
    tg_tokens_ids(ref, &n);
    tally->tokens += n;
    for (guint i = 0; i < n; i++)
        tally->of_class[class_at(ref, i)]++;
    alignment = tg_align(tg_env_arena(env), tg_sequence(ref), tg_sequence(hyp));
    for (guint32 i = 0; i < alignment.n; i++) {
        const TgEdit *edit = &alignment.edits[i];
        const TgTokenClass class =
            edit->kind == TG_EDIT_INSERT ? class_at(hyp, edit->hyp) : class_at(ref, edit->ref);

        tally->edits[edit->kind][class]++;
        if (edit->kind == TG_EDIT_SUBSTITUTE)
            count_confusion(tally, ref, edit->ref, hyp, edit->hyp);
    }
}

static TgGrid *confusion_grid(const TgReport *report, guint model, const Tally *tally)
{
    g_autofree char *title =
        g_strdup_printf("Most frequent confusions of %s", tg_report_model_name(report, model));
    TgGrid *grid = tg_confusions_grid(tally->confusions, title, TG_REPORT_CONFUSIONS);

    tg_grid_note(grid,
                 "%u kinds, %" G_GUINT64_FORMAT " substitutions among %" G_GUINT64_FORMAT
                 " tokens of the truths.",
                 tg_confusions_n_kinds(tally->confusions), tg_confusions_total(tally->confusions),
                 tally->tokens);
    return grid;
}

static TgGrid *class_grid(const TgReport *report, const Tally *tallies)
{
    TgGrid *grid = tg_grid_new("Edits by class of symbol", 2);

    tg_grid_heads(grid, (const char *const[]){ "model", "class", "in the truths", "substituted",
                                               "deleted", "inserted", "wrong share", NULL });
    for (guint m = 0; m < report->table->models->len; m++) {
        for (guint c = 0; c < TG_N_TOKEN_CLASSES; c++) {
            const Tally *t = &tallies[m];
            const guint64 lost = t->edits[TG_EDIT_SUBSTITUTE][c] + t->edits[TG_EDIT_DELETE][c];

            if (t->of_class[c] + t->edits[TG_EDIT_INSERT][c] == 0)
                continue;
            tg_grid_put(grid, tg_report_model_name(report, m));
            tg_grid_put(grid, tg_token_class_name(c));
            tg_grid_put_count(grid, t->of_class[c]);
            tg_grid_put_count(grid, t->edits[TG_EDIT_SUBSTITUTE][c]);
            tg_grid_put_count(grid, t->edits[TG_EDIT_DELETE][c]);
            tg_grid_put_count(grid, t->edits[TG_EDIT_INSERT][c]);
            tg_grid_put_number(
                grid, t->of_class[c] > 0 ? (double) lost / (double) t->of_class[c] : NAN, DIGITS);
        }
    }
    tg_grid_note(grid, "Wrong share: substituted or deleted, of the tokens in the truths.");
    return grid;
}

void tg_report_add_confusions(TgReport *report)
{
    const TgTable *table = report->table;
    g_autofree Tally *tallies = g_new0(Tally, table->models->len);
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(TgTokenizer) tokenizer = tg_tokenizer_new("latex", TG_TOKENIZER_DEFAULT, NULL);
    TgReportSection *section;

    if (table->n_rows == 0)
        return;
    for (guint m = 0; m < table->models->len; m++)
        tallies[m].confusions = tg_confusions_new();
    for (guint i = 0; i < table->n_rows; i++) {
        if (table->rows[i].refs[0] != NULL)
            tally_pair(&tallies[table->rows[i].model], env, tokenizer, &table->rows[i]);
        tg_env_next_pair(env);
    }
    section = tg_report_add_section(
        report, "confusions", "Confused tokens",
        "Edits of one best alignment of LaTeX tokens, the first truth against the prediction.");
    for (guint m = 0; m < table->models->len; m++) {
        if (tg_confusions_total(tallies[m].confusions) > 0)
            g_ptr_array_add(section->grids, confusion_grid(report, m, &tallies[m]));
    }
    g_ptr_array_add(section->grids, class_grid(report, tallies));
    for (guint m = 0; m < table->models->len; m++)
        tg_confusions_free(tallies[m].confusions);
}
