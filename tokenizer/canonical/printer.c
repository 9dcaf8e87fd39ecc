/* Writing a formula tree back as LaTeX, in one fixed spelling. */
#include "tokenizer/canonical/canonical.h"

#include <string.h>

#include "tokenizer/macros/commands.h"
#include "tokenizer/symbols/symbols.h"

/* LaTeX being written. */
typedef struct {
    GString *out;
    /* @out ends in a control word, so that a letter needs a space before it */
    gboolean word_end;
    /* @out ends in a space or a control space, so that a blank would be lost */
    gboolean space_end;
    /* the signs that the \\ or \begin{..} at the end of @out would read as its argument, or NULL */
    const char *taken;
    guint8 alphabet;  /* alphabet that holds at the end of @out */
    guint8 bold;      /* 1 inside \boldsymbol, \boldmath */
    TgTextFont font;  /* font of text that holds */
    gboolean in_name; /* in the name of an operator, where a hyphen is a hyphen */
    gint32 stretch;   /* \arraystretch that holds */
} Writer;

static const char *const alphabets[] = {
    "mathnormal", "mathnormal", "mathrm",  "mathbf", "mathit",   "mathsf",
    "mathtt",     "mathcal",    "mathscr", "mathbb", "mathfrak",
};
G_STATIC_ASSERT(G_N_ELEMENTS(alphabets) == TG_ALPHABET_FRAK + 1);

static void put_node(Writer *self, const TgNode *node);
static void put_words(Writer *self, const TgNode *list);
static void put_word_group(Writer *self, const TgNode *node);
static void put_plain_symbol(Writer *self, const TgNode *node);

/* ---- Pieces ---------------------------------------------------------------------------------- */

/* Write text unchanged, kept apart where what stands before it would swallow its first sign. */
static void put_string(Writer *self, const char *text, gsize len)
{
    if (len == 0)
        return;
    if (self->taken != NULL && strchr(self->taken, text[0]) != NULL)
        g_string_append(self->out, "\\relax ");
    else if (self->word_end && g_ascii_isalpha(text[0]))
        g_string_append_c(self->out, ' ');
    g_string_append_len(self->out, text, (gssize) len);
    self->word_end = self->space_end = FALSE;
    self->taken = NULL;
}

/* A command without its backslash: "frac". */
static void put_command(Writer *self, const char *name, gsize len)
{
    g_string_append_c(self->out, '\\');
    g_string_append_len(self->out, name, (gssize) len);
    self->word_end = g_ascii_isalpha(name[0]);
    self->space_end = name[0] == ' ';
    self->taken = NULL;
}

static void put_character(Writer *self, gunichar code)
{
    char utf8[7];

    put_string(self, utf8, (gsize) g_unichar_to_utf8(code, utf8));
}

/* TeX's print_scaled (section 103): the shortest decimals that TeX reads as the same number. */
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

/* A number and a unit. */
static void put_length(Writer *self, TgLength length)
{
    const gboolean is_command = tg_unit_is_of_box(length.unit);

    self->word_end = FALSE;
    if (length.unit == TG_UNIT_SP)
        g_string_append_printf(self->out, "%d", length.value);
    else
        put_scaled(self->out, length.value);
    g_string_append_printf(self->out, "%s%s", is_command ? "\\" : "", tg_unit_names[length.unit]);
}

static void put_items(Writer *self, const TgNode *list)
{
    for (const TgNode *item = list != NULL ? list->u.list.first : NULL; item != NULL;
         item = item->next)
        put_node(self, item);
}

/* Take off the \relax after \cdots where the formula or a group ends, which adds no space. */
static void drop_relax(Writer *self)
{
    static const char end[] = "\\cdots\\relax";
    const gsize len = self->out->len;

    if (len >= strlen(end) && strcmp(self->out->str + len - strlen(end), end) == 0)
        g_string_truncate(self->out, len - strlen("\\relax"));
}

/* {items}; an \arraystretch set in it ends with it. */
static void put_argument(Writer *self, const TgNode *list)
{
    const gint32 stretch = self->stretch;

    put_string(self, "{", 1);
    put_items(self, list);
    drop_relax(self);
    put_string(self, "}", 1);
    self->stretch = stretch;
}

/*
 * Writes LaTeX by a pattern. `\name` in it is a command; %c is a command's name, %s text, %C a
 * character, %u a number, %x a color, %f scaled points as a number, %l a length, %n the items of a
 * list, %a a list in braces, %w words in braces, %b either as the list is, %d a delimiter or a
 * dot for none.
 */
