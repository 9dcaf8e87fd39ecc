/* Boxes: phantoms, laps, raised and framed boxes, rules; colors of ink and of backgrounds. */
#include "tokenizer/latex/parser.h"

/* \smash[t]{..}, \smash[b]{..} */
void tg_parser_smash(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_PHANTOM, token);
    g_autofree char *part = tg_parser_string_optional(self);

    node->u.phantom.flags = TG_PHANTOM_NO_HEIGHT | TG_PHANTOM_NO_DEPTH;
    if (part != NULL && strcmp(part, "t") == 0)
        node->u.phantom.flags = TG_PHANTOM_NO_HEIGHT;
    else if (part != NULL && strcmp(part, "b") == 0)
        node->u.phantom.flags = TG_PHANTOM_NO_DEPTH;
    node->u.phantom.body = tg_parser_argument(self, token, "an argument");
    tg_parser_append(self, node);
}

/* \raisebox{amount}[height][depth]{text} */
void tg_parser_raisebox(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_RAISE, token);
    TgLength *const sizes[] = { &node->u.raise.height, &node->u.raise.depth };
    TgTexTokens list;

    node->u.raise.amount = tg_parser_length_argument(self, token, FALSE);
    for (guint i = 0; i < 2 && tg_expander_optional(&self->in, &list); i++) {
        *sizes[i] = tg_parser_length_of(self, list, token, FALSE);
        node->u.raise.has |= (guint8) (1u << i);
    }
    node->u.raise.body = tg_parser_text_box(self, token);
    tg_parser_append(self, node);
}

/* \multirow[place]{rows}[struts]{width}[shift]{..}: text without height in the middle of that many
 * rows, each as high as \strut. Negative rows lie above. */
void tg_parser_multirow(TgParser *self, const TgTexToken *token)
{
    enum { MAX_ROWS = 1000 };
    const gint32 baselineskip = 14 * 65536 + 32768;
    TgNode *node = tg_parser_node(self, TG_NODE_PHANTOM, token);
    TgNode *raised = tg_parser_node(self, TG_NODE_RAISE, token);

    g_free(tg_parser_string_optional(self));
    g_autofree char *rows = tg_parser_string_argument(self, token, "a number of rows");
    g_free(tg_parser_string_optional(self));
    TgTexTokens width = { NULL, 0 };
    tg_parser_tokens_argument(self, token, "a width", &width);
    g_free(tg_parser_string_optional(self));
    gint64 n = 1;
    if (rows == NULL || !g_ascii_string_to_signed(rows, 10, -MAX_ROWS, MAX_ROWS, &n, NULL))
        tg_parser_fault(self, token, TG_PARSE_COLUMNS, "needs a number of rows");
    raised->u.raise.amount.unit = TG_UNIT_PT;
    raised->u.raise.amount.value = (gint32) (n > 0 ? 1 - n : -n - 1) * (baselineskip / 2);
    TgNode *text = tg_parser_text_box(self, token);
    if (width.n > 0 && !tg_token_is_char_of(width.tokens, "*=")) {
        text->u.text.width = tg_parser_length_of(self, width, token, FALSE);
        text->u.text.has_width = 1;
        text->u.text.align = 'l';
    }
    raised->u.raise.body = text;
    node->u.phantom.flags = TG_PHANTOM_NO_HEIGHT | TG_PHANTOM_NO_DEPTH;
    node->u.phantom.body = tg_parser_list_of(self, raised);
    tg_parser_append_math(self, token, node);
}

/* Read the box that TeX's primitives require as an argument: \hbox{..} and the like. Anything else
 * is a fault. */
static TgNode *box_argument(TgParser *self, const TgTexToken *token)
{
    const TgTexToken next = tg_expander_next_nonspace(&self->in);

    if (tg_token_is_command_of(&next, "hbox vbox vtop")) {
        TgNode *list = tg_parser_single(self, &next, self->scope->text);
        /* the cast is right while the tree is built */
        TgNode *box = (TgNode *) list->u.list.first;

        return box->u.text.has_width ? tg_parser_text_of(self, token, list) : box;
    }
    tg_parser_fault(self, token, TG_PARSE_MISSING_ARGUMENT, "needs a box such as \\hbox{..}");
    tg_expander_unread(&self->in, &next);
    return tg_parser_script_argument(self, token);
}

