/* Writing a formula tree back as LaTeX, in one fixed spelling. */
#include "tokenizer/canonical/printer.h"

#include <string.h>

#include "tokenizer/canonical/printer_private.h"
#include "tokenizer/latex/commands.h"
#include "tokenizer/symbols/symbols.h"

/* ---- Pieces -------------------------------------------------------------------------------- */

void tg_latex_put(TgLatexWriter *self, const char *text)
{
    if (text[0] == '\0')
        return;
    if (self->word_end && g_ascii_isalpha(text[0]))
        g_string_append_c(self->out, ' ');
    g_string_append(self->out, text);
    self->word_end = self->blank_end = FALSE;
}

void tg_latex_put_command(TgLatexWriter *self, const char *name)
{
    g_string_append_c(self->out, '\\');
    g_string_append(self->out, name);
    self->word_end = g_ascii_isalpha(name[0]);
    self->blank_end = FALSE;
}

void tg_latex_put_character(TgLatexWriter *self, gunichar code)
{
    char utf8[7];

    utf8[g_unichar_to_utf8(code, utf8)] = '\0';
    tg_latex_put(self, utf8);
}

/* TeX's print_scaled (§103): the shortest decimals that read as the same number again. */
static void put_scaled(GString *out, gint32 value)
{
    gint64 rest = value, delta = 10;

    if (rest < 0) {
        g_string_append_c(out, '-');
        rest = -rest;
    }
    g_string_append_printf(out, "%d", (gint32) (rest / 65536));
    rest = 10 * (rest % 65536) + 5;
    if (rest == 5)
        return;
    g_string_append_c(out, '.');
    do {
        if (delta > 65536)
            rest += 32768 - 50000;
        g_string_append_c(out, (char) ('0' + rest / 65536));
        rest = 10 * (rest % 65536);
        delta *= 10;
    } while (rest > delta);
}

static const char *const units[] = { "pt", "pc", "in", "bp", "cm", "mm",
                                     "dd", "cc", "sp", "em", "ex", "mu" };

void tg_latex_put_length(TgLatexWriter *self, TgLength length)
{
    static const char *const fils[] = { "", "fil", "fill", "filll" };

    tg_latex_put(self, "");
    self->word_end = FALSE;
    if (length.unit == TG_UNIT_SP)
        g_string_append_printf(self->out, "%d", length.value);
    else
        put_scaled(self->out, length.value);
    g_string_append(self->out, units[length.unit]);
    if (length.fil > 0)
        g_string_append_printf(self->out, " plus 1%s", fils[length.fil]);
}

/* A length without braces, and something behind it that ends it. */
static void put_open_length(TgLatexWriter *self, TgLength length)
{
    tg_latex_put_length(self, length);
    tg_latex_put_command(self, "relax");
}

static void put_length_argument(TgLatexWriter *self, TgLength length)
{
    tg_latex_put(self, "{");
    tg_latex_put_length(self, length);
    tg_latex_put(self, "}");
}

void tg_latex_put_argument(TgLatexWriter *self, const TgNode *list)
{
    const gint32 stretch = self->stretch;

    tg_latex_put(self, "{");
    tg_latex_put_items(self, list);
    tg_latex_put(self, "}");
    self->stretch = stretch;
}

static void put_command_with(TgLatexWriter *self, const char *name, const TgNode *list)
{
    tg_latex_put_command(self, name);
    tg_latex_put_argument(self, list);
}

/* ---- Symbols ------------------------------------------------------------------------------- */

static const char *const alphabets[] = {
    "mathnormal", "mathnormal", "mathrm",  "mathbf", "mathit",   "mathsf",
    "mathtt",     "mathcal",    "mathscr", "mathbb", "mathfrak",
};

