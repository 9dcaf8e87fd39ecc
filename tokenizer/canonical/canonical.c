/* One spelling for formulas that draw alike: the table of rules, and the changes to the tree. */
#include "tokenizer/canonical/canonical.h"

#include <string.h>

#include "core/deadline.h"
#include "core/fail.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/macros/commands.h"
#include "tokenizer/macros/lexer.h"
#include "tokenizer/symbols/symbols.h"

/* The bits of TgCanonicalRules. */
typedef enum {
    TG_RULE_SYMBOLS,
    TG_RULE_INFIX,
    TG_RULE_GROUPS,
    TG_RULE_PRIMES,
    TG_RULE_LIMITS,
    TG_RULE_STYLES,
    TG_RULE_FENCES,
    TG_RULE_TEXT,
    TG_RULE_TAGS,
    TG_RULE_UNSEEN,
    TG_RULE_WORDS,
    TG_RULE_SPACES,
    TG_RULE_DELIMITERS,
    TG_RULE_COLORS,
    TG_N_CANONICAL_RULES,
} TgCanonicalRuleBit;

/* clang-format is off because it cuts strings after "\\n". */
/* clang-format off */
static const TgCanonicalRule rules_table[] = {
    [TG_RULE_SYMBOLS] = { "symbols", "\\le becomes \\leq, \\not= becomes \\neq, \\lvert becomes | where spaces stay", TRUE },
    [TG_RULE_INFIX] = { "infix", "a \\over b becomes \\frac{a}{b}; also \\choose, \\atop", TRUE },
    [TG_RULE_GROUPS] = { "groups", "remove braces that change nothing: {x}, {ab}, \\frac{{a}}{b}", TRUE },
    [TG_RULE_PRIMES] = { "primes", "x^{\\prime} is x'", TRUE },
    [TG_RULE_LIMITS] = { "limits", "remove \\limits and \\nolimits where they are the default", TRUE },
    [TG_RULE_STYLES] = { "styles", "remove styles that already apply: \\displaystyle, \\dfrac; {\\textstyle\\frac12} becomes \\tfrac", TRUE },
    [TG_RULE_FENCES] = { "fences",
                         "\\left(\\begin{array}{cc}..\\right) becomes pmatrix, \\left(x\\right) becomes (x) "
                         "where it is as high",
                         TRUE },
    [TG_RULE_TEXT] = { "text", "remove groups in text; ties and control spaces become spaces", TRUE },
    [TG_RULE_TAGS] = { "tags", "\\tag goes", TRUE },
    [TG_RULE_UNSEEN] = { "unseen",
                         "remove what does not show: \\phantom{}, \\kern0pt, x_{}, \\color{black}, space at the "
                         "ends, one-cell arrays, empty cells at the end of a row",
                         TRUE },
    [TG_RULE_WORDS] = { "words", "\\text{max}, \\mathop{\\rm max}\\nolimits become \\mathrm{max} or \\max; \\text{50\\%} becomes 50\\%",
                        TRUE },
    [TG_RULE_SPACES] = { "spaces", "remove explicit space: \\, \\quad ~ \\hspace", FALSE },
    [TG_RULE_DELIMITERS] = { "delimiters", "\\left( \\right) and \\big( become ( and )", FALSE },
    [TG_RULE_COLORS] = { "colors", "remove \\color and \\textcolor", FALSE },
};
/* clang-format on */

const TgCanonicalRule *tg_canonical_rules(guint *n)
{
    G_STATIC_ASSERT(G_N_ELEMENTS(rules_table) == TG_N_CANONICAL_RULES);
    *n = G_N_ELEMENTS(rules_table);
    return rules_table;
}

TgCanonicalRules tg_canonical_preset(void)
{
    TgCanonicalRules rules = 0;

    for (guint i = 0; i < G_N_ELEMENTS(rules_table); i++)
        rules |= rules_table[i].preset ? 1u << i : 0;
    return rules;
}

gboolean tg_canonical_parse_rules(const char *spec, TgCanonicalRules *rules, GError **error)
{
    const struct {
        const char *name;
        TgCanonicalRules rules;
    } starts[] = {
        { "default", tg_canonical_preset() },
        { "all", (1u << TG_N_CANONICAL_RULES) - 1 },
        { "none", 0 },
    };

    *rules = tg_canonical_preset();
    spec += strspn(spec, ", ");
    for (guint i = 0; i < G_N_ELEMENTS(starts); i++) {
        if (g_str_has_prefix(spec, starts[i].name) &&
            !g_ascii_isalpha(spec[strlen(starts[i].name)])) {
            *rules = starts[i].rules;
            spec += strlen(starts[i].name);
            break;
        }
    }
    for (spec += strspn(spec, ", "); *spec != '\0'; spec += strspn(spec, ", ")) {
        const gsize len = 1 + strcspn(spec + 1, ", +-");
        guint i = 0;

        while (i < G_N_ELEMENTS(rules_table) &&
               (strlen(rules_table[i].name) != len - 1 ||
                strncmp(rules_table[i].name, spec + 1, len - 1) != 0))
            i++;
        if ((*spec != '+' && *spec != '-') || i == G_N_ELEMENTS(rules_table))
            return tg_fail_usage(error,
                                 "unknown canonical rule '%.*s'; rules are written +name or -name",
                                 (int) len, spec);
        *rules = *spec == '+' ? *rules | 1u << i : *rules & ~(1u << i);
        spec += len;
    }
    return TRUE;
}

/* ---- The tree ------------------------------------------------------------------------------ */

/* The settings that hold where a node stands. */
typedef struct {
    guint8 style;    /* TgStyle */
    guint8 alphabet; /* the alphabet that holds when the result is read again */
    gboolean text;   /* words, not mathematics */
    gboolean part;   /* in a part of a construct, where \\ ends no row */
    /* in a part whose size matters: of a fraction, a root, between \left and \right */
    gboolean inner;
    guint32 rgb; /* color of ink */
} State;

/* A tree that is made canonical in place; the caller owns every node of it. */
typedef struct {
    TgTree *tree;
    TgCanonicalRules rules;
    const TgNode *words;       /* a box of words that is the whole formula, or NULL */
    const TgNode *undelimited; /* the last body that stood between \left and \right */
    State now;
} Writer;

static TgNode *write_node(Writer *self, TgNode *node);
static TgNode *write_children(Writer *self, TgNode *node);
static void write_symbol(Writer *self, TgNode *node);

static gboolean has_rule(const Writer *self, TgCanonicalRuleBit rule)
{
    return (self->rules & 1u << rule) != 0;
}

/* A node of the tree as one that may be changed. */
static TgNode *own_node(const TgNode *node)
{
    return (TgNode *) node;
}

/* A list being filled. */
typedef struct {
    Writer *writer;
    TgNode *list;
    TgNode *last;        /* its last item */
    TgNode *styled_last; /* last symbol of that item, if the item is a run in a font of its own */
    TgNode *edge;        /* its last item where braces of text began or ended */
    gboolean after_op;   /* its last atom is an operator, which brings spaces */
} ListBuilder;

/* ---- Properties ---------------------------------------------------------------------------- */

/* Whether braces around or before @node change nothing. Braces of \mathord are kept, and `{}`
 * before a script would be its nucleus. */
static gboolean is_plain_ord(const TgNode *node)
{
    if (node->kind == TG_NODE_SCRIPTS)
        return node->u.scripts.nucleus != NULL && is_plain_ord(node->u.scripts.nucleus);
    return node->kind != TG_NODE_CLASS && tg_node_class(node) == TG_CLASS_ORD;
}

/* Whether @node is a symbol of @class, which may have scripts. */
static gboolean is_of_class(const TgNode *node, TgMathClass class)
{
    return (node->kind == TG_NODE_SYMBOL || node->kind == TG_NODE_SCRIPTS) &&
           tg_node_class(node) == class;
}

/* Whether @node acts as an ordinary atom on the atom before it (@opens) or after it. An operator
 * before @node is not considered. */
static gboolean is_edge(const TgNode *node, gboolean opens)
{
    return is_plain_ord(node) || is_of_class(node, opens ? TG_CLASS_OPEN : TG_CLASS_CLOSE);
}

static gboolean is_empty_list(const TgNode *list)
{
    return list != NULL && list->u.list.first == NULL;
}

/* Whether @node has an empty script, which moves nothing but a script beside it; in a part whose
 * size matters it counts. */
static gboolean has_empty_script(const TgNode *node)
{
    return node->kind == TG_NODE_SCRIPTS &&
           (is_empty_list(node->u.scripts.sub) || is_empty_list(node->u.scripts.sup));
}

static gboolean has_filled_script(const TgNode *node)
{
    const TgNode *sub = node->u.scripts.sub, *sup = node->u.scripts.sup;

    return (sub != NULL && sub->u.list.first != NULL) || (sup != NULL && sup->u.list.first != NULL);
}

/* Whether the drawing of @group stays the same without its braces, unless an operator stands before
 * it: it begins and ends as an ordinary atom, (a+b), and no setting in it ends with the braces. */
static gboolean is_loose(const TgNode *group)
{
    const TgNode *first = group->u.list.first, *last = first;

    for (const TgNode *item = first; item != NULL; last = item, item = item->next)
        if (item->kind != TG_NODE_SPACE && item->kind != TG_NODE_SYMBOL &&
            item->kind != TG_NODE_OPERATOR && item->kind != TG_NODE_SCRIPTS && !is_plain_ord(item))
            return FALSE;
        else if (has_empty_script(item))
            return FALSE;
    return first != NULL && is_edge(first, TRUE) && is_edge(last, FALSE);
}

/* Whether a node is in another alphabet than the current one; accents have an alphabet as symbols
 * do. */
