/* Collects the faults that reading a formula meets, and decides whether reading goes on. */
#include "tokenizer/macros/expander.h"

#include <string.h>

/* The number of characters between two offsets; an invalid byte counts as one. */
static guint32 count_characters(const char *source, gsize from, gsize to)
{
    guint32 n = 0;

    for (gsize i = from; i < to; i++)
        n += ((guchar) source[i] & 0xC0) != 0x80;
    return n;
}

/* The column of an offset, counted from the place asked for last: faults lie close together. */
static guint32 column_of(TgParseErrors *errors, gsize offset)
{
    if (offset >= errors->offset)
        errors->characters += count_characters(errors->source, errors->offset, offset);
    else
        errors->characters -= count_characters(errors->source, offset, errors->offset);
    errors->offset = offset;
    return errors->characters + 1;
}

/* Append a fault to a list of @n in the arena, which has room for @max. */
static void append_fault(TgParseErrors *errors, TgParseError **list, guint *n, guint *max,
                         TgParseError fault)
{
    if (*n == *max) {
        const guint room = MAX(2 * *max, 4);
        *list = tg_arena_regrow(errors->arena, *list, *n * sizeof fault, room * sizeof fault);
        *max = room;
    }
    fault.start = MIN(fault.start, (guint32) errors->len);
    fault.end = MIN(fault.end, (guint32) errors->len);
    fault.column = column_of(errors, fault.start);
    (*list)[(*n)++] = fault;
}

guint32 tg_report(TgParseErrors *errors, const TgTexToken *at, TgParseErrorKind kind,
                  const char *format, ...)
{
    if (errors->stopped)
        return errors->n > 0 ? errors->n - 1 : 0;

    va_list args;
    va_start(args, format);
    const char *message = tg_arena_vprintf(errors->arena, format, args);
    va_end(args);
    append_fault(errors, &errors->faults, &errors->n, &errors->max,
                 (TgParseError){ kind, TG_PACKAGE_NONE, at->start, at->end, 0, message });
    errors->limit = kind == TG_PARSE_LIMIT;
    errors->stopped = errors->limit || errors->strict;
    return errors->n - 1;
}

void tg_refuse(TgParseErrors *errors, const TgTexToken *at, TgPackage package,
               TgParseErrorKind kind, const char *format, ...)
{
    const TgParseError *last =
        errors->n_refusals > 0 ? &errors->refusals[errors->n_refusals - 1] : NULL;
    const gboolean has_package = package != TG_PACKAGE_NONE && package != TG_PACKAGE_KATEX;

    /* tokens that are put back are met twice */
    if (errors->stopped || (errors->strict && has_package) ||
        (last != NULL && last->start == at->start && last->package == package))
        return;

    va_list args;
    va_start(args, format);
    const char *message = tg_arena_vprintf(errors->arena, format, args);
    va_end(args);
    if (errors->strict)
        tg_report(errors, at, kind, "%s", message);
    else
        append_fault(errors, &errors->refusals, &errors->n_refusals, &errors->max_refusals,
                     (TgParseError){ kind, package, at->start, at->end, 0, message });
}

TgFormulaFault *tg_tree_faults(const TgTree *tree, TgArena *arena, guint *n)
{
    const TgParseError *errors = tree->errors;
    TgFormulaFault *faults = tg_arena_alloc(arena, ((gsize) tree->n_errors + 1) * sizeof *faults);

    *n = tree->n_errors;
    for (guint i = 0; i < *n; i++)
        faults[i] = (TgFormulaFault){
            .kind = tg_parse_error_names[errors[i].kind],
            .start = errors[i].start,
            .end = errors[i].end,
            .column = errors[i].column,
            .message = tg_arena_text(arena, errors[i].message, strlen(errors[i].message)),
        };
    return faults;
}
