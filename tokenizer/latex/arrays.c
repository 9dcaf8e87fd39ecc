/* Environments and the commands that hold rows: columns, rows and cells, what stands between rows.
 */
#include "tokenizer/latex/parser.h"

/* ---- Column specifications ------------------------------------------------------------------- */

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

/*
 * Read a column specification, an argument of @owner.
 *
 * Returns: the number of columns
 */
static guint32 columns(TgParser *self, const TgTexToken *owner, const TgColumnItem **items,
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

/* ---- Arrays ---------------------------------------------------------------------------------- */

/* An array being read. */
typedef struct {
    TgParser *parser;
    const TgEnvironmentInfo *info;
    const char *name;
    const TgTexToken *open;
    TgCellForm form;
    GArray *rows;    /* of TgRow */
    GArray *cells;   /* of TgCell: of the row being read */
    GArray *between; /* of TgBetween */
    guint32 columns; /* of the row being read, spans counted */
    guint32 widest;
    guint32 allowed;               /* columns that TeX takes; 0: any number */
    const TgColumnItem *specified; /* columns, or NULL */
    guint32 n_specified;           /* items of them */
} Rows;

static gpointer keep_array(TgParser *self, const GArray *array)
{
    const gsize size = (gsize) array->len * g_array_get_element_size((GArray *) array);

    return size > 0 ? memcpy(tg_arena_alloc(&self->tree->arena, size), array->data, size) : NULL;
}

/* ---- Row breaks and ampersands ------------------------------------------------------------- */

void tg_parser_ampersand(TgParser *self, const TgTexToken *token)
{
    const TgScope *cell = self->scope->cell;

    if (cell == NULL || cell->form == TG_CELL_IMPLIED)
        tg_parser_error(self, token, TG_PARSE_ALIGNMENT, "misplaced & outside an array");
    if (cell != NULL)
        tg_parser_close(self, token, TG_SCOPE_CELL);
    else if (self->open[TG_SCOPE_CELL] == 0)
        self->stray_ampersand = TRUE;
}

/* Whether tokens can be a length: they begin with a digit, a sign, a point or a register. */
static gboolean looks_like_length(TgTexTokens list)
{
    guint32 i = 0;

    while (i < list.n && list.tokens[i].kind == TG_TOK_SPACE)
        i++;
    if (i == list.n)
        return FALSE;
    return tg_token_is_char_of(&list.tokens[i], "0123456789+-.,") ||
           (list.tokens[i].kind == TG_TOK_COMMAND && list.tokens[i].len > 3);
}

/* The [gap] behind \\, and its star. @tight: no space may precede the bracket. */
static TgLength read_gap(TgParser *self, const TgTexToken *token, gboolean tight)
{
    TgLength gap = { .unit = TG_UNIT_PT };
    TgTexTokens list;

    tg_expander_star(&self->in);
    if (tight) {
        const TgTexToken next = tg_expander_raw(&self->in);
        tg_expander_unread(&self->in, &next);
        if (next.kind == TG_TOK_SPACE)
            return gap;
    }
    if (!tg_expander_optional(&self->in, &list))
        return gap;
    if (looks_like_length(list)) {
        tg_parser_length_of(self, list, token, FALSE, &gap);
        return gap;
    }

    /* LaTeX takes any bracket here for a gap; the writer meant content. */
    const TgTexToken open = { .kind = TG_TOK_CHAR,
                              .text = "[",
                              .len = 1,
                              .code = '[',
                              .start = token->end,
                              .end = token->end,
                              .lexeme = token->lexeme };
    TgTexToken close = open;
    close.text = "]";
    close.code = ']';
    tg_parser_error(self, token, TG_PARSE_LENGTH,
                    "the argument in brackets after %.*s is not a length", TG_TOKEN_TEXT(token));
    tg_expander_unread(&self->in, &close);
    tg_expander_insert(&self->in, list, 1);
    tg_expander_unread(&self->in, &open);
    return gap;
}

/* Whether the list being read is a cell in rows; minipage has none. */
static gboolean is_in_row(const TgParser *self)
{
    return self->scope->cell != NULL && (self->scope->cell->form != TG_CELL_NAMED ||
                                         strcmp(self->scope->cell->name, "minipage") != 0);
}

/* \\, \cr, \newline: ends a row, or breaks a line where there are no rows. */
void tg_parser_row_break(TgParser *self, const TgTexToken *token)
{
    if (is_in_row(self)) {
        tg_parser_close(self, token, TG_SCOPE_CELL);
        return;
    }

    TgNode *node = tg_parser_node(self, TG_NODE_BREAK, token);
    if (token->command->value == 'c')
        tg_parser_error(self, token, TG_PARSE_ALIGNMENT, "misplaced %.*s outside an array",
                        TG_TOKEN_TEXT(token));
    node->u.line_break.gap = read_gap(self, token, TRUE);
    tg_parser_append(self, node);
}

/* ---- Between rows -------------------------------------------------------------------------- */

static TgBetween *add_between(Rows *self, TgBetweenKind kind)
{
    const TgBetween between = { .kind = kind, .row = self->rows->len, .token = TG_NO_TOKEN };

    g_array_append_val(self->between, between);
    return &g_array_index(self->between, TgBetween, self->between->len - 1);
}

/* A column's number; TeX takes the braces off an argument that is all in braces. */
static guint64 read_column(const char *text)
{
    return g_ascii_strtoull(text + strspn(text, " {"), NULL, 10);
}

/* Values of \specialrule and \addlinespace. */
enum { SPECIAL_RULE = TG_N_LINES, LINE_SPACE = 1 };

/* [thickness] of booktabs' rules */
static TgLength read_thickness(Rows *self, const TgTexToken *token)
{
    TgLength thickness = { .unit = TG_UNIT_PT };
    TgTexTokens list;

    if (token->command->value != TG_LINE_PLAIN && tg_expander_optional(&self->parser->in, &list))
        tg_parser_length_of(self->parser, list, token, FALSE, &thickness);
    return thickness;
}

/* (lr) of \cmidrule: the ends that are cut off, 1 and 2. */
static guint8 read_trim(Rows *self)
{
    TgTexToken token = tg_expander_next_nonspace(&self->parser->in);
    guint8 trim = 0;

    if (!tg_token_is_char(&token, '(')) {
        tg_expander_unread(&self->parser->in, &token);
        return 0;
    }
    for (token = tg_expander_next(&self->parser->in);
         token.kind != TG_TOK_END && !tg_token_is_char(&token, ')');
         token = tg_expander_next(&self->parser->in))
        trim |= tg_token_is_char(&token, 'l') ? 1 : tg_token_is_char(&token, 'r') ? 2 : 0;
    return trim;
}

/* \cline{2-3}, \cmidrule[thickness](lr){2-3}, \cdashline{2-3} */
static void read_cline(Rows *self, const TgTexToken *token)
{
    const TgLength thickness = read_thickness(self, token);
    const guint8 trim = token->command->value == TG_LINE_CMID ? read_trim(self) : 0;
    g_autofree char *range =
        tg_parser_string_argument(self->parser, token, "a range of columns, such as {2-3}");
    guint64 first = 0, last = 0;
    char *dash = range != NULL ? strchr(range, '-') : NULL;

    if (dash != NULL) {
        first = read_column(range);
        last = read_column(dash + 1);
    }
    if (first < 1 || last < first || last > self->parser->options.max_columns) {
        tg_parser_error(self->parser, token, TG_PARSE_ALIGNMENT,
                        "%.*s needs a range of columns, such as {2-3}", TG_TOKEN_TEXT(token));
        return;
    }

    TgBetween *line = add_between(self, TG_BETWEEN_CLINE);
    line->first = (guint32) first;
    line->last = (guint32) last;
    line->line = token->command->value == TG_LINE_CMID ? TG_LINE_CMID : TG_LINE_PLAIN;
    line->trim = trim;
    line->thickness = thickness;
    line->token = tg_parser_ink(self->parser, token, TG_INK_RULE);
}

/* \noalign{\vskip 2pt}: only spaces are understood. */
static void read_noalign(Rows *self, const TgTexToken *token)
{
    const TgNode *list = tg_parser_text_argument(self->parser, token, "an argument");

    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_SPACE && item->u.space.amount.unit != TG_UNIT_INTERWORD)
            add_between(self, TG_BETWEEN_SPACE)->space = item->u.space.amount;
    }
}

