/* Commands of text that mathematics takes too. */
#include "tokenizer/canonical/text_symbol.h"

#include "tokenizer/macros/commands_text.h"

const char *tg_latex_text_symbol(gunichar code)
{
    for (guint i = 0; i < tg_n_text_commands; i++) {
        if (tg_text_commands[i].value == (gint32) code)
            return tg_text_commands[i].name;
    }
    return NULL;
}
