/* The events that FORTE finds in a pair: as a GVariant, in words, and on the typeset formulas. */
#include "metrics/forte/forte.h"

#include <string.h>

#include "render/pictures/pair_picture.h"

enum { MAX_TOKENS = 14 };

/* ---- Detail --------------------------------------------------------------------------------- */

static GVariant *describe_tokens(const TgVocab *names, const GArray *tokens)
{
    static const char letters[] = TG_FORTE_KIND_LETTERS;
    char buffer[TG_FORTE_NAME_BUFFER];
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("a(sssbuu)"));
    for (guint i = 0; i < tokens->len; i++) {
        const TgForteToken *token = tg_forte_at(tokens, i);
        const char kind[] = { letters[token->kind], '\0' };

        g_variant_builder_add(&builder, "(sssbuu)", tg_forte_name_text(names, token->name, buffer),
                              kind, tg_forte_font_names[token->font], (gboolean) token->upright,
                              token->start, token->end);
    }
    return g_variant_builder_end(&builder);
}

static GVariant *describe_edits(const TgForteComparison *self)
{
    const GArray *edits = self->edits;
    char buffers[TG_N_SIDES][TG_FORTE_NAME_BUFFER];
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("a(udssuu)"));
    for (guint i = 0; i < edits->len; i++) {
        const TgForteEdit *edit = tg_forte_edit(edits, i);
        const char *names[TG_N_SIDES] = { "", "" };

        for (guint s = 0; s < TG_N_SIDES; s++) {
            const TgForteToken *token = tg_forte_edited(self, edit, s);
            if (token != NULL)
                names[s] = tg_forte_name_text(self->names, token->name, buffers[s]);
        }
        g_variant_builder_add(&builder, "(udssuu)", edit->event, edit->cost, names[TG_SIDE_REF],
                              names[TG_SIDE_HYP], edit->ref, edit->hyp);
    }
    return g_variant_builder_end(&builder);
}

/* The type, class, price, symbols and names of contexts of each event. */
static GVariant *describe_events(const TgForteComparison *self)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("a(ssddas)"));
    for (guint e = 0; e < self->events->len; e++) {
        const TgForteEvent *event = tg_forte_event(self->events, e);
        const TgForteTypeRow *type = &tg_forte_tables.types[event->type];

        const char *contexts[TG_N_FORTE_CONTEXTS + 1] = { NULL };
        guint n = 0;

        for (guint c = 0; c < TG_N_FORTE_CONTEXTS; c++) {
            if ((event->contexts >> c & 1) != 0)
                contexts[n++] = tg_forte_tables.contexts[c].name;
        }
        g_variant_builder_add(&builder, "(ssdd^as)", type->name,
                              tg_forte_tables.classes[type->class].name,
                              tg_forte_price(event, self->profile, NULL, NULL), event->n, contexts);
    }
    return g_variant_builder_end(&builder);
}

GVariant *tg_forte_describe(const TgForteComparison *self)
{
    GVariantDict dict;

    g_variant_dict_init(&dict, NULL);
    g_variant_dict_insert(&dict, "price", "d", self->sums.price);
    g_variant_dict_insert(&dict, "size", "d", self->sums.size);
    g_variant_dict_insert(&dict, "symbols", "u", self->sums.n_symbols);
    g_variant_dict_insert(&dict, "unread", "u", self->sums.n_unread);
    g_variant_dict_insert(&dict, "weight", "d", self->sums.weight);
    g_variant_dict_insert(&dict, "foreign", "d", self->sums.foreign);
    g_variant_dict_insert(&dict, "reference", "u", self->reference);
    g_variant_dict_insert(&dict, "ref-repairs", "u", self->ref_repairs);
    g_variant_dict_insert(&dict, "hyp-repairs", "u", self->hyp_repairs);
    g_variant_dict_insert_value(&dict, "ref-tokens", describe_tokens(self->names, self->ref));
    g_variant_dict_insert_value(&dict, "hyp-tokens", describe_tokens(self->names, self->hyp));
    g_variant_dict_insert_value(&dict, "edits", describe_edits(self));
    g_variant_dict_insert_value(&dict, "events", describe_events(self));
    return g_variant_dict_end(&dict);
}

/* ---- Events in words ----------------------------------------------------------------- */

/* The symbols of one side of an event, with spaces between; the structure is told by the event's
 * type. (transfer full) */
static char *side_in_words(const TgForteComparison *self, guint number, TgPairSide side)
{
    GString *out = g_string_new(NULL);
    guint n = 0;

    for (guint i = 0; i < self->edits->len && n <= MAX_TOKENS; i++) {
        const TgForteEdit *edit = tg_forte_edit(self->edits, i);
        char buffer[TG_FORTE_NAME_BUFFER];
        const TgForteToken *token = tg_forte_edited(self, edit, side);

        if (edit->event != number || token == NULL || tg_forte_is_mark(token->name))
            continue;
        g_string_append_printf(
            out, "%s%s", n > 0 ? " " : "",
            n == MAX_TOKENS ? "..." : tg_forte_name_text(self->names, token->name, buffer));
        n++;
    }
    return g_string_free(out, FALSE);
}

