/* Text: \text and boxes, fonts, accents, formulas inside text; characters by number and
 * verbatim. */
#include "tokenizer/latex/parser.h"

#include "core/utf8.h"

/* ---- Boxes and fonts ------------------------------------------------------------------------- */

TgNode *tg_parser_text_box(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_text_of(self, token, NULL);

    node->u.text.body = tg_parser_text_argument(self, token, "an argument");
    node->end = MAX(node->end, node->u.text.body->end);
    return node;
}

/* Append a box whose size follows the style if it @scales. \mbox may contain a blank line, \text
 * may not. */
static void append_text_box(TgParser *self, const TgTexToken *token, gboolean scales)
{
    const gboolean short_text = self->short_text;

    self->short_text = scales;
    TgNode *node = tg_parser_text_box(self, token);
    self->short_text = short_text;
    tg_parser_update_paragraphs(self);
    node->u.text.scales = scales != FALSE;
    tg_parser_append(self, node);
}

/* \text, \mbox, \emph: value 1 when the size follows the style. */
void tg_parser_text(TgParser *self, const TgTexToken *token)
{
    append_text_box(self, token, token->command->value != 0);
}

/* The side at which a box aligns content wider than itself: away from its \hss or \hfil. */
static guint8 stretched_align(const TgNode *list)
{
    const TgNode *first = list->u.list.first, *last = first;

    while (last != NULL && last->next != NULL)
        last = last->next;
    if (first == NULL || first->kind != TG_NODE_SPACE || first->u.space.amount.fil == 0)
        return 'l';
    return last->kind == TG_NODE_SPACE && last->u.space.amount.fil != 0 ? 'c' : 'r';
}

/* \hbox, and \vbox and \vtop, which are set on one line; `to 2cm` is the width of an \hbox. */
void tg_parser_hbox(TgParser *self, const TgTexToken *token)
{
    TgTexToken next = tg_expander_next_nonspace(&self->in);
    TgLength width = { 0 };
    const gboolean has_width = tg_token_is_char(&next, 't') && tg_token_is_command(token, "hbox");

    if (tg_token_is_char(&next, 't')) {
        tg_expander_next_nonspace(&self->in);
        width = tg_parser_length(self, token, FALSE);
        next = tg_expander_next_nonspace(&self->in);
    }
    tg_expander_unread(&self->in, &next);
    if (next.kind != TG_TOK_OPEN && !tg_token_is_command(&next, "bgroup"))
        tg_parser_fault(self, token, TG_PARSE_MISSING_ARGUMENT, "needs braces");

    TgNode *node = tg_parser_text_box(self, token);
    if (has_width) {
        node->u.text.has_width = 1;
        node->u.text.width = width;
        node->u.text.align = stretched_align(node->u.text.body);
    }
    tg_parser_append(self, node);
}

TgNode *tg_parser_sized_box(TgParser *self, const TgTexToken *token)
{
    TgLength width = { .unit = TG_UNIT_PT };
    TgTexTokens list;
    const gboolean has_width = tg_expander_optional(&self->in, &list);
    if (has_width)
        width = tg_parser_length_of(self, list, token, FALSE);
    g_autofree char *position = tg_parser_string_optional(self);

    TgNode *node = tg_parser_text_box(self, token);
    node->u.text.has_width = has_width;
    node->u.text.width = width;
    if (position != NULL && (position[0] == 'l' || position[0] == 'r'))
        node->u.text.align = (guint8) position[0];
    return node;
}

/* \makebox[width][position]{..} */
void tg_parser_makebox(TgParser *self, const TgTexToken *token)
{
    tg_parser_append(self, tg_parser_sized_box(self, token));
}

/* Whether an argument of a box is what TeX wants there: a length or `!` of \resizebox, else a
 * number.
 */
static gboolean check_size(TgParser *self, const TgTexToken *token, TgTexTokens list,
                           const char *text)
{
    const guint n_errors = self->errors.n;
    char *end = NULL;

    if (tg_token_is_command(token, "resizebox")) {
        if (strcmp(text, "!") != 0)
            tg_parser_length_of(self, list, token, FALSE);
        return self->errors.n == n_errors;
    }
    g_ascii_strtod(text, &end);
    if (end != text && *end == '\0' && text[strspn(text, "+-.0123456789")] == '\0')
        return TRUE;
    tg_parser_fault(self, token, TG_PARSE_LENGTH, "needs a number");
    return FALSE;
}

