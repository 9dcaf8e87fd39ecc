/* Column specifications: {l|c@{..}p{2cm}*{3}{r}}. */
#include "tokenizer/latex/handlers.h"

/* A specification being read. */
typedef struct {
    TgParser *parser;
    const TgTexToken *owner;
    GArray *items; /* of TgColumnItem */
    guint n_columns;
    guint n_repeats; /* of *{n}{..}: bounded as the columns are */
} Columns;

static TgColumnItem *add_item(Columns *self, TgColumnItemKind kind)
{
    const TgColumnItem item = { .kind = kind, .token = TG_NO_TOKEN };

    g_array_append_val(self->items, item);
    return &g_array_index(self->items, TgColumnItem, self->items->len - 1);
}

static void check_bound(Columns *self)
{
    const guint max = self->parser->options.max_columns;

    if (self->n_columns > max || self->n_repeats > max || self->items->len > 4 * max)
        tg_parser_error(self->parser, self->owner, TG_PARSE_LIMIT,
                        "the array has more than %u columns", max);
}

static void add_material(Columns *self, TgColumnItemKind kind)
{
    const TgNode *list = tg_parser_argument(self->parser, self->owner, "a specification");

    add_item(self, kind)->material = list;
}

/* *{n}{..}: the specification is put back n times. */
static void repeat_columns(Columns *self)
{
    g_autofree char *number = tg_parser_string_argument(self->parser, self->owner, "a number");
    TgTexTokens list;
    guint64 n = 0;

    if (!tg_expander_argument(&self->parser->in, &list) || number == NULL ||
        !g_ascii_string_to_unsigned(number, 10, 0, G_MAXUINT32, &n, NULL)) {
        tg_parser_error(self->parser, self->owner, TG_PARSE_COLUMNS,
                        "* in a column specification needs a number and a specification");
        return;
    }
    self->n_repeats += (guint) MIN(n, self->parser->options.max_columns + 1);
    check_bound(self);
    tg_expander_insert(&self->parser->in, list, (guint) MIN(n, G_MAXUINT32));
}

static void add_letter(Columns *self, const TgTexToken *token)
{
    TgLength width = { .unit = TG_UNIT_PT };
    TgColumnItem *item;

    switch (token->code) {
    case 'p':
    case 'm':
    case 'b':
        tg_parser_length_argument(self->parser, self->owner, FALSE, &width);
        item = add_item(self, TG_COLUMN_CELL);
        item->width = width;
        item->align = (guint8) token->code;
        break;
    case '|':
    case ':':
    case ';':
        if (token->code == ';') /* lengths of dash and gap */
            g_free(tg_parser_string_argument(self->parser, self->owner, "two lengths behind ;"));
        item = add_item(self, TG_COLUMN_LINE);
        item->token = tg_parser_ink(self->parser, token, TG_INK_RULE);
        return;
    case '@':
        add_material(self, TG_COLUMN_AT);
        return;
    case '!':
        add_material(self, TG_COLUMN_BANG);
        return;
    case '>':
        add_material(self, TG_COLUMN_PRE);
        return;
    case '<':
        add_material(self, TG_COLUMN_POST);
        return;
    case '*':
        repeat_columns(self);
        return;
    default:
        item = add_item(self, TG_COLUMN_CELL);
        item->align =
            strchr("lcr", (int) MIN(token->code, 0x7F)) != NULL ? (guint8) token->code : 'c';
        if (item->align != token->code)
            tg_parser_error(self->parser, token, TG_PARSE_COLUMNS,
                            "unknown column type %.*s; the types are l, c and r",
                            TG_TOKEN_TEXT(token));
        break;
    }
    self->n_columns++;
    check_bound(self);
}

guint32 tg_parser_columns(TgParser *self, const TgTexToken *owner, const TgColumnItem **items,
                          guint32 *n_items)
{
    g_autoptr(GArray) array = g_array_new(FALSE, FALSE, sizeof(TgColumnItem));
    Columns columns = { .parser = self, .owner = owner, .items = array };
    TgTexTokens list;

    *items = NULL;
    *n_items = 0;
    if (!tg_expander_argument(&self->in, &list)) {
        tg_parser_error(self, owner, TG_PARSE_MISSING_ARGUMENT,
                        "the array needs a column specification");
        return 0;
    }

    tg_parser_reread(self, list, owner);
    for (;;) {
        const TgTexToken token = tg_expander_next_nonspace(&self->in);

        if (token.kind == TG_TOK_CLOSE || token.kind == TG_TOK_END)
            break;
        if (token.kind == TG_TOK_CHAR && token.code != 0)
            add_letter(&columns, &token);
        else
            tg_parser_error(self, &token, TG_PARSE_COLUMNS,
                            "unexpected %.*s in a column specification", TG_TOKEN_TEXT(&token));
    }

    TgColumnItem *copy =
        tg_arena_alloc(&self->tree->arena, MAX(array->len, 1) * sizeof(TgColumnItem));
    if (array->len > 0)
        memcpy(copy, array->data, array->len * sizeof(TgColumnItem));
    *items = copy;
    *n_items = array->len;
    return columns.n_columns;
}
