/* From elements back through the stages of normalisation. */
#include "metrics/cdm/draw/spans.h"

#include <string.h>

#include "metrics/algorithms/alignment.h"
#include "metrics/base/env.h"
#include "metrics/cdm/draw/elements.h"
#include "metrics/cdm/normalize/normalize.h"
#include "metrics/cdm/normalize/parser.h"

enum { MAX_BYTES = 20000 };

#define NO_MATCH G_MAXUINT32

/* Tokens of a text, which are what stands between blanks. */
typedef struct {
    const char *text;
    TgCdmRange *tokens;
    guint32 *ids; /* equal for equal tokens */
    guint n;
} Tokens;

static void tokens_clear(Tokens *tokens)
{
    g_free(tokens->tokens);
    g_free(tokens->ids);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Tokens, tokens_clear)

static const TgCdmRange unknown = { 0, 0 };

static gboolean is_known(TgCdmRange range)
{
    return range.end > range.start;
}

static TgCdmRange join(TgCdmRange a, TgCdmRange b)
{
    if (!is_known(a) || !is_known(b))
        return is_known(a) ? a : b;
    return (TgCdmRange){ MIN(a.start, b.start), MAX(a.end, b.end) };
}

/* ---- alignments ------------------------------------------------------------------------------ */

/* For each of the @after tokens the one of @before that it is, or NO_MATCH. A token that another
 * stands in for is that one where @substitutes. (transfer full) */
static guint32 *match(TgEnv *env, TgSequence before, TgSequence after, gboolean substitutes)
{
    const TgAlignment alignment = tg_align(tg_env_arena(env), before, after);
    guint32 *matches = g_new(guint32, after.n + 1);
    guint32 from = 0, to = 0;

    for (guint32 e = 0; e <= alignment.n; e++) {
        const TgEdit *edit = e < alignment.n ? &alignment.edits[e] : NULL;

        while (to < (edit != NULL ? edit->hyp : after.n) && from < before.n)
            matches[to++] = from++;
        if (edit == NULL)
            break;
        if (edit->kind != TG_EDIT_DELETE)
            matches[to++] = edit->kind == TG_EDIT_SUBSTITUTE && substitutes ? edit->ref : NO_MATCH;
        from = edit->ref + (edit->kind != TG_EDIT_INSERT);
    }
    return matches;
}

static guint32 *bytes_of(const char *text, gsize n)
{
    guint32 *ids = g_new(guint32, n + 1);

    for (gsize i = 0; i < n; i++)
        ids[i] = (guchar) text[i];
    return ids;
}

/* For each byte of @after, a text that a stage made of @before, the one that it was. A blank that
 * was added at the end is none. (transfer full) */
static guint32 *match_bytes(TgEnv *env, const char *before, const char *after)
{
    const gsize n = strlen(before), m = strlen(after) - g_str_has_suffix(after, " ");
    g_autofree guint32 *a = bytes_of(before, n);
    g_autofree guint32 *b = bytes_of(after, m);

    guint32 *matches =
        match(env, (TgSequence){ a, (guint32) n, 256 }, (TgSequence){ b, (guint32) m, 256 }, TRUE);

    matches[m] = NO_MATCH;
    return matches;
}

/* A text on its way through the stages, and for each of its bytes the one of the user's string. */
typedef struct {
    GString *text;
    guint32 *bytes;
} Trail;

static void trail_clear(Trail *trail)
{
    g_string_free(trail->text, TRUE);
    g_free(trail->bytes);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Trail, trail_clear)

static Trail trail_start(const char *latex)
{
    Trail trail = { g_string_new(latex), NULL };

    trail.bytes = g_new(guint32, trail.text->len + 1);
    for (guint32 i = 0; i <= trail.text->len; i++)
        trail.bytes[i] = i;
    return trail;
}

/* The text was @before until now. One step at a time changes little, which leaves the alignment
 * hardly a choice. */
static void trail_step(Trail *trail, TgEnv *env, const char *before)
{
    if (g_str_has_prefix(before, trail->text->str) && strchr(before, '\r') == NULL)
        return; /* nothing changed, or a comment was cut off; only a line's end deletes a start */
    guint32 *bytes = match_bytes(env, before, trail->text->str);
    for (gsize i = 0; i < trail->text->len; i++)
        if (bytes[i] != NO_MATCH)
            bytes[i] = trail->bytes[bytes[i]];
    g_free(trail->bytes);
    trail->bytes = bytes;
}

