/* The official normaliser's first stage, and the order of all three. */
#include "metrics/cdm/normalize/normalize.h"

#include <string.h>

#include "core/deadline.h"
#include "core/fail.h"
#include "metrics/cdm/normalize/braces.h"
#include "metrics/cdm/normalize/rules.h"
#include "metrics/cdm/normalize/tokenize.h"

static const char percent_marker[] = "<PERCENTAGETOKEN>";
static const char spelled_percent_marker[] = "< P E R C E N T A G E T O K E N >";

/* Whether a brace closes at @p; behind space where the reader is the tolerant one. */
static gboolean closes_group(const char *p, gboolean tolerant)
{
    while (tolerant && tg_cdm_is_space(g_utf8_get_char(p)))
        p = g_utf8_next_char(p);
    return *p == '}';
}

/* Every run of Han characters becomes a `\text` of its own, unless it is all that is in one. */
static void wrap_han(TgCdmText *text, gboolean tolerant)
{
    const TgCdmRange none = { 0, 0 };
    const char *string = text->string->str;
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(text);

    for (const char *p = string, *end; *p != '\0'; p = end) {
        for (end = p; tg_cdm_is_han(g_utf8_get_char(end));)
            end = g_utf8_next_char(end);
        const gboolean wrapped = end > p && !(closes_group(end, tolerant) &&
                                              g_str_has_suffix(out->string->str, "\\text{"));
        if (end == p)
            end = g_utf8_next_char(p);
        if (wrapped)
            tg_cdm_text_append(out, "\\text{", none);
        tg_cdm_text_copy(out, text, (gsize) (p - string), (gsize) (end - string));
        if (wrapped)
            tg_cdm_text_append(out, "}", none);
    }
    tg_cdm_text_swap(text, out);
}

void tg_cdm_clean_up_for(TgCdmText *text, void (*tolerant)(TgCdmText *text), gboolean *is_table,
                         gboolean *is_chinese)
{
    *is_table = strstr(text->string->str, "tabular") != NULL;
    *is_chinese = !*is_table && tg_cdm_has_han(text->string->str);
    if (*is_chinese) {
        tg_cdm_text_replace(text, "，", ", ", 0);
        tg_cdm_text_replace(text, "：", ": ", 0);
        tg_cdm_text_replace(text, "；", "; ", 0);
        if (tolerant != NULL)
            tolerant(text);
        wrap_han(text, tolerant != NULL);
    }
    tg_cdm_text_replace(text, "\n", " ", 0);
    tg_cdm_text_replace(text, "\\%", percent_marker, 0);
}

void tg_cdm_clean_up(TgCdmText *text, gboolean *is_table, gboolean *is_chinese)
{
    tg_cdm_clean_up_for(text, NULL, is_table, is_chinese);
}

/* Roman type has no Han characters, so all of it becomes text. The percent marker comes back as the
 * parser spelled it: where the parser failed, it stays. */
static void restore_percent_signs(TgCdmText *tokens)
{
    if (tg_cdm_has_han(tokens->string->str))
        tg_cdm_text_replace(tokens, "\\mathrm", "\\text", 0);
    tg_cdm_text_replace(tokens, spelled_percent_marker, "\\%", 0);
}

/* All stages; the source stays in @text. FALSE where the official program gives up, or the time is
 * up. */
static gboolean normalize(TgCdmText *text, const TgCdmDialect *dialect, TgCdmNormalized *out)
{
    tg_cdm_clean_up(text, &out->is_table, &out->is_chinese);
    if (out->is_table)
        g_clear_pointer(&text->origins, g_array_unref);
    out->tokenizer_failed =
        !(out->is_table ? tg_cdm_tokenize_table(text) : tg_cdm_tokenize_formula(text));
    if (tg_too_long(text->string->len))
        return FALSE;
    restore_percent_signs(text);
    tg_cdm_apply_rules(text, out->is_table, dialect->vocabulary);
    if (tg_too_long(text->string->len) || !tg_cdm_fill_braces(text, dialect->vocabulary))
        return FALSE;
    tg_cdm_text_strip(text);
    return TRUE;
}

gboolean tg_cdm_normalize(const char *latex, const TgCdmDialect *dialect, TgCdmNormalized *out,
                          GError **error)
{
    g_autoptr(TgCdmText) text = tg_cdm_text_new(latex, FALSE);

    *out = (TgCdmNormalized){ 0 };
    if (!normalize(text, dialect, out))
        return tg_fail(error, TG_ERROR_PARSE, "the official program finds no matching brace");
    out->source = g_strdup(text->string->str);
    return TRUE;
}

TgCdmText *tg_cdm_normalize_traced(const TgCdmText *latex, const TgCdmDialect *dialect)
{
    g_autoptr(TgCdmText) text = tg_cdm_text_new_like(latex);
    TgCdmNormalized flags = { 0 };

    tg_cdm_text_copy(text, latex, 0, latex->string->len);
    return normalize(text, dialect, &flags) ? g_steal_pointer(&text) : NULL;
}

void tg_cdm_normalized_clear(TgCdmNormalized *normalized)
{
    g_clear_pointer(&normalized->source, g_free);
}
