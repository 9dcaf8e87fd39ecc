/* What FORTE saw in a pair: as a GVariant, in words, and on the typeset formulas. */
#include "metrics/forte/forte.h"

#include <string.h>

enum { MAX_TOKENS = 14 };

/* ---- Detail --------------------------------------------------------------------------------- */

static GVariant *describe_tokens(const TgForteNames *names, const GArray *tokens)
{
    static const char letters[] = TG_FORTE_KIND_LETTERS;
    char buffer[TG_FORTE_NAME_BUFFER];
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("a(sssbuu)"));
    for (guint i = 0; i < tokens->len; i++) {
        const TgForteToken *token = tg_forte_at(tokens, i);
        const char kind[] = { letters[token->kind], '\0' };

        g_variant_builder_add(&builder, "(sssbuu)", tg_forte_names_text(names, token->name, buffer),
                              kind, tg_forte_font_name((TgForteFont) token->font),
                              (gboolean) token->upright, token->start, token->end);
    }
    return g_variant_builder_end(&builder);
}

static GVariant *describe_edits(const TgForteComparison *self)
{
    const GArray *edits = self->edits;
    g_autofree double *counted = g_new0(double, (gsize) edits->len + 1);
    g_autofree guint *runs = tg_forte_runs(edits);
    char ref_buffer[TG_FORTE_NAME_BUFFER], hyp_buffer[TG_FORTE_NAME_BUFFER];
    GVariantBuilder builder;

    tg_forte_severity(self->weights, self->ref, self->hyp, edits, counted);
    g_variant_builder_init(&builder, G_VARIANT_TYPE("a(sddssuuu)"));
    for (guint i = 0; i < edits->len; i++) {
        const TgForteEdit *edit = tg_forte_edit(edits, i);
        const char *ref = "", *hyp = "";

        if (edit->lost)
            ref = tg_forte_names_text(self->names, tg_forte_at(self->ref, edit->ref)->name,
                                      ref_buffer);
        if (edit->added)
            hyp = tg_forte_names_text(self->names, tg_forte_at(self->hyp, edit->hyp)->name,
                                      hyp_buffer);
        g_variant_builder_add(&builder, "(sddssuuu)",
                              tg_forte_edit_class_name((TgForteEditClass) edit->class), edit->cost,
                              counted[i], ref, hyp, edit->ref, edit->hyp, runs[i]);
    }
    return g_variant_builder_end(&builder);
}

/* The slip that each edit is a part of, "" for none, its parts, and what else it holds. */
static GVariant *describe_slips(const GArray *edits)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("a(suud)"));
    for (guint i = 0; i < edits->len; i++) {
        const TgForteEdit *edit = tg_forte_edit(edits, i);

        g_variant_builder_add(&builder, "(suud)", tg_forte_slip_name((TgForteSlip) edit->slip),
                              edit->parts[0], edit->parts[1], edit->rest);
    }
    return g_variant_builder_end(&builder);
}

GVariant *tg_forte_describe(const TgForteComparison *comparison, const TgForteOutcome *outcome)
{
    GVariantDict dict;

    g_variant_dict_init(&dict, NULL);
    g_variant_dict_insert(&dict, "distance", "d", outcome->distance);
    g_variant_dict_insert(&dict, "severity", "d", outcome->severity);
    g_variant_dict_insert(&dict, "size", "d", outcome->size);
    g_variant_dict_insert(&dict, "repair-cost", "d", outcome->repair_cost);
    g_variant_dict_insert(&dict, "reference", "u", outcome->ref);
    g_variant_dict_insert(&dict, "ref-repairs", "u", outcome->ref_repairs);
    g_variant_dict_insert(&dict, "hyp-repairs", "u", outcome->hyp_repairs);
    g_variant_dict_insert_value(&dict, "ref-tokens",
                                describe_tokens(comparison->names, comparison->ref));
    g_variant_dict_insert_value(&dict, "hyp-tokens",
                                describe_tokens(comparison->names, comparison->hyp));
    g_variant_dict_insert_value(&dict, "edits", describe_edits(comparison));
    g_variant_dict_insert_value(&dict, "slips", describe_slips(comparison->edits));
    return g_variant_dict_end(&dict);
}

/* ---- Runs of edits in words ----------------------------------------------------------------- */

static void append_word(GString *out, const char *word)
{
    g_string_append_printf(out, "%s%s", out->len > 0 ? " " : "", word);
}

