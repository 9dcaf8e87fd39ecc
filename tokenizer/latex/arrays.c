/* Environments and commands with rows: columns, rows and cells, and lines and spaces between
 * rows. */
#include "core/number.h"
#include "tokenizer/latex/parser.h"

#define OPEN_LEADING (17.5 / 14.5) /* as \openup\jot makes it */

static gpointer keep_data(TgParser *self, gconstpointer data, gsize size)
{
    return size > 0 ? memcpy(tg_arena_alloc(&self->tree->arena, size), data, size) : NULL;
}

static gpointer keep_array(TgParser *self, GArray *array)
{
    return keep_data(self, array->data, (gsize) array->len * g_array_get_element_size(array));
}

/* ---- Column specifications: {l|c@{..}p{2cm}*{3}{r}} ------------------------------------------ */

/* A column specification while it is read. */
typedef struct {
    TgParser *parser;
    const TgTexToken *owner;
    GArray *items; /* of TgColumnItem */
    guint n_columns;
    guint n_repeats;    /* repetitions by *{n}{..}, bounded like columns */
    TgTexTokens before; /* tokens of >{..} for the next column */
} Columns;

static void check_bound(Columns *self)
{
    const guint max = self->parser->options.max_columns;

    if (self->n_columns > max || self->n_repeats > max || self->items->len > 4 * max)
        tg_report(&self->parser->errors, self->owner, TG_PARSE_LIMIT,
                  "the array has more than %u columns", max);
}

/* Read *{n}{..}: put the specification back n times. */
static void repeat_columns(Columns *self)
{
    g_autofree char *number = tg_parser_string_argument(self->parser, self->owner, "a number");
    TgTexTokens list;
    guint64 n = 0;

    if (!tg_expander_argument(&self->parser->in, &list) || number == NULL ||
        !g_ascii_string_to_unsigned(number, 10, 0, G_MAXUINT32, &n, NULL)) {
        tg_report(&self->parser->errors, self->owner, TG_PARSE_COLUMNS,
                  "* in a column specification needs a number and a specification");
        return;
    }
    self->n_repeats += (guint) MIN(n, self->parser->options.max_columns + 1);
    check_bound(self);
    tg_expander_insert(&self->parser->in, list, (guint) MIN(n, G_MAXUINT32));
}

/* Read >{..} before a column or <{..} after it, of the package array. */
static void add_template(Columns *self, gboolean after)
{
    TgTexTokens list;
    TgColumnItem *item = self->items->len > 0
                             ? &g_array_index(self->items, TgColumnItem, self->items->len - 1)
                             : NULL;

    if (!tg_parser_tokens_argument(self->parser, self->owner, "a specification", &list))
        return;
    if (!after) {
        self->before = list;
        return;
    }
    if (item == NULL || item->kind != TG_COLUMN_CELL)
        return;
    if (item->around == NULL)
        item->around = tg_arena_zeros(&self->parser->tree->arena, sizeof(TgColumnTemplate));
    item->around->after = list;
}

static void add_letter(Columns *self, const TgTexToken *token)
{
    TgParser *parser = self->parser;
    TgColumnItem item = { .kind = TG_COLUMN_CELL, .token = TG_NO_TOKEN };

    if (tg_token_is_char(token, '*')) {
        repeat_columns(self);
        return;
    }
    if (tg_token_is_char_of(token, "<>!mb:"))
        tg_refuse(&parser->errors, token,
                  token->code == ':' ? TG_PACKAGE_ARYDSHLN : TG_PACKAGE_ARRAY, TG_PARSE_COLUMNS,
                  "unknown column type %.*s", TG_TOKEN_TEXT(token));
    if (tg_token_is_char_of(token, "<>")) {
        add_template(self, token->code == '<');
        return;
    }
    if (tg_token_is_char_of(token, "@!")) {
        item.kind = TG_COLUMN_AT;
        item.material = tg_parser_argument(parser, self->owner, "a specification");
    } else if (tg_token_is_char_of(token, "|:")) {
        item.kind = TG_COLUMN_LINE;
        item.token = tg_parser_ink(parser, token, TG_INK_RULE);
    } else if (tg_token_is_char_of(token, "pmb")) {
        item.width = tg_parser_length_argument(parser, self->owner, FALSE);
        item.align = (guint8) token->code;
    } else if (item.kind == TG_COLUMN_CELL) {
        item.align = tg_token_is_char_of(token, "lcr") ? (guint8) token->code : 'c';
        if (item.align != token->code)
            tg_report(&parser->errors, token, TG_PARSE_COLUMNS,
                      "unknown column type %.*s; the types are l, c and r", TG_TOKEN_TEXT(token));
    }
    if (item.kind == TG_COLUMN_CELL && self->before.n > 0) {
        item.around = tg_arena_zeros(&parser->tree->arena, sizeof(TgColumnTemplate));
        item.around->before = self->before;
        self->before.n = 0;
    }
    g_array_append_val(self->items, item);
    if (item.kind == TG_COLUMN_CELL) {
        self->n_columns++;
        check_bound(self);
    }
}

