/* Arrays: rows and cells, and what stands between rows. */
#include "tokenizer/latex/handlers.h"
#include "tokenizer/symbols/symbols.h"

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
    tg_parser_columns(parser, token, &cell->columns, &cell->n_columns);
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

TgNode *tg_parser_rows(TgParser *self, const TgTexToken *token, const TgEnvironmentInfo *info,
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
