/* Walks over the formula tree and says what each node is in FORTE's tokens. */
#include "metrics/forte/reading.h"

#include <string.h>

#include "metrics/forte/reader.h"

/* ---- Names --------------------------------------------------------------------------------- */

struct TgForteNames {
    const TgForteTables *tables;
    GHashTable *numbers; /* text to number, made at the first unknown name */
    GPtrArray *texts;
};

TgForteNames *tg_forte_names_new(const TgForteTables *tables)
{
    TgForteNames *names = g_new0(TgForteNames, 1);

    names->tables = tables;
    return names;
}

void tg_forte_names_free(TgForteNames *names)
{
    if (names == NULL)
        return;
    g_clear_pointer(&names->numbers, g_hash_table_unref);
    g_clear_pointer(&names->texts, g_ptr_array_unref);
    g_free(names);
}

TgForteName tg_forte_names_add(TgForteNames *names, const char *text, gsize len)
{
    g_autofree char *own = g_strndup(text, len);

    if (names->numbers == NULL) {
        names->numbers = g_hash_table_new(g_str_hash, g_str_equal);
        names->texts = g_ptr_array_new_with_free_func(g_free);
    }

    const gpointer known = g_hash_table_lookup(names->numbers, own);
    if (known != NULL)
        return GPOINTER_TO_UINT(known);

    const TgForteName name = TG_FORTE_STRANGERS + names->texts->len;
    g_hash_table_insert(names->numbers, own, GUINT_TO_POINTER(name));
    g_ptr_array_add(names->texts, g_steal_pointer(&own));
    return name;
}

const char *tg_forte_names_text(const TgForteNames *names, TgForteName name,
                                char buffer[TG_FORTE_NAME_BUFFER])
{
    if (name >= TG_FORTE_STRANGERS)
        return g_ptr_array_index(names->texts, name - TG_FORTE_STRANGERS);
    if (name >= TG_FORTE_NAMES)
        return tg_forte_tables_text(names->tables, name);
    buffer[g_unichar_to_utf8(name, buffer)] = '\0';
    return buffer;
}

/* ---- Symbols ------------------------------------------------------------------------------- */

static TgForteLook look_of(const TgNode *node)
{
    return (TgForteLook){ .start = node->start, .end = node->end };
}

static TgForteFont font_of(const TgForteReader *self, const TgNode *node)
{
    if (self->function)
        return TG_FORTE_PLAIN;
    switch ((TgAlphabet) node->alphabet) {
    case TG_ALPHABET_BB:
        return TG_FORTE_BLACKBOARD;
    case TG_ALPHABET_CAL:
    case TG_ALPHABET_SCR:
        return TG_FORTE_CALLIGRAPHIC;
    case TG_ALPHABET_FRAK:
        return TG_FORTE_FRAKTUR;
    case TG_ALPHABET_BF:
        return TG_FORTE_BOLD;
    default:
        return node->bold ? TG_FORTE_BOLD : TG_FORTE_PLAIN;
    }
}

/* Whether \mathrm makes the symbol upright: it is typed as a character. */
static gboolean is_upright(const TgNode *node)
{
    const TgSymbol *symbol = node->u.symbol.symbol;

    return node->alphabet == TG_ALPHABET_RM &&
           (symbol == NULL || (symbol->name[0] != '\0' && symbol->name[1] == '\0'));
}

static void read_symbol(TgForteReader *self, const TgNode *node, gboolean fence)
{
    const TgSymbol *symbol = node->u.symbol.symbol;
    const gunichar code = node->u.symbol.code;
    TgForteLook look = look_of(node);

    if (!fence) {
        look.font = (guint8) font_of(self, node);
        look.upright = is_upright(node) != FALSE;
    }
    if (symbol != NULL && code == symbol->codepoint)
        tg_forte_put_spelling(self, tg_forte_tables_symbol(self->tables, symbol), look);
    else if (code != 0) /* not in the table, or an angle typed as \left< */
        tg_forte_put_character(self, code, look);
}

