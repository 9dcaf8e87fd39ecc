/* Metrics of fonts: TFM files, tables of the AMS fonts and of Computer Modern, scaling, and
 * lig/kern programs. */
#include <string.h>

#include "core/fail.h"
#include "render/fonts/tables.h"

/* ---- Scaling and lig/kern programs ----------------------------------------------------------- */

TgScaled tg_metrics_scale(gint32 fix_word, TgScaled size)
{
    /* alpha = 16 size and beta = 2^20 / alpha' keep every product below 2^31, as in TeX. */
    gint32 alpha = 16, z = (gint32) size;

    while (z >= 0x800000) {
        z /= 2;
        alpha += alpha;
    }
    const gint32 beta = 256 / alpha;
    alpha *= z;

    const guint32 bits = (guint32) fix_word;
    const gint32 b = (bits >> 16) & 0xFF, c = (bits >> 8) & 0xFF, d = bits & 0xFF;
    const gint32 scaled = (((d * z) / 256 + c * z) / 256 + b * z) / beta;
    return fix_word < 0 ? scaled - alpha : scaled;
}

TgCharPair tg_metrics_pair(const TgMetrics *metrics, guint8 left, guint8 right)
{
    const TgCharPair nothing = { 0, -1 };

    if (metrics->chars[left].tag != TG_CHAR_LIGATURES)
        return nothing;

    guint at = metrics->chars[left].rest;
    if (metrics->program[at].skip > 128) /* the program starts at a farther place */
        at = 256 * metrics->program[at].op + metrics->program[at].rest;
    for (; at < metrics->n_program; at += metrics->program[at].skip + 1u) {
        const TgLigKern *step = &metrics->program[at];

        if (step->next == right && step->skip <= 128) {
            if (step->op >= 128)
                return (TgCharPair){ metrics->kerns[256 * (step->op - 128) + step->rest], -1 };
            return (TgCharPair){ 0, step->op == 0 ? step->rest : -1 };
        }
        if (step->skip >= 128)
            break;
    }
    return nothing;
}

void tg_metrics_free(TgMetrics *metrics)
{
    if (metrics == NULL)
        return;
    g_free(metrics->program);
    g_free(metrics->kerns);
    g_free(metrics->recipes);
    g_free(metrics);
}

static TgMetrics *metrics_new(TgScaled size)
{
    TgMetrics *metrics = g_new0(TgMetrics, 1);

    metrics->size = size;
    for (guint c = 0; c < 256; c++)
        metrics->chars[c].tag = TG_CHAR_ABSENT;
    return metrics;
}

/* ---- TFM files: twelve counts, a header, then tables of words, all big-endian ---------------- */

enum { HEADER, CHARS, WIDTHS, HEIGHTS, DEPTHS, ITALICS, PROGRAM, KERNS, RECIPES, PARAMS, N_TABLES };

/* A file cut into its tables. */
typedef struct {
    guint first, last; /* characters */
    struct {
        const guint8 *words;
        guint n;
    } table[N_TABLES];
} Tfm;

static gint32 read_word(const guint8 *at)
{
    return (gint32) (((guint32) at[0] << 24) | ((guint32) at[1] << 16) | ((guint32) at[2] << 8) |
                     at[3]);
}

#define BROKEN "broken TFM file: "