static gboolean has_own_alphabet(const Writer *self, const TgNode *node)
{
    return (node->kind == TG_NODE_SYMBOL || node->kind == TG_NODE_ACCENT) &&
           node->alphabet != self->now.alphabet && !self->now.text;
}

static gboolean is_styled(const Writer *self, const TgNode *list)
{
    return !self->now.text && tg_canonical_is_styled(list, self->now.alphabet);
}

/* ---- Spaces between atoms -------------------------------------------------------------------- */

static gboolean is_atom(const TgNode *node)
{
    return node->kind != TG_NODE_SPACE && node->kind != TG_NODE_STYLE &&
           node->kind != TG_NODE_SIZE && node->kind != TG_NODE_COLOR;
}

static const TgNode *next_atom(const TgNode *item)
{
    do
        item = item->next;
    while (item != NULL && !is_atom(item));
    return item;
}

/* Classes beside TgMathClass. TG_CLASS_NONE is here a class that is not known. */
enum { CLASS_OF_EDGE = TG_CLASS_NONE + 1 }; /* no atom: the list begins or ends */

static guint8 class_of(const TgNode *atom)
{
    if (atom == NULL)
        return CLASS_OF_EDGE;
    return atom->kind == TG_NODE_BIG ? atom->math_class : tg_node_class(atom);
}

/* Whether a Bin after an atom of class @before is an Ord, because it has nothing to join. */
static gboolean leaves_no_operand(guint8 before)
{
    return before == CLASS_OF_EDGE || before == TG_CLASS_BIN || before == TG_CLASS_OP ||
           before == TG_CLASS_REL || before == TG_CLASS_OPEN || before == TG_CLASS_PUNCT;
}

/* Whether a Bin before an atom of class @next is an Ord. */
static gboolean takes_no_operand(guint8 next)
{
    return next == CLASS_OF_EDGE || next == TG_CLASS_REL || next == TG_CLASS_CLOSE ||
           next == TG_CLASS_PUNCT;
}

/* The space between two atoms. Beside an atom of unknown class, another number for each class. */
static guint space_between(guint8 left, guint8 right, gboolean in_script)
{
    if (left == TG_CLASS_NONE || right == TG_CLASS_NONE)
        return 6 + (left == TG_CLASS_NONE ? right : left);
    if (left == CLASS_OF_EDGE || right == CLASS_OF_EDGE)
        return 0;
    return tg_class_space(left, right, in_script);
}

/* Whether TeX sets the same spaces around @item, which follows an atom of class @before, as an atom
 * of class @from and of class @to. */
static gboolean keeps_spaces(const TgNode *item, guint8 before, guint8 from, guint8 to,
                             gboolean in_script)
{
    const TgNode *next = next_atom(item);
    const guint8 after = next != NULL ? class_of(next_atom(next)) : CLASS_OF_EDGE;
    const guint8 classes[] = { from, to };
    guint spaces[2][2];

    for (guint i = 0; i < 2; i++) {
        guint8 left = before, right = class_of(next);

        if (left == TG_CLASS_BIN && takes_no_operand(classes[i]))
            left = TG_CLASS_ORD;
        if (right == TG_CLASS_BIN && (leaves_no_operand(classes[i]) || takes_no_operand(after)))
            right = TG_CLASS_ORD;
        else if (right == TG_CLASS_BIN && after == TG_CLASS_NONE)
            right = TG_CLASS_NONE;
        spaces[i][0] = space_between(left, classes[i], in_script);
        spaces[i][1] = space_between(classes[i], right, in_script);
    }
    return spaces[0][0] == spaces[1][0] && spaces[0][1] == spaces[1][1];
}

/* ---- Filling a list ------------------------------------------------------------------------ */

/* Make a node an empty list. */
static void clear_list(TgNode *list)
{
    list->next = NULL;
    list->kind = TG_NODE_LIST;
    list->token = TG_NO_TOKEN;
    memset(&list->u, 0, sizeof list->u);
}

/* An empty list in the place of @from. */
static TgNode *new_list(Writer *self, const TgNode *from)
{
    TgNode *list = tg_arena_alloc(&self->tree->arena, sizeof *list);

    *list = *from;
    clear_list(list);
    return list;
}

/* A list in braces that holds @item alone. */
static TgNode *new_group(Writer *self, TgNode *item)
{
    TgNode *group = new_list(self, item);

    group->u.list.braced = 1;
    group->u.list.first = item;
    group->u.list.n_items = 1;
    return group;
}

static TgNode *last_item(const TgNode *list)
{
    const TgNode *last = list->u.list.first;

    while (last != NULL && last->next != NULL)
        last = last->next;
    return own_node(last);
}

static void set_symbol(TgNode *node, const TgSymbol *symbol)
{
    node->u.symbol.symbol = symbol;
    node->u.symbol.code = symbol->codepoint;
    node->math_class = symbol->math_class;
}

static void link_item(ListBuilder *self, TgNode *node)
{
    if (self->last != NULL)
        self->last->next = node;
    else
        self->list->u.list.first = node;
    self->last = node;
    self->styled_last = NULL;
    self->list->u.list.n_items++;
    if (is_atom(node))
        self->after_op = tg_node_class(node) == TG_CLASS_OP;
}

/* Put a symbol that is in a font of its own into a group, together with neighbors in the same
 * font. */
static void add_styled(ListBuilder *self, TgNode *symbol)
{
    if (self->styled_last == NULL || self->styled_last->alphabet != symbol->alphabet) {
        link_item(self, new_group(self->writer, symbol));
    } else {
        self->styled_last->next = symbol;
        self->last->u.list.n_items++;
        self->last->end = MAX(self->last->end, symbol->end);
    }
    self->styled_last = symbol;
}

/* Join `\not` `=` to \neq. */
static gboolean join_not(ListBuilder *self, const TgNode *node)
{
    if (!has_rule(self->writer, TG_RULE_SYMBOLS) || !tg_node_is_symbol(self->last, "not") ||
        !tg_node_is_symbol(node, "="))
        return FALSE;
    set_symbol(self->last, tg_symbol_find("neq", 3));
    self->last->end = node->end;
    return TRUE;
}

/* Move a superscript of `{}` after a character to the character: in both places the style gives the
 * height. */
static gboolean join_script(ListBuilder *self, TgNode *node)
{
    const TgNode *nucleus = node->kind == TG_NODE_SCRIPTS ? node->u.scripts.nucleus : node;
    TgNode *last = self->last;

    if (!has_rule(self->writer, TG_RULE_GROUPS) || node->kind != TG_NODE_SCRIPTS ||
        node->u.scripts.sub != NULL || node->u.scripts.limits != TG_LIMITS_DEFAULT ||
        (nucleus != NULL && (nucleus->kind != TG_NODE_LIST || nucleus->u.list.first != NULL)) ||
        last == NULL || self->writer->now.text || last->kind != TG_NODE_SYMBOL ||
        (last->math_class != TG_CLASS_ORD && last->math_class != TG_CLASS_CLOSE))
        return FALSE;
    TgNode *character = tg_arena_alloc(&self->writer->tree->arena, sizeof *character);
    *character = *last;
    node->u.scripts.nucleus = character;
    node->start = last->start;
    *last = *node;
    last->next = NULL;
    return TRUE;
}

/* Join the signs of text that TeX's fonts join, !` to the inverted mark. Braces that went away kept
 * signs apart: f{}i stays two letters. */
static gboolean join_signs(ListBuilder *self, const TgNode *node)
{
    TgNode *last = self->last;

    if (!has_rule(self->writer, TG_RULE_TEXT) || node->kind != TG_NODE_CHAR ||
        node->u.character.named || last == NULL || last->kind != TG_NODE_CHAR ||
        last->u.character.named || node->u.character.font.family == TG_FAMILY_TT ||
        memcmp(&last->u.character.font, &node->u.character.font, sizeof(TgTextFont)) != 0)
        return FALSE;
    const gunichar before = last->u.character.code, code = node->u.character.code;
    const gunichar joined = code == '`' && before == '!'   ? 0xA1
                            : code == '`' && before == '?' ? 0xBF
                                                           : tg_text_ligature(before, code);
    if (last == self->edge &&
        (joined != 0 || (before == 'f' && (code == 'f' || code == 'i' || code == 'l')))) {
        TgNode *group = new_list(self->writer, node);
        group->u.list.braced = 1;
        link_item(self, group);
        return FALSE;
    }
    if (joined == 0)
        return FALSE;
    last->u.character.code = joined;
    last->end = node->end;
    return TRUE;
}

static gboolean is_quad(const TgNode *node, guint n)
{
    return node->kind == TG_NODE_SPACE && node->u.space.amount.unit == TG_UNIT_EM &&
           node->u.space.amount.value == (gint32) n << 16 && node->u.space.amount.fil == 0 &&
           !node->u.space.kern && !node->u.space.vertical && !node->u.space.nonscript;
}

/* Join \quad \quad to \qquad; a \quad that is left over goes to the end. */
static gboolean join_quads(ListBuilder *self, TgNode *node)
{
    TgNode *last = self->last;

    if (!has_rule(self->writer, TG_RULE_UNSEEN) || self->writer->now.text || last == NULL ||
        !is_quad(last, 1) || (!is_quad(node, 1) && !is_quad(node, 2)))
        return FALSE;
    last->u.space.amount.value = 2 << 16;
    if (is_quad(node, 2)) {
        node->u.space.amount.value = 1 << 16;
        link_item(self, node);
    } else {
        last->end = node->end;
    }
    return TRUE;
}

static void add_item(ListBuilder *self, TgNode *node);

