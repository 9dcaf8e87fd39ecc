/* Boxes that are scaled or turned: \scalebox, \resizebox, \reflectbox, \rotatebox. */
#include "tokenizer/latex/handlers.h"

#define MAX_FACTOR 1000

/* A number in 2^-16 from an argument or option; 1 and a fault where it is none. */
static gint32 scale_number(TgParser *self, const TgTexToken *token, const char *text)
{
    char *end = NULL;
    const double value = text != NULL ? g_ascii_strtod(text, &end) : 0;

    if (text == NULL || text[strspn(text, "+-.0123456789")] != '\0' || *end != '\0' ||
        end == text || ABS(value) > MAX_FACTOR) {
        tg_parser_error(self, token, TG_PARSE_LENGTH, "%.*s needs a number of at most %d",
                        TG_TOKEN_TEXT(token), MAX_FACTOR);
        return 65536;
    }
    return (gint32) (value * 65536 + (value < 0 ? -0.5 : 0.5));
}

static TgNode *scale_node(TgParser *self, const TgTexToken *token, TgScaleForm form)
{
    TgNode *node = tg_parser_node(self, TG_NODE_SCALE, token);

    node->u.scale.form = (guint8) form;
    node->u.scale.origin_x = 'l';
    node->u.scale.origin_y = 'B';
    return node;
}

static void append_scale(TgParser *self, const TgTexToken *token, TgNode *node)
{
    node->u.scale.body = tg_parser_text_box(self, token);
    tg_parser_append(self, node);
}

/* \scalebox{factor}[vertical factor]{text}; \reflectbox{text} */
void tg_parser_scalebox(TgParser *self, const TgTexToken *token)
{
    TgNode *node = scale_node(self, token, TG_SCALE_BY);

    if (strcmp(token->command->name, "reflectbox") == 0) {
        node->u.scale.x = -65536;
        node->u.scale.y = 65536;
    } else {
        g_autofree char *across = tg_parser_string_argument(self, token, "a factor and text");
        g_autofree char *up = tg_parser_string_optional(self);

        node->u.scale.x = scale_number(self, token, across);
        node->u.scale.y = up != NULL ? scale_number(self, token, up) : node->u.scale.x;
    }
    append_scale(self, token, node);
}

/* \resizebox{width}{height}{text}, with ! for one that follows from the other; with a star the
 * height is that of the whole box. */
void tg_parser_resizebox(TgParser *self, const TgTexToken *token)
{
    static const char wants[] = "a width, a height and text";
    TgNode *node = scale_node(self, token, TG_SCALE_TO);
    TgLength *const lengths[] = { &node->u.scale.width, &node->u.scale.height };
    TgTexTokens list;

    if (tg_expander_star(&self->in))
        node->u.scale.has |= 4;
    self->sized_box = TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(lengths); i++) {
        if (!tg_parser_tokens_argument(self, token, wants, &list))
            break;
        if (list.n == 1 && tg_token_is_char(&list.tokens[0], '!'))
            continue;
        tg_parser_length_of(self, list, token, FALSE, lengths[i]);
        node->u.scale.has |= (guint8) (1u << i);
    }
    self->sized_box = FALSE;
    append_scale(self, token, node);
}

/* The place that [origin=..] names; other options are a fault. */
static void read_origin(TgParser *self, const TgTexToken *token, TgNode *node, const char *options)
{
    static const char key[] = "origin=";

    if (!g_str_has_prefix(options, key) ||
        strspn(options + strlen(key), "lrctbB") != strlen(options + strlen(key))) {
        tg_parser_error(self, token, TG_PARSE_LENGTH, "\\rotatebox knows origin=.., not %s",
                        options);
        return;
    }
    node->u.scale.origin_x = node->u.scale.origin_y = 'c';
    for (const char *place = options + strlen(key); *place != '\0'; place++) {
        if (*place == 'l' || *place == 'r')
            node->u.scale.origin_x = (guint8) *place;
        else if (*place != 'c')
            node->u.scale.origin_y = (guint8) *place;
    }
}

/* \rotatebox[origin=place]{degrees}{text} */
void tg_parser_rotatebox(TgParser *self, const TgTexToken *token)
{
    TgNode *node = scale_node(self, token, TG_SCALE_TURN);
    g_autofree char *options = tg_parser_string_optional(self);
    g_autofree char *angle = tg_parser_string_argument(self, token, "an angle and text");

    if (options != NULL)
        read_origin(self, token, node, options);
    node->u.scale.x = scale_number(self, token, angle);
    append_scale(self, token, node);
}