/* Read a column specification, an argument of @owner. Returns: the number of columns. */
static guint32 read_columns(TgParser *self, const TgTexToken *owner, const TgColumnItem **items,
                            guint32 *n_items)
{
    g_autoptr(GArray) array = g_array_new(FALSE, FALSE, sizeof(TgColumnItem));
    Columns columns = { .parser = self, .owner = owner, .items = array };
    TgTexTokens list;

    *items = NULL;
    *n_items = 0;
    if (!tg_expander_argument(&self->in, &list)) {
        tg_report(&self->errors, owner, TG_PARSE_MISSING_ARGUMENT,
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
            tg_report(&self->errors, &token, TG_PARSE_COLUMNS,
                      "unexpected %.*s in a column specification", TG_TOKEN_TEXT(&token));
    }
    if (columns.n_columns == 0)
        tg_refuse(&self->errors, owner, TG_PACKAGE_NONE, TG_PARSE_COLUMNS,
                  "the column specification has no column");
    *items = array->len > 0 ? keep_array(self, array)
                            : tg_arena_alloc(&self->tree->arena, sizeof(TgColumnItem));
    *n_items = array->len;
    self->tree->n_nodes += array->len; /* so that they are bounded, too */
    return columns.n_columns;
}

/* ---- Row breaks and ampersands ------------------------------------------------------------- */

/* If the column of the cell that @stop ends has tokens for its end, put these back, so that they
 * are read first. */
static gboolean read_after(TgParser *self, TgScope *cell, const TgTexToken *stop)
{
    const TgTexTokens after = cell != NULL ? cell->after : (TgTexTokens){ NULL, 0 };

    if (after.n == 0)
        return FALSE;
    cell->after.n = 0;
    tg_expander_unread(&self->in, stop);
    tg_expander_replace(&self->in, stop, after, NULL);
    return TRUE;
}

void tg_parser_ampersand(TgParser *self, const TgTexToken *token)
{
    TgScope *cell = tg_parser_cell(self);

    if (read_after(self, cell, token))
        return;

    if (cell == NULL || cell->form == TG_CELL_IMPLIED)
        tg_report(&self->errors, token, TG_PARSE_ALIGNMENT, "misplaced & outside an array");
    if (cell != NULL)
        tg_parser_close(self, token, TG_SCOPE_CELL);
    else if (self->open[TG_SCOPE_CELL] == 0)
        self->stray_ampersand = TRUE;
}

/* Put back @list between the two tokens. */
static void put_back(TgParser *self, TgTexToken open, TgTexTokens list, TgTexToken close)
{
    tg_expander_unread(&self->in, &close);
    tg_expander_insert(&self->in, list, 1);
    tg_expander_unread(&self->in, &open);
}

/* Put back a bracket with @list in it, which was taken after @token but is content. */
static void put_bracket_back(TgParser *self, const TgTexToken *token, TgTexTokens list)
{
    TgTexToken at = *token;

    at.start = token->end;
    put_back(self, tg_token_made(&at, TG_TOK_CHAR, "["), list,
             tg_token_made(&at, TG_TOK_CHAR, "]"));
}

/* The [gap] after \\, and its star. @tight: no space may precede the bracket. @leading:
 * \baselineskip as a multiple of the text's. */
static TgLength read_gap(TgParser *self, const TgTexToken *token, gboolean tight, double leading)
{
    TgLength gap = { .unit = TG_UNIT_PT };
    TgTexTokens list;

    tg_expander_star(&self->in);
    if (!(tight ? tg_expander_optional_here : tg_expander_optional)(&self->in, &list))
        return gap;
    const TgTexTokens length = tg_tex_tokens_trim(list);
    if (length.n > 0 && (tg_token_is_char_of(length.tokens, "0123456789+-.,") ||
                         (length.tokens[0].kind == TG_TOK_COMMAND && length.tokens[0].len > 3))) {
        gap = tg_parser_length_of(self, list, token, FALSE);
        if (tg_token_is_command(&list.tokens[list.n - 1], "baselineskip"))
            gap.value = (gint32) (gap.value * leading);
        return gap;
    }

    /* LaTeX would take any bracket here for a gap, but the writer meant content. */
    tg_report(&self->errors, token, TG_PARSE_LENGTH,
              "the argument in brackets after %.*s is not a length", TG_TOKEN_TEXT(token));
    put_bracket_back(self, token, list);
    return gap;
}

/* \\, \cr (value 'c') end a row, or break a line where there are no rows, as \newline (value 'n')
 * does; \newline has no effect in a cell. */
void tg_parser_row_break(TgParser *self, const TgTexToken *token)
{
    TgScope *cell = tg_parser_cell(self);

    if (cell != NULL) {
        if (token->command->value != 'n' && !read_after(self, cell, token))
            tg_parser_close(self, token, TG_SCOPE_CELL);
        return;
    }

    TgNode *node = tg_parser_node(self, TG_NODE_BREAK, token);
    if (token->command->value == 'c')
        tg_report(&self->errors, token, TG_PARSE_ALIGNMENT, "misplaced %.*s outside an array",
                  TG_TOKEN_TEXT(token));
    else if (token->command->value != 'n' && self->open[TG_SCOPE_CELL] > self->n_outer_cells)
        tg_parser_forbid(self, token, TG_PARSE_ALIGNMENT,
                         "in braces cannot end the row around them");
    node->u.line_break.gap = read_gap(self, token, FALSE, 1.0);
    tg_parser_append(self, node);
}

/* Whether LaTeX's array sets the rows, so that \par has no effect and \baselineskip is 0 pt. */
static gboolean is_array(const TgEnvironmentInfo *info)
{
    return info->kind == TG_ENV_ARRAY || info->kind == TG_ENV_MATRIX ||
           (info->kind == TG_ENV_CASES && info->left != NULL &&
            (info->flags & TG_ENV_DISPLAY) == 0);
}

/* ---- Between rows -------------------------------------------------------------------------- */

/* An array while it is read. */
typedef struct {
    TgParser *parser;
    const TgEnvironmentInfo *info;
    const char *name;
    const TgTexToken *open;
    TgCellForm form;
    GArray *rows;    /* of TgRow */
    GArray *cells;   /* of TgCell: cells of the current row */
    GArray *between; /* of TgBetween */
    guint32 columns; /* columns of the current row, counting spans */
    guint32 widest;
    guint32 allowed; /* number of columns that TeX accepts; 0: any */
    const TgArray *array;
} Rows;

static TgBetween *add_between(Rows *self, TgBetweenKind kind)
{
    const TgBetween between = { .kind = kind, .row = self->rows->len, .token = TG_NO_TOKEN };

    g_array_append_val(self->between, between);
    return &g_array_index(self->between, TgBetween, self->between->len - 1);
}

/* Read a column's number; TeX removes braces around a whole argument. */
static guint64 read_column(const char *text)
{
    return g_ascii_strtoull(text + strspn(text, " {"), NULL, 10);
}

/* \cline{2-3}, \cmidrule(lr){2-3} */
static void read_cline(Rows *self, const TgTexToken *token)
{
    static const char wants[] = "a range of columns, such as {2-3}";
    TgParser *parser = self->parser;
    TgTexToken next = tg_expander_next_nonspace(&parser->in);

    if (token->command->value != 0 && tg_token_is_char(&next, '(')) {
        while (next.kind != TG_TOK_END && !tg_token_is_char(&next, ')'))
            next = tg_expander_next(&parser->in);
    } else {
        tg_expander_unread(&parser->in, &next);
    }
    g_autofree char *range = tg_parser_string_argument(parser, token, wants);
    const char *dash = range != NULL ? strchr(range, '-') : NULL;
    const guint64 first = dash != NULL ? read_column(range) : 0;
    const guint64 last = dash != NULL ? read_column(dash + 1) : 0;

    if (first < 1 || last < first || last > parser->options.max_columns) {
        tg_report(&parser->errors, token, TG_PARSE_ALIGNMENT, "%.*s needs %s", TG_TOKEN_TEXT(token),
                  wants);
        return;
    }

    TgBetween *line = add_between(self, TG_BETWEEN_CLINE);
    line->first = (guint32) first;
    line->last = (guint32) last;
    line->token = tg_parser_ink(parser, token, TG_INK_RULE);
    if (self->allowed > 0 && last > self->allowed)
        tg_parser_forbid(parser, token, TG_PARSE_ALIGNMENT, "goes beyond the last column");
}

/* \intertext{..}, \shortintertext: words in a row of their own; @text is the space before the
 * words. */
static void read_intertext(Rows *self, const TgTexToken *token)
{
    TgParser *parser = self->parser;
    TgTexTokens words;

    if (((self->info->flags & TG_ENV_TAGS) == 0 && strcmp(self->name, "split") != 0) ||
        self->info->kind == TG_ENV_MULTLINE)
        tg_parser_forbid(parser, token, TG_PARSE_ALIGNMENT,
                         "is allowed between the rows of a display only");
    if (!tg_parser_tokens_argument(parser, token, "an argument", &words))
        return;
    TgBetween *space = add_between(self, TG_BETWEEN_SPACE);
    space->space = tg_length_of_points(g_ascii_strtod(token->command->text, NULL));
    tg_parser_read_instead(parser, token, &words, "\\text{#1}\\\\");
}

/* Read a command between rows. Its detail is the TgBetweenKind; value 1 means booktabs, whose
 * thickness, ends and spaces are ignored. */
static void read_between(Rows *self, const TgTexToken *token)
{
    TgParser *parser = self->parser;
    const gboolean booktabs = token->command->value != 0;
    TgTexTokens list;

    if (token->command->value == 'i') {
        read_intertext(self, token);
        return;
    }
    if (booktabs)
        tg_expander_optional(&parser->in, &list);
    if (token->command->detail == TG_BETWEEN_HLINE) {
        TgBetween *line = add_between(self, TG_BETWEEN_HLINE);
        line->token = tg_parser_ink(parser, token, TG_INK_RULE);
    } else if (token->command->detail == TG_BETWEEN_CLINE) {
        read_cline(self, token);
    } else if (!booktabs) { /* \noalign{\vskip 2pt}: only spaces are supported */
        const TgNode *words = tg_parser_text_argument(parser, token, "an argument");

        for (const TgNode *item = words->u.list.first; item != NULL; item = item->next) {
            if (item->kind == TG_NODE_SPACE && item->u.space.amount.unit != TG_UNIT_INTERWORD)
                add_between(self, TG_BETWEEN_SPACE)->space = item->u.space.amount;
        }
    }
}

/* Read a command between rows that stands in another place. */
void tg_parser_misplaced_between(TgParser *self, const TgTexToken *token)
{
    if (token->command->value == 'i' && self->scope->kind == TG_SCOPE_CELL) {
        tg_expander_unread(&self->in, token); /* \intertext ends the row before it */
        tg_expander_insert(&self->in, tg_expander_lex(&self->in, "\\\\", 2, token), 1);
        return;
    }
    tg_report(&self->errors, token, TG_PARSE_ALIGNMENT, "misplaced %.*s: allowed between rows only",
              TG_TOKEN_TEXT(token));
    if (token->command->value == 'i')
        tg_parser_splice(self, tg_parser_text_argument(self, token, "an argument"));
    else if (token->command->detail == TG_BETWEEN_CLINE)
        g_free(tg_parser_string_argument(self, token, "a range of columns, such as {2-3}"));
    else if (token->command->detail == TG_BETWEEN_SPACE)
        tg_parser_splice(self, tg_parser_argument(self, token, "an argument"));
}

/* ---- Cells and rows ------------------------------------------------------------------------ */

/* Trim the spaces at both ends of a cell of text, because they are not typeset. */
static void trim_words(TgNode *list)
{
    const TgNode **link = &list->u.list.first;

    if (tg_node_is_blank(*link)) {
        *link = (*link)->next;
        list->u.list.n_items--;
    }
    while (*link != NULL && (*link)->next != NULL)
        link = &((TgNode *) *link)->next; /* casts are right while the tree is built */
    if (tg_node_is_blank(*link)) {
        *link = NULL;
        list->u.list.n_items--;
    }
}

/* Column number @column, from 0, of @n items; NULL: none. */
static const TgColumnItem *find_column(const TgColumnItem *items, guint32 n, guint32 column)
{
    for (guint32 i = 0; i < n; i++) {
        if (items[i].kind == TG_COLUMN_CELL && column-- == 0)
            return &items[i];
    }
    return NULL;
}

/* Whether cells of @column, which may be NULL, contain text: in a tabular, or in a column p{..},
 * m{..} or b{..}. */
static gboolean is_text(const Rows *self, const TgColumnItem *column)
{
    return (self->info->flags & TG_ENV_TEXT) != 0 ||
           (column != NULL && strchr("pmb", column->align) != NULL);
}

/* Read the list of a cell in @column. @after: tokens that the column puts at its end */
static TgNode *read_cell_list(Rows *self, const TgTexToken *at, const TgColumnItem *column,
                              TgTexTokens after)
{
    TgParser *parser = self->parser;
    /* the second column of mathtools' cases* contains words */
    const gboolean words =
        self->info->kind == TG_ENV_CASES && self->columns > 0 && g_str_has_suffix(self->name, "*");
    const gboolean text = words || is_text(self, column);
    const guint8 alphabet = parser->font.alphabet;
    TgScope cell = {
        .kind = TG_SCOPE_CELL,
        .text = text != FALSE,
        .form = (guint8) self->form,
        .name = self->name,
        .open = *self->open,
        .after = after,
    };

    if (!text) /* a cell is a separate formula, to which an outer \mathrm does not apply */
        parser->font.alphabet = TG_ALPHABET_DEFAULT;
    TgNode *list = tg_parser_read_list(parser, &cell);
    parser->font.alphabet = alphabet;
    list->start = MIN(at->end, list->end);
    if (text)
        trim_words(list);
    if (!words || list->u.list.n_items == 0)
        return list;
    TgNode *box = tg_parser_text_of(parser, at, list);
    box->start = list->start;
    box->end = list->end;
    return tg_parser_list_of(parser, box);
}

/* \multicolumn{n}{columns}{..} at the beginning of a cell. */
static void read_multicolumn(Rows *self, const TgTexToken *token, TgCell *cell)
{
    static const char wants[] = "three arguments";
    TgParser *parser = self->parser;
    g_autofree char *number = tg_parser_string_argument(parser, token, wants);
    guint64 span = 1;

    if (!is_array(self->info))
        tg_parser_forbid(parser, token, TG_PARSE_ALIGNMENT, "is allowed in arrays only");
    if (number == NULL ||
        !g_ascii_string_to_unsigned(number, 10, 1, parser->options.max_columns, &span, NULL))
        tg_parser_fault(parser, token, TG_PARSE_ALIGNMENT, "needs a number");
    cell->span = (guint32) span;
    if (read_columns(parser, token, &cell->columns, &cell->n_columns) > 1)
        tg_parser_forbid(parser, token, TG_PARSE_COLUMNS, "takes one column");
    cell->text = is_text(self, find_column(cell->columns, cell->n_columns, 0)) != FALSE;
    cell->content = cell->text ? tg_parser_text_argument(parser, token, wants)
                               : tg_parser_argument(parser, token, wants);
}

/* Read one cell; the parser's stop is then the token that ended it. */
static void read_cell(Rows *self, const TgTexToken *first)
{
    TgParser *parser = self->parser;
    const TgColumnItem *column =
        find_column(self->array->columns, self->array->n_column_items, self->columns);
    TgCell cell = { .span = 1 };
    TgTexTokens after = { NULL, 0 };

    if (first->command != NULL && (first->command->flags & TG_COMMAND_CELL) != 0) {
        read_multicolumn(self, first, &cell);
        if (read_cell_list(self, first, column, after)->u.list.n_items > 0)
            tg_parser_fault(parser, first, TG_PARSE_ALIGNMENT, "must fill its cell");
    } else {
        const TgTexToken at = { .end = first->start };

        tg_expander_unread(&parser->in, first);
        if (column != NULL && column->around != NULL &&
            /* \end at the start of a line begins no row */
            !(self->columns == 0 && tg_token_is_command(first, "end"))) {
            tg_expander_replace(&parser->in, first, column->around->before, NULL);
            after = column->around->after;
        }
        cell.text = is_text(self, column) != FALSE;
        cell.content = read_cell_list(self, &at, column, after);
    }
    g_array_append_val(self->cells, cell);
    self->columns += cell.span;
    self->widest = MAX(self->widest, self->columns);
    if (self->columns > parser->options.max_columns)
        tg_report(&parser->errors, self->open, TG_PARSE_LIMIT, "the array has more than %u columns",
                  parser->options.max_columns);
    else if (self->allowed > 0 && self->columns == self->allowed + 1)
        tg_report(&parser->errors, first, TG_PARSE_ALIGNMENT, "more than %u column%s in a row",
                  self->allowed, tg_plural(self->allowed));
}

/* Read cells up to the end of the row. Returns whether another row may follow. */
static gboolean read_row(Rows *self, TgTexToken token)
{
    TgParser *parser = self->parser;
    TgRow row = { .start = token.start, .gap = { .unit = TG_UNIT_PT } };

    self->columns = 0;
    g_array_set_size(self->cells, 0);
    for (;;) {
        read_cell(self, &token);
        if (parser->stop.kind != TG_TOK_AMPERSAND)
            break;
        token = tg_expander_next_nonspace(&parser->in);
    }

    const TgTexToken stop = parser->stop;
    const gboolean broken = stop.command != NULL && (stop.command->flags & TG_COMMAND_ROW) != 0;
    const TgCell *cell = &g_array_index(self->cells, TgCell, 0);
    if (!broken && self->cells->len == 1 && cell->content->u.list.n_items == 0 &&
        cell->columns == NULL &&
        !(self->rows->len > 0 && strcmp(self->name, "multlined") == 0)) /* multlined has it */
        return FALSE; /* no row follows the last \\ */
    if ((self->info->flags & TG_ENV_TAGS) != 0) {
        parser->tagged &= self->info->kind == TG_ENV_MULTLINE; /* multline has one number */
        parser->labeled &= self->info->kind == TG_ENV_MULTLINE;
    }
    row.end = MAX(row.start, parser->in.end);
    row.n_cells = self->cells->len;
    row.ended = broken != FALSE;
    row.cells = keep_array(parser, self->cells);
    if (broken && stop.command->value != 'c')
        row.gap = read_gap(parser, &stop, (self->info->flags & TG_ENV_TIGHT) != 0,
                           is_array(self->info) ? 0.0 : OPEN_LEADING);
    g_array_append_val(self->rows, row);
    return broken;
}

/* \arraystretch in 2^-16, as the user or `cases` redefined it. */
static gint32 array_stretch(TgParser *self, const TgTexToken *owner)
{
    TgTexTokens body = { NULL, 0 };
    double factor = 1.0;
    const gboolean is_own = tg_expander_lookup(&self->in, "\\arraystretch", &body);

    if (self->font.in_cases && body.tokens == self->font.stretch_before)
        return TG_CASES_STRETCH;
    if (is_own) {
        g_autofree char *text = tg_parser_spelling(body);
        char *end = NULL;

        factor = g_ascii_strtod(text, &end);
        if (end == text || *end != '\0' || !(factor >= 0.0 && factor <= 100.0)) {
            tg_report(&self->errors, owner, TG_PARSE_LENGTH, "\\arraystretch is not a number");
            factor = 1.0;
        }
    }
    return (gint32) (factor * 65536.0 + 0.5);
}

/* Read the rows of the environment or command @name up to its end. @array: has the items before the
 * first row, columns and alignment; @allowed: number of columns that TeX accepts, 0: any. Returns:
 * an ARRAY that is in no list */
static TgNode *read_rows(TgParser *self, const TgTexToken *token, const TgEnvironmentInfo *info,
                         const char *name, TgArray *array, guint32 allowed, TgCellForm form)
{
    TgNode *node = tg_parser_node(self, TG_NODE_ARRAY, token);
    g_autoptr(GArray) all_rows = g_array_new(FALSE, FALSE, sizeof(TgRow));
    g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(TgCell));
    g_autoptr(GArray) between = g_array_new(FALSE, FALSE, sizeof(TgBetween));
    Rows rows = {
        .parser = self,
        .info = info,
        .name = name,
        .open = token,
        .form = form,
        .rows = all_rows,
        .cells = cells,
        .between = between,
        .allowed = allowed,
        .array = array,
    };
    gboolean more = TRUE;
    const gboolean ignores_paragraphs = is_array(info);

    self->paragraph_depth += ignores_paragraphs;
    tg_parser_update_paragraphs(self);
    array->name = name;
    array->environment = info->kind;
    array->display = (info->flags & TG_ENV_DISPLAY) != 0;
    array->text = (info->flags & TG_ENV_TEXT) != 0;
    array->stretch = array_stretch(self, token);
    array->sep = self->font.array_sep;
    const TgFontState font = self->font;
    if (strcmp(name, "cases") == 0) {
        TgTexTokens before = { NULL, 0 };
        tg_expander_lookup(&self->in, "\\arraystretch", &before);
        self->font.in_cases = 1;
        self->font.stretch_before = before.tokens;
    }
    if (info->left != NULL)
        array->left = tg_parser_fence(self, token, info->left);
    while (more && tg_parser_alive(self)) {
        TgTexToken first = tg_expander_next_nonspace(&self->in);

        while (first.command != NULL && ((first.command->flags & TG_COMMAND_BETWEEN) != 0 ||
                                         first.command->action == TG_ACTION_PARAGRAPH)) {
            if (first.command->action == TG_ACTION_PARAGRAPH)
                tg_parser_paragraph(self, &first);
            else
                read_between(&rows, &first);
            first = tg_expander_next_nonspace(&self->in);
        }
        more = read_row(&rows, first);
    }
    if (info->right != NULL)
        array->right =
            tg_parser_fence(self, self->stop.kind != TG_TOK_END ? &self->stop : token, info->right);

    self->font = font;
    self->paragraph_depth -= ignores_paragraphs;
    tg_parser_update_paragraphs(self);
    array->n_used = rows.widest;
    array->n_columns = MAX(array->n_columns, array->n_used);
    array->n_rows = all_rows->len;
    array->rows = keep_array(self, all_rows);
    array->n_between = between->len;
    array->between = keep_array(self, between);
    node->u.array = array;
    node->end = MAX(node->end, self->in.end);
    return node;
}

