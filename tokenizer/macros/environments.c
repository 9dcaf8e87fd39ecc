/* The environments that hold rows and cells, and how each is read. */
#include "tokenizer/macros/environments.h"

#include <stdlib.h>
#include <string.h>

#define DISPLAY TG_ENV_DISPLAY
#define TEXT    TG_ENV_TEXT
#define TIGHT   TG_ENV_TIGHT
#define OPEN    TG_ENV_OPEN

/* clang-format off: one row a line */
#define ROW(name, kind, args, flags, columns, left, right)                                         \
    {                                                                                              \
        name, TG_ENV_##kind, TG_ENV_ARGS_##args, flags, columns, left, right                       \
    }

static const TgEnvironmentInfo environments[] = {
    ROW("Bmatrix", MATRIX, NONE, TIGHT, 10, "{", "}"),
    ROW("Bmatrix*", MATRIX, PRESET, TIGHT, 10, "{", "}"),
    ROW("Bsmallmatrix", SMALLMATRIX, NONE, TIGHT, 0, "{", "}"),
    ROW("IEEEeqnarray", ALIGNED, COLUMNS, DISPLAY, 0, NULL, NULL),
    ROW("IEEEeqnarray*", ALIGNED, COLUMNS, DISPLAY, 0, NULL, NULL),
    ROW("Vmatrix", MATRIX, NONE, TIGHT, 10, "Vert", "Vert"),
    ROW("Vmatrix*", MATRIX, PRESET, TIGHT, 10, "Vert", "Vert"),
    ROW("Vsmallmatrix", SMALLMATRIX, NONE, TIGHT, 0, "Vert", "Vert"),
    ROW("align", ALIGNED, NONE, DISPLAY | TIGHT, 0, NULL, NULL),
    ROW("align*", ALIGNED, NONE, DISPLAY | TIGHT, 0, NULL, NULL),
    ROW("alignat", ALIGNEDAT, NUMBER, DISPLAY | TIGHT, 0, NULL, NULL),
    ROW("alignat*", ALIGNEDAT, NUMBER, DISPLAY | TIGHT, 0, NULL, NULL),
    ROW("aligned", ALIGNED, ALIGN, DISPLAY | TIGHT, 0, NULL, NULL),
    ROW("alignedat", ALIGNEDAT, NUMBER, DISPLAY | TIGHT, 0, NULL, NULL),
    ROW("array", ARRAY, COLUMNS, 0, 0, NULL, NULL),
    ROW("bmatrix", MATRIX, NONE, TIGHT, 10, "[", "]"),
    ROW("bmatrix*", MATRIX, PRESET, TIGHT, 10, "[", "]"),
    ROW("bsmallmatrix", SMALLMATRIX, NONE, TIGHT, 0, "[", "]"),
    ROW("cases", CASES, NONE, TIGHT, 2, "{", NULL),
    ROW("cases*", CASES, NONE, TIGHT, 2, "{", NULL),
    ROW("darray", ARRAY, COLUMNS, DISPLAY, 0, NULL, NULL),
    ROW("dcases", CASES, NONE, DISPLAY | TIGHT, 2, "{", NULL),
    ROW("dcases*", CASES, NONE, DISPLAY | TIGHT, 2, "{", NULL),
    ROW("displaymath", ALIGNED, NONE, OPEN, 0, NULL, NULL),
    ROW("drcases", CASES, NONE, DISPLAY | TIGHT, 2, NULL, "}"),
    ROW("drcases*", CASES, NONE, DISPLAY | TIGHT, 2, NULL, "}"),
    ROW("eqnarray", EQNARRAY, NONE, DISPLAY, 3, NULL, NULL),
    ROW("eqnarray*", EQNARRAY, NONE, DISPLAY, 3, NULL, NULL),
    ROW("equation", ALIGNED, NONE, OPEN, 0, NULL, NULL),
    ROW("equation*", ALIGNED, NONE, OPEN, 0, NULL, NULL),
    ROW("flalign", ALIGNED, NONE, DISPLAY | TIGHT, 0, NULL, NULL),
    ROW("flalign*", ALIGNED, NONE, DISPLAY | TIGHT, 0, NULL, NULL),
    ROW("gather", GATHERED, NONE, DISPLAY | TIGHT, 1, NULL, NULL),
    ROW("gather*", GATHERED, NONE, DISPLAY | TIGHT, 1, NULL, NULL),
    ROW("gathered", GATHERED, ALIGN, DISPLAY | TIGHT, 1, NULL, NULL),
    ROW("lgathered", GATHERED, ALIGN, DISPLAY | TIGHT, 1, NULL, NULL),
    ROW("math", ALIGNED, NONE, OPEN, 0, NULL, NULL),
    ROW("matrix", MATRIX, NONE, TIGHT, 10, NULL, NULL),
    ROW("matrix*", MATRIX, PRESET, TIGHT, 10, NULL, NULL),
    ROW("minipage", ALIGNED, NONE, OPEN | TEXT, 0, NULL, NULL),
    ROW("multline", MULTLINE, NONE, DISPLAY | TIGHT, 1, NULL, NULL),
    ROW("multline*", MULTLINE, NONE, DISPLAY | TIGHT, 1, NULL, NULL),
    ROW("multlined", MULTLINE, ALIGN, DISPLAY | TIGHT, 1, NULL, NULL),
    ROW("pmatrix", MATRIX, NONE, TIGHT, 10, "(", ")"),
    ROW("pmatrix*", MATRIX, PRESET, TIGHT, 10, "(", ")"),
    ROW("psmallmatrix", SMALLMATRIX, NONE, TIGHT, 0, "(", ")"),
    ROW("rcases", CASES, NONE, TIGHT, 2, NULL, "}"),
    ROW("rcases*", CASES, NONE, TIGHT, 2, NULL, "}"),
    ROW("rgathered", GATHERED, ALIGN, DISPLAY | TIGHT, 1, NULL, NULL),
    ROW("smallmatrix", SMALLMATRIX, NONE, TIGHT, 0, NULL, NULL),
    ROW("smallmatrix*", SMALLMATRIX, PRESET, TIGHT, 0, NULL, NULL),
    ROW("split", ALIGNED, NONE, DISPLAY | TIGHT, 2, NULL, NULL),
    ROW("subarray", SUBARRAY, COLUMN, TIGHT, 1, NULL, NULL),
    ROW("subequations", ALIGNED, NONE, OPEN, 0, NULL, NULL),
    ROW("tabular", ARRAY, COLUMNS, TEXT, 0, NULL, NULL),
    ROW("vmatrix", MATRIX, NONE, TIGHT, 10, "vert", "vert"),
    ROW("vmatrix*", MATRIX, PRESET, TIGHT, 10, "vert", "vert"),
    ROW("vsmallmatrix", SMALLMATRIX, NONE, TIGHT, 0, "vert", "vert"),
    ROW("xalignat", ALIGNED, NUMBER, DISPLAY | TIGHT, 0, NULL, NULL),
    ROW("xalignat*", ALIGNED, NUMBER, DISPLAY | TIGHT, 0, NULL, NULL),
    ROW("xxalignat", ALIGNED, NUMBER, DISPLAY | TIGHT, 0, NULL, NULL),
};