static void put_latex(Writer *self, const char *pattern, ...)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    const TgNode *list, *delimiter;
    const char *text;
    va_list args;

    va_start(args, pattern);
    for (gsize n; *pattern != '\0'; pattern += n) {
        if (*pattern == '\\') {
            n = 1 + strspn(pattern + 1, "abcdefghijklmnopqrstuvwxyz");
            n += n == 1;
            put_command(self, pattern + 1, n - 1);
            continue;
        }
        if (*pattern != '%') {
            n = strcspn(pattern, "\\%");
            put_string(self, pattern, n);
            continue;
        }
        n = 2;
        switch (pattern[1]) {
        case 'c':
            text = va_arg(args, const char *);
            put_command(self, text, strlen(text));
            break;
        case 's':
            text = va_arg(args, const char *);
            put_string(self, text, strlen(text));
            break;
        case 'C':
            put_character(self, va_arg(args, guint));
            break;
        case 'u':
            g_snprintf(number, sizeof number, "%d", va_arg(args, gint));
            put_string(self, number, strlen(number));
            break;
        case 'x':
            g_snprintf(number, sizeof number, "[HTML]{%06X}", va_arg(args, guint32) & 0xFFFFFF);
            put_string(self, number, strlen(number));
            break;
        case 'f':
            g_ascii_formatd(number, sizeof number, "%.6g", va_arg(args, gint32) / 65536.0);
            put_string(self, number, strlen(number));
            break;
        case 'l':
            put_length(self, va_arg(args, TgLength));
            break;
        case 'n':
            put_items(self, va_arg(args, const TgNode *));
            break;
        case 'a':
            put_argument(self, va_arg(args, const TgNode *));
            break;
        case 'w':
            put_word_group(self, va_arg(args, const TgNode *));
            break;
        case 'b':
            list = va_arg(args, const TgNode *);
            if (list->kind == TG_NODE_TEXT)
                put_word_group(self, list);
            else
                put_argument(self, list);
            break;
        case 'd':
            delimiter = va_arg(args, const TgNode *);
            if (delimiter != NULL)
                put_plain_symbol(self, delimiter);
            else
                put_string(self, ".", 1);
            break;
        default:
            g_assert_not_reached();
        }
    }
    va_end(args);
}

/* ---- Symbols, operators, accents ------------------------------------------------------------- */

/* Write a symbol in the current alphabet. */
static void put_plain_symbol(Writer *self, const TgNode *node)
{
    const TgSymbol *symbol = node->u.symbol.symbol;
    const TgCommand *command = symbol == NULL && node->alphabet == TG_ALPHABET_RM
                                   ? tg_command_of_text(node->u.symbol.code)
                                   : NULL;

    if (command != NULL)
        put_latex(self, "%c", command->name);
    else if (symbol == NULL)
        put_character(self, node->u.symbol.code);
    else if (symbol->name[1] == '\0' && tg_symbol_find_char((guchar) symbol->name[0]) == symbol)
        put_latex(self, "%s", symbol->name);
    else
        put_latex(self, "%c", symbol->name);
}

/* Whether \cdots would add a space before the next item. The tree has such a space already if it is
 * wanted. */
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

/* Write a symbol or an accent in its alphabet. */
static void put_in_alphabet(Writer *self, const TgNode *node)
{
    const gboolean other = node->alphabet != self->alphabet;

    if (other)
        put_latex(self, "%c{", alphabets[node->alphabet]);
    self->alphabet = node->alphabet;
    if (node->kind == TG_NODE_ACCENT)
        put_latex(self, "%c%a", node->u.accent.symbol->name, node->u.accent.base);
    else
        put_plain_symbol(self, node);
    if (other)
        put_latex(self, "}");
}

/* Write an accent of text. */
static void put_text_accent(Writer *self, const TgNode *node)
{
    const TgCommand *command = tg_command_of_text(node->u.accent.code);

    if (command != NULL)
        put_latex(self, "%c%w", command->name, node);
    else
        put_latex(self, "%w%C", node, node->u.accent.code);
}

/* Write an accent. Without a command for this place it is written after its base, because \c and \d
 * work only in text. */
static void put_accent(Writer *self, const TgNode *node)
{
    const TgNode *base = node->u.accent.base->u.list.first;

    if (node->u.accent.symbol != NULL)
        put_in_alphabet(self, node);
    else if (base != NULL && base->kind == TG_NODE_CHAR)
        put_text_accent(self, node);
    else
        put_latex(self, "%a%C", node->u.accent.base, node->u.accent.code);
}

gboolean tg_canonical_is_styled(const TgNode *list, guint8 alphabet)
{
    const TgNode *first = list->u.list.first;

    for (const TgNode *item = first; item != NULL; item = item->next)
        if ((item->kind != TG_NODE_SYMBOL && item->kind != TG_NODE_ACCENT) ||
            item->alphabet != first->alphabet)
            return FALSE;
    return first != NULL && first->alphabet != alphabet;
}

static void put_group(Writer *self, const TgNode *list)
{
    if (tg_canonical_is_styled(list, self->alphabet)) {
        self->alphabet = list->u.list.first->alphabet;
        put_latex(self, "%c", alphabets[self->alphabet]);
    }
    put_argument(self, list);
}

const TgSymbol *tg_canonical_operator(const TgNode *node)
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
    for (guint i = 0; i < n; i++)
        if (symbols[i].kind == TG_SYMBOL_OPERATOR && strcmp(symbols[i].latex, letters->str) == 0)
            return &symbols[i];
    return NULL;
}

