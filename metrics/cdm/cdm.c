/* The official program's CDM score, drawn in-process. */
#include "metrics/cdm/cdm.h"

#include <string.h>

#include "core/deadline.h"
#include "core/fail.h"
#include "metrics/base/base.h"

static const char *const dialects[] = { "unimernet", "omnidocbench-1.5", "omnidocbench-1.6", NULL };
static const char *const pages[] = { "official", "unlimited", NULL };
static const char *const locates[] = { "layout", "raster", NULL };

typedef struct {
    gint dialect_id; /* TgCdmDialectId */
    TgCdmHow how;
    TgFonts *fonts;
    char *settings; /* the key of shared formulas: the options that they depend on */
} Cdm;

static const TgOption options[] = {
    TG_OPTION_CHOICE(Cdm, dialect_id, "dialect", "unimernet", dialects,
                     "the program whose scores are reproduced"),
    TG_OPTION_CHOICE(Cdm, how.page, "page", "official", pages,
                     "official: paper whose edge cuts long formulas off"),
    TG_OPTION_CHOICE(Cdm, how.locate, "locate", "layout", locates,
                     "ink boxes: from the typesetter, or from painted pixels"),
    TG_OPTION_INT(Cdm, how.max_elements, "max-elements", "2000", 1, 5800,
                  "formulas with more elements are not scored"),
    { 0 },
};

static const TgColumn columns[] = {
    TG_MATCHED_COLUMNS("cdm", "whether F1 is 1 (ExpRate@CDM)"),
    { 0 },
};

static gboolean cdm_init(gpointer instance, GError **error)
{
    Cdm *self = instance;

    self->fonts = tg_cdm_fonts_new(error);
    if (self->fonts == NULL)
        return FALSE;
    self->how.dialect = tg_cdm_dialect((TgCdmDialectId) self->dialect_id);
    self->settings =
        g_strdup_printf("dialect=%s:page=%d:locate=%d:max-elements=%d", self->how.dialect->name,
                        self->how.page, self->how.locate, self->how.max_elements);
    return TRUE;
}

static void cdm_clear(gpointer instance)
{
    Cdm *self = instance;

    g_clear_pointer(&self->settings, g_free);
    g_clear_pointer(&self->fonts, tg_fonts_unref);
}

static gpointer make_layout(gpointer fonts)
{
    return tg_layout_new(fonts);
}

static TgLayout *get_layout(const Cdm *self, TgEnv *env)
{
    return tg_env_local(env, self->fonts, make_layout, (GDestroyNotify) tg_layout_free);
}

/* The formula of @latex: drawn now, unless the run has drawn it already. */
static TgCdmFormula *get_formula(const Cdm *self, TgEnv *env, const char *latex, GError **error)
{
    TgCdmFormula *formula = tg_env_find_shared(env, &tg_cdm_formula_kind, self->settings, latex);

    if (formula != NULL)
        return formula;
    if (!tg_deadline_check(error))
        return NULL;
    formula = tg_cdm_draw(get_layout(self, env), latex, &self->how, NULL, error);
    if (formula != NULL)
        tg_env_share(env, &tg_cdm_formula_kind, self->settings, latex, formula);
    return formula;
}

/* ---- the best of several spellings ---- */

/* The pair with the spelling of the hypothesis that scores best. */
typedef struct {
    TgCdmSpellings spellings;
    TgCdmText *hyp_spelling; /* of these */
    TgCdmFormula *ref, *hyp;
    TgCdmMatch *matches; /* of as many elements as the side with fewer has with ink */
    TgCdmScore score;    /* zero where the reference has no ink */
} Best;

