/*
 * Laws of FORTE, on thousands of pairs made by chance and of real ones: who reads less, adds or
 * says again never scores more. Predictions are changed as lists of tokens: a part is a run of
 * symbols and whole constructs.
 */
#include "tests/support/metric_support.h"

#include "metrics/forte/forte.h"
#include "tests/support/cpu_time.h"

typedef enum {
    LAW_PART,
    LAW_UNREAD,
    LAW_GROWING,
    LAW_AGAIN,
    LAW_LOOP,
    LAW_PREFIX,
    LAW_LONE,
    N_LAWS
} Law;

static const char *const laws[N_LAWS] = {
    [LAW_PART] = "without a correct part it has more",
    [LAW_UNREAD] = "with unread text it has more",
    [LAW_GROWING] = "with longer unread text it has more",
    [LAW_AGAIN] = "said again it has more",
    [LAW_LOOP] = "the reference 500 times has more than .002",
    [LAW_PREFIX] = "a longer beginning has no more",
    [LAW_LONE] = "a lone symbol has more",
};

/* A pair as two lists, and what their comparison gives. */
typedef struct {
    TgVocab *names;
    GArray *ref, *hyp; /* of TgForteToken */
    GArray *compared;  /* copy of a prediction, whose loop is cut */
    TgForteComparison comparison;
    GRand *random;
    guint n_tried[N_LAWS], n_broken[N_LAWS];
    const char *id;
} Laws;

static void laws_clear(Laws *self)
{
    g_array_unref(self->ref);
    g_array_unref(self->hyp);
    g_array_unref(self->compared);
    g_array_unref(self->comparison.edits);
    g_array_unref(self->comparison.events);
    g_rand_free(self->random);
    tg_vocab_free(self->names);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Laws, laws_clear)

static Laws laws_new(void)
{
    return (Laws){
        .names = tg_vocab_new(),
        .ref = g_array_new(FALSE, FALSE, sizeof(TgForteToken)),
        .hyp = g_array_new(FALSE, FALSE, sizeof(TgForteToken)),
        .compared = g_array_new(FALSE, FALSE, sizeof(TgForteToken)),
        .comparison = { .edits = g_array_new(FALSE, FALSE, sizeof(TgForteEdit)),
                        .events = g_array_new(FALSE, FALSE, sizeof(TgForteEvent)) },
        .random = g_rand_new_with_seed(20260101),
    };
}

/* FORTE of two lists, with the edits in self->comparison. */
static double score_lists(Laws *self, GArray *ref, GArray *hyp)
{
    self->comparison.names = self->names;
    g_array_set_size(self->compared, 0);
    g_array_append_vals(self->compared, hyp->data, hyp->len);
    self->comparison.ref = ref;
    self->comparison.hyp = self->compared;
    tg_must(tg_forte_compare(&self->comparison, &error));
    return self->comparison.score;
}

static void read_list(Laws *self, const char *tex, GArray *out)
{
    TgForteReading reading;

    tg_must(tg_forte_read(self->names, tex, TG_PACKAGES_PRESET, out, &reading, &error));
}

/* The list without the tokens from @begin to before @end, or with those of @piece in their place.
 */
static GArray *change_list(const GArray *tokens, guint32 begin, guint32 end, const GArray *piece)
{
    GArray *out = g_array_copy((GArray *) tokens);

    g_array_remove_range(out, begin, end - begin);
    if (piece != NULL)
        g_array_insert_vals(out, begin, piece->data, piece->len);
    return out;
}

/* The end of the symbol or whole construct at @i, with the scripts and accents after it; 0: it ends
 * a construct. */
static guint32 end_of_part(const GArray *tokens, guint32 i)
{
    guint depth = 0;

    for (guint32 k = i; k < tokens->len; k++) {
        const TgForteToken *token = tg_forte_at(tokens, k);

        if (depth == 0 && !tg_forte_begins(token) && !tg_forte_is_symbol(token))
            return 0;
        depth += tg_forte_begins(token);
        if (tg_forte_ends(token) && depth-- == 0)
            return 0;
        if (depth > 0 || (token->upright && k + 1 < tokens->len && token[1].upright))
            continue; /* a word is one part */
        for (k++; k < tokens->len && tg_forte_at(tokens, k)->kind == TG_FORTE_ACCENT;)
            k++;
        if (k == tokens->len || tg_forte_at(tokens, k)->kind != TG_FORTE_SCRIPT)
            return k;
        k--; /* its script belongs to it */
    }
    return 0;
}

/* A run of parts that begins at @i, up to @most; 0 if there is none, or nothing would be left of
 * the construct around it. */
