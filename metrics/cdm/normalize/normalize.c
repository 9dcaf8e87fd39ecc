/* The official normaliser's first stage, and the order of all three. */
#include "metrics/cdm/normalize/normalize.h"

#include <string.h>

#include "metrics/cdm/normalize/text.h"

static const char percent_marker[] = "<PERCENTAGETOKEN>";
static const char spelled_percent_marker[] = "< P E R C E N T A G E T O K E N >";

static gboolean is_wrapped_han(gunichar c)
{
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF);
}

/* Every run of Han characters becomes a `\text` of its own, unless it is all that is in one. */
static void wrap_han(GString *text)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (const char *p = text->str; *p != '\0';) {
        const char *end = p;

        while (is_wrapped_han(g_utf8_get_char(end)))
            end = g_utf8_next_char(end);
        if (end == p) {
            end = g_utf8_next_char(p);
            g_string_append_len(out, p, end - p);
        } else if (*end == '}' && g_str_has_suffix(out->str, "\\text{")) {
            g_string_append_len(out, p, end - p);
        } else {
            g_string_append_printf(out, "\\text{%.*s}", (int) (end - p), p);
        }
        p = end;
    }
    g_string_assign(text, out->str);
}

char *tg_cdm_clean_up(const char *latex, gboolean *is_table, gboolean *is_chinese)
{
    g_autoptr(GString) text = g_string_new(latex);

    *is_table = strstr(latex, "tabular") != NULL;
    *is_chinese = !*is_table && tg_cdm_has_han(latex);
    if (*is_chinese) {
        g_string_replace(text, "，", ", ", 0);
        g_string_replace(text, "：", ": ", 0);
        g_string_replace(text, "；", "; ", 0);
        wrap_han(text);
    }
    g_string_replace(text, "\n", " ", 0);
    g_string_replace(text, "\\%", percent_marker, 0);
    return g_strdup(text->str);
}

/* Roman type has no Han characters, so all of it becomes text. The percent marker comes back as the
 * parser spelled it: where the parser failed, it stays. */
static void restore_percent_signs(GString *tokens)
{
    if (tg_cdm_has_han(tokens->str))
        g_string_replace(tokens, "\\mathrm", "\\text", 0);
    g_string_replace(tokens, spelled_percent_marker, "\\%", 0);
}

gboolean tg_cdm_normalize(const char *latex, TgCdmNormalized *out, GError **error)
{
    *out = (TgCdmNormalized){ 0 };
    g_autofree char *cleaned = tg_cdm_clean_up(latex, &out->is_table, &out->is_chinese);
    g_autofree char *tokens =
        out->is_table ? tg_cdm_tokenize_table(cleaned) : tg_cdm_tokenize_formula(cleaned);

    out->tokenizer_failed = tokens == NULL;
    g_autoptr(GString) text = g_string_new(tokens != NULL ? tokens : cleaned);
    restore_percent_signs(text);
    g_autofree char *ruled = tg_cdm_apply_rules(text->str, out->is_table);
    g_autofree char *braced = tg_cdm_fill_braces(ruled);
    if (braced == NULL) {
        g_set_error(error, TG_ERROR, TG_ERROR_PARSE,
                    "the official program finds no matching brace");
        return FALSE;
    }
    out->source = tg_cdm_strip(braced);
    return TRUE;
}

void tg_cdm_normalized_clear(TgCdmNormalized *normalized)
{
    g_clear_pointer(&normalized->source, g_free);
}
