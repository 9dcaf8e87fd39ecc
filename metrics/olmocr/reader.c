/* KaTeX's parser: functions, environments, groups; what it refuses is refused here. */
#include "metrics/olmocr/reader.h"

/* Groups, arguments and environments may be nested this deep. */
enum { MAX_DEPTH = 250 };

static TgKatexNode *parse_expression(TgKatexReader *reader, gboolean break_on_infix,
                                     const char *until);
static TgKatexNode *parse_group(TgKatexReader *reader, const char *name, const char *until);

/* ---- New nodes ---------------------------------------------------------------------------------
 */

static TgKatexNode *node_new(TgKatexReader *reader, TgKatexKind kind)
{
    TgKatexNode *node = tg_arena_zeros(reader->arena, sizeof *node);

    node->kind = kind;
    node->in_text = reader->in_text;
    return node;
}

static TgKatexNode *node_group(TgKatexReader *reader, TgKatexNode *list)
{
    TgKatexNode *node = node_new(reader, TG_KATEX_N_GROUP);

    node->list = list;
    return node;
}

static TgKatexNode *node_symbol(TgKatexReader *reader, TgKatexClass class, const char *text)
{
    TgKatexNode *node = node_new(reader, TG_KATEX_N_SYMBOL);

    node->class = class;
    node->text = text;
    return node;
}

/* ---- The parser's view of tokens ------------------------------------------------------------- */

static TgKatexToken fetch_token(TgKatexReader *reader)
{
    if (reader->error != NULL)
        return (TgKatexToken){ .text = tg_katex_end };
    if (!reader->has_next) {
        reader->next = tg_katex_expand_next(reader);
        reader->has_next = reader->error == NULL;
        if (reader->error != NULL)
            return (TgKatexToken){ .text = tg_katex_end };
    }
    return reader->next;
}

static void consume_token(TgKatexReader *reader)
{
    reader->has_next = FALSE;
}

static void fetch_beyond_spaces(TgKatexReader *reader)
{
    while (token_is(fetch_token(reader), " "))
        consume_token(reader);
}

static gboolean expect_token(TgKatexReader *reader, const char *text, gboolean take)
{
    const TgKatexToken token = fetch_token(reader);

    if (reader->error == NULL && !token_is(token, text))
        tg_katex_fail(reader, token.at, "Expected '%s', got '%s'", text, token.text);
    if (take && reader->error == NULL)
        consume_token(reader);
    return reader->error == NULL;
}

/* The tokens as an expression of their own, in the mode given. */
static TgKatexNode *parse_tokens(TgKatexReader *reader, const GArray *tokens, gboolean in_text)
{
    const TgKatexToken end = { .text = tg_katex_end, .at = tg_katex_peek(reader).at };
    const gboolean outer = reader->in_text, had_next = reader->has_next;
    const TgKatexToken next = reader->next;

    reader->has_next = FALSE;
    tg_katex_push(reader, end);
    tg_katex_push_all(reader, tokens);
    reader->in_text = in_text;
    tg_katex_begin_scope(reader);
    TgKatexNode *list = parse_expression(reader, FALSE, tg_katex_end);
    expect_token(reader, tg_katex_end, TRUE);
    tg_katex_end_scope(reader);
    reader->in_text = outer;
    reader->next = next;
    reader->has_next = had_next;
    return list;
}

/* The tokens of an argument; NULL: an optional one that is not there, or an error. */
static const GArray *take_tokens(TgKatexReader *reader, gboolean optional)
{
    if (optional) {
        tg_katex_skip_spaces(reader);
        if (!token_is(tg_katex_peek(reader), "["))
            return NULL;
        tg_katex_pop(reader);
    }
    const GArray *tokens = tg_katex_take_argument(reader, optional ? "]" : NULL);
    return reader->error == NULL ? tokens : NULL;
}

/* An argument in @in_text mode as a GROUP; NULL: an optional one that is not there. */
static TgKatexNode *parse_argument(TgKatexReader *reader, gboolean optional, gboolean in_text)
{
    const GArray *tokens = take_tokens(reader, optional);

    if (tokens == NULL)
        return NULL;
    TgKatexNode *group = node_group(reader, parse_tokens(reader, tokens, in_text));
    group->in_text = in_text;
    return group;
}

/* An argument as the texts of its expanded tokens. */
static const char *parse_raw(TgKatexReader *reader, gboolean optional)
{
    g_autoptr(GString) text = g_string_new(NULL);
    const GArray *tokens = take_tokens(reader, optional);

    if (tokens == NULL)
        return NULL;
    tg_katex_push(reader, (TgKatexToken){ .text = tg_katex_end });
    tg_katex_push_all(reader, tokens);
    while (reader->error == NULL && fetch_token(reader).text != tg_katex_end) {
        g_string_append(text, fetch_token(reader).text);
        consume_token(reader);
    }
    consume_token(reader);
    return tg_arena_text(reader->arena, text->str, text->len);
}

/* Whether @text may be the beginning of a bare length. */
static gboolean begins_length(const char *text)
{
    const char *p = text;

    p += *p == '-' || *p == '+';
    while (*p == ' ')
        p++;
    if (*p == '\0')
        return TRUE;
    const char *digits = p;
    p += strspn(p, "0123456789");
    const gboolean any = p > digits;
    const gboolean point = *p == '.';
    if (point)
        p += 1 + strspn(p + 1, "0123456789");
    if (!any && !point)
        return FALSE;
    while (*p == ' ')
        p++;
    for (guint i = 0; i < 2 && g_ascii_islower(*p); i++)
        p++;
    while (*p == ' ')
        p++;
    return *p == '\0';
}

/* A length somewhere in @text: a sign, a number and two letters. */
static gboolean find_length(const char *text, TgKatexLength *out)
{
    for (const char *start = text; *start != '\0'; start++) {
        const char *p = start;
        const gboolean minus = *p == '-';
        p += *p == '-' || *p == '+';
        while (*p == ' ')
            p++;
        const char *number = p;
        gsize digits = strspn(p, "0123456789");
        p += digits;
        if (*p == '.') {
            const gsize more = strspn(p + 1, "0123456789");
            if (digits > 0 || more > 0)
                p += 1 + more;
            digits += more;
        }
        if (digits == 0)
            continue;
        const char *end = p;
        while (*p == ' ')
            p++;
        if (!g_ascii_islower(p[0]) || !g_ascii_islower(p[1]))
            continue;
        g_autofree char *copy = g_strndup(number, (gsize) (end - number));
        out->number = g_ascii_strtod(copy, NULL) * (minus ? -1 : 1);
        out->unit[0] = p[0];
        out->unit[1] = p[1];
        out->unit[2] = '\0';
        return TRUE;
    }
    return FALSE;
}