/* \toprule[thickness] .. */
static void read_line(Rows *self, const TgTexToken *token)
{
    const TgLength thickness = read_thickness(self, token);
    TgBetween *line = add_between(self, (TgBetweenKind) token->command->detail);

    line->line = (guint8) token->command->value;
    line->thickness = thickness;
    line->token = tg_parser_ink(self->parser, token, TG_INK_RULE);
}

/* \specialrule{thickness}{above}{below} */
static void read_special_rule(Rows *self, const TgTexToken *token)
{
    TgLength lengths[3];

    for (guint i = 0; i < G_N_ELEMENTS(lengths); i++)
        tg_parser_length_argument(self->parser, token, FALSE, &lengths[i]);
    add_between(self, TG_BETWEEN_SPACE)->space = lengths[1];
    TgBetween *line = add_between(self, TG_BETWEEN_HLINE);
    line->thickness = lengths[0];
    line->token = tg_parser_ink(self->parser, token, TG_INK_RULE);
    add_between(self, TG_BETWEEN_SPACE)->space = lengths[2];
}

/* \addlinespace[amount] */
static void read_line_space(Rows *self, const TgTexToken *token)
{
    TgLength space = { .value = 32768, .unit = TG_UNIT_EM };
    TgTexTokens list;

    if (tg_expander_optional(&self->parser->in, &list))
        tg_parser_length_of(self->parser, list, token, FALSE, &space);
    add_between(self, TG_BETWEEN_SPACE)->space = space;
}

