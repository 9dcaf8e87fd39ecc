/* Commands of text that mathematics takes too. */
#include "tokenizer/canonical/text_symbol.h"

#include "tokenizer/latex/commands.h"

const char *tg_latex_text_symbol(gunichar code)
{
    guint n;
    const TgCommand *commands = tg_command_table(&n);

    for (guint i = 0; i < n; i++) {
        if (commands[i].action == TG_ACTION_TEXT_SYMBOL && commands[i].value == (gint32) code)
            return commands[i].name;
    }
    return NULL;
}
