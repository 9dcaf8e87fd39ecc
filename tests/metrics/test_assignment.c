/* The assignment solver against brute force and against scipy's choice among equal solutions. */
#include "tests/support/golden_rows.h"

#include "metrics/algorithms/algorithms.h"

#define MAX_CELLS 400

static guint64 next_random(guint64 *state)
{
    *state =
        *state * G_GUINT64_CONSTANT(6364136223846793005) + G_GUINT64_CONSTANT(1442695040888963407);
    return *state >> 33;
}

/* The same matrices as in golden/make_assignment.py. */
static void fill(double *cost, guint64 seed, guint n_rows, guint n_cols, guint levels)
{
    assert_true(n_rows * n_cols <= MAX_CELLS);
    for (guint k = 0; k < n_rows * n_cols; k++)
        cost[k] = (double) (next_random(&seed) % levels) / 8;
}

/* The least cost of the rows from @row on, with the columns of @used taken and @spare rows that
 * may stay without a column. */
static double brute_force(const double *cost, guint n_rows, guint n_cols, guint row, guint used,
                          guint spare)
{
    if (row == n_rows)
        return 0.0;

    double best = G_MAXDOUBLE;
    if (spare > 0)
        best = brute_force(cost, n_rows, n_cols, row + 1, used, spare - 1);
    for (guint col = 0; col < n_cols; col++)
        if (!(used & 1u << col))
            best = MIN(best, cost[row * n_cols + col] + brute_force(cost, n_rows, n_cols, row + 1,
                                                                    used | 1u << col, spare));
    return best;
}

TEST(test_assignment__costs_as_little_as_brute_force)
{
    double cost[MAX_CELLS];
    guint col_of_row[6];

    for (guint64 seed = 0; seed < 600; seed++) {
        const guint n_rows = 1 + seed % 6, n_cols = 1 + seed / 6 % 6;
        guint used = 0, n_assigned = 0;
        double total = 0.0;

        fill(cost, seed, n_rows, n_cols, seed % 2 == 0 ? 6 : 1000000);
        for (guint k = 0; k < n_rows * n_cols; k++)
            cost[k] -= 0.25; /* negative costs are allowed */
        tg_assignment_solve(cost, n_rows, n_cols, col_of_row);
        for (guint row = 0; row < n_rows; row++)
            if (col_of_row[row] != TG_UNASSIGNED) {
                assert_true(col_of_row[row] < n_cols);
                assert_false(used & 1u << col_of_row[row]);
                used |= 1u << col_of_row[row];
                total += cost[row * n_cols + col_of_row[row]];
                n_assigned++;
            }
        assert_int_equal(n_assigned, MIN(n_rows, n_cols));
        tg_assert_near(total, brute_force(cost, n_rows, n_cols, 0, 0, n_rows - MIN(n_rows, n_cols)),
                       1e-9);
    }
}

TEST(test_assignment__ties_go_as_in_scipy)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("assignment.tsv", 5);

    for (guint i = 0; i < rows->len; i++) {
        char **field = rows->pdata[i];
        const guint n_rows = (guint) atoi(field[1]), n_cols = (guint) atoi(field[2]);
        double cost[MAX_CELLS];
        guint col_of_row[32];
        g_autoptr(GString) found = g_string_new(NULL);

        fill(cost, (guint64) atoi(field[0]), n_rows, n_cols, (guint) atoi(field[3]));
        tg_assignment_solve(cost, n_rows, n_cols, col_of_row);
        for (guint row = 0; row < n_rows; row++) {
            g_string_append(found, row > 0 ? " " : "");
            if (col_of_row[row] == TG_UNASSIGNED)
                g_string_append_c(found, '-');
            else
                g_string_append_printf(found, "%u", col_of_row[row]);
        }
        assert_string_equal(found->str, field[4]);
    }
    assert_int_equal(rows->len, 40);
}

TEST(test_assignment__equal_costs_pair_up_in_order)
{
    static const double cost[4 * 4] = { 0 };
    guint col_of_row[4];

    tg_assignment_solve(cost, 4, 4, col_of_row);
    for (guint row = 0; row < 4; row++)
        assert_int_equal(col_of_row[row], row);
}

TEST(test_assignment__nothing_to_assign)
{
    guint col_of_row[2] = { 7, 7 };

    tg_assignment_solve(NULL, 0, 3, col_of_row);
    assert_int_equal(col_of_row[0], 7);
    tg_assignment_solve(NULL, 2, 0, col_of_row);
    assert_int_equal(col_of_row[0], TG_UNASSIGNED);
    assert_int_equal(col_of_row[1], TG_UNASSIGNED);
}