static void read_between(Rows *self, const TgTexToken *token)
{
    switch (token->command->detail) {
    case TG_BETWEEN_HLINE:
        if (token->command->value == SPECIAL_RULE)
            read_special_rule(self, token);
        else
            read_line(self, token);
        break;
    case TG_BETWEEN_CLINE:
        read_cline(self, token);
        break;
    case TG_BETWEEN_SPACE:
        if (token->command->value == LINE_SPACE)
            read_line_space(self, token);
        else
            read_noalign(self, token);
        break;
    default: {
        const TgNode *text = tg_parser_text_box(self->parser, token);
        add_between(self, TG_BETWEEN_TEXT)->text = text;
        break;
    }
    }
}

/* A command between rows that is met elsewhere. */
void tg_parser_misplaced_between(TgParser *self, const TgTexToken *token)
{
    if (token->command->detail == TG_BETWEEN_TEXT) { /* its text is kept */
        tg_parser_append(self, tg_parser_text_box(self, token));
        return;
    }
    tg_parser_error(self, token, TG_PARSE_ALIGNMENT, "misplaced %.*s: allowed between rows only",
                    TG_TOKEN_TEXT(token));
    if (token->command->detail == TG_BETWEEN_CLINE)
        g_free(tg_parser_string_argument(self, token, "a range of columns, such as {2-3}"));
    else if (token->command->detail == TG_BETWEEN_SPACE)
        tg_parser_splice(self, tg_parser_argument(self, token, "an argument"));
}

/* ---- Cells and rows ------------------------------------------------------------------------ */

static gboolean is_space(const TgNode *node)
{
    return node->kind == TG_NODE_SPACE && node->u.space.amount.unit == TG_UNIT_INTERWORD &&
           node->u.space.interword == TG_INTERWORD_BLANK;
}

/* Spaces at both ends of a cell of text are not typeset. */
static void trim_words(TgNode *list)
{
    TgNode *before = NULL;

    if (list->u.list.first != NULL && is_space(list->u.list.first)) {
        list->u.list.first = list->u.list.first->next;
        list->u.list.n_items--;
    }
    for (TgNode *item = (TgNode *) list->u.list.first; item != NULL;
         item = (TgNode *) item->next) { /* the tree is still being built */
        if (item->next == NULL && is_space(item)) {
            if (before != NULL)
                before->next = NULL;
            else
                list->u.list.first = NULL;
            list->u.list.n_items--;
        }
        before = item;
    }
}

