/* The content of a pair's picture: drawings, marks, partners. */
#include "render/pictures/pair_picture.h"

#include "render/paint/drawing.h"

static void mark_clear(gpointer data)
{
    g_free(((TgPairMark *) data)->label);
}

static void note_clear(gpointer data)
{
    g_free(((TgPairNote *) data)->label);
    g_free(((TgPairNote *) data)->text);
}

TgPairPicture *tg_pair_picture_new(void)
{
    TgPairPicture *picture = g_new0(TgPairPicture, 1);

    picture->notes = g_array_new(FALSE, FALSE, sizeof(TgPairNote));
    g_array_set_clear_func(picture->notes, note_clear);
    for (guint s = 0; s < TG_N_SIDES; s++) {
        picture->sides[s].marks = g_array_new(FALSE, FALSE, sizeof(TgPairMark));
        g_array_set_clear_func(picture->sides[s].marks, mark_clear);
    }
    return picture;
}

void tg_pair_picture_free(TgPairPicture *picture)
{
    if (picture == NULL)
        return;
    for (guint s = 0; s < TG_N_SIDES; s++) {
        TgPairPanel *side = &picture->sides[s];

        tg_drawing_unref(side->drawing);
        g_free(side->heading);
        g_free(side->owner);
        g_array_unref(side->marks);
    }
    for (guint t = 0; t < TG_N_TONES; t++)
        g_free(picture->tone_names[t]);
    g_array_unref(picture->notes);
    g_free(picture->title);
    g_free(picture->name);
    g_free(picture);
}

void tg_pair_picture_set_drawing(TgPairPicture *picture, TgPairSide side, TgDrawing *drawing)
{
    TgPairPanel *self = &picture->sides[side];

    g_return_if_fail(drawing != NULL && self->drawing == NULL && self->marks->len == 0);
    self->drawing = tg_drawing_ref(drawing);
    self->owner = g_new(guint, drawing->n_tokens);
    for (guint i = 0; i < drawing->n_tokens; i++)
        self->owner[i] = TG_NO_MARK;
}

void tg_pair_picture_set_title(TgPairPicture *picture, const char *text)
{
    g_free(picture->title);
    picture->title = g_strdup(text);
}

void tg_pair_picture_set_name(TgPairPicture *picture, const char *text)
{
    g_free(picture->name);
    picture->name = g_strdup(text);
}

void tg_pair_picture_add_note(TgPairPicture *picture, TgTone tone, const char *label,
                              const char *text)
{
    const TgPairNote note = { tone, g_strdup(label), g_strdup(text) };

    g_return_if_fail(tone < TG_N_TONES);
    g_array_append_val(picture->notes, note);
}

void tg_pair_picture_set_heading(TgPairPicture *picture, TgPairSide side, const char *text)
{
    g_free(picture->sides[side].heading);
    picture->sides[side].heading = g_strdup(text);
}

void tg_pair_picture_set_page(TgPairPicture *picture, TgPairSide side, TgRect page)
{
    picture->sides[side].has_page = TRUE;
    picture->sides[side].page = page;
}

void tg_pair_picture_name_tone(TgPairPicture *picture, TgTone tone, const char *text)
{
    g_free(picture->tone_names[tone]);
    picture->tone_names[tone] = g_strdup(text);
}

guint tg_pair_picture_add_box(TgPairPicture *picture, TgPairSide side, TgRect box, TgTone tone,
                              const char *label)
{
    const TgPairMark mark = { box, tone, g_strdup(label), TG_NO_MARK };

    g_return_val_if_fail(tone < TG_N_TONES, TG_NO_MARK);
    g_array_append_val(picture->sides[side].marks, mark);
    return picture->sides[side].marks->len - 1;
}

guint tg_pair_picture_add_span(TgPairPicture *picture, TgPairSide side, guint32 start, guint32 end,
                               TgTone tone, const char *label)
{
    const TgDrawing *drawing = picture->sides[side].drawing;
    guint mark = TG_NO_MARK;
    TgRect box = { 0 };

    for (guint i = 0; drawing != NULL && i < drawing->n_tokens; i++) {
        const TgDrawnToken *token = &drawing->tokens[i];

        if (!token->has_ink || token->start < start || token->end > end)
            continue;
        tg_rect_join(&box, token->box, mark != TG_NO_MARK);
        if (mark == TG_NO_MARK)
            mark = tg_pair_picture_add_box(picture, side, token->box, tone, label);
        tg_pair_picture_own_token(picture, side, i, mark);
    }
    if (mark != TG_NO_MARK)
        g_array_index(picture->sides[side].marks, TgPairMark, mark).box =
            (TgRect){ box.x0 - 1, box.y0 - 1, box.x1 + 1, box.y1 + 1 };
    return mark;
}

void tg_pair_picture_own_token(TgPairPicture *picture, TgPairSide side, guint token, guint mark)
{
    const TgPairPanel *self = &picture->sides[side];

    g_return_if_fail(mark < self->marks->len);
    if (self->drawing != NULL && token < self->drawing->n_tokens)
        self->owner[token] = mark;
}

void tg_pair_picture_join(TgPairPicture *picture, guint ref_mark, guint hyp_mark)
{
    const GArray *refs = picture->sides[TG_SIDE_REF].marks;
    const GArray *hyps = picture->sides[TG_SIDE_HYP].marks;

    g_return_if_fail(ref_mark < refs->len && hyp_mark < hyps->len);
    g_array_index(refs, TgPairMark, ref_mark).partner = hyp_mark;
    g_array_index(hyps, TgPairMark, hyp_mark).partner = ref_mark;
}

guint tg_pair_picture_count(const TgPairPicture *picture, TgPairSide side, TgTone tone)
{
    const GArray *marks = picture->sides[side].marks;
    guint n = 0;

    for (guint i = 0; i < marks->len; i++)
        n += g_array_index(marks, TgPairMark, i).tone == tone;
    return n;
}

void tg_pair_picture_name_tones(TgPairPicture *picture, const char *const names[TG_N_TONES])
{
    for (guint t = 0; t < TG_N_TONES; t++)
        if (names[t] != NULL)
            tg_pair_picture_name_tone(picture, (TgTone) t, names[t]);
}

gboolean tg_pair_picture_draw(TgPairPicture *picture, TgRenderer *renderer, TgPairSide side,
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
