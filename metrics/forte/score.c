/* Turns edits into a severity, and a severity into a score. */
#include "metrics/forte/forte.h"

#include <math.h>

#define STEEPNESS  0.75 /* how fast the score falls with the severity */
#define REPEAT     0.3  /* what a repeated error counts */
#define WORD_MAX   1.3  /* the most that the errors of one word count */
#define SIZE       15   /* of a reference whose errors count as they are */
#define SIZE_SHIFT 10   /* two signs are no worse than ten to have an error in */
#define SIZE_POWER (2.0 / 3)
#define RENAMED    0.5  /* what a letter counts that has another name throughout */
#define CLASH      2    /* what a look-alike counts that the reference has: as any letter */
#define MERGED     0.35 /* two symbols of different styles became one */
#define SPLIT      0.12 /* one symbol became two of different styles */

#define MAX_NAMED   256 /* edits that are looked at for renamed letters */
#define MAX_LETTERS 64  /* whose styles are looked at */

#define NO_WORD G_MAXUINT32

const double tg_forte_weights[TG_N_FORTE_PROFILES][TG_N_FORTE_EDITS] = {
#define X(id, name, help, strict, ocr) [TG_FORTE_EDIT_##id] = 1,
    [TG_FORTE_PEOPLE] = { TG_FORTE_CLASSES(X) },
#undef X
#define X(id, name, help, strict, ocr) [TG_FORTE_EDIT_##id] = strict,
    [TG_FORTE_STRICT] = { TG_FORTE_CLASSES(X) },
#undef X
#define X(id, name, help, strict, ocr) [TG_FORTE_EDIT_##id] = ocr,
    [TG_FORTE_OCR] = { TG_FORTE_CLASSES(X) },
#undef X
};

/* ---- Styles --------------------------------------------------------------------------------- */

/* Font and upright in one number, of which there are N_STYLES. */
enum { N_STYLES = 2 * TG_N_FORTE_FONTS };

/* Which style of the reference became which of the hypothesis, for one letter. */
typedef struct {
    TgForteName name;
    guint32 n[N_STYLES][N_STYLES];
    guint8 merged[N_STYLES]; /* styles of the reference that became this one */
    guint8 habit[N_STYLES];  /* the usual style of the hypothesis for this one, plus 1 */
} Letter;

/* A letter that is aligned with itself. */
typedef struct {
    TgForteName name;
    guint before, after; /* its styles */
    guint32 ref, hyp;
    TgForteEdit *edit; /* of its font, or NULL */
} Place;

/* A walk over the letters that are aligned with themselves. */
typedef struct {
    const GArray *ref, *hyp, *edits;
    guint32 i, j;
    guint e;
} Walk;

static gboolean is_upright_letter(const GArray *tokens, guint32 i)
{
    return i < tokens->len && tg_forte_at(tokens, i)->kind == TG_FORTE_LATIN &&
           tg_forte_at(tokens, i)->upright;
}

/* A letter by itself: those of a word are upright because it is a word. */
static gboolean is_single_letter(const GArray *tokens, guint32 i)
{
    if (!is_upright_letter(tokens, i))
        return tg_forte_is_letter(tg_forte_at(tokens, i));
    return (i == 0 || !is_upright_letter(tokens, i - 1)) && !is_upright_letter(tokens, i + 1);
}

static guint style_of(const TgForteToken *token)
{
    return 2u * token->font + token->upright;
}

static gboolean next_place(Walk *self, Place *out)
{
    while (self->i < self->ref->len && self->j < self->hyp->len) {
        const guint32 i = self->i, j = self->j;
        TgForteEdit *edit = self->e < self->edits->len ? tg_forte_edit(self->edits, self->e) : NULL;

        if (edit != NULL && (edit->ref != i || edit->hyp != j))
            edit = NULL;
        self->i += edit == NULL || edit->lost;
        self->j += edit == NULL || edit->added;
        self->e += edit != NULL;
        if ((edit == NULL || edit->class == TG_FORTE_EDIT_STYLE) &&
            is_single_letter(self->ref, i) && is_single_letter(self->hyp, j)) {
            const TgForteToken *ref = tg_forte_at(self->ref, i);

            *out = (Place){ ref->name, style_of(ref), style_of(tg_forte_at(self->hyp, j)), i,
                            j,         edit };
            return TRUE;
        }
    }
    return FALSE;
}