/* A symbol in the alphabet in force. */
static void put_plain_symbol(TgLatexWriter *self, const TgNode *node)
{
    const TgSymbol *symbol = node->u.symbol.symbol;

    if (symbol == NULL && node->alphabet == TG_ALPHABET_RM &&
        tg_latex_text_symbol(node->u.symbol.code) != NULL)
        tg_latex_put_command(self, tg_latex_text_symbol(node->u.symbol.code));
    else if (symbol == NULL)
        tg_latex_put_character(self, node->u.symbol.code);
    else if (symbol->name[1] == '\0' && tg_symbol_find_char((guchar) symbol->name[0]) == symbol)
        tg_latex_put(self, symbol->name);
    else
        tg_latex_put_command(self, symbol->name);
}

static void put_symbol(TgLatexWriter *self, const TgNode *node)
{
    const guint8 alphabet = self->alphabet;

    if (node->alphabet == alphabet) {
        put_plain_symbol(self, node);
        return;
    }
    tg_latex_put_command(self, alphabets[node->alphabet]);
    tg_latex_put(self, "{");
    self->alphabet = node->alphabet;
    put_plain_symbol(self, node);
    self->alphabet = alphabet;
    tg_latex_put(self, "}");
}

/* The alphabet of a list that \mathbf{..} can write: symbols and accents, all alike; or the one
 * around. */
static guint8 common_alphabet(const TgNode *list, guint8 around)
{
    const TgNode *first = list->u.list.first;

    for (const TgNode *item = first; item != NULL; item = item->next) {
        if ((item->kind != TG_NODE_SYMBOL && item->kind != TG_NODE_ACCENT) ||
            item->alphabet != first->alphabet)
            return around;
    }
    return first != NULL ? first->alphabet : around;
}

/* {..}, or \mathbf{..} when all in it is bold. */
static void put_group(TgLatexWriter *self, const TgNode *list)
{
    const guint8 around = self->alphabet;

    self->alphabet = common_alphabet(list, around);
    if (self->alphabet != around)
        tg_latex_put_command(self, alphabets[self->alphabet]);
    tg_latex_put_argument(self, list);
    self->alphabet = around;
}

/* \cdots looks at what follows and may add a space, which the tree has already if it is wanted. */
static gboolean would_add_space(const TgNode *node)
{
    const TgNode *next = node->next;

    if (node->u.symbol.symbol == NULL || strcmp(node->u.symbol.symbol->name, "cdots") != 0)
        return FALSE;
    if (next == NULL)
        return TRUE;
    if (next->kind == TG_NODE_SYMBOL)
        return next->math_class == TG_CLASS_CLOSE || next->math_class == TG_CLASS_PUNCT ||
               next->u.symbol.code == '.';
    return next->kind == TG_NODE_BIG || next->kind == TG_NODE_SCRIPTS;
}

/* A delimiter, which may be none. */
static void put_delimiter(TgLatexWriter *self, const TgNode *delimiter)
{
    if (delimiter != NULL)
        put_plain_symbol(self, delimiter);
    else
        tg_latex_put(self, ".");
}

/* The named operator with that body, or NULL. */
static const TgSymbol *named_operator(const TgNode *node)
{
    g_autoptr(GString) letters = g_string_new(NULL);
    guint n;
    const TgSymbol *symbols = tg_symbol_list(&n);

    for (const TgNode *item = node->u.op.body->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_SYMBOL && item->alphabet == TG_ALPHABET_RM &&
            item->u.symbol.code < 0x80 && g_ascii_isalpha((char) item->u.symbol.code))
            g_string_append_c(letters, (char) item->u.symbol.code);
        else if (item->kind == TG_NODE_SPACE && item->u.space.amount.unit == TG_UNIT_MU &&
                 item->u.space.amount.value == 3 * 65536 && !item->u.space.kern)
            g_string_append(letters, "\\,");
        else
            return NULL;
    }
    for (guint i = 0; i < n; i++) {
        const gboolean limits = (symbols[i].flags & TG_SYMBOL_NO_LIMITS) == 0;
        if (symbols[i].kind == TG_SYMBOL_OPERATOR && strcmp(symbols[i].latex, letters->str) == 0 &&
            limits == (node->u.op.limits == TG_LIMITS_DISPLAY))
            return &symbols[i];
    }
    return NULL;
}

