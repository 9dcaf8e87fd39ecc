/* Writing scripts, fractions, roots, stacks and delimiters as LaTeX. */
#include "tokenizer/canonical/printer_structure.h"

#include <string.h>

#include "tokenizer/canonical/printer_symbols.h"
#include "tokenizer/tree/tree.h"

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
        self->put_node(self, rest);
    tg_latex_put(self, "}");
}

void tg_latex_put_scripts(TgLatexWriter *self, const TgNode *node)
{
    if (node->u.scripts.nucleus != NULL)
        self->put_node(self, node->u.scripts.nucleus);
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

void tg_latex_put_sideset(TgLatexWriter *self, const TgNode *node)
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
        tg_latex_put_delimiter(self, node->u.fraction.left);
        tg_latex_put_delimiter(self, node->u.fraction.right);
    }
    if (node->u.fraction.has_bar == 2)
        tg_latex_put_open_length(self, node->u.fraction.bar);
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

    if (node->u.fraction.form == TG_FRACTION_NICE)
        return "nicefrac";
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
            tg_latex_put_plain_symbol(self, delimiters[i]);
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

void tg_latex_put_fraction(TgLatexWriter *self, const TgNode *node)
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
void tg_latex_put_stretch(TgLatexWriter *self, const TgNode *node)
{
    tg_latex_put_command(self, tg_stretch_names[node->u.stretch.form]);
    if (node->u.stretch.has >= 1)
        tg_latex_put_length_option(self, node->u.stretch.line);
    if (node->u.stretch.has >= 2)
        tg_latex_put_length_option(self, node->u.stretch.height);
    tg_latex_put_argument(self, node->u.stretch.body);
}

void tg_latex_put_radical(TgLatexWriter *self, const TgNode *node)
{
    if (node->u.radical.index != NULL) {
        TgLatexWriter index = *self;
        index.out = g_string_new(NULL);
        index.word_end = index.space_end = FALSE;
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

void tg_latex_put_stack(TgLatexWriter *self, const TgNode *node)
{
    const TgNode *over = node->u.stack.over, *under = node->u.stack.under;

    if (node->u.stack.form == TG_STACK_REL) {
        tg_latex_put_command_with(self, "stackrel", over);
    } else if (over != NULL && under != NULL) {
        tg_latex_put_command_with(self, "overunderset", over);
        tg_latex_put_argument(self, under);
    } else {
        tg_latex_put_command_with(self, over != NULL ? "overset" : "underset",
                                  over != NULL ? over : under);
    }
    tg_latex_put_argument(self, node->u.stack.base);
}

void tg_latex_put_arrow(TgLatexWriter *self, const TgNode *node)
{
    const guint8 form = node->u.arrow.form;
    g_autofree char *name = g_strconcat("x",
                                        form == TG_ARROW_RIGHT_LEFT ? "tofrom"
                                        : form == TG_ARROW_EQUAL    ? "longequal"
                                                                    : tg_arrow_names[form],
                                        NULL);

    tg_latex_put_command(self, name);
    if (node->u.arrow.below != NULL) {
        tg_latex_put(self, "[");
        tg_latex_put_items(self, node->u.arrow.below);
        tg_latex_put(self, "]");
    }
    tg_latex_put_argument(self, node->u.arrow.above);
}

void tg_latex_put_big(TgLatexWriter *self, const TgNode *node)
{
    static const char *const sizes[] = { "big", "big", "Big", "bigg", "Bigg" };
    static const char *const classes[] = { "", "", "", "m", "l", "r", "", "" };
    g_autofree char *name = g_strconcat(sizes[node->u.big.size], classes[node->math_class], NULL);

    tg_latex_put_command(self, name);
    tg_latex_put_delimiter(self, node->u.big.delimiter);
}

void tg_latex_put_delimited(TgLatexWriter *self, const TgNode *node)
{
    tg_latex_put_command(self, "left");
    tg_latex_put_delimiter(self, node->u.delimited.left);
    tg_latex_put_items(self, node->u.delimited.body);
    tg_latex_put_command(self, "right");
    tg_latex_put_delimiter(self, node->u.delimited.right);
}

void tg_latex_put_bold(TgLatexWriter *self, const TgNode *node)
{
    const guint8 bold = self->bold;

    self->bold = node->u.body.flag ? bold : 1;
    tg_latex_put_command_with(self, node->u.body.flag ? "pmb" : "boldsymbol", node->u.body.body);
    self->bold = bold;
}
