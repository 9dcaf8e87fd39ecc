/* Macros: which are printed how, and which look for arguments behind them. */
#include <string.h>

#include "metrics/cdm/tolerant/printer.h"
#include "metrics/cdm/tolerant/scan.h"

/* How a macro is printed. */
typedef enum {
    PRINT_PLAIN,           /* name and arguments as written */
    PRINT_FRACTION,        /* name and two arguments */
    PRINT_ROOT,            /* name, index, body */
    PRINT_ACCENT,          /* the argument is printed in braces */
    PRINT_WIDE_ACCENT,     /* the argument is printed as written */
    PRINT_FONT,            /* name and argument as written */
    PRINT_BOX,             /* `\hbox`: takes the next unit */
    PRINT_TEXT,            /* spaces count */
    PRINT_LINE,            /* the argument is printed in one more pair of braces */
    PRINT_OPERATOR,        /* `\operatorname`: a known name becomes a command */
    PRINT_FUNCTION,        /* `\lim`: spelled out */
    PRINT_BEHIND,          /* `\phantom`: name and groups that follow */
    PRINT_RULE,            /* `\rule`: two lengths in groups that follow */
    PRINT_FRACTION_BEHIND, /* `\dfrac`: only groups that follow */
    PRINT_BINOMIAL,        /* `\binom`: whatever follows */
} PrintKind;

typedef struct {
    PrintKind kind;
    const char *names; /* separated by single spaces, one at each end */
    const char *printed;
} PrintRow;

static const PrintRow print_rows[] = {
    { PRINT_FRACTION, " frac ", NULL },
    { PRINT_FRACTION_BEHIND, " dfrac tfrac ", "\\frac" },
    { PRINT_BINOMIAL, " binom ", NULL },
    { PRINT_ROOT, " sqrt ", NULL },
    { PRINT_ACCENT, " hat bar vec dot ddot tilde breve check acute grave ", NULL },
    { PRINT_WIDE_ACCENT, " widehat widetilde ", NULL },
    { PRINT_FONT, " mathrm mathbf mathit mathsf mathtt mathcal mathbb mathfrak mathscr ", NULL },
    { PRINT_FONT, " mbox ", "\\mathrm" },
    { PRINT_BOX, " hbox ", "\\mathrm" },
    { PRINT_TEXT, " text ", "\\mathrm" },
    { PRINT_LINE, " overline underline ", NULL },
    { PRINT_OPERATOR, " operatorname ", NULL },
    { PRINT_FUNCTION, " det gcd inf lim liminf limsup max min Pr sup ", NULL },
    { PRINT_BEHIND, " phantom llap rlap ", NULL },
    { PRINT_RULE, " rule ", NULL },
};

static const PrintRow *print_row_of(const char *name)
{
    static const PrintRow plain = { PRINT_PLAIN, "", NULL };
    g_autofree char *wanted = g_strdup_printf(" %s ", name);

    for (guint i = 0; i < G_N_ELEMENTS(print_rows); i++)
        if (strstr(print_rows[i].names, wanted) != NULL)
            return &print_rows[i];
    return &plain;
}

/* ---- parts ---- */

static void print_name(TgCdmPrinter *printer, const TgCdmUnit *macro, const char *printed)
{
    g_autofree char *name = g_strconcat("\\", macro->name, NULL);

    tg_cdm_print_token(printer, printed != NULL ? printed : name, macro->at);
}

/* An argument as written; one that is not there is an empty group. */
static void print_argument(TgCdmPrinter *printer, const TgCdmUnit *argument)
{
    if (argument != NULL) {
        tg_cdm_print_unit(printer, argument);
        return;
    }
    tg_cdm_print_mark(printer, "{");
    tg_cdm_print_mark(printer, "}");
}

/* The same in braces, where it has none. */
static void print_braced(TgCdmPrinter *printer, const TgCdmUnit *argument)
{
    const gboolean is_group = argument == NULL || argument->kind == TG_CDM_UNIT_GROUP;

    if (!is_group)
        tg_cdm_print_mark(printer, "{");
    print_argument(printer, argument);
    if (!is_group)
        tg_cdm_print_mark(printer, "}");
}

