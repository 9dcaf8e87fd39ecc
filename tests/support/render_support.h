/* A renderer for a group of tests, and drawing with it. */
#pragma once

#include "tests/support/test_support.h"

#include <texgauge/render.h>

/** *@state between render_set_up() and render_tear_down(). */
typedef struct {
    TgFonts *fonts;
    TgRenderer *renderer;
} RenderFixture;

static inline int render_set_up(void **state)
{
    RenderFixture *fixture = g_new(RenderFixture, 1);

    fixture->fonts = tg_must(tg_fonts_new(&error));
    fixture->renderer = tg_renderer_new(fixture->fonts);
    *state = fixture;
    return 0;
}

static inline int render_tear_down(void **state)
{
    RenderFixture *fixture = *state;

    tg_renderer_free(fixture->renderer);
    tg_fonts_unref(fixture->fonts);
    g_free(fixture);
    return 0;
}

static inline TgRenderer *render_of(void **state)
{
    return ((const RenderFixture *) *state)->renderer;
}

/** The drawing of a formula; @strict: which must be without fault. (transfer full) */
static inline TgDrawing *render_draw(void **state, const char *tex, gboolean strict)
{
    TgRenderOptions options = TG_RENDER_OPTIONS_INIT;

    options.strict = strict;
    return tg_must(tg_renderer_draw(render_of(state), tex, strlen(tex), &options, &error));
}