static void put_operator(TgLatexWriter *self, const TgNode *node)
{
    const TgSymbol *symbol = named_operator(node);
    const guint8 alphabet = self->alphabet;

    if (symbol != NULL) {
        tg_latex_put_command(self, symbol->name);
        return;
    }
    tg_latex_put_command(self, "operatorname");
    if (node->u.op.limits == TG_LIMITS_DISPLAY)
        tg_latex_put(self, "*");
    self->alphabet = TG_ALPHABET_RM;
    tg_latex_put_argument(self, node->u.op.body);
    self->alphabet = alphabet;
}

/* ---- Scripts, fractions, accents ----------------------------------------------------------- */

static void put_limits(TgLatexWriter *self, guint8 limits)
{
    static const char *const names[] = { NULL, "displaylimits", "limits", "nolimits" };

    if (names[limits] != NULL)
        tg_latex_put_command(self, names[limits]);
}

static void put_sup(TgLatexWriter *self, const TgNode *node)
{
    const TgNode *rest = node->u.scripts.sup->u.list.first;

    for (guint i = 0; i < node->u.scripts.n_primes; i++, rest = rest->next)
        tg_latex_put(self, "'");
    if (rest == NULL && node->u.scripts.n_primes > 0)
        return;
    tg_latex_put(self, "^{");
    for (; rest != NULL; rest = rest->next)
        tg_latex_put_node(self, rest);
    tg_latex_put(self, "}");
}

static void put_scripts(TgLatexWriter *self, const TgNode *node)
{
    if (node->u.scripts.nucleus != NULL)
        tg_latex_put_node(self, node->u.scripts.nucleus);
    else
        tg_latex_put(self, "{}");
    put_limits(self, node->u.scripts.limits);
    if (node->u.scripts.sub != NULL) {
        tg_latex_put(self, "_");
        tg_latex_put_argument(self, node->u.scripts.sub);
    }
    if (node->u.scripts.sup != NULL)
        put_sup(self, node);
}

static void put_bare_scripts(TgLatexWriter *self, const TgNode *sub, const TgNode *sup)
{
    tg_latex_put(self, "{");
    if (sub != NULL) {
        tg_latex_put(self, "_");
        tg_latex_put_argument(self, sub);
    }
    if (sup != NULL) {
        tg_latex_put(self, "^");
        tg_latex_put_argument(self, sup);
    }
    tg_latex_put(self, "}");
}

static void put_optional_list(TgLatexWriter *self, const TgNode *list)
{
    tg_latex_put(self, "{");
    if (list != NULL)
        tg_latex_put_items(self, list);
    tg_latex_put(self, "}");
}

static void put_sideset(TgLatexWriter *self, const TgNode *node)
{
    if (node->u.sideset.limits_base) {
        tg_latex_put_command(self, "sideset");
        put_bare_scripts(self, node->u.sideset.pre_sub, node->u.sideset.pre_sup);
        put_bare_scripts(self, node->u.sideset.post_sub, node->u.sideset.post_sup);
    } else {
        tg_latex_put_command(self, "prescript");
        put_optional_list(self, node->u.sideset.pre_sup);
        put_optional_list(self, node->u.sideset.pre_sub);
    }
    tg_latex_put_argument(self, node->u.sideset.base);
}

/* \over, \atop, \above, each with delimiters. */
static void put_infix(TgLatexWriter *self, const TgNode *node)
{
    static const char *const names[][3] = {
        { "atop", "over", "above" }, { "atopwithdelims", "overwithdelims", "abovewithdelims" }
    };
    const gboolean delimited = node->u.fraction.left != NULL || node->u.fraction.right != NULL;

    tg_latex_put_items(self, node->u.fraction.num);
    tg_latex_put_command(self, names[delimited][node->u.fraction.has_bar]);
    if (delimited) {
        put_delimiter(self, node->u.fraction.left);
        put_delimiter(self, node->u.fraction.right);
    }
    if (node->u.fraction.has_bar == 2)
        put_open_length(self, node->u.fraction.bar);
    tg_latex_put_items(self, node->u.fraction.den);
}

