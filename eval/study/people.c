/* The people who rated a page: their work, how they agree, which references they think are wrong,
 * and which of two models they prefer. */
#include <math.h>
#include <string.h>

#include "core/hash.h"
#include "core/json.h"
#include "eval/study/private.h"

enum { D = 4, I = 3, LEAST_REPEATS = 3, MAX_STEPS = 10000 };

/* The answers of all raters to what was asked, each pair or pair of rows once. */
typedef struct {
    const TgRatings *ratings;
    GArray *items;  /* of TgRatingsAnswer: the first one to each */
    guint *item_of; /* [answers] */
    double *first;  /* [items][raters] first answers; NaN where there is none */
} Answers;

static const TgRatingsAnswer *answer_at(const TgRatings *ratings, guint i)
{
    return &g_array_index(ratings->answers, TgRatingsAnswer, i);
}

static void answers_init(Answers *a, const TgRatings *ratings)
{
    const guint n = ratings->answers->len, n_raters = ratings->raters->len;
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);

    *a = (Answers){ ratings, g_array_new(FALSE, FALSE, sizeof(TgRatingsAnswer)),
                    g_new(guint, MAX(n, 1)), NULL };
    for (guint i = 0; i < n; i++) {
        const TgRatingsAnswer *answer = answer_at(ratings, i);
        const gint64 key = (gint64) ((guint64) answer->row << 32 | answer->other);

        a->item_of[i] = tg_hash_number(known, g_memdup2(&key, sizeof key));
        if (a->item_of[i] == a->items->len)
            g_array_append_val(a->items, *answer);
    }
    a->first = g_new(double, MAX((gsize) a->items->len * n_raters, 1));
    for (gsize i = 0; i < (gsize) a->items->len * n_raters; i++)
        a->first[i] = NAN;
    for (guint i = 0; i < n; i++)
        if (!answer_at(ratings, i)->is_repeat)
            a->first[(gsize) a->item_of[i] * n_raters + answer_at(ratings, i)->rater] =
                answer_at(ratings, i)->value;
}

/* ---- each rater ---- */

/* Share of the answers of others to the same that are the rater's own. */
static double same_as_others(const Answers *a, guint rater)
{
    const guint n_raters = a->ratings->raters->len;
    guint n = 0, same = 0;

    for (guint i = 0; i < a->items->len; i++) {
        const double *row = a->first + (gsize) i * n_raters;

        for (guint r = 0; r < n_raters; r++)
            if (r != rater && !isnan(row[r]) && !isnan(row[rater])) {
                n++;
                same += row[r] == row[rater];
            }
    }
    return n > 0 ? (double) same / n : NAN;
}

static void add_person(TgStudy *study, const Answers *a, guint rater)
{
    const TgRatings *ratings = a->ratings;
    const guint n_raters = ratings->raters->len;
    TgStudyPerson *person = g_new0(TgStudyPerson, 1);
    g_autofree double *once = g_new(double, ratings->answers->len + 1);
    g_autofree double *again = g_new(double, ratings->answers->len + 1);
    g_autofree double *seconds = g_new(double, ratings->answers->len + 1);
    guint n_seconds = 0, n_same = 0;
    double difference = 0.0;

    person->name = ((const TgRatingsRater *) ratings->raters->pdata[rater])->name;
    for (guint i = 0; i < ratings->answers->len; i++) {
        const TgRatingsAnswer *answer = answer_at(ratings, i);
        const double first = a->first[(gsize) a->item_of[i] * n_raters + answer->rater];

        if (answer->rater != rater)
            continue;
        seconds[n_seconds++] = answer->seconds;
        person->minutes += answer->seconds / 60;
        if (!answer->is_repeat) {
            person->n += !isnan(answer->value);
            person->n_wrong += answer->is_wrong;
            person->n_cannot += isnan(answer->value) && !answer->is_wrong;
        } else if (!isnan(answer->value) && !isnan(first)) {
            once[person->n_repeats] = first;
            again[person->n_repeats++] = answer->value;
            n_same += first == answer->value;
            difference += fabs(first - answer->value);
        }
    }
    tg_stats_sort(seconds, n_seconds);
    person->seconds = n_seconds > 0 ? tg_stats_quantile(seconds, n_seconds, 0.5) : NAN;
    person->same = person->n_repeats > 0 ? (double) n_same / person->n_repeats : NAN;
    person->others_same = same_as_others(a, rater);
    person->difference = person->itself = person->others[0] = person->others[1] = NAN;
    if (ratings->kind == TG_RATINGS_SCALE) {
        person->difference = person->n_repeats > 0 ? difference / person->n_repeats : NAN;
        if (person->n_repeats >= LEAST_REPEATS)
            person->itself = tg_stats_correlate(TG_PEARSON, once, again, person->n_repeats, NULL);
        for (guint k = 0; k < 2; k++) {
            g_autofree double *against = g_new(double, n_raters);

            tg_stats_rater_against_rest(k == 0 ? TG_PEARSON : TG_SPEARMAN, a->first, a->items->len,
                                        n_raters, against);
            person->others[k] = against[rater];
        }
    }
    g_ptr_array_add(study->people, person);
}