/* Whether a column, counted from 0, is one of p{..}, m{..} or b{..}, which hold text. */
static gboolean is_paragraph(const TgColumnItem *items, guint32 n, guint32 column)
{
    for (guint32 i = 0; i < n; i++) {
        if (items[i].kind != TG_COLUMN_CELL)
            continue;
        if (column-- == 0)
            return strchr("pmb", items[i].align) != NULL;
    }
    return FALSE;
}

/* Whether the cell being read holds text. */
static gboolean is_text(const Rows *self)
{
    return (self->info->flags & TG_ENV_TEXT) != 0 ||
           is_paragraph(self->specified, self->n_specified, self->columns);
}

/* Whether the cell being read is the second column of mathtools' cases*, which holds words. */
static gboolean is_words(const Rows *self)
{
    return self->info->kind == TG_ENV_CASES && self->columns > 0 &&
           g_str_has_suffix(self->name, "*");
}

/* A list that has @words as \mbox. */
static TgNode *words_in_mathematics(TgParser *self, const TgTexToken *at, TgNode *words)
{
    TgNode *box = tg_parser_node(self, TG_NODE_TEXT, at);

    box->start = words->start;
    box->end = words->end;
    box->u.text.body = words;
    box->u.text.align = 'c';
    return tg_parser_list_of(self, box);
}

static TgNode *read_cell_list(Rows *self, const TgTexToken *at)
{
    TgParser *parser = self->parser;
    const TgTexToken open = { .text = self->open->text,
                              .len = self->open->len,
                              .kind = self->open->kind,
                              .start = self->open->start,
                              .end = self->open->end,
                              .lexeme = self->open->lexeme };
    const gboolean text = is_text(self) || is_words(self);
    const guint8 alphabet = parser->font.alphabet;

    if (!text) /* a formula of its own, which no \mathrm outside reaches */
        parser->font.alphabet = TG_ALPHABET_DEFAULT;
    TgNode *list = tg_parser_cell(parser, self->name, self->form, text, &open);
    parser->font.alphabet = alphabet;
    list->start = MIN(at->end, list->end);
    if (text)
        trim_words(list);
    return is_words(self) && list->u.list.n_items > 0 ? words_in_mathematics(parser, at, list)
                                                      : list;
}

/* \multicolumn{n}{columns}{..} at the beginning of a cell. */
static void read_multicolumn(Rows *self, const TgTexToken *token, TgCell *cell)
{
    TgParser *parser = self->parser;
    g_autofree char *number = tg_parser_string_argument(parser, token, "three arguments");
    guint64 span = 1;

    if (number == NULL ||
        !g_ascii_string_to_unsigned(number, 10, 1, parser->options.max_columns, &span, NULL))
        tg_parser_error(parser, token, TG_PARSE_ALIGNMENT, "\\multicolumn needs a number");
    cell->span = (guint32) span;
    columns(parser, token, &cell->columns, &cell->n_columns);
    cell->text =
        (self->info->flags & TG_ENV_TEXT) != 0 || is_paragraph(cell->columns, cell->n_columns, 0);
    cell->content = cell->text ? tg_parser_text_argument(parser, token, "three arguments")
                               : tg_parser_argument(parser, token, "three arguments");
}

/* \hdotsfor[distance]{n}: dots across n columns. */
static void read_dots(Rows *self, const TgTexToken *token, TgCell *cell)
{
    TgParser *parser = self->parser;
    g_autofree char *factor = tg_parser_string_optional(parser);
    g_autofree char *number = tg_parser_string_argument(parser, token, "a number of columns");
    const double distance = factor != NULL ? g_ascii_strtod(factor, NULL) : 1.0;
    guint64 span = 1;
    TgColumnItem *column = tg_arena_alloc(&parser->tree->arena, sizeof *column);
    TgNode *dots = tg_parser_symbol_node(parser, token, tg_symbol_find("cdots", 5), 0x22EF);

    if (number == NULL ||
        !g_ascii_string_to_unsigned(number, 10, 1, parser->options.max_columns, &span, NULL))
        tg_parser_error(parser, token, TG_PARSE_ALIGNMENT, "\\hdotsfor needs a number");
    if (!(distance > 0.0 && distance <= 100.0))
        tg_parser_error(parser, token, TG_PARSE_LENGTH, "\\hdotsfor needs a positive distance");
    else
        dots->u.symbol.dots = (gint32) (distance * 65536.0 + 0.5);
    *column = (TgColumnItem){ .kind = TG_COLUMN_CELL, .align = 'c', .token = TG_NO_TOKEN };
    cell->columns = column;
    cell->n_columns = 1;
    cell->span = (guint32) span;
    cell->content = tg_parser_list_of(parser, dots);
}

