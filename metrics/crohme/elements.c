/* A formula as pandoc reads it: reads the lists of our tree again, with pandoc's rules for numbers,
 * scripts and pairs of brackets. */
#include "metrics/crohme/crohme.h"

#include <stdlib.h>
#include <string.h>

#include "core/search.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/macros/commands.h"

typedef TgCrohmeElement Element;

/* ---- How pandoc reads commands --------------------------------------------------------------- */

typedef enum {
    READ_FAIL,   /* pandoc does not know the command, so that the formula does not convert */
    READ_SYMBOL, /* a symbol with that label */
    READ_OVER,   /* an accent: its argument with that symbol above */
    READ_UNDER,
    READ_OVER_LIMITS, /* the same; scripts on it stand above and below */
    READ_UNDER_LIMITS,
    READ_DELETE, /* removed with its argument */
    READ_TEXT,   /* removed, except formulas in it */
    READ_BUILD,  /* built by its node's kind */
    READ_KEEP,   /* replaced by its argument */
    READ_NAME,   /* one symbol of the signs of its argument */
    READ_OPERATOR,
    READ_SIZE, /* its delimiter */
    READ_SURD,
    READ_NOT,
    READ_MOD,
} Read;

typedef struct {
    const char *name;
    guint8 read; /* Read */
    const char *label;
} Reading;

static const Reading readings[] = {
#include "readings.inc"
};

/* The row of a command, or NULL: then symbols.tsv has the command. */
static const Reading *find_reading(const char *name, gsize len)
{
    return tg_row_of_text(name, len, readings, G_N_ELEMENTS(readings), sizeof readings[0]);
}

/* ---- The reader ------------------------------------------------------------------------------ */

/* A formula does not convert if its elements are nested deeper, or if it takes more steps than this
 * number for each byte (counting at least the minimum of bytes), because brackets without partners
 * are tried again. */
#define MAX_DEPTH      400
#define STEPS_PER_BYTE 16
#define SHORTEST       4096

/* The pieces of a list: its items, and scripts in the order in which pandoc meets them. */
typedef enum { PIECE_NODE, PIECE_QUOTES, PIECE_SUB, PIECE_SUP, PIECE_LIMITS, PIECE_SIDE } PieceType;

typedef struct {
    /* NODE: an item, or the list of a script; else the node where the piece stands */
    const TgNode *node;
    guint32 start;
    guint8 type; /* PieceType */
    guint8 n;    /* QUOTES: their number; NODE: number of items of the list to skip, its primes */
    guint8 lone; /* an opening bracket without a partner */
} Piece;

typedef struct {
    TgArena *arena;
    const TgTree *tree;
    const char *source;
    GArray *pieces; /* the pieces of all open lists, the innermost last */
    guint at, end;  /* the pieces of that list that are not yet read */
    guint depth;
    gsize steps;
    guint8 *in_text; /* for each byte of the source: whether it is inside the words of a \text */
    const char *fault;
} Reader;

static Element *read_list(Reader *self, const TgNode *list, guint skip);
static Element *read_node(Reader *self, const TgNode *node);
static Element *read_expression(Reader *self);
static Element *read_scripts(Reader *self, Element *base);

static Piece *piece_at(const Reader *self, guint i)
{
    return &g_array_index(self->pieces, Piece, i);
}

static gboolean piece_is(const Reader *self, PieceType type)
{
    return self->at < self->end && piece_at(self, self->at)->type == type;
}

/* ---- Making elements ------------------------------------------------------------------------- */

static Element *make_element(Reader *self, TgCrohmeKind kind, guint32 start, guint32 end)
{
    Element *element = tg_arena_zeros(self->arena, sizeof(Element));

    element->kind = (guint8) kind;
    element->start = start;
    element->end = end;
    return element;
}

/* Say why the formula does not convert. Returns an element that stands for what cannot be read. */
static Element *G_GNUC_PRINTF(2, 3) fail_reading(Reader *self, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    if (self->fault == NULL)
        self->fault = tg_arena_vprintf(self->arena, format, list);
    va_end(list);
    return make_element(self, TG_CROHME_DELETED, 0, 0);
}

/* @label: must outlive the element */
static Element *make_symbol(Reader *self, const char *label, guint32 start, guint32 end)
{
    Element *element = make_element(self, TG_CROHME_SYMBOL, start, end);

    element->label = label;
    return element;
}

static const char *label_of_code(Reader *self, gunichar code)
{
    char text[6];

    return tg_arena_text(self->arena, text, (gsize) g_unichar_to_utf8(code, text));
}

/* @child: or NULL, which changes nothing */
static void append_child(Element *parent, Element *child)
{
    if (child == NULL)
        return;
    if (parent->first == NULL)
        parent->first = child;
    else
        parent->last->next = child;
    parent->last = child;
}

/* @element with up to three children; the others are NULL. */
static Element *with_children(Element *element, Element *a, Element *b, Element *c)
{
    append_child(element, a);
    append_child(element, b);
    append_child(element, c);
    return element;
}

static Element *make_parent(Reader *self, TgCrohmeKind kind, const TgNode *node, Element *a,
                            Element *b, Element *c)
{
    return with_children(make_element(self, kind, node->start, node->end), a, b, c);
}

/* ---- Commands -------------------------------------------------------------------------------- */

/* The length of the name of the command that begins at source[@start], without its backslash. */
static gsize command_length(const char *source, guint32 start)
{
    const char *name = source + start + 1;
    gsize len = 0;

    while (g_ascii_isalpha(name[len]))
        len++;
    return len > 0 || name[0] == '\0' ? len : (gsize) (g_utf8_next_char(name) - name);
}

/* The end of the command with which @node begins, without arguments. */
static guint32 end_of_mark(const Reader *self, const TgNode *node)
{
    return self->source[node->start] == '\\'
               ? node->start + 1 + (guint32) command_length(self->source, node->start)
               : node->end;
}

/* How pandoc reads the command at source[@start]; @label is that of a symbol or accent. */
static Read read_command(Reader *self, guint32 start, const char **label)
{
    const char *name = self->source + start + 1;
    gsize len = command_length(self->source, start);

    if (len == 1 && g_ascii_isspace(*name))
        name = " ";
    const Reading *reading = find_reading(name, len);
    if (reading != NULL) {
        *label = reading->label;
        return (Read) reading->read;
    }
    const TgName *known = tg_name_find(name, len);
    const TgSymbol *symbol = known != NULL ? known->symbol : NULL;
    if (symbol == NULL || (known->command != NULL && !g_ascii_isalpha(name[0])))
        return READ_FAIL;
    if (symbol->kind == TG_SYMBOL_OPERATOR) {
        *label = symbol->name;
        return READ_SYMBOL;
    }
    if (symbol->codepoint == 0)
        return READ_FAIL;
    *label = label_of_code(self, symbol->codepoint);
    return symbol->kind == TG_SYMBOL_ACCENT ? READ_OVER : READ_SYMBOL;
}

/* ---- Faults of the source -------------------------------------------------------------------- */

/* The end of the group that begins at @at, which pandoc takes for a balanced one; @at if there is
 * none. */
static gsize skip_group(const char *source, gsize at)
{
    gsize open = at;
    guint depth = 0;

    while (source[open] == ' ')
        open++;
    if (source[open] != '{')
        return at;
    for (gsize i = open; source[i] != '\0'; i++) {
        if (source[i] == '\\' && source[i + 1] != '\0')
            i++;
        else if (source[i] == '{')
            depth++;
        else if (source[i] == '}' && --depth == 0)
            return i + 1;
    }
    return at;
}