static void append_token(GString *out, const TgForteNames *names, const TgForteToken *token)
{
    /* What a mark of structure is called; NULL: it only ends something. */
    static const char *const marks[TG_FORTE_MARKS_END - TG_FORTE_NAMES] = {
        [TG_FORTE_FRAC - TG_FORTE_NAMES] = "fraction",
        [TG_FORTE_SQRT - TG_FORTE_NAMES] = "root",
        [TG_FORTE_SUB - TG_FORTE_NAMES] = "subscript",
        [TG_FORTE_SUP - TG_FORTE_NAMES] = "superscript",
        [TG_FORTE_DEN - TG_FORTE_NAMES] = "over",
        [TG_FORTE_MAT - TG_FORTE_NAMES] = "grid",
        [TG_FORTE_NEXT_ROW - TG_FORTE_NAMES] = "row break",
        [TG_FORTE_NEXT_CELL - TG_FORTE_NAMES] = "column break",
    };
    static const char *const fonts[TG_N_FORTE_FONTS] = {
        [TG_FORTE_BOLD] = "bold",
        [TG_FORTE_BLACKBOARD] = "blackboard",
        [TG_FORTE_CALLIGRAPHIC] = "calligraphic",
        [TG_FORTE_FRAKTUR] = "fraktur",
    };
    char buffer[TG_FORTE_NAME_BUFFER];
    const char *word;

    if (token->name >= TG_FORTE_FRAC && token->name < TG_FORTE_MARKS_END) {
        word = marks[token->name - TG_FORTE_NAMES];
    } else {
        if (fonts[token->font] != NULL)
            append_word(out, fonts[token->font]);
        word = tg_forte_names_text(names, token->name, buffer);
    }
    if (word != NULL)
        append_word(out, word);
}

/* One side of a run; "" where it has nothing there. (transfer full) */
static char *side_in_words(const TgForteComparison *self, guint first, guint end, gboolean of_ref)
{
    GString *out = g_string_new(NULL);
    guint n = 0;

    for (guint i = first; i < end && n <= MAX_TOKENS; i++) {
        const TgForteEdit *edit = tg_forte_edit(self->edits, i);

        if (of_ref ? !edit->lost : !edit->added)
            continue;
        if (n++ == MAX_TOKENS)
            append_word(out, "...");
        else
            append_token(out, self->names,
                         of_ref ? tg_forte_at(self->ref, edit->ref)
                                : tg_forte_at(self->hyp, edit->hyp));
    }
    if (n > 0 && out->len == 0)
        g_string_assign(out, "end of a group");
    return g_string_free(out, FALSE);
}

static void append_range(GString *out, const TgForteComparison *self, guint32 first, guint32 n)
{
    for (guint32 i = 0; i < MIN(n, MAX_TOKENS); i++)
        append_token(out, self->names, tg_forte_at(self->ref, first + i));
    if (n > MAX_TOKENS)
        append_word(out, "...");
}

/* What was exchanged or moved; NULL: the slip has no parts. (transfer full) */
static char *parts_in_words(const TgForteComparison *self, const TgForteEdit *edit,
                            const TgForteEdit *last)
{
    const char *name = tg_forte_slip_name((TgForteSlip) edit->slip);

    switch (edit->slip) {
    case TG_FORTE_SLIP_FRACTION:
    case TG_FORTE_SLIP_SCRIPTS:
        return g_strdup(name);
    case TG_FORTE_SLIP_ROWS:
    case TG_FORTE_SLIP_COLUMNS:
        return g_strdup_printf("%s: %u and %u", name, edit->parts[0], edit->parts[1]);
    case TG_FORTE_SLIP_ROW:
        return g_strdup_printf("%s: %u to %u", name, edit->parts[0], edit->parts[1]);
    default:
        break;
    }
    if (edit->parts[0] + edit->parts[1] == 0)
        return NULL;
    g_autoptr(GString) out = g_string_new(NULL);
    append_range(out, self, edit->ref, edit->parts[0]);
    if (edit->parts[0] > 0 && edit->parts[1] > 0)
        append_word(out, "and");
    append_range(out, self, last->ref + last->lost - edit->parts[1], edit->parts[1]);
    return g_strdup_printf("%s: %s", name, out->str);
}

/* "lost superscript 2", "2 read as Z (look-alike)": one line of a bounded length. (transfer full)
 */