/* Read one cell; its end is left in the parser's stop. */
static void read_cell(Rows *self, TgTexToken first)
{
    TgParser *parser = self->parser;
    TgCell cell = { .span = 1 };

    if (first.command != NULL && (first.command->flags & TG_COMMAND_CELL) != 0) {
        if (first.command->detail != 0)
            read_dots(self, &first, &cell);
        else
            read_multicolumn(self, &first, &cell);

        const TgNode *rest = read_cell_list(self, &first);
        if (rest->u.list.n_items > 0)
            tg_parser_error(parser, &first, TG_PARSE_ALIGNMENT, "%.*s must fill its cell",
                            TG_TOKEN_TEXT(&first));
    } else {
        const TgTexToken at = { .end = first.start };
        tg_expander_unread(&parser->in, &first);
        cell.text = is_text(self);
        cell.content = read_cell_list(self, &at);
    }
    g_array_append_val(self->cells, cell);
    self->columns += cell.span;
    self->widest = MAX(self->widest, self->columns);
    if (self->columns > parser->options.max_columns)
        tg_parser_error(parser, self->open, TG_PARSE_LIMIT, "the array has more than %u columns",
                        parser->options.max_columns);
    else if (self->allowed > 0 && self->columns == self->allowed + 1)
        tg_parser_error(parser, &first, TG_PARSE_ALIGNMENT, "more than %u column%s in a row",
                        self->allowed, self->allowed == 1 ? "" : "s");
}

static gboolean is_row_empty(const Rows *self)
{
    const TgCell *cell = &g_array_index(self->cells, TgCell, 0);

    return self->cells->len == 1 && cell->content->u.list.n_items == 0 && cell->columns == NULL;
}

/* Cells up to the end of the row. Returns whether another row may follow. */
static gboolean read_row(Rows *self, TgTexToken first)
{
    TgParser *parser = self->parser;
    TgRow row = { .start = first.start, .gap = { .unit = TG_UNIT_PT } };

    self->columns = 0;
    g_array_set_size(self->cells, 0);
    for (;;) {
        read_cell(self, first);
        if (parser->stop.kind != TG_TOK_AMPERSAND)
            break;
        first = tg_expander_next_nonspace(&parser->in);
    }

    const TgTexToken stop = parser->stop;
    const gboolean broken = stop.command != NULL && (stop.command->flags & TG_COMMAND_ROW) != 0;
    if (!broken && is_row_empty(self)) /* behind the last \\ there is no row */
        return FALSE;
    row.end = MAX(row.start, parser->in.end);
    row.n_cells = self->cells->len;
    row.ended = broken != FALSE;
    row.cells = keep_array(parser, self->cells);
    if (broken && stop.command->value != 'c')
        row.gap = read_gap(parser, &stop, (self->info->flags & TG_ENV_TIGHT) != 0);
    g_array_append_val(self->rows, row);
    return broken;
}

static void read_rows(Rows *self)
{
    TgParser *parser = self->parser;
    gboolean more = TRUE;

    while (more && tg_parser_alive(parser)) {
        TgTexToken token = tg_expander_next_nonspace(&parser->in);

        while (token.command != NULL && (token.command->flags & TG_COMMAND_BETWEEN) != 0) {
            read_between(self, &token);
            token = tg_expander_next_nonspace(&parser->in);
        }
        more = read_row(self, token);
    }
}