/* The length of the \limits or \nolimits that ends at source[@end], or 0. */
static guint32 limits_before(const char *source, guint32 end)
{
    static const char *const names[] = { "\\limits", "\\nolimits" };

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        const guint32 len = (guint32) strlen(names[i]);

        if (end >= len && memcmp(source + end - len, names[i], len) == 0)
            return len;
    }
    return 0;
}

/* The beginning of the white space before source[@at]. */
static guint32 skip_back(const char *source, guint32 at)
{
    while (at > 0 && g_ascii_isspace(source[at - 1]))
        at--;
    return at;
}

/* Whether a character of U+0080 to U+00FF that the chain cannot write begins at @at. It can write
 * the blank and characters that it renames. */
static gboolean is_latin_1(const char *at)
{
    const gunichar code = ((guchar) *at & 0xFC) == 0xC0 ? g_utf8_get_char(at) : 0;

    return code >= 0x80 && code != 0xA0 && code != 0xB1 && code != 0xD7 && code != 0xF7;
}

/* Whether the formula, a group or a cell ends at @at. */
static gboolean ends_list(const char *at)
{
    at += strspn(at, " \t\r\n");
    return *at == '\0' || *at == '}' || *at == '&' || g_str_has_prefix(at, "\\\\") ||
           g_str_has_prefix(at, "\\end") || g_str_has_prefix(at, "\\right");
}

/* Check the words of a \text, source[@start] to source[@end], because pandoc knows few commands in
 * words. */
static void check_words(Reader *self, gsize start, gsize end)
{
    static const char known[] = "ldots quad char textasciitilde textasciicircum textbackslash "
                                "aa AA ss ae AE oe OE";
    static const char known_signs[] = "#$%&_{}`'^~\".= oOlLcvu";
    const char *source = self->source;
    gboolean in_formula = FALSE;

    for (gsize i = start; i < end; i++) {
        const gsize len = source[i] == '\\' ? command_length(source, (guint32) i) : 0;

        if (len > 0 && !in_formula &&
            (len > 1 ? !tg_is_one_of(source + i + 1, len, known)
                     : strchr(known_signs, source[i + 1]) == NULL))
            fail_reading(self, "pandoc does not read %.*s among words", (int) len + 1, source + i);
        in_formula = in_formula != (source[i] == '$');
        self->in_text[i] = (guint8) !in_formula;
        i += len;
    }
}

/* Whether the command behind source[@start] begins a group or a script, where pandoc wants an
 * item. */
static gboolean is_first(const char *source, guint32 start)
{
    start = skip_back(source, start);
    return start > 0 && strchr("{_^", source[start - 1]) != NULL;
}

/* Whether a \tag or \label has its group at @at. */
static gboolean has_group(const char *at)
{
    return g_str_has_prefix(at, "*{") || at[strspn(at, " ")] == '{';
}

/* Fail at a command. Pandoc fails at most commands that have a name here but no reading; whether it
 * knows commands without a name here is not known. */
static void fail_command(Reader *self, const char *command, gsize len)
{
    static const char not_modeled[] = "SI si num ang unit qty newcommand def expandafter";
    const char *name = command + 1;
    const int n = (int) len;

    if (!tg_is_one_of(name, len, not_modeled) &&
        (find_reading(name, len) != NULL || tg_name_find(name, len) != NULL))
        fail_reading(self, "pandoc does not read \\%.*s", n, name);
    else
        fail_reading(self, "\\%.*s is unknown to pandoc, or is not modeled here", n, name);
}

/* Check each command and character outside of words, because pandoc knows no others. An unescaped
 * dollar sign ends the formula, which Markdown writes between dollars. */
static void check_source(Reader *self)
{
    static const char passed[] = "tag label nonumber";
    const char *source = self->source;
    const char *label;

    self->in_text = tg_arena_zeros(self->arena, strlen(source) + 1);
    for (gsize i = 0; source[i] != '\0' && self->fault == NULL; i++) {
        const guchar c = (guchar) source[i];

        if (c == '\\') {
            const guint32 start = (guint32) i;
            const gsize len = command_length(source, start);
            const Read read = len > 0 ? read_command(self, start, &label) : READ_FAIL;

            if (read == READ_FAIL)
                fail_command(self, source + i, len);
            if (tg_is_one_of(source + i + 1, len, passed) &&
                (is_first(source, start) || (len < 6 && !has_group(source + i + 1 + len))))
                fail_reading(self, "pandoc does not read this \\%.*s", (int) len, source + i + 1);
            i += len;
            if (len == 5 && memcmp(source + start, "\\hline", 6) == 0 && ends_list(source + i + 1))
                fail_reading(self,
                             "pandoc does not read \\hline before the end of a cell or table");
            if (limits_before(source, (guint32) i + 1) > 0 &&
                limits_before(source, skip_back(source, start)) > 0)
                fail_reading(self, "pandoc reads one \\limits alone");
            if (read != READ_TEXT)
                continue;
            const gsize end = skip_group(source, i + 1);
            if (end == i + 1)
                fail_reading(self, "pandoc needs braces around the words of a text");
            check_words(self, i + 1, end);
            i = end - 1;
        } else if (c == '"' || c == '`' || c == '#') {
            fail_reading(self, "pandoc does not read the character %c", c);
        } else if (is_latin_1(source + i)) {
            fail_reading(self, "the chain cannot write the character %.2s", source + i);
        }
    }
}

/* The last character before source[@at] that is no white space, or 0. */
static char char_before(const Reader *self, guint32 at)
{
    at = skip_back(self->source, at);
    return at > 0 ? self->source[at - 1] : '\0';
}

/* Whether pandoc reads the command at @at as an accent. */
static gboolean is_accent(Reader *self, guint32 at)
{
    const char *label;
    const Read read = self->source[at] == '\\' ? read_command(self, at, &label) : READ_FAIL;

    return read == READ_OVER || read == READ_UNDER || read == READ_OVER_LIMITS ||
           read == READ_UNDER_LIMITS;
}

/* Whether pandoc finds a fault, too. It does not mind anything among words, double scripts, \limits
 * after any base, \left without \right, sizes of any operator, more columns than an environment
 * has, roots and scripts without arguments and accents without braces where an argument is wanted.
 */
static gboolean is_minded(Reader *self, const TgParseError *error)
{
    const char *at = self->source + error->start;

    if (self->in_text[error->start])
        return FALSE;
    switch ((TgParseErrorKind) error->kind) {
    case TG_PARSE_SCRIPT:
        return FALSE;
    case TG_PARSE_LIMITS: /* pandoc accepts any base, but there must be one */
        return error->start == 0 || char_before(self, error->start) == '{';
    case TG_PARSE_DELIMITER:
        return !g_str_has_prefix(at, "\\left") && g_ascii_strncasecmp(at, "\\big", 4) != 0;
    case TG_PARSE_MISSING_ARGUMENT:
        if (at[0] == '_' || at[0] == '^')
            return ends_list(at + 1);
        return !g_str_has_prefix(at, "\\sqrt") &&
               (strstr(error->message, "needs braces") == NULL || !is_accent(self, error->start));
    case TG_PARSE_ALIGNMENT:
        return !g_str_has_prefix(error->message, "more than");
    default:
        return TRUE;
    }
}