static void add_items(ListBuilder *self, const TgNode *list)
{
    for (TgNode *item = own_node(list->u.list.first), *next; item != NULL; item = next) {
        next = own_node(item->next);
        item->next = NULL;
        add_item(self, item);
    }
}

static void add_item(ListBuilder *self, TgNode *node)
{
    const TgNode *first = node->kind == TG_NODE_LIST ? node->u.list.first : NULL;

    if (first != NULL && self->after_op && is_of_class(first, TG_CLASS_OPEN) &&
        node != self->writer->undelimited) /* because \sin{(x)} has a space */
        node->u.list.braced = 1;
    if (node->kind == TG_NODE_LIST && (!node->u.list.braced || is_styled(self->writer, node))) {
        self->edge = self->writer->now.text ? self->last : NULL;
        add_items(self, node);
        self->edge = self->writer->now.text ? self->last : NULL;
    } else if (has_own_alphabet(self->writer, node)) {
        add_styled(self, node);
    } else if (!join_not(self, node) && !join_script(self, node) && !join_signs(self, node) &&
               !join_quads(self, node)) {
        link_item(self, node);
    }
}

/* ---- Items that do not show ------------------------------------------------------------------ */

/* Whether an atom without ink beside @node leaves the spaces unchanged, because there are no spaces
 * between Ord, Open and Close. */
static gboolean is_quiet(const TgNode *node)
{
    return node == NULL || is_edge(node, TRUE) || is_edge(node, FALSE);
}

/* Whether @node is an atom without ink and width. In a part whose size matters, it must also have
 * no height. */
static gboolean is_empty_atom(const Writer *self, const TgNode *node)
{
    const TgNode *body;

    switch ((TgNodeKind) node->kind) {
    case TG_NODE_LIST:
        return node->u.list.first == NULL;
    case TG_NODE_TEXT: /* \null */
        return node->u.text.body->u.list.first == NULL && !node->u.text.has_width;
    case TG_NODE_PHANTOM:
        body = node->u.phantom.body;
        return (node->u.phantom.flags & TG_PHANTOM_NO_INK) != 0 &&
               (body->u.list.first == NULL ||
                ((node->u.phantom.flags & TG_PHANTOM_NO_WIDTH) != 0 && !self->now.inner));
    case TG_NODE_RULE:
        return !self->now.inner &&
               (node->u.rule.form == TG_RULE_STRUT ||
                (node->u.rule.form == TG_RULE_RULE && node->u.rule.width.value == 0));
    default:
        return FALSE;
    }
}

/* Whether @node, which has one neighbor or none, shows nothing at an end of the formula. */
static gboolean is_unseen_at_end(const TgNode *node, const TgNode *beside)
{
    return node->kind == TG_NODE_SPACE || node->kind == TG_NODE_BREAK ||
           (node->kind == TG_NODE_PHANTOM && (node->u.phantom.flags & TG_PHANTOM_NO_INK) != 0 &&
            is_quiet(beside));
}

/* Whether the letters of two neighbors make a ligature: \mathit{f{}f} has none. */
static gboolean makes_ligature(const TgNode *before, const TgNode *next)
{
    const TgNode *last = before, *first = next;

    if (last != NULL && last->kind == TG_NODE_LIST)
        last = last_item(last);
    if (first != NULL && first->kind == TG_NODE_LIST)
        first = first->u.list.first;
    return tg_node_is_symbol(last, "f") && last->alphabet != TG_ALPHABET_DEFAULT &&
           (tg_node_is_symbol(first, "f") || tg_node_is_symbol(first, "i") ||
            tg_node_is_symbol(first, "l"));
}

/* Whether @item between two neighbors in mathematics neither shows nor moves anything. */
static gboolean is_unseen(const Writer *self, const TgNode *item, const TgNode *before,
                          const TgNode *next)
{
    if (item->kind == TG_NODE_SPACE)
        return item->u.space.amount.value == 0 && item->u.space.amount.fil == 0 &&
               !item->u.space.vertical;
    return is_empty_atom(self, item) && is_quiet(before) && is_quiet(next) &&
           !makes_ligature(before, next);
}

/* Whether @item is `{}` beside an ordinary atom, because the atom on its other side has the same
 * space without it. */
static gboolean is_spare_group(G_GNUC_UNUSED const Writer *self, const TgNode *item,
                               const TgNode *before, const TgNode *next)
{
    return item->kind == TG_NODE_LIST && item->u.list.first == NULL &&
           !makes_ligature(before, next) &&
           ((before != NULL && is_edge(before, FALSE)) || (next != NULL && is_plain_ord(next)));
}

/* Remove the items that @drops names, from left to right. The number of items is counted anew when
 * the list is filled. */
static void drop_items(const Writer *self, TgNode *list,
                       gboolean (*drops)(const Writer *, const TgNode *, const TgNode *,
                                         const TgNode *))
{
    TgNode *before = NULL, *next;

    for (TgNode *item = own_node(list->u.list.first); item != NULL; item = next) {
        next = own_node(item->next);
        if (!drops(self, item, before, next))
            before = item;
        else if (before != NULL)
            before->next = next;
        else
            list->u.list.first = next;
    }
}

/* Remove what does not show at both ends of the whole formula, as spaces. FALSE when nothing is
 * removed. */
static gboolean trim_formula(TgNode *list)
{
    const TgNode *first = list->u.list.first, *before = NULL;
    TgNode *last = NULL;

    while (first != NULL && is_unseen_at_end(first, first->next))
        first = first->next;
    for (const TgNode *item = first; item != NULL; before = item, item = item->next)
        if (!is_unseen_at_end(item, before))
            last = own_node(item);
    if (first == list->u.list.first && (last == NULL ? first : last->next) == NULL)
        return FALSE;
    list->u.list.first = last != NULL ? first : NULL;
    if (last != NULL)
        last->next = NULL;
    return TRUE;
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* The alphabet whose letters look like the letters of the text font @font, or
 * TG_ALPHABET_DEFAULT. */
static guint8 alphabet_of_text(TgTextFont font)
{
    if (font.size != TG_SIZE_NORMAL || font.family != TG_FAMILY_RM)
        return TG_ALPHABET_DEFAULT;
    if (font.shape == TG_SHAPE_UP)
        return font.bold ? TG_ALPHABET_BF : TG_ALPHABET_RM;
    return font.shape == TG_SHAPE_IT && !font.bold ? TG_ALPHABET_IT : TG_ALPHABET_DEFAULT;
}

static gboolean holds_formula(const TgNode *words)
{
    for (const TgNode *item = words->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_MATH)
            return TRUE;
    }
    return FALSE;
}

/* The symbol of a character of text: of a letter, of a sign with a command such as \%; or NULL. */
static const TgSymbol *symbol_of_text(gunichar code)
{
    const char name = (char) code;
    const TgSymbol *symbol = tg_symbol_find_char(code);

    return symbol == NULL && code < 0x80 && strchr("#$%&", name) != NULL ? tg_symbol_find(&name, 1)
                                                                         : symbol;
}

/* Whether the words consist of letters and digits, in a font that a math alphabet has, and of
 * upright signs that no alphabet changes: \%, or Chinese characters. */
static gboolean is_plain_word(const TgNode *body)
{
    for (const TgNode *item = body->u.list.first; item != NULL; item = item->next) {
        if (item->kind != TG_NODE_CHAR)
            return FALSE;
        const gunichar code = item->u.character.code;
        const guint8 alphabet = alphabet_of_text(item->u.character.font);
        const gboolean is_letter = code < 0x80 && g_ascii_isalnum((char) code);
        const gboolean is_sign = code < 0x80 ? code != 0 && strchr("#$%&", (int) code) != NULL
                                             : g_unichar_iswide(code) && !symbol_of_text(code);
        if (is_letter ? alphabet == TG_ALPHABET_DEFAULT : !is_sign || alphabet != TG_ALPHABET_RM)
            return FALSE;
    }
    return body->u.list.first != NULL;
}

/* Turn \text{max} into the letters \mathrm{max}. */
static TgNode *letters_of_word(Writer *self, TgNode *text)
{
    TgNode *body = own_node(text->u.text.body);

    for (TgNode *item = own_node(body->u.list.first); item != NULL; item = own_node(item->next)) {
        const gunichar code = item->u.character.code;
        const TgTextFont font = item->u.character.font;
        const TgSymbol *symbol = symbol_of_text(code);

        item->kind = TG_NODE_SYMBOL;
        memset(&item->u, 0, sizeof item->u);
        item->u.symbol.symbol = symbol;
        item->u.symbol.code = code;
        item->math_class = TG_CLASS_ORD;
        item->alphabet = alphabet_of_text(font);
        item->bold = 0;
        write_symbol(self, item);
    }
    body->u.list.braced = !has_rule(self, TG_RULE_GROUPS) || !is_loose(body);
    body->next = NULL;
    return body;
}

/* Whether a list consists of upright letters, like the body of an operator. */
static gboolean is_operator_name(const TgNode *body)
{
    for (const TgNode *item = body->u.list.first; item != NULL; item = item->next)
        if (item->kind != TG_NODE_SYMBOL || item->alphabet != TG_ALPHABET_RM ||
            item->u.symbol.code >= 0x80 || !g_ascii_isalpha((char) item->u.symbol.code))
            return FALSE;
    return body->u.list.first != NULL;
}

/* ---- Rules of lists ------------------------------------------------------------------------ */

static gboolean is_operator(const TgNode *node)
{
    return node != NULL && tg_node_class(node) == TG_CLASS_OP;
}

/* Drop braces around one sign, {+}, in scripts, because only operators have spaces there; join
 * three stops to an ellipsis. */
