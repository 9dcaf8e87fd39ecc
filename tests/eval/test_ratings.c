/* Files of ratings: which answers count, and what a study makes of them. */
#include "tests/support/results_support.h"

#include "eval/results/ratings.h"
#include "eval/study/study.h"

static const TgEvalOptions how = { .metrics = "exprate" };

/* The results of four pairs of one model. */
#define ROW(id, hyp)                                                                               \
    "{\"model\":\"a\",\"id\":\"" id "\",\"subset\":\"s\",\"gt\":\"x\",\"pred\":\"" hyp "\"}\n"
#define FOUR_PAIRS ROW("1", "x") ROW("2", "y") ROW("3", "yy") ROW("4", "z")

/* ---- files ---- */

/* An answer to one of the four pairs; @rest: its other members. (transfer full) */
static char *answer_to(guint pair, guint time, const char *rest)
{
    static const char *const hyps[] = { "x", "y", "yy", "z" };
    g_autofree char *sum = tg_ratings_checksum("x", hyps[pair - 1]);

    return g_strdup_printf("{\"pair\":%u,\"time\":%u,\"id\":\"%u\",\"subset\":\"s\",\"model\":"
                           "\"a\",\"checksum\":\"%s\",%s}",
                           pair, time, pair, sum, rest);
}

#define SCALE "\"kind\":\"scale\",\"scale\":{\"low\":0,\"high\":5}"

/* Write a file of ratings; @answers: with commas between them. (transfer full) its path */
static char *write_file(void **state, const char *rater, const char *asked, const char *answers)
{
    g_autofree char *name = g_strdup_printf("%s.json", rater);
    g_autofree char *text = g_strdup_printf(
        "{\"texgauge_ratings\":1,\"study\":\"one\",\"rater\":\"%s\",%s,\"answers\":[%s]}", rater,
        asked, answers);

    test_write_file(state, name, text);
    return g_build_filename(*state, name, NULL);
}

/* The same with one answer, to the first pair. */
static char *write_one(void **state, const char *rater, const char *asked, const char *rest)
{
    g_autofree char *answer = answer_to(1, 1, rest);

    return write_file(state, rater, asked, answer);
}

static TgTable *table_of(const char *path)
{
    return tg_must(
        tg_table_read((const char *const[]){ path, NULL }, &(TgTableOptions){ 0 }, &error));
}

static const TgRatingsAnswer *answer_at(const TgRatings *ratings, guint i)
{
    return &g_array_index(ratings->answers, TgRatingsAnswer, i);
}

/* The value of the only answer of a file. */
static double value_of(void **state, const TgTable *table, const char *asked, const char *rest)
{
    g_autofree char *path = write_one(state, "one", asked, rest);
    g_autoptr(TgRatings) ratings =
        tg_must(tg_ratings_read((const char *const[]){ path, NULL }, table, FALSE, &error));

    assert_int_equal(ratings->answers->len, 1);
    return answer_at(ratings, 0)->value;
}

/* ---- reading ---- */

/* sha256 of "x", a NUL and "y", by Python's hashlib. */
TEST(test_ratings__a_checksum_is_of_reference_and_prediction)
{
    tg_assert_text(tg_ratings_checksum("x", "y"), "ce3890a816f5237a");
}

TEST(test_ratings__first_answers_are_the_numbers)
{
    g_autofree char *results = tg_results_of_lines(*state, "first", FOUR_PAIRS, &how);
    g_autoptr(TgTable) table = table_of(results);
    g_autofree char *again = answer_to(2, 2, "\"answer\":1");
    g_autofree char *first = answer_to(2, 1, "\"answer\":4,\"seconds\":2.5,\"note\":\"n\"");
    g_autofree char *none = answer_to(3, 1, "\"skip\":\"cannot judge\"");
    g_autofree char *wrong = answer_to(4, 1, "\"skip\":\"wrong reference\"");
    g_autofree char *all = g_strjoin(",", again, first, none, wrong, NULL);
    g_autofree char *path = write_file(state, "Ann", SCALE ",\"steps\":5", all);
    g_autoptr(TgRatings) ratings =
        tg_must(tg_ratings_read((const char *const[]){ path, NULL }, table, FALSE, &error));
    g_autofree double *matrix = tg_ratings_matrix(ratings, table->n_rows);

    assert_int_equal(ratings->answers->len, 4);
    assert_true(answer_at(ratings, 0)->is_repeat && !answer_at(ratings, 1)->is_repeat);
    tg_assert_near(answer_at(ratings, 1)->seconds, 2.5, 0);
    assert_string_equal(answer_at(ratings, 1)->note, "n");
    assert_true(!answer_at(ratings, 2)->is_wrong && answer_at(ratings, 3)->is_wrong);
    tg_assert_near(matrix[1], 4, 0);
    assert_true(isnan(matrix[0]) && isnan(matrix[2]) && isnan(matrix[3]));
    assert_int_equal(ratings->remarks->len, 1); /* 4 of 5 steps */
    tg_assert_holds(ratings->remarks->pdata[0], "not finished", NULL);
}