/* \arraystretch as the user redefined it, in 2^-16. */
static gint32 array_stretch(TgParser *self, const TgTexToken *owner)
{
    GString *text = g_string_new(NULL);
    TgTexTokens body;
    double factor = 1.0;
    char *end = NULL;

    if (tg_expander_lookup(&self->in, "\\arraystretch", &body)) {
        for (guint32 i = 0; i < body.n; i++)
            g_string_append_len(text, body.tokens[i].text, body.tokens[i].len);
        factor = g_ascii_strtod(text->str, &end);
        if (end == text->str || *end != '\0' || !(factor >= 0.0 && factor <= 100.0)) {
            tg_parser_error(self, owner, TG_PARSE_LENGTH, "\\arraystretch is not a number");
            factor = 1.0;
        }
    }
    g_string_free(text, TRUE);
    return (gint32) (factor * 65536.0 + 0.5);
}

/*
 * Read the rows of an array up to its end.
 *
 * @token: what opened it
 * @name: of the environment or command, kept with the tree
 * @array: with what precedes the first row: columns, alignment
 *
 * Returns: an ARRAY, not in any list
 */
static TgNode *rows(TgParser *self, const TgTexToken *token, const TgEnvironmentInfo *info,
                    const char *name, TgArray *array, TgCellForm form)
{
    TgNode *node = tg_parser_node(self, TG_NODE_ARRAY, token);
    Rows rows = {
        .parser = self,
        .info = info,
        .name = name,
        .open = token,
        .form = form,
        .rows = g_array_new(FALSE, FALSE, sizeof(TgRow)),
        .cells = g_array_new(FALSE, FALSE, sizeof(TgCell)),
        .between = g_array_new(FALSE, FALSE, sizeof(TgBetween)),
        .allowed = array->n_columns > 0 && info->args == TG_ENV_ARGS_COLUMNS ? array->n_columns
                                                                             : info->max_columns,
        .specified = array->columns,
        .n_specified = array->n_column_items,
    };

    array->name = name;
    array->environment = info->kind;
    array->display = (info->flags & TG_ENV_DISPLAY) != 0;
    array->text = (info->flags & TG_ENV_TEXT) != 0;
    array->stretch = array_stretch(self, token);
    array->settings = self->settings;
    if (info->left != NULL)
        array->left = tg_parser_fence(self, token, info->left);
    read_rows(&rows);
    if (info->right != NULL)
        array->right =
            tg_parser_fence(self, self->stop.kind != TG_TOK_END ? &self->stop : token, info->right);

    array->n_columns = MAX(array->n_columns, rows.widest);
    array->n_rows = rows.rows->len;
    array->rows = keep_array(self, rows.rows);
    array->n_between = rows.between->len;
    array->between = keep_array(self, rows.between);
    g_array_unref(rows.rows);
    g_array_unref(rows.cells);
    g_array_unref(rows.between);
    node->u.array = array;
    node->end = MAX(node->end, self->in.end);
    return node;
}

/* ---- Environments ---------------------------------------------------------------------------- */

static const char *keep_name(TgParser *self, const char *name)
{
    const gsize size = strlen(name) + 1;

    return memcpy(tg_arena_alloc(&self->tree->arena, size), name, size);
}

/* [t], [c] or [b]; mathtools' width of multlined is not obeyed. */
static guint8 read_position(TgParser *self, const TgTexToken *token)
{
    g_autofree char *position = tg_parser_string_optional(self);

    if (position != NULL && strlen(position) > 1)
        tg_parser_error(self, token, TG_PARSE_LENGTH, "[%s] is not supported: [t], [c] or [b] is",
                        position);
    return position != NULL && (position[0] == 't' || position[0] == 'b') ? (guint8) position[0]
                                                                          : 'c';
}

/* One column with the alignment @align, or none at all. */
static void set_column(TgParser *self, TgArray *array, char align)
{
    TgColumnItem *item = tg_arena_alloc(&self->tree->arena, sizeof(TgColumnItem));

    *item = (TgColumnItem){ .kind = TG_COLUMN_CELL, .align = (guint8) align, .token = TG_NO_TOKEN };
    array->columns = item;
    array->n_column_items = 1;
}