static char *run_in_words(const TgForteComparison *self, guint first, guint end)
{
    const TgForteEdit *edit = tg_forte_edit(self->edits, first);
    g_autofree char *ref = side_in_words(self, first, end, TRUE);
    g_autofree char *hyp = side_in_words(self, first, end, FALSE);
    char *parts = parts_in_words(self, edit, tg_forte_edit(self->edits, end - 1));

    if (parts != NULL)
        return parts;
    if (*hyp == '\0')
        return g_strconcat("lost ", ref, NULL);
    if (*ref == '\0')
        return g_strconcat("added ", hyp, NULL);
    return g_strdup_printf("%s read as %s (%s)", ref, hyp,
                           tg_forte_edit_class_name((TgForteEditClass) edit->class));
}

/* ---- Edits on the typeset formulas ---------------------------------------------------------- */

/* What a run of edits covers. */
typedef struct {
    TgTone tone;
    gboolean has[TG_N_SIDES];
    guint32 start[TG_N_SIDES], end[TG_N_SIDES]; /* bytes of the sources */
} Extent;

static TgTone tone_of(guint8 class)
{
    switch ((TgForteEditClass) class) {
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

static void extend_extent(Extent *extent, TgPairSide side, const TgForteToken *token)
{
    extent->start[side] = extent->has[side] ? MIN(extent->start[side], token->start) : token->start;
    extent->end[side] = MAX(extent->end[side], token->end);
    extent->has[side] = TRUE;
}

/* The edits @first to before @end. Ends of constructs, whose span is the whole construct, count
 * only where there is nothing else. */
static Extent extent_of(const TgForteComparison *self, guint first, guint end)
{
    Extent ends = { 0 }, others = { 0 };
    TgTone tone = TG_N_TONES;

    for (guint i = first; i < end; i++) {
        const TgForteEdit *edit = tg_forte_edit(self->edits, i);
        const TgTone own = tone_of(edit->class);

        tone = tone == TG_N_TONES || tone == own ? own : TG_TONE_BAD;
        for (TgPairSide side = TG_SIDE_TRUTH; side < TG_N_SIDES; side++) {
            if (side == TG_SIDE_TRUTH ? !edit->lost : !edit->added)
                continue;
            const TgForteToken *token = side == TG_SIDE_TRUTH ? tg_forte_at(self->ref, edit->ref)
                                                              : tg_forte_at(self->hyp, edit->hyp);
            extend_extent(token->kind == TG_FORTE_END ? &ends : &others, side, token);
        }
    }
    ends.tone = others.tone = tone;
    return others.has[TG_SIDE_TRUTH] || others.has[TG_SIDE_PREDICTION] ? others : ends;
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

gboolean tg_forte_show(TgPairPicture *picture, TgRenderer *renderer, const char *ref,
                       const char *hyp, const TgForteComparison *comparison,
                       const TgForteOutcome *outcome, GError **error)
{
    static const char *const tones[TG_N_TONES] = {
        [TG_TONE_BAD] = "wrong, lost or added",
        [TG_TONE_MINOR] = "looks much the same",
        [TG_TONE_STRUCTURE] = "structure",
    };
    g_autofree guint *runs = tg_forte_runs(comparison->edits);
    g_autofree char *title = g_strdup_printf("FORTE %.3f", outcome->score);
    g_autofree char *of_ref = g_strdup_printf("size %.1f", outcome->size);
    g_autofree char *of_hyp = g_strdup_printf("errors %.1f", outcome->severity);

    if (!draw_side(picture, renderer, TG_SIDE_TRUTH, ref, of_ref, error) ||
        !draw_side(picture, renderer, TG_SIDE_PREDICTION, hyp, of_hyp, error))
        return FALSE;
    tg_pair_picture_set_title(picture, title);
    for (guint i = 0, end; i < comparison->edits->len; i = end) {
        for (end = i + 1; end < comparison->edits->len && runs[end] == runs[i];)
            end++;
        const Extent extent = extent_of(comparison, i, end);
        g_autofree char *words = run_in_words(comparison, i, end);

        mark_extent(picture, &extent, runs[i] + 1, words);
    }
    /* The legend lists the tones that occur. */
    for (guint t = 0; t < TG_N_TONES; t++) {
        if (tones[t] != NULL &&
            (tg_pair_picture_count(picture, TG_SIDE_TRUTH, (TgTone) t) > 0 ||
             tg_pair_picture_count(picture, TG_SIDE_PREDICTION, (TgTone) t) > 0))
            tg_pair_picture_name_tone(picture, (TgTone) t, tones[t]);
    }
    return TRUE;
}