/* \multicolumn that does not begin a cell. */
void tg_parser_multicolumn(TgParser *self, const TgTexToken *token)
{
    static const char wants[] = "three arguments";
    const TgColumnItem *items;
    guint32 n_items;

    tg_parser_fault(self, token, TG_PARSE_ALIGNMENT, "must begin a cell");
    g_free(tg_parser_string_argument(self, token, wants));
    read_columns(self, token, &items, &n_items);
    tg_parser_splice(self, self->scope->text ? tg_parser_text_argument(self, token, wants)
                                             : tg_parser_argument(self, token, wants));
}

/* ---- Environments ---------------------------------------------------------------------------- */

static TgArray *new_array(TgParser *self)
{
    TgArray *array = tg_arena_alloc(&self->tree->arena, sizeof(TgArray));

    *array = (TgArray){ .align = 'c' };
    return array;
}

/* Set one column with the alignment @align, or none. */
static void set_column(TgParser *self, TgArray *array, char align)
{
    const TgColumnItem item = { .kind = TG_COLUMN_CELL,
                                .align = (guint8) align,
                                .token = TG_NO_TOKEN };

    array->columns = keep_data(self, &item, sizeof item);
    array->n_column_items = 1;
}

/* Set the place of the array. Returns whether @word is a place, or empty. */
static gboolean set_place(TgArray *array, const char *word)
{
    if (word != NULL && word[0] != '\0' && word[1] == '\0' && strchr("tb", word[0]) != NULL)
        array->align = (guint8) word[0];
    return word == NULL || word[0] == '\0' || (word[1] == '\0' && strchr("tcb", word[0]) != NULL);
}

