#include "eval/run/resume.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "core/json.h"
#include "eval/results/results.h"

static gboolean same_header(const TgResultsReader *reader, const char *header)
{
    GString *text = g_string_new(NULL);

    tg_json_append(text, tg_results_header_json(reader));
    const gboolean same = g_str_equal(text->str, header);
    g_string_free(text, TRUE);
    return same;
}

/* Read all rows; what they add to the summary is what the run would have added. */
static gboolean replay(TgResume *resume, TgResultsReader *reader, TgSummary *summary,
                       GError **error)
{
    const TgResultsRow *row;
    GError *trouble = NULL;

    resume->has_header = TRUE;
    while (tg_results_next(reader, &row, &trouble)) {
        const TgSummaryPair pair = tg_summary_pair_of_row(row, row->model);

        tg_summary_add_pair(summary, &pair, &row->scores);
        resume->n_rows++;
        resume->last_row = row->row;
        g_free(resume->last_id);
        resume->last_id = g_strdup(row->id);
    }
    if (trouble != NULL) {
        g_propagate_error(error, trouble);
        return FALSE;
    }
    resume->complete = tg_results_footer_json(reader) != NULL;
    return TRUE;
}

/* Whether the rest of the file behind the header can be read to a footer. */
static gboolean is_complete(TgResultsReader *reader)
{
    const TgResultsRow *row;

    while (tg_results_next(reader, &row, NULL))
        ;
    return tg_results_footer_json(reader) != NULL;
}

static gboolean resume_refuse(const char *path, const char *why, GError **error)
{
    g_set_error(error, TG_ERROR, TG_ERROR_OUTPUT, "%s %s", path, why);
    return FALSE;
}

/* Whether @path is a file, not a device or a pipe, that is not empty. */
static gboolean holds_something(const char *path)
{
    GStatBuf info;

    return g_stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
}

gboolean tg_resume_open(TgResume *resume, const char *path, const char *header, gboolean wanted,
                        gboolean force, TgSummary *summary, GError **error)
{
    g_autoptr(TgResultsReader) reader = tg_results_open(path, NULL);

    if (force && !wanted)
        return TRUE;
    if (reader == NULL)
        return !holds_something(path) ||
               resume_refuse(path, "exists and is no results file: overwrite it with --force",
                             error);
    if (!wanted)
        return resume_refuse(
            path,
            is_complete(reader)
                ? "has finished results: overwrite them with --force, or add a metric "
                  "to them with --add"
                : "has an interrupted run: continue it with --resume, or overwrite it "
                  "with --force",
            error);
    if (!same_header(reader, header)) {
        g_set_error(
            error, TG_ERROR, TG_ERROR_OUTPUT,
            "%s belongs to another run (other metrics, options, inputs, shard or version), so it "
            "cannot be resumed",
            path);
        return FALSE;
    }
    if (!replay(resume, reader, summary, error))
        return FALSE;
    if (!resume->complete && truncate(path, (off_t) tg_results_offset(reader)) != 0) {
        g_set_error(error, TG_ERROR, TG_ERROR_OUTPUT, "%s: %s", path, g_strerror(errno));
        return FALSE;
    }
    return TRUE;
}

gboolean tg_resume_wants(TgResume *resume, const TgRecord *record, GError **error)
{
    if (record->row > resume->last_row)
        return TRUE;
    if (record->row == resume->last_row && g_strcmp0(record->id, resume->last_id) != 0)
        g_set_error(error, TG_ERROR, TG_ERROR_INPUT,
                    "row %" G_GSIZE_FORMAT
                    " was '%s' when the run was interrupted and is '%s' now: "
                    "the input has changed",
                    record->row, resume->last_id != NULL ? resume->last_id : "without id",
                    record->id != NULL ? record->id : "without id");
    return FALSE;
}

void tg_resume_clear(TgResume *resume)
{
    g_clear_pointer(&resume->last_id, g_free);
}