static void put_operator(Writer *self, const TgNode *node)
{
    const TgSymbol *symbol = tg_canonical_operator(node);

    if (symbol != NULL &&
        ((symbol->flags & TG_SYMBOL_NO_LIMITS) == 0) == (node->u.op.limits == TG_LIMITS_DISPLAY)) {
        put_latex(self, "%c", symbol->name);
        return;
    }
    put_latex(self, "\\operatorname%s", node->u.op.limits == TG_LIMITS_DISPLAY ? "*" : "");
    self->alphabet = TG_ALPHABET_RM;
    self->in_name = TRUE;
    put_argument(self, node->u.op.body);
    self->in_name = FALSE;
}

/* ---- Scripts, fractions, roots --------------------------------------------------------------- */

static void put_scripts(Writer *self, const TgNode *node)
{
    static const char *const limits[] = { NULL, "displaylimits", "limits", "nolimits" };
    const TgNode *sup = node->u.scripts.sup, *rest = sup != NULL ? sup->u.list.first : NULL;

    if (node->u.scripts.nucleus != NULL)
        put_node(self, node->u.scripts.nucleus);
    else
        put_latex(self, "{}");
    if (limits[node->u.scripts.limits] != NULL)
        put_latex(self, "%c", limits[node->u.scripts.limits]);
    if (node->u.scripts.sub != NULL)
        put_latex(self, "_%a", node->u.scripts.sub);
    if (sup == NULL)
        return;
    for (guint i = 0; i < node->u.scripts.n_primes; i++, rest = rest->next)
        put_latex(self, "'");
    if (rest == NULL && node->u.scripts.n_primes > 0)
        return;
    put_latex(self, "^{");
    for (; rest != NULL; rest = rest->next)
        put_node(self, rest);
    drop_relax(self);
    put_latex(self, "}");
}

/* End a line or a row. */
static void put_line_end(Writer *self, TgLength gap)
{
    put_latex(self, gap.value != 0 ? "\\\\[%l]" : "\\\\", gap);
    self->taken = "[*";
}

/* \over, \atop, \above, each with delimiters. */
static void put_infix(Writer *self, const TgNode *node)
{
    static const char *const names[][3] = {
        { "atop", "over", "above" }, { "atopwithdelims", "overwithdelims", "abovewithdelims" }
    };
    const gboolean delimited = node->u.fraction.left != NULL || node->u.fraction.right != NULL;

    put_latex(self, "%n%c", node->u.fraction.num, names[delimited][node->u.fraction.has_bar]);
    if (delimited)
        put_latex(self, "%d%d", node->u.fraction.left, node->u.fraction.right);
    if (node->u.fraction.has_bar == 2)
        put_latex(self, "%l\\relax", node->u.fraction.bar);
    put_items(self, node->u.fraction.den);
}

static const char *fraction_command(const TgNode *node)
{
    static const char *const fractions[] = { "dfrac", "tfrac", NULL, NULL, "frac" };
    static const char *const binomials[] = { "dbinom", "tbinom", NULL, NULL, "binom" };
    const TgNode *l = node->u.fraction.left, *r = node->u.fraction.right;

    if (node->u.fraction.has_bar == 1 && l == NULL && r == NULL)
        return fractions[node->u.fraction.style];
    if (node->u.fraction.has_bar == 0 && l != NULL && r != NULL && l->u.symbol.code == '(' &&
        r->u.symbol.code == ')')
        return binomials[node->u.fraction.style];
    return NULL;
}

static void put_genfrac(Writer *self, const TgNode *node)
{
    const TgNode *left = node->u.fraction.left, *right = node->u.fraction.right;

    put_latex(self, left != NULL || right != NULL ? "\\genfrac{%d}{%d}{" : "\\genfrac{}{}{", left,
              right);
    if (node->u.fraction.has_bar != 1)
        put_length(self, node->u.fraction.bar);
    put_latex(self, "}{");
    if (node->u.fraction.style != TG_STYLE_INHERIT)
        put_latex(self, "%u", node->u.fraction.style);
    put_latex(self, "}");
}

static void put_fraction(Writer *self, const TgNode *node)
{
    const char *command = fraction_command(node);

    if (node->u.fraction.form == TG_FRACTION_INFIX) {
        put_infix(self, node);
        return;
    }
    if (node->u.fraction.form == TG_FRACTION_CFRAC)
        put_latex(self, "\\cfrac");
    else if (command != NULL)
        put_latex(self, "%c", command);
    else
        put_genfrac(self, node);
    put_latex(self, "%a%a", node->u.fraction.num, node->u.fraction.den);
}

/* Whether a text has a bracket outside of braces, which would end an optional argument. */
static gboolean has_bare_bracket(const char *text)
{
    gint depth = 0;

    for (; *text != '\0'; text++) {
        depth += (*text == '{') - (*text == '}');
        if (*text == ']' && depth == 0)
            return TRUE;
        text += *text == '\\' && text[1] != '\0';
    }
    return FALSE;
}

