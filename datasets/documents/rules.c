/* Rules that change strings (page_rules.tsv). */
#include "datasets/documents/document.h"

#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"

static int compare_names(const void *name, const void *rules)
{
    return strcmp(name, ((const TgRules *) rules)->name);
}

/* The rules of a name, or NULL; one without name is the end. */
static TgRule *find_rules(const char *name)
{
    const TgRules *rules = bsearch(name, tg_rules, tg_n_rules, sizeof *tg_rules, compare_names);

    return rules != NULL ? rules->rules : NULL;
}

static const GRegex *rule_regex(TgRule *rule)
{
    if (g_once_init_enter(&rule->regex)) {
        GRegex *regex = g_regex_new(
            rule->what, G_REGEX_OPTIMIZE | G_REGEX_NEWLINE_LF | (rule->raw ? G_REGEX_RAW : 0), 0,
            NULL);
        g_assert(regex != NULL);
        g_once_init_leave(&rule->regex, (gsize) regex);
    }
    return (const GRegex *) rule->regex; // NOLINT(performance-no-int-to-ptr)
}

gboolean tg_rule_find(const char *name, const GString *text, gsize from, TgSpans spans)
{
    g_autoptr(GMatchInfo) info = NULL;
    const gboolean found = g_regex_match_full(rule_regex(find_rules(name)), text->str,
                                              (gssize) text->len, (gint) from, 0, &info, NULL);

    for (int i = 0; found && i < (int) (sizeof(TgSpans) / sizeof *spans / 2); i++)
        if (!g_match_info_fetch_pos(info, i, &spans[2 * i], &spans[2 * i + 1]))
            spans[2 * i] = spans[2 * i + 1] = -1;
    return found;
}

guint tg_rule_count(const char *name, const char *text)
{
    guint n = 0;

    for (TgRule *rule = find_rules(name); rule->kind != TG_RULE_END; rule++) {
        g_autoptr(GMatchInfo) info = NULL;
        for (gboolean found = g_regex_match(rule_regex(rule), text, 0, &info); found; n++)
            found = g_match_info_next(info, NULL);
    }
    return n;
}

static void trim(GString *text)
{
    const char *start = text->str, *end = text->str + text->len;

    while (start < end && tg_is_space(g_utf8_get_char(start)))
        start = g_utf8_next_char(start);
    while (end > start && tg_is_space(g_utf8_get_char(g_utf8_prev_char(end))))
        end = g_utf8_prev_char(end);
    g_string_truncate(text, (gsize) (end - text->str));
    g_string_erase(text, 0, start - text->str);
}

/* Leave the words, with this between them. */
static void fold(GString *text, const char *between)
{
    gsize out = 0;
    gboolean gap = FALSE;

    for (const char *p = text->str, *next; *p != '\0'; p = next) {
        next = g_utf8_next_char(p);
        if (tg_is_space(g_utf8_get_char(p))) {
            gap = out > 0;
            continue;
        }
        for (const char *c = between; gap && *c != '\0'; c++)
            text->str[out++] = *c; /* not longer than the blanks */
        gap = FALSE;
        while (p < next)
            text->str[out++] = *p++;
    }
    g_string_truncate(text, out);
}

#define MAX_ROUNDS 1000u /* of rules that are applied again */
#define MAX_DEPTH  80u   /* of rules that apply others */

typedef struct {
    TgRule *rule;
    guint depth;
} Call;

static void apply_rules(TgRule *first, GString *text, guint depth);

/* A match changed by the rules that the pattern's row names, or by those called as its group is. */
static gboolean change_match(const GMatchInfo *match, GString *out, gpointer data)
{
    const Call *call = data;
    const gboolean lookup = call->rule->kind == TG_RULE_LOOKUP;
    g_autofree char *part = g_match_info_fetch(match, lookup);
    g_autoptr(GString) changed = g_string_new(part);
    TgRule *rules = find_rules(lookup ? part : call->rule->with);

    if (rules != NULL)
        apply_rules(rules, changed, call->depth + 1);
    g_string_append(out, rules != NULL ? changed->str : call->rule->with);
    return FALSE;
}

