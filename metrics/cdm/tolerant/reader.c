/* Reads units by recursive descent; nothing in a text is an error, only its size can be. */
#include "metrics/cdm/tolerant/reader.h"

#include <string.h>

#include "metrics/cdm/tolerant/arguments.h"
#include "metrics/cdm/tolerant/scan.h"

/* Where arguments end with the text they are read again as plain units, which nests; the official
 * program has a time limit for it. */
enum { STEPS_A_BYTE = 40 };

typedef struct {
    const char *line;
    gsize at;
    TgCdmUnits *units;
    gsize steps_left;
    guint depth;
    gboolean failed;
} Reader;

/* What ends a list; all NULL and 0 for the end of the text. */
typedef struct {
    char close;              /* a brace or bracket */
    const char *environment; /* the name behind `\end` */
    const char *math;        /* the mark */
} Stop;

static GPtrArray *read_list(Reader *reader, Stop stop);

static TgCdmScanToken reader_scan(Reader *reader, gboolean brackets, gboolean environments)
{
    if (reader->steps_left == 0)
        reader->failed = TRUE;
    else
        reader->steps_left--;
    return tg_cdm_scan(reader->line, reader->at, brackets, environments);
}

static TgCdmUnit *reader_unit(Reader *reader, TgCdmUnitKind kind, gsize start, gsize end)
{
    return tg_cdm_unit_new(reader->units, kind, start, end);
}

static char *reader_name(const Reader *reader, const TgCdmScanToken *token)
{
    return g_strndup(reader->line + token->name, token->name_end - token->name);
}

/* ---- units ---- */

static TgCdmUnit *read_group(Reader *reader, const TgCdmScanToken *token)
{
    TgCdmUnit *group = reader_unit(reader, TG_CDM_UNIT_GROUP, token->start, token->end);

    group->is_bracket = reader->line[token->start] == '[';
    reader->at = token->end;
    group->children = read_list(reader, (Stop){ .close = group->is_bracket ? ']' : '}' });
    return group;
}

static TgCdmUnit *new_macro(Reader *reader, const TgCdmScanToken *token)
{
    TgCdmUnit *macro = reader_unit(reader, TG_CDM_UNIT_MACRO, token->start, token->name_end);

    macro->name = reader_name(reader, token);
    macro->space_behind = token->end > token->name_end;
    reader->at = token->end;
    return macro;
}

/* As an argument `\(` is a macro of that name, backslash included. */
static TgCdmUnit *new_math_macro(Reader *reader, const TgCdmScanToken *token)
{
    TgCdmUnit *macro = reader_unit(reader, TG_CDM_UNIT_MACRO, token->start, token->end);

    macro->name = g_strndup(reader->line + token->start, token->end - token->start);
    reader->at = token->end;
    return macro;
}

/* A group, or a single character or macro without its own arguments; NULL at the end of the text.
 * Before a closing mark it is empty. */
static TgCdmUnit *read_expression(Reader *reader)
{
    const TgCdmScanToken token = reader_scan(reader, FALSE, FALSE);

    switch (token.kind) {
    case TG_CDM_SCAN_END_OF_TEXT:
        return NULL;
    case TG_CDM_SCAN_OPEN:
        return read_group(reader, &token);
    case TG_CDM_SCAN_MACRO:
        if (token.name_end - token.name == 3 && g_str_has_prefix(reader->line + token.name, "end"))
            break;
        return new_macro(reader, &token);
    case TG_CDM_SCAN_CLOSE:
        break;
    case TG_CDM_SCAN_MATH:
        if (reader->line[token.start] == '\\')
            return new_math_macro(reader, &token);
        /* fall through */
    default:
        reader->at = token.end;
        return reader_unit(reader,
                           token.kind == TG_CDM_SCAN_SPECIALS ? TG_CDM_UNIT_SPECIALS
                                                              : TG_CDM_UNIT_CHARACTERS,
                           token.start, token.end);
    }
    reader->at = token.start;
    return reader_unit(reader, TG_CDM_UNIT_CHARACTERS, token.start, token.start);
}