/* The items of a list as LaTeX of its own, which an optional argument needs. (transfer full) */
static char *latex_apart(const Writer *self, const TgNode *list)
{
    Writer apart = *self;

    apart.out = g_string_new(NULL);
    apart.word_end = apart.space_end = FALSE;
    apart.taken = NULL;
    put_items(&apart, list);
    return g_string_free(apart.out, FALSE);
}

/* A bracket inside the index would end the index. Then \root{..}\of is written, in braces because
 * it may contain another root. */
static void put_radical(Writer *self, const TgNode *node)
{
    const guint8 alphabet = self->alphabet;

    if (node->u.radical.index != NULL) {
        self->alphabet = TG_ALPHABET_DEFAULT;
        g_autofree char *index = latex_apart(self, node->u.radical.index);
        self->alphabet = alphabet;
        put_latex(self, strchr(index, ']') != NULL ? "\\root{%s}\\of" : "\\sqrt[%s]", index);
    } else {
        put_latex(self, "\\sqrt");
    }
    put_argument(self, node->u.radical.body);
}

static void put_stack(Writer *self, const TgNode *node)
{
    const TgNode *over = node->u.stack.over, *under = node->u.stack.under;

    if (node->u.stack.form == TG_STACK_REL)
        put_latex(self, "\\stackrel%a", over);
    else
        put_latex(self, "%c%a", over != NULL ? "overset" : "underset", over != NULL ? over : under);
    put_argument(self, node->u.stack.base);
}

static void put_arrow(Writer *self, const TgNode *node)
{
    const guint8 form = node->u.arrow.form;
    g_autofree char *name = g_strconcat(node->u.arrow.is_long ? "xlong" : "x",
                                        form == TG_ARROW_RIGHT_LEFT ? "tofrom"
                                        : form == TG_ARROW_EQUAL    ? "longequal"
                                                                    : tg_arrow_names[form],
                                        NULL);

    put_latex(self, "%c", name);
    if (node->u.arrow.below != NULL) {
        g_autofree char *below = latex_apart(self, node->u.arrow.below);
        put_latex(self, has_bare_bracket(below) ? "[{%s}]" : "[%s]", below);
    }
    put_argument(self, node->u.arrow.above);
}

static void put_bold(Writer *self, const TgNode *node)
{
    const gboolean poor = node->u.body.flag == TG_BOLD_POOR;

    self->bold |= !poor;
    put_latex(self, "%c%a", poor ? "pmb" : "boldsymbol", node->u.body.body);
}

/* ---- Spaces, colors, boxes, rules ----------------------------------------------------------- */

