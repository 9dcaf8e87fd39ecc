/*
 * CPU time and memory of setting formulas, as "name TAB value" lines: microseconds per formula
 * (median and mean over the formulas of a file, one a line), megabytes of a context, microseconds
 * by length.
 *
 *   bench_typeset FORMULAS
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <texgauge/render.h>

#include "render/typeset/layout.h"
#include "tests/support/measure.h"
#include "tokenizer/latex/parse.h"

#define ROUNDS     3 /* the fastest of them counts */
#define N_CONTEXTS 4 /* whose memory is measured together */
#define MB         1e6

static G_NORETURN void stop(const char *message)
{
    fprintf(stderr, "bench_typeset: %s\n", message);
    exit(EXIT_FAILURE);
}

static double now_us(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double) time.tv_sec * 1e6 + (double) time.tv_nsec / 1e3;
}

/* ---- What is timed --------------------------------------------------------------------------- */

typedef struct {
    TgLayout *layout;
    TgRenderer *renderer;
} Context;

typedef void (*Job)(Context *context, const char *formula, gsize len);

static void parse(Context *context, const char *formula, gsize len)
{
    g_autoptr(TgTree) tree = tg_tree_parse(formula, len, NULL, NULL);

    (void) context;
    (void) tree;
}

static void parse_and_lay_out(Context *context, const char *formula, gsize len)
{
    g_autoptr(TgTree) tree = tg_tree_parse(formula, len, NULL, NULL);

    if (tree != NULL)
        tg_layout_tree(context->layout, tree, TG_DISPLAY, NULL);
}

/* Down to the ink boxes of all tokens, without pixels. */
static void locate(Context *context, const char *formula, gsize len)
{
    g_autoptr(TgDrawing) drawing = tg_renderer_draw(context->renderer, formula, len, NULL, NULL);
    (void) drawing;
}

static void draw_flat(Context *context, const char *formula, gsize len)
{
    g_autoptr(TgDrawing) drawing = tg_renderer_draw(context->renderer, formula, len, NULL, NULL);
    g_autoptr(TgRaster) raster =
        drawing != NULL ? tg_drawing_raster(drawing, TG_INK_FLAT, NULL) : NULL;
    (void) raster;
}

static const struct {
    const char *name;
    Job job;
} jobs[] = {
    { "parse", parse },
    { "layout", parse_and_lay_out },
    { "boxes", locate },
    { "flat", draw_flat },
};

static double time_once(Context *context, Job job, const char *formula, gsize len)
{
    double best = G_MAXDOUBLE;

    for (guint round = 0; round < ROUNDS; round++) {
        const double start = now_us();
        job(context, formula, len);
        best = MIN(best, now_us() - start);
    }
    return best;
}

/* ---- Over a file ----------------------------------------------------------------------------- */

/* Time of the process outside of the kernel, whose clock is too coarse for a single formula. */
static double user_us(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double) usage.ru_utime.tv_sec * 1e6 + (double) usage.ru_utime.tv_usec;
}

/* The mean over the fastest round. */
static double user_mean(Context *context, Job job, char **formulas, guint n)
{
    double best = G_MAXDOUBLE;

    for (guint round = 0; round < ROUNDS; round++) {
        const double start = user_us();
        for (guint i = 0; i < n; i++)
            job(context, formulas[i], strlen(formulas[i]));
        best = MIN(best, user_us() - start);
    }
    return best / n;
}

static void time_all(Context *context, guint k, char **formulas, guint n)
{
    g_autofree double *times = g_new(double, n);
    double sum = 0;

    for (guint i = 0; i < n; i++) {
        times[i] = time_once(context, jobs[k].job, formulas[i], strlen(formulas[i]));
        sum += times[i];
    }
    qsort(times, n, sizeof *times, tg_by_value);
    printf("%s median\t%.1f\n%s mean\t%.1f\n%s p95\t%.1f\n", jobs[k].name, times[n / 2],
           jobs[k].name, sum / n, jobs[k].name, times[n - 1 - n / 20]);
    printf("%s user\t%.1f\n", jobs[k].name, user_mean(context, jobs[k].job, formulas, n));
}

