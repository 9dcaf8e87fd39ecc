/* Which model is each row of several results files? No two runs are taken for one. */
#pragma once

#include "eval/results/results.h"

/** Results files as a user named them, and what their rows call their models. */
typedef struct TgModelNames TgModelNames;

/**
 * Take a list of results files, each "MODEL=FILE" or FILE (datasets/input_names.h). The shards of a
 * run count as one.
 *
 * @texts: NULL last
 *
 * Returns: (transfer full), or NULL with TG_ERROR_USAGE: none, or two that cannot be told apart
 */
TgModelNames *tg_model_names_new(const char *const *texts, GError **error);
void tg_model_names_free(TgModelNames *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgModelNames, tg_model_names_free)

guint tg_model_names_n_files(const TgModelNames *names);
const char *tg_model_names_path(const TgModelNames *names, guint file);

/** The number of the run that @file belongs to. */
guint tg_model_names_run(const TgModelNames *names, guint file);

/** FALSE with TG_ERROR_INPUT where a run in shards lacks one. */
gboolean tg_model_names_check_shards(const TgModelNames *names, GError **error);

/** Whether the user gave @file a name. */
gboolean tg_model_names_is_named(const TgModelNames *names, guint file);

/** Whether rows must be seen before tg_model_names_get(): several runs, or names by the user. */
gboolean tg_model_names_needs_rows(const TgModelNames *names);

/**
 * Look at a row. Where two runs have a row of the same model, subset and id (or number, without an
 * id), their models are told apart from then on.
 *
 * Returns: FALSE with TG_ERROR_INPUT that says which: a name given to a file of several models, or
 * to two files that have the same id
 */
gboolean tg_model_names_see(TgModelNames *names, guint file, const TgResultsRow *row,
                            GError **error);

/**
 * The model of a row, once all have been seen: the name that the user gave its file; else what the
 * row says, where no other run has the same; else the name that the paths of the files tell, with
 * what the row says behind it where that run has several models.
 *
 * @model: what the row says; NULL for nothing
 *
 * Returns: (transfer full) NULL for a row without model in the only run
 */
char *tg_model_names_get(const TgModelNames *names, guint file, const char *model);