/* \scalebox{2}[1]{..}, \rotatebox, \resizebox: the text of the command has the arguments before the
 * box, as those of templates. */
void tg_parser_shaped_box(TgParser *self, const TgTexToken *token)
{
    static const char *const identities[] = { "\\scalebox{1}", "\\scalebox{1}[1]", "\\rotatebox{0}",
                                              NULL };
    g_autoptr(GString) shape = g_string_new("\\");
    gboolean sane = TRUE;

    g_string_append(shape, token->command->name);
    for (const char *kind = token->command->text; *kind != '\0'; kind++) {
        TgTexTokens list;

        if (*kind == 's' && tg_expander_star(&self->in))
            g_string_append_c(shape, '*');
        if (*kind == 's' ||
            !(*kind == 'm' ? tg_parser_tokens_argument(self, token, "an argument", &list)
                           : tg_expander_optional(&self->in, &list)))
            continue;
        g_autofree char *text = tg_parser_spelling(list);
        if (*kind == 'm')
            sane = check_size(self, token, list, text) && sane;
        char *end = NULL, number[G_ASCII_DTOSTR_BUF_SIZE];
        const double value = g_ascii_strtod(text, &end);
        const gboolean is_number = end != text && *end == '\0';
        if (is_number) /* in its shortest form */
            g_ascii_formatd(number, sizeof number, "%.6g", value);
        g_string_append_printf(shape, *kind == 'm' ? "{%s}" : "[%s]", is_number ? number : text);
    }
    TgNode *node = tg_parser_text_box(self, token);
    if (sane && !g_strv_contains(identities, shape->str))
        node->u.text.shape = tg_arena_text(&self->tree->arena, shape->str, shape->len);
    tg_parser_append(self, node);
}

static void change_font(TgTextFont *font, gint32 change)
{
    enum {
        FAMILY = G_STRUCT_OFFSET(TgTextFont, family),
        SHAPE = G_STRUCT_OFFSET(TgTextFont, shape),
        BOLD = G_STRUCT_OFFSET(TgTextFont, bold),
    };
    static const struct {
        guint8 member, value;
    } changes[] = {
        [TG_TEXT_RM] = { FAMILY, TG_FAMILY_RM }, [TG_TEXT_SF] = { FAMILY, TG_FAMILY_SF },
        [TG_TEXT_TT] = { FAMILY, TG_FAMILY_TT }, [TG_TEXT_UP] = { SHAPE, TG_SHAPE_UP },
        [TG_TEXT_IT] = { SHAPE, TG_SHAPE_IT },   [TG_TEXT_SL] = { SHAPE, TG_SHAPE_SL },
        [TG_TEXT_SC] = { SHAPE, TG_SHAPE_SC },   [TG_TEXT_MD] = { BOLD, FALSE },
        [TG_TEXT_BF] = { BOLD, TRUE },           [TG_TEXT_EM] = { SHAPE, TG_SHAPE_IT },
    };

    if (change == TG_TEXT_NORMAL)
        *font = (TgTextFont){ .size = font->size };
    else if (change == TG_TEXT_EM && font->shape != TG_SHAPE_UP)
        font->shape = TG_SHAPE_UP;
    else
        *((guint8 *) font + changes[change].member) = changes[change].value;
}

static gboolean is_slanted(TgTextFont font)
{
    return font.shape == TG_SHAPE_IT || font.shape == TG_SHAPE_SL;
}

/* Append the group of \textbf{..} in text, with italic corrections (LaTeX's \maybe@ic): before
 * upright text for the text before it, but not before a comma or full stop. */
static void append_text_group(TgParser *self, const TgTexToken *token, TgTextFont outside)
{
    const TgNode *before = self->scope->last;
    TgNode *node = tg_parser_text_argument(self, token, "an argument");
    const TgNode *first = node->u.list.first;
    const gunichar code =
        first != NULL && first->kind == TG_NODE_CHAR ? first->u.character.code : 0;

    node->start = token->start;
    node->u.list.braced = 1;
    if (first != NULL && before != NULL && !is_slanted(self->font.text) && code != ',' &&
        code != '.')
        tg_parser_italic_correction(self, token);
    tg_parser_append(self, node);

    if (first == NULL)
        return;
    const TgTexToken next = tg_expander_raw(&self->in);
    tg_expander_unread(&self->in, &next);
    if (!is_slanted(outside) && !tg_token_is_char_of(&next, ",."))
        tg_parser_italic_correction(self, token);
}

