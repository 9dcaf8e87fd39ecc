/* What TeX is given of a formula, which comes from strangers: nothing that reaches beyond it. */
#pragma once

#include <glib.h>

/** A formula as TeX may have it. */
typedef struct {
    char *text;    /**< (transfer full) for the document; NULL where the formula is refused */
    char *refused; /**< (transfer full) why it is refused, or NULL */

    /** The formula has no fault and changes nothing that outlives its group, so that it can share a
     * document with others. */
    gboolean is_self_contained;
} TgTexSource;

/**
 * Prepare a formula.
 *
 * Commands and environments that our tables know are passed on, but for those that reach into files
 * or into other formulas: a formula with one of these is refused. Every other name gets a prefix
 * that no package defines: it stays undefined, or means what the formula defines it to mean. Names
 * that TeX would build (^^ notation, \begin without a plain name) are refused, and \csname is one
 * of the names that get the prefix.
 */
TgTexSource tg_tex_source_new(const char *latex);
void tg_tex_source_clear(TgTexSource *source);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgTexSource, tg_tex_source_clear)
