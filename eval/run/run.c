/* The runner: source -> threads -> results file and summary; and results files summed up again. */
#include "eval/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/fail.h"
#include "core/files/output.h"
#include "core/hash.h"
#include "core/json.h"
#include "datasets/documents/documents.h"
#include "datasets/input_names.h"
#include "datasets/records/formula.h"
#include "eval/run/scorer.h"
#include "metrics/metric.h"

/* A pair that was scored: its row, and what it was. */
typedef struct {
    guint64 row;
    guint64 hash;
    json_t *status, *notes; /* NULL where all is well */
} DonePair;

typedef struct {
    const TgEvalOptions *options;
    TgSummary *summary;
    TgScorer *scorer;
    const TgScoreLayout *layout; /* the scorer's */
    TgSource *source;
    char *page_rows;       /* of pages that were matched: a temporary file, the input; or NULL */
    gboolean tells_faults; /* of predictions, which are LaTeX */

    int output;        /* descriptor; -1: none */
    TgSeal seal;       /* of what is in it */
    guint64 n_lines;   /* pair lines in the output */
    GArray *done;      /* of DonePair: those of an output that is continued; NULL: it is new */
    guint next;        /* the first of them that the input did not come to yet */
    gboolean complete; /* nothing is left to score */
    TgCauses *causes;
    guint clean; /* rules */
    guint64 n_faults;
    gboolean has_predictions; /* in any row so far */
    gboolean has_pairs;       /* any row so far can be used */
    atomic_ullong n_rows, n_failed;
} Run;

/* ---- taking up an interrupted results file where it ends ---- */

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

/*
 * Look at the file that a run is going to write; whoever writes it has a lock on it.
 *
 * A file that is empty, or no file but a device or a pipe, is new. An interrupted results file is
 * taken up when this is wanted: its header must be @header (as before it is sealed), its pairs are
 * added to the summary. When it is not wanted, a file that holds anything is not overwritten,
 * unless this is forced.
 *
 * @end: (out) bytes up to the end of the last whole line
 */
static gboolean resume_open(Run *run, const char *header, guint64 *end, GError **error)
{
    const char *path = run->options->output;
    const gboolean wanted = run->options->resume;
    GStatBuf info;

    *end = 0;
    if ((run->options->summary.force && !wanted) || g_stat(path, &info) != 0 ||
        !S_ISREG(info.st_mode) || info.st_size == 0)
        return TRUE;
    g_autoptr(TgResultsReader) reader = tg_results_open(path, NULL);
    if (reader == NULL)
        return (wanted && is_begun_header(path, header)) ||
               resume_refuse(path,
                             tg_results_recognize(path)
                                 ? "holds results of another version, or damaged ones: overwrite "
                                   "them with --force"
                                 : "exists and is not a results file: overwrite it with --force",
                             error);
    if (!wanted) {
        const TgResultsRow *row;

        while (tg_results_next(reader, &row, NULL) == TG_NEXT_ROW)
            ;
        return resume_refuse(path,
                             reader->footer != NULL
                                 ? "has finished results: overwrite them with --force, or add a "
                                   "metric to them with --add"
                                 : "has an interrupted run: continue it with --resume, or "
                                   "overwrite it with --force",
                             error);
    }
    if (reader->stream->decoder != NULL)
        return resume_refuse(path, "is compressed, and cannot be continued", error);
    g_autoptr(GString) own = g_string_new(NULL);
    tg_json_append(own, reader->header->json);
    if (strcmp(own->str, header) != 0)
        return resume_refuse(path,
                             "belongs to another run (other metrics, options, inputs, shard or "
                             "version), so it cannot be resumed",
                             error);
    /* Read all rows; what they add to the summary is what the run would have added. */
    const TgResultsRow *row;
    TgNext next;

    run->done = g_array_new(FALSE, FALSE, sizeof(DonePair));
    g_array_set_clear_func(run->done, clear_pair);
    reader->is_continued = TRUE;
    while ((next = tg_results_next(reader, &row, error)) == TG_NEXT_ROW) {
        const TgSummaryPair pair = tg_summary_pair_of_row(row, row->model);
        const char *hyp = json_string_value(json_object_get(row->json, "pred"));
        guint n;
        g_autofree const char **refs = tg_results_refs(row, &n);
        DonePair done = { row->row, hash_pair(row->id, row->model, row->subset, hyp, refs, n), NULL,
                          json_incref(json_object_get(row->json, "notes")) };

        for (guint m = 0; m < row->layout->metrics->len && done.status == NULL; m++)
            if (row->scores.status[m] != NULL)
                done.status = json_incref(json_object_get(row->json, "status"));
        tg_summary_add_pair(run->summary, &pair, &row->scores);
        g_array_append_val(run->done, done);
    }
    if (next == TG_NEXT_ERROR)
        return FALSE;
    run->n_lines = run->done->len;
    run->seal = reader->seal;
    run->complete = reader->footer != NULL;
    *end = reader->offset;
    return TRUE;
}