static void tidy_script(const Writer *self, TgNode *list)
{
    TgNode *before = NULL;

    for (TgNode *item = own_node(list->u.list.first); item != NULL;
         before = item, item = own_node(item->next)) {
        const TgNode *only = item->kind == TG_NODE_LIST ? tg_list_only(item, TG_NODE_SYMBOL) : NULL;
        const TgNode *third = item->next != NULL ? item->next->next : NULL;

        if (only != NULL && !is_styled(self, item) && !is_operator(only) && !is_operator(before) &&
            !is_operator(item->next)) {
            const TgNode *next = item->next;
            *item = *only;
            item->next = next;
        } else if (tg_node_is_symbol(item, ".") && tg_node_is_symbol(item->next, ".") &&
                   tg_node_is_symbol(third, ".") && !tg_node_is_symbol(third->next, ".")) {
            set_symbol(item, tg_symbol_find("ldots", 5));
            item->end = third->end;
            item->next = third->next;
        }
    }
}

/* Take the second pair of braces off a list that consists of one group. */
static void lift_only_group(const Writer *self, TgNode *list)
{
    const TgNode *only;

    while ((only = tg_list_only(list, TG_NODE_LIST)) != NULL && !is_styled(self, only))
        list->u.list.first = only->u.list.first;
}

/* The ordinary symbol that looks like the bar @node, which opens or closes; or NULL. */
static const TgSymbol *plain_bar(const TgNode *node)
{
    if (tg_node_is_symbol(node, "lvert") || tg_node_is_symbol(node, "rvert"))
        return tg_symbol_find_char('|');
    if (tg_node_is_symbol(node, "lVert") || tg_node_is_symbol(node, "rVert"))
        return tg_symbol_find("Vert", 4);
    return NULL;
}

/* Where another class brings no other space: write \lvert as |, and take braces off
 * {\left..\right}. */
static void simplify_classes(const Writer *self, TgNode *list)
{
    gboolean in_script = self->now.style > TG_STYLE_TEXT;
    guint8 before = CLASS_OF_EDGE;

    for (TgNode *item = own_node(list->u.list.first); item != NULL; item = own_node(item->next)) {
        const TgNode *next = item->next;

        if (item->kind == TG_NODE_STYLE)
            in_script = item->u.change.style > TG_STYLE_TEXT;
        if (!is_atom(item))
            continue;
        TgNode *nucleus = item->kind == TG_NODE_SCRIPTS && item->u.scripts.nucleus != NULL
                              ? own_node(item->u.scripts.nucleus)
                              : item;
        const TgSymbol *bar = plain_bar(nucleus);
        const TgNode *inner =
            nucleus->kind == TG_NODE_LIST ? tg_list_only(nucleus, TG_NODE_DELIMITED) : NULL;
        if (bar != NULL && has_rule(self, TG_RULE_SYMBOLS) &&
            keeps_spaces(item, before, class_of(item), TG_CLASS_ORD, in_script)) {
            set_symbol(nucleus, bar);
        } else if (inner != NULL && has_rule(self, TG_RULE_GROUPS) &&
                   keeps_spaces(item, before, TG_CLASS_ORD, TG_CLASS_INNER, in_script)) {
            *nucleus = *inner;
            item->next = next;
        }
        const guint8 class = class_of(item);
        if (class != TG_CLASS_BIN)
            before = class;
        else if (before != TG_CLASS_NONE)
            before = leaves_no_operand(before) ? TG_CLASS_ORD : TG_CLASS_BIN;
    }
}

/* Whether @item is an italic correction that no ligature needs: f\/i is two signs. */
static gboolean is_spare_correction(const TgNode *item, const TgNode *next)
{
    const gunichar code = next != NULL && next->kind == TG_NODE_CHAR ? next->u.character.code : 0;

    return item->kind == TG_NODE_SPACE && item->u.space.amount.unit == TG_UNIT_ITALIC &&
           code != 'f' && code != 'i' && code != 'l';
}

/* Whether all of @list is in the style of scripts. */
static gboolean is_script(const Writer *self, const TgNode *list)
{
    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next)
        if (item->kind == TG_NODE_STYLE)
            return FALSE;
    return self->now.style == TG_STYLE_SCRIPT || self->now.style == TG_STYLE_SCRIPTSCRIPT;
}

/* Turn a list \textstyle\frac12 into \tfrac12. */
static void join_style(TgNode *list)
{
    const TgNode *style = list->u.list.first;
    TgNode *fraction = style != NULL ? own_node(style->next) : NULL;

    if (fraction == NULL || fraction->next != NULL || style->kind != TG_NODE_STYLE ||
        style->u.change.style > TG_STYLE_TEXT || fraction->kind != TG_NODE_FRACTION ||
        fraction->u.fraction.form != TG_FRACTION_FRAC ||
        fraction->u.fraction.style != TG_STYLE_INHERIT)
        return;
    fraction->u.fraction.style = style->u.change.style;
    list->u.list.first = fraction;
    list->u.list.n_items = 1;
}

/* Fill @list with the items of @from, so that neighbors are joined. */
static void fill_list(Writer *self, TgNode *list, TgNode from)
{
    ListBuilder builder = { .writer = self, .list = list };

    list->u.list.n_items = 0;
    list->u.list.first = NULL;
    add_items(&builder, &from);
}

/* Drop what does not show from a list whose items are canonical. An item that is dropped or loses
 * its braces may make neighbors that are joined, and so on. */
static void tidy_list(Writer *self, TgNode *list)
{
    guint32 n;

    if (self->now.text)
        return;
    do {
        n = list->u.list.n_items;
        simplify_classes(self, list);
        if (has_rule(self, TG_RULE_UNSEEN))
            drop_items(self, list, is_unseen);
        if (has_rule(self, TG_RULE_GROUPS)) {
            drop_items(self, list, is_spare_group);
            lift_only_group(self, list);
            if (is_script(self, list))
                tidy_script(self, list);
        }
        if (has_rule(self, TG_RULE_STYLES))
            join_style(list);
        fill_list(self, list, *list);
    } while (list->u.list.n_items != n);
    const TgNode *name = tg_list_only(list, TG_NODE_OPERATOR);
    if (has_rule(self, TG_RULE_WORDS) && name != NULL && is_operator_name(name->u.op.body))
        /* an operator without neighbors is drawn as its letters */
        fill_list(self, list, *name->u.op.body);
}

static TgNode *write_list(Writer *self, const TgNode *list)
{
    const guint8 style = self->now.style;
    const guint32 rgb = self->now.rgb;
    ListBuilder builder = { .writer = self, .list = own_node(list) };

    if (list == NULL)
        return NULL;
    const gboolean braced = list->u.list.braced;
    TgNode *next, *item = own_node(list->u.list.first);
    clear_list(builder.list);
    builder.list->u.list.braced = braced;
    for (; item != NULL; item = next) {
        next = own_node(item->next);
        item->next = NULL;
        if (item->kind == TG_NODE_BREAK && (braced || self->now.part) && !self->now.text &&
            has_rule(self, TG_RULE_UNSEEN)) /* \\ here ends no row and is invisible in one line */
            continue;
        if (has_rule(self, TG_RULE_TEXT) && is_spare_correction(item, next))
            continue;
        TgNode *node = write_node(self, item);
        if (node != NULL && node->kind == TG_NODE_OPERATOR && has_rule(self, TG_RULE_WORDS)) {
            /* without scripts: the limits of the command with the same letters */
            const TgSymbol *symbol = tg_canonical_operator(node);
            const gboolean has_limits =
                symbol != NULL && (symbol->flags & TG_SYMBOL_NO_LIMITS) == 0;
            node->u.op.limits = has_limits ? TG_LIMITS_DISPLAY : TG_LIMITS_OFF;
        }
        if (node != NULL)
            add_item(&builder, node);
    }
    self->now.style = style;
    self->now.rgb = rgb;
    tidy_list(self, builder.list);
    return builder.list;
}

/* Whether the braces of a group of text are needed: a switch ends with them, or they keep a
 * space. */
static gboolean needs_braces(const TgNode *list)
{
    if (list->u.list.first == NULL) /* f{}i has no ligature */
        return TRUE;
    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        const gboolean at_end = item == list->u.list.first || item->next == NULL;

        if (item->kind == TG_NODE_SIZE || item->kind == TG_NODE_COLOR ||
            (item->kind == TG_NODE_SPACE && at_end))
            return TRUE;
    }
    return FALSE;
}

/* Remove a change of style from a group that has nothing else, {\textstyle}. */
static void drop_lone_styles(TgNode *group)
{
    const TgNode *item = group->u.list.first;

    while (item != NULL && item->kind == TG_NODE_STYLE)
        item = item->next;
    if (item == NULL) {
        group->u.list.first = NULL;
        group->u.list.n_items = 0;
    }
}

/* Turn {\color{red}x} into \textcolor{red}{x}, which makes a group, too. */
static gboolean close_color(Writer *self, TgNode *group)
{
    TgNode *color = own_node(group->u.list.first);

    if (self->now.text || color == NULL || color->kind != TG_NODE_COLOR ||
        color->u.color.body != NULL || color->next == NULL)
        return FALSE;
    TgNode *body = new_list(self, color);
    body->u.list.first = color->next;
    tidy_list(self, body);
    color->u.color.body = body;
    color->next = NULL;
    group->u.list.n_items = 1;
    return TRUE;
}

static TgNode *write_group(Writer *self, const TgNode *from)
{
    TgNode *group = write_list(self, from);

    if (has_rule(self, TG_RULE_GROUPS) && close_color(self, group)) {
        group->u.list.braced = 0;
        return group;
    }
    if (has_rule(self, TG_RULE_STYLES))
        drop_lone_styles(group);

    if (self->now.text)
        group->u.list.braced = !has_rule(self, TG_RULE_TEXT) || needs_braces(group);
    else
        group->u.list.braced = !has_rule(self, TG_RULE_GROUPS) || !is_loose(group);
    return group;
}