/* From the user's string to the line that is parsed, or without a parser to the cleaned text. */
static Trail trail_of(TgEnv *env, const char *latex, const char *cleaned, gboolean is_parsed)
{
    Trail trail = trail_start(latex);

    g_string_assign(trail.text, cleaned);
    trail_step(&trail, env, latex);
    for (guint step = 0; is_parsed; step++) {
        g_autofree char *before = g_strdup(trail.text->str);

        if (!tg_cdm_prepare_step(trail.text, step))
            break;
        trail_step(&trail, env, before);
    }
    return trail;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static Tokens split(const char *text, GHashTable *names)
{
    const gsize length = strlen(text);
    Tokens out = { text, g_new(TgCdmRange, length / 2 + 1), g_new(guint32, length / 2 + 1), 0 };

    for (gsize start = 0; start < length;) {
        const gsize n = strcspn(text + start, " ");

        if (n > 0) {
            char *name = g_strndup(text + start, n);
            gpointer id = g_hash_table_lookup(names, name);

            if (id == NULL) {
                id = GUINT_TO_POINTER(g_hash_table_size(names) + 1);
                g_hash_table_insert(names, g_strdup(name), id);
            }
            g_free(name);
            out.tokens[out.n] = (TgCdmRange){ (guint32) start, (guint32) (start + n) };
            out.ids[out.n++] = GPOINTER_TO_UINT(id);
        }
        start += n + 1;
    }
    return out;
}

/* Braces come and go, and are no elements. */
static gboolean is_brace(const Tokens *tokens, guint i)
{
    const char *token = tokens->text + tokens->tokens[i].start;

    return tokens->tokens[i].end - tokens->tokens[i].start == 1 && (*token == '{' || *token == '}');
}

static guint length_of(const Tokens *tokens, guint i)
{
    return tokens->tokens[i].end - tokens->tokens[i].start;
}

/* ---- what changed between two matches -------------------------------------------------------- */

/* Tokens from @start to before @end, without braces. (transfer full) */
static GArray *list_changed(const Tokens *tokens, guint start, guint end)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(guint));

    for (guint i = start; i < end; i++)
        if (!is_brace(tokens, i))
            g_array_append_val(list, i);
    return list;
}

static gboolean all_equal(const Tokens *tokens, const GArray *list)
{
    for (guint k = 1; k < list->len; k++)
        if (tokens->ids[g_array_index(list, guint, k)] !=
            tokens->ids[g_array_index(list, guint, 0)])
            return FALSE;
    return TRUE;
}

/* One token became several or several one; `\dots \dots` became six equal ones, which are shared
 * out. */
static void share_out(const GArray *from, const TgCdmRange *origins, const GArray *to,
                      TgCdmRange *out)
{
    for (guint k = 0; k < to->len; k++) {
        const guint start = k * from->len / to->len, end = (k + 1) * from->len / to->len;
        TgCdmRange *range = &out[g_array_index(to, guint, k)];

        for (guint i = start; i < MAX(end, start + 1); i++)
            *range = join(*range, origins[g_array_index(from, guint, i)]);
    }
}

/* `\bigl (` became `\bigl(`: tokens joined by a stage have the bytes of all of them. */
static void follow_joins(const Tokens *before, const GArray *from, const TgCdmRange *origins,
                         const Tokens *after, const GArray *to, TgCdmRange *out)
{
    guint next = 0;

    for (guint k = 0; k < to->len; k++) {
        const guint j = g_array_index(to, guint, k);
        const char *rest = after->text + after->tokens[j].start;
        guint left = length_of(after, j);
        TgCdmRange sum = unknown;

        while (left > 0 && next < from->len) {
            const guint i = g_array_index(from, guint, next);
            const guint n = length_of(before, i);

            if (n > left || strncmp(before->text + before->tokens[i].start, rest, n) != 0)
                return;
            sum = join(sum, origins[i]);
            rest += n;
            left -= n;
            next++;
        }
        if (left == 0)
            out[j] = sum;
    }
}

static void follow_change(const Tokens *before, TgCdmRange from, const TgCdmRange *origins,
                          const Tokens *after, TgCdmRange to, TgCdmRange *out)
{
    g_autoptr(GArray) old = list_changed(before, from.start, from.end);
    g_autoptr(GArray) new = list_changed(after, to.start, to.end);

    if (old->len == 0 || new->len == 0)
        return;
    const gboolean is_even = old->len % new->len == 0 || new->len % old->len == 0;
    if (old->len == 1 || new->len == 1 || (is_even && all_equal(after, new)))
        share_out(old, origins, new, out);
    else
        follow_joins(before, old, origins, after, new, out);
}

/* The origins of the tokens @after a stage from those @before it. (transfer full) */
static TgCdmRange *follow(TgEnv *env, const Tokens *before, const TgCdmRange *origins,
                          const Tokens *after, guint id_bound)
{
    g_autofree guint32 *matches = match(env, (TgSequence){ before->ids, before->n, id_bound },
                                        (TgSequence){ after->ids, after->n, id_bound }, FALSE);
    TgCdmRange *out = g_new0(TgCdmRange, after->n + 1);
    guint from = 0, to = 0;

    for (guint j = 0; j <= after->n; j++) {
        if (j < after->n && matches[j] == NO_MATCH)
            continue;
        const guint i = j < after->n ? matches[j] : before->n;

        follow_change(before, (TgCdmRange){ from, i }, origins, after, (TgCdmRange){ to, j }, out);
        if (j < after->n)
            out[j] = origins[i];
        from = i + 1;
        to = j + 1;
    }
    return out;
}