/* Cut the file, checking that its counts add up to its length (TeX §§565, 566). */
static gboolean cut_file(Tfm *tfm, const guint8 *data, gsize len, GError **error)
{
    guint n[12], total = 6;

    if (len < 24)
        return tg_fail(error, TG_ERROR_FONT, BROKEN "too short");
    for (guint i = 0; i < 12; i++) {
        n[i] = (guint) data[2 * i] << 8 | data[2 * i + 1];
        if (n[i] >= 0x8000)
            return tg_fail(error, TG_ERROR_FONT, BROKEN "a count is too large");
    }
    if (n[2] > n[3] + 1 || n[3] > 255)
        return tg_fail(error, TG_ERROR_FONT, BROKEN "the range of characters is impossible");
    tfm->first = n[2];
    tfm->last = n[3];
    for (guint i = 0; i < N_TABLES; i++) {
        tfm->table[i].n = i == HEADER ? n[1] : i == CHARS ? n[3] + 1 - n[2] : n[i + 2];
        total += tfm->table[i].n;
    }
    if (n[0] != total || len < 4 * (gsize) total)
        return tg_fail(error, TG_ERROR_FONT, BROKEN "its counts do not fit its length");
    data += 24;
    for (guint i = 0; i < N_TABLES; i++) {
        tfm->table[i].words = data;
        data += 4 * tfm->table[i].n;
    }
    if (tfm->table[HEADER].n < 2 || tfm->table[WIDTHS].n == 0 || tfm->table[HEIGHTS].n == 0 ||
        tfm->table[DEPTHS].n == 0 || tfm->table[ITALICS].n == 0)
        return tg_fail(error, TG_ERROR_FONT, BROKEN "a table is missing");
    return TRUE;
}

/* A fix_word of a table, at most 16 in magnitude, scaled. */
static gboolean read_scaled(const Tfm *tfm, guint table, guint i, TgScaled size, TgScaled *out)
{
    const guint8 *at = tfm->table[table].words + 4 * i;

    if (i >= tfm->table[table].n || (at[0] != 0 && at[0] != 255))
        return FALSE;
    *out = tg_metrics_scale(read_word(at), size);
    return TRUE;
}

static gboolean read_chars(const Tfm *tfm, TgMetrics *metrics)
{
    for (guint c = tfm->first; c <= tfm->last; c++) {
        const guint8 *info = tfm->table[CHARS].words + 4 * (c - tfm->first);
        TgCharMetrics box = { .tag = info[2] & 3, .rest = info[3] };

        if (info[0] == 0)
            continue; /* absent */
        if (!read_scaled(tfm, WIDTHS, info[0], metrics->size, &box.width) ||
            !read_scaled(tfm, HEIGHTS, info[1] >> 4, metrics->size, &box.height) ||
            !read_scaled(tfm, DEPTHS, info[1] & 15, metrics->size, &box.depth) ||
            !read_scaled(tfm, ITALICS, info[2] >> 2, metrics->size, &box.italic))
            return FALSE;
        metrics->chars[c] = box;
    }
    return TRUE;
}

static gboolean char_exists(const TgMetrics *metrics, guint8 c)
{
    return metrics->chars[c].tag != TG_CHAR_ABSENT;
}

/* Check that every tag leads to an existing entry, and that no chain of larger characters is a
 * ring. */
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
            if (!char_exists(metrics, metrics->chars[d].rest) || ++steps > 256)
                return FALSE;
        }
    }
    return TRUE;
}

/* Check that steps of a program lead only to existing kerns, ligatures and steps (TeX §573). */
static gboolean read_program(const Tfm *tfm, TgMetrics *metrics)
{
    const guint8 *words = tfm->table[PROGRAM].words;

    metrics->n_program = tfm->table[PROGRAM].n;
    metrics->program = g_new(TgLigKern, metrics->n_program + 1);
    for (guint i = 0; i < metrics->n_program; i++) {
        const guint8 *at = words + 4 * i;
        const TgLigKern step = { at[0], at[1], at[2], at[3] };

        if (step.skip > 128) {
            const guint start = 256u * step.op + step.rest;
            if (start >= metrics->n_program || words[4 * start] > 128)
                return FALSE;
        } else if (step.op >= 128 ? 256u * (step.op - 128) + step.rest >= metrics->n_kerns
                                  : !char_exists(metrics, step.rest)) {
            return FALSE;
        }
        metrics->program[i] = step;
    }
    return TRUE;
}

