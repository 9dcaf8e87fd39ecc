/* Structural similarity: five windowed means, then the index at every place. */
#include "metrics/image/ssim.h"

#include "core/deadline.h"

enum { WINDOW = 11 };

/* exp(-d^2 / (2 * 1.5^2)) for d = -5 .. 5, divided by their sum; written out so that no library's
 * exp() matters. */
static const double weights[WINDOW] = {
    0.00102838008447911,  0.007598758135239185, 0.036000772128430815, 0.10936068950970002,
    0.2130055377112537,   0.26601172486179436,  0.2130055377112537,   0.10936068950970002,
    0.036000772128430815, 0.007598758135239185, 0.00102838008447911,
};

/* What is averaged over a window. */
enum { MEAN_A, MEAN_B, MEAN_AA, MEAN_BB, MEAN_AB, N_MEANS };

/* One row of pictures, averaged along x: [mean][place], for places 0 .. width - WINDOW. */
static void average_row(TgGrey a, TgGrey b, guint y, guint n_places, double *means)
{
    for (guint x = 0; x < n_places; x++) {
        double sum[N_MEANS] = { 0 };

        for (guint k = 0; k < WINDOW; k++) {
            const double p = tg_grey_at(a, x + k, y), q = tg_grey_at(b, x + k, y);

            sum[MEAN_A] += weights[k] * p;
            sum[MEAN_B] += weights[k] * q;
            sum[MEAN_AA] += weights[k] * p * p;
            sum[MEAN_BB] += weights[k] * q * q;
            sum[MEAN_AB] += weights[k] * p * q;
        }
        for (guint m = 0; m < N_MEANS; m++)
            means[m * (gsize) n_places + x] = sum[m];
    }
}

/* The index from the means of one window. */
static double index_of(const double mean[N_MEANS])
{
    const double c1 = (0.01 * 255) * (0.01 * 255), c2 = (0.03 * 255) * (0.03 * 255);
    const double product = mean[MEAN_A] * mean[MEAN_B];
    const double squares = mean[MEAN_A] * mean[MEAN_A] + mean[MEAN_B] * mean[MEAN_B];
    const double covariance = mean[MEAN_AB] - product;
    const double variances = mean[MEAN_AA] + mean[MEAN_BB] - squares;

    return (2 * product + c1) * (2 * covariance + c2) / ((squares + c1) * (variances + c2));
}

double tg_ssim(TgGrey a, TgGrey b)
{
    const guint width = MAX(MAX(a.width, b.width), WINDOW);
    const guint height = MAX(MAX(a.height, b.height), WINDOW);
    const guint n_places = width - WINDOW + 1;
    const gsize row_length = (gsize) n_places * N_MEANS;
    g_autofree double *rows = g_new(double, row_length *WINDOW); /* the last rows, in a ring */
    double sum = 0.0;

    for (guint y = 0; y < height && !tg_too_long(40 * (gsize) n_places); y++) {
        average_row(a, b, y, n_places, rows + y % WINDOW * row_length);
        if (y + 1 < WINDOW)
            continue;
        for (guint x = 0; x < n_places; x++) {
            double mean[N_MEANS] = { 0 };

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
