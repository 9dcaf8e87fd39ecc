#include "eval/study/json.h"

#include "core/json.h"

static json_t *ends_json(const double ends[2])
{
    return json_pack("[o, o]", tg_json_number(ends[0]), tg_json_number(ends[1]));
}

static json_t *bootstrap_json(const TgBootstrap *b)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:i}", "se", tg_json_number(b->se),
                     "percentile", ends_json(b->percentile), "basic", ends_json(b->basic), "bca",
                     ends_json(b->bca), "z0", tg_json_number(b->z0), "acceleration",
                     tg_json_number(b->acceleration), "undefined_resamples", (int) b->n_undefined);
}

static json_t *coefficient_json(const TgStudyCoefficient *c)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "value", tg_json_number(c->value), "p",
                     tg_json_number(c->p), "interval", ends_json(c->closed), "bootstrap",
                     bootstrap_json(&c->bootstrap));
}

static json_t *accuracy_json(const TgStudyCorrelation *cell)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "value", tg_json_number(cell->acc_eq.value), "epsilon",
                     tg_json_number(cell->epsilon), "tau23", tg_json_number(cell->tau23),
                     "bootstrap", bootstrap_json(&cell->acc_eq.bootstrap));
}

static const char *column_name(const TgStudy *study, guint column)
{
    return tg_table_column(study->table, column)->name;
}

/* Where a number belongs: pairs and group of raters. */
static json_t *place_json(const TgStudy *study, guint slice, guint group)
{
    const TgStudySlice *p = study->slices->pdata[slice];

    return json_pack("{s:o, s:o}", "pairs", tg_json_text(p->name), "group",
                     tg_json_text(tg_table_group(study->table, group)->name));
}

static json_t *correlations_json(const TgStudy *study)
{
    json_t *list = json_array();

    for (guint i = 0; i < study->correlations->len; i++) {
        const TgStudyCorrelation *cell = study->correlations->pdata[i];
        json_t *out = place_json(study, cell->slice, cell->group);

        json_object_set_new(out, "metric", tg_json_text(column_name(study, cell->column)));
        json_object_set_new(out, "n", json_integer(cell->n));
        json_object_set_new(out, "unscored", json_integer(cell->n_unscored));
        json_object_set_new(out, "undefined", tg_json_text(cell->undefined));
        for (guint kind = TG_PEARSON; kind <= TG_KENDALL; kind++)
            json_object_set_new(out, tg_correlation_name(kind),
                                coefficient_json(&cell->coefficient[kind]));
        json_object_set_new(out, "acc_eq", accuracy_json(cell));
        json_array_append_new(list, out);
    }
    return list;
}

static json_t *averages_json(const TgStudy *study)
{
    json_t *list = json_array();

    for (guint p = 0; p < study->slices->len; p++) {
        for (guint c = 0; c < study->table->columns->len; c++) {
            const TgStudySlice *slice = study->slices->pdata[p];

            json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "pairs",
                                                  tg_json_text(slice->name), "metric",
                                                  tg_json_text(column_name(study, c)), "average",
                                                  tg_json_number(tg_study_average(study, p, c))));
        }
    }
    return list;
}

static json_t *test_json(const TgDependentTest *test, const TgStudyComparison *c, guint number)
{
    json_t *out = json_pack("{s:o, s:o, s:o, s:o}", "statistic", tg_json_number(test->statistic),
                            "df", tg_json_number(test->df), "p", tg_json_number(test->p_two_sided),
                            "p_one_sided", tg_json_number(test->p_one_sided));

    if (number < G_N_ELEMENTS(c->holm)) {
        json_object_set_new(out, "holm", tg_json_number(c->holm[number]));
        json_object_set_new(out, "benjamini_hochberg",
                            tg_json_number(c->benjamini_hochberg[number]));
    }
    return out;
}

