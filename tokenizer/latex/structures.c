/* Fonts and classes, fractions and roots, material above and below. */
#include "tokenizer/latex/parser.h"

/* ---- Fonts, styles and classes --------------------------------------------------------------- */

/* \mathrm{..} and related commands: value is the TgAlphabet. The argument becomes a group. */
void tg_parser_alphabet(TgParser *self, const TgTexToken *token)
{
    const TgFontState before = self->font;
    const gboolean short_text = self->short_text;

    self->font.alphabet = (guint8) token->command->value;
    self->short_text = TRUE; /* one paragraph, also in an array */
    TgNode *list = tg_parser_argument(self, token, "an argument");
    self->short_text = short_text;
    tg_parser_update_paragraphs(self);
    self->font = before;
    list->start = MIN(list->start, token->start); /* because macros change the order */
    list->u.list.braced = 1;
    tg_parser_append(self, list);
}

/* \boldmath, \unboldmath. In a formula LaTeX only warns: the command is noted and has no effect. */
void tg_parser_boldmath(TgParser *self, const TgTexToken *token)
{
    const gboolean on = token->command->value != 0;

    if (self->scope->text)
        self->font.bold = on;
    else
        self->font.bold = self->font.bold == 1 ? 1 : 2 * on;
}

/* Whether \bm changes nothing in @list, because of the alphabet around. */
static gboolean is_plain(const TgNode *list)
{
    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next)
        if (item->kind == TG_NODE_LIST ? !is_plain(item)
                                       : item->kind != TG_NODE_SYMBOL || item->bold != 0)
            return FALSE;
    return TRUE;
}

/* \boldsymbol, \bm, \pmb: value is the TgBoldForm. */
void tg_parser_boldsymbol(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_BOLD, token);
    const TgFontState before = self->font;

    node->u.body.flag = (guint8) token->command->value;
    if (node->u.body.flag != TG_BOLD_POOR) {
        self->font.bold = 1;
        self->font.plain_in = self->font.alphabet;
    }
    node->u.body.body = tg_parser_argument(self, token, "an argument");
    const gboolean plain =
        self->font.plain_in != TG_ALPHABET_DEFAULT && is_plain(node->u.body.body);
    self->font = before;
    if (plain)
        /* the cast is right while the tree is built */
        tg_parser_splice(self, (TgNode *) node->u.body.body);
    else
        tg_parser_append(self, node);
}

/* Set the signs of an operator's name as signs of text, as amsopn does: a-b has a hyphen. */
static void set_signs_of_name(TgParser *self, const TgTexToken *token, TgNode *node)
{
    TgChildIter iter = tg_child_iter(node);

    if (node->kind == TG_NODE_SYMBOL && node->u.symbol.code == '-') {
        TgNode *sign = tg_parser_node(self, TG_NODE_CHAR, token);
        const TgNode *next = node->next;

        sign->start = node->start;
        sign->end = node->end;
        sign->token = node->token;
        sign->u.character.code = '-';
        sign->u.character.font = (TgTextFont){ .size = self->font.text.size };
        TgNode *text = tg_parser_text_of(self, token, tg_parser_list_of(self, sign));
        text->u.text.scales = 1;
        text->start = sign->start;
        text->end = sign->end;
        *node = *text;
        node->next = next;
        return;
    }
    for (const TgNode *child; (child = tg_child_iter_next(&iter)) != NULL;)
        set_signs_of_name(self, token, (TgNode *) child); /* right while the tree is built */
}

/* \operatorname{..}; with a star or as \operatornamewithlimits it takes limits as \lim does. */
void tg_parser_operatorname(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_OPERATOR, token);
    const TgFontState before = self->font;
    const gboolean limits = token->command->value != 0 || tg_expander_star(&self->in);

    node->u.op.limits = limits ? TG_LIMITS_DISPLAY : TG_LIMITS_OFF;
    node->math_class = TG_CLASS_OP;
    self->font.alphabet = TG_ALPHABET_RM;
    node->u.op.body = tg_parser_argument(self, token, "an argument");
    self->font = before;
    set_signs_of_name(self, token, node);
    tg_parser_append(self, node);
}

/* \displaystyle and related commands (STYLE), \large and related commands (SIZE): detail is the
 * kind of node. */
void tg_parser_change(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, (TgNodeKind) token->command->detail, token);

    node->u.change.style = (guint8) token->command->value;
    if (node->kind == TG_NODE_SIZE)
        self->font.text.size = node->u.change.style;
    tg_parser_append(self, node);
}

