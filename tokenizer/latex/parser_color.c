/* \color, \textcolor, \colorbox: colours on ink and behind it. */
#include "tokenizer/latex/handlers.h"
#include "tokenizer/symbols/colors.h"

/* [model]{colour} */
static guint32 read_color(TgParser *self, const TgTexToken *token, const char *wants)
{
    g_autofree char *model = tg_parser_string_optional(self);
    g_autofree char *spec = tg_parser_string_argument(self, token, wants);
    guint32 rgb = 0;

    if (spec != NULL && !tg_color_parse(model, spec, &rgb))
        tg_parser_error(self, token, TG_PARSE_COLOR, "there is no colour %s", spec);
    return rgb;
}

void tg_parser_color(TgParser *self, const TgTexToken *token)
{
    TgNode *node = tg_parser_node(self, TG_NODE_COLOR, token);

    node->u.color.rgb = read_color(self, token, "a colour");
    tg_parser_append(self, node);
}

/* \textcolor{..}{..}, \mathcolor{..}{..} */
void tg_parser_textcolor(TgParser *self, const TgTexToken *token)
{
    static const char wants[] = "a colour and an argument";
    TgNode *node = tg_parser_node(self, TG_NODE_COLOR, token);

    node->u.color.rgb = read_color(self, token, wants);
    node->u.color.body = self->scope->text ? tg_parser_text_argument(self, token, wants)
                                           : tg_parser_argument(self, token, wants);
    tg_parser_append(self, node);
}

/* \colorbox{colour}{text}; \fcolorbox{frame}{colour}{text}: value is the TgEnclosure. */
void tg_parser_colorbox(TgParser *self, const TgTexToken *token)
{
    static const char wants[] = "a colour and an argument";
    TgNode *node = tg_parser_node(self, TG_NODE_ENCLOSE, token);

    node->u.enclose.form = (guint8) token->command->value;
    if (node->u.enclose.form == TG_ENCLOSE_FCOLORBOX) {
        read_color(self, token, wants);
        node->token = tg_parser_ink(self, token, TG_INK_RULE);
    }
    node->u.enclose.rgb = read_color(self, token, wants);
    node->u.enclose.body = tg_parser_text_box(self, token);
    tg_parser_append(self, node);
}
