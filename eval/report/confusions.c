/* Counts by both names, and the table of the most frequent. */
#include "eval/report/confusions.h"

#include <string.h>

enum { DIGITS = 4 };

/* A name of the reference and the one that was predicted instead. */
typedef struct {
    char *ref, *hyp;
    guint64 n;
} Confusion;

struct TgConfusions {
    GPtrArray *list;       /* of Confusion * */
    GHashTable *by_naming; /* "truth\nread" to Confusion * */
    guint64 total;
};

static void free_confusion(gpointer data)
{
    Confusion *confusion = data;

    g_free(confusion->ref);
    g_free(confusion->hyp);
    g_free(confusion);
}

TgConfusions *tg_confusions_new(void)
{
    TgConfusions *confusions = g_new(TgConfusions, 1);

    *confusions = (TgConfusions){
        .list = g_ptr_array_new_with_free_func(free_confusion),
        .by_naming = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
    };
    return confusions;
}

void tg_confusions_free(TgConfusions *confusions)
{
    if (confusions == NULL)
        return;
    g_hash_table_unref(confusions->by_naming);
    g_ptr_array_unref(confusions->list);
    g_free(confusions);
}

void tg_confusions_count(TgConfusions *confusions, const char *ref, gssize ref_len, const char *hyp,
                         gssize hyp_len)
{
    const int n_ref = ref_len < 0 ? (int) strlen(ref) : (int) ref_len;
    const int n_hyp = hyp_len < 0 ? (int) strlen(hyp) : (int) hyp_len;
    g_autofree char *key = g_strdup_printf("%.*s\n%.*s", n_ref, ref, n_hyp, hyp);
    Confusion *confusion = g_hash_table_lookup(confusions->by_naming, key);

    if (confusion == NULL) {
        confusion = g_new(Confusion, 1);
        *confusion = (Confusion){ g_strndup(ref, (gsize) n_ref), g_strndup(hyp, (gsize) n_hyp), 0 };
        g_ptr_array_add(confusions->list, confusion);
        g_hash_table_insert(confusions->by_naming, g_steal_pointer(&key), confusion);
    }
    confusion->n++;
    confusions->total++;
}

guint64 tg_confusions_total(const TgConfusions *confusions)
{
    return confusions->total;
}

guint tg_confusions_n_kinds(const TgConfusions *confusions)
{
    return confusions->list->len;
}

/* Most frequent first, then by name. */
static int compare_counts(gconstpointer a, gconstpointer b)
{
    const Confusion *x = *(Confusion *const *) a, *y = *(Confusion *const *) b;
    const int order = strcmp(x->ref, y->ref);

    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    return order != 0 ? order : strcmp(x->hyp, y->hyp);
}

TgGrid *tg_confusions_grid(TgConfusions *confusions, const char *title, guint limit)
{
    TgGrid *grid = tg_grid_new(title, 2);

    tg_grid_heads(grid, (const char *const[]){ "truth", "prediction", "times",
                                               "share of substitutions", NULL });
    g_ptr_array_sort(confusions->list, compare_counts);
    for (guint i = 0; i < MIN(confusions->list->len, limit); i++) {
        const Confusion *confusion = confusions->list->pdata[i];

        tg_grid_put(grid, confusion->ref);
        tg_grid_put(grid, confusion->hyp);
        tg_grid_put_count(grid, confusion->n);
        tg_grid_put_number(grid, (double) confusion->n / (double) confusions->total, DIGITS);
        tg_grid_share(grid);
    }
    return grid;
}