/* What a rule for the whole text makes of it, or NULL. (transfer full) */
static char *changed_text(const TgRule *rule, const GString *text)
{
    if (rule->kind == TG_RULE_COMPOSE)
        return g_utf8_normalize(text->str, -1, G_NORMALIZE_NFC);
    char *out = g_malloc(2 * text->len + 8);
    if (rule->kind == TG_RULE_LOWER) {
        out[tg_utf8_lower(text->str, text->len, out)] = '\0';
        return out;
    }
    const guint64 code = g_ascii_strtoull(text->str, NULL, 0);
    const gboolean valid = code > 0 && code <= 0x10FFFF && g_unichar_validate((gunichar) code);
    out[g_unichar_to_utf8(valid ? (gunichar) code : 0xFFFD, out)] = '\0';
    return out;
}

static void apply_rules(TgRule *first, GString *text, guint depth)
{
    g_autofree char *before = g_strdup(text->str);
    guint round = 0;

    for (TgRule *rule = first; rule->kind != TG_RULE_END && depth < MAX_DEPTH; rule++) {
        Call call = { rule, depth };
        g_autofree char *out = NULL;
        if (rule->kind >= TG_RULE_RE && !g_regex_match(rule_regex(rule), text->str, 0, NULL))
            continue;
        switch (rule->kind) {
        case TG_RULE_WORD:
            if (strstr(text->str, rule->what) != NULL) {
                g_auto(GStrv) parts = g_strsplit(text->str, rule->what, -1);
                out = g_strjoinv(rule->with, parts);
            }
            break;
        case TG_RULE_FOLD:
            fold(text, rule->with);
            break;
        case TG_RULE_TRIM:
            trim(text);
            break;
        case TG_RULE_USE:
            apply_rules(find_rules(rule->what), text, depth + 1);
            break;
        case TG_RULE_AGAIN:
            rule = strcmp(text->str, before) != 0 && round++ < MAX_ROUNDS ? first - 1 : rule;
            g_free(before);
            before = g_strdup(text->str);
            break;
        case TG_RULE_STOP:
        case TG_RULE_SPLIT:
            return;
        case TG_RULE_RE:
            out = g_regex_replace(rule_regex(rule), text->str, (gssize) text->len, 0, rule->with, 0,
                                  NULL);
            break;
        case TG_RULE_WITHIN:
        case TG_RULE_LOOKUP:
            out = g_regex_replace_eval(rule_regex(rule), text->str, (gssize) text->len, 0, 0,
                                       change_match, &call, NULL);
            break;
        default:
            out = changed_text(rule, text);
        }
        if (out != NULL)
            g_string_assign(text, out);
    }
}

void tg_rule_apply(const char *name, GString *text)
{
    apply_rules(find_rules(name), text, 0);
}

GString *tg_rule_made(const char *name, const char *text)
{
    GString *out = g_string_new(text);

    tg_rule_apply(name, out);
    return out;
}

void tg_rule_replace(const char *name, GString *text, GRegexEvalCallback replace, gpointer data)
{
    g_autofree char *out = g_regex_replace_eval(rule_regex(find_rules(name)), text->str,
                                                (gssize) text->len, 0, 0, replace, data, NULL);

    if (out != NULL)
        g_string_assign(text, out);
}

char **tg_rule_split(const char *name, const char *text)
{
    TgRule *rule = find_rules(name);
    g_autoptr(GString) whole = tg_rule_made(name, text);
    guint n = 0;

    while (rule->kind != TG_RULE_SPLIT)
        rule++;
    char **parts = g_regex_split(rule_regex(rule), whole->str, 0);
    if (parts == NULL) /* it takes too long */
        parts = g_strsplit(whole->str, "\n", 1);
    for (char **part = parts; *part != NULL && rule->with[0] != '\0'; part++) {
        g_autoptr(GString) changed = tg_rule_made(rule->with, *part);
        g_free(*part);
        *part = NULL;
        if (changed->len > 0)
            parts[n++] = g_strdup(changed->str);
    }
    return parts;
}

const char *tg_rule_pair(const char *name, const char *at, guint64 *missing, const TgRule **found)
{
    guint64 bit = 1;

    *found = NULL;
    for (const TgRule *rule = find_rules(name); rule->kind != TG_RULE_END; rule++, bit <<= 1) {
        if (!g_str_has_prefix(at, rule->what))
            continue;
        const char *end =
            (*missing & bit) == 0 ? strstr(at + strlen(rule->what), rule->with) : NULL;
        *found = end != NULL || *found == NULL ? rule : *found;
        if (end != NULL)
            return end + strlen(rule->with);
        *missing |= bit;
    }
    return NULL;
}