static Letter *find_letter(const GArray *letters, TgForteName name)
{
    for (guint l = 0; l < letters->len; l++) {
        Letter *letter = &g_array_index(letters, Letter, l);

        if (letter->name == name)
            return letter;
    }
    return NULL;
}

/* The letters that some place has in another style, and what became of each style; NULL: none. */
static GArray *judge_letters(const Walk *start)
{
    g_autoptr(GArray) letters = NULL;
    Walk walk = *start;
    Letter *letter;
    Place place;

    while (next_place(&walk, &place)) {
        const Letter fresh = { .name = place.name };

        if (place.before == place.after)
            continue;
        if (letters == NULL)
            letters = g_array_new(FALSE, FALSE, sizeof(Letter));
        if (letters->len < MAX_LETTERS && find_letter(letters, place.name) == NULL)
            g_array_append_val(letters, fresh);
    }
    if (letters == NULL)
        return NULL;
    walk = *start;
    while (next_place(&walk, &place)) {
        if ((letter = find_letter(letters, place.name)) != NULL)
            letter->n[place.before][place.after]++;
    }
    for (guint l = 0; l < letters->len; l++) {
        letter = &g_array_index(letters, Letter, l);
        for (guint s = 0; s < N_STYLES; s++) {
            guint best = 0;

            for (guint t = 0; t < N_STYLES; t++) {
                letter->merged[t] += letter->n[s][t] > 0;
                if (letter->n[s][t] > best) {
                    best = letter->n[s][t];
                    letter->habit[s] = (guint8) (t + 1);
                }
            }
        }
    }
    return g_steal_pointer(&letters);
}

/* Merge @added into @edits, both from left to right. */
static void merge_edits(GArray *edits, const GArray *added)
{
    guint from = edits->len, more = added->len, to = from + more;

    g_array_set_size(edits, to);
    while (more > 0) {
        const TgForteEdit *last = tg_forte_edit(added, more - 1);
        const TgForteEdit *old = from > 0 ? tg_forte_edit(edits, from - 1) : NULL;

        if (old != NULL && (old->ref > last->ref || old->hyp > last->hyp)) {
            *tg_forte_edit(edits, --to) = *old;
            from--;
        } else {
            *tg_forte_edit(edits, --to) = *last;
            more--;
        }
    }
}

void tg_forte_price_styles(const GArray *ref, const GArray *hyp, GArray *edits)
{
    Walk walk = { .ref = ref, .hyp = hyp, .edits = edits };
    g_autoptr(GArray) letters = judge_letters(&walk);
    Place place;

    if (letters == NULL)
        return;
    g_autoptr(GArray) added = g_array_new(FALSE, FALSE, sizeof(TgForteEdit));
    while (next_place(&walk, &place)) {
        const Letter *letter = find_letter(letters, place.name);

        if (letter == NULL || place.before == place.after)
            continue;
        const double cost = letter->merged[place.after] > 1                  ? MERGED
                            : letter->habit[place.before] != place.after + 1 ? SPLIT
                                                                             : 0;
        if (place.edit != NULL) {
            place.edit->cost = MAX(place.edit->cost, cost);
        } else if (cost > 0) {
            const TgForteEdit style = { .cost = cost,
                                        .class = TG_FORTE_EDIT_STYLE,
                                        .lost = 1,
                                        .added = 1,
                                        .ref = place.ref,
                                        .hyp = place.hyp };
            g_array_append_val(added, style);
        }
    }
    merge_edits(edits, added);
}

/* ---- Repeats and words ---------------------------------------------------------------------- */

/* Class and the two names, of 23 bits each, in one number. */
static gint64 edit_key(const TgForteEdit *edit, const GArray *ref, const GArray *hyp)
{
    return (gint64) edit->class << 46 |
           (gint64) (edit->lost ? tg_forte_at(ref, edit->ref)->name : 0) << 23 |
           (edit->added ? tg_forte_at(hyp, edit->hyp)->name : 0);
}

static gboolean may_repeat(guint8 class)
{
    return class != TG_FORTE_EDIT_SYMBOL && class != TG_FORTE_EDIT_STRUCTURE &&
           class != TG_FORTE_EDIT_DELIMITER && class != TG_FORTE_EDIT_PUNCTUATION;
}

