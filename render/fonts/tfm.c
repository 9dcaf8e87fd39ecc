/* TFM files: twelve counts, a header, then tables of words, all big-endian. */
#include "render/fonts/tfm.h"

#include <string.h>

#include "core/fail.h"

/* The file cut into its tables; each points to its first word. */
typedef struct {
    guint n_header, first, last, n_widths, n_heights, n_depths, n_italics, n_program, n_kerns,
        n_recipes, n_params;
    const guint8 *header, *chars, *widths, *heights, *depths, *italics, *program, *kerns, *recipes,
        *params;
} Tables;

static guint half_word(const guint8 *at)
{
    return ((guint) at[0] << 8) | at[1];
}

static gint32 word(const guint8 *at)
{
    return (gint32) (((guint32) at[0] << 24) | ((guint32) at[1] << 16) | ((guint32) at[2] << 8) |
                     at[3]);
}

static gboolean broken(GError **error, const char *what)
{
    return tg_fail(error, TG_ERROR_FONT, "broken TFM file: %s", what);
}

/* Cut the file, checking that its counts add up to its length (TeX §§565, 566). */
static gboolean find_tables(const guint8 *data, gsize len, Tables *tables, GError **error)
{
    guint n[12];

    if (len < 24)
        return broken(error, "too short");
    for (guint i = 0; i < 12; i++) {
        n[i] = half_word(data + 2 * i);
        if (n[i] >= 0x8000)
            return broken(error, "a count is too large");
    }
    if (n[2] > n[3] + 1 || n[3] > 255)
        return broken(error, "the range of characters is impossible");

    const guint n_chars = n[3] + 1 - n[2];
    if (n[0] != 6 + n[1] + n_chars + n[4] + n[5] + n[6] + n[7] + n[8] + n[9] + n[10] + n[11] ||
        len < 4 * (gsize) n[0])
        return broken(error, "its counts do not fit its length");
    if (n[1] < 2 || n[4] == 0 || n[5] == 0 || n[6] == 0 || n[7] == 0)
        return broken(error, "a table is missing");

    *tables = (Tables){ .n_header = n[1],
                        .first = n[2],
                        .last = n[3],
                        .n_widths = n[4],
                        .n_heights = n[5],
                        .n_depths = n[6],
                        .n_italics = n[7],
                        .n_program = n[8],
                        .n_kerns = n[9],
                        .n_recipes = n[10],
                        .n_params = n[11] };
    tables->header = data + 24;
    tables->chars = tables->header + 4 * n[1];
    tables->widths = tables->chars + 4 * n_chars;
    tables->heights = tables->widths + 4 * n[4];
    tables->depths = tables->heights + 4 * n[5];
    tables->italics = tables->depths + 4 * n[6];
    tables->program = tables->italics + 4 * n[7];
    tables->kerns = tables->program + 4 * n[8];
    tables->recipes = tables->kerns + 4 * n[9];
    tables->params = tables->recipes + 4 * n[10];
    return TRUE;
}

/* A fix_word of at most 16 in magnitude, scaled; larger ones are an error. */
static gboolean read_scaled(const guint8 *at, TgScaled size, TgScaled *out)
{
    if (at[0] != 0 && at[0] != 255)
        return FALSE;
    *out = tg_metrics_scale(word(at), size);
    return TRUE;
}

static gboolean read_char(const Tables *tables, const guint8 *info, TgCharMetrics *out,
                          TgScaled size)
{
    const guint width = info[0], height = info[1] >> 4, depth = info[1] & 15, italic = info[2] >> 2;

    if (width >= tables->n_widths || height >= tables->n_heights || depth >= tables->n_depths ||
        italic >= tables->n_italics)
        return FALSE;
    if (width == 0)
        return TRUE; /* absent */
    out->tag = info[2] & 3;
    out->rest = info[3];
    return read_scaled(tables->widths + 4 * width, size, &out->width) &&
           read_scaled(tables->heights + 4 * height, size, &out->height) &&
           read_scaled(tables->depths + 4 * depth, size, &out->depth) &&
           read_scaled(tables->italics + 4 * italic, size, &out->italic);
}

static gboolean exists(const TgMetrics *metrics, guint8 c)
{
    return metrics->chars[c].tag != TG_CHAR_ABSENT;
}

