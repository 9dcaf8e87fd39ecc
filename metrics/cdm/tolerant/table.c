/* The flat list of a table's tokens. */
#include "metrics/cdm/tolerant/table.h"

#include "metrics/cdm/tolerant/scan.h"

static void list_unit(const char *line, const TgCdmUnit *unit, GString *out);

static void list_characters(const char *line, TgCdmRange at, GString *out)
{
    const char *end = line + at.end;

    for (const char *p = line + at.start, *next; p < end; p = next) {
        next = g_utf8_next_char(p);
        if (tg_cdm_is_space(g_utf8_get_char(p)))
            continue;
        g_string_append_len(out, p, (gssize) (next - p));
        g_string_append_c(out, ' ');
    }
}

/* The mark that ends the math that @mark begins. */
static const char *closing_of(const char *mark)
{
    return mark[0] == '$' ? (mark[1] == '$' ? "$$" : "$") : mark[1] == '(' ? "\\)" : "\\]";
}

static void list_arguments(const char *line, const TgCdmUnit *unit, GString *out)
{
    for (guint i = 0; i < unit->n_arguments; i++)
        if (unit->arguments[i] != NULL)
            list_unit(line, unit->arguments[i], out);
}

static void list_unit(const char *line, const TgCdmUnit *unit, GString *out)
{
    switch (unit->kind) {
    case TG_CDM_UNIT_CHARACTERS:
    case TG_CDM_UNIT_SPECIALS:
        list_characters(line, unit->at, out);
        break;
    case TG_CDM_UNIT_GROUP:
        g_string_append(out, unit->is_bracket ? "[ " : "{ ");
        tg_cdm_list_tokens(line, unit->children, out);
        g_string_append(out, unit->is_bracket ? "] " : "} ");
        break;
    case TG_CDM_UNIT_MACRO:
        g_string_append_printf(out, "\\%s ", unit->name);
        list_arguments(line, unit, out);
        break;
    case TG_CDM_UNIT_ENVIRONMENT:
        g_string_append_printf(out, "\\begin {%s} ", unit->name);
        list_arguments(line, unit, out);
        tg_cdm_list_tokens(line, unit->children, out);
        g_string_append_printf(out, "\\end {%s} ", unit->name);
        break;
    case TG_CDM_UNIT_MATH: {
        g_autofree char *mark = g_strndup(line + unit->at.start, unit->at.end - unit->at.start);
        const char *closing = closing_of(mark);
        g_string_append_printf(out, "%s ", mark[0] == '$' ? "$" : mark);
        tg_cdm_list_tokens(line, unit->children, out);
        g_string_append_printf(out, "%s ", mark[0] == '$' ? "$" : closing);
        break;
    }
    }
}

void tg_cdm_list_tokens(const char *line, const GPtrArray *list, GString *out)
{
    for (guint i = 0; i < list->len; i++)
        list_unit(line, list->pdata[i], out);
}
