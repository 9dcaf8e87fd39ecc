/* What a program does to the strings of a pair before it normalises them. */
#pragma once

#include "metrics/cdm/dialects/dialect.h"
#include "metrics/cdm/normalize/normalize.h"

/** A pair as its program normalises it. */
typedef struct {
    TgCdmText *ref, *hyp;
    TgCdmText *alternative; /**< another spelling of @hyp, which counts where it scores better; or
                                 NULL */
} TgCdmCleanPair;

/**
 * @traced: keep the origin of every byte in @ref or @hyp
 * @out: (out) what tg_cdm_clean_pair_clear() frees
 */
void tg_cdm_clean_pair(const TgCdmDialect *dialect, const char *ref, const char *hyp,
                       gboolean traced, TgCdmCleanPair *out);

void tg_cdm_clean_pair_clear(TgCdmCleanPair *pair);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgCdmCleanPair, tg_cdm_clean_pair_clear)
