/* The runner: source -> threads -> results file and summary. */
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
#include "core/pipeline.h"
#include "datasets/records/formula.h"
#include "eval/results/results.h"
#include "eval/run/causes.h"
#include "eval/run/chunk.h"
#include "eval/run/resume.h"
#include "eval/run/summary.h"
#include "metrics/metric.h"

typedef struct {
    TgRecord records[TG_CHUNK_MAX_PAIRS];
    TgScores scores[TG_CHUNK_MAX_PAIRS];
    guint n;
    guint n_failed;
    GString *text;
    GError *error;
} Chunk;

typedef struct {
    const TgEvalOptions *options;
    TgSummary *summary;
    TgScorer *scorer;
    const TgScoreLayout *layout; /* the scorer's */
    guint n_threads;
    TgScorerWorker **workers; /* [n_threads] */
    gboolean live;            /* a reader of a pipe waits for every row */

    FILE *output;    /* NULL: none */
    guint64 n_lines; /* pair lines in the output */
    GError *error;   /* the first one; set by emit */
    TgCauses *causes;
    guint clean; /* rules */
    guint64 n_faults;
    gboolean has_predictions; /* in any row so far */
    gboolean has_pairs;       /* any row so far can be used */
    atomic_bool stopped;
    atomic_ullong n_rows, n_failed;
} Run;

static void put_fault(Run *run, const char *message)
{
    run->n_faults++;
    if (run->options->fault != NULL)
        run->options->fault(message, run->options->data);
}

/* ---- threads ---- */

static void chunk_free(Run *run, Chunk *chunk)
{
    for (guint i = 0; i < chunk->n; i++) {
        tg_record_clear(&chunk->records[i]);
        tg_scores_clear(&chunk->scores[i], run->layout);
    }
    g_string_free(chunk->text, TRUE);
    g_clear_error(&chunk->error);
    g_free(chunk);
}

static gboolean has_failed(const TgScores *scores, guint n_metrics)
{
    for (guint m = 0; m < n_metrics; m++)
        if (scores->status[m] != NULL)
            return TRUE;
    return FALSE;
}

/* A chunk on a thread. */
typedef struct {
    const Run *run;
    Chunk *chunk;
} Part;

static void read_row(gpointer data, TgScorerWorker *worker, gsize i, TgScoreItem *item)
{
    (void) worker;
    *item = tg_chunk_item(&((const Part *) data)->chunk->records[i]);
}

static TgScores *scores_of_row(gpointer data, TgScorerWorker *worker, gsize i)
{
    (void) worker;
    return &((const Part *) data)->chunk->scores[i];
}

static void format_row(gpointer data, gsize i, TgScores *scores)
{
    const Run *run = ((const Part *) data)->run;
    Chunk *chunk = ((const Part *) data)->chunk;

    chunk->n_failed += has_failed(scores, run->layout->metrics->len);
    if (run->output != NULL)
        tg_results_append_row(chunk->text, run->layout, &chunk->records[i], scores);
}

static void score_chunk(gpointer item, guint number, gpointer data)
{
    const Run *run = data;
    Chunk *chunk = item;
    Part part = { run, chunk };
    const TgChunkPairs pairs = { &part, read_row, scores_of_row, format_row };

    tg_chunk_score(run->scorer, run->workers[number], &pairs, 0, chunk->n, &chunk->error);
}

static void write_chunk(Run *run, const Chunk *chunk)
{
    if (run->output == NULL)
        return;
    if (fwrite(chunk->text->str, 1, chunk->text->len, run->output) != chunk->text->len ||
        fflush(run->output) != 0)
        g_set_error(&run->error, TG_ERROR, TG_ERROR_OUTPUT, "%s: %s", run->options->output,
                    g_strerror(errno));
}

