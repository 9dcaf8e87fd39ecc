/* Runs of edits as sentences. */
#include "metrics/forte/words.h"

#include "metrics/forte/slips.h"

enum { MAX_TOKENS = 14 };

/* What a mark of structure is called; NULL: it only ends something. */
static const char *const marks[TG_FORTE_MARKS_END - TG_FORTE_NAMES] = {
    [TG_FORTE_FRAC - TG_FORTE_NAMES] = "fraction",
    [TG_FORTE_SQRT - TG_FORTE_NAMES] = "root",
    [TG_FORTE_SUB - TG_FORTE_NAMES] = "subscript",
    [TG_FORTE_SUP - TG_FORTE_NAMES] = "superscript",
    [TG_FORTE_DEN - TG_FORTE_NAMES] = "over",
    [TG_FORTE_MAT - TG_FORTE_NAMES] = "grid",
    [TG_FORTE_NEXT_ROW - TG_FORTE_NAMES] = "row break",
    [TG_FORTE_NEXT_CELL - TG_FORTE_NAMES] = "column break",
};

gboolean tg_forte_is_end(const GArray *tokens, guint at)
{
    return g_array_index(tokens, TgForteToken, at).kind == TG_FORTE_END;
}

static void append_word(GString *out, const char *word)
{
    g_string_append_printf(out, "%s%s", out->len > 0 ? " " : "", word);
}

static void append_token(GString *out, const TgForteNames *names, const TgForteToken *token)
{
    static const char *const fonts[TG_N_FORTE_FONTS] = {
        [TG_FORTE_BOLD] = "bold",
        [TG_FORTE_BLACKBOARD] = "blackboard",
        [TG_FORTE_CALLIGRAPHIC] = "calligraphic",
        [TG_FORTE_FRAKTUR] = "fraktur",
    };
    char buffer[TG_FORTE_NAME_BUFFER];

    if (token->name >= TG_FORTE_FRAC && token->name < TG_FORTE_MARKS_END) {
        const char *word = marks[token->name - TG_FORTE_NAMES];
        if (word != NULL)
            append_word(out, word);
        return;
    }
    if (fonts[token->font] != NULL)
        append_word(out, fonts[token->font]);
    append_word(out, tg_forte_names_text(names, token->name, buffer));
}

/* One side of a run; "" where it has nothing there. (transfer full) */
static char *side_in_words(const TgForteComparison *self, guint first, guint end, gboolean of_ref)
{
    GString *out = g_string_new(NULL);
    guint n = 0;

    for (guint i = first; i < end && n <= MAX_TOKENS; i++) {
        const TgForteEdit *edit = &g_array_index(self->edits, TgForteEdit, i);

        if (of_ref ? !edit->lost : !edit->added)
            continue;
        if (n++ == MAX_TOKENS)
            append_word(out, "...");
        else
            append_token(out, self->names,
                         of_ref ? &g_array_index(self->ref, TgForteToken, edit->ref)
                                : &g_array_index(self->hyp, TgForteToken, edit->hyp));
    }
    if (n > 0 && out->len == 0)
        g_string_assign(out, "end of a group");
    return g_string_free(out, FALSE);
}

static void append_range(GString *out, const TgForteComparison *self, guint32 first, guint32 n)
{
    for (guint32 i = 0; i < MIN(n, MAX_TOKENS); i++)
        append_token(out, self->names, &g_array_index(self->ref, TgForteToken, first + i));
    if (n > MAX_TOKENS)
        append_word(out, "...");
}

/* What was exchanged or moved; NULL: the slip has no parts. (transfer full) */
static char *parts_in_words(const TgForteComparison *self, const TgForteEdit *edit,
                            const TgForteEdit *last)
{
    const char *name = tg_forte_slip_name((TgForteSlip) edit->slip);

    switch (edit->slip) {
    case TG_FORTE_SLIP_FRACTION:
    case TG_FORTE_SLIP_SCRIPTS:
        return g_strdup(name);
    case TG_FORTE_SLIP_ROWS:
    case TG_FORTE_SLIP_COLUMNS:
        return g_strdup_printf("%s: %u and %u", name, edit->parts[0], edit->parts[1]);
    case TG_FORTE_SLIP_ROW:
        return g_strdup_printf("%s: %u to %u", name, edit->parts[0], edit->parts[1]);
    default:
        break;
    }
    if (edit->parts[0] + edit->parts[1] == 0)
        return NULL;
    g_autoptr(GString) out = g_string_new(NULL);
    append_range(out, self, edit->ref, edit->parts[0]);
    if (edit->parts[0] > 0 && edit->parts[1] > 0)
        append_word(out, "and");
    append_range(out, self, last->ref + last->lost - edit->parts[1], edit->parts[1]);
    return g_strdup_printf("%s: %s", name, out->str);
}

char *tg_forte_words(const TgForteComparison *comparison, guint first, guint end)
{
    const TgForteEdit *edit = &g_array_index(comparison->edits, TgForteEdit, first);
    g_autofree char *ref = side_in_words(comparison, first, end, TRUE);
    g_autofree char *hyp = side_in_words(comparison, first, end, FALSE);
    char *parts =
        parts_in_words(comparison, edit, &g_array_index(comparison->edits, TgForteEdit, end - 1));

    if (parts != NULL)
        return parts;
    if (*hyp == '\0')
        return g_strconcat("lost ", ref, NULL);
    if (*ref == '\0')
        return g_strconcat("added ", hyp, NULL);
    return g_strdup_printf("%s read as %s (%s)", ref, hyp,
                           tg_forte_edit_class_name((TgForteEditClass) edit->class));
}