static guint32 end_of_run(const GArray *tokens, guint32 i, guint most)
{
    guint32 end = i;

    if (tg_forte_at(tokens, i)->kind == TG_FORTE_SCRIPT ||
        tg_forte_at(tokens, i)->kind == TG_FORTE_ACCENT ||
        (i > 0 && tg_forte_at(tokens, i)->upright && tg_forte_at(tokens, i - 1)->upright))
        return 0;
    for (guint n = 0; n < most && end < tokens->len; n++) {
        const guint32 next = end_of_part(tokens, end);

        if (next == 0)
            break;
        end = next;
    }
    if (end == i)
        return 0;
    const gboolean opened = i > 0 && !tg_forte_is_symbol(tg_forte_at(tokens, i - 1)) &&
                            tg_forte_at(tokens, i - 1)->kind != TG_FORTE_ACCENT &&
                            !tg_forte_ends(tg_forte_at(tokens, i - 1));
    const gboolean closed = end < tokens->len && !tg_forte_is_symbol(tg_forte_at(tokens, end)) &&
                            !tg_forte_begins(tg_forte_at(tokens, end));
    return (opened && closed) ||
                   (end < tokens->len && tg_forte_at(tokens, end)->kind == TG_FORTE_ACCENT)
               ? 0
               : end;
}

/* Whether the latest comparison has no edit in or beside tokens @begin to before @end of the
 * prediction, and no construct around them is lost, added or ends elsewhere. */
static gboolean is_correct(const Laws *self, guint32 begin, guint32 end)
{
    const GArray *edits = self->comparison.edits;

    for (guint e = 0; e < edits->len; e++) {
        const TgForteEdit *edit = tg_forte_edit(edits, e);
        const TgForteToken *token = edit->lost ? tg_forte_at(self->comparison.ref, edit->ref)
                                               : tg_forte_at(self->comparison.hyp, edit->hyp);

        if (edit->hyp >= begin && edit->hyp < end + !edit->added)
            return FALSE;
        if (!tg_forte_is_symbol(token))
            return FALSE;
    }
    return TRUE;
}

static void show_list(const Laws *self, const char *name, const GArray *tokens, GString *out)
{
    char buffer[TG_FORTE_NAME_BUFFER];

    g_string_append_printf(out, "\n  %s", name);
    for (guint32 i = 0; i < tokens->len; i++)
        g_string_append_printf(
            out, " %s", tg_forte_name_text(self->names, tg_forte_at(tokens, i)->name, buffer));
}

static void count_try(Laws *self, Law law, gboolean holds, double before, double score,
                      const GArray *old, const GArray *changed)
{
    self->n_tried[law]++;
    if (holds)
        return;
    g_autoptr(GString) words = g_string_new(NULL);
    self->n_broken[law]++;
    show_list(self, "reference ", self->ref, words);
    show_list(self, "before    ", old, words);
    show_list(self, "changed   ", changed, words);
    print_message("%s: %s: %.4f, then %.4f%s\n", self->id, laws[law], before, score, words->str);
}

static void check_no_more(Laws *self, Law law, double before, GArray *changed)
{
    const double score = score_lists(self, self->ref, changed);

    count_try(self, law, score <= before + 1e-12, before, score, self->hyp, changed);
}

/* Takes out correct parts of the prediction, @n of them. */
static void check_parts(Laws *self, guint n)
{
    const double before = score_lists(self, self->ref, self->hyp);
    const guint32 unread = self->comparison.sums.n_unread;
    g_autoptr(GArray) edits = g_array_copy(self->comparison.edits);
    GArray *own = self->comparison.edits;

    for (guint k = 0; k < n && self->hyp->len > 1; k++) {
        const guint32 i = g_rand_int_range(self->random, 0, (gint32) self->hyp->len);
        const guint32 end = end_of_run(self->hyp, i, 1u << g_rand_int_range(self->random, 0, 5));

        self->comparison.edits = edits;
        self->comparison.hyp = self->hyp;
        const gboolean correct = end > i && is_correct(self, i, end);
        self->comparison.edits = own;
        if (!correct)
            continue;
        g_autoptr(GArray) less = change_list(self->hyp, i, end, NULL);
        score_lists(self, self->ref, less);
        if (self->comparison.sums.n_unread > unread) /* else something wrong stands in its place */
            check_no_more(self, LAW_PART, before, less);
    }
}

