/* Dots that look at what follows them, as amsmath's do. */
#include "tokenizer/latex/handlers.h"
#include "tokenizer/symbols/symbols.h"

/* amsmath's \extra@: a closing delimiter or the end of the formula gets a thin space before it. */
static gboolean is_closing(const TgTexToken *next)
{
    static const char *const names[] = { "rbrack", "}",      "rbrace",     "rangle", "rceil",
                                         "rfloor", "rgroup", "rmoustache", "right",  "bigr",
                                         "biggr",  "Bigr",   "Biggr" };

    return next->kind == TG_TOK_END || next->kind == TG_TOK_DOLLAR ||
           tg_token_is_char_of(next, ")]") ||
           tg_token_is_command_of(next, names, G_N_ELEMENTS(names));
}

/* In cells whose template ends `#$`, what follows & is that dollar already. */
static gboolean ends_cell(const TgParser *self, const TgTexToken *next)
{
    static const char *const braced[] = { "align", "eqn", "split", "flalign", "eqalign" };
    const TgScope *scope = self->scope;

    if (scope->kind != TG_SCOPE_CELL || scope->name == NULL ||
        (next->kind != TG_TOK_AMPERSAND && !tg_token_is_command(next, "cr")))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(braced); i++) {
        if (g_str_has_prefix(scope->name, braced[i]))
            return FALSE;
    }
    return TRUE;
}

/* The command that \dots becomes before @next (amsmath's \mdots@@). */
static const char *dots_before(const TgTexToken *next)
{
    const TgSymbol *symbol = next->symbol;

    if (tg_token_is_char_of(next, ","))
        return "dotsc";
    if (tg_token_is_char_of(next, "+=<>-*:"))
        return "cdots";
    if (symbol == NULL)
        return "ldots";
    if (symbol->math_class == TG_CLASS_BIN || symbol->math_class == TG_CLASS_REL)
        return "cdots";
    if (symbol->math_class == TG_CLASS_OP && symbol->kind != TG_SYMBOL_OPERATOR)
        return (symbol->flags & TG_SYMBOL_NO_LIMITS) != 0 ? "dotsi" : "cdots";
    return "ldots";
}

static void append_symbol(TgParser *self, const TgTexToken *token, const char *name)
{
    const TgSymbol *symbol = tg_symbol_find(name, strlen(name));
    TgNode *node = tg_parser_symbol_node(self, token, symbol, symbol->codepoint);

    node->alphabet = TG_ALPHABET_DEFAULT;
    tg_parser_append(self, node);
}

static void append_thin_space(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_SPACE, token);

    node->u.space.amount = (TgLength){ .value = 3 * 65536, .unit = TG_UNIT_MU };
    tg_parser_append(self, node);
}

/* \cdots, \dotsc, \dotso ..: text is the symbol; value 'p' when , ; . get a space before them,
 * 'c' when ; and . do, 'o' for \dots, which chooses by what follows. */
void tg_parser_dots(TgParser *self, const TgTexToken *token)
{
    TgTexToken next = tg_expander_raw(&self->in);
    const char *name = token->command->text;
    gboolean space;

    tg_expander_unread(&self->in, &next);
    if (self->scope->text) {
        tg_parser_text_char(self, token, 0x2026);
        return;
    }
    tg_expander_look_up(&self->in, &next);
    space = is_closing(&next) || ends_cell(self, &next);
    if (token->command->value == 'p')
        space = space || tg_token_is_char_of(&next, ",;.");
    else if (token->command->value == 'c')
        space = space || tg_token_is_char_of(&next, ";.");
    else
        name = dots_before(&next);
    if (strcmp(name, "dotsc") == 0)
        name = "ldots";

    append_symbol(self, token, name);
    if (space)
        append_thin_space(self, token);
}
