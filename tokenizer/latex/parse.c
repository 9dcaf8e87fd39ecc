/* From source to tree: decides between text and mathematics, and numbers the tokens. */
#include "tokenizer/latex/parse.h"

#include "core/deadline.h"
#include "core/fail.h"
#include "tokenizer/latex/parser.h"

#define MAX_BYTES  (1u << 20) /* of a formula's source */
#define MAX_TOKENS (1u << 20) /* the maximum number of tokens from macros and arguments */

/* The options, with the defaults instead of zeros. */
static TgParseOptions settle_options(const TgParseOptions *options)
{
    TgParseOptions settled = options != NULL ? *options : (TgParseOptions){ 0 };

    settled.max_depth = settled.max_depth != 0 ? settled.max_depth : 250;
    settled.max_expansions = settled.max_expansions != 0 ? settled.max_expansions : 10000;
    settled.max_nodes = settled.max_nodes != 0 ? settled.max_nodes : 2000000;
    settled.max_columns = settled.max_columns != 0 ? settled.max_columns : 1000;
    return settled;
}

/* ---- Formulas in text ------------------------------------------------------------------------ */

/* The delimiters of mathematics outside of all braces and environments. */
typedef struct {
    guint n;            /* number of delimiters */
    gboolean unmatched; /* one has no partner, such as \( inside \(..\) or a lone \) */
    gboolean mixed;     /* $$ ends with $, or $ with $$ */
    /* the first token opens mathematics and the last one closes it, with no other between */
    gboolean around;
} Delimiters;

/* Whether a dollar, \( or \[ may occur, because most formulas have none. */
static gboolean may_have_delimiters(const char *source, gsize len)
{
    const char *end = source + len;

    if (memchr(source, '$', len) != NULL)
        return TRUE;
    for (const char *at = memchr(source, '\\', len); at != NULL && at + 1 < end;
         at = memchr(at + 1, '\\', (gsize) (end - at - 1))) {
        if (at[1] == '(' || at[1] == ')' || at[1] == '[' || at[1] == ']')
            return TRUE;
    }
    return FALSE;
}

static Delimiters find_delimiters(const char *source, gsize len)
{
    Delimiters found = { 0 };
    gint depth = 0, open = 0;
    gboolean at_start = TRUE, begins = FALSE, ends = FALSE, open_doubled = FALSE;
    TgLexer lexer = { source, len, 0 };

    if (!may_have_delimiters(source, len))
        return found;
    for (TgLexeme l = tg_lexer_next(&lexer); l.kind != TG_LEX_END; l = tg_lexer_next(&lexer)) {
        const char *text = source + l.start;
        int kind = 0;

        if (l.kind == TG_LEX_SPACE)
            continue;
        if (depth == 0 && l.code != 0 && l.code < 0x80 &&
            strchr(l.kind == TG_LEX_CONTROL_SYMBOL ? "()[]" : "$", (int) l.code) != NULL)
            kind = (int) l.code;
        if (l.kind == TG_LEX_CHARACTER && l.code == '%') {
            const char *newline = memchr(source + lexer.pos, '\n', len - lexer.pos);
            lexer.pos = newline != NULL ? (gsize) (newline - source) : len;
            continue;
        }
        if (l.kind == TG_LEX_CHARACTER)
            depth += (l.code == '{') - (l.code == '}');
        else if (l.kind == TG_LEX_CONTROL_WORD)
            depth += (l.len == 6 && memcmp(text, "\\begin", 6) == 0) -
                     (l.len == 4 && memcmp(text, "\\end", 4) == 0);
        depth = MAX(depth, 0);
        ends = FALSE;
        if (kind != 0) {
            const gboolean closes = kind == '$' ? open == '$' : kind == ')' || kind == ']';
            const int partner = kind == ')' ? '(' : kind == ']' ? '[' : closes ? '$' : 0;

            found.unmatched |= open != partner;
            open = closes ? 0 : kind;
            ends = closes;
            begins |= at_start;
            found.n++;
            const gboolean doubled = kind == '$' && lexer.pos < len && source[lexer.pos] == '$';
            lexer.pos += doubled; /* $$ is one delimiter */
            found.mixed |= closes && kind == '$' && doubled != open_doubled;
            open_doubled = doubled;
        }
        at_start = FALSE;
    }
    found.unmatched |= open != 0 || depth != 0;
    found.around = found.n == 2 && begins && ends && !found.unmatched;
    return found;
}

/* ---- Ids ----------------------------------------------------------------------------------- */

static guint32 final_id(const TgParser *self, guint32 token)
{
    return token < self->in.n_lexemes ? self->in.lexemes[token].id : TG_NO_TOKEN;
}

/* Number the tokens in a specification. Casts are right while the tree is built. */
static void number_columns(const TgParser *self, const TgColumnItem *items, guint32 n)
{
    for (guint32 i = 0; i < n; i++)
        ((TgColumnItem *) items)[i].token = final_id(self, items[i].token);
}

/* Number the tokens of an array's lines. */
static void number_array(const TgParser *self, const TgArray *array)
{
    number_columns(self, array->columns, array->n_column_items);
    for (guint32 i = 0; i < array->n_between; i++)
        ((TgBetween *) array->between)[i].token = final_id(self, array->between[i].token);
    for (guint32 row = 0; row < array->n_rows; row++) {
        for (guint32 i = 0; i < array->rows[row].n_cells; i++) {
            const TgCell *cell = &array->rows[row].cells[i];
            number_columns(self, cell->columns, cell->n_columns);
        }
    }
}