/* An event in words, as "lost superscript 2 (superscript lost or added)". */
static char *event_in_words(const TgForteComparison *self, guint number)
{
    const TgForteEvent *event = tg_forte_event(self->events, number - 1);
    const char *name = tg_forte_tables.types[event->type].text;
    g_autofree char *ref = side_in_words(self, number, TG_SIDE_REF);
    g_autofree char *hyp = side_in_words(self, number, TG_SIDE_HYP);

    if (event->parts[1] > 0)
        return g_strdup_printf("%s: %u to %u", name, event->parts[0], event->parts[1]);
    if (event->n_edits == 0 || strcmp(ref, hyp) == 0)
        return g_strconcat(name, *ref != '\0' ? ": " : "", ref, NULL);
    if (*hyp == '\0')
        return g_strdup_printf("lost %s (%s)", ref, name);
    if (*ref == '\0')
        return g_strdup_printf("added %s (%s)", hyp, name);
    return g_strdup_printf("%s read as %s (%s)", ref, hyp, name);
}

/* ---- Edits on the typeset formulas ---------------------------------------------------------- */

/* The parts of both formulas that an event covers. */
typedef struct {
    TgTone tone;
    gboolean has[TG_N_SIDES];
    guint32 start[TG_N_SIDES], end[TG_N_SIDES]; /* bytes of the sources */
} Extent;

static TgTone tone_of(const TgForteEvent *event)
{
    switch ((TgForteClass) tg_forte_tables.types[event->type].class) {
    case TG_FORTE_CLASS_LOOK_ALIKE:
    case TG_FORTE_CLASS_VARIANT:
    case TG_FORTE_CLASS_PUNCTUATION:
    case TG_FORTE_CLASS_STYLE:
    case TG_FORTE_CLASS_PAGE:
        return TG_TONE_MINOR;
    case TG_FORTE_CLASS_STRUCTURE:
    case TG_FORTE_CLASS_SCRIPT:
    case TG_FORTE_CLASS_MARK:
        return TG_TONE_STRUCTURE;
    default:
        return TG_TONE_BAD;
    }
}

/* The extent of an event. Ends of constructs have the span of the whole construct, so that they
 * count only if the event has no other tokens. */
static Extent extent_of(const TgForteComparison *self, guint number)
{
    Extent ends = { 0 }, others = { 0 };

    for (guint i = 0; i < self->edits->len; i++) {
        const TgForteEdit *edit = tg_forte_edit(self->edits, i);

        for (TgPairSide side = TG_SIDE_REF; edit->event == number && side < TG_N_SIDES; side++) {
            const TgForteToken *token = tg_forte_edited(self, edit, side);
            if (token == NULL)
                continue;
            Extent *extent = token->kind == TG_FORTE_END ? &ends : &others;
            extent->start[side] =
                extent->has[side] ? MIN(extent->start[side], token->start) : token->start;
            extent->end[side] = MAX(extent->end[side], token->end);
            extent->has[side] = TRUE;
        }
    }
    ends.tone = others.tone = tone_of(tg_forte_event(self->events, number - 1));
    return others.has[TG_SIDE_REF] || others.has[TG_SIDE_HYP] ? others : ends;
}

/* Mark an event on the formulas and describe it in the list. */
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

gboolean tg_forte_show(TgPairPicture *picture, TgRenderer *renderer, const char *ref,
                       const char *hyp, const TgForteComparison *self, GError **error)
{
    static const char *const tones[TG_N_TONES] = {
        [TG_TONE_BAD] = "wrong, lost or added",
        [TG_TONE_MINOR] = "looks much the same",
        [TG_TONE_STRUCTURE] = "structure",
    };
    g_autofree char *title = g_strdup_printf("FORTE %.3f", self->score);
    g_autofree char *of_ref = g_strdup_printf("size %.1f", self->sums.size);
    g_autofree char *of_hyp = g_strdup_printf("price %.1f", self->sums.price);

    if (!tg_pair_picture_draw(picture, renderer, TG_SIDE_REF, ref, of_ref, error) ||
        !tg_pair_picture_draw(picture, renderer, TG_SIDE_HYP, hyp, of_hyp, error))
        return FALSE;
    tg_pair_picture_set_title(picture, title);
    for (guint number = 1; number <= self->events->len; number++) {
        const Extent extent = extent_of(self, number);
        g_autofree char *words = event_in_words(self, number);

        mark_extent(picture, &extent, number, words);
    }
    tg_pair_picture_name_tones(picture, tones);
    return TRUE;
}
