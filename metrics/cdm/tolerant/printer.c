/* Lists of units: characters, groups, and scripts in their order. */
#include "metrics/cdm/tolerant/printer.h"

#include <string.h>

#include "metrics/cdm/tolerant/scan.h"

/* ---- tokens ---- */

void tg_cdm_print_token(TgCdmPrinter *printer, const char *token, TgCdmRange from)
{
    const TgCdmRange none = { 0, 0 };

    tg_cdm_text_append(printer->out, token,
                       tg_cdm_text_origin(printer->line, from.start, from.end));
    tg_cdm_text_append(printer->out, " ", none);
}

void tg_cdm_print_mark(TgCdmPrinter *printer, const char *token)
{
    tg_cdm_print_token(printer, token, (TgCdmRange){ 0, 0 });
}

static void print_bytes(TgCdmPrinter *printer, TgCdmRange at)
{
    const TgCdmRange none = { 0, 0 };

    tg_cdm_text_copy(printer->out, printer->line, at.start, at.end);
    tg_cdm_text_append(printer->out, " ", none);
}

/* ---- items ---- */

/* The end of the white space that begins at @at, within @end. */
static guint32 skip_space(const char *line, guint32 at, guint32 end)
{
    while (at < end && tg_cdm_is_space(g_utf8_get_char(line + at)))
        at = (guint32) (g_utf8_next_char(line + at) - line);
    return at;
}

/* The next character of the run @unit; FALSE at its end. */
static gboolean next_character(TgCdmCursor *cursor, const TgCdmPrinter *printer,
                               const TgCdmUnit *unit, TgCdmItem *item)
{
    const char *line = printer->line->string->str;
    const guint32 start = unit->at.start + (guint32) cursor->offset, end = unit->at.end;
    const guint32 at = skip_space(line, start, end);
    guint32 behind = at;

    item->is_space = printer->in_text && at > start;
    if (!item->is_space) {
        if (at >= end)
            return FALSE;
        behind = end - at >= 2 && g_str_has_prefix(line + at, "--")
                     ? at + 2
                     : (guint32) (g_utf8_next_char(line + at) - line);
    }
    item->character = (TgCdmRange){ at, behind };
    cursor->offset = behind - unit->at.start;
    return TRUE;
}

gboolean tg_cdm_cursor_next(TgCdmCursor *cursor, const TgCdmPrinter *printer, TgCdmItem *item)
{
    *item = (TgCdmItem){ 0 };
    for (; cursor->at < cursor->end; cursor->at++, cursor->offset = 0) {
        const TgCdmUnit *unit = cursor->units->pdata[cursor->at];

        if (unit->kind != TG_CDM_UNIT_CHARACTERS && unit->kind != TG_CDM_UNIT_SPECIALS) {
            item->unit = unit;
            cursor->at++;
            return TRUE;
        }
        if (next_character(cursor, printer, unit, item))
            return TRUE;
    }
    return FALSE;
}

static void print_group(TgCdmPrinter *printer, const TgCdmUnit *group)
{
    tg_cdm_print_mark(printer, group->is_bracket ? "[" : "{");
    tg_cdm_print_units(printer, group->children);
    tg_cdm_print_mark(printer, group->is_bracket ? "]" : "}");
}

/* @cursor: what follows the item */
static void print_item(TgCdmPrinter *printer, const TgCdmItem *item, TgCdmCursor *cursor)
{
    if (item->unit == NULL) {
        if (item->is_space)
            tg_cdm_print_mark(printer, "~");
        else
            print_bytes(printer, item->character);
        return;
    }
    switch (item->unit->kind) {
    case TG_CDM_UNIT_GROUP:
        print_group(printer, item->unit);
        break;
    case TG_CDM_UNIT_MACRO:
        printer->print_macro(printer, item->unit, cursor);
        break;
    case TG_CDM_UNIT_ENVIRONMENT:
        printer->print_environment(printer, item->unit);
        break;
    case TG_CDM_UNIT_MATH:
        tg_cdm_print_mark(printer, "$");
        tg_cdm_print_units(printer, item->unit->children);
        tg_cdm_print_mark(printer, "$");
        break;
    default:
        break;
    }
}

void tg_cdm_print_item(TgCdmPrinter *printer, const TgCdmItem *item)
{
    TgCdmCursor nothing = { 0 };

    print_item(printer, item, &nothing);
}

/* ---- scripts ---- */

/* The scripts of the last item, which are printed when the next one comes. */
typedef struct {
    TgCdmText *subscript, *superscript; /* with their braces; NULL for none */
    guint n_primes;                     /* of which the superscript is made; 0: of other things */
    gboolean has_base;
} Scripts;

static void flush_scripts(TgCdmPrinter *printer, Scripts *scripts)
{
    TgCdmText **const texts[] = { &scripts->subscript, &scripts->superscript };

    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        if (*texts[i] == NULL)
            continue;
        tg_cdm_print_mark(printer, i == 0 ? "_" : "^");
        tg_cdm_text_copy(printer->out, *texts[i], 0, (*texts[i])->string->len);
        g_clear_pointer(texts[i], tg_cdm_text_free);
    }
    scripts->n_primes = 0;
}