/* Whether the only item of a group may carry scripts without the braces. */
static gboolean carries_scripts(const TgNode *node)
{
    if (node->kind == TG_NODE_ACCENT) /* because TeX sets accents of accents in another way */
        return node->u.accent.base->u.list.first == NULL ||
               node->u.accent.base->u.list.first->kind != TG_NODE_ACCENT;
    return node->kind == TG_NODE_SYMBOL || node->kind == TG_NODE_LIST ||
           node->kind == TG_NODE_FRACTION || node->kind == TG_NODE_TEXT ||
           (node->kind == TG_NODE_COLOR && node->u.color.body != NULL);
}

static const TgNode *write_nucleus(Writer *self, TgNode *nucleus, const TgNode *scripts)
{
    ListBuilder builder = { .writer = self, .list = new_list(self, scripts) };
    const gboolean group = nucleus == NULL || nucleus->kind == TG_NODE_LIST;
    const gboolean inner = self->now.inner;
    /* because the height of a box sets the height of its scripts */
    self->now.inner |= group || nucleus->kind == TG_NODE_COLOR;
    TgNode *node = nucleus != NULL ? write_node(self, nucleus) : NULL;
    self->now.inner = inner;

    if (node != NULL)
        add_item(&builder, node);

    const TgNode *only = builder.list->u.list.first;
    if (only != NULL && only->next == NULL && (!group || carries_scripts(only)))
        return only;
    builder.list->u.list.braced = 1;
    return builder.list;
}

/* ---- Arrays: the same rows, their parts made canonical --------------------------------------- */

static void write_columns(Writer *self, const TgColumnItem *items, guint32 n)
{
    for (guint32 i = 0; i < n; i++)
        write_list(self, items[i].material);
}

/* Keep a space that was a tie, because a plain space would be lost at the end of a cell of text. */
static void keep_tie(TgNode *item)
{
    if (tg_node_is_blank(item))
        item->u.space.interword = TG_INTERWORD_TIE;
}

/* Whether empty cells at the ends of rows are invisible: no lines stand beside them, and some row
 * fills the last column. */
static gboolean has_open_ends(const TgArray *array)
{
    guint32 most = 0, filled = 0;

    for (guint32 i = 0; i < array->n_column_items; i++)
        if (array->columns[i].kind != TG_COLUMN_CELL)
            return FALSE;
    for (guint32 r = 0; r < array->n_rows; r++) {
        const TgRow *row = &array->rows[r];

        most = MAX(most, row->n_cells);
        for (guint32 k = 0; k < row->n_cells; k++)
            if (row->cells[k].content->u.list.first != NULL || row->cells[k].columns != NULL)
                filled = MAX(filled, k + 1);
    }
    return filled == most;
}

static void write_array(Writer *self, const TgArray *array)
{
    if (array->n_rows == 1 && array->environment == TG_ENV_ARRAY && has_rule(self, TG_RULE_UNSEEN))
        for (guint32 i = 0; i < array->n_column_items; i++) {
            TgColumnItem *item = (TgColumnItem *) &array->columns[i]; /* the caller owns it */
            if (item->kind == TG_COLUMN_CELL && (item->align == 'l' || item->align == 'r'))
                item->align = 'c'; /* in a single cell all alignments are equal */
        }
    const gboolean open_ends = has_open_ends(array);
    self->now.style = tg_style_of_cells(array);
    self->now.inner = TRUE;
    write_columns(self, array->columns, array->n_column_items);
    for (guint32 r = 0; r < array->n_rows; r++) {
        TgRow *row = (TgRow *) &array->rows[r]; /* the caller owns all of it */

        for (guint32 i = 0; i < row->n_cells; i++) {
            TgCell *cell = (TgCell *) &row->cells[i];
            const TgNode *box = tg_list_only(cell->content, TG_NODE_TEXT);

            if (i > 0 && box != NULL && array->environment == TG_ENV_CASES &&
                g_str_has_suffix(array->name, "*")) { /* cases* makes this box around the words */
                cell->content = box->u.text.body;
                cell->text = 1;
            }
            write_columns(self, cell->columns, cell->n_columns);
            self->now.text = cell->text;
            write_list(self, cell->content);
            if (cell->text) {
                keep_tie(own_node(cell->content->u.list.first));
                keep_tie(last_item(cell->content));
            }
        }
        if (!has_rule(self, TG_RULE_UNSEEN))
            continue;
        while (row->n_cells > 1 && row->cells[row->n_cells - 1].columns == NULL && open_ends &&
               row->cells[row->n_cells - 1].content->u.list.first == NULL)
            row->n_cells--;
        if (r + 1 == array->n_rows && array->n_between == 0 && row->gap.value == 0)
            row->ended = 0;
    }
    self->now.text = array->text;
}

/* ---- Symbols and operators ----------------------------------------------------------------- */

/* Whether the alphabet of @node changes its look in its new place. */
static gboolean is_changed(const Writer *self, const TgNode *node, const TgSymbol *symbol)
{
    const gboolean upright_here =
        self->now.alphabet == TG_ALPHABET_DEFAULT || self->now.alphabet == TG_ALPHABET_RM;
    const gboolean upright =
        node->alphabet == TG_ALPHABET_DEFAULT || node->alphabet == TG_ALPHABET_RM;

    if (symbol == NULL) /* \i, \o and other characters of text are upright */
        return node->alphabet == TG_ALPHABET_RM && tg_command_of_text(node->u.symbol.code);
    if ((symbol->flags & TG_SYMBOL_ALPHABETIC) == 0)
        return FALSE;
    return symbol->family != TG_MATH_FAMILY_ROMAN || !upright || !upright_here;
}

static void write_symbol(Writer *self, TgNode *node)
{
    const TgSymbol *symbol = node->u.symbol.symbol;

    if (node->bold == 2)
        node->bold = 0;
    if (!is_changed(self, node, symbol))
        node->alphabet = self->now.alphabet;
    if (symbol != NULL && has_rule(self, TG_RULE_SYMBOLS)) {
        node->u.symbol.symbol = tg_symbol_canonical(symbol);
        if (node->u.symbol.symbol != symbol)
            node->u.symbol.code = node->u.symbol.symbol->codepoint;
    }
}

/* Write \dag and \ddag as {\dagger} and {\ddagger}, which LaTeX makes of them. */
static TgNode *write_dagger(Writer *self, TgNode *node)
{
    const gboolean is_double = tg_node_is_symbol(node, "ddag");

    if (!has_rule(self, TG_RULE_SYMBOLS) || (!is_double && !tg_node_is_symbol(node, "dag")))
        return node;
    set_symbol(node, is_double ? tg_symbol_find("ddagger", 7) : tg_symbol_find("dagger", 6));
    node->next = NULL;
    return new_group(self, node);
}

static TgNode *write_delimiter(Writer *self, TgNode *delimiter)
{
    if (delimiter == NULL)
        return NULL;
    const gunichar code = delimiter->u.symbol.code;
    const TgSymbol *bar = plain_bar(delimiter);
    if (bar != NULL && has_rule(self, TG_RULE_SYMBOLS)) /* \left sets the class */
        set_symbol(delimiter, bar);
    write_symbol(self, delimiter);
    delimiter->u.symbol.code = code; /* keep an angle as an angle */
    delimiter->alphabet = self->now.alphabet;
    return delimiter;
}

/* A delimiter of any size, as an ordinary symbol. */
static TgNode *plain_delimiter(Writer *self, const TgNode *from)
{
    TgNode *delimiter = write_delimiter(self, own_node(from));

    if (delimiter == NULL)
        return NULL;
    const char *name = delimiter->u.symbol.symbol->name;
    if (strcmp(name, "<") == 0 || strcmp(name, ">") == 0)
        set_symbol(delimiter, tg_symbol_find(name[0] == '<' ? "langle" : "rangle", 6));
    delimiter->math_class = delimiter->u.symbol.symbol->math_class;
    return delimiter;
}

/* ---- Children by the table of fields --------------------------------------------------------- */

static const TgNode *write_child(Writer *self, const TgNode *parent, const TgNodeField *field)
{
    const TgContent content = (TgContent) field->content;
    TgNode *child = own_node(tg_node_child(parent, field));
    const State around = self->now;
    const TgNode *box;

    switch (content) {
    case TG_CONTENT_DELIMITER:
        return write_delimiter(self, child);
    case TG_CONTENT_NUCLEUS:
        return write_nucleus(self, child, parent);
    case TG_CONTENT_WORDS:
        self->now.text = TRUE;
        break;
    case TG_CONTENT_BOX:
        box = child->kind == TG_NODE_LIST ? tg_list_only(child, TG_NODE_TEXT) : NULL;
        if (parent->kind != TG_NODE_ENCLOSE && box != NULL && box->u.text.shape == NULL)
            child = own_node(box);         /* \rlap{\text{a}} is \rlap{a}; \boxed needs \text */
        if (child->kind == TG_NODE_TEXT) { /* a box of words stays a box */
            write_children(self, child);
            self->now = around;
            return child;
        }
        /* fall through */
    default:
        self->now.style = tg_style_of_child(parent, content, (TgRole) field->role, self->now.style);
        self->now.inner |= parent->kind != TG_NODE_SCRIPTS && parent->kind != TG_NODE_COLOR;
        self->now.text &= parent->kind == TG_NODE_COLOR; /* \overline in text has a formula */
        self->now.part |= parent->kind != TG_NODE_DELIMITED;
    }
    write_list(self, child);
    self->now = around;
    return child;
}