/* Adds what stands nowhere in the reference. */
static void check_unread_text(Laws *self, guint n)
{
    static const char *const pieces[] = { "\\aleph",
                                          "\\aleph\\beth",
                                          "\\text{жщю эщж юж}",
                                          "\\frac{\\aleph}{\\beth}",
                                          "\\gimel^{\\daleth}",
                                          "\\aleph\\beth\\gimel\\daleth\\wp\\Finv\\Game\\eth" };
    const double before = score_lists(self, self->ref, self->hyp);

    for (guint k = 0; k < n; k++) {
        g_autoptr(GArray) piece = g_array_new(FALSE, FALSE, sizeof(TgForteToken));
        guint32 i = g_rand_int_range(self->random, 0, (gint32) self->hyp->len + 1);

        read_list(self, pieces[g_rand_int_range(self->random, 0, G_N_ELEMENTS(pieces))], piece);
        if (k % 2 == 0 || (i < self->hyp->len && end_of_run(self->hyp, i, 1) == 0))
            i = self->hyp->len;
        g_autoptr(GArray) more = change_list(self->hyp, i, i, piece);
        check_no_more(self, LAW_UNREAD, before, more);
    }
}

/* Unread text at the end that grows. */
static void check_growing_text(Laws *self)
{
    static const char letters[] = "\\aleph\\beth\\gimel\\daleth\\wp\\Finv\\Game\\eth";
    g_autoptr(GArray) piece = g_array_new(FALSE, FALSE, sizeof(TgForteToken));
    g_autoptr(GArray) more = g_array_copy(self->hyp);
    double last = score_lists(self, self->ref, self->hyp);

    read_list(self, letters, piece);
    for (guint n = 1, has = 0; n <= 32; n *= 2) {
        for (; has < n; has++)
            g_array_append_vals(more, piece->data, piece->len);
        check_no_more(self, LAW_GROWING, last, more);
        last = self->comparison.score;
    }
}

/* @tokens @n times. */
static GArray *repeat_list(const GArray *tokens, guint n)
{
    GArray *out = g_array_new(FALSE, FALSE, sizeof(TgForteToken));

    for (guint k = 0; k < n; k++)
        g_array_append_vals(out, tokens->data, tokens->len);
    return out;
}

static void check_repeats(Laws *self)
{
    static const guint times[] = { 2, 3, 5, 20 };
    double last = score_lists(self, self->ref, self->hyp);
    guint32 unread = self->comparison.sums.n_unread;

    for (guint k = 0; k < G_N_ELEMENTS(times); k++) {
        g_autoptr(GArray) more = repeat_list(self->hyp, times[k]);

        score_lists(self, self->ref, more);
        if (self->comparison.sums.n_unread >= unread) /* else it reads more by that */
            check_no_more(self, LAW_AGAIN, last, more);
        last = self->comparison.score;
        unread = self->comparison.sums.n_unread;
    }
}

/* However short or long the reference is. */
static void check_loop(Laws *self)
{
    g_autoptr(GArray) loop = repeat_list(self->ref, 500);

    if (tg_forte_measure(self->ref).n_symbols > 0)
        check_no_more(self, LAW_LOOP, 0.002, loop);
}

/* Beginnings of the reference itself: the longer one scores more. */
static void check_prefixes(Laws *self)
{
    double last = -1;
    guint32 end = 0, n_symbols = 0;

    while (end < self->ref->len) {
        const guint32 next = end_of_part(self->ref, end);

        end = next > 0 ? next : end + 1; /* a row break */
        g_autoptr(GArray) prefix = change_list(self->ref, end, self->ref->len, NULL);
        tg_forte_end_row(prefix, 0);
        const guint32 symbols = tg_forte_measure(prefix).n_symbols;
        if (next == 0 || symbols == n_symbols)
            continue;
        const double score = score_lists(self, self->ref, prefix);
        count_try(self, LAW_PREFIX, score > last, last, score, prefix, prefix);
        last = score;
        n_symbols = symbols;
    }
}

/* One symbol against the prediction, which reads more. */
static void check_lone_symbols(Laws *self)
{
    const double score = score_lists(self, self->ref, self->hyp);
    const guint32 read = self->comparison.sums.n_symbols - self->comparison.sums.n_unread;

    for (guint32 i = 0; i < self->ref->len && read >= 2; i++) {
        g_autoptr(GArray) lone = g_array_new(FALSE, FALSE, sizeof(TgForteToken));

        if (!tg_forte_is_symbol(tg_forte_at(self->ref, i)))
            continue;
        g_array_append_vals(lone, tg_forte_at(self->ref, i), 1);
        check_no_more(self, LAW_LONE, score, lone);
    }
}

static void check_pair(Laws *self, const char *id)
{
    self->id = id;
    if (self->ref->len == 0 || self->hyp->len == 0)
        return;
    check_parts(self, 12);
    check_unread_text(self, 6);
    check_growing_text(self);
    check_repeats(self);
    check_loop(self);
    check_prefixes(self);
    check_lone_symbols(self);
}