/* ---- references that somebody calls wrong ---- */

static void add_wrong(TgStudy *study, const Answers *a)
{
    const TgRatings *ratings = a->ratings;
    g_autofree gboolean *is_wrong = g_new0(gboolean, MAX(a->items->len, 1));

    for (guint i = 0; i < ratings->answers->len; i++)
        is_wrong[a->item_of[i]] |= answer_at(ratings, i)->is_wrong;
    for (guint item = 0; item < a->items->len; item++) {
        if (!is_wrong[item])
            continue;
        g_autoptr(GString) raters = g_string_new(NULL), notes = g_string_new(NULL);
        const TgTableRow *row =
            &study->table->rows[g_array_index(a->items, TgRatingsAnswer, item).row];
        guint n = 0;

        for (guint i = 0; i < ratings->answers->len; i++) {
            const TgRatingsAnswer *answer = answer_at(ratings, i);
            const TgRatingsRater *rater = ratings->raters->pdata[answer->rater];

            if (a->item_of[i] != item || !answer->is_wrong || answer->is_repeat)
                continue;
            g_string_append_printf(raters, "%s%s", n++ > 0 ? ", " : "", rater->name);
            if (answer->note != NULL)
                g_string_append_printf(notes, "%s%s", notes->len > 0 ? "; " : "", answer->note);
        }
        if (n == 0)
            continue;
        TgStudyWrong *out = g_new0(TgStudyWrong, 1);
        g_autofree char *id = tg_ratings_id(row);
        out->id = g_string_chunk_insert(study->table->texts, id);
        out->model = tg_table_model(study->table, row->model);
        out->raters = g_string_chunk_insert(study->table->texts, raters->str);
        out->notes = g_string_chunk_insert(study->table->texts, notes->str);
        out->n = n;
        g_ptr_array_add(study->wrong, out);
    }
}

/* ---- duels ---- */

/* The duels of one pair of predictions. */
typedef struct {
    guint a, b;          /* models */
    guint n, wins, ties; /* answers; those for a; those for neither, which give half a point */
} Bout;

static double points_of(const Bout *bout)
{
    return bout->wins + bout->ties / 2.0;
}

/* A statistic of bouts: the win rate of a model, or its strength among all. */
typedef struct {
    const Bout *bouts;
    guint n_models, model;
} Duels;

static double win_rate(const guint32 *rows, guint n, gpointer data)
{
    const Duels *duels = data;
    double points = 0.0;
    guint answers = 0;

    for (guint i = 0; i < n; i++) {
        const Bout *bout = &duels->bouts[rows != NULL ? rows[i] : i];

        points += points_of(bout);
        answers += bout->n;
    }
    return answers > 0 ? points / answers : NAN;
}

/* The strength of a model on the scale of log odds, all adding up to 0: Bradley and Terry (1952) by
 * the iteration of Hunter (2004), MM Algorithms for Generalized Bradley-Terry Models, Annals of
 * Statistics 32(1), eq. 3, with a tie as half a win of each. NaN where a model won or lost all. */