static json_t *comparisons_json(const TgStudy *study)
{
    enum { WILLIAMS, STEIGER, BOOTSTRAP, NOT_ADJUSTED };
    json_t *list = json_array();

    for (guint i = 0; i < study->comparisons->len; i++) {
        const TgStudyComparison *c = study->comparisons->pdata[i];
        json_t *out = place_json(study, c->slice, c->group), *bootstrap;

        json_object_set_new(out, "a", tg_json_text(column_name(study, c->a)));
        json_object_set_new(out, "b", tg_json_text(column_name(study, c->b)));
        json_object_set_new(out, "n", json_integer(c->n));
        json_object_set_new(out, "r_a", tg_json_number(c->r_a));
        json_object_set_new(out, "r_b", tg_json_number(c->r_b));
        json_object_set_new(out, "r_ab", tg_json_number(c->r_ab));
        json_object_set_new(out, "williams", test_json(&c->williams, c, WILLIAMS));
        json_object_set_new(out, "steiger", test_json(&c->steiger, c, STEIGER));
        json_object_set_new(out, "meng", test_json(&c->meng, c, NOT_ADJUSTED));
        bootstrap = bootstrap_json(&c->bootstrap);
        json_object_set_new(bootstrap, "p", tg_json_number(c->bootstrap_p));
        json_object_set_new(bootstrap, "holm", tg_json_number(c->holm[BOOTSTRAP]));
        json_object_set_new(bootstrap, "benjamini_hochberg",
                            tg_json_number(c->benjamini_hochberg[BOOTSTRAP]));
        json_object_set_new(out, "bootstrap", bootstrap);
        json_array_append_new(list, out);
    }
    return list;
}

static json_t *icc_json(const TgIcc *icc)
{
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "icc_1_1",
        tg_json_number(icc->icc_1_1), "icc_1_k", tg_json_number(icc->icc_1_k), "icc_2_1",
        tg_json_number(icc->icc_2_1), "icc_2_k", tg_json_number(icc->icc_2_k), "icc_3_1",
        tg_json_number(icc->icc_3_1), "icc_3_k", tg_json_number(icc->icc_3_k), "ms_rows",
        tg_json_number(icc->ms_rows), "ms_within", tg_json_number(icc->ms_within), "ms_columns",
        tg_json_number(icc->ms_columns), "ms_error", tg_json_number(icc->ms_error), "f_1",
        tg_json_number(icc->f_1), "f_1_p", tg_json_number(icc->f_1_p));
}

static json_t *three_json(const double coefficients[TG_N_CORRELATIONS])
{
    json_t *out = json_object();

    for (guint kind = TG_PEARSON; kind <= TG_KENDALL; kind++)
        json_object_set_new(out, tg_correlation_name(kind), tg_json_number(coefficients[kind]));
    return out;
}

static json_t *raters_json(const TgStudy *study)
{
    json_t *list = json_array();

    for (guint i = 0; i < study->raters->len; i++) {
        const TgStudyRaters *r = study->raters->pdata[i];

        json_array_append_new(list, json_pack("{s:o, s:i, s:i, s:{s:o, s:o, s:o}, s:o, s:o, s:o}",
                                              "group", tg_json_text(r->group), "raters",
                                              (int) r->n_raters, "pairs", (int) r->n_pairs,
                                              "krippendorff", "nominal",
                                              tg_json_number(r->alpha[TG_NOMINAL]), "ordinal",
                                              tg_json_number(r->alpha[TG_ORDINAL]), "interval",
                                              tg_json_number(r->alpha[TG_INTERVAL]), "undefined",
                                              tg_json_text(r->undefined), "icc",
                                              r->has_icc ? icc_json(&r->icc) : json_null(),
                                              "one_against_rest", three_json(r->ceiling)));
    }
    return list;
}

