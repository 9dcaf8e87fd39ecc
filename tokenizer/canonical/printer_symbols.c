/* Writing symbols, named operators and accents as LaTeX. */
#include "tokenizer/canonical/printer_symbols.h"

#include <string.h>

#include "tokenizer/canonical/text_symbol.h"
#include "tokenizer/symbols/symbols.h"

static const char *const alphabets[] = {
    "mathnormal", "mathnormal", "mathrm",  "mathbf", "mathit",   "mathsf",
    "mathtt",     "mathcal",    "mathscr", "mathbb", "mathfrak",
};

/* A symbol in the alphabet in force. */
void tg_latex_put_plain_symbol(TgLatexWriter *self, const TgNode *node)
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

/* A symbol in any alphabet. */
static void put_in_alphabet(TgLatexWriter *self, const TgNode *node)
{
    const guint8 alphabet = self->alphabet;

    if (node->alphabet == alphabet) {
        tg_latex_put_plain_symbol(self, node);
        return;
    }
    tg_latex_put_command(self, alphabets[node->alphabet]);
    tg_latex_put(self, "{");
    self->alphabet = node->alphabet;
    tg_latex_put_plain_symbol(self, node);
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
void tg_latex_put_group(TgLatexWriter *self, const TgNode *list)
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

void tg_latex_put_symbol(TgLatexWriter *self, const TgNode *node)
{
    put_in_alphabet(self, node);
    if (would_add_space(node))
        tg_latex_put_command(self, "relax");
}

/* A delimiter, which may be none. */
void tg_latex_put_delimiter(TgLatexWriter *self, const TgNode *delimiter)
{
    if (delimiter != NULL)
        tg_latex_put_plain_symbol(self, delimiter);
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

void tg_latex_put_operator(TgLatexWriter *self, const TgNode *node)
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

void tg_latex_put_accent(TgLatexWriter *self, const TgNode *node)
{
    const guint8 alphabet = self->alphabet;

    if (node->alphabet == alphabet) {
        tg_latex_put_command_with(self, node->u.accent.symbol->name, node->u.accent.base);
    } else {
        tg_latex_put_command(self, alphabets[node->alphabet]);
        tg_latex_put(self, "{");
        self->alphabet = node->alphabet;
        tg_latex_put_command_with(self, node->u.accent.symbol->name, node->u.accent.base);
        self->alphabet = alphabet;
        tg_latex_put(self, "}");
    }
}