/* ---- Fractions, binomials and roots ---------------------------------------------------------- */

#define WANTS_TWO "two arguments"

/* Set delimiters that belong to the command and have its ink. */
static void set_fences(TgParser *self, const TgTexToken *token, TgNode *node, const char *pair)
{
    const char left[2] = { pair[0], '\0' }, right[2] = { pair[1], '\0' };

    node->u.fraction.left = tg_parser_fence(self, token, left);
    node->u.fraction.right = tg_parser_fence(self, token, right);
}

/* Read a numerator or denominator, which LaTeX puts into a group with \over. */
static TgNode *fraction_part(TgParser *self, const TgTexToken *token, const char *wants)
{
    TgNode *list = tg_parser_argument(self, token, wants);
    const TgNode *first = list->u.list.first;

    if (first != NULL && first->kind == TG_NODE_FRACTION &&
        first->u.fraction.form == TG_FRACTION_INFIX)
        tg_refuse(&self->errors, token, TG_PACKAGE_NONE, TG_PARSE_FRACTION,
                  "ambiguous \\over in an argument of %.*s: use braces", TG_TOKEN_TEXT(token));
    return list;
}

/* Put an \hfill on the other side of @num: \cfrac[l] and [r]. */
static void push_aside(TgParser *self, const TgTexToken *token, TgNode *num, gboolean to_left)
{
    TgNode *fill = (TgNode *) tg_parser_latex(self, "\\hfill", FALSE, token)->u.list.first;
    TgNode *last = (TgNode *) num->u.list.first;

    if (fill == NULL || last == NULL)
        return;
    while (last->next != NULL)
        last = (TgNode *) last->next;
    if (to_left) {
        last->next = fill;
    } else {
        fill->next = num->u.list.first;
        num->u.list.first = fill;
    }
    num->u.list.n_items++;
}

/* \frac, \dfrac, \tfrac, \cfrac[align] and, with @text "()", \binom: value is the style, detail the
 * TgFractionForm. */
void tg_parser_frac(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_FRACTION, token);

    node->u.fraction.style = (guint8) token->command->value;
    node->u.fraction.form = token->command->detail;
    g_autofree char *side =
        node->u.fraction.form == TG_FRACTION_CFRAC ? tg_parser_string_optional(self) : NULL;
    if (token->command->text != NULL) {
        set_fences(self, token, node, token->command->text);
    } else {
        node->u.fraction.has_bar = 1;
        node->token = tg_parser_ink(self, token, 0);
    }
    TgNode *num = fraction_part(self, token, WANTS_TWO);
    if (side != NULL && (side[0] == 'l' || side[0] == 'r') && side[1] == '\0')
        push_aside(self, token, num, side[0] == 'l');
    node->u.fraction.num = num;
    node->u.fraction.den = fraction_part(self, token, WANTS_TWO);
    tg_parser_append(self, node);
}

/* Read a delimiter as a whole argument; an empty one means none. @n_given counts the delimiters
 * given. */
static TgNode *delimiter_argument(TgParser *self, const TgTexToken *token, const char *wants,
                                  guint *n_given)
{
    TgTexTokens list;

    if (!tg_parser_tokens_argument(self, token, wants, &list))
        return NULL;
    const TgTexTokens sign = tg_tex_tokens_trim(list);
    if (sign.n == 0) {
        if (list.n > 0)
            tg_refuse(&self->errors, token, TG_PACKAGE_NONE, TG_PARSE_DELIMITER,
                      "a space is no delimiter of %.*s", TG_TOKEN_TEXT(token));
        return NULL;
    }
    if (sign.n > 1)
        tg_refuse(&self->errors, token, TG_PACKAGE_NONE, TG_PARSE_DELIMITER,
                  "a delimiter of %.*s is one sign", TG_TOKEN_TEXT(token));
    tg_expander_insert(&self->in, (TgTexTokens){ sign.tokens, 1 }, 1);
    ++*n_given;
    return tg_parser_delimiter(self, token);
}