/* A length; FALSE: an optional one that is not there, or an error. */
static gboolean parse_length(TgKatexReader *reader, gboolean optional, TgKatexLength *out)
{
    tg_katex_skip_spaces(reader);
    const guint at = tg_katex_peek(reader).at;
    const char *text;

    if (!optional && !token_is(tg_katex_peek(reader), "{")) {
        g_autoptr(GString) bare = g_string_new(NULL);
        for (;;) {
            const TgKatexToken token = fetch_token(reader);
            const gsize length = bare->len;
            if (token.text == tg_katex_end)
                break;
            g_string_append(bare, token.text);
            if (!begins_length(bare->str)) {
                g_string_truncate(bare, length);
                break;
            }
            consume_token(reader);
        }
        if (bare->len == 0) {
            tg_katex_fail(reader, at, "Invalid size: '%s'", fetch_token(reader).text);
            return FALSE;
        }
        text = tg_arena_text(reader->arena, bare->str, bare->len);
    } else {
        text = parse_raw(reader, optional);
    }
    if (text == NULL || reader->error != NULL)
        return FALSE;
    if (!optional && text[0] == '\0')
        text = "0pt";
    if (!find_length(text, out)) {
        tg_katex_fail(reader, at, "Invalid size: '%s'", text);
        return FALSE;
    }
    if (!tg_katex_is_word(out->unit, "pt mm cm in bp pc dd cc nd nc sp px em ex mu")) {
        tg_katex_fail(reader, at, "Invalid unit: '%s'", out->unit);
        return FALSE;
    }
    return TRUE;
}