TEST(test_ratings__answers_are_numbers_of_what_was_asked)
{
    static const char words[] =
        "\"kind\":\"scale\",\"scale\":{\"words\":[\"good\",\"fair\",\"bad\"]}";
    static const char preference[] = "\"kind\":\"preference\",\"metrics\":[\"edit\",\"bleu\"]";
    g_autofree char *results = tg_results_of_lines(*state, "asked", FOUR_PAIRS, &how);
    g_autoptr(TgTable) table = table_of(results);

    tg_assert_near(value_of(state, table, SCALE, "\"answer\":5"), 5, 0);
    tg_assert_near(value_of(state, table, words, "\"answer\":\"good\""), 2, 0);
    tg_assert_near(value_of(state, table, words, "\"answer\":\"bad\""), 0, 0);
    tg_assert_near(value_of(state, table, preference, "\"answer\":\"bleu\""), 1, 0);
    tg_assert_near(value_of(state, table, preference, "\"answer\":\"neither\""), 3, 0);
}

TEST(test_ratings__other_pairs_are_counted_and_named)
{
    g_autofree char *results = tg_results_of_lines(*state, "others", FOUR_PAIRS, &how);
    g_autoptr(TgTable) table = table_of(results);
    g_autofree char *known = answer_to(1, 1, "\"answer\":5");
    g_autofree char *all = g_strconcat(
        known, ",{\"pair\":9,\"time\":1,\"id\":\"9\",\"subset\":\"s\",\"model\":\"a\",", /* id */
        "\"checksum\":\"0\",\"answer\":1},",
        "{\"pair\":8,\"time\":1,\"id\":\"1\",\"subset\":\"t\",\"model\":\"a\",", /* subset */
        "\"checksum\":\"0\",\"answer\":1}", NULL);
    g_autofree char *path = write_file(state, "Ann", SCALE, all);
    g_autoptr(TgRatings) ratings =
        tg_must(tg_ratings_read((const char *const[]){ path, NULL }, table, FALSE, &error));

    assert_int_equal(ratings->answers->len, 1);
    assert_int_equal(((TgRatingsRater *) ratings->raters->pdata[0])->n_unknown, 2);
    tg_assert_holds(ratings->remarks->pdata[0], "2 answers are about pairs that are not in",
                    "the first '9'", NULL);
}

/* One answer, or more that are whole in themselves, and the words of the refusal. */
typedef struct {
    const char *asked, *answers, *wanted;
} Refused;

#define AT(pair, id, rest)                                                                         \
    "{\"pair\":" pair ",\"time\":1,\"id\":\"" id "\",\"subset\":\"s\",\"model\":\"a\","            \
    "\"checksum\":\"0\"," rest "}"