static gboolean input_changed(guint64 row, GError **error)
{
    return tg_fail_input(error,
                         "row %" G_GUINT64_FORMAT
                         " is not the pair that was scored before the run was interrupted: the "
                         "input has changed; score it again with --force",
                         row);
}

/* ---- rows through the scorer ---- */

static gboolean in_shard(const TgEvalOptions *options, guint64 row)
{
    return options->n_shards == 0 || (row - 1) % options->n_shards == options->shard - 1;
}

/* The first fault of a prediction's source, by which the report counts it, too. (transfer full) */
static char *fault_of_prediction(const Run *run, const TgRecord *record)
{
    return run->tells_faults && record->fault == NULL && record->hyp != NULL
               ? tg_causes_first_fault(record->hyp)
               : NULL;
}

/* Note the facts about a row that are told when all rows are done. @fault: of its prediction */
static void note_row(Run *run, const TgRecord *record, const TgScores *scores, const char *fault)
{
    run->has_predictions = run->has_predictions || record->hyp != NULL;
    run->has_pairs = run->has_pairs || record->fault == NULL;
    if (run->tells_faults)
        tg_causes_add_prediction(run->causes, record, fault);
    tg_causes_add_scores(run->causes, run->layout, record, scores);
    if (run->options->note != NULL)
        tg_causes_add_signs(run->causes, record, run->clean, run->options->source.keep_delimiters);
    if (record->fault != NULL) {
        tg_causes_add_fault(run->causes, record);
        run->n_faults++;
    }
}

/* Find out whether a row of this shard is still to be scored (@wanted); if it is not, its statuses
 * and notes are told again. Rows that were scored before the interruption come first in the input,
 * so no other thread emits while they are counted. FALSE if the row was another one when it was
 * scored, because the input has changed. */
static gboolean sort_record(Run *run, const TgRecord *record, gboolean *wanted, GError **error)
{
    *wanted = run->done == NULL || run->next == run->done->len;
    if (*wanted)
        return !run->complete || input_changed(record->row, error);
    const DonePair *pair = &g_array_index(run->done, DonePair, run->next++);
    const char *const *refs = (gpointer) record->refs->pdata;
    if (pair->row != record->row ||
        pair->hash != hash_pair(record->id, record->model, record->subset, record->hyp, refs,
                                record->refs->len))
        return input_changed(record->row, error);
    g_autofree char *fault = fault_of_prediction(run, record);
    TgScores done;

    tg_scores_init(&done, run->layout);
    for (guint m = 0; m < run->layout->metrics->len; m++) {
        const char *label = tg_metric_label(run->layout->metrics->pdata[m]);
        const char *status = json_string_value(json_object_get(pair->status, label));

        if (status != NULL && strcmp(status, "ok") != 0)
            tg_scores_set_status(&done, m, status);
        done.note[m] = g_strdup(json_string_value(json_object_get(pair->notes, label)));
    }
    note_row(run, record, &done, fault);
    tg_scores_clear(&done, run->layout);
    return TRUE;
}

/* The next row of this shard that is still to be scored. */
static TgNext next_row(gpointer data, TgFlowRow *row, GError **error)
{
    Run *run = data;
    gboolean wanted = FALSE;
    TgNext next = TG_NEXT_ROW;

    while (next == TG_NEXT_ROW && !wanted) {
        next = tg_source_next(run->source, &row->record, error);
        if (next == TG_NEXT_ROW && in_shard(run->options, row->record.row) &&
            !sort_record(run, &row->record, &wanted, error))
            next = TG_NEXT_ERROR;
    }
    if (next != TG_NEXT_ROW)
        tg_record_clear(&row->record);
    if (next == TG_NEXT_END && run->done != NULL && run->next < run->done->len)
        return input_changed(g_array_index(run->done, DonePair, run->next).row, error);
    return next;
}