/* Every tag leads to something that is there, and no chain of larger characters is a ring. */
static gboolean check_tags(const TgMetrics *metrics)
{
    for (guint c = 0; c < 256; c++) {
        const TgCharMetrics *info = &metrics->chars[c];

        if (info->tag == TG_CHAR_LIGATURES && info->rest >= metrics->n_program)
            return FALSE;
        if (info->tag == TG_CHAR_EXTENSIBLE && info->rest >= metrics->n_recipes)
            return FALSE;
        guint steps = 0;
        for (guint d = c; metrics->chars[d].tag == TG_CHAR_NEXT; d = metrics->chars[d].rest) {
            if (!exists(metrics, metrics->chars[d].rest) || ++steps > 256)
                return FALSE;
        }
    }
    return TRUE;
}

/* Steps of a program may only lead to kerns, ligatures and steps that are there (TeX §573). */
static gboolean read_program(const Tables *tables, TgMetrics *metrics)
{
    metrics->n_program = tables->n_program;
    metrics->program = g_new(TgLigKern, tables->n_program + 1);
    for (guint i = 0; i < tables->n_program; i++) {
        const guint8 *at = tables->program + 4 * i;
        const TgLigKern step = { at[0], at[1], at[2], at[3] };

        if (step.skip > 128) {
            const guint start = 256u * step.op + step.rest;
            if (start >= tables->n_program || tables->program[4 * start] > 128)
                return FALSE;
        } else {
            if (step.op >= 128 && 256u * (step.op - 128) + step.rest >= tables->n_kerns)
                return FALSE;
            if (step.op < 128 && !exists(metrics, step.rest))
                return FALSE;
        }
        metrics->program[i] = step;
    }
    return TRUE;
}

static gboolean read_recipes(const Tables *tables, TgMetrics *metrics)
{
    metrics->n_recipes = tables->n_recipes;
    metrics->recipes = g_new(TgRecipe, tables->n_recipes + 1);
    for (guint i = 0; i < tables->n_recipes; i++) {
        const guint8 *at = tables->recipes + 4 * i;

        for (guint k = 0; k < 3; k++) {
            if (at[k] != 0 && !exists(metrics, at[k]))
                return FALSE;
        }
        if (!exists(metrics, at[3]))
            return FALSE;
        metrics->recipes[i] = (TgRecipe){ at[0], at[1], at[2], at[3] };
    }
    return TRUE;
}

static gboolean read_kerns(const Tables *tables, TgMetrics *metrics)
{
    metrics->n_kerns = tables->n_kerns;
    metrics->kerns = g_new(TgScaled, tables->n_kerns + 1);
    for (guint i = 0; i < tables->n_kerns; i++) {
        if (!read_scaled(tables->kerns + 4 * i, metrics->size, &metrics->kerns[i]))
            return FALSE;
    }
    return TRUE;
}

/* The slant is a pure number, so it is not scaled (TeX §575). */
static gboolean read_params(const Tables *tables, TgMetrics *metrics)
{
    for (guint i = 1; i <= MIN(tables->n_params, TG_N_PARAMS - 1u); i++) {
        const guint8 *at = tables->params + 4 * (i - 1);

        if (i == TG_PARAM_SLANT)
            metrics->params[i] = word(at) / 16;
        else if (!read_scaled(at, metrics->size, &metrics->params[i]))
            return FALSE;
    }
    return TRUE;
}

/* The design size is a fix_word of points; TeX keeps it in sp (§568). */
static TgScaled design_size(const Tables *tables)
{
    return word(tables->header + 4) / 16;
}

TgMetrics *tg_tfm_read(const guint8 *data, gsize len, TgScaled size, GError **error)
{
    Tables tables = { 0 };

    if (!find_tables(data, len, &tables, error))
        return NULL;
    if (size == 0)
        size = design_size(&tables);
    if (size < 1 || size >= 1 << 27) {
        broken(error, "its design size is impossible");
        return NULL;
    }

    g_autoptr(TgMetrics) metrics = g_new0(TgMetrics, 1);
    metrics->size = size;
    for (guint c = 0; c < 256; c++)
        metrics->chars[c].tag = TG_CHAR_ABSENT;
    for (guint c = tables.first; c <= tables.last; c++) {
        if (!read_char(&tables, tables.chars + 4 * (c - tables.first), &metrics->chars[c], size)) {
            broken(error, "the box of a character is impossible");
            return NULL;
        }
    }
    if (!read_kerns(&tables, metrics) || !read_program(&tables, metrics) ||
        !read_recipes(&tables, metrics) || !read_params(&tables, metrics) || !check_tags(metrics)) {
        broken(error, "an index or a length in it is out of range");
        return NULL;
    }
    return g_steal_pointer(&metrics);
}
