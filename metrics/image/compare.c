/* Comparing gray pictures: as sequences of columns, by squared error, by structural similarity. */
#include "metrics/image/image.h"

#include <string.h>

#include "core/deadline.h"
#include "core/vocab.h"
#include "metrics/algorithms/algorithms.h"

/* ---- Columns -------------------------------------------------------------------------------- */

enum { INK_MAX = 128, MERGE_BELOW = 5, RUN = 5 };

/* A picture as columns of bits, set for ink; all columns of a pair have the same number of words.
 */
typedef struct {
    guint64 *words;
    guint n_columns, n_words;
} Columns;

static Columns make_columns(TgArena *arena, TgGray image, guint height)
{
    Columns columns = { .n_columns = image.width, .n_words = (height + 63) / 64 };
    const gsize size = (gsize) columns.n_columns * columns.n_words * sizeof *columns.words;

    columns.words = memset(tg_arena_alloc(arena, size), 0, size);
    for (guint y = 0; y < image.height; y++)
        for (guint x = 0; x < image.width; x++)
            if (tg_gray_at(image, x, y) <= INK_MAX)
                columns.words[(gsize) x * columns.n_words + y / 64] |= (guint64) 1 << y % 64;
    return columns;
}

static const guint64 *column_words(const Columns *columns, guint i)
{
    return columns->words + (gsize) i * columns->n_words;
}

static gsize count_ink(const guint64 *words, gsize n_words)
{
    gsize n = 0;

    for (gsize k = 0; k < n_words; k++)
        n += (gsize) __builtin_popcountll(words[k]);
    return n;
}

/* Take out the columns without ink. */
static void drop_blank(Columns *columns)
{
    guint n = 0;

    for (guint i = 0; i < columns->n_columns; i++)
        if (count_ink(column_words(columns, i), columns->n_words) > 0)
            memmove(columns->words + (gsize) n++ * columns->n_words, column_words(columns, i),
                    columns->n_words * sizeof(guint64));
    columns->n_columns = n;
}

/* Numbers for columns: one for all columns that differ in fewer than @merge_below pixels from the
 * first of them; the search is in order of appearance. */
typedef struct {
    TgVocab *columns;           /* all different ones; the value is the number, from 1 */
    GPtrArray *representatives; /* the first column of each number */
    guint n_words, merge_below;
} Symbols;

static gboolean is_near(const guint64 *a, const guint64 *b, guint n_words, guint merge_below)
{
    guint n = 0;

    for (guint k = 0; k < n_words && n < merge_below; k++)
        n += (guint) __builtin_popcountll(a[k] ^ b[k]);
    return n < merge_below;
}

/* The symbol of a column: the first representative that is near, or a new one; 0 where time is up.
 */
static guint32 symbol_of(Symbols *symbols, const guint64 *words)
{
    GPtrArray *representatives = symbols->representatives;
    const guint n = symbols->merge_below > 1 ? representatives->len : 0;
    const gsize size = symbols->n_words * sizeof *words;
    guint64 *known = tg_vocab_value(symbols->columns,
                                    tg_vocab_number(symbols->columns, (const char *) words, size));
    guint32 symbol = 0;

    if (*known > 0)
        return (guint32) *known - 1;
    if (!tg_deadline_spend(n)) {
        while (symbol < n && !is_near(representatives->pdata[symbol], words, symbols->n_words,
                                      symbols->merge_below))
            symbol++;
        if (symbol == n) {
            symbol = representatives->len;
            g_ptr_array_add(representatives, (gpointer) words);
        }
    }
    *known = symbol + 1;
    return symbol;
}

/* The columns of two pictures as sequences of symbols. */
static void number_columns(TgArena *arena, const Columns pair[2], guint merge_below,
                           TgSequence out[2])
{
    g_autoptr(TgVocab) columns = tg_vocab_new();
    g_autoptr(GPtrArray) representatives = g_ptr_array_new();
    Symbols symbols = { columns, representatives, pair->n_words, merge_below };

    for (guint k = 0; k < 2; k++) {
        guint32 *ids = tg_arena_alloc(arena, pair[k].n_columns * sizeof *ids);
        for (guint i = 0; i < pair[k].n_columns; i++)
            ids[i] = symbol_of(&symbols, column_words(&pair[k], i));
        out[k] = (TgSequence){ ids, pair[k].n_columns, 0 };
    }
    out[0].id_bound = out[1].id_bound = representatives->len;
}