/* \raise amount box, \lower amount box: value 1 or -1. */
void tg_parser_raise(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_RAISE, token);

    node->u.raise.amount = tg_parser_length(self, token, FALSE);
    node->u.raise.amount.value *= token->command->value;
    node->u.raise.body = box_argument(self, token);
    tg_parser_append(self, node);
}

void tg_parser_vcenter(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_VCENTER, token);
    const TgTexToken next = tg_expander_next_nonspace(&self->in);

    tg_expander_unread(&self->in, &next);
    if (next.kind == TG_TOK_CHAR && !tg_token_is_char_of(&next, "ts")) /* of `to` and `spread` */
        tg_parser_forbid(self, token, TG_PARSE_MISSING_ARGUMENT, "needs braces");
    node->u.body.body = tg_parser_text_box(self, token)->u.text.body;
    tg_parser_append(self, node);
}

/* The box of \framebox[width][position]{..}, so that its frame has that width. */
static const TgNode *framed_box(TgParser *self, const TgTexToken *token)
{
    TgNode *box = tg_parser_sized_box(self, token);

    if (box->u.text.has_width)
        box->u.text.width = tg_length_of_points(
            tg_length_points(box->u.text.width) -
            2 * (tg_length_points(self->font.frame_sep) + tg_length_points(self->font.frame_rule)));
    return box;
}

/* \boxed, \cancel (mathematics), \fbox (text, detail 1), \framebox (detail 2): value is the
 * TgEnclosure. */
void tg_parser_enclose(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_ENCLOSE, token);
    const gboolean text = token->command->detail != 0 || self->scope->text;

    node->u.enclose.form = (guint8) token->command->value;
    node->u.enclose.sep = self->font.frame_sep;
    node->u.enclose.line = self->font.frame_rule;
    node->token = tg_parser_ink(self, token, TG_INK_RULE);
    node->u.enclose.body = token->command->detail == 2 ? framed_box(self, token)
                           : text                      ? tg_parser_text_box(self, token)
                                  : tg_parser_argument(self, token, "an argument");
    tg_parser_append(self, node);
}

/* \parbox[place][height][inner]{width}{text}: lines in that width, centered unless the place is the
 * top or bottom. */
void tg_parser_parbox(TgParser *self, const TgTexToken *token)
{
    TgNode *center = tg_parser_node(self, TG_NODE_VCENTER, token);
    g_autofree char *place = tg_parser_string_optional(self);
    TgLength width;

    for (guint i = 0; i < 2; i++)
        g_free(tg_parser_string_optional(self));
    width = tg_parser_length_argument(self, token, FALSE);
    const gboolean words = self->in.words;
    const guint32 n_outer_cells = self->n_outer_cells;
    self->n_outer_cells = self->open[TG_SCOPE_CELL];
    self->paragraph_depth++; /* because its text may have several paragraphs */
    tg_parser_update_paragraphs(self);
    TgNode *text = tg_parser_text_box(self, token);
    self->paragraph_depth--;
    self->n_outer_cells = n_outer_cells;
    self->in.words = words;
    text->u.text.has_width = 1;
    text->u.text.width = width;
    text->u.text.align = 'l';
    text->u.text.place = place != NULL && strcmp(place, "t") == 0 ? 't' : 'b';
    if (place != NULL && (strcmp(place, "t") == 0 || strcmp(place, "b") == 0)) {
        tg_parser_append(self, text);
        return;
    }
    center->u.body.body = tg_parser_list_of(self, text);
    tg_parser_append_math(self, token, center);
}

