/* Registers of TeX and LaTeX: lengths that a formula uses, and sets. What typesetting obeys is in
 * force from there to the end of the group (parser_void.c). */
#include "tokenizer/latex/handlers.h"
#include "tokenizer/tree/tree.h"

#define NO_EFFECT  TG_REGISTER_NO_EFFECT
#define NOT_OBEYED TG_REGISTER_NOT_OBEYED

/* clang-format off: one row a line */
/* Values of the article class at 12 pt, in 2^-16 of the unit. */
static const TgRegister registers[] = {
    { "abovedisplayshortskip", 0, TG_UNIT_PT, NO_EFFECT },
    { "abovedisplayskip", 12 * 65536, TG_UNIT_PT, NO_EFFECT },
    { "arraycolsep", 5 * 65536, TG_UNIT_PT, TG_SETTING_ARRAYCOLSEP },
    { "arrayrulewidth", 26214, TG_UNIT_PT, TG_SETTING_ARRAYRULEWIDTH },
    { "baselineskip", 950272, TG_UNIT_PT, NOT_OBEYED }, /* 14.5 pt */
    { "belowdisplayshortskip", 458752, TG_UNIT_PT, NO_EFFECT },
    { "belowdisplayskip", 12 * 65536, TG_UNIT_PT, NO_EFFECT },
    { "columnwidth", 390 * 65536, TG_UNIT_PT, NOT_OBEYED },
    { "delimitershortfall", 5 * 65536, TG_UNIT_PT, NOT_OBEYED },
    { "doublerulesep", 2 * 65536, TG_UNIT_PT, TG_SETTING_DOUBLERULESEP },
    { "fboxrule", 26214, TG_UNIT_PT, TG_SETTING_FBOXRULE }, /* 0.4 pt */
    { "fboxsep", 3 * 65536, TG_UNIT_PT, TG_SETTING_FBOXSEP },
    { "hsize", 390 * 65536, TG_UNIT_PT, NOT_OBEYED },
    { "jot", 3 * 65536, TG_UNIT_PT, TG_SETTING_JOT },
    { "lineskip", 65536, TG_UNIT_PT, NOT_OBEYED },
    { "lineskiplimit", 0, TG_UNIT_PT, NOT_OBEYED },
    { "linewidth", 390 * 65536, TG_UNIT_PT, NOT_OBEYED },
    { "mathsurround", 0, TG_UNIT_PT, NOT_OBEYED },
    { "medmuskip", 4 * 65536, TG_UNIT_MU, NOT_OBEYED },
    { "normalbaselineskip", 950272, TG_UNIT_PT, NOT_OBEYED },
    { "nulldelimiterspace", 78643, TG_UNIT_PT, NOT_OBEYED }, /* 1.2 pt */
    { "p@", 65536, TG_UNIT_PT, NOT_OBEYED },
    { "parindent", 15 * 65536, TG_UNIT_PT, NO_EFFECT },
    { "parskip", 0, TG_UNIT_PT, NO_EFFECT },
    { "scriptspace", 32768, TG_UNIT_PT, NOT_OBEYED }, /* 0.5 pt */
    { "tabcolsep", 6 * 65536, TG_UNIT_PT, TG_SETTING_TABCOLSEP },
    { "textwidth", 390 * 65536, TG_UNIT_PT, NOT_OBEYED },
    { "thickmuskip", 5 * 65536, TG_UNIT_MU, NOT_OBEYED },
    { "thinmuskip", 3 * 65536, TG_UNIT_MU, NOT_OBEYED },
    { "unitlength", 65536, TG_UNIT_PT, NO_EFFECT },
    { "z@", 0, TG_UNIT_PT, NOT_OBEYED },
};
/* clang-format on */

/* The size of the box that a length is for. */
static const char *const box_sizes[] = { "width", "height", "depth", "totalheight" };

const TgRegister *tg_parser_find_register(const TgTexToken *token)
{
    for (guint i = 0; i < G_N_ELEMENTS(registers); i++) {
        if (tg_token_is_command(token, registers[i].name))
            return &registers[i];
    }
    return NULL;
}

gboolean tg_parser_register(const TgParser *self, const TgTexToken *token, TgLength *length)
{
    const TgRegister *found = tg_parser_find_register(token);

    if (found != NULL) {
        *length = found->set >= 0 ? tg_setting(self->settings, (TgSetting) found->set)
                                  : (TgLength){ .value = found->value, .unit = found->unit };
        return TRUE;
    }
    for (guint i = 0; self->sized_box && i < G_N_ELEMENTS(box_sizes); i++) {
        if (tg_token_is_command(token, box_sizes[i])) {
            *length = (TgLength){ .value = 65536, .unit = (guint8) (TG_UNIT_WIDTH + i) };
            return TRUE;
        }
    }
    return FALSE;
}