guint32 tg_image_edit_distance(TgArena *arena, TgGray ref, TgGray hyp)
{
    const guint height = MAX(ref.height, hyp.height);
    const Columns pair[] = { make_columns(arena, ref, height), make_columns(arena, hyp, height) };
    TgSequence symbols[2];

    number_columns(arena, pair, 1, symbols);
    return tg_levenshtein(arena, symbols[0], symbols[1]);
}

/* Whether @next goes on with the run that ends in @edit. */
static gboolean continues_run(TgEdit edit, TgEdit next)
{
    return edit.kind == next.kind && next.ref == edit.ref + (edit.kind == TG_EDIT_INSERT ? 0 : 1) &&
           next.hyp == edit.hyp + (edit.kind == TG_EDIT_DELETE ? 0 : 1);
}

static gboolean has_long_run(TgAlignment alignment, TgImageMatchFlags flags)
{
    guint length = 0;

    for (guint32 i = 0; i < alignment.n; i++) {
        const TgEdit edit = alignment.edits[i];

        length = i > 0 && continues_run(alignment.edits[i - 1], edit) ? length + 1 : 1;
        if (length >= RUN && !(edit.kind == TG_EDIT_INSERT && (flags & TG_IMAGE_MATCH_COMPAT)))
            return TRUE;
    }
    return FALSE;
}

static gboolean has_ink(const Columns *columns)
{
    return count_ink(columns->words, (gsize) columns->n_columns * columns->n_words) > 0;
}

gboolean tg_image_match(TgArena *arena, TgGray ref, TgGray hyp, TgImageMatchFlags flags)
{
    const guint height = MAX(ref.height, hyp.height);
    Columns pair[] = { make_columns(arena, ref, height), make_columns(arena, hyp, height) };
    TgSequence symbols[2];

    if (!has_ink(&pair[0]) || !has_ink(&pair[1]))
        return has_ink(&pair[0]) == has_ink(&pair[1]);
    if (flags & TG_IMAGE_MATCH_SKIP_BLANK) {
        drop_blank(&pair[0]);
        drop_blank(&pair[1]);
    }
    number_columns(arena, pair, MERGE_BELOW, symbols);
    return !has_long_run(tg_align(arena, symbols[0], symbols[1]), flags);
}

/* ---- Pixels --------------------------------------------------------------------------------- */

double tg_image_mse(TgGray a, TgGray b)
{
    const guint width = MAX(a.width, b.width), height = MAX(a.height, b.height);
    guint64 sum = 0; /* exact: below 2^64 for any picture that fits in memory */

    for (guint y = 0; y < height && !tg_deadline_spend(width); y++)
        for (guint x = 0; x < width; x++) {
            const gint difference = tg_gray_at(a, x, y) - tg_gray_at(b, x, y);
            sum += (guint64) (difference * difference);
        }
    if (width == 0 || height == 0)
        return 0.0;
    return (double) sum / (255.0 * 255.0) / ((double) width * height);
}

enum { WINDOW = 11 };

/* exp(-d^2 / (2 * 1.5^2)) for d = -5 .. 5, divided by their sum; written out so that no library's
 * exp() matters. */
static const double weights[WINDOW] = {
    0.00102838008447911,  0.007598758135239185, 0.036000772128430815, 0.10936068950970002,
    0.2130055377112537,   0.26601172486179436,  0.2130055377112537,   0.10936068950970002,
    0.036000772128430815, 0.007598758135239185, 0.00102838008447911,
};

/* Values that are averaged over a window. */
enum { MEAN_A, MEAN_B, MEAN_AA, MEAN_BB, MEAN_AB, N_MEANS };

/* Pixels of both pictures along x, averaged at place @x of row @y. */
static void average_window(TgGray a, TgGray b, guint x, guint y, double sum[N_MEANS])
{
    memset(sum, 0, N_MEANS * sizeof *sum);
    for (guint k = 0; k < WINDOW; k++) {
        const double p = tg_gray_at(a, x + k, y), q = tg_gray_at(b, x + k, y);

        sum[MEAN_A] += weights[k] * p;
        sum[MEAN_B] += weights[k] * q;
        sum[MEAN_AA] += weights[k] * p * p;
        sum[MEAN_BB] += weights[k] * q * q;
        sum[MEAN_AB] += weights[k] * p * q;
    }
}