static void read_fence(TgForteReader *self, const TgNode *node)
{
    if (node != NULL)
        read_symbol(self, node, TRUE);
}

static void read_char(TgForteReader *self, const TgNode *node)
{
    TgForteLook look = look_of(node);

    if (g_unichar_isspace(node->u.character.code))
        return;
    look.upright = 1;
    look.font = node->u.character.font.bold ? TG_FORTE_BOLD : TG_FORTE_PLAIN;
    tg_forte_put_character(self, node->u.character.code, look);
}

/* Something that the parser could not read shows its source. */
static void read_error(TgForteReader *self, const TgNode *node)
{
    const char *text = node->u.error.text;
    const TgForteLook look = look_of(node);

    if (text[0] == '\\' && text[1] != '\0') {
        tg_forte_put_command(self, text + 1, strlen(text + 1), look);
        return;
    }
    for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at))
        tg_forte_put_character(self, g_utf8_get_char(at), look);
}

/* ---- Accents ------------------------------------------------------------------------------- */

static void put_accent(TgForteReader *self, guint32 begin, const char *command, const TgNode *node)
{
    const TgForteName name = tg_forte_tables_accent(self->tables, command);

    if (name != 0)
        tg_forte_accent(self, begin, name, look_of(node));
    else
        tg_forte_put_command(self, command, strlen(command), look_of(node));
}

/* \\d E in mathematics: a one-letter accent of text, which there is a macro of the writer's. */
static gboolean is_stray_accent(const TgForteReader *self, const TgNode *node)
{
    const TgNode *base = node->u.accent.base;

    if (self->source[node->start] != '\\' || !g_ascii_isalpha(self->source[node->start + 1]) ||
        g_ascii_isalpha(self->source[node->start + 2]))
        return FALSE;
    return base != NULL && base->kind == TG_NODE_LIST && base->u.list.first != NULL &&
           base->u.list.first->kind == TG_NODE_SYMBOL;
}

static void read_accent(TgForteReader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len;
    const TgForteName mark = tg_forte_tables_mark(self->tables, node->u.accent.code);

    if (is_stray_accent(self, node)) {
        tg_forte_put_command(self, self->source + node->start + 1, 1, look_of(node));
        tg_forte_read_node(self, node->u.accent.base);
        return;
    }
    if (node->u.accent.base != NULL)
        tg_forte_read_node(self, node->u.accent.base);
    if (mark != 0)
        tg_forte_accent(self, begin, mark, look_of(node));
    else if (node->u.accent.symbol != NULL)
        put_accent(self, begin, node->u.accent.symbol->name, node);
}

static void read_stretch(TgForteReader *self, const TgNode *node)
{
    static const char *const commands[] = {
        [TG_STRETCH_OVERLINE] = "overline",
        [TG_STRETCH_UNDERLINE] = "underline",
        [TG_STRETCH_OVERBRACE] = "overbrace",
        [TG_STRETCH_UNDERBRACE] = "underbrace",
        [TG_STRETCH_OVERBRACKET] = "overbracket",
        [TG_STRETCH_UNDERBRACKET] = "underbracket",
        [TG_STRETCH_OVERPAREN] = "overparen",
        [TG_STRETCH_UNDERPAREN] = "underparen",
        [TG_STRETCH_OVERRIGHTARROW] = "overrightarrow",
        [TG_STRETCH_OVERLEFTARROW] = "overleftarrow",
        [TG_STRETCH_OVERLEFTRIGHTARROW] = "overleftrightarrow",
        [TG_STRETCH_UNDERRIGHTARROW] = "underrightarrow",
        [TG_STRETCH_UNDERLEFTARROW] = "underleftarrow",
        [TG_STRETCH_UNDERLEFTRIGHTARROW] = "underleftrightarrow",
    };
    const guint32 begin = self->tokens->len;

    tg_forte_read_node(self, node->u.stretch.body);
    put_accent(self, begin, commands[node->u.stretch.form], node);
}

