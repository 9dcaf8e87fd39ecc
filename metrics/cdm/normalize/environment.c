/* The table of environments, and the columns that they are printed with. */
#include "metrics/cdm/normalize/environment.h"

#include <string.h>

static const TgCdmEnvironment environments[] = {
    { "array", NULL, NULL, TG_CDM_COLUMNS_ARGUMENT },
    { "tabular", NULL, NULL, TG_CDM_COLUMNS_ARGUMENT },
    { "matrix", NULL, NULL, TG_CDM_COLUMNS_FIRST_ROW },
    { "pmatrix", "(", ")", TG_CDM_COLUMNS_FIRST_ROW },
    { "bmatrix", "[", "]", TG_CDM_COLUMNS_FIRST_ROW },
    { "Bmatrix", "\\{", "\\}", TG_CDM_COLUMNS_FIRST_ROW },
    { "vmatrix", "|", "|", TG_CDM_COLUMNS_FIRST_ROW },
    { "Vmatrix", "\\Vert", "\\Vert", TG_CDM_COLUMNS_FIRST_ROW },
    { "cases", "\\{", ".", TG_CDM_COLUMNS_TWO },
    { "picture", "\\{", ".", TG_CDM_COLUMNS_TWO },
    { "aligned", NULL, NULL, TG_CDM_COLUMNS_ALIGNED },
};

const TgCdmEnvironment *tg_cdm_environment_find(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(environments); i++)
        if (strcmp(environments[i].name, name) == 0)
            return &environments[i];
    return NULL;
}

/* The letters l, c and r of an array's preamble; everything else in it is lost. */
static void append_preamble(GString *columns, const TgCdmNode *preamble)
{
    const gboolean is_group = preamble->kind == TG_CDM_NODE_GROUP;

    for (guint i = 0; i < (is_group ? preamble->children->len : 1); i++) {
        const TgCdmNode *node = is_group ? preamble->children->pdata[i] : preamble;

        if (node->kind == TG_CDM_NODE_LETTER &&
            (strcmp(node->text, "l") == 0 || strcmp(node->text, "c") == 0 ||
             strcmp(node->text, "r") == 0))
            g_string_append_printf(columns, "%s ", node->text);
    }
}

/* Every second cell of a row begins with an empty group. Returns the widest row's length. */
static guint put_empty_groups(TgCdmSyntax *syntax, const GPtrArray *rows)
{
    guint n_columns = 0;

    for (guint i = 0; i < rows->len; i++) {
        const GPtrArray *cells = ((const TgCdmNode *) rows->pdata[i])->children;

        for (guint k = 1; k < cells->len; k += 2)
            g_ptr_array_insert(((TgCdmNode *) cells->pdata[k])->children, 0,
                               tg_cdm_node_new_group(syntax, g_ptr_array_new()));
        n_columns = MAX(n_columns, cells->len);
    }
    return n_columns;
}

void tg_cdm_environment_set_columns(const TgCdmEnvironment *environment, TgCdmSyntax *syntax,
                                    TgCdmNode *array, const TgCdmNode *argument)
{
    const TgCdmNode *first_row = array->children->pdata[0];
    g_autoptr(GString) columns = g_string_new(NULL);

    switch (environment->columns) {
    case TG_CDM_COLUMNS_ARGUMENT:
        append_preamble(columns, argument);
        break;
    case TG_CDM_COLUMNS_FIRST_ROW:
        for (guint i = 0; i < first_row->children->len; i++)
            g_string_append(columns, "l ");
        break;
    case TG_CDM_COLUMNS_TWO:
        g_string_append(columns, "l l ");
        break;
    case TG_CDM_COLUMNS_ALIGNED:
        for (guint i = 0, n = put_empty_groups(syntax, array->children); i < n; i++)
            g_string_append(columns, i % 2 == 0 ? "r " : "l ");
        break;
    }
    array->text = g_strdup(columns->str);
}
