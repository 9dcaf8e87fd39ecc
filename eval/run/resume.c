/* Taking up an interrupted results file where it ends. */
#include "eval/run/scorer.h"

#include <glib/gstdio.h>
#include <string.h>

#include "core/fail.h"
#include "core/hash.h"
#include "core/json.h"

/* A pair that was scored: its row, and what it was. */
typedef struct {
    guint64 row;
    guint64 hash;
    json_t *status, *notes; /* NULL where all is well */
} DonePair;

static void clear_pair(gpointer data)
{
    DonePair *pair = data;

    json_decref(pair->status);
    json_decref(pair->notes);
}

/* An absent text is not an empty one; bytes that are not UTF-8 stand in no file. */
static guint64 hash_text(guint64 seed, const char *text)
{
    g_autofree char *valid =
        text != NULL && !g_utf8_validate(text, -1, NULL) ? g_utf8_make_valid(text, -1) : NULL;
    const char *written = valid != NULL ? valid : text;
    const guint64 hash = written != NULL ? tg_hash_bytes(written, strlen(written)) : 1;

    return tg_hash_u64(seed * 31 + hash);
}

static guint64 hash_pair(const char *id, const char *model, const char *subset, const char *hyp,
                         const char *const *refs, guint n_refs)
{
    guint64 hash = hash_text(hash_text(hash_text(hash_text(0, id), model), subset), hyp);

    for (guint i = 0; i < n_refs; i++)
        hash = hash_text(hash, refs[i]);
    return hash;
}

/* Read all rows; what they add to the summary is what the run would have added. */
static gboolean replay(TgResume *resume, TgResultsReader *reader, TgSummary *summary,
                       GError **error)
{
    const TgResultsRow *row;

    resume->has_header = TRUE;
    resume->done = g_array_new(FALSE, FALSE, sizeof(DonePair));
    g_array_set_clear_func(resume->done, clear_pair);
    tg_results_allow_interrupted(reader);
    for (;;) {
        if (!tg_results_next(reader, &row, error))
            return FALSE;
        if (row == NULL)
            break;
        const TgSummaryPair pair = tg_summary_pair_of_row(row, row->model);
        const char *hyp = json_string_value(json_object_get(row->json, "pred"));
        guint n;
        g_autofree const char **refs = tg_results_truths(row, &n);
        DonePair done = { row->row, hash_pair(row->id, row->model, row->subset, hyp, refs, n), NULL,
                          json_incref(json_object_get(row->json, "notes")) };

        for (guint m = 0; m < row->layout->metrics->len && done.status == NULL; m++)
            if (row->scores.status[m] != NULL)
                done.status = json_incref(json_object_get(row->json, "status"));
        tg_summary_add_pair(summary, &pair, &row->scores);
        g_array_append_val(resume->done, done);
    }
    resume->n_rows = resume->done->len;
    resume->offset = tg_results_offset(reader);
    resume->seal = tg_results_seal(reader);
    resume->complete = tg_results_footer_json(reader) != NULL;
    return TRUE;
}

static gboolean resume_refuse(const char *path, const char *why, GError **error)
{
    return tg_fail(error, TG_ERROR_OUTPUT, "%s %s", path, why);
}

/* Whether the run ended within its first line; a crash may have left zeros in place of text. */
static gboolean is_begun_header(const char *path, const char *header)
{
    g_autoptr(GString) whole = g_string_new(NULL);
    g_autofree char *text = NULL;
    TgSeal seal = { 0 };
    GStatBuf info;
    gsize n = 0;

    tg_seal_append(&seal, header, strlen(header), whole);
    if (g_stat(path, &info) != 0 || (gsize) info.st_size > whole->len ||
        !g_file_get_contents(path, &text, &n, NULL) || n > whole->len)
        return FALSE;
    for (gsize i = 0; i < n; i++)
        if (text[i] != whole->str[i] && text[i] != '\0')
            return FALSE;
    return TRUE;
}

gboolean tg_resume_open(TgResume *resume, const char *path, const char *header, gboolean wanted,
                        gboolean force, TgSummary *summary, GError **error)
{
    GStatBuf info;

    if ((force && !wanted) || g_stat(path, &info) != 0 || !S_ISREG(info.st_mode) ||
        info.st_size == 0)
        return TRUE;
    g_autoptr(TgResultsReader) reader = tg_results_open(path, !wanted, NULL);
    if (reader == NULL)
        return (wanted && is_begun_header(path, header)) ||
               resume_refuse(path,
                             tg_results_recognize(path)
                                 ? "holds results of another version, or damaged ones: overwrite "
                                   "them with --force"
                                 : "exists and is no results file: overwrite it with --force",
                             error);
    if (!wanted) {
        const TgResultsRow *row;

        while (tg_results_next(reader, &row, NULL) && row != NULL)
            ;
        return resume_refuse(path,
                             tg_results_footer_json(reader) != NULL
                                 ? "has finished results: overwrite them with --force, or add a "
                                   "metric to them with --add"
                                 : "has an interrupted run: continue it with --resume, or "
                                   "overwrite it with --force",
                             error);
    }
    if (tg_results_is_compressed(reader))
        return resume_refuse(path, "is compressed, and cannot be continued", error);
    g_autoptr(GString) own = g_string_new(NULL);
    tg_json_append(own, tg_results_run(reader)->json);
    if (strcmp(own->str, header) != 0)
        return resume_refuse(path,
                             "belongs to another run (other metrics, options, inputs, shard or "
                             "version), so it cannot be resumed",
                             error);
    return replay(resume, reader, summary, error);
}

static gboolean input_changed(guint64 row, GError **error)
{
    return tg_fail_input(error,
                         "row %" G_GUINT64_FORMAT " is not the pair that was scored before the run "
                         "was interrupted: the input has changed; score it anew with --force",
                         row);
}

gboolean tg_resume_wants(TgResume *resume, const TgRecord *record, const TgScoreLayout *layout,
                         TgScores *done, GError **error)
{
    if (resume->done == NULL || resume->next == resume->done->len) {
        if (resume->complete)
            input_changed(record->row, error);
        return !resume->complete;
    }
    const DonePair *pair = &g_array_index(resume->done, DonePair, resume->next++);
    const char *const *refs = (gpointer) record->refs->pdata;
    if (pair->row != record->row ||
        pair->hash != hash_pair(record->id, record->model, record->subset, record->hyp, refs,
                                record->refs->len))
        input_changed(record->row, error);
    for (guint m = 0; m < layout->metrics->len; m++) {
        const char *label = tg_metric_label(tg_score_layout_metric(layout, m));
        const char *status = json_string_value(json_object_get(pair->status, label));

        if (status != NULL && strcmp(status, "ok") != 0)
            tg_scores_set_status(done, m, status);
        done->note[m] = g_strdup(json_string_value(json_object_get(pair->notes, label)));
    }
    return FALSE;
}

gboolean tg_resume_check_end(const TgResume *resume, GError **error)
{
    if (resume->done == NULL || resume->next == resume->done->len)
        return TRUE;
    return input_changed(g_array_index(resume->done, DonePair, resume->next).row, error);
}

void tg_resume_clear(TgResume *resume)
{
    g_clear_pointer(&resume->done, g_array_unref);
}