/* The command for exactly this space, or NULL. */
static const char *fixed_space(const TgNode *node)
{
    static const struct {
        gint32 value;
        guint8 unit, kern;
        const char *command;
    } spaces[] = {
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

static void put_space(Writer *self, const TgNode *node)
{
    const TgLength amount = node->u.space.amount;
    const char *command = fixed_space(node);
    const gboolean mu = amount.unit == TG_UNIT_MU;

    if (node->u.space.nonscript)
        put_latex(self, "\\nonscript");
    if (node->u.space.vertical)
        put_latex(self, "\\vspace{%l}", amount);
    else if (amount.unit == TG_UNIT_ITALIC)
        put_latex(self, "\\/");
    else if (amount.unit == TG_UNIT_INTERWORD)
        put_latex(self, node->u.space.interword == TG_INTERWORD_TIE ? "~" : "\\ ");
    else if (command != NULL)
        put_latex(self, "%c", command);
    else if (node->u.space.leaders != TG_LEADERS_NONE)
        put_latex(self, node->u.space.leaders == TG_LEADERS_DOTS ? "\\dotfill" : "\\hrulefill");
    else if (amount.value == 0 && (amount.fil == 1 || amount.fil == 2) && amount.unit == TG_UNIT_PT)
        put_latex(self, "%c", amount.fil == 1 ? "hfil" : "hfill");
    else if (node->u.space.kern || mu)
        put_latex(self, "%c%l\\relax",
                  node->u.space.kern ? (mu ? "mkern" : "kern") : (mu ? "mskip" : "hskip"), amount);
    else
        put_latex(self, "\\hspace{%l}", amount);
}

static void put_phantom(Writer *self, const TgNode *node)
{
    static const struct {
        guint8 flags;
        const char *pattern;
    } phantoms[] = {
        { TG_PHANTOM_NO_INK, "\\phantom" },
        { TG_PHANTOM_NO_INK | TG_PHANTOM_NO_HEIGHT | TG_PHANTOM_NO_DEPTH, "\\hphantom" },
        { TG_PHANTOM_NO_INK | TG_PHANTOM_NO_WIDTH, "\\vphantom" },
        { TG_PHANTOM_NO_HEIGHT | TG_PHANTOM_NO_DEPTH, "\\smash" },
        { TG_PHANTOM_NO_HEIGHT, "\\smash[t]" },
        { TG_PHANTOM_NO_DEPTH, "\\smash[b]" },
        { TG_PHANTOM_CRAMPED, "\\cramped" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(phantoms); i++)
        if (phantoms[i].flags == node->u.phantom.flags)
            put_latex(self, phantoms[i].pattern);
    put_argument(self, node->u.phantom.body);
}

static void put_lap(Writer *self, const TgNode *node)
{
    const TgNode *body = node->u.lap.body;
    g_autofree char *command =
        g_strdup_printf("%s%clap", body->kind == TG_NODE_TEXT ? "" : "math", node->u.lap.align);

    put_latex(self, "%c%b", command, body);
}

static void put_raise(Writer *self, const TgNode *node)
{
    if (node->u.raise.body->kind != TG_NODE_TEXT) {
        put_latex(self, "\\raise%l\\relax%n", node->u.raise.amount, node->u.raise.body);
        return;
    }
    put_latex(self, "\\raisebox{%l}", node->u.raise.amount);
    if (node->u.raise.has != 0) /* because TeX accepts a depth only after a height */
        put_latex(self, "[%l]", node->u.raise.height);
    if ((node->u.raise.has & 2) != 0)
        put_latex(self, "[%l]", node->u.raise.depth);
    put_word_group(self, node->u.raise.body);
}

static gboolean is_length(TgLength length, gint32 pt)
{
    return length.unit == TG_UNIT_PT && length.value == pt;
}

static void put_enclose(Writer *self, const TgNode *node)
{
    const guint8 shape = tg_enclosure_shapes[node->u.enclose.form];
    const gboolean is_frame = shape == TG_SHAPE_OF_FRAME;
    const gboolean has_sep = is_frame && !is_length(node->u.enclose.sep, TG_FRAME_SEP);
    const gboolean has_line = is_frame && !is_length(node->u.enclose.line, TG_FRAME_RULE);

    if (has_sep || has_line) /* the lengths are set for this frame alone */
        put_latex(self, "\\begingroup ");
    if (has_sep)
        put_latex(self, "\\fboxsep%l", node->u.enclose.sep);
    if (has_line)
        put_latex(self, "\\fboxrule%l", node->u.enclose.line);
    const TgNode *body = node->u.enclose.body;
    if (is_frame && body->kind == TG_NODE_TEXT && body->u.text.has_width) {
        const TgLength width = tg_length_of_points(
            tg_length_points(body->u.text.width) +
            2 * (tg_length_points(node->u.enclose.sep) + tg_length_points(node->u.enclose.line)));
        put_latex(self, "\\framebox[%l]", width);
        if (body->u.text.align != 'c')
            g_string_append_printf(self->out, "[%c]", body->u.text.align);
    } else {
        put_latex(self, "%c", tg_enclosure_names[node->u.enclose.form]);
    }
    if (node->u.enclose.form == TG_ENCLOSE_FCOLORBOX)
        put_latex(self, "%x", node->u.enclose.frame);
    if (shape == TG_SHAPE_OF_GROUND)
        put_latex(self, "%x", node->u.enclose.rgb);
    put_latex(self, "%b", node->u.enclose.body);
    if (has_sep || has_line)
        put_latex(self, "\\endgroup ");
}

static void put_rule(Writer *self, const TgNode *node)
{
    if (node->u.rule.form != TG_RULE_RULE) {
        put_latex(self, node->u.rule.form == TG_RULE_STRUT ? "\\strut" : "\\vline");
        return;
    }
    put_latex(self, "\\rule");
    if (node->u.rule.raise.value != 0)
        put_latex(self, "[%l]", node->u.rule.raise);
    put_latex(self, "{%l}{%l}", node->u.rule.width, node->u.rule.height);
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

static void put_columns(Writer *self, const TgColumnItem *items, guint32 n)
{
    put_latex(self, "{");
    for (guint32 i = 0; i < n; i++) {
        const gboolean is_cell = items[i].kind == TG_COLUMN_CELL;
        const char letter = is_cell ? (char) items[i].align : "c|@"[items[i].kind];

        put_string(self, &letter, 1);
        if (items[i].material != NULL)
            put_argument(self, items[i].material);
        if (is_cell && strchr("pmb", letter) != NULL)
            put_latex(self, "{0pt}");
    }
    put_latex(self, "}");
}

static void put_between(Writer *self, const TgBetween *between)
{
    if (between->kind == TG_BETWEEN_HLINE)
        put_latex(self, "\\hline");
    else if (between->kind == TG_BETWEEN_CLINE)
        put_latex(self, "\\cline{%u-%u}", (gint) between->first, (gint) between->last);
    else
        put_latex(self, "\\noalign{\\vskip%l\\relax}", between->space);
}

static void put_cell(Writer *self, const TgCell *cell)
{
    const gint32 stretch = self->stretch;

    if (cell->columns != NULL) {
        put_latex(self, "\\multicolumn{%u}", (gint) cell->span);
        put_columns(self, cell->columns, cell->n_columns);
        put_latex(self, "{");
    }
    if (cell->text)
        put_words(self, cell->content);
    else
        put_items(self, cell->content);
    if (cell->columns != NULL)
        put_latex(self, "}");
    self->stretch = stretch;
}

/* Whether a [ after the printed \begin{..} would be read as an argument. */
static gboolean takes_bracket(const TgArray *array)
{
    const TgEnvironmentInfo *info = tg_environment_find(array->name);

    return info != NULL && array->align == 'c' &&
           (info->args == TG_ENV_ARGS_PLACE || info->args == TG_ENV_ARGS_BOX ||
            info->args == TG_ENV_ARGS_ALIGN || info->args == TG_ENV_ARGS_PRESET);
}

static void put_rows(Writer *self, const TgArray *array)
{
    guint32 next = 0;

    for (guint32 r = 0; r <= array->n_rows; r++) {
        for (; next < array->n_between && array->between[next].row == r; next++)
            put_between(self, &array->between[next]);
        if (r == array->n_rows)
            break;

        const TgRow *row = &array->rows[r];
        const gsize start = self->out->len;
        if (r == 0 && takes_bracket(array))
            self->taken = "[";
        for (guint32 i = 0; i < row->n_cells; i++) {
            if (i > 0)
                put_latex(self, "&");
            put_cell(self, &row->cells[i]);
        }
        /* an empty row after the last \\ needs an atom, because TeX drops such a row */
        if (r > 0 && r + 1 == array->n_rows && !row->ended && self->out->len == start)
            put_latex(self, "{}");
        if (row->ended || r + 1 < array->n_rows)
            put_line_end(self, row->gap);
    }
}

/* The arguments of \begin{..}. */
static void put_arguments(Writer *self, const TgArray *array)
{
    const TgEnvironmentInfo *info = tg_environment_find(array->name);

    if (info == NULL)
        return;
    if (array->align != 'c')
        put_latex(self, "[%C]", (guint) array->align);
    if (info->args == TG_ENV_ARGS_COLUMNS || info->args == TG_ENV_ARGS_COLUMN)
        put_columns(self, array->columns, array->n_column_items);
    else if (info->args == TG_ENV_ARGS_NUMBER)
        put_latex(self, "{%u}", (gint) (array->n_columns + 1) / 2);
    else if (info->args == TG_ENV_ARGS_PRESET && array->n_column_items > 0)
        put_latex(self, "[%C]", (guint) array->columns[0].align);
}

static void put_array(Writer *self, const TgNode *node)
{
    const TgArray *array = node->u.array;
    const gboolean is_command =
        array->environment == TG_ENV_PLAIN_MATRIX ||
        (array->environment == TG_ENV_SUBARRAY && strcmp(array->name, "substack") == 0);

    if (array->stretch != self->stretch)
        put_latex(self, "\\def\\arraystretch{%f}", array->stretch);
    self->stretch = array->stretch;
    if (is_command) { /* \matrix{..}, \substack{..} */
        put_latex(self, "%c{", array->name);
        put_rows(self, array);
        put_latex(self, "}");
        return;
    }
    put_latex(self, "\\begin{%s}", array->name);
    put_arguments(self, array);
    if (strcmp(array->name, "cases") == 0)
        self->stretch = TG_CASES_STRETCH;
    put_rows(self, array);
    self->stretch = array->stretch;
    put_latex(self, "\\end{%s}", array->name);
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* Write switches from the current font to @font. */
static void put_font(Writer *self, TgTextFont font)
{
    static const char *const families[] = { "rmfamily", "sffamily", "ttfamily" };
    static const char *const shapes[] = { "upshape", "itshape", "slshape", "scshape" };

    if (font.family != self->font.family)
        put_latex(self, "%c", families[font.family]);
    if (font.bold != self->font.bold)
        put_latex(self, font.bold ? "\\bfseries" : "\\mdseries");
    if (font.shape != self->font.shape)
        put_latex(self, "%c", shapes[font.shape]);
    self->font.family = font.family;
    self->font.bold = font.bold;
    self->font.shape = font.shape;
}

static void put_char(Writer *self, const TgNode *node)
{
    const gunichar code = node->u.character.code;
    const gboolean named = node->u.character.named;
    const char name[] = { (char) code, '\0' };

    put_font(self, node->u.character.font);
    if (self->word_end && code < 0x80 && !g_ascii_isalpha((char) code))
        self->word_end = FALSE;
    if (code >= 0x80)
        put_character(self, code);
    else if (!named && strchr("\\_{}", (int) code) != NULL)
        put_latex(self, "\\symbol{%u}", (gint) code);
    else if (named && strchr("'<>|", (int) code) != NULL)
        put_latex(self, "%c", tg_command_of_text(code)->name);
    else if (code == '\\' || code == '^' || code == '~')
        put_latex(self, code == '\\'  ? "\\textbackslash"
                        : code == '^' ? "\\textasciicircum"
                                      : "\\textasciitilde");
    else
        put_latex(self, code != 0 && strchr("#$%&_{}", (int) code) != NULL ? "%c" : "%s", name);
}

/* Whether mathematics in text is bold. */
static gboolean is_bold(const TgNode *node)
{
    TgChildIter iter = tg_child_iter(node);

    if (node->kind == TG_NODE_SYMBOL)
        return node->bold == 1;
    if (node->kind == TG_NODE_BOLD)
        return FALSE;
    for (const TgNode *child; (child = tg_child_iter_next(&iter)) != NULL;)
        if (is_bold(child))
            return TRUE;
    return FALSE;
}

static void put_math(Writer *self, const TgNode *node)
{
    const guint8 bold = self->bold;
    const char *dollar = node->u.body.flag ? "$$" : "$";

    if (bold == 0 && is_bold(node)) {
        put_latex(self, "\\boldmath");
        self->bold = 1;
    }
    self->alphabet = TG_ALPHABET_DEFAULT;
    put_latex(self, "%s%n%s", dollar, node->u.body.body, dollar);
    if (self->bold != bold)
        put_latex(self, "\\unboldmath");
}

/* The command for a box of text whose characters all have one font, given in @font; NULL when there
 * is none. */
static const char *text_command(const TgNode *list, TgTextFont *font)
{
    static const char *const families[] = { "text", "textsf", "texttt" };
    static const char *const shapes[] = { NULL, "textit", "textsl", "textsc" };
    const TgTextFont around = *font;
    gboolean found = FALSE;

    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_LIST || item->kind == TG_NODE_ACCENT ||
            item->kind == TG_NODE_SIZE)
            return NULL;
        if (item->kind != TG_NODE_CHAR)
            continue;
        if (found && memcmp(font, &item->u.character.font, sizeof *font) != 0)
            return NULL;
        *font = item->u.character.font;
        found = TRUE;
    }
    if (!found || font->size != around.size ||
        (font->family != TG_FAMILY_RM) + (font->shape != TG_SHAPE_UP) + font->bold > 1)
        return NULL;
    if (font->bold)
        return "textbf";
    return font->shape != TG_SHAPE_UP ? shapes[font->shape] : families[font->family];
}

static gboolean has_break(const TgNode *words)
{
    for (const TgNode *item = words->u.list.first; item != NULL; item = item->next)
        if (item->kind == TG_NODE_BREAK)
            return TRUE;
    return FALSE;
}

static void put_text(Writer *self, const TgNode *node)
{
    const TgTextFont around = self->font;
    const TgNode *only = tg_list_only(node->u.text.body, TG_NODE_CHAR);

    if (self->in_name && only != NULL && only->u.character.code == '-') {
        put_latex(self, "-");
        return;
    }
    if (node->u.text.shape != NULL) {
        put_latex(self, "%s", node->u.text.shape);
    } else if (node->u.text.place != 0 && has_break(node->u.text.body)) {
        put_latex(self, "\\parbox[%C]{%l}", (guint) node->u.text.place, node->u.text.width);
    } else if (node->u.text.has_width) {
        put_latex(self, "\\makebox[%l]", node->u.text.width);
        if (node->u.text.align != 'c')
            put_latex(self, "[%C]", (guint) node->u.text.align);
    } else if (!node->u.text.scales) {
        put_latex(self, "\\mbox");
    } else {
        TgTextFont font = around;
        const char *command = text_command(node->u.text.body, &font);

        put_latex(self, "%c", command != NULL ? command : "text");
        if (command != NULL)
            self->font = font;
    }
    put_word_group(self, node);
    self->font = around;
}

static void put_words(Writer *self, const TgNode *list)
{
    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_LIST) {
            put_word_group(self, item);
        } else if (item->kind == TG_NODE_ACCENT) {
            put_text_accent(self, item);
        } else if (tg_node_is_blank(item) && !self->word_end && !self->space_end) {
            g_string_append_c(self->out, ' '); /* because the space would be lost elsewhere */
            self->space_end = TRUE;
        } else {
            put_node(self, item);
        }
    }
}

/* Write {words}: the words of a list or of a node. */
static void put_word_group(Writer *self, const TgNode *node)
{
    const TgTextFont font = self->font;

    put_latex(self, "{");
    put_words(self, node->kind == TG_NODE_TEXT     ? node->u.text.body
                    : node->kind == TG_NODE_ACCENT ? node->u.accent.base
                    : node->kind != TG_NODE_LIST   ? node->u.body.body
                                                   : node);
    put_latex(self, "}");
    self->font = font;
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

/* Write the command of the kind's table, with the children as its arguments. */
static void put_by_table(Writer *self, const TgNode *node)
{
    const TgNodeField *field = tg_node_kinds[node->kind].fields;
    g_autoptr(GString) command = g_string_new(tg_node_kinds[node->kind].command);

    for (; field->type == TG_NODE_FIELD_ENUM; field++)
        g_string_append(command, field->names[*((const guint8 *) node + field->offset)]);
    put_latex(self, "%c", command->str);
    for (; field->type == TG_NODE_FIELD_CHILD; field++)
        put_latex(self,
                  field->content == TG_CONTENT_DELIMITER ? "%d"
                  : field->content == TG_CONTENT_WORDS   ? "%w"
                  : field->content == TG_CONTENT_BOX     ? "%b"
                                                         : "%a",
                  tg_node_child(node, field));
}

/* Write a node of a kind that is neither in put_node() nor in the table. */
static void put_rest(Writer *self, const TgNode *node)
{
    static const char *const styles[] = { "displaystyle", "textstyle", "scriptstyle",
                                          "scriptscriptstyle" };
    static const char *const sizes[] = { "big", "big", "Big", "bigg", "Bigg" };
    static const char *const classes[] = { "", "", "", "m", "l", "r", "", "" };
    const char *error;
    char name[16];

    switch ((TgNodeKind) node->kind) {
    case TG_NODE_SYMBOL:
        put_in_alphabet(self, node);
        if (would_add_space(node))
            put_latex(self, "\\relax");
        break;
    case TG_NODE_BIG:
        g_snprintf(name, sizeof name, "%s%s", sizes[node->u.big.size], classes[node->math_class]);
        put_latex(self, "%c%d", name, node->u.big.delimiter);
        break;
    case TG_NODE_DELIMITED:
        put_latex(self, "\\left%d%n\\right%d", node->u.delimited.left, node->u.delimited.body,
                  node->u.delimited.right);
        break;
    case TG_NODE_STYLE:
        put_latex(self, "%c", styles[node->u.change.style]);
        break;
    case TG_NODE_SIZE:
        put_latex(self, "%c", tg_size_names[node->u.change.style]);
        self->font.size = node->u.change.style;
        break;
    case TG_NODE_COLOR:
        put_latex(self, node->u.color.body != NULL ? "\\textcolor%x%a" : "\\color%x",
                  node->u.color.rgb, node->u.color.body);
        break;
    case TG_NODE_BREAK:
        put_line_end(self, node->u.line_break.gap);
        break;
    case TG_NODE_TAG:
        put_latex(self, node->u.body.flag ? "\\tag*%w" : "\\tag%w", node);
        break;
    case TG_NODE_ERROR:
        error = node->u.error.text;
        if (error[0] == '\\' && error[1] != '\0')
            put_latex(self, "%c", error + 1);
        else
            put_latex(self, "%s", error);
        break;
    default:
        put_by_table(self, node);
    }
}

/* Write a node; an alphabet and bold type that it sets end with it. */
static void put_node(Writer *self, const TgNode *node)
{
    static void (*const by_kind[TG_N_NODE_KINDS])(Writer *, const TgNode *) = {
        [TG_NODE_LIST] = put_group,      [TG_NODE_OPERATOR] = put_operator,
        [TG_NODE_SCRIPTS] = put_scripts, [TG_NODE_FRACTION] = put_fraction,
        [TG_NODE_RADICAL] = put_radical, [TG_NODE_ACCENT] = put_accent,
        [TG_NODE_STACK] = put_stack,     [TG_NODE_ARROW] = put_arrow,
        [TG_NODE_BOLD] = put_bold,       [TG_NODE_ARRAY] = put_array,
        [TG_NODE_TEXT] = put_text,       [TG_NODE_CHAR] = put_char,
        [TG_NODE_MATH] = put_math,       [TG_NODE_SPACE] = put_space,
        [TG_NODE_PHANTOM] = put_phantom, [TG_NODE_LAP] = put_lap,
        [TG_NODE_RAISE] = put_raise,     [TG_NODE_ENCLOSE] = put_enclose,
        [TG_NODE_RULE] = put_rule,
    };
    const guint8 alphabet = self->alphabet, bold = self->bold;

    if (tg_node_starts_formula(node))
        self->alphabet = TG_ALPHABET_DEFAULT;
    if (by_kind[node->kind] != NULL)
        by_kind[node->kind](self, node);
    else
        put_rest(self, node);
    self->alphabet = alphabet;
    self->bold = bold;
}

char *tg_tree_to_latex(const TgTree *tree)
{
    const TgNode *box = tg_list_only(tree->root, TG_NODE_TEXT);
    const TgNode *item = box != NULL ? box->u.text.body->u.list.first : NULL;
    Writer writer = { .out = g_string_new(NULL), .font.size = TG_SIZE_NORMAL, .stretch = 65536 };

    while (item != NULL && (item->kind != TG_NODE_MATH || !item->u.body.flag))
        item = item->next;
    if (item != NULL) /* in a box, `$$` would not begin a display */
        put_words(&writer, box->u.text.body);
    else
        put_items(&writer, tree->root);
    drop_relax(&writer); /* a space at the end does not show */
    return g_string_free(writer.out, FALSE);
}