TEST(test_ratings__refuses_what_no_page_saves)
{
    static const Refused refused[] = {
        { SCALE, AT("1", "1", "\"answer\":6"), "is 6, not a whole number from 0 to 5" },
        { SCALE, AT("1", "1", "\"answer\":-1"), "is -1, not a whole number" },
        { SCALE, AT("1", "1", "\"answer\":2.5"), "is 2.5, not a whole number" },
        { SCALE, AT("1", "1", "\"answer\":null"), "is null, not a whole number" },
        { SCALE, AT("1", "1", "\"note\":\"\""), "has no \"answer\" and no \"skip\"" },
        { SCALE ",\"pairs\":4", AT("77", "1", "\"answer\":1"), "that the page does not have" },
        { SCALE, AT("-1", "1", "\"answer\":1"), "that the page does not have" },
        { SCALE, AT("1", "1", "\"answer\":\"5\""), "is \"5\", not a whole number" },
        { SCALE, AT("1", "1", "\"skip\":\"later\""), "is \"later\", but only \"cannot judge\"" },
        { SCALE, AT("1", "1", "\"skip\":1"), "is 1, but only \"cannot judge\"" },
        { SCALE, AT("1", "1", "\"answer\":3"),
          "1 pair was rated in another version: '1' of model" },
        { SCALE, AT("1", "9", "\"answer\":3") "," AT("1", "9", "\"answer\":4"), "comes twice" },
        { SCALE, AT("1", "9", "\"answer\":3"), "none of its pairs is in the results" },
        { SCALE, "{\"pair\":1,\"time\":3,\"answer\":1}", "an answer that is none of a page" },
        { SCALE, "{\"pair\":1,\"time\":1,\"id\":\"1\",\"answer\":1}", "lacks its id, model or" },
        { "\"kind\":\"scale\",\"scale\":{\"low\":5,\"high\":0}", "",
          "does not say what was asked" },
        { "\"kind\":\"guess\"", "", "does not say what was asked" },
        { "\"kind\":\"preference\",\"metrics\":[\"edit\"]", "", "does not say what was asked" },
        { "\"kind\":\"preference\",\"metrics\":[\"edit\",\"bleu\"]",
          AT("1", "1", "\"answer\":\"cdm\""), "is \"cdm\", which the page does not offer" },
    };
    g_autofree char *results = tg_results_of_lines(*state, "refused", FOUR_PAIRS, &how);
    g_autoptr(TgTable) table = table_of(results);

    for (guint i = 0; i < G_N_ELEMENTS(refused); i++) {
        g_autofree char *path = write_file(state, "Ann", refused[i].asked, refused[i].answers);
        const char *const paths[] = { path, NULL };

        tg_assert_fails(tg_ratings_read(paths, table, FALSE, &error), TG_ERROR_INPUT,
                        refused[i].wanted);
    }
}

TEST(test_ratings__refuses_files_that_are_cut_newer_or_none)
{
    static const char *const texts[][2] = {
        { "{\"texgauge_ratings\":1,\"rater\":\"Ann\",", "cut short or was damaged" },
        { "{\"texgauge_ratings\":2,\"rater\":\"A\",\"study\":\"s\",\"answers\":[]}", "newer texg" },
        { "{\"texgauge_ratings\":1,\"rater\":\"A\",\"answers\":[]}", "no file of ratings" },
        { "[]", "no file of ratings" },
        { "", "no file of ratings" },
    };
    g_autofree char *results = tg_results_of_lines(*state, "cut", FOUR_PAIRS, &how);
    g_autofree char *path = g_build_filename(*state, "file.json", NULL);
    g_autoptr(TgTable) table = table_of(results);

    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        test_write_file(state, "file.json", texts[i][0]);
        tg_assert_fails(tg_ratings_read((const char *const[]){ path, NULL }, table, FALSE, &error),
                        TG_ERROR_INPUT, texts[i][1]);
        assert_int_equal(tg_ratings_recognize(path), i < 3);
    }
}

TEST(test_ratings__files_of_one_study_go_together)
{
    g_autofree char *results = tg_results_of_lines(*state, "studies", FOUR_PAIRS, &how);
    g_autoptr(TgTable) table = table_of(results);
    g_autofree char *ann = write_one(state, "Ann", SCALE, "\"answer\":1");
    g_autofree char *bob = write_one(state, "Bob", SCALE, "\"answer\":2");
    g_autofree char *ten = write_one(
        state, "Ten", "\"kind\":\"scale\",\"scale\":{\"low\":0,\"high\":10}", "\"answer\":2");
    g_autofree char *other = g_build_filename(*state, "other.json", NULL), *text = NULL;
    const char *const twice[] = { ann, ann, NULL }, *const scales[] = { ann, ten, NULL };
    const char *const pages[] = { ann, bob, other, NULL };

    assert_true(g_file_get_contents(ann, &text, NULL, NULL));
    g_auto(GStrv) parts = g_strsplit(text, "\"one\",\"rater\":\"Ann\"", 2);
    g_autofree char *changed = g_strjoinv("\"two\",\"rater\":\"Cem\"", parts);
    test_write_file(state, "other.json", changed);
    tg_assert_fails(tg_ratings_read(twice, table, TRUE, &error), TG_ERROR_INPUT,
                    "both are of a rater called 'Ann'");
    tg_assert_fails(tg_ratings_read(scales, table, TRUE, &error), TG_ERROR_INPUT, "its scale");
    tg_assert_fails(tg_ratings_read(pages, table, FALSE, &error), TG_ERROR_INPUT, "--force");
    g_autoptr(TgRatings) ratings = tg_must(tg_ratings_read(pages, table, TRUE, &error));
    assert_int_equal(ratings->raters->len, 3);
}