static gboolean is_color(const char *text)
{
    const gsize length = strlen(text),
                hex = strspn(text + (*text == '#'), "0123456789abcdefABCDEF");
    gsize letters = 0;

    while (g_ascii_isalpha(text[letters]))
        letters++;
    return (*text == '#' && (length == 4 || length == 7) && hex == length - 1) ||
           (length == 6 && hex == 6) || (length > 0 && letters == length);
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

static gboolean has_one(const TgKatexNode *list)
{
    return list != NULL && list->next == NULL;
}

/* The only item of a group, or the node itself. */
static TgKatexNode *node_inner(TgKatexNode *node)
{
    return node != NULL && node->kind == TG_KATEX_N_GROUP && has_one(node->list) ? node->list
                                                                                 : node;
}

/* The list inside a group, or the node as one. */
static TgKatexNode *node_as_list(TgKatexNode *node)
{
    return node != NULL && node->kind == TG_KATEX_N_GROUP ? node->list : node;
}

/* The class of \overset and the like: that of the first thing in @node if it is Bin or Rel. */
static TgKatexClass node_bin_or_rel(TgKatexNode *node)
{
    const TgKatexNode *first =
        node->kind == TG_KATEX_N_GROUP && node->list != NULL ? node->list : node;

    return first->kind == TG_KATEX_N_SYMBOL &&
                   (first->class == TG_KATEX_BINARY || first->class == TG_KATEX_RELATION)
               ? first->class
               : TG_KATEX_ORD;
}

static const char *delimiter_of(TgKatexReader *reader, const TgKatexNode *node,
                                const char *function, guint at)
{
    if (node == NULL)
        return NULL;
    if (node->kind != TG_KATEX_N_SYMBOL) {
        tg_katex_fail(reader, at, "Invalid delimiter type after '%s'", function);
        return NULL;
    }
    if (strcmp(node->text, ".") != 0 && !tg_katex_is_delimiter(node->text)) {
        tg_katex_fail(reader, at, "Invalid delimiter '%s' after '%s'", node->text, function);
        return NULL;
    }
    return node->text;
}

/* ---- Environments ---------------------------------------------------------------------------- */

typedef enum {
    ENV_ARRAY,
    ENV_MATRIX,
    ENV_SUBARRAY,
    ENV_CASES,
    ENV_ALIGN,
    ENV_GATHER,
    ENV_EQUATION
} EnvKind;

typedef enum { NO_TAGS, WITH_TAGS, NUMBERED } EnvTags;

typedef struct {
    const char *name;
    EnvKind kind;
    const char *left, *right;
    gint style; /* of its cells, -1: that around */
    EnvTags tags;
    guint max_columns; /* 0: any number */
} Environment;

static const Environment environments[] = {
    { "array", ENV_ARRAY, NULL, NULL, 1, NO_TAGS, 0 },
    { "darray", ENV_ARRAY, NULL, NULL, 0, NO_TAGS, 0 },
    { "matrix", ENV_MATRIX, NULL, NULL, 1, NO_TAGS, 0 },
    { "pmatrix", ENV_MATRIX, "(", ")", 1, NO_TAGS, 0 },
    { "bmatrix", ENV_MATRIX, "[", "]", 1, NO_TAGS, 0 },
    { "Bmatrix", ENV_MATRIX, "\\{", "\\}", 1, NO_TAGS, 0 },
    { "vmatrix", ENV_MATRIX, "|", "|", 1, NO_TAGS, 0 },
    { "Vmatrix", ENV_MATRIX, "\\Vert", "\\Vert", 1, NO_TAGS, 0 },
    { "smallmatrix", ENV_MATRIX, NULL, NULL, 2, NO_TAGS, 0 },
    { "subarray", ENV_SUBARRAY, NULL, NULL, 2, NO_TAGS, 0 },
    { "cases", ENV_CASES, "\\{", ".", 1, NO_TAGS, 0 },
    { "dcases", ENV_CASES, "\\{", ".", 0, NO_TAGS, 0 },
    { "rcases", ENV_CASES, ".", "\\}", 1, NO_TAGS, 0 },
    { "drcases", ENV_CASES, ".", "\\}", 0, NO_TAGS, 0 },
    { "align", ENV_ALIGN, NULL, NULL, 0, NUMBERED, 0 },
    { "align*", ENV_ALIGN, NULL, NULL, 0, WITH_TAGS, 0 },
    { "aligned", ENV_ALIGN, NULL, NULL, 0, NO_TAGS, 0 },
    { "split", ENV_ALIGN, NULL, NULL, 0, NO_TAGS, 2 },
    { "alignat", ENV_ALIGN, NULL, NULL, 0, NUMBERED, 0 },
    { "alignat*", ENV_ALIGN, NULL, NULL, 0, WITH_TAGS, 0 },
    { "alignedat", ENV_ALIGN, NULL, NULL, 0, NO_TAGS, 0 },
    { "gather", ENV_GATHER, NULL, NULL, 0, NUMBERED, 0 },
    { "gather*", ENV_GATHER, NULL, NULL, 0, WITH_TAGS, 0 },
    { "gathered", ENV_GATHER, NULL, NULL, 0, NO_TAGS, 0 },
    { "equation", ENV_EQUATION, NULL, NULL, -1, NUMBERED, 1 },
    { "equation*", ENV_EQUATION, NULL, NULL, -1, WITH_TAGS, 1 },
};

static const Environment *find_environment(const char *name)
{
    const gsize length = strlen(name);
    const gboolean starred = length > 1 && name[length - 1] == '*';

    for (guint i = 0; i < G_N_ELEMENTS(environments); i++) {
        const Environment *environment = &environments[i];
        if (strcmp(environment->name, name) == 0 ||
            (starred && environment->kind == ENV_MATRIX && environment->style == 1 &&
             strlen(environment->name) == length - 1 &&
             strncmp(environment->name, name, length - 1) == 0))
            return environment;
    }
    return NULL;
}

/* The columns of a preamble: of l, c, r, | and :. */
static const char *read_columns(TgKatexReader *reader, const TgKatexNode *preamble, gboolean rules)
{
    g_autoptr(GString) columns = g_string_new(NULL);

    for (const TgKatexNode *node = preamble->list; node != NULL; node = node->next) {
        const char *text = node->kind == TG_KATEX_N_SYMBOL ? node->text : "";
        if (text[0] == '\0' || text[1] != '\0' || strchr(rules ? "lcr|:" : "lc", text[0]) == NULL) {
            tg_katex_fail(reader, reader->error_at, "Unknown column alignment: %s", text);
            return NULL;
        }
        g_string_append_c(columns, text[0]);
    }
    return tg_arena_text(reader->arena, columns->str, columns->len);
}

/* Lines before a row: how many. */
static guint8 take_lines(TgKatexReader *reader)
{
    guint8 n = 0;

    fetch_beyond_spaces(reader);
    if (token_is(fetch_token(reader), "\\relax")) {
        consume_token(reader);
        fetch_beyond_spaces(reader);
    }
    while (token_is(fetch_token(reader), "\\hline") ||
           token_is(fetch_token(reader), "\\hdashline")) {
        consume_token(reader);
        n += n < 100;
        fetch_beyond_spaces(reader);
    }
    return n;
}

/* The number of the row's tag: NULL, and what \tag said is forgotten. */
static TgKatexNode *take_row_tag(TgKatexReader *reader)
{
    const TgKatexMacro *macro = tg_katex_find_macro(reader, "\\df@tag");

    if (macro == NULL)
        return NULL;
    const GArray *tokens = macro->tokens;
    for (guint i = reader->macros->len; i-- > 0;)
        if (strcmp(g_array_index(reader->macros, TgKatexMacro, i).name, "\\df@tag") == 0)
            g_array_remove_index(reader->macros, i);
    return node_group(reader, parse_tokens(reader, tokens, FALSE));
}

/* Rows up to \end, which stays. */
static TgKatexNode *parse_rows(TgKatexReader *reader, const Environment *environment,
                               TgKatexArray *array)
{
    static const TgKatexToken cr[] = { { "\\relax", 0 }, { "\\\\", 0 } };
    const gboolean single_row = environment->kind == ENV_EQUATION;
    const gboolean may_be_empty =
        single_row || environment->kind == ENV_ALIGN || environment->kind == ENV_GATHER;
    TgKatexNode *node = node_new(reader, TG_KATEX_N_ARRAY), **row_end = &node->list;
    g_autoptr(GArray) rows = g_array_new(FALSE, TRUE, sizeof(TgKatexRow));
    gboolean at_end = FALSE;

    tg_katex_begin_scope(reader);
    if (!single_row) {
        GArray *body = tg_katex_token_list(reader);
        g_array_append_vals(body, cr, 2);
        tg_katex_define_macro(reader, (TgKatexMacro){ .name = "\\cr", .tokens = body }, FALSE);
    }
    tg_katex_begin_scope(reader);
    while (reader->error == NULL && !at_end) {
        TgKatexNode **this_row = row_end, *cells = node_group(reader, NULL), *cell;
        TgKatexNode **cell_end = &cells->list;
        TgKatexRow row = { .lines = take_lines(reader) };
        guint n_cells = 0;
        gboolean in_row = TRUE;
        *row_end = cells;
        row_end = &cells->next;
        array->n_rows++;
        while (reader->error == NULL && in_row) {
            cell =
                node_group(reader, parse_expression(reader, FALSE, single_row ? "\\end" : "\\\\"));
            tg_katex_end_scope(reader);
            tg_katex_begin_scope(reader);
            if (reader->error != NULL)
                break;
            *cell_end = cell;
            cell_end = &cell->next;
            n_cells++;
            array->n_columns = MAX(array->n_columns, n_cells);
            const TgKatexToken next = fetch_token(reader);
            if (token_is(next, "&")) {
                if (n_cells == environment->max_columns)
                    tg_katex_fail(reader, next.at, "Too many tab characters: &");
                consume_token(reader);
                continue;
            }
            in_row = FALSE;
            if (token_is(next, "\\end")) {
                at_end = TRUE;
                if (n_cells == 1 && cell->list == NULL && array->style >= 0 &&
                    (array->n_rows > 1 || !may_be_empty)) {
                    *this_row = NULL;
                    array->n_rows--;
                }
            } else if (token_is(next, "\\\\")) {
                consume_token(reader);
                if (!token_is(tg_katex_peek(reader), " "))
                    parse_length(reader, TRUE, &row.gap);
            } else {
                tg_katex_fail(reader, next.at, "Expected & or \\\\ or \\cr or \\end");
            }
            row.tag = environment->tags != NO_TAGS ? take_row_tag(reader) : NULL;
        }
        g_array_append_val(rows, row);
    }
    tg_katex_end_scope(reader);
    tg_katex_end_scope(reader);
    array->rows = tg_arena_zeros(reader->arena, (rows->len + 1) * sizeof *array->rows);
    memcpy(array->rows, rows->data, rows->len * sizeof *array->rows);
    node->array = array;
    return node;
}

/* The alignment of a starred matrix: [l], [c] or [r]. */
static const char *take_alignment(TgKatexReader *reader)
{
    fetch_beyond_spaces(reader);
    if (!token_is(fetch_token(reader), "["))
        return NULL;
    consume_token(reader);
    fetch_beyond_spaces(reader);
    const TgKatexToken token = fetch_token(reader);
    if (token.text[0] == '\0' || token.text[1] != '\0' || strchr("lcr", token.text[0]) == NULL) {
        tg_katex_fail(reader, token.at, "Expected l or c or r");
        return NULL;
    }
    consume_token(reader);
    fetch_beyond_spaces(reader);
    expect_token(reader, "]", TRUE);
    return token.text;
}

static TgKatexNode *read_array(TgKatexReader *reader, const Environment *environment,
                               TgKatexArray *array)
{
    TgKatexNode *argument = parse_argument(reader, FALSE, reader->in_text);

    if (argument == NULL)
        return NULL;
    array->columns = read_columns(reader, argument, environment->kind == ENV_ARRAY);
    if (reader->error != NULL)
        return NULL;
    if (environment->kind == ENV_SUBARRAY && strlen(array->columns) > 1) {
        tg_katex_fail(reader, fetch_token(reader).at, "{subarray} can contain only one column");
        return NULL;
    }
    array->padded = environment->kind == ENV_ARRAY;
    TgKatexNode *node = parse_rows(reader, environment, array);
    if (environment->kind == ENV_SUBARRAY && array->n_columns > 1)
        tg_katex_fail(reader, fetch_token(reader).at, "{subarray} can contain only one column");
    return node;
}

static TgKatexNode *read_matrix(TgKatexReader *reader, const char *name,
                                const Environment *environment, TgKatexArray *array)
{
    const char *align = g_str_has_suffix(name, "*") ? take_alignment(reader) : NULL;
    TgKatexNode *node = parse_rows(reader, environment, array);
    if (reader->error != NULL)
        return NULL;
    char *columns = tg_arena_alloc(reader->arena, array->n_columns + 1);
    memset(columns, align != NULL ? align[0] : 'c', array->n_columns);
    columns[array->n_columns] = '\0';
    array->columns = columns;
    return node;
}

static TgKatexNode *read_align(TgKatexReader *reader, const Environment *environment,
                               TgKatexArray *array)
{
    guint n_pairs = 0;

    if (strstr(environment->name, "at") != NULL) {
        g_autoptr(GString) number = g_string_new(NULL);
        const TgKatexNode *argument = parse_argument(reader, FALSE, FALSE);
        for (const TgKatexNode *n = argument != NULL ? argument->list : NULL; n != NULL;
             n = n->next)
            g_string_append(number, n->kind == TG_KATEX_N_SYMBOL ? n->text : "");
        n_pairs = (guint) CLAMP(g_ascii_strtod(number->str, NULL), 0, 10000);
    }
    array->aligned = n_pairs == 0;
    TgKatexNode *node = parse_rows(reader, environment, array);
    if (reader->error != NULL)
        return NULL;
    char *columns = tg_arena_alloc(reader->arena, array->n_columns + 1);
    for (guint i = 0; i < array->n_columns; i++)
        columns[i] = i % 2 == 0 ? 'r' : 'l';
    columns[array->n_columns] = '\0';
    array->columns = columns;
    for (const TgKatexNode *row = node->list; row != NULL; row = row->next) {
        guint i = 0;
        for (TgKatexNode *cell = row->list; cell != NULL; cell = cell->next, i++)
            if (i % 2 == 1) {
                TgKatexNode *empty = node_group(reader, NULL);
                empty->next = cell->list;
                cell->list = empty;
            }
        if (n_pairs > 0 && i / 2.0 > n_pairs)
            tg_katex_fail(reader, fetch_token(reader).at, "Too many math in a row: expected %u",
                          n_pairs);
    }
    return node;
}

static TgKatexNode *read_environment(TgKatexReader *reader, const char *name, guint at)
{
    const Environment *environment = find_environment(name);
    TgKatexArray *array = tg_arena_zeros(reader->arena, sizeof *array);
    TgKatexNode *node;

    if (environment == NULL) {
        tg_katex_fail(reader, at, "No such environment: %s", name);
        return NULL;
    }
    array->style = environment->style;
    array->cases = environment->kind == ENV_CASES;
    array->jot = environment->kind == ENV_ALIGN || environment->kind == ENV_GATHER;
    array->numbered = environment->tags == NUMBERED;
    array->stretch = array->style == 2 ? .5 : array->cases ? 1.2 : 1;
    switch (environment->kind) {
    case ENV_ARRAY:
    case ENV_SUBARRAY:
        node = read_array(reader, environment, array);
        break;
    case ENV_MATRIX:
        node = read_matrix(reader, name, environment, array);
        break;
    case ENV_ALIGN:
        node = read_align(reader, environment, array);
        break;
    default:
        array->columns = array->cases ? "ll" : array->jot ? "c" : NULL;
        node = parse_rows(reader, environment, array);
    }
    if (node == NULL || reader->error != NULL || environment->left == NULL)
        return node;
    TgKatexNode *around = node_new(reader, TG_KATEX_N_LEFT_RIGHT);
    around->list = node;
    around->left = environment->left;
    around->right = environment->right;
    return around;
}

/* The name in a group of text. */
static const char *name_of(TgKatexReader *reader, const TgKatexNode *group, guint at)
{
    g_autoptr(GString) name = g_string_new(NULL);

    for (const TgKatexNode *node = group->list; node != NULL; node = node->next) {
        if (node->kind != TG_KATEX_N_SYMBOL || node->class == TG_KATEX_SPACE) {
            tg_katex_fail(reader, at, "A space or a command in the name of an environment");
            return "";
        }
        g_string_append(name, node->text);
    }
    return tg_arena_text(reader->arena, name->str, name->len);
}

/* ---- Functions ------------------------------------------------------------------------------- */

typedef struct {
    TgKatexReader *reader;
    const TgKatexFunction *function;
    const char *name, *until;
    guint at;
    TgKatexNode *optional;
    TgKatexNode *arguments[6];
    TgKatexNode *body; /* the last of the arguments */
    TgKatexLength sizes[3];
    guint n_sizes;
} Call;

/* One argument of the kind @type. */
static TgKatexNode *parse_typed(Call *call, char type, gboolean optional)
{
    TgKatexReader *reader = call->reader;
    TgKatexNode *node = NULL;
    g_autofree char *name = NULL;
    const char *color;

    switch (type) {
    case 'o':
        return parse_argument(reader, optional, reader->in_text);
    case 't':
        return parse_argument(reader, optional, TRUE);
    case 'h':
        node = parse_argument(reader, optional, TRUE);
        if (node != NULL) {
            TgKatexNode *styled = node_new(reader, TG_KATEX_N_STYLE);
            styled->number = 1;
            styled->list = node;
            node = styled;
        }
        return node;
    case 'c':
        color = parse_raw(reader, optional);
        if (color != NULL && !is_color(color))
            tg_katex_fail(reader, call->at, "Invalid color: '%s'", color);
        return NULL;
    case 's':
        parse_length(reader, optional, &call->sizes[call->n_sizes++]);
        return NULL;
    default:
        if (type == 'q' && call->optional != NULL)
            return parse_argument(reader, FALSE, reader->in_text);
        name = g_strdup_printf("argument to '%s'", call->name);
        node = parse_group(reader, name, NULL);
        if (node == NULL)
            tg_katex_fail(reader, fetch_token(reader).at, "Expected group as %s", name);
        return node;
    }
}

static TgKatexNode *call_definition(Call *call)
{
    TgKatexReader *reader = call->reader;
    const TgKatexToken name = tg_katex_pop(reader);
    GArray *delimiters = tg_katex_token_list(reader);
    guint n_arguments = 0;

    if (name.text == tg_katex_end || tg_katex_is_word(name.text, "\\ { } $ & # ^ _")) {
        tg_katex_fail(reader, name.at, "Expected a control sequence");
        return NULL;
    }
    while (reader->error == NULL && !token_is(tg_katex_peek(reader), "{")) {
        const TgKatexToken token = tg_katex_pop(reader);
        if (token_is(token, "#")) {
            const TgKatexToken digit = tg_katex_pop(reader);
            if (digit_of(digit, 10) != (gint) n_arguments + 1 || n_arguments == 9)
                tg_katex_fail(reader, token.at, "Argument number \"%s\" out of order", digit.text);
            n_arguments++;
        } else if (token.text == tg_katex_end) {
            tg_katex_fail(reader, token.at, "Expected a macro definition");
        } else {
            g_array_append_val(delimiters, token);
        }
    }
    GArray *body = tg_katex_take_argument(reader, NULL);
    /* a text between the arguments is not supported: its use would hardly ever match */
    if (delimiters->len > 0)
        tg_katex_fail(reader, name.at, "Use of the macro doesn't match its definition");
    if (reader->error == NULL)
        tg_katex_define_macro(
            reader, (TgKatexMacro){ .name = name.text, .n_arguments = n_arguments, .tokens = body },
            call->name[1] == 'g' || call->name[1] == 'x');
    return node_new(reader, TG_KATEX_N_INTERNAL);
}

static TgKatexNode *call_left(Call *call)
{
    TgKatexReader *reader = call->reader;
    TgKatexNode *node = node_new(reader, TG_KATEX_N_LEFT_RIGHT);

    node->left = delimiter_of(reader, call->arguments[0], call->name, call->at);
    reader->lefts++;
    node->list = parse_expression(reader, FALSE, NULL);
    reader->lefts--;
    if (!expect_token(reader, "\\right", FALSE))
        return NULL;
    const TgKatexNode *right = parse_group(reader, NULL, NULL);
    node->right = right != NULL ? right->text : NULL;
    return reader->error == NULL ? node : NULL;
}

static TgKatexNode *call_begin(Call *call)
{
    TgKatexReader *reader = call->reader;
    const char *name = name_of(reader, call->arguments[0], call->at);

    if (reader->error != NULL)
        return NULL;
    TgKatexNode *node = read_environment(reader, name, call->at);
    if (reader->error != NULL || !expect_token(reader, "\\end", FALSE))
        return NULL;
    const guint at = fetch_token(reader).at;
    consume_token(reader);
    const TgKatexNode *end = parse_argument(reader, FALSE, TRUE);
    if (end == NULL)
        return NULL;
    const char *ended = name_of(reader, end, at);
    if (strcmp(name, ended) != 0)
        tg_katex_fail(reader, at, "Mismatch: \\begin{%s} matched by \\end{%s}", name, ended);
    return node;
}

static TgKatexNode *make_fraction(TgKatexReader *reader, const char *name, TgKatexNode *above,
                                  TgKatexNode *below)
{
    static const struct {
        const char *names, *left, *right;
    } delimiters[] = {
        { "\\dbinom \\binom \\tbinom \\choose", "(", ")" },
        { "\\\\bracefrac \\brace", "\\{", "\\}" },
        { "\\\\brackfrac \\brack", "[", "]" },
    };
    TgKatexNode *node = node_new(reader, TG_KATEX_N_FRACTION);

    node->parts[0] = above;
    node->parts[1] = below;
    node->flag = tg_katex_is_word(name, "\\dfrac \\frac \\tfrac \\cfrac \\over \\above");
    node->no_shift = strcmp(name, "\\cfrac") == 0;
    node->number = tg_katex_is_word(name, "\\dfrac \\dbinom \\cfrac") ? 0
                   : tg_katex_is_word(name, "\\tfrac \\tbinom")       ? 1
                                                                      : -1;
    for (guint i = 0; i < G_N_ELEMENTS(delimiters); i++)
        if (tg_katex_is_word(name, delimiters[i].names)) {
            node->left = delimiters[i].left;
            node->right = delimiters[i].right;
        }
    return node;
}

static TgKatexNode *call_stack(Call *call)
{
    TgKatexReader *reader = call->reader;
    const gboolean under = strcmp(call->name, "\\underset") == 0;
    const gboolean relation = strcmp(call->name, "\\stackrel") == 0;
    TgKatexNode *base = node_new(reader, TG_KATEX_N_OPERATOR);
    TgKatexNode *scripts = node_new(reader, TG_KATEX_N_SCRIPTS);
    TgKatexNode *node = node_new(reader, TG_KATEX_N_CLASS);

    node->class = relation ? TG_KATEX_RELATION : node_bin_or_rel(call->arguments[1]);
    base->limits = base->always_scripts = TRUE;
    base->no_shift = !relation;
    base->list = node_as_list(call->arguments[1]);
    scripts->parts[0] = base;
    scripts->parts[under ? 1 : 2] = call->arguments[0];
    node->list = scripts;
    return node;
}

static void read_operator(Call *call, TgKatexNode *node)
{
    /* the names of signs, which characters mean them, and which ones they show */
    static const struct {
        const char *name, *character, *shown;
    } signs[] = {
        { "\\prod", "∏", "∏" },      { "\\coprod", "∐", "∐" },   { "\\sum", "∑", "∑" },
        { "\\bigwedge", "⋀", "⋀" },  { "\\bigvee", "⋁", "⋁" },   { "\\bigcap", "⋂", "⋂" },
        { "\\bigcup", "⋃", "⋃" },    { "\\bigodot", "⨀", "⨀" },  { "\\bigoplus", "⨁", "⨁" },
        { "\\bigotimes", "⨂", "⨂" }, { "\\biguplus", "⨄", "⨄" }, { "\\bigsqcup", "⨆", "⨆" },
        { "\\int", "∫", "∫" },       { "\\iint", "∬", "∬" },     { "\\iiint", "∭", "∭" },
        { "\\oint", "∮", "∮" },      { "\\oiint", "∯", "∬" },    { "\\oiiint", "∰", "∭" },
        { "\\intop", "", "∫" },      { "\\smallint", "", "∫" },
    };
    const TgKatexFunctionKind kind = call->function->kind;

    for (guint i = 0; i < G_N_ELEMENTS(signs); i++)
        if (strcmp(signs[i].name, call->name) == 0 || strcmp(signs[i].character, call->name) == 0) {
            node->text = signs[i].name;
            node->shown = signs[i].shown;
        }
    node->flag = kind == SUM || kind == INTEGRAL;
    node->limits = kind == SUM || kind == LIMIT_NAME || kind == MATHOP;
    if (kind == MATHOP)
        node->text = NULL;
}

/* The font that a command names: as "mathbf" where the command itself has another name. */
static const char *font_of(const Call *call)
{
    static const char *const others[][2] = {
        { "\\Bbb", "mathbb" }, { "\\bold", "mathbf" }, { "\\frak", "mathfrak" },
        { "\\rm", "mathrm" },  { "\\sf", "mathsf" },   { "\\tt", "mathtt" },
        { "\\bf", "mathbf" },  { "\\it", "mathit" },   { "\\cal", "mathcal" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        if (strcmp(others[i][0], call->name) == 0)
            return others[i][1];
    return call->name + 1;
}

static TgKatexNode *call_math_in_text(Call *call)
{
    TgKatexReader *reader = call->reader;
    const char *close = call->name[0] == '$' ? "$" : "\\)";

    reader->in_text = FALSE;
    TgKatexNode *list = parse_expression(reader, FALSE, close);
    expect_token(reader, close, FALSE);
    reader->in_text = TRUE;
    consume_token(reader);
    TgKatexNode *node = node_new(reader, TG_KATEX_N_STYLE);
    node->in_text = FALSE;
    node->number = 1;
    node->list = list;
    return node;
}

/* The node of a function: most are its last argument, with its name and its lengths. */
static TgKatexNode *call_function(Call *call)
{
    TgKatexReader *reader = call->reader;
    TgKatexNode *node = node_new(reader, call->function->node), **args = call->arguments;

    node->text = call->name;
    node->number = call->function->value;
    node->parts[0] = call->body;
    node->parts[1] = call->optional;
    node->list = node_as_list(call->body);
    node->size = call->sizes[0];
    memcpy(node->sizes, &call->sizes[1], sizeof node->sizes);
    switch (call->function->kind) {
    case NODE:
        return node;
    case ACCENT:
    case WIDE_ACCENT:
        node->parts[0] = node_inner(args[0]);
        node->flag = call->function->kind == WIDE_ACCENT;
        return node;
    case TEXT_ACCENT:
        node->in_text = TRUE;
        return node;
    case DEFINITION:
        return call_definition(call);
    case LEFT:
        return call_left(call);
    case RIGHT:
    case MIDDLE:
    case DELIMITER:
        node->text = delimiter_of(reader, args[0], call->name, call->at);
        node->class = g_str_has_suffix(call->name, "l")   ? TG_KATEX_OPEN
                      : g_str_has_suffix(call->name, "r") ? TG_KATEX_CLOSE
                      : g_str_has_suffix(call->name, "m") ? TG_KATEX_RELATION
                                                          : TG_KATEX_ORD;
        if (call->function->kind == MIDDLE && reader->lefts == 0)
            tg_katex_fail(reader, call->at, "\\middle without preceding \\left");
        return node;
    case BEGIN:
        return call_begin(call);
    case FONT:
        node->text = font_of(call);
        node->parts[0] = node_inner(args[0]);
        return node;
    case OLD_FONT:
        node->text = font_of(call);
        node->parts[0] = node_group(reader, parse_expression(reader, TRUE, call->until));
        return node;
    case BOLD:
        node->class = node_bin_or_rel(args[0]);
        node->list = node_new(reader, TG_KATEX_N_FONT);
        node->list->text = "boldsymbol";
        node->list->parts[0] = node_inner(args[0]);
        return node;
    case FRACTION:
        return make_fraction(reader, call->name, args[0], args[1]);
    case STACK:
        return call_stack(call);
    case SUM:
    case INTEGRAL:
    case MATHOP:
    case NAME:
    case LIMIT_NAME:
        read_operator(call, node);
        return node;
    case OPERATORNAME:
        node->always_scripts = strcmp(call->name, "\\operatornamewithlimits") == 0;
        return node;
    case SIZE:
    case STYLE:
    case COLOR:
        node->list = parse_expression(reader, call->function->kind != SIZE, call->until);
        return node;
    case LINE_END:
        if (token_is(tg_katex_peek(reader), "["))
            parse_length(reader, TRUE, &node->size);
        return node;
    case CHOICE:
        memcpy(node->parts, args, sizeof node->parts);
        return node;
    case CLASS:
        node->class = (TgKatexClass) call->function->value;
        return node;
    case PMB:
        node->class = node_bin_or_rel(args[0]);
        return node;
    case MATH:
        return call_math_in_text(call);
    case NOT_MODELED:
        tg_katex_fail(reader, call->at, "KaTeX knows %s, which is not modeled here", call->name);
        reader->not_modeled = TRUE;
        return NULL;
    case NO_MATH:
        tg_katex_fail(reader, call->at, "Mismatched %s", call->name);
        return NULL;
    case RULE_LINE:
        tg_katex_fail(reader, call->at, "%s valid only within array environment", call->name);
        return NULL;
    case END:
        tg_katex_fail(reader, call->at, "Unexpected \\end");
        return NULL;
    }
    return NULL;
}

/* A function with its arguments, or NULL where the next token is none. @name: of the argument that
 * the function would be */
static TgKatexNode *parse_function(TgKatexReader *reader, const char *name, const char *until)
{
    const TgKatexToken token = fetch_token(reader);
    const TgKatexFunction *function =
        token.text != tg_katex_end ? tg_katex_find_function(token.text) : NULL;
    Call call = {
        .reader = reader, .function = function, .name = token.text, .until = until, .at = token.at
    };

    if (function == NULL)
        return NULL;
    consume_token(reader);
    if (name != NULL && strcmp(name, "atom") != 0 && strchr(function->use, 'A') == NULL) {
        tg_katex_fail(reader, token.at, "Got function '%s' with no arguments as %s", token.text,
                      name);
        return NULL;
    }
    if (reader->in_text ? strchr(function->use, 'T') == NULL : strchr(function->use, 'M') != NULL) {
        tg_katex_fail(reader, token.at, "Can't use function '%s' in %s mode", token.text,
                      reader->in_text ? "text" : "math");
        return NULL;
    }
    guint n = 0;
    if (function->optional[0] != '\0')
        call.optional = parse_typed(&call, function->optional[0], TRUE);
    for (const char *p = function->arguments; *p != '\0' && reader->error == NULL; p++)
        call.arguments[n++] = call.body = parse_typed(&call, *p, FALSE);
    return reader->error == NULL ? call_function(&call) : NULL;
}

/* ---- Symbols, groups, atoms ------------------------------------------------------------------ */

static const struct {
    gunichar mark;
    const char *text, *math;
} marks[] = {
    { 0x301, "\\'", "\\acute" },    { 0x300, "\\`", "\\grave" }, { 0x308, "\\\"", "\\ddot" },
    { 0x303, "\\~", "\\tilde" },    { 0x304, "\\=", "\\bar" },   { 0x306, "\\u", "\\breve" },
    { 0x30C, "\\v", "\\check" },    { 0x302, "\\^", "\\hat" },   { 0x307, "\\.", "\\dot" },
    { 0x30A, "\\r", "\\mathring" }, { 0x30B, "\\H", NULL },      { 0x327, "\\c", NULL },
};

static TgKatexNode *parse_symbol(TgKatexReader *reader)
{
    const TgKatexToken token = fetch_token(reader);
    const char *text = token.text;
    g_autofree char *apart = NULL;

    if (text == tg_katex_end)
        return NULL;
    const TgKatexSymbol *whole = tg_katex_symbol(text);
    if ((guchar) text[0] >= 0xC3 && (whole == NULL || (reader->in_text && whole->text == NULL)) &&
        g_utf8_get_char(text) < 0x2000) {
        apart = g_utf8_normalize(text, -1, G_NORMALIZE_NFD);
        if (g_utf8_strlen(apart, -1) > 1)
            text = tg_arena_text(reader->arena, apart, strlen(apart));
    }
    const char *rest = g_utf8_next_char(text);
    const gboolean accented = text[0] != '\\' && *rest != '\0' && g_utf8_get_char(rest) >= 0x300 &&
                              g_utf8_get_char(rest) < 0x370;
    const char *base = accented ? tg_arena_text(reader->arena, text, (gsize) (rest - text)) : text;
    if (accented && (strcmp(base, "i") == 0 || strcmp(base, "j") == 0))
        base = base[0] == 'i' ? "ı" : "ȷ";
    const TgKatexSymbol *symbol = tg_katex_symbol(base);
    TgKatexNode *node;
    const gboolean letter = g_ascii_isalpha(base[0]) && base[1] == '\0';
    if (strcmp(text, "\\ ") == 0 || (reader->in_text && strcmp(text, " ") == 0)) {
        node = node_symbol(reader, TG_KATEX_SPACE, text);
    } else if (letter) {
        node = node_symbol(reader, reader->in_text ? TG_KATEX_ORD : TG_KATEX_LETTER, base);
    } else if (symbol != NULL &&
               (reader->in_text ? symbol->text != NULL : symbol->class != TG_KATEX_NONE)) {
        node = node_symbol(
            reader,
            !reader->in_text || symbol->class == TG_KATEX_SPACE ? symbol->class : TG_KATEX_ORD,
            symbol->name[0] == '\\' && base[0] == '-' ? "-" : symbol->name);
    } else if ((guchar) base[0] >= 0x80) {
        const gunichar code = g_utf8_get_char(base);
        const gboolean alphabet = code >= 0x1D400 && code < 0x1D7CC && !reader->in_text;
        node = node_symbol(reader, alphabet ? TG_KATEX_LETTER : TG_KATEX_ORD, base);
        node->in_text = node->in_text || !alphabet;
    } else {
        return NULL;
    }
    consume_token(reader);
    guint depth = reader->depth; /* each mark is an accent over the one before it */
    for (const char *p = rest; accented && *p != '\0'; p = g_utf8_next_char(p)) {
        const gunichar mark = g_utf8_get_char(p);
        guint i = 0;
        if (++depth > MAX_DEPTH) {
            tg_katex_fail(reader, token.at, "Accents are nested too deep");
            return NULL;
        }
        while (i < G_N_ELEMENTS(marks) && marks[i].mark != mark)
            i++;
        if (i == G_N_ELEMENTS(marks)) {
            tg_katex_fail(reader, token.at, "Unknown accent U+%04X", mark);
            return NULL;
        }
        const char *command =
            !reader->in_text && marks[i].math != NULL ? marks[i].math : marks[i].text;
        TgKatexNode *accent = node_new(reader, TG_KATEX_N_ACCENT);
        accent->text = command;
        accent->parts[0] = node;
        node = accent;
    }
    return node;
}

static TgKatexNode *parse_group(TgKatexReader *reader, const char *name, const char *until)
{
    const TgKatexToken first = fetch_token(reader);
    const gboolean brace = token_is(first, "{");
    TgKatexNode *node;

    if (reader->error != NULL)
        return NULL;
    if (++reader->depth > MAX_DEPTH) {
        tg_katex_fail(reader, first.at, "Groups are nested too deep");
        return NULL;
    }
    if (brace || token_is(first, "\\begingroup")) {
        const char *close = brace ? "}" : "\\endgroup";
        consume_token(reader);
        tg_katex_begin_scope(reader);
        node = node_group(reader, parse_expression(reader, FALSE, close));
        node->flag = !brace;
        expect_token(reader, close, TRUE);
        tg_katex_end_scope(reader);
        reader->depth--;
        return node;
    }
    node = parse_function(reader, name, until);
    if (node == NULL && reader->error == NULL)
        node = parse_symbol(reader);
    reader->depth--;
    if (node == NULL && first.text[0] == '\\' && !tg_katex_is_implicit(first.text) &&
        tg_katex_find_function(first.text) == NULL)
        tg_katex_fail(reader, first.at, "Undefined control sequence: %s", first.text);
    return reader->error == NULL ? node : NULL;
}

/* Raised and lowered characters of Unicode: the one at the same place stands for it. */
static const char raised[] = "⁺⁻⁼⁽⁾⁰¹²³⁴⁵⁶⁷⁸⁹ⁱⁿᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵝᵞᵟᵠᵡᶿ";
static const char raised_for[] =
    "+-=()0123456789inABDEGHIJKLMNOPRTUVWabcdefghjklmoprstuvwxyzβγδϕχθ";
static const char lowered[] = "₊₋₌₍₎₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ";
static const char lowered_for[] = "+-=()0123456789aehijklmnoprstuvxβγρϕχ";

/* The meaning of a raised or lowered character, or NULL. */
static const char *script_of(TgKatexReader *reader, const char *text, const char *scripts,
                             const char *meanings)
{
    const gsize length = strlen(text);

    if ((guchar) text[0] < 0x80)
        return NULL;
    const char *found = strstr(scripts, text);
    if (found == NULL || length != (gsize) (g_utf8_next_char(text) - text))
        return NULL;
    const char *meaning =
        g_utf8_offset_to_pointer(meanings, g_utf8_pointer_to_offset(scripts, found));
    return tg_arena_text(reader->arena, meaning, (gsize) (g_utf8_next_char(meaning) - meaning));
}

/* A run of raised (or lowered) characters as a group; NULL: there is none. */
static TgKatexNode *parse_unicode_script(TgKatexReader *reader, const char *scripts,
                                         const char *meanings)
{
    GArray *tokens = NULL;

    for (;;) {
        const char *meaning = script_of(reader, fetch_token(reader).text, scripts, meanings);
        if (meaning == NULL)
            break;
        const TgKatexToken token = { .text = meaning, .at = fetch_token(reader).at };
        if (tokens == NULL)
            tokens = tg_katex_token_list(reader);
        g_array_prepend_val(tokens, token);
        consume_token(reader);
    }
    if (tokens == NULL)
        return NULL;
    /* the token that was fetched comes after the script */
    if (reader->has_next)
        tg_katex_push(reader, reader->next);
    reader->has_next = FALSE;
    return node_group(reader, parse_tokens(reader, tokens, FALSE));
}

static TgKatexNode *parse_script(TgKatexReader *reader, const char *name)
{
    const TgKatexToken token = fetch_token(reader);
    TgKatexNode *group;

    consume_token(reader);
    fetch_beyond_spaces(reader);
    do
        group = parse_group(reader, name, NULL);
    while (group != NULL && group->kind == TG_KATEX_N_INTERNAL && reader->error == NULL);
    if (group == NULL)
        tg_katex_fail(reader, token.at, "Expected group after '%s'", token.text);
    return group;
}

static TgKatexNode *parse_primes(TgKatexReader *reader)
{
    TgKatexNode *list = NULL, **end = &list;

    while (token_is(fetch_token(reader), "'")) {
        consume_token(reader);
        *end = node_symbol(reader, TG_KATEX_ORD, "\\prime");
        end = &(*end)->next;
    }
    if (token_is(fetch_token(reader), "^"))
        *end = parse_script(reader, "superscript");
    return node_group(reader, list);
}

static gboolean set_limits(TgKatexReader *reader, TgKatexNode *base, TgKatexToken token)
{
    const gboolean limits = token_is(token, "\\limits");

    if (base != NULL && base->kind == TG_KATEX_N_OPERATOR) {
        base->limits = limits;
        base->always_scripts = TRUE;
    } else if (base != NULL && base->kind == TG_KATEX_N_OPERATORNAME) {
        if (base->always_scripts)
            base->limits = limits;
    } else {
        tg_katex_fail(reader, token.at, "Limit controls must follow a math operator");
    }
    return reader->error == NULL;
}

gboolean tg_katex_takes_limits(const TgKatexNode *base, gboolean display)
{
    return base != NULL && ((base->kind == TG_KATEX_N_OPERATOR && base->limits &&
                             (display || base->always_scripts)) ||
                            (base->kind == TG_KATEX_N_OPERATORNAME && base->always_scripts &&
                             (display || base->limits)));
}

/* A group with its scripts; NULL: there is nothing more. */
static TgKatexNode *parse_atom(TgKatexReader *reader, const char *until)
{
    TgKatexNode *base = parse_group(reader, "atom", until), *sup = NULL, *sub = NULL;

    if (reader->in_text || reader->error != NULL)
        return base;
    for (;;) {
        fetch_beyond_spaces(reader);
        const TgKatexToken token = fetch_token(reader);
        TgKatexNode *script;
        if (reader->error != NULL)
            return NULL;
        if (token_is(token, "\\limits") || token_is(token, "\\nolimits")) {
            if (!set_limits(reader, base, token))
                return NULL;
            consume_token(reader);
        } else if (token_is(token, "^") || token_is(token, "'")) {
            if (sup != NULL) {
                tg_katex_fail(reader, token.at, "Double superscript");
                return NULL;
            }
            sup = token.text[0] == '^' ? parse_script(reader, "superscript") : parse_primes(reader);
        } else if (token_is(token, "_")) {
            if (sub != NULL) {
                tg_katex_fail(reader, token.at, "Double subscript");
                return NULL;
            }
            sub = parse_script(reader, "subscript");
        } else if ((script = parse_unicode_script(reader, raised, raised_for)) != NULL) {
            sup = script;
        } else if ((script = parse_unicode_script(reader, lowered, lowered_for)) != NULL) {
            sub = script;
        } else {
            break;
        }
    }
    if (sup == NULL && sub == NULL)
        return base;
    if (base != NULL && base->kind == TG_KATEX_N_INTERNAL)
        tg_katex_fail(reader, fetch_token(reader).at, "A script on a space");
    TgKatexNode *node = node_new(reader, TG_KATEX_N_SCRIPTS);
    node->parts[0] = base;
    node->parts[1] = sub;
    node->parts[2] = sup;
    return node;
}

/* Split at \over and the like. */
static TgKatexNode *split_at_infix(TgKatexReader *reader, TgKatexNode *list)
{
    TgKatexNode *infix = NULL, *before = NULL;

    for (TgKatexNode *node = list, *last = NULL; node != NULL; last = node, node = node->next)
        if (node->kind == TG_KATEX_N_INFIX) {
            if (infix != NULL)
                tg_katex_fail(reader, fetch_token(reader).at, "only one infix operator per group");
            infix = node;
            before = last;
        }
    if (infix == NULL || reader->error != NULL)
        return list;
    TgKatexNode *below = infix->next;
    if (before != NULL)
        before->next = NULL;
    else
        list = NULL;
    TgKatexNode *above =
        has_one(list) && list->kind == TG_KATEX_N_GROUP ? list : node_group(reader, list);
    below = has_one(below) && below->kind == TG_KATEX_N_GROUP ? below : node_group(reader, below);
    TgKatexNode *node = make_fraction(reader, infix->text, above, below);
    if (strcmp(infix->text, "\\above") == 0) {
        node->size = infix->size;
        node->flag = infix->size.number > 0;
    }
    return node;
}

/* Join hyphens and quotes, as KaTeX does in text. */
static void join_ligatures(TgKatexNode *list)
{
    for (TgKatexNode *node = list; node != NULL; node = node->next)
        for (guint i = 0; i < G_N_ELEMENTS(tg_katex_ligatures); i++) {
            TgKatexNode *end = node;
            const char *p = tg_katex_ligatures[i].joined;
            for (; *p != '\0'; p++, end = end->next)
                if (end == NULL || end->kind != TG_KATEX_N_SYMBOL || end->text[0] != *p ||
                    end->text[1] != '\0')
                    break;
            if (*p == '\0') {
                node->text = tg_katex_ligatures[i].joined;
                node->next = end;
            }
        }
}

static TgKatexNode *parse_expression(TgKatexReader *reader, gboolean break_on_infix,
                                     const char *until)
{
    TgKatexNode *list = NULL, **end = &list;

    if (++reader->depth > MAX_DEPTH)
        tg_katex_fail(reader, fetch_token(reader).at, "Groups are nested too deep");
    while (reader->error == NULL) {
        if (!reader->in_text)
            fetch_beyond_spaces(reader);
        const TgKatexToken token = fetch_token(reader);
        if (tg_katex_is_word(token.text, "} \\endgroup \\end \\right &") ||
            (until != NULL && token_is(token, until)))
            break;
        const TgKatexFunction *function = tg_katex_find_function(token.text);
        if (break_on_infix && function != NULL && strchr(function->use, 'I') != NULL)
            break;
        TgKatexNode *atom = parse_atom(reader, until);
        if (atom == NULL)
            break;
        if (atom->kind == TG_KATEX_N_INTERNAL)
            continue;
        *end = atom;
        end = &atom->next;
    }
    reader->depth--;
    if (reader->error != NULL)
        return NULL;
    if (reader->in_text)
        join_ligatures(list);
    return split_at_infix(reader, list);
}

void tg_katex_read(const char *latex, TgArena *arena, TgKatexFormula *out)
{
    tg_katex_need_functions();
    TgKatexReader reader = {
        .arena = arena,
        .source = latex,
        .position = latex,
        .stack = g_array_new(FALSE, FALSE, sizeof(TgKatexToken)),
        .macros = g_array_new(FALSE, FALSE, sizeof(TgKatexMacro)),
        .lists = g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref),
    };

    *out = (TgKatexFormula){ 0 };
    tg_katex_begin_scope(&reader);
    out->list = parse_expression(&reader, FALSE, NULL);
    expect_token(&reader, tg_katex_end, FALSE);
    const TgKatexMacro *tag = tg_katex_find_macro(&reader, "\\df@tag");
    if (tag != NULL && reader.error == NULL) {
        reader.has_next = FALSE;
        out->tag = node_group(&reader, parse_tokens(&reader, tag->tokens, FALSE));
    }
    if (reader.error != NULL)
        *out = (TgKatexFormula){ .error = reader.error,
                                 .error_at = reader.error_at,
                                 .not_modeled = reader.not_modeled };
    g_array_unref(reader.stack);
    g_array_unref(reader.macros);
    g_ptr_array_unref(reader.lists);
}