static gboolean has_delimiters(const TgNode *node, char left, char right)
{
    const TgNode *l = node->u.fraction.left, *r = node->u.fraction.right;

    if (left == '\0')
        return l == NULL && r == NULL;
    return l != NULL && r != NULL && l->u.symbol.code == (guchar) left &&
           r->u.symbol.code == (guchar) right;
}

/* The short command for a fraction, or NULL. */
static const char *fraction_command(const TgNode *node)
{
    static const char *const fractions[] = { "dfrac", "tfrac", NULL, NULL, "frac" };
    static const char *const binomials[] = { "dbinom", "tbinom", NULL, NULL, "binom" };

    if (node->u.fraction.has_bar == 1 && has_delimiters(node, '\0', '\0'))
        return fractions[node->u.fraction.style];
    if (node->u.fraction.has_bar == 0 && has_delimiters(node, '(', ')'))
        return binomials[node->u.fraction.style];
    return NULL;
}

static void put_genfrac(TgLatexWriter *self, const TgNode *node)
{
    const TgNode *const delimiters[] = { node->u.fraction.left, node->u.fraction.right };
    const char digit[] = { (char) ('0' + node->u.fraction.style), '\0' };

    tg_latex_put_command(self, "genfrac");
    for (guint i = 0; i < 2; i++) {
        tg_latex_put(self, "{");
        if (delimiters[i] != NULL)
            put_plain_symbol(self, delimiters[i]);
        tg_latex_put(self, "}");
    }
    tg_latex_put(self, "{");
    if (node->u.fraction.has_bar != 1)
        tg_latex_put_length(self, node->u.fraction.bar);
    tg_latex_put(self, "}{");
    if (node->u.fraction.style != TG_STYLE_INHERIT)
        tg_latex_put(self, digit);
    tg_latex_put(self, "}");
}

static void put_fraction(TgLatexWriter *self, const TgNode *node)
{
    const char *command = fraction_command(node);

    if (node->u.fraction.form == TG_FRACTION_INFIX) {
        put_infix(self, node);
        return;
    }
    if (node->u.fraction.form == TG_FRACTION_CFRAC) {
        tg_latex_put_command(self, "cfrac");
        if (node->u.fraction.align != 'c')
            tg_latex_put(self, node->u.fraction.align == 'l' ? "[l]" : "[r]");
    } else if (command != NULL) {
        tg_latex_put_command(self, command);
    } else {
        put_genfrac(self, node);
    }
    tg_latex_put_argument(self, node->u.fraction.num);
    tg_latex_put_argument(self, node->u.fraction.den);
}

static void put_moves(TgLatexWriter *self, const TgNode *node)
{
    const gint moves[] = { node->u.radical.uproot, node->u.radical.leftroot };
    static const char *const names[] = { "uproot", "leftroot" };

    for (guint i = 0; i < 2; i++) {
        if (moves[i] != 0) {
            g_autofree char *number = g_strdup_printf("{%d}", moves[i]);
            tg_latex_put_command(self, names[i]);
            tg_latex_put(self, number);
        }
    }
}

/* A bracket inside the index would end it: then \root..\of is used. */
static void put_radical(TgLatexWriter *self, const TgNode *node)
{
    if (node->u.radical.index != NULL) {
        TgLatexWriter index = *self;
        index.out = g_string_new(NULL);
        index.word_end = index.blank_end = FALSE;
        put_moves(&index, node);
        tg_latex_put_items(&index, node->u.radical.index);

        const gboolean bracket = strchr(index.out->str, ']') != NULL;
        tg_latex_put_command(self, bracket ? "root" : "sqrt");
        tg_latex_put(self, bracket ? "{}" : "[");
        tg_latex_put(self, index.out->str);
        self->word_end = index.word_end;
        if (bracket)
            tg_latex_put_command(self, "of");
        else
            tg_latex_put(self, "]");
        g_string_free(index.out, TRUE);
    } else {
        tg_latex_put_command(self, "sqrt");
    }
    tg_latex_put_argument(self, node->u.radical.body);
}