/* The group that follows, if one does; the cursor moves behind it. */
static const TgCdmUnit *take_group(const TgCdmPrinter *printer, TgCdmCursor *cursor)
{
    TgCdmCursor ahead = *cursor;
    TgCdmPrinter blind = { .line = printer->line };
    TgCdmItem item;

    if (!tg_cdm_cursor_next(&ahead, &blind, &item) || item.unit == NULL ||
        item.unit->kind != TG_CDM_UNIT_GROUP)
        return NULL;
    *cursor = ahead;
    return item.unit;
}

/* The two groups that follow; nothing is taken unless both are there. */
static gboolean take_two_groups(const TgCdmPrinter *printer, TgCdmCursor *cursor,
                                const TgCdmUnit *groups[2])
{
    TgCdmCursor ahead = *cursor;

    for (guint i = 0; i < 2; i++)
        if ((groups[i] = take_group(printer, &ahead)) == NULL)
            return FALSE;
    *cursor = ahead;
    return TRUE;
}

/* ---- kinds of macros ---- */

static void print_plain(TgCdmPrinter *printer, const TgCdmUnit *macro)
{
    print_name(printer, macro, NULL);
    for (guint i = 0; i < macro->n_arguments; i++)
        if (macro->arguments[i] != NULL)
            tg_cdm_print_unit(printer, macro->arguments[i]);
    if (macro->n_arguments == 0 && printer->in_text && macro->space_behind)
        tg_cdm_print_mark(printer, "~");
}

static void print_root(TgCdmPrinter *printer, const TgCdmUnit *macro)
{
    print_name(printer, macro, NULL);
    if (macro->arguments[0] != NULL)
        tg_cdm_print_unit(printer, macro->arguments[0]);
    print_argument(printer, macro->arguments[1]);
}

/* `\hat\mathbf{x}`: the accent has read the bare `\mathbf`, whose group follows. */
static void print_accent(TgCdmPrinter *printer, const TgCdmUnit *macro, gboolean is_wide,
                         TgCdmCursor *cursor)
{
    const TgCdmUnit *argument = macro->arguments[0];
    const gboolean is_font = argument != NULL && argument->kind == TG_CDM_UNIT_MACRO &&
                             print_row_of(argument->name)->kind == PRINT_FONT;
    const TgCdmUnit *group = is_font ? take_group(printer, cursor) : NULL;

    print_name(printer, macro, NULL);
    if (group == NULL) {
        if (is_wide)
            print_argument(printer, argument);
        else
            print_braced(printer, argument);
        return;
    }
    tg_cdm_print_mark(printer, "{");
    print_name(printer, argument, print_row_of(argument->name)->printed);
    tg_cdm_print_unit(printer, group);
    tg_cdm_print_mark(printer, "}");
}

static void print_line(TgCdmPrinter *printer, const TgCdmUnit *macro)
{
    print_name(printer, macro, NULL);
    tg_cdm_print_mark(printer, "{");
    print_argument(printer, macro->arguments[0]);
    tg_cdm_print_mark(printer, "}");
}

static void print_text(TgCdmPrinter *printer, const TgCdmUnit *macro)
{
    const TgCdmUnit *argument = macro->arguments[0];
    TgCdmPrinter text = *printer;

    text.in_text = TRUE;
    print_name(printer, macro, "\\mathrm");
    tg_cdm_print_mark(printer, "{");
    if (argument != NULL && argument->kind == TG_CDM_UNIT_GROUP)
        tg_cdm_print_units(&text, argument->children);
    else if (argument != NULL)
        tg_cdm_print_unit(&text, argument);
    tg_cdm_print_mark(printer, "}");
}

