/* Formulas for CDM: drawn, or made of given boxes. */
#pragma once

#include "metrics/cdm/cdm.h"

/** (transfer full) */
static inline TgLayout *cdm_setter(void)
{
    g_autoptr(GError) error = NULL;
    TgFonts *fonts = tg_cdm_fonts_new(&error);

    g_assert_no_error(error);
    TgLayout *setter = tg_layout_new(fonts);
    tg_fonts_unref(fonts);
    return setter;
}

/** Set-up and tear-down of a group of tests: *@state is a setter. */
static inline int cdm_make_typesetter(void **state)
{
    *state = cdm_setter();
    return 0;
}

static inline int cdm_remove_setter(void **state)
{
    tg_layout_free(*state);
    return 0;
}

/** As UniMERNet's program draws; NULL for more than @max_elements. (transfer full) */
static inline TgCdmFormula *cdm_draw(TgLayout *setter, const char *latex, TgCdmPage page,
                                     guint max_elements)
{
    const TgCdmHow how = { .dialect = tg_cdm_dialect(TG_CDM_UNIMERNET),
                           .page = page,
                           .max_elements = max_elements };

    return tg_cdm_draw(setter, latex, &how, NULL, NULL);
}

/** The tokens of @latex after all stages, and @flags; NULL where the official program gives up.
 * (transfer full) */
static inline TgCdmText *cdm_normalize(const char *latex, TgCdmDialectId dialect,
                                       TgCdmNormalized *flags)
{
    g_autoptr(TgCdmText) text = tg_cdm_text_new(latex, FALSE);

    return tg_cdm_normalize(text, tg_cdm_dialect(dialect), flags, NULL) ? g_steal_pointer(&text)
                                                                        : NULL;
}

/** The elements of @latex; FALSE where the official program makes none. */
static inline gboolean cdm_elements(const char *latex, TgCdmElements *out)
{
    TgCdmNormalized flags;
    g_autoptr(TgCdmText) source = cdm_normalize(latex, TG_CDM_UNIMERNET, &flags);

    return source != NULL &&
           tg_cdm_elements(source->string->str, TG_CDM_VOCABULARY_2025, out, NULL, NULL);
}

/** The names of @elements, two blanks between them. (transfer full) */
static inline char *cdm_names(const TgCdmElements *elements)
{
    GString *names = g_string_new(NULL);

    for (guint i = 0; i < elements->n; i++)
        g_string_append_printf(names, "%s%s", i > 0 ? "  " : "", elements->list[i].token);
    return g_string_free(names, FALSE);
}

/** The tokens of @latex by the reader of a dialect; NULL where the reader takes @latex as raw
 * text. */
static inline char *cdm_tokens(const char *latex, TgCdmDialectId dialect)
{
    TgCdmNormalized flags = { 0 };
    g_autoptr(TgCdmText) text = tg_cdm_text_new(latex, FALSE);

    tg_cdm_read_tokens(text, tg_cdm_dialect(dialect), &flags);
    return flags.tokenizer_failed ? NULL : g_strdup(text->string->str);
}

/** @tokens with ink in @boxes; @tokens are borrowed. (transfer full) */
static inline TgCdmFormula *cdm_boxes(const char *const *tokens, const TgRect *boxes, guint n,
                                      double width_px, double height_px)
{
    TgCdmFormula *formula = g_atomic_rc_box_new0(TgCdmFormula);

    formula->elements.list = g_new0(TgCdmElement, n);
    formula->elements.n = formula->n_inked = n;
    formula->elements.others = g_ptr_array_new_with_free_func(g_free);
    formula->inked = g_new(guint, n);
    formula->width_px = width_px;
    formula->height_px = height_px;
    for (guint i = 0; i < n; i++) {
        formula->elements.list[i].token = tokens[i];
        formula->elements.list[i].canonical =
            tg_cdm_canonical_token(tokens[i], TG_CDM_VOCABULARY_2025, formula->elements.others);
        formula->elements.list[i].has_ink = TRUE;
        formula->elements.list[i].box = boxes[i];
        formula->inked[i] = i;
    }
    return formula;
}

/** The @k-th element with ink. */
static inline const TgRect *cdm_box(const TgCdmFormula *formula, guint k)
{
    return &formula->elements.list[formula->inked[k]].box;
}

static inline TgCdmScore cdm_score(const TgCdmFormula *ref, const TgCdmFormula *hyp)
{
    g_autofree TgCdmMatch *matches = g_new(TgCdmMatch, MIN(ref->n_inked, hyp->n_inked));

    return tg_cdm_score(ref, hyp, tg_cdm_dialect(TG_CDM_UNIMERNET), matches);
}

/** The elements of a side, "gt" or "pred", of a detail. (transfer full) */
static inline GVariant *cdm_detail_elements(GVariant *detail, const char *side)
{
    g_autoptr(GVariant) whole = g_variant_lookup_value(detail, side, G_VARIANT_TYPE_VARDICT);

    return g_variant_lookup_value(whole, "elements", G_VARIANT_TYPE("aa{sv}"));
}