/* Read [t], [c] or [b] right after \begin{..}. Returns whether there was a bracket. */
static gboolean read_place(TgParser *self, const TgTexToken *token, const TgEnvironmentInfo *info,
                           TgArray *array)
{
    TgTexTokens list;

    if (!tg_expander_optional_here(&self->in, &list))
        return FALSE;
    g_autofree char *word = tg_parser_spelling(list);
    if (set_place(array, word) || info->args == TG_ENV_ARGS_PLACE)
        return TRUE;
    if (info->args == TG_ENV_ARGS_BOX) {
        tg_parser_length_of(self, list, token, FALSE); /* the width is ignored */
        return TRUE;
    }
    put_bracket_back(self, token, list);
    return FALSE;
}

/* Read the arguments of \begin{..}. Returns: the number of columns that TeX accepts, 0: any */
static guint32 read_args(TgParser *self, const TgTexToken *token, const TgEnvironmentInfo *info,
                         TgArray *array)
{
    g_autofree char *word = NULL;
    TgTexTokens list;
    guint64 pairs = 0;

    switch ((TgEnvironmentArgs) info->args) {
    case TG_ENV_ARGS_NONE:
        break;
    case TG_ENV_ARGS_ALIGN:
    case TG_ENV_ARGS_PLACE:
    case TG_ENV_ARGS_BOX:
        while (read_place(self, token, info, array) && info->args == TG_ENV_ARGS_BOX)
            continue;
        break;
    case TG_ENV_ARGS_COLUMNS:
        word = tg_parser_string_optional(self);
        set_place(array, word);
        array->n_columns = read_columns(self, token, &array->columns, &array->n_column_items);
        return array->n_columns;
    case TG_ENV_ARGS_COLUMN:
        word = tg_parser_string_argument(self, token, "a column");
        set_column(self, array, word != NULL && word[0] == 'l' ? 'l' : 'c');
        break;
    case TG_ENV_ARGS_NUMBER:
        read_place(self, token, info, array);
        word = tg_parser_string_argument(self, token, "a number");
        if (word != NULL && !g_ascii_isdigit(word[0]))
            tg_refuse(&self->errors, token, TG_PACKAGE_NONE, TG_PARSE_COLUMNS,
                      "the number of columns is missing");
        if ((info->flags & TG_ENV_TAGS) != 0 && word != NULL && /* alignedat ignores it */
            g_ascii_string_to_unsigned(word, 10, 1, self->options.max_columns, &pairs, NULL))
            return 2 * (guint32) pairs;
        break;
    case TG_ENV_ARGS_PRESET:
        if (tg_expander_optional_here(&self->in, &list))
            word = tg_parser_spelling(list);
        if (word != NULL && word[0] != '\0' && strchr("lcr", word[0]) != NULL)
            set_column(self, array, word[0]);
        break;
    }
    return info->max_columns;
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
    const char *name = tg_arena_text(&self->tree->arena, word, strlen(word));
    const TgEnvironmentInfo *info = tg_environment_find(name);
    TgTexToken own;
    if (tg_expander_own_environment(&self->in, token, list, FALSE, &own) && info == NULL) {
        const TgTexToken group = tg_token_made(token, TG_TOK_COMMAND, "\\begingroup");
        tg_expander_unread(&self->in, &own);
        tg_expander_unread(&self->in, &group);
        return;
    }
    if (info == NULL) {
        tg_report(&self->errors, &open, TG_PARSE_UNKNOWN_ENVIRONMENT, "unknown environment %s",
                  name);
        info = tg_environment_find("aligned");
    }
    if (list.n > 0 &&
        (list.tokens[0].kind == TG_TOK_SPACE || list.tokens[list.n - 1].kind == TG_TOK_SPACE))
        tg_refuse(&self->errors, &open, TG_PACKAGE_NONE, TG_PARSE_UNKNOWN_ENVIRONMENT,
                  "unknown environment %s with a space beside its name", name);
    if ((info->flags & TG_ENV_KATEX) != 0)
        tg_refuse(&self->errors, &open, TG_PACKAGE_KATEX, TG_PARSE_UNKNOWN_ENVIRONMENT,
                  "unknown environment %s", name);
    if (self->scope->text && self->scope->kind == TG_SCOPE_BRACE &&
        (info->flags & TG_ENV_TEXT) == 0)
        tg_refuse(&self->errors, &open, TG_PACKAGE_NONE, TG_PARSE_MODE,
                  "\\begin{%s} is allowed in math mode only", name);
    const gboolean is_display = (info->flags & TG_ENV_TAGS) != 0 || info->kind == TG_ENV_EQNARRAY ||
                                (info->flags & (TG_ENV_OPEN | TG_ENV_NO_TAGS)) == TG_ENV_OPEN;
    if (is_display) { /* items after it are checked at the end of the formula */
        if (self->display.met || self->scope->kind != TG_SCOPE_TOP || self->scope->n_items > 0)
            tg_refuse(&self->errors, &open, TG_PACKAGE_NONE, TG_PARSE_ENVIRONMENT,
                      "\\begin{%s} is a display of its own, with nothing beside or around it",
                      name);
        self->display.met = TRUE;
        self->display.open = open;
    }
    if ((info->flags & TG_ENV_OPEN) != 0) {
        /* equation and similar environments: their content joins the list around */
        do {
            TgScope cell = {
                .kind = TG_SCOPE_CELL, .form = TG_CELL_NAMED, .name = name, .open = open
            };
            tg_parser_splice(self, tg_parser_read_list(self, &cell));
            if (self->stop.kind == TG_TOK_AMPERSAND)
                tg_report(&self->errors, &self->stop, TG_PARSE_ALIGNMENT,
                          "misplaced & outside an array");
            else if (self->stop.command != NULL &&
                     (self->stop.command->flags & TG_COMMAND_ROW) != 0)
                tg_parser_append(self, tg_parser_node(self, TG_NODE_BREAK, &self->stop));
            else
                break;
        } while (tg_parser_alive(self));
    } else {
        TgArray *array = new_array(self);

        const guint32 allowed = read_args(self, &open, info, array);
        tg_parser_append(self, read_rows(self, &open, info, name, array, allowed, TG_CELL_NAMED));
    }
    if (is_display && self->scope->kind == TG_SCOPE_TOP)
        self->display.n_items = self->scope->n_items;
}