static void put_accent(TgLatexWriter *self, const TgNode *node)
{
    const guint8 alphabet = self->alphabet;

    if (node->u.accent.symbol == NULL) {
        tg_latex_put_text_node(self, node);
    } else if (node->alphabet == alphabet) {
        put_command_with(self, node->u.accent.symbol->name, node->u.accent.base);
    } else {
        tg_latex_put_command(self, alphabets[node->alphabet]);
        tg_latex_put(self, "{");
        self->alphabet = node->alphabet;
        put_command_with(self, node->u.accent.symbol->name, node->u.accent.base);
        self->alphabet = alphabet;
        tg_latex_put(self, "}");
    }
}

const char *tg_latex_text_symbol(gunichar code)
{
    guint n;
    const TgCommand *commands = tg_command_table(&n);

    for (guint i = 0; i < n; i++) {
        if (commands[i].action == TG_ACTION_TEXT_SYMBOL && commands[i].value == (gint32) code)
            return commands[i].name;
    }
    return NULL;
}

/* ---- Stretchy things and stacks ------------------------------------------------------------ */

static void put_stretch(TgLatexWriter *self, const TgNode *node)
{
    static const char *const names[] = {
        "overline",       "underline",           "overbrace",          "underbrace",
        "overbracket",    "underbracket",        "overparen",          "underparen",
        "overrightarrow", "overleftarrow",       "overleftrightarrow", "underrightarrow",
        "underleftarrow", "underleftrightarrow",
    };

    put_command_with(self, names[node->u.stretch.form], node->u.stretch.body);
}

static void put_stack(TgLatexWriter *self, const TgNode *node)
{
    const TgNode *over = node->u.stack.over, *under = node->u.stack.under;

    if (node->u.stack.form == TG_STACK_REL) {
        put_command_with(self, "stackrel", over);
    } else if (over != NULL && under != NULL) {
        put_command_with(self, "overunderset", over);
        tg_latex_put_argument(self, under);
    } else {
        put_command_with(self, over != NULL ? "overset" : "underset", over != NULL ? over : under);
    }
    tg_latex_put_argument(self, node->u.stack.base);
}

static void put_arrow(TgLatexWriter *self, const TgNode *node)
{
    static const char *const names[] = {
        "xrightarrow",      "xleftarrow",         "xleftrightarrow",
        "xRightarrow",      "xLeftarrow",         "xLeftrightarrow",
        "xmapsto",          "xhookrightarrow",    "xhookleftarrow",
        "xrightharpoonup",  "xrightharpoondown",  "xleftharpoonup",
        "xleftharpoondown", "xrightleftharpoons", "xleftrightharpoons",
        "xtofrom",          "xlongequal",
    };

    tg_latex_put_command(self, names[node->u.arrow.form]);
    if (node->u.arrow.below != NULL) {
        tg_latex_put(self, "[");
        tg_latex_put_items(self, node->u.arrow.below);
        tg_latex_put(self, "]");
    }
    tg_latex_put_argument(self, node->u.arrow.above);
}

static void put_big(TgLatexWriter *self, const TgNode *node)
{
    static const char *const sizes[] = { "big", "big", "Big", "bigg", "Bigg" };
    static const char *const classes[] = { "", "", "", "m", "l", "r", "", "" };
    g_autofree char *name = g_strconcat(sizes[node->u.big.size], classes[node->math_class], NULL);

    tg_latex_put_command(self, name);
    put_delimiter(self, node->u.big.delimiter);
}

static void put_delimited(TgLatexWriter *self, const TgNode *node)
{
    tg_latex_put_command(self, "left");
    put_delimiter(self, node->u.delimited.left);
    tg_latex_put_items(self, node->u.delimited.body);
    tg_latex_put_command(self, "right");
    put_delimiter(self, node->u.delimited.right);
}

static void put_bold(TgLatexWriter *self, const TgNode *node)
{
    const guint8 bold = self->bold;

    self->bold = node->u.body.flag ? bold : 1;
    put_command_with(self, node->u.body.flag ? "pmb" : "boldsymbol", node->u.body.body);
    self->bold = bold;
}

/* ---- Spaces, styles, boxes ----------------------------------------------------------------- */