/* ---- Lists in pieces ------------------------------------------------------------------------- */

static void add_piece(Reader *self, PieceType type, const TgNode *node, guint32 start, guint n)
{
    const Piece piece = { .node = node, .start = start, .type = (guint8) type, .n = (guint8) n };

    g_array_append_val(self->pieces, piece);
}

static void add_items(Reader *self, const TgNode *item);
static void add_scripts(Reader *self, const TgNode *node);

/* Add the \limits or \nolimits before the _ or ^ whose argument begins at @at. */
static void add_limits(Reader *self, const TgNode *node, guint32 at)
{
    const guint32 sign = skip_back(self->source, at);
    const guint32 end = sign > 0 ? skip_back(self->source, sign - 1) : 0;
    const guint32 len = limits_before(self->source, end);

    if (len > 0)
        add_piece(self, self->source[end - len + 1] == 'l' ? PIECE_LIMITS : PIECE_SIDE, node,
                  end - len, 0);
}

/* The item of @list after the first @skip ones, or NULL. */
static const TgNode *item_after(const TgNode *list, guint skip)
{
    const TgNode *item = list->u.list.first;

    for (; skip > 0 && item != NULL; skip--)
        item = item->next;
    return item;
}

/* Add a script: a group is one item; anything else is pieces of the list around, as `10` of x^10; a
 * script may be the argument of a script (x^^2). */
static void add_script(Reader *self, PieceType type, const TgNode *list, guint skip)
{
    const TgNode *first = item_after(list, skip);
    gboolean braced = list->u.list.braced;

    if (skip > 0) {
        if (first == NULL)
            return;
        braced = char_before(self, first->start) == '{';
    }
    const guint32 start = skip > 0 ? first->start : list->start;
    const char c = !braced && first != NULL ? self->source[first->start] : '\0';
    add_limits(self, list, start);
    add_piece(self, type, list, start, 0);
    if (braced)
        add_piece(self, PIECE_NODE, list, list->start, skip);
    else if (c == '_' || c == '^')
        add_piece(self, c == '_' ? PIECE_SUB : PIECE_SUP, list, first->start, 0);
    else if (first != NULL)
        add_items(self, first);
    else
        fail_reading(self, "a script is missing, byte %u", start + 1);
}

/* Add primes; up to four that touch each other are one sign. */
static void add_quotes(Reader *self, const TgNode *list, guint n)
{
    const TgNode *item = list->u.list.first;

    for (guint i = 0; i < n && item != NULL; i++, item = item->next) {
        Piece *last = self->pieces->len > 0 ? piece_at(self, self->pieces->len - 1) : NULL;

        if (self->source[item->start] != '\'') {
            add_piece(self, PIECE_NODE, item, item->start, 0);
        } else if (i > 0 && last->type == PIECE_QUOTES && last->node->end == item->start &&
                   last->n < 4) {
            last->n++;
            last->node = item;
        } else {
            add_piece(self, PIECE_QUOTES, item, item->start, 1);
        }
    }
}

/* The argument of @node that is last in the source, or NULL. */
static const TgNode *last_argument(const TgNode *node)
{
    switch ((TgNodeKind) node->kind) {
    case TG_NODE_FRACTION:
        return node->u.fraction.form != TG_FRACTION_INFIX ? node->u.fraction.den : NULL;
    case TG_NODE_RADICAL:
        return node->u.radical.body;
    case TG_NODE_ACCENT:
        return node->u.accent.base;
    case TG_NODE_STACK:
        return node->u.stack.base;
    case TG_NODE_LIST: /* of a font */
        return node;
    default:
        return NULL;
    }
}

static gboolean is_root_sign(const Reader *self, const TgNode *node)
{
    return node->kind == TG_NODE_RADICAL && g_str_has_prefix(self->source + node->start, "\\sqrt");
}

static gboolean is_lone_script(const TgNode *node)
{
    return node->kind == TG_NODE_SCRIPTS && node->u.scripts.nucleus == NULL &&
           node->u.scripts.n_primes == 0;
}

/* Add the rest of an argument that pandoc reads in part: without braces, \sqrt takes only the first
 * sign, and a script takes only the _ or ^. */
static void add_rest(Reader *self, const TgNode *node)
{
    const TgNode *list = last_argument(node);
    const TgNode *first = list != NULL && !list->u.list.braced ? list->u.list.first : NULL;

    if (first != NULL && is_root_sign(self, first) && first->u.radical.index == NULL) {
        list = first->u.radical.body;
        if (list->u.list.braced)
            add_piece(self, PIECE_NODE, list, list->start, 0);
        else
            add_items(self, list->u.list.first);
    } else if (first != NULL && is_lone_script(first) && first->end > first->start + 1) {
        const guint sign = self->pieces->len;

        add_scripts(self, first);
        if (self->pieces->len > sign)
            g_array_remove_index(self->pieces, sign);
    }
}

static void add_node(Reader *self, const TgNode *node)
{
    add_piece(self, PIECE_NODE, node, node->start, 0);
    add_rest(self, node);
}

static void add_scripts(Reader *self, const TgNode *node)
{
    const TgNode *sub = node->u.scripts.sub, *sup = node->u.scripts.sup;
    const guint primes = node->u.scripts.n_primes;
    const gboolean sub_first = sub != NULL && (sup == NULL || sub->start < sup->start);
    const TgNode *nucleus = node->u.scripts.nucleus;
    gboolean sub_last = FALSE;

    if (nucleus != NULL && nucleus->kind == TG_NODE_SCRIPTS)
        add_scripts(self, nucleus);
    else if (nucleus != NULL)
        add_node(self, nucleus);
    if (sub_first)
        add_script(self, PIECE_SUB, sub, 0);
    if (sup != NULL) {
        const TgNode *rest = item_after(sup, primes);

        /* primes may stand before the subscript and the rest after it, as in x'_1^2 */
        add_quotes(self, sup, primes);
        sub_last = sub != NULL && !sub_first &&
                   (primes == 0 || (rest != NULL && rest->start < sub->start));
        if (sub != NULL && !sub_first && !sub_last)
            add_script(self, PIECE_SUB, sub, 0);
        add_script(self, PIECE_SUP, sup, primes);
    }
    if (sub_last)
        add_script(self, PIECE_SUB, sub, 0);
}

/* Add @item and the items after it. */
static void add_items(Reader *self, const TgNode *item)
{
    for (; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_SCRIPTS)
            add_scripts(self, item);
        else if (item->kind != TG_NODE_TAG)
            add_node(self, item);
    }
}

/* ---- Characters ------------------------------------------------------------------------------ */

/* The ASCII character that is typed as piece @i, or 0. */
static char typed_at(const Reader *self, guint i)
{
    if (i >= self->end || piece_at(self, i)->type != PIECE_NODE ||
        piece_at(self, i)->node->kind != TG_NODE_SYMBOL)
        return '\0';
    const char c = self->source[piece_at(self, i)->start];
    return (guchar) c < 0x80 && c != '\\' ? c : '\0';
}

static gboolean is_digit_at(const Reader *self, guint i, guint32 start)
{
    return i < self->end && g_ascii_isdigit(typed_at(self, i)) && piece_at(self, i)->start == start;
}

/* Read digits with a point between or before them, without blanks, as one symbol; NULL if none
 * stands here. */