/* The memory that a row has of its own is the fault of its prediction. */
static void format_row(gpointer data, TgFlowRow *row, const TgScorerWorker *worker,
                       TgScores *scores, GString *text)
{
    const Run *run = data;

    (void) worker;
    row->own = fault_of_prediction(run, &row->record);
    if (run->output >= 0)
        tg_results_append_row(text, run->layout, &row->record, scores);
}

static gboolean fail_output(const Run *run, GError **error)
{
    return tg_fail(error, TG_ERROR_OUTPUT, "%s: %s", run->options->output, g_strerror(errno));
}

/* Whether the file still holds all that was written. If it was cut, the next write would fill the
 * gap with zeros. */
static gboolean check_uncut(const Run *run, GError **error)
{
    const off_t written = lseek(run->output, 0, SEEK_CUR);
    struct stat own;

    return written <= 0 || fstat(run->output, &own) != 0 || !S_ISREG(own.st_mode) ||
           own.st_size >= written ||
           tg_fail(error, TG_ERROR_OUTPUT, "%s: was cut during the run", run->options->output);
}

/* Write lines, which get their checksums here, where their order is known. A program that embeds
 * the library may have handlers of signals that interrupt calls (EINTR). */
static gboolean put_lines(Run *run, const char *lines, gsize n, GError **error)
{
    g_autoptr(GString) text = g_string_sized_new(n + n / 16);
    const char *end = lines + n;

    for (const char *next; run->output >= 0 && lines < end; lines = next + 1) {
        next = memchr(lines, '\n', (gsize) (end - lines));
        next = next != NULL ? next : end;
        tg_seal_append(&run->seal, lines, (gsize) (next - lines), text);
    }
    if (run->output != STDOUT_FILENO && text->len > 0 && !check_uncut(run, error))
        return FALSE;
    for (gsize at = 0; at < text->len;) {
        const gssize done = write(run->output, text->str + at, text->len - at);

        if (done < 0 && errno != EINTR)
            return fail_output(run, error);
        at += (gsize) MAX(done, 0);
    }
    return TRUE;
}

static gboolean emit_rows(gpointer data, TgFlowRow *rows, guint n, const GString *text,
                          GError **error)
{
    Run *run = data;

    if (!put_lines(run, text->str, text->len, error))
        return FALSE;
    for (guint i = 0; i < n; i++) {
        const TgRecord *record = &rows[i].record;
        const TgScores *scores = &rows[i].scores;
        const TgSummaryPair pair = { record->row, record->model, record->subset, record->id,
                                     record->stored };
        gboolean failed = FALSE;

        for (guint m = 0; m < run->layout->metrics->len; m++)
            failed = failed || !tg_status_is_ok(scores->status[m]);
        tg_summary_add_pair(run->summary, &pair, scores);
        note_row(run, record, scores, rows[i].own);
        atomic_fetch_add(&run->n_rows, 1);
        atomic_fetch_add(&run->n_failed, failed);
    }
    run->n_lines += n;
    return TRUE;
}

static gboolean tell_progress(gpointer data)
{
    Run *run = data;
    TgProgress progress = { 0 };

    if (run->options->progress == NULL)
        return TRUE;
    progress.rows = atomic_load(&run->n_rows);
    progress.failures = atomic_load(&run->n_failed);
    tg_source_progress(run->source, &progress.bytes_read, &progress.bytes_total);
    return run->options->progress(&progress, run->options->data);
}

/* ---- pages ---- */

/* Match the pages with the reference: their rows become the input. */
static gboolean match_pages(Run *run, GError **error)
{
    const TgEvalOptions *options = run->options;

    run->page_rows = tg_temporary_new(error);
    if (run->page_rows == NULL)
        return FALSE;
    FILE *rows = fopen(run->page_rows, "wb");
    const TgDocumentsOptions how = {
        .protocol = TG_PROTOCOL_OMNIDOCBENCH,
        .ref = options->source.refs[0],
        .inputs = options->pages,
        .threads = options->threads,
        .rows = rows,
        .fault = options->fault,
        .note = options->note,
        .progress = options->progress,
        .data = options->data,
    };
    if (rows != NULL && !tg_documents_run(&how, &run->n_faults, error)) {
        fclose(rows);
        return FALSE;
    }
    const gboolean good = rows != NULL && ferror(rows) == 0;
    return ((rows == NULL || fclose(rows) == 0) && good) ||
           tg_fail(error, TG_ERROR_OUTPUT, "%s: %s", run->page_rows, g_strerror(errno));
}