static TgCdmUnit *read_optional(Reader *reader)
{
    const TgCdmScanToken token = reader_scan(reader, TRUE, FALSE);

    return token.kind == TG_CDM_SCAN_OPEN && reader->line[token.start] == '['
               ? read_group(reader, &token)
               : NULL;
}

static TgCdmUnit *read_star(Reader *reader)
{
    const TgCdmScanToken token = reader_scan(reader, FALSE, FALSE);

    if (token.kind != TG_CDM_SCAN_CHARACTER || reader->line[token.start] != '*')
        return NULL;
    reader->at = token.end;
    return reader_unit(reader, TG_CDM_UNIT_CHARACTERS, token.start, token.end);
}

/* Read what @pattern asks for. Where the text ends before, @unit has no arguments and they are read
 * as what follows it. */
static void read_arguments(Reader *reader, TgCdmUnit *unit, const char *pattern)
{
    const gsize start = reader->at;
    const gboolean row_end = tg_cdm_unit_is_macro(unit, "\\");

    unit->n_arguments = (guint) strlen(pattern);
    for (guint i = 0; i < unit->n_arguments; i++) {
        if (pattern[i] == '*')
            unit->arguments[i] = read_star(reader);
        else if (pattern[i] == '{')
            unit->arguments[i] = read_expression(reader);
        else if (!row_end || !tg_cdm_is_space(g_utf8_get_char(reader->line + reader->at)))
            unit->arguments[i] = read_optional(reader);
        if (pattern[i] == '{' && unit->arguments[i] == NULL) {
            reader->at = start;
            unit->n_arguments = 0;
            memset(unit->arguments, 0, sizeof unit->arguments);
        }
    }
}

/* `\verb|x|`: what is between two equal characters. */
static void read_verbatim(Reader *reader, TgCdmUnit *macro)
{
    const gsize open = tg_cdm_scan(reader->line, reader->at, FALSE, FALSE).start;
    const char *mark = reader->line + open;

    if (*mark == '\0')
        return;
    g_autofree char *delimiter = g_strndup(mark, (gsize) (g_utf8_next_char(mark) - mark));
    const char *text = mark + strlen(delimiter), *end = strstr(text, delimiter);
    if (end == NULL)
        return;
    macro->n_arguments = 1;
    macro->arguments[0] = reader_unit(reader, TG_CDM_UNIT_CHARACTERS, (gsize) (text - reader->line),
                                      (gsize) (end - reader->line));
    reader->at = (gsize) (end - reader->line) + strlen(delimiter);
}

static TgCdmUnit *read_macro(Reader *reader, const TgCdmScanToken *token)
{
    TgCdmUnit *macro = new_macro(reader, token);

    if (strcmp(macro->name, "verb") == 0)
        read_verbatim(reader, macro);
    else
        read_arguments(reader, macro, tg_cdm_macro_arguments(macro->name));
    return macro;
}

static TgCdmUnit *read_environment(Reader *reader, const TgCdmScanToken *token)
{
    TgCdmUnit *unit = reader_unit(reader, TG_CDM_UNIT_ENVIRONMENT, token->start, token->end);

    unit->name = reader_name(reader, token);
    reader->at = token->end;
    read_arguments(reader, unit, tg_cdm_environment_arguments(unit->name));
    unit->children = read_list(reader, (Stop){ .environment = unit->name });
    return unit;
}

static gboolean token_is(const Reader *reader, const TgCdmScanToken *token, const char *text)
{
    return token->end - token->start == strlen(text) &&
           strncmp(reader->line + token->start, text, strlen(text)) == 0;
}

