/* Minimum-cost assignment by shortest augmenting paths: one row after the other gets a column. */
#include "metrics/algorithms/algorithms.h"

#include <math.h>

#include "core/deadline.h"

/* A problem with at least as many columns as rows, and the state of its solution so far. */
typedef struct {
    const double *cost;
    guint n_cols;
    double *row_price, *col_price; /* dual variables: cost - row price - column price >= 0 */
    guint *col_of_row, *row_of_col;

    /* One search: columns are "open" until their distance from the new row is final. */
    double *distance; /* shortest known way to a column */
    guint *from_row;  /* the row before it on that way */
    guint *open;      /* the open columns, in the order in which they are looked at */
    guint n_open;
    guint *closed; /* the columns whose distance is final, in the order of closing */
    guint n_closed;
} Search;

/* Reach on from @row, which is @base away; returns where in search->open the nearest column is. */
static guint relax_from(Search *search, guint row, double base)
{
    const double *cost = search->cost + (gsize) row * search->n_cols;
    const double price = search->row_price[row];
    double nearest = INFINITY;
    guint found = 0;

    for (guint k = 0; k < search->n_open; k++) {
        const guint col = search->open[k];
        const double reached = base + cost[col] - price - search->col_price[col];

        if (reached < search->distance[col]) {
            search->distance[col] = reached;
            search->from_row[col] = row;
        }
        /* On a tie a free column ends the search at once. */
        if (search->distance[col] < nearest ||
            (search->distance[col] == nearest && search->row_of_col[col] == TG_UNASSIGNED)) {
            nearest = search->distance[col];
            found = k;
        }
    }
    return found;
}

/* The shortest alternating path from @new_row to a free column: that column, or TG_UNASSIGNED when
 * the time is up. */
static guint find_free_column(Search *search, guint new_row)
{
    guint row = new_row;
    double base = 0.0;

    search->n_open = search->n_cols;
    search->n_closed = 0;
    for (guint col = 0; col < search->n_cols; col++) {
        search->distance[col] = INFINITY;
        search->open[col] = search->n_cols - 1 - col; /* last first: equal costs pair up in order */
    }
    for (;;) {
        if (tg_deadline_spend(search->n_open))
            return TG_UNASSIGNED;
        const guint k = relax_from(search, row, base);
        const guint col = search->open[k];

        base = search->distance[col];
        search->closed[search->n_closed++] = col;
        search->open[k] = search->open[--search->n_open];
        if (search->row_of_col[col] == TG_UNASSIGNED)
            return col;
        row = search->row_of_col[col];
    }
}

/* Keep the prices such that assigned pairs cost nothing and no other pair costs less than that. */
static void update_prices(Search *search, guint new_row, double path_length)
{
    search->row_price[new_row] += path_length;
    for (guint k = 0; k < search->n_closed; k++) {
        const guint col = search->closed[k];
        const double slack = path_length - search->distance[col];

        if (search->row_of_col[col] != TG_UNASSIGNED)
            search->row_price[search->row_of_col[col]] += slack;
        search->col_price[col] -= slack;
    }
}

/* Flip the path: every row on it takes the column it was reached to. */
static void augment_path(Search *search, guint new_row, guint free_col)
{
    guint col = free_col;

    for (;;) {
        const guint row = search->from_row[col];
        const guint next = search->col_of_row[row];

        search->row_of_col[col] = row;
        search->col_of_row[row] = col;
        if (row == new_row)
            return;
        col = next;
    }
}

/* Solve for n_rows <= n_cols. */
static void solve_wide(const double *cost, guint n_rows, guint n_cols, guint *col_of_row)
{
    g_autofree double *numbers = g_new0(double, n_rows + 2 * (gsize) n_cols);
    g_autofree guint *indices = g_new(guint, 4 * (gsize) n_cols);
    Search search = {
        .cost = cost,
        .n_cols = n_cols,
        .row_price = numbers,
        .col_price = numbers + n_rows,
        .distance = numbers + n_rows + n_cols,
        .col_of_row = col_of_row,
        .row_of_col = indices,
        .from_row = indices + n_cols,
        .open = indices + 2 * (gsize) n_cols,
        .closed = indices + 3 * (gsize) n_cols,
    };

    for (guint row = 0; row < n_rows; row++)
        col_of_row[row] = TG_UNASSIGNED;
    for (guint col = 0; col < n_cols; col++)
        search.row_of_col[col] = TG_UNASSIGNED;
    for (guint row = 0; row < n_rows; row++) {
        const guint col = find_free_column(&search, row);

        if (col == TG_UNASSIGNED)
            return;
        update_prices(&search, row, search.distance[col]);
        augment_path(&search, row, col);
    }
}

void tg_assignment_solve(const double *cost, guint n_rows, guint n_cols, guint *col_of_row)
{
    for (guint row = 0; row < n_rows; row++)
        col_of_row[row] = TG_UNASSIGNED;
    if (n_rows == 0 || n_cols == 0)
        return;
    if (n_rows <= n_cols) {
        solve_wide(cost, n_rows, n_cols, col_of_row);
        return;
    }

    g_autofree double *turned = g_new(double, (gsize) n_rows *n_cols);
    g_autofree guint *row_of_col = g_new(guint, n_cols);
    for (guint row = 0; row < n_rows; row++)
        for (guint col = 0; col < n_cols; col++)
            turned[(gsize) col * n_rows + row] = cost[(gsize) row * n_cols + col];
    solve_wide(turned, n_cols, n_rows, row_of_col);
    for (guint col = 0; col < n_cols; col++)
        if (row_of_col[col] != TG_UNASSIGNED) /* a column has no row when the time was up */
            col_of_row[row_of_col[col]] = col;
}