/* The files as results name them. The rows of pages stand for the reference's. */
static const TgSourceInput *inputs_of(const Run *run, guint *n)
{
    static const char format[] = "pages";
    TgSourceInput *inputs = (TgSourceInput *) tg_source_inputs(run->source, n);

    for (guint i = 0; run->page_rows != NULL && i < *n; i++)
        if (strcmp(inputs[i].name, run->page_rows) == 0) {
            inputs[i].name = run->options->source.refs[0];
            inputs[i].format = format;
        }
    return inputs;
}

/* Tell which fields were which, once for files with the same ones, and what else the source says.
 */
static void note_inputs(const Run *run)
{
    g_autoptr(GString) text = g_string_new("read");
    const char *before = NULL, *const * notes;
    guint n, n_notes;
    const TgSourceInput *inputs = tg_source_inputs(run->source, &n);

    for (guint i = 0; i < n; i++) {
        const char *roles = inputs[i].roles;

        if (roles == NULL || inputs[i].sha256 == NULL || g_strcmp0(roles, before) == 0)
            continue;
        g_string_append_printf(text, "%s %s: %s", before != NULL ? ";" : "",
                               strcmp(inputs[i].name, "-") == 0 ? "stdin" : inputs[i].name, roles);
        before = roles;
    }
    if (before != NULL && run->page_rows == NULL)
        run->options->note(text->str, run->options->data);
    notes = tg_source_notes(run->source, &n_notes);
    for (guint i = 0; i < n_notes; i++)
        run->options->note(notes[i], run->options->data);
}

/* ---- the output ---- */

/* Open the file as it is; two runs that write the same one would destroy both's results. */
static int open_locked(const char *path, GError **error)
{
    int fd;

    do {
        fd = g_open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0)
        tg_fail(error, TG_ERROR_OUTPUT, "%s: %s", path, g_strerror(errno));
    else if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        tg_fail(error, TG_ERROR_OUTPUT, "%s is being written by another run", path);
        close(fd);
        return -1;
    }
    return fd;
}

/* Remove what stands after @end, and go on there. A device or a pipe has nothing. */
static gboolean cut_after(int fd, off_t end)
{
    struct stat info;
    int status;

    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return TRUE;
    do {
        status = ftruncate(fd, end);
    } while (status != 0 && errno == EINTR);
    return status == 0 && lseek(fd, end, SEEK_SET) == end;
}

/* Open the output, or take an interrupted one up again, and see to its header. An output that is an
 * input as well would be gone before it is read. */
static gboolean open_output(Run *run, GError **error)
{
    const TgEvalOptions *options = run->options;
    const char *path = options->output;
    guint n;
    const TgSourceInput *inputs = inputs_of(run, &n);
    json_auto_t *recorded = tg_args_record(tg_run_args, options);
    const TgResultsInfo about = {
        .layout = run->layout,
        .inputs = inputs,
        .n_inputs = n,
        .has_fields = run->page_rows == NULL,
        .options = recorded,
        .mean = run->summary->mean.unit != TG_MEAN_PAIRS ? options->summary.mean : NULL,
        .shard = options->n_shards > 0 ? options->shard : 1,
        .n_shards = MAX(options->n_shards, 1),
    };
    guint64 end;

    if (path == NULL)
        return TRUE;
    if (!tg_output_check(path, NULL, NULL, error))
        return FALSE;
    g_autofree char *header = tg_results_header(&about);
    if (strcmp(path, "-") == 0) {
        run->output = STDOUT_FILENO;
        fflush(stdout); /* output of the program so far */
        return put_lines(run, header, strlen(header), error);
    }
    run->output = open_locked(path, error);
    if (run->output < 0 || !resume_open(run, header, &end, error))
        return FALSE;
    if (run->complete)
        return TRUE;
    if (!cut_after(run->output, (off_t) end))
        return fail_output(run, error);
    return run->done != NULL || put_lines(run, header, strlen(header), error);
}