static gboolean read_recipes(const Tfm *tfm, TgMetrics *metrics)
{
    metrics->n_recipes = tfm->table[RECIPES].n;
    metrics->recipes = g_new(TgRecipe, metrics->n_recipes + 1);
    for (guint i = 0; i < metrics->n_recipes; i++) {
        const guint8 *at = tfm->table[RECIPES].words + 4 * i;

        for (guint k = 0; k < 4; k++) {
            if ((at[k] != 0 || k == 3) && !char_exists(metrics, at[k]))
                return FALSE;
        }
        metrics->recipes[i] = (TgRecipe){ at[0], at[1], at[2], at[3] };
    }
    return TRUE;
}

static gboolean read_kerns(const Tfm *tfm, TgMetrics *metrics)
{
    metrics->n_kerns = tfm->table[KERNS].n;
    metrics->kerns = g_new(TgScaled, metrics->n_kerns + 1);
    for (guint i = 0; i < metrics->n_kerns; i++) {
        if (!read_scaled(tfm, KERNS, i, metrics->size, &metrics->kerns[i]))
            return FALSE;
    }
    return TRUE;
}

/* The slant is a pure number, so it is not scaled (TeX §575). */
static gboolean read_params(const Tfm *tfm, TgMetrics *metrics)
{
    for (guint i = 1; i <= MIN(tfm->table[PARAMS].n, TG_N_PARAMS - 1u); i++) {
        if (i == TG_PARAM_SLANT)
            metrics->params[i] = read_word(tfm->table[PARAMS].words) / 16;
        else if (!read_scaled(tfm, PARAMS, i - 1, metrics->size, &metrics->params[i]))
            return FALSE;
    }
    return TRUE;
}

TgMetrics *tg_tfm_read(const guint8 *data, gsize len, TgScaled size, GError **error)
{
    Tfm tfm = { 0 };

    if (!cut_file(&tfm, data, len, error))
        return NULL;
    g_autoptr(TgMetrics) metrics = metrics_new(size);
    if (!read_chars(&tfm, metrics))
        return tg_null(error, TG_ERROR_FONT, BROKEN "the box of a character is impossible");
    if (!read_kerns(&tfm, metrics) || !read_program(&tfm, metrics) ||
        !read_recipes(&tfm, metrics) || !read_params(&tfm, metrics) || !check_tags(metrics))
        return tg_null(error, TG_ERROR_FONT, BROKEN "an index or a length in it is out of range");
    return g_steal_pointer(&metrics);
}

/* ---- Metrics from tables --------------------------------------------------------------------- */

const TgTableFont *tg_ams_find(const char *name)
{
    for (guint i = 0; i < tg_ams_n_fonts; i++) {
        if (strcmp(tg_ams_fonts[i].name, name) == 0)
            return &tg_ams_fonts[i];
    }
    return NULL;
}

void tg_metrics_replace(TgMetrics *metrics, const TgTableFont *font)
{
    const TgScaled size = metrics->size;

    for (guint i = 0; i < font->n_chars; i++) {
        const TgTableChar *in = &font->chars[i];
        TgCharMetrics *out = &metrics->chars[in->code];

        out->width = tg_metrics_scale(in->width, size);
        out->height = tg_metrics_scale(in->height, size);
        out->depth = tg_metrics_scale(in->depth, size);
        out->italic = tg_metrics_scale(in->italic, size);
    }
    for (guint i = TG_PARAM_SLANT + 1; i <= MIN(font->n_params, TG_N_PARAMS - 1u); i++)
        metrics->params[i] = tg_metrics_scale(font->params[i - 1], size);
}

TgMetrics *tg_ams_metrics(const TgTableFont *font, TgScaled size)
{
    TgMetrics *metrics = metrics_new(size);

    tg_metrics_replace(metrics, font);
    metrics->params[TG_PARAM_SLANT] = font->params[0] / 16;
    for (guint i = 0; i < font->n_chars; i++) {
        const TgTableChar *in = &font->chars[i];
        TgCharMetrics *out = &metrics->chars[in->code];

        out->tag = in->larger != 0 ? TG_CHAR_NEXT : TG_CHAR_PLAIN;
        out->rest = in->larger;
        out->skew = tg_metrics_scale(in->skew, size);
    }
    return metrics;
}