/* One row of pictures, averaged along x: [mean][place], for places 0 .. width - WINDOW. Most
 * windows are white in both; their averages are those of @white, and @inked, by place, is 0. */
static void average_row(TgGray a, TgGray b, guint y, guint n_places, const double white[N_MEANS],
                        double *means, guint8 *inked)
{
    gint64 last_ink = -1;

    for (guint x = 0; x < WINDOW - 1; x++)
        if (tg_gray_at(a, x, y) != 255 || tg_gray_at(b, x, y) != 255)
            last_ink = x;
    for (guint x = 0; x < n_places; x++) {
        const double *sum = white;
        double own[N_MEANS];

        if (tg_gray_at(a, x + WINDOW - 1, y) != 255 || tg_gray_at(b, x + WINDOW - 1, y) != 255)
            last_ink = (gint64) x + WINDOW - 1;
        inked[x] = last_ink >= (gint64) x;
        if (inked[x]) {
            average_window(a, b, x, y, own);
            sum = own;
        }
        for (guint m = 0; m < N_MEANS; m++)
            means[m * (gsize) n_places + x] = sum[m];
    }
}

static double index_of(const double mean[N_MEANS])
{
    const double c1 = (0.01 * 255) * (0.01 * 255), c2 = (0.03 * 255) * (0.03 * 255);
    const double product = mean[MEAN_A] * mean[MEAN_B];
    const double squares = mean[MEAN_A] * mean[MEAN_A] + mean[MEAN_B] * mean[MEAN_B];
    const double covariance = mean[MEAN_AB] - product;
    const double variances = mean[MEAN_AA] + mean[MEAN_BB] - squares;

    return (2 * product + c1) * (2 * covariance + c2) / ((squares + c1) * (variances + c2));
}

double tg_ssim(TgGray a, TgGray b)
{
    const guint width = MAX(MAX(a.width, b.width), WINDOW);
    const guint height = MAX(MAX(a.height, b.height), WINDOW);
    const guint n_places = width - WINDOW + 1;
    const gsize row_length = (gsize) n_places * N_MEANS;
    g_autofree double *rows = g_new(double, row_length *WINDOW); /* the last rows, in a ring */
    g_autofree guint8 *inked = g_new0(guint8, (gsize) n_places * WINDOW); /* of the same rows */
    g_autofree guint8 *n_inked = g_new0(guint8, n_places); /* rows of the ring, by place */
    double white[N_MEANS], white_window[N_MEANS] = { 0 };
    double sum = 0.0;

    average_window((TgGray){ 0 }, (TgGray){ 0 }, 0, 0,
                   white); /* outside of pictures all is white */
    for (guint k = 0; k < WINDOW; k++)
        for (guint m = 0; m < N_MEANS; m++)
            white_window[m] += weights[k] * white[m];
    const double white_index = index_of(white_window);
    for (guint y = 0; y < height && !tg_deadline_spend(40 * (gsize) n_places); y++) {
        guint8 *here = inked + y % WINDOW * (gsize) n_places;

        for (guint x = 0; x < n_places; x++)
            n_inked[x] -= here[x];
        average_row(a, b, y, n_places, white, rows + y % WINDOW * row_length, here);
        for (guint x = 0; x < n_places; x++)
            n_inked[x] += here[x];
        if (y + 1 < WINDOW)
            continue;
        for (guint x = 0; x < n_places; x++) {
            double mean[N_MEANS] = { 0 };

            if (n_inked[x] == 0) {
                sum += white_index;
                continue;
            }
            for (guint k = 0; k < WINDOW; k++) {
                const double *row = rows + (y + 1 + k) % WINDOW * row_length;
                for (guint m = 0; m < N_MEANS; m++)
                    mean[m] += weights[k] * row[m * (gsize) n_places + x];
            }
            sum += index_of(mean);
        }
    }
    return sum / ((double) n_places * (height - WINDOW + 1));
}
