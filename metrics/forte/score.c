/* Turns edits into a severity, and a severity into a score. */
#include "metrics/forte/score.h"

#include <math.h>

#define STEEPNESS  0.75 /* how fast the score falls with the severity */
#define REPEAT     0.3  /* what a repeated error counts */
#define WORD_MAX   1.3  /* the most that the errors of one word count */
#define SIZE       15   /* of a reference whose errors count as they are */
#define SIZE_SHIFT 10   /* two signs are no worse than ten to have an error in */
#define SIZE_POWER (2.0 / 3)
#define RENAMED    0.5 /* what a letter counts that has another name throughout */
#define CLASH      2   /* what a look-alike counts that the reference has: as any letter */

#define MAX_NAMED 256 /* edits that are looked at for renamed letters */

#define NO_WORD G_MAXUINT32

static const TgForteToken *token_at(const GArray *tokens, guint32 i)
{
    return &g_array_index(tokens, TgForteToken, i);
}

/* ---- Repeats ------------------------------------------------------------------------------- */

static TgForteName name_of(const GArray *tokens, guint32 i, gboolean there)
{
    return there ? token_at(tokens, i)->name : 0;
}

/* Class and the two names, of 23 bits each, in one number. */
static gint64 edit_key(const TgForteEdit *edit, const GArray *ref, const GArray *hyp)
{
    return (gint64) edit->class << 46 | (gint64) name_of(ref, edit->ref, edit->lost) << 23 |
           name_of(hyp, edit->hyp, edit->added);
}

static gboolean may_repeat(guint8 class)
{
    return class != TG_FORTE_EDIT_SYMBOL && class != TG_FORTE_EDIT_STRUCTURE &&
           class != TG_FORTE_EDIT_DELIMITER && class != TG_FORTE_EDIT_PUNCTUATION;
}

/* ---- Words --------------------------------------------------------------------------------- */

static gboolean is_word_letter(const GArray *tokens, guint32 i)
{
    const TgForteToken *token = token_at(tokens, i);

    return token->kind == TG_FORTE_LATIN && token->upright;
}

/* For each token the first one of the word that it stands in, or NO_WORD. */
static guint32 *find_words(const GArray *ref)
{
    guint32 *words = g_new(guint32, (gsize) ref->len + 1);

    for (guint32 i = 0, end; i < ref->len; i = end) {
        end = i + 1;
        if (is_word_letter(ref, i)) {
            while (end < ref->len && is_word_letter(ref, end))
                end++;
        }
        for (guint32 k = i; k < end; k++)
            words[k] = end - i > 1 ? i : NO_WORD;
    }
    words[ref->len] = NO_WORD;
    return words;
}

static gboolean counts_in_words(guint8 class)
{
    return class == TG_FORTE_EDIT_LETTER || class == TG_FORTE_EDIT_CASE ||
           class == TG_FORTE_EDIT_LOOK_ALIKE || class == TG_FORTE_EDIT_VARIANT ||
           class == TG_FORTE_EDIT_STYLE || class == TG_FORTE_EDIT_SYMBOL;
}

/* The word that an edit falls in: on one of its letters, or added between two. */
static guint32 word_of(const guint32 *words, const TgForteEdit *edit)
{
    if (!counts_in_words(edit->class))
        return NO_WORD;
    if (edit->lost)
        return words[edit->ref];
    return edit->ref > 0 && words[edit->ref - 1] == words[edit->ref] ? words[edit->ref] : NO_WORD;
}

/* ---- Names ---------------------------------------------------------------------------------- */

static gboolean is_letter(const TgForteToken *token)
{
    return token->kind == TG_FORTE_LATIN || token->kind == TG_FORTE_GREEK;
}

static guint32 count_name(const GArray *tokens, TgForteName name)
{
    guint32 n = 0;

    for (guint32 i = 0; i < tokens->len; i++)
        n += token_at(tokens, i)->name == name;
    return n;
}

/* Whether @edit renames a letter that the reference has several times, all of them, to one that it
 * has not: the formula still says the same, in other letters. */
static gboolean is_renaming(const GArray *ref, const GArray *hyp, const TgForteEdit *edit)
{
    if (!edit->lost || !edit->added ||
        (edit->class != TG_FORTE_EDIT_LETTER && edit->class != TG_FORTE_EDIT_LOOK_ALIKE &&
         edit->class != TG_FORTE_EDIT_CASE))
        return FALSE;

    const TgForteToken *from = token_at(ref, edit->ref), *to = token_at(hyp, edit->hyp);
    if (!is_letter(from) || !is_letter(to))
        return FALSE;
    const guint32 n = count_name(ref, from->name);
    return n > 1 && count_name(hyp, to->name) == n && count_name(hyp, from->name) == 0 &&
           count_name(ref, to->name) == 0;
}

/* Whether @edit puts for a letter one that looks like it, and that the reference has as well:
 * nobody can tell that it was misread. */
static gboolean is_clash(const GArray *ref, const GArray *hyp, const TgForteEdit *edit)
{
    if (edit->class != TG_FORTE_EDIT_LOOK_ALIKE && edit->class != TG_FORTE_EDIT_CASE)
        return FALSE;

    const TgForteToken *to = token_at(hyp, edit->hyp);
    return is_letter(token_at(ref, edit->ref)) && is_letter(to) && count_name(ref, to->name) > 0;
}