static void emit_chunk(gpointer item, gpointer data)
{
    Run *run = data;
    Chunk *chunk = item;

    if (run->error == NULL && chunk->error != NULL)
        run->error = g_steal_pointer(&chunk->error);
    if (run->error == NULL)
        write_chunk(run, chunk);
    if (run->error != NULL) {
        atomic_store(&run->stopped, TRUE);
        chunk_free(run, chunk);
        return;
    }

    for (guint i = 0; i < chunk->n; i++) {
        const TgRecord *record = &chunk->records[i];
        const TgSummaryPair pair = { record->row, record->model, record->subset, record->id,
                                     record->stored };
        tg_summary_add_pair(run->summary, &pair, &chunk->scores[i]);
        run->has_predictions = run->has_predictions || record->hyp != NULL;
        run->has_pairs = run->has_pairs || record->fault == NULL;
        tg_causes_add_scores(run->causes, run->layout, record, &chunk->scores[i]);
        if (record->hyp != NULL && !tg_clean_has_fences(run->clean) &&
            tg_clean_is_fenced(record->hyp))
            tg_causes_add_fence(run->causes, record);
        if (record->fault == NULL)
            continue;
        tg_causes_add_fault(run->causes, record);
        run->n_faults++;
    }
    run->n_lines += chunk->n;
    atomic_fetch_add(&run->n_rows, chunk->n);
    atomic_fetch_add(&run->n_failed, chunk->n_failed);
    chunk_free(run, chunk);
}

/* ---- reading ---- */

/* Tell the caller; FALSE when they want no more. */
static gboolean report_progress(const Run *run, const TgSource *source)
{
    TgProgress progress = { 0 };

    if (run->options->progress == NULL)
        return TRUE;
    progress.rows = atomic_load(&run->n_rows);
    progress.failures = atomic_load(&run->n_failed);
    tg_source_progress(source, &progress.bytes_read, &progress.bytes_total);
    return run->options->progress(&progress, run->options->data);
}

static gboolean in_shard(const TgEvalOptions *options, guint64 row)
{
    return options->n_shards == 0 || (row - 1) % options->n_shards == options->shard - 1;
}

/* Fill a chunk with rows of this shard; an empty one at the end of the input. */
static Chunk *next_chunk(const Run *run, TgSource *source, TgResume *resume, GError **error)
{
    const guint size = run->live ? 1 : tg_chunk_size(run->scorer);
    Chunk *chunk = g_new0(Chunk, 1);
    GError *trouble = NULL;

    chunk->text = g_string_new(NULL);
    while (chunk->n < size && trouble == NULL) {
        g_auto(TgRecord) record = { 0 };

        if (!tg_source_next(source, &record, &trouble))
            break;
        if (!in_shard(run->options, record.row) || !tg_resume_wants(resume, &record, &trouble))
            continue;
        tg_scores_init(&chunk->scores[chunk->n], run->layout);
        chunk->records[chunk->n++] = record;
        memset(&record, 0, sizeof record); /* it has moved */
    }
    if (trouble != NULL)
        g_propagate_error(error, trouble);
    return chunk;
}

/* Everything from the source through the pipeline; FALSE when the source breaks. */
static gboolean run_rows(Run *run, TgSource *source, TgResume *resume, GError **error)
{
    GError *trouble = NULL;
    TgPipeline *pipeline = tg_pipeline_new(run->n_threads, run->n_threads * TG_CHUNK_IN_FLIGHT,
                                           score_chunk, emit_chunk, run, error);
    gboolean more = TRUE;

    if (pipeline == NULL)
        return FALSE;
    while (more && !atomic_load(&run->stopped)) {
        Chunk *chunk = next_chunk(run, source, resume, &trouble);

        more = chunk->n > 0 && trouble == NULL;
        if (chunk->n > 0)
            tg_pipeline_push(pipeline, chunk); /* rows before a broken one are not lost */
        else
            chunk_free(run, chunk);
        if (!report_progress(run, source) && trouble == NULL) {
            g_set_error_literal(&trouble, TG_ERROR, TG_ERROR_CANCELLED, "the run was cancelled");
            more = FALSE;
        }
    }
    tg_pipeline_finish(pipeline);
    report_progress(run, source);
    if (run->error != NULL) { /* comes from an earlier row than the source's trouble */
        g_clear_error(&trouble);
        g_propagate_error(error, g_steal_pointer(&run->error));
        return FALSE;
    }
    if (trouble != NULL)
        g_propagate_error(error, trouble);
    return trouble == NULL;
}