/* \genfrac{(}{)}{thickness}{style}{..}{..} */
void tg_parser_genfrac(TgParser *self, const TgTexToken *token)
{
    static const char wants[] = "six arguments";
    TgNode *node = tg_parser_node(self, TG_NODE_FRACTION, token);
    TgTexTokens thickness;
    guint n_given = 0;

    node->u.fraction.left = delimiter_argument(self, token, wants, &n_given);
    node->u.fraction.right = delimiter_argument(self, token, wants, &n_given);
    node->u.fraction.has_bar = 1;
    const gboolean has_thickness = tg_expander_argument(&self->in, &thickness);
    if (n_given == 1 && has_thickness && thickness.n > 1 &&
        tg_token_is_char(thickness.tokens, '.')) { /* the other delimiter is `.`, too */
        n_given++;
        thickness.tokens++;
        thickness.n--;
        if (node->u.fraction.left == NULL) { /* the only sign stands left, the dot right of it */
            node->u.fraction.left = node->u.fraction.right;
            node->u.fraction.right = NULL;
        }
    }
    if (has_thickness && thickness.n > 0) {
        node->u.fraction.bar = tg_parser_length_of(self, thickness, token, FALSE);
        node->u.fraction.has_bar = node->u.fraction.bar.value != 0 ? 2 : 0;
    }
    if (node->u.fraction.has_bar != 0)
        node->token = tg_parser_ink(self, token, 0);
    if (n_given == 1)
        tg_parser_forbid(self, token, TG_PARSE_DELIMITER,
                         "needs both delimiters or none: . stands for an empty one");

    TgTexTokens list = { 0 };
    tg_parser_tokens_argument(self, token, wants, &list);
    g_autofree char *style = tg_parser_spelling(list);
    node->u.fraction.style = TG_STYLE_INHERIT;
    if (g_ascii_isdigit(style[0])) /* all values above 2 mean the smallest style */
        node->u.fraction.style = (guint8) MIN(style[0] - '0', TG_STYLE_SCRIPTSCRIPT);
    else if (list.n > 0)
        tg_refuse(&self->errors, token, TG_PACKAGE_NONE, TG_PARSE_FRACTION,
                  "the style of %.*s is a number", TG_TOKEN_TEXT(token));
    node->u.fraction.num = fraction_part(self, token, wants);
    node->u.fraction.den = fraction_part(self, token, wants);
    tg_parser_append(self, node);
}

/* ---- Infix forms --------------------------------------------------------------------------- */

/* Read an infix command. @text: its delimiters, "dd" if it takes two as arguments; value: 'l' with
 * a length, 0 with a bar, 'n' without a bar. */
void tg_parser_infix(TgParser *self, const TgTexToken *token)
{
    const TgCommand *command = token->command;

    if (self->scope->fraction != NULL) {
        tg_report(&self->errors, token, TG_PARSE_FRACTION,
                  "ambiguous second %.*s in one group: use braces", TG_TOKEN_TEXT(token));
        tg_parser_finish_infix(self);
        if (self->depth + ++self->scope->n_fractions > self->options.max_depth)
            tg_report(&self->errors, token, TG_PARSE_LIMIT, "more than %u levels of nesting",
                      self->options.max_depth);
    }

    TgNode *node = tg_parser_node(self, TG_NODE_FRACTION, token);
    node->u.fraction.form = TG_FRACTION_INFIX;
    node->u.fraction.style = TG_STYLE_INHERIT;
    node->u.fraction.has_bar = command->value == 0;
    node->u.fraction.num = tg_parser_take_items(self);
    node->start = MIN(node->start, node->u.fraction.num->start);
    self->scope->fraction = node;

    if (command->text != NULL && strcmp(command->text, "dd") == 0) {
        node->u.fraction.left = tg_parser_delimiter(self, token);
        node->u.fraction.right = tg_parser_delimiter(self, token);
    } else if (command->text != NULL) {
        set_fences(self, token, node, command->text);
    }
    if (command->value == 'l') {
        node->u.fraction.bar = tg_parser_length(self, token, FALSE);
        node->u.fraction.has_bar = node->u.fraction.bar.value != 0 ? 2 : 0;
    }
    if (node->u.fraction.has_bar != 0)
        node->token = tg_parser_ink(self, token, 0);
}

/* ---- Roots --------------------------------------------------------------------------------- */

/* \sqrt[3]{x}; value 'r': \root 3 \of x */
void tg_parser_sqrt(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_RADICAL, token);
    const gboolean is_root = token->command->value == 'r';
    const guint8 alphabet = self->font.alphabet;
    TgTexTokens index;

    node->token = tg_parser_ink(self, token, 0);
    if (is_root && !tg_expander_until(&self->in, "\\of", &index))
        tg_report(&self->errors, token, TG_PARSE_MISSING_ARGUMENT, "\\root needs \\of");
    self->font.alphabet = TG_ALPHABET_DEFAULT; /* the index is set in a separate box */
    node->u.radical.index =
        is_root ? tg_parser_sublist(self, index, FALSE, token) : tg_parser_optional(self);
    self->font.alphabet = alphabet;
    /* Without an index \sqrt is a primitive, whose argument is read like a script. */
    node->u.radical.body = node->u.radical.index == NULL
                               ? tg_parser_script_argument(self, token)
                               : tg_parser_argument(self, token, "an argument");
    tg_parser_append(self, node);
}

