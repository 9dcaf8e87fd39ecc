/* Collects the faults that reading a formula meets, and decides whether reading goes on. */
#include "tokenizer/macros/expander.h"

#include <string.h>

void tg_parse_errors_init(TgParseErrors *errors, TgArena *arena, const char *source, gsize len,
                          gboolean strict)
{
    *errors = (TgParseErrors){ .arena = arena, .source = source, .len = len, .strict = strict };
    errors->column = 1;
}

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
        errors->column += count_characters(errors->source, errors->offset, offset);
    else
        errors->column -= count_characters(errors->source, offset, errors->offset);
    errors->offset = offset;
    return errors->column;
}

guint32 tg_parse_errors_add(TgParseErrors *errors, TgParseErrorKind kind, guint32 start,
                            guint32 end, const char *format, ...)
{
    if (errors->stopped)
        return errors->n > 0 ? errors->n - 1 : 0;

    va_list args;
    va_start(args, format);
    g_autofree char *message = g_strdup_vprintf(format, args);
    va_end(args);

    const gsize size = strlen(message) + 1;
    if (errors->n == errors->max) {
        errors->max = MAX(2 * errors->max, 4);
        errors->faults =
            tg_arena_regrow(errors->arena, errors->faults, errors->n * sizeof(TgParseError),
                            errors->max * sizeof(TgParseError));
    }
    errors->faults[errors->n] = (TgParseError){
        .kind = kind,
        .start = MIN(start, (guint32) errors->len),
        .end = MIN(end, (guint32) errors->len),
        .column = column_of(errors, MIN(start, (guint32) errors->len)),
        .message = memcpy(tg_arena_alloc(errors->arena, size), message, size),
    };

    errors->limit = kind == TG_PARSE_LIMIT;
    errors->stopped = errors->limit || errors->strict;
    return errors->n++;
}

TgFormulaFault *tg_tree_faults(const TgTree *tree, TgArena *arena, guint *n)
{
    const TgParseError *errors = tg_tree_errors(tree, n);
    TgFormulaFault *faults = tg_arena_alloc(arena, ((gsize) *n + 1) * sizeof *faults);

    for (guint i = 0; i < *n; i++) {
        const gsize size = strlen(errors[i].message) + 1;

        faults[i] = (TgFormulaFault){
            .kind = tg_parse_error_kind_name((TgParseErrorKind) errors[i].kind),
            .start = errors[i].start,
            .end = errors[i].end,
            .column = errors[i].column,
            .message = memcpy(tg_arena_alloc(arena, size), errors[i].message, size),
        };
    }
    return faults;
}
