/* The order of the stages, and what is done to Chinese text around them. */
#include "metrics/cdm/tolerant/tolerant.h"

#include <pthread.h>
#include <string.h>

#include "core/fail.h"
#include "metrics/cdm/normalize/braces.h"
#include "metrics/cdm/normalize/rules.h"
#include "metrics/cdm/tolerant/scan.h"
#include "metrics/cdm/tolerant/tokenize.h"

static const char spelled_percent_marker[] = "< P E R C E N T A G E T O K E N >";

static const TgCdmRange no_origin = { 0, 0 };

/* Compiled once and constant from then on. */
static GRegex *text_space, *roman_group, *text_group;

static void make_regexes(void)
{
    text_space = g_regex_new("(\\\\text)\\s+\\{", G_REGEX_OPTIMIZE, 0, NULL);
    roman_group = g_regex_new("\\\\mathrm\\s*\\{([^{}]*[\\x{4E00}-\\x{9FFF}][^{}]*)\\}",
                              G_REGEX_OPTIMIZE, 0, NULL);
    text_group = g_regex_new("\\\\text\\s*\\{([^{}]*[\\x{4E00}-\\x{9FFF}][^{}]*)\\}",
                             G_REGEX_OPTIMIZE, 0, NULL);
}

static void compile_regexes(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_regexes);
}

/* ---- before the reader ---- */

static void join_text(TgCdmText *text)
{
    compile_regexes();
    tg_cdm_text_replace_around(text, text_space, 1, 1, "", "{");
}

void tg_cdm_tolerant_clean_up(TgCdmText *text, gboolean *is_table, gboolean *is_chinese)
{
    tg_cdm_clean_up_for(text, join_text, is_table, is_chinese);
}

/* ---- behind it ---- */

/* Between `\text { ... }` with Han characters in it, each of them is a token. */
static void part_han(TgCdmText *tokens)
{
    const char *string = tokens->string->str;
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(tokens);
    g_autoptr(GMatchInfo) info = NULL;
    gint start, end, done = 0;

    for (g_regex_match(text_group, string, 0, &info); g_match_info_matches(info);
         g_match_info_next(info, NULL)) {
        g_match_info_fetch_pos(info, 1, &start, &end);
        tg_cdm_text_copy(out, tokens, (gsize) done, (gsize) start);
        for (const char *p = string + start, *next; p < string + end; p = next) {
            next = g_utf8_next_char(p);
            if (tg_cdm_is_han(g_utf8_get_char(p)))
                tg_cdm_text_append(out, " ", no_origin);
            tg_cdm_text_copy(out, tokens, (gsize) (p - string), (gsize) (next - string));
        }
        tg_cdm_text_append(out, " ", no_origin);
        done = end;
    }
    tg_cdm_text_copy(out, tokens, (gsize) done, tokens->string->len);
    tg_cdm_text_swap(tokens, out);
}

/* Roman type has no Han characters, so where some are in it, it becomes text. */
static void restore_text(TgCdmText *tokens)
{
    if (tg_cdm_has_han(tokens->string->str)) {
        compile_regexes();
        tg_cdm_text_replace_around(tokens, roman_group, 1, 1, "\\text {", "}");
        tg_cdm_text_replace_around(tokens, text_group, 1, 1, "\\text {", "}");
        part_han(tokens);
        tg_cdm_text_squeeze(tokens);
    }
    tg_cdm_text_replace(tokens, spelled_percent_marker, "\\%", 0);
}

/* All stages; the source stays in @text. FALSE where the official program gives up. */
static gboolean normalize_spelling(TgCdmText *text, TgCdmNormalized *out)
{
    tg_cdm_tolerant_clean_up(text, &out->is_table, &out->is_chinese);
    if (out->is_table)
        g_clear_pointer(&text->origins, g_array_unref);
    out->tokenizer_failed = !(out->is_table ? tg_cdm_tolerant_tokenize_table(text)
                                            : tg_cdm_tolerant_tokenize_formula(text));
    restore_text(text);
    tg_cdm_apply_rules(text, out->is_table, TG_CDM_VOCABULARY_2025);
    if (!tg_cdm_fill_braces(text, TG_CDM_VOCABULARY_2025))
        return FALSE;
    tg_cdm_text_strip(text);
    return TRUE;
}

gboolean tg_cdm_tolerant_normalize(const char *latex, TgCdmNormalized *out, GError **error)
{
    g_autoptr(TgCdmText) text = tg_cdm_text_new(latex, FALSE);

    *out = (TgCdmNormalized){ 0 };
    if (!normalize_spelling(text, out))
        return tg_fail(error, TG_ERROR_PARSE, "the official program finds no matching brace");
    out->source = g_strdup(text->string->str);
    return TRUE;
}

TgCdmText *tg_cdm_tolerant_normalize_traced(const TgCdmText *spelling)
{
    g_autoptr(TgCdmText) text = tg_cdm_text_new_like(spelling);
    TgCdmNormalized flags = { 0 };

    tg_cdm_text_copy(text, spelling, 0, spelling->string->len);
    return normalize_spelling(text, &flags) ? g_steal_pointer(&text) : NULL;
}

void tg_cdm_spellings_clear(TgCdmSpellings *spellings)
{
    g_clear_pointer(&spellings->gt, tg_cdm_text_free);
    g_clear_pointer(&spellings->pred, tg_cdm_text_free);
    g_clear_pointer(&spellings->alternative, tg_cdm_text_free);
}