/* \textbf{..} and related commands: value is the TgTextChange. A box in mathematics, a group in
 * text. */
void tg_parser_text_font(TgParser *self, const TgTexToken *token)
{
    const TgFontState before = self->font;

    change_font(&self->font.text, token->command->value);
    if (self->scope->text)
        append_text_group(self, token, before.text);
    else
        append_text_box(self, token, TRUE);
    self->font = before;
}

/* \bfseries and similar commands: value is the TgTextChange; in mathematics only boxes are
 * changed. */
void tg_parser_text_switch(TgParser *self, const TgTexToken *token)
{
    if (!self->scope->text && token->command->value != TG_TEXT_NORMAL)
        tg_parser_forbid(self, token, TG_PARSE_MODE, "is allowed in text mode only");
    change_font(&self->font.text, token->command->value);
}

/* \rm, \bf of LaTeX 2.09: value is the alphabet in mathematics, which \sl and \sc do not change;
 * detail is the change to the normal font in text. */
void tg_parser_old_font(TgParser *self, const TgTexToken *token)
{
    if (!self->scope->text) {
        if (token->command->value != TG_ALPHABET_DEFAULT)
            self->font.alphabet = (guint8) token->command->value;
        return;
    }
    change_font(&self->font.text, TG_TEXT_NORMAL);
    change_font(&self->font.text, token->command->detail);
}

/* ---- Characters ---------------------------------------------------------------------------- */

static TgNode *char_node(TgParser *self, const TgTexToken *token, gunichar code)
{
    TgNode *node = tg_parser_node(self, TG_NODE_CHAR, token);

    node->u.character.code = code;
    /* because only typewriter fonts have these signs where they are typed */
    node->u.character.named = self->font.text.family != TG_FAMILY_TT && code < 0x80 &&
                              strchr("\\_{}", (int) code) != NULL;
    node->u.character.font = self->font.text;
    node->token = tg_parser_ink(self, token, 0);
    return node;
}

/* A node with a mark over the node @base. */
static TgNode *accent_node(TgParser *self, const TgTexToken *token, gunichar mark,
                           const TgNode *base)
{
    TgNode *node = tg_parser_node(self, TG_NODE_ACCENT, token);

    node->u.accent.code = mark;
    node->u.accent.base = base;
    node->token = tg_parser_ink(self, token, 0);
    node->start = MIN(node->start, base->start);
    node->end = MAX(node->end, base->end);
    return node;
}

/* \textcircled: the text is upright, as LaTeX sets it, also in mathematics. */
void tg_parser_circle(TgParser *self, const TgTexToken *token)
{
    const TgFontState before = self->font;
    TgNode *node = tg_parser_node(self, TG_NODE_ENCLOSE, token);

    self->font.text.shape = TG_SHAPE_UP;
    node->token = tg_parser_ink(self, token, 0);
    node->u.enclose.form = TG_ENCLOSE_CIRCLE;
    node->u.enclose.body = tg_parser_text_box(self, token);
    self->font = before;
    tg_parser_append(self, node);
}

/* Whether LaTeX's OT1 encoding puts @mark on @base. Other letters with marks are drawn as one
 * character, as letters of other scripts are. */
static gboolean is_text_accent(gunichar mark, gunichar base)
{
    return base < 0x80 && mark != TG_MARK_OGONEK && tg_command_of_text(mark) != NULL;
}

/* If OT1 has no such accent, make @letter the character that Unicode has for it with @mark. */
static gboolean join_mark(TgNode *letter, gunichar mark)
{
    gunichar whole;

    if (letter->kind != TG_NODE_CHAR || is_text_accent(mark, letter->u.character.code) ||
        !g_unichar_compose(letter->u.character.code, mark, &whole))
        return FALSE;
    letter->u.character.code = whole;
    return TRUE;
}

gunichar tg_text_ligature(gunichar first, gunichar second)
{
    static const struct {
        guint16 first, second, joined;
    } ligatures[] = {
        { '-', '-', 0x2013 },
        { 0x2013, '-', 0x2014 },
        { '`', '`', 0x201C },
        { '\'', '\'', 0x201D },
    };

    for (guint i = 0; i < G_N_ELEMENTS(ligatures); i++)
        if (ligatures[i].first == first && ligatures[i].second == second)
            return ligatures[i].joined;
    return 0;
}