/* `\hbox` takes all of a run of characters. */
static void print_box(TgCdmPrinter *printer, const TgCdmUnit *macro, TgCdmCursor *cursor)
{
    TgCdmItem item;

    print_name(printer, macro, "\\mathrm");
    const TgCdmUnit *group = take_group(printer, cursor);
    if (group != NULL) {
        tg_cdm_print_unit(printer, group);
        return;
    }
    tg_cdm_print_mark(printer, "{");
    if (tg_cdm_cursor_next(cursor, printer, &item)) {
        const guint run = cursor->at;
        TgCdmCursor ahead = *cursor;

        tg_cdm_print_item(printer, &item);
        while (item.unit == NULL && tg_cdm_cursor_next(&ahead, printer, &item) && ahead.at == run &&
               item.unit == NULL) {
            tg_cdm_print_item(printer, &item);
            *cursor = ahead;
        }
    }
    tg_cdm_print_mark(printer, "}");
}

/* ---- names ---- */

static gboolean is_function_name(const char *name)
{
    static const char *const names[] = {
        "arccos",  "arcsin", "arctan", "arg",    "cos", "cosh", "cot",  "coth",   "csc",
        "deg",     "det",    "dim",    "exp",    "gcd", "hom",  "inf",  "injlim", "ker",
        "lg",      "lim",    "liminf", "limsup", "ln",  "log",  "max",  "min",    "Pr",
        "projlim", "sec",    "sin",    "sinh",   "sup", "tan",  "tanh", NULL,
    };

    return g_strv_contains(names, name);
}

/* The characters of a group outside of all that is in it; NULL where white space is at an end.
 * (transfer full) */
static char *plain_characters(const TgCdmPrinter *printer, const TgCdmUnit *group)
{
    const char *line = printer->line->string->str;
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < group->children->len; i++) {
        const TgCdmUnit *unit = group->children->pdata[i];

        if (unit->kind == TG_CDM_UNIT_CHARACTERS)
            g_string_append_len(text, line + unit->at.start,
                                (gssize) (unit->at.end - unit->at.start));
    }
    if (text->len > 0 && (text->str[0] == ' ' || text->str[text->len - 1] == ' '))
        return NULL;
    g_string_replace(text, " ", "", 0);
    return g_strdup(text->str);
}

static void print_operator(TgCdmPrinter *printer, const TgCdmUnit *macro, TgCdmCursor *cursor)
{
    const TgCdmUnit *group = take_group(printer, cursor);
    g_autofree char *name = group != NULL ? plain_characters(printer, group) : NULL;

    if (name != NULL && is_function_name(name)) {
        g_autofree char *command = g_strconcat("\\", name, NULL);
        tg_cdm_print_token(printer, command, macro->at);
        return;
    }
    print_name(printer, macro, NULL);
    if (group != NULL)
        tg_cdm_print_unit(printer, group);
}

static void print_function(TgCdmPrinter *printer, const TgCdmUnit *macro)
{
    tg_cdm_print_token(printer, "\\operatorname*", macro->at);
    tg_cdm_print_mark(printer, "{");
    for (const char *p = macro->name; *p != '\0'; p++) {
        const char letter[2] = { *p, '\0' };
        tg_cdm_print_token(printer, letter, macro->at);
    }
    tg_cdm_print_mark(printer, "}");
}

/* ---- arguments behind ---- */

static void print_behind(TgCdmPrinter *printer, const TgCdmUnit *macro, TgCdmCursor *cursor)
{
    const TgCdmUnit *group = take_group(printer, cursor);

    print_name(printer, macro, NULL);
    if (group != NULL)
        tg_cdm_print_unit(printer, group);
}

/* A length without superfluous zeros, and its unit: `0.250em` becomes `0.25 em`. NULL where the
 * group is no length. (transfer full) */
static char *length_of(const TgCdmPrinter *printer, const TgCdmUnit *group)
{
    g_autofree char *text = plain_characters(printer, group);
    char *unit, number[G_ASCII_DTOSTR_BUF_SIZE];

    if (text == NULL)
        return NULL;
    const double value = g_ascii_strtod(text, &unit);
    if (unit == text || strlen(unit) != 2)
        return NULL;
    g_ascii_formatd(number, sizeof number, "%.15g", value + 0.0);
    return g_strdup_printf("%s %s", number, unit);
}

