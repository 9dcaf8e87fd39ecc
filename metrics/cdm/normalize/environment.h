/* The environments that the official program's parser knows. */
#pragma once

#include "metrics/cdm/normalize/tree.h"

/** An environment and what it is printed as: an array, mostly between delimiters. */
typedef struct {
    const char *name;
    const char *left, *right; /**< NULL for none */
    enum {
        TG_CDM_COLUMNS_ARGUMENT,  /**< from its argument */
        TG_CDM_COLUMNS_FIRST_ROW, /**< l for every cell of the first row */
        TG_CDM_COLUMNS_TWO,       /**< l l */
        TG_CDM_COLUMNS_ALIGNED,   /**< r l r l for the widest row */
    } columns;
} TgCdmEnvironment;

/** NULL if there is none of this name. */
const TgCdmEnvironment *tg_cdm_environment_find(const char *name);

/**
 * Give an array of this environment its preamble.
 *
 * @array: with all its rows; those of aligned columns get an empty group in every second cell
 * @argument: the environment's argument; NULL if it takes none
 */
void tg_cdm_environment_set_columns(const TgCdmEnvironment *environment, TgCdmSyntax *syntax,
                                    TgCdmNode *array, const TgCdmNode *argument);