/* Make the children canonical. */
static TgNode *write_children(Writer *self, TgNode *node)
{
    const guint8 around = self->now.alphabet;

    for (const TgNodeField *field = tg_node_kinds[node->kind].fields;
         field->type != TG_NODE_FIELD_END; field++)
        if (field->type == TG_NODE_FIELD_CHILD) {
            /* The index of a root is a formula of its own. */
            if (field->offset == G_STRUCT_OFFSET(TgNode, u.radical.index) &&
                node->kind == TG_NODE_RADICAL)
                self->now.alphabet = TG_ALPHABET_DEFAULT;
            *(const TgNode **) (gpointer) ((guint8 *) node + field->offset) =
                write_child(self, node, field);
            self->now.alphabet = around;
        }
    return node;
}

/* ---- Delimiters ---------------------------------------------------------------------------- */

/* Pairs of fences for which an environment exists, by their canonical symbols. */
static const struct {
    const char *left, *right, *name;
} fences[] = {
    { "(", ")", "pmatrix" }, { "[", "]", "bmatrix" },       { "{", "}", "Bmatrix" },
    { "|", "|", "vmatrix" }, { "Vert", "Vert", "Vmatrix" },
};

/* The name that stands for the symbol @node, which may be NULL, in canonical forms. */
static const char *canonical_name(const TgNode *node)
{
    return node != NULL ? tg_symbol_canonical(node->u.symbol.symbol)->name : "";
}

/* Whether the columns of @array from item @from to before item @end are centered cells, and nothing
 * is drawn between rows. */
static gboolean is_centered(const TgArray *array, guint32 from, guint32 end)
{
    for (guint32 i = from; i < end; i++)
        if (array->columns[i].kind != TG_COLUMN_CELL || array->columns[i].align != 'c')
            return FALSE;
    return array->n_between == 0 && array->align == 'c';
}

/* Whether a column item is @{}. */
static gboolean is_no_space(const TgColumnItem *item)
{
    return item->kind == TG_COLUMN_AT && item->material->u.list.first == NULL;
}

/* Name {array}{@{}cc@{}} matrix and {subarray}{c} \substack. */
static void name_array(TgArray *array)
{
    const TgColumnItem *items = array->columns;
    const guint32 n = array->n_column_items;

    if (array->environment == TG_ENV_SUBARRAY && n == 1 && items[0].align == 'c')
        array->name = "substack";
    if (array->environment != TG_ENV_ARRAY || strcmp(array->name, "array") != 0 || n < 3 ||
        n > 10 + 2 || array->n_rows == 0 || array->rows[0].n_cells != n - 2 || array->text ||
        array->left != NULL || array->right != NULL || !is_no_space(&items[0]) ||
        !is_no_space(&items[n - 1]) || !is_centered(array, 1, n - 1))
        return;
    array->name = "matrix";
    array->environment = TG_ENV_MATRIX;
    array->n_column_items = 0;
}

/* Turn \left(\begin{matrix}..\end{matrix}\right) into one node of pmatrix, or return NULL. */
static TgNode *fenced_matrix(const Writer *self, const TgNode *node)
{
    TgNode *matrix = own_node(tg_list_only(node->u.delimited.body, TG_NODE_ARRAY));

    if (!has_rule(self, TG_RULE_FENCES) || matrix == NULL)
        return NULL;
    TgArray *array = (TgArray *) matrix->u.array;
    if (!(strcmp(array->name, "matrix") == 0 && array->environment == TG_ENV_MATRIX) &&
        !(strcmp(array->name, "array") == 0 && is_centered(array, 0, array->n_column_items)))
        return NULL;
    for (guint i = 0; i < G_N_ELEMENTS(fences); i++) {
        if (strcmp(canonical_name(node->u.delimited.left), fences[i].left) != 0 ||
            strcmp(canonical_name(node->u.delimited.right), fences[i].right) != 0)
            continue;
        array->name = fences[i].name;
        array->environment = TG_ENV_MATRIX;
        array->n_column_items = 0;
        array->left = node->u.delimited.left;
        array->right = node->u.delimited.right;
        matrix->start = node->start;
        matrix->end = node->end;
        return matrix;
    }
    return NULL;
}

/* Whether \left and \right choose the smallest sign of @delimiter around letters, and the delimiter
 * can grow from the size of a letter. */
static gboolean is_small_delimiter(const TgNode *delimiter)
{
    static const char *const names[] = {
        "(",     ")",      "[",      "]",      "{",      "}",     "|",
        "Vert",  "langle", "rangle", "lfloor", "rfloor", "lceil", "rceil",
        "lvert", "rvert",  "lVert",  "rVert",  "<",      ">",     NULL,
    };

    return g_strv_contains(names, canonical_name(delimiter));
}

/* Symbols that in the size of letters are higher or deeper than brackets. */
static const char *const high_symbols[] = { "complement", "lgroup",    "rgroup", "lesseqgtr",
                                            "gtreqless",  "nleqq",     "ngeqq",  "lesseqqgtr",
                                            "gtreqqless", "triangleq", NULL };

/* Whether a delimiter has @class without \left; @angle is the sign that \left makes one of it. */
static gboolean is_delimiter(const TgNode *delimiter, TgMathClass class, const char *angle)
{
    return delimiter->u.symbol.symbol->math_class == class ||
           strcmp(canonical_name(delimiter), angle) == 0;
}

/* Whether @node is not higher and not deeper than brackets in the size of letters; @node with \left
 * and \right draws the same without them, except for spaces around. */
static gboolean is_low(const Writer *self, const TgNode *node)
{
    const TgNode *left, *right, *body;
    const TgSymbol *symbol;

    switch ((TgNodeKind) node->kind) {
    case TG_NODE_SPACE:
        return !node->u.space.vertical;
    case TG_NODE_SYMBOL:
        symbol = node->u.symbol.symbol;
        return symbol != NULL && symbol->kind == TG_SYMBOL_CHAR &&
               node->math_class != TG_CLASS_OP && !g_strv_contains(high_symbols, symbol->name);
    case TG_NODE_OPERATOR:
        return is_low(self, node->u.op.body);
    case TG_NODE_LIST:
        for (const TgNode *item = node->u.list.first; item != NULL; item = item->next)
            if (!is_low(self, item))
                return FALSE;
        return TRUE;
    case TG_NODE_DELIMITED: /* inside, bars would get other spaces beside a sign than brackets */
        left = node->u.delimited.left;
        right = node->u.delimited.right;
        body = node->u.delimited.body;
        return is_small_delimiter(left) && is_small_delimiter(right) &&
               body->u.list.first != NULL && is_low(self, body) &&
               (is_delimiter(left, TG_CLASS_OPEN, "<") || is_edge(body->u.list.first, TRUE)) &&
               (is_delimiter(right, TG_CLASS_CLOSE, ">") || is_edge(last_item(body), FALSE));
    case TG_NODE_SCRIPTS: /* a subscript of letters, outside of scripts */
        if (node->u.scripts.sup != NULL || node->u.scripts.sub == NULL || has_empty_script(node) ||
            self->now.style > TG_STYLE_TEXT || node->u.scripts.nucleus == NULL ||
            node->u.scripts.nucleus->kind != TG_NODE_SYMBOL ||
            !is_low(self, node->u.scripts.nucleus))
            return FALSE;
        for (const TgNode *item = node->u.scripts.sub->u.list.first; item != NULL;
             item = item->next)
            if (item->kind != TG_NODE_SYMBOL || !is_low(self, item) ||
                !g_unichar_isalnum(item->u.symbol.code))
                return FALSE;
        return TRUE;
    default:
        return FALSE;
    }
}

/* The delimiters and their body as items of one list. */
static TgNode *list_of_delimited(Writer *self, const TgNode *node)
{
    TgNode *list = own_node(node->u.delimited.body), *last = last_item(list);
    TgNode *left = plain_delimiter(self, node->u.delimited.left);
    TgNode *right = plain_delimiter(self, node->u.delimited.right);

    if (last != NULL)
        last->next = right;
    if (left != NULL)
        left->next = last != NULL ? list->u.list.first : right;
    if (left != NULL)
        list->u.list.first = left;
    else if (last == NULL)
        list->u.list.first = right;
    list->u.list.braced = 0;
    self->undelimited = list;
    return list;
}

/* ---- Scripts ------------------------------------------------------------------------------- */

