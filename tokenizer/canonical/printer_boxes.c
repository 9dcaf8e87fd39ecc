/* Writing spaces, styles, colours, boxes and rules as LaTeX. */
#include "tokenizer/canonical/printer_boxes.h"

#include "tokenizer/canonical/printer_text.h"
#include "tokenizer/tree/tree.h"

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

void tg_latex_put_space(TgLatexWriter *self, const TgNode *node)
{
    const TgLength *amount = &node->u.space.amount;
    const char *command = fixed_space(node);
    const gboolean mu = amount->unit == TG_UNIT_MU;

    if (node->u.space.nonscript)
        tg_latex_put_command(self, "nonscript");
    if (node->u.space.vertical) {
        tg_latex_put_command(self, "vspace");
        tg_latex_put_length_argument(self, *amount);
    } else if (amount->unit == TG_UNIT_ITALIC) {
        tg_latex_put_command(self, "/");
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
        tg_latex_put_open_length(self, *amount);
    } else {
        tg_latex_put_command(self, "hspace");
        tg_latex_put_length_argument(self, *amount);
    }
}

void tg_latex_put_style(TgLatexWriter *self, const TgNode *node)
{
    static const char *const styles[] = { "displaystyle", "textstyle", "scriptstyle",
                                          "scriptscriptstyle" };

    tg_latex_put_command(self, styles[node->u.change.style]);
}

void tg_latex_put_size(TgLatexWriter *self, const TgNode *node)
{
    tg_latex_put_command(self, tg_size_names[node->u.change.style]);
    self->font.size = node->u.change.style;
}

static void put_rgb(TgLatexWriter *self, guint32 rgb)
{
    char text[16];

    g_snprintf(text, sizeof text, "[HTML]{%06X}", rgb & 0xFFFFFF);
    tg_latex_put(self, text);
}

void tg_latex_put_color(TgLatexWriter *self, const TgNode *node)
{
    tg_latex_put_command(self, node->u.color.body != NULL ? "textcolor" : "color");
    put_rgb(self, node->u.color.rgb);
    if (node->u.color.body != NULL)
        tg_latex_put_argument(self, node->u.color.body);
}

void tg_latex_put_phantom(TgLatexWriter *self, const TgNode *node)
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
        { TG_PHANTOM_CRAMPED, "cramped", "" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(phantoms); i++) {
        if (phantoms[i].flags == node->u.phantom.flags) {
            tg_latex_put_command(self, phantoms[i].command);
            tg_latex_put(self, phantoms[i].option);
        }
    }
    tg_latex_put_argument(self, node->u.phantom.body);
}

void tg_latex_put_box_argument(TgLatexWriter *self, const TgNode *body)
{
    if (body->kind == TG_NODE_TEXT)
        tg_latex_put_words_argument(self, body);
    else
        tg_latex_put_argument(self, body);
}

/* A stack of boxes in it is what its braces make. */
void tg_latex_put_vcenter(TgLatexWriter *self, const TgNode *node)
{
    const TgNode *only = node->u.body.body->u.list.first;
    const gboolean stack = only != NULL && only->next == NULL && only->kind == TG_NODE_TEXT &&
                           only->u.text.stacked == 'b' && !only->u.text.has_width;

    tg_latex_put_command(self, "vcenter");
    tg_latex_put_words_argument(self, stack ? only : node);
}

void tg_latex_put_lap(TgLatexWriter *self, const TgNode *node)
{
    const gboolean text = node->u.lap.body->kind == TG_NODE_TEXT;

    if (g_ascii_isupper((char) node->u.lap.align)) {
        tg_latex_put_command(self, "smashoperator");
        if (node->u.lap.align != 'C')
            tg_latex_put(self, node->u.lap.align == 'L' ? "[l]" : "[r]");
        tg_latex_put_argument(self, node->u.lap.body);
        return;
    }
    const char name[] = { (char) node->u.lap.align, '\0' };
    g_autofree char *command = g_strconcat(text ? "" : "math", name, "lap", NULL);

    tg_latex_put_command(self, command);
    tg_latex_put_box_argument(self, node->u.lap.body);
}

void tg_latex_put_raise(TgLatexWriter *self, const TgNode *node)
{
    const gboolean text = node->u.raise.body->kind == TG_NODE_TEXT;

    tg_latex_put_command(self, text ? "raisebox" : "raise");
    if (text) {
        tg_latex_put_length_argument(self, node->u.raise.amount);
        if (node->u.raise.has != 0) /* TeX has no depth without a height */
            tg_latex_put_length_option(self, node->u.raise.height);
        if ((node->u.raise.has & 2) != 0)
            tg_latex_put_length_option(self, node->u.raise.depth);
        tg_latex_put_words_argument(self, node->u.raise.body);
    } else {
        tg_latex_put_open_length(self, node->u.raise.amount);
        tg_latex_put_items(self, node->u.raise.body);
    }
}

void tg_latex_put_enclose(TgLatexWriter *self, const TgNode *node)
{
    const TgNode *body = node->u.enclose.body;
    const gboolean sized = node->u.enclose.form == TG_ENCLOSE_FBOX && body->kind == TG_NODE_TEXT &&
                           body->u.text.has_width;
    const char align[] = { '[', (char) (sized ? body->u.text.align : 'c'), ']', '\0' };

    tg_latex_put_settings(self, node->u.enclose.settings);
    tg_latex_put_command(self, sized ? "framebox" : tg_enclosure_names[node->u.enclose.form]);
    if (sized) {
        tg_latex_put_length_option(self, body->u.text.width);
        tg_latex_put(self, align);
    }
    if (node->u.enclose.form == TG_ENCLOSE_FCOLORBOX)
        put_rgb(self, node->u.enclose.frame);
    if (node->u.enclose.form >= TG_ENCLOSE_COLORBOX)
        put_rgb(self, node->u.enclose.rgb);
    tg_latex_put_box_argument(self, body);
}

void tg_latex_put_rule(TgLatexWriter *self, const TgNode *node)
{
    if (node->u.rule.form != TG_RULE_RULE) {
        tg_latex_put_command(self, node->u.rule.form == TG_RULE_STRUT ? "strut" : "vline");
        return;
    }
    tg_latex_put_command(self, "rule");
    if (node->u.rule.raise.value != 0) {
        tg_latex_put_length_option(self, node->u.rule.raise);
    }
    tg_latex_put_length_argument(self, node->u.rule.width);
    tg_latex_put_length_argument(self, node->u.rule.height);
}

void tg_latex_put_break(TgLatexWriter *self, const TgNode *node)
{
    tg_latex_put_command(self, "\\");
    if (node->u.line_break.gap.value != 0) {
        tg_latex_put_length_option(self, node->u.line_break.gap);
    }
}

void tg_latex_put_error(TgLatexWriter *self, const TgNode *node)
{
    const char *text = node->u.error.text;

    if (text[0] == '\\' && text[1] != '\0')
        tg_latex_put_command(self, text + 1);
    else
        tg_latex_put(self, text);
}

void tg_latex_put_tag(TgLatexWriter *self, const TgNode *node)
{
    tg_latex_put_command(self, "tag");
    tg_latex_put(self, node->u.body.flag ? "*" : "");
    tg_latex_put_words_argument(self, node);
}