/* Twelve pairs: ten and more are enough to tell. */
TEST(test_ratings__people_who_may_be_one_are_remarked)
{
    enum { N = 12 };
    static const struct {
        const char *name;
        guint first, step; /* the answer to pair i is (first + step * i) % 6 */
    } people[] = {
        { "Dan", 0, 1 }, { "dan", 0, 1 }, { "Eve", 1, 1 }, { "EVE", 0, 5 }, { "Fay", 3, 0 }
    };
    g_autoptr(GString) lines = g_string_new(NULL);
    g_autofree char *sum = tg_ratings_checksum("x", "y");
    char *paths[G_N_ELEMENTS(people) + 1] = { NULL };

    for (guint i = 0; i < N; i++)
        g_string_append_printf(lines, "{\"id\":\"%u\",\"gt\":\"x\",\"pred\":\"y\"}\n", i);
    for (guint p = 0; p < G_N_ELEMENTS(people); p++) {
        g_autoptr(GString) answers = g_string_new(NULL);

        for (guint i = 0; i < N; i++)
            g_string_append_printf(answers,
                                   "%s{\"pair\":%u,\"time\":1,\"id\":\"%u\",\"model\":\"\","
                                   "\"checksum\":\"%s\",\"answer\":%u}",
                                   i > 0 ? "," : "", i, i, sum,
                                   (people[p].first + people[p].step * i) % 6);
        paths[p] = write_file(state, people[p].name, SCALE, answers->str);
    }
    g_autofree char *results = tg_results_of_lines(*state, "one", lines->str, &how);
    g_autoptr(TgTable) table = table_of(results);
    g_autoptr(TgRatings) ratings =
        tg_must(tg_ratings_read((const char *const *) paths, table, FALSE, &error));

    assert_int_equal(ratings->remarks->len, 3);
    tg_assert_holds(ratings->remarks->pdata[0], "'Dan' and 'dan' may be", "answers are the", NULL);
    tg_assert_holds(ratings->remarks->pdata[1], "'Eve' and 'EVE' may be", "names are alike", NULL);
    tg_assert_holds(ratings->remarks->pdata[2], "Fay.json: all answers are the same", NULL);
    for (guint p = 0; p < G_N_ELEMENTS(people); p++)
        g_free(paths[p]);
}

/* ---- the raters in a study ---- */

/* Write the answers of a rater to the first three pairs, and @rest. */
static char *write_rater(void **state, const char *name, const guint values[3], const char *rest)
{
    g_autoptr(GString) all = g_string_new(rest);

    for (guint i = 0; i < 3; i++) {
        g_autofree char *given = g_strdup_printf("\"answer\":%u,\"seconds\":10", values[i]);
        g_autofree char *answer = answer_to(i + 1, 1, given);

        g_string_append_printf(all, "%s%s", all->len > 0 ? "," : "", answer);
    }
    return write_file(state, name, SCALE, all->str);
}