static gboolean is_named(const TgScope *scope, const char *name)
{
    return scope->kind == TG_SCOPE_CELL && scope->form == TG_CELL_NAMED &&
           (name == NULL || strcmp(scope->name, name) == 0);
}

void tg_parser_end(TgParser *self, const TgTexToken *token)
{
    TgScope *scope = self->scope, *opened = scope;
    TgTexTokens list;
    TgTexToken stop = *token;

    if (!tg_parser_tokens_argument(self, token, "a name", &list))
        return;
    tg_parser_extend(self, &stop, self->in.end);

    g_autofree char *name = tg_parser_spelling(list);
    TgTexToken own;
    if (tg_environment_find(name) == NULL &&
        tg_expander_own_environment(&self->in, token, list, TRUE, &own)) {
        const TgTexToken group = tg_token_made(token, TG_TOK_COMMAND, "\\endgroup");
        tg_expander_unread(&self->in, &group);
        tg_expander_unread(&self->in, &own);
        return;
    }
    while (opened != NULL && !is_named(opened, name))
        opened = opened->around;
    if (opened != NULL && (opened != scope || opened->after.n > 0)) {
        /* The end of the column, or a list inside that is not closed, comes first; then \end is
         * read again. */
        put_back(self, tg_token_made(NULL, TG_TOK_OPEN, "{"), list,
                 tg_token_made(NULL, TG_TOK_CLOSE, "}"));
        if (!read_after(self, opened, token))
            tg_parser_end_early(self, token);
    } else if (opened != NULL) {
        tg_parser_close(self, &stop, TG_SCOPE_CELL);
    } else if (is_named(scope, NULL)) {
        tg_report(&self->errors, &stop, TG_PARSE_ENVIRONMENT, "\\begin{%s} closed by \\end{%s}",
                  scope->name, name);
        tg_parser_close(self, &stop, TG_SCOPE_CELL);
    } else {
        tg_report(&self->errors, &stop, TG_PARSE_ENVIRONMENT, "\\end{%s} without \\begin{%s}", name,
                  name);
    }
}

