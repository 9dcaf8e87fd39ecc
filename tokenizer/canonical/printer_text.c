/* Writing words as LaTeX. */
#include "tokenizer/canonical/printer_text.h"

#include <string.h>

#include "tokenizer/canonical/text_symbol.h"
#include "tokenizer/macros/commands.h"

/* ---- Fonts --------------------------------------------------------------------------------- */

/* Switches from the font in force to @font. */
static void put_font(TgLatexWriter *self, TgTextFont font)
{
    static const char *const families[] = { "rmfamily", "sffamily", "ttfamily" };
    static const char *const shapes[] = { "upshape", "itshape", "slshape", "scshape" };

    if (font.family != self->font.family)
        tg_latex_put_command(self, families[font.family]);
    if (font.bold != self->font.bold)
        tg_latex_put_command(self, font.bold ? "bfseries" : "mdseries");
    if (font.shape != self->font.shape)
        tg_latex_put_command(self, shapes[font.shape]);
    self->font.family = font.family;
    self->font.bold = font.bold;
    self->font.shape = font.shape;
}

/* The command that sets @font for a box of text, or NULL when none does. */
static const char *font_command(TgTextFont font)
{
    static const char *const families[] = { "text", "textsf", "texttt" };
    static const char *const shapes[] = { NULL, "textit", "textsl", "textsc" };
    const guint n = (font.family != TG_FAMILY_RM) + (font.shape != TG_SHAPE_UP) + font.bold;

    if (n > 1)
        return NULL;
    if (font.bold)
        return "textbf";
    return font.shape != TG_SHAPE_UP ? shapes[font.shape] : families[font.family];
}

/* Whether all characters directly in @list are in one font, given in @font. */
static gboolean has_one_font(const TgNode *list, TgTextFont *font)
{
    gboolean found = FALSE;

    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_LIST || item->kind == TG_NODE_ACCENT ||
            item->kind == TG_NODE_SIZE)
            return FALSE;
        if (item->kind != TG_NODE_CHAR)
            continue;
        if (found && memcmp(font, &item->u.character.font, sizeof *font) != 0)
            return FALSE;
        *font = item->u.character.font;
        found = TRUE;
    }
    return found;
}

/* ---- Characters ---------------------------------------------------------------------------- */

void tg_latex_put_char(TgLatexWriter *self, const TgNode *node)
{
    const gunichar code = node->u.character.code;

    put_font(self, node->u.character.font);
    if (self->word_end && code < 0x80 && !g_ascii_isalpha((char) code))
        self->word_end = FALSE;
    if (code < 0x80 && !node->u.character.named && strchr("\\_{}", (int) code) != NULL) {
        char number[8];
        g_snprintf(number, sizeof number, "{%u}", code);
        tg_latex_put_command(self, "symbol");
        tg_latex_put(self, number);
        return;
    }
    if (node->u.character.named && strchr("'<>|", (int) code) != NULL) {
        tg_latex_put_command(self, tg_latex_text_symbol(code));
        return;
    }
    switch (code) {
    case '\\':
        tg_latex_put_command(self, "textbackslash");
        break;
    case '^':
        tg_latex_put_command(self, "textasciicircum");
        break;
    case '~':
        tg_latex_put_command(self, "textasciitilde");
        break;
    case '#':
    case '$':
    case '%':
    case '&':
    case '_':
    case '{':
    case '}': {
        const char name[] = { (char) code, '\0' };
        tg_latex_put_command(self, name);
        break;
    }
    default:
        tg_latex_put_character(self, code);
        break;
    }
}

void tg_latex_put_text_accent(TgLatexWriter *self, const TgNode *node)
{
    const TgCommand *command = tg_command_of_mark(node->u.accent.code);

    if (command != NULL)
        tg_latex_put_command(self, command->name);
    tg_latex_put_words_argument(self, node);
    if (command == NULL)
        tg_latex_put_character(self, node->u.accent.code);
}