/* Ann says 5, 3, 1, and the second time 4, 3, 1; Bob says 4, 3, 0. */
TEST(test_people__repeats_and_agreement_by_hand)
{
    g_autofree char *results = tg_results_of_lines(*state, "people", FOUR_PAIRS, &how);
    g_autofree char *one = answer_to(1, 2, "\"answer\":4,\"seconds\":40");
    g_autofree char *two = answer_to(2, 2, "\"answer\":3,\"seconds\":40");
    g_autofree char *three = answer_to(3, 2, "\"answer\":1,\"seconds\":40");
    g_autofree char *wrong = answer_to(4, 1, "\"skip\":\"wrong reference\",\"note\":\"a z\"");
    g_autofree char *cannot = answer_to(4, 1, "\"skip\":\"cannot judge\",\"seconds\":30");
    g_autofree char *rest = g_strjoin(",", one, two, three, wrong, NULL);
    g_autofree char *ann = write_rater(state, "Ann", (const guint[]){ 5, 3, 1 }, rest);
    g_autofree char *bob = write_rater(state, "Bob", (const guint[]){ 4, 3, 0 }, cannot);
    const char *const files[] = { ann, bob, NULL };
    const TgStudyOptions options = { .table.ratings = files, .resamples = 10 };
    g_autoptr(TgStudy) study =
        tg_must(tg_study_run((const char *const[]){ results, NULL }, &options, &error));

    assert_int_equal(study->people->len, 2);
    const TgStudyPerson *a = study->people->pdata[0], *b = study->people->pdata[1];
    assert_true(a->n == 3 && a->n_wrong == 1 && a->n_cannot == 0 && a->n_repeats == 3);
    assert_true(b->n == 3 && b->n_wrong == 0 && b->n_cannot == 1 && b->n_repeats == 0);
    tg_assert_near(a->minutes, 150.0 / 60, 1e-12);
    tg_assert_near(a->seconds, 10, 0); /* the middle of 0, three of 10 and three of 40 */
    tg_assert_near(a->same, 2.0 / 3, 1e-12);
    tg_assert_near(a->difference, 1.0 / 3, 1e-12);
    tg_assert_near(a->itself, 6 / sqrt(8 * 14.0 / 3), 1e-12);
    assert_true(isnan(b->same) && isnan(b->difference) && isnan(b->itself));
    tg_assert_near(a->others[0], 8 / sqrt(8 * 26.0 / 3), 1e-12);
    tg_assert_near(b->others[0], a->others[0], 1e-12);
    tg_assert_near(a->others[1], 1, 1e-12);
    tg_assert_near(a->others_same, 1.0 / 3, 1e-12);
    assert_int_equal(study->wrong->len, 1);
    const TgStudyWrong *pair = study->wrong->pdata[0];
    assert_string_equal(pair->id, "4");
    assert_string_equal(pair->raters, "Ann");
    assert_string_equal(pair->notes, "a z");
}

/* ---- duels ---- */

enum { MOST_DUELS = 16 };

/* Duels of two models: a pair for each answer. */
typedef struct {
    const char *a, *b;
    guint wins, ties, losses; /* of a */
} Met;

/* A study of these duels; every second one has its models the other way around. */
static TgStudy *duels_of(void **state, const Met *met, guint n)
{
    g_autoptr(GString) lines = g_string_new(NULL), answers = g_string_new(NULL);
    guint pair = 0;

    for (guint i = 0; i < MOST_DUELS; i++)
        for (guint m = 0; m < 3; m++)
            g_string_append_printf(
                lines, "{\"model\":\"%c\",\"id\":\"%u\",\"gt\":\"x\",\"pred\":\"%c\"}\n",
                'a' + (int) m, i, 'p' + (int) m);
    for (guint k = 0; k < n; k++)
        for (guint i = 0; i < met[k].wins + met[k].ties + met[k].losses; i++) {
            const char *const models[2] = { met[k].a, met[k].b };
            const char *said = i < met[k].wins                 ? models[0]
                               : i < met[k].wins + met[k].ties ? "tie"
                                                               : models[1];
            const guint first = i % 2;
            const char hyps[2][2] = { { (char) (models[0][0] + 'p' - 'a') },
                                      { (char) (models[1][0] + 'p' - 'a') } };
            g_autofree char *sum = tg_ratings_checksum("x", hyps[first]);
            g_autofree char *other = tg_ratings_checksum("x", hyps[1 - first]);

            assert_true(i < MOST_DUELS);
            g_string_append_printf(
                answers,
                "%s{\"pair\":%u,\"time\":1,\"id\":\"%u\",\"subset\":\"\",\"model\":[\"%s\","
                "\"%s\"],\"checksum\":[\"%s\",\"%s\"],\"answer\":\"%s\"}",
                pair > 0 ? "," : "", pair, i, models[first], models[1 - first], sum, other, said);
            pair++;
        }
    g_autofree char *results = tg_results_of_lines(*state, "duels", lines->str, &how);
    g_autofree char *file = write_file(state, "Ann", "\"kind\":\"duel\"", answers->str);
    const char *const files[] = { file, NULL };
    const TgStudyOptions options = { .table.ratings = files, .resamples = 50, .seed = 1 };
    TgStudy *study =
        tg_must(tg_study_run((const char *const[]){ results, NULL }, &options, &error));
    assert_int_equal(g_remove(results), 0);
    return study;
}