static Element *read_number(Reader *self)
{
    const guint32 start = piece_at(self, self->at)->start;
    guint i = self->at;
    guint32 end = start;

    while (is_digit_at(self, i, end))
        i++, end++;
    if (i < self->end && typed_at(self, i) == '.' && piece_at(self, i)->start == end &&
        is_digit_at(self, i + 1, end + 1)) {
        i++, end++;
        while (is_digit_at(self, i, end))
            i++, end++;
    }
    if (end == start)
        return NULL;
    self->at = i;
    return make_symbol(self, tg_arena_text(self->arena, self->source + start, end - start), start,
                       end);
}

/* Read a typed character. */
static Element *read_character(Reader *self, const TgNode *node)
{
    const char *text = self->source + node->start;
    const guchar c = (guchar) text[0];

    if (c == '-')
        return make_symbol(self, "\u2212", node->start, node->end);
    if (c == '\'')
        return make_symbol(self, "\u2032", node->start, node->end);
    if (c < 0x80 && !g_ascii_isalnum(c) && strchr("+*@,.;:?><!=/()[]|", c) == NULL)
        return fail_reading(self, "pandoc does not read the character %c there", c);
    return make_symbol(self,
                       tg_arena_text(self->arena, text, (gsize) (g_utf8_next_char(text) - text)),
                       node->start, node->end);
}

/* ---- Brackets -------------------------------------------------------------------------------- */

static char closer_of(char opener)
{
    return opener == '(' ? ')' : opener == '[' ? ']' : opener == '|' ? '|' : '\0';
}

/* Read an opening bracket, with the items up to its partner if it has one. */
static Element *read_bracket(Reader *self, char closer)
{
    const guint begin = self->at;
    const TgNode *node = piece_at(self, begin)->node;
    Element *opener = read_character(self, node);

    self->at++;
    if (piece_at(self, begin)->lone || self->depth >= MAX_DEPTH)
        return opener;
    Element *row = make_element(self, TG_CROHME_ROW, node->start, node->end);
    append_child(row, opener);
    self->depth++;
    while (self->at < self->end && self->fault == NULL && typed_at(self, self->at) != closer)
        append_child(row, read_expression(self));
    self->depth--;
    if (self->at < self->end) {
        append_child(row, read_character(self, piece_at(self, self->at)->node));
        self->at++;
        return row;
    }
    piece_at(self, begin)->lone = 1;
    self->at = begin + 1;
    return make_symbol(self, opener->label, opener->start, opener->end);
}

/* ---- Arguments ------------------------------------------------------------------------------- */

/* Whether pandoc takes an argument: a group, a character, a space, or a command that is a symbol or
 * an accent. */
static gboolean is_argument(Reader *self, const TgNode *list)
{
    const TgNode *first = list->u.list.first;
    const char *label;

    if (list->u.list.braced || first == NULL || self->source[first->start] != '\\')
        return list->u.list.braced || first != NULL;
    const char *name = self->source + first->start + 1;
    const Read read = read_command(self, first->start, &label);
    return (read == READ_SYMBOL && name[0] != '{' && !g_str_has_prefix(name, "lvert") &&
            !g_str_has_prefix(name, "rvert") && !g_str_has_prefix(name, "lVert") &&
            !g_str_has_prefix(name, "rVert")) ||
           is_accent(self, first->start) ||
           (read == READ_DELETE && (!g_ascii_isalpha(name[0]) || strstr(name, "quad") != NULL)) ||
           is_root_sign(self, first);
}

/* Read an argument of a command. Without braces, a \sqrt or script takes only the first sign; if
 * the argument is the last one, add_rest() has added the rest. */
static Element *read_argument(Reader *self, const TgNode *list, gboolean is_last)
{
    const TgNode *first = list->u.list.braced ? NULL : list->u.list.first;

    if (!is_argument(self, list))
        fail_reading(self, "an argument needs braces for pandoc, byte %u", list->start + 1);
    if (first != NULL && is_lone_script(first))
        return make_symbol(self, self->source[first->start] == '_' ? "_" : "^", first->start,
                           first->start + 1);
    if (first == NULL || !is_root_sign(self, first))
        return read_list(self, list, 0);
    if (!is_last || first->u.radical.index != NULL)
        fail_reading(self, "pandoc takes the sign of a root alone as an argument, byte %u",
                     first->start + 1);
    return make_symbol(self, "\u221A", first->start, end_of_mark(self, first));
}