/* A field name that leads nowhere looks like raters, or a model, that answered nothing: say so. */
static void check_fields(Run *run, const TgSource *source)
{
    const char *unmet = tg_source_unmet_field(source);

    if (run->n_lines == 0 || unmet == NULL)
        return;
    g_autofree char *message = g_strdup_printf("no row has a field '%s'", unmet);
    put_fault(run, message);
}

/* A table of nothing would look like a result. A shard may have no rows by chance. */
static gboolean check_content(const Run *run, const TgResume *resume, GError **error)
{
    const char *wrong = NULL;

    if (run->options->allow_empty || run->options->n_shards > 1 || resume->n_rows > 0)
        return TRUE;
    if (run->n_lines == 0)
        wrong = "the inputs have no pairs";
    else if (!run->has_pairs)
        wrong = "no row of the inputs can be used";
    else if (!run->has_predictions)
        wrong = "no row has a prediction; if the inputs have them, name their field with "
                "--map pred=FIELD";
    if (wrong != NULL)
        g_set_error_literal(error, TG_ERROR, TG_ERROR_INPUT, wrong);
    return wrong == NULL;
}

static void report_causes(const Run *run)
{
    if (run->options->fault != NULL)
        tg_causes_report(run->causes, TRUE, run->options->fault, run->options->data);
    if (run->options->note != NULL)
        tg_causes_report(run->causes, FALSE, run->options->note, run->options->data);
}

/* ---- a whole run ---- */

static gboolean run_check_options(const TgEvalOptions *options, GError **error)
{
    const char *wrong = NULL;

    if (options->metrics == NULL || *options->metrics == '\0')
        wrong = "no metric given";
    else if (options->inputs == NULL && options->truths == NULL)
        wrong = "no input named";
    else if (options->truths != NULL && options->predictions == NULL)
        wrong = "truths need predictions to be joined with";
    else if (options->n_shards > 0 && (options->shard < 1 || options->shard > options->n_shards))
        wrong = "the shard is not between 1 and their number";
    else if (options->resume && (options->output == NULL || strcmp(options->output, "-") == 0))
        wrong = "only a results file can be resumed";
    if (wrong != NULL)
        g_set_error_literal(error, TG_ERROR, TG_ERROR_USAGE, wrong);
    return wrong == NULL;
}

/* The fields to keep, with those that the summary is by. */
static GPtrArray *kept_fields(const Run *run)
{
    const char *of_mean[] = { tg_summary_mean(run->summary)->field, NULL };
    const char *const *const lists[] = { run->options->columns, run->options->by, of_mean };
    GPtrArray *fields = g_ptr_array_new();

    for (guint i = 0; i < G_N_ELEMENTS(lists); i++)
        for (const char *const *field = lists[i]; field != NULL && *field != NULL; field++)
            if (!g_ptr_array_find_with_equal_func(fields, *field, g_str_equal, NULL))
                g_ptr_array_add(fields, (gpointer) *field);
    g_ptr_array_add(fields, NULL);
    return fields;
}

static TgSource *open_source(const Run *run, GError **error)
{
    const TgEvalOptions *options = run->options;
    g_autoptr(GPtrArray) fields = kept_fields(run);
    const TgSourceOptions how = {
        .format = options->format,
        .maps = options->maps,
        .human = options->human,
        .ratings = options->ratings,
        .columns = (const char *const *) fields->pdata,
        .truths = options->truths,
        .predictions = options->predictions,
        .model = options->model,
        .keep_delimiters = options->keep_delimiters,
        .clean = options->clean,
        .token_ids = options->token_ids,
        .allow_duplicates = options->allow_duplicates,
    };

    return tg_source_open(options->inputs, &how, error);
}

static const char *undefined_name(TgUndefined undefined)
{
    static const char *const names[] = { "default", "worst", "skip", "stop" };

    return names[undefined];
}

/* NULL for our own. */
static const char *renderer_name(TgRendererChoice renderer)
{
    static const char *const names[] = { NULL, "pdflatex", "lualatex", "auto" };

    return names[renderer];
}

