/*
 * What is special in OmniDocBench's JSON (github opendatalab/OmniDocBench). A result is a list of
 * pairs, several of one page, which differ in the positions of their blocks. A data set is a list
 * of pages, each with its blocks; the formulas among them are rows.
 */
#pragma once

#include <jansson.h>
#include <texgauge/types.h>

/**
 * In a pair, whose image is that of the page, add the positions to the id: "page.jpg#3", or
 * "page.jpg#pred-5" where no truth belongs to the prediction. Other objects are left alone.
 */
void tg_omnidocbench_complete_id(json_t *object, char **id);

/** The blocks of a page, borrowed; NULL if @value is none. */
json_t *tg_omnidocbench_blocks(json_t *value);

/** Whether a block is a formula; tables have LaTeX too. */
gboolean tg_omnidocbench_is_formula(json_t *block);

/** "page.jpg#12" for the block number 12 of a page; NULL if one of the two is missing. */
char *tg_omnidocbench_block_id(json_t *page, json_t *block);