static void read_enclosure(TgForteReader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len;

    tg_forte_read_node(self, node->u.enclose.body);
    if (node->u.enclose.form >= TG_ENCLOSE_CANCEL && node->u.enclose.form <= TG_ENCLOSE_STRIKE)
        put_accent(self, begin, "cancel", node);
}

/* What \not made of the tokens since @begin. */
static void negate(TgForteReader *self, guint32 begin, const TgNode *node)
{
    TgForteToken *token = &g_array_index(self->tokens, TgForteToken, begin);
    const guint32 n = self->tokens->len - begin;
    const TgForteName negation = n == 1 ? tg_forte_tables_negation(self->tables, token->name) : 0;

    if (negation != 0) {
        token->name = negation;
        token->kind = (guint8) tg_forte_tables_kind(self->tables, negation);
    } else if (n > 0) {
        tg_forte_accent(self, begin, tg_forte_tables_mark(self->tables, 0x0338), look_of(node));
    }
}

/* ---- Scripts ------------------------------------------------------------------------------- */

static void read_script(TgForteReader *self, TgForteMark mark, const TgNode *list)
{
    const guint32 begin = self->tokens->len;
    const TgForteTail tail = self->tail;

    if (list == NULL)
        return;
    tg_forte_put_mark(self, mark, list);
    tg_forte_read_node(self, list);
    tg_forte_close_script(self, begin, tail, list);
}

static gboolean is_prime(const TgNode *node)
{
    return node->kind == TG_NODE_SYMBOL && node->u.symbol.symbol != NULL &&
           strcmp(node->u.symbol.symbol->name, "prime") == 0;
}

/* The primes of a superscript, which stand before the subscript. */
static void read_primes(TgForteReader *self, const TgNode *sup)
{
    for (const TgNode *item = sup->u.list.first; item != NULL; item = item->next) {
        if (is_prime(item))
            read_symbol(self, item, FALSE);
    }
}

static void read_item(TgForteReader *self, const TgNode *node);

static void read_scripts(TgForteReader *self, const TgNode *node)
{
    if (node->u.scripts.nucleus != NULL)
        read_item(self, node->u.scripts.nucleus);

    if (node->u.scripts.sup != NULL)
        read_primes(self, node->u.scripts.sup);
    read_script(self, TG_FORTE_SUB, node->u.scripts.sub);
    self->no_primes = node->u.scripts.sup;
    read_script(self, TG_FORTE_SUP, node->u.scripts.sup);
}

static void read_sideset(TgForteReader *self, const TgNode *node)
{
    read_script(self, TG_FORTE_SUB, node->u.sideset.pre_sub);
    read_script(self, TG_FORTE_SUP, node->u.sideset.pre_sup);
    tg_forte_read_node(self, node->u.sideset.base);
    read_script(self, TG_FORTE_SUB, node->u.sideset.post_sub);
    read_script(self, TG_FORTE_SUP, node->u.sideset.post_sup);
}

/* The accent that one sign over one letter is, or 0; @over is the mark before the sign. */
static TgForteName accent_over(const TgForteReader *self, guint32 begin, guint32 over)
{
    const TgForteToken *body = &g_array_index(self->tokens, TgForteToken, begin);

    if (over != begin + 1 || self->tokens->len != over + 2)
        return 0;

    const TgForteName name = tg_forte_tables_over(
        self->tables, g_array_index(self->tokens, TgForteToken, over + 1).name);
    if (body->kind == TG_FORTE_LATIN || body->kind == TG_FORTE_GREEK)
        return name;
    return body->name == '=' && name == tg_forte_tables_accent(self->tables, "hat") ? name : 0;
}