/* ---- Pairs ---------------------------------------------------------------------------------- */

/* A term of @depth levels of constructs at most. */
static void write_term(GRand *random, GString *out, guint depth)
{
    static const char *const atoms[] = { "a",  "b",       "x",           "y",       "n",
                                         "1",  "23",      "\\alpha",     "\\theta", "f(x)",
                                         "-1", "\\sin t", "\\mathbf{v}", "\\hat{p}" };

    switch (g_rand_int_range(random, 0, depth > 0 ? 8 : 3)) {
    case 3:
        g_string_append(out, "\\frac{");
        write_term(random, out, depth - 1);
        g_string_append(out, "}{");
        write_term(random, out, depth - 1);
        g_string_append(out, "}");
        break;
    case 4:
        g_string_append(out, "\\sqrt{");
        write_term(random, out, depth - 1);
        g_string_append(out, "}");
        break;
    case 5:
    case 6:
        g_string_append(out, g_rand_boolean(random) ? "x^{" : "y_{");
        write_term(random, out, depth - 1);
        g_string_append(out, "}");
        break;
    case 7:
        g_string_append(out, "(");
        write_term(random, out, depth - 1);
        g_string_append(out, "+");
        write_term(random, out, depth - 1);
        g_string_append(out, ")");
        break;
    default:
        g_string_append(out, atoms[g_rand_int_range(random, 0, G_N_ELEMENTS(atoms))]);
        break;
    }
    g_string_append_c(out, ' ');
}

static void write_formula(GRand *random, GString *out)
{
    static const char *const signs[] = { "+", "-", "=", "\\cdot ", ",", "\\leq ", "" };
    const gint n = 1 << g_rand_int_range(random, 0, 5);

    for (gint i = 0; i < n; i++) {
        if (i > 0)
            g_string_append(out, signs[g_rand_int_range(random, 0, G_N_ELEMENTS(signs))]);
        write_term(random, out, 2);
    }
}

/* Some parts of @tokens lost, and some read as another. */
static void make_errors(Laws *self, GArray *tokens)
{
    const gint n = g_rand_int_range(self->random, 0, 6);

    for (gint k = 0; k < n && tokens->len > 2; k++) {
        const guint32 i = g_rand_int_range(self->random, 0, (gint32) tokens->len);
        const guint32 end = end_of_run(tokens, i, g_rand_boolean(self->random) ? 1 : 5);
        TgForteToken *token = tg_forte_at(tokens, i);
        const TgForteToken *other =
            tg_forte_at(tokens, g_rand_int_range(self->random, 0, (gint32) tokens->len));

        if (g_rand_boolean(self->random) && end > i)
            g_array_remove_range(tokens, i, end - i);
        else if (tg_forte_is_operand(token) && tg_forte_is_operand(other))
            *token = *other;
    }
}

/* Where the change lets other tokens be aligned, at the same cost, the events may be others: of a
 * hundred changes one at most. No loop is above its floor, no lone symbol ever has more. */
static void assert_laws_hold(const Laws *self)
{
    for (Law law = 0; law < N_LAWS; law++) {
        print_message("%s: %u of %u\n", laws[law], self->n_broken[law], self->n_tried[law]);
        assert_true(self->n_tried[law] > 800 / TG_SHORTENING);
        assert_true(100 * self->n_broken[law] <= self->n_tried[law]);
    }
    assert_int_equal(self->n_broken[LAW_LOOP], 0);
    assert_int_equal(self->n_broken[LAW_LONE], 0);
}

TEST(test_forte_laws__hold_for_formulas_made_by_chance)
{
    g_auto(Laws) pair = laws_new();

    for (guint i = 0; i < TG_SHORTENED(2000u); i++) {
        g_autoptr(GString) tex = g_string_new(NULL);
        g_autofree char *id = g_strdup_printf("made %u", i);

        write_formula(pair.random, tex);
        read_list(&pair, tex->str, pair.ref);
        read_list(&pair, tex->str, pair.hyp);
        make_errors(&pair, pair.hyp);
        check_pair(&pair, id);
    }
    assert_laws_hold(&pair);
}

TEST(test_forte_laws__hold_for_rated_pairs)
{
    json_auto_t *rows = tg_golden_shared("ratings/rated.jsonl");
    g_auto(Laws) pair = laws_new();

    tg_golden_each(row, rows)
    {
        read_list(&pair, json_string_value(json_object_get(row, "gt")), pair.ref);
        read_list(&pair, json_string_value(json_object_get(row, "pred")), pair.hyp);
        check_pair(&pair, json_string_value(json_object_get(row, "id")));
    }
    assert_laws_hold(&pair);
}
