/* TeX as a renderer: formulas set in batches by pdflatex or lualatex, read back as pixels. */
#pragma once

#include <texgauge/render.h>

typedef enum { TG_TEX_PDFLATEX, TG_TEX_LUALATEX } TgTexProgram;

/** A TeX program with a private folder to work in; belongs to one thread. */
typedef struct TgTex TgTex;

/**
 * Find the programs: TeX, and Poppler's pdftocairo to read pages back.
 *
 * @seconds: CPU time that a formula may take, on which three times as much may pass by the clock
 *
 * Returns: (transfer full), or NULL with @error set to
 *   TG_ERROR_USAGE   one is not installed; the message names the package
 *   TG_ERROR_OUTPUT  no temporary folder can be made
 */
TgTex *tg_tex_new(TgTexProgram program, double seconds, GError **error);
void tg_tex_free(TgTex *tex);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgTex, tg_tex_free)

/** "pdflatex" or "lualatex". */
const char *tg_tex_name(const TgTex *tex);

/** Formulas of one kind. */
typedef struct {
    const char *preamble;      /**< of the document, up to \begin{document} */
    const char *before;        /**< precedes each formula ... */
    const char *behind;        /**< ... and follows it */
    const char *const *bodies; /**< @n formulas, each for a page of its own */
    guint n;
    guint width_px, height_px; /**< of the page */
    double dpi;

    /**
     * Called once for every formula, in any order: @page is what TeX sets, without smooth edges,
     * borrowed, or NULL with the reason in @trouble.
     */
    void (*take)(guint index, const TgRaster *page, const char *trouble, gpointer data);
    gpointer data;
} TgTexJob;

/**
 * Set formulas: hundreds in one document where none can reach into the next, because each is
 * without fault and defines nothing (see TgTexSource); every other one in a document of its own. So
 * a formula's page does not depend on the formulas beside it. Where a run does not make one page of
 * each formula, or the reference formula that ends it comes out changed, its halves are tried
 * again. Errors that TeX recovers from are no failure.
 *
 * TeX runs without shell, in an environment of its own, reads and writes in the private folder only
 * (and reads TeX's own trees), and is killed at the limits of time and memory. Commands that our
 * tables do not know, such as TeX's primitives, are not given to it.
 *
 * Returns: FALSE with @error set to TG_ERROR_USAGE: the program cannot set even a simple formula,
 * because packages are missing; or TG_ERROR_OUTPUT: a file cannot be written.
 */
gboolean tg_tex_draw(TgTex *tex, const TgTexJob *job, GError **error);
