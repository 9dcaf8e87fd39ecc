/* The programs that are called CDM, member by member. */
#include "metrics/cdm/normalize/normalize.h"

const TgCdmDialect tg_cdm_dialects[TG_CDM_N_DIALECTS] = {
    /* opendatalab/UniMERNet, folder cdm, since 2025-06-16; read and run at commit 5a2c80d. */
    [TG_CDM_UNIMERNET] = {
        .name = "unimernet",
        .cleaning = TG_CDM_CLEAN_NOTHING,
        .vocabulary = TG_CDM_VOCABULARY_2025,
        .dpi = 200,
        .smooths = TRUE,
        .same_symbol_cost = 0.005, /* the paper says 0.05 */
        .ransac = { .seed = 42, .n_trials = 50, .n_sample = 2, .max_rounds = 5,
                    .tolerance_px = 20 },
    },
    /* opendatalab/OmniDocBench 1.6, upstream commit c3e100b3. */
    [TG_CDM_OMNIDOCBENCH_16] = {
        .name = "omnidocbench-1.6",
        .cleaning = TG_CDM_CLEAN_VARIANTS,
        .is_tolerant = TRUE,
        .vocabulary = TG_CDM_VOCABULARY_2025,
        .dpi = 200,
        .grows_paper = TRUE,
        .smooths = TRUE,
        .same_symbol_cost = 0.005,
        .ransac = { .seed = 2026, .n_trials = 500, .n_sample = 2, .max_rounds = 5,
                    .tolerance_px = 30, .sums_inliers = TRUE },
        .counts_blank_refs = TRUE,
    },
    /* OmniDocBench up to 1.5, also in MDPBench, MORE and lmms-eval: UniMERNet's program of 2024,
     * with xelatex. */
    [TG_CDM_OMNIDOCBENCH_15] = {
        .name = "omnidocbench-1.5",
        .cleaning = TG_CDM_CLEAN_DOLLARS,
        .vocabulary = TG_CDM_VOCABULARY_2024,
        .dpi = 300,
        .same_symbol_cost = 0.05,
        .has_own_order = TRUE,
        .ransac = { .seed = 42, .n_trials = 50, .n_sample = 3, .max_rounds = 3,
                    .tolerance_px = 25 },
        .counts_blank_refs = TRUE,
    },
};