static void read_stack(TgForteReader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len;

    tg_forte_read_node(self, node->u.stack.base);
    if (node->u.stack.over != NULL) {
        const guint32 over = self->tokens->len;
        const TgForteTail tail = self->tail;

        tg_forte_put_mark(self, TG_FORTE_SUP, node->u.stack.over);
        tg_forte_read_node(self, node->u.stack.over);
        const TgForteName accent = accent_over(self, begin, over);
        if (accent != 0) {
            g_array_set_size(self->tokens, over);
            tg_forte_accent(self, begin, accent, look_of(node));
        } else {
            tg_forte_close_script(self, over, tail, node->u.stack.over);
        }
    }
    read_script(self, TG_FORTE_SUB, node->u.stack.under);
}

static void read_arrow(TgForteReader *self, const TgNode *node)
{
    static const char *const names[] = {
        [TG_ARROW_RIGHT] = "rightarrow",
        [TG_ARROW_LEFT] = "leftarrow",
        [TG_ARROW_LEFTRIGHT] = "leftrightarrow",
        [TG_ARROW_DOUBLE_RIGHT] = "Rightarrow",
        [TG_ARROW_DOUBLE_LEFT] = "Leftarrow",
        [TG_ARROW_DOUBLE_LEFTRIGHT] = "Leftrightarrow",
        [TG_ARROW_MAPSTO] = "mapsto",
        [TG_ARROW_HOOK_RIGHT] = "hookrightarrow",
        [TG_ARROW_HOOK_LEFT] = "hookleftarrow",
        [TG_ARROW_HARPOON_RIGHT_UP] = "rightharpoonup",
        [TG_ARROW_HARPOON_RIGHT_DOWN] = "rightharpoondown",
        [TG_ARROW_HARPOON_LEFT_UP] = "leftharpoonup",
        [TG_ARROW_HARPOON_LEFT_DOWN] = "leftharpoondown",
        [TG_ARROW_RIGHT_LEFT_HARPOONS] = "rightleftharpoons",
        [TG_ARROW_LEFT_RIGHT_HARPOONS] = "leftrightharpoons",
        [TG_ARROW_RIGHT_LEFT] = "rightleftarrows",
        [TG_ARROW_EQUAL] = "=",
    };
    const char *name = names[node->u.arrow.form];

    tg_forte_put_command(self, name, strlen(name), look_of(node));
    read_script(self, TG_FORTE_SUB, node->u.arrow.below);
    read_script(self, TG_FORTE_SUP, node->u.arrow.above);
}

/* ---- Fractions, roots, rows ---------------------------------------------------------------- */

static void read_fraction(TgForteReader *self, const TgNode *node)
{
    const gboolean bar = node->u.fraction.has_bar != 0;

    read_fence(self, node->u.fraction.left);
    tg_forte_put_mark(self, bar ? TG_FORTE_FRAC : TG_FORTE_MAT, node);
    tg_forte_read_node(self, node->u.fraction.num);
    tg_forte_put_mark(self, bar ? TG_FORTE_DEN : TG_FORTE_NEXT_ROW, node);
    tg_forte_read_node(self, node->u.fraction.den);
    tg_forte_put_mark(self, TG_FORTE_FINISH, node);
    read_fence(self, node->u.fraction.right);
}

static void read_radical(TgForteReader *self, const TgNode *node)
{
    const guint32 begin = self->tokens->len + 1;

    tg_forte_put_mark(self, TG_FORTE_SQRT, node);
    if (node->u.radical.index != NULL)
        tg_forte_read_node(self, node->u.radical.index);
    if (self->tokens->len > begin)
        tg_forte_put_mark(self, TG_FORTE_IDX, node);
    tg_forte_read_node(self, node->u.radical.body);
    tg_forte_put_mark(self, TG_FORTE_FINISH, node);
}

/* Whether columns count in an environment; in the others only the rows do. */
static gboolean is_grid(const TgArray *array)
{
    return array->environment == TG_ENV_ARRAY || array->environment == TG_ENV_MATRIX ||
           array->environment == TG_ENV_SMALLMATRIX || array->environment == TG_ENV_CASES ||
           array->environment == TG_ENV_PLAIN_MATRIX || array->environment == TG_ENV_PLAIN_CASES;
}

