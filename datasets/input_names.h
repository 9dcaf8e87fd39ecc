/* Inputs as users name them: "MODEL=FILE", or FILE, whose path then gives the model's name. */
#pragma once

#include <texgauge/types.h>

/** The message for a MODEL=FILE whose rows are of several models; both names, FILE, two of them. */
#define TG_INPUT_SEVERAL_MODELS                                                                    \
    "%s=%s: one name for a file of several models ('%s' and '%s'); omit the name"

/** An input, or a file of one. */
typedef struct {
    char *path;
    char *model;    /**< as the user said or as the paths tell */
    gboolean named; /**< the user said */
    char *field;    /**< of the predictions, where the user names it: FILE:FIELD; else NULL */
    char *subset;   /**< distinguishes files of one model; NULL where it has one file */
} TgInputName;

/** A list of inputs. */
typedef struct {
    guint n;
    TgInputName *at; /**< [n] */
} TgInputNames;

/**
 * Predictions to join with the files of references @refs. A pattern without a name whose files are
 * called as these are, each for one, is given a name: its files are those of one model. Other texts
 * stay as they are.
 *
 * Returns: (transfer full), NULL last
 */
char **tg_input_join_patterns(const char *const *texts, char *const *refs);

/**
 * Name every input. Those without a name get the shortest part of their path in which they differ,
 * the nearest to its end: runs/A/pred.json and runs/B/pred.json are A and B, a.json and b.json are
 * a and b. A last part loses its suffix (and .gz or .zst) where they differ without.
 *
 * A folder stands for its files, which are of one model; a pattern (see tg_input_files()) for one
 * model a file, or after MODEL= for the files of that model.
 *
 * @texts: NULL last; NULL: none
 * @model: the name of all that have none, instead of what their paths tell; NULL: what they tell
 *
 * Returns: FALSE with TG_ERROR_USAGE that says which: a file stands twice without a name, or what
 * a path tells is the name of another input
 */
gboolean tg_input_names_init(TgInputNames *names, const char *const *texts, const char *model,
                             GError **error);

/** The same for folders and patterns as they are, without subsets. */
gboolean tg_input_name_all(TgInputNames *names, const char *const *texts, const char *model,
                           GError **error);
void tg_input_names_clear(TgInputNames *names);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgInputNames, tg_input_names_clear)

/** Split "MODEL=FILE"; *@model is NULL for a FILE alone. The whole is a file where one of that name
 * exists, or where a '/' stands before the '=' and no FILE is there: "org/model=a.json" names a
 * model, "runs/lr=0.1/a.json" does not. (transfer full) both */
void tg_input_split(const char *text, char **model, char **path);

/**
 * The files that @path stands for, in the order of their names: those of a folder (not of folders
 * in it, nor hidden ones), those that a pattern (* ? [) matches, or @path itself.
 *
 * Returns: (transfer full) at least one, or NULL with TG_ERROR_INPUT: there is none
 */
char **tg_input_files(const char *path, GError **error);

/**
 * Several files of one thing are its subsets, called by what differs in their names.
 *
 * @paths: NULL last
 *
 * Returns: (transfer full) a name for each path; NULL where there are not several
 */
char **tg_input_subsets(char *const *paths);

/**
 * The shortest part in which paths differ, for each one; NULL where two are the same file.
 *
 * @paths: NULL last
 */
char **tg_input_parts(const char *const *paths);

/**
 * The part of UniMER-Test according to a file's name: "spe", "cpe", "sce" or "hwe" where that is a
 * word of the name ("test_spe.txt", "pred-CPE.txt.gz"); else NULL. Static.
 */
const char *tg_subset_of_name(const char *path);

/** The name of a file without folder, .gz or .zst, and suffix. (transfer full) */
char *tg_stem_of_name(const char *path);

/** How many of @names are among @others. @only: NULL, or (out) the place of the first that is not,
 * or G_MAXUINT */
guint tg_input_count_shared(char *const *names, char *const *others, guint *only);