/* For each token the first one of the word that it stands in, or NO_WORD. */
static guint32 *find_words(const GArray *ref)
{
    guint32 *words = g_new(guint32, (gsize) ref->len + 1);

    for (guint32 i = 0, end; i < ref->len; i = end) {
        end = i + 1;
        if (is_upright_letter(ref, i)) {
            while (is_upright_letter(ref, end))
                end++;
        }
        for (guint32 k = i; k < end; k++)
            words[k] = end - i > 1 ? i : NO_WORD;
    }
    words[ref->len] = NO_WORD;
    return words;
}

/* The word that an edit falls in: on one of its letters, or added between two. */
static guint32 word_of(const guint32 *words, const TgForteEdit *edit)
{
    switch ((TgForteEditClass) edit->class) {
    case TG_FORTE_EDIT_LETTER:
    case TG_FORTE_EDIT_CASE:
    case TG_FORTE_EDIT_LOOK_ALIKE:
    case TG_FORTE_EDIT_VARIANT:
    case TG_FORTE_EDIT_STYLE:
    case TG_FORTE_EDIT_SYMBOL:
        break;
    default:
        return NO_WORD;
    }
    if (edit->lost)
        return words[edit->ref];
    return edit->ref > 0 && words[edit->ref - 1] == words[edit->ref] ? words[edit->ref] : NO_WORD;
}

/* ---- Names ---------------------------------------------------------------------------------- */

static guint32 count_name(const GArray *tokens, TgForteName name)
{
    guint32 n = 0;

    for (guint32 i = 0; i < tokens->len; i++)
        n += tg_forte_at(tokens, i)->name == name;
    return n;
}

/* What an error of names counts, of its cost. A letter that the reference has several times, all of
 * them renamed to one that it has not, leaves a formula that still says the same. One that looks
 * like the letter that it was, and that the reference has as well, is an error nobody can see. */
static double factor_of_names(const GArray *ref, const GArray *hyp, const TgForteEdit *edit)
{
    const gboolean looks_alike =
        edit->class == TG_FORTE_EDIT_LOOK_ALIKE || edit->class == TG_FORTE_EDIT_CASE;

    if (!edit->lost || !edit->added || (!looks_alike && edit->class != TG_FORTE_EDIT_LETTER))
        return 1;

    const TgForteToken *from = tg_forte_at(ref, edit->ref), *to = tg_forte_at(hyp, edit->hyp);
    if (!tg_forte_is_letter(from) || !tg_forte_is_letter(to))
        return 1;
    if (count_name(ref, to->name) > 0)
        return looks_alike ? CLASH : 1;
    const guint32 n = count_name(ref, from->name);
    return n > 1 && count_name(hyp, to->name) == n && count_name(hyp, from->name) == 0 ? RENAMED
                                                                                       : 1;
}

/* ---- Severity ------------------------------------------------------------------------------- */

double tg_forte_severity(const double *weights, const GArray *ref, const GArray *hyp,
                         const GArray *edits, double *counted)
{
    if (edits->len == 0)
        return 0;

    g_autoptr(GHashTable) seen = g_hash_table_new(g_int64_hash, g_int64_equal);
    g_autofree gint64 *keys = g_new(gint64, edits->len);
    g_autofree guint32 *words = find_words(ref);
    guint32 word = NO_WORD;
    double sum = 0, in_word = 0;

    for (guint i = 0; i < edits->len; i++) {
        const TgForteEdit *edit = tg_forte_edit(edits, i);
        const guint32 own_word = edit->group == 0 ? word_of(words, edit) : NO_WORD;
        double cost = edit->cost;

        keys[i] = edit_key(edit, ref, hyp);
        const gboolean again = !g_hash_table_add(seen, &keys[i]);
        if (edit->group != 0) {
            cost = edit->share;
        } else {
            if (again && may_repeat(edit->class))
                cost *= REPEAT;
            if (i < MAX_NAMED)
                cost *= factor_of_names(ref, hyp, edit);
        }
        cost *= weights[edit->class];
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
        n += tg_forte_cost_of_loss(tg_forte_at(ref, i));
    return MAX(n, 1);
}

double tg_forte_score(TgForteVariant variant, double severity, double size)
{
    const double factor =
        variant == TG_FORTE_SIMPLE ? 1 : pow((SIZE + SIZE_SHIFT) / (size + SIZE_SHIFT), SIZE_POWER);

    return 1 / (1 + STEEPNESS * severity * factor);
}
