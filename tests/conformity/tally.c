/* A table of agreement. */
#include "tests/conformity/tally.h"

#include <string.h>

typedef struct {
    char *kind;
    guint n, n_equal;
} Row;

struct Tally {
    GArray *rows;
    GPtrArray *notes;
};

static void clear_row(gpointer data)
{
    Row *row = data;

    g_free(row->kind);
}

Tally *tally_new(void)
{
    Tally *tally = g_new(Tally, 1);

    tally->rows = g_array_new(FALSE, TRUE, sizeof(Row));
    g_array_set_clear_func(tally->rows, clear_row);
    tally->notes = g_ptr_array_new_with_free_func(g_free);
    return tally;
}

void tally_free(Tally *tally)
{
    g_array_unref(tally->rows);
    g_ptr_array_unref(tally->notes);
    g_free(tally);
}

static Row *find_row(Tally *tally, const char *kind)
{
    for (guint i = 0; i < tally->rows->len; i++) {
        Row *row = &g_array_index(tally->rows, Row, i);
        if (strcmp(row->kind, kind) == 0)
            return row;
    }
    const Row row = { g_strdup(kind), 0, 0 };
    g_array_append_val(tally->rows, row);
    return &g_array_index(tally->rows, Row, tally->rows->len - 1);
}

void tally_add(Tally *tally, const char *kind, gboolean agrees)
{
    Row *row = find_row(tally, kind);

    row->n++;
    row->n_equal += agrees;
}

void tally_note(Tally *tally, const char *id, const char *cause)
{
    g_ptr_array_add(tally->notes, g_strdup_printf("%-22s %s", id, cause));
}

static Row sum(const Tally *tally)
{
    Row all = { (char *) "all", 0, 0 };

    for (guint i = 0; i < tally->rows->len; i++) {
        const Row *row = &g_array_index(tally->rows, Row, i);
        all.n += row->n;
        all.n_equal += row->n_equal;
    }
    return all;
}

static double share(Row row)
{
    return row.n > 0 ? (double) row.n_equal / row.n : 1.0;
}

static void print_row(Row row)
{
    g_print("  %-14s %6u %6u %8.2f %%\n", row.kind, row.n, row.n_equal, 100 * share(row));
}

void tally_print(const Tally *tally, const char *title)
{
    g_print("%s\n\n  %-14s %6s %6s %10s\n", title, "kind", "n", "equal", "share");
    for (guint i = 0; i < tally->rows->len; i++)
        print_row(g_array_index(tally->rows, Row, i));
    print_row(sum(tally));
    if (tally->notes->len > 0)
        g_print("\n  not equal:\n");
    for (guint i = 0; i < tally->notes->len; i++)
        g_print("  %s\n", (const char *) tally->notes->pdata[i]);
    g_print("\n");
}

double tally_share(const Tally *tally)
{
    return share(sum(tally));
}

guint tally_count(const Tally *tally)
{
    return sum(tally).n;
}
