/* From edits to marks. */
#include "metrics/forte/show.h"

#include <string.h>

#include "metrics/forte/runs.h"
#include "metrics/forte/words.h"

/* What a run of edits covers. */
typedef struct {
    TgTone tone;
    gboolean has[TG_N_SIDES];
    guint32 start[TG_N_SIDES], end[TG_N_SIDES]; /* bytes of the sources */
} Extent;

static TgTone tone_of(TgForteEditClass class)
{
    switch (class) {
    case TG_FORTE_EDIT_LOOK_ALIKE:
    case TG_FORTE_EDIT_CASE:
    case TG_FORTE_EDIT_VARIANT:
    case TG_FORTE_EDIT_PUNCTUATION:
    case TG_FORTE_EDIT_STYLE:
        return TG_TONE_MINOR;
    case TG_FORTE_EDIT_STRUCTURE:
        return TG_TONE_STRUCTURE;
    default:
        return TG_TONE_BAD;
    }
}

static void extend_extent(Extent *extent, TgPairSide side, const GArray *tokens, guint32 at)
{
    const TgForteToken *token = &g_array_index(tokens, TgForteToken, at);

    extent->start[side] = extent->has[side] ? MIN(extent->start[side], token->start) : token->start;
    extent->end[side] = MAX(extent->end[side], token->end);
    extent->has[side] = TRUE;
}

/* Whether all edits of a run are ends of constructs, whose span is the whole construct. */
static gboolean has_ends_only(const TgForteComparison *self, const guint *runs, guint first)
{
    for (guint i = first; i < self->edits->len && runs[i] == runs[first]; i++) {
        const TgForteEdit *edit = &g_array_index(self->edits, TgForteEdit, i);

        if ((edit->lost && !tg_forte_is_end(self->ref, edit->ref)) ||
            (edit->added && !tg_forte_is_end(self->hyp, edit->hyp)))
            return FALSE;
    }
    return TRUE;
}

/* The run that begins at edit @first, and in @next where the next one does. */
static Extent extent_of(const TgForteComparison *self, const guint *runs, guint first, guint *next)
{
    const gboolean ends = has_ends_only(self, runs, first);
    Extent extent = { .tone = TG_N_TONES };
    guint i = first;

    for (; i < self->edits->len && runs[i] == runs[first]; i++) {
        const TgForteEdit *edit = &g_array_index(self->edits, TgForteEdit, i);
        const TgTone tone = tone_of((TgForteEditClass) edit->class);

        extent.tone = extent.tone == TG_N_TONES || extent.tone == tone ? tone : TG_TONE_BAD;
        if (edit->lost && (ends || !tg_forte_is_end(self->ref, edit->ref)))
            extend_extent(&extent, TG_SIDE_TRUTH, self->ref, edit->ref);
        if (edit->added && (ends || !tg_forte_is_end(self->hyp, edit->hyp)))
            extend_extent(&extent, TG_SIDE_PREDICTION, self->hyp, edit->hyp);
    }
    *next = i;
    return extent;
}

/* Mark a run and say in the list what it is. */
static void mark_extent(TgPairPicture *picture, const Extent *extent, guint number,
                        const char *words)
{
    g_autofree char *label = g_strdup_printf("%u", number);
    guint marks[TG_N_SIDES] = { TG_NO_MARK, TG_NO_MARK };

    for (guint s = 0; s < TG_N_SIDES; s++) {
        if (extent->has[s])
            marks[s] = tg_pair_picture_add_span(picture, (TgPairSide) s, extent->start[s],
                                                extent->end[s], extent->tone, label);
    }
    if (marks[0] != TG_NO_MARK && marks[1] != TG_NO_MARK)
        tg_pair_picture_join(picture, marks[0], marks[1]);
    tg_pair_picture_add_note(picture, extent->tone, label, words);
}

/* A side without ink, or beyond the renderer's bounds, has its heading alone. */
static gboolean draw_side(TgPairPicture *picture, TgRenderer *renderer, TgPairSide side,
                          const char *source, const char *heading, GError **error)
{
    g_autoptr(GError) trouble = NULL;
    g_autoptr(TgDrawing) drawing =
        tg_renderer_draw(renderer, source, strlen(source), NULL, &trouble);

    if (drawing == NULL && !g_error_matches(trouble, TG_ERROR, TG_ERROR_PARSE)) {
        g_propagate_error(error, g_steal_pointer(&trouble));
        return FALSE;
    }
    if (drawing == NULL) {
        g_autofree char *why = g_strconcat("not drawn: ", trouble->message, NULL);
        tg_pair_picture_set_heading(picture, side, why);
        return TRUE;
    }
    tg_pair_picture_set_drawing(picture, side, drawing);
    tg_pair_picture_set_heading(picture, side, heading);
    return TRUE;
}

/* The legend lists the tones that occur. */
static void name_tones(TgPairPicture *picture)
{
    static const char *const names[TG_N_TONES] = {
        [TG_TONE_BAD] = "wrong, lost or added",
        [TG_TONE_MINOR] = "looks much the same",
        [TG_TONE_STRUCTURE] = "structure",
    };

    for (guint t = 0; t < TG_N_TONES; t++) {
        if (names[t] != NULL &&
            (tg_pair_picture_count(picture, TG_SIDE_TRUTH, (TgTone) t) > 0 ||
             tg_pair_picture_count(picture, TG_SIDE_PREDICTION, (TgTone) t) > 0))
            tg_pair_picture_name_tone(picture, (TgTone) t, names[t]);
    }
}

gboolean tg_forte_show(TgPairPicture *picture, TgRenderer *renderer, const char *ref,
                       const char *hyp, const TgForteComparison *comparison,
                       const TgForteOutcome *outcome, GError **error)
{
    g_autofree guint *runs = tg_forte_runs(comparison->edits);
    g_autofree char *title = g_strdup_printf("FORTE %.3f", outcome->score);
    g_autofree char *of_ref = g_strdup_printf("size %.1f", outcome->size);
    g_autofree char *of_hyp = g_strdup_printf("errors %.1f", outcome->severity);

    if (!draw_side(picture, renderer, TG_SIDE_TRUTH, ref, of_ref, error) ||
        !draw_side(picture, renderer, TG_SIDE_PREDICTION, hyp, of_hyp, error))
        return FALSE;
    tg_pair_picture_set_title(picture, title);
    for (guint i = 0, next; i < comparison->edits->len; i = next) {
        const Extent extent = extent_of(comparison, runs, i, &next);
        g_autofree char *words = tg_forte_words(comparison, i, next);

        mark_extent(picture, &extent, runs[i] + 1, words);
    }
    name_tones(picture);
    return TRUE;
}