/* ---- Severity ------------------------------------------------------------------------------- */

const double *tg_forte_profile_weights(TgForteProfile profile)
{
    static const double weights[TG_N_FORTE_PROFILES][TG_N_FORTE_EDITS] = {
        [TG_FORTE_PEOPLE] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 },
        [TG_FORTE_STRICT] = { [TG_FORTE_EDIT_SYMBOL] = 1.5,
                              [TG_FORTE_EDIT_LETTER] = 1.5,
                              [TG_FORTE_EDIT_DIGIT] = 1.5,
                              [TG_FORTE_EDIT_OPERATOR] = 1.5,
                              [TG_FORTE_EDIT_CROSS_KIND] = 1.5,
                              [TG_FORTE_EDIT_LOOK_ALIKE] = 3,
                              [TG_FORTE_EDIT_CASE] = 3,
                              [TG_FORTE_EDIT_VARIANT] = 1,
                              [TG_FORTE_EDIT_ACCENT] = 1.5,
                              [TG_FORTE_EDIT_STRUCTURE] = 1.5,
                              [TG_FORTE_EDIT_DELIMITER] = 1,
                              [TG_FORTE_EDIT_PUNCTUATION] = 0.5,
                              [TG_FORTE_EDIT_STYLE] = 0.5 },
        [TG_FORTE_OCR] = { [TG_FORTE_EDIT_SYMBOL] = 1,
                           [TG_FORTE_EDIT_LETTER] = 1,
                           [TG_FORTE_EDIT_DIGIT] = 0.75,
                           [TG_FORTE_EDIT_OPERATOR] = 1,
                           [TG_FORTE_EDIT_CROSS_KIND] = 1,
                           [TG_FORTE_EDIT_LOOK_ALIKE] = 2,
                           [TG_FORTE_EDIT_CASE] = 2,
                           [TG_FORTE_EDIT_VARIANT] = 3,
                           [TG_FORTE_EDIT_ACCENT] = 1,
                           [TG_FORTE_EDIT_STRUCTURE] = 1,
                           [TG_FORTE_EDIT_DELIMITER] = 1.5,
                           [TG_FORTE_EDIT_PUNCTUATION] = 2,
                           [TG_FORTE_EDIT_STYLE] = 2 },
    };

    return weights[profile];
}

/* The share of its slip, or its own cost, less when it is seen again or is a matter of names. */
static double cost_of(const GArray *ref, const GArray *hyp, const TgForteEdit *edit, gboolean again,
                      gboolean named)
{
    const double cost = again && may_repeat(edit->class) ? REPEAT * edit->cost : edit->cost;

    if (edit->group != 0)
        return edit->share;
    if (named && is_renaming(ref, hyp, edit))
        return RENAMED * cost;
    return named && is_clash(ref, hyp, edit) ? CLASH * cost : cost;
}

double tg_forte_severity(const double *weights, const GArray *ref, const GArray *hyp,
                         const GArray *edits, double *counted)
{
    if (edits->len == 0)
        return 0;

    g_autoptr(GHashTable) seen = g_hash_table_new(g_int64_hash, g_int64_equal);
    g_autofree gint64 *keys = g_new(gint64, edits->len);
    g_autofree guint32 *words = find_words(ref);
    double sum = 0, in_word = 0;
    guint32 word = NO_WORD;

    for (guint i = 0; i < edits->len; i++) {
        const TgForteEdit *edit = &g_array_index(edits, TgForteEdit, i);
        const guint32 own_word = edit->group == 0 ? word_of(words, edit) : NO_WORD;

        keys[i] = edit_key(edit, ref, hyp);
        const gboolean again = !g_hash_table_add(seen, &keys[i]);
        const double cost = weights[edit->class] * cost_of(ref, hyp, edit, again, i < MAX_NAMED);

        if (counted != NULL)
            counted[i] = cost;
        if (own_word == NO_WORD) {
            sum += cost;
            continue;
        }
        if (own_word != word) { /* edits of one word stand together, from left to right */
            sum += MIN(in_word, WORD_MAX);
            in_word = 0;
            word = own_word;
        }
        in_word += cost;
    }
    return sum + MIN(in_word, WORD_MAX);
}

double tg_forte_size(const GArray *ref)
{
    double n = 0;

    for (guint32 i = 0; i < ref->len; i++)
        n += tg_forte_price_of_loss(token_at(ref, i)).cost;
    return MAX(n, 1);
}

double tg_forte_score(TgForteVariant variant, double severity, double size)
{
    const double factor =
        variant == TG_FORTE_SIMPLE ? 1 : pow((SIZE + SIZE_SHIFT) / (size + SIZE_SHIFT), SIZE_POWER);

    return 1 / (1 + STEEPNESS * severity * factor);
}

void tg_forte_interval(double score, double *low, double *high)
{
    /* 5 % of the ratings lie below and 5 % above, where there are errors; without any, 10 % below
     */
    *low = score < 1 ? MAX(score - 0.24, 0) : 0.83;
    *high = score < 1 ? MIN(score + 0.17, 1) : 1;
}