/* An argument that is the next piece of the list. */
static Element *read_next(Reader *self, const TgNode *owner)
{
    if (!piece_is(self, PIECE_NODE))
        return fail_reading(self, "%.*s needs an argument", (int) (owner->end - owner->start),
                            self->source + owner->start);
    return read_node(self, piece_at(self, self->at++)->node);
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

/* Whether the symbol may stand after \left, \right, \middle and \big. */
static gboolean is_delimiter(const char *source, guint32 start)
{
    static const char names[] =
        "{ } | lbrace rbrace lbrack rbrack langle rangle lfloor rfloor lceil "
        "rceil lVert rVert Vert vert lvert rvert ulcorner urcorner "
        "llbracket rrbracket";

    if (source[start] != '\\')
        return strchr("()[]|<>", source[start]) != NULL;
    return tg_is_one_of(source + start + 1, command_length(source, start), names);
}

static Element *read_delimiter(Reader *self, const TgNode *node)
{
    const char *label = NULL;

    if (!is_delimiter(self->source, node->start))
        fail_reading(self, "pandoc does not read this delimiter, byte %u", node->start + 1);
    if (self->source[node->start] != '\\')
        return make_symbol(self, label_of_code(self, node->u.symbol.code), node->start, node->end);
    if (read_command(self, node->start, &label) != READ_SYMBOL)
        fail_reading(self, "pandoc does not read this delimiter, byte %u", node->start + 1);
    return make_symbol(self, label != NULL ? label : "", node->start, node->end);
}

/* \big: a delimiter, or any operator that is typed. */
static Element *read_size(Reader *self, const TgNode *node)
{
    const TgNode *delimiter = node->kind == TG_NODE_BIG ? node->u.big.delimiter : NULL;
    guint32 at = end_of_mark(self, node);

    if (delimiter != NULL && self->source[delimiter->start] == '\\')
        return read_delimiter(self, delimiter);
    if (delimiter != NULL)
        return read_character(self, delimiter);
    at += (guint32) strspn(self->source + at, " ");
    if (self->source[at] == '.')
        return make_symbol(self, ".", at, at + 1);
    const char typed = typed_at(self, self->at);
    if (typed != '\0' && strchr("+-*@,.;:?><!=/:", typed) != NULL)
        return read_character(self, piece_at(self, self->at++)->node);
    return fail_reading(self, "a size needs a delimiter, byte %u", node->start + 1);
}

/* \left..\right: a row of the delimiters and what stands between them. */
static Element *read_delimited(Reader *self, const TgNode *node)
{
    Element *row = make_element(self, TG_CROHME_ROW, node->start, node->end);
    const char *after = self->source + node->start + strlen("\\left");

    after += strspn(after, " ");
    if (node->u.delimited.left != NULL)
        append_child(row, read_delimiter(self, node->u.delimited.left));
    else if (*after != '.')
        fail_reading(self, "\\left needs a delimiter");
    append_child(row, read_list(self, node->u.delimited.body, 0));
    if (node->u.delimited.right != NULL)
        append_child(row, read_delimiter(self, node->u.delimited.right));
    return row;
}

/* A delimiter of \binom and its kin, which has no place of its own in the source; or NULL. */
static Element *unwritten_delimiter(Reader *self, const TgNode *node, const TgNode *delimiter)
{
    return delimiter != NULL ? make_symbol(self, label_of_code(self, delimiter->u.symbol.code),
                                           node->start, node->start)
                             : NULL;
}

/* Read a fraction; \binom, \choose and \genfrac put it between delimiters. */
static Element *read_fraction(Reader *self, const TgNode *node)
{
    const gboolean infix = node->u.fraction.form == TG_FRACTION_INFIX;
    Element *num = infix ? read_list(self, node->u.fraction.num, 0)
                         : read_argument(self, node->u.fraction.num, FALSE);
    Element *den = infix ? read_list(self, node->u.fraction.den, 0)
                         : read_argument(self, node->u.fraction.den, TRUE);
    Element *fraction = make_parent(self, TG_CROHME_FRACTION, node, num, den, NULL);

    fraction->end = end_of_mark(self, node);
    if (g_str_has_prefix(self->source + node->start, "\\genfrac") &&
        (node->u.fraction.left == NULL || node->u.fraction.right == NULL))
        fail_reading(self, "pandoc needs the delimiters of \\genfrac");
    if (node->u.fraction.left == NULL && node->u.fraction.right == NULL)
        return fraction;
    return make_parent(self, TG_CROHME_ROW, node,
                       unwritten_delimiter(self, node, node->u.fraction.left), fraction,
                       unwritten_delimiter(self, node, node->u.fraction.right));
}

/* Whether a bracket opens in the index of a root, and pandoc finds its partner behind the index. */
static gboolean has_open_bracket(const Reader *self, const TgNode *index)
{
    guint open = 0;

    for (const TgNode *item = index->u.list.first; item != NULL; item = item->next) {
        const char c = item->kind == TG_NODE_SYMBOL ? self->source[item->start] : '\0';

        if (c == '[' || (c == ')' && open > 0))
            open += c == '[' ? 1u : -1u;
        else if (c == '(')
            open += strchr(self->source + index->end, ')') != NULL;
    }
    return open > 0;
}

/* Read a root. If pandoc cannot read its argument, the root is only the sign, and the argument's
 * items follow. */
static Element *read_radical(Reader *self, const TgNode *node)
{
    const TgNode *body = node->u.radical.body, *index = node->u.radical.index;

    if (index != NULL && (has_open_bracket(self, index) || !is_argument(self, body)))
        fail_reading(self, "pandoc does not find the end of the index of a root, byte %u",
                     index->start + 1);
    if (index != NULL || is_argument(self, body)) {
        Element *root = make_parent(self, index != NULL ? TG_CROHME_INDEX_ROOT : TG_CROHME_ROOT,
                                    node, read_argument(self, body, TRUE),
                                    index != NULL ? read_list(self, index, 0) : NULL, NULL);

        root->end = end_of_mark(self, node);
        return root;
    }
    Element *sign =
        make_symbol(self, "\u221A", node->start, node->start + (guint32) strlen("\\sqrt"));
    return make_parent(self, TG_CROHME_ROW, node, sign, read_list(self, body, 0), NULL);
}

static Element *read_stack(Reader *self, const TgNode *node)
{
    const TgNode *over = node->u.stack.over, *under = node->u.stack.under;
    Element *base = read_argument(self, node->u.stack.base, TRUE);

    if (over != NULL && under != NULL)
        fail_reading(self, "pandoc does not read \\overunderset");
    return make_parent(self, over != NULL ? TG_CROHME_OVER : TG_CROHME_UNDER, node, base,
                       read_argument(self, over != NULL ? over : under, FALSE), NULL);
}

static Element *read_arrow(Reader *self, const TgNode *node)
{
    const gboolean left = node->u.arrow.form == TG_ARROW_LEFT;
    Element *arrow = make_symbol(self, left ? "\u2190" : "\u2192", node->start, node->end);
    Element *above = read_argument(self, node->u.arrow.above, TRUE);

    if (node->u.arrow.below == NULL)
        return make_parent(self, TG_CROHME_OVER, node, arrow, above, NULL);
    return make_parent(self, TG_CROHME_UNDEROVER, node, arrow,
                       read_list(self, node->u.arrow.below, 0), above);
}

/* The argument of an accent, \mathrel or \operatorname. */
static const TgNode *body_of(const TgNode *node)
{
    TgChildIter iter = tg_child_iter(node);

    return node->kind == TG_NODE_LIST ? node : tg_child_iter_next(&iter);
}

/* Read words, which are removed, with formulas between them, which stay. Blanks at the ends make an
 * empty row, which is not removed. */
static Element *read_text(Reader *self, const TgNode *node)
{
    const TgNode *body = node->kind == TG_NODE_TEXT ? node->u.text.body : NULL;
    const TgNode *first = body != NULL ? body->u.list.first : NULL, *last = first;
    Element *row = make_element(self, TG_CROHME_ROW, node->start, node->end);

    for (const TgNode *item = first; item != NULL; last = item, item = item->next)
        if (item->kind == TG_NODE_MATH)
            append_child(row, read_list(self, item->u.body.body, 0));
    if (row->first == NULL && !tg_node_is_blank(first) && !tg_node_is_blank(last))
        row->kind = TG_CROHME_DELETED;
    return row;
}

/* The signs of an argument run together: the label of \operatorname{..}, where pandoc reads
 * letters, digits and operators alone, and of \mathop{..}, where it passes over the rest. */
static void append_name(Reader *self, GString *name, const TgNode *list, gboolean strict)
{
    for (const TgNode *item = list->u.list.first; item != NULL && self->fault == NULL;
         item = item->next) {
        const char *label = NULL, *command = NULL;

        if (item->kind == TG_NODE_LIST)
            append_name(self, name, item, strict);
        else if (item->kind == TG_NODE_TEXT && !tg_node_is_blank(item->u.text.body->u.list.first))
            append_name(self, name, item->u.text.body, strict);
        else if (item->kind == TG_NODE_CHAR)
            g_string_append_unichar(name, item->u.character.code);
        else if (item->kind == TG_NODE_SYMBOL && self->source[item->start] == '-')
            g_string_append_c(name, '-');
        else if (item->kind == TG_NODE_SYMBOL && self->source[item->start] != '\\')
            label = read_character(self, item)->label; /* NULL where it fails */
        else if (item->kind == TG_NODE_SYMBOL &&
                 read_command(self, item->start, &command) == READ_SYMBOL)
            label = command;
        else if (strict)
            fail_reading(self, "pandoc does not read this name, byte %u", list->start + 1);
        if (label != NULL)
            g_string_append(name, label);
    }
}

static Element *read_name(Reader *self, const TgNode *node, const TgNode *list, gboolean strict)
{
    g_autoptr(GString) name = g_string_new(NULL);

    append_name(self, name, list, strict);
    return make_symbol(self, tg_arena_text(self->arena, name->str, name->len), node->start,
                       node->end);
}

/* \mathop: one symbol is itself, anything else a name. */
static Element *read_operator(Reader *self, const TgNode *node)
{
    const TgNode *list = body_of(node);
    const TgNode *first = list != NULL ? list->u.list.first : NULL;

    while (first != NULL && first->next == NULL && first->kind == TG_NODE_LIST &&
           self->source[first->start] == '{')
        first = first->u.list.first;
    if (first != NULL && first->next == NULL && first->kind == TG_NODE_SYMBOL)
        return read_list(self, list, 0);
    return list != NULL ? read_name(self, node, list, FALSE)
                        : make_element(self, TG_CROHME_ROW, node->start, node->end);
}

/* Whether pandoc can put a stroke through a symbol: a relation, a letter, a bracket. */
static gboolean is_struck(Reader *self, const TgNode *node)
{
    static const char unstruck[] = "\u2223\u2235\u2234\u25B5\u21BA\u21BB\u21E0\u21E2\u03F6\u25C2"
                                   "\u25B8\u03C2";
    const char c = self->source[node->start];
    const char *label;
    char text[8] = "";

    if (node->kind != TG_NODE_SYMBOL)
        return FALSE;
    if (c != '\\')
        return (guchar) c >= 0x80 || g_ascii_isalnum(c) || strchr("=<>()[]|:", c) != NULL;
    if (read_command(self, node->start, &label) != READ_SYMBOL) /* not \not itself */
        return FALSE;
    const gunichar code = node->u.symbol.code;
    g_unichar_to_utf8(code, text);
    return (node->math_class == TG_CLASS_REL || (code >= 0x391 && code <= 0x3C9) || code == 0x3D1 ||
            code == 0x3D5 || code == 0x3F5) &&
           strstr(unstruck, text) == NULL;
}

/* \not: the negated character where pandoc has one, else a stroke after it; of a group a stroke
 * above. */
static Element *read_not(Reader *self, const TgNode *node)
{
    static const char uncomposed[] = "\u21D0\u21D2\u21D4\u2190\u2192\u2194\u22A9\u22A8\u22A2\u224D"
                                     "\u2276\u2277\u223C\u22B2\u22B3\u22B4\u22B5";
    const TgNode *struck = piece_is(self, PIECE_NODE) ? piece_at(self, self->at)->node : NULL;
    const gboolean group = struck != NULL && self->source[struck->start] == '{';

    if (struck != NULL && !group && !is_struck(self, struck))
        return fail_reading(self, "pandoc puts no stroke through this, byte %u", struck->start + 1);
    Element *base = read_next(self, node);
    if (group || base->kind != TG_CROHME_SYMBOL)
        return make_parent(self, TG_CROHME_OVER, node, base,
                           make_symbol(self, "\u0338", node->start, node->end), NULL);
    g_autofree char *stroke = g_strconcat(base->label, "\u0338", NULL);
    g_autofree char *composed = strstr(uncomposed, base->label) != NULL ? g_strdup(stroke)
                                : strcmp(base->label, "\u2245") == 0
                                    ? g_strdup("\u2246")
                                    : g_utf8_normalize(stroke, -1, G_NORMALIZE_NFC);
    base->label = tg_arena_text(self->arena, composed, strlen(composed));
    base->start = node->start;
    return base;
}

/* \mod A, \pmod A: macros of our parser, whose items begin where the call does; A is an item with
 * its scripts. */
static Element *read_mod(Reader *self, const TgNode *node)
{
    Element *row = make_element(self, TG_CROHME_ROW, node->start, node->end);
    const gboolean fenced = self->source[node->start + 1] == 'p';
    guint kept = self->at;

    for (guint i = self->at; i < self->end; i++)
        if (piece_at(self, i)->start != node->start)
            *piece_at(self, kept++) = *piece_at(self, i);
    self->steps += self->end - self->at;
    g_array_remove_range(self->pieces, kept, self->end - kept);
    self->end = kept;
    append_child(row, fenced ? make_symbol(self, "(", node->start, node->end) : NULL);
    if (!g_str_has_prefix(self->source + node->start, "\\pod"))
        append_child(row, make_symbol(self, "mod", node->start, node->end));
    const gsize group = end_of_mark(self, node);
    const gsize end_of_group = skip_group(self->source, group);
    if (end_of_group > group) { /* the macro has removed the braces */
        Element *base = make_element(self, TG_CROHME_ROW, node->start, node->end);
        const guint end = self->end;

        for (self->end = self->at;
             self->end < end && piece_at(self, self->end)->start < end_of_group;)
            self->end++;
        const guint end_of_base = self->end;
        while (self->at < self->end && self->fault == NULL)
            append_child(base, read_expression(self));
        self->end += end - end_of_base;
        append_child(row, read_scripts(self, base));
    } else {
        append_child(row, read_expression(self));
    }
    append_child(row, fenced ? make_symbol(self, ")", node->start, node->end) : NULL);
    return row;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* An environment that pandoc reads, and the signs around it. */
static const struct {
    const char *name, *left, *right;
} tables[] = {
    { "matrix", NULL, NULL },          { "smallmatrix", NULL, NULL },
    { "pmatrix", "(", ")" },           { "bmatrix", "[", "]" },
    { "Bmatrix", "{", "}" },           { "vmatrix", "\u2223", "\u2223" },
    { "Vmatrix", "\u2225", "\u2225" }, { "cases", "{", NULL },
    { "array", NULL, NULL },           { "eqnarray", NULL, NULL },
    { "align", NULL, NULL },           { "aligned", NULL, NULL },
    { "alignat", NULL, NULL },         { "alignedat", NULL, NULL },
    { "flalign", NULL, NULL },         { "split", NULL, NULL },
    { "multline", NULL, NULL },        { "gather", NULL, NULL },
    { "gathered", NULL, NULL },        { "substack", NULL, NULL },
};

/* Whether the columns of an array, \begin{array}{l|r}, are letters and bars without blanks between
 * them. */
static gboolean columns_are_read(const char *array)
{
    return g_regex_match_simple("^[^}]*\\} *\\{ *[|a-zA-Z]* *\\}", array, G_REGEX_RAW, 0);
}

static Element *read_table(Reader *self, const TgNode *node)
{
    const TgArray *array = node->u.array;
    gsize len = strlen(array->name);
    guint t = 0;

    len -= len > 0 && array->name[len - 1] == '*';
    while (t < G_N_ELEMENTS(tables) &&
           (strncmp(tables[t].name, array->name, len) != 0 || tables[t].name[len] != '\0'))
        t++;
    const gboolean substack = g_str_has_prefix(self->source + node->start, "\\substack");
    if (t == G_N_ELEMENTS(tables) ||
        (!substack && !g_str_has_prefix(self->source + node->start, "\\begin")))
        return fail_reading(self, "pandoc does not read a table of this kind");
    if (g_str_equal(tables[t].name, "array") && !columns_are_read(self->source + node->start))
        return fail_reading(self, "pandoc does not read these columns of an array");
    if (!substack && array->n_rows == 0 && !g_str_has_prefix(tables[t].name, "gather") &&
        !g_str_equal(tables[t].name, "multline"))
        return fail_reading(self, "pandoc does not read a table without rows");
    Element *table = make_element(self, TG_CROHME_TABLE, node->start, node->end);
    for (guint32 r = 0; r < array->n_rows; r++) {
        const TgRow *from = &array->rows[r];
        Element *row = make_element(self, TG_CROHME_TABLE_ROW, from->start, from->end);

        for (guint32 c = 0; c < from->n_cells; c++) {
            const TgNode *content = from->cells[c].content;
            Element *cell = make_element(self, TG_CROHME_CELL, content->start, content->end);

            append_child(cell, read_list(self, content, 0));
            append_child(row, cell);
        }
        append_child(table, row);
    }
    if (substack && array->n_rows > 0 && array->rows[array->n_rows - 1].ended) {
        Element *row = make_element(self, TG_CROHME_TABLE_ROW, node->end, node->end);

        append_child(row, make_element(self, TG_CROHME_CELL, node->end, node->end));
        append_child(table, row);
    }
    if (tables[t].left == NULL)
        return table;
    Element *right =
        tables[t].right != NULL ? make_symbol(self, tables[t].right, node->end, node->end) : NULL;
    return make_parent(self, TG_CROHME_ROW, node,
                       make_symbol(self, tables[t].left, node->start, node->start), table, right);
}

/* ---- Items ----------------------------------------------------------------------------------- */

/* Read a command that is built by its node's kind. */
static Element *read_built(Reader *self, const TgNode *node)
{
    static Element *(*const by_kind[TG_N_NODE_KINDS])(Reader *, const TgNode *) = {
        [TG_NODE_FRACTION] = read_fraction,   [TG_NODE_RADICAL] = read_radical,
        [TG_NODE_DELIMITED] = read_delimited, [TG_NODE_STACK] = read_stack,
        [TG_NODE_ARROW] = read_arrow,         [TG_NODE_ARRAY] = read_table,
    };

    if (by_kind[node->kind] != NULL)
        return by_kind[node->kind](self, node);
    if (node->kind == TG_NODE_LIST)
        return read_list(self, node, 0);
    if (node->kind == TG_NODE_MIDDLE && node->u.big.delimiter != NULL)
        return read_delimiter(self, node->u.big.delimiter);
    return fail_reading(self, "pandoc does not read %.*s there",
                        (int) command_length(self->source, node->start) + 1,
                        self->source + node->start);
}

/* Whether @space is \hspace{1em}: digits and em, pt, in or cm, without blanks between them. */
static gboolean is_space_read(const char *space)
{
    return g_regex_match_simple("^\\\\hspace *\\{ *[0-9]+(em|pt|in|cm) *\\}", space, G_REGEX_RAW,
                                0);
}

static Element *read_accent(Reader *self, const TgNode *node, Read read, const char *label)
{
    const TgNode *body = body_of(node);
    const gboolean above = read == READ_OVER || read == READ_OVER_LIMITS;

    if (body == NULL || body->kind != TG_NODE_LIST)
        return fail_reading(self, "an accent needs an argument, byte %u", node->start + 1);
    Element *element = make_parent(
        self, above ? TG_CROHME_OVER : TG_CROHME_UNDER, node, read_argument(self, body, TRUE),
        make_symbol(self, label, node->start, end_of_mark(self, node)), NULL);
    element->limits = read == READ_OVER_LIMITS || read == READ_UNDER_LIMITS;
    return element;
}

/* Read the content of a command that is removed, because pandoc must be able to read it. */
static void check_deleted(Reader *self, const TgNode *node)
{
    const TgNode *body = node->kind != TG_NODE_SPACE ? body_of(node) : NULL;
    const TgNode *first = body != NULL && body->kind == TG_NODE_LIST ? body->u.list.first : NULL;

    if (node->kind == TG_NODE_FRACTION)
        read_fraction(self, node);
    else if (first != NULL && !(is_lone_script(first) && first->end == first->start + 1))
        read_argument(self, body, TRUE);
}

/* Read a node of a command; further items of the list may belong to the command. */
static Element *read_by_command(Reader *self, const TgNode *node)
{
    const char *label = NULL;
    const Read read = read_command(self, node->start, &label);

    if (read != READ_MOD) /* other items that a macro of our parser wrote */
        while (piece_is(self, PIECE_NODE) && piece_at(self, self->at)->start == node->start)
            self->at++;
    switch (read) {
    case READ_SYMBOL:
        return make_symbol(self, label, node->start, node->end);
    case READ_OVER:
    case READ_UNDER:
    case READ_OVER_LIMITS:
    case READ_UNDER_LIMITS:
        return read_accent(self, node, read, label);
    case READ_DELETE:
        if (g_str_has_prefix(self->source + node->start, "\\hspace") &&
            !is_space_read(self->source + node->start))
            fail_reading(self,
                         "pandoc reads \\hspace with whole numbers of em, pt, in or cm alone");
        check_deleted(self, node);
        return make_element(self, TG_CROHME_DELETED, node->start, node->end);
    case READ_TEXT:
        return read_text(self, node);
    case READ_KEEP:
        return read_list(self, body_of(node), 0);
    case READ_NAME:
        return read_name(self, node, body_of(node), TRUE);
    case READ_OPERATOR:
        return read_operator(self, node);
    case READ_SIZE:
        return read_size(self, node);
    case READ_SURD:
        return make_parent(self, TG_CROHME_ROOT, node, read_next(self, node), NULL, NULL);
    case READ_NOT:
        return read_not(self, node);
    case READ_MOD:
        return read_mod(self, node);
    default:
        return read_built(self, node);
    }
}

static Element *read_node(Reader *self, const TgNode *node)
{
    const char c = self->source[node->start];

    if (node->kind == TG_NODE_FRACTION && node->u.fraction.form == TG_FRACTION_INFIX)
        return read_fraction(self, node);
    if (c == '\\' && (node->kind != TG_NODE_LIST || !node->u.list.braced ||
                      command_length(self->source, node->start) > 0))
        return read_by_command(self, node);
    if (node->kind == TG_NODE_LIST)
        return read_list(self, node, 0);
    if (node->kind == TG_NODE_SYMBOL)
        return read_character(self, node);
    if (node->kind != TG_NODE_SPACE)
        fail_reading(self, "pandoc does not read this, byte %u", node->start + 1);
    return make_element(self, TG_CROHME_DELETED, node->start, node->end);
}

/* Read an item without its scripts. */
static Element *read_item(Reader *self)
{
    static const char *const quotes[] = { "\u2032", "\u2033", "\u2034", "\u2057" };
    Element *element;

    if (++self->steps > STEPS_PER_BYTE * (self->tree->len + SHORTEST))
        fail_reading(self, "it takes too long");
    while (piece_is(self, PIECE_NODE) && piece_at(self, self->at)->node->kind == TG_NODE_STYLE)
        self->at++;
    if (self->at >= self->end || self->fault != NULL) {
        self->at = self->end;
        return fail_reading(self, "something is missing at the end of a group or formula");
    }
    const Piece piece = *piece_at(self, self->at);
    switch ((PieceType) piece.type) {
    case PIECE_QUOTES:
        self->at++;
        return make_symbol(self, quotes[piece.n - 1], piece.start, piece.node->end);
    case PIECE_NODE:
        break;
    default: /* a script without a base has a base with an empty label */
        return NULL;
    }
    const char typed = typed_at(self, self->at);
    if (typed != '\0' && (element = read_number(self)) != NULL)
        return element;
    if (closer_of(typed) != '\0')
        return read_bracket(self, closer_of(typed));
    self->at++;
    if (typed == ':' && self->at < self->end && typed_at(self, self->at) == '=' &&
        piece_at(self, self->at)->start == piece.start + 1) {
        self->at++;
        return make_symbol(self, ":=", piece.start, piece.start + 2);
    }
    if (piece.n > 0)
        return read_list(self, piece.node, piece.n);
    return read_node(self, piece.node);
}

/* Read the scripts after @base, which is a script itself or no item. */
static Element *read_deeper_scripts(Reader *self, Element *base)
{
    if (++self->depth > MAX_DEPTH)
        fail_reading(self, "scripts are nested too deeply");
    else
        base = read_scripts(self, base);
    self->depth--;
    return base;
}

/* Read an item, which may be a script without a base. */
static Element *read_base(Reader *self)
{
    Element *item = read_item(self);

    if (item != NULL)
        return item;
    const guint32 start = piece_at(self, self->at)->start;
    return read_deeper_scripts(self, make_symbol(self, "", start, start));
}

/* Read the scripts after @base: one of each kind, each an item; or a single one, which has scripts
 * of its own (x^a^b). */
static Element *read_scripts(Reader *self, Element *base)
{
    gboolean limits = base->limits;

    if (piece_is(self, PIECE_LIMITS) || piece_is(self, PIECE_SIDE))
        limits = piece_at(self, self->at++)->type == PIECE_LIMITS;
    if (!piece_is(self, PIECE_SUB) && !piece_is(self, PIECE_SUP))
        return base;
    const gboolean sub = piece_at(self, self->at++)->type == PIECE_SUB;
    Element *script = read_base(self);
    if (piece_is(self, sub ? PIECE_SUP : PIECE_SUB)) {
        self->at++;
        Element *other = read_base(self);
        if (piece_is(self, PIECE_LIMITS) || piece_is(self, PIECE_SIDE))
            fail_reading(self, "pandoc reads no \\limits after two scripts");
        return with_children(make_element(self, limits ? TG_CROHME_UNDEROVER : TG_CROHME_SUBSUP,
                                          base->start, base->end),
                             base, sub ? script : other, sub ? other : script);
    }
    return with_children(make_element(self,
                                      sub      ? limits ? TG_CROHME_UNDER : TG_CROHME_SUB
                                      : limits ? TG_CROHME_OVER
                                               : TG_CROHME_SUP,
                                      base->start, base->end),
                         base, read_deeper_scripts(self, script), NULL);
}

static Element *read_expression(Reader *self)
{
    return read_scripts(self, read_base(self));
}

/* Read a group or argument without its first @skip items. A single item stands for itself; several
 * or none are a row. */
static Element *read_list(Reader *self, const TgNode *list, guint skip)
{
    const guint at = self->at, end = self->end, begin = self->pieces->len;
    Element *row = make_element(self, TG_CROHME_ROW, list->start, list->end);

    if (++self->depth > MAX_DEPTH)
        fail_reading(self, "groups are nested too deeply");
    if (self->fault == NULL)
        add_items(self, item_after(list, skip));
    self->at = begin;
    self->end = self->pieces->len;
    while (self->at < self->end && self->fault == NULL)
        append_child(row, read_expression(self));
    g_array_set_size(self->pieces, begin);
    self->at = at;
    self->end = end;
    self->depth--;
    row->of_list = 1;
    return row->first != NULL && row->first->next == NULL ? row->first : row;
}

/* ---- Normal form ----------------------------------------------------------------------------- */

/* Number the elements, and remove deleted ones; the items of a cell form no row in MathML. Then
 * dissolve rows in rows, rows of one item, and rows that are the base of one script, which goes to
 * the last item. */
static Element *settle_element(Element *element, gboolean in_cell, guint32 *number)
{
    const gboolean is_row = element->kind == TG_CROHME_ROW;
    Element *child = element->first, *next;

    if (!in_cell || !element->of_list)
        element->number = ++*number;
    element->first = element->last = NULL;
    for (; child != NULL; child = next) {
        next = child->next;
        if (child->kind == TG_CROHME_DELETED)
            continue;
        child->next = NULL;
        child = settle_element(child, element->kind == TG_CROHME_CELL, number);
        if (!is_row || child->kind != TG_CROHME_ROW) {
            append_child(element, child);
        } else if (child->first != NULL) {
            append_child(element, child->first);
            element->last = child->last;
        }
    }
    Element *first = element->first;
    if (is_row && first != NULL && first->next == NULL)
        return first;
    if ((element->kind != TG_CROHME_SUB && element->kind != TG_CROHME_SUP) || first == NULL ||
        first->kind != TG_CROHME_ROW || first->first == NULL)
        return element;
    Element *row = first, *before = NULL;
    for (Element *item = row->first; item->next != NULL; item = item->next)
        before = item;
    Element *base = row->last;
    base->next = first->next;
    element->first = base;
    if (base->next == NULL)
        element->last = base;
    row->next = NULL;
    element->next = NULL;
    before->next = element; /* a settled row has two items or more */
    row->last = element;
    return row;
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* The length of the formula that Markdown finds in $@tex$: it ends at an unescaped dollar sign, and
 * no blank stands at its ends. */
static gsize markdown_length(Reader *self)
{
    const char *tex = self->source;

    for (gsize i = 0; tex[i] != '\0'; i++) {
        if (tex[i] == '\\' && tex[i + 1] == '\0') {
            fail_reading(self, "a backslash at the end");
        } else if (tex[i] == '\\') {
            const gsize len = command_length(tex, (guint32) i);

            /* Markdown skips the words of \text alone, and no blank before them. */
            if (g_str_has_prefix(tex + i, "\\text{")) {
                const gsize end = skip_group(tex, i + len + 1);
                if (end == i + len + 1) {
                    fail_reading(self, "an unclosed { behind \\text");
                    break;
                }
                i = end - 1;
            } else {
                i += len;
            }
        } else if (tex[i] == '$') {
            if (i == 0 || g_ascii_isspace(tex[i - 1]) || g_ascii_isdigit(tex[i + 1]))
                fail_reading(self, "a dollar sign");
            return i;
        } else if (tex[i] == '\n' && tex[i + 1 + strspn(tex + i + 1, " \t\r")] == '\n') {
            fail_reading(self, "an empty line");
        }
    }
    return strlen(tex);
}

TgCrohmeElement *tg_crohme_read(TgArena *arena, const char *tex, const char **fault)
{
    static const TgParseOptions as_math = { .source = TG_SOURCE_MATH };
    Reader self = { .arena = arena, .source = tex };
    Element *formula = NULL;
    gsize len = markdown_length(&self);
    guint32 number = 0;

    if (len == 0)
        fail_reading(&self, "it is empty");
    else if (g_ascii_isspace(tex[0]) || g_ascii_isspace(tex[len - 1]))
        fail_reading(&self, "a blank at its beginning or end");
    g_autoptr(GError) error = NULL;
    g_autoptr(TgTree) tree =
        self.fault == NULL ? tg_tree_parse(self.source, len, &as_math, &error) : NULL;
    if (error != NULL)
        fail_reading(&self, "%s", error->message);
    if (tree != NULL) {
        self.tree = tree;
        self.source = tree->source;
        self.pieces = g_array_sized_new(FALSE, FALSE, sizeof(Piece), 64);
        check_source(&self);
        const TgParseError *errors = tree->errors;
        for (guint i = 0; i < tree->n_errors && self.fault == NULL; i++)
            if (is_minded(&self, &errors[i]))
                fail_reading(&self, "%s, column %u", errors[i].message, errors[i].column);
        formula = self.fault == NULL ? read_list(&self, tree->root, 0) : NULL;
        g_array_unref(self.pieces);
        if (self.fault == NULL && formula->kind == TG_CROHME_DELETED)
            fail_reading(&self, "nothing is left of it");
    }
    *fault = self.fault;
    return self.fault == NULL ? settle_element(formula, FALSE, &number) : NULL;
}