/* \rule[raise]{width}{height} */
void tg_parser_rule(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_RULE, token);
    TgTexTokens raise;

    if (tg_expander_optional(&self->in, &raise))
        node->u.rule.raise = tg_parser_length_of(self, raise, token, FALSE);
    node->u.rule.width = tg_parser_length_argument(self, token, FALSE);
    node->u.rule.height = tg_parser_length_argument(self, token, FALSE);
    if (node->u.rule.width.value != 0 && node->u.rule.height.value != 0)
        node->token = tg_parser_ink(self, token, TG_INK_RULE);
    tg_parser_append(self, node);
}

/* \strut and \vline: value is the TgRuleForm. */
void tg_parser_fixed_rule(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_RULE, token);

    node->u.rule.form = (guint8) token->command->value;
    if (node->u.rule.form == TG_RULE_VLINE) {
        node->u.rule.width.value = TG_FRAME_RULE;
        node->token = tg_parser_ink(self, token, TG_INK_RULE);
    }
    tg_parser_append(self, node);
}

/* \vrule width1pt height1em depth1pt, in any order; without a height it is as high as its line. */
void tg_parser_vrule(TgParser *self, const TgTexToken *token)
{
    static const char *const words[] = { "width", "height", "depth" };
    TgNode *node = tg_parser_node(self, TG_NODE_RULE, token);
    TgLength sizes[3] = { { .value = TG_FRAME_RULE }, { 0 }, { 0 } };

    node->u.rule.form = TG_RULE_VLINE;
    for (guint i = 0; i < G_N_ELEMENTS(words);) {
        if (tg_parser_keyword(self, words[i])) {
            sizes[i] = tg_parser_length(self, token, FALSE);
            if (i == 1)
                node->u.rule.form = TG_RULE_RULE;
            i = 0;
        } else {
            i++;
        }
    }
    node->u.rule.width = sizes[0];
    node->u.rule.height = sizes[1];
    if (sizes[2].value != 0) {
        node->u.rule.raise = sizes[2];
        node->u.rule.raise.value = -sizes[2].value;
        if (sizes[2].unit == sizes[1].unit)
            node->u.rule.height.value += sizes[2].value;
        else
            node->u.rule.height =
                tg_length_of_points(tg_length_points(sizes[1]) + tg_length_points(sizes[2]));
    }
    if (sizes[0].value != 0)
        node->token = tg_parser_ink(self, token, TG_INK_RULE);
    tg_parser_append(self, node);
}

/* \ooalign{a\cr b}: lines of text over each other; the last line has the width of the whole. */
void tg_parser_ooalign(TgParser *self, const TgTexToken *token)
{
    TgTexTokens all;

    if (!tg_parser_tokens_argument(self, token, "lines in braces", &all))
        return;
    for (guint32 begin = 0, i = 0;; begin = ++i) {
        while (i < all.n && !tg_token_is_command_of(&all.tokens[i], "cr crcr"))
            i = tg_tex_tokens_item_end(all, i);
        const TgTexTokens line = { all.tokens + begin, i - begin };
        TgNode *box = tg_parser_text_of(self, token,
                                        line.n > 0 ? tg_parser_sublist(self, line, TRUE, token)
                                                   : tg_parser_empty_list(self, token));
        TgNode *lap = tg_parser_node(self, TG_NODE_LAP, token);
        const gboolean last = i + 1 >= all.n;

        lap->u.lap.align = 'r';
        lap->u.lap.body = box;
        tg_parser_append(self, last ? box : lap);
        if (last)
            return;
    }
}

/* ---- Colors --------------------------------------------------------------------------------- */

/* Find a color that the formula or xcolor defines. */
static gboolean find_color(const TgParser *self, const char *model, const char *spec, guint32 *rgb)
{
    for (const TgOwnColor *own = self->colors; own != NULL && model == NULL; own = own->older) {
        if (strcmp(own->name, spec) == 0) {
            *rgb = own->rgb;
            return TRUE;
        }
    }
    return tg_color_parse(model, spec, rgb);
}