static void read_between(TgForteReader *self, const TgArray *array, guint32 row)
{
    for (guint32 i = 0; i < array->n_between; i++) {
        if (array->between[i].row == row && array->between[i].text != NULL)
            tg_forte_read_node(self, array->between[i].text);
    }
}

static void read_array(TgForteReader *self, const TgNode *node)
{
    const TgArray *array = node->u.array;
    const gboolean grid = is_grid(array);
    guint32 filled;

    read_fence(self, array->left);
    if (grid)
        tg_forte_put_mark(self, TG_FORTE_MAT, node);
    filled = self->tokens->len;
    for (guint32 r = 0; r < array->n_rows; r++) {
        const TgRow *row = &array->rows[r];
        guint32 begin;

        if (r > 0)
            tg_forte_put_mark(self, TG_FORTE_NEXT_ROW, node);
        begin = self->tokens->len;
        read_between(self, array, r);
        for (guint32 c = 0; c < row->n_cells; c++) {
            if (grid && c > 0) {
                begin += self->tokens->len == begin; /* empty cells do not fill a row */
                tg_forte_put_mark(self, TG_FORTE_NEXT_CELL, node);
            }
            tg_forte_read_node(self, row->cells[c].content);
        }
        if (self->tokens->len > begin)
            filled = self->tokens->len;
    }
    g_array_set_size(self->tokens, filled); /* empty rows at the end */
    read_between(self, array, array->n_rows);
    if (grid)
        tg_forte_put_mark(self, TG_FORTE_FINISH, node);
    read_fence(self, array->right);
}

/* ---- Nodes --------------------------------------------------------------------------------- */

static void read_operator(TgForteReader *self, const TgNode *node)
{
    const gboolean before = self->function;

    self->function = TRUE;
    tg_forte_read_node(self, node->u.op.body);
    self->function = before;
}

static void read_list(TgForteReader *self, const TgNode *list)
{
    const gboolean no_primes = list == self->no_primes;

    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        if (no_primes && is_prime(item))
            continue;
        read_item(self, item);
    }
}

static void read_delimited(TgForteReader *self, const TgNode *node)
{
    read_fence(self, node->u.delimited.left);
    tg_forte_read_node(self, node->u.delimited.body);
    read_fence(self, node->u.delimited.right);
}

/* Nodes that only dress their body. */
static const TgNode *body_of(const TgNode *node)
{
    switch ((TgNodeKind) node->kind) {
    case TG_NODE_CLASS:
    case TG_NODE_BOLD:
    case TG_NODE_MATH:
    case TG_NODE_VCENTER:
        return node->u.body.body;
    case TG_NODE_TEXT:
        return node->u.text.body;
    case TG_NODE_LAP:
        return node->u.lap.body;
    case TG_NODE_RAISE:
        return node->u.raise.body;
    case TG_NODE_COLOR:
        return node->u.color.body;
    case TG_NODE_CHOICE:
        return node->u.choice.style[TG_STYLE_DISPLAY];
    case TG_NODE_PHANTOM:
        return (node->u.phantom.flags & TG_PHANTOM_NO_INK) != 0 ? NULL : node->u.phantom.body;
    default: /* spaces, styles, rules, tags */
        return NULL;
    }
}