static void best_clear(Best *best)
{
    tg_cdm_spellings_clear(&best->spellings);
    g_clear_pointer(&best->ref, tg_cdm_formula_unref);
    g_clear_pointer(&best->hyp, tg_cdm_formula_unref);
    g_clear_pointer(&best->matches, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Best, best_clear)

static gboolean is_scored(const Best *best)
{
    return best->ref->n_inked > 0;
}

static gboolean cdm_find_best(const Cdm *self, TgEnv *env, const TgPair *pair, Best *best,
                              GError **error)
{
    tg_cdm_spellings_find(self->how.dialect, pair->refs[0], pair->hyp, &best->spellings);
    TgCdmText *const spellings[] = { best->spellings.hyp, best->spellings.alternative };
    best->ref = get_formula(self, env, best->spellings.ref->string->str, error);
    for (guint i = 0; best->ref != NULL && i < 2 && spellings[i] != NULL; i++) {
        g_autoptr(TgCdmFormula) hyp = get_formula(self, env, spellings[i]->string->str, error);
        TgCdmScore score = { 0 };

        if (hyp == NULL)
            return FALSE;
        const guint n = MIN(best->ref->n_inked, hyp->n_inked);
        g_autofree TgCdmMatch *matches = g_new0(TgCdmMatch, n);
        if (is_scored(best))
            score = tg_cdm_score(best->ref, hyp, self->how.dialect, matches);
        if (i > 0 && score.f1 <= best->score.f1)
            continue;
        g_clear_pointer(&best->hyp, tg_cdm_formula_unref);
        g_free(best->matches);
        best->hyp_spelling = spellings[i];
        best->hyp = g_steal_pointer(&hyp);
        best->matches = g_steal_pointer(&matches);
        best->score = score;
    }
    return best->ref != NULL;
}

/* Returns "both", "the reference", "the prediction", or NULL for neither. */
static const char *name_sides(gboolean ref, gboolean hyp)
{
    return ref && hyp ? "both" : ref ? "the reference" : hyp ? "the prediction" : NULL;
}

static gboolean could_not_be_parsed(const TgCdmFormula *formula)
{
    return formula->tokenizer_failed && formula->latex[strspn(formula->latex, " \t\r\n")] != '\0';
}

/* Note the sides that the program's parser could not read, and those whose score may differ from
 * the program's. */
static void cdm_set_note(TgResult *out, const Best *best)
{
    const char *raw = name_sides(could_not_be_parsed(best->ref), could_not_be_parsed(best->hyp));
    const char *guess = name_sides(best->ref->is_guess, best->hyp->is_guess);
    g_autoptr(GString) note = g_string_new(NULL);

    if (raw != NULL)
        g_string_append_printf(note, "%s could not be parsed, split at spaces", raw);
    if (raw != NULL && guess != NULL)
        g_string_append(note, "; ");
    if (guess != NULL)
        g_string_append_printf(note, "%s %s malformed, drawn by a guess", guess,
                               best->ref->is_guess && best->hyp->is_guess ? "are" : "is");
    if (note->len > 0)
        tg_result_set_note(out, note->str);
}

/* ---- explanation ---- */

void tg_cdm_find_spans(TgCdmText *latex, const TgCdmDialect *dialect, const TgCdmElements *elements,
                       TgCdmRange *spans)
{
    enum { MAX_BYTES = 20000 };
    TgCdmNormalized flags;
    const gboolean is_known =
        latex->string->len <= MAX_BYTES && tg_cdm_normalize(latex, dialect, &flags, NULL);

    for (guint i = 0; i < elements->n; i++)
        spans[i] = is_known
                       ? tg_cdm_text_origin(latex, elements->list[i].start, elements->list[i].end)
                       : tg_cdm_no_origin;
}

/* Describe a side before its elements have partners. @latex: its spelling, which is normalized */
static TgMatchedSide describe_side(const TgCdmFormula *formula, TgCdmText *latex,
                                   const TgCdmDialect *dialect)
{
    const guint n = formula->elements.n;
    TgMatchedElement *list = g_new0(TgMatchedElement, n);
    g_autofree TgCdmRange *spans = g_new(TgCdmRange, n);

    tg_cdm_find_spans(latex, dialect, &formula->elements, spans);
    for (guint i = 0; i < n; i++) {
        const TgCdmElement *element = &formula->elements.list[i];

        list[i] = (TgMatchedElement){
            .token = element->token,
            .start = spans[i].start,
            .end = spans[i].end,
            .has_ink = element->has_ink,
            .box = element->box,
            .first_token = i,
            .last_token = i,
            .partner = TG_MATCHED_NO_PARTNER,
            .verdict = element->has_ink ? TG_MATCHED_UNMATCHED : TG_MATCHED_NO_INK,
        };
    }
    return (TgMatchedSide){
        .width_px = formula->width_px,
        .height_px = formula->height_px,
        .trouble = formula->trouble,
        .note = formula->tokenizer_failed && formula->n_inked > 0
                    ? "not readable, so its elements are what stands between blanks"
                    : NULL,
        .elements = list,
        .n_elements = n,
    };
}

/* Describe the pair, whose spellings are normalized once more: those that were drawn are not
 * traced to the user's strings. */
static TgMatchedPair cdm_explain(const Cdm *self, const TgEnv *env, Best *best)
{
    static const char *const cost_names[] = { "token", "position", "order", NULL };
    const TgCdmFormula *ref = best->ref, *hyp = best->hyp;
    const TgCdmDialect *dialect = self->how.dialect;
    TgMatchedPair matched = {
        .reference = tg_env_reference(env),
        .ref = describe_side(ref, best->spellings.ref, dialect),
        .hyp = describe_side(hyp, best->hyp_spelling, dialect),
        .f1 = best->score.f1,
        .precision = best->score.precision,
        .recall = best->score.recall,
        .is_scored = is_scored(best),
        .cost_names = cost_names,
    };
    for (guint k = 0; k < MIN(ref->n_inked, hyp->n_inked); k++) {
        const TgCdmMatch *match = &best->matches[k];
        const double costs[] = { match->token, match->position, match->order };

        tg_matched_join(&matched, ref->inked[match->ref], hyp->inked[match->hyp], costs,
                        match->verdict);
    }
    return matched;
}

static gboolean cdm_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                          GError **error)
{
    const Cdm *self = instance;
    g_auto(Best) best = { 0 };

    if (!cdm_find_best(self, env, pair, &best, error))
        return FALSE;
    if (!is_scored(&best) && !self->how.dialect->counts_blank_refs)
        return tg_fail(error, TG_ERROR_PARSE,
                       "gt-unrenderable: the official CDM program draws nothing of it");
    tg_result_set_rank(out, is_scored(&best) ? best.score.f1 : -1);
    tg_matched_set_columns(out, best.score.f1, best.score.precision, best.score.recall,
                           best.score.f1 >= 1);
    if (!is_scored(&best))
        tg_result_set_status(out, "gt-unrenderable: counts 0, as in this dialect");
    else if (best.hyp->n_inked == 0)
        tg_result_set_blank(out, best.hyp->trouble);
    cdm_set_note(out, &best);
    if (tg_result_wants_detail(out)) {
        g_auto(TgMatchedPair) matched = cdm_explain(self, env, &best);
        tg_result_take_detail(out, tg_matched_variant(&matched));
    }
    return TRUE;
}

