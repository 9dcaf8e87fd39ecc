/* Equation numbers and blanks of text. */
#include "metrics/forte/settle.h"

static TgForteToken *token_at(const GArray *tokens, guint32 i)
{
    return &g_array_index(tokens, TgForteToken, i);
}

/* ---- Equation numbers ---- */

static void drop_end_punctuation(GArray *tokens)
{
    while (tokens->len > 0 && token_at(tokens, tokens->len - 1)->kind == TG_FORTE_PUNCTUATION)
        g_array_set_size(tokens, tokens->len - 1);
}

/* Drop `(1)` from the end of @tokens where 1 is @tag. */
static void drop_typed_number(GArray *tokens, const TgForteReading *tagged)
{
    const guint32 n = tagged->n_tag;

    if (tokens->len < n + 2 || token_at(tokens, tokens->len - 1)->name != ')' ||
        token_at(tokens, tokens->len - n - 2)->name != '(')
        return;
    for (guint32 i = 0; i < n; i++) {
        if (token_at(tokens, tokens->len - n - 1 + i)->name != tagged->tag[i].name)
            return;
    }
    g_array_set_size(tokens, tokens->len - n - 2);
    drop_end_punctuation(tokens);
}

static void append_number(TgForteSide *side)
{
    const TgForteReading *reading = side->reading;
    TgForteToken bracket = reading->tag[0];

    bracket.name = '(';
    bracket.kind = TG_FORTE_DELIMITER;
    g_array_append_val(side->tokens, bracket);
    g_array_append_vals(side->tokens, reading->tag, reading->n_tag);
    bracket.name = ')';
    g_array_append_val(side->tokens, bracket);
}

static void settle_numbers(TgForteSide *ref, TgForteSide *hyp)
{
    const gboolean in_ref = ref->reading->n_tag > 0, in_hyp = hyp->reading->n_tag > 0;

    if (in_ref && in_hyp) {
        append_number(ref);
        append_number(hyp);
    } else if (in_ref) {
        drop_typed_number(hyp->tokens, ref->reading);
    } else if (in_hyp) {
        drop_typed_number(ref->tokens, hyp->reading);
    }
}

/* ---- Blanks ---- */

static void drop_blanks(GArray *tokens)
{
    guint32 n = 0;

    for (guint32 i = 0; i < tokens->len; i++) {
        if (token_at(tokens, i)->name != TG_FORTE_BLANK)
            *token_at(tokens, n++) = *token_at(tokens, i);
    }
    g_array_set_size(tokens, n);
}

void tg_forte_settle(TgForteSide *ref, TgForteSide *hyp)
{
    settle_numbers(ref, hyp);
    if (!hyp->reading->has_text && ref->reading->has_text)
        drop_blanks(ref->tokens);
    if (!ref->reading->has_text && hyp->reading->has_text)
        drop_blanks(hyp->tokens);
}