/* Megabytes that the C library has allocated. */
static double heap_mb(void)
{
    const struct mallinfo2 info = mallinfo2();

    return (double) (info.uordblks + info.hblkhd) / MB;
}

/* Memory that a context keeps when it has set every formula. */
static void measure_memory(TgFonts *fonts, char **formulas, guint n)
{
    TgRenderer *renderers[N_CONTEXTS];
    const double before = heap_mb();

    for (guint c = 0; c < N_CONTEXTS; c++) {
        renderers[c] = tg_renderer_new(fonts);
        for (guint i = 0; i < n; i++) {
            g_autoptr(TgDrawing) drawing =
                tg_renderer_draw(renderers[c], formulas[i], strlen(formulas[i]), NULL, NULL);
            (void) drawing;
        }
    }
    printf("context MB\t%.2f\n", (heap_mb() - before) / N_CONTEXTS);
    for (guint c = 0; c < N_CONTEXTS; c++)
        tg_renderer_free(renderers[c]);
}

/* ---- By length ------------------------------------------------------------------------------- */

/* Ten tokens of ink; rows of fifty. */
static const char unit[] = "\\frac{a_i+b^2}{\\sqrt{x}}-c";
static const guint lengths[] = { 10, 30, 100, 300, 1000, 3000, 10000 };

static char *formula_of(guint length)
{
    GString *formula = g_string_new("\\begin{gathered}");

    for (guint n = 0; n < length; n += 10) {
        if (n > 0 && n % 50 == 0)
            g_string_append(formula, "\\\\");
        g_string_append(formula, unit);
    }
    g_string_append(formula, "\\end{gathered}");
    return g_string_free(formula, FALSE);
}

static void time_by_length(Context *context)
{
    for (guint i = 0; i < G_N_ELEMENTS(lengths); i++) {
        g_autofree char *formula = formula_of(lengths[i]);
        for (guint k = 0; k < G_N_ELEMENTS(jobs); k++)
            printf("%s %u tokens\t%.1f\n", jobs[k].name, lengths[i],
                   time_once(context, jobs[k].job, formula, strlen(formula)));
    }
}

/* A measure of the machine: SHA-256 of 64 KiB by GLib. */
static void time_yardstick(void)
{
    g_autofree guchar *data = g_malloc0(65536);
    double best = G_MAXDOUBLE;

    for (guint round = 0; round < 20; round++) {
        const double start = now_us();
        g_autofree char *sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, data, 65536);
        (void) sum;
        best = MIN(best, now_us() - start);
    }
    printf("yardstick\t%.1f\n", best);
}

int main(int argc, char **argv)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;

    if (argc < 2)
        stop("usage: bench_typeset FORMULAS");
    if (!g_file_get_contents(argv[1], &text, NULL, &error))
        stop(error->message);
    g_auto(GStrv) formulas = g_strsplit(g_strchomp(text), "\n", -1);
    const guint n = g_strv_length(formulas);
    g_autoptr(TgFonts) set = tg_fonts_new(&error);
    const double before = heap_mb();
    g_autoptr(TgFonts) fonts = set != NULL ? tg_fonts_new(&error) : NULL;
    if (fonts == NULL)
        stop(error->message);
    g_autoptr(TgLayout) layout = tg_layout_new(set);
    g_autoptr(TgRenderer) renderer = tg_renderer_new(fonts);
    Context context = { layout, renderer };

    printf("formulas\t%u\n", n);
    for (guint i = 0; i < n; i++) { /* warm: every outline is loaded */
        parse_and_lay_out(&context, formulas[i], strlen(formulas[i]));
        locate(&context, formulas[i], strlen(formulas[i]));
    }
    printf("fonts MB\t%.2f\n", heap_mb() - before);
    time_yardstick();
    for (guint k = 0; k < G_N_ELEMENTS(jobs); k++)
        time_all(&context, k, formulas, n);
    measure_memory(fonts, formulas, n);
    time_by_length(&context);
    return EXIT_SUCCESS;
}
