/* FORTE's tables against its specification, row by row
 * (tests/tools/make_forte_golden.py). */
#include "tests/support/golden_rows.h"
#include "tests/support/metric_support.h"

#include "metrics/forte/forte.h"

enum { WHAT, WRITTEN, MEANING, N_FIELDS };

static TgForteName name_of(const char *text)
{
    return tg_forte_find(text, strlen(text));
}

/* Names as the golden rows have them, with a space between; NULL for no spelling. */
static char *spelling_text(const TgForteSpelling *spelling)
{
    g_autoptr(TgVocab) names = tg_vocab_new();
    GString *text = g_string_new(NULL);

    for (guint i = 0; spelling != NULL && i < spelling->n; i++) {
        char buffer[TG_FORTE_NAME_BUFFER];
        g_string_append_printf(text, "%s%s", i > 0 ? " " : "",
                               tg_forte_name_text(names, spelling->names[i], buffer));
    }
    return g_string_free(text, FALSE);
}

/* Spells a command out: "s i n". */
static char *letters(const char *command)
{
    GString *text = g_string_new(NULL);

    for (const char *at = command; *at != '\0'; at++)
        g_string_append_printf(text, "%s%c", at > command ? " " : "", *at);
    return g_string_free(text, FALSE);
}

static void check_spelling(char **row)
{
    const char *written = row[WRITTEN];
    const TgForteSpelling *spelling = written[0] == '\\' && written[1] != '\0'
                                          ? tg_forte_command(written + 1, strlen(written + 1))
                                          : tg_forte_character(g_utf8_get_char(written));
    const gboolean function = strcmp(row[WHAT], "function") == 0;
    g_autofree char *ours = spelling_text(spelling);
    g_autofree char *wanted = function ? letters(written + 1) : g_strdup(row[MEANING]);

    if (strcmp(ours, wanted) != 0)
        fail_msg("%s is written '%s', not '%s'", written, ours, wanted);
    assert_int_equal(spelling->function, function);
    assert_int_equal(spelling->blackboard, strcmp(row[WHAT], "blackboard") == 0);
}

static void check_row(char **row)
{
    const char *what = row[WHAT], *written = row[WRITTEN], *meaning = row[MEANING];
    const TgForteName name = name_of(written), other = name_of(meaning);
    gboolean same;

    if (strcmp(what, "kind") == 0)
        same = TG_FORTE_KIND_LETTERS[tg_forte_kind(name)] == meaning[0];
    else if (strcmp(what, "accent") == 0)
        same = tg_forte_accent(written + 1) == other;
    else if (strcmp(what, "mark") == 0)
        same = tg_forte_map(&tg_forte_tables.marks,
                            (gunichar) g_ascii_strtoull(written + strlen("U+"), NULL, 16)) == other;
    else if (strcmp(what, "over") == 0)
        same = tg_forte_map(&tg_forte_tables.overs, name) == other;
    else if (strcmp(what, "not") == 0)
        same = tg_forte_map(&tg_forte_tables.negations, name) == other;
    else if (strcmp(what, "variant") == 0)
        same = tg_forte_pair(name, other).likeness == TG_FORTE_VARIANT;
    else if (strcmp(what, "look-alike") == 0)
        same = tg_forte_pair(name, other).likeness == TG_FORTE_LOOK_ALIKE;
    else {
        check_spelling(row);
        return;
    }
    if (name == 0 && strcmp(what, "accent") != 0 && strcmp(what, "mark") != 0)
        fail_msg("%s %s: no such name", what, written);
    if (!same)
        fail_msg("%s of %s is not %s", what, written, meaning);
}

TEST(test_forte_tables__are_those_of_the_specification)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("forte_tables.tsv", N_FIELDS);

    for (guint i = 0; i < rows->len; i++)
        check_row(g_ptr_array_index(rows, i));
    assert_true(rows->len >= 850);
}

static void remember(GHashTable *set, const char *what, const char *one, const char *other)
{
    g_hash_table_add(set, g_strdup_printf("%s\t%s\t%s", what, one, other));
}