/* Number lexemes that make ink in the order of the source, and write these numbers into nodes. */
static void number_tokens(TgParser *self)
{
    TgLexemeSpan *spans = self->in.lexemes;
    TgTree *tree = self->tree;
    guint32 n = 0;

    /* room for all lexemes, so that no branch is needed: a processor cannot predict which make
     * ink */
    tree->tokens = tg_arena_alloc(&tree->arena, (self->in.n_lexemes + 1) * sizeof(TgInkToken));
    for (guint i = 0; i < self->in.n_lexemes; i++) {
        tree->tokens[n] = (TgInkToken){ spans[i].start, spans[i].end, spans[i].flags };
        spans[i].id = spans[i].inked ? n : TG_NO_TOKEN;
        n += spans[i].inked;
    }
    tree->n_tokens = n;
    for (TgNodeBlock *block = self->blocks; block != NULL; block = block->older) {
        for (guint32 i = 0; i < block->n; i++) {
            TgNode *node = &block->nodes[i];

            node->token = final_id(self, node->token);
            if (node->kind == TG_NODE_ARRAY)
                number_array(self, node->u.array);
        }
    }
}

/* ---- The whole ----------------------------------------------------------------------------- */

static TgNode *read_root(TgParser *self, gboolean aligned)
{
    const TgTexToken start = { .text = "" };
    Delimiters found = { 0 };

    if (aligned)
        return tg_parser_list_of(self, tg_parser_implied_aligned(self));
    if (self->options.source == TG_SOURCE_AUTO)
        found = find_delimiters(self->tree->source, self->tree->len);
    if (found.mixed && found.n == 2)
        tg_refuse(&self->errors, &start, TG_PACKAGE_NONE, TG_PARSE_MODE,
                  "$$ must end with $$, and $ with $");
    if (found.n == 0 || found.unmatched)
        return tg_parser_list(self, TG_SCOPE_TOP, FALSE, &start);
    if (!found.around) {           /* text with formulas: one TEXT that contains MATH */
        if (!self->options.strict) /* strict reading accepts such text */
            tg_refuse(&self->errors, &start, TG_PACKAGE_NONE, TG_PARSE_MODE,
                      "text around formulas is no display");
        TgNode *text = tg_parser_text_of(self, &start, NULL);

        text->u.text.body = tg_parser_list(self, TG_SCOPE_TOP, TRUE, &start);
        text->end = (guint32) self->tree->len;
        return tg_parser_list_of(self, text);
    }

    /* if one pair of delimiters is around the formula, only its content is used */
    TgNode *text = tg_parser_list(self, TG_SCOPE_TOP, TRUE, &start);
    const TgNode *math = text->u.list.first;
    while (math != NULL && math->kind != TG_NODE_MATH)
        math = math->next;
    return math != NULL ? (TgNode *) math->u.body.body : text;
}

static TgTree *parse_source(const char *tex, gsize len, const TgParseOptions *options,
                            gboolean aligned, gboolean *stray_ampersand, GError **error)
{
    g_autoptr(TgTree) tree = tg_tree_new(tex, len);
    TgParser parser = {
        .tree = tree,
        .options = *options,
        .errors = { &tree->arena, tree->source, tree->len, options->strict },
        .font = { .text.size = TG_SIZE_NORMAL,
                  .array_sep.value = TG_ARRAY_SEP,
                  .frame_sep.value = TG_FRAME_SEP,
                  .frame_rule.value = TG_FRAME_RULE },
    };

    tg_expander_init(&parser.in, &parser.scratch, &parser.errors, tree->source, tree->len,
                     options->max_expansions, MAX_TOKENS);
    tree->root = read_root(&parser, aligned);
    *stray_ampersand = parser.stray_ampersand;
    tree->refers = parser.refers;
    tree->n_errors = parser.errors.n;
    tree->errors = parser.errors.faults;
    tree->n_refusals = parser.errors.n_refusals;
    tree->refusals = parser.errors.refusals;
    if (parser.errors.stopped) {
        const TgParseError *fault = &tree->errors[tree->n_errors - 1];
        tg_fail(error, TG_ERROR_PARSE, "%s, column %u", fault->message, fault->column);
        g_clear_pointer(&tree, tg_tree_free);
    } else {
        number_tokens(&parser);
    }
    tg_expander_clear(&parser.in);
    tg_arena_clear(&parser.scratch);
    if (tree != NULL && !tg_deadline_check(error))
        return NULL;
    return g_steal_pointer(&tree);
}

TgTree *tg_tree_parse(const char *tex, gsize len, const TgParseOptions *options, GError **error)
{
    const TgParseOptions settled = settle_options(options);
    gboolean stray_ampersand = FALSE;

    if (len > MAX_BYTES)
        return tg_null(error, TG_ERROR_PARSE,
                       "the formula has %" G_GSIZE_FORMAT " bytes, more than %u", len, MAX_BYTES);

    g_autoptr(TgTree) tree = parse_source(tex, len, &settled, FALSE, &stray_ampersand, error);
    if (tree == NULL || !stray_ampersand)
        return g_steal_pointer(&tree);

    /* A formula with & outside of all arrays lost its environment: read it as aligned. */
    g_autoptr(TgTree) aligned = parse_source(tex, len, &settled, TRUE, &stray_ampersand, NULL);
    return aligned != NULL ? g_steal_pointer(&aligned) : g_steal_pointer(&tree);
}