static const TgEnvironmentInfo commands[] = {
    ROW("cases", PLAIN_CASES, NONE, 0, 2, "{", NULL),
    ROW("displaylines", DISPLAYLINES, NONE, DISPLAY, 1, NULL, NULL),
    ROW("eqalign", EQALIGN, NONE, DISPLAY, 2, NULL, NULL),
    ROW("eqalignno", EQALIGN, NONE, DISPLAY, 3, NULL, NULL),
    ROW("leqalignno", EQALIGN, NONE, DISPLAY, 3, NULL, NULL),
    ROW("matrix", PLAIN_MATRIX, NONE, 0, 0, NULL, NULL),
    ROW("pmatrix", PLAIN_MATRIX, NONE, 0, 0, "(", ")"),
    ROW("shortstack", SHORTSTACK, NONE, TEXT, 1, NULL, NULL),
    ROW("substack", SUBARRAY, NONE, TIGHT, 1, NULL, NULL),
};
/* clang-format on */

static int compare_names(const void *key, const void *row)
{
    return strcmp(key, ((const TgEnvironmentInfo *) row)->name);
}

const TgEnvironmentInfo *tg_environment_find(const char *name)
{
    return bsearch(name, environments, G_N_ELEMENTS(environments), sizeof environments[0],
                   compare_names);
}

const TgEnvironmentInfo *tg_environment_table(guint *n)
{
    *n = G_N_ELEMENTS(environments);
    return environments;
}

const TgEnvironmentInfo *tg_environment_of_command(const char *name)
{
    return bsearch(name, commands, G_N_ELEMENTS(commands), sizeof commands[0], compare_names);
}

gboolean tg_is_minipage(const char *name)
{
    return strcmp(name, "minipage") == 0;
}