typedef struct {
    gint32 value;
    guint8 unit;
    guint8 kern;
    const char *command;
} FixedSpace;

/* The command that makes exactly this space, or NULL. */
static const char *fixed_space(const TgNode *node)
{
    static const FixedSpace spaces[] = {
        { 3 * 65536, TG_UNIT_MU, 0, "," },   { 4 * 65536, TG_UNIT_MU, 0, ":" },
        { 5 * 65536, TG_UNIT_MU, 0, ";" },   { -3 * 65536, TG_UNIT_MU, 0, "!" },
        { 65536, TG_UNIT_EM, 0, "quad" },    { 2 * 65536, TG_UNIT_EM, 0, "qquad" },
        { 32768, TG_UNIT_EM, 1, "enspace" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(spaces); i++) {
        if (node->u.space.amount.value == spaces[i].value &&
            node->u.space.amount.unit == spaces[i].unit && node->u.space.kern == spaces[i].kern &&
            node->u.space.amount.fil == 0)
            return spaces[i].command;
    }
    return NULL;
}

static void put_space(TgLatexWriter *self, const TgNode *node)
{
    const TgLength *amount = &node->u.space.amount;
    const char *command = fixed_space(node);
    const gboolean mu = amount->unit == TG_UNIT_MU;

    if (node->u.space.nonscript)
        tg_latex_put_command(self, "nonscript");
    if (node->u.space.vertical) {
        tg_latex_put_command(self, "vspace");
        put_length_argument(self, *amount);
    } else if (amount->unit == TG_UNIT_INTERWORD) {
        if (node->u.space.interword == TG_INTERWORD_TIE)
            tg_latex_put(self, "~");
        else
            tg_latex_put_command(self, " ");
    } else if (command != NULL) {
        tg_latex_put_command(self, command);
    } else if (amount->value == 0 && (amount->fil == 1 || amount->fil == 2) &&
               amount->unit == TG_UNIT_PT) {
        tg_latex_put_command(self, amount->fil == 1 ? "hfil" : "hfill");
    } else if (node->u.space.kern || mu || amount->fil > 0) {
        tg_latex_put_command(self, node->u.space.kern ? (mu ? "mkern" : "kern")
                                                      : (mu ? "mskip" : "hskip"));
        put_open_length(self, *amount);
    } else {
        tg_latex_put_command(self, "hspace");
        put_length_argument(self, *amount);
    }
}

static void put_change(TgLatexWriter *self, const TgNode *node)
{
    static const char *const styles[] = { "displaystyle", "textstyle", "scriptstyle",
                                          "scriptscriptstyle" };
    static const char *const sizes[] = { "tiny",       "scriptsize", "footnotesize", "small",
                                         "normalsize", "large",      "Large",        "LARGE",
                                         "huge",       "Huge" };

    tg_latex_put_command(self, node->kind == TG_NODE_STYLE ? styles[node->u.change.style]
                                                           : sizes[node->u.change.style]);
    if (node->kind == TG_NODE_SIZE)
        self->font.size = node->u.change.style;
}

static void put_rgb(TgLatexWriter *self, guint32 rgb)
{
    char text[16];

    g_snprintf(text, sizeof text, "[HTML]{%06X}", rgb & 0xFFFFFF);
    tg_latex_put(self, text);
}

static void put_color(TgLatexWriter *self, const TgNode *node)
{
    tg_latex_put_command(self, node->u.color.body != NULL ? "textcolor" : "color");
    put_rgb(self, node->u.color.rgb);
    if (node->u.color.body != NULL)
        tg_latex_put_argument(self, node->u.color.body);
}

static void put_phantom(TgLatexWriter *self, const TgNode *node)
{
    static const struct {
        guint8 flags;
        const char *command;
        const char *option;
    } phantoms[] = {
        { TG_PHANTOM_NO_INK, "phantom", "" },
        { TG_PHANTOM_NO_INK | TG_PHANTOM_NO_HEIGHT | TG_PHANTOM_NO_DEPTH, "hphantom", "" },
        { TG_PHANTOM_NO_INK | TG_PHANTOM_NO_WIDTH, "vphantom", "" },
        { TG_PHANTOM_NO_HEIGHT | TG_PHANTOM_NO_DEPTH, "smash", "" },
        { TG_PHANTOM_NO_HEIGHT, "smash", "[t]" },
        { TG_PHANTOM_NO_DEPTH, "smash", "[b]" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(phantoms); i++) {
        if (phantoms[i].flags == node->u.phantom.flags) {
            tg_latex_put_command(self, phantoms[i].command);
            tg_latex_put(self, phantoms[i].option);
        }
    }
    tg_latex_put_argument(self, node->u.phantom.body);
}

static void put_lap(TgLatexWriter *self, const TgNode *node)
{
    const gboolean text = node->u.lap.body->kind == TG_NODE_TEXT;
    const char name[] = { (char) node->u.lap.align, '\0' };
    g_autofree char *command = g_strconcat(text ? "" : "math", name, "lap", NULL);

    tg_latex_put_command(self, command);
    if (text)
        tg_latex_put_words_argument(self, node->u.lap.body);
    else
        tg_latex_put_argument(self, node->u.lap.body);
}

static void put_raise(TgLatexWriter *self, const TgNode *node)
{
    const gboolean text = node->u.raise.body->kind == TG_NODE_TEXT;

    tg_latex_put_command(self, text ? "raisebox" : "raise");
    if (text) {
        put_length_argument(self, node->u.raise.amount);
        tg_latex_put_words_argument(self, node->u.raise.body);
    } else {
        put_open_length(self, node->u.raise.amount);
        tg_latex_put_items(self, node->u.raise.body);
    }
}

static void put_enclose(TgLatexWriter *self, const TgNode *node)
{
    static const char *const names[] = { "boxed",   "fbox", "cancel",   "bcancel",
                                         "xcancel", "sout", "colorbox", "fcolorbox" };

    tg_latex_put_command(self, names[node->u.enclose.form]);
    if (node->u.enclose.form == TG_ENCLOSE_FCOLORBOX)
        tg_latex_put(self, "{black}");
    if (node->u.enclose.form >= TG_ENCLOSE_COLORBOX)
        put_rgb(self, node->u.enclose.rgb);
    if (node->u.enclose.body->kind == TG_NODE_TEXT)
        tg_latex_put_words_argument(self, node->u.enclose.body);
    else
        tg_latex_put_argument(self, node->u.enclose.body);
}

static void put_rule(TgLatexWriter *self, const TgNode *node)
{
    if (node->u.rule.form != TG_RULE_RULE) {
        tg_latex_put_command(self, node->u.rule.form == TG_RULE_STRUT ? "strut" : "vline");
        return;
    }
    tg_latex_put_command(self, "rule");
    if (node->u.rule.raise.value != 0) {
        tg_latex_put(self, "[");
        tg_latex_put_length(self, node->u.rule.raise);
        tg_latex_put(self, "]");
    }
    put_length_argument(self, node->u.rule.width);
    put_length_argument(self, node->u.rule.height);
}

static void put_break(TgLatexWriter *self, const TgNode *node)
{
    tg_latex_put_command(self, "\\");
    if (node->u.line_break.gap.value != 0) {
        tg_latex_put(self, "[");
        tg_latex_put_length(self, node->u.line_break.gap);
        tg_latex_put(self, "]");
    }
}

static void put_error(TgLatexWriter *self, const TgNode *node)
{
    const char *text = node->u.error.text;

    if (text[0] == '\\' && text[1] != '\0')
        tg_latex_put_command(self, text + 1);
    else
        tg_latex_put(self, text);
}

/* ---- Nodes --------------------------------------------------------------------------------- */

void tg_latex_put_node(TgLatexWriter *self, const TgNode *node)
{
    switch ((TgNodeKind) node->kind) {
    case TG_NODE_LIST:
        put_group(self, node);
        break;
    case TG_NODE_SYMBOL:
        put_symbol(self, node);
        if (would_add_space(node))
            tg_latex_put_command(self, "relax");
        break;
    case TG_NODE_OPERATOR:
        put_operator(self, node);
        break;
    case TG_NODE_SCRIPTS:
        put_scripts(self, node);
        break;
    case TG_NODE_SIDESET:
        put_sideset(self, node);
        break;
    case TG_NODE_FRACTION:
        put_fraction(self, node);
        break;
    case TG_NODE_RADICAL:
        put_radical(self, node);
        break;
    case TG_NODE_ACCENT:
        put_accent(self, node);
        break;
    case TG_NODE_STRETCH:
        put_stretch(self, node);
        break;
    case TG_NODE_STACK:
        put_stack(self, node);
        break;
    case TG_NODE_ARROW:
        put_arrow(self, node);
        break;
    case TG_NODE_DELIMITED:
        put_delimited(self, node);
        break;
    case TG_NODE_MIDDLE:
        tg_latex_put_command(self, "middle");
        put_delimiter(self, node->u.big.delimiter);
        break;
    case TG_NODE_BIG:
        put_big(self, node);
        break;
    case TG_NODE_CLASS: {
        static const char *const names[] = { "mathord",  "mathop",    "mathbin",   "mathrel",
                                             "mathopen", "mathclose", "mathpunct", "mathinner" };
        put_command_with(self, names[node->math_class], node->u.body.body);
        break;
    }
    case TG_NODE_BOLD:
        put_bold(self, node);
        break;
    case TG_NODE_CHOICE:
        tg_latex_put_command(self, "mathchoice");
        for (guint i = 0; i < 4; i++)
            tg_latex_put_argument(self, node->u.choice.style[i]);
        break;
    case TG_NODE_ARRAY:
        tg_latex_put_array(self, node->u.array);
        break;
    case TG_NODE_TEXT:
    case TG_NODE_CHAR:
    case TG_NODE_MATH:
        tg_latex_put_text_node(self, node);
        break;
    case TG_NODE_STYLE:
    case TG_NODE_SIZE:
        put_change(self, node);
        break;
    case TG_NODE_COLOR:
        put_color(self, node);
        break;
    case TG_NODE_SPACE:
        put_space(self, node);
        break;
    case TG_NODE_BREAK:
        put_break(self, node);
        break;
    case TG_NODE_TAG:
        tg_latex_put_command(self, "tag");
        tg_latex_put(self, node->u.body.flag ? "*" : "");
        tg_latex_put_words_argument(self, node);
        break;
    case TG_NODE_PHANTOM:
        put_phantom(self, node);
        break;
    case TG_NODE_LAP:
        put_lap(self, node);
        break;
    case TG_NODE_RAISE:
        put_raise(self, node);
        break;
    case TG_NODE_VCENTER:
        tg_latex_put_command(self, "vcenter");
        tg_latex_put_words_argument(self, node);
        break;
    case TG_NODE_ENCLOSE:
        put_enclose(self, node);
        break;
    case TG_NODE_RULE:
        put_rule(self, node);
        break;
    case TG_NODE_ERROR:
        put_error(self, node);
        break;
    case TG_N_NODE_KINDS:
        break;
    }
}

void tg_latex_put_items(TgLatexWriter *self, const TgNode *list)
{
    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next)
        tg_latex_put_node(self, item);
}

/* Words with a display among them stand in no box: only there `$$` means one. */
static gboolean is_islands(const TgNode *root)
{
    const TgNode *only = root->u.list.first;

    if (only == NULL || only->next != NULL || only->kind != TG_NODE_TEXT)
        return FALSE;
    for (const TgNode *item = only->u.text.body->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_MATH && item->u.body.flag)
            return TRUE;
    }
    return FALSE;
}

char *tg_tree_to_latex(const TgTree *tree)
{
    TgLatexWriter writer = {
        .out = g_string_new(NULL),
        .font.size = TG_SIZE_NORMAL,
        .stretch = 65536,
    };

    if (is_islands(tg_tree_root(tree)))
        tg_latex_put_words(&writer, tg_tree_root(tree)->u.list.first->u.text.body);
    else
        tg_latex_put_items(&writer, tg_tree_root(tree));
    return g_string_free(writer.out, FALSE);
}