static void read_args(TgParser *self, const TgTexToken *token, const TgEnvironmentInfo *info,
                      TgArray *array)
{
    g_autofree char *word = NULL;

    array->align = 'c';
    switch ((TgEnvironmentArgs) info->args) {
    case TG_ENV_ARGS_NONE:
        break;
    case TG_ENV_ARGS_COLUMNS:
        array->align = read_position(self, token);
        array->n_columns = columns(self, token, &array->columns, &array->n_column_items);
        break;
    case TG_ENV_ARGS_ALIGN:
        array->align = read_position(self, token);
        break;
    case TG_ENV_ARGS_COLUMN:
        array->align = read_position(self, token);
        word = tg_parser_string_argument(self, token, "a column");
        set_column(self, array, word != NULL && word[0] == 'l' ? 'l' : 'c');
        break;
    case TG_ENV_ARGS_NUMBER:
        array->align = read_position(self, token);
        word = tg_parser_string_argument(self, token, "a number");
        break;
    case TG_ENV_ARGS_PRESET:
        word = tg_parser_string_optional(self);
        if (word != NULL && word[0] != '\0' && strchr("lcr", word[0]) != NULL)
            set_column(self, array, word[0]);
        break;
    }
}

/* equation and related ones: their content joins the list around. */
static void read_open_environment(TgParser *self, const TgTexToken *token, const char *name)
{
    do {
        tg_parser_splice(self, tg_parser_cell(self, name, TG_CELL_NAMED, FALSE, token));
        if (self->stop.kind == TG_TOK_AMPERSAND)
            tg_parser_error(self, &self->stop, TG_PARSE_ALIGNMENT, "misplaced & outside an array");
        else if (self->stop.command != NULL && (self->stop.command->flags & TG_COMMAND_ROW) != 0)
            tg_parser_append(self, tg_parser_node(self, TG_NODE_BREAK, &self->stop));
        else
            break;
    } while (tg_parser_alive(self));
}

static gboolean has_outer_space(TgTexTokens list)
{
    return list.n > 0 &&
           (list.tokens[0].kind == TG_TOK_SPACE || list.tokens[list.n - 1].kind == TG_TOK_SPACE);
}

void tg_parser_begin(TgParser *self, const TgTexToken *token)
{
    TgTexTokens list;
    TgTexToken open = *token;

    if (!tg_parser_tokens_argument(self, token, "a name", &list))
        return;
    if (self->in.end >= open.end)
        tg_parser_extend(self, &open, self->in.end);

    g_autofree char *word = tg_parser_spelling(list);
    const char *name = keep_name(self, word);
    const TgEnvironmentInfo *info = tg_environment_find(name);
    if (info == NULL) {
        tg_parser_error(self, &open, TG_PARSE_UNKNOWN_ENVIRONMENT, "unknown environment %s", name);
        info = tg_environment_find("aligned");
    }
    if (self->options.strict && has_outer_space(list))
        tg_parser_error(self, &open, TG_PARSE_UNKNOWN_ENVIRONMENT,
                        "unknown environment %s with a space beside its name", name);
    if (self->options.strict && self->scope->text && self->scope->kind == TG_SCOPE_BRACE &&
        (info->flags & TG_ENV_TEXT) == 0)
        tg_parser_error(self, &open, TG_PARSE_MODE, "\\begin{%s} is allowed in math mode only",
                        name);
    if (strcmp(name, "minipage") == 0) {
        tg_parser_minipage(self, &open, name);
        return;
    }
    if ((info->flags & TG_ENV_OPEN) != 0) {
        read_open_environment(self, &open, name);
        return;
    }

    TgArray *array = tg_arena_alloc(&self->tree->arena, sizeof(TgArray));
    *array = (TgArray){ .align = 'c' };
    read_args(self, &open, info, array);
    tg_parser_append(self, rows(self, &open, info, name, array, TG_CELL_NAMED));
}

static gboolean is_named_cell(const TgScope *scope)
{
    return scope->kind == TG_SCOPE_CELL && scope->form == TG_CELL_NAMED;
}

/* Whether the environment @name is open. */
static gboolean is_open(const TgParser *self, const char *name)
{
    for (const TgScope *scope = self->scope; scope != NULL; scope = scope->around) {
        if (is_named_cell(scope) && strcmp(scope->name, name) == 0)
            return TRUE;
    }
    return FALSE;
}