static TgNode *write_scripts(Writer *self, TgNode *node)
{
    TgNode *nucleus = own_node(node->u.scripts.nucleus);

    node->u.scripts.nucleus = NULL;
    write_children(self, node);
    const gboolean drops_empty = has_rule(self, TG_RULE_UNSEEN) && !self->now.inner &&
                                 has_empty_script(node) && node->u.scripts.form == TG_SCRIPTS_PLAIN;
    if (drops_empty && !has_filled_script(node)) {
        nucleus = nucleus != NULL ? nucleus : own_node(node->u.scripts.nucleus);
        return write_node(self, nucleus);
    }
    nucleus = own_node(write_nucleus(self, nucleus, node));
    node->u.scripts.nucleus = nucleus;
    if (drops_empty && tg_scripts_are_limits(node, self->now.style)) {
        if (is_empty_list(node->u.scripts.sub))
            node->u.scripts.sub = NULL;
        else
            node->u.scripts.sup = NULL;
    }
    const guint8 limits = node->u.scripts.limits;
    if (has_rule(self, TG_RULE_WORDS) && nucleus != NULL && nucleus->kind == TG_NODE_OPERATOR &&
        limits != TG_LIMITS_DEFAULT &&
        (limits != TG_LIMITS_ON || self->now.style == TG_STYLE_DISPLAY) &&
        is_operator_name(nucleus->u.op.body)) {
        nucleus->u.op.limits = limits == TG_LIMITS_OFF ? TG_LIMITS_OFF : TG_LIMITS_DISPLAY;
        node->u.scripts.limits = TG_LIMITS_DEFAULT;
    }
    const TgNode *sup = node->u.scripts.sup, *item = sup != NULL ? sup->u.list.first : NULL;

    if (sup != NULL && has_rule(self, TG_RULE_PRIMES)) {
        node->u.scripts.n_primes = 0;
        for (; tg_node_is_symbol(item, "prime") && node->u.scripts.n_primes < G_MAXUINT16;
             item = item->next)
            node->u.scripts.n_primes++;
    }
    /* do not write \limits or \nolimits if the scripts stand in the same place without it */
    TgNode bare = *node;
    bare.u.scripts.limits = TG_LIMITS_DEFAULT;
    if (has_rule(self, TG_RULE_LIMITS) && tg_scripts_are_limits(node, self->now.style) ==
                                              tg_scripts_are_limits(&bare, self->now.style))
        node->u.scripts.limits = TG_LIMITS_DEFAULT;
    if (node->u.scripts.sub == NULL && sup == NULL && node->u.scripts.limits == TG_LIMITS_DEFAULT)
        return nucleus;
    return node;
}

/* ---- Formulas in boxes of text --------------------------------------------------------------- */

/* Whether @node is drawn in the same way in display style and in text style. */
static gboolean is_style_free(const TgNode *node)
{
    switch ((TgNodeKind) node->kind) {
    case TG_NODE_SPACE:
        return TRUE;
    case TG_NODE_SYMBOL:
        return node->math_class != TG_CLASS_OP;
    case TG_NODE_LIST:
        for (const TgNode *item = node->u.list.first; item != NULL; item = item->next)
            if (!is_style_free(item))
                return FALSE;
        return TRUE;
    case TG_NODE_SCRIPTS: /* superscripts stand higher in a display */
        return node->u.scripts.sup == NULL && node->u.scripts.limits == TG_LIMITS_DEFAULT &&
               node->u.scripts.nucleus != NULL && is_style_free(node->u.scripts.nucleus);
    default:
        return FALSE;
    }
}

static void count_bold(const TgNode *node, guint *n_bold, guint *n_light)
{
    TgChildIter iter = tg_child_iter(node);

    if (node->kind == TG_NODE_SYMBOL)
        *(node->bold == 1 ? n_bold : n_light) += 1;
    if (node->kind == TG_NODE_BOLD)
        *n_light += 1; /* it has a bold form of its own */
    for (const TgNode *child; (child = tg_child_iter_next(&iter)) != NULL;)
        count_bold(child, n_bold, n_light);
}

/* The formula of a box that has nothing else, \mbox{$x$} or \mbox{\boldmath$x$}; otherwise the box
 * itself. */
static TgNode *formula_of_box(Writer *self, TgNode *text)
{
    const TgNode *only = tg_list_only(text->u.text.body, TG_NODE_MATH);
    guint n_bold = 0, n_light = 0;

    if (only == NULL || only->u.body.flag ||
        (self->now.style == TG_STYLE_DISPLAY && !is_style_free(only->u.body.body)))
        return text;
    TgNode *body = own_node(only->u.body.body);
    count_bold(body, &n_bold, &n_light);
    if (n_bold > 0 && n_light > 0)
        return text;
    body->next = NULL;
    body->u.list.braced = !has_rule(self, TG_RULE_GROUPS) || !is_loose(body);
    if (n_bold == 0)
        return body;
    text->kind = TG_NODE_BOLD;
    memset(&text->u, 0, sizeof text->u);
    text->u.body.body = body;
    return text;
}

/* ---- Nodes --------------------------------------------------------------------------------- */

/* \mathrel{=} becomes =, and \mathop{\rm max} the operator of that name. */
static TgNode *bare_class(TgNode *node)
{
    const TgNode *body = node->u.body.body;
    const TgNode *symbol = tg_list_only(body, TG_NODE_SYMBOL);
    const TgNode *group = tg_list_only(body, TG_NODE_LIST); /* letters in their alphabet */
    const TgNode *letters = group != NULL ? group : body;

    if (symbol != NULL && symbol->math_class == node->math_class &&
        node->math_class != TG_CLASS_ORD)
        return own_node(symbol);
    if (node->math_class != TG_CLASS_OP || !is_operator_name(letters))
        return node;
    node->kind = TG_NODE_OPERATOR;
    memset(&node->u, 0, sizeof node->u);
    node->u.op.body = letters;
    node->u.op.limits = TG_LIMITS_DISPLAY;
    return node;
}

/* Write \boldsymbol{1} as \mathbf{1}; a box of digits has its scripts where a digit has them. */
static TgNode *bold_letters(const Writer *self, TgNode *bold)
{
    TgNode *body = own_node(bold->u.body.body);
    const TgNode *first = body->u.list.first;

    if (!has_rule(self, TG_RULE_WORDS) || first == NULL || bold->u.body.flag == TG_BOLD_POOR)
        return bold;
    for (const TgNode *item = first; item != NULL; item = item->next)
        if (item->kind != TG_NODE_SYMBOL || item->u.symbol.code >= 0x80 ||
            !g_ascii_isdigit((char) item->u.symbol.code) ||
            (item->alphabet != TG_ALPHABET_DEFAULT && item->alphabet != TG_ALPHABET_RM))
            return bold;
    for (TgNode *item = own_node(first); item != NULL; item = own_node(item->next)) {
        item->alphabet = TG_ALPHABET_BF;
        item->bold = 0;
    }
    body->u.list.braced = !has_rule(self, TG_RULE_GROUPS) || !is_loose(body);
    body->next = NULL;
    return body;
}

/* Write \"i for \"\i, which is drawn in the same way. */
static void put_dot_back(const TgNode *base)
{
    TgNode *letter = own_node(tg_list_only(base, TG_NODE_CHAR));

    if (letter == NULL)
        return;
    if (letter->u.character.code == 0x131)
        letter->u.character.code = 'i';
    else if (letter->u.character.code == 0x237)
        letter->u.character.code = 'j';
}

/* A matrix between words as $..$, because LaTeX has it there alone; what may stand in words, or is
 * a display of its own, as it is. */
static TgNode *between_dollars(Writer *self, TgNode *matrix)
{
    const TgEnvironmentInfo *info = tg_environment_find(matrix->u.array->name);

    if (info == NULL || (info->flags & (TG_ENV_TEXT | TG_ENV_TAGS)) != 0 ||
        info->kind == TG_ENV_EQNARRAY)
        return matrix;
    TgNode *math = new_list(self, matrix), *body = new_list(self, matrix);
    body->u.list.first = matrix;
    body->u.list.n_items = 1;
    math->kind = TG_NODE_MATH;
    math->u.body.body = body;
    return math;
}

