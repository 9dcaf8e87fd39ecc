/*
 * How time and memory of each metric grow with the length of a pair, at worst:
 *
 *   growth [--longest BYTES] [METRIC...]
 *
 * Each metric scores pairs of each kind of text below at lengths from 1 kB on, each in a process of
 * its own. Printed per metric, as Markdown: the longest times in milliseconds, the exponent of
 * their growth (the slope of a line through the logarithms), the kind that took longest, and the
 * most memory beyond what the metric has before. Fails where time grows faster than with the square
 * of the length, or memory beyond the bound of a pair.
 */
#include <texgauge/texgauge.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <texgauge/registry.h>

#include "tests/support/measure.h"

#define MAX_LENGTHS  6
#define MEASURABLE   2e-4 /* seconds; what is shorter has no slope */
#define SHORT        0.05 /* seconds, below which CPU time is counted too coarsely */
#define MAX_EXPONENT 2.0
#define TOLERANCE    0.25 /* of a slope, on a busy machine */
#define MAX_SECONDS  30
#define MAX_MEMORY   ((gsize) 1 << 30)

static const gsize all_lengths[MAX_LENGTHS] = { 1000, 4000, 16000, 64000, 256000, 1000000 };

/* A text is a beginning, pieces and an end. In pieces '@' is a letter that differs between the two
 * sides, '#' a random one. */
typedef struct {
    const char *name, *start, *piece, *end;
} Kind;

#define GROUPS(text) "{{{{{{{{{{" text "}}}}}}}}}}"

static const Kind kinds[] = {
    { "letters", "", "@", "" },
    { "random letters", "", "#", "" },
    { "random words", "", "#### ", "" },
    { "alternating", "", "a@", "" },
    { "sum", "", "@+", "" },
    { "spaces", "", " ", "@" },
    { "braces", "", "{", "@" },
    { "groups", "", "{@}", "" },
    { "nesting", "", "{{{{{{{{@}}}}}}}}", "" },
    { "scripts", "", "x_{@}^{2}", "" },
    { "random scripts", "", "#_{#}^{#}", "" },
    { "fractions", "", "\\frac{#}{@}", "" },
    { "nested fractions", "", "\\frac{1}{\\frac{1}{\\frac{1}{\\frac{#}{b}}}}", "" },
    { "roots", "", "\\sqrt[3]{#}", "" },
    { "delimiters", "", "\\left(@\\right)", "" },
    { "groups in delimiters", "", "\\left(" GROUPS(GROUPS(GROUPS(GROUPS("@")))) "\\right)", "" },
    { "groups in cells", "", "\\begin{matrix}" GROUPS(GROUPS(GROUPS("@"))) "&#\\end{matrix}", "" },
    { "commands", "", "\\alpha", "" },
    { "unknown commands", "", "\\foo#", "" },
    { "text", "\\text{", "# word@ ", "}" },
    { "matrix", "\\begin{matrix}", "#&@\\\\", "1\\end{matrix}" },
    { "wide matrix", "\\begin{matrix}", "#&", "1\\end{matrix}" },
    { "rows", "", "#\\\\", "@" },
    { "matrices", "", "\\begin{pmatrix}#&b\\\\c&@\\end{pmatrix}", "" },
    { "aligned", "\\begin{aligned}", "#&=@\\\\", "\\end{aligned}" },
    { "macro", "\\def\\m{@@@@@@@@@@@@@@@@@@@@}", "\\m ", "" },
    { "combining marks", "a", "\xCC\x81", "@" },
    { "accents", "", "\\hat{#}", "" },
    { "chemistry", "\\ce{", "A# -> B2@ + ", "C}" },
    { "arrows", "\\ce{", "->[@]", "}" },
    { "numbers", "", "1234567.8#9, ", "" },
    { "colors", "", "\\color{red}#", "" },
    { "CJK", "", "\xE5\xAD\x97@", "" },
    { "dollars", "", "$", "@" },
    { "closing braces", "", "}", "@" },
    { "double scripts", "", "^^", "@" },
    { "open delimiters", "", "\\left(", "@" },
    { "open environments", "", "\\begin{matrix}", "@" },
};

static char *kind_text(const Kind *kind, gsize size, gboolean is_hyp)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(is_hyp);
    GString *text = g_string_sized_new(size);

    g_string_append(text, kind->start);
    while (text->len + strlen(kind->piece) + strlen(kind->end) <= size)
        for (const char *c = kind->piece; *c != '\0'; c++)
            g_string_append_c(text, *c == '@'   ? (is_hyp ? 'b' : 'a')
                                    : *c == '#' ? (char) g_rand_int_range(rand, 'a', 'z' + 1)
                                                : *c);
    g_string_append(text, kind->end);
    return g_string_free(text, FALSE);
}

/* ---- one pair in a process of its own ---- */

typedef struct {
    double seconds; /* infinite: killed */
    gsize memory;   /* bytes */
} Cost;

static void score(TgScorer *scorer, const char *ref, const char *hyp)
{
    g_autoptr(GError) error = NULL;
    const TgPair pair = { "pair", &ref, 1, hyp };
    g_autoptr(TgBatch) batch = tg_scorer_score(scorer, &pair, 1, NULL, &error);

    if (batch == NULL) {
        fprintf(stderr, "growth: %s\n", error->message);
        _exit(EXIT_FAILURE);
    }
}

/* Pairs that take no time are counted until they take some; each is a new one, as drawings of
 * formulas are kept. */