/* ---- Above and below ------------------------------------------------------------------------- */

/* \buildrel above \over base */
void tg_parser_buildrel(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_STACK, token);
    TgTexTokens above;

    node->u.stack.form = TG_STACK_REL;
    if (!tg_expander_until(&self->in, "\\over", &above))
        tg_report(&self->errors, token, TG_PARSE_MISSING_ARGUMENT, "\\buildrel needs \\over");
    node->u.stack.over = tg_parser_sublist(self, above, FALSE, token);
    node->u.stack.base = tg_parser_argument(self, token, "a base after \\over");
    tg_parser_append(self, node);
}

/* ---- Commands that only set a form and read arguments ---------------------------------------- */

#define AT(member) G_STRUCT_OFFSET(TgNode, member)

/* For each action: the member for value, and each argument: m mathematics, s a script, o [..], b a
 * box of text if detail is set. */
static const struct {
    guint8 kind;
    gsize form;
    const char *arguments;
    gsize to[4];
} constructs[] = {
    [TG_ACTION_CLASS] = { TG_NODE_CLASS, AT(math_class), "s", { AT(u.body.body) } },
    [TG_ACTION_PHANTOM] = { TG_NODE_PHANTOM, AT(u.phantom.flags), "m", { AT(u.phantom.body) } },
    [TG_ACTION_LAP] = { TG_NODE_LAP, AT(u.lap.align), "b", { AT(u.lap.body) } },
    [TG_ACTION_STRETCH] = { TG_NODE_STRETCH, AT(u.stretch.form), "m", { AT(u.stretch.body) } },
    [TG_ACTION_ARROW] = { TG_NODE_ARROW,
                          AT(u.arrow.form),
                          "om",
                          { AT(u.arrow.below), AT(u.arrow.above) } },
    [TG_ACTION_OVERSET] = { TG_NODE_STACK,
                            AT(u.stack.form),
                            "mm",
                            { AT(u.stack.over), AT(u.stack.base) } },
    [TG_ACTION_UNDERSET] = { TG_NODE_STACK,
                             AT(u.stack.form),
                             "mm",
                             { AT(u.stack.under), AT(u.stack.base) } },
    [TG_ACTION_MATHCHOICE] = { TG_NODE_CHOICE,
                               AT(math_class),
                               "mmmm",
                               { AT(u.choice.style[0]), AT(u.choice.style[1]),
                                 AT(u.choice.style[2]), AT(u.choice.style[3]) } },
};

void tg_parser_construct(TgParser *self, const TgTexToken *token)
{
    const guint8 action = token->command->action;
    const char *how = constructs[action].arguments;
    const char *wants = strcmp(how, "mm") == 0     ? "two arguments"
                        : strcmp(how, "mmmm") == 0 ? "four arguments"
                                                   : "an argument";
    TgNode *node = tg_parser_node(self, (TgNodeKind) constructs[action].kind, token);

    *((guint8 *) node + constructs[action].form) = (guint8) token->command->value;
    const gboolean has_brackets = action == TG_ACTION_STRETCH || action == TG_ACTION_PHANTOM;
    for (guint i = 0; has_brackets && i < token->command->detail; i++)
        g_free(tg_parser_string_optional(self)); /* sizes of \overbracket, which are ignored */
    if (action == TG_ACTION_ARROW)
        node->u.arrow.is_long = token->command->detail;
    if (action == TG_ACTION_ARROW || action == TG_ACTION_STRETCH)
        node->token = tg_parser_ink(self, token, 0);
    for (guint i = 0; how[i] != '\0'; i++)
        *(const TgNode **) (gpointer) ((guint8 *) node + constructs[action].to[i]) =
            how[i] == 'o'                                  ? tg_parser_optional(self)
            : how[i] == 's'                                ? tg_parser_script_argument(self, token)
            : how[i] == 'b' && token->command->detail != 0 ? tg_parser_text_box(self, token)
                                                           : tg_parser_argument(self, token, wants);
    tg_parser_append(self, node);
}