void tg_forte_read_node(TgForteReader *self, const TgNode *node)
{
    const TgNode *body;

    switch ((TgNodeKind) node->kind) {
    case TG_NODE_LIST:
        read_list(self, node);
        break;
    case TG_NODE_SYMBOL:
        read_symbol(self, node, FALSE);
        break;
    case TG_NODE_CHAR:
        read_char(self, node);
        break;
    case TG_NODE_ERROR:
        read_error(self, node);
        break;
    case TG_NODE_OPERATOR:
        read_operator(self, node);
        break;
    case TG_NODE_SCRIPTS:
        read_scripts(self, node);
        break;
    case TG_NODE_SIDESET:
        read_sideset(self, node);
        break;
    case TG_NODE_FRACTION:
        read_fraction(self, node);
        break;
    case TG_NODE_RADICAL:
        read_radical(self, node);
        break;
    case TG_NODE_ACCENT:
        read_accent(self, node);
        break;
    case TG_NODE_STRETCH:
        read_stretch(self, node);
        break;
    case TG_NODE_STACK:
        read_stack(self, node);
        break;
    case TG_NODE_ARROW:
        read_arrow(self, node);
        break;
    case TG_NODE_DELIMITED:
        read_delimited(self, node);
        break;
    case TG_NODE_MIDDLE:
    case TG_NODE_BIG:
        if (node->u.big.delimiter != NULL)
            read_symbol(self, node->u.big.delimiter, FALSE);
        break;
    case TG_NODE_ARRAY:
        read_array(self, node);
        break;
    case TG_NODE_BREAK:
        tg_forte_put_mark(self, TG_FORTE_NEXT_ROW, node);
        break;
    case TG_NODE_ENCLOSE:
        read_enclosure(self, node);
        break;
    default:
        if ((body = body_of(node)) != NULL)
            tg_forte_read_node(self, body);
        break;
    }
}

/* An item of a list; \not is a stroke through the one behind it. */
static void read_item(TgForteReader *self, const TgNode *node)
{
    const gboolean negated = self->negate;
    const guint32 begin = self->tokens->len;

    if (node->kind == TG_NODE_SYMBOL && node->u.symbol.symbol != NULL &&
        strcmp(node->u.symbol.symbol->name, "not") == 0) {
        self->negate = TRUE;
        return;
    }
    if (node->kind == TG_NODE_SCRIPTS) { /* the stroke goes through the nucleus */
        read_scripts(self, node);
        return;
    }
    self->negate = FALSE;
    tg_forte_read_node(self, node);
    if (negated)
        negate(self, begin, node);
}

/* Write what @tex means; FALSE with @error when it cannot be parsed. */
static gboolean read_source(TgForteReader *self, const char *tex, gsize len, guint *repairs,
                            GError **error)
{
    g_autoptr(TgTree) tree = tg_tree_parse(tex, len, NULL, error);

    if (tree == NULL)
        return FALSE;
    self->source = tg_tree_source(tree, NULL);
    tg_forte_read_node(self, tg_tree_root(tree));
    tg_tree_errors(tree, repairs);
    return TRUE;
}

/* @tex with blanks for the signs that begin comments, or NULL: there are none. */
static char *without_comment_signs(const char *tex)
{
    g_autofree char *text = g_strdup(tex);
    gboolean found = FALSE;

    for (char *at = text; *at != '\0'; at++) {
        if (at[0] == '\\' && at[1] != '\0') {
            at++;
        } else if (*at == '%') {
            *at = ' ';
            found = TRUE;
        }
    }
    return found ? g_steal_pointer(&text) : NULL;
}

gboolean tg_forte_read(TgForteNames *names, const char *tex, GArray *tokens, guint *repairs,
                       GError **error)
{
    TgForteReader reader = {
        .tables = names->tables,
        .names = names,
        .tokens = tokens,
        .tail = { .end = G_MAXUINT32, .sub = TG_FORTE_NO_GROUP, .sup = TG_FORTE_NO_GROUP },
    };

    g_array_set_size(tokens, 0);
    *repairs = 0;
    if (!read_source(&reader, tex, strlen(tex), repairs, error))
        return FALSE;
    if (tokens->len == 0) { /* a formula on a line that begins with % was not meant as comment */
        g_autofree char *text = without_comment_signs(tex);
        if (text != NULL && !read_source(&reader, text, strlen(text), repairs, error))
            return FALSE;
    }
    tg_forte_finish(&reader);
    return TRUE;
}