/* Join the character before and @code to the ligature that TeX's font has for both. */
static gboolean join_ligature(TgParser *self, const TgTexToken *token, gunichar code)
{
    TgNode *last = self->scope->last;

    if (last == NULL || last->kind != TG_NODE_CHAR || last->end != token->start ||
        last->u.character.named != 0 || self->font.text.family == TG_FAMILY_TT ||
        memcmp(&last->u.character.font, &self->font.text, sizeof self->font.text) != 0)
        return FALSE;
    const gunichar joined = tg_text_ligature(last->u.character.code, code);
    if (joined == 0)
        return FALSE;
    last->u.character.code = joined;
    last->end = token->end;
    if (last->token < self->in.n_lexemes)
        self->in.lexemes[last->token].end = MAX(self->in.lexemes[last->token].end, token->end);
    return TRUE;
}

/* The ASCII characters that TeX's fonts draw as @code: a quote, a ligature of letters; or NULL. */
static const char *plain_text_of(gunichar code)
{
    static const struct {
        guint16 code;
        const char *text;
    } plain[] = {
        { 0x2018, "`" },  { 0x2019, "'" },  { 0x2010, "-" },   { 0x2011, "-" },   { 0xFB00, "ff" },
        { 0xFB01, "fi" }, { 0xFB02, "fl" }, { 0xFB03, "ffi" }, { 0xFB04, "ffl" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(plain); i++)
        if (plain[i].code == code)
            return plain[i].text;
    return NULL;
}

void tg_parser_text_char(TgParser *self, const TgTexToken *token, gunichar code)
{
    char source[TG_UNICODE_SOURCE_MAX];
    gunichar base, mark;

    if (code < 0x80 && join_ligature(self, token, code))
        return;
    const char *plain =
        code >= 0x80 && self->font.text.family != TG_FAMILY_TT ? plain_text_of(code) : NULL;
    for (; plain != NULL && *plain != '\0'; plain++) {
        tg_parser_append(self, char_node(self, token, (guchar) *plain));
        if (plain[1] == '\0')
            return;
    }

    if (code == TG_UTF8_INVALID) {
        tg_parser_error_node(self, token, TG_PARSE_CHARACTER, "invalid UTF-8");
    } else if (g_unichar_iscntrl(code)) {
        tg_report(&self->errors, token, TG_PARSE_CHARACTER, "control character U+%04X", code);
    } else if (tg_unicode_is_circled(code) && tg_unicode_source(code, source)) {
        tg_parser_splice(self, tg_parser_latex(self, source, TRUE, token));
    } else if (g_unichar_ismark(code) && self->scope->last != NULL &&
               join_mark(self->scope->last, code)) {
        self->scope->last->end = MAX(self->scope->last->end, token->end);
    } else if (g_unichar_ismark(code) && self->scope->last != NULL) {
        tg_parser_append_mark(self, token, code);
    } else if (code >= 0x80 && g_unichar_decompose(code, &base, &mark) &&
               is_text_accent(mark, base)) {
        tg_parser_append(self, accent_node(self, token, mark,
                                           tg_parser_list_of(self, char_node(self, token, base))));
    } else {
        tg_parser_append(self, char_node(self, token, code));
    }
}

void tg_parser_text_sign(TgParser *self, const TgTexToken *token, gunichar code)
{
    if (code == '\'' || code == '`') /* \textquotesingle does not join with neighbors */
        tg_parser_append(self, char_node(self, token, code));
    else
        tg_parser_text_char(self, token, code);
    if (code < 0x80 && strchr("'<>|\\_{}", (int) code) != NULL)
        self->scope->last->u.character.named = 1;
}

/* \o, \ss, \textbackslash ..: value is the character. */
void tg_parser_text_symbol(TgParser *self, const TgTexToken *token)
{
    const gunichar code = (gunichar) token->command->value;

    if (self->scope->text) {
        tg_parser_text_sign(self, token, code);
        return;
    }

    gunichar base, mark;
    if (code == '~' || code == '^' || code == 0xE5) /* accents of text in LaTeX's OT1 encoding */
        tg_parser_forbid(self, token, TG_PARSE_MODE, "is allowed in text mode only");
    if (code != 0x131 && g_unichar_decompose(code, &base, &mark) && mark != 0) { /* \AA */
        TgNode *box = tg_parser_text_of(
            self, token, tg_parser_sublist(self, (TgTexTokens){ token, 1 }, TRUE, token));
        box->u.text.scales = 1;
        tg_parser_append(self, box);
        return;
    }
    TgNode *node = tg_parser_symbol_node(self, token, NULL, code);
    node->alphabet = TG_ALPHABET_RM;
    tg_parser_append(self, node);
}

/* Append \k{a} as the character U+0105. */
static gboolean append_joined(TgParser *self, const TgTexToken *token, const TgNode *base,
                              gunichar mark)
{
    TgNode *only = (TgNode *) tg_list_only(base, TG_NODE_CHAR); /* right while the tree is built */

    if (only == NULL || !join_mark(only, mark))
        return FALSE;
    only->start = token->start;
    only->end = base->end;
    tg_parser_append(self, only);
    return TRUE;
}

enum { CEDILLA = 0x0327 };

/* Whether @body is one letter of the height 1ex, to which LaTeX's \c applies TeX's \accent. */
static gboolean is_low_letter(const TgNode *body)
{
    const TgNode *only = tg_list_only(body, TG_NODE_CHAR);

    return only != NULL && only->u.character.code < 0x80 && only->u.character.code != 0 &&
           strchr("acegmnopqrsuvwxyz", (char) only->u.character.code) != NULL;
}

/* \' \" \c ..: value is the combining mark, detail 1 if LaTeX also accepts it in mathematics. */
void tg_parser_text_accent(TgParser *self, const TgTexToken *token)
{
    const gunichar mark = (gunichar) token->command->value;

    if (!self->scope->text && token->command->detail != 0) { /* a box of text, as LaTeX makes it */
        TgNode *box = tg_parser_text_box(self, token);
        if (mark == CEDILLA && is_low_letter(box->u.text.body))
            tg_parser_fault(self, token, TG_PARSE_MODE,
                            "on a letter without ascender is not allowed in math mode");
        box->u.text.body =
            tg_parser_list_of(self, accent_node(self, token, mark, box->u.text.body));
        tg_parser_append(self, box);
        return;
    }

    if (!self->scope->text)
        tg_parser_fault(self, token, TG_PARSE_MODE, "is a text accent, not allowed in math mode");
    TgNode *base = self->scope->text ? tg_parser_text_argument(self, token, "a base")
                                     : tg_parser_argument(self, token, "a base");
    if (self->scope->text && append_joined(self, token, base, mark))
        return;
    TgNode *node = accent_node(self, token, mark, base);
    if (!self->scope->text)
        node->u.accent.symbol = tg_parser_accent_of_mark(mark);
    tg_parser_append(self, node);
}

/* ---- Mathematics in text ------------------------------------------------------------------- */

/* Read @kind up to its end as a MATH node. */
static void append_math(TgParser *self, const TgTexToken *token, TgScopeKind kind, gboolean display)
{
    TgNode *node = tg_parser_node(self, TG_NODE_MATH, token);

    node->u.body.flag = display != FALSE;
    node->u.body.body = tg_parser_list(self, kind, FALSE, token);
    if (display && kind == TG_SCOPE_DOLLAR) { /* the second dollar of $$ */
        const TgTexToken second = tg_expander_raw(&self->in);
        if (second.kind != TG_TOK_DOLLAR)
            tg_expander_unread(&self->in, &second);
    }
    tg_parser_append(self, node);
}

void tg_parser_text_dollar(TgParser *self, const TgTexToken *token)
{
    if (self->scope->kind == TG_SCOPE_DOLLAR) { /* the end of text between formulas */
        tg_parser_close(self, token, TG_SCOPE_DOLLAR);
        return;
    }

    const TgTexToken second = tg_expander_raw(&self->in);
    if (second.kind != TG_TOK_DOLLAR) {
        tg_expander_unread(&self->in, &second);
        append_math(self, token, TG_SCOPE_DOLLAR, FALSE);
    } else if (self->scope->kind == TG_SCOPE_TOP) {
        append_math(self, token, TG_SCOPE_DOLLAR, TRUE);
    } /* else $$ in a box is empty mathematics */
}

/* \( and \[ in text: value 1 for displays. */
void tg_parser_open_math(TgParser *self, const TgTexToken *token)
{
    if (self->scope->text && self->scope->kind == TG_SCOPE_BRACE && token->command->value != 0)
        tg_refuse(&self->errors, token, TG_PACKAGE_NONE, TG_PARSE_MODE,
                  "a display is not allowed in a box");
    if (self->scope->text)
        append_math(self, token, TG_SCOPE_PAREN, token->command->value != 0);
    else
        tg_parser_fault(self, token, TG_PARSE_MODE, "is not allowed in math mode");
}

void tg_parser_close_math(TgParser *self, const TgTexToken *token)
{
    if (!tg_parser_close(self, token, TG_SCOPE_PAREN))
        tg_report(&self->errors, token, TG_PARSE_MODE, "unmatched %.*s", TG_TOKEN_TEXT(token));
}

void tg_parser_ensuremath(TgParser *self, const TgTexToken *token)
{
    TgNode *list = tg_parser_argument(self, token, "an argument");

    if (self->scope->text)
        tg_parser_append_math(self, token, list);
    else
        tg_parser_splice(self, list);
}

/* ---- Characters by number, in the other case, and as they stand in the source ---------------- */

/* \char65, \char'101, \char"41, \char`A, \char`\%: a character by its number in Unicode; a number
 * of a capital Greek letter in OT1 is that letter. */
void tg_parser_char_number(TgParser *self, const TgTexToken *token)
{
    static const guint16 capitals[] = {
        0x393, 0x394, 0x398, 0x39B, 0x39E, 0x3A0, 0x3A3, 0x3A5, 0x3A6, 0x3A8, 0x3A9,
    };
    TgTexToken character = *token;
    gint64 number;

    if (!tg_expander_integer(&self->in, &number))
        number = -1;
    if (number >= 0 && number < (gint64) G_N_ELEMENTS(capitals)) {
        number = capitals[number];
    } else if (number <= 0x20 || number > (self->options.strict ? 0xFF : 0x10FFFF) ||
               !g_unichar_validate((gunichar) number)) {
        tg_parser_fault(self, token, TG_PARSE_CHARACTER, "needs the number of a character");
        return;
    }
    character.kind = TG_TOK_CHAR;
    character.code = (gunichar) number;
    character.command = NULL;
    if (self->scope->text)
        tg_parser_text_char(self, &character, character.code);
    else
        tg_parser_read_item(self, &character);
}

/* \symbol{65} is \char65\relax; with {6 5} it is the character 6 and a 5. */
void tg_parser_symbol_number(TgParser *self, const TgTexToken *token)
{
    TgTexTokens list;

    if (!tg_parser_tokens_argument(self, token, "a number", &list))
        return;
    tg_expander_insert(&self->in, tg_expander_lex(&self->in, "\\relax", 6, token), 1);
    tg_expander_insert(&self->in, list, 1);
    tg_parser_char_number(self, token);
}

/* \uppercase{..}, \lowercase{..} and LaTeX's forms of them: value 'u' or 'l'. Commands do not
 * change. */
void tg_parser_change_case(TgParser *self, const TgTexToken *token)
{
    TgTexTokens list;

    if (!tg_parser_tokens_argument(self, token, "an argument", &list))
        return;

    TgTexToken *changed = tg_arena_alloc(self->in.arena, (list.n + 1) * sizeof *changed);
    for (guint32 i = 0; i < list.n; i++) {
        changed[i] = list.tokens[i];
        if (changed[i].kind == TG_TOK_CHAR)
            changed[i].code = token->command->value == 'u' ? g_unichar_toupper(changed[i].code)
                                                           : g_unichar_tolower(changed[i].code);
    }
    tg_expander_insert(&self->in, (TgTexTokens){ changed, list.n }, 1);
}

/* \verb|..|: a box of typewriter characters. */
void tg_parser_verb(TgParser *self, const TgTexToken *token)
{
    const TgFontState before = self->font;
    TgTexTokens list;

    if (!tg_expander_verbatim(&self->in, &list)) {
        tg_report(&self->errors, token, TG_PARSE_MISSING_ARGUMENT,
                  "\\verb needs its end on the line, and is not allowed in arguments");
        return;
    }
    TgNode *node = tg_parser_text_of(self, token, NULL);
    self->font.text = (TgTextFont){ .family = TG_FAMILY_TT, .size = before.text.size };
    node->u.text.body = tg_parser_sublist(self, list, TRUE, token);
    self->font = before;
    tg_parser_append(self, node);
}