static gboolean item_is(const TgCdmPrinter *printer, const TgCdmItem *item, char character)
{
    return item->unit == NULL && !item->is_space &&
           item->character.end - item->character.start == 1 &&
           printer->line->string->str[item->character.start] == character;
}

/* The item as a group. (transfer full) */
static TgCdmText *print_apart(const TgCdmPrinter *printer, const TgCdmItem *item)
{
    g_autoptr(TgCdmText) text = tg_cdm_text_new_like(printer->out);
    TgCdmPrinter apart = *printer;
    const gboolean is_group = item->unit != NULL && item->unit->kind == TG_CDM_UNIT_GROUP;

    apart.out = text;
    apart.in_script = TRUE;
    if (!is_group)
        tg_cdm_print_mark(&apart, "{");
    tg_cdm_print_item(&apart, item);
    if (!is_group)
        tg_cdm_print_mark(&apart, "}");
    return g_steal_pointer(&text);
}

/* One more prime; all of them are one superscript, and the place of another one is theirs. */
static void add_prime(const TgCdmPrinter *printer, Scripts *scripts, TgCdmRange at)
{
    g_autoptr(TgCdmText) primes = tg_cdm_text_new_like(printer->out);
    TgCdmPrinter apart = { .line = printer->line, .out = primes };
    const TgCdmText *before = scripts->superscript;

    tg_cdm_print_mark(&apart, "{");
    if (scripts->n_primes > 0)
        tg_cdm_text_copy(primes, before, strlen("{ "), before->string->len - strlen("} "));
    tg_cdm_print_token(&apart, "\\prime", at);
    tg_cdm_print_mark(&apart, "}");
    g_clear_pointer(&scripts->superscript, tg_cdm_text_free);
    scripts->superscript = g_steal_pointer(&primes);
    scripts->n_primes++;
}

static gboolean item_is_mark(const TgCdmPrinter *printer, const TgCdmItem *item)
{
    return item_is(printer, item, '_') || item_is(printer, item, '^');
}

/* Read the script behind @mark, or behind the last of several marks; FALSE where the mark stands
 * for itself. */
static gboolean take_script(const TgCdmPrinter *printer, Scripts *scripts, const TgCdmItem *mark,
                            TgCdmCursor *cursor)
{
    TgCdmCursor ahead = *cursor;
    TgCdmItem content = *mark;
    gboolean is_superscript = FALSE;

    if (!scripts->has_base)
        return FALSE;
    do {
        is_superscript = item_is(printer, &content, '^');
        if (!tg_cdm_cursor_next(&ahead, printer, &content))
            return FALSE;
    } while (item_is_mark(printer, &content));
    *cursor = ahead;
    TgCdmText **place = is_superscript ? &scripts->superscript : &scripts->subscript;
    g_clear_pointer(place, tg_cdm_text_free);
    *place = print_apart(printer, &content);
    if (is_superscript)
        scripts->n_primes = 0;
    return TRUE;
}

/* A script or prime at @item, with what belongs to it. */
static gboolean take_mark(const TgCdmPrinter *printer, Scripts *scripts, const TgCdmItem *item,
                          TgCdmCursor *cursor)
{
    if (printer->in_text)
        return FALSE;
    if (item_is(printer, item, '\'') && !printer->in_script) {
        add_prime(printer, scripts, item->character);
        return TRUE;
    }
    return item_is_mark(printer, item) && take_script(printer, scripts, item, cursor);
}

/* What is not printed, and does not come between a base and its scripts. */
static gboolean item_vanishes(const TgCdmItem *item)
{
    return tg_cdm_unit_is_macro(item->unit, "limits") ||
           tg_cdm_unit_is_macro(item->unit, "nolimits");
}

void tg_cdm_print_slice(TgCdmPrinter *printer, const GPtrArray *list, guint from, guint end)
{
    TgCdmCursor cursor = { list, from, end, 0 };
    Scripts scripts = { 0 };
    TgCdmItem item;

    while (tg_cdm_cursor_next(&cursor, printer, &item)) {
        if (item_vanishes(&item) || take_mark(printer, &scripts, &item, &cursor))
            continue;
        flush_scripts(printer, &scripts);
        print_item(printer, &item, &cursor);
        scripts.has_base = TRUE;
    }
    flush_scripts(printer, &scripts);
}

void tg_cdm_print_units(TgCdmPrinter *printer, const GPtrArray *list)
{
    tg_cdm_print_slice(printer, list, 0, list->len);
}

void tg_cdm_print_unit(TgCdmPrinter *printer, const TgCdmUnit *unit)
{
    const GPtrArray one = { (gpointer *) &unit, 1 };

    tg_cdm_print_units(printer, &one);
}
