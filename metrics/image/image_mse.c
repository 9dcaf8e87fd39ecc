/* Mean squared error on a common white ground. */
#include "metrics/image/image_mse.h"

#include "core/deadline.h"

double tg_image_mse(TgGrey a, TgGrey b)
{
    const guint width = MAX(a.width, b.width), height = MAX(a.height, b.height);
    guint64 sum = 0; /* exact: below 2^64 for any picture that fits in memory */

    for (guint y = 0; y < height && !tg_too_long(width); y++)
        for (guint x = 0; x < width; x++) {
            const gint difference = tg_grey_at(a, x, y) - tg_grey_at(b, x, y);
            sum += (guint64) (difference * difference);
        }
    if (width == 0 || height == 0)
        return 0.0;
    return (double) sum / (255.0 * 255.0) / ((double) width * height);
}