/* Whether the output is still the file of its name, with all that was written. */
static gboolean check_output_file(const Run *run, GError **error)
{
    const char *path = run->options->output;
    struct stat own, there;

    if (fstat(run->output, &own) != 0 || !S_ISREG(own.st_mode))
        return TRUE;
    if (stat(path, &there) != 0 || there.st_ino != own.st_ino || there.st_dev != own.st_dev)
        return tg_fail(error, TG_ERROR_OUTPUT, "%s: was removed or replaced during the run", path);
    return check_uncut(run, error);
}

/* Linux closes a descriptor whatever close() returns; a disk over a network reports only here what
 * it could not store. */
static gboolean close_output(Run *run, gboolean good, GError **error)
{
    const int fd = run->output;

    good = good && (fd < 0 || fd == STDOUT_FILENO || check_output_file(run, error));
    run->output = -1;
    return fd < 0 || fd == STDOUT_FILENO || close(fd) == 0 || errno == EINTR || !good
               ? good
               : fail_output(run, error);
}

/* ---- the metrics ---- */

/* Whether the first row has the counts of OmniDocBench's edit distance. What can be read only once
 * is not asked. */
static gboolean brings_distances(const TgEvalOptions *options)
{
    const TgSourceOptions how = { .format = options->source.format, .keep_others = TRUE };
    g_auto(TgInputNames) names = { 0 };
    g_auto(TgRecord) record = { 0 };

    if (options->pages != NULL)
        return TRUE;
    if (options->inputs == NULL || !tg_input_names_init(&names, options->inputs, NULL, NULL) ||
        names.n == 0 || !g_file_test(names.at[0].path, G_FILE_TEST_IS_REGULAR))
        return FALSE;
    g_autoptr(TgSource) source =
        tg_source_open((const char *const[]){ names.at[0].path, NULL }, &how, NULL);
    return source != NULL && tg_source_next(source, &record, NULL) == TG_NEXT_ROW &&
           (json_is_number(json_object_get(record.stored, "norm_distance")) ||
            json_is_number(json_object_get(record.stored, "Edit_num")));
}

char *tg_eval_metrics(const TgEvalOptions *options)
{
    g_autoptr(GPtrArray) specs = tg_metric_sets_expand(options->metrics);

    for (guint i = 0; i < specs->len; i++)
        if (strstr(specs->pdata[i], "edit-dist") != NULL)
            return g_strdup(options->metrics);
    if (options->summary.mean == NULL || !g_str_has_prefix(options->summary.mean, "pages") ||
        !brings_distances(options))
        return g_strdup(options->metrics);
    return g_strconcat(options->metrics, ",Edit_dist=edit-dist", NULL);
}

/* ---- a whole run ---- */

static gboolean check_options(const TgEvalOptions *options, GError **error)
{
    const char *wrong = NULL;

    if (options->metrics == NULL || *options->metrics == '\0')
        wrong = "no metric given";
    else if (options->inputs == NULL && options->source.refs == NULL &&
             options->source.pairs == NULL)
        wrong = "no input named";
    else if (options->pages != NULL &&
             (options->source.refs == NULL || options->source.refs[0] == NULL ||
              options->source.refs[1] != NULL))
        wrong = "pages need one file of references";
    else if (options->pages != NULL && (options->inputs != NULL || options->source.hyps != NULL))
        wrong = "give either pages or other predictions";
    else if (options->pages == NULL && options->source.refs != NULL && options->source.hyps == NULL)
        wrong = "references need predictions to be joined with";
    else if (options->n_shards > 0 && (options->shard < 1 || options->shard > options->n_shards))
        wrong = "the shard must be between 1 and the number of shards";
    else if (options->resume && (options->output == NULL || strcmp(options->output, "-") == 0))
        wrong = "only a results file can be resumed";
    return wrong == NULL || tg_fail_usage(error, "%s", wrong);
}

/* A label graph is no LaTeX: whatever reads it as such would compare lists of nodes, in silence. */
static gboolean check_label_graphs(Run *run, GError **error)
{
    guint n;
    const TgSourceInput *inputs = inputs_of(run, &n);

    run->tells_faults = run->options->note != NULL && !run->options->source.token_ids;
    for (guint i = 0; i < n; i++) {
        if (g_strcmp0(inputs[i].format, "label-graph") != 0)
            continue;
        run->tells_faults = FALSE;
        for (guint m = 0; m < run->layout->metrics->len; m++) {
            const TgMetric *metric = run->layout->metrics->pdata[m];

            if (strcmp(tg_metric_info(metric)->name, "crohme-graph") != 0)
                return tg_fail_input(error,
                                     "%s: is a label graph, which %s would compare as text; "
                                     "crohme-graph reads it: --metrics crohme-graph",
                                     inputs[i].name, tg_metric_label(metric));
        }
    }
    return TRUE;
}