/* A model or color that xcolor does not know. */
static void report_color(TgParser *self, const TgTexToken *token, const char *model,
                         const char *spec)
{
    g_autofree char *name = g_strchomp(g_strdup(spec));
    guint32 rgb;

    if (model != NULL)
        tg_report(&self->errors, token, TG_PARSE_COLOR, "unknown color [%s]{%s}", model, spec);
    else if (find_color(self, NULL, name, &rgb))
        tg_report(&self->errors, token, TG_PARSE_COLOR,
                  "unknown color {%s}: the space is part of the name", spec);
    else if (tg_css_color_parse(spec, &rgb))
        tg_refuse(&self->errors, token, TG_PACKAGE_KATEX, TG_PARSE_COLOR, "unknown color %s", spec);
    else
        tg_report(&self->errors, token, TG_PARSE_COLOR, "unknown color %s", name);
}

/* The characters of a name or color: spaces before it do not count, spaces after it do. */
static char *read_color_word(TgParser *self, const TgTexToken *token, const char *wants)
{
    TgTexTokens list;

    return tg_parser_tokens_argument(self, token, wants, &list)
               ? g_strchug(tg_tex_tokens_text(list))
               : NULL;
}

/* \definecolor{name}{model}{color}; value 1: \colorlet{name}{color} */
void tg_parser_define_color(TgParser *self, const TgTexToken *token)
{
    static const char wants[] = "a name and a color";
    g_autofree char *name = read_color_word(self, token, wants);
    g_autofree char *model =
        token->command->value == 0 ? tg_parser_string_argument(self, token, wants) : NULL;
    g_autofree char *spec = read_color_word(self, token, wants);
    guint32 rgb = 0;

    if (name == NULL || spec == NULL || (token->command->value == 0 && model == NULL))
        return;
    if (!find_color(self, model, spec, &rgb)) {
        report_color(self, token, model, spec);
        return;
    }
    TgOwnColor *own = tg_arena_alloc(&self->scratch, sizeof *own);
    *own = (TgOwnColor){ self->colors, tg_arena_text(&self->scratch, name, strlen(name)), rgb };
    self->colors = own;
}

/* [model]{color} */
static guint32 read_color(TgParser *self, const TgTexToken *token, const char *wants)
{
    TgTexTokens list;
    g_autofree char *model =
        tg_expander_optional(&self->in, &list) ? tg_tex_tokens_text(list) : NULL;
    g_autofree char *spec = read_color_word(self, token, wants);
    guint32 rgb = 0;

    if (spec != NULL && !find_color(self, model, spec, &rgb)) {
        report_color(self, token, model, spec);
        if (model == NULL && !find_color(self, NULL, g_strchomp(spec), &rgb))
            tg_css_color_parse(spec, &rgb);
    }
    return rgb;
}

/* \color{..}; value 1: \textcolor{..}{..}, \mathcolor{..}{..} */
void tg_parser_color(TgParser *self, const TgTexToken *token)
{
    const gboolean has_body = token->command->value != 0;
    const char *wants = has_body ? "a color and an argument" : "a color";
    TgNode *node = tg_parser_node(self, TG_NODE_COLOR, token);

    node->u.color.rgb = read_color(self, token, wants);
    if (has_body)
        node->u.color.body = self->scope->text ? tg_parser_text_argument(self, token, wants)
                                               : tg_parser_argument(self, token, wants);
    tg_parser_append(self, node);
}

/* \colorbox{color}{text}; \fcolorbox{frame}{color}{text}: value is the TgEnclosure. */
void tg_parser_colorbox(TgParser *self, const TgTexToken *token)
{
    static const char wants[] = "a color and an argument";
    TgNode *node = tg_parser_node(self, TG_NODE_ENCLOSE, token);

    node->u.enclose.form = (guint8) token->command->value;
    if (node->u.enclose.form == TG_ENCLOSE_FCOLORBOX) {
        node->u.enclose.frame = read_color(self, token, wants);
        node->u.enclose.line = self->font.frame_rule;
        node->token = tg_parser_ink(self, token, TG_INK_RULE);
    }
    node->u.enclose.rgb = read_color(self, token, wants);
    node->u.enclose.body = tg_parser_text_box(self, token);
    tg_parser_append(self, node);
}