/* A space between words; where one would be lost, a control space. */
static void put_interword(TgLatexWriter *self, const TgNode *node)
{
    if (node->u.space.interword != TG_INTERWORD_BLANK || self->word_end || self->space_end) {
        self->put_node(self, node);
        return;
    }
    g_string_append_c(self->out, ' ');
    self->space_end = TRUE;
}

/* ---- Mathematics and boxes ----------------------------------------------------------------- */

/* Whether mathematics in text was written in bold. */
static gboolean is_bold(const TgNode *node)
{
    TgChildIter iter;
    const TgNode *child;

    if (node->kind == TG_NODE_SYMBOL)
        return node->bold == 1;
    if (node->kind == TG_NODE_BOLD)
        return FALSE;
    tg_child_iter_init(&iter, node);
    while ((child = tg_child_iter_next(&iter)) != NULL) {
        if (is_bold(child))
            return TRUE;
    }
    return FALSE;
}

void tg_latex_put_math(TgLatexWriter *self, const TgNode *node)
{
    const guint8 alphabet = self->alphabet, bold = self->bold;
    const char *dollar = node->u.body.flag ? "$$" : "$";

    if (bold == 0 && is_bold(node)) {
        tg_latex_put_command(self, "boldmath");
        self->bold = 1;
    }
    self->alphabet = TG_ALPHABET_DEFAULT;
    tg_latex_put(self, dollar);
    tg_latex_put_items(self, node->u.body.body);
    tg_latex_put(self, dollar);
    if (self->bold != bold)
        tg_latex_put_command(self, "unboldmath");
    self->alphabet = alphabet;
    self->bold = bold;
}

void tg_latex_put_text(TgLatexWriter *self, const TgNode *node)
{
    const char align[] = { '[', (char) node->u.text.align, ']', '\0' };
    const TgTextFont around = self->font;
    TgTextFont font = around;

    if (node->u.text.stacked || node->u.text.has_width == 2) {
        tg_latex_put_command(self, node->u.text.stacked == 'b'   ? "vbox"
                                   : node->u.text.stacked == 't' ? "vtop"
                                                                 : "hbox");
        if (node->u.text.has_width) {
            tg_latex_put(self, node->u.text.has_width == 2 ? " spread" : " to");
            tg_latex_put_open_length(self, node->u.text.width);
        }
    } else if (node->u.text.has_width) {
        tg_latex_put_command(self, "makebox");
        tg_latex_put_length_option(self, node->u.text.width);
        if (node->u.text.align != 'c')
            tg_latex_put(self, align);
    } else if (!node->u.text.scales) {
        tg_latex_put_command(self, "mbox");
    } else {
        const char *command = has_one_font(node->u.text.body, &font) ? font_command(font) : NULL;
        if (command == NULL || font.size != around.size) {
            command = "text";
            font = around;
        }
        tg_latex_put_command(self, command);
        self->font = font;
    }
    tg_latex_put_words_argument(self, node);
    self->font = around;
}

static void put_word_group(TgLatexWriter *self, const TgNode *list)
{
    const TgTextFont font = self->font;

    tg_latex_put(self, "{");
    tg_latex_put_words(self, list);
    tg_latex_put(self, "}");
    self->font = font;
}

void tg_latex_put_words(TgLatexWriter *self, const TgNode *list)
{
    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_LIST)
            put_word_group(self, item);
        else if (item->kind == TG_NODE_SPACE && item->u.space.amount.unit == TG_UNIT_INTERWORD)
            put_interword(self, item);
        else if (item->kind == TG_NODE_ACCENT)
            tg_latex_put_text_accent(self, item);
        else
            self->put_node(self, item);
    }
}

void tg_latex_put_words_argument(TgLatexWriter *self, const TgNode *node)
{
    const TgNode *list = node;

    if (node->kind == TG_NODE_TEXT)
        list = node->u.text.body;
    else if (node->kind == TG_NODE_ACCENT)
        list = node->u.accent.base;
    else if (node->kind != TG_NODE_LIST)
        list = node->u.body.body;
    put_word_group(self, list);
}