static json_t *groups_json(const TgStudy *study)
{
    json_t *list = json_array();

    for (guint i = 0; i < study->groups->len; i++) {
        const TgStudyGroups *pair = study->groups->pdata[i];
        json_t *out = three_json(pair->coefficient);

        json_object_set_new(out, "group",
                            tg_json_text(tg_table_group(study->table, pair->a)->name));
        json_object_set_new(out, "other",
                            tg_json_text(tg_table_group(study->table, pair->b)->name));
        json_object_set_new(out, "n", json_integer(pair->n));
        json_array_append_new(list, out);
    }
    return list;
}

static json_t *answers_json(const TgStudyAnswers *answers)
{
    return json_pack("{s:o, s:o, s:i, s:i, s:i, s:i}", "from", tg_json_number(answers->from), "to",
                     tg_json_number(answers->to), "A", (int) answers->count[0], "B",
                     (int) answers->count[1], "both", (int) answers->count[2], "neither",
                     (int) answers->count[3]);
}

static json_t *preferences_json(const TgStudy *study)
{
    json_t *list = json_array();

    for (guint i = 0; i < study->preferences->len; i++) {
        const TgStudyPreference *p = study->preferences->pdata[i];
        json_t *ranges = json_array();

        for (guint r = 0; r < TG_N_SCORE_RANGES; r++)
            json_array_append_new(ranges, answers_json(&p->range[r]));
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o, s:i, s:o, s:o}", "field", tg_json_text(p->field), "a",
                            tg_json_text(column_name(study, p->a)), "b",
                            tg_json_text(column_name(study, p->b)), "unknown", (int) p->n_unknown,
                            "all", answers_json(&p->all), "ranges", ranges));
    }
    return list;
}

static json_t *spellings_json(const TgStudy *study)
{
    json_t *list = json_array();

    for (guint i = 0; i < study->spellings->len; i++) {
        const TgStudySpellings *s = study->spellings->pdata[i];

        json_array_append_new(list, json_pack("{s:o, s:o, s:i, s:i, s:o, s:o, s:o, s:o}", "field",
                                              tg_json_text(s->field), "metric",
                                              tg_json_text(column_name(study, s->column)), "groups",
                                              (int) s->n_groups, "constant", (int) s->n_invariant,
                                              "mean_spread", tg_json_number(s->mean_spread),
                                              "largest_spread", tg_json_number(s->largest_spread),
                                              "mean_deviation", tg_json_number(s->mean_deviation),
                                              "widest_group", tg_json_text(s->worst_group)));
    }
    return list;
}

static json_t *signatures_json(const TgStudy *study)
{
    const TgScoreLayout *layout = study->table->layout;
    json_t *out = json_object();

    for (guint m = 0; m < layout->metrics->len; m++)
        json_object_set_new(out, tg_metric_label(tg_score_layout_metric(layout, m)),
                            json_string(tg_metric_signature(tg_score_layout_metric(layout, m))));
    return out;
}

json_t *tg_study_json(const TgStudy *study, TgStudyParts parts)
{
    json_t *out = json_pack("{s:s, s:o, s:i, s:I, s:o}", "version", tg_version(), "signatures",
                            signatures_json(study), "resamples", (int) study->resamples, "seed",
                            (json_int_t) study->seed, "level", tg_json_number(study->level));

    if ((parts & TG_STUDY_CORRELATIONS) != 0) {
        json_object_set_new(out, "correlations", correlations_json(study));
        json_object_set_new(out, "averages", averages_json(study));
    }
    if ((parts & TG_STUDY_COMPARISONS) != 0)
        json_object_set_new(out, "comparisons", comparisons_json(study));
    if ((parts & TG_STUDY_RATERS) != 0) {
        json_object_set_new(out, "raters", raters_json(study));
        json_object_set_new(out, "between_groups", groups_json(study));
    }
    if ((parts & TG_STUDY_PREFERENCES) != 0)
        json_object_set_new(out, "preferences", preferences_json(study));
    if ((parts & TG_STUDY_SPELLINGS) != 0)
        json_object_set_new(out, "spellings", spellings_json(study));
    return out;
}