static Cost measure_here(TgScorer *scorer, const Kind *kind, gsize size)
{
    g_autofree char *ref = kind_text(kind, size, FALSE), *hyp = kind_text(kind, size, TRUE);
    const gsize memory = tg_peak_memory();
    const double start = tg_cpu_seconds();
    Cost cost = { 0 };
    guint n = 0;

    do {
        g_autofree char *other = g_strdup_printf("%s %u", hyp, n);

        score(scorer, ref, other);
        cost.seconds = tg_cpu_seconds() - start;
        if (n++ == 0)
            cost.memory = tg_peak_memory() - memory;
    } while (cost.seconds < SHORT && n * size < all_lengths[MAX_LENGTHS - 1]);
    cost.seconds /= n;
    return cost;
}

static Cost measure(TgScorer *scorer, const Kind *kind, gsize size)
{
    const struct rlimit limit = { MAX_SECONDS, MAX_SECONDS };
    Cost cost = { INFINITY, 0 };
    int ends[2], status;

    if (pipe(ends) != 0)
        exit(EXIT_FAILURE);
    const pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CPU, &limit);
        const Cost here = measure_here(scorer, kind, size);
        _exit(write(ends[1], &here, sizeof here) == (gssize) sizeof here ? EXIT_SUCCESS
                                                                         : EXIT_FAILURE);
    }
    close(ends[1]);
    if (child < 0 || read(ends[0], &cost, sizeof cost) != (gssize) sizeof cost)
        cost = (Cost){ INFINITY, 0 };
    close(ends[0]);
    if (waitpid(child, &status, 0) != child || (WIFEXITED(status) && WEXITSTATUS(status) != 0))
        exit(EXIT_FAILURE);
    return cost;
}

/* ---- growth ---- */

/* The slope of the logarithms of times that can be measured, by least squares; 0 for fewer than
 * three. What is longer than the limit of length is not scored, and does not count. */
static double exponent(const double *seconds, guint n)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0, m = 0;

    for (guint i = 0; i < n && all_lengths[i] <= TG_TEXT_MAX; i++) {
        const double x = log((double) all_lengths[i]), y = log(seconds[i]);

        if (seconds[i] < MEASURABLE)
            continue;
        m++;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return m >= 3 ? (m * sxy - sx * sy) / (m * sxx - sx * sx) : 0;
}

typedef struct {
    double seconds[MAX_LENGTHS]; /* the longest of any kind */
    double exponent;             /* of the kind that grows fastest */
    const char *slowest, *steepest;
    gsize memory;
} Growth;

static void add_kind(TgScorer *scorer, const Kind *kind, guint n, Growth *growth)
{
    double seconds[MAX_LENGTHS], slope;

    for (guint i = 0; i < n; i++) {
        const gboolean is_scored = all_lengths[i] <= TG_TEXT_MAX;
        const Cost cost =
            is_scored || kind == kinds ? measure(scorer, kind, all_lengths[i]) : (Cost){ 0 };

        seconds[i] = cost.seconds;
        growth->memory = MAX(growth->memory, cost.memory);
        if (is_scored && seconds[i] >= growth->seconds[i])
            growth->slowest = kind->name;
        growth->seconds[i] = MAX(growth->seconds[i], seconds[i]);
    }
    slope = exponent(seconds, n);
    if (slope > growth->exponent) {
        growth->exponent = slope;
        growth->steepest = kind->name;
    }
    if (g_getenv("TEXGAUGE_GROWTH_KINDS") != NULL)
        fprintf(stderr, "  %-18s %9.1f ms, exponent %.2f\n", kind->name,
                seconds[MIN(n, MAX_LENGTHS - 1) - 1] * 1e3, slope);
}

static gboolean print_metric(const char *name, guint n)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TgScorer) scorer = tg_scorer_new(name, NULL, &error);
    Growth growth = { 0 };

    if (scorer == NULL) {
        fprintf(stderr, "growth: %s\n", error->message);
        exit(EXIT_FAILURE);
    }
    score(scorer, "\\frac{a}{b}+x^2", "\\frac{a}{c}+x_2"); /* reads fonts and models */
    for (guint k = 0; k < G_N_ELEMENTS(kinds); k++)
        add_kind(scorer, &kinds[k], n, &growth);
    printf("| `%s` |", name);
    for (guint i = 0; i < n; i++)
        printf(" %.*f |", growth.seconds[i] < 1e-2 ? 2 : 0, growth.seconds[i] * 1e3);
    printf(" %s | %.2f (%s) | %.0f MiB |\n", growth.slowest, growth.exponent,
           growth.steepest != NULL ? growth.steepest : "all short",
           (double) growth.memory / (1 << 20));
    fflush(stdout);
    return growth.exponent <= MAX_EXPONENT + TOLERANCE && growth.memory <= MAX_MEMORY &&
           isfinite(growth.seconds[n - 1]);
}

static guint print_header(gsize longest)
{
    guint n = 0;

    printf("| metric |");
    for (; n < MAX_LENGTHS && all_lengths[n] <= longest; n++)
        printf(" %" G_GSIZE_FORMAT " kB |", all_lengths[n] / 1000);
    printf(" slowest | exponent | memory |\n|---|");
    for (guint i = 0; i < n; i++)
        printf("---|");
    printf("---|---|---|\n");
    fflush(stdout);
    return n;
}

int main(int argc, char **argv)
{
    gsize longest = 1000000;
    gboolean good = TRUE;
    int at = 1;

    if (argc > 2 && strcmp(argv[1], "--longest") == 0) {
        longest = (gsize) strtoul(argv[2], NULL, 10);
        at = 3;
    }
    const guint n = print_header(longest);
    for (int i = at; i < argc; i++)
        good = print_metric(argv[i], n) && good;
    if (at < argc)
        return good ? EXIT_SUCCESS : EXIT_FAILURE;
    guint n_metrics;
    g_autofree const TgMetricInfo **infos = tg_registry_list(&n_metrics);
    for (guint i = 0; i < n_metrics; i++)
        good = print_metric(infos[i]->name, n) && good;
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