static double strength_of(const guint32 *rows, guint n, gpointer data)
{
    const Duels *duels = data;
    const guint m = duels->n_models;
    g_autofree double *wins = g_new0(double, (gsize) m *m), *power = g_new(double, m);
    double sum = 0.0, change = 1.0;

    for (guint i = 0; i < n; i++) {
        const Bout *bout = &duels->bouts[rows != NULL ? rows[i] : i];

        wins[bout->a * m + bout->b] += points_of(bout);
        wins[bout->b * m + bout->a] += bout->n - points_of(bout);
    }
    for (guint i = 0; i < m; i++)
        power[i] = 1.0;
    for (guint step = 0; step < MAX_STEPS && change > 1e-10; step++) {
        double product = 0.0;

        change = 0.0;
        for (guint i = 0; i < m; i++) {
            double won = 0.0, met = 0.0;

            for (guint k = 0; k < m; k++) {
                const double games = wins[i * m + k] + wins[k * m + i];

                won += wins[i * m + k];
                met += games / (power[i] + power[k]);
            }
            if (won == 0.0 || !(met > 0.0))
                return NAN;
            change = fmax(change, fabs(log(won / met) - log(power[i])));
            power[i] = won / met;
        }
        for (guint i = 0; i < m; i++)
            product += log(power[i]);
        for (guint i = 0; i < m; i++)
            power[i] /= exp(product / m);
    }
    for (guint i = 0; i < m; i++)
        sum += log(power[i]);
    return change > 1e-6 ? NAN : log(power[duels->model]) - sum / m; /* some model never lost */
}

static void add_duel(TgStudy *study, const Bout *bouts, guint n)
{
    TgStudyDuel *duel = g_new0(TgStudyDuel, 1);
    Duels duels = { bouts, 0, 0 };

    duel->a = tg_table_model(study->table, bouts->a);
    duel->b = tg_table_model(study->table, bouts->b);
    duel->n_pairs = n;
    for (guint i = 0; i < n; i++) {
        duel->n += bouts[i].n;
        duel->wins += bouts[i].wins;
        duel->ties += bouts[i].ties;
    }
    duel->losses = duel->n - duel->wins - duel->ties;
    duel->rate = win_rate(NULL, n, &duels);
    tg_study_bootstrap(study, win_rate, &duels, n, &duel->bootstrap);
    g_ptr_array_add(study->duels, duel);
}