static char *header_of(const Run *run, TgSource *source)
{
    guint n;
    g_autofree char *clean = tg_clean_name(run->clean);
    const TgSourceInput *inputs = tg_source_inputs(source, &n);
    g_autofree const char **names = g_new0(const char *, n + 1);
    const TgResultsInfo info = {
        .layout = run->layout,
        .inputs = names,
        .delimiters = run->options->keep_delimiters || run->options->token_ids ? "keep" : "strip",
        .undefined = undefined_name(run->options->undefined),
        .clean = clean,
        .token_ids = run->options->token_ids,
        .renderer = renderer_name(run->options->renderer),
        .pair_timeout = run->options->pair_timeout,
        .shard = run->options->n_shards > 0 ? run->options->shard : 1,
        .n_shards = MAX(run->options->n_shards, 1),
    };

    for (guint i = 0; i < n; i++)
        names[i] = inputs[i].name;
    return tg_results_header(&info);
}

static gboolean put_line(const Run *run, const char *line, GError **error)
{
    if (run->output == NULL ||
        (fprintf(run->output, "%s\n", line) >= 0 && fflush(run->output) == 0))
        return TRUE;
    return tg_fail(error, TG_ERROR_OUTPUT, "%s: %s", run->options->output, g_strerror(errno));
}

/* An output that is an input as well would be gone before it is read. */
static gboolean check_output(const Run *run, TgSource *source, GError **error)
{
    const char *const ratings[] = { run->options->ratings, NULL };
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    guint n;
    const TgSourceInput *inputs = tg_source_inputs(source, &n);

    for (guint i = 0; i < n; i++)
        g_ptr_array_add(names, (gpointer) inputs[i].name);
    g_ptr_array_add(names, NULL);
    return tg_output_is_no_input(run->options->output, (const char *const *) names->pdata, error) &&
           tg_output_is_no_input(run->options->output, ratings, error);
}

/* Open the file as it is; two runs that write the same one would destroy both's results. */
static FILE *open_locked(const char *path, GError **error)
{
    const int fd = g_open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        g_set_error(error, TG_ERROR, TG_ERROR_OUTPUT, "%s is being written by another run", path);
        close(fd);
        return NULL;
    }
    FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (file == NULL)
        g_set_error(error, TG_ERROR, TG_ERROR_OUTPUT, "%s: %s", path, g_strerror(errno));
    return file;
}

/* Cut what is behind the last whole line, and go on there. A device or a pipe has nothing. */
static gboolean cut_output(const Run *run, const TgResume *resume, GError **error)
{
    const int fd = fileno(run->output);
    struct stat info;

    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) ||
        (ftruncate(fd, (off_t) resume->offset) == 0 &&
         lseek(fd, (off_t) resume->offset, SEEK_SET) >= 0))
        return TRUE;
    return tg_fail(error, TG_ERROR_OUTPUT, "%s: %s", run->options->output, g_strerror(errno));
}

/* Open the output, or take an interrupted one up again, and see to its header. */
static gboolean open_output(Run *run, TgSource *source, const char *header, TgResume *resume,
                            GError **error)
{
    const char *path = run->options->output;

    if (path == NULL)
        return TRUE;
    if (strcmp(path, "-") == 0) {
        run->output = stdout;
        return put_line(run, header, error);
    }
    if (!check_output(run, source, error))
        return FALSE;
    run->output = open_locked(path, error);
    if (run->output == NULL || !tg_resume_open(resume, path, header, run->options->resume,
                                               run->options->force, run->summary, error))
        return FALSE;
    run->n_lines = resume->n_rows;
    return resume->complete ||
           (cut_output(run, resume, error) && (resume->has_header || put_line(run, header, error)));
}

static gboolean close_output(Run *run, gboolean good, GError **error)
{
    FILE *output = g_steal_pointer(&run->output);

    if (output == NULL || output == stdout || fclose(output) == 0 || !good)
        return good;
    return tg_fail(error, TG_ERROR_OUTPUT, "%s: %s", run->options->output, g_strerror(errno));
}