/* Keep the fields that are asked for, and those that the summary goes by. */
static TgSource *open_source(const Run *run, GError **error)
{
    const TgEvalOptions *options = run->options;
    static const char *const of_pages[] = {
        "page",        "match",          "norm_distance", "norm_length", "page_attributes",
        "page_unused", "page_elsewhere", "page_extras",   "order",       NULL
    };
    const char *of_mean[] = { run->summary->mean.field, NULL };
    const char *const input[] = { run->page_rows, NULL };
    const char *const *const lists[] = { options->source.columns, options->summary.by, of_mean,
                                         run->page_rows != NULL && options->source.columns != NULL
                                             ? of_pages
                                             : NULL };
    g_autoptr(GPtrArray) fields = g_ptr_array_new();

    for (guint i = 0; i < G_N_ELEMENTS(lists); i++)
        for (const char *const *field = lists[i]; field != NULL && *field != NULL; field++)
            if (!g_ptr_array_find_with_equal_func(fields, *field, g_str_equal, NULL))
                g_ptr_array_add(fields, (gpointer) *field);
    g_ptr_array_add(fields, NULL);
    TgSourceOptions how = options->source;
    how.columns = (const char *const *) fields->pdata;
    how.keep_others = options->source.columns == NULL;
    if (run->page_rows != NULL)
        how.refs = NULL;

    return tg_source_open(run->page_rows != NULL ? input : options->inputs, &how, error);
}

/* The end of the output. A table of nothing would look like a result; a shard may have no rows by
 * chance. A field name that leads nowhere looks like raters, or a model, that answered nothing. */
static gboolean finish_rows(Run *run, GError **error)
{
    const TgEvalOptions *options = run->options;
    const char *unmet = run->n_lines > 0 ? tg_source_unmet_field(run->source) : NULL;
    const char *wrong = NULL;
    guint n;
    const TgSourceInput *inputs = inputs_of(run, &n);
    g_autofree char *footer = tg_results_footer(run->n_lines, inputs, n);

    if (unmet != NULL) {
        g_autofree char *message = g_strdup_printf("no row has a field '%s'", unmet);

        run->n_faults++;
        if (options->fault != NULL)
            options->fault(message, options->data);
    }
    if (!put_lines(run, footer, strlen(footer), error))
        return FALSE;
    for (guint i = 0; i < n; i++) {
        char *remark = tg_damage_text(&inputs[i].damage, inputs[i].name);

        if (remark != NULL)
            g_ptr_array_add(run->summary->remarks, remark);
    }
    if (run->n_lines == 0)
        wrong = "the inputs have no pairs";
    else if (!run->has_pairs && n > 0 && strcmp(inputs[0].name, "-") == 0 &&
             inputs[0].roles == NULL && options->source.format == NULL)
        wrong = "no row of the inputs can be used; stdin has no name that tells its format: "
                "--format csv, for example";
    else if (!run->has_pairs)
        wrong = "no row of the inputs can be used";
    else if (!run->has_predictions && n > 0 && options->inputs != NULL &&
             (strcmp(inputs[0].format, "list") == 0 || strcmp(inputs[0].format, "captions") == 0))
        wrong =
            "the inputs are formulas without partners; join references and predictions: --gt FILE "
            "--pred FILE";
    else if (!run->has_predictions)
        wrong = "no row has a prediction; if the inputs have them, name their field with "
                "--map pred=FIELD";
    if (wrong != NULL && !options->allow_empty && options->n_shards <= 1 &&
        (run->done == NULL || run->done->len == 0))
        return tg_fail_input(error, "%s", wrong);
    return options->n_shards > 1 || tg_summary_check(run->summary, error);
}

static gboolean run_all(Run *run, GError **error)
{
    const TgFlow flow = { .scorer = run->scorer,
                          .threads = run->options->threads,
                          .live = run->options->inputs != NULL &&
                                  g_strv_contains(run->options->inputs, "-"),
                          .data = run,
                          .next = next_row,
                          .done = format_row,
                          .emit = emit_rows,
                          .free_own = g_free,
                          .progress = tell_progress };

    if (!open_output(run, error))
        return close_output(run, FALSE, NULL);
    if (run->complete) { /* the inputs must still hold the pairs that were scored */
        TgFlowRow row = { 0 };

        return close_output(run, next_row(run, &row, error) == TG_NEXT_END, error);
    }
    return close_output(run, tg_flow_run(&flow, error) && finish_rows(run, error), error);
}

