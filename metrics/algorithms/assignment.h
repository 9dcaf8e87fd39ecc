/* The exact minimum-cost assignment between two sets of any sizes. */
#pragma once

#include <glib.h>

/** Marks a row that has no column. */
#define TG_UNASSIGNED G_MAXUINT

/**
 * Give min(@n_rows, @n_cols) rows a column each, no column twice, at the least total cost.
 *
 * @cost: shaped [n_rows][n_cols], finite numbers of any sign
 * @col_of_row: (out) n_rows entries; TG_UNASSIGNED for the rows left over
 *
 * Time is O(min^2 * max). Among solutions of equal cost the result is fixed, and it is the one that
 * scipy.optimize.linear_sum_assignment gives (1.10.1): the search visits columns in the same
 * order, prefers a free column on equal distance, and adds up costs in the same order.
 *
 * Source: the shortest augmenting path algorithm of Jonker and Volgenant (1987), Computing 38, for
 * rectangular problems as in Crouse (2016), IEEE Trans. Aerosp. Electron. Syst. 52(4), section III.
 */
void tg_assignment_solve(const double *cost, guint n_rows, guint n_cols, guint *col_of_row);
