/* Writes FORTE's tokens: symbols by their spelling, scripts in order, accents behind bodies. */
#include "metrics/forte/reading/reader.h"

#include <string.h>

static TgForteToken *token_at(const TgForteReader *self, guint32 i)
{
    return &g_array_index(self->tokens, TgForteToken, i);
}

TgForteLook tg_forte_look_of(const TgNode *node)
{
    return (TgForteLook){ .start = node->start, .end = node->end };
}

void tg_forte_put(TgForteReader *self, TgForteName name, TgForteKind kind, TgForteLook look)
{
    const TgForteToken token = { .name = name,
                                 .kind = (guint8) kind,
                                 .font = look.font,
                                 .upright = look.upright,
                                 .start = look.start,
                                 .end = look.end };

    g_array_append_val(self->tokens, token);
}

void tg_forte_put_mark(TgForteReader *self, TgForteMark mark, const TgNode *node)
{
    tg_forte_put(self, mark, tg_forte_tables_kind(self->tables, mark),
                 (TgForteLook){ .start = node->start, .end = node->end });
}

void tg_forte_put_spelling(TgForteReader *self, const TgForteSpelling *spelling, TgForteLook look)
{
    if (spelling->function) {
        look.font = TG_FORTE_PLAIN;
        look.upright = 1;
    }
    if (spelling->blackboard)
        look.font = TG_FORTE_BLACKBOARD;
    for (guint i = 0; i < spelling->n; i++) {
        const TgForteKind kind = tg_forte_tables_kind(self->tables, spelling->names[i]);
        TgForteLook own = look;

        if (kind == TG_FORTE_PRIME)
            own.font = TG_FORTE_PLAIN;
        tg_forte_put(self, spelling->names[i], kind, own);
    }
}

/* The compatibility form of @code where that is one character, else @code. */
static gunichar compatible(gunichar code)
{
    char text[TG_FORTE_NAME_BUFFER];
    const gint len = g_unichar_to_utf8(code, text);
    g_autofree char *plain = g_utf8_normalize(text, len, G_NORMALIZE_ALL_COMPOSE);

    return plain != NULL && g_utf8_strlen(plain, -1) == 1 ? g_utf8_get_char(plain) : code;
}

void tg_forte_put_character(TgForteReader *self, gunichar code, TgForteLook look)
{
    const TgForteSpelling *spelling = tg_forte_tables_character(self->tables, code);

    if (spelling == NULL) {
        code = compatible(code);
        spelling = tg_forte_tables_character(self->tables, code);
    }
    if (spelling != NULL)
        tg_forte_put_spelling(self, spelling, look);
    else
        tg_forte_put(self, code, tg_forte_tables_kind(self->tables, code), look);
}

void tg_forte_put_command(TgForteReader *self, const char *name, gsize len, TgForteLook look)
{
    const TgForteSpelling *spelling = tg_forte_tables_command(self->tables, name, len);
    TgForteName known;

    if (spelling != NULL) {
        tg_forte_put_spelling(self, spelling, look);
        return;
    }
    known = tg_forte_tables_find(self->tables, name, len);
    if (known == 0)
        known = tg_forte_names_add(self->names, name, len);
    tg_forte_put(self, known, tg_forte_tables_kind(self->tables, known), look);
}

void tg_forte_accent(TgForteReader *self, guint32 begin, TgForteName name, TgForteLook look)
{
    guint n = 0;

    for (guint32 i = begin; i < self->tokens->len && n < 2; i++)
        n += token_at(self, i)->kind != TG_FORTE_ACCENT;
    if (n > 1) {
        const TgForteToken mark = {
            .name = TG_FORTE_ACC, .kind = TG_FORTE_END, .start = look.start, .end = look.end
        };
        g_array_insert_val(self->tokens, begin, mark);
    }
    tg_forte_put(self, name, TG_FORTE_ACCENT,
                 (TgForteLook){ .start = look.start, .end = look.end });
}

/* ---- Scripts ------------------------------------------------------------------------------- */

/* Move the tokens from @from to the end of the list to @to, which is before them. */
static void reader_move(TgForteReader *self, guint32 from, guint32 to)
{
    const gsize n = self->tokens->len - from, between = from - to;

    if (n == 0 || between == 0)
        return;
    g_autofree TgForteToken *moved = g_memdup2(token_at(self, from), n * sizeof *moved);
    memmove(token_at(self, (guint32) (to + n)), token_at(self, to), between * sizeof *moved);
    memcpy(token_at(self, to), moved, n * sizeof *moved);
}

/* Two subscripts or superscripts in a row: `)` at @at - 1 and the mark at @at go. */
static void join_scripts(TgForteReader *self, guint32 at)
{
    g_array_remove_range(self->tokens, at - 1, 2);
}

static TgForteTail join_sup(TgForteReader *self, guint32 begin, TgForteTail tail)
{
    if (tail.sup == TG_FORTE_NO_GROUP)
        tail.sup = begin;
    else
        join_scripts(self, begin);
    return tail;
}

static TgForteTail join_sub(TgForteReader *self, guint32 begin, TgForteTail tail)
{
    const guint32 n = self->tokens->len - begin;
    const guint32 place = tail.sup != TG_FORTE_NO_GROUP ? tail.sup : begin;

    reader_move(self, begin, place);
    if (tail.sup != TG_FORTE_NO_GROUP)
        tail.sup += n;
    if (tail.sub == TG_FORTE_NO_GROUP) {
        tail.sub = place;
    } else {
        join_scripts(self, place);
        if (tail.sup != TG_FORTE_NO_GROUP)
            tail.sup -= 2;
    }
    return tail;
}

void tg_forte_close_primes(TgForteReader *self, guint32 begin, TgForteTail tail)
{
    const guint32 n = self->tokens->len - begin;

    if (n == 0 || tail.end != begin || tail.sub == TG_FORTE_NO_GROUP ||
        tail.sup != TG_FORTE_NO_GROUP)
        return;
    reader_move(self, begin, tail.sub);
    tail.sub += n;
    tail.end += n;
    self->tail = tail;
}

void tg_forte_close_script(TgForteReader *self, guint32 begin, TgForteTail tail, const TgNode *node)
{
    const gboolean sup = token_at(self, begin)->name == TG_FORTE_SUP;

    if (self->tokens->len == begin + 1) { /* an empty script leaves no mark */
        g_array_set_size(self->tokens, begin);
        self->tail = tail;
        return;
    }
    tg_forte_put_mark(self, TG_FORTE_CLOSE, node);
    if (tail.end != begin)
        tail = (TgForteTail){ .sub = TG_FORTE_NO_GROUP, .sup = TG_FORTE_NO_GROUP };
    tail = sup ? join_sup(self, begin, tail) : join_sub(self, begin, tail);
    tail.end = self->tokens->len;
    self->tail = tail;
}
