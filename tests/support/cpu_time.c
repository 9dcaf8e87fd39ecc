#include "tests/support/cpu_time.h"

#include "tests/support/test_support.h"

#include <stdlib.h>

/* The minimum of N_RUNS of the plain work where the bounds were set. */
#define CALIBRATION_SECONDS 0.005

enum { N_RUNS = 5, N_TREES = 16, N_NODES = 4000 };

typedef struct Node Node;
struct Node {
    Node *left, *right;
    guint32 key;
    char name[20];
};

/* Plain work, as of parsers and typesetters: allocate small blocks, compare, branch and follow
 * pointers. */
static guint64 build_and_free_tree(guint32 random)
{
    guint64 sum = 0;
    Node *root = NULL, **nodes = malloc(N_NODES * sizeof *nodes);

    for (guint i = 0; i < N_NODES; i++) {
        Node *node = malloc(sizeof *node), **place = &root;

        random = random * 1664525u + 1013904223u;
        memset(node, 0, sizeof *node);
        node->key = random;
        for (guint k = 0; k + 1 < sizeof node->name; k++)
            node->name[k] = (char) ('a' + (random >> k) % 26);
        while (*place != NULL)
            place = random < (*place)->key ? &(*place)->left : &(*place)->right;
        *place = node;
        nodes[i] = node;
    }
    for (guint i = 0; i < N_NODES; i++) {
        sum += strlen(nodes[i]->name) + nodes[i]->key;
        free(nodes[i]);
    }
    free(nodes);
    return sum;
}

static volatile guint64 sink; /* so that the work is not optimized away */

/* The least of a few runs, so that an interruption does not count. */
static double measure_plain_work(void)
{
    double least = HUGE_VAL;

    for (guint i = 0; i < N_RUNS; i++) {
        const double start = tg_cpu_seconds();

        for (guint32 seed = 0; seed < N_TREES; seed++)
            sink += build_and_free_tree(seed);
        least = MIN(least, tg_cpu_seconds() - start);
    }
    return least;
}

double tg_cpu_slowdown(void)
{
    return MAX(1.0, measure_plain_work() / CALIBRATION_SECONDS) * TG_INSTRUMENTED;
}

void tg_assert_cpu_below(double start, double seconds, const char *what)
{
    const double taken = tg_cpu_seconds() - start;

    if (taken <= seconds)
        return;
    /* Measured now, when the machine is as busy as it was during the call. */
    const double allowed = seconds * tg_cpu_slowdown();
    if (taken > allowed)
        fail_msg("%.40s: %.2f s of CPU time, allowed are %.2f on this machine", what, taken,
                 allowed);
}