static int by_models(gconstpointer x, gconstpointer y)
{
    const Bout *a = x, *b = y;

    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

static void add_duels(TgStudy *study, const Answers *a)
{
    const TgTable *table = study->table;
    const guint m = table->models->len, n_raters = a->ratings->raters->len;
    g_autoptr(GArray) bouts = g_array_new(FALSE, FALSE, sizeof(Bout));
    g_autofree guint *place = g_new0(guint, m); /* of each model that met another, from 1 */
    guint n_met = 0;

    for (guint i = 0; i < a->items->len; i++) {
        const TgRatingsAnswer *item = &g_array_index(a->items, TgRatingsAnswer, i);
        const guint one = table->rows[item->row].model, two = table->rows[item->other].model;
        Bout bout = { MIN(one, two), MAX(one, two), 0, 0, 0 };

        for (guint r = 0; r < n_raters; r++) {
            const double value = a->first[(gsize) i * n_raters + r];

            bout.n += !isnan(value);
            bout.wins += value == (one > two ? 1 : 0);
            bout.ties += value == 2;
        }
        if (bout.n > 0)
            g_array_append_val(bouts, bout);
    }
    g_array_sort(bouts, by_models);
    Bout *list = (Bout *) (void *) bouts->data;
    for (guint from = 0, to; from < bouts->len; from = to) {
        for (to = from; to < bouts->len && by_models(&list[from], &list[to]) == 0;)
            to++;
        add_duel(study, list + from, to - from);
    }
    for (guint i = 0; i < bouts->len; i++) {
        place[list[i].a] = place[list[i].a] > 0 ? place[list[i].a] : ++n_met;
        place[list[i].b] = place[list[i].b] > 0 ? place[list[i].b] : ++n_met;
    }
    for (guint i = 0; i < bouts->len; i++) {
        list[i].a = place[list[i].a] - 1;
        list[i].b = place[list[i].b] - 1;
    }
    for (guint model = 0; n_met >= 3 && model < m; model++) {
        if (place[model] == 0)
            continue;
        Duels duels = { list, n_met, place[model] - 1 };
        TgStudyStrength *strength = g_new0(TgStudyStrength, 1);

        strength->model = tg_table_model(table, model);
        strength->value = strength_of(NULL, bouts->len, &duels);
        tg_study_bootstrap(study, strength_of, &duels, bouts->len, &strength->bootstrap);
        g_ptr_array_add(study->strengths, strength);
    }
}

/* ---- all ---- */

void tg_study_add_people(TgStudy *study)
{
    const TgRatings *ratings = study->table->ratings;
    Answers a;

    if (ratings == NULL)
        return;
    answers_init(&a, ratings);
    for (guint r = 0; r < ratings->raters->len; r++)
        add_person(study, &a, r);
    add_wrong(study, &a);
    study->alpha_nominal = NAN;
    tg_stats_krippendorff(a.first, a.items->len, ratings->raters->len, TG_NOMINAL,
                          &study->alpha_nominal, NULL);
    if (ratings->kind == TG_RATINGS_DUEL)
        add_duels(study, &a);
    g_array_unref(a.items);
    g_free(a.item_of);
    g_free(a.first);
}

static void note_people(TgStudyWriter *w, TgGrid *grid)
{
    const TgStudy *study = w->study;
    const TgStudyRaters *group = NULL;
    char pearson[32], spearman[32];

    for (guint i = 0; i < study->raters->len; i++) {
        const TgStudyRaters *each = study->raters->pdata[i];

        group = g_strcmp0(each->group, TG_RATINGS_GROUP) == 0 ? each : group;
    }
    const TgBootstrap *ceiling = group != NULL ? &group->bootstrap[TG_FIRST_CEILING] : NULL;
    if (ceiling != NULL && !isnan(ceiling[TG_PEARSON].estimate))
        tg_grid_note(
            grid,
            "A metric as good as one more rater would reach Pearson %s and Spearman %s: "
            "the mean over the raters of one against the mean of the others.",
            g_ascii_formatd(pearson, sizeof pearson, "%.4f", ceiling[TG_PEARSON].estimate),
            g_ascii_formatd(spearman, sizeof spearman, "%.4f", ceiling[TG_SPEARMAN].estimate));
    if (study->table->ratings->kind != TG_RATINGS_SCALE && !isnan(study->alpha_nominal))
        tg_grid_note(grid, "Krippendorff's alpha of the answers, nominal: %s",
                     g_ascii_formatd(pearson, sizeof pearson, "%.4f", study->alpha_nominal));
    tg_grid_note(grid, "Same: share of pairs that came twice with the same answer both times. "
                       "The first answer counts.");
}

void tg_study_write_people(TgStudyWriter *w)
{
#define OF(member) G_STRUCT_OFFSET(TgStudyPerson, member)
    const TgRatings *ratings = w->study->table->ratings;
    const gboolean scale = ratings != NULL && ratings->kind == TG_RATINGS_SCALE;
    const TgGridColumn columns[] = {
        { "rater", "rater", "rater", TG_GRID_TEXT, OF(name) },
        { "pairs", "pairs", "pairs", TG_GRID_COUNT, OF(n) },
        { "cannot judge", "cannot_judge", "cannot_judge", TG_GRID_COUNT, OF(n_cannot) },
        { "wrong ref.", "wrong_reference", "wrong_reference", TG_GRID_COUNT, OF(n_wrong) },
        { "minutes", "minutes", "minutes", TG_GRID_NUMBER, OF(minutes), 1 },
        { "median s a pair", "seconds", "seconds", TG_GRID_NUMBER, OF(seconds), 1 },
        { "twice", "repeats", "repeats", TG_GRID_COUNT, OF(n_repeats) },
        { "same", "same", "same", TG_GRID_NUMBER, OF(same), I },
        { scale ? "apart" : NULL, "difference", "difference", TG_GRID_NUMBER, OF(difference), 2 },
        { scale ? "Pearson with itself" : NULL, "itself_pearson", "itself.pearson", TG_GRID_NUMBER,
          OF(itself), D },
        { scale ? "Pearson with others" : NULL, "others_pearson", "others.pearson", TG_GRID_NUMBER,
          OF(others[0]), D },
        { scale ? "Spearman with others" : NULL, "others_spearman", "others.spearman",
          TG_GRID_NUMBER, OF(others[1]), D },
        { scale ? NULL : "same as others", "others_same", "others.same", TG_GRID_NUMBER,
          OF(others_same), I },
    };
#undef OF
#define OF(member) G_STRUCT_OFFSET(TgStudyWrong, member)
    static const TgGridColumn wrong_columns[] = {
        { "pair", "pair", "id", TG_GRID_TEXT, OF(id) },
        { "model", "model", "model", TG_GRID_NAME, OF(model) },
        { "raters", "raters", "raters", TG_GRID_TEXT, OF(raters) },
        { "notes", "notes", "notes", TG_GRID_TEXT, OF(notes) },
        { "n", "n", "n", TG_GRID_COUNT, OF(n) },
    };
#undef OF

    if (ratings == NULL)
        return;
    TgGrid *grid =
        tg_grid_new_of("The raters", 1, columns, G_N_ELEMENTS(columns), w->study->people);
    note_people(w, grid);
    tg_study_keep_grid(w, grid, "people");
    if (w->json != NULL)
        json_object_set_new(w->json, "alpha_nominal", tg_json_number(w->study->alpha_nominal));
    tg_study_keep_grid(w,
                       tg_grid_new_of("References that raters call wrong", 4, wrong_columns,
                                      G_N_ELEMENTS(wrong_columns), w->study->wrong),
                       "wrong_references");
}

void tg_study_write_duels(TgStudyWriter *w)
{
#define OF(member) G_STRUCT_OFFSET(TgStudyDuel, member)
    const TgRatings *ratings = w->study->table->ratings;
    g_autofree char *level = tg_level_text(w->study->options.level);
    const TgGridColumn columns[] = {
        { "model", "model", "model", TG_GRID_TEXT, OF(a) },
        { "other", "other", "other", TG_GRID_TEXT, OF(b) },
        { "pairs", "pairs", "pairs", TG_GRID_COUNT, OF(n_pairs) },
        { "answers", "answers", "answers", TG_GRID_COUNT, OF(n) },
        { "won", "won", "won", TG_GRID_COUNT, OF(wins) },
        { "tied", "tied", "tied", TG_GRID_COUNT, OF(ties) },
        { "lost", "lost", "lost", TG_GRID_COUNT, OF(losses) },
        { "win rate", "win_rate", "win_rate", TG_GRID_NUMBER, OF(rate), I },
        { level, "bca_*", "interval", TG_GRID_INTERVAL, OF(bootstrap.bca), I },
    };
#undef OF
#define OF(member) G_STRUCT_OFFSET(TgStudyStrength, member)
    const TgGridColumn strengths[] = {
        { "model", "model", "model", TG_GRID_TEXT, OF(model) },
        { "strength", "strength", "strength", TG_GRID_NUMBER, OF(value), I },
        { level, "bca_*", "interval", TG_GRID_INTERVAL, OF(bootstrap.bca), I },
    };
#undef OF
    TgGrid *grid;

    if (ratings == NULL || ratings->kind != TG_RATINGS_DUEL)
        return;
    grid = tg_grid_new_of("Which prediction is better", 2, columns, G_N_ELEMENTS(columns),
                          w->study->duels);
    tg_grid_note(grid,
                 "A tie is half a win. Intervals: BCa bootstrap over the pairs, %u resamples, seed "
                 "%" G_GUINT64_FORMAT ".",
                 w->study->options.resamples, w->study->options.seed);
    tg_study_keep_grid(w, grid, "duels");
    grid = tg_grid_new_of("Strength of the models (Bradley and Terry)", 1, strengths,
                          G_N_ELEMENTS(strengths), w->study->strengths);
    tg_grid_note(grid, "Log odds of winning against a model of the mean strength, 0.");
    tg_study_keep_grid(w, grid, "strengths");
}