/* \matrix{..}, \pmatrix{..}, \substack{..}: rows between braces. */
void tg_parser_row_command(TgParser *self, const TgTexToken *token)
{
    const TgEnvironmentInfo *info = tg_environment_of_command(token->command->name);
    TgArray *array = new_array(self);

    if (info->kind == TG_ENV_SUBARRAY)
        set_column(self, array, 'c');

    TgTexToken open = tg_expander_next_nonspace(&self->in);
    if (open.kind == TG_TOK_CHAR && info->kind == TG_ENV_SUBARRAY) { /* \substack e */
        const TgTexToken close = tg_token_made(NULL, TG_TOK_CLOSE, "}");
        tg_expander_unread(&self->in, &close);
        tg_expander_unread(&self->in, &open);
        open.kind = TG_TOK_OPEN;
    }
    if (open.kind != TG_TOK_OPEN) {
        tg_expander_unread(&self->in, &open);
        tg_parser_fault(self, token, TG_PARSE_MISSING_ARGUMENT, "needs an argument in braces");
        return;
    }
    tg_parser_append(
        self, read_rows(self, token, info, info->name, array, info->max_columns, TG_CELL_PLAIN));
}

TgNode *tg_parser_implied_aligned(TgParser *self)
{
    const TgTexToken start = { .text = "", .lexeme = G_MAXUINT32 };
    /* the first token of a cell is read inside the cell */
    TgScope around = { .kind = TG_SCOPE_TOP, .open = start };

    self->scope = &around;
    TgNode *node = read_rows(self, &start, tg_environment_find("aligned"), "aligned",
                             new_array(self), 0, TG_CELL_IMPLIED);
    self->scope = NULL;
    return node;
}