static void print_rule(TgCdmPrinter *printer, const TgCdmUnit *macro, TgCdmCursor *cursor)
{
    TgCdmCursor ahead = *cursor;
    const TgCdmUnit *groups[2];

    print_name(printer, macro, NULL);
    if (!take_two_groups(printer, &ahead, groups))
        return;
    for (guint i = 0; i < 2; i++) {
        g_autofree char *length = length_of(printer, groups[i]);

        if (length == NULL) {
            tg_cdm_print_unit(printer, groups[i]);
            continue;
        }
        tg_cdm_print_mark(printer, "{");
        tg_cdm_print_mark(printer, length);
        tg_cdm_print_mark(printer, "}");
    }
    *cursor = ahead;
}

static void print_two(TgCdmPrinter *printer, const TgCdmUnit *first, const TgCdmUnit *second)
{
    print_argument(printer, first);
    print_argument(printer, second);
}

/* Whether another character follows directly in the same run. */
static gboolean goes_on(const TgCdmPrinter *printer, const TgCdmCursor *cursor)
{
    if (cursor->at >= cursor->end || cursor->offset == 0)
        return FALSE;
    const TgCdmUnit *run = cursor->units->pdata[cursor->at];
    const gsize next = run->at.start + cursor->offset;
    return next < run->at.end &&
           !tg_cdm_is_space(g_utf8_get_char(printer->line->string->str + next));
}

/* `\binom n k`, `\binom\alpha\beta`; but of `\binom nk` the two letters are no arguments. */
static gboolean print_binomial_behind(TgCdmPrinter *printer, TgCdmCursor *cursor)
{
    TgCdmCursor ahead = *cursor;
    TgCdmItem items[2];

    for (guint i = 0; i < 2; i++) {
        if (!tg_cdm_cursor_next(&ahead, printer, &items[i]))
            return FALSE;
        if (i == 0 && items[i].unit == NULL && goes_on(printer, &ahead))
            return FALSE;
    }
    for (guint i = 0; i < 2; i++)
        tg_cdm_print_item(printer, &items[i]);
    *cursor = ahead;
    return TRUE;
}

static void print_two_behind(TgCdmPrinter *printer, const TgCdmUnit *macro, const PrintRow *row,
                             TgCdmCursor *cursor)
{
    const TgCdmUnit *groups[2];

    print_name(printer, macro, row->printed);
    if (take_two_groups(printer, cursor, groups))
        print_two(printer, groups[0], groups[1]);
    else if (row->kind != PRINT_BINOMIAL || !print_binomial_behind(printer, cursor))
        print_two(printer, NULL, NULL);
}

void tg_cdm_print_macro(TgCdmPrinter *printer, const TgCdmUnit *macro, TgCdmCursor *cursor)
{
    const PrintRow *row = print_row_of(macro->name);

    switch (row->kind) {
    case PRINT_PLAIN:
        print_plain(printer, macro);
        break;
    case PRINT_FRACTION:
        print_name(printer, macro, row->printed);
        print_two(printer, macro->arguments[0], macro->arguments[1]);
        break;
    case PRINT_FRACTION_BEHIND:
    case PRINT_BINOMIAL:
        print_two_behind(printer, macro, row, cursor);
        break;
    case PRINT_ROOT:
        print_root(printer, macro);
        break;
    case PRINT_ACCENT:
    case PRINT_WIDE_ACCENT:
        print_accent(printer, macro, row->kind == PRINT_WIDE_ACCENT, cursor);
        break;
    case PRINT_FONT:
        print_name(printer, macro, row->printed);
        print_argument(printer, macro->arguments[0]);
        break;
    case PRINT_BOX:
        print_box(printer, macro, cursor);
        break;
    case PRINT_TEXT:
        print_text(printer, macro);
        break;
    case PRINT_LINE:
        print_line(printer, macro);
        break;
    case PRINT_OPERATOR:
        print_operator(printer, macro, cursor);
        break;
    case PRINT_FUNCTION:
        print_function(printer, macro);
        break;
    case PRINT_BEHIND:
        print_behind(printer, macro, cursor);
        break;
    case PRINT_RULE:
        print_rule(printer, macro, cursor);
        break;
    }
}
