#include "tokenizer/macros/source.h"

#include <string.h>

static const char *source_skip_blanks(const char *p)
{
    return p + strspn(p, " \t\n\r\f\v");
}

/* Where the group at @p ends, counting braces, escaped ones too; NULL where it does not. */
static const char *source_group_end(const char *p)
{
    gint depth = 0;

    for (; *p != '\0'; p++) {
        depth += (*p == '{') - (*p == '}');
        if (depth == 0)
            return p + 1;
    }
    return NULL;
}

const char *tg_source_command_end(const char *p, const char *command, gboolean *never_closed)
{
    const char *word_end = p + strlen(command), *group = source_skip_blanks(word_end);

    if (*group == '*')
        group = source_skip_blanks(group + 1);
    if (g_ascii_isalpha(*word_end) || *group != '{')
        return p;
    const char *end = *never_closed ? NULL : source_group_end(group);
    *never_closed = end == NULL;
    return end != NULL ? end : word_end;
}