/* NULL for a closing mark that closes nothing. */
static TgCdmUnit *read_math(Reader *reader, const TgCdmScanToken *token)
{
    g_autofree char *mark = g_strndup(reader->line + token->start, token->end - token->start);

    reader->at = token->end;
    if (strcmp(mark, "\\)") == 0 || strcmp(mark, "\\]") == 0)
        return NULL;
    TgCdmUnit *unit = reader_unit(reader, TG_CDM_UNIT_MATH, token->start, token->end);
    if (strcmp(mark, "\\(") == 0)
        mark[1] = ')';
    else if (strcmp(mark, "\\[") == 0)
        mark[1] = ']';
    unit->children = read_list(reader, (Stop){ .math = mark });
    return unit;
}

/* ---- lists ---- */

static gboolean ends_list(const Reader *reader, const TgCdmScanToken *token, Stop stop)
{
    switch (token->kind) {
    case TG_CDM_SCAN_CLOSE:
        return reader->line[token->start] == stop.close;
    case TG_CDM_SCAN_END:
        return stop.environment != NULL &&
               strlen(stop.environment) == token->name_end - token->name &&
               g_str_has_prefix(reader->line + token->name, stop.environment);
    case TG_CDM_SCAN_MATH:
        return stop.math != NULL && token_is(reader, token, stop.math);
    default:
        return token->kind == TG_CDM_SCAN_END_OF_TEXT;
    }
}

/* The unit that begins with @token; NULL for a mark without its partner, which is passed over. */
static TgCdmUnit *read_unit(Reader *reader, const TgCdmScanToken *token)
{
    switch (token->kind) {
    case TG_CDM_SCAN_OPEN:
        return read_group(reader, token);
    case TG_CDM_SCAN_MACRO:
        return read_macro(reader, token);
    case TG_CDM_SCAN_BEGIN:
        return read_environment(reader, token);
    case TG_CDM_SCAN_MATH:
        return read_math(reader, token);
    case TG_CDM_SCAN_SPECIALS:
        reader->at = token->end;
        return reader_unit(reader, TG_CDM_UNIT_SPECIALS, token->start, token->end);
    default:
        reader->at = token->end;
        return NULL;
    }
}

/* Characters from @start up to here become a unit. */
static void end_run(Reader *reader, GPtrArray *list, gsize start, gsize end)
{
    if (end > start)
        g_ptr_array_add(list, reader_unit(reader, TG_CDM_UNIT_CHARACTERS, start, end));
}

/* A backslash that ends the text takes the white space before it along. */
static gboolean ends_in_backslash(const Reader *reader, const TgCdmScanToken *token)
{
    return token->kind == TG_CDM_SCAN_END_OF_TEXT && reader->line[token->start] == '\\';
}

static GPtrArray *read_list(Reader *reader, Stop stop)
{
    GPtrArray *list = g_ptr_array_new();
    gsize run = reader->at;

    if (++reader->depth > TG_CDM_READER_MAX_DEPTH)
        reader->failed = TRUE;
    while (!reader->failed) {
        const TgCdmScanToken token = reader_scan(reader, stop.close == ']', TRUE);

        if (token.kind == TG_CDM_SCAN_CHARACTER) {
            reader->at = token.end;
            continue;
        }
        end_run(reader, list, run, ends_in_backslash(reader, &token) ? token.space : token.start);
        if (ends_list(reader, &token, stop)) {
            reader->at = token.end;
            break;
        }
        TgCdmUnit *unit = read_unit(reader, &token);
        if (unit != NULL)
            g_ptr_array_add(list, unit);
        run = reader->at;
    }
    reader->depth--;
    return list;
}

TgCdmUnits *tg_cdm_read_units(const char *line)
{
    g_autoptr(TgCdmUnits) units = tg_cdm_units_new();
    Reader reader = { .line = line,
                      .units = units,
                      .steps_left = (gsize) STEPS_A_BYTE * (strlen(line) + 1) };

    units->children = read_list(&reader, (Stop){ 0 });
    return reader.failed ? NULL : g_steal_pointer(&units);
}