/* ---- the way back ---------------------------------------------------------------------------- */

/* The line that was parsed, and of each of its bytes the one of the user's string. */
typedef struct {
    const char *text;
    const guint32 *bytes;
    const char *latex;
    gsize length; /* of @latex */
} Line;

/* Whether the user's string has the same text at @start; where bytes were deleted between equal
 * ones, the alignment may have taken the wrong ones. */
static gboolean has_same_text(const Line *line, TgCdmRange range, gint64 start)
{
    const gint64 n = range.end - range.start;

    return start >= 0 && start + n <= (gint64) line->length &&
           memcmp(line->latex + start, line->text + range.start, (gsize) n) == 0;
}

/* Whole characters. */
static TgCdmRange widen(const char *latex, TgCdmRange range)
{
    while (range.start > 0 && ((guchar) latex[range.start] & 0xC0) == 0x80)
        range.start--;
    while (((guchar) latex[range.end] & 0xC0) == 0x80)
        range.end++;
    return range;
}

static TgCdmRange to_latex(const Line *line, TgCdmRange range)
{
    const guint32 n = range.end - range.start;
    TgCdmRange out = unknown;

    for (guint32 i = range.start; i < range.end; i++)
        if (line->bytes[i] != NO_MATCH)
            out = join(out, (TgCdmRange){ line->bytes[i], line->bytes[i] + 1 });
    if (!is_known(out))
        return out;
    if (has_same_text(line, range, out.start))
        return (TgCdmRange){ out.start, out.start + n };
    if (has_same_text(line, range, (gint64) out.end - n))
        return (TgCdmRange){ out.end - n, out.end };
    return widen(line->latex, out);
}

/* What the parser printed, and of each byte where in @line it comes from; without a parser @line
 * itself. (transfer full) */
static char *print(const char *line, gboolean is_parsed, GArray *origins)
{
    g_autoptr(TgCdmSyntax) syntax = is_parsed ? tg_cdm_syntax_parse(line) : NULL;

    if (syntax != NULL)
        return tg_cdm_syntax_print(syntax, origins);
    for (guint32 i = 0; line[i] != '\0'; i++) {
        const TgCdmRange range = { i, i + 1 };
        g_array_append_val(origins, range);
    }
    return g_strdup(line);
}

/* The user's bytes of every token of @printed. (transfer full) */
static TgCdmRange *origins_of(const Tokens *printed, const GArray *origins, const Line *line)
{
    TgCdmRange *out = g_new0(TgCdmRange, printed->n + 1);

    for (guint i = 0; i < printed->n; i++)
        for (guint32 k = printed->tokens[i].start; k < printed->tokens[i].end; k++)
            out[i] = join(out[i], to_latex(line, g_array_index(origins, TgCdmRange, k)));
    return out;
}

/* Both are in the order of the source, but a token may be an element twice. */
static void assign(const Tokens *source, const TgCdmRange *origins, const GPtrArray *elements,
                   TgCdmRange *spans)
{
    g_autofree guint32 *token_at = g_new0(guint32, strlen(source->text) + 1);

    for (guint i = 0; i < source->n; i++)
        token_at[source->tokens[i].start] = i;
    for (guint i = 0; i < elements->len; i++) {
        const TgCdmElement *element = elements->pdata[i];

        if (element->end > element->start)
            spans[i] = origins[token_at[element->start]];
    }
}

void tg_cdm_find_spans(TgEnv *env, const char *latex, const char *source, const GPtrArray *elements,
                       TgCdmRange *spans)
{
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GArray) origins = g_array_new(FALSE, FALSE, sizeof(TgCdmRange));
    gboolean is_table, is_chinese;
    g_autofree char *cleaned = tg_cdm_clean_up(latex, &is_table, &is_chinese);

    for (guint i = 0; i < elements->len; i++)
        spans[i] = unknown;
    if (is_table || elements->len == 0 || strlen(latex) > MAX_BYTES ||
        strlen(cleaned) > MAX_BYTES || strlen(source) > 10 * MAX_BYTES)
        return;
    g_autofree char *parsed = tg_cdm_tokenize_formula(cleaned);
    g_auto(Trail) trail = trail_of(env, latex, cleaned, parsed != NULL);
    g_autofree char *printed_text = print(trail.text->str, parsed != NULL, origins);
    const Line line = { trail.text->str, trail.bytes, latex, strlen(latex) };
    g_auto(Tokens) printed = split(printed_text, names);
    g_auto(Tokens) normalized = split(source, names);
    g_autofree TgCdmRange *before = origins_of(&printed, origins, &line);
    g_autofree TgCdmRange *after =
        follow(env, &printed, before, &normalized, g_hash_table_size(names) + 1);
    assign(&normalized, after, elements, spans);
}