/* Nothing is paired, merged or given a kind that the specification does not name. */
TEST(test_forte_tables__have_nothing_else)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("forte_tables.tsv", N_FIELDS);
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    guint n;
    const TgSymbol *list = tg_symbol_list(&n);

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        remember(known, row[WHAT], row[WRITTEN], row[MEANING]);
        remember(known, row[WHAT], row[MEANING], row[WRITTEN]);
        remember(known, "written", row[WRITTEN], "");
        if (strcmp(row[WHAT], "kind") == 0 || strcmp(row[WHAT], "variant") == 0 ||
            strcmp(row[WHAT], "look-alike") == 0)
            g_hash_table_add(names, g_strdup(row[WRITTEN]));
    }
    g_autofree const char **all = (const char **) g_hash_table_get_keys_as_array(names, NULL);
    for (const char **a = all; *a != NULL; a++) {
        for (const char **b = a + 1; *b != NULL; b++) {
            const TgForteLikeness pair = tg_forte_pair(name_of(*a), name_of(*b)).likeness;
            g_autofree char *key = g_strdup_printf(
                "%s\t%s\t%s", pair == TG_FORTE_VARIANT ? "variant" : "look-alike", *a, *b);
            if (pair != TG_FORTE_UNLIKE && !g_hash_table_contains(known, key))
                fail_msg("%s and %s are a pair", *a, *b);
        }
    }
    for (guint i = 0; i < n; i++) {
        g_autofree char *command = g_strconcat("\\", list[i].name, NULL);
        g_autofree char *key = g_strdup_printf("written\t%s\t", command);
        g_autofree char *ours = spelling_text(tg_forte_symbol(&list[i]));
        const TgForteKind kind = tg_forte_kind(name_of(list[i].name));
        g_autofree char *kind_key =
            g_strdup_printf("kind\t%s\t%c", list[i].name, TG_FORTE_KIND_LETTERS[kind]);

        if (!g_hash_table_contains(known, key) && strcmp(ours, list[i].name) != 0)
            fail_msg("%s is written '%s'", command, ours);
        if (strchr("GORBZX", TG_FORTE_KIND_LETTERS[kind]) != NULL &&
            !g_hash_table_contains(known, kind_key))
            fail_msg("%s is of kind %c", list[i].name, TG_FORTE_KIND_LETTERS[kind]);
    }
}

/* Costs of single edits in the alignment, by sections b.4 and b.5 of the specification. */
TEST(test_forte_tables__costs)
{
    static const struct {
        const char *truth, *prediction;
        double cost;
    } rows[] = {
        { "ab", "a", 1 },
        { "x'", "x", 0.7 },
        { "a\\dots b", "ab", 0.7 },
        { "\\hat{x}", "x", 0.9 },
        { "(x", "x", 0.6 },
        { "a,b", "ab", 0.4 },
        { "\\frac{a}{b}", "ab", 1 + 0.3 + 0.3 }, /* FRAC, den, end */
        { "x_a", "xa", 0.6 + 0.3 },              /* _( and ) */
        { "\\begin{pmatrix}a\\end{pmatrix}", "(a)", 0.5 + 0.3 },
        { "a\\\\b", "ab", 0.5 },
        { "\\begin{pmatrix}a&b\\end{pmatrix}", "\\begin{pmatrix}ab\\end{pmatrix}", 0.1 },
        { "\\mathbf{x}", "x", 0.12 },
        { "\\mathcal{x}", "\\mathfrak{x}", 0.35 }, /* 0.15 in the specification */
        { "\\mathbb{x}", "x", 0.35 },
        { "\\epsilon", "\\varepsilon", 0.25 },
        { "\\hat{x}", "\\bar{x}", 0.7 },
        { "\\frac{a}{b}", "a/b", 1 + 0.3 + 0.3 },
        { "x_a", "x^a", 0.8 },
        { "\\begin{pmatrix}a&b\\end{pmatrix}", "\\begin{pmatrix}a\\\\b\\end{pmatrix}", 0.5 },
        { "\\frac{a}{b}", "\\sqrt[a]{b}", 1.2 + 0.3 },
        { "x", "\\times", 0.5 },
        { "a", "A", 0.5 },
        { "a,b", "a;b", 0.3 },
        { "(x", "[x", 0.7 },
        { "\\vdots", "\\dots", 0.25 }, /* 0.3 in the specification */
        { "1", "2", 1.6 },             /* 1.2 in the specification */
        { "a", "b", 1 },
        { "a", "\\lambda", 1.15 },
        { "+", "-", 1.2 },
        { "a", "+", 1.3 },
        { "a", "4", 1.6 }, /* 1.3 in the specification */
        { "+", "4", 1.6 },
        { "n", "\\pi", 1.6 }, /* 1.15 */
    };
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        test_scorer_add(&scorer, rows[i].truth, rows[i].prediction);
        const GArray *edits = tg_forte_last_comparison(scorer.env)->edits;
        double ours = 0;
        for (guint e = 0; e < edits->len; e++)
            ours += tg_forte_edit(edits, e)->cost;
        if (fabs(ours - rows[i].cost) > 1e-12)
            fail_msg("%s / %s costs %g, not %g", rows[i].truth, rows[i].prediction, ours,
                     rows[i].cost);
    }
}