void tg_parser_end(TgParser *self, const TgTexToken *token)
{
    TgTexTokens list;
    TgTexToken stop = *token;

    if (!tg_parser_tokens_argument(self, token, "a name", &list))
        return;
    tg_parser_extend(self, &stop, self->in.end);

    g_autofree char *name = tg_parser_spelling(list);
    const TgScope *scope = self->scope;
    const gboolean here = is_named_cell(scope) && strcmp(scope->name, name) == 0;

    if (here) {
        tg_parser_close(self, &stop, TG_SCOPE_CELL);
    } else if (is_open(self, name)) {
        /* Something in between is not closed: that ends first, then \end is read again. */
        const TgTexToken open = { .kind = TG_TOK_OPEN, .text = "{", .len = 1 };
        const TgTexToken close = { .kind = TG_TOK_CLOSE, .text = "}", .len = 1 };
        tg_expander_unread(&self->in, &close);
        tg_expander_insert(&self->in, list, 1);
        tg_expander_unread(&self->in, &open);
        tg_parser_end_early(self, token);
    } else if (is_named_cell(scope)) {
        tg_parser_error(self, &stop, TG_PARSE_ENVIRONMENT, "\\begin{%s} closed by \\end{%s}",
                        scope->name, name);
        tg_parser_close(self, &stop, TG_SCOPE_CELL);
    } else {
        tg_parser_error(self, &stop, TG_PARSE_ENVIRONMENT, "\\end{%s} without \\begin{%s}", name,
                        name);
    }
}

/* \matrix{..}, \cases{..}, \substack{..}: rows between braces. */
void tg_parser_row_command(TgParser *self, const TgTexToken *token)
{
    const TgEnvironmentInfo *info = tg_environment_of_command(token->command->name);
    TgArray *array = tg_arena_alloc(&self->tree->arena, sizeof(TgArray));

    *array = (TgArray){ .align = 'c' };
    if (info->kind == TG_ENV_SHORTSTACK) {
        g_autofree char *align = tg_parser_string_optional(self);
        set_column(self, array,
                   align != NULL && (align[0] == 'l' || align[0] == 'r') ? align[0] : 'c');
    } else if (info->kind == TG_ENV_SUBARRAY) {
        set_column(self, array, 'c');
    }

    const TgTexToken open = tg_expander_next_nonspace(&self->in);
    if (open.kind != TG_TOK_OPEN) {
        tg_expander_unread(&self->in, &open);
        tg_parser_error(self, token, TG_PARSE_MISSING_ARGUMENT, "%.*s needs an argument in braces",
                        TG_TOKEN_TEXT(token));
        return;
    }
    tg_parser_append(self, rows(self, token, info, info->name, array, TG_CELL_PLAIN));
}

TgNode *tg_parser_implied_aligned(TgParser *self)
{
    const TgTexToken start = { .text = "", .lexeme = G_MAXUINT32 };
    TgArray *array = tg_arena_alloc(&self->tree->arena, sizeof(TgArray));
    TgScope around = { .kind = TG_SCOPE_TOP, .open = start }; /* what begins a cell is read in it */

    *array = (TgArray){ .align = 'c' };
    self->scope = &around;
    TgNode *node =
        rows(self, &start, tg_environment_find("aligned"), "aligned", array, TG_CELL_IMPLIED);
    self->scope = NULL;
    return node;
}

/* \multicolumn or \hdotsfor (detail 1) that does not begin a cell. */
void tg_parser_multicolumn(TgParser *self, const TgTexToken *token)
{
    const TgColumnItem *items;
    guint32 n_items;

    tg_parser_error(self, token, TG_PARSE_ALIGNMENT, "%.*s must begin a cell",
                    TG_TOKEN_TEXT(token));
    if (token->command->detail != 0)
        g_free(tg_parser_string_optional(self));
    g_free(tg_parser_string_argument(self, token, "three arguments"));
    if (token->command->detail != 0)
        return;
    columns(self, token, &items, &n_items);
    tg_parser_splice(self, self->scope->text
                               ? tg_parser_text_argument(self, token, "three arguments")
                               : tg_parser_argument(self, token, "three arguments"));
}