static TgNode *write_in_state(Writer *self, TgNode *node)
{
    TgNode *matrix;

    switch ((TgNodeKind) node->kind) {
    case TG_NODE_LIST:
        return write_group(self, node);
    case TG_NODE_SYMBOL:
        write_symbol(self, node);
        return write_dagger(self, node);
    case TG_NODE_CHOICE:
        if (!has_rule(self, TG_RULE_UNSEEN))
            break;
        return write_group(self, node->u.choice.style[MIN(self->now.style, TG_STYLE_SCRIPTSCRIPT)]);
    case TG_NODE_CLASS:
        write_children(self, node);
        return has_rule(self, TG_RULE_UNSEEN) ? bare_class(node) : node;
    case TG_NODE_TEXT:
        if (self->now.text && has_rule(self, TG_RULE_TEXT) && node->u.text.scales &&
            !node->u.text.has_width && node->u.text.shape == NULL)
            return write_group(self, node->u.text.body); /* \text in words is its words */
        write_children(self, node);
        if (!has_rule(self, TG_RULE_WORDS) || self->now.text || node->u.text.has_width ||
            node->u.text.shape != NULL || (node == self->words && holds_formula(node->u.text.body)))
            return node;
        const gboolean is_large = tg_style_of_scripts(self->now.style) == TG_STYLE_SCRIPT;
        node->u.text.scales |= is_large;
        return node->u.text.scales && is_plain_word(node->u.text.body) ? letters_of_word(self, node)
               : is_large                                              ? formula_of_box(self, node)
                                                                       : node;
    case TG_NODE_PHANTOM:
        write_children(self, node);
        if ((node->u.phantom.flags &
             (TG_PHANTOM_NO_INK | TG_PHANTOM_NO_WIDTH | TG_PHANTOM_CRAMPED)) == 0 &&
            has_rule(self, TG_RULE_UNSEEN) && !self->now.inner && is_loose(node->u.phantom.body)) {
            TgNode *body = own_node(node->u.phantom.body); /* \smash where no size matters */
            body->next = NULL;
            body->u.list.braced = 0;
            return body;
        }
        return node;
    case TG_NODE_OPERATOR:
        self->now.alphabet = TG_ALPHABET_RM;
        break;
    case TG_NODE_SCRIPTS:
        return write_scripts(self, node);
    case TG_NODE_FRACTION:
        write_children(self, node);
        if (node->u.fraction.form == TG_FRACTION_INFIX && has_rule(self, TG_RULE_INFIX))
            node->u.fraction.form = TG_FRACTION_FRAC;
        if (node->u.fraction.form == TG_FRACTION_FRAC &&
            node->u.fraction.style == self->now.style && has_rule(self, TG_RULE_STYLES))
            node->u.fraction.style = TG_STYLE_INHERIT;
        return node;
    case TG_NODE_RAISE:
        if (node->u.raise.amount.value == 0 && node->u.raise.has == 0 &&
            has_rule(self, TG_RULE_UNSEEN) && node->u.raise.body->kind == TG_NODE_TEXT)
            return write_in_state(self, own_node(node->u.raise.body));
        break;
    case TG_NODE_ACCENT: /* the accent's sign follows the current alphabet */
        if (!self->now.text && node->u.accent.symbol != NULL &&
            is_changed(self, node, node->u.accent.symbol))
            self->now.alphabet = node->alphabet;
        node->alphabet = self->now.alphabet;
        if (self->now.text && has_rule(self, TG_RULE_TEXT))
            put_dot_back(node->u.accent.base);
        break;
    case TG_NODE_DELIMITED:
        matrix = fenced_matrix(self, write_children(self, node));
        if (matrix != NULL)
            return matrix;
        return has_rule(self, TG_RULE_DELIMITERS) ||
                       (has_rule(self, TG_RULE_FENCES) && is_low(self, node))
                   ? list_of_delimited(self, node)
                   : node;
    case TG_NODE_ARROW:
        write_children(self, node);
        if (is_empty_list(node->u.arrow.below) && has_rule(self, TG_RULE_UNSEEN))
            node->u.arrow.below = NULL;
        return node;
    case TG_NODE_BOLD:
        return bold_letters(self, write_children(self, node));
    case TG_NODE_BIG:
        if (has_rule(self, TG_RULE_DELIMITERS))
            return plain_delimiter(self, node->u.big.delimiter);
        break;
    case TG_NODE_ARRAY:
        matrix =
            self->now.text && has_rule(self, TG_RULE_TEXT) ? between_dollars(self, node) : node;
        write_array(self, node->u.array);
        if (has_rule(self, TG_RULE_FENCES))
            name_array((TgArray *) node->u.array);
        return matrix;
    case TG_NODE_STACK:
        write_children(self, node);
        const TgNode *base = tg_list_only(node->u.stack.base, TG_NODE_SYMBOL);
        if (node->u.stack.form == TG_STACK_REL && has_rule(self, TG_RULE_SYMBOLS) && base != NULL &&
            base->math_class == TG_CLASS_REL && node->u.stack.over != NULL &&
            node->u.stack.under == NULL)
            node->u.stack.form = TG_STACK_OVERSET; /* which takes the class of the relation */
        return node;
    case TG_NODE_MATH: /* drop empty mathematics in text, because $$ would begin a display */
        self->now.text = FALSE;
        self->now.alphabet = TG_ALPHABET_DEFAULT;
        write_children(self, node);
        return node->u.body.body->u.list.first != NULL ? node : NULL;
    case TG_NODE_STYLE:
        return node->u.change.style == self->now.style && has_rule(self, TG_RULE_STYLES) ? NULL
                                                                                         : node;
    case TG_NODE_COLOR:
        if (has_rule(self, TG_RULE_COLORS) ||
            (has_rule(self, TG_RULE_UNSEEN) && node->u.color.rgb == self->now.rgb))
            return node->u.color.body != NULL ? write_group(self, node->u.color.body) : NULL;
        if (node->u.color.body != NULL)
            self->now.rgb = node->u.color.rgb;
        break;
    case TG_NODE_SPACE:
        if (!self->now.text && has_rule(self, TG_RULE_UNSEEN))
            node->u.space.kern = 0;
        if (!self->now.text && has_rule(self, TG_RULE_SPACES))
            return NULL;
        if (self->now.text && has_rule(self, TG_RULE_TEXT))
            node->u.space.interword = TG_INTERWORD_BLANK;
        return node;
    case TG_NODE_TAG:
        if (has_rule(self, TG_RULE_TAGS))
            return NULL;
        break;
    default:
        break;
    }
    return write_children(self, node);
}

/* Make a node canonical that is in no list; NULL when it is dropped. A LIST without braces stands
 * for its items. A setting of a node holds inside the node; only a style holds to the end of its
 * list. */
static TgNode *write_node(Writer *self, TgNode *node)
{
    const gboolean is_style = node->kind == TG_NODE_STYLE;
    const gboolean is_color = node->kind == TG_NODE_COLOR && node->u.color.body == NULL;
    const State around = self->now;

    if (tg_node_starts_formula(node))
        self->now.alphabet = TG_ALPHABET_DEFAULT;
    TgNode *made = write_in_state(self, node);
    self->now = around;
    if (is_color)
        self->now.rgb = node->u.color.rgb;
    if (is_style)
        self->now.style = node->u.change.style;
    return made;
}

/* ---- From source to canonical source ------------------------------------------------------- */

/* The content of the only cell of @array if the cell is set like a display without the array, too;
 * else NULL. */
static const TgNode *only_cell(const TgArray *array)
{
    if (array->n_rows != 1 || array->rows[0].n_cells != 1 || array->n_between != 0 ||
        array->left != NULL || array->right != NULL || array->text)
        return NULL;
    const TgCell *cell = &array->rows[0].cells[0];
    if (cell->columns != NULL || cell->text)
        return NULL;
    for (guint32 i = 0; i < array->n_column_items; i++)
        if (array->columns[i].kind != TG_COLUMN_CELL && !is_no_space(&array->columns[i]))
            return NULL;
    const TgNode *first = cell->content->u.list.first;
    return array->display || (first != NULL && first->kind == TG_NODE_STYLE &&
                              first->u.change.style == TG_STYLE_DISPLAY)
               ? cell->content
               : NULL;
}

/* The formula of a display in a text that is blank otherwise, or NULL. */
static const TgNode *only_display(const TgNode *text)
{
    const TgNode *display = NULL;

    for (const TgNode *item = text->u.text.body->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_SPACE && item->u.space.amount.unit == TG_UNIT_INTERWORD)
            continue;
        if (display != NULL || item->kind != TG_NODE_MATH || !item->u.body.flag)
            return NULL;
        display = item;
    }
    return display != NULL ? display->u.body.body : NULL;
}

/* Take environments of one cell and displays off the whole formula, and replace an environment of
 * displays by its inner one. FALSE when there is nothing to take off. */
static gboolean unwrap_formula(TgTree *tree)
{
    static const char *const names[][2] = { { "align", "aligned" },
                                            { "split", "aligned" },
                                            { "align*", "aligned" },
                                            { "gather", "gathered" },
                                            { "gather*", "gathered" } };

    const TgNode *root = tree->root, *rows = NULL;
    for (const TgNode *inner = root; inner != NULL;) {
        tree->root = inner;
        rows = tg_list_only(inner, TG_NODE_ARRAY);
        const TgNode *text = tg_list_only(inner, TG_NODE_TEXT);
        inner = rows != NULL   ? only_cell(rows->u.array)
                : text != NULL ? only_display(text)
                               : tg_list_only(inner, TG_NODE_LIST);
    }
    for (guint i = 0; rows != NULL && i < G_N_ELEMENTS(names); i++)
        if (strcmp(rows->u.array->name, names[i][0]) == 0) {
            ((TgArray *) rows->u.array)->name = names[i][1]; /* the caller owns all of it */
            break;
        }
    return tree->root != root;
}

void tg_tree_make_canonical(TgTree *tree, TgCanonicalRules rules)
{
    Writer writer = { .tree = tree, .rules = rules, .now.style = TG_STYLE_DISPLAY };
    const TgNode *words = tg_list_only(tree->root, TG_NODE_TEXT);

    /* Text with formulas in it is read as \mbox, and so is its canonical form. */
    if (words != NULL && !words->u.text.scales)
        writer.words = words;
    if (has_rule(&writer, TG_RULE_UNSEEN))
        unwrap_formula(tree);
    do {
        write_list(&writer, tree->root);
        /* A trimmed formula may have new ends, those of the group in {\;}\;, or be one cell. */
        while (has_rule(&writer, TG_RULE_UNSEEN) && trim_formula(own_node(tree->root)))
            tidy_list(&writer, own_node(tree->root));
    } while (has_rule(&writer, TG_RULE_UNSEEN) && tg_list_only(tree->root, TG_NODE_LIST) == NULL &&
             unwrap_formula(tree));
}

char *tg_canonical_latex(const char *tex, gsize len, const TgParseOptions *options,
                         TgCanonicalRules rules, GError **error)
{
    g_autoptr(TgTree) tree = tg_tree_parse(tex, len, options, error);

    if (tree == NULL)
        return NULL;
    tg_tree_make_canonical(tree, rules);
    if (tg_deadline_spend(len) && !tg_deadline_check(error))
        return NULL;
    return tg_tree_to_latex(tree);
}

void tg_latex_tie_blanks(char *latex)
{
    gboolean ends_command = FALSE;
    TgLexer lexer = { latex, strlen(latex), 0 };

    for (TgLexeme lexeme; (lexeme = tg_lexer_next(&lexer)).kind != TG_LEX_END;) {
        if (lexeme.kind == TG_LEX_SPACE && !ends_command)
            memset(latex + lexeme.start, '~', lexeme.len);
        ends_command = lexeme.kind == TG_LEX_CONTROL_WORD || lexeme.kind == TG_LEX_BACKSLASH;
    }
}

void tg_latex_space_out(const char *latex, char *out)
{
    char *end = out;
    TgLexer lexer = { latex, strlen(latex), 0 };

    for (TgLexeme lexeme; (lexeme = tg_lexer_next(&lexer)).kind != TG_LEX_END;) {
        if (lexeme.kind == TG_LEX_SPACE)
            continue;
        if (end > out)
            *end++ = ' ';
        memcpy(end, latex + lexeme.start, lexeme.len);
        end += lexeme.len;
    }
    *end = '\0';
}
