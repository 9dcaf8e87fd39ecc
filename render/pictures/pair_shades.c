/* Sixteen colours where they are enough: a pixel is half a byte then. */
#include "render/pictures/pair_shades.h"

#include "render/pictures/pair_parts.h"

#define RGB       0xFFFFFFu
#define FEW       16u /* colours that four bits hold */
#define MAX_KEPT  8u  /* colours of areas and tones that leave enough for edges */
#define MAX_KNOWN 256u
#define MIN_AREA  64u /* pixels with neighbours of their colour */

typedef struct {
    guint32 rgb;
    guint target; /* which shade it became, perhaps itself */
    double count; /* of pixels, with those of shades that became this one */
    gboolean is_kept;
} Shade;

/* ---- which colours stay ---------------------------------------------------------------------- */

static void count_one(GHashTable *counts, guint32 rgb)
{
    const gpointer key = GUINT_TO_POINTER(rgb & RGB);
    const guint n = GPOINTER_TO_UINT(g_hash_table_lookup(counts, key));

    g_hash_table_insert(counts, key, GUINT_TO_POINTER(n + 1));
}

/* How many pixels of each colour have four neighbours of the same, and each tone more than enough.
 */
static GHashTable *count_areas(const TgCanvas *canvas, const guint32 *pixels)
{
    GHashTable *areas = g_hash_table_new(NULL, NULL);
    const guint width = canvas->width;

    for (guint t = 0; t < TG_N_TONES; t++)
        g_hash_table_insert(areas, GUINT_TO_POINTER(tg_pair_tone_color((TgTone) t)),
                            GUINT_TO_POINTER(MIN_AREA));
    for (guint y = 1; y + 1 < canvas->height; y++) {
        const guint32 *row = pixels + (gsize) y * width;

        for (guint x = 1; x + 1 < width; x++) {
            const guint32 at = row[x];
            const guint32 other = (at ^ row[x - 1]) | (at ^ row[x + 1]) | (at ^ (row - width)[x]) |
                                  (at ^ (row + width)[x]);
            if ((at & RGB) != RGB && (other & RGB) == 0) /* white stays in any case */
                count_one(areas, at);
        }
    }
    return areas;
}

/* @steps: of a channel, from none to full */
static guint32 rounded(guint32 rgb, guint steps)
{
    guint32 out = 0;

    for (guint shift = 0; shift < 24; shift += 8) {
        const guint32 step = ((rgb >> shift & 0xFF) * steps + 127) / 255;
        out |= step * 255 / steps << shift;
    }
    return out;
}

/* ---- shades ---------------------------------------------------------------------------------- */

static Shade *find_shade(GArray *shades, GHashTable *numbers, guint32 rgb, gboolean is_kept)
{
    const gpointer key = GUINT_TO_POINTER(rgb);
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, key));

    if (number == 0) {
        const Shade shade = { rgb, shades->len, 0, is_kept };

        g_array_append_val(shades, shade);
        number = shades->len;
        g_hash_table_insert(numbers, key, GUINT_TO_POINTER(number));
    }
    return &g_array_index(shades, Shade, number - 1);
}

/* Round the pixels, and list their colours. @numbers: of colours in the list, from 1 on */
static GArray *round_pixels(const TgCanvas *canvas, guint32 *pixels, guint steps,
                            GHashTable *numbers)
{
    const gsize n = (gsize) canvas->width * canvas->height;
    g_autoptr(GHashTable) areas = count_areas(canvas, pixels);
    GArray *shades = g_array_new(FALSE, FALSE, sizeof(Shade));
    guint32 last = ~RGB;
    Shade *shade = NULL;

    for (gsize i = 0; i < n; i++) {
        const guint32 rgb = pixels[i] & RGB;

        if (shade == NULL || rgb != last) {
            const gboolean is_kept =
                GPOINTER_TO_UINT(g_hash_table_lookup(areas, GUINT_TO_POINTER(rgb))) >= MIN_AREA;
            shade = find_shade(shades, numbers, is_kept ? rgb : rounded(rgb, steps), is_kept);
            last = rgb;
        }
        shade->count++;
        pixels[i] = shade->rgb;
    }
    return shades;
}

/* How much is lost when one shade becomes another. */
static double loss(const Shade *from, const Shade *to)
{
    double sum = 0;

    for (guint shift = 0; shift < 24; shift += 8) {
        const double d = (double) (from->rgb >> shift & 0xFF) - (double) (to->rgb >> shift & 0xFF);
        sum += d * d;
    }
    return from->count * sum;
}

/* The shade that can go with the least loss becomes its nearest; FALSE: none can. */
static gboolean merge_one(GArray *shades)
{
    Shade *all = (Shade *) (void *) shades->data, *from = NULL, *to = NULL;
    double least = 0;

    for (guint i = 0; i < shades->len; i++) {
        if (all[i].is_kept || all[i].target != i)
            continue;
        for (guint k = 0; k < shades->len; k++) {
            if (k == i || all[k].target != k)
                continue;
            const double lost = loss(&all[i], &all[k]);
            if (from == NULL || lost < least) {
                from = &all[i];
                to = &all[k];
                least = lost;
            }
        }
    }
    if (from == NULL)
        return FALSE;
    from->target = to->target;
    to->count += from->count;
    return TRUE;
}

static void merge_shades(GArray *shades)
{
    guint n_kept = 0;

    for (guint i = 0; i < shades->len; i++)
        n_kept += g_array_index(shades, Shade, i).is_kept;
    if (n_kept > MAX_KEPT || shades->len > MAX_KNOWN)
        return;
    for (guint n = shades->len; n > FEW && merge_one(shades); n--)
        ;
}

static guint32 final_rgb(const GArray *shades, guint number)
{
    while (g_array_index(shades, Shade, number).target != number)
        number = g_array_index(shades, Shade, number).target;
    return g_array_index(shades, Shade, number).rgb;
}

void tg_pair_reduce_shades(const TgCanvas *canvas, guint32 *pixels, guint steps)
{
    const gsize n = (gsize) canvas->width * canvas->height;
    g_autoptr(GHashTable) numbers = g_hash_table_new(NULL, NULL);
    g_autoptr(GArray) shades = round_pixels(canvas, pixels, steps, numbers);
    guint32 last = ~RGB, rgb = 0;

    if (shades->len <= FEW)
        return;
    merge_shades(shades);
    for (gsize i = 0; i < n; i++) {
        if (pixels[i] != last) {
            last = pixels[i];
            const gpointer number = g_hash_table_lookup(numbers, GUINT_TO_POINTER(last));
            rgb = final_rgb(shades, GPOINTER_TO_UINT(number) - 1);
        }
        pixels[i] = rgb;
    }
}
