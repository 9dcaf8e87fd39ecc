/* Commands of text that mathematics takes too. */
#include "tokenizer/canonical/text_symbol.h"

#include "tokenizer/macros/commands.h"

const char *tg_latex_text_symbol(gunichar code)
{
    const TgCommand *command = tg_command_of_text(code);

    return command != NULL ? command->name : NULL;
}