/* ---- pictures ---- */

/* Draw a side once more for the picture; the drawing's tokens are the elements. */
static gboolean cdm_show_side(const Cdm *self, TgEnv *env, TgPairPicture *picture, TgPairSide which,
                              const TgCdmFormula *formula, GError **error)
{
    TgCdmPicture shown = { 0 };

    if (formula->n_inked == 0)
        return TRUE;
    g_autoptr(TgCdmFormula) again =
        tg_cdm_draw(get_layout(self, env), formula->latex, &self->how, &shown, error);
    g_autoptr(TgDrawing) drawing = shown.drawing;
    if (again == NULL)
        return FALSE;
    tg_pair_picture_set_drawing(picture, which, drawing);
    if (self->how.page == TG_CDM_PAGE_OFFICIAL)
        tg_pair_picture_set_page(picture, which, shown.paper);
    return TRUE;
}

static gboolean cdm_show(gconstpointer instance, TgEnv *env, TgRenderer *renderer,
                         const TgPair *pair, TgPairPicture *picture, GError **error)
{
    const Cdm *self = instance;
    g_auto(Best) best = { 0 };

    (void) renderer;
    if (!cdm_find_best(self, env, pair, &best, error) ||
        !cdm_show_side(self, env, picture, TG_SIDE_REF, best.ref, error) ||
        !cdm_show_side(self, env, picture, TG_SIDE_HYP, best.hyp, error))
        return FALSE;
    g_auto(TgMatchedPair) matched = cdm_explain(self, env, &best);
    tg_matched_show(&matched, "CDM", picture);
    return TRUE;
}

const TgMetricInfo tg_metric_cdm = {
    .abi = TG_METRIC_ABI,
    .name = "cdm",
    .version = "8",
    .summary = "character detection matching on drawings, as the official program scores",
    .citation = "Wang et al. 2024, arXiv:2409.03643; UniMERNet/cdm at commit 5a2c80d",
    .columns = columns,
    .options = options,
    .each_reference = TRUE,
    .explain = TG_EXPLAIN_ELEMENTS,
    .instance_size = sizeof(Cdm),
    .init = cdm_init,
    .clear = cdm_clear,
    .score = cdm_score,
    .show = cdm_show,
};