/* A renderer that cannot start is an error before there is an output file, which the next run would
 * take for an interrupted one. Faulty LaTeX is what every renderer gives to TeX. */
static gboolean check_renderer(Run *run, GError **error)
{
    const char *refs[] = { "{x" };
    const TgPair pair = { .refs = refs, .n_refs = 1, .hyp = "{x" };
    TgScoreItem item;

    if (!tg_scorer_draws_ahead(run->scorer))
        return TRUE;
    tg_scorer_read_pair(run->scorer, run->workers[0], &pair, 0, &item);
    return tg_scorer_prepare(run->scorer, run->workers[0], &item, 1, error);
}

/* Nothing is left to score; whether what was scored is still what the inputs hold. */
static gboolean check_done(const Run *run, TgSource *source, TgResume *resume, GError **error)
{
    GError *trouble = NULL;
    gboolean more = TRUE;

    while (more && trouble == NULL) {
        g_auto(TgRecord) record = { 0 };

        more = tg_source_next(source, &record, &trouble);
        if (more && in_shard(run->options, record.row))
            tg_resume_wants(resume, &record, &trouble);
    }
    if (trouble != NULL)
        g_propagate_error(error, trouble);
    return trouble == NULL && tg_resume_check_end(resume, error);
}

static gboolean run_all(Run *run, GError **error)
{
    g_autoptr(TgSource) source = open_source(run, error);
    g_auto(TgResume) resume = { 0 };

    if (source == NULL)
        return FALSE;
    g_autofree char *header = header_of(run, source);
    if (!check_renderer(run, error))
        return FALSE;
    if (!open_output(run, source, header, &resume, error))
        return close_output(run, FALSE, NULL);
    if (resume.complete)
        return close_output(run, check_done(run, source, &resume, error), error);

    gboolean good = run_rows(run, source, &resume, error) && tg_resume_check_end(&resume, error);
    if (good) {
        check_fields(run, source);
        guint n;
        const TgSourceInput *inputs = tg_source_inputs(source, &n);
        g_autofree char *footer = tg_results_footer(run->n_lines, inputs, n);
        good = put_line(run, footer, error) && check_content(run, &resume, error) &&
               (run->options->n_shards > 1 || tg_summary_check_mean(run->summary, error));
    }
    return close_output(run, good, error);
}

TgSummary *tg_eval_run(const TgEvalOptions *options, guint64 *n_faults, GError **error)
{
    Run run = { .options = options };

    if (!run_check_options(options, error))
        return NULL;

    const TgScorerOptions how = {
        .size = sizeof how,
        .undefined = options->undefined,
        .renderer = options->renderer,
        .detail = options->detail,
        .pair_timeout = options->pair_timeout,
    };
    g_autoptr(TgScorer) scorer = tg_scorer_new(options->metrics, &how, error);
    if (scorer == NULL)
        return NULL;

    g_autoptr(TgSummary) summary = tg_summary_new(tg_score_layout_ref(tg_scorer_layout(scorer)));
    if (options->confidence)
        tg_summary_want_intervals(summary);
    if (!tg_summary_want_mean(summary, options->mean, error) ||
        !tg_clean_parse(options->clean, &run.clean, error))
        return NULL;
    tg_summary_want_by(summary, options->by);
    run.summary = summary;
    run.scorer = scorer;
    run.layout = tg_scorer_layout(scorer);
    run.n_threads = options->threads > 0 ? options->threads : g_get_num_processors();
    run.live = options->inputs != NULL && g_strv_contains(options->inputs, "-");
    run.workers = g_new(TgScorerWorker *, run.n_threads);
    for (guint i = 0; i < run.n_threads; i++)
        run.workers[i] = tg_scorer_take_worker(scorer);
    g_autoptr(TgCauses) causes = tg_causes_new();
    run.causes = causes;
    const gboolean good = run_all(&run, error);
    report_causes(&run);
    for (guint i = 0; i < run.n_threads; i++)
        tg_scorer_return_worker(scorer, run.workers[i]);
    g_free(run.workers);
    if (n_faults != NULL)
        *n_faults = run.n_faults;
    return good ? g_steal_pointer(&summary) : NULL;
}