TEST(test_people__a_win_rate_counts_a_tie_as_half)
{
    static const Met met[] = { { "a", "b", 5, 2, 1 }, { "b", "c", 1, 1, 2 } };
    g_autoptr(TgStudy) study = duels_of(state, met, G_N_ELEMENTS(met));

    assert_int_equal(study->duels->len, 2);
    for (guint k = 0; k < 2; k++) {
        const TgStudyDuel *duel = study->duels->pdata[k];

        assert_string_equal(duel->a, met[k].a);
        assert_string_equal(duel->b, met[k].b);
        assert_true(duel->wins == met[k].wins && duel->ties == met[k].ties &&
                    duel->losses == met[k].losses);
        tg_assert_near(duel->rate, k == 0 ? 6.0 / 8 : 1.5 / 4, 1e-12);
        assert_true(duel->bootstrap.percentile[0] < duel->rate &&
                    duel->rate < duel->bootstrap.percentile[1]);
    }
}

static double strength_at(const TgStudy *study, guint i)
{
    return ((TgStudyStrength *) study->strengths->pdata[i])->value;
}

/* Odds of 2 for a against b and b against c, and of 4 for a against c: strengths that fit these
 * exactly are log 2, 0 and -log 2, and no others are more likely. */
TEST(test_people__strengths_have_the_odds_that_were_seen)
{
    static const Met met[] = { { "a", "b", 2, 0, 1 },
                               { "b", "c", 6, 0, 3 },
                               { "a", "c", 8, 0, 2 } };
    g_autoptr(TgStudy) study = duels_of(state, met, G_N_ELEMENTS(met));

    assert_int_equal(study->strengths->len, 3);
    tg_assert_near(strength_at(study, 0), log(2), 1e-6);
    tg_assert_near(strength_at(study, 1), 0, 1e-6);
    tg_assert_near(strength_at(study, 2), -log(2), 1e-6);
}

/* At the maximum of the likelihood, each model's points are those to be expected of its duels. */
TEST(test_people__strengths_of_a_circle_expect_the_points_won)
{
    static const Met met[] = { { "a", "b", 5, 3, 2 },
                               { "b", "c", 7, 1, 4 },
                               { "a", "c", 2, 1, 5 } };
    static const double points[] = { 6.5 + 2.5, 3.5 + 7.5, 4.5 + 5.5 };
    g_autoptr(TgStudy) study = duels_of(state, met, G_N_ELEMENTS(met));
    double expected[3] = { 0 }, sum = 0;

    assert_int_equal(study->strengths->len, 3);
    for (guint k = 0; k < G_N_ELEMENTS(met); k++) {
        const guint a = (guint) (met[k].a[0] - 'a'), b = (guint) (met[k].b[0] - 'a');
        const guint n = met[k].wins + met[k].ties + met[k].losses;
        const double share = 1 / (1 + exp(strength_at(study, b) - strength_at(study, a)));

        expected[a] += n * share;
        expected[b] += n * (1 - share);
    }
    for (guint i = 0; i < 3; i++) {
        tg_assert_near(expected[i], points[i], 1e-6);
        sum += strength_at(study, i);
    }
    tg_assert_near(sum, 0, 1e-9);
}

TEST(test_people__a_model_that_never_lost_has_no_strength)
{
    static const Met met[] = { { "a", "b", 3, 0, 0 },
                               { "b", "c", 2, 0, 2 },
                               { "a", "c", 3, 0, 0 } };
    g_autoptr(TgStudy) study = duels_of(state, met, G_N_ELEMENTS(met));

    assert_int_equal(study->strengths->len, 3);
    for (guint i = 0; i < 3; i++)
        assert_true(isnan(strength_at(study, i)));
}

TEST_GROUP(test_make_scratch, test_remove_scratch)
