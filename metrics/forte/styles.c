/* Prices the styles of letters by what the two formulas do with each letter. */
#include "metrics/forte/styles.h"

#define MERGED 0.35 /* two symbols became one */
#define SPLIT  0.12 /* one symbol became two */

#define MAX_LETTERS 64 /* that are looked at */

/* Font and upright in one number, of which there are N_STYLES. */
enum { N_STYLES = 2 * TG_N_FORTE_FONTS };

/* Which style of the reference became which of the hypothesis, for one letter. */
typedef struct {
    TgForteName name;
    guint32 n[N_STYLES][N_STYLES];
    guint8 merged[N_STYLES]; /* styles of the reference that became this one */
    guint8 habit[N_STYLES];  /* the usual style of the hypothesis for this one, plus 1 */
} Letter;

typedef struct {
    const GArray *ref, *hyp;
    GArray *letters; /* of Letter: those that changed their style somewhere; NULL: none */
} Styles;

static const TgForteToken *token_at(const GArray *tokens, guint32 i)
{
    return &g_array_index(tokens, TgForteToken, i);
}

/* A letter by itself: those of a word are upright because it is a word. */
static gboolean is_single_letter(const GArray *tokens, guint32 i)
{
    const TgForteToken *token = token_at(tokens, i);

    if (token->kind == TG_FORTE_GREEK)
        return TRUE;
    if (token->kind != TG_FORTE_LATIN)
        return FALSE;
    return !token->upright ||
           ((i == 0 || token_at(tokens, i - 1)->kind != TG_FORTE_LATIN ||
             !token_at(tokens, i - 1)->upright) &&
            (i + 1 >= tokens->len || token_at(tokens, i + 1)->kind != TG_FORTE_LATIN ||
             !token_at(tokens, i + 1)->upright));
}

static guint style_of(const TgForteToken *token)
{
    return 2u * token->font + token->upright;
}

/* Calls @visit for every letter that is aligned with itself. @edit: its edit or NULL. */
typedef void (*Visit)(Styles *self, guint32 i, guint32 j, TgForteEdit *edit, gpointer data);

static void for_letters(Styles *self, GArray *edits, Visit visit, gpointer data)
{
    guint32 i = 0, j = 0;
    guint e = 0;

    while (i < self->ref->len && j < self->hyp->len) {
        TgForteEdit *edit = e < edits->len ? &g_array_index(edits, TgForteEdit, e) : NULL;
        const gboolean here = edit != NULL && edit->ref == i && edit->hyp == j;

        if ((!here || edit->class == TG_FORTE_EDIT_STYLE) && is_single_letter(self->ref, i) &&
            is_single_letter(self->hyp, j))
            visit(self, i, j, here ? edit : NULL, data);
        i += !here || edit->lost;
        j += !here || edit->added;
        e += here;
    }
}

static Letter *find_letter(Styles *self, TgForteName name)
{
    for (guint l = 0; l < self->letters->len; l++) {
        Letter *letter = &g_array_index(self->letters, Letter, l);

        if (letter->name == name)
            return letter;
    }
    return NULL;
}

/* First those that some place has in another style; the rest need no look. */
static void note_changed(Styles *self, guint32 i, guint32 j, TgForteEdit *edit, gpointer data)
{
    const TgForteToken *ref = token_at(self->ref, i);

    (void) edit;
    (void) data;
    if (style_of(ref) == style_of(token_at(self->hyp, j)))
        return;
    if (self->letters == NULL)
        self->letters = g_array_new(FALSE, FALSE, sizeof(Letter));
    if (self->letters->len < MAX_LETTERS && find_letter(self, ref->name) == NULL) {
        const Letter letter = { .name = ref->name };
        g_array_append_val(self->letters, letter);
    }
}

static void count_styles(Styles *self, guint32 i, guint32 j, TgForteEdit *edit, gpointer data)
{
    Letter *letter = find_letter(self, token_at(self->ref, i)->name);

    (void) edit;
    (void) data;
    if (letter != NULL)
        letter->n[style_of(token_at(self->ref, i))][style_of(token_at(self->hyp, j))]++;
}

static void judge_letter(Letter *letter)
{
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

static void price_letter(Styles *self, guint32 i, guint32 j, TgForteEdit *edit, gpointer data)
{
    const Letter *letter = find_letter(self, token_at(self->ref, i)->name);
    const guint s = style_of(token_at(self->ref, i)), t = style_of(token_at(self->hyp, j));
    GArray *added = data;
    double cost;

    if (letter == NULL || s == t)
        return;
    cost = letter->merged[t] > 1 ? MERGED : letter->habit[s] != t + 1 ? SPLIT : 0;
    if (edit != NULL) {
        edit->cost = MAX(edit->cost, cost);
    } else if (cost > 0) {
        const TgForteEdit style = {
            .cost = cost, .class = TG_FORTE_EDIT_STYLE, .lost = 1, .added = 1, .ref = i, .hyp = j
        };
        g_array_append_val(added, style);
    }
}

/* Merge @added into @edits, both from left to right. */
static void merge_edits(GArray *edits, const GArray *added)
{
    guint from = edits->len, more = added->len, to = from + more;

    g_array_set_size(edits, to);
    while (more > 0) {
        const TgForteEdit *last = &g_array_index(added, TgForteEdit, more - 1);
        const TgForteEdit *old = from > 0 ? &g_array_index(edits, TgForteEdit, from - 1) : NULL;

        if (old != NULL && (old->ref > last->ref || old->hyp > last->hyp)) {
            g_array_index(edits, TgForteEdit, --to) = *old;
            from--;
        } else {
            g_array_index(edits, TgForteEdit, --to) = *last;
            more--;
        }
    }
}

void tg_forte_price_styles(const GArray *ref, const GArray *hyp, GArray *edits)
{
    Styles self = { .ref = ref, .hyp = hyp };

    for_letters(&self, edits, note_changed, NULL);
    if (self.letters == NULL)
        return;
    g_autoptr(GArray) letters = self.letters;
    g_autoptr(GArray) added = g_array_new(FALSE, FALSE, sizeof(TgForteEdit));

    for_letters(&self, edits, count_styles, NULL);
    for (guint l = 0; l < letters->len; l++)
        judge_letter(&g_array_index(letters, Letter, l));
    for_letters(&self, edits, price_letter, added);
    merge_edits(edits, added);
}
