/* The stages of the official programs' normalizers in their order, and what is done to Chinese text
 * around them. */
#include "metrics/cdm/normalize/normalize.h"

#include <string.h>

#include "core/deadline.h"
#include "core/fail.h"

static const char text_space[] = "(\\\\text)\\s+\\{";
/* A run of Han characters, unless it is all that is in a `\text`; for the tolerant reader, there
 * may be space (as tg_cdm_is_space() has it) before the brace. */
#define HAN            "[\\x{4E00}-\\x{9FFF}\\x{3400}-\\x{4DBF}]"
#define HAN_RUN(space) "(?<!" HAN ")(?!(?<=\\\\text\\{)" HAN "++" space "\\})(" HAN "++)"
static const char han_run[] = HAN_RUN("");
static const char loose_han_run[] =
    HAN_RUN("[\\x09-\\x0D\\x1C-\\x20\\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}"
            "\\x{202F}\\x{205F}\\x{3000}]*");
static const char roman_group[] = "\\\\mathrm\\s*\\{([^{}]*[\\x{4E00}-\\x{9FFF}][^{}]*)\\}";
static const char text_group[] = "\\\\text\\s*\\{([^{}]*[\\x{4E00}-\\x{9FFF}][^{}]*)\\}";

/* ---- Han characters, which are set as text --------------------------------------------------- */

static gboolean is_han(gunichar c)
{
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF);
}

/* Whether there is a character of U+4E00..U+9FFF in @text. */
static gboolean has_han(const char *text)
{
    return g_regex_match(tg_cdm_regex("[\\x{4E00}-\\x{9FFF}]"), text, 0, NULL);
}

/* ---- After the reader ------------------------------------------------------------------------ */

/* Between `\text { ... }` with Han characters in it, each of them is a token. */
static void part_han(TgCdmText *tokens)
{
    const char *string = tokens->string->str;
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(tokens);
    g_autoptr(GMatchInfo) info = NULL;
    gint start, end, done = 0;

    for (g_regex_match(tg_cdm_regex(text_group), string, 0, &info); g_match_info_matches(info);
         g_match_info_next(info, NULL)) {
        g_match_info_fetch_pos(info, 1, &start, &end);
        tg_cdm_text_copy(out, tokens, (gsize) done, (gsize) start);
        for (const char *p = string + start, *next; p < string + end; p = next) {
            next = g_utf8_next_char(p);
            if (is_han(g_utf8_get_char(p)))
                tg_cdm_text_append(out, " ", tg_cdm_no_origin);
            tg_cdm_text_copy(out, tokens, (gsize) (p - string), (gsize) (next - string));
        }
        tg_cdm_text_append(out, " ", tg_cdm_no_origin);
        done = end;
    }
    tg_cdm_text_copy(out, tokens, (gsize) done, tokens->string->len);
    tg_cdm_text_swap(tokens, out);
}

/* ---- All of it ------------------------------------------------------------------------------- */

void tg_cdm_read_tokens(TgCdmText *text, const TgCdmDialect *dialect, TgCdmNormalized *out)
{
    const gboolean tolerant = dialect->is_tolerant;

    out->is_table = strstr(text->string->str, "tabular") != NULL;
    out->is_chinese = !out->is_table && has_han(text->string->str);
    if (out->is_chinese) {
        tg_cdm_text_replace(text, "，", ", ", 0);
        tg_cdm_text_replace(text, "：", ": ", 0);
        tg_cdm_text_replace(text, "；", "; ", 0);
        if (tolerant)
            tg_cdm_text_replace_around(text, tg_cdm_regex(text_space), 1, "", "{");
        tg_cdm_text_replace_around(text, tg_cdm_regex(tolerant ? loose_han_run : han_run), 1,
                                   "\\text{", "}");
    }
    tg_cdm_text_replace(text, "\n", " ", 0);
    tg_cdm_text_replace(text, "\\%", "<PERCENTAGETOKEN>", 0);
    if (out->is_table)
        g_clear_pointer(&text->origins, g_array_unref);
    out->tokenizer_failed = !(tolerant ? tg_cdm_read_by_walker(text, out->is_table)
                                       : tg_cdm_read_by_katex(text, out->is_table));
}

/* Stages 3 and 4; FALSE where the official program gives up, or the time is up. */
static gboolean finish_tokens(TgCdmText *text, gboolean is_table, const TgCdmDialect *dialect)
{
    if (tg_deadline_spend(text->string->len))
        return FALSE;
    /* Roman type has no Han characters, so where some are in it, it becomes text. The percent
     * marker comes back as the reader spelled it: where the reader failed, it stays. */
    if (has_han(text->string->str)) {
        if (dialect->is_tolerant) {
            tg_cdm_text_replace_around(text, tg_cdm_regex(roman_group), 1, "\\text {", "}");
            tg_cdm_text_replace_around(text, tg_cdm_regex(text_group), 1, "\\text {", "}");
            part_han(text);
            tg_cdm_text_squeeze(text);
        } else {
            tg_cdm_text_replace(text, "\\mathrm", "\\text", 0);
        }
    }
    tg_cdm_text_replace(text, "< P E R C E N T A G E T O K E N >", "\\%", 0);
    tg_cdm_apply_rules(text, is_table, dialect->vocabulary);
    if (tg_deadline_spend(text->string->len) || !tg_cdm_fill_braces(text, dialect->vocabulary))
        return FALSE;
    tg_cdm_text_strip(text);
    return TRUE;
}

gboolean tg_cdm_normalize(TgCdmText *text, const TgCdmDialect *dialect, TgCdmNormalized *out,
                          GError **error)
{
    tg_cdm_read_tokens(text, dialect, out);
    return finish_tokens(text, out->is_table, dialect) ||
           tg_fail(error, TG_ERROR_PARSE, "the official program finds no matching brace");
}