TgSummary *tg_eval_run(const TgEvalOptions *given, guint64 *n_faults, GError **error)
{
    TgEvalOptions own = *given;
    const TgEvalOptions *options = &own;
    Run run = { .options = options, .output = -1 };

    if (!check_options(given, error) || !tg_clean_parse(given->source.clean, &run.clean, error))
        return NULL;
    /* The rules as the header has them. CDM has delimiters of its own in "omnidocbench". */
    g_autofree char *clean = tg_clean_name(run.clean);
    own.source.clean = clean;
    if (own.summary.mean == NULL && given->pages != NULL)
        own.summary.mean = "pages";
    own.source.keep_delimiters = given->source.keep_delimiters || given->source.token_ids ||
                                 strcmp(given->metrics, "omnidocbench") == 0;
    g_autofree char *metrics = tg_eval_metrics(options);
    const TgScorerOptions how = tg_eval_scorer_options(options);
    g_autoptr(TgScorer) scorer = tg_scorer_new(metrics, &how, error);
    if (scorer == NULL)
        return NULL;
    g_autoptr(TgSummary) summary =
        tg_summary_new(tg_score_layout_ref(scorer->layout), &options->summary, error);
    g_autoptr(TgCauses) causes = tg_causes_new();

    if (summary == NULL)
        return NULL;
    summary->is_altered = clean != NULL || options->n_shards > 1;
    run.summary = summary;
    run.scorer = scorer;
    run.layout = scorer->layout;
    run.causes = causes;
    const gboolean matched = options->pages == NULL || match_pages(&run, error);
    g_autoptr(TgSource) source = run.source = matched ? open_source(&run, error) : NULL;
    const gboolean good = source != NULL && check_label_graphs(&run, error) && run_all(&run, error);
    if (options->fault != NULL)
        tg_causes_report(causes, TRUE, options->fault, options->data);
    if (options->note != NULL && source != NULL)
        note_inputs(&run);
    if (options->note != NULL)
        tg_causes_report(causes, FALSE, options->note, options->data);
    g_clear_pointer(&run.done, g_array_unref);
    tg_temporary_remove(run.page_rows);
    if (n_faults != NULL)
        *n_faults = run.n_faults;
    return good ? g_steal_pointer(&summary) : NULL;
}

/* ---- finished results ---- */

TgSummary *tg_eval_merge(const char *const *paths, const TgSummaryOptions *options, GError **error)
{
    static const TgSummaryOptions none = { 0 };
    TgSummaryOptions own = options != NULL ? *options : none;
    g_autoptr(TgResultsSet) set = tg_results_set_new(paths, TG_RESULTS_ONE_RUN, own.force, error);
    g_autoptr(TgSummary) summary = NULL;
    const TgResultsRow *row;
    TgNext next;
    guint file;

    if (set == NULL)
        return NULL;
    do {
        next = tg_results_set_next(set, &row, &file, error);
        if (next == TG_NEXT_ERROR)
            return NULL;
        if (summary == NULL && own.mean == NULL)
            own.mean = tg_run_header_mean(set->header);
        if (summary == NULL)
            summary = tg_summary_new(tg_score_layout_ref(set->header->layout), &own, error);
        if (summary == NULL)
            return NULL;
        if (next == TG_NEXT_ROW) {
            g_autofree char *model = tg_results_set_model(set, file, row->model);
            const TgSummaryPair pair = tg_summary_pair_of_row(row, model);

            tg_summary_add_pair(summary, &pair, &row->scores);
        }
    } while (next == TG_NEXT_ROW);
    const json_t *recorded = json_object_get(set->header->json, "options");
    summary->is_altered = json_object_get(recorded, "clean") != NULL;
    const GPtrArray *remarks = set->remarks;
    for (guint i = 0; i < remarks->len; i++)
        g_ptr_array_add(summary->remarks, g_strdup(remarks->pdata[i]));
    return tg_summary_check(summary, error) ? g_steal_pointer(&summary) : NULL;
}
