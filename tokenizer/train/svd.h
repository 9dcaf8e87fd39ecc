/* Truncated singular value decomposition of a sparse matrix, the same to the bit on any machine. */
#pragma once

#include <glib.h>

/** A sparse matrix by rows (CSR): row i has the entries start[i] to start[i + 1]. */
typedef struct {
    guint32 n_rows;
    guint32 n_columns;
    gsize *start;    /**< n_rows + 1 */
    guint32 *column; /**< of each entry, increasing inside a row */
    float *value;
} TgSparse;

void tg_sparse_clear(TgSparse *matrix);

/** Called after each of the rounds of iteration. */
typedef void (*TgSvdProgress)(guint done, guint wanted, gpointer data);

/**
 * The @rank largest singular values of @matrix and their left singular vectors, by subspace
 * iteration from a random start and a Rayleigh-Ritz step.
 *
 * Only + - * / and square root are used, in a fixed order, so the result depends on the arguments
 * alone: neither on compiler, C library nor threads. (The build forbids fused multiply-add.)
 *
 * @rank: at most the number of rows and of columns
 * @vectors: (out) [n_rows][rank], each column of length 1 whose largest entry is positive
 * @values: (out) [rank], decreasing
 *
 * Source: Halko, Martinsson and Tropp (2011), Finding Structure with Randomness, algorithm 4.4.
 */
void tg_svd_left(const TgSparse *matrix, guint rank, guint n_rounds, guint64 seed,
                 TgSvdProgress progress, gpointer data, double *vectors, double *values);

/**
 * Eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations.
 *
 * @a: [n][n], destroyed
 * @vectors: (out) [n][n], column j is the eigenvector of values[j]
 * @values: (out) [n], decreasing
 */
void tg_symmetric_eigen(double *a, guint n, double *vectors, double *values);
